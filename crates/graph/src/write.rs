//! Serialisation of [`MapData`] and [`MapParts`] into the format of `layout.rs`.
use std::sync::Arc;

use base::ItemKind;

use crate::MapData;
use crate::chunk::{ItemChunk, ParentRef};
use crate::data::{FileFlags, ItemFlags};
use crate::edge_chunk::{EdgeChunk, EdgeHead};
use crate::layout::{
    CHECKSUM, HEADER_LEN, MAGIC, SECTION_LEN, SECTIONS, Section, VERSION, bucket, buckets, checksum,
};
use crate::map::{Map, MapError};
use crate::parts::{MapParts, PartFile, PartUnresolved};
use crate::pool::TextPool;
use base::columns::{ColumnWriter, put_columns};

impl MapData {
    /// The serialised map; equal rows always give equal bytes. Rows that are out of order are
    /// sorted first, as by [`MapData::normalise`].
    pub fn to_bytes(&self) -> Vec<u8> {
        if self.is_normal() {
            return write(self);
        }
        let mut ordered = self.clone();
        ordered.normalise();
        write(&ordered)
    }
}

/// Serialises rows. The items of one file form one chunk; where rows are out of order, several.
fn write(data: &MapData) -> Vec<u8> {
    let mut pool = TextPool::default();
    let mut parents: Vec<(Option<u32>, Option<u32>)> = vec![(None, None); data.files.len()];
    for row in &data.items {
        let Some(of) = parents.get_mut(row.file as usize) else { continue };
        let place = if row.kind == ItemKind::File { &mut of.0 } else { &mut of.1 };
        *place = place.or(row.parent);
    }
    let mut chunks: Vec<ItemChunk> = Vec::new();
    let mut first = 0;
    for (n, row) in data.items.iter().enumerate() {
        if chunks.last().is_none_or(|chunk| chunk.file != row.file) {
            let path = data.files.get(row.file as usize).map_or("", |file| file.path.as_str());
            chunks.push(ItemChunk::new(row.file, path));
            first = n as u32;
        }
        let parents = parents.get(row.file as usize).copied().unwrap_or_default();
        let parents = if row.kind == ItemKind::File { parents.0 } else { parents.1 };
        let parent = match row.parent {
            None => ParentRef::None,
            Some(parent) if parents == Some(parent) => ParentRef::FromFile,
            Some(parent) if (first..n as u32).contains(&parent) => {
                ParentRef::InChunk(parent - first)
            }
            Some(parent) => ParentRef::Number(parent),
        };
        if let Some(chunk) = chunks.last_mut() {
            chunk.push(row, parent, &mut pool);
        }
    }
    let files = data.files.iter().zip(&parents);
    let files: Vec<PartFile<'_>> = files
        .map(|(row, (file_parent, item_parent))| PartFile {
            row,
            file_parent: *file_parent,
            item_parent: *item_parent,
        })
        .collect();
    let unresolved: Vec<PartUnresolved> = data
        .unresolved
        .iter()
        .map(|row| PartUnresolved {
            src: row.src,
            file: row.file,
            offset: row.offset,
            line: row.line,
            name: pool.put(&row.name),
            reason: row.reason,
        })
        .collect();
    let edges: Vec<EdgeChunk> = edges(data, &chunks);
    let targets: Vec<u32> = data.edges.iter().map(|edge| edge.dst).collect();
    let chunks: Vec<&ItemChunk> = chunks.iter().collect();
    let parts = MapParts {
        epoch: data.epoch,
        crates: &data.crates,
        files: &files,
        chunks: &chunks,
        by_id: &by_id(&chunks, data.items.len()),
        edges: &edges.iter().collect::<Vec<_>>(),
        targets: &targets,
        unresolved: &unresolved,
        problems: &data.problems,
    };
    seal(write_parts(&parts, &mut pool))
}

/// The edge chunks of the item chunks.
fn edges(data: &MapData, chunks: &[ItemChunk]) -> Vec<EdgeChunk> {
    let mut rest = data.edges.iter().enumerate().peekable();
    let mut sites = data.sites.iter().peekable();
    let mut src = 0;
    let of = |chunk: &ItemChunk| {
        let mut edges = EdgeChunk::new(chunk.file);
        for _ in 0..chunk.len() {
            while let Some((number, edge)) = rest.next_if(|(_, edge)| edge.src == src) {
                let head = EdgeHead {
                    kind: edge.kind,
                    tier: edge.tier,
                    provenance: edge.provenance,
                    rule: edge.rule,
                    weight: edge.weight,
                };
                let own = std::iter::from_fn(|| sites.next_if(|site| site.edge as usize == number));
                edges.push(head, own.map(|site| (site.file, site.offset, site.line)));
            }
            edges.end_item();
            src += 1;
        }
        edges
    };
    chunks.iter().map(of).collect()
}

