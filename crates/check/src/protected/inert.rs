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
/// More names of texts for people that lines of programs and configurations have every day.
const EVERYDAY: [&str; 6] =
    ["CODE_OF_CONDUCT", "CONTRIBUTING", "LICENCE", "RELEASES", "SECURITY", "UNLICENSE"];
/// More names in capitals of texts for people. Agents look for texts of other names in capitals.
const FOR_PEOPLE: [&str; 55] = [
    "ACKNOWLEDGEMENTS",
    "ACKNOWLEDGMENTS",
    "API",
    "ARCHITECTURE",
    "BENCHMARK",
    "BENCHMARKS",
    "BUGS",
    "BUILD",
    "BUILDING",
    "CHANGES",
    "COMPARISON",
    "COMPATIBILITY",
    "CREDITS",
    "DEPENDENCIES",
    "DESIGN",
    "DEVELOPING",
    "DEVELOPMENT",
    "DOCS",
    "DOCUMENTATION",
    "ERRORS",
    "EXAMPLES",
    "FAQ",
    "FEATURES",
    "FORMAT",
    "GETTING_STARTED",
    "GLOSSARY",
    "GOVERNANCE",
    "GUIDE",
    "HACKING",
    "HISTORY",
    "INSTALL",
    "INSTALLATION",
    "INSTALLING",
    "INTERNALS",
    "MAINTAINERS",
    "MIGRATING",
    "MIGRATION",
    "MSRV",
    "NEWS",
    "PATENTS",
    "PERFORMANCE",
    "PRIVACY",
    "PROTOCOL",
    "RELEASE",
    "RELEASE_NOTES",
    "RELEASING",
    "ROADMAP",
    "SAFETY",
    "SPEC",
    "SUPPORT",
    "TESTING",
    "THIRD_PARTY",
    "TODO",
    "UPGRADING",
    "USAGE",
];
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
    let mut states = [&change.before, &change.after].into_iter().flatten();
    states.any(|it| is_program(path, it)).then(|| ProtectedChange {
        path: path.clone(),
        key: None,
        reason: "a program: executable, or its first line names what runs it".to_owned(),
        by_rules: false,
    })
}

/// Whether a file is a program by its text or its rights.
pub(super) fn is_program(path: &ProjectPath, state: &FileState) -> bool {
    let is_named = state.text.starts_with("#!") && !state.text.starts_with("#![");
    is_named || state.executable && path.extension() != Some("rs")
}

/// Whether a file is a source, a text for people or a picture by its name: inert unless others name it.
pub(super) fn is_plain(path: &ProjectPath) -> bool {
    match path.extension().map(str::to_ascii_lowercase).as_deref() {
        Some("txt") | None => PLAIN_NAMES.iter().any(|it| path.file_name().starts_with(it)),
        Some(it) => PLAIN.contains(&it),
    }
}

/// Whether a file is a text for people that lines of programs and configurations name every day: README, LICENSE.
pub(super) fn is_everyday(path: &ProjectPath) -> bool {
    is_plain(path) && has_name(path, &PLAIN_NAMES) || has_name(path, &EVERYDAY)
}

/// Whether a file is Markdown with a name in capitals where agents look for their instructions, and not with one of
/// the usual names for people.
pub(super) fn is_instruction(names: &SortedSet<&ProjectPath>, path: &ProjectPath) -> bool {
    let stem = path.file_name().split('.').next().unwrap_or_default();
    let is_capital = stem.starts_with(|it: char| it.is_ascii_uppercase())
        && !stem.contains(|it: char| it.is_lowercase());
    let is_for_people = || is_everyday(path) || has_name(path, &FOR_PEOPLE);
    path.extension().is_some_and(|it| it.eq_ignore_ascii_case("md"))
        && is_capital
        && !is_for_people()
        && is_beside_manifest(names, path)
}

/// Whether the name of a file is one of these, or begins with it: `README-de.md`.
fn has_name(path: &ProjectPath, all: &[&str]) -> bool {
    let name = path.file_name().to_ascii_uppercase().replace('-', "_");
    let ends = |rest: &str| !rest.starts_with(|it: char| it.is_ascii_alphanumeric());
    all.iter().any(|it| name.strip_prefix(it).is_some_and(ends))
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
    let reason = if is_instruction(names, path) {
        "a text with a name in capitals, as coding agents look for: none of the usual ones for people"
    } else if is_plain(path) {
        return None;
    } else if is_beside_manifest(names, path) {
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
    folders(path).any(|it| SOURCES.contains(&it))
}

/// Whether a file is in a folder of sources or test data that has no whole projects of other tools.
pub(super) fn is_test_data(path: &ProjectPath) -> bool {
    is_in_sources(path) && !folders(path).any(|it| it == EXAMPLES)
}

fn folders(path: &ProjectPath) -> impl Iterator<Item = &str> {
    let folders = path.as_str().rsplit_once('/').map_or("", |it| it.0);
    folders.split('/')
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
