//! The configuration that a download is given: of all that cargo reads, the few keys that say where
//! packages come from. Nothing that names a program, a credential or a file to read is among them.
//!
//! From `.cargo/config.toml` of the project and of the folders above it:
//!
//! | key | limits |
//! |---|---|
//! | `registry.default`, `source.*.replace-with`, `registries.crates-io.protocol` | text |
//! | `registries.*.index`, `source.*.registry` | `https:`, `http:`, with or without `sparse+`, allowed by the user |
//! | `source.*.git` (with `branch`, `tag`, `rev`) | `https:`, `http:`, `ssh:`, allowed by the user |
//! | `source.*.directory`, `source.*.local-registry` | a folder inside the project |
//! | `patch.*` | as in a manifest; a path is made absolute, and is there where a view shows it |
//! | `net.offline` | `true` alone |
//! | `net.retry` | at most 10 |
//! | `resolver.incompatible-rust-versions` | text |
//!
//! From the user's own `CARGO_HOME/config.toml` the same without the limits on addresses and
//! folders, and `http.*` (proxy, certificates, timeouts). All else is dropped, from both: `build`,
//! `target`, `alias`, `env`, `credential-alias`, tokens and credential providers, `paths`,
//! `include`, `net.git-fetch-with-cli`, `term`, `unstable`.

use std::path::{Path, PathBuf};

use toml::{Table, Value};

use super::addresses;
use crate::outside::MANIFEST_BYTES;
use crate::{HostEnv, Trust};

/// Maximum number of attempts per request.
const RETRIES: i64 = 10;

/// The configuration that a download reads instead of cargo's.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct ReducedConfig {
    pub(super) table: Table,
    /// The addresses that may be contacted: trusted ones, and those of the user's own file.
    pub(super) allowed: Trust,
    /// Certificate files of the user that `http` names.
    pub(super) certificates: Vec<PathBuf>,
    /// Rejected values of known keys, for messages.
    pub(super) refused: Vec<String>,
}

/// The owner of a configuration file.
#[derive(Clone, Copy)]
enum Owner<'a> {
    /// The project with this root, or a folder above it.
    Project(&'a Path, &'a Trust),
    User,
}

impl ReducedConfig {
    /// Collects the configuration for `root`: the nearest file has priority, the user's own comes
    /// last. Unreadable files are skipped and listed in `refused`. Addresses of a project are those
    /// that `trust` allows, or the user's own file names.
    pub(super) fn collect(root: &Path, host: &HostEnv, trust: &Trust) -> Self {
        let cargo_home = &host.cargo_home;
        let home = host.home.join(".cargo");
        let mut users = Self::default();
        let mut own = vec![cargo_home];
        // With another `CARGO_HOME` it is still the user's own file; cargo reads it below the home.
        let is_below = host.home.is_absolute() && root.starts_with(&host.home);
        if home != *cargo_home && root != host.home && is_below {
            own.push(&home);
        }
        for folder in &own {
            let found = ["config", "config.toml"].into_iter().find_map(|name| {
                untrusted_fs::read_own(&folder.join(name), MANIFEST_BYTES).transpose()
            });
            users.add(found.transpose(), folder, Owner::User);
        }
        let trust = trust.clone().with_registries(users.addresses());
        let mut reduced = Self { allowed: trust.clone(), ..Self::default() };
        for dir in root.ancestors().filter(|dir| !own.contains(&&dir.join(".cargo"))) {
            let found = untrusted_fs::Dir::open(dir).and_then(|dir| read(&dir, ".cargo"));
            reduced.add(found, &dir.join(".cargo"), Owner::Project(root, &trust));
        }
        reduced.merge(users);
        reduced
    }

    /// Adds what `other` has and this one does not.
    fn merge(&mut self, other: Self) {
        merge(&mut self.table, other.table);
        self.certificates.extend(other.certificates);
        self.refused.extend(other.refused);
    }

    /// The network addresses of registries and sources.
    fn addresses(&self) -> Vec<String> {
        let section = |name: &str| self.table.get(name).and_then(Value::as_table);
        let inner = ["registries", "source"].into_iter().filter_map(section).flat_map(tables);
        let values = inner.flat_map(|(_, table)| {
            ["index", "registry", "git"].into_iter().filter_map(|key| table.get(key)?.as_str())
        });
        values.map(str::to_owned).collect()
    }

