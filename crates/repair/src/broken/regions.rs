//! Where the brackets of a text do not pair: the smallest parts of it, by indentation, that contain
//! a fault.

use std::ops::Range;

use base::ByteSpan;

use super::lines::{Lines, closing_of, is_closing};

/// Maximum depth of parts within parts.
const DEEPEST: usize = 40;

/// A part of a text in which brackets do not pair.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Region {
    /// The tokens of the part.
    pub(super) tokens: Range<usize>,
    /// Its parts in which all brackets pair, so that the fault is not there.
    pub(super) clean: Vec<Range<usize>>,
}

impl Region {
    /// Whether the fault may be at this token, or in the gap before it.
    pub(super) fn is_suspect(&self, token: usize) -> bool {
        self.tokens.contains(&token) && !self.clean.iter().any(|it| it.contains(&token))
    }

    /// Whether a bracket may be missing before this token.
    pub(super) fn is_gap(&self, token: usize) -> bool {
        let is_inside = |it: &Range<usize>| it.start < token && token < it.end;
        self.tokens.start <= token && token <= self.tokens.end && !self.clean.iter().any(is_inside)
    }
}

/// The smallest parts that contain a fault, in order; empty if all brackets pair.
pub(super) fn regions(text: &Lines<'_>) -> Vec<Region> {
    let mut found = Vec::new();
    let all = 0..text.lines.len();
    if faults(text, text.tokens_of(&all)) == 0 {
        return found;
    }
    let parts = split(text, all.clone(), &mut found, 0);
    if found.is_empty() {
        // Each part is whole and the text is not: the parts were cut wrongly.
        found.push(Region { tokens: text.tokens_of(&all), clean: parts });
    }
    found
}

/// Cuts lines into parts at their smallest indentation, adds the regions of those that have a
/// fault, and returns the token ranges of the others.
fn split(
    text: &Lines<'_>,
    lines: Range<usize>,
    found: &mut Vec<Region>,
    depth: usize,
) -> Vec<Range<usize>> {
    let mut whole = Vec::new();
    let Some(indent) = lines.clone().map(|it| text.lines[it].indent).min() else { return whole };
    for part in parts(text, lines, indent) {
        let tokens = text.tokens_of(&part);
        if faults(text, tokens.clone()) == 0 {
            whole.push(tokens);
        } else {
            broken_part(text, part, indent, found, depth);
        }
    }
    whole
}

/// Adds the regions of one part that has a fault.
fn broken_part(
    text: &Lines<'_>,
    part: Range<usize>,
    indent: usize,
    found: &mut Vec<Region>,
    depth: usize,
) {
    let tokens = text.tokens_of(&part);
    let mut clean = Vec::new();
    let mut inner = Vec::new();
    if depth < DEEPEST {
        for run in deeper(text, &part, indent) {
            clean.extend(split(text, run, &mut inner, depth + 1));
        }
    }
    let within = |it: &usize| inner.iter().any(|region| region.tokens.contains(it));
    let shell = tokens.clone().filter(|it| !within(it) && !clean.iter().any(|c| c.contains(it)));
    let is_shell_whole = count_faults(text, shell) == 0;
    if is_shell_whole && !inner.is_empty() {
        found.extend(inner);
    } else {
        // Faults on both levels may be one: a bracket at the wrong indentation.
        found.push(Region { tokens, clean });
    }
}

/// Cuts lines where one begins at `indent` and does not continue what is before it.
fn parts(text: &Lines<'_>, lines: Range<usize>, indent: usize) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let mut start = lines.start;
    for line in lines.clone() {
        let begins = text.lines[line].indent <= indent
            && !text.is_continuation(line)
            && !(line > start && text.is_attribute(line - 1));
        if begins && line > start {
            parts.push(start..line);
            start = line;
        }
    }
    parts.push(start..lines.end);
    parts
}

/// The runs of lines that are indented deeper than `indent`.
fn deeper(text: &Lines<'_>, lines: &Range<usize>, indent: usize) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for line in lines.clone().filter(|it| text.lines[*it].indent > indent) {
        match runs.last_mut() {
            Some(run) if run.end == line => run.end += 1,
            _ => runs.push(line..line + 1),
        }
    }
    runs
}

/// Number of brackets among these tokens without a partner.
pub(super) fn faults(text: &Lines<'_>, tokens: Range<usize>) -> usize {
    count_faults(text, tokens)
}

fn count_faults(text: &Lines<'_>, tokens: impl Iterator<Item = usize>) -> usize {
    let mut open: Vec<&str> = Vec::new();
    let mut faults = 0;
    for token in tokens {
        let token = text.text_of(token);
        if let Some(close) = closing_of(token) {
            open.push(close);
        } else if is_closing(token) {
            match open.iter().rposition(|it| *it == token) {
                Some(at) => {
                    faults += open.len() - at - 1;
                    open.truncate(at);
                }
                None => faults += 1,
            }
        }
    }
    faults + open.len()
}

/// The outermost part of the text, by indentation, that contains a token, from the beginning of
/// its first line to the next part.
pub(super) fn outermost(text: &Lines<'_>, token: usize) -> ByteSpan {
    let all = 0..text.lines.len();
    let indent = text.lines.iter().map(|it| it.indent).min().unwrap_or(0);
    let found = parts(text, all, indent).into_iter().find_map(|part| {
        let tokens = text.tokens_of(&part);
        tokens.contains(&token).then_some(tokens)
    });
    let Some(tokens) = found else { return ByteSpan::new(0, text.text.len()) };
    let first = text.tokens.get(tokens.start).map_or(0, |it| it.span.start);
    let end = text.tokens.get(tokens.end).map_or(text.text.len(), |it| it.span.start);
    ByteSpan::new(first.saturating_sub(text.blank(tokens.start)), end)
}
