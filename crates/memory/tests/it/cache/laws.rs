//! Laws of the cache, on random questions, hashes and times.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use base::{ContentHash, Timestamp};
use graftage_memory::{CacheEntry, CacheError, SemanticCache, SemanticCacheConfig};
use proptest::prelude::*;
use testkit::FakeHost;

use super::code;

const WORDS: [&str; 28] = [
    "where", "is", "the", "a", "which", "tests", "test", "cover", "covers", "`parse`", "parse",
    "Parse", "not", "\"x\"", "of", "Map's", "what's", "please", "show", "me", ",", "1", "2", "in",
    "get", "called", "do", ".",
];

fn question() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => prop::collection::vec(prop::sample::select(&WORDS[..]), 0..7)
            .prop_map(|words| words.join(" ")),
        1 => any::<String>(),
    ]
}

proptest! {
    /// A hit has the hash that was asked for and the newest answer to its text, is younger than allowed,
    /// and not from the future. The number of entries is limited.
    #[test]
    fn a_hit_is_for_the_same_code_and_in_time(
        steps in prop::collection::vec((question(), 0u8..3, 0u64..50, any::<bool>()), 1..30),
        ttl in 0u64..60,
        capacity in 0usize..6,
    ) {
        let host = FakeHost::new();
        let ctx = host.ctx();
        let config = SemanticCacheConfig {
            ttl: Duration::from_micros(ttl), capacity, threshold: 0.0, ..Default::default()
        };
        let mut cache = SemanticCache::new(config);
        for (number, (question, which, now, puts)) in steps.iter().enumerate() {
            host.set_now(Timestamp(*now));
            let hash = code(&which.to_string());
            if *puts {
                cache.put(&ctx, question, hash, (number, hash)).unwrap();
            }
            // Each reading advances the clock.
            host.set_now(Timestamp(*now));
            let newest = cache.get(&ctx, question, hash).map(|hit| (*hit.value, hit.created_at));
            if let Some(((_, of), created_at)) = newest {
                prop_assert_eq!(of, hash);
                prop_assert!(created_at.0 <= *now && now - created_at.0 < ttl);
            }
            if *puts && ttl > 0 && capacity > 0 {
                prop_assert_eq!(newest.map(|((number, _), _)| number), Some(number));
            }
            prop_assert!(cache.len() <= capacity);
            prop_assert_eq!(cache.len(), cache.entries().len());
        }
    }

    /// Whether two questions share an answer does not depend on which was asked first.
    #[test]
    fn a_hit_is_symmetric(one in question(), other in question()) {
        prop_assert_eq!(super::is_hit(&one, &other), super::is_hit(&other, &one));
        prop_assert!(super::is_hit(&one, &one));
    }
}

#[test]
fn the_least_recently_used_goes_first() {
    let host = FakeHost::new();
    let ctx = host.ctx();
    let mut cache =
        SemanticCache::new(SemanticCacheConfig { capacity: 2, ..SemanticCacheConfig::default() });
    for question in ["one", "two"] {
        cache.put(&ctx, question, code("a"), question).unwrap();
    }
    assert!(cache.get(&ctx, "one", code("a")).is_some());
    cache.put(&ctx, "three", code("a"), "three").unwrap();
    let left: Vec<&str> = cache.entries().iter().map(|entry| entry.value).collect();
    assert_eq!(left, ["one", "three"]);
    assert_eq!(cache.forget(code("b")), Ok(0));
    assert_eq!(cache.forget(code("a")), Ok(2));
    assert!(cache.is_empty());
}

#[test]
fn entries_are_stored_and_read_again_in_their_order() {
    let stored: Arc<Mutex<Vec<String>>> = Arc::default();
    let sink = Arc::clone(&stored);
    let config = SemanticCacheConfig::<u32> {
        on_persist: Some(Box::new(move |entries| {
            let lines = entries.iter().map(|entry| serde_json::to_string(entry).unwrap());
            *base::lock(&sink) = lines.collect();
            if entries.len() > 2 { Err("full".to_owned()) } else { Ok(()) }
        })),
        auto_persist: true,
        ..Default::default()
    };
    let host = FakeHost::new();
    let ctx = host.ctx();
    let mut cache = SemanticCache::new(config);
    cache.put(&ctx, "where is a", code("x"), 1).unwrap();
    cache.put(&ctx, "where is b", code("x"), 2).unwrap();
    let lines = base::lock(&stored).clone();
    let initial_entries: Vec<CacheEntry<u32>> =
        lines.iter().map(|line| serde_json::from_str(line).unwrap()).collect();
    let again = SemanticCacheConfig { initial_entries, ..SemanticCacheConfig::default() };
    let mut again = SemanticCache::new(again);
    let hit = again.get(&ctx, "Where is `b`?", code("x")).unwrap();
    assert_eq!((*hit.value, hit.query), (2, "where is b"));
    let err = cache.put(&ctx, "where is c", code("x"), 3).unwrap_err();
    assert_eq!(err, CacheError::Persist { reason: "full".to_owned() });
    assert_eq!(err.to_string(), "the cache was not stored: full");
    assert!(cache.get(&ctx, "where is c", code("x")).is_some(), "the change is in memory");
    assert_eq!(cache.get(&ctx, "where is c", ContentHash::of(b"y")), None);
    cache.clear().unwrap();
    assert!(base::lock(&stored).is_empty());
}
