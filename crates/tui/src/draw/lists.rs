//! Search, proposals, written changes, texts and the meter.

use ratatui_core::buffer::Buffer;
use ratatui_core::layout::Rect;
use ratatui_core::style::Style;

use super::paint::{Paint, Part};
use crate::cells;
use crate::state::{State, TuiFocus};

/// The search: query, hits with their reasons, preview. Returns where the cursor is.
pub(super) fn search(state: &State, buffer: &mut Buffer, area: Rect) -> Option<(u16, u16)> {
    let pane = &state.search;
    let mut paint = Paint::new(buffer, area);
    let is_typing = state.focus == TuiFocus::Prompt;
    let query = pane.query.text();
    let mark = if is_typing { state.theme.accent() } else { state.theme.dim() };
    let width = paint.width().saturating_sub(8);
    let (_, cell) = pane.query.cursor();
    let left = (cell + 1).saturating_sub(width);
    let shown = cells::window(&cells::shown(&query), left, width);
    paint.line(0, &[Part::styled("search: ", mark), Part::plain(shown)]);
    let summary = summary(state);
    paint.line(1, &[Part::styled(summary, state.theme.dim())]);
    let rows = paint.height().saturating_sub(2);
    let for_preview = if rows >= 12 { rows / 2 } else { 0 };
    let listed = rows - for_preview;
    let top = (pane.at + 1).saturating_sub(listed);
    for (row, hit) in pane.answer.hits.iter().skip(top).take(listed).enumerate() {
        let number = top + row;
        let at = format!(
            "{}:{}",
            hit.file.as_deref().unwrap_or_default(),
            hit.start_line.unwrap_or_default()
        );
        let parts = [
            Part::styled(format!("{:>2} {:>6.3} ", hit.rank, hit.score), state.theme.dim()),
            Part::styled(format!("{} ", hit.kind.as_str()), state.theme.accent()),
            Part::plain(cells::shown(&hit.canon).into_owned()),
            Part::styled(format!("  {}", cells::shown(&at)), state.theme.dim()),
        ];
        paint.line(row + 2, &parts);
        if number == pane.at && !is_typing {
            let width = paint.width();
            paint.style_row(row + 2, 0..width, state.theme.chosen());
        }
    }
    if for_preview > 0 {
        preview(state, &mut paint, listed + 2);
    }
    if is_typing { paint.place(0, 8 + cell - left) } else { None }
}

/// How the answer came about.
fn summary(state: &State) -> String {
    let pane = &state.search;
    if pane.answered.is_empty() {
        return "type a name, a description, an error".to_owned();
    }
    let stages: Vec<String> = pane
        .answer
        .stages
        .iter()
        .map(|it| match it.skipped {
            Some(why) => format!("{} – {why}", it.name),
            None => format!("{} {}", it.name, it.candidates),
        })
        .collect();
    let kind = pane.answer.kind.map(|it| format!(", read as {it}")).unwrap_or_default();
    let pending = match pane.answer.pending.len() {
        0 => String::new(),
        count => format!(", without {}", base::counted(count, "file that was just saved")),
    };
    let count = base::counted(pane.answer.hits.len(), "hit");
    format!("{count}{kind}{pending}  {}", stages.join(" › "))
}

/// Why the selected hit was found, and its first lines.
fn preview(state: &State, paint: &mut Paint<'_>, first: usize) {
    let Some(hit) = state.search.answer.hits.get(state.search.at) else { return };
    let mut scores: Vec<(&&str, &f64)> = hit.scores.iter().filter(|it| *it.1 != 0.0).collect();
    scores.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()));
    let reasons: Vec<String> =
        scores.iter().take(8).map(|(name, score)| format!("{name} {score:.3}")).collect();
    let path: Vec<String> =
        hit.path.iter().map(|it| format!("{} {} {}", it.from, it.kind.as_str(), it.to)).collect();
    let mut lines: Vec<(Style, String)> = vec![
        (state.theme.bold(), hit.signature.clone()),
        (state.theme.dim(), format!("because {}", reasons.join(", "))),
    ];
    lines.extend(path.into_iter().map(|it| (state.theme.dim(), format!("by {it}"))));
    lines.extend(
        hit.preview.iter().flat_map(|it| it.lines()).map(|it| (Style::new(), it.to_owned())),
    );
    for (row, (style, line)) in lines.into_iter().enumerate() {
        paint.line(first + row, &[Part::styled(cells::shown(&line).into_owned(), style)]);
    }
}

/// A row is shown as chosen where it is selected.
fn select(state: &State, paint: &mut Paint<'_>, row: usize, is_selected: bool) {
    if is_selected && state.focus == TuiFocus::Content {
        let width = paint.width();
        paint.style_row(row, 0..width, state.theme.chosen());
    }
}

