//! Bad input results in a clear error with a hint, a status other than 0, and an unchanged tree.

use std::path::Path;

use super::support::{command, graftage};

#[test]
fn a_directory_without_a_project_is_refused() {
    let project = testkit::TempProject::empty();
    let result = graftage(&project, &["check"]);
    assert_eq!(result.status, 2, "{result:#?}");
    assert_eq!(result.stdout, "");
    assert_eq!(
        result.stderr,
        "error: no `Cargo.toml` in `DIR` or its parent directories\n  hint: run inside a cargo \
         project, or pass its directory with `-C DIR`\n"
    );
}

#[test]
fn bad_usage_has_status_two() {
    let project = testkit::copy_crate("clean");
    assert_eq!(graftage(&project, &["fix", "--commit"]).status, 2);
    assert_eq!(graftage(&project, &["no-such-command"]).status, 2);
    let result = graftage(&project, &["check", "--config", "gate.max_file=1"]);
    assert_eq!(
        (result.status, result.stderr.as_str()),
        (
            2,
            "error: unknown setting `gate.max_file` (command line)\n  hint: did you mean `gate.max_files`?\n"
        )
    );
}

/// Status, standard output without the line on the sandbox, and standard error.
fn read(project: &testkit::TempProject, args: &[&str]) -> (i32, String, String) {
    let result = graftage(project, args);
    let lines = result.stdout.lines().filter(|line| !line.starts_with("confined by "));
    (result.status, lines.collect::<Vec<_>>().join("\n"), result.stderr)
}

fn request(project: &testkit::TempProject, text: impl AsRef<[u8]>) -> String {
    let file = project.beside("requests").join("edit");
    std::fs::write(&file, text).expect("a file beside the project");
    file.display().to_string()
}

#[test]
fn a_manifest_error_is_shown_as_cargo_reports_it() {
    let project = testkit::crate_project("pub fn f() {}\n");
    project.write("Cargo.toml", "[package]\nname = \"x\"\nnope = [\n");
    let before = project.digest();
    let (status, stdout, stderr) = read(&project, &["check"]);
    assert_eq!((status, stderr.as_str()), (1, ""));
    assert!(
        stdout.starts_with("error: unclosed array, expected `]`\n --> Cargo.toml:3:10\n"),
        "{stdout}"
    );
    let (status, stdout, _) = read(&project, &["fix"]);
    assert_eq!(status, 1);
    assert!(stdout.contains("cargo stopped before compiling: error: unclosed array"), "{stdout}");
    assert_eq!(project.digest(), before);
}

#[test]
fn a_missing_dependency_is_named_and_nothing_is_downloaded_offline() {
    let project = testkit::crate_project("pub fn f() {}\n");
    project.write(
        "Cargo.toml",
        "[package]\nname = \"x\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[dependencies]\n\
         no-such-crate-of-graftage = \"1\"\n",
    );
    let before = project.digest();
    let (status, stdout, _) = read(&project, &["check", "--offline"]);
    assert_eq!(status, 1);
    assert!(
        stdout.contains("no matching package named `no-such-crate-of-graftage` found"),
        "{stdout}"
    );
    assert_eq!(project.digest(), before, "not even Cargo.lock is written");
}

#[test]
fn a_missing_toolchain_has_status_three_and_is_not_installed() {
    let project = testkit::crate_project("pub fn f() {}\n");
    project.write("rust-toolchain.toml", "[toolchain]\nchannel = \"1.2.3\"\n");
    let mut command = command(&project, &["check"]);
    let output = command.env_remove("RUSTUP_TOOLCHAIN").output().unwrap();
    assert_eq!(output.status.code(), Some(3));
    assert_eq!(
        String::from_utf8_lossy(&output.stderr),
        "error: toolchain `1.2.3` is not installed, but `rust-toolchain.toml` asks for it\n  hint: \
         run `rustup toolchain install 1.2.3`; graftage never installs one. To use another: \
         `RUSTUP_TOOLCHAIN=NAME graftage …` (the order is `RUSTUP_TOOLCHAIN`, directory overrides, \
         toolchain files, rustup's default)\n"
    );
}

#[test]
fn a_source_that_is_not_utf8_is_a_diagnostic() {
    let project = testkit::crate_project("");
    project.write("src/lib.rs", b"pub fn f() {} // \xff\xfe\n");
    let result = graftage(&project, &["check", "--json"]);
    assert_eq!(result.status, 1);
    let row = &result.json()["diagnostics"][0];
    assert_eq!(row["file"], "src/lib.rs", "{row}");
    assert!(
        row["message"].as_str().unwrap().contains("stream did not contain valid UTF-8"),
        "{row}"
    );
    assert_eq!(graftage(&project, &["fix", "--json"]).json()["outcome"], "none");
}

