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

/// The first hit that is no skill.
fn episode(found: &serde_json::Value) -> serde_json::Value {
    let mut hits = found["hits"].as_array().unwrap().iter();
    hits.find(|it| it["kind"] == "episode").unwrap().clone()
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
    let hit = episode(&found);
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
    assert_eq!((none.status, none.stdout.as_str()), (1, "nothing found in 3 memories\n"));
}

#[test]
fn a_memory_shows_that_its_change_was_undone_and_its_item_is_gone() {
    let project = project();
    assert_eq!(graftage(&project, &["undo"]).status, 0);
    project.write("src/lib.rs", "pub mod names;\n");
    let hit = episode(&search(&project, "E0384"));
    assert_eq!((&hit["outcome"], &hit["stale"]), (&"undone".into(), &true.into()), "{hit:#}");
    assert_eq!(hit["missing"][0]["path"], "half");
}

#[test]
fn what_is_forgotten_is_hidden_and_its_texts_are_removed() {
    let project = project();
    let before = texts(&project);
    let asked = graftage(&project, &["memory", "forget", "--all"]);
    assert_eq!(asked.status, 1);
    assert!(asked.stdout.contains("3 memories would be forgotten; `--yes`"), "{asked:#?}");
    assert_eq!(texts(&project), before);
    let id = search(&project, "greet politely")["hits"][0]["id"].as_str().unwrap().to_owned();
    let forgotten = graftage(&project, &["memory", "forget", &id[..4], "--yes", "--json"]).json();
    assert_eq!(forgotten["forgotten"][0]["title"], "greet politely");
    assert!(texts(&project) < before, "{forgotten:#}");
    assert_eq!(search(&project, "")["searched"], 2);
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

/// Lengths are made of numbers by a function that no rule can know.
const LENGTHS: &str = "
//- /src/lib.rs
pub mod length {
    pub enum Unit {
        Metre,
        Mile,
    }

    pub struct Length(f64);

    impl Length {
        pub fn twice(&self) -> f64 {
            self.0 * 2.0
        }
    }

    pub fn length_in(value: f64, unit: Unit) -> Length {
        match unit {
            Unit::Metre => Length(value),
            Unit::Mile => Length(value * 1609.0),
        }
    }
}

pub use length::{Length, Unit, length_in};

pub fn doubled(length: Length) -> f64 {
    length.twice()
}

pub fn first(value: f64) -> f64 {
    doubled(value)
}

#[test]
fn first_is_doubled() {
    assert_eq!(first(2.0), 4.0);
}
";

/// A function with the same fault, and with a test or without one.
fn fault(project: &TempProject, name: &str, tested: bool) {
    let mut text = project.read("src/lib.rs");
    text.push_str(&format!(
        "\npub fn {name}(parts: &[f64]) -> f64 {{\n    doubled(parts[0] + 1.0)\n}}\n"
    ));
    if tested {
        text.push_str(&format!(
            "\n#[test]\nfn {name}_is_doubled() {{\n    assert_eq!({name}(&[2.0]), 6.0);\n}}\n"
        ));
    }
    project.write("src/lib.rs", text);
}

#[test]
fn a_skill_is_mined_from_an_accepted_edit_and_proven_on_another_fault() {
    let project = testkit::crate_project(LENGTHS);
    let before = graftage(&project, &["fix", "--json", "--config", "fix.analyzer=never"]);
    assert_eq!(before.json()["outcome"], "draft", "{before:#?}");
    let edit = project.beside("requests").join("edit");
    let request = "src/lib.rs\n<<<<<<< SEARCH\n    doubled(value)\n=======\n    \
                   doubled(length_in(value, Unit::Metre))\n>>>>>>> REPLACE\n";
    std::fs::write(&edit, request).unwrap();
    let applied = graftage(&project, &["edit", "apply", &edit.display().to_string()]);
    assert_eq!(applied.status, 0, "{applied:#?}");
    let skill = search(&project, "length_in")["hits"].as_array().unwrap().clone();
    let skill = skill.iter().find(|it| it["kind"] == "skill").unwrap().clone();
    assert_eq!(skill["outcome"], "seen once");
    assert_eq!(skill["rationale"][0], "`length_in(_, Unit::Metre)` for `_`", "{skill:#}");

    // Seen once it is a guess, which a test must cover.
    fault(&project, "second", false);
    let draft = graftage(&project, &["fix", "--json", "--config", "fix.analyzer=never"]).json();
    assert_eq!(draft["outcome"], "draft", "{draft:#}");
    project
        .write("src/lib.rs", project.read("src/lib.rs").split("\npub fn second").next().unwrap());
    fault(&project, "second", true);
    let fixed = graftage(&project, &["fix", "--apply", "--json"]).json();
    assert_eq!((&fixed["outcome"], &fixed["rules"][0]), (&"applied".into(), &"learned".into()));

    // Proven in two places it is no guess any more.
    fault(&project, "third", false);
    let fixed = graftage(&project, &["fix", "--apply", "--json"]).json();
    assert_eq!(fixed["outcome"], "applied", "{fixed:#}");
    let diff = fixed["diff"].as_str().unwrap();
    assert!(diff.contains("+    doubled(length_in(parts[0] + 1.0, Unit::Metre))"), "{diff}");

    // What was forgotten is not used.
    let id = skill["id"].as_str().unwrap();
    assert_eq!(graftage(&project, &["memory", "forget", id, "--yes"]).status, 0);
    fault(&project, "fourth", true);
    let without = graftage(&project, &["fix", "--json", "--config", "fix.analyzer=never"]);
    assert_eq!(without.json()["outcome"], "draft", "{without:#?}");
}

#[test]
fn rules_skills_and_episodes_are_rows_that_follow_the_files() {
    let project = project();
    project.write("AGENTS.md", "# House\n\nRead [how to name things](docs/names.md) first.\n");
    project.write("docs/names.md", "# Names\n\nShort.\n");
    project.write("src/AGENTS.md", "No unsafe here.\n");
    let skill = "---\nname: greet\ndescription: How to greet.\n---\nSay hello.\n";
    project.write(".agents/skills/greet/SKILL.md", skill);
    project.write(".agents/skills/greet/references/more.md", "More.\n");
    let rows =
        |script: &str| graftage(&project, &["query", script, "--json"]).json()["rows"].clone();
    let rules = "?[path, tier] := *rules{path, tier} :order path";
    let expected = serde_json::json!([
        ["AGENTS.md", "root"],
        ["docs/names.md", "reference"],
        ["src/AGENTS.md", "nested"],
    ]);
    assert_eq!(rows(rules), expected);
    let links =
        "?[display_text, line_number, content] := *rule_references{source_path: 'AGENTS.md',
        relative_path, display_text, line_number}, *rules{path: relative_path, content}";
    let expected = serde_json::json!([["how to name things", 3, "# Names\n\nShort.\n"]]);
    assert_eq!(rows(links), expected);
    let skills = "?[name, trusted, path] := *skills{name, trusted},
        *skill_references{skill: name, path}";
    assert_eq!(rows(skills), serde_json::json!([["greet", false, "references/more.md"]]));
    // What was done where a rule applies.
    let episodes = "?[command, outcome, kind] := *episodes{command, outcome, kind, files},
        file in files, starts_with(file, 'src/') :order command";
    let expected =
        serde_json::json!([["edit", "rejected", "episode"], ["fix", "applied", "episode"]]);
    assert_eq!(rows(episodes), expected);
    project.write("docs/names.md", "# Names\n\nLong.\n");
    project.remove("src/AGENTS.md");
    let texts = "?[path, content] := *rules{path, content, tier}, tier != 'root' :order path";
    assert_eq!(rows(texts), serde_json::json!([["docs/names.md", "# Names\n\nLong.\n"]]));
}