pub(super) fn proposals(state: &State, buffer: &mut Buffer, area: Rect) {
    let mut paint = Paint::new(buffer, area);
    let pane = &state.proposals;
    let which = if state.all_proposals { "all proposals" } else { "open proposals" };
    paint.line(0, &[Part::styled(format!("{which}: {}", pane.rows.len()), state.theme.bold())]);
    if pane.rows.is_empty() && pane.is_loaded {
        let text = "none; changes that are found or left out become proposals";
        paint.line(1, &[Part::styled(text, state.theme.dim())]);
    }
    let rows = paint.height().saturating_sub(1);
    let top = (pane.at + 1).saturating_sub(rows);
    for (row, card) in pane.rows.iter().skip(top).take(rows).enumerate() {
        let style = match card.state.as_str() {
            "proven" | "applied" => state.theme.good(),
            "refused" | "stale" => state.theme.bad(),
            _ => Style::new(),
        };
        let id: String = card.id.chars().take(8).collect();
        let task = if card.task.is_empty() { String::new() } else { format!("  {}", card.task) };
        let note = match (&card.stale, &card.reason) {
            (Some(file), _) => format!("  {file} has changed since"),
            (None, Some(reason)) => format!("  {reason}"),
            _ => String::new(),
        };
        let parts = [
            Part::styled(format!("{id} "), state.theme.dim()),
            Part::styled(format!("{:<9}", card.state), style),
            Part::plain(format!(" {}", cells::shown(&card.summary))),
            Part::styled(format!("  {}", cells::shown(&card.author)), state.theme.dim()),
            Part::styled(cells::shown(&task).into_owned(), state.theme.dim()),
            Part::styled(cells::shown(&note).into_owned(), state.theme.warn()),
        ];
        paint.line(row + 1, &parts);
        select(state, &mut paint, row + 1, top + row == pane.at);
    }
}

pub(super) fn history(state: &State, buffer: &mut Buffer, area: Rect) {
    let mut paint = Paint::new(buffer, area);
    let pane = &state.history;
    let title = format!("written changes: {}", pane.rows.len());
    paint.line(0, &[Part::styled(title, state.theme.bold())]);
    if pane.rows.is_empty() && pane.is_loaded {
        paint.line(1, &[Part::styled("none yet", state.theme.dim())]);
    }
    let rows = paint.height().saturating_sub(1);
    let top = (pane.at + 1).saturating_sub(rows);
    for (row, (id, is_applied, summary)) in pane.rows.iter().skip(top).take(rows).enumerate() {
        let (word, style) = match is_applied {
            true => ("applied", state.theme.good()),
            false => ("undone ", state.theme.warn()),
        };
        let parts = [
            Part::styled(format!("{id} "), state.theme.dim()),
            Part::styled(word, style),
            Part::plain(format!(" {}", cells::shown(summary))),
        ];
        paint.line(row + 1, &parts);
        select(state, &mut paint, row + 1, top + row == pane.at);
    }
}

pub(super) fn page(state: &State, buffer: &mut Buffer, area: Rect) {
    let mut paint = Paint::new(buffer, area);
    text(state, &mut paint, 0, true);
}

/// The page from a row on: its title, and its lines.
fn text(state: &State, paint: &mut Paint<'_>, first: usize, has_cursor: bool) {
    let page = &state.pages.page;
    let title = cells::shown(&page.title).into_owned();
    paint.line(first, &[Part::styled(title, state.theme.bold())]);
    let rows = paint.height().saturating_sub(first + 1);
    let width = paint.width();
    let lines = page.lines.iter().enumerate().skip(page.top).flat_map(|(number, line)| {
        cells::wrapped(&line.text, width).into_iter().map(move |it| (number, it))
    });
    for (row, (number, line)) in lines.take(rows).enumerate() {
        paint.line(first + 1 + row, &[Part::plain(line)]);
        if has_cursor && number == page.at {
            paint.style_row(first + 1 + row, 0..width, state.theme.chosen());
        }
    }
}

pub(super) fn meter(state: &State, buffer: &mut Buffer, area: Rect) {
    let mut paint = Paint::new(buffer, area);
    let totals = &state.totals;
    let model = match (&state.info.model, state.info.max_cost) {
        (None, _) => "no language model is configured".to_owned(),
        (Some(name), limit) => {
            let limit = limit.map(|it| format!(" of at most ${it:.2} for each run"));
            let limit = limit.unwrap_or_default();
            format!("model {name}: {} tokens, ${:.4}{limit}", totals.tokens, totals.cost)
        }
    };
    let lines = [
        model,
        format!(
            "{} in this session, {} applied; memory at most {} MiB",
            base::counted(totals.runs, "run"),
            base::counted(totals.applied, "change"),
            totals.memory >> 20
        ),
    ];
    let width = paint.width();
    let mut row = 0;
    for line in lines.iter().flat_map(|line| cells::wrapped(line, width)) {
        paint.line(row, &[Part::plain(line)]);
        row += 1;
    }
    paint.line(row, &[Part::styled("jobs", state.theme.bold())]);
    row += 1;
    if state.jobs.is_empty() {
        paint.line(row, &[Part::styled("  none", state.theme.dim())]);
        row += 1;
    }
    for job in &state.jobs {
        let seconds = state.now.saturating_sub(job.began) / 1_000;
        let progress = job.progress.as_ref().map(|it| format!("{} {}", it.stage, it.detail));
        let text = format!("  {} {seconds} s  {}", job.title, progress.unwrap_or_default());
        paint.line(row, &[Part::plain(cells::shown(&text).into_owned())]);
        row += 1;
    }
    text(state, &mut paint, row + 1, false);
}
