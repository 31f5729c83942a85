//! One test binary, or the documentation tests of one crate: what it has reported, and whether that is
//! whole.

use base::SortedMap;

use super::line::{
    Counts, Verdict, announcement, end, late_verdict, listed_result, result, section, status,
};
use super::{Harness, ListedTests, OUTPUT_BYTES, TestLine};
use crate::budget::Budget;
use crate::report::FailedTest;

/// Name of the only test of a binary without the standard harness (`harness = false`): its exit
/// status.
const WHOLE_BINARY: &str = "(whole binary)";
/// Maximum number of missing tests that a reason names.
const NAMED: usize = 5;

#[derive(Debug)]
pub(super) struct Binary {
    pub(super) name: String,
    harness: Harness,
    pub(super) passed: Vec<String>,
    pub(super) failed: Vec<FailedTest>,
    /// Indices into `failed` by name.
    sections: SortedMap<String, usize>,
    pub(super) ignored: Vec<String>,
    pub(super) filtered: usize,
    /// The tests that have reported.
    reported: SortedMap<String, usize>,
    /// Number of tests that it announced and not yet ended; documentation tests come in several
    /// groups.
    announced: Option<usize>,
    /// What its earlier groups counted.
    before: Counts,
    /// Whether its result line was read.
    ended: bool,
    /// The first thing that a whole run does not have.
    fault: Option<String>,
    /// Test whose output is being read.
    section: Option<usize>,
    /// Test that has started a line and has no verdict yet.
    started: Option<String>,
    /// Whether what it prints is no report ([`Harness::Own`]).
    is_output: bool,
    /// Last lines that belong to no test: the output of a binary before a crash.
    pub(super) tail: Vec<String>,
    /// Exit status of its process, if it ran alone.
    pub(super) exit_code: Option<i32>,
}

impl Binary {
    pub(super) fn new(name: String, harness: Harness) -> Self {
        Self {
            name,
            harness,
            passed: Vec::new(),
            failed: Vec::new(),
            sections: SortedMap::new(),
            ignored: Vec::new(),
            filtered: 0,
            reported: SortedMap::new(),
            announced: None,
            before: Counts::default(),
            ended: false,
            fault: None,
            section: None,
            started: None,
            is_output: false,
            tail: Vec::new(),
            exit_code: None,
        }
    }

    /// The end of its process, where that is known.
    pub(super) fn ended_with(&mut self, code: i32, by_test: bool) {
        self.exit_code = Some(code);
        // Its own harness may do so.
        let is_standard = self.harness != Harness::Own;
        // Without a result there is a reason that has more in it.
        if by_test && is_standard && self.ended {
            self.fault("was ended by a test".to_owned());
        } else if self.ended && code != 0 && self.failed.is_empty() {
            self.fault(format!("reported no failed test and ended with status {code}"));
        } else if self.ended && code == 0 && !self.failed.is_empty() && is_standard {
            self.fault("reported failed tests and ended with status 0".to_owned());
        }
    }

    pub(super) fn base_name(&self) -> &str {
        self.name.split('#').next().unwrap_or(&self.name)
    }

    fn is_documentation(&self) -> bool {
        self.base_name().ends_with("::doc")
    }

    fn list(&self) -> Option<&ListedTests> {
        match &self.harness {
            Harness::Standard(list) => list.as_ref(),
            Harness::Own => None,
        }
    }

    fn counts(&self) -> Counts {
        Counts {
            passed: self.passed.len(),
            failed: self.failed.len(),
            ignored: self.ignored.len(),
            ..Counts::default()
        }
    }

    /// Number of tests of the open group that have reported.
    fn seen(&self) -> usize {
        total(self.counts()) - total(self.before)
    }

    fn fault(&mut self, what: String) {
        self.fault.get_or_insert(what);
    }

    pub(super) fn line(&mut self, line: &str, budget: &mut Budget) -> Option<TestLine> {
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
        if self.is_output {
            self.keep_last(line);
            return None;
        }
        if let Some(counts) = end(line) {
            self.end(counts);
            return None;
        }
        if let Some(count) = announcement(line) {
            self.announce(count);
        } else if let Some((name, verdict)) = self.verdict(line) {
            return self.report(name, verdict, budget);
        }
        self.keep_last(line);
        None
    }

    fn keep_last(&mut self, line: &str) {
        if self.tail.len() == 40 {
            self.tail.remove(0);
        }
        self.tail.push(line[..line.floor_char_boundary(OUTPUT_BYTES)].to_owned());
    }

    fn announce(&mut self, count: usize) {
        if self.announced.is_some() || (self.ended && !self.is_documentation()) {
            return self.fault("announced its tests twice".to_owned());
        }
        if let Some(list) = self.list()
            && list.len() != count
        {
            let listed = list.len();
            self.fault(format!("announced {count} tests and had listed {listed}"));
        }
        self.announced = Some(count);
        self.ended = false;
    }

