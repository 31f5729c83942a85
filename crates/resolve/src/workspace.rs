use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use base::ProjectPath;
use syntax::facts::FileFacts;

/// A file: index into [`Workspace::files`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileIdx(pub u32);

/// A crate: index into [`Workspace::crates`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CrateIdx(pub u32);

/// All that is resolved together.
#[derive(Clone, Debug, Default)]
pub struct Workspace {
    /// Crates (targets) of the workspace, sorted by name; a library before what depends on it is
    /// not asked for.
    pub crates: Vec<CrateInput>,
    /// Its Rust files, sorted by path. Files that no module tree reaches are resolved as modules
    /// of their own of the crate in whose folder they stand.
    pub files: Vec<FileInput>,
}

/// One file.
#[derive(Clone, Debug)]
pub struct FileInput {
    /// Where it is.
    pub path: ProjectPath,
    /// What it says.
    pub facts: Arc<FileFacts>,
    /// Its text: macro definitions and calls are read from it.
    pub text: Arc<str>,
}

/// One target of a package.
#[derive(Clone, Debug, Default)]
pub struct CrateInput {
    /// `package/target`, the head of its items' canonical paths.
    pub name: String,
    /// The name under which others and it itself say it: `my_lib`.
    pub extern_name: String,
    /// Its root file.
    pub root: u32,
    /// `2015`, `2018`, `2021`, `2024`.
    pub edition: u16,
    /// What is on when it is built here.
    pub cfg: CfgSet,
    /// What it can name, sorted by name (its own package's library is among them for binaries,
    /// tests, examples and benches).
    pub dependencies: Vec<Dependency>,
    /// It is a procedural macro crate.
    pub is_proc_macro: bool,
}

/// One name in the extern prelude of a crate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dependency {
    /// The name in the code.
    pub name: String,
    /// The crate of the workspace, or `None`: outside.
    pub to: Option<CrateIdx>,
}

/// The cfg that a crate is built with on this host.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CfgSet {
    /// `unix`, `debug_assertions`, `test` …
    pub flags: BTreeSet<String>,
    /// `target_os = "linux"`, `feature = "full"` …
    pub values: BTreeMap<String, BTreeSet<String>>,
}
