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
    let id = "x";
    let allow = json!({ "ids": [id], "allow": ["protected-file:AGENTS.md"] });
    assert!(bench.toolbox.call(&bench.ctx, &bench.workspace, "apply", &allow).is_err());
}
