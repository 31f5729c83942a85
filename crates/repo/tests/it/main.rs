//! One binary for all tests of the crate that use a disk.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on ends")]

mod apply;
mod commit;
mod disks;
mod git_attacks;
mod killing;
mod kills;
mod moved;
mod past;
mod reading;
mod support;
mod undo;
mod view_writes;
mod views;

#[test]
fn an_ordinary_user_is_protected_as_well() {
    testkit::as_ordinary_user(&["git_attacks::", "view_writes::"], &[]);
}
