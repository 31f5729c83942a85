//! Texts that do not parse: merge conflicts, of which the user chooses a side, and brackets.

use graftage_agent::{FixOptions, FixOutcome, FixReport};
use testkit::TempProject;

use crate::support::workspace;

fn fix(project: &TempProject, options: &FixOptions) -> FixReport {
    let (ctx, workspace) = workspace(project);
    graftage_agent::fix(&ctx, &workspace, options, &mut |_| {}).expect("no fault").report
}

const BOTH_PASS: &str = "\
pub fn size() -> u8 {
<<<<<<< HEAD
    1
=======
    2
>>>>>>> topic
}
";

#[test]
fn a_conflict_of_which_both_sides_pass_is_left_to_the_user() {
    let project = testkit::crate_project(BOTH_PASS);
    let report = fix(&project, &FixOptions::default());
    assert_eq!(report.outcome, FixOutcome::Draft, "{report:#?}");
    let kept: Vec<&str> = report.choices.iter().map(|it| it.rationale[0].as_str()).collect();
    assert_eq!(
        kept,
        [
            "keep our side of the conflict (ours: `HEAD`)",
            "keep their side of the conflict (theirs: `topic`)"
        ]
    );
    assert!(report.choices[1].diff.contains("-    1\n"), "{}", report.choices[1].diff);
    assert_eq!(
        report.reason.as_deref(),
        Some("2 changes pass and mean different things: choose one with `--choose N`")
    );
}

#[test]
fn the_side_that_the_user_chooses_is_verified() {
    let project = testkit::crate_project(BOTH_PASS);
    let report = fix(&project, &FixOptions { choose: Some(2), ..FixOptions::default() });
    assert_eq!(report.outcome, FixOutcome::Proven, "{report:#?}");
    assert_eq!(report.evidence.expect("evidence").violations, []);
    assert!(report.diff.contains("-    1\n"), "{}", report.diff);
}

#[test]
fn the_only_resolution_that_passes_is_the_repair() {
    let text = "\
<<<<<<< HEAD
pub fn one() -> u8 {
    1
}
||||||| base
=======
pub fn two() -> u8 {
    2
}
>>>>>>> topic

pub fn three() -> u8 {
    one() + two()
}
";
    let report = fix(&testkit::crate_project(text), &FixOptions::default());
    assert_eq!(report.outcome, FixOutcome::Proven, "{report:#?}");
    // Both only add items, whose order means nothing.
    assert_eq!(report.rationale, ["keep what each side has changed of the conflict"]);

    let text = text.replace("one() + two()", "two()");
    let text = text.replace("pub fn one() -> u8 {\n    1\n}\n", "use missing::one;\n");
    let report = fix(&testkit::crate_project(&text), &FixOptions::default());
    assert_eq!(report.outcome, FixOutcome::Draft, "{report:#?}");
    let kept = &report.choices[0].rationale;
    assert_eq!(*kept, ["keep their side of the conflict (theirs: `topic`)"]);
    let reason = "1 change passes and drops a side of the conflict: `--choose 1` takes it";
    assert_eq!(report.reason.as_deref(), Some(reason));
}

