//! Search/replace blocks: parsing them, and placing one in a text.

use std::path::Path;

use crate::diff::hunks;
use crate::endings::strip_eol;
use crate::placement::{FileLines, Tolerance, old_lines};
use crate::request::{Block, Body, project_path};
use crate::udiff_hunk::{HunkLine, LineKind};
use crate::whole_file::path_line;
use crate::{EditError, EditRequest, Format, Splice};

/// Whether the line starts a block: five to nine `<` and `SEARCH`.
pub(crate) fn is_opening(line: &str) -> bool {
    marker(line, '<', "SEARCH").is_some()
}

/// Parses the blocks; text between them is ignored. Each block takes its path from the nearest
/// line above it (code fences aside), or from the block before.
pub(crate) fn read(text: &str, root: &Path) -> Result<EditRequest, EditError> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut above: Option<&str> = None;
    let mut state = BlockState::Outside;
    for (idx, line) in text.split_inclusive('\n').enumerate() {
        let number = idx + 1;
        let error = |message: String| EditError::BlockSyntax { line: number, message };
        let bare = line.trim_end();
        state = match state {
            BlockState::Outside => {
                if let Some(len) = marker(bare, '<', "SEARCH") {
                    let at = format!("block {} (line {number})", blocks.len() + 1);
                    let path = match (above.take().and_then(path_line), blocks.last()) {
                        (Some(name), _) => project_path(root, name, &at)?,
                        (None, Some(last)) => last.path.clone(),
                        (None, None) => {
                            return Err(error("a block without a path above it".into()));
                        }
                    };
                    let block = Block { at, path, search: String::new(), replace: String::new() };
                    BlockState::Search { start: number, len, block }
                } else {
                    if marker(bare, '>', "REPLACE").is_some() {
                        return Err(error("the end of a block without a start".into()));
                    }
                    if !bare.trim().is_empty() && !bare.trim_start().starts_with("```") {
                        above = Some(bare);
                    }
                    BlockState::Outside
                }
            }
            BlockState::Search { start, len, mut block } => {
                if is_divider(bare, len) {
                    BlockState::Replace { start, len, block }
                } else if marker(bare, '<', "SEARCH").is_some() {
                    return Err(error(format!("a block starts inside the block of line {start}")));
                } else if marker(bare, '>', "REPLACE") == Some(len) {
                    return Err(error(format!(
                        "the block of line {start} has no `{}` line",
                        "=".repeat(len)
                    )));
                } else {
                    block.search.push_str(line);
                    BlockState::Search { start, len, block }
                }
            }
            BlockState::Replace { start, len, mut block } => {
                if marker(bare, '>', "REPLACE") == Some(len) {
                    blocks.push(block);
                    BlockState::Outside
                } else if is_divider(bare, len) {
                    return Err(error(format!(
                        "a second `{bare}` in the block of line {start}; use markers of another \
                         length, 5 to 9"
                    )));
                } else if marker(bare, '<', "SEARCH").is_some() {
                    return Err(error(format!("the block of line {start} has no end")));
                } else {
                    block.replace.push_str(line);
                    BlockState::Replace { start, len, block }
                }
            }
        };
    }
    if let BlockState::Search { start, .. } | BlockState::Replace { start, .. } = state {
        let message = "the block has no `>>>>>>> REPLACE` line".into();
        return Err(EditError::BlockSyntax { line: start, message });
    }
    if blocks.is_empty() {
        return Err(EditError::Empty);
    }
    Ok(EditRequest {
        format: Format::SearchReplace,
        confidence: None,
        notes: Vec::new(),
        body: Body::Blocks(blocks),
    })
}

enum BlockState {
    Outside,
    Search { start: usize, len: usize, block: Block },
    Replace { start: usize, len: usize, block: Block },
}

fn marker(line: &str, ch: char, word: &str) -> Option<usize> {
    let rest = line.trim_start_matches(ch);
    let len = line.len() - rest.len();
    ((5..=9).contains(&len) && rest.trim() == word && rest.starts_with(' ')).then_some(len)
}

fn is_divider(line: &str, len: usize) -> bool {
    line.len() == len && line.bytes().all(|byte| byte == b'=')
}

