//! [`Plan`]: a goal with its subgoals, as it is kept in the store of plans.

use std::path::Path;

use base::{Ctx, SortedMap};
use memory::RelationStatus;
use serde::Serialize;
use serde_json::Value;
use tools::{PlanAnswer, Plans, StoredPlan, StoredStep};

use crate::{AgentError, recognise, split_task};

/// Maximum number of subgoals.
pub(super) const MAX_SUBGOALS: usize = 24;

/// The verifier of every subgoal: it compiles, the tests that the settings ask for pass as before, and
/// the gate opens.
const VERIFIER: &str = "proof";

/// A goal and what it takes.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Plan {
    /// Id in the store of plans.
    pub id: String,
    /// The task as it was given.
    pub goal: String,
    /// Tokens of models so far.
    pub tokens: u64,
    /// Their cost in dollars.
    pub cost: f64,
    /// The subgoals, in order.
    #[serde(rename = "subgoal")]
    pub subgoals: Vec<Subgoal>,
}

/// One step of a plan.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Subgoal {
    /// Id in the store of plans.
    pub id: String,
    /// What is to be done, in imperative English.
    pub text: String,
    /// Who does it. Read from the text again whenever it starts.
    pub by: Doer,
    /// Name of the proof that it is done, always [`VERIFIER`]; read by scripts.
    verifier: &'static str,
    /// Whether it is done.
    pub status: SubgoalStatus,
    /// Why it failed, or the command that rules understood.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub note: String,
    /// Its change, once it is proven.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub diff: String,
}

/// Who makes the change of a subgoal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Doer {
    /// Rules, as `refactor` does.
    Rules,
    /// A language model, within the limits of `fix`.
    Model,
}

/// Progress of a subgoal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SubgoalStatus {
    /// Not started.
    Pending,
    /// Proven, and not written.
    Proven,
    /// Written.
    Done,
    /// No change was proven.
    Failed,
}

impl Subgoal {
    pub(super) fn new(id: String, text: String) -> Self {
        let understood = recognise(&text);
        Self {
            id,
            by: if understood.is_some() { Doer::Rules } else { Doer::Model },
            note: understood.map(|it| it.command()).unwrap_or_default(),
            text,
            verifier: VERIFIER,
            status: SubgoalStatus::Pending,
            diff: String::new(),
        }
    }
}

impl Plan {
    /// The plan of a task, by its own lists and sentences.
    pub(crate) fn new(ctx: &Ctx, goal: &str) -> Self {
        let mut plan = Self {
            id: tools::plan_id(ctx),
            goal: goal.trim().to_owned(),
            tokens: 0,
            cost: 0.0,
            subgoals: Vec::new(),
        };
        plan.divide(split_task(goal));
        plan
    }

    /// Makes these the subgoals.
    pub(super) fn divide(&mut self, texts: Vec<String>) {
        let subgoal = |(at, text)| Subgoal::new(format!("{}.{}", self.id, at + 1), text);
        self.subgoals = texts.into_iter().enumerate().map(subgoal).collect();
    }

    /// Whether there is nothing left to do.
    pub fn is_done(&self) -> bool {
        self.subgoals.iter().all(|it| it.status == SubgoalStatus::Done)
    }

    /// The index of the first subgoal that is not proven.
    pub(super) fn next(&self) -> Option<usize> {
        let is_open =
            |it: &Subgoal| matches!(it.status, SubgoalStatus::Pending | SubgoalStatus::Failed);
        self.subgoals.iter().position(is_open)
    }

    /// Marks what is proven as written.
    pub fn applied(&mut self) {
        for subgoal in &mut self.subgoals {
            if subgoal.status == SubgoalStatus::Proven {
                subgoal.status = SubgoalStatus::Done;
            }
        }
    }
}

/// Reads a plan of a person or of a task from the state directory of a project. The beginning of its id
/// is enough.
///
/// # Errors
/// An unknown id, or a plan with too many steps.
pub fn read_plan(ctx: &Ctx, folder: &Path, id: &str) -> Result<Plan, AgentError> {
    let stored = Plans::at(folder).get(ctx, id)?;
    if stored.steps.len() > MAX_SUBGOALS {
        let reason = format!("it has {} steps, at most {MAX_SUBGOALS}", stored.steps.len());
        return Err(AgentError::NoPlan { id: stored.id, reason });
    }
    let number = |name: &str| stored.fields.get(name).and_then(Value::as_f64).unwrap_or_default();
    Ok(Plan {
        tokens: stored.fields.get("tokens").and_then(Value::as_u64).unwrap_or_default(),
        cost: number("cost"),
        id: stored.id,
        goal: stored.text,
        subgoals: stored.steps.into_iter().map(subgoal).collect(),
    })
}

