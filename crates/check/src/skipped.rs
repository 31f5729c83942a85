//! Targets that nothing depends on (tests, benches, examples) and that cannot be built whatever a change
//! does.
//!
//! A test target that names a crate which no manifest declares did not build before the change
//! and does not build after it: it has no test that the change could break. Such a target is
//! skipped, the evidence notes it, and the other targets are built and run without it. Whether a
//! target is skipped must follow from the texts alone; in doubt it is not:
//! - the crate's name occurs in no manifest and in no changed line, and nothing in the project
//!   declares it;
//! - every other error of the target is an unresolved name with the same properties (an item that a
//!   glob import of the crate would provide);
//! - no error is on a changed line;
//! - the change touches Rust sources only, no build script, and no line of it declares modules,
//!   macros or glob imports.
//!
//! Neither does a target have tests that a change could break if the last commit does not build it
//! with the same errors, or the tree without the change ([`SkipRule::Tree`](crate::SkipRule)). It is skipped
//! too, whatever the errors are, and noted; and so is one that needs a nightly compiler.

use std::sync::Arc;

use base::{Diagnostic, ProjectPath, SortedMap, SortedSet, is_word};
use build::CargoWorkspace;
use edit::{Files, Overlay};
use policy::Tree;

use crate::before::{Before, Lint, lints};

/// A target that is left out.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct SkippedTarget {
    pub(crate) package: String,
    /// The target's name in reports: `lib test`, `test name`.
    pub(crate) target: String,
    pub(crate) why: SkipReason,
    /// Its errors, counted.
    pub(crate) errors: SortedMap<Lint, usize>,
}

/// Why no change can be to blame for a target that does not build.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum SkipReason {
    /// It names this crate, which is missing.
    MissingCrate(String),
    /// The last commit does not build it either.
    LastCommit,
    /// The tree without the change does not build it either.
    Tree,
    /// It needs a nightly compiler.
    Nightly,
}

/// Knowledge of the targets of the state that a change is compared with.
#[derive(Clone, Debug)]
pub(crate) enum LastCommit {
    /// Nothing.
    Unknown,
    /// The tree to build is that of the last commit.
    Itself,
    /// Findings of a run of the ladder on it.
    Found(Arc<Before>),
    /// Findings of a run on the tree without the change.
    Tree(Arc<Before>),
}

impl LastCommit {
    /// Whether it does not build a target either, with all of these errors.
    fn fails(&self, scope: usize, target: (&str, &str), errors: &SortedMap<Lint, usize>) -> bool {
        match self {
            LastCommit::Unknown => false,
            LastCommit::Itself => true,
            LastCommit::Found(before) | LastCommit::Tree(before) => {
                before.has_errors(scope, target, errors)
            }
        }
    }

    /// Whether a target is known not to build there.
    pub(crate) fn leaves_out(&self, scope: usize) -> bool {
        matches!(self, LastCommit::Found(before) | LastCommit::Tree(before)
            if before.scope(scope).is_some_and(|it| !it.unbuilt.is_empty()))
    }
}

impl SkippedTarget {
    /// The note for the evidence.
    pub(crate) fn note(&self) -> String {
        let Self { package, target, .. } = self;
        let why = match &self.why {
            SkipReason::MissingCrate(name) => {
                format!("names the crate `{name}`, which no manifest declares")
            }
            SkipReason::LastCommit => "does not build at the last commit either".to_owned(),
            SkipReason::Tree => "has the same errors without the change".to_owned(),
            SkipReason::Nightly => "needs a nightly compiler".to_owned(),
        };
        format!("not built, with the change or without it: {target} of {package} {why}")
    }
}

/// The inputs of the decision.
pub(crate) struct SkipInputs<'a> {
    pub(crate) files: &'a dyn Files,
    pub(crate) workspace: &'a CargoWorkspace,
    /// The tree without the change.
    pub(crate) tree: &'a Tree,
    pub(crate) overlay: &'a Overlay,
    pub(crate) last_commit: LastCommit,
}

