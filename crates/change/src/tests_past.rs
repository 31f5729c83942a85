//! Examples of past commits as text, and what is proposed from them as text.

use base::Timestamp;
use edit::Overlay;

use crate::tests::{Tree, marked, since};
use crate::{Confidence, PastDifference, propagate_from_history};

/// The texts that the commits (before and after, the last commit first) lead to, with the reasons;
/// `$0…$1` in `now` marks each error.
fn learned(commits: &[(&str, &str)], now: &str, code: &str, message: &str) -> Vec<String> {
    let tree = |text: &str| Tree::of(&[("src/lib.rs", text)]);
    let past = commits.iter().enumerate().map(|(nth, (before, after))| PastDifference {
        commit: format!("c{nth} \"Subject\""),
        difference: since(&tree(before), &tree(after)),
    });
    let past: Vec<PastDifference> = past.collect();
    let (plain, errors) = marked(now, code, message);
    let now = tree(&plain);
    let found = propagate_from_history(&past, &errors, &now);
    assert!(found.iter().all(|it| it.confidence == Confidence::Guess));
    let shown = found.iter().map(|it| {
        let overlay = Overlay::from_splices("t", Timestamp(0), &now, &it.splices).unwrap();
        let (_, change) = overlay.changes().next().unwrap();
        let draft = if it.guesses.is_empty() { "" } else { " (guess)" };
        format!("{}{draft}: {}", change.after_text(), it.reason)
    });
    shown.collect()
}

const NO_LOAD: &str = "no method named `load` found for struct `Z` in the current scope";

#[test]
fn a_rewrite_of_a_past_commit_is_proposed_with_its_name() {
    let found = learned(
        &[(
            "fn a() { x.load(Old::Kind) }\nfn b() { y.load(Old::Kind) }",
            "fn a() { x.fetch(New::Kind) }\nfn b() { y.fetch(New::Kind) }",
        )],
        "fn c() { z.$0load$1(Old::Kind) }",
        "E0599",
        NO_LOAD,
    );
    let first = found.first().map(String::as_str).unwrap_or_default();
    assert!(first.starts_with("fn c() { z.fetch(New::Kind) }: "), "{found:#?}");
    assert!(first.ends_with("in 2 places by commit c0 \"Subject\""), "{found:#?}");
}

#[test]
fn a_rewrite_of_one_place_is_a_guess() {
    let found = learned(
        &[("fn a() { load(Old::Kind) }", "fn a() { fetch(with(New::Kind)) }")],
        "fn c() { $0load$1(Old::Kind) }",
        "E0425",
        "cannot find function `load` in this scope",
    );
    assert!(found.iter().any(|it| it.contains("fetch(with(New::Kind)) } (guess): ")), "{found:#?}");
}

#[test]
fn commits_that_contradict_each_other_propose_nothing() {
    let ways = [
        ("fn a() { x.load(Old::Kind) }", "fn a() { x.fetch(New::Kind) }"),
        ("fn b() { x.load(Old::Kind) }", "fn b() { x.pull(Other::Way) }"),
    ];
    let now = "fn c() { x.$0load$1(Old::Kind) }";
    assert!(learned(&ways, now, "E0599", NO_LOAD).is_empty());
    // A later commit reverted it.
    let back = [(ways[0].1, ways[0].0), ways[0]];
    assert!(learned(&back, now, "E0599", NO_LOAD).is_empty());
}

#[test]
fn a_name_that_a_past_commit_replaced_follows_it() {
    let found = learned(
        &[(
            "fn a() { crate::old() }\nfn b() { m::old(1) }",
            "fn a() { crate::fresh() }\nfn b() { m::fresh(1) }",
        )],
        "fn c() { n::$0old$1(2, 3) }",
        "E0425",
        "cannot find function `old` in module `n`",
    );
    assert!(found.iter().any(|it| it.starts_with("fn c() { n::fresh(2, 3) }: ")), "{found:#?}");
}

#[test]
fn no_commit_and_no_error_propose_nothing() {
    assert!(learned(&[], "fn c() { $0x$1 }", "E0425", "cannot find value `x`").is_empty());
    assert!(learned(&[("fn a() { x }", "fn a() { y }")], "fn c() { x }", "", "").is_empty());
}
