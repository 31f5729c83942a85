//! [`Facts`]: what the gate counts of a change. The events that threads see and the sentences of a refusal
//! are both made from it, so that neither can count differently.
use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

use base::ProjectPath;

use crate::{
    ChangeSource, Exception, FileSummary, Findings, GateRules, PROTECTED_FILE, ReportedViolation,
    Rung, RungName, TestOutcome, protected,
};

/// The preservation rule that allows a missing test.
pub(crate) const TEST_REMOVED: &str = "test-removed";
/// The preservation rule about settings of dependencies, which rules of graftage choose by what the code asks
/// for.
const DEPENDENCY_CHANGED: &str = "dependency-changed";

/// The findings of a change, under rules and with what a person has allowed by name.
#[derive(Clone, Copy)]
pub(crate) struct Facts<'a> {
    pub(crate) rules: &'a GateRules,
    pub(crate) findings: &'a Findings,
    /// GateRules of preservation that may be violated, and protected files that may change.
    pub(crate) allow: &'a [String],
}

/// A protected file that changes.
pub(crate) struct ProtectedFile<'a> {
    pub(crate) path: &'a ProjectPath,
    /// Name of the protected part, and why.
    pub(crate) reason: String,
}

impl<'a> Facts<'a> {
    /// The last run of a rung; all tests include those of the touched packages.
    pub(crate) fn rung(&self, name: RungName) -> Option<&'a Rung> {
        let findings = self.findings;
        findings.rung(name).or_else(|| {
            findings.rung(RungName::AllTests).filter(|_| name == RungName::AffectedTests)
        })
    }

    /// Whether a rung did what it is asked for. One of tests need not pass where the tests that fail or are
    /// missing are counted one by one ([`Self::new_failures`], [`Self::lost`]).
    pub(crate) fn is_done(&self, name: RungName) -> bool {
        let is_counted = name.runs_tests() && self.is_counted();
        self.rung(name).is_some_and(|rung| rung.passed || is_counted)
    }

    /// Whether the run of tests came to its end, with tests that fail or are missing.
    fn is_counted(&self) -> bool {
        self.findings.tests.as_ref().is_some_and(|tests| {
            tests.complete && !(tests.newly_failing().is_empty() && tests.lost.is_empty())
        })
    }

    /// Whether the change was built and leaves fewer errors than the tree has, and some.
    pub(crate) fn is_nearer(&self) -> bool {
        let left = self.findings.errors_after;
        let is_less = left > 0 && self.findings.errors_before.is_some_and(|before| left < before);
        is_less && self.is_done(RungName::Parse) && self.rung(RungName::Check).is_some()
    }

    /// Whether what was compiled, if anything, is the change.
    pub(crate) fn is_what_was_compiled(&self) -> bool {
        let findings = self.findings;
        let is_compiled = findings.rungs.iter().any(|rung| rung.name.compiles());
        !is_compiled || findings.compiled == Some(findings.patch_set)
    }

    /// The tests that fail now and did not before.
    pub(crate) fn new_failures(&self) -> Vec<&'a str> {
        self.findings.tests.as_ref().map(TestOutcome::newly_failing).unwrap_or_default()
    }

    /// The tests that passed before and did not run, unless a person allows that.
    pub(crate) fn lost(&self) -> &'a [String] {
        match &self.findings.tests {
            Some(tests) if !self.allows(TEST_REMOVED) => &tests.lost,
            _ => &[],
        }
    }

    /// The violations of the preservation rule, except those that a person allows and those that `own rules`
    /// may make.
    pub(crate) fn violations(&self) -> impl Iterator<Item = &'a ReportedViolation> {
        let facts = *self;
        self.findings.violations.iter().filter(move |violation| {
            let is_exempt = facts.is_own() && violation.rule == DEPENDENCY_CHANGED;
            !is_exempt && !facts.allows(&violation.rule)
        })
    }

    /// The changed files that the allow-list lacks.
    ///
    /// # Errors
    /// The glob that is none, and why.
    pub(crate) fn outside(&self) -> Result<Vec<&'a FileSummary>, (String, String)> {
        if self.rules.allow_files.is_empty() {
            return Ok(Vec::new());
        }
        let allowed = glob_set(&self.rules.allow_files)?;
        let files = self.findings.files.iter();
        Ok(files.filter(|file| !allowed.is_match(file.path.as_str())).collect())
    }

    /// Files that only a person may change, each once: by its path, and where its text decides. Without the
    /// files that a person has allowed.
    pub(crate) fn protected(&self) -> impl Iterator<Item = ProtectedFile<'a>> {
        let (facts, is_own) = (*self, self.is_own());
        let by_path = self.findings.files.iter().filter_map(move |file| {
            let row = protected(&file.path)?;
            let may = is_own && row.except == Exception::OwnRules;
            let reason = format!("`{}` is {}", file.path, row.reason);
            (!may).then_some(ProtectedFile { path: &file.path, reason })
        });
        let by_text = self.findings.protected.iter().filter(move |it| !(is_own && it.by_rules));
        let by_text = by_text.map(|it| {
            let what = match &it.key {
                Some(key) => format!("`{key}` in `{}`", it.path),
                None => format!("`{}`", it.path),
            };
            ProtectedFile { path: &it.path, reason: format!("{what} is {}", it.reason) }
        });
        let all = by_path.chain(by_text);
        all.filter(move |it| !facts.allows(&format!("{PROTECTED_FILE}:{}", it.path)))
    }

    /// The number of lines that are added and removed.
    pub(crate) fn lines(&self) -> usize {
        let lines = self.findings.files.iter().map(|it| it.added.saturating_add(it.removed));
        lines.fold(0, usize::saturating_add)
    }

    fn is_own(&self) -> bool {
        self.rules.source == ChangeSource::OwnRules
    }

    fn allows(&self, name: &str) -> bool {
        self.allow.iter().any(|it| it == name)
    }
}

/// `*` does not match `/`, `**` does; a glob that ends in `/` matches everything below it.
fn glob_set(globs: &[String]) -> Result<GlobSet, (String, String)> {
    let mut builder = GlobSetBuilder::new();
    for glob in globs {
        let pattern = if glob.ends_with('/') { format!("{glob}**") } else { glob.clone() };
        let compiled = GlobBuilder::new(&pattern)
            .literal_separator(true)
            .build()
            .map_err(|error| (glob.clone(), error.kind().to_string()))?;
        builder.add(compiled);
    }
    builder.build().map_err(|error| (String::new(), error.kind().to_string()))
}
