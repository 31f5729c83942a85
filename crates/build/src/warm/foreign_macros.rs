//! Which packages load a macro of a registry that may read sources of other packages while it expands. No
//! report of a unit names what it reads, and its code is not the project's, so that those count as blind
//! whose code is known.

use std::path::Path;

use base::{SortedMap, SortedSet};
use untrusted_fs::{Dir, EntryKind};

use super::BuildSources;
use super::macro_reads::{MAX_BYTES, replaces_sources};
use crate::fetch::lock_file::{LockFile, Release};
use crate::{CargoWorkspace, Package};

/// Macros that open no file, or the manifest of the package alone.
const BLIND: &[&str] = &[
    "actix-macros",
    "actix-web-codegen",
    "actix_derive",
    "arg_enum_proc_macro",
    "argh_derive",
    "async-recursion",
    "async-stream-impl",
    "async-trait",
    "auto_impl",
    "axum-macros",
    "binrw_derive",
    "bitfield-struct",
    "bon-macros",
    "borsh-derive",
    "bpaf_derive",
    "bytecheck_derive",
    "bytemuck_derive",
    "clap_derive",
    "const_format_proc_macros",
    "ctor-proc-macro",
    "darling_macro",
    "data-encoding-macro-internal",
    "delegate",
    "derivative",
    "derive_arbitrary",
    "derive_builder_macro",
    "derive_more",
    "derive_more-impl",
    "diesel_derives",
    "displaydoc",
    "document-features",
    "dtor-proc-macro",
    "educe",
    "enum-as-inner",
    "enum_dispatch",
    "enumflags2_derive",
    "foreign-types-macros",
    "futures-macro",
    "getset",
    "impl-more",
    "indoc",
    "miette-derive",
    "mockall_derive",
    "monostate-impl",
    "multiversion-macros",
    "num-derive",
    "num_enum_derive",
    "openssl-macros",
    "parse-display-derive",
    "paste",
    "phf_macros",
    "pin-project-internal",
    "proc-macro-error-attr",
    "proc-macro-error-attr2",
    "proc-macro-error-attr3",
    "proptest-derive",
    "prost-derive",
    "ref-cast-impl",
    "rkyv_derive",
    "rustversion",
    "schemars_derive",
    "serde_derive",
    "serde_repr",
    "serde_with_macros",
    "serial_test_derive",
    "smart-default",
    "snafu-derive",
    "strum_macros",
    "test-case-macros",
    "test-log-macros",
    "thiserror-impl",
    "time-macros",
    "tokio-macros",
    "tracing-attributes",
    "typed-builder-macro",
    "valuable-derive",
    "windows-implement",
    "windows-interface",
    "yoke-derive",
    "zerocopy-derive",
    "zerofrom-derive",
    "zeroize_derive",
    "zerovec-derive",
];
/// Most registries in the user's folder.
const REGISTRIES: usize = 1_000;

/// The packages whose compiler loads such a macro, directly or through what it depends on, and those that
/// depend on them.
pub(super) fn load_foreign_readers(
    sources: &BuildSources<'_>,
    workspace: &CargoWorkspace,
) -> Vec<String> {
    let lock = lock(workspace).filter(|_| !replaces_sources(sources.root));
    // Without versions, or with other sources behind the names, nothing is known.
    let Some(lock) = lock else { return with_foreign(workspace) };
    let is_known = |name: &str| workspace.packages.iter().any(|it| it.name == name);
    let mut readers = readers(&lock, sources.cargo_home);
    // A package of a folder that no manifest names, such as a patch in a configuration.
    let foreign = |name: &String| {
        lock.git.contains_key(name) || lock.releases.keys().any(|it| it.name == *name)
    };
    readers.extend(lock.needs.keys().filter(|it| !is_known(it) && !foreign(it)).cloned());
    if readers.is_empty() {
        return Vec::new();
    }
    let loads = |it: &&Package| reaches(&lock.needs, &it.name, &readers);
    let loading: Vec<String> =
        workspace.packages.iter().filter(loads).map(|it| it.name.clone()).collect();
    workspace.with_dependents(&loading)
}

fn lock(workspace: &CargoWorkspace) -> Option<LockFile> {
    let found = untrusted_fs::read_regular(&workspace.root.join("Cargo.lock"), MAX_BYTES);
    LockFile::parse(&String::from_utf8(found.ok().flatten()?).ok()?).ok()
}

/// The packages with dependencies of unknown versions.
fn with_foreign(workspace: &CargoWorkspace) -> Vec<String> {
    let is_local = |name: &String| workspace.packages.iter().any(|it| it.name == *name);
    let known = |package: &Package| {
        let manifest = workspace.manifests.iter().find(|it| it.dir == package.dir);
        manifest.is_some_and(|it| it.dependencies.iter().all(|it| is_local(&it.package)))
    };
    let unknown = workspace.packages.iter().filter(|it| !known(it));
    let unknown: Vec<String> = unknown.map(|it| it.name.clone()).collect();
    workspace.with_dependents(&unknown)
}