    /// Whether a registry has its index in a git repository.
    pub(super) fn has_git_index(&self) -> bool {
        let crates_io = self.table.get("registries").and_then(|it| it.get("crates-io"));
        let protocol = crates_io.and_then(|it| it.get("protocol")?.as_str());
        protocol == Some("git")
            || self.addresses().iter().any(|address| !address.starts_with("sparse+"))
    }

    /// The text of a `config.toml`.
    pub(super) fn text(&self) -> String {
        self.table.to_string()
    }

    /// Whether it names sources of packages, or packages that replace others.
    pub(super) fn names_sources(&self) -> bool {
        ["source", "patch"].iter().any(|section| self.table.contains_key(*section))
    }

    /// Whether the user disabled the network.
    pub(super) fn is_offline(&self) -> bool {
        self.table.get("net").and_then(|net| net.get("offline")).is_some()
    }

    fn add(
        &mut self,
        found: Result<Option<Vec<u8>>, untrusted_fs::Fault>,
        folder: &Path,
        owner: Owner<'_>,
    ) {
        let table = match found {
            Ok(None) => return,
            Ok(Some(bytes)) => String::from_utf8_lossy(&bytes).parse::<Table>().ok(),
            Err(fault) => {
                self.refused.push(format!("the configuration in `{}`: {fault}", folder.display()));
                return;
            }
        };
        // cargo will report what is wrong with a broken file.
        let Some(table) = table else { return };
        // Paths in it are relative to the folder that contains `.cargo`.
        let base = folder.parent().unwrap_or(folder);
        let mut layer = Layer { base, owner, reduced: self };
        for (key, value) in &table {
            let Some(inner) = value.as_table() else { continue };
            layer.section(key, inner);
        }
    }

    /// Whether a nearer file has the value.
    fn has(&self, path: &[&str]) -> bool {
        let Some((first, rest)) = path.split_first() else { return false };
        rest.iter().fold(self.table.get(*first), |at, key| at?.get(*key)).is_some()
    }

    /// Sets a value unless a nearer file has it.
    fn put(&mut self, path: &[&str], value: Value) {
        let Some((last, above)) = path.split_last() else { return };
        let mut table = &mut self.table;
        for key in above {
            let next = table.entry(*key).or_insert_with(|| Value::Table(Table::new()));
            let Value::Table(next) = next else { return };
            table = next;
        }
        table.entry(*last).or_insert(value);
    }
}

fn read(dir: &untrusted_fs::Dir, folder: &str) -> Result<Option<Vec<u8>>, untrusted_fs::Fault> {
    // As in cargo, the older name has priority.
    for name in ["config", "config.toml"] {
        if let Some(found) = dir.read(Path::new(folder).join(name), MANIFEST_BYTES)? {
            return Ok(Some(found.bytes));
        }
    }
    Ok(None)
}

/// One file to be merged into the reduced configuration.
struct Layer<'a, 'r> {
    base: &'a Path,
    owner: Owner<'a>,
    reduced: &'r mut ReducedConfig,
}

impl Layer<'_, '_> {
    fn section(&mut self, name: &str, table: &Table) {
        match name {
            "registry" => self.text(&["registry", "default"], table.get("default")),
            "resolver" => {
                let key = "incompatible-rust-versions";
                self.text(&["resolver", key], table.get(key));
            }
            "net" => self.net(table),
            "http" if matches!(self.owner, Owner::User) => self.http(table),
            "registries" => {
                for (name, registry) in tables(table) {
                    self.address(&["registries", name, "index"], registry.get("index"), WEB);
                    if name == "crates-io" {
                        let protocol = registry.get("protocol");
                        self.text(&["registries", name, "protocol"], protocol);
                    }
                }
            }
            "source" => {
                for (name, source) in tables(table) {
                    self.source(name, source);
                }
            }
            "patch" => {
                for (source, patches) in tables(table) {
                    for (name, patch) in tables(patches) {
                        let patch = Value::Table(self.patch(patch));
                        self.reduced.put(&["patch", source, name], patch);
                    }
                }
            }
            _ => {}
        }
    }

