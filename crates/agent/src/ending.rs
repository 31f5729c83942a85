//! The results of a task that ends without a repair: nothing to fix, only a draft, and the reason.

use base::Diagnostic;
use change::GuessKind;
use check::Checked;
use edit::Overlay;
use repair::{Attempt, Search};

use crate::discarded::is_thrown_away;
use crate::guesses::reason;
use crate::task::{Task, failed_check, why_not};
use crate::{ALLOW_GUESS, ALLOW_REVERT, FixOutcome, FixResult, PartialChange, TaskStep};

impl Task<'_> {
    /// The result without a repair: the best draft that builds, if there is one.
    pub(crate) fn give_up(&mut self, search: &Search) -> FixResult {
        self.enter(TaskStep::Abort, "no candidate is left");
        let mut drafts: Vec<&Attempt> =
            search.winners().into_iter().filter(|attempt| attempt.draft).collect();
        // What is thrown away is the worst of them.
        let throws_away = |it: &&Attempt| {
            self.guessed.get(&it.id).is_some_and(|rows| rows.iter().any(is_thrown_away))
        };
        drafts.sort_by_key(|it| (throws_away(it), !self.answered.has(it.id)));
        for attempt in &drafts {
            let guesses = self.guessed.get(&attempt.id).map(|it| reason(it));
            let has_holes = attempt.guesses.iter().any(|it| it.kind == GuessKind::Hole);
            let reason = match attempt.violations.first() {
                _ if has_holes => {
                    "it has holes (`todo!()`) for values that no rule knows".to_owned()
                }
                None if let Some(reason) = guesses => {
                    format!("{reason} (`--allow {ALLOW_GUESS}` allows it)")
                }
                Some(violation) => format!(
                    "{}: {} ({}:{}; `--allow preservation:{0}` allows it)",
                    violation.rule, violation.detail, violation.path, violation.line
                ),
                None if attempt.reverts => {
                    format!(
                        "revert: it undoes your changes since the last commit (`--allow \
                         {ALLOW_REVERT}` allows it)"
                    )
                }
                None if repair::drops_a_side(&attempt.rules) => {
                    "it drops a side of a conflict, and changes what fits to that".to_owned()
                }
                None => "it has placeholders to fill in".to_owned(),
            };
            self.refuse(attempt, reason);
        }
        // The report takes what was refused.
        let why = self.why_none(search);
        let mut report = self.report(FixOutcome::None);
        if self.options.choose.is_some() {
            report.notes.push("`--choose`: no changes that pass are to be chosen from".to_owned());
        }
        report.notes.extend(self.missing_crates());
        report.candidates_tried = search.attempts();
        report.reason = Some(why);
        let finishes = self.options.finishes();
        report.partial = match &self.options.begin {
            // A draft shows all of the change.
            Some(_) if !drafts.is_empty() => None,
            Some(begin) => Some(partial(search).unwrap_or_else(|| self.as_started(begin))),
            None => {
                let fails_tests = report.refused.iter().find(|it| it.is_by_tests());
                fails_tests
                    .map(PartialChange::that_builds)
                    .or_else(|| partial(search).filter(|_| finishes || search.is_nearer()))
                    .filter(|_| drafts.is_empty())
            }
        };
        if let (Some(code), Some(reached)) = (&self.options.error, self.reached.take()) {
            let left = base::counted(reached.left.len(), "other error");
            report.reason = Some(format!("no {code} is left with this change, and {left}"));
            report.partial = Some(reached);
        }
        if let Some(draft) = drafts.first() {
            report.outcome = FixOutcome::Draft;
            report.keep_draft(&draft.overlay);
            report.rationale = draft.rationale.clone();
            // It was refused last, and the others stand before it.
            let refused = report.refused.iter().find(|it| it.diff == report.diff);
            report.reason = refused.map(|it| it.reason.clone()).or(report.reason);
            report.guesses = self.guessed.remove(&draft.id).unwrap_or_default();
            report.keep_answers(self.answered.rows(draft.id));
            report.ask(draft, &self.answered.memory);
        }
        let failed = self.answered.failed.take().or(self.answered.unbuilt.take());
        if let Some(failed) = failed.filter(|_| drafts.is_empty()) {
            report.ask(&failed, &self.answered.memory);
        }
        report.keep_partial();
        FixResult { report, accepted: None, message: None }
    }

    /// A change in memory as it is, with the errors that it leaves.
    fn as_started(&self, begin: &Overlay) -> PartialChange {
        let left = self.errors.iter().map(|it| match (&it.file, it.line.or(it.changed_line)) {
            (Some(file), Some(line)) => format!("{file}:{line}: {}", it.message),
            (Some(file), None) => format!("{file}: {}", it.message),
            (None, _) => it.message.clone(),
        });
        let diff = begin.unified_diff();
        PartialChange { rationale: Vec::new(), diff, left: left.collect(), certain: None }
    }

    /// The crates that the code names and no manifest has, as the compiler has it.
    fn missing_crates(&self) -> Vec<String> {
        let errors = self.before.iter().flatten().filter(|it| it.is_error());
        let helps = errors.flat_map(|it| &it.children).map(|it| it.message.as_str());
        let names = helps.filter_map(|it| {
            let rest = it.split_once("use `cargo add ")?.1;
            rest.split_once('`').map(|it| it.0.to_owned())
        });
        let names: base::SortedSet<String> = names.collect();
        let note = |it| {
            format!(
                "`{it}` is neither a module nor a dependency; if a crate is meant: `cargo add {it}`"
            )
        };
        names.into_iter().map(note).collect()
    }

    /// Keeps the first sound change after which no error of the wanted code is left. Errors that the
    /// compiler reports only then are listed with it.
    pub(crate) fn note_reached(&mut self, attempt: &Attempt, checked: &Checked, built: bool) {
        let Some(code) = self.options.error.as_deref() else { return };
        let mut errors = checked.diagnostics.iter().filter(|it| it.is_error()).peekable();
        let is_complete = checked.failure.is_none() && !checked.timed_out;
        if built || attempt.draft || !is_complete || errors.peek().is_none() {
            return;
        }
        let known = self.before.iter().flatten().filter(|it| it.is_error());
        let known: Vec<&Diagnostic> = known.collect();
        let is_known = |it: &Diagnostic| {
            known.iter().any(|old| old.code == it.code && old.message == it.message)
        };
        // Errors of types are reported once all names are resolved.
        let was_hidden = |it: &Diagnostic| {
            let phase = |it: &Diagnostic| repair::phase_of(std::slice::from_ref(it));
            let first = known.iter().map(|old| phase(old)).min();
            first.is_some_and(|first| first < phase(it))
        };
        let is_reached =
            errors.all(|it| it.code.as_deref() != Some(code) && (is_known(it) || was_hidden(it)));
        if is_reached && self.reached.is_none() {
            self.reached = Some(partial_of(attempt, &checked.diagnostics));
        }
    }

    fn why_none(&self, search: &Search) -> String {
        if self.world.now() >= self.deadline {
            return format!(
                "timed out after {} (raise `--max-seconds` or `fix.timeout_seconds`)",
                base::counted(search.attempts(), "candidate")
            );
        }
        let tried = match search.attempts() {
            0 if self.options.finishes() => {
                return "no rule changes what is left of the change; `graftage fix` tries the suggestions of \
                        the compiler too"
                    .to_owned();
            }
            0 => return "no rule has a repair for these errors".to_owned(),
            1 => "the only candidate".to_owned(),
            n => format!("the best of {n} candidates"),
        };
        // A candidate that builds is nearer than one that does not.
        let by_tests = self.refused.iter().find(|it| it.is_by_tests());
        if let Some(refused) = by_tests.or(self.refused.first()) {
            return format!("{tried} builds and is refused: {}", refused.reason);
        }
        if let Some(failed) = &self.failed {
            return failed.clone();
        }
        // Cargo refuses the manifest, or stops before it compiles the crate.
        let nearest = partial(search)
            .and_then(|it| Some((it.left.len(), it.left.first()?.clone())))
            .or_else(|| self.fewest.clone());
        let Some((left, first)) = nearest else { return format!("{tried} does not build") };
        let more = match self.options.finishes() && self.options.begin.is_none() {
            true => "; `graftage fix` tries the suggestions of the compiler too",
            false => "",
        };
        format!("{tried} leaves {}: {first}{more}", base::counted(left, "error"))
    }

    /// The result for a change in memory that does not build, where nothing else is to be tried.
    pub(crate) fn does_not_build(&mut self, checked: &Checked) -> FixResult {
        let reason =
            why_not(checked, "with the change").unwrap_or_else(|| "the check failed".to_owned());
        self.enter(TaskStep::Abort, reason.clone());
        let partial = self.options.begin.as_ref().map(|it| self.as_started(it));
        let hints = self.errors.iter().filter_map(|it| it.hint.clone());
        let hints: base::SortedSet<String> = hints.collect();
        let mut report = self.report(FixOutcome::None);
        report.reason = Some(reason);
        report.evidence = Some(checked.evidence.clone());
        report.partial = partial;
        report.notes.extend(hints.into_iter().map(|it| format!("hint of the compiler: {it}")));
        FixResult { report, accepted: None, message: None }
    }

    pub(crate) fn nothing_to_fix(&mut self, baseline: &Checked) -> FixResult {
        let failing = baseline.tests.as_ref().map_or(0, |tests| tests.failed.len());
        let (outcome, reason) = if let Some(failure) = &baseline.failure {
            (FixOutcome::None, format!("cargo stopped before compiling: {failure}"))
        } else if baseline.timed_out {
            (
                FixOutcome::None,
                "the check of the tree timed out (raise `check.timeout_seconds`)".to_owned(),
            )
        } else if failing > 0 {
            let reason =
                "the tree builds, and documentation tests and whole binaries are not repaired";
            (FixOutcome::None, format!("{}: {reason}", base::counted(failing, "failing test")))
        } else if let (Some(code), true) = (&self.options.error, !self.errors.is_empty()) {
            (FixOutcome::None, format!("no error has the code {code}"))
        } else if !baseline.passed() {
            (FixOutcome::None, failed_check(baseline))
        } else {
            (FixOutcome::Clean, "cargo check finds no error".to_owned())
        };
        if outcome == FixOutcome::None {
            self.enter(TaskStep::Abort, reason.clone());
        }
        let mut report = self.report(outcome);
        report.reason = Some(reason);
        // The coverage lists what was not checked and so is not known to be clean.
        report.evidence = Some(baseline.evidence.clone());
        FixResult { report, accepted: None, message: None }
    }
}

/// The part of an in-progress change that is done.
fn partial(search: &Search) -> Option<PartialChange> {
    search.closest().map(|(attempt, left)| partial_of(attempt, left))
}

/// The change of an attempt, with the errors that it leaves.
fn partial_of(attempt: &Attempt, left: &[Diagnostic]) -> PartialChange {
    let line = |it: &Diagnostic| match it.user_span().and_then(|it| it.place.project()) {
        Some(path) => {
            let line = it.user_span().map_or(0, |it| it.start.line);
            format!("{path}:{line}: {}", it.message)
        }
        None => it.message.clone(),
    };
    let is_certain = attempt.guesses.is_empty()
        && attempt.violations.is_empty()
        && !(attempt.draft || attempt.reverts || attempt.choice);
    PartialChange {
        rationale: attempt.rationale.clone(),
        diff: attempt.overlay.unified_diff(),
        left: left.iter().filter(|it| it.is_error()).map(line).collect(),
        certain: is_certain.then(|| attempt.overlay.clone()),
    }
}
