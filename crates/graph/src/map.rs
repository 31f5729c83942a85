use std::fmt;
use std::sync::Arc;

use base::{ContentHash, Hint, ItemId};

use crate::column::Column;
use crate::data::FileFlags;
use crate::layout::{CHECKSUM, HEADER_LEN, MAGIC, SECTION_LEN, SECTIONS, Section, VERSION};
use crate::write::checksum;

/// The map, read where its bytes lie.
///
/// Invariant: [`Map::open`] has checked version, lengths and checksum. Every access is
/// bounds-checked besides, so that a file whose checksum was forged gives `None` or nothing, never
/// a panic. Cloning is cheap.
#[derive(Clone)]
pub struct Map {
    bytes: Arc<dyn AsRef<[u8]> + Send + Sync>,
    sections: [(usize, usize, u8); SECTIONS],
    epoch: u64,
}

/// Why some bytes are no map.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Damaged {
    /// They are shorter than they say, or than any map.
    #[error("map has {found} bytes, expected {expected}")]
    Length {
        /// How many there should be.
        expected: u64,
        /// How many there are.
        found: u64,
    },
    /// They begin otherwise.
    #[error("file is no map")]
    Magic,
    /// Another version of graftage wrote them.
    #[error("map is of version {found}, expected {VERSION}")]
    Version {
        /// Theirs.
        found: u32,
    },
    /// They are not what was written.
    #[error("map's checksum does not hold")]
    Checksum,
    /// A section or row does not make sense although the checksum holds.
    #[error("map's {0} make no sense")]
    Content(&'static str),
}

impl Hint for Damaged {
    fn hint(&self) -> Option<String> {
        Some("run `graftage index --full`".to_owned())
    }
}

impl Map {
    /// Reads header and checksum, and nothing else.
    pub fn open(bytes: Arc<dyn AsRef<[u8]> + Send + Sync>) -> Result<Self, Damaged> {
        let all = (*bytes).as_ref();
        let found = all.len() as u64;
        let least = HEADER_LEN + SECTIONS * SECTION_LEN;
        if all.get(..8).is_some_and(|magic| *magic != MAGIC) {
            return Err(Damaged::Magic);
        }
        let version = u64_at(all, 8).map(|number| number as u32);
        if let Some(version) = version.filter(|version| *version != VERSION) {
            return Err(Damaged::Version { found: version });
        }
        let expected = u64_at(all, 24).unwrap_or(least as u64);
        if found != expected || all.len() < least {
            return Err(Damaged::Length { expected: expected.max(least as u64), found });
        }
        if all.get(CHECKSUM) != Some(&checksum(all)) {
            return Err(Damaged::Checksum);
        }
        Self::read(bytes)
    }

    /// Reads the table of sections.
    pub(crate) fn read(bytes: Arc<dyn AsRef<[u8]> + Send + Sync>) -> Result<Self, Damaged> {
        let all = (*bytes).as_ref();
        let mut sections = [(0, 0, 1); SECTIONS];
        for (n, section) in sections.iter_mut().enumerate() {
            let at = HEADER_LEN + n * SECTION_LEN;
            let number =
                |idx: usize| u64_at(all, at + 8 * idx).and_then(|n| usize::try_from(n).ok());
            let (Some(start), Some(len), Some(width)) = (number(0), number(1), number(2)) else {
                return Err(Damaged::Content("sections"));
            };
            let end = start.checked_add(len).filter(|end| *end <= all.len());
            let (Some(end), 1..=4) = (end, width) else {
                return Err(Damaged::Content("sections"));
            };
            *section = (start, end, width as u8);
        }
        let epoch = u64_at(all, 16).unwrap_or_default();
        Ok(Self { bytes, sections, epoch })
    }

    /// An empty map.
    pub fn empty() -> Result<Self, Damaged> {
        Self::open(Arc::new(crate::MapData::default().to_bytes()))
    }

    /// Which state of the sources it is of.
    pub fn epoch(&self) -> u64 {
        self.epoch
    }

    /// The checksum that its bytes carry: [`Map::open`] has found it to hold. Of a map that was made
    /// of parts, and has none yet, all zeros.
    pub fn checksum(&self) -> ContentHash {
        Self::checksum_in(self.bytes())
    }

    /// The checksum that the bytes of a map carry, unseen whether it holds.
    pub fn checksum_in(bytes: &[u8]) -> ContentHash {
        let stored = bytes.get(CHECKSUM).and_then(|bytes| bytes.try_into().ok());
        ContentHash::from_bytes(stored.unwrap_or_default())
    }

    /// How many bytes it has.
    pub fn size(&self) -> usize {
        (*self.bytes).as_ref().len()
    }

    /// How many items there are; their numbers are below this.
    pub fn item_count(&self) -> u32 {
        (self.section(Section::Ids).len() / 16) as u32
    }

    /// How many edges there are; their numbers are below this.
    pub fn edge_count(&self) -> u32 {
        self.column(Section::Targets).len() as u32
    }

    /// How many files there are.
    pub fn file_count(&self) -> u32 {
        (self.section(Section::FileHashes).len() / 32) as u32
    }

    /// How many crates there are.
    pub fn crate_count(&self) -> u32 {
        (self.column(Section::Crates).len() / 4) as u32
    }

    /// The file of this number.
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

    /// All files, by path.
    pub fn files(&self) -> impl Iterator<Item = FileView<'_>> {
        (0..self.file_count()).filter_map(|number| self.file(number))
    }

    /// The number of the file at this path.
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

    /// The crate of this number.
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

    /// All crates, by name.
    pub fn crates(&self) -> impl Iterator<Item = CrateView<'_>> {
        (0..self.crate_count()).filter_map(|number| self.krate(number))
    }

    /// How many things were not understood.
    pub fn problem_count(&self) -> u32 {
        (self.column(Section::Problems).len() / 4) as u32
    }

    /// What was not understood, and why.
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

    /// A text of the pool.
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
    /// Its number.
    pub number: u32,
    /// Where it is, as [`base::ProjectPath`] spells it.
    pub path: &'a str,
    /// Of its bytes.
    pub hash: ContentHash,
    /// How many bytes it has.
    pub len: u32,
    /// How many lines it has.
    pub lines: u32,
    /// How many syntax errors it has.
    pub parse_errors: u32,
    /// What is special about it.
    pub flags: FileFlags,
}

/// One crate of the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CrateView<'a> {
    /// Its number.
    pub number: u32,
    /// `package/target`.
    pub name: &'a str,
    /// The package's version.
    pub version: &'a str,
    /// The target's kind.
    pub kind: &'a str,
    /// Number of its root file.
    pub root: u32,
}

/// One thing that was not understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProblemView<'a> {
    /// The file.
    pub path: &'a str,
    /// Line, from 1; 0: the whole file.
    pub line: u32,
    /// What kind.
    pub kind: &'a str,
    /// In words.
    pub message: &'a str,
}
