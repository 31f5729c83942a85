//! `refactor add-parameter`, `remove-parameter`, `reorder`, `change-type`, `add-field`: the change of
//! a definition on request, with its uses, proven like an in-progress change. Start at [`reshape`].

use base::{Ctx, Timestamp};
use check::{Checked, Ladder, Scope, SkipRule, Tests};
use edit::{Files, Overlay};
use project::Workspace;
use refactor::{Reshape, ReshapePlan, Reshaping, UnprovenName};
use tools::ReshapeDraft;

use crate::examples::failed_examples;
use crate::refactoring::{AUTHOR, message, obstacles};
use crate::task::{Task, why_not};
use crate::{
    AgentError, FixEvent, FixOptions, FixResult, IntentRow, LeftRow, ReasonerChoice,
    RefactorOptions, TaskStep,
};

/// Most proofs that correct the uses of a changed list of parameters, and most runs of its examples.
const ROUNDS: usize = 4;

/// Changes a definition and its uses. Writes nothing: [`crate::apply`] does, if the proof passed.
///
/// The uses come from the code map; where it leaves a doubt, the compiler lists them first, as for a
/// rename. If a missed call could build, the change is proven with one more parameter first. Places
/// that cannot follow refute the change. What the words leave open, such as the value of a new
/// parameter, is found by these reasoners as in [`crate::fix`].
///
/// # Errors
/// An unknown or ambiguous item, one that cannot change as requested, and errors of the crates below. A
/// change that does not build is an outcome, not an error.
pub fn reshape(
    ctx: &Ctx,
    workspace: &Workspace,
    (item, change): (&str, &Reshape),
    options: &RefactorOptions,
    reasoners: ReasonerChoice,
    on: &mut dyn FnMut(&FixEvent),
) -> Result<FixResult, AgentError> {
    let mut fix = FixOptions { reasoners, test_code: true, ..options.fix() };
    let mut task = Task::new(ctx, workspace, &fix, on)?;
    task.enter(TaskStep::Propose, format!("`{item}`"));
    let draft = tools::reshape_plan(ctx, workspace, item, change)?;
    let Prepared { mut plan, mut draft, proofs, mut left, more } = match prepare(task, draft)? {
        Ok(prepared) => prepared,
        Err(refused) => return Ok(*refused),
    };
    if draft.reshaping.is_complete() {
        fix.reasoners = ReasonerChoice::Nothing;
    }
    let is_tested = fix.tests.unwrap_or(workspace.settings().check_tests) != Tests::None;
    if plan.has_examples && is_tested {
        // Only a run of all tests has those of the documentation.
        fix.tests = Some(Tests::All);
    }
    fix.more = more;
    fix.begin = Some(overlay(workspace.project(), &plan)?);
    fix.is_own = matches!(change, Reshape::RemoveParameter { .. } | Reshape::Reorder { .. });
    fix.request = Some(intent(&draft, change));
    fix.relisting = draft.reshaping.relisting();
    let mut fixed = crate::fix(ctx, workspace, &fix, on)?;
    for _ in 0..ROUNDS {
        let fails_in_example = fixed.accepted.is_none() && fixed.report.fails_in_example;
        if !(is_tested && fails_in_example && draft.reshaping.uses.has_examples()) {
            break;
        }
        let task = Task::new(ctx, workspace, &fix, on)?;
        let Some(learned) = with_examples(task, &mut draft, &plan)? else { break };
        fix.begin = Some(overlay(workspace.project(), &learned.0)?);
        (plan, left) = learned;
        fixed = crate::fix(ctx, workspace, &fix, on)?;
    }
    let (report, summary) = (&mut fixed.report, draft.reshaping.summary());
    if fixed.accepted.is_some() {
        let places = match draft.reshaping.is_complete() {
            true => format!(": {} changed", base::counted(plan.uses, "use")),
            false => String::new(),
        };
        report.rationale.insert(0, format!("{} {summary}{places}", draft.item));
        report.notes.extend(draft.notes);
        report.left_behind.extend(left);
        // The proof of the tree with the change.
        report.candidates_tried += proofs + 1;
    } else if lacks_value(change) {
        report.notes.push("`--value EXPR` is the value for every use".to_owned());
    }
    let name = &draft.reshaping.uses.target().from;
    let summary = format!("{}: {name}", subject(change));
    fixed.message = Some(message(summary, fixed.report.rationale.clone()));
    Ok(fixed)
}

