//! `fix`: searches for repairs, verifies them, and writes the accepted one. Start at [`fix`].

use std::sync::Arc;

use base::Ctx;
use check::{Scope, Tests};
use edit::Overlay;
use policy::Approval;
use preserve::Relisting;
use project::{ExitKind, Workspace};
use repo::CommitMessage;
use serde::{Deserialize, Serialize};
use tools::AcceptedChange;

use crate::drive::{Driven, Driver};
use crate::noted::{RunNote, note_run};
use crate::reasoner::ModelReasoner;
use crate::task::Task;
use crate::world::World;
use crate::{
    AgentError, FixEvent, FixReport, GivenAnswers, IntentRow, Trace, TraceEnd, TraceRequest,
};

/// Options of [`fix`].
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FixOptions {
    /// Error code such as `E0308`: only errors of this code are fixed.
    pub error: Option<String>,
    /// Test name filter: the errors and failures of these tests are fixed.
    pub test: Option<String>,
    /// All failing tests are fixed, once the tree builds.
    #[serde(default)]
    pub failing: bool,
    /// Tests that a repair must pass; `None`: the setting `check.tests`.
    pub tests: Option<Tests>,
    /// Time limit of the search in seconds, without the first build of changed dependencies; `None`:
    /// the setting `fix.timeout_seconds`.
    pub max_seconds: Option<u64>,
    /// Commit that the in-progress change is compared with; `None`: the last one.
    pub base: Option<String>,
    /// An in-progress change in memory: it is part of every candidate, and its errors are fixed.
    /// The intents are read from it alone.
    pub begin: Option<Overlay>,
    /// Whether rules alone wrote `begin`, or a model within its scope: it has no code of the caller, who may be an
    /// agent.
    #[serde(default)]
    pub is_own: bool,
    /// The part of `begin` that a person asked for, to which the preservation rule does not apply;
    /// `None`: all of it.
    pub asked: Option<Overlay>,
    /// The request that `begin` implements; `None`: the intents are read from its difference.
    pub request: Option<IntentRow>,
    /// The list to which `begin` is declared to be limited.
    pub relisting: Option<Relisting>,
    /// Further configurations that a repair must build in.
    #[serde(default)]
    pub more: Vec<Scope>,
    /// Whether a change has to build in the code of tests too, also where none are run.
    #[serde(default)]
    pub test_code: bool,
    /// The dependencies that have another version by `begin`.
    #[serde(skip)]
    pub libraries: Vec<change::Library>,
    /// Reasoners that propose candidates.
    pub reasoners: ReasonerChoice,
    /// Of several changes that pass and mean different things, the one to take, from 1.
    pub choose: Option<usize>,
    /// Whether a change that leaves errors may be written with them. Only a person asks for that: no caller for an
    /// agent sets it.
    #[serde(default)]
    pub partial: bool,
    /// Answers to the questions of an earlier run.
    #[serde(default)]
    pub answers: GivenAnswers,
    /// Trace of an earlier run on the same tree with the same settings, whose checks of candidates are not repeated.
    #[serde(skip)]
    pub earlier: Option<Arc<Trace>>,
    /// The user's approval: preservation rules that the repair may break.
    pub approval: Approval,
    /// A language model, asked once nothing else has found a repair.
    pub model: Option<ModelReasoner>,
}

impl FixOptions {
    /// Whether only an in-progress change is finished.
    pub(crate) fn finishes(&self) -> bool {
        self.reasoners == ReasonerChoice::Intents
    }

    /// The command that has such options.
    fn command(&self) -> &'static str {
        match (&self.request, self.reasoners) {
            (Some(_), _) => "refactor",
            _ if !self.libraries.is_empty() => "upgrade",
            (None, ReasonerChoice::Intents) => "finish",
            (None, _) => "fix",
        }
    }
}

/// The reasoners whose repairs are tried.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReasonerChoice {
    /// All available ones: rules, and rust-analyzer as the setting `fix.analyzer` allows.
    #[default]
    All,
    /// The deterministic rules.
    Rules,
    /// rust-analyzer's quick fixes.
    Analyzer,
    /// Only what follows from the user's in-progress change.
    Intents,
    /// None: the in-progress change must build by itself.
    Nothing,
    /// The language model of the options.
    Model,
}

/// The report of [`fix`] and, if the gate opened, the input of [`crate::apply`].
#[derive(Debug)]
pub struct FixResult {
    /// The report.
    pub report: FixReport,
    /// The verified repair with its permit.
    pub accepted: Option<AcceptedChange>,
    /// Message of the commit; `None`: made from the errors that were repaired.
    pub message: Option<CommitMessage>,
}

/// Finds the smallest verified repair of the errors that prevent the tree from building. Writes
/// nothing in the tree. The run is recorded (setting `trace.keep`); one with the same options on the same
/// tree that was cut off is continued.
///
/// # Errors
/// Errors of the crates below; a tree without a repair is a [`crate::FixOutcome`], not an error.
pub fn fix(
    ctx: &Ctx,
    workspace: &Workspace,
    options: &FixOptions,
    on: &mut dyn FnMut(&FixEvent),
) -> Result<FixResult, AgentError> {
    let started = ctx.now();
    workspace.prover(ctx)?;
    let request = TraceRequest::Fix(Box::new(options.clone()));
    let world = World::recorded(ctx, workspace, request)?;
    let world = Arc::new(world.after(options.earlier.as_deref()));
    let mut first_pass = None;
    let Driven { result, states } = run(&world, options, &mut |event| {
        if let FixEvent::Checked { number: 1, builds, refused: None, .. } = event {
            first_pass.get_or_insert(*builds);
        }
        on(event);
    })?;
    if matches!(&result, Err(error) if error.exit_kind() == ExitKind::Interrupted) {
        return result;
    }
    let trace = world.end(TraceEnd::of(result.as_ref().map(|it| &it.report), &states));
    let mut fixed = result?;
    fixed.report.is_resumable = options.begin.is_none();
    fixed.report.trace = trace.map(|it| it.display().to_string());
    let request = options.request.as_ref().map_or("", |it| &it.evidence);
    note_run(
        ctx,
        workspace,
        RunNote {
            command: options.command(),
            request,
            first_pass,
            started,
            files_hash: world.files_hash(),
        },
        &mut fixed,
    );
    if world.recalled() > 0 {
        let count = base::counted(world.recalled(), "answer");
        let which =
            if options.earlier.is_some() { "an earlier run" } else { "a run that was cut off" };
        let note = format!("continued {which}, with {count} of its trace");
        fixed.report.notes.push(note);
    }
    Ok(fixed)
}

/// One run in a world.
pub(crate) fn run(
    world: &Arc<World<'_>>,
    options: &FixOptions,
    on: &mut dyn FnMut(&FixEvent),
) -> Result<Driven, AgentError> {
    Ok(Driver::new(Task::within(Arc::clone(world), options, on))?.run())
}
