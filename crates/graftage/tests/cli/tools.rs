use std::io::Write as _;
use std::process::Stdio;

use super::support::{command, graftage};

#[test]
fn the_tools_are_listed_in_all_forms() {
    let project = testkit::copy_crate("clean");
    let shown = graftage(&project, &["tools", "list"]);
    assert_eq!((shown.status, shown.stderr.as_str()), (0, ""));
    assert!(shown.stdout.contains("search  reads\n"), "{}", shown.stdout);
    let tools = graftage(&project, &["tools", "list", "--json"]).json();
    let names: Vec<&str> =
        tools["tools"].as_array().unwrap().iter().map(|it| it["name"].as_str().unwrap()).collect();
    assert!(names.is_sorted() && names.contains(&"propose_edit"), "{names:?}");
    for form in ["anthropic", "openai", "gemma"] {
        let list = graftage(&project, &["tools", "list", "--format", form]);
        assert_eq!(list.status, 0, "{list:#?}");
        assert!(list.stdout.contains("propose_edit"), "{}", list.stdout);
    }
}

#[test]
fn a_tool_is_called_with_an_argument_a_file_or_standard_input() {
    let project = testkit::copy_crate("clean");
    let input = r#"{"pattern": "src/*.rs"}"#;
    let file = project.beside("requests").join("input.json");
    std::fs::write(&file, input).unwrap();
    let by_argument = graftage(&project, &["tools", "call", "glob", input]);
    let file = format!("@{}", file.display());
    assert_eq!(by_argument, graftage(&project, &["tools", "call", "glob", &file, "--json"]));
    assert_eq!(by_argument.json()["files"][0], "src/lib.rs");
    let mut piped = command(&project, &["tools", "call", "glob", "-"]);
    let mut child = piped.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), by_argument.stdout);
}

#[test]
fn a_wrong_call_names_the_field_and_the_fix() {
    let project = testkit::copy_crate("clean");
    let cases = [
        (["serach", "{}"], 2, "there is no tool `serach`", "search"),
        (["search", "{"], 2, "the input is not JSON", "tools list"),
        (["search", r#"{"qery": "a"}"#], 2, "qery: there is no such field", "query"),
        (["read", r#"{"file": "../a"}"#], 2, "file: path `../a` has a `..` part", "relative"),
        (["show", r#"{"item": "nothing_of_this_name"}"#], 1, "no item named", "canonical"),
    ];
    for (arguments, status, message, hint) in cases {
        let mut all = vec!["tools", "call"];
        all.extend(arguments);
        let result = graftage(&project, &all);
        assert_eq!(result.status, status, "{result:#?}");
        let (error, help) = result.stderr.split_once("hint").unwrap_or_default();
        assert!(error.contains(message) && help.contains(hint), "{result:#?}");
        all.push("--json");
        assert_eq!(graftage(&project, &all).status, status);
    }
}

#[test]
fn tools_are_found_by_intent_here_and_in_the_list_of_another_server() {
    let project = testkit::copy_crate("clean");
    let found = graftage(&project, &["tools", "search", "who calls this function", "--json"]);
    assert_eq!(found.status, 0, "{found:#?}");
    let found = found.json();
    assert_eq!(found["tools"][0]["name"], "graph", "{found}");
    let list = r#"{"tools": [
        {"name": "create_issue", "description": "Opens an issue", "inputSchema": {"type": "object"}},
        {"function": {"name": "play", "description": "Plays music", "parameters": {}}}]}"#;
    let file = project.beside("requests").join("tools.json");
    std::fs::write(&file, list).unwrap();
    let from = file.display().to_string();
    let other = graftage(&project, &["tools", "search", "open an issue", "--schemas", &from]);
    assert!(other.stdout.starts_with("1. create_issue\n   Opens an issue\n"), "{other:#?}");
    std::fs::write(&file, "{}").unwrap();
    let wrong = graftage(&project, &["tools", "search", "x", "--schemas", &from]);
    assert_eq!(wrong.status, 2);
    assert!(wrong.stderr.contains("it is no array"), "{wrong:#?}");
}

#[test]
fn a_refactoring_is_one_call_that_stages_all_places() {
    let project = testkit::crate_project(
        "
//- /src/lib.rs
pub mod lines;

pub fn both() -> usize {
    lines::count(\"a\") + lines::count(\"b\")
}

#[test]
fn there_are_two() {
    assert_eq!(both(), 2);
}
//- /src/lines.rs
/// The number of lines.
pub fn count(text: &str) -> usize {
    text.lines().count()
}
",
    );
    let before = project.digest();
    let call = |input: &str| graftage(&project, &["tools", "call", "refactor", input, "--json"]);
    let renamed = call(r#"{"kind": "rename", "item": "lines::count", "to": "count_lines"}"#).json();
    assert_eq!(renamed["outcome"], "proven", "{renamed}");
    let files = ["src/lib.rs: +1 -1", "src/lines.rs: +1 -1"];
    assert_eq!(renamed["files"], serde_json::json!(files), "{renamed}");
    let input =
        r#"{"kind": "add_parameter", "item": "lines::count", "to": "most: usize", "value": "9"}"#;
    let added = call(input).json();
    let id = added["proposal_id"].as_str().unwrap();
    let shown =
        graftage(&project, &["tools", "call", "proposals", &format!(r#"{{"id": "{id}"}}"#)]);
    let diff = shown.json()["proposals"][0]["diff"].as_str().unwrap_or_default().to_owned();
    assert!(diff.contains("+    lines::count(\"a\", 9) + lines::count(\"b\", 9)"), "{shown:#?}");
    before.assert_same(&project.digest());

    for (input, field, fix) in [
        (r#"{"kind": "rename", "item": "both"}"#, "to: it is missing", "the new name"),
        (r#"{"kind": "inline", "item": "both", "at": 1}"#, "at: ", "leave it out"),
        (r#"{"kind": "rename", "item": "nothing", "to": "a"}"#, "nothing", "canonical"),
        (r#"{"kind": "rename", "item": "both", "to": "fn"}"#, "fn", ""),
    ] {
        let refused = graftage(&project, &["tools", "call", "refactor", input]);
        assert!(refused.status != 0 && refused.stderr.contains(field), "{refused:#?}");
        assert!(refused.stderr.contains(fix), "{refused:#?}");
    }
}
