use base::Ctx;
use check::{Checked, Ladder};
use edit::Overlay;
use policy::{Approval, Decision, Evidence, Permit, Refusal, Rules};
use repo::{Applied, ApplyOptions, RepoError};

use crate::{Error, Workspace};

/// How often a change is proven again when the tree changes between its proof and the write.
const ATTEMPTS: usize = 4;

/// A proven change on its way into the tree, with what it takes to prove it again.
#[derive(Debug)]
pub struct Accepted {
    /// The change.
    pub overlay: Overlay,
    /// The right to write it onto the tree that it was proven on.
    pub permit: Permit,
    /// How it was proven.
    pub ladder: Ladder,
    /// What the gate asked.
    pub rules: Rules,
    /// What a person decided.
    pub approval: Approval,
}

/// How the write of a proven change ended.
#[derive(Debug)]
pub enum Acceptance {
    /// It is written, under this evidence.
    Written {
        /// What was written.
        applied: Applied,
        /// The proof on the tree that it was written onto.
        evidence: Box<Evidence>,
    },
    /// Other files had changed, and on the tree as it is now the gate stays closed. Nothing was
    /// written.
    Refused {
        /// The proof on the new tree.
        checked: Box<Checked>,
        /// Why the gate stays closed; never empty.
        refusals: Vec<Refusal>,
        /// What had changed since the first proof.
        moved: Vec<String>,
    },
}

/// Writes a proven change. Where other files changed since its proof, it is proven again on the tree
/// as it is now and goes through the gate again, a bounded number of times.
///
/// # Errors
/// [`RepoError::Moved`] where the tree changes again and again; [`RepoError::Changed`] where a file
/// of the change itself is no longer what the change was made against.
pub fn accept(
    ctx: &Ctx,
    workspace: &Workspace,
    accepted: Accepted,
    options: &ApplyOptions,
) -> Result<Acceptance, Error> {
    let Accepted { mut overlay, mut permit, ladder, rules, approval } = accepted;
    let mut attempt = 1;
    loop {
        let evidence = Box::new(permit.evidence().clone());
        let written =
            workspace.project().apply(ctx, workspace.sandbox(), &overlay, permit, options);
        let moved = match written {
            Ok(applied) => return Ok(Acceptance::Written { applied, evidence }),
            Err(RepoError::Moved { changed }) if attempt < ATTEMPTS => changed,
            Err(error) => return Err(error.into()),
        };
        attempt += 1;
        ctx.progress("proving again", "other files changed meanwhile".to_owned());
        let checked = workspace.prover(ctx)?.prove(ctx, overlay, &ladder, &mut |_| {})?;
        permit = match policy::decide(&rules, checked.evidence.clone(), &approval) {
            Decision::Open(permit) => permit,
            Decision::Closed(refusals) => {
                return Ok(Acceptance::Refused { checked: Box::new(checked), refusals, moved });
            }
        };
        overlay = checked.overlay;
    }
}
