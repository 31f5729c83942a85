//! Features from the graph neighbourhood of the best candidates.

use ::graph::Map;
use base::{EdgeKind, ItemKind};

use super::{Candidate, Context, FeatureGroup, Unit};
use crate::answer::PathStep;
use crate::by_number::ByNumber;

/// Maximum number of edges of an item that are read.
const MOST_EDGES: usize = 48;
/// Maximum number of members of an impl that are read.
const MOST_SIBLINGS: u32 = 40;
/// Number of best candidates of a file that count for it.
const BEST_OF_FILE: usize = 3;

/// Connections of items to the best candidates, by item number.
#[derive(Debug, Default)]
pub(crate) struct Neighbourhood {
    items: ByNumber<Connections>,
    /// Number and score sum of the best candidates counted, by file of the map.
    files: ByNumber<(usize, f32)>,
}

/// The connections of an item to the best candidates.
#[derive(Clone, Copy, Debug)]
struct Connections {
    /// Sum of all connections.
    sum: f32,
    /// Path from a seed, along the strongest connection.
    worth: f32,
    step: PathStep,
}

impl Neighbourhood {
    /// The neighbourhood of `seeds`: items and their scores from 0 to 1, best first.
    pub(crate) fn of(map: &Map, seeds: &[(u32, f32)]) -> Self {
        let mut around = Self { items: ByNumber::with_capacity(512), files: ByNumber::default() };
        let mut edges = Vec::with_capacity(MOST_EDGES);
        // By impl or trait: the best member, and the best of the others.
        let mut holders: ByNumber<(u32, f32, f32)> = ByNumber::default();
        for (seed, score) in seeds {
            // Neighbours in both directions; the more an item has, the less each counts.
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
            if matches!(kind, EdgeKind::Calls | EdgeKind::Uses | EdgeKind::Implements) {
                self.connect(to, share, step).sum += share;
            }
        }
    }

    /// The members of an impl or trait, which follow it in the map: each gets the score of the best
    /// other member.
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
                self.connect(number, score / 8.0, step).sum += score / 2.0;
            }
        }
    }

    /// The entry of an item that is reached by a step.
    fn connect(&mut self, item: u32, worth: f32, step: PathStep) -> &mut Connections {
        let near = self.items.entry(item, || Connections { sum: 0.0, worth: 0.0, step });
        if worth > near.worth {
            (near.worth, near.step) = (worth, step);
        }
        near
    }

    /// All neighbours and the weight of their connection, in the order found.
    pub(crate) fn neighbours(&self) -> impl Iterator<Item = (u32, f32)> {
        self.items.iter().map(|(item, near)| (item, near.sum))
    }

    /// The step by which an item is reached.
    pub(crate) fn path_to(&self, item: u32) -> Option<PathStep> {
        self.items.get(item).map(|near| near.step)
    }
}

relative!(
    Coherence,
    "coherence",
    "the best items of its file rank high together",
    FeatureGroup::Graph,
    |context, item| {
        let around = context.neighbourhood.as_ref();
        around.and_then(|around| around.files.get(item.file_number)).map(|(_, sum)| *sum)
    }
);

pub(super) struct Near;

impl Unit for Near {
    fn name(&self) -> &'static str {
        "near"
    }
    fn description(&self) -> &'static str {
        "it is near the focus: same file, few graph steps, same module or crate"
    }
    fn part(&self) -> FeatureGroup {
        FeatureGroup::Graph
    }
    fn value(&self, context: &Context<'_>, candidate: &Candidate<'_>) -> f32 {
        let Some(near) = &context.nearness else { return 0.0 };
        candidate.view().map_or(0.0, |item| near.of_item(&item))
    }
}
