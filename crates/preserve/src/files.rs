//! Changes of whole files: test targets removed or moved, new build scripts, expected output of
//! tests.

use base::ProjectPath;
use edit::FileChange;

use crate::layout::is_test_path;
use crate::lost_tests::target_of;
use crate::{Rule, TestFiles, Violation, config, doctests, manifest};

/// Extensions of files with the expected output of tests.
const EXPECTED: &[&str] =
    &["expected", "golden", "out", "proptest-regressions", "snap", "stderr", "stdout"];
/// Directories whose files are read by tests.
const TEST_FOLDERS: &[&str] = &[
    "fixtures",
    "golden",
    "goldens",
    "proptest-regressions",
    "snapshots",
    "test",
    "testdata",
    "tests",
];

/// Changes of whole files, and of files other than Rust sources.
pub(crate) fn compare(
    path: &ProjectPath,
    change: &FileChange,
    (before, after): (Option<&str>, Option<&str>),
    tests: &TestFiles,
    found: &mut Vec<Violation>,
) {
    let name = path.file_name();
    if name.ends_with(".rs") {
        rust(path, change, (before, after), tests, found);
        return doctests::compare(path, before.unwrap_or(""), after, found);
    }
    let is_expected = is_expected_output(path.as_str()) || tests.data.contains(path);
    if name.eq_ignore_ascii_case("Cargo.toml") {
        manifest::compare(path, before, after, &tests.names, found);
    } else if config::is_configuration(path) {
        config::compare(path, before, after, found);
    } else if let Some(_) = before
        && is_expected
        && change.renamed_from.is_none()
    {
        let detail = match after {
            Some(_) => "the expected output of a test is edited",
            None => "the expected output of a test is removed",
        };
        found.push(Violation {
            rule: Rule::ExpectedOutputEdited,
            path: path.clone(),
            line: first_difference(before.unwrap_or(""), after.unwrap_or("")),
            detail: detail.to_owned(),
            is_cfg_test: false,
        });
    } else if name.ends_with(".md") {
        doctests::compare_page(path, before.unwrap_or(""), after.unwrap_or(""), found);
    }
}

/// A test target or test module that is removed or moved, and a new build script.
fn rust(
    path: &ProjectPath,
    change: &FileChange,
    (before, after): (Option<&str>, Option<&str>),
    tests: &TestFiles,
    found: &mut Vec<Violation>,
) {
    if before.is_none() && is_build_script(path) {
        found.push(Violation {
            rule: Rule::BuildScriptAdded,
            path: path.clone(),
            line: 1,
            detail: "cargo runs a new build script".to_owned(),
            is_cfg_test: false,
        });
    }
    let from = change.renamed_from.as_ref().unwrap_or(path);
    let is_tests = is_test_path(from.as_str()) || tests.has_code(path, from);
    let moved = from != path && target_of(from.as_str()) != target_of(path.as_str());
    if is_tests && before.is_some() && (after.is_none() || moved) && !is_move(change) {
        found.push(removed_file(path, Rule::TestRemoved));
    } else if is_tests && moved {
        found.push(Violation {
            rule: Rule::TestRemoved,
            path: path.clone(),
            line: 1,
            detail: format!("the tests of `{from}` move to another target"),
            is_cfg_test: false,
        });
    }
}

/// Whether the change is one side of a rename.
fn is_move(change: &FileChange) -> bool {
    change.renamed_from.is_some()
}

/// Whether cargo uses the file as a build script of a package.
fn is_build_script(path: &ProjectPath) -> bool {
    let in_sources = path.as_str().split('/').any(|it| matches!(it, "src" | "tests" | "examples"));
    path.file_name() == "build.rs" && !in_sources
}

/// Whether a file with this path is read by tests.
pub(crate) fn is_expected_output(path: &str) -> bool {
    let in_tests = path
        .rsplit_once('/')
        .is_some_and(|(folders, _)| folders.split('/').any(|it| TEST_FOLDERS.contains(&it)));
    let ending = path.rsplit_once('.').map_or("", |(_, ending)| ending);
    (in_tests && !matches!(ending, "md")) || EXPECTED.contains(&ending)
}

/// The first line that differs, from 1.
pub(crate) fn first_difference(before: &str, after: &str) -> u32 {
    let same = before.lines().zip(after.lines()).take_while(|(a, b)| a == b).count();
    u32::try_from(same + 1).unwrap_or(u32::MAX)
}

/// The violation for a removed file; a test file covers its tests, in other files they are reported
/// one by one.
pub(crate) fn removed_file(path: &ProjectPath, rule: Rule) -> Violation {
    Violation {
        rule,
        path: path.clone(),
        line: 1,
        detail: "the file is removed".to_owned(),
        is_cfg_test: false,
    }
}
