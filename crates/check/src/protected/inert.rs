//! Files that no tool of the user runs or obeys: those alone may be changed without a person. No list has all
//! names of settings and programs, so that any other file counts as one.

use base::{ProjectPath, SortedSet};
use edit::{FileChange, FileState};
use policy::ProtectedChange;

/// Endings of sources, texts for people and pictures: inert anywhere.
const PLAIN: [&str; 14] = [
    "adoc", "bmp", "csv", "gif", "ico", "jpeg", "jpg", "md", "org", "pdf", "png", "rs", "rst",
    "webp",
];
/// Names of texts for people without an ending, or with `.txt`. Tools have lists in texts of other names.
const PLAIN_NAMES: [&str; 8] =
    ["AUTHORS", "CHANGELOG", "CONTRIBUTORS", "COPYING", "COPYRIGHT", "LICENSE", "NOTICE", "README"];
/// Endings of data that a program reads and no tool obeys: inert but beside a manifest.
const DATA: [&str; 49] = [
    "bin", "bnf", "css", "dat", "data", "dtd", "ebnf", "expect", "expected", "fbs", "fixed",
    "frag", "ftl", "geojson", "glsl", "golden", "gql", "graphql", "hbs", "htm", "html", "input",
    "j2", "jinja", "lalrpop", "log", "metal", "mustache", "out", "output", "parquet", "pest", "po",
    "proto", "result", "snap", "sql", "stderr", "stdin", "stdout", "svg", "tera", "tsv", "ttf",
    "vert", "wat", "wgsl", "wit", "xsd",
];
/// Endings of settings and of sources in other languages: inert in folders with sources of a package alone.
const IN_SOURCES: [&str; 26] = [
    "asm",
    "c",
    "cc",
    "cpp",
    "cxx",
    "exp",
    "h",
    "hh",
    "hpp",
    "in",
    "ini",
    "json",
    "json5",
    "jsonc",
    "jsonl",
    "kdl",
    "plist",
    "properties",
    "ron",
    "s",
    "scm",
    "toml",
    "txt",
    "xml",
    "yaml",
    "yml",
];
/// Folders with sources of a package.
const SOURCES: [&str; 8] =
    ["benches", "examples", "fixtures", "snapshots", "src", "test", "testdata", "tests"];
/// One of them that may have whole projects of other tools.
const EXAMPLES: &str = "examples";

/// The file as a program, before the change or after it, whatever its name: it is executable, or its first line names
/// what runs it. Sources of Rust are executable by accident often.
pub(super) fn program_text(path: &ProjectPath, change: &FileChange) -> Option<ProtectedChange> {
    let is_program = |it: &FileState| {
        let is_named = it.text.starts_with("#!") && !it.text.starts_with("#![");
        is_named || it.executable && path.extension() != Some("rs")
    };
    [&change.before, &change.after].into_iter().flatten().any(is_program).then(|| ProtectedChange {
        path: path.clone(),
        key: None,
        reason: "a program: executable, or its first line names what runs it".to_owned(),
        by_rules: false,
    })
}

/// The file, unless it is inert.
pub(super) fn not_inert(
    names: &SortedSet<&ProjectPath>,
    path: &ProjectPath,
) -> Option<ProtectedChange> {
    let name = path.file_name();
    if ["Cargo.toml", "Cargo.lock"].iter().any(|it| it.eq_ignore_ascii_case(name)) {
        return None;
    }
    let extension = path.extension().map(str::to_ascii_lowercase);
    let is_one = |all: &[&str]| extension.as_deref().is_some_and(|it| all.contains(&it));
    let is_plain = match extension.as_deref() {
        Some("txt") | None => PLAIN_NAMES.iter().any(|it| name.starts_with(it)),
        Some(_) => is_one(&PLAIN),
    };
    if is_plain {
        return None;
    }
    let reason = if is_beside_manifest(names, path) {
        "beside a manifest, where tools look for what they run and obey"
    } else if is_one(&DATA) || is_one(&IN_SOURCES) && is_of_package(names, path) {
        return None;
    } else {
        "neither Rust nor a text or data: tools may run or obey it"
    };
    let reason = reason.to_owned();
    Some(ProtectedChange { path: path.clone(), key: None, reason, by_rules: false })
}

/// Whether a file is in a folder with sources of a package, by the names of its folders.
pub(super) fn is_in_sources(path: &ProjectPath) -> bool {
    let folders = path.as_str().rsplit_once('/').map_or("", |it| it.0);
    folders.split('/').any(|it| SOURCES.contains(&it))
}

/// Whether a file is in a folder with sources that is beside a manifest.
fn is_of_package(names: &SortedSet<&ProjectPath>, path: &ProjectPath) -> bool {
    let mut folder = path.parent();
    while let Some(sources) = folder {
        let name = sources.file_name();
        if SOURCES.contains(&name) && name != EXAMPLES && is_beside_manifest(names, &sources) {
            return true;
        }
        folder = sources.parent();
    }
    false
}

fn is_beside_manifest(names: &SortedSet<&ProjectPath>, path: &ProjectPath) -> bool {
    let Some(folder) = path.parent() else { return true };
    let manifest = ProjectPath::new(&format!("{folder}/Cargo.toml"));
    manifest.is_ok_and(|it| names.contains(&it))
}
