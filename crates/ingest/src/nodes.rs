//! The rows of a file's items: lists the definitions of a file and computes ids, keys, spans and
//! hashes. Start at [`nodes_of`].

use std::cell::RefCell;
use std::collections::HashMap;

use base::{ByteSpan, ContentHash, ItemId, ItemKind, LineIndex};
use graph::{ItemFlags, ItemRow};
use resolve::{Def, DefId, DefMap, Existence, FileIdx};
use syntax::{CfgPredicate, VariantPlace};

use crate::node_interner::NONE;

/// The definitions of one file that become nodes, in the order of the map, and a hash of their
/// inputs other than the file's text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Defs {
    pub(crate) ids: Vec<DefId>,
    /// Hash of all inputs from the definition map: while it is unchanged, so are the rows.
    pub(crate) placement: u64,
}

/// The nodes of one file. Numbers are relative to the file: `parent` is an index into `rows`;
/// `file` and `krate` are not filled in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct FileNodes {
    pub(crate) placement: u64,
    pub(crate) rows: Vec<ItemRow>,
    /// The cargo features in each row's own cfg, and whether they are required: `(row, feature,
    /// is_certain)`.
    pub(crate) gates: Vec<(u32, Box<str>, bool)>,
}

/// Lists the definitions of a file: its items, variants of its enums, and the expansions of its
/// macro calls. Tokens that a macro drops are left out.
pub(crate) fn defs_of(map: &DefMap, file: FileIdx) -> Defs {
    let mut found: Vec<(u32, DefId)> = Vec::new();
    let mut queue = vec![(file, None)];
    while let Some((source, at)) = queue.pop() {
        let items = &map.source(source).facts.file.items;
        for (idx, item) in items.iter().enumerate() {
            let id = map.def_of(source, idx as u32);
            let def = map.def(id);
            if def.existence == Existence::No {
                continue;
            }
            let start = at.unwrap_or(item.span.start as u32);
            found.push((start, id));
            if def.kind == ItemKind::Enum {
                let variants = (0..).map_while(|number| map.variant_of(id, number));
                found.extend(variants.map(|variant| {
                    let offset = variant_name(map, variant).map_or(start, |(name, _)| name);
                    (at.unwrap_or(offset), variant)
                }));
            }
        }
        // All items of an expansion have the position of the call.
        queue.extend(map.expansions(source).iter().map(|expansion| {
            let call = map.source(*expansion).call;
            let start = call.and_then(|call| Some(map.facts(call)?.1.span.start as u32));
            (*expansion, at.or(start))
        }));
    }
    // By position; at one position in the order of definition, so that parents come first.
    found.sort_by_key(|(start, id)| (*start, map.def(*id).from_macro, map.source_order(*id)));
    let mut hash = blake3::Hasher::new();
    let mut ids = Vec::with_capacity(found.len());
    for (start, id) in found {
        let def = map.def(id);
        hash.update(&start.to_le_bytes());
        hash.update(&[def.kind as u8, u8::from(def.is_active), def.existence as u8]);
        hash.update(&def.krate.0.to_le_bytes());
        for text in [map.canon(id), map.disambiguator(id)] {
            hash.update(&(text.len() as u32).to_le_bytes()).update(text.as_bytes());
        }
        if def.from_macro && def.file != file {
            // The text of an expansion is in no file.
            if let Some((_, item, _)) = map.facts(id) {
                hash.update(item.span.slice(&map.source(def.file).text).unwrap_or("").as_bytes());
            }
        }
        ids.push(id);
    }
    let placement = u64::from_le_bytes(first_eight(hash.finalize().as_bytes()));
    Defs { ids, placement }
}

fn first_eight(bytes: &[u8; 32]) -> [u8; 8] {
    std::array::from_fn(|at| bytes[at])
}

/// The span of a variant's name.
fn variant_name(map: &DefMap, id: DefId) -> Option<(u32, u32)> {
    let number = map.def(id).variant? as usize;
    let (facts, _, decl) = map.facts(id)?;
    let syntax::facts::Shape::Enum(variants) = &decl.shape else { return None };
    let variant = variants.get(number)?;
    let len = facts.names.get(variant.name.idx())?.len() as u32;
    Some((variant.offset, variant.offset + len))
}