/// The names of the foreign packages that may be such a macro.
fn readers(lock: &LockFile, cargo_home: &Path) -> SortedSet<String> {
    let registries = registries(cargo_home);
    let released = lock.releases.keys().filter(|it| !BLIND.contains(&it.name.as_str()));
    let macros = released.filter(|it| is_macro(&registries, it)).map(|it| it.name.clone());
    macros.chain(lock.git.keys().cloned()).collect()
}

/// The folders of unpacked packages.
fn registries(cargo_home: &Path) -> Vec<Dir> {
    let path = cargo_home.join("registry/src");
    // The user may have put it elsewhere by a link.
    let Ok(all) = Dir::open(&path.canonicalize().unwrap_or(path)) else { return Vec::new() };
    let entries = all.entries(REGISTRIES).unwrap_or_default();
    let folders = entries.iter().filter(|it| it.kind == EntryKind::Folder);
    folders.filter_map(|it| all.open_dir(&it.name).ok().flatten()).collect()
}

/// Whether the package is a macro. One that is not unpacked is not compiled: the folder is filled before
/// anything runs, and read-only for it.
fn is_macro(registries: &[Dir], release: &Release) -> bool {
    let manifest = Path::new(&release.folder()).join("Cargo.toml");
    registries.iter().any(|registry| match registry.read(&manifest, MAX_BYTES) {
        Ok(None) => false,
        Ok(Some(found)) => names_macro(&String::from_utf8_lossy(&found.bytes)),
        Err(_) => true,
    })
}

fn names_macro(manifest: &str) -> bool {
    if !manifest.contains("proc") {
        return false;
    }
    manifest.parse::<toml::Table>().map_or(true, |it| crate::workspace::names_macro(&it))
}

/// Whether a package is one of these or needs one, directly or not.
fn reaches(
    needs: &SortedMap<String, SortedSet<String>>,
    from: &str,
    to: &SortedSet<String>,
) -> bool {
    let mut seen: SortedSet<&str> = SortedSet::from([from]);
    let mut queue = vec![from];
    while let Some(name) = queue.pop() {
        if to.contains(name) {
            return true;
        }
        let needed = needs.get(name).into_iter().flatten().map(String::as_str);
        queue.extend(needed.filter(|it| seen.insert(it)));
    }
    false
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    const NONE: &SortedSet<base::ProjectPath> = &SortedSet::new();

    /// The packages `a`, which uses `embeds`, `b`, which uses `a`, and `c`, which uses `derives`.
    fn loading(lock: &str, configuration: &str) -> String {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        let write = |path: &str, text: &str| {
            let path = root.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        let unpacked = |name: &str, text: &str| {
            write(&format!("home/registry/src/index/{name}-1.0.0/Cargo.toml"), text);
        };
        unpacked("embeds", "[lib]\nname = \"embeds\"\n");
        unpacked("embeds-impl", "[lib]\nproc-macro = true\n");
        unpacked("serde_derive", "[lib]\nproc-macro = true\n");
        if !lock.is_empty() {
            write("Cargo.lock", lock);
        }
        write(".cargo/config.toml", configuration);
        let package = |name: &str, needs: &[&str]| Package {
            name: name.into(),
            dir: root.join(name),
            depends_on: needs.iter().map(|it| (*it).to_owned()).collect(),
            ..Package::default()
        };
        let packages = vec![package("a", &[]), package("b", &["a"]), package("c", &[])];
        let workspace = CargoWorkspace { root: root.clone(), packages, ..Default::default() };
        let (files, home) = (SortedMap::new(), root.join("home"));
        let sources = BuildSources {
            root: &root,
            files: &files,
            beside: NONE,
            closed: NONE,
            workspace: Some(&workspace),
            cargo_home: &home,
        };
        load_foreign_readers(&sources, &workspace).join(" ")
    }

    fn lock() -> String {
        let package = |name: &str, source: &str, needs: &str| {
            format!(
                "[[package]]\nname = \"{name}\"\nversion = \"1.0.0\"\n{source}dependencies = [{needs}]\n"
            )
        };
        let foreign = "source = \"registry+https://example.org/index\"\n";
        [
            package("a", "", "\"embeds 1.0.0\""),
            package("b", "", "\"a\""),
            package("c", "", "\"serde_derive\""),
            package("embeds", foreign, "\"embeds-impl\""),
            package("embeds-impl", foreign, ""),
            package("serde_derive", foreign, ""),
        ]
        .concat()
    }

    #[test]
    fn a_macro_of_a_registry_that_is_not_known_reads_for_all_that_reach_it() {
        assert_eq!(loading(&lock(), ""), "a b");
        let only_known =
            lock().replace("\"embeds 1.0.0\"", "\"embeds\"").replace("\"embeds-impl\"]", "]");
        assert_eq!(loading(&only_known, ""), "");
        // Other sources may be behind a known name.
        assert_eq!(loading(&lock(), "[source.crates-io]\nreplace-with = \"x\"\n"), "a b c");
        let git = lock().replace("registry+https", "git+https");
        assert_eq!(loading(&git, ""), "a b c");
        // Without versions nothing is known.
        assert_eq!(loading("", ""), "a b c");
        assert_eq!(loading("[[package", ""), "a b c");
    }
}
