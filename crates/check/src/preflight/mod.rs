//! The analyzer rung: a live rust-analyzer checks the changed texts in memory and may reject a
//! candidate before cargo runs.
//!
//! New errors are reliable, their absence proves nothing: rust-analyzer has no borrow checker and
//! misses some type errors. Only errors that the same server does not report for the tree itself
//! count. While it is loading, failing, slow or missing nothing counts; cargo continues alone, and the
//! evidence has the reason. The rung never exceeds its time limit.

mod found;
mod suitable;
mod test_code;

use std::fmt;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use analyzer::AnalyzerError;
use analyzer::session::{Health, OverlayGuard, Session};
use base::{Cancelled, ContentHash, Ctx, Diagnostic, ProjectPath, SortedMap};
use edit::{Files, Overlay};
use policy::Tree;

use crate::text::counted;
use found::{Found, compare, diagnostic, found};
use suitable::why_not;
use test_code::TestCode;

/// Attempts on one candidate while the server keeps loading.
const MOST_LOOKS: usize = 3;

/// Limits of the rung.
#[derive(Clone, Debug)]
pub struct PreflightLimits {
    /// Time limit until the first answer, which includes loading the workspace and inference for the
    /// first file.
    pub first: Duration,
    /// Time limit of later candidates.
    pub later: Duration,
    /// The maximum number of files checked besides the changed ones.
    pub users: usize,
}

impl Default for PreflightLimits {
    fn default() -> Self {
        Self { first: Duration::from_secs(120), later: Duration::from_secs(10), users: 8 }
    }
}

/// Returns the files that use what an overlay changes, most important first.
pub type Users = dyn Fn(&Overlay) -> Vec<ProjectPath> + Send + Sync;

/// The server that checks candidates before cargo.
pub struct Preflight {
    session: SessionState,
    users: Option<Box<Users>>,
    limits: PreflightLimits,
    known: Mutex<Known>,
}

/// The server, if there is one.
#[derive(Debug)]
enum SessionState {
    /// A session whose root is the project's.
    Live(Arc<Session>),
    /// None, for this reason, which each proof notes.
    Missing(String),
}

/// The state of the server: the texts it was sent, and its errors for the tree itself.
#[derive(Default)]
struct Known {
    files: SortedMap<ProjectPath, ContentHash>,
    tree: Option<ContentHash>,
    /// Errors in files of that tree.
    before: SortedMap<ProjectPath, Vec<Found>>,
    /// Whether it has answered once.
    is_warm: bool,
}

/// A candidate to check.
pub(crate) struct Asked<'a> {
    pub(crate) ctx: &'a Ctx,
    pub(crate) root: &'a Path,
    pub(crate) files: &'a dyn Files,
    pub(crate) tree: &'a Tree,
    pub(crate) overlay: &'a Overlay,
    /// Whether the proof includes the code of tests.
    pub(crate) test_code: bool,
}

/// The server's verdict on a candidate.
#[derive(Debug)]
pub(crate) enum Verdict {
    /// No new errors.
    Held(String),
    /// It adds these errors.
    Refused(Vec<Diagnostic>),
    /// It was not checked, for this reason.
    Skipped(String),
}

impl Preflight {
    /// Uses `session`, whose root is the project's.
    pub fn new(session: Arc<Session>) -> Self {
        Self::of(SessionState::Live(session))
    }

    /// Has no server, for this reason: each proof notes it and continues.
    pub fn unavailable(reason: String) -> Self {
        Self::of(SessionState::Missing(reason))
    }

    fn of(session: SessionState) -> Self {
        Self { session, users: None, limits: PreflightLimits::default(), known: Mutex::default() }
    }

    /// Also checks files that use what changes.
    #[must_use]
    pub fn with_users(mut self, users: Box<Users>) -> Self {
        self.users = Some(users);
        self
    }

    /// Sets the limits.
    #[must_use]
    pub fn with_limits(mut self, limits: PreflightLimits) -> Self {
        self.limits = limits;
        self
    }

    pub(crate) fn check(&self, asked: &Asked<'_>) -> Result<Verdict, Cancelled> {
        match self.try_check(asked) {
            Ok(verdict) => Ok(verdict),
            Err(AnalyzerError::Cancelled(cancelled)) => Err(cancelled),
            Err(error) => {
                asked.ctx.check_cancelled()?;
                Ok(Verdict::Skipped(error.to_string()))
            }
        }
    }

