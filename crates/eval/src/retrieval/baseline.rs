//! A plain search: whole words and their parts, ranked by BM25 or by the number of shared words.
//! Nothing here is from the product.

use std::collections::HashMap;

use base::{SortedMap, SortedSet};

/// The words of a text in lower case: each identifier, and its parts if it has several.
pub(crate) fn words(text: &str) -> Vec<String> {
    let bytes = text.as_bytes();
    let mut out = Vec::new();
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        let start = at;
        if byte.is_ascii_alphabetic() || *byte == b'_' {
            while bytes.get(at).is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_') {
                at += 1;
            }
            let word = &text[start..at];
            push(&mut out, word);
            let parts = parts(word);
            if parts.len() > 1 {
                parts.into_iter().for_each(|part| push(&mut out, part));
            }
        } else if byte.is_ascii_digit() {
            while bytes.get(at).is_some_and(u8::is_ascii_digit) {
                at += 1;
            }
            push(&mut out, &text[start..at]);
        } else {
            at += 1;
        }
    }
    out
}

fn push(out: &mut Vec<String>, word: &str) {
    if word.len() > 1 {
        out.push(word.to_ascii_lowercase());
    }
}

/// `HTTPServer2_x` is `HTTP`, `Server2`, `x`.
fn parts(word: &str) -> Vec<&str> {
    let bytes = word.as_bytes();
    let run = |from: usize, is: &dyn Fn(&u8) -> bool| {
        from + bytes[from..].iter().take_while(|byte| is(byte)).count()
    };
    let is_low = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let mut out = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let mut end = run(at, &|byte| byte.is_ascii_uppercase());
        if bytes.get(end).is_some_and(u8::is_ascii_lowercase) && end > at {
            end -= 1;
        }
        if end == at {
            let first = usize::from(bytes[at].is_ascii_uppercase());
            end = run(at + first, &is_low);
        }
        if end == at {
            at += 1;
        } else {
            out.push(&word[at..end]);
            at = end;
        }
    }
    out
}

const STOP: &str = "the a an of to in is and or for if it this that with be as on by are from not \
    will can when which should at than into its use used any all but also has have no was were so \
    such do does only may then we you";

/// The words of a query without stop words.
pub(crate) fn query_words(text: &str) -> Vec<String> {
    let stop: SortedSet<&str> = STOP.split_whitespace().collect();
    words(text).into_iter().filter(|word| !stop.contains(word.as_str())).collect()
}

/// Documents as bags of words.
pub(crate) struct PlainSearch {
    /// For each word, the documents that contain it and how often.
    postings: HashMap<String, Vec<(usize, u32)>>,
    idf: HashMap<String, f64>,
    lengths: Vec<usize>,
    mean: f64,
}

const K1: f64 = 1.5;
const B: f64 = 0.75;
/// Words in more than half of the documents count this part of the mean.
const EPSILON: f64 = 0.25;
/// Maximum length of a ranking.
const MAX_RANKING: usize = 50;

impl PlainSearch {
    pub(crate) fn new(documents: impl IntoIterator<Item = Vec<String>>) -> Self {
        let mut postings: HashMap<String, Vec<(usize, u32)>> = HashMap::new();
        let mut lengths = Vec::new();
        for (number, terms) in documents.into_iter().enumerate() {
            lengths.push(terms.len());
            let mut counts: SortedMap<String, u32> = SortedMap::new();
            for word in terms {
                *counts.entry(word).or_default() += 1;
            }
            for (word, count) in counts {
                postings.entry(word).or_default().push((number, count));
            }
        }
        let all = lengths.len() as f64;
        let plain = |found: usize| (all - found as f64 + 0.5).ln() - (found as f64 + 0.5).ln();
        let sorted: SortedMap<&String, f64> =
            postings.iter().map(|(word, found)| (word, plain(found.len()))).collect();
        let floor = EPSILON * sorted.values().sum::<f64>() / sorted.len().max(1) as f64;
        let idf = sorted
            .into_iter()
            .map(|(word, idf)| (word.clone(), if idf < 0.0 { floor } else { idf }))
            .collect();
        let mean = lengths.iter().sum::<usize>() as f64 / all.max(1.0);
        Self { postings, idf, lengths, mean }
    }

    /// Okapi BM25, best first.
    pub(crate) fn bm25(&self, query: &[String]) -> Vec<usize> {
        let mut scores: SortedMap<usize, f64> = SortedMap::new();
        for word in query {
            let idf = self.idf.get(word).copied().unwrap_or(0.0);
            for (document, count) in self.postings.get(word).into_iter().flatten() {
                let length = self.lengths.get(*document).copied().unwrap_or(0) as f64 / self.mean;
                let count = f64::from(*count);
                *scores.entry(*document).or_default() +=
                    idf * count * (K1 + 1.0) / (count + K1 * (1.0 - B + B * length));
            }
        }
        let mut order: Vec<(usize, f64)> = scores.into_iter().collect();
        order.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        order.into_iter().map(|(document, _)| document).take(MAX_RANKING).collect()
    }

    /// By how many of the query's words a document has, then by how often.
    pub(crate) fn keyword(&self, query: &[String]) -> Vec<usize> {
        let mut shared: SortedMap<usize, (usize, u32)> = SortedMap::new();
        for word in query.iter().collect::<SortedSet<_>>() {
            for (document, count) in self.postings.get(word).into_iter().flatten() {
                let entry = shared.entry(*document).or_default();
                *entry = (entry.0 + 1, entry.1 + count);
            }
        }
        let mut order: Vec<(usize, (usize, u32))> = shared.into_iter().collect();
        order.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
        order.into_iter().map(|(document, _)| document).take(MAX_RANKING).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_come_whole_and_in_parts() {
        assert_eq!(
            words("let HTTPServer2_x = a.read_to(0, 42); X"),
            ["let", "httpserver2_x", "http", "server2", "read_to", "read", "to", "42"]
        );
        assert_eq!(query_words("the file is used by it"), ["file"]);
        assert_eq!(words("größe"), ["gr"]);
    }

    #[test]
    fn a_rare_word_beats_a_frequent_one_and_overlap_counts_words() {
        let documents = ["alpha beta beta beta", "beta", "gamma beta", "delta epsilon", "zeta"];
        let plain = PlainSearch::new(documents.map(words));
        assert_eq!(plain.bm25(&query_words("gamma alpha beta")), [2, 0, 1]);
        assert_eq!(plain.keyword(&query_words("gamma alpha beta")), [0, 2, 1]);
        assert!(plain.bm25(&query_words("nothing")).is_empty());
    }
}
