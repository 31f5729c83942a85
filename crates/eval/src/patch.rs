//! Applies unified diffs strictly: a hunk fits its position exactly or the patch is rejected. Cases
//! are created and drafts are graded with this, so that no answer is measured with the product's
//! own diff parser.

use std::iter::Peekable;

use base::SortedMap;

/// Why a patch does not fit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum PatchFault {
    #[error("no `+++` line after `{0}`")]
    NoNewName(String),
    #[error("no file `{0}`")]
    NoFile(String),
    #[error("bad hunk `{0}`")]
    Header(String),
    #[error("no line {0}")]
    NoLine(usize),
    #[error("the diff ends within a hunk")]
    EndsInHunk,
    #[error("line {line} is not `{text}`")]
    OtherLine { line: usize, text: String },
    #[error("a hunk is longer than its header")]
    LongHunk,
}

/// Applies `diff` to `files` (path → text), or reverts it if `reverse`.
pub(crate) fn apply(
    files: &mut SortedMap<String, String>,
    diff: &str,
    reverse: bool,
) -> Result<(), PatchFault> {
    let mut lines = diff.split_inclusive('\n').peekable();
    while let Some(line) = lines.next() {
        let Some(old_name) = line.strip_prefix("--- ") else { continue };
        let new_name = lines
            .next()
            .and_then(|line| line.strip_prefix("+++ "))
            .ok_or_else(|| PatchFault::NoNewName(line.trim_end().to_owned()))?;
        let names = (name_of(old_name, "a/"), name_of(new_name, "b/"));
        let (from, to) = if reverse { (names.1, names.0) } else { names };
        let text = match &from {
            Some(path) => files.get(path).ok_or_else(|| PatchFault::NoFile(path.clone()))?.clone(),
            None => String::new(),
        };
        let base: Vec<&str> = text.split_inclusive('\n').collect();
        let mut out = String::new();
        let mut at = 0;
        while let Some(header) = lines.next_if(|line| line.starts_with("@@ ")) {
            at = hunk(header, &mut lines, &base, at, reverse, &mut out)?;
        }
        out.extend(base[at..].iter().copied());
        if let Some(path) = &from {
            files.remove(path);
        }
        if let Some(path) = to {
            files.insert(path, out);
        }
    }
    Ok(())
}

/// Applies one hunk: copies the lines of `base` from `at` to the hunk, then its new lines, to `out`.
/// Returns the line after the hunk.
fn hunk<'d>(
    header: &str,
    lines: &mut Peekable<impl Iterator<Item = &'d str>>,
    base: &[&str],
    mut at: usize,
    reverse: bool,
    out: &mut String,
) -> Result<usize, PatchFault> {
    let (old, new) =
        ranges(header).ok_or_else(|| PatchFault::Header(header.trim_end().to_owned()))?;
    let (from, to) = if reverse { (new, old) } else { (old, new) };
    let (mut removed, mut added) = (from.len, to.len);
    // A hunk that removes no line goes after the line that it names.
    let start = if removed == 0 { from.start } else { from.start.saturating_sub(1) };
    let kept = base.get(at..start).ok_or(PatchFault::NoLine(start))?;
    out.extend(kept.iter().copied());
    at = start;
    while removed > 0 || added > 0 {
        let line = lines.next().ok_or(PatchFault::EndsInHunk)?;
        let without_end = lines.next_if(|next| next.starts_with("\\ ")).is_some();
        // An empty context line may lack its leading blank.
        let (sign, body) = match line.strip_prefix([' ', '+', '-']) {
            Some(body) => (line.as_bytes()[0], body),
            None => (b' ', line),
        };
        let body = if without_end { body.trim_end_matches('\n') } else { body };
        let sign = match (sign, reverse) {
            (b'+', true) => b'-',
            (b'-', true) => b'+',
            (sign, _) => sign,
        };
        if sign != b'+' {
            if base.get(at) != Some(&body) {
                let text = body.trim_end().to_owned();
                return Err(PatchFault::OtherLine { line: at + 1, text });
            }
            at += 1;
            removed = removed.checked_sub(1).ok_or(PatchFault::LongHunk)?;
        }
        if sign != b'-' {
            out.push_str(body);
            added = added.checked_sub(1).ok_or(PatchFault::LongHunk)?;
        }
    }
    Ok(at)
}

fn name_of(field: &str, prefix: &str) -> Option<String> {
    let name = field.trim_end_matches(['\n', '\r']).split('\t').next().unwrap_or_default();
    (name != "/dev/null").then(|| name.strip_prefix(prefix).unwrap_or(name).to_owned())
}

/// Lines of a hunk in one of the two texts.
struct LineRange {
    /// First line, from 1.
    start: usize,
    len: usize,
}

/// The old and the new range of `@@ -1,2 +3,4 @@`.
fn ranges(header: &str) -> Option<(LineRange, LineRange)> {
    let mut words = header.split_whitespace().skip(1);
    let range = |word: &str, sign: char| {
        let word = word.strip_prefix(sign)?;
        let (start, len) = word.split_once(',').unwrap_or((word, "1"));
        Some(LineRange { start: start.parse().ok()?, len: len.parse().ok()? })
    };
    Some((range(words.next()?, '-')?, range(words.next()?, '+')?))
}

#[cfg(test)]
mod tests {
    use super::*;

    const DIFF: &str =
        "--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n@@ -5 +5,2 @@\n five\n+six\n";

    fn x(text: &str) -> SortedMap<String, String> {
        SortedMap::from([("x".to_owned(), text.to_owned())])
    }

    #[test]
    fn a_patch_is_applied_and_reverted() {
        let mut files = x("one\ntwo\nthree\nfour\nfive\n");
        apply(&mut files, DIFF, false).unwrap();
        assert_eq!(files, x("one\n2\nthree\nfour\nfive\nsix\n"));
        apply(&mut files, DIFF, true).unwrap();
        assert_eq!(files, x("one\ntwo\nthree\nfour\nfive\n"));
    }

    #[test]
    fn a_hunk_that_does_not_fit_is_refused() {
        let error = apply(&mut x("one\nzwei\nthree\nfour\nfive\n"), DIFF, false).unwrap_err();
        assert_eq!(error.to_string(), "line 2 is not `two`");
        assert_eq!(
            apply(&mut SortedMap::new(), DIFF, false).unwrap_err().to_string(),
            "no file `x`"
        );
    }

    #[test]
    fn created_files_and_missing_final_newlines_are_kept() {
        let diff = "--- /dev/null\n+++ b/y\n@@ -0,0 +1 @@\n+new\n\\ No newline at end of file\n";
        let mut files = SortedMap::new();
        apply(&mut files, diff, false).unwrap();
        assert_eq!(files, SortedMap::from([("y".to_owned(), "new".to_owned())]));
        apply(&mut files, diff, true).unwrap();
        assert!(files.is_empty());
    }
}
