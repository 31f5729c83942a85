//! `refactor`: a change that begins with words instead of an edit.

use agent::RenameOptions;

use crate::args;
use crate::commands::fix::{self, Watch, Wording};
use crate::exit::{Failure, Status};
use crate::session::Session;

/// The words of `refactor`.
const REFACTORING: Wording = Wording { none: "refused", change: "change" };

pub(crate) fn run(session: &Session, args: &args::Refactor) -> Result<Status, Failure> {
    match args {
        args::Refactor::Rename(args) => rename(session, args),
    }
}

fn rename(session: &Session, args: &args::Rename) -> Result<Status, Failure> {
    let scope = args.repair.scope.setting();
    let mut flags = vec![("fix.analyzer", "never")];
    flags.extend(scope.as_ref().map(|(key, value)| (*key, value.as_str())));
    let workspace = session.workspace_with(&flags)?;
    let options = RenameOptions {
        tests: args.repair.tests.map(Into::into),
        max_seconds: args.max_seconds,
        approval: session.approval(&args.repair.allow, None),
    };
    let mut watch = Watch::new(session);
    let names = (args.item.as_str(), args.name.as_str());
    let on = &mut |event: &agent::FixEvent| watch.see(event);
    let renamed = agent::rename(&session.ctx, &workspace, names, &options, on)?;
    session.bar.clear();
    let report = fix::accept(session, &workspace, &args.repair, renamed, REFACTORING)?;
    Ok(fix::status(&report))
}
