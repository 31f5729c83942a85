//! Fixtures and fakes for the tests of all crates: a controllable host ([`FakeHost`]),
//! projects in temporary folders ([`TempProject`]), git without the user's configuration
//! ([`TestGit`]), digests of a tree ([`TreeDigest`]) that show that nothing changed, and a scripted
//! language server ([`LanguageServer`]).
//!
//! Invariants: nothing here is shipped; what a test creates is in a temporary folder and is removed
//! with it; no test sees the user's git configuration, home or clock through this crate. A test
//! that cannot run on this machine reports that through [`skip`], never silently.
//!
//! ```text
//! let project = testkit::project("
//! //- /src/lib.rs
//! pub fn double(n: u32) -> u32 { n$0 * 2 }
//! ");
//! assert_eq!(project.mark().path, "src/lib.rs");
//! ```

mod again;
mod chance;
mod fixture;
mod git;
mod host;
pub mod inner;
mod language_server;
mod mcp_clients;
mod need;
mod ordinary_user;
mod project;
mod skip;
mod tree;

pub use again::{job, this_test_again};
pub use chance::Chance;
pub use fixture::{Fixture, FixtureFile, Mark, extract_offsets, extract_range};
pub use git::TestGit;
pub use host::{FakeHost, TestHost, ctx};
pub use language_server::{Act, LanguageServer};
pub use mcp_clients::{McpClients, mcp_clients, ray_python};
pub use need::{MODEL_SERVER, Need};
pub use ordinary_user::{OrdinaryUser, as_ordinary_user};
pub use project::{
    TempProject, copy_app, copy_crate, crate_project, fixtures_dir, project, workspace_root,
};
pub use skip::{shared_eval_dir, skip, skip_again};
pub use tree::{TreeDigest, TreeEntry, rust_files};