impl SkipInputs<'_> {
    /// Splits the errors of a build of test code, in configuration `scope`, into those that count and
    /// the skipped targets. The code itself is known to build, so errors of `lib` are errors of its
    /// unit tests.
    pub(crate) fn split(
        &self,
        scope: usize,
        errors: Vec<Diagnostic>,
    ) -> (Vec<Diagnostic>, Vec<SkippedTarget>) {
        let changed = changed_lines(self.overlay);
        // No target of the tree itself is skipped for what it names.
        let is_plain = !self.overlay.is_empty() && is_plain(self.overlay, &changed);
        let mut targets: SortedMap<(String, String), Vec<&Diagnostic>> = SortedMap::new();
        for error in &errors {
            if let (Some(package), Some(target)) = (&error.package, &error.target) {
                targets.entry((package.clone(), as_test(target))).or_default().push(error);
            }
        }
        let mut words = Words { skip_inputs: self, changed: &changed, project: None };
        let mut skipped = Vec::new();
        for ((package, target), of_target) in targets.into_iter().filter(|it| is_leaf(&it.0.1)) {
            let errors = lints(of_target.iter().copied());
            let missing = if is_plain { words.missing_crate(&of_target) } else { None };
            let fails = || self.last_commit.fails(scope, (&package, &target), &errors);
            let why = match missing {
                Some(missing) => SkipReason::MissingCrate(missing),
                None if of_target.iter().any(|it| it.code.as_deref() == Some("E0554")) => {
                    SkipReason::Nightly
                }
                None if !fails() => continue,
                None if matches!(self.last_commit, LastCommit::Tree(_)) => SkipReason::Tree,
                None => SkipReason::LastCommit,
            };
            skipped.push(SkippedTarget { package, target, why, errors });
        }
        let counts = |error: &Diagnostic| {
            !skipped.iter().any(|it| {
                error.package.as_ref() == Some(&it.package)
                    && error.target.as_deref().map(as_test).as_ref() == Some(&it.target)
            })
        };
        (errors.into_iter().filter(counts).collect(), skipped)
    }
}

/// Compiler messages do not distinguish a library from its unit tests.
fn as_test(target: &str) -> String {
    if target == "lib" || target.starts_with("bin ") && !is_test(target) {
        format!("{target} test")
    } else {
        target.to_owned()
    }
}

/// Whether a target is compiled only for tests.
pub(crate) fn is_test(target: &str) -> bool {
    target.starts_with("test ") || target.ends_with(" test")
}

/// Whether nothing depends on a target: tests, benches and examples.
fn is_leaf(target: &str) -> bool {
    is_test(target) || target.starts_with("bench ") || target.starts_with("example ")
}

/// The added and removed lines.
fn changed_lines(overlay: &Overlay) -> String {
    let diff = overlay.unified_diff();
    let changed = diff.lines().filter(|line| {
        let heading = ["+++ b/", "--- a/", "+++ /dev/", "--- /dev/"];
        line.starts_with(['+', '-']) && !heading.iter().any(|it| line.starts_with(it))
    });
    changed.map(|line| format!("{}\n", &line[1..])).collect()
}

/// Whether the change cannot affect what names mean elsewhere.
fn is_plain(overlay: &Overlay, changed: &str) -> bool {
    let sources = overlay.changes().all(|(path, change)| {
        path.extension() == Some("rs")
            && path.file_name() != "build.rs"
            && change.before.is_some()
            && change.after.is_some()
    });
    let tokens = tokens(changed);
    let opens_scopes = tokens.iter().any(|token| {
        ["mod", "extern", "macro_rules", "macro_use", "macro", "cfg", "cfg_attr", "include"]
            .contains(token)
    });
    let globs = tokens.windows(2).any(|pair| {
        (matches!(pair[0], ":" | "{" | ",") && pair[1] == "*")
            || (pair[0] == "*" && matches!(pair[1], "," | "}" | ";"))
    });
    sources && !opens_scopes && !globs
}