    fn try_check(&self, asked: &Asked<'_>) -> Result<Verdict, AnalyzerError> {
        let session = match &self.session {
            SessionState::Live(session) => session,
            SessionState::Missing(reason) => return Ok(Verdict::Skipped(reason.clone())),
        };
        if let Some(reason) = why_not(asked.overlay) {
            return Ok(Verdict::Skipped(reason));
        }
        let limit =
            if base::lock(&self.known).is_warm { self.limits.later } else { self.limits.first };
        let left = Left { until: Instant::now() + limit };
        let mut overlays = session.lock_overlays(asked.ctx, left.time())?;
        if let Some(reason) = trouble(session.ready(asked.ctx, left.time())?, asked.overlay) {
            return Ok(Verdict::Skipped(reason));
        }
        let mut known = base::lock(&self.known);
        self.catch_up(&mut known, session, asked);
        let server = Server { session, asked, left };
        let paths = self.paths(asked);
        for path in &paths {
            if !known.before.contains_key(path)
                && let Some(before) = server.before(&mut overlays, path)?
            {
                known.before.insert(path.clone(), before);
            }
        }
        for (path, change) in asked.overlay.changes() {
            let on_disk = change.before.as_ref().map(|state| &*state.text);
            overlays.show(asked.ctx, &path.join_to(asked.root), change.after_text(), on_disk)?;
        }
        let mut looks = MOST_LOOKS;
        loop {
            let (new, gone) = server.compared(&paths, &known.before)?;
            known.is_warm = true;
            looks -= 1;
            match session.health() {
                None => return Ok(Verdict::Skipped("it ended".to_owned())),
                // The candidate (a new file, for example) made it reload: earlier results do not
                // count.
                Some(Health::Loading) if looks > 0 => {
                    let health = session.ready(asked.ctx, left.time())?;
                    if let Some(reason) = trouble(health, asked.overlay) {
                        return Ok(Verdict::Skipped(reason));
                    }
                }
                Some(health) => {
                    return Ok(match trouble(health, asked.overlay) {
                        None => verdict(new, gone, paths.len()),
                        Some(reason) => Verdict::Skipped(reason),
                    });
                }
            }
        }
    }

    /// Notifies the server of files written since the last request.
    fn catch_up(&self, known: &mut Known, session: &Session, asked: &Asked<'_>) {
        let tree = asked.tree.hash();
        if known.tree == Some(tree) {
            return;
        }
        if known.tree.is_some() {
            let now = asked.tree.files();
            let differ = now.iter().filter(|(path, hash)| known.files.get(*path) != Some(*hash));
            let gone = known.files.keys().filter(|path| !now.contains_key(*path));
            let changed: Vec<_> = differ
                .map(|(path, _)| path)
                .chain(gone)
                .map(|path| path.join_to(asked.root))
                .collect();
            session.files_changed(&changed);
        }
        known.files = asked.tree.files().clone();
        known.tree = Some(tree);
        known.before.clear();
    }

    /// The changed files, then the files that use what changes.
    fn paths(&self, asked: &Asked<'_>) -> Vec<ProjectPath> {
        let changed: Vec<ProjectPath> =
            asked.overlay.changes().map(|(path, _)| path.clone()).collect();
        let users = self.users.as_ref().map_or_else(Vec::new, |users| users(asked.overlay));
        let is_user = |path: &ProjectPath| {
            !changed.contains(path)
                && path.extension() == Some("rs")
                && asked.tree.files().contains_key(path)
        };
        let users: Vec<_> = users.into_iter().filter(is_user).take(self.limits.users).collect();
        let mut paths = changed.clone();
        paths.extend(users);
        if !asked.test_code {
            paths.retain(|path| !test_code::is_test_target(path));
        }
        paths
    }
}

/// The time budget of the rung.
#[derive(Clone, Copy)]
struct Left {
    until: Instant,
}

impl Left {
    fn time(self) -> Duration {
        self.until.saturating_duration_since(Instant::now())
    }
}

/// The server with one candidate.
struct Server<'a> {
    session: &'a Session,
    asked: &'a Asked<'a>,
    left: Left,
}

/// A text and its errors.
struct Text {
    text: Arc<str>,
    found: Vec<Found>,
}

