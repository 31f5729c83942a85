//! Placement: finds the positions where the lines of a hunk or block match a file, and turns the
//! hunk into splices that keep the file's own bytes.

use crate::Splice;
use crate::endings::{BOM, Endings, eol, strip_eol};
use crate::udiff_hunk::{HunkLine, LineKind};

/// Maximum number of matches to search for: more do not help the user.
const MAX_MATCHES: usize = 100;

/// The differences that a match may ignore.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tolerance {
    /// Line endings, and a byte order mark.
    Endings,
    /// Also trailing white space.
    TrailingSpace,
    /// Also indentation, which must differ by the same amount in all lines.
    Indent,
}

impl Tolerance {
    fn key(self, line: &str) -> &str {
        match self {
            Tolerance::Endings => strip_eol(line),
            Tolerance::TrailingSpace => line.trim_end(),
            Tolerance::Indent => line.trim(),
        }
    }
}

/// The text of a file, split into lines.
pub(crate) struct FileLines<'a> {
    pub(crate) text: &'a str,
    pub(crate) lines: Vec<&'a str>,
    /// Start offsets of the lines, and the end.
    starts: Vec<usize>,
    endings: Endings,
}

/// A match of old lines in a file.
pub(crate) struct Placement {
    /// First line, from 0.
    pub(crate) at: usize,
    /// Change of indentation for added lines.
    indent: Indent,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
enum Indent {
    #[default]
    Same,
    Add(String),
    Strip(String),
}

impl<'a> FileLines<'a> {
    /// Splits a text; a byte order mark belongs to no line.
    pub(crate) fn new(text: &'a str) -> Self {
        // A byte order mark alone is a line: otherwise it could not be removed.
        let body = text.strip_prefix(BOM).filter(|body| !body.is_empty()).unwrap_or(text);
        let lines: Vec<&str> = body.split_inclusive('\n').collect();
        let mut starts = vec![text.len() - body.len()];
        for line in &lines {
            starts.push(starts.last().copied().unwrap_or(0) + line.len());
        }
        Self { text, lines, starts, endings: Endings::of(text) }
    }

    fn start(&self, idx: usize) -> usize {
        self.starts.get(idx).copied().unwrap_or(self.text.len())
    }

    fn has_bom(&self) -> bool {
        self.start(0) > 0
    }

