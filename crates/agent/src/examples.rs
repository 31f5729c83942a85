//! Examples of the documentation that failed as tests.

use base::ProjectPath;
use check::{Checked, DocTestName};
use policy::TestOutcome;
use refactor::FailedExample;

/// The examples that fail in a proof and passed before.
pub(crate) fn failed_examples(checked: &Checked) -> Vec<FailedExample> {
    let new = checked.evidence.tests.as_ref().map(TestOutcome::newly_failing);
    examples_of(checked, &|name| new.as_ref().is_none_or(|it| it.contains(&name)))
}

/// The examples that failed as tests of these names.
pub(crate) fn examples_of(checked: &Checked, is_it: &dyn Fn(&str) -> bool) -> Vec<FailedExample> {
    let failed = checked.tests.iter().flat_map(|it| &it.failed);
    let examples = failed.filter(|it| is_it(&it.name)).filter_map(|it| {
        let (path, line) = example_place(&it.name)?;
        Some(FailedExample { path, line, output: it.output.clone() })
    });
    examples.collect()
}

/// Whether an example of the documentation that passed before fails in a proof, or does not run.
pub(crate) fn fails_in_example(checked: &Checked) -> bool {
    let Some(tests) = &checked.evidence.tests else { return false };
    let lost = tests.lost.iter().map(String::as_str);
    tests.newly_failing().into_iter().chain(lost).any(|it| DocTestName::of(it).is_some())
}

/// File and line of a documentation test.
fn example_place(test: &str) -> Option<(ProjectPath, u32)> {
    let name = DocTestName::of(test)?;
    Some((name.path()?, name.line?))
}
