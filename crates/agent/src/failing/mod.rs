//! Failing tests of a tree that builds: bounded mutations of the code that they execute, ranked by
//! coverage and by what differs from the last commit, and tried many at once. What passes the trials
//! is verified like any other change. A change that passes is plausible, no more: where several pass,
//! or one reverts the user's own work, they are shown as choices.
//!
//! Start at [`Failing::perform`], which does what the machine of the task commands.

mod candidates;
mod reverts;
mod trials;

use std::collections::VecDeque;
use std::sync::Arc;

use base::{ProjectPath, SortedMap};
use build::FailedTest;
use check::{Checked, CoverageReport, Ladder};
use edit::Overlay;
use repair::Attempt;
use repo::CommitMessage;

use candidates::plausible;

use crate::drive::{Done, PassedAttempt, Trial, not_for};
use crate::machine::{TaskCommand, TaskEvent};
use crate::task::Task;
use crate::verify::{Asking, Tested, TestedChange, Verdict};
use crate::{AgentError, FixOutcome, FixResult, TaskStep};

/// Author of the overlays that are made here.
pub(crate) const AUTHOR: &str = "graftage repair";
/// Maximum number of candidates that are verified.
const VERIFIED: usize = 5;
/// Maximum number of failing tests that are repaired at once.
const TARGETS: usize = 20;

/// The search for a change that makes failing tests pass.
pub(crate) struct Failing {
    /// The failing tests to repair.
    targets: Vec<FailedTest>,
    /// Names of the tests that pass.
    passing: Vec<String>,
    coverage: CoverageReport,
    /// The sources that may be changed.
    texts: SortedMap<ProjectPath, Arc<str>>,
    /// The candidates to verify, best first.
    queue: VecDeque<Attempt>,
    is_proposed: bool,
    /// The candidate of the present step.
    trial: Trial,
    /// Number of candidates that were tried.
    tried: usize,
    /// Number of candidates that passed the trials and were not verified.
    left: usize,
    /// Ids of the attempts that revert what the user has changed.
    reverts: Vec<usize>,
    /// Ids of the attempts that are a choice even alone: only the failing tests execute them, or they add
    /// a statement.
    uncovered: Vec<usize>,
    notes: Vec<String>,
}

impl Failing {
    /// The search on a tree that builds; `None` if no failing test is to be repaired.
    pub(crate) fn of(task: &mut Task<'_>, tree: &Checked) -> Result<Option<Self>, AgentError> {
        let options = task.options;
        let is_asked = options.failing || options.test.is_some();
        if !is_asked || options.begin.is_some() || tree.failure.is_some() || tree.timed_out {
            return Ok(None);
        }
        // All tests: what passes shows what is not at fault.
        let ladder = Ladder {
            format: false,
            clippy: false,
            test_code: task.test_code,
            ..task.world.ladder(task.tests(), None)
        };
        let checked = task.world.baseline(&ladder)?;
        let Some(tests) = checked.tests else { return Ok(None) };
        let wanted = |it: &FailedTest| {
            options.test.as_ref().is_none_or(|filter| it.name.contains(filter.as_str()))
        };
        let mut targets: Vec<FailedTest> = tests.failed.into_iter().filter(wanted).collect();
        targets.retain(|it| !it.name.contains('(') && !it.name.contains("::doc::"));
        if targets.is_empty() {
            return Ok(None);
        }
        targets.truncate(TARGETS);
        Ok(Some(Self {
            targets,
            passing: tests.passed,
            coverage: CoverageReport::default(),
            texts: SortedMap::new(),
            queue: VecDeque::new(),
            is_proposed: false,
            trial: Trial::Nothing,
            tried: 0,
            left: 0,
            reverts: Vec::new(),
            uncovered: Vec::new(),
            notes: Vec::new(),
        }))
    }

