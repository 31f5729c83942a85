//! How far an attempt is from building, in a workspace of crates that are compiled one after the other.

use base::{
    Applicability, ByteSpan, Diagnostic, DiagnosticFile, DiagnosticSpan, ProjectPath, Replacement,
    Severity, SortedMap, SubDiagnostic,
};

use edit::{Files, Splice};

use super::{Search, SearchLimits};
use crate::fake::Tree;
use crate::{AttemptOutcome, CompilerSuggestions, Fix, Reasoner};

/// An error in the first bytes of a file of a package, of which the compiler knows these other words.
fn error(
    (package, path): (&str, &str),
    text: &str,
    code: Option<&str>,
    other: &[&str],
) -> Diagnostic {
    let path = ProjectPath::new(path).unwrap();
    let bytes = ByteSpan::new(0, 3);
    let help = |word: &&str| SubDiagnostic {
        replacements: vec![Replacement {
            place: DiagnosticFile::Project(path.clone()),
            bytes,
            text: (*word).to_owned(),
            applicability: Applicability::MaybeIncorrect,
            from_expansion: false,
        }],
        ..SubDiagnostic::new(Severity::Help, &format!("write `{word}`"))
    };
    Diagnostic {
        code: code.map(str::to_owned),
        package: Some(package.to_owned()),
        target: Some(package.to_owned()),
        spans: vec![DiagnosticSpan::primary(&path, text, bytes)],
        children: other.iter().map(help).collect(),
        ..Diagnostic::new(Severity::Error, "expected another word")
    }
}

/// The text of `a/src/lib.rs` in the attempt that is nearest to building, where the word `one` there gives
/// the first errors and the word `two` the second.
fn nearest(one: &[Diagnostic], two: &[Diagnostic]) -> String {
    let files = Tree(SortedMap::from([("a/src/lib.rs", "bad"), ("b/src/lib.rs", "old")]));
    let start = [error(("a", "a/src/lib.rs"), "bad", Some("E0433"), &["one", "two"])];
    let limits = SearchLimits { rounds: 1, ..SearchLimits::default() };
    let mut search = Search::new(vec![Box::new(CompilerSuggestions)], limits, &start, &files);
    let path = ProjectPath::new("a/src/lib.rs").unwrap();
    let text = |of: &super::Attempt| of.overlay.get(&path).unwrap().after_text().to_owned();
    loop {
        let batch = search.next(1);
        let Some(attempt) = batch.first() else { break };
        let left = if text(attempt) == "one" { one } else { two };
        let outcome = AttemptOutcome { diagnostics: left.to_vec(), built: false, passed: false };
        search.record_check(attempt.id, outcome, &files);
    }
    search.closest().map(|(attempt, _)| text(attempt)).unwrap_or_default()
}

#[test]
fn a_crate_that_is_reached_counts_more_than_a_later_phase_of_the_one_before() {
    let types = error(("a", "a/src/lib.rs"), "bad", Some("E0308"), &[]);
    let syntax = error(("b", "b/src/lib.rs"), "old", None, &[]);
    let several = [syntax.clone(), syntax];
    assert_eq!(nearest(std::slice::from_ref(&types), &several), "two");
    assert_eq!(nearest(&several, &[types]), "one");
}

#[test]
fn a_library_that_the_change_breaks_is_not_reached() {
    let types = error(("a", "a/src/lib.rs"), "bad", Some("E0308"), &[]);
    // Of the changed package, and of another target.
    let broken = error(("x", "a/src/other.rs"), "bad", None, &[]);
    assert_eq!(nearest(std::slice::from_ref(&types), std::slice::from_ref(&broken)), "one");
    // A program or a test of the package comes after its library.
    let test = error(("x", "a/tests/t.rs"), "bad", None, &[]);
    assert_eq!(nearest(&[types], &[test]), "two");
}

/// Answers the first error by a derive and the others where they are.
struct CauseOrPlace;

impl Reasoner for CauseOrPlace {
    fn name(&self) -> &'static str {
        "cause-or-place"
    }

    fn propose(&self, diagnostics: &[Diagnostic], _: &dyn Files) -> Vec<Fix> {
        let fix = |(seed, error): (usize, &Diagnostic)| {
            let place = error.spans.first()?.place.project()?.clone();
            let (path, insert) = match seed {
                0 => (place, "#[derive(Copy)] "),
                _ => (place, "/* another word */ "),
            };
            let span = ByteSpan::new(2 * seed, 2 * seed);
            Some(Fix {
                splices: vec![(path, Splice { span, insert: insert.to_owned() })],
                rationale: insert.to_owned(),
                applicability: Applicability::MaybeIncorrect,
                reasoner: self.name(),
                seed,
                guesses: Vec::new(),
            })
        };
        diagnostics.iter().enumerate().filter_map(fix).collect()
    }
}

/// A tree with an error for a derive and one for a place.
fn two_errors() -> (Tree<'static>, [Diagnostic; 2]) {
    let files = Tree(SortedMap::from([("a/src/lib.rs", "bad")]));
    let other = Diagnostic {
        message: "another".to_owned(),
        ..error(("a", "a/src/lib.rs"), "bad", Some("E0599"), &[])
    };
    (files, [error(("a", "a/src/lib.rs"), "bad", Some("E0433"), &[]), other])
}

#[test]
fn what_errors_come_from_is_changed_without_their_places_first() {
    let (files, errors) = two_errors();
    let limits = SearchLimits::default();
    let mut search = Search::new(vec![Box::new(CauseOrPlace)], limits, &errors, &files);
    let path = ProjectPath::new("a/src/lib.rs").unwrap();
    let text = |of: super::Attempt| of.overlay.get(&path).unwrap().after_text().to_owned();
    let tried: Vec<String> = search.next(2).into_iter().map(text).collect();
    assert_eq!(tried, ["#[derive(Copy)] bad", "#[derive(Copy)] ba/* another word */ d"]);
    let outcome = AttemptOutcome { diagnostics: Vec::new(), built: true, passed: true };
    search.record_check(0, outcome, &files);
    assert_eq!(search.winners().len(), 1);
}

#[test]
fn what_is_left_without_the_cause_is_tried_once_both_pass() {
    let (files, errors) = two_errors();
    let limits = SearchLimits { rounds: 1, ..SearchLimits::default() };
    let mut search = Search::new(vec![Box::new(CauseOrPlace)], limits, &errors, &files);
    assert_eq!(search.next(2).len(), 2);
    let fails = AttemptOutcome { diagnostics: errors.to_vec(), built: false, passed: false };
    search.record_check(0, fails, &files);
    let passes = AttemptOutcome { diagnostics: Vec::new(), built: true, passed: true };
    search.record_check(1, passes.clone(), &files);
    let path = ProjectPath::new("a/src/lib.rs").unwrap();
    let rest = search.next_lighter().remove(0);
    assert_eq!(rest.overlay.get(&path).unwrap().after_text(), "ba/* another word */ d");
    search.record_check(rest.id, passes, &files);
    assert_eq!(search.winners()[0].id, rest.id);
    assert!(search.next_lighter().is_empty());
}
