//! The relations about proposals, tool calls and retrievals.

use cozo::DataValue;

use super::database::Database;
use super::encode::{self, int, maybe, maybe_int, text, uuid};
use super::engine::{Engine, Params, Tables};
use super::memory;
use super::schema::{self, CODEGRAPH, PROPOSALS, RECORD, RETRIEVALS, Relation, TOOL_CALLS};
use crate::{RecordRows, Result, StoreError};

/// The name of the stamp in `meta`.
const STAMP: &str = "record";

/// See [`crate::GraphStore::import_record`].
pub(super) fn import(map: &Database, rows: &RecordRows, stamp: u64) -> Result<()> {
    let mut tables = tables(rows)?;
    tables.extend([encode::meta_rows(&[(STAMP, stamp.cast_signed())])]);
    map.write(|engine| {
        schema::create_record(engine)?;
        for relation in RECORD {
            let keys = present(engine, relation)?;
            tables.extend([encode::deletion(relation, keys)]);
        }
        engine.import(tables)
    })
}

/// See [`crate::GraphStore::record`].
pub(super) fn stamp(map: &Database) -> Result<Option<u64>> {
    Ok(map.read(|engine| schema::meta(engine, STAMP))?.flatten().map(i64::cast_unsigned))
}

/// The keys of the rows of a relation.
fn present(engine: &Engine, relation: &Relation) -> Result<Vec<Vec<DataValue>>> {
    let keys = relation.key_headers().join(", ");
    engine.read(&format!("?[{keys}] := *{}{{{keys}}}", relation.name), Params::new())
}

fn tables(rows: &RecordRows) -> Result<Tables> {
    let mut tables = Tables::new();
    let mut add = |relation: &Relation, mut tuples: Vec<Vec<DataValue>>| {
        let keys = relation.keys.len();
        tuples.sort_unstable_by(|a, b| a[..keys].cmp(&b[..keys]));
        if tuples.windows(2).any(|pair| pair[0][..keys] == pair[1][..keys]) {
            let reason = "two rows have the same key".to_owned();
            return Err(StoreError::Rows { relation: relation.name, reason });
        }
        if !tuples.is_empty() {
            tables.extend([encode::table(relation, tuples)]);
        }
        Ok(())
    };
    add(&CODEGRAPH, rows.codegraph.iter().map(code_row).collect())?;
    add(&PROPOSALS, rows.proposals.iter().map(proposal).collect())?;
    let call = |it: &crate::ToolCallRow| {
        vec![
            text(&it.id),
            text(&it.task),
            text(&it.tool),
            text(&it.args),
            text(it.state),
            maybe(it.result.as_deref()),
            maybe(it.error.as_deref()),
            int(it.requested_at),
            time(it.done_at),
        ]
    };
    add(&TOOL_CALLS, rows.tool_calls.iter().map(call).collect())?;
    let retrieval = |it: &crate::RetrievalRow| {
        vec![
            int(it.id),
            text(&it.task),
            text(&it.tool),
            text(&it.query),
            text(&it.focus),
            DataValue::List(it.hits.iter().map(|hit| text(hit)).collect()),
            DataValue::from(it.cached),
            int(it.took_us),
            int(it.at),
        ]
    };
    add(&RETRIEVALS, rows.retrievals.iter().map(retrieval).collect())?;
    for (relation, tuples) in memory::rows(&rows.memory) {
        add(relation, tuples)?;
    }
    Ok(tables)
}

fn code_row(it: &crate::CodeGraphRow) -> Vec<DataValue> {
    vec![
        uuid(it.id),
        text(&it.proposal),
        maybe(it.current_code.as_deref()),
        maybe(it.future_code.as_deref()),
        maybe(it.future_action.as_deref()),
        text(&it.tdd_classification),
        DataValue::from(i64::from(it.current_code.is_some())),
        DataValue::from(i64::from(it.future_code.is_some())),
        text(&it.key),
        text(&it.file_path),
        int(it.version),
    ]
}

fn proposal(it: &crate::EditProposalRow) -> Vec<DataValue> {
    vec![
        text(&it.id),
        text(&it.task),
        text(&it.overlay),
        text(&it.state),
        maybe(it.evidence.as_deref()),
        it.confidence.map_or(DataValue::Null, DataValue::from),
        maybe(it.approver.as_deref()),
        maybe(it.reason.as_deref()),
        int(it.created_at),
        time(it.decided_at),
        text(&it.author),
        DataValue::List(it.files.iter().map(|file| text(file)).collect()),
        maybe(it.change.as_deref()),
        time(it.version),
    ]
}

fn time(micros: Option<u64>) -> DataValue {
    maybe_int(micros.map(|micros| i64::try_from(micros).unwrap_or(i64::MAX)))
}
