//! The configuration that a download is given: of all that cargo reads, the few keys that say where
//! packages come from. Nothing that names a program, a credential or a file to read is among them.
//!
//! From `.cargo/config.toml` of the project and of the folders above it:
//!
//! | key | limits |
//! |---|---|
//! | `registry.default`, `source.*.replace-with`, `registries.crates-io.protocol` | text |
//! | `registries.*.index`, `source.*.registry` | `https:`, `http:`, with or without `sparse+` |
//! | `source.*.git` (with `branch`, `tag`, `rev`) | `https:`, `http:`, `ssh:` |
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

use crate::outside::{MANIFEST_BYTES, normal};

/// Maximum number of attempts per request.
const RETRIES: i64 = 10;

/// The configuration that a download reads instead of cargo's.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct ReducedConfig {
    table: Table,
    /// Certificate files of the user that `http` names.
    pub(super) certificates: Vec<PathBuf>,
    /// Rejected values of known keys, for messages.
    pub(super) refused: Vec<String>,
}

/// The owner of a configuration file.
#[derive(Clone, Copy)]
enum Owner<'a> {
    /// The project with this root.
    Project(&'a Path),
    User,
}

impl ReducedConfig {
    /// Collects the configuration for `root`: the nearest file has priority, the user's own comes
    /// last. Unreadable files are skipped and listed in `refused`.
    pub(super) fn collect(root: &Path, cargo_home: &Path) -> Self {
        let mut reduced = Self::default();
        for dir in root.ancestors().filter(|dir| dir.join(".cargo") != cargo_home) {
            let found = beneath::Dir::open(dir).and_then(|dir| read(&dir, ".cargo"));
            reduced.add(found, &dir.join(".cargo"), Owner::Project(root));
        }
        let own = ["config", "config.toml"]
            .into_iter()
            .find_map(|name| beneath::read_own(&cargo_home.join(name), MANIFEST_BYTES).transpose());
        reduced.add(own.transpose(), cargo_home, Owner::User);
        reduced
    }

    /// The text of a `config.toml`.
    pub(super) fn text(&self) -> String {
        self.table.to_string()
    }

    /// Whether the user disabled the network.
    pub(super) fn is_offline(&self) -> bool {
        self.table.get("net").and_then(|net| net.get("offline")).is_some()
    }