/// Builds the rows of one file.
pub(crate) fn nodes_of(map: &DefMap, file: FileIdx, defs: &Defs) -> FileNodes {
    let source = map.source(file);
    let text = &source.text;
    let builder = RowBuilder {
        map,
        file,
        variants: RefCell::default(),
        lines: LineIndex::new(text),
        hashes: syntax::token_hashes(text, &source.facts.file),
        path: source.path.as_str(),
    };
    let mut nodes = FileNodes { placement: defs.placement, ..FileNodes::default() };
    let mut keys = Keys::default();
    let mut numbers: HashMap<DefId, u32> = HashMap::with_capacity(defs.ids.len());
    for id in &defs.ids {
        let Some(mut row) = builder.row(*id) else { continue };
        let key = builder.key(*id);
        row.key = keys.unique(key);
        // Parents come before their children.
        let def = map.def(*id);
        row.parent = def.parent.and_then(|it| numbers.get(&it).copied());
        row.parent = row.parent.or_else(|| numbers.get(&def.module).copied());
        let number = nodes.rows.len() as u32;
        for (feature, is_certain) in features_in(&row.cfg) {
            nodes.gates.push((number, feature, is_certain));
        }
        numbers.insert(*id, number);
        nodes.rows.push(row);
    }
    nodes
}

struct RowBuilder<'a> {
    map: &'a DefMap,
    file: FileIdx,
    lines: LineIndex,
    hashes: Vec<ContentHash>,
    path: &'a str,
    /// The variants of the last enum, by its number in the file.
    variants: RefCell<(u32, Vec<VariantPlace>)>,
}

/// The bytes of an item in its file.
struct ItemPlace {
    span: (u32, u32),
    code_start: u32,
    signature_end: u32,
    name_span: (u32, u32),
}

impl RowBuilder<'_> {
    fn row(&self, id: DefId) -> Option<ItemRow> {
        let def = self.map.def(id);
        let (_, item, decl) = self.map.facts(id)?;
        let kind = def.kind;
        let canon = self.map.canon(id);
        let disambiguator = self.map.disambiguator(id);
        let (at, variant) = self.place(id, item);
        let is_variant = def.variant.is_some();
        let name = match def.name {
            Some(symbol) => self.map.name_of(symbol).to_owned(),
            None => item.name.clone(),
        };
        let token_hash = self.token_hash(def, item, variant, &name);
        Some(ItemRow {
            id: ItemId::of(&canon, kind.as_str(), &disambiguator),
            key: String::new(),
            canon,
            disambiguator,
            kind,
            name,
            krate: def.krate.0,
            file: NONE,
            parent: None,
            span: at.span,
            code_start: at.code_start,
            signature_end: at.signature_end,
            name_span: at.name_span,
            line: self.lines.line_of(at.code_start as usize),
            end_line: self.lines.line_of((at.span.1.max(at.span.0 + 1) - 1) as usize),
            visibility: if is_variant { String::new() } else { item.visibility.clone() },
            token_hash,
            parse_errors: if is_variant { 0 } else { item.parse_errors as u32 },
            cfg: match &decl.cfg {
                Some(cfg) if !is_variant => cfg.to_string(),
                _ => String::new(),
            },
            flags: ItemFlags {
                is_test: item.is_test,
                is_local: item.is_local,
                is_recovered: !is_variant && (item.is_recovered || item.parse_errors > 0),
                from_macro: def.from_macro,
                is_inactive: !def.is_active,
                has_docs: match variant {
                    Some(it) => it.has_docs,
                    None => !is_variant && !item.docs.is_empty(),
                },
            },
        })
    }

    /// Where an item is in the file, and where its variant is.
    fn place(&self, id: DefId, item: &syntax::Item) -> (ItemPlace, Option<VariantPlace>) {
        let def = self.map.def(id);
        let whole = |span: ByteSpan| (span.start as u32, span.end as u32);
        if def.file != self.file {
            // A generated item has the span of its call.
            let at = self.map.site(def.file, item.span.start as u32).1;
            let span = self.call_span(at);
            let name_span = (span.0, span.0);
            return (
                ItemPlace { span, code_start: span.0, signature_end: span.1, name_span },
                None,
            );
        }
        if let Some(name_span) = variant_name(self.map, id) {
            let variant = self.variant_around(def.item, item, name_span.0 as usize);
            let span = variant.map_or(name_span, |it| whole(it.span));
            let code_start = name_span.0;
            return (ItemPlace { span, code_start, signature_end: span.1, name_span }, variant);
        }
        let code_start = item.code_span.start as u32;
        let place = ItemPlace {
            span: whole(item.span),
            code_start,
            signature_end: item.body.map_or(item.span.end, |body| body.start) as u32,
            name_span: item.name_span.map_or((code_start, code_start), whole),
        };
        (place, None)
    }

    fn token_hash(
        &self,
        def: &Def,
        item: &syntax::Item,
        variant: Option<VariantPlace>,
        name: &str,
    ) -> ContentHash {
        if def.variant.is_some() {
            let code = variant.and_then(|it| it.span.slice(&self.map.source(self.file).text));
            syntax::token_hash_of(code.unwrap_or(name))
        } else if def.file != self.file {
            syntax::token_hash(&self.map.source(def.file).text, item)
        } else {
            self.hashes.get(def.item as usize).copied().unwrap_or(ContentHash::of(b""))
        }
    }

    /// The variant whose name is at an offset, if its enum parses well enough.
    fn variant_around(
        &self,
        number: u32,
        item: &syntax::Item,
        name: usize,
    ) -> Option<VariantPlace> {
        let mut known = self.variants.borrow_mut();
        if known.1.is_empty() || known.0 != number {
            let text = &self.map.source(self.file).text;
            *known = (number, syntax::variant_places(text, item.body?));
        }
        let at = known.1.partition_point(|it| it.span.end <= name);
        known.1.get(at).filter(|it| it.span.start <= name).copied()
    }

    /// The span of the macro call at an offset.
    fn call_span(&self, at: u32) -> (u32, u32) {
        let items = &self.map.source(self.file).facts.file.items;
        let after = items.partition_point(|item| item.code_span.start <= at as usize);
        let found = items[..after].iter().rev().find(|item| item.span.end > at as usize);
        found.map_or((at, at), |item| (item.span.start as u32, item.span.end as u32))
    }

    /// For example `crates/io/src-lib.rs-Reader::read`.
    fn key(&self, id: DefId) -> String {
        let (folder, file) = match self.path.rsplit_once('/') {
            Some((folder, file)) => (folder, file),
            None => ("", self.path),
        };
        let dash = if folder.is_empty() { "" } else { "-" };
        format!("{folder}{dash}{file}-{}", self.path_in_file(id))
    }

    /// The item's path in its file; a generated item is below the container of the call.
    fn path_in_file(&self, id: DefId) -> String {
        let def = self.map.def(id);
        let Some((facts, item, decl)) = self.map.facts(id) else { return String::new() };
        let mut path = item.canon.clone();
        if let (Some(number), syntax::facts::Shape::Enum(variants)) = (def.variant, &decl.shape)
            && let Some(variant) = variants.get(number as usize)
            && let Some(name) = facts.names.get(variant.name.idx())
        {
            path = format!("{path}::{name}");
        }
        let mut source = def.file;
        while source != self.file {
            let Some(call) = self.map.source(source).call else { break };
            let call_def = self.map.def(call);
            if let Some(holder) = call_def.parent.and_then(|it| self.map.facts(it)) {
                path = format!("{}::{path}", holder.1.canon);
            } else if let Some(module) = self.map.facts(call_def.module)
                && self.map.def(call_def.module).file == call_def.file
            {
                path = format!("{}::{path}", module.1.canon);
            }
            source = call_def.file;
        }
        path
    }
}

