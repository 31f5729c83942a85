//! Configuration files of cargo, clippy, the toolchain and test runners: any change counts, since
//! each key can disable a check.

use base::ProjectPath;

use crate::files::first_difference;
use crate::toml_text::{TomlKey, TomlText, TomlValue};
use crate::{Rule, Violation};

/// Tables of cargo's configuration that affect neither what is built or run nor whom cargo contacts.
const HARMLESS_TABLES: &[&str] = &["cargo-new", "future-incompat-report", "term"];

/// Whether the file configures cargo, clippy, the toolchain, a test runner or a dependency checker.
pub(crate) fn is_configuration(path: &ProjectPath) -> bool {
    let in_folder = |folder: &str| {
        path.as_str().rsplit('/').nth(1).is_some_and(|it| it.eq_ignore_ascii_case(folder))
    };
    match path.file_name().to_ascii_lowercase().as_str() {
        "clippy.toml"
        | ".clippy.toml"
        | "rust-toolchain"
        | "rust-toolchain.toml"
        | "deny.toml"
        | ".deny.toml"
        | "nextest.toml"
        | "insta.yaml" => true,
        "config" | "config.toml" => in_folder(".cargo"),
        name => in_folder(".config") && name.contains("nextest"),
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
        found.push(Violation {
            rule: Rule::ConfigWeakened,
            path: path.clone(),
            line,
            detail,
            is_cfg_test: false,
        });
    };
    let (Some(after), before) = (after, before.unwrap_or("")) else {
        return report(1, "the file is removed".to_owned());
    };
    let name = path.file_name().to_ascii_lowercase();
    if !name.ends_with(".toml") && name != "config" {
        if before != after {
            report(first_difference(before, after), "the configuration changes".to_owned());
        }
        return;
    }
    let is_cargo = path.as_str().to_ascii_lowercase().contains(".cargo/");
    let new = match TomlText::parse(after) {
        Ok(new) => new,
        Err(fault) => {
            return report(fault.line, format!("the file does not parse: {}", fault.reason));
        }
    };
    let old = TomlText::of_broken(before);
    let is_free = |key: &TomlKey| {
        is_cargo && key.parts().first().is_some_and(|it| HARMLESS_TABLES.contains(&it.as_str()))
    };
    for (key, value) in old.iter().filter(|(key, _)| !is_free(key)) {
        let now = new.get(key);
        if now.map(|it| &it.data) != Some(&value.data) && !grows(key, value, now) {
            report(now.unwrap_or(value).line, format!("`{key}` changes"));
        }
    }
    let is_new = |key: &TomlKey| old.get(key).is_none() && !is_free(key);
    for (key, value) in new.iter().filter(|(key, _)| is_new(key)) {
        if !is_deny_list(key) {
            report(value.line, format!("`{key}` is added"));
        }
    }
}

/// Whether the value is a deny list that only has more members.
fn grows(key: &TomlKey, old: &TomlValue, new: Option<&TomlValue>) -> bool {
    is_deny_list(key)
        && new
            .is_some_and(|new| old.data.members().iter().all(|it| new.data.members().contains(it)))
}

/// Whether the key is a list of what clippy refuses.
fn is_deny_list(key: &TomlKey) -> bool {
    key.parts().first().is_some_and(|it| it.starts_with("disallowed-"))
}
