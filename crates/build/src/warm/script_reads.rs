//! Which build scripts may read files of other packages without a word of it: what they declare
//! (`rerun-if-changed`) is theirs to choose, so that a change of any such file may change what they make.
//! To run one again builds its package and all that depend on it, so that those count whose text shows, word by
//! word, more than writing and reading named files of their own folder.

use std::path::Path;

use base::SortedSet;
use untrusted_fs::{Dir, EntryKind};

use super::BuildSources;
use super::macro_reads::{MAX_BYTES, READING, hides_words, may_read, replaces_sources, with_local};
use crate::manifests::DependencyKind;
use crate::{CargoWorkspace, Package};

/// Crates for build scripts that open no file of a project.
const BLIND: &[&str] =
    &["autocfg", "pkg-config", "rustc_version", "rustversion", "semver", "vcpkg", "version_check"];
/// Names of `std::io` that use what is open.
const IO: &[&str] = &[
    "BufRead",
    "BufReader",
    "BufWriter",
    "Error",
    "ErrorKind",
    "Read",
    "Result",
    "Write",
    "prelude",
    "self",
];
/// Crates for build scripts that open files, but no Rust source.
const NO_SOURCES: &[&str] = &["bindgen", "cc", "cmake", "lalrpop", "prost-build", "tonic-build"];

/// The packages whose build script may read files that changed elsewhere: any, or Rust sources alone.
pub(super) fn script_readers(
    sources: &BuildSources<'_>,
    workspace: &CargoWorkspace,
    only_sources: bool,
) -> SortedSet<String> {
    let scripted = workspace.packages.iter().filter(|it| it.has_build_script);
    let readers = scripted.filter(|it| script_reads(sources, workspace, it, only_sources));
    readers.map(|it| it.name.clone()).collect()
}

fn script_reads(
    sources: &BuildSources<'_>,
    workspace: &CargoWorkspace,
    package: &Package,
    only_sources: bool,
) -> bool {
    let Some(manifest) = workspace.manifests.iter().find(|it| it.dir == package.dir) else {
        return true;
    };
    let local = |name: &str| workspace.packages.iter().find(|it| it.name == name);
    let is_registry = !replaces_sources(sources.root);
    let mut depends = manifest.dependencies.iter().filter(|it| it.kind == DependencyKind::Build);
    let through_library = depends.any(|it| match local(&it.package) {
        Some(package) => {
            // Of what a macro wrote no word is seen.
            let mut code = with_local(workspace, package).into_iter();
            code.any(|it| it.is_proc_macro || may_read(sources, workspace, it))
        }
        None => {
            let name = it.package.as_str();
            let is_known = BLIND.contains(&name) || (only_sources && NO_SOURCES.contains(&name));
            it.path.is_some() || !is_known || !is_registry
        }
    });
    if through_library {
        return true;
    }
    let Ok(root) = Dir::open(sources.root) else { return true };
    let is_own = |path: &str| {
        let folder = package.dir.strip_prefix(sources.root).unwrap_or(Path::new(".."));
        let owner = workspace.owner(&package.dir.join(path));
        owner.is_some_and(|it| it.dir == package.dir)
            && matches!(root.kind(folder.join(path)), Ok(Some(EntryKind::File)))
    };
    let mut scripts = manifest.targets.iter().filter(|it| it.kind == "build");
    scripts.any(|it| {
        let Ok(path) = it.root.strip_prefix(sources.root) else { return true };
        let found = root.read(path, MAX_BYTES).ok().flatten();
        found.is_none_or(|it| reads(&String::from_utf8_lossy(&it.bytes), &is_own))
    })
}

/// Whether a script may open a file that is not its own: a word that this needs is there, and not in one of the
/// places where it only writes, is imported, or opens a file by a plain path for which `is_own` holds.
fn reads(text: &str, is_own: &dyn Fn(&str) -> bool) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    if hides_words(text) {
        return true;
    }
    let mut at = 0;
    for word in text.split(|c| !is_word(c)) {
        let (before, after) = (&text[..at], &text[at + word.len()..]);
        // The separator behind it.
        at += word.len() + after.chars().next().map_or(0, char::len_utf8);
        let is_reading = match word {
            // Text that is not looked at, names of other words, another folder.
            "mod" | "macro_rules" | "set_current_dir" => true,
            // Variables are no files.
            "env" => false,
            _ if !READING.contains(&word) => false,
            _ => !is_harmless(word, before, after.trim_start(), is_own),
        };
        if is_reading {
            return true;
        }
    }
    false
}

