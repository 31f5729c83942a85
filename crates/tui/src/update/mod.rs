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
use crate::message::{Effect, Message, Millis, Mouse};
use crate::state::{Focus, Screen, State, Tone};

/// Rows of one turn of the wheel.
const WHEEL: usize = 3;

/// Changes the state by what happened at a moment, and returns what is to be done.
pub fn update(state: &mut State, at: Millis, message: Message) -> Vec<Effect> {
    state.now = state.now.max(at);
    match message {
        Message::Key(key) => {
            state.swallows_press = false;
            keys::press(state, key)
        }
        Message::Paste(text) => paste(state, &text),
        Message::Mouse(mouse) => act(state, mouse),
        Message::Resize(columns, rows) => resize(state, (columns, rows)),
        Message::Focus(has_it) => {
            state.swallows_press = has_it;
            Vec::new()
        }
        Message::Job(event) => jobs::happen(state, *event),
        Message::Submitted(ticket, id) => {
            if let Some(row) = state.jobs.iter_mut().find(|it| it.ticket == ticket) {
                row.id = Some(id);
            }
            Vec::new()
        }
        Message::Drawn => {
            let now = state.now;
            if let Some(request) = &mut state.request {
                request.drawn_at.get_or_insert(now);
            }
            Vec::new()
        }
        Message::Due => due(state),
        Message::Edited(path, text) => overlay::edited_outside(state, &path, text),
        Message::Copied(text) => {
            state.note(Tone::Good, text);
            Vec::new()
        }
        Message::Memory(bytes) => {
            state.totals.memory = bytes;
            Vec::new()
        }
        Message::Stop => {
            let mut effects = overlay::keep_edits(state);
            effects.push(Effect::Suspend);
            effects
        }
        Message::Resumed => vec![Effect::Redraw],
        Message::End => end(state),
    }
}

/// Ends the interface; edits are kept first.
fn end(state: &mut State) -> Vec<Effect> {
    let mut effects = overlay::keep_edits(state);
    state.has_ended = true;
    effects.push(Effect::Quit);
    effects
}

fn due(state: &mut State) -> Vec<Effect> {
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

fn paste(state: &mut State, text: &str) -> Vec<Effect> {
    match state.focus {
        Focus::Prompt if state.screen == Screen::Search => {
            // A query is one line.
            state.search.query.insert(&text.replace(['\n', '\r'], " "));
            search::typed(state)
        }
        Focus::Prompt => {
            state.prompt.insert(text);
            Vec::new()
        }
        Focus::Content if overlay::is_editing(state) => {
            overlay::edit(state, |area| area.insert(text))
        }
        // A text that is pasted answers nothing.
        Focus::Content | Focus::Request => {
            state.note(Tone::Warn, "nothing takes a text here");
            Vec::new()
        }
    }
}

fn resize(state: &mut State, size: (u16, u16)) -> Vec<Effect> {
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

fn act(state: &mut State, mouse: Mouse) -> Vec<Effect> {
    match mouse {
        Mouse::WheelUp(..) => lists::scroll(state, -(WHEEL as isize)),
        Mouse::WheelDown(..) => lists::scroll(state, WHEEL as isize),
        Mouse::Press(column, row) => {
            // The press that brings the focus to the terminal is for nothing else.
            if std::mem::take(&mut state.swallows_press) {
                return Vec::new();
            }
            press(state, column, row)
        }
    }
}

fn press(state: &mut State, column: u16, row: u16) -> Vec<Effect> {
    let areas = layout(state);
    if row == areas.tabs.y {
        let tab = crate::layout::tabs(state).into_iter().find(|it| it.1.contains(&column));
        return tab.map_or_else(Vec::new, |(screen, _)| go(state, screen));
    }
    let is_in = |area: ratatui_core::layout::Rect| row >= area.y && row < area.y + area.height;
    if is_in(areas.request) {
        // A press shows what is asked; only a key answers.
        state.focus = Focus::Request;
    } else if is_in(areas.prompt) {
        state.focus = Focus::Prompt;
    } else if is_in(areas.content) && state.help.is_none() {
        state.focus = Focus::Content;
        lists::point(state, usize::from(row - areas.content.y));
    }
    Vec::new()
}

/// Shows a screen, and asks for what it lists.
pub(crate) fn go(state: &mut State, screen: Screen) -> Vec<Effect> {
    let mut effects = overlay::keep_edits(state);
    state.screen = screen;
    state.help = None;
    if state.focus != Focus::Request {
        state.focus = match screen {
            Screen::Talk | Screen::Search => Focus::Prompt,
            _ => Focus::Content,
        };
    }
    effects.extend(lists::load(state, screen));
    effects
}