    fn net(&mut self, table: &Table) {
        if table.get("offline").and_then(Value::as_bool) == Some(true) {
            self.reduced.put(&["net", "offline"], Value::Boolean(true));
        }
        if let Some(retry) = table.get("retry").and_then(Value::as_integer) {
            let retry = Value::Integer(retry.clamp(0, RETRIES));
            self.reduced.put(&["net", "retry"], retry);
        }
    }

    /// How the user reaches the network.
    fn http(&mut self, table: &Table) {
        for (key, value) in table {
            if matches!(key.as_str(), "cainfo" | "proxy-cainfo") {
                let Some(path) = value.as_str() else { continue };
                let path = base::normal_path(&self.base.join(path));
                let text = path.display().to_string();
                self.reduced.put(&["http", key], Value::String(text));
                self.reduced.certificates.push(path);
            } else if !matches!(value, Value::Array(_)) {
                self.reduced.put(&["http", key], value.clone());
            }
        }
    }

    fn source(&mut self, name: &str, source: &Table) {
        for key in ["replace-with", "branch", "tag", "rev"] {
            self.text(&["source", name, key], source.get(key));
        }
        self.address(&["source", name, "registry"], source.get("registry"), WEB);
        self.address(&["source", name, "git"], source.get("git"), GIT);
        for key in ["directory", "local-registry"] {
            let Some(folder) = source.get(key).and_then(Value::as_str) else { continue };
            let folder = base::normal_path(&self.base.join(folder));
            if matches!(self.owner, Owner::Project(root, _) if !folder.starts_with(root)) {
                let place = folder.display();
                self.refuse(&["source", name, key], &format!("`{place}` is outside the project"));
                continue;
            }
            let folder = Value::String(folder.display().to_string());
            self.reduced.put(&["source", name, key], folder);
        }
    }

    fn patch(&self, patch: &Table) -> Table {
        let is_known = |key: &str| {
            ["git", "branch", "tag", "rev", "version", "package", "registry", "registry-index"]
                .contains(&key)
                || ["features", "default-features", "optional"].contains(&key)
        };
        let mut kept: Table = patch
            .iter()
            .filter(|(key, _)| is_known(key))
            .map(|(k, v)| (k.clone(), v.clone()))
            .collect();
        if let Some(path) = patch.get("path").and_then(Value::as_str) {
            let path = base::normal_path(&self.base.join(path)).display().to_string();
            kept.insert("path".to_owned(), Value::String(path));
        }
        kept
    }

    fn text(&mut self, path: &[&str], value: Option<&Value>) {
        if let Some(text) = value.and_then(Value::as_str) {
            self.reduced.put(path, Value::String(text.to_owned()));
        }
    }

    /// A network address with one of `schemes`; the user's own file may have any.
    fn address(&mut self, path: &[&str], value: Option<&Value>, schemes: &[&str]) {
        let Some(text) = value.and_then(Value::as_str) else { return };
        if self.reduced.has(path) {
            return;
        }
        let is_remote = schemes.iter().any(|scheme| text.starts_with(scheme));
        if let Owner::Project(_, trust) = self.owner {
            if !is_remote {
                self.refuse(path, &format!("{text:?} is no address of the network"));
                return;
            }
            if !trust.allows(text) {
                let flag = addresses::flag(text);
                self.refuse(path, &format!("you have not allowed {text:?}; `{flag}` allows it"));
                return;
            }
        }
        self.reduced.put(path, Value::String(text.to_owned()));
    }

    fn refuse(&mut self, path: &[&str], reason: &str) {
        let place = self.base.join(".cargo");
        self.reduced.refused.push(format!(
            "`{}` in `{}`: {reason}",
            path.join("."),
            place.display()
        ));
    }
}

const WEB: &[&str] = &["https://", "http://", "sparse+https://", "sparse+http://"];
const GIT: &[&str] = &["https://", "http://", "ssh://"];

/// Adds the values of `from` that `to` does not have, table by table.
fn merge(to: &mut Table, from: Table) {
    for (key, value) in from {
        match (to.get_mut(&key), value) {
            (None, value) => {
                to.insert(key, value);
            }
            (Some(Value::Table(to)), Value::Table(from)) => merge(to, from),
            _ => {}
        }
    }
}

fn tables(table: &Table) -> impl Iterator<Item = (&str, &Table)> {
    table.iter().filter_map(|(name, value)| Some((name.as_str(), value.as_table()?)))
}

#[cfg(test)]
mod tests;
