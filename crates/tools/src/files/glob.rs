//! `glob`: files by pattern.

use base::{Ctx, ProjectPath};
use globset::{GlobBuilder, GlobMatcher};
use policy::is_hidden;
use project::Workspace;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::toolbox::page;
use crate::{Effect, Error, Tool, ToolCard, ToolError};

/// The most characters of a pattern.
const LONGEST: usize = 500;

/// Lists files by pattern.
pub(crate) struct GlobTool;

/// Input of [`GlobTool`].
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct GlobInput {
    /// Such as `crates/**/*.{rs,toml}`.
    pattern: String,
    /// Maximum number of files.
    #[serde(default = "hundred")]
    #[schemars(range(min = 1, max = 1000))]
    limit: usize,
    /// Files to skip.
    #[serde(default)]
    offset: usize,
}

fn hundred() -> usize {
    100
}

/// Output of [`GlobTool`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub(crate) struct GlobOutput {
    /// Paths, sorted.
    files: Vec<String>,
    /// Number of all matching files.
    total: usize,
    /// Offset of the next files.
    #[serde(skip_serializing_if = "Option::is_none")]
    next_offset: Option<usize>,
}

impl Tool for GlobTool {
    type Input = GlobInput;
    type Output = GlobOutput;
    const CARD: ToolCard = ToolCard {
        name: "glob",
        title: "List files",
        description: "Lists the files that match a pattern, without ignored and hidden ones.",
        effect: Effect::Reads,
    };

    fn call(
        &self,
        ctx: &Ctx,
        workspace: &Workspace,
        input: GlobInput,
    ) -> Result<GlobOutput, ToolError> {
        let found = matching_files(ctx, workspace, "pattern", &input.pattern)?;
        let files: Vec<String> = found.iter().map(ToString::to_string).collect();
        let total = files.len();
        let (files, next_offset) = page(files, input.offset, input.limit);
        Ok(GlobOutput { files, total, next_offset })
    }
}

/// The regular files that match a pattern, sorted; none is hidden or ignored, whatever the pattern.
pub(super) fn matching_files(
    ctx: &Ctx,
    workspace: &Workspace,
    field: &str,
    pattern: &str,
) -> Result<Vec<ProjectPath>, ToolError> {
    let matcher = compiled(field, pattern)?;
    let sources = workspace.project().sources(ctx, &[]).map_err(Error::from)?;
    let files = sources.into_iter().filter(|source| source.link.is_none()).map(|it| it.path);
    let is_match = |path: &ProjectPath| !is_hidden(path) && matcher.is_match(path.as_str());
    Ok(files.filter(is_match).collect())
}

fn compiled(field: &str, pattern: &str) -> Result<GlobMatcher, ToolError> {
    let refused = |reason: String, fix: &str| Err(ToolError::field(field, reason, fix));
    if pattern.len() > LONGEST {
        return refused(format!("it has more than {LONGEST} bytes"), "pass a shorter pattern");
    }
    let pattern = pattern.strip_prefix("./").unwrap_or(pattern);
    if pattern.starts_with('/') || pattern.split('/').any(|part| part == "..") {
        let reason = "it leads out of the project".to_owned();
        return refused(reason, "pass a pattern relative to the project, such as `src/**/*.rs`");
    }
    match GlobBuilder::new(pattern).literal_separator(true).build() {
        Ok(glob) => Ok(glob.compile_matcher()),
        Err(error) => refused(error.kind().to_string(), "pass a pattern such as `src/**/*.rs`"),
    }
}
