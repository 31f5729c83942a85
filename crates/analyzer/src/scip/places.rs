//! A SCIP index joined with the indexed texts: which symbols are referenced at a byte offset, and
//! where they are defined. Start at [`ScipLookup`].

use base::{LineIndex, SortedMap, SortedSet};

use crate::scip::calls::is_called;
use crate::scip::{Call, Facts, Pos, ScipDefinition, ScipSymbol, SymbolKind};

/// rust-analyzer's facts about a workspace, with lookups by file and byte offset.
pub struct ScipLookup<'a> {
    facts: &'a Facts,
    texts: SortedMap<u32, Text>,
    /// Definitions by symbol.
    definitions: SortedMap<u32, Vec<u32>>,
    /// Byte ranges of functions, by file.
    function_ranges: SortedMap<u32, Vec<(u32, u32)>>,
    /// Referenced symbols, by file and byte offset.
    references: SortedMap<(u32, u32), Vec<u32>>,
    /// File indices by path.
    files: SortedMap<&'a str, u32>,
    /// Packages with definitions in the index.
    workspace_packages: SortedSet<&'a str>,
}

struct Text {
    text: String,
    lines: LineIndex,
}

/// An item from another source (the parser) to compare with a definition.
#[derive(Clone, Copy, Debug)]
pub struct ParsedItem<'a> {
    /// Byte range of its name token.
    pub name: (u32, u32),
    /// Byte range of the whole item.
    pub span: (u32, u32),
    /// The last segment of its path.
    pub last: &'a str,
    /// Whether a macro generates it, so that its tokens can be anywhere in its span.
    pub from_macro: bool,
}

impl<'a> ScipLookup<'a> {
    /// `texts`: the indexed texts by file index, unchanged since indexing.
    pub fn new(facts: &'a Facts, texts: SortedMap<u32, String>) -> Self {
        let texts = texts
            .into_iter()
            .map(|(file, text)| (file, Text { lines: LineIndex::new(&text), text }));
        let mut places = Self {
            facts,
            texts: texts.collect(),
            definitions: SortedMap::new(),
            function_ranges: SortedMap::new(),
            references: SortedMap::new(),
            files: SortedMap::new(),
            workspace_packages: SortedSet::new(),
        };
        for (number, path) in facts.files.iter().enumerate() {
            places.files.insert(path.as_str(), number as u32);
        }
        for (idx, it) in facts.definitions.iter().enumerate() {
            places.definitions.entry(it.symbol).or_default().push(idx as u32);
            let Some(symbol) = facts.symbol(it.symbol) else { continue };
            if !symbol.package.is_empty() {
                places.workspace_packages.insert(&*symbol.package);
            }
            if symbol.kind == SymbolKind::Function
                && let Some(reach) = it.enclosing
                && let Some(from) = places.offset(it.file, reach.start)
                && let Some(to) = places.offset(it.file, reach.end)
            {
                places.function_ranges.entry(it.file).or_default().push((from, to));
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

    /// The facts of the index.
    pub fn facts(&self) -> &'a Facts {
        self.facts
    }

    /// The index of a file in [`Facts::files`].
    pub fn file(&self, path: &str) -> Option<u32> {
        self.files.get(path).copied()
    }

    /// The text of a file; empty if it is not available.
    pub fn text(&self, file: u32) -> &str {
        self.texts.get(&file).map_or("", |it| &it.text)
    }

    /// The byte offset of a position.
    pub fn offset(&self, file: u32, pos: Pos) -> Option<u32> {
        let text = self.texts.get(&file)?;
        Some(text.lines.line_span(pos.line)?.start as u32 + pos.col)
    }

    /// The symbols referenced at a byte offset: indices in [`Facts::symbols`].
    pub fn named_at(&self, file: u32, offset: u32) -> &[u32] {
        self.references.get(&(file, offset)).map_or(&[], Vec::as_slice)
    }

    /// All references of a file, sorted by byte offset.
    pub fn named_in(&self, file: u32) -> impl Iterator<Item = (u32, &[u32])> {
        let all = self.references.range((file, 0)..=(file, u32::MAX));
        all.map(|((_, offset), symbols)| (*offset, symbols.as_slice()))
    }

    /// Whether the name at a byte offset is followed by call arguments.
    pub fn is_called(&self, file: u32, offset: u32) -> bool {
        is_called(self.text(file), offset as usize)
    }

    /// Whether the symbol's package has definitions in the index.
    pub fn is_own(&self, symbol: &ScipSymbol) -> bool {
        self.workspace_packages.contains(&*symbol.package)
    }

    /// The definitions of a symbol that is referenced at a byte offset. Several definitions can have
    /// one symbol (cfg alternatives, other targets, nested functions): returns those closest to the
    /// reference.
    pub fn defined(&self, symbol: u32, file: u32, offset: u32) -> Vec<&'a ScipDefinition> {
        let all: Vec<&ScipDefinition> = self
            .definitions
            .get(&symbol)
            .into_iter()
            .flatten()
            .filter_map(|idx| self.facts.definitions.get(*idx as usize))
            .collect();
        if all.len() < 2 {
            return all;
        }
        let near: Vec<&ScipDefinition> = all.iter().copied().filter(|it| it.file == file).collect();
        let enclosing = self.enclosing(file, offset);
        let enclosing_rank = |it: &&ScipDefinition| {
            // The innermost enclosing function that also contains the definition.
            let start = self.offset(it.file, it.range.start)?;
            enclosing.iter().position(|(from, to)| *from <= start && start < *to)
        };
        let closest = near.iter().filter_map(enclosing_rank).min();
        match closest {
            Some(_) => near.into_iter().filter(|it| enclosing_rank(it) == closest).collect(),
            None if near.is_empty() => all,
            None => near,
        }
    }

    /// Ranges of the functions that enclose a byte offset, innermost first.
    fn enclosing(&self, file: u32, offset: u32) -> Vec<(u32, u32)> {
        let all = self.function_ranges.get(&file).into_iter().flatten().copied();
        let mut function_ranges: Vec<(u32, u32)> =
            all.filter(|(from, to)| *from <= offset && offset < *to).collect();
        function_ranges.sort_by_key(|(from, to)| to - from);
        function_ranges
    }

    /// The definitions of a call's callees: file and byte offset of the name token.
    pub fn targets(&self, call: &Call) -> SortedSet<(u32, u32)> {
        let mut targets = SortedSet::new();
        for symbol in &call.callees {
            for it in self.defined(*symbol, call.file, call.offset) {
                targets.extend(self.offset(it.file, it.range.start).map(|at| (it.file, at)));
            }
        }
        targets
    }

    /// Whether an item of the definition's file is the defined item.
    pub fn is_definition_of(&self, definition: &ScipDefinition, item: ParsedItem<'_>) -> bool {
        let Some(at) = self.offset(definition.file, definition.range.start) else { return false };
        if at == item.name.0 && item.name.0 < item.name.1 {
            return true;
        }
        let symbol = self.facts.symbol(definition.symbol);
        item.from_macro
            && (item.span.0..item.span.1).contains(&at)
            && symbol.is_some_and(|symbol| symbol.path.rsplit("::").next() == Some(item.last))
    }
}
