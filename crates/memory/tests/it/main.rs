//! Tests of the crate.

#![allow(clippy::unwrap_used, reason = "a test that fails ends")]

mod relation_files;
mod relation_laws;
mod relations;

use base::Ctx;

fn ctx() -> Ctx {
    testkit::FakeHost::new().ctx()
}
