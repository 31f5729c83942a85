//! Pictures of each screen as text (`crates/tui/golden`; `UPDATE_EXPECT=1` writes them), and the bytes of frames
//! in a terminal emulator.

use agent::front::{AnswerLine, InquiryAnswer, JobEnd, JobEvent, JobId, JobRequest};
use base::{Progress, SortedMap};
use code::{HitCard, SearchAnswer};
use expect_test::expect_file;
use ratatui_core::buffer::Buffer;
use ratatui_core::layout::Rect;
use ratatui_core::style::Color;

use crate::keys::{Key, KeyCode};
use crate::message::TuiMessage;
use crate::state::State;
use crate::theme::{Background, Theme};
use crate::update::tests::{Played, offered, proof};
use crate::{draw, terminal};

const SIZES: [(u16, u16); 4] = [(40, 12), (80, 24), (120, 40), (200, 60)];

fn buffer(state: &State) -> (Buffer, Option<(u16, u16)>) {
    let area = Rect::new(0, 0, state.size.0, state.size.1);
    let mut buffer = Buffer::empty(area);
    let cursor = draw(state, &mut buffer);
    (buffer, cursor)
}

/// The rows of a buffer as text; the second cell of a wide letter is left out.
fn rows(buffer: &Buffer) -> Vec<String> {
    let area = *buffer.area();
    let row = |y| {
        let mut text = String::new();
        let mut x = 0;
        while x < area.width {
            let symbol = buffer[(x, y)].symbol();
            text.push_str(symbol);
            x += u16::try_from(crate::cells::width(symbol)).unwrap_or(1).max(1);
        }
        text.trim_end().to_owned()
    };
    (0..area.height).map(row).collect()
}

/// The screen in all sizes, and in the medium size its colours.
fn pictures(make: &dyn Fn((u16, u16)) -> Played) -> String {
    let mut text = String::new();
    for size in SIZES {
        let played = make(size);
        let (buffer, cursor) = buffer(&played.state);
        text.push_str(&format!("== {}x{} cursor {cursor:?}\n", size.0, size.1));
        for row in rows(&buffer) {
            text.push_str(&format!("{row}\n"));
        }
    }
    for (name, theme) in [
        ("dark", Theme { background: Background::Dark, has_colours: true, has_all_colours: true }),
        (
            "light",
            Theme { background: Background::Light, has_colours: true, has_all_colours: true },
        ),
        (
            "sixteen",
            Theme { background: Background::Unknown, has_colours: true, has_all_colours: false },
        ),
    ] {
        let mut played = make((80, 24));
        played.state.theme = theme;
        let (buffer, _) = buffer(&played.state);
        text.push_str(&format!("== colours {name}\n{}", colours(&buffer)));
    }
    text
}

/// Runs of one style in each row: columns, foreground, background, modifiers.
fn colours(buffer: &Buffer) -> String {
    let area = *buffer.area();
    let mut text = String::new();
    for y in 0..area.height {
        let mut runs: Vec<(u16, u16, String)> = Vec::new();
        for x in 0..area.width {
            let cell = &buffer[(x, y)];
            let colour =
                |it: Color| if it == Color::Reset { "-".to_owned() } else { it.to_string() };
            let style = format!("{}/{} {:?}", colour(cell.fg), colour(cell.bg), cell.modifier);
            match runs.last_mut() {
                Some(last) if last.2 == style => last.1 = x,
                _ => runs.push((x, x, style)),
            }
        }
        runs.retain(|it| it.2 != "-/- NONE");
        if !runs.is_empty() {
            let shown: Vec<String> =
                runs.iter().map(|(from, to, style)| format!("{from}-{to} {style}")).collect();
            text.push_str(&format!("{y}: {}\n", shown.join("; ")));
        }
    }
    text
}

macro_rules! golden {
    ($($test:ident: $make:expr;)+) => {
        $(#[test]
        fn $test() {
            let name = concat!("../../golden/", stringify!($test), ".txt");
            expect_file![name].assert_eq(&pictures(&$make));
        })+
    };
}

