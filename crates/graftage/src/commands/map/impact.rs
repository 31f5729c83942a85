//! `impact`: the items and tests that a change affects, by distance.

use std::fmt::Write as _;

use base::SortedMap;
use code::{ImpactAnswer, ImpactOf, ItemCard};

use super::view::{self, End};
use crate::args_map;
use crate::exit::{Failure, Status};
use crate::output::{self, BOLD, paint};
use crate::session::{Session, read_request};

/// Maximum number of listed items per distance, without `--verbose`.
const LISTED: usize = 20;

pub(crate) fn run(session: &Session, args: &args_map::Impact) -> Result<Status, Failure> {
    let of = ImpactOf::of_argument(args.of.as_deref(), read_request)?;
    let workspace = session.map_workspace()?;
    let answer = code::impact(&session.ctx, &workspace, &of, args.certainty.proven)?;
    session.bar.clear();
    if session.global.json {
        output::json(&answer)?;
    } else {
        output::say(&describe(&answer, session.global.verbose, args.certainty.explain))?;
    }
    Ok(Status::Done)
}

fn describe(answer: &ImpactAnswer, verbose: bool, explain: bool) -> String {
    if answer.changed.is_empty() && answer.other_files.is_empty() {
        return "no changes\n".to_owned();
    }
    let mut text = String::new();
    let listed = if verbose { usize::MAX } else { LISTED };
    let mut list = |head: &str, items: Vec<&ItemCard>| {
        if !items.is_empty() {
            let _ = writeln!(text, "{} {}", paint(BOLD, head), items.len());
            text += &view::items(&items[..items.len().min(listed)]);
            if items.len() > listed {
                let _ =
                    writeln!(text, "    and {} more (--verbose lists all)", items.len() - listed);
            }
        }
    };
    list("changed items", answer.changed.iter().collect());
    let mut by_depth: SortedMap<u32, Vec<&ItemCard>> = SortedMap::new();
    for item in &answer.items {
        by_depth.entry(item.depth.unwrap_or(1)).or_default().push(item);
    }
    for (depth, items) in by_depth {
        list(&format!("affected at distance {depth}:"), items);
    }
    list("affected tests", answer.tests.iter().collect());
    for file in &answer.other_files {
        let _ = writeln!(text, "{} {}", paint(BOLD, "changed file"), output::safe(file));
    }
    text += &view::counts("edges", &answer.counts, &answer.edges);
    text += &view::outside(&answer.outside_traits);
    text += &view::quoted(&answer.quoted);
    text += &view::left_out(&answer.left_out);
    if explain {
        let edges: Vec<_> = answer.edges.iter().collect();
        text += &view::edges(&edges, End::Src, true);
    }
    text
}
