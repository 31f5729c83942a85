//! [`Map::impact`]: the items and tests that a change may affect.

use base::{EdgeKind, ItemKind, SortedSet};

use crate::edge::EdgeView;
use crate::item::ItemView;
use crate::map::Map;
use crate::query::{Direction, Traversal, TraversalResult};

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
    /// members): follows calls, uses and implementations backwards. A call through a trait has an edge to
    /// the trait's method; so wherever the way comes to a method of an impl, it continues with the trait's
    /// method that it implements and to those who call that, but not to the methods of other impls: their
    /// code is as before. Only a changed method of a trait leads to its impls.
    pub fn impact(&self, changed: &[u32], query: &Traversal) -> Impact {
        let count = self.item_count();
        let seeds: SortedSet<u32> = changed.iter().copied().filter(|item| *item < count).collect();
        let is_method =
            |number: u32| self.item(number).is_some_and(|item| item.kind == ItemKind::Method);
        let spreads = |from: u32, edge: &EdgeView| match (edge.kind, edge.dst == from) {
            (EdgeKind::Implements, true) => seeds.contains(&from) || !is_method(from),
            (EdgeKind::Implements, false) => is_method(from) && is_method(edge.dst),
            (_, is_backwards) => is_backwards,
        };
        let from: Vec<u32> = seeds.iter().copied().collect();
        let mut answer = self.walk(&from, Direction::Both, query, &spreads);
        let reached = answer.items.iter().map(|reached| reached.item);
        let all: SortedSet<u32> = seeds.iter().copied().chain(reached).collect();
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
        let traits: SortedSet<String> = items.filter_map(of_method).collect();
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
        let all: SortedSet<u32> =
            items.iter().copied().chain(members.iter().map(|reached| reached.item)).collect();
        all.into_iter().filter(|item| *item < count).collect()
    }
}
