//! [`run`]: the loop. It waits for a message, changes the state, does what is to be done, and draws.
//!
//! A key is drawn at once; what streams is drawn at most every [`FRAME`]. While nothing moves, it only waits.

use std::io;
use std::os::fd::OwnedFd;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use agent::front::{JobRunner, Mailbox, ProjectSource};
use base::{Ctx, ProjectPath};
use signal_hook::consts::{SIGCONT, SIGHUP, SIGTERM, SIGTSTP, SIGWINCH};

use crate::keys::Keymap;
use crate::message::{Millis, TuiEffect, TuiMessage};
use crate::state::{ProjectInfo, State};
use crate::terminal::{self, Terminal};
use crate::theme::{Background, Theme};
use crate::{draw, outside, update};

/// Time between two frames of what streams.
const FRAME: Duration = Duration::from_millis(33);

/// Most messages that wait.
const WAITING: usize = 256;

/// Most messages between two frames, so that neither input nor output waits for the other.
const BATCH: usize = 64;

/// How the interface begins.
#[derive(Clone, Debug)]
pub struct TuiOptions {
    /// A line that is run at the start.
    pub first: Option<String>,
    /// The keys.
    pub keys: Keymap,
    /// The colours; `None`: by the terminal.
    pub background: Option<Background>,
    /// Whether there are colours at all.
    pub has_colours: bool,
    /// Whether the terminal has all colours.
    pub has_all_colours: bool,
    /// Whether the mouse is taken.
    pub has_mouse: bool,
    /// The words of the editor's command.
    pub editor: Vec<String>,
    /// Directory for the file that a copied text is written to, and for texts that are edited outside.
    pub folder: PathBuf,
    /// Facts about the project that are shown.
    pub info: ProjectInfo,
}

