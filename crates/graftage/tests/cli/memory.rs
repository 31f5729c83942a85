//! Episodic memory: what was done, found by a text, and forgotten.

#![allow(clippy::unwrap_used, reason = "a test that fails ends")]

use testkit::TempProject;

use crate::support::graftage;

const BROKEN: &str = "
//- /src/lib.rs
pub mod names;

/// Half of a number.
pub fn half(n: u32) -> u32 {
    let rest = n;
    rest = rest / 2;
    rest
}
//- /src/names.rs
pub fn greeting() -> String {
    \"hello\".to_owned()
}
";

/// A project with an applied repair and a rejected proposal.
fn project() -> TempProject {
    let project = testkit::crate_project(BROKEN);
    let fixed = graftage(&project, &["fix", "--apply", "--json"]);
    assert_eq!(fixed.json()["outcome"], "applied", "{fixed:#?}");
    let edit = project.beside("requests").join("edit");
    let request = "src/names.rs\n<<<<<<< SEARCH\n    \"hello\".to_owned()\n=======\n    \
                   \"good morning\".to_owned()\n>>>>>>> REPLACE\n";
    std::fs::write(&edit, request).unwrap();
    let edit = edit.display().to_string();
    let proposed =
        graftage(&project, &["edit", "propose", &edit, "--task", "greet politely", "--json"]);
    let id = proposed.json()["proposals"][0]["id"].as_str().unwrap().to_owned();
    let rejected = graftage(&project, &["edit", "reject", &id, "--reason", "too long"]);
    assert_eq!(rejected.status, 0, "{rejected:#?}");
    project
}

fn search(project: &TempProject, text: &str) -> serde_json::Value {
    graftage(project, &["memory", "search", text, "--json"]).json()
}

/// The files with texts of the record.
fn texts(project: &TempProject) -> usize {
    let files = |folder: &std::path::Path| -> Vec<std::path::PathBuf> {
        let mut open = vec![folder.to_owned()];
        let mut found = Vec::new();
        while let Some(at) = open.pop() {
            for entry in std::fs::read_dir(at).into_iter().flatten().flatten() {
                match entry.file_type().unwrap().is_dir() {
                    true => open.push(entry.path()),
                    false => found.push(entry.path()),
                }
            }
        }
        found
    };
    let is_text = |it: &std::path::PathBuf| it.to_string_lossy().contains("/record/texts/");
    files(&project.beside("graftage")).iter().filter(|it| is_text(it)).count()
}

#[test]
fn runs_and_proposals_are_found_by_errors_names_and_tasks() {
    let project = project();
    let found = search(&project, "cannot assign twice");
    let hit = &found["hits"][0];
    assert_eq!((&hit["kind"], &hit["command"]), (&"episode".into(), &"fix".into()), "{found:#}");
    assert_eq!((&hit["outcome"], &hit["stale"]), (&"applied".into(), &false.into()));
    assert_eq!(hit["items"][0]["path"], "half");
    assert!(hit["title"].as_str().unwrap().starts_with("E0384: "), "{hit:#}");
    assert!(!hit["by"].as_array().unwrap().is_empty() && hit["diff"].is_string(), "{hit:#}");
    let found = search(&project, "polite");
    assert_eq!(found["hits"][0]["title"], "greet politely", "{found:#}");
    assert_eq!(found["hits"][0]["outcome"], "rejected");
    assert_eq!(found["hits"][0]["items"][0]["path"], "greeting");
    let newest = graftage(&project, &["memory", "search", "-k", "1"]);
    assert!(newest.stdout.contains("greet politely"), "{newest:#?}");
    let none = graftage(&project, &["memory", "search", "的"]);
    assert_eq!((none.status, none.stdout.as_str()), (1, "nothing found in 2 memories\n"));
}

#[test]
fn a_memory_shows_that_its_change_was_undone_and_its_item_is_gone() {
    let project = project();
    assert_eq!(graftage(&project, &["undo"]).status, 0);
    project.write("src/lib.rs", "pub mod names;\n");
    let hit = search(&project, "E0384")["hits"][0].clone();
    assert_eq!((&hit["outcome"], &hit["stale"]), (&"undone".into(), &true.into()), "{hit:#}");
    assert_eq!(hit["missing"][0]["path"], "half");
}

#[test]
fn what_is_forgotten_is_hidden_and_its_texts_are_removed() {
    let project = project();
    let before = texts(&project);
    let asked = graftage(&project, &["memory", "forget", "--all"]);
    assert_eq!(asked.status, 1);
    assert!(asked.stdout.contains("2 memories would be forgotten; `--yes`"), "{asked:#?}");
    assert_eq!(texts(&project), before);
    let id = search(&project, "greet politely")["hits"][0]["id"].as_str().unwrap().to_owned();
    let forgotten = graftage(&project, &["memory", "forget", &id[..4], "--yes", "--json"]).json();
    assert_eq!(forgotten["forgotten"][0]["title"], "greet politely");
    assert!(texts(&project) < before, "{forgotten:#}");
    assert_eq!(search(&project, "")["searched"], 1);
    let again = graftage(&project, &["memory", "forget", &id, "--yes"]);
    assert_eq!(again.status, 1, "{again:#?}");
    assert!(again.stderr.contains("no memory has the id"), "{again:#?}");

    let forgotten =
        graftage(&project, &["memory", "forget", "--before", "2999-01-01", "--yes", "--json"]);
    let json = forgotten.json();
    assert_eq!((&json["done"], &json["traces"]), (&true.into(), &1.into()), "{json:#}");
    assert!(json["notes"][0].as_str().unwrap().contains("undo journal keeps"), "{json:#}");
    assert_eq!((texts(&project), &search(&project, "")["searched"]), (0, &0.into()));
    // What was written can be undone, and the numbers stay.
    assert_eq!(graftage(&project, &["undo"]).status, 0);
    let stats = graftage(&project, &["stats", "--json"]).json();
    assert_eq!(stats["runs"]["count"], 1);
}
