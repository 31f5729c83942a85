//! Test binaries that end early or print results that are not theirs.

use std::time::Duration;

use graftage_build::{Command, Packages, TestReport, Verb};

use crate::world::World;

/// Tests that end their process, each beside one that takes longer.
const ENDS: &[(&str, &str)] = &[
    ("exits", "std::process::exit(0)"),
    ("exits_silently", "extern \"C\" { fn _exit(status: i32) -> !; } unsafe { _exit(0) }"),
    ("aborts", "std::process::abort()"),
    (
        "overflows",
        "fn down(n: u64) -> u64 { if n == 0 { 0 } else { 1 + down(n + 1) } } \
                   assert_eq!(down(std::hint::black_box(1)), 0)",
    ),
    (
        "exits_later",
        "std::thread::spawn(|| { std::thread::sleep(std::time::Duration::from_millis(99)); \
                     std::process::exit(0) });",
    ),
    // All that is to be seen of the other test, and a result that does not fit.
    (
        "forges_a_result",
        "raw(\"test b ... ok\\n\\ntest result: ok. 2 passed; 0 failed; 0 ignored; 0 \
                         measured; 0 filtered out; finished in 0.00s\\n\\n\"); std::process::exit(0)",
    ),
    ("forges_the_other", "raw(\"test b ... ok\\n\")"),
    ("forges_in_pieces", "raw(\"\\rtest b .\"); raw(\".. o\"); raw(\"k\\n\")"),
    (
        "forges_by_a_child",
        "std::process::Command::new(\"/bin/sh\").args([\"-c\", \"echo 'test b ... \
                           ok'\"]).status().unwrap();",
    ),
    ("forges_a_second_run", "raw(\"running 2 tests\\ntest a ... ok\\n\")"),
];

/// Tests that print a lot, and in the form of results, and are well.
const PRINTS: &[(&str, &str)] = &[
    ("glues", "raw(\"dots...\")"),
    (
        "prints_much",
        "for _ in 0..20_000 { raw(\"another line of more than one hundred bytes, so that \
                     there are two million bytes, which is a lot of text\\n\") }",
    ),
    ("prints_results", "raw(\"test tests/ui/one.rs ... ok\\ntest two ... FAILED\\n\")"),
];

fn write(world: &World, (name, body): (&str, &str), slow: &str) {
    let text = format!(
        "#![allow(unused)]\nfn raw(text: &str) {{\n    use std::io::Write;\n    let mut out = \
         std::io::stdout();\n    out.write_all(text.as_bytes()).unwrap();\n    \
         out.flush().unwrap();\n}}\n#[test]\nfn a() {{ {body} }}\n#[test]\nfn b() {{ \
         std::thread::sleep(std::time::Duration::from_millis(500)); {slow} }}\n"
    );
    world.write(&format!("p/tests/{name}.rs"), &text);
}

fn world() -> World {
    let mut world = World::new();
    world.env.offline = true;
    world.depend("");
    world.write("p/src/lib.rs", "pub fn f() {}\n#[test]\nfn c() {}\n");
    world
}

fn command(names: &[&str]) -> Command {
    let mut command = Command::new(Verb::Test, Duration::from_secs(300));
    command.targets = names.iter().flat_map(|it| ["--test".to_owned(), (*it).to_owned()]).collect();
    command
}

/// The reason for which a binary was not whole.
fn reason<'r>(report: &'r TestReport, name: &str) -> &'r str {
    let begin = format!("test binary {name} ");
    let found = report.incomplete.iter().find_map(|it| it.strip_prefix(&begin));
    found.unwrap_or_else(|| panic!("{name} was whole: {report:?}"))
}

