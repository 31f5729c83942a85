//! Tests of the two-hop search against a direct implementation.

use std::collections::{BTreeMap, BTreeSet};

use base::{EdgeKind, ItemId};
use graftage_store::{GraphStore, MapRows, Reached};
use proptest::prelude::*;

use crate::kit::{edge, id, store};

/// The same search as a direct walk over the heaviest neighbors.
fn oracle(rows: &MapRows, seeds: &[ItemId], kinds: &[EdgeKind], cap: usize) -> Vec<Reached> {
    let mut out: BTreeMap<ItemId, BTreeMap<ItemId, f64>> = BTreeMap::new();
    for edge in rows.edges.iter().filter(|edge| kinds.contains(&edge.kind)) {
        *out.entry(edge.src).or_default().entry(edge.dst).or_default() += edge.weight;
    }
    let step = |from: &BTreeSet<ItemId>| -> BTreeSet<ItemId> {
        let mut to = BTreeSet::new();
        for src in from {
            let mut neighbours: Vec<_> = out.get(src).into_iter().flatten().collect();
            neighbours
                .sort_by(|a, b| b.1.total_cmp(a.1).then(a.0.to_string().cmp(&b.0.to_string())));
            to.extend(neighbours.iter().take(cap).map(|(dst, _)| **dst));
        }
        to
    };
    let seeds: BTreeSet<_> = seeds.iter().copied().collect();
    let near: BTreeSet<_> = &step(&seeds) - &seeds;
    let far: BTreeSet<_> = &(&step(&near) - &near) - &seeds;
    let one = near.iter().map(|id| Reached { steps: 1, id: *id });
    one.chain(far.iter().map(|id| Reached { steps: 2, id: *id })).collect()
}

fn graphs() -> impl Strategy<Value = (MapRows, Vec<ItemId>, Vec<EdgeKind>, usize)> {
    let kind = proptest::sample::select(EdgeKind::ALL.to_vec());
    let edges = proptest::collection::btree_map((0..12_u32, kind, 0..12_u32), 1..4_u32, 0..60);
    let kinds = proptest::sample::subsequence(EdgeKind::ALL.to_vec(), 0..4);
    (edges, proptest::collection::vec(0..14_u32, 0..4), kinds, 0..5_usize).prop_map(
        |(edges, seeds, kinds, cap)| {
            let edges =
                edges.into_iter().map(|((src, kind, dst), weight)| edge(src, kind, dst, weight));
            let rows = MapRows { edges: edges.collect(), ..MapRows::default() };
            (rows, seeds.into_iter().map(id).collect(), kinds, cap)
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn two_steps_in_datalog_equal_a_direct_walk((rows, seeds, kinds, cap) in graphs()) {
        let (_dir, store) = store();
        store.import(&rows, 1).unwrap();
        let reached = store.two_hop(&seeds, &kinds, cap).unwrap();
        prop_assert_eq!(reached, oracle(&rows, &seeds, &kinds, cap));
    }
}
