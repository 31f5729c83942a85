//! A person's consent to one change: the question names everything ([`ConsentQuestion`]), and the answer
//! is worth exactly one write of exactly the change and the tree that were shown.
//!
//! Each question has a nonce, which is used once. [`Consents::redeem`] turns it into a [`Consent`], which
//! cannot be made otherwise or copied; the functions that write compare it with what they are about to
//! write. It does not replace the gate, which decides in every case.

mod question;

use std::collections::VecDeque;
use std::sync::Mutex;

use base::{ContentHash, Ctx, Hint};
use edit::Overlay;
use project::Workspace;

use crate::Error;

pub use question::{ConsentQuestion, ShownDiff};

/// The most questions that wait for an answer; of more, the oldest is forgotten.
const MOST_OPEN: usize = 64;

/// The act that a person consents to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConsentAct {
    /// Writes a change.
    Write,
    /// Reverts an applied change.
    Undo,
    /// Reapplies an undone change.
    Redo,
}

/// A change that waits for a person's consent.
#[derive(Clone, Debug)]
pub struct PendingChange {
    /// The act.
    pub act: ConsentAct,
    /// The change as it would be written.
    pub change: Overlay,
    /// The hash of the project's files now.
    pub tree: ContentHash,
    /// A line for each of its parts, such as a proposal with its summary.
    pub titles: Vec<String>,
    /// The command that shows all of it.
    pub see: String,
}

impl PendingChange {
    /// A change of the present tree.
    pub(crate) fn now(
        ctx: &Ctx,
        workspace: &Workspace,
        (act, change): (ConsentAct, Overlay),
        titles: Vec<String>,
        see: String,
    ) -> Result<Self, Error> {
        Ok(Self { act, change, tree: present_tree(ctx, workspace)?, titles, see })
    }

    /// Adds that the change is committed, if it is asked for or always done.
    #[must_use]
    pub fn committed(mut self, workspace: &Workspace, commit: bool) -> Self {
        if commit || workspace.settings().commit_always {
            self.titles.push("! it is committed, and hooks of the repository run".to_owned());
        }
        self
    }

    fn subject(&self) -> Subject {
        Subject { act: self.act, change: self.change.patch_set(), tree: self.tree }
    }
}

/// The hash of the project's files, as that of a verified tree.
pub(crate) fn present_tree(ctx: &Ctx, workspace: &Workspace) -> Result<ContentHash, Error> {
    let (tree, _) = workspace.project().tree_state(ctx, &std::sync::Arc::default())?;
    Ok(tree.files_hash())
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Subject {
    act: ConsentAct,
    change: ContentHash,
    tree: ContentHash,
}

/// The questions that wait for an answer.
#[derive(Debug, Default)]
pub struct Consents {
    open: Mutex<VecDeque<OpenQuestion>>,
}

#[derive(Debug)]
struct OpenQuestion {
    nonce: String,
    call: ContentHash,
    subject: Subject,
}

impl Consents {
    /// Makes the question about a change. `call` names the request that asks; the answer is worth
    /// nothing for another one.
    pub fn ask(
        &self,
        ctx: &Ctx,
        pending: &PendingChange,
        shown: ShownDiff,
        call: &[u8],
    ) -> ConsentQuestion {
        let nonce = ctx.fresh_name();
        let question = ConsentQuestion::of(pending, shown, nonce.clone());
        let mut open = base::lock(&self.open);
        if open.len() == MOST_OPEN {
            open.pop_front();
        }
        open.push_back(OpenQuestion {
            nonce,
            call: ContentHash::of(call),
            subject: pending.subject(),
        });
        question
    }

    /// The consent of a person who answered the question of this nonce with yes; it is used up.
    ///
    /// # Errors
    /// [`ConsentError::Unknown`] where no such question of this call waits for an answer.
    pub fn redeem(&self, nonce: &str, call: &[u8]) -> Result<Consent, ConsentError> {
        let mut open = base::lock(&self.open);
        let call = ContentHash::of(call);
        let at = open.iter().position(|it| it.nonce == nonce && it.call == call);
        let found = at.and_then(|at| open.remove(at)).ok_or(ConsentError::Unknown)?;
        Ok(Consent { subject: found.subject })
    }

    /// Whether a question of this call waits for an answer.
    pub fn waits(&self, nonce: &str, call: &[u8]) -> bool {
        let call = ContentHash::of(call);
        base::lock(&self.open).iter().any(|it| it.nonce == nonce && it.call == call)
    }
}

/// A person's consent to one write.
#[derive(Debug)]
pub struct Consent {
    subject: Subject,
}

impl Consent {
    /// Uses the consent up for a write of this change onto this tree.
    ///
    /// # Errors
    /// [`ConsentError::Other`] where another act or change was shown, [`ConsentError::Moved`] where it
    /// was shown on another tree.
    pub(crate) fn spend(
        self,
        act: ConsentAct,
        change: ContentHash,
        tree: ContentHash,
    ) -> Result<(), ConsentError> {
        if (act, change) != (self.subject.act, self.subject.change) {
            return Err(ConsentError::Other);
        }
        if tree != self.subject.tree {
            return Err(ConsentError::Moved);
        }
        Ok(())
    }
}

/// Why a consent is worth nothing for a write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConsentError {
    /// The nonce is that of no question of this call.
    #[error("the answer is to no question that waits for one")]
    Unknown,
    /// Another change was shown.
    #[error("the consent is to another change than the one to be written; nothing was written")]
    Other,
    /// The project changed after the question.
    #[error("the project changed after the question was shown; nothing was written")]
    Moved,
}

impl Hint for ConsentError {
    fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::Unknown => "ask again; each answer is used once",
            Self::Other | Self::Moved => {
                "run it again: it is verified and shown on the present tree"
            }
        };
        Some(hint.to_owned())
    }
}

#[cfg(test)]
mod tests;
