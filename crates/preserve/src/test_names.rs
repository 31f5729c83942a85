//! [`TestNames`]: names that a change gives an item, and that tests of unchanged files may use for something
//! else. The caller looks them up in the tree ([`TestNames::used`]), and the comparison refuses those that it
//! found.

use base::{ProjectPath, SortedSet};
use edit::Overlay;

use crate::dependency_sources;
use crate::imports::{imported_by, last_name};
use crate::layout::{Layout, is_test_path};
use crate::outline::{ElementKind, Outline};
use crate::toml_text::TomlText;
use crate::trait_methods::Traits;

/// Names that a change adds to or takes from what tests see.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TestNames {
    /// Methods of traits that a change adds.
    pub methods: SortedSet<String>,
    /// Modules, imports and crates that a change adds, which may have the name of a dependency, and
    /// dependencies that it takes from elsewhere or sets otherwise.
    pub crates: SortedSet<String>,
    /// Modules in other files that a file no longer declares, or declares for another file.
    pub modules: SortedSet<(ProjectPath, String)>,
}

impl TestNames {
    /// The names of a change that have to be looked up.
    pub(crate) fn of(overlay: &Overlay) -> Self {
        let mut all = Self::default();
        for (path, change) in overlay.changes() {
            let (before, after) = (change.before_text(), change.after_text());
            if path.file_name() == "Cargo.toml" {
                all.crates.extend(moved_dependencies(before, after));
            }
            if path.extension() != Some("rs") || before == after {
                continue;
            }
            let (old, new) = (Outline::of(before), Outline::of(after));
            let (was, now) = (methods(&old), methods(&new));
            all.methods.extend(now.difference(&was).map(|it| it.1.to_owned()));
            let (was, now) = (crate_names(&old), crate_names(&new));
            all.crates.extend(now.difference(&was).cloned());
            let (was, now) = (modules(&old), modules(&new));
            let lost = was.difference(&now).map(|it| (path.clone(), it.0.to_owned()));
            all.modules.extend(lost);
        }
        all
    }

    /// Whether there is nothing to look up.
    pub fn is_empty(&self) -> bool {
        self.methods.is_empty() && self.crates.is_empty() && self.modules.is_empty()
    }

    /// The methods and crates of these that the tests in a text use; `is_for_tests` of a file that is only
    /// compiled for tests although its path does not show it.
    pub fn used(&self, path: &ProjectPath, text: &str, is_for_tests: bool) -> Self {
        let names = || self.methods.iter().chain(&self.crates);
        let mut found = Self::default();
        if !names().any(|it| text.contains(it.as_str())) {
            return found;
        }
        let outline = Outline::of(text);
        let layout = Layout::of(is_for_tests || is_test_path(path.as_str()), &outline);
        for (at, token) in outline.tokens.iter().enumerate() {
            let name = token.text.trim_start_matches("r#");
            let (before, next) = (outline.before(at, 1), outline.text(at + 1));
            let is_method = matches!(before, "." | "::") && matches!(next, "(" | "::" | ")" | ",");
            let is_crate =
                !matches!(before, "::" | ".") && matches!(next, "::" | "!") || before == "crate";
            if is_method && self.methods.contains(name) && layout.in_tests(at) {
                found.methods.insert(name.to_owned());
            } else if is_crate && self.crates.contains(name) && layout.in_tests(at) {
                found.crates.insert(name.to_owned());
            }
        }
        found
    }

    /// Whether a text has code for tests, or declares modules that may have some.
    pub(crate) fn has_test_code(path: &ProjectPath, text: &str) -> bool {
        let outline = Outline::of(text);
        Layout::of(is_test_path(path.as_str()), &outline).has_tests()
            || !modules(&outline).is_empty()
    }

    /// Adds the names of another change.
    pub fn extend(&mut self, other: Self) {
        self.methods.extend(other.methods);
        self.crates.extend(other.crates);
        self.modules.extend(other.modules);
    }
}

/// The dependencies that a change of a manifest takes from elsewhere or sets otherwise, as paths name them.
fn moved_dependencies(before: &str, after: &str) -> Vec<String> {
    let (old, new) = (TomlText::of_broken(before), TomlText::of_broken(after));
    let moved = dependency_sources::changed(&old, &new).into_iter();
    moved.flat_map(|it| it.in_paths()).collect()
}

/// Trait and name of each method that may be called in place of one of a type.
fn methods<'a>(outline: &Outline<'a>) -> SortedSet<(&'a str, &'a str)> {
    Traits::of(outline).methods.iter().map(|it| (it.0, it.1)).collect()
}

