//! Findings while a proof is under way; [`Checked`] is what a caller gets.

use base::{Ctx, Diagnostic, LogEntry, ProjectPath, SortedMap, SortedSet};
use edit::{Files, Overlay};
use policy::{
    Evidence, FileSummary, Findings, PatchKind, ProofCoverage, ReportedViolation, Rung, RungName,
    Tree,
};
use preserve::{Allowed, ManifestPackage, TestFiles};

use crate::before::{Lint, lints, new_warnings};
use crate::map::MappedDiagnostic;
use crate::{Asked, Checked, RenamedName, protected, public_api, test_files};

/// An overlay and what has been found of it so far.
#[derive(Clone, Debug)]
pub(crate) struct Draft {
    pub(crate) overlay: Overlay,
    /// The change before its files were formatted: what it removes is computed from that.
    pub(crate) plain: Option<Overlay>,
    /// Files of the change that only tests use, although their paths do not show it.
    tests_only: TestFiles,
    pub(crate) findings: Findings,
    pub(crate) diagnostics: Vec<Diagnostic>,
    pub(crate) mapped: Vec<MappedDiagnostic>,
    pub(crate) tests: Option<build::TestReport>,
    pub(crate) failure: Option<String>,
    pub(crate) timed_out: bool,
    /// The packages that the check compiled anew: what a change reaches, as cargo finds it.
    pub(crate) rebuilt: SortedSet<String>,
    /// As in [`Checked::altered_by`].
    pub(crate) altered_by: Option<policy::RungName>,
}

impl Draft {
    pub(crate) fn new(files: &dyn Files, overlay: Overlay, tree: Tree) -> Self {
        Self::of(files, overlay, None, tree)
    }

    /// The draft of the same change with its files formatted.
    pub(crate) fn with_format(
        files: &dyn Files,
        formatted: Overlay,
        plain: Overlay,
        tree: Tree,
    ) -> Self {
        Self::of(files, formatted, Some(plain), tree)
    }

    fn of(files: &dyn Files, overlay: Overlay, plain: Option<Overlay>, tree: Tree) -> Self {
        let written = plain.as_ref().unwrap_or(&overlay);
        let is_deep = !preserve::too_deep(&overlay).is_empty();
        let tests_only = match is_deep {
            true => TestFiles::default(),
            false => test_files::of(files, &tree, written),
        };
        let found = preserve::preservation_with(written, &[], &Allowed::default(), &tests_only);
        let protected = protected::changes(files, &tree, &overlay);
        let findings = Findings {
            patch_set: overlay.patch_set(),
            tree: Some(tree),
            compiled: None,
            coverage: ProofCoverage::default(),
            rungs: Vec::new(),
            errors_before: None,
            errors_after: 0,
            first_error: None,
            first_error_before: None,
            new_errors: Vec::new(),
            new_warnings: Vec::new(),
            tests: None,
            files: overlay
                .changes()
                .map(|(path, change)| summary(&overlay, path, change))
                .collect(),
            violations: found.violations.into_iter().map(violation).collect(),
            protected,
            public_changes: if is_deep { Vec::new() } else { public_api::changes(&overlay) },
            notes: macro_notes(files, &overlay),
            protections: Vec::new(),
        };
        Self {
            overlay,
            plain,
            tests_only,
            findings,
            diagnostics: Vec::new(),
            mapped: Vec::new(),
            tests: None,
            failure: None,
            timed_out: false,
            rebuilt: SortedSet::new(),
            altered_by: None,
        }
    }

    /// The change without a formatter's edits.
    fn written(&self) -> &Overlay {
        self.plain.as_ref().unwrap_or(&self.overlay)
    }

    pub(crate) fn rung(&mut self, name: RungName, passed: bool, ms: u64, detail: String) -> bool {
        self.findings.rungs.push(Rung { name, passed, ms, detail });
        passed
    }

    /// What the overlay removes, now that the errors of the tree are known, and the user's
    /// in-progress change: both permit changes that are refused without them.
    pub(crate) fn preserves_given(&mut self, errors: &[Diagnostic], allowed: &Allowed) {
        if self.findings.violations.is_empty() {
            return;
        }
        let found = preserve::preservation_with(self.written(), errors, allowed, &self.tests_only);
        self.findings.violations = found.violations.into_iter().map(violation).collect();
        self.note_allowed(found.allowed);
    }

