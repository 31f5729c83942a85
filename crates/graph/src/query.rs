use std::collections::BTreeSet;

use base::{EdgeKind, Tier};

use crate::edge::EdgeView;
use crate::map::Map;

/// A set of kinds of edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EdgeKinds(u8);

impl EdgeKinds {
    /// Every kind.
    pub const ALL: EdgeKinds = EdgeKinds(0x3f);
    /// Calls alone.
    pub const CALLS: EdgeKinds = EdgeKinds(1 << EdgeKind::Calls as u8);
    /// What a change of a definition reaches: calls, uses, implementations.
    pub const IMPACT: EdgeKinds = EdgeKinds(
        1 << EdgeKind::Calls as u8 | 1 << EdgeKind::Uses as u8 | 1 << EdgeKind::Implements as u8,
    );
    /// What retrieval follows: calls and dependencies.
    pub const NEAR: EdgeKinds =
        EdgeKinds(1 << EdgeKind::Calls as u8 | 1 << EdgeKind::Depends as u8);

    /// Exactly these.
    pub fn of(kinds: &[EdgeKind]) -> Self {
        Self(kinds.iter().fold(0, |bits, kind| bits | 1 << *kind as u8))
    }

    /// Whether it holds `kind`.
    pub fn contains(self, kind: EdgeKind) -> bool {
        self.0 & 1 << kind as u8 != 0
    }
}

/// What a traversal follows, and how far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Query {
    /// Along these edges.
    pub kinds: EdgeKinds,
    /// So many steps at most.
    pub depth: u32,
    /// So many items at most; what is left out makes the answer incomplete.
    pub cap: usize,
    /// Leave out what is not proven.
    pub only_proven: bool,
}

impl Query {
    /// Direct neighbours by calls.
    pub const CALLS: Query =
        Query { kinds: EdgeKinds::CALLS, depth: 1, cap: usize::MAX, only_proven: false };
    /// Everything that a change may reach.
    pub const IMPACT: Query =
        Query { kinds: EdgeKinds::IMPACT, depth: u32::MAX, cap: usize::MAX, only_proven: false };

    pub(crate) fn follows(&self, edge: &EdgeView) -> bool {
        self.kinds.contains(edge.kind) && !(self.only_proven && edge.tier != Tier::Proven)
    }
}

/// How sure an answer is: every one carries it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Edges of the answer that are proven.
    pub proven: usize,
    /// Edges of the answer that are candidates.
    pub candidate: usize,
    /// Sites without a target that could be more of it.
    pub unresolved: usize,
}

/// One item that a traversal reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Reached {
    /// In how many steps; seeds in 0.
    pub depth: u32,
    /// The item's number.
    pub item: u32,
}

/// What a traversal found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// What was reached, seeds left out, nearest first, then by number.
    pub items: Vec<Reached>,
    /// The edges that led there (all between an item and those one step nearer), by number.
    pub edges: Vec<EdgeView>,
    /// How sure it is.
    pub counts: Counts,
    /// Nothing was left out for want of room.
    pub is_complete: bool,
}

/// Against or along the edges.
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
    /// Who calls `item` (or reaches it along other kinds), directly or in several steps.
    pub fn callers(&self, item: u32, query: &Query) -> Answer {
        let mut answer = self.closure(&[item], Direction::In, query);
        let asked = answer.items.iter().filter(|reached| reached.depth < query.depth);
        let asked: BTreeSet<u32> = asked.map(|reached| reached.item).chain([item]).collect();
        answer.counts.unresolved = self.unresolved_named_like(&asked);
        answer
    }

    /// What `item` calls (or reaches along other kinds), directly or in several steps.
    pub fn callees(&self, item: u32, query: &Query) -> Answer {
        let mut answer = self.closure(&[item], Direction::Out, query);
        let asked = answer.items.iter().filter(|reached| reached.depth < query.depth);
        let asked = asked.map(|reached| reached.item).chain([item]);
        answer.counts.unresolved = asked.map(|item| self.unresolved_in(item).count()).sum();
        answer
    }

    /// Breadth first from the seeds. `Answer::counts` lack what is unresolved: that depends on
    /// the question.
    pub(crate) fn closure(&self, seeds: &[u32], direction: Direction, query: &Query) -> Answer {
        let mut depth_of: Vec<Option<u32>> = vec![None; self.item_count() as usize];
        let mut frontier: Vec<u32> = Vec::new();
        for seed in seeds {
            if let Some(slot @ None) = depth_of.get_mut(*seed as usize) {
                *slot = Some(0);
                frontier.push(*seed);
            }
        }
        frontier.sort_unstable();
        let mut answer = Answer { is_complete: true, ..Answer::default() };
        let mut depth = 0;
        while !frontier.is_empty() && depth < query.depth {
            depth += 1;
            let mut next = Vec::new();
            for item in frontier {
                for edge in self.neighbours(item, direction) {
                    let other = if edge.src == item { edge.dst } else { edge.src };
                    if !query.follows(&edge) {
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
                        // A call of itself counts, so does a second way of the same length.
                        Some(known) if *known == depth || other == item => answer.edges.push(edge),
                        Some(_) => {}
                    }
                }
            }
            next.sort_unstable();
            answer.items.extend(next.iter().map(|item| Reached { depth, item: *item }));
            frontier = next;
        }
        answer.edges.sort_by_key(|edge| edge.number);
        answer.edges.dedup_by_key(|edge| edge.number);
        answer.counts = counts(&answer.edges);
        answer
    }

    /// The edges of an item, outgoing first.
    pub(crate) fn neighbours(
        &self,
        item: u32,
        direction: Direction,
    ) -> impl Iterator<Item = EdgeView> {
        let out = (direction != Direction::In).then(|| self.edges_out(item));
        let incoming = (direction != Direction::Out).then(|| self.edges_in(item));
        out.into_iter().flatten().chain(incoming.into_iter().flatten())
    }

    /// How many sites without a target name one of these items.
    pub(crate) fn unresolved_named_like(&self, items: &BTreeSet<u32>) -> usize {
        let views = items.iter().filter_map(|number| self.item(*number));
        let names: BTreeSet<String> = views.map(|item| item.name().into_owned()).collect();
        (0..self.unresolved_count())
            .filter_map(|number| self.unresolved(number))
            .filter(|site| names.contains(site.name))
            .count()
    }
}

/// Proven and candidate ones.
pub(crate) fn counts(edges: &[EdgeView]) -> Counts {
    let proven = edges.iter().filter(|edge| edge.tier == Tier::Proven).count();
    Counts { proven, candidate: edges.len() - proven, unresolved: 0 }
}
