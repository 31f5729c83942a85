//! `Cargo.toml` before and after: tests, lints, features, profiles and targets must not be
//! weakened.

use base::{ProjectPath, SortedSet};

use crate::conditions::level;
use crate::dependency_sources::{self, DependencyPart};
use crate::test_names::TestNames;
use crate::toml_text::{TomlData, TomlFault, TomlKey, TomlText, TomlValue};
use crate::{Rule, Violation};

/// A key of a manifest that a change adds, removes or gives another value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyChange {
    /// Parts of the key, decoded.
    pub key: Vec<String>,
    /// String after the change, if it is one.
    pub value: Option<String>,
}

/// The keys of a manifest that differ. A `[workspace]` table that comes or goes is the key `workspace`.
///
/// # Errors
/// A text after the change that does not parse.
pub fn changed_keys(before: &str, after: &str) -> Result<Vec<KeyChange>, TomlFault> {
    let (old, new) = (TomlText::of_broken(before), TomlText::parse(after)?);
    let mut found = Vec::new();
    let table = ["workspace".to_owned()];
    if old.has(&table) != new.has(&table) {
        found.push(KeyChange { key: table.to_vec(), value: None });
    }
    let is_same = |a: Option<&TomlValue>, b: &TomlValue| a.is_some_and(|it| it.data == b.data);
    for (key, value) in new.iter().filter(|(key, it)| !is_same(old.get(key), it)) {
        let value = value.data.as_text().map(str::to_owned);
        found.push(KeyChange { key: key.parts().to_vec(), value });
    }
    for (key, _) in old.iter().filter(|(key, _)| new.get(key).is_none()) {
        found.push(KeyChange { key: key.parts().to_vec(), value: None });
    }
    Ok(found)
}

/// What a change of a manifest removes from tests, lints, features and profiles.
pub(crate) fn compare(
    path: &ProjectPath,
    before: Option<&str>,
    after: Option<&str>,
    names: &TestNames,
    found: &mut Vec<Violation>,
) {
    let mut report = |rule: Rule, line: u32, detail: String| {
        found.push(Violation { rule, path: path.clone(), line, detail, is_cfg_test: false });
    };
    let Some(after) = after else {
        return report(Rule::ManifestWeakened, 1, "the manifest is removed".to_owned());
    };
    let new = match TomlText::parse(after) {
        Ok(new) => new,
        Err(fault) => {
            let detail = format!("the manifest does not parse: {}", fault.reason);
            return report(Rule::ManifestWeakened, fault.line, detail);
        }
    };
    let old = TomlText::of_broken(before.unwrap_or(""));
    for (key, value) in old.iter() {
        let now = new.get(key);
        if now.map(|it| &it.data) != Some(&value.data)
            && let Some(rule) = rule_of_old(key, value, now, &new)
        {
            let what = if now.is_some() { "changes" } else { "is removed" };
            report(rule, now.unwrap_or(value).line, format!("`{key}` {what}"));
        }
    }
    for it in dependency_sources::changed(&old, &new) {
        let is_for_tests = it.table.ends_with("dev-dependencies") && !it.is_new;
        if !is_for_tests && !it.in_paths().iter().any(|it| names.crates.contains(it)) {
            continue;
        }
        let (rule, what) = match it.part {
            DependencyPart::Source => (Rule::ManifestWeakened, "comes from another place"),
            DependencyPart::Settings => {
                (Rule::DependencyChanged, "is set otherwise, and tests name it")
            }
        };
        report(rule, it.line, format!("`{}.{}` {what}", it.table, it.name));
    }
    for name in new_default_features(&old, &new).filter(|_| before.is_some()) {
        let detail = format!("the feature `{name}` is on by default");
        report(Rule::ManifestWeakened, 1, detail);
    }
    for (line, detail) in wider_features(&old, &new) {
        report(Rule::ManifestWeakened, line, detail);
    }
    for it in dependency_sources::of_compiler(&old, &new) {
        let detail = format!("`{}.{}` has the name of a crate of the compiler", it.table, it.name);
        report(Rule::ManifestWeakened, it.line, detail);
    }
    for (key, value) in new.iter().filter(|(key, _)| old.get(key).is_none()) {
        if let Some(rule) = rule_of_new(key, value, before.is_none()) {
            report(rule, value.line, format!("`{key} = {}` is added", value.data));
        }
    }
}

