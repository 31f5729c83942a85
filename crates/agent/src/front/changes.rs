//! Searches for a change as jobs: each request with the settings and options of its command, and what it
//! found as changes to review.

use std::sync::Arc;

use base::Ctx;
use edit::Overlay;
use project::Workspace;

use super::job::{ChangeRequest, JobEnd, OfferedChange, PlanCard};
use super::runner::{ProjectSource, Shared};
use crate::{
    Advanced, Agent, AgentError, AgentLimits, Answers, FixEvent, FixOptions, FixReport, FixResult,
    GivenAnswers, Plan, ReasonerChoice, begin_upgrade, left_lines, read_plan, write_plan,
};

/// Settings of a job that asks rust-analyzer nothing.
const RULES_ONLY: &[(&str, &str)] = &[("fix.analyzer", "never")];

/// A plan as it is stored, and as it is shown.
type StoredPlan = (Plan, PlanCard);

/// Receives the events of a search.
type On<'a> = &'a mut dyn FnMut(&FixEvent);

/// Runs a search for a change.
pub(super) fn run(
    ctx: &Ctx,
    shared: &Shared,
    (request, begin): (ChangeRequest, Option<Overlay>),
    on: On<'_>,
) -> Result<JobEnd, AgentError> {
    let (source, title) = (&shared.source, request.title());
    if let Some(unsaved) = &begin
        && !request.starts_from_unsaved()
    {
        return Ok(JobEnd::Failed(
            format!("{}: {} not saved", title, files_of(unsaved)),
            Some("save them: a refactoring and an upgrade start from the files on the disk".into()),
        ));
    }
    let options = FixOptions { begin, ..FixOptions::default() };
    let composed = |flags: &[(&str, &str)]| source.agent(ctx, flags);
    let (agent, fixed, plan) = match request {
        ChangeRequest::Fix(answers) => {
            let agent = composed(&[])?;
            let answers = given(source, answers);
            let fixed = agent.fix(ctx, FixOptions { answers, ..options }, on)?;
            (agent, fixed, None)
        }
        ChangeRequest::FixTests => {
            let agent = composed(&[])?;
            let fixed = agent.fix(ctx, FixOptions { failing: true, ..options }, on)?;
            (agent, fixed, None)
        }
        ChangeRequest::Finish(answers) => {
            let agent = composed(RULES_ONLY)?;
            let (base, answers) = (Some("HEAD".to_owned()), given(source, answers));
            let reasoners = ReasonerChoice::Intents;
            let options = FixOptions { base, reasoners, answers, ..options };
            let fixed = agent.fix(ctx, options, on)?;
            (agent, fixed, None)
        }
        ChangeRequest::Upgrade { package, version } => {
            let open = |scope: &str| source.open(ctx, &[("check.scope", scope)]);
            let asked = (package.as_str(), version.as_deref());
            let (workspace, start) = begin_upgrade(ctx, source.open(ctx, &[])?, asked, &open)?;
            let agent = source.agent_of(workspace);
            let notes = start.upgrade.notes.clone();
            let mut fixed = agent.upgrade(ctx, (start, false), options, on)?;
            fixed.report.notes.splice(0..0, notes);
            (agent, fixed, None)
        }
        ChangeRequest::Edition(edition) => {
            let agent = composed(&[])?;
            let fixed = agent.migrate(ctx, (&edition, false), options, on)?;
            (agent, fixed, None)
        }
        ChangeRequest::Refactor(request) => {
            let agent = composed(RULES_ONLY)?;
            let fixed = agent.refactor(ctx, &request, on)?;
            (agent, fixed, None)
        }
        ChangeRequest::Task(text) => {
            let agent = composed(&[])?;
            let plan = agent.plan(ctx, &text, AgentLimits::default())?;
            let (fixed, plan) = step(ctx, &agent, plan, on)?;
            (agent, fixed, plan)
        }
        ChangeRequest::Resume(id) => {
            let agent = composed(&[])?;
            let plan = read_plan(ctx, &agent.workspace().project().state_dir(), &id)?;
            let (fixed, plan) = step(ctx, &agent, plan, on)?;
            (agent, fixed, plan)
        }
    };
    Ok(ended(ctx, shared, agent.into_workspace(), (title, fixed), plan))
}

