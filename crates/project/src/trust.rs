//! Adds directories and addresses to the lists of `trust` in the user's configuration file. No other part
//! of graftage writes that file.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use toml_edit::{Array, DocumentMut, Item, Table, Value};

use crate::ProjectError;

/// Size limit of the user's configuration file in bytes.
const CONFIG_BYTES: u64 = 4 << 20;

/// What a directory is trusted for: a list of the user's file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrustFor {
    /// Builds of other projects may read it: `trust.paths`.
    Builds,
    /// Its skills may be read and run: `trust.skills`.
    Skills,
}

impl TrustFor {
    fn key(self) -> &'static str {
        match self {
            Self::Builds => "paths",
            Self::Skills => "skills",
        }
    }
}

/// Adds `folder` to a list of trusted directories of the user's file and returns its canonical path. Formatting and
/// comments of the file are kept. The file is created if it does not exist, and is not written if it
/// lists the directory already.
///
/// # Errors
/// [`ProjectError::Trust`] if `folder` is not a directory that can be trusted, or the file is not TOML or
/// cannot be written.
pub fn trust_folder(
    config_file: &Path,
    list: TrustFor,
    folder: &Path,
) -> Result<PathBuf, ProjectError> {
    let refused =
        |reason: String| ProjectError::Trust { folder: folder.display().to_string(), reason };
    let real = folder.canonicalize().map_err(|error| refused(error.to_string()))?;
    if !real.is_dir() {
        return Err(refused("it is not a directory".to_owned()));
    }
    if real.parent().is_none() {
        return Err(refused("it is the root of the file system".to_owned()));
    }
    let text = real.to_str().filter(|text| !text.contains([',', '\n']));
    let text = text.ok_or_else(|| {
        refused("its path has a comma or a line break, or is not UTF-8".to_owned())
    })?;
    let file = |reason: ListFault| refused(format!("`{}`: {reason}", config_file.display()));
    add(config_file, list.key(), text).map_err(file)?;
    Ok(real)
}

/// Adds the address of a package source to `trust.registries` of the user's file.
///
/// # Errors
/// [`ProjectError::Trust`] if it is no address of the network, or the file is not TOML or cannot be
/// written.
pub fn trust_registry(config_file: &Path, address: &str) -> Result<(), ProjectError> {
    let refused = |reason: String| ProjectError::Trust { folder: address.to_owned(), reason };
    if !is_address(address) {
        return Err(refused(
            "it is not an address such as `sparse+https://HOST/INDEX/`".to_owned(),
        ));
    }
    add(config_file, "registries", address)
        .map_err(|reason| refused(format!("`{}`: {reason}", config_file.display())))
}

/// Whether the text is an address of the network that a list can contain.
pub(crate) fn is_address(text: &str) -> bool {
    let is_plain = |c: char| !c.is_control() && !c.is_whitespace() && c != ',';
    text.split_once("://").is_some_and(|(scheme, host)| !scheme.is_empty() && !host.is_empty())
        && text.chars().all(is_plain)
}

