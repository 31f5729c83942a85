//! Actions of keys, and lines of the prompt.

use agent::front::{Inquiry, JobRequest, RestoreRequest, parse_command};

use super::{end, go, lists, overlay, search};
use crate::keys::Action;
use crate::message::TuiEffect;
use crate::state::{Purpose, Screen, State, Subject, Tone, TuiFocus};

/// Reads a line of the prompt: the name of an action, else a command, else a text.
pub(super) fn typed(state: &mut State, line: &str) -> Vec<TuiEffect> {
    let name = line.trim().trim_start_matches(':').trim();
    if let Some(action) = named(state, name) {
        return perform(state, action);
    }
    state.log(Tone::User, line.trim_end());
    state.talk.back = 0;
    match parse_command(line, state.info.model.is_some()) {
        Ok(job) => start(state, job),
        Err(error) => {
            state.log(Tone::Bad, error.to_string());
            Vec::new()
        }
    }
}

/// The action of a name, as the help lists it; a screen also by its own name.
fn named(state: &State, name: &str) -> Option<Action> {
    if let Some(action) = state.keys.named(name) {
        return Some(action);
    }
    match name {
        "overlay" | "enter-overlay-mode" => Some(Action::ScreenOverlay),
        "talk" => Some(Action::ScreenTalk),
        "meter" | "jobs" => Some(Action::ScreenMeter),
        "q" | "exit" => Some(Action::Quit),
        "run-check-on-overlay" => Some(Action::RunCheck),
        "run-tests-on-overlay" => Some(Action::RunTests),
        "accept-overlay" => Some(Action::Accept),
        "reject-overlay" => Some(Action::Reject),
        "save-overlay-edits" => Some(Action::SaveEdits),
        "discard-overlay" => Some(Action::Discard),
        _ => None,
    }
}

/// Starts the job of a command.
pub(super) fn start(state: &mut State, job: JobRequest) -> Vec<TuiEffect> {
    match job {
        JobRequest::Inquire(Inquiry::Search(request)) => {
            state.search.query.set(&request.query);
            state.screen = Screen::Search;
            state.focus = TuiFocus::Content;
            search::ask_for(state, request)
        }
        JobRequest::Inquire(Inquiry::Proposals(all)) => {
            state.all_proposals = all;
            go(state, Screen::Proposals)
        }
        JobRequest::Inquire(Inquiry::History) => go(state, Screen::History),
        JobRequest::Inquire(view) => {
            let (_, effect) = state.submit(Purpose::Show(Screen::Pages), JobRequest::Inquire(view));
            vec![effect]
        }
        JobRequest::AskRestore(request) => ask_restore(state, request),
        JobRequest::Open(_) | JobRequest::Restage(_) => {
            let mut effects = overlay::keep_edits(state);
            effects.push(state.submit(Purpose::Open, job).1);
            effects
        }
        job => {
            let mut effects = overlay::keep_edits(state);
            effects.push(state.submit(Purpose::Change, job).1);
            effects
        }
    }
}

/// Asks about an undo or redo.
pub(super) fn ask_restore(state: &mut State, request: RestoreRequest) -> Vec<TuiEffect> {
    let purpose = Purpose::AskRestore(request.clone());
    vec![state.submit(purpose, JobRequest::AskRestore(request)).1]
}

