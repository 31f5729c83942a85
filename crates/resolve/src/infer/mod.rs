//! Type inference over the bodies of one file, as far as method calls need it.
//!
//! One forward pass over each body with expected types (annotations, parameters, closure signatures
//! of callees), inference variables for unknown types, and obligations that wait until types are
//! known. Nothing is checked: the code is assumed to compile. A type that cannot be inferred is
//! [`ty::TyKind::Unknown`], which unifies with everything and proves nothing.
//!
//! Start at [`Infer::resolve_source`], then read `body` (its statements), `expr` (each expression),
//! `call` (callee and arguments), `method` (the method of a receiver) and `sites` (the edge of a
//! call, proven or candidate). `ty` and `vars` have the types that all of them use.

mod assume;
mod body;
mod call;
mod closure;
mod expansions;
mod expr;
mod extension;
mod fields;
mod items;
mod lang;
mod lower;
mod macro_behavior;
mod macro_bodies;
mod macros;
mod method;
mod names;
mod obligations;
mod ops;
mod pat;
mod pin_project;
mod project;
mod select;
mod sites;
mod state;
mod ty;
mod value;
mod vars;

#[cfg(test)]
mod tests;

use self::assume::Assumptions;
use self::body::BodyCtx;
pub(crate) use self::expansions::ExpansionArena;
use self::expansions::Expansions;
pub(crate) use self::lang::Lang;
use self::state::{BodyState, Declarations, ItemState, Lookups};
use self::ty::Types;
use crate::{DefMap, Deps, FileEdges, FileIdx, Symbol};

/// Resolution of one file.
pub(crate) struct Infer<'m> {
    map: &'m DefMap,
    pub(crate) deps: Deps,
    /// The edges and sites found so far; without their dependencies.
    pub(crate) found: FileEdges,
    lang: &'m Lang,
    types: Types,
    /// The workspace file that is resolved.
    file: FileIdx,
    /// The current source: the file, or an expansion in it.
    source: Option<FileIdx>,
    /// The current depth of the chain of declarations.
    depth: u32,
    /// The number of types among these that are being lowered.
    lowering: u32,
    /// A buffer for the segments of a path.
    segments: Vec<Symbol>,
    decls: Declarations,
    lookups: Lookups,
    assumptions: Assumptions,
    /// The expansions of macro calls in the bodies of the file.
    pub(crate) expansions: Expansions<'m>,
    item: ItemState,
    body: BodyState<'m>,
}

impl<'m> Infer<'m> {
    /// Creates the state for a file.
    pub(crate) fn new(map: &'m DefMap, arena: &'m ExpansionArena, file: FileIdx) -> Self {
        Self {
            map,
            deps: Deps::new(),
            found: FileEdges::default(),
            lang: map.cached.lang.get_or_init(|| Lang::of(map)),
            types: Types::new(),
            file,
            source: None,
            depth: 0,
            lowering: 0,
            segments: Vec::new(),
            decls: Declarations::default(),
            lookups: Lookups::default(),
            assumptions: Assumptions::default(),
            expansions: Expansions::new(arena),
            item: ItemState::default(),
            body: BodyState::default(),
        }
    }

    /// Resolves a whole source: its bodies, and the names in its items.
    pub(crate) fn resolve_source(&mut self, source: FileIdx) {
        self.source = Some(source);
        let facts = self.facts_of(source);
        self.item_edges(source);
        for (number, body) in facts.bodies.iter().enumerate() {
            let def = self.map.def_of(source, body.item);
            let existence = self.map.def(def).existence;
            if existence == crate::Existence::No {
                continue;
            }
            self.item.src = Some(def);
            self.item.exists = existence == crate::Existence::Sure;
            let scope = self.map.scope_of(def);
            self.resolve_body(BodyCtx { file: source, number: number as u32, body, def, scope });
        }
    }
}
