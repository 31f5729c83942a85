//! [`IndexBuilder`]: builds the search index from the terms of all files.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use std::sync::Arc;

use base::{ContentHash, SortedMap};

use super::layout::{self, SECTIONS, Section};
use super::lexicon::{self, BLOCK, Figures};
use super::postings::{self, Posting};
use super::{Meta, WHOLE_VERSION, length};
use super::{facts, heads, kept, names};
use crate::centrality;
use crate::terms::{FileTerms, TermHasher};
use crate::vectors::{FileVectors, Pass, Row, write_vectors};
use base::columns::put_column;

/// Builds an index from the terms of all files.
#[derive(Debug, Default)]
pub struct IndexBuilder {
    /// Files by number, so that the order of adding does not matter.
    files: SortedMap<u32, File>,
}

#[derive(Debug)]
struct File {
    first_item: u32,
    terms: Arc<FileTerms>,
    vectors: Option<Arc<FileVectors>>,
    key: Option<ContentHash>,
}

impl IndexBuilder {
    /// A builder without files.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a file: its number in the map, the number of its first item there
    /// (`Map::items_of_file(file).start`), its terms and optionally its vectors. Files may be added
    /// in any order; a file that is added twice is replaced.
    pub fn add(
        &mut self,
        file: u32,
        first_item: u32,
        terms: impl Into<Arc<FileTerms>>,
        vectors: Option<Arc<FileVectors>>,
    ) {
        let terms = terms.into();
        self.files.insert(file, File { first_item, terms, vectors, key: None });
    }

    /// Sets the key under which the vectors of an added file can be reused
    /// ([`SearchIndex::kept_vectors`]): a hash of everything that they depend on.
    ///
    /// [`SearchIndex::kept_vectors`]: super::SearchIndex::kept_vectors
    pub fn key(&mut self, file: u32, key: ContentHash) {
        if let Some(file) = self.files.get_mut(&file) {
            file.key = Some(key);
        }
    }

    /// The bytes of the index for this map. Documents that are not in the map, and vectors of
    /// another encoder than that of the first file, are left out.
    pub fn finish(self, map: &graph::Map) -> Vec<u8> {
        let mut sections: [Vec<u8>; SECTIONS] = std::array::from_fn(|_| Vec::new());
        let mut tables = Tables::default();
        let encoder = self.files.values().find_map(|file| file.vectors.as_ref());
        let encoder = encoder.map(|vectors| (vectors.encoder.clone(), vectors.dims));
        let mut rows: (Vec<Option<&Row>>, Vec<Option<&Row>>) = Default::default();
        let numbers = self.numbers();
        for ((number, file), terms) in self.files.iter().zip(&numbers.of_file) {
            let key = file.key.as_ref().map(kept::key_of).unwrap_or_default();
            sections[Section::FileKeys as usize].extend(key);
            tables.add_file(*number, file, terms);
            for (n, document) in file.terms.documents.iter().enumerate() {
                let item = file.first_item.saturating_add(document.item);
                if item >= map.item_count() || tables.numbers.last().is_some_and(|o| *o >= item) {
                    continue;
                }
                tables.add_document(item, &document.terms, terms);
                let own = file.vectors.as_ref().filter(|vectors| {
                    encoder.as_ref().is_some_and(|(name, dims)| {
                        *name == vectors.encoder && *dims == vectors.dims
                    })
                });
                rows.0.push(own.and_then(|own| own.code.get(n)?.as_ref()));
                rows.1.push(own.and_then(|own| own.doc.get(n)?.as_ref()));
            }
        }
        tables.first_documents.push(tables.numbers.len() as u32);
        let central = centrality::of_map(map);
        let central = tables.numbers.iter().map(|item| central.get(*item as usize).copied());
        sections[Section::Centrality as usize] = central.map(Option::unwrap_or_default).collect();
        let mut finder = facts::Finder::new(map);
        for item in &tables.numbers {
            let (facts, lines) = finder.of(*item);
            sections[Section::Facts as usize].extend(facts.bits());
            sections[Section::Lines as usize].push(lines);
        }
        let [hashes, starts, documents] = names::columns(&tables.numbers, map);
        sections[Section::NameHashes as usize] = hashes;
        sections[Section::NameStarts as usize] = starts;
        sections[Section::NameDocuments as usize] = documents;
        let mut canons = vec![String::new(); tables.numbers.len()];
        let mut next = 0;
        for (item, canon) in map.items_with_canons() {
            if tables.numbers.get(next) == Some(&item.number) {
                canons[next] = canon;
                next += 1;
            }
        }
        let mut heads = heads::Heads::new(|term: &str| numbers.of(term));
        heads.add_documents(map, &tables.numbers, &canons, &tables.first_documents);
        for file in &tables.files {
            heads.add_path(map.file(*file).map_or("", |file| file.path));
        }
        heads.write(&mut sections);
        let vectors = rows.0.iter().flatten().count() as u32;
        if let Some((name, dims)) = encoder.filter(|_| vectors > 0) {
            sections[Section::Encoder as usize] = name.into_bytes();
            put_vectors(&mut sections, dims, &rows.0, &rows.1);
        }
        let meta = Meta {
            epoch: map.epoch(),
            documents: tables.numbers.len() as u32,
            files: self.files.len() as u32,
            terms: numbers.sorted.len() as u32,
            vectors,
            mean_body: mean(&tables.body),
            mean_head: mean(&tables.head),
            mean_file: mean(&tables.file),
            mean_path: mean(&tables.path),
        };
        sections[Section::Meta as usize] = meta.write();
        tables.write(&numbers.sorted, &mut sections);
        layout::join(WHOLE_VERSION, sections)
    }

