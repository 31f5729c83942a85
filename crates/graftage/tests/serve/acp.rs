//! `graftage serve acp` as an editor drives it.
//!
//! Requirements of the protocol's public test kit for version 1, by id or area, and where each is checked:
//!
//! | requirement | test |
//! |---|---|
//! | ACP-INIT-001, 003: own version for an unknown one | `Session::open`, in every test |
//! | ACP-CLIENTCAP-001 to 003: nothing that was not advertised is called | `methods_are_answered_as_the_protocol_requires`, `Session::happened` answers nothing else |
//! | ACP-EXT-001: methods with `_` get a response | `methods_are_answered_as_the_protocol_requires` |
//! | ACP-SESSION-001, 002: sessions have ids of their own | `sessions_have_ids_of_their_own_and_close` |
//! | ACP-PROMPT-002: updates are of the prompted session, by the schema | `sessions_have_ids_of_their_own_and_close`; the library of Python reads each by its models |
//! | ACP-PROMPTCAP-003, ACP-PROMPT-003: embedded context and links | `sessions_have_ids_of_their_own_and_close` |
//! | load, resume, list, delete, close | `sessions_load_again_with_their_history`, `sessions_have_ids_of_their_own_and_close` |
//! | cancellation ends as `cancelled`, never as an error | `a_cancelled_prompt_ends_so_at_once` |
//! | modes and options | `the_modes_ask_and_propose_write_nothing` |
//! | authentication surface | `methods_are_answered_as_the_protocol_requires` (none is needed, and none is offered) |
//! | transport, envelope, malformed input | `hostile_lines_leave_the_server_alive_and_write_nothing`, `crates/rpc` |
//! | prompt end with the input | `Session::end`, in most tests |

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use base::SortedMap;
use serde_json::{Value, json};
use testkit::TempProject;

use crate::support::{GRAFTAGE, environment};

/// The longest time that a test waits for a message.
const PATIENCE: Duration = Duration::from_secs(180);

const LIB: &str = "/// One.\npub fn one() -> u8 {\n    1\n}\n\n/// Two.\npub fn two() -> u8 {\n    2\n}\n\n\
                   /// Three.\npub fn three() -> u8 {\n    one() + two()\n}\n\n#[test]\nfn sums() {\n    \
                   assert_eq!(three(), 3);\n}\n";

/// A project in which `two` was renamed at its definition only.
pub(crate) fn broken() -> TempProject {
    let project = testkit::crate_project("\n//- /src/lib.rs\n");
    project.write("src/lib.rs", LIB);
    project.git().commit_all("before");
    project.write("src/lib.rs", renamed("second"));
    project
}

pub(crate) fn renamed(name: &str) -> String {
    LIB.replace("pub fn two() -> u8", &format!("pub fn {name}() -> u8"))
}

/// What the editor has in its windows, and how its person answers.
#[derive(Default)]
struct Editor {
    /// Texts that are not saved, by path.
    unsaved: SortedMap<String, String>,
    /// Options that the person chooses, one for each question; the last one for all others.
    choices: Vec<String>,
    /// A text that is typed while the question waits.
    typed_meanwhile: Option<(String, String)>,
    /// Whether the texts are offered and never given.
    is_silent: bool,
    /// Whether that is so from the question on.
    is_silent_later: bool,
    /// A mode that the person chooses while the question waits.
    chooses_mode: Option<&'static str>,
    /// Whether a question is left open.
    leaves_open: bool,
}

/// An editor with the server as its agent.
struct Session {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<Value>,
    next: u64,
    editor: Editor,
    id: String,
    /// Everything that came, in order: updates, and requests with their methods.
    all: Vec<Value>,
}

