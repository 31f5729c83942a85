//! Edits of manifests: the version that is required of a dependency, and its features.

use toml_edit::{Array, DocumentMut, InlineTable, Item, TableLike, Value};

/// The result of a changed requirement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Requirement {
    /// The new text of the manifest.
    Changed(String),
    /// No entry of the manifest names the package.
    Absent,
    /// An entry names it with a path or a git repository, and not with a version.
    NotRegistry,
    /// The manifest is not valid TOML.
    Invalid(String),
}

/// The manifest with `requirement` as the version of each entry for `package`; the rest of the text
/// stays as it is.
pub fn with_requirement(manifest: &str, package: &str, requirement: &str) -> Requirement {
    let mut document: DocumentMut = match manifest.parse() {
        Ok(document) => document,
        Err(error) => return Requirement::Invalid(error.to_string()),
    };
    let (mut count, mut others) = (0, 0);
    each_entry(&mut document, package, &mut |entry| {
        if is_inherited(entry) {
            return;
        }
        match version_of(entry) {
            Some(value) => {
                let decor = value.decor().clone();
                *value = Value::from(requirement);
                *value.decor_mut() = decor;
                count += 1;
            }
            None => others += 1,
        }
    });
    match (count, others) {
        (0, 0) => Requirement::Absent,
        (0, _) => Requirement::NotRegistry,
        _ => Requirement::Changed(document.to_string()),
    }
}

/// The manifest with a feature of `package` enabled; `None` if no entry names it, or it is enabled. Only
/// where no dependency of the code itself is `package`, those of tests and build scripts get it: they are
/// built with the features of the first. What only tests need (`is_for_tests`) is a feature of the
/// dev-dependency, if there is one.
pub fn with_feature(
    manifest: &str,
    (package, feature): (&str, &str),
    is_for_tests: bool,
) -> Option<String> {
    let mut document: DocumentMut = manifest.parse().ok()?;
    let mut has_entry = |tables: &[&str]| {
        let mut entries = 0;
        each_entry_of(tables, &mut document, package, &mut |_| entries += 1);
        entries > 0
    };
    let tables: &[&str] = if is_for_tests && has_entry(&DEV_TABLES) {
        &DEV_TABLES
    } else if has_entry(&CODE_TABLES) {
        &CODE_TABLES
    } else {
        &TABLES
    };
    let mut count = 0;
    each_entry_of(tables, &mut document, package, &mut |entry| {
        if let Some(version) = entry.as_str().map(str::to_owned) {
            let mut table = InlineTable::new();
            table.insert("version", version.into());
            table.insert("features", Value::Array(Array::from_iter([feature])));
            let decor = entry.as_value().map(|it| it.decor().clone());
            let mut value = Value::InlineTable(table);
            if let Some(decor) = decor {
                *value.decor_mut() = decor;
            }
            *entry = Item::Value(value);
            count += 1;
        } else if let Some(table) = entry.as_table_like_mut() {
            let list = table.entry("features").or_insert(Item::Value(Value::Array(Array::new())));
            let Some(list) = list.as_array_mut() else { return };
            if !list.iter().any(|it| it.as_str() == Some(feature)) {
                let is_first = list.is_empty();
                push(list, feature);
                count += 1;
                if let Some(table) = entry.as_inline_table_mut().filter(|_| is_first) {
                    table.fmt();
                }
            }
        }
    });
    (count > 0).then(|| document.to_string())
}

/// Adds a text to a list, on a line of its own where the last one is.
fn push(list: &mut Array, text: &str) {
    let line = list.iter().last().and_then(|it| it.decor().prefix()?.as_str().map(str::to_owned));
    match line.filter(|it| it.contains('\n')) {
        Some(line) => list.push_formatted(Value::from(text).decorated(line, "")),
        None => list.push(text),
    }
}

