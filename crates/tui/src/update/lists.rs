//! Cursors, scrolling and the actions of lists.

use agent::front::{Inquiry, JobRequest, RestoreRequest};

use super::{commands, overlay, search};
use crate::keys::Action;
use crate::layout::layout;
use crate::message::TuiEffect;
use crate::state::{Purpose, Screen, State, Tone, TuiFocus};

/// Asks for what a screen lists.
pub(super) fn load(state: &mut State, screen: Screen) -> Vec<TuiEffect> {
    let view = match screen {
        Screen::Proposals => Inquiry::Proposals(state.all_proposals),
        Screen::History => Inquiry::History,
        Screen::Meter => Inquiry::Stats,
        Screen::Pages if state.pages.page.title.is_empty() => Inquiry::Plans,
        _ => return Vec::new(),
    };
    vec![state.submit(Purpose::Show(screen), JobRequest::Inquire(view)).1]
}

/// Moves the cursor, or scrolls where there is none.
pub(super) fn scroll(state: &mut State, by: isize) -> Vec<TuiEffect> {
    if let Some(at) = &mut state.help {
        *at = at.saturating_add_signed(by);
        return Vec::new();
    }
    let moved = |at: usize, count: usize| at.saturating_add_signed(by).min(count.saturating_sub(1));
    match state.screen {
        Screen::Talk => {
            let most = state.talk.entries.iter().map(|it| it.text.lines().count().max(1) * 4).sum();
            state.talk.back = state.talk.back.saturating_add_signed(-by).min(most);
        }
        Screen::Overlay => {
            if let Some(pane) = &mut state.overlay {
                match &mut pane.edit {
                    Some(edit) => drop(edit.area.by_lines(by)),
                    None => pane.at = moved(pane.at, pane.view.rows.len()),
                }
                pane.scroll();
            }
        }
        Screen::Search => state.search.at = moved(state.search.at, state.search.answer.hits.len()),
        Screen::Proposals => {
            state.proposals.at = moved(state.proposals.at, state.proposals.rows.len())
        }
        Screen::History => state.history.at = moved(state.history.at, state.history.rows.len()),
        Screen::Pages => {
            let page = &mut state.pages.page;
            page.at = moved(page.at, page.lines.len());
            fit_page(state);
        }
        Screen::Meter => {
            let page = &mut state.pages.page;
            page.top = moved(page.top, page.lines.len());
            page.at = page.top;
        }
    }
    Vec::new()
}

/// Scrolls the page so that its cursor is visible.
pub(super) fn fit_page(state: &mut State) {
    let area = layout(state).content;
    let rows = usize::from(area.height).saturating_sub(1);
    state.pages.page.fit(usize::from(area.width), rows);
}

/// The row of the content that was pressed.
pub(super) fn point(state: &mut State, row: usize) {
    match state.screen {
        Screen::Overlay => {
            if let Some(pane) = &mut state.overlay {
                // The first row is the title.
                let row = pane.top + row.saturating_sub(1);
                match &mut pane.edit {
                    Some(edit) => {
                        let line = edit.area.top() + row - pane.top;
                        edit.area.place(line, 0);
                    }
                    None => pane.at = row.min(pane.view.rows.len().saturating_sub(1)),
                }
            }
        }
        Screen::Search => {
            let last = state.search.answer.hits.len().saturating_sub(1);
            state.search.at = row.saturating_sub(2).min(last);
        }
        Screen::Proposals => {
            state.proposals.at =
                row.saturating_sub(1).min(state.proposals.rows.len().saturating_sub(1));
        }
        Screen::History => {
            state.history.at =
                row.saturating_sub(1).min(state.history.rows.len().saturating_sub(1));
        }
        Screen::Pages => {
            let columns = usize::from(layout(state).content.width);
            let page = &mut state.pages.page;
            let mut heights =
                page.lines.iter().enumerate().skip(page.top).flat_map(|(number, it)| {
                    let rows = crate::cells::wrapped(&it.text, columns).len();
                    std::iter::repeat_n(number, rows)
                });
            page.at = heights.nth(row.saturating_sub(1)).unwrap_or(page.at);
        }
        _ => {}
    }
}

