//! Projects to measure by.

use std::path::Path;
use std::sync::Arc;

use base::{ContentHash, EdgeKind, ItemId, ItemKind, ProjectPath, Provenance, SortedMap, Tier};
use graftage_search::{Document, FileDocuments, FileOrigin};
use graph::{CrateRow, EdgeRow, FileFlags, FileRow, ItemFlags, ItemRow, Map, MapData};

pub(crate) struct Corpus {
    pub(crate) map: Map,
    pub(crate) files: Vec<File>,
    pub(crate) sentences: Vec<String>,
    pub(crate) comments: Vec<String>,
}

pub(crate) struct File {
    pub(crate) path: String,
    pub(crate) text: String,
    pub(crate) first_item: u32,
    items: Vec<Item>,
}

struct Item {
    kind: ItemKind,
    name: String,
    canon: String,
    parent: Option<usize>,
    span: (usize, usize),
    code_start: usize,
    signature_end: usize,
}

impl Corpus {
    pub(crate) fn source(&self, file: usize) -> FileDocuments<'_> {
        let file = &self.files[file];
        let documents = file.items.iter().enumerate().map(|(n, item)| {
            let is_block = item.kind == ItemKind::Impl || item.kind == ItemKind::Trait;
            let end = if is_block { item.signature_end } else { item.span.1 };
            Document {
                item: n as u32,
                kind: item.kind,
                name: &item.name,
                canon: &item.canon,
                signature: &file.text[item.code_start..item.signature_end],
                doc: &file.text[item.span.0..item.code_start],
                code: &file.text[item.code_start..end],
                lines: 1,
                is_test: false,
            }
        });
        let documents = documents.collect();
        FileDocuments {
            path: &file.path,
            documents,
            text: &file.text,
            origin: FileOrigin::default(),
        }
    }
}

/// The `.rs` files below a folder.
pub(crate) fn read(root: &Path) -> Corpus {
    let mut paths = Vec::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                paths.push(path);
            }
        }
    }
    paths.sort();
    let files = paths.iter().filter_map(|path| {
        let text = std::fs::read_to_string(path).ok()?;
        Some((path.strip_prefix(root).ok()?.to_str()?.to_owned(), text))
    });
    join(files.collect())
}

/// Functions of words whose frequencies fall as they do in texts.
pub(crate) fn made_up(items: usize) -> Corpus {
    let mut state = 0x2545_f491_4f6c_dd1du64;
    let mut next = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let mut word = move || {
        // The inverse of a hyperbola: rank r comes about 1/r times as often as rank 1.
        let unit = (next() >> 11) as f64 / (1u64 << 53) as f64;
        let rank = (20_000f64.powf(unit)) as u64;
        let letters = |n: u64| (b'a' + (n % 26) as u8) as char;
        format!(
            "{}{}{}{}",
            letters(rank * 7),
            letters(rank / 26),
            letters(rank / 676 + 3),
            letters(rank * 3)
        )
    };
    let files = (0..items.div_ceil(40)).map(|file| {
        let mut text = String::new();
        for n in 0..40.min(items - file * 40) {
            let mut words = |count: usize| -> Vec<String> { (0..count).map(|_| word()).collect() };
            text.push_str(&format!(
                "/// {}.\npub fn {}_{n}({}: u32) -> bool {{\n    {};\n}}\n\n",
                words(9).join(" "),
                words(2).join("_"),
                words(1)[0],
                words(45).join(", ")
            ));
        }
        (format!("src/part_{file:04}.rs"), text)
    });
    join(files.collect())
}

fn join(texts: Vec<(String, String)>) -> Corpus {
    let mut files: Vec<File> = texts
        .into_iter()
        .map(|(path, text)| File { items: items_of(&path, &text), path, text, first_item: 0 })
        .collect();
    files.sort_by(|a, b| a.path.cmp(&b.path));
    let mut data = MapData { epoch: 1, ..MapData::default() };
    data.crates.push(CrateRow {
        name: "it/it".to_owned(),
        version: String::new(),
        kind: "lib".to_owned(),
        root: 0,
    });
    let mut by_name: SortedMap<&str, Vec<u32>> = SortedMap::new();
    let mut number = 0;
    for (n, file) in files.iter_mut().enumerate() {
        file.first_item = number;
        data.files.push(FileRow {
            path: ProjectPath::new(&file.path).unwrap_or_else(|err| panic!("{err}")),
            hash: ContentHash::of(file.text.as_bytes()),
            len: file.text.len() as u32,
            lines: 1,
            parse_errors: 0,
            flags: FileFlags::default(),
        });
        let mut lines = Lines { text: &file.text, at: 0, line: 1 };
        for item in &file.items {
            data.items.push(row(item, n as u32, file.first_item, &mut lines));
            number += 1;
        }
    }
    for (number, item) in (0u32..).zip(files.iter().flat_map(|file| &file.items)) {
        by_name.entry(&item.name).or_default().push(number);
    }
    let mut number = 0u32;
    for file in &files {
        for item in &file.items {
            let is_function = matches!(item.kind, ItemKind::Function | ItemKind::Method);
            let body = if is_function { &file.text[item.signature_end..item.span.1] } else { "" };
            for called in body.split(|c: char| !c.is_alphanumeric() && c != '_') {
                // A name that few share is a call; others would be history apart by types.
                let Some(targets) = by_name.get(called).filter(|all| all.len() <= 2) else {
                    continue;
                };
                data.edges.extend(targets.iter().map(|target| EdgeRow {
                    src: number,
                    kind: EdgeKind::Calls,
                    dst: *target,
                    tier: Tier::Proven,
                    provenance: Provenance::Syntax,
                    rule: 1,
                    weight: 1,
                }));
            }
            number += 1;
        }
    }
    data.normalise();
    let map = Map::open(Arc::new(data.to_bytes())).unwrap_or_else(|err| panic!("{err}"));
    let docs = files.iter().flat_map(|file| {
        file.items.iter().map(|item| file.text[item.span.0..item.code_start].replace("///", ""))
    });
    let docs: Vec<String> = docs.filter(|doc| doc.split_whitespace().count() > 5).collect();
    let chosen = docs.iter().step_by((docs.len() / 300).max(1));
    let comments: Vec<String> = chosen.map(|doc| doc.chars().take(600).collect()).collect();
    let sentence = |doc: &String| doc.split(". ").next().unwrap_or_default().to_owned();
    let sentences = comments.iter().map(sentence).collect();
    Corpus { map, files, sentences, comments }
}

