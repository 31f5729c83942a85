//! Questions on the command line and on a terminal.

use testkit::TempProject;

use crate::support::graftage;
use crate::terminal::TestTerminal;

/// A function with a parameter more, or none, and a call that nothing shows a value for.
fn text(level: &str) -> String {
    format!(
        "pub fn open(door: u32{level}) -> u32 {{\n    door\n}}\n\n\
         pub fn enter(limit: u32) -> u32 {{\n    open(1) + limit\n}}\n"
    )
}

/// The function has got the parameter.
fn project() -> TempProject {
    let project = testkit::crate_project(&text(""));
    project.git().commit_all("base");
    project.write("src/lib.rs", text(", _level: u32"));
    project
}

#[test]
fn a_draft_lists_its_questions_and_an_answer_is_applied() {
    let project = project();
    let asked = graftage(&project, &["finish", "--tests", "none"]);
    assert_eq!(asked.status, 1, "{asked:#?}");
    let at = asked.stdout.find("question ").expect("a question");
    let id = asked.stdout.split("--answer ").nth(1).and_then(|it| it.split('=').next());
    let id = id.expect("an id");
    let run = asked.stdout.split("--resume ").nth(1).and_then(|it| it.split(' ').next());
    let run = run.expect("an id");
    assert_eq!(
        asked.stdout[at..].replace(id, "ID").replace(run, "RUN"),
        "question which value has `_level: u32`?\n  src/lib.rs:6\n    open(1, 0) + limit\n  \
         1. 0  the empty value of the type\n  2. limit  it has the type\n  \
         other values compile, too, and no test distinguishes them\n  --answer ID=1\n\n  \
         --resume RUN continues with the answers\n"
    );
    let report = graftage(&project, &["finish", "--tests", "none", "--json"]).json();
    assert_eq!(report["questions"][0]["id"], id);

    project.write("answers.json", format!("{{\"{id}\": \"2\"}}"));
    let file = project.path("answers.json").display().to_string();
    let args = ["finish", "--tests", "none", "--apply", "--answers", &file];
    let applied = graftage(&project, &args);
    assert_eq!(applied.status, 0, "{applied:#?}");
    assert!(project.read("src/lib.rs").contains("open(1, limit) + limit"));
}

#[test]
fn a_terminal_is_asked_and_the_answer_is_shown_before_it_is_written() {
    let project = project();
    let mut terminal = TestTerminal::run(&project, &["finish", "--tests", "none"], (100, 50));
    terminal.wait_for("or Enter to leave it open:");
    terminal.keys("2\n");
    terminal.wait_for("[y/N]");
    terminal.keys("y\n");
    assert_eq!(terminal.wait(), Some(0));
    assert!(project.read("src/lib.rs").contains("open(1, limit) + limit"));

    let project = self::project();
    let before = project.read("src/lib.rs");
    let args = ["finish", "--tests", "none", "--no-questions"];
    let mut terminal = TestTerminal::run(&project, &args, (100, 50));
    assert_eq!(terminal.wait(), Some(1));
    assert_eq!(project.read("src/lib.rs"), before);
}

#[test]
fn a_refactoring_asks_for_the_value_and_takes_the_answer() {
    let project = project();
    project.write("src/lib.rs", text(""));
    let refactor = ["refactor", "add-parameter", "open", "_level: u32", "--tests", "none"];
    let asked = graftage(&project, &refactor);
    assert_eq!(asked.status, 1, "{asked:#?}");
    let question = "question which value has `_level: u32`?\n  src/lib.rs:6\n";
    assert!(asked.stdout.contains(question), "{asked:#?}");
    assert!(!asked.stdout.contains("--resume"), "{}", asked.stdout);
    let id = asked.stdout.split("--answer ").nth(1).and_then(|it| it.split('=').next());
    let answer = format!("{}==3", id.expect("an id"));
    let applied = graftage(&project, &[&refactor[..], &["--apply", "--answer", &answer]].concat());
    assert_eq!(applied.status, 0, "{applied:#?}");
    assert!(project.read("src/lib.rs").contains("open(1, 3) + limit"));
}