#[test]
fn circular_modules_are_a_diagnostic() {
    let project = testkit::crate_project("mod a;\n");
    project.write("src/a.rs", "#[path = \"lib.rs\"]\nmod b;\n");
    let result = graftage(&project, &["check", "--json"]);
    assert_eq!(result.status, 1);
    let message = result.json()["diagnostics"][0]["message"].as_str().unwrap().to_owned();
    assert_eq!(message, "circular modules: src/lib.rs -> src/a.rs -> src/lib.rs");
}

#[test]
fn escape_codes_of_a_hostile_source_do_not_reach_the_terminal() {
    let project = testkit::crate_project("pub const RED: u8 = \"\u{1b}[31m\";\n");
    let result = graftage(&project, &["check"]);
    assert_eq!(result.status, 1);
    assert!(!result.stderr.contains('\u{1b}') && !result.stdout.contains('\u{1b}'), "{result:#?}");
}

#[test]
fn an_empty_crate_is_clean_and_has_nothing_to_undo() {
    let project = testkit::crate_project("");
    project.write("src/lib.rs", "");
    assert_eq!(read(&project, &["fix"]).0, 0);
    assert_eq!(
        read(&project, &["undo"]),
        (1, String::new(), "error: there is nothing to undo\n".to_owned())
    );
    assert_eq!(
        read(&project, &["redo", "x"]),
        (
            1,
            String::new(),
            "error: no accepted change has the id `x`\n  hint: an id has at least 4 characters; \
             `graftage undo` without one takes the newest change\n"
                .to_owned()
        )
    );
}

#[test]
fn edit_requests_that_do_not_parse_come_with_location_and_hint() {
    let project = testkit::copy_crate("clean");
    std::os::unix::fs::symlink("/etc/passwd", project.path("src/link.rs")).unwrap();
    let before = project.digest();
    let cases: [(&[u8], &str); 6] = [
        (
            b"{\"edits\":[{\"mode\":\"splice\"",
            "error: bad JSON at line 1, column 26: EOF while parsing an object\n  hint: fix the \
             JSON at this position\n",
        ),
        (
            b"{\"edits\":[{\"mode\":\"splice\",\"file_path\":\"../../etc/passwd\",\"expected_file_hash\":\
              \"00\",\"start_byte\":0,\"end_byte\":0,\"replacement\":\"x\"}]}",
            "error: edits[0].file_path: path `../../etc/passwd` has a `..` part\n  hint: give a path \
             inside the project, relative to its root or absolute\n",
        ),
        (
            b"hello",
            "error: the request is in no known format: JSON: does not start with `{`; unified diff: \
             no `--- ` and `+++ ` lines and no `diff --git` line; search/replace: no `<<<<<<< \
             SEARCH` line; whole file: no fence of three backticks\n  hint: give JSON `{\"edits\": \
             […]}`, a unified diff, search/replace blocks or a whole file under its path\n",
        ),
        (
            b"--- a/src/link.rs\n+++ b/src/link.rs\n@@ -1 +1 @@\n-root\n+toor\n",
            "error: file 1 of the diff (src/link.rs): file `src/link.rs` cannot be edited: it is a \
             symbolic link or is below one\n  hint: name the file that the link leads to\n",
        ),
        (
            b"--- a/src/lib.rs\n+++ b/src/lib.rs\n@@ -1 +1 @@\n-nothing like this\n+toor\n",
            "",
        ),
        (b"\xff\xfe", ""),
    ];
    for (text, expected) in cases {
        let file = request(&project, text);
        let (status, stdout, stderr) = read(&project, &["edit", "apply", &file]);
        assert_eq!((status, stdout.as_str()), (2, ""), "{stderr}");
        if expected.is_empty() {
            assert!(stderr.starts_with("error: ") && stderr.contains("\n  hint: "), "{stderr}");
        } else {
            assert_eq!(stderr, expected);
        }
    }
    assert_eq!(project.digest(), before);
}

#[test]
fn a_read_only_tree_can_be_checked_and_refuses_to_be_written() {
    let project = testkit::copy_crate("demo");
    let folder = project.path("src");
    let modes = |mode| {
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(mode)).unwrap();
    };
    let before = project.digest();
    modes(0o555);
    // Root may write in spite of the mode; a test in `repo` covers the refusal.
    let refused = std::fs::write(folder.join("probe"), "").is_err();
    let result = graftage(&project, &["fix", "--apply", "--json"]);
    modes(0o755);
    if refused {
        assert_eq!(result.status, 3, "{result:#?}");
        assert_eq!(project.digest(), before);
    } else {
        let _ = std::fs::remove_file(folder.join("probe"));
        assert_eq!(result.json()["outcome"], "applied");
    }
}

