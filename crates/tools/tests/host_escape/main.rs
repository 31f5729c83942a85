//! Attacks on the host side: on the code of ours that reads, lists and removes what a repository, a
//! build or a server has written. The first suite (`crates/sandbox/tests/escape`) attacks the
//! sandbox; this one attacks those who look at what comes out of it.
//!
//! Each attack is tried twice: in the way of code without a defence, where it must succeed, and on
//! the product's own function, where it must not. All of it runs as the present user and, where
//! that is root, once more as an ordinary one.
#![allow(clippy::disallowed_methods, clippy::unwrap_used, clippy::type_complexity)]
#![allow(clippy::print_stderr, reason = "every attack is told, the stopped and the inapplicable")]

mod reads;
mod removals;
mod world;

use std::os::unix::process::CommandExt;
use std::process::Command;

use world::World;

/// One attack.
pub(crate) struct Attack {
    pub(crate) name: String,
    /// Makes the hostile files.
    pub(crate) plant: Box<dyn Fn(&World)>,
    /// The same without a defence; what it took in.
    pub(crate) control: Box<dyn Fn(&World) -> Vec<u8>>,
    /// The product's function, which plants at its own time; what it took in.
    pub(crate) defence: fn(&World, &dyn Fn(&World)) -> Vec<u8>,
}

fn attacks() -> Vec<Attack> {
    let mut attacks = reads::attacks();
    attacks.extend(removals::attacks());
    attacks
}

/// A defence that fails would read on: it is to end, and not to take the machine's memory.
fn limit_memory() {
    use rustix::process::{Resource, Rlimit, setrlimit};
    let limit = Some(8 << 30);
    setrlimit(Resource::As, Rlimit { current: limit, maximum: limit }).unwrap();
}

/// Runs all attacks in the way of `strike`, and reports those that went the wrong way.
fn suite(title: &str, strike: impl Fn(&Attack, &World) -> Vec<u8>, must_succeed: bool) {
    limit_memory();
    let attacks = attacks();
    let mut wrong = Vec::new();
    for attack in &attacks {
        let world = World::new();
        let seen = strike(attack, &world);
        let harm = world.harm(&seen);
        eprintln!("   {:60} {}", attack.name, harm.as_deref().unwrap_or("stopped"));
        if harm.is_some() != must_succeed {
            wrong.push(attack.name.clone());
        }
    }
    eprintln!("== {title}: {} attacks, {} wrong", attacks.len(), wrong.len());
    assert!(attacks.len() >= 60, "{}", attacks.len());
    assert!(wrong.is_empty(), "{title}: {wrong:#?}");
}

#[test]
fn every_attack_on_the_host_side_is_stopped() {
    suite("the product", |attack, world| (attack.defence)(world, &attack.plant), false);
}

#[test]
fn every_attack_on_the_host_side_succeeds_without_the_defence() {
    let strike = |attack: &Attack, world: &World| {
        world.build();
        (attack.plant)(world);
        (attack.control)(world)
    };
    suite("without a defence", strike, true);
}

#[test]
fn every_attack_on_the_host_side_is_stopped_for_an_ordinary_user() {
    as_ordinary_user("every_attack_on_the_host_side_is_stopped");
}

#[test]
fn every_attack_on_the_host_side_succeeds_for_an_ordinary_user_without_the_defence() {
    as_ordinary_user("every_attack_on_the_host_side_succeeds_without_the_defence");
}

/// Runs another test of this suite once more, from a copy of it and without rights.
fn as_ordinary_user(test: &str) {
    if !rustix::process::geteuid().is_root() {
        let why = format!("`{test}` runs as an ordinary user already");
        return testkit::skip(testkit::Need::Root, &why);
    }
    let folder = tempfile::Builder::new()
        .permissions(std::os::unix::fs::PermissionsExt::from_mode(0o755))
        .tempdir()
        .unwrap();
    let own = folder.path().join("suite");
    std::fs::copy(std::env::current_exe().unwrap(), &own).unwrap();
    let output = Command::new(own)
        .args(["--nocapture", "--exact", test])
        .env_clear()
        .env("PATH", "/usr/bin:/bin")
        .current_dir("/")
        .uid(65534)
        .gid(65534)
        .output()
        .unwrap();
    eprintln!("{}", String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}
