//! `callers` and `callees`: prints the items that call an item, or that it calls, by distance.

use std::fmt::Write as _;

use base::SortedMap;
use code::{EdgeCard, WalkAnswer, WalkRequest};

use super::view::{self, End};
use crate::args_map;
use crate::exit::{Failure, Status};
use crate::output::{self, BOLD, paint};
use crate::session::Session;

pub(crate) fn callers(session: &Session, args: &args_map::Walk) -> Result<Status, Failure> {
    let workspace = session.map_workspace()?;
    let answer = code::callers(&session.ctx, &workspace, &request(args))?;
    print(session, args, &answer, "callers", End::Src)
}

pub(crate) fn callees(session: &Session, args: &args_map::Walk) -> Result<Status, Failure> {
    let workspace = session.map_workspace()?;
    let answer = code::callees(&session.ctx, &workspace, &request(args))?;
    print(session, args, &answer, "callees", End::Dst)
}

fn request(args: &args_map::Walk) -> WalkRequest {
    WalkRequest {
        item: args.item.clone(),
        depth: args.depth.max(1),
        kinds: args.kinds.iter().map(|kind| (*kind).into()).collect(),
        limit: args.limit,
        only_proven: args.certainty.proven,
    }
}

fn print(
    session: &Session,
    args: &args_map::Walk,
    answer: &WalkAnswer,
    label: &str,
    end: End,
) -> Result<Status, Failure> {
    session.bar.clear();
    if session.global.json {
        output::json(answer)?;
        return Ok(Status::Done);
    }
    let explain = args.certainty.explain || session.global.verbose;
    let mut text = String::new();
    if !session.global.quiet {
        let _ = writeln!(text, "{}", view::head(&answer.item));
    }
    text += &view::counts(label, &answer.counts, &answer.edges);
    for (depth, edges) in by_depth(answer, end) {
        if args.depth > 1 {
            let _ = writeln!(text, "{}", paint(BOLD, &format!("distance {depth}")));
        }
        let of = (end == End::Src && depth == 1).then_some(&answer.item);
        text += &view::edges_of(&edges, end, explain, of);
    }
    if !answer.complete {
        let _ = writeln!(text, "more than {} items; raise `--limit` to see all", args.limit);
    }
    text += &view::outside(&answer.outside_traits);
    text += &view::quoted(&answer.quoted);
    text += &view::left_out(&answer.left_out);
    if explain {
        text += &view::unresolved(&answer.unresolved, answer.counts.unresolved);
    }
    output::say(&text)?;
    Ok(Status::Done)
}

/// The edges by distance of their far end.
fn by_depth(answer: &WalkAnswer, end: End) -> SortedMap<u32, Vec<&EdgeCard>> {
    let depths: SortedMap<_, u32> =
        answer.items.iter().map(|item| (item.id, item.depth.unwrap_or(1))).collect();
    let mut by_depth: SortedMap<u32, Vec<&EdgeCard>> = SortedMap::new();
    for edge in &answer.edges {
        let far = if end == End::Src { edge.src } else { edge.dst };
        // An edge back to the start item has distance 1.
        by_depth.entry(depths.get(&far).copied().unwrap_or(1)).or_default().push(edge);
    }
    by_depth
}
