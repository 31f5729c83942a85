//! The help, made from the one table of keys.

use ratatui_core::buffer::Buffer;
use ratatui_core::layout::Rect;

use super::paint::{Paint, Part};
use crate::cells;
use crate::state::State;

/// Columns from which the names of actions are shown.
const WITH_NAMES: usize = 70;

pub(super) fn draw(state: &State, top: usize, buffer: &mut Buffer, area: Rect) {
    let mut paint = Paint::new(buffer, area);
    let mut rows: Vec<Vec<Part<'_>>> = Vec::new();
    let has_names = paint.width() >= WITH_NAMES;
    let mut context = None;
    for (of, keys, name, help) in state.keys.table() {
        if context != Some(of) {
            context = Some(of);
            if !rows.is_empty() {
                rows.push(Vec::new());
            }
            rows.push(vec![Part::styled(of.heading(), state.theme.bold())]);
        }
        let pad = 16_usize.saturating_sub(cells::width(&keys)).max(1);
        rows.push(vec![
            Part::styled(format!("  {keys}"), state.theme.accent()),
            Part::plain(" ".repeat(pad)),
            Part::styled(
                if has_names { format!("{name:<17}") } else { String::new() },
                state.theme.dim(),
            ),
            Part::plain(help),
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
