//! Tests of the crate.

#![allow(clippy::unwrap_used, reason = "a test that fails ends")]

mod markdown;
mod relation_files;
mod relation_laws;
mod relations;
mod rules;
mod skills;

use base::Ctx;

fn ctx() -> Ctx {
    testkit::FakeHost::new().ctx()
}
