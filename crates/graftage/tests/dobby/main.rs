//! The daemon `dobby`: a client in Python that knows it from its published schema, on both engines; its socket, memory
//! and end.
#![allow(clippy::unwrap_used, reason = "a failed setup ends the test")]

#[path = "../cli/support.rs"]
#[expect(dead_code, reason = "the tests of the command line use more of it")]
mod support;

use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use support::{command, graftage};
use testkit::{Need, TempProject};

/// Longest time that a test waits.
const PATIENCE: Duration = Duration::from_secs(120);

const MANIFEST: &str = "[package]\nversion = \"0.1.0\"\nedition = \"2021\"\nname = ";

const MODEL_SERVER: &str = include_str!("llama_server.py");

fn project() -> TempProject {
    testkit::project(&format!(
        "//- /import/Cargo.toml\n{MANIFEST}\"import\"\n//- /import/src/lib.rs\n\
         pub fn empty() -> HashMap<u8, u8> {{\n    HashMap::new()\n}}\n\
         //- /slow/Cargo.toml\n{MANIFEST}\"slow\"\n//- /slow/src/lib.rs\n\n//- /slow/build.rs\n\
         fn main() {{\n    std::thread::sleep(std::time::Duration::from_secs(600));\n}}\n\
         //- /client.py\n{}\n//- /bin/llama-server\n{MODEL_SERVER}\n",
        include_str!("client.py")
    ))
}

/// A daemon, which ends with this value.
struct Daemon {
    child: Child,
    socket: PathBuf,
}