/// Stores a plan in the state directory of a project; returns how it is shown.
///
/// # Errors
/// A store that cannot be written.
pub fn write_plan(ctx: &Ctx, folder: &Path, plan: &Plan) -> Result<PlanAnswer, AgentError> {
    let number = |value: Value| if value == 0 || value == 0.0 { Value::Null } else { value };
    let fields = [("tokens", number(plan.tokens.into())), ("cost", number(plan.cost.into()))];
    let fields = fields.map(|(name, value)| (name.to_owned(), value));
    Plans::at(folder).put(
        ctx,
        &StoredPlan {
            id: plan.id.clone(),
            text: plan.goal.clone(),
            fields: SortedMap::from(fields),
            steps: plan.subgoals.iter().map(step).collect(),
        },
    )
}

fn subgoal(step: StoredStep) -> Subgoal {
    let text = |name: &str| step.fields.get(name).and_then(Value::as_str).unwrap_or_default();
    let diff = text("diff").to_owned();
    let mut subgoal = Subgoal::new(step.id.clone(), step.text.clone());
    if !text("note").is_empty() {
        subgoal.note = text("note").to_owned();
    }
    subgoal.status = match step.status {
        RelationStatus::InProgress if !diff.is_empty() => SubgoalStatus::Proven,
        RelationStatus::Pending | RelationStatus::InProgress => SubgoalStatus::Pending,
        RelationStatus::Done => SubgoalStatus::Done,
        RelationStatus::Failed => SubgoalStatus::Failed,
    };
    subgoal.diff = diff;
    subgoal
}

fn step(subgoal: &Subgoal) -> StoredStep {
    let text = |text: &str| if text.is_empty() { Value::Null } else { Value::from(text) };
    let by = match subgoal.by {
        Doer::Rules => "rules",
        Doer::Model => "model",
    };
    let fields = [("by", by.into()), ("note", text(&subgoal.note)), ("diff", text(&subgoal.diff))];
    StoredStep {
        id: subgoal.id.clone(),
        text: subgoal.text.clone(),
        status: match subgoal.status {
            SubgoalStatus::Pending => RelationStatus::Pending,
            SubgoalStatus::Proven => RelationStatus::InProgress,
            SubgoalStatus::Done => RelationStatus::Done,
            SubgoalStatus::Failed => RelationStatus::Failed,
        },
        fields: fields.map(|(name, value)| (name.to_owned(), value)).into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_is_stored_and_read_and_may_be_changed_by_a_person() {
        let (ctx, folder) = (testkit::ctx(), testkit::project("//- /a\n"));
        let mut plan = Plan::new(&ctx, "1. rename a to b\n2. make it faster\n");
        assert_eq!(plan.subgoals[0].note, "refactor rename a b");
        let by: Vec<Doer> = plan.subgoals.iter().map(|it| it.by).collect();
        assert_eq!(by, [Doer::Rules, Doer::Model]);
        plan.subgoals[0].status = SubgoalStatus::Proven;
        plan.subgoals[0].diff = "-a\n+b\n".to_owned();
        write_plan(&ctx, folder.root(), &plan).unwrap();
        assert_eq!(read_plan(&ctx, folder.root(), &plan.id).unwrap(), plan);
        let plans = Plans::at(folder.root());
        plans.add(&ctx, "inline c", Some(&plan.id), None).unwrap();
        plans.remove(&ctx, &plan.subgoals[1].id).unwrap();
        plan.applied();
        let shown = write_plan(&ctx, folder.root(), &plan).unwrap();
        assert!(shown.tree.contains("[x]"), "{}", shown.tree);
        let changed = read_plan(&ctx, folder.root(), &plan.id).unwrap();
        let steps: Vec<(&str, SubgoalStatus)> =
            changed.subgoals.iter().map(|it| (it.text.as_str(), it.status)).collect();
        assert_eq!(
            steps,
            [("rename a to b", SubgoalStatus::Done), ("inline c", SubgoalStatus::Pending)]
        );
    }

    #[test]
    fn a_plan_of_a_person_without_steps_is_its_own_step() {
        let (ctx, folder) = (testkit::ctx(), testkit::project("//- /a\n"));
        let plans = Plans::at(folder.root());
        let added = plans.add(&ctx, "rename a to b", None, None).unwrap();
        let mut plan = read_plan(&ctx, folder.root(), &added.nodes[0].id[..5]).unwrap();
        assert_eq!((plan.goal.as_str(), plan.subgoals.len()), ("rename a to b", 1));
        plan.subgoals[0].status = SubgoalStatus::Failed;
        let shown = write_plan(&ctx, folder.root(), &plan).unwrap();
        assert!(shown.tree.starts_with("[!] "), "{}", shown.tree);
    }

    #[test]
    fn unknown_ids_are_refused() {
        let (ctx, folder) = (testkit::ctx(), testkit::project("//- /a\n"));
        for id in ["", "../x", "a/b", "a.b", "\0"] {
            assert!(read_plan(&ctx, folder.root(), id).is_err(), "{id}");
        }
    }
}
