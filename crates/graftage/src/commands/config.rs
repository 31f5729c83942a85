//! `config show`: every setting with its value and origin.

use std::fmt::Write as _;

use crate::args;
use crate::exit::{Failure, Status};
use crate::output::{self, BOLD, DIM, paint};
use crate::session::Session;

pub(crate) fn run(session: &Session, command: &args::Config) -> Result<Status, Failure> {
    let args::Config::Show = command;
    let root = session.root().ok();
    let settings = session.settings(root.as_deref())?;
    let rows = settings.rows();
    if session.global.json {
        output::json(&serde_json::json!({
            "settings": rows,
            "user_file": session.surroundings.config_file,
            "project_file": root.map(|root| root.join("graftage.toml")),
        }))?;
        return Ok(Status::Done);
    }
    let mut text = String::new();
    for row in &rows {
        let value = if row.value.is_empty() { "-" } else { &row.value };
        let _ = writeln!(
            text,
            "{} = {}  {}",
            paint(BOLD, row.key),
            output::safe(value),
            paint(DIM, &format!("# {} (from {}; values: {})", row.help, row.origin, row.takes))
        );
    }
    let _ =
        writeln!(text, "\nyour configuration file: {}", session.surroundings.config_file.display());
    output::say(&text)?;
    Ok(Status::Done)
}
