//! Ranking of a few hundred short texts that are not code of the map: rules, skills, tools, episodes.
//!
//! Three rankings – the terms of the title, the terms of the body, vectors – are combined by their
//! ranks. A term of the query also counts, with less weight, where it is the beginning of a term, so
//! that a word that is being typed finds something.

use base::SortedMap;

use crate::encoder::Encoder;
use crate::lexical::idf;
use crate::search::RECIPROCAL;
use crate::tokenize::tokens;

/// Parameters of BM25.
const K1: f32 = 1.2;
const B: f32 = 0.75;
/// Weight of a term that only begins with the term of the query.
const PREFIX: f32 = 0.4;
/// Minimum length of a term that can be the beginning of another, in bytes.
const SHORTEST_PREFIX: usize = 3;
/// Minimum cosine for which a text counts as similar.
const LEAST_COSINE: f32 = 0.2;
/// Weight of the title in the vector of a text, relative to the same number of terms in the body.
const TITLE_IN_VECTOR: f32 = 4.0;

/// A text that is ranked: the bags of its terms and its vector.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Passage {
    title: Counts,
    body: Counts,
    vector: Vec<f32>,
}

/// A ranked text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PassageHit {
    /// Index of the text.
    pub index: usize,
    /// Combined score; only its order has a meaning.
    pub score: f32,
    /// BM25 of the title.
    pub title: f32,
    /// BM25 of the body.
    pub body: f32,
    /// Cosine of the vectors.
    pub cosine: f32,
}

impl Passage {
    /// Reads a text. The vector is one of `encoder`, and so must be the one of the query.
    pub fn new(encoder: &dyn Encoder, title: &str, body: &str) -> Self {
        let (title, body) = (Counts::of(title), Counts::of(body));
        let mut weights: SortedMap<&str, f32> = SortedMap::new();
        for (counts, factor) in [(&title, TITLE_IN_VECTOR), (&body, 1.0)] {
            for (term, count) in &counts.terms {
                *weights.entry(term).or_default() += *count as f32 * factor;
            }
        }
        let bag: Vec<(&str, f32)> =
            weights.into_iter().map(|(term, weight)| (term, 1.0 + weight.max(1.0).ln())).collect();
        let mut vector = vec![0.0; encoder.dims()];
        encoder.encode(&bag, &mut vector);
        Self { title, body, vector }
    }

    /// The cosine of two texts that were read with the same encoder.
    pub(crate) fn cosine(&self, other: &Self) -> f32 {
        self.vector.iter().zip(&other.vector).map(|(a, b)| a * b).sum()
    }
}

/// The terms of a text, sorted, with their counts.
#[derive(Clone, Debug, Default, PartialEq)]
struct Counts {
    terms: Vec<(String, u32)>,
    length: u32,
}

impl Counts {
    fn of(text: &str) -> Self {
        let mut counts: SortedMap<String, u32> = SortedMap::new();
        tokens(text, &mut |term| match counts.get_mut(term) {
            Some(count) => *count += 1,
            None => _ = counts.insert(term.to_owned(), 1),
        });
        let length = counts.values().sum();
        Self { terms: counts.into_iter().collect(), length }
    }

    /// How often a term occurs; terms that only begin with it count less.
    fn frequency(&self, term: &str) -> f32 {
        let at = self.terms.partition_point(|(it, _)| it.as_str() < term);
        let rest = self.terms.get(at..).unwrap_or_default();
        let begins = rest.iter().take_while(|(it, _)| it.starts_with(term));
        let weight = |it: &str| match it.len() {
            length if length == term.len() => 1.0,
            _ if term.len() >= SHORTEST_PREFIX => PREFIX,
            _ => 0.0,
        };
        begins.map(|(it, count)| weight(it) * *count as f32).sum()
    }
}

