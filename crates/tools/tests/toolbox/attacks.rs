//! Attacks on the file tools: paths that lead out, special files, and texts that take for ever.

use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::time::{Duration, Instant};

use expect_test::expect;
use graftage_tools::Toolbox;
use serde_json::{Value, json};

use crate::Bench;

/// Text that only an attack can get.
const SECRET: &str = "what no tool may read";

/// Paths that lead out of the project, or to what is no file of it.
fn hostile_paths(bench: &Bench) -> Vec<String> {
    let project = &bench.project;
    let outside = project.beside("outside");
    std::fs::create_dir_all(&outside).unwrap();
    std::fs::write(outside.join("secret"), SECRET).unwrap();
    project.git().commit_all("first");
    project.write(".git/secret", SECRET);
    symlink(outside.join("secret"), project.path("link")).unwrap();
    symlink("../outside/secret", project.path("relative_link")).unwrap();
    symlink(&outside, project.path("folder_link")).unwrap();
    symlink("loop", project.path("loop")).unwrap();
    symlink("/dev/zero", project.path("zero")).unwrap();
    symlink("/proc/self/environ", project.path("environ")).unwrap();
    symlink(".git", project.path("git_link")).unwrap();
    rustix::fs::mkfifoat(rustix::fs::CWD, project.path("pipe"), 0o600.into()).unwrap();
    std::mem::forget(UnixListener::bind(project.path("socket")).unwrap());
    let paths = [
        "../outside/secret",
        "src/../../outside/secret",
        "/etc/passwd",
        "/dev/zero",
        "link",
        "relative_link",
        "folder_link/secret",
        "loop",
        "zero",
        "environ",
        "git_link/secret",
        ".git/secret",
        ".GIT/secret",
        "src/.git/x",
        "pipe",
        "socket",
        "src",
        "",
        ".",
        "a\0b",
        "src/lib.rs/x",
        &"a/".repeat(5_000),
    ]
    .map(str::to_owned);
    let mut paths = paths.to_vec();
    paths.push(outside.join("secret").display().to_string());
    paths
}

fn within(limit: Duration, what: &str, run: impl FnOnce() -> String) -> String {
    let began = Instant::now();
    let text = run();
    assert!(began.elapsed() < limit, "{what} took {:?}", began.elapsed());
    assert!(!text.contains(SECRET), "{what}: {text}");
    text
}