#[test]
fn what_fits_to_one_side_of_a_conflict_is_never_applied_with_it() {
    let text = "\
<<<<<<< HEAD
pub fn escaped(w: &str, always: bool) -> bool {
    always || w.contains(' ')
=======
pub fn escaped(word: &str) -> bool {
    word.contains(' ')
>>>>>>> topic
}

pub fn any(of: &[&str]) -> bool {
    of.iter().any(|it| escaped(it, false)) && OTHER
}
";
    let report = fix(&testkit::crate_project(text), &FixOptions::default());
    assert_ne!(report.outcome, FixOutcome::Proven, "{report:#?}");
    // Theirs, and a call without the argument that ours has.
    let text = text.replace(" && OTHER", "").replace("    always ||", "    missing() ||");
    let report = fix(&testkit::crate_project(&text), &FixOptions::default());
    assert_eq!(report.outcome, FixOutcome::Draft, "{report:#?}");
    let reason = "it drops a side of a conflict, and changes what fits to that";
    assert_eq!(report.reason.as_deref(), Some(reason));
}

#[test]
fn what_each_side_has_changed_is_joined() {
    let project = testkit::crate_project(
        "pub fn escaped(w: &str) -> bool {\n    w.contains(' ')\n}\n\n\
         pub fn any(of: &[&str]) -> bool {\n    of.iter().any(|it| escaped(it))\n}\n",
    );
    let git = project.git();
    git.commit_all("base");
    let text = project.read("src/lib.rs");
    let change = |edits: &[(&str, &str)]| {
        let changed = edits.iter().fold(text.clone(), |text, (from, to)| text.replace(from, to));
        project.write("src/lib.rs", &changed);
    };
    git.run(&["checkout", "-q", "-b", "ours"]);
    change(&[("pub fn escaped(w: &str)", "pub(crate) fn escaped(w: &str)")]);
    git.commit_all("ours");
    git.run(&["checkout", "-q", "-b", "theirs", "HEAD~1"]);
    change(&[
        ("w: &str)", "w: &str, always: bool)"),
        ("    w.", "    always || w."),
        ("(it)", "(it, false)"),
    ]);
    git.commit_all("theirs");
    git.run(&["checkout", "-q", "ours"]);
    assert!(!git.try_run(&["merge", "theirs"]).status.success());
    assert!(project.read("src/lib.rs").contains("<<<<<<<"));
    let report = fix(&project, &FixOptions::default());
    assert_eq!(report.outcome, FixOutcome::Proven, "{report:#?}");
    assert_eq!(report.rationale, ["keep what each side has changed of the conflict"]);
    let head = "+pub(crate) fn escaped(w: &str, always: bool) -> bool {";
    let kept = report.diff.contains(head) || report.diff.contains(&head.replace('+', " "));
    assert!(kept, "{}", report.diff);
    assert!(report.diff.contains("    always || w.contains(' ')\n"), "{}", report.diff);
}

#[test]
fn both_changes_of_one_expression_are_a_choice() {
    let text = "\
pub fn size(x: u8, y: u8) -> u8 {
<<<<<<< HEAD
    x + 2
||||||| base
    x + 1
=======
    y + 1
>>>>>>> topic
}
";
    let report = fix(&testkit::crate_project(text), &FixOptions::default());
    assert_eq!(report.outcome, FixOutcome::Draft, "{report:#?}");
    let kept: Vec<&str> = report.choices.iter().map(|it| it.rationale[0].as_str()).collect();
    assert_eq!(
        kept,
        [
            "keep what each side has changed of the conflict",
            "keep our side of the conflict (ours: `HEAD`)",
            "keep their side of the conflict (theirs: `topic`)"
        ]
    );
}

#[test]
fn what_both_sides_add_at_one_place_is_kept_in_an_order_that_a_person_sees() {
    let base = "pub struct S {\n    a: u8,\n    z: u8,\n}\n\npub fn f(s: &S) -> u8 {\n    let mut n = s.a;\n    \
        n + s.z\n}\n";
    let side = |name: &str| {
        let field = format!("    a: u8,\n    {name}: u8,\n");
        let added = format!("    if s.{name} > 1 {{\n        n += s.{name};\n    }}\n    n + s.z");
        base.replace("    a: u8,\n", &field).replace("    n + s.z", &added)
    };
    let project = testkit::crate_project(base);
    let git = project.git();
    git.run(&["checkout", "-q", "-b", "ours"]);
    project.write("src/lib.rs", side("b"));
    git.commit_all("ours");
    git.run(&["checkout", "-q", "-b", "theirs", "HEAD~1"]);
    project.write("src/lib.rs", side("c"));
    git.commit_all("theirs");
    git.run(&["checkout", "-q", "ours"]);
    assert!(!git.try_run(&["merge", "theirs"]).status.success());
    let report = fix(&project, &FixOptions::default());
    assert_eq!(report.outcome, FixOutcome::Draft, "{report:#?}");
    assert_eq!(report.choices.len(), 1, "{report:#?}");
    for line in ["     b: u8,", "     c: u8,", "     if s.b > 1 {", "     if s.c > 1 {"] {
        let has = report.choices[0].diff.lines().any(|it| it == line);
        assert!(has, "{line}: {}", report.choices[0].diff);
    }
    assert_eq!(
        report.reason.as_deref(),
        Some("1 change passes and has what both sides added, ours first: `--choose 1` takes it")
    );
}

#[test]
fn a_missing_brace_goes_where_the_indentation_ends() {
    let text = "\
pub fn sum(of: &[u8]) -> u8 {
    let mut sum = 0;
    for it in of {
        sum += it;
    sum
}
";
    let report = fix(&testkit::crate_project(text), &FixOptions::default());
    assert_eq!(report.outcome, FixOutcome::Proven, "{report:#?}");
    assert_eq!(report.rationale, ["insert the missing `}` (line 4)"]);
}
