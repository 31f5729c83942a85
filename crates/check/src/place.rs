//! Where the rungs of a climb run: one view of the tree and one target directory.

use std::path::Path;

use base::Ctx;
use cargo::{CargoEnv, Command, Event, Report, Workspace};
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
    /// The place of a climb.
    pub(crate) fn place<'a>(
        &'a self,
        ctx: &'a Ctx,
        shown: &'a Materialised,
        target: &'a cargo::warm::TargetMount,
        excuses: Option<Excuses<'a>>,
    ) -> Place<'a> {
        let (view, root) = (&shown.view, shown.root.as_path());
        Place { ctx, env: &self.env, scopes: &self.scopes, view, root, target, excuses }
    }

    /// What may be left out of a climb of `overlay` on `tree`; `None`: nothing.
    pub(crate) fn excuses<'a>(
        &'a self,
        ladder: &Ladder,
        workspace: Option<&'a Workspace>,
        tree: &'a Tree,
        overlay: &'a Overlay,
    ) -> Option<Excuses<'a>> {
        let workspace = workspace.filter(|_| ladder.excuse)?;
        Some(Excuses { files: &self.project, workspace, tree, overlay })
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
