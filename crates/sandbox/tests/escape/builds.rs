//! Attacks that come with a project: build scripts, procedural macros, git hooks. Each is run
//! without a sandbox first, where it must succeed.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use graftage_sandbox::{Job, JobLimits, Layers, Level, Mount, Network, Sandbox, View};

use super::bare;
use super::fixture::{Fixture, inner};

/// The three attacks of the build script and the macro, each reported by one line.
const ATTACK: &str = r#"
fn attack() -> Vec<String> {
    let at = |name: &str| std::env::var(format!("PROBE_{name}")).unwrap();
    let result = |name: &str, done: bool| {
        format!("{} {name}", if done { "ESCAPED" } else { "BLOCKED" })
    };
    let address = format!("127.0.0.1:{}", at("TCP"));
    vec![
        result("write", std::fs::write(at("OUTSIDE") + "/written", "x").is_ok()),
        result("read", std::fs::read(at("HOME") + "/.cargo/credentials.toml").is_ok()),
        result("tcp", std::net::TcpStream::connect(address).is_ok()),
    ]
}
"#;

fn write_crate(folder: &Path) {
    let write = |path: &str, text: &str| {
        let path = folder.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    let package = "version = \"0.1.0\"\nedition = \"2024\"\n";
    write(
        "Cargo.toml",
        &format!(
            "[package]\nname = \"hostile\"\n{package}[dependencies]\nmacros = {{ path = \"macros\" }}\n\
             [workspace]\n"
        ),
    );
    let build = "fn main() { for line in attack() { println!(\"cargo::warning={line}\"); } }\n";
    write("build.rs", &format!("{build}{ATTACK}"));
    write("src/main.rs", "fn main() { println!(\"{}\", macros::attack!()); }\n");
    write(
        "macros/Cargo.toml",
        &format!("[package]\nname = \"macros\"\n{package}[lib]\nproc-macro = true\n"),
    );
    let body = "#[proc_macro]\npub fn attack(_: proc_macro::TokenStream) -> proc_macro::TokenStream \
                { format!(\"{:?}\", attack_lines()).parse().unwrap() }\n\
                fn attack_lines() -> String { attack_all().join(\"\\n\") }\n";
    let all = ATTACK.replace("fn attack()", "fn attack_all()");
    write("macros/src/lib.rs", &format!("extern crate proc_macro;\n{body}{all}"));
}

/// The folder of the toolchain in use, past any proxy.
fn sysroot() -> Option<PathBuf> {
    let output = Command::new("rustc").args(["--print", "sysroot"]).output().ok()?;
    Some(PathBuf::from(String::from_utf8(output.stdout).ok()?.trim()))
}

fn same(path: &Path) -> Mount {
    Mount::ReadOnly { host: path.into(), inside: path.into() }
}

fn job(fixture: &Fixture, program: PathBuf, args: &[&str], shown: &[&Path]) -> Job {
    let project = fixture.path("project");
    let mut env = fixture.variables();
    let path = match shown.first() {
        Some(sysroot) => format!("{}/bin:/usr/bin:/bin", sysroot.display()),
        None => "/usr/bin:/bin".to_owned(),
    };
    for (key, value) in [
        ("PATH", path.as_str()),
        ("HOME", "/nonexistent"),
        ("CARGO_HOME", project.join("cargo-home").to_str().unwrap()),
        ("GIT_CONFIG_NOSYSTEM", "1"),
        ("GIT_AUTHOR_NAME", "a"),
        ("GIT_AUTHOR_EMAIL", "a@b"),
        ("GIT_COMMITTER_NAME", "a"),
        ("GIT_COMMITTER_EMAIL", "a@b"),
    ] {
        env.push((key.to_owned(), value.to_owned()));
    }
    let mut mounts: Vec<Mount> = shown.iter().map(|path| same(path)).collect();
    mounts.push(Mount::Writable { host: project.clone(), inside: project.clone() });
    Job {
        program,
        args: args.iter().map(Into::into).collect(),
        cwd: project,
        env: env.into_iter().map(|(key, value)| (key.into(), value.into())).collect(),
        stdin: Vec::new(),
        view: View { mounts },
        limits: JobLimits {
            wall: Duration::from_secs(300),
            memory_bytes: Some(4 << 30),
            ..JobLimits::default()
        },
        network: Network::Off,
        require: Level::Standard,
    }
}

fn outside(job: &Job) -> (bool, String) {
    let output = Command::new(&job.program)
        .args(&job.args)
        .current_dir(&job.cwd)
        .env_clear()
        .envs(&job.env)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let text = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8_lossy(&text).into_owned())
}

