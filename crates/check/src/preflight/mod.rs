//! The analyzer rung: a live rust-analyzer looks at the changed texts in memory, and may refuse
//! what cargo need not be asked about.
//!
//! Its red is trustworthy, its green is none: it knows no borrows and not every type error. So it
//! counts against a candidate only what the same server does not find in the tree as it stands,
//! and nothing at all while it is not settled, in trouble, slow or gone; then cargo goes on alone,
//! and the evidence says why. Nobody waits longer than the limit.

mod found;
mod suitable;
mod test_code;

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use analyzer::AnalyzerError;
use analyzer::session::{Desk, Health, Session};
use base::{Cancelled, ContentHash, Ctx, Diagnostic, ProjectPath};
use edit::{Files, Overlay};
use policy::Tree;

use crate::climb::counted;
use crate::prover::lock;
use found::{Found, compare, diagnostic, found};
use suitable::why_not;
use test_code::TestCode;

/// So often one candidate is looked at while the server keeps loading.
const MOST_LOOKS: usize = 3;

/// How long the rung may take.
#[derive(Clone, Debug)]
pub struct PreflightLimits {
    /// Until a server has answered once: it loads the workspace, and infers what the first file
    /// needs.
    pub first: Duration,
    /// Later.
    pub later: Duration,
    /// At most so many files are looked at besides the changed ones.
    pub users: usize,
}

impl Default for PreflightLimits {
    fn default() -> Self {
        Self { first: Duration::from_secs(120), later: Duration::from_secs(10), users: 8 }
    }
}

/// Which files use what an overlay changes, most important first.
pub type Users = dyn Fn(&Overlay) -> Vec<ProjectPath> + Send + Sync;

/// The server that a prover asks before cargo.
pub struct Preflight {
    /// The reason where there is none.
    session: Result<Arc<Session>, String>,
    users: Option<Box<Users>>,
    limits: PreflightLimits,
    known: Mutex<Known>,
}

/// What the server was told and has said of the tree as it stands.
#[derive(Default)]
struct Known {
    files: BTreeMap<ProjectPath, ContentHash>,
    tree: Option<ContentHash>,
    /// What is wrong in files of that tree.
    before: BTreeMap<ProjectPath, Vec<Found>>,
    /// It has answered once.
    is_warm: bool,
}

/// What is to be judged.
pub(crate) struct Asked<'a> {
    pub(crate) ctx: &'a Ctx,
    pub(crate) root: &'a Path,
    pub(crate) files: &'a dyn Files,
    pub(crate) tree: &'a Tree,
    pub(crate) overlay: &'a Overlay,
    /// Whether the proof looks at the code of tests.
    pub(crate) test_code: bool,
}

/// What the server makes of a candidate.
#[derive(Debug)]
pub(crate) enum Verdict {
    /// Nothing that speaks against it.
    Held(String),
    /// It brings these errors.
    Refused(Vec<Diagnostic>),
    /// It could not be asked, for this reason.
    Skipped(String),
}

impl Preflight {
    /// Asks `session`, whose root is the project's.
    pub fn new(session: Arc<Session>) -> Self {
        Self::of(Ok(session))
    }

    /// There is nobody to ask, for this reason: each proof says so and goes on.
    pub fn unavailable(reason: String) -> Self {
        Self::of(Err(reason))
    }

    fn of(session: Result<Arc<Session>, String>) -> Self {
        Self { session, users: None, limits: PreflightLimits::default(), known: Mutex::default() }
    }

    /// Looks at files that use what changes, too.
    #[must_use]
    pub fn with_users(mut self, users: Box<Users>) -> Self {
        self.users = Some(users);
        self
    }

    /// Waits so long.
    #[must_use]
    pub fn with_limits(mut self, limits: PreflightLimits) -> Self {
        self.limits = limits;
        self
    }

    pub(crate) fn judge(&self, asked: &Asked<'_>) -> Result<Verdict, Cancelled> {
        match self.try_judge(asked) {
            Ok(verdict) => Ok(verdict),
            Err(AnalyzerError::Cancelled(cancelled)) => Err(cancelled),
            Err(error) => {
                asked.ctx.check_cancelled()?;
                Ok(Verdict::Skipped(error.to_string()))
            }
        }
    }

