use std::collections::HashMap;

use base::Hasher;

use crate::MapData;
use crate::column::{ColumnWriter, put_delta, put_varint};
use crate::data::{FileFlags, ItemFlags, ItemRow};
use crate::layout::{
    BLOCK, CHECKSUM, HEADER_LEN, MAGIC, SECTION_LEN, SECTIONS, Section, VERSION, bucket, buckets,
    key_head,
};

impl MapData {
    /// The map as one file; the same rows always give the same bytes. Rows that are out of order
    /// are ordered first, as [`MapData::normalise`] does.
    pub fn to_bytes(&self) -> Vec<u8> {
        if self.is_normal() {
            return write(self);
        }
        let mut ordered = self.clone();
        ordered.normalise();
        write(&ordered)
    }
}

fn write(data: &MapData) -> Vec<u8> {
    let mut file = FileWriter::new();
    let mut pool = Pool::default();
    write_crates_and_files(data, &mut file, &mut pool);
    write_items(data, &mut file, &mut pool);
    write_edges(data, &mut file);
    write_unresolved(data, &mut file, &mut pool);
    let mut problems = ColumnWriter::default();
    for problem in &data.problems {
        problems.push(pool.put(problem.path.as_str()));
        problems.push(problem.line);
        problems.push(pool.put(&problem.kind));
        problems.push(pool.put(&problem.message));
    }
    file.column(Section::Problems, &problems);
    file.column(Section::TextStarts, &pool.starts());
    file.bytes(Section::Texts, |out| out.extend_from_slice(&pool.texts));
    file.finish(data.epoch)
}

fn write_crates_and_files<'a>(data: &'a MapData, file: &mut FileWriter, pool: &mut Pool<'a>) {
    let mut crates = ColumnWriter::default();
    for row in &data.crates {
        crates.push(pool.put(&row.name));
        crates.push(pool.put(&row.version));
        crates.push(pool.put(&row.kind));
        crates.push(row.root);
    }
    file.column(Section::Crates, &crates);
    let mut files = ColumnWriter::default();
    for row in &data.files {
        files.push(pool.put(row.path.as_str()));
        files.push(row.len);
        files.push(row.lines);
        files.push(row.parse_errors);
        files.push(u32::from(row.flags.to_bits()));
    }
    file.column(Section::Files, &files);
    file.bytes(Section::FileHashes, |out| {
        data.files.iter().for_each(|row| out.extend_from_slice(row.hash.as_bytes()));
    });
}

fn write_items<'a>(data: &'a MapData, file: &mut FileWriter, pool: &mut Pool<'a>) {
    let items = &data.items;
    file.bytes(Section::Ids, |out| {
        items.iter().for_each(|row| out.extend_from_slice(&row.id.to_bytes()));
    });
    file.bytes(Section::TokenHashes, |out| {
        items.iter().for_each(|row| out.extend_from_slice(row.token_hash.as_bytes()));
    });
    let heads: Vec<String> = data.files.iter().map(|row| key_head(row.path.as_str())).collect();
    let mut starts = ColumnWriter::with_capacity(items.len() + 1);
    let mut records = Vec::with_capacity(items.len() * 48);
    let mut before = "";
    for (n, row) in items.iter().enumerate() {
        starts.push(records.len() as u32);
        let shared = if n % BLOCK == 0 { 0 } else { shared_prefix(before, &row.canon) };
        let head = heads.get(row.file as usize).map_or("", String::as_str);
        put_item(&mut records, n as u32, row, shared, head, pool);
        before = &row.canon;
    }
    starts.push(records.len() as u32);
    file.column(Section::ItemStarts, &starts);
    file.bytes(Section::Items, |out| out.extend_from_slice(&records));

    let mut by_id: Vec<([u8; 16], u32)> =
        items.iter().enumerate().map(|(n, row)| (row.id.to_bytes(), n as u32)).collect();
    by_id.sort_unstable();
    let by_id: Vec<u32> = by_id.into_iter().map(|(_, n)| n).collect();
    file.column(Section::ById, &by_id.into());

    let count = buckets(items.len());
    let of = items.iter().map(|row| bucket(&row.name, count));
    let (starts, by_name) = group(count, items.len(), of);
    file.column(Section::NameStarts, &starts.into());
    file.column(Section::ByName, &by_name.into());
}

