use base::Ctx;
use ingest::{Index, Report};
use serde::Serialize;
use store::{GraphStore, Places, Store};

use super::encoder::open_encoder;
use crate::{Error, Workspace};

/// What the search index holds and what it cost.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct SearchReport {
    /// Items that can be found.
    pub documents: u64,
    /// Of them, those with a vector.
    pub vectors: u64,
    /// Whose vectors.
    pub encoder: Option<String>,
    /// How many bytes the index has.
    pub bytes: u64,
    /// Files that were cut into terms for it.
    pub files_read: u64,
    /// How long it took.
    pub wall_ms: u64,
    /// CPU time that it took.
    pub cpu_ms: u64,
    /// How many vectors the database has an index over (HNSW), where one was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hnsw: Option<u64>,
}

/// Brings the search index of the map, as `index` has it, up to date, and counts its cost into
/// the map's report. The map can be asked before, by other processes too; what was needed for
/// making it is given back first, so that the two do not take memory at the same time.
pub fn index_for_search(
    ctx: &Ctx,
    workspace: &Workspace,
    index: &mut Index,
    report: &mut Report,
) -> Result<SearchReport, Error> {
    index.release_memory();
    let encoder = open_encoder(workspace)?;
    let made = index.retrieval(ctx, encoder.as_deref())?;
    report.add(&made, index);
    Ok(SearchReport {
        documents: u64::from(made.index.document_count()),
        vectors: u64::from(made.index.vector_count()),
        encoder: made.index.encoder_name().map(str::to_owned),
        bytes: made.index.size() as u64,
        files_read: made.files_read as u64,
        wall_ms: made.wall_ms,
        cpu_ms: made.cpu_ms,
        hnsw: None,
    })
}

/// Puts the vectors of the search index into the database and makes an index over them there, for
/// scripts that join nearness with relations; answers how many there are. A search does not need
/// it: it looks at all vectors, which is exact and, up to hundreds of thousands, as fast.
pub fn index_vectors(ctx: &Ctx, workspace: &Workspace, index: &Index) -> Result<u64, Error> {
    // A build without the engine says so before anything is made.
    let store = Store::open(&Places {
        map: index.folder().to_owned(),
        record: workspace.project().state_dir(),
    })?;
    let encoder = open_encoder(workspace)?;
    let made = index.retrieval(ctx, encoder.as_deref())?;
    index.fill_vectors(ctx, &made.index, &store)?;
    ctx.progress("indexing vectors in the database", "");
    Ok(store.index_vectors()? as u64)
}

/// Keeps the search index true in the background, for whoever keeps the map true.
pub fn retriever(
    ctx: &Ctx,
    workspace: &Workspace,
    index: &Index,
) -> Result<ingest::Retriever, Error> {
    let encoder = open_encoder(workspace)?;
    Ok(ingest::Retriever::spawn(ctx, index, encoder)?)
}