/// The features that are on by default after a change and were not before: code and tests may be off with
/// them.
fn new_default_features(old: &TomlText, new: &TomlText) -> impl Iterator<Item = String> {
    let before = default_features(old);
    default_features(new).into_iter().filter(move |it| !before.contains(it))
}

/// The features that were there and turn more on, of this package or of a dependency: code that tests reach by
/// them is other code then. An optional dependency alone is none, nor is a feature that only has another name.
fn wider_features(old: &TomlText, new: &TomlText) -> Vec<(u32, String)> {
    let mut found = Vec::new();
    for (key, now) in new.iter() {
        let [table, name] = key.parts() else { continue };
        let Some(was) = old.get(key).filter(|_| table == "features" && name != "default") else {
            continue;
        };
        let (was, now_on) = (was.data.members(), now.data.members());
        let has = |text: &TomlText, name: &str| text.value(&["features", name]).is_some();
        let mut gone = was.iter().filter(|it| !now_on.contains(it)).filter_map(|it| it.as_text());
        let has_lost_name = gone.any(|it| !has(new, it));
        let members = now_on.iter().filter(|it| !was.contains(it));
        let texts = members.filter_map(|it| it.as_text()).filter(|it| !it.starts_with("dep:"));
        let is_renamed = |it: &str| has_lost_name && has(new, it) && !has(old, it);
        for added in texts.filter(|it| !is_renamed(it)) {
            found.push((now.line, format!("the feature `{added}` is on with `{name}`")));
        }
    }
    found
}

fn default_features(text: &TomlText) -> SortedSet<String> {
    let members = |name: &str| -> Vec<String> {
        let all = text.iter().filter(
            |(key, _)| matches!(key.parts(), [table, own] if table == "features" && own == name),
        );
        let all = all.flat_map(|(_, it)| it.data.members());
        // An optional dependency is no feature.
        let all = all.filter_map(|it| it.as_text()).filter(|it| !it.starts_with("dep:"));
        all.map(str::to_owned).collect()
    };
    let mut found = SortedSet::new();
    let mut open = members("default");
    while let Some(name) = open.pop() {
        if found.insert(name.clone()) {
            open.extend(members(&name));
        }
    }
    found
}

/// The rule that is broken if an existing key is removed or changed.
fn rule_of_old(
    key: &TomlKey,
    was: &TomlValue,
    now: Option<&TomlValue>,
    new: &TomlText,
) -> Option<Rule> {
    let parts: Vec<&str> = key.parts().iter().map(String::as_str).collect();
    let last = *parts.last()?;
    if is_lint(&parts) && last == "priority" {
        // Another order of groups and lints: what wins is not looked at.
        return Some(Rule::LintWeakened);
    }
    if is_lint(&parts) {
        let lowered = now.is_none_or(|it| lint_level(&it.data) < lint_level(&was.data));
        return lowered.then_some(Rule::LintWeakened);
    }
    if let Some(at) = parts.iter().position(|it| matches!(*it, "dev-dependencies")) {
        let name = &key.parts()[..=(at + 1).min(parts.len() - 1)];
        let is_source = matches!(last, "path" | "git" | "registry" | "package" | "workspace");
        let is_empty = parts.len() == at + 1;
        return match (is_empty || new.has(name), is_source) {
            (false, _) => Some(Rule::DevDependencyRemoved),
            (true, true) => Some(Rule::ManifestWeakened),
            (true, false) => None,
        };
    }
    if parts[0] == "features" || parts == ["workspace", "members"] {
        let kept = now.is_some_and(|it| {
            was.data.members().iter().all(|member| it.data.members().contains(member))
        });
        return (!kept && !is_empty(was)).then_some(Rule::ManifestWeakened);
    }
    let is_target = is_target(parts[0]);
    let is_switch =
        matches!(last, "test" | "doctest" | "harness" | "path" | "required-features" | "name")
            || last.starts_with("auto");
    // Removing a `false`, or making it `true`, enables more tests.
    let gives_more = is_flag(was, false) && now.is_none_or(|it| is_flag(it, true));
    let is_removed_condition = last == "required-features" && now.is_none();
    if (is_target || parts[0] == "package") && is_switch && !gives_more && !is_removed_condition {
        let matters = is_target || last.starts_with("auto");
        return matters.then_some(Rule::ManifestWeakened);
    }

    if last == "edition" && matches!(parts[0], "package" | "workspace") {
        let edition = |it: &TomlValue| it.data.as_text().and_then(|it| it.parse::<u32>().ok());
        let is_raised = edition(was).zip(now.and_then(edition)).is_some_and(|it| it.1 > it.0);
        return (!is_raised).then_some(Rule::ManifestWeakened);
    }
    match (parts[0], last) {
        ("package", "build") => Some(Rule::BuildScriptAdded),
        ("workspace", "exclude" | "default-members") => Some(Rule::ManifestWeakened),
        ("profile", _) => now.and_then(|it| rule_of_profile(last, it)).or_else(|| {
            let was_strict = matches!(last, "debug-assertions" | "overflow-checks")
                && is_flag(was, true)
                && now.is_none();
            was_strict.then_some(Rule::ManifestWeakened)
        }),
        ("patch" | "replace", _) => Some(Rule::ManifestWeakened),
        _ => None,
    }
}

