//! The binary on the project of a test, with directories of its own.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};
use testkit::TempProject;

/// The binary.
pub(crate) const GRAFTAGE: &str = env!("CARGO_BIN_EXE_graftage");

/// The environment of the binary.
pub(crate) fn environment(project: &TempProject) -> Vec<(String, String)> {
    let keep = |name: &str| std::env::var(name).ok();
    let home = keep("HOME").map(PathBuf::from).unwrap_or_default();
    let below = |name: &str| home.join(name).display().to_string();
    let mut variables = vec![
        ("PATH".to_owned(), keep("PATH").unwrap_or_default()),
        ("CARGO_HOME".to_owned(), keep("CARGO_HOME").unwrap_or_else(|| below(".cargo"))),
        ("RUSTUP_HOME".to_owned(), keep("RUSTUP_HOME").unwrap_or_else(|| below(".rustup"))),
        ("HOME".to_owned(), project.beside("home").display().to_string()),
        ("GRAFTAGE_HOME".to_owned(), project.beside("graftage").display().to_string()),
        ("USER".to_owned(), "tester".to_owned()),
    ];
    variables.extend(keep("RUSTUP_TOOLCHAIN").map(|it| ("RUSTUP_TOOLCHAIN".to_owned(), it)));
    variables
}

/// `graftage serve mcp` with further arguments.
pub(crate) fn command(project: &TempProject, args: &[&str]) -> Command {
    let mut command = Command::new(GRAFTAGE);
    command.args(["serve", "mcp"]).args(args).current_dir(project.root()).env_clear();
    command.envs(environment(project));
    command
}

/// A server on pipes, spoken to line by line.
pub(crate) struct Piped {
    pub(crate) child: Child,
    pub(crate) input: Option<ChildStdin>,
    pub(crate) output: BufReader<ChildStdout>,
    next: u64,
}

impl Piped {
    pub(crate) fn start(project: &TempProject) -> Self {
        let mut child = command(project, &[])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let (input, output) = (child.stdin.take(), child.stdout.take().unwrap());
        let mut piped = Self { child, input, output: BufReader::new(output), next: 0 };
        let client = json!({"name": "pipes", "version": "1"});
        let params =
            json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client});
        piped.request("initialize", params);
        piped.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        piped
    }

    pub(crate) fn send(&mut self, message: &Value) {
        writeln!(self.input.as_mut().unwrap(), "{message}").unwrap();
    }

    /// Sends a request and returns its number.
    pub(crate) fn ask(&mut self, method: &str, params: Value) -> u64 {
        self.next += 1;
        let id = self.next;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        id
    }

    /// Sends a request and waits for its answer; every line must be a message.
    pub(crate) fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.ask(method, params);
        loop {
            let message = self.message().expect("the server is there");
            if message["id"] == json!(id) {
                return message;
            }
        }
    }

    /// The next message; `None` at the end.
    pub(crate) fn message(&mut self) -> Option<Value> {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        if line.is_empty() {
            return None;
        }
        let message: Value = serde_json::from_str(&line).unwrap_or_else(|_| panic!("{line}"));
        assert_eq!(message["jsonrpc"], "2.0", "{line}");
        Some(message)
    }
}

impl Drop for Piped {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
