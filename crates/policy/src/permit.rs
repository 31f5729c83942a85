use base::ContentHash;
use serde::Serialize;

use crate::{Approval, Evidence, Tree};

/// The right to write one exact change onto one exact tree. Only this crate makes one, and
/// `repo::apply` consumes it.
///
/// Invariant: private fields, no `Clone`; there is no other constructor than [`crate::decide`].
#[derive(Debug, PartialEq, Eq, Serialize)]
#[must_use = "a permit is made for `repo::apply`"]
pub struct Permit {
    evidence: Box<Evidence>,
    tree: Tree,
    /// What a person allowed or overrode, where the gate needed it.
    approval: Option<Approval>,
    /// Whether the gate was closed and a person overrode it.
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

    /// The change it is for.
    pub fn patch_set(&self) -> ContentHash {
        self.evidence.patch_set
    }

    /// The tree it is for.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// The proof behind it.
    pub fn evidence(&self) -> &Evidence {
        &self.evidence
    }

    /// Who overrode a closed gate and why, where a person did.
    pub fn overridden_by(&self) -> Option<(&str, &str)> {
        let approval = self.approval.as_ref().filter(|_| self.overridden)?;
        Some((&approval.who, approval.override_reason.as_deref()?))
    }
}
