//! `rules`: what the project asks of those who change a path.

use expect_test::{Expect, expect};

use super::support::graftage;

const PROJECT: &str = "
//- /AGENTS.md
# Rules
Run the tests. See [how to write tests](docs/testing.md), [the release steps](docs/release.md) and
[what is gone](docs/gone.md).
//- /docs/testing.md
# Tests
Each test is a sentence. Use fixtures of text, and no sleeping.
//- /docs/release.md
# Release
Tag the version, then publish the crates in order.
//- /crates/core/AGENTS.md
No allocation in core.
//- /crates/core/src/lib.rs
pub fn f() {}
//- /crates/AGENTS.override.md
Crates have one owner.
//- /crates/AGENTS.md
Replaced.
";

/// Status, standard output and standard error of a call.
fn check(project: &testkit::TempProject, args: &[&str], expected: Expect) {
    let result = graftage(project, args);
    let text = format!("{}{}status {}\n", result.stdout, result.stderr, result.status);
    expected.assert_eq(&text);
}

#[test]
fn the_rules_of_a_path_come_from_the_root_to_the_nearest() {
    let project = testkit::crate_project(PROJECT);
    check(
        &project,
        &["rules", "show", "crates/core/src/lib.rs"],
        expect![[r#"
            <rules file="AGENTS.md" mark="78dfecd3eda7c3de">
            # Rules
            Run the tests. See [how to write tests](docs/testing.md), [the release steps](docs/release.md) and
            [what is gone](docs/gone.md).
            </rules 78dfecd3eda7c3de>
            <rules file="crates/AGENTS.override.md" mark="5235940fbf16555b">
            Crates have one owner.
            </rules 5235940fbf16555b>
            <rules file="crates/core/AGENTS.md" mark="a67887226330ffb5">
            No allocation in core.
            </rules a67887226330ffb5>
            not shown: docs/testing.md (how to write tests, AGENTS.md:2): no intent was given
            not shown: docs/release.md (the release steps, AGENTS.md:2): no intent was given
            broken link: `docs/gone.md` (AGENTS.md:3): it is missing
            3 files of rules, 0 linked files, at most 221 of 8000 tokens
            status 0
        "#]],
    );
    check(
        &project,
        &["rules", "list"],
        expect![[r#"
        AGENTS.md  137 bytes
          docs/testing.md  how to write tests  (AGENTS.md:2)
          docs/release.md  the release steps  (AGENTS.md:2)
        broken link: `docs/gone.md` (AGENTS.md:3): it is missing
        status 0
    "#]],
    );
}

#[test]
fn an_intent_adds_the_linked_file_that_fits() {
    let project = testkit::crate_project(PROJECT);
    let args = ["rules", "show", "src", "--intent", "publish a new version", "--references", "1"];
    check(
        &project,
        &args,
        expect![[r#"
        <rules file="AGENTS.md" mark="78dfecd3eda7c3de">
        # Rules
        Run the tests. See [how to write tests](docs/testing.md), [the release steps](docs/release.md) and
        [what is gone](docs/gone.md).
        </rules 78dfecd3eda7c3de>
        <rules file="docs/release.md" mark="5a607d8f796e6d29">
        # Release
        Tag the version, then publish the crates in order.
        </rules 5a607d8f796e6d29>
        not shown: docs/testing.md (how to write tests, AGENTS.md:2): it does not fit the intent
        broken link: `docs/gone.md` (AGENTS.md:3): it is missing
        1 file of rules, 1 linked file, at most 163 of 8000 tokens
        status 0
    "#]],
    );
}

#[test]
fn a_budget_cuts_rules_and_names_what_is_left_out() {
    let project = testkit::crate_project(PROJECT);
    let args = ["rules", "show", "crates/core", "--budget", "150", "--intent", "publish"];
    check(
        &project,
        &args,
        expect![[r#"
            <rules file="crates/AGENTS.override.md" mark="5235940fbf16555b">
            Crates have one owner.
            </rules 5235940fbf16555b>
            <rules file="crates/core/AGENTS.md" mark="a67887226330ffb5">
            No allocation in core.
            </rules a67887226330ffb5>
            not shown: AGENTS.md: 137 of 137 bytes exceed the budget
            not shown: docs/release.md (the release steps, AGENTS.md:2): with it the text has 196 tokens
            not shown: docs/testing.md (how to write tests, AGENTS.md:2): it does not fit the intent
            broken link: `docs/gone.md` (AGENTS.md:3): it is missing
            2 files of rules, 0 linked files, at most 127 of 150 tokens
            status 0
        "#]],
    );
    let json = graftage(&project, &["rules", "show", "--budget", "10", "--json"]).json();
    assert_eq!((&json["text"], &json["tokens"]), (&"".into(), &0.into()), "{json:#}");
    assert_eq!(json["rules"][0]["left_out_bytes"], 137);
}

#[test]
fn paths_outside_and_links_are_refused() {
    let project = testkit::crate_project(PROJECT);
    check(
        &project,
        &["rules", "show", "../other"],
        expect![[r#"
        error: path `BESIDE/other` is outside the project
          hint: pass a path inside the project
        status 2
    "#]],
    );
    let outside = project.beside("secrets").join("AGENTS.md");
    std::fs::write(outside, "secret").unwrap();
    std::fs::create_dir(project.path("linked")).unwrap();
    std::os::unix::fs::symlink("../../secrets/AGENTS.md", project.path("linked/AGENTS.md"))
        .unwrap();
    let result = graftage(&project, &["rules", "show", "linked/x.rs", "--json"]);
    assert!(!result.stdout.contains("secret\n"), "{result:#?}");
    assert_eq!(result.json()["refused"][0]["file"], "linked/AGENTS.md");
}

#[test]
fn a_crate_in_a_repository_has_the_rules_of_the_repository() {
    let project = testkit::project(
        "
//- /AGENTS.md
Of the repository.
//- /rust/Cargo.toml
[package]
name = \"x\"
version = \"0.1.0\"
edition = \"2024\"
//- /rust/src/lib.rs
",
    );
    project.git();
    let result = graftage(&project, &["-C", "rust", "rules", "show", "src/lib.rs", "--json"]);
    assert_eq!(result.json()["path"], "rust/src/lib.rs", "{result:#?}");
    assert_eq!(result.json()["rules"][0]["file"], "AGENTS.md");
}

#[test]
fn a_linked_file_that_agents_may_not_read_is_a_broken_link() {
    let files = "
//- /.gitignore
private.md
//- /AGENTS.md
[secret notes](.hid/n.md) [secret key](private.md) [secret steps](docs/open.md)
//- /.hid/n.md
SECRET of a folder. [more](../docs/more.md)
//- /private.md
SECRET of git.
//- /docs/open.md
Open steps of the secret.
//- /docs/more.md
More.
";
    let project = testkit::crate_project(files);
    let args = ["rules", "show", "src/lib.rs", "--intent", "secret notes, key, steps", "--json"];
    let shown = graftage(&project, &args);
    assert!(!shown.stdout.contains("SECRET") && !shown.stdout.contains("more.md"), "{shown:#?}");
    let broken = &shown.json()["broken"];
    let reason = |nth: usize| broken[nth]["reason"].as_str().unwrap_or_default().to_owned();
    assert!(reason(0).contains("hidden") && reason(1).contains("git ignores"), "{broken}");
    // Control: the open one is shown, and the others are found without the two reasons.
    assert!(shown.stdout.contains("Open steps of the secret."), "{shown:#?}");
    std::fs::rename(project.path(".hid"), project.path("hid")).unwrap();
    project.write(".gitignore", "");
    project.write("AGENTS.md", "[secret notes](hid/n.md) [secret key](private.md)");
    let shown = graftage(&project, &args);
    assert_eq!(shown.stdout.matches("SECRET").count(), 2, "{shown:#?}");

    // The same beside a project in a repository.
    let manifest = "[package]\nname = \"x\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";
    let nested = format!("{files}//- /rust/Cargo.toml\n{manifest}//- /rust/src/lib.rs\n");
    let project = testkit::project(&nested);
    project.git();
    let args = ["-C", "rust", "rules", "show", "src/lib.rs", "--intent", "secret steps", "--json"];
    let shown = graftage(&project, &args);
    assert!(!shown.stdout.contains("SECRET"), "{shown:#?}");
    assert!(shown.stdout.contains("Open steps of the secret."), "{shown:#?}");
}

#[test]
fn a_project_without_rules_has_none() {
    let project = testkit::crate_project("pub fn f() {}\n");
    check(
        &project,
        &["rules", "show", "src/lib.rs"],
        expect![[r#"
        no rules: neither the root nor a folder on the way has AGENTS.md or CLAUDE.md
        0 files of rules, 0 linked files, at most 0 of 8000 tokens
        status 1
    "#]],
    );
}
