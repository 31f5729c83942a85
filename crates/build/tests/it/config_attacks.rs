//! Programs and addresses that a repository names in its `.cargo/config.toml`. Each attack is tried
//! with plain cargo first: the control.

use graftage_build::Fetched;

use crate::registry::Registry;
use crate::world::World;

const COMPLETE: Fetched = Fetched::Complete { packages: 1, chose_versions: true };

/// The effect of the attack on plain cargo.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Control {
    /// cargo runs the program.
    Runs,
    /// cargo does not run it, for another reason; the attack is tried all the same.
    Never,
}

/// Names `p/evil` in the project's configuration, and downloads.
fn attack(config: &str, then: &str, control: Control) {
    let world = World::new();
    let then = then.replace("RUSTC", &world.env.toolchain.rustc.display().to_string());
    world.hostile_program("p/evil", &then);
    world.configure(&config.replace("EVIL", &world.at("p/evil").display().to_string()));
    let output = world.plain_cargo();
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(world.was_struck(), control == Control::Runs, "the control: {stderr}");
    std::fs::remove_file(world.at("p/Cargo.lock")).unwrap();
    if control == Control::Runs {
        // The registry remembers the control, so a new one is used.
        return afresh(config, &then);
    }
    assert_eq!(world.fetch().unwrap(), COMPLETE);
    assert!(!world.was_struck());
}

/// With and without mounts; without them the project's files are at their usual paths.
fn afresh(config: &str, then: &str) {
    for world in [World::new(), World::without_mounts()] {
        world.hostile_program("p/evil", then);
        world.configure(&config.replace("EVIL", &world.at("p/evil").display().to_string()));
        assert_eq!(world.fetch().unwrap(), COMPLETE);
        assert!(!world.was_struck(), "a program of the project ran");
    }
}

#[test]
fn a_compiler_of_the_project_does_not_run() {
    attack("[build]\nrustc = \"EVIL\"\n", "exec RUSTC \"$@\"", Control::Runs);
}

#[test]
fn a_wrapper_of_the_project_does_not_run() {
    attack("[build]\nrustc-wrapper = \"EVIL\"\n", "exec \"$@\"", Control::Runs);
}

#[test]
fn a_wrapper_for_members_does_not_run() {
    attack("[build]\nrustc-workspace-wrapper = \"EVIL\"\n", "exec \"$@\"", Control::Runs);
}

#[test]
fn a_compiler_in_an_older_configuration_file_does_not_run() {
    let world = World::new();
    world.hostile_program("p/evil", "exit 1");
    let config = format!("[build]\nrustc = {:?}\n", world.at("p/evil"));
    world.write("p/.cargo/config", &config);
    world.depend("");
    let _ = world.plain_cargo();
    assert!(world.was_struck(), "the control");
    world.forget();
    assert!(matches!(world.fetch().unwrap(), Fetched::Complete { packages: 0, .. }));
    assert!(!world.at("p/ran").exists());
}

#[test]
fn a_compiler_in_the_configuration_of_a_folder_above_does_not_run() {
    let world = World::new();
    world.hostile_program("p/evil", "exit 1");
    world.write(".cargo/config.toml", &format!("[build]\nrustc = {:?}\n", world.at("p/evil")));
    let _ = world.plain_cargo();
    assert!(world.was_struck(), "the control");
    world.forget();
    assert!(matches!(world.fetch().unwrap(), Fetched::Complete { packages: 1, .. }));
    assert!(!world.at("p/ran").exists());
}

#[test]
fn a_linker_and_a_runner_do_not_run() {
    let config = "[target.'cfg(all())']\nlinker = \"EVIL\"\nrunner = \"EVIL\"\n";
    attack(config, "exit 1", Control::Never);
}

#[test]
fn an_alias_named_fetch_does_not_run() {
    attack("[alias]\nfetch = [\"--config\", \"build.rustc='EVIL'\"]\n", "exit 1", Control::Never);
}

#[test]
fn variables_of_the_configuration_reach_no_process() {
    attack("[env]\nRUSTC = { value = \"EVIL\", force = true }\n", "exit 1", Control::Never);
}

#[test]
fn a_provider_of_credentials_does_not_run() {
    let world = World::new();
    world.hostile_program("p/evil", "exit 1");
    world.registry.want_token();
    let evil = world.at("p/evil");
    world.configure(&format!("credential-provider = [{evil:?}]\n"));
    let _ = world.plain_cargo();
    assert!(world.was_struck(), "the control");
    world.forget();
    let Fetched::Failed { reason } = world.fetch().unwrap() else { panic!("without a token") };
    assert!(reason.contains("graftage downloads without credentials"), "{reason}");
    assert!(!world.at("p/ran").exists());
    assert_eq!(world.registry_files(), Vec::<String>::new());
}

#[test]
fn a_proxy_of_the_project_receives_nothing() {
    let (world, proxy) = (World::new(), Registry::start());
    world.configure(&format!("[http]\nproxy = \"127.0.0.1:{}\"\n[net]\nretry = 0\n", proxy.port()));
    let _ = world.plain_cargo();
    assert_ne!(proxy.requests(), Vec::<String>::new(), "the control");
    let requests = proxy.requests();
    assert_eq!(world.fetch().unwrap(), COMPLETE);
    assert_eq!(proxy.requests(), requests);
}

#[test]
fn packages_of_a_folder_outside_the_project_are_not_read() {
    let world = World::new();
    world.write("outside/left/Cargo.toml", "[package]\nname = \"left\"\nversion = \"1.0.0\"\n");
    world.write("outside/left/.cargo-checksum.json", "{\"files\":{},\"package\":null}");
    world.write("outside/left/src/lib.rs", "");
    world.configure(&format!(
        "[source.test]\nregistry = {:?}\nreplace-with = \"here\"\n[source.here]\ndirectory = {:?}\n",
        world.registry.index(),
        world.at("outside")
    ));
    let control = world.plain_cargo();
    let _ = std::fs::remove_file(world.at("p/Cargo.lock"));
    let stderr = String::from_utf8_lossy(&control.stderr).into_owned();
    assert!(world.registry.requests().is_empty(), "the control reads the folder: {stderr}");
    let Fetched::Failed { reason } = world.fetch().unwrap() else { panic!("it was read") };
    let refused = format!("`{}` is outside the project", world.at("outside").display());
    assert!(reason.contains(&refused), "{reason}");
    assert_eq!(world.registry_files(), Vec::<String>::new());
}

#[test]
fn a_vendored_folder_of_the_project_still_serves() {
    let world = World::new();
    let manifest = "[package]\nname = \"left\"\nversion = \"1.0.0\"\nedition = \"2021\"\n";
    world.write("p/vendor/left/Cargo.toml", manifest);
    let sum = world.registry.publish("other", "1.0.0");
    let checksums = format!("{{\"files\":{{}},\"package\":\"{sum}\"}}");
    world.write("p/vendor/left/.cargo-checksum.json", &checksums);
    world.write("p/vendor/left/src/lib.rs", "");
    world.configure(&format!(
        "[source.test]\nregistry = {:?}\nreplace-with = \"here\"\n[source.here]\ndirectory = \
         \"vendor\"\n",
        world.registry.index(),
    ));
    let none = Fetched::Complete { packages: 0, chose_versions: true };
    assert_eq!(world.fetch().unwrap(), none);
    assert_eq!(world.registry.requests(), Vec::<String>::new());
}
