//! The items of all files in crates, modules and scopes.
//!
//! Building: [`collect`] walks the files in source order from the crate roots; [`imports`] resolves
//! imports to a fixpoint; [`macros`] retries macro calls whose macro is named by a path; [`impls`]
//! indexes impls and members. [`lookup`] resolves names, [`digest`] finds what differs from another
//! build, [`patch`] updates a map after an edit.

mod affected;
mod blocks;
mod build;
mod canon;
mod collect;
mod collect_defs;
mod collect_modules;
mod collect_names;
mod def;
mod deps;
mod digest;
mod file_ids;
mod hits;
mod impls;
mod imports;
mod index;
mod interface;
mod lexical;
mod lookup;
mod lookup_cache;
mod lookup_key;
mod macro_scope;
mod macros;
mod methods_by_name;
mod modules;
mod parts;
mod patch;
mod patch_file;
mod problem;
mod query;
mod renumber;
mod renumbering;
mod scope_traits;
mod symbols;
mod table;

use std::sync::Arc;

use base::{ProjectPath, SortedMap};
use syntax::facts::FileFacts;

use crate::{CrateIdx, FileIdx};
pub(crate) use def::TypeHead;
pub use def::{Def, DefId, Existence, NameScope, Namespace, Prim, Resolution, Symbol};
pub use deps::Deps;
pub(crate) use methods_by_name::MAX_GUESSES;
use parts::{Cached, ImplIndex, ImportTable, MacroTable, MemberIndex, ModuleFiles, PatchState};
pub use patch::Patch;
pub use problem::{ModuleProblem, ModuleProblemKind};
use symbols::Symbols;
pub(crate) use symbols::sym;
use table::{Names, ScopeData, Target};

/// A text whose items are in the map: a workspace file, a file of the standard library's
/// declarations, or the expansion of a macro call.
#[derive(Clone, Debug)]
pub struct DefSource {
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
    /// Index of its first name in the names of all sources.
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
    sources: Vec<DefSource>,
    defs: Vec<Def>,
    symbols: Symbols,
    crates: Vec<Krate>,
    /// The crate of the standard library's declarations, after the crates of the workspace.
    std: CrateIdx,
    modules: ModuleFiles,
    scopes: Vec<ScopeData>,
    names: Names,
    /// Scopes of blocks with items, by file, body and expression.
    block_scopes: SortedMap<(FileIdx, u32, u32), u32>,
    imports: ImportTable,
    macros: MacroTable,
    members: MemberIndex,
    impls: ImplIndex,
    pub(crate) cached: Cached,
    patching: PatchState,
}

#[cfg(test)]
pub(crate) mod tests;