/// The manifest without a feature of `package`; `None` if no entry enables it.
pub fn without_feature(manifest: &str, package: &str, feature: &str) -> Option<String> {
    let mut document: DocumentMut = manifest.parse().ok()?;
    let mut count = 0;
    each_entry(&mut document, package, &mut |entry| {
        let table = entry.as_table_like_mut().and_then(|it| it.get_mut("features"));
        if let Some(list) = table.and_then(Item::as_array_mut) {
            let before = list.len();
            list.retain(|it| it.as_str() != Some(feature));
            count += before - list.len();
        }
    });
    (count > 0).then(|| document.to_string())
}

/// The manifest with this edition for its package, its targets and what its members inherit, where
/// theirs is older or, of a package, not given; `None` if nothing changes. One that is inherited stays
/// so.
pub fn with_edition(manifest: &str, edition: &str) -> Option<String> {
    let mut document: DocumentMut = manifest.parse().ok()?;
    let root = document.as_table_mut();
    let mut count = 0;
    let mut raise = |table: &mut dyn TableLike, is_required: bool| {
        let now = table.get("edition").and_then(Item::as_str).map(str::to_owned);
        let is_missing = is_required && !table.contains_key("edition");
        if is_missing {
            table.insert("edition", Item::Value(Value::from(edition)));
            count += 1;
        } else if now.is_some_and(|it| *it < *edition)
            && let Some(value) = table.get_mut("edition").and_then(Item::as_value_mut)
        {
            let decor = value.decor().clone();
            *value = Value::from(edition);
            *value.decor_mut() = decor;
            count += 1;
        }
    };
    if let Some(package) = root.get_mut("package").and_then(Item::as_table_like_mut) {
        raise(package, true);
    }
    let workspace = root.get_mut("workspace").and_then(Item::as_table_like_mut);
    let shared = workspace.and_then(|it| it.get_mut("package")).and_then(Item::as_table_like_mut);
    if let Some(shared) = shared {
        raise(shared, false);
    }
    if let Some(library) = root.get_mut("lib").and_then(Item::as_table_like_mut) {
        raise(library, false);
    }
    for kind in ["bin", "example", "test", "bench"] {
        let targets = root.get_mut(kind).and_then(Item::as_array_of_tables_mut);
        for target in targets.into_iter().flat_map(|it| it.iter_mut()) {
            raise(target, false);
        }
    }
    (count > 0).then(|| document.to_string())
}

/// The name of the library of a manifest's package, also if it has none.
pub(crate) fn crate_name(manifest: &str) -> Option<String> {
    let document: DocumentMut = manifest.parse().ok()?;
    let name = |table: &str| document.get(table)?.get("name")?.as_str();
    name("lib").or_else(|| name("package")).map(|it| it.replace('-', "_"))
}

/// Whether a crate name is that of the manifest's own package or library, or of a dependency that is in
/// the workspace: one with a path, or one that the workspace declares.
pub(crate) fn is_of_workspace(manifest: &str, name: &str) -> bool {
    let Ok(mut document) = manifest.parse::<DocumentMut>() else { return false };
    let own = ["package", "lib"].iter().filter_map(|it| document.get(it)?.get("name")?.as_str());
    let same = |it: &str| it.replace('-', "_") == name;
    let mut is_it = own.into_iter().any(same);
    for package in [name.to_owned(), name.replace('_', "-")] {
        each_entry(&mut document, &package, &mut |entry| {
            let has_path = entry.as_table_like().is_some_and(|it| it.contains_key("path"));
            is_it |= has_path || is_inherited(entry);
        });
    }
    is_it
}

/// The `rust-version` that a manifest declares for its package or its workspace.
pub(crate) fn rust_version(manifest: &str) -> Option<String> {
    let document: DocumentMut = manifest.parse().ok()?;
    let of = |table: Option<&Item>| {
        let version = table?.as_table_like()?.get("rust-version")?.as_str()?;
        Some(version.to_owned())
    };
    let root = document.as_table();
    let shared = root.get("workspace").and_then(Item::as_table_like);
    of(root.get("package")).or_else(|| of(shared.and_then(|it| it.get("package"))))
}

