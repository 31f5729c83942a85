//! `edit` and `write`: stage the new text of a file as a proposal.

use base::{ContentHash, Ctx, LineIndex, ProjectPath};
use project::Workspace;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};
use tool_schema::nearest_names;

use super::paths::changed_path;
use super::read::text_of;
use crate::proposals::stage_code_edit_unrecorded;
use crate::toolbox::StagedOutput;
use crate::{ApplyCodeEditRequest, Effect, Tool, ToolCard, ToolError};

/// The most lines that are compared to find the nearest one.
const COMPARED: usize = 20_000;

/// The most line numbers of an error.
const LISTED: usize = 10;

/// Replaces texts in a file.
pub(crate) struct EditTool;

/// Input of [`EditTool`].
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct EditInput {
    /// Path of the file.
    file: String,
    /// Replacements, in order; all or none.
    #[schemars(length(min = 1, max = 200))]
    edits: Vec<Replacement>,
}

/// One replacement.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Replacement {
    /// Exact text, without line numbers.
    #[schemars(length(min = 1))]
    find: String,
    /// New text.
    replace: String,
    /// How often `find` must occur.
    #[serde(default = "one")]
    #[schemars(range(min = 1))]
    count: usize,
}

fn one() -> usize {
    1
}

impl Tool for EditTool {
    type Input = EditInput;
    type Output = StagedOutput;
    const CARD: ToolCard = ToolCard {
        name: "edit",
        title: "Edit a file",
        description: "Replaces exact texts in one file and stages the result as a proposal, as \
                      `propose_edit` does.",
        effect: Effect::Stages,
    };

    fn call(
        &self,
        ctx: &Ctx,
        workspace: &Workspace,
        input: EditInput,
    ) -> Result<StagedOutput, ToolError> {
        let path = changed_path(workspace, "file", &input.file)?;
        let before = text_of(ctx, workspace, "file", &path)?;
        let after = replaced(&before, &input.edits)?;
        propose_text(ctx, workspace, &path, after, Some(&before))
    }
}

/// Writes a whole file.
pub(crate) struct WriteTool;

/// Input of [`WriteTool`].
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct WriteInput {
    /// Path of the file, new or existing.
    file: String,
    /// The whole text.
    text: String,
}

impl Tool for WriteTool {
    type Input = WriteInput;
    type Output = StagedOutput;
    const CARD: ToolCard = ToolCard {
        name: "write",
        title: "Write a file",
        description: "Stages the whole text of a file as a proposal, as `propose_edit` does.",
        effect: Effect::Stages,
    };

    fn call(
        &self,
        ctx: &Ctx,
        workspace: &Workspace,
        input: WriteInput,
    ) -> Result<StagedOutput, ToolError> {
        let path = changed_path(workspace, "file", &input.file)?;
        propose_text(ctx, workspace, &path, input.text, None)
    }
}

/// Stages the new text of a file; with `before` it must still have that text.
fn propose_text(
    ctx: &Ctx,
    workspace: &Workspace,
    path: &ProjectPath,
    text: String,
    before: Option<&str>,
) -> Result<StagedOutput, ToolError> {
    let mut edit: Map<String, Value> = Map::new();
    edit.insert("mode".to_owned(), "file".into());
    edit.insert("file_path".to_owned(), path.as_str().into());
    edit.insert("text".to_owned(), text.into());
    if let Some(before) = before {
        let hash = ContentHash::of(before.as_bytes()).to_string();
        edit.insert("expected_file_hash".to_owned(), hash.into());
    }
    let request = ApplyCodeEditRequest { edits: vec![edit], ..ApplyCodeEditRequest::default() };
    Ok(StagedOutput::of(stage_code_edit_unrecorded(ctx, workspace, &request)?))
}

/// The text after all replacements. In a file with CRLF only, the line ends of both texts are CRLF.
fn replaced(before: &str, edits: &[Replacement]) -> Result<String, ToolError> {
    let breaks = before.matches('\n').count();
    let is_crlf = breaks > 0 && before.matches("\r\n").count() == breaks;
    let adapted = |text: &str| match is_crlf {
        true => text.replace("\r\n", "\n").replace('\n', "\r\n"),
        false => text.to_owned(),
    };
    let mut text = before.to_owned();
    for (index, edit) in edits.iter().enumerate() {
        let find = adapted(&edit.find);
        let found: Vec<usize> = text.match_indices(&find).map(|(at, _)| at).collect();
        if found.is_empty() {
            let field = format!("edits[{index}].find");
            return Err(ToolError::field(
                field,
                "it does not occur in the file",
                nearest(&text, &find),
            ));
        }
        if found.len() != edit.count {
            let lines = LineIndex::new(&text);
            let lines: Vec<String> =
                found.iter().take(LISTED).map(|at| lines.line_of(*at).to_string()).collect();
            let reason = format!("it occurs {} times, at lines {}", found.len(), lines.join(", "));
            let fix = format!(
                "add the lines around the right one, or pass `count`: {} to replace all",
                found.len()
            );
            return Err(ToolError::field(format!("edits[{index}].find"), reason, fix));
        }
        text = text.replace(&find, &adapted(&edit.replace));
    }
    Ok(text)
}

/// The fix for a text that does not occur: the line of the file that is nearest to its first one.
fn nearest(text: &str, find: &str) -> String {
    let Some(wanted) = find.lines().map(str::trim).find(|line| !line.is_empty()) else {
        return "add a line with text".to_owned();
    };
    let lines = || text.lines().map(str::trim).take(COMPARED);
    let number = |line: &str| lines().position(|it| it == line).map_or(0, |at| at + 1);
    if lines().any(|line| line == wanted) {
        let number = number(wanted);
        return format!(
            "its first line is line {number} of the file; the lines after it, or the white space, \
             differ: `read` the file from there"
        );
    }
    match nearest_names(wanted, lines().filter(|line| line.len() > 2), 1).first() {
        Some(line) => format!("line {} of the file is near: `{line}`", number(line)),
        None => "`read` the file, or `grep` for a part of the text".to_owned(),
    }
}