    fn end(&mut self, counts: Option<Counts>) {
        let Some(announced) = self.announced.take() else {
            let what =
                if self.ended { "printed two results" } else { "printed a result too early" };
            return self.fault(what.to_owned());
        };
        let Some(counts) = counts else {
            if self.harness == Harness::Own {
                return self.take_as_output();
            }
            self.ended = true;
            return self.fault("printed a result without counts".to_owned());
        };
        self.ended = true;
        let own = self.counts();
        let before = std::mem::replace(&mut self.before, own);
        let seen = total(own) - total(before);
        if seen + counts.measured != announced {
            self.fault(format!("ended after {seen} of {announced} tests"));
        }
        let group = [
            (counts.passed, own.passed - before.passed),
            (counts.failed, own.failed - before.failed),
            (counts.ignored, own.ignored - before.ignored),
        ];
        if group.iter().any(|(counted, seen)| counted != seen) {
            self.fault("counted other results than it reported".to_owned());
        }
        self.filtered += counts.filtered;
    }

    /// Takes all that a harness of its own printed as output: it resembles reports and is none.
    fn take_as_output(&mut self) {
        self.is_output = true;
        self.passed.clear();
        self.failed.clear();
        self.ignored.clear();
        self.reported.clear();
        self.fault = None;
        self.before = Counts::default();
    }

    /// The result that a line reports. What names no listed test is output: tools that print in the same
    /// form run within tests.
    fn verdict(&mut self, line: &str) -> Option<(String, Verdict)> {
        let found = match self.list() {
            Some(list) => listed_result(line, list),
            None => result(line),
        };
        match found {
            Some((name, Some(verdict))) => {
                self.started = None;
                Some((name.to_owned(), verdict))
            }
            Some((name, None)) => {
                self.started = Some(name.to_owned());
                None
            }
            None => {
                let verdict = self.started.as_ref().and_then(|_| late_verdict(line))?;
                Some((self.started.take()?, verdict))
            }
        }
    }

    fn report(&mut self, name: String, verdict: Verdict, budget: &mut Budget) -> Option<TestLine> {
        if !budget.take(3 * name.len()) {
            return None;
        }
        // Documentation tests of one place may have one name.
        let times = self.reported.entry(name.clone()).or_insert(0);
        *times += 1;
        let times = *times;
        let listed = self.list().map_or(1, |it| it.times(&name));
        if times > listed && !self.is_documentation() {
            self.fault(format!("reported {name} twice"));
        }
        match self.announced {
            Some(count) if self.seen() >= count => {
                self.fault(format!("reported more than the {count} tests that it announced"));
            }
            Some(_) => {}
            None if self.harness == Harness::Own => {}
            None => self.fault(format!("reported {name} outside of its run")),
        }
        let full = format!("{}::{name}", self.name);
        match verdict {
            Verdict::Passed => {
                self.passed.push(name);
                Some(TestLine { name: full, passed: true })
            }
            Verdict::Failed => {
                self.sections.entry(name.clone()).or_insert(self.failed.len());
                self.failed.push(FailedTest { name, output: String::new() });
                Some(TestLine { name: full, passed: false })
            }
            Verdict::Ignored => {
                self.ignored.push(name);
                None
            }
        }
    }

    /// A binary with a harness of its own that announced nothing has one result, its exit status: cargo
    /// continued to its end and lists the failed binaries.
    pub(super) fn end_without_harness(&mut self, failed: bool) {
        let is_silent = self.announced.is_none() && !self.ended && self.reported.is_empty();
        if self.harness != Harness::Own || !is_silent {
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

    /// Why it was not whole, if it was not. `clean`: cargo ran to its end; `failed`: it lists the
    /// binary as failed.
    pub(super) fn reason(&self, clean: bool, failed: bool) -> Option<String> {
        let name = &self.name;
        let status = || {
            if let Some(code) = self.exit_code {
                return exit_text(code);
            }
            let known = self.tail.iter().rev().find_map(|line| status(line));
            let text = known.unwrap_or(match (clean, failed) {
                (false, _) => "stopped",
                (true, true) => "exit status 101",
                (true, false) => "exit status 0",
            });
            text.to_owned()
        };
        if let Some(fault) = &self.fault {
            return Some(format!("test binary {name} {fault}"));
        }
        if self.ended {
            return None;
        }
        let Some(announced) = self.announced else {
            return Some(format!("test binary {name} ended without running tests ({})", status()));
        };
        let seen = self.seen();
        let mut reason =
            format!("test binary {name} ended after {seen} of {announced} tests ({})", status());
        let missing: Vec<&str> = self
            .list()
            .into_iter()
            .flat_map(ListedTests::names)
            .map(String::as_str)
            .filter(|it| !self.reported.contains_key(*it))
            .collect();
        if !missing.is_empty() {
            let more = missing.len().saturating_sub(NAMED);
            reason.push_str("; not reported: ");
            reason.push_str(&missing[..missing.len() - more].join(", "));
            if more > 0 {
                reason.push_str(&format!(" and {more} more"));
            }
        }
        Some(reason)
    }
}

/// An exit status, which is 128 and the number for a signal.
fn exit_text(code: i32) -> String {
    const SIGNALS: [(i32, &str); 4] =
        [(6, "SIGABRT"), (9, "SIGKILL"), (11, "SIGSEGV"), (15, "SIGTERM")];
    match SIGNALS.iter().find(|it| it.0 == code - 128) {
        Some((number, name)) => format!("signal: {number}, {name}"),
        None => format!("exit status {code}"),
    }
}

fn total(counts: Counts) -> usize {
    counts.passed + counts.failed + counts.ignored
}