#[test]
fn a_test_that_ends_its_process_or_forges_a_result_makes_the_run_incomplete_with_and_without_nextest()
 {
    let mut world = world();
    for end in ENDS {
        // It would fail, if it were not for the other.
        write(&world, *end, "panic!()");
    }
    let names: Vec<&str> = ENDS.iter().map(|it| it.0).collect();
    for nextest in [world.env.toolchain.nextest.clone(), None] {
        world.env.toolchain.nextest = nextest.clone();
        let report = world.test(&command(&names));
        assert!(!report.complete);
        let why = |name: &str| reason(&report, name);
        for name in ["exits", "exits_silently", "exits_later"] {
            let seen = if name == "exits_later" { "1 of 2" } else { "0 of 2" };
            assert!(
                why(name).starts_with(&format!("ended after {seen} tests (exit status 0)")),
                "{}",
                why(name)
            );
        }
        for name in ["aborts", "overflows"] {
            assert!(why(name).starts_with("ended after 0 of 2 tests (signal: 6"), "{}", why(name));
        }
        assert_eq!(why("forges_a_result"), "ended after 1 of 2 tests");
        for name in ["forges_the_other", "forges_in_pieces", "forges_by_a_child"] {
            assert_eq!(why(name), "reported b twice");
        }
        assert!(why("forges_a_second_run").starts_with("announced its tests twice"));
        let failed = |name: &str| report.failed.iter().any(|it| it.name == name);
        assert!(names.iter().all(|it| failed(&format!("{it}::(did not end)"))), "{report:?}");
        // What ended the process is named where nextest can tell.
        assert_eq!(failed("aborts::a"), nextest.is_some(), "{:?}", report.failed);
    }
    // Control: the same output passes for cargo and for nextest.
    let control = world.plain_cargo_with(&["test", "--test", "exits", "--test", "exits_silently"]);
    assert!(control.status.success(), "{control:?}");
}

#[test]
fn what_tests_print_does_not_make_a_run_incomplete() {
    let world = world();
    for print in PRINTS {
        write(&world, *print, "");
    }
    let names: Vec<&str> = PRINTS.iter().map(|it| it.0).collect();
    let report = world.test(&command(&names));
    assert!(report.complete, "{:?}", report.incomplete);
    let all: Vec<String> =
        names.iter().flat_map(|it| [format!("{it}::a"), format!("{it}::b")]).collect();
    assert_eq!(report.passed, all);
}

#[test]
fn a_binary_that_ends_before_its_harness_has_passed_nothing_and_one_with_a_harness_of_its_own_may()
{
    let world = world();
    let early = "extern \"C\" fn early() { std::process::exit(0) }\n#[used]\n#[link_section = \
                 \".init_array\"]\nstatic EARLY: extern \"C\" fn() = early;\n#[test]\nfn fails() { panic!() }\n";
    world.write("p/tests/early.rs", early);
    world.write("p/tests/own.rs", "fn main() { assert_eq!(std::env::args().count(), 1); }\n");
    let own = "\n[[test]]\nname = \"own\"\nharness = false\n";
    world.depend(own);
    let report = world.test(&command(&["early", "own"]));
    assert_eq!(reason(&report, "early"), "ended without running tests (exit status 0)");
    assert_eq!(report.passed, ["own::(whole binary)"]);
    assert!(world.plain_cargo_with(&["test", "--test", "early"]).status.success(), "the control");
}

#[test]
fn documentation_tests_run_where_cargo_runs_them_by_default() {
    let world = world();
    let doc = "/// ```\n/// assert!(true);\n/// ```\npub fn f() {}\n#[test]\nfn c() {}\n";
    let manifest = |name: &str, more: &str| {
        format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2021\"\n{more}\n")
    };
    world.write(
        "p/Cargo.toml",
        "[workspace]\nmembers = [\"one\", \"two\", \"bin\"]\nresolver = \"2\"\n",
    );
    for (name, more) in [("one", ""), ("two", "[lib]\ndoctest = false")] {
        world.write(&format!("p/{name}/Cargo.toml"), &manifest(name, more));
        world.write(&format!("p/{name}/src/lib.rs"), doc);
    }
    world.write("p/bin/Cargo.toml", &manifest("bin", ""));
    world.write("p/bin/src/main.rs", "fn main() {}\n#[test]\nfn d() {}\n");
    let mut command = Command::new(Verb::Test, Duration::from_secs(300));
    command.all_targets = true;
    let passed = |command: &Command| {
        let report = world.test(command);
        assert!(report.complete, "{:?}", report.incomplete);
        report.passed.join(" ")
    };
    let documented = "one::doc::one/src/lib.rs - f (line 1)";
    assert_eq!(passed(&command), format!("bin::d one::c {documented} two::c"));
    command.packages = Packages::Named(vec!["bin".to_owned()]);
    assert_eq!(passed(&command), "bin::d");
    command.packages = Packages::Without(vec!["two".to_owned()]);
    command.filter = Some("f (line".to_owned());
    assert_eq!(passed(&command), documented);
    command.filter = Some("one::c".to_owned());
    assert_eq!(passed(&command), "one::c");
}

