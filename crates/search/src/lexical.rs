//! BM25 over three fields: code and doc comment, head, and whole files with their paths.

use crate::analyse::Analysis;
use crate::encoder::Encoder;
use crate::index::{Postings, SearchIndex, TermEntry, lengths};
use crate::scratch::{Scores, Scratch, WINDOW};

/// Saturation and length normalisation of a field.
struct Bm25 {
    k1: f32,
    b: f32,
}

const BODY: Bm25 = Bm25 { k1: 1.2, b: 0.5 };
const HEAD: Bm25 = Bm25 { k1: 1.2, b: 0.75 };
const FILE: Bm25 = Bm25 { k1: 2.0, b: 0.75 };
const PATH: Bm25 = Bm25 { k1: 1.2, b: 0.75 };

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
    let meta = index.meta();
    let own = terms.iter().filter(|term| term.is_own).count().max(1);
    let head_weight = (8.0 / own as f32).clamp(0.3, 1.0);
    let mut body = Field::new(&BODY, meta.mean_body);
    let mut head = Field::new(&HEAD, meta.mean_head);
    for term in terms {
        body.ask(term.weight * idf(meta.documents, term.entry.in_bodies));
        head.ask(head_weight * term.weight * idf(meta.documents, term.entry.in_heads));
        let list = index.item_postings(&term.entry);
        if matches!(list, Postings::Dense(_)) {
            body.reckon_ahead();
            head.reckon_ahead();
        }
        let (body, head) = (&body, &head);
        let score_of = |in_body: u32, in_head: u32, body_len: u8, head_len: u8| {
            body.score(in_body, body_len) + head.score(in_head, head_len)
        };
        add_up(list, index.lengths(), &mut scratch.items, score_of, |_, _, _| {});
    }
    scratch.items.finish();
}

/// Adds up the scores of all files, by text and by path.
pub(crate) fn score_files(index: &SearchIndex, terms: &[Term], scratch: &mut Scratch) {
    let meta = index.meta();
    let mut text = Field::new(&FILE, meta.mean_file);
    let mut path = Field::new(&PATH, meta.mean_path);
    for term in terms {
        text.ask(term.weight * idf(meta.files, term.entry.in_files));
        path.ask(term.weight * idf(meta.files, term.entry.in_paths));
        let list = index.file_postings(&term.entry);
        if matches!(list, Postings::Dense(_)) {
            text.reckon_ahead();
        }
        let (text, path) = (&text, &path);
        let text_score = |in_text: u32, in_path: u32, len: u8, _: u8| {
            text.score(in_text + PATH_TIMES * in_path, len)
        };
        let Scratch { files, paths, .. } = scratch;
        let by_path = |place: u32, in_path: u32, len: u8| {
            if in_path > 0 {
                paths.add(place, path.score(in_path, len));
            }
        };
        add_up(list, index.file_lengths(), files, text_score, by_path);
    }
    scratch.files.finish();
    scratch.paths.finish();
}

/// A field as it is asked for one term after the other.
struct Field {
    k1: f32,
    /// What is added to a count, by the byte of the field's length.
    norms: [f32; 256],
    /// What the term is worth.
    factor: f32,
    /// Scores of small counts by the byte of the length, as far as they were reckoned.
    small: [[f32; 256]; 4],
    reckoned: u32,
}

impl Field {
    fn new(bm25: &Bm25, mean: f32) -> Self {
        let norms = bm25.norms(mean);
        Self { k1: bm25.k1, norms, factor: 0.0, small: [[0.0; 256]; 4], reckoned: 0 }
    }

    /// The next term has this weight.
    fn ask(&mut self, weight: f32) {
        self.factor = weight * (self.k1 + 1.0);
        self.reckoned = 0;
    }

    /// A list is long: nearly all of its counts are small.
    fn reckon_ahead(&mut self) {
        for (count, scores) in (0u16..).zip(&mut self.small) {
            let count = f32::from(count);
            for (score, norm) in scores.iter_mut().zip(&self.norms) {
                *score = self.factor * count / (count + norm);
            }
        }
        self.reckoned = self.small.len() as u32;
    }

    /// A field without the term adds nothing.
    #[inline(always)]
    fn score(&self, count: u32, len: u8) -> f32 {
        let len = usize::from(len);
        if count < self.reckoned {
            return self.small[count as usize & 3][len];
        }
        let count = count as f32;
        self.factor * count / (count + self.norms[len])
    }
}

/// Adds to each place of a list what `score_of` gives for the counts of the term in the two fields
/// and for the lengths of these; `beside` sees place, count and length of the second field.
#[inline(always)]
fn add_up(
    list: Postings<'_>,
    (first, second): (&[u8], &[u8]),
    scores: &mut Scores,
    score_of: impl Fn(u32, u32, u8, u8) -> f32,
    mut beside: impl FnMut(u32, u32, u8),
) {
    match list {
        Postings::Sparse(list) => {
            for posting in list {
                let place = posting.place as usize;
                let (Some(first), Some(second)) = (first.get(place), second.get(place)) else {
                    break;
                };
                let score = score_of(posting.in_body, posting.in_head, *first, *second);
                scores.add(posting.place, score);
                beside(posting.place, posting.in_head, *second);
            }
        }
        Postings::Dense(mut list) => {
            while let Some(window) = list.next() {
                let (Some(first), Some(second), Some(scores)) = (
                    window_of(first, window.number),
                    window_of(second, window.number),
                    scores.window(window.number),
                ) else {
                    break;
                };
                for place in window.simple {
                    let place = usize::from(*place);
                    scores[place] += score_of(1, 0, first[place], 0);
                }
                list.each_other(&window, |place, in_first, in_second| {
                    let at = usize::from(place);
                    scores[at] += score_of(in_first, in_second, first[at], second[at]);
                    let place = (window.number * WINDOW) as u32 + u32::from(place);
                    beside(place, in_second, second[at]);
                });
            }
        }
    }
}

/// The codes of lengths of a window.
#[inline]
fn window_of(lengths: &[u8], number: usize) -> Option<&[u8; WINDOW]> {
    let start = number.checked_mul(WINDOW)?;
    lengths.get(start..start.checked_add(WINDOW)?)?.try_into().ok()
}

/// How much a term tells that stands in `with` of `all` places.
pub(crate) fn idf(all: u32, with: u32) -> f32 {
    let (all, with) = (all as f32, with as f32);
    (1.0 + (all - with + 0.5).max(0.0) / (with + 0.5)).ln()
}

impl Bm25 {
    /// What is added to a count, by the byte of the field's length.
    fn norms(&self, mean: f32) -> [f32; 256] {
        let mean = mean.max(1.0);
        lengths().map(|length| self.k1 * (1.0 - self.b + self.b * length / mean))
    }
}
