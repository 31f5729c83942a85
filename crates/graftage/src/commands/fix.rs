//! `fix`: runs the search for a repair, shows its progress and result, and writes it if accepted.
//! `finish`, `upgrade`, `refactor` and `demo` print through it.

use std::fmt::Write as _;
use std::sync::Arc;

use agent::{
    Agent, FixOptions, FixOutcome, FixReport, FixResult, LeftRow, PartialChange, ReasonerChoice,
};

use crate::args;
use crate::commands::left_behind::{incomplete, left_behind};
use crate::commands::watch::Watch;
use crate::commands::{model, questions};
use crate::consent::{self, Printed};
use crate::exit::{Failure, Status};
use crate::not_checked::not_checked;
use crate::output::{self, BAD, BOLD, DIM, GOOD, WARN, paint};
use crate::session::Session;

pub(crate) fn run(session: &Session, args: &args::Fix) -> Result<Status, Failure> {
    let reasoners = ReasonerChoice::from(args.reasoner);
    let live =
        args.analyzer.or((reasoners == ReasonerChoice::Analyzer).then_some(args::Live::Live));
    let mut flags = args::Live::settings(live);
    if live == Some(args::Live::Off) {
        flags.push(("fix.analyzer", "never"));
    }
    let scope = args.repair.scope.setting();
    flags.extend(scope.as_ref().map(|(key, value)| (*key, value.as_str())));
    flags.extend(args.model.settings());
    let agent = session.agent(&flags, &args.repair.allow)?;
    let options = FixOptions {
        error: args.error.clone(),
        test: args.test.clone(),
        failing: args.failing_tests,
        tests: args.repair.tests.map(Into::into),
        max_seconds: args.max_seconds,
        reasoners,
        choose: args.choose,
        ..FixOptions::default()
    };
    let options = questions::answering(session, &agent, &args.answering, ("fix", options))?;
    search(session, &agent, options, (&args.repair, &args.answering))
}

impl From<args::FixReasoner> for ReasonerChoice {
    fn from(of: args::FixReasoner) -> Self {
        match of {
            args::FixReasoner::Rules => Self::Rules,
            args::FixReasoner::Analyzer => Self::Analyzer,
            args::FixReasoner::Model => Self::Model,
            args::FixReasoner::All => Self::All,
        }
    }
}

impl From<args::Reasoner> for ReasonerChoice {
    fn from(of: args::Reasoner) -> Self {
        match of {
            args::Reasoner::Rules => Self::Rules,
            args::Reasoner::Analyzer => Self::Analyzer,
            args::Reasoner::All => Self::All,
        }
    }
}

/// The words in which a command reports its result.
#[derive(Clone, Copy)]
pub(crate) struct Wording {
    /// The result, where there is none.
    pub(crate) none: &'static str,
    /// What is written: `repair`.
    pub(crate) change: &'static str,
}

/// The words of `fix` and `finish`.
pub(crate) const REPAIR: Wording = Wording { none: "no repair found", change: "repair" };

/// Maximum number of listed errors, intents or guesses; the others are counted.
pub(crate) const LISTED: usize = 20;

/// Runs the search, prints its result and writes it if accepted.
pub(crate) fn search(
    session: &Session,
    agent: &Agent,
    options: FixOptions,
    (args, answering): (&args::Repair, &args::Answering),
) -> Result<Status, Failure> {
    let mut options = options;
    loop {
        let mut watch = Watch::new(session);
        let args_of_call = serde_json::json!({ "error": options.error, "test": options.test });
        let fixed = project::recorded(
            &session.ctx,
            agent.workspace(),
            "fix",
            args_of_call,
            || agent.fix(&session.ctx, options.clone(), &mut |event| watch.see(event)),
            |fixed| serde_json::json!({ "outcome": fixed.report.outcome }),
        )?;
        session.bar.clear();
        let report = accept(&watch, agent, args, fixed, REPAIR)?;
        let given = &mut options.answers;
        if !questions::ask(session, &answering.given, &report.questions, given)? {
            return Ok(status(&report));
        }
        // What was tried is not tried again.
        let trace = report.trace.as_ref().and_then(|it| agent::read_trace(it.as_ref()).ok());
        options.earlier = trace.map(Arc::new);
    }
}

