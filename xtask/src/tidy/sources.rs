//! Workspace rules about Rust files: sizes, processes, `unsafe`, banned macros, module docs.

use std::collections::BTreeSet;
use std::path::Path;

use super::source::Source;
use super::{Report, collections, files, open_paths, text_errors};

/// The limit of lines of code in a file, tests and comments not counted.
const REFUSED_ABOVE: usize = 600;
/// The number of lines of code above which a warning suggests to split the file.
const WARNED_ABOVE: usize = 400;

/// The crates that may start processes: one for the product, two for tests and development.
const STARTERS: &[&str] = &["crates/sandbox/", "crates/testkit/", "xtask/"];

/// The code that may give a process the network: the crate that implements it, and the download.
const NETWORKED: &[&str] = &["crates/sandbox/", "crates/build/src/fetch/"];

/// The files that may hold `unsafe`, each block with its safety argument.
const UNSAFE_FILES: &[&str] = &[
    "crates/sandbox/launcher.rs",
    "crates/sandbox/src/sys.rs",
    "crates/sandbox/src/sys/fact.rs",
    "crates/sandbox/src/sys/notice.rs",
    // The kernel's version of Landlock, for set-up.
    "xtask/src/kernel.rs",
    // The confined probe of the escape suite makes raw system calls; it is not installed.
    "crates/sandbox/src/bin/graftage-sandbox-probe/raw.rs",
    // Instructions beyond the baseline, selected by the features of the processor.
    "crates/search/src/vectors/simd.rs",
    // The search index, read from a memory mapping.
    "crates/ingest/src/mapped.rs",
];

/// Destructive git commands, which are banned as arguments.
const DESTRUCTIVE: &[&str] =
    &["reset", "stash", "checkout", "restore", "rebase", "push", "filter-branch", "clean -f"];

/// A Rust file of the workspace.
pub(super) struct File {
    /// Path from the root.
    pub(super) path: String,
    /// Content.
    pub(super) text: String,
    /// Content, split into code, comments and strings.
    pub(super) source: Source,
    /// Whether the whole file is for tests, benches or examples.
    pub(super) is_test: bool,
}

/// Reads every Rust file, except declarations that resolution reads as text: nothing compiles them.
pub(super) fn read(root: &Path) -> Vec<File> {
    let mut paths = files(root, "crates");
    paths.extend(files(root, "xtask"));
    paths.retain(|path| path.ends_with(".rs") && !path.starts_with("crates/resolve/sysroot/"));
    let read = |path: String| {
        let text = std::fs::read_to_string(root.join(&path)).ok()?;
        let source = Source::parse(&text);
        Some(File { is_test: is_test_path(&path), path, text, source })
    };
    let mut read: Vec<File> = paths.into_iter().filter_map(read).collect();
    let modules: BTreeSet<String> = read
        .iter()
        .flat_map(|file| {
            file.source.test_modules.iter().flat_map(|name| module_files(&file.path, name))
        })
        .collect();
    for file in &mut read {
        // A module of tests may have modules of its own, in its folder.
        let mut folders = file.path.match_indices('/').map(|(at, _)| &file.path[..at]);
        file.is_test |= modules.contains(&file.path)
            || folders.any(|folder| modules.contains(&format!("{folder}/mod.rs")));
    }
    read
}

/// Checks the rules for every Rust file.
pub(super) fn inspect(files: &[File], report: &mut Report) {
    for File { path, text, source, is_test } in files {
        report.problems.extend(file_problems(path, text, source, *is_test));
        report.problems.extend(doc_problem(path, text));
        report.problems.extend(open_paths::problems(path, source, *is_test));
        report.problems.extend(collections::problems(path, source, *is_test));
        report.problems.extend(text_errors::problems(path, source, *is_test));
        let lines = code_lines(source);
        if *is_test {
        } else if lines > REFUSED_ABOVE {
            report.problems.push(format!("{path}: {lines} lines of code, at most {REFUSED_ABOVE}"));
        } else if lines > WARNED_ABOVE {
            report
                .warnings
                .push(format!("{path}: {lines} lines of code, split above {WARNED_ABOVE}"));
        }
    }
}

/// Files of tests, benches and examples: they may start processes and name destructive commands.
fn is_test_path(path: &str) -> bool {
    ["/tests/", "/benches/", "/examples/"].iter().any(|part| path.contains(part))
        || path.ends_with("/tests.rs")
}

/// The paths at which `mod name;` in `path` may have its file.
fn module_files(path: &str, name: &str) -> [String; 2] {
    let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
    let stem = file.trim_end_matches(".rs");
    let folder = match stem {
        "lib" | "main" | "mod" => folder.to_owned(),
        stem => format!("{folder}/{stem}"),
    };
    [format!("{folder}/{name}.rs"), format!("{folder}/{name}/mod.rs")]
}

