use super::support::graftage;

fn project() -> testkit::TempProject {
    testkit::crate_project(
        "
//- /src/lib.rs
#![deny(warnings)]
pub mod scan;
pub mod text;
//- /src/text.rs
//! Texts.
use std::collections::BTreeMap;
use std::fmt::Write;

/// Counts words.
pub struct Counter {
    seen: BTreeMap<String, usize>,
}

impl Counter {
    /// None yet.
    /// ```
    /// assert_eq!(fixture::text::Counter::new().shown(), \"\");
    /// ```
    pub fn new() -> Self {
        Self { seen: BTreeMap::new() }
    }

    fn add(&mut self, word: &str) {
        *self.seen.entry(lower(word)).or_default() += 1;
    }

    // All of them.
    pub fn shown(&self) -> String {
        let mut text = String::new();
        for (word, count) in &self.seen {
            write!(text, \"{word}{count}\").unwrap();
        }
        text
    }
}

impl Default for Counter {
    fn default() -> Self {
        super::text::Counter::new()
    }
}

fn lower(word: &str) -> String {
    word.to_lowercase()
}

pub fn count(text: &str) -> Counter {
    let mut counter = Counter::new();
    text.split(' ').for_each(|it| counter.add(it));
    counter
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_counted() {
        let counter: Counter = count(\"a B b\");
        assert_eq!(counter.seen.len(), 2);
    }
}
//- /src/scan.rs
use crate::text::Counter;

pub fn scan() -> Counter {
    crate::text::count(\"x\")
}
//- /tests/it.rs
use fixture::text::{count, Counter};

#[test]
fn texts() {
    let counter: Counter = count(\"b a\");
    assert_eq!(counter.shown(), \"a1b1\");
}
",
    )
}

const FILES: [&str; 3] = ["src/scan.rs", "src/text.rs", "tests/it.rs"];

#[test]
fn a_type_moves_with_its_impls_and_everything_that_names_it() {
    let project = project();
    let before = FILES.map(|it| project.read(it));
    let dry = graftage(&project, &["refactor", "move", "Counter", "crate::scan", "--json"]);
    let json = dry.json();
    assert_eq!(json["outcome"], "proven", "{json:#}");
    assert_eq!(json["intents"][0]["what"], "moved", "{json:#}");
    assert_eq!(FILES.map(|it| project.read(it)), before);
    let args =
        ["refactor", "move", "Counter", "src/scan.rs", "--tests", "all", "--apply", "--json"];
    let result = graftage(&project, &args);
    assert_eq!(result.json()["outcome"], "applied", "{result:#?}");
    let [scan, text, test] = FILES.map(|it| project.read(it));
    assert!(test.contains("use fixture::scan::Counter;\nuse fixture::text::count;"), "{test}");
    assert!(text.contains("pub use crate::scan::Counter;"), "{text}");
    assert!(text.contains("pub(crate) fn lower(word"), "{text}");
    assert!(!text.contains("BTreeMap") && !text.contains("Write"), "{text}");
    assert!(scan.contains("use crate::text::lower;\nuse std::collections::BTreeMap;\n"), "{scan}");
    assert!(scan.contains("use std::fmt::Write;") && !scan.contains("use crate::text::Counter"));
    assert!(scan.contains("    pub(crate) fn add(&mut self"), "{scan}");
    assert!(scan.contains("    pub(crate) seen: BTreeMap<String, usize>,"), "{scan}");
    assert!(scan.contains("    // All of them.\n    pub fn shown"), "{scan}");
    let undone = graftage(&project, &["undo"]);
    assert_eq!(undone.status, 0, "{undone:#?}");
    assert_eq!(FILES.map(|it| project.read(it)), before);
}

#[test]
fn what_cannot_move_is_refused_with_the_reason() {
    let project = project();
    let refused = |item: &str, to: &str| {
        let result = graftage(&project, &["refactor", "move", item, to]);
        assert_eq!(result.status, 1, "{result:#?}");
        result.stderr
    };
    assert!(refused("Counter::add", "scan").contains("no members"));
    assert!(refused("count", "text").contains("it is in `crate::text` already"));
    assert!(
        refused("count", "parse").contains("the modules of its crate are `crate`, `crate::scan`")
    );
    assert!(refused("words_are_counted", "scan").contains("is compiled under `#[cfg(test)]`"));
}
