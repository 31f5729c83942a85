//! [`Browser`]: a headless Chromium in the sandbox, driven over one socket.
//!
//! It has no port and no driver, ends with this process, and shares a network with nothing but the app whose
//! stories it plays. Its own sandbox needs namespaces, which ours closes: where ours is active, Chromium runs with
//! `--no-sandbox` in it, and can reach no address outside.

mod connection;
mod job;
mod page;
mod picture;
mod visits;

use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use base::{Ctx, Host};
use sandbox::{Level, Sandbox, Stream};
use serde_json::json;

use crate::WorldError;
use connection::Connection;
use page::{BlankPage, BlankPages};

pub use job::{AppCommand, BrowserProgram};
pub(crate) use page::{PATIENCE, Page, Unanswered};
pub use visits::{Incident, IncidentKind, PageFiles};
pub(crate) use visits::{Source, shortened};

/// Longest time until the browser answers for the first time.
const START: Duration = Duration::from_secs(30);
/// Bytes kept of what the app prints, for messages.
const MOST_OUTPUT: usize = 16 << 10;

/// A running browser; it ends when this is dropped.
pub struct Browser {
    connection: Arc<Connection>,
    unwanted: Arc<AtomicBool>,
    runner: Option<JoinHandle<()>>,
    blank_pages: BlankPages,
    /// The beginning of what the app prints.
    output: Arc<Mutex<Vec<u8>>>,
    /// The name and version that it reports.
    pub version: String,
    /// Notes on how it runs, for the user.
    pub notes: Vec<String>,
}

impl Browser {
    /// Starts a browser, with an app if one is given: both have one network, without anything outside.
    ///
    /// # Errors
    /// Where there is no browser, the sandbox refuses it, or it does not answer.
    pub fn start(
        ctx: &Ctx,
        sandbox: &Sandbox,
        require: Level,
        program: &BrowserProgram,
        app: Option<&AppCommand>,
    ) -> Result<Self, WorldError> {
        ctx.check_cancelled()?;
        let can = sandbox.capabilities();
        if app.is_some() && !can.namespaces.works {
            return Err(WorldError::NoNetwork);
        }
        let is_confined = can.namespaces.works || can.seccomp.works;
        let job = job::job(program, app, require, is_confined);
        let (ours, theirs) = UnixStream::pair().map_err(WorldError::Socket)?;
        let connection = Connection::start(ours)?;
        let unwanted = Arc::new(AtomicBool::new(false));
        let host = Arc::new(BrowserHost { ctx: ctx.clone(), unwanted: Arc::clone(&unwanted) });
        let (sandbox, reader) = (sandbox.clone(), Arc::clone(&connection));
        let output = Arc::new(Mutex::new(Vec::new()));
        let printed = Arc::clone(&output);
        let runner = std::thread::spawn(move || {
            let outcome =
                sandbox.converse(&Ctx::new(host), &job, theirs.into(), &mut |stream, bytes| {
                    if stream == Stream::Stdout {
                        let mut output = base::lock(&printed);
                        let free = MOST_OUTPUT.saturating_sub(output.len()).min(bytes.len());
                        output.extend_from_slice(&bytes[..free]);
                    }
                });
            *base::lock(&reader.reason) = Some(reason(outcome, &base::lock(&printed)));
        });
        let mut browser = Self {
            connection,
            unwanted,
            runner: Some(runner),
            blank_pages: BlankPages::default(),
            output,
            version: String::new(),
            notes: Vec::new(),
        };
        let version = browser.connection.call("Browser.getVersion", json!({}), START)?;
        browser.version = base::visible_line(version["product"].as_str().unwrap_or("unknown"));
        if is_confined {
            browser.notes.push(
                "chromium runs with --no-sandbox, in graftage's sandbox: no address outside"
                    .to_owned(),
            );
        }
        Ok(browser)
    }

    /// Whether its process has ended.
    pub(crate) fn has_ended(&self) -> bool {
        self.connection.has_ended()
    }

