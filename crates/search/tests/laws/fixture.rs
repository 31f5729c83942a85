//! Small made-up projects: files of functions and impls, their map and their index.

use std::borrow::Cow;
use std::fmt::Write;
use std::sync::Arc;

use base::{ContentHash, EdgeKind, ItemId, ItemKind, ProjectPath, Provenance, SortedMap, Tier};
use graftage_search::{
    Document, Encoder, FileDocuments, FileOrigin, FileTerms, IndexBuilder, SearchIndex, Texts,
    file_terms,
};
use graph::{CrateRow, EdgeRow, FileFlags, FileRow, ItemFlags, ItemRow, Map, MapData};

/// A function of a project; where `holder` is not empty, in an impl of that type. It is a test if its
/// name begins with `test_`.
#[derive(Clone, Debug)]
pub(crate) struct Fun {
    pub(crate) file: &'static str,
    pub(crate) holder: &'static str,
    pub(crate) name: String,
    pub(crate) doc: String,
    pub(crate) body: String,
    /// Names of functions.
    pub(crate) calls: Vec<&'static str>,
}

pub(crate) fn fun(path: &'static str, doc: &str, body: &str) -> Fun {
    let (file, name) = path.split_once("::").unwrap();
    let (holder, name) = name.split_once("::").unwrap_or(("", name));
    let calls = Vec::new();
    Fun { file, holder, name: name.to_owned(), doc: doc.to_owned(), body: body.to_owned(), calls }
}

pub(crate) struct Project {
    pub(crate) map: Map,
    pub(crate) texts: Vec<String>,
    /// Of each file: its number, its first item, its terms.
    pub(crate) terms: Vec<(u32, u32, FileTerms)>,
}

impl Texts for Project {
    fn text(&self, file: u32) -> Option<Cow<'_, str>> {
        self.texts.get(file as usize).map(|text| text.as_str().into())
    }
}

impl Project {
    pub(crate) fn new(funs: &[Fun]) -> Self {
        let mut files: SortedMap<&str, Vec<&Fun>> = SortedMap::new();
        for fun in funs {
            files.entry(fun.file).or_default().push(fun);
        }
        let mut data = MapData { epoch: 7, ..MapData::default() };
        data.crates.push(CrateRow {
            name: "demo/demo".to_owned(),
            version: "0.1.0".to_owned(),
            kind: "lib".to_owned(),
            root: 0,
        });
        let mut texts = Vec::new();
        let mut by_name: SortedMap<String, u32> = SortedMap::new();
        for (file, (path, own)) in files.iter().enumerate() {
            let mut layout = Layout { file: file as u32, text: String::new(), items: Vec::new() };
            layout.lay(own, data.items.len() as u32, &mut by_name);
            data.files.push(FileRow {
                path: ProjectPath::new(path).unwrap(),
                hash: ContentHash::of(layout.text.as_bytes()),
                len: layout.text.len() as u32,
                lines: layout.text.lines().count() as u32,
                parse_errors: 0,
                flags: FileFlags::default(),
            });
            data.items.append(&mut layout.items);
            texts.push(layout.text);
        }
        for fun in funs {
            for called in &fun.calls {
                data.edges.push(EdgeRow {
                    src: by_name[&fun.name],
                    kind: EdgeKind::Calls,
                    dst: by_name[*called],
                    tier: Tier::Proven,
                    provenance: Provenance::Syntax,
                    rule: 1,
                    weight: 1,
                });
            }
        }
        data.normalise();
        let map = Map::open(Arc::new(data.to_bytes())).unwrap();
        let terms = (0..map.file_count()).map(|file| {
            let numbers = map.items_of_file(file);
            let terms = terms_of(&data, file, numbers.start, &texts[file as usize]);
            (file, numbers.start, terms)
        });
        let terms = terms.collect();
        Self { map, texts, terms }
    }

    pub(crate) fn index_bytes(&self, encoder: Option<&dyn Encoder>) -> Vec<u8> {
        let mut builder = IndexBuilder::new();
        for (file, first, terms) in &self.terms {
            let vectors = encoder.map(|encoder| terms.vectors(encoder));
            builder.add(*file, *first, terms.clone(), vectors.map(Into::into));
        }
        builder.finish(&self.map)
    }

    pub(crate) fn index(&self) -> SearchIndex {
        SearchIndex::open(Arc::new(self.index_bytes(None))).unwrap()
    }
}

/// A file being laid out.
struct Layout {
    file: u32,
    text: String,
    items: Vec<ItemRow>,
}

impl Layout {
    fn lay(&mut self, funs: &[&Fun], first: u32, by_name: &mut SortedMap<String, u32>) {
        let free = funs.iter().filter(|fun| fun.holder.is_empty());
        for fun in free {
            self.fun(fun, None, first, by_name);
        }
        let mut holders: Vec<&str> = funs.iter().map(|fun| fun.holder).collect();
        holders.sort_unstable();
        holders.dedup();
        for holder in holders.into_iter().filter(|holder| !holder.is_empty()) {
            let start = self.text.len() as u32;
            let line = self.line();
            write!(self.text, "impl {holder}").unwrap();
            let head_end = self.text.len() as u32;
            self.text.push_str(" {\n");
            let number = first + self.items.len() as u32;
            let row = self.row(ItemKind::Impl, &format!("impl {holder}"), holder, line);
            self.items.push(ItemRow {
                span: (start, 0),
                code_start: start,
                signature_end: head_end,
                ..row
            });
            let at = self.items.len() - 1;
            for fun in funs.iter().filter(|fun| fun.holder == holder) {
                self.fun(fun, Some(number), first, by_name);
            }
            self.text.push('}');
            self.items[at].span.1 = self.text.len() as u32;
            self.items[at].end_line = self.line();
            self.text.push_str("\n\n");
        }
    }