golden! {
    start: Played::new;
    conversation: talking;
    writing: written_now;
    writing_overlay: |size| {
        let mut it = written_now(size);
        it.keys("alt-2");
        it
    };
    overlay: Played::reviewing;
    overlay_part: |size| {
        let mut it = Played::reviewing(size);
        it.keys("n space");
        it
    };
    overlay_errors: with_errors;
    overlay_new_text: |size| {
        let mut it = Played::reviewing(size);
        it.keys(if size.0 >= 100 { "d d" } else { "d" });
        it.state.overlay.as_mut().expect("a review").layout = crate::diff_view::DiffLayout::New;
        it
    };
    edit: |size| {
        let mut it = Played::reviewing(size);
        it.keys("e");
        it.type_in("日本");
        it
    };
    request: asked;
    request_focused: |size| {
        let mut it = asked(size);
        it.keys("ctrl-y");
        it
    };
    search: searched;
    proposals: |size| {
        let mut it = Played::new(size);
        it.keys("alt-4");
        it
    };
    history: |size| {
        let mut it = Played::new(size);
        it.keys("alt-5");
        let rows = vec![
            ("20261129-2".to_owned(), true, "rename Foo::bar to baz".to_owned()),
            ("20261128-1".to_owned(), false, "repair E0308".to_owned()),
        ];
        it.end(|_| true, |_| JobEnd::Answer(InquiryAnswer::History(rows)));
        it
    };
    page: |size| {
        let mut it = Played::new(size);
        it.keys("alt-6");
        let long = format!("a line of four hundred columns: {}", "x日".repeat(123));
        let line = |text: String| AnswerLine { text, opens: None };
        let lines = vec![line("tests: blocks `apply` until all have passed".to_owned()), line(long)];
        it.end(|_| true, |_| JobEnd::Answer(InquiryAnswer::Text("what opens the gate".into(), lines)));
        it
    };
    meter: |size| {
        let mut it = running(size);
        it.keys("alt-7");
        it
    };
    help: |size| {
        let mut it = Played::new(size);
        it.keys("f1");
        it
    };
}

fn running(size: (u16, u16)) -> Played {
    let mut it = Played::new(size);
    it.type_in("finish");
    it.keys("enter");
    let progress = Progress {
        stage: "checking".to_owned(),
        detail: "candidate 3".to_owned(),
        done: 3,
        total: 8,
    };
    it.now += 12_400;
    it.send(TuiMessage::Job(Box::new(JobEvent::Progress(JobId(2), progress))));
    it
}

fn talking(size: (u16, u16)) -> Played {
    let mut it = running(size);
    let id = it.jobs.iter().find(|it| matches!(it.1, JobRequest::Change(_))).expect("a job").0;
    let entered = |step, detail: &str| agent::FixEvent::Entered { step, detail: detail.to_owned() };
    for event in [
        entered(agent::TaskStep::Check, "the tree as it is"),
        entered(
            agent::TaskStep::Propose,
            "checking 3 candidates, and a text that is so long that it has to be wrapped",
        ),
    ] {
        it.send(TuiMessage::Job(Box::new(JobEvent::Step(id, Box::new(event)))));
    }
    it.type_in("typed meanwhile");
    it
}

/// A model writes an edit.
fn written_now(size: (u16, u16)) -> Played {
    let mut it = talking(size);
    let id = it.jobs.iter().find(|it| matches!(it.1, JobRequest::Change(_))).expect("a job").0;
    let text = [
        "I make it saturate.",
        "",
        "src/lib.rs",
        "<<<<<<< SEARCH",
        "    a + 1",
        "=======",
        "    a.saturating_add(1) // 日本\u{1b}[2J",
        ">>>>>>> REP",
    ]
    .join("\n");
    for more in text.split_inclusive(' ') {
        let event = agent::FixEvent::Writing { text: more.to_owned() };
        it.send(TuiMessage::Job(Box::new(JobEvent::Step(id, Box::new(event)))));
    }
    it
}

fn with_errors(size: (u16, u16)) -> Played {
    let mut it = Played::reviewing(size);
    it.keys("space c");
    it.end(
        |job| matches!(job, JobRequest::Prove { .. }),
        |job| {
            let JobRequest::Prove { change, .. } = job else { panic!("a proof") };
            let mut card = proof(2, change, &["it does not build"]);
            card.diagnostics = vec![tools::ReportedDiagnostic {
                file: Some("src/a.rs".to_owned()),
                line: None,
                changed_line: Some(15),
                code: Some("E0425".to_owned()),
                severity: base::Severity::Error,
                message: "cannot find value `x` in this scope\u{1b}[31m".to_owned(),
                item: None,
                hint: Some("a local variable with a similar name exists".to_owned()),
                macro_call: None,
                rendered: None,
            }];
            JobEnd::Proven(card)
        },
    );
    it
}

fn asked(size: (u16, u16)) -> Played {
    let mut it = Played::reviewing(size);
    it.keys("A");
    let text = "Write this change to the project?\n  verified\n\n2 files, +3 -3:\n  changed  src/a.rs +2 -3\n  created  src/b.rs +1 -0";
    it.end(
        |job| matches!(job, JobRequest::Ask { .. }),
        |_| JobEnd::Question("nonce".to_owned(), text.to_owned()),
    );
    it
}

