//! Tests of the limits of queries.

use std::time::{Duration, Instant};

use base::Hint;
use graftage_store::{GraphStore, ScriptLimits, StoreError};

use crate::kit::{ask, ring, size, store};

fn answer(script: &str) -> StoreError {
    let (_dir, store) = store();
    store.import(&ring(30), 1).unwrap();
    let err = store.query(script, &ScriptLimits::default()).expect_err(script);
    assert_eq!(size(&store, "isg_nodes"), 30, "{script}");
    err
}

#[test]
fn a_query_that_would_write_is_refused() {
    for script in [
        "?[id] := *isg_nodes{id} :rm isg_nodes {id}",
        "?[a] <- [[1]] :create mine {a}",
        "?[a] <- [[1]] :replace isg_nodes {a}",
        "?[name, value] <- [['epoch', 9]] :put meta {name => value}",
        "::remove isg_nodes",
        "::rename isg_nodes -> nodes",
        "::index create isg_nodes:by_name {name}",
        "::hnsw drop embeddings:index",
        "::access_level read_only isg_nodes",
        "::set_triggers isg_nodes",
        "::compact",
        "::kill 1",
        "::describe isg_nodes 'mine'",
        "::query create mine { ?[a] <- [[1]] }",
    ] {
        let err = answer(script);
        assert!(matches!(err, StoreError::Refused { .. }), "{script}: {err}");
        assert!(err.hint().is_some());
    }
}

#[test]
fn a_query_that_prints_sleeps_or_loops_is_refused() {
    for script in [
        "?[a] <- [[1]] :sleep 100",
        "{?[a] <- [[1]] :create _mine {a}} %debug _mine",
        "%loop { ?[a] <- [[1]] } %end",
        "{?[a] <- [[1]]} {?[a] <- [[2]]}",
        "{ ::remove isg_nodes }",
        "?[a] := a in int_range(100000000000)",
        "?[a] := n = 100000000000, a in int_range(n)",
        "?[a] := a in int_range(-9223372036854775807, 9223372036854775807)",
        "?[a] := a = rand_vec(100000000000)",
        "/* a comment */ ::remove isg_nodes",
    ] {
        let err = answer(script);
        assert!(matches!(err, StoreError::Refused { .. }), "{script}: {err}");
    }
}

#[test]
fn scripts_reach_no_file_and_no_network() {
    for script in [
        "?[a] <~ CsvReader(types: ['Any'], url: 'file:///etc/passwd')",
        "?[a] <~ JsonReader(fields: ['a'], url: 'file:///etc/passwd')",
        "?[a] <~ CsvReader(types: ['Any'], url: 'http://localhost/')",
    ] {
        let err = answer(script);
        assert!(matches!(err, StoreError::Script { .. }), "{script}: {err}");
    }
}

#[test]
fn an_invalid_query_is_an_error_in_one_line() {
    for script in [
        "",
        "hello",
        "?[a] := *nowhere{a}",
        "?[a] := *isg_nodes{nothing: a}",
        "?[id] := *isg_nodes{id",
        "?[a] := a = $p",
        "?[a] := a = to_uuid('x')",
        "\u{0}",
        "?[\u{1b}[31m] := x",
    ] {
        let err = answer(script);
        assert!(matches!(err, StoreError::Script { .. }), "{script:?}: {err}");
        assert!(!err.to_string().chars().any(char::is_control), "{err}");
    }
}

#[test]
fn long_and_deep_scripts_are_refused_or_answered_but_never_overflow() {
    let deep = |open: &str, close: &str, depth: usize| {
        format!("?[a] := a = {}1{}", open.repeat(depth), close.repeat(depth))
    };
    assert!(matches!(answer(&deep("(", ")", 20_000)), StoreError::Refused { .. }));
    assert!(matches!(answer(&deep("[", "]", 65)), StoreError::Refused { .. }));
    let (_dir, store) = store();
    let mut scripts = vec![deep("(", ")", 60), deep("-", "", 30_000), deep("!", "", 30_000)];
    scripts.push(format!("?[a] := a = 1, {} false", "not ".repeat(8_000)));
    scripts.push(format!("{} ?[a] := a = 1", "/*".repeat(16_000)));
    scripts.push(format!("?[a] := a = 1 {}", "+ 1".repeat(10_000)));
    scripts.push(format!("?[a] := a = 1 {}", "-> 1".repeat(8_000)));
    scripts.push(format!("?[a] := a = 1 {}", "or a = 1 ".repeat(3_000)));
    for script in scripts {
        // A result or an error; the process must survive.
        let _ = store.query(
            &script,
            &ScriptLimits { time: Duration::from_secs(2), ..ScriptLimits::default() },
        );
    }
    assert_eq!(ask(&store, "?[a] := a = 1"), [[serde_json::json!(1)]]);
}

#[test]
fn a_query_ends_when_its_time_is_over() {
    let (_dir, store) = store();
    store.import(&ring(200), 1).unwrap();
    let start = Instant::now();
    let limits = ScriptLimits { time: Duration::from_millis(200), ..ScriptLimits::default() };
    let script = "?[count(a)] := *isg_nodes{id: a}, *isg_nodes{id: b}, *isg_nodes{id: c},
        *isg_nodes{id: d}, a != b, b != c, c != d, a != d :reorder written";
    let err = store.query(script, &limits).unwrap_err();
    assert!(matches!(err, StoreError::TooLong { .. }), "{err}");
    // Not a measurement: without the limit it runs for hours.
    assert!(start.elapsed() < Duration::from_secs(60));
    let endless = "n[a] := a = 0 n[a] := n[b], a = b + 1 ?[a] := n[a]";
    assert!(store.query(endless, &limits).is_err());
}

#[test]
fn a_query_ends_when_its_memory_is_used_up() {
    let (_dir, store) = store();
    store.import(&ring(100), 1).unwrap();
    let limits = ScriptLimits { memory: 2 << 20, ..ScriptLimits::default() };
    let script = "?[a, b, c] := *isg_nodes{id: a}, *isg_nodes{id: b}, *isg_nodes{id: c}";
    let err = store.query(script, &limits).unwrap_err();
    assert!(matches!(err, StoreError::TooBig { .. }), "{err}");
    assert!(err.hint().is_some());
    let doubling = "s[a] := a = 'aaaaaaaaaaaaaaaa' s[a] := s[b], a = concat(b, b) ?[a] := s[a]";
    assert!(matches!(store.query(doubling, &limits), Err(StoreError::TooBig { .. })));
}

#[test]
fn small_ranges_and_explanations_are_allowed() {
    let (_dir, store) = store();
    store.import(&ring(3), 1).unwrap();
    assert_eq!(ask(&store, "?[a] := a in int_range(3)").len(), 3);
    assert_eq!(ask(&store, "?[a] := a in int_range(5, 7)").len(), 2);
    assert!(!ask(&store, "::explain { ?[id] := *isg_nodes{id} }").is_empty());
    assert!(!ask(&store, "::columns isg_nodes").is_empty());
}
