//! `refactor inline`: an item goes into its uses, proven by the compiler. Start at [`inline`].

use std::sync::Arc;

use base::{Ctx, Timestamp};
use check::{Ladder, Scope, Tests};
use edit::Overlay;
use policy::Keep;
use preserve::InlinedItem;
use project::Workspace;
use refactor::InlinePlan;
use tools::InlineDraft;

use crate::refactoring::{AUTHOR, Shown, obstacles};
use crate::task::{Task, why_not};
use crate::{AgentError, FixEvent, FixResult, IntentRow, RefactorOptions, TaskStep};

/// Puts an item into its uses, and removes its definition unless `keep` is set. Writes nothing:
/// [`crate::apply`] does, if the proof passed.
///
/// The compiler lists the uses first: the item is marked as deprecated in an overlay. Uses that cannot
/// follow refute the change.
///
/// # Errors
/// An unknown or ambiguous item, one that cannot be inlined, and errors of the crates below. A change
/// that does not build is an outcome, not an error.
pub fn inline(
    ctx: &Ctx,
    workspace: &Workspace,
    (item, keep): (&str, bool),
    options: &RefactorOptions,
    on: &mut dyn FnMut(&FixEvent),
) -> Result<FixResult, AgentError> {
    let fix = options.fix();
    let mut task = Task::new(ctx, workspace, &fix, on)?;
    task.enter(TaskStep::Propose, format!("`{item}` into its uses"));
    let mut draft = tools::inline_plan(ctx, workspace, item, keep)?;
    task.intents = vec![intent(&draft)];
    let ladder = Ladder {
        // A call in a test is a call too.
        test_code: true,
        format: false,
        clippy: false,
        ..task.ladder_of_words(Tests::None)
    };
    let more = task.widen(&mut draft.inlining.uses, &draft.places, &ladder)?;
    let ladder = Ladder { more: more.clone(), ..ladder };
    task.enter(TaskStep::Check, "the uses that the compiler lists");
    if let Some(listed) = task.list_uses(&draft.inlining.uses, &ladder)? {
        draft.inlining.confirm(&listed);
    }
    if let Some(reason) = refusal(&draft, &draft.inlining.plan()) {
        return Ok(task.abort(None, reason));
    }
    task.ask_types(&mut draft, &ladder)?;
    let plan = draft.inlining.plan();
    prove(task, &draft, plan, &more)
}

impl Task<'_> {
    /// Asks the compiler for the types of values that would need a variable.
    fn ask_types(&mut self, draft: &mut InlineDraft, ladder: &Ladder) -> Result<(), AgentError> {
        let Some(questions) = draft.inlining.questions().filter(|_| self.has_time()) else {
            return Ok(());
        };
        self.enter(TaskStep::Check, "the types of the values in its calls");
        let overlay =
            Overlay::from_splices(AUTHOR, Timestamp(0), &*self.world, &questions.splices)?;
        // Its errors are the answers, and no result that is shown.
        let checked = self.world.prove(overlay, ladder)?;
        self.ctx.check_cancelled()?;
        draft.inlining.answer(&questions, &checked.diagnostics, &checked.overlay);
        Ok(())
    }
}

/// Why the plan is no change; `None` if it is one.
fn refusal(draft: &InlineDraft, plan: &InlinePlan) -> Option<String> {
    if !plan.obstacles.is_empty() {
        return Some(obstacles(&plan.obstacles));
    }
    let is_empty = plan.uses == 0 && plan.splices.is_empty();
    let keeps = draft.inlining.keeps();
    (is_empty || plan.uses == 0 && keeps).then(|| "nothing uses it".to_owned())
}

/// Runs check, tests and gate on the plan.
fn prove(
    mut task: Task<'_>,
    draft: &InlineDraft,
    mut plan: InlinePlan,
    more: &[Scope],
) -> Result<FixResult, AgentError> {
    let is_named = task.has_in_examples(&[&draft.inlining.uses.target().from])?;
    let tests = task.tests_with(is_named);
    let ladder = |plan: &InlinePlan| Ladder {
        more: more.to_vec(),
        inlined: Some(Arc::new(InlinedItem {
            name: draft.inlining.uses.target().from.clone(),
            splices: plan.splices.clone(),
        })),
        ..task.ladder_of_words(tests)
    };
    let mut ladder_now = ladder(&plan);
    let typed = draft.inlining.plan_with_types();
    let ladder_with_types = ladder(&typed);
    task.enter(TaskStep::Test, draft.item.clone());
    let overlay = |task: &Task<'_>, plan: &InlinePlan| {
        Overlay::from_splices(AUTHOR, Timestamp(0), &*task.world, &plan.splices)
    };
    let mut checked = task.prove(overlay(&task, &plan)?, &ladder_now)?;
    // The compiler may need the types that a call declared.
    if why_not(&checked, "").is_some() && typed.splices != plan.splices && task.has_time() {
        checked = task.prove(overlay(&task, &typed)?, &ladder_with_types)?;
        (plan, ladder_now) = (typed, ladder_with_types);
    }
    let (plan, ladder) = (&plan, ladder_now);
    let summary = format!("inline {}", draft.inlining.uses.target().from);
    let rationale = rationale(draft, plan);
    let why = rationale.first().map_or("", String::as_str);
    let left = match draft.inlining.keeps() {
        true => Vec::new(),
        false => task.left_names(&draft.inlining.uses, (why, tests == Tests::All))?,
    };
    let shown = Shown { rationale, notes: notes(draft, plan), left, summary };
    // The user asked for the removal; tests and their values stay under the rules.
    Ok(task.decide_words(checked, ladder, (Keep::Tests, "with the inlined item"), shown))
}

fn rationale(draft: &InlineDraft, plan: &InlinePlan) -> Vec<String> {
    let definition =
        if draft.inlining.keeps() { "its definition stays" } else { "its definition is removed" };
    vec![format!(
        "{} is inlined: {} replaced, {definition}",
        draft.item,
        base::counted(plan.uses, "use")
    )]
}

/// What the user has to look at.
fn notes(draft: &InlineDraft, plan: &InlinePlan) -> Vec<String> {
    let name = &draft.inlining.uses.target().from;
    let doubts =
        format!("may use `{name}` in code that the check does not build, and stay as they are");
    // A definition that stays is rightly named.
    let mentions = (!draft.inlining.keeps())
        .then(|| (&plan.mentions, format!("of the documentation still name `{name}`")));
    let places =
        std::iter::once((&plan.doubts, doubts)).chain(mentions).filter_map(|(places, text)| {
            let (path, line) = places.first()?;
            Some(format!("{} {text}: {path}:{line}", base::counted(places.len(), "place")))
        });
    let goes = !draft.inlining.keeps() && draft.inlining.has_documentation();
    let documentation = goes.then(|| format!("the documentation of `{name}` goes with it"));
    places.chain(documentation).collect()
}

fn intent(draft: &InlineDraft) -> IntentRow {
    IntentRow {
        what: "inlined".into(),
        item: draft.item.clone(),
        evidence: format!("{} is to go into its uses", draft.item),
        confidence: 1.0,
        file: draft.file.clone(),
        line: draft.line,
    }
}
