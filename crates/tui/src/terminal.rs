//! [`Terminal`]: the only file that uses the terminal. Frames are written as differences; what the
//! terminal can do is asked once at the start; its state is restored in every end.

use std::io::{self, Write};
use std::os::fd::AsFd;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crossterm::event as input;
use crossterm::style::{Attribute, Color as Ink};
use crossterm::{cursor, queue, style, terminal};
use ratatui_core::buffer::{Buffer, Cell};
use ratatui_core::layout::Rect;
use ratatui_core::style::{Color, Modifier};
use rustix::event::{PollFd, PollFlags, Timespec, poll};

use crate::keys::{Key, KeyCode};
use crate::message::{Mouse, TuiMessage};
use crate::theme::Background;

/// Time that the terminal has for its answers at the start.
const PATIENCE: Duration = Duration::from_millis(100);

/// Least time that the input is looked at: with none, it is not looked at.
const MOMENT: Duration = Duration::from_millis(1);

/// Whether the terminal is in our hands, for the end of the process.
static ENTERED: AtomicBool = AtomicBool::new(false);

/// A terminal that frames are drawn on.
pub(crate) struct Terminal {
    out: io::BufWriter<io::Stdout>,
    shown: Buffer,
    next: Buffer,
    is_fresh: bool,
    /// Whether a frame can be shown at once.
    has_frames: bool,
    has_mouse: bool,
    cursor: Option<(u16, u16)>,
}

/// Answers of the terminal.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Probed {
    pub(crate) background: Option<Background>,
    pub(crate) has_frames: bool,
    /// Keys that a person has typed meanwhile.
    pub(crate) typed: Vec<Key>,
}

impl Terminal {
    /// Takes the terminal: raw mode and the alternate screen.
    pub(crate) fn enter(has_mouse: bool) -> io::Result<Self> {
        let size = terminal::size()?;
        let area = Rect::new(0, 0, size.0, size.1);
        let mut it = Self {
            out: io::BufWriter::with_capacity(1 << 16, io::stdout()),
            shown: Buffer::empty(area),
            next: Buffer::empty(area),
            is_fresh: true,
            has_frames: false,
            has_mouse,
            cursor: None,
        };
        it.take()?;
        Ok(it)
    }

    /// Takes the terminal again, after it was given back.
    pub(crate) fn take(&mut self) -> io::Result<()> {
        terminal::enable_raw_mode()?;
        ENTERED.store(true, Ordering::SeqCst);
        queue!(
            self.out,
            terminal::EnterAlternateScreen,
            input::EnableBracketedPaste,
            input::EnableFocusChange,
            cursor::Hide
        )?;
        self.take_mouse(self.has_mouse)?;
        self.is_fresh = true;
        self.out.flush()
    }

    /// Gives the terminal back.
    pub(crate) fn give_back(&mut self) -> io::Result<()> {
        self.out.flush()?;
        restore();
        Ok(())
    }

    pub(crate) fn size(&self) -> (u16, u16) {
        (self.shown.area.width, self.shown.area.height)
    }

    pub(crate) fn resize(&mut self, (columns, rows): (u16, u16)) {
        let area = Rect::new(0, 0, columns, rows);
        self.shown = Buffer::empty(area);
        self.next = Buffer::empty(area);
        self.is_fresh = true;
    }

    /// Makes the next frame whole.
    pub(crate) fn redraw(&mut self) {
        self.is_fresh = true;
    }

    pub(crate) fn take_mouse(&mut self, takes: bool) -> io::Result<()> {
        self.has_mouse = takes;
        match takes {
            true => queue!(self.out, input::EnableMouseCapture)?,
            false => queue!(self.out, input::DisableMouseCapture)?,
        }
        self.out.flush()
    }

    /// Copies a text to the clipboard of the terminal (OSC 52). Whether it takes it cannot be known.
    pub(crate) fn copy(&mut self, text: &str) -> io::Result<()> {
        write!(self.out, "\x1b]52;c;{}\x07", base::to_base64(text.as_bytes()))?;
        self.out.flush()
    }

