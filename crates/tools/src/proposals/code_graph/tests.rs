//! Tests of the code graph: rows of changes, and the law that they determine the change.

use std::path::{Path, PathBuf};

use base::{ProjectPath, Timestamp};
use edit::{FileState, Overlay};
use record::{CodeRow, FutureAction, own_text};

use super::CodeGraph;

fn state(text: &str) -> Option<FileState> {
    Some(FileState { text: text.into(), executable: false })
}

fn overlay(states: &[(&str, Option<&str>, Option<&str>)]) -> Overlay {
    let states = states.iter().map(|(path, before, after)| {
        let path = ProjectPath::new(path).unwrap();
        (path, before.and_then(state), after.and_then(state))
    });
    Overlay::from_states("test", Timestamp(1), states.collect())
}

fn rows(overlay: &Overlay) -> Vec<CodeRow> {
    CodeGraph::of_change(overlay, &|path, item, _| {
        (format!("id of {}", item.canon), format!("{path}-{}", item.canon))
    })
}

/// The law: the current texts and the rows give exactly the texts after the change.
#[track_caller]
fn check_law(overlay: &Overlay) -> Vec<CodeRow> {
    let rows = rows(overlay);
    for (path, change) in overlay.changes() {
        let own: Vec<&CodeRow> = rows.iter().filter(|row| row.file == path.as_str()).collect();
        let current = CodeGraph::of_file(path.as_str(), change.before.as_ref());
        assert_eq!(current.applied(&own), change.after, "{path}");
    }
    rows
}

fn shown(rows: &[CodeRow]) -> Vec<String> {
    let text = |code: &Option<Vec<record::Piece>>| {
        code.as_ref().map_or("none".to_owned(), |code| format!("{:?}", own_text(code)))
    };
    let line = |row: &CodeRow| {
        let (now, then) = (text(&row.current), text(&row.future));
        format!("{} {}: {now} -> {then}", row.action.as_str(), row.local)
    };
    rows.iter().map(line).collect()
}

#[test]
fn each_touched_item_has_a_row_and_text_outside_items_is_of_the_file() {
    let before = "use a::b;\n\nfn one() {}\n\nimpl X {\n    fn two() { 2 }\n    fn three() {}\n}\n";
    let after = "use a::c;\n\nfn one() {}\n\nimpl X {\n    fn two() { 3 }\n    fn three() {}\n}\n";
    let rows = check_law(&overlay(&[("src/lib.rs", Some(before), Some(after))]));
    assert_eq!(
        shown(&rows),
        [
            "edit file: \"use a::b;\\n\\n\\n\\n\\n\" -> \"use a::c;\\n\\n\\n\\n\\n\"",
            "edit method X::two: \"fn two() { 2 }\" -> \"fn two() { 3 }\"",
        ]
    );
    assert_eq!((rows[1].id.as_str(), rows[0].key.as_str()), ("id of X::two", "src/lib.rs"));
}

#[test]
fn created_and_removed_items_and_files_have_their_action() {
    let changes = overlay(&[
        ("src/gone.rs", Some("fn gone() {}\n"), None),
        ("src/lib.rs", Some("fn a() {}\nfn b() {}\n"), Some("fn a() {}\nmod m { fn c() {} }\n")),
        ("src/new.rs", None, Some("fn new() {}\n")),
        ("notes.txt", Some("one\n"), Some("two\n")),
    ]);
    let rows = check_law(&changes);
    let actions: Vec<String> = rows
        .iter()
        .map(|row| format!("{} {} {}", row.file, row.action.as_str(), row.local))
        .collect();
    assert_eq!(
        actions,
        [
            "notes.txt edit file",
            "src/gone.rs delete file",
            "src/gone.rs delete function gone",
            "src/lib.rs edit file",
            "src/lib.rs delete function b",
            "src/lib.rs create module m",
            "src/lib.rs create function m::c",
            "src/new.rs create file",
            "src/new.rs create function new",
        ]
    );
}

#[test]
fn an_item_that_moves_within_its_file_changes_the_file_alone() {
    let rows = check_law(&overlay(&[(
        "src/lib.rs",
        Some("fn a() { 1 }\nfn b() { 2 }\n"),
        Some("fn b() { 2 }\nfn a() { 1 }\n"),
    )]));
    assert_eq!(rows.iter().map(|row| row.local.as_str()).collect::<Vec<_>>(), ["file"]);
}

