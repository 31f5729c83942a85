//! Tests of the record.

#![allow(clippy::unwrap_used, reason = "a test that fails ends")]

mod blobs;
mod logs;
mod proposals;

use base::Ctx;

fn ctx() -> Ctx {
    testkit::FakeHost::new().ctx()
}
