use std::collections::BTreeSet;

use graftage_search::{
    CountTokens, Detail, PackRequest, Packed, Query, Searcher, Stages, UpperBound, pack,
};
use proptest::prelude::*;

use crate::fixture::{Project, demo};
use crate::index::funs;

/// A counter that is not additive: blocks of four characters, plus one per line.
struct Odd;

impl CountTokens for Odd {
    fn count(&self, text: &str) -> usize {
        text.chars().count().div_ceil(4) + text.lines().count().pow(2) / 50
    }
}

fn packed(project: &Project, text: &str, budget: usize, counter: &dyn CountTokens) -> Packed {
    let index = project.index();
    let query = Query { stages: Stages::CONTEXT, ..Query::new(text, 30) };
    let answer = Searcher::new(&project.map, &index).search(&query);
    let (map, hits) = (&project.map, answer.hits.as_slice());
    pack(&PackRequest { map, hits, texts: project, counter, budget, reserve: budget / 10 })
}

#[test]
fn the_best_hit_is_shown_whole_if_the_budget_allows() {
    let project = Project::new(&demo());
    let packed = packed(&project, "read a whole file into a string", 4_000, &UpperBound);
    assert!(packed.text.contains("let mut file = open(path); file.read_all()"), "{}", packed.text);
    assert!(packed.text.contains("=== src/fs.rs\n@ 1-4\n"), "{}", packed.text);
}

#[test]
fn a_small_budget_shows_names() {
    let project = Project::new(&demo());
    let packed = packed(&project, "cache entry", 70, &UpperBound);
    assert!(packed.snippets.iter().all(|snippet| snippet.detail <= Detail::SignatureAndDoc));
    assert!(!packed.text.is_empty());
}

#[test]
fn adjacent_items_are_merged() {
    let project = Project::new(&demo());
    let packed = packed(&project, "read file remove directory entries", 9_000, &UpperBound);
    let part = packed.text.split("=== ").find(|part| part.starts_with("src/fs.rs")).unwrap();
    assert_eq!(part.matches("@ ").count(), 1, "{part}");
}

#[test]
fn an_empty_budget_shows_nothing() {
    let project = Project::new(&demo());
    assert_eq!(packed(&project, "cache entry", 0, &UpperBound), Packed::default());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_budget_is_never_exceeded(funs in funs(), budget in 0usize..3_000, is_odd in any::<bool>()) {
        let project = Project::new(&funs);
        let counter: &dyn CountTokens = if is_odd { &Odd } else { &UpperBound };
        let text: String = funs.iter().take(4).map(|fun| format!("{} {} ", fun.name, fun.doc)).collect();
        let packed = packed(&project, &text, budget, counter);
        prop_assert!(packed.tokens <= budget - budget / 10);
        prop_assert_eq!(packed.tokens, counter.count(&packed.text));
        let hits: BTreeSet<usize> = packed.snippets.iter().map(|snippet| snippet.hit).collect();
        prop_assert_eq!(hits.len(), packed.snippets.len());
        for snippet in &packed.snippets {
            prop_assert!(snippet.start_line <= snippet.end_line);
        }
    }

    #[test]
    fn no_token_is_shorter_than_a_byte(text in any::<String>()) {
        let count = graftage_search::count_tokens_in_code(&text);
        prop_assert!(count <= text.len());
        prop_assert_eq!(count == 0, text.is_empty());
    }
}