    /// All terms, sorted, and the numbers of each file's own terms.
    fn numbers(&self) -> Numbers<'_> {
        let mut seen: HashMap<&str, u32, BuildHasherDefault<TermHasher>> = HashMap::default();
        let mut terms: Vec<&str> = Vec::new();
        let mut of_file: Vec<Vec<u32>> = Vec::with_capacity(self.files.len());
        for file in self.files.values() {
            let mut own = Vec::with_capacity(file.terms.terms.len());
            for term in &file.terms.terms {
                own.push(*seen.entry(term).or_insert_with(|| {
                    terms.push(term);
                    terms.len() as u32 - 1
                }));
            }
            of_file.push(own);
        }
        let mut order: Vec<u32> = (0..terms.len() as u32).collect();
        order.sort_unstable_by_key(|number| terms[*number as usize]);
        let mut place = vec![0u32; order.len()];
        for (at, number) in order.iter().enumerate() {
            place[*number as usize] = at as u32;
        }
        for number in of_file.iter_mut().flatten() {
            *number = place[*number as usize];
        }
        terms.sort_unstable();
        Numbers { sorted: terms, of_file, seen, place }
    }
}

struct Numbers<'a> {
    sorted: Vec<&'a str>,
    of_file: Vec<Vec<u32>>,
    /// Order of first use, by term.
    seen: HashMap<&'a str, u32, BuildHasherDefault<TermHasher>>,
    /// Term number, by order of first use.
    place: Vec<u32>,
}

impl Numbers<'_> {
    /// The number of a term; a number beyond all others for an unknown term.
    fn of(&self, term: &str) -> u32 {
        let place = self.seen.get(term).and_then(|at| self.place.get(*at as usize));
        place.copied().unwrap_or(self.sorted.len() as u32)
    }
}

/// Postings under construction, by document or file.
#[derive(Default)]
struct Places {
    all: Vec<(u32, Posting)>,
}

impl Places {
    /// Postings by term, with start offsets: counted first, then placed, so that those of a term
    /// stay in document order.
    fn by_term(self, terms: usize) -> (Vec<Posting>, Vec<usize>) {
        let mut starts = vec![0usize; terms + 1];
        for (term, _) in &self.all {
            starts[*term as usize + 1] += 1;
        }
        for term in 0..terms {
            starts[term + 1] += starts[term];
        }
        let mut next = starts.clone();
        let mut sorted = vec![Posting::default(); self.all.len()];
        for (term, posting) in self.all {
            let at = &mut next[term as usize];
            sorted[*at] = posting;
            *at += 1;
        }
        (sorted, starts)
    }
}

#[derive(Default)]
struct Tables {
    numbers: Vec<u32>,
    body: Vec<u32>,
    head: Vec<u32>,
    files: Vec<u32>,
    first_documents: Vec<u32>,
    file: Vec<u32>,
    path: Vec<u32>,
    items: Places,
    texts: Places,
}

impl Tables {
    fn add_file(&mut self, number: u32, file: &File, terms: &[u32]) {
        let place = self.files.len() as u32;
        let (mut text, mut path) = (0u32, 0u32);
        for term in &file.terms.whole {
            text = text.saturating_add(term.in_text);
            path = path.saturating_add(term.in_path);
            let posting = Posting { place, in_body: term.in_text, in_head: term.in_path };
            self.texts.all.push((terms[term.term as usize], posting));
        }
        self.files.push(number);
        self.first_documents.push(self.numbers.len() as u32);
        self.file.push(text);
        self.path.push(path);
    }

