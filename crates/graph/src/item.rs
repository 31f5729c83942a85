//! [`ItemView`]: reading one item record in place, and iterating over the items of the map.
use std::borrow::Cow;
use std::ops::Range;

use base::{ContentHash, ItemId, ItemKind};

use crate::data::ItemFlags;
use crate::layout::{PARENT_FROM_FILE, PARENT_NONE, PARENT_RELATIVE, Section, key_head};
use crate::map::{CrateView, Map};
use base::columns::ByteReader;

/// One item of the map. Numbers are decoded on construction, texts on access.
#[derive(Clone, Copy, Debug)]
pub struct ItemView<'a> {
    map: &'a Map,
    /// Item number.
    pub number: u32,
    /// Kind.
    pub kind: ItemKind,
    /// Number of the crate; `u32::MAX`: none.
    pub krate: u32,
    /// Number of the file; `u32::MAX`: none.
    pub file: u32,
    /// Number of the parent item (impl, trait, module, enum, function, crate).
    pub parent: Option<u32>,
    /// Byte range of the whole item, doc comments and attributes included.
    pub span: (u32, u32),
    /// Byte offset of the item itself, after doc comments and attributes.
    pub code_start: u32,
    /// Byte offset of the end of the signature; `span.1` for an item without a body.
    pub signature_end: u32,
    /// Byte range of the name token; empty for an item without a name.
    pub name_span: (u32, u32),
    /// Line of `code_start`, from 1.
    pub line: u32,
    /// Last line, from 1.
    pub end_line: u32,
    /// Number of syntax errors inside the item.
    pub parse_errors: u32,
    /// Flags.
    pub flags: ItemFlags,
    canon: (u32, &'a [u8]),
    disambiguator: Option<u32>,
    cfg: Option<u32>,
    visibility: u32,
    name: NameAt,
    key: (u32, &'a [u8]),
}

/// Where the name of an item is stored.
#[derive(Clone, Copy, Debug)]
enum NameAt {
    /// The last `n` bytes of the canonical path.
    Canon(usize),
    /// A text of the pool.
    Pool(u32),
}

impl<'a> ItemView<'a> {
    /// Decodes one record; `None` where it is invalid.
    fn read(map: &'a Map, number: u32) -> Option<Self> {
        let mut record = ByteReader::new(map.record(number)?);
        let shared = record.varint()?;
        let len = record.varint()? as usize;
        let canon = (shared, record.bytes(len)?);
        let kind = ItemKind::from_u8(record.byte()?)?;
        let bits = record.byte()?;
        let (mut disambiguator, mut cfg, mut parse_errors) = (None, None, 0);
        if bits & 1 << 7 != 0 {
            disambiguator = Some(record.varint()?);
            cfg = Some(record.varint()?);
            parse_errors = record.varint()?;
        }
        let krate = record.varint()?.wrapping_sub(1);
        let file = record.varint()?.wrapping_sub(1);
        let parent = match record.byte()? {
            PARENT_NONE => None,
            PARENT_RELATIVE => Some(record.delta(number)?),
            PARENT_FROM_FILE => map.file_parent_of(file, kind),
            _ => Some(record.varint()?),
        };
        let start = record.varint()?;
        let end = record.delta(start)?;
        let code_start = record.delta(start)?;
        let signature_end = record.delta(code_start)?;
        let name_start = record.delta(code_start)?;
        let name_end = record.delta(name_start)?;
        let line = record.varint()?;
        let end_line = record.delta(line)?;
        let visibility = record.varint()?;
        let name = match record.varint()? {
            0 => NameAt::Pool(record.varint()?),
            len => NameAt::Canon(len as usize - 1),
        };
        let tail = record.varint()?;
        let len = record.varint()? as usize;
        let key = (tail, record.bytes(len)?);
        Some(Self {
            map,
            number,
            kind,
            krate,
            file,
            parent,
            span: (start, end),
            code_start,
            signature_end,
            name_span: (name_start, name_end),
            line,
            end_line,
            parse_errors,
            flags: ItemFlags::from_bits(bits),
            canon,
            disambiguator,
            cfg,
            visibility,
            name,
            key,
        })
    }

    /// The stable id.
    pub fn id(&self) -> ItemId {
        self.map.id(self.number).unwrap_or_else(|| ItemId::from_bytes([0; 16]))
    }

    /// The hash of the item's tokens.
    pub fn token_hash(&self) -> ContentHash {
        self.map.token_hash(self.number).unwrap_or_else(|| ContentHash::from_bytes([0; 32]))
    }

    /// The canonical path: `package/target::module::Item`.
    pub fn canon(&self) -> String {
        self.map.canon(self.number).unwrap_or_default()
    }

    /// The key: `crates/io/src-lib.rs-Reader::read`.
    pub fn key(&self) -> String {
        self.key_with_canon(&self.canon())
    }

    /// The key, for callers that already have the canonical path.
    pub(crate) fn key_with_canon(&self, canon: &str) -> String {
        let (tail, rest) = self.key;
        let mut key = String::new();
        if tail & 1 != 0 {
            key = self.map.file(self.file).map(|file| key_head(file.path)).unwrap_or_default();
        }
        key.push_str(end_of(canon, tail as usize >> 1));
        key.push_str(&String::from_utf8_lossy(rest));
        key
    }

    /// The name; for an impl its header.
    pub fn name(&self) -> Cow<'a, str> {
        match self.name {
            NameAt::Pool(number) => Cow::Borrowed(self.map.text(number).unwrap_or_default()),
            NameAt::Canon(len) => {
                let own = self.canon.1;
                let borrowed = own.len().checked_sub(len).and_then(|at| own.get(at..));
                match borrowed.and_then(|bytes| std::str::from_utf8(bytes).ok()) {
                    Some(name) => Cow::Borrowed(name),
                    None => Cow::Owned(end_of(&self.canon(), len).to_owned()),
                }
            }
        }
    }

    /// The disambiguator of items that share a canonical path; else empty.
    pub fn disambiguator(&self) -> &'a str {
        self.disambiguator.and_then(|number| self.map.text(number)).unwrap_or_default()
    }

    /// The item's own cfg predicate, without those of its parents; empty: none.
    pub fn cfg(&self) -> &'a str {
        self.cfg.and_then(|number| self.map.text(number)).unwrap_or_default()
    }

    /// `pub`, `pub(crate)` …; empty: private.
    pub fn visibility(&self) -> &'a str {
        self.map.text(self.visibility).unwrap_or_default()
    }

    /// The path of the file; `None` for an item without one.
    pub fn path(&self) -> Option<&'a str> {
        self.map.file(self.file).map(|file| file.path)
    }

    /// The name of the crate, `package/target`; `None` for an item without one.
    pub fn crate_name(&self) -> Option<&'a str> {
        self.krate().map(|krate| krate.name)
    }

    /// The crate; `None` for an item without one.
    pub fn krate(&self) -> Option<CrateView<'a>> {
        self.map.krate(self.krate)
    }

    /// Turns the canonical path of the previous item into that of this one (front coding).
    pub(crate) fn continue_canon(&self, canon: &mut Vec<u8>) {
        canon.truncate(self.canon.0 as usize);
        canon.extend_from_slice(self.canon.1);
    }
}

