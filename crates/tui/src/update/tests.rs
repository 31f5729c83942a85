//! Sequences of messages: every action in every state, and random ones with what must hold after each.

use agent::front::{
    AnswerLine, InquiryAnswer, JobEnd, JobEvent, JobId, JobRequest, OfferId, OfferedChange,
    ProofCard,
};
use base::{ContentHash, ProjectPath, Timestamp};
use edit::{FileState, Overlay};
use policy::{Evidence, Findings};

use crate::keys::{Action, Key, KeyCode, Keymap};
use crate::message::{Millis, Mouse, Ticket, TuiEffect, TuiMessage};
use crate::state::{ARMED_AFTER, FOCUSED_FOR, PAUSE, ProjectInfo, Screen, State, TuiFocus};
use crate::theme::Theme;
use crate::update;

pub(crate) fn state(size: (u16, u16)) -> State {
    let info = ProjectInfo { name: "parser".to_owned(), model: None, max_cost: Some(1.0) };
    State::new(size, Theme::PLAIN, Keymap::default(), info)
}

fn path(text: &str) -> ProjectPath {
    ProjectPath::new(text).expect("a path")
}

pub(crate) fn change() -> Overlay {
    let old: String = (1..=30).map(|it| format!("line {it}\n")).collect();
    let new = old
        .replace("line 3\n", "let three = \"日本語 e\u{301}\";\n")
        .replace("line 15\n", "\tfn f(x: u8) -> u8 { x }\n")
        .replace("line 28\n", "");
    let state = |it: &str| Some(FileState::from_text(it));
    Overlay::from_states(
        "test",
        Timestamp(0),
        vec![
            (path("src/a.rs"), state(&old), state(&new)),
            (path("src/b.rs"), None, state("pub fn b() {}\n")),
        ],
    )
}

pub(crate) fn evidence(patch_set: ContentHash, errors: usize) -> Evidence {
    let json = serde_json::json!({
        "patch_set": patch_set,
        "coverage": { "configurations": [], "not_looked_at": [] },
        "rungs": [],
        "errors_before": null,
        "errors_after": errors,
        "tests": null,
        "files": [],
        "violations": [],
        "public_changes": [],
        "notes": [],
        "protections": [],
    });
    let found: Result<Findings, _> = serde_json::from_value(json);
    Evidence::of(found.expect("findings"))
}

pub(crate) fn proof(offer: u64, change: &Overlay, refusals: &[&str]) -> ProofCard {
    ProofCard {
        offer: OfferId(offer),
        patch_set: change.patch_set(),
        evidence: Box::new(evidence(change.patch_set(), 0)),
        refusals: refusals.iter().map(|it| (*it).to_owned()).collect(),
        diagnostics: Vec::new(),
        not_checked: None,
    }
}

pub(crate) fn offered(title: &str, proof: Option<ProofCard>) -> OfferedChange {
    OfferedChange {
        title: title.to_owned(),
        rationale: vec!["because of a test".to_owned()],
        change: change(),
        left: Vec::new(),
        proof,
    }
}

/// A state with a runner that a test plays.
pub(crate) struct Played {
    pub(crate) state: State,
    pub(crate) now: Millis,
    /// Jobs under way.
    pub(crate) jobs: Vec<(JobId, JobRequest)>,
    /// Other effects, as they came.
    pub(crate) effects: Vec<TuiEffect>,
    next: u64,
}

impl Played {
    pub(crate) fn new(size: (u16, u16)) -> Self {
        Self { state: state(size), now: 1_000, jobs: Vec::new(), effects: Vec::new(), next: 1 }
    }

    pub(crate) fn send(&mut self, message: TuiMessage) {
        let effects = update(&mut self.state, self.now, message);
        for effect in effects {
            match effect {
                TuiEffect::Submit(ticket, job) => {
                    let id = JobId(self.next);
                    self.next += 1;
                    self.jobs.push((id, *job));
                    self.submitted(ticket, id);
                }
                effect => self.effects.push(effect),
            }
        }
    }

    fn submitted(&mut self, ticket: Ticket, id: JobId) {
        let more = update(&mut self.state, self.now, TuiMessage::Submitted(ticket, id));
        assert!(more.is_empty());
    }

    /// Keys, as `Key::read` takes them.
    pub(crate) fn keys(&mut self, keys: &str) {
        for key in keys.split_whitespace() {
            self.send(TuiMessage::Key(Key::read(key).expect(key)));
        }
    }

