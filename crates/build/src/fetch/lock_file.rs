//! Parses `Cargo.lock` as untrusted input: packages, their sources and checksums. A name that could
//! leave a folder when it is used in a path is an error. Start at [`LockFile`].

use base::{SortedMap, SortedSet};

use super::fault::LockFault;

/// Maximum number of packages in a lock file.
const PACKAGES: usize = 50_000;
/// Maximum length of a package's name or version, in bytes.
const NAME_BYTES: usize = 255;

/// One version of a package in a registry.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Release {
    /// ASCII letters, digits, `-` and `_`: a file name on any system.
    pub(crate) name: String,
    /// Begins with a digit; letters, digits, `.`, `+` and `-`.
    pub(super) version: String,
}

impl Release {
    /// `name-version`, the folder of the unpacked sources in the registry.
    pub(crate) fn folder(&self) -> String {
        format!("{}-{}", self.name, self.version)
    }

    /// `name-version.crate`.
    pub(super) fn file(&self) -> String {
        format!("{}.crate", self.folder())
    }
}

/// The package sources in a `Cargo.lock`. Its text is untrusted: names that are not safe as parts of
/// paths are rejected here.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct LockFile {
    /// Packages of registries, with the SHA-256 of their `.crate` in lower-case hex: several if
    /// registries have the same package, none if the file has none.
    pub(crate) releases: SortedMap<Release, SortedSet<String>>,
    /// Packages of git repositories by name, with the address of the repository.
    pub(crate) git: SortedMap<String, String>,
    /// Addresses of the registries.
    pub(super) registries: SortedSet<String>,
    /// The names of the packages that a package needs, of all its versions together; also of the project's.
    pub(crate) needs: SortedMap<String, SortedSet<String>>,
}

impl LockFile {
    /// Parses a lock file of any version; the error is why it is invalid.
    pub(crate) fn parse(text: &str) -> Result<Self, LockFault> {
        let table: toml::Table = text
            .parse()
            .map_err(|error: toml::de::Error| LockFault::Toml(error.message().to_owned()))?;
        let packages = table.get("package").and_then(toml::Value::as_array);
        let packages = packages.map(Vec::as_slice).unwrap_or_default();
        if packages.len() > PACKAGES {
            return Err(LockFault::TooMany(PACKAGES));
        }
        let mut lock = Self::default();
        for package in packages {
            lock.add(package)?;
        }
        lock.add_old_checksums(&table)?;
        Ok(lock)
    }

    fn add(&mut self, package: &toml::Value) -> Result<(), LockFault> {
        let text = |key: &str| package.get(key).and_then(toml::Value::as_str);
        let (Some(name), Some(version)) = (text("name"), text("version")) else {
            return Err(LockFault::NoName);
        };
        let needed = package.get("dependencies").and_then(toml::Value::as_array);
        let needed = needed.into_iter().flatten().filter_map(toml::Value::as_str);
        // `name`, or `name version` and `name version (source)` where it is needed to be exact.
        let names = needed.filter_map(|it| it.split(' ').next()).map(str::to_owned);
        self.needs.entry(name.to_owned()).or_default().extend(names);
        let Some(source) = text("source") else { return Ok(()) };
        let release = release(name, version)?;
        if source.starts_with("git+") {
            let address = source.trim_start_matches("git+").split(['?', '#']).next();
            self.git.insert(release.name, address.unwrap_or_default().to_owned());
            return Ok(());
        }
        self.registries.insert(source.to_owned());
        let checksums = self.releases.entry(release).or_default();
        if let Some(checksum) = text("checksum") {
            checksums.insert(sha256(checksum)?);
        }
        Ok(())
    }

    /// Before version 2 the checksums were separate: `"checksum NAME VERSION (SOURCE)" = "…"`.
    fn add_old_checksums(&mut self, table: &toml::Table) -> Result<(), LockFault> {
        let metadata = table.get("metadata").and_then(toml::Value::as_table);
        for (key, value) in metadata.into_iter().flatten() {
            let mut words = key.split(' ');
            let ("checksum", Some(name), Some(version), Some(checksum)) =
                (words.next().unwrap_or_default(), words.next(), words.next(), value.as_str())
            else {
                continue;
            };
            // Without a checksum cargo wrote `<none>`.
            if checksum != "<none>"
                && let Some(known) = self.releases.get_mut(&release(name, version)?)
            {
                known.insert(sha256(checksum)?);
            }
        }
        Ok(())
    }
}

