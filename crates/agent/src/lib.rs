//! Runs one task from request to decision: Propose → Check → Test → Decide → Apply | Refine | Abort.
//! [`fix`] takes diagnostics, or an in-progress change, and finds the smallest verified repair.
//! [`rename`], [`relocate`], [`reshape`], [`inline`] and [`Agent::migrate`] plan a change and have it
//! verified, and completed, in the same way.
//!
//! Invariants: a repair that is returned as verified passed `check` on exactly that overlay, and
//! passed `policy::decide`. The crate writes nothing itself: [`apply`] passes overlay and permit to
//! `repo::Project::apply`. Every state transition is reported as a [`FixEvent`].
//!
//! Start at [`Agent`], which composes what a run needs; `fix.rs`, the order of the steps; and `task.rs`, each of
//! them.

mod agent;
mod answers;
mod apply;
mod arm_questions;
mod by_model;
mod choices;
mod discarded;
mod drive;
mod edition;
mod ending;
mod event;
mod examples;
mod failing;
mod fix;
pub mod front;
mod goal;
mod guesses;
mod inline;
mod left_behind;
mod left_lines;
mod machine;
mod model_answers;
mod noted;
mod old_names;
mod partial;
mod past;
mod probed;
mod prove;
mod questions;
mod reason;
mod reasoner;
mod refactoring;
mod refused;
mod relocate;
mod remembered;
mod rename;
mod replay;
mod report;
mod request;
mod reshape;
mod resume;
mod shown_errors;
mod sources;
mod take;
mod task;
mod tested_tree;
mod toolbox;
mod trace;
mod unbuilt_uses;
mod unseen_sites;
mod upgrade;
mod verify;
mod world;

/// Permission for a repair with a guess that no test covers.
pub const ALLOW_GUESS: &str = "guess";
/// Permission for a repair that reverts what the user has changed.
pub(crate) const ALLOW_REVERT: &str = "revert";
/// Permissions for what makes a repair a draft and is no preservation rule.
pub const DRAFTS: [&str; 2] = [ALLOW_GUESS, ALLOW_REVERT];

pub use agent::{Agent, AgentLimits, ModelSource};
pub use apply::apply;
pub(crate) use edition::upgrade_edition;
pub use event::{FixEvent, TaskStep};
pub use fix::{FixOptions, FixResult, ReasonerChoice, fix};
pub use goal::{
    Advanced, Doer, GoalOptions, Plan, StepRequest, Subgoal, SubgoalStatus, read_plan, write_plan,
};
pub(crate) use goal::{advance, begin_plan, by_rules};
pub use guesses::{GuessRow, SameGuesses, same_guesses};
pub use inline::inline;
pub use left_behind::LeftRow;
pub use left_lines::{LeftLine, left_lines};
pub use machine::{Machine, TaskEnd, TaskEvent};
pub use questions::{AnswerOption, Answers, GivenAnswers, Question, QuestionKind};
pub use reasoner::{ModelNote, ModelNoteKind, ModelReasoner, ReasonLimits};
pub use refactoring::RefactorOptions;
pub use relocate::relocate;
pub use remembered::{AnswerRow, AnswerSource};
pub use rename::rename;
pub use replay::{ReplayReport, replay};
pub use report::{
    FixOutcome, FixReport, IntentRow, PartialChange, PassingChange, RefusedAttempt, StepRow,
};
pub use request::RefactorRequest;
pub(crate) use request::{recognise, split_task};
pub use reshape::reshape;
pub use take::TakeOptions;
pub use toolbox::{FinishInput, FixInput, RefactorInput, RefactorOutput, RepairOutput, toolbox};
pub use trace::{Trace, TraceEnd, TraceHeader, TraceRequest, is_trace, newest_traces, read_trace};
pub(crate) use upgrade::upgrade_dependency;
pub use upgrade::{UpgradeStart, begin_upgrade};

/// The errors of the agent: those of the crates below it, and none of its own.
pub type AgentError = tools::Error;
