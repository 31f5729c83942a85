//! [`Driver`]: does what the machine of a task commands, and reports the events. It decides nothing
//! about their order.

mod tree;

use std::sync::Arc;
use std::time::Duration;

use base::{Diagnostic, ProjectPath};
use check::Checked;
use edit::Overlay;
use repair::{Attempt, Begun, Search, SearchLimits};

use crate::failing::Failing;
use crate::left_behind::LeftBehind;
use crate::machine::guard::Guard;
use crate::machine::{TaskCommand, TaskEvent};
use crate::old_names::OldName;
use crate::prove::PARALLEL_PROOFS;
use crate::sources::{LateSources, reasoners};
use crate::task::Task;
use crate::verify::{Asking, Tested, TestedChange, Verdict, reasons};
use crate::{ALLOW_GUESS, AgentError, FixEvent, FixOutcome, FixResult, LeftRow, Machine, TaskStep};

/// How long a wait sleeps before it looks for an interrupt.
const SLICE: Duration = Duration::from_millis(50);

/// A task and the state of its machine.
pub(crate) struct Driver<'a> {
    task: Task<'a>,
    machine: Machine,
    guard: Guard,
    /// The states so far, without repetitions in sequence.
    states: Vec<TaskStep>,
    /// What the check of the tree found, until it is searched.
    found: Option<Found>,
    search: Option<Search>,
    late: LateSources,
    /// The candidates that are made and not yet checked.
    attempts: Vec<Attempt>,
    /// Whether rust-analyzer rejected them before.
    is_late: bool,
    candidate: Option<Candidate>,
    tested: Option<Box<TestedChange>>,
    /// Why what was begun, the only candidate, did not pass.
    refused: Option<String>,
    result: Option<FixResult>,
    /// The search for failing tests, in place of the one for errors.
    failing: Option<Failing>,
    /// The places of former names that no check covers.
    names: Vec<OldName>,
    /// Rows of those that the tested candidate leaves.
    left: Vec<LeftRow>,
}

/// What the search begins with.
struct Found {
    errors: Vec<Diagnostic>,
    begun: Begun,
    sources: Arc<[ProjectPath]>,
}

/// The candidate that is tested and decided on.
enum Candidate {
    /// A repair of the search.
    Repair(Box<Attempt>),
    /// What was begun in memory.
    Begun(Overlay),
    /// Edits for what a change has left behind.
    Left { overlay: Overlay, left: LeftBehind, baseline: Box<Checked> },
}

impl Candidate {
    fn asking(&self) -> Asking<'_> {
        match self {
            Self::Repair(attempt) => Asking::Repair(attempt),
            Self::Begun(overlay) | Self::Left { overlay, .. } => Asking::Begin(overlay),
        }
    }
}

/// What a driver leaves: the result, and the states of its machine.
pub(crate) struct Driven {
    pub(crate) result: Result<FixResult, AgentError>,
    pub(crate) states: Vec<TaskStep>,
}

pub(crate) fn defect(reason: impl std::fmt::Display) -> AgentError {
    AgentError::Machine { reason: reason.to_string() }
}

impl<'a> Driver<'a> {
    pub(crate) fn new(task: Task<'a>) -> Result<Self, AgentError> {
        Ok(Self {
            task,
            machine: Machine::default(),
            guard: Guard::new().map_err(defect)?,
            states: vec![TaskStep::Ready],
            found: None,
            search: None,
            late: LateSources::default(),
            attempts: Vec::new(),
            is_late: false,
            candidate: None,
            tested: None,
            refused: None,
            result: None,
            failing: None,
            names: Vec::new(),
            left: Vec::new(),
        })
    }

    /// Runs the task to its end.
    pub(crate) fn run(mut self) -> Driven {
        let result = self.steps();
        Driven { result, states: self.states }
    }

    fn steps(&mut self) -> Result<FixResult, AgentError> {
        self.happen(TaskEvent::Started)?;
        loop {
            let command = self.machine.command();
            if command == TaskCommand::Stop {
                let missing = || defect(format!("no result after {:?}", self.machine));
                return self.result.take().ok_or_else(missing);
            }
            match self.perform(command) {
                Ok(event) => self.happen(event)?,
                Err(error) => {
                    self.happen(event_of(&error))?;
                    if !self.machine.waits {
                        return Err(error);
                    }
                }
            }
        }
    }

    /// Moves the machine, unless the guard blocks the event.
    fn happen(&mut self, event: TaskEvent) -> Result<(), AgentError> {
        let blocked = self.guard.offer(event).err();
        let event = if blocked.is_some() { TaskEvent::Blocked } else { event };
        self.machine = self.machine.after(event).map_err(defect)?;
        if self.states.last() != Some(&self.machine.step) {
            self.states.push(self.machine.step);
        }
        (self.task.on)(&FixEvent::Moved { event, machine: self.machine });
        blocked.map_or(Ok(()), |reason| Err(defect(reason)))
    }

