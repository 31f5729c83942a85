//! What a model may look up: items of the project's map. Nothing else is read for it.

use base::{Ctx, Hint as _};
use code::{ContextRequest, ItemCard, SearchRequest, WalkRequest};
use project::{FileAccess, Workspace};
use serde::{Deserialize, Serialize};

use crate::AgentError;
use crate::world::World;

/// Number of search results.
const RESULTS: usize = 8;
/// Maximum number of callers per item.
const MAX_CALLERS: usize = 12;

/// Why a tool call of a model has no result.
#[derive(Debug, thiserror::Error)]
pub(crate) enum LookupFault {
    /// The answer cannot be read.
    #[error("not read")]
    NotRead,
    /// The answer has an edit, which is read alone.
    #[error("not read: one edit per answer")]
    BesideEdit,
    /// There is no such tool.
    #[error("no such tool: use `propose_edit`, `search` or `show`")]
    UnknownTool,
    /// The call has no query.
    #[error("`{tool}` needs a text `{field}`")]
    NoText { tool: String, field: &'static str },
    /// The conversation has used up its look-ups.
    #[error("no look-up is left: propose an edit")]
    NoneLeft,
    /// The same was looked up before.
    #[error("this was answered before: propose an edit")]
    Repeated,
    /// The search failed.
    #[error(transparent)]
    Search(AgentError),
    /// The item cannot be shown.
    #[error("{0}{hint}", hint = .0.hint().map_or_else(String::new, |it| format!("\n{it}")))]
    Show(AgentError),
    /// There is no such item; of a test without a map.
    #[cfg(test)]
    #[error("no item named `{0}`")]
    NoItem(String),
}

/// Read-only access to the project for a model.
pub(crate) trait Lookup {
    /// Items for a description.
    fn search(&self, query: &str) -> Result<String, LookupFault>;

    /// One item.
    fn show(&self, item: &str) -> Result<String, LookupFault>;
}

/// The map of a project.
pub(crate) struct MapLookup<'a, 'w> {
    pub(crate) world: &'a World<'w>,
}

/// An item with its place.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct PlacedItem {
    /// Path, place and signature in one line.
    pub(crate) line: String,
    pub(crate) file: Option<String>,
    pub(crate) start_line: Option<u32>,
    pub(crate) end_line: Option<u32>,
}

/// Packed context, and the files that it is from.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct PackedContext {
    pub(crate) text: String,
    pub(crate) files: Vec<String>,
}

impl MapLookup<'_, '_> {
    fn ctx(&self) -> &Ctx {
        self.world.ctx
    }

    /// The packed context of a task.
    pub(crate) fn context(&self, task: &str, budget: usize) -> Result<PackedContext, AgentError> {
        self.world.look("context", &format!("{budget} {task}"), |workspace| {
            let request = ContextRequest::new(task, budget);
            let packed = code::context(self.ctx(), workspace, &request)?;
            let mut files: Vec<String> = Vec::new();
            for file in packed
                .snippets
                .iter()
                .filter(|it| it.role != "test")
                .filter_map(|it| it.hit.file.as_ref())
            {
                if !files.contains(file) {
                    files.push(file.clone());
                }
            }
            Ok(PackedContext { text: packed.text, files })
        })
    }

    /// The item of a name and its callers, without tests.
    pub(crate) fn named(&self, name: &str) -> Result<Vec<PlacedItem>, AgentError> {
        let mut items: Vec<PlacedItem> = self.world.look("item", name, |workspace| {
            let found = code::show(self.ctx(), workspace, name, FileAccess::Agent)?;
            Ok(found.items.iter().filter(|it| !it.is_test).map(PlacedItem::of).collect())
        })?;
        items.extend(self.callers(name)?);
        Ok(items)
    }

    /// The callers of an item that are no tests.
    pub(crate) fn callers(&self, item: &str) -> Result<Vec<PlacedItem>, AgentError> {
        self.world.look("callers", item, |workspace| {
            let request = WalkRequest {
                item: item.to_owned(),
                depth: 1,
                kinds: Vec::new(),
                limit: MAX_CALLERS,
                only_proven: false,
            };
            let found = code::callers(self.ctx(), workspace, &request)?;
            Ok(found.items.iter().filter(|it| !it.is_test).map(PlacedItem::of).collect())
        })
    }
}

impl Lookup for MapLookup<'_, '_> {
    fn search(&self, query: &str) -> Result<String, LookupFault> {
        let found = self.world.look("search", query, |workspace| {
            let request = SearchRequest { preview: true, ..SearchRequest::new(query, RESULTS) };
            let found = code::search(self.ctx(), workspace, &request)?;
            let lines = found.hits.iter().map(|hit| {
                let at = match (&hit.file, hit.start_line) {
                    (Some(file), Some(line)) => format!(" ({file}:{line})"),
                    _ => String::new(),
                };
                format!("{}{at}\n    {}", hit.canon, hit.signature)
            });
            Ok(lines.collect::<Vec<_>>().join("\n"))
        });
        found.map_err(LookupFault::Search)
    }

    fn show(&self, item: &str) -> Result<String, LookupFault> {
        let found = self.world.look("show", item, |workspace| shown(self.ctx(), workspace, item));
        found.map_err(LookupFault::Show)
    }
}

fn shown(ctx: &Ctx, workspace: &Workspace, item: &str) -> Result<String, AgentError> {
    let found = code::show(ctx, workspace, item, FileAccess::Agent)?;
    let of = found.items.first().map(|it| PlacedItem::of(it).line).unwrap_or_default();
    let calls = found.edges.iter().filter(|it| it.kind == base::EdgeKind::Calls);
    let calls: Vec<String> =
        calls.map(|it| format!("{} calls {}", it.src_canon, it.dst_canon)).collect();
    Ok(format!("{of}\n{}\n{}\n{}", found.docs, found.code, calls.join("\n")))
}

impl PlacedItem {
    fn of(item: &ItemCard) -> Self {
        let line = match (&item.file, item.start_line) {
            (Some(file), Some(line)) => {
                format!("{} ({file}:{line}): {}", item.canon, item.signature)
            }
            _ => format!("{}: {}", item.canon, item.signature),
        };
        Self { line, file: item.file.clone(), start_line: item.start_line, end_line: item.end_line }
    }
}
