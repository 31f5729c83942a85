//! Resolves the names in a SCIP index to items of the map, offset by offset.

use std::collections::HashMap;

use analyzer::scip::{self, Facts, ScipDefinition, ScipLookup, ScipSymbol, SymbolKind};
use base::{ItemKind, SortedMap, SortedSet, Timestamp};

use super::MacroInterface;
use super::signatures::FileSignatures;
use crate::state::State;

/// An item of the map: its file and its row in the file.
pub(crate) type Row = (u32, u32);

/// The meaning of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum ResolvedName {
    /// An item of the map.
    Ours(Row),
    /// Not an item of the map: external, a variable, a field.
    Elsewhere,
    /// Something in the workspace that the map cannot locate: nothing follows from it.
    UnresolvedFile,
}

/// The resolved names of one file, by offset; unresolved ones are missing.
pub(crate) type OfFile = SortedMap<u32, Vec<ResolvedName>>;

/// The rust-analyzer results, by file of the map.
#[derive(Debug, Default)]
pub(crate) struct AnalyzerFacts {
    /// Resolved names; files that were not analyzed are missing.
    pub(crate) names: SortedMap<usize, OfFile>,
    /// Signatures of items.
    pub(crate) named: SortedMap<usize, FileSignatures>,
    /// When they were received.
    pub(crate) at: Timestamp,
}

/// Finds the item that is defined at an offset.
pub(crate) struct DefinitionIndex<'a> {
    state: &'a State,
    /// By file and offset of the name token.
    names: HashMap<(u32, u32), Vec<u32>>,
    /// Generated items, by file.
    generated: HashMap<u32, Vec<u32>>,
}

impl<'a> DefinitionIndex<'a> {
    pub(crate) fn new(state: &'a State) -> Self {
        let mut definitions = Self { state, names: HashMap::new(), generated: HashMap::new() };
        for (file, number) in state.files.iter().zip(0..) {
            for (row, at) in file.nodes.rows.iter().zip(0..) {
                if row.name_span.0 < row.name_span.1 {
                    definitions.names.entry((number, row.name_span.0)).or_default().push(at);
                }
                if row.flags.from_macro {
                    definitions.generated.entry(number).or_default().push(at);
                }
            }
        }
        definitions
    }

    /// The item whose name is at this offset; `None` if there is none, or more than one.
    pub(crate) fn named(&self, file: u32, offset: u32) -> Option<Row> {
        match self.names.get(&(file, offset))?[..] {
            [row] => Some((file, row)),
            _ => None,
        }
    }

    /// The only generated item for which `is_it` returns true.
    fn generated(&self, file: u32, is_it: impl Fn(scip::ParsedItem<'_>) -> bool) -> Option<Row> {
        let rows = &self.state.files.get(file as usize)?.nodes.rows;
        let mut found = self.generated.get(&file)?.iter().filter(|at| {
            rows.get(**at as usize).is_some_and(|row| {
                let last = row.canon.rsplit("::").next().unwrap_or_default();
                let (name, span) = (row.name_span, row.span);
                is_it(scip::ParsedItem { name, span, last, from_macro: true })
            })
        });
        match (found.next(), found.next()) {
            (Some(row), None) => Some((file, *row)),
            _ => None,
        }
    }
}

/// Converts an index to results by file of the map; files that changed since the index was built
/// (`is_same` is false) are left out.
pub(crate) fn analyzer_facts(
    state: &State,
    facts: &Facts,
    is_same: &dyn Fn(usize) -> bool,
    at: Timestamp,
) -> AnalyzerFacts {
    let mut numbers: SortedMap<u32, usize> = SortedMap::new();
    let mut texts: SortedMap<u32, String> = SortedMap::new();
    for (path, in_index) in facts.files.iter().zip(0..) {
        let number = state.files.binary_search_by(|file| file.path.cmp(path));
        if let Ok(number) = number
            && is_same(number)
            && let Some(file) = state.files.get(number)
        {
            numbers.insert(in_index, number);
            texts.insert(in_index, file.text.to_string());
        }
    }
    let places = ScipLookup::new(facts, texts);
    let definitions = DefinitionIndex::new(state);
    let resolver = ScipResolver { places: &places, definitions: &definitions, numbers: &numbers };
    let mut all = SortedMap::new();
    for (in_index, number) in &numbers {
        let mut of_file = OfFile::new();
        for (offset, symbols) in places.named_in(*in_index) {
            let mut names: Vec<ResolvedName> = Vec::new();
            for symbol in symbols {
                resolver.meaning(*symbol, *in_index, offset, &mut names);
            }
            names.sort_unstable();
            names.dedup();
            of_file.insert(offset, names);
        }
        all.insert(*number, of_file);
    }
    AnalyzerFacts { names: all, named: resolver.named(), at }
}

struct ScipResolver<'a> {
    places: &'a ScipLookup<'a>,
    definitions: &'a DefinitionIndex<'a>,
    numbers: &'a SortedMap<u32, usize>,
}

