//! [`ErrorSearch`]: the search for repairs of a tree that does not build.

use std::cmp::Reverse;
use std::sync::Arc;

use base::{Diagnostic, ProjectPath};
use repair::{Attempt, Holes, InProgress, Parts, Search, SearchLimits};

use super::{Done, PassedAttempt, Trial, not_for};
use crate::machine::{TaskCommand, TaskEvent};
use crate::old_names::{self, OldName};
use crate::prove::PARALLEL_PROOFS;
use crate::sources::{LateSources, reasoners};
use crate::task::Task;
use crate::verify::{Asking, Tested, Verdict};
use crate::{ALLOW_GUESS, AgentError, FixOutcome, FixResult, RefusedAttempt, TaskStep};

/// The search, with the places of former names that no check covers.
pub(super) struct ErrorSearch {
    pub(super) stage: Stage,
    pub(super) names: Vec<OldName>,
}

/// How far the search is.
pub(super) enum Stage {
    /// The errors are known.
    Found(Found),
    /// Candidates are tried.
    Searching(Box<Searching>),
}

/// Beginning of the search.
pub(super) struct Found {
    pub(super) errors: Vec<Diagnostic>,
    pub(super) in_progress: InProgress,
    pub(super) sources: Arc<[ProjectPath]>,
}

/// Candidates and what became of them.
pub(super) struct Searching {
    search: Search,
    late: LateSources,
    /// The candidates that are made and not yet checked.
    attempts: Vec<Attempt>,
    /// A draft with answers of a model, before it is one of them.
    answered: Vec<Attempt>,
    /// Whether rust-analyzer rejected them before.
    is_late: bool,
    trial: Trial,
}

impl ErrorSearch {
    /// Does what the machine commands.
    pub(super) fn perform(
        &mut self,
        task: &mut Task<'_>,
        command: TaskCommand,
    ) -> Result<Done, AgentError> {
        let searching = match &mut self.stage {
            Stage::Searching(searching) => searching,
            Stage::Found(found) if command == TaskCommand::Propose => {
                self.stage = Stage::Searching(Box::new(Searching::begin(task, found)?));
                return Ok(TaskEvent::Proposed.into());
            }
            Stage::Found(_) => return Err(not_for(command)),
        };
        Ok(match command {
            TaskCommand::Propose => searching.propose(task)?.into(),
            TaskCommand::Materialize => searching.materialize(task).into(),
            TaskCommand::Check => searching.check(task)?.into(),
            TaskCommand::Score => searching.score(task)?.into(),
            TaskCommand::Test => searching.test(task, &self.names)?.into(),
            TaskCommand::Decide => searching.decide(task)?,
            TaskCommand::GiveUp => searching.give_up(task)?,
            _ => return Err(not_for(command)),
        })
    }
}

impl Searching {
    fn begin(task: &mut Task<'_>, found: &Found) -> Result<Self, AgentError> {
        let Found { errors, in_progress, sources } = found;
        let count = base::counted(errors.len(), "error");
        task.enter(TaskStep::Propose, format!("repairs of {count}"));
        task.answered.memory = task.world.answers()?;
        let attempts = task.world.settings().fix_attempts;
        let limits = SearchLimits { attempts, ..SearchLimits::default() };
        let (reasoners, mut analyzer) =
            reasoners(&task.world, task.options.reasoners, Arc::clone(sources), in_progress)?;
        analyzer &= repair::is_advisable(errors);
        let asks = task.options.finishes() || task.options.begin.is_some();
        let holes = || Holes::new(Arc::clone(sources), in_progress);
        let holes = asks.then(holes);
        let parts = asks.then(|| Parts::new(Arc::clone(sources)));
        Ok(Self {
            late: LateSources { past: task.learns_from_past(), analyzer, parts, holes },
            search: Search::finishing(in_progress.clone(), reasoners, limits, errors, &*task.world),
            attempts: Vec::new(),
            answered: Vec::new(),
            is_late: false,
            trial: Trial::Nothing,
        })
    }

    fn propose(&mut self, task: &mut Task<'_>) -> Result<TaskEvent, AgentError> {
        if !task.has_time() {
            return Ok(TaskEvent::TimedOut);
        }
        if task.reached.is_some() {
            return Ok(TaskEvent::NothingProposed);
        }
        if self.late.add_next(task, &mut self.search)? {
            return Ok(TaskEvent::Proposed);
        }
        if self.late.add_holes(task, &mut self.search) {
            return Ok(TaskEvent::Proposed);
        }
        self.answered = task.answers_of_model(&mut self.search)?;
        Ok(match self.answered.is_empty() {
            true => TaskEvent::NothingProposed,
            false => TaskEvent::Proposed,
        })
    }

    fn materialize(&mut self, task: &mut Task<'_>) -> TaskEvent {
        if !task.has_time() {
            return TaskEvent::TimedOut;
        }
        self.attempts = match self.answered.is_empty() {
            true => self.search.next(PARALLEL_PROOFS),
            false => std::mem::take(&mut self.answered),
        };
        self.is_late = self.attempts.is_empty();
        if self.is_late {
            self.attempts = task.next_deferred(PARALLEL_PROOFS);
        }
        match self.attempts.is_empty() {
            true => TaskEvent::NoCandidate,
            false => TaskEvent::Materialized,
        }
    }

    fn check(&mut self, task: &mut Task<'_>) -> Result<TaskEvent, AgentError> {
        task.try_all(&mut self.search, &self.attempts, self.is_late)?;
        Ok(TaskEvent::Checked)
    }

