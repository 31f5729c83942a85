//! `upgrade --edition`: the compiler's own lints for the edition, its manifests, and what they leave to
//! repair. Start at [`upgrade_edition`].

use std::path::Path;

use base::{Ctx, ProjectPath, SortedMap, SortedSet, Timestamp};
use change::{EditionFindings, EditionWarning, LintedRoot};
use check::{Ladder, SkipRule, Tests};
use edit::{FileState, Files as _, Overlay, Splice};
use project::Workspace;
use repo::CommitMessage;

use crate::task::{Task, why_not};
use crate::{AgentError, FixEvent, FixOptions, FixOutcome, FixResult, IntentRow, TaskStep};

/// Author of the overlays.
const AUTHOR: &str = "graftage upgrade";
/// Most passes of the lints of one edition.
const PASSES: usize = 8;
/// Most warnings that the notes list.
const LISTED: usize = 20;

/// Migrates the packages of the workspace to an edition. Writes nothing: [`crate::apply`] does, if the
/// proof passed.
///
/// For each edition on the way, its lints are turned on in an overlay and the edits that the compiler is
/// certain of are applied, until no more come; then the manifests change. The repair loop fixes what
/// does not build. What the lints only warn about is listed; unless `accept` is set, it makes the
/// result a draft.
///
/// # Errors
/// An edition without lints, and errors of the crates below.
pub(crate) fn upgrade_edition(
    ctx: &Ctx,
    workspace: &Workspace,
    (edition, accept): (&str, bool),
    options: &FixOptions,
    on: &mut dyn FnMut(&FixEvent),
) -> Result<FixResult, AgentError> {
    let refused = |reason: &str| AgentError::Edition {
        edition: edition.to_owned(),
        reason: reason.to_owned(),
    };
    if !change::is_known_edition(edition) {
        return Err(refused(
            "the compiler has no lints that prepare for it, as for 2018, 2021 and 2024",
        ));
    }
    let task = Task::new(ctx, workspace, options, on)?;
    let older = older(ctx, workspace, edition)?;
    let Older { roots, manifests } =
        older.ok_or_else(|| refused("cargo cannot read the manifests"))?;
    let Some(oldest) = roots.values().min().cloned() else {
        return Err(refused("every package has it, or a later one"));
    };
    for path in &manifests {
        let text = workspace.project().read(path).ok().flatten().map(|it| it.text);
        if let Some((own, oldest)) = text.and_then(|it| change::needs_newer_rust(&it, edition)) {
            return Err(refused(&format!(
                "{path} has `rust-version = \"{own}\"`, and it needs {oldest}: raise that first"
            )));
        }
    }
    let (texts, warnings) = (SortedMap::new(), SortedSet::new());
    let mut migration = Migration { task, roots, manifests, texts, edits: 0, warnings };
    for stage in change::editions_between(&oldest, edition) {
        if let Some(reason) = migration.stage(stage)? {
            return Ok(migration.task.abort(None, reason));
        }
    }
    let Migrated { begin, asked, edits, warnings } = migration.finish();
    let evidence = format!("the packages are to have the edition {edition}");
    let tests = options.tests.unwrap_or(workspace.settings().check_tests);
    let fix = FixOptions {
        begin: Some(begin),
        is_own: true,
        asked: Some(asked),
        // Only a run of all tests has those of the documentation, which have the edition too.
        tests: Some(if tests == Tests::Affected { Tests::All } else { tests }),
        request: Some(IntentRow {
            what: "edition".into(),
            item: edition.to_owned(),
            evidence,
            confidence: 1.0,
            file: "Cargo.toml".to_owned(),
            line: 1,
        }),
        ..options.clone()
    };
    let mut fixed = crate::fix(ctx, workspace, &fix, on)?;
    report(&mut fixed, edition, edits, &warnings, accept);
    Ok(fixed)
}