    /// Does what the machine commands.
    pub(crate) fn perform(
        &mut self,
        task: &mut Task<'_>,
        command: TaskCommand,
    ) -> Result<Done, AgentError> {
        Ok(match command {
            TaskCommand::Propose => self.propose(task)?.into(),
            TaskCommand::Materialize => self.materialize(task).into(),
            // Its tests check it.
            TaskCommand::Check => TaskEvent::Checked.into(),
            TaskCommand::Score => match self.trial {
                Trial::Scored(_) => TaskEvent::Scored.into(),
                _ => TaskEvent::NoneBuilds.into(),
            },
            TaskCommand::Test => self.test(task)?.into(),
            TaskCommand::Decide => self.decide(task)?.into(),
            TaskCommand::GiveUp => self.give_up(task)?,
            _ => return Err(not_for(command)),
        })
    }

    fn materialize(&mut self, task: &Task<'_>) -> TaskEvent {
        match self.queue.pop_front() {
            _ if !task.has_time() => TaskEvent::TimedOut,
            None => TaskEvent::NoCandidate,
            Some(attempt) => {
                self.trial = Trial::Scored(Box::new(attempt));
                TaskEvent::Materialized
            }
        }
    }

    fn propose(&mut self, task: &mut Task<'_>) -> Result<TaskEvent, AgentError> {
        if std::mem::replace(&mut self.is_proposed, true) {
            return Ok(TaskEvent::NothingProposed);
        }
        let count = base::counted(self.targets.len(), "failing test");
        task.enter(TaskStep::Propose, format!("changes for {count}"));
        self.measure(task)?;
        let back = task.world.back_to("HEAD")?;
        let reverts = reverts::attempts(back.as_ref(), &self.texts);
        self.reverts = reverts.iter().map(|it| it.id).collect();
        let mutations = self.mutations(back.as_ref());
        task.enter(TaskStep::Check, base::counted(mutations.len(), "candidate"));
        let mut passed = self.tried_at_once(task, &mutations, &reverts)?;
        self.left = passed.len().saturating_sub(VERIFIED);
        passed.truncate(VERIFIED);
        self.queue.extend(reverts);
        self.queue.extend(passed);
        Ok(match self.queue.is_empty() {
            true => TaskEvent::NothingProposed,
            false => TaskEvent::Proposed,
        })
    }

    fn test(&mut self, task: &mut Task<'_>) -> Result<TaskEvent, AgentError> {
        let attempt = self.trial.scored()?;
        let tested = task.test(Asking::Repair(attempt))?;
        let reason = match tested {
            Tested::Passed(change) => match self.still_failing(&change) {
                None => {
                    let (attempt, tested) = (attempt.clone(), *change);
                    let passed = PassedAttempt { attempt, tested, left: Vec::new() };
                    self.trial = Trial::Passed(Box::new(passed));
                    return Ok(TaskEvent::TestsPassed);
                }
                Some(name) => format!("{name} still fails"),
            },
            other => other.reason().unwrap_or_default(),
        };
        if !self.reverts.contains(&attempt.id) {
            task.refuse(attempt, reason);
        }
        self.trial = Trial::Nothing;
        Ok(TaskEvent::TestsFailed)
    }

    /// A test that is to be repaired and did not pass.
    fn still_failing(&self, change: &TestedChange) -> Option<String> {
        let tests = change.tests();
        let passes = |name: &String| tests.is_some_and(|it| it.passed.binary_search(name).is_ok());
        self.targets.iter().map(|it| &it.name).find(|name| !passes(name)).cloned()
    }

    fn decide(&mut self, task: &mut Task<'_>) -> Result<TaskEvent, AgentError> {
        let PassedAttempt { attempt, tested, .. } = self.trial.take_passed()?;
        match task.decide(Asking::Repair(&attempt), tested, self.tried)? {
            Verdict::Open(mut result) => {
                let covering = self.covering(&attempt.overlay);
                if covering.is_some_and(|(_, passing)| passing == 0) {
                    self.uncovered.push(attempt.id);
                }
                result.report.rationale.push(plausible(covering));
                result.message = Some(self.message(&attempt));
                task.keep_choice(&attempt, *result);
                Ok(TaskEvent::ChoiceKept)
            }
            Verdict::Closed(refusals) => {
                task.refuse_by_gate(&attempt, &refusals);
                Ok(TaskEvent::GateClosed)
            }
        }
    }

