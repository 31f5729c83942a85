//! [`Plans`]: the plans of a project, those of people and those of `task`, in one file.
//!
//! A plan is a node with steps below it, which may have steps again. Ids are short and tell where a node
//! is: `7a5eb3c2` is a plan, `7a5eb3c2.2` its second step.

use std::path::{Path, PathBuf};

use base::{Ctx, SortedMap, Timestamp};
use memory::{
    DamagedFile, Relation, RelationContext, RelationError, RelationFile, RelationStatus,
    RelationUpdate, Relations,
};
use project::ProjectError;
use serde::Serialize;
use serde_json::Value;

use crate::Error;

/// Edge type of a plan.
const PLAN: &str = "plan";
/// Edge type of a step.
const STEP: &str = "step";
/// Length of the id of a plan.
const ID: usize = 8;
/// Longest text of a plan or step, in bytes.
const LONGEST: usize = 64 << 10;

/// The store of plans.
#[derive(Clone, Debug)]
pub struct Plans {
    folder: PathBuf,
}

/// A plan with the steps that have no steps themselves, in their order.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredPlan {
    /// Id.
    pub id: String,
    /// What is to be reached.
    pub text: String,
    /// Further values of the plan.
    pub fields: SortedMap<String, Value>,
    /// Steps. A plan without steps is its own.
    pub steps: Vec<StoredStep>,
}

/// A step of a plan.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredStep {
    /// Id.
    pub id: String,
    /// What is to be done.
    pub text: String,
    /// Status.
    pub status: RelationStatus,
    /// Further values; `note` is shown.
    pub fields: SortedMap<String, Value>,
}

/// Result of the `plan` commands, as `--json` prints it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlanAnswer {
    /// The nodes that were added, changed or removed; for `show` those that are shown.
    pub nodes: Vec<PlanNode>,
    /// The plan as an indented tree with the status of each node.
    pub tree: String,
    /// A damaged store, which was moved aside.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub damage: Option<String>,
}

/// A plan or a step.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlanNode {
    /// Id.
    pub id: String,
    /// What it is a step of.
    pub parents: Vec<String>,
    /// Text.
    pub text: String,
    /// Status.
    pub status: Option<RelationStatus>,
    /// Why it failed, or how it is done.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// When it was added.
    pub created_at: Timestamp,
}

impl Plans {
    /// The plans below the state directory of a project. Nothing is read or written yet.
    pub fn at(state_dir: &Path) -> Self {
        Self { folder: state_dir.join("plans") }
    }

    /// All plans, or one with its steps.
    ///
    /// # Errors
    /// An unknown id, or a store that cannot be read.
    pub fn show(&self, ctx: &Ctx, id: Option<&str>) -> Result<PlanAnswer, Error> {
        let (relations, damage) = self.open(ctx)?;
        let starts: Vec<String> = match id {
            Some(id) => vec![found(&relations, id)?],
            None => relations.roots().into_iter().map(|it| it.id.clone()).collect(),
        };
        let mut nodes = Vec::new();
        for start in &starts {
            nodes.extend(relations.get(start).map(node));
            nodes.extend(relations.descendants(start).into_iter().map(node));
        }
        Ok(answer(&relations, &starts, nodes, damage))
    }

    /// Adds a plan, or a step of the node `under`. `plan` is the name of a plan, which is added where
    /// there is none.
    ///
    /// # Errors
    /// A text that is empty or too long, an unknown id.
    pub fn add(
        &self,
        ctx: &Ctx,
        text: &str,
        under: Option<&str>,
        plan: Option<&str>,
    ) -> Result<PlanAnswer, Error> {
        let text = checked(text)?;
        self.change(ctx, |relations| {
            let parent = match (under, plan) {
                (Some(id), _) => Some(found(relations, id)?),
                (None, Some(name)) => {
                    let name = checked(name)?;
                    let named = |it: &&Relation| it.context.description == name;
                    let known = relations.roots().into_iter().find(named).map(|it| it.id.clone());
                    let id = known.or_else(|| found(relations, name).ok());
                    Some(match id {
                        Some(id) => id,
                        None => insert(ctx, relations, None, name, RelationStatus::Pending)?,
                    })
                }
                (None, None) => None,
            };
            let id = insert(ctx, relations, parent.as_deref(), text, RelationStatus::Pending)?;
            reopen_above(relations, &id)?;
            Ok(vec![id])
        })
    }

    /// Sets the status of a node. What is done has done steps; a plan whose steps are all done is done;
    /// what has an open step is open.
    ///
    /// # Errors
    /// An unknown id.
    pub fn set(
        &self,
        ctx: &Ctx,
        id: &str,
        status: RelationStatus,
        note: Option<&str>,
    ) -> Result<PlanAnswer, Error> {
        self.change(ctx, |relations| {
            let id = found(relations, id)?;
            let mut changed = vec![id.clone()];
            if status == RelationStatus::Done {
                changed.extend(relations.descendants(&id).into_iter().map(|it| it.id.clone()));
            }
            for id in &changed {
                with_status(relations, id, status)?;
            }
            if let Some(note) = note {
                let fields = SortedMap::from([("note".to_owned(), Value::from(note))]);
                relations.update(&id, RelationUpdate { fields, ..RelationUpdate::default() })?;
            }
            match status {
                RelationStatus::Done => close_above(relations, &id)?,
                _ => reopen_above(relations, &id)?,
            }
            Ok(changed)
        })
    }

