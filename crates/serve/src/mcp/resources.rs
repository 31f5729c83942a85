//! Resources: what a client can attach to a conversation. All of it is read from the project at the
//! moment of the request.

use std::path::Path;

use base::{Ctx, ProjectPath};
use code::CurrentMap;
use project::{ExitKind, Workspace};
use rmcp::ErrorData as McpError;
use rmcp::model::{ReadResourceResult, Resource, ResourceContents, ResourceTemplate};
use rmcp::service::{RequestContext, RoleServer};
use serde_json::{Value, json};
use tools::{Effect, ToolError};

use super::handler::{McpHandler, Server, protocol_error};
use super::projects::percent_decoded;
use super::skills;

/// The most bytes of a file.
const FILE_LIMIT: u64 = 4 << 20;
/// The most lines of a slice, and of a file without a slice.
const MOST_LINES: usize = 800;

const GUIDE: &str = include_str!("guide.md");

/// The resources that always exist.
pub(super) fn list() -> Vec<Resource> {
    vec![
        Resource::new("graftage://map", "map")
            .with_title("Summary of the code map")
            .with_description("Files, items, edges and problems of the project")
            .with_mime_type("application/json"),
        Resource::new("graftage://guide", "guide")
            .with_title("Which tool for what")
            .with_description("How to find, change, verify and apply with these tools")
            .with_mime_type("text/markdown"),
    ]
}

/// The resources that a client names.
pub(super) fn templates() -> Vec<ResourceTemplate> {
    let template = |uri: &str, name: &str, about: &str, mime: &str| {
        ResourceTemplate::new(uri, name).with_description(about).with_mime_type(mime)
    };
    vec![
        template(
            "graftage://item/{item}",
            "item",
            "One item by its canonical path, or the end of it: documentation, code, members",
            "application/json",
        ),
        template(
            "graftage://file/{+path}#L{from}-L{to}",
            "file",
            "Lines of a file of the project; without `#` its first lines",
            "text/plain",
        ),
        template(
            "graftage://proposal/{id}",
            "proposal",
            "The diff of a proposal, and what blocks it",
            "application/json",
        ),
    ]
}

/// Reads a resource.
pub(super) async fn read(
    handler: &McpHandler,
    context: &RequestContext<RoleServer>,
    uri: &str,
) -> Result<ReadResourceResult, McpError> {
    let missing = || McpError::resource_not_found("there is no such resource".to_owned(), None);
    if skills::is_file(uri) {
        let wanted = uri.to_owned();
        let read = handler.on_skills(context, move |it| skills::read(it, &wanted)).await;
        return read.map(|text| contents(uri, "text/markdown", text)).map_err(resource_error);
    }
    let name = uri.strip_prefix("graftage://").ok_or_else(missing)?;
    if name == "guide" {
        return Ok(contents(uri, "text/markdown", GUIDE.to_owned()));
    }
    let wanted = Wanted::of(name).ok_or_else(missing)?;
    let mime = if matches!(wanted, Wanted::File(..)) { "text/plain" } else { "application/json" };
    let read = move |ctx: &Ctx, server: &Server, workspace: &Workspace| {
        wanted.read(ctx, server, workspace)
    };
    let text = handler.on_project(context, (Effect::Reads, None), read).await;
    text.map(|text| contents(uri, mime, text)).map_err(resource_error)
}

pub(super) fn resource_error(error: ToolError) -> McpError {
    match error.kind {
        ExitKind::No => McpError::resource_not_found(format!("{error}; {}", error.fix), None),
        _ => protocol_error(error),
    }
}

fn contents(uri: &str, mime: &str, text: String) -> ReadResourceResult {
    let text = if mime == "application/json" { base::visible_json(&text) } else { text };
    ReadResourceResult::new(vec![ResourceContents::text(text, uri).with_mime_type(mime)])
}

/// A resource of a project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    Map,
    Item(String),
    Proposal(String),
    File(ProjectPath, usize, usize),
}

impl Wanted {
    /// The resource that a client can subscribe to: an item, a file or a proposal.
    pub(super) fn watchable(uri: &str) -> Option<Self> {
        let wanted = Self::of(uri.strip_prefix("graftage://")?)?;
        (wanted != Self::Map).then_some(wanted)
    }

    fn of(name: &str) -> Option<Self> {
        if name == "map" {
            return Some(Self::Map);
        }
        let (kind, rest) = name.split_once('/')?;
        let (path, lines) = rest.split_once('#').map_or((rest, None), |(it, at)| (it, Some(at)));
        let decoded = String::from_utf8(percent_decoded(path)?).ok()?;
        match (kind, lines) {
            ("item", None) => Some(Self::Item(decoded)),
            ("proposal", None) => Some(Self::Proposal(decoded)),
            ("file", None) => Some(Self::File(ProjectPath::new(&decoded).ok()?, 1, MOST_LINES)),
            ("file", Some(lines)) => {
                let (from, to) = lines.split_once('-').unwrap_or((lines, lines));
                let number = |text: &str| text.strip_prefix('L').unwrap_or(text).parse().ok();
                let (from, to): (usize, usize) = (number(from)?, number(to)?);
                Some(Self::File(ProjectPath::new(&decoded).ok()?, from.max(1), to))
            }
            _ => None,
        }
    }

