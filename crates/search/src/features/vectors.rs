//! Features from vectors.

use std::cell::RefCell;
use std::collections::BTreeMap;

use ::graph::ItemKind;

use super::{Candidate, Context, Part, Unit};
use crate::analyse::Analysis;
use crate::encoder::Encoder;
use crate::index::SearchIndex;
use crate::lexical::idf;
use crate::shape;
use crate::tokenize::{mean_of_parts, tokens};
use crate::vectors::Vectors;

/// A word counts for another above this cosine only.
const FAR: f32 = 0.15;

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
    /// Best cosines of head words seen so far, one for each of `words`.
    seen: RefCell<BTreeMap<String, Vec<f32>>>,
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
        let words = words.take(24).collect();
        Some(Self { query, code, doc, max: 1.0, kinds, encoder, words, seen: RefCell::default() })
    }

    /// Sum over the query's words of the best likeness to a word of `heads`.
    fn max_sim(&self, heads: &[&str]) -> f32 {
        let mut best = vec![0.0f32; self.words.len()];
        let mut seen = self.seen.borrow_mut();
        for head in heads {
            tokens(head, &mut |term| {
                if !seen.contains_key(term) {
                    seen.insert(term.to_owned(), self.likeness(term));
                }
                for (best, like) in best.iter_mut().zip(&seen[term]) {
                    *best = best.max(*like);
                }
            });
        }
        best.iter().zip(&self.words).map(|(best, (_, weight))| best * weight).sum()
    }

    /// The mean over the words of a name of the best likeness to a word of the query.
    fn cover(&self, name: &str) -> f32 {
        let mut seen = self.seen.borrow_mut();
        let mean = mean_of_parts(name, &mut |term| {
            if !seen.contains_key(term) {
                seen.insert(term.to_owned(), self.likeness(term));
            }
            seen[term].iter().fold(0.0f32, |best, like| best.max(*like))
        });
        mean / (1.0 - FAR)
    }

    fn likeness(&self, term: &str) -> Vec<f32> {
        let Some(vector) = vector_of(self.encoder, &[(term, 1.0)]) else { return Vec::new() };
        let cosine = |word: &[f32]| -> f32 { word.iter().zip(&vector).map(|(a, b)| a * b).sum() };
        self.words.iter().map(|(word, _)| (cosine(word) - FAR).max(0.0)).collect()
    }
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
        let canon = candidate.view.canon();
        let inner = canon.split_once("::").map_or("", |(_, inner)| inner);
        dense.max_sim(&[inner, candidate.view.path().unwrap_or_default()])
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
        let own = dense.kinds.iter().find(|(kind, _)| *kind == candidate.view.kind);
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
        dense.cover(&candidate.view.name())
    }
}
