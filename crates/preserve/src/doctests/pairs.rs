//! Changed examples, compared as code of tests with the names of the whole change. Start at
//! [`ChangedExamples`].

use base::{ProjectPath, SortedSet};
use edit::{FileChange, FileState, TextEdit};

use super::examples::Example;
use super::matched::Matches;
use super::{BothSides, body, compare_included, violation};
use crate::added_code::AddedCode;
use crate::compare::Comparison;
use crate::names::Names;
use crate::reported::Reported;
use crate::test_names::TestNames;
use crate::{Allowed, TestFiles, Violation};

/// Most changed examples of a change that are compared.
const MAX_EXAMPLES: usize = 4_000;
/// Most work on them, in pairs of tokens.
const MAX_WORK: usize = 400_000_000;
/// Bytes of a token.
const TOKEN: usize = 4;
/// Most pairs of tokens of one example that are compared with each other.
const MAX_CELLS: usize = 4_000_000;

/// One file before and after a change, with its path before.
pub(crate) type ChangedText<'a> = ([&'a ProjectPath; 2], &'a str, &'a str);

/// The examples of a change that have another text than before.
pub(crate) struct ChangedExamples<'a> {
    pairs: Vec<Pair<'a>>,
    work: usize,
}

/// A changed example, as a test before and after.
struct Pair<'a> {
    path: &'a ProjectPath,
    line: u32,
    /// The test, with an edit by lines.
    change: FileChange,
    /// Whether it must not compile.
    must_fail: bool,
    /// Reason for which the text alone is refused.
    refused: Option<&'static str>,
}

impl<'a> ChangedExamples<'a> {
    /// The changed examples of Rust texts and of the pages that documentation includes. Examples that such
    /// a page no longer has are reported.
    pub(crate) fn of(
        files: impl Iterator<Item = ChangedText<'a>>,
        tests: &TestFiles,
        found: &mut Vec<Violation>,
    ) -> Self {
        let mut all = Self { pairs: Vec::new(), work: 0 };
        for ([path, from], before, after) in files {
            let sides = if path.as_str().ends_with(".rs") {
                BothSides::of_code(before, after)
            } else if tests.has_code(path, from) {
                compare_included(path, before, after, found);
                BothSides::of_page(before, after)
            } else {
                continue;
            };
            for (old, new) in Matches::of(&sides.old, &sides.new).changed {
                if [old, new].iter().any(|it| body::is_too_deep(&it.text)) {
                    let detail = "an example is nested too deeply to be compared";
                    found.push(violation(path, new.line, detail));
                } else if !all.add(Pair::of(path, old, new)) {
                    let detail = "there are too many changed examples to compare";
                    found.push(violation(path, new.line, detail));
                    break;
                }
            }
        }
        all
    }

    /// Adds an example unless there are too many.
    fn add(&mut self, pair: Pair<'a>) -> bool {
        let (before, after) = (pair.change.before_text(), pair.change.after_text());
        let cells = (before.len() / TOKEN).saturating_mul(after.len() / TOKEN);
        self.work = self.work.saturating_add(cells.min(MAX_CELLS));
        let fits = self.pairs.len() < MAX_EXAMPLES && self.work <= MAX_WORK;
        if fits {
            self.pairs.push(pair);
        }
        fits
    }

    /// Reports the examples that test less, given the other code of the change.
    pub(crate) fn compare<'s>(
        &'s self,
        mut comparisons: Vec<Comparison<'s>>,
        allowed: &Allowed,
        found: &mut Vec<Violation>,
    ) {
        let files = comparisons.len();
        comparisons.extend(self.pairs.iter().map(Pair::comparison));
        let names = Names::of(&comparisons, allowed);
        for (pair, comparison) in self.pairs.iter().zip(&comparisons[files..]) {
            let mut broken: Vec<String> = broken(comparison, &names, allowed)
                .into_iter()
                .filter(|it| it.rule.protects_tests())
                .map(|it| format!("an example tests less ({}): {}", it.rule, it.detail))
                .collect();
            if broken.is_empty() {
                let is_new = |at: usize| comparison.is_new(at);
                let adds = pair.must_fail && (0..comparison.new.tokens.len()).any(is_new);
                let added = adds.then_some("an example that must not compile has other code");
                broken.extend(pair.refused.or(added).map(str::to_owned));
            }
            found.extend(broken.iter().map(|it| violation(pair.path, pair.line, it)));
        }
    }
}

impl<'a> Pair<'a> {
    fn of(path: &'a ProjectPath, old: &Example, new: &Example) -> Self {
        let has = |mark: &str| old.testing.marks.contains(mark);
        let (before, after) = body::bodies(&old.text, &new.text, has("test_harness"));
        let known: SortedSet<&str> = old.text.lines().map(str::trim).collect();
        let mut added = new.text.lines().filter(|it| !known.contains(it.trim()));
        let leaves = |it: &Example| body::leaves_function(&body::shown(&it.text));
        let refused = if added.any(body::decides_unseen) {
            Some("an example gets hidden lines that decide whether its code runs")
        } else if leaves(new) && !leaves(old) {
            Some("an example closes the function that runs it")
        } else {
            None
        };
        let must_fail = has("compile_fail");
        let change = FileChange {
            edit: TextEdit::diff(&before, &after),
            before: Some(FileState::from_text(before.as_str())),
            after: Some(FileState::from_text(after.as_str())),
            renamed_from: None,
        };
        Self { path, line: new.line, change, must_fail, refused }
    }

    fn comparison(&self) -> Comparison<'_> {
        let change = &self.change;
        Comparison::new(self.path, change.before_text(), change.after_text(), change, true)
    }
}

/// The rules that an example breaks as a test.
fn broken<'s>(example: &Comparison<'s>, names: &Names<'s>, allowed: &Allowed) -> Vec<Violation> {
    let mut found = Vec::new();
    let mut permitted = Vec::new();
    let alone = std::slice::from_ref(example);
    // Code that moves from one example to another is not run in the same state.
    let mut added_code = AddedCode::of(alone);
    // Errors mark bytes of files, not of examples.
    let reported = Reported::default();
    example.lost_tests(alone, &added_code, &TestNames::default(), &mut found);
    let (lost, _) = example.lost_elements(&added_code, allowed, &mut permitted, &mut found);
    found.extend(example.lost_effects(&lost, &mut added_code).into_iter().map(|it| it.1));
    example.lost_attributes(allowed, &mut permitted, &mut found);
    example.edited_values(&lost, names, &reported, &mut found);
    example.added_to_tests(names, &reported, &mut found);
    example.conditions(&reported, &mut found);
    example.redefined(&TestNames::default(), &mut found);
    example.wrapped(&mut found);
    Comparison::process_ends(alone, &mut found);
    found
}
