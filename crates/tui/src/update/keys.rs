//! Keys: to the part that has the focus, by the one table of keys.

use super::{commands, go, lists, overlay, search};
use crate::keys::{Action, Key, KeyCode, KeyContext};
use crate::message::TuiEffect;
use crate::state::{Screen, State, Tone, TuiFocus};
use crate::text_area::TextArea;

/// Most commands that are remembered.
const MOST_PAST: usize = 200;

/// A key was pressed.
pub(super) fn press(state: &mut State, key: Key) -> Vec<TuiEffect> {
    let is_cancel = state.keys.action(&[KeyContext::Always], key) == Some(Action::Cancel);
    if !is_cancel {
        state.may_quit = false;
    }
    let is_reject = state.keys.action(&[KeyContext::Overlay], key) == Some(Action::Reject);
    if !is_reject || state.focus != TuiFocus::Content {
        state.may_reject = false;
    }
    state.notice = None;
    if let Some(action) = state.keys.action(&[KeyContext::Always], key) {
        return commands::perform(state, action);
    }
    if state.help.is_some() {
        return help(state, key);
    }
    match state.focus {
        TuiFocus::Request => request(state, key),
        TuiFocus::Prompt if state.screen == Screen::Search => query(state, key),
        TuiFocus::Prompt => prompt(state, key),
        TuiFocus::Content if overlay::is_editing(state) => edit(state, key),
        TuiFocus::Content if state.screen == Screen::Talk && is_letter(key) => {
            // There is nothing that letters could act on: they are the beginning of a command.
            state.focus = TuiFocus::Prompt;
            prompt(state, key)
        }
        TuiFocus::Content => {
            let own = match state.screen {
                Screen::Overlay => KeyContext::Overlay,
                Screen::Search => KeyContext::Search,
                Screen::Proposals => KeyContext::Proposals,
                Screen::History => KeyContext::History,
                _ => KeyContext::Browse,
            };
            let action = state.keys.action(&[own, KeyContext::Browse], key);
            action.map_or_else(Vec::new, |action| commands::perform(state, action))
        }
    }
}

/// Whether a key is a letter for a text; `:` and `?` are keys of their own everywhere.
fn is_letter(key: Key) -> bool {
    let is_text = matches!(key.code, KeyCode::Char(c) if !matches!(c, ':' | '?'));
    is_text && !key.ctrl && !key.alt
}

fn help(state: &mut State, key: Key) -> Vec<TuiEffect> {
    match state.keys.action(&[KeyContext::Browse], key) {
        Some(Action::Back | Action::HelpBrowse | Action::Open) => state.help = None,
        Some(Action::Prompt) => {
            (state.help, state.focus) = (None, TuiFocus::Prompt);
        }
        Some(action) => return commands::perform(state, action),
        None => {}
    }
    Vec::new()
}

/// A key for the request that waits. Nothing is the default, and no key counts before the request was on the
/// screen for a moment.
fn request(state: &mut State, key: Key) -> Vec<TuiEffect> {
    let action = state.keys.action(&[KeyContext::Approval], key);
    let Some(request) = &mut state.request else {
        state.focus = TuiFocus::Prompt;
        return Vec::new();
    };
    let by = match key.code {
        KeyCode::Up => -1,
        KeyCode::Down => 1,
        KeyCode::PageUp => -5,
        KeyCode::PageDown => 5,
        _ => 0,
    };
    if by != 0 {
        request.top = request.top.saturating_add_signed(by).min(request.lines.len() * 4);
        return Vec::new();
    }
    if action == Some(Action::Later) {
        state.focus = TuiFocus::Prompt;
        return Vec::new();
    }
    if !request.is_armed(state.now) {
        state.note(Tone::Warn, "not counted: the request had just appeared");
        return Vec::new();
    }
    match action {
        Some(action) => commands::perform(state, action),
        None => {
            let (yes, no) = (state.keys.key(Action::Yes), state.keys.key(Action::No));
            let later = state.keys.key(Action::Later);
            state.note(Tone::Warn, format!("{yes} yes, {no} no, {later} later"));
            Vec::new()
        }
    }
}

