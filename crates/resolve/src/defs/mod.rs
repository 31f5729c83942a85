//! The items of all files in crates, modules and scopes.
//!
//! How it comes about: [`collect`] walks the files in the order of the text, from the roots of the
//! crates; [`imports`] follows imports to a fixpoint; [`macros`] looks at macro calls again that a
//! path leads to the macro of; [`impls`] sorts impls and members. [`lookup`] answers, [`digest`]
//! says what differs from another build.

mod blocks;
mod build;
mod canon;
mod collect;
mod collect_modules;
mod def;
mod digest;
mod families;
mod hits;
mod impls;
mod imports;
mod index;
mod looked;
mod lookup;
mod macros;
mod modules;
mod patch;
mod problem;
mod query;
mod renumber;
mod symbols;
mod table;

use std::collections::{BTreeMap, HashMap};
use std::hash::BuildHasherDefault;
use std::sync::{Arc, OnceLock};

use base::ProjectPath;
use syntax::facts::FileFacts;

use crate::{CrateIdx, FileIdx};
pub use def::{
    Def, DefId, DefKind, Existence, Namespace, Prim, Resolution, Scope, Symbol, TypeHead,
};
pub(crate) use families::MOST_GUESSES;
use index::Index;
pub(crate) use looked::Looked;
pub use patch::Patch;
pub use problem::{ModuleProblem, ModuleProblemKind};
pub use query::ImportCounts;
use symbols::Symbols;
use table::{Import, Names, ScopeData, Target, TextualMacro, Vis};

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
    /// Of an expansion: the file and the place of the call that stands in a file.
    site: (FileIdx, u32),
    /// Of an expansion: where the call's tokens begin in the text that the call stands in.
    tokens: u32,
    /// Of an expansion: where its tokens come from.
    origins: Arc<[syntax::Origin]>,
    /// What `$crate` means; `NONE` but in expansions.
    home: CrateIdx,
    is_std: bool,
    /// Number of its first item; variants of its enums follow its items.
    base: u32,
    /// After a patch: the numbers of its items, then of the variants of its enums.
    ids: Arc<[DefId]>,
    /// A patch took it out.
    is_gone: bool,
    /// Number of its first name in `file_symbols`.
    names: u32,
}

/// A crate as the map knows it.
#[derive(Clone, Debug)]
struct Krate {
    /// Hash of its name.
    ident: u64,
    root: Option<DefId>,
    edition: u16,
    /// The names it can say, sorted.
    externs: Vec<(Symbol, Target)>,
    /// `extern crate` in its root.
    extern_items: Vec<(Symbol, u32)>,
    /// `#[macro_use] extern crate`.
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
    /// The scope that a definition stands in.
    def_scopes: Vec<u32>,
    /// Of a module its scope; of an item with local items the scope of its body; of an enum the
    /// number of its first variant.
    inner: Vec<u32>,
    /// Of the canonical path.
    canon_hashes: Vec<u64>,
    /// Of canonical path, kind and ordinal: stable names.
    idents: Vec<u64>,
    symbols: Symbols,
    file_symbols: Vec<Symbol>,
    crates: Vec<Krate>,
    /// The standard library's declarations, behind the crates of the workspace.
    std: CrateIdx,
    scopes: Vec<ScopeData>,
    names: Names,
    block_scopes: BTreeMap<(FileIdx, u32, u32), u32>,
    imports: Vec<Import>,
    import_paths: Vec<Symbol>,
    /// Paths outside: the one before, and the last name.
    externals: Vec<(u32, Symbol)>,
    textual: Vec<TextualMacro>,
    /// The module whose content a file is.
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
    /// Impls of which the one trait is known, by it and the head of their type.
    impls_for: Index<(DefId, TypeHead)>,
    /// Of each impl, sorted.
    heads: Vec<(DefId, TypeHead)>,
    /// Of each scope, sorted.
    scope_traits: Vec<(u32, DefId, Vis)>,
    /// What the language knows of the standard library, found when it is first asked for.
    pub(crate) lang: OnceLock<crate::infer::Lang>,
    macro_cache: Arc<macros::MacroCache>,
    twins: OnceLock<canon::Twins>,
    digests: OnceLock<Arc<Vec<(u64, u64)>>>,
    families: families::Families,
    /// What each import rests on.
    import_rests: Vec<imports::RestsOn>,
    /// Keys that the head and the trait of each impl of the workspace rest on.
    impl_rests: BTreeMap<DefId, Arc<[u64]>>,
    /// Macro calls at item level that a path leads to the macro of, if anything does.
    pending: BTreeMap<DefId, patch::PathCall>,
    /// Definitions by stable name, for patches; empty while the map is built.
    by_ident: HashMap<u64, DefId, BuildHasherDefault<table::FastHasher>>,
    /// How each file was entered.
    entered: Arc<BTreeMap<FileIdx, collect::Entered>>,
    /// Stable names of the macros that the calls at item level of each file lead to, sorted.
    calls: BTreeMap<FileIdx, Arc<[u64]>>,
    /// How much there was before patches.
    built: usize,
}

#[cfg(test)]
pub(crate) mod tests;
