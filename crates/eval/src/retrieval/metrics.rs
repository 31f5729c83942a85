//! Scores of one ranking against its gold items, as the suites define them.

use base::{SortedMap, SortedSet};

/// Scores of one ranking against its gold, as the suites define them: `hits[p]` is what the answer
/// at place `p` hits, by index; each gold counts once.
pub(crate) fn scores(hits: &[SortedSet<usize>], gold: usize) -> SortedMap<&'static str, f64> {
    let mut seen: SortedSet<usize> = SortedSet::new();
    let mut first = None;
    let mut gain = 0.0;
    let mut found = Vec::with_capacity(MAX_RANKING);
    for (at, hit) in hits.iter().take(MAX_RANKING).enumerate() {
        if hit.iter().any(|it| !seen.contains(it)) {
            first.get_or_insert(at + 1);
            gain += discount(at);
            seen.extend(hit);
        }
        found.push(seen.len());
    }
    let within = |k: usize| found.get(k.min(found.len()).wrapping_sub(1)).copied().unwrap_or(0);
    let mut scores = SortedMap::new();
    let names = [(1, "hit@1", "acc@1"), (5, "hit@5", "acc@5"), (10, "hit@10", "acc@10")];
    for (k, hit, acc) in names {
        scores.insert(hit, f64::from(u8::from(within(k) > 0)));
        scores.insert(acc, f64::from(u8::from(within(k) >= gold)));
    }
    let ideal: f64 = (0..gold.min(MAX_RANKING)).map(discount).sum();
    scores.insert("mrr@10", first.map_or(0.0, |first| 1.0 / first as f64));
    scores.insert("recall@10", within(MAX_RANKING) as f64 / gold.max(1) as f64);
    scores.insert("ndcg@10", if ideal > 0.0 { (gain / ideal).min(1.0) } else { 0.0 });
    scores
}

/// Nothing behind this place counts.
const MAX_RANKING: usize = 10;

fn discount(at: usize) -> f64 {
    1.0 / (at as f64 + 2.0).log2()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hits(places: &[&[usize]]) -> Vec<SortedSet<usize>> {
        places.iter().map(|place| place.iter().copied().collect()).collect()
    }

    #[test]
    fn all_gold_within_k_is_accuracy_and_any_is_a_hit() {
        let scores = scores(&hits(&[&[], &[0], &[0], &[], &[], &[1]]), 2);
        let want = [
            ("acc@1", 0.0),
            ("acc@10", 1.0),
            ("acc@5", 0.0),
            ("hit@1", 0.0),
            ("hit@10", 1.0),
            ("hit@5", 1.0),
            ("mrr@10", 0.5),
            ("ndcg@10", (discount(1) + discount(5)) / (discount(0) + discount(1))),
            ("recall@10", 1.0),
        ];
        assert_eq!(scores.into_iter().collect::<Vec<_>>(), want);
    }

    #[test]
    fn an_empty_answer_and_ranks_after_ten_score_zero() {
        let far: Vec<SortedSet<usize>> = [vec![SortedSet::new(); 10], hits(&[&[0]])].concat();
        for answer in [Vec::new(), far] {
            assert!(scores(&answer, 1).values().all(|value| *value == 0.0));
        }
    }
}
