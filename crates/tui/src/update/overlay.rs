//! The change under review: parts, proofs, edits, acceptance.

use agent::front::{Acceptance, JobRequest, NotAcceptable, OfferedChange, Review, WriteRequest};
use base::{ByteSpan, ContentHash, ProjectPath};
use check::Tests;
use edit::HunkPlace;

use crate::diff_view::DiffLayout;
use crate::keys::Action;
use crate::message::TuiEffect;
use crate::state::{EditPane, OverlayPane, PAUSE, Purpose, RunningProof, Screen, State, Tone};
use crate::text_area::TextArea;

/// Most steps of an edit that can be undone.
const MOST_UNDO: usize = 40;

/// Most places that a change leaves in the question about its write.
const LEFT_IN_QUESTION: usize = 3;

/// Whether a text is edited in place.
pub(super) fn is_editing(state: &State) -> bool {
    state.screen == Screen::Overlay && state.overlay.as_ref().is_some_and(|it| it.edit.is_some())
}

/// Begins the review of a change, and keeps it. `kept` is the proposal that has it, or that it replaces,
/// with the content of that.
pub(super) fn open(
    state: &mut State,
    offered: OfferedChange,
    kept: Option<(String, ContentHash)>,
) -> Vec<TuiEffect> {
    let mut effects = close(state);
    let mut review = Review::new(offered);
    if let Some((id, content)) = kept {
        review.keep(id, content);
    }
    let mut pane = OverlayPane::new(review, state.diff_layout());
    pane.height = usize::from(crate::layout::layout(state).content.height);
    pane.scroll();
    state.overlay = Some(pane);
    effects.extend(keep(state));
    effects
}

/// Ends the review without a decision. Its proposal stays.
fn close(state: &mut State) -> Vec<TuiEffect> {
    let mut effects = keep_edits(state);
    if let Some(pane) = state.overlay.take() {
        effects.extend(pane.review.proposal().map(|id| TuiEffect::Close(id.to_owned())));
    }
    forget_request(state);
    effects
}

/// Drops a request about a change that is no longer what was asked about.
pub(super) fn forget_request(state: &mut State) {
    let Some(crate::state::Subject::Write(asked)) = state.request.as_ref().map(|it| &it.subject)
    else {
        return;
    };
    let now = state.overlay.as_ref().and_then(|it| it.review.acceptance().ok());
    if now.as_ref() != Some(asked) {
        state.request = None;
        if state.focus == crate::state::TuiFocus::Request {
            state.focus = crate::state::TuiFocus::Content;
        }
        state.note(Tone::Warn, "the change is another one now: prove it, and ask again");
    }
}

/// Keeps the change as a proposal, unless that is done or under way.
pub(super) fn keep(state: &mut State) -> Vec<TuiEffect> {
    let Some(pane) = &state.overlay else { return Vec::new() };
    let review = &pane.review;
    if pane.keeping.is_some() || review.stored().is_some() || review.whole().is_empty() {
        return Vec::new();
    }
    let job = JobRequest::Keep {
        change: Box::new(review.whole().clone()),
        instead: review.proposal().map(str::to_owned),
        title: review.title.clone(),
    };
    let (ticket, effect) = state.submit(Purpose::Keep, job);
    if let Some(pane) = &mut state.overlay {
        pane.keeping = Some(ticket);
    }
    vec![effect]
}

/// Takes an edit in place into the change, and keeps it.
pub(super) fn keep_edits(state: &mut State) -> Vec<TuiEffect> {
    let Some(pane) = &mut state.overlay else { return Vec::new() };
    if let Some(edit) = &mut pane.edit
        && edit.due.take().is_some()
    {
        pane.review.edit(&edit.path, &edit.area.text());
        pane.refresh();
    }
    forget_request(state);
    keep(state)
}

/// Changes the text that is edited in place.
pub(super) fn edit(state: &mut State, change: impl FnOnce(&mut TextArea)) -> Vec<TuiEffect> {
    let due = state.now + PAUSE;
    if let Some(pane) = &mut state.overlay
        && let Some(edit) = &mut pane.edit
    {
        let before = edit.area.clone();
        change(&mut edit.area);
        if edit.area.edits() != before.edits() {
            // What is typed without a pause is one step.
            if edit.due.is_none() || edit.undo.is_empty() {
                edit.undo.push(before);
            }
            if edit.undo.len() > MOST_UNDO {
                edit.undo.remove(0);
            }
            edit.due = Some(due);
        }
        edit.area.scrolled(pane.height);
    }
    Vec::new()
}

