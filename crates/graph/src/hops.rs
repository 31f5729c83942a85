use std::collections::BTreeMap;

use crate::map::Map;
use crate::query::{Direction, Query, Reached};

/// What [`Map::hops`] follows, and how far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hops {
    /// Along these edges, and whether candidates count; its depth is the number of hops.
    pub query: Query,
    /// Along the edges, against them, or both.
    pub direction: Direction,
}

impl Hops {
    /// Two hops over calls and dependencies, either way, 30 items a hop.
    pub const NEAR: Hops = Hops {
        query: Query { kinds: crate::EdgeKinds::NEAR, depth: 2, cap: 30, only_proven: false },
        direction: Direction::Both,
    };
}

impl Map {
    /// The surroundings of some items, hop by hop. Each hop takes the new neighbours of all that
    /// the hop before took (the seeds at first), the heaviest connections first (weights of the
    /// edges that lead there, added up), then by number, and `query.cap` of them at most.
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
            let mut weights: BTreeMap<u32, u64> = BTreeMap::new();
            for item in frontier {
                for edge in self.neighbours(item, hops.direction) {
                    let other = if edge.src == item { edge.dst } else { edge.src };
                    if hops.query.follows(&edge) && seen.get(other as usize) == Some(&false) {
                        *weights.entry(other).or_default() += u64::from(edge.weight);
                    }
                }
            }
            let mut next: Vec<(u64, u32)> = weights.into_iter().map(|(n, w)| (w, n)).collect();
            next.sort_by_key(|(weight, number)| (std::cmp::Reverse(*weight), *number));
            next.truncate(hops.query.cap);
            frontier = next.into_iter().map(|(_, number)| number).collect();
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
}
