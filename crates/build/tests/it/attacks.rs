//! Attacks by a repository, a registry or a build on what a download reads.

use std::os::unix::fs::symlink;

use graftage_build::{Fetched, Trust, locate_toolchain};
use sandbox::{Layers, Level, Sandbox};

use crate::registry::sha256;
use crate::world::{World, digest};

fn failure(world: &World) -> String {
    match world.fetch() {
        Ok(Fetched::Failed { reason }) => reason,
        Ok(Fetched::Complete { .. }) => panic!("it was downloaded"),
        Err(error) => error.to_string(),
    }
}

/// Checks that the user's registry did not change, except that its folders may exist now.
fn registry_is_empty(world: &World) {
    let files = world.registry_files();
    assert!(files.iter().all(|file| file == ".package-cache"), "{files:?}");
}

/// The attacking toolchain: reports a failed download, and strikes when cargo asks it to fetch.
fn hostile_toolchain(world: &World, folder: &str) {
    for program in ["cargo", "rustc"] {
        let then = "echo 'rustc 1.95.0'; echo 'error: failed to download' >&2; exit 101";
        world.hostile_program(&format!("{folder}/bin/{program}"), then);
    }
}

fn chosen(world: &World, trust: &Trust) -> Result<graftage_build::Toolchain, String> {
    let (env, root) = (&world.env, world.root());
    locate_toolchain(&world.ctx, &env.sandbox, &env.host, &root, trust, env.require)
        .map_err(|error| error.to_string())
}

#[test]
fn a_toolchain_inside_the_project_never_runs_at_all() {
    let world = World::new();
    hostile_toolchain(&world, "p/tc");
    world.write("p/rust-toolchain.toml", "[toolchain]\npath = \"tc\"\n");
    let before = digest(&world.at("cargo"));
    let refused = chosen(&world, &Trust::new([world.root()])).unwrap_err();
    assert!(refused.contains("which is inside the project"), "{refused}");
    assert!(!world.was_struck());
    assert_eq!(digest(&world.at("cargo")), before);
    let control = std::process::Command::new(world.at("p/tc/bin/cargo")).arg("fetch").output();
    assert_eq!(control.unwrap().status.code(), Some(101));
    assert!(world.was_struck(), "the control");
}

#[test]
fn a_folder_as_the_toolchain_has_no_network_even_where_it_is_trusted() {
    let mut world = World::new();
    hostile_toolchain(&world, "tc");
    world.env.toolchain.sysroot = world.at("tc");
    world.env.toolchain.cargo = world.at("tc/bin/cargo");
    world.env.toolchain.rustc = world.at("tc/bin/rustc");
    world.env.toolchain.is_installed = false;
    // Control: an installed toolchain would do the download.
    let mut control = World::new();
    hostile_toolchain(&control, "p/tc");
    control.env.toolchain.sysroot = control.at("p/tc");
    assert!(failure(&control).contains("failed to download"));
    assert!(control.was_struck(), "the control");
    assert!(matches!(world.fetch().unwrap(), Fetched::Complete { packages: 1, .. }));
    assert!(!world.was_struck());
}

/// Not even its version is read: below the required level nothing foreign runs.
#[test]
fn where_the_protection_is_not_to_be_had_no_toolchain_is_asked_for_its_version() {
    let world = World::new();
    hostile_toolchain(&world, "tc");
    let file = format!("[toolchain]\npath = {:?}\n", world.at("tc"));
    world.write("p/rust-toolchain.toml", &file);
    let no_layer = Layers {
        namespaces: false,
        overlay: false,
        landlock: false,
        seccomp: false,
        cgroups: false,
    };
    let bare = Sandbox::with_layers(testkit::inner::path(), no_layer);
    let (root, trust) = (world.root(), Trust::new([world.at("tc")]));
    let locate = |require| {
        locate_toolchain(&world.ctx, &bare, &world.env.host, &root, &trust, require)
            .map_err(|error| error.to_string())
    };
    for require in [Level::Standard, Level::Strong] {
        let refused = locate(require).unwrap_err();
        assert!(refused.contains("cannot be met"), "{refused}");
        assert!(!world.was_struck(), "{require:?}");
    }
    let _ = locate(Level::BestEffort);
    assert!(world.was_struck(), "the control");
}

