//! One call site of rust-analyzer's against what the map says there.

use std::collections::{BTreeMap, BTreeSet};

use analyzer::scip::{Call, Definition, Facts, Pos, Reference, SymbolKind};
use base::LineIndex;

use super::names::{declaration, ends_with, plain};
use super::ours::Function;
use super::shape::shape;

/// What rust-analyzer says of a workspace, ready to be asked.
pub(super) struct Witness<'a> {
    facts: &'a Facts,
    /// Texts of files with their lines, by number.
    texts: BTreeMap<u32, (String, LineIndex)>,
    /// Definitions by symbol.
    definitions: BTreeMap<u32, Vec<usize>>,
    /// References by file and byte.
    references: BTreeMap<(u32, u32), Vec<u32>>,
    /// Files by path.
    files: BTreeMap<&'a str, u32>,
}

/// What it says of a target that the map names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// It names the same function.
    Right,
    /// It names an impl's function, and the map the declaration in the trait.
    Declaration,
    /// It names something else: in words.
    Wrong(String),
    /// It says nothing of this place.
    Silent,
}

impl<'a> Witness<'a> {
    pub(super) fn new(facts: &'a Facts, texts: BTreeMap<u32, String>) -> Self {
        let mut texts_with_lines = BTreeMap::new();
        for (file, text) in texts {
            let lines = LineIndex::new(&text);
            texts_with_lines.insert(file, (text, lines));
        }
        let mut witness = Self {
            facts,
            texts: texts_with_lines,
            definitions: BTreeMap::new(),
            references: BTreeMap::new(),
            files: BTreeMap::new(),
        };
        for (number, path) in facts.files.iter().enumerate() {
            witness.files.insert(path.as_str(), number as u32);
        }
        for (idx, it) in facts.definitions.iter().enumerate() {
            witness.definitions.entry(it.symbol).or_default().push(idx);
        }
        for Reference { symbol, file, range } in &facts.references {
            if let Some(offset) = witness.offset(*file, range.start) {
                witness.references.entry((*file, offset)).or_default().push(*symbol);
            }
        }
        witness
    }

    pub(super) fn text(&self, file: u32) -> &str {
        self.texts.get(&file).map_or("", |(text, _)| text)
    }

    /// The shape of the call that names its callee at `offset` of `path`.
    pub(super) fn shape_at(&self, path: &str, offset: u32) -> &'static str {
        self.files.get(path).map_or("other", |file| shape(self.text(*file), offset as usize))
    }

    fn offset(&self, file: u32, pos: Pos) -> Option<u32> {
        let (_, lines) = self.texts.get(&file)?;
        Some(lines.line_span(pos.line)?.start as u32 + pos.col)
    }

    /// Where a symbol that is named at a place is defined. Of several definitions with one name –
    /// twins of other targets, functions inside functions – those next to the place.
    fn defined(&self, symbol: u32, file: u32, offset: u32) -> Vec<&'a Definition> {
        let all: Vec<&Definition> = self
            .definitions
            .get(&symbol)
            .into_iter()
            .flatten()
            .filter_map(|idx| self.facts.definitions.get(*idx))
            .collect();
        if all.len() < 2 {
            return all;
        }
        let near: Vec<&Definition> = all.iter().copied().filter(|it| it.file == file).collect();
        let around = |it: &&Definition| {
            // The innermost function around the place that holds the definition too.
            let own = self.offset(it.file, it.range.start)?;
            self.enclosing(file, offset).into_iter().position(|(from, to)| from <= own && own < to)
        };
        let closest = near.iter().filter_map(around).min();
        match closest {
            Some(_) => near.into_iter().filter(|it| around(it) == closest).collect(),
            None if near.is_empty() => all,
            None => near,
        }
    }

    /// Reaches of the functions around a place, the innermost first.
    fn enclosing(&self, file: u32, offset: u32) -> Vec<(u32, u32)> {
        let mut reaches: Vec<(u32, u32)> = self
            .facts
            .definitions
            .iter()
            .filter(|it| it.file == file && self.kind(it.symbol) == SymbolKind::Function)
            .filter_map(|it| {
                let reach = it.enclosing?;
                Some((self.offset(file, reach.start)?, self.offset(file, reach.end)?))
            })
            .filter(|(from, to)| *from <= offset && offset < *to)
            .collect();
        reaches.sort_by_key(|(from, to)| to - from);
        reaches
    }

    fn kind(&self, symbol: u32) -> SymbolKind {
        self.facts.symbol(symbol).map_or(SymbolKind::Other, |it| it.kind)
    }

    /// Where the callees of a call are defined: file and byte of the name token.
    pub(super) fn targets(&self, call: &Call) -> BTreeSet<(u32, u32)> {
        let mut targets = BTreeSet::new();
        for symbol in &call.callees {
            for it in self.defined(*symbol, call.file, call.offset) {
                targets.extend(self.offset(it.file, it.range.start).map(|at| (it.file, at)));
            }
        }
        targets
    }

    /// What it says of `callee` as the target of what stands at `offset` of `path`.
    pub(super) fn verdict(&self, path: &str, offset: u32, callee: &Function) -> Verdict {
        let Some(file) = self.files.get(path).copied() else { return Verdict::Silent };
        let Some(symbols) = self.references.get(&(file, offset)) else { return Verdict::Silent };
        let mut worst = Verdict::Silent;
        for symbol in symbols {
            match self.verdict_on(*symbol, file, offset, callee) {
                Verdict::Wrong(said) => worst = Verdict::Wrong(said),
                // A macro may expand one token to several calls.
                verdict => return verdict,
            }
        }
        worst
    }

    fn verdict_on(&self, symbol: u32, file: u32, offset: u32, callee: &Function) -> Verdict {
        let Some(said) = self.facts.symbol(symbol) else { return Verdict::Silent };
        // What a macro's own words call stands at the macro's name; the index has nothing of it.
        if said.kind == SymbolKind::Macro {
            return Verdict::Silent;
        }
        let defined = self.defined(symbol, file, offset);
        let callee_file = self.files.get(callee.file.as_str()).copied();
        let is_callee = |it: &&Definition| {
            let at = self.offset(it.file, it.range.start);
            let in_span = at.is_some_and(|at| callee.span.0 <= at && at < callee.span.1);
            Some(it.file) == callee_file
                && (at == Some(callee.name.0)
                    || callee.from_macro && in_span && same_name(&said.path, &callee.path))
        };
        if defined.iter().any(is_callee) {
            return Verdict::Right;
        }
        if let (Some(_), Some(declared)) = (&callee.of_trait, declaration(&said.path))
            && ends_with(&plain(&callee.path), &declared)
        {
            return Verdict::Declaration;
        }
        // A macro's own words stand nowhere in the sources: names are all there is.
        if defined.is_empty()
            && callee.from_macro
            && said.kind == SymbolKind::Function
            && plain(&said.path) == plain(&callee.path)
        {
            return Verdict::Right;
        }
        let path = if said.path.is_empty() { &*said.text } else { &*said.path };
        let place = defined.first().and_then(|it| {
            Some(format!(" ({}:{})", self.facts.file(it.file)?, it.range.start.line))
        });
        let package =
            if said.package.is_empty() { String::new() } else { format!("{} ", said.package) };
        Verdict::Wrong(format!("{package}{path}{}", place.unwrap_or_default()))
    }
}

fn same_name(one: &str, other: &str) -> bool {
    one.rsplit("::").next() == other.rsplit("::").next()
}
