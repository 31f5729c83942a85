//! [`SpanMap`]: exact translation of byte positions, spans and lines of one file between the text
//! before and after an edit. Diagnostics of an overlay are mapped to the user's text with it.

use base::{ByteSpan, LineIndex};

use crate::{Side, TextEdit};

/// The counterpart of a position, span or line in the other text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mapped<T> {
    /// Unchanged counterpart.
    Exact(T),
    /// Removed or changed: there is no exact counterpart.
    Gone {
        /// Position of its replacement, or the nearest one.
        nearest: T,
    },
}

impl<T> Mapped<T> {
    /// The counterpart, where it is unchanged.
    pub fn exact(self) -> Option<T> {
        match self {
            Mapped::Exact(at) => Some(at),
            Mapped::Gone { .. } => None,
        }
    }

    /// The counterpart or the nearest position.
    pub fn nearest(self) -> T {
        match self {
            Mapped::Exact(at) | Mapped::Gone { nearest: at } => at,
        }
    }
}

/// A map of the positions of one file between base and overlay, in both directions. Total:
/// positions past the end are treated as the end.
#[derive(Clone, Debug)]
pub struct SpanMap {
    to_overlay: OneWayMap,
    to_base: OneWayMap,
    base_lines: LineIndex,
    overlay_lines: LineIndex,
}

impl SpanMap {
    /// The map of `edit`, which turns `base` into `overlay`.
    pub fn new(base: &str, overlay: &str, edit: &TextEdit) -> Self {
        let mut cuts = Vec::with_capacity(edit.splices.len());
        let mut shift = 0_isize;
        for splice in &edit.splices {
            let start = splice.span.start.saturating_add_signed(shift);
            cuts.push((splice.span, ByteSpan::new(start, start + splice.insert.len())));
            shift += splice.insert.len() as isize - splice.span.len() as isize;
        }
        let back = cuts.iter().map(|(base, overlay)| (*overlay, *base)).collect();
        Self {
            to_overlay: OneWayMap { cuts, from_len: base.len(), to_len: overlay.len() },
            to_base: OneWayMap { cuts: back, from_len: overlay.len(), to_len: base.len() },
            base_lines: LineIndex::new(base),
            overlay_lines: LineIndex::new(overlay),
        }
    }

    /// The position in the base of a byte position in the overlay; see [`TextEdit::map_pos`].
    pub fn byte_to_base(&self, byte: usize, side: Side) -> usize {
        self.to_base.pos(byte, side)
    }

    /// The position in the overlay of a byte position in the base.
    pub fn byte_to_overlay(&self, byte: usize, side: Side) -> usize {
        self.to_overlay.pos(byte, side)
    }

    /// Exact where every byte of the span is unchanged and nothing was inserted between them; else
    /// the span that covers the same text, replacements included.
    pub fn span_to_base(&self, span: ByteSpan) -> Mapped<ByteSpan> {
        self.to_base.span(span)
    }

    /// As [`SpanMap::span_to_base`], in the other direction.
    pub fn span_to_overlay(&self, span: ByteSpan) -> Mapped<ByteSpan> {
        self.to_overlay.span(span)
    }

    /// Exact where the line (from 1) is unchanged and a whole line in the base too; else the
    /// nearest line.
    pub fn line_to_base(&self, line: u32) -> Mapped<u32> {
        self.to_base.line(line, &self.overlay_lines, &self.base_lines)
    }

    /// As [`SpanMap::line_to_base`], in the other direction.
    pub fn line_to_overlay(&self, line: u32) -> Mapped<u32> {
        self.to_overlay.line(line, &self.base_lines, &self.overlay_lines)
    }
}

#[derive(Clone, Debug)]
struct OneWayMap {
    /// Changed spans in the source and target text; sorted, disjoint, not adjacent in both texts.
    cuts: Vec<(ByteSpan, ByteSpan)>,
    from_len: usize,
    to_len: usize,
}

