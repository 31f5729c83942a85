//! `facts.bin`: the state that a new process needs, besides the map, to continue where the last one
//! ended: the interface facts and the lookup keys of each file, and a hash of the result of each
//! key.

use std::sync::Arc;

use base::{ContentHash, ProjectPath};
use graph::{FileFlags, ItemKind, MapData};
use serde::{Deserialize, Serialize};
use syntax::facts::FileFacts;

use crate::links::{FileLinks, Link, Unresolved};
use crate::node_interner::{NONE, NodeInterner, outside_id};
use crate::nodes::FileNodes;
use crate::sealed::Format;
use crate::state::{FileState, State};
use crate::stored_links::{KeptLinks, NameReader, Namer, Names};

pub(crate) const FORMAT: Format = Format { kind: *b"fact", version: 6 };

/// 48 bits of each result's hash are stored: a changed result goes undetected with probability
/// 2⁻⁴⁷.
const HASH: u64 = (1 << 48) - 1;

/// The result of each lookup key: sorted keys cut to 32 bits, each with the hash of all its facts;
/// 0 if it had none. Only keys that some file looked up.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct LookupHashes {
    keys: Vec<u32>,
    hashes: Vec<u64>,
}

impl LookupHashes {
    /// Computes the hashes for the keys in `asked` (sorted) from a definition map's pairs (sorted).
    pub(crate) fn of(pairs: &[(u64, u64)], keys: &[u32]) -> Self {
        let mut hashes = vec![0_u64; keys.len()];
        for (key, fact) in pairs {
            if let Ok(at) = keys.binary_search(&(*key as u32)) {
                // Facts of one key are sorted, and keys equal in 32 bits keep the order of all: the
                // same pairs give the same hash.
                let hash = &mut hashes[at];
                let mixed = (hash.rotate_left(23) ^ fact ^ key).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                *hash = (mixed ^ (mixed >> 29)) | 1;
            }
        }
        hashes.iter_mut().for_each(|hash| *hash &= HASH);
        Self { keys: keys.to_vec(), hashes }
    }

    /// The keys whose results changed.
    pub(crate) fn changed(&self, pairs: &[(u64, u64)]) -> Vec<u32> {
        let now = Self::of(pairs, &self.keys);
        let all = self.keys.iter().zip(self.hashes.iter().zip(&now.hashes));
        all.filter(|(_, (old, new))| old != new).map(|(key, _)| *key).collect()
    }
}

#[derive(Serialize, Deserialize)]
struct StoredState {
    /// Sorted keys, delta-encoded.
    keys: Vec<u32>,
    hashes: Vec<[u8; 6]>,
    files: Vec<KeptFile>,
    names: Names,
}

#[derive(Serialize, Deserialize)]
struct KeptFile {
    facts: FileFacts,
    placement: u64,
    gates: Vec<(u32, Box<str>, bool)>,
    /// Indices of keys, delta-encoded.
    deps: Vec<u32>,
    /// The number of call sites whose target is outside the workspace.
    external: u32,
    /// The syntax links, if rust-analyzer results changed those in the map.
    syntax: Option<KeptLinks>,
}

/// Encodes the content of `facts.bin`; `None` if a file is not resolved.
pub(crate) fn encode(state: &State, pairs: &[(u64, u64)]) -> Option<Vec<u8>> {
    let mut keys: Vec<u32> = Vec::new();
    for file in &state.files {
        keys.extend_from_slice(&file.links.as_ref()?.deps);
    }
    keys.sort_unstable();
    keys.dedup();
    let lookup_hashes = LookupHashes::of(pairs, &keys);
    let mut namer = Namer::new(state);
    let files = state.files.iter().map(|file| {
        let links = file.links.as_ref()?;
        let deps = links.deps.iter().map(|key| keys.binary_search(key).unwrap_or(0) as u32);
        Some(KeptFile {
            facts: syntax::interface(&file.facts),
            placement: file.nodes.placement,
            gates: file.nodes.gates.clone(),
            deps: distances(deps),
            external: links.external,
            syntax: match file.syntax_links() {
                Some(syntax) if !Arc::ptr_eq(syntax, links) => Some(namer.kept(syntax)?),
                _ => None,
            },
        })
    });
    let files = files.collect::<Option<_>>()?;
    let kept = StoredState {
        keys: distances(lookup_hashes.keys.iter().copied()),
        hashes: lookup_hashes.hashes.iter().map(|hash| six_bytes(*hash)).collect(),
        files,
        names: namer.names,
    };
    // Names, paths and shapes repeat: compression saves two thirds of the bytes for 1 % of the
    // time.
    postcard::to_stdvec(&kept).ok().map(|bytes| lz4_flex::block::compress_prepend_size(&bytes))
}

