//! Inputs of the assembler and the linker: no report of a unit names them, so that a change of such a file may
//! change what they make.

use std::path::Path;

use base::SortedSet;
use untrusted_fs::Dir;

use super::BuildSources;
use super::macro_reads::{MAX_BYTES, any_configuration};
use super::units::Unit;
use crate::CargoWorkspace;

/// Macros whose text the assembler reads, and with it the files that the text names.
const ASSEMBLER: &[&str] = &["asm", "global_asm", "naked_asm"];
/// Keys by which a build script passes arguments to the linker.
const FOR_LINKER: &[&str] =
    &["rustc-cdylib-link-arg", "rustc-flags", "rustc-link-arg", "rustc-link-search"];

/// Tables of a configuration that no compiler and no linker has anything of.
const OF_CARGO: &[&str] = &[
    "alias",
    "cache",
    "cargo-new",
    "credential-alias",
    "doc",
    "future-incompat-report",
    "http",
    "install",
    "net",
    "patch",
    "paths",
    "registries",
    "registry",
    "source",
    "term",
];

/// The packages that the assembler or the linker may have read files of the project for: of any package, and
/// not as the compiler does.
pub(super) fn tool_readers(
    sources: &BuildSources<'_>,
    workspace: &CargoWorkspace,
    units: &[Unit],
) -> SortedSet<String> {
    let all = || workspace.packages.iter().map(|it| it.name.clone());
    if configuration_names_files(sources.root) {
        return all().collect();
    }
    let mut found: SortedSet<String> =
        units.iter().filter(|it| it.links).map(|it| it.package.clone()).collect();
    found.extend(assembling(sources, workspace));
    let Ok(root) = Dir::open(sources.root) else { return all().collect() };
    // A file that is included may have any name.
    for unit in units {
        let others = unit.files().iter().filter(|it| !it.ends_with(".rs") && !it.starts_with('/'));
        let others = others.filter(|it| sources.root.join(it).is_file());
        if others.into_iter().any(|it| !found.contains(&unit.package) && has_assembler(&root, it)) {
            found.insert(unit.package.clone());
        }
    }
    found
}

/// The packages with a source for the assembler. The compiler's own incremental data does not know what it reads
/// either.
pub(super) fn assembling(
    sources: &BuildSources<'_>,
    workspace: &CargoWorkspace,
) -> SortedSet<String> {
    let mut found = SortedSet::new();
    let Ok(root) = Dir::open(sources.root) else {
        return workspace.packages.iter().map(|it| it.name.clone()).collect();
    };
    for path in sources.files.keys().filter(|it| it.as_str().ends_with(".rs")) {
        let owner = workspace.owner(&path.join_to(sources.root));
        if let Some(owner) = owner.filter(|it| !found.contains(&it.name))
            && has_assembler(&root, path.as_str())
        {
            found.insert(owner.name.clone());
        }
    }
    found
}

fn has_assembler(root: &Dir, path: &str) -> bool {
    let read = root.read(path, MAX_BYTES).ok().flatten();
    read.is_none_or(|it| assembles(&String::from_utf8_lossy(&it.bytes)))
}

fn assembles(text: &str) -> bool {
    if !text.contains("asm") {
        return false;
    }
    let mut words = text.split(|c: char| !(c.is_alphanumeric() || c == '_'));
    words.any(|it| ASSEMBLER.contains(&it))
}

/// Whether a build script with this output names a file of the project for the linker. A word that is neither a flag
/// nor an absolute path is one, whether it exists yet or not.
pub(super) fn links(output: &str, root: &Path) -> bool {
    let values = output.lines().filter_map(|line| {
        let line = line.strip_prefix("cargo::").or_else(|| line.strip_prefix("cargo:"))?;
        let (key, value) = line.split_once('=')?;
        let value = match key {
            // `KIND=PATH`
            "rustc-link-search" => value.split_once('=').map_or(value, |it| it.1),
            _ => value,
        };
        FOR_LINKER.iter().any(|it| key.starts_with(it)).then_some(value)
    });
    let mut words = values.flat_map(str::split_whitespace);
    words.any(|it| names_file(it, root) || !it.starts_with(['-', '/']))
}

/// Whether a configuration of cargo in the project, or above it, names a file of the project: a linker or
/// compiler, or what these read.
fn configuration_names_files(root: &Path) -> bool {
    any_configuration(root, |text| {
        let Ok(mut table) = text.parse::<toml::Table>() else { return true };
        table.retain(|key, _| !OF_CARGO.contains(&key));
        has_file(&toml::Value::Table(table), root)
    })
}

