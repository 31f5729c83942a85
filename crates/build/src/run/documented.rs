//! Which packages have documentation tests that `cargo test` runs. `cargo test --doc` alone would run
//! those of libraries with `doctest = false` too, and fails where no package has a library.

use base::SortedSet;

use super::Run;
use crate::{CargoError, Command, Packages, workspace};

/// The documentation tests of a command.
pub(super) struct Documented {
    /// The command with the packages that have some.
    pub(super) command: Command,
    /// The names of their libraries, as in code.
    pub(super) libraries: Vec<String>,
    /// Whether a passed test proves something. rustdoc expands a crate and runs its examples in one
    /// process, so a macro of the project can print a run of its own and end it; and the examples of
    /// other crates run in the same layer.
    pub(super) proves: bool,
}

/// The documentation tests of the command; `None` if no package has any.
pub(super) fn of(run: &Run<'_>) -> Result<Option<Documented>, CargoError> {
    let metadata = workspace::metadata(run.ctx, run.env, run.view, run.root, run.root)?;
    let defaults = &metadata.workspace_default_members;
    let is_default = |id| !defaults.is_available() || defaults.contains(id);
    let mut libraries = Vec::new();
    let mut without = SortedSet::new();
    let unproven = workspace(run.ctx, run.env, run.view, run.root)?.loads_own_macros();
    let mut proves = true;
    let mut is_split = false;
    for package in &metadata.packages {
        let name = package.name.to_string();
        let is_chosen = match &run.command.packages {
            Packages::Workspace => true,
            Packages::Default => is_default(&package.id),
            Packages::Named(names) => names.contains(&name),
            Packages::Without(names) => !names.contains(&name),
        };
        let library = package.targets.iter().find(|it| is_library(it));
        let documented = library.filter(|it| is_chosen && it.doctest);
        if let Some(library) = documented {
            libraries.push(library.name.replace('-', "_"));
            proves &= !unproven.contains(&name);
        } else {
            is_split |= is_chosen && library.is_some();
            without.insert(name);
        }
    }
    if libraries.is_empty() {
        return Ok(None);
    }
    let mut command = run.command.clone();
    // As long as it can be, the choice is that of the build: features depend on it.
    if is_split {
        command.packages = Packages::Without(without.into_iter().collect());
    }
    Ok(Some(Documented { command, libraries, proves }))
}

fn is_library(target: &cargo_metadata::Target) -> bool {
    let kinds = ["lib", "rlib", "dylib", "cdylib", "staticlib", "proc-macro"];
    target.kind.iter().any(|it| kinds.contains(&it.to_string().as_str()))
}
