//! Configuration files of cargo, clippy, the toolchain and test runners: any change counts, since
//! each key can disable a check.

use base::ProjectPath;

use crate::files::first_difference;
use crate::flat::{FlatValue, flat};
use crate::{Rule, Violation};

/// Tables of cargo's configuration that do not affect what is built or run.
const HARMLESS_TABLES: &[&str] = &[
    "cargo-new",
    "doc",
    "future-incompat-report",
    "http",
    "install",
    "net",
    "registries",
    "registry",
    "term",
];

/// Whether the file configures cargo, clippy, the toolchain, a test runner or a dependency checker.
pub(crate) fn is_configuration(path: &ProjectPath) -> bool {
    let in_folder = |folder: &str| path.as_str().rsplit('/').nth(1) == Some(folder);
    match path.file_name() {
        "clippy.toml"
        | ".clippy.toml"
        | "rust-toolchain"
        | "rust-toolchain.toml"
        | "deny.toml"
        | ".deny.toml"
        | "nextest.toml"
        | "insta.yaml" => true,
        "config" | "config.toml" => in_folder(".cargo"),
        _ => in_folder(".config") && path.file_name().contains("nextest"),
    }
}

/// Any change of a configuration counts, because each key can disable a check with some value; only
/// deny lists may grow.
pub(crate) fn compare(
    path: &ProjectPath,
    before: Option<&str>,
    after: Option<&str>,
    found: &mut Vec<Violation>,
) {
    let mut report = |line: u32, detail: String| {
        found.push(Violation { rule: Rule::ConfigWeakened, path: path.clone(), line, detail });
    };
    let (Some(after), before) = (after, before.unwrap_or("")) else {
        return report(1, "the file is removed".to_owned());
    };
    if !path.as_str().ends_with(".toml") && !path.as_str().ends_with("config") {
        if before != after {
            report(first_difference(before, after), "the configuration changes".to_owned());
        }
        return;
    }
    let is_cargo = path.as_str().contains(".cargo/");
    let (old, new) = (flat(before), flat(after));
    let is_free =
        |key: &str| is_cargo && HARMLESS_TABLES.contains(&key.split('.').next().unwrap_or(key));
    for (key, value) in old.iter().filter(|(key, _)| !is_free(key)) {
        let now = new.get(key);
        if now.map(|it| &it.text) != Some(&value.text) && !grows(key, value, now) {
            report(now.unwrap_or(value).line, format!("`{key}` changes"));
        }
    }
    for (key, value) in new.iter().filter(|(key, _)| !old.contains_key(*key) && !is_free(key)) {
        if !key.starts_with("disallowed-") {
            report(value.line, format!("`{key}` is added"));
        }
    }
}

/// Whether the value is a deny list that only has more members.
fn grows(key: &str, old: &FlatValue, new: Option<&FlatValue>) -> bool {
    let members = |value: &FlatValue| -> Vec<String> {
        crate::flat::members(value.text.trim_matches(['[', ']']))
            .into_iter()
            .map(str::to_owned)
            .collect()
    };
    key.starts_with("disallowed-")
        && new.is_some_and(|new| {
            let now = members(new);
            members(old).iter().all(|it| now.contains(it))
        })
}
