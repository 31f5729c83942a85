//! Extracts samples from the sources of a crate: documented items with the first sentence of their
//! doc comment. Start at [`samples_of_crate`].

use std::path::Path;

use base::ItemKind;
use search::Document;
use syntax::NodeKind;

use crate::TrainError;
use crate::sentence::first_sentence;
use crate::sources::sorted_entries;

/// Largest source file, in bytes. Larger files are data or generated.
const MAX_FILE_BYTES: u64 = 400_000;
/// Most source text of one crate, in bytes; more is mostly repetition.
const MAX_CRATE_BYTES: u64 = 4_000_000;
/// The code of an item is cut off here, in bytes.
const MAX_CODE_BYTES: usize = 20_000;

/// An item and the first sentence of its doc comment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sample {
    /// The file's path relative to the crate, with `/`.
    pub path: String,
    /// The kind of item.
    pub kind: ItemKind,
    /// Its name.
    pub name: String,
    /// Its canonical path, beginning with the crate.
    pub canon: String,
    /// Its doc comment, with comment markers.
    pub doc: String,
    /// Its code without doc comments; for an impl, trait or module only the header and the names of
    /// the members.
    pub code: String,
    /// Its code before its body.
    pub signature: String,
    /// The first sentence of its doc comment.
    pub query: String,
    /// Its number of lines.
    pub lines: u32,
}

impl Sample {
    /// The sample as a document of the search index.
    pub(crate) fn document(&self) -> Document<'_> {
        Document {
            item: 0,
            kind: self.kind,
            name: &self.name,
            canon: &self.canon,
            signature: &self.signature,
            doc: &self.doc,
            code: &self.code,
            lines: self.lines,
            is_test: false,
        }
    }
}

/// The samples of all source files of a crate, sorted by file path.
pub(crate) fn samples_of_crate(name: &str, folder: &Path) -> Result<Vec<Sample>, TrainError> {
    let mut files = Vec::new();
    let source = folder.join("src");
    if source.is_dir() {
        rust_files(&source, &mut files)?;
    }
    let mut samples = Vec::new();
    let mut size_read = 0;
    for file in files {
        let size = file.metadata().map_err(|error| TrainError::file(&file, error))?.len();
        if size > MAX_FILE_BYTES || size_read + size > MAX_CRATE_BYTES {
            continue;
        }
        size_read += size;
        let bytes = std::fs::read(&file).map_err(|error| TrainError::file(&file, error))?;
        // Rust sources are UTF-8.
        let Ok(text) = String::from_utf8(bytes) else { continue };
        let path = file.strip_prefix(folder).unwrap_or(&file).to_string_lossy();
        samples.extend(samples_of_file(name, &path, &text));
    }
    Ok(samples)
}

pub(crate) fn rust_files(
    folder: &Path,
    files: &mut Vec<std::path::PathBuf>,
) -> Result<(), TrainError> {
    for path in sorted_entries(folder)? {
        if path.is_dir() {
            rust_files(&path, files)?;
        } else if path.extension().is_some_and(|it| it == "rs") {
            files.push(path);
        }
    }
    Ok(())
}

/// The samples of one file: documented items outside tests and function bodies whose doc comment
/// begins with a sentence.
pub(crate) fn samples_of_file(crate_name: &str, path: &str, text: &str) -> Vec<Sample> {
    // A cheap test before the parse: many generated files have no doc comments.
    let is_undocumented = !text.contains("///") && !text.contains("/**");
    if is_undocumented || syntax::is_test_path(path) || is_generated(text) {
        return Vec::new();
    }
    let file = syntax::parse(text);
    let base = module_of(crate_name, path);
    let mut samples = Vec::new();
    for (idx, item) in file.items.iter().enumerate() {
        let Some(kind) = kind_of(item.kind) else { continue };
        let is_wanted = Document::is_worth(kind)
            && !item.is_test
            && !item.is_local
            && !item.name.is_empty()
            && item.parse_errors == 0
            && !item.docs.is_empty()
            // The declaration of a foreign function has no code to learn from.
            && (item.body.is_some() || !matches!(kind, ItemKind::Function));
        if !is_wanted {
            continue;
        }
        let slice = |start: usize, end: usize| text.get(start..end).unwrap_or_default();
        let docs: String =
            item.docs.iter().map(|span| format!("{}\n", slice(span.start, span.end))).collect();
        let Some(query) = first_sentence(&docs) else { continue };
        samples.push(Sample {
            path: path.to_owned(),
            kind,
            name: item.name.clone(),
            canon: format!("{base}::{}", item.canon),
            doc: docs,
            code: code_of(text, &file, idx),
            signature: signature_of(text, item).to_owned(),
            query,
            lines: 1 + slice(item.code_span.start, item.code_span.end).matches('\n').count() as u32,
        });
    }
    samples
}