    /// Draws a frame: what differs from the last one.
    pub(crate) fn frame(
        &mut self,
        draw: impl FnOnce(&mut Buffer) -> Option<(u16, u16)>,
    ) -> io::Result<()> {
        self.next.reset();
        let cursor = draw(&mut self.next);
        if self.has_frames {
            queue!(self.out, terminal::BeginSynchronizedUpdate)?;
        }
        if std::mem::take(&mut self.is_fresh) {
            queue!(self.out, terminal::Clear(terminal::ClearType::All))?;
            self.shown.reset();
            self.cursor = None;
        }
        let has_changed = write_frame(&mut self.out, &self.shown, &self.next)?;
        if has_changed || cursor != self.cursor {
            match cursor {
                Some((column, row)) => {
                    queue!(self.out, cursor::MoveTo(column, row), cursor::Show)?;
                }
                None => queue!(self.out, cursor::Hide)?,
            }
            self.cursor = cursor;
        }
        if self.has_frames {
            queue!(self.out, terminal::EndSynchronizedUpdate)?;
        }
        std::mem::swap(&mut self.shown, &mut self.next);
        self.out.flush()
    }

    /// Asks the terminal for its background, and whether it shows frames at once. Only before input is read
    /// by another thread.
    pub(crate) fn probe(&mut self) -> io::Result<Probed> {
        // The last question is one that every terminal answers.
        write!(self.out, "\x1b]11;?\x1b\\\x1b[?2026$p\x1b[c")?;
        self.out.flush()?;
        let until = Instant::now() + PATIENCE;
        let mut bytes = Vec::new();
        while !is_answered(&bytes) {
            let left = until.saturating_duration_since(Instant::now());
            let stdin = io::stdin();
            let mut polled = [PollFd::new(&stdin, PollFlags::IN)];
            let limit =
                Timespec { tv_sec: 0, tv_nsec: i64::try_from(left.as_nanos()).unwrap_or_default() };
            if left.is_zero() || poll(&mut polled, Some(&limit))? == 0 {
                break;
            }
            let mut chunk = [0; 512];
            match rustix::io::read(stdin.as_fd(), &mut chunk)? {
                0 => break,
                count => bytes.extend_from_slice(&chunk[..count]),
            }
        }
        let probed = read_answers(&bytes);
        self.has_frames = probed.has_frames;
        Ok(probed)
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // The process ends; nothing is left to restore it.
        let _ = self.give_back();
    }
}

/// Restores the terminal, once: also from a panic or a signal.
pub(crate) fn restore() {
    if !ENTERED.swap(false, Ordering::SeqCst) {
        return;
    }
    let mut out = io::stdout();
    // A terminal that is gone needs nothing.
    let _ = queue!(
        out,
        input::DisableMouseCapture,
        input::DisableBracketedPaste,
        input::DisableFocusChange,
        style::ResetColor,
        cursor::Show,
        terminal::LeaveAlternateScreen
    );
    let _ = out.flush();
    let _ = terminal::disable_raw_mode();
}

/// The size of the terminal: columns and rows.
pub(crate) fn size() -> io::Result<(u16, u16)> {
    terminal::size()
}

/// Waits until there is input, or until `wake` can be read. Returns whether there is input.
pub(crate) fn wait(wake: impl AsFd) -> io::Result<bool> {
    let stdin = io::stdin();
    let mut polled = [PollFd::new(&stdin, PollFlags::IN), PollFd::new(&wake, PollFlags::IN)];
    poll(&mut polled, None)?;
    let of_terminal = polled[0].revents();
    // A terminal without its other end can always be read, and has nothing.
    if of_terminal.intersects(PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL) {
        return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "it was closed"));
    }
    Ok(of_terminal.contains(PollFlags::IN))
}

/// The next input, if there is any.
pub(crate) fn read() -> io::Result<Option<TuiMessage>> {
    while input::poll(MOMENT)? {
        if let Some(message) = message(input::read()?) {
            return Ok(Some(message));
        }
    }
    Ok(None)
}

