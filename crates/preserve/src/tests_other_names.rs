//! Names under which a change may hide a condition, an assertion or a table of a manifest.

use super::tests::overlay;
use super::{Allowed, preservation};

/// The rules that a change of a file breaks.
fn broken(path: &str, before: &str, after: &str) -> String {
    let change = overlay(&[(path, Some(before), Some(after))]);
    let found = preservation(&change, &[], &Allowed::default()).violations;
    let rules: Vec<&str> = found.iter().map(|it| it.rule.as_str()).collect();
    rules.join(" ")
}

const TESTED: &str = "\
fn add(a: i32, b: i32) -> i32 {
    a + b
}
#[test]
fn adds() {
    assert_eq!(add(1, 2), 3);
}
";

#[test]
fn a_raw_name_or_another_name_of_a_condition_is_a_condition() {
    let body = |code: &str| TESTED.replace("    a + b", &format!("    {code}"));
    for (after, rule) in [
        (TESTED.replace("fn add", "#[r#cfg(test)]\nfn add"), "cfg-changed"),
        (format!("#![r#allow(warnings)]\n{TESTED}"), "allow-added"),
        (body("if r#cfg!(test) { a + b } else { 0 }"), "cfg-changed"),
        (
            format!("use std::cfg as c;\n{}", body("if c!(test) { a + b } else { 0 }")),
            "cfg-changed",
        ),
        (body("cfg_select! { test => { a + b } _ => { 0 } }"), "cfg-changed"),
        (
            format!("macro_rules! on {{ ($($i:item)*) => {{ $(#[cfg(test)] $i)* }} }}\n{TESTED}"),
            "cfg-changed",
        ),
        (format!("macro_rules! r#assert_eq {{ ($($t:tt)*) => {{}} }}\n{TESTED}"), "test-weakened"),
        (
            format!("macro_rules! on {{ ($($c:tt)+) => {{ $($c)+ !(test) }} }}\n{TESTED}"),
            "cfg-changed",
        ),
        (TESTED.replace("#[test]", "#[mac::serial]\n#[test]"), "test-weakened"),
        (TESTED.replace("#[test]", "#[mac::case(1)]\n#[test]"), "test-weakened"),
        (TESTED.replace("#[test]", "#[test]\n#[my_test]"), "test-weakened"),
        (
            format!("macro_rules! skip {{ () => {{ return }} }}\n{TESTED}")
                .replace("    assert_eq!", "    skip!();\n    assert_eq!"),
            "test-weakened",
        ),
    ] {
        let found = broken("src/lib.rs", TESTED, &after);
        assert!(found.split(' ').any(|it| it == rule), "{after}: {found}");
    }
    for attribute in ["rustfmt::skip", "serial_test::serial", "test_log::test", "track_caller"] {
        let after = TESTED.replace("#[test]", &format!("#[{attribute}]\n#[test]"));
        assert_eq!(broken("src/lib.rs", TESTED, &after), "", "{attribute}");
    }
    let imported = format!("use serial_test::serial;\n{TESTED}");
    let after = imported.replace("#[test]", "#[test]\n#[serial]");
    assert_eq!(broken("src/lib.rs", TESTED, &after), "");
    // A name that needs the prefix, and an edit within an arm.
    for name in ["type", "gen", "try"] {
        let after = format!("fn f() {{}}\nfn r#{name}() {{}}\n");
        assert_eq!(broken("src/lib.rs", "fn f() {}\n", &after), "");
    }
    let select = body("cfg_select! { test => { a + b } _ => { 0 } }");
    assert_eq!(broken("src/lib.rs", &select, &select.replace("{ 0 }", "{ 0 + b }")), "");
}

#[test]
fn tables_and_levels_of_a_manifest_that_no_rule_compares_are_refused() {
    const MANIFEST: &str = "[package]\nname = \"a\"\nversion = \"0.1.0\"\n";
    for (added, rule) in [
        ("[lints.rust]\narithmetic_overflow = \"warn\"\n", "lint-weakened"),
        (
            "[lints.clippy]\ncorrectness = { level = \"warn\", priority = -1 }\n",
            "lint-weakened lint-weakened",
        ),
        ("[unknown]\nx = 1\n", "manifest-weakened"),
        ("[[bin]]\nname = \"a\"\npath = \"src/bin/other.rs\"\n", "manifest-weakened"),
    ] {
        assert_eq!(broken("Cargo.toml", MANIFEST, &format!("{MANIFEST}{added}")), rule, "{added}");
    }
    let strict = format!("{MANIFEST}[lints.rust]\nmissing_docs = \"deny\"\n");
    assert_eq!(broken("Cargo.toml", MANIFEST, &strict), "");
    let ordered = |priority: &str| {
        let group = format!("unused = {{ level = \"allow\", priority = {priority} }}");
        format!("{MANIFEST}[lints.rust]\nunused_must_use = \"deny\"\n{group}\n")
    };
    assert_eq!(broken("Cargo.toml", &ordered("-1"), &ordered("1")), "lint-weakened");
    let build = MANIFEST.replace("[package]", "[project]\nbuild = \"x.rs\"");
    assert_eq!(broken("Cargo.toml", MANIFEST, &build), "build-script-added");
}

#[test]
fn a_feature_that_was_there_turns_nothing_more_on() {
    let manifest = |strict: &str| {
        format!("[package]\nname = \"a\"\n[features]\nlenient = []\nstrict = [{strict}]\n")
    };
    let found = |after: &str| {
        let (before, after) = (manifest("\"a\""), manifest(after));
        let change = overlay(&[("Cargo.toml", Some(&before), Some(&after))]);
        preservation(&change, &[], &Allowed::default()).violations.len()
    };
    assert_eq!(found("\"a\", \"lenient\""), 1);
    assert_eq!(found("\"a\", \"kit/lenient\""), 1);
    assert_eq!(found("\"a\", \"dep:kit\""), 0);
    // One that has another name; that it is gone is another matter.
    let manifest = |name: &str| format!("[features]\n{name} = []\nfull = [\"{name}\"]\n");
    let (before, after) = (manifest("old"), manifest("new"));
    let change = overlay(&[("Cargo.toml", Some(&before), Some(&after))]);
    let found = preservation(&change, &[], &Allowed::default()).violations;
    assert!(!found.iter().any(|it| it.detail.contains("is on with")), "{found:?}");
}

#[test]
fn an_optional_dependency_of_a_default_feature_is_no_feature() {
    let manifest = |default: &str, strict: &str| {
        format!("[features]\ndefault = [\"{default}\"]\n{default} = [{strict}]\n")
    };
    let (before, after) = (manifest("a", "\"dep:kit\""), manifest("a", "\"dep:kit\", \"dep:x\""));
    let change = overlay(&[("Cargo.toml", Some(&before), Some(&after))]);
    assert_eq!(preservation(&change, &[], &Allowed::default()).violations, []);
}
