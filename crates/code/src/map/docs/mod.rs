//! `docs`: Markdown documentation of the project from its map, one page per module and an index.
//!
//! Pages depend only on the sources: the same tree gives the same bytes. Anchors are built from item
//! names, so links stay valid as long as the names.

mod folder;
mod format;
mod links;
mod page;
mod text;
mod tree;

use std::path::{Path, PathBuf};

use base::{Ctx, ProjectPath, SortedMap};
use project::{ProjectError, Workspace};
use serde::Serialize;

use self::tree::DocTree;
use super::CurrentMap;
use crate::CodeError;

pub(crate) use self::text::{doc_text, inner_doc_text};

/// Input of [`docs`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DocsRequest {
    /// Output directory; `None`: `docs/generated` in the project.
    pub out: Option<PathBuf>,
}

/// Result of [`docs`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DocsSummary {
    /// Output directory.
    pub out: PathBuf,
    /// Start page.
    pub index: PathBuf,
    /// Number of pages.
    pub pages: usize,
    /// Number of pages that were new or different, and written.
    pub written: usize,
    /// Number of unchanged pages.
    pub unchanged: usize,
    /// Number of removed pages, whose modules no longer exist.
    pub removed: usize,
    /// Number of documented crates.
    pub crates: usize,
    /// Number of documented modules.
    pub modules: usize,
    /// Number of documented items.
    pub items: usize,
}

/// Writes the documentation of the project.
///
/// # Errors
/// [`CodeError::InTheWay`] if the directory has other files with the names of pages; a map that cannot be
/// updated, or a directory that cannot be written.
pub fn docs(
    ctx: &Ctx,
    workspace: &Workspace,
    request: &DocsRequest,
) -> Result<DocsSummary, CodeError> {
    let current = CurrentMap::open(ctx, workspace)?;
    let root = workspace.project().root();
    let out = match &request.out {
        Some(out) => std::path::absolute(out).map_err(|error| ProjectError::Unwritable {
            path: out.display().to_string(),
            reason: error.to_string(),
        })?,
        None => folder::default_out(root),
    };
    let tree = DocTree::of(&current);
    ctx.check_cancelled()?;
    ctx.progress("writing pages", "");
    let pages = page::pages(&current, &tree, up_to_root(root, &out).as_deref());
    let written = folder::fill(root, &out, &pages)?;
    Ok(DocsSummary {
        index: out.join(page::INDEX),
        pages: pages.len(),
        written: written.written,
        unchanged: written.unchanged,
        removed: written.removed,
        crates: tree.crates.len(),
        modules: tree.crates.iter().map(|krate| krate.modules.len()).sum(),
        items: tree.item_count(),
        out,
    })
}

/// The relative path from the output directory to the project, for links to sources; `None` if the
/// directory is outside the project.
fn up_to_root(root: &Path, out: &Path) -> Option<String> {
    let below = out.strip_prefix(root).ok()?;
    Some("../".repeat(below.components().count()))
}

/// Pages by path in the output directory.
pub(crate) type Pages = SortedMap<ProjectPath, String>;