fn message(event: input::Event) -> Option<TuiMessage> {
    match event {
        input::Event::Key(event) if event.kind != input::KeyEventKind::Release => {
            key(event).map(TuiMessage::Key)
        }
        input::Event::Paste(text) => Some(TuiMessage::Paste(text)),
        input::Event::FocusGained => Some(TuiMessage::Focus(true)),
        input::Event::FocusLost => Some(TuiMessage::Focus(false)),
        input::Event::Mouse(event) => {
            let (column, row) = (event.column, event.row);
            match event.kind {
                input::MouseEventKind::Down(input::MouseButton::Left) => {
                    Some(TuiMessage::Mouse(Mouse::Press(column, row)))
                }
                input::MouseEventKind::ScrollUp => {
                    Some(TuiMessage::Mouse(Mouse::WheelUp(column, row)))
                }
                input::MouseEventKind::ScrollDown => {
                    Some(TuiMessage::Mouse(Mouse::WheelDown(column, row)))
                }
                _ => None,
            }
        }
        // The size comes with its signal.
        input::Event::Key(_) | input::Event::Resize(..) => None,
    }
}

fn key(event: input::KeyEvent) -> Option<Key> {
    let code = match event.code {
        input::KeyCode::Char(c) => KeyCode::Char(c),
        input::KeyCode::Enter => KeyCode::Enter,
        input::KeyCode::Esc => KeyCode::Esc,
        input::KeyCode::Backspace => KeyCode::Backspace,
        input::KeyCode::Delete => KeyCode::Delete,
        input::KeyCode::Tab => KeyCode::Tab,
        input::KeyCode::BackTab => KeyCode::BackTab,
        input::KeyCode::Left => KeyCode::Left,
        input::KeyCode::Right => KeyCode::Right,
        input::KeyCode::Up => KeyCode::Up,
        input::KeyCode::Down => KeyCode::Down,
        input::KeyCode::Home => KeyCode::Home,
        input::KeyCode::End => KeyCode::End,
        input::KeyCode::PageUp => KeyCode::PageUp,
        input::KeyCode::PageDown => KeyCode::PageDown,
        input::KeyCode::F(number) => KeyCode::F(number),
        _ => return None,
    };
    let has = |it| event.modifiers.contains(it);
    Some(Key { code, ctrl: has(input::KeyModifiers::CONTROL), alt: has(input::KeyModifiers::ALT) })
}

/// Whether the answer to the last question has come.
fn is_answered(bytes: &[u8]) -> bool {
    let start = bytes.windows(3).position(|it| it == b"\x1b[?");
    let rest = start.map_or(&[][..], |at| &bytes[at..]);
    rest.split(|it| *it == 0x1b).any(|it| it.starts_with(b"[?") && it.ends_with(b"c"))
}

/// Reads what the terminal has answered; what is no answer was typed.
fn read_answers(bytes: &[u8]) -> Probed {
    let text = String::from_utf8_lossy(bytes);
    let mut probed = Probed::default();
    let mut rest = text.as_ref();
    while let Some(c) = rest.chars().next() {
        if let Some(answer) = rest.strip_prefix("\x1b]11;") {
            let end = answer.find(['\x07', '\x1b']).unwrap_or(answer.len());
            probed.background = background(&answer[..end]);
            rest = answer[end..].trim_start_matches('\x07');
            rest = rest.strip_prefix("\x1b\\").unwrap_or(rest);
        } else if let Some(answer) = rest.strip_prefix("\x1b[?") {
            let end = answer.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(answer.len());
            let is_set = matches!(&answer[..end], "2026;1$" | "2026;2$");
            probed.has_frames |= is_set && answer[end..].starts_with('y');
            rest = answer.get(end + 1..).unwrap_or_default();
        } else {
            let code = match c {
                '\r' => Some(KeyCode::Enter),
                '\x7f' => Some(KeyCode::Backspace),
                c if c.is_control() => None,
                c => Some(KeyCode::Char(c)),
            };
            probed.typed.extend(code.map(Key::plain));
            rest = &rest[c.len_utf8()..];
        }
    }
    probed
}

