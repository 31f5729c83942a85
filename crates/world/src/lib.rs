//! Worlds in which a change is tried: stories on pages, played in a real browser.
//!
//! A [`StoryFile`] describes a page or an app and what a person does on it and sees ([`StoryFile::parse`]).
//! [`play_file`] starts a [`Browser`] in the sandbox and plays the stories, each in a context of its own; the
//! result is a verdict with a reward and, for a story that failed, the step and what was there instead.
//!
//! ```text
//! stories/cart.toml ── parse ──▶ StoryFile ── examine_file ──▶ play_file ──▶ WorldReport (verdict, reward, evidence)
//!                       StoryReviewer, by option ───┘   app ────────┘  Browser: one socket, one sandbox, no address outside
//! ```
//! Invariants: pages, apps, stories and what the browser sends are hostile input, with limits on bytes, number and
//! time; a step that could not be looked at has not passed; an element that is not the only one that matches is not
//! used; no result contains a time. The crate writes no file and knows no project.

mod browser;
mod error;
mod explore;
mod moments;
mod play;
mod report;
mod review;
mod run;
mod story;
mod trajectory;
mod wasm;

pub use browser::{AppCommand, Browser, BrowserProgram, Incident, IncidentKind, PageFiles};
pub use error::WorldError;
pub use explore::{Exploration, ExploreFinding, ExploreSettings, explore};
pub use moments::{Moment, timeline};
pub use play::Rule;
pub use report::{
    SnapshotFile, StepFailure, StoryResult, StoryScore, TierVerdict, WorldReport, WorldTier,
};
pub use review::{ReviewedChange, StoryReviewer, examine_file};
pub use run::{SharedBrowser, StoryFilter, WorldSettings, play_file};
pub use story::{AppBuild, ServedApp, Story, StoryError, StoryFile, StoryPage, story_schema};
pub use trajectory::{
    Ranking, StoryPlay, Trajectory, TrajectoryError, TrajectoryStats, trajectory,
};
pub use wasm::{WASM_RUNNER, WasmResults, WasmTests, wasm_test};
