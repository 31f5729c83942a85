//! Which downloads are moved to the user's registry, and which are rejected: wrong checksums,
//! links, files that no lock file lists.

use std::os::unix::fs::symlink;

use super::*;

const SOURCE: &str = "example.org-0123456789abcdef";
const CRATE: &[u8] = b"the bytes of a crate";

/// A private registry in `get` and the user's in `home`.
struct World(tempfile::TempDir);

impl World {
    fn new() -> Self {
        let world = Self(tempfile::tempdir().unwrap());
        for part in ["cache", "index"] {
            fs::create_dir_all(world.private().join(part).join(SOURCE)).unwrap();
        }
        fs::create_dir_all(world.registry()).unwrap();
        world
    }

    fn private(&self) -> PathBuf {
        self.0.path().join("get")
    }

    fn registry(&self) -> PathBuf {
        self.0.path().join("home")
    }

    fn crate_file(&self) -> PathBuf {
        self.private().join("cache").join(SOURCE).join("a-1.0.0.crate")
    }

    fn index_file(&self, name: &str) -> PathBuf {
        self.private().join("index").join(SOURCE).join(name)
    }

    fn write(path: &Path, bytes: &[u8]) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    /// A valid download.
    fn honest() -> Self {
        let world = Self::new();
        Self::write(&world.crate_file(), CRATE);
        Self::write(&world.index_file(".cache/1/a"), &entry(&sum(CRATE)));
        Self::write(&world.index_file("config.json"), b"{\"dl\":\"https://example.org/dl\"}");
        world
    }

    /// The files of the user's registry after moving the download, or the error.
    fn taken(&self, lock: &LockFile) -> String {
        let done = take_over(&self.private(), &self.registry(), lock);
        let mut files = Vec::new();
        list(&self.registry(), &self.registry(), &mut files);
        files.sort();
        let result = match done {
            Ok(taken) => format!("{} crates, {} entries", taken.crates, taken.entries),
            Err(error) => error.to_string(),
        };
        format!("{result}\n{}", files.join("\n"))
    }
}

fn list(root: &Path, folder: &Path, files: &mut Vec<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            list(root, &path, files);
        } else {
            files.push(path.strip_prefix(root).unwrap().display().to_string());
        }
    }
}

fn sum(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn entry(sum: &str) -> Vec<u8> {
    let line = format!(r#"{{"name":"a","vers":"1.0.0","deps":[],"cksum":"{sum}"}}"#);
    [&[3, 2, 0, 0, 0][..], b"etag: x\0", b"1.0.0\0", line.as_bytes(), b"\0"].concat()
}

fn locked(sum: &str) -> LockFile {
    LockFile::parse(&format!(
        "[[package]]\nname = \"a\"\nversion = \"1.0.0\"\nsource = \"registry+https://example.org\"\n\
         checksum = \"{sum}\"\n"
    ))
    .unwrap()
}

const ALL: &str = "cache/example.org-0123456789abcdef/a-1.0.0.crate
index/example.org-0123456789abcdef/.cache/1/a
index/example.org-0123456789abcdef/config.json";

#[test]
fn what_the_lock_file_names_is_taken_over_once() {
    let world = World::honest();
    let lock = locked(&sum(CRATE));
    assert_eq!(world.taken(&lock), format!("1 crates, 1 entries\n{ALL}"));
    assert_eq!(world.taken(&lock), format!("0 crates, 0 entries\n{ALL}"));
    let other = LockFile::default();
    assert!(World::honest().taken(&other).starts_with("0 crates, 0 entries\n"));
}

#[test]
fn a_crate_with_another_checksum_moves_nothing() {
    let world = World::honest();
    let (own, wanted) = (sum(CRATE), sum(b"another"));
    assert_eq!(
        world.taken(&locked(&wanted)),
        format!(
            "`a-1.0.0.crate` of the source `{SOURCE}` was rejected: its SHA-256 is {own}, \
             and `Cargo.lock` has {wanted}\n"
        )
    );
}

#[test]
fn an_index_entry_with_another_checksum_moves_nothing_not_even_the_crate() {
    let world = World::honest();
    World::write(&world.index_file(".cache/1/a"), &entry(&sum(b"another")));
    let result = world.taken(&locked(&sum(CRATE)));
    assert!(result.contains("`.cache/1/a` of the source"), "{result}");
    assert!(result.ends_with(&format!("and `Cargo.lock` has {}\n", sum(CRATE))), "{result}");
}

#[test]
fn links_pipes_and_folders_in_place_of_what_was_downloaded_are_refused() {
    let lock = locked(&sum(CRATE));
    let outside = tempfile::NamedTempFile::new().unwrap();
    fs::write(outside.path(), CRATE).unwrap();
    for (name, path) in [
        ("a-1.0.0.crate", World::crate_file as fn(&World) -> PathBuf),
        (".cache/1/a", |world| world.index_file(".cache/1/a")),
        ("config.json", |world| world.index_file("config.json")),
    ] {
        for (kind, reason) in [
            ("link", "it is a symbolic link, or is reached through one"),
            ("pipe", "it is not a regular file"),
            ("folder", "it is not a regular file"),
        ] {
            let world = World::honest();
            let path = path(&world);
            fs::remove_file(&path).unwrap();
            match kind {
                "link" => symlink(outside.path(), &path).unwrap(),
                "folder" => fs::create_dir(&path).unwrap(),
                _ => {
                    let fifo = rustix::fs::FileType::Fifo;
                    let mode = rustix::fs::Mode::from(0o600);
                    rustix::fs::mknodat(rustix::fs::CWD, &path, fifo, mode, 0).unwrap();
                }
            }
            assert_eq!(
                world.taken(&lock),
                format!("`{name}` of the source `{SOURCE}` was rejected: {reason}\n"),
                "{kind}"
            );
        }
    }
}

#[test]
fn an_address_of_this_machine_is_no_registrys() {
    let world = World::honest();
    World::write(&world.index_file("config.json"), b"{\"dl\":\"file:///etc\"}");
    let result = world.taken(&locked(&sum(CRATE)));
    assert!(result.contains("it names no address of the network"), "{result}");
    assert!(result.ends_with('\n'), "nothing was moved: {result}");
}

#[test]
fn what_the_user_has_is_never_replaced() {
    let world = World::honest();
    let own = world.registry().join("cache").join(SOURCE).join("a-1.0.0.crate");
    World::write(&own, b"the user's");
    let address = world.registry().join("index").join(SOURCE).join("config.json");
    World::write(&address, b"the user's");
    let result = world.taken(&locked(&sum(CRATE)));
    assert!(result.starts_with("0 crates, 1 entries"), "{result}");
    assert_eq!(fs::read(own).unwrap(), b"the user's");
    assert_eq!(fs::read(address).unwrap(), b"the user's");
}

#[test]
fn an_empty_crate_of_a_download_that_was_cut_short_is_replaced() {
    let world = World::honest();
    let own = world.registry().join("cache").join(SOURCE).join("a-1.0.0.crate");
    World::write(&own, b"");
    assert!(world.taken(&locked(&sum(CRATE))).starts_with("1 crates, 1 entries"));
    assert_eq!(fs::read(own).unwrap(), CRATE);
}
