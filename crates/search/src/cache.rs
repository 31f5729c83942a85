//! [`AnswerCache`]: a cache of recent answers.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use crate::answer::RankedHits;
use crate::query::Query;

/// Maximum number of cached answers.
const MOST: usize = 64;

/// A cache of answers by query – focus, stages and sizes included – and epoch of the map: an answer
/// for another state is never returned. All calls must use the same encoder, weights and rankers.
#[derive(Debug, Default)]
pub struct AnswerCache {
    /// Most recently used first.
    kept: Mutex<VecDeque<(u64, Query, Arc<RankedHits>)>>,
}

impl AnswerCache {
    /// The cached answer to `query` at `epoch`, or the result of `answer`, which is then cached.
    pub fn answer(
        &self,
        epoch: u64,
        query: &Query,
        answer: impl FnOnce() -> RankedHits,
    ) -> Arc<RankedHits> {
        let mut kept = base::lock(&self.kept);
        let at = kept.iter().position(|(of, asked, _)| *of == epoch && asked == query);
        if let Some(entry) = at.and_then(|at| kept.remove(at)) {
            let answer = Arc::clone(&entry.2);
            kept.push_front(entry);
            return answer;
        }
        drop(kept);
        // The lock is released so that other queries do not wait.
        let answer = Arc::new(answer());
        let mut kept = base::lock(&self.kept);
        kept.retain(|(of, ..)| *of == epoch);
        kept.push_front((epoch, query.clone(), Arc::clone(&answer)));
        kept.truncate(MOST);
        answer
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::QueryKind;

    fn answer(complete: bool) -> RankedHits {
        let (hits, files, stages) = (Vec::new(), Vec::new(), Vec::new());
        RankedHits { hits, files, stages, kind: QueryKind::Prose, complete }
    }

    #[test]
    fn a_query_is_answered_once_per_epoch() {
        let cache = AnswerCache::default();
        let (one, other) = (Query::new("one", 5), Query::new("one", 6));
        assert!(cache.answer(1, &one, || answer(true)).complete);
        assert!(cache.answer(1, &one, || answer(false)).complete, "kept");
        assert!(!cache.answer(1, &other, || answer(false)).complete, "another size");
        assert!(!cache.answer(2, &one, || answer(false)).complete, "another state");
    }

    #[test]
    fn the_most_recent_queries_are_kept() {
        let cache = AnswerCache::default();
        cache.answer(1, &Query::new("0", 5), || answer(true));
        for n in 1..=MOST {
            cache.answer(1, &Query::new(n.to_string(), 5), || answer(true));
            let known = cache.answer(1, &Query::new("0", 5), || answer(false));
            assert!(known.complete, "what is asked again stays");
        }
        assert!(
            !cache.answer(1, &Query::new("1", 5), || answer(false)).complete,
            "the oldest went"
        );
    }
}
