//! The file format: a header, a section table, the sections.
//!
//! All numbers are little endian. Header: magic (8 bytes), version (u32), number of sections
//! (u32), epoch (u64), length of the whole file (u64), blake3 of everything else (32 bytes). Then
//! for each section its start (u64), its length (u64) and the width of its numbers (u64; 1 for
//! bytes). A section is identified by its index in [`Section`].

use base::Hasher;

pub(crate) const MAGIC: [u8; 8] = *b"graftmap";

/// Format version: incremented with every change of the layout, of the meaning of a section or of what resolves;
/// files of another version are rebuilt.
pub(crate) const VERSION: u32 = 7;

pub(crate) const HEADER_LEN: usize = 64;
pub(crate) const SECTION_LEN: usize = 24;
pub(crate) const CHECKSUM: std::ops::Range<usize> = 32..64;

/// Length of a run of front-coded canonical paths: reading one path decodes at most this many
/// records.
pub(crate) const BLOCK: usize = 16;

/// How a record encodes its parent: none, relative to its own number, as given for the file in
/// [`Section::FileParents`], by number.
pub(crate) const PARENT_NONE: u8 = 0;
pub(crate) const PARENT_RELATIVE: u8 = 1;
pub(crate) const PARENT_FROM_FILE: u8 = 2;
pub(crate) const PARENT_NUMBER: u8 = 3;

/// The sections, in the order of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub(crate) enum Section {
    /// Start offsets of the texts of the pool, and the end of the last one.
    TextStarts,
    /// Texts of the pool, concatenated.
    Texts,
    /// Crates: name, version, kind (texts), root; four numbers a row.
    Crates,
    /// Files: path (text), length, lines, parse errors, flags; five numbers a row.
    Files,
    /// Parents by file: the parent of the file's own item, the parent of the items in the file;
    /// each plus one, 0 for none; two numbers a row.
    FileParents,
    /// Hashes of files, 32 bytes a row.
    FileHashes,
    /// Ids of items, 16 bytes a row.
    Ids,
    /// Token hashes of items, 32 bytes a row.
    TokenHashes,
    /// Start offsets of the item records.
    ItemStarts,
    /// Item records.
    Items,
    /// Item numbers sorted by id.
    ById,
    /// Start offsets of the name buckets in `ByName`.
    NameStarts,
    /// Item numbers by bucket of the name's hash.
    ByName,
    /// Start offsets of an item's outgoing edges in the edge columns.
    OutStarts,
    /// Targets of edges.
    Targets,
    /// Kind (3 bits), tier (1 bit) and provenance (1 bit) of edges.
    EdgeKinds,
    /// Rules of edges.
    Rules,
    /// Start offsets of an edge's sites.
    SiteStarts,
    /// Edges whose weight differs from the number of their sites (1 for none): edge, weight.
    Weights,
    /// Start offsets of an item's incoming edges in `Incoming`.
    InStarts,
    /// Edge numbers by target.
    Incoming,
    /// Sites: byte offset.
    SiteOffsets,
    /// Sites: line.
    SiteLines,
    /// Sites in another file than the edge's source: site, file.
    SiteFiles,
    /// Unresolved sites: source. Each field is a section of its own, because the columns of one
    /// section share one width.
    UnresolvedSources,
    /// Unresolved sites: file + 1, 0 for none.
    UnresolvedFiles,
    /// Unresolved sites: byte offset.
    UnresolvedOffsets,
    /// Unresolved sites: line.
    UnresolvedLines,
    /// Unresolved sites: name (text).
    UnresolvedNames,
    /// Unresolved sites: reason.
    UnresolvedReasons,
    /// Problems: path (text), line, kind (text), message (text); four numbers a row.
    Problems,
}

pub(crate) const SECTIONS: usize = Section::Problems as usize + 1;

/// The hash of a name, which selects its bucket.
pub(crate) fn hash_of_name(name: &str) -> u32 {
    // FNV-1a: fast for short names. It does not resist an attack, but a flood of collisions makes a
    // lookup slow, not wrong.
    let mut hash = 0x811c_9dc5u32;
    for byte in name.bytes() {
        hash = (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
    }
    hash ^ (hash >> 15)
}

/// The bucket of a name's hash among `buckets` (a power of two).
pub(crate) fn bucket(hash: u32, buckets: usize) -> usize {
    hash as usize & buckets.saturating_sub(1)
}

/// The number of buckets for `items` names: about four names each.
pub(crate) fn buckets(items: usize) -> usize {
    (items / 4).max(1).next_power_of_two()
}

/// The prefix of the keys of a file's items: `crates/io/src/lib.rs` gives `crates/io/src-lib.rs-`.
pub(crate) fn key_head(path: &str) -> String {
    match path.rsplit_once('/') {
        Some((folder, name)) => format!("{folder}-{name}-"),
        None => format!("{path}-"),
    }
}

/// The checksum: the hash of all bytes except those of the checksum itself.
pub(crate) fn checksum(bytes: &[u8]) -> [u8; 32] {
    let head = bytes.get(..CHECKSUM.start).unwrap_or_default();
    let rest = bytes.get(CHECKSUM.end..).unwrap_or_default();
    *Hasher::new().field(head).field(rest).finish().as_bytes()
}
