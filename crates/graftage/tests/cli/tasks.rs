use super::support::graftage;

const SCRIPT: &str = r#"[
  {"answer": {"turn": {"parts": [{"type": "text", "text": "Cargo.toml\n<<<<<<< SEARCH\nname = \"fixture\"\n=======\nname = \"other\"\n>>>>>>> REPLACE\n"}],
    "stop": "end_turn", "usage": {"input_tokens": 900, "output_tokens": 60}}}},
  {"answer": {"turn": {"parts": [{"type": "text", "text": "src/lib.rs\n<<<<<<< SEARCH\n    a + 1\n=======\n    a.saturating_add(1).max(a + 0)\n>>>>>>> REPLACE\n"}],
    "stop": "end_turn", "usage": {"input_tokens": 1100, "output_tokens": 70}}}}
]"#;

fn project() -> testkit::TempProject {
    testkit::crate_project(
        "
//- /src/lib.rs
/// One more.
pub fn next(a: u32) -> u32 {
    a + 1
}

pub fn second(a: u32) -> u32 {
    next(next(a))
}

#[cfg(test)]
mod checks {
    #[test]
    fn the_second_is_two_more() {
        assert_eq!(super::second(1), 3);
    }
}
",
    )
}

/// The script of a model, beside the project.
fn script(project: &testkit::TempProject) -> String {
    let file = project.beside("scripts").join("script.json");
    std::fs::write(&file, SCRIPT).expect("writes");
    format!("model.provider=scripted:{}", file.display())
}

#[test]
fn a_task_that_rules_understand_needs_no_model() {
    let project = project();
    let result = graftage(
        &project,
        &["task", "rename `next` to `successor` everywhere", "--apply", "--json"],
    );
    assert_eq!(result.status, 0, "{result:#?}");
    let json = result.json();
    assert_eq!(json["outcome"], "applied", "{json:#}");
    assert_eq!(json["plan"]["subgoal"][0]["by"], "rules");
    assert_eq!(json["plan"]["subgoal"][0]["note"], "refactor rename next successor");
    assert!(project.read("src/lib.rs").contains("successor(successor(a))"));
}

#[test]
fn the_steps_of_a_plan_are_written_one_by_one_and_a_plan_is_resumed() {
    let project = project();
    let goal = "1. rename `next` to `successor`\n2. add a parameter `by: u32` to `successor` with default `1`\n";
    let planned = graftage(&project, &["task", goal, "--plan", "--json"]);
    assert_eq!(planned.status, 0, "{planned:#?}");
    let id = planned.json()["id"].as_str().unwrap().to_owned();
    let result = graftage(&project, &["task", "--resume", &id, "--apply", "--json"]);
    assert_eq!(result.status, 0, "{result:#?}");
    let text = project.read("src/lib.rs");
    assert!(text.contains("pub fn successor(a: u32, by: u32) -> u32 {"), "{text}");
    assert!(text.contains("successor(successor(a, 1), 1)"), "{text}");
    let statuses = &result.json()["plan"]["subgoal"];
    assert_eq!((&statuses[0]["status"], &statuses[1]["status"]), (&"done".into(), &"done".into()));
}

#[test]
fn without_a_model_a_request_is_prepared() {
    let project = project();
    let result = graftage(&project, &["task", "let `next` saturate at the maximum"]);
    assert_eq!(result.status, 1, "{result:#?}");
    assert!(result.stdout.contains("model.provider"), "{result:#?}");
    assert!(result.stdout.contains("pub fn next(a: u32) -> u32 {"), "{result:#?}");
    let asked = graftage(&project, &["fix", "--reasoner", "model"]);
    assert_eq!(asked.status, 3, "{asked:#?}");
    assert!(asked.stderr.contains("model.provider"), "{asked:#?}");
}

#[test]
fn a_model_is_refused_where_it_must_be_and_its_change_is_proven() {
    let project = project();
    let config = script(&project);
    let args =
        ["task", "let `next` saturate at the maximum", "--config", &config, "--apply", "--json"];
    let result = graftage(&project, &args);
    assert_eq!(result.status, 0, "{result:#?}");
    let json = result.json();
    assert_eq!((&json["outcome"], &json["tokens"]), (&"applied".into(), &2130.into()), "{json:#}");
    let kinds: Vec<&str> =
        json["model"].as_array().unwrap().iter().filter_map(|it| it["kind"].as_str()).collect();
    assert_eq!(kinds, ["asked", "refused", "asked", "proposed"], "{json:#}");
    assert!(project.read("src/lib.rs").contains("a.saturating_add(1)"));
}

#[test]
fn a_project_cannot_choose_a_model() {
    let project = project();
    project
        .write("graftage.toml", "[model]\nprovider = \"openai\"\nurl = \"http://127.0.0.1:9\"\n");
    let result = graftage(&project, &["task", "let `next` saturate"]);
    assert_eq!(result.status, 2, "{result:#?}");
    assert!(result.stderr.contains("may not loosen `model."), "{result:#?}");
}

#[test]
fn secrets_of_the_code_are_not_sent() {
    let secret = ["ghp", "16C7e42F292c6912E7710c838347Ae178B4a"].join("_");
    let project = testkit::crate_project(&format!(
        "
//- /src/lib.rs
/// For a call with the token {secret}.
pub fn header() -> &'static str {{
    \"token {secret}\"
}}
"
    ));
    let script = serde_json::json!([{
        "expect": { "contains": ["pub fn header()"], "lacks": [secret] },
        "answer": { "turn": { "parts": [{ "type": "text", "text": "NO EDIT: a test" }], "stop": "end_turn" } },
    }]);
    let file = project.beside("scripts").join("script.json");
    std::fs::write(&file, script.to_string()).expect("writes");
    let config = format!("model.provider=scripted:{}", file.display());
    let result = graftage(&project, &["task", "document `header`", "--config", &config, "--json"]);
    let json = result.json();
    let notes: Vec<&str> =
        json["model"].as_array().unwrap().iter().filter_map(|it| it["text"].as_str()).collect();
    assert_eq!(notes.last(), Some(&"no edit: a test"), "{json:#}");
}
