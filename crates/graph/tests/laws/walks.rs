use base::{EdgeKind, SortedMap, SortedSet, Tier};
use graftage_graph::{Direction, EdgeKinds, HopQuery, MapData, Traversal};
use proptest::prelude::*;

use super::maps::{any_graph, open};

/// Distance to each item by fixpoint iteration: slow, but independent of the implementation.
fn distances(data: &MapData, from: u32, query: &Traversal, backwards: bool) -> SortedMap<u32, u32> {
    let mut known = SortedMap::from([(from, 0)]);
    loop {
        let before = known.clone();
        for edge in &data.edges {
            let (src, dst) = if backwards { (edge.dst, edge.src) } else { (edge.src, edge.dst) };
            let is_followed = query.kinds.contains(edge.kind)
                && (!query.only_proven || edge.tier == Tier::Proven);
            if let Some(steps) = known.get(&src).copied().filter(|_| is_followed) {
                let best = known.entry(dst).or_insert(steps + 1);
                *best = (*best).min(steps + 1);
            }
        }
        if known == before {
            return known;
        }
    }
}

fn any_query() -> impl Strategy<Value = Traversal> {
    (0u8..3, 1u32..5, any::<bool>()).prop_map(|(kinds, depth, only_proven)| Traversal {
        kinds: [EdgeKinds::CALLS, EdgeKinds::IMPACT, EdgeKinds::ALL][usize::from(kinds)],
        depth,
        cap: usize::MAX,
        only_proven,
    })
}

proptest! {
    #[test]
    fn callers_and_callees_are_those_within_the_depth(data in any_graph(), query in any_query()) {
        let map = open(&data);
        for backwards in [false, true] {
            let answer = if backwards { map.callers(0, &query) } else { map.callees(0, &query) };
            let found: SortedMap<u32, u32> =
                answer.items.iter().map(|reached| (reached.item, reached.depth)).collect();
            let mut expected = distances(&data, 0, &query, backwards);
            expected.retain(|_, steps| (1..=query.depth).contains(steps));
            prop_assert_eq!(&found, &expected);
            prop_assert!(answer.is_complete);
            prop_assert_eq!(answer.counts.proven + answer.counts.candidate, answer.edges.len());
            prop_assert!(answer.items.is_sorted());
            prop_assert!(answer.edges.is_sorted_by_key(|edge| edge.number));
        }
    }

    #[test]
    fn a_walk_and_the_edges_among_its_seeds_have_each_edge_to_a_seed(
        data in any_graph(), query in any_query(), seeds in prop::collection::vec(0u32..6, 1..4)
    ) {
        let map = open(&data);
        let query = Traversal { depth: 1, ..query };
        let mut found = map.walk(&seeds, Direction::In, &query, &|_, _| true).edges;
        let among = map.edges_among(&seeds, &query);
        prop_assert!(among.iter().all(|edge| seeds.contains(&edge.src) && edge.src != edge.dst));
        found.extend(among);
        let mut numbers: Vec<u32> = found.iter().map(|edge| edge.number).collect();
        numbers.sort_unstable();
        let is_followed = |edge: &graftage_graph::EdgeView| {
            let is_sure = !query.only_proven || edge.tier == Tier::Proven;
            seeds.contains(&edge.dst) && query.kinds.contains(edge.kind) && is_sure
        };
        let expected: Vec<u32> =
            map.edges().filter(|edge| is_followed(edge)).map(|edge| edge.number).collect();
        prop_assert_eq!(numbers, expected);
    }

    #[test]
    fn a_cap_is_never_exceeded_and_always_reported(
        data in any_graph(), query in any_query(), cap in 0usize..5
    ) {
        let map = open(&data);
        let whole = map.callees(0, &query);
        let capped = map.callees(0, &Traversal { cap, ..query });
        prop_assert!(capped.items.len() <= cap);
        prop_assert_eq!(capped.is_complete, whole.items.len() <= cap);
    }

    #[test]
    fn a_path_is_shortest_and_connected(data in any_graph(), query in any_query()) {
        let map = open(&data);
        let query = Traversal { depth: u32::MAX, ..query };
        let expected = distances(&data, 0, &query, false);
        for to in 0..data.items.len() as u32 {
            let path = map.path(0, to, &query);
            prop_assert_eq!(
                path.as_ref().map(|path| path.edges.len() as u32),
                expected.get(&to).copied()
            );
            let Some(path) = path else { continue };
            prop_assert_eq!(path.items.first(), Some(&0));
            prop_assert_eq!(path.items.last(), Some(&to));
            for (edge, pair) in path.edges.iter().zip(path.items.windows(2)) {
                prop_assert_eq!([edge.src, edge.dst], [pair[0], pair[1]]);
            }
        }
    }

    #[test]
    fn hops_take_the_heaviest_first(
        data in any_graph(), query in any_query(), cap in 0usize..6, way in 0u8..3
    ) {
        let map = open(&data);
        let direction = [Direction::Out, Direction::In, Direction::Both][usize::from(way)];
        let hops = HopQuery { query: Traversal { cap, ..query }, direction };
        let found: Vec<(u32, u32)> =
            map.hops(&[0], &hops).iter().map(|reached| (reached.depth, reached.item)).collect();
        prop_assert_eq!(found, naive_hops(&data, &hops));
    }

    #[test]
    fn impact_contains_every_transitive_caller(data in any_graph()) {
        let map = open(&data);
        let impact = map.impact(&[0], &Traversal::IMPACT);
        let reached: SortedSet<u32> = impact
            .answer.items.iter().map(|reached| reached.item)
            .chain([0])
            .collect();
        let kinds = EdgeKinds::of(&[EdgeKind::Calls, EdgeKind::Uses]);
        for caller in distances(&data, 0, &Traversal { kinds, ..Traversal::IMPACT }, true).keys() {
            prop_assert!(reached.contains(caller));
        }
        for test in &impact.tests {
            prop_assert!(reached.contains(test));
        }
    }
}

