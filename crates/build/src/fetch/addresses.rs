//! What a download would contact, checked before it has the network: git repositories are refused,
//! and addresses that only the project names need the user's trust.

use std::path::Path;

use base::SortedMap;
use toml::{Table, Value};

use super::config::ReducedConfig;
use super::home;
use super::lock_file::LockFile;
use super::project_files::ProjectFiles;
use crate::outside::each_dependency;

/// Why a project's packages may not be downloaded, if that is so.
pub(super) fn refusal(
    cargo_home: &Path,
    config: &ReducedConfig,
    files: &ProjectFiles,
    lock: Option<&LockFile>,
) -> Option<String> {
    if let Some(reason) = &files.incomplete {
        return Some(format!(
            "not all manifests of the project can be read: {reason}\nhint: run `cargo fetch` in \
             the project"
        ));
    }
    let tables = || files.manifests.iter().map(|(_, table)| table).chain([&config.table]);
    let mut git: SortedMap<String, String> = lock.map(|it| it.git.clone()).unwrap_or_default();
    for table in tables() {
        git.extend(named(table, "git"));
    }
    missing_git(cargo_home, &git).or_else(|| {
        let mut addresses: SortedMap<String, String> = SortedMap::new();
        let of_lock = lock.into_iter().flat_map(|lock| &lock.registries);
        addresses.extend(of_lock.map(|address| (address.clone(), "`Cargo.lock`".to_owned())));
        let manifests =
            files.manifests.iter().map(|(path, table)| (format!("`{}`", path.display()), table));
        let of_config = ("the configuration of cargo".to_owned(), &config.table);
        for (by, table) in manifests.chain([of_config]) {
            let found = named(table, "registry-index").into_iter();
            addresses.extend(found.map(|(_, address)| (address, by.clone())));
        }
        addresses.retain(|address, _| !config.allowed.allows(address));
        untrusted(&addresses)
    })
}

/// The values of a key of all dependencies, by the names of these.
fn named(table: &Table, key: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    each_dependency(table, &mut |name, dependency| {
        let value = dependency.get(key).and_then(Value::as_str);
        found.extend(value.map(|value| (name.to_owned(), value.to_owned())));
    });
    found
}

/// Lists the addresses with the flags that allow them.
fn untrusted(addresses: &SortedMap<String, String>) -> Option<String> {
    if addresses.is_empty() {
        return None;
    }
    let listed: Vec<String> =
        addresses.iter().map(|(address, by)| format!("{address:?} (named by {by})")).collect();
    let flags: Vec<String> = addresses.keys().map(|address| flag(address)).collect();
    Some(format!(
        "the project names package sources that you have not allowed: {}\nhint: check them, then \
         allow each once with `{}`",
        listed.join(", "),
        flags.join(" ")
    ))
}

/// The flag that allows an address, quoted for a shell.
pub(super) fn flag(address: &str) -> String {
    format!("--trust-registry '{}'", address.replace('\'', r"'\''"))
}

/// Lists the git dependencies of which the user's cargo has no clone.
fn missing_git(cargo_home: &Path, git: &SortedMap<String, String>) -> Option<String> {
    let clones = home::sources(&cargo_home.join("git/db"));
    let has_clone = |address: &str| {
        let name = address.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
        let name = name.strip_suffix(".git").unwrap_or(name).to_lowercase();
        clones.iter().any(|clone| {
            clone.rsplit_once('-').is_some_and(|(ident, _)| ident.eq_ignore_ascii_case(&name))
        })
    };
    let missing: Vec<String> = git
        .iter()
        .filter(|(_, address)| !has_clone(address))
        .map(|(name, address)| format!("{name} from {address}"))
        .collect();
    (!missing.is_empty()).then(|| {
        format!(
            "git dependencies are not downloaded by graftage, for `Cargo.lock` has no SHA-256 of \
             them: {}\nhint: run `cargo fetch` in the project",
            missing.join(", ")
        )
    })
}
