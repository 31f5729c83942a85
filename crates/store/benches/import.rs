//! Measures the cost of rows: `cargo bench -p graftage-store --features datalog --bench import --
//! [NODES]`.
//!
//! Prints, in CPU time of the thread, for a map like those of real workspaces (4 edges per node,
//! code of 40 to 4,000 bytes): time per row of import and of small updates, bytes per row, and
//! queries. With `kills N`: how often a killed process left a map in an invalid state.

#![allow(clippy::print_stdout, reason = "a bench prints its figures")]

use std::time::Duration;

use base::{ContentHash, EdgeKind, ItemId, Provenance, Tier};
use graftage_store::{
    BlobRow, DocMetaRow, GraphStore, IsgEdgeRow, MapChange, MapRows, NodeDeclaration, NodeLocation,
    NodeRow, ScriptLimits, Store, StoreDirs,
};

#[path = "import/kills.rs"]
mod kills;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with("--")).collect();
    match args.first().map(String::as_str) {
        Some("kills") => {
            kills::kills(args.get(1).and_then(|count| count.parse().ok()).unwrap_or(200));
        }
        Some("writer") => kills::writer(&args[1..]),
        first => costs(first.and_then(|count| count.parse().ok()).unwrap_or(20_000)),
    }
}

fn costs(count: u32) {
    let rows = rows(count);
    let number = rows.nodes.len() + rows.edges.len() + rows.blobs.len() + rows.doc_meta.len();
    let source: usize = rows.blobs.iter().map(|blob| blob.code.len()).sum();
    let dir = tempfile::tempdir().expect("a temporary folder");
    let places = places(dir.path());
    let store = Store::open(&places).expect("a store");
    println!("{number} rows: {count} nodes, {} edges; {source} bytes of code", rows.edges.len());

    let spent = timed(|| store.import(&rows, 1).expect("import"));
    println!(
        "import        {:>9.2} us a row, {:.2} s",
        micros(spent) / number as f64,
        spent.as_secs_f64()
    );
    let bytes = std::fs::metadata(dir.path().join("map.db")).expect("the map").len();
    println!(
        "on disk       {:>9.1} bytes a row, {bytes} bytes, {:.2} x the code",
        bytes as f64 / number as f64,
        bytes as f64 / source as f64
    );
    each_relation(&rows);

    let fresh = Store::open(&places).expect("a store");
    println!("first look    {:>9.0} us", micros(timed(|| fresh.epoch().expect("epoch"))));
    println!("second look   {:>9.0} us", micros(timed(|| fresh.epoch().expect("epoch"))));

    // One changed file: twenty nodes with their edges and code.
    let mut updates = Vec::new();
    for number in 0..20 {
        let part = part(&rows, number * 20, 20);
        let renewed = part.nodes.iter().map(|node| node.id).collect();
        let change = MapChange { rows: part, renewed, ..MapChange::default() };
        updates.push(timed(|| store.update(&change, 2 + u64::from(number)).expect("update")));
    }
    println!("update of 140 {:>9.0} us p50 of a file's rows", p50(&mut updates));

    // The same rows updated in place instead of in a new file.
    let whole = MapRows {
        nodes: rows.nodes.clone(),
        edges: rows.edges.clone(),
        blobs: rows.blobs.clone(),
        doc_meta: rows.doc_meta.clone(),
        ..MapRows::default()
    };
    let change = MapChange { rows: whole, ..MapChange::default() };
    let spent = timed(|| store.update(&change, 100).expect("update"));
    println!("all in place  {:>9.2} us a row", micros(spent) / number as f64);

    let mut asks = Vec::new();
    for number in 0..100 {
        let script =
            format!("?[name, kind] := *isg_nodes{{id: to_uuid('{}'), name, kind}}", id(number));
        asks.push(waited(|| store.query(&script, &ScriptLimits::default()).expect("a row")));
    }
    println!("one node      {:>9.0} us p50 by `query`, waited", p50(&mut asks));
    let scan = "?[kind, count(id)] := *isg_nodes{id, kind}";
    println!(
        "scan of nodes {:>9.0} us, waited",
        micros(waited(|| store.query(scan, &ScriptLimits::default()).expect("rows")))
    );
}

/// The database and its locks in one folder.
fn places(dir: &std::path::Path) -> StoreDirs {
    StoreDirs { map: dir.to_owned(), locks: dir.to_owned() }
}

