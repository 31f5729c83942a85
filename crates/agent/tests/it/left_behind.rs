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

#[test]
fn a_failure_that_the_caller_cannot_take_is_listed_and_the_others_are_passed_on() {
    // Both errors have one name, so that only the compiler distinguishes them.
    let text = |of: &str, end: &str| {
        format!(
            "pub mod a {{\n    pub struct Error;\n}}\npub mod b {{\n    pub struct Error;\n}}\n\n\
             pub fn send(from: &str){of} {{\n    drop(from.len());{end}\n}}\n\n\
             pub fn one() -> Result<(), a::Error> {{\n    send(\"1\");\n    Ok(())\n}}\n\n\
             pub mod c {{\n    use crate::b::Error;\n    pub fn two() -> Result<(), Error> {{\n        \
             crate::send(\"2\");\n        Ok(())\n    }}\n}}\n"
        )
    };
    let project = testkit::crate_project(&text("", ""));
    project.git().commit_all("base");
    project.write("src/lib.rs", text(" -> Result<(), a::Error>", "\n    Ok(())"));
    let report = finish(&project);
    assert_eq!(report.outcome, FixOutcome::Proven, "{report:#?}");
    let added: Vec<&str> = report.diff.lines().filter(|it| it.starts_with("+ ")).collect();
    assert_eq!(added, ["+    send(\"1\")?;"], "{report:#?}");
    assert_eq!(
        rows(&report),
        [
            "src/lib.rs:14: the failure of `send` is not passed on (edited)",
            "src/lib.rs:21: the failure of `send` is not passed on",
        ]
    );
    assert!(report.left_behind[1].loses_failure(), "{report:#?}");
}

#[test]
fn a_repair_of_errors_passes_on_the_failures_that_it_leaves_unused() {
    // Two functions have the name: only the warnings of the repaired tree show whose calls these are.
    let text = |of: &str| {
        format!(
            "pub struct E;\npub struct A;\npub struct B;\n\nimpl A {{\n    pub fn close(&self){of} {{\n        \
             drop(1);\n    }}\n}}\n\nimpl B {{\n    pub fn close(&self) {{}}\n}}\n\n\
             pub fn all(list: &[A], other: &B) -> Result<(), E> {{\n    for it in list {{\n        it.close();\n    }}\n    \
             other.close();\n    Ok(())\n}}\n"
        )
    };
    let project = testkit::crate_project(&text(""));
    project.git().commit_all("base");
    project.write("src/lib.rs", text(" -> Result<(), E>"));
    let report = finish(&project);
    assert_eq!(report.outcome, FixOutcome::Proven, "{report:#?}");
    let added: Vec<&str> = report.diff.lines().filter(|it| it.starts_with("+ ")).collect();
    assert_eq!(added, ["+        Ok(())", "+        it.close()?;"], "{report:#?}");
    assert_eq!(rows(&report), [""; 0]);
}

/// A function with the parameter `head`, a call of it in code, and one in an example that is run and one that is not.
fn with_examples(head: &str, call: &str, example: &str) -> String {
    format!(
        "/// ```\n/// assert_eq!(fixture::size({example}), 2);\n/// ```\n///\n/// ```ignore\n/// fixture::size({example});\n\
         /// ```\npub fn size(w: u32{head}) -> u32 {{\n    w\n}}\n\npub fn twice(w: u32) -> u32 {{\n    2 * size(w{call})\n}}\n"
    )
}

#[test]
fn calls_in_examples_follow_a_new_parameter_with_the_argument_of_the_calls_in_code() {
    let project = testkit::crate_project(&with_examples("", "", "2"));
    project.git().commit_all("base");
    project.write("src/lib.rs", with_examples(", _deep: bool", ", false", "2"));
    let report = finish(&project);
    assert_eq!(report.outcome, FixOutcome::Proven, "{report:#?}");
    let what = "a call of `size` in an example with the arguments before (edited)";
    assert_eq!(rows(&report), [format!("src/lib.rs:2: {what}"), format!("src/lib.rs:6: {what}")]);
    assert!(report.diff.contains("+/// assert_eq!(fixture::size(2, false), 2);"), "{report:#?}");
    assert!(report.diff.contains("+/// fixture::size(2, false);"), "{report:#?}");
    // No test has run them.
    let unproven = report.left_behind.iter().filter_map(|it| it.unproven.as_deref());
    assert_eq!(unproven.collect::<Vec<_>>(), ["no test runs the example"]);
}

#[test]
fn a_tree_is_not_clean_while_an_example_has_the_arguments_before() {
    let project = testkit::crate_project(&with_examples("", "", "2"));
    project.git().commit_all("base");
    project.write("src/lib.rs", with_examples(", _deep: u32", ", w", "2"));
    let (ctx, workspace) = workspace(&project);
    let options = FixOptions {
        reasoners: ReasonerChoice::Intents,
        tests: Some(check::Tests::None),
        ..FixOptions::default()
    };
    let fixed = graftage_agent::fix(&ctx, &workspace, &options, &mut |_| {}).expect("no fault");
    assert_eq!(fixed.report.outcome, FixOutcome::None, "{:#?}", fixed.report);
    let what = "a call of `size` in an example with the arguments before";
    let wanted = [format!("src/lib.rs:2: {what}"), format!("src/lib.rs:6: {what}")];
    assert_eq!(rows(&fixed.report), wanted);
}

