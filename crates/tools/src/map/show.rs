use std::collections::BTreeSet;

use base::{Ctx, EdgeKind};
use graph::EdgeCounts;
use ingest::MacroInterface;
use serde::Serialize;

use super::{CountsCard, EdgeCard, Fresh, ItemCard, UnresolvedCard};
use crate::{Error, Workspace};

/// One item, and all that it is directly connected to.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ShowAnswer {
    /// The item, alone; several twins have several.
    pub items: Vec<ItemCard>,
    /// What its documentation says.
    pub docs: String,
    /// Its signature as rust-analyzer has it, with what macros made of it, where it was asked.
    pub ra_signature: Option<String>,
    /// What a macro call makes besides items of the map, as rust-analyzer has it.
    pub macro_interface: Vec<MacroInterface>,
    /// Its exact text.
    pub code: String,
    /// The item that holds it.
    pub parent: Option<ItemCard>,
    /// What it holds.
    pub members: Vec<ItemCard>,
    /// All edges from it and to it but those of containment.
    pub edges: Vec<EdgeCard>,
    /// How sure they are.
    pub counts: CountsCard,
    /// The sites in it without a target.
    pub unresolved: Vec<UnresolvedCard>,
}

/// Looks at one item from all sides.
pub fn show(ctx: &Ctx, workspace: &Workspace, query: &str) -> Result<ShowAnswer, Error> {
    let fresh = Fresh::open(ctx, workspace)?;
    let item = fresh.one(query)?;
    let map = fresh.map();
    let members: BTreeSet<u32> = map
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
    let edges = fresh.edge_cards(&edges);
    let unresolved = fresh.unresolved(|src, _| src == item.number);
    let proven = edges.iter().filter(|edge| edge.tier == base::Tier::Proven).count();
    let parent = item.parent.and_then(|number| map.item(number));
    Ok(ShowAnswer {
        docs: fresh.docs(&item),
        ra_signature: fresh.describe(&item, |it| it.ra_signature().map(str::to_owned)),
        macro_interface: fresh.describe(&item, |it| it.generated_items().to_vec()),
        code: fresh.code(&item),
        parent: parent.map(|parent| fresh.card(&parent)),
        members: fresh.cards(members),
        counts: fresh.counts(EdgeCounts {
            proven,
            candidate: edges.len() - proven,
            unresolved: unresolved.len(),
        }),
        edges,
        unresolved,
        items: vec![fresh.card(&item)],
    })
}
