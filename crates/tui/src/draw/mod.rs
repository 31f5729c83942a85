//! [`draw`]: the state as cells. Pure: it looks at the state and changes nothing.

mod help;
mod lists;
mod overlay;
mod paint;
mod talk;
#[cfg(test)]
mod tests;

use ratatui_core::buffer::Buffer;
use ratatui_core::layout::Rect;

use crate::cells;
use crate::keys::Action;
use crate::layout::{Areas, layout, tab_text, tabs};
use crate::state::{Screen, State, Tone, TuiFocus};
use paint::{Paint, Part};

/// Smallest size that anything is drawn at.
const LEAST: (u16, u16) = (20, 5);

/// Shows a state, and returns where the cursor of the terminal is: column and row. `None`: it is hidden.
pub(crate) fn draw(state: &State, buffer: &mut Buffer) -> Option<(u16, u16)> {
    let area = *buffer.area();
    if area.width < LEAST.0 || area.height < LEAST.1 {
        Paint::new(buffer, area).line(0, &[Part::plain("too small")]);
        return None;
    }
    let areas = layout(state);
    draw_tabs(state, buffer, areas.tabs);
    let mut cursor = None;
    match (state.help, state.screen) {
        (Some(top), _) => help::draw(state, top, buffer, areas.content),
        (None, Screen::Talk) => talk::draw(state, buffer, areas.content),
        (None, Screen::Overlay) => cursor = overlay::draw(state, buffer, areas.content),
        (None, Screen::Search) => cursor = lists::search(state, buffer, areas.content),
        (None, Screen::Proposals) => lists::proposals(state, buffer, areas.content),
        (None, Screen::History) => lists::history(state, buffer, areas.content),
        (None, Screen::Pages) => lists::page(state, buffer, areas.content),
        (None, Screen::Meter) => lists::meter(state, buffer, areas.content),
    }
    draw_request(state, buffer, areas.request);
    let typed = draw_prompt(state, buffer, &areas);
    draw_status(state, buffer, areas.status);
    match state.focus {
        TuiFocus::Prompt if state.screen != Screen::Search || state.help.is_some() => typed,
        TuiFocus::Prompt | TuiFocus::Content => cursor,
        TuiFocus::Request => None,
    }
}

fn draw_tabs(state: &State, buffer: &mut Buffer, area: Rect) {
    let mut paint = Paint::new(buffer, area);
    let all = tabs(state);
    let is_long = all.iter().all(|it| usize::from(it.1.end - it.1.start) > 3);
    let mut parts = Vec::new();
    for (number, (screen, _)) in all.iter().enumerate() {
        let is_here = *screen == state.screen && state.help.is_none();
        let text = tab_text(number + 1, *screen, is_long || *screen == state.screen);
        let style = if is_here { state.theme.chosen() } else { state.theme.dim() };
        parts.push(Part::styled(text, style));
    }
    paint.line(0, &parts);
    let (text, style) = match state.jobs.iter().rev().find(|it| it.is_shown()) {
        Some(row) => {
            let seconds = state.now.saturating_sub(row.began) / 1_000;
            (format!("* {} {seconds} s ", row.title), state.theme.accent())
        }
        None => (format!("{} ", state.info.name), state.theme.dim()),
    };
    let used = all.last().map_or(0, |it| it.1.end);
    paint.right(0, used + 1, &Part::styled(text, style));
}

/// The request that waits. Its last row names the keys; nothing is the default.
fn draw_request(state: &State, buffer: &mut Buffer, area: Rect) {
    let Some(request) = state.request.as_ref().filter(|_| area.height > 0) else { return };
    let mut paint = Paint::new(buffer, area);
    let is_focused = state.focus == TuiFocus::Request;
    let rows = usize::from(area.height);
    let width = usize::from(area.width).saturating_sub(2);
    let lines: Vec<String> =
        request.lines.iter().flat_map(|line| cells::wrapped(line, width)).collect();
    let top = request.top.min(lines.len().saturating_sub(rows - 1));
    for (row, line) in lines.iter().skip(top).take(rows - 1).enumerate() {
        let bar = Part::styled("| ", state.theme.warn());
        let style = if row + top == 0 { state.theme.bold() } else { Default::default() };
        paint.line(row, &[bar, Part::styled(line.clone(), style)]);
    }
    let key = |action| state.keys.key(action);
    let hidden = lines.len().saturating_sub(rows - 1);
    let more = if hidden > 0 { format!(" (+{hidden} rows: up, down)") } else { String::new() };
    let text = match is_focused {
        true => format!(
            "| {} yes   {} no   {} later{more}",
            key(Action::Yes),
            key(Action::No),
            key(Action::Later)
        ),
        false => format!("| {} answers it{more}", key(Action::FocusRequest)),
    };
    let style = if is_focused { state.theme.chosen() } else { state.theme.warn() };
    paint.line(rows - 1, &[Part::styled(text, style)]);
}

