//! What is wrong with the module tree.

use std::fmt;

use crate::FileIdx;

/// A `mod x;` that leads nowhere.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ModuleProblem {
    /// The file it stands in.
    pub file: FileIdx,
    /// Where it stands.
    pub offset: u32,
    /// What is wrong.
    pub kind: ModuleProblemKind,
}

/// Why a `mod x;` leads nowhere.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ModuleProblemKind {
    /// None of these files is there.
    Missing {
        /// Where it was looked for.
        tried: Vec<String>,
    },
    /// The file is one of those that it stands in.
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
