//! The help, made from the one table of keys.

use ratatui_core::buffer::Buffer;
use ratatui_core::layout::Rect;

use super::paint::{Paint, Part};
use crate::cells;
use crate::state::State;

pub(super) fn draw(state: &State, top: usize, buffer: &mut Buffer, area: Rect) {
    let mut paint = Paint::new(buffer, area);
    let mut rows: Vec<Vec<Part<'_>>> = Vec::new();
    let mut context = None;
    for (of, keys, name, help) in state.keys.table() {
        if context != Some(of) {
            context = Some(of);
            if !rows.is_empty() {
                rows.push(Vec::new());
            }
            rows.push(vec![Part::styled(of.heading(), state.theme.bold())]);
        }
        let pad = 12_usize.saturating_sub(cells::width(&keys)).max(1);
        rows.push(vec![
            Part::styled(format!("  {keys}"), state.theme.accent()),
            Part::plain(" ".repeat(pad)),
            Part::styled(format!("{name:<16}"), state.theme.dim()),
            Part::plain(format!(" {help}")),
        ]);
    }
    rows.push(Vec::new());
    let line = "Each name is also a command: `:accept`. Shift and the mouse select text; f9 gives the \
                mouse to the terminal.";
    rows.extend(cells::wrapped(line, paint.width()).into_iter().map(|it| vec![Part::plain(it)]));
    let top = top.min(rows.len().saturating_sub(paint.height()));
    for (row, parts) in rows.iter().skip(top).take(paint.height()).enumerate() {
        paint.line(row, parts);
    }
}
