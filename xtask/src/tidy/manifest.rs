//! A parser for the part of Cargo manifests that the rules need.

use std::path::Path;

/// The part of a Cargo manifest that the workspace rules need: sections, keys and their raw
/// values, one key per line. Of a value that spans lines only the first line is read.
#[derive(Debug, Default)]
pub(crate) struct Manifest {
    entries: Vec<(String, String, String)>,
}

impl Manifest {
    /// Parses the file.
    pub(crate) fn read(path: &Path) -> Result<Self, String> {
        let text =
            std::fs::read_to_string(path).map_err(|err| format!("{}: {err}", path.display()))?;
        Ok(Self::parse(&text))
    }

    /// Parses the text; `a.b = c` is the key `a` with the value `{ b = c }`.
    pub(crate) fn parse(text: &str) -> Self {
        let mut manifest = Self::default();
        let mut section = String::new();
        for line in text.lines() {
            let line = line.trim();
            if line.starts_with('[') && line.ends_with(']') {
                section = line.trim_matches(['[', ']']).trim().to_owned();
            } else if let Some((key, value)) = line.split_once('=')
                && !line.starts_with('#')
            {
                let (key, value) = (key.trim(), value.trim());
                let (key, value) = match key.split_once('.') {
                    Some((key, inner)) => (key, format!("{{ {inner} = {value} }}")),
                    None => (key, value.to_owned()),
                };
                manifest.entries.push((section.clone(), key.trim_matches('"').to_owned(), value));
            }
        }
        manifest
    }

    /// The value of one key without quotes.
    pub(crate) fn get(&self, section: &str, key: &str) -> Option<String> {
        self.all(section, key).next()
    }

    /// The values of a key in every section of that name (`[[bench]]` may occur several times).
    pub(crate) fn all(&self, section: &str, key: &str) -> impl Iterator<Item = String> {
        self.section(section)
            .filter(move |(name, _)| *name == key)
            .map(|(_, value)| value.trim_matches('"').to_owned())
    }

    /// The keys and raw values of a section.
    pub(crate) fn section(&self, section: &str) -> impl Iterator<Item = (&str, &str)> {
        self.entries
            .iter()
            .filter(move |(name, _, _)| name == section)
            .map(|(_, key, value)| (key.as_str(), value.as_str()))
    }

    /// Every dependency that the package names: its key, its raw value and whether tests alone
    /// use it. Platform sections count as the general ones.
    pub(crate) fn dependencies(&self) -> Vec<(String, String, bool)> {
        let mut found = Vec::new();
        for (section, key, value) in &self.entries {
            let plain = section.rsplit_once("'.").map_or(section.as_str(), |(_, tail)| tail);
            let (kind, name) = match plain.split_once("dependencies.") {
                Some((prefix, name)) => (format!("{prefix}dependencies"), name),
                None => (plain.to_owned(), key.as_str()),
            };
            let dev = match kind.as_str() {
                "dependencies" | "build-dependencies" => false,
                "dev-dependencies" => true,
                _ => continue,
            };
            found.push((name.to_owned(), value.clone(), dev));
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dependencies_are_read_in_all_their_spellings() {
        let manifest = Manifest::parse(
            "[package]\nname = \"a\"\n[dependencies]\nbase.workspace = true\nx = { workspace = \
             true }\n[dev-dependencies]\ntestkit.workspace = true\n[target.'cfg(unix)'.\
             dependencies]\nlibc.workspace = true\n[dependencies.long]\nworkspace = true\n",
        );
        let names: Vec<_> =
            manifest.dependencies().into_iter().map(|(name, _, dev)| (name, dev)).collect();
        let expected =
            [("base", false), ("x", false), ("testkit", true), ("libc", false), ("long", false)];
        assert_eq!(names, expected.map(|(name, dev)| (name.to_owned(), dev)));
        assert_eq!(manifest.get("package", "name").as_deref(), Some("a"));
    }

    #[test]
    fn every_bench_of_a_manifest_is_named() {
        let manifest = Manifest::parse("[[bench]]\nname = \"a\"\n[[bench]]\nname = \"b\"\n");
        assert_eq!(manifest.all("bench", "name").collect::<Vec<_>>(), ["a", "b"]);
    }
}
