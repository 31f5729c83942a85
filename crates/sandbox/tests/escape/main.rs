//! The escape suite: every attack of [`cases::CASES`], in namespaces and with Landlock and seccomp
//! alone, as the user who runs the tests and – if that is root – as an ordinary user too. Each attack
//! is tried outside of a sandbox as well, to detect one that fails for a trivial reason.
#![allow(clippy::unwrap_used, missing_docs)]
#![allow(
    clippy::print_stderr,
    reason = "every case is printed, also stopped and inapplicable ones"
)]

mod builds;
mod cases;
mod fixture;

use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use cases::{CASES, Case, Control, Mode, Stopped};
use fixture::{Fixture, inner, is_root, probe};
use graftage_sandbox::{
    Job, JobLimits, Layers, Level, Mount, Network, Outcome, Sandbox, SandboxError, View,
};
use testkit::Need;

const OUTPUT: usize = 64 << 10;

fn job(fixture: &Fixture, case: &Case, mode: Mode, require: Level) -> Job {
    let same = |path: std::path::PathBuf| Mount::ReadOnly { host: path.clone(), inside: path };
    let project = fixture.path("project");
    let mut mounts = vec![
        Mount::Writable { host: project.clone(), inside: project.clone() },
        same(fixture.path("readonly")),
        same(fixture.path("home/.cargo/registry")),
        same(probe()),
    ];
    if mode == Mode::Namespaces {
        mounts.push(Mount::Hidden { inside: project.join("hidden") });
    }
    let mut env = vec![("PATH".to_owned(), "/usr/bin:/bin".to_owned())];
    env.push(("PROBE_WATCHED".to_owned(), "1".to_owned()));
    env.extend(fixture.variables());
    let wall = if case.stopped == Stopped::TimedOut { 500 } else { 30_000 };
    Job {
        program: probe(),
        args: vec![case.attack.into()],
        cwd: project,
        env: env.into_iter().map(|(key, value)| (key.into(), value.into())).collect(),
        stdin: Vec::new(),
        view: View { mounts },
        limits: JobLimits {
            wall: Duration::from_millis(wall),
            cpu: Some(Duration::from_secs(2)),
            memory_bytes: Some(128 << 20),
            pids: Some(64),
            file_bytes: Some(8 << 20),
            output_bytes: OUTPUT,
        },
        network: Network::Off,
        require,
    }
}

/// How the attack was stopped; the error is its success.
fn attack(sandbox: &Sandbox, case: &Case, mode: Mode, require: Level) -> Result<String, String> {
    let mut fixture = Fixture::new();
    let ctx = testkit::FakeHost::new().ctx();
    let outcome = sandbox
        .run(&ctx, &job(&fixture, case, mode, require), &mut |_, _| {})
        .map_err(|error| format!("not run: {error}"))?;
    if let Some(damage) = fixture.damage() {
        return Err(damage);
    }
    let output = String::from_utf8_lossy(&outcome.stdout[..outcome.stdout.len().min(200)]);
    let output = output.lines().next_back().unwrap_or_default().to_owned();
    if outcome.exit_code == 2 || outcome.exit_code == 127 {
        return Err(format!("the probe could not try: {output} {outcome:?}"));
    }
    match case.stopped {
        Stopped::Refused if outcome.exit_code == 0 => Err(output),
        Stopped::Refused | Stopped::Unnoticed => Ok(describe_stop(&outcome, &output)),
        Stopped::Bounded if outcome.stdout.len() > OUTPUT || outcome.dropped.0 < 1 << 20 => {
            Err(format!("kept {}, dropped {}", outcome.stdout.len(), outcome.dropped.0))
        }
        Stopped::Bounded => Ok(format!("kept {}", outcome.stdout.len())),
        Stopped::TimedOut if !outcome.timed_out => Err("not ended in time".to_owned()),
        Stopped::TimedOut => Ok("timed out".to_owned()),
    }
}

fn describe_stop(outcome: &Outcome, output: &str) -> String {
    match (outcome.out_of_memory, outcome.exit_code) {
        (true, _) => "out of memory".to_owned(),
        (false, code) if code > 128 => format!("ended by signal {}", code - 128),
        _ => output.to_owned(),
    }
}

