//! What names mean, place by place, in items of the map.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use analyzer::scip::{self, Definition, Facts, Places, Symbol, SymbolKind};
use base::Timestamp;
use graph::ItemKind;

use super::MacroInterface;
use super::signatures::Named;
use crate::state::State;

/// An item of the map: its file and its row there.
pub(crate) type Row = (u32, u32);

/// What the name at a place means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Said {
    /// An item of the map.
    Ours(Row),
    /// Something that is none: outside of the workspace, a variable, a field.
    Elsewhere,
    /// Something of the workspace that the map knows under no place: nothing follows from it.
    Unknown,
}

/// What is said of one file, by byte; a byte of which nothing is said is missing.
pub(crate) type OfFile = BTreeMap<u32, Vec<Said>>;

/// What was heard, file by file of the map.
#[derive(Debug, Default)]
pub(crate) struct Heard {
    /// What names mean; a file that is missing was not spoken of.
    pub(crate) places: BTreeMap<usize, OfFile>,
    /// What items are called.
    pub(crate) named: BTreeMap<usize, Named>,
    /// When.
    pub(crate) at: Timestamp,
}

/// Finds the item that is defined at a place.
pub(crate) struct ByPlace<'a> {
    state: &'a State,
    /// By file and byte of the name token.
    names: HashMap<(u32, u32), Vec<u32>>,
    /// Items out of macros, by file.
    made: HashMap<u32, Vec<u32>>,
}

impl<'a> ByPlace<'a> {
    pub(crate) fn new(state: &'a State) -> Self {
        let mut by_place = Self { state, names: HashMap::new(), made: HashMap::new() };
        for (file, number) in state.files.iter().zip(0..) {
            for (row, at) in file.nodes.rows.iter().zip(0..) {
                if row.name_span.0 < row.name_span.1 {
                    by_place.names.entry((number, row.name_span.0)).or_default().push(at);
                }
                if row.flags.from_macro {
                    by_place.made.entry(number).or_default().push(at);
                }
            }
        }
        by_place
    }

    /// The item with its name at this byte; `None` where there is none, or more than one.
    pub(crate) fn named(&self, file: u32, offset: u32) -> Option<Row> {
        match self.names.get(&(file, offset))?[..] {
            [row] => Some((file, row)),
            _ => None,
        }
    }

    /// The one item out of a macro that `is_it`.
    fn made(&self, file: u32, is_it: impl Fn(scip::Named<'_>) -> bool) -> Option<Row> {
        let rows = &self.state.files.get(file as usize)?.nodes.rows;
        let mut found = self.made.get(&file)?.iter().filter(|at| {
            rows.get(**at as usize).is_some_and(|row| {
                let last = row.canon.rsplit("::").next().unwrap_or_default();
                let (name, span) = (row.name_span, row.span);
                is_it(scip::Named { name, span, last, from_macro: true })
            })
        });
        match (found.next(), found.next()) {
            (Some(row), None) => Some((file, *row)),
            _ => None,
        }
    }
}

/// What an index says of the files of the map, by their number; of files whose bytes may be others
/// than those that the index is of, nothing (`is_same`).
pub(crate) fn heard(
    state: &State,
    facts: &Facts,
    is_same: &dyn Fn(usize) -> bool,
    at: Timestamp,
) -> Heard {
    let mut numbers: BTreeMap<u32, usize> = BTreeMap::new();
    let mut texts: BTreeMap<u32, String> = BTreeMap::new();
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
    let places = Places::new(facts, texts);
    let by_place = ByPlace::new(state);
    let reader = Reader { places: &places, by_place: &by_place, numbers: &numbers };
    let mut all = BTreeMap::new();
    for (in_index, number) in &numbers {
        let mut of_file = OfFile::new();
        for (offset, symbols) in places.named_in(*in_index) {
            let mut said: Vec<Said> = Vec::new();
            for symbol in symbols {
                reader.meaning(*symbol, *in_index, offset, &mut said);
            }
            said.sort_unstable();
            said.dedup();
            of_file.insert(offset, said);
        }
        all.insert(*number, of_file);
    }
    Heard { places: all, named: reader.named(), at }
}

struct Reader<'a> {
    places: &'a Places<'a>,
    by_place: &'a ByPlace<'a>,
    numbers: &'a BTreeMap<u32, usize>,
}

