//! A runner of tests that runs none: writes down how cargo would start a binary.

use std::ffi::OsString;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use base::SortedMap;
use serde::{Deserialize, Serialize};

use super::variables::Variables;
use crate::wire;

/// How cargo starts a binary with tests.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordedStart {
    /// The binary.
    pub program: PathBuf,
    /// Its arguments.
    pub args: Vec<String>,
    /// Its working folder.
    pub cwd: PathBuf,
    /// Its whole environment.
    pub env: SortedMap<String, String>,
}

impl RecordedStart {
    /// The command of a runner for cargo that writes a line with `word` and a record to standard output
    /// instead of running the binary. `launcher` is a file of [`LAUNCHER`](crate::LAUNCHER) and `stage` the
    /// sandbox's own program, both as the build sees them.
    pub fn runner((launcher, stage): (&Path, &Path), word: &str) -> Option<[String; 3]> {
        let stage = stage.to_str().filter(|it| !it.contains(' '))?;
        let (launcher, word) = (launcher.to_str()?.to_owned(), word.to_owned());
        Some([launcher, format!("{stage} {}", wire::RECORD), word])
    }

    /// The record of a line with `word`; `Some(None)` if it could not be written.
    pub fn read(line: &[u8], word: &str) -> Option<Option<Self>> {
        let rest = line.strip_prefix(word.as_bytes())?.strip_prefix(b" ")?;
        Some(serde_json::from_slice(rest).ok())
    }
}

/// Writes the record for the command line `stage word WORD program arguments…`; returns the exit code.
pub(super) fn record(args: Vec<OsString>) -> i32 {
    let mut args = args.into_iter();
    let Some(word) = args.next().and_then(|it| it.into_string().ok()) else { return 1 };
    // Where something is not UTF-8 the line has no record.
    let text = start(args).and_then(|it| serde_json::to_string(&it).ok()).unwrap_or_default();
    i32::from(writeln!(std::io::stdout(), "{word} {text}").is_err())
}

fn start(mut args: impl Iterator<Item = OsString>) -> Option<RecordedStart> {
    let program = args.next()?.into_string().ok()?.into();
    let args = args.map(|it| it.into_string().ok()).collect::<Option<_>>()?;
    let cwd = std::env::current_dir().ok()?;
    let text = |(key, value): &(OsString, OsString)| {
        Some((key.to_str()?.to_owned(), value.to_str()?.to_owned()))
    };
    let env = Variables::of_process().iter().map(text).collect::<Option<_>>()?;
    Some(RecordedStart { program, args, cwd, env })
}
