//! Traversals: [`Map::callers`] and [`Map::callees`], and the breadth-first search that `impact.rs`
//! uses too. Start at [`Map::closure`].

use base::{EdgeKind, SortedSet, Tier};

use crate::edge::EdgeView;
use crate::map::Map;

/// A set of edge kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EdgeKinds(u8);

impl EdgeKinds {
    /// Every kind.
    pub const ALL: EdgeKinds = EdgeKinds(0x3f);
    /// Calls only.
    pub const CALLS: EdgeKinds = EdgeKinds(1 << EdgeKind::Calls as u8);
    /// Edges along which a change of a definition spreads: calls, uses, implementations.
    pub const IMPACT: EdgeKinds = EdgeKinds(
        1 << EdgeKind::Calls as u8 | 1 << EdgeKind::Uses as u8 | 1 << EdgeKind::Implements as u8,
    );
    /// Edges that retrieval follows: calls and dependencies.
    pub const NEAR: EdgeKinds =
        EdgeKinds(1 << EdgeKind::Calls as u8 | 1 << EdgeKind::Depends as u8);

    /// The set of exactly these kinds.
    pub fn of(kinds: &[EdgeKind]) -> Self {
        Self(kinds.iter().fold(0, |bits, kind| bits | 1 << *kind as u8))
    }

    /// Whether `kind` is in the set.
    pub fn contains(self, kind: EdgeKind) -> bool {
        self.0 & 1 << kind as u8 != 0
    }
}

/// The parameters of a traversal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Traversal {
    /// Edge kinds to follow.
    pub kinds: EdgeKinds,
    /// Maximum number of steps.
    pub depth: u32,
    /// Maximum number of items; a result that was cut off is marked incomplete.
    pub cap: usize,
    /// Whether to skip edges that are not proven.
    pub only_proven: bool,
}

impl Traversal {
    /// Direct neighbours along calls.
    pub const CALLS: Traversal =
        Traversal { kinds: EdgeKinds::CALLS, depth: 1, cap: usize::MAX, only_proven: false };
    /// Everything that a change may affect.
    pub const IMPACT: Traversal = Traversal {
        kinds: EdgeKinds::IMPACT,
        depth: u32::MAX,
        cap: usize::MAX,
        only_proven: false,
    };

    pub(crate) fn follows(&self, edge: &EdgeView) -> bool {
        self.kinds.contains(edge.kind) && !(self.only_proven && edge.tier != Tier::Proven)
    }
}

/// The confidence of a result: how many edges it has of each tier, and what may be missing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EdgeCounts {
    /// Number of proven edges.
    pub proven: usize,
    /// Number of candidate edges.
    pub candidate: usize,
    /// Number of unresolved sites that may be missing edges.
    pub unresolved: usize,
}

/// One item that a traversal reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ReachedItem {
    /// Number of steps; 0 for seeds.
    pub depth: u32,
    /// Item number.
    pub item: u32,
}

/// The result of a traversal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TraversalResult {
    /// Items reached, without the seeds; nearest first, then by number.
    pub items: Vec<ReachedItem>,
    /// Edges that led to them (every edge between an item and one that is a step nearer), by
    /// number.
    pub edges: Vec<EdgeView>,
    /// Confidence.
    pub counts: EdgeCounts,
    /// Whether no item was left out because of the limit.
    pub is_complete: bool,
}

/// The direction in which edges are followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From source to target.
    Out,
    /// From target to source.
    In,
    /// Either way.
    Both,
}

impl Map {
    /// The items that call `item` (or reach it along other edge kinds), in up to `query.depth`
    /// steps.
    pub fn callers(&self, item: u32, query: &Traversal) -> TraversalResult {
        let mut answer = self.closure(&[item], Direction::In, query);
        let expanded = answer.items.iter().filter(|reached| reached.depth < query.depth);
        let expanded: SortedSet<u32> = expanded.map(|reached| reached.item).chain([item]).collect();
        answer.counts.unresolved = self.unresolved_named_like(&expanded);
        answer
    }

    /// The items that `item` calls (or reaches along other edge kinds), in up to `query.depth`
    /// steps.
    pub fn callees(&self, item: u32, query: &Traversal) -> TraversalResult {
        let mut answer = self.closure(&[item], Direction::Out, query);
        let expanded = answer.items.iter().filter(|reached| reached.depth < query.depth);
        let expanded = expanded.map(|reached| reached.item).chain([item]);
        answer.counts.unresolved = expanded.map(|item| self.unresolved_in(item).count()).sum();
        answer
    }

