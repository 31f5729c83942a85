//! [`Target`]: what a unit sees of the target directory. To a unit there are the libraries that it is given, what build
//! scripts made, and the folders of both; all else that others left there, programs, fingerprints, data that compilers
//! keep, is not there. So what it builds does not depend on it, and it cannot pass on what it read.

use std::ffi::OsStr;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

use base::SortedMap;
use rustix::fs::{FileType, Mode, OFlags};
use rustix::io::Errno;

use super::UNITS;
use super::guard::PROBE;
use super::libraries::GivenLibraries;

/// Endings of libraries.
const LIBRARIES: &[&str] = &["rlib", "rmeta", "so", "a"];
/// Folders of a profile. A profile is one name below the target directory, or two where cargo builds for a target.
const FOLDERS: &[&str] = &["deps", "build", ".fingerprint", "incremental", "examples"];

/// How a unit sees a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sight {
    /// It is none of another unit's.
    Own,
    /// It is never there.
    Hidden,
    /// It is a folder that cargo makes, or a probe of this stage: that it is there, or not, is no news.
    Fixed,
    /// It is another unit's.
    Shared,
}

/// The target directory of a unit.
#[derive(Debug)]
pub(super) struct Target {
    path: PathBuf,
    /// Folders of the unit's own output.
    own: Vec<PathBuf>,
    /// An empty folder that only this process writes.
    lists: PathBuf,
    /// The libraries that a list shows.
    libraries: GivenLibraries,
    /// Folders that were listed, with what was shown for them.
    listed: SortedMap<PathBuf, PathBuf>,
}

impl Target {
    /// `own` are the folders of the unit's own output, `lists` an empty one beside them that it cannot write.
    pub(super) fn new(path: &Path, own: &[&Path], lists: &Path, libraries: GivenLibraries) -> Self {
        let own = own.iter().chain([&lists]).map(|it| (*it).to_owned()).collect();
        let (path, lists) = (path.to_owned(), lists.to_owned());
        Self { path, own, lists, libraries, listed: SortedMap::new() }
    }