    pub(crate) fn type_in(&mut self, text: &str) {
        for c in text.chars() {
            self.send(TuiMessage::Key(Key::plain(KeyCode::Char(c))));
        }
    }

    /// Ends the oldest job that fits.
    pub(crate) fn end(
        &mut self,
        fits: impl Fn(&JobRequest) -> bool,
        end: impl FnOnce(&JobRequest) -> JobEnd,
    ) {
        let at = self.jobs.iter().position(|it| fits(&it.1)).expect("such a job");
        let (id, job) = self.jobs.remove(at);
        let end = Box::new(end(&job));
        self.send(TuiMessage::Job(Box::new(JobEvent::Ended(id, end))));
    }

    /// A change under review that was proven as a whole, and is kept.
    pub(crate) fn reviewing(size: (u16, u16)) -> Self {
        let mut played = Self::new(size);
        let first = offered("verified", Some(proof(1, &change(), &[])));
        played.send(TuiMessage::Paste("open ab12".to_owned()));
        played.keys("enter");
        let is_open = |job: &JobRequest| matches!(job, JobRequest::Open(_));
        played.end(is_open, |_| JobEnd::Opened("ab12".to_owned(), Box::new(first)));
        played
    }

    fn draw(&mut self) {
        if self.state.has_new_request() {
            self.send(TuiMessage::Drawn);
        }
    }
}

fn is_ask(job: &JobRequest) -> bool {
    matches!(job, JobRequest::Ask { .. })
}

fn question(_: &JobRequest) -> JobEnd {
    JobEnd::Question("nonce".to_owned(), "Write this change?\n2 files".to_owned())
}

fn writes(played: &Played) -> usize {
    played
        .jobs
        .iter()
        .filter(|it| matches!(it.1, JobRequest::Write(_) | JobRequest::Restore(..)))
        .count()
}

#[test]
fn a_change_is_accepted_after_its_question() {
    let mut it = Played::reviewing((80, 24));
    assert_eq!((it.state.screen, it.state.focus), (Screen::Overlay, TuiFocus::Content));
    it.keys("A");
    it.end(is_ask, question);
    it.draw();
    it.now += ARMED_AFTER;
    it.keys("ctrl-y");
    it.now += FOCUSED_FOR;
    it.keys("y");
    assert_eq!(writes(&it), 1);
    let Some((_, JobRequest::Write(request))) = it.jobs.pop() else { panic!("a write") };
    assert_eq!(request.nonce, "nonce");
    assert_eq!(request.patch_set, change().patch_set());
    assert!(request.rest.is_empty());
}

#[test]
fn a_part_is_accepted_only_once_it_is_proven() {
    let mut it = Played::reviewing((80, 24));
    it.keys("space A");
    assert!(!it.jobs.iter().any(|it| is_ask(&it.1)), "nothing is asked without a proof");
    it.keys("t");
    let is_proof = |job: &JobRequest| matches!(job, JobRequest::Prove { .. });
    it.end(is_proof, |job| {
        let JobRequest::Prove { change, .. } = job else { panic!("a proof") };
        assert_eq!(change.hunk_places(&change.hunks()).len(), 3);
        JobEnd::Proven(proof(2, change, &[]))
    });
    it.keys("A");
    it.end(is_ask, question);
    it.draw();
    it.now += ARMED_AFTER;
    it.keys("ctrl-y");
    it.now += FOCUSED_FOR;
    it.keys("y");
    let Some((_, JobRequest::Write(request))) = it.jobs.pop() else { panic!("a write") };
    assert_eq!(request.rest.hunk_places(&request.rest.hunks()).len(), 1);
    assert_eq!(request.offer, OfferId(2));
}

#[test]
fn a_proof_of_another_part_counts_for_nothing() {
    let mut it = Played::reviewing((80, 24));
    it.keys("space t n space");
    let is_proof = |job: &JobRequest| matches!(job, JobRequest::Prove { .. });
    it.end(is_proof, |job| {
        let JobRequest::Prove { change, .. } = job else { panic!("a proof") };
        JobEnd::Proven(proof(2, change, &[]))
    });
    it.keys("A");
    assert!(!it.jobs.iter().any(|it| is_ask(&it.1)));
}

