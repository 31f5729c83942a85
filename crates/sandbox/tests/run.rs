//! Tests of single runs, end to end.
#![allow(clippy::unwrap_used, missing_docs)]

use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use graftage_sandbox::*;

fn sandbox(layers: Layers) -> Sandbox {
    Sandbox::with_layers(PathBuf::from(env!("CARGO_BIN_EXE_graftage-sandbox-inner")), layers)
}

fn shell(script: &str) -> Job {
    Job {
        program: "sh".into(),
        args: vec!["-c".into(), script.into()],
        cwd: "/".into(),
        env: [("PATH".into(), "/usr/bin:/bin".into())].into(),
        stdin: Vec::new(),
        view: View::default(),
        limits: JobLimits::default(),
        network: Network::Off,
        require: Level::Standard,
    }
}

fn run(layers: Layers, job: &Job) -> Outcome {
    let ctx = testkit::FakeHost::new().ctx();
    sandbox(layers).run(&ctx, job, &mut |_, _| {}).unwrap()
}

const BARE: Layers =
    Layers { namespaces: false, overlay: false, landlock: true, seccomp: true, cgroups: true };

#[test]
fn output_status_and_protections_are_reported() {
    for layers in [Layers::default(), BARE] {
        let outcome = run(layers, &shell("echo out; echo err >&2; exit 7"));
        assert_eq!(outcome.exit_code, 7, "{outcome:?}");
        assert_eq!(
            (outcome.stdout.as_slice(), outcome.stderr.as_slice()),
            (&b"out\n"[..], &b"err\n"[..])
        );
    }
}

#[test]
fn a_folder_for_sockets_takes_sockets_and_nothing_else() {
    let probe = run(Layers::default(), &shell("true"));
    if !format!("{:?}", probe.protections).contains("landlock (") {
        return testkit::skip(testkit::Need::Landlock, "files can be made beside sockets");
    }
    let folder = tempfile::tempdir().unwrap();
    let script = "cd /s; echo a > file; ln -s /etc link; mkdir sub; mkfifo pipe; \
                  python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind(\"/s/sock\")' || true; ls /s";
    let mut job = shell(script);
    job.view.mounts.push(Mount::Sockets { host: folder.path().to_owned(), inside: "/s".into() });
    let outcome = run(Layers::default(), &job);
    let shown = String::from_utf8_lossy(&outcome.stdout).into_owned();
    assert!(shown.trim().is_empty() || shown.trim() == "sock", "{outcome:?}");
    for name in ["file", "link", "sub", "pipe"] {
        assert!(folder.path().join(name).symlink_metadata().is_err(), "{name}");
    }
}

#[test]
fn a_job_over_its_time_is_ended_with_all_its_children() {
    for layers in [Layers::default(), BARE] {
        let mut job = shell("sleep 77.125 & setsid sleep 77.125 & (sleep 77.125 &) ; sleep 77.125");
        job.limits.wall = Duration::from_millis(300);
        let outcome = run(layers, &job);
        assert!(outcome.timed_out);
        assert!(outcome.duration < Duration::from_secs(20), "{outcome:?}");
    }
}

#[test]
fn an_overlay_keeps_its_lower_folder_and_collects_the_writes() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    // Names that option strings of the kernel would trip over.
    for name in ["lo:w,er\\", "upper", "work"] {
        std::fs::create_dir(at(name)).unwrap();
    }
    let lower = at("lo:w,er\\");
    std::fs::write(lower.join("kept"), "old").unwrap();
    std::fs::write(lower.join("gone"), "old").unwrap();
    let sandbox = sandbox(Layers::default());
    if !sandbox.capabilities().overlay.works {
        return testkit::skip(testkit::Need::OverlayMounts, &sandbox.capabilities().overlay.detail);
    }
    let mut job = shell(
        "cat kept; echo new > kept; rm gone; mkdir -p a/b && echo x > a/b/c; ls; stat -c %u kept",
    );
    job.cwd = lower.clone();
    job.view.mounts = vec![Mount::Overlay {
        lowers: vec![lower.clone()],
        upper: Some(Upper { folder: at("upper"), work: at("work") }),
        inside: lower.clone(),
    }];
    let ctx = testkit::FakeHost::new().ctx();
    for expected in ["olda\nkept\n", "new\na\nkept\n"] {
        let outcome = sandbox.run(&ctx, &job, &mut |_, _| {}).unwrap();
        let received = String::from_utf8_lossy(&outcome.stdout).into_owned();
        assert!(
            received.starts_with(expected),
            "{received} {}",
            String::from_utf8_lossy(&outcome.stderr)
        );
    }
    assert_eq!(std::fs::read_to_string(lower.join("kept")).unwrap(), "old");
    assert!(lower.join("gone").exists() && !lower.join("a").exists());
    assert_eq!(std::fs::read_to_string(at("upper").join("kept")).unwrap(), "new\n");
    assert_eq!(std::fs::read_dir(at("work")).unwrap().count(), 0);
}

