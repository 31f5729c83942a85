//! Where the rungs run: one view of the tree and one target directory.

use std::cell::OnceCell;

use base::Ctx;
use build::{CargoEnv, CargoEvent, CargoReport, Command};
use policy::Tree;
use repo::Materialised;
use sandbox::View;

use crate::skipped::SkipInputs;
use crate::{CheckError, Scope};

/// The view, target directory and configurations of a run of the ladder.
pub(crate) struct Place<'a> {
    pub(crate) ctx: &'a Ctx,
    pub(crate) env: &'a CargoEnv,
    /// The configurations, each built on every rung.
    pub(crate) scopes: &'a [Scope],
    /// Those that only the check rung builds.
    pub(crate) more: &'a [Scope],
    pub(crate) shown: &'a Materialised,
    /// The tree below the overlay that is shown.
    pub(crate) tree: &'a Tree,
    /// The packages that were prepared before.
    pub(crate) prepared: &'a build::Prepared,
    pub(crate) target: &'a build::warm::TargetMount,
    /// Set if test code that no change can make build may be left out.
    pub(crate) skip_inputs: Option<SkipInputs<'a>>,
    /// The view in which a build may write the source tree, if one had to.
    pub(crate) writable: OnceCell<View>,
}

impl Place<'_> {
    /// Runs cargo on read-only sources. A build that fails because it writes there is repeated with a
    /// throw-away layer over them, as are those after it; [`LadderRun::cargo_rung`] compares what it wrote.
    ///
    /// [`LadderRun::cargo_rung`]: crate::ladder_run::LadderRun::cargo_rung
    pub(crate) fn cargo(
        &self,
        command: &Command,
        on: &mut dyn FnMut(CargoEvent),
    ) -> Result<CargoReport, CheckError> {
        if let Some(view) = self.writable.get() {
            return self.cargo_in(view, command, on);
        }
        let report = self.cargo_in(&self.shown.view, command, on)?;
        if !report.writes_sources() {
            return Ok(report);
        }
        self.let_write()?;
        let again = self.cargo(command, on)?;
        Ok(CargoReport { duration: report.duration + again.duration, ..again })
    }

    /// Lets the builds write into a throw-away layer over the sources.
    pub(crate) fn let_write(&self) -> Result<(), CheckError> {
        let view = self.shown.writable()?;
        self.writable.get_or_init(|| view);
        Ok(())
    }

    fn cargo_in(
        &self,
        view: &View,
        command: &Command,
        on: &mut dyn FnMut(CargoEvent),
    ) -> Result<CargoReport, CheckError> {
        let root = &self.shown.root;
        let mut report = build::run(self.ctx, self.env, view, root, self.target, command, on)?;
        self.prepared.add_to(&mut report);
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
            .chain(self.more)
            .zip(details)
            .map(|(scope, detail)| format!("{scope}: {detail}"))
            .collect();
        named.join("; ")
    }
}