/// Tables of dependencies.
const TABLES: [&str; 3] = ["dependencies", "dev-dependencies", "build-dependencies"];
/// The table of what only tests, examples and benches need.
const DEV_TABLES: [&str; 1] = ["dev-dependencies"];
/// The table of what the code itself needs.
const CODE_TABLES: [&str; 1] = ["dependencies"];

/// Calls `with` for each entry of a dependency table that is for `package`.
fn each_entry(document: &mut DocumentMut, package: &str, with: &mut dyn FnMut(&mut Item)) {
    each_entry_of(&TABLES, document, package, with);
}

/// Calls `with` for each entry for `package` of the tables with these names.
fn each_entry_of(
    tables: &[&str],
    document: &mut DocumentMut,
    package: &str,
    with: &mut dyn FnMut(&mut Item),
) {
    let root = document.as_table_mut();
    for name in tables {
        in_table(root.get_mut(name), package, with);
    }
    if tables != DEV_TABLES {
        let workspace = root.get_mut("workspace").and_then(Item::as_table_like_mut);
        in_table(workspace.and_then(|it| it.get_mut("dependencies")), package, with);
    }
    let targets = root.get_mut("target").and_then(Item::as_table_like_mut);
    for (_, target) in targets.into_iter().flat_map(TableLike::iter_mut) {
        for name in tables {
            in_table(target.as_table_like_mut().and_then(|it| it.get_mut(name)), package, with);
        }
    }
}

fn in_table(table: Option<&mut Item>, package: &str, with: &mut dyn FnMut(&mut Item)) {
    let entries = table.and_then(Item::as_table_like_mut);
    for (key, entry) in entries.into_iter().flat_map(TableLike::iter_mut) {
        if package_name(key.get(), entry) == package {
            with(entry);
        }
    }
}

/// The version of an entry: `"1"`, or that of `{ version = "1" }`.
fn version_of(entry: &mut Item) -> Option<&mut Value> {
    if entry.is_str() {
        return entry.as_value_mut();
    }
    entry.as_table_like_mut()?.get_mut("version")?.as_value_mut().filter(|it| it.is_str())
}

/// The package of an entry with this key.
pub(crate) fn package_name<'e>(key: &'e str, entry: &'e Item) -> &'e str {
    let renamed = entry.as_table_like().and_then(|it| it.get("package")).and_then(Item::as_str);
    renamed.unwrap_or(key)
}

/// The paths of the tables of dependencies of a manifest.
pub(crate) fn tables_of(document: &DocumentMut) -> Vec<Vec<String>> {
    let path = |parts: &[&str]| parts.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>();
    let mut found: Vec<Vec<String>> = TABLES.iter().map(|it| path(&[it])).collect();
    found.push(path(&["workspace", "dependencies"]));
    let targets = document.get("target").and_then(Item::as_table_like);
    for (target, _) in targets.into_iter().flat_map(TableLike::iter) {
        found.extend(TABLES.iter().map(|it| path(&["target", target, it])));
    }
    found
}