    /// Removes a node with the steps below it.
    ///
    /// # Errors
    /// An unknown id.
    pub fn remove(&self, ctx: &Ctx, id: &str) -> Result<PlanAnswer, Error> {
        let mut nodes = Vec::new();
        let mut answer = self.change(ctx, |relations| {
            let id = found(relations, id)?;
            nodes.extend(relations.get(&id).map(node));
            nodes.extend(relations.descendants(&id).into_iter().map(node));
            for node in nodes.iter().rev() {
                relations.remove(&node.id)?;
            }
            let parents = nodes.first().map(|it| it.parents.clone()).unwrap_or_default();
            for parent in &parents {
                // Without the open step that was removed, all may be done.
                let left = relations.children(parent).first().map(|it| it.id.clone());
                left.map_or(Ok(()), |id| close_above(relations, &id))?;
            }
            Ok(parents)
        })?;
        answer.nodes = nodes;
        Ok(answer)
    }

    /// A plan with the steps to take.
    ///
    /// # Errors
    /// An unknown id.
    pub fn get(&self, ctx: &Ctx, id: &str) -> Result<StoredPlan, Error> {
        let (relations, _) = self.open(ctx)?;
        let id = found(&relations, id)?;
        let no_plan = || RelationError::NoRelation { id: id.clone() };
        let root = relations.get(&id).ok_or_else(no_plan)?;
        let steps = leaves(&relations, &id).into_iter().map(|relation| StoredStep {
            id: relation.id.clone(),
            text: relation.context.description.clone(),
            status: relation.context.status.unwrap_or(RelationStatus::Pending),
            fields: relation.context.fields.clone(),
        });
        Ok(StoredPlan {
            id: root.id.clone(),
            text: root.context.description.clone(),
            fields: root.context.fields.clone(),
            steps: steps.collect(),
        })
    }

    /// Stores what a plan has become: a new one with its steps, else status and values of the steps that
    /// still exist. Returns the plan as it is shown.
    ///
    /// # Errors
    /// A store that cannot be written.
    pub fn put(&self, ctx: &Ctx, plan: &StoredPlan) -> Result<PlanAnswer, Error> {
        self.change(ctx, |relations| {
            if !relations.has(&plan.id) {
                add(ctx, relations, (&plan.id, None), &plan.text, RelationStatus::Pending)?;
                for step in plan.steps.iter().filter(|step| step.id != plan.id) {
                    let id = (step.id.as_str(), Some(plan.id.as_str()));
                    add(ctx, relations, id, &step.text, step.status)?;
                }
            }
            let fields = plan.fields.clone();
            relations.update(&plan.id, RelationUpdate { fields, ..RelationUpdate::default() })?;
            for step in &plan.steps {
                if !relations.has(&step.id) {
                    // Removed by a person meanwhile.
                    continue;
                }
                let status = Some(Some(step.status));
                let fields = step.fields.clone();
                let update = RelationUpdate { status, fields, ..RelationUpdate::default() };
                relations.update(&step.id, update)?;
                match step.status {
                    RelationStatus::Done => close_above(relations, &step.id)?,
                    _ => reopen_above(relations, &step.id)?,
                }
            }
            Ok(vec![plan.id.clone()])
        })
    }

    fn open(&self, ctx: &Ctx) -> Result<(Relations, Option<DamagedFile>), Error> {
        Ok(RelationFile::at(self.folder.join("plans.jsonl")).open(ctx, false)?)
    }

    /// Changes the store while no other process does; nothing is stored if the change fails. The change
    /// returns the nodes that it is about.
    fn change(
        &self,
        ctx: &Ctx,
        change: impl FnOnce(&mut Relations) -> Result<Vec<String>, Error>,
    ) -> Result<PlanAnswer, Error> {
        let unwritable = |error: std::io::Error| ProjectError::Unwritable {
            path: self.folder.display().to_string(),
            reason: error.to_string(),
        };
        let folder =
            untrusted_fs::make_own(&self.folder).map_err(|fault| unwritable(fault.into()))?;
        let alone = std::fs::File::from(std::os::fd::OwnedFd::from(folder));
        alone.lock().map_err(unwritable)?;
        let (mut relations, damage) = self.open(ctx)?;
        let changed = change(&mut relations)?;
        relations.persist()?;
        let nodes = changed.iter().filter_map(|id| relations.get(id)).map(node).collect();
        let mut roots: Vec<String> = changed.iter().map(|id| root_of(id).to_owned()).collect();
        roots.dedup();
        Ok(answer(&relations, &roots, nodes, damage))
    }
}

