//! Drafts of earlier runs, taken by their ids.

use testkit::TempProject;

use crate::support::graftage;
use crate::terminal::TestTerminal;

/// A function that has got a parameter, with a call that nothing shows a value for.
fn project() -> TempProject {
    let text = |level: &str| {
        format!(
            "pub fn open(door: u32{level}) -> u32 {{\n    door\n}}\n\n\
             pub fn enter(limit: u32) -> u32 {{\n    open(1) + limit\n}}\n"
        )
    };
    let project = testkit::crate_project(&text(""));
    project.git().commit_all("base");
    project.write("src/lib.rs", text(", _level: u32"));
    project
}

/// The id of the draft of a run.
fn draft(project: &TempProject) -> String {
    let asked = graftage(project, &["finish", "--tests", "none"]);
    assert_eq!(asked.status, 1, "{asked:#?}");
    let line = asked.stdout.lines().find(|it| it.contains("takes the draft as it is"));
    line.and_then(|it| it.split_whitespace().nth(2)).expect("an id").to_owned()
}

#[test]
fn a_draft_is_taken_by_its_id_after_it_is_verified_again() {
    let project = project();
    let id = draft(&project);
    let applied = graftage(&project, &["apply", &id, "--tests", "none", "--json"]).json();
    assert_eq!(applied["outcome"], "applied", "{applied:#}");
    assert_eq!(applied["run"], *id);
    let notes = applied["notes"].to_string();
    assert!(notes.contains("did not apply it: src/lib.rs:6: `0` is a guess"), "{notes}");
    assert!(project.read("src/lib.rs").contains("open(1, 0) + limit"));

    let again = graftage(&project, &["apply", &id, "--tests", "none"]);
    assert_eq!(again.status, 1, "{again:#?}");
    assert!(again.stderr.contains(&format!("the change of run {id} was applied already")));
    assert_eq!(graftage(&project, &["undo"]).status, 0);
    assert!(project.read("src/lib.rs").contains("open(1) + limit"));
}

#[test]
fn a_draft_is_refused_on_another_tree_and_where_it_does_not_pass() {
    let project = project();
    let id = draft(&project);
    // Another file.
    project
        .write("tests/all.rs", "#[test]\nfn fails() {\n    assert_eq!(demo::open(1, 2), 3);\n}\n");
    let moved = graftage(&project, &["apply", &id]);
    assert_eq!(moved.status, 1, "{moved:#?}");
    assert!(moved.stderr.contains("a file of the project changed since run"), "{moved:#?}");
    // A file of the change.
    std::fs::remove_file(project.path("tests/all.rs")).expect("removed");
    let before = project.read("src/lib.rs");
    project.write("src/lib.rs", format!("{before}\npub fn more() {{}}\n"));
    let moved = graftage(&project, &["apply", &id]);
    assert!(moved.stderr.contains("`src/lib.rs` changed since run"), "{moved:#?}");

    let other = graftage(&project, &["apply", "0123456789ab"]);
    assert_eq!(other.status, 1, "{other:#?}");
    assert!(other.stderr.contains("no memory has the id `0123456789ab`"), "{other:#?}");
    // The gate decides as for any change.
    project.write("src/lib.rs", &before);
    let args = ["apply", &id, "--tests", "none", "--config", "gate.max_lines=1"];
    let closed = graftage(&project, &args);
    assert_eq!(closed.status, 1, "{closed:#?}");
    assert!(closed.stdout.contains("2 lines added and removed, 1 allowed"), "{closed:#?}");
    assert_eq!(project.read("src/lib.rs"), before);
}

#[test]
fn a_terminal_sees_the_draft_before_it_is_written() {
    let project = project();
    let id = draft(&project);
    let before = project.read("src/lib.rs");
    let mut terminal = TestTerminal::run(&project, &["apply", &id, "--tests", "none"], (100, 50));
    terminal.wait_for("[y/N]");
    terminal.keys("n\n");
    terminal.wait();
    assert_eq!(project.read("src/lib.rs"), before);
    let mut terminal = TestTerminal::run(&project, &["apply", &id, "--tests", "none"], (100, 50));
    terminal.wait_for("is a guess");
    terminal.wait_for("[y/N]");
    terminal.keys("y\n");
    assert_eq!(terminal.wait(), Some(0));
    assert!(project.read("src/lib.rs").contains("open(1, 0) + limit"));
}