#[test]
fn a_refused_change_is_not_asked_about() {
    let mut it = Played::reviewing((80, 24));
    it.keys("space t");
    let is_proof = |job: &JobRequest| matches!(job, JobRequest::Prove { .. });
    it.end(is_proof, |job| {
        let JobRequest::Prove { change, .. } = job else { panic!("a proof") };
        JobEnd::Proven(proof(2, change, &["tests fail"]))
    });
    it.keys("A");
    assert!(!it.jobs.iter().any(|it| is_ask(&it.1)));
}

#[test]
fn a_request_that_appears_while_typing_approves_nothing() {
    let mut it = Played::reviewing((80, 24));
    it.keys("A esc");
    it.type_in("fix y");
    it.end(is_ask, question);
    it.draw();
    it.type_in("yes y y y");
    it.keys("enter");
    assert_eq!(writes(&it), 0, "keys of the prompt");
    // The focus alone answers nothing; keys that come too early do not count.
    it.keys("ctrl-y y y enter space");
    assert_eq!(writes(&it), 0, "keys before it was on the screen for a moment");
    it.now += ARMED_AFTER;
    it.keys("enter space");
    assert_eq!(writes(&it), 0, "nothing is the default");
    it.keys("esc");
    assert!(it.state.request.is_some(), "esc is later");
    it.keys("ctrl-y y y");
    assert_eq!(writes(&it), 0, "keys in one burst with the focus, as an unmarked paste sends them");
    it.keys("esc");
    it.keys("ctrl-y");
    it.now += FOCUSED_FOR;
    it.keys("y");
    assert_eq!(writes(&it), 1);
}

#[test]
fn a_press_that_gives_the_focus_does_nothing_and_none_approves() {
    let mut it = Played::reviewing((80, 24));
    it.keys("A");
    it.end(is_ask, question);
    it.draw();
    it.now += ARMED_AFTER;
    it.send(TuiMessage::Focus(true));
    let row = crate::layout::layout(&it.state).request.y;
    it.send(TuiMessage::Mouse(Mouse::Press(3, row)));
    assert_eq!(it.state.focus, TuiFocus::Content);
    it.send(TuiMessage::Mouse(Mouse::Press(3, row)));
    assert_eq!((it.state.focus, writes(&it)), (TuiFocus::Request, 0));
}

#[test]
fn a_change_after_the_question_drops_it() {
    let mut it = Played::reviewing((80, 24));
    it.keys("A");
    it.end(is_ask, question);
    it.draw();
    it.now += ARMED_AFTER;
    it.keys("space ctrl-y");
    it.now += FOCUSED_FOR;
    it.keys("y");
    assert_eq!(writes(&it), 0);
    assert!(it.state.request.is_none());
}

#[test]
fn edits_are_kept_at_a_pause_and_by_every_way_out() {
    for way in ["pause", "esc", "alt-1", "ctrl-q", "ctrl-z"] {
        let mut it = Played::reviewing((80, 24));
        it.keys("e");
        it.type_in("// mine");
        assert!(it.state.due().is_some());
        match way {
            "pause" => {
                it.now += PAUSE;
                it.send(TuiMessage::Due);
            }
            key => it.keys(key),
        }
        assert_eq!(it.state.due(), None, "{way}");
        let kept = it.jobs.iter().find_map(|it| match &it.1 {
            JobRequest::Keep { change, instead, .. } => Some((change, instead)),
            _ => None,
        });
        let (change, instead) = kept.expect(way);
        let text = change.get(&path("src/a.rs")).expect("the file").after_text();
        assert!(text.contains("// mine"), "{way}");
        assert_eq!(instead.as_deref(), Some("ab12"), "{way}");
    }
}

#[test]
fn an_answer_to_an_older_query_is_not_shown() {
    let mut it = Played::new((80, 24));
    it.keys("alt-3");
    for text in ["a", "b"] {
        it.type_in(text);
        it.now += 60;
        it.send(TuiMessage::Due);
    }
    let hits = |query: &'static str| {
        move |_: &JobRequest| {
            let answer = Box::default();
            JobEnd::Answer(InquiryAnswer::Hits(query.to_owned(), answer))
        }
    };
    it.end(|job| matches!(job, JobRequest::Inquire(_)), hits("a"));
    assert_eq!(it.state.search.answered, "");
    it.end(|job| matches!(job, JobRequest::Inquire(_)), hits("ab"));
    assert_eq!(it.state.search.answered, "ab");
}