/// Undoes the last step of an edit in place.
pub(super) fn undo_edit(state: &mut State) -> Vec<TuiEffect> {
    let due = state.now + PAUSE;
    let edit = state.overlay.as_mut().and_then(|it| it.edit.as_mut());
    let Some(edit) = edit else { return Vec::new() };
    match edit.undo.pop() {
        Some(before) => (edit.area, edit.due) = (before, Some(due)),
        None => state.note(Tone::Dim, "nothing to undo"),
    }
    Vec::new()
}

pub(super) fn end_edit(state: &mut State) -> Vec<TuiEffect> {
    edit(state, TextArea::without_blanks);
    let mut effects = keep_edits(state);
    let Some(pane) = &mut state.overlay else { return effects };
    let before = pane.edit.take().and_then(|it| it.proves_from);
    if before.is_some_and(|it| it != pane.review.content()) {
        effects.extend(prove(state, None));
    }
    effects
}

/// A text came back from the editor.
pub(super) fn edited_outside(
    state: &mut State,
    path: &ProjectPath,
    text: Option<String>,
) -> Vec<TuiEffect> {
    let (Some(pane), Some(text)) = (&mut state.overlay, text) else { return Vec::new() };
    if !pane.review.edit(path, &text) {
        state.note(Tone::Bad, format!("{path} is no part of the change any more"));
        return Vec::new();
    }
    pane.refresh();
    forget_request(state);
    keep(state)
}

/// Does the action of a key in the overlay screen.
pub(super) fn perform(state: &mut State, action: Action) -> Vec<TuiEffect> {
    if state.screen != Screen::Overlay {
        let effects = super::go(state, Screen::Overlay);
        if state.overlay.is_none() {
            return effects;
        }
    }
    if state.overlay.is_none() {
        state.note(Tone::Warn, "no change is under review: run `fix`, `finish` or a refactoring");
        return Vec::new();
    }
    match action {
        Action::NextPatch => step(state, 1, false),
        Action::PrevPatch => step(state, -1, false),
        Action::NextFile => step(state, 1, true),
        Action::PrevFile => step(state, -1, true),
        Action::TogglePart
        | Action::ToggleFile
        | Action::ToggleItem
        | Action::TakeAll
        | Action::TakeNone => choose(state, action),
        Action::ToggleDiff => toggle_layout(state),
        Action::RunCheck => return prove(state, Some(Tests::None)),
        Action::RunTests => return prove(state, None),
        Action::Accept => return ask(state),
        Action::Reject => return reject(state),
        Action::Edit => begin_edit(state, false),
        Action::OwnText => begin_edit(state, true),
        Action::EditOutside => return edit_outside(state),
        Action::SaveEdits => {
            let effects = keep_edits(state);
            let stored = state.overlay.as_ref().and_then(|it| it.review.stored());
            if let Some(id) = stored.map(str::to_owned) {
                state.note(Tone::Good, format!("kept as proposal {id}"));
            }
            return effects;
        }
        Action::Discard => {
            let effects = close(state);
            state.note(Tone::Dim, "closed; its proposal stays");
            return effects;
        }
        Action::NextChoice => return next_choice(state),
        Action::Restage => return restage(state),
        _ => {}
    }
    Vec::new()
}

/// Moves the cursor to the next part or file.
fn step(state: &mut State, by: isize, files: bool) {
    let Some(pane) = &mut state.overlay else { return };
    let starts = if files { &pane.view.file_rows } else { &pane.view.part_rows };
    let at = pane.at;
    let next = match by > 0 {
        true => starts.iter().find(|row| **row > at),
        false => starts.iter().rev().find(|row| **row < at),
    };
    if let Some(row) = next {
        pane.at = *row;
        pane.scroll();
        // The part is shown with what follows it.
        if pane.at + 1 >= pane.top + pane.height {
            pane.top = pane.at.saturating_sub(pane.height / 3);
        }
    }
}

