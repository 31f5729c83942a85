//! Clients by others call every tool, resource and prompt.

use std::path::Path;
use std::process::Command;

use base::SortedSet;
use serde_json::{Value, json};
use testkit::{McpClients, TempProject};

use crate::support::{GRAFTAGE, Served, environment};

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
        {"name": "refactor", "arguments": {"kind": "rename", "item": "double", "to": "twice"}},
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

/// A resource of each template.
fn uris_of_templates() -> impl Iterator<Item = &'static str> {
    let item_and_file = ["graftage://item/double", "graftage://file/src/lib.rs#L1-L2"];
    item_and_file.into_iter().chain(["graftage://proposal/$STAGED"])
}

fn task(mode: &str, target: Value) -> String {
    let uris: Vec<&str> = uris_of_templates().collect();
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

/// Arguments of `tools/call` of the inspector for a call.
fn inspected(call: &Value, staged: &str) -> Vec<String> {
    let mut args = ["--method", "tools/call", "--tool-name"].map(str::to_owned).to_vec();
    args.push(call["name"].as_str().unwrap().to_owned());
    for (name, value) in call["arguments"].as_object().unwrap() {
        let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        args.extend([
            "--tool-arg".to_owned(),
            format!("{name}={}", value.replace("$STAGED", staged)),
        ]);
    }
    args
}

/// Calls of the inspector, which starts anew for each: a search, a plan, and an edit that is written and undone. The
/// libraries call every tool.
fn calls_of_the_inspector() -> Vec<Value> {
    let all = calls();
    let all = all.as_array().unwrap();
    [0, 9, 13, 14, 15, 16].into_iter().map(|it| all[it].clone()).collect()
}

#[test]
fn the_inspector_calls_tools_resources_and_a_prompt() {
    let Some(clients) = testkit::mcp_clients() else { return };
    let project = project();
    let before = project.read("src/lib.rs");
    // One server for all calls; the inspector starts anew for each of them.
    let served = Served::start(&project);
    let inspector = |args: &[String]| {
        let mut node = clients.node();
        node.arg("node_modules/@modelcontextprotocol/inspector/cli/build/cli.js").arg("--cli");
        let import = format!("--import={}", script("with_token.mjs").display());
        node.arg(&served.url).env("NODE_OPTIONS", import).env("TOKEN_OF_TEST", &served.token);
        let output = node.args(args).output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        serde_json::from_str::<Value>(&text).unwrap_or_else(|_| panic!("{args:?}: {text}{errors}"))
    };
    let method = |words: &[&str]| {
        let words: Vec<String> = words.iter().map(|it| (*it).to_owned()).collect();
        inspector(&[vec!["--method".to_owned()], words].concat())
    };
    let names = |list: &Value, field: &str, name: &str| -> SortedSet<String> {
        let rows = list[field].as_array().unwrap().iter();
        rows.map(|row| row[name].as_str().unwrap().to_owned()).collect()
    };
    let (mut staged, mut called) = (String::new(), SortedSet::new());
    for call in &calls_of_the_inspector() {
        let result = inspector(&inspected(call, &staged));
        assert_eq!(result["isError"], false, "{call}: {result}");
        called.insert(call["name"].as_str().unwrap().to_owned());
        if let Some(id) = result["structuredContent"]["proposal_id"].as_str() {
            id.clone_into(&mut staged);
        }
    }
    let listed = names(&method(&["tools/list"]), "tools", "name");
    assert!(called.iter().all(|it| listed.contains(it)) && called.len() == 6, "{called:?}");
    assert_eq!(project.read("src/lib.rs"), before, "applied and undone");
    let uris = names(&method(&["resources/list"]), "resources", "uri");
    assert!(uris.len() >= 7, "{uris:?}");
    let of_templates = uris_of_templates().map(|it| it.replace("$STAGED", &staged));
    for uri in uris.first().cloned().into_iter().chain(of_templates) {
        let read = method(&["resources/read", "--uri", &uri]);
        assert!(read["contents"][0]["text"].as_str().is_some_and(|it| !it.is_empty()), "{read}");
    }
    let templates = method(&["resources/templates/list"]);
    assert_eq!(templates["resourceTemplates"].as_array().unwrap().len(), 3, "{templates}");
    if let Some(prompt) = names(&method(&["prompts/list"]), "prompts", "name").first() {
        let got = method(&["prompts/get", "--prompt-name", prompt]);
        assert!(got["messages"][0]["content"]["text"].is_string(), "{got}");
    }
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
