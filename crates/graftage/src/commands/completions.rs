//! `completions`: a script for a shell, generated from the definitions of the arguments.

use std::io::Write as _;

use crate::args::{self, Shell};
use crate::exit::{Failure, Status};
use crate::help;

const NAME: &str = "graftage";

/// Prints a completion script.
pub(crate) fn shell(args: &args::Completions) -> Result<Status, Failure> {
    use clap_complete::{generate, shells};

    let (mut command, mut script) = (help::command(), Vec::new());
    match args.shell {
        Shell::Bash => generate(shells::Bash, &mut command, NAME, &mut script),
        Shell::Elvish => generate(shells::Elvish, &mut command, NAME, &mut script),
        Shell::Fish => generate(shells::Fish, &mut command, NAME, &mut script),
        Shell::Nushell => {
            generate(clap_complete_nushell::Nushell, &mut command, NAME, &mut script);
        }
        Shell::PowerShell => generate(shells::PowerShell, &mut command, NAME, &mut script),
        Shell::Zsh => generate(shells::Zsh, &mut command, NAME, &mut script),
    }
    std::io::stdout().lock().write_all(&script)?;
    Ok(Status::Done)
}
