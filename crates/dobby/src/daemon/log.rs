//! [`DaemonLog`]: what a daemon does, as a JSON document in each line, on standard error and in a file.

use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use base::Ctx;
use serde_json::{Map, Value};

/// Size in bytes from which a file is put aside; one older file is kept.
const LARGEST: u64 = 1 << 20;

/// Ending of the name of the older file.
const OLD: &str = "log.1";

/// The log of a daemon.
pub(super) struct DaemonLog {
    ctx: Ctx,
    path: PathBuf,
    file: Mutex<Option<(File, u64)>>,
}

impl DaemonLog {
    /// Continues the log in a file. Where that cannot be written, standard error alone has it.
    pub(super) fn open(ctx: &Ctx, path: &Path) -> Self {
        let made = path.parent().map(untrusted_fs::make_own);
        let file = made.and_then(Result::ok).and_then(|_| open(path));
        Self { ctx: ctx.clone(), path: path.to_owned(), file: Mutex::new(file) }
    }

    /// Adds an event with its fields.
    pub(super) fn event(&self, name: &str, fields: Value) {
        let mut line = Map::new();
        line.insert("at".to_owned(), Value::from(self.ctx.now().0));
        line.insert("event".to_owned(), Value::from(name));
        if let Value::Object(fields) = fields {
            line.extend(fields);
        }
        let line = base::visible(&Value::Object(line).to_string()) + "\n";
        // A log that cannot be written stops no work.
        let _ = std::io::stderr().lock().write_all(line.as_bytes());
        let mut file = base::lock(&self.file);
        if file.as_ref().is_some_and(|it| it.1 >= LARGEST) {
            *file = None;
            let _ = std::fs::rename(&self.path, self.path.with_extension(OLD));
            *file = open(&self.path);
        }
        if let Some((file, bytes)) = file.as_mut() {
            let _ = file.write_all(line.as_bytes());
            *bytes += line.len() as u64;
        }
    }
}

/// The last lines of a log, at most so many.
pub fn log_lines(path: &Path, most: usize) -> Vec<String> {
    let text = |path: &Path| {
        let read = untrusted_fs::read_own(path, 4 * LARGEST).ok().flatten();
        String::from_utf8_lossy(&read.unwrap_or_default()).into_owned()
    };
    let all = [text(&path.with_extension(OLD)), text(path)].concat();
    let lines: Vec<&str> = all.lines().collect();
    lines[lines.len().saturating_sub(most)..].iter().map(|it| (*it).to_owned()).collect()
}

fn open(path: &Path) -> Option<(File, u64)> {
    let flags = rustix::fs::OFlags::NOFOLLOW.bits() | rustix::fs::OFlags::NONBLOCK.bits();
    let mut options = OpenOptions::new();
    options.append(true).create(true).mode(0o600).custom_flags(flags.cast_signed());
    let file = options.open(path).ok()?;
    let found = file.metadata().ok().filter(std::fs::Metadata::is_file)?;
    Some((file, found.len()))
}
