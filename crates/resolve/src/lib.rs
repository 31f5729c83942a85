//! Items and uses of all files to edges with tier and evidence, without a compiler.
//!
//! Two steps. [`DefMap::build`] puts the items of all files into crates, modules and scopes
//! (module tree, imports to a fixpoint, macro-made items, impls by type); it reads interfaces
//! only. [`resolve_file`] then walks the bodies and signatures of one file and answers with
//! [`FileEdges`]; files are independent of each other, so they run in parallel and in any order.
//!
//! Invariants: pure and total. Fail closed: exactly one survivor of the language's rules is
//! [`base::Tier::Proven`], several are [`base::Tier::Candidate`], none is an unresolved site; every proven
//! edge names its [`Rule`]. The result does not depend on the order of files. Each lookup is
//! recorded in [`Deps`] by key, also where it found nothing; a file is stale exactly when a key that
//! it looked up is among [`DefMap::changed`] – so that what is resolved incrementally equals what is
//! resolved from scratch.
//!
//! What std offers is known from declarations of our own (`sysroot/*.rs`), read as any other
//! crate; its items are externals to the map.

mod cfg;
mod defs;
mod deps;
mod infer;
mod resolve_file;
mod rule;
mod sysroot;
mod workspace;

pub use defs::{
    Def, DefId, DefKind, DefMap, Existence, ImportCounts, ModuleProblem, ModuleProblemKind,
    Namespace, Patch, Prim, Resolution, Scope, Source, Symbol, TypeHead,
};
pub use deps::{Deps, Key, KeySet};
pub use resolve_file::{FileEdges, FoundEdge, SiteShape, Unresolved, UnresolvedSite, resolve_file};
pub use rule::Rule;
pub use workspace::{CfgSet, CrateIdx, CrateInput, Dependency, FileIdx, FileInput, Workspace};
