//! [`Map`]: opening the serialised map and reading its files, crates and problems in place. Items
//! are read in `item.rs`, edges in `edge.rs`, lookup by name is in `find.rs`.
use std::fmt;
use std::sync::Arc;

use base::{ContentHash, Hint, ItemId};

use crate::data::FileFlags;
use crate::layout::{
    CHECKSUM, HEADER_LEN, MAGIC, SECTION_LEN, SECTIONS, Section, VERSION, checksum,
};
use base::columns::Column;

/// The code map, read in place from its serialised bytes.
///
/// Invariant: [`Map::open`] has checked version, lengths and checksum. Every access is
/// bounds-checked as well, so that a file with a forged checksum gives `None` or nothing, never a
/// panic. Clones share the bytes.
#[derive(Clone)]
pub struct Map {
    bytes: Arc<dyn AsRef<[u8]> + Send + Sync>,
    sections: [(usize, usize, u8); SECTIONS],
    epoch: u64,
}

/// Why some bytes cannot be opened as a map.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MapError {
    /// The length differs from the length in the header, or is below the minimum.
    #[error("map has {found} bytes, expected {expected}")]
    Length {
        /// Expected length in bytes.
        expected: u64,
        /// Actual length in bytes.
        found: u64,
    },
    /// The magic number is missing.
    #[error("not a graftage index")]
    Magic,
    /// The bytes were written in another version of the format.
    #[error("index has format version {found}, expected {VERSION}")]
    Version {
        /// Version of the bytes.
        found: u32,
    },
    /// The bytes differ from what was written.
    #[error("index has a wrong checksum")]
    Checksum,
    /// A section or row is invalid although the checksum is correct.
    #[error("index has corrupt {0}")]
    Content(&'static str),
}

impl Hint for MapError {
    fn hint(&self) -> Option<String> {
        Some("run `graftage index --full`".to_owned())
    }
}

impl Map {
    /// Checks header and checksum; reads nothing else.
    pub fn open(bytes: Arc<dyn AsRef<[u8]> + Send + Sync>) -> Result<Self, MapError> {
        let all = (*bytes).as_ref();
        let found = all.len() as u64;
        let least = HEADER_LEN + SECTIONS * SECTION_LEN;
        if all.get(..8).is_some_and(|magic| *magic != MAGIC) {
            return Err(MapError::Magic);
        }
        let version = u64_at(all, 8).map(|number| number as u32);
        if let Some(version) = version.filter(|version| *version != VERSION) {
            return Err(MapError::Version { found: version });
        }
        let expected = u64_at(all, 24).unwrap_or(least as u64);
        if found != expected || all.len() < least {
            return Err(MapError::Length { expected: expected.max(least as u64), found });
        }
        if all.get(CHECKSUM) != Some(&checksum(all)) {
            return Err(MapError::Checksum);
        }
        Self::read(bytes)
    }

    /// Reads the section table.
    pub(crate) fn read(bytes: Arc<dyn AsRef<[u8]> + Send + Sync>) -> Result<Self, MapError> {
        let all = (*bytes).as_ref();
        let mut sections = [(0, 0, 1); SECTIONS];
        for (n, section) in sections.iter_mut().enumerate() {
            let at = HEADER_LEN + n * SECTION_LEN;
            let number =
                |idx: usize| u64_at(all, at + 8 * idx).and_then(|n| usize::try_from(n).ok());
            let (Some(start), Some(len), Some(width)) = (number(0), number(1), number(2)) else {
                return Err(MapError::Content("sections"));
            };
            let end = start.checked_add(len).filter(|end| *end <= all.len());
            let (Some(end), 1..=4) = (end, width) else {
                return Err(MapError::Content("sections"));
            };
            *section = (start, end, width as u8);
        }
        let epoch = u64_at(all, 16).unwrap_or_default();
        Ok(Self { bytes, sections, epoch })
    }

    /// An empty map.
    pub fn empty() -> Result<Self, MapError> {
        Self::open(Arc::new(crate::MapData::default().to_bytes()))
    }

    /// The epoch: the state of the sources that the map was built from.
    pub fn epoch(&self) -> u64 {
        self.epoch
    }

    /// The checksum in the header, which [`Map::open`] has verified. All zeros in a map that was
    /// built from parts and is not sealed yet.
    pub fn checksum(&self) -> ContentHash {
        Self::checksum_in(self.bytes())
    }

    /// The checksum in the header of serialised bytes, without verifying it.
    pub fn checksum_in(bytes: &[u8]) -> ContentHash {
        let stored = bytes.get(CHECKSUM).and_then(|bytes| bytes.try_into().ok());
        ContentHash::from_bytes(stored.unwrap_or_default())
    }

    /// The number of items; all item numbers are below it.
    pub fn item_count(&self) -> u32 {
        (self.section(Section::Ids).len() / 16) as u32
    }

    /// The number of edges; all edge numbers are below it.
    pub fn edge_count(&self) -> u32 {
        self.column(Section::Targets).len() as u32
    }

    /// The number of files.
    pub fn file_count(&self) -> u32 {
        (self.section(Section::FileHashes).len() / 32) as u32
    }

    /// The number of crates.
    pub fn crate_count(&self) -> u32 {
        (self.column(Section::Crates).len() / 4) as u32
    }