/// Adds what the lints did, and left, to the report.
fn report(
    fixed: &mut FixResult,
    edition: &str,
    edits: usize,
    warnings: &SortedSet<EditionWarning>,
    accept: bool,
) {
    let report = &mut fixed.report;
    let summary =
        format!("edition {edition}: {} by the compiler's lints", base::counted(edits, "edit"));
    report.rationale.insert(0, summary);
    for it in warnings.iter().take(LISTED) {
        let place = match &it.place {
            Some((path, line)) => format!("{path}:{line}: "),
            None => String::new(),
        };
        report.notes.push(format!("{place}{} ({})", it.message, it.lint));
    }
    if warnings.len() > LISTED {
        report.notes.push(format!("{} more such places", warnings.len() - LISTED));
    }
    let left =
        report.evidence.as_ref().map(|it| unbuilt_features(&it.coverage)).unwrap_or_default();
    if !left.is_empty() {
        let left = left.join(", ");
        report.notes.push(format!(
            "the code of {left} was not built, and is not migrated: `--all-features` migrates it too"
        ));
    }
    let message = CommitMessage {
        kind: "build".to_owned(),
        scope: None,
        summary: format!("migrate to edition {edition}"),
        body: report.rationale.clone(),
    };
    fixed.message = Some(message.fitted());
    if !warnings.is_empty() && !accept && fixed.accepted.take().is_some() {
        let places = base::counted(warnings.len(), "place");
        report.outcome = FixOutcome::Draft;
        report.reason = Some(format!(
            "it passes, but {places} may mean something else in edition {edition}: look at the notes, \
             then `--accept-warnings`"
        ));
    }
}

/// The features that no configuration built.
fn unbuilt_features(coverage: &policy::ProofCoverage) -> Vec<String> {
    let parts =
        coverage.not_looked_at.iter().filter(|it| it.kind == policy::UncheckedKind::Feature);
    parts.map(|it| it.text.clone()).collect()
}

/// The targets of packages with an older edition.
struct Older {
    /// The root files, with the edition that they have.
    roots: SortedMap<ProjectPath, String>,
    /// The manifests of their packages and of the workspace.
    manifests: SortedSet<ProjectPath>,
}

/// What has an older edition; `None` if cargo cannot read the manifests.
fn older(ctx: &Ctx, workspace: &Workspace, edition: &str) -> Result<Option<Older>, AgentError> {
    let Some(known) = workspace.prover(ctx)?.workspace(ctx)? else { return Ok(None) };
    let own = workspace.project().root();
    let path = |file: &Path| {
        let relative = file.strip_prefix(own).or_else(|_| file.strip_prefix(&known.root)).ok()?;
        ProjectPath::new(relative.to_str()?).ok()
    };
    let mut found = Older { roots: SortedMap::new(), manifests: SortedSet::new() };
    found.manifests.extend(path(&known.root.join("Cargo.toml")));
    for package in &known.manifests {
        let targets = package.targets.iter().filter(|it| it.edition.as_str() < edition);
        let roots = targets.filter_map(|it| Some((path(&it.root)?, it.edition.clone())));
        let before = found.roots.len();
        found.roots.extend(roots);
        if found.roots.len() > before {
            found.manifests.extend(path(&package.dir.join("Cargo.toml")));
        }
    }
    Ok(Some(found))
}

/// The texts so far.
struct Migration<'a> {
    task: Task<'a>,
    /// The root files with the edition that they have.
    roots: SortedMap<ProjectPath, String>,
    /// The manifests of these packages and of the workspace.
    manifests: SortedSet<ProjectPath>,
    /// The files that change.
    texts: SortedMap<ProjectPath, String>,
    edits: usize,
    warnings: SortedSet<EditionWarning>,
}

