//! [`Tokens`]: a job server of one unit, in place of cargo's, by whose pipe units could pass on what they read.

use std::ffi::{OsStr, OsString};
use std::os::fd::{AsRawFd as _, OwnedFd};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::process::Command;

use crate::inner::variables::Variables;
use crate::sys;

/// The variables in which a program finds its job server.
const NAMES: &[&str] = &["CARGO_MAKEFLAGS", "MAKEFLAGS", "MFLAGS"];
/// The words that name its two descriptors.
const WORDS: &[&str] = &["--jobserver-auth=", "--jobserver-fds="];
/// Most threads or processes that a unit starts at once besides its first. cargo starts as many units as there are
/// processors by itself.
pub(super) const MOST: usize = 3;

/// The job server of a unit, open until this is dropped.
pub(super) struct Tokens {
    pipe: Option<(OwnedFd, OwnedFd)>,
}

impl Tokens {
    /// Closes all that the unit would share with another one, and makes a job server if it has one. To be called
    /// before this process has opened anything.
    pub(super) fn begin(variables: &Variables) -> std::io::Result<Self> {
        sys::close_from(3)?;
        if !NAMES.iter().any(|it| variables.get(it).is_some_and(|it| with(it, "").is_some())) {
            return Ok(Self { pipe: None });
        }
        // Its ends are inherited.
        let (from, to) = rustix::pipe::pipe()?;
        let others = std::thread::available_parallelism().map_or(0, |it| it.get() - 1);
        rustix::io::write(&to, &b"+".repeat(others.min(MOST)))?;
        Ok(Self { pipe: Some((from, to)) })
    }

    /// Names the job server to the command.
    pub(super) fn name(&self, command: &mut Command, variables: &Variables) {
        let Some((from, to)) = &self.pipe else { return };
        let ends = format!("{},{}", from.as_raw_fd(), to.as_raw_fd());
        for name in NAMES {
            if let Some(value) = variables.get(name).and_then(|it| with(it, &ends)) {
                command.env(name, value);
            }
        }
    }
}

/// Flags of `make` with other ends of the job server; `None` where they name none.
fn with(flags: &OsStr, ends: &str) -> Option<OsString> {
    let mut has_any = false;
    let words = flags.as_bytes().split(|it| *it == b' ').map(|word| {
        let name = WORDS.iter().find(|it| word.starts_with(it.as_bytes()));
        has_any |= name.is_some();
        name.map_or(word.to_vec(), |it| [it.as_bytes(), ends.as_bytes()].concat())
    });
    let words: Vec<_> = words.collect();
    has_any.then(|| OsString::from_vec(words.join(&b' ')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_job_server_of_flags_is_exchanged() {
        let with = |flags: &str| with(flags.as_ref(), "5,6");
        for (flags, expected) in [
            (
                "-j --jobserver-fds=8,9 --jobserver-auth=8,9",
                "-j --jobserver-fds=5,6 --jobserver-auth=5,6",
            ),
            ("--jobserver-auth=fifo:/tmp/x", "--jobserver-auth=5,6"),
        ] {
            assert_eq!(with(flags), Some(expected.into()));
        }
        assert_eq!((with("-j2 -k"), with("")), (None, None));
    }
}
