//! Parses the output of `cargo test`, with standard error merged into standard output to keep their
//! order: the running binary, one line per test, the output of failures, one result line per
//! binary.

use std::collections::{BTreeMap, BTreeSet};

use crate::budget::Budget;
use crate::report::{FailedTest, TestReport};

/// Maximum size kept of one failed test's output.
const OUTPUT_BYTES: usize = 16 << 10;
/// Maximum length that is read of one line.
const LINE_BYTES: usize = 64 << 10;
/// Maximum number of test binaries in one run.
const BINARIES: usize = 10_000;

/// Reads line by line; [`Parser::finish`] returns the report.
#[derive(Debug, Default)]
pub(crate) struct Parser {
    binaries: Vec<Binary>,
    /// Number of binaries per name.
    named: BTreeMap<String, usize>,
    budget: Budget,
    /// Names of the binaries that cargo lists as failed.
    failed_binaries: BTreeSet<String>,
}

/// Name of the only test of a binary without the standard harness (`harness = false`): its exit
/// status.
const WHOLE_BINARY: &str = "(whole binary)";

/// One test binary, or the documentation tests of one crate.
#[derive(Debug, Default)]
struct Binary {
    name: String,
    passed: Vec<String>,
    failed: Vec<FailedTest>,
    /// Indices into `failed` by name.
    sections: BTreeMap<String, usize>,
    ignored: Vec<String>,
    filtered: usize,
    /// Whether it announced its tests, and so has the standard harness.
    started: bool,
    /// Whether its result line was read.
    ended: bool,
    /// Test whose output is being read.
    section: Option<usize>,
    /// Last lines that belong to no test: the output of a binary before a crash.
    tail: Vec<String>,
}

/// The result of one test, as reported by a line.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct TestLine {
    pub(crate) name: String,
    pub(crate) passed: bool,
}

impl Parser {
    /// Reads one line without its newline.
    pub(crate) fn line(&mut self, line: &str) -> Option<TestLine> {
        let line = &line[..line.floor_char_boundary(LINE_BYTES)];
        if let Some(name) = starts_binary(line) {
            if self.binaries.len() == BINARIES || !self.budget.take(2 * name.len()) {
                self.budget.is_spent = true;
                return None;
            }
            let same = self.named.entry(name.clone()).or_default();
            *same += 1;
            let name = if *same == 1 { name } else { format!("{name}#{same}") };
            self.binaries.push(Binary { name, ..Binary::default() });
            return None;
        }
        if let Some(name) = failed_target(line)
            && self.budget.take(name.len())
        {
            self.failed_binaries.insert(name);
        }
        self.binaries.last_mut()?.line(line, &mut self.budget)
    }

    /// The report. `clean`: cargo itself ran to its end, whether or not tests failed. `filter`
    /// keeps the tests whose name contains it.
    pub(crate) fn finish(mut self, clean: bool, filter: Option<&str>) -> TestReport {
        let wanted = |name: &str| filter.is_none_or(|filter| name.contains(filter));
        let complete = clean && !self.budget.is_spent;
        let mut report = TestReport { complete, ..TestReport::default() };
        for binary in &mut self.binaries {
            let failed = self.failed_binaries.contains(binary.base_name());
            binary.end_without_harness(failed);
        }
        for binary in self.binaries {
            report.complete &= binary.ended;
            if !binary.ended {
                report.failed.push(FailedTest {
                    name: format!("{}::(did not end)", binary.name),
                    output: bounded(&binary.tail.join("\n")),
                });
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
                    .into_iter()
                    .map(|test| FailedTest {
                        name: full(&test.name),
                        output: bounded(&test.output),
                    })
                    .filter(|test| wanted(&test.name)),
            );
        }
        report.passed.sort();
        report.ignored.sort();
        report.failed.sort_by(|a, b| a.name.cmp(&b.name));
        report
    }
}

impl Binary {
    fn base_name(&self) -> &str {
        self.name.split('#').next().unwrap_or(&self.name)
    }

