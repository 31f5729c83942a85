//! Features from vectors.

use std::cell::RefCell;
use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use ::graph::ItemKind;

use super::{Candidate, Context, Part, Unit};
use crate::analyse::Analysis;
use crate::encoder::Encoder;
use crate::index::SearchIndex;
use crate::lexical::idf;
use crate::shape;
use crate::terms::TermHasher;
use crate::tokenize::{mean_of_parts, tokens};
use crate::vectors::Vectors;

/// A word counts for another above this cosine only.
const FAR: f32 = 0.15;

/// So many words of a query are held against the words of names and paths.
const MOST_WORDS: usize = 24;

/// The query's vector and the index's.
pub(crate) struct Dense<'a> {
    pub(crate) query: Vec<f32>,
    pub(crate) code: Vectors<'a>,
    pub(crate) doc: Vectors<'a>,
    /// The greatest cosine of all documents.
    pub(crate) max: f32,
    /// How much the query speaks of items of a kind.
    kinds: Vec<(ItemKind, f32)>,
    encoder: &'a dyn Encoder,
    /// Each own term's vector, and what it weighs.
    words: Vec<(Vec<f32>, f32)>,
    seen: RefCell<Seen>,
}

/// Likenesses worked out so far: candidates share most words and parts of their paths.
#[derive(Default)]
struct Seen {
    /// By a word, and by a part of a path: where their row begins.
    words: HashMap<String, usize, BuildHasherDefault<TermHasher>>,
    parts: HashMap<String, usize, BuildHasherDefault<TermHasher>>,
    /// One number for each of the query's words: how like the likest is.
    rows: Vec<f32>,
    /// The vector of the word that is looked at.
    vector: Vec<f32>,
}

impl<'a> Dense<'a> {
    /// `None` where the encoder knows no word of the query, or the index has no vectors of it.
    pub(crate) fn new(
        index: &'a SearchIndex,
        encoder: &'a dyn Encoder,
        analysis: &Analysis,
    ) -> Option<Self> {
        let terms = &analysis.terms;
        if index.encoder_name() != Some(encoder.name()) {
            return None;
        }
        let (code, doc) = index.vector_sections()?;
        let (code, doc) = (Vectors::open(code)?, Vectors::open(doc)?);
        if code.dims() != encoder.dims() {
            return None;
        }
        let mut bag: Vec<(&str, f32)> =
            terms.iter().map(|(term, weight)| (term.as_str(), *weight)).collect();
        // A text of which the encoder knows no word is not judged by how it begins.
        vector_of(encoder, &bag)?;
        bag.extend(analysis.opening.iter().map(|term| (term.as_str(), 1.0)));
        let query = vector_of(encoder, &bag)?;
        let kinds = shape::KINDS.iter().map(|(kind, term)| {
            let unit = vector_of(encoder, &[(*term, 1.0)])?;
            let cosine: f32 = unit.iter().zip(&query).map(|(a, b)| a * b).sum();
            Some((*kind, cosine))
        });
        let kinds = kinds.flatten().collect();
        let words = terms.iter().filter_map(|(term, weight)| {
            let documents = index.term(term).map_or(0, |entry| entry.in_bodies);
            let weight = weight * idf(index.document_count(), documents);
            Some((vector_of(encoder, &[(term.as_str(), 1.0)])?, weight))
        });
        let words = words.take(MOST_WORDS).collect();
        Some(Self { query, code, doc, max: 1.0, kinds, encoder, words, seen: RefCell::default() })
    }

    /// Sum over the query's words of the best likeness to a word of `parts`.
    fn max_sim<'p>(&self, parts: impl Iterator<Item = &'p str>) -> f32 {
        let mut best = [0.0f32; MOST_WORDS];
        let mut seen = self.seen.borrow_mut();
        for part in parts {
            let start = match seen.parts.get(part) {
                Some(start) => *start,
                None => self.see_part(&mut seen, part),
            };
            for (best, like) in best.iter_mut().zip(&seen.rows[start..start + self.words.len()]) {
                *best = best.max(*like);
            }
        }
        best.iter().zip(&self.words).map(|(best, (_, weight))| best * weight).sum()
    }

    /// The mean over the words of a name of the best likeness to a word of the query.
    fn cover(&self, name: &str) -> f32 {
        let mut seen = self.seen.borrow_mut();
        let mean = mean_of_parts(name, &mut |term| {
            let start = match seen.words.get(term) {
                Some(start) => *start,
                None => self.see_word(&mut seen, term),
            };
            let row = &seen.rows[start..start + self.words.len()];
            row.iter().fold(0.0f32, |best, like| best.max(*like))
        });
        mean / (1.0 - FAR)
    }

    /// The row of a part: of each of the query's words the likeness to the likest of the part's.
    fn see_part(&self, seen: &mut Seen, part: &str) -> usize {
        let mut best = [0.0f32; MOST_WORDS];
        tokens(part, &mut |term| {
            let start = match seen.words.get(term) {
                Some(start) => *start,
                None => self.see_word(seen, term),
            };
            for (best, like) in best.iter_mut().zip(&seen.rows[start..start + self.words.len()]) {
                *best = best.max(*like);
            }
        });
        let start = seen.rows.len();
        seen.rows.extend(best.iter().take(self.words.len()));
        seen.parts.insert(part.to_owned(), start);
        start
    }

    fn see_word(&self, seen: &mut Seen, term: &str) -> usize {
        seen.vector.resize(self.encoder.dims(), 0.0);
        self.encoder.encode(&[(term, 1.0)], &mut seen.vector);
        let start = seen.rows.len();
        for (word, _) in &self.words {
            seen.rows.push((product(word, &seen.vector) - FAR).max(0.0));
        }
        seen.words.insert(term.to_owned(), start);
        start
    }
}

