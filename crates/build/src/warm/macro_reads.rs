//! Which macros of the project may read sources of other packages while they expand: no report of a unit
//! names what they read, so that a change of any source may change what they make.

use std::path::Path;

use base::{ProjectPath, SortedSet};
use untrusted_fs::Dir;

use super::BuildSources;
use super::units::{Unit, UnitKind};
use crate::manifests::DependencyKind;
use crate::process::CONFIGURATION;
use crate::{CargoWorkspace, Package};

/// Words without which Rust code opens no file: modules, types and macros that do, and what leads around
/// them. A macro whose code has one of them counts as reading, whatever it does. No code that another macro
/// wrote is looked at, so that a macro which was built by one of the project counts, too.
pub(super) const READING: &[&str] = &[
    "Command",
    "File",
    "OpenOptions",
    "asm",
    "canonicalize",
    "env",
    "exists",
    "export_name",
    "extern",
    "fs",
    "glob",
    "global_asm",
    "include",
    "include_bytes",
    "include_str",
    "io",
    "is_dir",
    "is_file",
    "is_symlink",
    "libc",
    "local_file",
    "metadata",
    "mmap",
    "link_section",
    "naked_asm",
    "net",
    "no_mangle",
    "os",
    "process",
    "read_dir",
    "read_link",
    "read_to_string",
    "rustix",
    "symlink_metadata",
    "tracked_path",
    "transmute",
    "try_exists",
    "unsafe",
];
/// Crates for macros that read no source, and that put no word together which the code does not have.
const KNOWN: &[&str] = &[
    "Inflector",
    "attribute-derive",
    "bitflags",
    "convert_case",
    "darling",
    "darling_core",
    "darling_macro",
    "either",
    "fnv",
    "hashbrown",
    "heck",
    "hex",
    "ident_case",
    "indexmap",
    "itertools",
    "litrs",
    "manyhow",
    "once_cell",
    "prettyplease",
    "proc-macro-crate",
    "proc-macro-error",
    "proc-macro-error2",
    "proc-macro-warning",
    "proc-macro2",
    "proc-macro2-diagnostics",
    "quote",
    "regex",
    "regex-automata",
    "regex-lite",
    "regex-syntax",
    "rustversion",
    "semver",
    "serde",
    "smallvec",
    "strsim",
    "structmeta",
    "syn",
    "synstructure",
    "thiserror",
    "unicode-ident",
    "unicode-segmentation",
    "unicode-xid",
    "venial",
];
/// Most bytes of one source.
pub(super) const MAX_BYTES: u64 = 8 << 20;

/// The packages whose compiler loads a macro of the project that may read sources of others. `units` report
/// what the code of a macro was compiled from.
pub(super) fn load_readers(
    sources: &BuildSources<'_>,
    workspace: &CargoWorkspace,
    units: &[Unit],
) -> Vec<String> {
    // Code of a name, or in a place, that the look at the sources leaves out.
    let is_seen = |it: &String| {
        it.ends_with(".rs") && ProjectPath::new(it).is_ok_and(|it| sources.files.contains_key(&it))
    };
    let is_of_other_text = |package: &Package| {
        let own = units.iter().filter(|it| it.package == package.name);
        let own = own.filter(|it| it.kind != UnitKind::BuildScriptRun);
        own.flat_map(Unit::files).any(|it| !is_seen(it))
    };
    let macros = workspace.packages.iter().filter(|it| it.is_proc_macro);
    let readers: Vec<String> = macros
        .filter(|it| {
            let code = with_local(workspace, it);
            is_written_by_macros(&code)
                || code.iter().any(|it| is_of_other_text(it) || may_read(sources, workspace, it))
        })
        .map(|it| it.name.clone())
        .collect();
    if readers.is_empty() { readers } else { workspace.with_dependents(&readers) }
}

/// A package and the local ones that it depends on, directly or not: all code of the project that a macro or
/// a build script which uses it runs.
pub(super) fn with_local<'w>(
    workspace: &'w CargoWorkspace,
    package: &'w Package,
) -> Vec<&'w Package> {
    let mut seen: SortedSet<&str> = SortedSet::from([package.name.as_str()]);
    let (mut found, mut at) = (vec![package], 0);
    while let Some(next) = found.get(at).copied() {
        let names = next.depends_on.iter().filter(|it| seen.insert(it)).collect::<Vec<_>>();
        found.extend(workspace.packages.iter().filter(|it| names.contains(&&it.name)));
        at += 1;
    }
    found
}

/// Whether a package, the first, may have code that a macro of the project wrote, and so words that no source has.
pub(super) fn is_written_by_macros(code: &[&Package]) -> bool {
    code.iter().skip(1).any(|it| it.is_proc_macro)
}