    /// The name of a path below the target directory.
    pub(super) fn name<'p>(&self, path: &'p Path) -> Option<&'p Path> {
        path.strip_prefix(&self.path).ok()
    }

    /// Whether a path is one of the unit's own output.
    pub(super) fn is_output(&self, path: &Path) -> bool {
        self.own.iter().any(|it| path.starts_with(it))
    }

    /// Whether a path is a file of the unit's own output, and not what the unit itself is.
    pub(super) fn is_within_output(&self, path: &Path) -> bool {
        self.own.iter().any(|it| path.starts_with(it) && path != it)
    }

    /// How the unit sees a path; `is_folder`: there is a folder.
    pub(super) fn sight(&self, path: &Path, is_folder: bool) -> Sight {
        let Some(below) = self.name(path) else { return Sight::Own };
        if self.own.iter().any(|it| path.starts_with(it) || it.starts_with(path)) {
            return Sight::Own;
        }
        let names: Vec<&OsStr> = below.iter().collect();
        if names.first().is_some_and(|it| *it == UNITS) {
            return if names.len() == 1 { Sight::Fixed } else { Sight::Hidden };
        }
        let place = names.iter().position(|it| FOLDERS.iter().any(|name| *it == *name));
        match place.filter(|it| (1..=2).contains(it)) {
            Some(place) => self.in_profile(names[place], &names[place + 1..]),
            None if is_folder && names.len() <= 2 => Sight::Fixed,
            None if names.len() == 1 && is_probe(names[0]) => Sight::Fixed,
            // What cargo itself leaves: a mark for backups, and facts about the compiler.
            None if names.len() == 1 => Sight::Shared,
            None => Sight::Hidden,
        }
    }

    /// Sight of the path `rest` in a folder of a profile.
    fn in_profile(&self, folder: &OsStr, rest: &[&OsStr]) -> Sight {
        match (folder.to_str().unwrap_or_default(), rest) {
            (_, []) => Sight::Fixed,
            // Linkers and loaders look for each library there, also for one without the hash of a unit.
            ("deps", [name]) if self.is_given(name) => Sight::Shared,
            ("build", [_]) => Sight::Shared,
            ("build", [_, out, ..]) if *out == "out" => Sight::Shared,
            _ => Sight::Hidden,
        }
    }

    /// Whether a file is a library that the unit is given.
    fn is_given(&self, name: &OsStr) -> bool {
        is_library(name) && unit_of(name).is_some_and(|it| self.libraries.has(it))
    }

    /// The folder in place of one that units share, with a link to each entry that the unit sees and that was there at
    /// the first call: its own, folders that cargo makes, and the libraries that it is given. `None` for any other one.
    pub(super) fn list(&mut self, real: &Path) -> Option<Result<OwnedFd, Errno>> {
        let below = self.name(real)?;
        let is_made = self.sight(real, true) == Sight::Shared && below.iter().any(|it| it == "out");
        (!self.is_output(real) && !is_made).then(|| self.list_seen(real))
    }

    fn list_seen(&mut self, real: &Path) -> Result<OwnedFd, Errno> {
        let list = match self.listed.get(real) {
            Some(list) => list.clone(),
            None => {
                let list = self.lists.join(self.listed.len().to_string());
                rustix::fs::mkdir(&list, Mode::RWXU)?;
                for entry in rustix::fs::Dir::new(open_folder(real)?)? {
                    let entry = entry?;
                    let name: &OsStr =
                        std::os::unix::ffi::OsStrExt::from_bytes(entry.file_name().to_bytes());
                    let is_folder = entry.file_type() == FileType::Directory;
                    if name != "." && name != ".." && self.is_listed(&real.join(name), is_folder) {
                        rustix::fs::symlink(real.join(name), list.join(name))?;
                    }
                }
                self.listed.insert(real.to_owned(), list.clone());
                list
            }
        };
        open_folder(&list)
    }

    /// Whether an entry of a folder that units share is shown in it.
    fn is_listed(&self, path: &Path, is_folder: bool) -> bool {
        // A walk along links would come back through the lists without end.
        if self.lists.starts_with(path) || path.starts_with(&self.lists) {
            return false;
        }
        match self.sight(path, is_folder) {
            Sight::Own => true,
            Sight::Fixed => is_folder,
            Sight::Shared => path.file_name().is_some_and(|it| self.is_given(it)),
            Sight::Hidden => false,
        }
    }
}

fn is_probe(name: &OsStr) -> bool {
    name.to_str().is_some_and(|it| it.starts_with(PROBE))
}

fn is_library(name: &OsStr) -> bool {
    let name = name.to_str().unwrap_or_default();
    let ending = name.split_once('.').map_or("", |it| it.1);
    name.starts_with("lib") && LIBRARIES.contains(&ending)
}

/// The unit of a library, by its file: `a-0123456789abcdef` of `liba-0123456789abcdef.rmeta`.
pub(super) fn unit_of(library: &OsStr) -> Option<&str> {
    let name = library.to_str()?.strip_prefix("lib")?;
    Some(name.split_once('.')?.0)
}

