//! Tasks of an agent that does as its messages ask, without a network.

#![allow(clippy::unwrap_used, reason = "a failed setup ends the test")]

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use graftage_a2a::{
    A2aAgent, A2aArtifact, A2aBody, A2aMessage, A2aOptions, A2aPart, A2aProfile, A2aServer,
    A2aState, TaskHandle,
};
use http::Request;
use serde_json::{Value, json};

/// Waits for a permission where a message asks for it.
struct Gated {
    permits: Mutex<Receiver<()>>,
    forgotten: Arc<AtomicUsize>,
}

impl A2aAgent for Gated {
    fn work(&self, task: &TaskHandle<'_>, message: &A2aMessage) {
        match message.text().as_str() {
            "ask" => return task.update(A2aState::InputRequired, Some("yes or no")),
            "panic" => panic!("a bug"),
            "nothing" => return,
            "wait" => {
                let permits = self.permits.lock().unwrap();
                let _ = permits.recv_timeout(Duration::from_secs(20));
            }
            _ => {}
        }
        for number in 0..20 {
            let part = A2aPart::text(format!("{number}"), "text/plain");
            let parts = vec![part];
            let artifact_id = "numbers".to_owned();
            let artifact = A2aArtifact { artifact_id, parts, ..A2aArtifact::default() };
            task.artifact_part(artifact, number > 0, number == 19);
        }
        task.update(A2aState::Completed, Some("done"));
    }

    fn forget(&self, _: &str) {
        self.forgotten.fetch_add(1, Ordering::SeqCst);
    }
}

struct Tried {
    server: A2aServer,
    permit: Sender<()>,
    forgotten: Arc<AtomicUsize>,
    project: testkit::TempProject,
}

fn tried() -> Tried {
    let project = testkit::project("//- /a\n");
    let (permit, permits) = channel();
    let forgotten: Arc<AtomicUsize> = Arc::default();
    let agent = Gated { permits: Mutex::new(permits), forgotten: Arc::clone(&forgotten) };
    let server = A2aServer::start(options(&project), agent).unwrap();
    Tried { server, permit, forgotten, project }
}

fn options(project: &testkit::TempProject) -> A2aOptions {
    A2aOptions {
        ctx: testkit::ctx(),
        folder: project.root().join("tasks"),
        needs_token: false,
        allows_loopback_push: false,
        profile: A2aProfile {
            name: "gated".to_owned(),
            description: "An agent.".to_owned(),
            version: "1".to_owned(),
            skills: &[],
            details: String::new(),
        },
        note: Arc::new(|_| {}),
    }
}

impl Tried {
    fn request(&self, method: &str, path: &str, body: &Value) -> A2aBody {
        let body = if body.is_null() { Vec::new() } else { body.to_string().into_bytes() };
        let request = Request::builder()
            .method(method)
            .uri(path)
            .header("content-type", "application/json")
            .header("a2a-version", "1.0")
            .body(body)
            .unwrap();
        self.server.answer(&request, &AtomicBool::new(false)).into_body()
    }

    fn call(&self, method: &str, path: &str, body: &Value) -> Value {
        match self.request(method, path, body) {
            A2aBody::Whole(bytes) => serde_json::from_slice(&bytes).unwrap(),
            A2aBody::Events(_) => panic!("a stream"),
        }
    }

    fn send(&self, text: &str, returns: bool) -> Value {
        let configuration = json!({ "returnImmediately": returns });
        let body = json!({ "message": message(text), "configuration": configuration });
        self.call("POST", "/message:send", &body)["task"].clone()
    }
}

fn message(text: &str) -> Value {
    json!({ "messageId": "1", "role": "ROLE_USER", "parts": [{ "text": text }] })
}

fn state(task: &Value) -> &str {
    task["status"]["state"].as_str().unwrap()
}

