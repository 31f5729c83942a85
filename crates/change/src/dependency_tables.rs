//! Entries of a manifest for the table of another kind of code.

use toml_edit::{DocumentMut, Item, Table};

use crate::manifest::package_name;

/// The kinds of code that have tables of dependencies of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum DependentCode {
    /// Libraries and programs.
    Product,
    /// Tests, examples and benches.
    Tests,
    /// The build script.
    BuildScript,
}

impl DependentCode {
    /// Name of its own table.
    pub fn table(self) -> &'static str {
        match self {
            Self::Product => "dependencies",
            Self::Tests => "dev-dependencies",
            Self::BuildScript => "build-dependencies",
        }
    }
}

/// The manifest with the entry of the crate `name` in the table of `code` as well, as another table has it, and the
/// name of that table. `None` if the code has the dependency, no table has it, or two of them differ.
pub fn with_dependency_of_other(
    manifest: &str,
    name: &str,
    code: DependentCode,
) -> Option<(String, &'static str)> {
    let mut document: DocumentMut = manifest.parse().ok()?;
    let root = document.as_table_mut();
    let is_it = |key: &str| key.replace('-', "_") == name;
    let entry_of = |table: &str| {
        let entries = root.get(table)?.as_table_like()?;
        let (key, entry) = entries.iter().find(|it| is_it(it.0))?;
        Some((key.to_owned(), entry.clone()))
    };
    let has = |it: DependentCode| entry_of(it.table()).is_some();
    if has(code) || code == DependentCode::Tests && has(DependentCode::Product) {
        return None;
    }
    let tables = [DependentCode::Product, DependentCode::BuildScript, DependentCode::Tests];
    let mut others = tables.iter().filter_map(|it| Some((it.table(), entry_of(it.table())?)));
    let (from, (key, entry)) = others.next()?;
    let requirement = |key: &str, it: &Item| {
        let version = it.as_str().or_else(|| it.as_table_like()?.get("version")?.as_str());
        (package_name(key, it).to_owned(), version.map(str::to_owned))
    };
    if others.any(|(_, (k, it))| requirement(&k, &it) != requirement(&key, &entry)) {
        return None;
    }
    insert(root, code.table(), &key, required(entry));
    Some((document.to_string(), from))
}

/// The entry without `optional`, which only a product's dependency may be.
fn required(mut entry: Item) -> Item {
    let is_optional = entry.as_table_like_mut().is_some_and(|it| it.remove("optional").is_some());
    if let Some(table) = entry.as_inline_table_mut().filter(|_| is_optional) {
        table.fmt();
    }
    // One that was the first of the manifest has no blank line before it.
    if let Some(table) = entry.as_table_mut() {
        table.decor_mut().set_prefix("\n");
    }
    entry
}

/// Adds an entry to a table of the manifest: in its order where that is sorted, else at the end.
fn insert(root: &mut Table, name: &str, key: &str, entry: Item) {
    let is_new = !root.contains_key(name);
    let mut new = Table::new();
    new.set_implicit(entry.is_table());
    let table = root.entry(name).or_insert(Item::Table(new));
    let Some(entries) = table.as_table_like_mut() else { return };
    let keys: Vec<String> = entries.iter().map(|it| it.0.to_owned()).collect();
    entries.insert(key, entry);
    if !is_new && keys.is_sorted() {
        entries.sort_values();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_other(manifest: &str, name: &str, code: DependentCode) -> Option<String> {
        with_dependency_of_other(manifest, name, code).map(|it| it.0)
    }

    #[test]
    fn a_dependency_of_other_code_is_added_as_it_is() {
        let before = "[dependencies]\na = \"1\"\nc = \"1\"\n\n[dev-dependencies]\nb-x = { version = \"2\", features = [\"f\"] }\n";
        let product = before.replace("c =", "b-x = { version = \"2\", features = [\"f\"] }\nc =");
        assert_eq!(of_other(before, "b_x", DependentCode::Product), Some(product));
        let script = format!("{before}\n[build-dependencies]\na = \"1\"\n");
        assert_eq!(of_other(before, "a", DependentCode::BuildScript), Some(script));
        assert_eq!(of_other(before, "a", DependentCode::Tests), None);
        assert_eq!(of_other(before, "a", DependentCode::Product), None);
        assert_eq!(of_other(before, "d", DependentCode::Product), None);
    }

    #[test]
    fn a_table_of_its_own_stays_one() {
        let before = "[dev-dependencies.quote]\nversion = \"1\"\n";
        let after = format!("{before}\n[build-dependencies.quote]\nversion = \"1\"\n");
        let found = of_other(before, "quote", DependentCode::BuildScript).unwrap();
        assert_eq!(found.trim_start(), after);
    }

    #[test]
    fn an_optional_dependency_is_required_elsewhere_and_two_versions_are_a_choice() {
        let optional = "[dependencies]\na = { version = \"1\", optional = true }\n";
        let with = format!("{optional}\n[build-dependencies]\na = {{ version = \"1\" }}\n");
        assert_eq!(of_other(optional, "a", DependentCode::BuildScript), Some(with));
        let two = "[dependencies]\na = \"1\"\n\n[dev-dependencies]\na = \"2\"\n";
        assert_eq!(of_other(two, "a", DependentCode::BuildScript), None);
    }
}
