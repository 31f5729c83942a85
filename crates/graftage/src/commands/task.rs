//! `task`: a change in a person's words, by rules where they understand it, else by a language model.

use std::path::Path;

use agent::{Advanced, Agent, AgentLimits, FixOutcome, FixReport, Plan, read_plan, write_plan};
use serde::Serialize;

use crate::args;
use crate::commands::fix::{self, Wording};
use crate::commands::plan;
use crate::commands::watch::Watch;
use crate::exit::{Failure, Status};
use crate::output::{self, BOLD, DIM, paint};
use crate::session::{Session, read_request};

/// The words of `task`.
const TASK: Wording = Wording { none: "no change found", change: "change" };

/// The result of `task`, as `--json` prints it.
#[derive(Serialize)]
struct TaskReport<'a> {
    #[serde(flatten)]
    report: &'a FixReport,
    plan: &'a Plan,
    /// The request for a model of the user's own, where none is configured.
    #[serde(skip_serializing_if = "Option::is_none")]
    prompt: Option<&'a str>,
}

pub(crate) fn run(session: &Session, args: &args::Task) -> Result<Status, Failure> {
    let scope = args.repair.scope.setting();
    let mut flags: Vec<(&str, &str)> = args.model.settings().collect();
    flags.extend(scope.as_ref().map(|(key, value)| (*key, value.as_str())));
    let agent = session.agent(&flags, &args.repair.allow)?;
    let tests = args.repair.tests.map(Into::into);
    let limits = AgentLimits { tests, max_seconds: args.max_seconds };
    let folder = agent.workspace().project().state_dir();
    let mut plan = match (&args.resume, &args.task) {
        (Some(id), _) => read_plan(&session.ctx, &folder, id)?,
        (None, Some(text)) => {
            let goal = goal(text)?;
            agent.plan(&session.ctx, &goal, limits)?
        }
        (None, None) => {
            return Err(Failure::input(
                "no task is given".to_owned(),
                "pass a text or a file, or `--resume ID`",
            ));
        }
    };
    if args.plan {
        session.bar.clear();
        show_plan(session, &folder, &plan)?;
        return Ok(Status::Done);
    }
    steps(session, &agent, &mut plan, limits, args)
}

/// Takes the plan as far as it goes: after each change that was written, the next one.
fn steps(
    session: &Session,
    agent: &Agent,
    plan: &mut Plan,
    limits: AgentLimits,
    args: &args::Task,
) -> Result<Status, Failure> {
    let folder = agent.workspace().project().state_dir();
    let mut watch = Watch::new(session);
    loop {
        let advanced = {
            let on = &mut |event: &agent::FixEvent| watch.see(event);
            agent.advance(&session.ctx, plan, limits, on)
        };
        session.bar.clear();
        write_plan(&session.ctx, &folder, plan)?;
        let Some(Advanced { fixed, prompt }) = advanced? else {
            show_plan(session, &folder, plan)?;
            return Ok(Status::Done);
        };
        let report = if session.global.json {
            let report = match args.repair.apply {
                true => agent.apply(&session.ctx, fixed, args.repair.commit)?,
                false => fixed.report,
            };
            settle(plan, &report);
            let is_last = report.outcome != FixOutcome::Applied || plan.is_done();
            if is_last {
                output::json(&TaskReport { report: &report, plan, prompt: prompt.as_deref() })?;
            }
            report
        } else {
            let report = fix::accept(&watch, agent, &args.repair, fixed, TASK)?;
            settle(plan, &report);
            report
        };
        write_plan(&session.ctx, &folder, plan)?;
        if report.outcome == FixOutcome::Applied && !plan.is_done() {
            continue;
        }
        if !session.global.json {
            if let Some(prompt) = &prompt {
                output::say(&prepared(prompt))?;
            }
            if plan.subgoals.len() > 1 || !plan.is_done() {
                show_plan(session, &folder, plan)?;
            }
        }
        return Ok(fix::status(&report));
    }
}

/// The text of the task: that of a file where there is one of this name.
fn goal(text: &str) -> Result<String, Failure> {
    let path = std::path::Path::new(text);
    let is_file = text == "-" || (!text.contains('\n') && text.len() < 4_096 && path.is_file());
    let goal = if is_file { read_request(path)? } else { text.to_owned() };
    match goal.trim().is_empty() {
        true => Err(Failure::input("the task is empty".to_owned(), "describe the change")),
        false => Ok(goal),
    }
}

fn settle(plan: &mut Plan, report: &FixReport) {
    if report.outcome == FixOutcome::Applied {
        plan.applied();
    }
}

/// The request for a model of the user's own.
fn prepared(prompt: &str) -> String {
    format!(
        "\n{}\n\n{}\n{}\n",
        paint(BOLD, "request for a model of your own:"),
        output::safe(prompt).trim_end(),
        paint(
            DIM,
            "check its answer with `graftage check --overlay -`, apply it with `graftage edit apply -`"
        ),
    )
}

/// Stores and prints a plan.
fn show_plan(session: &Session, folder: &Path, plan: &Plan) -> Result<(), Failure> {
    let stored = write_plan(&session.ctx, folder, plan)?;
    if session.global.json {
        return output::json(plan);
    }
    let mut text = plan::tree(&stored);
    if plan.tokens > 0 {
        text.push_str(&format!("{} tokens, ${:.4}\n", plan.tokens, plan.cost));
    }
    if !plan.is_done() {
        let how = format!("`graftage task --resume {}` continues", plan.id);
        text.push_str(&format!("{}\n", paint(DIM, &how)));
    }
    output::say(&text)
}
