//! Runs the binary on the project of a test, with a separate home directory.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use testkit::TempProject;

/// Status and output of a run.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct RunResult {
    pub(crate) status: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl RunResult {
    /// The JSON document on standard output.
    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self:#?}"))
    }
}

/// The command to run the binary on `project`. Graftage's directories are next to the project and
/// are removed with it.
pub(crate) fn command(project: &TempProject, args: &[&str]) -> Command {
    let keep = |name: &str| std::env::var_os(name);
    let own = || env!("CARGO_BIN_EXE_graftage").into();
    let mut command = Command::new(keep("GRAFTAGE_TEST_PROGRAM").unwrap_or_else(own));
    let home = keep("HOME").map(PathBuf::from).unwrap_or_default();
    command
        .args(args)
        .current_dir(project.root())
        .env_clear()
        .env("PATH", keep("PATH").unwrap_or_default())
        .env("CARGO_HOME", keep("CARGO_HOME").unwrap_or_else(|| home.join(".cargo").into()))
        .env("RUSTUP_HOME", keep("RUSTUP_HOME").unwrap_or_else(|| home.join(".rustup").into()))
        .env("HOME", project.beside("home"))
        .env("GRAFTAGE_HOME", project.beside("graftage"))
        .env("USER", "tester")
        .stdin(Stdio::null());
    // The tests run with the toolchain that built them.
    if let Some(toolchain) = keep("RUSTUP_TOOLCHAIN") {
        command.env("RUSTUP_TOOLCHAIN", toolchain);
    }
    command
}

/// Runs the binary; replaces the project's path with `DIR`, its parent with `BESIDE`, and times with
/// `N ms`.
pub(crate) fn graftage(project: &TempProject, args: &[&str]) -> RunResult {
    shown(project, &command(project, args).output().expect("the binary starts"))
}

/// The same with a text on standard input.
pub(crate) fn graftage_with_input(project: &TempProject, args: &[&str], input: &str) -> RunResult {
    let mut command = command(project, args);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the binary starts");
    let mut pipe = child.stdin.take().expect("its input is a pipe");
    std::thread::scope(|scope| {
        // A program that has read enough closes its end.
        scope.spawn(move || drop(pipe.write_all(input.as_bytes())));
        shown(project, &child.wait_with_output().expect("the binary ends"))
    })
}

/// The result of a command, with the same replacements as [`graftage`].
pub(crate) fn shown(project: &TempProject, output: &Output) -> RunResult {
    let text = |bytes: &[u8]| {
        let text = String::from_utf8_lossy(bytes).into_owned();
        let beside = project.root().parent().expect("a project has a parent directory");
        without_times(
            &text
                .replace(&project.root().display().to_string(), "DIR")
                .replace(&beside.display().to_string(), "BESIDE"),
        )
    };
    RunResult {
        status: output.status.code().unwrap_or(-1),
        stdout: text(&output.stdout),
        stderr: text(&output.stderr),
    }
}

/// `(123 ms)` becomes `(N ms)`.
fn without_times(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(" ms)") {
        let (before, after) = rest.split_at(at);
        out.push_str(before.trim_end_matches(|c: char| c.is_ascii_digit()));
        out.push('N');
        out.push_str(" ms)");
        rest = &after[" ms)".len()..];
    }
    out + rest
}

/// The places that a report lists: `edited src/lib.rs:3: what; why unproven`.
pub(crate) fn left_rows(json: &serde_json::Value) -> Vec<String> {
    let rows = json["left_behind"].as_array().cloned().unwrap_or_default();
    let text = |it: &serde_json::Value, key: &str| it[key].as_str().unwrap_or_default().to_owned();
    let row = |it: &serde_json::Value| {
        let edited = if it["edited"] == true { "edited " } else { "" };
        let (path, what) = (text(it, "path"), text(it, "what"));
        format!("{edited}{path}:{}: {what}; {}", it["line"], text(it, "unproven"))
    };
    rows.iter().map(row).collect()
}
