/// What a hunk's line does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sign {
    Keep,
    Remove,
    Add,
}

/// A line of a hunk with its terminator; none where the diff says that the file ends without.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct HunkLine {
    pub(crate) sign: Sign,
    pub(crate) text: String,
}

#[derive(Clone, Debug)]
pub(crate) struct Hunk {
    /// The line of the old file (from 1) that it begins at; `None` where the header has none.
    pub(crate) start: Option<usize>,
    pub(crate) lines: Vec<HunkLine>,
}

/// Takes the terminator off the last line.
pub(crate) fn no_newline(lines: &mut [HunkLine]) -> Option<()> {
    let last = lines.last_mut()?;
    // The `\r` before it, if any, belongs to the line: only `\n` was added by the diff.
    let len = last.text.strip_suffix('\n')?.len();
    last.text.truncate(len);
    Some(())
}

pub(crate) fn hunk_line(raw: &str) -> Option<HunkLine> {
    // The last line of a request may lack its newline; the diff's line has one all the same.
    let whole = |text: &str| {
        if text.ends_with('\n') { text.to_owned() } else { format!("{text}\n") }
    };
    let (sign, rest) = match raw.bytes().next() {
        Some(b' ') => (Sign::Keep, raw.get(1..)?),
        Some(b'-') => (Sign::Remove, raw.get(1..)?),
        Some(b'+') => (Sign::Add, raw.get(1..)?),
        // An empty context line whose space was trimmed away on the way.
        Some(b'\n' | b'\r') | None if raw.trim().is_empty() => (Sign::Keep, raw),
        _ => return None,
    };
    Some(HunkLine { sign, text: whole(rest) })
}

/// `@@ -1,3 +1,4 @@ …` gives the start and the counts; `@@` or `@@ … @@` without numbers gives
/// neither.
#[expect(clippy::type_complexity, reason = "read in one place")]
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
