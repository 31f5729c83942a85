//! Warm directories on disk: locks, killed builds, candidates that must leave nothing behind.

use std::sync::mpsc;
use std::time::Duration;

use super::*;
use crate::Package;

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
        is_installed: true,
    }
}

struct World {
    dir: tempfile::TempDir,
    files: SortedMap<ProjectPath, ContentHash>,
    workspace: CargoWorkspace,
}

impl World {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let package = Package { name: "a".into(), dir: dir.path().into(), ..Package::default() };
        let files = [(ProjectPath::new("src/lib.rs").unwrap(), ContentHash::of(b"one"))];
        let workspace = CargoWorkspace {
            root: dir.path().into(),
            packages: vec![package],
            outside: Vec::new(),
            manifests: Vec::new(),
        };
        Self { files: files.into(), workspace, dir }
    }

    fn open(&self, lock: &str) -> WarmTarget {
        let toolchain = toolchain();
        let lock = Some(lock.as_bytes());
        let key = WarmKey {
            root: self.dir.path(),
            cargo_home: Path::new("/none"),
            lock,
            toolchain: &toolchain,
            selection: "dev",
            stage: Some("/stage".as_ref()),
        };
        WarmTarget::open(&self.dir.path().join("cache"), &key).unwrap()
    }

    fn sources(&self) -> BuildSources<'_> {
        static NONE: SortedSet<ProjectPath> = SortedSet::new();
        let (files, workspace) = (&self.files, Some(&self.workspace));
        BuildSources { root: self.dir.path(), files, closed: &NONE, workspace }
    }

    /// A complete baseline that built one unit.
    fn build(&self, warm: &WarmTarget) {
        let writing = warm.begin(&testkit::ctx(), self.sources(), Isolation::Mount).unwrap();
        let unit = warm.target().join("debug/.fingerprint/a-1111111111111111");
        fs::create_dir_all(&unit).unwrap();
        fs::write(unit.join("lib-a"), "0123456789abcdef").unwrap();
        fs::write(unit.join("lib-a.json"), "{}").unwrap();
        fs::create_dir_all(warm.target().join("debug/deps")).unwrap();
        fs::write(
            warm.target().join("debug/deps/a-1111111111111111.d"),
            "x: src/lib.rs\n\nsrc/lib.rs:\n",
        )
        .unwrap();
        fs::create_dir_all(warm.target().join(".reads")).unwrap();
        fs::write(warm.target().join(".reads/a-1111111111111111"), "").unwrap();
        let built = vec!["check".to_owned()];
        writing.finish(self.sources(), &[], built, Some(&self.workspace)).unwrap();
    }

    fn has_unit(&self, warm: &WarmTarget) -> bool {
        warm.target().join("debug/.fingerprint/a-1111111111111111/lib-a").exists()
    }
}

#[test]
fn a_finished_baseline_is_kept_and_an_abandoned_one_is_doubted() {
    let world = World::new();
    let warm = world.open("lock");
    world.build(&warm);
    assert_eq!(warm.built(), ["check"]);
    let writing = warm.begin(&testkit::ctx(), world.sources(), Isolation::Mount).unwrap();
    assert!(world.has_unit(&warm), "nothing changed");
    // As if the process was killed: the lock is released, and the manifest was removed before.
    drop(writing);
    assert_eq!(warm.built(), Vec::<String>::new());
    drop(warm.begin(&testkit::ctx(), world.sources(), Isolation::Mount).unwrap());
    assert!(!world.has_unit(&warm));
}

#[test]
fn a_file_that_was_written_during_the_build_is_never_fresh() {
    let mut world = World::new();
    let warm = world.open("lock");
    world.build(&warm);
    let writing = warm.begin(&testkit::ctx(), world.sources(), Isolation::Mount).unwrap();
    let touched = [ProjectPath::new("src/lib.rs").unwrap()];
    writing.finish(world.sources(), &touched, Vec::new(), Some(&world.workspace)).unwrap();
    drop(warm.begin(&testkit::ctx(), world.sources(), Isolation::Mount).unwrap());
    assert!(!world.has_unit(&warm));
    world.build(&warm);
    world.files.insert(ProjectPath::new("src/lib.rs").unwrap(), ContentHash::of(b"two"));
    drop(warm.begin(&testkit::ctx(), world.sources(), Isolation::Mount).unwrap());
    assert!(!world.has_unit(&warm));
}

