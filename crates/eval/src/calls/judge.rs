//! One call site of rust-analyzer's against what the map says there.

use std::collections::{BTreeMap, BTreeSet};

use analyzer::scip::{Call, Definition, Facts, Named, Places, SymbolKind};

use super::names::{declaration, ends_with, plain};
use super::ours::Function;
use super::shape::shape;

/// What rust-analyzer says of a workspace, as a judge.
pub(super) struct Witness<'a>(Places<'a>);

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
        Self(Places::new(facts, texts))
    }

    pub(super) fn text(&self, file: u32) -> &str {
        self.0.text(file)
    }

    /// The shape of the call that names its callee at `offset` of `path`.
    pub(super) fn shape_at(&self, path: &str, offset: u32) -> &'static str {
        self.0.file(path).map_or("other", |file| shape(self.text(file), offset as usize))
    }

    /// Where the callees of a call are defined: file and byte of the name token.
    pub(super) fn targets(&self, call: &Call) -> BTreeSet<(u32, u32)> {
        self.0.targets(call)
    }

    /// What it says of `callee` as the target of what stands at `offset` of `path`.
    pub(super) fn verdict(&self, path: &str, offset: u32, callee: &Function) -> Verdict {
        let Some(file) = self.0.file(path) else { return Verdict::Silent };
        let symbols = self.0.named_at(file, offset);
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
        let facts = self.0.facts();
        let Some(said) = facts.symbol(symbol) else { return Verdict::Silent };
        // What a macro's own words call stands at the macro's name; the index has nothing of it.
        if said.kind == SymbolKind::Macro {
            return Verdict::Silent;
        }
        let defined = self.0.defined(symbol, file, offset);
        let callee_file = self.0.file(&callee.file);
        let named = Named {
            name: callee.name,
            span: callee.span,
            last: callee.path.rsplit("::").next().unwrap_or_default(),
            from_macro: callee.from_macro,
        };
        let is_callee =
            |it: &&Definition| Some(it.file) == callee_file && self.0.is_definition_of(it, named);
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
        let place = defined
            .first()
            .and_then(|it| Some(format!(" ({}:{})", facts.file(it.file)?, it.range.start.line)));
        let package =
            if said.package.is_empty() { String::new() } else { format!("{} ", said.package) };
        Verdict::Wrong(format!("{package}{path}{}", place.unwrap_or_default()))
    }
}