    /// The same if a person asked for a part of the overlay: that part may remove anything but tests,
    /// and the rest is compared with the tree that has it.
    pub(crate) fn preserves_asked(&mut self, files: &dyn Files, asked: &Asked) {
        let Ok(rest) = asked.overlay.invert().compose(self.written()) else { return };
        let is_declared = |it| preserve::is_relisting(&asked.overlay, it);
        let tests_only = self.with_tests_of(files, &asked.overlay);
        let own = match &asked.relisting {
            Some(relisting) if is_declared(relisting) => Vec::new(),
            _ => {
                let nothing = Allowed::default();
                preserve::preservation_with(&asked.overlay, &[], &nothing, &tests_only).violations
            }
        };
        let mut allowed = asked.allowed.clone();
        allowed.raises_edition |= preserve::raises_edition(&asked.overlay);
        let found = preserve::preservation_with(&rest, &asked.errors, &allowed, &tests_only);
        let own = own.into_iter().filter(|it| it.rule.protects_tests());
        self.findings.violations = own.chain(found.violations).map(violation).collect();
        self.note_allowed(found.allowed);
    }

    /// The files that only tests use, of this change and of a part of it that reverts some of its edits.
    fn with_tests_of(&self, files: &dyn Files, part: &Overlay) -> TestFiles {
        let mut all = self.tests_only.clone();
        if let Some(tree) = &self.findings.tree {
            let TestFiles { code, data, names } = test_files::of(files, tree, part);
            all.code.extend(code);
            all.data.extend(data);
            all.names.extend(names);
        }
        all
    }

    fn note_allowed(&mut self, allowed: Vec<preserve::Violation>) {
        for it in allowed {
            let preserve::Violation { path, line, detail, .. } = it;
            self.note(format!("goes with what you removed or renamed: {detail} ({path}:{line})"));
        }
    }

    /// What a declared renaming removes: nothing, if it is no more than that.
    pub(crate) fn preserves_renaming(&mut self, renamed: Option<&RenamedName>) {
        let Some(RenamedName { from, to }) = renamed else { return };
        if preserve::is_renaming(self.written(), from, to) {
            self.findings.violations.clear();
        }
    }

    /// What a declared move does besides it: if nothing, it removes nothing.
    pub(crate) fn preserves_move(&mut self, moved: Option<&preserve::MovedItem>) {
        let Some(moved) = moved else { return };
        let found = preserve::move_violations(self.written(), moved);
        if found.is_empty() {
            self.findings.violations.clear();
        }
        self.findings.violations.extend(found.into_iter().map(violation));
    }

    /// Clears the removals of a declared inlining that is no more than that.
    pub(crate) fn preserves_inlining(&mut self, inlined: Option<&preserve::InlinedItem>) {
        if inlined.is_some_and(|it| preserve::is_inlining(self.written(), it)) {
            self.findings.violations.clear();
        }
    }

    /// Whether the check rung passed.
    pub(crate) fn passed_check(&self) -> bool {
        self.findings.rung(RungName::Check).is_some_and(|it| it.passed)
    }

    /// Whether the verdict needs the tree without the change: its errors explain those of the change,
    /// and permit some removals.
    pub(crate) fn needs_baseline(&self) -> bool {
        let is_clean = self.passed_check() && self.errors() == 0 && self.failure.is_none();
        !is_clean || self.timed_out || !self.findings.violations.is_empty()
    }

    /// A note, once.
    pub(crate) fn note(&mut self, note: String) {
        if !self.findings.notes.contains(&note) {
            self.findings.notes.push(note);
        }
    }

    /// Notes which file that the build did not see an error may be about.
    pub(crate) fn note_closed(&mut self, closed: &SortedSet<ProjectPath>) {
        let errors = self.diagnostics.iter().filter(|it| it.severity == base::Severity::Error);
        let text: String = errors.map(|it| it.message.as_str()).collect::<Vec<_>>().join("\n");
        let text = format!("{text}\n{}", self.failure.as_deref().unwrap_or_default());
        let named = closed.iter().filter(|it| text.contains(it.file_name()));
        let named: Vec<String> = named.take(5).map(|it| format!("`{it}`")).collect();
        if !named.is_empty() {
            self.note(format!(
                "closed to agents, so this build did not see {}; one in a folder of `trust.paths` is seen",
                named.join(", ")
            ));
        }
    }

    /// How many different errors the compiler has found.
    pub(crate) fn errors(&self) -> usize {
        self.diagnostics.iter().filter(|it| it.is_error()).count()
    }