    fn perform(&mut self, command: TaskCommand) -> Result<TaskEvent, AgentError> {
        if let Some(failing) = &mut self.failing
            && let Some(event) = failing.perform(&mut self.task, command)?
        {
            self.result = failing.take_result();
            return Ok(event);
        }
        match command {
            TaskCommand::CheckTree => self.check_tree(),
            TaskCommand::Propose => self.propose(),
            TaskCommand::Materialize => self.materialize(),
            TaskCommand::Check => self.check(),
            TaskCommand::Score => self.score(),
            TaskCommand::Test => self.test(),
            TaskCommand::Decide => self.decide(),
            TaskCommand::Refine => Ok(TaskEvent::Refined),
            TaskCommand::GiveUp => self.give_up(),
            TaskCommand::Wait { ms } => self.wait(ms),
            TaskCommand::Apply | TaskCommand::Stop => {
                Err(defect(format!("`{command:?}` is not for a search")))
            }
        }
    }

    fn propose(&mut self) -> Result<TaskEvent, AgentError> {
        if let Some(search) = &mut self.search {
            if !self.task.has_time() {
                return Ok(TaskEvent::TimedOut);
            }
            if self.task.reached.is_some() {
                return Ok(TaskEvent::NothingProposed);
            }
            return Ok(match self.late.add_next(&mut self.task, search)? {
                true => TaskEvent::Proposed,
                false => TaskEvent::NothingProposed,
            });
        }
        let Found { errors, begun, sources } =
            self.found.take().ok_or_else(|| defect("the tree was not checked"))?;
        let task = &mut self.task;
        let count = base::counted(errors.len(), "error");
        task.enter(TaskStep::Propose, format!("repairs of {count}"));
        let attempts = task.world.settings().fix_attempts;
        let limits = SearchLimits { attempts, ..SearchLimits::default() };
        let (reasoners, mut analyzer) =
            reasoners(&task.world, task.options.reasoners, sources, &begun)?;
        analyzer &= repair::is_advisable(&errors);
        self.late = LateSources { past: task.learns_from_past(), analyzer };
        self.search = Some(Search::finishing(begun, reasoners, limits, &errors, &*task.world));
        Ok(TaskEvent::Proposed)
    }

    fn materialize(&mut self) -> Result<TaskEvent, AgentError> {
        if !self.task.has_time() {
            return Ok(TaskEvent::TimedOut);
        }
        self.attempts = searching(&mut self.search)?.next(PARALLEL_PROOFS);
        self.is_late = self.attempts.is_empty();
        if self.is_late {
            self.attempts = self.task.next_deferred(PARALLEL_PROOFS);
        }
        Ok(match self.attempts.is_empty() {
            true => TaskEvent::NoCandidate,
            false => TaskEvent::Materialized,
        })
    }

    fn check(&mut self) -> Result<TaskEvent, AgentError> {
        let search = searching(&mut self.search)?;
        self.task.try_all(search, &self.attempts, self.is_late)?;
        Ok(TaskEvent::Checked)
    }

    /// The best candidate that builds and was not tested yet.
    fn score(&mut self) -> Result<TaskEvent, AgentError> {
        let search = searching(&mut self.search)?;
        let lighter = search.next_lighter();
        if !lighter.is_empty() {
            self.task.try_all(search, &lighter, self.is_late)?;
        }
        let winners: Vec<Attempt> = search.winners().into_iter().cloned().collect();
        for attempt in winners {
            if !self.task.may_be_applied(&attempt) || self.task.refused_ids.contains(&attempt.id) {
                continue;
            }
            self.task.refused_ids.push(attempt.id);
            if !self.task.allows(ALLOW_GUESS)
                && let Some(rows) = self.task.known_guesses(&attempt)
            {
                self.task.guessed.insert(attempt.id, rows);
                search.demote_winner(attempt.id);
                continue;
            }
            self.candidate = Some(Candidate::Repair(Box::new(attempt)));
            return Ok(TaskEvent::Scored);
        }
        Ok(TaskEvent::NoneBuilds)
    }

    fn test(&mut self) -> Result<TaskEvent, AgentError> {
        let candidate = self.candidate.take().ok_or_else(no_candidate)?;
        let tested = match self.task.test_with_names(candidate.asking(), &self.names)? {
            Some((whole, left, tested)) => {
                self.left = left;
                self.candidate = Some(Candidate::Repair(Box::new(whole)));
                return Ok(self.passed_or_not(tested));
            }
            None => self.task.test(candidate.asking()),
        };
        self.left = crate::old_names::left_by(candidate.asking(), &self.names);
        // A test that could not run is repeated.
        let candidate = self.candidate.insert(candidate);
        let tested = tested?;
        let reason = tested.reason();
        let Candidate::Repair(attempt) = candidate else {
            self.refused = reason;
            return Ok(self.passed_or_not(tested));
        };
        let search = searching(&mut self.search)?;
        match &tested {
            Tested::Passed(_) => {}
            Tested::Guessed(rows) => {
                self.task.guessed.insert(attempt.id, rows.clone());
                search.demote_winner(attempt.id);
            }
            Tested::Refused(_) => {
                self.task.refuse(attempt, reason.unwrap_or_default());
                search.refuse_winner(attempt.id);
            }
            Tested::Broken(checked) => {
                // Its test code does not build: the errors there are the next ones to fix.
                self.task.test_code = true;
                self.task.refuse(attempt, reason.unwrap_or_default());
                search.withdraw_winner(attempt.id, &checked.diagnostics, &*self.task.world);
            }
        }
        Ok(self.passed_or_not(tested))
    }

