//! `upgrade`: `fix` of what another version of a dependency, or another edition, breaks.

use agent::{Agent, AgentError, FixEvent, FixOptions, FixResult, ReasonerChoice, UpgradeStart};

use crate::args;
use crate::commands::fix::{self, Wording};
use crate::commands::questions;
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
        let agent = session.agent_of(workspace, &args.repair.allow);
        return repair(session, &agent, args, &|options, on| {
            agent.migrate(&session.ctx, (edition, args.accept_warnings), options, on)
        });
    }
    let dependency = args.dependency.as_deref().unwrap_or_default();
    let (package, version) = match dependency.split_once('@') {
        Some((package, version)) => (package, Some(version)),
        None => (dependency, None),
    };
    let open = |scope: &str| {
        let mut all = flags.clone();
        all.retain(|(key, _)| *key != "check.scope");
        all.push(("check.scope", scope));
        session.workspace_with(&all)
    };
    let chosen = agent::begin_upgrade(&session.ctx, workspace, (package, version), &open)?;
    let (workspace, start) = chosen;
    let agent = session.agent_of(workspace, &args.repair.allow);
    session.bar.clear();
    if !session.global.json && !session.global.quiet {
        for line in opening(&start) {
            output::note(&paint(DIM, &format!("  {}", output::safe(&line))));
        }
    }
    repair(session, &agent, args, &|options, on| {
        let request = (start.clone(), args.accept_warnings);
        agent.upgrade(&session.ctx, request, options, on)
    })
}

/// A change of a version, or to an edition.
type Run<'a> = &'a dyn Fn(FixOptions, &mut dyn FnMut(&FixEvent)) -> Result<FixResult, AgentError>;

/// Runs an upgrade, and shows or applies it as `fix` does.
fn repair(
    session: &Session,
    agent: &Agent,
    args: &args::Upgrade,
    run: Run<'_>,
) -> Result<Status, Failure> {
    let mut options = FixOptions {
        tests: args.repair.tests.map(Into::into),
        max_seconds: args.max_seconds,
        reasoners: ReasonerChoice::from(args.reasoner),
        ..FixOptions::default()
    };
    questions::add_answers(&args.answers, &mut options.answers)?;
    loop {
        let mut watch = Watch::new(session);
        let fixed = run(options.clone(), &mut |event| watch.see(event))?;
        session.bar.clear();
        let report = fix::accept(&watch, agent, &args.repair, fixed, UPGRADE)?;
        let given = &mut options.answers;
        if !questions::ask(session, &args.answers, &report.questions, given)? {
            return Ok(fix::status(&report));
        }
    }
}

/// What an upgrade begins with, one line each.
fn opening(start: &UpgradeStart) -> Vec<String> {
    let upgrade = &start.upgrade;
    let mut lines = vec![format!("{} {} -> {}", upgrade.package, upgrade.from, upgrade.to)];
    lines.extend(upgrade.notes.iter().cloned());
    if !start.features.is_empty() {
        lines.push(format!("built with {}, which enable it", start.features.join(", ")));
    }
    lines
}
