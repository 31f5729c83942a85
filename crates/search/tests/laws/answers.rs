use base::SortedSet;

use graftage_search::{Focus, Intent, Query, QueryKind, RankedHits, Searcher, Skipped, Stages};

use crate::fixture::{Project, demo};

fn ask(project: &Project, query: &Query) -> RankedHits {
    Searcher::new(&project.map, &project.index()).search(query)
}

fn names(project: &Project, answer: &RankedHits) -> Vec<String> {
    let items = answer.hits.iter().filter_map(|hit| project.map.item(hit.item));
    items.map(|item| item.name().into_owned()).collect()
}

fn first(text: &str) -> String {
    let project = Project::new(&demo());
    let answer = ask(&project, &Query::new(text, 5));
    names(&project, &answer).first().cloned().unwrap_or_default()
}

#[test]
fn words_find_what_they_describe() {
    assert_eq!(first("read a file into a string"), "read_to_string");
    assert_eq!(first("drop the entry that was used least recently"), "evict_oldest");
    assert_eq!(first("opens connections to some remote host"), "connect");
}

#[test]
fn names_paths_and_lines_find_their_items() {
    assert_eq!(first("TcpStream::connect"), "connect");
    assert_eq!(first("panicked at src/cache.rs:2:5:\nindex out of bounds"), "evict_oldest");
    assert_eq!(
        first("@@ -2,1 +2,1 @@ x\ndiff --git a/src/fs.rs b/src/fs.rs\n@@ -2,1 +2,1 @@\n-a"),
        "read_to_string"
    );
}

#[test]
fn names_are_found_in_another_case_and_with_one_typing_error() {
    for name in
        ["read_to_string", "readtostring", "ReadToString", "reed_to_string", "raed_to_string"]
    {
        assert_eq!(first(name), "read_to_string", "{name}");
    }
}

#[test]
fn paths_and_globs_find_their_files() {
    let project = Project::new(&demo());
    let files = |text: &str| -> Vec<String> {
        let answer = ask(&project, &Query::new(text, 9));
        assert_eq!(answer.kind, QueryKind::Path, "{text}");
        let files = answer.files.iter().filter_map(|hit| project.map.file(hit.file));
        files.map(|file| file.path.to_owned()).collect()
    };
    for text in ["src/cache.rs", "./src/cache", "src/ca*.rs", "src/ca*", "s*/cache"] {
        assert_eq!(files(text).first().map(String::as_str), Some("src/cache.rs"), "{text}");
    }
    let mut both = files("cache.rs");
    both.truncate(2);
    both.sort_unstable();
    assert_eq!(both, ["src/cache.rs", "tests/cache.rs"]);
}

#[test]
fn the_kind_of_the_text_is_detected() {
    let project = Project::new(&demo());
    let kind = |text: &str| ask(&project, &Query::new(text, 5)).kind;
    assert_eq!(kind("Cache::lookup"), QueryKind::Symbol);
    assert_eq!(kind("src/fs"), QueryKind::Path);
    assert_eq!(kind("and/or"), QueryKind::Path);
    assert_eq!(kind("read and/or write"), QueryKind::Prose);
    assert_eq!(kind("error[E0308]: mismatched types\n --> src/fs.rs:2:1"), QueryKind::ErrorText);
}

#[test]
fn tests_rank_below_the_tested_code() {
    let project = Project::new(&demo());
    let query = Query { intent: Some(Intent::Locate), ..Query::new("cache insert entry", 9) };
    let found = names(&project, &ask(&project, &query));
    let rank = |name: &str| found.iter().position(|found| found == name);
    assert!(rank("insert_entry") < rank("cache_drops_oldest"), "{found:?}");
}

#[test]
fn neighbours_of_the_best_are_found_without_a_word_of_the_query() {
    let project = Project::new(&demo());
    let with = ask(&project, &Query::new("TcpStream connect remote", 9));
    assert!(names(&project, &with).contains(&"open_socket".to_owned()));
    let step = with
        .hits
        .iter()
        .find(|hit| project.map.item(hit.item).is_some_and(|item| item.name() == "open_socket"));
    assert!(!step.unwrap().path.is_empty());
}

#[test]
fn a_focus_prunes_to_what_is_near() {
    let project = Project::new(&demo());
    let file = project.map.file_by_path("src/cache.rs").unwrap();
    let focus = Focus { files: vec![file], prune: true, ..Focus::default() };
    let query = Query { focus: Some(focus), ..Query::new("connect entries", 9) };
    let answer = ask(&project, &query);
    assert!(answer.hits.iter().all(|hit| hit.scores.contains_key("graph")));
    assert!(!answer.hits.is_empty());
}

#[test]
fn every_hit_is_unique_and_explained() {
    let project = Project::new(&demo());
    let query =
        Query { explain: true, stages: Stages::CONTEXT, ..Query::new("cache entry file", 50) };
    let answer = ask(&project, &query);
    let items: SortedSet<u32> = answer.hits.iter().map(|hit| hit.item).collect();
    assert_eq!(items.len(), answer.hits.len());
    assert!(answer.hits.iter().enumerate().all(|(at, hit)| hit.rank == at + 1));
    for hit in &answer.hits {
        assert!(graftage_search::features().all(|feature| hit.scores.contains_key(feature.name)));
    }
    let files: SortedSet<u32> = answer.files.iter().map(|hit| hit.file).collect();
    assert_eq!(files.len(), answer.files.len());
}

#[test]
fn absent_stages_are_skipped_and_reported() {
    let project = Project::new(&demo());
    let answer = ask(&project, &Query::new("cache", 5));
    let skipped = |name: &str| {
        answer.stages.iter().find(|stage| stage.name == name).and_then(|s| s.skipped_because)
    };
    assert_eq!(skipped("vectors"), Some(Skipped::NoEncoder));
    assert_eq!(skipped("rerank"), Some(Skipped::NoReranker));
    assert_eq!(skipped("words"), None);
    assert!(answer.complete);
}

#[test]
fn an_empty_query_finds_nothing() {
    let project = Project::new(&demo());
    for text in ["", "   ", "the of", "zzzz", "\u{0}", "@@", "::", "`"] {
        let answer = ask(&project, &Query::new(text, 5));
        assert!(answer.hits.is_empty(), "{text:?}");
    }
    assert!(ask(&project, &Query::new("cache", 0)).hits.is_empty());
}

#[test]
fn the_same_query_has_the_same_answer() {
    let project = Project::new(&demo());
    let index = project.index();
    let searcher = Searcher::new(&project.map, &index);
    let query = Query::new("entry of the cache", 9);
    let before = searcher.search(&query);
    searcher.search(&Query::new("another one, socket", 9));
    assert_eq!(searcher.search(&query), before);
}