/// Prints the result, asks the user on a terminal, and writes the repair if accepted.
pub(crate) fn accept(
    watch: &Watch<'_>,
    agent: &Agent,
    args: &args::Repair,
    fixed: FixResult,
    wording: Wording,
) -> Result<FixReport, Failure> {
    let (session, mut fixed) = (watch.session, fixed);
    let describe = |report: &FixReport| {
        let is_shown = watch.has_shown(&report.diff);
        describe(report, wording, is_shown)
    };
    // `--partial` is the request to write it.
    let is_partial = fixed.report.outcome == FixOutcome::Partial;
    let writes = args.apply || is_partial && !session.can_ask();
    let report = if writes && fixed.accepted.is_some() {
        agent.apply(&session.ctx, fixed, args.commit)?
    } else if let Some(accepted) = &mut fixed.accepted
        && session.can_ask()
    {
        output::say(&describe(&fixed.report))?;
        let title = match &fixed.report.partial {
            Some(it) if is_partial => {
                let left = base::counted(it.left.len(), "error");
                format!("! it leaves {left} and is not verified, and no test ran")
            }
            _ => wording.change.to_owned(),
        };
        let pending = accepted.pending(vec![title], "--json");
        let Some(consent) = consent::ask(session, &pending, Printed::Diff)? else {
            return Ok(fixed.report);
        };
        accepted.consent = Some(consent);
        let report = agent.apply(&session.ctx, fixed, args.commit)?;
        output::say(&match &report.id {
            Some(_) if is_partial => describe(&report),
            Some(id) => applied_line(id, &report),
            // The gate refused it on the tree as it is now.
            None => describe(&report),
        })?;
        return Ok(report);
    } else {
        fixed.report
    };
    if session.global.json {
        output::json(&report)?;
    } else {
        output::say(&describe(&report))?;
    }
    Ok(report)
}

pub(crate) fn status(report: &FixReport) -> Status {
    match report.outcome {
        FixOutcome::Applied | FixOutcome::Proven | FixOutcome::Clean => Status::Done,
        FixOutcome::Draft | FixOutcome::Partial | FixOutcome::None => Status::No,
    }
}

/// The line for a tree without errors: clean only if nothing is left to be done.
fn without_errors(left: &[LeftRow]) -> String {
    if left.is_empty() {
        return format!("{}: nothing to fix, cargo check finds no error", paint(GOOD, "clean"));
    }
    let open = match incomplete(left) {
        open if open.is_empty() => {
            let verb = if left.len() == 1 { "is" } else { "are" };
            format!(", {} {verb} left (listed above)", base::counted(left.len(), "place"))
        }
        open => open,
    };
    format!("{}: cargo check finds no error{open}", paint(WARN, "builds"))
}

/// The result as text; without its diff where that was just shown.
pub(crate) fn describe(report: &FixReport, wording: Wording, is_shown: bool) -> String {
    let mut text = String::new();
    match report.outcome {
        FixOutcome::Clean => {
            text.push_str(&left_behind(&report.left_behind, &[]));
            if !report.left_behind.is_empty() {
                text.push_str(&notes(report));
            }
            let _ = writeln!(text, "{}", without_errors(&report.left_behind));
            if let Some(evidence) = &report.evidence {
                text.push_str(&not_checked(&evidence.coverage, false));
            }
            return text;
        }
        FixOutcome::None => {
            let _ = writeln!(text, "{}", paint(BAD, wording.none));
        }
        FixOutcome::Draft => text.push_str(&draft(report)),
        FixOutcome::Proven | FixOutcome::Applied | FixOutcome::Partial => {}
    }
    // A partial change is shown with the errors that it leaves.
    let is_partial = report.outcome == FixOutcome::Partial;
    if !report.diff.is_empty() && !is_shown && !is_partial {
        let _ = writeln!(text, "\n{}", output::diff_without_lock(&report.diff).trim_end());
        text.push('\n');
    }
    if let Some(partial) = &report.partial {
        text.push_str(&unfinished(report, partial));
    }
    for line in &report.rationale {
        let _ = writeln!(text, "  {} {}", paint(BOLD, "why"), output::safe(line));
    }
    text.push_str(&left_behind(&report.left_behind, &report.rationale));
    for guess in agent::same_guesses(&report.guesses).iter().take(LISTED) {
        let sign = if guess.tested() { DIM } else { WARN };
        let _ = writeln!(text, "  {} {}", paint(sign, "guess"), output::safe(&guess.to_string()));
    }
    if let Some(evidence) = &report.evidence {
        let _ = writeln!(text, "{}", proof_line(evidence));
        text.push_str(&indented(&not_checked(&evidence.coverage, false)));
    }
    text.push_str(&model::summary(report));
    text.push_str(&notes(report));
    if matches!(report.outcome, FixOutcome::None | FixOutcome::Draft) {
        text.push_str(&refusals(report));
    }
    text.push_str(&kept(report));
    text.push_str(&questions::listed(report));
    match report.outcome {
        FixOutcome::Applied => {
            text.extend(report.id.as_ref().map(|id| applied_line(id, report)));
        }
        FixOutcome::Proven => {
            let _ = writeln!(
                text,
                "{} after {}{}; nothing was written: `--apply` applies it",
                paint(GOOD, "verified"),
                base::counted(report.candidates_tried, "candidate"),
                incomplete(&report.left_behind),
            );
        }
        _ => {}
    }
    text
}

/// How a change that was not applied is taken later.
fn kept(report: &FixReport) -> String {
    let Some(id) = &report.kept else { return String::new() };
    let line = match report.outcome {
        FixOutcome::Draft => format!("graftage apply {id} takes the draft as it is"),
        FixOutcome::None => format!("graftage apply {id} --partial writes it with the errors left"),
        _ => return String::new(),
    };
    format!("  {}\n", paint(DIM, &line))
}

