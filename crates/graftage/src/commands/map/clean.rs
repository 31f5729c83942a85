//! `clean`: removes caches and prints how much.

use std::fmt::Write as _;

use crate::exit::{Failure, Status};
use crate::output;
use crate::session::Session;

pub(crate) fn run(session: &Session) -> Result<Status, Failure> {
    let workspace = session.map_workspace()?;
    let cleaned = project::clean(&session.ctx, &workspace)?;
    session.bar.clear();
    if session.global.json {
        output::json(&cleaned)?;
        return Ok(Status::Done);
    }
    let mut text = format!("freed {:.1} MB\n", cleaned.freed_bytes as f64 / 1e6);
    for folder in &cleaned.removed {
        let _ = writeln!(text, "  {}", output::safe(&folder.display().to_string()));
    }
    for folder in &cleaned.kept {
        let _ = writeln!(
            text,
            "  kept, in use by another process: {}",
            output::safe(&folder.display().to_string())
        );
    }
    output::say(&text)?;
    Ok(Status::Done)
}