    pub(super) fn read(
        &self,
        ctx: &Ctx,
        server: &Server,
        workspace: &Workspace,
    ) -> Result<String, ToolError> {
        let call = |tool: &str, input: Value| server.toolbox.call(ctx, workspace, tool, &input);
        match self {
            Self::Map => summary(ctx, workspace),
            Self::Item(item) => Ok(call("show", json!({"item": item}))?.to_string()),
            Self::Proposal(id) => Ok(call("proposals", json!({"id": id}))?.to_string()),
            Self::File(path, from, to) => match project::closed_to_agents(ctx, workspace, path) {
                None => slice(workspace.project().root(), path, *from, *to),
                Some(reason) => {
                    let (reason, fix) = (format!("`{path}`: {reason}"), "name another file");
                    Err(ToolError::new(ExitKind::No, reason, fix))
                }
            },
        }
    }
}

fn summary(ctx: &Ctx, workspace: &Workspace) -> Result<String, ToolError> {
    let map = CurrentMap::open(ctx, workspace)?;
    let report = map.report();
    let problems: Vec<_> = report.problems.iter().take(20).collect();
    let value = json!({
        "root": workspace.project().root(), "epoch": map.map().epoch(), "files": report.files,
        "items": report.items, "edges": report.edges, "coverage": report.coverage,
        "skipped": report.skipped, "problems": problems,
    });
    Ok(value.to_string())
}

/// Lines of a file of the project; links are not followed.
fn slice(root: &Path, path: &ProjectPath, from: usize, to: usize) -> Result<String, ToolError> {
    let refuse =
        |reason: String| ToolError::new(ExitKind::No, reason, "name a text file of the project");
    let is_hidden = path.as_str().split('/').any(|part| part.starts_with('.'));
    if is_hidden {
        return Err(refuse(format!("`{path}` is a hidden file")));
    }
    let dir = untrusted_fs::Dir::open(root).map_err(|fault| refuse(fault.to_string()))?;
    let found = dir.read(Path::new(path.as_str()), FILE_LIMIT);
    let found = found.map_err(|fault| refuse(format!("`{path}`: {fault}")))?;
    let bytes = found.ok_or_else(|| refuse(format!("there is no `{path}`")))?.bytes;
    let text = String::from_utf8(bytes).map_err(|_| refuse(format!("`{path}` is not text")))?;
    let last = to.min(from.saturating_add(MOST_LINES - 1));
    let lines = text.split_inclusive('\n').skip(from - 1);
    Ok(lines.take(last.saturating_sub(from - 1)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_named_within_the_project() {
        let path = |path: &str| ProjectPath::new(path).unwrap();
        let of = Wanted::of;
        assert_eq!(of("file/src/a%20b.rs#L3-L5"), Some(Wanted::File(path("src/a b.rs"), 3, 5)));
        assert_eq!(of("file/src/lib.rs#L7"), Some(Wanted::File(path("src/lib.rs"), 7, 7)));
        for outside in
            ["file/../x", "file//etc/passwd", "file/a/../../x", "file/%2e%2e/x", "file/%2Fetc"]
        {
            assert_eq!(of(outside), None, "{outside}");
        }
        for other in ["", "file", "other/x", "item/a#L1", "file/a#x", "file/a#L1-Lx", "file/%ff"] {
            assert_eq!(of(other), None, "{other}");
        }
    }

    #[test]
    fn a_slice_has_whole_lines_and_no_link_is_followed() {
        let root = tempfile::tempdir().unwrap();
        std::fs::write(root.path().join("a.rs"), "1\n2\n3\n4").unwrap();
        std::os::unix::fs::symlink("/etc/passwd", root.path().join("link.rs")).unwrap();
        let of = |name: &str, from, to| {
            slice(root.path(), &ProjectPath::new(name).unwrap(), from, to).ok()
        };
        assert_eq!(of("a.rs", 2, 3).as_deref(), Some("2\n3\n"));
        assert_eq!(of("a.rs", 4, 400).as_deref(), Some("4"));
        assert_eq!(of("a.rs", 3, 2).as_deref(), Some(""));
        assert_eq!(of("a.rs", 9, 9).as_deref(), Some(""));
        assert_eq!(of("link.rs", 1, 9), None);
        assert_eq!(of(".git/config", 1, 9), None);
    }
}
