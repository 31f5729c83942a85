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
    let Ok(root) = Dir::open(sources.root) else { return all().collect() };
    let assembles = |path: &str| {
        let read = root.read(path, MAX_BYTES).ok().flatten();
        read.is_none_or(|it| assembles(&String::from_utf8_lossy(&it.bytes)))
    };
    let mut add = |path: &str, package: &str| {
        if !found.contains(package) && assembles(path) {
            found.insert(package.to_owned());
        }
    };
    for path in sources.files.keys().filter(|it| it.as_str().ends_with(".rs")) {
        if let Some(owner) = workspace.owner(&path.join_to(sources.root)) {
            add(path.as_str(), &owner.name);
        }
    }
    // A file that is included may have any name.
    for unit in units {
        let others = unit.files().iter().filter(|it| !it.ends_with(".rs") && !it.starts_with('/'));
        others.filter(|it| sources.root.join(it).is_file()).for_each(|it| add(it, &unit.package));
    }
    found
}

fn assembles(text: &str) -> bool {
    let mut words = text.split(|c: char| !(c.is_alphanumeric() || c == '_'));
    words.any(|it| ASSEMBLER.contains(&it))
}

/// Whether a build script with this output names a file of the project for the linker.
pub(super) fn links(output: &str, root: &Path) -> bool {
    let values = output.lines().filter_map(|line| {
        let line = line.strip_prefix("cargo::").or_else(|| line.strip_prefix("cargo:"))?;
        let (key, value) = line.split_once('=')?;
        FOR_LINKER.iter().any(|it| key.starts_with(it)).then_some(value)
    });
    let mut words = values.flat_map(str::split_whitespace);
    words.any(|it| names_file(it, root) || (it.contains('.') && !it.contains('/')))
}

/// Whether a configuration of cargo in the project, or above it, names a file of the project: a linker or
/// compiler, or what these read.
fn configuration_names_files(root: &Path) -> bool {
    any_configuration(root, |text| {
        let table = text.parse::<toml::Table>().map(toml::Value::Table);
        table.map_or(true, |it| has_file(&it, root))
    })
}

fn has_file(value: &toml::Value, root: &Path) -> bool {
    match value {
        toml::Value::String(text) => text.split_whitespace().any(|it| names_file(it, root)),
        toml::Value::Array(all) => all.iter().any(|it| has_file(it, root)),
        toml::Value::Table(table) => {
            // Addresses of registries are no files.
            let own = table.iter().filter(|(key, _)| !matches!(key.as_str(), "index" | "registry"));
            own.into_iter().any(|(_, it)| has_file(it, root))
        }
        _ => false,
    }
}

/// Whether a word may be, or end in, a path in the project: a relative one, or one below the root.
fn names_file(word: &str, root: &Path) -> bool {
    if word.contains("://") {
        return false;
    }
    if root.to_str().is_some_and(|it| word.contains(it)) || word.contains("..") {
        return true;
    }
    let starts = word.trim_start_matches(['"', '\'']);
    if starts.starts_with('@') && !starts.starts_with("@/") {
        return true;
    }
    let Some((before, _)) = starts.split_once('/') else { return starts.starts_with("-T") };
    let is_absolute = before.is_empty()
        || matches!(before, "-L" | "-T" | "@")
        || before.ends_with(['=', ',', ':']);
    !is_absolute
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_names_a_file_of_the_project_by_a_relative_path_or_the_root() {
        let root = Path::new("/home/u/p");
        for word in [
            "@a/args.txt",
            "-Ta/x.ld",
            "-L../a",
            "native=/home/u/p/a",
            "-Tlink.x",
            "a/b.o",
            "-Wl,--version-script=a/x.map",
            "@args",
            "@/home/u/p/a",
            "tools/ld.sh",
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
        ] {
            assert!(!names_file(word, root), "{word}");
        }
        let links = |it: &str| links(it, root);
        assert!(links("cargo:rustc-link-arg-tests=@/home/u/p/a/args.txt\n"));
        assert!(links("cargo::rustc-link-search=native=libs/x\n"));
        assert!(links("cargo:rustc-flags=-L libs/x -l a\n") && links("cargo:rustc-link-arg=x.ld"));
        assert!(!links("cargo:rustc-link-search=/usr/lib\ncargo:rustc-cfg=a/b\nx\n"));
    }

    #[test]
    fn a_text_for_the_assembler_is_one_by_its_macro() {
        assert!(assembles("core::arch::global_asm!(\"nop\")") && assembles("use x::asm as a;"));
        assert!(!assembles("wasm::run(); // asm_js"));
    }
}
