//! `path`: prints the shortest path between two items.

use std::fmt::Write as _;

use code::{PathAnswer, PathRequest};

use super::view;
use crate::args_map;
use crate::exit::{Failure, Status};
use crate::output::{self, BOLD, DIM, WARN, paint};
use crate::session::Session;

pub(crate) fn run(session: &Session, args: &args_map::Path) -> Result<Status, Failure> {
    let workspace = session.map_workspace()?;
    let request = PathRequest {
        from: args.from.clone(),
        to: args.to.clone(),
        kinds: args.kinds.iter().map(|kind| (*kind).into()).collect(),
        only_proven: args.certainty.proven,
    };
    let answer = code::path(&session.ctx, &workspace, &request)?;
    session.bar.clear();
    if session.global.json {
        output::json(&answer)?;
    } else {
        let explain = args.certainty.explain || session.global.verbose;
        output::say(&describe(&answer, explain))?;
    }
    Ok(if answer.found { Status::Done } else { Status::No })
}

fn describe(answer: &PathAnswer, explain: bool) -> String {
    let mut text = String::new();
    if !answer.found {
        let names: Vec<String> = answer.items.iter().map(|item| view::short(&item.canon)).collect();
        let _ = writeln!(text, "no path from {}", names.join(" to "));
        return text;
    }
    for (n, item) in answer.items.iter().enumerate() {
        if let Some(edge) = n.checked_sub(1).and_then(|n| answer.edges.get(n)) {
            let mark = if edge.tier == base::Tier::Proven { "" } else { "perhaps " };
            let by = if edge.provenance == base::Provenance::Ra { "  ra" } else { "" };
            let location = view::location(edge.file.as_deref(), edge.line);
            let _ = writeln!(
                text,
                "  {}{}  {}",
                paint(WARN, mark),
                view::verb(edge.kind),
                paint(DIM, &format!("{location}{by}"))
            );
            if explain {
                let rule = edge.rule.unwrap_or("follows from the syntax tree");
                let _ = writeln!(text, "    {}", paint(DIM, rule));
            }
        }
        let _ = writeln!(
            text,
            "{} {}  {}",
            item.kind.as_str(),
            paint(BOLD, &view::short(&item.canon)),
            paint(DIM, &view::place(item))
        );
    }
    text += &view::counts("edges", &answer.counts, &answer.edges);
    text
}
