//! The live rust-analyzer of a workspace: session and analyzer rung.

use std::sync::Arc;

use analyzer::session::{Sandboxed, Session, SessionLimits, SessionSettings};
use analyzer::{AnalyzerError, AnalyzerSearch, Features, IndexedProject};
use base::{Ctx, Host, Timestamp};
use build::CargoEnv;
use check::Preflight;
use edit::Overlay;

use crate::users::users;
use crate::{ProjectError, Workspace};

/// Why there is no session, with the hint.
#[derive(Clone, Debug)]
pub(crate) struct NoSession(Arc<AnalyzerError>);

impl std::fmt::Display for NoSession {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.0)?;
        base::Hint::hint(&*self.0).map_or(Ok(()), |hint| write!(f, "; {hint}"))
    }
}

impl Workspace {
    /// The live rust-analyzer session; `None`: there is none ([`Workspace::no_analyzer`] has the reason).
    /// The first request starts the server.
    ///
    /// # Errors
    /// A missing toolchain, or an interrupt by the user.
    pub fn session(&self, ctx: &Ctx) -> Result<Option<Arc<Session>>, ProjectError> {
        Ok(self.session_in(ctx, self.prover(ctx)?.env())?.ok())
    }

    /// The session in an environment. The first call creates it. The inner error is the reason why there
    /// is none.
    fn session_in(
        &self,
        ctx: &Ctx,
        env: &CargoEnv,
    ) -> Result<Result<Arc<Session>, NoSession>, ProjectError> {
        if let Some(known) = self.analyzer_session.get() {
            return Ok(known.clone());
        }
        let made = match self.start(ctx, env) {
            Err(AnalyzerError::Cancelled(cancelled)) => return Err(cancelled.into()),
            Err(error) => Err(NoSession(Arc::new(error))),
            Ok(session) => Ok(Arc::new(session)),
        };
        Ok(self.analyzer_session.get_or_init(|| made).clone())
    }

    /// The analyzer rung of checks.
    pub(crate) fn preflight(&self, ctx: &Ctx, env: &CargoEnv) -> Result<Preflight, ProjectError> {
        let session = match self.session_in(ctx, env)? {
            Ok(session) => session,
            Err(missing) => return Ok(Preflight::unavailable(missing.to_string())),
        };
        // A map that is not up to date suffices: it is only used for files with unchanged hashes.
        let map = self.index(ctx)?.reader();
        let users = move |overlay: &Overlay| users(&map.map(), overlay);
        Ok(Preflight::new(session).with_users(Box::new(users)))
    }

    /// Reason why there is no live rust-analyzer although one was requested.
    pub fn no_analyzer(&self) -> Option<String> {
        self.analyzer_session.get()?.as_ref().err().map(ToString::to_string)
    }

    fn start(&self, ctx: &Ctx, env: &CargoEnv) -> Result<Session, AnalyzerError> {
        let search = AnalyzerSearch {
            explicit: self.settings().analyzer.path.as_deref(),
            toolchain: &env.toolchain,
            host: &env.host,
            cache_dir: self.cache_dir(),
            require: env.require,
        };
        let analyzer = analyzer::locate(ctx, &env.sandbox, &search)?;
        let root = self.project().root();
        let work = self.project().cache_dir().join("analyzer");
        untrusted_fs::make_own(&work).map_err(|fault| AnalyzerError::Io {
            action: "make",
            path: work.clone(),
            source: fault.into(),
        })?;
        let settings = self.settings();
        let memory = settings.analyzer.memory_mb.map(|mb| mb.saturating_mul(1 << 20));
        let memory = memory.unwrap_or_else(analyzer::memory_by_default);
        let view = build::view_of(root, &env.trust);
        let project = IndexedProject { root, view: &view };
        // The server outlives the call that starts it.
        let host = Arc::new(CtxHost(self.ctx().clone()));
        let server = Sandboxed::new(host, env, &analyzer, &project, &work, memory);
        let session_settings = SessionSettings {
            features: Features::Default,
            runs_project_code: settings.analyzer.build_scripts,
            is_primed: false,
        };
        // The first completion of an import path takes as long as the first request for a file.
        let limits =
            SessionLimits { request: SessionLimits::default().first, ..SessionLimits::default() };
        Ok(Session::new(Arc::new(server), root.to_owned(), session_settings.to_json(), limits))
    }
}

/// The host of a context, for a server that outlives the request.
struct CtxHost(Ctx);

impl Host for CtxHost {
    fn now(&self) -> Timestamp {
        self.0.now()
    }

    fn random(&self) -> [u8; 16] {
        self.0.random()
    }

    fn log(&self) -> Option<Arc<dyn base::WorkLog>> {
        self.0.log()
    }

    fn is_cancelled(&self) -> bool {
        self.0.is_cancelled()
    }
}
