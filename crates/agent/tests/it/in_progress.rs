//! In-progress changes: their remaining uses are updated, and nothing reverts them.

use graftage_agent::{FixOptions, FixOutcome, FixReport, ReasonerChoice};
use testkit::TempProject;

use crate::support::workspace;

/// Runs `fix` in the project with `options`.
fn fix(project: &TempProject, options: &FixOptions) -> FixReport {
    let (ctx, workspace) = workspace(project);
    graftage_agent::fix(&ctx, &workspace, options, &mut |_| {}).expect("no fault").report
}

/// A project with `base` committed, in which these files are changed since.
fn in_progress(base: &str, changed: &[(&str, &str)]) -> TempProject {
    let project = testkit::crate_project(base);
    project.git().commit_all("base");
    for (path, text) in changed {
        project.write(path, text);
    }
    project
}

/// The added lines of a diff.
fn added(report: &FixReport) -> Vec<&str> {
    let lines = report.diff.lines().filter(|it| it.starts_with('+') && !it.starts_with("+++"));
    lines.map(|it| it[1..].trim()).collect()
}

#[test]
fn a_rename_in_the_trait_is_finished_as_one_change() {
    let project = in_progress(
        "
//- /src/lib.rs
mod one;
mod two;

pub trait Shape {
    fn area(&self) -> u32;
}

pub fn total(all: &[Box<dyn Shape>]) -> u32 {
    all.iter().map(|it| it.area()).sum()
}
//- /src/one.rs
pub struct One;

impl crate::Shape for One {
    fn area(&self) -> u32 {
        1
    }
}
//- /src/two.rs
pub struct Two;

impl crate::Shape for Two {
    fn area(&self) -> u32 {
        crate::Shape::area(&crate::one::One) + 1
    }
}
",
        &[(
            "src/lib.rs",
            "mod one;\nmod two;\n\npub trait Shape {\n    fn surface_area(&self) -> u32;\n}\n\n\
             pub fn total(all: &[Box<dyn Shape>]) -> u32 {\n    all.iter().map(|it| it.area()).sum()\n}\n",
        )],
    );
    let options = FixOptions { reasoners: ReasonerChoice::Intents, ..FixOptions::default() };
    let report = fix(&project, &options);
    assert_eq!(report.outcome, FixOutcome::Proven, "{report:#?}");
    assert_eq!(
        added(&report),
        [
            "all.iter().map(|it| it.surface_area()).sum()",
            "fn surface_area(&self) -> u32 {",
            "fn surface_area(&self) -> u32 {",
            "crate::Shape::surface_area(&crate::one::One) + 1",
        ]
    );
    assert!(report.candidates_tried <= 3, "{report:#?}");
    let intents: Vec<(&str, &str)> =
        report.intents.iter().map(|it| (it.what.as_ref(), it.evidence.as_str())).collect();
    assert_eq!(intents[0], ("renamed", "method `Shape::surface_area` was `area`"), "{intents:#?}");
}

#[test]
fn a_rename_is_finished_in_packages_that_the_compiler_reaches_later() {
    let package = |name: &str, rest: &str| {
        format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n{rest}")
    };
    let project = testkit::project(&format!(
        "//- /Cargo.toml\n[workspace]\nmembers = [\"low\", \"high\"]\nresolver = \"3\"\n\
         //- /low/Cargo.toml\n{}//- /high/Cargo.toml\n{}\
         //- /low/src/lib.rs\npub trait Check {{\n    fn is_valid(&self) -> bool;\n}}\n\n\
         pub fn all<C: Check>(it: &C) -> bool {{\n    it.is_valid()\n}}\n\
         //- /high/src/lib.rs\npub struct One;\n\nimpl low::Check for One {{\n    \
         fn is_valid(&self) -> bool {{\n        true\n    }}\n}}\n\
         //- /high/tests/t.rs\nstruct Two;\n\nimpl low::Check for Two {{\n    \
         fn is_valid(&self) -> bool {{\n        true\n    }}\n}}\n\n\
         #[test]\nfn all() {{\n    assert!(low::all(&Two));\n}}\n",
        package("low", ""),
        package("high", "\n[dependencies]\nlow = { path = \"../low\" }\n"),
    ));
    project.git().commit_all("base");
    let text = std::fs::read_to_string(project.path("low/src/lib.rs")).unwrap();
    project.write("low/src/lib.rs", text.replace("fn is_valid", "fn check_valid"));
    let options = FixOptions { reasoners: ReasonerChoice::Intents, ..FixOptions::default() };
    let report = fix(&project, &options);
    assert_eq!(report.outcome, FixOutcome::Proven, "{report:#?}");
    let follows = ["fn check_valid(&self) -> bool {", "it.check_valid()"];
    assert_eq!(added(&report), [&follows[..1], &follows].concat());

    // Without tests, what only they build follows and is listed as unproven.
    let options = FixOptions { tests: Some(check::Tests::None), ..options };
    let report = fix(&project, &options);
    assert_eq!(report.outcome, FixOutcome::Proven, "{report:#?}");
    assert_eq!(added(&report), [&follows[..1], &follows].concat());
    let left: Vec<(&str, bool, Option<&str>)> = report
        .left_behind
        .iter()
        .map(|it| (it.path.as_str(), it.edited, it.unproven.as_deref()))
        .collect();
    assert_eq!(left, [("high/tests/t.rs", true, Some("test `t` is not built"))], "{report:#?}");
}