    fn add_document(&mut self, item: u32, bag: &[crate::terms::DocumentTerm], terms: &[u32]) {
        let place = self.numbers.len() as u32;
        let (mut body, mut head) = (0u32, 0u32);
        for term in bag {
            let in_body = term.in_code.saturating_add(term.in_doc);
            body = body.saturating_add(in_body);
            head = head.saturating_add(term.in_head);
            let posting = Posting { place, in_body, in_head: term.in_head };
            if in_body + term.in_head > 0 {
                self.items.all.push((terms[term.term as usize], posting));
            }
        }
        self.numbers.push(item);
        self.body.push(body);
        self.head.push(head);
    }

    fn write(mut self, terms: &[&str], sections: &mut [Vec<u8>; SECTIONS]) {
        let mut blocks: [Vec<u32>; 3] = Default::default();
        let (mut items, mut files, mut lexicon) = (Vec::new(), Vec::new(), Vec::new());
        let mut keys = Vec::new();
        let (of_items, item_starts) = std::mem::take(&mut self.items).by_term(terms.len());
        let (of_files, file_starts) = std::mem::take(&mut self.texts).by_term(terms.len());
        for (number, term) in terms.iter().enumerate() {
            let is_head = number % BLOCK == 0;
            if is_head {
                keys.extend(lexicon::key_of(term));
                blocks[0].push(lexicon.len() as u32);
                blocks[1].push(items.len() as u32);
                blocks[2].push(files.len() as u32);
            }
            let item_start = items.len();
            let own = &of_items[item_starts[number]..item_starts[number + 1]];
            postings::put_list(&mut items, own);
            let file_start = files.len();
            let own_files = &of_files[file_starts[number]..file_starts[number + 1]];
            postings::put_list(&mut files, own_files);
            let count = |postings: &[Posting], is: fn(&Posting) -> bool| {
                postings.iter().filter(|posting| is(posting)).count() as u32
            };
            let figures = Figures {
                documents: own.len() as u32,
                only_head: count(own, |posting| posting.in_body == 0),
                in_heads: count(own, |posting| posting.in_head > 0),
                item_bytes: (items.len() - item_start) as u32,
                in_files: own_files.len() as u32,
                in_paths: count(own_files, |posting| posting.in_head > 0),
                file_bytes: (files.len() - file_start) as u32,
            };
            let before = if is_head { None } else { terms.get(number - 1).copied() };
            lexicon::put(&mut lexicon, before, term, figures);
        }
        let mut set = |section: Section, bytes: Vec<u8>| sections[section as usize] = bytes;
        let column = |values: &[u32]| {
            let mut out = Vec::new();
            put_column(&mut out, values);
            out
        };
        let codes = |lengths: &[u32]| -> Vec<u8> {
            lengths.iter().map(|len| length::code_of(*len)).collect()
        };
        set(Section::Items, column(&self.numbers));
        set(Section::BodyLengths, codes(&self.body));
        set(Section::HeadLengths, codes(&self.head));
        set(Section::Files, column(&self.files));
        set(Section::FirstDocuments, column(&self.first_documents));
        set(Section::FileLengths, codes(&self.file));
        set(Section::PathLengths, codes(&self.path));
        set(Section::BlockKeys, keys);
        set(Section::TermBlocks, column(&blocks[0]));
        set(Section::ItemBlocks, column(&blocks[1]));
        set(Section::FileBlocks, column(&blocks[2]));
        set(Section::Terms, lexicon);
        set(Section::ItemPostings, items);
        set(Section::FilePostings, files);
    }
}

/// Most documents have no doc comment, so only the vectors of the others are written; these are
/// read one by one, without a scan.
fn put_vectors(
    sections: &mut [Vec<u8>; SECTIONS],
    dims: usize,
    code: &[Option<&Row>],
    doc: &[Option<&Row>],
) {
    sections[Section::CodeVectors as usize] =
        write_vectors(dims, code, Pass::needs_bits(code.len()));
    let with_doc = (0u32..).zip(doc).filter(|(_, row)| row.is_some());
    let (documents, doc): (Vec<u32>, Vec<Option<&Row>>) = with_doc.unzip();
    put_column(&mut sections[Section::DocVectorDocuments as usize], &documents);
    sections[Section::DocVectors as usize] = write_vectors(dims, &doc, false);
}

fn mean(lengths: &[u32]) -> f32 {
    let sum: u64 = lengths.iter().map(|length| u64::from(*length)).sum();
    (sum as f64 / lengths.len().max(1) as f64) as f32
}
