//! `graftage serve mcp` as a client has it: a process on pipes, one line a message.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

use crate::log::Log;

/// A server of one project.
pub(crate) struct Server {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    next: u64,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Server {
    /// Starts the program; `state` is empty, so that nothing is known of earlier tasks, `cache` is kept.
    pub(crate) fn start(program: &Path, root: &Path, state: &Path, cache: &Path) -> Self {
        let mut child = Command::new(program)
            .args(["serve", "mcp"])
            .current_dir(root)
            .env("XDG_STATE_HOME", state.join("state"))
            .env("XDG_CONFIG_HOME", state.join("config"))
            .env("XDG_DATA_HOME", state.join("data"))
            .env("XDG_CACHE_HOME", cache)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let input = child.stdin.take().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let mut server = Self { child, input, output, next: 0 };
        let client = json!({"name": "tasks", "version": "1"});
        let params =
            json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client});
        server.request("initialize", &params);
        server.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        server
    }

    fn send(&mut self, message: &Value) {
        writeln!(self.input, "{message}").unwrap();
        self.input.flush().unwrap();
    }

    /// The result of a request.
    pub(crate) fn request(&mut self, method: &str, params: &Value) -> Value {
        self.next += 1;
        let id = self.next;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        let mut line = String::new();
        loop {
            line.clear();
            assert!(self.output.read_line(&mut line).unwrap() > 0, "the server has ended");
            let message: Value = serde_json::from_str(&line).unwrap();
            if message["id"] == json!(id) && message.get("method").is_none() {
                return message["result"].clone();
            }
        }
    }

    /// The list of tools, as a model gets it: name, description, input.
    pub(crate) fn tools(&mut self) -> String {
        let listed = self.request("tools/list", &json!({}))["tools"].clone();
        let tools = listed.as_array().into_iter().flatten();
        let short = |it: &Value| {
            json!({"name": it["name"], "description": it["description"],
                "input_schema": it["inputSchema"]})
        };
        Value::Array(tools.map(short).collect()).to_string()
    }

    /// Calls a tool before a task begins.
    pub(crate) fn uncounted(&mut self, tool: &str, arguments: &Value) -> Value {
        self.request("tools/call", &json!({"name": tool, "arguments": arguments}))
    }

    /// Calls a tool. The model reads the text of the answer; the structured content is returned, for the
    /// policy.
    pub(crate) fn call(&mut self, log: &mut Log, tool: &str, arguments: &Value) -> Value {
        let result = self.uncounted(tool, arguments);
        let parts = result["content"].as_array().into_iter().flatten();
        let text: String = parts.filter_map(|it| it["text"].as_str()).collect();
        log.add(tool, arguments, text);
        result["structuredContent"].clone()
    }
}
