//! Updates the search index, once or in the background.

use base::Ctx;
use ingest::{Index, IndexReport};
use project::Workspace;
use serde::Serialize;
use store::Store;

use super::encoder::open_encoder;
use crate::CodeError;
use crate::map::store_dirs;

/// Contents and cost of the search index.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct SearchReport {
    /// Number of indexed items.
    pub documents: u64,
    /// Number of items with a vector.
    pub vectors: u64,
    /// Name of the encoder.
    pub encoder: Option<String>,
    /// Size of the index in bytes.
    pub bytes: u64,
    /// Number of files that were tokenized.
    pub files_read: u64,
    /// Wall time in milliseconds.
    pub wall_ms: u64,
    /// CPU time in milliseconds.
    pub cpu_ms: u64,
    /// Number of vectors in the HNSW index of the database, if one was requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hnsw: Option<u64>,
}

/// Updates the search index for the map of `index` and adds its cost to the map's report. The map is
/// usable before, also by other processes. The intermediate state of the map is freed first, so that
/// both do not take memory at the same time.
///
/// # Errors
/// An encoder that cannot be loaded, or an index that cannot be written.
pub fn index_for_search(
    ctx: &Ctx,
    workspace: &Workspace,
    index: &mut Index,
    report: &mut IndexReport,
) -> Result<SearchReport, CodeError> {
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

/// Reads all files again, and makes map and search index from them.
///
/// # Errors
/// A map or index that cannot be written.
pub fn rebuild_index(ctx: &Ctx, workspace: &Workspace) -> Result<SearchReport, CodeError> {
    let mut index = workspace.index(ctx)?;
    let options = ingest::Options { full: true, ..ingest::Options::default() };
    let mut report = index.refresh(ctx, &options)?;
    index_for_search(ctx, workspace, &mut index, &mut report)
}

/// Copies the vectors of the search index into the database and builds an HNSW index over them, for
/// scripts that join vector distance with relations. Returns the number of vectors. Searches do not
/// use it: they compare all vectors, which is exact, needs no index and is faster.
///
/// # Errors
/// A build without the Datalog engine, or a database that cannot be written.
pub fn index_vectors(ctx: &Ctx, workspace: &Workspace, index: &Index) -> Result<u64, CodeError> {
    // A build without the engine fails here, before any work.
    let store = Store::open(&store_dirs(workspace, index))?;
    let encoder = open_encoder(workspace)?;
    let made = index.retrieval(ctx, encoder.as_deref())?;
    index.fill_vectors(ctx, &made.index, &store)?;
    ctx.progress("indexing vectors in the database", "");
    Ok(store.index_vectors()? as u64)
}

/// Starts a background thread that updates the search index after each update of the map.
///
/// # Errors
/// An encoder that cannot be loaded, or a thread that cannot be started.
pub fn retriever(
    ctx: &Ctx,
    workspace: &Workspace,
    index: &Index,
) -> Result<ingest::Retriever, CodeError> {
    let encoder = open_encoder(workspace)?;
    Ok(ingest::Retriever::spawn(ctx, index, encoder)?)
}
