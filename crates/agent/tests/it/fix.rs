//! From a broken crate to a verified repair, through all crates.

use graftage_agent::{FixOptions, FixOutcome};
use project::{Settings, Surroundings, Workspace};
use testkit::TempProject;

use crate::support::workspace;

#[test]
fn five_mistakes_of_three_phases_are_repaired_together() {
    let project = testkit::copy_crate("demo");
    let before = project.digest();
    let (ctx, workspace) = workspace(&project);
    let mut log = Vec::new();
    let fixed = graftage_agent::fix(&ctx, &workspace, &FixOptions::default(), &mut |event| {
        log.push(format!("{event:?}"));
    })
    .expect("no fault");
    assert_eq!(fixed.report.outcome, FixOutcome::Proven, "{}\n{:#?}", log.join("\n"), fixed.report);
    assert_eq!(project.digest(), before, "a check writes nothing");
    let evidence = fixed.report.evidence.clone().expect("evidence");
    assert_eq!(evidence.errors_after, 0);
    assert_eq!(evidence.tests.as_ref().expect("tests ran").passed, 3);

    let report = graftage_agent::apply(&ctx, &workspace, fixed, false).expect("writes");
    assert_eq!(report.outcome, FixOutcome::Applied);
    assert!(project.read("src/lib.rs").contains("use std::collections::BTreeMap;"));
}

/// Runs `fix` with `options` in the project.
fn fix(project: &TempProject, options: &FixOptions) -> graftage_agent::FixResult {
    let (ctx, workspace) = workspace(project);
    graftage_agent::fix(&ctx, &workspace, options, &mut |_| {}).expect("no fault")
}

#[test]
fn errors_in_test_code_are_repaired_after_those_of_the_crate() {
    let project = testkit::crate_project(
        "
//- /src/lib.rs
pub fn double(n: u32) -> u32 {
    n * 2;
}

#[cfg(test)]
mod tests {
    #[test]
    fn two_is_doubled() {
        let result = 0;
        result = super::double(1);
        assert_eq!(result, 2);
    }
}
",
    );
    let fixed = fix(&project, &FixOptions::default());
    assert_eq!(fixed.report.outcome, FixOutcome::Proven, "{:#?}", fixed.report);
    assert!(fixed.report.diff.contains("+    n * 2\n"), "{}", fixed.report.diff);
    assert!(fixed.report.diff.contains("+        let mut result = 0;"), "{}", fixed.report.diff);
}

#[test]
fn a_repair_that_makes_a_test_fail_is_refused() {
    let project = testkit::crate_project(
        "
//- /src/lib.rs
pub fn word() -> &'static str {
    helo()
}
fn hello() -> &'static str {
    \"hello\"
}
#[cfg(test)]
mod tests {
    #[test]
    fn it_is_another_word() {
        assert_eq!(super::word(), \"goodbye\");
    }
}
",
    );
    let before = project.digest();
    let fixed = fix(&project, &FixOptions::default());
    assert_eq!(fixed.report.outcome, FixOutcome::None, "{:#?}", fixed.report);
    assert!(fixed.accepted.is_none());
    assert!(fixed.report.refused[0].reason.contains("it_is_another_word"), "{:#?}", fixed.report);
    assert_eq!(project.digest(), before);
}

#[test]
fn a_test_that_failed_at_the_last_commit_is_no_reason_to_refuse() {
    let project = testkit::crate_project(
        "
//- /src/lib.rs
pub fn word() -> &'static str {
    hello()
}
fn hello() -> &'static str {
    \"hello\"
}
#[cfg(test)]
mod tests {
    #[test]
    fn it_is_another_word() {
        assert_eq!(super::word(), \"goodbye\");
    }
}
",
    );
    project.git();
    project.write("src/lib.rs", project.read("src/lib.rs").replace("    hello()", "    helo()"));
    let fixed = fix(&project, &FixOptions::default());
    assert_eq!(fixed.report.outcome, FixOutcome::Proven, "{:#?}", fixed.report);
    let evidence = fixed.report.evidence.expect("evidence");
    let tests = evidence.tests.as_ref().expect("tests ran");
    assert_eq!(tests.failed_before, ["fixture::tests::it_is_another_word"]);
}