fn open_folder(path: &Path) -> Result<OwnedFd, Errno> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC | OFlags::NOFOLLOW;
    rustix::fs::open(path, flags, Mode::empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_unit_sees_libraries_what_scripts_made_and_folders() {
        let own = [Path::new("/t/debug/build/b-22/out"), Path::new("/t/.units/run-b.7")];
        let dir = tempfile::tempdir().unwrap();
        let given = ["a-0123456789abcdef".to_owned()];
        GivenLibraries::begin(dir.path(), &given[0], &[]).unwrap();
        let given = GivenLibraries::begin(dir.path(), "build_script_build-22", &given).unwrap();
        let lists = Path::new("/t/.units/run-b.7.lists");
        let target = Target::new(Path::new("/t"), &own, lists, given);
        let sight = |path: &str| target.sight(&Path::new("/t").join(path), !path.contains('.'));
        for (expected, paths) in [
            (
                Sight::Own,
                &[
                    "debug/build/b-22/out/x",
                    "debug/build/b-22",
                    ".units/run-b.7/tmp",
                    ".units/run-b.7.lists/0",
                    "/p/src/lib.rs",
                ][..],
            ),
            (Sight::Fixed, &["release", "x86_64-linux/debug", "debug/deps", ".unit-7"]),
            (
                Sight::Shared,
                &[
                    "debug/deps/liba-0123456789abcdef.rmeta",
                    "debug/build/a-11",
                    "x86_64-linux/debug/build/a-11/out/made.rs",
                    "CACHEDIR.TAG",
                ],
            ),
            (
                Sight::Hidden,
                &[
                    "debug/deps/a-0123456789abcdef",
                    "debug/deps/libb-0123456789abcdef.rmeta",
                    "debug/deps/libz.so",
                    "debug/deps/glibc-hwcaps/x86-64-v3/libz.so",
                    "debug/deps/libgcc_s.so.1",
                    "debug/build/a-11/output",
                    "debug/.fingerprint/a-11",
                    "debug/incremental/a-11/s",
                    "debug/a.exe",
                    ".units/run-a.9/is1",
                    "x/y/z/deps/libz.so",
                ],
            ),
        ] {
            for path in paths {
                assert_eq!(sight(path), expected, "{path}");
            }
        }
    }

    #[test]
    fn a_list_has_the_libraries_that_the_unit_is_given() {
        let dir = tempfile::tempdir().unwrap();
        let (deps, lists) = (dir.path().join("debug/deps"), dir.path().join("lists"));
        std::fs::create_dir_all(&deps).unwrap();
        std::fs::create_dir(&lists).unwrap();
        std::fs::create_dir_all(dir.path().join("debug/build/a-11")).unwrap();
        for name in ["a-11", "liba-11.rlib", "a-11.d", "libz.so", "libb-22.rmeta", "libc-33.rmeta"]
        {
            std::fs::write(deps.join(name), name).unwrap();
        }
        let given = |unit: &str, given: &[&str]| {
            let given: Vec<String> = given.iter().map(|it| (*it).to_owned()).collect();
            GivenLibraries::begin(dir.path(), unit, &given).unwrap()
        };
        given("a-11", &["b-22"]);
        given("b-22", &[]);
        let libraries = given("d-44", &["a-11"]);
        let mut target = Target::new(dir.path(), &[], &lists, libraries);
        let mut names = |folder: &Path| -> Option<Vec<String>> {
            let list = rustix::fs::Dir::new(target.list(folder)?.unwrap()).unwrap();
            let mut names: Vec<_> =
                list.map(|it| it.unwrap().file_name().to_str().unwrap().to_owned()).collect();
            names.retain(|it| !it.starts_with('.'));
            names.sort();
            Some(names)
        };
        let expected = ["liba-11.rlib".to_owned(), "libb-22.rmeta".to_owned()];
        assert_eq!(names(&deps), Some(expected.to_vec()));
        assert_eq!(std::fs::read(lists.join("0/liba-11.rlib")).unwrap(), b"liba-11.rlib");
        std::fs::write(deps.join("libb-22.rlib"), "").unwrap();
        assert_eq!(names(&deps), Some(expected.to_vec()));
        let inner = names(&dir.path().join("debug"));
        assert_eq!(inner, Some(vec!["build".to_owned(), "deps".to_owned()]));
        assert_eq!(names(&dir.path().join("debug/build")), Some(Vec::new()));
        assert_eq!(names(Path::new("/usr")), None);
    }
}
