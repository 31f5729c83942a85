//! Formats one text with rustfmt, through standard input. Writes no file.

use std::path::Path;
use std::time::Duration;

use base::Ctx;
use sandbox::View;

use crate::process::{self, LocalNetwork, Process};
use crate::{CargoEnv, CargoError};

/// Mark at the beginning of some files, which rustfmt does not keep.
const BOM: char = '\u{feff}';

/// The text as rustfmt formats it; `None` if it is not installed or the text does not parse. `dir` is
/// the file's folder inside the view, where rustfmt starts to look for its configuration.
///
/// # Errors
/// When the sandbox fails.
pub fn format_text(
    ctx: &Ctx,
    env: &CargoEnv,
    view: &View,
    dir: &Path,
    edition: &str,
    text: &str,
) -> Result<Option<String>, CargoError> {
    let Some(rustfmt) = env.toolchain.rustfmt.clone() else { return Ok(None) };
    let code = text.strip_prefix(BOM).unwrap_or(text);
    let process = Process {
        program: rustfmt,
        args: ["--emit", "stdout", "--edition", edition].map(Into::into).to_vec(),
        cwd: dir.to_owned(),
        timeout: Duration::from_secs(30),
        memory_bytes: Some(2 << 30),
        network: LocalNetwork::Nothing,
        stdin: code.as_bytes().to_vec(),
        variables: Vec::new(),
    };
    let outcome = process::run(ctx, env, view, None, process, &mut |_, _| {})?;
    if outcome.exit_code != 0 || outcome.stderr.trim_ascii().starts_with(b"error") {
        return Ok(None);
    }
    let Ok(formatted) = String::from_utf8(outcome.stdout) else { return Ok(None) };
    let is_cut = formatted.trim().is_empty() && !code.trim().is_empty();
    Ok((!is_cut).then(|| match code.len() == text.len() {
        true => formatted,
        false => format!("{BOM}{formatted}"),
    }))
}