#[test]
fn the_mode_of_a_file_is_of_its_row() {
    let path = ProjectPath::new("run.sh").unwrap();
    let file = |executable| Some(FileState { text: "true\n".into(), executable });
    let states = vec![(path, file(false), file(true))];
    let rows = check_law(&Overlay::from_states("test", Timestamp(1), states));
    assert_eq!((rows[0].action, rows[0].executable), (FutureAction::Edit, true));
}

#[test]
fn tests_and_their_helpers_are_classified() {
    let text = "#[cfg(test)]\nmod tests {\n    fn helper() {}\n    #[test]\n    fn works() {}\n}\n";
    let rows = check_law(&overlay(&[("src/lib.rs", None, Some(text))]));
    let class = |local: &str| {
        let row = rows.iter().find(|row| row.local == local).unwrap();
        row.tdd_classification.as_str()
    };
    assert_eq!(class("function tests::works"), "test");
    assert_eq!(class("function tests::helper"), "test_helper");
    assert_eq!(class("file"), "production");
}

/// A small random generator: the same numbers in every run.
struct Chance(u64);

impl Chance {
    fn below(&mut self, n: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n.max(1)
    }
}

/// A position in a text, between characters.
fn position(text: &str, chance: &mut Chance) -> usize {
    let mut at = chance.below(text.len() + 1);
    while !text.is_char_boundary(at) {
        at += 1;
    }
    at
}

/// Removes, repeats, moves or inserts some text; often that does not parse.
fn mutated(text: &str, chance: &mut Chance) -> String {
    let (a, b) = (position(text, chance), position(text, chance));
    let (start, end) = (a.min(b), a.max(b));
    let (head, part, tail) = (&text[..start], &text[start..end], &text[end..]);
    match chance.below(5) {
        0 => format!("{head}{tail}"),
        1 => format!("{head}{part}{part}{tail}"),
        2 => format!("{tail}{part}{head}"),
        3 => format!("{head}}}\nfn new() {{ {{\n{part}{tail}"),
        _ => format!("{head}\nimpl New {{ fn f() {{}} fn f() {{}} }}\n{part}{tail}"),
    }
}

/// `rounds` mutations of each text; returns the number of rows.
fn mutate(texts: &[String], rounds: usize) -> usize {
    let mut chance = Chance(11);
    let mut found = 0;
    for text in texts {
        for _ in 0..rounds {
            let after = mutated(text, &mut chance);
            found += check_law(&overlay(&[("src/lib.rs", Some(text), Some(&after))])).len();
            found += check_law(&overlay(&[("src/lib.rs", Some(&after), Some(text))])).len();
        }
    }
    found
}

fn sources(folder: &Path, into: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = std::fs::read_dir(folder)
        .map(|listing| listing.flatten().map(|entry| entry.path()).collect())
        .unwrap_or_default();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            sources(&path, into);
        } else if path.extension().is_some_and(|it| it == "rs") {
            into.push(path);
        }
    }
}

#[test]
fn the_rows_of_random_changes_give_the_changed_text() {
    let mut files = Vec::new();
    sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut files);
    let texts: Vec<String> =
        files.iter().step_by(9).map(|path| std::fs::read_to_string(path).unwrap()).collect();
    let rows = mutate(&texts, 6);
    assert!(rows > 500, "{rows}");
}

/// Uses the crates that this one was built from.
#[test]
#[allow(clippy::disallowed_methods, reason = "the test looks for published crates")]
fn the_rows_of_random_changes_of_published_crates_give_the_changed_text() {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cargo")));
    let mut crates = Vec::new();
    let registries = std::fs::read_dir(home.unwrap_or_default().join("registry/src"));
    for registry in registries.into_iter().flatten().flatten() {
        let names = ["serde-1", "toml-1", "thiserror-2", "rustix-1", "syn-2", "ignore-0"];
        let listing = std::fs::read_dir(registry.path()).into_iter().flatten().flatten();
        crates.extend(listing.map(|entry| entry.path()).filter(|path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            names.iter().any(|it| name.starts_with(it))
        }));
    }
    crates.sort();
    let mut files = Vec::new();
    crates.iter().for_each(|path| sources(path, &mut files));
    let most = std::env::var("GRAFTAGE_TEST_FILES").ok().and_then(|it| it.parse().ok());
    let every = (files.len() / most.unwrap_or(30)).max(1);
    let texts: Vec<String> = files
        .iter()
        .step_by(every)
        .filter_map(|path| std::fs::read_to_string(path).ok())
        .filter(|text| text.len() < 200_000)
        .collect();
    mutate(&texts, 4);
}
