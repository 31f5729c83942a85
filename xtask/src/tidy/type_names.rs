//! Workspace rule about the names of types: no two crates define a public type of the same name, so that
//! a name in a search, a diagnostic or a review means one type. Re-exports and constants are no
//! definitions. A type that is `pub` is exported: rustc's `unreachable_pub` reports any other.

use std::collections::BTreeMap;

use super::public_items::{Item, Kind, public_items};
use super::{Report, sources};

/// Reports the public types whose names are in two crates.
pub(super) fn inspect(files: &[sources::File], report: &mut Report) {
    report.problems.extend(problems(files));
}

fn problems(files: &[sources::File]) -> Vec<String> {
    let mut first: BTreeMap<String, Item> = BTreeMap::new();
    let mut problems = Vec::new();
    for file in files.iter().filter(|file| is_library(file)) {
        let items = public_items(&file.path, &file.source).into_iter();
        for item in items.filter(|item| item.kind == Kind::Type && !item.is_member) {
            let Some(other) = first.get(&item.name) else {
                first.insert(item.name.clone(), item);
                continue;
            };
            if krate(&other.path) != krate(&item.path) {
                let Item { path, line, name, .. } = &item;
                problems.push(format!(
                    "{path}:{line}: a public type `{name}` is also at {}:{}: rename one, so that each \
                     name describes its type",
                    other.path, other.line
                ));
            }
        }
    }
    problems
}

/// Whether a file is part of a library, outside of its tests.
fn is_library(file: &sources::File) -> bool {
    let mut parts = file.path.split('/');
    let is_source = parts.next() == Some("crates") && parts.nth(1) == Some("src");
    is_source && !file.is_test && !matches!(parts.next(), Some("main.rs" | "bin"))
}

/// The folder of the crate of a file.
fn krate(path: &str) -> Option<&str> {
    path.split('/').nth(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::source::Source;

    fn found(files: &[(&str, &str)]) -> Vec<String> {
        let file = |(path, text): &(&str, &str)| sources::File {
            path: format!("crates/{path}"),
            text: (*text).to_owned(),
            source: Source::parse(text),
            is_test: path.contains("/tests/"),
        };
        problems(&files.iter().map(file).collect::<Vec<_>>())
    }

    #[test]
    fn a_public_type_of_two_crates_is_reported_with_both_places() {
        let edit = "pub struct Plan;\npub enum Side {}\npub trait Read {}\npub type Map = ();\n";
        let tools =
            "\npub enum Plan {}\npub struct Side {}\npub type Read = ();\npub trait Map {}\n";
        let line = |at: usize, name: &str| {
            format!(
                "crates/tools/src/b.rs:{}: a public type `{name}` is also at crates/edit/src/a.rs:{at}: \
                 rename one, so that each name describes its type",
                at + 1
            )
        };
        assert_eq!(
            found(&[("edit/src/a.rs", edit), ("tools/src/b.rs", tools)]),
            [line(1, "Plan"), line(2, "Side"), line(3, "Read"), line(4, "Map")]
        );
    }

    #[test]
    fn what_no_other_crate_can_import_may_share_a_name() {
        let edit = ("edit/src/lib.rs", "pub struct Plan;\npub const LIMIT: u8 = 1;\n");
        let private =
            "pub(crate) struct Plan;\nstruct Plan;\nimpl A {\n    pub type Plan = u8;\n}\n";
        let test = "#[cfg(test)]\nmod tests {\n    pub struct Plan;\n}\n";
        assert_eq!(
            found(&[
                edit,
                ("edit/src/a.rs", "pub struct Plan;\n"),
                ("tools/src/lib.rs", "pub use edit::Plan;\npub const LIMIT: u8 = 1;\n"),
                ("tools/src/a.rs", private),
                ("tools/src/b.rs", test),
                ("tools/src/bin/probe.rs", "pub struct Plan;\n"),
                ("tools/tests/it.rs", "pub struct Plan;\n"),
            ]),
            [""; 0]
        );
    }
}