fn code_lines(source: &Source) -> usize {
    let lines = source.code.iter().zip(&source.test);
    lines.filter(|(line, test)| !**test && !line.trim().is_empty()).count()
}

fn file_problems(path: &str, text: &str, source: &Source, tests_only: bool) -> Vec<String> {
    let mut problems = Vec::new();
    if is_root(path) {
        problems.extend(opening_problem(path, text));
    }
    // Escape for the rare line that must name what is banned: a comment with the reason.
    let allowed = |line: usize| {
        let here = source.comments.get(line).is_some_and(|text| text.contains("tidy: allow"));
        let above = line.checked_sub(1).and_then(|line| source.comments.get(line));
        here || above.is_some_and(|text| text.contains("tidy: allow"))
    };
    let mut say = |line: usize, what: &str| {
        if !allowed(line) {
            problems.push(format!("{path}:{}: {what}", line + 1));
        }
    };
    let starter = STARTERS.iter().any(|starter| path.starts_with(starter));
    for (line, code) in source.code.iter().enumerate() {
        let test = tests_only || source.test[line];
        if !test && !starter && starts_process(code) {
            say(line, "only `sandbox` starts processes");
        }
        let networked = NETWORKED.iter().any(|place| path.starts_with(place));
        if !test && !networked && has_word(code, "Network::On") {
            say(line, "only a download gives a process the network: `build::fetch`");
        }
        if !test && code.contains("Evidence::of(") && !path.starts_with("crates/check/src/") {
            say(line, "only `check` creates evidence, once and complete");
        }
        for word in ["todo!", "unimplemented!", "dbg!"] {
            if has_word(code, word) {
                say(line, &format!("`{word}` is not for the main line"));
            }
        }
        if code.contains("#[ignore") {
            say(
                line,
                "no test is ignored; skip at run time with `testkit::skip` and give the reason",
            );
        }
        if has_word(code, "unsafe") {
            if !UNSAFE_FILES.contains(&path) {
                say(line, "`unsafe` only in the files of tidy's list");
            } else if !argued(source, line) {
                say(line, "`unsafe` without a `SAFETY:` comment right above");
            }
        }
    }
    for (line, comment) in source.comments.iter().enumerate() {
        if ["FIXME", "TODO", "XXX"].iter().any(|word| has_word(comment, word)) {
            say(line, "an open task belongs in the tracker, not in a comment");
        }
    }
    for (line, string) in &source.strings {
        let test = tests_only || source.test[*line];
        if !test && DESTRUCTIVE.contains(&string.as_str()) && !path.starts_with("xtask/") {
            say(*line, &format!("`git {string}` destroys data of the user"));
        }
    }
    problems
}

/// Whether the file is the root of a library or a program.
fn is_root(path: &str) -> bool {
    path.ends_with("src/lib.rs") || path.ends_with("src/main.rs")
}

/// Checks that a source file opens with a module doc; roots have the stricter rule of
/// [`opening_problem`]. Integration tests, benches and examples need none.
fn doc_problem(path: &str, text: &str) -> Option<String> {
    let of_crate = path.strip_prefix("crates/").and_then(|inner| inner.split_once('/'));
    let is_source = path.starts_with("xtask/src/")
        || of_crate.is_some_and(|(_, inner)| inner.starts_with("src/"));
    let mut lines = text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with("#!["));
    let opens = lines
        .next()
        .and_then(|line| line.strip_prefix("//!"))
        .is_some_and(|doc| !doc.trim().is_empty());
    let is_missing = is_source && !is_root(path) && !opens;
    is_missing.then(|| format!("{path}: open with `//!` and what the module is for"))
}

/// Checks the module doc of a crate: its purpose, and its invariants.
fn opening_problem(path: &str, text: &str) -> Option<String> {
    let head: Vec<&str> = text.lines().take_while(|line| line.starts_with("//!")).collect();
    if head.is_empty() {
        return Some(format!("{path}: open with `//!` and the purpose of the crate"));
    }
    let names_it = head.iter().any(|line| line.to_lowercase().contains("invariant"));
    (!names_it).then(|| format!("{path}: the opening names no invariant"))
}

/// Whether a safety argument is on the line or in the comment that ends right above it.
fn argued(source: &Source, line: usize) -> bool {
    let comment = |line: usize| source.comments[line].trim();
    // Attributes and the beginning of the statement may be between them.
    let near = line.saturating_sub(3)..=line;
    let Some(last) = near.rev().find(|line| !comment(*line).is_empty()) else { return false };
    (0..=last)
        .rev()
        .take_while(|line| !comment(*line).is_empty())
        .any(|line| comment(line).to_lowercase().contains("safety"))
}

/// `std::process::Command` by any spelling that a `use` leaves open.
fn starts_process(code: &str) -> bool {
    code.contains("process::Command")
        || code.split_once("process::{").is_some_and(|(_, list)| has_word(list, "Command"))
}