impl OneWayMap {
    fn pos(&self, pos: usize, side: Side) -> usize {
        let pos = pos.min(self.from_len);
        // The first cut that ends at or after the position.
        let idx = self.cuts.partition_point(|(from, _)| from.end < pos);
        match self.cuts.get(idx) {
            Some((from, to)) if from.start <= pos => {
                if from.is_empty() {
                    match side {
                        Side::Before => to.start,
                        Side::After => to.end,
                    }
                } else if pos == from.start {
                    to.start
                } else if pos == from.end {
                    to.end
                } else {
                    match side {
                        Side::Before => to.start,
                        Side::After => to.end,
                    }
                }
            }
            _ => self.kept(pos, idx),
        }
    }

    /// The target of a position outside all cuts; `idx` cuts are before it.
    fn kept(&self, pos: usize, idx: usize) -> usize {
        let before = idx.checked_sub(1).and_then(|idx| self.cuts.get(idx));
        let (from, to) = before.map_or((0, 0), |(from, to)| (from.end, to.end));
        (to + pos.saturating_sub(from)).min(self.to_len)
    }

    fn is_kept(&self, span: ByteSpan) -> bool {
        let idx = self.cuts.partition_point(|(from, _)| from.end <= span.start);
        match self.cuts.get(idx) {
            Some((from, _)) => from.start >= span.end,
            None => true,
        }
    }

    fn span(&self, span: ByteSpan) -> Mapped<ByteSpan> {
        let span = ByteSpan::new(span.start.min(self.from_len), span.end.min(self.from_len));
        if span.is_empty() {
            let at = self.pos(span.start, Side::Before);
            let target = ByteSpan::new(at, at);
            let idx = self.cuts.partition_point(|(from, _)| from.end <= span.start);
            let inside = self.cuts.get(idx).is_some_and(|(from, _)| from.start < span.start);
            return if inside { Mapped::Gone { nearest: target } } else { Mapped::Exact(target) };
        }
        // Insertions at the bounds of the span are excluded, replaced text at its bounds is
        // included.
        let inside_cut = |pos: usize| {
            let idx = self.cuts.partition_point(|(from, _)| from.end <= pos);
            self.cuts.get(idx).is_some_and(|(from, _)| from.start < pos)
        };
        let start_side = if inside_cut(span.start) { Side::Before } else { Side::After };
        let end_side = if inside_cut(span.end) { Side::After } else { Side::Before };
        let target = ByteSpan::new(self.pos(span.start, start_side), self.pos(span.end, end_side));
        if self.is_kept(span) { Mapped::Exact(target) } else { Mapped::Gone { nearest: target } }
    }

    fn line(&self, line: u32, from: &LineIndex, to: &LineIndex) -> Mapped<u32> {
        let line = line.clamp(1, from.line_count());
        let whole = from.line_span(line).unwrap_or(ByteSpan::new(self.from_len, self.from_len));
        let content = content(from, line);
        // A blank line is compared by its newline; the last line has none.
        let compared = if content.is_empty() { whole } else { content };
        if let Mapped::Exact(target) = self.span(compared) {
            let at = if compared.is_empty() {
                self.pos(compared.start, Side::After)
            } else {
                target.start
            };
            let counterpart = to.line_of(at);
            let is_start = to.line_span(counterpart).is_some_and(|it| it.start == at);
            let end = at + content.len();
            let is_last_and_blank = !compared.is_empty() || counterpart == to.line_count();
            if is_start && is_last_and_blank && self::content(to, counterpart).end == end {
                return Mapped::Exact(counterpart);
            }
        }
        let at = self.pos(content.start, Side::Before);
        Mapped::Gone { nearest: to.line_of(at).clamp(1, to.line_count()) }
    }
}

/// The byte range of a line without its newline.
fn content(index: &LineIndex, line: u32) -> ByteSpan {
    let whole = index.line_span(line).unwrap_or(ByteSpan::new(0, 0));
    let newline = usize::from(line < index.line_count());
    ByteSpan::new(whole.start, whole.end.saturating_sub(newline).max(whole.start))
}
