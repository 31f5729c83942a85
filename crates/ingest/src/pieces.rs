use std::sync::Arc;

use base::{ContentHash, ItemId};
use graph::{FileFlags, FileRow, ItemChunk, ItemFlags, ItemKind, ItemRow, ParentRef, TextPool};

use crate::assemble::Home;
use crate::crates::Crates;
use crate::fixed::Fixed;
use crate::links::FileLinks;
use crate::nodes::{FileNodes, twin_id};
use crate::slots::{self, NONE, Slots};
use crate::spare::Spare;
use crate::state::FileState;
use crate::wires::{Segment, Wire};

/// How much the pool of texts may hold that nothing says any more, besides what it began with.
const STALE_TEXTS: usize = 1 << 20;

/// What the maps of one process have in common: the items of each file, written once.
#[derive(Debug, Default)]
pub(crate) struct Pieces {
    pub(crate) pool: TextPool,
    /// By file.
    files: Vec<Arc<Piece>>,
    /// By file: the links of which `reach` is.
    links: Vec<Arc<FileLinks>>,
    /// By file: slots of what its links lead to outside, each once.
    pub(crate) reach: Vec<Vec<u32>>,
    /// By file: what it adds to the edges.
    pub(crate) wires: Vec<Arc<Wire>>,
    /// The edges of files, then of crates, then of the rest.
    pub(crate) segments: Vec<Arc<Segment>>,
    /// The slots of all items by their ids.
    pub(crate) by_id: Vec<u32>,
    pub(crate) fixed: Option<Arc<Fixed>>,
    pub(crate) tail: Option<Tail>,
    /// Slots of all that lies outside, by canonical path.
    pub(crate) outside: Vec<u32>,
    first_size: usize,
    pub(crate) spare: Spare,
}

/// One file as it stands in maps.
#[derive(Debug)]
pub(crate) struct Piece {
    pub(crate) row: FileRow,
    pub(crate) chunk: ItemChunk,
    /// Rows behind features: the row, the feature's slot, whether that is certain.
    pub(crate) gates: Vec<(u32, u32, bool)>,
    /// Canonical path, name and slot of features in `gates` that no package has.
    pub(crate) undeclared: Vec<(String, String, u32)>,
    nodes: Arc<FileNodes>,
    slots: Vec<u32>,
    pub(crate) number: u32,
    krate: u32,
}

impl Piece {
    pub(crate) fn rows(&self) -> &[ItemRow] {
        &self.nodes.rows
    }

    /// Of each row.
    pub(crate) fn slots(&self) -> &[u32] {
        &self.slots
    }
}

/// The items that stand in no file.
#[derive(Debug)]
pub(crate) struct Tail {
    pub(crate) crates: Arc<Crates>,
    pub(crate) slots: Vec<u32>,
    pub(crate) chunk: ItemChunk,
}

impl Pieces {
    /// Forgets everything when too much of it is of former maps.
    pub(crate) fn tidy(&mut self) {
        if self.pool.size() > self.first_size * 2 + STALE_TEXTS {
            *self = Self::default();
        }
    }

    /// The pieces of all files, those made again that changed.
    pub(crate) fn of_files(
        &mut self,
        files: &[FileState],
        slots: &mut Slots,
        rows: &[Vec<u32>],
        homes: &[Home],
        fixed: &Arc<Fixed>,
    ) -> Vec<Arc<Piece>> {
        let is_first = self.files.is_empty();
        // Features are those of the crates.
        if self.fixed.as_ref().is_none_or(|known| !Arc::ptr_eq(known, fixed)) {
            self.files.clear();
            self.wires.clear();
            self.segments.clear();
            self.fixed = Some(fixed.clone());
        }
        let mut pieces = Vec::with_capacity(files.len());
        let mut known = std::mem::take(&mut self.files).into_iter().peekable();
        for (number, file) in files.iter().enumerate() {
            let home = homes[number];
            let row = file_row(file, home);
            while known.next_if(|piece| piece.row.path < row.path).is_some() {}
            let same = known.next_if(|piece| piece.row.path == row.path).filter(|piece| {
                piece.row == row
                    && piece.number == number as u32
                    && piece.krate == home.krate
                    && Arc::ptr_eq(&piece.nodes, &file.nodes)
                    && piece.slots == rows[number]
            });
            pieces.push(same.unwrap_or_else(|| {
                let own = (number as u32, home.krate);
                Arc::new(self.piece(file, row, own, slots, &rows[number], fixed))
            }));
        }
        self.files.clone_from(&pieces);
        if is_first {
            self.first_size = self.pool.size();
        }
        pieces
    }

