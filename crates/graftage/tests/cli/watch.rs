//! `index --watch` during edits, ended with Ctrl-C.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use serde_json::Value;
use testkit::TempProject;

use super::support::{command, graftage};

/// Time limit for a report.
const TIMEOUT: Duration = Duration::from_secs(120);

/// The running command; killed on drop.
struct Watch {
    child: Child,
    lines: Receiver<String>,
}

impl Watch {
    fn start(project: &TempProject) -> Self {
        let mut child = command(project, &["index", "--watch", "--json"])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary starts");
        let stdout = child.stdout.take().expect("it is piped");
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Self { child, lines }
    }

    /// The next report that matches: a save may be seen before it is complete.
    fn report(&self, matches: impl Fn(&Value) -> bool) -> Value {
        loop {
            let line = self.lines.recv_timeout(TIMEOUT).expect("a report in time");
            let report = serde_json::from_str(&line).expect("a report is a line of JSON");
            if matches(&report) {
                return report;
            }
        }
    }

    /// Sends Ctrl-C; returns status and standard error.
    fn interrupt(mut self) -> (Option<i32>, String) {
        let pid = self.child.id();
        let sent = Command::new("sh").args(["-c", &format!("kill -INT {pid}")]).status();
        assert!(sent.is_ok_and(|status| status.success()));
        let status = self.child.wait().expect("it ends");
        let stderr = self.child.stderr.take().expect("it is piped");
        (status.code(), std::io::read_to_string(stderr).expect("standard error is UTF-8"))
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        // It has exited already unless the test failed.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_watch_reports_each_save_and_ends_cleanly_at_ctrl_c() {
    let project = testkit::crate_project("pub fn a() {}\n");
    let watch = Watch::start(&project);
    let items = watch.report(|_| true)["items"].as_u64().unwrap();
    project.write("src/lib.rs", "pub fn a() {}\npub fn b() { a() }\n");
    let report = watch.report(|report| report["items"] == items + 1);
    assert_eq!(report["files"], 1);
    assert!(report["changed_files"].as_u64().is_some_and(|changed| changed > 0));
    project.write("src/m.rs", "pub fn c() {}\n");
    project.write("src/lib.rs", "mod m;\npub fn a() {}\npub fn b() { a(); m::c() }\n");
    watch.report(|report| report["files"] == 2 && report["items"] == items + 3);
    let callees = graftage(&project, &["callees", "b", "--json"]).json();
    let canons: Vec<_> =
        callees["items"].as_array().unwrap().iter().map(|item| item["canon"].clone()).collect();
    assert_eq!(canons, ["fixture/fixture::a", "fixture/fixture::m::c"]);
    assert_eq!(watch.interrupt(), (Some(0), String::new()));
    let after = graftage(&project, &["index", "--json"]).json();
    assert_eq!(after["parsed_files"], 0, "the map is stored");
}