/// The last `len` bytes; empty where they are out of range or split a character.
fn end_of(text: &str, len: usize) -> &str {
    text.len().checked_sub(len).and_then(|at| text.get(at..)).unwrap_or_default()
}

impl Map {
    /// The item with this number.
    pub fn item(&self, number: u32) -> Option<ItemView<'_>> {
        ItemView::read(self, number)
    }

    /// All items, by number.
    pub fn items(&self) -> impl Iterator<Item = ItemView<'_>> {
        (0..self.item_count()).filter_map(|number| self.item(number))
    }

    /// All items with their canonical paths; decoding the paths in sequence is cheaper than one by
    /// one.
    pub fn items_with_canons(&self) -> impl Iterator<Item = (ItemView<'_>, String)> {
        let mut canon = Vec::new();
        (0..self.item_count()).filter_map(move |number| {
            let item = self.item(number)?;
            item.continue_canon(&mut canon);
            Some((item, String::from_utf8_lossy(&canon).into_owned()))
        })
    }

    /// The numbers of the items of a file, by position.
    pub fn items_of_file(&self, file: u32) -> Range<u32> {
        let bound = |is_before: &dyn Fn(u32) -> bool| {
            let (mut low, mut high) = (0, self.item_count());
            while low < high {
                let middle = low + (high - low) / 2;
                match self.item(middle) {
                    Some(item) if is_before(item.file) => low = middle + 1,
                    _ => high = middle,
                }
            }
            low
        };
        bound(&|other| other < file)..bound(&|other| other <= file)
    }

    /// The innermost item of a file that contains the byte at `offset`.
    pub fn item_at(&self, file: u32, offset: u32) -> Option<u32> {
        self.innermost(file, |item| item.span.0 <= offset && offset < item.span.1)
    }

    /// The innermost of the items of a file that satisfy `is_here`, without the file and its crate.
    pub(crate) fn innermost(
        &self,
        file: u32,
        is_here: impl Fn(&ItemView<'_>) -> bool,
    ) -> Option<u32> {
        self.items_of_file(file)
            .filter_map(|number| self.item(number))
            .filter(is_here)
            .filter(|item| !matches!(item.kind, ItemKind::File | ItemKind::Crate))
            .min_by_key(|item| (item.span.1 - item.span.0, std::cmp::Reverse(item.number)))
            .map(|item| item.number)
    }

    /// The parent that the file's record gives for the file's own item, or for items inside it.
    fn file_parent_of(&self, file: u32, kind: ItemKind) -> Option<u32> {
        let at = file as usize * 2 + usize::from(kind != ItemKind::File);
        self.column(Section::FileParents).get(at)?.checked_sub(1)
    }

    /// The canonical path of an item: decodes the shared prefixes since the last whole path.
    pub(crate) fn canon(&self, number: u32) -> Option<String> {
        let mut first = number;
        while ByteReader::new(self.record(first)?).varint()? > 0 {
            first = first.checked_sub(1)?;
        }
        let mut canon = Vec::new();
        for n in first..=number {
            let mut record = ByteReader::new(self.record(n)?);
            canon.truncate(record.varint()? as usize);
            let len = record.varint()? as usize;
            canon.extend_from_slice(record.bytes(len)?);
        }
        String::from_utf8(canon).ok()
    }

    fn record(&self, number: u32) -> Option<&[u8]> {
        if number >= self.item_count() {
            return None;
        }
        let range = self.column(Section::ItemStarts).range(number as usize);
        self.section(Section::Items).get(range)
    }
}
