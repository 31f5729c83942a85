//! Events of the runner: what a job found becomes entries, a review, a list or a request.

use agent::front::{
    ChangeRequest, InquiryAnswer, JobEnd, JobEvent, JobId, JobRequest, OfferedChange, PlanCard,
    ProofCard, RestoreRequest, Weight, placed, report_lines, step_lines,
};
use agent::{FixEvent, FixReport};
use base::Severity;
use tools::{ReportedDiagnostic, RestoreSummary};

use super::overlay;
use crate::message::{Ticket, TuiEffect};
use crate::pages::PagePane;
use crate::state::{JobRow, Purpose, Screen, State, Subject, Tone, TuiFocus, WaitingRequest};

/// An event of the runner.
pub(super) fn happen(state: &mut State, event: JobEvent) -> Vec<TuiEffect> {
    match event {
        JobEvent::Began(id, _) => {
            let now = state.now;
            if let Some(row) = row(state, id) {
                row.began = now;
            }
            Vec::new()
        }
        JobEvent::Progress(id, progress) => {
            if let Some(row) = row(state, id) {
                row.progress = Some(progress);
            }
            Vec::new()
        }
        JobEvent::Step(id, event) => {
            if row(state, id).is_some_and(|it| it.is_shown()) {
                step(state, &event);
            }
            Vec::new()
        }
        JobEvent::Diagnostic(id, found) => {
            let of = row(state, id).map(|it| it.ticket);
            diagnostic(state, of, &found);
            Vec::new()
        }
        JobEvent::Overlay(_) => Vec::new(),
        JobEvent::Ended(id, end) => {
            let at = state.jobs.iter().position(|it| it.id == Some(id));
            match at {
                Some(at) => {
                    let row = state.jobs.remove(at);
                    ended(state, row, *end)
                }
                None => Vec::new(),
            }
        }
    }
}

fn row(state: &mut State, id: JobId) -> Option<&mut JobRow> {
    state.jobs.iter_mut().find(|it| it.id == Some(id))
}

/// A diagnostic of a proof that runs: the errors are counted, and the first is shown.
fn diagnostic(state: &mut State, of: Option<Ticket>, found: &ReportedDiagnostic) {
    let running = state.overlay.as_mut().and_then(|it| it.proving.as_mut());
    let Some(proof) = running.filter(|it| Some(it.ticket) == of) else { return };
    if found.severity != Severity::Error {
        return;
    }
    proof.errors += 1;
    if proof.errors == 1 {
        state.note(Tone::Bad, placed(found));
    }
}

/// Makes what a model has written an entry of the conversation.
fn written(state: &mut State) {
    if let Some(text) = state.talk.writing.finish() {
        state.log(Tone::Dim, text);
    }
}

/// A state of a search for a change.
fn step(state: &mut State, event: &FixEvent) {
    if let FixEvent::Writing { text } = event {
        return state.talk.writing.push(text);
    }
    written(state);
    for line in step_lines(event) {
        // A macro can have the same error many times.
        if state.talk.entries.last().is_some_and(|it| it.text == line.text) {
            continue;
        }
        state.log(tone(line.weight), line.text);
    }
}

fn tone(of: Weight) -> Tone {
    match of {
        Weight::Plain => Tone::Plain,
        Weight::Dim => Tone::Dim,
        Weight::Good => Tone::Good,
        Weight::Bad => Tone::Bad,
        Weight::Warn => Tone::Warn,
    }
}