fn prompt(state: &mut State, key: Key) -> Vec<TuiEffect> {
    match (key.code, key.alt) {
        (KeyCode::Enter, false) if !key.ctrl => return enter(state),
        (KeyCode::Enter, _) => state.prompt.insert("\n"),
        (KeyCode::Esc, _) => state.focus = TuiFocus::Content,
        (KeyCode::Up, _) if !state.prompt.by_lines(-1) => recall(state, -1),
        (KeyCode::Down, _) if !state.prompt.by_lines(1) => recall(state, 1),
        (KeyCode::PageUp, _) => return lists::scroll(state, -10),
        (KeyCode::PageDown, _) => return lists::scroll(state, 10),
        (KeyCode::Char('?'), false) if state.prompt.is_empty() => state.help = Some(0),
        (KeyCode::Char('d'), _) if key.ctrl && state.prompt.is_empty() => return super::end(state),
        (KeyCode::Up | KeyCode::Down, _) => {}
        _ => type_into(&mut state.prompt, key),
    }
    Vec::new()
}

/// Reads the prompt as a command.
fn enter(state: &mut State) -> Vec<TuiEffect> {
    let line = state.prompt.text();
    if line.trim().is_empty() {
        return Vec::new();
    }
    if state.past.last() != Some(&line) {
        state.past.push(line.clone());
        if state.past.len() > MOST_PAST {
            state.past.remove(0);
        }
    }
    state.past_at = None;
    state.prompt.clear();
    commands::typed(state, &line)
}

/// An earlier or later command.
fn recall(state: &mut State, by: isize) {
    let at = state.past_at.unwrap_or(state.past.len()).saturating_add_signed(by);
    match state.past.get(at) {
        Some(line) => {
            state.prompt.set(&line.clone());
            state.past_at = Some(at);
        }
        None if by > 0 && state.past_at.is_some() => {
            state.prompt.clear();
            state.past_at = None;
        }
        None => {}
    }
}

fn query(state: &mut State, key: Key) -> Vec<TuiEffect> {
    match key.code {
        KeyCode::Enter | KeyCode::Down => state.focus = TuiFocus::Content,
        KeyCode::Esc if state.search.query.is_empty() => return go(state, Screen::Talk),
        KeyCode::Esc => {
            state.search.query.clear();
            return search::typed(state);
        }
        KeyCode::Up => {}
        _ => {
            let before = state.search.query.text();
            type_into(&mut state.search.query, key);
            if state.search.query.text() != before {
                return search::typed(state);
            }
        }
    }
    Vec::new()
}

fn edit(state: &mut State, key: Key) -> Vec<TuiEffect> {
    match key.code {
        KeyCode::Esc => overlay::end_edit(state),
        KeyCode::Enter => overlay::edit(state, TextArea::new_line),
        KeyCode::Char('u') if key.alt => overlay::undo_edit(state),
        _ => overlay::edit(state, |area| type_into(area, key)),
    }
}

/// A key for a text.
fn type_into(area: &mut TextArea, key: Key) {
    match (key.code, key.ctrl, key.alt) {
        (KeyCode::Char('a'), true, _) | (KeyCode::Home, ..) => area.home(),
        (KeyCode::Char('e'), true, _) | (KeyCode::End, ..) => area.end(),
        (KeyCode::Char('w'), true, _) | (KeyCode::Backspace, _, true) => area.delete_word(),
        (KeyCode::Char('u'), true, _) => area.delete_to_start(),
        (KeyCode::Char('d'), true, _) | (KeyCode::Delete, ..) => area.delete(),
        (KeyCode::Char('b'), _, true) | (KeyCode::Left, true, _) => area.word_left(),
        (KeyCode::Char('f'), _, true) | (KeyCode::Right, true, _) => area.word_right(),
        (KeyCode::Char(c), false, false) => area.insert(c.encode_utf8(&mut [0; 4])),
        (KeyCode::Backspace, ..) => area.backspace(),
        (KeyCode::Left, ..) => area.left(),
        (KeyCode::Right, ..) => area.right(),
        (KeyCode::Up, ..) => drop(area.by_lines(-1)),
        (KeyCode::Down, ..) => drop(area.by_lines(1)),
        (KeyCode::PageUp, ..) => drop(area.by_lines(-20)),
        (KeyCode::PageDown, ..) => drop(area.by_lines(20)),
        (KeyCode::Tab, ..) => area.insert("    "),
        _ => {}
    }
}
