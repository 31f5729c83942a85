//! Helpers: rows to write, and queries to check them.

use base::{ContentHash, EdgeKind, ItemId, Provenance, Tier};
use graftage_store::{
    BlobRow, DiagnosticRow, DocMetaRow, IsgEdgeRow, MapRows, NodeDeclaration, NodeLocation,
    NodeRow, ScriptLimits, Store, StoreDirs,
};
use serde_json::Value;
use tempfile::TempDir;

/// The database and its locks in one folder.
pub(crate) fn places(dir: &std::path::Path) -> StoreDirs {
    StoreDirs { map: dir.to_owned(), locks: dir.to_owned() }
}

pub(crate) fn store() -> (TempDir, Store) {
    let dir = tempfile::tempdir().unwrap();
    let store = open(&dir);
    (dir, store)
}

pub(crate) fn open(dir: &TempDir) -> Store {
    Store::open(&places(dir.path())).unwrap()
}

pub(crate) fn id(number: u32) -> ItemId {
    ItemId::of(&format!("p/p::m::f{number}"), "function", "")
}

pub(crate) fn node(number: u32) -> NodeRow {
    NodeRow {
        id: id(number),
        key: format!("src-m.rs-f{number}"),
        canon: format!("p/p::m::f{number}"),
        location: NodeLocation {
            file_path: "src/m.rs".to_owned(),
            span_start: number * 100,
            span_end: number * 100 + 90,
            line: number * 4 + 1,
            end_line: number * 4 + 3,
        },
        krate: "p/p".to_owned(),
        module_path: "m".to_owned(),
        kind: "function".to_owned(),
        name: format!("f{number}"),
        declaration: NodeDeclaration {
            signature_ts: format!("pub fn f{number}<T>(a: T)"),
            signature_syn: Some(format!("pub fn f{number}<T>(a: T)")),
            ra_signature: None,
            generics: "<T>".to_owned(),
            vis: "pub".to_owned(),
            resolved_types: None,
            macro_expansion_notes: None,
        },
        isgl_level: 1,
        parse_error_count: 0,
        confidence: 0.8,
        hash: ContentHash::of(&number.to_le_bytes()),
        ra_hydrated_ts: None,
        diag_summary: None,
    }
}

pub(crate) fn edge(src: u32, kind: EdgeKind, dst: u32, weight: u32) -> IsgEdgeRow {
    IsgEdgeRow {
        src: id(src),
        dst: id(dst),
        kind,
        weight: f64::from(weight),
        provenance: Provenance::Syntax,
        tier: Tier::Proven,
        sites: weight,
    }
}

/// `count` functions in a cycle of calls, each with its code, a diagnostic and index data.
pub(crate) fn ring(count: u32) -> MapRows {
    let blob = |number| BlobRow {
        id: id(number),
        code: format!("pub fn f{number}<T>(a: T) {{\n    // \u{fc}ber\n}}\n"),
        tdd_classification: "production".to_owned(),
        recovered: number % 7 == 0,
    };
    let diagnostic = |number| DiagnosticRow {
        id: id(number),
        ordinal: 0,
        severity: "warning".to_owned(),
        code: "unused_variables".to_owned(),
        message: "unused variable: `a`".to_owned(),
        range: (3, 4),
        ts: 17,
    };
    let doc_meta = |number: u32| DocMetaRow {
        id: id(number),
        tracking_hash: ContentHash::of(&number.to_le_bytes()),
        tokenizer_version: 1,
        token_length: 9,
    };
    MapRows {
        nodes: (0..count).map(node).collect(),
        edges: (0..count).map(|it| edge(it, EdgeKind::Calls, (it + 1) % count, 1)).collect(),
        blobs: (0..count).map(blob).collect(),
        embeddings: Vec::new(),
        diagnostics: (0..count).map(diagnostic).collect(),
        doc_meta: (0..count).map(doc_meta).collect(),
    }
}

pub(crate) fn ask(store: &Store, script: &str) -> Vec<Vec<Value>> {
    store.query(script, &ScriptLimits::default()).unwrap().rows
}

/// The single number that the script returns.
pub(crate) fn count(store: &Store, script: &str) -> i64 {
    ask(store, script)[0][0].as_i64().unwrap()
}

/// All rows of all relations.
pub(crate) fn contents(store: &Store) -> Vec<Vec<Vec<Value>>> {
    let relations = ask(store, "::relations");
    let names = relations.iter().filter_map(|row| row[0].as_str());
    let rows = |name: &str| {
        let columns = ask(store, &format!("::columns {name}"));
        let columns: Vec<&str> = columns.iter().filter_map(|row| row[0].as_str()).collect();
        let columns = columns.join(", ");
        ask(store, &format!("?[{columns}] := *{name}{{{columns}}}"))
    };
    names.map(rows).collect()
}

/// The number of rows of the relation.
pub(crate) fn size(store: &Store, relation: &str) -> i64 {
    let column = match relation {
        "isg_edges" => "src_id, dst_id, kind",
        "embeddings" => "id, model",
        "diagnostics" => "id, ordinal",
        _ => "id",
    };
    ask(store, &format!("?[{column}] := *{relation}{{{column}}}")).len() as i64
}
