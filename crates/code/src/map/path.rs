//! `path`: the shortest path between two items.

use base::{Ctx, EdgeKind};
use graph::{EdgeCounts, EdgeKinds, Traversal};
use project::Workspace;
use serde::Serialize;

use super::{CountsCard, CurrentMap, EdgeCard, ItemCard};
use crate::CodeError;

/// Input of [`path`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathRequest {
    /// Start item: an id, a key, a canonical path or the end of one.
    pub from: String,
    /// Target item, in the same forms.
    pub to: String,
    /// Edge kinds to follow; empty: all except containment, and with containment if there is no other
    /// path.
    pub kinds: Vec<EdgeKind>,
    /// Whether to follow proven edges only.
    pub only_proven: bool,
}

/// Result of [`path`], as `--json` prints it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PathAnswer {
    /// Whether there is a path.
    pub found: bool,
    /// The items on the path, both ends included; without a path, the two ends.
    pub items: Vec<ItemCard>,
    /// The edges of the path.
    pub edges: Vec<EdgeCard>,
    /// Proven and candidate edges; unresolved: sites of the visited items, through which a shorter
    /// path may exist.
    pub counts: CountsCard,
}

/// Finds the shortest path from one item to another.
///
/// # Errors
/// An unknown or ambiguous item, or a map that cannot be updated.
pub fn path(
    ctx: &Ctx,
    workspace: &Workspace,
    request: &PathRequest,
) -> Result<PathAnswer, CodeError> {
    let current = CurrentMap::open(ctx, workspace)?;
    let (from, to) = (current.one(&request.from)?, current.one(&request.to)?);
    let along = |kinds| Traversal {
        kinds,
        depth: u32::MAX,
        cap: usize::MAX,
        only_proven: request.only_proven,
    };
    let route = |kinds| current.map().path(from.number, to.number, &along(kinds));
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
            items: current.cards(route.items.iter().copied()),
            edges: current.edge_cards(&route.edges),
            counts: current.counts(route.counts),
        },
        None => PathAnswer {
            found: false,
            items: vec![current.card(&from), current.card(&to)],
            edges: Vec::new(),
            counts: current.counts(EdgeCounts::default()),
        },
    })
}
