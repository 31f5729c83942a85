//! Clients by others call every tool, resource and prompt.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};
use testkit::{McpClients, TempProject};

use crate::support::{GRAFTAGE, command, environment};

fn project() -> TempProject {
    let project = testkit::crate_project(
        "
//- /src/lib.rs
/// Twice the number.
pub fn double(n: u32) -> u32 { n * 2 }
/// Four times the number.
pub fn quadruple(n: u32) -> u32 { double(double(n)) }
",
    );
    project.git();
    project
}

/// Calls of every tool, in an order in which each has something to do.
fn calls() -> Value {
    let edit =
        |text: &str| json!({"edits": [{"mode": "file", "file_path": "src/lib.rs", "text": text}]});
    let first = "pub fn double(n: u32) -> u32 { n + n }\n";
    json!([
        {"name": "search", "arguments": {"query": "four times", "preview": true}},
        {"name": "context", "arguments": {"task": "make quadruple faster"}},
        {"name": "show", "arguments": {"item": "double"}},
        {"name": "graph", "arguments": {"kind": "callers", "item": "double"}},
        {"name": "graph", "arguments": {"kind": "impact"}},
        {"name": "check", "arguments": {}},
        {"name": "explain_error", "arguments": {"code": "E0308"}},
        {"name": "fix", "arguments": {}},
        {"name": "finish", "arguments": {}},
        {"name": "propose_edit", "arguments": edit("pub fn double(n: u32) -> u32 { n - n }\n")},
        {"name": "proposals", "arguments": {}},
        {"name": "reject", "arguments": {"ids": ["$STAGED"], "reason": "wrong"}},
        {"name": "propose_edit", "arguments": edit(first)},
        {"name": "preflight", "arguments": {"ids": ["$STAGED"], "tests": "none"}},
        {"name": "apply", "arguments": {"ids": ["$STAGED"], "tests": "none"}},
        {"name": "undo", "arguments": {}},
        {"name": "propose_edit", "arguments": edit("pub fn double(n: u32) -> u32 { 2 * n }\n")},
    ])
}

fn task(mode: &str, target: Value) -> String {
    let uris = [
        "graftage://item/double",
        "graftage://file/src/lib.rs#L1-L2",
        "graftage://proposal/$STAGED",
    ];
    let mut task = json!({"mode": mode, "calls": calls(), "uris": uris});
    for (key, value) in target.as_object().unwrap() {
        task[key] = value.clone();
    }
    task.to_string()
}

fn on_pipes(project: &TempProject) -> Value {
    let env: serde_json::Map<String, Value> =
        environment(project).into_iter().map(|(name, value)| (name, json!(value))).collect();
    json!({"command": [GRAFTAGE, "serve", "mcp"], "folder": project.root(), "env": env})
}

/// A server over HTTP, with its address and token.
struct Served {
    child: Child,
    url: String,
    token: String,
}

