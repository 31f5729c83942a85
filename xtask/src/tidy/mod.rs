//! Workspace rules, checked on the text of all files: one file per rule. A broken rule fails with
//! its location; a warning only points at code to review. To add a rule: a file here with an
//! `inspect`, called in [`inspect`], and its tests.

mod callers;
mod collections;
mod documents;
mod edges;
mod manifest;
mod names;
mod open_paths;
mod public_items;
mod retired;
mod sizes;
mod source;
mod sources;
mod text_errors;
mod type_names;
mod words;

use std::path::Path;

pub(crate) use manifest::Manifest;

use crate::Failure;

/// The violations and warnings of the workspace rules.
#[derive(Debug, Default)]
pub(crate) struct Report {
    /// Broken rules, each with its location and its fix.
    pub(crate) problems: Vec<String>,
    /// Conditions that are close to breaking a rule.
    pub(crate) warnings: Vec<String>,
}

/// Checks the tree and prints what is wrong.
pub(crate) fn tidy(root: &Path) -> Result<(), Failure> {
    let report = inspect(root);
    for warning in &report.warnings {
        eprintln!("warning: {warning}");
    }
    for problem in &report.problems {
        eprintln!("error: {problem}");
    }
    match report.problems.len() {
        0 => {
            println!("tidy: {} crates, every workspace rule is met", crates(root).len());
            Ok(())
        }
        count => Err(Failure::Check(format!("{count} workspace rules are broken"))),
    }
}

/// All rules over all files, in a stable order.
pub(crate) fn inspect(root: &Path) -> Report {
    let mut report = Report::default();
    edges::inspect(root, &mut report);
    let files = sources::read(root);
    sources::inspect(&files, &mut report);
    callers::inspect(root, &files, &mut report);
    type_names::inspect(&files, &mut report);
    retired::inspect(root, &mut report);
    sizes::inspect(root, &mut report);
    words::inspect(root, &mut report);
    documents::inspect(root, &mut report);
    report.problems.sort();
    report.warnings.sort();
    report
}

/// The folders below `crates/` that contain a manifest, sorted.
pub(crate) fn crates(root: &Path) -> Vec<String> {
    let mut crates: Vec<String> = folder(&root.join("crates"))
        .into_iter()
        .filter(|name| root.join("crates").join(name).join("Cargo.toml").is_file())
        .collect();
    crates.sort();
    crates
}

/// The names in a folder, sorted; none if it cannot be read.
fn folder(path: &Path) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(path) else { return Vec::new() };
    let mut names: Vec<String> =
        entries.flatten().filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.sort();
    names
}

/// Every file below `folder` by path relative to `root`, sorted; build output, git's own files
/// and links are left out.
fn files(root: &Path, relative: &str) -> Vec<String> {
    let mut found = Vec::new();
    for name in folder(&root.join(relative)) {
        let path = if relative.is_empty() { name.clone() } else { format!("{relative}/{name}") };
        let Ok(meta) = root.join(&path).symlink_metadata() else { continue };
        // In a worktree `.git` is a file.
        if meta.is_dir() && name != "target" && name != ".git" {
            found.extend(files(root, &path));
        } else if meta.is_file() && name != ".git" {
            found.push(path);
        }
    }
    found
}
