//! BM25 over three fields: code and doc comment, head, and whole files with their paths.

use crate::analyse::Analysis;
use crate::encoder::Encoder;
use crate::index::{CHUNK, Posting, Postings, SearchIndex, TermEntry};
use crate::scratch::{Scores, Scratch};

/// Weight of a term in the path against one in the text of a file.
const PATH_TIMES: u32 = 3;
/// Number of expansion terms per term, their minimum similarity, and their weight relative to it.
const NEIGHBOURS: usize = 12;
const NEAR: f32 = 0.3;
const NEIGHBOUR_WEIGHT: f32 = 0.3;
/// Maximum number of terms of a query; a longer query (a log, a diff) uses the most specific ones.
const MOST_TERMS: usize = 64;

/// A term to look up in the index.
#[derive(Clone, Debug)]
pub(crate) struct Term {
    pub(crate) term: String,
    pub(crate) weight: f32,
    pub(crate) entry: TermEntry,
    /// Whether it occurs in the query; else it was added by expansion.
    pub(crate) is_own: bool,
}

/// The terms of a query that are in the index, sorted; `entries` are those of its own terms.
pub(crate) fn terms(
    index: &SearchIndex,
    analysis: &Analysis,
    entries: &[Option<TermEntry>],
    expand: Option<&dyn Encoder>,
) -> Vec<Term> {
    let own = analysis.terms.iter().zip(entries).filter_map(|((term, weight), entry)| {
        Some(Term { term: term.clone(), weight: *weight, entry: (*entry)?, is_own: true })
    });
    let mut terms: Vec<Term> = own.collect();
    if terms.len() > MOST_TERMS {
        let documents = index.document_count();
        let specificity = |term: &Term| term.weight * idf(documents, term.entry.in_bodies);
        terms.sort_by(|a, b| {
            specificity(b).total_cmp(&specificity(a)).then_with(|| a.term.cmp(&b.term))
        });
        terms.truncate(MOST_TERMS);
        terms.sort_by(|a, b| a.term.cmp(&b.term));
    }
    if let Some(encoder) = expand {
        expand_by(index, analysis, encoder, &mut terms);
    }
    terms
}

fn expand_by(
    index: &SearchIndex,
    analysis: &Analysis,
    encoder: &dyn Encoder,
    terms: &mut Vec<Term>,
) {
    // Terms that are not in the index are expanded too.
    let mut expanded: base::SortedMap<String, f32> = Default::default();
    for (term, weight) in analysis.terms.iter().take(MOST_TERMS) {
        for (neighbour, cosine) in encoder.neighbours(term, NEIGHBOURS, NEAR) {
            *expanded.entry(neighbour).or_default() += NEIGHBOUR_WEIGHT * cosine * weight;
        }
    }
    let mut new = Vec::new();
    for (neighbour, weight) in expanded {
        match terms.binary_search_by(|term| term.term.cmp(&neighbour)) {
            Ok(at) => terms[at].weight += weight,
            Err(_) => {
                if let Some(entry) = index.term(&neighbour) {
                    new.push(Term { term: neighbour, weight, entry, is_own: false });
                }
            }
        }
    }
    terms.extend(new);
    terms.sort_by(|a, b| a.term.cmp(&b.term));
}

/// Computes the scores of all documents.
pub(crate) fn score_items(index: &SearchIndex, terms: &[Term], scratch: &mut Scratch) {
    let (meta, impacts) = (index.meta(), index.impacts());
    let (body, head) = (&impacts.body, &impacts.head);
    let own = terms.iter().filter(|term| term.is_own).count().max(1);
    let head_weight = (8.0 / own as f32).clamp(0.3, 1.0);
    for term in terms {
        let in_body = body.most * term.weight * idf(meta.documents, term.entry.in_bodies);
        let in_head = head_weight * term.weight * idf(meta.documents, term.entry.in_heads);
        let in_head = head.most * in_head;
        let once = body.once();
        add_up(
            index.item_postings(&term.entry),
            index.lengths(),
            &mut scratch.items,
            |len| in_body * once[usize::from(len)],
            |count, len| in_body * body.of(count, len),
            |_, bodies, heads, body_len, head_len| {
                in_body * body.of(bodies, body_len) + in_head * head.of(heads, head_len)
            },
        );
    }
    scratch.items.finish();
}

/// Computes the scores of all files, from text and path.
pub(crate) fn score_files(index: &SearchIndex, terms: &[Term], scratch: &mut Scratch) {
    let (meta, impacts) = (index.meta(), index.impacts());
    let (text, path) = (&impacts.file, &impacts.path);
    let Scratch { files, paths, .. } = scratch;
    for term in terms {
        let in_text = text.most * term.weight * idf(meta.files, term.entry.in_files);
        let in_path = path.most * term.weight * idf(meta.files, term.entry.in_paths);
        let once = text.once();
        add_up(
            index.file_postings(&term.entry),
            index.file_lengths(),
            files,
            |len| in_text * once[usize::from(len)],
            |count, len| in_text * text.of_any(count, len),
            |place, in_texts, in_paths, len, path_len| {
                if in_paths > 0 {
                    paths.add(place, in_path * path.of(in_paths, path_len));
                }
                in_text * text.of_any(in_texts.saturating_add(PATH_TIMES * in_paths), len)
            },
        );
    }
    files.finish();
    paths.finish();
}

/// Adds the contribution of a term to the score of each of its postings: `once` by the length of
/// the first field where the term occurs once there and not in the second, `often` by count and
/// length where it occurs more often, `both` by posting, counts and lengths of both fields where it
/// occurs in the second.
#[inline(always)]
fn add_up(
    list: Postings<'_>,
    (first, second): (&[u8], &[u8]),
    scores: &mut Scores,
    once: impl Fn(u8) -> f32,
    often: impl Fn(u32, u8) -> f32,
    mut both: impl FnMut(u32, u32, u32, u8, u8) -> f32,
) {
    match list {
        Postings::Short(list) => {
            for Posting { place, in_body, in_head } in list {
                let at = place as usize;
                let (Some(first), Some(second)) = (first.get(at), second.get(at)) else { break };
                scores.add(place, both(place, in_body, in_head, *first, *second));
            }
        }
        Postings::Long(mut list) => {
            while let Some(chunk) = list.next() {
                let Some(start) = chunk.number.checked_mul(CHUNK) else { break };
                let (Some(first), Some(second), Some(scores)) =
                    (first.get(start..), second.get(start..), scores.from(start))
                else {
                    break;
                };
                // Slices of equal length: one bounds check covers them all.
                let len = first.len().min(second.len()).min(scores.len()).min(CHUNK);
                let (first, second, scores) = (&first[..len], &second[..len], &mut scores[..len]);
                chunk.each_one(|place| {
                    let at = usize::from(place);
                    if at < len {
                        scores[at] += once(first[at]);
                    }
                });
                list.each_often(&chunk, |place, count| {
                    let at = usize::from(place);
                    if at < len {
                        scores[at] += often(count, first[at]);
                    }
                });
                list.each_head(&chunk, |place, in_first, in_second| {
                    let at = usize::from(place);
                    if at < len {
                        let place = (start + at) as u32;
                        scores[at] += both(place, in_first, in_second, first[at], second[at]);
                    }
                });
            }
        }
    }
}

/// The inverse document frequency of a term that occurs in `with` of `all` documents.
pub(crate) fn idf(all: u32, with: u32) -> f32 {
    let (all, with) = (all as f32, with as f32);
    (1.0 + (all - with + 0.5).max(0.0) / (with + 0.5)).ln()
}