impl ScipResolver<'_> {
    /// The item of the map that is defined there.
    fn row(&self, definition: &ScipDefinition) -> Option<Row> {
        let of = *self.numbers.get(&definition.file)? as u32;
        let at = self.places.offset(definition.file, definition.range.start)?;
        let generated =
            |named: scip::ParsedItem<'_>| self.places.is_definition_of(definition, named);
        self.definitions.named(of, at).or_else(|| self.definitions.generated(of, generated))
    }

    /// The signatures of the items of each file – none for items defined twice, which may differ –
    /// and the definitions in the tokens of macro calls that are not items of the map.
    fn named(&self) -> SortedMap<usize, FileSignatures> {
        let facts = self.places.facts();
        let mut generated: SortedMap<Row, SortedMap<u32, MacroInterface>> = SortedMap::new();
        let mut rows: SortedMap<u32, SortedSet<Row>> = SortedMap::new();
        for definition in &facts.definitions {
            let has_one = |it: &&ScipSymbol| !it.signature.is_empty();
            let Some(symbol) = facts.symbol(definition.symbol).filter(has_one) else { continue };
            if let Some(row) = self.row(definition) {
                rows.entry(definition.symbol).or_default().insert(row);
            } else if let Some(interface) = MacroInterface::defined(&symbol.path, &symbol.signature)
                && let Some((call, at)) = self.call_around(definition)
            {
                generated.entry(call).or_default().insert(at, interface);
            }
        }
        let state = self.definitions.state;
        let id = |(file, row): Row| {
            let slot = state.slot_tables.rows.get(file as usize)?.get(row as usize)?;
            state.slots.id(*slot)
        };
        let mut all: SortedMap<usize, FileSignatures> = SortedMap::new();
        for (symbol, rows) in rows {
            let (Some(symbol), Some(row)) = (facts.symbol(symbol), rows.first()) else { continue };
            if let Some(id) = id(*row).filter(|_| rows.len() == 1) {
                let named = all.entry(row.0 as usize).or_default();
                named.signatures.push((id, symbol.signature.to_string()));
            }
        }
        for (call, interfaces) in generated {
            if let Some(id) = id(call).filter(|_| !interfaces.is_empty()) {
                let named = all.entry(call.0 as usize).or_default();
                named.generated.push((id, interfaces.into_values().collect()));
            }
        }
        all
    }

    /// The macro call whose tokens contain a definition, and the offset of the definition.
    fn call_around(&self, definition: &ScipDefinition) -> Option<(Row, u32)> {
        let number = *self.numbers.get(&definition.file)?;
        let at = self.places.offset(definition.file, definition.range.start)?;
        let rows = self.definitions.state.files.get(number)?.nodes.rows.iter().zip(0_u32..);
        let calls = rows.filter(|(row, _)| row.kind == ItemKind::MacroCall);
        let around = calls.filter(|(row, _)| row.span.0 <= at && at < row.span.1);
        let innermost = around.min_by_key(|(row, _)| row.span.1 - row.span.0)?;
        Some(((number as u32, innermost.1), at))
    }

    fn meaning(&self, number: u32, file: u32, offset: u32, names: &mut Vec<ResolvedName>) {
        let Some(symbol) = self.places.facts().symbol(number) else { return };
        // A module in a path is not the target of the name.
        if matches!(symbol.kind, SymbolKind::Module | SymbolKind::Other) {
            return;
        }
        if symbol.kind == SymbolKind::Local || !self.places.is_own(symbol) {
            return names.push(ResolvedName::Elsewhere);
        }
        let defined = self.places.defined(number, file, offset);
        let mut rows: Vec<Option<Row>> = defined.iter().map(|it| self.row(it)).collect();
        rows.sort_unstable();
        rows.dedup();
        match rows[..] {
            [Some(row)] => names.push(ResolvedName::Ours(row)),
            // A field is not an item.
            [None] if symbol.kind == SymbolKind::Term => names.push(ResolvedName::Elsewhere),
            // An item from a macro's own tokens has no definition; one with several definitions is
            // ambiguous.
            _ => names.push(ResolvedName::UnresolvedFile),
        }
    }
}

/// Whether an item can be called.
pub(crate) fn is_function(kind: ItemKind) -> bool {
    matches!(kind, ItemKind::Function | ItemKind::Method)
}
