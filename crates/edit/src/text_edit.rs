//! [`TextEdit`]: a set of splices on one text, as a value that applies, inverts, composes and maps
//! positions. It does not keep the text.

use base::ByteSpan;

/// One replacement: a span of the base text and the text to insert there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Splice {
    /// Byte range of the base text that is removed; empty for an insertion.
    pub span: ByteSpan,
    /// Inserted text; empty for a removal.
    pub insert: String,
}

impl Splice {
    /// The replacement of `start..end` by `insert`.
    pub fn new(start: usize, end: usize, insert: impl Into<String>) -> Self {
        Self { span: ByteSpan::new(start, end), insert: insert.into() }
    }
}

/// A change of one text: splices at increasing offsets of the base text.
///
/// Invariant: splices are sorted, disjoint, not adjacent, not empty on both sides, and on character
/// boundaries of the base. [`TextEdit::new`] and [`TextEdit::diff`] establish it, all operations
/// preserve it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextEdit {
    /// Splices.
    pub splices: Vec<Splice>,
}

/// The side of an insertion to which a position at the insertion point is mapped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Before the inserted text.
    Before,
    /// After the inserted text.
    After,
}

/// Why splices do not form a [`TextEdit`]; indices refer to the splices as passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpliceFault {
    /// An offset is past the end of the base.
    OutOfRange {
        /// Index of the splice.
        idx: usize,
        /// Offset.
        offset: usize,
    },
    /// An offset splits a character.
    NotCharBoundary {
        /// Index of the splice.
        idx: usize,
        /// Offset.
        offset: usize,
    },
    /// Two splices touch the same bytes, or one inserts inside the range that the other removes.
    Overlap {
        /// Index of the first one in the text.
        first: usize,
        /// Index of the second one.
        second: usize,
    },
}

impl TextEdit {
    /// Sorts and merges splices of `base`. Insertions at the same offset keep the given order, and
    /// come before a replacement at that offset.
    pub fn new(base: &str, splices: &[Splice]) -> Result<Self, SpliceFault> {
        for (idx, splice) in splices.iter().enumerate() {
            for offset in [splice.span.start, splice.span.end] {
                if offset > base.len() {
                    return Err(SpliceFault::OutOfRange { idx, offset });
                }
                if !base.is_char_boundary(offset) {
                    return Err(SpliceFault::NotCharBoundary { idx, offset });
                }
            }
        }
        let mut order: Vec<usize> = (0..splices.len()).collect();
        order.sort_by_key(|idx| (splices[*idx].span.start, splices[*idx].span.end, *idx));
        let mut builder = EditBuilder::default();
        let mut last: Option<usize> = None;
        for idx in order {
            let splice = &splices[idx];
            if splice.span.is_empty() && splice.insert.is_empty() {
                continue;
            }
            if splice.span.start < builder.at {
                return Err(SpliceFault::Overlap { first: last.unwrap_or(idx), second: idx });
            }
            builder.keep(splice.span.start - builder.at);
            builder.delete(splice.span.len());
            builder.insert(&splice.insert);
            last = Some(idx);
        }
        Ok(builder.finish())
    }

    /// The changed text; `None` where `base` is not the text that the edit was made for (offsets
    /// out of range or inside a character).
    pub fn apply(&self, base: &str) -> Option<String> {
        let mut out = String::with_capacity(base.len());
        let mut at = 0;
        for splice in &self.splices {
            out.push_str(base.get(at..splice.span.start)?);
            base.get(splice.span.start..splice.span.end)?;
            out.push_str(&splice.insert);
            at = splice.span.end;
        }
        out.push_str(base.get(at..)?);
        Some(out)
    }

    /// The inverse, from the changed text to `base`; `None` where `base` is another text.
    pub fn invert(&self, base: &str) -> Option<TextEdit> {
        let mut builder = EditBuilder::default();
        let mut at = 0;
        for splice in &self.splices {
            builder.keep(splice.span.start.checked_sub(at)?);
            builder.delete(splice.insert.len());
            builder.insert(splice.span.slice(base)?);
            at = splice.span.end;
        }
        Some(builder.finish())
    }