/// Answers of the user of a front end, who may be an agent.
fn given(source: &ProjectSource, answers: Answers) -> GivenAnswers {
    if source.for_agents {
        return answers.into();
    }
    let mut given = GivenAnswers::default();
    answers.0.into_iter().for_each(|(id, answer)| given.add_own(id, answer));
    given
}

/// A plan, as far as it goes without a write.
fn step(
    ctx: &Ctx,
    agent: &Agent,
    mut plan: Plan,
    on: On<'_>,
) -> Result<(FixResult, Option<StoredPlan>), AgentError> {
    let advanced = agent.advance(ctx, &mut plan, AgentLimits::default(), on);
    let card = stored(ctx, agent.workspace(), &plan)?;
    let fixed = match advanced? {
        Some(Advanced { fixed, .. }) => fixed,
        None => {
            let report = FixReport::none("the plan has no step that is left");
            FixResult { report, accepted: None, message: None }
        }
    };
    Ok((fixed, Some((plan, card))))
}

/// Stores a plan.
pub(super) fn stored(
    ctx: &Ctx,
    workspace: &Workspace,
    plan: &Plan,
) -> Result<PlanCard, AgentError> {
    let stored = write_plan(ctx, &workspace.project().state_dir(), plan)?;
    let lines = stored.tree.lines().map(str::to_owned).collect();
    Ok(PlanCard { id: plan.id.clone(), lines, is_done: plan.is_done() })
}

/// The files of a change, as the subject of a sentence.
fn files_of(change: &Overlay) -> String {
    let files: Vec<&str> = change.changes().map(|(path, _)| path.as_str()).collect();
    format!("{} {}", files.join(", "), if files.len() == 1 { "is" } else { "are" })
}

/// The changes that a search found, best first: the verified change, else its choices, its draft, its partial change.
fn ended(
    ctx: &Ctx,
    shared: &Shared,
    workspace: Workspace,
    (title, fixed): (String, FixResult),
    plan: Option<StoredPlan>,
) -> JobEnd {
    let workspace = Arc::new(workspace);
    let (plan, card) = plan.unzip();
    let report = fixed.report.clone();
    let left = left_lines(&report.left_behind, &report.rationale);
    let left: Vec<String> = left.iter().map(ToString::to_string).collect();
    let mut changes: Vec<OfferedChange> = Vec::new();
    if let Some(accepted) = &fixed.accepted {
        changes.push(OfferedChange {
            title,
            rationale: report.rationale.clone(),
            change: accepted.overlay.clone(),
            left,
            proof: shared.offers.of_run(&workspace, fixed, plan),
        });
    } else {
        let mut add = |kind: String, rationale: &[String], diff: &str| {
            // A diff of a tree that has moved on is only shown in the report.
            let Ok(change) = tools::change_of_text(ctx, &workspace, diff) else { return };
            if changes.iter().any(|it| it.change.patch_set() == change.patch_set()) {
                return;
            }
            let (title, rationale) = (format!("{title}: {kind}"), rationale.to_vec());
            changes.push(OfferedChange {
                title,
                rationale,
                change,
                left: left.clone(),
                proof: None,
            });
        };
        let with = |lines: &[String], more: Vec<String>| [lines, &more].concat();
        let reason: Vec<String> = report.reason.iter().cloned().collect();
        let guesses = crate::same_guesses(&report.guesses);
        let guesses: Vec<String> = guesses.iter().map(|it| format!("guess {it}")).collect();
        for (number, choice) in report.choices.iter().enumerate() {
            add(format!("choice {}", number + 1), &choice.rationale, &choice.diff);
        }
        if report.choices.is_empty() && !report.diff.is_empty() {
            let more = with(&reason, guesses);
            add("draft".to_owned(), &with(&report.rationale, more), &report.diff);
        }
        if let Some(partial) = &report.partial {
            let left = partial.left.iter().map(|it| format!("left {it}")).collect();
            add("unfinished".to_owned(), &with(&partial.rationale, left), &partial.diff);
        }
        for refused in &report.refused {
            let why = with(&[format!("refused: {}", refused.reason)], refused.rationale.clone());
            add("refused".to_owned(), &why, &refused.diff);
        }
    }
    JobEnd::Changes { report: Box::new(report), changes, plan: card }
}
