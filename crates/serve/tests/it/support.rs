//! A running server, and a client of few lines.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc;
use std::thread::JoinHandle;
use std::time::Duration;

use graftage_serve::mcp::{McpOptions, serve_http};
use graftage_serve::{AccessToken, HttpLimits, HttpServerOptions};
use project::{Settings, Surroundings, Workspace};
use serde_json::{Value, json};
use testkit::{TempProject, TestHost};
use tools::SkillPlaces;

/// A server of one or more projects on a thread; stopped when it is dropped.
pub(crate) struct Running {
    pub(crate) address: SocketAddr,
    pub(crate) token: String,
    host: Arc<TestHost>,
    thread: Option<JoinHandle<()>>,
}

impl Drop for Running {
    fn drop(&mut self) {
        self.host.cancel();
        let ended = self.thread.take().map(JoinHandle::join);
        assert!(std::thread::panicking() || ended.is_none_or(|it| it.is_ok()));
    }
}

/// Serves the projects with these limits.
pub(crate) fn serve_with(projects: &[&TempProject], limits: HttpLimits) -> Running {
    start(projects, limits, &Settings::default())
}

/// Serves one project with these settings.
pub(crate) fn serve_as(project: &TempProject, settings: &Settings) -> Running {
    start(&[project], HttpLimits::default(), settings)
}

fn start(projects: &[&TempProject], limits: HttpLimits, settings: &Settings) -> Running {
    let host = TestHost::new();
    let first = projects[0];
    let own = Surroundings::of_process().unwrap();
    let surroundings = Surroundings {
        cache_dir: first.beside("cache"),
        state_dir: first.beside("state"),
        config_file: first.beside("none.toml"),
        ..own.clone()
    };
    // rust-analyzer, where the set-up of the tests has it.
    analyzer::share_unpacked(&own.cache_dir, &surroundings.cache_dir);
    let token_file = first.beside("secrets").join("mcp.token");
    let token = AccessToken::of_file(&host.ctx(), &token_file).unwrap();
    let roots: Vec<PathBuf> = projects.iter().map(|it| it.root().canonicalize().unwrap()).collect();
    let (opening, opened) = (surroundings.clone(), settings.clone());
    let options = McpOptions {
        ctx: host.ctx(),
        open: Box::new(move |ctx, root| {
            let surroundings = &opening;
            let sandbox = testkit::inner::sandbox();
            Ok(Workspace::open(ctx, root, &opened, surroundings, sandbox)?)
        }),
        roots,
        asks_roots: false,
        toolbox: agent::toolbox(),
        answers: settings.serve.answers,
        skills: {
            let surroundings = Surroundings { home: first.beside("home"), ..surroundings };
            Box::new(move |root| SkillPlaces::new(root, &surroundings, &Settings::default()))
        },
    };
    let http =
        HttpServerOptions { address: "127.0.0.1:0".parse().unwrap(), token: Some(token), limits };
    let (ready, listening) = mpsc::channel();
    let thread = std::thread::spawn(move || {
        serve_http(options, http, |server| ready.send(server.url()).unwrap()).unwrap();
    });
    let url = listening.recv_timeout(Duration::from_secs(10)).unwrap();
    let address = url.split('/').nth(2).unwrap().parse().unwrap();
    let token = std::fs::read_to_string(token_file).unwrap().trim().to_owned();
    Running { address, token, host, thread: Some(thread) }
}

/// Serves one project.
pub(crate) fn serve(project: &TempProject) -> Running {
    serve_with(&[project], HttpLimits::default())
}

/// Sends bytes on a new connection, and returns all that comes back.
pub(crate) fn raw(address: SocketAddr, request: &[u8]) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    // The server may answer and close before it has read everything.
    let _ = stream.write_all(request);
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    String::from_utf8_lossy(&answer).into_owned()
}

/// The status of an answer; 0 if there is none.
pub(crate) fn status(answer: &str) -> u16 {
    answer.split(' ').nth(1).and_then(|it| it.parse().ok()).unwrap_or(0)
}

/// The era of the protocol that a client uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Era {
    Handshake,
    Discover,
}

/// A client.
pub(crate) struct Client<'a> {
    server: &'a Running,
    era: Era,
    capabilities: Value,
    session: Option<String>,
    next: u64,
}

impl<'a> Client<'a> {
    pub(crate) fn connect(server: &'a Running, era: Era, capabilities: Value) -> Self {
        let mut client = Self { server, era, capabilities, session: None, next: 0 };
        if era == Era::Handshake {
            let params = json!({"protocolVersion": "2025-11-25", "capabilities": client.capabilities,
                "clientInfo": {"name": "test", "version": "1"}});
            client.request("initialize", params).unwrap();
            let body = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
            assert_eq!(status(&client.post(&body.to_string(), &[])), 202);
        }
        client
    }

    /// A request without questions of the server.
    pub(crate) fn request(&mut self, method: &str, params: Value) -> Result<Value, Value> {
        self.asked(method, params, &mut |question| panic!("{question}"))
    }