    fn add(
        &mut self,
        found: Result<Option<Vec<u8>>, beneath::Fault>,
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

fn read(dir: &beneath::Dir, folder: &str) -> Result<Option<Vec<u8>>, beneath::Fault> {
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
                let path = normal(&self.base.join(path));
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
            let folder = normal(&self.base.join(folder));
            if matches!(self.owner, Owner::Project(root) if !folder.starts_with(root)) {
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
            let path = normal(&self.base.join(path)).display().to_string();
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
        let is_remote = schemes.iter().any(|scheme| text.starts_with(scheme));
        if matches!(self.owner, Owner::Project(_)) && !is_remote {
            self.refuse(path, &format!("{text:?} is no address of the network"));
            return;
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

fn tables(table: &Table) -> impl Iterator<Item = (&str, &Table)> {
    table.iter().filter_map(|(name, value)| Some((name.as_str(), value.as_table()?)))
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    /// The reduced configuration of a project in `up/p`, with the temporary folder as `~`.
    fn reduced(project: &str, above: &str, user: &str) -> String {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        for (file, text) in [
            ("up/p/.cargo/config.toml", project),
            ("up/.cargo/config", above),
            ("cargo/config.toml", user),
        ] {
            std::fs::create_dir_all(at(file).parent().unwrap()).unwrap();
            std::fs::write(at(file), text).unwrap();
        }
        let found = ReducedConfig::collect(&at("up/p"), &at("cargo"));
        let text =
            found.text() + &found.refused.iter().map(|it| format!("# {it}\n")).collect::<String>();
        text.replace(&dir.path().display().to_string(), "~")
    }

    /// Each key names a program, a credential or a file that cargo would run or read.
    const HOSTILE: &str = r#"
paths = ["/etc"]
include = ["../../evil.toml"]
[build]
rustc = "./evil"
rustc-wrapper = "./evil"
rustc-workspace-wrapper = "./evil"
rustflags = ["-Zcodegen-backend=./evil.so"]
target = "./evil.json"
[target.x86_64-unknown-linux-gnu]
linker = "./evil"
runner = "./evil"
rustflags = ["-Clinker=./evil"]
[alias]
fetch = "run --bin evil"
[env]
LD_PRELOAD = "./evil.so"
[credential-alias]
evil = ["./evil"]
[registry]
credential-provider = "./evil"
global-credential-providers = ["./evil"]
token = "t"
[registries.x]
credential-provider = ["./evil"]
token = "t"
[registries.crates-io]
credential-provider = "./evil"
[net]
git-fetch-with-cli = true
offline = false
ssh.known-hosts = ["evil"]
[http]
proxy = "http://evil"
cainfo = "evil.pem"
ssl-version = "tlsv1.0"
[unstable]
gitoxide = true
[cargo-new]
vcs = "git"
"#;

    #[test]
    fn nothing_of_a_project_names_a_program_a_credential_or_a_file() {
        expect![[""]].assert_eq(&reduced(HOSTILE, HOSTILE, ""));
    }

    #[test]
    fn of_the_users_own_file_only_their_way_into_the_network_is_kept_besides() {
        expect![[r#"
            [http]
            cainfo = "~/evil.pem"
            proxy = "http://evil"
            ssl-version = "tlsv1.0"
        "#]]
        .assert_eq(&reduced("", "", HOSTILE));
    }

    #[test]
    fn where_packages_come_from_is_kept_with_the_nearest_file_first() {
        let project = r#"
[registries.near]
index = "sparse+https://near.example/"
[source.crates-io]
replace-with = "vendored"
[source.vendored]
directory = "vendor"
[patch.crates-io.a]
path = "../a"
features = ["f"]
build = "./evil"
[net]
retry = 1000
"#;
        let above = r#"
[registries.near]
index = "https://other.example/"
[registries.far]
index = "https://far.example/"
[registry]
default = "far"
"#;
        expect![[r#"
            [net]
            retry = 10

            [patch.crates-io.a]
            features = ["f"]
            path = "~/up/a"

            [registries.far]
            index = "https://far.example/"

            [registries.near]
            index = "sparse+https://near.example/"

            [registry]
            default = "far"

            [source.crates-io]
            replace-with = "vendored"

            [source.vendored]
            directory = "~/up/p/vendor"
        "#]]
        .assert_eq(&reduced(project, above, ""));
    }

    #[test]
    fn addresses_of_this_machine_and_folders_outside_are_refused_by_name() {
        let project = r#"
[registries.x]
index = "file:///srv/index"
[source.crates-io]
registry = "/srv/index"
[source.y]
git = "file:///srv/y"
[source.z]
directory = "../vendor"
[source.w]
local-registry = "/srv/registry"
"#;
        expect![[r##"
            # `registries.x.index` in `~/up/p/.cargo`: "file:///srv/index" is no address of the network
            # `source.crates-io.registry` in `~/up/p/.cargo`: "/srv/index" is no address of the network
            # `source.w.local-registry` in `~/up/p/.cargo`: `/srv/registry` is outside the project
            # `source.y.git` in `~/up/p/.cargo`: "file:///srv/y" is no address of the network
            # `source.z.directory` in `~/up/p/.cargo`: `~/up/vendor` is outside the project
        "##]]
        .assert_eq(&reduced(project, "", ""));
        let user = "[source.z]\nlocal-registry = \"/srv/registry\"\n";
        expect![[r#"
            [source.z]
            local-registry = "/srv/registry"
        "#]]
        .assert_eq(&reduced("", "", user));
    }

    #[test]
    fn a_configuration_that_is_a_link_is_refused_and_not_followed() {
        let dir = tempfile::tempdir().unwrap();
        let project = dir.path().join("p");
        std::fs::create_dir(&project).unwrap();
        std::os::unix::fs::symlink("/proc/self", project.join(".cargo")).unwrap();
        let found = ReducedConfig::collect(&project, &dir.path().join("cargo"));
        assert_eq!(found.text(), "");
        assert_eq!(found.refused.len(), 1, "{:?}", found.refused);
    }
}