fn is_harmless(word: &str, before: &str, after: &str, is_own: &dyn Fn(&str) -> bool) -> bool {
    if is_import(before) && after.starts_with([',', ';', '}']) {
        return true;
    }
    let opens_own = || literal(after).is_some_and(is_own);
    let Some(path) = after.strip_prefix("::") else {
        // A method reads what is open.
        return word == "read_to_string" && (before.ends_with('.') || opens_own());
    };
    let names = names(path);
    let all = |known: &[&str]| !names.is_empty() && names.iter().all(|it| known.contains(it));
    let calls = |name: &str| {
        path.strip_prefix(name).and_then(|it| literal(it.trim_start())).is_some_and(is_own)
    };
    match word {
        "fs" => {
            all(&["File", "create_dir", "create_dir_all", "remove_file", "self", "write"])
                || calls("read")
                || calls("read_to_string")
        }
        "File" => all(&["create"]) || calls("open"),
        "io" => all(IO),
        "process" => all(&["exit", "self"]),
        _ => false,
    }
}

/// Whether a text ends within a `use` that names no alias.
fn is_import(before: &str) -> bool {
    let Some((start, path)) = before.rsplit_once("use ") else { return false };
    let is_path = |c: char| c.is_alphanumeric() || c.is_whitespace() || "_:{},".contains(c);
    !start.ends_with(|c: char| c.is_alphanumeric() || c == '_')
        && path.chars().all(is_path)
        && !path.split_whitespace().any(|it| it == "as")
}

/// The names that continue a path: one, or those of a list; none where the list has more than names.
fn names(path: &str) -> Vec<&str> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let Some(list) = path.strip_prefix('{') else {
        return path.split(|c| !is_word(c)).take(1).collect();
    };
    let list = list.split_once('}').map_or("*", |it| it.0);
    let names: Vec<&str> = list.split(',').map(str::trim).filter(|it| !it.is_empty()).collect();
    if names.iter().all(|it| it.chars().all(is_word)) { names } else { Vec::new() }
}

/// The plain path that is the first argument of a call.
fn literal(call: &str) -> Option<&str> {
    let (path, after) = call.strip_prefix('(')?.trim_start().strip_prefix('"')?.split_once('"')?;
    let is_plain = !path.contains('\\') && !path.contains("..") && !path.starts_with('/');
    (is_plain && after.trim_start().starts_with([')', ','])).then_some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_that_writes_and_opens_its_own_files_reads_no_other() {
        let is_own = |path: &str| path == "src/a.txt";
        let reads = |text: &str| reads(text, &is_own);
        for code in [
            "fn main() { println!(\"cargo:rustc-env=X={}\", std::env::var(\"Y\").unwrap()); }",
            "fn main() { std::fs::write(out.join(\"x.rs\"), \"\").unwrap(); }",
            "use std::{env, fs, path::Path}; fn main() { fs::write(a, b); fs::create_dir_all(a) }",
            "use std::fs::{self, File}; use std::io::{self, Write}; fn f(a: A) -> io::Result<()> { \
             File::create(a)?.write_all(b) }",
            "fn main() { std::fs::read_to_string(\"src/a.txt\").unwrap(); std::process::exit(1) }",
            "use std::fs::File; fn f() { File::open(\"src/a.txt\").unwrap().read_to_string(&mut s) }",
        ] {
            assert!(!reads(code), "{code}");
        }
        for code in [
            "fn main() { std::fs::read(\"../a/src/lib.rs\").unwrap(); }",
            "fn main() { let d = \".\"; std::fs::read(format!(\"{d}{d}/a/src/lib.rs\")).unwrap(); }",
            "fn main() { std::fs::read([\".\", \".\"].concat()).unwrap(); }",
            "fn main() { std::fs::read(root.parent().unwrap()).unwrap(); }",
            "fn main() { std::fs::read(\"src/link.txt\").unwrap(); }",
            "fn main() { std::fs::read(\"src/a.txt\".replace(\"src\", \"x\")).unwrap(); }",
            "fn main() { std::fs::read(\"\\x2e\\x2e/a\").unwrap(); }",
            "use std::fs as f; fn main() { f::read(p) }",
            "use std::fs::{self as f}; fn main() { f::read(p) }",
            "use std::fs::{read}; fn main() { read(p) }",
            "use std::fs::*; fn main() { read(p) }",
            "type F = std::fs::File; fn main() { F::open(p) }",
            "use std::fs::File as F; fn main() { F::open(p) }",
            "macro_rules! m { ($a:ident) => { std::$a::read(p) } } m!(fs);",
            "mod helper; fn main() { helper::go() }",
            "fn main() { std::process::Command::new(\"sh\").status().unwrap(); }",
            "fn main() { p.exists(); }",
        ] {
            assert!(reads(code), "{code}");
        }
    }
}
