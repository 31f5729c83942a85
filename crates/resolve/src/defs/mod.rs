//! The items of all files in crates, modules and scopes.
//!
//! Building: [`collect`] walks the files in source order from the crate roots; [`imports`] resolves
//! imports to a fixpoint; [`macros`] retries macro calls whose macro is named by a path; [`impls`]
//! indexes impls and members. [`lookup`] resolves names, [`digest`] finds what differs from another
//! build, [`patch`] updates a map after an edit.

mod blocks;
mod build;
mod canon;
mod collect;
mod collect_modules;
mod def;
mod digest;
mod hits;
mod impls;
mod imports;
mod index;
mod lookup;
mod lookup_cache;
mod macros;
mod methods_by_name;
mod modules;
mod patch;
mod problem;
mod query;
mod renumber;
mod symbols;
mod table;

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use base::ProjectPath;
use syntax::facts::FileFacts;

use crate::hash::FastMap;
use crate::{CrateIdx, FileIdx};
pub use def::{
    Def, DefId, DefKind, Existence, Namespace, Prim, Resolution, Scope, Symbol, TypeHead,
};
use index::Index;
pub(crate) use lookup_cache::LookupCache;
pub(crate) use methods_by_name::MAX_GUESSES;
pub use patch::Patch;
pub use problem::{ModuleProblem, ModuleProblemKind};
use symbols::Symbols;
pub(crate) use symbols::sym;
use table::{Import, Names, ScopeData, Target, TextualMacro, Vis};

/// A text whose items are in the map: a workspace file, a file of the standard library's
/// declarations, or the expansion of a macro call.
#[derive(Clone, Debug)]
pub struct Source {
    /// The file; for an expansion the file of the call.
    pub path: ProjectPath,
    /// The facts read from the text.
    pub facts: Arc<FileFacts>,
    /// The text.
    pub text: Arc<str>,
    /// The macro call at item level that this is the expansion of.
    pub call: Option<DefId>,
    /// For an expansion: the file and offset of the outermost call.
    site: (FileIdx, u32),
    /// For an expansion: the offset of the call's tokens in the text that contains the call.
    tokens: u32,
    /// For an expansion: the origins of its tokens.
    origins: Arc<[syntax::Origin]>,
    /// The crate that `$crate` means; `NONE` outside expansions.
    dollar_crate: CrateIdx,
    is_std: bool,
    /// Index of its first item; the variants of its enums follow its items.
    base: u32,
    /// After a patch: the ids of its items, then of the variants of its enums.
    ids: Arc<[DefId]>,
    /// Removed by a patch.
    is_removed: bool,
    /// Index of its first name in `file_symbols`.
    names: u32,
}

/// A crate of the map.
#[derive(Clone, Debug)]
struct Krate {
    /// Hash of its name.
    ident: u64,
    root: Option<DefId>,
    edition: u16,
    /// The extern prelude, sorted.
    externs: Vec<(Symbol, Target)>,
    /// `extern crate` items of its root.
    extern_items: Vec<(Symbol, u32)>,
    /// `#[macro_use] extern crate` items.
    macro_use: Vec<u32>,
    /// Scope of the standard prelude of its edition.
    prelude: Option<u32>,
    is_proc_macro: bool,
    is_std: bool,
}

/// The items of all files in crates, modules and scopes. See the crate's documentation.
#[derive(Clone, Debug)]
pub struct DefMap {
    sources: Vec<Source>,
    defs: Vec<Def>,
    /// The scope that contains each definition.
    def_scopes: Vec<u32>,
    /// For a module its scope; for an item with local items the scope of its body; for an enum the
    /// index of its first variant.
    inner: Vec<u32>,
    /// Hash of the canonical path.
    canon_hashes: Vec<u64>,
    /// Stable name: hash of canonical path, kind and ordinal.
    idents: Vec<u64>,
    symbols: Symbols,
    file_symbols: Vec<Symbol>,
    crates: Vec<Krate>,
    /// The crate of the standard library's declarations, after the crates of the workspace.
    std: CrateIdx,
    scopes: Vec<ScopeData>,
    names: Names,
    block_scopes: BTreeMap<(FileIdx, u32, u32), u32>,
    imports: Vec<Import>,
    import_paths: Vec<Symbol>,
    /// External paths: the parent, and the last name.
    externals: Vec<(u32, Symbol)>,
    textual: Vec<TextualMacro>,
    /// The module whose content each file is.
    file_roots: Vec<Option<DefId>>,
    /// The file that is the content of a `mod x;`.
    contents: BTreeMap<DefId, FileIdx>,
    root_names: BTreeMap<DefId, String>,
    expansions: BTreeMap<FileIdx, Vec<FileIdx>>,
    /// Files that no module tree reaches.
    orphans: Vec<FileIdx>,
    problems: Vec<ModuleProblem>,
    children: Index<DefId>,
    named: Index<(DefId, Symbol)>,
    methods: Index<Symbol>,
    inherent: Index<TypeHead>,
    trait_impls: Index<TypeHead>,
    impls_of: Index<DefId>,
    traits_of: Index<DefId>,
    /// Impls whose trait is unambiguous, by trait and head of their type.
    impls_for: Index<(DefId, TypeHead)>,
    /// The head of each impl, sorted.
    heads: Vec<(DefId, TypeHead)>,
    /// The traits of each scope, sorted.
    scope_traits: Vec<(u32, DefId, Vis)>,
    /// Lang items of the standard library, computed on first use.
    pub(crate) lang: OnceLock<crate::infer::Lang>,
    macro_cache: Arc<macros::MacroCache>,
    disambiguators: OnceLock<canon::Disambiguators>,
    digests: OnceLock<Arc<Vec<(u64, u64)>>>,
    methods_by_name: methods_by_name::MethodsByName,
    /// The dependencies of each import.
    import_dependencies: Vec<imports::Dependencies>,
    /// Keys that the head and the trait of each workspace impl depend on.
    impl_dependencies: BTreeMap<DefId, Arc<[u64]>>,
    /// Macro calls at item level whose macro is named by a path.
    pending: BTreeMap<DefId, patch::PathCall>,
    /// Definitions by stable name, for patches; empty while the map is built.
    by_ident: FastMap<u64, DefId>,
    /// The state in which each file was entered.
    entered: Arc<BTreeMap<FileIdx, collect::Entered>>,
    /// Stable names of the macros that each file's calls at item level resolve to, sorted.
    calls: BTreeMap<FileIdx, Arc<[u64]>>,
    /// The size of the map when it was built, before patches.
    built: usize,
}

#[cfg(test)]
pub(crate) mod tests;