#[test]
fn a_repair_of_errors_takes_the_argument_from_examples_that_is_gone() {
    let project = testkit::crate_project(&with_examples(", _b: u32", ", 1", "2, 3"));
    project.git().commit_all("base");
    project.write("src/lib.rs", with_examples("", ", 1", "2, 3"));
    let report = finish(&project);
    assert_eq!(report.outcome, FixOutcome::Proven, "{report:#?}");
    assert!(report.diff.contains("+/// assert_eq!(fixture::size(2), 2);"), "{report:#?}");
    assert!(report.diff.contains("+/// fixture::size(2);"), "{report:#?}");
}

/// A function with callers, of which one is for another system, as is a second definition.
#[test]
fn examples_take_the_success_of_a_function_that_has_become_fallible() {
    let library = |returned: &str, value: &str, call: &str| {
        format!(
            "/// ```\n/// assert_eq!(fixture::parsed(\"1\"), 1);\n/// ```\npub fn parsed(of: &str) -> {returned} {{\n    \
             {value}\n}}\n\npub fn twice(of: &str) -> Option<u8> {{\n    Some(2 * parsed(of){call})\n}}\n"
        )
    };
    let project = testkit::crate_project(&library("u8", "of.len() as u8", ""));
    project.git().commit_all("base");
    project.write("src/lib.rs", library("Option<u8>", "of.parse().ok()", ""));
    let report = finish(&project);
    assert_eq!(report.outcome, FixOutcome::Proven, "{report:#?}");
    let example = "+/// assert_eq!(fixture::parsed(\"1\").unwrap(), 1);";
    assert!(report.diff.contains(example), "{report:#?}");
    assert!(report.diff.contains("+    Some(2 * parsed(of)?)"), "{report:#?}");
    let what = "a call of `parsed` in an example that takes no failure (edited)";
    assert_eq!(rows(&report), [format!("src/lib.rs:2: {what}")]);
}

/// Two types with a method of one name, each with an example that does not show the type.
fn with_rivals(name: &str, call: &str) -> String {
    let example = |ty: &str, value: u8| {
        format!(
            "    /// ```\n    /// let all = vec![fixture::{ty}];\n    /// \
             assert!(all.iter().all(|it| it.taken_left() == {value}));\n    /// ```\n"
        )
    };
    let (first, second) = (example("First", 1), example("Second", 2));
    format!(
        "pub struct First;\npub struct Second;\n\nimpl First {{\n{first}    pub fn {name}(&self) -> u8 {{\n        \
         1\n    }}\n\n    pub fn twice(&self) -> u8 {{\n        2 * {call}\n    }}\n}}\n\n\
         impl Second {{\n{second}    pub fn taken_left(&self) -> u8 {{\n        2\n    }}\n}}\n"
    )
}

#[test]
fn the_name_of_a_method_follows_in_the_examples_that_fail_without() {
    // In a tree that does not build, and in one that does.
    for (before, after) in [("self.taken_left()", "self.taken_left()"), ("1", "1")] {
        let project = testkit::crate_project(&with_rivals("taken_left", before));
        project.git().commit_all("base");
        project.write("src/lib.rs", with_rivals("removed_left", after));
        let report = finish(&project);
        assert_eq!(report.outcome, FixOutcome::Proven, "{report:#?}");
        let text = "+    /// assert!(all.iter().all(|it| it.removed_left() == 1));";
        assert!(report.diff.contains(text), "{report:#?}");
        assert!(!report.diff.contains("== 2"), "{report:#?}");
    }
}

fn with_other_builds(head: &str, name: &str) -> String {
    format!(
        "#[cfg(not(windows))]\nmod imp {{\n    pub fn {name}(a: {head}) -> u8 {{\n        a.len() as u8\n    }}\n}}\n\
         #[cfg(windows)]\nmod imp {{\n    pub fn size(a: &str) -> u8 {{\n        a.len() as u8\n    }}\n}}\n\n\
         pub fn first() -> u8 {{\n    imp::size(\"a\")\n}}\n\n#[cfg(windows)]\n\
         pub fn second() -> u8 {{\n    imp::size(\"b\")\n}}\n"
    )
}

#[test]
fn code_that_no_check_builds_is_listed_after_a_repair_of_a_signature_or_name() {
    for changed in [with_other_builds("String", "size"), with_other_builds("&str", "length")] {
        let project = testkit::crate_project(&with_other_builds("&str", "size"));
        project.git().commit_all("base");
        project.write("src/lib.rs", changed);
        let (ctx, workspace) = workspace(&project);
        let options = FixOptions::default();
        let fixed = graftage_agent::fix(&ctx, &workspace, &options, &mut |_| {}).expect("no fault");
        let left = rows(&fixed.report);
        assert_eq!(fixed.report.outcome, FixOutcome::Proven, "{:#?}", fixed.report);
        assert!(left.contains(&"src/lib.rs:20: `size`".to_owned()), "{left:?}");
        assert!(
            left.contains(&"src/lib.rs:9: `size` for other builds is as before".to_owned()),
            "{left:?}"
        );
        assert_eq!(left.len(), 2, "{left:?}");
    }
}