    /// A call of a tool: its structured answer, or its error.
    pub(crate) fn call(&mut self, tool: &str, arguments: Value) -> Result<Value, Value> {
        let result =
            self.request("tools/call", json!({"name": tool, "arguments": arguments})).unwrap();
        called(&result)
    }

    /// A request; `answer` gives the result of each question of the server.
    pub(crate) fn asked(
        &mut self,
        method: &str,
        params: Value,
        answer: &mut dyn FnMut(Value) -> Value,
    ) -> Result<Value, Value> {
        let (body, extra) = self.body(method, params);
        let mut stream = BufReader::new(self.send(&body, &extra));
        let mut line = String::new();
        let mut seen = String::new();
        while stream.read_line(&mut line).unwrap_or(0) > 0 {
            if let Some(id) = line.to_lowercase().strip_prefix("mcp-session-id: ") {
                self.session = Some(id.trim().to_owned());
            }
            let data = line.strip_prefix("data:").unwrap_or(&line).trim();
            if let Ok(message @ Value::Object(_)) = serde_json::from_str::<Value>(data) {
                if message["id"] == json!(self.next) && message.get("method").is_none() {
                    return match message.get("error") {
                        Some(error) => Err(error.clone()),
                        None => Ok(message["result"].clone()),
                    };
                }
                if let Some(id) = message.get("id") {
                    let result = answer(message["params"].clone());
                    let body = json!({"jsonrpc": "2.0", "id": id, "result": result});
                    assert_eq!(status(&self.post(&body.to_string(), &[])), 202);
                }
            }
            seen.push_str(&line);
            line.clear();
        }
        panic!("no answer to {method}: {seen}");
    }

    /// A request with the head lines that its era requires.
    fn body(&mut self, method: &str, mut params: Value) -> (String, Vec<String>) {
        self.next += 1;
        let mut extra = Vec::new();
        if self.era == Era::Discover {
            params["_meta"]["io.modelcontextprotocol/protocolVersion"] = json!("2026-07-28");
            params["_meta"]["io.modelcontextprotocol/clientInfo"] =
                json!({"name": "test", "version": "1"});
            params["_meta"]["io.modelcontextprotocol/clientCapabilities"] =
                self.capabilities.clone();
            extra.push(format!("Mcp-Method: {method}"));
            if let Some(name) = params["name"].as_str().or(params["uri"].as_str()) {
                extra.push(format!("Mcp-Name: {name}"));
            }
        }
        let body = json!({"jsonrpc": "2.0", "id": self.next, "method": method, "params": params});
        (body.to_string(), extra)
    }

    /// The stream on which the server sends what is no answer, after its head.
    pub(crate) fn events(&self) -> TcpStream {
        let session = self.session.as_deref().unwrap_or_default();
        let head = format!(
            "GET /mcp HTTP/1.0\r\nHost: {}\r\nAuthorization: Bearer {}\r\nAccept: \
             text/event-stream\r\nMcp-Session-Id: {session}\r\n\r\n",
            self.server.address, self.server.token
        );
        let mut stream = TcpStream::connect(self.server.address).unwrap();
        stream.write_all(head.as_bytes()).unwrap();
        stream
    }

    /// The stream of a request that listens for notifications.
    pub(crate) fn listen(&mut self, filter: &Value) -> TcpStream {
        let (body, extra) = self.body("subscriptions/listen", json!({"notifications": filter}));
        self.send(&body, &extra)
    }

    fn post(&self, body: &str, extra: &[String]) -> String {
        let mut answer = String::new();
        self.send(body, extra).read_to_string(&mut answer).unwrap();
        answer
    }

    /// HTTP/1.0, so that an answer is not in chunks and ends with the connection.
    fn send(&self, body: &str, extra: &[String]) -> TcpStream {
        let version = if self.era == Era::Discover { "2026-07-28" } else { "2025-11-25" };
        let mut head = format!(
            "POST /mcp HTTP/1.0\r\nHost: {}\r\nAuthorization: Bearer {}\r\nContent-Type: \
             application/json\r\nAccept: application/json, text/event-stream\r\n\
             MCP-Protocol-Version: {version}\r\nContent-Length: {}\r\n",
            self.server.address,
            self.server.token,
            body.len()
        );
        for line in extra
            .iter()
            .chain(self.session.as_ref().map(|it| format!("Mcp-Session-Id: {it}")).as_ref())
        {
            head.push_str(line);
            head.push_str("\r\n");
        }
        let mut stream = TcpStream::connect(self.server.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(300))).unwrap();
        stream.write_all(format!("{head}\r\n{body}").as_bytes()).unwrap();
        stream
    }
}

/// The structured content of a result, as an error if it is one.
pub(crate) fn called(result: &Value) -> Result<Value, Value> {
    let content = result["structuredContent"].clone();
    assert!(result["content"][0]["text"].as_str().is_some_and(|it| !it.is_empty()), "{result}");
    if result["isError"] == json!(true) { Err(content["error"].clone()) } else { Ok(content) }
}
