//! Runs the preservation rule over pairs of trees and counts its reports: measures how often
//! correct changes are rejected. Each argument is a folder with `before/` and `after/`, or a folder
//! of such folders. Beside the two trees, `errors.json` may contain the output of `cargo check
//! --message-format=json` for the tree before, and `base/` the last commit: what the user has removed
//! since permits more. The evaluator's checker is run over the same pairs:
//! what it rejects too is no repair by the evaluation's own measure. A development command, not
//! part of the product.
#![allow(clippy::print_stdout, clippy::disallowed_methods)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use base::{Diagnostic, ProjectPath, Timestamp};
use build::CargoMessage;
use change::Difference;
use edit::{FileState, Overlay};
use graftage_eval::preserve::{MentionedNames, TextsByPath, broken_promises};
use preserve::{Allowed, Violation, preservation};

fn main() {
    let mut cases = Vec::new();
    for argument in std::env::args_os().skip(1) {
        let folder = PathBuf::from(argument);
        if folder.join("before").is_dir() {
            cases.push(folder);
        } else {
            cases.extend(folders(&folder));
        }
    }
    cases.sort();
    let mut by_rule: BTreeMap<&str, (usize, BTreeSet<usize>)> = BTreeMap::new();
    let (mut refused, mut protected, mut evaluator, mut alone) = (0, 0, 0, 0);
    for (idx, case) in cases.iter().enumerate() {
        let errors = errors(case);
        let found = preservation(&overlay(case, "after"), &errors, &allowed(case)).violations;
        let broken = evaluated(case, &errors);
        evaluator += usize::from(broken.is_some());
        alone += usize::from(broken.is_some() && found.is_empty());
        if let Some(broken) = broken {
            println!("  {:28} the evaluator: {broken}", shown_name(case));
        }
        refused += usize::from(!found.is_empty());
        protected += usize::from(found.iter().any(|it| it.rule.protects_tests()));
        for violation in &found {
            let entry = by_rule.entry(violation.rule.as_str()).or_default();
            entry.0 += 1;
            entry.1.insert(idx);
            show(case, violation);
        }
    }
    println!("cases {}, refused {refused}, by a rule that protects tests {protected}", cases.len());
    println!("refused by the evaluator {evaluator}, by it alone {alone}");
    for (rule, (count, cases)) in by_rule {
        println!("{rule:28} {count:4} in {:3} cases", cases.len());
    }
}

fn show(case: &Path, violation: &Violation) {
    let mark = if violation.rule.protects_tests() { "!" } else { " " };
    let name = shown_name(case);
    let Violation { rule, path, line, detail, .. } = violation;
    println!("{mark} {name:28} {rule:24} {path}:{line} {detail}");
}

fn shown_name(case: &Path) -> String {
    case.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// The compiler's diagnostics for the tree before, if they were recorded.
fn errors(case: &Path) -> Vec<Diagnostic> {
    let text = std::fs::read(case.join("errors.json")).unwrap_or_default();
    let messages = text.split(|byte| *byte == b'\n');
    messages
        .filter_map(|line| match build::read_message(&case.join("before"), line)? {
            CargoMessage::Diagnostic(diagnostic) => Some(*diagnostic),
            _ => None,
        })
        .filter(Diagnostic::is_error)
        .collect()
}

/// The first promise that the change breaks according to the evaluator's checker.
fn evaluated(case: &Path, errors: &[Diagnostic]) -> Option<String> {
    let sources = |folder: &str| -> TextsByPath {
        let texts = texts(&case.join(folder)).into_iter();
        let rust = texts.filter(|(path, _)| path.extension() == Some("rs"));
        rust.map(|(path, text)| (path.as_str().to_owned(), text)).collect()
    };
    let (mut before, mut after) = (sources("before"), sources("after"));
    let all = before.clone();
    before.retain(|path, text| after.get(path) != Some(text));
    after.retain(|path, text| all.get(path) != Some(text));
    let mentioned = MentionedNames::of(errors, &before);
    broken_promises(&before, &after, &mentioned, false).first().map(ToString::to_string)
}

/// What the changes since the last commit permit.
fn allowed(case: &Path) -> Allowed {
    if !case.join("base").is_dir() {
        return Allowed::default();
    }
    let difference = Difference::since(&overlay(case, "base"));
    change::allowances(&difference, &change::intents(&difference))
}

/// The change from the tree before to another one.
fn overlay(case: &Path, to: &str) -> Overlay {
    let (before, after) = (texts(&case.join("before")), texts(&case.join(to)));
    let paths: BTreeSet<&ProjectPath> = before.keys().chain(after.keys()).collect();
    let state = |texts: &BTreeMap<ProjectPath, String>, path: &ProjectPath| {
        texts.get(path).map(|it| FileState { text: it.as_str().into(), executable: false })
    };
    let states = paths
        .into_iter()
        .map(|path| (path.clone(), state(&before, path), state(&after, path)))
        .collect();
    Overlay::from_states("measurement", Timestamp(0), states)
}

fn texts(root: &Path) -> BTreeMap<ProjectPath, String> {
    let mut found = BTreeMap::new();
    let mut open = vec![root.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let kind = entry.file_type().ok();
            if kind.is_some_and(|it| it.is_dir()) && entry.file_name() != "target" {
                open.push(path);
            } else if kind.is_some_and(|it| it.is_file())
                && let Ok(relative) = ProjectPath::within(root, &path)
                && let Ok(text) = std::fs::read_to_string(&path)
            {
                found.insert(relative, text);
            }
        }
    }
    found
}

fn folders(root: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(root).into_iter().flatten().flatten();
    entries.map(|it| it.path()).filter(|it| it.join("before").is_dir()).collect()
}
