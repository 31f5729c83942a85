//! Compares tests with and without a change: what passed before must pass.

use base::{SortedMap, SortedSet};

use build::TestReport;
use policy::{TestOutcome, TestReference};

use crate::doc_test::DocTestName;
use crate::test_choice::TestChoice;

/// Test results of one configuration on the reference state; only of complete runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct TestsBefore {
    /// The number of passed tests by name ([`key`]).
    passed: SortedMap<String, usize>,
    failing: SortedSet<String>,
    filtered: usize,
}

impl TestsBefore {
    /// `None` if the run was cut off: a test that did not run has not failed.
    pub(crate) fn of(report: &TestReport) -> Option<Self> {
        if !report.complete {
            return None;
        }
        let mut passed = SortedMap::new();
        for name in &report.passed {
            *passed.entry(key(name).to_owned()).or_insert(0) += 1;
        }
        let failing = report.failed.iter().map(|test| test.name.clone()).collect();
        Some(Self { passed, failing, filtered: report.filtered })
    }
}

/// The reference for the tests of a change.
#[derive(Clone, Copy)]
pub(crate) struct Compared<'a> {
    pub(crate) before: &'a TestsBefore,
    pub(crate) reference: TestReference,
    pub(crate) fates: TestFates<'a>,
}

/// Looks at what became of tests of the reference.
#[derive(Clone, Copy)]
pub(crate) struct TestFates<'a> {
    /// Whether the tree without the change still declares the test: one that its author removed
    /// since the last commit is not missing.
    pub(crate) declared: &'a dyn Fn(&str) -> bool,
    /// Whether the change itself adds a test of such a name: its author has not moved another one there.
    pub(crate) adds: &'a dyn Fn(&str) -> bool,
    /// Whether a test is where it was, and so has not been moved.
    pub(crate) stays: &'a dyn Fn(&str) -> bool,
}

/// Compares the tests that were requested.
pub(crate) fn compare(
    now: &TestReport,
    with: Option<Compared<'_>>,
    which: &TestChoice,
) -> TestOutcome {
    let filter = which.filter.as_deref();
    let failed: Vec<String> = now.failed.iter().map(|test| test.name.clone()).collect();
    let mut outcome = TestOutcome {
        passed: now.passed.len(),
        failed_before: Vec::new(),
        ignored: now.ignored.len(),
        lost: Vec::new(),
        // An unrequested filter hides tests; one that was active before hides no more.
        complete: now.complete
            && (filter.is_some()
                || now.filtered <= with.as_ref().map_or(0, |it| it.before.filtered)),
        compared_with: with.as_ref().map(|it| it.reference),
        failed,
    };
    let Some(with) = with else { return outcome };
    let failing = &with.before.failing;
    let is_known = |name: &&String| {
        let renamed = which.renamed.as_ref();
        // Of several examples of an item on other lines than before, any may have been the one that failed; since
        // the last commit they may have moved without this change.
        let is_other = || {
            let since_commit = with.reference == TestReference::LastCommit && key(name) != *name;
            let may_move = since_commit || which.examples.may_move(name);
            may_move && with.before.passed.contains_key(key(name))
        };
        failing.contains(*name) && !which.examples.has(name) && !is_other()
            || renamed.is_some_and(|to| failing.iter().any(|it| to.apply(it) == **name))
    };
    outcome.failed_before = outcome.failed.iter().filter(is_known).cloned().collect();
    let mut ran: SortedMap<&str, usize> = SortedMap::new();
    for name in now.passed.iter().chain(&outcome.failed) {
        *ran.entry(key(name)).or_insert(0) += 1;
    }
    let wanted = |name: &str| filter.is_none_or(|filter| name.contains(filter));
    let count_of = |name: &str| ran.get(name).copied().unwrap_or(0);
    // A module or file of the same name keeps it: any of the words may be the new one.
    let before_of = |name: &str| with.before.passed.get(name).copied().unwrap_or(0);
    let renamed = |name: &str| {
        let moved = which.moved.as_ref().map(|it| it.documentation_test(name));
        let moved = moved.filter(|it| it != name).map_or(0, |it| count_of(&it));
        let renamed = which.renamed.iter().flat_map(|of| {
            let own = ran.iter().filter(move |(it, _)| **it != name && of.undo(it) == name);
            own.map(|(it, count)| count - before_of(it).min(*count))
        });
        moved + renamed.sum::<usize>()
    };
    let lost = with.before.passed.iter().filter(|(name, count)| {
        count_of(name) + renamed(name) < **count && wanted(name) && (with.fates.declared)(name)
    });
    outcome.lost = lost.map(|(name, _)| name.clone()).collect();
    without_other_packages(&mut outcome.lost, &ran, with.before);
    without_other_files(&mut outcome.lost, &ran, with.before);
    if with.reference == TestReference::LastCommit {
        without_moved(&mut outcome.lost, &ran, &with);
    }
    outcome
}