fn has_file(value: &toml::Value, root: &Path) -> bool {
    match value {
        toml::Value::String(text) => text.split_whitespace().any(|it| names_file(it, root)),
        toml::Value::Array(all) => all.iter().any(|it| has_file(it, root)),
        toml::Value::Table(table) => table.values().any(|it| has_file(it, root)),
        _ => false,
    }
}

/// Whether a word may be, or end in, a path in the project: a relative one, one below the root, or a name that the
/// project has.
fn names_file(word: &str, root: &Path) -> bool {
    if word.contains("://") {
        return false;
    }
    if root.to_str().is_some_and(|it| word.contains(it)) || word.contains("..") {
        return true;
    }
    // A file with further arguments.
    if word.match_indices('@').any(|(at, _)| !word[at + 1..].starts_with('/')) {
        return true;
    }
    let separates = |c: char| "=,:;\"'".contains(c);
    let is_path = |it: &str| !it.starts_with('/') && (it.contains('/') || exists(it, root));
    word.split(separates).filter(|it| !it.is_empty()).any(|piece| match piece.strip_prefix('-') {
        // `-Tx.ld`, `-Llibs`
        Some(flag) => {
            let value = flag.get(1..).unwrap_or_default();
            is_path(value) || flag.starts_with('T') && !value.is_empty() && !value.starts_with('/')
        }
        None => is_path(piece),
    })
}

/// Whether the project has a file or folder of the name, or something that cannot be looked at.
fn exists(name: &str, root: &Path) -> bool {
    let is_name = !name.is_empty() && name.len() < 4_096;
    is_name && Dir::open(root).map_or(true, |it| !matches!(it.kind(name), Ok(None)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_names_a_file_of_the_project_by_a_relative_path_the_root_or_its_name() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path();
        std::fs::create_dir(root.join("own")).unwrap();
        let below = |before: &str| format!("{before}{}/a", root.display());
        for word in [
            "@a/args.txt",
            "-Ta/x.ld",
            "-L../a",
            &below("native="),
            "-Tlink.x",
            "a/b.o",
            "-Wl,--version-script=a/x.map",
            "@args",
            "-Wl,@args",
            "-Clink-arg=-Wl,@args",
            &below("@"),
            "tools/ld.sh",
            "-Lown",
            "native=own",
            "-Clink-arg=own",
        ] {
            assert!(names_file(word, root), "{word}");
        }
        for word in [
            "-L/usr/lib",
            "native=/usr/lib",
            "-fuse-ld=/usr/bin/mold",
            "-fuse-ld=lld",
            "-lm",
            "-Wl,-rpath,/opt/x",
            "https://example.org/a",
            "clang",
            "/usr/bin/clang",
            "-C",
            "target-cpu=native",
        ] {
            assert!(!names_file(word, root), "{word}");
        }
        let links = |it: &str| links(it, root);
        assert!(links(&format!("cargo:rustc-link-arg-tests=@{}/a\n", root.display())));
        assert!(links("cargo::rustc-link-search=native=libs/x\n"));
        assert!(
            links("cargo::rustc-link-search=native=a\n") && links("cargo:rustc-link-search=a\n")
        );
        assert!(links("cargo:rustc-flags=-L libs -l a\n") && links("cargo:rustc-link-arg=x.ld"));
        assert!(!links("cargo:rustc-link-search=/usr/lib\ncargo:rustc-cfg=a/b\nx\n"));
        assert!(!links("cargo:rustc-link-arg=-Wl,-z,now\n"));
    }

    #[test]
    fn aliases_and_registries_of_a_configuration_are_no_files_for_the_linker() {
        let dir = tempfile::tempdir().unwrap();
        let names = |text: &str| {
            std::fs::create_dir_all(dir.path().join(".cargo")).unwrap();
            std::fs::create_dir_all(dir.path().join("xtask")).unwrap();
            std::fs::write(dir.path().join(".cargo/config.toml"), text).unwrap();
            configuration_names_files(dir.path())
        };
        assert!(!names("[alias]\nxtask = 'run -p xtask --'\n[registries.r]\nindex = 'xtask'\n"));
        assert!(!names("[build]\nrustflags = ['-Ctarget-cpu=native']\n"));
        assert!(names("[build]\nrustflags = ['-L', 'xtask']\n") && names("[build"));
    }

    #[test]
    fn a_text_for_the_assembler_is_one_by_its_macro() {
        assert!(assembles("core::arch::global_asm!(\"nop\")") && assembles("use x::asm as a;"));
        assert!(!assembles("wasm::run(); // asm_js"));
    }
}
