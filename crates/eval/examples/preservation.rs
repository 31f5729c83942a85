//! Runs the preservation rule over pairs of trees and counts what it reports: the measurement of
//! refusals of changes that are right. Each argument is a folder with `before/` and `after/`, or
//! a folder of such folders. A development command: it is no part of the product.
#![allow(clippy::print_stdout, clippy::disallowed_methods)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use base::{ProjectPath, Timestamp};
use edit::{FileState, Overlay};
use preserve::{Violation, violations};

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
    let (mut refused, mut protected) = (0, 0);
    for (idx, case) in cases.iter().enumerate() {
        let found = violations(&overlay(case));
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
    for (rule, (count, cases)) in by_rule {
        println!("{rule:28} {count:4} in {:3} cases", cases.len());
    }
}

fn show(case: &Path, violation: &Violation) {
    let mark = if violation.rule.protects_tests() { "!" } else { " " };
    let name = case.file_name().unwrap_or_default().to_string_lossy();
    let Violation { rule, path, line, detail } = violation;
    println!("{mark} {name:28} {rule:24} {path}:{line} {detail}");
}

/// What leads from one tree to the other.
fn overlay(case: &Path) -> Overlay {
    let (before, after) = (texts(&case.join("before")), texts(&case.join("after")));
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
