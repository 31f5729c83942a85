//! `refactor`: a change that begins with words instead of an edit.

use agent::{ReasonerChoice, RelocateOptions, RenameOptions, ReshapeOptions};
use change::{NewPart, PartPlace, Reshape};

use crate::args;
use crate::commands::fix::{self, Watch, Wording};
use crate::exit::{Failure, Status};
use crate::session::Session;

/// The words of `refactor`.
const REFACTORING: Wording = Wording { none: "refused", change: "change" };

pub(crate) fn run(session: &Session, args: &args::Refactor) -> Result<Status, Failure> {
    match args {
        args::Refactor::Rename(args) => rename(session, args),
        args::Refactor::Move(args) => relocate(session, args),
        args::Refactor::AddParameter(args) => {
            let place = args.at.map(PartPlace::At);
            let place = place.or_else(|| args.before.clone().map(PartPlace::Before));
            let place = place.or_else(|| args.after.clone().map(PartPlace::After));
            let new = NewPart { declaration: args.parameter.clone(), value: args.value.clone() };
            reshape(session, &args.item, &Reshape::AddParameter { new, place }, &args.change, RULES)
        }
        args::Refactor::RemoveParameter(args) => {
            let change = Reshape::RemoveParameter { name: args.name.clone() };
            reshape(session, &args.item, &change, &args.change, RULES)
        }
        args::Refactor::Reorder(args) => {
            let change = Reshape::Reorder { names: args.names.clone() };
            reshape(session, &args.item, &change, &args.change, RULES)
        }
        args::Refactor::ChangeType(args) => {
            let change = Reshape::ChangeType { part: None, ty: args.ty.clone() };
            reshape(session, &args.item, &change, &args.change, args.reasoner.into())
        }
        args::Refactor::AddField(args) => {
            let new = NewPart { declaration: args.field.clone(), value: args.value.clone() };
            reshape(session, &args.item, &Reshape::AddField { new }, &args.change, RULES)
        }
    }
}

/// What completes a change whose words leave something open.
const RULES: ReasonerChoice = ReasonerChoice::Rules;

fn reshape(
    session: &Session,
    item: &str,
    change: &Reshape,
    args: &args::Change,
    reasoners: ReasonerChoice,
) -> Result<Status, Failure> {
    let scope = args.repair.scope.setting();
    let mut flags = Vec::new();
    if reasoners == ReasonerChoice::Rules {
        flags.push(("fix.analyzer", "never"));
    }
    flags.extend(scope.as_ref().map(|(key, value)| (*key, value.as_str())));
    let workspace = session.workspace_with(&flags)?;
    let options = ReshapeOptions {
        tests: args.repair.tests.map(Into::into),
        max_seconds: args.max_seconds,
        reasoners,
        approval: session.approval(&args.repair.allow, None),
    };
    let mut watch = Watch::new(session);
    let on = &mut |event: &agent::FixEvent| watch.see(event);
    let fixed = agent::reshape(&session.ctx, &workspace, (item, change), &options, on)?;
    session.bar.clear();
    let report = fix::accept(session, &workspace, &args.repair, fixed, REFACTORING)?;
    Ok(fix::status(&report))
}

fn relocate(session: &Session, args: &args::Move) -> Result<Status, Failure> {
    let repair = &args.change.repair;
    let scope = repair.scope.setting();
    let mut flags = vec![("fix.analyzer", "never")];
    flags.extend(scope.as_ref().map(|(key, value)| (*key, value.as_str())));
    let workspace = session.workspace_with(&flags)?;
    let options = RelocateOptions {
        tests: repair.tests.map(Into::into),
        max_seconds: args.change.max_seconds,
        approval: session.approval(&repair.allow, None),
    };
    let mut watch = Watch::new(session);
    let request = (args.item.as_str(), args.module.as_str());
    let on = &mut |event: &agent::FixEvent| watch.see(event);
    let moved = agent::relocate(&session.ctx, &workspace, request, &options, on)?;
    session.bar.clear();
    let report = fix::accept(session, &workspace, repair, moved, REFACTORING)?;
    Ok(fix::status(&report))
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
