//! One random change, checked against every law.

use std::path::Path;

use base::{ByteSpan, ProjectPath, SortedMap, Timestamp};
use graftage_edit::{
    FileState, Files, Mapped, Overlay, Side, SpanMap, Splice, TextEdit, Unreadable, parse_request,
    stage,
};

use super::random::{Rng, border, changed, text};

/// Files in memory.
#[derive(Default)]
pub(crate) struct Map(pub(crate) SortedMap<ProjectPath, FileState>);

impl Files for Map {
    fn read(&self, path: &ProjectPath) -> Result<Option<FileState>, Unreadable> {
        Ok(self.0.get(path).cloned())
    }
}

pub(crate) fn path(name: &str) -> Result<ProjectPath, String> {
    ProjectPath::new(name).map_err(|error| error.to_string())
}

/// One random pair of texts: diff, inverse, the written diff parsed again, and the position map.
pub(crate) fn check(rng: &mut Rng) -> Result<(), String> {
    let before = text(rng, 24);
    let after = if rng.once_in(10) { text(rng, 24) } else { changed(rng, &before) };
    let name = *rng.pick(&["a.rs", "src/b c.rs", "ä\"q\\.rs"]);
    let fail = |what: &str| Err(format!("{what}\nbefore {before:?}\nafter {after:?}"));

    let edit = TextEdit::diff(&before, &after);
    if edit.apply(&before).as_deref() != Some(after.as_str()) {
        return fail("the diff does not lead to the text after");
    }
    let Some(back) = edit.invert(&before) else { return fail("no inverse") };
    if back.apply(&after).as_deref() != Some(before.as_str()) {
        return fail("the inverse does not lead back");
    }
    if back.invert(&after).as_ref() != Some(&edit) {
        return fail("inverting twice changes the edit");
    }

    let name = path(name)?;
    let executable = rng.once_in(4);
    let (old, new) = match rng.below(8) {
        0 => (None, Some(after.as_str())),
        1 => (Some(before.as_str()), None),
        _ => (Some(before.as_str()), Some(after.as_str())),
    };
    let old = old.map(|text| FileState { text: text.into(), executable });
    let turn = rng.once_in(8);
    let new = new.map(|text| FileState { text: text.into(), executable: executable ^ turn });
    let files = Map(old.iter().map(|state| (name.clone(), state.clone())).collect());
    let overlay = Overlay::from_states("law", Timestamp(1), vec![(name, old, new)]);
    let diff = overlay.unified_diff();
    if !overlay.is_empty() {
        let staged = parse_request(&diff, Path::new("/project"))
            .and_then(|request| stage(&files, &request, "law", Timestamp(2)));
        match staged {
            Ok(staged) if staged.overlay.patch_set() != overlay.patch_set() => {
                return fail(&format!("the diff results in another overlay:\n{diff}"));
            }
            Ok(staged) if !staged.notes.is_empty() => {
                return fail(&format!("the diff is read with notes {:?}:\n{diff}", staged.notes));
            }
            Ok(_) => {}
            Err(error) => return fail(&format!("the diff is refused: {error}\n{diff}")),
        }
    }

    map_is_exact(&before, &after, &edit, rng).or_else(|what| fail(&what))?;
    // The same for splices that do not follow lines.
    let (splices, spliced) = splices(rng, &before);
    let edit = match TextEdit::new(&before, &splices) {
        Ok(edit) => edit,
        Err(fault) => return fail(&format!("sound splices are refused: {fault:?} {splices:?}")),
    };
    if edit.apply(&before).as_deref() != Some(spliced.as_str()) {
        return fail(&format!("splices lead elsewhere: {splices:?}"));
    }
    map_is_exact(&before, &spliced, &edit, rng).or_else(|what| fail(&what))
}

/// Disjoint splices, and the text that they result in, built independently.
pub(crate) fn splices(rng: &mut Rng, base: &str) -> (Vec<Splice>, String) {
    let mut borders: Vec<usize> = (0..2 * rng.below(4)).map(|_| border(rng, base)).collect();
    borders.sort_unstable();
    let mut splices = Vec::new();
    let mut out = String::new();
    let mut at = 0;
    for pair in borders.chunks_exact(2) {
        let insert = text(rng, 3);
        out.push_str(&base[at..pair[0]]);
        out.push_str(&insert);
        at = pair[1];
        splices.push(Splice::new(pair[0], pair[1], insert));
    }
    out.push_str(&base[at..]);
    (splices, out)
}

