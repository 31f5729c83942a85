//! Why an item cannot move to another module, or a text keep its names at another place.

use base::{PathError, ProjectPath};

/// Reason why a text cannot have the same names at another place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NameFault {
    /// The place is in another crate.
    #[error("it is in another crate")]
    OtherCrate,
    /// The modules of the place are not known.
    #[error("its file is no module, or one of several crates")]
    NoModule,
    /// A path begins at the old module.
    #[error("its text has a path with `self::` or `super::`")]
    RelativePath,
    /// A name has another meaning in the module.
    #[error("`{name}` means something else in `{module}`")]
    OtherMeaning {
        /// Name.
        name: String,
        /// Module, as a path.
        module: String,
    },
    /// A name cannot be used from the place.
    #[error("its text uses `{0}`, which is private there")]
    Private(String),
}

/// Reason why an item cannot move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RelocateFault {
    /// The file of the item is not part of the project.
    #[error("its file `{0}` is not in the project")]
    NoFile(ProjectPath),
    /// The definition is not where it should be.
    #[error("its definition was not found")]
    NoDefinition,
    /// The item is in the module already.
    #[error("it is in `{0}` already")]
    Present(String),
    /// The module has several items of the name.
    #[error(
        "its module has another item of that name, such as an alternative for another `cfg`: \
         {path}:{line}"
    )]
    Alternative {
        /// File of the other one.
        path: ProjectPath,
        /// Its line, from 1.
        line: u32,
    },
    /// A module has no text.
    #[error("the module was not found")]
    NoModule,
    /// The new module has such an item.
    #[error("`{module}` has an item of that name: {path}:{line}")]
    Taken {
        /// Module, as a path.
        module: String,
        /// File of the other item.
        path: ProjectPath,
        /// Its line, from 1.
        line: u32,
    },
    /// The new module imports such an item.
    #[error("`{module}` imports something else of that name: {path}:{line}")]
    Imported {
        /// Module, as a path.
        module: String,
        /// File of the import.
        path: ProjectPath,
        /// Its line, from 1.
        line: u32,
    },
    /// The modules are compiled under other conditions.
    #[error(
        "its module is compiled under {}, `{module}` under {}",
        conditions(.old),
        conditions(.new)
    )]
    Conditions {
        /// The `cfg`s of the old module.
        old: Vec<String>,
        /// Module, as a path.
        module: String,
        /// The `cfg`s of the new module.
        new: Vec<String>,
    },
    /// The item is `main`.
    #[error("it is the entry point of its crate")]
    EntryPoint,
    /// The item is a procedural macro.
    #[error("a procedural macro has to be in the root of its crate")]
    ProcMacro,
    /// The item is a test.
    #[error("it is a test: tests are known by their path")]
    Test,
    /// The item is a member of a type or trait.
    #[error("only items of a module can move, no members")]
    Member,
    /// The item is a module.
    #[error("modules move with `mv` and their `mod` item")]
    Module,
    /// The item is a macro.
    #[error("a macro is visible in the text after it, not by its module")]
    Macro,
    /// The item is not on the level of its module.
    #[error("it is inside of a macro call, a function or an impl")]
    Inside,
    /// The lines of the item have other code.
    #[error("other code is on its lines")]
    SharedLines,
    /// A file belongs to no crate.
    #[error("`{0}` is in no crate of the workspace")]
    NoCrate(ProjectPath),
    /// A file or module belongs to several crates or modules.
    #[error("`{name}` is in {count} crates or modules")]
    Several {
        /// File or module.
        name: String,
        /// Number of crates or modules.
        count: usize,
    },
    /// The destination is no path.
    #[error("`{to}` is no file of the project: {error}")]
    NoPath {
        /// Destination.
        to: String,
        /// Reason.
        error: PathError,
    },
    /// The destination is no file.
    #[error("`{0}` is no file of the project: the module has to exist")]
    NoDestination(String),
    /// The destination is a file without a declaration.
    #[error("`{0}` is no module of a crate: no `mod` declares it")]
    Undeclared(String),
    /// The destination is in another crate.
    #[error("`{0}` is in another crate")]
    OtherCrate(String),
    /// The destination is no module.
    #[error("no module `{to}` exists; the modules of its crate are {}", .modules.join(", "))]
    UnknownModule {
        /// Destination.
        to: String,
        /// Modules of the crate, in backticks.
        modules: Vec<String>,
    },
    /// A name of the item's text has another meaning in the new module.
    #[error("`{name}` ({path}:{line}) means something else in `{module}`")]
    OtherMeaning {
        /// Name.
        name: String,
        /// Module, as a path.
        module: String,
        /// File with the name.
        path: ProjectPath,
        /// Its line, from 1.
        line: u32,
    },
    /// Edits of one place contradict each other.
    #[error(
        "two edits of the move meet: {path}:{first} and {path}:{second}; change one of these places \
         manually first"
    )]
    EditsMeet {
        /// File.
        path: ProjectPath,
        /// Line of the first one, from 1.
        first: u32,
        /// Line of the second one.
        second: u32,
    },
    /// An edit is outside of a text or inside of a character.
    #[error("an edit of the move is not on a character: {path}:{line}")]
    EditPlace {
        /// File.
        path: ProjectPath,
        /// Line, from 1.
        line: u32,
    },
}

fn conditions(all: &[String]) -> String {
    match all {
        [] => "no condition".to_owned(),
        all => format!("`{}`", all.join(" ")),
    }
}
