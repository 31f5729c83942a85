//! Questions of a run, and runs with answers.

use graftage_agent::{Answers, FixOptions, FixOutcome, FixReport, Question, ReasonerChoice};
use testkit::TempProject;

use crate::support::workspace;

fn fix(project: &TempProject, options: &FixOptions) -> FixReport {
    let (ctx, workspace) = workspace(project);
    graftage_agent::fix(&ctx, &workspace, options, &mut |_| {}).expect("no fault").report
}

fn added(report: &FixReport) -> Vec<&str> {
    let lines = report.diff.lines().filter(|it| it.starts_with('+') && !it.starts_with("+++"));
    lines.map(|it| it[1..].trim()).collect()
}

/// A question as text: its line, places and options.
fn shown(question: &Question) -> String {
    let options = question.options.iter().map(|it| format!("{} ({})", it.text, it.evidence));
    let options: Vec<String> = options.collect();
    format!("{} at {}: {}", question.text, question.places.join(", "), options.join("; "))
}

fn with_answer(project: &TempProject, id: &str, answer: &str) -> FixReport {
    let answers = Answers([(id.to_owned(), answer.to_owned())].into());
    fix(
        project,
        &FixOptions { answers, reasoners: ReasonerChoice::Intents, ..FixOptions::default() },
    )
}

/// A function that has got a parameter, with two calls; nothing shows what they pass.
fn project() -> TempProject {
    let text = |level: &str, body: &str| {
        format!(
            "pub fn open(door: u32{level}) -> u32 {{\n    {body}\n}}\n\n\
             pub fn enter(limit: u32) -> u32 {{\n    open(1) + limit\n}}\n\n\
             pub fn leave() -> u32 {{\n    open(2)\n}}\n"
        )
    };
    let project = testkit::crate_project(&text("", "door"));
    project.git().commit_all("base");
    project.write("src/lib.rs", text(", level: u32", "door + level"));
    project
}

#[test]
fn a_guess_is_asked_for_and_an_answer_is_proven() {
    let project = project();
    let options = FixOptions { reasoners: ReasonerChoice::Intents, ..FixOptions::default() };
    let report = fix(&project, &options);
    assert_eq!(report.outcome, FixOutcome::Draft, "{report:#?}");
    let questions: Vec<String> = report.questions.iter().map(shown).collect();
    assert_eq!(
        questions,
        [
            "which value has `level: u32` at src/lib.rs:6, src/lib.rs:10: 0 (the empty value of the type); \
          limit (it has the type, in 1 of 2 places)"
        ]
    );
    let id = report.questions[0].id.clone();

    // One answer serves all places; an option only those that have it.
    let report = with_answer(&project, &id, "=7");
    assert_eq!(report.outcome, FixOutcome::Proven, "{report:#?}");
    assert_eq!(added(&report), ["open(1, 7) + limit", "open(2, 7)"]);
    let report = with_answer(&project, &id, "2");
    assert_eq!(report.outcome, FixOutcome::Draft, "{report:#?}");
    assert_eq!(added(&report), ["open(1, limit) + limit", "open(2, 0)"]);
    let places: Vec<&String> = report.questions.iter().flat_map(|it| &it.places).collect();
    assert_eq!(places, ["src/lib.rs:10"]);
}

#[test]
fn an_answer_that_fits_nothing_comes_back_with_the_reason() {
    let project = project();
    let options = FixOptions { reasoners: ReasonerChoice::Intents, ..FixOptions::default() };
    let id = fix(&project, &options).questions[0].id.clone();
    for (asked, answer, note) in [
        (&*id, "\"x\"", "the tree does not build with the answer to ID: "),
        (
            &*id,
            "1); evil(",
            "the answer to ID: `1); evil(` is not one expression on one line, without comments",
        ),
        (&*id, "9", "the answer to ID: there is no option 9; `=9` is the number itself"),
        ("q000000", "1", "no question of this run has the id q000000"),
    ] {
        let report = with_answer(&project, asked, answer);
        assert_eq!(report.outcome, FixOutcome::Draft, "{report:#?}");
        let notes = report.notes.join("\n");
        assert!(notes.starts_with(&note.replace("ID", &id)), "{notes}");
        assert_eq!(report.questions[0].id, id);
    }
}