#[test]
fn a_toolchain_file_that_leads_elsewhere_is_not_followed() {
    let world = World::new();
    world.write("secret", "[toolchain]\nchannel = \"secret-name\"\n");
    symlink(world.at("secret"), world.at("p/rust-toolchain.toml")).unwrap();
    let refused = chosen(&world, &Trust::default()).unwrap_err();
    assert!(refused.contains("symbolic link"), "{refused}");
    assert!(!refused.contains("secret-name"), "{refused}");
}

#[test]
fn a_crate_that_is_not_what_the_index_lists_is_not_taken() {
    let world = World::new();
    world.registry.serve("/dl/left/1.0.0/download", b"forged".to_vec());
    let reason = failure(&world);
    assert!(reason.contains("failed to verify the checksum of `left v1.0.0"), "{reason}");
    registry_is_empty(&world);
}

#[test]
fn a_crate_and_an_index_that_agree_against_the_lock_file_are_not_taken() {
    let world = World::new();
    world.write(
        "p/Cargo.lock",
        &format!(
            "version = 4\n[[package]]\nname = \"left\"\nversion = \"1.0.0\"\nsource = {:?}\n\
             checksum = \"{}\"\n[[package]]\nname = \"p\"\nversion = \"0.1.0\"\ndependencies = \
             [\"left\"]\n",
            world.registry.index(),
            sha256(b"what the author published")
        ),
    );
    let reason = failure(&world);
    assert!(reason.contains("checksum for `left v1.0.0"), "{reason}");
    registry_is_empty(&world);
}

#[test]
fn a_lock_file_with_names_that_lead_elsewhere_asks_nothing_of_the_network() {
    for (name, version) in [("../../x", "1.0.0"), ("left", "../../x"), ("a/b", "1.0.0")] {
        let world = World::new();
        world.write(
            "p/Cargo.lock",
            &format!(
                "version = 4\n[[package]]\nname = {name:?}\nversion = {version:?}\nsource = {:?}\n",
                world.registry.index()
            ),
        );
        let reason = failure(&world);
        assert!(reason.contains("which is no"), "{reason}");
        assert_eq!(world.registry.requests(), Vec::<String>::new());
        assert_eq!(digest(&world.at("cargo")).entries.len(), 0);
    }
}

#[test]
fn a_lock_file_without_end_is_not_read_to_its_end() {
    let world = World::new();
    std::fs::write(world.at("p/Cargo.lock"), "#\n".repeat(9 << 20)).unwrap();
    assert_eq!(failure(&world), "`Cargo.lock` cannot be read: it is larger than 16777216 bytes");
    for target in ["/dev/zero", "gone"] {
        let world = World::new();
        symlink(target, world.at("p/Cargo.lock")).unwrap();
        let link = "it is a symbolic link, or is reached through one";
        assert_eq!(failure(&world), format!("`Cargo.lock` cannot be read: {link}"));
        assert_eq!(world.registry.requests(), Vec::<String>::new());
    }
}

#[test]
fn a_lock_file_that_is_a_pipe_does_not_hang_the_host() {
    let world = World::new();
    let (fifo, mode) = (rustix::fs::FileType::Fifo, rustix::fs::Mode::from(0o600));
    rustix::fs::mknodat(rustix::fs::CWD, world.at("p/Cargo.lock"), fifo, mode, 0).unwrap();
    assert_eq!(failure(&world), "`Cargo.lock` cannot be read: it is not a regular file");
    registry_is_empty(&world);
}

#[test]
fn a_manifest_that_names_a_repository_of_this_machine_reads_nothing_of_it() {
    let world = World::new();
    world.configure("[net]\nretry = 0\n");
    world.write("secret/Cargo.toml", "[package]\nname = \"secret\"\nversion = \"1.0.0\"\n");
    world.depend(&format!("secret = {{ git = \"file://{}\" }}", world.at("secret").display()));
    let reason = failure(&world);
    assert!(!reason.contains("panicked"), "{reason}");
    registry_is_empty(&world);
}

#[test]
fn links_of_a_manifest_into_the_private_folders_lead_nowhere() {
    let world = World::new();
    symlink(world.at("cargo"), world.at("p/home")).unwrap();
    world.write("cargo/credentials.toml", "[registry]\ntoken = \"secret\"\n");
    world.depend("home = { path = \"home\" }");
    let reason = failure(&world);
    assert!(!reason.contains("secret"), "{reason}");
    registry_is_empty_but_for(&world, "credentials.toml");
}

fn registry_is_empty_but_for(world: &World, own: &str) {
    let files = world.registry_files();
    assert!(files.iter().all(|file| file == ".package-cache" || file == own), "{files:?}");
}
