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

    /// The patch set that was compiled: that of [`Permit::patch_set`], unless nothing had to be
    /// compiled or a user overrode the gate.
    pub fn compiled(&self) -> Option<ContentHash> {
        self.evidence.compiled
    }

    /// The tree that it permits the change on.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// The evidence that it is based on.
    pub fn evidence(&self) -> &Evidence {
        &self.evidence
    }

    /// User and reason, where a user overrode a closed gate.
    pub fn overridden_by(&self) -> Option<(&str, &str)> {
        let approval = self.approval.as_ref().filter(|_| self.overridden)?;
        Some((&approval.who, approval.override_reason.as_deref()?))
    }
}
