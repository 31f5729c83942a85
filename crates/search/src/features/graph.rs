//! Features from the surroundings of the best candidates.

use std::collections::BTreeMap;

use ::graph::{ItemKind, Map};
use base::EdgeKind;

use super::{Candidate, Context, Part, Unit};
use crate::answer::PathStep;

/// Of an item that more edges reach or leave, these many are looked at.
const MOST_EDGES: usize = 48;
/// So many members of an impl are looked at.
const MOST_SIBLINGS: u32 = 40;
/// The best of a file that count for it.
const BEST_OF_FILE: usize = 3;

/// What lies around the best candidates, by number of the item in the map.
#[derive(Debug, Default)]
pub(crate) struct Neighbourhood {
    callers: BTreeMap<u32, f32>,
    callees: BTreeMap<u32, f32>,
    types: BTreeMap<u32, f32>,
    siblings: BTreeMap<u32, f32>,
    /// By file of the map: the sum of the scores of its best.
    files: BTreeMap<u32, f32>,
    /// How one gets from a seed to an item: by its strongest connection.
    steps: BTreeMap<u32, (f32, PathStep)>,
}

impl Neighbourhood {
    /// Around `seeds`: items and their scores from 0 to 1, best first.
    pub(crate) fn of(map: &Map, seeds: &[(u32, f32)]) -> Self {
        let mut around = Self::default();
        // By impl or trait: its best member, and the best of the others.
        let mut holders: BTreeMap<u32, (u32, f32, f32)> = BTreeMap::new();
        for (seed, score) in seeds {
            around.add_callers(map, *seed, *score);
            around.add_callees(map, *seed, *score);
            if let Some(parent) = map.item(*seed).and_then(|item| item.parent) {
                let best = holders.entry(parent).or_insert((*seed, *score, 0.0));
                if best.0 != *seed {
                    best.2 = best.2.max(*score);
                }
            }
        }
        for (holder, best) in holders {
            around.add_members(map, holder, best);
        }
        around
    }

    /// Counts all candidates, best first, for their files.
    pub(crate) fn count_files(&mut self, ranked: impl Iterator<Item = (u32, f32)>) {
        let mut counted: BTreeMap<u32, usize> = BTreeMap::new();
        for (file, score) in ranked {
            let count = counted.entry(file).or_default();
            *count += 1;
            if *count <= BEST_OF_FILE {
                *self.files.entry(file).or_default() += score.max(0.0);
            }
        }
    }

    /// Who reaches the seed; the more there are, the less each says.
    fn add_callers(&mut self, map: &Map, seed: u32, score: f32) {
        let edges: Vec<_> = map.edges_in(seed).take(MOST_EDGES).collect();
        let share = score / (edges.len().max(1) as f32).sqrt();
        for edge in edges {
            let step = PathStep { from: seed, to: edge.src, kind: edge.kind, is_backward: true };
            let by = match edge.kind {
                EdgeKind::Calls => &mut self.callers,
                EdgeKind::Uses | EdgeKind::Implements => &mut self.types,
                _ => continue,
            };
            *by.entry(edge.src).or_default() += share;
            self.step(edge.src, share, step);
        }
    }

    /// What the seed reaches.
    fn add_callees(&mut self, map: &Map, seed: u32, score: f32) {
        let edges: Vec<_> = map.edges_out(seed).take(MOST_EDGES).collect();
        let share = score / (edges.len().max(1) as f32).sqrt();
        for edge in edges {
            let step = PathStep { from: seed, to: edge.dst, kind: edge.kind, is_backward: false };
            let by = match edge.kind {
                EdgeKind::Calls => &mut self.callees,
                EdgeKind::Uses | EdgeKind::Implements => &mut self.types,
                _ => continue,
            };
            *by.entry(edge.dst).or_default() += share;
            self.step(edge.dst, share, step);
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
                self.siblings.insert(number, score);
                let kind = EdgeKind::Contains;
                let step = PathStep { from: parent, to: number, kind, is_backward: false };
                self.step(number, score / 8.0, step);
            }
        }
    }

    fn step(&mut self, item: u32, worth: f32, step: PathStep) {
        let slot = self.steps.entry(item).or_insert((0.0, step));
        if worth > slot.0 {
            *slot = (worth, step);
        }
    }

    /// All neighbours and how strongly they are connected, by number.
    pub(crate) fn neighbours(&self) -> impl Iterator<Item = (u32, f32)> {
        self.steps.keys().map(|item| {
            let of = |by: &BTreeMap<u32, f32>| by.get(item).copied().unwrap_or(0.0);
            let near = of(&self.callers) + of(&self.callees) + of(&self.types);
            (*item, near + of(&self.siblings) / 2.0)
        })
    }

    /// How an item is reached.
    pub(crate) fn path_to(&self, item: u32) -> Option<PathStep> {
        self.steps.get(&item).map(|(_, step)| *step)
    }
}

/// A feature that a neighbourhood gives.
macro_rules! around {
    ($unit:ident, $name:literal, $says:literal, |$around:ident, $item:ident| $value:expr) => {
        pub(super) struct $unit;

        impl Unit for $unit {
            fn name(&self) -> &'static str {
                $name
            }
            fn says(&self) -> &'static str {
                $says
            }
            fn part(&self) -> Part {
                Part::Graph
            }
            fn is_relative(&self) -> bool {
                true
            }
            fn value(&self, context: &Context<'_>, candidate: &Candidate<'_>) -> f32 {
                let Some($around) = &context.neighbourhood else { return 0.0 };
                let $item = &candidate.view;
                $value.copied().unwrap_or(0.0)
            }
        }
    };
}

around!(Callers, "callers", "it calls items that rank high", |around, item| {
    around.callers.get(&item.number)
});
around!(Callees, "callees", "items that rank high call it", |around, item| {
    around.callees.get(&item.number)
});
around!(
    Types,
    "types",
    "it and items that rank high use or implement each other",
    |around, item| { around.types.get(&item.number) }
);
around!(Siblings, "siblings", "an item of the same impl or trait ranks high", |around, item| {
    around.siblings.get(&item.number)
});
around!(Coherence, "coherence", "the best items of its file rank high together", |around, item| {
    around.files.get(&item.file)
});

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
        context.nearness.as_ref().map_or(0.0, |near| near.of_item(&candidate.view))
    }
}
