//! Checks the format of one text with rustfmt, through standard input. Writes no file.

use std::path::Path;
use std::time::Duration;

use base::Ctx;
use sandbox::View;

use crate::process::{self, LocalNetwork, Process};
use crate::{CargoEnv, CargoError};

/// Whether rustfmt would leave `text` unchanged; `None` if it is not installed or the text does not
/// parse. `dir` is the file's folder inside the view, where rustfmt starts to look for its
/// configuration.
///
/// # Errors
/// When the sandbox fails.
pub fn format_check(
    ctx: &Ctx,
    env: &CargoEnv,
    view: &View,
    dir: &Path,
    edition: &str,
    text: &str,
) -> Result<Option<bool>, CargoError> {
    let Some(rustfmt) = env.toolchain.rustfmt.clone() else { return Ok(None) };
    let process = Process {
        program: rustfmt,
        args: ["--check", "--edition", edition].map(Into::into).to_vec(),
        cwd: dir.to_owned(),
        timeout: Duration::from_secs(30),
        memory_bytes: Some(2 << 30),
        network: LocalNetwork::Nothing,
        stdin: text.as_bytes().to_vec(),
        variables: Vec::new(),
    };
    let outcome = process::run(ctx, env, view, None, process, &mut |_, _| {})?;
    // For standard input rustfmt prints the difference and exits with 0.
    let differs = !outcome.stdout.trim_ascii().is_empty();
    Ok(match outcome.exit_code {
        _ if outcome.stderr.trim_ascii().starts_with(b"error") => None,
        0 | 1 => Some(!differs),
        _ => None,
    })
}