#[test]
fn a_candidate_writes_nothing_of_the_warm_directory_and_takes_its_own_away() {
    let mut world = World::new();
    let warm = world.open("lock");
    world.build(&warm);
    world.files.insert(ProjectPath::new("src/lib.rs").unwrap(), ContentHash::of(b"two"));
    let before = testkit::TreeDigest::with_times(&warm.target());
    for isolation in
        [Isolation::Mount, Isolation::Copy { mounts: true }, Isolation::Copy { mounts: false }]
    {
        let candidate = warm.candidate(&testkit::ctx(), world.sources(), isolation).unwrap();
        assert_eq!(fs::read_dir(warm.candidates()).unwrap().count(), 1);
        drop(candidate);
        assert_eq!(fs::read_dir(warm.candidates()).unwrap().count(), 0);
    }
    assert_eq!(before, testkit::TreeDigest::with_times(&warm.target()));
}

#[test]
fn a_baseline_waits_for_candidates_and_candidates_for_no_other() {
    let world = World::new();
    let warm = world.open("lock");
    world.build(&warm);
    let ctx = testkit::ctx();
    let first = warm.candidate(&ctx, world.sources(), Isolation::Mount).unwrap();
    let second = warm.candidate(&ctx, world.sources(), Isolation::Mount).unwrap();
    std::thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel();
        let (warm, world) = (&warm, &world);
        scope.spawn(move || {
            let writing = warm.begin(&testkit::ctx(), world.sources(), Isolation::Mount).unwrap();
            sender.send(()).unwrap();
            drop(writing);
        });
        assert!(receiver.recv_timeout(Duration::from_millis(50)).is_err());
        drop((first, second));
        receiver.recv().unwrap();
    });
}

#[test]
fn waiting_for_a_lock_can_be_cancelled() {
    let world = World::new();
    let warm = world.open("lock");
    let writing = warm.begin(&testkit::ctx(), world.sources(), Isolation::Mount).unwrap();
    let host = testkit::TestHost::new();
    host.cancel();
    let result = warm.candidate(&host.ctx(), world.sources(), Isolation::Mount);
    assert!(matches!(result, Err(CargoError::Cancelled(_))), "{result:?}");
    drop(writing);
}

#[test]
fn files_of_killed_candidates_and_old_directories_are_removed() {
    let world = World::new();
    let warm = world.open("lock 0");
    world.build(&warm);
    fs::create_dir_all(warm.candidates().join("dead/upper")).unwrap();
    world.open("lock 0");
    assert_eq!(fs::read_dir(warm.candidates()).unwrap().count(), 0);
    for number in 1..6 {
        world.build(&world.open(&format!("lock {number}")));
    }
    let kept = fs::read_dir(world.dir.path().join("cache/warm")).unwrap().count();
    assert_eq!(kept, KEPT);
}

#[test]
fn a_directory_is_of_one_configuration_with_what_that_includes() {
    let world = World::new();
    let root = world.dir.path();
    let toolchain = toolchain();
    let hash = |home: &Path| {
        let (lock, stage) = (None, None);
        let key = WarmKey {
            root,
            cargo_home: home,
            lock,
            toolchain: &toolchain,
            selection: "dev",
            stage,
        };
        key.hash()
    };
    let home = tempfile::tempdir().unwrap();
    let before = hash(home.path());
    fs::create_dir(root.join(".cargo")).unwrap();
    fs::write(root.join(".cargo/config.toml"), "include = [\"../local.toml\"]\n").unwrap();
    let with_file = hash(home.path());
    fs::write(root.join("local.toml"), "[env]\nX = \"1\"\n").unwrap();
    let with_included = hash(home.path());
    fs::write(home.path().join("config.toml"), "[env]\nX = \"2\"\n").unwrap();
    let all = [before, with_file, with_included, hash(home.path())];
    assert_eq!(all.iter().collect::<SortedSet<_>>().len(), 4);
    assert_eq!(all[3], hash(home.path()));
}
