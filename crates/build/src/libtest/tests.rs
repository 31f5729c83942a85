//! Output of `cargo test` as text, and the results that are read from it; floods and crashes
//! included.

use super::*;
use expect_test::{Expect, expect};

/// The report on an output of the binaries that it names; `own…` and `bad…` have a harness of their
/// own, the others have no list.
fn read(output: &str, clean: bool, filter: Option<&str>) -> TestReport {
    let files = output.lines().filter_map(starts_binary);
    let expected = files.map(|file| Expected {
        package: String::new(),
        harness: match file.starts_with("own") || file.starts_with("bad") {
            true => Harness::Own,
            false => Harness::Standard(None),
        },
        file,
    });
    let mut parser = Parser::new(expected.collect());
    for line in output.lines() {
        parser.line(line);
    }
    parser.finish(clean, filter)
}

fn check(output: &str, clean: bool, filter: Option<&str>, expect: Expect) {
    let report = read(output, clean, filter);
    let mut text = format!("complete {}, ignored {}\n", report.complete, report.ignored.len());
    for name in report.passed {
        text.push_str(&format!("ok {name}\n"));
    }
    for test in report.failed {
        text.push_str(&format!("FAILED {}: {:?}\n", test.name, test.output));
    }
    expect.assert_eq(&text);
}

const TWO_BINARIES: &str = "\
    Finished `test` profile [unoptimized + debuginfo] target(s) in 0.02s
     Running unittests src/lib.rs (target/debug/deps/my_crate-0123456789abcdef)

running 4 tests
test tests::adds ... ok
test tests::ignored ... ignored, too slow
test tests::panics - should panic ... ok
test tests::fails ... FAILED

failures:

---- tests::fails stdout ----
thread 'tests::fails' panicked at src/lib.rs:9:5:
assertion failed: false


failures:
    tests::fails

test result: FAILED. 2 passed; 1 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s

error: test failed, to rerun pass `--lib`
     Running tests/it.rs (/graftage/target/debug/deps/it-fedcba9876543210)

running 1 test
test works ... ok

test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s

   Doc-tests my_crate

running 1 test
test src/lib.rs - double (line 3) ... ok

test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.31s
";

