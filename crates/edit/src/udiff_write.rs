//! Writes the diff of one file in git's format.

use std::fmt::Write as _;

use base::ProjectPath;

use crate::FileState;
use crate::diff::{Hunk, hunks, lines};

/// Unchanged lines around a change.
const CONTEXT: usize = 3;

/// One side of a file's diff.
pub(crate) struct DiffSide<'a> {
    pub(crate) path: &'a ProjectPath,
    pub(crate) state: Option<&'a FileState>,
}

/// Appends the diff of one file, header and hunks.
pub(crate) fn write_file(out: &mut String, old: DiffSide<'_>, new: DiffSide<'_>) {
    let mode = |state: &FileState| if state.executable { "100755" } else { "100644" };
    let (a, b) = (quoted("a/", old.path), quoted("b/", new.path));
    let _ = writeln!(out, "diff --git {a} {b}");
    match (old.state, new.state) {
        (None, Some(new)) => {
            let _ = writeln!(out, "new file mode {}", mode(new));
        }
        (Some(old), None) => {
            let _ = writeln!(out, "deleted file mode {}", mode(old));
        }
        (Some(old), Some(new)) if old.executable != new.executable => {
            let _ = writeln!(out, "old mode {}\nnew mode {}", mode(old), mode(new));
        }
        _ => {}
    }
    if old.path != new.path {
        let _ = writeln!(out, "rename from {}", quoted("", old.path));
        let _ = writeln!(out, "rename to {}", quoted("", new.path));
    }
    let text = |state: Option<&FileState>| state.map_or_else(|| "".into(), |it| it.text.clone());
    let (before, after) = (text(old.state), text(new.state));
    if before == after {
        return;
    }
    let name = |state: Option<&FileState>, path: String| match state {
        None => "/dev/null".to_owned(),
        // A name with a space is followed by a tab, which marks its end for parsers.
        Some(_) if path.contains(' ') && !path.starts_with('"') => format!("{path}\t"),
        Some(_) => path,
    };
    let _ = writeln!(out, "--- {}\n+++ {}", name(old.state, a), name(new.state, b));
    write_hunks(out, &before, &after);
}

fn write_hunks(out: &mut String, before: &str, after: &str) {
    let (old, new) = (lines(before), lines(after));
    let changes = hunks(before, after);
    let mut rest = changes.as_slice();
    while let Some(first) = rest.first() {
        // Changes whose contexts touch share a hunk.
        let near = |pair: &[Hunk]| pair[1].before.start - pair[0].before.end <= 2 * CONTEXT;
        let len = 1 + rest.windows(2).take_while(|pair| near(pair)).count();
        let (group, others) = rest.split_at(len);
        rest = others;
        let last = group.last().unwrap_or(first);
        let lead = first.before.start.min(CONTEXT);
        let trail = (old.len() - last.before.end).min(CONTEXT);
        let (old_start, old_end) = (first.before.start - lead, last.before.end + trail);
        let (new_start, new_end) = (first.after.start - lead, last.after.end + trail);
        let _ = writeln!(
            out,
            "@@ -{} +{} @@",
            range(old_start, old_end - old_start),
            range(new_start, new_end - new_start)
        );
        let mut at = old_start;
        for change in group {
            write_lines(out, ' ', old.get(at..change.before.start));
            write_lines(out, '-', old.get(change.before.clone()));
            write_lines(out, '+', new.get(change.after.clone()));
            at = change.before.end;
        }
        write_lines(out, ' ', old.get(at..old_end));
    }
}

fn write_lines(out: &mut String, sign: char, lines: Option<&[&str]>) {
    for line in lines.unwrap_or_default() {
        out.push(sign);
        out.push_str(line);
        if !line.ends_with('\n') {
            out.push_str("\n\\ No newline at end of file\n");
        }
    }
}

/// A range in a hunk header: lines count from 1; an empty range has the number of the line before.
fn range(start: usize, len: usize) -> String {
    match len {
        0 => format!("{start},0"),
        1 => format!("{}", start + 1),
        len => format!("{},{len}", start + 1),
    }
}

/// A name as git writes it: quoted with C escapes where necessary.
fn quoted(prefix: &str, path: &ProjectPath) -> String {
    let path = path.as_str();
    if !path.chars().any(|ch| ch.is_control() || matches!(ch, '"' | '\\')) {
        return format!("{prefix}{path}");
    }
    let mut out = format!("\"{prefix}");
    for ch in path.chars() {
        match ch {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            ch if ch.is_control() => {
                let mut bytes = [0; 4];
                for byte in ch.encode_utf8(&mut bytes).bytes() {
                    let _ = write!(out, "\\{byte:03o}");
                }
            }
            ch => out.push(ch),
        }
    }
    out.push('"');
    out
}
