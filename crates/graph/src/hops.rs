use std::collections::BTreeMap;

use crate::map::Map;
use crate::query::{Direction, Query, Reached};

/// What [`Map::hops`] follows, and how far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hops {
    /// Along these edges, and whether candidates count; its depth is the number of hops, its cap
    /// holds for the neighbours of each item.
    pub query: Query,
    /// Along the edges, against them, or both.
    pub direction: Direction,
}

impl Hops {
    /// Two hops over calls and dependencies, either way, 30 neighbours of each item.
    pub const NEAR: Hops = Hops {
        query: Query { kinds: crate::EdgeKinds::NEAR, depth: 2, cap: 30, only_proven: false },
        direction: Direction::Both,
    };
}

impl Map {
    /// The surroundings of some items, hop by hop: from each item that was reached last only its
    /// `query.cap` best neighbours are followed, those of the greatest weight (over all kinds and
    /// both directions, where both are asked for), the smaller number first among equals. What is
    /// reached twice counts for the shorter way, seeds do not count. Within a hop the heaviest
    /// connections stand first (added up over all that lead there), then by number.
    pub fn hops(&self, seeds: &[u32], hops: &Hops) -> Vec<Reached> {
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
            let mut next: BTreeMap<u32, u64> = BTreeMap::new();
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
                reached.push(Reached { depth, item: *number });
            }
            if frontier.is_empty() {
                break;
            }
        }
        reached
    }

    fn best_neighbours(&self, item: u32, hops: &Hops) -> Vec<(u64, u32)> {
        let mut weights: BTreeMap<u32, u64> = BTreeMap::new();
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

fn heaviest_first(weights: BTreeMap<u32, u64>) -> Vec<(u64, u32)> {
    let mut order: Vec<(u64, u32)> =
        weights.into_iter().map(|(number, weight)| (weight, number)).collect();
    order.sort_by_key(|(weight, number)| (std::cmp::Reverse(*weight), *number));
    order
}
