//! The map as rows of the database.

use std::collections::BTreeMap;
use std::sync::Arc;

use base::{ContentHash, Ctx, ItemId, ProjectPath};
use graph::{ItemKind, ItemView, Map};
use serde::{Deserialize, Serialize};
use store::{BlobRow, EdgeRow, GraphStore, MapChange, MapRows, NodeRow};

use crate::sealed::{self, Format, Kept, seal};
use crate::{Index, IngestError};

const FORMAT: Format = Format { kind: *b"fill", version: 1 };

/// What the database was filled with: of each node the hash of all that its rows are made from.
#[derive(Default, Serialize, Deserialize)]
struct Filled {
    epoch: u64,
    nodes: BTreeMap<[u8; 16], u64>,
}

impl Index {
    /// Brings the relations of the map up to the state of [`Index::map`]: all of them the first
    /// time, afterwards those of items that changed. Does nothing where they are there already.
    ///
    /// # Errors
    /// [`IngestError::Changed`] where a file is not what the map is of (then
    /// [`Index::refresh`] comes first); what the database says; a wish to stop.
    pub fn fill_store(&self, ctx: &Ctx, store: &dyn GraphStore) -> Result<(), IngestError> {
        let map = self.map();
        let present = store.epoch()?;
        if present == Some(map.epoch()) {
            return Ok(());
        }
        let file = self.folder().join("filled.bin");
        let former = match sealed::read(FORMAT, &file) {
            Kept::Content(content) => postcard::from_bytes::<Filled>(&content).ok(),
            Kept::None | Kept::Damaged(_) => None,
        };
        let former = former.filter(|former| present == Some(former.epoch));
        ctx.progress("filling the database", "");
        let texts = self.texts(&map)?;
        let maker = Maker { map: &map, texts };
        let mut filled = Filled { epoch: map.epoch(), nodes: BTreeMap::new() };
        let mut rows = MapRows::default();
        let mut change = MapChange::default();
        let total = u64::from(map.item_count());
        for item in map.items() {
            if item.number.is_multiple_of(512) {
                ctx.alive()?;
                ctx.count("filling the database", "", u64::from(item.number), total);
            }
            let id = item.id();
            let digest = maker.digest(&item);
            filled.nodes.insert(id.to_bytes(), digest);
            match former.as_ref().map(|former| former.nodes.get(&id.to_bytes())) {
                Some(Some(known)) if *known == digest => continue,
                Some(Some(_)) => change.renewed.push(id),
                _ => {}
            }
            maker.rows(&item, &mut rows);
        }
        match former {
            None => store.import(&rows, map.epoch())?,
            Some(former) => {
                let gone = former.nodes.keys().filter(|id| !filled.nodes.contains_key(*id));
                change.removed = gone.map(|id| ItemId::from_bytes(*id)).collect();
                change.rows = rows;
                store.update(&change, map.epoch())?;
            }
        }
        let content = postcard::to_stdvec(&filled)
            .map_err(|err| IngestError::Rows { reason: err.to_string() })?;
        sealed::replace(&file, &[&seal(FORMAT, &content)])
    }

    /// The texts of all files of a map, by number, as they were when it was made.
    fn texts(&self, map: &Map) -> Result<Vec<Arc<str>>, IngestError> {
        let root = self.project().root();
        map.files()
            .map(|file| {
                let changed = || IngestError::Changed { path: file.path.to_owned() };
                let path = ProjectPath::new(file.path).map_err(|_| changed())?;
                if let Some(known) = self.known_text(&path, file.hash) {
                    return Ok(known);
                }
                let bytes = std::fs::read(path.join_to(root)).map_err(|_| changed())?;
                if ContentHash::of(&bytes) != file.hash {
                    return Err(changed());
                }
                Ok(String::from_utf8(bytes).map_err(|_| changed())?.into())
            })
            .collect()
    }
}

struct Maker<'a> {
    map: &'a Map,
    texts: Vec<Arc<str>>,
}

