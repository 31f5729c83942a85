//! Tests that the harness no longer finds: removed, renamed, or moved into a macro or another
//! function.

use crate::added_code::{AddedCode, body};
use crate::align::Fate;
use crate::compare::Comparison;
use crate::layout::{Function, Layout};
use crate::outline::{ElementKind, Outline, is_keyword};
use crate::test_names::TestNames;
use crate::{Rule, Violation};

impl<'a> Comparison<'a> {
    /// Each test that ran must still be found by the harness: as a test with its name, outside of
    /// macros and other functions.
    pub(crate) fn lost_tests(
        &self,
        all: &[Comparison<'a>],
        added_code: &AddedCode<'_>,
        names: &TestNames,
        found: &mut Vec<Violation>,
    ) {
        for function in self.old_layout.functions.iter().filter(|it| it.is_test) {
            let place = context(&self.old, &self.old_layout, function);
            let stays = match self.fate(function.name) {
                Fate::Kept(new) => self.is_test_at(new, &place),
                Fate::Renamed(new) => self.is_test_at(new, &place) && self.name_is_double(function),
                Fate::Gone => self.moved_to(function, all, added_code, &place),
            };
            if !stays {
                let name = self.old_text(function.name);
                found.push(self.violation(
                    Rule::TestRemoved,
                    function.name,
                    format!("test `{name}` is no longer found"),
                ));
            }
        }
        self.lost_test_modules(all, names, found);
    }

    fn is_test_at(&self, name: usize, place: &[String]) -> bool {
        self.new_layout.functions.iter().any(|it| {
            it.name == name && it.is_test && context(&self.new, &self.new_layout, it) == place
        })
    }

    /// Whether another function of the file has the test's name, so that one must be renamed.
    fn name_is_double(&self, function: &Function) -> bool {
        let name = self.old_text(function.name);
        self.old_layout
            .functions
            .iter()
            .any(|it| it.name != function.name && self.old_text(it.name) == name)
    }

    fn moved_to(
        &self,
        function: &Function,
        all: &[Comparison<'a>],
        added_code: &AddedCode<'_>,
        place: &[String],
    ) -> bool {
        let Some(element) = self.old.elements.iter().find(|it| it.start == function.start) else {
            return false;
        };
        let name = self.old_text(function.name);
        added_code.moved(&body(&self.old, element))
            && all.iter().any(|other| {
                target_of(other.path.as_str()) == target_of(self.path.as_str())
                    && other.new_layout.functions.iter().any(|it| {
                        it.is_test
                            && other.is_new(it.name)
                            && other.new.text(it.name) == name
                            && context(&other.new, &other.new_layout, it) == place
                    })
            })
    }

    /// A removed `mod tests;` removes the tests of another file; so does any module that gets a body in its
    /// place while its file stays.
    fn lost_test_modules(
        &self,
        all: &[Comparison<'a>],
        names: &TestNames,
        found: &mut Vec<Violation>,
    ) {
        for element in self.old.elements.iter().filter(|it| it.kind == ElementKind::Item) {
            let name = self.old.item_name(element);
            let declares = self.old.before(name, 1) == "mod" && self.old.text(name + 1) == ";";
            let for_tests = self.old_layout.in_tests(name) || self.old_text(name).contains("test");
            let module = self.old_text(name);
            let ends = [format!("/{module}.rs"), format!("/{module}/mod.rs")];
            let file_goes = || {
                let is_it = |it: &str| ends.iter().any(|end| it.ends_with(end.as_str()));
                all.iter().any(|it| it.is_removed && is_it(&format!("/{}", it.path)))
            };
            if let Fate::Kept(new) = self.fate(name)
                && declares
                && self.new.text(new + 1) == "{"
                && !file_goes()
            {
                let text = format!("`mod {module};` has a body, and its file is not compiled");
                found.push(self.violation(Rule::TestRemoved, name, text));
            } else if declares && self.loses(module, names)
                || declares && for_tests && !matches!(self.fate(name), Fate::Kept(_))
            {
                let text = format!("`mod {};`", self.old_text(name));
                found.push(self.violation(Rule::TestRemoved, name, text));
            }
        }
    }

    /// Whether the file no longer declares a module of which the file stays and has tests.
    fn loses(&self, module: &str, names: &TestNames) -> bool {
        let module = module.trim_start_matches("r#");
        names.modules.iter().any(|it| it.0 == *self.path && it.1 == module)
    }
}

/// The macros and functions around a function, innermost first; the harness finds no tests in them.
fn context(outline: &Outline<'_>, layout: &Layout, function: &Function) -> Vec<String> {
    let mut labels = Vec::new();
    for open in layout.around(function.start) {
        let (previous, before) = (outline.before(open, 1), outline.before(open, 2));
        if previous == "!" && !is_keyword(before) {
            labels.push(format!("{before}!"));
        } else if before == "!" {
            labels.push("macro".to_owned());
        } else if layout.functions.iter().any(|it| it.open == open) {
            labels.push("fn".to_owned());
        } else if matches!(previous, ")" | "]" | "=" | "const" | "|") || outline.text(open) != "{" {
            labels.push("block".to_owned());
        }
    }
    labels
}

/// The cargo target of a file: a test target of a package, or a module of another target.
pub(crate) fn target_of(path: &str) -> String {
    let parts: Vec<&str> = path.split('/').collect();
    let root = parts.iter().position(|it| matches!(*it, "tests" | "src" | "benches" | "examples"));
    match root {
        Some(at) if parts[at] == "tests" => {
            let is_target =
                parts.len() == at + 2 || (parts.len() == at + 3 && parts[at + 2] == "main.rs");
            format!("{} {is_target}", parts[..=at].join("/"))
        }
        Some(at) => parts[..=at].join("/"),
        None => String::new(),
    }
}
