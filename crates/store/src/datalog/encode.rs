//! Converts rows to values of the engine.

use cozo::{DataValue, NamedRows, UuidWrapper};

use base::ItemId;

use super::engine::Tables;
use super::schema::{BLOBS, DIAGNOSTICS, DOC_META, EDGES, EMBEDDINGS, META, NODES, Relation};
use crate::{MapRows, Result, StoreError};

/// Rows of the relation `meta`.
pub(super) fn meta_rows(rows: &[(&str, i64)]) -> (String, NamedRows) {
    let tuple = |(name, value): &(&str, i64)| vec![DataValue::from(*name), DataValue::from(*value)];
    table(&META, rows.iter().map(tuple).collect())
}

/// The UUID value of an id.
pub(super) fn uuid(id: ItemId) -> DataValue {
    DataValue::Uuid(UuidWrapper(uuid::Uuid::from_bytes(id.to_bytes())))
}

/// The rows of the map for the engine, sorted by key, so that pages are filled in order.
pub(super) fn map_tables(rows: &MapRows) -> Result<Tables> {
    let mut tables = Tables::new();
    let mut add = |relation: &Relation, mut tuples: Vec<Vec<DataValue>>| -> Result<()> {
        if tuples.is_empty() {
            return Ok(());
        }
        let keys = relation.keys.len();
        tuples.sort_unstable_by(|a, b| a[..keys].cmp(&b[..keys]));
        if tuples.windows(2).any(|pair| pair[0][..keys] == pair[1][..keys]) {
            let reason = "two rows have the same key".to_owned();
            return Err(StoreError::Rows { relation: relation.name, reason });
        }
        tables.extend([table(relation, tuples)]);
        Ok(())
    };
    add(&NODES, rows.nodes.iter().map(node).collect())?;
    add(&EDGES, rows.edges.iter().map(edge).collect())?;
    let blob = |it: &crate::BlobRow| {
        vec![
            uuid(it.id),
            text(&it.code),
            text(&it.tdd_classification),
            DataValue::from(it.recovered),
        ]
    };
    add(&BLOBS, rows.blobs.iter().map(blob).collect())?;
    let embedding = |it: &crate::EmbeddingRow| {
        let vec = it.vec.iter().map(|number| DataValue::from(f64::from(*number))).collect();
        vec![uuid(it.id), text(&it.model), int(it.vec.len() as u64), DataValue::List(vec)]
    };
    add(&EMBEDDINGS, rows.embeddings.iter().map(embedding).collect())?;
    let diagnostic = |it: &crate::DiagnosticRow| {
        vec![
            uuid(it.id),
            int(it.ordinal),
            text(&it.severity),
            text(&it.code),
            text(&it.message),
            DataValue::List(vec![int(it.range.0), int(it.range.1)]),
            DataValue::from(it.ts),
        ]
    };
    add(&DIAGNOSTICS, rows.diagnostics.iter().map(diagnostic).collect())?;
    let doc_meta = |it: &crate::DocMetaRow| {
        vec![
            uuid(it.id),
            DataValue::from(it.tracking_hash.to_string()),
            int(it.tokenizer_version),
            int(it.token_length),
        ]
    };
    add(&DOC_META, rows.doc_meta.iter().map(doc_meta).collect())?;
    Ok(tables)
}

/// Rows to put.
pub(super) fn table(relation: &Relation, rows: Vec<Vec<DataValue>>) -> (String, NamedRows) {
    (relation.name.to_owned(), NamedRows::new(relation.headers(), rows))
}

/// Keys to delete.
pub(super) fn deletion(relation: &Relation, keys: Vec<Vec<DataValue>>) -> (String, NamedRows) {
    (format!("-{}", relation.name), NamedRows::new(relation.key_headers(), keys))
}

pub(super) fn text(text: &str) -> DataValue {
    DataValue::from(text)
}

pub(super) fn maybe(text: Option<&str>) -> DataValue {
    text.map_or(DataValue::Null, DataValue::from)
}

pub(super) fn maybe_int(number: Option<i64>) -> DataValue {
    number.map_or(DataValue::Null, DataValue::from)
}

/// Counts that do not fit are clamped.
pub(super) fn int(number: impl Into<u64>) -> DataValue {
    DataValue::from(i64::try_from(number.into()).unwrap_or(i64::MAX))
}

fn node(it: &crate::NodeRow) -> Vec<DataValue> {
    vec![
        uuid(it.id),
        text(&it.key),
        text(&it.canon),
        text(&it.location.file_path),
        text(&it.krate),
        text(&it.module_path),
        text(&it.kind),
        text(&it.name),
        text(&it.declaration.signature_ts),
        maybe(it.declaration.signature_syn.as_deref()),
        maybe(it.declaration.ra_signature.as_deref()),
        text(&it.declaration.generics),
        text(&it.declaration.vis),
        int(it.isgl_level),
        int(it.parse_error_count),
        DataValue::from(it.confidence),
        int(it.location.span_start),
        int(it.location.span_end),
        int(it.location.line),
        int(it.location.end_line),
        DataValue::from(it.hash.to_string()),
        maybe_int(it.ra_hydrated_ts),
        maybe(it.declaration.resolved_types.as_deref()),
        maybe(it.declaration.macro_expansion_notes.as_deref()),
        maybe(it.diag_summary.as_deref()),
    ]
}

fn edge(it: &crate::IsgEdgeRow) -> Vec<DataValue> {
    let provenance = match it.provenance {
        base::Provenance::Syntax => "syntax",
        base::Provenance::Ra => "ra",
    };
    let tier = match it.tier {
        base::Tier::Proven => "proven",
        base::Tier::Candidate => "candidate",
    };
    vec![
        uuid(it.src),
        uuid(it.dst),
        text(it.kind.as_str()),
        DataValue::from(it.weight),
        text(provenance),
        text(tier),
        int(it.sites),
    ]
}
