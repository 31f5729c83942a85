//! Nearness of items to the focus of a query, and paths from the focus.

use base::{EdgeKind, SortedMap, SortedSet};
use graph::{EdgeKinds, HopQuery, Map, Traversal};

use crate::answer::PathStep;
use crate::query::Focus;

/// Edges and limits of the neighbourhood of a focus.
const NEAR: HopQuery = HopQuery {
    query: Traversal { kinds: EdgeKinds::NEAR, depth: 2, cap: 30, only_proven: false },
    direction: graph::Direction::Both,
};

/// The distance of items from a focus.
#[derive(Debug, Default)]
pub(crate) struct Nearness {
    /// Graph distance by item, from 1.
    steps: SortedMap<u32, u32>,
    files: Vec<u32>,
    crates: Vec<u32>,
    /// Modules and types that contain the focus.
    ancestors: Vec<u32>,
    /// Items of the focus and of its files, where paths start.
    sources: SortedSet<u32>,
    pub(crate) prunes: bool,
}

impl Nearness {
    pub(crate) fn of(map: &Map, focus: &Focus) -> Option<Self> {
        let mut near = Self { prunes: focus.prune, ..Self::default() };
        near.files.extend(focus.files.iter().filter(|file| map.file(**file).is_some()));
        for item in focus.items.iter().filter_map(|item| map.item(*item)) {
            near.sources.insert(item.number);
            near.files.push(item.file);
            near.crates.push(item.krate);
            let mut parent = item.parent;
            while let Some(holder) = parent.and_then(|number| map.item(number)) {
                near.ancestors.push(holder.number);
                parent = holder.parent.filter(|next| *next != holder.number);
                if near.ancestors.len() > 64 {
                    break;
                }
            }
        }
        for file in &near.files {
            let first = map.items_of_file(*file).next().and_then(|number| map.item(number));
            near.crates.extend(first.map(|item| item.krate));
        }
        if near.files.is_empty() {
            return None;
        }
        near.sources.extend(focus.files.iter().flat_map(|file| map.items_of_file(*file)));
        let seeds: Vec<u32> = near.sources.iter().copied().collect();
        near.steps = map.hops(&seeds, &NEAR).into_iter().map(|r| (r.item, r.depth)).collect();
        near.files.sort_unstable();
        near.files.dedup();
        near.crates.sort_unstable();
        near.crates.dedup();
        Some(near)
    }

    /// Nearness from 1, the focus itself, to 0, unrelated.
    pub(crate) fn of_item(&self, item: &graph::ItemView<'_>) -> f32 {
        if self.sources.contains(&item.number) {
            return 1.0;
        }
        match self.steps.get(&item.number) {
            Some(1) => return 0.9,
            _ if self.files.binary_search(&item.file).is_ok() => return 0.8,
            Some(_) => return 0.7,
            None => {}
        }
        if self.ancestors.contains(&item.number)
            || item.parent.is_some_and(|parent| self.ancestors.contains(&parent))
        {
            return 0.6;
        }
        if self.crates.binary_search(&item.krate).is_ok() { 0.3 } else { 0.0 }
    }

    /// The shortest path in the graph from the focus to an item; empty where there is none.
    pub(crate) fn path_to(&self, map: &Map, item: u32) -> Vec<PathStep> {
        if !self.steps.contains_key(&item) {
            return Vec::new();
        }
        let mut path = Vec::new();
        let mut at = item;
        while let Some(depth) = self.steps.get(&at) {
            let Some((next, step)) = self.step_back(map, at, *depth) else { return Vec::new() };
            path.push(step);
            at = next;
        }
        path.reverse();
        path
    }

    fn step_back(&self, map: &Map, to: u32, depth: u32) -> Option<(u32, PathStep)> {
        let is_nearer = |other: u32| match self.steps.get(&other) {
            Some(other) => *other < depth,
            None => depth == 1 && self.sources.contains(&other),
        };
        let is_near = |kind: EdgeKind| EdgeKinds::NEAR.contains(kind);
        let incoming = map.edges_in(to).find(|edge| is_near(edge.kind) && is_nearer(edge.src));
        if let Some(edge) = incoming {
            let step = PathStep { from: edge.src, to, kind: edge.kind, is_backward: false };
            return Some((edge.src, step));
        }
        let edge = map.edges_out(to).find(|edge| is_near(edge.kind) && is_nearer(edge.dst))?;
        Some((edge.dst, PathStep { from: edge.dst, to, kind: edge.kind, is_backward: true }))
    }
}
