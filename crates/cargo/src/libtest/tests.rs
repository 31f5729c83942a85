//! Output of `cargo test` as text, and the results that are read from it; floods and crashes
//! included.

use super::*;
use expect_test::{Expect, expect};

fn check(output: &str, clean: bool, filter: Option<&str>, expect: Expect) {
    let mut parser = Parser::default();
    for line in output.lines() {
        parser.line(line);
    }
    let report = parser.finish(clean, filter);
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
            FAILED a::(did not end): "\nrunning 2 tests\n\nthread 'two' has overflowed its stack\nfatal runtime error: stack overflow, aborting"
        "#]],
    );
}

#[test]
fn two_binaries_of_one_name_stay_apart() {
    check(
        "     Running unittests src/lib.rs (d/a-0123456789abcdef)\ntest t ... ok\ntest result: ok. 1 passed\n     Running unittests src/main.rs (d/a-1123456789abcdef)\ntest t ... FAILED\ntest result: FAILED. 0 passed\n",
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

#[test]
fn a_flood_of_output_is_bounded_at_a_character() {
    let mut parser = Parser::default();
    parser.line("     Running unittests src/lib.rs (d/a-0123456789abcdef)");
    parser.line("test t ... FAILED");
    parser.line("---- t stdout ----");
    for _ in 0..100 {
        parser.line(&"é".repeat(500));
    }
    parser.line("test result: FAILED.");
    let report = parser.finish(true, None);
    assert!(report.failed[0].output.len() < OUTPUT_BYTES + 64);
}

#[test]
fn a_flood_of_binaries_or_of_names_is_no_complete_run() {
    let mut parser = Parser::default();
    for number in 0..200_000 {
        parser.line(&format!("     Running x (d/a{}-0123456789abcdef)", number % 7));
        parser.line("test result: ok.");
    }
    assert!(!parser.finish(true, None).complete);
    let mut parser = Parser::default();
    parser.line("     Running x (d/a-0123456789abcdef)");
    let name = "n".repeat(60 << 10);
    for _ in 0..10_000 {
        parser.line(&format!("test {name} ... ok"));
    }
    parser.line("test result: ok.");
    let report = parser.finish(true, None);
    assert!(!report.complete);
    assert!(report.passed.iter().map(String::len).sum::<usize>() <= 256 << 20);
}

#[test]
fn only_the_beginning_of_an_endless_line_is_read() {
    let mut parser = Parser::default();
    parser.line("     Running x (d/a-0123456789abcdef)");
    parser.line("test t ... FAILED");
    parser.line("---- t stdout ----");
    parser.line(&"x".repeat(16 << 20));
    parser.line("failures:");
    parser.line("test result: FAILED.");
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
            FAILED std::(did not end): "\nrunning 2 tests\n\nerror: test failed, to rerun pass `--test std`\nerror: 2 targets failed:\n    `--test bad-one`\n    `-p k --test std`"
        "#]],
    );
}

#[test]
fn tests_that_a_filter_left_out_are_counted() {
    let output = "
     Running tests/it.rs (target/debug/deps/it-0123456789abcdef)

running 1 test
test a ... ok

test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 2 filtered out; finished in 0.00s
";
    let mut parser = Parser::default();
    for line in output.lines() {
        parser.line(line);
    }
    let report = parser.finish(true, None);
    assert_eq!((report.filtered, report.complete), (2, true));
}
