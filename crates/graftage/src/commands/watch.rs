//! [`Watch`]: the events of a running task as lines for a reader.

use std::io::IsTerminal as _;

use agent::{FixEvent, IntentRow, TaskStep};

use crate::commands::fix::LISTED;
use crate::commands::model;
use crate::output::{self, DIM, GOOD, paint};
use crate::session::Session;

/// Prints the events of a fix to standard error.
pub(crate) struct Watch<'a> {
    pub(crate) session: &'a Session,
    /// Headline of the last printed error, so that equal headlines are printed once.
    headline: String,
    /// Number of initial errors.
    errors: usize,
    /// The last diff that was shown.
    shown: String,
    /// Whether the cause of the first wait was reported.
    waits: bool,
}

impl<'a> Watch<'a> {
    pub(crate) fn new(session: &'a Session) -> Self {
        session.bar.watch();
        Self { session, headline: String::new(), errors: 0, shown: String::new(), waits: false }
    }

    pub(crate) fn see(&mut self, event: &FixEvent) {
        if self.session.global.json || self.session.global.quiet {
            return;
        }
        match event {
            FixEvent::InitialError { diagnostic } => self.initial_error(diagnostic),
            FixEvent::InProgress { intents } => {
                self.session.bar.clear();
                in_progress(intents).iter().for_each(|line| output::note(line));
            }
            FixEvent::Builds { diff } => self.builds(diff),
            FixEvent::Entered { step: TaskStep::Check, detail } if !self.waits => {
                self.waits = true;
                // A terminal has the progress line.
                if !std::io::stderr().is_terminal() {
                    output::note(&paint(DIM, &format!("  checking {}", output::safe(detail))));
                }
            }
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

    /// Shows a change that builds while its tests run: whole on a terminal, its size elsewhere, where
    /// the result has it.
    fn builds(&mut self, diff: &str) {
        if diff == self.shown {
            return;
        }
        self.session.bar.clear();
        if std::io::stderr().is_terminal() {
            output::note(&format!("\n{}\n", output::diff(diff).trim_end()));
        }
        self.shown = diff.to_owned();
        let line = format!("  {} builds; its tests run", size(diff));
        output::note(&paint(DIM, &line));
    }

    /// Whether the reader of the result has seen this diff.
    pub(crate) fn has_shown(&self, diff: &str) -> bool {
        let is_one_terminal = std::io::stderr().is_terminal() && std::io::stdout().is_terminal();
        is_one_terminal && diff == self.shown
    }

    fn initial_error(&mut self, row: &tools::ReportedDiagnostic) {
        self.errors += 1;
        if self.errors > LISTED {
            return;
        }
        self.session.bar.clear();
        let text = output::diagnostic(row);
        let (headline, location) = text.split_once('\n').unwrap_or((&text, ""));
        if headline != self.headline || location.is_empty() {
            output::note(headline);
            self.headline = headline.to_owned();
        }
        if !location.is_empty() {
            output::note(location);
        }
    }
}

/// Maximum number of listed intents.
const LISTED_INTENTS: usize = 8;

/// Intents of the user's in-progress change, one line each. A changed signature is listed by its
/// parts; a new item has no line, since nothing follows from it.
fn in_progress(intents: &[IntentRow]) -> Vec<String> {
    let asks = |it: &&IntentRow| !matches!(it.what.as_ref(), "signature" | "added");
    let shown: Vec<&IntentRow> = intents.iter().filter(asks).collect();
    let mut lines: Vec<String> = shown
        .iter()
        .take(LISTED_INTENTS)
        .map(|it| paint(DIM, &format!("  in progress: {}", output::safe(&it.evidence))))
        .collect();
    if shown.len() > LISTED_INTENTS {
        lines.push(paint(DIM, &format!("  … and {} more", shown.len() - LISTED_INTENTS)));
    }
    lines
}

fn watch(session: &Session, event: &FixEvent) {
    match event {
        FixEvent::Trying { number, rationale } if session.global.verbose => {
            session.bar.clear();
            for line in rationale {
                output::note(&paint(DIM, &format!("  candidate {number}: {}", output::safe(line))));
            }
        }
        FixEvent::Checked { number, builds, errors, first_error, refused } => {
            if !builds && !session.global.verbose {
                return; // There may be many, and the progress line counts them.
            }
            let verdict = match (builds, refused) {
                (true, Some(reason)) => format!("builds, refused: {}", output::safe(reason)),
                (true, None) => paint(GOOD, "builds"),
                (false, _) => format!("{} left", base::counted(*errors, "error")),
            };
            let first = first_error.as_ref().filter(|_| session.global.verbose && !builds);
            let first = first.map(|first| format!(", first {}", output::safe(first)));
            session.bar.clear();
            let line = format!("  candidate {number}: {verdict}{}", first.unwrap_or_default());
            output::note(&paint(DIM, &line));
        }
        FixEvent::Model { note } => {
            session.bar.clear();
            output::note(&model::line(note));
        }
        FixEvent::InitialError { .. }
        | FixEvent::InProgress { .. }
        | FixEvent::Entered { .. }
        | FixEvent::Moved { .. }
        | FixEvent::Builds { .. }
        | FixEvent::Trying { .. }
        | FixEvent::Writing { .. } => {}
    }
}

/// The size of a change as text: `a change of 3 lines in 2 files`.
fn size(diff: &str) -> String {
    let (mut files, mut added, mut removed) = (0, 0, 0);
    for line in diff.lines() {
        match line.as_bytes() {
            [b'+', b'+', b'+', b' ', ..] => files += 1,
            [b'-', b'-', b'-', b' ', ..] => {}
            [b'+', ..] => added += 1,
            [b'-', ..] => removed += 1,
            _ => {}
        }
    }
    format!("a change of {} (+{added} -{removed})", base::counted(files, "file"))
}
