//! [`run_plain`]: the same interface in lines, for screen readers, pipes and simple terminals. It drives the same
//! [`State`] by the same messages; what is new in it is printed, and choices have numbers.

mod listed;

use std::collections::VecDeque;
use std::io::{self, BufRead as _, IsTerminal as _, Write as _};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use agent::front::{Delivery, JobEnd, JobEvent, JobRunner, Mail, Mailbox, ProjectSource};
use base::Ctx;

use crate::diff_view::{DiffLayout, DiffView};
use crate::keys::{Action, Key, KeyCode};
use crate::message::{Millis, TuiEffect, TuiMessage};
use crate::run::{TuiError, TuiOptions};
use crate::state::{ARMED_AFTER, Screen, State, TuiFocus};
use crate::theme::Theme;
use crate::{cells, outside, update};
use listed::{listed, plain_row};

/// Most messages that wait.
const WAITING: usize = 256;

/// Help for a person who has just come.
const HELP: &str = "\
Type a task, a question or a command: fix, finish, rename A to B, upgrade NAME, search TEXT.
  show            the change under review, with its parts
  take N, leave N parts of it (also: take all, leave all)
  check, test     prove exactly what is taken
  accept, reject  ask for its write, or reject it
  choice          the next of several changes
  edit            its new text in your editor
  proposals, history, plans, policy, stats; open N, undo [N], redo [N]
  follow N        what line N of an answer leads to
  keys            all actions; each name is a command
  quit";

/// A message or a line.
enum PlainMail {
    TuiMessage(TuiMessage),
    Line(String),
    End,
}

impl Mail for PlainMail {
    fn delivery(&self) -> Delivery {
        match self {
            Self::TuiMessage(message) => message.delivery(),
            Self::Line(_) | Self::End => Delivery::Every,
        }
    }

    fn absorb(&mut self, later: Self) -> Option<Self> {
        match (self, later) {
            (Self::TuiMessage(old), Self::TuiMessage(new)) => old.absorb(new).map(Self::TuiMessage),
            (_, later) => Some(later),
        }
    }
}

/// Reads lines and prints what comes of them, until the input ends.
///
/// # Errors
/// An output that cannot be written, except where no reader is left.
pub fn run_plain(ctx: &Ctx, source: ProjectSource, options: TuiOptions) -> Result<(), TuiError> {
    let mailbox = Arc::new(Mailbox::new(WAITING));
    let runner = JobRunner::start(ctx, source)?;
    let sender = Arc::clone(&mailbox);
    runner.subscribe(move |event| {
        sender.send(PlainMail::TuiMessage(TuiMessage::Job(Box::new(event))));
    });
    let sender = Arc::clone(&mailbox);
    thread::Builder::new().name("input".to_owned()).spawn(move || {
        for line in io::stdin().lock().lines() {
            let Ok(line) = line else { break };
            if !sender.send(PlainMail::Line(line)) {
                return;
            }
        }
        sender.send(PlainMail::End);
    })?;
    let keys = options.keys.clone();
    let state = State::new((100, 40), Theme::PLAIN, keys, options.info.clone());
    let mut plain = Plain {
        state,
        runner,
        options,
        mailbox,
        began: Instant::now(),
        printed: 0,
        lines: VecDeque::new(),
        has_ended: false,
        shown: None,
        progress: String::new(),
    };
    match plain.run() {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        done => Ok(done?),
    }
}

struct Plain {
    state: State,
    runner: JobRunner,
    options: TuiOptions,
    mailbox: Arc<Mailbox<PlainMail>>,
    began: Instant,
    /// Number of entries that are printed.
    printed: usize,
    /// Lines that wait for the running job.
    lines: VecDeque<String>,
    /// Whether the input has ended.
    has_ended: bool,
    /// Revision of the change that was printed last.
    shown: Option<(u64, String)>,
    progress: String,
}

impl Plain {
    fn run(&mut self) -> io::Result<()> {
        match self.options.first.take() {
            Some(line) => self.lines.push_back(line),
            None => self.say(HELP)?,
        }
        self.prompt()?;
        while !self.state.has_ended() {
            while !self.is_busy()
                && let Some(line) = self.lines.pop_front()
            {
                self.line(&line)?;
                self.print_new()?;
                self.prompt()?;
            }
            if self.state.has_ended() || (self.has_ended && !self.is_busy()) {
                return Ok(());
            }
            let Some(mail) = self.mailbox.receive(None) else { return Ok(()) };
            match mail {
                PlainMail::Line(line) => self.lines.push_back(line),
                PlainMail::End => self.has_ended = true,
                PlainMail::TuiMessage(message) => {
                    let was_busy = self.is_busy();
                    self.happen(message)?;
                    self.print_new()?;
                    if was_busy && !self.is_busy() {
                        self.prompt()?;
                    }
                }
            }
        }
        Ok(())
    }

    fn is_busy(&self) -> bool {
        !self.state.jobs.is_empty()
    }

