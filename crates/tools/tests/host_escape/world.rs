//! What is around one attack: a victim that must stay as it is, a project, a warm target, and the
//! ways in which a hostile file is made.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use base::{ContentHash, ProjectPath, SortedMap, SortedSet};
use build::warm::{BuildSources, Isolation, WarmKey, WarmTarget};
use build::{CargoWorkspace, Package, Toolchain};
use testkit::TreeDigest;

/// What only the victim has.
pub(crate) const SECRET: &str = "the-canary-of-the-host";
/// What a defence may take in of one file, and the controls read at most.
pub(crate) const CAP: usize = 24 << 20;
const UNIT: &str = "debug/.fingerprint/a-1111111111111111";
const RUN: &str = "debug/.fingerprint/a-3333333333333333";

/// What is put in the place of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Odd {
    LinkToSecret,
    LinkToZero,
    Pipe,
    /// A file of 1 TiB without a byte on disk.
    Hole,
}

pub(crate) const ODD: [Odd; 4] = [Odd::LinkToSecret, Odd::LinkToZero, Odd::Pipe, Odd::Hole];

/// The surroundings of one attack.
pub(crate) struct World {
    folder: tempfile::TempDir,
    victim: TreeDigest,
    pub(crate) warm: WarmTarget,
    pub(crate) workspace: CargoWorkspace,
    pipes: std::sync::Mutex<Vec<PathBuf>>,
}

impl World {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let base = folder.path().canonicalize().unwrap();
        let at = |path: &str| base.join(path);
        for path in ["project/src", "project/sub", "dependency/src", "work", "cache", "state"] {
            fs::create_dir_all(at(path)).unwrap();
        }
        furnish_victim(&at("victim"));
        let manifest = "[package]\nname = \"a\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";
        fs::write(at("project/Cargo.toml"), manifest).unwrap();
        fs::write(at("project/src/lib.rs"), "").unwrap();
        fs::write(at("project/sub/mod.rs"), "").unwrap();
        fs::write(at("dependency/src/lib.rs"), "").unwrap();
        let package = |name: &str, dir: &str| Package {
            name: name.into(),
            dir: at(dir),
            ..Package::default()
        };
        let workspace = CargoWorkspace {
            root: at("project"),
            packages: vec![
                package("a", "project"),
                package("google", "project/sub"),
                package("dependency", "dependency"),
            ],
            outside: vec![at("dependency")],
            ..CargoWorkspace::default()
        };
        let key = WarmKey {
            cargo_home: std::path::Path::new("/none"),
            root: &at("project"),
            lock: None,
            toolchain: &toolchain(),
            selection: "dev",
            stage: Some("/stage".as_ref()),
        };
        let warm = WarmTarget::open(&at("cache"), &key).unwrap();
        Self {
            victim: TreeDigest::with_times(&at("victim")),
            warm,
            workspace,
            pipes: std::sync::Mutex::default(),
            folder,
        }
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join(path)
    }

    pub(crate) fn target(&self, path: &str) -> PathBuf {
        self.warm.dir().join("target").join(path)
    }

    /// A file with the folders above it.
    pub(crate) fn write(&self, path: &Path, text: impl AsRef<[u8]>) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// A link that takes the place of whatever is there.
    pub(crate) fn link(&self, target: impl AsRef<Path>, path: &Path) {
        clear(path);
        symlink(target, path).unwrap();
    }

    /// Something odd in the place of a file. A pipe hands the secret to its reader.
    pub(crate) fn odd(&self, odd: Odd, path: &Path) {
        clear(path);
        match odd {
            Odd::LinkToSecret => symlink(self.path("victim/secret"), path).unwrap(),
            Odd::LinkToZero => symlink("/dev/zero", path).unwrap(),
            Odd::Hole => File::create(path).unwrap().set_len(1 << 40).unwrap(),
            Odd::Pipe => {
                use rustix::fs::{CWD, FileType, Mode, mknodat};
                mknodat(CWD, path, FileType::Fifo, Mode::RWXU, 0).unwrap();
                self.pipes.lock().unwrap().push(path.to_owned());
                let path = path.to_owned();
                std::thread::spawn(move || {
                    // Blocks until a reader opens the pipe; an error if it closes early.
                    let open = File::options().write(true).open(path);
                    let _ = open.and_then(|mut file| file.write_all(SECRET.as_bytes()));
                });
            }
        }
    }

    /// The manifest of the warm target, the tree in it as cargo would have left it.
    pub(crate) fn build(&self) {
        for (folder, name) in [(UNIT, "lib-a"), (RUN, "run-build-script-build-script-build")] {
            self.write(&self.target(folder).join(name), "0123456789abcdef");
            self.write(&self.target(folder).join(format!("{name}.json")), "{}");
        }
        self.write(&self.target("debug/deps/a-1111111111111111.d"), "x: y\n\nsrc/lib.rs:\n");
        self.write(
            &self.target("debug/build/a-3333333333333333/output"),
            "cargo::rerun-if-changed=src/lib.rs\n",
        );
    }

    /// A life of a warm target: a build that leaves `plant` behind, candidates on it in each way,
    /// and the next build. Returns what was written down of it.
    pub(crate) fn live(&self, plant: &dyn Fn(&World)) -> Vec<u8> {
        let ctx = testkit::ctx();
        let path = ProjectPath::new("src/lib.rs").unwrap();
        let mut files = SortedMap::from([(path.clone(), ContentHash::of(b""))]);
        let root = self.path("project");
        let writing = self.warm.begin(&ctx, self.sources(&root, &files), Isolation::Mount).unwrap();
        self.build();
        plant(self);
        let built = self.sources(&root, &files);
        writing.finish(built, &[], Vec::new(), Some(&self.workspace)).unwrap();
        let written = fs::read(self.warm.dir().join("manifest.json")).unwrap();
        files.insert(path, ContentHash::of(b"edited"));
        for isolation in
            [Isolation::Mount, Isolation::Copy { mounts: true }, Isolation::Copy { mounts: false }]
        {
            // The system may refuse what no build needs; it must not do what the attack wants.
            drop(self.warm.candidate(&ctx, self.sources(&root, &files), isolation));
        }
        drop(self.warm.begin(&ctx, self.sources(&root, &files), Isolation::Mount));
        written
    }

    fn sources<'a>(
        &'a self,
        root: &'a Path,
        files: &'a SortedMap<ProjectPath, ContentHash>,
    ) -> BuildSources<'a> {
        static NONE: SortedSet<ProjectPath> = SortedSet::new();
        BuildSources { root, files, closed: &NONE, workspace: Some(&self.workspace) }
    }

    /// What the attack achieved: the victim differs, its secret was taken in (or the hash of it
    /// written down), or more was taken in than a file may hold.
    pub(crate) fn harm(&self, seen: &[u8]) -> Option<String> {
        let hash = ContentHash::of(SECRET.as_bytes()).to_string();
        let has = |text: &str| seen.windows(text.len()).any(|it| it == text.as_bytes());
        if TreeDigest::with_times(&self.path("victim")) != self.victim {
            Some("the victim was changed".to_owned())
        } else if seen.len() > CAP {
            Some("it reads without end".to_owned())
        } else if has(SECRET) || has(&hash) {
            Some("it took in the secret".to_owned())
        } else {
            None
        }
    }
}

