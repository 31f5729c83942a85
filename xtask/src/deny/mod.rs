//! Checks `deny.toml` without cargo-deny, offline: licences, sources and bans. The lists are those
//! of that file; a key that is not read here is an error, so that no rule is set but not checked. Without
//! cargo-deny, because set-up would have to build it: several hundred further crates for one step of a check.
//!
//! Advisories need a database from the network and are left to `cargo deny check advisories`.

mod licence;
mod settings;

use std::collections::BTreeMap;
use std::path::Path;

use crate::Failure;
use crate::run::{cargo, output, step, works};
use crate::tidy::{Manifest, crates};
use licence::is_allowed;
use settings::{Settings, Value};

/// The registry that `cargo deny` allows if `deny.toml` names none.
const DEFAULT_REGISTRY: &str = "https://github.com/rust-lang/crates.io-index";

/// Checks the policy; cargo-deny checks it again if it is installed.
pub(crate) fn deny(root: &Path) -> Result<(), Failure> {
    let read = |name: &str| {
        std::fs::read_to_string(root.join(name))
            .map_err(|err| Failure::Check(format!("cannot read {name}: {err}")))
    };
    let policy = Policy::read(&read("deny.toml")?)
        .map_err(|err| Failure::Check(format!("deny.toml: {err}")))?;
    let tree = [
        "tree",
        "--workspace",
        "--all-features",
        "--target",
        "all",
        "--edges",
        "normal,build,dev",
        "--prefix",
        "none",
        "--format",
        "{p}|{l}",
        "--locked",
        "--offline",
    ];
    let packages = packages(&output(&mut cargo(root, &tree))?);
    let lock = read("Cargo.lock")?;
    let mut problems = policy.licence_problems(&packages);
    problems.extend(policy.source_problems(&lock));
    let mut manifests = vec!["Cargo.toml".to_owned()];
    manifests.extend(crates(root).into_iter().map(|name| format!("crates/{name}/Cargo.toml")));
    for path in manifests {
        problems.extend(policy.wildcard_problems(&path, &Manifest::parse(&read(&path)?)));
    }
    let several = several_versions(&lock);
    for (name, versions) in &several {
        println!("in several versions: {name} {}", versions.join(", "));
    }
    if policy.several_versions_denied && !several.is_empty() {
        problems.push(format!("{} packages in several versions", several.len()));
    }
    for problem in &problems {
        eprintln!("error: {problem}");
    }
    if !problems.is_empty() {
        return Err(Failure::Check(format!("{} violations of deny.toml", problems.len())));
    }
    println!("dependency policy: {} packages, no violation of deny.toml", packages.len());
    if works(&mut cargo(root, &["deny", "--version"])) {
        let checks = ["deny", "--offline", "check", "bans", "licenses", "sources"];
        step(&mut cargo(root, &checks))?;
    }
    Ok(())
}

/// The name, version and licence of each package of cargo's tree (`{p}|{l}` without prefix), without duplicates.
pub(crate) fn packages(tree: &str) -> Vec<(String, String, String)> {
    let mut packages: Vec<_> = tree
        .lines()
        .filter_map(|line| {
            let (package, licence) = line.split_once('|')?;
            let mut words = package.split(' ');
            let (name, version) = (words.next()?, words.next()?);
            let licence = licence.trim_end_matches("(*)").trim_end();
            Some((name.to_owned(), version.to_owned(), licence.to_owned()))
        })
        .collect();
    packages.sort();
    packages.dedup();
    packages
}

/// The packages that the lock file contains in more than one version.
fn several_versions(lock: &str) -> BTreeMap<&str, Vec<&str>> {
    let mut versions: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let mut name = "";
    for line in lock.lines() {
        if let Some(value) = line.strip_prefix("name = ") {
            name = value.trim_matches('"');
        } else if let Some(value) = line.strip_prefix("version = ")
            && !name.is_empty()
        {
            versions.entry(name).or_default().push(value.trim_matches('"'));
        }
    }
    versions.retain(|_, versions| versions.len() > 1);
    versions
}

/// The rules of `deny.toml` that can be checked offline.
#[derive(Debug, Default)]
struct Policy {
    licences: Vec<String>,
    exceptions: Vec<(String, Vec<String>)>,
    registries: Vec<String>,
    git: Vec<String>,
    wildcards_denied: bool,
    several_versions_denied: bool,
}

impl Policy {
    fn read(text: &str) -> Result<Self, String> {
        let settings = Settings::parse(text)?;
        let mut policy = Policy::default();
        for (section, key, value) in settings.entries() {
            let wrong = || format!("`[{section}] {key}` has an unsupported value");
            let is = |text: &str| value.text() == Some(text);
            match (section, key) {
                // Settings of cargo-deny itself: the network, its texts, its output.
                ("graph" | "advisories", _)
                | ("licenses", "unused-allowed-license" | "confidence-threshold")
                | ("bans", "highlight") => {}
                ("licenses", "allow") => policy.licences = value.texts().ok_or_else(wrong)?,
                ("licenses", "exceptions") => {
                    policy.exceptions = exceptions(value).ok_or_else(wrong)?
                }
                ("sources", "allow-registry") => {
                    policy.registries = value.texts().ok_or_else(wrong)?
                }
                ("sources", "allow-git") => policy.git = value.texts().ok_or_else(wrong)?,
                ("bans", "wildcards") => policy.wildcards_denied = is("deny"),
                ("bans", "multiple-versions") => policy.several_versions_denied = is("deny"),
                // Checked in any case: our packages need a licence, other packages a listed source,
                // and a path is not a version.
                ("licenses.private", "ignore") if is("false") => {}
                ("sources", "unknown-registry" | "unknown-git") if is("deny") => {}
                ("bans", "allow-wildcard-paths") if is("true") => {}
                _ => return Err(wrong()),
            }
        }
        if policy.registries.is_empty() {
            policy.registries.push(DEFAULT_REGISTRY.to_owned());
        }
        Ok(policy)
    }

