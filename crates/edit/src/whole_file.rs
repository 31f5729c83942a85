//! Parser of whole files in code fences, each with its path above it.

use std::path::Path;

use crate::request::{Body, project_path};
use crate::{Edit, EditError, EditRequest, Format};

/// Whether the text contains a code fence.
pub(crate) fn has_fence(text: &str) -> bool {
    text.lines().any(|line| line.starts_with("```"))
}

/// Parses whole files: a path on a line of its own (or `path=…` after the opening fence), then the
/// text in a code fence. Text between them is ignored; a fence without a path is rejected. A text
/// that contains fences needs a longer fence around it.
pub(crate) fn read(text: &str, root: &Path) -> Result<EditRequest, EditError> {
    let mut edits = Vec::new();
    let mut above: Option<&str> = None;
    let mut open: Option<(usize, &str, String, String)> = None;
    for (idx, line) in text.split_inclusive('\n').enumerate() {
        let bare = line.trim_end();
        let ticks = bare.len() - bare.trim_start_matches('`').len();
        match open.take() {
            None if ticks >= 3 => {
                let info = bare[ticks..].trim();
                let given = info.split_whitespace().find_map(|word| word.strip_prefix("path="));
                let Some(name) = given.or_else(|| above.and_then(path_line)) else {
                    return Err(EditError::BlockSyntax {
                        line: idx + 1,
                        message: "a fence without a path above it".into(),
                    });
                };
                open = Some((idx + 1, &bare[..ticks], name.to_owned(), String::new()));
                above = None;
            }
            None => {
                if !bare.trim().is_empty() {
                    above = Some(bare.trim());
                }
            }
            Some((start, fence, name, body)) if bare == fence => {
                let at = format!("file {} (line {start})", edits.len() + 1);
                let file_path = project_path(root, &name, &at)?;
                edits.push((at, Edit::File { file_path, text: body, expected_file_hash: None }));
            }
            Some((start, fence, _, _)) if ticks >= fence.len() => {
                return Err(EditError::BlockSyntax {
                    line: idx + 1,
                    message: format!(
                        "a fence inside the fence of line {start}; use more backticks for the outer one"
                    ),
                });
            }
            Some((start, fence, name, mut body)) => {
                body.push_str(line);
                open = Some((start, fence, name, body));
            }
        }
    }
    if let Some((line, ..)) = open {
        let message = "the fence is never closed".into();
        return Err(EditError::BlockSyntax { line, message });
    }
    if edits.is_empty() {
        return Err(EditError::Empty);
    }
    Ok(EditRequest {
        format: Format::WholeFile,
        confidence: None,
        notes: Vec::new(),
        body: Body::Edits(edits),
    })
}

/// The path that a line names: bare, in backticks or asterisks, after `#`, `File:` or `path:`,
/// before a colon. A line with white space is prose unless it is marked as a path.
pub(crate) fn path_line(line: &str) -> Option<&str> {
    let mut name = line.trim().trim_start_matches('#').trim();
    let mut is_marked = false;
    for mark in ["File:", "file:", "Path:", "path:", "FILE:"] {
        if let Some(rest) = name.strip_prefix(mark) {
            (name, is_marked) = (rest.trim(), true);
        }
    }
    name = name.trim_end_matches(':');
    for mark in ["**", "*", "`"] {
        if let Some(inner) = name.strip_prefix(mark).and_then(|it| it.strip_suffix(mark)) {
            (name, is_marked) = (inner.trim_end_matches(':'), is_marked || mark == "`");
        }
    }
    let is_path = !name.is_empty()
        && !name.contains('`')
        && (is_marked || !name.contains(char::is_whitespace))
        && (is_marked || (name.contains(['/', '.']) && !name.ends_with('.')));
    is_path.then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_recognised_in_its_usual_markup() {
        for (line, want) in [
            ("src/lib.rs", Some("src/lib.rs")),
            ("`src/lib.rs`:", Some("src/lib.rs")),
            ("**src/lib.rs**", Some("src/lib.rs")),
            ("**`src/lib.rs`**", Some("src/lib.rs")),
            ("### File: src/my file.rs", Some("src/my file.rs")),
            ("# src/lib.rs", Some("src/lib.rs")),
            ("Now change the other one:", None),
            ("Done.", None),
            ("Makefile", None),
            ("path: Makefile", Some("Makefile")),
            ("", None),
        ] {
            assert_eq!(path_line(line), want, "{line}");
        }
    }
}
