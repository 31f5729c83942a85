//! The commands that find code.

mod context;
mod find;

use std::path::Path;

pub(crate) use context::run as context;
pub(crate) use find::run as search;

use crate::exit::Failure;
use crate::session::read_request;

/// The text itself, or for `-` standard input.
fn text(argument: &str) -> Result<String, Failure> {
    let text = if argument == "-" { read_request(Path::new("-"))? } else { argument.to_owned() };
    if text.trim().is_empty() {
        return Err(Failure::input(
            "there is nothing to look for".to_owned(),
            "say in words what you look for, or name it",
        ));
    }
    Ok(text)
}
