use base::ContentHash;
use serde::Serialize;

use crate::Evidence;

/// The right to write one exact change. Only this room makes one, and `repo::apply` consumes it.
///
/// Invariant: private fields; there is no other constructor than the gate's.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[must_use = "a permit is made to be handed to `repo::apply`"]
pub struct Permit {
    patch_set: ContentHash,
    ground: Ground,
}

/// Why the gate opened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum Ground {
    Proven(Box<Evidence>),
    Restore(Restore),
    Override { evidence: Box<Evidence>, who: String, why: String },
}

/// What `undo`, `redo` and crash recovery show: the journal's record of an accepted change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Restore {
    /// The overlay that puts the former (or the later) state back.
    pub patch_set: ContentHash,
    /// The journal's entry.
    pub entry: String,
}

impl Permit {
    pub(crate) fn proven(evidence: Evidence) -> Self {
        Self { patch_set: evidence.patch_set, ground: Ground::Proven(Box::new(evidence)) }
    }

    pub(crate) fn overridden(evidence: Evidence, who: &str, why: &str) -> Self {
        Self {
            patch_set: evidence.patch_set,
            ground: Ground::Override {
                evidence: Box::new(evidence),
                who: who.to_owned(),
                why: why.to_owned(),
            },
        }
    }

    /// The gate for states that were accepted before: an overlay recorded in the undo journal.
    pub fn restore(restore: Restore) -> Self {
        Self { patch_set: restore.patch_set, ground: Ground::Restore(restore) }
    }

    /// The change it is for.
    pub fn patch_set(&self) -> ContentHash {
        self.patch_set
    }

    /// The proof behind it, where it rests on one.
    pub fn evidence(&self) -> Option<&Evidence> {
        match &self.ground {
            Ground::Proven(evidence) | Ground::Override { evidence, .. } => Some(evidence),
            Ground::Restore(_) => None,
        }
    }

    /// Who overrode the gate and why, where somebody did.
    pub fn overridden_by(&self) -> Option<(&str, &str)> {
        match &self.ground {
            Ground::Override { who, why, .. } => Some((who, why)),
            Ground::Proven(_) | Ground::Restore(_) => None,
        }
    }
}
