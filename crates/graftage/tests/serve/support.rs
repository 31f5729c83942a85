//! The binary on the project of a test, with directories of its own.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

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
    graftage(project, &[&["serve", "mcp"], args].concat())
}

fn graftage(project: &TempProject, args: &[&str]) -> Command {
    let mut command = Command::new(GRAFTAGE);
    command.args(args).current_dir(project.root()).env_clear();
    command.envs(environment(project));
    command
}

/// Starts a server, and returns it with the lines of its standard error.
pub(crate) fn start(
    project: &TempProject,
    args: &[&str],
) -> (Child, impl Iterator<Item = String> + Send + use<>) {
    let mut command = graftage(project, args);
    let mut child = command.stdin(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let lines = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
    (child, lines)
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

/// A server over HTTP, with its address and token.
pub(crate) struct Served {
    pub(crate) child: Child,
    pub(crate) url: String,
    pub(crate) token: String,
}

impl Served {
    pub(crate) fn start(project: &TempProject) -> Self {
        let (child, mut lines) = start(project, &["serve", "mcp", "--http"]);
        let url = lines.find_map(|it| it.strip_prefix("serving ").map(str::to_owned)).unwrap();
        let file = lines.find_map(|it| it.split_once("token: ").map(|it| it.1.to_owned())).unwrap();
        let token = std::fs::read_to_string(file).unwrap().trim().to_owned();
        Self { child, url, token }
    }

    /// A client of the handshake: its session.
    pub(crate) fn connect(&self) -> String {
        let client = json!({"name": "http", "version": "1"});
        let params =
            json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client});
        let body = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params});
        let mut answer = String::new();
        self.send("", &body).read_to_string(&mut answer).unwrap();
        let session = answer.lines().find_map(|line| {
            let (name, value) = line.split_once(": ")?;
            name.eq_ignore_ascii_case("mcp-session-id").then(|| value.trim().to_owned())
        });
        let session = session.unwrap();
        let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        self.send(&session, &ready).read_to_string(&mut answer).unwrap();
        session
    }

    /// Sends a call of a tool; its answer comes on the stream.
    pub(crate) fn ask(&self, session: &str, tool: &str, arguments: &Value) -> TcpStream {
        let params = json!({"name": tool, "arguments": arguments});
        self.send(
            session,
            &json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}),
        )
    }

    /// The result of a call.
    pub(crate) fn call(&self, session: &str, tool: &str, arguments: &Value) -> Value {
        let mut answer = String::new();
        self.ask(session, tool, arguments).read_to_string(&mut answer).unwrap();
        let lines = answer.lines().map(|line| line.strip_prefix("data:").unwrap_or(line).trim());
        let messages = lines.filter_map(|line| serde_json::from_str::<Value>(line).ok());
        let result = messages.filter_map(|it| it.get("result").cloned()).next();
        result.unwrap_or_else(|| panic!("no result of {tool}: {answer}"))
    }

    /// HTTP/1.0, so that an answer ends with its connection.
    fn send(&self, session: &str, body: &Value) -> TcpStream {
        let address = self.url.split('/').nth(2).unwrap();
        let body = body.to_string();
        let session = match session {
            "" => String::new(),
            id => format!("Mcp-Session-Id: {id}\r\n"),
        };
        let head = format!(
            "POST /mcp HTTP/1.0\r\nHost: {address}\r\nAuthorization: Bearer {}\r\nContent-Type: \
             application/json\r\nAccept: application/json, text/event-stream\r\n\
             MCP-Protocol-Version: 2025-11-25\r\n{session}Content-Length: {}\r\n\r\n{body}",
            self.token,
            body.len()
        );
        let mut stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(120))).unwrap();
        stream.write_all(head.as_bytes()).unwrap();
        stream
    }

    pub(crate) fn target(&self) -> Value {
        json!({"url": self.url, "token": self.token})
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The longest time that a test waits for an answer.
const PATIENCE: Duration = Duration::from_secs(180);

/// An answer: its status, its head and its body.
pub(crate) struct Answered {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Answered {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body)
            .unwrap_or_else(|_| panic!("{}: {}", self.status, self.body))
    }

    /// The events of a stream.
    pub(crate) fn events(&self) -> Vec<Value> {
        let lines = self.body.lines().filter_map(|it| it.strip_prefix("data: "));
        lines.map(|it| serde_json::from_str(it).unwrap()).collect()
    }
}

/// Sends a request as it is. HTTP/1.0, so that an answer ends with its connection.
pub(crate) fn http(address: &str, request: &str, head: &str, body: &str) -> Answered {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    let request =
        format!("{request} HTTP/1.0\r\n{head}Content-Length: {}\r\n\r\n{body}", body.len());
    stream.write_all(request.as_bytes()).unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
    let status = head.split(' ').nth(1).and_then(|it| it.parse().ok()).unwrap_or(0);
    Answered { status, head: head.to_ascii_lowercase(), body: body.to_owned() }
}
