//! [`ItemChunk`]: the encoded items of one file, reusable from map to map.
use crate::data::ItemRow;
use crate::layout::{
    BLOCK, PARENT_FROM_FILE, PARENT_NONE, PARENT_NUMBER, PARENT_RELATIVE, hash_of_name, key_head,
};
use crate::pool::TextPool;
use base::columns::{put_delta, put_varint};

/// The items of one file (or of none), encoded as in a map and independent of what precedes them:
/// encoded once and copied into every map until the file changes.
#[derive(Clone, Debug)]
pub struct ItemChunk {
    pub(crate) file: u32,
    key_head: String,
    /// Canonical path of the last item, for front coding.
    last: String,
    pub(crate) ids: Vec<u8>,
    pub(crate) token_hashes: Vec<u8>,
    pub(crate) starts: Vec<u32>,
    pub(crate) records: Vec<u8>,
    pub(crate) names: Vec<u32>,
}

/// The parent of an item in a chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParentRef {
    /// No parent.
    None,
    /// An item of the same chunk: its index there.
    InChunk(u32),
    /// The parent that the file gives: [`crate::PartFile::file_parent`] for the file's own item,
    /// [`crate::PartFile::item_parent`] for the items in it.
    FromFile,
    /// The item with this number in the map.
    Number(u32),
}

impl ItemChunk {
    /// An empty chunk for file number `file` at `path`; `u32::MAX`: items without a file.
    pub fn new(file: u32, path: &str) -> Self {
        Self {
            file,
            key_head: if file == u32::MAX { String::new() } else { key_head(path) },
            last: String::new(),
            ids: Vec::new(),
            token_hashes: Vec::new(),
            starts: Vec::new(),
            records: Vec::new(),
            names: Vec::new(),
        }
    }

    /// Adds an item. `row.file` and `row.parent` are ignored.
    pub fn push(&mut self, row: &ItemRow, parent: ParentRef, pool: &mut TextPool) {
        let n = self.starts.len() as u32;
        self.starts.push(self.records.len() as u32);
        self.ids.extend_from_slice(&row.id.to_bytes());
        self.token_hashes.extend_from_slice(row.token_hash.as_bytes());
        self.names.push(hash_of_name(&row.name));
        let is_first = (n as usize).is_multiple_of(BLOCK);
        let shared = if is_first { 0 } else { shared_prefix(&self.last, &row.canon) };
        put_item(&mut self.records, (row, self.file), (n, parent), shared, &self.key_head, pool);
        self.last.clone_from(&row.canon);
    }

    /// The number of items.
    pub(crate) fn len(&self) -> usize {
        self.starts.len()
    }
}

/// Encodes one item: values close to those of the previous item take a byte or two.
fn put_item(
    out: &mut Vec<u8>,
    (row, file): (&ItemRow, u32),
    (n, parent): (u32, ParentRef),
    shared: usize,
    key_head: &str,
    pool: &mut TextPool,
) {
    put_varint(out, shared as u32);
    put_text(out, &row.canon[shared..]);
    out.push(row.kind as u8);
    let is_rare = !row.disambiguator.is_empty() || !row.cfg.is_empty() || row.parse_errors > 0;
    out.push(row.flags.to_bits() | u8::from(is_rare) << 7);
    if is_rare {
        put_varint(out, pool.put(&row.disambiguator));
        put_varint(out, pool.put(&row.cfg));
        put_varint(out, row.parse_errors);
    }
    // `u32::MAX` (none) plus one wraps to 0.
    put_varint(out, row.krate.wrapping_add(1));
    put_varint(out, file.wrapping_add(1));
    match parent {
        ParentRef::None => out.push(PARENT_NONE),
        ParentRef::InChunk(parent) => {
            out.push(PARENT_RELATIVE);
            put_delta(out, n, parent);
        }
        ParentRef::FromFile => out.push(PARENT_FROM_FILE),
        ParentRef::Number(parent) => {
            out.push(PARENT_NUMBER);
            put_varint(out, parent);
        }
    }
    put_varint(out, row.span.0);
    put_delta(out, row.span.0, row.span.1);
    put_delta(out, row.span.0, row.code_start);
    put_delta(out, row.code_start, row.signature_end);
    put_delta(out, row.code_start, row.name_span.0);
    put_delta(out, row.name_span.0, row.name_span.1);
    put_varint(out, row.line);
    put_delta(out, row.line, row.end_line);
    put_varint(out, pool.put(&row.visibility));
    // A name is nearly always the end of the path, and a key is the prefix of its file followed by
    // the end of the path.
    if row.canon.ends_with(&row.name) {
        put_varint(out, row.name.len() as u32 + 1);
    } else {
        out.push(0);
        put_varint(out, pool.put(&row.name));
    }
    let rest = row.key.strip_prefix(key_head).filter(|_| !key_head.is_empty());
    let has_head = rest.is_some();
    let rest = rest.unwrap_or(&row.key);
    let tail = longest_tail(&row.canon, rest);
    put_varint(out, (tail as u32) << 1 | u32::from(has_head));
    put_text(out, &rest[tail..]);
}

fn put_text(out: &mut Vec<u8>, text: &str) {
    put_varint(out, text.len() as u32);
    out.extend_from_slice(text.as_bytes());
}

/// The length of the common prefix in bytes, at a character boundary.
fn shared_prefix(before: &str, text: &str) -> usize {
    let alike = before.bytes().zip(text.bytes()).take_while(|(a, b)| a == b).count();
    (0..=alike).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

/// The length of the longest suffix of `canon`, after a `::`, that `rest` begins with.
fn longest_tail(canon: &str, rest: &str) -> usize {
    if rest.starts_with(canon) {
        return canon.len();
    }
    canon
        .match_indices("::")
        .map(|(at, _)| &canon[at + 2..])
        .find(|tail| rest.starts_with(tail))
        .map_or(0, str::len)
}