    fn try_judge(&self, asked: &Asked<'_>) -> Result<Verdict, AnalyzerError> {
        let session = match &self.session {
            Ok(session) => session,
            Err(reason) => return Ok(Verdict::Skipped(reason.clone())),
        };
        if let Some(reason) = why_not(asked.overlay) {
            return Ok(Verdict::Skipped(reason));
        }
        let limit = if lock(&self.known).is_warm { self.limits.later } else { self.limits.first };
        let left = Left { until: Instant::now() + limit };
        let mut desk = session.desk(asked.ctx, left.time())?;
        if let Some(reason) = trouble(session.ready(asked.ctx, left.time())?, asked.overlay) {
            return Ok(Verdict::Skipped(reason));
        }
        let mut known = lock(&self.known);
        self.catch_up(&mut known, session, asked);
        let server = Server { session, asked, left };
        let paths = self.paths(asked);
        for path in &paths {
            if !known.before.contains_key(path)
                && let Some(before) = server.before(&mut desk, path)?
            {
                known.before.insert(path.clone(), before);
            }
        }
        for (path, change) in asked.overlay.changes() {
            let on_disk = change.before.as_ref().map(|state| &*state.text);
            desk.show(asked.ctx, &path.join_to(asked.root), change.after_text(), on_disk)?;
        }
        let mut looks = MOST_LOOKS;
        loop {
            let (new, gone) = server.compared(&paths, &known.before)?;
            known.is_warm = true;
            looks -= 1;
            match session.health() {
                None => return Ok(Verdict::Skipped("it ended".to_owned())),
                // What it saw of the candidate, a new file say, has it load anew: what it said
                // before that counts for nothing.
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

    /// Tells the server what was written since it was last asked.
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

    /// The changed files, then those that use what changes.
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

/// The rung's time.
#[derive(Clone, Copy)]
struct Left {
    until: Instant,
}

impl Left {
    fn time(self) -> Duration {
        self.until.saturating_duration_since(Instant::now())
    }
}

/// The server, asked about one candidate.
struct Server<'a> {
    session: &'a Session,
    asked: &'a Asked<'a>,
    left: Left,
}

/// A text and what is wrong in it.
struct Text {
    text: Arc<str>,
    found: Vec<Found>,
}

impl Server<'_> {
    /// What it finds in the file of the tree as it stands; `None`: there is none.
    fn before(
        &self,
        desk: &mut Desk<'_>,
        path: &ProjectPath,
    ) -> Result<Option<Vec<Found>>, AnalyzerError> {
        let text = match self.asked.overlay.get(path) {
            Some(change) => change.before.as_ref().map(|state| state.text.clone()),
            None => self.asked.files.read(path).ok().flatten().map(|state| state.text),
        };
        let Some(text) = text else { return Ok(None) };
        desk.show(self.asked.ctx, &path.join_to(self.asked.root), &text, Some(&text))?;
        self.pull(path, &text).map(Some)
    }

    /// What is wrong in the candidate's files and was not before, and how many errors went.
    fn compared(
        &self,
        paths: &[ProjectPath],
        known: &BTreeMap<ProjectPath, Vec<Found>>,
    ) -> Result<(Vec<Diagnostic>, usize), AnalyzerError> {
        let asked = self.asked;
        let (mut new, mut gone) = (Vec::new(), 0);
        let mut test_code = TestCode::new(asked.files, asked.overlay);
        for path in paths {
            let Some(Text { text, found }) = self.now(path)? else { continue };
            let before = known.get(path).map_or(&[][..], Vec::as_slice);
            let mut judged = compare(asked.overlay, path, before, found);
            if !asked.test_code {
                judged.new.retain(|it| !test_code.holds(path, &text, it.span));
            }
            gone += judged.gone;
            new.extend(judged.new.iter().map(|it| diagnostic(path, &text, it)));
        }
        Ok((new, gone))
    }

    /// What it finds in the candidate's file, and its text.
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
        let said = self.session.diagnostics_within(self.asked.ctx, &path, self.left.time())?;
        Ok(found(text, said))
    }
}

/// An error that went may have kept others from sight: then what is new may be old, and cargo says
/// which.
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

/// What the server says, for good, once it has seen another text of a procedural macro's crate: it
/// goes on with the macros that were built. It speaks of them alone.
const STALE_MACROS: &str = "Proc-macros and/or build scripts have changed and need to be rebuilt.";

/// Why the server's words about this candidate cannot be trusted now.
fn trouble(health: Health, overlay: &Overlay) -> Option<String> {
    match health {
        Health::Ready => None,
        Health::Loading => Some("it still loads the workspace".to_owned()),
        // The macros that were built are those of the tree as it stands: right for all that does
        // not change a macro and its use at once.
        Health::Degraded(reason) if reason == STALE_MACROS && is_in_one_crate(overlay) => None,
        Health::Degraded(reason) => Some(format!("it is in trouble: {reason}")),
    }
}

/// Whether all that changes lies in one source folder.
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
