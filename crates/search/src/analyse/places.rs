//! Files and lines mentioned in a text: `src/lib.rs:42:7`, ` --> src/lib.rs:3`, hunks of a diff.

use crate::query::QueryKind;
use base::is_word;

/// A file mentioned in a text, with line ranges.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Mention {
    /// Path as in the text, with `/`.
    pub(crate) path: String,
    /// Ranges of lines, first and last, from 1.
    pub(crate) lines: Option<(u32, u32)>,
}

/// Maximum number of mentions that are looked up.
const MOST: usize = 64;

pub(super) fn mentions(text: &str, kind: QueryKind) -> Vec<Mention> {
    let mut found = if kind == QueryKind::Diff { of_patch(text) } else { in_text(text) };
    found.sort();
    found.dedup();
    found.truncate(MOST);
    found
}

/// The old lines of a hunk header: `@@ -10,3 +10,4 @@`.
pub(super) fn hunk(line: &str) -> Option<(u32, u32)> {
    let rest = line.strip_prefix("@@ -")?;
    let (old, _) = rest.split_once(" +")?;
    let (start, len) = old.split_once(',').unwrap_or((old, "1"));
    let (start, len): (u32, u32) = (start.parse().ok()?, len.parse().ok()?);
    // A hunk that only adds is after its line.
    Some((start.max(1), start.saturating_add(len.max(1) - 1).max(1)))
}

fn of_patch(text: &str) -> Vec<Mention> {
    let mut path: Option<String> = None;
    let mut found = Vec::new();
    for line in text.lines() {
        let named = line
            .strip_prefix("diff --git a/")
            .and_then(|rest| rest.split_once(" b/"))
            .map(|(old, _)| old)
            .or_else(|| line.strip_prefix("--- a/"));
        if let Some(named) = named {
            path = Some(named.trim().to_owned());
        } else if let (Some(path), Some(lines)) = (&path, hunk(line)) {
            found.push(Mention { path: path.clone(), lines: Some(lines) });
        }
    }
    if found.is_empty() { in_text(text) } else { found }
}

fn in_text(text: &str) -> Vec<Mention> {
    let is_path = |c: char| c.is_alphanumeric() || "_-./\\".contains(c);
    let mut found = Vec::new();
    for (at, _) in text.match_indices(".rs") {
        let end = at + 3;
        let start = text[..at].char_indices().rev().take_while(|(_, c)| is_path(*c)).last();
        let Some((start, _)) = start else { continue };
        let behind = &text[end..];
        if behind.starts_with(is_word) {
            continue;
        }
        let path = text[start..end].replace('\\', "/");
        let path = path.trim_start_matches("./");
        // Paths of the standard library and of dependencies are outside the project.
        if ["/rustc/", "/library/", "/registry/src/"].iter().any(|foreign| path.contains(foreign)) {
            continue;
        }
        let line = behind.strip_prefix(':').map(|rest| {
            rest.split(|c: char| !c.is_ascii_digit()).next().unwrap_or_default().parse().ok()
        });
        let lines = line.flatten().map(|line| (line, line));
        found.push(Mention { path: path.to_owned(), lines });
    }
    found
}

/// Whether a path is another one, or its last parts.
pub(crate) fn is_path_end(long: &str, short: &str) -> bool {
    long.strip_suffix(short).is_some_and(|before| before.is_empty() || before.ends_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_and_lines_are_found() {
        let text =
            "in `src/net/tcp.rs:42:7` and .\\src\\lib.rs, not /rustc/ab/library/x.rs:1 nor a.rst";
        let found = mentions(text, QueryKind::Prose);
        let lines = |path: &str, lines| Mention { path: path.to_owned(), lines };
        assert_eq!(found, [lines("src/lib.rs", None), lines("src/net/tcp.rs", Some((42, 42)))]);
    }

    #[test]
    fn a_hunk_names_the_lines_of_the_former_text() {
        assert_eq!(hunk("@@ -10,3 +12,9 @@ fn x()"), Some((10, 12)));
        assert_eq!(hunk("@@ -0,0 +1,9 @@"), Some((1, 1)));
        assert_eq!(hunk("@@ what"), None);
    }
}