#[test]
fn a_removed_field_takes_its_initialisers_along_and_they_are_listed() {
    let project = in_progress(
        "pub struct S {\n    pub a: u32,\n    pub b: u32,\n}\n\npub fn make() -> S {\n    S { a: 1, b: two() }\n}\n\npub fn two() -> u32 {\n    2\n}\n",
        &[(
            "src/lib.rs",
            "pub struct S {\n    pub a: u32,\n}\n\npub fn make() -> S {\n    S { a: 1, b: two() }\n}\n\npub fn two() -> u32 {\n    2\n}\n",
        )],
    );
    let report = fix(&project, &FixOptions::default());
    assert_eq!(report.outcome, FixOutcome::Proven, "{report:#?}");
    assert_eq!(added(&report), ["S { a: 1 }"]);
    let notes = report.evidence.expect("evidence").notes.clone();
    assert_eq!(notes, ["goes with what you removed or renamed: `b: two()` (src/lib.rs:6)"]);
}

#[test]
fn a_repair_that_takes_the_change_back_is_shown_and_never_applied() {
    // Nothing can be passed for the new parameter but a guess that does not exist.
    let project = in_progress(
        "pub struct Key(u8);\n\npub fn open(_door: u32) {}\n\npub fn enter() {\n    open(1)\n}\n",
        &[(
            "src/lib.rs",
            "pub struct Key(u8);\n\npub fn open(_door: u32, _key: Key) {}\n\npub fn enter() {\n    open(1)\n}\n",
        )],
    );
    let report = fix(&project, &FixOptions::default());
    assert_ne!(report.outcome, FixOutcome::Proven, "{report:#?}");
    let reasons: Vec<&str> = report.refused.iter().map(|it| it.reason.as_str()).collect();
    assert!(reasons.iter().any(|it| it.starts_with("revert: ")), "{report:#?}");
}

#[test]
fn a_commit_to_compare_with_can_be_named_and_must_exist() {
    let project = in_progress("pub fn new_name() {}\n", &[]);
    project.write("src/lib.rs", "pub fn new_name() {}\n\npub fn f() {\n    new_nam()\n}\n");
    let options = FixOptions {
        base: Some("--output=x".to_owned()),
        reasoners: ReasonerChoice::Intents,
        ..FixOptions::default()
    };
    let (ctx, workspace) = workspace(&project);
    let error = graftage_agent::fix(&ctx, &workspace, &options, &mut |_| {});
    let error = error.err().map(|it| it.to_string());
    assert_eq!(error.as_deref(), Some("git knows no commit `--output=x`"));
    assert!(!project.path("x").exists());
}

#[test]
fn an_in_progress_change_in_memory_is_part_of_the_result_and_is_finished() {
    let project = in_progress(
        "
//- /src/lib.rs
pub mod a;

pub fn total() -> u32 {
    a::one() + a::one()
}
//- /src/a.rs
pub fn one() -> u32 {
    1
}
",
        &[],
    );
    let options = FixOptions {
        begin: Some(written(&project, "src/a.rs", "pub fn first() -> u32 {\n    1\n}\n")),
        reasoners: ReasonerChoice::Intents,
        ..FixOptions::default()
    };
    let report = fix(&project, &options);
    assert_eq!(report.outcome, FixOutcome::Proven, "{report:#?}");
    assert_eq!(added(&report), ["pub fn first() -> u32 {", "a::first() + a::first()"]);

    // Nothing follows from it: it is verified as it is.
    let options = FixOptions {
        begin: Some(written(&project, "src/a.rs", "pub fn one() -> u32 {\n    1 + 0\n}\n")),
        ..options
    };
    let report = fix(&project, &options);
    assert_eq!(report.outcome, FixOutcome::Proven, "{report:#?}");
    assert_eq!(added(&report), ["1 + 0"]);
}

