//! Attacks on what a build can read outside its project. A build script is the attacker; the control
//! shows that it would find the secret.

use std::os::unix::fs::symlink;
use std::path::Path;

use graftage_build::ShownConfiguration;
use sandbox::Mount;

use crate::runs::{check, tried};
use crate::world::World;

/// A project whose build script copies this file into the target directory.
fn spy(world: &World, file: &Path) {
    world.depend("");
    world.write(
        "p/build.rs",
        &format!(
            "fn main() {{\n    let found = std::fs::read({file:?});\n    let found = found.unwrap_or_else(|e| \
             e.to_string().into_bytes());\n    std::fs::write({:?}, found).unwrap();\n}}\n",
            world.at("target/found")
        ),
    );
}

/// What the build script read, and the notes of the report.
fn found(world: &World) -> (String, Vec<String>) {
    let _ = std::fs::remove_dir_all(world.at("target"));
    let report = check(world);
    assert!(report.built, "{:?} {:?}", report.failure, report.diagnostics);
    (std::fs::read_to_string(world.at("target/found")).unwrap(), report.notes)
}

#[test]
fn a_link_beside_the_crate_of_a_repository_shows_nothing_of_its_target() {
    for world in [World::new(), World::without_mounts()] {
        world.write("home/.ssh/id_ed25519", "hunter2");
        for name in ["clippy.toml", ".clippy.toml", "rustfmt.toml", ".rustfmt.toml"] {
            let link = world.at(name);
            spy(&world, &link);
            // Control: a regular file there is read.
            world.write(name, "# nothing\n");
            assert_eq!(found(&world).0, "# nothing\n");
            std::fs::remove_file(&link).unwrap();
            symlink(world.at("home/.ssh/id_ed25519"), &link).unwrap();
            assert_eq!(std::fs::read_to_string(&link).unwrap(), "hunter2");
            let (text, notes) = found(&world);
            assert!(!text.contains("hunter2"), "{text}");
            let note =
                format!("`{}` is not shown to builds: it is a symbolic link", link.display());
            assert!(notes.iter().any(|it| it.starts_with(&note)), "{notes:?}");
            std::fs::remove_file(&link).unwrap();
        }
        // Nor by its own path.
        spy(&world, &world.at("home/.ssh/id_ed25519"));
        assert!(!found(&world).0.contains("hunter2"));
    }
}

#[test]
fn a_folder_that_is_a_link_shows_no_file_of_its_target() {
    let world = World::new();
    world.write("home/.kube/config", "token = \"hunter2\"\n");
    symlink(world.at("home/.kube"), world.at(".cargo")).unwrap();
    spy(&world, &world.at(".cargo/config"));
    assert!(std::fs::read_to_string(world.at(".cargo/config")).unwrap().contains("hunter2"));
    let (text, notes) = found(&world);
    assert!(!text.contains("hunter2"), "{text}");
    assert!(notes.iter().any(|it| it.contains(".cargo/config` is not shown")), "{notes:?}");
}

#[test]
fn a_pipe_above_the_project_does_not_hang_the_build() {
    let world = World::new();
    let (fifo, mode) = (rustix::fs::FileType::Fifo, rustix::fs::Mode::from(0o600));
    rustix::fs::mknodat(rustix::fs::CWD, world.at("rustfmt.toml"), fifo, mode, 0).unwrap();
    spy(&world, &world.at("nothing"));
    let (_, notes) = found(&world);
    assert!(notes.iter().any(|it| it.contains("it is not a regular file")), "{notes:?}");
}

const OWN: &str = "[registry]\ntoken = \"hunter2\"\n[registries.own]\nindex = \
                   \"sparse+https://own.example/\"\ntoken = \"hunter2\"\n[http]\nproxy = \
                   \"http://me:hunter2@proxy.example\"\n[env]\nKEPT = \"kept\"\n";