impl Map {
    /// The map of these parts; `pool` is the pool of the chunks. It works like one that was opened,
    /// but has no checksum: [`Map::sealed`] gives the bytes to store.
    ///
    /// # Errors
    /// [`MapError::Content`] where its size overflows `usize`.
    pub fn from_parts(parts: &MapParts<'_>, pool: &mut TextPool) -> Result<Self, MapError> {
        Self::read(Arc::new(write_parts(parts, pool)))
    }

    /// The bytes of the map with their checksum, as [`Map::open`] expects them.
    pub fn sealed(&self) -> Vec<u8> {
        seal(self.bytes().to_vec())
    }
}

/// The serialised map without its checksum.
fn write_parts(parts: &MapParts<'_>, pool: &mut TextPool) -> Vec<u8> {
    let mut file = FileWriter::new(upper_bound(parts, pool));
    write_crates_and_files(parts, &mut file, pool);
    write_items(parts, &mut file);
    write_edges(parts, &mut file);
    write_unresolved(parts, &mut file);
    let mut problems = ColumnWriter::default();
    for problem in parts.problems {
        problems.push(pool.put(problem.path.as_str()));
        problems.push(problem.line);
        problems.push(pool.put(&problem.kind));
        problems.push(pool.put(&problem.message));
    }
    file.column(Section::Problems, &problems);
    file.column(Section::TextStarts, &pool.starts());
    file.bytes(Section::Texts, |out| out.extend_from_slice(pool.texts()));
    file.finish(parts.epoch)
}

/// An estimate of the size in bytes, rather too large: a buffer that grows is copied.
fn upper_bound(parts: &MapParts<'_>, pool: &TextPool) -> usize {
    let chunks = parts.chunks.iter().map(|chunk| chunk.records.len() + chunk.len() * 72);
    let sites = parts.edges.iter().map(|chunk| chunk.offsets.len()).sum::<usize>();
    chunks.sum::<usize>()
        + parts.targets.len() * 14
        + sites * 8
        + parts.unresolved.len() * 24
        + parts.files.len() * 64
        + pool.size() * 2
        + (1 << 16)
}

fn write_crates_and_files(parts: &MapParts<'_>, file: &mut FileWriter, pool: &mut TextPool) {
    let mut crates = ColumnWriter::default();
    for row in parts.crates {
        crates.push(pool.put(&row.name));
        crates.push(pool.put(&row.version));
        crates.push(pool.put(&row.kind));
        crates.push(row.root);
    }
    file.column(Section::Crates, &crates);
    let mut files = ColumnWriter::default();
    let mut parents = ColumnWriter::default();
    for PartFile { row, file_parent, item_parent } in parts.files {
        files.push(pool.put(row.path.as_str()));
        files.push(row.len);
        files.push(row.lines);
        files.push(row.parse_errors);
        files.push(u32::from(row.flags.to_bits()));
        parents.push(file_parent.map_or(0, |file_parent| file_parent.wrapping_add(1)));
        parents.push(item_parent.map_or(0, |item_parent| item_parent.wrapping_add(1)));
    }
    file.column(Section::Files, &files);
    file.column(Section::FileParents, &parents);
    file.bytes(Section::FileHashes, |out| {
        parts.files.iter().for_each(|it| out.extend_from_slice(it.row.hash.as_bytes()));
    });
}

fn write_items(parts: &MapParts<'_>, file: &mut FileWriter) {
    let chunks = parts.chunks;
    let count = parts.item_count();
    file.bytes(Section::Ids, |out| {
        chunks.iter().for_each(|chunk| out.extend_from_slice(&chunk.ids));
    });
    file.bytes(Section::TokenHashes, |out| {
        chunks.iter().for_each(|chunk| out.extend_from_slice(&chunk.token_hashes));
    });
    let mut starts = ColumnWriter::with_capacity(count + 1);
    let mut start = 0;
    for chunk in chunks {
        chunk.starts.iter().for_each(|at| starts.push(start + at));
        start += chunk.records.len() as u32;
    }
    starts.push(start);
    file.column(Section::ItemStarts, &starts);
    file.bytes(Section::Items, |out| {
        chunks.iter().for_each(|chunk| out.extend_from_slice(&chunk.records));
    });

    file.numbers(Section::ById, parts.by_id);

    let buckets = buckets(count);
    let of = chunks.iter().flat_map(|chunk| &chunk.names).map(|hash| bucket(*hash, buckets));
    let (starts, by_name) = group(buckets, count, of);
    file.numbers(Section::NameStarts, &starts);
    file.numbers(Section::ByName, &by_name);
}