/// Ranks texts for a query: at most `limit`, best first, and none that has nothing in common with it.
pub fn rank_passages(
    encoder: &dyn Encoder,
    passages: &[&Passage],
    query: &str,
    limit: usize,
) -> Vec<PassageHit> {
    let query = Passage::new(encoder, query, "");
    let terms = &query.title.terms;
    let titles = bm25(terms, passages.iter().map(|it| &it.title));
    let bodies = bm25(terms, passages.iter().map(|it| &it.body));
    let cosines: Vec<f32> = passages.iter().map(|it| query.cosine(it)).collect();
    let mut scores = vec![0.0; passages.len()];
    for (list, least) in [(&titles, 0.0), (&bodies, 0.0), (&cosines, LEAST_COSINE)] {
        let mut order: Vec<usize> = (0..list.len()).filter(|at| list[*at] > least).collect();
        order.sort_by(|a, b| list[*b].total_cmp(&list[*a]).then(a.cmp(b)));
        for (rank, at) in order.into_iter().enumerate() {
            scores[at] += (RECIPROCAL + 1.0) / (RECIPROCAL + 1.0 + rank as f32);
        }
    }
    let hit = |index: usize| PassageHit {
        index,
        score: scores[index],
        title: titles[index],
        body: bodies[index],
        cosine: cosines[index],
    };
    let mut hits: Vec<PassageHit> =
        (0..passages.len()).filter(|at| scores[*at] > 0.0).map(hit).collect();
    hits.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.index.cmp(&b.index)));
    hits.truncate(limit);
    hits
}

/// The score of each text by BM25.
fn bm25<'a>(terms: &[(String, u32)], texts: impl Iterator<Item = &'a Counts> + Clone) -> Vec<f32> {
    let count = texts.clone().count();
    let sum: u64 = texts.clone().map(|text| u64::from(text.length)).sum();
    let mean = (sum as f32 / count.max(1) as f32).max(1.0);
    let mut scores = vec![0.0; count];
    for (term, _) in terms {
        let frequencies: Vec<f32> = texts.clone().map(|text| text.frequency(term)).collect();
        let with = frequencies.iter().filter(|it| **it > 0.0).count();
        let idf = idf(count as u32, with as u32);
        for ((score, frequency), text) in scores.iter_mut().zip(frequencies).zip(texts.clone()) {
            let length = 1.0 - B + B * text.length as f32 / mean;
            *score += idf * frequency * (K1 + 1.0) / (frequency + K1 * length);
        }
    }
    scores
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::StaticTable;

    fn ranked(texts: &[(&str, &str)], query: &str) -> Vec<usize> {
        let encoder = StaticTable::embedded();
        let passages: Vec<Passage> =
            texts.iter().map(|(title, body)| Passage::new(&encoder, title, body)).collect();
        let passages: Vec<&Passage> = passages.iter().collect();
        rank_passages(&encoder, &passages, query, 10).into_iter().map(|hit| hit.index).collect()
    }

    const TEXTS: [(&str, &str); 3] = [
        ("Release checklist", "Bump the version, write the changelog, push the tag."),
        ("Testing", "Integration tests start a server; snapshots are accepted one by one."),
        ("Style", "Names are long. Comments give reasons."),
    ];

    #[test]
    fn titles_bodies_and_beginnings_of_words_are_found() {
        assert_eq!(ranked(&TEXTS, "publish a new release")[0], 0);
        assert_eq!(ranked(&TEXTS, "update snapshot files")[0], 1);
        assert_eq!(ranked(&TEXTS, "snapsh")[0], 1);
        assert_eq!(ranked(&TEXTS, "comment")[0], 2);
    }

    #[test]
    fn nothing_in_common_is_no_hit_and_nothing_panics() {
        assert_eq!(ranked(&TEXTS, ""), []);
        assert_eq!(ranked(&TEXTS, "的 ... ---"), []);
        assert_eq!(ranked(&[], "release"), []);
        assert_eq!(ranked(&[("", "")], "release"), []);
    }
}
