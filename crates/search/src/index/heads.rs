//! Term numbers of the name of each document, of its scope and of the path of its file: features
//! compare them with a query's terms for hundreds of documents without reading text.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use base::ItemKind;
use graph::Map;

use super::SearchIndex;
use super::layout::{SECTIONS, Section};
use crate::terms::TermHasher;
use crate::tokenize::tokens;
use base::columns::{Column, put_column};

/// Mask of the item kind in a document's byte.
const KIND: u8 = 0x3f;
/// Flag: the name is one word; the whole word follows its parts.
const IS_WORD: u8 = 0x40;
/// Flag: the name is the end of the canonical path; otherwise the scope's terms are those of the
/// whole path.
const ENDS_PATH: u8 = 0x80;

/// Computes the terms of heads.
pub(super) struct Heads<'a, F> {
    /// The number of a term; a number beyond all others for an unknown term.
    number_of: F,
    kinds: Vec<u8>,
    files: Vec<u32>,
    names: Lists,
    scopes_of: Vec<u32>,
    scopes: Lists,
    paths: Lists,
    /// Scopes by text.
    seen: HashMap<&'a str, u32, BuildHasherDefault<TermHasher>>,
}

/// Lists of numbers, concatenated.
struct Lists {
    starts: Vec<u32>,
    all: Vec<u32>,
}

impl Default for Lists {
    fn default() -> Self {
        Self { starts: vec![0], all: Vec::new() }
    }
}

impl Lists {
    fn end(&mut self) {
        self.starts.push(self.all.len() as u32);
    }

    fn write(&self, starts: &mut Vec<u8>, all: &mut Vec<u8>) {
        put_column(starts, &self.starts);
        put_column(all, &self.all);
    }
}

impl<'a, F: Fn(&str) -> u32> Heads<'a, F> {
    pub(super) fn new(number_of: F) -> Self {
        Self {
            number_of,
            kinds: Vec::new(),
            files: Vec::new(),
            names: Lists::default(),
            scopes_of: Vec::new(),
            scopes: Lists::default(),
            paths: Lists::default(),
            seen: HashMap::default(),
        }
    }

    /// Computes all documents; `canons` are the canonical paths of their items.
    pub(super) fn add_documents(
        &mut self,
        map: &Map,
        documents: &[u32],
        canons: &'a [String],
        first_documents: &[u32],
    ) {
        let mut file = 0u32;
        for (document, (item, canon)) in (0u32..).zip(documents.iter().zip(canons)) {
            while first_documents.get(file as usize + 1).is_some_and(|next| *next <= document) {
                file += 1;
            }
            self.files.push(file);
            let view = map.item(*item);
            let kind = view.map_or(ItemKind::External, |view| view.kind);
            let name = view.map(|view| view.name()).unwrap_or_default();
            let inner = canon.split_once("::").map_or("", |(_, inner)| inner);
            let (outer, last) = inner.rsplit_once("::").unwrap_or(("", inner));
            let ends_path = last == name;
            // The whole word follows its parts; a name of several words has no whole.
            let is_word = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
            let mark = |is: bool, bit: u8| if is { bit } else { 0 };
            self.kinds
                .push(kind as u8 & KIND | mark(is_word, IS_WORD) | mark(ends_path, ENDS_PATH));
            let (number_of, own) = (&self.number_of, &mut self.names.all);
            tokens(&name, &mut |term| own.push(number_of(term)));
            self.names.end();
            let scope = self.scope(if ends_path { outer } else { inner });
            self.scopes_of.push(scope);
        }
    }

    /// Adds a file; files come in order.
    pub(super) fn add_path(&mut self, path: &str) {
        put_distinct(path, &self.number_of, &mut self.paths);
    }

    fn scope(&mut self, text: &'a str) -> u32 {
        let next = self.scopes.starts.len() as u32 - 1;
        let number = *self.seen.entry(text).or_insert(next);
        if number == next {
            put_distinct(text, &self.number_of, &mut self.scopes);
        }
        number
    }

    pub(super) fn write(self, sections: &mut [Vec<u8>; SECTIONS]) {
        let mut set = |section: Section, bytes: Vec<u8>| sections[section as usize] = bytes;
        set(Section::Kinds, self.kinds);
        for (section, values) in
            [(Section::DocumentFiles, self.files), (Section::Scopes, self.scopes_of)]
        {
            let mut bytes = Vec::new();
            put_column(&mut bytes, &values);
            set(section, bytes);
        }
        for (lists, starts, all) in [
            (&self.names, Section::NameTermStarts, Section::NameTerms),
            (&self.scopes, Section::ScopeTermStarts, Section::ScopeTerms),
            (&self.paths, Section::PathTermStarts, Section::PathTerms),
        ] {
            let (mut first, mut second) = (Vec::new(), Vec::new());
            lists.write(&mut first, &mut second);
            set(starts, first);
            set(all, second);
        }
    }
}

/// Appends the distinct terms of a path: only the most similar one is used.
fn put_distinct(text: &str, number_of: &impl Fn(&str) -> u32, lists: &mut Lists) {
    let start = lists.all.len();
    for part in text.split("::") {
        tokens(part, &mut |term| {
            let number = number_of(term);
            if !lists.all.get(start..).is_some_and(|own| own.contains(&number)) {
                lists.all.push(number);
            }
        });
    }
    lists.end();
}

/// The terms of a document's name.
#[derive(Clone, Copy)]
pub(crate) struct NameTerms<'a> {
    index: &'a SearchIndex,
    document: u32,
    bits: u8,
}

impl<'a> NameTerms<'a> {
    /// Terms in order, the whole word after its parts.
    pub(crate) fn iter(self) -> impl Iterator<Item = u32> + 'a {
        let starts = self.index.column(Section::NameTermStarts);
        starts.list(self.document as usize, self.index.column(Section::NameTerms))
    }

    /// Whether the name is the end of the document's path; otherwise the scope's terms contain it.
    pub(crate) fn ends_path(self) -> bool {
        self.bits & ENDS_PATH != 0
    }
}

impl SearchIndex {
    /// The kind of a document.
    pub(crate) fn kind(&self, document: u32) -> Option<ItemKind> {
        ItemKind::from_u8(self.head_bits(document) & KIND)
    }

    /// The terms of a document's name.
    pub(crate) fn name_terms(&self, document: u32) -> NameTerms<'_> {
        NameTerms { index: self, document, bits: self.head_bits(document) }
    }

    /// The scope number of a document.
    pub(crate) fn scope_of(&self, document: u32) -> Option<u32> {
        self.column(Section::Scopes).get(document as usize)
    }

    /// The distinct terms of a scope.
    pub(crate) fn scope_terms(&self, scope: u32) -> impl Iterator<Item = u32> + '_ {
        let starts = self.column(Section::ScopeTermStarts);
        starts.list(scope as usize, self.column(Section::ScopeTerms))
    }

    /// The distinct terms of the path of a file.
    pub(crate) fn path_terms(&self, file: u32) -> impl Iterator<Item = u32> + '_ {
        let starts = self.column(Section::PathTermStarts);
        starts.list(file as usize, self.column(Section::PathTerms))
    }

    /// The file index of a document.
    pub(crate) fn file_of(&self, document: u32) -> Option<u32> {
        self.document_files().get(document as usize)
    }

    /// The file index of each document.
    pub(crate) fn document_files(&self) -> Column<'_> {
        self.column(Section::DocumentFiles)
    }

    fn head_bits(&self, document: u32) -> u8 {
        self.section(Section::Kinds)
            .get(document as usize)
            .copied()
            .unwrap_or(ItemKind::External as u8)
    }
}
