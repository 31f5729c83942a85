//! `upgrade` of a dependency: the change of its version, and the repair of what that breaks.

use base::Ctx;
use project::Workspace;
use repo::CommitMessage;
use tools::Upgrade;

use crate::{AgentError, FixEvent, FixOptions, FixOutcome, FixResult};

/// An upgrade that has started: its version is chosen, and nothing is written.
#[derive(Clone, Debug)]
pub struct UpgradeStart {
    /// The change of manifests and lock file.
    pub upgrade: Upgrade,
    /// The features that the check is built with because they enable the dependency.
    pub features: Vec<String>,
}

/// Chooses the version of an upgrade (`None`: the newest), and the scope of its checks: where the check would
/// not build the dependency, `open` opens the project with a scope (`check.scope`) that enables it, unless the
/// settings choose features. Returns the workspace to repair in.
///
/// # Errors
/// As [`tools::upgrade`]; a project that cannot be opened again.
pub fn begin_upgrade<E: From<AgentError>>(
    ctx: &Ctx,
    workspace: Workspace,
    (package, version): (&str, Option<&str>),
    open: &dyn Fn(&str) -> Result<Workspace, E>,
) -> Result<(Workspace, UpgradeStart), E> {
    let upgrade = tools::upgrade(ctx, &workspace, package, version)?;
    let scope = &workspace.settings().check_scope;
    if upgrade.features.is_empty() || scope.all_features || !scope.features.is_empty() {
        return Ok((workspace, UpgradeStart { upgrade, features: Vec::new() }));
    }
    let features = upgrade.features.clone();
    let scope = check::Scope { features: features.clone(), ..scope.clone() };
    let workspace = open(&scope.to_string())?;
    Ok((workspace, UpgradeStart { upgrade, features }))
}

/// Repairs what another version of a dependency breaks. On platforms that were not built the result is a
/// draft, unless `accept` is set.
///
/// # Errors
/// As [`crate::fix`].
pub(crate) fn upgrade_dependency(
    ctx: &Ctx,
    workspace: &Workspace,
    (start, accept): (UpgradeStart, bool),
    options: FixOptions,
    on: &mut dyn FnMut(&FixEvent),
) -> Result<FixResult, AgentError> {
    let Upgrade { package, from, to, overlay, libraries, platforms, .. } = start.upgrade;
    let options = FixOptions { begin: Some(overlay), is_own: true, libraries, ..options };
    let mut fixed = crate::fix(ctx, workspace, &options, on)?;
    let message = CommitMessage {
        kind: "build".to_owned(),
        scope: Some("deps".to_owned()),
        summary: format!("upgrade {package} from {from} to {to}"),
        body: fixed.report.rationale.clone(),
    };
    fixed.message = Some(message.fitted());
    withhold_unbuilt(&mut fixed, &package, &platforms, accept);
    Ok(fixed)
}

/// Makes a draft of an upgrade on platforms that were not built, unless the user accepts that.
fn withhold_unbuilt(fixed: &mut FixResult, package: &str, platforms: &[String], accept: bool) {
    if platforms.is_empty() {
        return;
    }
    let note = format!("`{package}` was not built for {}", platforms.join(", "));
    if !accept && fixed.accepted.take().is_some() {
        fixed.report.outcome = FixOutcome::Draft;
        fixed.report.reason = Some(format!(
            "{note}: `--target TRIPLE` builds it, or `--accept-warnings` applies it without"
        ));
    }
    fixed.report.notes.push(note);
}
