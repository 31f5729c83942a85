//! Turns resolved names into facts about items: calls, uses, implementations. Start at [`collect`].

use std::sync::Arc;

use analyzer::scip::{is_called, macro_definitions};
use base::{EdgeKind, ItemId, ItemKind, SortedMap, SortedSet};
use graph::ItemRow;
use rayon::prelude::*;
use syntax::facts::{Expr, FileFacts};

use super::analyzer_file::{Fact, FactKind, Hydration, HydrationKey, KeptFile};
use super::overlay::digests;
use super::resolved_names::{AnalyzerFacts, OfFile, ResolvedName, Row, is_function};
use crate::node_interner::NONE;
use crate::state::{FileState, State};

mod impls;

/// A fact before items are numbered.
type Draft = (u32, ItemId, FactKind, ItemId);

/// The facts of one file.
struct Drafted {
    file: usize,
    calls: [u32; 4],
    facts: SortedSet<Draft>,
    /// Hashes of the syntax links, by slot.
    digests: SortedMap<u32, u32>,
    slots: SortedMap<ItemId, u32>,
}

/// Collects the facts for storage; facts of unchanged files are taken over from `former`.
pub(crate) fn collect(
    state: &State,
    analyzer_facts: &AnalyzerFacts,
    analyzer: &str,
    key: HydrationKey,
    former: Option<&Hydration>,
) -> Hydration {
    let numbers: Vec<usize> = match former {
        // A full run covers all files, including those without results.
        None => (0..state.files.len()).collect(),
        Some(_) => analyzer_facts.names.keys().copied().collect(),
    };
    let drafted: Vec<Drafted> = numbers
        .par_iter()
        .filter(|number| state.files.get(**number).is_some())
        .map(|number| Collector::new(state, *number).drafted(analyzer_facts.names.get(number)))
        .collect();
    let mut ids = Ids::default();
    let mut files: SortedMap<base::ProjectPath, Arc<KeptFile>> = SortedMap::new();
    let kept =
        former.into_iter().flat_map(|former| former.files.iter().map(move |it| (former, it)));
    for (former, file) in kept {
        let is_there = state.file(&file.path).is_some_and(|now| now.hash == file.hash);
        if is_there {
            files.insert(file.path.clone(), Arc::new(ids.renumbered(file, &former.ids)));
        }
    }
    for draft in drafted {
        let Some(file) = state.files.get(draft.file) else { continue };
        files.insert(file.path.clone(), Arc::new(ids.kept(file, &draft)));
    }
    let mut signatures = former.map(Hydration::signatures).unwrap_or_default();
    signatures.retain(|path, hash| state.file(path).is_some_and(|now| now.hash == hash));
    for (number, names) in &analyzer_facts.named {
        if let Some(file) = state.files.get(*number) {
            signatures.put(&file.path, file.hash, names.clone(), analyzer_facts.at);
        }
    }
    Hydration {
        ids: ids.all,
        files: files.into_values().collect(),
        signatures: signatures.packed().unwrap_or_default().into(),
        ..Hydration::new(key, analyzer)
    }
}

/// Assigns indices to ids in the order in which they occur.
#[derive(Default)]
struct Ids {
    all: Vec<ItemId>,
    numbers: SortedMap<ItemId, u32>,
}

impl Ids {
    fn of(&mut self, id: ItemId) -> u32 {
        *self.numbers.entry(id).or_insert_with(|| {
            self.all.push(id);
            self.all.len() as u32 - 1
        })
    }

    fn kept(&mut self, file: &FileState, draft: &Drafted) -> KeptFile {
        let mut facts: Vec<Fact> = Vec::with_capacity(draft.facts.len());
        let mut items: SortedMap<u32, u32> = SortedMap::new();
        for (offset, src, kind, dst) in &draft.facts {
            let digest = draft.slots.get(src).and_then(|slot| draft.digests.get(slot));
            let number = self.of(*src);
            items.insert(number, digest.copied().unwrap_or(0));
            facts.push(Fact { offset: *offset, src: number, kind: *kind, dst: self.of(*dst) });
        }
        facts.sort_unstable();
        let [calls, resolved, active, active_resolved] = draft.calls;
        KeptFile {
            path: file.path.clone(),
            hash: file.hash,
            calls,
            resolved,
            active,
            active_resolved,
            items: items.into_iter().collect(),
            facts,
        }
    }

    fn renumbered(&mut self, file: &KeptFile, former: &[ItemId]) -> KeptFile {
        let none = ItemId::from_bytes([0; 16]);
        let mut of = |number: u32| self.of(former.get(number as usize).copied().unwrap_or(none));
        let mut items: Vec<(u32, u32)> =
            file.items.iter().map(|(item, digest)| (of(*item), *digest)).collect();
        items.sort_unstable();
        let mut facts: Vec<Fact> = (file.facts.iter())
            .map(|fact| Fact { src: of(fact.src), dst: of(fact.dst), ..*fact })
            .collect();
        facts.sort_unstable();
        KeptFile { items, facts, ..file.clone() }
    }
}

