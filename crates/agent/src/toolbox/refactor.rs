//! `refactor` as a tool.

use base::Ctx;
use project::Workspace;
use refactor::{NewPart, PartPlace, Reshape};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tools::{DiagnosticLines, Effect, Tool, ToolCard, ToolError};

use super::{LISTED, QuestionLine, SECONDS, how_to_answer, left_behind, outcome, proposed};
use crate::{Answers, FixResult, ReasonerChoice, RefactorOptions};

/// Changes a definition and everything that follows from it.
pub(crate) struct RefactorTool;

/// The change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Refactoring {
    /// Another name.
    Rename,
    /// Another module of the crate.
    Move,
    /// Into its uses; the definition is removed.
    Inline,
    /// A parameter more, with an argument at every call.
    AddParameter,
    /// An unused parameter less.
    RemoveParameter,
    /// Another order of the parameters.
    Reorder,
    /// Another type of a parameter, return value, field or constant.
    ChangeType,
    /// A field more, with a value in every literal.
    AddField,
}

/// Input of `RefactorTool`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RefactorInput {
    kind: Refactoring,
    /// The definition: its path or the end of it, or `file:line`.
    item: String,
    /// Of `rename` the name, `move` the module, `add_*` `name: Type`, `remove_parameter` its name,
    /// `reorder` all names, `change_type` the type.
    #[serde(default)]
    to: Option<String>,
    /// Of `add_*`: the expression at every call or literal; found if absent.
    #[serde(default)]
    value: Option<String>,
    /// Of `add_parameter`: its position from 1; the last if absent.
    #[serde(default)]
    at: Option<usize>,
    #[serde(default)]
    #[schemars(with = "Option<serde_json::Map<String, serde_json::Value>>")]
    answers: Answers,
    /// Time limit.
    #[serde(default)]
    max_seconds: Option<u64>,
}

/// Output of `RefactorTool`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct RefactorOutput {
    /// `proven`, `draft` or `none`.
    outcome: String,
    /// Id for `apply`, if the change is proven.
    #[serde(skip_serializing_if = "Option::is_none")]
    proposal_id: Option<String>,
    /// Changed files with the numbers of added and removed lines, if the change is proven; `proposals` has
    /// the diff.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    files: Vec<String>,
    /// Unified diff of a draft.
    #[serde(skip_serializing_if = "String::is_empty")]
    diff: String,
    /// Diffs that all pass and mean different things.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    choices: Vec<String>,
    /// Questions that the draft waits for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(skip)]
    questions: Vec<QuestionLine>,
    /// Places left, or not proven.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    left_behind: Vec<String>,
    /// Errors of the changed tree.
    #[serde(flatten)]
    found: DiagnosticLines,
    /// Why nothing was staged.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    /// Notes: what a person should look at.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

impl RefactorOutput {
    fn of(changed: FixResult, proposal_id: Option<String>) -> Self {
        let FixResult { report, accepted, .. } = changed;
        let how = how_to_answer(&report.questions);
        let files = match (&proposal_id, accepted) {
            (Some(_), Some(accepted)) => tools::changed_files(&accepted.overlay),
            _ => Vec::new(),
        };
        Self {
            outcome: outcome(&report).to_owned(),
            diff: Some(report.diff).filter(|_| proposal_id.is_none()).unwrap_or_default(),
            proposal_id,
            files,
            choices: report.choices.into_iter().take(LISTED).map(|it| it.diff).collect(),
            questions: QuestionLine::all(report.questions),
            left_behind: left_behind(&report.left_behind),
            found: DiagnosticLines::of(&report.errors),
            reason: report.reason,
            notes: report.notes.into_iter().chain(how).collect(),
        }
    }
}

impl Refactoring {
    /// The meaning of the field `to`; `None` where it has none.
    fn meaning_of_to(self) -> Option<&'static str> {
        Some(match self {
            Self::Rename => "the new name",
            Self::Move => "the path of the module",
            Self::AddParameter | Self::AddField => "the declaration, `name: Type`",
            Self::RemoveParameter => "the name of the parameter",
            Self::Reorder => "all names of the parameters in the new order, with commas",
            Self::ChangeType => "the type",
            Self::Inline => return None,
        })
    }
}

