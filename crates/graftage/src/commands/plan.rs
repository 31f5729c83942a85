//! `plan`: plans of a person and of `task`, as trees of steps.

use memory::RelationStatus;
use tools::{PlanAnswer, Plans};

use crate::args_guidance::{Plan, PlanNode};
use crate::exit::{Failure, Status};
use crate::output::{self, WARN, paint};
use crate::session::Session;

pub(crate) fn run(session: &Session, command: &Plan) -> Result<Status, Failure> {
    let workspace = session.map_workspace()?;
    let plans = Plans::at(&workspace.project().state_dir());
    let ctx = &session.ctx;
    let set = |node: &PlanNode, status| plans.set(ctx, &node.id, status, node.note.as_deref());
    let answer = match command {
        Plan::Show { id } => plans.show(ctx, id.as_deref())?,
        Plan::Add { text, under, plan } => {
            plans.add(ctx, text, under.as_deref(), plan.as_deref())?
        }
        Plan::Done(node) => set(node, RelationStatus::Done)?,
        Plan::Start(node) => set(node, RelationStatus::InProgress)?,
        Plan::Fail(node) => set(node, RelationStatus::Failed)?,
        Plan::Reopen(node) => set(node, RelationStatus::Pending)?,
        Plan::Remove { id } => plans.remove(ctx, id)?,
    };
    if session.global.json {
        output::json(&answer)?;
    } else {
        output::say(&tree(&answer))?;
    }
    Ok(Status::Done)
}

/// A plan as an indented tree.
pub(crate) fn tree(answer: &PlanAnswer) -> String {
    let mut text = String::new();
    if let Some(damage) = &answer.damage {
        text.push_str(&format!("{}: {}\n", paint(WARN, "warning"), output::brief(damage)));
    }
    text.push_str(&output::safe(&answer.tree));
    if answer.tree.is_empty() {
        text.push_str("no plan\n");
    }
    text
}
