//! [`Map::hops`]: the neighbourhood of some items, hop by hop, with a limit per item.
use base::SortedMap;

use crate::map::Map;
use crate::query::{Direction, ReachedItem, Traversal};

/// The parameters of [`Map::hops`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HopQuery {
    /// Edge kinds, tier, number of hops (`depth`), and the maximum number of neighbours followed
    /// from each item (`cap`).
    pub query: Traversal,
    /// Direction of the edges to follow.
    pub direction: Direction,
}

impl HopQuery {
    /// Two hops over calls and dependencies, in both directions, 30 neighbours per item.
    pub const NEAR: HopQuery = HopQuery {
        query: Traversal { kinds: crate::EdgeKinds::NEAR, depth: 2, cap: 30, only_proven: false },
        direction: Direction::Both,
    };
}

impl Map {
    /// The neighbourhood of `seeds`, hop by hop. From each item of the last hop only its
    /// `query.cap` heaviest neighbours are followed (weights are summed over all kinds and
    /// directions; ties go to the smaller number). An item that is reached twice has the smaller
    /// depth; seeds are left out. Within a hop, items are sorted by the total weight of the
    /// connections that reach them, then by number.
    pub fn hops(&self, seeds: &[u32], hops: &HopQuery) -> Vec<ReachedItem> {
        let mut seen = vec![false; self.item_count() as usize];
        let mut frontier: Vec<u32> = Vec::new();
        for seed in seeds {
            if let Some(slot @ false) = seen.get_mut(*seed as usize) {
                *slot = true;
                frontier.push(*seed);
            }
        }
        let mut reached = Vec::new();
        for depth in 1..=hops.query.depth {
            let mut next: SortedMap<u32, u64> = SortedMap::new();
            for item in frontier {
                for (weight, other) in self.best_neighbours(item, hops) {
                    if seen.get(other as usize) == Some(&false) {
                        *next.entry(other).or_default() += weight;
                    }
                }
            }
            frontier = heaviest_first(next).into_iter().map(|(_, number)| number).collect();
            for number in &frontier {
                if let Some(slot) = seen.get_mut(*number as usize) {
                    *slot = true;
                }
                reached.push(ReachedItem { depth, item: *number });
            }
            if frontier.is_empty() {
                break;
            }
        }
        reached
    }

    fn best_neighbours(&self, item: u32, hops: &HopQuery) -> Vec<(u64, u32)> {
        let mut weights: SortedMap<u32, u64> = SortedMap::new();
        for edge in self.neighbours(item, hops.direction) {
            let other = if edge.src == item { edge.dst } else { edge.src };
            if hops.query.follows(&edge) && other != item {
                *weights.entry(other).or_default() += u64::from(edge.weight);
            }
        }
        let mut best = heaviest_first(weights);
        best.truncate(hops.query.cap);
        best
    }
}

fn heaviest_first(weights: SortedMap<u32, u64>) -> Vec<(u64, u32)> {
    let mut order: Vec<(u64, u32)> =
        weights.into_iter().map(|(number, weight)| (weight, number)).collect();
    order.sort_by_key(|(weight, number)| (std::cmp::Reverse(*weight), *number));
    order
}
