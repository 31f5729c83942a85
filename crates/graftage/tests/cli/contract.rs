use super::support::graftage;

#[test]
fn config_show_names_every_setting_with_its_origin() {
    let project = testkit::copy_crate("clean");
    project.write("graftage.toml", "[gate]\nmax_files = 4\n");
    let result = graftage(&project, &["config", "show", "--json", "--config", "fix.attempts=9"]);
    assert_eq!((result.status, result.stderr.as_str()), (0, ""));
    let json = result.json();
    let row = |key: &str| {
        let rows = json["settings"].as_array().unwrap();
        rows.iter().find(|row| row["key"] == key).unwrap_or_else(|| panic!("no {key}")).clone()
    };
    assert_eq!(row("gate.max_files")["value"], "4");
    assert_eq!(row("gate.max_files")["origin"]["project"], "DIR/graftage.toml");
    assert_eq!(row("fix.attempts")["origin"], "flag");
    assert_eq!(row("sandbox.require")["origin"], "default");
}

#[test]
fn completions_exist_for_every_shell() {
    let project = testkit::TempProject::empty();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell", "nushell"] {
        let result = graftage(&project, &["completions", shell]);
        assert_eq!((result.status, result.stderr.as_str()), (0, ""), "{shell}");
        assert!(result.stdout.contains("graftage") && result.stdout.contains("undo"), "{shell}");
    }
}

#[test]
fn doctor_lists_parts_and_what_missing_ones_add() {
    let project = testkit::copy_crate("clean");
    let result = graftage(&project, &["doctor", "--json"]);
    assert_eq!(result.status, 0, "{result:#?}");
    let json = result.json();
    assert_eq!(json["ready"], true);
    for finding in json["findings"].as_array().unwrap() {
        assert_eq!(finding["present"] == false, finding["adds"].is_string(), "{finding}");
    }
    assert!(json["sandbox"]["level"].is_string(), "{json}");
}

#[test]
fn check_shows_rungs_and_diagnostics() {
    let project = testkit::crate_project("pub fn half(n: u32) -> u32 {\n    n / \"two\"\n}\n");
    let before = project.digest();
    let result = graftage(&project, &["check", "--json"]);
    assert_eq!((result.status, result.stderr.as_str()), (1, ""), "{result:#?}");
    let json = result.json();
    assert_eq!(json["passed"], false);
    let row = &json["diagnostics"][0];
    assert_eq!(row["file"], "src/lib.rs");
    assert_eq!(row["line"], 2);
    assert_eq!(row["code"], "E0277");
    assert_eq!(row["severity"], "error");
    assert_eq!(row["item"], "half");
    let names: Vec<&str> =
        json["rungs"].as_array().unwrap().iter().map(|r| r["name"].as_str().unwrap()).collect();
    assert!(names.contains(&"check"), "{names:?}");
    assert_eq!(project.digest(), before, "a check writes nothing");
}

#[test]
fn edit_apply_checks_first_and_undo_reverts_it() {
    let project = testkit::copy_crate("clean");
    let before = project.digest();
    let old = project.read("src/lib.rs");
    let new = format!("{old}\n/// New.\npub fn added() -> u8 {{\n    1\n}}\n");
    let request = serde_json::json!({
        "edits": [{ "mode": "file", "file_path": "src/lib.rs", "text": new }],
    });
    let file = project.beside("requests").join("edit.json");
    std::fs::write(&file, request.to_string()).unwrap();
    let file = file.display().to_string();

    let result = graftage(&project, &["edit", "apply", &file, "--dry-run", "--json"]);
    assert_eq!(
        (result.status, result.json()["proposals"][0]["state"].as_str()),
        (0, Some("proven")),
        "{result:#?}"
    );
    assert_eq!(project.digest(), before);

    let result = graftage(&project, &["edit", "apply", &file, "--json"]);
    assert_eq!(result.status, 0, "{result:#?}");
    let id = result.json()["proposals"][0]["id"].as_str().unwrap().to_owned();
    assert_eq!(project.read("src/lib.rs"), new);

    let shown = graftage(&project, &["undo", "--dry-run"]);
    assert!(
        shown.stdout.contains("-/// New.") && shown.stdout.contains("nothing was"),
        "{shown:#?}"
    );
    assert_eq!((shown.status, project.read("src/lib.rs")), (0, new.clone()));
    let result = graftage(&project, &["undo", &id, "--json"]);
    assert_eq!((result.status, result.json()["restored"][0].as_str()), (0, Some("src/lib.rs")));
    assert_eq!(project.read("src/lib.rs"), old);
    let result = graftage(&project, &["redo", "--json"]);
    assert_eq!((result.status, project.read("src/lib.rs")), (0, new), "{result:#?}");
}

#[test]
fn an_edit_that_breaks_the_build_is_refused_and_nothing_is_written() {
    let project = testkit::copy_crate("clean");
    let before = project.digest();
    let request = serde_json::json!({
        "edits": [{ "mode": "file", "file_path": "src/extra.rs", "text": "pub fn broken( {\n" },
                  { "mode": "file", "file_path": "src/lib.rs", "text": "pub mod extra;\n" }],
    });
    let file = project.beside("requests").join("edit.json");
    std::fs::write(&file, request.to_string()).unwrap();
    let result = graftage(&project, &["edit", "apply", &file.display().to_string(), "--json"]);
    assert_eq!((result.status, result.stderr.as_str()), (1, ""), "{result:#?}");
    assert_eq!(result.json()["proposals"][0]["state"], "rejected");
    assert!(!result.json()["refusals"].as_array().unwrap().is_empty());
    assert_eq!(project.digest(), before);
}
