//! Which build scripts may read files of other packages without a word of it: what they declare
//! (`rerun-if-changed`) is theirs to choose, so that a change of any such file may change what they make.
//! To run one again builds its package and all that depend on it, so sources, which change most, count for
//! those alone that look for some elsewhere.

use base::SortedSet;
use untrusted_fs::Dir;

use super::BuildSources;
use super::macro_reads::{MAX_BYTES, READING, may_read, replaces_sources, with_local};
use crate::manifests::DependencyKind;
use crate::{CargoWorkspace, Package};

/// Words without which a script that opens files leaves its own folder, or runs what may.
const LEAVING: &[&str] = &[
    "Command",
    "WalkDir",
    "ancestors",
    "canonicalize",
    "concat",
    "extern",
    "from_utf8",
    "glob",
    "include",
    "mod",
    "parent",
    "path",
    "pop",
    "read_dir",
    "read_link",
    "walkdir",
];
/// Crates for build scripts that open no file of a project.
const BLIND: &[&str] =
    &["autocfg", "pkg-config", "rustc_version", "rustversion", "semver", "vcpkg", "version_check"];
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
            let code = with_local(workspace, package);
            code.iter().any(|it| may_read(sources, workspace, it))
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
    let mut scripts = manifest.targets.iter().filter(|it| it.kind == "build");
    scripts.any(|it| {
        let Ok(path) = it.root.strip_prefix(sources.root) else { return true };
        let found = root.read(path, MAX_BYTES).ok().flatten();
        found.is_none_or(|it| reads(&String::from_utf8_lossy(&it.bytes), only_sources))
    })
}

/// Whether a script has a word that opening a file needs and, for sources, one that leads out of its folder.
fn reads(text: &str, only_sources: bool) -> bool {
    let words = || text.split(|c: char| !(c.is_alphanumeric() || c == '_'));
    // Variables are no files; a module is a text that is not looked at.
    let opens = |it: &str| it == "mod" || (it != "env" && READING.contains(&it));
    let leaves = || text.contains("..") || words().any(|it| LEAVING.contains(&it));
    words().any(opens) && (!only_sources || leaves())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_that_opens_no_file_reads_none_and_one_that_stays_reads_no_sources() {
        let blind =
            "fn main() { println!(\"cargo:rustc-env=X={}\", std::env::var(\"Y\").unwrap()); }";
        assert!(!reads(blind, false) && !reads(blind, true));
        let makes = "fn main() { std::fs::write(out.join(\"x.rs\"), \"\").unwrap(); }";
        assert!(reads(makes, false) && !reads(makes, true));
        for leaves in [
            "fn main() { std::fs::read(\"../a/src/lib.rs\").unwrap(); }",
            "fn main() { std::fs::read([\".\", \".\"].concat()).unwrap(); }",
            "fn main() { std::fs::read(root.parent().unwrap()).unwrap(); }",
            "mod helper; fn main() { helper::go() }",
            "fn main() { std::process::Command::new(\"sh\").status().unwrap(); }",
        ] {
            assert!(reads(leaves, false) && reads(leaves, true), "{leaves}");
        }
    }
}