impl Block {
    /// The splices of this block on `text`. The search lines must match at exactly one position:
    /// first ignoring line endings, then also trailing white space, then also a uniform
    /// indentation; the first tolerance that matches at all decides. An inexact match is noted.
    pub(crate) fn splices(
        &self,
        text: &str,
        notes: &mut Vec<String>,
    ) -> Result<Vec<Splice>, EditError> {
        let file = FileLines::new(text);
        let lines = self.lines();
        let old = old_lines(&lines);
        for level in [Tolerance::Endings, Tolerance::TrailingSpace, Tolerance::Indent] {
            let places = file.fits(&old, level);
            match places.as_slice() {
                [] => {}
                [place] => {
                    let line = place.at + 1;
                    match level {
                        Tolerance::Endings => {}
                        Tolerance::TrailingSpace => notes.push(format!(
                            "{}: placed at line {line} of `{}`, whose trailing white space differs",
                            self.at, self.path
                        )),
                        Tolerance::Indent => notes.push(format!(
                            "{}: placed at line {line} of `{}`, whose indentation differs",
                            self.at, self.path
                        )),
                    }
                    return file.splices(place, &lines, false, notes, &self.at).map_err(|why| {
                        EditError::HunkMismatch { at: self.at.clone(), message: why.into() }
                    });
                }
                places => {
                    return Err(EditError::SearchAmbiguous {
                        at: self.at.clone(),
                        path: self.path.to_string(),
                        lines: places.iter().map(|place| place.at + 1).collect(),
                    });
                }
            }
        }
        Err(EditError::SearchNotFound {
            at: self.at.clone(),
            path: self.path.to_string(),
            near: nearest(&file, &old),
        })
    }

    /// Search and replacement as one hunk: common lines keep the bytes of the file.
    fn lines(&self) -> Vec<HunkLine> {
        let all = |text: &str| -> Vec<String> {
            text.split_inclusive('\n').map(|line| format!("{}\n", strip_eol(line))).collect()
        };
        let (old, new) = (all(&self.search), all(&self.replace));
        let mut lines = Vec::new();
        let mut push = |kind: LineKind, texts: Option<&[String]>| {
            for text in texts.unwrap_or_default() {
                lines.push(HunkLine { kind, text: text.clone() });
            }
        };
        let mut at = 0;
        for hunk in hunks(&old.concat(), &new.concat()) {
            push(LineKind::Keep, old.get(at..hunk.before.start));
            push(LineKind::Remove, old.get(hunk.before.clone()));
            push(LineKind::Add, new.get(hunk.after));
            at = hunk.before.end;
        }
        push(LineKind::Keep, old.get(at..));
        lines
    }
}

/// A description of the best partial match, for the error: the position where the most lines match
/// in sequence from the top, and the first line that differs.
fn nearest(file: &FileLines<'_>, old: &[&str]) -> String {
    let mut best = (0, 0);
    // Only positions where the first non-blank search line matches are compared.
    let Some(first) = old.iter().position(|line| !line.trim().is_empty()) else {
        return String::new();
    };
    for (at, line) in file.lines.iter().enumerate().take(100_000) {
        if line.trim() != old[first].trim() {
            continue;
        }
        let same = file.lines[at..]
            .iter()
            .zip(&old[first..])
            .take(200)
            .take_while(|(a, b)| a.trim() == b.trim())
            .count();
        if same > best.0 {
            best = (same, at);
        }
    }
    let (same, at) = best;
    if same == 0 {
        return String::new();
    }
    let line = at + same + 1;
    match (file.lines.get(at + same), old.get(first + same)) {
        (Some(there), Some(asked)) => format!(
            "; from line {} on {same} lines match, but line {line} is `{}` and not `{}`",
            at + 1,
            clip(there),
            clip(asked)
        ),
        (None, Some(_)) => format!("; from line {} on the file ends too early", at + 1),
        _ => format!("; the lines from {} on differ in their white space", at + 1),
    }
}

/// A line for an error message: without terminator, truncated, control characters escaped.
pub(crate) fn clip(line: &str) -> String {
    let line = strip_eol(line);
    let mut out: String = line.chars().take(60).flat_map(char::escape_debug).collect();
    // `escape_debug` escapes quotes, as in literals; a message does not need that.
    out = out.replace("\\\"", "\"").replace("\\'", "'");
    if line.chars().count() > 60 {
        out.push('…');
    }
    out
}
