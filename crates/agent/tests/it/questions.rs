//! Questions of a run, and runs with answers.

use std::sync::Arc;

use graftage_agent::{
    AnswerSource, Answers, FixOptions, FixOutcome, FixReport, ModelNoteKind, ModelReasoner,
    Question, ReasonLimits, ReasonerChoice, RefactorOptions,
};
use model::language::{MessagePart, Scripted, StopReason, Turn, TurnRequest, Usage};
use refactor::{NewPart, Reshape};
use testkit::TempProject;

use crate::support::workspace;

pub(crate) fn fix(project: &TempProject, options: &FixOptions) -> FixReport {
    let (ctx, workspace) = workspace(project);
    graftage_agent::fix(&ctx, &workspace, options, &mut |_| {}).expect("no fault").report
}

pub(crate) fn added(report: &FixReport) -> Vec<&str> {
    let lines = report.diff.lines().filter(|it| it.starts_with('+') && !it.starts_with("+++"));
    lines.map(|it| it[1..].trim()).collect()
}

/// A question as text: its line, places and options.
pub(crate) fn shown(question: &Question) -> String {
    let options = question.options.iter().map(|it| format!("{} ({})", it.text, it.evidence));
    let options: Vec<String> = options.collect();
    format!("{} at {}: {}", question.text, question.places.join(", "), options.join("; "))
}

