//! Parses the output of `cargo test`, with standard error merged into standard output to keep their
//! order: the running binary, one line per test, the output of failures, one result line per
//! binary.
//!
//! A run counts when it is whole: each binary that was built ran, announced its tests, reported each
//! that it had listed as often, and ended with a result line that counts the same. Everything else, also
//! with status 0, is a run that was not whole, with the reason in [`TestReport::incomplete`]. A
//! test can write to the same output: lines that name no listed test are its output, and lines that
//! forge a result make a second one, or a wrong count. What cannot be seen is a test that prints all
//! that its own binary would, and ends it: a test can decide its binary's result as it can decide its
//! own. It cannot decide that of a binary that ran before it.

use base::{SortedMap, SortedSet};

use crate::budget::Budget;
use crate::report::{FailedTest, TestReport};

mod binary;
mod line;

use binary::Binary;
use line::{failed_target, name_of, starts_binary};

/// Maximum size kept of one failed test's output.
const OUTPUT_BYTES: usize = 16 << 10;
/// Maximum length that is read of one line.
const LINE_BYTES: usize = 64 << 10;
/// Maximum number of test binaries in one run.
const BINARIES: usize = 10_000;

/// End of the name of the failure of a binary that was not whole.
const DID_NOT_END: &str = "::(did not end)";

/// A binary that was built, and has to report.
#[derive(Clone, Debug)]
pub(crate) struct Expected {
    /// Its file name, or `my_crate::doc` for documentation tests.
    pub(crate) file: String,
    /// Its package; empty for documentation tests, whose name has the library.
    pub(crate) package: String,
    pub(crate) harness: Harness,
}

/// The tests that a binary listed. Macros may register several under one name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ListedTests(SortedMap<String, usize>);

impl ListedTests {
    fn len(&self) -> usize {
        self.0.values().sum()
    }

    /// How many tests have the name.
    fn times(&self, name: &str) -> usize {
        self.0.get(name).copied().unwrap_or(0)
    }

    fn names(&self) -> impl Iterator<Item = &String> {
        self.0.keys()
    }
}

impl FromIterator<String> for ListedTests {
    fn from_iter<T: IntoIterator<Item = String>>(names: T) -> Self {
        let mut list = Self::default();
        for name in names {
            *list.0.entry(name).or_insert(0) += 1;
        }
        list
    }
}

/// How a binary reports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Harness {
    /// As the standard harness does, with the tests that it listed before.
    Standard(Option<ListedTests>),
    /// As it likes: without an announcement its result is its exit status.
    Own,
}

/// Reads line by line; [`Parser::finish`] returns the report.
#[derive(Debug, Default)]
pub(crate) struct Parser {
    /// The binaries that have not started.
    expected: Vec<Expected>,
    binaries: Vec<Binary>,
    /// Number of binaries per name.
    named: SortedMap<String, usize>,
    /// Names that binaries of several packages have.
    shared: SortedSet<String>,
    budget: Budget,
    /// Names of the binaries that cargo lists as failed.
    failed_binaries: SortedSet<String>,
}

/// The result of one test, as reported by a line.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct TestLine {
    pub(crate) name: String,
    pub(crate) passed: bool,
}

impl Parser {
    /// A parser for the output of these binaries.
    pub(crate) fn new(expected: Vec<Expected>) -> Self {
        let mut packages: SortedMap<String, SortedSet<&str>> = SortedMap::new();
        for it in &expected {
            let name = name_of(&it.file).to_owned();
            packages.entry(name).or_default().insert(it.package.as_str());
        }
        let shared = packages.into_iter().filter(|it| it.1.len() > 1).map(|it| it.0).collect();
        Self { expected, shared, ..Self::default() }
    }

    /// The report on what one binary of that name printed. `test`: the only test that was asked for.
    pub(crate) fn of_binary(name: &str, test: Option<&str>, output: &str) -> TestReport {
        let list = test.map(|test| ListedTests::from_iter([test.to_owned()]));
        let binary = Binary::new(name.to_owned(), Harness::Standard(list));
        let mut parser = Self { binaries: vec![binary], ..Self::default() };
        for line in output.lines() {
            parser.line(line);
        }
        parser.finish(true, None)
    }

