//! Attacks on when a download starts and what it contacts. Each attack is tried without graftage first:
//! the control.

use graftage_build::{Fetched, Trust};

use crate::registry::Registry;
use crate::runs::check;
use crate::world::World;

fn failure(world: &World) -> String {
    match world.fetch().unwrap() {
        Fetched::Failed { reason } => reason,
        Fetched::Complete { .. } => panic!("it was downloaded"),
    }
}

/// A compiler of the project that writes a secret as the name of a dependency into the manifest,
/// prints cargo's words for a missing package, and ends.
#[test]
fn what_a_compiler_of_the_project_prints_and_writes_reaches_no_network() {
    let world = World::new();
    world.depend("");
    world.write("p/.env", "hunter2");
    let manifest = world.at("p/Cargo.toml").display().to_string();
    world.hostile_program(
        "p/evil.sh",
        &format!(
            "echo \"$(cat {}) = {{ version = '1', registry = 'test' }}\" >> {manifest}\necho 'error: \
             failed to download, --offline was specified' >&2\nexit 101",
            world.at("p/.env").display()
        ),
    );
    world.configure("[build]\nrustc = \"./evil.sh\"\n");
    let report = check(&world);
    let failure = report.failure.unwrap();
    assert!(failure.contains("failed to download, --offline was specified"), "{failure}");
    assert!(!report.built && !report.fetched);
    // The hostile input is what it claims to be: the program ran, and the used view names the secret.
    let written = std::fs::read_to_string(&manifest).unwrap();
    assert!(written.contains("hunter2 = {"), "{written}");
    assert_eq!(world.registry.requests(), Vec::<String>::new());
    // Control: a download from the used view leaks the secret.
    let _ = world.fetch();
    let requests = world.registry.requests();
    assert!(requests.iter().any(|path| path.ends_with("/hunter2")), "{requests:?}");
}

/// Where a git dependency may hide. `GIT` is its address.
const GIT_TABLES: [(&str, &str); 5] = [
    ("[target.'cfg(unix)'.dependencies]\ng = { git = \"GIT\" }", ""),
    ("[target.x86_64-unknown-linux-gnu.build-dependencies.g]\ngit = \"GIT\"", ""),
    ("[dependencies]\nleft = \"1\"\n[patch.crates-io]\nleft = { git = \"GIT\" }", ""),
    ("[workspace.dependencies]\ng = { git = \"GIT\" }\n[dependencies]\ng.workspace = true", ""),
    (
        "[dependencies]\nh = { path = \"target/.h\" }",
        "[package]\nname = \"h\"\nversion = \"0.1.0\"\n[dependencies]\ng = { \"g\\u0069t\" = \"GIT\" }",
    ),
];

#[test]
fn a_git_dependency_is_refused_before_the_network_is_on_wherever_it_hides() {
    for (manifest, hidden) in GIT_TABLES {
        let world = World::new();
        let git = format!("http://127.0.0.1:{}/g.git", world.registry.port());
        let package = "[package]\nname = \"p\"\nversion = \"0.1.0\"\nedition = \"2021\"\n";
        let workspace = if manifest.contains("[workspace") { "" } else { "[workspace]\n" };
        let text = format!("{package}{workspace}{manifest}\n").replace("GIT", &git);
        world.write("p/Cargo.toml", &text);
        world.write("p/target/.h/src/lib.rs", "");
        world.write("p/target/.h/Cargo.toml", &hidden.replace("GIT", &git));
        let reason = failure(&world);
        assert!(reason.contains("git dependencies are not downloaded by graftage"), "{reason}");
        assert_eq!(world.registry.requests(), Vec::<String>::new(), "{manifest}");
        let prepared = world.prepare();
        assert!(!prepared.complete && prepared.failure.is_some(), "{manifest}");
        assert_eq!(world.registry.requests(), Vec::<String>::new(), "{manifest}");
        let control = world.plain_cargo();
        let requests = world.registry.requests();
        let asked = requests.iter().any(|path| path.starts_with("/g.git"));
        assert!(asked, "{manifest}: {}", String::from_utf8_lossy(&control.stderr));
    }
}

#[test]
fn a_patch_of_the_configuration_that_names_git_is_refused_too() {
    let world = World::new();
    let git = format!("http://127.0.0.1:{}/g.git", world.registry.port());
    world.configure(&format!("[patch.crates-io]\nleft = {{ git = {git:?} }}\n"));
    let reason = failure(&world);
    assert!(reason.contains("git dependencies are not downloaded by graftage"), "{reason}");
    assert_eq!(world.registry.requests(), Vec::<String>::new());
    let _ = world.plain_cargo();
    let requests = world.registry.requests();
    assert!(requests.iter().any(|path| path.starts_with("/g.git")), "the control: {requests:?}");
}

