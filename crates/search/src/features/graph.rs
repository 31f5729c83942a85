//! Features from the surroundings of the best candidates.

use ::graph::{ItemKind, Map};
use base::EdgeKind;

use super::{Candidate, Context, Part, Unit};
use crate::answer::PathStep;
use crate::by_number::ByNumber;

/// Of an item that more edges reach or leave, these many are looked at.
const MOST_EDGES: usize = 48;
/// So many members of an impl are looked at.
const MOST_SIBLINGS: u32 = 40;
/// The best of a file that count for it.
const BEST_OF_FILE: usize = 3;

/// What lies around the best candidates, by number of the item in the map.
#[derive(Debug, Default)]
pub(crate) struct Neighbourhood {
    items: ByNumber<Connections>,
    /// By file of the map: how many of its best are counted, and the sum of their scores.
    files: ByNumber<(usize, f32)>,
}

/// How an item is connected to the best.
#[derive(Clone, Copy, Debug)]
struct Connections {
    callers: f32,
    callees: f32,
    types: f32,
    siblings: f32,
    /// How one gets here from a seed: by the strongest connection.
    worth: f32,
    step: PathStep,
}

impl Neighbourhood {
    /// Around `seeds`: items and their scores from 0 to 1, best first.
    pub(crate) fn of(map: &Map, seeds: &[(u32, f32)]) -> Self {
        let mut around = Self { items: ByNumber::with_capacity(512), files: ByNumber::default() };
        let mut edges = Vec::with_capacity(MOST_EDGES);
        // By impl or trait: its best member, and the best of the others.
        let mut holders: ByNumber<(u32, f32, f32)> = ByNumber::default();
        for (seed, score) in seeds {
            // Who reaches the seed, and what it reaches; the more there are, the less each says.
            edges.clear();
            edges.extend(map.links_in(*seed).take(MOST_EDGES));
            around.add_edges(&edges, *seed, *score, true);
            edges.clear();
            edges.extend(map.links_out(*seed).take(MOST_EDGES));
            around.add_edges(&edges, *seed, *score, false);
            if let Some(parent) = map.item(*seed).and_then(|item| item.parent) {
                let best = holders.entry(parent, || (*seed, *score, 0.0));
                if best.0 != *seed {
                    best.2 = best.2.max(*score);
                }
            }
        }
        for (holder, best) in holders.iter() {
            around.add_members(map, holder, *best);
        }
        around
    }

    /// Counts all candidates, best first, for their files.
    pub(crate) fn count_files(&mut self, ranked: impl Iterator<Item = (u32, f32)>) {
        for (file, score) in ranked {
            let (count, sum) = self.files.entry(file, Default::default);
            *count += 1;
            if *count <= BEST_OF_FILE {
                *sum += score.max(0.0);
            }
        }
    }

    fn add_edges(&mut self, edges: &[(u32, EdgeKind)], seed: u32, score: f32, is_backward: bool) {
        let share = score / (edges.len().max(1) as f32).sqrt();
        for (to, kind) in edges.iter().copied() {
            let step = PathStep { from: seed, to, kind, is_backward };
            let by: fn(&mut Connections) -> &mut f32 = match kind {
                EdgeKind::Calls if is_backward => |near| &mut near.callers,
                EdgeKind::Calls => |near| &mut near.callees,
                EdgeKind::Uses | EdgeKind::Implements => |near| &mut near.types,
                _ => continue,
            };
            *by(self.connect(to, share, step)) += share;
        }
    }

    /// The members of an impl or trait, which stand behind it in the map: each counts what the best
    /// of the others does.
    fn add_members(&mut self, map: &Map, parent: u32, (best, score, second): (u32, f32, f32)) {
        let Some(holder) = map.item(parent) else { return };
        if !matches!(holder.kind, ItemKind::Impl | ItemKind::Trait) {
            return;
        }
        for number in parent + 1..=parent.saturating_add(MOST_SIBLINGS) {
            let Some(item) = map.item(number) else { break };
            if item.file != holder.file || item.span.0 >= holder.span.1 {
                break;
            }
            if item.parent == Some(parent) {
                let score = if number == best { second } else { score };
                let kind = EdgeKind::Contains;
                let step = PathStep { from: parent, to: number, kind, is_backward: false };
                self.connect(number, score / 8.0, step).siblings = score;
            }
        }
    }

    /// What is known of an item, which a step leads to.
    fn connect(&mut self, item: u32, worth: f32, step: PathStep) -> &mut Connections {
        let near = self.items.entry(item, || Connections {
            callers: 0.0,
            callees: 0.0,
            types: 0.0,
            siblings: 0.0,
            worth: 0.0,
            step,
        });
        if worth > near.worth {
            (near.worth, near.step) = (worth, step);
        }
        near
    }

    /// All neighbours and how strongly they are connected, in the order of their being found.
    pub(crate) fn neighbours(&self) -> impl Iterator<Item = (u32, f32)> {
        self.items.iter().map(|(item, near)| {
            (item, near.callers + near.callees + near.types + near.siblings / 2.0)
        })
    }

    /// How an item is reached.
    pub(crate) fn path_to(&self, item: u32) -> Option<PathStep> {
        self.items.get(item).map(|near| near.step)
    }
}

/// A feature that a neighbourhood gives.
macro_rules! around {
    ($unit:ident, $name:literal, $says:literal, |$around:ident, $item:ident| $value:expr) => {
        relative!($unit, $name, $says, Part::Graph, |context, $item| {
            context.neighbourhood.as_ref().and_then(|$around| $value)
        });
    };
}

around!(Callers, "callers", "it calls items that rank high", |around, item| {
    around.items.get(item.item).map(|near| near.callers)
});
around!(Callees, "callees", "items that rank high call it", |around, item| {
    around.items.get(item.item).map(|near| near.callees)
});
around!(
    Types,
    "types",
    "it and items that rank high use or implement each other",
    |around, item| { around.items.get(item.item).map(|near| near.types) }
);
around!(Siblings, "siblings", "an item of the same impl or trait ranks high", |around, item| {
    around.items.get(item.item).map(|near| near.siblings)
});
around!(Coherence, "coherence", "the best items of its file rank high together", |around, item| {
    around.files.get(item.file_number).map(|(_, sum)| *sum)
});

/// The name of the feature that a [`crate::walk::Walk`] gives.
pub(super) const WALK: &str = "walk";

relative!(
    Walked,
    WALK,
    "a walk from what ranks high along calls, uses and implementations comes by it often",
    Part::Graph,
    |context, item| context.walk.as_ref().map(|walk| walk.of(item.item))
);

pub(super) struct Near;

impl Unit for Near {
    fn name(&self) -> &'static str {
        "near"
    }
    fn says(&self) -> &'static str {
        "it is near to where one stands: same file, few steps of the graph, same module or crate"
    }
    fn part(&self) -> Part {
        Part::Graph
    }
    fn value(&self, context: &Context<'_>, candidate: &Candidate<'_>) -> f32 {
        let Some(near) = &context.nearness else { return 0.0 };
        candidate.view().map_or(0.0, |item| near.of_item(&item))
    }
}
