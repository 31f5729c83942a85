//! Features from the commit history and from scopes.

use graftage_search::{HistoryIndex, Intent, Query, Searcher, Weights, features};

use crate::fixture::{Project, demo};

/// Messages and files, the last commit first.
const COMMITS: [(&str, &[&str]); 4] = [
    ("Wait longer for slow peers", &["src/net/tcp.rs"]),
    ("Do not stall when the disk is full", &["src/fs.rs"]),
    ("Share handles between sockets and files", &["src/fs.rs", "src/net/tcp.rs"]),
    ("Move to another name", &["src/gone.rs"]),
];

/// Values of a feature by name of the item, under weights that ask for it.
fn values(feature: &str, text: &str, past: Option<&HistoryIndex>) -> Vec<(String, f32)> {
    let project = Project::new(&demo());
    let mut weights = Weights::manual(Some(Intent::Locate));
    weights.set(feature, 0.5);
    let index = project.index();
    let searcher =
        Searcher { past, weights: Some(&weights), ..Searcher::new(&project.map, &index) };
    let query = Query { explain: true, ..Query::new(text, 50) };
    let answer = searcher.search(&query);
    assert_eq!(answer, searcher.search(&query), "the same again");
    let named = answer.hits.iter().filter_map(|hit| {
        let name = project.map.item(hit.item)?.name().into_owned();
        Some((name, hit.scores.get(feature).copied()?))
    });
    named.collect()
}

fn of(values: &[(String, f32)], name: &str) -> f32 {
    values.iter().find(|(own, _)| own == name).map_or(-1.0, |(_, value)| *value)
}

#[test]
fn similar_commit_messages_rank_their_files_higher() {
    let project = Project::new(&demo());
    let past = HistoryIndex::new(&project.map, COMMITS);
    assert_eq!(past.len(), 3, "of files that are gone nothing is known");
    let text = "the disk is full: removes a directory, opens a connection, evict";
    let found = values("past_alike", text, Some(&past));
    assert_eq!(of(&found, "remove_dir_all"), 1.0);
    assert!(of(&found, "connect") < 1.0 && of(&found, "evict_oldest") == 0.0, "{found:?}");
    let found = values("past_alike", text, None);
    assert_eq!(of(&found, "remove_dir_all"), 0.0);
}

#[test]
fn files_that_changed_together_rank_each_other_higher() {
    let project = Project::new(&demo());
    let past = HistoryIndex::new(&project.map, COMMITS);
    let found = values("past_together", "removes a directory, connection, evict", Some(&past));
    assert!(of(&found, "connect") > 0.0 && of(&found, "evict_oldest") == 0.0, "{found:?}");
}

#[test]
fn recently_changed_files_rank_higher() {
    let project = Project::new(&demo());
    let past = HistoryIndex::new(&project.map, COMMITS);
    let found = values("recent", "directory connection evict", Some(&past));
    let [new, old, never] = ["connect", "remove_dir_all", "evict_oldest"].map(|it| of(&found, it));
    assert!(new == 1.0 && old < new && old > 0.0 && never == 0.0, "{found:?}");
}

#[test]
fn an_empty_history_scores_nothing() {
    let project = Project::new(&demo());
    let none: [(&str, &[&str]); 0] = [];
    assert!(HistoryIndex::new(&project.map, none).is_empty());
    assert_eq!(HistoryIndex::new(&project.map, [("", &["src/fs.rs"][..])]).len(), 1);
}

#[test]
fn words_of_the_scope_count_by_rarity() {
    let found = values("scope_words", "cache", None);
    assert_eq!(of(&found, "lookup"), 1.0);
    assert!(features().any(|feature| feature.name == "scope_words"));
}