/// A change that every use can follow.
struct Prepared {
    plan: ReshapePlan,
    draft: ReshapeDraft,
    /// Number of proofs so far.
    proofs: usize,
    /// Places that no proof covers.
    left: Vec<LeftRow>,
    /// Further configurations that the change has to build in.
    more: Vec<Scope>,
}

/// Corrects the uses by what the compiler lists, and refuses what cannot follow.
fn prepare(
    mut task: Task<'_>,
    mut draft: ReshapeDraft,
) -> Result<Result<Prepared, Box<FixResult>>, AgentError> {
    let reshaping = &mut draft.reshaping;
    let ladder = Ladder {
        // A call that was missed in a test may build too, or breaks the build of all tests.
        test_code: true,
        analyzer: false,
        skip: SkipRule::Tree,
        format: false,
        clippy: false,
        ..task.world.ladder(Tests::None, None)
    };
    let more = task.widen(&mut reshaping.uses, &draft.places, &ladder)?;
    if let Some(why) = reshaping.uses.unseen_definition() {
        let reason = format!("no check builds its definition ({why}): no use of it can be proven");
        return Ok(Err(Box::new(refused(task, &draft, reason))));
    }
    let ladder = Ladder { more: more.clone(), ..ladder };
    let is_open = reshaping.uses.is_open() || reshaping.uses.assumes_calls();
    if reshaping.is_complete() && is_open {
        task.enter(TaskStep::Check, "the uses that the compiler lists");
        if let Some(listed) = task.list_uses(&reshaping.uses, &ladder)? {
            reshaping.uses.confirm(&listed);
        }
    }
    let mut plan = reshaping.plan();
    if !plan.obstacles.is_empty() {
        let reason = obstacles(&plan.obstacles);
        return Ok(Err(Box::new(refused(task, &draft, reason))));
    }
    if reshaping.is_complete() && (reshaping.is_silent() || reshaping.uses.assumes_calls()) {
        let checked = fit(&mut task, reshaping, &ladder)?;
        // Elsewhere the change itself does not build with a call that was missed.
        if reshaping.is_silent()
            && let Some(reason) = why_not(&checked, "not every call can be found:")
        {
            return Ok(Err(Box::new(refused(task, &draft, reason))));
        }
        plan = reshaping.plan();
    }
    // A call in an example that did not follow fails there.
    plan.has_examples |= task.has_in_examples(&[&draft.reshaping.uses.target().from])?;
    let left = left_places(&task, &draft, &plan)?;
    Ok(Ok(Prepared { plan, draft, proofs: task.proofs, left, more }))
}

/// The places that nothing proves, and the calls in texts, which no edit follows.
fn left_places(
    task: &Task<'_>,
    draft: &ReshapeDraft,
    plan: &ReshapePlan,
) -> Result<Vec<LeftRow>, AgentError> {
    let summary = format!("{} {}", draft.item, draft.reshaping.summary());
    let examples = plan.has_examples && task.tests() != Tests::None;
    let calls = draft.reshaping.uses.calls_in_texts(&task.other_texts()?);
    let unproven = unproven(draft, plan, examples).into_iter().chain(calls);
    Ok(unproven.map(|it| LeftRow::unproven(it, &summary)).collect())
}