    fn passed_or_not(&mut self, tested: Tested) -> TaskEvent {
        match tested {
            Tested::Passed(change) => {
                self.tested = Some(change);
                TaskEvent::TestsPassed
            }
            _ => TaskEvent::TestsFailed,
        }
    }

    fn decide(&mut self) -> Result<TaskEvent, AgentError> {
        let candidate = self.candidate.take().ok_or_else(no_candidate)?;
        let tested = self.tested.take().ok_or_else(no_candidate)?;
        let tried = match (&candidate, &self.search) {
            (Candidate::Repair(_), Some(search)) => search.attempts(),
            (Candidate::Left { .. }, _) => 1,
            _ => 0,
        };
        let verdict = self.task.decide(candidate.asking(), *tested, tried)?;
        match (verdict, candidate) {
            (Verdict::Open(result), Candidate::Repair(attempt)) if attempt.choice => {
                self.task.keep_choice(&attempt, *result);
                return Ok(TaskEvent::ChoiceKept);
            }
            (Verdict::Open(mut result), candidate) => {
                result.report.left_behind.append(&mut self.left);
                if let Candidate::Repair(attempt) = &candidate {
                    let known = &result.report.left_behind;
                    let more = self.task.left_by_repair(&attempt.overlay, known)?;
                    result.report.left_behind.extend(more);
                }
                if let Candidate::Left { left, .. } = candidate {
                    result.report.left_behind = left.edited();
                    result.report.rationale = vec!["names in the documentation follow".to_owned()];
                }
                self.result = Some(*result);
                return Ok(TaskEvent::GateOpened);
            }
            (Verdict::Closed(refusals), Candidate::Repair(attempt)) => {
                self.task.refuse_by_gate(&attempt, &refusals);
                searching(&mut self.search)?.refuse_winner(attempt.id);
            }
            (Verdict::Closed(refusals), begun) => {
                self.refused = Some(reasons(&refusals));
                self.candidate = Some(begun);
            }
        }
        Ok(TaskEvent::GateClosed)
    }

    /// The result without a verified change.
    fn give_up(&mut self) -> Result<TaskEvent, AgentError> {
        self.task.ctx.check_cancelled()?;
        let reason = self.refused.take().unwrap_or_default();
        match self.candidate.take() {
            Some(Candidate::Begun(begin)) => {
                self.task.enter(TaskStep::Abort, reason.clone());
                let mut report = self.task.report(FixOutcome::Draft);
                report.diff = begin.unified_diff();
                report.reason = Some(reason);
                self.result = Some(FixResult { report, accepted: None, message: None });
                return Ok(TaskEvent::GivenUp);
            }
            Some(Candidate::Left { left, baseline, .. }) => {
                let mut result = self.task.nothing_to_fix(&baseline);
                result.report.leave(left.unedited());
                result.report.notes.push(format!("the edits of the places left: {reason}"));
                let is_clean = result.report.outcome == FixOutcome::Clean;
                self.result = Some(result);
                return Ok(if is_clean { TaskEvent::TreeClean } else { TaskEvent::GivenUp });
            }
            Some(Candidate::Repair(_)) | None => {}
        }
        let is_complete = self.task.has_time();
        if let Some(result) = self.task.decide_choice(is_complete) {
            let is_chosen = result.report.outcome == FixOutcome::Proven;
            self.result = Some(result);
            return Ok(if is_chosen { TaskEvent::Chosen } else { TaskEvent::GivenUp });
        }
        let search = searching(&mut self.search)?;
        let draft = search.winners().into_iter().find(|it| it.draft).map(|it| it.overlay.clone());
        let mut result = self.task.give_up(search);
        if let Some(draft) = draft {
            result.report.left_behind = self.task.unbuilt(&draft)?;
        }
        if result.report.outcome == FixOutcome::None {
            result.report.decide_by_person(self.task.unsettled());
        }
        self.result = Some(result);
        Ok(TaskEvent::GivenUp)
    }

    fn wait(&mut self, ms: u64) -> Result<TaskEvent, AgentError> {
        let mut left = Duration::from_millis(ms);
        while !left.is_zero() && self.task.world.is_live() {
            self.task.ctx.check_cancelled()?;
            let slice = left.min(SLICE);
            std::thread::sleep(slice);
            left -= slice;
        }
        Ok(TaskEvent::Waited)
    }
}

fn searching(search: &mut Option<Search>) -> Result<&mut Search, AgentError> {
    search.as_mut().ok_or_else(|| defect("there is no search"))
}

fn no_candidate() -> AgentError {
    defect("there is no candidate")
}

fn event_of(error: &AgentError) -> TaskEvent {
    match error.exit_kind() {
        tools::ExitKind::Interrupted => TaskEvent::Cancelled,
        _ => TaskEvent::Failed { transient: error.is_transient() },
    }
}