fn answer(
    relations: &Relations,
    starts: &[String],
    nodes: Vec<PlanNode>,
    damage: Option<DamagedFile>,
) -> PlanAnswer {
    let starts: Vec<&str> = starts.iter().map(String::as_str).collect();
    let tree = if starts.is_empty() { String::new() } else { relations.to_context(&starts) };
    PlanAnswer { nodes, tree, damage: damage.map(|it| it.to_string()) }
}

fn node(relation: &Relation) -> PlanNode {
    let note = relation.context.fields.get("note").and_then(Value::as_str);
    PlanNode {
        id: relation.id.clone(),
        parents: relation.parents.clone(),
        text: relation.context.description.clone(),
        status: relation.context.status,
        note: note.filter(|it| !it.is_empty()).map(str::to_owned),
        created_at: relation.created_at,
    }
}

/// The plan of a node, by its id.
fn root_of(id: &str) -> &str {
    id.split('.').next().unwrap_or(id)
}

/// The id that a text names: the beginning of the plan's is enough.
fn found(relations: &Relations, text: &str) -> Result<String, Error> {
    let text = text.trim();
    if relations.has(text) {
        return Ok(text.to_owned());
    }
    let (plan, step) = text.split_at(root_of(text).len());
    let begins = |it: &&Relation| !plan.is_empty() && it.id.starts_with(plan);
    let roots: Vec<&Relation> = relations.roots().into_iter().filter(begins).collect();
    let unknown = |reason: &str| Error::NoPlan { id: text.to_owned(), reason: reason.to_owned() };
    match roots.as_slice() {
        [root] => {
            let id = format!("{}{step}", root.id);
            if relations.has(&id) { Ok(id) } else { Err(unknown("the plan has no such step")) }
        }
        [] => Err(unknown("there is none with this id")),
        _ => Err(unknown("several plans begin so")),
    }
}

fn checked(text: &str) -> Result<&str, Error> {
    let text = text.trim();
    match text.len() {
        1..=LONGEST => Ok(text),
        0 => Err(Error::BadPlan { reason: "the text is empty".to_owned() }),
        length => Err(Error::BadPlan { reason: format!("the text has {length} bytes") }),
    }
}

fn add(
    ctx: &Ctx,
    relations: &mut Relations,
    (id, parent): (&str, Option<&str>),
    text: &str,
    status: RelationStatus,
) -> Result<(), Error> {
    let parents: Vec<&str> = parent.into_iter().collect();
    let edge_type = if parent.is_some() { STEP } else { PLAN };
    let context = RelationContext::new(text).with_status(status);
    Ok(relations.add(ctx, id, &parents, edge_type, context)?)
}

/// Adds a node with the next id below its parent.
fn insert(
    ctx: &Ctx,
    relations: &mut Relations,
    parent: Option<&str>,
    text: &str,
    status: RelationStatus,
) -> Result<String, Error> {
    let id = match parent {
        None => plan_id(ctx),
        Some(parent) => {
            let number = |it: &Relation| it.id.rsplit('.').next()?.parse::<u64>().ok();
            let last = relations.children(parent).into_iter().filter_map(number).max();
            format!("{parent}.{}", last.unwrap_or(0) + 1)
        }
    };
    add(ctx, relations, (&id, parent), text, status)?;
    Ok(id)
}

/// A new id of a plan.
pub fn plan_id(ctx: &Ctx) -> String {
    let mut id = ctx.fresh_name();
    id.truncate(ID);
    id
}

fn with_status(relations: &mut Relations, id: &str, status: RelationStatus) -> Result<(), Error> {
    let status = Some(Some(status));
    Ok(relations.update(id, RelationUpdate { status, ..RelationUpdate::default() })?)
}

/// Marks the nodes above as done where all their steps are.
fn close_above(relations: &mut Relations, id: &str) -> Result<(), Error> {
    let above = relations.ancestors(id).into_iter().rev().map(|it| it.id.clone());
    for id in above.collect::<Vec<_>>() {
        let is_done = |it: &Relation| it.context.status == Some(RelationStatus::Done);
        if relations.children(&id).into_iter().all(is_done) {
            with_status(relations, &id, RelationStatus::Done)?;
        }
    }
    Ok(())
}

/// Marks the nodes above as open where they were done.
fn reopen_above(relations: &mut Relations, id: &str) -> Result<(), Error> {
    let is_done = |it: &&Relation| it.context.status == Some(RelationStatus::Done);
    let above = relations.ancestors(id).into_iter().filter(is_done).map(|it| it.id.clone());
    for id in above.collect::<Vec<_>>() {
        with_status(relations, &id, RelationStatus::Pending)?;
    }
    Ok(())
}

/// The nodes below (or the node itself) that have no steps, in the order of the tree, each once.
fn leaves<'r>(relations: &'r Relations, id: &str) -> Vec<&'r Relation> {
    let mut open: Vec<&Relation> = relations.get(id).into_iter().collect();
    let (mut seen, mut leaves) = (base::SortedSet::new(), Vec::new());
    while let Some(relation) = open.pop() {
        if !seen.insert(relation.id.as_str()) {
            continue;
        }
        let children = relations.children(&relation.id);
        if children.is_empty() {
            leaves.push(relation);
        }
        open.extend(children.into_iter().rev());
    }
    leaves
}
