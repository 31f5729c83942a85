//! Personalised PageRank from the best candidates, by the push algorithm of Andersen, Chung and
//! Lang. The number of pushes is bounded, so the cost is independent of the size of the map.

use base::EdgeKind;
use graph::Map;

use crate::by_number::ByNumber;

/// Restart probability.
const STAY: f32 = 0.2;
/// Maximum number of pushes.
const MOST_PUSHES: usize = 64;
/// Minimum residual to push, as a share of the total.
const LEAST: f32 = 1e-4;
/// Maximum number of edges to follow from an item.
const MOST_EDGES: usize = 48;

/// The result of a walk: a score by item, without its own share of the start, so that an item that
/// ranks high does not raise itself.
#[derive(Debug, Default)]
pub(crate) struct Walk {
    seen: ByNumber<WalkNode>,
}

#[derive(Clone, Copy, Debug, Default)]
struct WalkNode {
    stays: f32,
    /// Residual that was not pushed yet.
    waits: f32,
    is_queued: bool,
}

impl Walk {
    /// Runs the walk from `seeds`, items with their scores, best first; along calls, uses and
    /// implementations.
    pub(crate) fn from(map: &Map, seeds: &[(u32, f32)]) -> Self {
        let sum: f32 = seeds.iter().map(|(_, score)| score).sum();
        let mut walk = Self { seen: ByNumber::with_capacity(256) };
        if sum <= 0.0 {
            return walk;
        }
        let mut queue: Vec<u32> = Vec::with_capacity(MOST_PUSHES);
        for (seed, score) in seeds {
            walk.bring(*seed, score / sum, &mut queue);
        }
        let mut edges: Vec<u32> = Vec::with_capacity(MOST_EDGES);
        let mut next = 0;
        while let Some(item) = queue.get(next).copied().filter(|_| next < MOST_PUSHES) {
            next += 1;
            edges.clear();
            let followed = map.links_out(item).filter(|(_, kind)| is_followed(*kind));
            edges.extend(followed.take(MOST_EDGES).map(|(to, _)| to));
            let place = walk.seen.entry(item, WalkNode::default);
            place.is_queued = false;
            let here = std::mem::take(&mut place.waits);
            place.stays += if edges.is_empty() { here } else { STAY * here };
            let share = (1.0 - STAY) * here / edges.len().max(1) as f32;
            for to in &edges {
                walk.bring(*to, share, &mut queue);
            }
        }
        for (seed, score) in seeds {
            walk.seen.entry(*seed, WalkNode::default).stays -= STAY * score / sum;
        }
        walk
    }

    /// The score of an item.
    pub(crate) fn of(&self, item: u32) -> f32 {
        self.seen.get(item).map_or(0.0, |place| (place.stays + STAY * place.waits).max(0.0))
    }

    fn bring(&mut self, item: u32, share: f32, queue: &mut Vec<u32>) {
        let place = self.seen.entry(item, WalkNode::default);
        place.waits += share;
        if place.waits > LEAST && !place.is_queued {
            place.is_queued = true;
            queue.push(item);
        }
    }
}

fn is_followed(kind: EdgeKind) -> bool {
    matches!(kind, EdgeKind::Calls | EdgeKind::Uses | EdgeKind::Implements)
}