/// Counts lines, ever on.
struct Lines<'a> {
    text: &'a str,
    at: usize,
    line: u32,
}

impl Lines<'_> {
    fn of(&mut self, offset: usize) -> u32 {
        if offset < self.at {
            (self.at, self.line) = (0, 1);
        }
        self.line +=
            self.text.as_bytes()[self.at..offset].iter().filter(|b| **b == b'\n').count() as u32;
        self.at = offset;
        self.line
    }
}

fn row(item: &Item, file: u32, first: u32, lines: &mut Lines<'_>) -> ItemRow {
    let key = format!("{file}-{}-{}", item.span.0, item.canon);
    ItemRow {
        id: ItemId::of(&key, item.kind.as_str(), ""),
        key,
        canon: item.canon.clone(),
        disambiguator: String::new(),
        kind: item.kind,
        name: item.name.clone(),
        krate: 0,
        file,
        parent: item.parent.map(|parent| first + parent as u32),
        span: (item.span.0 as u32, item.span.1 as u32),
        code_start: item.code_start as u32,
        signature_end: item.signature_end as u32,
        name_span: (item.code_start as u32, item.code_start as u32),
        line: lines.of(item.code_start),
        end_line: lines.of(item.span.1),
        visibility: "pub".to_owned(),
        token_hash: ContentHash::of(item.canon.as_bytes()),
        parse_errors: 0,
        cfg: String::new(),
        flags: ItemFlags::default(),
    }
}

/// Items by the look of their lines: those that begin with a keyword, up to the brace that closes
/// at the same depth.
fn items_of(path: &str, text: &str) -> Vec<Item> {
    let module = path.trim_end_matches(".rs").replace('/', "::");
    let mut items: Vec<Item> = Vec::new();
    let mut doc_start = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let code = line.trim_start();
        let indent = line.len() - code.len();
        if code.starts_with("///") || code.starts_with("#[") {
            doc_start.get_or_insert(start + indent);
            continue;
        }
        let from = doc_start.take();
        let Some((kind, name)) = head(code) else { continue };
        let code_start = start + indent;
        let rest = &text[code_start..];
        let close = format!("\n{}}}", &line[..indent]);
        let brace = rest.find(['{', ';']).unwrap_or(rest.len());
        let end = match rest[brace..].starts_with('{') {
            true => match rest[..rest.find('\n').unwrap_or(rest.len())].trim_end().ends_with('}') {
                true => rest.find('\n').unwrap_or(rest.len()),
                false => rest.find(&close).map_or(rest.len(), |end| end + close.len()),
            },
            false => brace,
        };
        let span = (from.unwrap_or(code_start), code_start + end.max(brace));
        let parent = items
            .iter()
            .rposition(|outer: &Item| outer.span.1 >= span.1 && outer.kind == ItemKind::Impl);
        let kind =
            if parent.is_some() && kind == ItemKind::Function { ItemKind::Method } else { kind };
        let scope = parent.map_or(String::new(), |parent| format!("{}::", items[parent].name));
        items.push(Item {
            kind,
            canon: format!("it/it::{module}::{scope}{name}"),
            name,
            parent,
            span,
            code_start,
            signature_end: code_start + brace.min(end.max(brace)),
        });
    }
    items.sort_by_key(|item| item.span);
    items
}

fn head(code: &str) -> Option<(ItemKind, String)> {
    let kinds = [
        ("fn", ItemKind::Function),
        ("struct", ItemKind::Struct),
        ("enum", ItemKind::Enum),
        ("trait", ItemKind::Trait),
        ("impl", ItemKind::Impl),
        ("const", ItemKind::Const),
        ("static", ItemKind::Static),
        ("type", ItemKind::TypeAlias),
    ];
    let mut rest = code;
    for _ in 0..4 {
        let word = rest.split([' ', '<', '(']).next()?;
        if let Some((_, kind)) = kinds.iter().find(|(name, _)| *name == word)
            && !(word == "const" && rest[5..].trim_start().starts_with("fn"))
        {
            let behind = rest[word.len()..].trim_start();
            let end = match kind {
                ItemKind::Impl => behind.find([' ', '{']).unwrap_or(behind.len()),
                _ => {
                    behind.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(behind.len())
                }
            };
            return (end > 0).then(|| (*kind, behind[..end].to_owned()));
        }
        if !matches!(word, "pub" | "async" | "unsafe" | "const" | "default") {
            return None;
        }
        rest = rest[word.len()..].trim_start_matches(|c: char| c != ' ').trim_start();
    }
    None
}