/// The same attack without a sandbox; whether it succeeded, and its last output.
fn without_sandbox(case: &Case) -> (bool, String) {
    let mut fixture = Fixture::new();
    // Into a file: a surviving process would keep a pipe open.
    let output = fixture.path("output");
    let status = Command::new(probe())
        .arg(case.attack)
        .envs(fixture.variables())
        .env("TMPDIR", fixture.path("project"))
        .current_dir(fixture.path("project"))
        .stdin(Stdio::null())
        .stdout(std::fs::File::create(&output).unwrap())
        .stderr(Stdio::null())
        .status()
        .unwrap();
    let damaged = fixture.damage();
    let output = std::fs::read_to_string(output).unwrap();
    let output = output.lines().next_back().map(str::to_owned);
    let succeeded = match case.stopped {
        Stopped::Unnoticed => damaged.is_some(),
        _ => status.success(),
    };
    (succeeded, damaged.or(output).unwrap_or_default())
}

/// Runs every case on a few threads; the lines of the report in order.
fn for_all(run: impl Fn(&Case) -> Result<String, String> + Sync) -> Vec<Result<String, String>> {
    let (next, done) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                while let Some(case) = CASES.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let line = run(case);
                    done.lock().unwrap().push((case.attack, line));
                }
            });
        }
    });
    let done = done.into_inner().unwrap();
    let of = |case: &Case| done.iter().find(|(name, _)| *name == case.attack).unwrap().1.clone();
    CASES.iter().map(of).collect()
}

fn suite(title: &str, layers: Layers, mode: Mode, only: impl Fn(&Case) -> bool + Sync) {
    // A descriptor that every process started from here inherits, unless the sandbox closes it.
    let leak = rustix::io::dup(std::fs::File::open("/").unwrap()).unwrap();
    let sandbox = Sandbox::with_layers(inner(), layers);
    let who = if is_root() { "root" } else { "an ordinary user" };
    let namespaced = mode == Mode::Namespaces;
    let needed = if namespaced && layers.landlock { Level::Strong } else { Level::Standard };
    let found = sandbox.capabilities();
    if found.level < needed || found.namespaces.works != namespaced {
        let need = match found.namespaces.works {
            false if namespaced => Need::UserNamespaces,
            _ => Need::Landlock,
        };
        testkit::skip(need, &format!("{title}, as {who}: {found:?}"));
        return;
    }
    let lines = for_all(|case| {
        if let Some((_, why)) = case.not_in.iter().find(|(not, _)| *not == mode) {
            return Ok(format!("does not apply: {why}"));
        }
        if !only(case) {
            return Ok("not in this run".to_owned());
        }
        attack(&sandbox, case, mode, needed)
    });
    drop(leak);
    report(&format!("{title}, as {who}"), &lines);
}

fn report(title: &str, lines: &[Result<String, String>]) {
    let mut failed = Vec::new();
    eprintln!("== {title}: {} cases", lines.len());
    for (case, line) in CASES.iter().zip(lines) {
        match line {
            Ok(how) => eprintln!("   {:38} {how}", case.attack),
            Err(why) => {
                eprintln!("!! {:38} {why}", case.attack);
                failed.push(case.attack);
            }
        }
    }
    assert!(failed.is_empty(), "{title}: {failed:?}");
}

/// `EBADF` and `EFAULT`: the attack itself is wrong.
const MADE_WRONGLY: [&str; 2] = ["(os error 9)", "(os error 14)"];

fn bare() -> Layers {
    Layers { namespaces: false, overlay: false, ..Layers::default() }
}

fn takes_resources(case: &Case) -> bool {
    let names = ["bomb", "hog", "fill", "large", "flood", "line", "spin", "sleep", "many"];
    names.iter().any(|name| case.attack.contains(name))
}

#[test]
fn every_attack_is_stopped_in_namespaces() {
    suite("namespaces", Layers::default(), Mode::Namespaces, |_| true);
}

#[test]
fn every_attack_is_stopped_by_landlock_and_seccomp_alone() {
    suite("landlock and seccomp", bare(), Mode::Bare, |_| true);
}

