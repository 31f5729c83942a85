use base::Ctx;
use graph::ItemKind;
use serde::Serialize;
use store::{BlobRow, DiagnosticRow, EdgeRow, GraphStore, Limits, MapRows, NodeRow, Places, Store};

use super::Fresh;
use crate::{Error, Workspace};

/// What a script answered.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct QueryAnswer {
    /// The names of the columns.
    pub headers: Vec<String>,
    /// The rows.
    pub rows: Vec<Vec<serde_json::Value>>,
    /// What was found damaged and mended on the way.
    pub notes: Vec<String>,
}

/// Answers a read-only Datalog script over the map's relations, brought up to date before.
pub fn query(ctx: &Ctx, workspace: &Workspace, script: &str) -> Result<QueryAnswer, Error> {
    // A build without the engine says so before anything is indexed.
    let fresh = match Store::open(&places(ctx, workspace)?) {
        Ok(store) => {
            drop(store);
            Fresh::open(ctx, workspace)?
        }
        Err(error) => return Err(error.into()),
    };
    let store = bring_up(ctx, &fresh)?;
    let notes = store.troubles().iter().map(ToString::to_string).collect();
    ctx.progress("asking", "");
    let rows = store.query(script, &Limits::default())?;
    Ok(QueryAnswer { headers: rows.headers, rows: rows.rows, notes })
}

/// The databases: the map's beside the index, the records where they last.
fn places(ctx: &Ctx, workspace: &Workspace) -> Result<Places, Error> {
    Ok(Places {
        map: workspace.index(ctx)?.folder().to_owned(),
        record: workspace.project().state_dir(),
    })
}

/// The database, with the relations of the map as it is.
pub(super) fn bring_up(ctx: &Ctx, fresh: &Fresh<'_>) -> Result<Store, Error> {
    let store = Store::open(&places(ctx, fresh.workspace())?)?;
    let epoch = fresh.map().epoch();
    if store.epoch()? != Some(epoch) {
        ctx.progress("writing the database", "");
        store.import(&rows(fresh), epoch)?;
    }
    Ok(store)
}

fn rows(fresh: &Fresh<'_>) -> MapRows {
    let map = fresh.map();
    let mut rows = MapRows::default();
    for item in map.items() {
        let node = fresh.node(&item);
        if !matches!(item.kind, ItemKind::File | ItemKind::Crate)
            && let Some(code) = fresh.code(&item)
        {
            rows.blobs.push(BlobRow {
                id: node.id,
                code,
                tdd_classification: node.tdd_classification.to_owned(),
                recovered: node.recovered,
            });
        }
        rows.nodes.push(NodeRow {
            id: node.id,
            key: node.key,
            canon: node.canon,
            file_path: node.file_path,
            krate: node.krate,
            module_path: node.module_path,
            kind: node.kind.as_str().to_owned(),
            name: node.name,
            signature_ts: node.signature_ts,
            signature_syn: node.signature_syn,
            ra_signature: None,
            generics: node.generics,
            vis: node.vis,
            isgl_level: node.isgl_level,
            parse_error_count: node.parse_error_count,
            confidence: node.confidence,
            span_start: node.span_start,
            span_end: node.span_end,
            line: node.start_line,
            end_line: node.end_line,
            hash: node.hash,
            ra_hydrated_ts: None,
            resolved_types: None,
            macro_expansion_notes: None,
            diag_summary: None,
        });
    }
    for edge in map.edges() {
        let (Some(src), Some(dst)) = (map.item(edge.src), map.item(edge.dst)) else { continue };
        rows.edges.push(EdgeRow {
            src: src.id(),
            dst: dst.id(),
            kind: edge.kind,
            weight: f64::from(edge.weight),
            provenance: edge.provenance,
            tier: edge.tier,
            sites: map.sites(edge).count() as u32,
        });
    }
    rows.diagnostics = diagnostics(fresh);
    rows
}

/// Problems of files that stand in an item, or of the file's node.
fn diagnostics(fresh: &Fresh<'_>) -> Vec<DiagnosticRow> {
    let map = fresh.map();
    let mut ordinals = std::collections::BTreeMap::new();
    let mut rows = Vec::new();
    for problem in map.problems() {
        let Some(file) = map.file_by_path(problem.path) else { continue };
        let around = map
            .items_of_file(file)
            .filter_map(|number| map.item(number))
            .filter(|item| item.line <= problem.line && problem.line <= item.end_line)
            .min_by_key(|item| (item.span.1.saturating_sub(item.span.0), item.number));
        let Some(item) = around else { continue };
        let ordinal = ordinals.entry(item.number).or_insert(0u32);
        rows.push(DiagnosticRow {
            id: item.id(),
            ordinal: *ordinal,
            severity: if problem.kind == "syntax" { "error" } else { "warning" }.to_owned(),
            code: problem.kind.to_owned(),
            message: problem.message.to_owned(),
            range: item.span,
            ts: 0,
        });
        *ordinal += 1;
    }
    rows
}