#[test]
fn every_binary_gives_its_name_to_its_tests() {
    check(
        TWO_BINARIES,
        true,
        None,
        expect![[r#"
            complete true, ignored 1
            ok it::works
            ok my_crate::doc::src/lib.rs - double (line 3)
            ok my_crate::tests::adds
            ok my_crate::tests::panics
            FAILED my_crate::tests::fails: "thread 'tests::fails' panicked at src/lib.rs:9:5:\nassertion failed: false"
        "#]],
    );
}

#[test]
fn a_filter_keeps_whole_names_that_hold_it() {
    check(
        TWO_BINARIES,
        true,
        Some("my_crate::tests::adds"),
        expect![[r#"
            complete true, ignored 1
            ok my_crate::tests::adds
        "#]],
    );
}

#[test]
fn a_binary_that_crashed_is_a_failure_with_its_last_output() {
    check(
        "     Running unittests src/lib.rs (target/debug/deps/a-0123456789abcdef)\n\nrunning 2 tests\ntest one ... ok\n\nthread 'two' has overflowed its stack\nfatal runtime error: stack overflow, aborting\n",
        true,
        None,
        expect![[r#"
            complete false, ignored 0
            ok a::one
            FAILED a::(did not end): "test binary a ended after 1 of 2 tests (exit status 0)\n\nrunning 2 tests\n\nthread 'two' has overflowed its stack\nfatal runtime error: stack overflow, aborting"
        "#]],
    );
}

#[test]
fn two_binaries_of_one_name_stay_apart() {
    check(
        "     Running unittests src/lib.rs (d/a-0123456789abcdef)\nrunning 1 test\ntest t ... ok\ntest result: ok. 1 passed\n     Running unittests src/main.rs (d/a-1123456789abcdef)\nrunning 1 test\ntest t ... FAILED\ntest result: FAILED. 0 passed; 1 failed\n",
        true,
        None,
        expect![[r#"
            complete true, ignored 0
            ok a::t
            FAILED a#2::t: ""
        "#]],
    );
}

#[test]
fn other_output_is_ignored() {
    check("", true, None, expect!["complete true, ignored 0\n"]);
    check(
        "test x ... ok\n---- y stdout ----\n",
        false,
        None,
        expect!["complete false, ignored 0\n"],
    );
}

/// A parser within the output of one binary that has no list.
fn one_binary() -> Parser {
    let file = "a-0123456789abcdef".to_owned();
    let mut parser = Parser::new(vec![Expected {
        file,
        package: String::new(),
        harness: Harness::Standard(None),
    }]);
    parser.line("     Running unittests src/lib.rs (d/a-0123456789abcdef)");
    parser
}

#[test]
fn a_flood_of_output_is_bounded_at_a_character() {
    let mut parser = one_binary();
    parser.line("running 1 test");
    parser.line("test t ... FAILED");
    parser.line("---- t stdout ----");
    for _ in 0..100 {
        parser.line(&"é".repeat(500));
    }
    parser.line("failures:");
    parser.line("test result: FAILED. 0 passed; 1 failed");
    let report = parser.finish(true, None);
    assert!(report.failed[0].output.len() < OUTPUT_BYTES + 64);
}

#[test]
fn a_flood_of_binaries_or_of_names_is_no_complete_run() {
    let files: Vec<String> = (0..20_000).map(|nth| format!("a{nth}-0123456789abcdef")).collect();
    let harness = Harness::Standard(None);
    let expected = |file: &String| Expected {
        file: file.clone(),
        package: String::new(),
        harness: harness.clone(),
    };
    let mut parser = Parser::new(files.iter().map(expected).collect());
    for file in &files {
        parser.line(&format!("     Running x (d/{file})"));
        parser.line("running 0 tests");
        parser.line("test result: ok. 0 passed");
    }
    assert!(!parser.finish(true, None).complete);
    let mut parser = one_binary();
    parser.line("running 10000 tests");
    let name = "n".repeat(60 << 10);
    for _ in 0..10_000 {
        parser.line(&format!("test {name} ... ok"));
    }
    parser.line("test result: ok. 10000 passed");
    let report = parser.finish(true, None);
    assert!(!report.complete);
    assert!(report.passed.iter().map(String::len).sum::<usize>() <= 256 << 20);
}

#[test]
fn only_the_beginning_of_an_endless_line_is_read() {
    let mut parser = one_binary();
    parser.line("running 1 test");
    parser.line("test t ... FAILED");
    parser.line("---- t stdout ----");
    parser.line(&"x".repeat(16 << 20));
    parser.line("failures:");
    parser.line("test result: FAILED. 0 passed; 1 failed");
    let report = parser.finish(true, None);
    assert!(report.complete && report.failed[0].output.len() < OUTPUT_BYTES + 64);
}

#[test]
fn a_binary_with_a_harness_of_its_own_is_one_test_whose_result_is_its_exit_status() {
    let output = "
     Running tests/own.rs (target/debug/deps/own-0123456789abcdef)
checked 3 things
     Running tests/bad_one.rs (target/debug/deps/bad_one-fedcba9876543210)
boom
error: test failed, to rerun pass `--test bad-one`
     Running tests/std.rs (target/debug/deps/std-0123456789abcdee)

running 2 tests
test a ... ok

error: test failed, to rerun pass `--test std`
error: 2 targets failed:
    `--test bad-one`
    `-p k --test std`
";
    check(
        output,
        true,
        None,
        expect![[r#"
            complete false, ignored 0
            ok own::(whole binary)
            ok std::a
            FAILED bad_one::(whole binary): "boom\nerror: test failed, to rerun pass `--test bad-one`"
            FAILED std::(did not end): "test binary std ended after 1 of 2 tests (exit status 101)\n\nrunning 2 tests\n\nerror: test failed, to rerun pass `--test std`\nerror: 2 targets failed:\n    `--test bad-one`\n    `-p k --test std`"
        "#]],
    );
}

#[test]
fn what_only_resembles_a_report_is_output_of_a_harness_of_its_own() {
    let run = |failed: bool| {
        let name = if failed { "bad" } else { "own" };
        let lines = format!(
            "     Running tests/{name}.rs (target/debug/deps/{name}-0123456789abcdef)\n\
             running 2 tests\ntest a ... ok\ntest b ... ok\n\ntest result: ok\n"
        );
        let error = "error: 1 target failed:\n    `--test bad`\n";
        let output = if failed { format!("{lines}{error}") } else { lines };
        let report = read(&output, true, None);
        (report.complete, report.passed.join(" "), report.failed.len())
    };
    assert_eq!(run(false), (true, "own::(whole binary)".to_owned(), 0));
    assert_eq!(run(true), (true, String::new(), 1));
}

#[test]
fn tests_that_a_filter_left_out_are_counted() {
    let output = "
     Running tests/it.rs (target/debug/deps/it-0123456789abcdef)

running 1 test
test a ... ok

test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 2 filtered out; finished in 0.00s
";
    let report = read(output, true, None);
    assert_eq!((report.filtered, report.complete), (2, true));
}

/// The reasons of a run of one binary that lists `a` and `b`, and the tests that passed.
fn whole(output: &str) -> String {
    whole_of(&["a", "b"], output)
}

fn whole_of(list: &[&str], output: &str) -> String {
    let begin = "     Running x (d/k-0123456789abcdef)\n";
    let list = list.iter().map(|it| (*it).to_owned()).collect();
    let file = "k-0123456789abcdef".to_owned();
    let mut parser = Parser::new(vec![Expected {
        file,
        package: String::new(),
        harness: Harness::Standard(Some(list)),
    }]);
    for line in format!("{begin}{output}").lines() {
        parser.line(line);
    }
    let report = parser.finish(true, None);
    assert_eq!(report.complete, report.incomplete.is_empty());
    let passed: Vec<&str> = report.passed.iter().map(|it| it.trim_start_matches("k::")).collect();
    format!("{} | {}", passed.join(" "), report.incomplete.join(" | "))
}

const GOOD: &str = "running 2 tests\ntest a ... ok\ntest b ... ok\n\ntest result: ok. 2 passed; 0 \
                    failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n";

#[test]
fn several_tests_of_one_name_report_as_often_as_they_were_listed() {
    let twice = GOOD.replace("test b", "test a");
    assert_eq!(whole_of(&["a", "a"], &twice), "a a | ");
    let once = "running 2 tests\ntest a ... ok\n";
    let expected = "a | test binary k ended after 1 of 2 tests (exit status 0)";
    assert_eq!(whole_of(&["a", "a"], once), expected);
    let more =
        twice.replace("running 2", "running 3").replacen("test a", "test a ... ok\ntest a", 1);
    let found = whole_of(&["a", "a"], &more);
    assert!(found.contains("announced 3 tests and had listed 2"), "{found}");
    assert!(whole(&twice).contains("reported a twice"));
}

#[test]
fn a_run_is_whole_when_each_listed_test_reported_once_and_the_result_counts_the_same() {
    assert_eq!(whole(GOOD), "a b | ");
    let end = "test result: ok. 2 passed; 0 failed\n";
    let cases = [
        // exit(0), before and after the first test, and before the harness.
        (
            "running 2 tests\n",
            " | test binary k ended after 0 of 2 tests (exit status 0); not reported: a, b",
        ),
        (
            "running 2 tests\ntest a ... ok\n",
            "a | test binary k ended after 1 of 2 tests (exit status 0); not reported: b",
        ),
        ("", " | test binary k ended without running tests (exit status 0)"),
        (
            "running 2 tests\ntest a ... ok\nerror: test failed\n\nCaused by:\n  process didn't exit successfully: `/t/k-0123456789abcdef` (signal: 6, SIGABRT: process abort signal)\n",
            "a | test binary k ended after 1 of 2 tests (signal: 6, SIGABRT: process abort signal); not reported: b",
        ),
        // Forged results.
        (
            &format!("{GOOD}test result: ok. 2 passed; 0 failed\n"),
            "a b | test binary k printed two results",
        ),
        (
            &format!("test result: ok. 2 passed; 0 failed\n{GOOD}"),
            "a b | test binary k printed a result too early",
        ),
        (&format!("test a ... ok\n{GOOD}"), "a a b | test binary k reported a outside of its run"),
        (&GOOD.replace("test b", "test a"), "a a | test binary k reported a twice"),
        (&GOOD.replace("test b", "test c"), "a | test binary k ended after 1 of 2 tests"),
        (&format!("{GOOD}test b ... ok\n"), "a b b | test binary k reported b twice"),
        (&format!("running 2 tests\n{GOOD}"), "a b | test binary k announced its tests twice"),
        (&format!("{GOOD}{GOOD}"), "a a b b | test binary k announced its tests twice"),
        (
            &GOOD.replace("running 2", "running 1"),
            "a b | test binary k announced 1 tests and had listed 2",
        ),
        (
            &format!("running 2 tests\ntest a ... ok\ntest b ... FAILED\n{end}"),
            "a | test binary k counted other results than it reported",
        ),
        (
            "running 2 tests\ntest a ... ok\ntest b ... ok\ntest result: ok.\n",
            "a b | test binary k printed a result without counts",
        ),
    ];
    for (output, expected) in cases {
        assert_eq!(whole(output), expected, "{output}");
    }
}

#[test]
fn what_tests_print_without_a_newline_hides_no_result() {
    let cases = [
        GOOD.replace("test a ... ok", "dots....test a ... ok"),
        GOOD.replace("test a ... ok", "\rtest a ... ok"),
        GOOD.replace("test a ... ok", "test a ... from a child\nok"),
        GOOD.replace("test a ... ok", "test a ... from a child ok"),
        GOOD.replace("test a ... ok", "test a ... one\ntwo\nthreeok"),
        // Tools that print in the same form.
        GOOD.replace("test a ... ok", "test tests/ui/x.rs ... ok\ntest a ... ok"),
        GOOD.replace("test a ... ok", "     Running y (d/y-0123456789abcdee)\ntest a ... ok"),
    ];
    for output in cases {
        let passed = whole(&output);
        assert!(passed == "a b | " || passed == "b a | ", "{output}: {passed}");
    }
    let failed = GOOD.replace("test a ... ok", "test a ... book\nFAILED");
    assert!(whole(&failed.replace("2 passed; 0", "1 passed; 1")).contains("counted other"));
}

#[test]
fn a_binary_that_was_built_has_to_run() {
    let file = "k-0123456789abcdef".to_owned();
    let parser = Parser::new(vec![Expected {
        file,
        package: String::new(),
        harness: Harness::Standard(None),
    }]);
    let report = parser.finish(true, None);
    assert_eq!(report.incomplete, ["test binary k-0123456789abcdef did not run"]);
    assert!(!report.complete);
}

#[test]
fn documentation_tests_may_come_in_several_groups() {
    let one = "running 1 test\ntest src/lib.rs - g (line 8) - compile fail ... ok\ntest result: ok. 1 \
               passed; 0 failed\n";
    let report = read(&format!("   Doc-tests k\n{one}{one}"), true, None);
    assert_eq!((report.complete, report.passed.len()), (true, 2));
    let cut = read(&format!("   Doc-tests k\n{one}running 2 tests\n"), true, None);
    assert_eq!(cut.incomplete, ["test binary k::doc ended after 0 of 2 tests (exit status 0)"]);
}

#[test]
fn a_binary_keeps_its_name_when_another_package_gets_one_of_it() {
    let names = |packages: &[&str]| -> Vec<String> {
        let file = |at: usize| format!("it-{at:016x}");
        let expected = packages.iter().enumerate().map(|(at, package)| Expected {
            file: file(at),
            package: (*package).to_owned(),
            harness: Harness::Standard(None),
        });
        let mut parser = Parser::new(expected.collect());
        let mut found = Vec::new();
        for at in 0..packages.len() {
            parser.line(&format!("     Running tests/it.rs (target/debug/deps/{})", file(at)));
            found.extend(parser.output("running 1 test"));
            found.extend(parser.output("test t ... ok"));
            found.extend(parser.output("test result: ok. 1 passed; 0 failed; 0 ignored"));
            parser.ended(0, false);
        }
        found.into_iter().map(|it| it.name).collect()
    };
    assert_eq!(names(&["b"]), ["it::t"]);
    assert_eq!(names(&["b", "c"]), ["it#b::t", "it#c::t"]);
    assert_eq!(names(&["a", "b", "c"]), ["it#a::t", "it#b::t", "it#c::t"]);
    assert_eq!(names(&["a", "a"]), ["it::t", "it#2::t"]);
}

#[test]
fn the_end_of_a_binary_that_runs_alone_decides() {
    let reason = |code: i32, by_test: bool| {
        let file = "a-0123456789abcdef".to_owned();
        let harness = Harness::Standard(None);
        let mut parser = Parser::new(vec![Expected { file, package: String::new(), harness }]);
        parser.line("     Running unittests src/lib.rs (target/debug/deps/a-0123456789abcdef)");
        // A line that begins another binary is output here.
        for line in [
            "running 1 test",
            "     Running tests/b.rs (d/b-0123456789abcdef)",
            "test t ... ok",
            "test result: ok. 1 passed; 0 failed; 0 ignored",
        ] {
            parser.output(line);
        }
        parser.ended(code, by_test);
        parser.finish(true, None).incomplete.join("; ")
    };
    assert_eq!(reason(0, false), "");
    assert_eq!(reason(0, true), "test binary a was ended by a test");
    assert_eq!(
        reason(134, false),
        "test binary a reported no failed test and ended with status 134"
    );
}
