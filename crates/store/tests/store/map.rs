//! Tests of the map's relations.

use base::{EdgeKind, Hint};
use graftage_store::{EmbeddingRow, GraphStore, MapChange, MapRows, ScriptLimits, StoreError};
use serde_json::json;

use crate::kit::{ask, count, edge, id, node, open, ring, size, store};

#[test]
fn imported_rows_are_returned_under_the_specified_names() {
    let (_dir, store) = store();
    assert_eq!(store.epoch().unwrap(), None);
    let mut rows = ring(40);
    rows.embeddings =
        vec![EmbeddingRow { id: id(3), model: "m".to_owned(), vec: vec![0.5, -1.0, 2.0] }];
    store.import(&rows, 7).unwrap();
    assert_eq!(store.epoch().unwrap(), Some(7));
    for relation in ["isg_nodes", "isg_edges", "code_blobs", "diagnostics", "bm25_doc_meta"] {
        assert_eq!(size(&store, relation), 40, "{relation}");
    }
    let script = format!(
        "?[id, key, file_path, crate, module_path, kind, name, signature_ts, signature_syn,
           ra_signature, generics, vis, isgl_level, parse_error_count, confidence, span_start,
           span_end, hash, ra_hydrated_ts, resolved_types, macro_expansion_notes, diag_summary] :=
           *isg_nodes{{id, key, file_path, crate, module_path, kind, name, signature_ts,
           signature_syn, ra_signature, generics, vis, isgl_level, parse_error_count, confidence,
           span_start, span_end, hash, ra_hydrated_ts, resolved_types, macro_expansion_notes,
           diag_summary}}, id == to_uuid('{}')",
        id(3)
    );
    let row = &ask(&store, &script)[0];
    assert_eq!(row[0], json!(id(3).to_string()));
    assert_eq!(row[1], json!("src-m.rs-f3"));
    assert_eq!(row[9], json!(null));
    assert_eq!(row[14], json!(0.8));
    assert_eq!(row[17], json!(node(3).hash.to_string()));
    let edges = "?[name, weight, provenance, tier, sites] :=
        *isg_nodes{id: src, name: 'f3'}, *isg_nodes{id: dst, name},
        *isg_edges{src_id: src, dst_id: dst, kind: 'CALLS', weight, provenance, tier, sites}";
    assert_eq!(
        ask(&store, edges),
        [[json!("f4"), json!(1.0), json!("syntax"), json!("proven"), json!(1)]]
    );
    let blob = "?[code, tdd_classification, recovered] :=
        *isg_nodes{id, name: 'f7'}, *code_blobs{id, code, tdd_classification, recovered}";
    assert_eq!(ask(&store, blob)[0][0], json!(rows.blobs[7].code));
    assert_eq!(ask(&store, blob)[0][2], json!(true));
    assert_eq!(
        ask(&store, "?[model, dim, vec] := *embeddings{model, dim, vec}"),
        [[json!("m"), json!(3), json!([0.5, -1.0, 2.0])]]
    );
    let diagnostic = "?[code, message, range, ts] :=
        *isg_nodes{id, name: 'f1'}, *diagnostics{id, code, message, range, ts}";
    assert_eq!(ask(&store, diagnostic)[0][2], json!([3, 4]));
    assert_eq!(store.troubles(), []);
}

#[test]
fn a_second_import_leaves_nothing_of_the_first() {
    let (dir, store) = store();
    store.import(&ring(50), 1).unwrap();
    store.import(&ring(10), 2).unwrap();
    assert_eq!(size(&store, "isg_nodes"), 10);
    assert_eq!(size(&store, "isg_edges"), 10);
    assert_eq!(open(&dir).epoch().unwrap(), Some(2));
}

#[test]
fn an_open_store_sees_imports_and_updates_of_another_one() {
    let (dir, one) = store();
    one.import(&ring(5), 1).unwrap();
    assert_eq!(size(&one, "isg_nodes"), 5);
    let other = open(&dir);
    other.import(&ring(8), 2).unwrap();
    assert_eq!(one.epoch().unwrap(), Some(2));
    assert_eq!(size(&one, "isg_nodes"), 8);
    let rows = MapRows { nodes: vec![node(100)], ..MapRows::default() };
    other.update(&MapChange { rows, ..MapChange::default() }, 3).unwrap();
    assert_eq!(one.epoch().unwrap(), Some(3));
    assert_eq!(size(&one, "isg_nodes"), 9);
}

#[test]
fn removing_a_node_removes_its_rows_and_renewing_it_its_edges() {
    let (_dir, store) = store();
    let mut rows = ring(20);
    rows.embeddings = (0..20)
        .map(|it| EmbeddingRow { id: id(it), model: "m".to_owned(), vec: vec![1.0; 4] })
        .collect();
    store.import(&rows, 1).unwrap();
    // 4 is removed; 3 now calls 9 instead; 12 was only parsed again.
    let change = MapChange {
        rows: MapRows {
            nodes: vec![node(3), node(12)],
            edges: vec![edge(3, EdgeKind::Calls, 9, 2), edge(12, EdgeKind::Calls, 13, 5)],
            ..MapRows::default()
        },
        from: None,
        removed: vec![id(4)],
        renewed: vec![id(3), id(12)],
        removed_edges: vec![],
    };
    store.update(&change, 2).unwrap();
    assert_eq!(store.epoch().unwrap(), Some(2));
    for relation in ["isg_nodes", "isg_edges", "code_blobs", "embeddings", "bm25_doc_meta"] {
        assert_eq!(size(&store, relation), 19, "{relation}");
    }
    assert_eq!(size(&store, "diagnostics"), 17);
    let dangling = format!(
        "?[src_id, dst_id] := *isg_edges{{src_id, dst_id}}, gone = to_uuid('{}'),
         or(src_id == gone, dst_id == gone)",
        id(4)
    );
    assert_eq!(ask(&store, &dangling).len(), 0);
    let weights = "?[weight] := *isg_nodes{id, name: 'f12'}, *isg_edges{src_id: id, weight}";
    assert_eq!(ask(&store, weights), [[json!(5.0)]]);
}

