//! A client is notified of changes of the resources that it subscribed to, in both eras.

use std::io::{BufRead as _, BufReader};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use testkit::TempProject;

use crate::support::{Client, Era, Running, serve};

const PROJECT: &str = "
//- /src/lib.rs
/// Twice the number.
pub fn double(n: u32) -> u32 { n * 2 }
/// One.
pub fn one() -> u32 { 1 }
//- /src/other.rs
pub fn other() {}
";
const FILE: &str = "graftage://file/src/lib.rs";
const ITEM: &str = "graftage://item/double";

/// The notifications of a stream.
struct Notified(BufReader<TcpStream>);

impl Notified {
    fn of(stream: TcpStream) -> Self {
        stream.set_read_timeout(Some(Duration::from_millis(100))).unwrap();
        Self(BufReader::new(stream))
    }

    /// The messages of the next time.
    fn within(&mut self, time: Duration) -> Vec<Value> {
        let (began, mut line, mut found) = (Instant::now(), String::new(), Vec::new());
        while began.elapsed() < time {
            // What was read of a line before the timeout stays in it.
            if self.0.read_line(&mut line).is_ok() {
                let data = line.strip_prefix("data:").unwrap_or(&line).trim();
                found.extend(serde_json::from_str::<Value>(data).ok().filter(Value::is_object));
                line.clear();
            }
        }
        found
    }

    /// Waits until these were updated; what was updated until a second after that.
    fn updated(&mut self, wanted: &[&str]) -> Vec<String> {
        let (began, mut found) = (Instant::now(), Vec::new());
        while !wanted.iter().all(|uri| found.iter().any(|it| it == uri)) {
            assert!(began.elapsed() < Duration::from_secs(60), "{wanted:?}: {found:?}");
            found.extend(self.updates(Duration::from_millis(300)));
        }
        found.extend(self.updates(Duration::from_secs(1)));
        found
    }

    fn updates(&mut self, time: Duration) -> Vec<String> {
        let messages = self.within(time).into_iter();
        let updates = messages.filter(|it| it["method"] == "notifications/resources/updated");
        updates.map(|it| it["params"]["uri"].as_str().unwrap().to_owned()).collect()
    }
}

/// Changes of the project after which a client of `FILE` and `ITEM` is notified of these.
fn is_notified_of_what_changed(project: &TempProject, notified: &mut Notified) {
    let text = project.read("src/lib.rs");
    assert_eq!(notified.updates(Duration::from_secs(1)), Vec::<String>::new());
    project.write("src/other.rs", "pub fn other() { }\n");
    project.write("src/lib.rs", text.replace("{ 1 }", "{ 2 - 1 }"));
    assert_eq!(notified.updated(&[FILE]), [FILE]);
    project.write("src/lib.rs", text.replace("n * 2", "n + n"));
    notified.updated(&[FILE, ITEM]);
    // Many changes are few notifications, and the last one is never missed.
    for turn in 0..100 {
        project.write("src/lib.rs", text.replace("n * 2", &format!("n * {turn}")));
        std::thread::sleep(Duration::from_millis(5));
    }
    let updated = notified.updated(&[FILE, ITEM]);
    assert!(updated.len() <= 12, "{updated:?}");
    project.write("src/lib.rs", &text);
    notified.updated(&[FILE, ITEM]);
}

fn project() -> (TempProject, Running) {
    let project = testkit::crate_project(PROJECT);
    project.git();
    let server = serve(&project);
    (project, server)
}

#[test]
fn a_client_of_the_handshake_is_notified_until_it_unsubscribes() {
    let (project, server) = project();
    let mut client = Client::connect(&server, Era::Handshake, json!({}));
    let mut notified = Notified::of(client.events());
    for uri in [FILE, ITEM] {
        client.request("resources/subscribe", json!({"uri": uri})).unwrap();
    }
    is_notified_of_what_changed(&project, &mut notified);

    // A proposal changes its state.
    let edit = json!({"mode": "file", "file_path": "src/other.rs", "text": "pub fn others() {}\n"});
    let staged = client.call("propose_edit", json!({"edits": [edit]})).unwrap();
    let proposal = format!("graftage://proposal/{}", staged["proposal_id"].as_str().unwrap());
    client.request("resources/subscribe", json!({"uri": proposal})).unwrap();
    let ids = json!([staged["proposal_id"]]);
    client.call("preflight", json!({"ids": ids, "tests": "none"})).unwrap();
    notified.updated(&[&proposal]);
    client.call("apply", json!({"ids": ids, "tests": "none"})).unwrap();
    notified.updated(&[&proposal]);
    client.call("undo", json!({})).unwrap();
    notified.updated(&[&proposal]);

    for uri in [FILE, ITEM, &proposal] {
        client.request("resources/unsubscribe", json!({"uri": uri})).unwrap();
    }
    project.write("src/lib.rs", "pub fn double() {}\n");
    assert_eq!(notified.updates(Duration::from_secs(2)), Vec::<String>::new());
}

#[test]
fn a_request_that_listens_is_notified_until_it_ends() {
    let (project, server) = project();
    let mut client = Client::connect(&server, Era::Discover, json!({}));
    let wanted = [FILE, ITEM, "graftage://map", "file:///etc/passwd", "graftage://file/../x"];
    let stream = client.listen(&json!({"resourceSubscriptions": wanted, "toolsListChanged": true}));
    let mut notified = Notified::of(stream);
    let first = notified.within(Duration::from_secs(5));
    assert_eq!(first[0]["method"], "notifications/subscriptions/acknowledged", "{first:?}");
    let accepted = json!({"resourceSubscriptions": [FILE, ITEM]});
    assert_eq!(first[0]["params"]["notifications"], accepted, "{first:?}");
    is_notified_of_what_changed(&project, &mut notified);
    // The old requests are not part of this era.
    client.request("resources/subscribe", json!({"uri": FILE})).unwrap_err();
}

#[test]
fn subscriptions_are_bounded_and_name_what_exists() {
    let (project, server) = project();
    let mut client = Client::connect(&server, Era::Handshake, json!({}));
    for uri in ["graftage://map", "graftage://item/none", "graftage://file/none.rs", "x", ""] {
        client.request("resources/subscribe", json!({"uri": uri})).unwrap_err();
    }
    client.request("resources/unsubscribe", json!({"uri": "graftage://item/none"})).unwrap();
    let uri = |number: usize| json!({"uri": format!("{FILE}#L{number}-L{number}")});
    for number in 1..=64 {
        client.request("resources/subscribe", uri(number)).unwrap();
    }
    let error = client.request("resources/subscribe", uri(65)).unwrap_err();
    assert!(error["message"].as_str().unwrap().contains("64 resources"), "{error}");
    client.request("resources/subscribe", uri(1)).unwrap();
    client.request("resources/unsubscribe", uri(1)).unwrap();
    client.request("resources/subscribe", uri(65)).unwrap();
    // Clients that never read, or are gone, do not keep others from being served.
    for _ in 0..31 {
        let mut other = Client::connect(&server, Era::Handshake, json!({}));
        other.request("resources/subscribe", uri(1)).unwrap();
    }
    let mut other = Client::connect(&server, Era::Handshake, json!({}));
    let error = other.request("resources/subscribe", uri(1)).unwrap_err();
    assert!(error["message"].as_str().unwrap().contains("32 clients"), "{error}");
    project.write("src/lib.rs", "pub fn double() {}\n");
    std::thread::sleep(Duration::from_secs(2));
    assert!(client.call("search", json!({"query": "double"})).is_ok());
}
