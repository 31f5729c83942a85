//! The search, text in and text out, against a fake compiler whose rules are texts that it rejects
//! and what it suggests instead.

use base::{
    Applicability, ByteSpan, Diagnostic, DiagnosticFile, DiagnosticSpan, ProjectPath, Replacement,
    Severity, SortedMap, SubDiagnostic,
};
use edit::{FileState, Files, Unreadable};

use crate::suggestions::split_alternatives;
use crate::{Attempt, AttemptOutcome, CompilerSuggestions, Reasoner, Search, SearchLimits};

use Applicability::{HasPlaceholders, MachineApplicable as Sure, MaybeIncorrect as Unsure};

struct Texts(SortedMap<ProjectPath, String>);

impl Files for Texts {
    fn read(&self, path: &ProjectPath) -> Result<Option<FileState>, Unreadable> {
        let state = |text: &String| FileState { text: text.as_str().into(), executable: false };
        Ok(self.0.get(path).map(state))
    }
}

fn path() -> ProjectPath {
    ProjectPath::new("src/lib.rs").unwrap()
}

fn texts(text: &str) -> Texts {
    Texts([(path(), text.to_owned())].into())
}

/// A rejected text, its error code, and the suggested alternatives.
type Rule<'a> = (&'a str, &'a str, &'a [(&'a str, Applicability)]);

fn replacement(start: usize, end: usize, text: &str, applicability: Applicability) -> Replacement {
    Replacement {
        place: DiagnosticFile::Project(path()),
        bytes: ByteSpan::new(start, end),
        text: text.to_owned(),
        applicability,
        from_expansion: false,
    }
}

fn compile(text: &str, rules: &[Rule<'_>]) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (bad, code, alternatives) in rules {
        for (start, _) in text.match_indices(bad) {
            let bytes = ByteSpan::new(start, start + bad.len());
            let help = |(better, applicability): &(&str, Applicability)| SubDiagnostic {
                replacements: vec![replacement(bytes.start, bytes.end, better, *applicability)],
                ..SubDiagnostic::new(Severity::Help, &format!("write `{better}`"))
            };
            found.push(Diagnostic {
                code: Some((*code).to_owned()),
                spans: vec![DiagnosticSpan::primary(&path(), text, bytes)],
                children: alternatives.iter().map(help).collect(),
                ..Diagnostic::new(Severity::Error, &format!("`{bad}` is wrong"))
            });
        }
    }
    found
}

fn text_of(attempt: &Attempt) -> String {
    let change = attempt.overlay.get(&path()).unwrap();
    change.after.as_ref().unwrap().text.to_string()
}

/// Runs a search to its end with `batch` attempts at a time, recording each batch backwards if
/// requested; returns the winners' texts and the number of attempts.
fn run(text: &str, rules: &[Rule<'_>], batch: usize, is_reversed: bool) -> (Vec<String>, usize) {
    let files = texts(text);
    let mut search = Search::new(
        vec![Box::new(CompilerSuggestions)],
        SearchLimits::default(),
        &compile(text, rules),
        &files,
    );
    loop {
        let mut attempts = search.next(batch);
        if attempts.is_empty() {
            break;
        }
        if is_reversed {
            attempts.reverse();
        }
        for attempt in attempts {
            let diagnostics = compile(&text_of(&attempt), rules);
            let built = diagnostics.is_empty();
            search.record_check(
                attempt.id,
                AttemptOutcome { diagnostics, built, passed: built },
                &files,
            );
        }
    }
    let winners = search
        .winners()
        .into_iter()
        .map(|it| format!("{}{}", if it.draft { "draft: " } else { "" }, text_of(it)))
        .collect();
    (winners, search.attempts())
}

fn check(text: &str, rules: &[Rule<'_>], expected: &[&str], expected_attempts: usize) {
    let (winners, attempts) = run(text, rules, 1, false);
    assert_eq!(winners, expected);
    assert_eq!(attempts, expected_attempts, "attempts");
}

#[test]
fn one_sure_suggestion_needs_one_attempt() {
    check("fn f() { bad }", &[("bad", "E0425", &[("good", Sure)])], &["fn f() { good }"], 1);
}

#[test]
fn a_text_that_builds_needs_no_attempt() {
    check("fn f() { good }", &[("bad", "E0425", &[("good", Sure)])], &[], 0);
}

#[test]
fn without_a_suggestion_there_is_nothing_to_try() {
    check("fn f() { bad }", &[("bad", "E0425", &[])], &[], 0);
}

#[test]
fn many_errors_are_fixed_in_one_attempt() {
    check(
        "fn f() { bad; sad; bad }",
        &[("bad", "E0425", &[("good", Sure)]), ("sad", "E0308", &[("glad", Unsure)])],
        &["fn f() { good; glad; good }"],
        2,
    );
}

#[test]
fn the_second_alternative_is_tried_when_the_first_fails() {
    check(
        "fn f() { bad }",
        &[("bad", "E0425", &[("worse", Unsure), ("good", Unsure)]), ("worse", "E0425", &[])],
        &["fn f() { good }"],
        2,
    );
}

#[test]
fn a_sure_alternative_is_tried_first() {
    let rules: &[Rule<'_>] =
        &[("bad", "E0425", &[("worse", Unsure), ("good", Sure)]), ("worse", "E0425", &[])];
    check("fn f() { bad }", rules, &["fn f() { good }"], 1);
}

#[test]
fn of_two_that_build_the_smaller_wins() {
    let rules: &[Rule<'_>] = &[("bad", "E0425", &[("enormous", Unsure), ("ok", Unsure)])];
    check("fn f() { bad }", rules, &["fn f() { ok }", "fn f() { enormous }"], 2);
}

#[test]
fn a_guess_does_not_win_over_a_compiler_suggestion() {
    let rules: &[Rule<'_>] =
        &[("bad", "E0425", &[("enormous", Unsure), ("ok", Applicability::Unspecified)])];
    check("fn f() { bad }", rules, &["fn f() { enormous }"], 1);
}

#[test]
fn a_repair_that_uncovers_a_later_error_is_grown() {
    check(
        "fn f() { bad }",
        &[("bad", "E0425", &[("late", Unsure)]), ("late", "E0382", &[("good", Unsure)])],
        &["fn f() { good }"],
        2,
    );
}

#[test]
fn a_repair_that_needs_a_name_is_grown_although_the_phase_falls() {
    check(
        "fn f() { bad }",
        &[("bad", "E0308", &[("early", Sure)]), ("early", "E0412", &[("good", Unsure)])],
        &["fn f() { good }"],
        2,
    );
}

#[test]
fn a_repair_that_only_deletes_ends_as_a_draft() {
    check(
        "fn f() { bad(); g(); }",
        &[("bad();", "E0425", &[("", Sure)])],
        &["draft: fn f() {  g(); }"],
        1,
    );
}

#[test]
fn a_sound_repair_is_tried_before_a_surer_draft() {
    check(
        "fn f() { bad(); g(); }",
        &[("bad();", "E0425", &[("", Sure), ("good();", Unsure)])],
        &["fn f() { good(); g(); }"],
        1,
    );
}

#[test]
fn a_placeholder_ends_as_a_draft() {
    check(
        "fn f() { match x { A => 1 } }",
        &[("A => 1 }", "E0004", &[("A => 1, _ => todo!() }", HasPlaceholders)])],
        &["draft: fn f() { match x { A => 1, _ => todo!() } }"],
        1,
    );
}

#[test]
fn crate_visibility_is_tried_before_pub() {
    check(
        "mod m { fn f() {} }",
        &[("{ fn f", "E0603", &[("{ pub fn f", Unsure)])],
        &["mod m { pub fn f() {} }"],
        1,
    );
    // The compiler inserts the word alone.
    let text = "mod m { fn f() {} }";
    let mut diagnostics = compile(text, &[("fn f", "E0603", &[("pub fn f", Unsure)])]);
    diagnostics[0].children[0].replacements = vec![replacement(8, 8, "pub ", Unsure)];
    let files = texts(text);
    let mut search = Search::new(
        vec![Box::new(CompilerSuggestions)],
        SearchLimits::default(),
        &diagnostics,
        &files,
    );
    let attempts = search.next(9);
    assert_eq!(text_of(&attempts[0]), "mod m { pub(crate) fn f() {} }");
    assert_eq!(text_of(&attempts[1]), "mod m { pub fn f() {} }");
    for attempt in attempts {
        let outcome = AttemptOutcome { diagnostics: Vec::new(), built: true, passed: true };
        search.record_check(attempt.id, outcome, &files);
    }
    assert_eq!(text_of(search.winners()[0]), "mod m { pub(crate) fn f() {} }");
}

/// Proposes one text for every error.
struct ProposeText(&'static str);

impl Reasoner for ProposeText {
    fn name(&self) -> &'static str {
        "late"
    }

    fn propose(&self, diagnostics: &[Diagnostic], _: &dyn Files) -> Vec<crate::Fix> {
        let spans =
            diagnostics.iter().enumerate().filter_map(|(seed, it)| Some((seed, it.primary()?)));
        spans
            .map(|(seed, span)| crate::Fix {
                splices: vec![(
                    path(),
                    edit::Splice { span: span.bytes, insert: self.0.to_owned() },
                )],
                rationale: "added late".to_owned(),
                applicability: Applicability::Unspecified,
                reasoner: "late",
                seed,
                guesses: Vec::new(),
            })
            .collect()
    }
}

#[test]
fn a_late_reasoner_gets_the_tree_and_the_best_text_so_far() {
    // `bad` becomes `sad`, which is progress but has no fix except of the reasoner added later.
    let rules: &[Rule<'_>] = &[("bad", "E0425", &[("sad", Sure)]), ("sad", "E0308", &[])];
    let files = texts("fn f() { bad }");
    let limits = SearchLimits { attempts: 1, ..SearchLimits::default() };
    let seeds = compile("fn f() { bad }", rules);
    let mut search = Search::new(vec![Box::new(CompilerSuggestions)], limits, &seeds, &files);
    let mut tried = Vec::new();
    let mut drive = |search: &mut Search| {
        while let Some(attempt) = search.next(1).pop() {
            tried.push(text_of(&attempt));
            let diagnostics = compile(&text_of(&attempt), rules);
            let built = diagnostics.is_empty();
            search.record_check(
                attempt.id,
                AttemptOutcome { diagnostics, built, passed: built },
                &files,
            );
        }
        tried.len()
    };
    assert_eq!(drive(&mut search), 1);
    search.add_reasoner(Box::new(ProposeText("glad")), 5, &files);
    drive(&mut search);
    assert_eq!(tried[0], "fn f() { sad }");
    assert!(tried.contains(&"fn f() { glad }".to_owned()), "{tried:?}");
    assert_eq!(search.winners().len(), 1);
}

#[test]
fn an_import_from_core_comes_before_a_detour_over_the_root() {
    let rules: &[Rule<'_>] = &[(
        "bad",
        "E0433",
        &[
            ("use crate::fmt;\n", Unsure),
            ("use core::fmt;\n", Unsure),
            ("use crate::own::fmt;\n", Unsure),
        ],
    )];
    let proposed = |root: &str| -> Vec<String> {
        let diagnostics = compile(root, rules);
        let fixes = CompilerSuggestions.propose(&diagnostics, &texts(root));
        fixes.iter().map(|it| it.splices[0].1.insert.trim().to_owned()).collect()
    };
    let direct = ["use core::fmt;", "use crate::own::fmt;", "use crate::fmt;"];
    assert_eq!(proposed("use core::fmt; fn f() { bad }"), direct);
    let declared = ["use crate::fmt;", "use core::fmt;", "use crate::own::fmt;"];
    assert_eq!(proposed("mod fmt; fn f() { bad }"), declared);
}

#[test]
fn warnings_are_no_reason_to_touch_the_code() {
    let mut diagnostics = compile("fn f() { bad }", &[("bad", "unused", &[("good", Sure)])]);
    diagnostics[0].severity = Severity::Warning;
    let files = texts("fn f() { bad }");
    let mut search = Search::new(
        vec![Box::new(CompilerSuggestions)],
        SearchLimits::default(),
        &diagnostics,
        &files,
    );
    assert!(search.next(5).is_empty());
}

#[test]
fn a_build_whose_tests_fail_does_not_win_and_the_search_continues() {
    let text = "fn f() { bad }";
    let rules: &[Rule<'_>] = &[("bad", "E0425", &[("ok", Unsure), ("right", Unsure)])];
    let files = texts(text);
    let mut search = Search::new(
        vec![Box::new(CompilerSuggestions)],
        SearchLimits::default(),
        &compile(text, rules),
        &files,
    );
    while let Some(attempt) = search.next(1).pop() {
        let passed = text_of(&attempt).contains("right");
        let outcome = AttemptOutcome { diagnostics: Vec::new(), built: true, passed };
        search.record_check(attempt.id, outcome, &files);
    }
    assert_eq!(search.winners().len(), 1);
    assert_eq!(text_of(search.winners()[0]), "fn f() { right }");
}

#[test]
fn the_search_continues_after_four_refused_winners_at_most() {
    let text = "fn f() { bad }";
    let names = ["good", "nice", "fine", "well", "best", "last", "lost"];
    let alternatives = names.map(|it| (it, Unsure));
    let files = texts(text);
    let mut search = Search::new(
        vec![Box::new(CompilerSuggestions)],
        SearchLimits::default(),
        &compile(text, &[("bad", "E0425", &alternatives)]),
        &files,
    );
    let mut tried = 0;
    while let Some(attempt) = search.next(1).pop() {
        let outcome = AttemptOutcome { diagnostics: Vec::new(), built: true, passed: true };
        search.record_check(attempt.id, outcome, &files);
        search.refuse_winner(attempt.id);
        tried += 1;
    }
    assert_eq!(tried, 5);
    assert_eq!(search.winners().len(), 1);
}

#[test]
fn the_order_of_the_outcomes_of_a_batch_does_not_matter() {
    let text = "fn f() { bad; sad; mad; bad }";
    let rules: &[Rule<'_>] = &[
        ("bad", "E0425", &[("worse", Unsure), ("sad1", Unsure), ("good", Unsure)]),
        ("sad", "E0308", &[("mad", Unsure), ("glad", HasPlaceholders)]),
        ("mad", "E0382", &[("calm", Unsure), ("bad", Sure)]),
        ("worse", "E0425", &[("bad", Unsure)]),
    ];
    assert_eq!(run(text, rules, 4, false), run(text, rules, 4, true));
}

#[test]
fn limits_hold_when_suggestions_never_end() {
    let rules: &[Rule<'_>] = &[("bad", "E0425", &[("bad bad", Unsure), ("(bad)", Unsure)])];
    let (winners, attempts) = run("fn f() { bad }", rules, 3, false);
    assert!(winners.is_empty());
    assert!(attempts <= SearchLimits::default().attempts);
}

#[test]
fn an_unknown_or_repeated_outcome_changes_nothing() {
    let text = "fn f() { bad }";
    let files = texts(text);
    let rules: &[Rule<'_>] = &[("bad", "E0425", &[("good", Sure)])];
    let mut search = Search::new(
        vec![Box::new(CompilerSuggestions)],
        SearchLimits::default(),
        &compile(text, rules),
        &files,
    );
    let outcome = |passed| AttemptOutcome { diagnostics: Vec::new(), built: true, passed };
    search.record_check(7, outcome(true), &files);
    let attempt = search.next(1).pop().unwrap();
    search.record_check(attempt.id, outcome(false), &files);
    search.record_check(attempt.id, outcome(true), &files);
    assert!(search.winners().is_empty());
}

fn split(row: &[(usize, usize, &str)]) -> String {
    let row: Vec<Replacement> =
        row.iter().map(|(start, end, text)| replacement(*start, *end, text, Unsure)).collect();
    split_alternatives(&row)
        .iter()
        .map(|it| it.iter().map(|it| it.text.as_str()).collect::<Vec<_>>().join("+"))
        .collect::<Vec<_>>()
        .join(" | ")
}

#[test]
fn alternatives_for_one_place_are_split() {
    assert_eq!(split(&[(3, 4, "a"), (3, 4, "b"), (3, 4, "c")]), "a | b | c");
    assert_eq!(split(&[(0, 0, "use a;"), (0, 0, "use b;")]), "use a; | use b;");
}

#[test]
fn parts_of_one_suggestion_stay_together() {
    assert_eq!(split(&[(3, 3, "("), (5, 5, ")")]), "(+)");
}

#[test]
fn alternatives_of_several_parts_are_split_between_them() {
    assert_eq!(split(&[(3, 3, "("), (5, 5, ")"), (3, 3, "["), (5, 5, "]")]), "(+) | [+]");
}

#[test]
fn parts_out_of_order_are_read_both_ways() {
    assert_eq!(split(&[(38, 67, "T"), (24, 24, "<T>")]), "T+<T> | T | <T>");
}

fn proposals(text: &str, diagnostics: &[Diagnostic]) -> Vec<String> {
    CompilerSuggestions
        .propose(diagnostics, &texts(text))
        .iter()
        .map(|fix| {
            let parts: Vec<String> = fix
                .splices
                .iter()
                .map(|(_, it)| format!("{}..{} {:?}", it.span.start, it.span.end, it.insert))
                .collect();
            parts.join(", ")
        })
        .collect()
}

#[test]
fn a_suggestion_for_another_crate_is_never_proposed() {
    let mut diagnostics = compile("bad", &[("bad", "E0425", &[("good", Sure)])]);
    diagnostics[0].children[0].replacements[0].place =
        DiagnosticFile::Foreign("/std/lib.rs".to_owned());
    assert_eq!(proposals("bad", &diagnostics), Vec::<String>::new());
}

#[test]
fn one_part_in_another_crate_drops_the_whole_suggestion() {
    let mut diagnostics = compile("bad", &[("bad", "E0425", &[("good", Sure)])]);
    let mut foreign = replacement(9, 9, "x", Sure);
    foreign.place = DiagnosticFile::Foreign("/std/lib.rs".to_owned());
    diagnostics[0].children[0].replacements.push(foreign);
    assert_eq!(proposals("bad", &diagnostics), Vec::<String>::new());
}

#[test]
fn spans_that_do_not_fit_the_text_are_ignored() {
    let diagnostics = compile("bad", &[("bad", "E0425", &[("good", Sure)])]);
    assert_eq!(proposals("ba", &diagnostics), Vec::<String>::new());
    assert_eq!(proposals("aç", &diagnostics), ["0..3 \"good\""]);
    let mut inside = compile("bad", &[("bad", "E0425", &[("good", Sure)])]);
    inside[0].children[0].replacements[0].bytes = ByteSpan::new(0, 2);
    assert_eq!(proposals("aç", &inside), Vec::<String>::new());
}

/// The proposed imports for `name` in this root, if the compiler suggests `offered`.
fn imports_offered(root: &str, offered: &[&str]) -> Vec<String> {
    let text = format!("{root}fn f(_: Ordering) {{}}\n");
    let at = root.len();
    let mut diagnostics = compile(&text, &[("Ordering", "E0412", &[("", Unsure)])]);
    diagnostics[0].children[0].replacements =
        offered.iter().map(|path| replacement(at, at, &format!("use {path};\n"), Unsure)).collect();
    CompilerSuggestions
        .propose(&diagnostics, &texts(&text))
        .iter()
        .map(|it| format!("{} ({:?})", it.splices[0].1.insert.trim_end(), it.applicability))
        .collect()
}

#[test]
fn a_crate_that_can_do_without_std_is_offered_core_first() {
    let offered = ["std::cmp::Ordering", "std::sync::atomic::Ordering"];
    let root = "#![cfg_attr(not(feature = \"std\"), no_std)]\n";
    assert_eq!(
        imports_offered(root, &offered),
        [
            "use core::cmp::Ordering; (MaybeIncorrect)",
            "use core::sync::atomic::Ordering; (MaybeIncorrect)",
            "use std::cmp::Ordering; (Unspecified)",
            "use std::sync::atomic::Ordering; (Unspecified)",
        ]
    );
    // The compiler suggests both; each is proposed from both crates once.
    assert_eq!(
        imports_offered("#![no_std]\n", &["std::cmp::Ordering", "core::cmp::Ordering"]),
        ["use core::cmp::Ordering; (MaybeIncorrect)", "use std::cmp::Ordering; (Unspecified)"]
    );
    assert_eq!(imports_offered("", &offered[..1]), ["use std::cmp::Ordering; (MaybeIncorrect)"]);
}

#[test]
fn a_core_import_that_builds_wins_over_the_shorter_std_one() {
    let text = "#![no_std]\nbad fn f() {}\n";
    let rules: &[Rule<'_>] = &[("bad", "E0412", &[("use std::fmt;", Unsure)])];
    check(text, rules, &["#![no_std]\nuse core::fmt; fn f() {}\n"], 1);
    // Where `core` fails, `std` is still tried.
    let rules: &[Rule<'_>] =
        &[("bad", "E0412", &[("use std::fmt;", Unsure)]), ("core", "E0432", &[])];
    check(text, rules, &["#![no_std]\nuse std::fmt; fn f() {}\n"], 2);
}

#[test]
fn a_suggestion_given_twice_is_proposed_once() {
    let diagnostics = compile("bad", &[("bad", "E0425", &[("good", Sure), ("good", Unsure)])]);
    assert_eq!(proposals("bad", &diagnostics), ["0..3 \"good\""]);
}

#[test]
fn a_suggestion_that_changes_nothing_is_left_out() {
    let diagnostics = compile("bad", &[("bad", "E0425", &[("bad", Sure)])]);
    assert_eq!(proposals("bad", &diagnostics), Vec::<String>::new());
}

#[test]
fn inserted_lines_take_the_files_line_endings() {
    let text = "bad\r\n";
    let diagnostics = compile(text, &[("bad", "E0425", &[("a\nb", Sure)])]);
    assert_eq!(proposals(text, &diagnostics), ["0..3 \"a\\r\\nb\""]);
}

#[test]
fn a_mutable_borrow_without_its_ampersand_gets_it() {
    let text = "fn f() { g(mut x) }";
    let mut diagnostics = compile(text, &[("mut", "", &[])]);
    diagnostics[0].code = None;
    diagnostics[0].message = "expected expression, found keyword `mut`".to_owned();
    let fixes = crate::Slips.propose(&diagnostics, &texts(text));
    assert_eq!(fixes.len(), 1);
    assert_eq!(fixes[0].splices[0].1.insert, "&");
    assert_eq!(fixes[0].splices[0].1.span, ByteSpan::new(11, 11));
}

#[test]
fn a_star_before_a_value_that_is_no_reference_is_removed() {
    let text = "fn f(c: char) { g(*c) }";
    let mut diagnostics = compile(text, &[("*c", "E0614", &[])]);
    diagnostics[0].message = "type `char` cannot be dereferenced".to_owned();
    let files = texts(text);
    let mut search =
        Search::new(vec![Box::new(crate::Slips)], SearchLimits::default(), &diagnostics, &files);
    let attempts = search.next(2);
    assert_eq!(attempts.len(), 1);
    assert_eq!(text_of(&attempts[0]), "fn f(c: char) { g(c) }");
    assert!(!attempts[0].draft);
}

#[test]
fn a_name_is_searched_in_the_root_of_the_package_too() {
    let other = ProjectPath::new("src/other.rs").unwrap();
    let text = "use crate::shout;";
    let mut diagnostics = compile(text, &[("crate::shout", "E0432", &[])]);
    diagnostics[0].message = "unresolved import `crate::shout`".to_owned();
    diagnostics[0].spans[0].place = DiagnosticFile::Project(other.clone());
    let files = Texts([(path(), "fn shout_loud() {}".to_owned()), (other, text.to_owned())].into());
    let fixes = crate::NearNames.propose(&diagnostics, &files);
    assert_eq!(fixes.len(), 1);
    assert_eq!(fixes[0].splices[0].1.insert, "shout_loud");
    assert_eq!(fixes[0].splices[0].1.span, ByteSpan::new(11, 16));
}

/// Proposes the same insertions for every place and records the requests.
struct FakeAdvisor {
    titles: &'static [(&'static str, &'static str)],
    requests: std::sync::Mutex<Vec<(String, usize)>>,
}

impl crate::Advisor for std::sync::Arc<FakeAdvisor> {
    fn advise(
        &self,
        places: &[(ProjectPath, ByteSpan)],
        files: &crate::Overlaid<'_>,
    ) -> Vec<Vec<crate::Advice>> {
        let text = files.read(&path()).unwrap().unwrap().text;
        self.requests.lock().unwrap().push((text.to_string(), places.len()));
        let advice = self.titles.iter().map(|(title, insert)| crate::Advice {
            title: (*title).to_owned(),
            splices: vec![(
                path(),
                edit::Splice { span: ByteSpan::new(0, 0), insert: (*insert).to_owned() },
            )],
        });
        places.iter().map(|_| advice.clone().collect()).collect()
    }
}

#[test]
fn advice_is_tried_like_other_fixes_and_placeholders_make_a_draft() {
    let advisor = std::sync::Arc::new(FakeAdvisor {
        titles: &[
            ("Implement missing members", "fn f() { todo!() }\n"),
            ("Import `a::B`", "use a::B;\n"),
        ],
        requests: std::sync::Mutex::default(),
    });
    let text = "fn g() { B }\n";
    let files = texts(text);
    // Two errors at one span are one request.
    let mut errors = compile(text, &[("B", "E0425", &[])]);
    errors.push(errors[0].clone());
    let reasoners: Vec<Box<dyn Reasoner>> =
        vec![Box::new(crate::Advised::new(Box::new(advisor.clone())))];
    let mut search = Search::new(reasoners, SearchLimits::default(), &errors, &files);
    let first = search.next(1).remove(0);
    assert_eq!(first.overlay.get(&path()).unwrap().after_text(), format!("use a::B;\n{text}"));
    assert_eq!(first.rationale, ["E0425: rust-analyzer: Import `a::B`"]);
    assert!(!first.draft);
    let second = search.next(1).remove(0);
    assert!(second.draft, "{:?}", second.rationale);
    assert_eq!(second.violations[0].rule.as_str(), "placeholder");
    // The candidate's own text is passed for the errors that are left.
    let left = compile(&format!("use a::B;\n{text}"), &[("g()", "E0308", &[])]);
    search.record_check(
        0,
        AttemptOutcome { diagnostics: left, built: false, passed: false },
        &files,
    );
    let requests = advisor.requests.lock().unwrap();
    assert_eq!(requests[0], (text.to_owned(), 1));
    assert_eq!(requests[1], (format!("use a::B;\n{text}"), 1));
}