#[test]
fn a_heading_is_for_all_parts_of_its_file() {
    for key in ["space", "F"] {
        let mut it = Played::reviewing((80, 24));
        let heading = |it: &Played, file: usize| {
            it.state.overlay.as_ref().expect("a review").view.file_rows[file]
        };
        let chosen = |it: &Played, file: &str| {
            let review = &it.state.overlay.as_ref().expect("a review").review;
            review
                .places()
                .iter()
                .filter(|it| it.0.as_str() == file && review.is_chosen(it))
                .count()
        };
        assert_eq!((chosen(&it, "src/a.rs"), chosen(&it, "src/b.rs")), (3, 1));
        it.keys("]");
        let (row, pane) = (heading(&it, 1), it.state.overlay.as_mut().expect("a review"));
        pane.at = row;
        it.keys(key);
        assert_eq!((chosen(&it, "src/a.rs"), chosen(&it, "src/b.rs")), (3, 0), "{key}");
        let row = heading(&it, 0);
        it.state.overlay.as_mut().expect("a review").at = row;
        it.keys(key);
        assert_eq!((chosen(&it, "src/a.rs"), chosen(&it, "src/b.rs")), (0, 0), "{key}");
        it.keys(key);
        assert_eq!((chosen(&it, "src/a.rs"), chosen(&it, "src/b.rs")), (3, 0), "{key}");
    }
}

#[test]
fn a_change_is_rejected_by_the_second_press() {
    let mut it = Played::reviewing((80, 24));
    it.keys("R n R");
    assert!(it.state.overlay.is_some());
    it.keys("R");
    assert!(it.state.overlay.is_none());
    assert!(it.jobs.iter().any(|it| matches!(it.1, JobRequest::Reject(_))));
}

#[test]
fn a_proof_that_fails_drops_the_ones_before() {
    let mut it = Played::reviewing((80, 24));
    assert!(it.state.overlay.as_ref().is_some_and(|it| it.review.acceptance().is_ok()));
    it.keys("c");
    let error = "`src/a.rs` changed since the change was made".to_owned();
    it.end(|job| matches!(job, JobRequest::Prove { .. }), |_| JobEnd::Failed(error, None));
    assert!(it.state.overlay.as_ref().is_some_and(|it| it.review.acceptance().is_err()));
    it.keys("r");
    assert!(it.jobs.iter().any(|it| matches!(&it.1, JobRequest::Restage(id) if id == "ab12")));
}

#[test]
fn an_edit_is_undone_in_steps() {
    let mut it = Played::reviewing((80, 24));
    let text = |it: &Played| {
        let pane = it.state.overlay.as_ref().expect("a review");
        pane.edit.as_ref().expect("an edit").area.text()
    };
    it.keys("e");
    let before = text(&it);
    it.type_in("abc");
    it.now += PAUSE;
    it.send(TuiMessage::Due);
    let one = text(&it);
    it.type_in("def");
    it.keys("enter enter");
    it.keys("alt-u");
    assert_eq!(text(&it), one);
    it.keys("alt-u alt-u");
    assert_eq!(text(&it), before);
}

#[test]
fn letters_on_the_conversation_begin_a_command() {
    let mut it = Played::new((80, 24));
    it.keys("esc");
    it.type_in("rename a to b");
    assert_eq!(it.state.prompt.text(), "rename a to b");
}

#[test]
fn an_own_text_is_proven_as_soon_as_it_is_written() {
    let mut it = Played::reviewing((80, 24));
    it.keys("o esc");
    assert!(it.jobs.is_empty(), "nothing was written");
    it.keys("o");
    it.type_in("own");
    it.keys("esc");
    let own = it.state.overlay.as_ref().expect("a review").review.part().patch_set();
    let of_own = |it: &(JobId, JobRequest)| match &it.1 {
        JobRequest::Prove { change, tests } => change.patch_set() == own && tests.is_none(),
        _ => false,
    };
    assert!(it.jobs.iter().any(of_own));
    assert!(it.state.overlay.as_ref().is_some_and(|it| it.review.acceptance().is_err()));
}