impl Maker<'_> {
    /// Of all that the rows of a node and of its outgoing edges are made from.
    fn digest(&self, item: &ItemView<'_>) -> u64 {
        let mut hasher = base::Hasher::new();
        hasher.field(item.key().as_bytes()).field(item.canon().as_bytes());
        hasher.field(self.code(item).as_bytes()).field(item.visibility().as_bytes());
        for number in [item.span.0, item.span.1, item.line, item.end_line, item.parse_errors] {
            hasher.field(&number.to_le_bytes());
        }
        hasher.field(&[u8::from(item.flags.is_test), u8::from(item.flags.is_recovered)]);
        for edge in self.map.edges_out(item.number) {
            let to = self.map.item(edge.dst).map_or([0; 16], |to| to.id().to_bytes());
            hasher.field(&to).field(&[edge.kind as u8, edge.tier as u8, edge.provenance as u8]);
            hasher.field(&edge.weight.to_le_bytes());
        }
        let hash = hasher.finish();
        u64::from_le_bytes(std::array::from_fn(|at| hash.as_bytes()[at]))
    }

    fn code(&self, item: &ItemView<'_>) -> &str {
        if item.kind == ItemKind::File {
            // Its items have it.
            return "";
        }
        let text = self.texts.get(item.file as usize);
        let span = item.span.0 as usize..item.span.1 as usize;
        text.and_then(|text| text.get(span)).unwrap_or_default()
    }

    fn rows(&self, item: &ItemView<'_>, rows: &mut MapRows) {
        let id = item.id();
        let code = self.code(item);
        let (signature_ts, signature_syn) = self.signatures(item);
        let mut confidence: f64 = 1.0;
        if item.parse_errors > 0 {
            confidence -= 0.4;
        }
        if signature_syn.is_none() {
            confidence -= 0.2;
        }
        // Until rust-analyzer has spoken of it.
        confidence -= 0.2;
        rows.nodes.push(NodeRow {
            id,
            key: item.key(),
            canon: item.canon(),
            file_path: item.path().unwrap_or_default().to_owned(),
            krate: item.crate_name().unwrap_or_default().to_owned(),
            module_path: self.module_path(item),
            kind: item.kind.as_str().to_owned(),
            name: item.name().into_owned(),
            generics: generics(&signature_ts, &item.name()),
            signature_ts,
            signature_syn,
            ra_signature: None,
            vis: item.visibility().to_owned(),
            isgl_level: if self.is_member(item) { 2 } else { 1 },
            parse_error_count: item.parse_errors,
            confidence: (confidence.max(0.0) * 10.0).round() / 10.0,
            span_start: item.span.0,
            span_end: item.span.1,
            line: item.line,
            end_line: item.end_line,
            hash: item.token_hash(),
            ra_hydrated_ts: None,
            resolved_types: None,
            macro_expansion_notes: item
                .flags
                .from_macro
                .then(|| "made by the macro call at its place".to_owned()),
            diag_summary: None,
        });
        if !code.is_empty() {
            rows.blobs.push(BlobRow {
                id,
                code: code.to_owned(),
                tdd_classification: self.classification(item).to_owned(),
                recovered: item.flags.is_recovered,
            });
        }
        for edge in self.map.edges_out(item.number) {
            let Some(to) = self.map.item(edge.dst) else { continue };
            rows.edges.push(EdgeRow {
                src: id,
                dst: to.id(),
                kind: edge.kind,
                weight: f64::from(edge.weight),
                provenance: edge.provenance,
                tier: edge.tier,
                sites: self.map.sites(edge).count() as u32,
            });
        }
    }

    /// As it is written, and exactly where it parses. Only the head is read.
    fn signatures(&self, item: &ItemView<'_>) -> (String, Option<String>) {
        let outside = matches!(
            item.kind,
            ItemKind::Crate | ItemKind::File | ItemKind::Feature | ItemKind::External
        );
        let text = self.texts.get(item.file as usize).filter(|_| !outside);
        let Some(text) = text else { return (item.name().into_owned(), None) };
        let get = |from: u32, to: u32| text.get(from as usize..to as usize).unwrap_or_default();
        let (head, has_body) =
            (get(item.code_start, item.signature_end), item.signature_end < item.span.1);
        let snippet = match item.kind {
            _ if !has_body => head.to_owned(),
            ItemKind::Const | ItemKind::Static => format!("{head} 0;"),
            // Fields by position belong to the signature.
            ItemKind::Struct if get(item.signature_end, item.span.1).starts_with('(') => {
                get(item.code_start, item.span.1).to_owned()
            }
            _ => format!("{head} {{}}"),
        };
        let parsed = syntax::parse(&snippet);
        match parsed.items.first() {
            Some(first) if item.kind != ItemKind::Variant => {
                (syntax::tree_signature(&snippet, first), syntax::signature_of(&snippet, first))
            }
            _ => (head.split_whitespace().collect::<Vec<_>>().join(" "), None),
        }
    }

    fn is_member(&self, item: &ItemView<'_>) -> bool {
        let parent = item.parent.and_then(|parent| self.map.item(parent));
        parent.is_some_and(|parent| {
            matches!(parent.kind, ItemKind::Impl | ItemKind::Trait | ItemKind::Enum)
        })
    }

    /// The canonical path of the module around, without the crate's name.
    fn module_path(&self, item: &ItemView<'_>) -> String {
        let mut at = item.parent;
        while let Some(number) = at {
            let Some(holder) = self.map.item(number) else { break };
            if holder.kind == ItemKind::Module {
                let canon = holder.canon();
                return canon.split_once("::").map_or(String::new(), |(_, path)| path.to_owned());
            }
            // Numbers of parents do not always fall: crates stand last. A chain is short.
            at = holder.parent.filter(|_| holder.kind != ItemKind::Crate);
        }
        String::new()
    }

    fn classification(&self, item: &ItemView<'_>) -> &'static str {
        let krate = self.map.krate(item.krate);
        let in_tests = krate.is_some_and(|krate| matches!(krate.kind, "test" | "bench"));
        if !item.flags.is_test && !in_tests {
            return "production";
        }
        let text = self.texts.get(item.file as usize);
        let attributes =
            text.and_then(|text| text.get(item.span.0 as usize..item.code_start as usize));
        let is_test = attributes.is_some_and(|attributes| {
            ["test]", "test(", "rstest", "bench]", "quickcheck"]
                .iter()
                .any(|it| attributes.contains(it))
                && !attributes.contains("cfg(test)]")
        });
        if is_test && item.kind == ItemKind::Function { "test" } else { "test_helper" }
    }
}