    /// Names the first error, and the first of those that the tree has without the change.
    pub(crate) fn name_errors(&mut self, before: &[Diagnostic]) {
        let is_known = |of: &Diagnostic| {
            before.iter().any(|it| {
                let file = |it: &Diagnostic| it.user_span().map(|it| it.place.clone());
                (&it.code, &it.message, file(it)) == (&of.code, &of.message, file(of))
            })
        };
        let errors = || self.mapped.iter().filter(|it| it.diagnostic.is_error());
        let first = errors().find(|it| !is_known(&it.diagnostic)).or(errors().next());
        let findings = &mut self.findings;
        let stopped = self.failure.as_deref().and_then(|it| it.lines().next());
        let stopped = stopped.filter(|_| findings.errors_after > 0 && !self.timed_out);
        findings.first_error = first.map(MappedDiagnostic::one_line).or(stopped.map(str::to_owned));
        let first = before.iter().find(|it| it.is_error());
        findings.first_error_before = first.map(|it| {
            let place = it.user_span().and_then(|it| Some((it.place.project()?, it.start.line)));
            let place = place.map_or(String::new(), |(path, line)| format!("{path}:{line}: "));
            format!("{place}{}", it.message)
        });
    }

    /// Lists the errors that the tree does not have, and why the build did not come to its end.
    pub(crate) fn list_new_errors(&mut self, before: &[Diagnostic]) {
        let mut known = lints(before.iter().filter(|it| it.is_error()));
        let mut is_new = |it: &&MappedDiagnostic| match known.get_mut(&Lint::of(&it.diagnostic)) {
            Some(count) if *count > 0 => {
                *count -= 1;
                false
            }
            _ => true,
        };
        let errors = self.mapped.iter().filter(|it| it.diagnostic.is_error());
        let new = errors.filter(|it| is_new(it)).map(MappedDiagnostic::one_line);
        let cut_off = self.timed_out.then(|| "the check timed out".to_owned());
        self.findings.new_errors = new.chain(self.failure.clone()).chain(cut_off).collect();
    }

    /// Lists the warnings that the tree does not have without the change.
    pub(crate) fn list_new_warnings(&mut self, before: &SortedMap<Lint, usize>) {
        let new = new_warnings(before, &self.diagnostics);
        let mapped = |of: &&Diagnostic| self.mapped.iter().find(|it| it.diagnostic == **of);
        let lines = new.iter().filter_map(mapped).map(MappedDiagnostic::one_line);
        self.findings.new_warnings = lines.collect();
    }

    /// The proof as it is handed out: nothing is added to its evidence afterwards.
    pub(crate) fn finish(mut self, ctx: &Ctx) -> Checked {
        if let Some(log) = ctx.log() {
            let errors =
                [("errors", self.diagnostics.iter().filter(|it| it.is_error()).count() as u64)];
            for Rung { name, ms, .. } in &self.findings.rungs {
                let (detail, micros) = (name.as_str(), ms * 1_000);
                log.finished(&LogEntry { name: "proof", detail, micros, numbers: &errors });
            }
        }
        if self.findings.first_error.is_none() {
            self.name_errors(&[]);
        }
        Checked {
            overlay: self.overlay,
            evidence: Evidence::of(self.findings),
            diagnostics: self.diagnostics,
            mapped: self.mapped,
            tests: self.tests,
            failure: self.failure,
            timed_out: self.timed_out,
            altered_by: self.altered_by,
        }
    }
}

fn violation(of: preserve::Violation) -> ReportedViolation {
    ReportedViolation {
        rule: of.rule.as_str().to_owned(),
        place: format!("{}:{}", of.path, of.line),
        detail: of.detail,
        protects_tests: of.rule.protects_tests(),
    }
}

/// A file that moved has only the lines that differ: those of the old path are not removed.
fn summary(overlay: &Overlay, path: &base::ProjectPath, change: &edit::FileChange) -> FileSummary {
    let stat = overlay.file_stat(path);
    FileSummary {
        path: path.clone(),
        kind: match (&change.before, &change.after) {
            (None, Some(_)) if change.renamed_from.is_some() => PatchKind::Rename,
            (None, _) => PatchKind::Create,
            (Some(_), None) => PatchKind::Delete,
            (Some(_), Some(_)) => PatchKind::Edit,
        },
        added: stat.added,
        removed: stat.removed,
    }
}

/// A note for each macro crate that the overlay changes: what its macros make of texts is compared with
/// nothing.
fn macro_notes(files: &dyn Files, overlay: &Overlay) -> Vec<String> {
    let changed = overlay.changes().map(|it| it.0).filter(|it| it.extension() == Some("rs"));
    let packages = changed.filter_map(|path| ManifestPackage::of_file(files, path).ok().flatten());
    let names: SortedSet<String> =
        packages.filter(|it| it.is_proc_macro).filter_map(|it| it.name).collect();
    let note = |name| format!("what the macros of `{name}` make of code and texts is not compared");
    names.into_iter().map(note).collect()
}