impl Drop for Daemon {
    fn drop(&mut self) {
        // One that has ended needs none.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Daemon {
    fn start(project: &TempProject, args: &[&str]) -> Self {
        // A path of a socket is short.
        let socket = project.beside("graftage").join("run/dobby.sock");
        let server = project.root().join("bin/llama-server");
        std::fs::set_permissions(&server, std::fs::Permissions::from_mode(0o755)).unwrap();
        let setting = format!("model.server={}", server.display());
        let serve = ["dobby", "serve", "--config", &setting, "--idle", "1"];
        let mut command = command(project, &[&serve[..], args].concat());
        command.env("SOCKET_PATH", &socket).stdout(Stdio::null()).stderr(Stdio::null());
        let mut daemon = Self { child: command.spawn().unwrap(), socket };
        let began = Instant::now();
        while UnixStream::connect(&daemon.socket).is_err() {
            assert!(daemon.child.try_wait().unwrap().is_none(), "it ended");
            assert!(began.elapsed() < PATIENCE, "no socket");
            std::thread::sleep(Duration::from_millis(10));
        }
        daemon
    }

    /// The memory that it has in use, in KiB, and how often it was woken.
    fn resting(&self) -> (u64, u64) {
        let text = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let number = |name: &str| {
            let line = text.lines().find(|it| it.starts_with(name)).unwrap();
            line.split_whitespace().nth(1).unwrap().parse().unwrap()
        };
        (number("VmRSS:"), number("voluntary_ctxt_switches:"))
    }
}

/// Adds a model without weights to the registry.
fn add_model(project: &TempProject) {
    let weights = project.root().join("weights");
    std::fs::write(&weights, [b"GGUF\x03\0\0\0".as_slice(), &[0; 16]].concat()).unwrap();
    let source = format!("file://{}", weights.display());
    let zeros = "0".repeat(64);
    let add = |hash: &str| {
        graftage(
            project,
            &["dobby", "ensure-model", "small", "--source", &source, "--sha256", hash],
        )
    };
    let refused = add(&zeros);
    let hash = refused.stderr.split("has the hash ").nth(1).unwrap()[..64].to_owned();
    assert_eq!(add(&hash).status, 0);
}

/// The interpreter of the machine; `None`, with a reported skip, where there is none.
fn python() -> Option<PathBuf> {
    let is_there = Command::new("python3").arg("-c").arg("").status().is_ok_and(|it| it.success());
    if !is_there {
        testkit::skip(Need::McpClients, "there is no python3 for a client of the daemon");
        return None;
    }
    Some("python3".into())
}

/// Runs the client to its end.
fn conforms(project: &TempProject, daemon: &mut Daemon, python: &Path) {
    let has_server = Path::new("/usr/bin/python3").exists();
    if !has_server {
        testkit::skip(
            Need::McpClients,
            "there is no /usr/bin/python3 to stand in for llama-server",
        );
    }
    let root = project.root();
    let client = Command::new(python)
        .arg(root.join("client.py"))
        .arg(&daemon.socket)
        .args([root.join("import"), root.join("slow")])
        .args([if has_server { "small" } else { "-" }, "embedded"])
        .output()
        .unwrap();
    let shown = String::from_utf8_lossy(&client.stdout).into_owned();
    let errors = String::from_utf8_lossy(&client.stderr).into_owned();
    assert!(client.status.success(), "{shown}{errors}");
    assert!(shown.ends_with("ok draining\n"), "{shown}");
    let began = Instant::now();
    while daemon.child.try_wait().unwrap().is_none() {
        assert!(began.elapsed() < PATIENCE, "it runs on");
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(daemon.child.wait().unwrap().success() && !daemon.socket.exists());
}

#[test]
fn a_client_that_knows_the_schema_alone_finds_each_method_as_published() {
    let Some(python) = python() else { return };
    let project = project();
    add_model(&project);
    let mut daemon = Daemon::start(&project, &[]);
    conforms(&project, &mut daemon, &python);
    let log = graftage(&project, &["dobby", "logs", "-n", "1000"]).stdout;
    for event in ["serving", "worker opened", "model lost", "model unloaded", "draining", "ended"] {
        assert!(log.contains(&format!("\"event\":\"{event}\"")), "{event}: {log}");
    }
}

#[test]
fn the_same_client_finds_the_same_on_ray() {
    let Some(python) = testkit::ray_python() else { return };
    let project = project();
    add_model(&project);
    let interpreter = python.display().to_string();
    let mut daemon = Daemon::start(&project, &["--engine", "ray", "--python", &interpreter]);
    conforms(&project, &mut daemon, &python);
}

#[test]
fn the_commands_see_the_daemon_and_end_it() {
    let project = project();
    let mut daemon = Daemon::start(&project, &[]);
    let status = graftage(&project, &["dobby", "status", "--json"]).json();
    assert_eq!(
        (&status["running"], &status["version"]),
        (&Value::from(true), &Value::from(env!("CARGO_PKG_VERSION")))
    );
    let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(&daemon.socket), mode(daemon.socket.parent().unwrap())), (0o600, 0o700));
    let second =
        command(&project, &["dobby", "serve"]).env("SOCKET_PATH", &daemon.socket).output().unwrap();
    assert_eq!(second.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&second.stderr).contains("a daemon runs already"));
    // Idle, it takes little and is not woken.
    let (memory, woken) = daemon.resting();
    std::thread::sleep(Duration::from_secs(2));
    assert_eq!(daemon.resting().1, woken);
    assert!(memory < 40 << 10, "{memory} KiB");
    assert_eq!(graftage(&project, &["dobby", "unload"]).status, 0);
    let ended = graftage(&project, &["dobby", "shutdown", "--timeout", "5"]);
    assert_eq!((ended.status, ended.stdout.as_str()), (0, "the daemon has ended\n"));
    assert!(daemon.child.wait().unwrap().success());
    let status = graftage(&project, &["dobby", "status"]);
    assert!(status.status == 1 && status.stdout.starts_with("no daemon runs at "), "{status:?}");
    // One that was killed leaves its socket; the next one takes its place.
    let mut killed = Daemon::start(&project, &[]);
    killed.child.kill().unwrap();
    killed.child.wait().unwrap();
    assert!(killed.socket.exists());
    let next = Daemon::start(&project, &[]);
    assert_eq!(graftage(&project, &["dobby", "status"]).status, 0);
    rustix::process::kill_process(
        rustix::process::Pid::from_child(&next.child),
        rustix::process::Signal::TERM,
    )
    .unwrap();
    let mut next = next;
    assert!(next.child.wait().unwrap().success() && !next.socket.exists());
}