/// Compares the map with a table computed byte by byte.
fn map_is_exact(base: &str, overlay: &str, edit: &TextEdit, rng: &mut Rng) -> Result<(), String> {
    let mut there: Vec<Option<usize>> = vec![None; base.len()];
    let mut back: Vec<Option<usize>> = vec![None; overlay.len()];
    let (mut at, mut to) = (0, 0);
    let end = Splice::new(base.len(), base.len(), "");
    for splice in edit.splices.iter().chain([&end]) {
        while at < splice.span.start {
            there[at] = Some(to);
            back[to] = Some(at);
            (at, to) = (at + 1, to + 1);
        }
        at = splice.span.end;
        to += splice.insert.len();
    }
    let map = SpanMap::new(base, overlay, edit);
    let forth = Reference { from: base, to: overlay, table: &there };
    forth.check(
        rng,
        &|byte, side| map.byte_to_overlay(byte, side),
        &|span| map.span_to_overlay(span),
        &|line| map.line_to_overlay(line),
    )?;
    for byte in 0..=base.len() + 1 {
        for side in [Side::Before, Side::After] {
            let direct = edit.map_pos(byte.min(base.len()), side);
            if map.byte_to_overlay(byte, side) != direct {
                return Err(format!("map and edit disagree on byte {byte}"));
            }
        }
    }
    let reference = Reference { from: overlay, to: base, table: &back };
    reference.check(
        rng,
        &|byte, side| map.byte_to_base(byte, side),
        &|span| map.span_to_base(span),
        &|line| map.line_to_base(line),
    )
}

struct Reference<'a> {
    from: &'a str,
    to: &'a str,
    table: &'a [Option<usize>],
}

impl Reference<'_> {
    fn check(
        &self,
        rng: &mut Rng,
        byte_of: &dyn Fn(usize, Side) -> usize,
        span_of: &dyn Fn(ByteSpan) -> Mapped<ByteSpan>,
        line_of: &dyn Fn(u32) -> Mapped<u32>,
    ) -> Result<(), String> {
        for side in [Side::Before, Side::After] {
            let mut last = 0;
            for byte in 0..=self.from.len() + 2 {
                let at = byte_of(byte, side);
                if at < last || at > self.to.len() {
                    return Err(format!("byte {byte} goes to {at}, behind {last}"));
                }
                last = at;
                // A kept byte's start maps to its start, where nothing was inserted before it.
                if let Some(Some(want)) = self.table.get(byte)
                    && (side == Side::After || self.is_joined(byte))
                    && at != *want
                {
                    return Err(format!("byte {byte} goes to {at}, not {want} ({side:?})"));
                }
            }
        }
        for _ in 0..6 {
            let (a, b) = (border(rng, self.from), border(rng, self.from));
            let span = ByteSpan::new(a, b);
            if span.is_empty() {
                continue;
            }
            let bytes = &self.table[span.start..span.end];
            let kept = bytes[0].is_some_and(|start| {
                bytes.iter().enumerate().all(|(idx, at)| *at == Some(start + idx))
            });
            let got = span_of(span);
            match (got, kept) {
                (Mapped::Exact(at), true)
                    if at.slice(self.to) == span.slice(self.from) && bytes[0] == Some(at.start) => {
                }
                (Mapped::Gone { nearest }, false) if nearest.end <= self.to.len() => {}
                _ => return Err(format!("span {span:?} goes to {got:?}, kept: {kept}")),
            }
        }
        let mut start = 0;
        let lines: Vec<&str> = self.from.split('\n').collect();
        for (idx, content) in lines.iter().enumerate() {
            let got = line_of(idx as u32 + 1);
            let want = self.line(start, content, idx + 1 == lines.len());
            let sound = match got {
                Mapped::Exact(line) => Some(line) == want,
                Mapped::Gone { nearest } => {
                    want.is_none()
                        && (1..=self.to.split('\n').count()).contains(&(nearest as usize))
                }
            };
            if !sound {
                return Err(format!("line {} goes to {got:?}, not {want:?}", idx + 1));
            }
            start += content.len() + 1;
        }
        line_of(0);
        line_of(u32::MAX);
        Ok(())
    }

    /// Whether nothing was inserted between this byte and the one before it.
    fn is_joined(&self, byte: usize) -> bool {
        match byte.checked_sub(1) {
            None => self.table[byte] == Some(0),
            Some(before) => matches!(
                (self.table[before], self.table[byte]),
                (Some(a), Some(b)) if a + 1 == b
            ),
        }
    }

    /// The counterpart of the line that begins at `start`, by definition: a whole line with the
    /// same bytes.
    fn line(&self, start: usize, content: &str, is_last: bool) -> Option<u32> {
        let to = self.to.as_bytes();
        let at = if !content.is_empty() {
            let first = self.table[start]?;
            let kept = (0..content.len()).all(|idx| self.table[start + idx] == Some(first + idx));
            kept.then_some(first)?
        } else if !is_last {
            self.table[start]?
        } else {
            self.to.len()
        };
        let begins = at == 0 || to[at - 1] == b'\n';
        let ends = at + content.len() == to.len() || to[at + content.len()] == b'\n';
        if !begins || !ends {
            return None;
        }
        Some(to[..at].iter().filter(|byte| **byte == b'\n').count() as u32 + 1)
    }
}