fn choose(state: &mut State, action: Action) {
    let Some(pane) = &mut state.overlay else { return };
    let file = pane.view.file_at(pane.at).and_then(|it| pane.view.files.get(it));
    let path = file.map(|it| it.path.clone());
    // A heading is for all parts of its file.
    let of_file = action == Action::ToggleFile || pane.view.file_rows.contains(&pane.at);
    let part = pane.view.part_at(pane.at).and_then(|it| pane.view.parts.get(it)).cloned();
    match (action, part) {
        (Action::TakeAll, _) => pane.review.choose(&|_| true, true),
        (Action::TakeNone, _) => pane.review.choose(&|_| true, false),
        _ if of_file => {
            let Some(path) = path else { return };
            let mut own = pane.review.places().iter().filter(|it| it.0 == path);
            let all_chosen = own.all(|it| pane.review.is_chosen(it));
            pane.review.choose(&|it| it.0 == path, !all_chosen);
        }
        (_, None) => {}
        (Action::TogglePart, Some(part)) => pane.review.toggle(&part),
        (_, Some(part)) => {
            let chosen = pane.review.is_chosen(&part);
            let of_item = parts_of_item(&pane.review, &part);
            pane.review.choose(&|it| of_item.contains(it), !chosen);
        }
    }
    let (chosen, all) = pane.review.chosen();
    pane.refresh();
    forget_request(state);
    state.note(Tone::Plain, format!("{chosen} of {}", base::counted(all, "part")));
}

/// The parts of the item that a part is in, by its new text; the part alone outside of items.
fn parts_of_item(review: &Review, part: &HunkPlace) -> Vec<HunkPlace> {
    let (change, (path, number)) = (review.whole(), part);
    let Some(file) = change.get(path) else { return vec![part.clone()] };
    let text = file.after_text();
    let source = syntax::parse(text);
    let index = base::LineIndex::new(text);
    let lines = |number: usize| review.hunks().get(path)?.get(number).map(|it| it.1.clone());
    let item_of = |number: usize| {
        let first = u32::try_from(lines(number)?.start).ok()? + 1;
        let start = (0..=text.len()).find(|at| index.line_of(*at) >= first)?;
        let word = text[start..].find(|c: char| !c.is_whitespace())? + start;
        syntax::item_at(&source, ByteSpan::new(word, word))
    };
    let Some(item) = item_of(*number) else { return vec![part.clone()] };
    let own = review.places().iter().filter(|it| it.0 == *path).cloned();
    own.filter(|it| item_of(it.1) == Some(item)).collect()
}

fn toggle_layout(state: &mut State) {
    let columns = state.size.0;
    let Some(pane) = &mut state.overlay else { return };
    let part = pane.view.part_at(pane.at);
    pane.layout = match pane.layout {
        DiffLayout::Unified if columns >= 100 => DiffLayout::Split,
        DiffLayout::Unified | DiffLayout::Split => DiffLayout::New,
        DiffLayout::New => DiffLayout::Unified,
    };
    pane.refresh();
    pane.at = part.and_then(|it| pane.view.part_rows.get(it)).copied().unwrap_or_default();
    pane.scroll();
}

/// Proves exactly the chosen part.
fn prove(state: &mut State, tests: Option<Tests>) -> Vec<TuiEffect> {
    let mut effects = keep_edits(state);
    let Some(pane) = &state.overlay else { return effects };
    let part = pane.review.part();
    if part.is_empty() {
        state.note(Tone::Warn, "nothing is chosen");
        return effects;
    }
    let content = part.patch_set();
    if pane.proving.is_some_and(|it| it.content == content) {
        state.note(Tone::Warn, "it is being proven");
        return effects;
    }
    let job = JobRequest::Prove { change: Box::new(part.clone()), tests };
    let (ticket, effect) = state.submit(Purpose::Prove, job);
    if let Some(pane) = &mut state.overlay {
        pane.proving = Some(RunningProof { ticket, content, errors: 0 });
    }
    effects.push(effect);
    effects
}

/// Asks for the write of exactly what was proven.
fn ask(state: &mut State) -> Vec<TuiEffect> {
    let mut effects = keep_edits(state);
    let Some(pane) = &state.overlay else { return effects };
    match pane.review.acceptance() {
        Ok(acceptance) => {
            let (chosen, all) = pane.review.chosen();
            let title = match chosen == all {
                true => pane.review.title.clone(),
                false => {
                    format!("{}: {chosen} of {}", pane.review.title, base::counted(all, "part"))
                }
            };
            let left = pane.review.left.iter().take(LEFT_IN_QUESTION).cloned();
            let titles = std::iter::once(title).chain(left).collect();
            let job = JobRequest::Ask { offer: acceptance.offer, titles };
            effects.push(state.submit(Purpose::Ask(acceptance), job).1);
        }
        Err(NotAcceptable::Refused) => {
            let reasons = pane.review.proof().map(|it| it.refusals.join("; ")).unwrap_or_default();
            state.note(Tone::Bad, format!("the gate refuses it: {reasons}"));
        }
        Err(error) => {
            let (check, tests) =
                (state.keys.key(Action::RunCheck), state.keys.key(Action::RunTests));
            state.note(Tone::Warn, format!("{error}: {check} builds it, {tests} tests it"));
        }
    }
    effects
}

