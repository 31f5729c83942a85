//! The diff of a file: its hunks, their header and their lines.

use base::ProjectPath;

/// The operation of a hunk's line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LineKind {
    Keep,
    Remove,
    Add,
}

/// A line of a hunk with its terminator; without one where the diff marks a missing newline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct HunkLine {
    pub(crate) kind: LineKind,
    pub(crate) text: String,
}

#[derive(Clone, Debug)]
pub(crate) struct Hunk {
    /// First line in the old file (from 1); `None` where the header has no numbers.
    pub(crate) start: Option<usize>,
    pub(crate) lines: Vec<HunkLine>,
}

/// The diff of one file.
#[derive(Clone, Debug, Default)]
pub(crate) struct FileDiff {
    /// Old path; `None` for a creation.
    pub(crate) old: Option<ProjectPath>,
    /// New path; `None` for a removal.
    pub(crate) new: Option<ProjectPath>,
    pub(crate) is_copy: bool,
    /// New executable bit, where the diff changes it.
    pub(crate) executable: Option<bool>,
    pub(crate) hunks: Vec<Hunk>,
}

/// Removes the terminator of the last line.
pub(crate) fn no_newline(lines: &mut [HunkLine]) -> Option<()> {
    let last = lines.last_mut()?;
    // A `\r` before it belongs to the line: the diff added only the `\n`.
    let len = last.text.strip_suffix('\n')?.len();
    last.text.truncate(len);
    Some(())
}

pub(crate) fn hunk_line(raw: &str) -> Option<HunkLine> {
    // The last line of a request may lack its newline; the line of the diff has one.
    let whole = |text: &str| {
        if text.ends_with('\n') { text.to_owned() } else { format!("{text}\n") }
    };
    let (kind, rest) = match raw.bytes().next() {
        Some(b' ') => (LineKind::Keep, raw.get(1..)?),
        Some(b'-') => (LineKind::Remove, raw.get(1..)?),
        Some(b'+') => (LineKind::Add, raw.get(1..)?),
        // An empty context line whose leading space was trimmed in transit.
        Some(b'\n' | b'\r') | None if raw.trim().is_empty() => (LineKind::Keep, raw),
        _ => return None,
    };
    Some(HunkLine { kind, text: whole(rest) })
}

/// Parses `@@ -1,3 +1,4 @@ …` into start and line counts; both are `None` in `@@` or `@@ … @@`
/// without numbers.
#[expect(clippy::type_complexity, reason = "has one caller")]
pub(crate) fn header_numbers(line: &str) -> Option<(Option<usize>, Option<(usize, usize)>)> {
    let rest = line.strip_prefix("@@")?.trim_start();
    if !rest.starts_with('-') {
        return Some((None, None));
    }
    let mut words = rest.split_whitespace();
    let range = |word: &str| -> Option<(usize, usize)> {
        match word.split_once(',') {
            Some((start, len)) => Some((start.parse().ok()?, len.parse().ok()?)),
            None => Some((word.parse().ok()?, 1)),
        }
    };
    let (old_start, old_len) = range(words.next()?.strip_prefix('-')?)?;
    let (_, new_len) = range(words.next()?.strip_prefix('+')?)?;
    if !words.next()?.starts_with("@@") {
        return None;
    }
    Some((Some(old_start), Some((old_len, new_len))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hunk_headers_are_read_with_and_without_numbers() {
        assert_eq!(header_numbers("@@ -1,3 +1,4 @@ fn x()"), Some((Some(1), Some((3, 4)))));
        assert_eq!(header_numbers("@@ -7 +0,0 @@"), Some((Some(7), Some((1, 0)))));
        assert_eq!(header_numbers("@@ fn x() @@"), Some((None, None)));
        assert_eq!(header_numbers("@@ -x,3 +1,4 @@"), None);
        assert_eq!(header_numbers("@@ -1,3"), None);
    }
}
