//! `graftage serve a2a` as another agent drives it.

use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::process::{Child, Command};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use testkit::TempProject;

use crate::acp::{broken, lib, renamed};
use crate::support::{Answered, http, start};

/// A running server.
struct Agent {
    child: Child,
    address: String,
    token: String,
}

impl Agent {
    fn start(project: &TempProject, args: &[&str]) -> Self {
        let (child, mut lines) = start(project, &[&["serve", "a2a"], args].concat());
        let url = lines.find_map(|it| it.strip_prefix("serving http://").map(str::to_owned));
        let file = lines.find_map(|it| it.split_once("token: ").map(|it| it.1.to_owned())).unwrap();
        let token = std::fs::read_to_string(file).unwrap().trim().to_owned();
        // What it reports later is not read by a test, and must not fill the pipe.
        std::thread::spawn(move || lines.for_each(drop));
        Self { child, address: url.unwrap(), token }
    }

    /// Sends a request as it is.
    fn raw(&self, method: &str, path: &str, head: &str, body: &str) -> Answered {
        http(&self.address, &format!("{method} {path}"), head, body)
    }

    fn head(&self) -> String {
        format!(
            "Host: {}\r\nAuthorization: Bearer {}\r\nContent-Type: application/json\r\nA2A-Version: \
             1.0\r\n",
            self.address, self.token
        )
    }

    fn rest(&self, method: &str, path: &str, body: &str) -> Answered {
        self.raw(method, path, &self.head(), body)
    }

    fn rpc(&self, method: &str, params: &Value) -> Value {
        let body = json!({ "jsonrpc": "2.0", "id": 7, "method": method, "params": params });
        let answer = self.raw("POST", "/jsonrpc", &self.head(), &body.to_string()).json();
        assert_eq!((&answer["jsonrpc"], &answer["id"]), (&json!("2.0"), &json!(7)), "{answer}");
        answer
    }

    /// Sends a text, on a task if one is named; returns the task.
    fn send(&self, text: &str, task: Option<&str>) -> Value {
        let mut message = message(text);
        if let Some(task) = task {
            message["taskId"] = task.into();
        }
        let answer = self.rpc("SendMessage", &json!({ "message": message }));
        assert!(answer["result"]["task"].is_object(), "{answer}");
        answer["result"]["task"].clone()
    }
}

impl Drop for Agent {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn message(text: &str) -> Value {
    json!({ "messageId": "m1", "role": "ROLE_USER", "parts": [{ "text": text }] })
}

fn id(task: &Value) -> &str {
    task["id"].as_str().unwrap()
}

fn state(task: &Value) -> &str {
    task["status"]["state"].as_str().unwrap_or_default()
}

fn text(task: &Value) -> &str {
    task["status"]["message"]["parts"][0]["text"].as_str().unwrap_or_default()
}

fn artifact<'a>(task: &'a Value, name: &str) -> &'a Value {
    let mut all = task["artifacts"].as_array().unwrap().iter();
    &all.find(|it| it["artifactId"] == name).unwrap_or_else(|| panic!("{name}: {task}"))["parts"][0]
}

#[test]
fn requests_pass_the_guard_or_are_refused() {
    let project = broken();
    let agent = Agent::start(&project, &[]);
    let (host, token) = (&agent.address, &agent.token);
    let json = "Content-Type: application/json\r\nA2A-Version: 1.0\r\n";
    let bearer = format!("Authorization: Bearer {token}\r\n");
    let body = json!({ "message": message("check") }).to_string();
    for (head, expected) in [
        (format!("Host: {host}\r\n{json}"), 401),
        (format!("Host: {host}\r\n{json}Authorization: Bearer x{token}\r\n"), 401),
        (format!("Host: evil.example\r\n{json}{bearer}"), 403),
        (format!("Host: {host}\r\n{json}{bearer}Origin: http://evil.example\r\n"), 403),
    ] {
        for path in ["/", "/jsonrpc", "/message:send", "/v1/message:stream", "/nothing"] {
            assert_eq!(agent.raw("POST", path, &head, &body).status, expected, "{path} {head}");
        }
    }
    // Anyone on this machine may read the card, and no page.
    let card = agent.raw("GET", "/.well-known/agent-card.json", &format!("Host: {host}\r\n"), "");
    assert_eq!(card.status, 200);
    for name in ["etag: \"", "last-modified: ", "cache-control: public, max-age="] {
        assert!(card.head.contains(name), "{}", card.head);
    }
    let etag = card.head.lines().find_map(|it| it.strip_prefix("etag: ")).unwrap().to_owned();
    let again = format!("Host: {host}\r\nIf-None-Match: {etag}\r\n");
    assert_eq!(agent.raw("GET", "/.well-known/agent-card.json", &again, "").status, 304);
    let page = "Host: evil.example\r\n";
    assert_eq!(agent.raw("GET", "/.well-known/agent-card.json", page, "").status, 403);
    let card = card.json();
    assert_eq!(card["supportedInterfaces"][0]["url"], format!("http://{host}"));
    let skills: Vec<&str> =
        card["skills"].as_array().unwrap().iter().map(|it| it["id"].as_str().unwrap()).collect();
    assert_eq!(skills, ["check", "fix", "finish", "refactor", "upgrade", "search", "explain"]);
    let root = project.root().display().to_string();
    assert!(!card.to_string().contains(&root));
    let extended = agent.rest("GET", "/extendedAgentCard", "").json();
    assert!(extended["description"].as_str().unwrap().contains(&root));
    assert_eq!(agent.rpc("GetExtendedAgentCard", &Value::Null)["result"], extended);
}

