//! The parts of a [`super::DefMap`], by what they contain: the module tree, imports and macros as
//! read from the files, the indexes made of them, what is computed on first use, and what only a
//! patch needs.

use std::sync::{Arc, OnceLock};

use super::canon::Disambiguators;
use super::collect::Entered;
use super::index::Index;
use super::macros::MacroCache;
use super::methods_by_name::MethodsByName;
use super::patch::PathCall;
use super::table::{Import, TextualMacro};
use super::{DefId, ModuleProblem, Symbol, TypeHead};
use crate::FileIdx;
use crate::hash::FastMap;
use base::SortedMap;

/// Which file is the content of which module.
#[derive(Clone, Debug, Default)]
pub(super) struct ModuleFiles {
    /// The module whose content each file is.
    pub(super) file_roots: Vec<Option<DefId>>,
    /// The file that is the content of a `mod x;`.
    pub(super) contents: SortedMap<DefId, FileIdx>,
    /// The names of crates and orphan files.
    pub(super) root_names: SortedMap<DefId, String>,
    /// Files that no module tree reaches.
    pub(super) orphans: Vec<FileIdx>,
    /// The errors of the module tree, sorted.
    pub(super) problems: Vec<ModuleProblem>,
}

/// The imports of all scopes.
#[derive(Clone, Debug, Default)]
pub(super) struct ImportTable {
    /// One entry per leaf.
    pub(super) leaves: Vec<Import>,
    /// The segments of their paths.
    pub(super) paths: Vec<Symbol>,
    /// External paths: the parent, and the last name.
    pub(super) externals: Vec<(u32, Symbol)>,
}

/// The macros in textual scope, and what calls at item level expand to.
#[derive(Clone, Debug, Default)]
pub(super) struct MacroTable {
    /// Every `macro_rules!`, in the order of the walk.
    pub(super) textual: Vec<TextualMacro>,
    /// The expansions of the calls in each file.
    pub(super) expansions: SortedMap<FileIdx, Vec<FileIdx>>,
    /// The results of all calls.
    pub(super) cache: Arc<MacroCache>,
}

/// The members of impls and traits, and the variants of enums.
#[derive(Clone, Debug, Default)]
pub(super) struct MemberIndex {
    /// By container.
    pub(super) children: Index<DefId>,
    /// By container and name.
    pub(super) named: Index<(DefId, Symbol)>,
    /// The workspace's methods by name.
    pub(super) methods: Index<Symbol>,
}

/// The impls.
#[derive(Clone, Debug, Default)]
pub(super) struct ImplIndex {
    /// Inherent impls by the head of their type.
    pub(super) inherent: Index<TypeHead>,
    /// Trait impls by the head of their type.
    pub(super) by_head: Index<TypeHead>,
    /// Trait impls by their trait.
    pub(super) by_trait: Index<DefId>,
    /// Impls whose trait is unambiguous, by trait and head of their type.
    pub(super) by_trait_and_head: Index<(DefId, TypeHead)>,
    /// The traits of each impl.
    pub(super) traits: Index<DefId>,
    /// The heads of each impl's type, sorted.
    pub(super) heads: Vec<(DefId, TypeHead)>,
    /// Keys that the head and the trait of each workspace impl depend on.
    pub(super) dependencies: SortedMap<DefId, Arc<[u64]>>,
}

/// Results that are computed on first use.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cached {
    /// Lang items of the standard library.
    pub(crate) lang: OnceLock<crate::infer::Lang>,
    pub(super) disambiguators: OnceLock<Disambiguators>,
    pub(super) digests: OnceLock<Arc<Vec<(u64, u64)>>>,
    pub(super) methods_by_name: MethodsByName,
}

/// The state that only patches need.
#[derive(Clone, Debug, Default)]
pub(super) struct PatchState {
    /// Definitions by stable name; empty while the map is built.
    pub(super) by_ident: FastMap<u64, DefId>,
    /// The state in which each file was entered.
    pub(super) entered: Arc<SortedMap<FileIdx, Entered>>,
    /// Macro calls at item level whose macro is named by a path.
    pub(super) path_calls: SortedMap<DefId, PathCall>,
    /// Stable names of the macros that each file's calls at item level resolve to, sorted.
    pub(super) called_macros: SortedMap<FileIdx, Arc<[u64]>>,
    /// The size of the map when it was built.
    pub(super) built: usize,
}
