//! How the file is laid out: a header, a table of sections, the sections.
//!
//! All numbers are little endian. Header: magic (8 bytes), version (u32), number of sections
//! (u32), epoch (u64), length of the whole file (u64), blake3 of all but itself (32 bytes). Then
//! for each section its start (u64), its length (u64) and how wide its numbers are (u64; 1 for
//! bytes). A section's name is its place in [`Section`].

pub(crate) const MAGIC: [u8; 8] = *b"graftmap";

/// Grows with every change of the layout or of what a section means; others are rebuilt.
pub(crate) const VERSION: u32 = 2;

pub(crate) const HEADER_LEN: usize = 64;
pub(crate) const SECTION_LEN: usize = 24;
pub(crate) const CHECKSUM: std::ops::Range<usize> = 32..64;

/// How many items of a file share one front-coded run of canonical paths: reading one path walks at
/// most so many records.
pub(crate) const BLOCK: usize = 16;

/// How a record names the item that holds its own: not at all, by the way to it, as what
/// [`Section::Around`] says of the file, by its number.
pub(crate) const PARENT_NONE: u8 = 0;
pub(crate) const PARENT_BESIDE: u8 = 1;
pub(crate) const PARENT_AROUND: u8 = 2;
pub(crate) const PARENT_AT: u8 = 3;

/// The sections, in the order of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub(crate) enum Section {
    /// Where the texts of the pool begin, and where the last one ends.
    TextStarts,
    /// The texts of the pool, one behind the other.
    Texts,
    /// Crates: name, version, kind (texts), root; four numbers a row.
    Crates,
    /// Files: path (text), length, lines, parse errors, flags; five numbers a row.
    Files,
    /// Files: the item that holds the file's own, the item that holds what stands in it; one up, 0
    /// for none; two numbers a row.
    Around,
    /// Files' hashes, 32 bytes a row.
    FileHashes,
    /// Items' ids, 16 bytes a row.
    Ids,
    /// Items' token hashes, 32 bytes a row.
    TokenHashes,
    /// Where the records of items begin.
    ItemStarts,
    /// The records of items.
    Items,
    /// Item numbers sorted by id.
    ById,
    /// Where the buckets of names begin in `ByName`.
    NameStarts,
    /// Item numbers by bucket of their name's hash.
    ByName,
    /// Where an item's edges begin in the edge columns.
    OutStarts,
    /// Targets of edges.
    Targets,
    /// Kind (3 bits), tier (1 bit), provenance (1 bit) of edges.
    EdgeKinds,
    /// Rules of edges.
    Rules,
    /// Where an edge's sites begin.
    SiteStarts,
    /// Edges whose weight is not the number of their sites (1 for none): edge, weight.
    Weights,
    /// Where an item's incoming edges begin in `Incoming`.
    InStarts,
    /// Numbers of edges, by target.
    Incoming,
    /// Sites: where.
    SiteOffsets,
    /// Sites: line.
    SiteLines,
    /// Sites that lie in another file than the edge's source: site, file.
    SiteFiles,
    /// Unresolved sites: source, file, offset, line, name (text), reason; six columns, one behind
    /// the other, would have one width: so each has a section.
    UnresolvedSources,
    /// Unresolved sites: file + 1, 0 for none.
    UnresolvedFiles,
    /// Unresolved sites: where.
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

/// Of a name, for its bucket.
pub(crate) fn hash_of_name(name: &str) -> u32 {
    // FNV-1a: short names, no wish to be attacked – a flood makes a look-up slow, not wrong.
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

/// How many buckets `items` names get: about four names each.
pub(crate) fn buckets(items: usize) -> usize {
    (items / 4).max(1).next_power_of_two()
}

/// What the keys of a file's items begin with: `crates/io/src/lib.rs` gives
/// `crates/io/src-lib.rs-`.
pub(crate) fn key_head(path: &str) -> String {
    match path.rsplit_once('/') {
        Some((folder, name)) => format!("{folder}-{name}-"),
        None => format!("{path}-"),
    }
}
