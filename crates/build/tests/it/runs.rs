//! When a run downloads, and what the built code can reach.

use std::time::Duration;

use graftage_build::warm::TargetMount;
use graftage_build::{CargoError, CargoReport, Command, Verb, format_text, run};
use sandbox::Mount;

use crate::world::{World, digest};

/// Prepares the packages and checks the project, as a proof does.
pub(crate) fn check(world: &World) -> CargoReport {
    let prepared = world.prepare();
    let mut report = built(world);
    prepared.add_to(&mut report);
    report
}

/// Checks the project without a preparation.
pub(crate) fn built(world: &World) -> CargoReport {
    tried(world).unwrap()
}

/// The same, or why nothing could be run.
pub(crate) fn tried(world: &World) -> Result<CargoReport, CargoError> {
    for name in ["target", "target/home", "target/tmp"] {
        std::fs::create_dir_all(world.at(name)).unwrap();
    }
    let (inside, home) = (world.at("target"), world.at("target/home"));
    let mount = Mount::Writable { host: inside.clone(), inside: inside.clone() };
    let target =
        TargetMount { inside, mounts: vec![mount], home, tmp: world.at("target/tmp"), guard: None };
    let command = Command::new(Verb::Check, Duration::from_secs(300));
    let (view, root) = (world.view(), world.root());
    run(&world.ctx, &world.env, &view, &root, &target, &command, &mut |_| {})
}

#[test]
fn a_missing_dependency_is_downloaded_and_the_build_continues() {
    let world = World::new();
    let report = check(&world);
    assert!(report.built, "{:?}", report.failure);
    assert!(report.fetched && report.chose_versions);
    let again = check(&world);
    assert!(again.built && !again.fetched && !again.chose_versions);
}

#[test]
fn what_the_lock_file_names_and_the_registry_lacks_is_downloaded() {
    let world = World::new();
    assert!(check(&world).built);
    std::fs::remove_dir_all(world.at("cargo/registry")).unwrap();
    let report = check(&world);
    assert!(report.built, "{:?}", report.failure);
    assert!(report.fetched && !report.chose_versions);
}

#[test]
fn a_lock_file_that_does_not_fit_the_manifests_is_completed_and_returned() {
    let world = World::new();
    assert!(check(&world).built);
    let locked = std::fs::read_to_string(world.at("p/Cargo.lock")).unwrap();
    assert_eq!(world.prepare().lock, None);
    world.registry.publish("right", "2.0.0");
    world.depend(
        "left = { version = \"1.0.0\", registry = \"test\" }\nright = { version = \"2\", registry = \
         \"test\" }",
    );
    let prepared = world.prepare();
    assert_eq!((prepared.downloaded, prepared.chose_versions), (1, false));
    let lock = prepared.lock.unwrap();
    assert!(!locked.contains("\"right\"") && lock.contains("\"right\""), "{lock}");
}

#[test]
fn offline_nothing_is_downloaded() {
    let mut world = World::new();
    world.env.offline = true;
    let report = check(&world);
    assert!(!report.built && !report.fetched);
    assert_eq!(world.registry.requests(), Vec::<String>::new());
}

#[test]
fn the_reason_of_a_failed_download_follows_cargos_message() {
    let world = World::new();
    world.registry.serve("/dl/left/1.0.0/download", b"forged".to_vec());
    let failure = check(&world).failure.unwrap();
    assert!(failure.contains("no matching package named `left` found"), "{failure}");
    assert!(failure.contains("the dependencies could not be downloaded: error: "), "{failure}");
    assert!(failure.contains("failed to verify the checksum"), "{failure}");
}

/// A build script that writes the registry, sends a request, and prints cargo's message for a
/// missing dependency.
fn hostile_build_script(world: &World) {
    let script = "use std::io::{Read, Write};\nfn main() {\n    let home = \
                  std::env::var(\"CARGO_HOME\").unwrap();\n    let _ = \
                  std::fs::create_dir_all(format!(\"{home}/registry\"));\n    let _ = \
                  std::fs::write(format!(\"{home}/registry/PWNED\"), \"x\");\n    if let Ok(mut \
                  stream) = std::net::TcpStream::connect(\"127.0.0.1:PORT\") {\n        let _ = \
                  stream.write_all(b\"GET /evil HTTP/1.0\\r\\n\\r\\n\");\n        let _ = \
                  stream.read(&mut [0; 9]);\n    }\n    eprintln!(\"error: failed to download, \
                  --offline was specified\");\n    std::process::exit(1);\n}\n";
    let port = world.registry.port().to_string();
    world.write("p/build.rs", &script.replace("PORT", &port));
}

#[test]
fn output_of_a_build_script_causes_no_download_and_it_reaches_nothing() {
    let world = World::new();
    hostile_build_script(&world);
    // The lock file names a package that the registry does not have and this system never needs.
    let windows = "[target.'cfg(windows)'.dependencies]\nleft = { version = \"1.0.0\", registry = \
                   \"test\" }\n";
    world.depend(&format!("\n{windows}"));
    let control = world.plain_cargo_with(&["check"]);
    assert!(String::from_utf8_lossy(&control.stderr).contains("failed to download"));
    assert!(world.at("control/registry/PWNED").exists(), "the control");
    assert!(world.registry.requests().contains(&"/evil".to_owned()), "the control");
    world.fetch().unwrap();
    for part in ["cache", "src"] {
        std::fs::remove_dir_all(world.at("cargo/registry").join(part)).unwrap();
    }
    let (asked, before) = (world.registry.requests(), digest(&world.at("cargo")));
    let report = built(&world);
    let failure = report.failure.unwrap();
    assert!(failure.contains("--offline was specified"), "{failure}");
    assert!(!report.built && !report.fetched);
    assert_eq!(world.registry.requests(), asked);
    assert_eq!(digest(&world.at("cargo")), before);
}

#[test]
fn rustfmt_gets_no_more_time_than_the_caller_has_left() {
    let world = World::new();
    if world.env.toolchain.rustfmt.is_none() {
        return;
    }
    let (view, root) = (world.view(), world.root());
    let format = |text: &str, left: Duration| {
        format_text(&world.ctx, &world.env, &view, &root, "2021", (text, left)).unwrap()
    };
    // Control: with time it answers.
    let text = "fn  f( ) { }\n";
    assert_eq!(format(text, Duration::from_secs(30)).as_deref(), Some("fn f() {}\n"));
    assert_eq!(format(text, Duration::ZERO), None);
    // A text on which it takes longer than any test: calls that nest in closures.
    let (open, close) = ("g(1, || ".repeat(200), ", 2)".repeat(200));
    let slow = format!("pub fn h() -> i32 {{ {open}1{close} }}\n");
    let started = std::time::Instant::now();
    assert_eq!(format(&slow, Duration::from_secs(1)), None);
    assert!(started.elapsed() < Duration::from_secs(20), "{:?}", started.elapsed());
}
