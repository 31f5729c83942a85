//! [`TestTerminal`]: the binary on a pseudo terminal, with an emulator that shows what a person would see.

use std::fs::File;
use std::io::{Read as _, Write as _};
use std::os::fd::OwnedFd;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Signal, kill_process};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};
use testkit::TempProject;

use crate::support::command;

/// The longest time that a test waits for a screen.
const PATIENCE: Duration = Duration::from_secs(180);

/// The binary on a pseudo terminal.
pub(crate) struct TestTerminal {
    end: File,
    child: Child,
    emulator: avt::Terminal,
    /// Bytes of a letter that is not whole yet.
    rest: Vec<u8>,
    /// All that was written.
    pub(crate) bytes: usize,
}

impl TestTerminal {
    /// Starts `graftage tui`; columns and rows.
    pub(crate) fn start(project: &TempProject, args: &[&str], size: (u16, u16)) -> Self {
        Self::run(project, &[&["tui"], args].concat(), size)
    }

    /// Starts `graftage` with these arguments.
    pub(crate) fn run(project: &TempProject, args: &[&str], (columns, rows): (u16, u16)) -> Self {
        let end = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC)
            .expect("a pseudo terminal");
        grantpt(&end).expect("it is ours");
        unlockpt(&end).expect("it can be opened");
        let name = ptsname(&end, Vec::new()).expect("it has a name");
        set_size(&end, columns, rows);
        let open = || {
            let name = name.to_str().expect("a name");
            File::options().read(true).write(true).open(name).expect("the other end")
        };
        let stdio = || Stdio::from(OwnedFd::from(open()));
        let child = command(project, args)
            .env("TERM", "xterm-256color")
            .stdin(stdio())
            .stdout(stdio())
            .stderr(stdio())
            .spawn()
            .expect("the binary starts");
        let emulator = avt::Terminal::new(usize::from(columns), usize::from(rows));
        let emulator = emulator.expect("a terminal of this size");
        Self { end: File::from(end), child, emulator, rest: Vec::new(), bytes: 0 }
    }

    /// Types bytes as a keyboard sends them.
    pub(crate) fn keys(&mut self, bytes: &str) {
        self.end.write_all(bytes.as_bytes()).expect("the binary reads");
    }

    /// Gives the terminal another size, and signals the binary.
    pub(crate) fn resize(&mut self, columns: u16, rows: u16) {
        set_size(&self.end, columns, rows);
        self.emulator.resize(usize::from(columns), usize::from(rows));
        self.signal(Signal::WINCH);
    }

    pub(crate) fn signal(&self, signal: Signal) {
        let id = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw).expect("a process");
        kill_process(id, signal).expect("it runs");
    }

    /// Reads what was written within a time; returns whether the other end is still open.
    pub(crate) fn read_for(&mut self, time: Duration) -> bool {
        let until = Instant::now() + time;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            let limit = Timespec {
                tv_sec: i64::try_from(left.as_secs()).unwrap_or_default(),
                tv_nsec: i64::from(left.subsec_nanos()),
            };
            let mut polled = [PollFd::new(&self.end, PollFlags::IN)];
            if poll(&mut polled, Some(&limit)).expect("a poll") == 0 {
                return true;
            }
            let mut chunk = [0; 8192];
            match self.end.read(&mut chunk) {
                Ok(0) | Err(_) => return false,
                Ok(count) => self.feed(&chunk[..count]),
            }
        }
    }

    fn feed(&mut self, bytes: &[u8]) {
        self.bytes += bytes.len();
        self.rest.extend_from_slice(bytes);
        let whole = match std::str::from_utf8(&self.rest) {
            Ok(text) => text.len(),
            Err(error) => error.valid_up_to(),
        };
        let rest = self.rest.split_off(whole);
        let text = String::from_utf8(std::mem::replace(&mut self.rest, rest)).expect("text");
        self.emulator.feed([text.as_str()]);
    }

    /// The screen as a person sees it.
    pub(crate) fn screen(&self) -> String {
        let rows = self.emulator.screen().text();
        rows.iter().map(|it| it.trim_end().to_owned() + "\n").collect()
    }

    /// Waits until the screen shows a text.
    pub(crate) fn wait_for(&mut self, text: &str) {
        let until = Instant::now() + PATIENCE;
        while !self.screen().contains(text) {
            let is_open = self.read_for(Duration::from_millis(50));
            assert!(
                Instant::now() < until && (is_open || self.screen().contains(text)),
                "no `{text}` on:\n{}",
                self.screen()
            );
        }
    }

    /// Waits until the binary ends; returns its status.
    pub(crate) fn wait(&mut self) -> Option<i32> {
        let until = Instant::now() + PATIENCE;
        loop {
            self.read_for(Duration::from_millis(20));
            if let Some(status) = self.child.try_wait().expect("a child") {
                self.read_for(Duration::from_millis(20));
                return status.code();
            }
            assert!(Instant::now() < until, "it runs on:\n{}", self.screen());
        }
    }

    /// Kills the binary at once.
    pub(crate) fn kill(mut self) {
        self.child.kill().expect("it runs");
        self.child.wait().expect("it ends");
    }

    /// Closes the terminal; returns the status that the binary ends with.
    pub(crate) fn hang_up(self) -> Option<i32> {
        let Self { end, mut child, .. } = self;
        drop(end);
        let until = Instant::now() + PATIENCE;
        loop {
            if let Some(status) = child.try_wait().expect("a child") {
                return status.code();
            }
            if Instant::now() > until {
                child.kill().expect("it runs");
                panic!("it runs on without its terminal");
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

fn set_size(end: impl std::os::fd::AsFd, columns: u16, rows: u16) {
    let size = Winsize { ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
    tcsetwinsize(end, size).expect("a size");
}