/// Does the action of a key.
pub(super) fn perform(state: &mut State, action: Action) -> Vec<TuiEffect> {
    match action {
        Action::NextFocus => next_focus(state),
        Action::FocusRequest if state.request.is_some() => state.focus = TuiFocus::Request,
        Action::FocusRequest => state.note(Tone::Dim, "no request waits"),
        Action::Help | Action::HelpBrowse => {
            state.help = if state.help.is_some() { None } else { Some(0) };
        }
        Action::Cancel => return cancel(state),
        Action::Quit => return end(state),
        Action::Suspend => {
            let mut effects = overlay::keep_edits(state);
            effects.push(TuiEffect::Suspend);
            return effects;
        }
        Action::Redraw => return vec![TuiEffect::Redraw],
        Action::ToggleMouse => {
            state.has_mouse = !state.has_mouse;
            let who = if state.has_mouse { "graftage" } else { "the terminal" };
            state.note(Tone::Plain, format!("the mouse is {who}'s"));
            return vec![TuiEffect::TakeMouse(state.has_mouse)];
        }
        Action::ScreenTalk => return go(state, Screen::Talk),
        Action::ScreenOverlay => return go(state, Screen::Overlay),
        Action::ScreenSearch => return go(state, Screen::Search),
        Action::ScreenProposals => return go(state, Screen::Proposals),
        Action::ScreenHistory => return go(state, Screen::History),
        Action::ScreenPages => return go(state, Screen::Pages),
        Action::ScreenMeter => return go(state, Screen::Meter),
        Action::Back if state.screen == Screen::Pages && state.pages.back() => {}
        Action::Back if state.screen == Screen::Pages && state.pages.from.is_some() => {
            let from = state.pages.from.take();
            return from.map_or_else(Vec::new, |from| go(state, from));
        }
        Action::Prompt | Action::Back => {
            if state.screen == Screen::Search {
                state.screen = Screen::Talk;
            }
            state.focus = TuiFocus::Prompt;
        }
        Action::Yes => return yes(state),
        Action::No => {
            state.request = None;
            state.focus = TuiFocus::Content;
            state.log(Tone::Dim, "no; nothing was written");
        }
        Action::Later => state.focus = TuiFocus::Prompt,
        Action::Type
        | Action::Callers
        | Action::Callees
        | Action::Impact
        | Action::PathFrom
        | Action::Pack => return search::perform(state, action),
        Action::Up
        | Action::Down
        | Action::PageUp
        | Action::PageDown
        | Action::Top
        | Action::Bottom
        | Action::Left
        | Action::Right
        | Action::Copy
        | Action::Open
        | Action::RejectProposal
        | Action::RestageProposal
        | Action::Why
        | Action::ShowAll
        | Action::Undo
        | Action::Redo => return lists::perform(state, action),
        action => return overlay::perform(state, action),
    }
    Vec::new()
}

fn next_focus(state: &mut State) {
    state.focus = match (state.focus, &state.request) {
        (TuiFocus::Prompt, _) => TuiFocus::Content,
        (TuiFocus::Content, Some(_)) => TuiFocus::Request,
        _ => TuiFocus::Prompt,
    };
}

/// Cancels the newest job that a person waits for; without one, the second press ends.
fn cancel(state: &mut State) -> Vec<TuiEffect> {
    if let Some(row) = state.jobs.iter().rev().find(|it| it.is_shown()) {
        let (id, title) = (row.id, row.title.clone());
        state.note(Tone::Warn, format!("cancelling {title}"));
        return id.map(TuiEffect::Cancel).into_iter().collect();
    }
    if state.focus == TuiFocus::Prompt && !state.prompt.is_empty() {
        state.prompt.clear();
        return Vec::new();
    }
    if state.may_quit {
        return end(state);
    }
    state.may_quit = true;
    let key = state.keys.key(Action::Cancel);
    state.note(Tone::Warn, format!("{key} again quits"));
    Vec::new()
}

/// The person agrees to what is asked. The write is of exactly what was shown: where the change is another
/// one by now, nothing is written.
fn yes(state: &mut State) -> Vec<TuiEffect> {
    let Some(request) = state.request.take() else { return Vec::new() };
    state.focus = TuiFocus::Content;
    match request.subject {
        Subject::Write(acceptance) => overlay::write(state, acceptance, request.nonce),
        Subject::Restore(restore) => {
            let job = JobRequest::Restore(restore, request.nonce);
            vec![state.submit(Purpose::Restore, job).1]
        }
    }
}