#[test]
fn an_update_needs_a_map_and_vectors_of_one_length() {
    let (_dir, store) = store();
    let err = store.update(&MapChange::default(), 2).unwrap_err();
    assert!(matches!(err, StoreError::NoMap));
    assert_eq!(err.hint().unwrap(), "run `graftage index`");
    let vector =
        |number, len| EmbeddingRow { id: id(number), model: "m".to_owned(), vec: vec![0.0; len] };
    let mut rows = ring(2);
    rows.embeddings = vec![vector(0, 4), vector(1, 5)];
    assert!(matches!(store.import(&rows, 1), Err(StoreError::Rows { relation: "embeddings", .. })));
    assert_eq!(store.epoch().unwrap(), None);
    rows.embeddings = vec![vector(0, 4)];
    store.import(&rows, 1).unwrap();
    let rows = MapRows { embeddings: vec![vector(1, 5)], ..MapRows::default() };
    let change = MapChange { rows, ..MapChange::default() };
    assert!(matches!(store.update(&change, 2), Err(StoreError::Rows { .. })));
    assert_eq!(store.epoch().unwrap(), Some(1));
}

#[test]
fn two_rows_of_one_key_are_refused_and_nothing_is_written() {
    let (_dir, store) = store();
    let mut rows = ring(3);
    rows.nodes.push(node(1));
    assert!(matches!(store.import(&rows, 1), Err(StoreError::Rows { relation: "isg_nodes", .. })));
    assert_eq!(store.epoch().unwrap(), None);
}

#[test]
fn without_a_map_the_relations_are_empty() {
    let (_dir, store) = store();
    assert_eq!(size(&store, "isg_nodes"), 0);
    assert_eq!(count(&store, "?[count(id)] := *diagnostics{id}"), 0);
    assert_eq!(ask(&store, "::relations").len(), 16);
}

#[test]
fn a_vector_index_is_created_on_request_and_dropped_by_changes() {
    let (_dir, store) = store();
    assert!(matches!(store.index_vectors(), Err(StoreError::NoMap)));
    let vector = |number: u32| EmbeddingRow {
        id: id(number),
        model: "m".to_owned(),
        vec: (0..4)
            .map(|at| f32::from(u8::from(number % 4 == at)) + number as f32 / 100.0)
            .collect(),
    };
    let mut rows = ring(20);
    rows.embeddings = (0..20).map(vector).collect();
    store.import(&rows, 1).unwrap();
    let nearest = "?[name, d] := ~embeddings:near{id | query: vec([0, 0, 1, 0]), k: 1, ef: 20,
        bind_distance: d}, *isg_nodes{id, name}";
    assert!(store.query(nearest, &ScriptLimits::default()).is_err());
    assert_eq!(store.index_vectors().unwrap(), 20);
    assert_eq!(ask(&store, nearest)[0][0], json!("f2"));
    let change = MapChange {
        rows: MapRows {
            nodes: vec![node(50)],
            embeddings: vec![EmbeddingRow { vec: vec![0.0, 0.0, 5.0, 0.0], ..vector(50) }],
            ..MapRows::default()
        },
        removed: vec![id(2)],
        ..MapChange::default()
    };
    store.update(&change, 2).unwrap();
    assert!(store.query(nearest, &ScriptLimits::default()).is_err());
    assert_eq!(store.index_vectors().unwrap(), 20);
    assert_eq!(ask(&store, nearest)[0][0], json!("f50"));
    let change = MapChange { removed: vec![id(50)], ..MapChange::default() };
    store.update(&change, 3).unwrap();
    assert_eq!(store.index_vectors().unwrap(), 19);
    assert_eq!(ask(&store, nearest)[0][0], json!("f6"));
    store.import(&rows, 4).unwrap();
    assert!(store.query(nearest, &ScriptLimits::default()).is_err());
}

#[test]
fn a_change_for_another_state_is_refused() {
    let (_dir, store) = store();
    store.import(&ring(3), 5).unwrap();
    let change = |from| MapChange {
        from: Some(from),
        rows: MapRows { nodes: vec![node(9)], ..MapRows::default() },
        ..MapChange::default()
    };
    let err = store.update(&change(4), 6).unwrap_err();
    assert!(matches!(err, StoreError::Stale { found: 5, expected: 4 }), "{err}");
    assert_eq!((store.epoch().unwrap(), size(&store, "isg_nodes")), (Some(5), 3));
    store.update(&change(5), 6).unwrap();
    assert_eq!((store.epoch().unwrap(), size(&store, "isg_nodes")), (Some(6), 4));
}
