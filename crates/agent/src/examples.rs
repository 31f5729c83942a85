//! Examples of the documentation that failed as tests.

use base::ProjectPath;
use check::Checked;
use refactor::FailedExample;

/// The examples that failed in a proof.
pub(crate) fn failed_examples(checked: &Checked) -> Vec<FailedExample> {
    let failed = checked.tests.iter().flat_map(|it| &it.failed);
    let examples = failed.filter_map(|it| {
        let (path, line) = example_place(&it.name)?;
        Some(FailedExample { path, line, output: it.output.clone() })
    });
    examples.collect()
}

/// Whether an example of the documentation that passed before fails in a proof, or does not run.
pub(crate) fn fails_in_example(checked: &Checked) -> bool {
    let Some(tests) = &checked.evidence.tests else { return false };
    let lost = tests.lost.iter().map(String::as_str);
    tests.newly_failing().into_iter().chain(lost).any(|it| example_place(it).is_some())
}

/// File and line of a documentation test: `package::doc::FILE - ITEM (line 3)`, without the item in
/// the documentation of a file.
fn example_place(test: &str) -> Option<(ProjectPath, u32)> {
    let (head, line) = test.rsplit_once(" (line ")?;
    let file = head.split(" -").next()?.rsplit("::").next()?;
    Some((ProjectPath::new(file).ok()?, line.trim_end_matches(')').parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_documentation_test_names_its_place() {
        let place = |test: &str| example_place(test).map(|(path, line)| format!("{path}:{line}"));
        assert_eq!(place("a::doc::src/b-c.rs - b::f (line 3)").as_deref(), Some("src/b-c.rs:3"));
        assert_eq!(place("a::doc::x/src/lib.rs - (line 18)").as_deref(), Some("x/src/lib.rs:18"));
        assert_eq!(place("a::tests::works"), None);
    }
}