/// Reason why the interface ended early.
#[derive(Debug, thiserror::Error)]
pub enum TuiError {
    /// The terminal cannot be used.
    #[error("the terminal cannot be used: {0}")]
    Terminal(#[from] io::Error),
}

/// Shows the interface until the person ends it. Returns lines for the shell.
///
/// # Errors
/// A terminal that cannot be used.
pub fn run(ctx: &Ctx, source: ProjectSource, options: TuiOptions) -> Result<Vec<String>, TuiError> {
    let began = Instant::now();
    restore_on_panic();
    let mailbox = Arc::new(Mailbox::new(WAITING));
    let runner = JobRunner::start(ctx, source)?;
    let sender = Arc::clone(&mailbox);
    runner.subscribe(move |event| {
        sender.send(TuiMessage::Job(Box::new(event)));
    });
    let mut screen = Terminal::enter(options.has_mouse)?;
    let theme = Theme {
        background: options.background.unwrap_or(Background::Unknown),
        has_colours: options.has_colours,
        has_all_colours: options.has_all_colours,
    };
    let mut state = State::new(screen.size(), theme, options.keys.clone(), options.info.clone());
    state.has_mouse = options.has_mouse;
    screen.frame(|buffer| draw(&state, buffer))?;
    let probed = screen.probe()?;
    if options.background.is_none()
        && let Some(background) = probed.background
    {
        state.theme.background = background;
        screen.redraw();
    }
    signals(&mailbox)?;
    let input = Input::start(&mailbox)?;
    let mut parts = Loop { screen, runner, input, mailbox, options, began };
    for key in probed.typed {
        parts.happen(&mut state, TuiMessage::Key(key));
    }
    if let Some(line) = parts.options.first.clone() {
        parts.happen(&mut state, TuiMessage::Paste(line));
        let enter = crate::Key::plain(crate::KeyCode::Enter);
        parts.happen(&mut state, TuiMessage::Key(enter));
    }
    parts.turn(&mut state)?;
    parts.screen.give_back()?;
    parts.mailbox.close();
    Ok(state.summary())
}

/// Parts that the loop owns besides the state.
struct Loop {
    screen: Terminal,
    runner: JobRunner,
    input: Input,
    mailbox: Arc<Mailbox<TuiMessage>>,
    options: TuiOptions,
    began: Instant,
}

impl Loop {
    fn now(&self) -> Millis {
        u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    /// Waits, changes, draws, until the state has ended.
    fn turn(&mut self, state: &mut State) -> io::Result<()> {
        let mut drawn = Instant::now();
        let mut is_stale = true;
        while !state.has_ended() {
            let next_frame = FRAME.saturating_sub(drawn.elapsed());
            let due = state.due().map(|at| Duration::from_millis(at.saturating_sub(self.now())));
            let clock =
                state.clock().map(|at| Duration::from_millis(at.saturating_sub(self.now())));
            let frame = is_stale.then_some(next_frame);
            let limit = [due, frame, clock].into_iter().flatten().min();
            let mut is_urgent = false;
            match self.mailbox.receive(limit) {
                Some(message) => {
                    is_urgent |= is_input(&message);
                    self.happen(state, message);
                    for _ in 0..BATCH {
                        let Some(more) = self.mailbox.receive(Some(Duration::ZERO)) else { break };
                        is_urgent |= is_input(&more);
                        self.happen(state, more);
                    }
                    is_stale = true;
                }
                None if limit.is_none() => return Ok(()),
                None => {
                    self.happen(state, TuiMessage::Due);
                    is_stale = true;
                }
            }
            if is_stale && (is_urgent || drawn.elapsed() >= FRAME) && !state.has_ended() {
                self.screen.frame(|buffer| draw(state, buffer))?;
                (drawn, is_stale) = (Instant::now(), false);
                if state.has_new_request() {
                    self.happen(state, TuiMessage::Drawn);
                }
            }
        }
        Ok(())
    }

    fn happen(&mut self, state: &mut State, message: TuiMessage) {
        if let TuiMessage::Resize(columns, rows) = message {
            self.screen.resize((columns, rows));
        }
        if matches!(&message, TuiMessage::Job(it) if matches!(**it, agent::front::JobEvent::Ended(..)))
            && let Some(bytes) = project::peak_rss_bytes()
        {
            let now = self.now();
            update(state, now, TuiMessage::Memory(bytes));
        }
        let now = self.now();
        let mut effects = std::collections::VecDeque::from(update(state, now, message));
        while let Some(effect) = effects.pop_front() {
            if let Some(answer) = self.act(effect) {
                let now = self.now();
                effects.extend(update(state, now, answer));
            }
        }
    }

    /// Does what is to be done; returns what came of it.
    fn act(&mut self, effect: TuiEffect) -> Option<TuiMessage> {
        match effect {
            TuiEffect::Submit(ticket, job) => {
                return Some(TuiMessage::Submitted(ticket, self.runner.submit(*job)));
            }
            TuiEffect::Cancel(id) => self.runner.cancel(id),
            TuiEffect::Close(name) => self.runner.close_review(&name),
            TuiEffect::Copy(text) => return Some(self.copy(&text)),
            TuiEffect::Edit(path, text, line) => return Some(self.edit(path, &text, line)),
            TuiEffect::TakeMouse(takes) => {
                // A terminal that is gone ends the input, too.
                let _ = self.screen.take_mouse(takes);
            }
            TuiEffect::Redraw => self.screen.redraw(),
            TuiEffect::Suspend => return self.suspend(),
            TuiEffect::Quit => {}
        }
        None
    }

    /// Copies a text, and writes it into a file: whether the terminal took it cannot be known.
    fn copy(&mut self, text: &str) -> TuiMessage {
        let sent = match self.screen.copy(text) {
            Ok(()) => "sent to the clipboard; ".to_owned(),
            Err(error) => format!("not sent to the clipboard: {error}; "),
        };
        outside::copied(&self.options.folder, text, &sent)
    }

    /// Lets the person edit a text in the editor.
    fn edit(&mut self, path: ProjectPath, text: &str, line: usize) -> TuiMessage {
        let edited = self.outside(|options| {
            Ok(outside::edited(&options.folder, &options.editor, (path, text, line)))
        });
        edited.unwrap_or_else(|error| TuiMessage::Copied(format!("the editor: {error}")))
    }

    fn suspend(&mut self) -> Option<TuiMessage> {
        let done = self.outside(|_| {
            rustix::process::kill_current_process_group(rustix::process::Signal::STOP)?;
            Ok(())
        });
        done.err().map(|error| TuiMessage::Copied(format!("cannot suspend: {error}")))
    }

    /// Gives the terminal to another program meanwhile.
    fn outside<T>(&mut self, work: impl FnOnce(&TuiOptions) -> io::Result<T>) -> io::Result<T> {
        self.input.pause();
        self.screen.give_back()?;
        let done = work(&self.options);
        self.screen.take()?;
        self.input.resume();
        if let Ok(size) = terminal::size()
            && size != self.screen.size()
        {
            self.mailbox.send(TuiMessage::Resize(size.0, size.1));
        }
        done
    }
}

/// Whether a person waits for the frame.
fn is_input(message: &TuiMessage) -> bool {
    matches!(
        message,
        TuiMessage::Key(_) | TuiMessage::Paste(_) | TuiMessage::Mouse(_) | TuiMessage::Resize(..)
    )
}

/// The thread that reads the terminal. It can be paused, so that an editor has the input for itself.
struct Input {
    gate: Arc<Gate>,
    /// A byte wakes the thread.
    wake: OwnedFd,
}

#[derive(Default)]
struct Gate {
    is_paused: AtomicBool,
    /// Whether the thread waits.
    waits: Mutex<bool>,
    changed: Condvar,
}

impl Input {
    fn start(mailbox: &Arc<Mailbox<TuiMessage>>) -> io::Result<Self> {
        let gate = Arc::new(Gate::default());
        let (woken, wake) = rustix::pipe::pipe_with(rustix::pipe::PipeFlags::CLOEXEC)?;
        let (own, mailbox) = (Arc::clone(&gate), Arc::clone(mailbox));
        thread::Builder::new().name("input".to_owned()).spawn(move || {
            loop {
                match read_next(&own, &woken, &mailbox) {
                    Ok(true) => {}
                    Ok(false) => return,
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    Err(error) => {
                        mailbox.send(TuiMessage::Lost(error.to_string()));
                        return;
                    }
                }
            }
        })?;
        Ok(Self { gate, wake })
    }

