//! Attacks on the host side: on the code of ours that reads, lists and removes what a repository, a
//! build or a server has written. The first suite (`crates/sandbox/tests/escape`) attacks the
//! sandbox; this one attacks those who look at what comes out of it.
//!
//! Each attack is tried twice: in the way of code without a defence, where it must succeed, and on
//! the product's own function, where it must not. All of it runs as the present user and, where
//! that is root, once more as an ordinary one.
#![allow(clippy::disallowed_methods, clippy::unwrap_used, clippy::type_complexity)]
#![allow(clippy::print_stderr, reason = "every attack is printed, stopped or not applicable")]

mod contents;
mod elsewhere;
mod reads;
mod removals;
mod sandboxed;
mod world;

use std::panic::{AssertUnwindSafe, catch_unwind};

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
    attacks.extend(contents::attacks());
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
        let seen = catch_unwind(AssertUnwindSafe(|| strike(attack, &world)));
        let harm = match seen {
            Ok(seen) => world.harm(&seen),
            Err(_) => Some("it panicked".to_owned()),
        };
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

/// Lives the batch of that name under all layers. Those without a test here (the bench
/// `host_escape` has all) take the way of another.
fn stopped(batch: &str) {
    let batches = sandboxed::batches::all();
    let batch = batches.iter().find(|it| it.name == batch).unwrap();
    let harm = sandboxed::lives(batch, &sandboxed::layer_sets()[..1]);
    assert!(harm.is_empty(), "{harm:#?}");
}

#[test]
fn links_to_the_secret_through_the_sandbox_are_stopped() {
    stopped("links to the secret");
}

#[test]
fn pipes_through_the_sandbox_are_stopped() {
    stopped("pipes");
}

#[test]
fn holes_through_the_sandbox_are_stopped() {
    stopped("holes");
}

#[test]
fn links_in_fingerprints_through_the_sandbox_are_stopped() {
    stopped("links in fingerprints");
}

#[test]
fn links_as_profiles_through_the_sandbox_are_stopped() {
    stopped("links as profiles");
}

#[test]
fn links_as_folders_of_debug_through_the_sandbox_are_stopped() {
    stopped("links as folders of debug");
}

#[test]
fn contents_through_the_sandbox_are_stopped() {
    stopped("contents");
}

#[test]
fn trees_through_the_sandbox_are_stopped() {
    stopped("trees");
}

#[test]
fn messages_through_the_sandbox_are_stopped() {
    stopped("messages");
}

#[test]
fn every_attack_through_the_sandbox_succeeds_without_the_defence() {
    let (succeeded, failed) = sandboxed::controls();
    assert!(succeeded >= 60 && failed.is_empty(), "{succeeded} succeed, these fail: {failed:#?}");
}

#[test]
fn a_mixed_batch_is_stopped_with_each_layer_left_out() {
    let harm = sandboxed::lives(&sandboxed::batches::mixed(), &sandboxed::layer_sets()[1..]);
    assert!(harm.is_empty(), "{harm:#?}");
}

#[test]
fn a_mixed_batch_is_stopped_for_an_ordinary_user() {
    let all = &sandboxed::layer_sets()[..1];
    if rustix::process::geteuid().is_root() {
        return as_ordinary_user("a_mixed_batch_is_stopped_for_an_ordinary_user");
    }
    let harm = sandboxed::lives(&sandboxed::batches::mixed(), all);
    assert!(harm.is_empty(), "{harm:#?}");
}

#[test]
fn every_attack_through_the_sandbox_succeeds_for_an_ordinary_user_without_the_defence() {
    as_ordinary_user("every_attack_through_the_sandbox_succeeds_without_the_defence");
}

#[test]
fn attacks_that_other_suites_have_are_still_there() {
    let missing = elsewhere::missing();
    assert!(missing.is_empty(), "{missing:#?}");
}

/// Runs another test of this suite once more, from a copy of it and without rights.
fn as_ordinary_user(test: &str) {
    testkit::as_ordinary_user(&["--exact", test], &[]);
}
