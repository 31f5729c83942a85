//! Features of dependencies that the manifests of the last good state enable and the present ones do not.

use base::{ProjectPath, SortedSet};
use toml_edit::{DocumentMut, Item, TableLike};

use crate::Difference;
use crate::manifest::{is_inherited, package_name, tables_of};

/// A dependency with fewer features than at the last good state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LostFeatures {
    /// The manifest.
    pub manifest: ProjectPath,
    /// The package.
    pub package: String,
    /// The features that are not enabled any more; `default` for those of the default.
    pub features: Vec<String>,
    /// The text of the present manifest with the entry of the last good state.
    pub restored: String,
}

/// The dependencies that a difference has taken features from and left as they are otherwise, by manifest
/// and table.
pub fn lost_features(difference: &Difference) -> Vec<LostFeatures> {
    let mut found = Vec::new();
    for (manifest, sides) in difference.manifests() {
        let (Some(base), Some(now)) = (&sides.base, &sides.now) else { continue };
        found.extend(lost_in(manifest, base, now));
    }
    found
}

fn lost_in(manifest: &ProjectPath, base: &str, now: &str) -> Vec<LostFeatures> {
    let (Ok(mut base), Ok(present)) = (base.parse(), now.parse::<DocumentMut>()) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for (table, entries) in entries(&mut base) {
        for (key, before) in entries {
            let mut document = present.clone();
            let Some(entry) = entry_of(&mut document, &table, &key) else { continue };
            let (had, has) = (features(&before), features(entry));
            let features: Vec<String> = had.difference(&has).cloned().collect();
            if features.is_empty() || is_inherited(&before) || rest(&before) != rest(entry) {
                continue;
            }
            let package = package_name(&key, &before).to_owned();
            *entry = before;
            let (manifest, restored) = (manifest.clone(), document.to_string());
            found.push(LostFeatures { manifest, package, features, restored });
        }
    }
    found
}

/// The path of a table of dependencies, and its entries by key.
type Entries = (Vec<String>, Vec<(String, Item)>);

fn entries(document: &mut DocumentMut) -> Vec<Entries> {
    let mut found = Vec::new();
    for path in tables_of(document) {
        let Some(table) = table_at(document, &path) else { continue };
        let own = table.iter().map(|(key, entry)| (key.to_owned(), entry.clone())).collect();
        found.push((path, own));
    }
    found
}

fn table_at<'d>(document: &'d mut DocumentMut, path: &[String]) -> Option<&'d mut dyn TableLike> {
    let mut item = document.as_item_mut();
    for key in path {
        item = item.as_table_like_mut()?.get_mut(key)?;
    }
    item.as_table_like_mut()
}

fn entry_of<'d>(document: &'d mut DocumentMut, path: &[String], key: &str) -> Option<&'d mut Item> {
    table_at(document, path)?.get_mut(key)
}

/// The features that an entry enables, `default` included.
fn features(entry: &Item) -> SortedSet<String> {
    let get = |key: &str| entry.as_table_like().and_then(|it| it.get(key));
    let list = get("features").and_then(Item::as_array);
    let names = list.into_iter().flatten().filter_map(|it| it.as_str()).map(str::to_owned);
    let is_default = get("default-features").and_then(Item::as_bool) != Some(false);
    names.chain(is_default.then(|| "default".to_owned())).collect()
}

/// The parts of an entry that do not enable features, by key.
fn rest(entry: &Item) -> Vec<(String, String)> {
    if let Some(version) = entry.as_str() {
        return vec![("version".to_owned(), version.to_owned())];
    }
    let table = entry.as_table_like().into_iter().flat_map(TableLike::iter);
    let others = table.filter(|it| !matches!(it.0, "features" | "default-features"));
    let mut found: Vec<(String, String)> = others
        .map(|(key, value)| {
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            (key.to_owned(), text.trim().to_owned())
        })
        .collect();
    found.sort();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(base: &str, now: &str, expected: &[(&str, &[&str])]) {
        let path = ProjectPath::new("Cargo.toml").unwrap();
        let found = lost_in(&path, base, now);
        let names: Vec<(&str, Vec<&str>)> = found
            .iter()
            .map(|it| (it.package.as_str(), it.features.iter().map(String::as_str).collect()))
            .collect();
        let expected: Vec<(&str, Vec<&str>)> =
            expected.iter().map(|it| (it.0, it.1.to_vec())).collect();
        assert_eq!(names, expected, "{now}");
        if let [only] = found.as_slice() {
            assert_eq!(only.restored, base);
        }
    }

    #[test]
    fn the_entry_of_the_last_good_state_is_restored_where_only_its_features_differ() {
        let base = "[dependencies] # all\na = { version = \"1\", features = [\"x\", \"y\"] } # why\nb = \"2\"\n";
        let now = |entry: &str| format!("[dependencies] # all\n{entry} # why\nb = \"2\"\n");
        check(base, &now("a = \"1\""), &[("a", &["x", "y"])]);
        check(base, &now("a = { version = \"1\", features = [\"y\"] }"), &[("a", &["x"])]);
        check(base, &now("a = { version = \"1\", features = [\"y\", \"x\"] }"), &[]);
        check(base, &now("a = \"2\""), &[]);
        check(base, "[dependencies]\nb = \"2\"\n", &[]);
        check(base, "[", &[]);
    }

    #[test]
    fn default_features_and_tables_of_other_kinds_count() {
        let base = "[dev-dependencies.a]\npackage = \"real\"\nversion = \"1\"\n";
        let now =
            "[dev-dependencies.a]\npackage = \"real\"\nversion = \"1\"\ndefault-features = false\n";
        check(base, now, &[("real", &["default"])]);
        let base =
            "[target.'cfg(unix)'.dependencies]\na = { version = \"1\", features = [\"x\"] }\n";
        let now = "[target.'cfg(unix)'.dependencies]\na = { version = \"1\" }\n";
        check(base, now, &[("a", &["x"])]);
        let base = "[workspace.dependencies]\na = { path = \"a\", features = [\"x\"] }\n";
        check(base, "[workspace.dependencies]\na = { path = \"a\" }\n", &[("a", &["x"])]);
    }
}
