use std::collections::BTreeSet;
use std::time::Duration;

use base::{Diagnostic, Severity};
use sandbox::Protections;
use serde::{Deserialize, Serialize};

/// What streams out while cargo runs.
#[derive(Clone, Debug)]
pub enum Event {
    /// A diagnostic that was not said before in this run.
    Diagnostic(Box<Diagnostic>),
    /// One target was compiled, or was fresh.
    Unit {
        /// The package's name.
        package: String,
        /// `lib`, `bin foo`, `test bar`.
        target: String,
        /// Nothing had to be done.
        fresh: bool,
    },
    /// One test ended.
    Test {
        /// As in [`TestReport`].
        name: String,
        /// How.
        passed: bool,
    },
    /// A line for people.
    Text(String),
}

/// How the tests went. A test's name is its path below its binary's name, as the compiler would
/// write it: `my_crate::tests::adds`, `integration_file::it_works`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TestReport {
    /// Names, sorted.
    pub passed: Vec<String>,
    /// In the order of their names.
    pub failed: Vec<FailedTest>,
    /// The names of those skipped by `#[ignore]`, sorted.
    pub ignored: Vec<String>,
    /// How many were left out by a filter that the binaries were given.
    pub filtered: usize,
    /// Every test binary was run to its end; without it the absence of failures says nothing.
    pub complete: bool,
}

/// A test that failed, or a test binary that did not come to its end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FailedTest {
    /// Its name.
    pub name: String,
    /// What it printed, bounded.
    pub output: String,
}

/// What cargo said.
#[derive(Clone, Debug)]
pub struct Report {
    /// The build finished (for tests: everything built; the tests may have failed).
    pub built: bool,
    /// De-duplicated (library and test target say the same thing twice), errors first, then by
    /// place.
    pub diagnostics: Vec<Diagnostic>,
    /// Messages that were not kept, because there were too many or too large ones.
    pub dropped: usize,
    /// Where tests were run.
    pub tests: Option<TestReport>,
    /// A failure that is no diagnostic: manifest unreadable, resolver, missing dependency offline,
    /// a build script that failed, no memory.
    pub failure: Option<String>,
    /// The time was over first.
    pub timed_out: bool,
    /// The user asked to stop.
    pub cancelled: bool,
    /// Wall clock.
    pub duration: Duration,
    /// Of the whole process tree, where it could be measured.
    pub cpu: Option<Duration>,
    /// What it ran under.
    pub protections: Protections,
    /// Whether dependencies were downloaded first.
    pub fetched: bool,
    /// Whether the project has no `Cargo.lock`, and versions were chosen for this run alone.
    pub chose_versions: bool,
}

impl Report {
    /// How many errors the compiler found; a failure without any diagnostic counts as one.
    pub fn errors(&self) -> usize {
        let errors = self.diagnostics.iter().filter(|it| it.is_error()).count();
        if errors == 0 && !self.built { 1 } else { errors }
    }
}

/// What makes two diagnostics the same, whichever target they arose in.
pub(crate) fn identity(diagnostic: &Diagnostic) -> String {
    use std::fmt::Write;
    let mut key = format!("{:?}|{:?}|{}", diagnostic.severity, diagnostic.code, diagnostic.message);
    for span in &diagnostic.spans {
        // Writing to a string cannot fail.
        let _ = write!(key, "|{}:{}-{}", span.place.as_str(), span.bytes.start, span.bytes.end);
    }
    for child in &diagnostic.children {
        let _ = write!(key, "|{}", child.message);
        for replacement in &child.replacements {
            let _ = write!(
                key,
                "|{}:{}-{}={}",
                replacement.place.as_str(),
                replacement.bytes.start,
                replacement.bytes.end,
                replacement.text
            );
        }
    }
    key
}

/// Drops repetitions and puts errors first, then in order of place: units are compiled in
/// parallel, so the order of arrival says nothing and would differ from run to run.
pub(crate) fn settle(diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut seen = BTreeSet::new();
    let mut kept: Vec<(SortKey, Diagnostic)> = diagnostics
        .into_iter()
        .filter(|diagnostic| seen.insert(identity(diagnostic)))
        .map(|diagnostic| (SortKey::of(&diagnostic), diagnostic))
        .collect();
    kept.sort_by(|a, b| a.0.cmp(&b.0));
    kept.into_iter().map(|(_, diagnostic)| diagnostic).collect()
}

#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct SortKey {
    severity: Severity,
    nowhere: bool,
    file: String,
    start: usize,
    end: usize,
    code: Option<String>,
    identity: String,
}

impl SortKey {
    fn of(diagnostic: &Diagnostic) -> Self {
        let span = diagnostic.user_span();
        Self {
            severity: diagnostic.severity,
            nowhere: span.is_none(),
            file: span.map(|span| span.place.as_str().to_owned()).unwrap_or_default(),
            start: span.map_or(0, |span| span.bytes.start),
            end: span.map_or(0, |span| span.bytes.end),
            code: diagnostic.code.clone(),
            identity: identity(diagnostic),
        }
    }
}
