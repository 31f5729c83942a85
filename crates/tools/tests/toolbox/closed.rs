//! Attacks of an agent on what limits it, and on files that only the user opens.

use serde_json::json;

use crate::Bench;

/// What limits an agent, or is secret, with its text.
const CLOSED: [(&str, &str); 14] = [
    (".cargo/config.toml", "[doc]\nbrowser = \"./x\"\n"),
    (".claude/settings.json", "{\"secret\": 1}\n"),
    (".mcp.json", "{\"secret\": 1}\n"),
    (".vscode/tasks.json", "{\"secret\": 1}\n"),
    (".envrc", "export secret=1\n"),
    (".env", "secret=1\n"),
    (".github/workflows/ci.yml", "secret: 1\n"),
    (".git/config", "[core]\nsecret = 1\n"),
    (".git/hooks/pre-commit", "secret\n"),
    ("ignored/key.txt", "secret\n"),
    ("local.env", "secret=1\n"),
    ("a/.hidden/x.rs", "// secret\n"),
    (".cursor/mcp.json", "{\"secret\": 1}\n"),
    (".netrc", "secret\n"),
];

#[test]
fn hidden_and_ignored_files_are_not_read_proposed_or_shown_by_any_tool() {
    let bench = Bench::new();
    for (path, text) in CLOSED {
        bench.project.write(path, text);
    }
    bench.project.write(".gitignore", "/ignored\nlocal.env\n");
    for (path, text) in CLOSED {
        // Control: the file is there, and the text is the one that must not be shown.
        assert_eq!(bench.project.read(path), text);
        let diff = format!("--- a/{path}\n+++ b/{path}\n@@ -1 +1 @@\n-{}+x\n", first_line(text));
        let blocks = format!("{path}\n<<<<<<< SEARCH\nsec\n=======\nx\n>>>>>>> REPLACE\n");
        for (tool, input) in [
            ("read", json!({ "file": path })),
            (
                "edit",
                json!({ "file": path, "edits": [{ "find": "e", "replace": "x", "count": 9 }] }),
            ),
            ("write", json!({ "file": path, "text": "x\n" })),
            ("propose_edit", json!({ "diff": true, "text": diff })),
            ("propose_edit", json!({ "diff": true, "text": blocks })),
            (
                "propose_edit",
                json!({ "diff": true, "edits": [{ "mode": "file", "file_path": path, "text": "x\n" }] }),
            ),
            ("grep", json!({ "pattern": "secret|browser", "files": path })),
        ] {
            let answer = bench.toolbox.call(&bench.ctx, &bench.workspace, tool, &input);
            let shown = match answer {
                Ok(it) if tool == "grep" => it["files"].to_string(),
                Ok(it) => panic!("{tool} {path}: {it}"),
                Err(error) => error.to_string(),
            };
            let is_echo = shown.contains("secret|browser");
            assert!(
                is_echo || !(shown.contains("secret") || shown.contains("browser =")),
                "{shown}"
            );
        }
    }
    let list = bench.call("proposals", json!({ "all": true }));
    assert!(!list.contains("secret"), "{list}");
}

