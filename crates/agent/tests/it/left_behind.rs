//! `finish` on a tree that compiles: what the change has left behind.

use graftage_agent::{FixOptions, FixOutcome, FixReport, ReasonerChoice};
use testkit::TempProject;

use crate::support::workspace;

fn finish(project: &TempProject) -> FixReport {
    let (ctx, workspace) = workspace(project);
    let options = FixOptions { reasoners: ReasonerChoice::Intents, ..FixOptions::default() };
    graftage_agent::fix(&ctx, &workspace, &options, &mut |_| {}).expect("no fault").report
}

fn rows(report: &FixReport) -> Vec<String> {
    let row = |it: &graftage_agent::LeftRow| {
        let edited = if it.edited { " (edited)" } else { "" };
        format!("{}:{}: {}{edited}", it.path, it.line, it.what)
    };
    report.left_behind.iter().map(row).collect()
}

/// A body that ends with a value.
fn body(value: &str) -> String {
    format!(
        "let lines = from.lines().count();\n    let words = from.split(' ').count();\n    lines + words + {value}"
    )
}

/// A library with a function and one that it calls.
fn library(name: &str, body: &str) -> String {
    format!(
        "//! Start at [`read_all`].\n\npub fn {name}(from: &str) -> usize {{\n    {body}\n}}\n\n\
         fn helper(from: &str) -> usize {{\n    from.len()\n}}\n"
    )
}

#[test]
fn an_old_name_in_documentation_is_edited_and_unused_code_is_listed() {
    let project = testkit::crate_project(&library("read_all", &body("helper(from)")));
    project.write("README.md", "Call `read_all`.\n");
    project.git().commit_all("base");
    project.write("src/lib.rs", library("read_rest", &body("from.len()")));
    let report = finish(&project);
    assert_eq!(report.outcome, FixOutcome::Proven, "{report:#?}");
    assert!(report.diff.contains("+//! Start at [`read_rest`]."), "{report:#?}");
    assert_eq!(
        rows(&report),
        [
            "README.md:1: `read_all` in the text",
            "src/lib.rs:1: link to `read_all` in the documentation (edited)",
            "src/lib.rs:9: function `helper` is never used",
        ]
    );
}

#[test]
fn without_a_difference_nothing_is_left() {
    let project = testkit::crate_project(&library("read_all", "helper(from)"));
    project.git().commit_all("base");
    let report = finish(&project);
    assert_eq!(report.outcome, FixOutcome::Clean, "{report:#?}");
    assert_eq!(rows(&report), [""; 0]);
}