    /// `self` followed by `next`, as one edit of `self`'s base; `None` where `next` splits a
    /// character of an insertion, which means that it was made for another text.
    pub fn compose(&self, next: &TextEdit) -> Option<TextEdit> {
        let (mut first, mut second) = (Ops::new(self), Ops::new(next));
        let (mut a, mut b) = (first.next(), second.next());
        let mut builder = EditBuilder::default();
        loop {
            (a, b) = match (a, b) {
                (Op::Delete(len), b) => {
                    builder.delete(len);
                    (first.next(), b)
                }
                (a, Op::Insert(text)) => {
                    builder.insert(text);
                    (a, second.next())
                }
                (Op::Keep(usize::MAX), Op::Keep(usize::MAX)) => return Some(builder.finish()),
                (a, b) => {
                    let len = a.len().min(b.len());
                    match (a, b) {
                        (Op::Keep(_), Op::Keep(_)) => builder.keep(len),
                        (Op::Keep(_), _) => builder.delete(len),
                        (Op::Insert(text), Op::Keep(_)) => builder.insert(text.get(..len)?),
                        _ => {}
                    }
                    let a = match a.rest(len)? {
                        Some(rest) => rest,
                        None => first.next(),
                    };
                    let b = match b.rest(len)? {
                        Some(rest) => rest,
                        None => second.next(),
                    };
                    (a, b)
                }
            };
        }
    }

    /// The position in the changed text of a position of the base. Positions inside removed text
    /// map to a bound of the replacement; the bounds of replaced text map to the bounds of the
    /// replacement; at an insertion `side` decides.
    pub fn map_pos(&self, pos: usize, side: Side) -> usize {
        let mut shift = 0_isize;
        for splice in &self.splices {
            if pos < splice.span.start {
                break;
            }
            let start = splice.span.start.saturating_add_signed(shift);
            if splice.span.is_empty() && pos == splice.span.start {
                return match side {
                    Side::Before => start,
                    Side::After => start + splice.insert.len(),
                };
            }
            if pos < splice.span.end {
                return match side {
                    Side::After if pos > splice.span.start => start + splice.insert.len(),
                    _ => start,
                };
            }
            shift += splice.insert.len() as isize - splice.span.len() as isize;
        }
        pos.saturating_add_signed(shift)
    }
}

/// One operation of an edit, in sequence through the text.
#[derive(Clone, Copy)]
enum Op<'a> {
    Keep(usize),
    Delete(usize),
    Insert(&'a str),
}

impl<'a> Op<'a> {
    fn len(self) -> usize {
        match self {
            Op::Keep(len) | Op::Delete(len) => len,
            Op::Insert(text) => text.len(),
        }
    }

    /// The remainder after the first `len` bytes; `Some(None)` where nothing remains.
    fn rest(self, len: usize) -> Option<Option<Op<'a>>> {
        if len == self.len() {
            return Some(None);
        }
        Some(Some(match self {
            Op::Keep(usize::MAX) => Op::Keep(usize::MAX),
            Op::Keep(all) => Op::Keep(all - len),
            Op::Delete(all) => Op::Delete(all - len),
            Op::Insert(text) => Op::Insert(text.get(len..)?),
        }))
    }
}

/// The operations of an edit, followed by an infinite `Keep`.
struct Ops<'a> {
    splices: std::slice::Iter<'a, Splice>,
    current: Option<&'a Splice>,
    at: usize,
    stage: u8,
}

impl<'a> Ops<'a> {
    fn new(edit: &'a TextEdit) -> Self {
        Self { splices: edit.splices.iter(), current: None, at: 0, stage: 3 }
    }

    fn next(&mut self) -> Op<'a> {
        loop {
            if self.stage == 3 {
                self.current = self.splices.next();
                self.stage = 0;
            }
            let Some(splice) = self.current else {
                self.stage = 3;
                return Op::Keep(usize::MAX);
            };
            self.stage += 1;
            let op = match self.stage {
                1 => Op::Keep(splice.span.start.saturating_sub(self.at)),
                2 => Op::Delete(splice.span.len()),
                _ => {
                    self.at = splice.span.end;
                    Op::Insert(&splice.insert)
                }
            };
            if op.len() > 0 {
                return op;
            }
        }
    }
}

/// Builds splices from operations and merges adjacent ones, which keeps the invariant.
#[derive(Default)]
pub(crate) struct EditBuilder {
    splices: Vec<Splice>,
    /// Position in the base.
    at: usize,
    open: Option<Splice>,
}

impl EditBuilder {
    pub(crate) fn keep(&mut self, len: usize) {
        if len > 0 {
            self.splices.extend(self.open.take());
            self.at += len;
        }
    }

    pub(crate) fn delete(&mut self, len: usize) {
        if len > 0 {
            self.open().span.end += len;
            self.at += len;
        }
    }

    pub(crate) fn insert(&mut self, text: &str) {
        if !text.is_empty() {
            self.open().insert.push_str(text);
        }
    }

    pub(crate) fn finish(mut self) -> TextEdit {
        self.splices.extend(self.open.take());
        TextEdit { splices: self.splices }
    }

    fn open(&mut self) -> &mut Splice {
        let at = self.at;
        self.open.get_or_insert_with(|| Splice::new(at, at, ""))
    }
}