/// One item: what is near to what stands before it takes a byte or two.
fn put_item<'a>(
    out: &mut Vec<u8>,
    n: u32,
    row: &'a ItemRow,
    shared: usize,
    key_head: &str,
    pool: &mut Pool<'a>,
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
    put_varint(out, row.file.wrapping_add(1));
    match row.parent {
        None => out.push(0),
        Some(parent) => {
            out.push(1);
            put_delta(out, n, parent);
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

fn write_edges(data: &MapData, file: &mut FileWriter) {
    let (items, edges) = (data.items.len(), data.edges.len());
    let mut out_starts = vec![0u32; items + 1];
    for edge in &data.edges {
        out_starts[edge.src as usize + 1] += 1;
    }
    accumulate(&mut out_starts);
    file.column(Section::OutStarts, &out_starts.into());

    let mut targets = ColumnWriter::with_capacity(edges);
    let mut kinds = ColumnWriter::with_capacity(edges);
    let mut rules = ColumnWriter::with_capacity(edges);
    for edge in &data.edges {
        targets.push(edge.dst);
        kinds.push(u32::from(
            edge.kind as u8 | (edge.tier as u8) << 3 | (edge.provenance as u8) << 4,
        ));
        rules.push(u32::from(edge.rule));
    }
    file.column(Section::Targets, &targets);
    file.column(Section::EdgeKinds, &kinds);
    file.column(Section::Rules, &rules);

    let mut site_starts = vec![0u32; edges + 1];
    for site in &data.sites {
        site_starts[site.edge as usize + 1] += 1;
    }
    let mut weights = ColumnWriter::default();
    for (n, edge) in data.edges.iter().enumerate() {
        if edge.weight != site_starts[n + 1].max(1) {
            weights.push(n as u32);
            weights.push(edge.weight);
        }
    }
    accumulate(&mut site_starts);
    file.column(Section::SiteStarts, &site_starts.into());
    file.column(Section::Weights, &weights);

    let (in_starts, incoming) =
        group(items, edges, data.edges.iter().map(|edge| edge.dst as usize));
    file.column(Section::InStarts, &in_starts.into());
    file.column(Section::Incoming, &incoming.into());

    let mut offsets = ColumnWriter::with_capacity(data.sites.len());
    let mut lines = ColumnWriter::with_capacity(data.sites.len());
    let mut files = ColumnWriter::default();
    for (n, site) in data.sites.iter().enumerate() {
        offsets.push(site.offset);
        lines.push(site.line);
        let src = data.edges[site.edge as usize].src;
        if data.items[src as usize].file != site.file {
            files.push(n as u32);
            files.push(site.file);
        }
    }
    file.column(Section::SiteOffsets, &offsets);
    file.column(Section::SiteLines, &lines);
    file.column(Section::SiteFiles, &files);
}

fn write_unresolved<'a>(data: &'a MapData, file: &mut FileWriter, pool: &mut Pool<'a>) {
    let rows = &data.unresolved;
    let mut column = |section, value: &mut dyn FnMut(&'a crate::UnresolvedRow) -> u32| {
        file.column(section, &rows.iter().map(value).collect::<Vec<u32>>().into());
    };
    column(Section::UnresolvedSources, &mut |row| row.src);
    column(Section::UnresolvedFiles, &mut |row| row.file.wrapping_add(1));
    column(Section::UnresolvedOffsets, &mut |row| row.offset);
    column(Section::UnresolvedLines, &mut |row| row.line);
    column(Section::UnresolvedNames, &mut |row| pool.put(&row.name));
    column(Section::UnresolvedReasons, &mut |row| u32::from(row.reason as u8));
}

/// Counts become starts.
fn accumulate(counts: &mut [u32]) {
    let mut sum = 0;
    for count in counts {
        sum += *count;
        *count = sum;
    }
}

/// `members` numbers by group, in rising order within one, and where each group begins.
fn group(
    groups: usize,
    members: usize,
    of: impl Iterator<Item = usize> + Clone,
) -> (Vec<u32>, Vec<u32>) {
    let mut starts = vec![0u32; groups + 1];
    of.clone().for_each(|group| starts[group + 1] += 1);
    accumulate(&mut starts);
    let mut next = starts.clone();
    let mut grouped = vec![0u32; members];
    for (n, group) in of.enumerate() {
        grouped[next[group] as usize] = n as u32;
        next[group] += 1;
    }
    (starts, grouped)
}

/// Texts that occur often, each once, in the order of their first use.
#[derive(Default)]
struct Pool<'a> {
    numbers: HashMap<&'a str, u32>,
    ends: Vec<u32>,
    texts: Vec<u8>,
}

