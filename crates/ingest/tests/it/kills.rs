#![allow(clippy::disallowed_methods, reason = "the test starts itself anew to be killed")]

use std::time::Duration;

use crate::killing::{Arena, child};

/// Not a test by itself: what the process does that is killed.
#[test]
fn is_killed() {
    if let Ok(folder) = std::env::var("GRAFTAGE_KILL") {
        child(&folder);
    }
}

#[test]
fn a_killed_index_leaves_the_former_one_or_none() {
    if std::env::var_os("GRAFTAGE_KILL").is_some() {
        return;
    }
    let project = crate::kit::shapes();
    let mut arena = Arena::new(project.root().parent().unwrap(), 11);
    for _ in 0..10 {
        arena.round(
            &|command| command.args(["--exact", "kills::is_killed"]).spawn().unwrap(),
            Duration::from_millis(400),
        );
    }
}
