use std::time::Duration;

use crate::killing::{Arena, child};

#[test]
fn a_killed_index_leaves_the_former_one_or_none() {
    if let Some(folder) = testkit::job() {
        return child(&folder);
    }
    let project = crate::kit::shapes();
    let mut arena = Arena::new(project.root().parent().unwrap(), 11);
    for _ in 0..10 {
        arena.round(&testkit::this_test_again, Duration::from_millis(400));
    }
}