/// A job ended.
fn ended(state: &mut State, row: JobRow, end: JobEnd) -> Vec<TuiEffect> {
    if matches!(row.purpose, Purpose::Change) {
        written(state);
    }
    let is_mine = |pane: &crate::state::OverlayPane| pane.keeping == Some(row.ticket);
    if let Some(pane) = state.overlay.as_mut().filter(|it| is_mine(it)) {
        pane.keeping = None;
    }
    if let Some(pane) = &mut state.overlay {
        pane.proving = pane.proving.filter(|it| it.ticket != row.ticket);
    }
    match end {
        JobEnd::Changes { report, changes, plan } => found(state, &report, changes, plan.as_ref()),
        JobEnd::Opened(id, offered) => {
            let content = offered.change.patch_set();
            let effects = overlay::open(state, *offered, Some((id, content)));
            state.screen = Screen::Overlay;
            state.focus = TuiFocus::Content;
            effects
        }
        JobEnd::Proven(card) => proven(state, card),
        JobEnd::Kept(id, content) => {
            let Some(pane) = &mut state.overlay else { return Vec::new() };
            pane.review.keep(id, content);
            // The change may be another one by now.
            overlay::keep(state)
        }
        JobEnd::Rejected(id) => {
            state.log(Tone::Dim, format!("proposal {id} is rejected"));
            super::lists::load(state, state.screen)
        }
        JobEnd::Question(nonce, text) => ask(state, row.purpose, nonce, &text),
        JobEnd::Applied { change, commit, rest, lost, plan } => {
            let mut effects = applied(state, change, commit, rest, lost);
            effects.extend(plan.and_then(|it| next_step(state, &it)));
            effects
        }
        JobEnd::Refused(reasons) => {
            state.log(Tone::Bad, format!("refused, nothing was written: {}", reasons.join("; ")));
            state.note(Tone::Bad, "refused, nothing was written: see the conversation");
            Vec::new()
        }
        JobEnd::Restored(request, done) => restored(state, &request, &done),
        JobEnd::Answer(answer) => answered(state, &row, answer),
        JobEnd::Cancelled => {
            if row.is_shown() {
                state.log(Tone::Warn, format!("{}: cancelled", row.title));
                state.note(Tone::Warn, format!("{}: cancelled", row.title));
            }
            Vec::new()
        }
        JobEnd::Failed(error, hint) => {
            let hint = hint.map(|it| format!("\nhint: {it}")).unwrap_or_default();
            // What was proven on the tree before counts no more.
            if matches!(row.purpose, Purpose::Prove | Purpose::Ask(_) | Purpose::Write)
                && let Some(pane) = &mut state.overlay
            {
                pane.review.forget_proofs();
                pane.refresh();
                overlay::forget_request(state);
            }
            if !matches!(row.purpose, Purpose::Search) {
                state.log(Tone::Bad, format!("{}: {error}{hint}", row.title));
            }
            state.note(Tone::Bad, format!("{}: {error}", row.title));
            Vec::new()
        }
    }
}

/// A search for a change ended.
fn found(
    state: &mut State,
    report: &FixReport,
    changes: Vec<OfferedChange>,
    plan: Option<&PlanCard>,
) -> Vec<TuiEffect> {
    state.totals.tokens += report.tokens;
    state.totals.cost += report.cost;
    state.totals.runs += 1;
    for line in report_lines(report) {
        state.log(tone(line.weight), line.text);
    }
    plan.into_iter().for_each(|it| log_plan(state, it));
    let Some(first) = changes.first().cloned() else { return Vec::new() };
    let key = state.keys.key(crate::keys::Action::ScreenOverlay);
    let count = base::counted(changes.len(), "change");
    state.log(Tone::Plain, format!("{count} to review: {key}"));
    state.found = (changes, 0);
    let effects = overlay::open(state, first, None);
    // A person who types is not interrupted.
    if state.screen == Screen::Talk && !state.is_typing() {
        state.screen = Screen::Overlay;
        state.focus = TuiFocus::Content;
    } else {
        state.note(Tone::Good, format!("{count} to review: {key}"));
    }
    effects
}

fn proven(state: &mut State, card: ProofCard) -> Vec<TuiEffect> {
    let text = match (card.opens(), card.evidence.errors_after) {
        (true, _) => format!("proven: {}; exactly this part may be accepted", card.short()),
        (false, 0) => format!("refused: {}", card.refusals.join("; ")),
        (false, errors) => format!("{} with this part", base::counted(errors, "error")),
    };
    let tone = match (card.opens(), card.ran_tests()) {
        (true, true) => Tone::Good,
        (true, false) => Tone::Warn,
        (false, _) => Tone::Bad,
    };
    let summary = card.summary();
    let note = card.not_checked.as_ref().map(|it| (Tone::Warn, it.clone()));
    if let Some(pane) = &mut state.overlay {
        let before = pane.review.revision();
        pane.review.prove(card);
        if pane.review.revision() == before {
            state.note(Tone::Warn, "the part that was proven is not the chosen one any more");
            return Vec::new();
        }
        pane.refresh();
    }
    state.log(tone, text.clone());
    state.log(Tone::Dim, format!("proof {summary}"));
    if let Some((tone, line)) = note {
        state.log(tone, line);
    }
    state.note(tone, text);
    Vec::new()
}

