//! Why a definition cannot change together with all that has its name.

use base::{PathError, ProjectPath};
use refactor::{BadRequest, InlineFault, RelocateFault};

/// Reason why a refactoring of an item is refused.
#[derive(Debug, thiserror::Error)]
pub(super) enum RefactorFault {
    /// The item is a generic parameter.
    #[error("it is a generic parameter")]
    GenericParameter,
    /// The item has the new name.
    #[error("it has this name already")]
    SameName,
    /// The scope has an item of the new name.
    #[error("`{to}` exists already in the same scope: {at}")]
    Exists { to: String, at: String },
    /// The definition is written by a macro.
    #[error("a macro call expands to it")]
    FromMacro,
    /// The trait of a member is not part of the workspace.
    #[error("it implements a member of `{0}`, which is outside the workspace")]
    OutsideTrait(String),
    /// The trait of a member is written by a macro.
    #[error("a macro call expands to its trait `{0}`")]
    TraitFromMacro(String),
    /// The declaration of a member is not part of the map.
    #[error("its declaration in the trait was not found")]
    NoDeclaration,
    /// The linker or another program uses the name.
    #[error("its attribute `{0}` makes the name part of an interface")]
    Interface(&'static str),
    /// The item is foreign.
    #[error("it is declared in an `extern` block: the linker uses the name")]
    Foreign,
    /// Another item has the name where the condition of the definition is off.
    #[error(
        "{path}:{line} imports another `{name}` under `cfg({gates})`, and code that names one of them \
         means both"
    )]
    Alternative { path: ProjectPath, line: u32, name: String, gates: String },
    /// The new name of the file is no path.
    #[error("the file of the module cannot move: {0}")]
    FilePath(PathError),
    /// The new file exists.
    #[error("its file would move to `{0}`, which exists")]
    FileExists(ProjectPath),
    /// The item cannot go into its uses.
    #[error(transparent)]
    Inline(#[from] InlineFault),
    /// The definition cannot take the change.
    #[error("{0}")]
    Reshape(BadRequest),
    /// The item cannot move.
    #[error(transparent)]
    Relocate(#[from] RelocateFault),
}
