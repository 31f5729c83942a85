//! Tests of the binary: standard output, standard error and status.

mod apply;
mod bad_input;
mod contract;
mod editions;
mod fixing;
mod fleet;
mod hidden_names;
mod history;
mod hooks;
mod inlining;
mod kills;
mod map;
mod map_of_others;
mod map_of_traits;
mod memory;
mod moving;
mod observing;
mod others_use_it;
mod own_folders;
mod plans;
mod policy;
mod proposals;
mod public_reports;
mod questions;
mod races;
mod refactoring;
mod repairing;
mod reshaping;
mod rules;
mod rules_outside;
mod seams;
mod search;
mod skills;
mod support;
mod tasks;
mod terminal;
mod tools;
mod trust;
mod tui;
mod undoing;
mod watch;
mod whole_names;
mod world;
mod world_shop;

use std::path::Path;

#[test]
fn an_ordinary_user_is_protected_as_well() {
    testkit::as_ordinary_user(
        &["own_folders::"],
        &[("GRAFTAGE_TEST_PROGRAM", Path::new(env!("CARGO_BIN_EXE_graftage")))],
    );
}
