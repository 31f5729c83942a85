//! Formats one text with rustfmt, through standard input. Writes no file.

use std::path::Path;
use std::time::Duration;

use base::Ctx;
use sandbox::View;

use crate::process::{self, LocalNetwork, Process, ProcessKind};
use crate::{CargoEnv, CargoError};

/// Time limit of one text.
const ONE_TEXT: Duration = Duration::from_secs(30);

/// Mark at the beginning of some files, which rustfmt does not keep.
const BOM: char = '\u{feff}';

/// The text as rustfmt formats it; `None` if it is not installed, the text does not parse, or it takes
/// longer than half a minute or than `left`, the time that is left to the caller. `dir` is the file's
/// folder inside the view, where rustfmt starts to look for its configuration.
///
/// # Errors
/// When the sandbox fails.
pub fn format_text(
    ctx: &Ctx,
    env: &CargoEnv,
    view: &View,
    dir: &Path,
    edition: &str,
    (text, left): (&str, Duration),
) -> Result<Option<String>, CargoError> {
    let Some(rustfmt) = env.toolchain.rustfmt.clone() else { return Ok(None) };
    if left.is_zero() {
        return Ok(None);
    }
    let code = text.strip_prefix(BOM).unwrap_or(text);
    let process = Process {
        program: rustfmt,
        args: ["--emit", "stdout", "--edition", edition].map(Into::into).to_vec(),
        cwd: dir.to_owned(),
        timeout: ONE_TEXT.min(left),
        memory_bytes: Some(2 << 30),
        network: LocalNetwork::Nothing,
        stdin: code.as_bytes().to_vec(),
        variables: Vec::new(),
        kind: ProcessKind::Any,
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