impl Reader<'_> {
    /// The item of the map that is defined there.
    fn row(&self, definition: &Definition) -> Option<Row> {
        let of = *self.numbers.get(&definition.file)? as u32;
        let at = self.places.offset(definition.file, definition.range.start)?;
        let made = |named: scip::Named<'_>| self.places.is_definition_of(definition, named);
        self.by_place.named(of, at).or_else(|| self.by_place.made(of, made))
    }

    /// The signatures of the items of each file – of what is defined twice, none: they may differ –
    /// and what stands in the tokens of macro calls and is no item of the map.
    fn named(&self) -> BTreeMap<usize, Named> {
        let facts = self.places.facts();
        let mut made: BTreeMap<Row, BTreeMap<u32, MacroInterface>> = BTreeMap::new();
        let mut rows: BTreeMap<u32, BTreeSet<Row>> = BTreeMap::new();
        for definition in &facts.definitions {
            let has_one = |it: &&Symbol| !it.signature.is_empty();
            let Some(symbol) = facts.symbol(definition.symbol).filter(has_one) else { continue };
            if let Some(row) = self.row(definition) {
                rows.entry(definition.symbol).or_default().insert(row);
            } else if let Some(interface) = MacroInterface::defined(&symbol.path, &symbol.signature)
                && let Some((call, at)) = self.call_around(definition)
            {
                made.entry(call).or_default().insert(at, interface);
            }
        }
        let state = self.by_place.state;
        let id = |(file, row): Row| {
            let slot = state.places.rows.get(file as usize)?.get(row as usize)?;
            state.slots.id(*slot)
        };
        let mut all: BTreeMap<usize, Named> = BTreeMap::new();
        for (symbol, rows) in rows {
            let (Some(symbol), Some(row)) = (facts.symbol(symbol), rows.first()) else { continue };
            if let Some(id) = id(*row).filter(|_| rows.len() == 1) {
                let named = all.entry(row.0 as usize).or_default();
                named.signatures.push((id, symbol.signature.to_string()));
            }
        }
        for (call, interfaces) in made {
            if let Some(id) = id(call).filter(|_| !interfaces.is_empty()) {
                let named = all.entry(call.0 as usize).or_default();
                named.made.push((id, interfaces.into_values().collect()));
            }
        }
        all
    }

    /// The macro call in whose tokens something is defined, and where.
    fn call_around(&self, definition: &Definition) -> Option<(Row, u32)> {
        let number = *self.numbers.get(&definition.file)?;
        let at = self.places.offset(definition.file, definition.range.start)?;
        let rows = self.by_place.state.files.get(number)?.nodes.rows.iter().zip(0_u32..);
        let calls = rows.filter(|(row, _)| row.kind == ItemKind::MacroCall);
        let around = calls.filter(|(row, _)| row.span.0 <= at && at < row.span.1);
        let innermost = around.min_by_key(|(row, _)| row.span.1 - row.span.0)?;
        Some(((number as u32, innermost.1), at))
    }

    fn meaning(&self, number: u32, file: u32, offset: u32, said: &mut Vec<Said>) {
        let Some(symbol) = self.places.facts().symbol(number) else { return };
        // A module is named on the way to something.
        if matches!(symbol.kind, SymbolKind::Module | SymbolKind::Other) {
            return;
        }
        if symbol.kind == SymbolKind::Local || !self.places.is_own(symbol) {
            return said.push(Said::Elsewhere);
        }
        let defined = self.places.defined(number, file, offset);
        let mut rows: Vec<Option<Row>> = defined.iter().map(|it| self.row(it)).collect();
        rows.sort_unstable();
        rows.dedup();
        match rows[..] {
            [Some(row)] => said.push(Said::Ours(row)),
            // A field is no item.
            [None] if symbol.kind == SymbolKind::Term => said.push(Said::Elsewhere),
            // What a macro's own words make is defined nowhere; what has several places is not told
            // apart.
            _ => said.push(Said::Unknown),
        }
    }
}

/// What an item of the map can be to who names it.
pub(crate) fn is_function(kind: ItemKind) -> bool {
    matches!(kind, ItemKind::Function | ItemKind::Method)
}
