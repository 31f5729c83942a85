//! How like the words of a query are to the words of names, scopes and paths, as the encoder sees
//! them. Candidates share most of these: each word, scope and path is looked at once for a query.

use std::cell::RefCell;

use super::Candidate;
use crate::by_number::ByNumber;
use crate::encoder::Encoder;
use crate::index::{SearchIndex, TermNumbers};
use crate::vectors::{Level, dots};

/// A word counts for another above this cosine only.
const FAR: f32 = 0.15;

/// So many words of a query are held against the words of names and paths.
const MOST_WORDS: usize = 24;

/// A number for each of the query's words.
type Likes = [f32; MOST_WORDS];

pub(super) struct Likeness<'a> {
    index: &'a SearchIndex,
    encoder: &'a dyn Encoder,
    numbers: Option<&'a TermNumbers>,
    level: Level,
    /// What each of the query's words weighs.
    weights: Vec<f32>,
    /// Their rows, one behind the other, and what the numbers of each are to be multiplied by.
    rows: Vec<u8>,
    scales: Vec<f32>,
    seen: RefCell<Seen>,
}

/// What was worked out so far.
#[derive(Default)]
struct Seen {
    terms: ByNumber<Likes>,
    scopes: ByNumber<Likes>,
    /// By place of the file.
    paths: ByNumber<Likes>,
    text: Vec<u8>,
    row: Vec<i8>,
}

impl<'a> Likeness<'a> {
    /// Of words with what each weighs; those that the encoder does not know are left out.
    pub(super) fn new<'w>(
        index: &'a SearchIndex,
        encoder: &'a dyn Encoder,
        words: impl Iterator<Item = (&'w str, f32)>,
    ) -> Self {
        let (mut weights, mut rows, mut scales) = (Vec::new(), Vec::new(), Vec::new());
        let mut row = Vec::new();
        for (word, weight) in words {
            if weights.len() < MOST_WORDS
                && let Some(scale) = encoder.term(word, &mut row)
            {
                weights.push(weight);
                scales.push(scale);
                rows.extend(row.iter().map(|number| *number as u8));
            }
        }
        let (level, numbers) = (Level::best(), index.numbers_of(encoder));
        let seen = RefCell::new(Seen {
            terms: ByNumber::with_capacity(1024),
            scopes: ByNumber::with_capacity(512),
            paths: ByNumber::with_capacity(256),
            ..Seen::default()
        });
        Self { index, encoder, numbers, level, weights, rows, scales, seen }
    }

    /// Whether the encoder knows none of the words.
    pub(super) fn is_empty(&self) -> bool {
        self.weights.is_empty()
    }

    /// Sum over the query's words of the best likeness to a word of a candidate's path in the
    /// workspace and in the code.
    pub(super) fn to_place(&self, candidate: &Candidate<'_>) -> f32 {
        let (index, seen) = (self.index, &mut *self.seen.borrow_mut());
        let mut best = [0.0; MOST_WORDS];
        let Seen { terms, scopes, paths, text, row } = seen;
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

    /// The mean over the words of a candidate's name of the best likeness to a word of the query.
    pub(super) fn to_name(&self, candidate: &Candidate<'_>) -> f32 {
        let Seen { terms, text, row, .. } = &mut *self.seen.borrow_mut();
        let mean = self.index.name_terms(candidate.document).mean(|term| {
            let likes = terms.entry(term, || self.likes(term, text, row));
            likes.iter().fold(0.0f32, |best, like| best.max(*like))
        });
        mean / (1.0 - FAR)
    }

    /// How like a term is to each of the query's words.
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

/// Takes the greater one of each two.
fn raise(best: &mut Likes, likes: &Likes) {
    for (best, like) in best.iter_mut().zip(likes) {
        *best = if *like > *best { *like } else { *best };
    }
}
