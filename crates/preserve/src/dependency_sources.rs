//! Where the dependencies of a manifest come from, and how they are set: another source, version or feature is
//! other code under the name that tests use.

use base::{SortedMap, SortedSet};

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

/// The settings of a dependency that are no source, as keys with their values.
type Settings = SortedSet<(String, String)>;
/// The source of a dependency: its keys with their values; none of them: the default registry.
type Source = SortedSet<(String, String)>;

/// Part of a dependency that a change affects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DependencyPart {
    /// Its source: other code under its name.
    Source,
    /// Its version, features and whether it is optional: other behaviour under its name.
    Settings,
}

/// A dependency that has another source or other settings.
pub(crate) struct ChangedDependency {
    /// Its table: `target.cfg(unix).dev-dependencies`.
    pub(crate) table: String,
    /// Its name in the manifest.
    pub(crate) name: String,
    /// Its package.
    pub(crate) package: String,
    /// The changed part.
    pub(crate) part: DependencyPart,
    /// Whether no table of the manifest had it before.
    pub(crate) is_new: bool,
    /// Line, from 1.
    pub(crate) line: u32,
}

impl ChangedDependency {
    /// Its names in paths: here, and where another manifest has its package.
    pub(crate) fn in_paths(&self) -> [String; 2] {
        [&self.name, &self.package].map(|it| it.replace('-', "_"))
    }
}

/// One entry of a table of dependencies.
#[derive(Default)]
struct Entry {
    source: Source,
    settings: Settings,
    /// Its package, if that has another name.
    package: Option<String>,
    line: u32,
}

impl Entry {
    fn package<'a>(&'a self, name: &'a str) -> &'a str {
        self.package.as_deref().unwrap_or(name)
    }
}

/// The dependencies that have another source or other settings after a change. Of an entry that is new in its
/// table, the source is compared with those of the other tables, and features count as other settings: cargo
/// builds one crate with those of all entries. The caller leaves out names that no tests have.
pub(crate) fn changed(old: &TomlText, new: &TomlText) -> Vec<ChangedDependency> {
    let (before, after) = (entries(old), entries(new));
    let mut of_name: SortedMap<&str, Vec<&Source>> = SortedMap::new();
    for ((_, name), it) in &before {
        of_name.entry(name).or_default().push(&it.source);
    }
    let mut found = Vec::new();
    let mut add = |(table, name): &(String, String), it: &Entry, part, line| {
        let is_new = !of_name.contains_key(name.as_str());
        let package = it.package(name).to_owned();
        let (table, name) = (table.clone(), name.clone());
        found.push(ChangedDependency { table, name, package, part, is_new, line });
    };
    for (key, now) in &after {
        let (is_same_source, is_same) = match before.get(key) {
            Some(was) => (was.source == now.source, was.settings == now.settings),
            None => (
                of_name.get(key.1.as_str()).is_none_or(|all| all.contains(&&now.source)),
                now.settings.iter().all(|it| it.0 != "features" || it.1 == "[]"),
            ),
        };
        if !is_same_source {
            add(key, now, DependencyPart::Source, now.line);
        } else if !is_same {
            add(key, now, DependencyPart::Settings, now.line);
        }
    }
    // One that goes may have been the only one with a feature.
    for (key, was) in before.iter().filter(|it| !after.contains_key(it.0)) {
        let package = was.package(&key.1);
        if after.iter().any(|(other, it)| other.1 == key.1 || it.package(&other.1) == package) {
            add(key, was, DependencyPart::Settings, 1);
        }
    }
    found
}

/// The new dependencies with the name of a crate that paths begin with without a manifest.
pub(crate) fn of_compiler(old: &TomlText, new: &TomlText) -> Vec<ChangedDependency> {
    const NAMES: [&str; 5] = ["alloc", "core", "proc_macro", "std", "test"];
    let before = entries(old);
    let is_new = |key: &(String, String)| !before.contains_key(key);
    let found = entries(new).into_iter().filter(|it| is_new(&it.0)).map(|((table, name), it)| {
        let (part, package) = (DependencyPart::Source, it.package(&name).to_owned());
        ChangedDependency { table, name, package, part, is_new: true, line: it.line }
    });
    found.filter(|it| NAMES.contains(&it.in_paths()[0].as_str())).collect()
}

/// The entries by table and name.
fn entries(text: &TomlText) -> SortedMap<(String, String), Entry> {
    let mut found: SortedMap<(String, String), Entry> = SortedMap::new();
    for (key, value) in text.iter() {
        let parts = key.parts();
        let table = parts.iter().position(|it| TABLES.contains(&it.as_str()));
        let Some((at, name)) = table.and_then(|at| Some((at, parts.get(at + 1)?))) else {
            continue;
        };
        let of = found.entry((parts[..=at].join("."), name.clone())).or_default();
        let last = parts.get(at + 2).map_or("version", String::as_str);
        if last == "package" {
            of.package = value.data.as_text().map(str::to_owned);
        }
        let setting = (last.replace('_', "-"), value.data.to_string());
        match SOURCE.contains(&last) {
            true => of.source.insert(setting),
            false => of.settings.insert(setting),
        };
        of.line = value.line;
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
            let shown = found.map(|it| {
                let part = if it.part == DependencyPart::Source { "" } else { "?" };
                format!("{}.{}{part}:{}", it.table, it.name, it.line)
            });
            shown.collect::<Vec<_>>().join(" ")
        };
        let kit = "[dev-dependencies]\nkit = \"0.1\"\n";
        for (before, after, expected) in [
            (
                kit,
                "[dev-dependencies]\nkit = { version = \"0.1\", path = \"e\" }\n",
                "dev-dependencies.kit:2",
            ),
            (
                kit,
                "[dev-dependencies]\nkit = \"0.2\"\nother = { path = \"e\" }\n",
                "dev-dependencies.kit?:2",
            ),
            (
                kit,
                "[dev-dependencies]\nkit = { version = \"0.1\", features = [\"a\"] }\n",
                "dev-dependencies.kit?:2",
            ),
            (kit, "[dev-dependencies]\nkit = { version = \"0.1\" }\n", ""),
            (
                kit,
                "[dev-dependencies]\nkit.version = \"0.1\"\nkit.default_features = false\n",
                "dev-dependencies.kit?:2",
            ),
            (
                kit,
                "[dev-dependencies]\nkit = \"0.1\"\n[target.'cfg(all())'.dependencies]\nkit = { version = \"0.1\", features = [\"a\"] }\n",
                "target.cfg(all()).dependencies.kit?:4",
            ),
            (
                "[dependencies]\nkit = { version = \"1\", features = [\"a\"] }\n[dev-dependencies]\nkit = \"1\"\n",
                "[dev-dependencies]\nkit = \"1\"\n",
                "dependencies.kit?:1",
            ),
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

    #[test]
    fn no_dependency_takes_the_name_of_a_crate_of_the_compiler() {
        let found = |before: &str, after: &str| {
            let (old, new) = (TomlText::of_broken(before), TomlText::parse(after).unwrap());
            of_compiler(&old, &new).len()
        };
        let core = "[dependencies]\ncore = { package = \"x\", path = \"x\" }\n";
        assert_eq!(found("", core), 1);
        assert_eq!(found(core, core), 0);
        assert_eq!(found("", "[dev-dependencies]\nproc-macro = \"1\"\ncore2 = \"1\"\n"), 1);
    }
}