/// Checks that a build reads the configuration in this folder without its tokens.
fn shows_no_tokens(folder: &str) {
    for name in ["config.toml", "config"] {
        let world = World::new();
        let path = world.at(folder).join(name);
        world.write(&format!("{folder}/{name}"), OWN);
        spy(&world, &path);
        assert!(std::fs::read_to_string(&path).unwrap().contains("hunter2"));
        let (text, notes) = found(&world);
        assert!(!text.contains("hunter2"), "{text}");
        for kept in ["sparse+https://own.example/", "http://proxy.example", "KEPT = \"kept\""] {
            assert!(text.contains(kept), "{text}");
        }
        assert_eq!(notes, Vec::<String>::new());
        assert_eq!(std::fs::read_to_string(&path).unwrap(), OWN, "the file itself stays");
    }
}

#[test]
fn tokens_of_the_users_configuration_are_not_readable_and_the_rest_is() {
    shows_no_tokens("cargo");
}

#[test]
fn tokens_of_a_projects_own_configuration_are_not_readable_and_the_rest_is() {
    shows_no_tokens("p/.cargo");
}

#[test]
fn a_device_that_cargo_would_read_is_refused_at_once() {
    for name in [".cargo/config.toml", "Cargo.lock", "Cargo.toml"] {
        let world = World::new();
        spy(&world, &world.at("nothing"));
        let path = world.at("p").join(name);
        let _ = std::fs::remove_file(&path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        symlink("/dev/zero", &path).unwrap();
        let error = tried(&world).expect_err("nothing can be run");
        assert!(error.to_string().contains("it is not a regular file"), "{name}: {error}");
        // Control: the empty device is an empty file.
        std::fs::remove_file(&path).unwrap();
        symlink("/dev/null", &path).unwrap();
        let error = tried(&world).err().map(|it| it.to_string()).unwrap_or_default();
        assert!(!error.contains("it is not a regular file"), "{name}: {error}");
    }
}

#[test]
fn without_mounts_a_configuration_with_tokens_is_not_shown_and_the_report_has_a_note() {
    let world = World::without_mounts();
    world.write("cargo/config.toml", OWN);
    spy(&world, &world.at("cargo/config.toml"));
    let report = check(&world);
    assert!(!report.built && !world.at("target/found").exists());
    let failure = report.failure.unwrap();
    assert!(failure.contains("failed to read configuration file"), "{failure}");
    let notes = report.notes;
    assert!(notes.iter().any(|it| it.contains("it contains secrets")), "{notes:?}");
    // Control: without secrets it is shown.
    world.write("cargo/config.toml", "[env]\nKEPT = \"kept\"\n");
    let (text, notes) = found(&world);
    assert!(text.contains("KEPT") && notes.is_empty(), "{text} {notes:?}");
}

#[test]
fn a_configuration_that_does_not_parse_is_not_shown() {
    let world = World::new();
    world.write("cargo/config.toml", "[registry\ntoken = \"hunter2\"\n");
    spy(&world, &world.at("cargo/config.toml"));
    let (text, notes) = found(&world);
    assert!(!text.contains("hunter2"), "{text}");
    assert!(notes.iter().any(|it| it.contains("it is not valid TOML")), "{notes:?}");
}

#[test]
fn a_file_that_becomes_a_link_after_it_was_read_is_shown_as_it_was() {
    let world = World::new();
    world.write("secret", "hunter2");
    world.write("clippy.toml", "msrv = \"1.80\"\n");
    let shown = ShownConfiguration::collect(&world.env.host, &world.root());
    std::fs::remove_file(world.at("clippy.toml")).unwrap();
    symlink(world.at("secret"), world.at("clippy.toml")).unwrap();
    let mounts = shown.mounts(&world.env).unwrap();
    let of_file = mounts.iter().find(|mount| mount.inside() == world.at("clippy.toml")).unwrap();
    let Mount::ReadOnly { host, .. } = of_file else { panic!("{of_file:?}") };
    assert_eq!(std::fs::read_to_string(host).unwrap(), "msrv = \"1.80\"\n");
    assert!(host.starts_with(world.at("cache")), "{}", host.display());
}