#[test]
fn a_file_as_project_directory_is_refused() {
    let project = testkit::copy_crate("clean");
    let result = graftage(&project, &["check", "-C", "Cargo.toml"]);
    assert_eq!(
        (result.status, result.stdout.as_str(), result.stderr.as_str()),
        (2, "", "error: `Cargo.toml` is not a directory\n  hint: pass a directory with `-C DIR`\n")
    );
}

#[test]
fn an_endless_request_is_refused() {
    let project = testkit::copy_crate("clean");
    let before = project.digest();
    let result = graftage(&project, &["edit", "apply", "/dev/zero"]);
    assert_eq!(
        (result.status, result.stdout.as_str(), result.stderr.as_str()),
        (2, "", "error: `/dev/zero` is larger than 64 MiB\n  hint: split the request\n")
    );
    assert_eq!(project.digest(), before);
}

#[test]
fn an_error_in_a_new_file_has_its_location() {
    let project = testkit::copy_crate("clean");
    let text = "src/fresh.rs\n```rust\npub fn f() -> u8 {\n    1\n}\nfn g() { let = ; }\n```\n";
    let file = request(&project, text);
    let before = project.digest();
    let (status, stdout, _) = read(&project, &["edit", "apply", &file]);
    assert_eq!(status, 1);
    assert!(
        stdout.contains("error: syntax error\n  --> src/fresh.rs:4 with the change"),
        "{stdout}"
    );
    assert_eq!(project.digest(), before);
}

#[test]
fn deep_nesting_in_an_edit_is_left_to_the_compiler() {
    let project = testkit::copy_crate("clean");
    let (open, close) = ("(".repeat(10_000), ")".repeat(10_000));
    let text = format!("src/deep.rs\n```rust\nfn f() {{ {open}1{close}; let = ; }}\n```\n");
    let file = request(&project, text);
    let before = project.digest();
    // No module includes the file, so nothing compiles it.
    let result = graftage(&project, &["edit", "apply", &file, "--json", "--tests", "none"]);
    assert_eq!(result.status, 0, "{}", result.stderr);
    assert_eq!(graftage(&project, &["undo"]).status, 0);
    assert_eq!(project.digest(), before);
}

#[test]
fn a_huge_file_is_no_obstacle() {
    let project = testkit::crate_project("");
    let line = "// A line of a generated file of many megabytes, with some text.\n";
    project.write("src/big.rs", line.repeat(300_000));
    project
        .write("src/lib.rs", "pub mod big;\npub fn f(x: &str) -> String {\n    x.to_strin()\n}\n");
    let result = graftage(&project, &["fix", "--apply", "--json", "--tests", "none"]);
    assert_eq!(
        (result.status, result.json()["outcome"].as_str()),
        (0, Some("applied")),
        "{result:#?}"
    );
    assert!(project.read("src/lib.rs").contains("x.to_string()"));
}

#[test]
fn of_two_concurrent_repairs_one_is_written_and_the_other_is_refused() {
    let project = testkit::crate_project("pub fn f(x: &str) -> String {\n    x.to_strin()\n}\n");
    let broken = project.digest();
    let start = || {
        let mut it = command(&project, &["fix", "--apply", "--tests", "none"]);
        it.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
        it.spawn().unwrap()
    };
    let both = [start(), start()].map(|it| it.wait_with_output().unwrap());
    assert!(project.read("src/lib.rs").contains("x.to_string()"));
    assert!(both.iter().any(|it| it.status.code() == Some(0)), "{both:#?}");
    for output in &both {
        let stderr = String::from_utf8_lossy(&output.stderr);
        match output.status.code() {
            // The later process may have found the repaired tree.
            Some(0) => {}
            Some(1) => assert!(
                stderr.contains("error: `src/lib.rs` is not what the change was made against")
                    && stderr.contains("nothing was written"),
                "{stderr}"
            ),
            other => panic!("{other:?}: {stderr}"),
        }
    }
    // There is one change, so one undo restores the old tree.
    assert_eq!(graftage(&project, &["undo"]).status, 0);
    assert_eq!(project.digest(), broken);
    assert_eq!(graftage(&project, &["undo"]).status, 1);
}