/// Takes out the tests that the author has moved to another module since the last commit: as many
/// tests of the same target and last name are new.
fn without_moved(lost: &mut Vec<String>, ran: &SortedMap<&str, usize>, with: &Compared<'_>) {
    let before = with.before;
    let mut moved: SortedMap<(String, String), isize> = SortedMap::new();
    let is_new = |name: &&str| {
        let is_known = before.passed.contains_key(*name) || before.failing.contains(*name);
        !is_known && !(with.fates.adds)(name)
    };
    let targets = |of: &mut dyn Iterator<Item = &str>| -> SortedSet<String> {
        of.map(|it| ends(it).0).collect()
    };
    let now = targets(&mut ran.keys().copied());
    let known = before.passed.keys().chain(&before.failing).map(String::as_str);
    let then = targets(&mut { known });
    // A target that has another name since has its tests there.
    let place = |name: &str, others: &SortedSet<String>| {
        let (target, test) = ends(name);
        if others.contains(&target) { (target, test) } else { (String::new(), test) }
    };
    for name in ran.keys().filter(|it| is_new(it)) {
        *moved.entry(place(name, &then)).or_insert(0) += 1;
    }
    for name in lost.iter() {
        *moved.entry(place(name, &now)).or_insert(0) -= 1;
    }
    let is_lost = |name: &str| moved.get(&place(name, &now)).is_some_and(|left| *left < 0);
    lost.retain(|name| (with.fates.stays)(name) || is_lost(name));
}

/// Takes out the tests of binaries whose name has a package since another package has a binary of that name,
/// or has none any more: those that ran must be as many whichever package the name without one is of.
fn without_other_packages(
    lost: &mut Vec<String>,
    ran: &SortedMap<&str, usize>,
    before: &TestsBefore,
) {
    if lost.is_empty() {
        return;
    }
    let passed = by_binary(before.passed.iter().map(|it| (it.0.as_str(), *it.1)));
    let ran = by_binary(ran.iter().map(|it| (*it.0, *it.1)));
    let has_all = |now: &SortedMap<&str, usize>, then: &SortedMap<&str, usize>| {
        then.iter().all(|(test, count)| now.get(test).is_some_and(|now| now >= count))
    };
    lost.retain(|name| {
        let (binary, package, _) = parts(name);
        let none = SortedMap::new();
        let now = ran.get(binary).unwrap_or(&none);
        let before = passed.get(binary).unwrap_or(&none);
        let Some(then) = before.get(package) else { return true };
        let is_known = match (package.is_empty(), now.get("")) {
            // Of one of these packages.
            (true, None) => !now.is_empty() && now.values().all(|it| has_all(it, then)),
            // Of one of those before, and then of no other one.
            (false, Some(now)) => {
                has_all(now, then) && before.values().filter(|it| has_all(now, it)).count() == 1
            }
            // Under its own name it is no other binary's.
            _ => false,
        };
        !is_known
    });
}

/// The counts of tests by binary, then by the package in its name.
fn by_binary<'a>(
    tests: impl Iterator<Item = (&'a str, usize)>,
) -> SortedMap<&'a str, SortedMap<&'a str, SortedMap<&'a str, usize>>> {
    let mut binaries: SortedMap<_, SortedMap<_, SortedMap<_, usize>>> = SortedMap::new();
    for (name, count) in tests {
        let (binary, package, test) = parts(name);
        let tests = binaries.entry(binary).or_default().entry(package).or_default();
        *tests.entry(test).or_insert(0) += count;
    }
    binaries
}

/// The binary, the package in its name, and the test: `it`, `a` and `t` of `it#a::t`.
fn parts(name: &str) -> (&str, &str, &str) {
    let Some((binary, test)) = name.split_once("::") else { return (name, "", "") };
    match binary.split_once('#') {
        // A number is that of another binary of the package.
        Some((own, package)) if !package.bytes().all(|it| it.is_ascii_digit()) => {
            (own, package, test)
        }
        _ => (binary, "", test),
    }
}

/// Takes out the documentation tests of items with as many of them as before. The name has a file
/// that is no part of what the test is: which one, of text that an attribute includes, depends on the
/// edition and on rustdoc.
fn without_other_files(lost: &mut Vec<String>, ran: &SortedMap<&str, usize>, before: &TestsBefore) {
    lost.retain(|name| {
        let Some(item) = documented_item(name) else { return true };
        let is_same = |it: &str| documented_item(it) == Some(item);
        let now: usize = ran.iter().filter(|it| is_same(it.0)).map(|it| it.1).sum();
        let passed: usize = before.passed.iter().filter(|it| is_same(it.0)).map(|it| it.1).sum();
        let failing = before.failing.iter().filter(|it| is_same(key(it))).count();
        now < passed + failing
    });
}

