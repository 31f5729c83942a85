//! The items of all files in crates, modules and scopes.

mod def;

use std::sync::Arc;

use base::ProjectPath;
use syntax::Item;
use syntax::facts::{Decl, ExprId, FileFacts, Name};

use crate::{CrateIdx, Deps, FileIdx, KeySet, Workspace};
pub use def::{
    Def, DefId, DefKind, Existence, Namespace, Prim, Resolution, Scope, Symbol, TypeHead,
};

/// One text whose items are in the map: of the workspace, of the standard library's declarations,
/// or what a macro call expanded to.
#[derive(Clone, Debug)]
pub struct Source {
    /// Where it is; of an expansion the file of the call.
    pub path: ProjectPath,
    /// What it says.
    pub facts: Arc<FileFacts>,
    /// Its text.
    pub text: Arc<str>,
    /// The macro call at item level that it is the expansion of.
    pub call: Option<DefId>,
    /// Number of its first item.
    base: u32,
    /// Number of its first name in `file_symbols`.
    names: u32,
}

/// The items of all files in crates, modules and scopes. See the crate's documentation.
#[derive(Clone, Debug, Default)]
pub struct DefMap {
    sources: Vec<Source>,
    defs: Vec<Def>,
    symbols: Vec<Box<str>>,
    file_symbols: Vec<Symbol>,
}

impl DefMap {
    /// Builds the map of a workspace, together with the standard library's declarations.
    pub fn build(_workspace: &Workspace) -> DefMap {
        DefMap::default()
    }

    /// How many definitions there are; their numbers are dense.
    pub fn len(&self) -> usize {
        self.defs.len()
    }

    /// There is none.
    pub fn is_empty(&self) -> bool {
        self.defs.is_empty()
    }

    /// How many of the front are definitions of the workspace's own files (expansions and the
    /// standard library's come behind).
    pub fn workspace_len(&self) -> usize {
        self.defs.len()
    }

    /// A definition.
    pub fn def(&self, id: DefId) -> &Def {
        &self.defs[id.idx()]
    }

    /// What its file says of it; `None` for roots. Of a variant: what is said of its enum.
    pub fn facts(&self, id: DefId) -> Option<(&FileFacts, &Item, &Decl)> {
        let def = self.def(id);
        let facts = self.source(def.file).facts.as_ref();
        let idx = def.item as usize;
        Some((facts, facts.file.items.get(idx)?, facts.decls.get(idx)?))
    }

    /// A text, by the number that [`Def::file`] gives.
    pub fn source(&self, file: FileIdx) -> &Source {
        &self.sources[file.0 as usize]
    }

    /// The definition of an item of a file.
    pub fn def_of(&self, file: FileIdx, item: u32) -> DefId {
        DefId(self.source(file).base + item)
    }

    /// What the macro calls at item level of a file expanded to; their bodies are resolved with the
    /// file, and every offset in them stands for the call's (see [`DefMap::site`]).
    pub fn expansions(&self, _file: FileIdx) -> &[FileIdx] {
        &[]
    }

    /// Where a place of any text shows in a file of the workspace: itself, or the macro call whose
    /// expansion it stands in.
    pub fn site(&self, file: FileIdx, offset: u32) -> (FileIdx, u32) {
        (file, offset)
    }

    /// It comes from the standard library's declarations: external to the map.
    pub fn is_std(&self, _id: DefId) -> bool {
        false
    }

    /// Its canonical path: `package/target::module::Item`, `…::Type::method`,
    /// `…::<Type as Trait>::method`; of the standard library `std::vec::Vec`.
    pub fn canon(&self, _id: DefId) -> String {
        String::new()
    }

    /// What tells it apart from others of the same canonical path and kind: empty, or its cfg
    /// predicate, impl header, or an ordinal.
    pub fn disambiguator(&self, _id: DefId) -> String {
        String::new()
    }

