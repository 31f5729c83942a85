//! Maps of trees and texts without an index on disk.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use base::{ContentHash, Ctx, ProjectPath, Timestamp};
use build::ToolchainProbe;
use graph::{Map, MapData};

use crate::IngestError;
use crate::batch::{TreeContents, TreeListing, advance};
use crate::chunk_cache::ChunkCache;
use crate::crates::{CrateFacts, Crates};
use crate::discover::discover;
use crate::hydrate::{self, HydrationKey};
use crate::index::damaged;
use crate::inputs;
use crate::phases::Work;
use crate::read::parse;
use crate::relink::{Change, relink};
use crate::state::{FileState, State};

/// Builds the map of a tree in memory: no index is read, nothing is written.
///
/// # Errors
///
/// As [`crate::Index::refresh`].
pub(crate) fn map_of(
    ctx: &Ctx,
    root: &Path,
    probe: Option<&ToolchainProbe>,
) -> Result<Arc<Map>, IngestError> {
    let found = found_of(ctx, root, probe)?;
    let (old, mut cache) = (State::default(), ChunkCache::default());
    let (_, assembled, _) = advance(ctx, root, &old, &found, &mut cache)?;
    Ok(Arc::new(assembled.map))
}

/// Reads a tree that has no index.
fn found_of(
    ctx: &Ctx,
    root: &Path,
    probe: Option<&ToolchainProbe>,
) -> Result<TreeContents, IngestError> {
    // Directories that are never written.
    let nowhere = PathBuf::from("/nonexistent");
    let dirs = repo::Dirs { cache: nowhere.clone(), state: nowhere };
    let project = repo::Project::open(ctx, root, dirs)?;
    let tree = discover(ctx, &project, &[])?;
    let inputs = inputs::inputs(ctx, project.root(), None, probe, &tree)?;
    TreeListing { tree, inputs, ignore_files: Vec::new(), hydration: None }
        .read(ctx, project.root())
}

/// The rows of the map of a tree with the given rust-analyzer facts, built in memory.
///
/// # Errors
///
/// As [`crate::Index::refresh`].
pub fn hydrated_data_of(
    ctx: &Ctx,
    root: &Path,
    probe: Option<&ToolchainProbe>,
    facts: &analyzer::scip::Facts,
) -> Result<MapData, IngestError> {
    let found = found_of(ctx, root, probe)?;
    let (old, mut cache) = (State::default(), ChunkCache::default());
    let (mut state, _, mut work) = advance(ctx, root, &old, &found, &mut cache)?;
    let analyzer_facts = hydrate::analyzer_facts(&state, facts, &|_| true, Timestamp::default());
    let key = HydrationKey::of(root, &found.inputs);
    state.hydration =
        Some(Arc::new(hydrate::collect(&state, &analyzer_facts, &facts.tool, key, None)));
    let before = state.map.clone();
    let change = Change::Any(before.as_ref());
    let assembled = relink(ctx, &mut state, change, &mut cache, &mut work)?;
    assembled.map.to_data().map_err(damaged)
}

/// The rows of the map of a tree.
///
/// # Errors
///
/// As [`crate::Index::refresh`].
pub fn data_of(
    ctx: &Ctx,
    root: &Path,
    probe: Option<&ToolchainProbe>,
) -> Result<MapData, IngestError> {
    map_of(ctx, root, probe)?.to_data().map_err(damaged)
}

/// A single crate around one file, for reading the file without its workspace.
pub(crate) fn single_crate(name: &str) -> Crates {
    Crates {
        inputs: vec![resolve::CrateInput {
            name: format!("{name}/{name}"),
            extern_name: name.to_owned(),
            edition: 2024,
            ..resolve::CrateInput::default()
        }],
        facts: vec![CrateFacts { kind: "lib".to_owned(), ..CrateFacts::default() }],
        ..Crates::default()
    }
}

/// The nodes and edges of one text as if it were a crate, without a store or a workspace: paths out of
/// the file stay unresolved.
///
/// # Errors
///
/// As [`crate::Index::refresh`].
pub fn ingest_file(ctx: &Ctx, path: &ProjectPath, text: &str) -> Result<MapData, IngestError> {
    let parsed = parse(path, text);
    let hash = ContentHash::of(text.as_bytes());
    let stem = path.file_name().trim_end_matches(".rs").replace('-', "_");
    let mut state = State {
        epoch: 1,
        files: vec![FileState::unplaced(path, hash, &text.into(), parsed)],
        crates: Arc::new(single_crate(&stem)),
        ..State::default()
    };
    let mut cache = ChunkCache::default();
    let assembled = relink(ctx, &mut state, Change::Any(None), &mut cache, &mut Work::default())?;
    assembled.map.to_data().map_err(damaged)
}
