//! [`Agent`]: a language model, tools, a gate, a world and a memory for one project, as one value.

use base::Ctx;
use policy::Approval;
use project::{Surroundings, Workspace};

use crate::{
    Advanced, AgentError, FixEvent, FixOptions, FixReport, FixResult, GoalOptions, ModelReasoner,
    Plan, ReasonerChoice, RefactorOptions, RefactorRequest, TakeOptions, UpgradeStart,
};

/// Receives the events of a run.
type On<'a> = &'a mut dyn FnMut(&FixEvent);

/// Limits of one run of an [`Agent`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AgentLimits {
    /// Tests that a change must pass; `None`: the setting `check.tests`.
    pub tests: Option<check::Tests>,
    /// Time limit of a search in seconds; `None`: the setting `fix.timeout_seconds`.
    pub max_seconds: Option<u64>,
}

/// An agent for one project. Commands, editors, other agents, the daemon and fleets run this one.
///
/// - Its *world* is the workspace: a view of the tree for each change, builds and tests in the sandbox.
/// - Its *tools* and its *memory* (plans, episodes, the record) are those of the workspace.
/// - Its *policy* is the gate of the workspace's settings, with what the user approves.
/// - Its *model*, where one is configured, is asked once rules have found nothing.
///
/// No method writes the tree but [`Agent::apply`].
pub struct Agent {
    workspace: Workspace,
    model: ModelSource,
    approval: Approval,
}

/// The language model of an [`Agent`].
pub enum ModelSource {
    /// That of the project's settings, with the environment of the user; none, where they name none.
    Settings(Box<Surroundings>),
    /// This one.
    Given(ModelReasoner),
    /// None: rules alone.
    None,
}

impl Agent {
    /// An agent of these parts.
    pub fn compose(workspace: Workspace, model: ModelSource, approval: Approval) -> Self {
        Self { workspace, model, approval }
    }

    /// The project.
    pub fn workspace(&self) -> &Workspace {
        &self.workspace
    }

    /// The project, once the agent is not needed any more.
    pub(crate) fn into_workspace(self) -> Workspace {
        self.workspace
    }

    /// Finds a repair of errors, or finishes an in-progress change; `options` without a model and an approval.
    ///
    /// # Errors
    /// As [`crate::fix`]; settings of a model that cannot be used; only a model is asked, and none is configured.
    pub fn fix(&self, ctx: &Ctx, options: FixOptions, on: On<'_>) -> Result<FixResult, AgentError> {
        let model = match options.reasoners {
            ReasonerChoice::All | ReasonerChoice::Model => self.model()?,
            // It answers questions and makes no edit.
            ReasonerChoice::Intents if self.workspace.settings().model.answers => self.model()?,
            _ => None,
        };
        if options.reasoners == ReasonerChoice::Model && model.is_none() {
            return Err(AgentError::NoModel);
        }
        let options = FixOptions { model, approval: self.approval.clone(), ..options };
        crate::fix(ctx, &self.workspace, &options, on)
    }

    /// The options of a run of `fix` or `finish`, the command, to continue it by [`Agent::fix`].
    ///
    /// # Errors
    /// An id that names no such run; a project or settings that changed since.
    pub fn resumed(&self, ctx: &Ctx, run: (&str, &str)) -> Result<FixOptions, AgentError> {
        crate::resume::resumed(ctx, &self.workspace, run)
    }

    /// Verifies the change that a run ended with and did not apply.
    ///
    /// # Errors
    /// An id that names no such run; a project that changed since; errors of the crates below.
    pub fn take(
        &self,
        ctx: &Ctx,
        options: &TakeOptions,
        on: On<'_>,
    ) -> Result<FixResult, AgentError> {
        crate::take::take(ctx, &self.workspace, (options, self.approval.clone()), on)
    }

    /// Completes the start of an upgrade; the flag: whether new warnings are accepted.
    ///
    /// # Errors
    /// As [`crate::fix()`](fn@crate::fix).
    pub fn upgrade(
        &self,
        ctx: &Ctx,
        request: (UpgradeStart, bool),
        options: FixOptions,
        on: On<'_>,
    ) -> Result<FixResult, AgentError> {
        let options = FixOptions { approval: self.approval.clone(), ..options };
        crate::upgrade_dependency(ctx, &self.workspace, request, options, on)
    }

    /// Migrates the workspace to an edition; the flag: whether new warnings are accepted.
    ///
    /// # Errors
    /// An unknown edition, and as [`crate::fix()`](fn@crate::fix).
    pub fn migrate(
        &self,
        ctx: &Ctx,
        request: (&str, bool),
        options: FixOptions,
        on: On<'_>,
    ) -> Result<FixResult, AgentError> {
        let options = FixOptions { approval: self.approval.clone(), ..options };
        crate::upgrade_edition(ctx, &self.workspace, request, &options, on)
    }

    /// Runs a refactoring in phrases that rules understand.
    pub(crate) fn refactor(
        &self,
        ctx: &Ctx,
        request: &RefactorRequest,
        on: On<'_>,
    ) -> Result<FixResult, AgentError> {
        let goal = self.goal(AgentLimits::default())?;
        crate::by_rules(ctx, &self.workspace, request, &goal, on)
    }

    /// The options of a refactoring that is given by its parts.
    pub fn refactoring(&self, limits: AgentLimits) -> RefactorOptions {
        let AgentLimits { tests, max_seconds } = limits;
        let approval = self.approval.clone();
        RefactorOptions { tests, max_seconds, approval, ..RefactorOptions::default() }
    }

    /// A plan for a task in a person's words.
    ///
    /// # Errors
    /// Settings of a model that cannot be used; a model that cannot be asked for steps.
    pub fn plan(&self, ctx: &Ctx, task: &str, limits: AgentLimits) -> Result<Plan, AgentError> {
        crate::begin_plan(ctx, &self.workspace, task, &self.goal(limits)?)
    }

    /// Takes a plan as far as it goes without a write.
    ///
    /// # Errors
    /// As of [`Agent::plan`], and errors of the crates below. A change that is not proven is an outcome.
    pub fn advance(
        &self,
        ctx: &Ctx,
        plan: &mut Plan,
        limits: AgentLimits,
        on: On<'_>,
    ) -> Result<Option<Advanced>, AgentError> {
        crate::advance(ctx, &self.workspace, plan, &self.goal(limits)?, on)
    }

    /// Writes a verified change; the flag: whether it is committed.
    ///
    /// # Errors
    /// As [`crate::apply`].
    pub fn apply(
        &self,
        ctx: &Ctx,
        fixed: FixResult,
        commits: bool,
    ) -> Result<FixReport, AgentError> {
        crate::apply(ctx, &self.workspace, fixed, commits)
    }

    fn model(&self) -> Result<Option<ModelReasoner>, AgentError> {
        match &self.model {
            ModelSource::Settings(surroundings) => {
                ModelReasoner::configured(self.workspace.settings(), surroundings)
            }
            ModelSource::Given(model) => Ok(Some(model.clone())),
            ModelSource::None => Ok(None),
        }
    }

    fn goal(&self, limits: AgentLimits) -> Result<GoalOptions, AgentError> {
        let AgentLimits { tests, max_seconds } = limits;
        let (approval, model) = (self.approval.clone(), self.model()?);
        Ok(GoalOptions { tests, max_seconds, approval, model })
    }
}