/// The prompt; returns where its cursor is.
fn draw_prompt(state: &State, buffer: &mut Buffer, areas: &Areas) -> Option<(u16, u16)> {
    let area = areas.prompt;
    let mut paint = Paint::new(buffer, area);
    let (rows, width) = (usize::from(area.height), usize::from(area.width).saturating_sub(2));
    let (line, cell) = state.prompt.cursor();
    let top = (line + 1).saturating_sub(rows);
    let left = (cell + 1).saturating_sub(width);
    let is_focused = state.focus == TuiFocus::Prompt && state.screen != Screen::Search;
    let mark = if is_focused { state.theme.accent() } else { state.theme.dim() };
    for (row, text) in state.prompt.lines().iter().skip(top).take(rows).enumerate() {
        let sign = if top + row == 0 { "> " } else { "  " };
        let shown = cells::window(&cells::shown(text), left, width);
        paint.line(row, &[Part::styled(sign, mark), Part::plain(shown)]);
    }
    if state.prompt.is_empty() {
        let hint = match state.info.model.is_some() {
            true => "task, question or command; ? shows the keys",
            false => "fix, finish, rename A to B, a question; ? shows the keys",
        };
        paint.line(0, &[Part::styled("> ", mark), Part::styled(hint, state.theme.dim())]);
    }
    let column = area.x + 2 + u16::try_from(cell - left).unwrap_or_default();
    let row = area.y + u16::try_from(line - top).unwrap_or_default();
    Some((column.min(area.right().saturating_sub(1)), row))
}

/// The last row: a notice, else the keys of the screen.
fn draw_status(state: &State, buffer: &mut Buffer, area: Rect) {
    let mut paint = Paint::new(buffer, area);
    if let Some((tone, text)) = &state.notice {
        let text = cells::shown(text.lines().next().unwrap_or_default()).into_owned();
        paint.line(0, &[Part::styled(text, style_of(state, *tone))]);
        return;
    }
    if let Some(row) = state.jobs.iter().rev().find(|it| it.is_shown())
        && let Some(progress) = &row.progress
    {
        let count = match progress.total {
            0 => String::new(),
            total => format!(" {}/{total}", progress.done),
        };
        let text = format!("{}{count} {}", progress.stage, progress.detail);
        let cancel = format!("   {} cancels", state.keys.key(Action::Cancel));
        let parts = [
            Part::styled(cells::shown(&text).into_owned(), state.theme.accent()),
            Part::styled(cancel, state.theme.dim()),
        ];
        paint.line(0, &parts);
        return;
    }
    let hints = hints(state);
    let mut parts = Vec::new();
    let mut used = 0;
    for (action, what) in hints {
        let key = state.keys.key(*action);
        let own = cells::width(&key) + what.len() + 3;
        if used + own > usize::from(area.width) {
            break;
        }
        used += own;
        parts.push(Part::styled(key, state.theme.accent()));
        parts.push(Part::styled(format!(" {what}  "), state.theme.dim()));
    }
    paint.line(0, &parts);
}

/// The keys that a person needs here, most useful first.
fn hints(state: &State) -> &'static [(Action, &'static str)] {
    use Action as A;
    match (state.focus, state.screen) {
        (TuiFocus::Request, _) => &[(A::Yes, "yes"), (A::No, "no"), (A::Later, "later")],
        (TuiFocus::Prompt, Screen::Search) => {
            &[(A::NextFocus, "to the results"), (A::Back, "clear")]
        }
        (TuiFocus::Prompt, _) => &[
            (A::NextFocus, "next part"),
            (A::ScreenOverlay, "overlay"),
            (A::ScreenSearch, "search"),
            (A::Help, "help"),
            (A::Quit, "quit"),
        ],
        (_, Screen::Overlay) if state.overlay.as_ref().is_some_and(|it| it.edit.is_some()) => {
            &[(A::Back, "ends the edit"), (A::Help, "help; alt-u undoes")]
        }
        (_, Screen::Overlay) if state.found.0.len() > 1 => &[
            (A::NextChoice, "next choice"),
            (A::OwnText, "own text"),
            (A::RunTests, "test"),
            (A::Accept, "accept"),
            (A::Reject, "reject"),
            (A::TogglePart, "take"),
            (A::HelpBrowse, "help"),
        ],
        (_, Screen::Overlay) => &[
            (A::TogglePart, "take"),
            (A::Accept, "accept"),
            (A::RunTests, "test"),
            (A::RunCheck, "check"),
            (A::NextPatch, "next"),
            (A::Reject, "reject"),
            (A::Edit, "edit"),
            (A::ToggleDiff, "layout"),
            (A::HelpBrowse, "help"),
        ],
        (_, Screen::Search) => &[
            (A::Open, "show"),
            (A::Callers, "callers"),
            (A::Callees, "calls"),
            (A::Impact, "impact"),
            (A::Pack, "pack"),
            (A::Type, "query"),
            (A::HelpBrowse, "help"),
        ],
        (_, Screen::Proposals) => &[
            (A::Open, "review"),
            (A::RestageProposal, "restage"),
            (A::RejectProposal, "reject"),
            (A::Why, "why not applied"),
            (A::ShowAll, "all"),
            (A::HelpBrowse, "help"),
        ],
        (_, Screen::History) => &[
            (A::Open, "show"),
            (A::Undo, "undo"),
            (A::Redo, "redo"),
            (A::Copy, "copy id"),
            (A::HelpBrowse, "help"),
        ],
        (_, Screen::Pages) => {
            &[(A::Open, "open"), (A::Back, "back"), (A::Copy, "copy"), (A::HelpBrowse, "help")]
        }
        _ => {
            &[(A::Prompt, "prompt"), (A::Copy, "copy"), (A::HelpBrowse, "help"), (A::Quit, "quit")]
        }
    }
}

fn style_of(state: &State, tone: Tone) -> ratatui_core::style::Style {
    match tone {
        Tone::User => state.theme.bold(),
        Tone::Plain => Default::default(),
        Tone::Dim => state.theme.dim(),
        Tone::Good => state.theme.good(),
        Tone::Bad => state.theme.bad(),
        Tone::Warn => state.theme.warn(),
    }
}
