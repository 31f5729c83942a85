//! Compares the tree with the state, and parses what changed. Start at [`advance`] for any change,
//! and at [`save`] for new texts of known files; both end in [`relink`].

use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use base::{ContentHash, Ctx, ProjectPath};
use rayon::prelude::*;
use untrusted_fs::Dir;

use crate::IngestError;
use crate::assemble::Assembled;
use crate::chunk_cache::ChunkCache;
use crate::crates::crates;
use crate::discover::Tree;
use crate::hydrate::{Hydration, KeptHydration};
use crate::includes::{add_included, included_in, is_rust};
use crate::inputs::Inputs;
use crate::phases::{Stopwatch, Work};
use crate::read::{FileBytes, hash_of, parse_all, read_all};
use crate::relink::{Change, RelinkError, relink};
use crate::state::{FileState, Skipped, State};

/// The current tree without the texts of its files.
pub(crate) struct TreeListing {
    pub(crate) tree: Tree,
    pub(crate) inputs: Inputs,
    pub(crate) ignore_files: Vec<PathBuf>,
    /// The stored rust-analyzer results for this tree.
    pub(crate) hydration: Option<KeptHydration>,
}

/// The current tree with the texts of its files.
pub(crate) struct TreeContents {
    around: TreeListing,
    /// Sorted by path.
    pub(crate) bytes: Vec<FileBytes>,
}

impl Deref for TreeContents {
    type Target = TreeListing;

    fn deref(&self) -> &TreeListing {
        &self.around
    }
}

impl TreeListing {
    /// Reads the files.
    pub(crate) fn read(self, ctx: &Ctx, root: &Path) -> Result<TreeContents, IngestError> {
        let root = open(root)?;
        let mut bytes = read_all(ctx, &root, &self.tree.rust)?;
        add_included(ctx, &root, &mut bytes)?;
        Ok(TreeContents { around: self, bytes })
    }

    fn hydrated_by(&self) -> Option<ContentHash> {
        self.hydration.as_ref().map(|it| it.hash)
    }

    /// Whether everything except the Rust files equals `state`.
    fn is_that_of(&self, state: &State) -> bool {
        state.inputs == Some(self.inputs.fingerprint())
            && state.hydrated_by == self.hydrated_by()
            && state.ignore_files == self.ignore_files
            && state.left_out == self.tree.skipped
            && state.tree_problems == self.tree.problems
    }
}

/// The root of the tree, below which no link is followed.
fn open(root: &Path) -> Result<Dir, IngestError> {
    Dir::open(root).map_err(|err| IngestError::io("open", root)(err.into()))
}

/// Whether nothing differs from what `state` was built from. Keeps no text in memory.
pub(crate) fn is_unchanged(
    ctx: &Ctx,
    root: &Path,
    state: &State,
    around: &TreeListing,
) -> Result<bool, IngestError> {
    // Skipped files are checked only when all files are read.
    let files = &state.files;
    let listed = files.iter().map(|file| &file.path).filter(|path| is_rust(path));
    let has_same_files = state.skipped.is_empty() && listed.eq(&around.tree.rust);
    if files.is_empty() || !has_same_files || !around.is_that_of(state) {
        return Ok(false);
    }
    let root = open(root)?;
    let is_same = files
        .par_iter()
        .with_min_len(16)
        .all(|file| !ctx.is_cancelled() && hash_of(&root, &file.path) == Some(file.hash));
    ctx.check_cancelled()?;
    Ok(is_same)
}

/// The number of files added, changed or removed since `state`; `None` if nothing differs.
pub(crate) fn difference(state: &State, found: &TreeContents) -> Option<u64> {
    let mut changed = 0_u64;
    let mut known_before = 0_usize;
    for bytes in &found.bytes {
        let file = state.file(&bytes.path).map(|file| file.hash);
        let at = state.skipped.binary_search_by(|it| it.path.cmp(&bytes.path)).ok();
        let skipped = at.and_then(|at| state.skipped.get(at)).map(|it| it.hash);
        let known = if bytes.text.is_ok() { file } else { skipped };
        known_before += usize::from(file.or(skipped).is_some());
        changed += u64::from(known != Some(bytes.hash));
    }
    // Files that do not exist any more.
    changed += (state.files.len() + state.skipped.len()).saturating_sub(known_before) as u64;
    let is_same = changed == 0 && found.is_that_of(state);
    (!is_same).then_some(changed)
}

/// The files whose text changed; `None` if anything else changed too.
pub(crate) fn saved<'a>(state: &State, found: &'a TreeContents) -> Option<Vec<&'a FileBytes>> {
    let mut saved = Vec::new();
    let mut skipped = 0;
    let mut files = state.files.iter();
    for bytes in &found.bytes {
        match &bytes.text {
            Ok(_) => {
                let file = files.next().filter(|file| file.path == bytes.path)?;
                if file.hash != bytes.hash {
                    saved.push(bytes);
                }
            }
            Err(_) => {
                let it = state.skipped.get(skipped)?;
                if (&it.path, it.hash) != (&bytes.path, bytes.hash) {
                    return None;
                }
                skipped += 1;
            }
        }
    }
    let is_same =
        files.next().is_none() && skipped == state.skipped.len() && found.is_that_of(state);
    is_same.then_some(saved)
}