/// Whether code of a package may open files.
pub(super) fn may_read(
    sources: &BuildSources<'_>,
    workspace: &CargoWorkspace,
    package: &Package,
) -> bool {
    let Some(manifest) = workspace.manifests.iter().find(|it| it.dir == package.dir) else {
        return true;
    };
    let foreign = manifest
        .dependencies
        .iter()
        .filter(|it| it.path.is_none() && it.kind != DependencyKind::Dev);
    let is_local = |name: &str| workspace.packages.iter().any(|it| it.name == name);
    // The sources of a folder may have any name.
    let is_registry = !replaces_sources(sources.root);
    let is_known = |it: &str| KNOWN.contains(&it) && is_registry;
    if foreign.map(|it| it.package.as_str()).any(|it| !is_known(it) && !is_local(it)) {
        return true;
    }
    let Ok(root) = Dir::open(sources.root) else { return true };
    let Ok(folder) = package.dir.strip_prefix(sources.root) else { return true };
    let of_manifest = root.read(folder.join("Cargo.toml"), MAX_BYTES).ok().flatten();
    if of_manifest.is_none_or(|it| leads_outside(&String::from_utf8_lossy(&it.bytes))) {
        return true;
    }
    let is_inside = |path: &&ProjectPath| {
        path.as_str().ends_with(".rs") && std::path::Path::new(path.as_str()).starts_with(folder)
    };
    sources.files.keys().filter(is_inside).any(|path| {
        let found = root.read(path.as_str(), MAX_BYTES).ok().flatten();
        found.is_none_or(|found| reads(&String::from_utf8_lossy(&found.bytes)))
    })
}

/// Whether a configuration of cargo in the project, or above it, may give the registry's packages other
/// sources.
pub(super) fn replaces_sources(root: &Path) -> bool {
    let words = ["replace-with", "include", "patch", "paths", "\\"];
    any_configuration(root, |text| words.iter().any(|it| text.contains(it)))
}

/// Whether the text of a configuration of cargo in the project, or above it, is one of these, or cannot be read.
pub(super) fn any_configuration(root: &Path, is_it: impl Fn(&str) -> bool) -> bool {
    let has = |folder: &Path| {
        let Ok(dir) = Dir::open(folder) else { return true };
        CONFIGURATION.iter().any(|name| match dir.read(name, MAX_BYTES) {
            Ok(found) => found.is_some_and(|it| is_it(&String::from_utf8_lossy(&it.bytes))),
            Err(_) => true,
        })
    };
    root.ancestors().any(has)
}

/// Whether the library of a manifest is outside of its folder, as far as the text may say.
fn leads_outside(manifest: &str) -> bool {
    let Ok(table) = manifest.parse::<toml::Table>() else { return true };
    let library = table.get("lib").and_then(toml::Value::as_table);
    let path = library.and_then(|it| it.get("path")).and_then(toml::Value::as_str);
    path.is_some_and(|it| it.contains("..") || it.starts_with('/'))
}

/// Whether a source has a word that opening a file needs, names another file of code, or may hide such a word.
fn reads(text: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut words = text.split(|c| !is_word(c));
    words.any(|it| READING.contains(&it)) || names_path(text) || hides_words(text)
}

/// Whether a text has an escape in place of a letter: a macro that reads strings sees other words.
pub(super) fn hides_words(text: &str) -> bool {
    ["\\x", "\\u", "\\\n", "\\\r"].iter().any(|it| text.contains(it))
}

/// Whether a text may set the file of a module: the word `path` before a `=`, or as the whole input of a macro.
fn names_path(text: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices("path").any(|(at, _)| {
        let (before, after) = (&text[..at], &text[at + "path".len()..]);
        if before.ends_with(is_word) || after.starts_with(is_word) {
            return false;
        }
        let before = before.strip_suffix("r#").unwrap_or(before).trim_end();
        match after.trim_start().as_bytes() {
            // A comparison, or the arm of a match.
            [b'=', b'=' | b'>', ..] => false,
            // A comment may hide what follows.
            [b'/', b'/' | b'*', ..] => true,
            // A variable.
            [b'=', ..] => !before.ends_with("let") && !before.ends_with("mut"),
            [b')' | b']' | b'}', ..] => is_macro_input(before),
            _ => false,
        }
    })
}

/// Whether a text ends in the start of a macro's input.
fn is_macro_input(before: &str) -> bool {
    let before = before.strip_suffix(['(', '[', '{']).map(str::trim_end);
    before.is_some_and(|it| it.ends_with('!'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_that_cannot_open_a_file_is_not_code_that_may() {
        for code in [
            "let a = syn::parse(x); quote! { #a }",
            "// the paths of a type",
            "fn files() {}",
            "let path = 1; let mut path = 2; if path == 3 {} match a { path => 1 }; f(path)",
        ] {
            assert!(!reads(code), "{code}");
        }
        for code in [
            "std::fs::read(x)",
            "std::r#fs::read(x)",
            "use std::*; File::open(x)",
            "extern \"C\" { fn open(); }",
            "#[ path = \"x.txt\" ] mod m;",
            "#[path\n= \"x.txt\"] mod m;",
            "#[path = r\"x.txt\"] mod m;",
            "#[path /* a */ = \"x.txt\"] mod m;",
            "#[r#path = \"x.txt\"] mod m;",
            "macro_rules! n { ($k:ident) => { #[$k = \"x.txt\"] mod m; } } n!(path);",
            "#[cfg_attr(all(), path = \"x.txt\")] mod m;",
            "std::path::Path::new(a).metadata()",
            "include!(\"a.txt\");",
            "#[serde(default = \"st\\x64::f\\x73::x\")]",
            "#[with(\"f\\\ns\")]",
            "unsafe { open }",
        ] {
            assert!(reads(code), "{code}");
        }
    }
}
