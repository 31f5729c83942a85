//! The declarations of one file in the text of another: `mod`, `#[path]` and `include!`, each with
//! whether only tests compile it.

use base::{ProjectPath, SortedSet};
use preserve::outline::{Element, ElementKind, Outline, TokenKind, tokens};
use preserve::{literal_text, normal};
use syntax::CfgPredicate;

use super::modules::module_name;
use crate::coverage::holds;

/// Most declarations in one text that may be those of one file.
const MAX_DECLARATIONS: usize = 64;
/// Most tokens between a `#[path]` and its module.
const LONGEST_HEAD: usize = 200;

/// A declaration of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Declaration {
    /// Whether only tests compile it.
    pub(super) is_for_tests: bool,
    /// Whether it is in the tokens of a macro's definition, which nothing may call.
    pub(super) is_in_macro: bool,
}

/// The declarations of `target` in the text of `path`. `has` is true of the files of the tree. More than are
/// looked at count as one for tests.
pub(super) fn declarations(
    (path, text): (&ProjectPath, &str),
    target: &ProjectPath,
    has: &dyn Fn(&ProjectPath) -> bool,
) -> Vec<Declaration> {
    let outline = Outline::of(text);
    let within = Within { path, text, outline: &outline, has };
    let is_macro = |it: &&Element| matches!(outline.text(it.head), "macro_rules" | "macro");
    let macros: Vec<&Element> = outline.elements.iter().filter(is_macro).collect();
    let is_in_macro = |at: usize| macros.iter().any(|it| (it.start..it.end).contains(&at));
    let candidates = within.candidates(target);
    let (inside, written): (Vec<usize>, Vec<usize>) =
        candidates.into_iter().partition(|it| is_in_macro(*it));
    if written.len() > MAX_DECLARATIONS {
        return vec![Declaration { is_for_tests: true, is_in_macro: false }];
    }
    let of = |at: usize, is_in_macro: bool| {
        let is_for_tests = within.declaration(at, target)?;
        Some(Declaration { is_for_tests, is_in_macro })
    };
    let written = written.into_iter().filter_map(|it| of(it, false));
    written.chain(inside.into_iter().take(MAX_DECLARATIONS).filter_map(|it| of(it, true))).collect()
}

/// The text that declares files.
struct Within<'a> {
    path: &'a ProjectPath,
    text: &'a str,
    outline: &'a Outline<'a>,
    has: &'a dyn Fn(&ProjectPath) -> bool,
}