/// `{ workspace = true }`.
pub(crate) fn is_inherited(entry: &Item) -> bool {
    let inherited = entry.as_table_like().and_then(|it| it.get("workspace"));
    inherited.and_then(Item::as_bool) == Some(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MANIFEST: &str = "\
[package]
name = \"p\"

[dependencies] # all
left = \"1.0\" # why
other = { package = \"left\", version = '1', default-features = false }
near = { path = \"../near\" }
right = { workspace = true }

[target.'cfg(unix)'.dev-dependencies.left]
version = \"1\"
features = [\"a\"]
";

    #[test]
    fn a_requirement_is_changed_in_every_entry_and_nothing_else() {
        let changed = MANIFEST
            .replace("\"1.0\"", "\"2\"")
            .replace("version = '1'", "version = \"2\"")
            .replace("version = \"1\"\nf", "version = \"2\"\nf");
        assert_eq!(with_requirement(MANIFEST, "left", "2"), Requirement::Changed(changed));
        assert_eq!(with_requirement(MANIFEST, "near", "2"), Requirement::NotRegistry);
        assert_eq!(with_requirement(MANIFEST, "right", "2"), Requirement::Absent);
        assert!(matches!(with_requirement("[", "right", "2"), Requirement::Invalid(_)));
    }

    #[test]
    fn an_older_edition_is_raised_where_it_is_given() {
        let raised = |text: &str| with_edition(text, "2024");
        assert_eq!(
            raised("[package]\nname = \"p\"\nedition = '2018' # old\n").unwrap(),
            "[package]\nname = \"p\"\nedition = \"2024\" # old\n"
        );
        assert_eq!(
            raised("[package]\nname = \"p\"\n").unwrap(),
            "[package]\nname = \"p\"\nedition = \"2024\"\n"
        );
        assert_eq!(
            raised("[workspace.package]\nedition = \"2021\"\n").unwrap(),
            "[workspace.package]\nedition = \"2024\"\n"
        );
        assert_eq!(raised("[package]\nedition.workspace = true\n"), None);
        assert_eq!(raised("[package]\nedition = { workspace = true }\n"), None);
        assert_eq!(raised("[package]\nedition = \"2024\"\n"), None);
        assert_eq!(
            raised("[lib]\nedition = \"2018\"\n\n[[bin]]\nname = \"b\"\nedition = \"2021\"\n")
                .unwrap(),
            "[lib]\nedition = \"2024\"\n\n[[bin]]\nname = \"b\"\nedition = \"2024\"\n"
        );
        assert_eq!(raised("[workspace]\nmembers = []\n"), None);
        assert_eq!(raised("["), None);
    }

    #[test]
    fn a_feature_is_added_to_every_entry() {
        let with_feature = |text: &str| with_feature(text, ("a", "f"), false);
        let text = with_feature("[dependencies]\na = \"1\" # x\n").unwrap();
        assert_eq!(text, "[dependencies]\na = { version = \"1\", features = [\"f\"] } # x\n");
        let text = with_feature("[dependencies.a]\nversion = \"1\"\nfeatures = [\"g\"]\n");
        assert_eq!(text.unwrap(), "[dependencies.a]\nversion = \"1\"\nfeatures = [\"g\", \"f\"]\n");
        assert_eq!(with_feature("[dependencies]\nb = \"1\"\n"), None);
        assert_eq!(with_feature("[dependencies]\na = {features=[\"f\"]}\n"), None);
    }

    #[test]
    fn a_feature_has_a_line_of_its_own_where_others_have() {
        let before = "[dependencies.a]\nversion = \"1\"\nfeatures = [\n    \"b\",\n    \"c\",\n]\n";
        let after = before.replace("    \"c\",\n", "    \"c\",\n    \"f\",\n");
        assert_eq!(with_feature(before, ("a", "f"), false), Some(after));
    }

    #[test]
    fn what_only_tests_need_is_a_feature_of_the_dev_dependency() {
        let both = "[dependencies]\na = \"1\"\n[dev-dependencies]\na = \"1\"\n";
        let dev = "[dependencies]\na = \"1\"\n[dev-dependencies]\na = { version = \"1\", features = [\"f\"] }\n";
        assert_eq!(with_feature(both, ("a", "f"), true).as_deref(), Some(dev));
        let code = "[dependencies]\na = \"1\"\n";
        let with = "[dependencies]\na = { version = \"1\", features = [\"f\"] }\n";
        assert_eq!(with_feature(code, ("a", "f"), true).as_deref(), Some(with));
    }
}
