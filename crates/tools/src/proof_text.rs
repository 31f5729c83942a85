//! The parts that a proof covers, as one line for every front end.

use base::visible_line;
use policy::Evidence;

use crate::RungRow;

/// Most names of failing tests in a line.
const NAMED: usize = 3;

/// The result of a proof in one line: `errors 3 -> 0; parse ok, check ok, 7 tests passed, 0 failed`. A proof
/// without tests reports that.
pub fn proof_summary(evidence: &Evidence) -> String {
    let before = evidence.errors_before.map_or_else(String::new, |n| format!("{n} -> "));
    let rungs: Vec<String> = evidence
        .rungs
        .iter()
        .map(|rung| {
            let row = RungRow::from(rung);
            let word = match (row.passed, row.name.as_str()) {
                (true, _) => "ok",
                (false, "format") => "differs (`cargo fmt` fixes it)",
                (false, _) => "failed",
            };
            format!("{} {word}", row.name.replace('_', " "))
        })
        .collect();
    let (errors, rungs) = (evidence.errors_after, rungs.join(", "));
    format!("errors {before}{errors}; {rungs}, {}", tests_summary(evidence))
}

/// The tests of a proof in one line: `7 tests passed, 0 failed`, `tests not run`.
pub fn tests_summary(evidence: &Evidence) -> String {
    let Some(tests) = &evidence.tests else { return "tests not run".to_owned() };
    if tests.passed == 0 && tests.failed.is_empty() {
        return "no tests".to_owned();
    }
    let passed = base::counted(tests.passed, "test");
    let names = tests.failed_before.iter().take(NAMED).map(|it| visible_line(it));
    let names = names.collect::<Vec<_>>().join(", ");
    let more = if tests.failed_before.len() > NAMED { ", …" } else { "" };
    let known = match (tests.failed_before.len(), tests.failed.len()) {
        (0, _) => String::new(),
        (known, all) if known == all => format!(" as before ({names}{more})"),
        (known, _) => format!(", {known} of them as before ({names}{more})"),
    };
    let lost = match tests.lost.len() {
        0 => String::new(),
        n => format!(", {n} no longer run"),
    };
    format!("{passed} passed, {} failed{known}{lost}", tests.failed.len())
}
