//! Features from vectors.

use base::ItemKind;

use super::likeness::Likeness;
use super::{Candidate, Context, FeatureGroup, Unit};
use crate::analyse::Analysis;
use crate::answer::Skipped;
use crate::encoder::Encoder;
use crate::index::{SearchIndex, TermEntry};
use crate::lexical::idf;
use crate::shape;
use crate::vectors::{SimdLevel, SparseVectors, Vectors, product};

/// The vectors of query and index.
pub(crate) struct Dense<'a> {
    pub(crate) query: Vec<f32>,
    pub(crate) code: Vectors<'a>,
    pub(crate) doc: SparseVectors<'a>,
    /// Greatest cosine of all documents.
    pub(crate) max: f32,
    /// Affinity of the query to each kind of item.
    kinds: [f32; ItemKind::ALL.len()],
    likeness: Likeness<'a>,
}

impl<'a> Dense<'a> {
    /// Fails where the encoder knows no word of the query, or the index has no vectors of it;
    /// `entries` are those of the query's terms.
    pub(crate) fn new(
        index: &'a SearchIndex,
        encoder: &'a dyn Encoder,
        text: &str,
        analysis: &Analysis,
        entries: &[Option<TermEntry>],
    ) -> Result<Self, Skipped> {
        let terms = &analysis.terms;
        let opened =
            index.stored_vectors().filter(|_| index.encoder_name() == Some(encoder.name()));
        let (code, doc) = opened
            .filter(|(code, _)| code.dims() == encoder.text_dims())
            .ok_or(Skipped::NoVectors)?;
        let words = terms.iter().zip(entries).map(|((term, weight), entry)| {
            let documents = entry.map_or(0, |entry| entry.in_bodies);
            (term.as_str(), weight * idf(index.document_count(), documents))
        });
        let likeness = Likeness::new(index, encoder, words);
        // A text without known words is not scored by its markers alone.
        if likeness.is_empty() && encoder.reader().is_none() {
            return Err(Skipped::NothingToDo);
        }
        let mut bag: Vec<(&str, f32)> =
            terms.iter().map(|(term, weight)| (term.as_str(), *weight)).collect();
        bag.extend(analysis.opening.iter().map(|term| (term.as_str(), 1.0)));
        let own = vector_of(encoder, &bag);
        let mut kinds = [0.0; ItemKind::ALL.len()];
        let (mut row, mut bytes) = (Vec::new(), Vec::new());
        for (kind, term) in shape::KINDS {
            if let (Some(own), Some(scale)) = (&own, encoder.term(term, &mut row)) {
                bytes.clear();
                bytes.extend(row.iter().map(|number| *number as u8));
                kinds[kind as usize] = scale * product(SimdLevel::best(), &bytes, own);
            }
        }
        let query = match encoder.reader() {
            Some(reader) => {
                let mut vectors = reader.read(&[text]).map_err(|_| Skipped::Unread)?;
                let query = vectors.pop().filter(|query| query.len() == code.dims());
                query.ok_or(Skipped::Unread)?
            }
            None => own.ok_or(Skipped::NothingToDo)?,
        };
        Ok(Self { query, code, doc, max: 1.0, kinds, likeness })
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
    fn description(&self) -> &'static str {
        "its code is similar to the query, by the encoder"
    }
    fn part(&self) -> FeatureGroup {
        FeatureGroup::Vectors
    }
    fn value(&self, context: &Context<'_>, candidate: &Candidate<'_>) -> f32 {
        let Some(dense) = &context.dense else { return 0.0 };
        let score = dense.code.score(candidate.document, &dense.query);
        if score == 0.0 {
            // Without a vector the document keeps its lexical score.
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
    fn description(&self) -> &'static str {
        "its doc comment is similar to the query, by the encoder"
    }
    fn part(&self) -> FeatureGroup {
        FeatureGroup::Vectors
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
    fn description(&self) -> &'static str {
        "the words of the query are similar to words of its name or path"
    }
    fn part(&self) -> FeatureGroup {
        FeatureGroup::Vectors
    }
    fn is_relative(&self) -> bool {
        true
    }
    fn value(&self, context: &Context<'_>, candidate: &Candidate<'_>) -> f32 {
        context.dense.as_ref().map_or(0.0, |dense| dense.likeness.to_place(candidate))
    }
}

pub(super) struct Kind;

impl Unit for Kind {
    fn name(&self) -> &'static str {
        "kind"
    }
    fn description(&self) -> &'static str {
        "the query describes an item of its kind, by the encoder"
    }
    fn part(&self) -> FeatureGroup {
        FeatureGroup::Vectors
    }
    fn value(&self, context: &Context<'_>, candidate: &Candidate<'_>) -> f32 {
        let Some(dense) = &context.dense else { return 0.0 };
        context.index.kind(candidate.document).map_or(0.0, |kind| dense.kinds[kind as usize])
    }
}
