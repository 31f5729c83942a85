use base::{Ctx, EdgeKind};
use graph::{EdgeCounts, EdgeKinds, Traversal};
use serde::Serialize;

use super::{CountsCard, EdgeCard, Fresh, ItemCard};
use crate::{Error, Workspace};

/// From where to where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathRequest {
    /// An id, a key, a canonical path or the end of one.
    pub from: String,
    /// Likewise.
    pub to: String,
    /// Along these kinds; by default all but containment, and that too where nothing else leads
    /// there.
    pub kinds: Vec<EdgeKind>,
    /// Leave candidates out.
    pub only_proven: bool,
}

/// The shortest way.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PathAnswer {
    /// Whether there is one.
    pub found: bool,
    /// The items on it, both ends included; the two ends where there is none.
    pub items: Vec<ItemCard>,
    /// The edges between them.
    pub edges: Vec<EdgeCard>,
    /// How sure it is; unresolved: sites of the items looked at, through which a shorter way may
    /// lead.
    pub counts: CountsCard,
}

/// The shortest way from one item to another.
pub fn path(ctx: &Ctx, workspace: &Workspace, request: &PathRequest) -> Result<PathAnswer, Error> {
    let fresh = Fresh::open(ctx, workspace)?;
    let (from, to) = (fresh.one(&request.from)?, fresh.one(&request.to)?);
    let along = |kinds| Traversal {
        kinds,
        depth: u32::MAX,
        cap: usize::MAX,
        only_proven: request.only_proven,
    };
    let route = |kinds| fresh.map().path(from.number, to.number, &along(kinds));
    let route = if request.kinds.is_empty() {
        let without = EdgeKind::ALL.into_iter().filter(|kind| *kind != EdgeKind::Contains);
        let without: Vec<EdgeKind> = without.collect();
        route(EdgeKinds::of(&without)).or_else(|| route(EdgeKinds::ALL))
    } else {
        route(EdgeKinds::of(&request.kinds))
    };
    Ok(match route {
        Some(route) => PathAnswer {
            found: true,
            items: fresh.cards(route.items.iter().copied()),
            edges: fresh.edge_cards(&route.edges),
            counts: fresh.counts(route.counts),
        },
        None => PathAnswer {
            found: false,
            items: vec![fresh.card(&from), fresh.card(&to)],
            edges: Vec::new(),
            counts: fresh.counts(EdgeCounts::default()),
        },
    })
}
