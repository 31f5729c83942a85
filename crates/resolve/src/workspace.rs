//! The input of resolution: files with their facts, and crates with their cfg and dependencies.

use std::sync::Arc;

use base::{ProjectPath, SortedMap, SortedSet};
use syntax::facts::FileFacts;

/// A file: index into [`WorkspaceInput::files`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileIdx(pub u32);

/// A crate: index into [`WorkspaceInput::crates`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CrateIdx(pub u32);

/// All input that is resolved together.
#[derive(Clone, Debug, Default)]
pub struct WorkspaceInput {
    /// Crates (targets) of the workspace, sorted by name. Dependency order is not required.
    pub crates: Vec<CrateInput>,
    /// The Rust files, sorted by path. Files that no module tree reaches are resolved as modules of
    /// the crate whose directory contains them.
    pub files: Vec<FileInput>,
}

/// One file.
#[derive(Clone, Debug)]
pub struct FileInput {
    /// The path.
    pub path: ProjectPath,
    /// The facts read from the text.
    pub facts: Arc<FileFacts>,
    /// The text: macro definitions and calls are read from it.
    pub text: Arc<str>,
}

/// One target of a package.
#[derive(Clone, Debug, Default)]
pub struct CrateInput {
    /// `package/target`, the prefix of its items' canonical paths.
    pub name: String,
    /// The name in paths: `my_lib`.
    pub extern_name: String,
    /// The root file.
    pub root: u32,
    /// `2015`, `2018`, `2021`, `2024`.
    pub edition: u16,
    /// The cfg for a build on this host.
    pub cfg: CfgSet,
    /// The crates that it can name, sorted by name (including its own package's library for
    /// binaries, tests, examples and benches).
    pub dependencies: Vec<Dependency>,
    /// Whether it is a procedural macro crate.
    pub is_proc_macro: bool,
}

/// One name in the extern prelude of a crate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dependency {
    /// The name in the code.
    pub name: String,
    /// The crate in the workspace; `None` if external.
    pub to: Option<CrateIdx>,
}

/// The cfg of code that is in no crate of the workspace: empty.
pub(crate) static NO_CFG: CfgSet = CfgSet { flags: SortedSet::new(), values: SortedMap::new() };

/// The cfg that a crate is built with on this host.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CfgSet {
    /// `unix`, `debug_assertions`, `test` …
    pub flags: SortedSet<String>,
    /// `target_os = "linux"`, `feature = "full"` …
    pub values: SortedMap<String, SortedSet<String>>,
}