#[test]
fn an_answer_that_is_written_is_one_message_and_becomes_an_entry() {
    use agent::front::Mailbox;
    let mut it = Played::new((80, 24));
    it.type_in("fix");
    it.keys("enter");
    let id = it.jobs.iter().find(|it| matches!(it.1, JobRequest::Change(_))).expect("a job").0;
    let step = |of: JobId, event| TuiMessage::Job(Box::new(JobEvent::Step(of, Box::new(event))));
    let writing = |text: &str| agent::FixEvent::Writing { text: text.to_owned() };
    let mailbox = Mailbox::new(4);
    for word in ["I ", "make ", "it ", "saturate.", "\n", "src/lib.rs", "\n"] {
        assert!(mailbox.send(step(id, writing(word))), "a full queue makes no writer wait");
    }
    let note = agent::ModelNote {
        round: 1,
        kind: agent::ModelNoteKind::Proposed,
        text: "src/lib.rs: why".to_owned(),
    };
    assert!(mailbox.send(step(id, agent::FixEvent::Model { note })));
    let mut messages = 0;
    while let Some(message) = mailbox.receive(Some(std::time::Duration::ZERO)) {
        it.send(message);
        messages += 1;
    }
    assert_eq!(messages, 2);
    let texts: Vec<&str> = it.state.talk.entries.iter().map(|it| it.text.as_str()).collect();
    let text = "I make it saturate.\nsrc/lib.rs";
    assert!(texts.ends_with(&[text, "model: src/lib.rs: why"]), "{texts:?}");
    it.send(step(id, writing("half an ans")));
    it.end(|job| matches!(job, JobRequest::Change(_)), |_| JobEnd::Cancelled);
    let texts: Vec<&str> = it.state.talk.entries.iter().map(|it| it.text.as_str()).collect();
    assert!(texts.contains(&"half an ans"), "{texts:?}");
    assert!(it.state.talk.writing.is_empty());
}

#[test]
fn a_page_leads_on_and_back() {
    let mut it = Played::new((80, 24));
    it.keys("alt-6");
    let resume = JobRequest::Change(agent::front::ChangeRequest::Resume("ab".to_owned()));
    let page = |title: &str, opens: Option<JobRequest>| {
        let lines = (0..60).map(|at| AnswerLine {
            text: format!("line {at} {}", "x".repeat(at * 3)),
            opens: opens.clone().filter(|_| at == 40),
        });
        InquiryAnswer::Text(title.to_owned(), lines.collect())
    };
    it.end(|_| true, |_| JobEnd::Answer(page("plans", Some(resume))));
    assert_eq!((it.state.pages.page.at, it.state.focus), (40, TuiFocus::Content));
    it.keys("enter");
    assert!(matches!(
        &it.jobs.last().expect("a job").1,
        JobRequest::Change(agent::front::ChangeRequest::Resume(id)) if id == "ab"
    ));
    it.keys("g enter down pagedown end");
    assert_eq!(it.state.pages.page.at, 59);
    it.type_in(":show a::b");
    it.keys("enter");
    it.end(|job| matches!(job, JobRequest::Inquire(_)), |_| JobEnd::Answer(page("a::b", None)));
    assert_eq!(it.state.pages.page.title, "a::b");
    it.keys("esc");
    assert_eq!((it.state.pages.page.title.as_str(), it.state.pages.page.at), ("plans", 59));
    it.keys("esc");
    assert_eq!(it.state.focus, TuiFocus::Prompt);
}

#[test]
fn a_step_of_a_plan_that_was_written_leads_to_the_next() {
    for is_done in [false, true] {
        let mut it = Played::reviewing((80, 24));
        let plan = agent::front::PlanCard {
            id: "p1".to_owned(),
            lines: vec!["[ ] all".to_owned(), "  [x] one".to_owned()],
            is_done,
        };
        it.keys("A");
        it.end(is_ask, question);
        it.draw();
        it.now += ARMED_AFTER;
        it.keys("ctrl-y");
        it.now += FOCUSED_FOR;
        it.keys("y");
        it.end(
            |job| matches!(job, JobRequest::Write(_)),
            |_| JobEnd::Applied {
                change: "c1".to_owned(),
                commit: None,
                rest: None,
                lost: None,
                plan: Some(plan),
            },
        );
        let next = |it: &(JobId, JobRequest)| matches!(it.1, JobRequest::Change(_));
        assert_eq!(it.jobs.iter().any(next), !is_done);
    }
}