#[test]
fn every_attack_is_stopped_in_namespaces_without_landlock() {
    let layers = Layers { landlock: false, ..Layers::default() };
    suite("namespaces without landlock", layers, Mode::Namespaces, |_| true);
}

#[test]
fn limits_hold_without_control_groups() {
    let namespaces = Layers { cgroups: false, ..Layers::default() };
    suite("namespaces without control groups", namespaces, Mode::Namespaces, |case| {
        takes_resources(case)
    });
    let bare = Layers { cgroups: false, ..bare() };
    suite("landlock without control groups", bare, Mode::Bare, |case| {
        // Root is exempt from the kernel's limit; listed in `degraded`.
        takes_resources(case) && !(is_root() && case.attack.contains("bomb"))
    });
}

#[test]
fn every_attack_succeeds_without_a_sandbox() {
    let leak = rustix::io::dup(std::fs::File::open("/").unwrap()).unwrap();
    let lacking = Mutex::new(Vec::new());
    let lines = for_all(|case| {
        let must = match case.control {
            Control::Never(why) => return Ok(format!("not tried: {why}")),
            Control::Depends => false,
            Control::SucceedsForRoot => fixture::is_root_with_all_rights(),
            Control::Succeeds => true,
        };
        let (succeeded, output) = without_sandbox(case);
        if succeeded {
            return Ok(output);
        }
        // The machine or the user lacks the requirement; a wrong call would show neither.
        if must || MADE_WRONGLY.iter().any(|error| output.contains(error)) {
            return Err(output);
        }
        lacking.lock().unwrap().push(case.attack);
        Ok(output)
    });
    drop(leak);
    let never = CASES.iter().filter(|case| matches!(case.control, Control::Never(_))).count();
    let lacking = lacking.into_inner().unwrap();
    eprintln!(
        "controls: {} succeed, {} fail on this machine without a sandbox too ({}), {never} are \
         not tried",
        CASES.len() - never - lacking.len(),
        lacking.len(),
        lacking.join(", ")
    );
    report("without a sandbox", &lines);
}

#[test]
fn every_attack_is_stopped_in_namespaces_for_an_ordinary_user() {
    as_ordinary_user("every_attack_is_stopped_in_namespaces");
}

#[test]
fn every_attack_is_stopped_without_landlock_for_an_ordinary_user() {
    as_ordinary_user("every_attack_is_stopped_in_namespaces_without_landlock");
}

#[test]
fn every_attack_is_stopped_by_landlock_and_seccomp_alone_for_an_ordinary_user() {
    as_ordinary_user("every_attack_is_stopped_by_landlock_and_seccomp_alone");
}

#[test]
fn every_attack_succeeds_without_a_sandbox_for_an_ordinary_user() {
    as_ordinary_user("every_attack_succeeds_without_a_sandbox");
}

/// Runs another test of this suite once more, with copies of the programs and without rights.
///
/// Such a user has no control group, so the limits are held without one.
fn as_ordinary_user(test: &str) {
    let programs = [("ESCAPE_INNER", inner()), ("ESCAPE_PROBE", probe())];
    let programs = programs.each_ref().map(|(name, path)| (*name, path.as_path()));
    testkit::as_ordinary_user(&["--exact", test], &programs);
}

#[test]
fn a_level_that_cannot_be_met_is_refused_with_a_hint() {
    let fixture = Fixture::new();
    let case = &CASES[0];
    let ctx = testkit::FakeHost::new().ctx();
    let none = Layers {
        namespaces: false,
        overlay: false,
        landlock: false,
        seccomp: false,
        cgroups: false,
    };
    for (layers, level) in [(bare(), Level::Strong), (none, Level::Standard)] {
        let job = job(&fixture, case, Mode::Bare, level);
        let error = Sandbox::with_layers(inner(), layers).run(&ctx, &job, &mut |_, _| {});
        let error = error.unwrap_err();
        assert!(matches!(error, SandboxError::LevelUnmet { .. }), "{error}");
        assert!(base::Hint::hint(&error).unwrap().contains("sysctl"), "{error}");
    }
}
