//! The change under review: title and state of its proof, then its rows, or the text that is edited.

use std::ops::Range;

use base::Severity;
use ratatui_core::buffer::Buffer;
use ratatui_core::layout::Rect;
use ratatui_core::style::{Modifier, Style};
use syntax::TokenColour;

use super::paint::{Paint, Part};
use crate::cells;
use crate::diff_view::{DiffLayout, LineKind, LineRow, Row};
use crate::state::{EditPane, OverlayPane, State};
use crate::writing::WritingPart;

/// Least columns of a line number.
const NUMBER: usize = 4;

/// Columns from which the files are listed beside the change.
const FILES_FROM: usize = 120;
/// Columns of that list.
const FILES: usize = 30;
/// Columns of it from 160 columns on.
const FILES_WIDE: usize = 48;

pub(super) fn draw(state: &State, buffer: &mut Buffer, area: Rect) -> Option<(u16, u16)> {
    let mut paint = Paint::new(buffer, area);
    let Some(pane) = &state.overlay else {
        if !state.talk.writing.is_empty() {
            draw_writing(state, &mut paint);
            return None;
        }
        let lines = [
            "No change is under review.",
            "",
            "fix, finish and refactorings show their change here before anything is written;",
            "proposals open from their list.",
        ];
        for (row, line) in lines.iter().enumerate() {
            paint.line(row, &[Part::styled(*line, state.theme.dim())]);
        }
        return None;
    };
    title(state, pane, &mut paint);
    if let Some(edit) = &pane.edit {
        return draw_edit(state, edit, &mut paint);
    }
    let has_list = paint.width() >= FILES_FROM && pane.view.files.len() > 1;
    let left = if has_list { list_width(paint.width()) } else { 0 };
    if has_list {
        files(state, pane, &mut paint);
        for row in 1..paint.height() {
            paint.at(row, left - 2, &[Part::styled("│ ", state.theme.dim())]);
        }
    }
    let body = Rect {
        x: area.x + u16::try_from(left).unwrap_or_default(),
        y: area.y + 1,
        width: area.width - u16::try_from(left).unwrap_or_default(),
        height: area.height.saturating_sub(1),
    };
    let mut paint = Paint::new(buffer, body);
    let height = paint.height();
    // The cursor is shown also where the state was made for another height.
    let top = pane.top.min(pane.at).max((pane.at + 1).saturating_sub(height.max(1)));
    for (row, number) in (top..pane.view.rows.len()).take(height).enumerate() {
        draw_row(state, pane, number, row, &mut paint);
        if number == pane.at {
            paint.style_row(row, 0..3, state.theme.chosen());
        }
    }
    None
}

/// The edit that a model writes now.
fn draw_writing(state: &State, paint: &mut Paint<'_>) {
    let model = state.info.model.as_deref().unwrap_or("the model");
    let title = format!("{} writes; nothing of it is checked yet", cells::shown(model));
    paint.line(0, &[Part::styled(title, state.theme.accent())]);
    let lines = state.talk.writing.last(paint.height().saturating_sub(1));
    for (row, (part, line)) in lines.into_iter().enumerate() {
        let (sign, style) = match part {
            WritingPart::Prose => (" ", state.theme.dim()),
            WritingPart::Old => ("-", state.theme.removed()),
            WritingPart::New => ("+", state.theme.added()),
        };
        let text = cells::shown(line).into_owned();
        paint.line(row + 1, &[Part::styled(format!("{sign} {text}"), style)]);
    }
}

