//! Code behind `#[cfg(…)]` that is off in every configuration, whatever the features: another
//! operating system, another architecture.

use std::path::Path;

use base::SortedMap;
use build::CargoWorkspace;
use policy::{Tree, UncheckedKind, UncheckedPart};
use rayon::prelude::*;
use syntax::CfgPredicate;

use super::Seen;
use crate::Scope;

/// Limit of length and depth of a predicate, since the reader recurses.
const LONGEST: usize = 1_000;
const DEEPEST: usize = 32;
/// Larger files are not searched, in bytes.
const LARGEST: usize = 4 << 20;

/// The sources of the packages that are built and have conditions or examples, by path.
pub(super) fn texts(
    root: &Path,
    tree: &Tree,
    workspace: &CargoWorkspace,
    seen: &Seen<'_>,
) -> Vec<(String, String)> {
    let sources: Vec<_> =
        tree.files().keys().filter(|path| path.extension() == Some("rs")).collect();
    sources
        .into_par_iter()
        .filter_map(|path| {
            let file = path.join_to(root);
            let owner = workspace.owner(&file)?;
            if !seen.is_built(&owner.name) {
                return None;
            }
            let bytes = untrusted_fs::read_regular(&file, LARGEST as u64).ok()??;
            let text = String::from_utf8(bytes).ok()?;
            is_of_interest(&text).then(|| (path.to_string(), text))
        })
        .collect()
}

/// Whether a text may have conditions, or examples of the documentation.
fn is_of_interest(text: &str) -> bool {
    ["[cfg(", "```", "include_str!"].iter().any(|it| text.contains(it))
}

/// `cfg(windows): src/win.rs:3 and 2 more places` for each predicate that is never enabled.
pub(super) fn closed(texts: &[(String, String)], scopes: &[Scope]) -> Vec<UncheckedPart> {
    let mut places: SortedMap<String, Vec<String>> = SortedMap::new();
    for (path, text) in texts {
        for (line, predicate) in predicates(text) {
            let Some(expr) = CfgPredicate::parse(predicate) else { continue };
            if scopes
                .iter()
                .all(|scope| holds(&expr, &|key, value| known(key, value, scope)) == Some(false))
            {
                places.entry(expr.to_string()).or_default().push(format!("{path}:{line}"));
            }
        }
    }
    places
        .into_iter()
        .map(|(predicate, places)| {
            let first = places.first().cloned().unwrap_or_default();
            let more = match places.len() {
                1 => String::new(),
                2 => " and 1 more place".to_owned(),
                n => format!(" and {} more places", n - 1),
            };
            UncheckedPart {
                kind: UncheckedKind::Condition,
                name: format!("cfg({predicate})"),
                text: format!("cfg({predicate}): {first}{more}"),
            }
        })
        .collect()
}

/// The predicates of `#[cfg(…)]` and `#![cfg(…)]` with their lines, from 1; comments are skipped.
fn predicates(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    // Lines are counted once: for each predicate from the beginning, a file with many would take long.
    let (mut line, mut counted) = (1, 0);
    for (at, _) in text.match_indices("[cfg(") {
        line += text[counted..at].bytes().filter(|byte| *byte == b'\n').count();
        counted = at;
        let start = text[..at].rfind('\n').map_or(0, |it| it + 1);
        let before = &text[start..at];
        if before.contains("//") || !(before.ends_with('#') || before.ends_with("#!")) {
            continue;
        }
        let rest = &text[at + "[cfg(".len()..];
        if let Some(predicate) = balanced(rest) {
            found.push((line, predicate));
        }
    }
    found
}

/// The text up to the closing parenthesis.
fn balanced(text: &str) -> Option<&str> {
    let mut depth = 1usize;
    for (at, byte) in text.bytes().enumerate().take(LONGEST) {
        match byte {
            b'(' => depth += 1,
            b')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return text.get(..at);
        }
        if depth > DEEPEST {
            return None;
        }
    }
    None
}

/// Whether a predicate is true; `None`: it depends on unknown flags (features, build scripts) or is
/// built both ways.
///
/// `leaf` gives the value of a flag, or of a key with a value.
pub(crate) fn holds(
    expr: &CfgPredicate<'_>,
    leaf: &dyn Fn(&str, Option<&str>) -> Option<bool>,
) -> Option<bool> {
    match expr {
        CfgPredicate::Not(inner) => holds(inner, leaf).map(|it| !it),
        CfgPredicate::All(parts) => {
            let values: Vec<_> = parts.iter().map(|it| holds(it, leaf)).collect();
            if values.contains(&Some(false)) {
                Some(false)
            } else {
                values.iter().all(|it| *it == Some(true)).then_some(true)
            }
        }
        CfgPredicate::Any(parts) => {
            let values: Vec<_> = parts.iter().map(|it| holds(it, leaf)).collect();
            if values.contains(&Some(true)) {
                Some(true)
            } else {
                values.iter().all(|it| *it == Some(false)).then_some(false)
            }
        }
        CfgPredicate::Flag(name) => leaf(name, None),
        CfgPredicate::Value(key, value) => leaf(key, Some(value)),
        CfgPredicate::Constant(value) => Some(*value),
        CfgPredicate::Other(_) => None,
    }
}

