//! `refactor`: a change that begins with words instead of an edit.

use agent::{AgentError, AgentLimits, FixEvent, FixResult, ReasonerChoice, RefactorOptions};
use project::Workspace;
use refactor::{NewPart, PartPlace, Reshape};

use crate::args_refactor as args;
use crate::commands::fix::{self, Wording};
use crate::commands::watch::Watch;
use crate::exit::{Failure, Status};
use crate::session::Session;

/// The words of `refactor`.
const REFACTORING: Wording = Wording { none: "refused", change: "change" };

pub(crate) fn run(session: &Session, args: &args::Refactor) -> Result<Status, Failure> {
    match args {
        args::Refactor::Rename(args) => rename(session, args),
        args::Refactor::Move(args) => relocate(session, args),
        args::Refactor::Inline(args) => inline(session, args),
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
    let asks_analyzer = reasoners != ReasonerChoice::Rules;
    run_change(session, args, asks_analyzer, &|workspace, options, on| {
        agent::reshape(&session.ctx, workspace, (item, change), options, reasoners, on)
    })
}

fn relocate(session: &Session, args: &args::Move) -> Result<Status, Failure> {
    let request = (args.item.as_str(), args.module.as_str());
    run_change(session, &args.change, false, &|workspace, options, on| {
        agent::relocate(&session.ctx, workspace, request, options, on)
    })
}

fn inline(session: &Session, args: &args::Inline) -> Result<Status, Failure> {
    let request = (args.item.as_str(), args.keep);
    run_change(session, &args.change, false, &|workspace, options, on| {
        agent::inline(&session.ctx, workspace, request, options, on)
    })
}

fn rename(session: &Session, args: &args::Rename) -> Result<Status, Failure> {
    let names = (args.item.as_str(), args.name.as_str());
    run_change(session, &args.change, false, &|workspace, options, on| {
        agent::rename(&session.ctx, workspace, names, options, on)
    })
}

/// One of the changes of the agent.
type Run<'a> = &'a dyn Fn(
    &Workspace,
    &RefactorOptions,
    &mut dyn FnMut(&FixEvent),
) -> Result<FixResult, AgentError>;

/// Runs a change, and shows or applies it as `fix` does.
fn run_change(
    session: &Session,
    args: &args::Change,
    asks_analyzer: bool,
    run: Run<'_>,
) -> Result<Status, Failure> {
    let repair = &args.repair;
    let scope = repair.scope.setting();
    let mut flags = Vec::new();
    if !asks_analyzer {
        flags.push(("fix.analyzer", "never"));
    }
    flags.extend(scope.as_ref().map(|(key, value)| (*key, value.as_str())));
    let agent = session.agent(&flags, &repair.allow)?;
    let tests = repair.tests.map(Into::into);
    let options = agent.refactoring(AgentLimits { tests, max_seconds: args.max_seconds });
    let mut watch = Watch::new(session);
    let changed = run(agent.workspace(), &options, &mut |event| watch.see(event))?;
    session.bar.clear();
    let report = fix::accept(&watch, &agent, repair, changed, REFACTORING)?;
    Ok(fix::status(&report))
}
