//! [`Paint`]: rows of styled texts in an area. Nothing is written outside of it.

use std::borrow::Cow;

use ratatui_core::buffer::Buffer;
use ratatui_core::layout::Rect;
use ratatui_core::style::Style;

use crate::cells;

/// A text with a style.
pub(super) struct Part<'a> {
    text: Cow<'a, str>,
    style: Style,
}

impl<'a> Part<'a> {
    pub(super) fn plain(text: impl Into<Cow<'a, str>>) -> Self {
        Self::styled(text, Style::new())
    }

    pub(super) fn styled(text: impl Into<Cow<'a, str>>, style: Style) -> Self {
        Self { text: text.into(), style }
    }

    pub(super) fn width(&self) -> usize {
        cells::width(&self.text)
    }
}

/// An area that is painted row by row.
pub(super) struct Paint<'b> {
    buffer: &'b mut Buffer,
    area: Rect,
}

impl<'b> Paint<'b> {
    pub(super) fn new(buffer: &'b mut Buffer, area: Rect) -> Self {
        let area = area.intersection(*buffer.area());
        Self { buffer, area }
    }

    pub(super) fn height(&self) -> usize {
        usize::from(self.area.height)
    }

    pub(super) fn width(&self) -> usize {
        usize::from(self.area.width)
    }

    fn y(&self, row: usize) -> Option<u16> {
        let row = u16::try_from(row).ok().filter(|it| *it < self.area.height)?;
        Some(self.area.y + row)
    }

    /// Paints a row from its beginning; what does not fit is cut.
    pub(super) fn line(&mut self, row: usize, parts: &[Part<'_>]) {
        self.at(row, 0, parts);
    }

    /// Paints a row from a column on.
    pub(super) fn at(&mut self, row: usize, column: usize, parts: &[Part<'_>]) {
        let Some(y) = self.y(row) else { return };
        let mut used = column;
        for (number, part) in parts.iter().enumerate() {
            let left = self.width().saturating_sub(used);
            if left == 0 {
                return;
            }
            let has_more = parts[number + 1..].iter().any(|it| !it.text.is_empty());
            let text = match part.width() > left || (part.width() == left && has_more) {
                true => cells::cut(&part.text, left),
                false => Cow::Borrowed(part.text.as_ref()),
            };
            let x = self.area.x + u16::try_from(used).unwrap_or(u16::MAX);
            self.buffer.set_stringn(x, y, &text, left, part.style);
            used += cells::width(&text);
        }
    }

    /// Paints a text at the end of a row, if there is space after a column.
    pub(super) fn right(&mut self, row: usize, after: u16, part: &Part<'_>) {
        let space = self.width().saturating_sub(usize::from(after));
        let text = cells::cut(&part.text, space);
        let at = self.width().saturating_sub(cells::width(&text));
        self.at(row, at, &[Part::styled(text, part.style)]);
    }

    /// Gives the cells of a row a style on top of theirs.
    pub(super) fn style_row(&mut self, row: usize, columns: std::ops::Range<usize>, style: Style) {
        let Some(y) = self.y(row) else { return };
        let end = columns.end.min(self.width());
        let width = end.saturating_sub(columns.start);
        let x = self.area.x + u16::try_from(columns.start).unwrap_or(u16::MAX);
        let width = u16::try_from(width).unwrap_or(u16::MAX);
        self.buffer.set_style(Rect { x, y, width, height: 1 }, style);
    }

    /// The cell of the screen for a row and column of the area.
    pub(super) fn place(&self, row: usize, column: usize) -> Option<(u16, u16)> {
        let y = self.y(row)?;
        let column = u16::try_from(column).ok()?.min(self.area.width.saturating_sub(1));
        Some((self.area.x + column, y))
    }
}