/// The crate and the path of the item that has a documentation test: of `k::doc::src/lib.rs - a::f`,
/// `k` and `a::f`; that of the crate is empty.
fn documented_item(name: &str) -> Option<(&str, &str)> {
    let name = DocTestName::of(name)?;
    Some((name.library, name.item))
}

/// The target and the last name of a test.
fn ends(name: &str) -> (String, String) {
    let first = name.split("::").next().unwrap_or("").to_owned();
    (first, name.rsplit("::").next().unwrap_or("").to_owned())
}

/// A test's name without the line number of a documentation test, which moves with the code above.
fn key(name: &str) -> &str {
    match name.rsplit_once(" (line ") {
        Some((head, line)) if line.trim_end_matches(')').bytes().all(|it| it.is_ascii_digit()) => {
            head
        }
        _ => name,
    }
}

#[cfg(test)]
mod tests {
    use build::FailedTest;

    use super::*;
    use crate::changed_examples::ChangedExamples;
    use crate::{RenamedName, Tests};

    fn fates<'a>(declared: &'a dyn Fn(&str) -> bool) -> TestFates<'a> {
        TestFates { declared, adds: &|_| false, stays: &|_| false }
    }

    fn report(passed: &[&str], failed: &[&str]) -> TestReport {
        let failed = failed
            .iter()
            .map(|name| FailedTest { name: (*name).to_owned(), output: String::new() });
        TestReport {
            passed: passed.iter().map(|name| (*name).to_owned()).collect(),
            failed: failed.collect(),
            complete: true,
            ..TestReport::default()
        }
    }

    fn which(filter: Option<&str>) -> TestChoice {
        let filter = filter.map(str::to_owned);
        TestChoice {
            tests: Tests::All,
            documentation: false,
            filter,
            packages: None,
            renamed: None,
            moved: None,
            examples: ChangedExamples::default(),
        }
    }

    fn outcome(before: &TestReport, now: &TestReport) -> TestOutcome {
        let before = TestsBefore::of(before).unwrap();
        let declared = |name: &str| !name.contains("removed");
        let with =
            Compared { before: &before, reference: TestReference::Tree, fates: fates(&declared) };
        compare(now, Some(with), &which(None))
    }

    #[test]
    fn a_package_in_the_name_of_a_binary_loses_no_test() {
        let lost = |before: &[&str], now: &[&str]| {
            outcome(&report(before, &[]), &report(now, &[])).lost.join(" ")
        };
        assert_eq!(lost(&["it::t"], &["it#a::t", "it#b::t"]), "");
        assert_eq!(lost(&["it#a::t", "it#b::t"], &["it::t"]), "it#a::t it#b::t");
        assert_eq!(lost(&["it#a::t", "it#b::u"], &["it::t"]), "it#b::u");
        // A test of another package is another one.
        assert_eq!(
            lost(&["it#a::t", "it#a::u", "it#b::u"], &["it#a::u", "it#b::t", "it#b::u"]),
            "it#a::t"
        );
        assert_eq!(lost(&["it::t", "it::u"], &["it#a::u", "it#b::t", "it#b::u"]), "it::t it::u");
        assert_eq!(lost(&["k::t"], &["k#2::t"]), "k::t");
    }

    #[test]
    fn what_passed_and_no_longer_runs_is_lost() {
        let mut now = report(&["k::a"], &["k::c", "k::d"]);
        now.ignored = vec!["k::b".to_owned()];
        let outcome = outcome(&report(&["k::a", "k::b", "k::c", "k::removed"], &["k::d"]), &now);
        assert_eq!(
            (outcome.lost, outcome.failed_before),
            (vec!["k::b".into()], vec!["k::d".into()])
        );
    }

    #[test]
    fn a_documentation_test_may_move_and_may_not_vanish() {
        let before =
            report(&["k::doc::src/lib.rs - f (line 3)", "k::doc::src/lib.rs - f (line 9)"], &[]);
        let moved =
            report(&["k::doc::src/lib.rs - f (line 4)", "k::doc::src/lib.rs - f (line 12)"], &[]);
        assert_eq!(outcome(&before, &moved).lost, Vec::<String>::new());
        let fewer = report(&["k::doc::src/lib.rs - f (line 4)"], &[]);
        assert_eq!(outcome(&before, &fewer).lost, ["k::doc::src/lib.rs - f"]);
    }

    #[test]
    fn a_documentation_test_may_have_another_file_but_no_other_item() {
        let before =
            report(&["k::doc::src/lib.rs - (line 3)", "k::doc::src/lib.rs - f (line 9)"], &[]);
        let lost = |now: &[&str]| outcome(&before, &report(now, &[])).lost;
        let none: Vec<String> = Vec::new();
        assert_eq!(
            lost(&[
                "k::doc::src/../README.md - (line 4)",
                "k::doc::src/../a - b/f.md - f (line 2)"
            ]),
            none
        );
        assert_eq!(
            lost(&["k::doc::README.md - (line 4)", "k::doc::src/lib.rs - (line 9)"]),
            ["k::doc::src/lib.rs - f"]
        );
        assert_eq!(lost(&["k::doc::src/f.md - f (line 4)"]), ["k::doc::src/lib.rs -"]);
        assert_eq!(lost(&["k::doc::src/lib.rs - f (line 4)", "m::doc::R - (line 1)"]).len(), 1);
    }

    #[test]
    fn a_run_that_was_cut_off_is_nothing_to_compare_with() {
        let cut = TestReport { complete: false, ..report(&["k::a"], &["k::(did not end)"]) };
        assert_eq!(TestsBefore::of(&cut), None);
        assert!(!compare(&cut, None, &which(None)).complete);
    }

    #[test]
    fn an_unrequested_filter_makes_a_run_incomplete() {
        let filtered = TestReport { filtered: 3, ..report(&["k::a"], &[]) };
        assert!(!outcome(&report(&["k::a"], &[]), &filtered).complete);
        assert!(outcome(&filtered, &filtered).complete);
        assert!(compare(&filtered, None, &which(Some("a"))).complete);
    }

    #[test]
    fn a_renamed_item_in_a_module_of_its_name_keeps_its_tests() {
        let (from, to) = ("old".to_owned(), "new".to_owned());
        let which = TestChoice { renamed: Some(RenamedName { from, to }), ..which(None) };
        let before = report(&["k::doc::src/old.rs - old::S::old (line 3)", "k::new::a"], &[]);
        let before = TestsBefore::of(&before).unwrap();
        let (reference, declared) = (TestReference::Tree, &|_: &str| true);
        let lost = |now: &[&str]| {
            let with = Compared { before: &before, reference, fates: fates(declared) };
            compare(&report(now, &[]), Some(with), &which).lost
        };
        let none: Vec<String> = Vec::new();
        assert_eq!(lost(&["k::doc::src/old.rs - old::S::new (line 3)", "k::new::a"]), none);
        assert_eq!(lost(&["k::doc::src/old.rs - old::S::more (line 3)", "k::new::a"]).len(), 1);
        assert_eq!(
            lost(&["k::doc::src/old.rs - old::S::new (line 3)", "k::old::a"]),
            ["k::new::a"]
        );
    }

    #[test]
    fn a_test_that_its_author_has_moved_is_not_missing() {
        let before = TestsBefore::of(&report(&["k::a::t", "k::b::t"], &["k::c::u"])).unwrap();
        let lost = |reference: TestReference, now: &[&str]| {
            let with = Compared { before: &before, reference, fates: fates(&|_| true) };
            compare(&report(now, &[]), Some(with), &which(None)).lost
        };
        let (commit, tree) = (TestReference::LastCommit, TestReference::Tree);
        assert_eq!(lost(commit, &["k::a::t", "k::d::t"]), Vec::<String>::new());
        assert_eq!(lost(commit, &["k::t", "k::d::t"]), Vec::<String>::new());
        // In the same tree, nothing but the change can have moved it.
        assert_eq!(lost(tree, &["k::a::t", "k::d::t"]), ["k::b::t"]);
        assert_eq!(lost(commit, &["k::d::t"]), ["k::a::t", "k::b::t"]);
        assert_eq!(lost(commit, &["k::a::t", "m::b::t", "k::b::v", "k::c::u"]), ["k::b::t"]);
    }

    #[test]
    fn a_declared_renaming_may_give_tests_the_new_name() {
        let (from, to) = ("old".to_owned(), "new".to_owned());
        let which = TestChoice { renamed: Some(RenamedName { from, to }), ..which(None) };
        let before = TestsBefore::of(&report(&["k::old::a", "k::older"], &[])).unwrap();
        let (reference, declared) = (TestReference::Tree, &|_: &str| true);
        let lost = |now: &TestReport| {
            let with = Compared { before: &before, reference, fates: fates(declared) };
            compare(now, Some(with), &which).lost
        };
        assert_eq!(lost(&report(&["k::new::a", "k::older"], &[])), Vec::<String>::new());
        assert_eq!(lost(&report(&["k::new::a", "k::newer"], &[])), ["k::older"]);
    }
}
