//! Positions in a text: byte ranges, lines and columns, and the index that converts between them.
//! No item here keeps the text itself.
use serde::{Deserialize, Serialize};

/// A half-open range of bytes of one text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ByteSpan {
    /// Offset of the first byte.
    pub start: usize,
    /// Offset one past the last byte; never below `start`.
    pub end: usize,
}

impl ByteSpan {
    /// The span between the two offsets, in either order.
    pub fn new(start: usize, end: usize) -> Self {
        Self { start: start.min(end), end: start.max(end) }
    }

    /// The number of bytes.
    pub fn len(self) -> usize {
        self.end - self.start
    }

    /// Whether it has no bytes; it is still a position.
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// Whether `other` is inside, equal bounds included.
    pub fn contains(self, other: ByteSpan) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// Whether the two share at least one byte.
    pub fn overlaps(self, other: ByteSpan) -> bool {
        self.start < other.end && other.start < self.end
    }

    /// The slice of `text`; `None` where the span is out of range or splits a character.
    pub fn slice(self, text: &str) -> Option<&str> {
        text.get(self.start..self.end)
    }
}

/// A position for display: line and column, both from 1, the column counted in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct LineCol {
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1, in Unicode scalar values, as rustc counts.
    pub col: u32,
}

/// The start offsets of the lines of a text; lines end at `\n`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineIndex {
    starts: Vec<usize>,
    len: usize,
}

impl LineIndex {
    /// Builds the index in one pass over `text`.
    pub fn new(text: &str) -> Self {
        let mut starts = vec![0];
        starts.extend(text.match_indices('\n').map(|(at, _)| at + 1));
        Self { starts, len: text.len() }
    }

    /// The number of lines; a text that ends in a newline has one empty line more.
    pub fn line_count(&self) -> u32 {
        self.starts.len() as u32
    }

    /// The line (from 1) that contains the byte; bytes past the end belong to the last line.
    pub fn line_of(&self, byte: usize) -> u32 {
        self.starts.partition_point(|start| *start <= byte) as u32
    }

    /// The byte range of a line (from 1), newline included; `None` past the end.
    pub fn line_span(&self, line: u32) -> Option<ByteSpan> {
        let idx = (line as usize).checked_sub(1)?;
        let start = *self.starts.get(idx)?;
        let end = self.starts.get(idx + 1).copied().unwrap_or(self.len);
        Some(ByteSpan { start, end })
    }

    /// Line and column of a byte of `text`, which must be the text that the index was built from.
    pub fn line_col(&self, text: &str, byte: usize) -> LineCol {
        let byte = byte.min(self.len);
        let line = self.line_of(byte);
        let start = self.starts[line as usize - 1];
        let col = text.get(start..byte).map_or(byte - start, |before| before.chars().count());
        LineCol { line, col: col as u32 + 1 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_columns_count_characters_from_one() {
        let text = "ab\nçd\n";
        let index = LineIndex::new(text);
        assert_eq!(index.line_count(), 3);
        assert_eq!(index.line_col(text, 0), LineCol { line: 1, col: 1 });
        assert_eq!(index.line_col(text, 5), LineCol { line: 2, col: 2 });
        assert_eq!(index.line_col(text, 99), LineCol { line: 3, col: 1 });
        assert_eq!(index.line_span(2), Some(ByteSpan { start: 3, end: 7 }));
        assert_eq!(index.line_span(4), None);
        assert_eq!(index.line_span(0), None);
    }
}
