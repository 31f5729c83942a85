//! Where the dependencies of a manifest come from: another source is another crate under the name that tests
//! use.

use std::collections::{BTreeMap, BTreeSet};

use crate::toml_text::TomlText;

/// Keys of a dependency that name its source.
const SOURCE: &[&str] = &[
    "base",
    "branch",
    "git",
    "package",
    "path",
    "registry",
    "registry-index",
    "rev",
    "tag",
    "workspace",
];
/// Tables of dependencies.
const TABLES: &[&str] = &["build-dependencies", "dependencies", "dev-dependencies"];

/// The source of a dependency: its keys with their values; none of them: the default registry.
type Source = BTreeSet<(String, String)>;

/// A dependency that has another source.
pub(crate) struct MovedDependency {
    /// Its table: `target.cfg(unix).dev-dependencies`.
    pub(crate) table: String,
    /// Its name in the manifest.
    pub(crate) name: String,
    /// Line of its source.
    pub(crate) line: u32,
}

/// The dependencies that have another source after a change: those of which the same
/// table, or another one for the same name, had it from elsewhere. A name in no table before is a new one.
pub(crate) fn changed(old: &TomlText, new: &TomlText) -> Vec<MovedDependency> {
    let (before, after) = (sources(old), sources(new));
    let of_name: BTreeMap<&str, Vec<&Source>> =
        before.iter().fold(BTreeMap::new(), |mut all, ((_, name), it)| {
            all.entry(name.as_str()).or_insert_with(Vec::new).push(&it.0);
            all
        });
    let mut found = Vec::new();
    for ((table, name), (source, line)) in &after {
        let same = match before.get(&(table.clone(), name.clone())) {
            Some((was, _)) => was == source,
            None => of_name.get(name.as_str()).is_none_or(|all| all.contains(&source)),
        };
        if !same {
            found.push(MovedDependency { table: table.clone(), name: name.clone(), line: *line });
        }
    }
    found
}

/// The sources by table and name, with a line of each.
fn sources(text: &TomlText) -> BTreeMap<(String, String), (Source, u32)> {
    let mut found: BTreeMap<(String, String), (Source, u32)> = BTreeMap::new();
    for (key, value) in text.iter() {
        let parts = key.parts();
        let table = parts.iter().position(|it| TABLES.contains(&it.as_str()));
        let Some((at, name)) = table.and_then(|at| Some((at, parts.get(at + 1)?))) else {
            continue;
        };
        let entry = (parts[..=at].join("."), name.clone());
        let of = found.entry(entry).or_insert_with(|| (Source::new(), value.line));
        if let Some(last) = parts.get(at + 2).filter(|it| SOURCE.contains(&it.as_str())) {
            of.0.insert((last.clone(), value.data.to_string()));
            of.1 = value.line;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dependency_keeps_its_source() {
        let changed = |before: &str, after: &str| {
            let (old, new) = (TomlText::of_broken(before), TomlText::parse(after).unwrap());
            let found = super::changed(&old, &new).into_iter();
            let shown = found.map(|it| format!("{}.{}:{}", it.table, it.name, it.line));
            shown.collect::<Vec<_>>().join(" ")
        };
        let kit = "[dev-dependencies]\nkit = \"0.1\"\n";
        for (before, after, expected) in [
            (
                kit,
                "[dev-dependencies]\nkit = { version = \"0.1\", path = \"e\" }\n",
                "dev-dependencies.kit:2",
            ),
            (kit, "[dev-dependencies]\nkit = \"0.2\"\nother = { path = \"e\" }\n", ""),
            (kit, "[dev-dependencies]\nkit = { version = \"0.1\", features = [\"a\"] }\n", ""),
            (kit, "[dev-dependencies]\nkit = { workspace = true }\n", "dev-dependencies.kit:2"),
            (
                "[workspace.dependencies]\nkit.path = \"a\"\n",
                "[workspace.dependencies]\nkit.path = \"b\"\n",
                "workspace.dependencies.kit:2",
            ),
            (
                "[dependencies]\nkit = \"1\"\n",
                "[dependencies]\nkit = \"1\"\n[target.'cfg(unix)'.dev-dependencies.kit]\ngit = \"g\"\n",
                "target.cfg(unix).dev-dependencies.kit:4",
            ),
            (
                "[dependencies]\nkit = { path = \"a\" }\n",
                "[dependencies]\nkit = { path = \"a\" }\n[build-dependencies]\nkit = { path = \"a\", features = [] }\n",
                "",
            ),
            (
                "[dependencies]\nkit = { git = \"g\", rev = \"1\" }\n",
                "[dependencies]\nkit = { git = \"g\", rev = \"2\" }\n",
                "dependencies.kit:2",
            ),
        ] {
            assert_eq!(changed(before, after), expected, "{before} => {after}");
        }
    }
}
