//! `hook`, driven by the JSON that a client sends.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::support::graftage_with_input;

const LIB: &str = "pub fn double(n: u8) -> u8 {
    n * 2
}

#[cfg(test)]
mod tests {
    #[test]
    fn doubles() {
        assert_eq!(super::double(2), 4);
    }
}
";

fn project() -> testkit::TempProject {
    let project = testkit::crate_project("\n//- /src/lib.rs\n");
    project.write("src/lib.rs", LIB);
    project
}

fn sent(project: &testkit::TempProject, event: &str, tool: &str, fields: Value) -> String {
    let mut input = fields;
    let file = project.path("src/lib.rs");
    if let Some(fields) = input.as_object_mut() {
        fields.entry("file_path").or_insert(file.display().to_string().into());
    }
    json!({
        "session_id": "6c2b8f0e-one",
        "transcript_path": "/home/user/.claude/projects/p/6c2b8f0e.jsonl",
        "cwd": project.root().display().to_string(),
        "permission_mode": "default",
        "hook_event_name": event,
        "tool_name": tool,
        "tool_input": input,
        "tool_use_id": "toolu_01",
        "tool_response": { "filePath": file.display().to_string(), "success": true },
    })
    .to_string()
}

/// The answer to one hook; every call ends with status 0.
fn hook(project: &testkit::TempProject, args: &[&str], input: &str) -> Value {
    let mut words = vec!["hook", "--limit", "60"];
    words.extend(args);
    let result = graftage_with_input(project, &words, input);
    assert_eq!((result.status, result.stderr.as_str()), (0, ""), "{result:#?}");
    result.json()
}

fn context(answer: &Value) -> &str {
    answer["hookSpecificOutput"]["additionalContext"].as_str().unwrap_or_default()
}

#[test]
fn an_edit_is_examined_before_it_is_made() {
    let project = project();
    let before = project.digest();
    let edit = |old: &str, new: &str| {
        let fields = json!({ "old_string": old, "new_string": new, "replace_all": false });
        hook(&project, &[], &sent(&project, "PreToolUse", "Edit", fields))
    };
    assert_eq!(edit("n * 2", "n + n"), json!({}));
    let broken = edit("n * 2", "n * (2");
    assert!(context(&broken).contains("src/lib.rs:"), "{broken}");
    assert!(context(&broken).contains("syntax error"), "{broken}");
    assert!(broken["hookSpecificOutput"].get("permissionDecision").is_none());
    let weaker = edit("assert_eq!(super::double(2), 4);", "");
    assert!(context(&weaker).contains("assert"), "{weaker}");
    let other = json!({ "file_path": project.path("README.md"), "content": "x" });
    assert_eq!(hook(&project, &[], &sent(&project, "PreToolUse", "Write", other)), json!({}));
    let strict = sent(&project, "PreToolUse", "Write", json!({ "content": "fn" }));
    let strict = hook(&project, &["--strict"], &strict);
    assert_eq!(strict["hookSpecificOutput"]["permissionDecision"], "deny");
    let reason = strict["hookSpecificOutput"]["permissionDecisionReason"].as_str().unwrap();
    assert!(reason.contains("propose_edit") && reason.contains("src/lib.rs"), "{reason}");
    assert_eq!(project.digest(), before);
}

#[test]
fn in_strict_mode_no_field_and_no_other_name_of_a_file_opens_it() {
    let project = project();
    std::os::unix::fs::symlink("src/lib.rs", project.path("link.txt")).unwrap();
    let lib = project.path("src/lib.rs");
    let before = project.digest();
    for fields in [
        json!({ "old_string": "n * 2", "new_string": "n", "edits": null }),
        json!({ "old_string": "n * 2", "new_string": "n", "edits": "[]" }),
        json!({ "content": 5 }),
        json!({ "file_path": project.path("link.txt"), "content": "x" }),
        json!({ "file_path": format!("{} ", lib.display()), "content": "x" }),
        json!({ "file_path": lib.display().to_string().replace(".rs", ".RS"), "content": "x" }),
        // The client joins the parts of a path by their letters.
        json!({ "file_path": project.path("src/none/../lib.rs"), "content": "x" }),
        // The comparison of these takes longer than the client waits.
        json!({ "content": "/// ```\n/// assert!(true);\n/// ```\nfn f() {}\n".repeat(9_000) }),
    ] {
        let input = sent(&project, "PreToolUse", "Write", fields);
        let answer = graftage_with_input(&project, &["hook", "--strict", "--limit", "1"], &input);
        let answer: Value = serde_json::from_str(&answer.stdout).unwrap();
        assert_eq!(answer["hookSpecificOutput"]["permissionDecision"], "deny", "{answer}");
    }
    assert_eq!(project.digest(), before);
    let denies = |input: &str| {
        let answer = graftage_with_input(&project, &["hook", "--strict", "--limit", "1"], input);
        answer.stdout.contains("\"deny\"")
    };
    let edit = sent(&project, "PreToolUse", "Write", json!({ "content": "x" }));
    let elsewhere =
        edit.replace(&format!("\"cwd\":\"{}\"", project.root().display()), "\"cwd\":\"/\"");
    assert_ne!(edit, elsewhere);
    assert!(denies(&elsewhere), "another folder of the client");
    assert!(
        denies(&edit.replace("\"content\":\"x\"", "\"content\":\"\\ud800\"")),
        "half a character"
    );
    assert!(denies(&format!("{}{edit}", "[[],".repeat(1_000_000))), "no JSON");
    for (file, text) in [("graftage.toml", "]"), ("Cargo.toml", "]")] {
        project.write(file, text);
        assert!(denies(&edit), "{file}");
    }
    std::fs::remove_file(project.path("Cargo.toml")).unwrap();
    assert!(denies(&edit), "no manifest");
    // Controls: what is no edit of Rust, and another event.
    let other = json!({ "file_path": project.path("a.md"), "content": "x" });
    assert!(!denies(&sent(&project, "PreToolUse", "Write", other)));
    assert!(!denies(&sent(&project, "Stop", "", json!({}))));
}

