//! `refactor`: a change that begins with words instead of an edit.

use agent::{AgentError, AgentLimits, FixEvent, FixResult, ReasonerChoice, RefactorOptions};
use project::Workspace;
use refactor::{NewPart, PartPlace, Reshape};

use crate::args::GivenAnswers;
use crate::args_refactor as args;
use crate::commands::fix::{self, Wording};
use crate::commands::questions;
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
            let change = Reshape::AddParameter { new, place };
            let common = (&args.change, Some(&args.answers));
            reshape(session, (&args.item, &change), common, RULES)
        }
        args::Refactor::RemoveParameter(args) => {
            let change = Reshape::RemoveParameter { name: args.name.clone() };
            reshape(session, (&args.item, &change), (&args.change, None), RULES)
        }
        args::Refactor::Reorder(args) => {
            let change = Reshape::Reorder { names: args.names.clone() };
            reshape(session, (&args.item, &change), (&args.change, None), RULES)
        }
        args::Refactor::ChangeType(args) => {
            let change = Reshape::ChangeType { part: None, ty: args.ty.clone() };
            let common = (&args.change, Some(&args.answers));
            reshape(session, (&args.item, &change), common, args.reasoner.into())
        }
        args::Refactor::AddField(args) => {
            let new = NewPart { declaration: args.field.clone(), value: args.value.clone() };
            let common = (&args.change, Some(&args.answers));
            reshape(session, (&args.item, &Reshape::AddField { new }), common, RULES)
        }
    }
}

/// What completes a change whose words leave something open.
const RULES: ReasonerChoice = ReasonerChoice::Rules;

fn reshape(
    session: &Session,
    (item, change): (&str, &Reshape),
    common: Common<'_>,
    reasoners: ReasonerChoice,
) -> Result<Status, Failure> {
    let asks_analyzer = reasoners != ReasonerChoice::Rules;
    run_change(session, common, asks_analyzer, &|workspace, options, on| {
        agent::reshape(&session.ctx, workspace, (item, change), options, reasoners, on)
    })
}

fn relocate(session: &Session, args: &args::Move) -> Result<Status, Failure> {
    let request = (args.item.as_str(), args.module.as_str());
    run_change(session, (&args.change, None), false, &|workspace, options, on| {
        agent::relocate(&session.ctx, workspace, request, options, on)
    })
}

fn inline(session: &Session, args: &args::Inline) -> Result<Status, Failure> {
    let request = (args.item.as_str(), args.keep);
    run_change(session, (&args.change, None), false, &|workspace, options, on| {
        agent::inline(&session.ctx, workspace, request, options, on)
    })
}

fn rename(session: &Session, args: &args::Rename) -> Result<Status, Failure> {
    let names = (args.item.as_str(), args.name.as_str());
    run_change(session, (&args.change, None), false, &|workspace, options, on| {
        agent::rename(&session.ctx, workspace, names, options, on)
    })
}

/// One of the changes of the agent.
type Run<'a> = &'a dyn Fn(
    &Workspace,
    &RefactorOptions,
    &mut dyn FnMut(&FixEvent),
) -> Result<FixResult, AgentError>;

/// The options of a change, and the answers to what it leaves open, where it may.
type Common<'a> = (&'a args::Change, Option<&'a GivenAnswers>);

/// Runs a change, and shows or applies it as `fix` does.
fn run_change(
    session: &Session,
    (args, answers): Common<'_>,
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
    let mut options = agent.refactoring(AgentLimits { tests, max_seconds: args.max_seconds });
    if let Some(answers) = answers {
        questions::add_answers(answers, &mut options.answers)?;
    }
    loop {
        let mut watch = Watch::new(session);
        let changed = run(agent.workspace(), &options, &mut |event| watch.see(event))?;
        session.bar.clear();
        let report = fix::accept(&watch, &agent, repair, changed, REFACTORING)?;
        let given = &mut options.answers;
        let Some(answers) = answers else { return Ok(fix::status(&report)) };
        if !questions::ask(session, answers, &report.questions, given)? {
            return Ok(fix::status(&report));
        }
    }
}
