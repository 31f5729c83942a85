use base::{ContentHash, Hasher};
use graph::{FileView, ItemKind, ItemView, Map};
use search::{Document, FileTerms, Origin, SourceFile, TOKENIZER_VERSION, file_terms};

use crate::Description;

/// The items of one file that become documents, as the map has them; from it and the file's text
/// its terms follow.
#[derive(Clone, Debug)]
pub(super) struct FileItems {
    /// The file's number in the map.
    pub(super) file: u32,
    /// The number of its first item.
    pub(super) first: u32,
    /// Their canonical paths, by number less `first`; empty for what is no document.
    canons: Vec<String>,
    /// Of all that the terms follow from: the file's text and, where a macro made items of it that
    /// stands elsewhere, what it made.
    pub(super) key: ContentHash,
}

/// Grows with every change of what is handed on to be cut into terms.
const VERSION: u8 = 3;

/// The items of all files, in the order of the files.
pub(super) fn of_map(map: &Map) -> Vec<FileItems> {
    let mut all: Vec<FileItems> = Vec::with_capacity(map.file_count() as usize);
    let mut current: Option<(u32, u32, Vec<String>)> = None;
    let finish = |of: Option<(u32, u32, Vec<String>)>, all: &mut Vec<FileItems>| {
        if let Some((file, first, canons)) = of {
            all.extend(map.file(file).map(|view| {
                let key = key(map, &view, first, &canons);
                FileItems { file, first, canons, key }
            }));
        }
    };
    for (item, canon) in map.items_with_canons() {
        if map.file(item.file).is_none() {
            break;
        }
        if current.as_ref().is_none_or(|(file, ..)| *file != item.file) {
            finish(current.take(), &mut all);
            current = Some((item.file, item.number, Vec::new()));
        }
        if let Some((_, _, canons)) = &mut current {
            canons.push(if is_document(&item) { canon } else { String::new() });
        }
    }
    finish(current, &mut all);
    all
}

fn key(map: &Map, file: &FileView<'_>, first: u32, canons: &[String]) -> ContentHash {
    let origin = origin_of(file);
    let flags = [
        VERSION,
        TOKENIZER_VERSION as u8,
        u8::from(origin.is_test),
        u8::from(origin.is_example),
        u8::from(origin.is_bench),
        u8::from(origin.is_generated),
        u8::from(origin.is_vendored),
    ];
    let mut hasher = Hasher::new();
    hasher.field(&flags).field(file.path.as_bytes()).field(file.hash.as_bytes());
    for (at, canon) in (0u32..).zip(canons) {
        let Some(item) = map.item(first + at) else { continue };
        if !canon.is_empty() {
            let is_test = Description::of(map, item, None).is_for_tests();
            hasher.field(&at.to_le_bytes()).field(canon.as_bytes()).field(&[u8::from(is_test)]);
        }
        if item.flags.from_macro {
            hasher.field(&at.to_le_bytes()).field(item.kind.as_str().as_bytes());
            hasher.field(item.name().as_bytes());
            let parent = item.parent.map_or(u32::MAX, |parent| parent.wrapping_sub(first));
            let places = [item.span.0, item.span.1, item.code_start, item.signature_end];
            for number in places.into_iter().chain([item.line, item.end_line, parent]) {
                hasher.field(&number.to_le_bytes());
            }
        }
    }
    hasher.finish()
}

/// What is found by itself. What stands in a function is found by the function; what a macro made
/// of no tokens of its own, by the macro's call.
fn is_document(item: &ItemView<'_>) -> bool {
    let has_name = item.name_span.0 < item.name_span.1 || item.kind == ItemKind::Impl;
    Document::is_worth(item.kind)
        && item.path().is_some()
        && !item.flags.is_local
        && (!item.flags.from_macro || has_name)
}

fn origin_of(file: &FileView<'_>) -> Origin {
    let parts: Vec<&str> = file.path.split('/').collect();
    let has = |name: &str| parts.iter().rev().skip(1).any(|part| *part == name);
    Origin {
        is_test: syntax::is_test_path(file.path),
        is_example: has("examples"),
        is_bench: has("benches"),
        is_generated: file.flags.is_generated,
        is_vendored: file.flags.is_vendored,
    }
}

/// A document, with texts of its own.
struct Owned {
    item: u32,
    kind: ItemKind,
    name: String,
    signature: String,
    doc: String,
    code: String,
    lines: u32,
    is_test: bool,
}

impl FileItems {
    /// The terms of the file, whose text as the map knows it is `text`.
    pub(super) fn terms(&self, map: &Map, text: &str) -> FileTerms {
        self.source(map, text, file_terms).unwrap_or_default()
    }

    /// Asks `each` about the file and its documents; `None`: the map has no such file.
    pub(super) fn source<T>(
        &self,
        map: &Map,
        text: &str,
        each: impl FnOnce(&SourceFile<'_>) -> T,
    ) -> Option<T> {
        let file = map.file(self.file)?;
        let owned: Vec<Owned> =
            self.documents().filter_map(|number| self.document(map, number, text)).collect();
        let documents = owned.iter().map(|it| Document {
            item: it.item,
            kind: it.kind,
            name: &it.name,
            canon: self.canons.get(it.item as usize).map(String::as_str).unwrap_or_default(),
            signature: &it.signature,
            doc: &it.doc,
            code: &it.code,
            lines: it.lines,
            is_test: it.is_test,
        });
        Some(each(&SourceFile {
            path: file.path,
            documents: documents.collect(),
            text,
            origin: origin_of(&file),
        }))
    }

    /// Numbers in the map.
    fn documents(&self) -> impl Iterator<Item = u32> {
        let documents = self.canons.iter().enumerate().filter(|(_, canon)| !canon.is_empty());
        documents.map(|(at, _)| self.first + at as u32)
    }

    fn document(&self, map: &Map, number: u32, text: &str) -> Option<Owned> {
        let item = map.item(number)?;
        let description = Description::of(map, item, Some(text));
        let signature = description.slice(item.code_start, item.signature_end);
        let mut split = syntax::split_docs(description.code());
        if matches!(item.kind, ItemKind::Impl | ItemKind::Trait | ItemKind::Module) {
            // Its members speak for themselves; of them it has the names.
            split = syntax::split_docs(description.before());
            split.code.push_str(signature);
            for member in self.members(map, number) {
                split.code.push('\n');
                split.code.push_str(&member);
            }
        }
        Some(Owned {
            item: number - self.first,
            kind: item.kind,
            name: item.name().into_owned(),
            signature: signature.to_owned(),
            doc: split.docs,
            code: split.code,
            lines: (item.end_line + 1).saturating_sub(item.line),
            is_test: description.is_for_tests(),
        })
    }

    /// The names of what an item of this file holds in it.
    fn members(&self, map: &Map, holder: u32) -> Vec<String> {
        let numbers = holder + 1..self.first + self.canons.len() as u32;
        let end = map.item(holder).map_or(0, |item| item.span.1);
        let inside = numbers.map_while(|number| map.item(number).filter(|it| it.span.0 < end));
        let members = inside.filter(|item| item.parent == Some(holder));
        let named = members.filter(|item| !matches!(item.kind, ItemKind::Import | ItemKind::Impl));
        named.map(|item| item.name().into_owned()).collect()
    }
}