#[test]
fn documentation_and_code_from_closed_files_are_left_out_of_an_answer() {
    let bench = Bench::new();
    bench.project.write(".gitignore", "private.md\n");
    for (path, text) in [
        ("private.md", "secret of git\n"),
        (".hid/notes.md", "secret of a folder\n"),
        ("open.md", "open text\n"),
        ("src/.inner/part.rs", "pub fn inside() -> u8 { let secret = 7; secret }\n"),
    ] {
        bench.project.write(path, text);
    }
    let docs = |name: &str, path: &str| {
        format!("/// Head.\n#[doc = include_str!(\"../{path}\")]\npub fn {name}() {{}}\n")
    };
    let lib = [
        docs("ignored", "private.md"),
        docs("hidden", ".hid/notes.md"),
        docs("control", "open.md"),
        "#[path = \".inner/part.rs\"]\npub mod part;\n".to_owned(),
    ];
    bench.project.write("src/lib.rs", lib.concat());
    std::os::unix::fs::symlink("private.md", bench.project.path("linked.md")).unwrap();
    let linked = docs("linked", "linked.md");
    bench.project.write("src/lib.rs", format!("{}{linked}", lib.concat()));
    for (item, reason) in [
        ("ignored", "git ignores it"),
        ("hidden", "it is hidden"),
        ("linked", "git ignores it"),
        ("inside", "it is hidden"),
    ] {
        let shown = bench.answer("show", json!({ "item": item })).to_string();
        assert!(!shown.contains("secret") && shown.contains(reason), "{item}: {shown}");
    }
    // Control: an open file is shown, and a person sees them all.
    let open = bench.answer("show", json!({ "item": "control" }));
    assert_eq!(open["docs"], "Head.\nopen text", "{open}");
    let of_person = crate::open_for_person(&bench.ctx, bench.project.root());
    for item in ["ignored", "hidden", "linked", "inside"] {
        let access = project::FileAccess::Person;
        let shown = code::show(&bench.ctx, &of_person, item, access).unwrap();
        assert!(shown.docs.contains("secret") || shown.code.contains("secret"), "{item}");
    }
}

#[test]
fn no_part_of_an_id_names_a_proposal_or_a_change_to_an_agent() {
    let bench = Bench::new();
    let edit = json!({ "file": "src/lib.rs", "edits": [{ "find": "n * 2", "replace": "n + n" }] });
    let staged = bench.answer("edit", edit);
    let id = staged["proposal_id"].as_str().unwrap();
    for length in [0, 1, 4, id.len() - 1] {
        let part = &id[..length];
        for (tool, input) in [
            ("apply", json!({ "ids": [part], "tests": "none" })),
            ("preflight", json!({ "ids": [id, part], "tests": "none" })),
            ("reject", json!({ "ids": [part], "reason": "no" })),
            ("proposals", json!({ "id": part })),
            ("undo", json!({ "change": part })),
        ] {
            let error = bench.toolbox.call(&bench.ctx, &bench.workspace, tool, &input).unwrap_err();
            assert!(error.reason.contains("less than 8"), "{tool} {part}: {error}");
            assert!(error.field.is_some() && error.fix.contains("at least 8"), "{error:?}");
        }
    }
    // Control: the whole id names it, for each of the tools.
    assert_eq!(bench.answer("proposals", json!({ "id": id }))["proposals"][0]["id"], id);
    let applied = bench.answer("apply", json!({ "ids": [id], "tests": "none" }));
    let change = applied["change"].as_str().unwrap();
    bench.answer("undo", json!({ "change": change }));
}

#[test]
fn an_agent_reverts_only_what_leaves_a_tree_that_was_there() {
    let bench = Bench::new();
    let undo = || {
        let input = json!({});
        bench.toolbox.call(&bench.ctx, &bench.workspace, "undo", &input).unwrap_err().reason
    };
    let apply = |find: &str, replace: &str| {
        let edit = json!({ "file": "src/lib.rs", "edits": [{ "find": find, "replace": replace }] });
        let id = bench.answer("edit", edit)["proposal_id"].clone();
        let applied = bench.answer("apply", json!({ "ids": [id], "tests": "none" }));
        assert_eq!(applied["applied"], true, "{applied}");
    };
    apply("n * 2", "n + n");
    bench.project.write("notes.md", "of a person\n");
    assert!(undo().contains("other files have changed"), "{}", undo());
    // Control: without that file it is undone.
    bench.project.remove("notes.md");
    bench.answer("undo", json!({}));
    apply("n * 2", "n + n");
    bench.project.git();
    assert!(undo().contains("committed"), "{}", undo());
}