/// Tables of a manifest whose keys are compared. Cargo reads others too: `[project]` as `[package]`.
const TABLES: &[&str] = &[
    "badges",
    "bench",
    "bin",
    "build-dependencies",
    "cargo-features",
    "dependencies",
    "dev-dependencies",
    "example",
    "features",
    "hints",
    "lib",
    "lints",
    "package",
    "patch",
    "profile",
    "replace",
    "target",
    "test",
    "workspace",
];

/// Whether a key is in a table that cargo reads under another name than the rules know.
fn is_unknown(parts: &[&str]) -> bool {
    const OTHER_SPELLINGS: [&str; 2] = ["dev_dependencies", "build_dependencies"];
    let table = parts[0].split('[').next().unwrap_or("");
    !TABLES.contains(&table) || parts.iter().any(|it| OTHER_SPELLINGS.contains(it))
}

/// The rule that a new key breaks.
fn rule_of_new(key: &TomlKey, value: &TomlValue, is_new_manifest: bool) -> Option<Rule> {
    let parts: Vec<&str> = key.parts().iter().map(String::as_str).collect();
    let last = *parts.last()?;
    if is_unknown(&parts) {
        return Some(Rule::ManifestWeakened);
    }
    if is_lint(&parts) {
        let is_level = last != "check-cfg";
        // Lints that are errors by themselves are weaker as warnings.
        let silences = last == "priority"
            || is_level && matches!(value.data.as_text(), Some("allow" | "warn"));
        return (silences && !is_new_manifest).then_some(Rule::LintWeakened);
    }
    if parts.contains(&"dev-dependencies") {
        return (last == "package" && parts.len() > 2 && !is_new_manifest)
            .then_some(Rule::ManifestWeakened);
    }
    if is_target(parts[0]) {
        let off = matches!(last, "test" | "doctest" | "harness") && is_flag(value, false);
        // A target at its usual place needs no path; another one takes the place of the tests there.
        let file = value.data.as_text().unwrap_or_default();
        let is_usual = match parts[0].split('[').next().unwrap_or_default() {
            "lib" => file == "src/lib.rs",
            // Cargo finds no other file of that name any more.
            "bin" | "test" => false,
            _ => true,
        };
        let elsewhere = last == "path" && !is_usual && !is_new_manifest;
        let conditional = last == "required-features" && !is_empty(value);
        return (off || elsewhere || conditional).then_some(Rule::ManifestWeakened);
    }
    match (parts[0], last) {
        ("package", _) if last.starts_with("auto") && is_flag(value, false) => {
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
fn rule_of_profile(last: &str, now: &TomlValue) -> Option<Rule> {
    let off = matches!(last, "debug-assertions" | "overflow-checks") && is_flag(now, false);
    let aborts = last == "panic" && now.data.as_text().is_some_and(|it| it.contains("abort"));
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
fn lint_level(value: &TomlData) -> u8 {
    match value {
        TomlData::Flag(true) => 1,
        value => value.as_text().map_or(0, level),
    }
}

fn is_flag(value: &TomlValue, flag: bool) -> bool {
    value.data == TomlData::Flag(flag)
}

fn is_empty(value: &TomlValue) -> bool {
    match &value.data {
        TomlData::List(members) => members.is_empty(),
        TomlData::Table(_) => true,
        _ => false,
    }
}