#[test]
fn ctrl_c_cancels_before_it_quits() {
    let mut it = Played::new((80, 24));
    it.type_in("fix");
    it.keys("enter ctrl-c");
    assert!(matches!(it.effects.as_slice(), [TuiEffect::Cancel(_)]));
    it.end(|job| matches!(job, JobRequest::Change(_)), |_| JobEnd::Cancelled);
    it.keys("ctrl-c");
    assert!(!it.state.has_ended());
    it.keys("ctrl-c");
    assert!(it.state.has_ended());
}

/// States that a person may be in.
fn states() -> Vec<(&'static str, Played)> {
    let mut asked = Played::reviewing((80, 24));
    asked.keys("A");
    asked.end(is_ask, question);
    let mut editing = Played::reviewing((80, 24));
    editing.keys("e");
    editing.type_in("x");
    let mut searching = Played::new((80, 24));
    searching.keys("alt-3");
    let mut running = Played::new((80, 24));
    running.type_in("finish");
    running.keys("enter");
    let mut help = Played::new((80, 24));
    help.keys("f1");
    let mut history = Played::new((80, 24));
    history.keys("alt-5");
    history.end(
        |job| matches!(job, JobRequest::Inquire(_)),
        |_| JobEnd::Answer(InquiryAnswer::History(vec![("c1".into(), true, "a change".into())])),
    );
    vec![
        ("start", Played::new((80, 24))),
        ("small", Played::reviewing((20, 5))),
        ("tiny", Played::reviewing((1, 1))),
        ("review", Played::reviewing((80, 24))),
        ("wide", Played::reviewing((200, 60))),
        ("asked", asked),
        ("editing", editing),
        ("searching", searching),
        ("running", running),
        ("help", help),
        ("history", history),
    ]
}

#[test]
fn every_action_is_harmless_in_every_state() {
    let names: Vec<&str> = Keymap::default().table().iter().map(|it| it.2).collect();
    for name in names {
        for (what, mut it) in states() {
            let action = it.state.keys.named(name).expect(name);
            let asked = what == "asked" && action == Action::Yes;
            let effects = super::commands::perform(&mut it.state, action);
            let wrote = effects.iter().any(|it| {
                matches!(it, TuiEffect::Submit(_, job) if matches!(**job, JobRequest::Write(_) | JobRequest::Restore(..)))
            });
            assert_eq!(wrote, asked, "{name} in {what}");
            check(&it, &format!("{name} in {what}"));
        }
    }
}

/// What holds after every message.
fn check(it: &Played, what: &str) {
    let (columns, rows) = (it.state.size.0.max(1), it.state.size.1.max(1));
    let area = ratatui_core::layout::Rect::new(0, 0, columns, rows);
    let mut buffer = ratatui_core::buffer::Buffer::empty(area);
    if let Some((column, row)) = crate::draw(&it.state, &mut buffer) {
        assert!(column < columns && row < rows, "{what}: cursor {column} {row}");
    }
    assert!(it.state.jobs.len() <= it.jobs.len() + 2, "{what}: jobs");
}

/// A generator of numbers (SplitMix64), so that a failure can be repeated.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((z ^ (z >> 31)) % below as u64).unwrap_or_default()
    }
}

/// Number of random sequences; `TUI_SEQUENCES` sets another one.
fn sequences() -> u64 {
    option_env!("TUI_SEQUENCES").and_then(|it| it.parse().ok()).unwrap_or(400)
}

