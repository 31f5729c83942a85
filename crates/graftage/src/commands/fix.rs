use std::fmt::Write as _;

use agent::{Event, FixOptions, FixReport, Fixed, Outcome, Reasoners};
use tools::Workspace;

use crate::args;
use crate::commands::check::left_out;
use crate::exit::{Failure, Status};
use crate::output::{self, BAD, BOLD, DIM, GOOD, WARN, paint};
use crate::session::{Session, ask};

pub(crate) fn run(session: &Session, args: &args::Fix) -> Result<Status, Failure> {
    let reasoners = match args.reasoner {
        args::Reasoner::Rules => Reasoners::Rules,
        args::Reasoner::Analyzer => Reasoners::Analyzer,
        args::Reasoner::All => Reasoners::All,
    };
    let live = args.analyzer.or((reasoners == Reasoners::Analyzer).then_some(args::Live::Live));
    let mut flags = args::Live::settings(live);
    if live == Some(args::Live::Off) {
        flags.push(("fix.analyzer", "never"));
    }
    let scope = args.scope.setting();
    flags.extend(scope.as_ref().map(|(key, value)| (*key, value.as_str())));
    let workspace = session.workspace_with(&flags)?;
    let options = FixOptions {
        error: args.error.clone(),
        test: args.test.clone(),
        tests: args.tests.map(Into::into),
        max_seconds: args.max_seconds,
        reasoners,
        approval: session.approval(&args.allow, None),
    };

    let mut watch = Watch::new(session);
    let fixed = agent::fix(&session.ctx, &workspace, &options, &mut |event| watch.see(event))?;
    session.bar.clear();
    let report = finish(session, &workspace, args, fixed)?;
    Ok(status(&report))
}

/// Shows the answer, asks where somebody can be asked, writes where that was the answer.
fn finish(
    session: &Session,
    workspace: &Workspace,
    args: &args::Fix,
    fixed: Fixed,
) -> Result<FixReport, Failure> {
    let proven = fixed.accepted.is_some();
    let report = if args.apply && proven {
        agent::apply(&session.ctx, workspace, fixed, args.commit)?
    } else if proven && session.can_ask() {
        output::say(&describe(&fixed.report))?;
        if !ask("apply it? [y/N] ")? {
            return Ok(fixed.report);
        }
        let report = agent::apply(&session.ctx, workspace, fixed, args.commit)?;
        output::say(&applied_line(&report))?;
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

fn status(report: &FixReport) -> Status {
    match report.outcome {
        Outcome::Applied | Outcome::Proven | Outcome::Clean => Status::Done,
        Outcome::Draft | Outcome::None => Status::No,
    }
}

/// Says on standard error what is going on.
pub(crate) struct Watch<'a> {
    session: &'a Session,
    /// The headline of the error that was shown last: those that say the same share it.
    headline: String,
    /// How many errors were told of.
    errors: usize,
}

/// How many errors are listed; the rest is counted.
const LISTED: usize = 20;

impl<'a> Watch<'a> {
    pub(crate) fn new(session: &'a Session) -> Self {
        Self { session, headline: String::new(), errors: 0 }
    }

    pub(crate) fn see(&mut self, event: &Event) {
        if self.session.global.json || self.session.global.quiet {
            return;
        }
        match event {
            Event::Seed { diagnostic } => self.seed(diagnostic),
            event => {
                if self.errors > LISTED {
                    self.session.bar.clear();
                    output::note(&format!("… and {} more", self.errors - LISTED));
                    self.errors = 0;
                }
                watch(self.session, event);
            }
        }
    }

    fn seed(&mut self, row: &tools::DiagnosticRow) {
        self.errors += 1;
        if self.errors > LISTED {
            return;
        }
        self.session.bar.clear();
        let text = output::diagnostic(row);
        let (headline, place) = text.split_once('\n').unwrap_or((&text, ""));
        if headline != self.headline || place.is_empty() {
            output::note(headline);
            self.headline = headline.to_owned();
        }
        if !place.is_empty() {
            output::note(place);
        }
    }
}

fn watch(session: &Session, event: &Event) {
    match event {
        Event::Trying { number, rationale } if session.global.verbose => {
            session.bar.clear();
            for line in rationale {
                output::note(&paint(DIM, &format!("  candidate {number}: {}", output::safe(line))));
            }
        }
        Event::Judged { number, builds, errors, first_error, refused } => {
            if !builds && !session.global.verbose {
                return; // There may be many; the progress line counts them.
            }
            let verdict = match (builds, refused) {
                (true, Some(reason)) => format!("builds, refused: {}", output::safe(reason)),
                (true, None) => paint(GOOD, "builds"),
                (false, _) => format!("{} left", output::counted(*errors, "error")),
            };
            let first = first_error.as_ref().filter(|_| session.global.verbose && !builds);
            let first = first.map(|first| format!(", first {}", output::safe(first)));
            session.bar.clear();
            let line = format!("  candidate {number}: {verdict}{}", first.unwrap_or_default());
            output::note(&paint(DIM, &line));
        }
        Event::Seed { .. } | Event::Entered { .. } | Event::Trying { .. } => {}
    }
}

/// The whole answer for a person.
pub(crate) fn describe(report: &FixReport) -> String {
    let mut text = String::new();
    match report.outcome {
        Outcome::Clean => {
            let clean = paint(GOOD, "clean");
            let _ = writeln!(text, "{clean}: nothing to fix, cargo check finds no error");
            if let Some(evidence) = &report.evidence {
                text.push_str(&left_out(&evidence.coverage, false));
            }
            return text;
        }
        Outcome::None => {
            let _ = writeln!(text, "{}", paint(BAD, "no repair found"));
        }
        Outcome::Draft => {
            let _ = writeln!(
                text,
                "{}: it builds, but it is not a repair; look at it, it is never applied",
                paint(WARN, "draft")
            );
        }
        Outcome::Proven | Outcome::Applied => {}
    }
    if !report.diff.is_empty() {
        let _ = writeln!(text, "\n{}", output::diff(&report.diff).trim_end());
        text.push('\n');
    }
    for line in &report.rationale {
        let _ = writeln!(text, "  {} {}", paint(BOLD, "why"), output::safe(line));
    }
    if let Some(evidence) = &report.evidence {
        let _ = writeln!(text, "{}", proof_line(evidence));
        text.push_str(&indented(&left_out(&evidence.coverage, false)));
    }
    for note in &report.notes {
        let _ = writeln!(text, "  {} {}", paint(WARN, "note"), output::safe(note));
    }
    if matches!(report.outcome, Outcome::None | Outcome::Draft) {
        if let Some(reason) = &report.reason {
            let _ = writeln!(text, "  {}", output::safe(reason));
        }
        for refused in report.refused.iter().take(3) {
            let _ = writeln!(
                text,
                "  {} {}: {}",
                paint(DIM, "refused"),
                output::safe(&refused.rationale.join("; ")),
                output::safe(&refused.reason)
            );
        }
    }
    match report.outcome {
        Outcome::Applied => text.push_str(&applied_line(report)),
        Outcome::Proven => {
            let _ = writeln!(
                text,
                "{} after {}; your tree is untouched: `graftage fix --apply` writes it",
                paint(GOOD, "proven"),
                output::counted(report.candidates_tried, "candidate")
            );
        }
        _ => {}
    }
    text
}

fn applied_line(report: &FixReport) -> String {
    let id = report.id.as_deref().unwrap_or_default();
    let commit =
        report.commit.as_ref().map(|commit| format!(", commit {commit}")).unwrap_or_default();
    format!("{} as {id}{commit}; `graftage undo` takes it back\n", paint(GOOD, "applied"))
}

pub(crate) fn indented(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("  {text}") }
}

