//! Tests that a killed process leaves a complete index or none.

use std::time::Duration;

use crate::killing::{Arena, child};

#[test]
fn a_killed_process_leaves_the_previous_index_or_none() {
    if let Some(folder) = testkit::job() {
        return child(&folder);
    }
    let project = crate::kit::shapes();
    let mut arena = Arena::new(project.root().parent().unwrap(), 11);
    for _ in 0..10 {
        arena.round(&testkit::this_test_again, Duration::from_millis(400));
    }
}
