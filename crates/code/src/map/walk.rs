//! `callers` and `callees` of an item.

use base::{Ctx, EdgeKind, SortedSet};
use graph::{EdgeKinds, ItemView, Traversal, TraversalResult};
use project::Workspace;
use serde::Serialize;

use super::dispatch::{Dispatch, can_be_called};
use super::{CountsCard, CurrentMap, EdgeCard, ItemCard, SiteCard, UnresolvedCard};
use crate::CodeError;

/// Input of [`callers`] and [`callees`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WalkRequest {
    /// Start item: an id, a key, a canonical path or the end of one.
    pub item: String,
    /// Maximum number of edges from the start item.
    pub depth: u32,
    /// Edge kinds to follow; empty: calls (of callers also uses as a value), and for items that cannot
    /// be called uses and implementations.
    pub kinds: Vec<EdgeKind>,
    /// Maximum number of items.
    pub limit: usize,
    /// Whether to follow proven edges only.
    pub only_proven: bool,
}

/// Result of [`callers`] and [`callees`], as `--json` prints it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WalkAnswer {
    /// Start item.
    pub item: ItemCard,
    /// Found items, nearest first.
    pub items: Vec<ItemCard>,
    /// Edges to the found items.
    pub edges: Vec<EdgeCard>,
    /// Proven and candidate edges.
    pub counts: CountsCard,
    /// Unresolved sites that may be further edges, the first hundred.
    pub unresolved: Vec<UnresolvedCard>,
    /// Of callers: traits from outside the workspace through which the item is called, too; such calls
    /// are not in the map.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub outside_traits: Vec<String>,
    /// Places (of callers) of the item's name in quoted code (`quote!`), which the map does not resolve: what a
    /// macro or a build script writes from it may be a further caller.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub quoted: Vec<SiteCard>,
    /// Whether the limit omitted no item.
    pub complete: bool,
    /// Files whose code is not in the map, with the reason.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<String>,
}

/// Maximum number of listed unresolved sites; all of them are counted.
const UNRESOLVED_LISTED: usize = 100;

/// Finds the callers of an item.
///
/// Of something that can be called, a place that uses it as a value is one too. A call through a trait
/// reaches the trait's method and those of its impls: of an impl's method it is a candidate, and the
/// callers of a trait's method are those of its impls, too.
///
/// # Errors
/// An unknown or ambiguous item, or a map that cannot be updated.
pub fn callers(
    ctx: &Ctx,
    workspace: &Workspace,
    request: &WalkRequest,
) -> Result<WalkAnswer, CodeError> {
    let current = CurrentMap::open(ctx, workspace)?;
    let item = current.one(&request.item)?;
    let dispatch = Dispatch::of(current.map(), &item, request);
    let mut answer = dispatch.walk(current.map(), &item, request);
    let expanded = expanded(&item, &answer, request.depth);
    let items = expanded.iter().filter_map(|number| current.map().item(*number));
    let names: SortedSet<String> = items.map(|item| item.name().into_owned()).collect();
    let unresolved = current.unresolved(|_, name| names.contains(name));
    answer.counts.unresolved = unresolved.len();
    let outside_traits = current.map().outside_traits(expanded);
    let mut found = finish(&current, &item, &answer, unresolved);
    dispatch.mark(&answer.edges, &mut found);
    let quoted = current.quoted(&[item.number]);
    Ok(WalkAnswer { outside_traits, quoted, ..found })
}

/// Finds the callees of an item.
///
/// # Errors
/// As [`callers`].
pub fn callees(
    ctx: &Ctx,
    workspace: &Workspace,
    request: &WalkRequest,
) -> Result<WalkAnswer, CodeError> {
    let current = CurrentMap::open(ctx, workspace)?;
    let item = current.one(&request.item)?;
    let answer = current.map().callees(item.number, &query(&item, request));
    let expanded = expanded(&item, &answer, request.depth);
    let unresolved = current.unresolved(|src, _| expanded.contains(&src));
    Ok(finish(&current, &item, &answer, unresolved))
}

pub(super) fn query(item: &ItemView<'_>, request: &WalkRequest) -> Traversal {
    let kinds = match (request.kinds.is_empty(), item.kind) {
        (false, _) => EdgeKinds::of(&request.kinds),
        (true, kind) if can_be_called(kind) => EdgeKinds::CALLS,
        (true, _) => EdgeKinds::IMPACT,
    };
    Traversal { kinds, depth: request.depth, cap: request.limit, only_proven: request.only_proven }
}

/// The items whose edges were followed.
fn expanded(item: &ItemView<'_>, answer: &TraversalResult, depth: u32) -> SortedSet<u32> {
    let nearer = answer.items.iter().filter(|reached| reached.depth < depth);
    nearer.map(|reached| reached.item).chain([item.number]).collect()
}

fn finish(
    current: &CurrentMap<'_>,
    item: &ItemView<'_>,
    answer: &TraversalResult,
    mut unresolved: Vec<UnresolvedCard>,
) -> WalkAnswer {
    unresolved.truncate(UNRESOLVED_LISTED);
    WalkAnswer {
        item: current.card(item),
        items: reached(current, answer),
        edges: current.edge_cards(&answer.edges),
        counts: current.counts(answer.counts),
        unresolved,
        outside_traits: Vec::new(),
        quoted: Vec::new(),
        complete: answer.is_complete,
        left_out: current.left_out(),
    }
}

/// The cards of the found items with their depth.
pub(super) fn reached(current: &CurrentMap<'_>, answer: &TraversalResult) -> Vec<ItemCard> {
    let items = answer.items.iter();
    items
        .filter_map(|reached| {
            let item = current.map().item(reached.item)?;
            Some(ItemCard { depth: Some(reached.depth), ..current.card(&item) })
        })
        .collect()
}
