//! Properties of imports and updates.

use std::collections::{BTreeMap, BTreeSet};

use base::{EdgeKind, ItemId};
use graftage_store::{BlobRow, DiagnosticRow, GraphStore, IsgEdgeRow, MapChange, MapRows, NodeRow};
use proptest::collection::{btree_map, btree_set};
use proptest::prelude::*;

use crate::kit::{contents, edge, id, node, store};

/// A node with all its rows.
#[derive(Clone, Debug, PartialEq)]
struct Part {
    node: NodeRow,
    blob: Option<BlobRow>,
    diagnostics: Vec<DiagnosticRow>,
    edges: Vec<IsgEdgeRow>,
}

type State = BTreeMap<ItemId, Part>;

fn states() -> impl Strategy<Value = State> {
    let part = (any::<u16>(), proptest::option::of(any::<String>()), 0..3_u32, any::<String>());
    let nodes = btree_map(0..9_u32, part, 0..9);
    let kind = proptest::sample::select(EdgeKind::ALL.to_vec());
    let edges = btree_set((0..9_u32, kind, 0..9_u32, 1..3_u32), 0..30);
    (nodes, edges).prop_map(|(nodes, edges)| {
        let mut state = State::new();
        for (number, (line, code, diagnostics, message)) in &nodes {
            let blob = code.as_ref().map(|code| BlobRow {
                id: id(*number),
                code: code.clone(),
                tdd_classification: "test".to_owned(),
                recovered: false,
            });
            let diagnostic = |ordinal| DiagnosticRow {
                id: id(*number),
                ordinal,
                severity: "error".to_owned(),
                code: String::new(),
                message: message.clone(),
                range: (0, 1),
                ts: 1,
            };
            let mut node = NodeRow { name: message.clone(), ..node(*number) };
            node.location.line = u32::from(*line);
            let diagnostics = (0..*diagnostics).map(diagnostic).collect();
            state.insert(id(*number), Part { node, blob, diagnostics, edges: Vec::new() });
        }
        let mut seen = BTreeSet::new();
        for (src, kind, dst, weight) in edges {
            if nodes.contains_key(&dst)
                && let Some(part) = state.get_mut(&id(src))
                && seen.insert((src, kind, dst))
            {
                part.edges.push(edge(src, kind, dst, weight));
            }
        }
        state
    })
}

fn rows<'a>(parts: impl Iterator<Item = &'a Part>) -> MapRows {
    let mut rows = MapRows::default();
    for part in parts {
        rows.nodes.push(part.node.clone());
        rows.blobs.extend(part.blob.clone());
        rows.diagnostics.extend(part.diagnostics.clone());
        rows.edges.extend(part.edges.clone());
    }
    rows
}

/// The change from one state to the other.
fn change(from: &State, to: &State) -> MapChange {
    let mut change = MapChange::default();
    change.removed.extend(from.keys().filter(|id| !to.contains_key(id)));
    for (id, part) in to {
        let Some(former) = from.get(id) else { continue };
        // A node that loses its code is removed and added again.
        if former.blob.is_some() && part.blob.is_none() {
            change.removed.push(*id);
        } else if former != part {
            change.renewed.push(*id);
        }
    }
    change.rows = rows(to.iter().filter(|(id, part)| from.get(id) != Some(part)).map(|it| it.1));
    change
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn an_update_equals_an_import_of_the_new_state(from in states(), to in states()) {
        let (_one_dir, one) = store();
        one.import(&rows(from.values()), 1).unwrap();
        one.update(&change(&from, &to), 2).unwrap();
        let (_other_dir, other) = store();
        other.import(&rows(to.values()), 2).unwrap();
        prop_assert_eq!(contents(&one), contents(&other));
        prop_assert_eq!(one.troubles(), []);
    }

    #[test]
    fn the_same_rows_give_the_same_bytes(state in states()) {
        let bytes = |reverse: bool| {
            let (dir, store) = store();
            let mut rows = rows(state.values());
            if reverse {
                rows.nodes.reverse();
                rows.edges.reverse();
            }
            store.import(&rows, 1).unwrap();
            std::fs::read(dir.path().join("map.db")).unwrap()
        };
        prop_assert_eq!(bytes(false), bytes(true));
    }
}
