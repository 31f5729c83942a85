//! [`advance`]: the next subgoals of a plan, proven and not written.

use base::Ctx;
use edit::Overlay;
use policy::Approval;
use project::Workspace;
use serde::{Deserialize, Serialize};

use super::by_model::{StepRequest, ask_plan};
use super::plan::{Doer, Plan, Subgoal, SubgoalStatus};
use crate::{
    AgentError, FixEvent, FixOutcome, FixResult, ModelReasoner, ReasonerChoice, RefactorOptions,
    RefactorRequest, inline, recognise, relocate, rename, reshape,
};

/// A goal of more bytes, or of several lines, is planned by a model where there is one.
const LONG: usize = 240;

/// Options of [`crate::Agent::advance`].
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GoalOptions {
    /// Tests that each change must pass; `None`: the setting `check.tests`.
    pub tests: Option<check::Tests>,
    /// Time limit of each search in seconds.
    pub max_seconds: Option<u64>,
    /// The user's approval: preservation rules that the change may break.
    pub approval: Approval,
    /// The model for what rules do not understand.
    pub model: Option<ModelReasoner>,
}

/// Result of [`crate::Agent::advance`].
#[derive(Debug)]
pub struct Advanced {
    /// The change that is proven, or why there is none.
    pub fixed: FixResult,
    /// The request for a model of the user's own, where a subgoal needs a model and none is
    /// configured.
    pub prompt: Option<String>,
}

/// The plan of a task: its own steps, else those of a model where the task is long.
///
/// # Errors
/// The model gave no answer.
pub(crate) fn begin_plan(
    ctx: &Ctx,
    workspace: &Workspace,
    goal: &str,
    options: &GoalOptions,
) -> Result<Plan, AgentError> {
    let mut plan = Plan::new(ctx, goal);
    let [only] = plan.subgoals.as_slice() else { return Ok(plan) };
    let is_long = goal.len() > LONG || goal.trim().lines().count() > 1;
    if only.by == Doer::Model
        && is_long
        && let Some(model) = &options.model
    {
        let (steps, tokens, cost) = ask_plan(ctx, workspace, goal, model)?;
        plan.tokens += tokens;
        plan.cost += cost;
        if steps.len() > 1 {
            plan.divide(steps);
        }
    }
    Ok(plan)
}

/// Takes a plan as far as it goes without writing: one subgoal of rules, or all that follow each other
/// by a model. Updates the plan; the caller writes the change, and calls again.
///
/// # Errors
/// An ambiguous item, and errors of the crates below. A subgoal without a proven change is an outcome.
pub(crate) fn advance(
    ctx: &Ctx,
    workspace: &Workspace,
    plan: &mut Plan,
    options: &GoalOptions,
    on: &mut dyn FnMut(&FixEvent),
) -> Result<Option<Advanced>, AgentError> {
    // What was proven and not written is proven again: the tree may have changed.
    for subgoal in plan.subgoals.iter_mut().filter(|it| it.status == SubgoalStatus::Proven) {
        subgoal.status = SubgoalStatus::Pending;
    }
    let mut last: Option<FixResult> = None;
    let mut in_progress = Overlay::empty();
    while let Some(idx) = plan.next() {
        let text = plan.subgoals[idx].text.clone();
        if let Some(request) = recognise(&text) {
            plan.subgoals[idx].by = Doer::Rules;
            plan.subgoals[idx].note = request.command();
            if last.is_some() {
                // Rules plan from the tree itself.
                break;
            }
            match by_rules(ctx, workspace, &request, options, on) {
                Ok(fixed) => {
                    settle(&mut plan.subgoals[idx], &fixed);
                    return Ok(Some(Advanced { fixed, prompt: None }));
                }
                // The words may mean something else: a model reads them as a whole.
                Err(error) if is_misread(&error) && options.model.is_some() => {}
                Err(error) => return Err(error),
            }
        }
        plan.subgoals[idx].by = Doer::Model;
        let (goal, so_far) = (plan.goal.clone(), in_progress.clone());
        let step =
            StepRequest { goal, text: text.clone(), in_progress: so_far, options: options.clone() };
        let advanced = step.run(ctx, workspace, on)?;
        plan.tokens += advanced.fixed.report.tokens;
        plan.cost += advanced.fixed.report.cost;
        settle(&mut plan.subgoals[idx], &advanced.fixed);
        let Some(accepted) = &advanced.fixed.accepted else {
            // What was proven before it can be written.
            return Ok(Some(match last {
                Some(mut fixed) if advanced.prompt.is_none() => {
                    let reason = advanced.fixed.report.reason.unwrap_or_default();
                    fixed.report.notes.push(format!("`{text}` is not part of it: {reason}"));
                    Advanced { fixed, prompt: None }
                }
                _ => advanced,
            }));
        };
        in_progress = accepted.overlay.clone();
        last = Some(advanced.fixed);
    }
    Ok(last.map(|fixed| Advanced { fixed, prompt: None }))
}

fn settle(subgoal: &mut Subgoal, fixed: &FixResult) {
    let is_proven = fixed.report.outcome == FixOutcome::Proven;
    subgoal.status = if is_proven { SubgoalStatus::Proven } else { SubgoalStatus::Failed };
    subgoal.diff = if is_proven { fixed.report.diff.clone() } else { String::new() };
    if let (false, Some(reason)) = (is_proven, &fixed.report.reason) {
        subgoal.note.clone_from(reason);
    }
}

/// Whether the item or a text of the request does not exist as the words were read.
fn is_misread(error: &AgentError) -> bool {
    use AgentError as E;
    use code::CodeError as C;
    matches!(
        error,
        E::Code(C::NoItem { .. } | C::OutsideItem { .. } | C::NotMapped { .. })
            | E::BadName { .. }
            | E::BadText { .. }
            | E::NotRenamed { .. }
            | E::NotMoved { .. }
            | E::NotInlined { .. }
            | E::NotReshaped { .. }
    )
}

pub(crate) fn by_rules(
    ctx: &Ctx,
    workspace: &Workspace,
    request: &RefactorRequest,
    options: &GoalOptions,
    on: &mut dyn FnMut(&FixEvent),
) -> Result<FixResult, AgentError> {
    let own = RefactorOptions {
        tests: options.tests,
        max_seconds: options.max_seconds,
        approval: options.approval.clone(),
        ..RefactorOptions::default()
    };
    match request {
        RefactorRequest::Rename { item, to } => rename(ctx, workspace, (item, to), &own, on),
        RefactorRequest::Move { item, to } => relocate(ctx, workspace, (item, to), &own, on),
        RefactorRequest::Inline { item, keep } => inline(ctx, workspace, (item, *keep), &own, on),
        RefactorRequest::Reshape { item, change } => {
            reshape(ctx, workspace, (item, change), &own, ReasonerChoice::Rules, on)
        }
    }
}
