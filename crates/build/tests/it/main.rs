//! Downloads with the machine's own cargo, from a registry on the loopback interface.
// The controls run what the sandbox should prevent, so they start it without sandbox.
#![allow(clippy::disallowed_methods, clippy::unwrap_used)]

mod attacks;
mod config_attacks;
mod download;
mod download_attacks;
mod guard;
mod layers;
mod mount_attacks;
mod reads;
mod registry;
mod runs;
mod trial;
mod whole;
mod world;

#[test]
fn an_ordinary_user_is_protected_as_well() {
    testkit::as_ordinary_user(
        &[
            "config_attacks::",
            "download_attacks::",
            "mount_attacks::",
            "layers::",
            "guard::",
            "reads::",
            "whole::",
        ],
        &[],
    );
}
