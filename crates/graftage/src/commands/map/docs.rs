//! `docs`: writes the map as Markdown pages.

use code::DocsRequest;

use crate::args_map;
use crate::exit::{Failure, Status};
use crate::output::{self, BOLD, paint};
use crate::session::Session;

pub(crate) fn run(session: &Session, args: &args_map::Docs) -> Result<Status, Failure> {
    let workspace = session.map_workspace()?;
    let request = DocsRequest { out: args.out.clone() };
    let docs = code::docs(&session.ctx, &workspace, &request)?;
    session.bar.clear();
    if session.global.json {
        output::json(&docs)?;
        return Ok(Status::Done);
    }
    let removed = match docs.removed {
        0 => String::new(),
        n => format!(", {n} removed"),
    };
    output::say(&format!(
        "{} for {} and {} ({} written, {} unchanged{removed})\nstart page: {}\n",
        paint(BOLD, &base::counted(docs.pages, "page")),
        base::counted(docs.modules, "module"),
        base::counted(docs.items, "item"),
        docs.written,
        docs.unchanged,
        output::safe(&docs.index.display().to_string())
    ))?;
    Ok(Status::Done)
}