#[test]
fn wrong_requests_are_refused_by_name() {
    let project = broken();
    let agent = Agent::start(&project, &[]);
    let good = json!({ "message": message("check") });
    for (method, params, code) in [
        ("Nothing", json!({}), -32_601),
        ("message/send", good.clone(), -32_601),
        ("SendMessage", json!({}), -32_602),
        ("SendMessage", json!({ "message": {} }), -32_602),
        ("SendMessage", json!([1]), -32_602),
        ("SendStreamingMessage", json!({ "message": null }), -32_602),
        ("GetTask", json!({ "id": "../x" }), -32_001),
        ("CancelTask", json!({ "id": "" }), -32_001),
        ("SubscribeToTask", json!({ "id": "x" }), -32_001),
        ("ListTasks", json!({ "pageSize": 0 }), -32_602),
        ("ListTasks", json!({ "pageToken": "x" }), -32_602),
        ("ListTasks", json!({ "status": "asleep" }), -32_602),
        ("CreateTaskPushNotificationConfig", json!({ "taskId": "x", "url": "http://a/" }), -32_001),
    ] {
        let answer = agent.rpc(method, &params);
        assert_eq!(answer["error"]["code"], code, "{method} {params}: {answer}");
    }
    let unknown = agent.rpc(
        "SendMessage",
        &json!({ "message": {
        "messageId": "1", "role": "ROLE_USER", "taskId": "x", "parts": [{ "text": "yes" }],
    } }),
    );
    assert_eq!(unknown["error"]["data"][0]["reason"], "TASK_NOT_FOUND");
    let own = agent.head();
    let text = own.replace("application/json", "text/plain");
    let old = own.replace("1.0\r\n", "0.3\r\n");
    let without = own.replace("A2A-Version: 1.0\r\n", "");
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "ListTasks" }).to_string();
    for (head, body, code) in [
        (&text, body.as_str(), -32_005),
        (&old, &body, -32_009),
        (&without, &body, -32_009),
        (&own, "{", -32_700),
        (&own, "[]", -32_600),
        (&own, r#"{"jsonrpc":"2.0","method":"ListTasks"}"#, -32_600),
        (&own, r#"{"jsonrpc":"1.0","id":1,"method":"ListTasks"}"#, -32_600),
    ] {
        let answer = agent.raw("POST", "/", head, body).json();
        assert_eq!(answer["error"]["code"], code, "{head} {body}: {answer}");
    }
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    assert_eq!(agent.raw("POST", "/", &own, &deep).json()["error"]["code"], -32_700);
    let good = good.to_string();
    for (method, path, head, body, status) in [
        ("POST", "/message:send", &text, good.as_str(), 415),
        ("POST", "/message:send", &old, &good, 400),
        ("POST", "/message:send", &own, "{}", 400),
        ("POST", "/message:send", &own, "{", 400),
        ("GET", "/message:send", &own, "", 404),
        ("GET", "/tasks/x", &own, "", 404),
        ("GET", "/tasks?pageSize=x", &own, "", 400),
        ("GET", "/tasks?A2A-Version=1.0", &without, "", 200),
        ("GET", "/v1/tasks", &own, "", 200),
        ("GET", "/tasks/%ff", &own, "", 404),
        ("GET", "/../tasks", &own, "", 404),
    ] {
        let answer = agent.raw(method, path, head, body);
        assert_eq!(answer.status, status, "{method} {path} {head}: {}", answer.body);
        assert!(answer.status == 200 || answer.json()["error"]["code"] == status);
    }
    let named = own.replace("application/json", "application/a2a+json");
    let answer = agent.raw("GET", "/tasks", &named, "");
    assert!(answer.head.contains("content-type: application/a2a+json"), "{}", answer.head);
}

#[test]
fn what_a_change_leaves_open_is_asked_on_its_own_task() {
    let text_of = |level: &str, body: &str| {
        format!(
            "pub fn open(door: u32{level}) -> u32 {{\n    {body}\n}}\n\npub fn leave() -> u32 {{\n    open(2)\n}}\n\n\
             #[test]\nfn the_door_opens() {{\n    assert_eq!(leave(), 2);\n}}\n"
        )
    };
    let project = testkit::crate_project(&text_of("", "door"));
    project.git();
    project.write("src/lib.rs", text_of(", level: u32", "door + level - 7"));
    let agent = Agent::start(&project, &[]);
    let task = agent.send("finish", None);
    assert_eq!(state(&task), "TASK_STATE_INPUT_REQUIRED", "{task}");
    let asked = text(&task);
    assert!(asked.contains("question: ") && asked.contains("a line `ID=ANSWER`"), "{asked}");
    let question = asked.split("--answer ").nth(1).unwrap().split('=').next().unwrap().to_owned();
    let unclear = agent.send("whatever fits", Some(id(&task)));
    assert_eq!(state(&unclear), "TASK_STATE_INPUT_REQUIRED", "{unclear}");
    // The number itself, and no option.
    let answered = agent.send(&format!("{question}==7"), Some(id(&task)));
    assert_eq!(state(&answered), "TASK_STATE_INPUT_REQUIRED", "{answered}");
    assert!(text(&answered).contains("Answer `yes` or `no`"), "{}", text(&answered));
    assert!(artifact(&answered, "patch")["text"].as_str().unwrap().contains("open(2, 7)"));
    let done = agent.send("yes", Some(id(&task)));
    assert_eq!(state(&done), "TASK_STATE_COMPLETED", "{done}");
    assert!(lib(&project).contains("open(2, 7)"));
}

#[test]
fn a_proven_change_is_asked_about_and_written_after_yes_on_its_own_task() {
    let project = broken();
    let agent = Agent::start(&project, &[]);
    let other = agent.send("search three", None);
    assert_eq!(state(&other), "TASK_STATE_COMPLETED", "{other}");
    assert!(artifact(&other, "answer")["text"].as_str().unwrap().contains("three` src/lib.rs"));
    let checked = agent.send("check", None);
    assert_eq!(state(&checked), "TASK_STATE_FAILED", "the tree has an error: {checked}");
    assert_eq!(artifact(&checked, "evidence")["data"]["opens"], false, "{checked}");
    assert!(artifact(&checked, "log")["text"].as_str().unwrap().contains("two"), "{checked}");
    let explained = agent.send("explain three", None);
    assert_eq!(state(&explained), "TASK_STATE_COMPLETED", "{explained}");

    let task = agent.send("finish", None);
    assert_eq!(state(&task), "TASK_STATE_INPUT_REQUIRED", "{task}");
    assert!(text(&task).contains("Answer `yes` or `no` on this task"), "{}", text(&task));
    let patch = artifact(&task, "patch");
    assert_eq!(patch["mediaType"], "text/x-diff");
    assert!(patch["text"].as_str().unwrap().contains("+    one() + second()"), "{patch}");
    let evidence = &artifact(&task, "evidence")["data"];
    assert!(evidence["summary"].as_str().unwrap().contains("1 test passed"), "{evidence}");
    assert_eq!(evidence["opens"], true);
    assert!(!artifact(&task, "log")["text"].as_str().unwrap().is_empty());
    assert_eq!(lib(&project), renamed("second"), "nothing is written before the answer");

    // A second question; answers to tasks that have ended, and unclear ones, write nothing.
    let second = agent.send("finish", None);
    assert_eq!(state(&second), "TASK_STATE_INPUT_REQUIRED", "{second}");
    let mut late = message("yes");
    late["taskId"] = id(&other).into();
    let late = agent.rpc("SendMessage", &json!({ "message": late }));
    assert_eq!(late["error"]["code"], -32_004, "{late}");
    let mut foreign = message("yes");
    foreign["taskId"] = id(&task).into();
    foreign["contextId"] = second["contextId"].clone();
    let foreign = agent.rpc("SendMessage", &json!({ "message": foreign }));
    assert_eq!(foreign["error"]["code"], -32_602, "{foreign}");
    let unclear = agent.send("yes, but only half of it", Some(id(&task)));
    assert_eq!(state(&unclear), "TASK_STATE_INPUT_REQUIRED");
    let no = agent.send("no", Some(id(&second)));
    assert_eq!(state(&no), "TASK_STATE_CANCELED");
    assert!(text(&no).contains("kept as proposal"), "{}", text(&no));
    assert_eq!(lib(&project), renamed("second"));

    let answer = json!({ "message": {
        "messageId": "m2", "role": "ROLE_USER", "taskId": id(&task),
        "parts": [{ "data": { "answer": "yes" } }],
    } });
    let body = agent.rest("POST", "/message:send", &answer.to_string()).json();
    let done = &body["task"];
    assert_eq!(state(done), "TASK_STATE_COMPLETED", "{body}");
    assert!(text(done).starts_with("applied as "), "{}", text(done));
    assert!(lib(&project).contains("one() + second()"));
    let again = agent.rpc("SendMessage", &answer);
    assert_eq!(again["error"]["code"], -32_004, "a question is answered once: {again}");
    let undo = agent.send("undo", None);
    assert_eq!(state(&undo), "TASK_STATE_INPUT_REQUIRED", "{undo}");
    assert!(lib(&project).contains("one() + second()"));
    let tested = agent.send("check tests", None);
    assert_eq!(state(&tested), "TASK_STATE_COMPLETED", "{tested}");
    assert!(text(&tested).contains("1 test passed"), "{}", text(&tested));
    let undone = agent.send("yes", Some(id(&undo)));
    assert_eq!(state(&undone), "TASK_STATE_COMPLETED", "{undone}");
    assert_eq!(lib(&project), renamed("second"));
}

#[test]
fn an_agent_undoes_only_what_it_wrote_and_reads_no_secrets() {
    let project = broken();
    project.write(".env", "TOKEN=abcdefgh12345678\n");
    let written = std::process::Command::new(crate::support::GRAFTAGE)
        .args(["finish", "--apply", "--json"])
        .current_dir(project.root())
        .env_clear()
        .envs(crate::support::environment(&project))
        .output()
        .unwrap();
    assert!(written.status.success(), "{written:?}");
    let after = lib(&project);
    let agent = Agent::start(&project, &[]);
    for text_of in ["undo", "redo"] {
        let task = agent.send(text_of, None);
        assert_eq!(state(&task), "TASK_STATE_FAILED", "{task}");
    }
    let undo = agent.send("undo", None);
    assert!(text(&undo).contains("only a person undoes changes of others"), "{}", text(&undo));
    assert_eq!(lib(&project), after);
    for asked in ["search TOKEN", "context what is the token", "show .env"] {
        let task = agent.send(asked, None);
        assert!(!task.to_string().contains("abcdefgh12345678"), "{asked}: {task}");
    }
}

#[test]
fn tasks_are_streamed_listed_canceled_and_survive_a_restart() {
    let project = broken();
    let agent = Agent::start(&project, &[]);
    let body = json!({ "message": message("finish") }).to_string();
    let stream = agent.rest("POST", "/message:stream", &body);
    assert!(stream.head.contains("content-type: text/event-stream"), "{}", stream.head);
    let events = stream.events();
    let task = &events[0]["task"];
    assert_eq!(state(task), "TASK_STATE_SUBMITTED");
    let states: Vec<&str> = events[1..].iter().map(|it| state(&it["statusUpdate"])).collect();
    assert_eq!(states.last(), Some(&"TASK_STATE_INPUT_REQUIRED"), "{states:?}");
    assert!(states.contains(&"TASK_STATE_WORKING"), "{states:?}");
    let has =
        |name: &str| events.iter().any(|it| it["artifactUpdate"]["artifact"]["artifactId"] == name);
    assert!(has("patch") && has("evidence") && has("log"));

    let context = task["contextId"].as_str().unwrap();
    let mut more = message("search three");
    more["contextId"] = context.into();
    agent.rpc("SendMessage", &json!({ "message": more }));
    let list = agent.rest("GET", &format!("/tasks?contextId={context}&pageSize=1"), "").json();
    assert_eq!((list["totalSize"].as_u64(), list["pageSize"].as_u64()), (Some(2), Some(1)));
    assert_eq!(state(&list["tasks"][0]), "TASK_STATE_COMPLETED", "newest first: {list}");
    assert!(list["tasks"][0].get("artifacts").is_none());
    let next = list["nextPageToken"].as_str().unwrap();
    let rest = agent.rpc("ListTasks", &json!({ "contextId": context, "pageToken": next }));
    assert_eq!(rest["result"]["tasks"][0]["id"], task["id"], "{rest}");
    assert_eq!(rest["result"]["nextPageToken"], "");
    let waiting =
        agent.rest("GET", "/tasks?status=input-required&includeArtifacts=true", "").json();
    assert_eq!(waiting["tasks"].as_array().unwrap().len(), 1);
    assert!(artifact(&waiting["tasks"][0], "patch")["text"].is_string());
    let short = agent.rest("GET", &format!("/tasks/{}?historyLength=0", id(task)), "").json();
    assert!(short.get("history").is_none() && short["id"] == task["id"], "{short}");

    let (address, old) = (agent.address.clone(), id(task).to_owned());
    drop(agent);
    let agent = Agent::start(&project, &["--http", &address]);
    let kept = agent.rpc("GetTask", &json!({ "id": old }))["result"].clone();
    assert_eq!(state(&kept), "TASK_STATE_INPUT_REQUIRED", "{kept}");
    assert!(artifact(&kept, "patch")["text"].is_string());
    // The question of before is gone: the answer makes a new one, and writes nothing.
    let asked = agent.send("yes", Some(&old));
    assert_eq!(state(&asked), "TASK_STATE_INPUT_REQUIRED", "{asked}");
    assert_eq!(lib(&project), renamed("second"));
    let canceled = agent.rest("POST", &format!("/tasks/{old}:cancel"), "").json();
    assert_eq!(state(&canceled), "TASK_STATE_CANCELED");
    let again = agent.rest("POST", &format!("/tasks/{old}:cancel"), "");
    assert_eq!((again.status, &again.json()["error"]["code"]), (409, &json!(409)));
    let ended = agent.rest("GET", &format!("/tasks/{old}:subscribe"), "");
    assert_eq!(ended.status, 400, "{}", ended.body);
    assert_eq!(lib(&project), renamed("second"));
}

#[test]
fn work_is_canceled_while_it_runs() {
    let project = broken();
    let agent = Agent::start(&project, &[]);
    let params =
        json!({ "message": message("finish"), "configuration": { "returnImmediately": true } });
    let task = agent.rpc("SendMessage", &params)["result"]["task"].clone();
    assert!(!state(&task).ends_with("COMPLETED"), "{task}");
    let task = id(&task).to_owned();
    let began = Instant::now();
    let canceled = agent.rpc("CancelTask", &json!({ "id": task }));
    assert!(began.elapsed() < Duration::from_secs(2));
    assert_eq!(state(&canceled["result"]), "TASK_STATE_CANCELED", "{canceled}");
    // The runner is free again.
    assert_eq!(state(&agent.send("search three", None)), "TASK_STATE_COMPLETED");
    assert_eq!(
        state(&agent.rpc("GetTask", &json!({ "id": task }))["result"]),
        "TASK_STATE_CANCELED"
    );
    assert_eq!(lib(&project), renamed("second"));
}

#[test]
fn webhooks_are_kept_delivered_and_never_internal() {
    let project = broken();
    let agent = Agent::start(&project, &["--allow-loopback-push"]);
    let task = agent.send("search three", None);
    let path = format!("/tasks/{}/pushNotificationConfigs", id(&task));
    let hook = json!({ "id": "h1", "url": "https://a.example/hook", "token": "t" });
    let made = agent.rest("POST", &path, &hook.to_string()).json();
    assert_eq!((&made["id"], &made["taskId"]), (&json!("h1"), &task["id"]), "{made}");
    let of = json!({ "taskId": id(&task), "id": "h1" });
    assert_eq!(agent.rpc("GetTaskPushNotificationConfig", &of)["result"], made);
    let list = agent.rest("GET", &path, "").json();
    assert_eq!(list["configs"], json!([made]));
    for _ in 0..2 {
        assert_eq!(agent.rest("DELETE", &format!("{path}/h1"), "").status, 200);
    }
    assert_eq!(agent.rest("GET", &format!("{path}/h1"), "").status, 404);
    for inner in ["10.0.0.1", "169.254.169.254", "[fe80::1]", "192.168.1.1:80", "0.0.0.0"] {
        let hook = json!({ "url": format!("http://{inner}/") });
        assert_eq!(agent.rest("POST", &path, &hook.to_string()).status, 400, "{inner}");
    }

    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/hook", listener.local_addr().unwrap());
    let authentication = json!({ "scheme": "Bearer", "credentials": "abc" });
    let hook = json!({ "url": url, "authentication": authentication });
    let params = json!({
        "message": message("finish"), "configuration": { "taskPushNotificationConfig": hook },
    });
    let receiver = std::thread::spawn(move || {
        let mut all = String::new();
        while !all.contains("TASK_STATE_INPUT_REQUIRED") {
            let (mut stream, _) = listener.accept().unwrap();
            stream.set_read_timeout(Some(Duration::from_millis(300))).unwrap();
            let mut bytes = Vec::new();
            // The sender waits for the answer before it closes.
            let _ = stream.read_to_end(&mut bytes);
            all.push_str(&String::from_utf8_lossy(&bytes));
            stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n").unwrap();
        }
        all
    });
    let task = agent.rpc("SendMessage", &params)["result"]["task"].clone();
    assert_eq!(state(&task), "TASK_STATE_INPUT_REQUIRED", "{task}");
    let all = receiver.join().unwrap();
    assert!(all.contains("Authorization: Bearer abc\r\n") && all.contains("\"artifactUpdate\""));

    let strict = Agent::start(&project, &[]);
    let refused = strict.rpc("SendMessage", &params);
    assert_eq!(refused["error"]["code"], -32_602, "{refused}");
}

/// Lets a client by others call all operations by both bindings, and checks what it saw.
fn calls_every_operation(
    clients: &testkit::McpClients,
    client: &dyn Fn() -> Command,
    script: &str,
) {
    for binding in ["JSONRPC", "HTTP+JSON"] {
        let project = broken();
        let agent = Agent::start(&project, &[]);
        let url = format!("http://{}", agent.address);
        let task = json!({
            "url": url, "token": agent.token, "binding": binding, "packages": clients.folder(),
        });
        let script = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(script);
        let output = client().arg(script).arg(task.to_string()).output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{binding}: {errors}");
        let seen: Value = serde_json::from_slice(&output.stdout).unwrap();
        let called = seen["called"].as_array().unwrap();
        assert_eq!(called.len(), 11, "{binding}: {seen:#}");
        assert_eq!(seen["sent"], "TASK_STATE_COMPLETED");
        assert_eq!(seen["streamed"], "TASK_STATE_INPUT_REQUIRED");
        assert_eq!(seen["canceled"], "TASK_STATE_CANCELED");
        assert_eq!(seen["subscribed"], "TASK_STATE_CANCELED");
        assert_eq!(lib(&project), renamed("second"));
    }
}

#[test]
fn the_library_of_python_calls_every_operation() {
    let Some(clients) = testkit::mcp_clients() else { return };
    calls_every_operation(&clients, &|| clients.python(), "tests/serve/delegate.py");
}

#[test]
fn the_library_of_typescript_calls_every_operation() {
    let Some(clients) = testkit::mcp_clients() else { return };
    calls_every_operation(&clients, &|| clients.node(), "tests/serve/delegate.mjs");
}

/// Bodies for `/jsonrpc` that no agent sends.
fn hostile_bodies(task: &str) -> Vec<String> {
    let rpc = |method: &str, params: Value| {
        json!({ "jsonrpc": "2.0", "id": "x", "method": method, "params": params }).to_string()
    };
    let parts = |parts: Value| {
        rpc(
            "SendMessage",
            json!({ "message": { "messageId": "h", "role": "ROLE_USER", "parts": parts } }),
        )
    };
    let text = |it: &str| parts(json!([{ "text": it }]));
    let hook = |url: &str| {
        rpc("CreateTaskPushNotificationConfig", json!({ "taskId": task, "id": "h", "url": url }))
    };
    vec![
        String::new(),
        "{".to_owned(),
        "null".to_owned(),
        "[]".to_owned(),
        "[".repeat(100_000),
        format!("{}1{}", "{\"a\":".repeat(20_000), "}".repeat(20_000)),
        rpc("NoMethod", json!({})),
        rpc("SendMessage", json!(null)),
        rpc("SendMessage", json!({ "message": [] })),
        rpc("SendMessage", json!({ "message": { "role": 7, "parts": "x" } })),
        rpc("GetTask", json!({ "id": "../../../etc/passwd" })),
        rpc("GetTask", json!({ "id": ["a"] })),
        rpc("GetTask", json!({ "id": "x".repeat(100_000) })),
        rpc("GetTask", json!({ "id": task, "historyLength": -7 })),
        rpc("CancelTask", json!({ "id": "\u{0}" })),
        rpc("ListTasks", json!({ "pageSize": 1_000_000, "pageToken": "../x" })),
        rpc("ListTasks", json!({ "pageSize": "many" })),
        rpc("SubscribeToTask", json!({ "id": "nothing" })),
        parts(json!([])),
        parts(json!([{ "url": "file:///etc/passwd" }])),
        parts(json!([{ "raw": "AAAA" }])),
        parts(json!((0..50_000).map(|_| json!({ "text": "" })).collect::<Vec<_>>())),
        text(&"x".repeat(900_000)),
        text("\u{1b}]0;title\u{7}\u{202e}finish"),
        text("open ../../../../etc/passwd"),
        text("task --resume ../../x"),
        text("undo ../x"),
        text("yes"),
        text("refactor rename a::b ; rm -rf /"),
        hook("http://127.0.0.1:1/"),
        hook("http://localhost./"),
        hook("http://[::ffff:169.254.169.254]/latest"),
        hook("http://0x7f000001/"),
        hook("http://user:secret@example.com/"),
        hook("gopher://example.com/"),
        hook("http://example.com\r\nX: y/"),
        rpc(
            "SendMessage",
            json!({ "message": {
                "messageId": "h", "role": "ROLE_AGENT", "taskId": task, "parts": [{ "text": "yes" }],
            } }),
        ),
        rpc(
            "SendMessage",
            json!({ "message": {
                "messageId": "h", "role": "ROLE_USER", "taskId": task,
                "parts": [{ "text": "yes" }, { "text": "no" }],
            } }),
        ),
        rpc(
            "SendMessage",
            json!({ "message": {
                "messageId": "h", "role": "ROLE_USER", "taskId": task,
                "parts": [{ "data": { "answer": ["yes"] } }],
            } }),
        ),
        rpc(
            "SendMessage",
            json!({ "message": {
                "messageId": "h", "role": "ROLE_USER", "contextId": "of another", "taskId": task,
                "parts": [{ "text": "yes" }],
            } }),
        ),
    ]
}

#[test]
fn hostile_bodies_leave_the_server_alive_and_write_nothing() {
    let project = broken();
    let agent = Agent::start(&project, &[]);
    let question = agent.send("finish", None);
    assert_eq!(state(&question), "TASK_STATE_INPUT_REQUIRED", "{question}");
    let bodies = hostile_bodies(id(&question));
    assert!(bodies.len() >= 40, "{}", bodies.len());
    for body in &bodies {
        let answer = agent.raw("POST", "/jsonrpc", &agent.head(), body);
        let shown: String = body.chars().take(120).collect();
        assert!(answer.status > 0, "{shown}");
        assert!(!answer.body.contains("root:"), "{shown}: {}", answer.body);
        assert_eq!(lib(&project), renamed("second"), "{shown}");
    }
    for path in ["/v1/tasks/..%2f..%2fx", "/tasks/%00", "/../../etc/passwd", "/message:send", "//"]
    {
        for method in ["GET", "POST", "DELETE", "PUT", "OPTIONS"] {
            let answer = agent.raw(method, path, &agent.head(), "{}");
            assert!(answer.status >= 400, "{method} {path}: {}", answer.status);
        }
    }
    // The question still waits for its one answer.
    let kept = agent.rpc("GetTask", &json!({ "id": id(&question) }));
    assert_eq!(state(&kept["result"]), "TASK_STATE_INPUT_REQUIRED", "{kept}");
    let done = agent.send("yes", Some(id(&question)));
    assert_eq!(state(&done), "TASK_STATE_COMPLETED", "{done}");
}
