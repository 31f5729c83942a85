//! [`update`]: the only function that changes the state. No input, output, clock or chance: a message comes
//! with its moment, and what is to be done is returned.

mod commands;
mod jobs;
mod keys;
mod lists;
mod overlay;
mod search;
#[cfg(test)]
pub(crate) mod tests;

use crate::layout::layout;
use crate::message::{Millis, Mouse, TuiEffect, TuiMessage};
use crate::state::{Screen, State, Tone, TuiFocus};

/// Rows of one turn of the wheel.
const WHEEL: usize = 3;

/// Changes the state by what happened at a moment, and returns what is to be done.
pub(crate) fn update(state: &mut State, at: Millis, message: TuiMessage) -> Vec<TuiEffect> {
    state.now = state.now.max(at);
    let effects = change(state, message);
    if let Some(request) = &mut state.request {
        let now = state.now;
        let since = request.focused_at.unwrap_or(now);
        request.focused_at = (state.focus == TuiFocus::Request).then_some(since);
    }
    effects
}

fn change(state: &mut State, message: TuiMessage) -> Vec<TuiEffect> {
    match message {
        TuiMessage::Key(key) => {
            state.swallows_press = false;
            keys::press(state, key)
        }
        TuiMessage::Paste(text) => paste(state, &text),
        TuiMessage::Mouse(mouse) => act(state, mouse),
        TuiMessage::Resize(columns, rows) => resize(state, (columns, rows)),
        TuiMessage::Focus(has_it) => {
            state.swallows_press = has_it;
            Vec::new()
        }
        TuiMessage::Job(event) => jobs::happen(state, *event),
        TuiMessage::Submitted(ticket, id) => {
            if let Some(row) = state.jobs.iter_mut().find(|it| it.ticket == ticket) {
                row.id = Some(id);
            }
            Vec::new()
        }
        TuiMessage::Drawn => {
            let now = state.now;
            if let Some(request) = &mut state.request {
                request.drawn_at.get_or_insert(now);
            }
            Vec::new()
        }
        TuiMessage::Due => due(state),
        TuiMessage::Edited(path, text) => overlay::edited_outside(state, &path, text),
        TuiMessage::Copied(text) => {
            state.note(Tone::Good, text);
            Vec::new()
        }
        TuiMessage::Memory(bytes) => {
            state.totals.memory = bytes;
            Vec::new()
        }
        TuiMessage::Stop => {
            let mut effects = overlay::keep_edits(state);
            effects.push(TuiEffect::Suspend);
            effects
        }
        TuiMessage::Resumed => vec![TuiEffect::Redraw],
        TuiMessage::Lost(reason) => {
            state.lost = Some(reason);
            end(state)
        }
        TuiMessage::End => end(state),
    }
}

/// Ends the interface; edits are kept first.
fn end(state: &mut State) -> Vec<TuiEffect> {
    let mut effects = overlay::keep_edits(state);
    state.has_ended = true;
    effects.push(TuiEffect::Quit);
    effects
}

fn due(state: &mut State) -> Vec<TuiEffect> {
    let mut effects = Vec::new();
    let now = state.now;
    let is_due = |it: Option<Millis>| it.is_some_and(|it| it <= now);
    if is_due(state.search.due) {
        effects.extend(search::ask(state));
    }
    let edit = state.overlay.as_ref().and_then(|it| it.edit.as_ref());
    if edit.is_some_and(|it| is_due(it.due)) {
        effects.extend(overlay::keep_edits(state));
    }
    effects
}

fn paste(state: &mut State, text: &str) -> Vec<TuiEffect> {
    match state.focus {
        TuiFocus::Prompt if state.screen == Screen::Search => {
            // A query is one line.
            state.search.query.insert(&text.replace(['\n', '\r'], " "));
            search::typed(state)
        }
        TuiFocus::Prompt => {
            state.prompt.insert(text);
            Vec::new()
        }
        TuiFocus::Content if overlay::is_editing(state) => {
            overlay::edit(state, |area| area.insert(text))
        }
        // A text that is pasted answers nothing.
        TuiFocus::Content | TuiFocus::Request => {
            state.note(Tone::Warn, "nothing takes a text here");
            Vec::new()
        }
    }
}

fn resize(state: &mut State, size: (u16, u16)) -> Vec<TuiEffect> {
    let before = state.diff_layout();
    state.size = size;
    let (after, height) = (state.diff_layout(), layout(state).content.height);
    if let Some(pane) = &mut state.overlay {
        pane.height = usize::from(height);
        // A layout that the person has chosen stays.
        if pane.layout == before && before != after {
            pane.layout = after;
            pane.refresh();
        }
        pane.scroll();
    }
    Vec::new()
}

fn act(state: &mut State, mouse: Mouse) -> Vec<TuiEffect> {
    match mouse {
        Mouse::WheelUp(..) => lists::scroll(state, -(WHEEL as isize)),
        Mouse::WheelDown(..) => lists::scroll(state, WHEEL as isize),
        Mouse::Press(column, row) => {
            // The press that gives the focus to the terminal is for nothing else.
            if std::mem::take(&mut state.swallows_press) {
                return Vec::new();
            }
            press(state, column, row)
        }
    }
}

fn press(state: &mut State, column: u16, row: u16) -> Vec<TuiEffect> {
    let areas = layout(state);
    if row == areas.tabs.y {
        let tab = crate::layout::tabs(state).into_iter().find(|it| it.1.contains(&column));
        return tab.map_or_else(Vec::new, |(screen, _)| go(state, screen));
    }
    let is_in = |area: ratatui_core::layout::Rect| row >= area.y && row < area.y + area.height;
    if is_in(areas.request) {
        // A press shows what is asked; only a key answers.
        state.focus = TuiFocus::Request;
    } else if is_in(areas.prompt) {
        state.focus = TuiFocus::Prompt;
    } else if is_in(areas.content) && state.help.is_none() {
        state.focus = TuiFocus::Content;
        lists::point(state, usize::from(row - areas.content.y));
    }
    Vec::new()
}

/// Shows a screen, and asks for what it lists.
pub(crate) fn go(state: &mut State, screen: Screen) -> Vec<TuiEffect> {
    let mut effects = overlay::keep_edits(state);
    state.screen = screen;
    state.help = None;
    if state.focus != TuiFocus::Request {
        state.focus = match screen {
            Screen::Search if !state.search.answer.hits.is_empty() => TuiFocus::Content,
            Screen::Talk | Screen::Search => TuiFocus::Prompt,
            _ => TuiFocus::Content,
        };
    }
    effects.extend(lists::load(state, screen));
    effects
}
