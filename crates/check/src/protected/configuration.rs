//! The files that the configurations of cargo in a project include, and those that they name: programs that
//! cargo and the compiler run, such as a runner, a linker or a wrapper.

use base::{ProjectPath, SortedSet};
use edit::Files;
use preserve::normal;

/// Most configurations that are followed.
const MAX_FILES: usize = 100;

/// The configurations of one state of a tree.
#[derive(Default)]
pub(super) struct Configurations {
    /// The files that are included, directly or by another one.
    pub(super) included: SortedSet<ProjectPath>,
    /// Paths of what they name, without what leads up: relative to folders that depend on the key, on the
    /// program and on the package, so that the end of a path counts.
    named: SortedSet<String>,
}

/// Whether a file is a configuration of cargo, by its name.
pub(super) fn is_of_cargo(path: &ProjectPath) -> bool {
    let is_there = |name: &str| path.as_str().ends_with(name);
    is_there(".cargo/config.toml") || is_there(".cargo/config")
}

/// Reads these configurations and what they include; `None` where they are too many, so that any file may be
/// one.
pub(super) fn read(
    files: &dyn Files,
    configurations: impl Iterator<Item = ProjectPath>,
) -> Option<Configurations> {
    let mut queue: Vec<ProjectPath> = configurations.collect();
    let mut found = Configurations::default();
    while let Some(path) = queue.pop() {
        let Some(state) = files.read(&path).ok().flatten() else { continue };
        found.named.extend(build::words_of(&state.text).iter().filter_map(|it| plain(it)));
        let folder = path.parent().map_or_else(String::new, |it| format!("{it}/"));
        for name in build::included_by(&state.text) {
            let Some(next) = normal(&format!("{folder}{name}")) else { continue };
            if found.included.insert(next.clone()) {
                queue.push(next);
            }
            if found.included.len() > MAX_FILES {
                return None;
            }
        }
    }
    Some(found)
}

impl Configurations {
    /// Whether a word of a configuration leads to the file, or to a folder for programs above it.
    pub(super) fn names(&self, path: &ProjectPath) -> bool {
        let path = path.as_str();
        let above = path.match_indices('/').map(|(at, _)| &path[..=at]);
        above.chain([path]).any(|own| self.named.iter().any(|named| leads_to(named, own)))
    }
}

/// Whether a word leads to a path from some folder.
pub(super) fn leads_to(word: &str, path: &str) -> bool {
    let ends = |long: &str, short: &str| {
        long.strip_suffix(short).is_some_and(|it| it.is_empty() || it.ends_with('/'))
    };
    // The folder of a word may be above the project's, as of `../p/tools/w.sh`, or of a checkout in `p/`.
    ends(path, word.trim_start_matches('/')) || ends(word, path)
}

/// A word as a path without `.` and `..`; one that leads out of its folder begins with `/`, and one of a
/// folder ends so.
pub(super) fn plain(word: &str) -> Option<String> {
    let mut parts: Vec<&str> = Vec::new();
    let mut root = if word.starts_with('/') { "/" } else { "" };
    for part in word.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.pop().is_none() => root = "/",
            ".." => {}
            part => parts.push(part),
        }
    }
    let end = if word.ends_with('/') { "/" } else { "" };
    (!parts.is_empty()).then(|| format!("{root}{}{end}", parts.join("/")))
}