/// The value of a part of a predicate that the target decides.
pub(super) fn known(key: &str, value: Option<&str>, scope: &Scope) -> Option<bool> {
    let os = operating_system(scope)?;
    let is_windows = os == "windows";
    match value {
        None => match key {
            "windows" => Some(is_windows),
            "unix" => Some(!is_windows && !matches!(os, "none" | "unknown" | "wasi")),
            "miri" | "doc" | "doctest" => Some(false),
            _ => None,
        },
        Some(value) => match key {
            "target_os" => Some(value == os),
            "target_family" if is_windows => Some(value == "windows"),
            "target_family" if matches!(os, "linux" | "macos" | "android" | "freebsd") => {
                Some(value == "unix")
            }
            "target_arch" => Some(value == architecture(scope)),
            _ => of_common_architecture(key, value, scope),
        },
    }
}

/// The value of what follows from the architecture; known of the two that most computers have.
fn of_common_architecture(key: &str, value: &str, scope: &Scope) -> Option<bool> {
    let triple = scope.target.as_deref().unwrap_or_default();
    // 64-bit instructions with 32-bit pointers.
    let is_short = triple.contains("x32") || triple.contains("ilp32");
    if !matches!(architecture(scope), "x86_64" | "aarch64") || is_short {
        return None;
    }
    match key {
        "target_endian" => Some(value == "little"),
        "target_pointer_width" => Some(value == "64"),
        "target_has_atomic" if matches!(value, "8" | "16" | "32" | "64" | "ptr") => Some(true),
        _ => None,
    }
}

fn operating_system(scope: &Scope) -> Option<&str> {
    let Some(triple) = &scope.target else { return Some(std::env::consts::OS) };
    let names = [
        ("android", "android"),
        ("linux", "linux"),
        ("windows", "windows"),
        ("apple-darwin", "macos"),
        ("apple-ios", "ios"),
        ("freebsd", "freebsd"),
        ("wasi", "wasi"),
        ("-none", "none"),
        ("-unknown-unknown", "unknown"),
    ];
    names.iter().find(|(part, _)| triple.contains(part)).map(|(_, os)| *os)
}

fn architecture(scope: &Scope) -> &str {
    let Some(triple) = &scope.target else { return std::env::consts::ARCH };
    match triple.split('-').next().unwrap_or_default() {
        "i586" | "i686" => "x86",
        arch if arch.starts_with("arm") || arch.starts_with("thumb") => "arm",
        arch if arch.starts_with("riscv32") => "riscv32",
        arch if arch.starts_with("riscv64") => "riscv64",
        arch => arch,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, scopes: &[&str], expected: &[&str]) {
        let scopes: Vec<Scope> = scopes.iter().map(|it| Scope::parse(it).unwrap()).collect();
        let found = closed(&[("src/lib.rs".to_owned(), text.to_owned())], &scopes);
        let texts: Vec<&str> = found.iter().map(|it| it.text.as_str()).collect();
        assert_eq!(texts, expected);
    }

    const LINUX: &str = "--target x86_64-unknown-linux-gnu";
    const WINDOWS: &str = "--target x86_64-pc-windows-msvc";

    #[test]
    fn what_is_off_in_every_configuration_is_named_with_its_places() {
        let text =
            "#[cfg(windows)]\nmod win;\n#[cfg(unix)]\nmod unix;\n#[cfg( windows )]\nfn f() {}\n";
        check(text, &[LINUX], &["cfg(windows): src/lib.rs:1 and 1 more place"]);
        check(text, &[WINDOWS], &["cfg(unix): src/lib.rs:3"]);
        check(text, &[LINUX, WINDOWS], &[]);
    }

    #[test]
    fn features_flags_and_tests_are_not_decided_here() {
        check("#[cfg(feature = \"x\")]\n#[cfg(loom)]\n#[cfg(not(test))]\n", &[LINUX], &[]);
        check(
            "#![cfg(all(target_os = \"macos\", feature = \"x\"))]",
            &[LINUX],
            &["cfg(all(target_os = \"macos\", feature = \"x\")): src/lib.rs:1"],
        );
        check("#[cfg(any(windows, feature = \"x\"))]", &[LINUX], &[]);
    }

    #[test]
    fn what_follows_from_a_common_architecture_is_known() {
        let text =
            "#[cfg(target_pointer_width = \"32\")]\n#[cfg(not(target_has_atomic = \"8\"))]\n";
        let big = "#[cfg(target_endian = \"big\")]\n";
        check(
            &format!("{text}{big}"),
            &[LINUX],
            &[
                "cfg(not(target_has_atomic = \"8\")): src/lib.rs:2",
                "cfg(target_endian = \"big\"): src/lib.rs:3",
                "cfg(target_pointer_width = \"32\"): src/lib.rs:1",
            ],
        );
        for other in ["--target thumbv6m-none-eabi", "--target x86_64-unknown-linux-gnux32"] {
            check(text, &[other], &[]);
        }
    }

    #[test]
    fn comments_and_absurd_predicates_are_passed_over() {
        let deep = format!("#[cfg({}windows{})]", "not(".repeat(50_000), ")".repeat(50_000));
        for text in ["// #[cfg(windows)]", "[cfg(windows)]", "#[cfg(windows", "#[cfg(=)]", &deep] {
            check(text, &[LINUX], &[]);
        }
    }
}