impl Server<'_> {
    /// The errors in the tree's own file; `None` if there is no such file.
    fn before(
        &self,
        overlays: &mut OverlayGuard<'_>,
        path: &ProjectPath,
    ) -> Result<Option<Vec<Found>>, AnalyzerError> {
        let text = match self.asked.overlay.get(path) {
            Some(change) => change.before.as_ref().map(|state| state.text.clone()),
            None => self.asked.files.read(path).ok().flatten().map(|state| state.text),
        };
        let Some(text) = text else { return Ok(None) };
        overlays.show(self.asked.ctx, &path.join_to(self.asked.root), &text, Some(&text))?;
        self.pull(path, &text).map(Some)
    }

    /// The new errors in the candidate's files, and the number of errors that disappeared.
    fn compared(
        &self,
        paths: &[ProjectPath],
        known: &SortedMap<ProjectPath, Vec<Found>>,
    ) -> Result<(Vec<Diagnostic>, usize), AnalyzerError> {
        let asked = self.asked;
        let (mut new, mut gone) = (Vec::new(), 0);
        let mut test_code = TestCode::new(asked.files, asked.overlay);
        for path in paths {
            let Some(Text { text, found }) = self.now(path)? else { continue };
            let before = known.get(path).map_or(&[][..], Vec::as_slice);
            let mut compared = compare(asked.overlay, path, before, found);
            if !asked.test_code {
                compared.new.retain(|it| !test_code.holds(path, &text, it.span));
            }
            gone += compared.gone;
            new.extend(compared.new.iter().map(|it| diagnostic(path, &text, it)));
        }
        Ok((new, gone))
    }

    /// The errors in the candidate's file, and its text.
    fn now(&self, path: &ProjectPath) -> Result<Option<Text>, AnalyzerError> {
        let text = match self.asked.overlay.get(path) {
            Some(change) => change.after.as_ref().map(|state| state.text.clone()),
            None => self.asked.files.read(path).ok().flatten().map(|state| state.text),
        };
        let Some(text) = text else { return Ok(None) };
        let found = self.pull(path, &text)?;
        Ok(Some(Text { text, found }))
    }

    fn pull(&self, path: &ProjectPath, text: &str) -> Result<Vec<Found>, AnalyzerError> {
        let path = path.join_to(self.asked.root);
        let reported = self.session.diagnostics_within(self.asked.ctx, &path, self.left.time())?;
        Ok(found(text, reported))
    }
}

/// An error that disappeared may have hidden others, so new errors are inconclusive and cargo decides.
fn verdict(new: Vec<Diagnostic>, gone: usize, files: usize) -> Verdict {
    if new.is_empty() {
        let files = counted(files, "file");
        return Verdict::Held(format!("rust-analyzer finds nothing new in {files}"));
    }
    if gone > 0 {
        let (new, gone) = (counted(new.len(), "new error"), counted(gone, "error"));
        return Verdict::Held(format!("rust-analyzer: {new} where {gone} went, left to cargo"));
    }
    Verdict::Refused(new)
}

/// The server's permanent status message after the text of a procedural macro's crate changed: it
/// continues with the macros that were built.
const STALE_MACROS: &str = "Proc-macros and/or build scripts have changed and need to be rebuilt.";

/// Why the server's results for this candidate are not reliable now.
fn trouble(health: Health, overlay: &Overlay) -> Option<String> {
    match health {
        Health::Ready => None,
        Health::Loading => Some("it still loads the workspace".to_owned()),
        // The built macros are those of the tree: right for every change that does not affect a macro
        // and its use at once.
        Health::Degraded(reason) if reason == STALE_MACROS && is_in_one_crate(overlay) => None,
        Health::Degraded(reason) => Some(format!("it is in trouble: {reason}")),
    }
}

/// Whether all changes are in one source folder.
fn is_in_one_crate(overlay: &Overlay) -> bool {
    let sources = |path: &ProjectPath| {
        let path = path.as_str();
        path.rfind("src/").map_or("", |at| &path[..at]).to_owned()
    };
    let mut folders = overlay.changes().map(|(path, _)| sources(path));
    let first = folders.next();
    folders.all(|it| Some(it) == first)
}

impl fmt::Debug for Preflight {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Preflight").field("session", &self.session).finish_non_exhaustive()
    }
}