impl<'a> Pool<'a> {
    fn put(&mut self, text: &'a str) -> u32 {
        let next = self.ends.len() as u32;
        let number = *self.numbers.entry(text).or_insert(next);
        if number == next {
            self.texts.extend_from_slice(text.as_bytes());
            self.ends.push(self.texts.len() as u32);
        }
        number
    }

    fn starts(&self) -> ColumnWriter {
        [0].into_iter().chain(self.ends.iter().copied()).collect::<Vec<u32>>().into()
    }
}

struct FileWriter {
    out: Vec<u8>,
}

impl FileWriter {
    fn new() -> Self {
        Self { out: vec![0; HEADER_LEN + SECTIONS * SECTION_LEN] }
    }

    fn column(&mut self, section: Section, column: &ColumnWriter) {
        let start = self.out.len();
        let width = column.finish(&mut self.out);
        self.entry(section, start, width);
    }

    fn bytes(&mut self, section: Section, fill: impl FnOnce(&mut Vec<u8>)) {
        let start = self.out.len();
        fill(&mut self.out);
        self.entry(section, start, 1);
    }

    fn entry(&mut self, section: Section, start: usize, width: u8) {
        let at = HEADER_LEN + section as usize * SECTION_LEN;
        let numbers = [start as u64, (self.out.len() - start) as u64, u64::from(width)];
        for (number, place) in numbers.iter().zip(self.out[at..].chunks_exact_mut(8)) {
            place.copy_from_slice(&number.to_le_bytes());
        }
    }

    fn finish(mut self, epoch: u64) -> Vec<u8> {
        let length = self.out.len() as u64;
        self.out[..8].copy_from_slice(&MAGIC);
        self.out[8..12].copy_from_slice(&VERSION.to_le_bytes());
        self.out[12..16].copy_from_slice(&(SECTIONS as u32).to_le_bytes());
        self.out[16..24].copy_from_slice(&epoch.to_le_bytes());
        self.out[24..32].copy_from_slice(&length.to_le_bytes());
        let checksum = checksum(&self.out);
        self.out[CHECKSUM].copy_from_slice(&checksum);
        self.out
    }
}

/// Of all bytes but those of the checksum itself.
pub(crate) fn checksum(bytes: &[u8]) -> [u8; 32] {
    let head = bytes.get(..CHECKSUM.start).unwrap_or_default();
    let rest = bytes.get(CHECKSUM.end..).unwrap_or_default();
    *Hasher::new().field(head).field(rest).finish().as_bytes()
}

impl FileFlags {
    pub(crate) fn to_bits(self) -> u8 {
        u8::from(self.is_generated)
            | u8::from(self.is_vendored) << 1
            | u8::from(self.is_orphan) << 2
            | u8::from(self.is_inactive) << 3
    }

    pub(crate) fn from_bits(bits: u8) -> Self {
        Self {
            is_generated: bits & 1 != 0,
            is_vendored: bits & 2 != 0,
            is_orphan: bits & 4 != 0,
            is_inactive: bits & 8 != 0,
        }
    }
}

impl ItemFlags {
    pub(crate) fn to_bits(self) -> u8 {
        u8::from(self.is_test)
            | u8::from(self.is_local) << 1
            | u8::from(self.is_recovered) << 2
            | u8::from(self.from_macro) << 3
            | u8::from(self.is_inactive) << 4
            | u8::from(self.has_docs) << 5
    }

    pub(crate) fn from_bits(bits: u8) -> Self {
        Self {
            is_test: bits & 1 != 0,
            is_local: bits & 2 != 0,
            is_recovered: bits & 4 != 0,
            from_macro: bits & 8 != 0,
            is_inactive: bits & 16 != 0,
            has_docs: bits & 32 != 0,
        }
    }
}