/// Computes the next state from `old` and the current tree. `old` stays unchanged.
pub(crate) fn advance(
    ctx: &Ctx,
    root: &Path,
    old: &State,
    found: &TreeContents,
    cache: &mut ChunkCache,
) -> Result<(State, Assembled, Work), RelinkError> {
    let mut work =
        Work { changed: difference(old, found).unwrap_or(0), is_whole: true, ..Work::default() };
    let mut watch = Stopwatch::start();
    let mut state = State {
        epoch: old.epoch + 1,
        files: files(ctx, old, found, &mut work)?,
        skipped: skipped(found),
        inputs: Some(found.inputs.fingerprint()),
        ignore_files: found.ignore_files.clone(),
        left_out: found.tree.skipped,
        tree_problems: found.tree.problems.clone(),
        crates: Arc::default(),
        map: None,
        slot_tables: Arc::default(),
        slots: old.slots.clone(),
        module_problems: Vec::new(),
        hydration: hydration(old, found),
        hydrated_by: found.hydrated_by(),
        hydrated: None,
    };
    state.count_hydrated();
    watch.lap(&mut work.phases.parse_us);
    let paths: Vec<ProjectPath> = state.files.iter().map(|file| file.path.clone()).collect();
    state.crates = Arc::new(crates(root, &found.inputs, &found.tree, &paths));
    ctx.progress("resolving", "modules and imports");
    let change = Change::Any(old.map.as_ref());
    let assembled = relink(ctx, &mut state, change, cache, &mut work)?;
    Ok((state, assembled, work))
}

/// Updates the state to new texts of known files, sorted by path; no other file is read. `None` if
/// one of them is not a file of the state: the state is unchanged, and [`advance`] is needed.
pub(crate) fn save(
    ctx: &Ctx,
    state: &mut State,
    saved: &[&FileBytes],
    cache: &mut ChunkCache,
    work: &mut Work,
) -> Result<Option<Assembled>, RelinkError> {
    let mut texts: Vec<(&ProjectPath, &str)> = Vec::with_capacity(saved.len());
    let mut numbers: Vec<usize> = Vec::with_capacity(saved.len());
    for bytes in saved {
        let number = state.files.binary_search_by(|file| file.path.cmp(&bytes.path));
        let (Ok(number), Ok(text)) = (number, &bytes.text) else { return Ok(None) };
        texts.push((&bytes.path, text));
        numbers.push(number);
    }
    work.changed = saved.len() as u64;
    work.parsed += texts.len() as u64;
    let mut watch = Stopwatch::start();
    let parsed = parse_all(ctx, &texts)?;
    watch.lap(&mut work.phases.parse_us);
    // Other included files are other files of the map.
    let includes_others =
        numbers.iter().zip(&parsed).zip(&texts).any(|((number, parsed), (path, text))| {
            state.files.get(*number).is_none_or(|old| {
                included_in(path, &old.facts, &old.text) != included_in(path, &parsed.facts, text)
            })
        });
    if includes_others {
        return Ok(None);
    }
    let files = saved.iter().zip(parsed).filter_map(|(bytes, parsed)| {
        let text = bytes.text.as_ref().ok()?;
        Some(FileState::unplaced(&bytes.path, bytes.hash, text, parsed))
    });
    let change = Change::Saved(numbers.into_iter().zip(files).collect());
    let epoch = state.epoch;
    state.epoch += 1;
    let assembled = relink(ctx, state, change, cache, work);
    if assembled.is_err() {
        state.epoch = epoch;
    }
    assembled.map(Some)
}

/// Decodes the stored rust-analyzer results, unless they are decoded already. Results that cannot
/// be decoded count as missing.
fn hydration(old: &State, found: &TreeContents) -> Option<Arc<Hydration>> {
    let kept = found.hydration.as_ref()?;
    match &old.hydration {
        Some(known) if known.hash == kept.hash => Some(known.clone()),
        _ => kept.decode().map(Arc::new),
    }
}

/// The current files; changed ones are parsed and have no links yet.
fn files(
    ctx: &Ctx,
    old: &State,
    found: &TreeContents,
    work: &mut Work,
) -> Result<Vec<FileState>, IngestError> {
    let texts = || found.bytes.iter().filter_map(|it| Some((it, it.text.as_ref().ok()?)));
    let kept = |bytes: &FileBytes| old.file(&bytes.path).filter(|file| file.hash == bytes.hash);
    let to_parse: Vec<(&ProjectPath, &str)> = texts()
        .filter(|(bytes, _)| kept(bytes).is_none())
        .map(|(bytes, text)| (&bytes.path, &**text))
        .collect();
    work.parsed += to_parse.len() as u64;
    let mut parsed = parse_all(ctx, &to_parse)?.into_iter();
    let mut files = Vec::with_capacity(found.bytes.len());
    for (bytes, text) in texts() {
        if let Some(file) = kept(bytes) {
            files.push(file.clone());
            continue;
        }
        let Some(parsed) = parsed.next() else { break };
        files.push(FileState::unplaced(&bytes.path, bytes.hash, text, parsed));
    }
    Ok(files)
}

fn skipped(found: &TreeContents) -> Vec<Skipped> {
    let skipped = found.bytes.iter().filter_map(|bytes| {
        let reason = bytes.text.as_ref().err()?;
        Some(Skipped { path: bytes.path.clone(), hash: bytes.hash, reason: (*reason).to_owned() })
    });
    skipped.collect()
}
