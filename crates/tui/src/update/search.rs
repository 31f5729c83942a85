//! Search as one types, and questions about a hit.

use agent::front::{Inquiry, JobRequest};
use code::{HitCard, SearchRequest};

use crate::keys::Action;
use crate::message::TuiEffect;
use crate::state::{Purpose, Screen, State, Tone, TuiFocus};

/// Milliseconds after the last key before a query is asked.
const DEBOUNCE: u64 = 60;

/// Most hits of a query.
const HITS: usize = 40;

/// Budget of a packed context in tokens.
const BUDGET: usize = 4_000;

/// The query has changed.
pub(super) fn typed(state: &mut State) -> Vec<TuiEffect> {
    state.search.due = Some(state.now + DEBOUNCE);
    Vec::new()
}

/// Asks the query as it is.
pub(super) fn ask(state: &mut State) -> Vec<TuiEffect> {
    let query = state.search.query.text();
    let request =
        SearchRequest { explain: true, preview: true, ..SearchRequest::new(query.trim(), HITS) };
    ask_for(state, request)
}

/// Asks a query.
pub(super) fn ask_for(state: &mut State, request: SearchRequest) -> Vec<TuiEffect> {
    state.search.due = None;
    if request.query.trim().is_empty() {
        state.search.answer = code::SearchAnswer::default();
        state.search.answered.clear();
        return Vec::new();
    }
    let (ticket, effect) =
        state.submit(Purpose::Search, JobRequest::Inquire(Inquiry::Search(request)));
    state.search.running = Some(ticket);
    vec![effect]
}

fn hit(state: &State) -> Option<&HitCard> {
    state.search.answer.hits.get(state.search.at)
}

/// Shows the selected hit.
pub(super) fn open(state: &mut State) -> Vec<TuiEffect> {
    let Some(canon) = hit(state).map(|it| it.canon.clone()) else { return Vec::new() };
    show(state, Inquiry::Show(canon))
}

fn show(state: &mut State, view: Inquiry) -> Vec<TuiEffect> {
    vec![state.submit(Purpose::Show(Screen::Pages), JobRequest::Inquire(view)).1]
}

/// Does the action of a key in the search screen.
pub(super) fn perform(state: &mut State, action: Action) -> Vec<TuiEffect> {
    if action == Action::Type {
        state.screen = Screen::Search;
        state.focus = TuiFocus::Prompt;
        return Vec::new();
    }
    if action == Action::Pack {
        let query = state.search.query.text();
        return show(state, Inquiry::Context(query, BUDGET));
    }
    let Some(canon) = hit(state).map(|it| it.canon.clone()) else {
        state.note(Tone::Warn, "no item is selected: search first");
        return Vec::new();
    };
    match action {
        Action::Callers => show(state, Inquiry::Callers(canon)),
        Action::Callees => show(state, Inquiry::Callees(canon)),
        Action::Impact => show(state, Inquiry::Impact(canon)),
        Action::PathFrom => match state.search.path_from.take() {
            Some(from) => show(state, Inquiry::Path(from, canon)),
            None => {
                let key = state.keys.key(Action::PathFrom);
                state.note(Tone::Plain, format!("path from {canon}: {key} at its end"));
                state.search.path_from = Some(canon);
                Vec::new()
            }
        },
        _ => Vec::new(),
    }
}
