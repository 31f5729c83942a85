//! Export and import of both databases as JSON lines.

use std::io::{BufRead, Write};

use cozo::{DataValue, NamedRows};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::database::{Database, DatabaseKind};
use super::encode;
use super::engine::Tables;
use super::schema::{self, Relation};
use crate::{Result, StoreError};

/// The first line.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    graftage_store: u32,
    epoch: Option<u64>,
}

/// The line before the rows of a relation.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Section {
    relation: String,
    headers: Vec<String>,
    rows: usize,
}

/// See [`crate::GraphStore::export_json`].
pub(super) fn export(map: &Database, record: &Database, out: &mut dyn Write) -> Result<()> {
    let header = Header { graftage_store: super::seal::FORMAT, epoch: super::map::epoch(map)? };
    line(out, &header)?;
    for (database, kind) in [(map, DatabaseKind::Map), (record, DatabaseKind::Record)] {
        let relations = schema::relations(kind).iter().filter(|it| it.name != schema::META.name);
        let names: Vec<_> = relations.map(|it| it.name).collect();
        let tables = database.read(|engine| engine.export(&names))?.unwrap_or_default();
        for (relation, rows) in tables {
            line(out, &Section { relation, headers: rows.headers, rows: rows.rows.len() })?;
            for row in rows.rows {
                line(out, &row.into_iter().map(Value::from).collect::<Vec<_>>())?;
            }
        }
    }
    out.flush().map_err(|err| failed(&err.to_string()))
}

/// See [`crate::GraphStore::import_json`].
pub(super) fn import(map: &Database, record: &Database, input: &mut dyn BufRead) -> Result<()> {
    let mut lines = Lines { input, number: 0 };
    let header: Header = lines.next()?.ok_or_else(|| lines.fault("it is empty"))?;
    if header.graftage_store != super::seal::FORMAT {
        return Err(lines.fault(&format!("it has format {}", header.graftage_store)));
    }
    let (mut of_map, mut of_record) = (Tables::new(), Tables::new());
    let (mut dim, mut clock) = (schema::DEFAULT_DIM as i64, 0);
    while let Some(section) = lines.next::<Section>()? {
        let find = |kind| {
            let named =
                |it: &&Relation| it.name == section.relation && it.name != schema::META.name;
            schema::relations(kind).iter().find(named)
        };
        let (relation, tables) = match (find(DatabaseKind::Map), find(DatabaseKind::Record)) {
            (Some(relation), _) => (relation, &mut of_map),
            (None, Some(relation)) => (relation, &mut of_record),
            (None, None) => {
                return Err(lines.fault(&format!("no relation is named `{}`", section.relation)));
            }
        };
        if section.headers != relation.headers() {
            return Err(lines.fault("the columns differ from those of the relation"));
        }
        let mut rows = Vec::new();
        for _ in 0..section.rows {
            let row: Vec<Value> = lines.next()?.ok_or_else(|| lines.fault("rows are missing"))?;
            if row.len() != section.headers.len() {
                return Err(lines.fault("the number of values differs from the number of columns"));
            }
            if relation.name == schema::EMBEDDINGS.name {
                dim = row.get(2).and_then(Value::as_i64).unwrap_or(dim);
            }
            if relation.name == schema::CODEGRAPH.name {
                clock = clock.max(row.get(1).and_then(|at| at.get(0)?.as_i64()).unwrap_or(0));
            }
            rows.push(row.into_iter().map(DataValue::from).collect());
        }
        tables.insert(relation.name.to_owned(), NamedRows::new(section.headers, rows));
    }
    let len = usize::try_from(dim).unwrap_or(schema::DEFAULT_DIM);
    if let Some(epoch) = header.epoch {
        let epoch = i64::try_from(epoch).map_err(|_| lines.fault("the epoch is out of range"))?;
        of_map.extend([encode::meta_rows(&[("epoch", epoch), ("dim", dim)])]);
        map.replace(|engine| {
            schema::create_with(engine, DatabaseKind::Map, len)?;
            engine.import(of_map)
        })?;
    }
    of_record.extend([encode::meta_rows(&[("clock", clock)])]);
    record.replace(|engine| {
        schema::create(engine, DatabaseKind::Record)?;
        engine.import(of_record)
    })
}

fn line(out: &mut dyn Write, value: &impl Serialize) -> Result<()> {
    let mut text = serde_json::to_string(value).map_err(|err| failed(&err.to_string()))?;
    text.push('\n');
    out.write_all(text.as_bytes()).map_err(|err| failed(&err.to_string()))
}

fn failed(reason: &str) -> StoreError {
    StoreError::Engine { action: "write the export", reason: reason.to_owned() }
}

struct Lines<'a> {
    input: &'a mut dyn BufRead,
    number: usize,
}

impl Lines<'_> {
    fn next<T: for<'de> Deserialize<'de>>(&mut self) -> Result<Option<T>> {
        let mut text = String::new();
        self.number += 1;
        let read = self.input.read_line(&mut text).map_err(|err| self.fault(&err.to_string()))?;
        if read == 0 {
            return Ok(None);
        }
        serde_json::from_str(&text).map(Some).map_err(|err| self.fault(&err.to_string()))
    }

    fn fault(&self, reason: &str) -> StoreError {
        StoreError::Export { line: self.number, reason: reason.to_owned() }
    }
}
