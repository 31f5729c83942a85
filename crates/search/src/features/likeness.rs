//! Similarity of the words of a query to the words of names, scopes and paths, by the encoder.
//! Candidates share most of these, so each word, scope and path is computed once per query.

use std::cell::RefCell;

use super::Candidate;
use crate::by_number::ByNumber;
use crate::encoder::Encoder;
use crate::index::{SearchIndex, TermNumbers};
use crate::vectors::{SimdLevel, dots};

/// Minimum cosine of similar words.
const FAR: f32 = 0.15;

/// Maximum number of query words that are compared.
const MOST_WORDS: usize = 24;

/// One number per query word.
type Likes = [f32; MOST_WORDS];

pub(super) struct Likeness<'a> {
    index: &'a SearchIndex,
    encoder: &'a dyn Encoder,
    numbers: Option<&'a TermNumbers>,
    level: SimdLevel,
    /// Weights of the query words.
    weights: Vec<f32>,
    /// Rows of the query words, concatenated, and the scale of each.
    rows: Vec<u8>,
    scales: Vec<f32>,
    seen: RefCell<LikenessCache>,
}

/// Results computed so far.
#[derive(Default)]
struct LikenessCache {
    terms: ByNumber<Likes>,
    scopes: ByNumber<Likes>,
    /// Similarities by file index.
    paths: ByNumber<Likes>,
    text: Vec<u8>,
    row: Vec<i8>,
}

impl<'a> Likeness<'a> {
    /// Similarities for weighted words; words unknown to the encoder are dropped.
    pub(super) fn new<'w>(
        index: &'a SearchIndex,
        encoder: &'a dyn Encoder,
        weighted_words: impl Iterator<Item = (&'w str, f32)>,
    ) -> Self {
        let (mut weights, mut rows, mut scales) = (Vec::new(), Vec::new(), Vec::new());
        let mut row = Vec::new();
        for (word, weight) in weighted_words {
            if weights.len() < MOST_WORDS
                && let Some(scale) = encoder.term(word, &mut row)
            {
                weights.push(weight);
                scales.push(scale);
                rows.extend(row.iter().map(|number| *number as u8));
            }
        }
        let (level, numbers) = (SimdLevel::best(), index.numbers_of(encoder));
        let seen = RefCell::new(LikenessCache {
            terms: ByNumber::with_capacity(1024),
            scopes: ByNumber::with_capacity(512),
            paths: ByNumber::with_capacity(256),
            ..LikenessCache::default()
        });
        Self { index, encoder, numbers, level, weights, rows, scales, seen }
    }

    /// Whether no word is known to the encoder.
    pub(super) fn is_empty(&self) -> bool {
        self.weights.is_empty()
    }

    /// Sum over the query words of the greatest similarity to a word of a candidate's file path or
    /// canonical path.
    pub(super) fn to_place(&self, candidate: &Candidate<'_>) -> f32 {
        let (index, seen) = (self.index, &mut *self.seen.borrow_mut());
        let mut best = [0.0; MOST_WORDS];
        let LikenessCache { terms, scopes, paths, text, row } = seen;
        let mut of_list = |list: &mut dyn Iterator<Item = u32>| {
            let mut best = [0.0; MOST_WORDS];
            for term in list {
                raise(&mut best, terms.entry(term, || self.likes(term, text, row)));
            }
            best
        };
        if let Some(scope) = index.scope_of(candidate.document) {
            let likes = scopes.entry(scope, || of_list(&mut index.scope_terms(scope)));
            raise(&mut best, likes);
        }
        let file = candidate.file;
        raise(&mut best, paths.entry(file, || of_list(&mut index.path_terms(file))));
        let name = index.name_terms(candidate.document);
        if name.ends_path() {
            raise(&mut best, &of_list(&mut name.iter()));
        }
        best.iter().zip(&self.weights).map(|(best, weight)| best * weight).sum()
    }

    /// The similarity of a term to each query word.
    fn likes(&self, term: u32, text: &mut Vec<u8>, row: &mut Vec<i8>) -> Likes {
        let mut likes = [0.0; MOST_WORDS];
        let (index, encoder) = (self.index, self.encoder);
        let own = match self.numbers {
            Some(numbers) => numbers
                .get(term, || encoder.number(index.term_text(term, text)?))
                .and_then(|number| encoder.numbered(number, row)),
            None => index.term_text(term, text).and_then(|text| encoder.term(text, row)),
        };
        let Some(scale) = own else { return likes };
        let mut sums = [0; MOST_WORDS];
        dots(self.level, row, &self.rows, &mut sums);
        for ((like, sum), other) in likes.iter_mut().zip(sums).zip(&self.scales) {
            *like = (sum as f32 * scale * other - FAR).max(0.0);
        }
        likes
    }
}

/// Takes the element-wise maximum.
fn raise(best: &mut Likes, likes: &Likes) {
    for (best, like) in best.iter_mut().zip(likes) {
        *best = if *like > *best { *like } else { *best };
    }
}