/// Title of the change, how much is chosen, and whether exactly that is proven.
fn title(state: &State, pane: &OverlayPane, paint: &mut Paint<'_>) {
    let review = &pane.review;
    let (chosen, all) = review.chosen();
    let (proof, style) = match (review.last_proof(), pane.proving) {
        (_, Some(proof)) if proof.errors > 0 => {
            let errors = base::counted(proof.errors, "error");
            (format!("being proven: {errors} so far"), state.theme.bad())
        }
        (_, Some(_)) => ("being proven".to_owned(), state.theme.accent()),
        (Some((proof, true)), _) if proof.opens() => {
            let style = if proof.ran_tests() { state.theme.good() } else { state.theme.warn() };
            (format!("proven: {}", proof.short()), style)
        }
        (Some((proof, true)), _) => match proof.evidence.errors_after {
            0 => (format!("refused: {}", proof.refusals.join("; ")), state.theme.bad()),
            count => (base::counted(count, "error"), state.theme.bad()),
        },
        (Some((proof, false)), _) if proof.opens() => {
            ("changed since its proof".to_owned(), state.theme.warn())
        }
        (Some((_, false)), _) => ("not proven".to_owned(), state.theme.warn()),
        (None, None) => ("not proven".to_owned(), state.theme.warn()),
    };
    let parts = format!("  {chosen} of {}  ", base::counted(all, "part"));
    let (found, at) = (state.found.0.len(), state.found.1 + 1);
    let of_several = if found > 1 { format!(" ({at} of {found})") } else { String::new() };
    let edited = if review.is_edited() { " (edited)" } else { "" };
    let name = format!("{}{edited}", cells::shown(&review.title));
    paint.line(
        0,
        &[
            Part::styled(name, state.theme.bold()),
            Part::styled(of_several, state.theme.dim()),
            Part::plain(parts),
            Part::styled(cells::shown(&proof).into_owned(), style),
        ],
    );
}

fn list_width(columns: usize) -> usize {
    if columns >= 160 { FILES_WIDE } else { FILES }
}

fn files(state: &State, pane: &OverlayPane, paint: &mut Paint<'_>) {
    let here = pane.view.file_at(pane.at);
    for (number, file) in pane.view.files.iter().enumerate().take(paint.height() - 1) {
        let chosen = file.parts.clone().filter_map(|it| pane.view.parts.get(it));
        let chosen = chosen.filter(|it| pane.review.is_chosen(it)).count();
        let mark = mark(chosen, file.parts.len());
        let stat = format!(" +{} -{}", file.added, file.removed);
        let space = list_width(paint.width()).saturating_sub(stat.len() + 7);
        let name = shortened(file.path.as_str(), space);
        let style = if here == Some(number) { state.theme.bold() } else { Style::new() };
        paint.line(
            number + 1,
            &[
                Part::plain(format!("{mark} ")),
                Part::styled(name, style),
                Part::styled(stat, state.theme.dim()),
            ],
        );
    }
}

/// The end of a path that fits.
fn shortened(path: &str, space: usize) -> String {
    let path = cells::shown(path);
    let width = cells::width(&path);
    match width <= space {
        true => path.into_owned(),
        false => format!("…{}", cells::window(&path, width - space.saturating_sub(1), space)),
    }
}

fn mark(chosen: usize, all: usize) -> &'static str {
    match chosen {
        0 => "[ ]",
        chosen if chosen == all => "[x]",
        _ => "[~]",
    }
}

