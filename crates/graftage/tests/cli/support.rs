//! Runs the binary on a project of a test's own, with a home of its own.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use testkit::TempProject;

/// What the binary said.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Said {
    pub(crate) status: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Said {
    /// The JSON document on standard output.
    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self:#?}"))
    }
}

/// The binary, ready to run on `project`; graftage's own folders lie beside the project and go
/// with it.
pub(crate) fn command(project: &TempProject, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_graftage"));
    let keep = |name: &str| std::env::var_os(name);
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
    // Which toolchain runs is the machine's choice; the tests run with the one they were built by.
    if let Some(toolchain) = keep("RUSTUP_TOOLCHAIN") {
        command.env("RUSTUP_TOOLCHAIN", toolchain);
    }
    command
}

/// Runs it to its end; the project's path is replaced by `DIR` and times by `N ms`.
pub(crate) fn graftage(project: &TempProject, args: &[&str]) -> Said {
    let output = command(project, args).output().expect("the binary starts");
    let text = |bytes: &[u8]| {
        let text = String::from_utf8_lossy(bytes).into_owned();
        let beside = project.root().parent().expect("a project lies in a folder");
        without_times(
            &text
                .replace(&project.root().display().to_string(), "DIR")
                .replace(&beside.display().to_string(), "BESIDE"),
        )
    };
    Said {
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