/// Runs the binary with graftage's directories on a disk of `size`; `None` if no disk can be
/// mounted.
fn on_a_small_disk(
    project: &testkit::TempProject,
    size: &str,
    args: &[&str],
) -> Option<(i32, String)> {
    let disk = project.beside("disk");
    std::fs::create_dir_all(&disk).expect("a folder for the disk");
    let binary = command(project, &[]);
    let script = format!(
        "mount -t tmpfs -o size={size},mode=755 tmpfs \"$1\" || exit 77; shift; exec \"$@\""
    );
    let mut inside = std::process::Command::new("unshare");
    inside
        .args(["--user", "--map-root-user", "--mount", "sh", "-c", &script, "sh"])
        .arg(&disk)
        .arg(binary.get_program())
        .args(args)
        .current_dir(project.root())
        .env_clear()
        .envs(binary.get_envs().filter_map(|(name, value)| Some((name, value?))))
        .env("GRAFTAGE_HOME", &disk);
    match inside.output() {
        Ok(output)
            if output.status.code() == Some(77) || !Path::new("/proc/self/ns/user").exists() =>
        {
            testkit::skip(testkit::Need::UserNamespaces, &String::from_utf8_lossy(&output.stderr));
            None
        }
        Ok(output) => {
            let result = String::from_utf8_lossy(&output.stderr).into_owned();
            Some((output.status.code().unwrap_or(-1), result))
        }
        Err(error) => {
            testkit::skip(testkit::Need::UserNamespaces, &error.to_string());
            None
        }
    }
}

#[test]
fn a_full_cache_disk_is_distinguished_from_broken_code() {
    let project = testkit::crate_project("pub fn f(x: &str) -> String {\n    x.to_strin()\n}\n");
    project
        .write("tests/it.rs", "#[test]\nfn f() {\n    assert_eq!(fixture::f(\"a\"), \"a\");\n}\n");
    let before = project.digest();
    // Enough for the check of a library, not for the binaries of its tests.
    let Some((status, result)) = on_a_small_disk(&project, "2m", &["fix", "--apply"]) else {
        return;
    };
    assert_eq!(status, 3, "{result}");
    assert!(result.contains("error: the build failed for lack of disk space: "), "{result}");
    assert!(result.contains(" on the disk of the cache folder"), "{result}");
    assert_eq!(project.digest(), before);
}

#[test]
fn an_upgrade_of_what_is_no_dependency_from_a_registry_is_refused() {
    let project = testkit::crate_project(
        "
//- /Cargo.toml
[package]
name = \"fixture\"
version = \"0.1.0\"
edition = \"2021\"
[dependencies]
near = { path = \"near\" }
//- /src/lib.rs
//- /near/Cargo.toml
[package]
name = \"near\"
version = \"0.1.0\"
edition = \"2021\"
//- /near/src/lib.rs
",
    );
    let before = project.digest();
    let result = graftage(&project, &["upgrade", "far@2"]);
    assert_eq!(result.status, 2, "{result:#?}");
    assert_eq!(
        result.stderr,
        "error: no package of the workspace depends on `far`\n  hint: its dependencies: near\n"
    );
    let result = graftage(&project, &["upgrade", "near@2"]);
    assert_eq!(result.status, 1, "{result:#?}");
    let reason = "no manifest of the project has it from a registry: change its source";
    assert!(result.stderr.contains(reason), "{}", result.stderr);
    let result = graftage(&project, &["upgrade", "near@\u{1b}[31m"]);
    assert!(!result.stderr.contains('\u{1b}'), "{}", result.stderr);
    assert_eq!(project.digest(), before);
}

#[test]
fn a_folder_of_the_user_in_the_project_is_refused() {
    let project = testkit::crate_project("");
    let trusting = "[trust]\npaths = [\"/\"]\n";
    project.write("own/config/config.toml", trusting);
    project.write("own/.config/graftage/config.toml", trusting);
    let by_link = project.beside("links").join("own");
    std::os::unix::fs::symlink(project.root().join("own"), &by_link).expect("a link");
    let own = project.root().join("own");
    for (name, folder) in
        [("HOME", &own), ("GRAFTAGE_HOME", &own), ("GRAFTAGE_HOME", &by_link), ("CARGO_HOME", &own)]
    {
        for args in [&["check"][..], &["config", "show"]] {
            let output = command(&project, args).env(name, folder).output().expect("it starts");
            let text = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(3), "{name} {text}");
            assert!(text.contains("is a folder of the project"), "{text}");
            assert!(text.contains(&format!("set {name} to a folder outside of it")), "{text}");
        }
    }
}
