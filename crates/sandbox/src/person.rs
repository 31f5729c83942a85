//! [`run_for_person`]: a program that a person has chosen and uses, such as an editor. Nothing of a project
//! decides which one it is.

use std::io;
use std::process::Command;

/// Runs a program of the person's own on this terminal, with the whole environment, and waits for it. It is
/// confined in nothing: `words` must not come from a project, a model or a client. Returns whether it
/// succeeded.
///
/// # Errors
/// A program that cannot be started.
pub fn run_for_person(words: &[String]) -> io::Result<bool> {
    let Some((program, arguments)) = words.split_first() else {
        return Err(io::Error::new(io::ErrorKind::NotFound, "no program is named: set EDITOR"));
    };
    Ok(Command::new(program).args(arguments).status()?.success())
}
