//! The encoded items of one file. Start at [`FileChunk::new`].

use std::sync::Arc;

use base::{ContentHash, ItemId, ItemKind};
use graph::{FileFlags, FileRow, ItemChunk, ItemFlags, ItemRow, ParentRef, TextPool};

use crate::crate_slots::CrateSlots;
use crate::node_interner::{self, NONE, NodeInterner, duplicate_id};
use crate::nodes::FileNodes;
use crate::slot_tables::FileModule;
use crate::state::FileState;

/// The encoded items of one file.
#[derive(Debug)]
pub(crate) struct FileChunk {
    pub(crate) row: FileRow,
    pub(crate) chunk: ItemChunk,
    /// Rows with a feature in their cfg: the row, the feature's slot, whether it is required.
    pub(crate) gates: Vec<(u32, u32, bool)>,
    /// Canonical path, name and slot of features in `gates` that no package declares.
    pub(crate) undeclared: Vec<(String, String, u32)>,
    pub(crate) nodes: Arc<FileNodes>,
    slots: Vec<u32>,
    pub(crate) number: u32,
    pub(crate) krate: u32,
}

impl FileChunk {
    /// Encodes the items of a file; `row` is that of the file itself.
    pub(crate) fn new(
        file: &FileState,
        row: FileRow,
        (number, krate): (u32, u32),
        slots: &mut NodeInterner,
        rows: &[u32],
        fixed: &CrateSlots,
        pool: &mut TextPool,
    ) -> Self {
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
            ..bare(node_interner::file_id(path), ItemKind::File, path)
        };
        let holder = if krate == NONE { ParentRef::None } else { ParentRef::FromFile };
        chunk.push(&own, holder, pool);
        for (row, slot) in file.nodes.rows.iter().zip(rows) {
            let parent =
                row.parent.map_or(ParentRef::FromFile, |parent| ParentRef::InChunk(parent + 1));
            match slots.id(*slot).filter(|id| *id != row.id) {
                None => chunk.push(row, parent, pool),
                Some(id) => {
                    let mut copy = row.clone();
                    copy.id = id;
                    copy.disambiguator = duplicate_disambiguator(&copy);
                    chunk.push(&copy, parent, pool);
                }
            }
        }
        let (mut gates, mut undeclared) = (Vec::new(), Vec::new());
        for (at, feature, is_certain) in &file.nodes.gates {
            let Some(of) = file.nodes.rows.get(*at as usize) else { continue };
            let Some((slot, canon)) = fixed.feature_slot(of.krate, feature, slots) else {
                continue;
            };
            gates.push((*at, slot, *is_certain));
            undeclared.extend(canon.map(|canon| (canon, feature.to_string(), slot)));
        }
        Self {
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

    pub(crate) fn rows(&self) -> &[ItemRow] {
        &self.nodes.rows
    }

    /// The slot of each row.
    pub(crate) fn slots(&self) -> &[u32] {
        &self.slots
    }
}

/// The row of a file.
pub(crate) fn file_row(file: &FileState, module: FileModule) -> FileRow {
    FileRow {
        path: file.path.clone(),
        hash: file.hash,
        len: file.text.len() as u32,
        lines: file.lines,
        parse_errors: file.facts.file.parse_errors.len() as u32,
        flags: FileFlags {
            is_orphan: module.is_orphan,
            is_inactive: module.is_inactive,
            ..file.flags
        },
    }
}

/// A row for a node without text.
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

/// The disambiguator of a duplicate.
fn duplicate_disambiguator(row: &ItemRow) -> String {
    // Duplicates are few: the ordinal is found by trying.
    let found = (2..=1_000).map(|ordinal| duplicate_id(row, ordinal)).find(|(id, _)| *id == row.id);
    found.map_or_else(|| row.disambiguator.clone(), |(_, text)| text)
}