/// The project's texts, read once.
struct Words<'a> {
    skip_inputs: &'a SkipInputs<'a>,
    changed: &'a str,
    project: Option<Project>,
}

struct Project {
    manifests: Vec<String>,
    sources: Vec<String>,
}

impl Words<'_> {
    /// The missing crate that explains all of a target's errors.
    fn missing_crate(&mut self, errors: &[&Diagnostic]) -> Option<String> {
        let mut missing = None;
        for error in errors {
            let (name, is_crate) = unknown_name(error)?;
            if self.is_touched(error) || !self.is_nowhere(&name) {
                return None;
            }
            if is_crate {
                missing.get_or_insert(name);
            }
        }
        missing
    }

    /// Whether a span of the error is in a changed line, or in an unknown text.
    fn is_touched(&self, error: &Diagnostic) -> bool {
        error.spans.is_empty()
            || error.spans.iter().filter(|span| span.primary).any(|span| {
                let mut span = span;
                while let (None, Some(expansion)) = (span.place.project(), &span.expansion) {
                    span = &expansion.call_site;
                }
                let Some(path) = span.place.project() else { return true };
                let overlay = self.skip_inputs.overlay;
                overlay.get(path).is_some()
                    && overlay
                        .span_map(path)
                        .is_none_or(|map| map.line_to_base(span.start.line).exact().is_none())
            })
    }

    /// Whether the name occurs in no changed line, no manifest and no declaration.
    fn is_nowhere(&mut self, name: &str) -> bool {
        let skip_inputs = self.skip_inputs;
        let project = self.project.get_or_insert_with(|| Project::read(skip_inputs));
        let is_name = |token: &&str| token.replace('-', "_") == name;
        !tokens(self.changed).contains(&name)
            && !project.manifests.iter().any(|text| words(text).iter().any(is_name))
            && !project.sources.iter().any(|text| declares(text, name))
    }
}

impl Project {
    fn read(skip_inputs: &SkipInputs<'_>) -> Self {
        let mut project = Self { manifests: Vec::new(), sources: Vec::new() };
        for path in skip_inputs.tree.files().keys() {
            let list = match path.file_name() {
                "Cargo.toml" => &mut project.manifests,
                name if name.ends_with(".rs") => &mut project.sources,
                _ => continue,
            };
            // Files that are not text declare nothing. Text of the change is in the changed lines.
            if let Some(text) = read(skip_inputs.files, path) {
                list.push(text);
            }
        }
        project
    }
}

fn read(files: &dyn Files, path: &ProjectPath) -> Option<String> {
    Some(files.read(path).ok()??.text.to_string())
}

/// The unresolved name, and whether it can only be a crate's.
fn unknown_name(error: &Diagnostic) -> Option<(String, bool)> {
    let message = error.message.as_str();
    let name = message.split('`').nth(1)?;
    let head = name.split("::").next().unwrap_or(name);
    let is_crate = match error.code.as_deref() {
        // A path with a resolved first segment.
        Some("E0432") => message.starts_with("unresolved import") && name == head,
        Some("E0433") => [
            "cannot find module or crate",
            "failed to resolve: use of unresolved module or unlinked crate",
            "failed to resolve: use of undeclared crate or module",
        ]
        .iter()
        .any(|start| message.starts_with(start)),
        Some("E0463") => message.starts_with("can't find crate for"),
        _ => false,
    };
    let is_scope = message.starts_with("cannot find ") && message.ends_with("in this scope");
    let is_word = !head.is_empty()
        && head.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        && !matches!(head, "crate" | "self" | "super" | "Self" | "std" | "core" | "alloc");
    (is_word && (is_crate || is_scope)).then(|| (head.to_owned(), is_crate))
}

