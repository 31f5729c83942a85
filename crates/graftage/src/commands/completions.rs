//! `completions` and `man`: generated from the definitions of the arguments.

use std::io::Write as _;

use clap::CommandFactory;

use crate::args;
use crate::exit::{Failure, Status};

/// Prints a completion script, generated from the argument definitions.
pub(crate) fn shell(args: &args::Completions) -> Result<Status, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut args::Args::command(), "graftage", &mut script);
    std::io::stdout().lock().write_all(&script)?;
    Ok(Status::Done)
}

/// Prints the manual page, generated from the argument definitions.
pub(crate) fn manual() -> Result<Status, Failure> {
    let mut page = Vec::new();
    clap_mangen::Man::new(args::Args::command()).render(&mut page)?;
    std::io::stdout().lock().write_all(&page)?;
    Ok(Status::Done)
}