#[test]
fn layers_without_an_upper_one_are_merged_and_read_only() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    for name in ["top", "low"] {
        std::fs::create_dir(at(name)).unwrap();
        std::fs::write(at(name).join("both"), name).unwrap();
        std::fs::write(at(name).join(name), "").unwrap();
    }
    let sandbox = sandbox(Layers::default());
    if !sandbox.capabilities().overlay.works {
        return testkit::skip(testkit::Need::OverlayMounts, &sandbox.capabilities().overlay.detail);
    }
    let mut job = shell("ls; cat both; echo x > both || echo x > new || rm low || chmod 700 top");
    job.cwd = at("low");
    let lowers = vec![at("top"), at("low")];
    job.view.mounts = vec![Mount::Overlay { lowers, upper: None, inside: at("low") }];
    let ctx = testkit::FakeHost::new().ctx();
    let outcome = sandbox.run(&ctx, &job, &mut |_, _| {}).unwrap();
    let printed = String::from_utf8_lossy(&outcome.stdout).into_owned();
    assert_eq!((printed.as_str(), outcome.exit_code), ("both\nlow\ntop\ntop", 1));
}

#[test]
fn views_that_need_namespaces_are_refused_without_them() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    std::fs::create_dir_all(at("a/b")).unwrap();
    let writable = Mount::Writable { host: at("a"), inside: at("a") };
    let views = [
        vec![Mount::Overlay { lowers: vec![at("a"), at("b")], upper: None, inside: at("a") }],
        vec![Mount::ReadOnly { host: at("a"), inside: "/elsewhere".into() }],
        vec![Mount::Scratch { inside: at("a"), bytes: 1 << 20 }],
        vec![writable.clone(), Mount::Hidden { inside: at("a/b") }],
        vec![writable, Mount::ReadOnly { host: at("a/b"), inside: at("a/b") }],
    ];
    let ctx = testkit::FakeHost::new().ctx();
    for mounts in views {
        let mut job = shell("true");
        job.view.mounts = mounts;
        let error = sandbox(BARE).run(&ctx, &job, &mut |_, _| {}).unwrap_err();
        assert!(matches!(error, SandboxError::NeedsNamespaces { .. }), "{error}");
    }
}

#[test]
fn mounts_can_be_nested_and_hidden_paths_are_empty() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    std::fs::create_dir_all(at("project/target")).unwrap();
    std::fs::create_dir_all(at("project/.git")).unwrap();
    std::fs::write(at("project/.git/config"), "secret").unwrap();
    std::fs::write(at("project/token"), "secret").unwrap();
    std::fs::create_dir(at("target")).unwrap();
    let mut job = shell(
        "echo x > lib.rs; echo ro=$?; echo x > target/new; echo rw=$?; cat .git/config; \
         cat token; echo x > /scratch/s && echo scratch",
    );
    job.cwd = "/project".into();
    job.view.mounts = vec![
        Mount::ReadOnly { host: at("project"), inside: "/project".into() },
        Mount::Writable { host: at("target"), inside: "/project/target".into() },
        Mount::Hidden { inside: "/project/.git".into() },
        Mount::Hidden { inside: "/project/token".into() },
        Mount::Hidden { inside: "/project/not-there".into() },
        Mount::Scratch { inside: "/scratch".into(), bytes: 1 << 20 },
    ];
    let sandbox = sandbox(Layers::default());
    if !sandbox.capabilities().namespaces.works {
        return testkit::skip(
            testkit::Need::UserNamespaces,
            &sandbox.capabilities().namespaces.detail,
        );
    }
    let ctx = testkit::FakeHost::new().ctx();
    let outcome = sandbox.run(&ctx, &job, &mut |_, _| {}).unwrap();
    let received = String::from_utf8_lossy(&outcome.stdout).into_owned();
    assert_eq!(received, "ro=2\nrw=0\nscratch\n", "{}", String::from_utf8_lossy(&outcome.stderr));
    let owner = std::os::unix::fs::MetadataExt::uid(&at("target/new").metadata().unwrap());
    assert_eq!(owner, rustix::process::geteuid().as_raw());
    assert_eq!(std::fs::read_to_string(at("project/token")).unwrap(), "secret");
}

