//! An index beside the texts that it is of: what is named at a byte, and where that is defined.

use std::collections::{BTreeMap, BTreeSet};

use base::LineIndex;

use crate::scip::calls::{is_called, macro_definitions};
use crate::scip::{Call, Definition, Facts, Pos, Symbol, SymbolKind};

/// What rust-analyzer says of a workspace, ready to be asked by place.
pub struct Places<'a> {
    facts: &'a Facts,
    texts: BTreeMap<u32, Text>,
    /// Definitions by symbol.
    definitions: BTreeMap<u32, Vec<u32>>,
    /// Reaches of functions by file, as bytes.
    reaches: BTreeMap<u32, Vec<(u32, u32)>>,
    /// Symbols by file and byte where they are named.
    references: BTreeMap<(u32, u32), Vec<u32>>,
    /// Files by path.
    files: BTreeMap<&'a str, u32>,
    /// Packages that define something in the index.
    own: BTreeSet<&'a str>,
}

struct Text {
    text: String,
    lines: LineIndex,
    /// Where `macro_rules!` definitions stand.
    macros: Vec<(usize, usize)>,
}

/// An item as somebody else has it, to be compared with a definition.
#[derive(Clone, Copy, Debug)]
pub struct Named<'a> {
    /// Its name token.
    pub name: (u32, u32),
    /// All of it.
    pub span: (u32, u32),
    /// The last part of its path.
    pub last: &'a str,
    /// It comes out of a macro: its tokens may stand anywhere in its span.
    pub from_macro: bool,
}

impl<'a> Places<'a> {
    /// `texts`: of files of the index, by number, as they were when it was made.
    pub fn new(facts: &'a Facts, texts: BTreeMap<u32, String>) -> Self {
        let texts = texts.into_iter().map(|(file, text)| {
            let (lines, macros) = (LineIndex::new(&text), macro_definitions(&text));
            (file, Text { text, lines, macros })
        });
        let mut places = Self {
            facts,
            texts: texts.collect(),
            definitions: BTreeMap::new(),
            reaches: BTreeMap::new(),
            references: BTreeMap::new(),
            files: BTreeMap::new(),
            own: BTreeSet::new(),
        };
        for (number, path) in facts.files.iter().enumerate() {
            places.files.insert(path.as_str(), number as u32);
        }
        for (idx, it) in facts.definitions.iter().enumerate() {
            places.definitions.entry(it.symbol).or_default().push(idx as u32);
            let Some(symbol) = facts.symbol(it.symbol) else { continue };
            if !symbol.package.is_empty() {
                places.own.insert(&*symbol.package);
            }
            if symbol.kind == SymbolKind::Function
                && let Some(reach) = it.enclosing
                && let Some(from) = places.offset(it.file, reach.start)
                && let Some(to) = places.offset(it.file, reach.end)
            {
                places.reaches.entry(it.file).or_default().push((from, to));
            }
        }
        for it in &facts.references {
            if let Some(offset) = places.offset(it.file, it.range.start) {
                places.references.entry((it.file, offset)).or_default().push(it.symbol);
            }
        }
        for symbols in places.references.values_mut() {
            symbols.sort_unstable();
            symbols.dedup();
        }
        places
    }

    /// The index.
    pub fn facts(&self) -> &'a Facts {
        self.facts
    }

    /// The number of a file.
    pub fn file(&self, path: &str) -> Option<u32> {
        self.files.get(path).copied()
    }

    /// The text of a file; empty where it is not at hand.
    pub fn text(&self, file: u32) -> &str {
        self.texts.get(&file).map_or("", |it| &it.text)
    }

    /// The byte of a place.
    pub fn offset(&self, file: u32, pos: Pos) -> Option<u32> {
        let text = self.texts.get(&file)?;
        Some(text.lines.line_span(pos.line)?.start as u32 + pos.col)
    }

    /// What is named at a byte: indices in [`Facts::symbols`].
    pub fn named_at(&self, file: u32, offset: u32) -> &[u32] {
        self.references.get(&(file, offset)).map_or(&[], Vec::as_slice)
    }

    /// Every byte of a file at which something is named, in their order.
    pub fn named_in(&self, file: u32) -> impl Iterator<Item = (u32, &[u32])> {
        let all = self.references.range((file, 0)..=(file, u32::MAX));
        all.map(|((_, offset), symbols)| (*offset, symbols.as_slice()))
    }

    /// Whether the name at a byte is followed by arguments.
    pub fn is_called(&self, file: u32, offset: u32) -> bool {
        is_called(self.text(file), offset as usize)
    }

    /// Whether a byte stands in a `macro_rules!` definition, where names mean nothing yet.
    pub fn is_in_macro_definition(&self, file: u32, offset: u32) -> bool {
        let is_in = |(from, to): &(usize, usize)| (*from..*to).contains(&(offset as usize));
        self.texts.get(&file).is_some_and(|text| text.macros.iter().any(is_in))
    }

    /// Whether the symbol belongs to a package that defines something in the index.
    pub fn is_own(&self, symbol: &Symbol) -> bool {
        self.own.contains(&*symbol.package)
    }

    /// Where a symbol that is named at a byte is defined. Of several definitions with one name –
    /// twins of other targets, functions inside functions – those next to the place.
    pub fn defined(&self, symbol: u32, file: u32, offset: u32) -> Vec<&'a Definition> {
        let all: Vec<&Definition> = self
            .definitions
            .get(&symbol)
            .into_iter()
            .flatten()
            .filter_map(|idx| self.facts.definitions.get(*idx as usize))
            .collect();
        if all.len() < 2 {
            return all;
        }
        let near: Vec<&Definition> = all.iter().copied().filter(|it| it.file == file).collect();
        let enclosing = self.enclosing(file, offset);
        let around = |it: &&Definition| {
            // The innermost function around the place that holds the definition too.
            let own = self.offset(it.file, it.range.start)?;
            enclosing.iter().position(|(from, to)| *from <= own && own < *to)
        };
        let closest = near.iter().filter_map(around).min();
        match closest {
            Some(_) => near.into_iter().filter(|it| around(it) == closest).collect(),
            None if near.is_empty() => all,
            None => near,
        }
    }

    /// Reaches of the functions around a byte, the innermost first.
    fn enclosing(&self, file: u32, offset: u32) -> Vec<(u32, u32)> {
        let all = self.reaches.get(&file).into_iter().flatten().copied();
        let mut reaches: Vec<(u32, u32)> =
            all.filter(|(from, to)| *from <= offset && offset < *to).collect();
        reaches.sort_by_key(|(from, to)| to - from);
        reaches
    }

    /// Where the callees of a call are defined: file and byte of the name token.
    pub fn targets(&self, call: &Call) -> BTreeSet<(u32, u32)> {
        let mut targets = BTreeSet::new();
        for symbol in &call.callees {
            for it in self.defined(*symbol, call.file, call.offset) {
                targets.extend(self.offset(it.file, it.range.start).map(|at| (it.file, at)));
            }
        }
        targets
    }

    /// Whether an item of the definition's file is what it defines.
    pub fn is_definition_of(&self, definition: &Definition, item: Named<'_>) -> bool {
        let Some(at) = self.offset(definition.file, definition.range.start) else { return false };
        if at == item.name.0 && item.name.0 < item.name.1 {
            return true;
        }
        let said = self.facts.symbol(definition.symbol);
        item.from_macro
            && (item.span.0..item.span.1).contains(&at)
            && said.is_some_and(|said| said.path.rsplit("::").next() == Some(item.last))
    }
}