fn six_bytes(hash: u64) -> [u8; 6] {
    let [a, b, c, d, e, f, ..] = hash.to_le_bytes();
    [a, b, c, d, e, f]
}

fn distances(sorted: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut last = 0;
    sorted.map(|key| key.wrapping_sub(std::mem::replace(&mut last, key))).collect()
}

fn sums(distances: &[u32]) -> Vec<u32> {
    let mut last = 0_u32;
    distances
        .iter()
        .map(|distance| {
            last = last.wrapping_add(*distance);
            last
        })
        .collect()
}

/// Restores the state from `data` and the content of `facts.bin`. `text` returns the text of a file
/// that still has this hash; other files get an empty text and must be read again. `None` if the
/// two do not belong together.
pub(crate) fn decode(
    content: &[u8],
    data: MapData,
    known: &State,
    text: &dyn Fn(&ProjectPath, ContentHash) -> Option<Arc<str>>,
) -> Option<(State, LookupHashes)> {
    let content = lz4_flex::block::decompress_size_prepended(content).ok()?;
    let kept: StoredState = postcard::from_bytes(&content).ok()?;
    if kept.files.len() != data.files.len() || kept.keys.len() != kept.hashes.len() {
        return None;
    }
    let keys = sums(&kept.keys);
    let hashes = kept
        .hashes
        .iter()
        .map(|[a, b, c, d, e, f]| u64::from_le_bytes([*a, *b, *c, *d, *e, *f, 0, 0]));
    let hashes = hashes.collect();
    let mut slots = NodeInterner::default();
    let slot_of: Vec<u32> = data
        .items
        .iter()
        .map(|row| match row.kind {
            ItemKind::External if row.id == outside_id(&row.canon) => slots.of_outside(&row.canon),
            _ => slots.of(row.id),
        })
        .collect();
    let mut links = vec![FileLinks::default(); data.files.len()];
    for site in &data.sites {
        let edge = data.edges.get(site.edge as usize)?;
        links.get_mut(site.file as usize)?.links.push(Link {
            offset: site.offset,
            line: site.line,
            src: *slot_of.get(edge.src as usize)?,
            dst: *slot_of.get(edge.dst as usize)?,
            kind: edge.kind,
            tier: edge.tier,
            rule: edge.rule,
            provenance: edge.provenance,
        });
    }
    for site in &data.unresolved {
        links.get_mut(site.file as usize)?.unresolved.push(Unresolved {
            offset: site.offset,
            line: site.line,
            src: *slot_of.get(site.src as usize)?,
            reason: site.reason,
            name: site.name.as_str().into(),
        });
    }
    let mut nodes = vec![FileNodes::default(); data.files.len()];
    let mut first = vec![NONE; data.files.len()];
    for (number, row) in data.items.into_iter().enumerate() {
        let Some(own) = nodes.get_mut(row.file as usize) else { continue };
        if row.kind == ItemKind::File {
            first[row.file as usize] = number as u32;
            continue;
        }
        // The file's own row comes first; earlier rows belong to other files.
        let begin = *first.get(row.file as usize)?;
        let mut row = row;
        row.parent = row.parent.filter(|it| *it > begin && *it < number as u32);
        row.parent = row.parent.map(|parent| parent - begin - 1);
        row.file = NONE;
        own.rows.push(row);
    }
    let mut problems: std::collections::BTreeMap<ProjectPath, Vec<_>> = Default::default();
    for problem in data.problems.into_iter().filter(|it| it.kind == "syntax") {
        problems.entry(problem.path.clone()).or_default().push(problem);
    }
    let mut files = Vec::with_capacity(kept.files.len());
    let rows = data.files.into_iter().zip(kept.files).zip(nodes).zip(links);
    let mut reader = NameReader { names: &kept.names, numbers: &slot_of, slots: &mut slots };
    for (((row, kept), mut nodes), mut links) in rows {
        if let Some(syntax) = &kept.syntax {
            links = reader.links(syntax)?;
        }
        nodes.placement = kept.placement;
        nodes.gates = kept.gates;
        links.external = kept.external;
        links.links.sort_unstable();
        links.unresolved.sort();
        for index in sums(&kept.deps) {
            links.deps.push(*keys.get(index as usize)?);
        }
        files.push(FileState {
            text: text(&row.path, row.hash).unwrap_or_default(),
            hash: row.hash,
            facts: Arc::new(kept.facts),
            has_bodies: false,
            lines: row.lines,
            flags: FileFlags { is_orphan: false, is_inactive: false, ..row.flags },
            problems: problems.remove(&row.path).unwrap_or_default().into(),
            nodes: Arc::new(nodes),
            links: Some(Arc::new(links)),
            overlaid: None,
            path: row.path,
        });
    }
    let state = State { files, slots, facts: None, ..known.clone() };
    Some((state, LookupHashes { keys, hashes }))
}
