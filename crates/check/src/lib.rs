//! The proof ladder: parse and format, cargo check, clippy, affected tests, all tests – each rung
//! cheaper than the next, stopping at the first failure – and diagnostics mapped through the
//! overlay back to the user's text and to items.
//!
//! Invariants: a verdict never differs from that of a cold check; nothing of the user's is
//! written (not even `target/`); a candidate never sees what another candidate built.

use std::time::Duration;
use base::{Ctx, Diagnostic};
use edit::Overlay;
use policy::Evidence;
use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tests { None, Affected, All }

/// How far to climb.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ladder { pub clippy: bool, pub tests: Tests, pub filter: Option<String>, pub timeout: Option<Duration> }

/// A diagnostic with its place in the user's own text.
#[derive(Clone, Debug, Serialize)]
pub struct Mapped { pub diagnostic: Diagnostic, /// in base coordinates (None: the text exists only in the overlay)
 pub file: Option<String>, pub line: Option<u32>, /// canonical path of the item around it
 pub item: Option<String>, /// the user's macro call that made the code
 pub macro_call: Option<String> }

/// An overlay and what was found of it. The only value that the gate's evidence is taken from.
#[derive(Debug)]
pub struct Checked {
    pub overlay: Overlay,
    pub evidence: Evidence,
    /// errors first; coordinates of the overlay's text
    pub diagnostics: Vec<Diagnostic>,
    pub mapped: Vec<Mapped>,
    pub tests: Option<cargo::TestReport>,
    /// cargo's failure that is no diagnostic
    pub failure: Option<String>,
    pub timed_out: bool,
}

/// One project held ready for proofs: toolchain, workspace, warm target, baseline.
pub struct Prover { project: repo::Project, env: cargo::CargoEnv }

#[derive(Debug, thiserror::Error)]
#[error("check")]
pub struct CheckError {}

impl Prover {
    pub fn new(_ctx: &Ctx, project: repo::Project, env: cargo::CargoEnv) -> Result<Self, CheckError> { Ok(Self { project, env }) }
    pub fn project(&self) -> &repo::Project { &self.project }
    pub fn env(&self) -> &cargo::CargoEnv { &self.env }
    /// Checks the tree as it stands and brings the warm target up to date with it (exclusive lock).
    pub fn baseline(&self, _ctx: &Ctx, _ladder: &Ladder, _on: &mut dyn FnMut(&Mapped)) -> Result<Checked, CheckError> { unimplemented!() }
    /// Climbs the ladder with `overlay` on top of the tree, in a throw-away layer. May run in parallel with others.
    pub fn prove(&self, _ctx: &Ctx, _overlay: Overlay, _ladder: &Ladder, _on: &mut dyn FnMut(&Mapped)) -> Result<Checked, CheckError> { unimplemented!() }
}
