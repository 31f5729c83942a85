//! Attacks on the reader of manifests and configuration: spellings that hide a key from a reader that is
//! not cargo's. The control of each is that the `toml` crate, by which cargo reads, has the key.

#![allow(clippy::unwrap_used, reason = "a failed setup ends the test")]

use base::{ProjectPath, Timestamp};
use edit::{FileState, Overlay};
use graftage_preserve::violations;

const MANIFEST: &str = "[package]\nname = \"a\"\nversion = \"0.1.0\"\n";

/// Rules that a change of one file breaks.
fn broken(path: &str, before: Option<&str>, after: &str) -> Vec<String> {
    let state = |text: &str| FileState::from_text(text);
    let states = [(ProjectPath::new(path).unwrap(), before.map(state), Some(state(after)))];
    let overlay = Overlay::from_states("t", Timestamp(0), states.into());
    violations(&overlay, &[]).iter().map(|it| it.rule.to_string()).collect()
}

/// The value that cargo's parser has for a key.
fn seen<'a>(table: &'a toml::Table, key: &[&str]) -> Option<&'a toml::Value> {
    let (first, rest) = key.split_first()?;
    let mut value = table.get(*first)?;
    for part in rest {
        value = match value {
            toml::Value::Array(list) => list.first()?.get(part)?,
            value => value.get(part)?,
        };
    }
    Some(value)
}

#[test]
fn a_key_that_cargo_sees_in_a_manifest_is_seen_by_the_rule() {
    let lib = ["lib", "test"];
    for (text, key) in [
        ("[package]\ndescription = \"a\\\"[\"\nname = \"a\"\n[lib]\ntest = false\n", &lib[..]),
        ("[package]\nname = \"a\"\n[lib]\n\"te\\u0073t\" = false\n", &lib),
        ("lib = { test = false }\n[package]\nname = \"a\"\n", &lib),
        ("lib.test = false\n[package]\nname = \"a\"\n", &lib),
        ("'lib'.\"test\" = false\n[package]\nname = \"a\"\n", &lib),
        (
            "[package]\nname = \"a\"\ndescription = \"\"\"\n[x]\ny = [\"\"\"\n[lib]\ntest = false\n",
            &lib,
        ),
        ("[package]\nname = 'a'\ndescription = 'it\\'\n[lib]\ntest = false\n", &lib),
        ("\u{feff}[package]\r\nname = \"a\"\r\n[ lib ]\r\ntest = false # \"[\r\n", &lib),
        ("[package]\nname = \"a\"\ndescription = \"{[{\" # }\n[lib]\ntest = false\n", &lib),
        (
            "test = [{ name = \"it\", harness = false }]\n[package]\nname = \"a\"\n",
            &["test", "harness"],
        ),
        (
            "[package]\nname = \"a\"\nx = [\"\\\"]\", '[']\n[[test]]\nharness = false\n",
            &["test", "harness"],
        ),
        ("[package]\nname = \"a\"\n\"\\u0061utotests\" = false\n", &["package", "autotests"]),
        ("[package]\nname = \"a\"\nbuild = '''x.rs'''\n", &["package", "build"]),
    ] {
        let table: toml::Table = text.trim_start_matches('\u{feff}').parse().unwrap();
        assert!(seen(&table, key).is_some(), "control: cargo does not see it: {text}");
        assert!(!broken("Cargo.toml", Some(MANIFEST), text).is_empty(), "{text}");
    }
}

#[test]
fn a_key_that_cargo_sees_in_its_configuration_is_seen_by_the_rule() {
    for (text, key) in [
        (
            "[http]\nuser-agent = \"a\\\"[\"\n[build]\nrustc-wrapper = \"./x\"\n",
            ["build", "rustc-wrapper"],
        ),
        ("[term]\nx = \"a\\\"[\"\n[build]\nrustflags = [\"-Awarnings\"]\n", ["build", "rustflags"]),
        ("\"b\\u0075ild\".rustc = \"./x\"\n[term]\nx = '''\n['''\n", ["build", "rustc"]),
        ("build = { rustc-wrapper = \"./x\" }\n", ["build", "rustc-wrapper"]),
        ("[doc]\nbrowser = \"./x\"\n", ["doc", "browser"]),
        ("[http]\nproxy = \"e.example\"\n", ["http", "proxy"]),
        (
            "[registry]\nglobal-credential-providers = [\"./x\"]\n",
            ["registry", "global-credential-providers"],
        ),
        ("[net]\ngit-fetch-with-cli = true\n", ["net", "git-fetch-with-cli"]),
    ] {
        let parsed = text.parse::<toml::Table>();
        assert!(seen(&parsed.unwrap(), &key).is_some(), "control: cargo does not see it: {text}");
        for path in [".cargo/config.toml", ".cargo/config", ".Cargo/Config.TOML"] {
            assert!(!broken(path, None, text).is_empty(), "{path}: {text}");
        }
    }
}

#[test]
fn text_that_does_not_parse_is_a_violation_and_its_repair_is_none() {
    for after in [
        "[package\n",
        "a = 1\na = 2\n",
        "[lib]\n[lib]\n",
        "lib = {}\n[lib]\ntest = false\n",
        "a = \"\\q\"\n",
    ] {
        assert!(after.parse::<toml::Table>().is_err(), "control: it parses: {after}");
        assert!(!broken("Cargo.toml", Some(MANIFEST), after).is_empty(), "{after}");
        assert!(!broken("clippy.toml", Some("a = 1\n"), after).is_empty(), "{after}");
    }
    let damaged = format!("{MANIFEST}[dependencies\nserde = \"1\"\n");
    let whole = damaged.replace("[dependencies\n", "[dependencies]\n");
    assert_eq!(broken("Cargo.toml", Some(&damaged), &whole), [""; 0]);
    // The repair must not take the chance to switch tests off.
    let off = format!("{whole}[lib]\ntest = false\n");
    assert_eq!(broken("Cargo.toml", Some(&damaged), &off), ["manifest-weakened"]);
}
