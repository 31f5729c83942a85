//! [`ConsentQuestion`]: the text of a question for consent. It lists every file, first what is unusual,
//! and reports how much of the diff it does not show. No text in it can hide another.

use std::fmt::Write as _;

use base::{ProjectPath, is_hidden, visible, visible_line};
use edit::{FileChange, Overlay};

use super::{ConsentAct, PendingChange};

/// Length of a line in characters above which it is reported as unusual.
const LONG_LINE: usize = 240;

/// The part of the diff in a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShownDiff {
    /// None: the caller has printed all of it.
    Above,
    /// None: the caller shows all of it in a place of this name.
    In(&'static str),
    /// Its first lines, up to this number of bytes.
    Bytes(usize),
}

/// A question to a person.
#[derive(Clone, Debug)]
pub struct ConsentQuestion {
    text: String,
    nonce: String,
}

impl ConsentQuestion {
    pub(super) fn of(pending: &PendingChange, shown: ShownDiff, nonce: String) -> Self {
        Self { text: text(pending, shown), nonce }
    }

    /// The text, safe for a terminal.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The nonce, by which the answer is redeemed.
    pub fn nonce(&self) -> &str {
        &self.nonce
    }
}

fn text(pending: &PendingChange, shown: ShownDiff) -> String {
    let PendingChange { act, change, titles, see, .. } = pending;
    let mut text = match act {
        ConsentAct::Write => "Write this change to the project?\n",
        ConsentAct::Undo => {
            "Undo this change? The project's files become what they were before it.\n"
        }
        ConsentAct::Redo => "Apply this undone change again?\n",
    }
    .to_owned();
    for title in titles {
        let _ = writeln!(text, "  {}", visible_line(title));
    }
    let unusual: Vec<String> = change
        .changes()
        .flat_map(|(path, it)| unusual(path, it).into_iter().map(move |why| (path, why)))
        .map(|(path, why)| format!("  ! `{}`: {why}\n", visible_line(path.as_str())))
        .collect();
    if !unusual.is_empty() {
        let _ = write!(text, "\nUnusual:\n{}", unusual.concat());
    }
    let stat = change.stat();
    let files = base::counted(stat.files, "file");
    let _ = writeln!(text, "\n{files}, +{} -{}:", stat.added, stat.removed);
    for (path, it) in change.changes() {
        text.push_str(&file_line(change, path, it));
    }
    match shown {
        ShownDiff::Above => text.push_str("\nThe whole diff is above.\n"),
        ShownDiff::In(place) => {
            let _ = writeln!(text, "\nThe whole diff is in {place}.");
        }
        ShownDiff::Bytes(limit) => text.push_str(&diff_part(&change.unified_diff(), limit, see)),
    }
    text
}

/// `  changed  src/lib.rs +1 -1`.
fn file_line(change: &Overlay, path: &ProjectPath, it: &FileChange) -> String {
    let stat = change.file_stat(path);
    let verb = match (&it.before, &it.after, &it.renamed_from) {
        (_, Some(_), Some(_)) => "renamed",
        (None, _, _) => "created",
        (_, None, _) => "deleted",
        (Some(_), Some(_), None) => "changed",
    };
    let mut line =
        format!("  {verb}  {} +{} -{}", visible_line(path.as_str()), stat.added, stat.removed);
    if let Some(from) = &it.renamed_from {
        let _ = write!(line, " (from {})", visible_line(from.as_str()));
    }
    if let (Some(before), Some(after)) = (&it.before, &it.after)
        && before.executable != after.executable
    {
        let mode = if after.executable { "executable" } else { "not executable" };
        let _ = write!(line, " (becomes {mode})");
    }
    line + "\n"
}

/// What about a change a person should see before all else.
fn unusual(path: &ProjectPath, it: &FileChange) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    if let Some(row) = policy::protected(path) {
        found.push(format!("only a person changes it: {}", row.reason));
    } else if matches!(path.file_name(), "Cargo.toml" | "Cargo.lock") {
        found.push("decides what is built".to_owned());
    }
    let was = it.before.as_ref().is_some_and(|before| before.executable);
    if it.after.as_ref().is_some_and(|after| after.executable) && !was {
        found.push("becomes a program".to_owned());
    }
    if path.as_str().split('/').any(|part| part.starts_with('.')) {
        found.push("is a hidden file".to_owned());
    }
    if !path.as_str().is_ascii() {
        found.push("has letters in its name that may look like others".to_owned());
    }
    let count = |text: &str| text.chars().filter(|c| *c != '\r' && is_hidden(*c)).count();
    if count(it.after_text()) > count(it.before_text()) {
        let why = "gets characters that are not visible; they are shown as `\\u{…}`";
        found.push(why.to_owned());
    }
    let longest = |text: &str| text.lines().map(|line| line.chars().count()).max().unwrap_or(0);
    if longest(it.after_text()) > LONG_LINE.max(longest(it.before_text())) {
        found.push("gets a line that may not fit on a screen".to_owned());
    }
    found
}

/// The beginning of the diff in whole lines, after a line that names how much is left out.
fn diff_part(diff: &str, limit: usize, see: &str) -> String {
    let diff = visible(diff);
    if diff.len() <= limit {
        return format!("\n{diff}");
    }
    let end = diff.floor_char_boundary(limit);
    let end = diff[..end].rfind('\n').map_or(0, |at| at + 1);
    let (shown, rest) = diff.split_at(end);
    let (all, left) = (diff.lines().count(), rest.lines().count());
    // Before the diff: a client that cuts a long text cuts its end.
    let note = format!(
        "{left} of the {all} lines of the diff are NOT shown here; `{see}` shows all of them."
    );
    format!("\n{note}\n\n{shown}\n{note}\n")
}
