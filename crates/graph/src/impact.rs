use std::collections::BTreeSet;

use base::EdgeKind;

use crate::data::ItemKind;
use crate::map::Map;
use crate::query::{Answer, Direction, Query, Reached};

/// What a change of some items may reach.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Impact {
    /// What was reached besides what was asked for, nearest first, with the edges that led there.
    pub answer: Answer,
    /// The tests among all of them, seeds included, by number.
    pub tests: Vec<u32>,
}

impl Map {
    /// What a change of exactly these items may reach ([`Map::with_members`] adds what they hold):
    /// against calls, uses and implementations, step by step. A call through a trait goes to the trait's method, so what changes in a method of an
    /// impl reaches the callers of the method that it implements.
    pub fn impact(&self, changed: &[u32], query: &Query) -> Impact {
        let count = self.item_count();
        let seeds: Vec<u32> = changed.iter().copied().filter(|item| *item < count).collect();
        let mut answer = self.closure(&self.with_declared(&seeds), Direction::In, query);
        // A method that is called through its trait stands between; it is no seed of the caller's.
        let own: BTreeSet<u32> = seeds.iter().copied().collect();
        let declared = self.with_declared(&seeds).into_iter().filter(|item| !own.contains(item));
        let mut between: Vec<Reached> = Vec::new();
        for item in declared {
            between.push(Reached { depth: 1, item });
            let ways = self
                .edges_in(item)
                .filter(|edge| edge.kind == EdgeKind::Implements && own.contains(&edge.src));
            answer.edges.extend(ways);
        }
        answer.items.extend(between);
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

    /// The items with all that they hold: of an impl, trait or module its members.
    pub fn with_members(&self, items: &[u32]) -> Vec<u32> {
        let query = Query {
            kinds: crate::EdgeKinds::of(&[EdgeKind::Contains]),
            depth: u32::MAX,
            cap: usize::MAX,
            only_proven: false,
        };
        let held = self.closure(items, Direction::Out, &query).items;
        let count = self.item_count();
        let all: BTreeSet<u32> =
            items.iter().copied().chain(held.iter().map(|reached| reached.item)).collect();
        all.into_iter().filter(|item| *item < count).collect()
    }

    /// The methods with those of the workspace's traits that they implement.
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
