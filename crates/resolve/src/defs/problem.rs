//! [`ModuleProblem`]: a `mod x;` whose file is missing or contains the declaration itself.

use std::fmt;

use crate::FileIdx;

/// A `mod x;` whose file cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ModuleProblem {
    /// The file that contains it.
    pub file: FileIdx,
    /// Its offset.
    pub offset: u32,
    /// The error.
    pub kind: ModuleProblemKind,
}

/// Why the file of a `mod x;` cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ModuleProblemKind {
    /// None of the candidate files exists.
    Missing {
        /// The paths that were tried.
        tried: Vec<String>,
    },
    /// The file contains the declaration itself, directly or through other modules.
    Cycle,
}

impl fmt::Display for ModuleProblemKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing { tried } => write!(f, "module file missing: {}", tried.join(" or ")),
            Self::Cycle => f.write_str("module contains itself"),
        }
    }
}