#[test]
fn a_repair_with_a_placeholder_is_a_draft_and_is_never_applied() {
    let project = testkit::crate_project(
        "
//- /src/lib.rs
pub trait Voice {
    fn level(&self) -> u8;
}
pub struct Loud;
impl Voice for Loud {}
",
    );
    let before = project.digest();
    let (ctx, workspace) = workspace(&project);
    let fixed = graftage_agent::fix(&ctx, &workspace, &FixOptions::default(), &mut |_| {})
        .expect("no fault");
    assert_eq!(fixed.report.outcome, FixOutcome::Draft, "{:#?}", fixed.report);
    assert!(fixed.report.diff.contains("todo!()"), "{}", fixed.report.diff);
    let report = graftage_agent::apply(&ctx, &workspace, fixed, false).expect("no fault");
    assert_eq!((report.outcome, report.id), (FixOutcome::Draft, None));
    assert_eq!(project.digest(), before);
}

#[test]
fn what_can_be_repaired_beside_an_error_that_cannot_is_shown() {
    let project = testkit::crate_project(
        "pub fn a(word: &str) -> usize {\n    wrd.len()\n}\npub fn b() -> u8 {\n    nowhere::f()\n}\n",
    );
    let before = project.digest();
    let report = fix(&project, &FixOptions::default()).report;
    assert_eq!(report.outcome, FixOutcome::None, "{report:#?}");
    let partial = report.partial.expect("the first error can be repaired");
    assert!(partial.diff.contains("+    word.len()"), "{}", partial.diff);
    assert_eq!(partial.left.len(), 1, "{:?}", partial.left);
    assert!(partial.left[0].contains("nowhere"), "{:?}", partial.left);
    assert_eq!(project.digest(), before);
}

#[test]
fn only_errors_of_the_named_code_are_fixed() {
    let project = testkit::crate_project("pub fn f() -> u8 {\n    1;\n}\n");
    let options = FixOptions { error: Some("E0425".to_owned()), ..FixOptions::default() };
    let fixed = fix(&project, &options);
    assert_eq!(fixed.report.outcome, FixOutcome::None);
    assert_eq!(fixed.report.reason.as_deref(), Some("no error has the code E0425"));
}

/// A workspace with the machine's cache directory, where a test machine has rust-analyzer unpacked.
#[allow(clippy::disallowed_methods)]
fn live_workspace(project: &TempProject) -> (base::Ctx, Workspace) {
    let mut settings = Settings::default();
    settings.put("analyzer.live", "true", project::SettingOrigin::Flag).expect("a setting");
    let ctx = testkit::ctx();
    let surroundings = Surroundings {
        state_dir: project.beside("graftage").join("state"),
        ..Surroundings::of_process().expect("a home")
    };
    let sandbox = testkit::inner::sandbox();
    let workspace = Workspace::open(&ctx, project.root(), &settings, &surroundings, sandbox);
    (ctx, workspace.expect("opens"))
}

#[test]
fn a_proposal_of_rust_analyzer_is_verified_like_the_others() {
    let project = testkit::copy_crate("clean");
    let text =
        "/// An empty table.\npub fn table() -> HashMap<u8, u8> {\n    Default::default()\n}\n";
    project.write("src/lib.rs", text);
    let before = project.digest();
    let (ctx, workspace) = live_workspace(&project);
    let options = FixOptions {
        reasoners: graftage_agent::ReasonerChoice::Analyzer,
        tests: Some(check::Tests::None),
        ..FixOptions::default()
    };
    let fixed = graftage_agent::fix(&ctx, &workspace, &options, &mut |_| {}).expect("no fault");
    if let Some(reason) = workspace.no_analyzer() {
        return testkit::skip(testkit::Need::RustAnalyzer, &reason);
    }
    assert_eq!(fixed.report.outcome, FixOutcome::Proven, "{:#?}", fixed.report);
    assert!(fixed.report.rationale[0].contains("rust-analyzer: "), "{:?}", fixed.report.rationale);
    assert!(fixed.report.diff.contains("std::collections::HashMap"), "{}", fixed.report.diff);
    assert_eq!(project.digest(), before, "a check writes nothing");
    let _ = std::fs::remove_dir_all(workspace.project().cache_dir());
}