fn draw_row(state: &State, pane: &OverlayPane, number: usize, row: usize, paint: &mut Paint<'_>) {
    let theme = state.theme;
    let Some(it) = pane.view.rows.get(number) else { return };
    match it {
        Row::File(file) => {
            let Some(file) = pane.view.files.get(*file) else { return };
            let chosen = file.parts.clone().filter_map(|it| pane.view.parts.get(it));
            let chosen = chosen.filter(|it| pane.review.is_chosen(it)).count();
            let act = if file.act.is_empty() { String::new() } else { format!(" ({})", file.act) };
            paint.line(
                row,
                &[
                    Part::plain(format!("{} ", mark(chosen, file.parts.len()))),
                    Part::styled(cells::shown(file.path.as_str()).into_owned(), theme.bold()),
                    Part::plain(cells::shown(&act).into_owned()),
                    Part::styled(format!(" +{} -{}", file.added, file.removed), theme.dim()),
                ],
            );
        }
        Row::Gap(count) => {
            let text = format!("    … {}", base::counted(*count, "unchanged line"));
            paint.line(row, &[Part::styled(text, theme.dim())]);
        }
        Row::Why(text) => {
            let text = cells::shown(text).into_owned();
            paint.line(row, &[Part::styled(format!("    {text}"), theme.dim())]);
        }
        Row::Heading(text) => paint.line(row, &[Part::styled(text.clone(), theme.bold())]),
        Row::Diagnostic(severity, text) => {
            let (word, style) = match severity {
                Severity::Error => ("error", theme.bad()),
                Severity::Warning => ("warning", theme.warn()),
                _ => ("note", theme.dim()),
            };
            paint.line(row, &[Part::styled(format!("      ^ {word}: {text}"), style)]);
        }
        Row::Line(line) => {
            let from = line_gutter(state, pane, number, *line, row, paint);
            let space = paint.width().saturating_sub(from);
            text(state, pane, *line, row, from..from + space, paint);
        }
        Row::Pair(old, new) => {
            let half = paint.width() / 2;
            let sides = [(old, 0, half), (new, half, paint.width())];
            for (line, from, to) in sides {
                let Some(line) = line else { continue };
                let number = if from == 0 { line.old } else { line.new };
                let sign = sign(line.kind);
                let check = match (from, line.part, pane.view.layout) {
                    (0, Some(_), DiffLayout::Split) => part_mark(pane, number, *line),
                    _ => " ",
                };
                let gutter = format!("{check}{} {sign} ", numbered(pane, number));
                let style = line_style(state, pane, *line);
                paint.at(row, from, &[Part::styled(gutter.clone(), gutter_style(state, *line))]);
                let start = from + cells::width(&gutter);
                paint.style_row(row, start..to.saturating_sub(1), tint(style));
                text(state, pane, *line, row, start..to.saturating_sub(1), paint);
            }
            if old.is_none() {
                first_mark(pane, number, *new, row, paint);
            }
        }
    }
}

/// The mark of a part on the left where only the right side has a line.
fn first_mark(
    pane: &OverlayPane,
    number: usize,
    line: Option<LineRow>,
    row: usize,
    paint: &mut Paint<'_>,
) {
    let Some(line) = line else { return };
    let Some(part) = line.part.filter(|it| pane.view.part_rows.get(*it) == Some(&number)) else {
        return;
    };
    let is_chosen = pane.view.parts.get(part).is_some_and(|it| pane.review.is_chosen(it));
    paint.at(row, 0, &[Part::plain(if is_chosen { "x" } else { "o" })]);
}

fn part_mark(pane: &OverlayPane, line: Option<usize>, row: LineRow) -> &'static str {
    let is_chosen =
        row.part.and_then(|it| pane.view.parts.get(it)).is_some_and(|it| pane.review.is_chosen(it));
    match (line, is_chosen) {
        (Some(_), true) => "x",
        (Some(_), false) => "o",
        _ => " ",
    }
}

/// Mark, numbers and sign of a line; returns the column of its text.
fn line_gutter(
    state: &State,
    pane: &OverlayPane,
    number: usize,
    line: LineRow,
    row: usize,
    paint: &mut Paint<'_>,
) -> usize {
    let is_first = line.part.is_some_and(|it| pane.view.part_rows.get(it) == Some(&number));
    let is_chosen = line
        .part
        .and_then(|it| pane.view.parts.get(it))
        .is_some_and(|it| pane.review.is_chosen(it));
    let check = match (line.part, is_first, is_chosen) {
        (None, ..) => "    ",
        (Some(_), true, true) => "[x] ",
        (Some(_), true, false) => "[ ] ",
        (Some(_), false, true) => " |  ",
        (Some(_), false, false) => " :  ",
    };
    let numbers = match pane.view.layout {
        DiffLayout::New => numbered(pane, line.new),
        _ => format!("{}{}", numbered(pane, line.old), numbered(pane, line.new)),
    };
    let gutter = format!("{check}{numbers} {} ", sign(line.kind));
    paint.line(row, &[Part::styled(gutter.clone(), gutter_style(state, line))]);
    let from = cells::width(&gutter);
    paint.style_row(row, from..paint.width(), tint(line_style(state, pane, line)));
    from
}