impl Within<'_> {
    /// The tokens `mod` and `include` of declarations that have the name of the target.
    fn candidates(&self, target: &ProjectPath) -> SortedSet<usize> {
        let text = |at: usize| self.outline.text(at);
        let is_module = |at: usize| text(at) == "mod" && text(at + 2) == ";";
        let has_name = |at: usize| {
            self.literal(at).is_some_and(|it| it.rsplit('/').next() == Some(target.file_name()))
        };
        let name = module_name(target);
        let mut found = SortedSet::new();
        for at in 0..self.outline.tokens.len() {
            if is_module(at) && text(at + 1).trim_start_matches("r#") == name
                || text(at) == "include" && text(at + 1) == "!" && has_name(at + 3)
            {
                found.insert(at);
            } else if text(at) == "path" && text(at + 1) == "=" && has_name(at + 2) {
                found.extend((at..at + LONGEST_HEAD).find(|it| is_module(*it)));
            }
        }
        found
    }

    /// Whether a token declares the target, and if so, for tests only.
    fn declaration(&self, at: usize, target: &ProjectPath) -> Option<bool> {
        let text = |at: usize| self.outline.text(at);
        let is_for_tests = || {
            let gates = self.outline.gates(self.text, self.outline.tokens[at].span.start);
            gates.iter().any(|it| needs_test(it))
        };
        if text(at) == "include" {
            let named =
                self.literal(at + 3).and_then(|it| normal(&format!("{}{it}", self.folder())));
            return (named.as_ref() == Some(target)).then(is_for_tests);
        }
        let around = self.around(at);
        let inline: String = around.iter().map(|it| format!("{}/", self.module_name(it))).collect();
        let own = around_declaration(self.outline, at);
        let mut is_elsewhere = false;
        for (written, condition) in own.map(|it| self.paths(it)).unwrap_or_default() {
            is_elsewhere |= condition.is_none();
            if self.at_path(&inline, &written).contains(target) {
                return Some(condition.is_some_and(needs_test) || is_for_tests());
            }
        }
        let name = text(at + 1).trim_start_matches("r#");
        (!is_elsewhere && self.by_name(&inline, name).contains(target)).then(is_for_tests)
    }

    /// The files of `mod name;`, in the inline modules with these folders: those beside a file that
    /// is the root of a folder; else those in the folder of the file's name, or if none of them exists,
    /// those beside it, since the root of a crate can have any name.
    fn by_name(&self, inline: &str, name: &str) -> Vec<ProjectPath> {
        let files = |folder: &str| -> Vec<ProjectPath> {
            let both = [format!("{name}.rs"), format!("{name}/mod.rs")];
            both.iter().filter_map(|it| normal(&format!("{folder}{inline}{it}"))).collect()
        };
        let beside = files(&self.folder());
        if self.is_root() {
            return beside;
        }
        let below = files(&self.own_folder());
        if below.iter().any(|it| (self.has)(it)) { below } else { beside }
    }

    /// The files that a `#[path]` in the inline modules with these folders may name.
    fn at_path(&self, inline: &str, written: &str) -> Vec<ProjectPath> {
        let beside = format!("{}{inline}{written}", self.folder());
        let below = format!("{}{inline}{written}", self.own_folder());
        let is_below = !inline.is_empty() && !self.is_root();
        let both = [Some(beside), is_below.then_some(below)];
        both.iter().flatten().filter_map(|it| normal(it)).collect()
    }

    /// The paths in the attributes of a declaration, each with the predicate of its `cfg_attr`.
    fn paths(&self, element: &Element) -> Vec<(String, Option<&str>)> {
        let text = |at: usize| self.outline.text(at);
        let mut found = Vec::new();
        for at in element.start..element.head {
            let literal = (text(at) == "path" && text(at + 1) == "=").then(|| self.literal(at + 2));
            let Some(literal) = literal.flatten() else { continue };
            let attribute = self.outline.attributes.iter().find(|it| it.name <= at && at < it.end);
            let predicate = attribute.filter(|it| text(it.name) == "cfg_attr");
            found.push((literal, predicate.map(|it| self.first_argument(it.name + 1))));
        }
        found
    }

    /// The text between an opening parenthesis and the first comma directly in it.
    fn first_argument(&self, open: usize) -> &str {
        let Some(first) = self.outline.tokens.get(open) else { return "" };
        let mut at = open + 1;
        while !matches!(self.outline.text(at), "" | "," | ")") {
            at = self.outline.close[at] + 1;
        }
        let end = self.outline.tokens.get(at).map_or(self.text.len(), |it| it.span.start);
        self.text.get(first.span.end..end).unwrap_or("")
    }

    /// Text of the string literal at a token.
    fn literal(&self, at: usize) -> Option<String> {
        let token = self.outline.tokens.get(at).filter(|it| it.kind == TokenKind::Literal)?;
        token.text.contains('"').then(|| literal_text(token.text))
    }

    /// The inline modules around a token, outermost first.
    fn around(&self, at: usize) -> Vec<&Element> {
        let is_around = |it: &&Element| {
            let name = self.outline.item_name(it);
            it.kind == ElementKind::Item
                && it.start < at
                && at < it.end
                && self.outline.before(name, 1) == "mod"
                && self.outline.text(name + 1) == "{"
        };
        let mut found: Vec<&Element> = self.outline.elements.iter().filter(is_around).collect();
        found.sort_by_key(|it| it.start);
        found
    }

    fn module_name(&self, element: &Element) -> &str {
        self.outline.text(self.outline.item_name(element)).trim_start_matches("r#")
    }

    /// The folder of the file, with a slash.
    fn folder(&self) -> String {
        self.path.parent().map_or_else(String::new, |it| format!("{it}/"))
    }

    /// The folder with the name of the file, with a slash.
    fn own_folder(&self) -> String {
        let path = self.path.as_str();
        format!("{}/", path.strip_suffix(".rs").unwrap_or(path))
    }

    /// Whether the files of its modules are beside the file, by its name.
    fn is_root(&self) -> bool {
        matches!(self.path.file_name(), "lib.rs" | "main.rs" | "mod.rs")
    }
}

/// The innermost item around a token.
fn around_declaration<'o>(outline: &'o Outline<'_>, at: usize) -> Option<&'o Element> {
    let items = outline.elements.iter().filter(|it| it.kind == ElementKind::Item);
    let around = items.filter(|it| (it.start..it.end).contains(&at));
    around.min_by_key(|it| it.end - it.start)
}

/// Whether a predicate is off in every build that is not one of tests: it requires `test`, or, beside
/// that, a feature with such a name (`any(test, feature = "test-util")`).
fn needs_test(predicate: &str) -> bool {
    let Some(parsed) = CfgPredicate::parse(predicate) else { return false };
    tokens(predicate).iter().any(|it| it.is("test"))
        && holds(&parsed, &|key, value| match (key, value) {
            ("test", None) => Some(false),
            ("feature", Some(name)) if is_feature_for_tests(name) => Some(false),
            _ => None,
        }) == Some(false)
}

/// Whether the name of a feature is one of helpers for tests.
fn is_feature_for_tests(name: &str) -> bool {
    let name = name.replace(['-', '_'], "");
    matches!(name.as_str(), "test" | "tests" | "testing" | "testkit")
        || ["testutil", "testsupport", "testhelper"].iter().any(|it| name.starts_with(it))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_predicate_needs_test_or_not() {
        for predicate in [
            "test",
            " test ",
            "all(test, unix)",
            "all(feature = \"a\", any(test))",
            "any(test, feature = \"test-util\")",
            "any(feature = \"testing\", test)",
            "not(not(test))",
            "not(any(not(test), unix))",
        ] {
            assert!(needs_test(predicate), "{predicate}");
        }
        for predicate in [
            "not(test)",
            "any(test, unix)",
            "any(test, feature = \"std\")",
            "any(test, feature = \"testnet\")",
            "feature = \"test\"",
            "feature = \"testing\"",
            "all(unix, not(test))",
            "",
            "test(",
            "any(test",
        ] {
            assert!(!needs_test(predicate), "{predicate}");
        }
    }
}
