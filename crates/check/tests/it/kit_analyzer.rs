//! The real rust-analyzer as the analyzer rung of a prover.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use analyzer::session::{Sandboxed, Session, SessionLimits, SessionSettings};
use analyzer::{AnalyzerError, AnalyzerSearch, Features, IndexedProject};
use base::Ctx;
use build::CargoEnv;

/// A live session on the project at `root`; no server is started yet.
#[allow(clippy::disallowed_methods)]
pub(crate) fn session(
    ctx: &Ctx,
    env: &CargoEnv,
    root: &Path,
    work: &Path,
) -> Result<Session, AnalyzerError> {
    let var = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    let cache = match (var("GRAFTAGE_HOME"), var("XDG_CACHE_HOME")) {
        (Some(own), _) => PathBuf::from(own).join("cache"),
        (None, Some(cache)) => PathBuf::from(cache).join("graftage"),
        (None, None) => env.host.home.join(".cache/graftage"),
    };
    let search = AnalyzerSearch {
        explicit: None,
        toolchain: &env.toolchain,
        host: &env.host,
        cache_dir: &cache,
        require: env.require,
    };
    let found = analyzer::locate(ctx, &env.sandbox, &search)?;
    std::fs::create_dir_all(work).unwrap();
    let view = build::view_of(root, &env.trust);
    let project = IndexedProject { root, view: &view };
    let host = testkit::TestHost::new();
    let server = Sandboxed::new(host, env, &found, &project, work, 4 << 30);
    let settings =
        SessionSettings { features: Features::Default, runs_project_code: true, is_primed: false };
    Ok(Session::new(
        Arc::new(server),
        root.to_owned(),
        settings.to_json(),
        SessionLimits::default(),
    ))
}
