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
    let mut reader = BlockReader { root, number: 0, blocks: Vec::new(), above: None };
    let mut state = BlockState::Outside;
    for line in text.split_inclusive('\n') {
        reader.number += 1;
        state = match state {
            BlockState::Outside => reader.outside(line)?,
            BlockState::Search(open) => reader.search(open, line)?,
            BlockState::Replace(open) => reader.replace(open, line)?,
        };
    }
    if let BlockState::Search(open) | BlockState::Replace(open) = state {
        let message = "the block has no `>>>>>>> REPLACE` line".into();
        return Err(EditError::BlockSyntax { line: open.start, message });
    }
    if reader.blocks.is_empty() {
        return Err(EditError::Empty);
    }
    Ok(EditRequest {
        format: Format::SearchReplace,
        confidence: None,
        notes: Vec::new(),
        body: Body::Blocks(reader.blocks),
    })
}

/// Reads blocks line by line.
struct BlockReader<'a> {
    root: &'a Path,
    /// Number of the line, from 1.
    number: usize,
    blocks: Vec<Block>,
    /// The line that may be the path of the next block.
    above: Option<&'a str>,
}

/// The part of a block that the next line belongs to.
enum BlockState {
    Outside,
    Search(OpenBlock),
    Replace(OpenBlock),
}

/// A block without its end.
struct OpenBlock {
    /// Number of its first line.
    start: usize,
    /// Length of its markers.
    len: usize,
    block: Block,
}

impl<'a> BlockReader<'a> {
    fn error(&self, message: String) -> EditError {
        EditError::BlockSyntax { line: self.number, message }
    }

    fn outside(&mut self, line: &'a str) -> Result<BlockState, EditError> {
        let bare = line.trim_end();
        let Some(len) = marker(bare, '<', "SEARCH") else {
            if marker(bare, '>', "REPLACE").is_some() {
                return Err(self.error("the end of a block without a start".into()));
            }
            if !bare.trim().is_empty() && !bare.trim_start().starts_with("```") {
                self.above = Some(bare);
            }
            return Ok(BlockState::Outside);
        };
        let at = format!("block {} (line {})", self.blocks.len() + 1, self.number);
        let path = match (self.above.take().and_then(path_line), self.blocks.last()) {
            (Some(name), _) => project_path(self.root, name, &at)?,
            (None, Some(last)) => last.path.clone(),
            (None, None) => return Err(self.error("a block without a path above it".into())),
        };
        let block = Block { at, path, search: String::new(), replace: String::new() };
        Ok(BlockState::Search(OpenBlock { start: self.number, len, block }))
    }

    fn search(&mut self, mut open: OpenBlock, line: &str) -> Result<BlockState, EditError> {
        let bare = line.trim_end();
        if is_divider(bare, open.len) {
            return Ok(BlockState::Replace(open));
        }
        let start = open.start;
        if marker(bare, '<', "SEARCH").is_some() {
            return Err(self.error(format!("a block starts inside the block of line {start}")));
        }
        if marker(bare, '>', "REPLACE") == Some(open.len) {
            let divider = "=".repeat(open.len);
            return Err(self.error(format!("the block of line {start} has no `{divider}` line")));
        }
        open.block.search.push_str(line);
        Ok(BlockState::Search(open))
    }

    fn replace(&mut self, mut open: OpenBlock, line: &str) -> Result<BlockState, EditError> {
        let bare = line.trim_end();
        if marker(bare, '>', "REPLACE") == Some(open.len) {
            self.blocks.push(open.block);
            return Ok(BlockState::Outside);
        }
        let start = open.start;
        if is_divider(bare, open.len) {
            return Err(self.error(format!(
                "a second `{bare}` in the block of line {start}; use markers of another length, 5 to 9"
            )));
        }
        if marker(bare, '<', "SEARCH").is_some() {
            return Err(self.error(format!("the block of line {start} has no end")));
        }
        open.block.replace.push_str(line);
        Ok(BlockState::Replace(open))
    }
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
