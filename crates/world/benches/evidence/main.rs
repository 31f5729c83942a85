//! Evidence of the world: what takes minutes. An argument chooses a part:
//!
//! - `stories`: 200 stories over ten pages; each has the verdict that its name announces, twice the same;
//! - `pairs`: 100 pairs of a good and a worse page; the better one has the higher reward;
//! - `playwright FOLDER`: role, name and role tree beside those of `playwright-core`, which is installed in a folder
//!   (`npm install playwright-core`), on the same Chromium.
#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a bench prints its figures, and ends at a fault"
)]

#[path = "../../tests/browser/fault_table.rs"]
mod fault_table;
mod pairs;
mod playwright;
mod stories;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use graftage_world::{
    BrowserProgram, PageFiles, SharedBrowser, StoryFile, WorldReport, WorldSettings, play_file,
};

/// Pages in memory, by name.
#[derive(Clone)]
struct Pages(BTreeMap<String, Vec<u8>>);

impl Pages {
    /// The pages of a folder of fixtures.
    fn of(folder: &str) -> Self {
        let folder: PathBuf = testkit::workspace_root().join("fixtures/pages").join(folder);
        let entries = std::fs::read_dir(folder).unwrap().map(Result::unwrap);
        let file = |it: std::fs::DirEntry| {
            (it.file_name().into_string().unwrap(), std::fs::read(it.path()).unwrap())
        };
        Self(entries.map(file).collect())
    }

    fn text(&self, name: &str) -> String {
        String::from_utf8(self.0[name].clone()).unwrap()
    }
}

impl PageFiles for Pages {
    fn read(&self, path: &str, _: u64) -> Option<Vec<u8>> {
        self.0.get(path).cloned()
    }
}

/// A browser for one file of stories after the other.
struct World {
    program: BrowserProgram,
    shared: SharedBrowser,
}

impl World {
    fn play(&mut self, pages: &Pages, name: &str, text: &str, updates: bool) -> WorldReport {
        let file = StoryFile::parse(name, text).unwrap_or_else(|error| panic!("{error}"));
        let sandbox = testkit::inner::sandbox();
        let settings = WorldSettings {
            sandbox: &sandbox,
            require: testkit::inner::level(),
            program: &self.program,
            at_once: 4,
            inspects: false,
            updates,
            filter: None,
        };
        let mut report = WorldReport::default();
        let files: Arc<dyn PageFiles> = Arc::new(pages.clone());
        let with = (&files, None);
        play_file(&testkit::ctx(), &settings, &mut self.shared, &file, with, &mut report).unwrap();
        report
    }
}

fn main() {
    let program = match BrowserProgram::find(&std::env::var_os("PATH").unwrap_or_default()) {
        Ok(program) => program,
        Err(error) => return println!("skipped: {error}"),
    };
    let mut world = World { program, shared: SharedBrowser::default() };
    let args: Vec<String> = std::env::args().skip(1).filter(|it| !it.starts_with("--")).collect();
    match args.first().map(String::as_str) {
        Some("pairs") => pairs::run(&mut world),
        Some("playwright") => playwright::run(&mut world, args.get(1)),
        Some("stories") | None => stories::run(&mut world),
        Some(other) => println!("no part is named `{other}`: stories, pairs, playwright FOLDER"),
    }
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    println!("load: {}", load.trim());
}