/// What stands in angle brackets behind the name, or behind `impl`.
fn generics(signature: &str, name: &str) -> String {
    let after = match signature.strip_prefix("unsafe ").unwrap_or(signature).strip_prefix("impl") {
        Some(after) => after,
        None => match name_end(signature, name) {
            Some(end) => &signature[end..],
            None => return String::new(),
        },
    };
    let after = after.trim_start();
    if !after.starts_with('<') {
        return String::new();
    }
    let mut depth = 0_u32;
    let mut before = ' ';
    for (at, c) in after.char_indices() {
        match c {
            '<' => depth += 1,
            '>' if before != '-' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return after[..=at].to_owned();
        }
        before = c;
    }
    String::new()
}

/// Where the name ends that the signature declares: a word of its own, not a part of `fn`.
fn name_end(signature: &str, name: &str) -> Option<usize> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    signature.match_indices(name).find_map(|(at, _)| {
        let end = at + name.len();
        let apart = signature[..at].ends_with(char::is_whitespace)
            && !signature[end..].starts_with(is_word);
        (apart && !name.is_empty()).then_some(end)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generics_are_what_stands_behind_the_name() {
        assert_eq!(generics("pub fn f<T: Fn() -> Vec<u8>>(x: T)", "f"), "<T: Fn() -> Vec<u8>>");
        assert_eq!(generics("impl<'a, T> Display for A<'a, T>", "Display for A<'a, T>"), "<'a, T>");
        assert_eq!(generics("fn g(x: Vec<u8>)", "g"), "");
        assert_eq!(generics("fn h<T", "h"), "");
    }
}