    fn licence_problems(&self, packages: &[(String, String, String)]) -> Vec<String> {
        let mut problems = Vec::new();
        for (name, version, licence) in packages {
            let more = self.exceptions.iter().filter(|(exception, _)| exception == name);
            let allowed: Vec<&str> = self
                .licences
                .iter()
                .chain(more.flat_map(|(_, licences)| licences))
                .map(String::as_str)
                .collect();
            match is_allowed(licence, &allowed) {
                Ok(true) => {}
                Ok(false) => problems.push(format!(
                    "{name} {version}: licence `{licence}` is not in `[licenses] allow`, and no \
                     exception names it"
                )),
                Err(why) => problems.push(format!("{name} {version}: licence `{licence}`: {why}")),
            }
        }
        problems
    }

    fn source_problems(&self, lock: &str) -> Vec<String> {
        let sources = lock.lines().filter_map(|line| line.strip_prefix("source = "));
        let mut problems: Vec<String> = sources
            .map(|source| source.trim_matches('"'))
            .filter(|source| {
                let is = |prefix: &str, allowed: &[String]| {
                    let url = source.strip_prefix(prefix);
                    let url = url.map(|url| url.split(['?', '#']).next().unwrap_or_default());
                    url.is_some_and(|url| allowed.iter().any(|allowed| allowed == url))
                };
                !is("registry+", &self.registries) && !is("git+", &self.git)
            })
            .map(|source| format!("Cargo.lock: `{source}` is not a source that deny.toml allows"))
            .collect();
        problems.sort();
        problems.dedup();
        problems
    }

    fn wildcard_problems(&self, path: &str, manifest: &Manifest) -> Vec<String> {
        if !self.wildcards_denied {
            return Vec::new();
        }
        let compact = |value: &str| value.replace(' ', "");
        let dependencies =
            manifest.dependencies().into_iter().map(|(name, value, _)| (name, value));
        let shared = manifest.section("workspace.dependencies");
        dependencies
            .chain(shared.map(|(name, value)| (name.to_owned(), value.to_owned())))
            .filter(|(_, value)| {
                let value = compact(value);
                let version = value.split("version=\"").nth(1).unwrap_or(value.trim_matches('"'));
                version.starts_with('*')
            })
            .map(|(name, _)| format!("{path}: `{name}` takes any version"))
            .collect()
    }
}

/// `{ crate = "…", allow = […] }`, any number of them.
fn exceptions(value: &Value) -> Option<Vec<(String, Vec<String>)>> {
    let Value::List(items) = value else { return None };
    let exception = |item: &Value| {
        let Value::Table(entries) = item else { return None };
        let [(crate_key, name), (allow_key, allow)] = &entries[..] else { return None };
        let named = crate_key == "crate" && allow_key == "allow";
        named.then_some(())?;
        Some((name.text()?.to_owned(), allow.texts()?))
    };
    items.iter().map(exception).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const POLICY: &str = "[licenses]\nallow = [\n  \"MIT\", # short\n]\nexceptions = [\n  \
                          { crate = \"engine\", allow = [\"MPL-2.0\"] },\n]\n[bans]\nwildcards = \
                          \"deny\"\nmultiple-versions = \"warn\"\n[sources]\nunknown-git = \"deny\"\n";

    fn policy() -> Policy {
        Policy::read(POLICY).unwrap()
    }

    #[test]
    fn a_licence_that_is_not_listed_is_named() {
        let tree = "a v1.0.0|MIT OR Apache-2.0\nengine v2.0.0|MPL-2.0\nb v1.0.0|MPL-2.0 (*)\nb \
                    v1.0.0|MPL-2.0\nc v1.0.0|\n";
        let problems = policy().licence_problems(&packages(tree));
        assert_eq!(problems.len(), 2, "{problems:?}");
        assert!(problems[0].starts_with("b 1") || problems[0].starts_with("b v1"), "{problems:?}");
        assert!(problems[1].contains("c v1.0.0"), "{problems:?}");
    }

    #[test]
    fn one_registry_and_no_git_repository_is_a_source() {
        let line = |source: &str| format!("source = \"{source}\"\n");
        let registry = line(&format!("registry+{DEFAULT_REGISTRY}"));
        assert!(policy().source_problems(&registry).is_empty());
        for other in ["registry+https://example.invalid/i", "git+https://example.invalid/a#1"] {
            assert_eq!(policy().source_problems(&line(other)).len(), 1, "{other}");
        }
    }

    #[test]
    fn a_dependency_on_any_version_is_named_and_a_path_is_none() {
        let manifest = "[dependencies]\na = \"*\"\nb = { version = \"*\" }\nc = { path = \"c\" }\n\
                        d = \"1\"\n[workspace.dependencies]\ne = \"*\"\n";
        let problems = policy().wildcard_problems("Cargo.toml", &Manifest::parse(manifest));
        assert_eq!(problems.len(), 3, "{problems:?}");
    }

    #[test]
    fn a_rule_that_is_not_read_is_an_error() {
        assert!(Policy::read("[bans]\ndeny = [\"openssl\"]\n").is_err());
        assert!(Policy::read("[sources]\nunknown-git = \"warn\"\n").is_err());
    }

    #[test]
    fn packages_in_several_versions_are_found() {
        let lock = "name = \"a\"\nversion = \"1\"\nname = \"a\"\nversion = \"2\"\nname = \"b\"\n\
                    version = \"1\"\n";
        assert_eq!(several_versions(lock).into_iter().collect::<Vec<_>>(), [("a", vec!["1", "2"])]);
    }
}
