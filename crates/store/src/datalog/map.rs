//! The relations of `map.db`: import, update, vectors.

use std::collections::BTreeSet;

use cozo::DataValue;

use base::ItemId;

use super::database::Database;
use super::encode::{self, uuid};
use super::engine::{Engine, Params, Tables};
use super::schema::{self, BLOBS, DIAGNOSTICS, DOC_META, EDGES, EMBEDDINGS, NODES};
use crate::{EdgeKey, MapChange, MapRows, Result, StoreError};

/// See [`crate::GraphStore::import`].
pub(super) fn import(map: &Database, rows: &MapRows, epoch: u64) -> Result<()> {
    let dim = dim_of(rows)?.unwrap_or(schema::DEFAULT_DIM);
    let mut tables = encode::map_tables(rows)?;
    tables.extend([encode::meta_rows(&[("epoch", signed(epoch)?), ("dim", dim as i64)])]);
    map.replace(|engine| {
        schema::create(engine, dim)?;
        engine.import(tables)
    })
}

/// See [`crate::GraphStore::update`].
pub(super) fn update(map: &Database, change: &MapChange, epoch: u64) -> Result<()> {
    let dim = dim_of(&change.rows)?;
    let mut tables = encode::map_tables(&change.rows)?;
    tables.extend([encode::meta_rows(&[("epoch", signed(epoch)?)])]);
    map.write(|engine| {
        let found = present(engine)?;
        if let Some(expected) = change.from.filter(|from| *from != found) {
            return Err(StoreError::Stale { found, expected });
        }
        if let (Some(dim), Some(stored)) = (dim, schema::meta(engine, "dim")?)
            && dim as i64 != stored
        {
            let reason = format!("vectors have {dim} numbers, those of the map {stored}");
            return Err(StoreError::Rows { relation: EMBEDDINGS.name, reason });
        }
        let has_vectors = tables.contains_key(EMBEDDINGS.name) || !change.removed.is_empty();
        tables.extend(deletions(engine, change)?);
        engine.import(tables)?;
        if has_vectors { drop_index(engine) } else { Ok(()) }
    })
}

/// See [`crate::Store::index_vectors`].
pub(super) fn index_vectors(map: &Database) -> Result<usize> {
    map.write(|engine| {
        present(engine)?;
        // Whatever wrote vectors last dropped the index.
        if !is_indexed(engine)? {
            make_index(engine)?;
        }
        let vectors = engine.read("?[id, model] := *embeddings{id, model}", Params::new())?;
        Ok(vectors.len())
    })
}

/// Drops the index over vectors, if there is one: bulk writes do not maintain it, and making it
/// anew takes milliseconds for each vector, which no query should wait for. A process that is killed
/// before this leaves an open seal, and recovery calls this again.
pub(super) fn drop_index(engine: &Engine) -> Result<()> {
    if is_indexed(engine)? {
        engine.run("drop the index over vectors", "::hnsw drop embeddings:near")?;
    }
    Ok(())
}

fn make_index(engine: &Engine) -> Result<()> {
    let dim = schema::meta(engine, "dim")?.unwrap_or(schema::DEFAULT_DIM as i64);
    let script = format!(
        "::hnsw create embeddings:near {{ dim: {dim}, m: 16, dtype: F32, fields: [vec], \
         distance: Cosine, ef_construction: 100 }}"
    );
    engine.run("make the index over vectors", &script)
}

/// See [`crate::GraphStore::epoch`].
pub(super) fn epoch(map: &Database) -> Result<Option<u64>> {
    let epoch = map.read(|engine| schema::meta(engine, "epoch"))?.flatten();
    Ok(epoch.and_then(|epoch| u64::try_from(epoch).ok()))
}

/// The epoch of an existing map.
fn present(engine: &Engine) -> Result<u64> {
    let epoch = schema::meta(engine, "epoch")?.and_then(|epoch| u64::try_from(epoch).ok());
    epoch.ok_or(StoreError::NoMap)
}

/// The keys that a change deletes, including those of replaced rows: a key deleted and put in one
/// transaction is put.
fn deletions(engine: &Engine, change: &MapChange) -> Result<Tables> {
    let removed = || change.removed.iter().map(|id| vec![uuid(*id)]);
    let mut tables = Tables::from([
        encode::deletion(&NODES, removed().collect()),
        encode::deletion(&BLOBS, removed().collect()),
        encode::deletion(&DOC_META, removed().collect()),
    ]);
    let removed_ids = Params::from([("ids".to_owned(), DataValue::List(ids(&change.removed)))]);
    let emptied: BTreeSet<_> = change.removed.iter().chain(&change.renewed).copied().collect();
    let emptied: Vec<_> = emptied.into_iter().collect();
    let emptied = Params::from([("ids".to_owned(), DataValue::List(ids(&emptied)))]);

    let vectors = engine
        .read("ids[id] <- $ids ?[id, model] := ids[id], *embeddings{id, model}", removed_ids)?;
    tables.extend([encode::deletion(&EMBEDDINGS, vectors)]);
    let diagnostics = "ids[id] <- $ids ?[id, ordinal] := ids[id], *diagnostics{id, ordinal}";
    tables.extend([encode::deletion(&DIAGNOSTICS, engine.read(diagnostics, emptied.clone())?)]);
    let edges = "ids[src_id] <- $ids
                 ?[src_id, dst_id, kind] := ids[src_id], *isg_edges{src_id, dst_id, kind}";
    let mut edges = engine.read(edges, emptied)?;
    edges.extend(change.removed_edges.iter().map(edge_key));
    tables.extend([encode::deletion(&EDGES, edges)]);
    Ok(tables)
}

fn edge_key(key: &EdgeKey) -> Vec<DataValue> {
    vec![uuid(key.src), uuid(key.dst), encode::text(key.kind.as_str())]
}

/// One-column rows.
fn ids(ids: &[ItemId]) -> Vec<DataValue> {
    ids.iter().map(|id| DataValue::List(vec![uuid(*id)])).collect()
}

fn is_indexed(engine: &Engine) -> Result<bool> {
    Ok(!engine.read("::indices embeddings", Params::new())?.is_empty())
}

/// The length of the vectors, which must be equal.
fn dim_of(rows: &MapRows) -> Result<Option<usize>> {
    let relation = EMBEDDINGS.name;
    let Some(first) = rows.embeddings.first().map(|it| it.vec.len()) else { return Ok(None) };
    if first == 0 || rows.embeddings.iter().any(|it| it.vec.len() != first) {
        let reason = "vectors are empty or of different lengths".to_owned();
        return Err(StoreError::Rows { relation, reason });
    }
    if rows.embeddings.iter().any(|it| it.vec.iter().any(|number| !number.is_finite())) {
        let reason = "a vector has a number that is not finite".to_owned();
        return Err(StoreError::Rows { relation, reason });
    }
    Ok(Some(first))
}

fn signed(epoch: u64) -> Result<i64> {
    i64::try_from(epoch).map_err(|_| StoreError::Rows {
        relation: schema::META.name,
        reason: format!("epoch {epoch} is out of range"),
    })
}