fn naive_hops(data: &MapData, hops: &HopQuery) -> Vec<(u32, u32)> {
    type Heaviest = std::cmp::Reverse<u64>;
    let best_of = |item: u32| {
        let mut weights: SortedMap<u32, u64> = SortedMap::new();
        for edge in &data.edges {
            let is_followed = hops.query.kinds.contains(edge.kind)
                && (!hops.query.only_proven || edge.tier == Tier::Proven)
                && edge.src != edge.dst;
            let ends = match hops.direction {
                Direction::Out => vec![(edge.src, edge.dst)],
                Direction::In => vec![(edge.dst, edge.src)],
                Direction::Both => vec![(edge.src, edge.dst), (edge.dst, edge.src)],
            };
            for (_, to) in ends.iter().filter(|(from, _)| is_followed && *from == item) {
                *weights.entry(*to).or_default() += u64::from(edge.weight);
            }
        }
        let mut order: Vec<(Heaviest, u32)> =
            weights.into_iter().map(|(other, weight)| (std::cmp::Reverse(weight), other)).collect();
        order.sort_unstable();
        order.truncate(hops.query.cap);
        order
    };
    let mut all = Vec::new();
    let mut seen = SortedSet::from([0]);
    let mut frontier = vec![0];
    for depth in 1..=hops.query.depth {
        let mut sums: SortedMap<u32, u64> = SortedMap::new();
        for (weight, other) in frontier.iter().flat_map(|item| best_of(*item)) {
            *sums.entry(other).or_default() += weight.0;
        }
        sums.retain(|other, _| !seen.contains(other));
        let mut order: Vec<(Heaviest, u32)> =
            sums.into_iter().map(|(other, weight)| (std::cmp::Reverse(weight), other)).collect();
        order.sort_unstable();
        frontier = order.into_iter().map(|(_, item)| item).collect();
        seen.extend(frontier.iter().copied());
        all.extend(frontier.iter().map(|item| (depth, *item)));
    }
    all
}