    /// The symbol of a text, if it occurs anywhere.
    pub fn symbol(&self, _text: &str) -> Option<Symbol> {
        None
    }

    /// A symbol's text.
    pub fn name_of(&self, symbol: Symbol) -> &str {
        &self.symbols[symbol.0 as usize]
    }

    /// The symbol of a name of a file.
    pub fn file_symbol(&self, file: FileIdx, name: Name) -> Symbol {
        self.file_symbols[self.source(file).names as usize + name.idx()]
    }

    /// The scope inside a definition: a module's items; otherwise where it stands, with its own
    /// generics. Names of local items are those of the whole function; [`DefMap::block_scope`]
    /// goes deeper.
    pub fn scope_of(&self, id: DefId) -> Scope {
        Scope { at: 0, item: id, offset: u32::MAX }
    }

    /// The scope of a block of a body that has items of its own; `None`: it has none, the scope
    /// around goes on. `outer` is the scope around it.
    pub fn block_scope(
        &self,
        _outer: Scope,
        _file: FileIdx,
        _body: u32,
        _block: ExprId,
    ) -> Option<Scope> {
        None
    }

    /// Resolves a path by the rules of the language: imports, globs, preludes, enum variants,
    /// re-exports, renames, `crate`, `self`, `super`, `$crate`, `Self`. Visibility respected.
    pub fn resolve(
        &self,
        _deps: &mut Deps,
        _scope: &Scope,
        _segments: &[Symbol],
        _is_global: bool,
        _ns: Namespace,
    ) -> Resolution {
        Resolution::None
    }

    /// The traits whose methods can be called in a scope: imported (`as _` too), declared, from the
    /// prelude, and the trait around. Sorted.
    pub fn traits_in_scope(&self, _deps: &mut Deps, _scope: &Scope) -> Vec<DefId> {
        Vec::new()
    }

    /// The inherent impls whose self type has this head (aliases seen through).
    pub fn inherent_impls(&self, _deps: &mut Deps, _head: TypeHead) -> &[DefId] {
        &[]
    }

    /// The impls of a trait.
    pub fn impls_of_trait(&self, _deps: &mut Deps, _of: DefId) -> &[DefId] {
        &[]
    }

    /// The trait impls whose self type has this head (aliases seen through). Blanket ones are those
    /// of [`TypeHead::Param`].
    pub fn trait_impls(&self, _deps: &mut Deps, _head: TypeHead) -> &[DefId] {
        &[]
    }

    /// The trait that an impl is of; `None`: inherent, or not known.
    pub fn trait_of(&self, _deps: &mut Deps, _impl_def: DefId) -> Option<DefId> {
        None
    }

    /// The head of an impl's self type.
    pub fn self_head(&self, _deps: &mut Deps, _impl_def: DefId) -> TypeHead {
        TypeHead::Unknown
    }

    /// The member of an impl, trait or enum (variants) of this name; of cfg twins the active one.
    pub fn member(
        &self,
        _deps: &mut Deps,
        _container: DefId,
        _name: Symbol,
        _ns: Namespace,
    ) -> Option<DefId> {
        None
    }

    /// The members of an impl or trait, or the variants of an enum, in order.
    pub fn members(&self, _deps: &mut Deps, _container: DefId) -> &[DefId] {
        &[]
    }

    /// All functions in impls and traits of the workspace that have this name.
    pub fn methods_named(&self, _deps: &mut Deps, _name: Symbol) -> &[DefId] {
        &[]
    }

    /// Notes that an answer rests on what a definition's item declares (its signature, fields,
    /// generics, where clauses), not only on its being there.
    pub fn signature(&self, _deps: &mut Deps, _id: DefId) {}

    /// The crates: those of the workspace, then the standard library's.
    pub fn crate_root(&self, _krate: CrateIdx) -> Option<DefId> {
        None
    }

    /// The keys whose answers differ between two builds.
    pub fn changed(&self, _old: &DefMap) -> KeySet {
        KeySet::default()
    }
}
