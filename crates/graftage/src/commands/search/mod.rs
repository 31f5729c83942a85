//! `search` and `context`: queries in text or from standard input.

mod context;
mod find;

use std::path::Path;

pub(crate) use context::run as context;
pub(crate) use find::run as search;

use crate::exit::Failure;
use crate::session::read_request;

/// The argument, or standard input for `-`.
fn text(argument: &str) -> Result<String, Failure> {
    let text = if argument == "-" { read_request(Path::new("-"))? } else { argument.to_owned() };
    if text.trim().is_empty() {
        return Err(Failure::input(
            "the query is empty".to_owned(),
            "pass a description, a name or an error message",
        ));
    }
    Ok(text)
}