/// The code of an item as it is indexed; see [`Sample::code`].
pub(crate) fn code_of(text: &str, file: &syntax::SourceFile, idx: usize) -> String {
    let Some(item) = file.items.get(idx) else { return String::new() };
    let slice = |start: usize, end: usize| text.get(start..end).unwrap_or_default();
    let has_members = matches!(item.kind, NodeKind::Impl | NodeKind::Trait | NodeKind::Module);
    let end = match item.body {
        Some(body) if has_members => body.start,
        _ => item.span.end,
    };
    let mut code = syntax::split_docs(slice(item.span.start, end)).code;
    if has_members {
        let members = file.items.iter().filter(|it| it.parent == Some(idx));
        for member in members.filter(|it| !matches!(it.kind, NodeKind::Import | NodeKind::Impl)) {
            code.push('\n');
            code.push_str(&member.name);
        }
    }
    if code.len() > MAX_CODE_BYTES {
        let end = (0..=MAX_CODE_BYTES).rev().find(|at| code.is_char_boundary(*at)).unwrap_or(0);
        code.truncate(end);
    }
    code
}

/// An item's code before its body.
pub(crate) fn signature_of<'a>(text: &'a str, item: &syntax::Item) -> &'a str {
    let end = item.body.map_or(item.span.end, |body| body.start);
    text.get(item.code_span.start..end).unwrap_or_default()
}

/// The module path of a file, derived from its file path.
pub(crate) fn module_of(crate_name: &str, path: &str) -> String {
    let mut module = crate_name.replace('-', "_");
    let inner = path.strip_prefix("src/").unwrap_or(path);
    let inner = inner.strip_suffix(".rs").unwrap_or(inner);
    for part in inner.split('/').filter(|it| !matches!(*it, "lib" | "main" | "mod")) {
        module.push_str("::");
        module.push_str(part);
    }
    module
}

pub(crate) fn is_generated(text: &str) -> bool {
    let head = text.get(..text.len().min(1_000)).unwrap_or_default().to_ascii_lowercase();
    ["@generated", "automatically generated", "autogenerated", "auto-generated", "do not edit"]
        .iter()
        .any(|mark| head.contains(mark))
}

pub(crate) fn kind_of(kind: NodeKind) -> Option<ItemKind> {
    Some(match kind {
        NodeKind::Function => ItemKind::Function,
        NodeKind::Method => ItemKind::Method,
        NodeKind::Struct => ItemKind::Struct,
        NodeKind::Enum => ItemKind::Enum,
        NodeKind::Union => ItemKind::Union,
        NodeKind::Trait => ItemKind::Trait,
        NodeKind::Impl => ItemKind::Impl,
        NodeKind::Module => ItemKind::Module,
        NodeKind::Const => ItemKind::Const,
        NodeKind::Static => ItemKind::Static,
        NodeKind::TypeAlias => ItemKind::TypeAlias,
        NodeKind::Macro => ItemKind::Macro,
        NodeKind::Import => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documented_items_become_samples_and_test_items_do_not() {
        let text = "/// Opens the file for reading only.\npub fn open() { go(); }\n\
                    /// Holds the open files of a process.\npub trait Table { fn get(&self); }\n\
                    fn plain() {}\n#[cfg(test)]\nmod tests {\n/// Checks that it opens the file.\n\
                    fn check() {}\n}\n";
        let samples = samples_of_file("my-files", "src/io/mod.rs", text);
        let canons: Vec<&str> = samples.iter().map(|it| it.canon.as_str()).collect();
        assert_eq!(canons, ["my_files::io::open", "my_files::io::Table"]);
        assert_eq!(samples[0].query, "Opens the file for reading only.");
        assert_eq!(samples[0].code.trim(), "pub fn open() { go(); }");
        assert_eq!(samples[1].code.trim(), "pub trait Table \nget");
        assert_eq!(samples_of_file("a", "tests/a.rs", text), []);
        assert_eq!(samples_of_file("a", "src/a.rs", &format!("// @generated\n{text}")), []);
    }
}
