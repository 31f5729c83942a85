//! [`Plan`]: a goal with its subgoals, and its file.

use std::path::{Path, PathBuf};

use base::Ctx;
use serde::{Deserialize, Serialize};

use crate::{AgentError, recognise, split_task};

/// Largest plan in bytes.
const LARGEST: u64 = 4 << 20;
/// Maximum number of subgoals.
pub(super) const MAX_SUBGOALS: usize = 24;

/// A goal and what it takes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// Name of its file.
    pub id: String,
    /// The task as it was given.
    pub goal: String,
    /// Tokens of models so far.
    #[serde(default)]
    pub tokens: u64,
    /// Their cost in dollars.
    #[serde(default)]
    pub cost: f64,
    /// The subgoals, in order.
    #[serde(default, rename = "subgoal")]
    pub subgoals: Vec<Subgoal>,
}

/// One step of a plan.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Subgoal {
    /// What is to be done, in imperative English.
    pub text: String,
    /// Who does it. Read from the text again whenever it is begun.
    #[serde(default)]
    pub by: Doer,
    /// What shows that it is done.
    #[serde(default)]
    pub verifier: Verifier,
    /// Whether it is done.
    #[serde(default)]
    pub status: SubgoalStatus,
    /// Why it failed, or the command that rules understood.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
    /// Its change, once it is proven.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub diff: String,
}

/// Who makes the change of a subgoal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Doer {
    /// Rules, as `refactor` does.
    Rules,
    /// A language model, within the limits of `fix`.
    #[default]
    Model,
}

/// What shows that a subgoal is done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verifier {
    /// It compiles, the tests that the settings ask for pass as before, and the gate opens.
    #[default]
    Proof,
}

/// Progress of a subgoal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SubgoalStatus {
    /// Not begun.
    #[default]
    Pending,
    /// Proven, and not written.
    Proven,
    /// Written.
    Done,
    /// No change was proven.
    Failed,
}

impl SubgoalStatus {
    /// Its name in files and reports.
    pub fn word(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Proven => "proven",
            Self::Done => "done",
            Self::Failed => "failed",
        }
    }
}

impl Subgoal {
    pub(super) fn new(text: String) -> Self {
        let understood = recognise(&text);
        Self {
            by: if understood.is_some() { Doer::Rules } else { Doer::Model },
            note: understood.map(|it| it.command()).unwrap_or_default(),
            text,
            verifier: Verifier::Proof,
            status: SubgoalStatus::Pending,
            diff: String::new(),
        }
    }
}

impl Plan {
    /// The plan of a task, by its own lists and sentences.
    pub fn new(ctx: &Ctx, goal: &str) -> Self {
        let mut id = ctx.fresh_name();
        id.truncate(8);
        let subgoals = split_task(goal).into_iter().map(Subgoal::new).collect();
        Self { id, goal: goal.trim().to_owned(), tokens: 0, cost: 0.0, subgoals }
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

/// The file of a plan below the state directory of a project.
fn file(folder: &Path, id: &str) -> Result<PathBuf, AgentError> {
    let is_id = !id.is_empty() && id.len() <= 64 && id.bytes().all(|it| it.is_ascii_alphanumeric());
    match is_id {
        true => Ok(folder.join("plans").join(format!("{id}.toml"))),
        false => Err(AgentError::NoPlan { id: id.to_owned(), reason: "it is no id".to_owned() }),
    }
}

/// Reads a plan from the state directory of a project.
///
/// # Errors
/// An unknown id, or a file that is no plan.
pub fn read_plan(folder: &Path, id: &str) -> Result<Plan, AgentError> {
    let no_plan = |reason: String| AgentError::NoPlan { id: id.to_owned(), reason };
    let path = file(folder, id)?;
    let bytes = beneath::read_own(&path, LARGEST).map_err(|fault| no_plan(fault.to_string()))?;
    let bytes = bytes.ok_or_else(|| no_plan("there is no such file".to_owned()))?;
    let text = String::from_utf8(bytes).map_err(|error| no_plan(error.to_string()))?;
    let plan: Plan = toml::from_str(&text).map_err(|error| no_plan(error.to_string()))?;
    match plan.subgoals.len() {
        0 => Err(no_plan("it has no subgoal".to_owned())),
        count if count > MAX_SUBGOALS => Err(no_plan(format!("it has {count} subgoals"))),
        _ => Ok(plan),
    }
}

/// Writes a plan into the state directory of a project; returns its file.
///
/// # Errors
/// A file that cannot be written.
pub fn write_plan(ctx: &Ctx, folder: &Path, plan: &Plan) -> Result<PathBuf, AgentError> {
    let path = file(folder, &plan.id)?;
    let unwritable =
        |reason: String| AgentError::Unwritable { path: path.display().to_string(), reason };
    let text = toml::to_string(plan).map_err(|error| unwritable(error.to_string()))?;
    let text = format!(
        "# A plan of graftage. Edit the subgoals, then run `graftage task --resume {}`.\n\n{text}",
        plan.id
    );
    let parent = path.parent().unwrap_or(folder);
    std::fs::create_dir_all(parent).map_err(|error| unwritable(error.to_string()))?;
    beneath::replace_own(&path, text.as_bytes(), &ctx.fresh_name())
        .map_err(|error| unwritable(error.to_string()))?;
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_is_written_and_read_and_may_be_edited() {
        let folder = testkit::project("//- /a\n");
        let plan = Plan::new(&testkit::ctx(), "1. rename a to b\n2. make it faster\n");
        assert_eq!(plan.subgoals[0].note, "refactor rename a b");
        let by: Vec<Doer> = plan.subgoals.iter().map(|it| it.by).collect();
        assert_eq!(by, [Doer::Rules, Doer::Model]);
        let path = write_plan(&testkit::ctx(), folder.root(), &plan).unwrap();
        assert_eq!(read_plan(folder.root(), &plan.id).unwrap(), plan);
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, format!("{text}\n[[subgoal]]\ntext = \"inline c\"\n")).unwrap();
        let edited = read_plan(folder.root(), &plan.id).unwrap();
        assert_eq!(edited.subgoals[2].text, "inline c");
        assert_eq!(edited.subgoals[2].status, SubgoalStatus::Pending);
    }

    #[test]
    fn ids_that_are_paths_are_refused() {
        let folder = testkit::project("//- /a\n");
        for id in ["", "../x", "a/b", "a.b", "\0"] {
            assert!(read_plan(folder.root(), id).is_err(), "{id}");
        }
        assert!(read_plan(folder.root(), "abc").unwrap_err().to_string().contains("no such file"));
    }
}
