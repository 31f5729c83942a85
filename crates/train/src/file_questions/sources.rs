//! [`Sources`]: the texts of a crate that questions are made of.

use std::path::Path;

use base::SortedMap;
use syntax::NodeKind;

use crate::TrainError;
use crate::extract::{is_generated, rust_files};
use crate::sources::{read, sorted_entries};

/// Most bytes of source; larger crates take long to index and add nothing.
const MAX_BYTES: usize = 6_000_000;

/// A crate: its code outside of tests, and its guides.
pub(super) struct Sources {
    /// Its name as code spells it.
    pub(super) krate: String,
    /// The files in `src` outside of tests, by path.
    pub(super) files: Vec<SourceText>,
    /// README, changelog and other Markdown.
    pub(super) guides: Vec<String>,
}

/// A source file.
pub(super) struct SourceText {
    /// Path relative to the crate, with `/`.
    pub(super) path: String,
    /// Its text.
    pub(super) text: String,
    /// Its items and imports.
    pub(super) facts: syntax::facts::FileFacts,
}

impl Sources {
    pub(super) fn read(name: &str, folder: &Path) -> Result<Self, TrainError> {
        let mut paths = Vec::new();
        let source = folder.join("src");
        if source.is_dir() {
            rust_files(&source, &mut paths)?;
        }
        let mut texts = Vec::new();
        let mut size = 0;
        for path in paths {
            let bytes = std::fs::read(&path).map_err(|error| TrainError::file(&path, error))?;
            size += bytes.len();
            let own = path.strip_prefix(folder).unwrap_or(&path).to_string_lossy().into_owned();
            // Rust sources are UTF-8.
            let Ok(text) = String::from_utf8(bytes) else { continue };
            if size <= MAX_BYTES {
                texts.push((own, text));
            }
        }
        let mut guides = Vec::new();
        for path in sorted_entries(folder)? {
            let is_guide = path.extension().is_some_and(|it| it.eq_ignore_ascii_case("md"));
            if is_guide && path.is_file() {
                guides.push(read(&path)?);
            }
        }
        Ok(Self::of(name, texts, guides))
    }

    pub(super) fn of(name: &str, texts: Vec<(String, String)>, guides: Vec<String>) -> Self {
        let is_code =
            |(path, text): &(String, String)| !syntax::is_test_path(path) && !is_generated(text);
        let file = |(path, text): (String, String)| {
            let facts = syntax::read(&text);
            SourceText { path, text, facts }
        };
        let files = texts.into_iter().filter(is_code).map(file).collect();
        Self { krate: name.replace('-', "_"), files, guides }
    }

    /// The public types, traits, functions and macros outside of impls whose name only one item
    /// has, with their file, by name.
    pub(super) fn unique(&self) -> SortedMap<&str, &SourceText> {
        let mut found: SortedMap<&str, (usize, Option<&SourceText>)> = SortedMap::new();
        for file in &self.files {
            for item in &file.facts.file.items {
                let is_named = !matches!(item.kind, NodeKind::Import | NodeKind::Impl);
                if !is_named || item.is_local || item.name.is_empty() {
                    continue;
                }
                let (count, of) = found.entry(&item.name).or_default();
                *count += 1;
                let is_wanted = is_presentable(item) && !item.is_test && item.parse_errors == 0;
                *of = Some(file).filter(|_| is_wanted);
            }
        }
        let single = |(name, (count, file)): (_, (usize, Option<_>))| {
            file.filter(|_| count == 1).map(|file| (name, file))
        };
        found.into_iter().filter_map(single).collect()
    }
}

/// Whether an item has a name that users of the crate can know.
fn is_presentable(item: &syntax::Item) -> bool {
    let is_kind = matches!(
        item.kind,
        NodeKind::Struct
            | NodeKind::Enum
            | NodeKind::Union
            | NodeKind::Trait
            | NodeKind::TypeAlias
            | NodeKind::Function
    );
    let is_exported = item.attributes.iter().any(|it| it.contains("macro_export"));
    is_kind && item.visibility.starts_with("pub") || item.kind == NodeKind::Macro && is_exported
}
