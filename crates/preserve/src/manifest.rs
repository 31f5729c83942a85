//! `Cargo.toml` before and after: tests, lints, features, profiles and targets must not be
//! weakened.

use std::collections::BTreeMap;

use base::ProjectPath;

use crate::conditions::level;
use crate::flat::{FlatValue, flat, members};
use crate::{Rule, Violation};

type Keys = BTreeMap<String, FlatValue>;

/// What a change of a manifest removes from tests, lints, features and profiles.
pub(crate) fn compare(
    path: &ProjectPath,
    before: Option<&str>,
    after: Option<&str>,
    found: &mut Vec<Violation>,
) {
    let mut report = |rule: Rule, line: u32, detail: String| {
        found.push(Violation { rule, path: path.clone(), line, detail });
    };
    let Some(after) = after else {
        return report(Rule::ManifestWeakened, 1, "the manifest is removed".to_owned());
    };
    let (old, new) = (flat(before.unwrap_or("")), flat(after));
    for (key, value) in &old {
        let now = new.get(key);
        if now.map(|it| &it.text) != Some(&value.text)
            && let Some(rule) = rule_of_old(key, value, now, &new)
        {
            let what = if now.is_some() { "changes" } else { "is removed" };
            report(rule, now.unwrap_or(value).line, format!("`{key}` {what}"));
        }
    }
    for (key, value) in new.iter().filter(|(key, _)| !old.contains_key(*key)) {
        if let Some(rule) = rule_of_new(key, value, before.is_none()) {
            report(rule, value.line, format!("`{key} = {}` is added", value.text));
        }
    }
}

/// The rule that is broken if an existing key is removed or changed.
fn rule_of_old(key: &str, was: &FlatValue, now: Option<&FlatValue>, new: &Keys) -> Option<Rule> {
    let parts: Vec<&str> = key.split('.').collect();
    let last = *parts.last()?;
    if is_lint(&parts) {
        let lowered = now.is_none_or(|it| lint_level(&it.text) < lint_level(&was.text));
        return lowered.then_some(Rule::LintWeakened);
    }
    if let Some(at) = parts.iter().position(|it| matches!(*it, "dev-dependencies")) {
        let name = format!("{}.", parts[..=(at + 1).min(parts.len() - 1)].join("."));
        let is_source = matches!(last, "path" | "git" | "registry" | "package" | "workspace");
        let is_listed = parts.len() == at + 2 && now.is_some();
        let kept = is_listed
            || new.keys().any(|it| it == name.trim_end_matches('.') || it.starts_with(&name));
        return match (kept, is_source) {
            (false, _) => Some(Rule::DevDependencyRemoved),
            (true, true) => Some(Rule::ManifestWeakened),
            (true, false) => None,
        };
    }
    if matches!(parts[0], "features") || key == "workspace.members" {
        let kept = now.is_some_and(|it| {
            let now = list(&it.text);
            list(&was.text).iter().all(|member| now.contains(member))
        });
        return (!kept).then_some(Rule::ManifestWeakened);
    }
    let is_target = is_target(parts[0]);
    let is_switch =
        matches!(last, "test" | "doctest" | "harness" | "path" | "required-features" | "name")
            || last.starts_with("auto");
    // Removing a `false`, or making it `true`, enables more tests.
    let gives_more = was.text == "false" && now.is_none_or(|it| it.text == "true");
    let is_removed_condition = last == "required-features" && now.is_none();
    if (is_target || parts[0] == "package") && is_switch && !gives_more && !is_removed_condition {
        let matters = is_target || last.starts_with("auto");
        return matters.then_some(Rule::ManifestWeakened);
    }
    match (parts[0], last) {
        ("package", "build") => Some(Rule::BuildScriptAdded),
        ("workspace", "exclude" | "default-members") => Some(Rule::ManifestWeakened),
        ("profile", _) => now.and_then(|it| rule_of_profile(last, it)).or_else(|| {
            let was_strict = matches!(last, "debug-assertions" | "overflow-checks")
                && was.text == "true"
                && now.is_none();
            was_strict.then_some(Rule::ManifestWeakened)
        }),
        ("patch" | "replace", _) => Some(Rule::ManifestWeakened),
        _ => None,
    }
}

/// The rule that a new key breaks.
fn rule_of_new(key: &str, value: &FlatValue, is_new_manifest: bool) -> Option<Rule> {
    let parts: Vec<&str> = key.split('.').collect();
    let last = *parts.last()?;
    if is_lint(&parts) {
        let is_level = parts.last() != Some(&"priority") && parts.last() != Some(&"check-cfg");
        let silences = is_level && value.text.contains("allow");
        return (silences && !is_new_manifest).then_some(Rule::LintWeakened);
    }
    if parts.contains(&"dev-dependencies") {
        return (matches!(last, "path" | "package") && parts.len() > 2 && !is_new_manifest)
            .then_some(Rule::ManifestWeakened)
            .filter(|_| last == "package");
    }
    if is_target(parts[0]) {
        let off = matches!(last, "test" | "doctest" | "harness") && value.text == "false";
        let elsewhere = last == "path"
            && parts[0].starts_with("test")
            && !value.text.trim_matches(['"', '\'']).starts_with("tests/");
        let conditional = last == "required-features" && value.text != "[]";
        return (off || elsewhere || conditional).then_some(Rule::ManifestWeakened);
    }
    match (parts[0], last) {
        ("package", _) if last.starts_with("auto") && value.text == "false" => {
            Some(Rule::ManifestWeakened)
        }
        ("package", "build") => Some(Rule::BuildScriptAdded),
        ("profile", _) => rule_of_profile(last, value),
        ("patch" | "replace", _) => Some(Rule::ManifestWeakened),
        ("workspace", "exclude" | "default-members") if !is_new_manifest => {
            Some(Rule::ManifestWeakened)
        }
        _ => None,
    }
}

/// A profile without checks tests something else; `panic = "abort"` ends the harness.
fn rule_of_profile(last: &str, now: &FlatValue) -> Option<Rule> {
    let off = matches!(last, "debug-assertions" | "overflow-checks") && now.text == "false";
    let aborts = last == "panic" && now.text.contains("abort");
    let hides = last == "rustflags";
    (off || aborts || hides).then_some(Rule::ManifestWeakened)
}

fn is_target(table: &str) -> bool {
    table == "lib" || ["test[", "bin[", "example[", "bench["].iter().any(|it| table.starts_with(it))
}

fn is_lint(parts: &[&str]) -> bool {
    parts[0] == "lints" || (parts[0] == "workspace" && parts.get(1) == Some(&"lints"))
}

/// Strictness of a lint level; `lints.workspace = true` counts as one.
fn lint_level(text: &str) -> u8 {
    match text.trim_matches(['"', '\'']) {
        "true" => 1,
        name => level(name),
    }
}

fn list(text: &str) -> Vec<String> {
    let inner = text.trim_start_matches('[').trim_end_matches(']');
    members(inner).into_iter().map(|it| it.trim_matches(['"', '\'']).to_owned()).collect()
}