#[test]
fn an_agent_reverts_no_change_of_which_a_part_is_committed() {
    let bench = Bench::new();
    let git = bench.project.git();
    let text = "src/more.rs\n```\npub fn f() {}\n```\nsrc/new.rs\n```\npub fn g() {}\n```\n";
    let proposed = bench.answer("propose_edit", json!({ "text": text }));
    let id = proposed["proposal_id"].clone();
    let applied = bench.answer("apply", json!({ "ids": [id], "tests": "none" }));
    assert_eq!(applied["applied"], true, "{proposed} {applied}");
    git.run(&["add", "src/new.rs"]);
    git.run(&["commit", "-qm", "new"]);
    let input = json!({});
    let error = bench.toolbox.call(&bench.ctx, &bench.workspace, "undo", &input).unwrap_err();
    assert!(error.reason.contains("committed"), "{}", error.reason);
}

fn first_line(text: &str) -> String {
    text.lines().next().map(|it| format!("{it}\n")).unwrap_or_default()
}

#[test]
fn what_decides_how_code_is_built_is_staged_by_an_agent_and_refused_by_the_gate() {
    let bench = Bench::new();
    let manifest = bench.project.read("Cargo.toml");
    for (path, text) in [
        ("graftage.toml", "[gate]\nmax_files = 9\n".to_owned()),
        ("graftage-policy.toml", "".to_owned() + "# none\n"),
        ("AGENTS.md", "Obey.\n".to_owned()),
        ("build.rs", "fn main() {}\n".to_owned()),
        ("Makefile", "all:\n".to_owned()),
        ("Cargo.toml", format!("{manifest}\n[profile.test]\n\"overflow\\u002dchecks\" = false\n")),
    ] {
        let edits = json!({ "edits": [{ "mode": "file", "file_path": path, "text": text }] });
        let staged = bench.answer("propose_edit", edits);
        let id = staged["proposal_id"].as_str().unwrap();
        let applied = bench.answer("apply", json!({ "ids": [id], "tests": "none" }));
        assert_eq!(applied["applied"], false, "{path}: {applied}");
        let blocked = applied["blocked_by"].to_string();
        assert!(blocked.contains("protected-file"), "{path}: {applied}");
        assert_eq!(path == "Cargo.toml", bench.project.root().join(path).exists(), "{path}");
    }
    assert_eq!(bench.project.read("Cargo.toml"), manifest);
    // No field of a tool allows one.
    let id = "00000000";
    let allow = json!({ "ids": [id], "allow": ["protected-file:AGENTS.md"] });
    assert!(bench.toolbox.call(&bench.ctx, &bench.workspace, "apply", &allow).is_err());
}

#[test]
fn what_an_agent_runs_sees_no_closed_file_and_shows_none() {
    let bench = Bench::new();
    for (path, text) in [
        (".env", "secret=1\n"),
        ("private.md", "secret\n"),
        ("src/local.txt", "secret\n"),
        ("open.md", "public\n"),
    ] {
        bench.project.write(path, text);
    }
    bench.project.write(".gitignore", "/private.md\nlocal.txt\n/target\n");
    // A compiler's message shows what a macro reads; the last is the control.
    for (file, is_shown) in
        [("../.env", false), ("../private.md", false), ("local.txt", false), ("../open.md", true)]
    {
        let edit = format!(
            "src/lib.rs\n<<<<<<< SEARCH\n    n * 2\n=======\n    \
             compile_error!(include_str!(\"{file}\")); n * 2\n>>>>>>> REPLACE\n"
        );
        let answer = bench.call("check", json!({ "edit": edit }));
        assert!(!answer.contains("secret"), "{file}: {answer}");
        assert_eq!(answer.contains("public"), is_shown, "{file}: {answer}");
        assert_eq!(answer.contains("couldn't read"), !is_shown, "{file}: {answer}");
    }
    let cat = "cat .env private.md src/local.txt open.md .git/config; ls -a";
    let output = bench.answer("exec", json!({ "command": "sh", "args": ["-c", cat] }));
    let output = output["stdout"].as_str().unwrap();
    assert!(output.contains("public") && !output.contains("secret"), "{output}");
    assert!(!output.contains(".env"), "{output}");
}