#[test]
fn no_path_leads_out_and_no_special_file_blocks() {
    let bench = Bench::new();
    let paths = hostile_paths(&bench);
    let before = bench.project.digest();
    let secret = bench.project.beside("outside").join("secret");
    let root = bench.project.root().parent().unwrap().display().to_string();
    let mut report = String::new();
    for path in &paths {
        let text = within(Duration::from_secs(10), path, || {
            bench.errors("read", &[json!({ "file": path })])
        });
        assert!(!text.contains("ANSWERED"), "{text}");
        let cut: String = text.replace(&root, "…").chars().take(200).collect();
        report.push_str(cut.trim_end());
        report.push('\n');
        let edits = json!([{ "find": "a", "replace": "b" }]);
        for (tool, input) in [
            ("edit", json!({ "file": path, "edits": edits })),
            ("write", json!({ "file": path, "text": "changed" })),
            ("exec", json!({ "command": "ls", "cwd": path })),
        ] {
            let text = within(Duration::from_secs(20), path, || bench.errors(tool, &[input]));
            let is_root = tool == "exec" && ["", ".", "src"].contains(&path.as_str());
            // A link that leads nowhere, or a new file, is no way out: nothing is written.
            assert!(is_root || !text.contains("ANSWERED") || tool == "write", "{tool} {text}");
        }
    }
    expect![[r#"
        {"file":"../outside/secret"}
          file: path `../outside/secret` has a `..` part
        {"file":"src/../../outside/secret"}
          file: path `src/../../outside/secret` has a `..` part
        {"file":"/etc/passwd"}
          file: path `/etc/passwd` is outside the project
        {"file":"/dev/zero"}
          file: path `/dev/zero` is outside the project
        {"file":"link"}
          file: `link`: it is a symbolic link, or is reached through one
        {"file":"relative_link"}
          file: `relative_link`: it is a symbolic link, or is reached through one
        {"file":"folder_link/secret"}
          file: `folder_link/secret`: it is a symbolic link, or is reached through one
        {"file":"loop"}
          file: `loop`: it is a symbolic link, or is reached through one
        {"file":"zero"}
          file: `zero`: it is a symbolic link, or is reached through one
        {"file":"environ"}
          file: `environ`: it is a symbolic link, or is reached through one
        {"file":"git_link/secret"}
          file: `git_link/secret`: it is a symbolic link, or is reached through one
        {"file":".git/secret"}
          file: it is in the git folder
        {"file":".GIT/secret"}
          file: it is in the git folder
        {"file":"src/.git/x"}
          file: it is in the git folder
        {"file":"pipe"}
          file: `pipe`: it is not a regular file
        {"file":"socket"}
          file: `socket`: it is not a regular file
        {"file":"src"}
          file: `src`: it is not a regular file
        {"file":""}
          file: path is empty
        {"file":"."}
          file: path is empty
        {"file":"a\u0000b"}
          file: path `a\0b` has a character that is not allowed in a source path
        {"file":"src/lib.rs/x"}
          file: there is no file `src/lib.rs/x`
        {"file":"a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a
        {"file":"…/outside/secret"}
          file: path `…/outside/secret` is outside the project
    "#]].assert_eq(&report);
    assert_eq!(before.differences(&bench.project.digest()), "");
    assert_eq!(std::fs::read_to_string(secret).unwrap(), SECRET);
}

#[test]
fn a_huge_file_is_refused_at_once() {
    let bench = Bench::new();
    let huge = std::fs::File::create(bench.project.path("huge.rs")).unwrap();
    huge.set_len(64 << 30).unwrap();
    let edits = json!([{ "find": "a", "replace": "b" }]);
    for (tool, input) in [
        ("read", json!({ "file": "huge.rs" })),
        ("edit", json!({ "file": "huge.rs", "edits": edits })),
    ] {
        let text = within(Duration::from_secs(5), tool, || bench.call(tool, input));
        assert!(text.contains("`huge.rs` is larger than 32 MiB"), "{text}");
    }
    let found = within(Duration::from_secs(5), "grep", || {
        bench.call("grep", json!({ "pattern": "x", "files": "*.rs" }))
    });
    assert!(found.contains("\"skipped\": 1"), "{found}");
}

#[test]
fn searches_see_nothing_outside_and_end() {
    let bench = Bench::new();
    hostile_paths(&bench);
    let limit = Duration::from_secs(25);
    let all = |input: Value, tool: &str| within(limit, tool, || bench.call(tool, input));
    let found = all(json!({ "pattern": "what no tool", "files": "**" }), "grep");
    assert!(!found.contains("secret"), "{found}");
    all(json!({ "pattern": "what no tool", "files": "{**,.*/**}" }), "grep");
    let listed = all(json!({ "pattern": "**", "limit": 1000 }), "glob");
    for name in ["secret", "link", "pipe", "socket", ".git"] {
        assert!(!listed.contains(name), "{name}: {listed}");
    }
    bench.project.write("aaa.txt", "a".repeat(20 << 20));
    let slow = [
        "(a*)*b",
        "(a|a)*b",
        "(x+x+)+y",
        "((a{1,50}){1,50}){1,50}",
        "a{1000}{1000}",
        "(?:(?:)*)*b",
    ];
    for pattern in slow {
        all(json!({ "pattern": pattern, "files": "aaa.txt" }), "grep");
    }
    for pattern in ["{a,b}".repeat(90), "*".repeat(400), "**/".repeat(150), "[".repeat(400)] {
        all(json!({ "pattern": pattern }), "glob");
    }
    for pattern in
        ["(".repeat(900), "a|".repeat(450), "\\p{L}{900}".to_owned(), "(?s).*\n.*".to_owned()]
    {
        all(json!({ "pattern": pattern }), "grep");
    }
}

#[test]
fn a_process_reaches_nothing_outside() {
    let bench = Bench::new();
    hostile_paths(&bench);
    let secret = bench.project.beside("outside").join("secret");
    let before = bench.project.digest();
    let run =
        |code: String| bench.call("execute", json!({ "lang": "sh", "code": code, "timeout": 20 }));
    let attacks = [
        format!("cat {}", secret.display()),
        "cat link relative_link folder_link/secret".to_owned(),
        format!("echo x > {}; echo x > link; echo x > folder_link/new", secret.display()),
        "cat /etc/shadow ~root/.ssh/* /root/.cargo/credentials.toml".to_owned(),
        "exec 3<>/dev/tcp/1.1.1.1/53 || getent hosts example.org".to_owned(),
        "cat /proc/1/environ /proc/$PPID/environ".to_owned(),
        "(sleep 300; echo late > src/late.rs) & exit 0".to_owned(),
        ":(){ :|:& };:".to_owned(),
        "head -c 2000000000 /dev/zero > big; ls -l big".to_owned(),
        "a=x; while :; do a=$a$a; done".to_owned(),
        "yes".to_owned(),
    ];
    for attack in attacks {
        let text = within(Duration::from_secs(60), &attack, || run(attack.clone()));
        assert!(text.len() < 50_000, "{attack}: {} bytes", text.len());
    }
    assert_eq!(before.differences(&bench.project.digest()), "");
    assert_eq!(std::fs::read_to_string(secret).unwrap(), SECRET);
    assert!(!bench.project.beside("outside").join("new").exists());
}

#[test]
fn settings_and_folders_of_graftage_are_not_written() {
    let bench = Bench::new();
    let state = bench.workspace.project().state_dir().display().to_string();
    let paths = ["graftage.toml", "graftage-policy.toml", "./graftage.toml", &state];
    let inputs = paths.map(|path| json!({ "file": path, "text": "" }));
    let errors = bench.errors("write", &inputs);
    assert!(!errors.contains("ANSWERED"), "{errors}");
}

#[test]
fn a_cancelled_call_ends() {
    let host = testkit::TestHost::new();
    let bench = Bench::new();
    host.cancel();
    let ctx = host.ctx();
    for (name, input) in [
        ("glob", json!({ "pattern": "**" })),
        ("grep", json!({ "pattern": "a" })),
        ("exec", json!({ "command": "sleep", "args": ["100"] })),
        ("execute", json!({ "lang": "sh", "code": "sleep 100" })),
    ] {
        let error = Toolbox::standard()
            .with_files()
            .call(&ctx, &bench.workspace, name, &input)
            .unwrap_err();
        assert_eq!(error.kind, project::ExitKind::Interrupted, "{name}: {error}");
    }
}

#[test]
fn no_input_makes_a_tool_panic() {
    let bench = Bench::new();
    let values = [
        json!(null),
        json!(-1),
        json!(u64::MAX),
        json!(1e300),
        json!(""),
        json!("\u{0}\u{1b}[2J"),
        json!("é".repeat(200_000)),
        json!([]),
        json!([[]]),
        json!({}),
        json!(true),
    ];
    for tool in bench.toolbox.list() {
        // They build the project for each valid input.
        if ["check", "apply", "preflight"].contains(&tool.card.name) {
            continue;
        }
        let fields: Vec<&String> =
            tool.input_schema["properties"].as_object().unwrap().keys().collect();
        for value in &values {
            bench.call(tool.card.name, value.clone());
            for field in &fields {
                bench.call(tool.card.name, json!({ field.as_str(): value }));
            }
            let all: serde_json::Map<String, Value> =
                fields.iter().map(|field| ((*field).clone(), value.clone())).collect();
            bench.call(tool.card.name, Value::Object(all));
        }
    }
}