/// The notes of a report, one line each.
fn notes(report: &FixReport) -> String {
    let line = |note: &String| format!("  {} {}\n", paint(WARN, "note"), output::safe(note));
    report.notes.iter().map(line).collect()
}

/// Describes a draft.
fn draft(report: &FixReport) -> String {
    if !report.choices.is_empty() {
        return choices(report);
    }
    let is_verified = report.evidence.is_some() && report.reason.is_some();
    let why = match report.guesses.is_empty() {
        true if is_verified => "it passes all checks; see the reason below",
        true => "compiles; see the reason below",
        false => "compiles, but no test covers what it guesses",
    };
    format!("{}: {why}; not applied\n", paint(WARN, "draft"))
}

/// Why nothing was verified.
fn refusals(report: &FixReport) -> String {
    let mut text = String::new();
    let guesses = agent::same_guesses(&report.guesses);
    let is_listed = |reason: &String| guesses.iter().any(|it| it.to_string() == *reason);
    if let Some(reason) = report.reason.as_ref().filter(|it| !is_listed(it)) {
        let _ = writeln!(text, "  {}", output::safe(reason));
    }
    let others = report.refused.iter().filter(|it| Some(&it.reason) != report.reason.as_ref());
    for refused in others.take(3) {
        let _ = writeln!(
            text,
            "  {} {}: {}",
            paint(DIM, "refused"),
            output::safe(&first_of(&refused.rationale)),
            output::safe(&refused.reason)
        );
    }
    text
}

/// The first of several lines, with the number of the others.
fn first_of(lines: &[String]) -> String {
    match lines {
        [] => String::new(),
        [one] => one.clone(),
        [first, rest @ ..] => format!("{first} (and {} more)", rest.len()),
    }
}

/// Lists what is done of an in-progress change, and what is left.
fn unfinished(report: &FixReport, partial: &PartialChange) -> String {
    let state = match partial.left.len() {
        left if report.outcome == FixOutcome::Partial => {
            let left = base::counted(left, "error");
            let written = report.id.as_ref().map_or_else(
                || "nothing was written yet".to_owned(),
                |id| format!("written as {id}; `graftage undo` reverts it"),
            );
            format!("{left} left, not verified, and no test ran; {written}")
        }
        0 => "it builds, and tests fail; not applied (`--tests none` runs none)".to_owned(),
        left => format!("{} left; not applied", base::counted(left, "error")),
    };
    let mut text = format!("{}: {state}\n", paint(WARN, "unfinished"));
    let _ = writeln!(text, "\n{}\n", output::diff_without_lock(&partial.diff).trim_end());
    for line in partial.rationale.iter().take(LISTED) {
        let _ = writeln!(text, "  {} {}", paint(BOLD, "why"), output::safe(line));
    }
    let mut left: Vec<(&str, usize)> = Vec::new();
    for line in &partial.left {
        match left.iter_mut().find(|it| it.0 == line) {
            Some(known) => known.1 += 1,
            None => left.push((line, 1)),
        }
    }
    for (line, count) in left.into_iter().take(LISTED) {
        let times = if count > 1 { format!(" ({count} times)") } else { String::new() };
        let _ = writeln!(text, "  {} {}{times}", paint(BAD, "left"), output::safe(line));
    }
    text
}

/// The changes of which the user has to choose one.
fn choices(report: &FixReport) -> String {
    let mut text = format!(
        "{}: {} pass; none is applied without your choice\n",
        paint(WARN, "undecided"),
        base::counted(report.choices.len(), "change")
    );
    for (idx, choice) in report.choices.iter().enumerate() {
        let why = output::safe(&choice.rationale.join("; "));
        let _ = writeln!(text, "\n  {} {why}", paint(BOLD, &format!("{}.", idx + 1)));
        let _ = writeln!(text, "{}", output::diff(&choice.diff).trim_end());
    }
    text.push('\n');
    text
}

fn applied_line(id: &repo::ChangeId, report: &FixReport) -> String {
    let commit =
        report.commit.as_ref().map(|commit| format!(", commit {commit}")).unwrap_or_default();
    let open = incomplete(&report.left_behind);
    format!("{} as {id}{commit}{open}; `graftage undo` reverts it\n", paint(GOOD, "applied"))
}

pub(crate) fn indented(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("  {text}") }
}

/// One line: `proof errors 3 -> 0; parse ok, check ok, 7 tests passed, 0 failed`.
pub(crate) fn proof_line(evidence: &policy::Evidence) -> String {
    let notes = evidence
        .notes
        .iter()
        .map(|note| format!("\n  {} {}", paint(WARN, "note"), output::safe(note)));
    format!(
        "  {} {}{}",
        paint(BOLD, "proof"),
        output::safe(&tools::proof_summary(evidence)),
        notes.collect::<String>()
    )
}
