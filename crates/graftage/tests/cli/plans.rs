//! `plan`: plans of a person and of `task` in one store.

use expect_test::{Expect, expect};
use testkit::TempProject;

use super::support::graftage;

/// Standard output, standard error and status of a call, with `PLAN`, `PLAN2` for the ids of plans.
fn check(project: &TempProject, plans: &[&str], args: &[&str], expected: Expect) {
    let result = graftage(project, args);
    let mut text = format!("{}{}status {}\n", result.stdout, result.stderr, result.status);
    for (at, id) in plans.iter().enumerate() {
        text = text.replace(id, &format!("PLAN{}", at + 1));
    }
    expected.assert_eq(&text);
}

fn added(project: &TempProject, args: &[&str]) -> String {
    let result = graftage(project, args);
    let json = result.json();
    json["nodes"][0]["id"].as_str().unwrap_or_else(|| panic!("{result:#?}")).to_owned()
}

#[test]
fn a_plan_is_a_tree_of_steps_with_status() {
    let project = testkit::crate_project("pub fn a() {}\n");
    check(
        &project,
        &[],
        &["plan", "show"],
        expect![[r#"
        no plan
        status 0
    "#]],
    );
    let plan = added(&project, &["plan", "add", "ship the parser", "--json"]);
    let ids = [plan.as_str()];
    let step = |text| added(&project, &["plan", "add", text, "--under", &plan, "--json"]);
    let (first, second) = (step("write it"), step("test it"));
    assert_eq!((first, second), (format!("{plan}.1"), format!("{plan}.2")));
    added(&project, &["plan", "add", "on\npaper", "--under", &format!("{plan}.2"), "--json"]);
    let done = ["plan", "done", &format!("{}.2.1", &plan[..5])];
    check(
        &project,
        &ids,
        &done,
        expect![[r#"
        [ ] PLAN1: ship the parser
          [ ] PLAN1.1: write it
          [x] PLAN1.2: test it
            [x] PLAN1.2.1: on paper
        status 0
    "#]],
    );
    let fail = ["plan", "fail", &format!("{plan}.1"), "--note", "no time"];
    check(
        &project,
        &ids,
        &fail,
        expect![[r#"
        [ ] PLAN1: ship the parser
          [!] PLAN1.1: write it (no time)
          [x] PLAN1.2: test it
            [x] PLAN1.2.1: on paper
        status 0
    "#]],
    );
    check(
        &project,
        &ids,
        &["plan", "done", &plan],
        expect![[r#"
        [x] PLAN1: ship the parser
          [x] PLAN1.1: write it (no time)
          [x] PLAN1.2: test it
            [x] PLAN1.2.1: on paper
        status 0
    "#]],
    );
    check(
        &project,
        &ids,
        &["plan", "reopen", &format!("{plan}.2.1")],
        expect![[r#"
        [ ] PLAN1: ship the parser
          [x] PLAN1.1: write it (no time)
          [ ] PLAN1.2: test it
            [ ] PLAN1.2.1: on paper
        status 0
    "#]],
    );
    check(
        &project,
        &ids,
        &["plan", "remove", &format!("{plan}.2")],
        expect![[r#"
            [x] PLAN1: ship the parser
              [x] PLAN1.1: write it (no time)
            status 0
        "#]],
    );
    check(
        &project,
        &ids,
        &["plan", "show", &format!("{plan}.9")],
        expect![[r#"
            error: no plan `PLAN1.9`: the plan has no such step
              hint: `graftage plan show` lists the plans with their ids
            status 1
        "#]],
    );
    check(
        &project,
        &ids,
        &["plan", "add", " "],
        expect![[r#"
        error: the text is empty
          hint: describe what is to be done in a sentence
        status 2
    "#]],
    );
}

#[test]
fn a_plan_is_found_by_its_name() {
    let project = testkit::crate_project("pub fn a() {}\n");
    let first = added(&project, &["plan", "add", "one", "--plan", "release", "--json"]);
    let second = added(&project, &["plan", "add", "two", "--plan", "release", "--json"]);
    let plan = first.trim_end_matches(".1").to_owned();
    assert_eq!(second, format!("{plan}.2"));
    check(
        &project,
        &[&plan],
        &["plan", "show"],
        expect![[r#"
        [ ] PLAN1: release
          [ ] PLAN1.1: one
          [ ] PLAN1.2: two
        status 0
    "#]],
    );
}

#[test]
fn a_plan_of_a_person_is_executed_by_task() {
    let project = testkit::crate_project(
        "pub fn a() {}\npub fn c() {\n    a()\n}\n\n#[cfg(test)]\nmod checks {\n    #[test]\n    \
         fn it_runs() {\n        super::c();\n    }\n}\n",
    );
    let plan = added(&project, &["plan", "add", "tidy names", "--json"]);
    added(&project, &["plan", "add", "rename `a` to `b`", "--under", &plan, "--json"]);
    let result = graftage(&project, &["task", "--resume", &plan, "--apply", "--json"]);
    assert_eq!(result.status, 0, "{result:#?}");
    check(
        &project,
        &[&plan],
        &["plan", "show"],
        expect![[r#"
        [x] PLAN1: tidy names
          [x] PLAN1.1: rename `a` to `b` (refactor rename a b)
        status 0
    "#]],
    );
    let planned = ["task", "1. rename `b` to `d`\n2. rename `c` to `e`", "--plan", "--json"];
    let other = graftage(&project, &planned).json()["id"].as_str().unwrap().to_owned();
    check(
        &project,
        &[&plan, &other],
        &["plan", "show"],
        expect![[r#"
        [x] PLAN1: tidy names
          [x] PLAN1.1: rename `a` to `b` (refactor rename a b)
        [ ] PLAN2: 1. rename `b` to `d` 2. rename `c` to `e`
          [ ] PLAN2.1: rename `b` to `d` (refactor rename b d)
          [ ] PLAN2.2: rename `c` to `e` (refactor rename c e)
        status 0
    "#]],
    );
}

#[test]
fn a_damaged_store_is_moved_aside_and_reported() {
    let project = testkit::crate_project("pub fn a() {}\n");
    added(&project, &["plan", "add", "one", "--json"]);
    let state = project.beside("graftage").join("state");
    let folder = std::fs::read_dir(state).unwrap().flatten().next().unwrap().path();
    std::fs::write(folder.join("plans/plans.jsonl"), "{\"format\":1}\n{}\n").unwrap();
    let result = graftage(&project, &["plan", "show"]);
    assert!(result.stdout.contains("it was moved to"), "{result:#?}");
    assert!(result.stdout.ends_with("no plan\n"), "{result:#?}");
}

#[test]
fn plans_that_are_added_at_the_same_time_are_all_kept() {
    let project = testkit::crate_project("pub fn a() {}\n");
    std::thread::scope(|scope| {
        for number in 0..6 {
            let project = &project;
            scope.spawn(move || added(project, &["plan", "add", &number.to_string(), "--json"]));
        }
    });
    let shown = graftage(&project, &["plan", "show", "--json"]).json();
    assert_eq!(shown["nodes"].as_array().map(Vec::len), Some(6), "{shown:#}");
}
