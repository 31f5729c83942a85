//! `show`: one item with its code and edges.

use base::{Ctx, EdgeKind, ProjectPath, SortedSet};
use graph::{EdgeCounts, ItemView};
use ingest::MacroInterface;
use project::closed_to_agents;
use project::{FileAccess, Workspace};
use serde::Serialize;

use super::{CountsCard, CurrentMap, EdgeCard, ItemCard, UnresolvedCard};
use crate::CodeError;

/// Result of [`show`], as `--json` prints it: one item with its direct edges.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ShowAnswer {
    /// The item; exactly one.
    pub items: Vec<ItemCard>,
    /// Documentation.
    pub docs: String,
    /// Signature of rust-analyzer with macros expanded; `None` without a run of rust-analyzer.
    pub ra_signature: Option<String>,
    /// Items of a macro call that only rust-analyzer resolves.
    pub macro_interface: Vec<MacroInterface>,
    /// Source text.
    pub code: String,
    /// Parent item.
    pub parent: Option<ItemCard>,
    /// Members.
    pub members: Vec<ItemCard>,
    /// Edges from and to the item, without containment.
    pub edges: Vec<EdgeCard>,
    /// Proven and candidate edges.
    pub counts: CountsCard,
    /// Unresolved sites in the item.
    pub unresolved: Vec<UnresolvedCard>,
}

/// Returns one item with its documentation, code, members and edges. For an agent, the documentation has
/// a note in place of each file that it includes and that the agent may not read.
///
/// # Errors
/// An unknown or ambiguous item, or a map that cannot be updated.
pub fn show(
    ctx: &Ctx,
    workspace: &Workspace,
    query: &str,
    access: FileAccess,
) -> Result<ShowAnswer, CodeError> {
    let current = CurrentMap::open(ctx, workspace)?;
    let item = current.one(query)?;
    let map = current.map();
    let members: SortedSet<u32> = map
        .edges_out(item.number)
        .filter(|edge| edge.kind == EdgeKind::Contains)
        .map(|edge| edge.dst)
        .collect();
    let mut edges: Vec<_> = map
        .edges_out(item.number)
        .chain(map.edges_in(item.number))
        .filter(|edge| edge.kind != EdgeKind::Contains)
        .collect();
    edges.sort_by_key(|edge| edge.number);
    edges.dedup_by_key(|edge| edge.number);
    let edges = current.edge_cards(&edges);
    let unresolved = current.unresolved(|src, _| src == item.number);
    let proven = edges.iter().filter(|edge| edge.tier == base::Tier::Proven).count();
    let parent = item.parent.and_then(|number| map.item(number));
    let (docs, code) = match closed(ctx, workspace, &item, access) {
        None => (current.docs(&item, access), current.code(&item)),
        Some(reason) => (String::new(), format!("// The code is left out: {reason}.\n")),
    };
    Ok(ShowAnswer {
        docs,
        ra_signature: current.describe(&item, |it| it.ra_signature().map(str::to_owned)),
        macro_interface: current.describe(&item, |it| it.generated_items().to_vec()),
        code,
        parent: parent.map(|parent| current.card(&parent)),
        members: current.cards(members),
        counts: current.counts(EdgeCounts {
            proven,
            candidate: edges.len() - proven,
            unresolved: unresolved.len(),
        }),
        edges,
        unresolved,
        items: vec![current.card(&item)],
    })
}

/// Why the caller may not read the file of an item: a module may be in a hidden one, and `include!` reads
/// any.
fn closed(
    ctx: &Ctx,
    workspace: &Workspace,
    item: &ItemView<'_>,
    access: FileAccess,
) -> Option<&'static str> {
    let path = ProjectPath::new(item.path()?).ok()?;
    (access == FileAccess::Agent).then(|| closed_to_agents(ctx, workspace, &path)).flatten()
}