/// Whether the text may declare `name`: every occurrence that is not clearly a use counts.
fn declares(text: &str, name: &str) -> bool {
    if !text.contains(name) {
        return false;
    }
    // A comment line declares nothing; other comments and literals count as code.
    let code: Vec<&str> =
        text.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
    let code = code.join("\n");
    let tokens = tokens(&code);
    tokens.iter().enumerate().filter(|(_, token)| **token == name).any(|(idx, _)| {
        let before = idx.checked_sub(1).map_or("", |idx| tokens[idx]);
        let next = |offset: usize| tokens.get(idx + offset).copied().unwrap_or("");
        let is_path_head = next(1) == ":" && next(2) == ":";
        let is_call = next(1) == "!" && before != "!" && next(2) != "=";
        let is_bound =
            matches!(before, "impl" | "dyn" | "+" | ">" | "use") && !matches!(next(1), "=" | "as");
        // `use name::name;` declares nothing if its first segment is unresolved.
        let at = |offset: usize| idx.checked_sub(offset).map_or("", |idx| tokens[idx]);
        let is_own_leaf = before == ":" && at(3) == name && at(4) == "use" && next(1) == ";";
        !(is_path_head && before != "as" || is_call || is_bound || is_own_leaf)
    })
}

/// Identifiers and single punctuation characters.
fn tokens(text: &str) -> Vec<&str> {
    split(text, is_word)
}

/// Words as in manifests, with `-`.
fn words(text: &str) -> SortedSet<&str> {
    split(text, |c| is_word(c) || c == '-').into_iter().collect()
}

fn split(text: &str, is_word: impl Fn(char) -> bool) -> Vec<&str> {
    let mut found = Vec::new();
    let mut start = None;
    for (at, c) in text.char_indices() {
        if is_word(c) {
            start.get_or_insert(at);
            continue;
        }
        if let Some(start) = start.take() {
            found.push(&text[start..at]);
        }
        if !c.is_whitespace() {
            found.push(&text[at..at + c.len_utf8()]);
        }
    }
    found.extend(start.map(|start| &text[start..]));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_use_of_a_name_declares_nothing_and_all_else_may() {
        let uses = [
            "use proptest::prelude::*;",
            "use proptest::proptest;",
            "fn f() { proptest::run!(x) }",
            "// proptest\nproptest! { fn f() {} }",
            "fn f() -> impl proptest {}",
            "type proptests = u8;",
        ];
        for text in uses {
            assert!(!declares(text, "proptest"), "{text}");
        }
        let declarations = [
            "mod proptest;",
            "use a::proptest;",
            "pub use a::proptest::proptest;",
            "use proptest::proptest as proptest;",
            "use a::{b as proptest};",
            "extern crate proptest;",
            "macro_rules! proptest { () => {} }",
            "make!(proptest);",
            "enum E { proptest }",
            "let proptest = 1;",
        ];
        for text in declarations {
            assert!(declares(text, "proptest"), "{text}");
        }
    }

    #[test]
    fn changes_that_open_scopes_are_not_plain() {
        let change = |before: &str, after: &str| {
            let state = |text: &str| Some(edit::FileState::from_text(text));
            let path = ProjectPath::new("src/lib.rs").unwrap();
            let overlay = Overlay::from_states(
                "t",
                base::Timestamp::default(),
                vec![(path, state(before), state(after))],
            );
            is_plain(&overlay, &changed_lines(&overlay))
        };
        assert!(change("let a = b\n", "let a = b;\n"));
        assert!(change("let a = b;\n", "let a = *b * 2;\n"));
        assert!(!change("use a::*;\n", "\n"));
        assert!(!change("use a::{\n    b,\n};\n", "use a::{\n    *,\n};\n"));
        assert!(!change("mod a;\n", "pub mod a;\n"));
        assert!(!change("#[cfg(x)]\nfn a() {}\n", "fn a() {}\n"));
    }
}
