//! `graftage world serve`: the workshop of stories, as its page uses it.

use std::process::{Child, Command};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use testkit::{Need, TempProject};

use crate::support::{Answered, http, start};

const PROJECT: &str = r##"
//- /Cargo.toml
[package]
name = "pages"
version = "0.1.0"
edition = "2024"
//- /Cargo.lock
version = 4

[[package]]
name = "pages"
version = "0.1.0"
//- /src/lib.rs
//- /stories/page.html
<html lang=en><title>Page</title><button onclick="this.textContent = 'Sent'">Send</button></html>
//- /stories/page.toml
[page]
file = "page.html"

[[story]]
name = "it is sent"
timeout_ms = 300

[[story.play]]
click = { role = "button" }

[[story.play]]
expect = { role = "button" }
text = "Sent"

[[story]]
name = "it is sent twice"
play = [ { wait_for = { role = "button" } } ]
"##;

/// A running workshop.
struct Workshop {
    child: Child,
    address: String,
    token: String,
}

impl Workshop {
    fn start(project: &TempProject) -> Self {
        let (child, mut lines) = start(project, &["world", "serve"]);
        let url = lines.find_map(|it| it.strip_prefix("stories: http://").map(str::to_owned));
        std::thread::spawn(move || lines.for_each(drop));
        let url = url.unwrap();
        let (address, token) = url.split_once("/#").unwrap();
        Self { child, address: address.to_owned(), token: token.to_owned() }
    }

    fn ask(&self, request: &str, body: &str) -> Answered {
        let (address, token) = (&self.address, &self.token);
        let head = format!(
            "Host: {address}\r\nOrigin: http://{address}\r\nAuthorization: Bearer {token}\r\n"
        );
        http(address, request, &head, body)
    }

    fn json(&self, request: &str, body: &str) -> Value {
        self.ask(request, body).json()
    }
}

impl Drop for Workshop {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Whether stories can be played here; a skip is reported.
fn has_browser() -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    match world::BrowserProgram::find(&path) {
        Ok(_) => true,
        Err(error) => {
            testkit::skip(Need::Chromium, &error.to_string());
            false
        }
    }
}

#[test]
fn only_the_page_itself_is_for_requests_without_the_token() {
    let project = testkit::project(PROJECT);
    project.git();
    let workshop = Workshop::start(&project);
    let (address, token) = (&workshop.address, &workshop.token);
    let own = format!("Host: {address}\r\n");
    for (path, kind) in
        [("/", "text/html"), ("/workshop.js", "text/javascript"), ("/workshop.css", "text/css")]
    {
        let page = http(address, &format!("GET {path}"), &own, "");
        assert_eq!(page.status, 200, "{path}");
        assert!(page.head.contains(&format!("content-type: {kind}")), "{}", page.head);
        assert!(page.head.contains("content-security-policy: default-src 'none'"), "{}", page.head);
        assert!(!page.body.contains(token.as_str()) && !page.body.contains("it is sent"), "{path}");
    }
    let bearer = format!("Authorization: Bearer {token}\r\n");
    for (request, head, status) in [
        ("GET /stories", own.clone(), 401),
        ("POST /run", own.clone(), 401),
        ("GET /stories", format!("{own}Authorization: Bearer {}\r\n", "0".repeat(64)), 401),
        ("GET /stories", format!("Host: evil.example\r\n{bearer}"), 403),
        ("GET /", "Host: evil.example\r\n".to_owned(), 403),
        ("POST /run", format!("{own}{bearer}Origin: http://evil.example\r\n"), 403),
        ("GET /other", format!("{own}{bearer}"), 404),
        ("POST /stories", format!("{own}{bearer}"), 404),
        ("POST /run", format!("{own}{bearer}"), 400),
    ] {
        assert_eq!(http(address, request, &head, "").status, status, "{request} {head}");
    }
    let half = workshop.ask("POST /run", r#"{"file": "stories/page.toml"}"#);
    assert_eq!((half.status, half.body.as_str()), (400, "`file` and `name` belong together"));
}

#[test]
fn stories_are_listed_played_and_followed_and_an_interrupt_ends_all() {
    if !has_browser() {
        return;
    }
    let project = testkit::project(PROJECT);
    project.git();
    let mut workshop = Workshop::start(&project);
    let listed = workshop.json("GET /stories", "");
    let names = |listed: &Value| {
        let stories = listed["stories"].as_array().unwrap().iter();
        stories.map(|it| it["name"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(names(&listed), ["it is sent", "it is sent twice"]);
    let one = json!({ "file": "stories/page.toml", "name": "it is sent" }).to_string();
    let played = workshop.json("POST /run", &one);
    let story = &played["stories"][0];
    assert_eq!((&played["passed"], &played["failed"]), (&json!(1), &json!(0)), "{played:#}");
    let png = |value: &Value| value.as_str().is_some_and(|it| it.starts_with("iVBOR"));
    assert_eq!(story["moments"].as_array().unwrap().len(), 3, "{story:#}");
    assert!(png(&story["moments"][2]["picture"]) && story["picture"].is_null());
    assert_eq!(workshop.json("POST /run", "{}")["passed"], 2);

    // A change of a page that a story loads ends the wait, and its failure has a picture.
    let version = listed["version"].as_u64().unwrap();
    project.write("stories/page.html", project.read("stories/page.html").replace("Sent", "Lost"));
    let changed = workshop.json(&format!("GET /changes?since={version}"), "");
    assert!(changed["version"].as_u64().unwrap() > version, "{changed:#}");
    let played = workshop.json("POST /run", &one);
    let story = &played["stories"][0];
    let reason = &story["failure"]["reason"];
    assert_eq!(*reason, "the text of button is \"Lost\", not \"Sent\"", "{story:#}");
    assert!(png(&story["picture"]));

    // A file that is none is named with its line.
    project.write("stories/bad.toml", "[[story]]\nnam = 1\n");
    let listed = workshop.json("GET /stories", "");
    let problem = listed["problems"][0]["message"].as_str().unwrap();
    assert_eq!(problem, "stories/bad.toml:2: unknown key `nam`");
    assert!(listed["version"].as_u64() > changed["version"].as_u64());

    // An interrupt while a story waits ends the server and all of its processes.
    project.remove("stories/bad.toml");
    let slow = project.read("stories/page.toml").replace("timeout_ms = 300", "timeout_ms = 60000");
    project.write("stories/page.toml", slow);
    let (address, token) = (workshop.address.clone(), workshop.token.clone());
    let head = format!("Host: {address}\r\nAuthorization: Bearer {token}\r\n");
    let waiting = std::thread::spawn(move || http(&address, "POST /run", &head, &one));
    std::thread::sleep(Duration::from_secs(3));
    let id = workshop.child.id().to_string();
    let killed = Command::new("kill").args(["-INT", &id]).status().unwrap();
    assert!(killed.success());
    let until = Instant::now() + Duration::from_secs(10);
    let ended = loop {
        match workshop.child.try_wait().unwrap() {
            Some(status) => break status,
            None => assert!(Instant::now() < until, "it ends"),
        }
        std::thread::sleep(Duration::from_millis(50));
    };
    assert_eq!(ended.code(), Some(0));
    drop(waiting.join());
}
