//! Where a walk along the graph comes by that begins at the best candidates, again and again:
//! personalised PageRank, by pushing what is left at an item on to where its edges lead (Andersen,
//! Chung and Lang). A push looks at one item, and their number is bounded: the cost does not grow
//! with the map.

use base::EdgeKind;
use graph::Map;

use crate::by_number::ByNumber;

/// The share of what comes to an item that stays there: the walk begins anew.
const STAY: f32 = 0.2;
/// So many items are pushed on at most.
const MOST_PUSHES: usize = 64;
/// Less than this share of all is not pushed on.
const LEAST: f32 = 1e-4;
/// Of an item that more edges leave, these many are followed.
const MOST_EDGES: usize = 48;

/// How much of the walk each item sees, its own share of the beginnings left out: an item that ranks
/// high does not speak for itself.
#[derive(Debug, Default)]
pub(crate) struct Walk {
    seen: ByNumber<Place>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Place {
    stays: f32,
    /// What has come and was not pushed on yet.
    waits: f32,
    is_queued: bool,
}

impl Walk {
    /// From `seeds`, items with their scores, best first; along calls, uses and implementations, to
    /// what these name.
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
            let place = walk.seen.entry(item, Place::default);
            place.is_queued = false;
            let here = std::mem::take(&mut place.waits);
            place.stays += if edges.is_empty() { here } else { STAY * here };
            let share = (1.0 - STAY) * here / edges.len().max(1) as f32;
            for to in &edges {
                walk.bring(*to, share, &mut queue);
            }
        }
        for (seed, score) in seeds {
            walk.seen.entry(*seed, Place::default).stays -= STAY * score / sum;
        }
        walk
    }

    /// How much of the walk comes by an item.
    pub(crate) fn of(&self, item: u32) -> f32 {
        self.seen.get(item).map_or(0.0, |place| (place.stays + STAY * place.waits).max(0.0))
    }

    fn bring(&mut self, item: u32, share: f32, queue: &mut Vec<u32>) {
        let place = self.seen.entry(item, Place::default);
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