impl Served {
    fn start(project: &TempProject) -> Self {
        let mut child = command(project, &["--http"])
            .stdin(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
        let url = lines.find_map(|it| it.strip_prefix("serving ").map(str::to_owned)).unwrap();
        let file = lines.find_map(|it| it.split_once("token: ").map(|it| it.1.to_owned())).unwrap();
        let token = std::fs::read_to_string(file).unwrap().trim().to_owned();
        Self { child, url, token }
    }

    fn target(&self) -> Value {
        json!({"url": self.url, "token": self.token})
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn script(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/serve").join(name)
}

/// Runs the client and checks that it called everything that was listed, without a failure.
fn all_called(client: &mut Command) -> Value {
    let output = client.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    let report: Value = serde_json::from_str(text.lines().last().unwrap_or_default())
        .unwrap_or_else(|_| panic!("{text}\n{errors}"));
    assert_eq!(report["failed"], json!([]), "{errors}");
    for tool in report["tools"].as_array().unwrap() {
        assert!(report["called"].as_array().unwrap().contains(tool), "{tool} is not called");
    }
    assert!(report["resources"].as_array().unwrap().len() >= 7, "{report}");
    assert_eq!(report["templates"].as_array().unwrap().len(), 3, "{report}");
    assert_eq!(report["prompts"].as_array().unwrap().len(), 3, "{report}");
    report
}

fn python(clients: &McpClients, task: &str) -> Command {
    let mut python = clients.python();
    python.arg(script("every.py")).arg(task);
    python
}

#[test]
fn the_python_client_calls_everything_in_both_eras_on_pipes() {
    let Some(clients) = testkit::mcp_clients() else { return };
    for (mode, version) in
        [("legacy", "2025-11-25"), ("2026-07-28", "2026-07-28"), ("auto", "2026-07-28")]
    {
        let project = project();
        let before = project.read("src/lib.rs");
        let report = all_called(&mut python(&clients, &task(mode, on_pipes(&project))));
        assert_eq!(report["version"], version, "{mode}");
        assert_eq!(project.read("src/lib.rs"), before, "applied and undone");
    }
}

#[test]
fn the_python_client_calls_everything_in_both_eras_over_http() {
    let Some(clients) = testkit::mcp_clients() else { return };
    for mode in ["legacy", "2026-07-28"] {
        let project = project();
        let served = Served::start(&project);
        all_called(&mut python(&clients, &task(mode, served.target())));
    }
}

#[test]
fn the_typescript_client_calls_everything_on_pipes_and_over_http() {
    let Some(clients) = testkit::mcp_clients() else { return };
    let on_pipes_of = project();
    all_called(clients.node().arg(script("every.mjs")).arg(task("", on_pipes(&on_pipes_of))));
    let over_http = project();
    let served = Served::start(&over_http);
    all_called(clients.node().arg(script("every.mjs")).arg(task("", served.target())));
}

#[test]
fn the_inspector_lists_and_calls() {
    let Some(clients) = testkit::mcp_clients() else { return };
    let project = project();
    let inspector = |args: &[&str]| {
        let mut node = clients.node();
        node.arg("node_modules/@modelcontextprotocol/inspector/cli/build/cli.js").arg("--cli");
        node.args([GRAFTAGE, "-C"]).arg(project.root()).args(["serve", "mcp"]);
        for (name, value) in environment(&project) {
            node.arg("-e").arg(format!("{name}={value}"));
        }
        let output = node.args(args).output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        serde_json::from_str::<Value>(&text).unwrap_or_else(|_| panic!("{args:?}: {text}{errors}"))
    };
    let tools = inspector(&["--method", "tools/list"]);
    assert!(tools["tools"].as_array().unwrap().len() > 5, "{tools}");
    let found = inspector(&[
        "--method",
        "tools/call",
        "--tool-name",
        "search",
        "--tool-arg",
        "query=double",
    ]);
    assert!(found["structuredContent"]["hits"][0]["item"].is_string(), "{found}");
    let read = inspector(&["--method", "resources/read", "--uri", "graftage://map"]);
    assert!(read["contents"][0]["text"].as_str().unwrap().contains("\"items\":"), "{read}");
    for method in ["resources/list", "resources/templates/list", "prompts/list"] {
        assert!(inspector(&["--method", method]).is_object());
    }
    let prompt = inspector(&["--method", "prompts/get", "--prompt-name", "repair"]);
    assert!(prompt["messages"][0]["content"]["text"].is_string(), "{prompt}");
}

/// The scenarios of the suite that do not prescribe what the server offers.
#[test]
fn the_shipped_server_passes_the_general_scenarios_of_the_suite() {
    let Some(clients) = testkit::mcp_clients() else { return };
    let project = project();
    let served = Served::start(&project);
    for scenario in [
        "server-initialize",
        "ping",
        "tools-list",
        "resources-list",
        "prompts-list",
        "server-sse-multiple-streams",
    ] {
        let mut node = clients.node();
        node.arg("--import").arg(script("with_token.mjs")).env("TOKEN_OF_TEST", &served.token);
        node.arg("node_modules/@modelcontextprotocol/conformance/dist/index.js");
        node.args(["server", "--scenario", scenario, "--url", &served.url, "--output-dir"]);
        let output = node.arg(project.beside("results")).output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(
            output.status.success(),
            "{scenario}: {text}{}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
}