fn searched(size: (u16, u16)) -> Played {
    let mut it = Played::new(size);
    it.keys("alt-3");
    it.type_in("read input");
    it.now += 60;
    it.send(TuiMessage::Due);
    let mut scores: SortedMap<&'static str, f64> = SortedMap::new();
    scores.insert("name", 1.25);
    scores.insert("bm25", 0.5);
    let hit = |rank: usize, canon: &str| HitCard {
        rank,
        id: base::ItemId::from_bytes([u8::try_from(rank).unwrap_or_default(); 16]),
        key: canon.to_owned(),
        canon: canon.to_owned(),
        kind: base::ItemKind::Function,
        signature: format!("pub fn {canon}(text: &str)"),
        file: Some("src/lib.rs".to_owned()),
        start_line: Some(u32::try_from(rank * 10).unwrap_or_default()),
        end_line: None,
        score: 2.0 / rank as f64,
        scores: scores.clone(),
        confidence: 1.0,
        path: Vec::new(),
        preview: Some("pub fn read(text: &str) {\n\tlet 日本 = 1;\n}".to_owned()),
        item: 0,
    };
    let answer = SearchAnswer {
        hits: vec![hit(1, "io/io::read_input"), hit(2, "io/io::Reader::read")],
        ..SearchAnswer::default()
    };
    it.end(
        |job| matches!(job, JobRequest::Inquire(_)),
        |_| JobEnd::Answer(InquiryAnswer::Hits("read input".into(), Box::new(answer))),
    );
    it.keys("enter down");
    it
}

/// The bytes of a frame after another one.
fn bytes(before: &Buffer, after: &Buffer) -> Vec<u8> {
    let mut out = Vec::new();
    terminal::write_frame(&mut out, before, after).expect("bytes");
    out
}

#[test]
fn an_emulator_shows_what_was_drawn_after_every_step() {
    for size in SIZES {
        let mut emulator =
            avt::Terminal::new(usize::from(size.0), usize::from(size.1)).expect("a terminal");
        let mut played = Played::reviewing(size);
        let mut before = Buffer::empty(Rect::new(0, 0, size.0, size.1));
        for keys in
            ["down down", "n", "space", "d", "right", "e", "esc", "f1", "esc", "alt-1", "alt-3"]
        {
            played.keys(keys);
            let (after, _) = buffer(&played.state);
            let bytes = bytes(&before, &after);
            emulator.feed([std::str::from_utf8(&bytes).expect("text")]);
            let shown: Vec<String> =
                emulator.screen().text().iter().map(|it| it.trim_end().to_owned()).collect();
            // The emulator keeps no combining marks.
            let marked = rows(&after).into_iter();
            let expected: Vec<String> = marked.map(|it| it.replace('\u{301}', "")).collect();
            assert_eq!(shown, expected, "{size:?} after {keys}");
            before = after;
        }
    }
}

#[test]
fn a_key_costs_less_than_a_thousand_bytes() {
    for size in SIZES {
        let mut played = Played::reviewing(size);
        played.keys("alt-1");
        let (mut before, _) = buffer(&played.state);
        for c in "rename Foo::bar to baz".chars() {
            played.send(TuiMessage::Key(Key::plain(KeyCode::Char(c))));
            let (after, _) = buffer(&played.state);
            let bytes = bytes(&before, &after);
            assert!(bytes.len() < 1_000, "{size:?} {c}: {}", bytes.len());
            before = after;
        }
    }
}

#[test]
fn no_text_controls_the_terminal() {
    let mut played = Played::new((80, 24));
    let evil = "\u{1b}]0;title\u{7}\u{1b}[2J\u{9b}31m\u{202e}\u{0}\u{8}x";
    played.send(TuiMessage::Paste(format!("open {evil}")));
    played.keys("enter");
    played.state.notice = Some((crate::state::Tone::Bad, evil.to_owned()));
    let mut offer = offered(evil, None);
    offer.rationale = vec![evil.to_owned()];
    played.end(|_| true, |_| JobEnd::Opened("ab12".into(), Box::new(offer)));
    for keys in ["alt-1", "alt-2", "alt-7"] {
        played.keys(keys);
        let (after, _) = buffer(&played.state);
        let text: String = rows(&after).concat();
        assert!(!text.chars().any(base::is_hidden), "{keys}: {text:?}");
    }
}
