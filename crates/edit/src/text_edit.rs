use base::ByteSpan;

/// Text removed and text put in its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Splice {
    /// The bytes of the base text that go; empty for a mere insertion.
    pub span: ByteSpan,
    /// What comes there; empty for a mere removal.
    pub insert: String,
}

impl Splice {
    /// Replaces `start..end` by `insert`.
    pub fn new(start: usize, end: usize, insert: impl Into<String>) -> Self {
        Self { span: ByteSpan::new(start, end), insert: insert.into() }
    }
}

/// A change of one text: removed and inserted pieces at increasing offsets of the base.
///
/// Invariant: splices are sorted, disjoint, not adjacent, none of them empty on both sides, each
/// on character borders of the base. [`TextEdit::new`] and [`TextEdit::diff`] establish it, all
/// operations keep it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextEdit {
    /// The pieces.
    pub splices: Vec<Splice>,
}

/// On which side of an insertion a position stays that stands exactly there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Before the inserted text.
    Before,
    /// Behind the inserted text.
    After,
}

/// Why splices make no [`TextEdit`]; indices count the splices as they were handed in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpliceFault {
    /// An offset lies past the end of the base.
    OutOfRange {
        /// Which splice.
        idx: usize,
        /// Its offset.
        offset: usize,
    },
    /// An offset splits a character.
    NotCharBoundary {
        /// Which splice.
        idx: usize,
        /// Its offset.
        offset: usize,
    },
    /// Two splices touch the same bytes, or one inserts inside what the other removes.
    Overlap {
        /// The one that comes first in the text.
        first: usize,
        /// The other.
        second: usize,
    },
}

impl TextEdit {
    /// Sorts and joins splices against the base that they speak of. Insertions at the same place
    /// stay in the order in which they were handed in, and stand before what is replaced there.
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
        let mut builder = Builder::default();
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

    /// Whether it changes nothing.
    pub fn is_empty(&self) -> bool {
        self.splices.is_empty()
    }

    /// The changed text; `None` where `base` is not the text it was made for (offsets past its
    /// end or inside a character).
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

    /// What leads back from the changed text to `base`; `None` where `base` is another text.
    pub fn invert(&self, base: &str) -> Option<TextEdit> {
        let mut builder = Builder::default();
        let mut at = 0;
        for splice in &self.splices {
            builder.keep(splice.span.start.checked_sub(at)?);
            builder.delete(splice.insert.len());
            builder.insert(splice.span.slice(base)?);
            at = splice.span.end;
        }
        Some(builder.finish())
    }

    /// First `self`, then `next`, as one edit of `self`'s base; `None` where `next` splits a
    /// character of `self`'s insertions, so was not made for its result.
    pub fn compose(&self, next: &TextEdit) -> Option<TextEdit> {
        let (mut first, mut second) = (Ops::new(self), Ops::new(next));
        let (mut a, mut b) = (first.next(), second.next());
        let mut builder = Builder::default();
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

    /// Where a position of the base stands in the changed text. Positions inside removed text go
    /// to the border of what replaced it; the borders of replaced text go to the borders of its
    /// replacement; at a mere insertion `side` decides.
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

/// One step through a text.
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

    /// What is left behind the first `len` bytes: `Some(None)` for nothing.
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

/// The steps of an edit, ended by an endless `Keep`.
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

/// Collects steps into splices and keeps the invariant: touching pieces become one.
#[derive(Default)]
pub(crate) struct Builder {
    splices: Vec<Splice>,
    /// How much of the base is behind us.
    at: usize,
    open: Option<Splice>,
}

impl Builder {
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