#[test]
fn every_stream_has_the_same_events_in_the_same_order() {
    let tried = tried();
    let task = tried.send("wait", true);
    let path = format!("/tasks/{}:subscribe", task["id"].as_str().unwrap());
    let streams: Vec<_> = ["GET", "POST", "GET"]
        .iter()
        .map(|method| match tried.request(method, &path, &Value::Null) {
            A2aBody::Events(events) => events,
            A2aBody::Whole(bytes) => panic!("{}", String::from_utf8_lossy(&bytes)),
        })
        .collect();
    tried.permit.send(()).unwrap();
    let all: Vec<String> =
        streams.into_iter().map(|it| String::from_utf8(it.flatten().collect()).unwrap()).collect();
    assert_eq!((&all[0], &all[0]), (&all[1], &all[2]));
    assert!(all[0].starts_with("data: {\"task\":"), "{}", all[0]);
    assert_eq!(all[0].matches("\"artifactUpdate\"").count(), 20);
    assert!(all[0].trim_end().ends_with('}') && all[0].contains("TASK_STATE_COMPLETED"));
    let done = tried.call("GET", path.trim_end_matches(":subscribe"), &Value::Null);
    assert_eq!(done["artifacts"][0]["parts"].as_array().unwrap().len(), 20);
}

#[test]
fn an_agent_that_fails_ends_its_task_and_nothing_else() {
    let tried = tried();
    assert_eq!(state(&tried.send("panic", false)), "TASK_STATE_FAILED");
    assert_eq!(state(&tried.send("nothing", false)), "TASK_STATE_FAILED");
    assert_eq!(state(&tried.send("go", false)), "TASK_STATE_COMPLETED");
}

#[test]
fn a_busy_server_refuses_more_work_and_takes_it_again() {
    let tried = tried();
    let tasks: Vec<Value> = (0..16).map(|_| tried.send("wait", true)).collect();
    let body = json!({ "message": message("go") });
    let refused = tried.call("POST", "/message:send", &body);
    assert_eq!(refused["error"]["status"], "RESOURCE_EXHAUSTED", "{refused}");
    tried.permit.send(()).unwrap();
    let began = Instant::now();
    let first = loop {
        let list = tried.call("GET", "/tasks?status=completed", &Value::Null);
        if let Some(task) = list["tasks"].as_array().unwrap().first() {
            break task.clone();
        }
        assert!(began.elapsed() < Duration::from_secs(20));
    };
    // Its seat is free a moment after its end is seen.
    while tried.call("POST", "/message:send", &body)["task"].is_null() {
        assert!(began.elapsed() < Duration::from_secs(20));
    }
    for task in tasks.iter().filter(|it| it["id"] != first["id"]) {
        let path = format!("/tasks/{}:cancel", task["id"].as_str().unwrap());
        assert_eq!(state(&tried.call("POST", &path, &Value::Null)), "TASK_STATE_CANCELED");
    }
    // Any of them may take a permit: none is given while a task has still to be canceled.
    for _ in &tasks {
        tried.permit.send(()).unwrap();
    }
}

#[test]
fn tasks_are_loaded_and_what_was_worked_on_has_failed() {
    let first = tried();
    let asked = first.send("ask", false);
    let working = first.send("wait", true);
    let _ = first.permit.send(());
    let Tried { server, permit, forgotten, project } = first;
    // The folder as it was while the task worked.
    let path = project.root().join(format!("tasks/{}.json", asked["id"].as_str().unwrap()));
    let text = std::fs::read_to_string(&path).unwrap();
    drop((server, permit));
    std::fs::write(&path, text.replace("TASK_STATE_INPUT_REQUIRED", "TASK_STATE_WORKING")).unwrap();
    let (permit, permits) = channel();
    let agent = Gated { permits: Mutex::new(permits), forgotten: Arc::clone(&forgotten) };
    let server = A2aServer::start(options(&project), agent).unwrap();
    let again = Tried { server, permit, forgotten, project };
    for task in [&asked, &working] {
        let path = format!("/tasks/{}", task["id"].as_str().unwrap());
        let found = again.call("GET", &path, &Value::Null);
        assert!(state(&found) != "TASK_STATE_WORKING", "{found}");
        assert_eq!(found["history"][0]["parts"], task["history"][0]["parts"]);
    }
    let failed =
        again.call("GET", &format!("/tasks/{}", asked["id"].as_str().unwrap()), &Value::Null);
    assert_eq!(state(&failed), "TASK_STATE_FAILED");
    assert_eq!(again.forgotten.load(Ordering::SeqCst), 0);
    let open = again.send("ask", false);
    let path = format!("/tasks/{}:cancel", open["id"].as_str().unwrap());
    again.call("POST", &path, &Value::Null);
    assert_eq!(again.forgotten.load(Ordering::SeqCst), 1);
}