#[test]
fn invalid_mount_points_are_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    std::fs::create_dir(at("project")).unwrap();
    std::os::unix::fs::symlink("/usr", at("project/link")).unwrap();
    let project = Mount::ReadOnly { host: at("project"), inside: "/project".into() };
    let writable =
        |inside: &str| Mount::Writable { host: at("project"), inside: PathBuf::from(inside) };
    let cases = [
        (vec![project.clone(), writable("/project/link")], "a symlink is in the way"),
        (vec![project.clone(), writable("/project/missing")], "missing in a read-only mount"),
        (vec![writable("/project/../etc")], "without `..`"),
        (vec![writable("relative")], "not an absolute path"),
        (vec![Mount::ReadOnly { host: at("nowhere"), inside: "/x".into() }], "No such file"),
    ];
    let sandbox = sandbox(Layers::default());
    if !sandbox.capabilities().namespaces.works {
        return testkit::skip(
            testkit::Need::UserNamespaces,
            &sandbox.capabilities().namespaces.detail,
        );
    }
    let ctx = testkit::FakeHost::new().ctx();
    for (mounts, cause) in cases {
        let mut job = shell("true");
        job.view.mounts = mounts;
        let error = sandbox.run(&ctx, &job, &mut |_, _| {}).unwrap_err();
        assert!(matches!(error, SandboxError::MountRefused { .. }), "{error}");
        assert!(error.to_string().contains(cause), "{error}");
    }
}

#[test]
fn a_missing_program_or_folder_is_an_error_with_its_name() {
    let ctx = testkit::FakeHost::new().ctx();
    for layers in [Layers::default(), BARE] {
        let mut job = shell("true");
        job.program = "/usr/bin/no-such-program".into();
        let error = sandbox(layers).run(&ctx, &job, &mut |_, _| {}).unwrap_err();
        assert!(error.to_string().contains("`/usr/bin/no-such-program`"), "{error}");
        let mut job = shell("true");
        job.cwd = "/no/such/folder".into();
        let error = sandbox(layers).run(&ctx, &job, &mut |_, _| {}).unwrap_err();
        assert!(error.to_string().contains("/no/such/folder"), "{error}");
    }
    let error = Sandbox::new("/bin/true".into()).run(&ctx, &shell("true"), &mut |_, _| {});
    assert!(error.is_err());
}

#[test]
fn input_arrives_lines_stream_and_signals_are_passed_on() {
    for layers in [Layers::default(), BARE] {
        let mut job = shell("cat; echo last; kill -TERM $$");
        job.stdin = b"one\ntwo\n".repeat(100_000);
        job.limits.output_bytes = 10;
        let (ctx, mut lines) = (testkit::FakeHost::new().ctx(), 0);
        let outcome = sandbox(layers).run(&ctx, &job, &mut |_, _| lines += 1).unwrap();
        assert_eq!((outcome.exit_code, lines), (128 + 15, 200_001));
        assert_eq!(outcome.stdout, b"one\ntwo\non");
        assert_eq!(outcome.dropped, (800_005 - 10, 0));
    }
}