    fn line(&mut self, line: &str, budget: &mut Budget) -> Option<TestLine> {
        if let Some(counts) = line.strip_prefix("test result: ") {
            self.ended = true;
            self.filtered = filtered(counts);
            self.section = None;
            return None;
        }
        if let Some(name) = section(line) {
            self.section = self.sections.get(name).copied();
            return None;
        }
        if let Some(idx) = self.section {
            if line == "failures:" {
                self.section = None;
            } else if let Some(test) = self.failed.get_mut(idx)
                && test.output.len() < 2 * OUTPUT_BYTES
                && budget.take(line.len())
            {
                test.output.push_str(line);
                test.output.push('\n');
            }
            return None;
        }
        self.started |= is_announcement(line);
        match result(line) {
            Some((name, _)) if !budget.take(2 * name.len()) => None,
            Some((name, Verdict::Passed)) => {
                self.passed.push(name.to_owned());
                Some(TestLine { name: format!("{}::{name}", self.name), passed: true })
            }
            Some((name, Verdict::Failed)) => {
                self.sections.entry(name.to_owned()).or_insert(self.failed.len());
                self.failed.push(FailedTest { name: name.to_owned(), output: String::new() });
                Some(TestLine { name: format!("{}::{name}", self.name), passed: false })
            }
            Some((name, Verdict::Ignored)) => {
                self.ignored.push(name.to_owned());
                None
            }
            None => {
                if self.tail.len() == 40 {
                    self.tail.remove(0);
                }
                self.tail.push(line[..line.floor_char_boundary(OUTPUT_BYTES)].to_owned());
                None
            }
        }
    }
}

impl Binary {
    /// A binary that announced no tests has a harness of its own, whose only result is its exit
    /// status: cargo continued to its end and lists the failed binaries.
    fn end_without_harness(&mut self, failed: bool) {
        if self.started || self.ended || !(self.passed.is_empty() && self.failed.is_empty()) {
            return;
        }
        self.ended = true;
        if failed {
            let output = self.tail.join("\n");
            self.failed.push(FailedTest { name: WHOLE_BINARY.to_owned(), output });
        } else {
            self.passed.push(WHOLE_BINARY.to_owned());
        }
    }
}

/// `running 4 tests`.
fn is_announcement(line: &str) -> bool {
    let count = line.strip_prefix("running ").and_then(|rest| rest.split_once(' '));
    count.is_some_and(|(count, what)| {
        count.bytes().all(|byte| byte.is_ascii_digit()) && what.starts_with("test")
    })
}

/// The 2 of `ok. 1 passed; 0 failed; 0 ignored; 0 measured; 2 filtered out; finished in 0.00s`.
fn filtered(counts: &str) -> usize {
    let part = counts.split(';').find_map(|part| part.trim().strip_suffix(" filtered out"));
    part.and_then(|count| count.parse().ok()).unwrap_or(0)
}

/// The binary's name in cargo's list of failed targets: `    `-p my-crate --test it``.
fn failed_target(line: &str) -> Option<String> {
    let target = line.strip_prefix("    `")?.strip_suffix('`')?;
    let mut words = target.split(' ').skip_while(|word| !matches!(*word, "--test" | "--bin"));
    Some(words.nth(1)?.replace('-', "_"))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Passed,
    Failed,
    Ignored,
}

/// `     Running unittests src/lib.rs (/t/debug/deps/my_crate-0123456789abcdef)`,
/// `   Doc-tests my_crate`.
fn starts_binary(line: &str) -> Option<String> {
    let trimmed = line.trim_start();
    if line.len() == trimmed.len() {
        return None;
    }
    if let Some(name) = trimmed.strip_prefix("Doc-tests ") {
        return Some(format!("{}::doc", name.trim().replace('-', "_")));
    }
    let (_, path) = trimmed.strip_prefix("Running ")?.rsplit_once(" (")?;
    let stem = path.strip_suffix(')')?.rsplit('/').next()?;
    let stem = stem.strip_suffix(".exe").unwrap_or(stem);
    Some(match stem.rsplit_once('-') {
        Some((name, hash)) if hash.len() == 16 => name.to_owned(),
        _ => stem.to_owned(),
    })
}

/// `test tests::adds ... ok`; a `should panic` test has a remark after its name.
fn result(line: &str) -> Option<(&str, Verdict)> {
    let (name, verdict) = line.strip_prefix("test ")?.rsplit_once(" ... ")?;
    let name = name
        .strip_suffix(" - should panic")
        .or_else(|| name.strip_suffix(" - compile fail"))
        .or_else(|| name.strip_suffix(" - compile"))
        .unwrap_or(name);
    let word = verdict.split([' ', ',']).next()?;
    let verdict = match word {
        "ok" => Verdict::Passed,
        "FAILED" => Verdict::Failed,
        "ignored" => Verdict::Ignored,
        _ => return None,
    };
    Some((name, verdict))
}

/// `---- tests::adds stdout ----`.
fn section(line: &str) -> Option<&str> {
    let name = line.strip_prefix("---- ")?.strip_suffix(" ----")?;
    name.strip_suffix(" stdout").or_else(|| name.strip_suffix(" stderr")).or(Some(name))
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