    /// Brings what links lead to outside up to date.
    pub(crate) fn reach(&mut self, files: &[FileState], slots: &Slots) {
        self.links.resize_with(files.len(), Arc::default);
        self.reach.resize_with(files.len(), Vec::new);
        for (file, (known, reach)) in files.iter().zip(self.links.iter_mut().zip(&mut self.reach)) {
            let Some(links) = file.links.as_ref().filter(|links| !Arc::ptr_eq(links, known)) else {
                continue;
            };
            known.clone_from(links);
            reach.clear();
            reach.extend(links.links.iter().map(|link| link.dst));
            reach.sort_unstable();
            reach.dedup();
            reach.retain(|slot| slots.outside(*slot).is_some());
        }
    }

    fn piece(
        &mut self,
        file: &FileState,
        row: FileRow,
        (number, krate): (u32, u32),
        slots: &mut Slots,
        rows: &[u32],
        fixed: &Fixed,
    ) -> Piece {
        let path = file.path.as_str();
        let mut chunk = ItemChunk::new(number, path);
        let own = ItemRow {
            krate,
            span: (0, row.len),
            signature_end: row.len,
            line: 1,
            end_line: row.lines.max(1),
            parse_errors: row.parse_errors,
            token_hash: row.hash,
            name: file.path.file_name().to_owned(),
            flags: ItemFlags { is_inactive: row.flags.is_inactive, ..ItemFlags::default() },
            ..bare(slots::file_id(path), ItemKind::File, path)
        };
        let holder = if krate == NONE { ParentRef::None } else { ParentRef::FromFile };
        chunk.push(&own, holder, &mut self.pool);
        for (row, slot) in file.nodes.rows.iter().zip(rows) {
            let parent =
                row.parent.map_or(ParentRef::FromFile, |parent| ParentRef::InChunk(parent + 1));
            match slots.id(*slot).filter(|id| *id != row.id) {
                None => chunk.push(row, parent, &mut self.pool),
                Some(id) => {
                    let mut twin = row.clone();
                    twin.id = id;
                    twin.disambiguator = twin_text(&twin);
                    chunk.push(&twin, parent, &mut self.pool);
                }
            }
        }
        let (mut gates, mut undeclared) = (Vec::new(), Vec::new());
        for (at, feature, is_certain) in &file.nodes.gates {
            let Some(of) = file.nodes.rows.get(*at as usize) else { continue };
            let Some((slot, canon)) = fixed.asked(of.krate, feature, slots) else { continue };
            gates.push((*at, slot, *is_certain));
            undeclared.extend(canon.map(|canon| (canon, feature.to_string(), slot)));
        }
        Piece {
            row,
            chunk,
            gates,
            undeclared,
            nodes: file.nodes.clone(),
            slots: rows.to_vec(),
            number,
            krate,
        }
    }
}

fn file_row(file: &FileState, home: Home) -> FileRow {
    FileRow {
        path: file.path.clone(),
        hash: file.hash,
        len: file.text.len() as u32,
        lines: file.lines,
        parse_errors: file.facts.file.parse_errors.len() as u32,
        flags: FileFlags { is_orphan: home.is_orphan, is_inactive: home.is_inactive, ..file.flags },
    }
}

/// A row of what has no text of its own.
pub(crate) fn bare(id: ItemId, kind: ItemKind, canon: &str) -> ItemRow {
    ItemRow {
        id,
        key: canon.to_owned(),
        canon: canon.to_owned(),
        disambiguator: String::new(),
        kind,
        name: canon.to_owned(),
        krate: NONE,
        file: NONE,
        parent: None,
        span: (0, 0),
        code_start: 0,
        signature_end: 0,
        name_span: (0, 0),
        line: 0,
        end_line: 0,
        visibility: String::new(),
        token_hash: ContentHash::of(canon.as_bytes()),
        parse_errors: 0,
        cfg: String::new(),
        flags: ItemFlags::default(),
    }
}

/// The disambiguator that gave a twin its id.
fn twin_text(row: &ItemRow) -> String {
    // Twins of twins are few: the ordinal is found again by trying.
    let found = (2..=1_000).map(|ordinal| twin_id(row, ordinal)).find(|(id, _)| *id == row.id);
    found.map_or_else(|| row.disambiguator.clone(), |(_, text)| text)
}
