//! The result of a cargo command: [`CargoReport`] with diagnostics and tests, and the [`CargoEvent`]s before
//! it. Broken user code is part of it, never an error. Diagnostics are sorted, since units build in
//! parallel.

use std::time::Duration;

use base::{Diagnostic, Severity, SortedMap, SortedSet};
use sandbox::Protections;
use serde::{Deserialize, Serialize};

/// What is reported while cargo runs.
#[derive(Clone, Debug)]
pub enum CargoEvent {
    /// A diagnostic that is new in this run.
    Diagnostic(Box<Diagnostic>),
    /// A target was compiled, or was fresh.
    Unit {
        /// Package name.
        package: String,
        /// `lib`, `bin foo`, `test bar`.
        target: String,
        /// Whether it was up to date.
        fresh: bool,
    },
    /// A test ended.
    Test {
        /// Name as in [`TestReport`].
        name: String,
        /// Whether it passed.
        passed: bool,
    },
    /// A line of text for the user.
    Text(String),
}

/// The results of tests. The name of a test is its path below the name of its binary, as in code:
/// `my_crate::tests::adds`, `integration_file::it_works`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TestReport {
    /// Names of passed tests, sorted.
    pub passed: Vec<String>,
    /// Failed tests, sorted by name.
    pub failed: Vec<FailedTest>,
    /// Names of the tests skipped by `#[ignore]`, sorted.
    pub ignored: Vec<String>,
    /// Number of tests that the filter left out.
    pub filtered: usize,
    /// Whether the run was whole: every test binary ran to its end, and each test that was listed
    /// before reported once. If not, the absence of failures means nothing.
    pub complete: bool,
    /// Why the run was not whole: which binary, how many of how many tests.
    #[serde(default)]
    pub incomplete: Vec<String>,
    /// Whether a test binary did not run to its end. Not kept in a file.
    #[serde(skip)]
    pub cut_off: bool,
}

impl TestReport {
    /// Appends the results of other tests, in their order.
    pub fn append(&mut self, other: TestReport) {
        self.passed.extend(other.passed);
        self.failed.extend(other.failed);
        self.ignored.extend(other.ignored);
        self.filtered += other.filtered;
        self.complete &= other.complete;
        self.incomplete.extend(other.incomplete);
        self.cut_off |= other.cut_off;
    }

    /// Adds the results of other tests of the same command, sorted like its own.
    pub(crate) fn add(&mut self, other: TestReport) {
        self.append(other);
        self.passed.sort();
        self.failed.sort_by(|a, b| a.name.cmp(&b.name));
        self.ignored.sort();
    }

    /// Adds failures that a second run found. It names what ended a binary, and completes nothing: the
    /// run stays what it was.
    pub(crate) fn explain(&mut self, failed: Vec<FailedTest>) {
        for test in failed {
            match self.failed.iter_mut().find(|it| it.name == test.name) {
                Some(known) if known.output.is_empty() => known.output = test.output,
                Some(_) => {}
                // It passed where all ran together.
                None if self.passed.binary_search(&test.name).is_ok() => {}
                None => self.failed.push(test),
            }
        }
        self.failed.sort_by(|a, b| a.name.cmp(&b.name));
    }
}

/// A test that failed, or a test binary that did not run to its end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FailedTest {
    /// Name of the test.
    pub name: String,
    /// Output, truncated.
    pub output: String,
}

/// The result of a cargo command.
#[derive(Clone, Debug)]
pub struct CargoReport {
    /// Whether the build succeeded. With tests: everything was built; the tests may have failed.
    pub built: bool,
    /// Diagnostics without repetition (library and test target report the same), errors first, then
    /// by position.
    pub diagnostics: Vec<Diagnostic>,
    /// Number of messages dropped, because there were too many or they were too large.
    pub dropped: usize,
    /// Results of the tests, if tests were run.
    pub tests: Option<TestReport>,
    /// A failure other than a diagnostic: invalid manifest, resolver, missing dependency offline,
    /// failed build script, no memory.
    pub failure: Option<String>,
    /// Flags that the build scripts of local packages passed to the compiler, by package; of several
    /// runs those that all passed.
    pub script_cfgs: SortedMap<String, SortedSet<String>>,
    /// Whether the time limit was reached.
    pub timed_out: bool,
    /// Whether the user cancelled it.
    pub cancelled: bool,
    /// Wall-clock time.
    pub duration: Duration,
    /// CPU time of the whole process tree, if it could be measured.
    pub cpu: Option<Duration>,
    /// Sandbox layers that were in effect.
    pub protections: Protections,
    /// Configuration that the build did not read, with reasons.
    pub notes: Vec<String>,
    /// Whether dependencies were downloaded first.
    pub fetched: bool,
    /// Whether the project has no `Cargo.lock`, so that versions were chosen for this run alone.
    pub chose_versions: bool,
}

impl CargoReport {
    /// Number of the compiler's errors; a failure without any diagnostic counts as one.
    pub fn errors(&self) -> usize {
        let errors = self.diagnostics.iter().filter(|it| it.is_error()).count();
        if errors == 0 && !self.built { 1 } else { errors }
    }

    /// Whether the build failed, as it seems because something in it writes where it may not. Only a
    /// hint: foreign code prints what it likes.
    pub fn writes_sources(&self) -> bool {
        let is_refused = |text: &str| {
            ["Read-only file system", "os error 30", "Permission denied", "os error 13"]
                .iter()
                .any(|it| text.contains(it))
        };
        let errors = self.diagnostics.iter().filter(|it| it.is_error());
        let mut texts = errors.map(|it| it.rendered.as_deref().unwrap_or(&it.message));
        !self.built
            && !self.cancelled
            && !self.timed_out
            && (texts.any(is_refused) || self.failure.as_deref().is_some_and(is_refused))
    }
}

/// A key that is equal for equal diagnostics of different targets, and differs for the calls of a macro.
pub(crate) fn identity(diagnostic: &Diagnostic) -> String {
    use std::fmt::Write;
    let mut key = format!("{:?}|{:?}|{}", diagnostic.severity, diagnostic.code, diagnostic.message);
    for span in &diagnostic.spans {
        // The same code from another call of its macro is another place.
        let calls = std::iter::successors(Some(span), |it| Some(&it.expansion.as_ref()?.call_site));
        for it in calls {
            // Writing to a string cannot fail.
            let _ = write!(key, "|{}:{}-{}", it.place.as_str(), it.bytes.start, it.bytes.end);
        }
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

/// Removes repetitions and sorts: errors first, then by position. Units are compiled in parallel,
/// so the order of arrival differs from run to run.
pub(crate) fn dedup_and_sort(diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut seen = SortedSet::new();
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
