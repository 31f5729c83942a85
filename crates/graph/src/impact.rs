//! [`Map::impact`]: the items and tests that a change may affect.
use std::collections::BTreeSet;

use base::{EdgeKind, ItemKind};

use crate::item::ItemView;
use crate::map::Map;
use crate::query::{Direction, ReachedItem, Traversal, TraversalResult};

/// The result of [`Map::impact`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Impact {
    /// Items reached, without the changed ones, nearest first, and the edges that led to them.
    pub answer: TraversalResult,
    /// Numbers of the tests among reached and changed items, sorted.
    pub tests: Vec<u32>,
}

impl Map {
    /// The items that a change of exactly these items may affect ([`Map::with_members`] adds their
    /// members): follows calls, uses and implementations backwards. A call through a trait has an
    /// edge to the trait's method, so a change of an impl's method also affects the callers of the
    /// trait method that it implements.
    pub fn impact(&self, changed: &[u32], query: &Traversal) -> Impact {
        let count = self.item_count();
        let seeds: Vec<u32> = changed.iter().copied().filter(|item| *item < count).collect();
        let mut answer = self.closure(&self.with_declared(&seeds), Direction::In, query);
        // A trait method that is called in place of a changed one is a reached item, not a seed.
        let seed_set: BTreeSet<u32> = seeds.iter().copied().collect();
        let declared =
            self.with_declared(&seeds).into_iter().filter(|item| !seed_set.contains(item));
        let mut trait_methods: Vec<ReachedItem> = Vec::new();
        for item in declared {
            trait_methods.push(ReachedItem { depth: 1, item });
            let implementations = self
                .edges_in(item)
                .filter(|edge| edge.kind == EdgeKind::Implements && seed_set.contains(&edge.src));
            answer.edges.extend(implementations);
        }
        answer.items.extend(trait_methods);
        answer.items.sort_unstable();
        answer.items.dedup_by_key(|reached| reached.item);
        answer.edges.sort_by_key(|edge| edge.number);
        answer.edges.dedup_by_key(|edge| edge.number);
        let reached = answer.items.iter().map(|reached| reached.item);
        let all: BTreeSet<u32> = seeds.iter().copied().chain(reached).collect();
        answer.counts = crate::query::counts(&answer.edges);
        answer.counts.unresolved = self.unresolved_named_like(&all);
        let is_test = |number: &u32| {
            self.item(*number).is_some_and(|item| {
                item.flags.is_test && matches!(item.kind, ItemKind::Function | ItemKind::Method)
            })
        };
        let tests = all.iter().copied().filter(is_test).collect();
        Impact { answer, tests }
    }

    /// The traits from outside the workspace that methods among these items implement, as the impls name
    /// them, sorted. Code outside the workspace calls the methods through them (operators, formatting,
    /// generic functions); such a call has no edge.
    pub fn outside_traits(&self, items: impl IntoIterator<Item = u32>) -> Vec<String> {
        let of_method = |item: ItemView<'_>| {
            let is_declared = |(_, kind)| kind == EdgeKind::Implements;
            if item.kind != ItemKind::Method || self.links_out(item.number).any(is_declared) {
                return None;
            }
            let header = self.item(item.parent?).filter(|it| it.kind == ItemKind::Impl)?;
            Some(header.name().split_once(" for ")?.0.to_owned())
        };
        let items = items.into_iter().filter_map(|number| self.item(number));
        let traits: BTreeSet<String> = items.filter_map(of_method).collect();
        traits.into_iter().collect()
    }

    /// The items and everything they contain: the members of an impl, trait or module.
    pub fn with_members(&self, items: &[u32]) -> Vec<u32> {
        let query = Traversal {
            kinds: crate::EdgeKinds::of(&[EdgeKind::Contains]),
            depth: u32::MAX,
            cap: usize::MAX,
            only_proven: false,
        };
        let members = self.closure(items, Direction::Out, &query).items;
        let count = self.item_count();
        let all: BTreeSet<u32> =
            items.iter().copied().chain(members.iter().map(|reached| reached.item)).collect();
        all.into_iter().filter(|item| *item < count).collect()
    }

    /// The items and, for methods, the trait methods of the workspace that they implement.
    fn with_declared(&self, items: &[u32]) -> Vec<u32> {
        let is_method =
            |number: u32| self.item(number).is_some_and(|item| item.kind == ItemKind::Method);
        let mut all: BTreeSet<u32> = items.iter().copied().collect();
        for item in items.iter().copied().filter(|item| is_method(*item)) {
            let declared = self
                .edges_out(item)
                .filter(|edge| edge.kind == EdgeKind::Implements && is_method(edge.dst));
            all.extend(declared.map(|edge| edge.dst));
        }
        all.into_iter().collect()
    }
}