/// The keys of one file, made unique with `-2`, `-3`.
#[derive(Default)]
struct Keys(HashMap<String, u32>);

impl Keys {
    fn unique(&mut self, key: String) -> String {
        let mut key = key;
        let base = key.clone();
        while let Some(count) = self.0.get_mut(&key) {
            *count += 1;
            key = format!("{base}-{count}");
        }
        self.0.insert(key.clone(), 1);
        key
    }
}

/// The features in a predicate: required in `all(…)` and at the top level, possible in `any(…)`;
/// those in `not(…)` are ignored.
fn features_in(cfg: &str) -> Vec<(Box<str>, bool)> {
    let mut found = Vec::new();
    if let Some(predicate) = CfgPredicate::parse(cfg) {
        add_features(&predicate, true, &mut found);
    }
    found.sort();
    found.dedup_by(|a, b| a.0 == b.0);
    found
}

fn add_features(predicate: &CfgPredicate<'_>, is_certain: bool, found: &mut Vec<(Box<str>, bool)>) {
    match predicate {
        CfgPredicate::All(parts) => {
            parts.iter().for_each(|it| add_features(it, is_certain, found));
        }
        CfgPredicate::Any(parts) => parts.iter().for_each(|it| add_features(it, false, found)),
        CfgPredicate::Value("feature", name) => found.push(((*name).into(), is_certain)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_are_read_from_predicates() {
        let of = |cfg: &str| -> Vec<String> {
            let all = features_in(cfg).into_iter();
            all.map(|(name, sure)| format!("{name}{}", if sure { "" } else { "?" })).collect()
        };
        assert_eq!(of(r#"feature = "a""#), ["a"]);
        assert_eq!(of(r#"all(unix, feature = "a", any(feature="b", windows))"#), ["a", "b?"]);
        assert_eq!(of(r#"not(feature = "a")"#), [""; 0]);
        assert_eq!(of(r#"all(not(any(feature = "a", x)), feature = "b")"#), ["b"]);
        assert_eq!(of(r#"target_os = "feature""#), [""; 0]);
        assert_eq!(of("all(feature = \"a"), [""; 0]);
    }

    #[test]
    fn keys_are_unique() {
        let mut keys = Keys::default();
        let all: Vec<String> =
            ["a", "a", "b", "a", "a-2"].iter().map(|key| keys.unique((*key).to_owned())).collect();
        assert_eq!(all, ["a", "a-2", "b", "a-3", "a-2-2"]);
    }
}
