//! Downloads without an attack.

use expect_test::expect;
use graftage_build::Fetched;

use crate::world::{World, digest};

const COMPLETE: Fetched = Fetched::Complete { packages: 1, chose_versions: true };

fn failure(fetched: Fetched) -> String {
    match fetched {
        Fetched::Failed { reason } => reason,
        Fetched::Complete { .. } => panic!("it was downloaded"),
    }
}

fn a_dependency_is_downloaded(world: &World) {
    assert_eq!(world.fetch().unwrap(), COMPLETE);
    expect![[r#"
        [
            ".package-cache",
            "registry/cache/SOURCE/left-1.0.0.crate",
            "registry/index/SOURCE/.cache/le/ft/left",
            "registry/index/SOURCE/config.json",
            "registry/src/SOURCE/left-1.0.0/.cargo-ok",
            "registry/src/SOURCE/left-1.0.0/Cargo.toml",
            "registry/src/SOURCE/left-1.0.0/lib.rs",
        ]
    "#]]
    .assert_debug_eq(&world.registry_files());
    // The user's own cargo finds everything that it needs.
    let offline = std::process::Command::new(&world.env.toolchain.cargo)
        .args(["metadata", "--offline", "--format-version=1"])
        .current_dir(world.root())
        .env("CARGO_HOME", world.at("cargo"))
        .output()
        .unwrap();
    assert!(offline.status.success(), "{}", String::from_utf8_lossy(&offline.stderr));
}

#[test]
fn a_dependency_is_downloaded_unpacked_and_found_by_the_users_own_cargo() {
    a_dependency_is_downloaded(&World::new());
}

#[test]
fn a_dependency_is_downloaded_without_mounts_too() {
    a_dependency_is_downloaded(&World::without_mounts());
}

#[test]
fn what_the_registry_folder_has_is_not_asked_for_again() {
    let world = World::new();
    assert_eq!(world.fetch().unwrap(), COMPLETE);
    let before = digest(&world.at("cargo"));
    let asked = world.registry.requests().len();
    let again = Fetched::Complete { packages: 0, chose_versions: false };
    assert_eq!(world.fetch().unwrap(), again);
    assert_eq!(digest(&world.at("cargo")), before);
    let new = world.registry.requests().len() - asked;
    assert!(new <= 1, "at most its address is asked for: {:?}", world.registry.requests());
    world.registry.publish("right", "2.0.0");
    world.depend(
        "left = { version = \"1.0.0\", registry = \"test\" }\nright = { version = \"2\", registry = \
         \"test\" }",
    );
    let one_more = Fetched::Complete { packages: 1, chose_versions: false };
    assert_eq!(world.fetch().unwrap(), one_more);
    let requests = world.registry.requests();
    let downloads: Vec<_> = requests.iter().filter(|path| path.starts_with("/dl/")).collect();
    assert_eq!(downloads, ["/dl/left/1.0.0/download", "/dl/right/2.0.0/download"]);
}

#[test]
fn a_crate_that_was_there_without_its_sources_is_unpacked() {
    let world = World::new();
    assert_eq!(world.fetch().unwrap(), COMPLETE);
    std::fs::remove_dir_all(world.at("cargo/registry/src")).unwrap();
    let unpacked = Fetched::Complete { packages: 0, chose_versions: false };
    assert_eq!(world.fetch().unwrap(), unpacked);
    assert!(world.registry_files().contains(&"registry/src/SOURCE/left-1.0.0/lib.rs".to_owned()));
}

#[test]
fn a_missing_release_is_reported_with_cargos_message() {
    let world = World::new();
    world.depend("gone = { version = \"1\", registry = \"test\" }");
    let before = digest(&world.at("cargo"));
    let reason = failure(world.fetch().unwrap());
    assert!(reason.contains("no matching package named `gone` found"), "{reason}");
    assert!(reason.ends_with("and with a part of the configuration"), "{reason}");
    let folders = digest(&world.at("cargo")).without("registry");
    assert_eq!(folders, before.without("registry"));
    assert_eq!(world.registry_files(), Vec::<String>::new());
}

#[test]
fn an_offline_configuration_is_respected() {
    let world = World::new();
    world.write("cargo/config.toml", "[net]\noffline = true\n");
    let reason = failure(world.fetch().unwrap());
    assert_eq!(reason, "the configuration of cargo has `net.offline = true`");
    assert_eq!(world.registry.requests(), Vec::<String>::new());
}

#[test]
fn git_dependencies_are_refused_by_name() {
    let world = World::new();
    world.write(
        "p/Cargo.lock",
        "version = 4\n[[package]]\nname = \"g\"\nversion = \"0.1.0\"\nsource = \
         \"git+https://example.invalid/g.git#0123456789012345678901234567890123456789\"\n",
    );
    expect![[r#"
        git dependencies are not downloaded by graftage, for `Cargo.lock` has no SHA-256 of them: g from https://example.invalid/g.git
        hint: run `cargo fetch` in the project"#]]
    .assert_eq(&failure(world.fetch().unwrap()));
    assert_eq!(world.registry.requests(), Vec::<String>::new());
}

#[test]
fn while_another_cargo_has_the_registry_nothing_is_moved() {
    let world = World::new();
    let lock = std::fs::File::create(world.at("cargo/.package-cache")).unwrap();
    lock.lock().unwrap();
    std::thread::scope(|scope| {
        let fetched = scope.spawn(|| world.fetch().unwrap());
        // The crate is requested last; after it the move waits for the lock.
        while !world.registry.requests().iter().any(|path| path.starts_with("/dl/")) {
            std::thread::yield_now();
        }
        assert_eq!(world.registry_files(), [".package-cache"]);
        lock.unlock().unwrap();
        assert_eq!(fetched.join().unwrap(), COMPLETE);
    });
    assert_ne!(world.registry_files(), [".package-cache"]);
}

#[test]
fn two_downloads_at_once_leave_what_one_leaves() {
    let world = World::new();
    // Both projects would write one `Cargo.lock`, so it is created first.
    let made = world.plain_cargo();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    std::thread::scope(|scope| {
        let both = [scope.spawn(|| world.fetch().unwrap()), scope.spawn(|| world.fetch().unwrap())];
        let packages = both.map(|one| match one.join().unwrap() {
            Fetched::Complete { packages, .. } => packages,
            Fetched::Failed { reason } => panic!("{reason}"),
        });
        assert_eq!(packages.iter().sum::<usize>(), 1, "{packages:?}");
    });
    assert_eq!(world.registry_files().len(), 7, "{:?}", world.registry_files());
}

#[test]
fn nothing_private_is_left() {
    let world = World::new();
    assert_eq!(world.fetch().unwrap(), COMPLETE);
    let left = digest(&world.at("cache"));
    let names: Vec<&String> = left.entries.keys().collect();
    assert_eq!(names, ["downloads", "downloads/.guard"]);
}

#[test]
fn a_newer_version_is_resolved_and_the_lock_file_of_the_tree_stays() {
    use graftage_build::{DependencyResolution, Download, FreshView, ProjectFiles, resolve};
    use std::time::Duration;

    let world = World::new();
    assert_eq!(world.fetch().unwrap(), COMPLETE);
    let locked = std::fs::read_to_string(world.at("p/Cargo.lock")).unwrap();
    let resolved = |download: Download| {
        let limit = Duration::from_secs(120);
        let (view, root) = (world.view(), world.root());
        let files = ProjectFiles::of_tree(&root);
        let fresh = FreshView::new(&view, &root, &files);
        match resolve(&world.ctx, &world.env, fresh, download, limit).unwrap() {
            DependencyResolution::Resolved(it) => {
                let registry = it.packages.iter().filter(|it| it.is_registry);
                let names: Vec<String> =
                    registry.map(|it| format!("{} {}", it.name, it.version)).collect();
                (names.join(", "), it.lock.unwrap_or_default())
            }
            DependencyResolution::Failed { reason } => (reason, String::new()),
        }
    };
    assert_eq!(resolved(Download::IfNeeded), ("left 1.0.0".to_owned(), locked.clone()));
    world.registry.publish("left", "2.0.0");
    world.depend("left = { version = \">1.0.0\", registry = \"test\" }");
    let (packages, lock) = resolved(Download::First);
    assert_eq!(packages, "left 2.0.0");
    assert_ne!(lock, locked);
    world.depend("left = { version = \"3\", registry = \"test\" }");
    let (reason, _) = resolved(Download::First);
    assert!(reason.contains("failed to select a version"), "{reason}");
}
