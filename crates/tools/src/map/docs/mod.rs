//! Documentation of a code base from its map: a page a module, an index over all.
//!
//! The pages depend on the sources alone: the same tree gives the same bytes. Links between pages
//! are made of names, so that they last as long as the names.

mod book;
mod folder;
mod links;
mod page;
mod text;
mod words;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use base::{Ctx, ProjectPath};
use serde::Serialize;

use self::book::Book;
use super::Fresh;
use crate::{Error, Workspace};

pub(crate) use self::text::{doc_text, inner_doc_text};

/// Where the pages go.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DocsRequest {
    /// The folder; `docs/generated` in the project when absent.
    pub out: Option<PathBuf>,
}

/// What was made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Docs {
    /// The folder.
    pub out: PathBuf,
    /// The page to begin with.
    pub index: PathBuf,
    /// How many pages there are.
    pub pages: usize,
    /// How many of them were written, because they are new or differ.
    pub written: usize,
    /// How many stayed as they were.
    pub unchanged: usize,
    /// How many were removed, because their modules are gone.
    pub removed: usize,
    /// How many crates, modules and items they speak of.
    pub crates: usize,
    /// See `crates`.
    pub modules: usize,
    /// See `crates`.
    pub items: usize,
}

/// Writes the documentation of the project.
pub fn docs(ctx: &Ctx, workspace: &Workspace, request: &DocsRequest) -> Result<Docs, Error> {
    let fresh = Fresh::open(ctx, workspace)?;
    let root = workspace.project().root();
    let out = match &request.out {
        Some(out) => std::path::absolute(out).map_err(|error| Error::Unwritable {
            path: out.display().to_string(),
            reason: error.to_string(),
        })?,
        None => folder::default_out(root),
    };
    let book = Book::of(&fresh);
    ctx.check_cancelled()?;
    ctx.progress("writing pages", "");
    let pages = page::pages(&fresh, &book, up_to_root(root, &out).as_deref());
    let written = folder::fill(&out, &pages)?;
    Ok(Docs {
        index: out.join(page::INDEX),
        pages: pages.len(),
        written: written.written,
        unchanged: written.unchanged,
        removed: written.removed,
        crates: book.crates.len(),
        modules: book.crates.iter().map(|krate| krate.modules.len()).sum(),
        items: book.item_count(),
        out,
    })
}

/// The way from the folder of the pages up to the project, for links to sources; `None` where it
/// lies elsewhere.
fn up_to_root(root: &Path, out: &Path) -> Option<String> {
    let below = out.strip_prefix(root).ok()?;
    Some("../".repeat(below.components().count()))
}

/// Pages by their path in the folder.
pub(crate) type Pages = BTreeMap<ProjectPath, String>;
