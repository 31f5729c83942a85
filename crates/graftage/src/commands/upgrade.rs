//! `upgrade`: `fix` of what another version of a dependency, or another edition, breaks.

use agent::{FixOptions, FixOutcome, FixResult, ReasonerChoice};
use project::Workspace;
use repo::CommitMessage;

use crate::args;
use crate::commands::fix::{self, Wording};
use crate::commands::watch::Watch;
use crate::exit::{Failure, Status};
use crate::output::{self, DIM, paint};
use crate::session::Session;

/// The words of `upgrade`.
const UPGRADE: Wording = Wording { none: "not upgraded", change: "upgrade" };

pub(crate) fn run(session: &Session, args: &args::Upgrade) -> Result<Status, Failure> {
    let scope = args.repair.scope.setting();
    let reasoners = ReasonerChoice::from(args.reasoner);
    let mut flags = Vec::new();
    if reasoners == ReasonerChoice::Rules {
        flags.push(("fix.analyzer", "never"));
    }
    flags.extend(scope.as_ref().map(|(key, value)| (*key, value.as_str())));
    let workspace = session.workspace_with(&flags)?;
    if let Some(edition) = &args.edition {
        return migrate(session, &workspace, args, edition);
    }
    let dependency = args.dependency.as_deref().unwrap_or_default();
    let (package, version) = match dependency.split_once('@') {
        Some((package, version)) => (package, Some(version)),
        None => (dependency, None),
    };
    let upgrade = tools::upgrade(&session.ctx, &workspace, package, version)?;
    let workspace = with_features(session, workspace, &flags, &upgrade.features)?;
    session.bar.clear();
    if !session.global.json && !session.global.quiet {
        let line = format!("  {} {} -> {}", upgrade.package, upgrade.from, upgrade.to);
        output::note(&paint(DIM, &output::safe(&line)));
        for note in &upgrade.notes {
            output::note(&paint(DIM, &format!("  {}", output::safe(note))));
        }
    }
    let options = FixOptions {
        tests: args.repair.tests.map(Into::into),
        max_seconds: args.max_seconds,
        begin: Some(upgrade.overlay),
        libraries: upgrade.libraries,
        reasoners,
        approval: session.approval(&args.repair.allow, None),
        ..FixOptions::default()
    };
    let mut watch = Watch::new(session);
    let mut fixed = agent::fix(&session.ctx, &workspace, &options, &mut |event| watch.see(event))?;
    session.bar.clear();
    let message = CommitMessage {
        kind: "build".to_owned(),
        scope: Some("deps".to_owned()),
        summary: format!("upgrade {} from {} to {}", upgrade.package, upgrade.from, upgrade.to),
        body: fixed.report.rationale.clone(),
    };
    fixed.message = Some(message.fitted());
    withhold_unbuilt(&mut fixed, &upgrade.package, &upgrade.platforms, args.accept_warnings);
    let report = fix::accept(&watch, &workspace, &args.repair, fixed, UPGRADE)?;
    Ok(fix::status(&report))
}

/// The workspace with the features that enable the dependency where the check would not build it, unless
/// the user or the settings choose features.
fn with_features(
    session: &Session,
    workspace: Workspace,
    flags: &[(&str, &str)],
    features: &[String],
) -> Result<Workspace, Failure> {
    let scope = &workspace.settings().check_scope;
    if features.is_empty() || scope.all_features || !scope.features.is_empty() {
        return Ok(workspace);
    }
    let scope = check::Scope { features: features.to_vec(), ..scope.clone() };
    if !session.global.json && !session.global.quiet {
        let line = format!("  built with {}, which enable it", features.join(", "));
        output::note(&paint(DIM, &output::safe(&line)));
    }
    let scope = scope.to_string();
    let mut all = flags.to_vec();
    all.retain(|(key, _)| *key != "check.scope");
    all.push(("check.scope", &scope));
    session.workspace_with(&all)
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

/// Migrates the workspace to an edition.
fn migrate(
    session: &Session,
    workspace: &Workspace,
    args: &args::Upgrade,
    edition: &str,
) -> Result<Status, Failure> {
    let options = FixOptions {
        tests: args.repair.tests.map(Into::into),
        max_seconds: args.max_seconds,
        reasoners: ReasonerChoice::from(args.reasoner),
        approval: session.approval(&args.repair.allow, None),
        ..FixOptions::default()
    };
    let mut watch = Watch::new(session);
    let request = (edition, args.accept_warnings);
    let fixed = agent::upgrade_edition(&session.ctx, workspace, request, &options, &mut |event| {
        watch.see(event);
    })?;
    session.bar.clear();
    let report = fix::accept(&watch, workspace, &args.repair, fixed, UPGRADE)?;
    Ok(fix::status(&report))
}
