//! Stories in a real browser. Skipped where there is no Chromium.
#![allow(clippy::unwrap_used, reason = "a test that cannot continue fails")]

mod constraints;
mod explore;
mod fault_table;
mod faults;
mod hostile;
mod kills;
mod pages;
mod snapshots;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use graftage_world::{
    BrowserProgram, PageFiles, SharedBrowser, StoryFile, WorldReport, WorldSettings, examine_file,
    play_file,
};
use testkit::Need;

/// The browser of this machine; `None`, with a reported skip, if there is none.
fn program() -> Option<BrowserProgram> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    match BrowserProgram::find(&path) {
        Ok(program) => Some(program),
        Err(error) => {
            testkit::skip(Need::Chromium, &error.to_string());
            None
        }
    }
}

/// Files of a folder on the disk.
struct Folder(PathBuf);

impl PageFiles for Folder {
    fn read(&self, path: &str, _: u64) -> Option<Vec<u8>> {
        std::fs::read(self.0.join(path)).ok()
    }
}

/// Plays a file of stories that is in `folder`.
fn report(folder: &Path, text: &str) -> Option<WorldReport> {
    played(folder, text, false)
}

/// The same, with new snapshots in place of those that differ.
fn updated(folder: &Path, text: &str) -> Option<WorldReport> {
    played(folder, text, true)
}

fn played(folder: &Path, text: &str, updates: bool) -> Option<WorldReport> {
    let program = program()?;
    let file = StoryFile::parse("stories/test.toml", text).unwrap();
    let sandbox = testkit::inner::sandbox();
    let settings = WorldSettings {
        sandbox: &sandbox,
        require: testkit::inner::level(),
        program: &program,
        at_once: 4,
        inspects: false,
        updates,
        filter: None,
    };
    let mut report = WorldReport::default();
    let mut shared = SharedBrowser::default();
    let files: Arc<dyn PageFiles> = Arc::new(Folder(folder.to_owned()));
    let ctx = testkit::ctx();
    assert!(examine_file(&ctx, &file, text, None, &mut report).unwrap());
    let played = play_file(&ctx, &settings, &mut shared, &file, (&files, None), &mut report);
    played.unwrap();
    Some(report)
}

/// The verdicts as lines: `ok NAME`, or the name with the step and what was there.
fn verdicts(report: &WorldReport) -> String {
    let mut text = String::new();
    for story in &report.stories {
        match &story.failure {
            None => text.push_str(&format!("ok {}\n", story.name)),
            Some(failure) => {
                let there = failure.there.join(" | ");
                text.push_str(&format!(
                    "no {}: {}: {}: {} [{there}]\n",
                    story.name, failure.line, failure.step, failure.reason
                ));
            }
        }
    }
    text
}

/// Plays stories twice: both times the same.
fn check(text: &str, expected: &expect_test::Expect) {
    let folder = std::env::temp_dir();
    let Some(first) = report(&folder, text) else { return };
    expected.assert_eq(&verdicts(&first));
    let second = report(&folder, text).unwrap();
    assert_eq!(serde_json::to_string(&first).unwrap(), serde_json::to_string(&second).unwrap());
}
