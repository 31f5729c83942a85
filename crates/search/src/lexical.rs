//! BM25 over three fields: code and doc comment, head, and whole files with their paths.

use crate::analyse::Analysis;
use crate::encoder::Encoder;
use crate::index::{CHUNK, Posting, Postings, SearchIndex, TermEntry};
use crate::scratch::{Scores, Scratch};

/// A path's word counts in its file as so many of the text.
const PATH_TIMES: u32 = 3;
/// Neighbours of a term, how near they must be, and what they weigh of their nearness.
const NEIGHBOURS: usize = 12;
const NEAR: f32 = 0.3;
const NEIGHBOUR_WEIGHT: f32 = 0.3;
/// A query of more terms (a log, a long patch) is asked by those that tell most.
const MOST_TERMS: usize = 64;

/// A term that the index is asked for.
#[derive(Clone, Debug)]
pub(crate) struct Term {
    pub(crate) term: String,
    pub(crate) weight: f32,
    pub(crate) entry: TermEntry,
    /// The text has it; else the encoder brought it.
    pub(crate) is_own: bool,
}

/// The terms of a query that the index knows, sorted; `entries` are those of its own terms.
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
        let tells = |term: &Term| term.weight * idf(documents, term.entry.in_bodies);
        terms.sort_by(|a, b| tells(b).total_cmp(&tells(a)).then_with(|| a.term.cmp(&b.term)));
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
    // Words that the index does not know bring their neighbours too.
    let mut brought: std::collections::BTreeMap<String, f32> = Default::default();
    for (term, weight) in analysis.terms.iter().take(MOST_TERMS) {
        for (neighbour, cosine) in encoder.neighbours(term, NEIGHBOURS, NEAR) {
            *brought.entry(neighbour).or_default() += NEIGHBOUR_WEIGHT * cosine * weight;
        }
    }
    let mut new = Vec::new();
    for (neighbour, weight) in brought {
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

/// Adds up the scores of all documents.
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

/// Adds up the scores of all files, by text and by path.
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

/// Adds to each place of a list what it is worth: `once` by the length of the first field where the
/// term stands in it once and in the second not at all, `often` by count and length where it stands
/// in it otherwise, `both` by place, counts in both fields and lengths of both where it stands in the
/// second.
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
                // Of one length, so that one look tells for all whether a place is there.
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

/// How much a term tells that stands in `with` of `all` places.
pub(crate) fn idf(all: u32, with: u32) -> f32 {
    let (all, with) = (all as f32, with as f32);
    (1.0 + (all - with + 0.5).max(0.0) / (with + 0.5)).ln()
}
