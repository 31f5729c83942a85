//! Configuration outside a project that its builds may read: of the folders above it, and the user's
//! own of cargo. Start at [`ShownConfiguration`].
//!
//! Invariants: a file above a project is read by descriptor and only if it is a regular file that no
//! link leads to, since a repository may contain those folders; a view shows a copy of the bytes
//! that were read, so no path is resolved a second time; no token, key or password is in what is
//! shown.

mod secrets;

use std::path::{Path, PathBuf};

use base::SortedSet;
use sandbox::{Mount, View};
use untrusted_fs::{Dir, Fault};

use crate::inputs::CONFIGURATION;
use crate::toolchain::read_only;
use crate::{CargoEnv, CargoError, HostEnv, view_file};

/// Maximum size of a configuration file that is shown, in bytes.
const FILE_BYTES: u64 = 1 << 20;
/// Maximum number of files of a project's configuration that are followed.
const MAX_INCLUDED: usize = 100;
/// Files of cargo's home, in cargo's order.
const OWN: [&str; 2] = ["config.toml", "config"];

/// The configuration outside a project as its builds may read it, and what is left out of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ShownConfiguration {
    files: Vec<ShownFile>,
    /// The files that are not shown, with reasons.
    pub notes: Vec<String>,
}

/// One file with the bytes that are shown.
#[derive(Clone, Debug, PartialEq, Eq)]
struct ShownFile {
    path: PathBuf,
    bytes: Vec<u8>,
    /// Whether the file on disk has the same bytes.
    is_original: bool,
}

impl ShownConfiguration {
    /// Reads the configuration of the folders above `root` and of cargo's home.
    pub fn collect(host: &HostEnv, root: &Path) -> Self {
        let mut shown = Self::default();
        for dir in root.ancestors().skip(1) {
            // Only there a link is the user's own: no repository contains the home.
            let follows = dir == host.home;
            let folder = if follows { None } else { Dir::open(dir).ok() };
            for name in CONFIGURATION.iter().filter(|name| !name.starts_with("rust-toolchain")) {
                let path = dir.join(name);
                if path.starts_with(&host.cargo_home) {
                    continue;
                }
                let found = match &folder {
                    Some(folder) => folder.read(name, FILE_BYTES).map(|it| it.map(|it| it.bytes)),
                    None if follows => untrusted_fs::read_own(&path, FILE_BYTES),
                    None => Ok(None),
                };
                shown.add(path, found);
            }
        }
        for path in OWN.map(|name| host.cargo_home.join(name)) {
            let found = untrusted_fs::read_own(&path, FILE_BYTES);
            shown.add(path, found);
        }
        shown
    }

    fn add(&mut self, path: PathBuf, found: Result<Option<Vec<u8>>, Fault>) {
        let reason = match found {
            Ok(None) => return,
            Ok(Some(bytes)) if !is_of_cargo(&path) => {
                return self.files.push(ShownFile { path, bytes, is_original: true });
            }
            Ok(Some(bytes)) => match secrets::without_secrets(&bytes) {
                Ok(None) => {
                    return self.files.push(ShownFile { path, bytes, is_original: true });
                }
                Ok(Some(bytes)) => {
                    return self.files.push(ShownFile { path, bytes, is_original: false });
                }
                Err(fault) => fault.to_string(),
            },
            Err(fault) => fault.to_string(),
        };
        self.notes.push(format!("`{}` is not shown to builds: {reason}", path.display()));
    }

    /// Whether cargo's configuration may name a compiler wrapper, or include a file that does.
    pub(crate) fn names_wrapper(&self) -> bool {
        self.files.iter().any(|file| is_of_cargo(&file.path) && may_name_wrapper(&file.bytes))
    }

    /// Mounts of copies of the files. Without mounts a file is shown as it is on disk, and one with
    /// secrets is not.
    ///
    /// # Errors
    /// When a copy cannot be written to graftage's cache.
    pub fn mounts(&self, env: &CargoEnv) -> Result<Vec<Mount>, CargoError> {
        let copies = env.sandbox.capabilities().namespaces.works;
        let mut mounts = Vec::new();
        for file in &self.files {
            let inside = file.path.clone();
            if copies {
                mounts.push(Mount::ReadOnly { host: stored(&env.cache, &file.bytes)?, inside });
            } else if file.is_original {
                mounts.push(read_only(&file.path));
            }
        }
        Ok(mounts)
    }

    /// What a report contains about the files that `env` does not show.
    pub(crate) fn notes(mut self, env: &CargoEnv) -> Vec<String> {
        if !env.sandbox.capabilities().namespaces.works {
            let hidden = self.files.iter().filter(|file| !file.is_original).map(|file| {
                format!(
                    "`{}` is not shown to builds: it contains secrets, and this system has no \
                     mounts to show a copy without them; `cargo login` keeps tokens in another file",
                    file.path.display()
                )
            });
            self.notes.extend(hidden);
        }
        self.notes
    }
}