impl Migration<'_> {
    /// Applies the lints of one edition, then raises the manifests to it; the reason if it cannot: the
    /// tree does not build, or the lints come to no end.
    fn stage(&mut self, edition: &str) -> Result<Option<String>, AgentError> {
        self.task.enter(TaskStep::Check, format!("the lints of edition {edition}"));
        let ladder = Ladder {
            test_code: true,
            analyzer: false,
            skip: SkipRule::Tree,
            format: false,
            clippy: false,
            ..self.task.world.ladder(Tests::None, None)
        };
        for pass in 0..PASSES {
            let linted = self.linted(edition);
            let checked = self.task.prove(self.overlay(&linted), &ladder)?;
            if pass == 0
                && let Some(reason) =
                    why_not(&checked, &format!("with the lints of edition {edition}"))
            {
                return Ok(Some(reason));
            }
            let found = EditionFindings::of(&checked.diagnostics, edition);
            let count = self.take(&found.splices, &linted);
            if count == 0 {
                self.warnings.extend(found.warnings);
                self.raise(edition);
                return Ok(None);
            }
            self.edits += count;
            if !self.task.has_time() {
                return Ok(Some(format!(
                    "no time was left for the lints of edition {edition}: pass a longer `--max-seconds`"
                )));
            }
        }
        Ok(Some(format!(
            "the lints of edition {edition} suggest more edits after each of {PASSES} passes"
        )))
    }

    /// The root files with the lints.
    fn linted(&self, edition: &str) -> SortedMap<ProjectPath, LintedRoot> {
        let older = self.roots.iter().filter(|(_, own)| own.as_str() < edition);
        let root =
            |path: &ProjectPath| Some((path.clone(), LintedRoot::new(&self.text(path)?, edition)));
        older.filter_map(|(path, _)| root(path)).collect()
    }

    fn text(&self, path: &ProjectPath) -> Option<String> {
        let known = self.texts.get(path).cloned();
        known.or_else(|| Some(self.before(path)?.text.to_string()))
    }

    fn before(&self, path: &ProjectPath) -> Option<FileState> {
        self.task.world.read(path).ok().flatten()
    }

    /// The changed texts, with these for the root files.
    fn overlay(&self, linted: &SortedMap<ProjectPath, LintedRoot>) -> Overlay {
        let mut now: SortedMap<&ProjectPath, &str> =
            self.texts.iter().map(|(path, text)| (path, text.as_str())).collect();
        now.extend(linted.iter().map(|(path, it)| (path, it.text.as_str())));
        let state = |(path, text): (&ProjectPath, &str)| {
            let before = self.before(path)?;
            let after = FileState { text: text.into(), executable: before.executable };
            Some((path.clone(), Some(before), Some(after)))
        };
        Overlay::from_states(AUTHOR, Timestamp(0), now.into_iter().filter_map(state).collect())
    }

    /// Applies edits of the linted texts; returns how many changed a text.
    fn take(
        &mut self,
        splices: &[(ProjectPath, Splice)],
        linted: &SortedMap<ProjectPath, LintedRoot>,
    ) -> usize {
        let mut count = 0;
        for of_file in splices.chunk_by(|a, b| a.0 == b.0) {
            let Some((path, _)) = of_file.first() else { continue };
            let Some(text) = self.text(path) else { continue };
            let moved = |it: &Splice| match linted.get(path) {
                None => it.clone(),
                Some(root) => {
                    let span =
                        base::ByteSpan::new(root.before(it.span.start), root.before(it.span.end));
                    Splice { span, insert: it.insert.clone() }
                }
            };
            let own: Vec<Splice> = of_file.iter().map(|(_, it)| moved(it)).collect();
            let changed = change::spliced(&text, &own);
            if changed == text {
                self.warnings.insert(EditionWarning {
                    place: Some((path.clone(), 1)),
                    lint: "not applied".to_owned(),
                    message: format!("{} of the compiler", base::counted(own.len(), "suggestion")),
                });
            } else {
                count += own.len();
                self.texts.insert(path.clone(), changed);
            }
        }
        count
    }

    /// Raises the edition in the manifests.
    fn raise(&mut self, edition: &str) {
        for path in self.manifests.clone() {
            let raised = self.text(&path).and_then(|it| change::with_edition(&it, edition));
            self.texts.extend(raised.map(|it| (path, it)));
        }
        for own in self.roots.values_mut().filter(|it| it.as_str() < edition) {
            edition.clone_into(own);
        }
    }

    fn finish(self) -> Migrated {
        let begin = self.overlay(&SortedMap::new());
        // The crates that the compiler builds can forge its output: it is not what a person asked for.
        let mut asked = self;
        asked.texts.retain(|path, _| asked.manifests.contains(path));
        let (edits, warnings) = (asked.edits, std::mem::take(&mut asked.warnings));
        Migrated { begin, asked: asked.overlay(&SortedMap::new()), edits, warnings }
    }
}

/// The migrated texts as changes of the tree.
struct Migrated {
    begin: Overlay,
    /// The manifests alone.
    asked: Overlay,
    edits: usize,
    warnings: SortedSet<EditionWarning>,
}