    fn message(&self, attempt: &Attempt) -> CommitMessage {
        let first = self.targets.first().map_or("", |it| it.name.as_str());
        let name = first.rsplit("::").next().unwrap_or(first);
        let summary = match self.targets.len() {
            1 => format!("make `{name}` pass"),
            n => format!("make `{name}` and {} pass", base::counted(n - 1, "other test")),
        };
        let body = attempt.rationale.clone();
        CommitMessage { kind: "fix".to_owned(), scope: None, summary, body }.fitted()
    }

    fn give_up(&mut self, task: &mut Task<'_>) -> Result<Done, AgentError> {
        task.ctx.check_cancelled()?;
        let is_complete = task.has_time() && self.queue.is_empty();
        // One that reverts the user's own work is never the answer by itself, nor is one that only
        // the failing tests cover.
        let is_own = task.passed.iter().any(|it| self.reverts.contains(&it.id));
        let is_alone = task.passed.iter().any(|it| self.uncovered.contains(&it.id));
        let decided = task.decide_choice(is_complete && !is_own && !is_alone);
        let (mut result, event) = match decided {
            Some(result) if result.report.outcome == FixOutcome::Proven => {
                (result, TaskEvent::Chosen)
            }
            Some(mut result) => {
                let reason = match (is_own, result.report.choices.len()) {
                    (true, _) => Some("a change reverts what you have changed"),
                    (_, 1) if is_complete => Some(
                        "the change adds a statement, settles a decision for all inputs, hides a \
                             failure, or is executed by the failing tests only",
                    ),
                    (_, n) if is_complete && n > 1 => {
                        Some("several changes pass and mean different things")
                    }
                    _ => None,
                };
                if let Some(reason) = reason.filter(|_| task.options.choose.is_none()) {
                    let reason = format!("{reason}: choose it with `--choose N`");
                    result.report.reason = Some(reason);
                }
                (result, TaskEvent::GivenUp)
            }
            None => {
                task.enter(TaskStep::Abort, "no candidate is left");
                let mut report = task.report(FixOutcome::None);
                report.candidates_tried = self.tried;
                report.reason = Some(self.why_none(is_complete));
                (FixResult { report, accepted: None, message: None }, TaskEvent::GivenUp)
            }
        };
        let report = &mut result.report;
        report.notes.append(&mut self.notes);
        if self.left > 0 {
            let more = base::counted(self.left, "more candidate");
            report.notes.push(format!("{more} passed the trials and were not verified"));
        }
        Ok(Done::end(event, result))
    }

    fn why_none(&self, is_complete: bool) -> String {
        let tests = base::counted(self.targets.len(), "failing test");
        match (is_complete, self.tried) {
            (false, n) => format!(
                "{tests}: timed out after {} (raise `--max-seconds` or `fix.timeout_seconds`)",
                base::counted(n, "candidate")
            ),
            (true, 0) => format!("{tests}: there is no candidate"),
            (true, n) => {
                format!("{tests}: none of {} passes the tests", base::counted(n, "candidate"))
            }
        }
    }

    /// An attempt with this change.
    fn attempt(id: usize, overlay: Overlay, rationale: String) -> Attempt {
        let violations = preserve::violations(&overlay, &[]);
        Attempt {
            id,
            overlay,
            rationale: vec![rationale],
            rules: vec!["mutation"],
            draft: !violations.is_empty(),
            choice: true,
            violations,
            reverts: false,
            guesses: Vec::new(),
        }
    }
}