/// One file with lookups by offset.
struct Collector<'a> {
    state: &'a State,
    number: usize,
    file: &'a FileState,
    facts: Arc<FileFacts>,
    macros: Vec<(usize, usize)>,
    /// Source items of syntax links, by offset: callers, and all.
    callers: SortedMap<u32, SortedSet<u32>>,
    users: SortedMap<u32, SortedSet<u32>>,
    facts_found: SortedSet<Draft>,
    slots: SortedMap<ItemId, u32>,
}

impl<'a> Collector<'a> {
    fn new(state: &'a State, number: usize) -> Self {
        let file = &state.files[number];
        let mut callers: SortedMap<u32, SortedSet<u32>> = SortedMap::new();
        let mut users: SortedMap<u32, SortedSet<u32>> = SortedMap::new();
        if let Some(links) = file.syntax_links() {
            for link in &links.links {
                let places = match link.kind {
                    EdgeKind::Calls => &mut callers,
                    EdgeKind::Uses => &mut users,
                    _ => continue,
                };
                places.entry(link.offset).or_default().insert(link.src);
            }
            for site in &links.unresolved {
                callers.entry(site.offset).or_default().insert(site.src);
            }
        }
        Self {
            state,
            number,
            file,
            facts: file.facts.clone(),
            macros: macro_definitions(&file.text),
            callers,
            users,
            facts_found: SortedSet::new(),
            slots: SortedMap::new(),
        }
    }

    /// `names` is `None` if the index does not contain the file: no crate reaches it under
    /// rust-analyzer's cfg, which includes that of build scripts.
    fn drafted(mut self, names: Option<&OfFile>) -> Drafted {
        let nothing = OfFile::new();
        let (is_reached, names) = (names.is_some(), names.unwrap_or(&nothing));
        for (offset, meanings) in names {
            self.place(*offset, meanings);
        }
        self.impls(names);
        self.derives(names);
        let mut calls = call_offsets(&self.facts);
        calls.sort_unstable();
        calls.dedup();
        let inactive = if is_reached { self.inactive() } else { None };
        let is_active = |offset: u32| {
            let is_around = |span: &(u32, u32)| span.0 <= offset && offset < span.1;
            inactive.as_ref().is_some_and(|spans| !spans.iter().any(is_around))
        };
        let mut counts = [0; 4];
        for offset in &calls {
            let is_known = names.contains_key(offset);
            let is_active = is_active(*offset);
            counts[0] += 1;
            counts[1] += u32::from(is_known);
            counts[2] += u32::from(is_active);
            counts[3] += u32::from(is_active && is_known);
        }
        let digests = self.file.syntax_links().map(|links| digests(links, &self.state.slots));
        Drafted {
            file: self.number,
            calls: counts,
            facts: self.facts_found,
            digests: digests.unwrap_or_default(),
            slots: self.slots,
        }
    }