    /// Reads one line without its newline.
    pub(crate) fn line(&mut self, line: &str) -> Option<TestLine> {
        let line = &line[..line.floor_char_boundary(LINE_BYTES)];
        if let Some(file) = starts_binary(line)
            && self.begin(&file)
        {
            return None;
        }
        if let Some(name) = failed_target(line)
            && self.budget.take(name.len())
        {
            self.failed_binaries.insert(name);
        }
        self.output(line)
    }

    /// Begins a binary by the name of its file; `false` if it is none that is expected.
    pub(crate) fn begin(&mut self, file: &str) -> bool {
        let Some(at) = self.expected.iter().position(|it| it.file == file) else { return false };
        let Expected { package, harness, .. } = self.expected.remove(at);
        let name = name_of(file).to_owned();
        if self.binaries.len() == BINARIES || !self.budget.take(2 * name.len()) {
            self.budget.is_spent = true;
            return true;
        }
        // Another package may get a binary of the name: the name of this one stays.
        let name = match self.shared.contains(&name) {
            true => format!("{name}#{package}"),
            false => name,
        };
        let same = self.named.entry(name.clone()).or_default();
        *same += 1;
        let name = if *same == 1 { name } else { format!("{name}#{same}") };
        self.binaries.push(Binary::new(name, harness));
        true
    }

    /// Reads one line that the last binary printed itself, which runs alone.
    pub(crate) fn output(&mut self, line: &str) -> Option<TestLine> {
        let line = &line[..line.floor_char_boundary(LINE_BYTES)];
        self.binaries.last_mut()?.line(line, &mut self.budget)
    }

    /// The end of the last binary that began, if it ran alone: its exit status, and whether a thread of
    /// one of its tests ended it.
    pub(crate) fn ended(&mut self, code: i32, by_test: bool) {
        if let Some(binary) = self.binaries.last_mut() {
            binary.ended_with(code, by_test);
        }
    }

    /// The report. `clean`: cargo itself ran to its end, whether or not tests failed. `filter`
    /// keeps the tests whose name contains it.
    pub(crate) fn finish(self, clean: bool, filter: Option<&str>) -> TestReport {
        let wanted = |name: &str| filter.is_none_or(|filter| name.contains(filter));
        let mut report =
            TestReport { complete: clean && !self.budget.is_spent, ..TestReport::default() };
        if self.budget.is_spent {
            report.incomplete.push("the tests print too much".to_owned());
        }
        for missing in &self.expected {
            report.incomplete.push(format!("test binary {} did not run", missing.file));
        }
        for mut binary in self.binaries {
            let is_listed = self.failed_binaries.contains(binary.base_name());
            let failed = binary.exit_code.map_or(is_listed, |it| it != 0);
            binary.end_without_harness(failed);
            if let Some(reason) = binary.reason(clean, failed) {
                report.failed.push(FailedTest {
                    name: format!("{}{DID_NOT_END}", binary.name),
                    output: bounded(&format!("{reason}\n{}", binary.tail.join("\n"))),
                });
                report.incomplete.push(reason);
                report.cut_off = true;
            }
            let full = |name: &str| format!("{}::{name}", binary.name);
            report
                .passed
                .extend(binary.passed.iter().map(|name| full(name)).filter(|it| wanted(it)));
            report.ignored.extend(binary.ignored.iter().map(|name| full(name)));
            report.filtered += binary.filtered;
            report.failed.extend(
                binary
                    .failed
                    .iter()
                    .map(|test| FailedTest {
                        name: full(&test.name),
                        output: bounded(&test.output),
                    })
                    .filter(|test| wanted(&test.name)),
            );
        }
        report.complete &= report.incomplete.is_empty();
        report.passed.sort();
        report.ignored.sort();
        report.failed.sort_by(|a, b| a.name.cmp(&b.name));
        report
    }
}

pub(crate) fn bounded(text: &str) -> String {
    let text = text.trim_end();
    if text.len() <= OUTPUT_BYTES {
        return text.to_owned();
    }
    let end = text.floor_char_boundary(OUTPUT_BYTES);
    format!("{}\n[… {} bytes more]", &text[..end], text.len() - end)
}

#[cfg(test)]
mod tests;