impl RefactorInput {
    /// The field `to`.
    fn to(&self) -> Result<&str, ToolError> {
        let to = self.to.as_deref().map(str::trim).filter(|to| !to.is_empty());
        to.ok_or_else(|| {
            let meaning = self.kind.meaning_of_to().unwrap_or_default();
            ToolError::field("to", "it is missing", format!("pass `to`: {meaning}"))
        })
    }

    /// Refuses fields that have no meaning for this change.
    fn check_fields(&self) -> Result<(), ToolError> {
        use Refactoring::{AddField, AddParameter};
        let is_unused = [
            ("to", self.to.is_some() && self.kind.meaning_of_to().is_none()),
            ("value", self.value.is_some() && !matches!(self.kind, AddParameter | AddField)),
            ("at", self.at.is_some() && self.kind != AddParameter),
        ];
        match is_unused.iter().find(|(_, is_unused)| *is_unused) {
            Some((field, _)) => {
                Err(ToolError::field(*field, "this kind of change has none", "leave it out"))
            }
            None => Ok(()),
        }
    }

    /// The change of the definition's shape; `None` for the other kinds.
    fn reshape(&self) -> Result<Option<Reshape>, ToolError> {
        let new = || -> Result<NewPart, ToolError> {
            Ok(NewPart { declaration: self.to()?.to_owned(), value: self.value.clone() })
        };
        Ok(Some(match self.kind {
            Refactoring::AddParameter => {
                Reshape::AddParameter { new: new()?, place: self.at.map(PartPlace::At) }
            }
            Refactoring::AddField => Reshape::AddField { new: new()? },
            Refactoring::RemoveParameter => {
                Reshape::RemoveParameter { name: self.to()?.to_owned() }
            }
            Refactoring::Reorder => {
                let names = self.to()?.split([',', ' ']).filter(|name| !name.is_empty());
                Reshape::Reorder { names: names.map(str::to_owned).collect() }
            }
            Refactoring::ChangeType => {
                Reshape::ChangeType { part: None, ty: self.to()?.to_owned() }
            }
            Refactoring::Rename | Refactoring::Move | Refactoring::Inline => return Ok(None),
        }))
    }
}

impl Tool for RefactorTool {
    type Input = RefactorInput;
    type Output = RefactorOutput;
    const CARD: ToolCard = ToolCard {
        name: "refactor",
        title: "Refactor a definition",
        description: "Changes a definition and all that follows from it: rename, move, inline, \
                      parameters, types, fields. Verified, as a proposal. Use it instead of editing the places.",
        effect: Effect::Stages,
    };

    fn call(
        &self,
        ctx: &Ctx,
        workspace: &Workspace,
        input: RefactorInput,
    ) -> Result<RefactorOutput, ToolError> {
        input.check_fields()?;
        let changed = refactor(ctx, workspace, &input)?;
        let id = proposed(ctx, workspace, &changed, Self::CARD.name)?;
        Ok(RefactorOutput::of(changed, id))
    }
}

fn refactor(
    ctx: &Ctx,
    workspace: &Workspace,
    input: &RefactorInput,
) -> Result<FixResult, ToolError> {
    let options = RefactorOptions {
        max_seconds: Some(input.max_seconds.unwrap_or(SECONDS)),
        answers: input.answers.clone().into(),
        ..RefactorOptions::default()
    };
    let (item, on) = (input.item.as_str(), &mut |_: &crate::FixEvent| {});
    Ok(match (input.kind, input.reshape()?) {
        (_, Some(change)) => {
            crate::reshape(ctx, workspace, (item, &change), &options, ReasonerChoice::Rules, on)?
        }
        (Refactoring::Move, None) => {
            crate::relocate(ctx, workspace, (item, input.to()?), &options, on)?
        }
        (Refactoring::Inline, None) => crate::inline(ctx, workspace, (item, false), &options, on)?,
        (_, None) => crate::rename(ctx, workspace, (item, input.to()?), &options, on)?,
    })
}
