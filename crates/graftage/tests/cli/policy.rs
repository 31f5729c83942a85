use super::support::graftage;

/// A policy that allows changes of one line only.
const SMALL: &str = "[[thread]]\nname = \"small\"\npriority = 100\n\
    because = \"we write small changes\"\n\
    gate = { blocks = [\"apply lines > 1\"], opens = [] }\n";

#[test]
fn the_policy_is_shown_and_verified() {
    let project = testkit::copy_crate("clean");
    let result = graftage(&project, &["policy", "verify"]);
    assert_eq!((result.status, result.stderr.as_str()), (0, ""));
    let built =
        "holds  `apply` happens only after `checked parse = true, check = true, errors = 0`";
    assert!(result.stdout.contains(built), "{}", result.stdout);
    assert!(result.stdout.ends_with("all 512 states, 20994 transitions\n"), "{}", result.stdout);
    project.write("graftage-policy.toml", SMALL);
    let shown = graftage(&project, &["policy", "show", "--json"]).json();
    let threads = shown["threads"].as_array().unwrap();
    let last = threads.last().unwrap();
    assert_eq!(
        (threads.len(), &last["name"], &last["is_shipped"]),
        (9, &"small".into(), &false.into())
    );
    assert_eq!(last["does"], "blocks `apply lines > 1`");
    // The file of the project is in use already.
    let named = graftage(&project, &["policy", "verify", "graftage-policy.toml"]);
    let alone = graftage(&project, &["policy", "verify"]);
    assert_eq!((named.status, named.stdout), (alone.status, alone.stdout), "{}", named.stderr);
}

#[test]
fn the_table_of_protected_files_is_shown_and_verified() {
    let project = testkit::copy_crate("clean");
    let proven = graftage(&project, &["policy", "verify"]).stdout;
    let property = "holds  `apply` happens only after `protected-file changed = 0`";
    assert!(proven.contains(property), "{proven}");
    let shown = graftage(&project, &["policy", "show", "--json"]).json();
    assert_eq!(shown["is_table_verified"], true);
    let rows = shown["protected"].as_array().unwrap();
    let names: Vec<&str> = rows
        .iter()
        .flat_map(|row| row["names"].as_array().unwrap())
        .filter_map(|it| it.as_str())
        .collect();
    for name in
        ["graftage.toml", ".cargo", ".git", "build.rs", ".mcp.json", "AGENTS.md", "profile.**"]
    {
        assert!(names.contains(&name), "{name}");
    }
    assert!(rows.iter().all(|row| row["reason"].as_str().is_some_and(|it| !it.is_empty())));
    let text = graftage(&project, &["policy", "show"]).stdout;
    assert!(text.contains("verified: no change is applied before it was compared"), "{text}");
    assert!(text.contains("`--allow protected-file:PATH`"), "{text}");
}

#[test]
fn a_person_allows_a_protected_file_by_its_name_and_the_journal_records_it() {
    let project = testkit::copy_crate("clean");
    let file = project.beside("requests").join("edit");
    let request = r#"{"edits": [{"mode": "file", "file_path": "Makefile", "text": "all:\n"}]}"#;
    std::fs::write(&file, request).unwrap();
    let file = file.display().to_string();
    let edit = |more: &[&str]| {
        let edit = ["edit", "apply", &file, "--json", "--tests", "none"];
        graftage(&project, &[&edit[..], more].concat())
    };
    for more in [
        &[][..],
        &["--allow", "preservation:config-weakened"],
        &["--allow", "protected-file:makefile"],
    ] {
        let refused = edit(more);
        assert_eq!(refused.status, 1, "{refused:#?}");
        assert_eq!(refused.json()["refusals"][0]["rule"], "protected-file");
        assert!(!project.path("Makefile").exists());
    }
    let applied = edit(&["--allow", "protected-file:Makefile"]);
    assert_eq!(applied.status, 0, "{applied:#?}");
    assert!(project.path("Makefile").exists());
}

#[test]
fn a_policy_closes_the_gate_with_its_reason() {
    let project = testkit::copy_crate("clean");
    project.write("graftage-policy.toml", SMALL);
    let before = project.digest();
    let file = project.beside("requests").join("edit");
    std::fs::write(&file, "src/other.rs\n```rust\npub fn two() -> u8 {\n    2\n}\n```\n").unwrap();
    let edit = ["edit", "apply", &file.display().to_string(), "--json", "--tests", "none"];
    let result = graftage(&project, &edit);
    assert_eq!(result.status, 1, "{result:#?}");
    let refusal = &result.json()["refusals"][0];
    assert_eq!(
        (&refusal["rule"], &refusal["reason"]),
        (&"small".into(), &"we write small changes".into())
    );
    assert_eq!(project.digest(), before);
}

#[test]
fn a_policy_that_loosens_is_refused() {
    let project = testkit::copy_crate("clean");
    let forged = "[[thread]]\nname = \"x\"\npriority = 9\n\
        steps = { steps = [{ request = [{ name = \"checked\", fields = { errors = 0 } }] }] }\n";
    project.write("graftage-policy.toml", forged);
    let result = graftage(&project, &["check"]);
    assert_ne!(result.status, 0);
    assert!(result.stderr.contains("requests `checked errors = 0`"), "{}", result.stderr);
    let closed = SMALL.replace("apply lines > 1", "apply");
    project.write("graftage-policy.toml", &closed);
    let result = graftage(&project, &["policy", "verify"]);
    assert_eq!(result.status, 1);
    assert!(result.stdout.contains("violated  `apply` can happen"), "{}", result.stdout);
}