    fn row(&self, (file, row): Row) -> Option<&'a ItemRow> {
        self.state.files.get(file as usize)?.nodes.rows.get(row as usize)
    }

    fn id_of_row(&mut self, (file, row): Row) -> Option<ItemId> {
        let slot = *self.state.slot_tables.rows.get(file as usize)?.get(row as usize)?;
        self.id(slot)
    }

    fn id(&mut self, slot: u32) -> Option<ItemId> {
        let id = self.state.slots.id(slot)?;
        self.slots.insert(id, slot);
        Some(id)
    }

    fn put(&mut self, offset: u32, src: ItemId, kind: FactKind, dst: ItemId) {
        self.facts_found.insert((offset, src, kind, dst));
    }

    /// Adds the facts of the items at one offset.
    fn place(&mut self, offset: u32, meanings: &[ResolvedName]) {
        let at = offset as usize;
        let is_defined = self.macros.iter().any(|(from, to)| (*from..*to).contains(&at));
        let token = word(&self.file.text, at);
        if is_defined
            || meanings.contains(&ResolvedName::UnresolvedFile)
            || matches!(token, "Self" | "self" | "super" | "crate")
        {
            return;
        }
        let (mut functions, mut macros, mut others) = (Vec::new(), Vec::new(), Vec::new());
        for names in meanings {
            let ResolvedName::Ours(row) = *names else { continue };
            let Some(item) = self.row(row) else { continue };
            use ItemKind::{Const, Enum, Macro, Static, Struct, Trait, TypeAlias, Union, Variant};
            match item.kind {
                kind if is_function(kind) => functions.push(row),
                Macro => macros.push(row),
                Struct | Enum | Union | Trait | TypeAlias | Const | Static => others.push(row),
                Variant => others.extend(item.parent.map(|parent| (row.0, parent))),
                _ => {}
            }
        }
        let behind = self.file.text.get(at + token.len()..).unwrap_or_default();
        let called = is_called(&self.file.text, at);
        if !functions.is_empty() {
            // Operators are calls, too.
            let calls = called || self.callers.contains_key(&offset);
            let kind = if calls { FactKind::Calls } else { FactKind::Uses };
            self.does(offset, kind, &functions);
        }
        if !macros.is_empty() {
            let is_invoked = behind.trim_start().starts_with('!');
            self.does(offset, if is_invoked { FactKind::Invokes } else { FactKind::Uses }, &macros);
        }
        self.does(offset, FactKind::Uses, &others);
        let leaves = functions.is_empty() && macros.is_empty() && !meanings.is_empty();
        if leaves && !behind.trim_start().starts_with('!') {
            for src in self.callers.get(&offset).cloned().into_iter().flatten() {
                if let Some(src) = self.id(src) {
                    self.put(offset, src, FactKind::LeavesMap, src);
                }
            }
        }
    }

    fn does(&mut self, offset: u32, kind: FactKind, targets: &[Row]) {
        if targets.is_empty() {
            return;
        }
        let known = if kind == FactKind::Uses { &self.users } else { &self.callers };
        let known: Vec<u32> = known.get(&offset).into_iter().flatten().copied().collect();
        let sources: Vec<ItemId> = if known.is_empty() {
            self.innermost(offset).and_then(|row| self.id_of_row(row)).into_iter().collect()
        } else {
            known.into_iter().filter_map(|slot| self.id(slot)).collect()
        };
        for target in targets {
            let Some(dst) = self.id_of_row(*target) else { continue };
            for src in sources.iter().filter(|src| kind != FactKind::Uses || **src != dst) {
                self.put(offset, *src, kind, dst);
            }
        }
    }

    /// The innermost named item at an offset.
    fn innermost(&self, offset: u32) -> Option<Row> {
        let rows = self.file.nodes.rows.iter().zip(0_u32..);
        rows.filter(|(row, _)| row.span.0 <= offset && offset < row.span.1)
            .filter(|(row, _)| row.kind != ItemKind::Variant && !is_made(row))
            .min_by_key(|(row, _)| row.span.1 - row.span.0)
            .map(|(_, at)| (self.number as u32, at))
    }

    /// The spans of the file that are not compiled on this host, by the cfg of items, statements,
    /// arms and fields; `None`: the whole file.
    fn inactive(&self) -> Option<Vec<(u32, u32)>> {
        let module = self.state.slot_tables.modules.get(self.number)?;
        if module.is_orphan || module.is_inactive || module.krate == NONE {
            return None;
        }
        let krate = self.state.crates.inputs.get(module.krate as usize)?;
        let rows = self.file.nodes.rows.iter().filter(|row| row.flags.is_inactive);
        let mut spans: Vec<(u32, u32)> = rows.map(|row| row.span).collect();
        let gates = syntax::gates(&self.file.text).into_iter();
        let off = gates.filter(|gate| !krate.cfg.holds(&gate.predicate));
        spans.extend(off.map(|gate| (gate.span.start as u32, gate.span.end as u32)));
        Some(spans)
    }

    /// The only item of these kinds that the name at an offset means.
    fn only(&self, names: &OfFile, offset: u32, kinds: &[ItemKind]) -> Option<Row> {
        let mut found = names.get(&offset)?.iter().filter_map(|names| match names {
            ResolvedName::Ours(row) => {
                self.row(*row).is_some_and(|it| kinds.contains(&it.kind)).then_some(*row)
            }
            _ => None,
        });
        match (found.next(), found.next()) {
            (Some(row), None) => Some(row),
            _ => None,
        }
    }
}

/// The offsets of calls by name: path calls and method calls.
pub(super) fn call_offsets(facts: &FileFacts) -> Vec<u32> {
    let mut offsets = Vec::new();
    for body in &facts.bodies {
        for expr in &body.exprs {
            match expr {
                Expr::MethodCall { offset, .. } => offsets.push(*offset),
                Expr::Call(callee, _) => {
                    if let Some(Expr::Path(path)) = body.exprs.get(callee.idx())
                        && let Some(path) = facts.paths.get(path.idx())
                        && let Some(segment) = path.segments.last()
                    {
                        offsets.push(segment.offset);
                    }
                }
                _ => {}
            }
        }
    }
    offsets
}

/// Whether it is generated and has the span of its macro call.
fn is_made(row: &ItemRow) -> bool {
    row.flags.from_macro && row.name_span.0 == row.name_span.1
}

/// The identifier at an offset.
fn word(text: &str, at: usize) -> &str {
    let rest = text.get(at..).unwrap_or_default();
    let rest_len = rest.strip_prefix("r#").map_or(0, |_| 2);
    let end = rest[rest_len..].find(|ch: char| ch != '_' && !ch.is_alphanumeric());
    &rest[..end.map_or(rest.len(), |end| end + rest_len)]
}