#[test]
fn new_errors_are_reported_once_and_at_the_end() {
    let project = project();
    let edited = || sent(&project, "PostToolUse", "Edit", json!({}));
    let end = |again: bool| {
        let input = json!({ "session_id": "6c2b8f0e-one", "cwd": project.root().display().to_string(),
            "hook_event_name": "Stop", "stop_hook_active": again });
        hook(&project, &[], &input.to_string())
    };
    assert_eq!(end(false), json!({}), "nothing was edited");
    assert_eq!(hook(&project, &[], &edited()), json!({}));
    project.write("src/lib.rs", LIB.replace("n * 2", "\"two\""));
    let answer = hook(&project, &[], &edited());
    let text = context(&answer);
    assert!(text.contains("1 new error") && text.contains("src/lib.rs:2: [E0308]"), "{answer}");
    assert!(text.contains("double`"), "{answer}");
    assert_eq!(hook(&project, &[], &edited()), json!({}), "it is known");
    let stopped = end(false);
    assert_eq!(stopped["decision"], "block");
    assert!(stopped["reason"].as_str().unwrap().contains("E0308"), "{stopped}");
    assert_eq!(end(true).get("decision"), None, "asked once only");
    project.write("src/lib.rs", LIB);
    assert_eq!(hook(&project, &[], &edited()), json!({}));
    assert!(end(false)["systemMessage"].as_str().unwrap().contains("builds"));
}

#[test]
fn the_first_check_of_a_session_calls_no_error_new() {
    let project = project();
    let broken = LIB.replace("n * 2", "\"two\"");
    project.write("src/lib.rs", &broken);
    let edited = || hook(&project, &[], &sent(&project, "PostToolUse", "Edit", json!({})));
    let first = edited();
    let text = context(&first);
    assert!(text.starts_with("graftage: 1 error now; this is the first check"), "{first}");
    assert!(text.contains("src/lib.rs:2: [E0308]"), "{first}");
    project.write("src/lib.rs", format!("{broken}pub fn more() -> u8 {{ \"more\" }}\n"));
    let second = edited();
    assert!(context(&second).starts_with("graftage: 1 new error since the last check"), "{second}");
    assert!(context(&second).contains("(1 error from before)"), "{second}");
}

#[test]
fn whatever_is_sent_the_client_is_neither_blocked_nor_made_to_wait() {
    let project = project();
    let note =
        |input: &str| hook(&project, &[], input)["systemMessage"].as_str().unwrap_or("").to_owned();
    for malformed in ["", "{", "[1]", "\u{0}", "\"x\""] {
        assert!(note(malformed).contains("cannot be read"), "{malformed:?}");
    }
    let deep = "[".repeat(100_000);
    assert!(note(&deep).contains("cannot be read"));
    let huge = format!("{{\"cwd\":\"{}\"}}", "x".repeat(65 << 20));
    assert!(note(&huge).contains("larger than 64 MiB"));
    for ignored in [json!({}), json!({ "hook_event_name": "Later", "cwd": 7 })] {
        assert_eq!(hook(&project, &[], &ignored.to_string()), json!({}));
    }
    let began = Instant::now();
    let late = sent(&project, "PostToolUse", "Edit", json!({}));
    let late = graftage_with_input(&project, &["hook", "--limit", "0.1"], &late);
    assert_eq!(late.status, 0);
    assert!(late.stdout.contains("did not end within 0.1 s"), "{late:#?}");
    // The limit is far below this; a loaded machine starts processes slowly.
    assert!(began.elapsed() < Duration::from_secs(30));
}

#[test]
fn many_hooks_at_once_answer_each() {
    let project = project();
    std::thread::scope(|scope| {
        let calls: Vec<_> = (0..6)
            .map(|n| {
                let fields = json!({ "old_string": "n * 2", "new_string": format!("n * (2{n}") });
                let input = sent(&project, "PreToolUse", "Edit", fields);
                let project = &project;
                scope.spawn(move || hook(project, &[], &input))
            })
            .collect();
        for call in calls {
            assert!(context(&call.join().unwrap()).contains("syntax error"));
        }
    });
}