#[test]
fn a_run_continues_with_an_answer_and_searches_nothing_anew() {
    let project = project();
    let asked = graftage(&project, &["finish", "--tests", "none", "--json"]).json();
    let (run, id) = (asked["run"].as_str().expect("an id"), asked["questions"][0]["id"].as_str());
    let answer = format!("{}=limit", id.expect("an id"));
    let resumed = |more: &[&str]| {
        let args = ["finish", "--resume", run, "--answer", &answer, "--tests", "none"];
        graftage(&project, &[&args[..], more].concat())
    };
    let other = graftage(&project, &["fix", "--resume", run]);
    assert_eq!(other.status, 1, "{other:#?}");
    assert!(other.stderr.contains("it is a run of `graftage finish`"), "{other:#?}");
    let other = resumed(&["--all-features"]);
    assert!(other.stderr.contains("it ran with another `check.scope`"), "{other:#?}");

    let report = resumed(&["--json"]).json();
    assert_eq!(report["outcome"], "proven", "{report:#}");
    let notes = report["notes"].to_string();
    assert!(notes.contains("continued an earlier run, with "), "{notes}");
    // A record of its own, which can be replayed.
    let trace = report["trace"].as_str().expect("a trace");
    let beside = project.beside("").display().to_string();
    let trace = trace.replace("BESIDE", beside.trim_end_matches('/'));
    let replayed = graftage(&project, &["eval", "replay", &trace]);
    assert_eq!(replayed.status, 0, "{replayed:#?}");

    let applied = resumed(&["--apply"]);
    assert_eq!(applied.status, 0, "{applied:#?}");
    assert!(project.read("src/lib.rs").contains("open(1, limit) + limit"));
    let moved = resumed(&[]);
    assert!(moved.stderr.contains("changed since run"), "{moved:#?}");
}

/// A missing import, and a name that nothing has.
const TWO_ERRORS: &str = "pub fn kept() -> u32 {\n    let it: HashMap<u32, u32> = HashMap::new();\n    \
     it.len() as u32\n}\n\npub fn open() -> u32 {\n    wholly_unknown_thing()\n}\n";

#[test]
fn what_is_certain_is_written_with_the_errors_left_on_request_only() {
    let project = testkit::crate_project(TWO_ERRORS);
    let shown = graftage(&project, &["fix", "--apply"]);
    assert_eq!(shown.status, 1, "{shown:#?}");
    assert!(shown.stdout.contains("--partial writes it with the errors left"), "{shown:#?}");
    assert_eq!(project.read("src/lib.rs"), TWO_ERRORS);
    let id = shown.stdout.split("graftage apply ").nth(1).and_then(|it| it.split(' ').next());
    let id = id.expect("an id");
    let plain = graftage(&project, &["apply", id]);
    assert!(plain.stderr.contains("leaves errors"), "{plain:#?}");
    let no = graftage(&project, &["fix", "--partial", "--config", "gate.allow_partial=false"]);
    assert!(no.stdout.contains("the policy permits no partial change"), "{no:#?}");
    assert_eq!(project.read("src/lib.rs"), TWO_ERRORS);

    let written = graftage(&project, &["fix", "--partial"]);
    assert_eq!(written.status, 1, "{written:#?}");
    let line = written.stdout.lines().find(|it| it.starts_with("unfinished: ")).expect("a line");
    assert!(
        line.starts_with("unfinished: 1 error left, not verified, and no test ran; written as "),
        "{line}"
    );
    assert!(!written.stdout.contains("applied"), "{written:#?}");
    assert!(project.read("src/lib.rs").contains("use std::collections::HashMap;"));
    assert_eq!(graftage(&project, &["undo"]).status, 0);
    assert_eq!(project.read("src/lib.rs"), TWO_ERRORS);

    let taken = graftage(&project, &["apply", id, "--partial", "--json"]).json();
    assert_eq!(
        (&taken["outcome"], &taken["evidence"]["errors_after"]),
        (&"partial".into(), &1.into())
    );
    assert!(project.read("src/lib.rs").contains("use std::collections::HashMap;"));
}