/// Whether `text` contains `word` as a whole word.
fn has_word(text: &str, word: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(word).any(|(at, _)| {
        let before = text[..at].chars().next_back().is_some_and(is_part);
        let after = text[at + word.len()..].chars().next().is_some_and(is_part);
        let ends_in_word = word.chars().next_back().is_some_and(is_part);
        !(before || after && ends_in_word)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems(path: &str, text: &str) -> Vec<String> {
        file_problems(path, text, &Source::parse(text), is_test_path(path))
    }

    #[test]
    fn processes_start_in_the_sandbox_alone() {
        let text = "use std::process::{Command, Stdio};\n";
        assert_eq!(problems("crates/repo/src/a.rs", text).len(), 1);
        assert_eq!(problems("crates/sandbox/src/a.rs", text).len(), 0);
        assert_eq!(problems("crates/repo/tests/a.rs", text).len(), 0);
        assert_eq!(problems("crates/repo/src/a.rs", "// std::process::Command\n").len(), 0);
    }

    #[test]
    fn only_a_download_gives_a_process_the_network() {
        let text = "job.network = Network::On;\n";
        assert_eq!(problems("crates/build/src/process.rs", text).len(), 1);
        assert_eq!(problems("crates/eval/src/bench.rs", text).len(), 1);
        assert_eq!(problems("crates/build/src/fetch/mod.rs", text).len(), 0);
        assert_eq!(problems("crates/eval/src/bench.rs", "Network::Off\n").len(), 0);
    }

    #[test]
    fn evidence_is_made_in_one_crate() {
        let text = "let evidence = Evidence::of(findings);\n";
        assert_eq!(problems("crates/agent/src/a.rs", text).len(), 1);
        assert_eq!(problems("crates/check/src/draft.rs", text).len(), 0);
        assert_eq!(problems("crates/repo/tests/it/a.rs", text).len(), 0);
    }

    #[test]
    fn destructive_verbs_are_found_as_arguments_and_not_in_prose() {
        assert_eq!(problems("crates/repo/src/a.rs", "git([\"reset\", \"--hard\"])\n").len(), 1);
        assert_eq!(problems("crates/repo/src/a.rs", "say(\"a reset is needed\")\n").len(), 0);
        let test = "#[cfg(test)]\nmod tests {\n    fn a() { git([\"stash\"]) }\n}\n";
        assert_eq!(problems("crates/repo/src/a.rs", test).len(), 0);
    }

    #[test]
    fn open_ends_ignored_tests_and_unsafe_are_found() {
        assert_eq!(problems("crates/edit/src/a.rs", "fn a() { todo!() }\n").len(), 1);
        assert_eq!(problems("crates/edit/src/a.rs", "// FIXME later\n").len(), 1);
        assert_eq!(problems("crates/edit/src/a.rs", "#[ignore]\nfn a() {}\n").len(), 1);
        assert_eq!(problems("crates/edit/src/a.rs", "unsafe { x() }\n").len(), 1);
        assert_eq!(problems("crates/edit/src/a.rs", "#![deny(unsafe_code)]\n").len(), 0);
        assert_eq!(problems("crates/edit/src/a.rs", "let a = \"todo!()\";\n").len(), 0);
    }

    #[test]
    fn a_crate_opens_with_purpose_and_invariant() {
        assert_eq!(problems("crates/edit/src/lib.rs", "mod a;\n").len(), 1);
        assert_eq!(problems("crates/edit/src/lib.rs", "//! For edits.\n").len(), 1);
        assert_eq!(problems("crates/edit/src/lib.rs", "//! Edits. Invariant: pure.\n").len(), 0);
    }

    #[test]
    fn a_source_file_opens_with_what_it_is_for() {
        let problem = |text: &str| doc_problem("crates/edit/src/a/b.rs", text);
        assert_eq!(
            problem("use std::fmt;\n\n//! Late.\n").as_deref(),
            Some("crates/edit/src/a/b.rs: open with `//!` and what the module is for")
        );
        for text in ["", "/// An item.\nstruct A;\n", "// A comment.\n", "//!\n//! Late.\n"] {
            assert!(problem(text).is_some(), "{text:?}");
        }
        assert_eq!(problem("//! Edits.\n"), None);
        assert_eq!(problem("#![allow(dead_code)]\n\n//! Edits.\n"), None);
        assert!(doc_problem("xtask/src/a.rs", "mod b;\n").is_some());
        assert!(doc_problem("crates/edit/src/tests.rs", "mod b;\n").is_some());
        // Roots have a rule of their own; other folders need none.
        assert_eq!(doc_problem("crates/edit/src/lib.rs", "mod b;\n"), None);
        assert_eq!(doc_problem("crates/edit/tests/it/a.rs", "mod b;\n"), None);
    }

    #[test]
    fn a_reason_lifts_the_ban() {
        let text = "// tidy: allow, the name of a terminal code\nlet a = \"reset\";\n";
        assert_eq!(problems("crates/graftage/src/a.rs", text).len(), 0);
    }
}