    fn pause(&self) {
        self.gate.is_paused.store(true, Ordering::SeqCst);
        // A pipe that is full wakes the thread as well.
        let _ = rustix::io::write(&self.wake, b"!");
        let waits = base::lock(&self.gate.waits);
        let limit = Duration::from_millis(300);
        drop(self.gate.changed.wait_timeout_while(waits, limit, |it| !*it));
    }

    fn resume(&self) {
        self.gate.is_paused.store(false, Ordering::SeqCst);
        self.gate.changed.notify_all();
    }
}

/// Reads what there is, and waits for more. Returns whether the receiver is still there.
fn read_next(gate: &Gate, woken: &OwnedFd, mailbox: &Mailbox<TuiMessage>) -> io::Result<bool> {
    gate.pass();
    while let Some(message) = terminal::read()? {
        if !mailbox.send(message) {
            return Ok(false);
        }
    }
    if !terminal::wait(woken)? {
        rustix::io::read(woken, &mut [0; 16])?;
    }
    Ok(true)
}

impl Gate {
    /// Waits while the input is paused.
    fn pass(&self) {
        if !self.is_paused.load(Ordering::SeqCst) {
            return;
        }
        let mut waits = base::lock(&self.waits);
        *waits = true;
        self.changed.notify_all();
        while self.is_paused.load(Ordering::SeqCst) {
            waits = self.changed.wait(waits).unwrap_or_else(PoisonError::into_inner);
        }
        *waits = false;
    }
}

/// Ends the interface on the signals that ask for it, and draws again after a stop.
fn signals(mailbox: &Arc<Mailbox<TuiMessage>>) -> io::Result<()> {
    let mut waiting =
        signal_hook::iterator::Signals::new([SIGTERM, SIGHUP, SIGTSTP, SIGCONT, SIGWINCH])?;
    let mailbox = Arc::clone(mailbox);
    thread::Builder::new().name("signals".to_owned()).spawn(move || {
        for signal in waiting.forever() {
            let message = match signal {
                SIGCONT => TuiMessage::Resumed,
                SIGTSTP => TuiMessage::Stop,
                SIGWINCH => match terminal::size() {
                    Ok((columns, rows)) => TuiMessage::Resize(columns, rows),
                    Err(error) => TuiMessage::Lost(error.to_string()),
                },
                _ => TuiMessage::End,
            };
            if !mailbox.send(message) {
                return;
            }
        }
    })?;
    Ok(())
}

/// Restores the terminal before a panic is printed.
fn restore_on_panic() {
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        terminal::restore();
        before(info);
    }));
}
