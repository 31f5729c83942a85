use std::collections::BTreeSet;

use base::{Ctx, EdgeKind};
use graph::{EdgeKinds, ItemKind, ItemView, Traversal, TraversalResult};
use serde::Serialize;

use super::{CountsCard, EdgeCard, Fresh, ItemCard, UnresolvedCard};
use crate::{Error, Workspace};

/// Who is asked about, and how far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WalkRequest {
    /// An id, a key, a canonical path or the end of one.
    pub item: String,
    /// So many steps at most.
    pub depth: u32,
    /// Along these kinds; by default calls, and of what cannot be called also uses and
    /// implementations.
    pub kinds: Vec<EdgeKind>,
    /// So many items at most.
    pub limit: usize,
    /// Leave candidates out.
    pub only_proven: bool,
}

/// Who was found.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WalkAnswer {
    /// Who was asked about.
    pub item: ItemCard,
    /// Who was found, nearest first.
    pub items: Vec<ItemCard>,
    /// The edges that lead there.
    pub edges: Vec<EdgeCard>,
    /// How sure it is.
    pub counts: CountsCard,
    /// The sites that could be more, the first hundred.
    pub unresolved: Vec<UnresolvedCard>,
    /// Nothing was left out for want of room.
    pub complete: bool,
}

/// How many sites without a target an answer lists; they are all counted.
const UNRESOLVED_LISTED: usize = 100;

/// Who calls an item.
pub fn callers(
    ctx: &Ctx,
    workspace: &Workspace,
    request: &WalkRequest,
) -> Result<WalkAnswer, Error> {
    let fresh = Fresh::open(ctx, workspace)?;
    let item = fresh.one(&request.item)?;
    let answer = fresh.map().callers(item.number, &query(&item, request));
    let asked = asked(&item, &answer, request.depth);
    let names: BTreeSet<String> = asked
        .iter()
        .filter_map(|number| fresh.map().item(*number))
        .map(|item| item.name().into_owned())
        .collect();
    let unresolved = fresh.unresolved(|_, name| names.contains(name));
    Ok(finish(&fresh, &item, &answer, unresolved))
}

/// What an item calls.
pub fn callees(
    ctx: &Ctx,
    workspace: &Workspace,
    request: &WalkRequest,
) -> Result<WalkAnswer, Error> {
    let fresh = Fresh::open(ctx, workspace)?;
    let item = fresh.one(&request.item)?;
    let answer = fresh.map().callees(item.number, &query(&item, request));
    let asked = asked(&item, &answer, request.depth);
    let unresolved = fresh.unresolved(|src, _| asked.contains(&src));
    Ok(finish(&fresh, &item, &answer, unresolved))
}

fn query(item: &ItemView<'_>, request: &WalkRequest) -> Traversal {
    let kinds = match (request.kinds.is_empty(), item.kind) {
        (false, _) => EdgeKinds::of(&request.kinds),
        (true, ItemKind::Function | ItemKind::Method | ItemKind::Macro) => EdgeKinds::CALLS,
        (true, _) => EdgeKinds::IMPACT,
    };
    Traversal { kinds, depth: request.depth, cap: request.limit, only_proven: request.only_proven }
}

/// The items whose neighbours were looked for.
fn asked(item: &ItemView<'_>, answer: &TraversalResult, depth: u32) -> BTreeSet<u32> {
    let nearer = answer.items.iter().filter(|reached| reached.depth < depth);
    nearer.map(|reached| reached.item).chain([item.number]).collect()
}

fn finish(
    fresh: &Fresh<'_>,
    item: &ItemView<'_>,
    answer: &TraversalResult,
    mut unresolved: Vec<UnresolvedCard>,
) -> WalkAnswer {
    unresolved.truncate(UNRESOLVED_LISTED);
    WalkAnswer {
        item: fresh.card(item),
        items: reached(fresh, answer),
        edges: fresh.edge_cards(&answer.edges),
        counts: fresh.counts(answer.counts),
        unresolved,
        complete: answer.is_complete,
    }
}

/// What an answer reached, with the number of steps.
pub(super) fn reached(fresh: &Fresh<'_>, answer: &TraversalResult) -> Vec<ItemCard> {
    let items = answer.items.iter();
    items
        .filter_map(|reached| {
            let item = fresh.map().item(reached.item)?;
            Some(ItemCard { depth: Some(reached.depth), ..fresh.card(&item) })
        })
        .collect()
}
