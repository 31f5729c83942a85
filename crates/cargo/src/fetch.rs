use std::path::Path;
use std::time::Duration;

use base::Ctx;
use sandbox::{Network, View};

use crate::process::{self, Process};
use crate::{CargoEnv, CargoError};

/// Brings the sources of all dependencies of the package at `root` (inside `view`) into the
/// registry; builds nothing and runs nothing of theirs. `None` when they are there, else what
/// cargo said.
///
/// # Errors
/// Where the sandbox refuses, or the registry folders cannot be made.
pub fn fetch(
    ctx: &Ctx,
    env: &CargoEnv,
    view: &View,
    root: &Path,
    timeout: Duration,
) -> Result<Option<String>, CargoError> {
    ctx.alive()?;
    for name in ["registry", "git"] {
        let path = env.host.cargo_home.join(name);
        std::fs::create_dir_all(&path).map_err(CargoError::io("create", path))?;
    }
    let process = Process {
        program: env.toolchain.cargo.clone(),
        args: vec!["fetch".into(), "--quiet".into()],
        cwd: root.to_owned(),
        timeout,
        memory_bytes: None,
        network: Network::On,
        stdin: Vec::new(),
    };
    let outcome = process::run(ctx, env, view, None, process, &mut |_, _| {})?;
    if outcome.exit_code == 0 {
        return Ok(None);
    }
    let said = String::from_utf8_lossy(&outcome.stderr);
    Ok(Some(said.trim().chars().take(2_000).collect()))
}