    /// Breadth-first search from the seeds. `counts.unresolved` is left at 0, because it depends on
    /// the direction of the question.
    pub(crate) fn closure(
        &self,
        seeds: &[u32],
        direction: Direction,
        query: &Traversal,
    ) -> TraversalResult {
        self.walk(seeds, direction, query, &|_, _| true)
    }

    /// Breadth-first search from the seeds along the edges that `query` follows and that `accepts`, given
    /// the item on the way, does not reject. Edges between two seeds are left out ([`Map::edges_among`]).
    /// `counts.unresolved` is left at 0.
    pub fn walk(
        &self,
        seeds: &[u32],
        direction: Direction,
        query: &Traversal,
        accepts: &dyn Fn(u32, &EdgeView) -> bool,
    ) -> TraversalResult {
        let mut depth_of: Vec<Option<u32>> = vec![None; self.item_count() as usize];
        let mut frontier: Vec<u32> = Vec::new();
        for seed in seeds {
            if let Some(slot @ None) = depth_of.get_mut(*seed as usize) {
                *slot = Some(0);
                frontier.push(*seed);
            }
        }
        frontier.sort_unstable();
        let mut answer = TraversalResult { is_complete: true, ..TraversalResult::default() };
        let mut depth = 0;
        while !frontier.is_empty() && depth < query.depth {
            depth += 1;
            let mut next = Vec::new();
            for item in frontier {
                for edge in self.neighbours(item, direction) {
                    let other = if edge.src == item { edge.dst } else { edge.src };
                    if !query.follows(&edge) || !accepts(item, &edge) {
                        continue;
                    }
                    let Some(slot) = depth_of.get_mut(other as usize) else { continue };
                    match slot {
                        None if answer.items.len() + next.len() >= query.cap => {
                            answer.is_complete = false;
                        }
                        None => {
                            *slot = Some(depth);
                            next.push(other);
                            answer.edges.push(edge);
                        }
                        // Recursive calls count, and so does a second path of the same length.
                        Some(known) if *known == depth || other == item => answer.edges.push(edge),
                        Some(_) => {}
                    }
                }
            }
            next.sort_unstable();
            answer.items.extend(next.iter().map(|item| ReachedItem { depth, item: *item }));
            frontier = next;
        }
        answer.edges.sort_by_key(|edge| edge.number);
        answer.edges.dedup_by_key(|edge| edge.number);
        answer.counts = counts(&answer.edges);
        answer
    }

    /// The edges that `query` follows between two different items of these, by number.
    pub fn edges_among(&self, items: &[u32], query: &Traversal) -> Vec<EdgeView> {
        let all: SortedSet<u32> = items.iter().copied().collect();
        let is_between = |edge: &EdgeView| edge.src != edge.dst && all.contains(&edge.src);
        let known = all.iter().filter(|item| **item < self.item_count());
        let mut found: Vec<EdgeView> = known
            .flat_map(|item| self.edges_in(*item))
            .filter(|edge| is_between(edge) && query.follows(edge))
            .collect();
        found.sort_by_key(|edge| edge.number);
        found
    }

    /// The edges of an item; outgoing ones first.
    pub(crate) fn neighbours(
        &self,
        item: u32,
        direction: Direction,
    ) -> impl Iterator<Item = EdgeView> {
        let out = (direction != Direction::In).then(|| self.edges_out(item));
        let incoming = (direction != Direction::Out).then(|| self.edges_in(item));
        out.into_iter().flatten().chain(incoming.into_iter().flatten())
    }

    /// The number of unresolved sites whose name is that of one of these items.
    pub(crate) fn unresolved_named_like(&self, items: &SortedSet<u32>) -> usize {
        let views = items.iter().filter_map(|number| self.item(*number));
        let names: SortedSet<String> = views.map(|item| item.name().into_owned()).collect();
        (0..self.unresolved_count())
            .filter_map(|number| self.unresolved(number))
            .filter(|site| names.contains(site.name))
            .count()
    }
}

/// Counts the proven and the candidate edges.
pub(crate) fn counts(edges: &[EdgeView]) -> EdgeCounts {
    let proven = edges.iter().filter(|edge| edge.tier == Tier::Proven).count();
    EdgeCounts { proven, candidate: edges.len() - proven, unresolved: 0 }
}