    /// A new page in a context of its own: no cookie, storage or cache is shared. It is one that was made ahead, if
    /// its window fits.
    pub(crate) fn page(
        &self,
        ctx: &Ctx,
        source: Source,
        story: &crate::Story,
    ) -> Result<Page, WorldError> {
        let of_story = |page: BlankPage| page.of_story(source.clone(), story);
        let ahead = match self.blank_pages.take(story.window).map(|it| it.and_then(of_story)) {
            Some(Ok(page)) => return Ok(page),
            Some(Err(error)) => Some(error),
            None => None,
        };
        let now = BlankPage::make(ctx, Arc::clone(&self.connection), story.window);
        now.and_then(of_story).map_err(|now| match (now, ahead) {
            (now @ (WorldError::Cancelled(_) | WorldError::Ended { .. }), _) | (now, None) => now,
            (now, Some(ahead)) => WorldError::NoPage { now: Box::new(now), ahead: Box::new(ahead) },
        })
    }

    /// Begins to make a page for a later story with this window, unless `most` wait already.
    pub(crate) fn make_ahead(&self, ctx: &Ctx, window: (u32, u32), most: usize) {
        self.blank_pages.make(ctx, &self.connection, window, most);
    }

    /// Closes the pages that were made ahead and that no story has taken.
    pub(crate) fn close_ahead(&self) {
        self.blank_pages.close();
    }

    /// Waits until the app answers with success at a path.
    ///
    /// # Errors
    /// Where it does not within `limit`.
    pub(crate) fn wait_ready(&self, ctx: &Ctx, app: &crate::ServedApp) -> Result<(), WorldError> {
        let until = Instant::now() + app.limit;
        let story = crate::Story::probe();
        let mut page = self.page(ctx, Source::App { port: app.port }, &story)?;
        loop {
            ctx.check_cancelled()?;
            let last = match page.open_path(&app.ready, Duration::from_secs(5)) {
                Ok(()) => return Ok(()),
                Err(last) => last.to_string(),
            };
            if Instant::now() >= until {
                let printed = tail(&base::lock(&self.output));
                let last = if printed.is_empty() {
                    last
                } else {
                    format!("{last}; it printed: {printed}")
                };
                return Err(WorldError::NotReady { limit: app.limit, last });
            }
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        self.unwanted.store(true, Ordering::Relaxed);
        if let Some(runner) = self.runner.take() {
            // Its thread ends when no process is left.
            let _ = runner.join();
        }
        // Without a browser each of them ends at once.
        self.blank_pages.close();
    }
}

fn reason(outcome: Result<sandbox::Outcome, sandbox::SandboxError>, output: &[u8]) -> String {
    let outcome = match outcome {
        Ok(outcome) => outcome,
        Err(error) => return error.to_string(),
    };
    if outcome.out_of_memory {
        return "it was over its memory limit".to_owned();
    }
    let app =
        if output.is_empty() { String::new() } else { format!("; the app: {}", tail(output)) };
    format!("exit status {}: {}{app}", outcome.exit_code, tail(&outcome.stderr))
}

/// The last lines of an output.
fn tail(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let lines: Vec<&str> = text.lines().rev().take(3).collect();
    lines.into_iter().rev().map(base::visible_line).collect::<Vec<_>>().join("; ")
}

/// The host of the browser's job: it is cancelled when the browser is dropped, too.
struct BrowserHost {
    ctx: Ctx,
    unwanted: Arc<AtomicBool>,
}

impl Host for BrowserHost {
    fn now(&self) -> base::Timestamp {
        self.ctx.now()
    }

    fn random(&self) -> [u8; 16] {
        self.ctx.random()
    }

    fn log(&self) -> Option<Arc<dyn base::WorkLog>> {
        self.ctx.log()
    }

    fn is_cancelled(&self) -> bool {
        self.unwanted.load(Ordering::Relaxed) || self.ctx.is_cancelled()
    }
}