#[test]
fn in_a_conversation_each_side_waits_for_the_other() {
    for layers in [Layers::default(), BARE] {
        let (ctx, mut received) = (testkit::FakeHost::new().ctx(), Vec::new());
        let (input, mut ours) = std::io::pipe().unwrap();
        ours.write_all(b"1").unwrap();
        let mut ours = Some(ours);
        // Each byte is answered, without a newline; the end of the input is the end.
        let job =
            shell("while c=$(dd bs=1 count=1 2>/dev/null) && [ -n \"$c\" ]; do printf $c; done");
        let answer = &mut |_, bytes: &[u8]| {
            received.extend_from_slice(bytes);
            match &mut ours {
                Some(writer) if received.len() < 4 => {
                    writer.write_all(&[b'1' + received.len() as u8]).unwrap();
                }
                _ => ours = None,
            }
        };
        let outcome = sandbox(layers).converse(&ctx, &job, input.into(), answer).unwrap();
        assert_eq!((outcome.exit_code, received.as_slice()), (0, &b"1234"[..]), "{outcome:?}");
    }
}

#[test]
fn a_conversation_ends_with_the_program_though_the_input_stays_open() {
    for layers in [Layers::default(), BARE] {
        let ctx = testkit::FakeHost::new().ctx();
        let (input, mut ours) = std::io::pipe().unwrap();
        let job = shell("exit 3");
        let outcome = sandbox(layers).converse(&ctx, &job, input.into(), &mut |_, _| {}).unwrap();
        assert_eq!(outcome.exit_code, 3);
        assert!(ours.write_all(&[0; 1 << 20]).is_err(), "no reader is left");
    }
}

#[test]
fn cancellation_ends_the_job() {
    for layers in [Layers::default(), BARE] {
        let host = testkit::FakeHost::new();
        host.cancel_after(2);
        let outcome = sandbox(layers).run(&host.ctx(), &shell("sleep 60"), &mut |_, _| {}).unwrap();
        assert!(outcome.cancelled && !outcome.timed_out);
        assert!(outcome.duration < Duration::from_secs(30));
    }
}

#[test]
fn jobs_run_side_by_side() {
    let sandbox = sandbox(Layers::default());
    std::thread::scope(|scope| {
        for number in 0..8 {
            let sandbox = &sandbox;
            scope.spawn(move || {
                let ctx = testkit::FakeHost::new().ctx();
                let job = shell(&format!("sleep 0.1; echo {number}"));
                let outcome = sandbox.run(&ctx, &job, &mut |_, _| {}).unwrap();
                assert_eq!(outcome.stdout, format!("{number}\n").into_bytes());
            });
        }
    });
}

#[test]
fn a_job_has_private_folders_and_is_never_root() {
    let job = shell("test -w /dev/shm && test -w /tmp && test -r /proc/self/status && id -u");
    let sandbox = sandbox(Layers::default());
    if !sandbox.capabilities().namespaces.works {
        return testkit::skip(
            testkit::Need::UserNamespaces,
            &sandbox.capabilities().namespaces.detail,
        );
    }
    let ctx = testkit::FakeHost::new().ctx();
    let outcome = sandbox.run(&ctx, &job, &mut |_, _| {}).unwrap();
    assert_eq!(outcome.exit_code, 0, "{outcome:?}");
    assert_ne!(outcome.stdout, b"0\n", "never root inside");
}

/// How many processes have `mark` among their arguments.
fn with_mark(mark: &str) -> usize {
    let entries = std::fs::read_dir("/proc").unwrap().flatten();
    let lines = entries.filter_map(|entry| std::fs::read(entry.path().join("cmdline")).ok());
    lines.filter(|line| line.windows(mark.len()).any(|window| window == mark.as_bytes())).count()
}