    /// The file with this number.
    pub fn file(&self, number: u32) -> Option<FileView<'_>> {
        let at = number as usize * 5;
        let files = self.column(Section::Files);
        let hash = self.section(Section::FileHashes).get(number as usize * 32..)?.get(..32)?;
        Some(FileView {
            number,
            path: self.text(files.get(at)?)?,
            hash: ContentHash::from_bytes(hash.try_into().ok()?),
            len: files.get(at + 1)?,
            lines: files.get(at + 2)?,
            parse_errors: files.get(at + 3)?,
            flags: FileFlags::from_bits(files.get(at + 4)? as u8),
        })
    }

    /// All files, sorted by path.
    pub fn files(&self) -> impl Iterator<Item = FileView<'_>> {
        (0..self.file_count()).filter_map(|number| self.file(number))
    }

    /// The number of the file at `path`.
    pub fn file_by_path(&self, path: &str) -> Option<u32> {
        let (mut low, mut high) = (0, self.file_count());
        while low < high {
            let middle = low + (high - low) / 2;
            match self.file(middle)?.path.cmp(path) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Equal => return Some(middle),
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        None
    }

    /// The crate with this number.
    pub fn krate(&self, number: u32) -> Option<CrateView<'_>> {
        let at = number as usize * 4;
        let crates = self.column(Section::Crates);
        Some(CrateView {
            number,
            name: self.text(crates.get(at)?)?,
            version: self.text(crates.get(at + 1)?)?,
            kind: self.text(crates.get(at + 2)?)?,
            root: crates.get(at + 3)?,
        })
    }

    /// All crates, sorted by name.
    pub fn crates(&self) -> impl Iterator<Item = CrateView<'_>> {
        (0..self.crate_count()).filter_map(|number| self.krate(number))
    }

    /// The number of problems.
    pub fn problem_count(&self) -> u32 {
        (self.column(Section::Problems).len() / 4) as u32
    }

    /// The problems found while indexing: what could not be processed, and why.
    pub fn problems(&self) -> impl Iterator<Item = ProblemView<'_>> {
        let rows = self.column(Section::Problems);
        (0..self.problem_count() as usize).filter_map(move |n| {
            Some(ProblemView {
                path: self.text(rows.get(n * 4)?)?,
                line: rows.get(n * 4 + 1)?,
                kind: self.text(rows.get(n * 4 + 2)?)?,
                message: self.text(rows.get(n * 4 + 3)?)?,
            })
        })
    }

    pub(crate) fn id(&self, number: u32) -> Option<ItemId> {
        let bytes = self.section(Section::Ids).get(number as usize * 16..)?.get(..16)?;
        Some(ItemId::from_bytes(bytes.try_into().ok()?))
    }

    pub(crate) fn token_hash(&self, number: u32) -> Option<ContentHash> {
        let bytes = self.section(Section::TokenHashes).get(number as usize * 32..)?.get(..32)?;
        Some(ContentHash::from_bytes(bytes.try_into().ok()?))
    }

    /// The text with this number in the pool.
    pub(crate) fn text(&self, number: u32) -> Option<&str> {
        let range = self.column(Section::TextStarts).range(number as usize);
        std::str::from_utf8(self.section(Section::Texts).get(range)?).ok()
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        (*self.bytes).as_ref()
    }

    pub(crate) fn section(&self, section: Section) -> &[u8] {
        let (start, end, _) = self.sections[section as usize];
        (*self.bytes).as_ref().get(start..end).unwrap_or_default()
    }

    pub(crate) fn column(&self, section: Section) -> Column<'_> {
        Column::new(self.section(section), self.sections[section as usize].2)
    }
}

impl fmt::Debug for Map {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Map")
            .field("epoch", &self.epoch)
            .field("items", &self.item_count())
            .field("edges", &self.edge_count())
            .finish()
    }
}

fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(bytes.get(at..at.checked_add(8)?)?.try_into().ok()?))
}

/// One file of the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileView<'a> {
    /// File number.
    pub number: u32,
    /// Path, as [`base::ProjectPath`] spells it.
    pub path: &'a str,
    /// Hash of the file's bytes.
    pub hash: ContentHash,
    /// Length in bytes.
    pub len: u32,
    /// Number of lines.
    pub lines: u32,
    /// Number of syntax errors.
    pub parse_errors: u32,
    /// Flags.
    pub flags: FileFlags,
}

/// One crate of the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CrateView<'a> {
    /// Crate number.
    pub number: u32,
    /// `package/target`.
    pub name: &'a str,
    /// Version of the package.
    pub version: &'a str,
    /// Kind of the target: `lib`, `bin`, …
    pub kind: &'a str,
    /// Number of the root file.
    pub root: u32,
}

impl<'a> CrateView<'a> {
    /// The name of the package.
    pub fn package(&self) -> &'a str {
        self.name.rsplit_once('/').map_or(self.name, |(package, _)| package)
    }

    /// The name of the target in the manifest: without the `@bin` by which the map distinguishes targets
    /// of one name. Kind and name together are unique in a package.
    pub fn target(&self) -> &'a str {
        let target = self.name.rsplit_once('/').map_or(self.name, |(_, target)| target);
        target.split('@').next().unwrap_or(target)
    }
}

/// One problem: something that could not be processed while indexing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProblemView<'a> {
    /// Path of the file.
    pub path: &'a str,
    /// Line, from 1; 0: the whole file.
    pub line: u32,
    /// Kind: `syntax`, `metadata`, …
    pub kind: &'a str,
    /// Message.
    pub message: &'a str,
}
