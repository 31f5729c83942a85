//! Kills an indexing process and compares what it left with a map from scratch; for the tests and
//! the bench.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use graftage_ingest::{Index, Options, data_of};
use graph::MapData;

use crate::edits::{Random, Texts};

/// The child process: indexes the given directory until the parent kills it.
pub(crate) fn child(folder: &str) {
    let mut index = open(Path::new(folder));
    let ctx = testkit::ctx();
    // Repeatedly, so that the kill also happens during writes.
    for round in 0..1_000_000_u32 {
        let options = Options { full: round % 3 == 2, ..Options::default() };
        index.refresh(&ctx, &options).unwrap();
        if round % 2 == 1 {
            drop(index);
            index = open(Path::new(folder));
        }
    }
}

fn open(folder: &Path) -> Index {
    let dirs = repo::Dirs { cache: folder.join("cache"), state: folder.join("state") };
    let project = repo::Project::open(&testkit::ctx(), &folder.join("project"), dirs).unwrap();
    Index::open(&testkit::ctx(), &project, None).unwrap()
}

/// A project beside its cache and state, edited and indexed by processes that are killed.
pub(crate) struct Arena {
    folder: PathBuf,
    texts: Texts,
    random: Random,
}

impl Arena {
    /// `folder` contains `project`.
    pub(crate) fn new(folder: &Path, seed: u64) -> Self {
        let texts = Texts::of(&folder.join("project"));
        Self { folder: folder.to_owned(), texts, random: Random(seed) }
    }

    /// Starts a child, edits a file meanwhile, kills the child after up to `longest`, and compares
    /// the map of a new process with one from scratch. Panics if they differ.
    pub(crate) fn round(&mut self, command: &dyn Fn(&str) -> Command, longest: Duration) {
        let mut command = command(&self.folder.to_string_lossy());
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::null()).spawn().unwrap();
        let pause = longest.mul_f64(self.random.below(1_000) as f64 / 1_000.0);
        std::thread::sleep(pause / 2);
        let done = self.texts.edit(&mut self.random);
        std::thread::sleep(pause / 2);
        child.kill().unwrap();
        child.wait().unwrap();
        let mut index = open(&self.folder);
        // The index on disk is a complete map or missing.
        let left = index.map().to_data().unwrap();
        assert!(left.items.len() >= left.files.len());
        index.refresh(&testkit::ctx(), &Options::default()).unwrap();
        let found = MapData { epoch: 0, ..index.map().to_data().unwrap() };
        let truth = data_of(&testkit::ctx(), &self.folder.join("project"), None).unwrap();
        assert!(found == MapData { epoch: 0, ..truth }, "after {done}");
    }
}