fn wait_until(what: &str, done: impl Fn() -> bool) {
    for _ in 0..3000 {
        if done() {
            return;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    panic!("{what} never came");
}

#[test]
fn a_killed_caller_takes_its_job_along() {
    // The caller that is killed below.
    if let Some(mark) = testkit::job() {
        let layers = if mark.contains("bare") { BARE } else { Layers::default() };
        let sleep = format!("sleep 60.{0} & setsid sleep 60.{0}; : {mark}", std::process::id());
        run(layers, &shell(&sleep));
        return;
    }
    for kind in ["all", "bare"] {
        let mark = format!("graftage-mark-{kind}-{}", std::process::id());
        let mut caller =
            testkit::this_test_again(&mark).stdout(std::process::Stdio::null()).spawn().unwrap();
        let sleep = format!("60.{}", caller.id());
        wait_until("the job", || with_mark(&sleep) >= 3);
        caller.kill().unwrap();
        caller.wait().unwrap();
        wait_until("the end", || with_mark(&sleep) == 0);
    }
}

#[test]
fn tests_can_connect_to_themselves_only() {
    let host = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = host.local_addr().unwrap().port().to_string();
    let probe = PathBuf::from(env!("CARGO_BIN_EXE_graftage-sandbox-probe"));
    let ask = |layers, attack: &str| {
        let mut job = shell("");
        job.program = probe.clone();
        job.args = vec![attack.into()];
        job.env.insert("PROBE_TCP".into(), port.clone().into());
        job.network = Network::Loopback;
        let folder = probe.parent().unwrap().to_path_buf();
        job.view.mounts = vec![Mount::ReadOnly { host: folder.clone(), inside: folder }];
        let outcome = run(layers, &job);
        (outcome.exit_code, String::from_utf8_lossy(&outcome.stdout).into_owned())
    };
    if !sandbox(Layers::default()).capabilities().namespaces.works {
        return testkit::skip(testkit::Need::UserNamespaces, "a loopback of its own needs them");
    }
    assert_eq!(ask(Layers::default(), "tcp_listen").0, 0);
    // The interface is up and the host's listener is not visible: refused, not unreachable.
    let (code, received) = ask(Layers::default(), "tcp_to_host");
    assert!(code == 1 && received.contains("refused"), "{code} {received}");
    // Without a namespace there is no network at all.
    assert_eq!(ask(BARE, "tcp_listen").0, 1);
    assert_eq!(ask(BARE, "tcp_to_host").0, 1);
}

/// Ends as a test may end.
fn end_as(how: &str) {
    use std::os::unix::process::CommandExt;
    use std::process::{Command, exit};
    match how {
        "with a child" => assert!(Command::new("true").status().unwrap().success()),
        "with success" => exit(0),
        "with failure" => exit(3),
        "with another program" => panic!("{}", Command::new("true").exec()),
        "in a thread of its own" => std::thread::spawn(|| exit(0)).join().unwrap(),
        _ => {}
    }
}

#[test]
fn an_end_by_a_test_is_seen() {
    // The same binary in the sandbox, where this test ends as the caller asks.
    if let Ok(how) = std::env::var("ENDS_AS") {
        return end_as(&how);
    }
    let own = std::env::current_exe().unwrap();
    let ended_with = |layers: Layers, how: &str, pids: u64| {
        let mut job = shell("");
        job.limits.pids = Some(pids);
        job.program = own.clone();
        job.require = Level::BestEffort;
        job.args = ["--exact", "an_end_by_a_test_is_seen"].map(Into::into).to_vec();
        job.env.insert("ENDS_AS".into(), how.into());
        job.view.mounts.push(Mount::ReadOnly { host: own.clone(), inside: own.clone() });
        let ctx = testkit::FakeHost::new().ctx();
        let outcome = sandbox(layers).run_tests(&ctx, (&job, 1), &mut |_, _| {}).unwrap();
        (outcome.exit_code, outcome.ended_by_test)
    };
    let ended = |layers: Layers, how: &str| ended_with(layers, how, 256);
    for layers in [Layers::default(), BARE] {
        assert_eq!(ended(layers, "with its thread"), (0, false));
        assert_eq!(ended(layers, "with a child"), (0, false));
        assert_eq!(ended(layers, "with success"), (0, true));
        assert_eq!(ended(layers, "with failure"), (3, false));
        assert_eq!(ended(layers, "with another program"), (0, true));
        assert_eq!(ended(layers, "in a thread of its own"), (0, true));
    }
    // Where the harness can make no thread, a test runs in the first one.
    let alone = |how: &str| ended_with(Layers::default(), how, 1);
    assert_eq!(alone("with its thread"), (0, false));
    assert_eq!(alone("with success"), (0, true));
    assert_eq!(alone("with another program"), (0, true));
    // The control: without it that end is one of a run whose tests have all passed.
    let without = Layers { seccomp: false, ..Layers::default() };
    assert_eq!(ended(without, "with success"), (0, false));
}