impl Session {
    /// Starts the server, without a session.
    fn open(project: &TempProject, editor: Editor, files: bool) -> Self {
        let mut child = Command::new(GRAFTAGE)
            .args(["serve", "acp"])
            .current_dir(project.root())
            .env_clear()
            .envs(environment(project))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                let value =
                    serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"));
                if sender.send(value).is_err() {
                    return;
                }
            }
        });
        let input = child.stdin.take();
        let mut session =
            Self { child, input, lines, next: 1, editor, id: String::new(), all: Vec::new() };
        let client = json!({ "fs": { "readTextFile": files, "writeTextFile": files } });
        let answer = session
            .call("initialize", json!({ "protocolVersion": 65_535, "clientCapabilities": client }));
        assert_eq!(answer["result"]["protocolVersion"], 1, "our own version, not theirs: {answer}");
        session
    }

    /// Starts the server with a session.
    fn new(project: &TempProject, editor: Editor) -> Self {
        let mut session = Self::open(project, editor, true);
        let answer =
            session.call("session/new", json!({ "cwd": project.root(), "mcpServers": [] }));
        session.id = answer["result"]["sessionId"].as_str().expect("an id").to_owned();
        session
    }

    fn send(&mut self, message: &Value) {
        let input = self.input.as_mut().expect("it is open");
        input.write_all(format!("{message}\n").as_bytes()).unwrap();
    }

    fn request(&mut self, method: &str, params: Value) -> u64 {
        let id = self.next;
        self.next += 1;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        id
    }

    fn call(&mut self, method: &str, params: Value) -> Value {
        let id = self.request(method, params);
        self.answer(id)
    }

    /// Does what the server asks until it answers the request.
    fn answer(&mut self, id: u64) -> Value {
        let until = Instant::now() + PATIENCE;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            let message = self.lines.recv_timeout(left).expect("the server answers");
            if message.get("method").is_none() && message["id"] == id {
                return message;
            }
            self.happened(message);
        }
    }

    fn happened(&mut self, message: Value) {
        let (method, params) = (message["method"].as_str().unwrap_or_default(), &message["params"]);
        let path = params["path"].as_str().unwrap_or_default().to_owned();
        let result = match method {
            "fs/read_text_file" => {
                assert!(params.get("line").is_none() && params.get("limit").is_none(), "{params}");
                let saved = std::fs::read_to_string(&path);
                let text = self.editor.unsaved.get(&path).cloned().map_or(saved, Ok);
                text.ok().map(|it| json!({ "content": it })).filter(|_| !self.editor.is_silent)
            }
            "fs/write_text_file" => {
                std::fs::write(&path, params["content"].as_str().unwrap()).unwrap();
                self.editor.unsaved.remove(&path);
                Some(json!({}))
            }
            "session/request_permission" => {
                if let Some((path, text)) = self.editor.typed_meanwhile.take() {
                    self.editor.unsaved.insert(path, text);
                }
                self.editor.is_silent |= self.editor.is_silent_later;
                if let Some(mode) = self.editor.chooses_mode.take() {
                    let id = self.id.clone();
                    self.request("session/set_mode", json!({ "sessionId": id, "modeId": mode }));
                }
                let choice = match self.editor.choices.len() {
                    0 => "reject_once".to_owned(),
                    1 => self.editor.choices[0].clone(),
                    _ => self.editor.choices.remove(0),
                };
                let chosen = json!({ "outcome": { "outcome": "selected", "optionId": choice } });
                (!self.editor.leaves_open).then_some(chosen)
            }
            _ => None,
        };
        if let (Some(result), Some(id)) = (result, message.get("id")) {
            self.send(&json!({ "jsonrpc": "2.0", "id": id, "result": result }));
        }
        self.all.push(message);
    }

    fn prompt(&mut self, text: &str) -> String {
        let id = self.start_prompt(text);
        let answer = self.answer(id);
        answer["result"]["stopReason"].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned()
    }

    fn start_prompt(&mut self, text: &str) -> u64 {
        let prompt = json!([{ "type": "text", "text": text }]);
        let id = self.id.clone();
        self.request("session/prompt", json!({ "sessionId": id, "prompt": prompt }))
    }

    /// The updates of a kind.
    fn updates(&self, kind: &str) -> Vec<&Value> {
        let updates = self.all.iter().map(|it| &it["params"]["update"]);
        updates.filter(|it| it["sessionUpdate"] == kind).collect()
    }

    /// All that the agent wrote to the person.
    fn text(&self) -> String {
        let texts = self.updates("agent_message_chunk").into_iter();
        texts.filter_map(|it| it["content"]["text"].as_str()).collect()
    }

    /// The requests of a method.
    fn asked(&self, method: &str) -> Vec<&Value> {
        self.all.iter().filter(|it| it["method"] == method).collect()
    }

    /// Ends the input; returns the status.
    fn end(&mut self) -> Option<i32> {
        drop(self.input.take());
        self.child.wait().unwrap().code()
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        drop(self.input.take());
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub(crate) fn lib(project: &TempProject) -> String {
    std::fs::read_to_string(project.root().join("src/lib.rs")).unwrap()
}

fn path(project: &TempProject) -> String {
    project.root().join("src/lib.rs").display().to_string()
}

fn choosing(choices: &[&str]) -> Editor {
    Editor { choices: choices.iter().map(|it| (*it).to_owned()).collect(), ..Editor::default() }
}

#[test]
fn methods_are_answered_as_the_protocol_requires() {
    let project = broken();
    let mut session = Session::open(&project, Editor::default(), false);
    let code = |answer: &Value| answer["error"]["code"].as_i64();
    for (method, params, expected) in [
        ("_vendor/x", json!({}), -32_601),
        ("session/nothing", json!({}), -32_601),
        ("session/new", json!({}), -32_602),
        ("session/new", json!({ "cwd": "relative", "mcpServers": [] }), -32_602),
        ("session/new", json!({ "cwd": "/nowhere/at/all", "mcpServers": [] }), -32_602),
        ("session/prompt", json!({ "sessionId": "x", "prompt": [] }), -32_602),
        ("session/load", json!({ "sessionId": "../x", "cwd": "/", "mcpServers": [] }), -32_602),
        ("session/list", json!({ "cursor": "-1" }), -32_602),
        ("session/set_mode", json!({ "sessionId": "x", "modeId": "apply" }), -32_602),
        ("session/delete", json!({ "sessionId": "x" }), -32_602),
        ("authenticate", json!({ "methodId": "x" }), -32_602),
    ] {
        let answer = session.call(method, params.clone());
        assert_eq!(code(&answer), Some(expected), "{method} {params}: {answer}");
    }
    let answer = session.call("session/new", json!({ "cwd": project.root(), "mcpServers": [] }));
    session.id = answer["result"]["sessionId"].as_str().unwrap().to_owned();
    assert_eq!(answer["result"]["modes"]["currentModeId"], "apply");
    assert_eq!(answer["result"]["configOptions"][0]["currentValue"], "apply");
    let id = session.id.clone();
    let image = json!({ "sessionId": id, "prompt": [{ "type": "image", "data": "", "mimeType": "image/png" }] });
    assert_eq!(code(&session.call("session/prompt", image)), Some(-32_602));
    let wrong = json!({ "sessionId": id, "modeId": "yolo" });
    assert_eq!(code(&session.call("session/set_mode", wrong)), Some(-32_602));
    // Without that capability no file of the editor is asked for.
    assert_eq!(session.prompt("/search three"), "end_turn");
    assert!(session.text().contains("three` src/lib.rs"), "{}", session.text());
    assert_eq!(session.prompt("/nonsense"), "end_turn");
    assert!(session.text().contains("there is no command `nonsense`"));
    let commands = session.updates("available_commands_update");
    assert!(commands[0].to_string().contains("\"finish\""));
    assert!(session.asked("fs/read_text_file").is_empty());
    assert_eq!(session.end(), Some(0));
}

#[test]
fn sessions_have_ids_of_their_own_and_close() {
    let project = broken();
    let mut session = Session::new(&project, Editor::default());
    let first = session.id.clone();
    let other = session.call("session/new", json!({ "cwd": project.root(), "mcpServers": [] }));
    let other = other["result"]["sessionId"].as_str().unwrap().to_owned();
    assert_ne!(first, other);
    let blocks = json!([
        { "type": "text", "text": "/search three", "_meta": { "a": 1 } },
        { "type": "resource_link", "uri": format!("file://{}", path(&project)), "name": "lib" },
        { "type": "resource", "resource": { "uri": format!("file://{}", path(&project)), "text": LIB } },
    ]);
    let params = json!({ "sessionId": other, "prompt": blocks, "_meta": { "trace": "x" } });
    let answer = session.call("session/prompt", params);
    assert_eq!(answer["result"]["stopReason"], "end_turn", "{answer}");
    let of_other = |it: &&Value| it["params"]["sessionId"] == other.as_str();
    let updates = session.asked("session/update");
    let turn: Vec<&Value> = updates.iter().copied().filter(of_other).collect();
    assert!(turn.len() >= 4, "{turn:?}");
    let kinds: Vec<&str> =
        turn.iter().filter_map(|it| it["params"]["update"]["sessionUpdate"].as_str()).collect();
    assert_eq!(kinds.first(), Some(&"available_commands_update"));
    assert_eq!(kinds.last(), Some(&"agent_message_chunk"));
    for (method, is_answered) in
        [("session/resume", true), ("session/close", true), ("session/close", false)]
    {
        let params = json!({ "sessionId": other, "cwd": project.root(), "mcpServers": [] });
        let answer = session.call(method, params);
        assert_eq!(answer.get("result").is_some(), is_answered, "{method}: {answer}");
    }
    assert_eq!(session.end(), Some(0));
}

#[test]
fn without_initialize_nothing_is_answered() {
    let project = broken();
    let mut session = Session::open(&project, Editor::default(), false);
    assert_eq!(session.end(), Some(0));
    let mut child = Command::new(GRAFTAGE)
        .args(["serve", "acp"])
        .current_dir(project.root())
        .env_clear()
        .envs(environment(&project))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let line = json!({ "jsonrpc": "2.0", "id": 1, "method": "session/new", "params": { "cwd": project.root() } });
    child.stdin.take().unwrap().write_all(format!("{line}\n").as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(String::from_utf8_lossy(&output.stdout).contains("`initialize` comes first"));
}

#[test]
fn a_change_is_shown_before_it_is_asked_about_and_written_after_the_answer() {
    let project = broken();
    let mut session = Session::new(&project, choosing(&["allow_once"]));
    assert_eq!(session.prompt("/finish"), "end_turn");
    assert!(lib(&project).contains("one() + second()"), "{}", session.text());
    assert!(session.text().contains("1 test passed, 0 failed"), "{}", session.text());
    let asked = session.asked("session/request_permission");
    let call = &asked[0]["params"]["toolCall"];
    let diff = &call["content"][0];
    assert_eq!((&diff["type"], &diff["path"]), (&"diff".into(), &path(&project).into()));
    assert!(diff["oldText"].as_str().unwrap().contains("one() + two()"));
    assert!(diff["newText"].as_str().unwrap().contains("one() + second()"));
    assert!(call["content"][1]["content"]["text"].as_str().unwrap().contains("1 test passed"));
    assert_eq!(call["locations"][0]["line"], 13);
    // The editor knows the call before it is asked about it, and the plan ends with all done.
    let at = |fits: &dyn Fn(&Value) -> bool| session.all.iter().position(fits).unwrap();
    let shown = at(&|it| {
        let update = &it["params"]["update"];
        update["sessionUpdate"] == "tool_call" && update["toolCallId"] == call["toolCallId"]
    });
    assert!(shown < at(&|it| it["method"] == "session/request_permission"));
    let plan = session.updates("plan").last().unwrap()["entries"].clone();
    assert!(plan.as_array().unwrap().iter().all(|it| it["status"] == "completed"), "{plan}");
    session.editor.choices = vec!["yes".to_owned()];
    assert_eq!(session.prompt("/undo"), "end_turn");
    assert_eq!(lib(&project), renamed("second"));
}

#[test]
fn no_other_answer_writes() {
    for choice in ["reject_once", "reject_always", "nothing of that kind", ""] {
        let project = broken();
        let mut session = Session::new(&project, choosing(&[choice]));
        assert_eq!(session.prompt("/finish"), "end_turn");
        assert_eq!(lib(&project), renamed("second"), "{choice}");
        assert!(session.text().contains("kept as proposal"), "{}", session.text());
        let modes = session.updates("current_mode_update").len();
        assert_eq!(modes, usize::from(choice == "reject_always"));
    }
}

#[test]
fn the_modes_ask_and_propose_write_nothing() {
    let project = broken();
    let mut session = Session::new(&project, choosing(&["allow_once"]));
    let id = session.id.clone();
    let option = json!({ "sessionId": id, "configId": "mode", "value": "ask" });
    let answer = session.call("session/set_config_option", option);
    assert_eq!(answer["result"]["configOptions"][0]["currentValue"], "ask");
    session.prompt("/finish");
    assert!(session.text().contains("the mode is `ask`"));
    session.call("session/set_mode", json!({ "sessionId": id, "modeId": "propose" }));
    session.prompt("/finish");
    assert!(session.text().contains("kept as proposal"));
    assert!(session.asked("session/request_permission").is_empty());
    assert_eq!(lib(&project), renamed("second"));
}

#[test]
fn an_unsaved_text_is_part_of_the_proof_and_of_what_is_written() {
    let project = broken();
    let unsaved = renamed("another") + "// not saved\n";
    let editor = Editor {
        unsaved: SortedMap::from([(path(&project), unsaved.clone())]),
        ..choosing(&["allow_once"])
    };
    let mut session = Session::new(&project, editor);
    assert_eq!(session.prompt("/finish"), "end_turn");
    let expected = unsaved.replace("one() + two()", "one() + another()");
    assert_eq!(lib(&project), expected, "{}", session.text());
    assert!(session.text().contains("src/lib.rs has text that is not saved"));
    let thoughts: String = session
        .updates("agent_thought_chunk")
        .iter()
        .filter_map(|it| it["content"]["text"].as_str())
        .collect();
    assert!(thoughts.contains("src/lib.rs: unsaved text "), "{thoughts}");
    let asked = session.asked("session/request_permission");
    let old = &asked[0]["params"]["toolCall"]["content"][0]["oldText"];
    assert_eq!(old, &Value::from(unsaved), "the diff is against what the editor has");
    assert_eq!(session.asked("fs/write_text_file").len(), 1, "the editor has the written text");
    assert!(session.editor.unsaved.is_empty());
}

#[test]
fn a_text_that_changes_between_proof_and_write_is_not_overwritten() {
    let project = broken();
    let typed = renamed("second") + "// typed while the question waited\n";
    let editor =
        Editor { typed_meanwhile: Some((path(&project), typed)), ..choosing(&["allow_once"]) };
    let mut session = Session::new(&project, editor);
    assert_eq!(session.prompt("/finish"), "end_turn");
    assert_eq!(lib(&project), renamed("second"));
    let text = session.text();
    assert!(
        text.contains("nothing was written: src/lib.rs is another text in the editor"),
        "{text}"
    );
    assert!(session.asked("fs/write_text_file").is_empty());
}

#[test]
fn a_known_text_that_is_not_given_again_is_not_overwritten() {
    let project = broken();
    let unsaved = renamed("another") + "// not saved\n";
    let editor = Editor {
        unsaved: SortedMap::from([(path(&project), unsaved)]),
        is_silent_later: true,
        ..choosing(&["allow_once"])
    };
    let mut session = Session::new(&project, editor);
    assert_eq!(session.prompt("/finish"), "end_turn");
    assert_eq!(lib(&project), renamed("second"), "{}", session.text());
    assert!(session.text().contains("nothing was written"), "{}", session.text());
}

#[test]
fn a_mode_that_is_chosen_while_the_question_waits_holds() {
    let project = broken();
    let editor = Editor { chooses_mode: Some("ask"), ..choosing(&["allow_always"]) };
    let mut session = Session::new(&project, editor);
    assert_eq!(session.prompt("/finish"), "end_turn");
    assert_eq!(lib(&project), renamed("second"), "{}", session.text());
    assert!(session.text().contains("kept as proposal"), "{}", session.text());
}

#[test]
fn an_unsaved_text_that_only_a_person_opens_is_no_part_of_a_build() {
    let project = broken();
    project.write(".env", "KEY=old\n");
    let env = project.root().join(".env").display().to_string();
    let editor = Editor {
        unsaved: SortedMap::from([(env.clone(), "KEY=very-secret\n".to_owned())]),
        ..choosing(&["allow_once"])
    };
    let mut session = Session::new(&project, editor);
    let prompt = json!([
        { "type": "text", "text": "/finish" },
        { "type": "resource_link", "uri": format!("file://{env}"), "name": "e" },
    ]);
    let id = session.id.clone();
    let call = session.call("session/prompt", json!({ "sessionId": id, "prompt": prompt }));
    assert_eq!(call["result"]["stopReason"], "end_turn", "{call}");
    let sent: Vec<String> = session.all.iter().map(Value::to_string).collect();
    assert!(sent.iter().any(|it| it.contains(".env: its unsaved text is left out")), "{sent:?}");
    assert!(!sent.iter().any(|it| it.contains("very-secret")));
    assert!(lib(&project).contains("one() + second()"), "{}", session.text());
}

#[test]
fn an_editor_that_offers_texts_and_never_gives_them_is_not_waited_for() {
    let project = broken();
    let editor = Editor { is_silent: true, ..choosing(&["allow_once"]) };
    let mut session = Session::new(&project, editor);
    assert_eq!(session.prompt("/finish"), "end_turn");
    assert!(session.text().contains("files are taken from the disk"), "{}", session.text());
    assert!(lib(&project).contains("one() + second()"));
}

#[test]
fn a_refactoring_does_not_start_from_unsaved_texts() {
    let project = broken();
    project.write("src/lib.rs", LIB);
    let editor = Editor {
        unsaved: SortedMap::from([(path(&project), LIB.to_owned() + "// not saved\n")]),
        ..choosing(&["allow_once"])
    };
    let mut session = Session::new(&project, editor);
    assert_eq!(session.prompt("/refactor rename two second"), "end_turn");
    assert!(session.text().contains("save it"), "{}", session.text());
    assert_eq!(lib(&project), LIB);
}

#[test]
fn a_cancelled_prompt_ends_so_at_once() {
    let project = broken();
    let mut session = Session::new(&project, Editor { leaves_open: true, ..Editor::default() });
    let id = session.id.clone();
    // While a job runs.
    let prompt = session.start_prompt("/finish");
    thread::sleep(Duration::from_millis(200));
    let second = session.start_prompt("/search one");
    assert_eq!(session.answer(second)["error"]["code"], -32_600, "one prompt at a time");
    session.send(
        &json!({ "jsonrpc": "2.0", "method": "session/cancel", "params": { "sessionId": id } }),
    );
    let began = Instant::now();
    assert_eq!(session.answer(prompt)["result"]["stopReason"], "cancelled");
    assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
    // While a question waits.
    let prompt = session.start_prompt("/finish");
    while session.asked("session/request_permission").is_empty() {
        let message = session.lines.recv_timeout(PATIENCE).unwrap();
        session.happened(message);
    }
    session.send(&json!({ "jsonrpc": "2.0", "method": "$/cancel_request", "params": { "requestId": prompt } }));
    assert_eq!(session.answer(prompt)["result"]["stopReason"], "cancelled");
    // An answer that comes too late counts for nothing.
    let question = session.asked("session/request_permission")[0]["id"].clone();
    let late = json!({ "outcome": { "outcome": "selected", "optionId": "allow_once" } });
    session.send(&json!({ "jsonrpc": "2.0", "id": question, "result": late }));
    assert_eq!(session.prompt("/search one"), "end_turn");
    assert_eq!(lib(&project), renamed("second"));
}

#[test]
fn sessions_load_again_with_their_history() {
    let project = broken();
    let mut session = Session::new(&project, choosing(&["reject_once"]));
    session.prompt("/finish");
    let id = session.id.clone();
    let before: Vec<String> =
        session.updates("tool_call").iter().map(|it| it.to_string()).collect();
    assert_eq!(session.end(), Some(0));
    let mut again = Session::open(&project, choosing(&["allow_once"]), true);
    let listed = again.call("session/list", json!({ "cwd": project.root() }));
    assert_eq!(listed["result"]["sessions"][0]["sessionId"], id.as_str());
    assert_eq!(listed["result"]["sessions"][0]["title"], "/finish");
    let other =
        again.call("session/load", json!({ "sessionId": id, "cwd": "/", "mcpServers": [] }));
    assert_eq!(other["error"]["code"], -32_602, "the session of another project");
    again.call("session/load", json!({ "sessionId": id, "cwd": project.root(), "mcpServers": [] }));
    let replayed: Vec<String> =
        again.updates("tool_call").iter().map(|it| it.to_string()).collect();
    assert_eq!(replayed, before);
    again.id.clone_from(&id);
    assert_eq!(again.prompt("/finish"), "end_turn");
    assert!(lib(&project).contains("one() + second()"));
    assert!(again.call("session/delete", json!({ "sessionId": id })).get("result").is_some());
    let listed = again.call("session/list", json!({}));
    assert_eq!(listed["result"]["sessions"], json!([]));
}

/// The environment and the command for a client by others.
fn foreign_task(project: &TempProject, packages: &std::path::Path) -> String {
    let env: serde_json::Map<String, Value> =
        environment(project).into_iter().map(|(name, value)| (name, json!(value))).collect();
    let command = [GRAFTAGE, "serve", "acp"];
    json!({ "command": command, "root": project.root(), "env": env, "packages": packages })
        .to_string()
}

fn script(name: &str) -> std::path::PathBuf {
    std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/serve").join(name)
}

/// Runs a client that plays all parts of an editor, and checks what it saw.
fn plays_an_editor(client: &mut Command) {
    let output = client.output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    let shown = String::from_utf8_lossy(&output.stdout);
    let seen: Value = serde_json::from_str(shown.trim().lines().last().unwrap_or_default())
        .unwrap_or_else(|error| panic!("{error}: {shown}\n{errors}"));
    let stops = json!({
        "question": "end_turn",
        "refused": "end_turn",
        "cancelled": "cancelled",
        "unsaved": "end_turn",
    });
    assert_eq!(seen["stops"], stops, "{seen:#}\n{errors}");
    assert_eq!((&seen["untouched"], &seen["untouchedByCancel"]), (&json!(true), &json!(true)));
    let written = renamed("second").replace("one() + two()", "one() + second()") + "// typed\n";
    assert_eq!(seen["written"], written, "{seen:#}");
    assert_eq!(seen["agent"], "graftage");
    assert_eq!(
        seen["questions"],
        json!([["diff", "content"], ["diff", "content"], ["diff", "content"]])
    );
    assert_eq!(seen["listed"], true);
    assert!(seen["replayed"].as_u64().is_some_and(|it| it > 20), "{seen:#}");
}

#[test]
fn the_library_of_typescript_plays_an_editor() {
    let Some(clients) = testkit::mcp_clients() else { return };
    let project = broken();
    let task = foreign_task(&project, clients.folder());
    plays_an_editor(clients.node().arg(script("editor.mjs")).arg(task));
}

#[test]
fn the_library_of_python_plays_an_editor() {
    let Some(clients) = testkit::mcp_clients() else { return };
    let project = broken();
    let task = foreign_task(&project, clients.folder());
    plays_an_editor(clients.python().arg(script("editor.py")).arg(task));
}

#[test]
fn a_client_of_the_terminal_runs_a_question_and_a_change() {
    let Some(clients) = testkit::mcp_clients() else { return };
    let project = broken();
    let run = |flags: &[&str], text: &str| {
        let agent = format!("{GRAFTAGE} serve acp");
        let output = clients
            .node()
            .envs(environment(&project))
            .arg(clients.folder().join("node_modules/acpx/dist/cli.js"))
            .args(["--agent", &agent, "--cwd"])
            .arg(project.root())
            .args(["--format", "json"])
            .args(flags)
            .args(["exec", text])
            .output()
            .unwrap();
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let found = run(&["--deny-all"], "/search three");
    assert!(found.contains("three` src/lib.rs") && found.contains("end_turn"), "{found}");
    let denied = run(&["--deny-all"], "/finish");
    assert!(denied.contains("kept as proposal"), "{denied}");
    assert_eq!(lib(&project), renamed("second"));
    let allowed = run(&["--approve-all"], "/finish");
    assert!(lib(&project).contains("one() + second()"), "{allowed}");
}

/// Lines that no editor sends: each is refused, or without effect.
fn hostile_lines(id: &str, root: &str) -> Vec<Vec<u8>> {
    let request = |method: &str, params: Value| {
        json!({ "jsonrpc": "2.0", "id": "x", "method": method, "params": params })
            .to_string()
            .into_bytes()
    };
    let prompt =
        |blocks: Value| request("session/prompt", json!({ "sessionId": id, "prompt": blocks }));
    let text = |text: &str| prompt(json!([{ "type": "text", "text": text }]));
    let many: Vec<Value> = (0..20_000).map(|_| json!({ "type": "text", "text": "" })).collect();
    vec![
        b"{".to_vec(),
        b"\xff\xfe\x00".to_vec(),
        vec![b'['; 200_000],
        format!("{}1{}", "{\"a\":".repeat(50_000), "}".repeat(50_000)).into_bytes(),
        vec![b'x'; 17 << 20],
        b"null".to_vec(),
        b"[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\"}]".to_vec(),
        b"{\"jsonrpc\":\"2.0\",\"id\":{\"a\":1},\"method\":\"session/list\"}".to_vec(),
        b"{\"jsonrpc\":\"2.0\",\"id\":true,\"method\":\"session/list\"}".to_vec(),
        b"{\"jsonrpc\":\"2.0\",\"id\":1e999,\"method\":\"session/list\"}".to_vec(),
        b"{\"jsonrpc\":\"2.0\",\"id\":\"x\",\"method\":7}".to_vec(),
        b"{\"jsonrpc\":\"2.0\",\"id\":\"x\"}".to_vec(),
        b"{\"jsonrpc\":\"2.0\",\"id\":999,\"result\":{\"outcome\":{\"outcome\":\"selected\",\"optionId\":\"allow_once\"}}}".to_vec(),
        b"{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":\"no object\"}".to_vec(),
        b"{\"jsonrpc\":\"2.0\",\"method\":\"$/cancel_request\",\"params\":{\"requestId\":[[]]}}".to_vec(),
        b"{\"jsonrpc\":\"2.0\",\"method\":\"session/cancel\",\"params\":{\"sessionId\":\"unknown\"}}".to_vec(),
        b"{\"jsonrpc\":\"2.0\",\"method\":\"session/cancel\"}".to_vec(),
        request("initialize", json!([])),
        request("initialize", json!({ "clientCapabilities": { "fs": { "readTextFile": "yes" } } })),
        request("session/new", json!({ "cwd": format!("{root}/src/lib.rs"), "mcpServers": [] })),
        request("session/new", json!({ "cwd": "/proc/self/root", "mcpServers": [] })),
        request("session/new", json!({ "cwd": "a\u{0}b", "mcpServers": [] })),
        request("session/new", json!({ "cwd": 7 })),
        request("session/load", json!({ "sessionId": format!("../{id}"), "cwd": root, "mcpServers": [] })),
        request("session/load", json!({ "sessionId": id, "cwd": "/", "mcpServers": [] })),
        request("session/resume", json!({ "sessionId": "a".repeat(10_000), "cwd": root, "mcpServers": [] })),
        request("session/list", json!({ "cursor": "99999999999999999999999999" })),
        request("session/list", json!({ "cursor": "18446744073709551615" })),
        request("session/set_mode", json!({ "sessionId": id, "modeId": "\u{1b}[2Japply" })),
        request("session/set_config_option", json!({ "sessionId": id, "configId": "../mode", "value": "apply" })),
        request("session/set_config_option", json!({ "sessionId": id, "configId": "mode", "value": { "a": 1 } })),
        request("session/delete", json!({ "sessionId": "../../x" })),
        request("fs/write_text_file", json!({ "sessionId": id, "path": "/etc/x", "content": "" })),
        request("session/request_permission", json!({ "sessionId": id })),
        prompt(json!([{ "type": "resource_link", "uri": "file:///etc/passwd", "name": "x" }])),
        prompt(json!([{ "type": "resource_link", "uri": format!("file://{root}/../../../etc/passwd"), "name": "x" }])),
        prompt(json!([{ "type": "resource", "resource": { "uri": 7 } }])),
        prompt(json!([[]])),
        prompt(json!(many)),
        prompt(json!("no list")),
        text(""),
        text("\u{1b}]0;title\u{7}\u{202e}fix"),
        text("/open ../../../../etc/passwd"),
        text("/undo ../x"),
        text("/policy explain \u{0}"),
        text("/task --resume ../../x"),
        text(&format!("/search {}", "x".repeat(1 << 20))),
        text(&format!("/refactor rename {} y", "a::".repeat(50_000))),
        text("/path a"),
        text("/context --budget 99999999999999999999"),
    ]
}

#[test]
fn hostile_lines_leave_the_server_alive_and_write_nothing() {
    let project = broken();
    let mut session = Session::new(&project, choosing(&["reject_once"]));
    let root = project.root().display().to_string();
    let id = session.id.clone();
    let lines = hostile_lines(&id, &root);
    assert!(lines.len() >= 50, "{}", lines.len());
    for line in lines {
        let input = session.input.as_mut().unwrap();
        input.write_all(&line).unwrap();
        input.write_all(b"\n").unwrap();
        // Alive after each of them.
        let listed = session.call("session/list", json!({}));
        let shown = String::from_utf8_lossy(&line[..line.len().min(120)]).into_owned();
        assert!(listed["result"]["sessions"].is_array(), "{shown}: {listed}");
    }
    // What runs ends before the next prompt is taken.
    let until = Instant::now() + PATIENCE;
    loop {
        let prompt = session.start_prompt("/search three");
        let answer = session.answer(prompt);
        if answer["result"]["stopReason"] == "end_turn" {
            break;
        }
        assert!(Instant::now() < until, "{answer}");
        thread::sleep(Duration::from_millis(100));
    }
    assert_eq!(lib(&project), renamed("second"));
    assert!(session.asked("session/request_permission").is_empty());
    let shown: String = session.all.iter().map(ToString::to_string).collect();
    assert!(!shown.contains("root:"), "no file outside of the project is shown");
    assert_eq!(session.end(), Some(0));
}
