//! Runs commands: with the terminal's streams, or for their output. Nothing else in xtask prints
//! command lines or durations.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::Instant;

use crate::Failure;

/// Runs the command with the terminal's streams; prints its command line before and its duration
/// after.
pub(crate) fn step(command: &mut Command) -> Result<(), Failure> {
    timed(command, &mut |command| command.status())
}

/// As [`step`]; `watch` gets each line that the command prints, too.
pub(crate) fn watched_step(
    command: &mut Command,
    watch: &(dyn Fn(&str) + Sync),
) -> Result<(), Failure> {
    timed(command, &mut |command| {
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
        let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
        std::thread::scope(|scope| {
            scope.spawn(|| pass_on(stdout, std::io::stdout(), watch));
            scope.spawn(|| pass_on(stderr, std::io::stderr(), watch));
        });
        child.wait()
    })
}

/// Copies line by line, so that lines of two streams are not interleaved.
fn pass_on(from: Option<impl Read>, mut to: impl Write, watch: &(dyn Fn(&str) + Sync)) {
    let Some(from) = from else { return };
    let (mut from, mut line) = (BufReader::new(from), Vec::new());
    while from.read_until(b'\n', &mut line).is_ok_and(|read| read > 0) {
        watch(String::from_utf8_lossy(&line).trim_end());
        // A closed output of ours must not end the command.
        _ = to.write_all(&line).and_then(|()| to.flush());
        line.clear();
    }
}

fn timed(
    command: &mut Command,
    run: &mut dyn FnMut(&mut Command) -> std::io::Result<ExitStatus>,
) -> Result<(), Failure> {
    let line = shown(command);
    eprintln!("xtask: {line}");
    let start = Instant::now();
    let status = run(command.stdin(Stdio::null()))
        .map_err(|err| Failure::Missing(format!("cannot start `{line}`: {err}")))?;
    eprintln!("xtask: {:.1} s, {status}: {line}", start.elapsed().as_secs_f64());
    if status.success() { Ok(()) } else { Err(Failure::Check(format!("failed: {line}"))) }
}

/// Whether the command starts and succeeds; its output is discarded.
pub(crate) fn works(command: &mut Command) -> bool {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

/// The first line that the command prints, if it succeeds.
pub(crate) fn first_line(command: &mut Command) -> Option<String> {
    let output = command.stdin(Stdio::null()).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout);
    output.status.success().then(|| text.lines().next().unwrap_or_default().to_owned())
}

/// The standard output of the command; an error if it fails.
pub(crate) fn output(command: &mut Command) -> Result<String, Failure> {
    let line = shown(command);
    let output = command
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .map_err(|err| Failure::Missing(format!("cannot start `{line}`: {err}")))?;
    if !output.status.success() {
        return Err(Failure::Check(format!("failed: {line}")));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// `cargo` at the root: the one that runs xtask, so that only one toolchain is used. In CI nothing is
/// built twice: what only a second build would use is not written.
pub(crate) fn cargo(root: &Path, args: &[&str]) -> Command {
    let program = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(program);
    command.current_dir(root).args(args);
    if crate::in_ci() {
        command.env("CARGO_INCREMENTAL", "0");
    }
    command
}

/// Cargo's target directory: `CARGO_TARGET_DIR` if it is set.
pub(crate) fn target_dir(root: &Path) -> PathBuf {
    match std::env::var_os("CARGO_TARGET_DIR") {
        Some(dir) if !dir.is_empty() => root.join(dir),
        _ => root.join("target"),
    }
}

fn shown(command: &Command) -> String {
    let name = Path::new(command.get_program()).file_name().unwrap_or(command.get_program());
    let mut line = name.to_string_lossy().into_owned();
    for arg in command.get_args() {
        line.push(' ');
        line.push_str(&arg.to_string_lossy());
    }
    line
}

/// The home directory of cargo, with the fetched sources.
pub(crate) fn cargo_home() -> PathBuf {
    let set = |name: &str| std::env::var_os(name).filter(|it| !it.is_empty()).map(PathBuf::from);
    set("CARGO_HOME").unwrap_or_else(|| set("HOME").unwrap_or_default().join(".cargo"))
}
