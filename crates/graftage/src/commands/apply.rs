//! `apply`: verifies the draft of an earlier run, shows it, and writes it.

use agent::TakeOptions;

use crate::args;
use crate::commands::fix::{self, Wording};
use crate::commands::watch::Watch;
use crate::exit::{Failure, Status};
use crate::session::Session;

/// The words of the command.
const DRAFT: Wording = Wording { none: "not applied", change: "draft" };

pub(crate) fn run(session: &Session, args: &args::Apply) -> Result<Status, Failure> {
    let scope = args.scope.setting();
    let flags: Vec<(&str, &str)> =
        scope.as_ref().map(|(key, value)| (*key, value.as_str())).into_iter().collect();
    let agent = session.agent(&flags, &args.allow)?;
    let (run, tests) = (args.run.clone(), args.tests.map(Into::into));
    let options = TakeOptions { run, tests, partial: args.partial };
    let mut watch = Watch::new(session);
    let taken = project::recorded(
        &session.ctx,
        agent.workspace(),
        "apply",
        serde_json::json!({ "run": args.run }),
        || agent.take(&session.ctx, &options, &mut |event| watch.see(event)),
        |taken| serde_json::json!({ "outcome": taken.report.outcome }),
    )?;
    session.bar.clear();
    // On a terminal the change is shown and the user is asked.
    let repair = args::Repair {
        tests: args.tests,
        apply: !session.can_ask(),
        commit: args.commit,
        scope: args.scope.clone(),
        allow: args.allow.clone(),
    };
    let report = fix::accept(&watch, &agent, &repair, taken, DRAFT)?;
    Ok(fix::status(&report))
}