    /// The first old line without its byte order mark, where both it and the file have one.
    fn first_without_bom<'l>(&self, at: usize, old: &[&'l str]) -> Option<&'l str> {
        old.first()?.strip_prefix(BOM).filter(|_| at == 0 && self.has_bom())
    }

    /// Whether `old` matches at line `at` (from 0).
    pub(crate) fn fits_at(&self, at: usize, old: &[&str], level: Tolerance) -> Option<Placement> {
        let bare: Vec<&str>;
        let old = match self.first_without_bom(at, old) {
            Some(first) => {
                bare = std::iter::once(first).chain(old.iter().skip(1).copied()).collect();
                bare.as_slice()
            }
            None => old,
        };
        let there = self.lines.get(at..at.checked_add(old.len())?)?;
        let same = there.iter().zip(old).all(|(a, b)| level.key(a) == level.key(b));
        if !same {
            return None;
        }
        let indent = if level == Tolerance::Indent { shift(there, old)? } else { Indent::Same };
        Some(Placement { at, indent })
    }

    /// All matches of `old`, overlapping ones included, up to [`MAX_MATCHES`]; linear in the length
    /// of both.
    pub(crate) fn fits(&self, old: &[&str], level: Tolerance) -> Vec<Placement> {
        let needle: Vec<&str> = old.iter().map(|line| level.key(line)).collect();
        if needle.is_empty() {
            return Vec::new();
        }
        let mut places = Vec::new();
        if self.first_without_bom(0, old).is_some() {
            places.extend(self.fits_at(0, old, level));
        }
        // Knuth-Morris-Pratt failure table.
        let mut reuse = vec![0; needle.len()];
        let mut len = 0;
        for idx in 1..needle.len() {
            while len > 0 && needle[idx] != needle[len] {
                len = reuse[len - 1];
            }
            len += usize::from(needle[idx] == needle[len]);
            reuse[idx] = len;
        }
        len = 0;
        for (idx, line) in self.lines.iter().enumerate() {
            let key = level.key(line);
            while len > 0 && (len == needle.len() || key != needle[len]) {
                len = reuse[len - 1];
            }
            len += usize::from(key == needle[len]);
            if len == needle.len() {
                let at = idx + 1 - len;
                places.extend(self.fits_at(at, old, level));
                if places.len() == MAX_MATCHES {
                    break;
                }
            }
        }
        places
    }

    /// Whether the lines match byte for byte.
    fn is_exact(&self, at: usize, old: &[&str]) -> bool {
        let there = self.lines.get(at..at + old.len()).unwrap_or_default();
        there.iter().enumerate().zip(old).all(|((idx, a), b)| {
            // The file's mark is not part of its first line; the hunk's mark is.
            let at_bom = at + idx == 0 && self.has_bom();
            if at_bom { b.strip_prefix(BOM) == Some(*a) } else { a == b }
        })
    }

    /// The splices that apply `lines` at `place`. Kept lines keep the file's bytes. If `literal` is
    /// set and the old lines match byte for byte, added lines are inserted byte for byte; else they
    /// get the file's line ending, indentation and final newline. `Err` where the lines mark the
    /// end of the file before its end.
    pub(crate) fn splices(
        &self,
        place: &Placement,
        lines: &[HunkLine],
        literal: bool,
        notes: &mut Vec<String>,
        at: &str,
    ) -> Result<Vec<Splice>, &'static str> {
        let old: Vec<&str> = old_lines(lines);
        let literal = literal
            && self.is_exact(place.at, &old)
            // Old lines without a line ending do not show that the new ones are right.
            && (self.endings != Endings::CrLf || old.iter().any(|line| line.ends_with('\n')));
        let end = place.at + old.len();
        let touches_end = end == self.lines.len();
        let ends_in_newline = self.text.ends_with('\n') || self.text.is_empty();
        let last_new = lines.iter().rposition(|line| line.kind != LineKind::Remove);
        let mut splices: Vec<Splice> = Vec::new();
        let mut idx = place.at;
        let mut changed_endings = false;
        let old_has_bom = self.first_without_bom(place.at, &old).is_some();
        let first_new = lines.iter().position(|line| line.kind != LineKind::Remove);
        for (number, line) in lines.iter().enumerate() {
            let is_last = touches_end && last_new == Some(number);
            let (start, stop) = (self.start(idx), self.start(idx + 1));
            match line.kind {
                LineKind::Keep => {
                    let open = self.lines.get(idx).is_some_and(|line| !line.ends_with('\n'));
                    if open && !is_last {
                        splices.push(Splice::new(stop, stop, self.ending(idx)));
                    }
                    idx += 1;
                }
                LineKind::Remove => {
                    let mark = literal && old_has_bom && idx == 0;
                    let start = if mark { 0 } else { start };
                    // Adjacent removed lines are one splice, also in errors.
                    match splices.last_mut() {
                        Some(last) if last.insert.is_empty() && last.span.end == start => {
                            last.span.end = stop;
                        }
                        _ => splices.push(Splice::new(start, stop, "")),
                    }
                    idx += 1;
                }
                LineKind::Add if literal => {
                    if !line.text.ends_with('\n') && !is_last {
                        return Err("`\\ No newline` is followed by more lines");
                    }
                    // An insertion before a first line with a mark is before the mark.
                    let start = if idx == 0 && old_has_bom { 0 } else { start };
                    splices.push(Splice::new(start, start, line.text.clone()));
                }
                LineKind::Add => {
                    // A new first line is inserted after the file's own mark.
                    let after_bom = place.at == 0 && self.has_bom() && first_new == Some(number);
                    let text = match line.text.strip_prefix(BOM) {
                        Some(text) if after_bom => text,
                        _ => &line.text,
                    };
                    let body = strip_eol(text);
                    let wanted = match is_last && !ends_in_newline && !self.text.is_empty() {
                        true => "",
                        false => self.ending(idx),
                    };
                    changed_endings |= wanted != eol(&line.text);
                    let body = place.indent.apply(body);
                    splices.push(Splice::new(start, start, format!("{body}{wanted}")));
                }
            }
        }
        if changed_endings {
            notes.push(format!("{at}: new lines were given the file's line ending"));
        }
        Ok(splices)
    }

    /// The line ending for a line inserted before line `idx`: that of its neighbours.
    fn ending(&self, idx: usize) -> &'a str {
        if self.endings == Endings::CrLf {
            return "\r\n";
        }
        if self.endings != Endings::Mixed {
            return "\n";
        }
        let before = idx.checked_sub(1).and_then(|idx| self.lines.get(idx));
        let near = before.into_iter().chain(self.lines.get(idx)).map(|line| eol(line));
        near.into_iter().find(|eol| !eol.is_empty()).unwrap_or("\n")
    }
}

/// The lines of a hunk that must be in the file: kept and removed ones.
pub(crate) fn old_lines(lines: &[HunkLine]) -> Vec<&str> {
    let old = lines.iter().filter(|line| line.kind != LineKind::Add);
    old.map(|line| line.text.as_str()).collect()
}

/// The uniform difference in indentation between the file's lines and the search lines.
fn shift(there: &[&str], old: &[&str]) -> Option<Indent> {
    let indent = |line: &str| line[..line.len() - line.trim_start().len()].to_owned();
    let mut shift: Option<Indent> = None;
    for (there, old) in there.iter().zip(old) {
        if there.trim().is_empty() {
            continue;
        }
        let (there, old) = (indent(there), indent(old));
        let this = if let Some(more) = there.strip_suffix(old.as_str()) {
            if more.is_empty() { Indent::Same } else { Indent::Add(more.to_owned()) }
        } else {
            Indent::Strip(old.strip_suffix(there.as_str())?.to_owned())
        };
        match &shift {
            None => shift = Some(this),
            Some(other) if *other == this => {}
            Some(_) => return None,
        }
    }
    shift
}

impl Indent {
    fn apply(&self, line: &str) -> String {
        match self {
            _ if line.trim().is_empty() => line.to_owned(),
            Indent::Same => line.to_owned(),
            Indent::Add(more) => format!("{more}{line}"),
            Indent::Strip(less) => line.strip_prefix(less.as_str()).unwrap_or(line).to_owned(),
        }
    }
}