#[test]
fn random_sequences_lose_no_edit_and_accept_nothing_unproven() {
    let keys: Vec<Key> = Keymap::default()
        .table()
        .iter()
        .flat_map(|it| it.1.split(' ').filter_map(Key::read).collect::<Vec<_>>())
        .chain("a b x y n enter esc backspace tab".split(' ').filter_map(Key::read))
        // Ends and suspensions are tested alone.
        .filter(|key| {
            !matches!(key.to_string().as_str(), "ctrl-q" | "ctrl-c" | "ctrl-z" | "ctrl-d")
        })
        .collect();
    for seed in 0..sequences() {
        let mut numbers = Numbers(seed);
        let sizes = [(80, 24), (40, 12), (200, 60), (20, 5)];
        let mut it = Played::reviewing(sizes[numbers.next(4)]);
        let mut typed = 0;
        for step in 0..60 {
            it.now += [0, 5, 40, 300, 700][numbers.next(5)];
            let what = format!("seed {seed} step {step}");
            let proven = it.state.overlay.as_ref().and_then(|it| it.review.acceptance().ok());
            let before = it.jobs.len();
            let was_editing = it.state.overlay.as_ref().is_some_and(|it| it.edit.is_some())
                && it.state.screen == Screen::Overlay
                && it.state.focus == TuiFocus::Content
                && it.state.help.is_none();
            match numbers.next(10) {
                0 => end_some(&mut it, &mut numbers),
                1 => it.send(TuiMessage::Due),
                2 => it.draw(),
                3 => it.send(TuiMessage::Mouse(Mouse::Press(
                    u16::try_from(numbers.next(80)).unwrap_or_default(),
                    u16::try_from(numbers.next(24)).unwrap_or_default(),
                ))),
                4 => it.send(TuiMessage::Focus(numbers.next(2) == 0)),
                5 if numbers.next(3) == 0 => write_some(&mut it, &mut numbers),
                5 if was_editing => {
                    typed += 1;
                    it.send(TuiMessage::Paste(format!("«{typed}»")));
                }
                _ => it.send(TuiMessage::Key(keys[numbers.next(keys.len())])),
            }
            for (_, job) in &it.jobs[before.min(it.jobs.len())..] {
                if let JobRequest::Write(request) = job {
                    let proven = proven.expect(&what);
                    assert_eq!(request.patch_set, proven.patch_set, "{what}: not what is proven");
                    assert_eq!(request.offer, proven.offer, "{what}");
                }
            }
            check(&it, &what);
            edits_are_there(&it, &what);
        }
    }
}

/// A model writes in a job, or a proof finds an error.
fn write_some(it: &mut Played, numbers: &mut Numbers) {
    if it.jobs.is_empty() {
        return;
    }
    let id = it.jobs[numbers.next(it.jobs.len())].0;
    let text = ["<<<<<<< SEARCH\n", "日本\u{1b}[2J", "=======\nnew", "\n"][numbers.next(4)];
    let event = agent::FixEvent::Writing { text: text.to_owned() };
    it.send(TuiMessage::Job(Box::new(JobEvent::Step(id, Box::new(event)))));
}

/// Each text that was pasted into an edit and not removed is in the area, in the change or in a job.
fn edits_are_there(it: &Played, what: &str) {
    let Some(pane) = &it.state.overlay else { return };
    let Some(edit) = &pane.edit else { return };
    let in_change = pane.review.whole().get(&edit.path).map(|it| it.after_text().to_owned());
    // An edit that has ended its pause is part of the change.
    if edit.due.is_none()
        && let Some(text) = in_change
    {
        assert_eq!(text, edit.area.text(), "{what}: the edit is not in the change");
    }
    if edit.due.is_none() && pane.keeping.is_none() && !pane.review.whole().is_empty() {
        assert!(pane.review.stored().is_some(), "{what}: the change is not kept");
    }
}

/// Ends a job with a result that fits, or with a failure.
fn end_some(it: &mut Played, numbers: &mut Numbers) {
    if it.jobs.is_empty() {
        return;
    }
    let at = numbers.next(it.jobs.len());
    let (id, job) = it.jobs.remove(at);
    let fails = numbers.next(5) == 0;
    let end = match &job {
        JobRequest::Keep { change, .. } => JobEnd::Kept(format!("p{}", id.0), change.patch_set()),
        _ if fails => JobEnd::Failed("it failed".to_owned(), None),
        JobRequest::Prove { change, .. } => {
            let refusals: &[&str] = if numbers.next(4) == 0 { &["no"] } else { &[] };
            JobEnd::Proven(proof(id.0 + 100, change, refusals))
        }
        JobRequest::Ask { .. } | JobRequest::AskRestore(_) => {
            JobEnd::Question(format!("n{}", id.0), "Sure?".into())
        }
        JobRequest::Write(_) => JobEnd::Applied {
            change: format!("c{}", id.0),
            commit: None,
            rest: None,
            lost: None,
            plan: None,
        },
        JobRequest::Open(id) => JobEnd::Opened(id.clone(), Box::new(offered("proposal", None))),
        JobRequest::Reject(id) => JobEnd::Rejected(id.clone()),
        _ => JobEnd::Cancelled,
    };
    it.send(TuiMessage::Job(Box::new(JobEvent::Ended(id, Box::new(end)))));
}
