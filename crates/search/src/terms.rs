//! [`FileTerms`]: the bags of terms of one file and its items, the input of the index.

mod keep;
mod read;

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use base::SortedMap;

pub use read::read_vectors;

use crate::document::{Document, FileDocuments};
use crate::encoder::Encoder;
use crate::shape;
use crate::tokenize::tokens;
use crate::vectors::{FileVectors, Row};

/// The bags of terms of one file and of its documents: a pure function of a [`FileDocuments`], so that
/// it can be cached by hash.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileTerms {
    /// Distinct terms of the file, sorted.
    pub(crate) terms: Vec<String>,
    /// Counts in the whole file, by term.
    pub(crate) whole: Vec<FileTerm>,
    /// Counts by document, in order.
    pub(crate) documents: Vec<DocumentTerms>,
}

/// The count of a term in a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct FileTerm {
    /// Index in [`FileTerms::terms`].
    pub(crate) term: u32,
    pub(crate) in_text: u32,
    pub(crate) in_path: u32,
}

/// The term counts of one document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct DocumentTerms {
    /// Item of the document: [`Document::item`].
    pub(crate) item: u32,
    /// Counts by term.
    pub(crate) terms: Vec<DocumentTerm>,
}

/// The counts of a term in the fields of a document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct DocumentTerm {
    /// Index in [`FileTerms::terms`].
    pub(crate) term: u32,
    pub(crate) in_code: u32,
    pub(crate) in_doc: u32,
    /// Count in name, scope, signature and path.
    pub(crate) in_head: u32,
    /// Count that only an encoder's bag uses.
    pub(crate) in_extra: u32,
}

/// Counts the terms of a file.
pub fn file_terms(file: &FileDocuments<'_>) -> FileTerms {
    let mut names = Interner::default();
    let mut in_path: Vec<u32> = Vec::new();
    tokens(file.path, &mut |term| in_path.push(names.number(term)));
    let mut whole: SortedMap<u32, FileTerm> = SortedMap::new();
    for term in &in_path {
        whole.entry(*term).or_default().in_path += 1;
    }
    let mut counts: Vec<u32> = vec![0; names.terms.len()];
    tokens(file.text, &mut |term| {
        let number = names.number(term) as usize;
        if number >= counts.len() {
            counts.resize(number + 1, 0);
        }
        counts[number] += 1;
    });
    for (term, count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
        whole.entry(term as u32).or_default().in_text = *count;
    }
    let mut documents: Vec<DocumentTerms> = Vec::new();
    let mut bag = Bag::default();
    for document in &file.documents {
        let mut add = |text: &str, count: &dyn Fn(&mut DocumentTerm)| {
            tokens(text, &mut |term| count(bag.slot(names.number(term))));
        };
        add(document.code, &|term| term.in_code += 1);
        add(document.doc, &|term| term.in_doc += 1);
        add(document.signature, &|term| term.in_head += 1);
        for text in [document.name, scope_of(document.canon)] {
            add(text, &|term| {
                term.in_head += 1;
                term.in_extra += 3;
            });
        }
        for term in &in_path {
            let term = bag.slot(*term);
            term.in_head += 1;
            term.in_extra += 1;
        }
        shape::of_item(document, &mut |term| bag.slot(names.number(term)).in_extra += 1);
        let terms = bag.take();
        documents.push(DocumentTerms { item: document.item, terms });
    }
    documents.sort_by_key(|document| document.item);
    documents.dedup_by_key(|document| document.item);
    names.sort(whole, documents)
}

/// The modules and types around an item: its path without crate and name.
fn scope_of(canon: &str) -> &str {
    let (_, inner) = canon.split_once("::").unwrap_or(("", ""));
    inner.rsplit_once("::").map_or("", |(scope, _)| scope)
}

/// Counts of one document by term of the file; reused from document to document.
#[derive(Default)]
struct Bag {
    counts: Vec<DocumentTerm>,
    touched: Vec<u32>,
}

impl Bag {
    fn slot(&mut self, term: u32) -> &mut DocumentTerm {
        let at = term as usize;
        if at >= self.counts.len() {
            self.counts.resize(at + 1, DocumentTerm::default());
        }
        let slot = &mut self.counts[at];
        if *slot == DocumentTerm::default() {
            self.touched.push(term);
        }
        slot
    }

    /// Takes the counts and empties the bag.
    fn take(&mut self) -> Vec<DocumentTerm> {
        let counted = self.touched.drain(..).map(|term| {
            let counts = std::mem::take(&mut self.counts[term as usize]);
            DocumentTerm { term, ..counts }
        });
        counted.collect()
    }
}

/// Assigns numbers to terms, in order of first use.
#[derive(Default)]
struct Interner {
    numbers: HashMap<String, u32, BuildHasherDefault<TermHasher>>,
    terms: Vec<String>,
}

