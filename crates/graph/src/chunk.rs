use crate::column::{put_delta, put_varint};
use crate::data::ItemRow;
use crate::layout::{
    BLOCK, PARENT_AROUND, PARENT_AT, PARENT_BESIDE, PARENT_NONE, hash_of_name, key_head,
};
use crate::pool::TextPool;

/// The items of one file (or those of none) as they stand in a map. Nothing in it depends on what
/// stands before: it is written once, and taken into every map until the file is another.
#[derive(Clone, Debug)]
pub struct ItemChunk {
    pub(crate) file: u32,
    key_head: String,
    /// The path of the last item.
    last: String,
    pub(crate) ids: Vec<u8>,
    pub(crate) token_hashes: Vec<u8>,
    pub(crate) starts: Vec<u32>,
    pub(crate) records: Vec<u8>,
    pub(crate) names: Vec<u32>,
}

/// The item that holds an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parent {
    /// There is none.
    None,
    /// Another of the chunk: its index there.
    Beside(u32),
    /// What the file says is around it: [`crate::PartFile::holder`] of the file itself,
    /// [`crate::PartFile::home`] of what stands in it.
    Around,
    /// This number, in whatever map.
    At(u32),
}

impl ItemChunk {
    /// An empty one, of the file of this number at this path; `u32::MAX`: of none.
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

    /// Adds an item. Its `file` and `parent` are not looked at.
    pub fn push(&mut self, row: &ItemRow, parent: Parent, pool: &mut TextPool) {
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

    /// How many items it has.
    pub fn len(&self) -> usize {
        self.starts.len()
    }

    /// It has none.
    pub fn is_empty(&self) -> bool {
        self.starts.is_empty()
    }
}

/// One item: what is near to what stands before it takes a byte or two.
fn put_item(
    out: &mut Vec<u8>,
    (row, file): (&ItemRow, u32),
    (n, parent): (u32, Parent),
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
    // None is the largest number, so one up it is 0.
    put_varint(out, row.krate.wrapping_add(1));
    put_varint(out, file.wrapping_add(1));
    match parent {
        Parent::None => out.push(PARENT_NONE),
        Parent::Beside(parent) => {
            out.push(PARENT_BESIDE);
            put_delta(out, n, parent);
        }
        Parent::Around => out.push(PARENT_AROUND),
        Parent::At(parent) => {
            out.push(PARENT_AT);
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
    // A name is nearly always the end of the path, and a key the head of its file with an end of
    // the path behind it.
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

/// How many bytes the two begin with alike, at a border of characters.
fn shared_prefix(before: &str, text: &str) -> usize {
    let alike = before.bytes().zip(text.bytes()).take_while(|(a, b)| a == b).count();
    (0..=alike).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

/// The length of the longest end of `canon`, from a `::` on, that `rest` begins with.
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
