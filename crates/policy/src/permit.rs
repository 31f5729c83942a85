//! The [`Permit`]: the value that `repo::apply` requires. Only [`crate::decide`] creates one.
use base::ContentHash;
use serde::Serialize;

use crate::{Approval, Evidence, Tree};

/// The permission to apply one exact change to one exact tree. Only this crate creates one, and
/// `repo::apply` consumes it.
///
/// Invariant: private fields, no `Clone`; there is no other constructor than [`crate::decide`].
#[derive(Debug, PartialEq, Eq, Serialize)]
#[must_use = "a permit is created for `repo::apply`"]
pub struct Permit {
    evidence: Box<Evidence>,
    tree: Tree,
    /// User's approval, where the gate needed it.
    approval: Option<Approval>,
    /// Whether the gate was closed and a user overrode it.
    overridden: bool,
}

impl Permit {
    pub(crate) fn new(
        evidence: Evidence,
        tree: Tree,
        approval: Option<Approval>,
        overridden: bool,
    ) -> Self {
        Self { evidence: Box::new(evidence), tree, approval, overridden }
    }

    /// The patch set that it permits.
    pub fn patch_set(&self) -> ContentHash {
        self.evidence.patch_set
    }

    /// The tree that it permits the change on.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// The evidence that it is based on.
    pub fn evidence(&self) -> &Evidence {
        &self.evidence
    }
}