/// Names that a path may begin with in place of a crate.
fn crate_names(outline: &Outline<'_>) -> SortedSet<String> {
    let mut found = SortedSet::new();
    for (at, token) in outline.tokens.iter().enumerate() {
        let (one, two) = (outline.before(at, 1), outline.before(at, 2));
        let is_itself = outline.text(at + 1) == ";" && two == "extern";
        if one == "mod" || one == "crate" && two == "extern" && !is_itself || one == "as" {
            found.insert(token.text.trim_start_matches("r#").to_owned());
        }
    }
    for element in outline.elements.iter().filter(|it| it.kind == ElementKind::Import) {
        let paths = imported_by(outline, element);
        let of_path = paths.iter().filter(|it| it.contains("::") || it.contains(" as "));
        let is_itself = |it: &str| {
            let root = it.trim_start_matches("::").split("::").next().unwrap_or_default();
            matches!(root, "std" | "core" | "alloc")
        };
        found.extend(of_path.filter(|it| !is_itself(it)).map(|it| last_name(it).to_owned()));
    }
    found
}

/// Each `mod name;` with the file that an attribute gives it.
fn modules<'a>(outline: &Outline<'a>) -> SortedSet<(&'a str, &'a str)> {
    let items = outline.elements.iter().filter(|it| it.kind == ElementKind::Item);
    let declared = items.filter_map(|it| {
        let name = outline.item_name(it);
        let is_module = outline.before(name, 1) == "mod" && outline.text(name + 1) == ";";
        let is_path = |at: &usize| outline.text(*at) == "path" && outline.text(at + 1) == "=";
        let file = (it.start..it.head).find(is_path).map_or("", |at| outline.text(at + 2));
        is_module.then(|| (outline.text(name).trim_start_matches("r#"), file))
    });
    declared.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::overlay;

    fn shown(names: &TestNames) -> String {
        let modules = names.modules.iter().map(|it| format!("{}:{}", it.0, it.1));
        let all = names.methods.iter().map(|it| format!(".{it}"));
        let all = all.chain(names.crates.iter().map(|it| format!("{it}::"))).chain(modules);
        all.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn what_a_change_adds_and_takes_is_looked_up() {
        for (before, after, expected) in [
            ("", "trait T { fn sorted(self); }", ".sorted"),
            ("trait T { fn sorted(self); }", "trait T { fn sorted(self); fn b(&self); }", ".b"),
            ("trait T {}", "impl T for Vec<u8> { fn len(&self) {} }", ".len"),
            ("", "mod rand { }", "rand::"),
            ("mod rand { }", "mod rand { } fn f() {}", ""),
            ("", "use crate::a::rand; use x as kit; use std::time; use log;", "kit:: rand::"),
            ("", "extern crate rand; extern crate x as y;", "x:: y::"),
            ("mod a; mod b;", "mod b;", "lib.rs:a"),
            ("mod a;", "#[path = \"x.rs\"] mod a;", "lib.rs:a"),
            ("mod a;", "pub mod a; mod c {}", "c::"),
        ] {
            let change = overlay(&[("lib.rs", Some(before), Some(after))]);
            assert_eq!(shown(&TestNames::of(&change)), expected, "{before} => {after}");
        }
        let manifest = |source: &str| format!("[dependencies]\na-b = {{ {source} }}\n");
        let (before, after) = (manifest("path = \"x\""), manifest("path = \"y\""));
        let change = overlay(&[("Cargo.toml", Some(&before), Some(&after))]);
        assert_eq!(shown(&TestNames::of(&change)), "a_b::");
    }

    #[test]
    fn only_what_tests_use_counts() {
        let names = TestNames {
            methods: ["sorted".to_owned()].into(),
            crates: ["rand".to_owned(), "log".to_owned()].into(),
            ..TestNames::default()
        };
        let path = ProjectPath::new("src/a.rs").unwrap();
        let text = "extern crate log; fn f() { a.sorted(); log::warn!(); }\n\
            #[cfg(test)] mod t { fn t() { x.sorted(); rand::random(); a::log::b(); } }";
        assert_eq!(shown(&names.used(&path, text, false)), ".sorted rand::");
        assert_eq!(shown(&names.used(&path, "fn f() { a.sorted(); }", false)), "");
        assert_eq!(
            shown(&names.used(&path, "fn f() { rand!(); [a].map(T::sorted) }", true)),
            ".sorted rand::"
        );
    }
}