/// Runs in both kinds of sandbox; returns the output after a check that nothing outside changed.
fn inside(prepare: impl Fn(&Fixture) -> Job) -> Vec<(i32, String)> {
    [Layers::default(), bare()]
        .map(|layers| {
            let mut fixture = Fixture::new();
            let job = prepare(&fixture);
            let ctx = testkit::FakeHost::new().ctx();
            let sandbox = Sandbox::with_layers(inner(), layers);
            let outcome = sandbox.run(&ctx, &job, &mut |_, _| {}).unwrap();
            assert_eq!(fixture.damage(), None);
            let output = [outcome.stdout, outcome.stderr].concat();
            (outcome.exit_code, String::from_utf8_lossy(&output).into_owned())
        })
        .into()
}

#[test]
fn hostile_build_scripts_and_macros_are_stopped_and_the_build_succeeds() {
    let Some(sysroot) = sysroot() else {
        testkit::skip(testkit::Need::RustToolchain, "no rustc that this user may run");
        return;
    };
    let prepare = |fixture: &Fixture| {
        write_crate(&fixture.path("project"));
        // Cargo walks the whole package, and gives up at a folder that it cannot enter.
        std::fs::remove_file(fixture.path("project/trap")).unwrap();
        let args = ["run", "--offline"];
        job(fixture, sysroot.join("bin/cargo"), &args, &[&sysroot])
    };
    let mut fixture = Fixture::new();
    let (succeeded, output) = outside(&prepare(&fixture));
    assert!(succeeded && output.matches("ESCAPED").count() == 6, "{output}");
    assert!(fixture.damage().is_some());
    for (code, output) in inside(prepare) {
        assert_eq!(code, 0, "{output}");
        assert_eq!(output.matches("BLOCKED").count(), 6, "{output}");
        assert!(!output.contains("ESCAPED"), "{output}");
    }
}

#[test]
fn hostile_git_hooks_are_stopped() {
    if !Path::new("/usr/bin/git").exists() {
        testkit::skip(testkit::Need::GitInUsrBin, "no /usr/bin/git");
        return;
    }
    let prepare = |fixture: &Fixture| {
        let project = fixture.path("project");
        let job = |args: &[&str]| job(fixture, "/usr/bin/git".into(), args, &[]);
        let (made, output) = outside(&job(&["init", "--quiet"]));
        assert!(made, "{output}");
        for hook in ["pre-commit", "commit-msg", "post-commit"] {
            let hook = project.join(".git/hooks").join(hook);
            let text = "#!/bin/sh\necho x > \"$PROBE_OUTSIDE/written\" && echo ESCAPED\n\
                        cat \"$PROBE_HOME/.ssh/id_ed25519\" && echo ESCAPED\necho tried\nexit 0\n";
            std::fs::write(&hook, text).unwrap();
            let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
            std::fs::set_permissions(hook, mode).unwrap();
        }
        job(&["commit", "--allow-empty", "--message", "x"])
    };
    let mut fixture = Fixture::new();
    let (succeeded, output) = outside(&prepare(&fixture));
    assert!(succeeded && output.matches("ESCAPED").count() == 6, "{output}");
    assert!(fixture.damage().is_some());
    for (code, output) in inside(prepare) {
        assert_eq!(code, 0, "{output}");
        assert_eq!(output.matches("tried").count(), 3, "{output}");
        assert!(!output.contains("ESCAPED"), "{output}");
    }
}