pub(crate) fn with_answer(project: &TempProject, id: &str, answer: &str) -> FixReport {
    let answers = Answers([(id.to_owned(), answer.to_owned())].into()).into();
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

/// The same function, whose new parameter has to be 7: a test depends on it, or none.
fn tested_project(has_test: bool) -> TempProject {
    let test = match has_test {
        true => {
            "\n#[cfg(test)]\nmod checks {\n    #[test]\n    fn the_door_opens() {\n        \
                 assert_eq!(super::leave(), 2);\n    }\n}\n"
        }
        false => "",
    };
    let text = |level: &str, body: &str| {
        format!(
            "pub fn open(door: u32{level}) -> u32 {{\n    {body}\n}}\n\n\
             pub fn leave() -> u32 {{\n    open(2)\n}}\n{test}"
        )
    };
    let project = testkit::crate_project(&text("", "door"));
    project.git().commit_all("base");
    project.write("src/lib.rs", text(", level: u32", "door + level - 7"));
    project
}

/// Runs `finish` with a model that answers in turn; the requests to it.
fn answered(
    project: &TempProject,
    answers: &[&str],
    limits: ReasonLimits,
) -> (FixReport, Vec<TurnRequest>) {
    let turn = |text: &&str| Turn {
        parts: vec![MessagePart::Text { text: (*text).to_owned() }],
        stop: StopReason::EndTurn,
        usage: Usage { input_tokens: 300, output_tokens: 5, ..Usage::default() },
        model: "scripted".to_owned(),
    };
    let model = Arc::new(Scripted::new(answers.iter().map(turn).collect()));
    let options = FixOptions {
        model: Some(ModelReasoner::new(Arc::clone(&model) as _, limits)),
        reasoners: ReasonerChoice::Intents,
        ..FixOptions::default()
    };
    let report = fix(project, &options);
    (report, model.requests())
}

fn that_answer() -> ReasonLimits {
    ReasonLimits { answers: true, ..ReasonLimits::default() }
}

#[test]
fn an_answer_of_a_model_is_a_guess_that_a_test_has_to_need() {
    let (report, requests) = answered(&tested_project(true), &["=7"], that_answer());
    assert_eq!(report.outcome, FixOutcome::Proven, "{report:#?}");
    assert_eq!(added(&report), ["open(2, 7)"]);
    assert!(report.guesses.iter().all(|it| it.tested && it.text == "7"), "{:?}", report.guesses);
    assert_eq!(report.tokens, 305);
    // One question with its options and the code around it, without tools.
    assert_eq!(requests.len(), 1);
    let request = serde_json::to_string(&requests[0]).unwrap();
    assert!(request.contains("which value has `level: u32`?"), "{request}");
    assert!(request.contains("1. 0 (the empty value of the type)"), "{request}");
    assert!(request.contains("code around src/lib.rs:6") && requests[0].tools.is_empty());
    assert!(request.len() < 3_000, "{}", request.len());

    let (report, _) = answered(&tested_project(false), &["=7"], that_answer());
    assert_eq!(report.outcome, FixOutcome::Draft, "{report:#?}");
    assert_eq!(added(&report), ["open(2, 7)"]);
    assert_eq!(report.questions[0].options[0].text, "7");
}

#[test]
fn a_model_answers_only_on_request_and_only_with_what_it_may_write() {
    let (report, requests) = answered(&tested_project(true), &["=7"], ReasonLimits::default());
    assert_eq!((report.outcome, requests.len()), (FixOutcome::None, 0), "{report:#?}");
    // A person is asked then.
    assert_eq!(report.questions.len(), 1);

    for answer in [
        "none",
        "1); evil(",
        "std::process::exit(0)",
        "{ std::fs::remove_file(\"Cargo.toml\").ok(); 7 }",
        "todo!()",
        "env!(\"HOME\").len() as u32",
        "7 // hidden",
        "\"x\"",
    ] {
        let project = tested_project(false);
        let (report, requests) = answered(&project, &[answer], that_answer());
        assert_eq!(
            (report.outcome, requests.len()),
            (FixOutcome::Draft, 1),
            "{answer}: {report:#?}"
        );
        assert_eq!(added(&report), ["open(2, 0)"], "{answer}");
        let is_noted = report.notes.iter().any(|it| it.contains("does not build with the answer"))
            || report
                .model
                .iter()
                .any(|it| matches!(it.kind, ModelNoteKind::Refused | ModelNoteKind::Ended));
        assert!(is_noted, "{answer}: {report:#?}");
    }
}

/// Functions with the parameter, each with the value that its call passes, and one that gets it next.
fn doors(known: &[(&str, &str)], next: &str, tests: &str) -> TempProject {
    let project = testkit::crate_project(&door_text(known, next, "", tests));
    project.git().commit_all("base");
    project
}

fn door_text(known: &[(&str, &str)], next: &str, level: &str, tests: &str) -> String {
    let function = |name: &str, level: &str, value: &str| {
        let body = if level.is_empty() { "door" } else { "door + level" };
        format!(
            "pub fn {name}(door: u32{level}) -> u32 {{\n    {body}\n}}\n\n\
             pub fn use_{name}() -> u32 {{\n    {name}(1{value})\n}}\n\n"
        )
    };
    let known = known.iter().map(|(name, value)| function(name, ", level: u32", value));
    format!("{}{}{tests}", known.collect::<String>(), function(next, level, ""))
}

/// Runs `finish` as a person who gives this answer to its only question, and applies the change.
fn applied_with(project: &TempProject, answer: &str, by_person: bool) -> FixReport {
    let (ctx, workspace) = workspace(project);
    let mut options = FixOptions { reasoners: ReasonerChoice::Intents, ..FixOptions::default() };
    let open = graftage_agent::fix(&ctx, &workspace, &options, &mut |_| {}).expect("no fault");
    let id = open.report.questions[0].id.clone();
    match by_person {
        true => options.answers.add_own(id, answer.to_owned()),
        false => options.answers = Answers([(id, answer.to_owned())].into()).into(),
    }
    let fixed = graftage_agent::fix(&ctx, &workspace, &options, &mut |_| {}).expect("no fault");
    let report = graftage_agent::apply(&ctx, &workspace, fixed, false).expect("no fault");
    assert_eq!(report.outcome, FixOutcome::Applied, "{report:#?}");
    report
}

/// The report of `finish` where `next` has got the parameter, after `known` functions whose calls pass answers.
fn after(project: &TempProject, known: &[(&str, &str)], next: &str, tests: &str) -> FixReport {
    project.write("src/lib.rs", door_text(known, next, "", tests));
    project.git().commit_all("next");
    project.write("src/lib.rs", door_text(known, next, ", level: u32", tests));
    fix(project, &FixOptions { reasoners: ReasonerChoice::Intents, ..FixOptions::default() })
}

const TESTS: &str = "#[cfg(test)]\nmod checks {\n    #[test]\n    fn the_door_is_used() {\n        \
                     assert!(super::use_shut() > 0);\n    }\n}\n";

#[test]
fn an_answer_of_a_person_is_offered_first_and_after_two_equal_ones_taken() {
    let project = doors(&[], "open", "");
    project.write("src/lib.rs", door_text(&[], "open", ", level: u32", ""));
    applied_with(&project, "=7", true);

    let one = [("open", ", 7")];
    let report = after(&project, &one, "close", "");
    assert_eq!(
        report.questions.iter().map(shown).collect::<Vec<_>>(),
        ["which value has `level: u32` at src/lib.rs:14: 7 (answered so before); \
          0 (the empty value of the type)"]
    );
    assert_eq!(added(&report), ["close(1, 0)"]);
    applied_with(&project, "1", true);

    // No test executes the place: it is asked for, and the answer is the guess.
    let two = [("open", ", 7"), ("close", ", 7")];
    let report = after(&project, &two, "shut", "");
    assert_eq!(report.outcome, FixOutcome::Draft, "{report:#?}");
    assert_eq!(added(&report), ["shut(1, 7)"]);
    assert_eq!(report.questions[0].options[0].text, "7");

    let report = after(&project, &two, "shut", TESTS);
    assert_eq!(report.outcome, FixOutcome::Proven, "{report:#?}");
    assert_eq!(added(&report), ["shut(1, 7)"]);
    assert!(report.questions.is_empty());
    let [row] = report.answers.as_slice() else { panic!("{:?}", report.answers) };
    assert_eq!((row.text.as_str(), row.source), ("7", AnswerSource::Earlier(2)));
    let note = format!(
        "which value has `level: u32`: `7`, as twice before (`--answer {}=…` gives another)",
        row.id
    );
    assert_eq!(report.notes, [note]);
    let report = with_answer(&project, &row.id, "=9");
    assert_eq!(added(&report), ["shut(1, 9)"]);
    assert!(report.notes.is_empty() && report.outcome == FixOutcome::Proven, "{report:#?}");
}

#[test]
fn only_what_a_person_answered_and_did_not_revert_is_remembered() {
    let next = |project: &TempProject| {
        let report = after(project, &[("open", ", 7")], "close", "");
        report.questions[0].options.iter().map(|it| it.text.clone()).collect::<Vec<_>>()
    };
    let project = doors(&[], "open", "");
    project.write("src/lib.rs", door_text(&[], "open", ", level: u32", ""));
    // An agent gives answers without being a person.
    applied_with(&project, "=7", false);
    assert_eq!(next(&project), ["0"]);

    let project = doors(&[], "open", "");
    project.write("src/lib.rs", door_text(&[], "open", ", level: u32", ""));
    let report = applied_with(&project, "=7", true);
    let (ctx, workspace) = workspace(&project);
    let id = report.id.map(|it| it.to_string());
    tools::undo(&ctx, &workspace, id.as_deref()).expect("undoes");
    drop(workspace);
    assert_eq!(next(&project), ["0"]);
}

#[test]
fn a_refactoring_without_a_value_is_a_change_with_a_question() {
    let text =
        "pub fn open(door: u32) -> u32 {\n    door\n}\n\npub fn leave() -> u32 {\n    open(2)\n}\n";
    let project = testkit::crate_project(text);
    project.git().commit_all("base");
    let add = |declaration: &str, options: &RefactorOptions| {
        let (ctx, workspace) = workspace(&project);
        let new = NewPart { declaration: declaration.to_owned(), value: None };
        let change = ("open", &Reshape::AddParameter { new, place: None });
        let rules = ReasonerChoice::Rules;
        graftage_agent::reshape(&ctx, &workspace, change, options, rules, &mut |_| {})
            .expect("no fault")
            .report
    };
    let mut options = RefactorOptions::default();
    for (declaration, asked, answer, line) in [
        (
            "_level: u32",
            "which value has `_level: u32` at src/lib.rs:6: 0 (the empty value of the type)",
            "=7",
            "open(2, 7)",
        ),
        (
            "_name: &'static str",
            "which value has `_name: &'static str` at src/lib.rs:6: \"\" (the empty value of the type)",
            "\"x\"",
            "open(2, \"x\")",
        ),
    ] {
        let report = add(declaration, &options);
        assert_eq!(report.outcome, FixOutcome::Draft, "{report:#?}");
        assert_eq!(report.questions.iter().map(shown).collect::<Vec<_>>(), [asked]);
        options.answers.add_own(report.questions[0].id.clone(), answer.to_owned());
        let report = add(declaration, &options);
        assert_eq!(report.outcome, FixOutcome::Proven, "{report:#?}");
        assert!(added(&report).contains(&line), "{report:#?}");
    }
}