#[test]
fn a_member_that_is_a_build_dependency_too_reports_all_of_its_tests_beside_an_example() {
    let world = world();
    world.write(
        "p/Cargo.toml",
        "[package]\nname = \"p\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[workspace]\nmembers = \
         [\"tool\"]\n[build-dependencies]\ntool = { path = \"tool\" }\n",
    );
    world.write(
        "p/tool/Cargo.toml",
        "[package]\nname = \"tool\"\nversion = \"0.1.0\"\nedition = \"2021\"\n",
    );
    world.write("p/tool/src/lib.rs", "pub fn two() -> u8 { 2 }\n#[test]\nfn is_two() {}\n");
    world.write("p/build.rs", "fn main() { println!(\"cargo:rustc-env=TWO={}\", tool::two()); }\n");
    world.write("p/src/lib.rs", "pub const TWO: &str = env!(\"TWO\");\n#[test]\nfn c() {}\n");
    world.write("p/examples/e.rs", "fn main() { println!(\"{}\", p::TWO); }\n");
    let mut all = Command::new(Verb::Test, Duration::from_secs(300));
    all.all_targets = true;
    let report = world.test(&all);
    assert!(report.complete, "{:?}", report.incomplete);
    assert_eq!(report.passed, ["p::c", "tool::is_two"]);
    // Control: with the example, cargo builds another binary than the one that it runs.
    let built = |targets: &[&str]| {
        let out = world.plain_cargo_with(&[&["test", "--workspace", "--no-run"], targets].concat());
        let text = String::from_utf8_lossy(&out.stderr).into_owned();
        let names = text.lines().filter_map(|it| it.rsplit_once('(').map(|it| it.1.to_owned()));
        names.collect::<Vec<_>>()
    };
    assert_ne!(built(&[]), built(&["--tests"]));
}

#[test]
fn a_documentation_test_beside_a_macro_of_the_project_proves_nothing_and_may_fail() {
    let world = world();
    world.write(
        "p/m/Cargo.toml",
        "[package]\nname = \"m\"\nversion = \"0.1.0\"\n[lib]\nproc-macro = true\n",
    );
    // Inside rustdoc it prints a whole run, and ends it.
    let forges = "extern crate proc_macro;\n#[proc_macro]\npub fn m(input: proc_macro::TokenStream) -> \
                  proc_macro::TokenStream {\n    if std::env::args().next().unwrap().contains(\"rustdoc\") {\n        \
                  println!(\"\\nrunning 1 test\\ntest src/lib.rs - f (line 2) ... ok\\n\\ntest result: ok. 1 \
                  passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\\n\");\n        \
                  std::process::exit(0);\n    }\n    input\n}\n";
    let harmless = "extern crate proc_macro;\n#[proc_macro]\npub fn m(input: proc_macro::TokenStream) -> \
                    proc_macro::TokenStream { input }\n";
    world.write("p/m/src/lib.rs", forges);
    let lib =
        "m::m! {}\n/// ```\n/// assert!(false);\n/// ```\npub fn f() {}\n#[test]\nfn c() {}\n";
    world.write("p/src/lib.rs", lib);
    world.depend("m = { path = \"m\" }");
    let mut command = Command::new(Verb::Test, Duration::from_secs(300));
    command.all_targets = true;
    command.packages = Packages::Without(vec!["m".to_owned()]);
    let report = world.test(&command);
    assert_eq!((report.passed, report.failed), (vec!["p::c".to_owned()], Vec::new()));
    assert!(world.plain_cargo_with(&["test", "--doc"]).status.success(), "the control");
    // An example that fails counts.
    world.write("p/m/src/lib.rs", harmless);
    let report = world.test(&command);
    let failed: Vec<&str> = report.failed.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(
        (report.passed, failed),
        (vec!["p::c".to_owned()], vec!["p::doc::src/lib.rs - f (line 2)"])
    );
    // Control: without the macro a passed one is a proof.
    world.depend("");
    let plain = lib.replace("m::m! {}\n", "").replace("false", "true");
    world.write("p/src/lib.rs", &plain);
    command.packages = Packages::Workspace;
    let report = world.test(&command);
    assert_eq!(report.passed, ["p::c", "p::doc::src/lib.rs - f (line 1)"]);
}
