//! Parses the output of `cargo nextest run --message-format libtest-json`. Each test is a separate
//! process there, so a test that aborts its process is known by name; that is all it is used for.

use base::SortedSet;

use serde::Deserialize;

use crate::budget::Budget;
use crate::libtest::{TestLine, bounded};
use crate::report::{FailedTest, TestReport};

#[derive(Deserialize)]
struct Line {
    #[serde(rename = "type")]
    kind: String,
    event: String,
    name: Option<String>,
    #[serde(default)]
    stdout: String,
}

/// Reads line by line; [`Parser::finish`] returns the report.
#[derive(Debug, Default)]
pub(crate) struct Parser {
    report: TestReport,
    suites: usize,
    test_line: SortedSet<String>,
    budget: Budget,
}

impl Parser {
    /// Reads one line; ignores lines other than events.
    pub(crate) fn line(&mut self, line: &[u8]) -> Option<TestLine> {
        let line: Line = serde_json::from_slice(line).ok()?;
        if line.kind != "test" {
            self.suites += usize::from(line.kind == "suite");
            return None;
        }
        let name = full_name(&line.name?);
        let passed = match line.event.as_str() {
            "ok" => true,
            "failed" => false,
            "ignored" => {
                self.report.ignored.push(name);
                return None;
            }
            _ => return None,
        };
        if self.budget.is_spent || !self.test_line.insert(format!("{name} {passed}")) {
            return None;
        }
        let output = if passed { String::new() } else { bounded(&line.stdout) };
        if !self.budget.take(3 * name.len() + output.len()) {
            return None;
        }
        if passed {
            self.report.passed.push(name.clone());
        } else {
            self.report.failed.push(FailedTest { name: name.clone(), output });
        }
        Some(TestLine { name, passed })
    }

    /// What was reported; `None` if the lines were no test run. Never complete: nextest takes status 0
    /// of a test's process for a pass, whatever ended the process.
    pub(crate) fn finish(mut self, filter: Option<&str>) -> Option<TestReport> {
        if self.suites == 0 {
            return None;
        }
        let wanted = |name: &str| filter.is_none_or(|filter| name.contains(filter));
        self.report.passed.retain(|name| wanted(name));
        self.report.failed.retain(|test| wanted(&test.name));
        self.report.passed.sort();
        self.report.ignored.sort();
        self.report.ignored.dedup();
        self.report.failed.sort_by(|a, b| a.name.cmp(&b.name));
        Some(self.report)
    }
}

/// `my-package::my-crate$tests::adds` is `my_crate::tests::adds`, as with `cargo test`.
fn full_name(name: &str) -> String {
    let (binary, test) = name.split_once('$').unwrap_or(("", name));
    let binary = binary.split_once("::").map_or(binary, |(_, binary)| binary);
    let binary = binary.rsplit('/').next().unwrap_or(binary);
    format!("{}::{test}", binary.replace('-', "_"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_that_aborts_is_known_by_name() {
        let mut parser = Parser::default();
        for line in [
            r#"{"type":"suite","event":"started","test_count":4}"#,
            r#"{"type":"test","event":"started","name":"my-k::it$abort"}"#,
            r#"{"type":"test","event":"ignored","name":"my-k::it$ig"}"#,
            r#"{"type":"test","event":"failed","name":"my-k::it$abort","exec_time":0.1,"stdout":"last words\n"}"#,
            r#"{"type":"test","event":"ok","name":"my-k::my-k$tests::okay","exec_time":0.08}"#,
            "noise",
        ] {
            parser.line(line.as_bytes());
        }
        let report = parser.finish(None).unwrap();
        assert_eq!(report.passed, ["my_k::tests::okay"]);
        assert_eq!(
            report.failed,
            [FailedTest { name: "it::abort".into(), output: "last words".into() }]
        );
        assert_eq!((report.ignored, report.complete), (vec!["it::ig".to_owned()], false));
    }

    #[test]
    fn other_output_is_no_report() {
        let mut parser = Parser::default();
        parser.line(b"error: unexpected argument");
        assert_eq!(parser.finish(None), None);
    }
}