/// Measures each relation alone.
fn each_relation(rows: &MapRows) {
    let none = MapRows::default;
    let parts = [
        ("isg_nodes", rows.nodes.len(), MapRows { nodes: rows.nodes.clone(), ..none() }),
        ("isg_edges", rows.edges.len(), MapRows { edges: rows.edges.clone(), ..none() }),
        ("code_blobs", rows.blobs.len(), MapRows { blobs: rows.blobs.clone(), ..none() }),
        (
            "bm25_doc_meta",
            rows.doc_meta.len(),
            MapRows { doc_meta: rows.doc_meta.clone(), ..none() },
        ),
    ];
    for (name, number, part) in parts {
        let dir = tempfile::tempdir().expect("a temporary folder");
        let store = Store::open(&places(dir.path())).expect("a store");
        let spent = timed(|| store.import(&part, 1).expect("import"));
        let bytes = std::fs::metadata(dir.path().join("map.db")).expect("the map").len();
        println!(
            "  {name:<14}{:>7.2} us a row, {:>7.1} bytes a row",
            micros(spent) / number as f64,
            bytes as f64 / number as f64
        );
    }
}

fn rows(count: u32) -> MapRows {
    let mut rows = MapRows::default();
    let mut chance = 12345_u32;
    let mut draw = |below: u32| {
        chance = chance.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (chance >> 8) % below
    };
    for number in 0..count {
        rows.nodes.push(node(number));
        for _ in 0..4 {
            let kind = [EdgeKind::Calls, EdgeKind::Uses, EdgeKind::Contains][draw(3) as usize];
            rows.edges.push(IsgEdgeRow {
                src: id(number),
                dst: id(draw(count)),
                kind,
                weight: 1.0,
                provenance: Provenance::Syntax,
                tier: Tier::Proven,
                sites: 1,
            });
        }
        // Many short texts, few long ones.
        let length = 40 + (4_000 / (1 + draw(40))) as usize;
        rows.blobs.push(BlobRow {
            id: id(number),
            code: "let value = compute(input, 17)?;\n".repeat(length / 33 + 1),
            tdd_classification: "production".to_owned(),
            recovered: false,
        });
        rows.doc_meta.push(DocMetaRow {
            id: id(number),
            tracking_hash: ContentHash::of(&number.to_le_bytes()),
            tokenizer_version: 1,
            token_length: 40,
        });
    }
    rows.edges.sort_by_key(IsgEdgeRow::key);
    rows.edges.dedup_by_key(|edge| edge.key());
    rows
}

/// The rows of `count` nodes.
fn part(rows: &MapRows, from: u32, count: u32) -> MapRows {
    let ids: Vec<_> = (from..from + count).map(id).collect();
    MapRows {
        nodes: rows.nodes.iter().filter(|it| ids.contains(&it.id)).cloned().collect(),
        edges: rows.edges.iter().filter(|it| ids.contains(&it.src)).cloned().collect(),
        blobs: rows.blobs.iter().filter(|it| ids.contains(&it.id)).cloned().collect(),
        doc_meta: rows.doc_meta.iter().filter(|it| ids.contains(&it.id)).cloned().collect(),
        ..MapRows::default()
    }
}

fn id(number: u32) -> ItemId {
    ItemId::of(&format!("package/package::module::function_{number}"), "function", "")
}

fn node(number: u32) -> NodeRow {
    let signature =
        format!("pub fn function_{number}(&self, input: &Input) -> Result<Output, Error>");
    NodeRow {
        id: id(number),
        key: format!("crates/package/src-module.rs-Type::function_{number}"),
        canon: format!("package/package::module::Type::function_{number}"),
        location: NodeLocation {
            file_path: "crates/package/src/module.rs".to_owned(),
            span_start: number * 300,
            span_end: number * 300 + 280,
            line: number * 9,
            end_line: number * 9 + 8,
        },
        krate: "package/package".to_owned(),
        module_path: "module".to_owned(),
        kind: "function".to_owned(),
        name: format!("function_{number}"),
        declaration: NodeDeclaration {
            signature_syn: Some(signature.clone()),
            signature_ts: signature,
            ra_signature: None,
            generics: String::new(),
            vis: "pub".to_owned(),
            resolved_types: None,
            macro_expansion_notes: None,
        },
        isgl_level: 2,
        parse_error_count: 0,
        confidence: 0.8,
        hash: ContentHash::of(&number.to_be_bytes()),
        ra_hydrated_ts: None,
        diag_summary: None,
    }
}

/// CPU time of `work` on this thread, independent of the load of the machine.
fn timed<T>(work: impl FnOnce() -> T) -> Duration {
    let start = on_cpu();
    std::hint::black_box(work());
    on_cpu().saturating_sub(start)
}

/// Elapsed time; queries run on their own thread.
fn waited<T>(work: impl FnOnce() -> T) -> Duration {
    let start = std::time::Instant::now();
    std::hint::black_box(work());
    start.elapsed()
}

fn on_cpu() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").expect("schedstat");
    let nanos = text.split(' ').next().and_then(|text| text.parse().ok());
    Duration::from_nanos(nanos.expect("a number"))
}

fn micros(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1e6
}

fn p50(durations: &mut [Duration]) -> f64 {
    durations.sort_unstable();
    micros(durations[durations.len() / 2])
}
