//! Paths in the input of tools.

use base::ProjectPath;
use project::Workspace;
use project::{POLICY_FILE, SETTINGS_FILE};

use crate::ToolError;

/// A path of a file. Absolute paths below the project are accepted.
pub(super) fn tool_path(
    workspace: &Workspace,
    field: &str,
    text: &str,
) -> Result<ProjectPath, ToolError> {
    let project = workspace.project();
    let refused = |reason: &str, fix: &str| Err(ToolError::field(field, reason, fix));
    let path = match ProjectPath::within(project.root(), text.as_ref()) {
        Ok(path) => path,
        Err(error) => {
            return refused(
                &error.to_string(),
                "pass a path relative to the project, without `..`",
            );
        }
    };
    if path.as_str().split('/').any(|part| part.eq_ignore_ascii_case(".git")) {
        return refused("it is in the git folder", "use `exec` with git on a copy of the project");
    }
    let full = path.join_to(project.root());
    let own = [project.state_dir(), project.cache_dir(), workspace.cache_dir().to_owned()];
    if own.iter().any(|folder| full.starts_with(folder)) {
        return refused("it is in a folder of graftage", "name a file of the project");
    }
    Ok(path)
}

/// A path of a file that a tool may propose to change.
pub(super) fn changed_path(
    workspace: &Workspace,
    field: &str,
    text: &str,
) -> Result<ProjectPath, ToolError> {
    let path = tool_path(workspace, field, text)?;
    match path.as_str() {
        SETTINGS_FILE | POLICY_FILE => Err(ToolError::field(
            field,
            "it has the limits under which this tool works",
            "let the user change it",
        )),
        _ => Ok(path),
    }
}

/// A path of a folder; `None` is the root.
pub(super) fn tool_folder(
    workspace: &Workspace,
    field: &str,
    text: Option<&str>,
) -> Result<Option<ProjectPath>, ToolError> {
    let root = workspace.project().root();
    let is_root = |text: &str| {
        matches!(text.trim_end_matches('/'), "" | ".")
            || std::path::Path::new(text).components().eq(root.components())
    };
    match text {
        None => Ok(None),
        Some(text) if text != "/" && is_root(text) => Ok(None),
        Some(text) => tool_path(workspace, field, text).map(Some),
    }
}
