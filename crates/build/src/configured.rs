//! [`ConfiguredFolders`]: folders from which a configuration of cargo takes packages that no manifest names.

use std::path::{Path, PathBuf};

use toml::{Table, Value};

use crate::outside::MANIFEST_BYTES;
use crate::process::CONFIGURATION;

/// Folders that the configurations in a folder and above it name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ConfiguredFolders {
    /// Folders of single packages (`patch`, `paths`).
    pub(crate) packages: Vec<PathBuf>,
    /// Folders that take the place of a registry or of a repository (`source`, `registries`).
    pub(crate) sources: Vec<PathBuf>,
}

impl ConfiguredFolders {
    /// The folders for builds in `root`. `None` where they cannot be known: a file that does not parse or is not
    /// regular, or one that includes others.
    pub(crate) fn of(root: &Path) -> Option<Self> {
        let mut found = Self::default();
        for folder in root.ancestors() {
            for name in CONFIGURATION {
                let bytes = untrusted_fs::read_own(&folder.join(name), MANIFEST_BYTES).ok()?;
                let Some(bytes) = bytes else { continue };
                let table: Table = std::str::from_utf8(&bytes).ok()?.parse().ok()?;
                found.add(&table, folder)?;
            }
        }
        Some(found)
    }

    /// Adds what one file names; paths are relative to the folder of `.cargo`.
    fn add(&mut self, table: &Table, folder: &Path) -> Option<()> {
        if table.contains_key("include") {
            return None;
        }
        for source in ["source", "registries"] {
            let tables = table.get(source).into_iter().filter_map(Value::as_table);
            for value in tables.flat_map(Table::values).filter_map(Value::as_table) {
                let texts = value.iter().filter_map(|(key, it)| Some((key.as_str(), it.as_str()?)));
                self.sources.extend(texts.filter_map(|(key, text)| source_of(folder, key, text)));
            }
        }
        let patches = table.get("patch").into_iter().filter_map(Value::as_table);
        let patched = patches.flat_map(Table::values).filter_map(Value::as_table);
        let paths = patched.flat_map(Table::values).filter_map(|it| it.get("path")?.as_str());
        let own = table.get("paths").and_then(Value::as_array).into_iter().flatten();
        let all = paths.chain(own.filter_map(Value::as_str));
        self.packages.extend(all.map(|it| base::normal_path(&folder.join(it))));
        Some(())
    }
}

fn source_of(folder: &Path, key: &str, text: &str) -> Option<PathBuf> {
    if let Some((_, path)) = text.split_once("file://") {
        return Some(base::normal_path(Path::new(path)));
    }
    let is_folder = matches!(key, "directory" | "local-registry");
    let is_path = key == "git" && !text.contains("://");
    (is_folder || is_path).then(|| base::normal_path(&folder.join(text)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_way_to_name_a_folder_counts() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().join("p");
        std::fs::create_dir_all(root.join(".cargo")).unwrap();
        let found = |text: &str| {
            std::fs::write(root.join(".cargo/config.toml"), text).unwrap();
            ConfiguredFolders::of(&root).map(|it| {
                let shown = |all: Vec<PathBuf>| {
                    let names = all
                        .iter()
                        .map(|it| it.strip_prefix(&root).unwrap_or(it).display().to_string());
                    names.collect::<Vec<_>>().join(" ")
                };
                format!("{} | {}", shown(it.packages), shown(it.sources))
            })
        };
        let text = "paths = ['own/../x']\n[source.crates-io]\nreplace-with = 'v'\n[source.v]\n\
                    directory = 'vendor'\n[source.l]\nlocal-registry = 'l'\n[source.g]\ngit = \
                    'file:///srv/g'\n[registries.r]\nindex = 'sparse+file:///srv/r'\n[patch.crates-io]\n\
                    a.path = 'a'\n[patch.'https://example.org']\nb = { path = 'b' }\n";
        assert_eq!(found(text).unwrap(), "a b x | /srv/g l vendor /srv/r");
        assert_eq!(found("[net]\noffline = true\n").unwrap(), " | ");
        assert_eq!(found("include = 'x.toml'\n"), None);
        assert_eq!(found("[source\n"), None);
    }
}
