//! Resolves the items and uses of all files to edges with tier and evidence, without a compiler.
//!
//! Two steps. [`DefMap::build`] puts the items of all files into crates, modules and scopes (module
//! tree, imports to a fixpoint, items from macros, impls by type); it reads interfaces only.
//! [`resolve_file`] then walks the bodies and signatures of one file and returns [`FileEdges`];
//! files are independent of each other, so they can be resolved in parallel and in any order.
//!
//! Invariants: pure and total. Fail closed: exactly one candidate left by the language's rules is
//! [`base::Tier::Proven`], several are [`base::Tier::Candidate`], none is an unresolved site; every
//! edge names its [`Rule`]. The result does not depend on the order of files. Each lookup is
//! recorded in [`Deps`] by key, even if it found nothing; a file is stale exactly when one of its
//! keys is in [`DefMap::changed`], so incremental resolution equals resolution from scratch.
//!
//! The standard library is known from declarations made from rust-src (`sysroot/std.rs`), which are
//! read like any other crate; its items are external to the map, and calls of them are counted.

mod cfg;
mod defs;
mod hash;
mod infer;
mod keys;
mod resolve_file;
mod rule;
mod sysroot;
mod third_party;
mod workspace;

pub(crate) use defs::TypeHead;
pub use defs::{
    Def, DefId, DefMap, DefSource, Deps, Existence, ModuleProblem, ModuleProblemKind, NameScope,
    Namespace, Patch, Prim, Resolution, Symbol,
};
pub(crate) use keys::Key;
pub use keys::KeySet;
pub use resolve_file::{CallShape, FileEdges, FoundEdge, Unresolved, UnresolvedSite, resolve_file};
pub use rule::Rule;
pub use workspace::{CfgSet, CrateIdx, CrateInput, Dependency, FileIdx, FileInput, WorkspaceInput};