fn release(name: &str, version: &str) -> Result<Release, LockFault> {
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    let is_version = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '+' | '-');
    let fits = |text: &str| !text.is_empty() && text.len() <= NAME_BYTES;
    if !fits(name) || !name.chars().all(is_name) {
        return Err(LockFault::PackageName(name.to_owned()));
    }
    let starts_well = version.starts_with(|c: char| c.is_ascii_digit());
    if !fits(version) || !starts_well || !version.chars().all(is_version) {
        let (name, version) = (name.to_owned(), version.to_owned());
        return Err(LockFault::Version { name, version });
    }
    Ok(Release { name: name.to_owned(), version: version.to_owned() })
}

fn sha256(text: &str) -> Result<String, LockFault> {
    if text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Ok(text.to_ascii_lowercase());
    }
    Err(LockFault::Checksum(text.to_owned()))
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    const SUM: &str = "AA000000000000000000000000000000000000000000000000000000000000ff";

    fn parsed(text: &str) -> String {
        match LockFile::parse(text) {
            Ok(lock) => {
                let releases = lock.releases.iter().map(|(it, sums)| {
                    let sums: Vec<&str> = sums.iter().map(|sum| &sum[..4]).collect();
                    format!("{} {}\n", it.folder(), sums.join(" "))
                });
                let git = lock.git.iter().map(|(name, from)| format!("{name} from {from}\n"));
                releases.chain(git).collect()
            }
            Err(fault) => fault.to_string(),
        }
    }

    fn package(name: &str, version: &str, rest: &str) -> String {
        let name = name.replace('\0', "\\u0000");
        format!("[[package]]\nname = \"{name}\"\nversion = \"{version}\"\n{rest}\n")
    }

    #[test]
    fn packages_of_registries_are_read_with_their_checksums_old_and_new() {
        let registry = "source = \"registry+https://example.org/index\"";
        let text = [
            package("member", "0.1.0", ""),
            package("a", "1.0.0+x.1", &format!("{registry}\nchecksum = {SUM:?}")),
            package("b_c", "2.0.0-rc.1", registry),
            package("g", "0.1.0", "source = \"git+https://example.org/g.git?branch=m#abc\""),
            format!("[metadata]\n\"checksum b_c 2.0.0-rc.1 (r)\" = {SUM:?}\n\"other\" = \"x\"\n"),
        ]
        .concat();
        expect![[r#"
            a-1.0.0+x.1 aa00
            b_c-2.0.0-rc.1 aa00
            g from https://example.org/g.git
        "#]]
        .assert_eq(&parsed(&text));
        assert_eq!(parsed("version = 4\n"), "");
    }

    #[test]
    fn names_that_lead_elsewhere_and_checksums_that_are_none_are_refused() {
        let source = "source = \"registry+https://example.org/index\"";
        for (name, version) in [
            ("../x", "1.0.0"),
            ("a/b", "1.0.0"),
            ("..", "1.0.0"),
            ("", "1.0.0"),
            ("a\0b", "1.0.0"),
            ("a", "1/../../x"),
            ("a", ".."),
            ("a", "-1"),
            ("a", ""),
        ] {
            let text = package(name, version, source);
            assert!(
                parsed(&text).contains("which is no"),
                "{name:?} {version:?}: {}",
                parsed(&text)
            );
        }
        let text = package("a", "1.0.0", &format!("{source}\nchecksum = \"../../x\""));
        assert_eq!(parsed(&text), "`Cargo.lock` has the checksum \"../../x\", which is no SHA-256");
        assert!(parsed("[[package]]\nname = 3\n").contains("without a name"));
        assert!(parsed("package [").contains("is not valid TOML"));
    }

    #[test]
    fn a_lock_file_without_end_is_refused() {
        let text = "[[package]]\nname = \"a\"\nversion = \"1.0.0\"\n".repeat(PACKAGES + 1);
        assert_eq!(parsed(&text), "`Cargo.lock` names more than 50000 packages");
    }
}
