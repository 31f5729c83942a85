//! What one run does, end to end.
#![allow(clippy::unwrap_used, missing_docs)]

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
        limits: Limits::default(),
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
fn shell_and_rust_snippets_answer_with_what_they_print() {
    let ctx = testkit::FakeHost::new().ctx();
    let sysroot =
        std::process::Command::new("rustc").args(["--print", "sysroot"]).output().unwrap();
    let sysroot = String::from_utf8(sysroot.stdout).unwrap();
    let rustc = PathBuf::from(sysroot.trim()).join("bin/rustc");
    for layers in [Layers::default(), BARE] {
        let done =
            execute(&ctx, &sandbox(layers), &Execute::code(Language::Shell, "echo $((6*7))"));
        assert_eq!(done.unwrap().stdout, "42\n");
        let code = "fn main() { println!(\"{}\", 6 * 7); std::process::exit(3) }";
        let rust = Language::Rust { rustc: rustc.clone() };
        let done = execute(&ctx, &sandbox(layers), &Execute::code(rust, code)).unwrap();
        assert_eq!((done.stdout.as_str(), done.exit_code), ("42\n", 3), "{done:#?}");
    }
}