/// The change that replaces one file.
fn written(project: &TempProject, path: &str, text: &str) -> edit::Overlay {
    let state = |text: &str| Some(edit::FileState { text: text.into(), executable: false });
    let path = base::ProjectPath::new(path).expect("a path of the project");
    let before = state(&project.read(path.as_str()));
    edit::Overlay::from_states("test", base::Timestamp(0), vec![(path, before, state(text))])
}

/// The files of one version of a dependency, as a release without features.
fn release(version: &str, text: &str) -> change::Release {
    let files = [("src/lib.rs".to_owned(), text.into())].into();
    let source = change::CrateSource { root: "src/lib.rs".to_owned(), files };
    change::Release {
        version: version.to_owned(),
        name: "left".to_owned(),
        crates: [("left".to_owned(), source)].into(),
        ..change::Release::default()
    }
}

#[test]
fn code_follows_another_version_of_a_dependency() {
    let old = "pub mod a { pub struct X; impl X { pub fn get(&self) -> u8 { 1 } } }\n";
    let new =
        "pub mod b { pub struct X; impl X { #[doc = \"\"] pub fn get_one(&self) -> u8 { 1 } } }\n";
    let manifest = |name: &str, version: &str| {
        format!("[package]\nname = \"{name}\"\nversion = \"{version}\"\nedition = \"2021\"\n")
    };
    let own = manifest("p", "0.1.0");
    let depends = |folder: &str| {
        format!("{own}[workspace]\n[dependencies]\nleft = {{ path = \"{folder}\" }}\n")
    };
    let project = TempProject::empty();
    project.write("Cargo.toml", depends("left1"));
    project.write("src/lib.rs", "use left::a::X;\n\npub fn one(it: &X) -> u8 {\n    it.get()\n}\n");
    for (folder, version, text) in [("left1", "1.0.0", old), ("left2", "2.0.0", new)] {
        project.write(&format!("{folder}/Cargo.toml"), manifest("left", version));
        project.write(&format!("{folder}/src/lib.rs"), text);
    }
    project.git().commit_all("base");
    let library = change::Library::new(
        "left".to_owned(),
        "left".to_owned(),
        release("1.0.0", old),
        release("2.0.0", new),
    );
    let options = FixOptions {
        begin: Some(written(&project, "Cargo.toml", &depends("left2"))),
        libraries: vec![library],
        reasoners: ReasonerChoice::Intents,
        ..FixOptions::default()
    };
    let report = fix(&project, &options);
    assert_eq!(report.outcome, FixOutcome::Proven, "{report:#?}");
    assert_eq!(added(&report), ["left = { path = \"left2\" }", "use left::b::X;", "it.get_one()"]);
}

#[test]
fn a_call_in_the_code_of_tests_is_finished_also_where_no_test_runs() {
    let project = in_progress(
        "
//- /src/lib.rs
pub fn scale(value: u32) -> u32 {
    value
}

#[cfg(test)]
mod tests {
    #[test]
    fn it_scales() {
        assert_eq!(super::scale(2), 2);
    }
}
",
        &[(
            "src/lib.rs",
            "pub fn scale(value: u32, exact: bool) -> u32 {
    let _ = exact;
    value
}

#[cfg(test)]
mod tests {
    #[test]
    fn it_scales() {
        assert_eq!(super::scale(2), 2);
    }
}
",
        )],
    );
    let options = FixOptions {
        tests: Some(check::Tests::None),
        reasoners: ReasonerChoice::Intents,
        ..FixOptions::default()
    };
    let report = fix(&project, &options);
    assert_ne!(report.outcome, FixOutcome::Clean, "{report:#?}");
    assert_eq!(added(&report), ["assert_eq!(super::scale(2, false), 2);"], "{report:#?}");
}