fn sign(kind: LineKind) -> char {
    match kind {
        LineKind::Context => ' ',
        LineKind::Added => '+',
        LineKind::Removed => '-',
    }
}

/// A line number in columns that are wide enough for all of the change.
fn numbered(pane: &OverlayPane, line: Option<usize>) -> String {
    let digits = pane.view.last_line.max(1).ilog10() as usize + 2;
    let width = digits.max(NUMBER);
    line.map_or_else(|| " ".repeat(width), |it| format!("{:>width$}", it + 1))
}

fn gutter_style(state: &State, line: LineRow) -> Style {
    match line.kind {
        LineKind::Context => state.theme.dim(),
        LineKind::Added => state.theme.good(),
        LineKind::Removed => state.theme.bad(),
    }
}

fn line_style(state: &State, pane: &OverlayPane, line: LineRow) -> Style {
    let part = line.part.and_then(|it| pane.view.parts.get(it));
    match (line.kind, part) {
        (LineKind::Context, _) => Style::new(),
        (_, Some(part)) if !pane.review.is_chosen(part) => state.theme.left_out(),
        (LineKind::Added, _) => state.theme.added(),
        (LineKind::Removed, _) => state.theme.removed(),
    }
}

/// The style of the cells behind a text: blanks are not crossed out.
fn tint(style: Style) -> Style {
    style.remove_modifier(Modifier::CROSSED_OUT)
}

/// The text of a line in these columns, with the colours of its tokens.
fn text(
    state: &State,
    pane: &OverlayPane,
    line: LineRow,
    row: usize,
    columns: Range<usize>,
    paint: &mut Paint<'_>,
) {
    let (code, colours) = pane.view.side(line);
    let own = line_style(state, pane, line);
    let is_left_out = line
        .part
        .and_then(|it| pane.view.parts.get(it))
        .is_some_and(|it| !pane.review.is_chosen(it));
    let styled = |colour: TokenColour| match is_left_out {
        true => own,
        false => own.patch(state.theme.token(colour)),
    };
    let mut at = 0;
    let mut cell = 0;
    let mut piece = |range: Range<usize>, style: Style| {
        let Some(before) = code.get(..range.start) else { return };
        let Some(whole) = code.get(..range.end) else { return };
        // Tabs depend on what is before them.
        let (before, whole) = (cells::shown(before), cells::shown(whole));
        let shown = whole.get(before.len()..).unwrap_or_default();
        let start = cell;
        cell += cells::width(shown);
        let space = columns.len();
        let from = start.max(pane.left);
        if from < pane.left + space && cell > pane.left {
            let cut = cells::window(shown, from - start, pane.left + space - from);
            paint.at(row, columns.start + from - pane.left, &[Part::styled(cut, style)]);
        }
    };
    for (range, colour) in colours {
        piece(at..range.start, own);
        piece(range.clone(), styled(*colour));
        at = range.end;
    }
    piece(at..code.len(), own);
}

/// The text that is edited; returns where the cursor is.
fn draw_edit(state: &State, edit: &EditPane, paint: &mut Paint<'_>) -> Option<(u16, u16)> {
    let rows = paint.height().saturating_sub(1).max(1);
    let digits = edit.area.lines().len().max(1).ilog10() as usize + 2;
    let width = paint.width().saturating_sub(digits + 1);
    let (line, cell) = edit.area.cursor();
    let top = edit.area.top().min(line).max((line + 1).saturating_sub(rows));
    let left = (cell + 1).saturating_sub(width);
    for (row, text) in edit.area.lines().iter().skip(top).take(rows).enumerate() {
        let number = format!("{:>digits$} ", top + row + 1);
        let shown = cells::window(&cells::shown(text.trim_end_matches('\r')), left, width);
        paint.line(row + 1, &[Part::styled(number, state.theme.dim()), Part::plain(shown)]);
    }
    paint.place(line - top + 1, digits + 1 + cell - left)
}