/// Does the action of a key in lists and texts.
pub(super) fn perform(state: &mut State, action: Action) -> Vec<TuiEffect> {
    let page = isize::try_from(layout(state).content.height).unwrap_or(20).max(2) - 1;
    let end = isize::MAX >> 1;
    match action {
        Action::Up => scroll(state, -1),
        Action::Down => scroll(state, 1),
        Action::PageUp => scroll(state, -page),
        Action::PageDown => scroll(state, page),
        Action::Top => scroll(state, -end),
        Action::Bottom => scroll(state, end),
        Action::Left => sideways(state, -8),
        Action::Right => sideways(state, 8),
        Action::Copy => copy(state),
        Action::Open => open(state),
        Action::RejectProposal => {
            let Some(id) = state.proposals.selected().map(|it| it.id.clone()) else {
                return Vec::new();
            };
            vec![state.submit(Purpose::Reject, JobRequest::Reject(id)).1]
        }
        Action::RestageProposal => {
            let Some(id) = state.proposals.selected().map(|it| it.id.clone()) else {
                return Vec::new();
            };
            vec![state.submit(Purpose::Open, JobRequest::Restage(id)).1]
        }
        Action::Why => {
            let Some(id) = state.proposals.selected().map(|it| it.id.clone()) else {
                return Vec::new();
            };
            let job = JobRequest::Inquire(Inquiry::Blocked(id));
            vec![state.submit(Purpose::Show(Screen::Pages), job).1]
        }
        Action::ShowAll => {
            state.all_proposals = !state.all_proposals;
            load(state, Screen::Proposals)
        }
        Action::Undo | Action::Redo => {
            let id = match state.screen {
                Screen::History => state.history.selected().map(|it| it.0.clone()),
                _ => None,
            };
            commands::ask_restore(state, RestoreRequest { redoes: action == Action::Redo, id })
        }
        _ => Vec::new(),
    }
}

fn sideways(state: &mut State, by: isize) -> Vec<TuiEffect> {
    if let Some(pane) = &mut state.overlay {
        pane.left = pane.left.saturating_add_signed(by).min(10_000);
    }
    Vec::new()
}

/// Opens what is selected.
fn open(state: &mut State) -> Vec<TuiEffect> {
    match state.screen {
        Screen::Search => search::open(state),
        Screen::Proposals => {
            let Some(id) = state.proposals.selected().map(|it| it.id.clone()) else {
                return Vec::new();
            };
            commands::start(state, JobRequest::Open(id))
        }
        Screen::History => {
            let Some(id) = state.history.selected().map(|it| it.0.clone()) else {
                return Vec::new();
            };
            commands::start(state, JobRequest::Inquire(Inquiry::Written(id)))
        }
        Screen::Talk if state.overlay.is_some() => super::go(state, Screen::Overlay),
        Screen::Overlay => overlay::perform(state, Action::TogglePart),
        Screen::Pages => {
            let line = state.pages.page.lines.get(state.pages.page.at);
            match line.and_then(|it| it.opens.clone()) {
                Some(job) => commands::start(state, job),
                None => Vec::new(),
            }
        }
        _ => {
            state.focus = TuiFocus::Prompt;
            Vec::new()
        }
    }
}

/// The text that `copy` takes: of the overlay the part at the cursor, of a list the selected row.
fn copy(state: &mut State) -> Vec<TuiEffect> {
    let text = match state.screen {
        Screen::Talk => state.talk.entries.last().map(|it| it.text.clone()),
        Screen::Overlay => state.overlay.as_ref().map(|pane| {
            let change = pane.review.whole();
            let part = pane.view.part_at(pane.at).and_then(|it| pane.view.parts.get(it));
            let mut others: base::SortedSet<edit::HunkPlace> = base::SortedSet::new();
            others.extend(pane.view.parts.iter().filter(|it| Some(*it) != part).cloned());
            change.without(pane.review.hunks(), &others).unified_diff()
        }),
        Screen::Search => state.search.answer.hits.get(state.search.at).map(|hit| {
            let file = hit.file.clone().unwrap_or_default();
            format!("{file}:{} {}", hit.start_line.unwrap_or(1), hit.canon)
        }),
        Screen::Proposals => state.proposals.selected().map(|it| it.diff.clone()),
        Screen::History => state.history.selected().map(|it| it.0.clone()),
        Screen::Pages | Screen::Meter => {
            let lines = state.pages.page.lines.iter().map(|it| it.text.as_str());
            Some(lines.collect::<Vec<_>>().join("\n"))
        }
    };
    match text.filter(|it| !it.is_empty()) {
        Some(text) => vec![TuiEffect::Copy(text)],
        None => {
            state.note(Tone::Warn, "nothing to copy here");
            Vec::new()
        }
    }
}
