use base::SortedSet;

use graftage_search::{
    CountTokens, Detail, PackRequest, Packed, Query, Searcher, SnippetRole, Stages, UpperBound,
    pack,
};
use proptest::prelude::*;

use crate::fixture::{Fun, Project, demo, fun};
use crate::index::funs;

fn packed_at(project: &Project, budget: usize) -> Packed {
    packed(project, "cache entry", budget, &UpperBound)
}

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
    pack(&PackRequest {
        task: text,
        map,
        hits,
        texts: project,
        counter,
        budget,
        reserve: budget / 10,
    })
}

#[test]
fn the_best_hit_is_shown_whole_if_the_budget_allows() {
    let project = Project::new(&demo());
    let packed = packed(&project, "read a whole file into a string", 4_000, &UpperBound);
    let expected = "=== src/fs.rs\n// 1: matches read, string\n/// Reads a whole file into a \
                    string.\npub fn read_to_string() {\n    let mut file = open(path); \
                    file.read_all()\n}\n";
    assert!(packed.text.starts_with(expected), "{}", packed.text);
}

#[test]
fn the_best_hit_is_whole_before_others_are_listed() {
    let project = Project::new(&demo());
    // Half of what is left is enough for the code of the best hit, without its doc comment.
    let packed = packed(&project, "lookup", 125, &UpperBound);
    let best = packed.snippets.iter().find(|it| it.hit == 0).unwrap();
    assert!(best.detail >= Detail::Code, "{}", packed.text);
    assert!(packed.text.contains("self.entries.iter().find(key)"), "{}", packed.text);
}

#[test]
fn a_small_budget_shows_names() {
    let project = Project::new(&demo());
    let packed = packed(&project, "cache entry", 44, &UpperBound);
    assert!(packed.snippets.iter().all(|snippet| snippet.detail <= Detail::SignatureAndDoc));
    let is_listed =
        |budget| packed_at(&project, budget).snippets.iter().any(|it| it.detail == Detail::Name);
    assert!((100..300).step_by(10).any(is_listed));
}

#[test]
fn each_part_has_its_reason_and_what_is_asked_is_first() {
    let calls = |path, body, name| Fun { calls: vec![name], ..fun(path, "", body) };
    let project = Project::new(&[
        calls("src/addr.rs::connect", "parse_zone(host)", "parse_zone"),
        calls("src/addr.rs::parse_zone", "cut(text)", "cut"),
        calls("src/addr.rs::test_percent", "parse_zone(\"a%1\")", "parse_zone"),
        fun("src/text.rs::cut", "", "text.split('%')"),
        fun("src/zone.rs::Zone::index", "", "self.index"),
    ]);
    let packed = packed(&project, "`parse_zone` fails for a zone", 4_000, &UpperBound);
    let parts = "\
=== src/addr.rs
// 5: named in the task
pub fn parse_zone() {
    cut(text)
}

=== src/zone.rs
// 1: matches zone
impl Zone {
    pub fn index() {
        self.index
    }

}

=== src/text.rs
// 1: called by parse_zone
pub fn cut() {
    text.split('%')
}

=== src/addr.rs
// 1: calls parse_zone
pub fn connect() {
    parse_zone(host)
}
// 9: test of parse_zone
pub fn test_percent() {
    parse_zone(\"a%1\")
}
";
    assert_eq!(packed.text, parts);
    let roles: Vec<SnippetRole> = packed.snippets.iter().map(|it| it.role).collect();
    assert!(roles.is_sorted(), "{roles:?}");
}

#[test]
fn a_line_in_the_task_is_a_reason() {
    let project = Project::new(&demo());
    let packed = packed(&project, "panicked at src/fs.rs:3:5:\nno such file", 4_000, &UpperBound);
    assert!(
        packed.text.starts_with("=== src/fs.rs\n// 1: at a line in the task\n"),
        "{}",
        packed.text
    );
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
        let hits: SortedSet<usize> = packed.snippets.iter().map(|snippet| snippet.hit).collect();
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