/// `proof errors 3 -> 0; parse ok, check ok, 7 tests passed, 0 failed`.
pub(crate) fn proof_line(evidence: &policy::Evidence) -> String {
    let before = evidence.errors_before.map_or_else(|| "?".to_owned(), |n| n.to_string());
    let rungs: Vec<String> = evidence
        .rungs
        .iter()
        .map(|rung| {
            let row = tools::RungRow::from(rung);
            let word = match (row.passed, row.name.as_str()) {
                (true, _) => "ok",
                (false, "format") => "differs (`cargo fmt` fixes it)",
                (false, _) => "failed",
            };
            format!("{} {word}", row.name.replace('_', " "))
        })
        .collect();
    let tests = match &evidence.tests {
        None => String::new(),
        Some(tests) if tests.passed == 0 && tests.failed.is_empty() => ", no tests".to_owned(),
        Some(tests) => {
            let passed = output::counted(tests.passed, "test");
            let known = match (tests.failed_before.len(), tests.failed.len()) {
                (0, _) => String::new(),
                (known, all) if known == all => " as before".to_owned(),
                (known, _) => format!(", {known} of them as before"),
            };
            let lost = match tests.lost.len() {
                0 => String::new(),
                n => format!(", {n} no longer run"),
            };
            format!(", {passed} passed, {} failed{known}{lost}", tests.failed.len())
        }
    };
    let notes = evidence
        .notes
        .iter()
        .map(|note| format!("\n  {} {}", paint(WARN, "note"), output::safe(note)));
    format!(
        "  {} errors {before} -> {}; {}{tests}{}",
        paint(BOLD, "proof"),
        evidence.errors_after,
        rungs.join(", "),
        notes.collect::<String>()
    )
}
