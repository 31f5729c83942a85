//! Where the rungs of a climb run: one view of the tree and one target directory.

use std::path::Path;

use base::Ctx;
use cargo::{CargoEnv, Command, Event, Report};
use sandbox::View;

use crate::excuse::Excuses;
use crate::{CheckError, Scope};

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
