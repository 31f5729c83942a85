//! The report of skipped tests, from the list that `testkit::skip` writes.

use std::collections::{BTreeMap, BTreeSet};

use crate::Failure;
use crate::need::Need;
use crate::setup::Ready;

/// How many tests the runner's closing line counts as passed: `Summary […] 9 tests run: 9 passed`
/// of nextest, `test result: ok. 9 passed` of `cargo test` (one for each binary).
pub(crate) fn passed_in(line: &str) -> Option<usize> {
    let line = line.trim_start();
    if !line.starts_with("Summary [") && !line.starts_with("test result: ") {
        return None;
    }
    let before = line.split(" passed").next()?;
    before.rsplit(' ').next()?.parse().ok()
}

/// Prints how many tests passed and, for each requirement, how many were skipped, which the runner
/// counts as passed. With `ci` an error if a test was skipped for a requirement that is met.
pub(crate) fn report(log: &str, passed: usize, ready: &Ready, ci: bool) -> Result<(), Failure> {
    let mut needs: BTreeMap<&str, BTreeSet<(&str, &str)>> = BTreeMap::new();
    let mut skipped = BTreeSet::new();
    for line in log.lines() {
        let mut fields = line.splitn(3, '\t');
        let need = fields.next().unwrap_or_default();
        let test = fields.next().unwrap_or_default();
        needs.entry(need).or_default().insert((test, fields.next().unwrap_or_default()));
        skipped.insert(test);
    }
    println!("tests: {} passed, {} skipped", passed.saturating_sub(skipped.len()), skipped.len());
    let mut wrong = Vec::new();
    for (name, tests) in &needs {
        println!("skipped for want of {name}: {}", tests.len());
        for (test, why) in tests {
            println!("  {test}: {why}");
        }
        // An unknown name comes from a test that was built from other sources.
        if Need::of_name(name).is_none_or(|need| ready.provided.contains(&need)) {
            wrong.push(*name);
        }
    }
    if !ci || wrong.is_empty() {
        return Ok(());
    }
    let wrong = wrong.join(", ");
    Err(Failure::Check(format!("tests were skipped for want of what this machine has: {wrong}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOG: &str = "user namespaces\tit views::mounts\tEPERM\n";

    fn ready(provided: &[Need]) -> Ready {
        Ready { provided: provided.iter().copied().collect(), ..Ready::default() }
    }

    #[test]
    fn a_skip_is_a_failure_in_ci_when_the_machine_has_the_thing() {
        let broken = report(LOG, 9, &ready(&[Need::UserNamespaces]), true);
        assert!(matches!(broken, Err(Failure::Check(text)) if text.contains("user namespaces")));
    }

    #[test]
    fn a_skip_is_a_line_anywhere_else() {
        assert_eq!(report(LOG, 9, &ready(&[Need::UserNamespaces]), false), Ok(()));
        assert_eq!(report(LOG, 9, &ready(&[Need::Landlock]), true), Ok(()));
        assert_eq!(report("", 9, &ready(&[Need::Landlock]), true), Ok(()));
    }

    #[test]
    fn a_skip_for_a_need_that_is_not_known_is_a_failure_in_ci() {
        assert!(report("moonlight\tit a\tb\n", 9, &ready(&[]), true).is_err());
    }

    #[test]
    fn every_need_is_found_again_by_its_name() {
        for need in Need::ALL {
            assert_eq!(Need::of_name(need.name()), Some(need));
        }
    }

    #[test]
    fn both_runners_count_what_passed() {
        let nextest = "     Summary [  12.3s] 9 tests run: 8 passed (1 slow), 1 failed, 0 skipped";
        let libtest = "test result: FAILED. 3 passed; 1 failed; 0 ignored; finished in 0.1s";
        assert_eq!(passed_in(nextest), Some(8));
        assert_eq!(passed_in(libtest), Some(3));
        assert_eq!(passed_in("test views::mounts ... ok"), None);
    }
}