/// Mounts that go over those of a project's view: its own configuration of cargo, and the files that it
/// includes, without tokens, keys and the user of the proxy, where they have any. Addresses of registries stay
/// whole, because cargo finds what it downloaded by them.
///
/// # Errors
/// When a copy cannot be written to graftage's cache.
pub fn own_mounts(env: &CargoEnv, view: &View, root: &Path) -> Result<Vec<Mount>, CargoError> {
    let mut mounts = Vec::new();
    if !env.sandbox.capabilities().namespaces.works {
        return Ok(mounts);
    }
    let mut queue: Vec<PathBuf> = OWN.map(|name| root.join(".cargo").join(name)).into();
    let mut seen = SortedSet::new();
    while let Some(named) = queue.pop() {
        let Some(inside) = view_file::followed(view, &named) else { continue };
        if !seen.insert(inside.clone()) {
            continue;
        }
        // What cannot be looked at is not shown, which stops cargo.
        let text = view_file::read(view, &inside).filter(|_| seen.len() <= MAX_INCLUDED);
        let Some(text) = text else {
            mounts.push(Mount::Hidden { inside });
            continue;
        };
        // From the folder of the link or of what it leads to.
        for folder in [&named, &inside].into_iter().filter_map(|it| it.parent()) {
            let found =
                included_by(&text).into_iter().map(|it| base::normal_path(&folder.join(it)));
            queue.extend(found.filter(|it| it.starts_with(root)));
        }
        if let Some(kept) = secrets::without_own_secrets(&text) {
            mounts.push(Mount::ReadOnly { host: stored(&env.cache, kept.as_bytes())?, inside });
        }
    }
    Ok(mounts)
}

/// The paths that a configuration of cargo includes, relative to its folder: `include` is a string, or a list of
/// strings and of tables with a `path`. Empty for what is no TOML.
pub fn included_by(text: &str) -> Vec<String> {
    let Ok(table) = text.parse::<toml::Table>() else { return Vec::new() };
    let path = |entry: &toml::Value| {
        let entry = entry.get("path").unwrap_or(entry);
        entry.as_str().map(str::to_owned)
    };
    match table.get("include") {
        Some(toml::Value::Array(list)) => list.iter().filter_map(path).collect(),
        Some(one) => path(one).into_iter().collect(),
        None => Vec::new(),
    }
}

/// The words of the values of a configuration of cargo, but for its aliases and what it includes: each may be a program that cargo
/// or the compiler runs, or a file that one of them reads. A folder in which programs are found ends with
/// `/`. Empty for what is no TOML.
pub fn words_of(text: &str) -> Vec<String> {
    let Ok(mut table) = text.parse::<toml::Table>() else { return Vec::new() };
    ["alias", "include"].iter().for_each(|it| drop(table.remove(*it)));
    let mut words = Vec::new();
    table.iter().for_each(|(key, value)| add_words(key, value, &mut words));
    words
}

fn add_words(key: &str, value: &toml::Value, words: &mut Vec<String>) {
    match value {
        toml::Value::String(text) => {
            let is_folder = key.ends_with("PATH");
            let ends = |c: char| c.is_whitespace() || matches!(c, '=' | ',' | ':' | '\'' | '"');
            let parts = text.split(ends).chain([text.as_str()]).filter(|it| !it.is_empty());
            words.extend(parts.map(|it| if is_folder { format!("{it}/") } else { it.to_owned() }));
        }
        toml::Value::Array(list) => list.iter().for_each(|it| add_words(key, it, words)),
        toml::Value::Table(table) => table.iter().for_each(|(name, it)| {
            // `PATH = { value = "tools", relative = true }`.
            add_words(if name == "value" { key } else { name }, it, words);
        }),
        _ => {}
    }
}

/// Whether the text of a configuration may name a compiler wrapper, or include a file that does.
pub(crate) fn may_name_wrapper(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    text.contains("wrapper") || text.contains("include") || text.contains('\\')
}

/// Whether it is a configuration file of cargo, not of clippy or rustfmt.
fn is_of_cargo(path: &Path) -> bool {
    path.file_name().is_some_and(|name| OWN.iter().any(|own| name == *own))
}

/// The file of graftage's cache with these bytes, named by their hash.
fn stored(cache: &Path, bytes: &[u8]) -> Result<PathBuf, CargoError> {
    let folder = cache.join("configuration");
    let name = base::ContentHash::of(bytes).short();
    let path = folder.join(&name);
    if untrusted_fs::read_regular(&path, FILE_BYTES).ok().flatten().is_some_and(|it| it == bytes) {
        return Ok(path);
    }
    let own = untrusted_fs::make_own(&folder).map_err(CargoError::fault("create", &folder))?;
    own.replace(&name, &[bytes], 0o600).map_err(CargoError::fault("write", &path))?;
    Ok(path)
}

#[cfg(test)]
mod tests;