impl Interner {
    fn number(&mut self, term: &str) -> u32 {
        if let Some(number) = self.numbers.get(term) {
            return *number;
        }
        let number = self.terms.len() as u32;
        self.numbers.insert(term.to_owned(), number);
        self.terms.push(term.to_owned());
        number
    }

    /// Sorts the terms and renumbers all references to them.
    fn sort(self, whole: SortedMap<u32, FileTerm>, mut documents: Vec<DocumentTerms>) -> FileTerms {
        let mut order: Vec<u32> = (0..self.terms.len() as u32).collect();
        order.sort_by(|a, b| self.terms[*a as usize].cmp(&self.terms[*b as usize]));
        let mut place = vec![0u32; order.len()];
        for (at, number) in order.iter().enumerate() {
            place[*number as usize] = at as u32;
        }
        let mut whole: Vec<FileTerm> = whole
            .into_iter()
            .map(|(term, counts)| FileTerm { term: place[term as usize], ..counts })
            .collect();
        whole.sort_unstable_by_key(|term| term.term);
        for document in &mut documents {
            for term in &mut document.terms {
                term.term = place[term.term as usize];
            }
            document.terms.sort_unstable_by_key(|term| term.term);
        }
        let mut terms = self.terms;
        terms.sort_unstable();
        FileTerms { terms, whole, documents }
    }
}

impl FileTerms {
    /// The number of documents.
    pub fn document_count(&self) -> usize {
        self.documents.len()
    }

    /// The vectors of all documents.
    pub fn vectors(&self, encoder: &dyn Encoder) -> FileVectors {
        let mut vectors = FileVectors::new(encoder.name(), encoder.dims());
        let mut out = vec![0.0; encoder.dims()];
        let mut row = |bag: &[(&str, f32)]| {
            out.fill(0.0);
            encoder.encode(bag, &mut out);
            Row::of(&out)
        };
        for document in &self.documents {
            vectors.code.push(row(&self.bag(document, |term| term.in_code + term.in_extra)));
            let doc = self.bag(document, |term| term.in_doc);
            vectors.doc.push(if doc.is_empty() { None } else { row(&doc) });
        }
        vectors
    }

    fn bag(
        &self,
        document: &DocumentTerms,
        count: impl Fn(&DocumentTerm) -> u32,
    ) -> Vec<(&str, f32)> {
        let counted = document.terms.iter().map(|term| (term, count(term)));
        counted
            .filter(|(_, count)| *count > 0)
            .filter_map(|(term, count)| {
                Some((self.terms.get(term.term as usize)?.as_str(), weight_of(count)))
            })
            .collect()
    }
}

/// The weight of a term with a count.
pub(crate) fn weight_of(count: u32) -> f32 {
    1.0 + (count as f32).ln()
}

/// The terms of a document's code and their weights, as input of an encoder: name and scope count
/// three times, path and code once; `1 + ln(tf)`. Sorted by term. Training and indexing both use
/// this function, so that their input is the same.
pub fn code_bag(document: &Document<'_>, path: &str) -> Vec<(String, f32)> {
    let mut counts: SortedMap<String, u32> = SortedMap::new();
    let parts = [(document.name, 3), (scope_of(document.canon), 3), (path, 1), (document.code, 1)];
    for (text, times) in parts {
        tokens(text, &mut |term| *counts.entry(term.to_owned()).or_default() += times);
    }
    shape::of_item(document, &mut |term| {
        *counts.entry(term.to_owned()).or_default() += 1;
    });
    counts.into_iter().map(|(term, count)| (term, weight_of(count))).collect()
}

/// The terms of a query sentence and the markers of its first words; sorted by term.
pub fn query_bag(text: &str) -> Vec<(String, f32)> {
    let mut bag = doc_bag(text);
    shape::of_sentence(text, &mut |term| bag.push((term.to_owned(), 1.0)));
    bag.sort_by(|a, b| a.0.cmp(&b.0));
    bag
}

/// The terms of any other text – a query, a doc comment – and their weights `1 + ln(tf)`, sorted by
/// term.
pub(crate) fn doc_bag(text: &str) -> Vec<(String, f32)> {
    let mut counts: SortedMap<String, u32> = SortedMap::new();
    tokens(text, &mut |term| *counts.entry(term.to_owned()).or_default() += 1);
    counts.into_iter().map(|(term, count)| (term, weight_of(count))).collect()
}

/// FNV-1a: fast for short terms; a flood of collisions makes counting slow, not wrong.
#[derive(Clone, Copy)]
pub(crate) struct TermHasher(u64);

impl Default for TermHasher {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Hasher for TermHasher {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn finish(&self) -> u64 {
        self.0 ^ (self.0 >> 29)
    }
}