/// Writes what was asked about, if the change is still exactly that.
pub(super) fn write(state: &mut State, asked: Acceptance, nonce: String) -> Vec<TuiEffect> {
    let Some(pane) = &state.overlay else { return Vec::new() };
    if pane.review.acceptance() != Ok(asked) || pane.keeping.is_some() {
        state.note(Tone::Warn, "the change is another one now: prove it, and ask again");
        return Vec::new();
    }
    let request = WriteRequest {
        offer: asked.offer,
        patch_set: asked.patch_set,
        nonce,
        instead: pane.review.proposal().map(str::to_owned),
        rest: pane.review.rest(),
    };
    vec![state.submit(Purpose::Write, JobRequest::Write(Box::new(request))).1]
}

fn reject(state: &mut State) -> Vec<TuiEffect> {
    if !std::mem::replace(&mut state.may_reject, true) {
        let key = state.keys.key(Action::Reject);
        state.note(Tone::Warn, format!("{key} again rejects the change, which ends its proposal"));
        return Vec::new();
    }

    let proposal = state.overlay.as_ref().and_then(|it| it.review.proposal()).map(str::to_owned);
    state.overlay = None;
    forget_request(state);
    let effect = proposal.map(|id| state.submit(Purpose::Reject, JobRequest::Reject(id)).1);
    state.note(Tone::Dim, "rejected");
    effect.into_iter().collect()
}

/// Begins an edit in place at the cursor. With `proves`, its end proves it.
fn begin_edit(state: &mut State, proves: bool) {
    let Some(pane) = &mut state.overlay else { return };
    let Some(file) = pane.view.file_at(pane.at).and_then(|it| pane.view.files.get(it)) else {
        return;
    };
    let path = file.path.clone();
    let Some(change) = pane.review.whole().get(&path).filter(|it| it.after.is_some()) else {
        state.note(Tone::Warn, format!("{path} has no new text"));
        return;
    };
    let mut area = TextArea::new(change.after_text(), pane.view.new_line_at(pane.at));
    // The line stays in its row of the screen.
    area.show_from(area.cursor().0.saturating_sub(pane.at.saturating_sub(pane.top)));
    let proves_from = proves.then(|| pane.review.content());
    pane.edit = Some(EditPane { path, area, due: None, undo: Vec::new(), proves_from });
}

fn edit_outside(state: &mut State) -> Vec<TuiEffect> {
    let effects = keep_edits(state);
    let Some(pane) = &state.overlay else { return effects };
    let file = pane.view.file_at(pane.at).and_then(|it| pane.view.files.get(it));
    let Some(path) = file.map(|it| it.path.clone()) else { return effects };
    let Some(change) = pane.review.whole().get(&path).filter(|it| it.after.is_some()) else {
        return effects;
    };
    let (text, line) = (change.after_text().to_owned(), pane.view.new_line_at(pane.at) + 1);
    effects.into_iter().chain([TuiEffect::Edit(path, text, line)]).collect()
}

/// Stages the change again on the present tree.
fn restage(state: &mut State) -> Vec<TuiEffect> {
    let mut effects = keep_edits(state);
    match state.overlay.as_ref().and_then(|it| it.review.stored()).map(str::to_owned) {
        Some(id) => effects.push(state.submit(Purpose::Open, JobRequest::Restage(id)).1),
        None => state.note(Tone::Warn, "the change is being kept: try again"),
    }
    effects
}

fn next_choice(state: &mut State) -> Vec<TuiEffect> {
    let (found, at) = &state.found;
    if found.len() < 2 {
        state.note(Tone::Dim, "there is no other change");
        return Vec::new();
    }
    let next = (at + 1) % found.len();
    let offered = found[next].clone();
    state.found.1 = next;
    let title = format!("{} ({} of {})", offered.title, next + 1, state.found.0.len());
    let old = state.overlay.as_ref().map(|it| &it.review);
    let kept = old.and_then(|it| Some((it.proposal()?.to_owned(), it.whole().patch_set())));
    let effects = open(state, offered, kept);
    state.note(Tone::Plain, title);
    effects
}