/// In lanes, which a processor takes at once.
fn product(a: &[f32], b: &[f32]) -> f32 {
    let ((a, a_rest), (b, b_rest)) = (a.as_chunks::<16>(), b.as_chunks::<16>());
    let mut lanes = [0.0f32; 16];
    for (a, b) in a.iter().zip(b) {
        for ((lane, a), b) in lanes.iter_mut().zip(a).zip(b) {
            *lane += a * b;
        }
    }
    lanes.iter().sum::<f32>() + a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum::<f32>()
}

fn vector_of(encoder: &dyn Encoder, bag: &[(&str, f32)]) -> Option<Vec<f32>> {
    let mut vector = vec![0.0; encoder.dims()];
    encoder.encode(bag, &mut vector);
    vector.iter().any(|number| *number != 0.0).then_some(vector)
}

pub(super) struct Code;

impl Unit for Code {
    fn name(&self) -> &'static str {
        "dense"
    }
    fn says(&self) -> &'static str {
        "its code means what the query means, as the encoder sees it"
    }
    fn part(&self) -> Part {
        Part::Vectors
    }
    fn value(&self, context: &Context<'_>, candidate: &Candidate<'_>) -> f32 {
        let Some(dense) = &context.dense else { return 0.0 };
        let score = dense.code.score(candidate.document, &dense.query);
        if score == 0.0 {
            // Without a vector of its own it keeps what its words are worth.
            return context.words.item(candidate.document);
        }
        (score / dense.max).max(0.0)
    }
}

pub(super) struct Doc;

impl Unit for Doc {
    fn name(&self) -> &'static str {
        "dense_doc"
    }
    fn says(&self) -> &'static str {
        "its doc comment means what the query means, as the encoder sees it"
    }
    fn part(&self) -> Part {
        Part::Vectors
    }
    fn value(&self, context: &Context<'_>, candidate: &Candidate<'_>) -> f32 {
        let Some(dense) = &context.dense else { return 0.0 };
        (dense.doc.score(candidate.document, &dense.query) / dense.max).max(0.0)
    }
}

pub(super) struct MaxSim;

impl Unit for MaxSim {
    fn name(&self) -> &'static str {
        "maxsim"
    }
    fn says(&self) -> &'static str {
        "each word of the query is near to a word of its name or path"
    }
    fn part(&self) -> Part {
        Part::Vectors
    }
    fn is_relative(&self) -> bool {
        true
    }
    fn value(&self, context: &Context<'_>, candidate: &Candidate<'_>) -> f32 {
        let Some(dense) = &context.dense else { return 0.0 };
        let canon = candidate.view().map(|view| view.canon()).unwrap_or_default();
        let inner = canon.split_once("::").map_or("", |(_, inner)| inner);
        dense.max_sim(inner.split("::").chain([candidate.path()]))
    }
}

pub(super) struct Kind;

impl Unit for Kind {
    fn name(&self) -> &'static str {
        "kind"
    }
    fn says(&self) -> &'static str {
        "the query speaks of an item of its kind, as the encoder sees it"
    }
    fn part(&self) -> Part {
        Part::Vectors
    }
    fn value(&self, context: &Context<'_>, candidate: &Candidate<'_>) -> f32 {
        let Some(dense) = &context.dense else { return 0.0 };
        let Some(view) = candidate.view() else { return 0.0 };
        let own = dense.kinds.iter().find(|(kind, _)| *kind == view.kind);
        own.map_or(0.0, |(_, cosine)| *cosine)
    }
}

pub(super) struct Cover;

impl Unit for Cover {
    fn name(&self) -> &'static str {
        "cover"
    }
    fn says(&self) -> &'static str {
        "each word of its name is near to a word of the query"
    }
    fn part(&self) -> Part {
        Part::Vectors
    }
    fn value(&self, context: &Context<'_>, candidate: &Candidate<'_>) -> f32 {
        let Some(dense) = &context.dense else { return 0.0 };
        candidate.view().map_or(0.0, |view| dense.cover(&view.name()))
    }
}