/// Item numbers sorted by id. Sorts by the first half of the ids, which nearly always decides.
fn by_id(chunks: &[&ItemChunk], count: usize) -> Vec<u32> {
    let mut heads: Vec<(u64, u32)> = Vec::with_capacity(count);
    let mut tails: Vec<u64> = Vec::with_capacity(count);
    for id in chunks.iter().flat_map(|chunk| chunk.ids.as_chunks::<16>().0) {
        let id = u128::from_be_bytes(*id);
        heads.push(((id >> 64) as u64, tails.len() as u32));
        tails.push(id as u64);
    }
    heads.sort_unstable();
    for same in heads.chunk_by_mut(|a, b| a.0 == b.0).filter(|same| same.len() > 1) {
        same.sort_unstable_by_key(|(_, n)| (tails[*n as usize], *n));
    }
    heads.into_iter().map(|(_, n)| n).collect()
}

fn write_edges(parts: &MapParts<'_>, file: &mut FileWriter) {
    let (items, chunks) = (parts.item_count(), parts.edges);
    let edges = parts.targets.len();
    let mut out_starts = Vec::with_capacity(items + 1);
    let mut site_starts = Vec::with_capacity(edges + 1);
    let mut weights = ColumnWriter::default();
    let mut files = ColumnWriter::default();
    let (mut edge, mut site) = (0_u32, 0_u32);
    out_starts.push(0);
    site_starts.push(0);
    for chunk in chunks {
        out_starts.extend(chunk.ends.iter().map(|end| edge + end));
        site_starts.extend(chunk.site_ends.iter().map(|end| site + end));
        for (at, weight) in &chunk.weights {
            weights.push(edge + at);
            weights.push(*weight);
        }
        for (at, of) in &chunk.other_files {
            files.push(site + at);
            files.push(*of);
        }
        edge += chunk.len() as u32;
        site += chunk.offsets.len() as u32;
    }
    file.numbers(Section::OutStarts, &out_starts);
    file.numbers(Section::Targets, parts.targets);
    file.bytes(Section::EdgeKinds, |out| {
        chunks.iter().for_each(|chunk| out.extend_from_slice(&chunk.kinds));
    });
    file.bytes(Section::Rules, |out| {
        chunks.iter().for_each(|chunk| out.extend_from_slice(&chunk.rules));
    });
    file.numbers(Section::SiteStarts, &site_starts);
    file.column(Section::Weights, &weights);

    let (in_starts, incoming) = group(items, edges, parts.targets.iter().map(|to| *to as usize));
    file.numbers(Section::InStarts, &in_starts);
    file.numbers(Section::Incoming, &incoming);

    file.slices(Section::SiteOffsets, chunks.iter().map(|chunk| &*chunk.offsets));
    file.slices(Section::SiteLines, chunks.iter().map(|chunk| &*chunk.lines));
    file.column(Section::SiteFiles, &files);
}

fn write_unresolved(parts: &MapParts<'_>, file: &mut FileWriter) {
    let rows = parts.unresolved;
    let mut column = |section, value: &dyn Fn(&PartUnresolved) -> u32| {
        file.numbers(section, &rows.iter().map(value).collect::<Vec<u32>>());
    };
    column(Section::UnresolvedSources, &|row| row.src);
    column(Section::UnresolvedFiles, &|row| row.file.wrapping_add(1));
    column(Section::UnresolvedOffsets, &|row| row.offset);
    column(Section::UnresolvedLines, &|row| row.line);
    column(Section::UnresolvedNames, &|row| row.name);
    column(Section::UnresolvedReasons, &|row| u32::from(row.reason as u8));
}

/// Prefix sums in place: counts become starts.
fn accumulate(counts: &mut [u32]) {
    let mut sum = 0;
    for count in counts {
        sum += *count;
        *count = sum;
    }
}

/// Numbers `0..members` grouped by `of`, rising within a group, and the start of each group.
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

struct FileWriter {
    out: Vec<u8>,
}

impl FileWriter {
    fn new(capacity: usize) -> Self {
        let head = HEADER_LEN + SECTIONS * SECTION_LEN;
        let mut out = Vec::with_capacity(head + capacity);
        out.resize(head, 0);
        Self { out }
    }

    fn column(&mut self, section: Section, column: &ColumnWriter) {
        let start = self.out.len();
        let width = column.finish(&mut self.out);
        self.entry(section, start, width);
    }

    fn numbers(&mut self, section: Section, numbers: &[u32]) {
        self.slices(section, std::iter::once(numbers));
    }

    /// Writes a column that is given in slices.
    fn slices<'a>(&mut self, section: Section, slices: impl Iterator<Item = &'a [u32]> + Clone) {
        let start = self.out.len();
        let width = put_columns(&mut self.out, slices);
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
        self.out
    }
}

/// Fills in the checksum.
fn seal(mut bytes: Vec<u8>) -> Vec<u8> {
    let checksum = checksum(&bytes);
    bytes[CHECKSUM].copy_from_slice(&checksum);
    bytes
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