/// Why a list of the configuration cannot be extended.
#[derive(Debug, thiserror::Error)]
enum ListFault {
    #[error(transparent)]
    Io(#[from] std::io::Error),
    #[error(transparent)]
    Read(#[from] untrusted_fs::Fault),
    #[error("it is not UTF-8")]
    NotUtf8,
    #[error("{}", .0.message())]
    Toml(#[from] toml_edit::TomlError),
    #[error("`trust` is not a table")]
    NoTable,
    #[error("`trust.{0}` is not a list")]
    NoList(String),
}

fn add(config_file: &Path, list: &str, folder: &str) -> Result<(), ListFault> {
    let _alone = lock(config_file)?;
    let bytes = untrusted_fs::read_own(config_file, CONFIG_BYTES)?;
    let text = String::from_utf8(bytes.unwrap_or_default()).map_err(|_| ListFault::NotUtf8)?;
    let mut document: DocumentMut = text.parse()?;
    let trust = document.entry("trust").or_insert_with(|| Item::Table(Table::new()));
    let trust = trust.as_table_like_mut().ok_or(ListFault::NoTable)?;
    let paths = trust.entry(list).or_insert_with(|| Item::Value(Value::Array(Array::new())));
    // The setting may also be one comma-separated string.
    if let Some(listed) = paths.as_str().map(str::to_owned) {
        let parts = listed.split(',').map(str::trim).filter(|part| !part.is_empty());
        *paths = Item::Value(Value::Array(parts.collect()));
    }
    let paths = paths.as_array_mut().ok_or_else(|| ListFault::NoList(list.to_owned()))?;
    if paths.iter().any(|it| it.as_str() == Some(folder)) {
        return Ok(());
    }
    paths.push(folder);
    Ok(replace(config_file, &document.to_string())?)
}

/// Locks the directory of the file against concurrent writes of other processes, until dropped.
fn lock(config_file: &Path) -> std::io::Result<std::fs::File> {
    let file = config_file.canonicalize().unwrap_or_else(|_| config_file.to_owned());
    let folder = file.parent().unwrap_or(Path::new("/"));
    untrusted_fs::make_private(folder)?;
    let folder = std::fs::File::open(folder)?;
    folder.lock()?;
    Ok(folder)
}

/// Replaces the file atomically; a symbolic link stays and its target is replaced.
fn replace(file: &Path, text: &str) -> std::io::Result<()> {
    let file = file.canonicalize().unwrap_or_else(|_| file.to_owned());
    let folder = file.parent().unwrap_or(Path::new("/"));
    let mut new = tempfile::NamedTempFile::new_in(folder)?;
    new.write_all(text.as_bytes())?;
    if let Ok(metadata) = file.metadata() {
        new.as_file().set_permissions(metadata.permissions())?;
    }
    new.as_file().sync_all()?;
    new.persist(&file)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Home(tempfile::TempDir);

    impl Home {
        fn new(config: Option<&str>) -> Self {
            let home = Self(tempfile::tempdir().unwrap());
            std::fs::create_dir_all(home.path().join("lib")).unwrap();
            if let Some(config) = config {
                std::fs::write(home.config(), config).unwrap();
            }
            home
        }

        fn path(&self) -> PathBuf {
            self.0.path().canonicalize().unwrap()
        }

        fn config(&self) -> PathBuf {
            self.path().join("config.toml")
        }

        /// The user's file after the call, or the error, with `~` for the home directory.
        fn trusting(&self, folder: &str) -> String {
            match trust_folder(&self.config(), TrustFor::Builds, &self.path().join(folder)) {
                Ok(_) => std::fs::read_to_string(self.config()).unwrap(),
                Err(error) => error.to_string(),
            }
            .replace(&self.path().display().to_string(), "~")
        }
    }

    #[test]
    fn an_address_is_added_once_and_what_is_none_is_refused() {
        let home = Home::new(None);
        for _ in 0..2 {
            trust_registry(&home.config(), "sparse+https://own.example/index/").unwrap();
        }
        assert_eq!(
            std::fs::read_to_string(home.config()).unwrap(),
            "[trust]\nregistries = [\"sparse+https://own.example/index/\"]\n"
        );
        for other in ["", "own", "https://", "https://a, https://b", "https://a\nb"] {
            let error = trust_registry(&home.config(), other).unwrap_err().to_string();
            assert!(error.contains("it is not an address"), "{error}");
        }
    }

    #[test]
    fn a_folder_is_added_once_and_the_rest_of_the_file_stays_as_it_is() {
        let home = Home::new(None);
        assert_eq!(home.trusting("lib"), "[trust]\npaths = [\"~/lib\"]\n");
        assert_eq!(home.trusting("lib/../lib"), "[trust]\npaths = [\"~/lib\"]\n");
        let config = "# mine\nfix.attempts = 3 # few\n\n[trust]\npaths = \"/a, /b\"\n[x]\ny=1\n";
        let home = Home::new(Some(config));
        assert_eq!(
            home.trusting("lib"),
            "# mine\nfix.attempts = 3 # few\n\n[trust]\npaths = [\"/a\", \"/b\", \"~/lib\"]\n[x]\ny=1\n"
        );
    }

    #[test]
    fn paths_that_cannot_be_trusted_are_refused_and_nothing_is_written() {
        let home = Home::new(Some("trust = 3"));
        assert_eq!(
            home.trusting("lib"),
            "cannot trust `~/lib`: `~/config.toml`: `trust` is not a table"
        );
        assert!(home.trusting("missing").starts_with("cannot trust `~/missing`: No such file"));
        assert_eq!(
            home.trusting("config.toml"),
            "cannot trust `~/config.toml`: it is not a directory"
        );
        std::fs::create_dir(home.path().join("a,b")).unwrap();
        assert!(home.trusting("a,b").contains("has a comma"));
        let root = trust_folder(&home.config(), TrustFor::Builds, Path::new("/")).unwrap_err();
        assert!(root.to_string().contains("the root of the file system"));
        assert_eq!(std::fs::read_to_string(home.config()).unwrap(), "trust = 3");
    }

    #[test]
    fn folders_that_are_added_at_the_same_time_are_all_kept() {
        let home = Home::new(None);
        let folders: Vec<PathBuf> = (0..8).map(|n| home.path().join(format!("lib{n}"))).collect();
        folders.iter().for_each(|folder| std::fs::create_dir(folder).unwrap());
        std::thread::scope(|scope| {
            for folder in &folders {
                scope.spawn(|| trust_folder(&home.config(), TrustFor::Builds, folder).unwrap());
            }
        });
        let text = std::fs::read_to_string(home.config()).unwrap();
        assert!((0..8).all(|n| text.contains(&format!("/lib{n}\""))), "{text}");
    }

    #[test]
    fn a_configuration_that_is_a_link_stays_one() {
        let home = Home::new(None);
        std::fs::write(home.path().join("real.toml"), "").unwrap();
        std::os::unix::fs::symlink("real.toml", home.config()).unwrap();
        assert_eq!(home.trusting("lib"), "[trust]\npaths = [\"~/lib\"]\n");
        assert!(home.config().is_symlink());
    }
}
