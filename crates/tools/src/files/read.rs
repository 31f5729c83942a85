//! `read`: lines of a file with their numbers.

use base::{Ctx, ProjectPath};
use project::closed_to_agents;
use project::{ExitKind, Workspace};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tool_schema::nearest_names;
use untrusted_fs::{Dir, Fault};

use super::tool_path;
use crate::{Effect, Tool, ToolCard, ToolError};

/// The most bytes of a file.
const LARGEST: u64 = 32 << 20;

/// The most bytes of an answer.
const ANSWER: usize = 40 << 10;

/// The most bytes of one line.
const LINE: usize = 2_000;

/// Reads lines of a file.
pub(crate) struct ReadTool;

/// Input of [`ReadTool`].
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ReadInput {
    /// Path of the file.
    file: String,
    /// First line.
    #[serde(default = "one")]
    #[schemars(range(min = 1))]
    start: usize,
    /// Number of lines.
    #[serde(default = "lines")]
    #[schemars(range(min = 1, max = 2000))]
    lines: usize,
}

fn one() -> usize {
    1
}

fn lines() -> usize {
    200
}

/// Output of [`ReadTool`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub(crate) struct ReadOutput {
    /// Lines: number, tab, text.
    text: String,
    /// Number of lines of the file.
    total: usize,
    /// First line of the rest.
    #[serde(skip_serializing_if = "Option::is_none")]
    next_start: Option<usize>,
    /// `crlf`, or `mixed`; absent: `lf`.
    #[serde(skip_serializing_if = "Option::is_none")]
    line_endings: Option<String>,
}

impl Tool for ReadTool {
    type Input = ReadInput;
    type Output = ReadOutput;
    const CARD: ToolCard = ToolCard {
        name: "read",
        title: "Read a file",
        description: "Returns lines of a text file with their numbers. For code, `show` and \
                      `context` need fewer tokens.",
        effect: Effect::Reads,
    };

    fn call(
        &self,
        ctx: &Ctx,
        workspace: &Workspace,
        input: ReadInput,
    ) -> Result<ReadOutput, ToolError> {
        let path = tool_path(workspace, "file", &input.file)?;
        numbered(&text_of(ctx, workspace, "file", &path)?, input.start, input.lines)
    }
}

/// The text of a file.
pub(super) fn text_of(
    ctx: &Ctx,
    workspace: &Workspace,
    field: &str,
    path: &ProjectPath,
) -> Result<String, ToolError> {
    let refused = |reason: String, fix: &str| Err(ToolError::field(field, reason, fix));
    if let Some(reason) = closed_to_agents(ctx, workspace, path) {
        return refused(format!("`{path}`: {reason}"), "name a file that `glob` lists");
    }
    let root = Dir::open(workspace.project().root());
    let bytes = match root.and_then(|root| root.read(path.as_str(), LARGEST)) {
        Ok(Some(found)) => found.bytes,
        Ok(None) => return Err(missing(ctx, workspace, field, path)),
        Err(Fault::Io(error)) => {
            let reason = format!("`{path}` cannot be read: {error}");
            return Err(ToolError::new(ExitKind::Environment, reason, "check its permissions"));
        }
        Err(Fault::TooLarge { limit }) => {
            let reason = format!("`{path}` is larger than {} MiB", limit >> 20);
            return refused(reason, "use `exec` with `head`, `tail` or `sed -n`");
        }
        Err(fault) => {
            return refused(format!("`{path}`: {fault}"), "name a regular file; `glob` lists them");
        }
    };
    if bytes.contains(&0) {
        let reason = format!("`{path}` is a binary file ({} bytes)", bytes.len());
        return refused(reason, "use `exec` with a program that reads it");
    }
    match String::from_utf8(bytes) {
        Ok(text) => Ok(text),
        Err(error) => {
            let at = error.utf8_error().valid_up_to();
            let reason = format!("`{path}` is not UTF-8 (first at byte {at})");
            refused(reason, "use `exec` with a program that reads it, such as `iconv`")
        }
    }
}

/// The error of a missing file, with the nearest paths.
fn missing(ctx: &Ctx, workspace: &Workspace, field: &str, path: &ProjectPath) -> ToolError {
    let sources = workspace.project().sources(ctx, &[]).unwrap_or_default();
    let named = |name: &str| name.rsplit('/').next() == Some(path.file_name());
    let paths = || sources.iter().map(|source| source.path.as_str());
    let mut near: Vec<&str> = paths().filter(|name| named(name)).take(3).collect();
    if near.is_empty() {
        near = nearest_names(path.as_str(), paths(), 3);
    }
    let fix = match near.as_slice() {
        [] => "`glob` lists the files".to_owned(),
        near => format!("similar paths: {}", near.join(", ")),
    };
    ToolError::field(field, format!("there is no file `{path}`"), fix)
}

fn numbered(text: &str, start: usize, count: usize) -> Result<ReadOutput, ToolError> {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let total = lines.len();
    if start > total.max(1) {
        let reason = format!("the file has {total} lines");
        return Err(ToolError::field("start", reason, format!("pass 1 to {}", total.max(1))));
    }
    let (mut shown, mut next) = (String::new(), start);
    for line in lines.iter().skip(start - 1).take(count) {
        if shown.len() > ANSWER {
            break;
        }
        shown.push_str(&format!("{next}\t{}", clipped(line)));
        next += 1;
    }
    let crlf = lines.iter().filter(|line| line.ends_with("\r\n")).count();
    let ended = lines.iter().filter(|line| line.ends_with('\n')).count();
    let line_endings = match crlf {
        0 => None,
        all if all == ended => Some("crlf".to_owned()),
        _ => Some("mixed".to_owned()),
    };
    Ok(ReadOutput { text: shown, total, next_start: (next <= total).then_some(next), line_endings })
}

/// A line of at most [`LINE`] bytes.
pub(super) fn clipped(line: &str) -> String {
    if line.len() <= LINE {
        return line.to_owned();
    }
    let mut end = LINE;
    while !line.is_char_boundary(end) {
        end -= 1;
    }
    let ending = if line.ends_with('\n') { "\n" } else { "" };
    format!("{}… ({} bytes more){ending}", &line[..end], line.trim_end().len().saturating_sub(end))
}