    fn now(&self) -> Millis {
        u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    fn say(&self, text: &str) -> io::Result<()> {
        let mut out = io::stdout().lock();
        for line in text.lines() {
            writeln!(out, "{}", cells::shown(line))?;
        }
        out.flush()
    }

    fn prompt(&self) -> io::Result<()> {
        if self.is_busy() || !io::stdin().is_terminal() {
            return Ok(());
        }
        let mut out = io::stdout().lock();
        write!(out, "> ")?;
        out.flush()
    }

    /// A line of the person.
    fn line(&mut self, line: &str) -> io::Result<()> {
        if !io::stdin().is_terminal() {
            self.say(&format!("> {line}"))?;
        }
        let words: Vec<&str> = line.split_whitespace().collect();
        let number = |text: &str| text.parse::<usize>().ok().filter(|it| *it > 0);
        match words.as_slice() {
            [] => Ok(()),
            ["help" | "?"] => self.say(HELP),
            ["keys"] => {
                let rows = self.state.keys.table();
                let lines = rows.iter().map(|(_, _, name, help)| format!("  {name:<16} {help}\n"));
                self.say(&lines.collect::<String>())
            }
            [answer] if self.state.request.is_some() && number(answer).is_some() => {
                self.answer(number(answer).unwrap_or_default())
            }
            [answer] if number(answer).is_some() => self.say("no request waits"),
            ["yes" | "y"] if self.state.request.is_some() => self.answer(1),
            ["no" | "n"] if self.state.request.is_some() => self.answer(2),
            ["show"] => self.show_change(),
            ["check"] => self.act(Action::RunCheck),
            ["test"] => self.act(Action::RunTests),
            ["choice"] => self.act(Action::NextChoice),
            ["edit"] => self.act(Action::EditOutside),
            ["take", "all"] => self.act(Action::TakeAll),
            ["leave", "all"] => self.act(Action::TakeNone),
            [verb @ ("take" | "leave"), part] if number(part).is_some() => {
                self.choose(number(part).unwrap_or_default(), *verb == "take")
            }
            [verb @ ("open" | "undo" | "redo"), row]
                if number(row).is_some_and(|it| it < 1_000) =>
            {
                self.of_row(verb, number(row).unwrap_or_default())
            }
            ["follow", row] if number(row).is_some() => {
                self.follow(number(row).unwrap_or_default())
            }
            _ => self.typed(line),
        }
    }

    /// Opens what a line of the last answer leads to.
    fn follow(&mut self, number: usize) -> io::Result<()> {
        let page = &mut self.state.pages.page;
        let mut leads = page.lines.iter().enumerate().filter(|it| it.1.opens.is_some());
        let Some((at, _)) = leads.nth(number - 1) else {
            return self.say("no line of the last answer has this number");
        };
        page.at = at;
        (self.state.focus, self.state.screen) = (TuiFocus::Content, Screen::Pages);
        let key = self.state.keys.key(Action::Open);
        Key::read(&key).map_or(Ok(()), |key| self.happen(TuiMessage::Key(key)))
    }

    /// A line for the prompt.
    fn typed(&mut self, line: &str) -> io::Result<()> {
        // The person sees the own line already.
        (self.state.focus, self.state.screen) = (TuiFocus::Prompt, Screen::Talk);
        self.state.prompt.clear();
        let before = self.state.talk.entries.len();
        self.happen(TuiMessage::Paste(line.to_owned()))?;
        self.happen(TuiMessage::Key(Key::plain(KeyCode::Enter)))?;
        if self.state.talk.entries.len() > before {
            self.printed += 1;
        }
        Ok(())
    }

    fn act(&mut self, action: Action) -> io::Result<()> {
        let name = self
            .state
            .keys
            .table()
            .into_iter()
            .find(|it| self.state.keys.named(it.2) == Some(action));
        match name {
            Some((_, _, name, _)) => self.typed(&format!(":{name}")),
            None => Ok(()),
        }
    }

    /// The answer to the request that waits: 1 yes, 2 no, else later.
    fn answer(&mut self, number: usize) -> io::Result<()> {
        let action = match number {
            1 => Action::Yes,
            2 => Action::No,
            _ => Action::Later,
        };
        let key = self.state.keys.key(action);
        // A request counts from when it was printed.
        thread::sleep(Duration::from_millis(ARMED_AFTER));
        if let Some(request) = &mut self.state.request {
            request.focused_at = Some(0);
        }
        self.state.focus = TuiFocus::Request;
        match Key::read(&key) {
            Some(key) => self.happen(TuiMessage::Key(key)),
            None => Ok(()),
        }
    }

    /// Takes a part of the change, or leaves it out.
    fn choose(&mut self, number: usize, takes: bool) -> io::Result<()> {
        let Some(pane) = &mut self.state.overlay else {
            return self.say("no change is under review");
        };
        let Some(part) = pane.view.parts.get(number - 1).cloned() else {
            let count = base::counted(pane.view.parts.len(), "part");
            return self.say(&format!("the change has {count}"));
        };
        if pane.review.is_chosen(&part) == takes {
            return Ok(());
        }
        pane.at = pane.view.part_rows.get(number - 1).copied().unwrap_or_default();
        self.act(Action::TogglePart)
    }

    fn of_row(&mut self, verb: &str, row: usize) -> io::Result<()> {
        let id = match verb {
            "open" => self.state.proposals.rows.get(row - 1).map(|it| it.id.clone()),
            _ => self.state.history.rows.get(row - 1).map(|it| it.0.clone()),
        };
        match id {
            Some(id) => self.typed(&format!("{verb} {id}")),
            None => self.say("there is no such row: list them first (proposals, history)"),
        }
    }

    fn happen(&mut self, message: TuiMessage) -> io::Result<()> {
        let answer = match &message {
            TuiMessage::Job(event) => match &**event {
                JobEvent::Ended(_, end) => match &**end {
                    JobEnd::Answer(answer) => Some(answer.clone()),
                    _ => None,
                },
                JobEvent::Progress(_, progress) if progress.stage != self.progress => {
                    self.progress.clone_from(&progress.stage);
                    self.say(&format!("  … {} {}", progress.stage, progress.detail))?;
                    None
                }
                _ => None,
            },
            _ => None,
        };
        let now = self.now();
        let mut effects = VecDeque::from(update(&mut self.state, now, message));
        while let Some(effect) = effects.pop_front() {
            if let Some(answer) = self.effect(effect) {
                let now = self.now();
                effects.extend(update(&mut self.state, now, answer));
            }
        }
        match answer {
            Some(answer) => self.say(&listed(&answer)),
            None => Ok(()),
        }
    }

    fn effect(&mut self, effect: TuiEffect) -> Option<TuiMessage> {
        match effect {
            TuiEffect::Submit(ticket, job) => {
                Some(TuiMessage::Submitted(ticket, self.runner.submit(*job)))
            }
            TuiEffect::Cancel(id) => {
                self.runner.cancel(id);
                None
            }
            TuiEffect::Close(name) => {
                self.runner.close_review(&name);
                None
            }
            TuiEffect::Copy(text) => Some(outside::copied(&self.options.folder, &text, "")),
            TuiEffect::Edit(path, text, line) => {
                let (folder, editor) = (&self.options.folder, &self.options.editor);
                Some(outside::edited(folder, editor, (path, &text, line)))
            }
            TuiEffect::TakeMouse(_) | TuiEffect::Redraw | TuiEffect::Suspend | TuiEffect::Quit => {
                None
            }
        }
    }

    /// Prints what is new in the state.
    fn print_new(&mut self) -> io::Result<()> {
        let entries = &self.state.talk.entries;
        let texts: Vec<String> =
            entries.iter().skip(self.printed).map(|it| it.text.clone()).collect();
        self.printed = entries.len();
        for text in &texts {
            self.say(text)?;
        }
        if let Some((_, text)) = self.state.notice.take()
            && !texts.contains(&text)
        {
            self.say(&text)?;
        }
        let now =
            self.state.overlay.as_ref().map(|it| (it.review.revision(), it.review.title.clone()));
        let is_new =
            now.is_some() && self.shown.as_ref().map(|it| &it.1) != now.as_ref().map(|it| &it.1);
        if is_new {
            self.shown = now;
            self.show_change()?;
        }
        if self.state.overlay.is_none() {
            self.shown = None;
        }
        if self.state.has_new_request() {
            let lines =
                self.state.request.as_ref().map(|it| it.lines.join("\n")).unwrap_or_default();
            self.say(&format!("{lines}\n1. yes\n2. no\n3. later"))?;
            if io::stdin().is_terminal() {
                // What was typed before is no answer.
                self.lines.clear();
            }
            self.happen(TuiMessage::Drawn)?;
        }
        Ok(())
    }

    /// Prints the change under review with its parts.
    fn show_change(&self) -> io::Result<()> {
        let Some(pane) = &self.state.overlay else { return self.say("no change is under review") };
        let diagnostics = pane.review.diagnostics();
        let view = DiffView::new(
            (pane.review.whole(), pane.review.places(), pane.review.hunks()),
            DiffLayout::Unified,
            &diagnostics,
            (&pane.review.rationale, &pane.review.left),
        );
        let mut text = format!("{}\n", pane.review.title);
        for (number, row) in view.rows.iter().enumerate() {
            for (part, _) in view.part_rows.iter().enumerate().filter(|it| *it.1 == number) {
                let is_in = view.parts.get(part).is_some_and(|it| pane.review.is_chosen(it));
                let word = if is_in { "taken" } else { "left out" };
                text.push_str(&format!("part {} ({word}):\n", part + 1));
            }
            text.push_str(&plain_row(&view, row));
            text.push('\n');
        }
        text.push_str("take N, leave N, check, test, accept, reject, edit");
        self.say(&text)
    }
}