/// The background of an answer such as `rgb:1c1c/1c1c/1c1c`, by its brightness (ITU-R BT.601).
fn background(answer: &str) -> Option<Background> {
    let parts = answer.strip_prefix("rgb:")?;
    let value = |part: &str| {
        let most = (1_u32 << (4 * part.len().clamp(1, 4))) - 1;
        Some(f64::from(u32::from_str_radix(part, 16).ok()?) / f64::from(most))
    };
    let all: Vec<f64> = parts.split('/').map(value).collect::<Option<_>>()?;
    let [red, green, blue] = all.as_slice() else { return None };
    let brightness = 0.299 * red + 0.587 * green + 0.114 * blue;
    Some(if brightness > 0.5 { Background::Light } else { Background::Dark })
}

/// Writes the cells that differ. Returns whether there are any.
pub(crate) fn write_frame(out: &mut impl Write, shown: &Buffer, next: &Buffer) -> io::Result<bool> {
    let mut pen: Option<(Color, Color, Modifier)> = None;
    let mut at: Option<(u16, u16)> = None;
    for (column, row, cell) in shown.diff(next) {
        if at != Some((column, row)) {
            queue!(out, cursor::MoveTo(column, row))?;
        }
        let own = (cell.fg, cell.bg, cell.modifier);
        if pen != Some(own) {
            set_pen(out, cell)?;
            pen = Some(own);
        }
        out.write_all(cell.symbol().as_bytes())?;
        // Terminals differ in the width of other letters: the next cell is placed anew.
        at = cell.symbol().is_ascii().then_some((column + 1, row));
    }
    if pen.is_some() {
        queue!(out, style::SetAttribute(Attribute::Reset))?;
    }
    Ok(pen.is_some())
}

fn set_pen(out: &mut impl Write, cell: &Cell) -> io::Result<()> {
    queue!(out, style::SetAttribute(Attribute::Reset))?;
    let attributes = [
        (Modifier::BOLD, Attribute::Bold),
        (Modifier::DIM, Attribute::Dim),
        (Modifier::REVERSED, Attribute::Reverse),
        (Modifier::CROSSED_OUT, Attribute::CrossedOut),
    ];
    for (_, attribute) in attributes.iter().filter(|it| cell.modifier.contains(it.0)) {
        queue!(out, style::SetAttribute(*attribute))?;
    }
    if let Some(ink) = ink(cell.fg) {
        queue!(out, style::SetForegroundColor(ink))?;
    }
    if let Some(ink) = ink(cell.bg) {
        queue!(out, style::SetBackgroundColor(ink))?;
    }
    Ok(())
}

fn ink(colour: Color) -> Option<Ink> {
    Some(match colour {
        Color::Red => Ink::DarkRed,
        Color::Green => Ink::DarkGreen,
        Color::Blue => Ink::DarkBlue,
        Color::Magenta => Ink::DarkMagenta,
        Color::Cyan => Ink::DarkCyan,
        Color::Rgb(r, g, b) => Ink::Rgb { r, g, b },
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_read_and_typed_keys_kept() {
        let bytes = b"fi\x1b]11;rgb:ffff/ffff/f0f0\x1b\\x\x1b[?2026;2$y\x1b[?62;22c\r";
        let probed = read_answers(bytes);
        assert_eq!(probed.background, Some(Background::Light));
        assert!(probed.has_frames && is_answered(b"\x1b[?62;22c"));
        let keys: Vec<String> = probed.typed.iter().map(Key::to_string).collect();
        assert_eq!(keys, ["f", "i", "x", "enter"]);
        assert!(!is_answered(b"\x1b[?2026;0$y"));
        assert_eq!(background("rgb:1c/1c/1c"), Some(Background::Dark));
        assert_eq!(background("rgb:zz"), None);
        assert!(!read_answers(b"\x1b[?2026;0$y").has_frames);
    }
}