/// Corrects the uses by the number of arguments of every call: an assumed one of another item leaves. Returns
/// the last proof.
fn fit(
    task: &mut Task<'_>,
    reshaping: &mut Reshaping,
    ladder: &Ladder,
) -> Result<Checked, AgentError> {
    task.enter(TaskStep::Check, "the number of arguments of every call");
    let mut rounds = 0;
    loop {
        let counted = overlay(&*task.world, &reshaping.counted())?;
        let checked = task.prove(counted, ladder)?;
        rounds += 1;
        let learned = reshaping.uses.learn_argument_counts(&checked.diagnostics, &checked.overlay);
        if learned == 0 || rounds == ROUNDS {
            return Ok(checked);
        }
    }
}

/// The places of the name that nothing proves. Where every use has an edit, one without is no use: it names the
/// type, or imports the function.
fn unproven(draft: &ReshapeDraft, plan: &ReshapePlan, examples: bool) -> Vec<UnprovenName> {
    let is_complete = draft.reshaping.is_complete();
    let mut found = Vec::new();
    for (site, name) in draft.reshaping.uses.unproven_sites(examples) {
        let edited = plan.changed.contains(&(site.path.clone(), site.span.start));
        if edited || !name.edited || !is_complete {
            found.push(UnprovenName { edited, ..name });
        }
    }
    found.dedup_by(|a, b| {
        (&a.path, a.line, &a.what, a.edited) == (&b.path, b.line, &b.what, b.edited)
    });
    found
}

/// The plan with the examples that fail without it, and the places that it leaves; `None` if they follow from
/// nothing.
fn with_examples(
    mut task: Task<'_>,
    draft: &mut ReshapeDraft,
    plan: &ReshapePlan,
) -> Result<Option<(ReshapePlan, Vec<LeftRow>)>, AgentError> {
    task.enter(TaskStep::Test, "the examples that may use it");
    // Tests whose name has a line are those of the documentation.
    let filter = Some("(line ".to_owned());
    let ladder = Ladder { filter, ..task.ladder_of_words(Tests::All) };
    let checked = task.world.prove(overlay(&*task.world, plan)?, &ladder)?;
    task.ctx.check_cancelled()?;
    let uses = &mut draft.reshaping.uses;
    let learned = uses.learn_examples(&failed_examples(&checked));
    let mut plan = draft.reshaping.plan();
    if learned == 0 || !plan.obstacles.is_empty() {
        return Ok(None);
    }
    plan.has_examples = true;
    let left = left_places(&task, draft, &plan)?;
    Ok(Some((plan, left)))
}

/// Whether the words leave the value of what is new open.
fn lacks_value(change: &Reshape) -> bool {
    match change {
        Reshape::AddParameter { new, .. } | Reshape::AddField { new } => new.value.is_none(),
        _ => false,
    }
}

fn overlay(files: &dyn Files, plan: &ReshapePlan) -> Result<Overlay, AgentError> {
    Ok(Overlay::from_splices(AUTHOR, Timestamp(0), files, &plan.splices)?)
}

fn refused(task: Task<'_>, draft: &ReshapeDraft, reason: String) -> FixResult {
    let mut refused = task.abort(None, reason);
    refused.report.notes.extend(draft.notes.iter().cloned());
    refused
}

fn subject(change: &Reshape) -> &'static str {
    match change {
        Reshape::AddParameter { .. } => "add a parameter",
        Reshape::RemoveParameter { .. } => "remove a parameter",
        Reshape::Reorder { .. } => "reorder parameters",
        Reshape::ChangeType { .. } => "change a type",
        Reshape::AddField { .. } => "add a field",
    }
}

fn intent(draft: &ReshapeDraft, change: &Reshape) -> IntentRow {
    let what = match change {
        Reshape::AddParameter { .. } => "parameter_added",
        Reshape::RemoveParameter { .. } => "parameter_removed",
        Reshape::Reorder { .. } => "reordered",
        Reshape::ChangeType { .. } => "retyped",
        Reshape::AddField { .. } => "added",
    };
    IntentRow {
        what: what.into(),
        item: draft.item.clone(),
        evidence: format!("{} {}", draft.item, draft.reshaping.summary()),
        confidence: 1.0,
        file: draft.file.clone(),
        line: draft.line,
    }
}