    fn fun(
        &mut self,
        fun: &Fun,
        parent: Option<u32>,
        first: u32,
        by_name: &mut SortedMap<String, u32>,
    ) {
        let indent = if parent.is_some() { "    " } else { "" };
        let start = self.text.len() + indent.len();
        if !fun.doc.is_empty() {
            writeln!(self.text, "{indent}/// {}", fun.doc).unwrap();
        }
        let line = self.line();
        let code_start = self.text.len() + indent.len();
        write!(self.text, "{indent}pub fn {}()", fun.name).unwrap();
        let signature_end = self.text.len() as u32;
        write!(self.text, " {{\n{indent}    {}\n{indent}}}", fun.body).unwrap();
        let span = (start as u32, self.text.len() as u32);
        let end_line = self.line();
        self.text.push_str("\n\n");
        let kind = if parent.is_some() { ItemKind::Method } else { ItemKind::Function };
        let scope = match fun.holder {
            "" => fun.name.clone(),
            holder => format!("<{holder}>::{}", fun.name),
        };
        let row = self.row(kind, &fun.name, &scope, line);
        let has_docs = !fun.doc.is_empty();
        let is_test = fun.name.starts_with("test_");
        by_name.insert(fun.name.clone(), first + self.items.len() as u32);
        self.items.push(ItemRow {
            parent,
            span,
            code_start: code_start as u32,
            signature_end,
            end_line,
            visibility: "pub".to_owned(),
            flags: ItemFlags { has_docs, is_test, ..ItemFlags::default() },
            ..row
        });
    }

    fn row(&self, kind: ItemKind, name: &str, scope: &str, line: u32) -> ItemRow {
        let canon = format!("demo/demo::m{}::{scope}", self.file);
        let key = format!("{canon}#{}", self.items.len());
        let hash = ContentHash::of(key.as_bytes());
        let mut id = [0; 16];
        id.copy_from_slice(&hash.as_bytes()[..16]);
        ItemRow {
            id: ItemId::from_bytes(id),
            key,
            canon,
            disambiguator: String::new(),
            kind,
            name: name.to_owned(),
            krate: 0,
            file: self.file,
            parent: None,
            span: (0, 0),
            code_start: 0,
            signature_end: 0,
            name_span: (0, 0),
            line,
            end_line: line,
            visibility: String::new(),
            token_hash: hash,
            parse_errors: 0,
            cfg: String::new(),
            flags: ItemFlags::default(),
        }
    }

    fn line(&self) -> u32 {
        1 + self.text.matches('\n').count() as u32
    }
}

fn terms_of(data: &MapData, file: u32, first: u32, text: &str) -> FileTerms {
    let own = data.items.iter().enumerate().filter(|(_, item)| item.file == file);
    let documents = own.map(|(number, item)| {
        let slice = |start: u32, end: u32| &text[start as usize..end as usize];
        Document {
            item: number as u32 - first,
            kind: item.kind,
            name: &item.name,
            canon: &item.canon,
            signature: slice(item.code_start, item.signature_end),
            doc: slice(item.span.0, item.code_start),
            code: match item.kind {
                ItemKind::Impl => slice(item.code_start, item.signature_end),
                _ => slice(item.code_start, item.span.1),
            },
            lines: item.end_line - item.line + 1,
            is_test: false,
        }
    });
    let documents = documents.collect();
    let path = data.files[file as usize].path.as_str();
    file_terms(&FileDocuments { path, documents, text, origin: FileOrigin::default() })
}

/// A small project about files, caches and sockets.
pub(crate) fn demo() -> Vec<Fun> {
    let mut funs = vec![
        fun(
            "src/cache.rs::Cache::insert_entry",
            "Puts an entry into the cache.",
            "self.entries.push(entry); evict_oldest(self)",
        ),
        fun(
            "src/cache.rs::Cache::lookup",
            "Finds an entry by its key.",
            "self.entries.iter().find(key)",
        ),
        fun(
            "src/cache.rs::evict_oldest",
            "Drops the least recently used entry.",
            "cache.entries.remove(0)",
        ),
        fun(
            "src/net/tcp.rs::TcpStream::connect",
            "Opens a connection to a remote host.",
            "let socket = open_socket(); socket.connect(addr)",
        ),
        fun("src/net/tcp.rs::open_socket", "", "unsafe { libc::socket(AF_INET, SOCK_STREAM, 0) }"),
        fun(
            "src/fs.rs::read_to_string",
            "Reads a whole file into a string.",
            "let mut file = open(path); file.read_all()",
        ),
        fun(
            "src/fs.rs::remove_dir_all",
            "Removes a directory and all its entries.",
            "for entry in list(path) { remove(entry) }",
        ),
        fun(
            "tests/cache.rs::cache_drops_oldest",
            "",
            "let cache = Cache::new(); cache.insert_entry(1); assert!(cache.lookup(1))",
        ),
    ];
    funs[0].calls = vec!["evict_oldest"];
    funs[3].calls = vec!["open_socket"];
    funs[7].calls = vec!["insert_entry", "lookup"];
    funs
}