impl Drop for World {
    fn drop(&mut self) {
        for pipe in self.pipes.lock().unwrap().iter() {
            // Lets its writer go.
            let flags = rustix::fs::OFlags::RDONLY | rustix::fs::OFlags::NONBLOCK;
            let _ = rustix::fs::open(pipe, flags, rustix::fs::Mode::empty());
        }
        let _ = fs::set_permissions(self.path("victim/shut"), PermissionsExt::from_mode(0o700));
    }
}

/// Makes a folder that no attack may change, with a secret in each file.
pub(crate) fn furnish_victim(victim: &Path) {
    for path in [
        "secret",
        "lib-google",
        "lib-a",
        "index.key",
        ".fingerprint/google-1111111111111111/lib-google",
        ".fingerprint/google-1111111111111111/lib-google.json",
    ] {
        let path = victim.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, SECRET).unwrap();
    }
    fs::create_dir(victim.join("shut")).unwrap();
    fs::set_permissions(victim.join("shut"), PermissionsExt::from_mode(0o500)).unwrap();
}

fn clear(path: &Path) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    match path.symlink_metadata() {
        Ok(meta) if meta.is_dir() => fs::remove_dir_all(path).unwrap(),
        Ok(_) => fs::remove_file(path).unwrap(),
        Err(_) => {}
    }
}

/// What code without a defence does: open and read, here with an end.
pub(crate) fn naive_read(path: &Path) -> Vec<u8> {
    let mut bytes = Vec::new();
    File::open(path).unwrap().take(CAP as u64 + 1).read_to_end(&mut bytes).unwrap();
    bytes
}

fn toolchain() -> Toolchain {
    Toolchain {
        sysroot: "/sysroot".into(),
        cargo: "/sysroot/bin/cargo".into(),
        rustc: "/sysroot/bin/rustc".into(),
        cargo_clippy: None,
        clippy_driver: None,
        rustfmt: None,
        nextest: None,
        version: "rustc 1.95.0".into(),
        chosen_by: "a test".into(),
        is_installed: false,
    }
}
