use crate::Splice;
use crate::endings::{BOM, Endings, eol, strip_eol};
use crate::udiff_hunk::{HunkLine, Sign};

/// More places than these are told apart by nobody; the search ends there.
const MOST_PLACES: usize = 100;

/// How alike lines must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Level {
    /// But for how lines end, and a byte order mark.
    Endings,
    /// But for white space at the ends of lines, too.
    TrailingSpace,
    /// But for indentation, too, which must differ by the same amount in all lines.
    Indent,
}

impl Level {
    fn key(self, line: &str) -> &str {
        match self {
            Level::Endings => strip_eol(line),
            Level::TrailingSpace => line.trim_end(),
            Level::Indent => line.trim(),
        }
    }
}

/// A file's text in lines.
pub(crate) struct FileLines<'a> {
    pub(crate) text: &'a str,
    pub(crate) lines: Vec<&'a str>,
    /// Where each line begins, and the end.
    starts: Vec<usize>,
    endings: Endings,
}

/// Where old lines fit, and how.
pub(crate) struct Place {
    /// The first line, from 0.
    pub(crate) at: usize,
    /// What to do to the indentation of added lines.
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
    /// The lines; a byte order mark belongs to none of them.
    pub(crate) fn new(text: &'a str) -> Self {
        // A mark with nothing behind it is a line, or it could not be removed.
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

    /// The first old line as it is without the mark, where both it and the file have one.
    fn first_without_bom<'l>(&self, at: usize, old: &[&'l str]) -> Option<&'l str> {
        old.first()?.strip_prefix(BOM).filter(|_| at == 0 && self.has_bom())
    }

    /// Whether `old` fits at line `at` (from 0).
    pub(crate) fn fits_at(&self, at: usize, old: &[&str], level: Level) -> Option<Place> {
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
        let indent = if level == Level::Indent { shift(there, old)? } else { Indent::Same };
        Some(Place { at, indent })
    }

    /// All places where `old` fits, overlapping ones included, up to a hundred; linear in both
    /// texts.
    pub(crate) fn fits(&self, old: &[&str], level: Level) -> Vec<Place> {
        let needle: Vec<&str> = old.iter().map(|line| level.key(line)).collect();
        if needle.is_empty() {
            return Vec::new();
        }
        let mut places = Vec::new();
        if self.first_without_bom(0, old).is_some() {
            places.extend(self.fits_at(0, old, level));
        }
        // Knuth, Morris, Pratt: how far a failed match may be reused.
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
                if places.len() == MOST_PLACES {
                    break;
                }
            }
        }
        places
    }

    /// Whether the lines stand there byte for byte.
    fn is_exact(&self, at: usize, old: &[&str]) -> bool {
        let there = self.lines.get(at..at + old.len()).unwrap_or_default();
        there.iter().enumerate().zip(old).all(|((idx, a), b)| {
            // The mark is no part of our first line, and is one of the hunk's.
            let at_mark = at + idx == 0 && self.has_bom();
            if at_mark { b.strip_prefix(BOM) == Some(*a) } else { a == b }
        })
    }

    /// The splices that make `lines` happen at `place`. Kept lines stay as the file has them.
    /// Where the old lines are there byte for byte and `literal` is set, added ones come byte for
    /// byte too; else they take the file's line ending, indentation and final newline. `Err` where
    /// the lines say that the file ends in its middle.
    pub(crate) fn splices(
        &self,
        place: &Place,
        lines: &[HunkLine],
        literal: bool,
        notes: &mut Vec<String>,
        at: &str,
    ) -> Result<Vec<Splice>, &'static str> {
        let old: Vec<&str> = old_lines(lines);
        let literal = literal
            && self.is_exact(place.at, &old)
            // Old lines that show no ending cannot vouch for the new ones.
            && (self.endings != Endings::CrLf || old.iter().any(|line| line.ends_with('\n')));
        let end = place.at + old.len();
        let touches_end = end == self.lines.len();
        let ends_in_newline = self.text.ends_with('\n') || self.text.is_empty();
        let last_new = lines.iter().rposition(|line| line.sign != Sign::Remove);
        let mut splices: Vec<Splice> = Vec::new();
        let mut idx = place.at;
        let mut changed_endings = false;
        let old_has_mark = self.first_without_bom(place.at, &old).is_some();
        let first_new = lines.iter().position(|line| line.sign != Sign::Remove);
        for (number, line) in lines.iter().enumerate() {
            let is_last = touches_end && last_new == Some(number);
            let (start, stop) = (self.start(idx), self.start(idx + 1));
            match line.sign {
                Sign::Keep => {
                    let open = self.lines.get(idx).is_some_and(|line| !line.ends_with('\n'));
                    if open && !is_last {
                        splices.push(Splice::new(stop, stop, self.ending(idx)));
                    }
                    idx += 1;
                }
                Sign::Remove => {
                    let mark = literal && old_has_mark && idx == 0;
                    let start = if mark { 0 } else { start };
                    // Lines that go together are one splice, also in errors.
                    match splices.last_mut() {
                        Some(last) if last.insert.is_empty() && last.span.end == start => {
                            last.span.end = stop;
                        }
                        _ => splices.push(Splice::new(start, stop, "")),
                    }
                    idx += 1;
                }
                Sign::Add if literal => {
                    if !line.text.ends_with('\n') && !is_last {
                        return Err("it says that the file ends here, and more lines follow");
                    }
                    // Before a first line that is named with its mark is before the mark.
                    let start = if idx == 0 && old_has_mark { 0 } else { start };
                    splices.push(Splice::new(start, start, line.text.clone()));
                }
                Sign::Add => {
                    // What becomes the first line stands behind the file's own mark.
                    let behind_mark = place.at == 0 && self.has_bom() && first_new == Some(number);
                    let text = match line.text.strip_prefix(BOM) {
                        Some(text) if behind_mark => text,
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
            notes.push(format!("{at}: new lines took the file's line ending"));
        }
        Ok(splices)
    }

    /// How a line put before line `idx` ends: as its neighbours do.
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

/// The lines of a hunk that must be in the file.
pub(crate) fn old_lines(lines: &[HunkLine]) -> Vec<&str> {
    let old = lines.iter().filter(|line| line.sign != Sign::Add);
    old.map(|line| line.text.as_str()).collect()
}

/// The one difference in indentation between what stands there and what was searched.
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
