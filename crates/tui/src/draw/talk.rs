//! The conversation, from its end upwards.

use ratatui_core::buffer::Buffer;
use ratatui_core::layout::Rect;

use super::paint::{Paint, Part};
use super::style_of;
use crate::cells;
use crate::state::{State, Tone};

/// Lines for a person who has just come.
const WELCOME: [&str; 7] = [
    "graftage: changes are tried in a private copy, proven, and written only if you agree.",
    "",
    "  fix                     repair what does not build",
    "  finish                  complete the change that you have started",
    "  rename Foo::bar to baz  change a definition and all its uses (also move, inline, …)",
    "  upgrade rand@0.9        another version of a dependency",
    "  where are locks taken?  search the code",
];

/// Beginning of the rows that a model writes now.
const WRITES: &str = "  | ";

pub(super) fn draw(state: &State, buffer: &mut Buffer, area: Rect) {
    let mut paint = Paint::new(buffer, area);
    let (rows, width) = (paint.height(), paint.width());
    if state.talk.entries.is_empty() && state.talk.writing.is_empty() {
        let mut row = 0;
        for (number, line) in WELCOME.iter().enumerate() {
            let style = if number == 0 { state.theme.bold() } else { state.theme.dim() };
            for part in cells::wrapped(line, width) {
                paint.line(row, &[Part::styled(part, style)]);
                row += 1;
            }
        }
        return;
    }
    let mut lines: Vec<(Tone, String)> = Vec::new();
    let wanted = rows + state.talk.back;
    let bar = cells::width(WRITES);
    for (_, line) in state.talk.writing.last(wanted).into_iter().rev() {
        let parts = cells::wrapped(line, width.saturating_sub(bar));
        lines.extend(parts.into_iter().rev().map(|it| (Tone::Dim, format!("{WRITES}{it}"))));
    }
    for entry in state.talk.entries.iter().rev() {
        let sign = if entry.tone == Tone::User { "> " } else { "  " };
        let texts: Vec<&str> = entry.text.lines().collect();
        let mut own = Vec::new();
        for (number, line) in texts.iter().enumerate() {
            for (part, row) in cells::wrapped(line, width.saturating_sub(2)).iter().enumerate() {
                let sign = if number + part == 0 { sign } else { "  " };
                own.push((entry.tone, format!("{sign}{row}")));
            }
        }
        lines.extend(own.into_iter().rev());
        if lines.len() >= wanted {
            break;
        }
    }
    let back = state.talk.back.min(lines.len().saturating_sub(rows));
    let shown: Vec<_> = lines.into_iter().skip(back).take(rows).collect();
    for (row, (tone, line)) in shown.into_iter().rev().enumerate() {
        paint.line(row, &[Part::styled(line, style_of(state, tone))]);
    }
}