/// Shows a request. The focus stays where it is.
fn ask(state: &mut State, purpose: Purpose, nonce: String, text: &str) -> Vec<TuiEffect> {
    let subject = match purpose {
        Purpose::Ask(acceptance) => Subject::Write(acceptance),
        Purpose::AskRestore(request) => Subject::Restore(request),
        _ => return Vec::new(),
    };
    let lines = text.lines().filter(|it| !it.trim().is_empty()).map(str::to_owned).collect();
    state.request =
        Some(WaitingRequest { subject, nonce, lines, top: 0, drawn_at: None, focused_at: None });
    overlay::forget_request(state);
    Vec::new()
}

fn applied(
    state: &mut State,
    change: String,
    commit: Option<String>,
    rest: Option<String>,
    lost: Option<String>,
) -> Vec<TuiEffect> {
    state.totals.applied += 1;
    let commit = commit.map(|it| format!(", commit {it}")).unwrap_or_default();
    let text = format!("applied as {change}{commit}; `undo` reverts it");
    state.log(Tone::Good, text.clone());
    state.note(Tone::Good, text);
    if let Some(lost) = lost {
        state.log(Tone::Bad, format!("what was left out could not be kept: {lost}"));
    }
    state.overlay = None;
    state.found = (Vec::new(), 0);
    match rest {
        Some(id) => {
            state.log(Tone::Plain, format!("what was left out is proposal {id}"));
            vec![state.submit(Purpose::Open, JobRequest::Open(id)).1]
        }
        None => Vec::new(),
    }
}

/// Shows a plan in the conversation.
fn log_plan(state: &mut State, plan: &PlanCard) {
    for line in &plan.lines {
        state.log(Tone::Plain, line.clone());
    }
}

/// A step of a plan was written: the next one is taken, up to its question.
fn next_step(state: &mut State, plan: &PlanCard) -> Option<TuiEffect> {
    if plan.is_done {
        log_plan(state, plan);
        return None;
    }
    let request = ChangeRequest::Resume(plan.id.clone());
    state.log(Tone::Plain, format!("the next step of the plan: {}", request.title()));
    Some(state.submit(Purpose::Change, JobRequest::Change(request)).1)
}

fn restored(state: &mut State, request: &RestoreRequest, done: &RestoreSummary) -> Vec<TuiEffect> {
    let verb = if request.redoes { "applied again" } else { "undone" };
    state.totals.applied = match request.redoes {
        true => state.totals.applied + 1,
        false => state.totals.applied.saturating_sub(1),
    };
    let text = format!("{} is {verb}: {}", done.id, done.restored.join(", "));
    state.log(Tone::Good, text.clone());
    state.note(Tone::Good, text);
    if done.around_changed {
        let line = "other files changed since: no check covers the present tree";
        state.log(Tone::Warn, line);
    }
    super::lists::load(state, state.screen)
}

fn answered(state: &mut State, row: &JobRow, answer: InquiryAnswer) -> Vec<TuiEffect> {
    match answer {
        InquiryAnswer::Hits(query, answer) => {
            // An answer to an older query is not shown under a newer one.
            if state.search.running == Some(row.ticket) {
                (state.search.running, state.search.at) = (None, 0);
                (state.search.answer, state.search.answered) = (*answer, query);
            }
        }
        InquiryAnswer::Proposals(rows) => state.proposals.fill(rows),
        InquiryAnswer::History(rows) => state.history.fill(rows),
        InquiryAnswer::Text(title, lines) => {
            state.pages.show(PagePane::new(title, lines));
            super::lists::fit_page(state);
            if let Purpose::Show(screen) = row.purpose {
                if state.screen != screen {
                    let leads = matches!(
                        state.screen,
                        Screen::Search | Screen::Proposals | Screen::History
                    );
                    state.pages.from = leads.then_some(state.screen);
                    state.pages.before.clear();
                }
                state.screen = screen;
                // A person who types is not interrupted.
                if state.focus != TuiFocus::Request && !state.is_typing() {
                    state.focus = TuiFocus::Content;
                }
            }
        }
    }
    Vec::new()
}
