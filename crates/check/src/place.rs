//! Where the rungs of a climb run: one view of the tree and one target directory.

use std::path::Path;

use base::Ctx;
use cargo::{CargoEnv, Command, Event, Report};
use edit::Overlay;
use policy::Tree;
use repo::Materialised;
use sandbox::View;

use crate::excuse::Excuses;
use crate::prover::Prover;
use crate::{CheckError, Ladder, Scope};

/// The view, target directory and configurations of a climb.
pub(crate) struct Place<'a> {
    pub(crate) ctx: &'a Ctx,
    pub(crate) env: &'a CargoEnv,
    /// The configurations, each built on every rung.
    pub(crate) scopes: &'a [Scope],
    pub(crate) view: &'a View,
    pub(crate) root: &'a Path,
    pub(crate) target: &'a cargo::warm::TargetMount,
    /// Set if test code that no change can make build may be left out.
    pub(crate) excuses: Option<Excuses<'a>>,
}

impl Prover {
    /// The place of a climb of `overlay` on `tree`.
    pub(crate) fn place<'a>(
        &'a self,
        ctx: &'a Ctx,
        ladder: &Ladder,
        shown: &'a Materialised,
        target: &'a cargo::warm::TargetMount,
        tree: &'a Tree,
        overlay: &'a Overlay,
    ) -> Place<'a> {
        let excuses = Excuses { files: &self.project, tree, overlay };
        Place {
            ctx,
            env: &self.env,
            scopes: &self.scopes,
            view: &shown.view,
            root: &shown.root,
            target,
            excuses: ladder.excuse.then_some(excuses),
        }
    }
}

impl Place<'_> {
    pub(crate) fn cargo(
        &self,
        command: &Command,
        on: &mut dyn FnMut(Event),
    ) -> Result<Report, CheckError> {
        let report =
            cargo::run(self.ctx, self.env, self.view, self.root, self.target, command, on)?;
        if report.cancelled {
            return Err(CheckError::Cancelled(base::Cancelled));
        }
        Ok(report)
    }

    /// Joins details; several are prefixed with their configurations.
    pub(crate) fn by_scope(&self, details: &[String]) -> String {
        if let [detail] = details {
            return detail.clone();
        }
        let named: Vec<String> = self
            .scopes
            .iter()
            .zip(details)
            .map(|(scope, detail)| format!("{scope}: {detail}"))
            .collect();
        named.join("; ")
    }
}