#[test]
fn a_manifest_behind_a_link_is_no_hiding_place() {
    let world = World::new();
    let git = format!("http://127.0.0.1:{}/g.git", world.registry.port());
    world.write(
        "p/real/Cargo.toml",
        &format!("[package]\nname = \"h\"\nversion = \"0.1.0\"\n[dependencies]\ng = {{ git = {git:?} }}\n"),
    );
    world.write("p/real/src/lib.rs", "");
    std::os::unix::fs::symlink("real", world.at("p/link")).unwrap();
    world.depend("h = { path = \"link\" }");
    let reason = failure(&world);
    assert!(reason.contains("link/Cargo.toml`: it is a symbolic link"), "{reason}");
    assert_eq!(world.registry.requests(), Vec::<String>::new());
    let _ = world.plain_cargo();
    let requests = world.registry.requests();
    assert!(requests.iter().any(|path| path.starts_with("/g.git")), "the control: {requests:?}");
}

#[test]
fn a_registry_that_only_the_project_names_is_contacted_after_the_user_allowed_it() {
    let mut world = World::new();
    world.env.trust = Trust::default();
    let reason = failure(&world);
    let index = world.registry.index();
    let refused = format!("you have not allowed {index:?}; `--trust-registry '{index}'` allows it");
    assert!(reason.contains(&refused), "{reason}");
    assert_eq!(world.registry.requests(), Vec::<String>::new());
    // The control, and the user's way.
    world.env.trust = Trust::default().with_registries([index]);
    assert!(matches!(world.fetch().unwrap(), Fetched::Complete { packages: 1, .. }));
}

#[test]
fn what_the_users_own_configuration_names_needs_no_further_trust() {
    let mut world = World::new();
    world.env.trust = Trust::default();
    let own = format!("[registries.test]\nindex = \"{}\"\n", world.registry.index());
    world.write("cargo/config.toml", &own);
    assert!(matches!(world.fetch().unwrap(), Fetched::Complete { packages: 1, .. }));
}

/// A registry of the attacker.
fn replacement(evil: &Registry, world: &World) -> String {
    format!(
        "[source.test-registry]\nregistry = {:?}\nreplace-with = \"evil\"\n[source.evil]\nregistry = \
         {:?}\n",
        world.registry.index(),
        evil.index()
    )
}

#[test]
fn a_replaced_source_is_not_contacted_whether_the_project_or_a_folder_above_names_it() {
    for folder in ["p", "."] {
        let (world, evil) = (World::new(), Registry::start());
        let config = replacement(&evil, &world);
        match folder {
            "p" => world.configure(&config),
            _ => world.write(".cargo/config.toml", &config),
        }
        let reason = failure(&world);
        assert!(reason.contains(&format!("you have not allowed {:?}", evil.index())), "{reason}");
        assert_eq!(evil.requests(), Vec::<String>::new());
        let _ = world.plain_cargo();
        assert_ne!(evil.requests(), Vec::<String>::new(), "the control");
    }
}

#[test]
fn a_registry_that_only_the_lock_file_names_is_not_contacted() {
    let (world, evil) = (World::new(), Registry::start());
    world.write(
        "p/Cargo.lock",
        &format!(
            "version = 4\n[[package]]\nname = \"left\"\nversion = \"1.0.0\"\nsource = {:?}\nchecksum \
             = \"{}\"\n",
            evil.index(),
            "0".repeat(64)
        ),
    );
    let reason = failure(&world);
    assert!(reason.contains("(named by `Cargo.lock`)"), "{reason}");
    assert!(reason.contains(&format!("`--trust-registry '{}'`", evil.index())), "{reason}");
    assert_eq!((evil.requests(), world.registry.requests()), (Vec::new(), Vec::new()));
}

#[test]
fn an_address_in_a_manifest_is_not_contacted() {
    let (world, evil) = (World::new(), Registry::start());
    evil.publish("left", "1.0.0");
    let dependency = format!("left = {{ version = \"1\", registry-index = {:?} }}", evil.index());
    world.depend(&dependency);
    let reason = failure(&world);
    assert!(reason.contains("package sources that you have not allowed"), "{reason}");
    assert!(reason.contains("p/Cargo.toml`)"), "{reason}");
    assert_eq!(evil.requests(), Vec::<String>::new());
    let _ = world.plain_cargo();
    assert_ne!(evil.requests(), Vec::<String>::new(), "the control");
}

#[test]
fn a_preparation_of_a_broken_lock_file_reports_why_and_contacts_nothing() {
    let world = World::new();
    std::os::unix::fs::symlink("/etc/passwd", world.at("p/Cargo.lock")).unwrap();
    let prepared = world.prepare();
    assert!(prepared.failure.unwrap().contains("it is a symbolic link"));
    assert_eq!(prepared.lock, None);
    assert_eq!(world.registry.requests(), Vec::<String>::new());
}

#[test]
fn a_broken_manifest_is_no_failed_download() {
    let world = World::new();
    world.write("p/Cargo.toml", "[package]\nname = 3\n");
    let prepared = world.prepare();
    assert_eq!((prepared.complete, prepared.failure), (false, None));
    assert_eq!(world.registry.requests(), Vec::<String>::new());
}