    /// The best candidate that builds and was not tested yet.
    fn score(&mut self, task: &mut Task<'_>) -> Result<TaskEvent, AgentError> {
        let search = &mut self.search;
        let lighter = search.next_lighter();
        if !lighter.is_empty() {
            task.try_all(search, &lighter, self.is_late)?;
        }
        for attempt in task.repeat_answers(search) {
            task.try_all(search, &[attempt], self.is_late)?;
        }
        for attempt in task.answer(search)? {
            task.try_all(search, &[attempt], self.is_late)?;
        }
        let mut winners: Vec<Attempt> = search.winners().into_iter().cloned().collect();
        winners.sort_by_key(|it| Reverse(task.answered.rows(it.id).len()));
        for attempt in winners {
            if !task.may_be_applied(&attempt) || task.refused_ids.contains(&attempt.id) {
                continue;
            }
            task.refused_ids.push(attempt.id);
            if !task.allows(ALLOW_GUESS)
                && let Some(rows) = task.known_guesses(&attempt)
            {
                task.guessed.insert(attempt.id, rows);
                search.demote_winner(attempt.id);
                continue;
            }
            self.trial = Trial::Scored(Box::new(attempt));
            return Ok(TaskEvent::Scored);
        }
        Ok(TaskEvent::NoneBuilds)
    }

    fn test(&mut self, task: &mut Task<'_>, names: &[OldName]) -> Result<TaskEvent, AgentError> {
        // A test that could not run is repeated: the candidate stays until one ran.
        let attempt = self.trial.scored()?;
        let asking = Asking::Repair(attempt);
        let (attempt, left, tested) = match task.test_with_names(asking, names)? {
            Some((whole, left, tested)) => (whole, left, tested),
            None => {
                let tested = task.test(asking)?;
                (attempt.clone(), old_names::left_by(asking, names), tested)
            }
        };
        self.trial = Trial::Nothing;
        let (search, reason) = (&mut self.search, tested.reason().unwrap_or_default());
        match tested {
            Tested::Passed(tested) => {
                let (attempt, tested) =
                    match task.test_with_failures(&attempt, tested.diagnostics())? {
                        Some((whole, Tested::Passed(tested))) => (whole, *tested),
                        _ => (attempt, *tested),
                    };
                self.trial = Trial::Passed(Box::new(PassedAttempt { attempt, tested, left }));
                return Ok(TaskEvent::TestsPassed);
            }
            Tested::Guessed(rows) => {
                task.guessed.insert(attempt.id, rows);
                search.demote_winner(attempt.id);
            }
            Tested::Refused(_) => {
                task.refuse(&attempt, reason);
                search.refuse_winner(attempt.id);
            }
            Tested::Broken(checked) => {
                // Its test code does not build: the errors there are the next ones to fix.
                task.test_code = true;
                task.refuse(&attempt, reason);
                search.withdraw_winner(attempt.id, &checked.diagnostics, &*task.world);
            }
        }
        Ok(TaskEvent::TestsFailed)
    }

    fn decide(&mut self, task: &mut Task<'_>) -> Result<Done, AgentError> {
        let PassedAttempt { attempt, tested, mut left } = self.trial.take_passed()?;
        match task.decide(Asking::Repair(&attempt), tested, self.search.attempts())? {
            Verdict::Open(result) if attempt.choice => {
                task.keep_choice(&attempt, *result);
                Ok(TaskEvent::ChoiceKept.into())
            }
            Verdict::Open(mut result) => {
                let known = &mut result.report.left_behind;
                known.append(&mut left);
                let more = task.left_by_repair(&attempt.overlay, known)?;
                known.extend(more);
                Ok(Done::end(TaskEvent::GateOpened, *result))
            }
            Verdict::Closed(refusals) => {
                task.refuse_by_gate(&attempt, &refusals);
                if task.refused.last().is_some_and(RefusedAttempt::is_by_tests) {
                    task.answered.keep_failed(&attempt);
                }
                self.search.refuse_winner(attempt.id);
                Ok(TaskEvent::GateClosed.into())
            }
        }
    }

    /// The result without a verified change.
    fn give_up(&mut self, task: &mut Task<'_>) -> Result<Done, AgentError> {
        task.ctx.check_cancelled()?;
        let is_complete = task.has_time();
        if let Some(result) = task.decide_choice(is_complete) {
            return Ok(chosen_or_not(result));
        }
        let drafts = self.search.winners().into_iter().find(|it| it.draft);
        let draft = drafts.map(|it| it.overlay.clone());
        let mut result = task.give_up(&self.search);
        if let Some(draft) = draft {
            result.report.left_behind = task.unbuilt(&draft)?;
            if let Some((whole, rows)) = task.with_example_calls(&draft)? {
                result.report.keep_draft(&whole);
                result.report.left_behind.extend(rows);
            }
        }
        if result.report.outcome == FixOutcome::None {
            result.report.decide_by_person(task.unsettled());
            if task.options.partial {
                task.offer_partial(&mut result)?;
            }
            if result.report.fails_in_example {
                result.report.left_behind.extend(task.left_example_calls()?);
            }
        }
        Ok(Done::end(TaskEvent::GivenUp, result))
    }
}

fn chosen_or_not(result: FixResult) -> Done {
    let event = match result.report.outcome {
        FixOutcome::Proven => TaskEvent::Chosen,
        _ => TaskEvent::GivenUp,
    };
    Done::end(event, result)
}
