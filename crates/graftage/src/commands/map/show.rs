//! `show`: prints one item with its members and edges.

use std::fmt::Write as _;

use base::EdgeKind;
use code::{EdgeCard, ItemCard, ShowAnswer};
use project::FileAccess;

use super::view::{self, End};
use crate::args_map;
use crate::exit::{Failure, Status};
use crate::output::{self, BOLD, paint};
use crate::session::Session;

/// Maximum number of listed members and edges of a kind, without `--verbose`.
const LISTED: usize = 12;

pub(crate) fn run(session: &Session, args: &args_map::Show) -> Result<Status, Failure> {
    let workspace = session.map_workspace()?;
    let answer = code::show(&session.ctx, &workspace, &args.item, FileAccess::Person)?;
    session.bar.clear();
    if session.global.json {
        output::json(&answer)?;
    } else {
        output::say(&describe(&answer, session.global.verbose))?;
    }
    Ok(Status::Done)
}

fn describe(answer: &ShowAnswer, verbose: bool) -> String {
    let mut text = String::new();
    let Some(item) = answer.items.first() else { return text };
    text += &view::head(item);
    let docs: Vec<&str> = answer.docs.lines().collect();
    let paragraph = docs.iter().take_while(|line| verbose || !line.trim().is_empty());
    for line in paragraph {
        let _ = writeln!(text, "  {}", output::safe(line));
    }
    let row = |name: &str, value: &str| format!("  {name:<12} {}\n", output::safe(value));
    text += "\n";
    text += &row("key", &item.key);
    text += &row("id", &item.id.to_string());
    // A variant has the visibility of its enum, and a trait member that of the trait.
    let follows = answer.parent.as_ref().is_some_and(|it| {
        let is_of_trait = it.kind.as_str() == "impl" && it.canon.contains(" as ");
        is_of_trait || matches!(it.kind.as_str(), "enum" | "trait")
    });
    if !follows {
        let visibility = if item.visibility.is_empty() { "private" } else { &item.visibility };
        text += &row("visibility", visibility);
    }
    if let (Some(start), Some(end)) = (item.start_line, item.end_line) {
        text += &row("lines", &format!("{start}–{end}"));
    }
    if let Some(parent) = &answer.parent {
        text += &row("in", &format!("{} {}", parent.kind.as_str(), view::short(&parent.canon)));
    }
    text += &row("confidence", &format!("{:.1}", item.confidence));
    if item.is_test {
        text += &row("test", "compiled for tests only");
    }
    for made in &answer.macro_interface {
        text += &row("produces", &format!("{} {}", made.path, made.signature));
    }
    let listed = if verbose { usize::MAX } else { LISTED };
    if !answer.members.is_empty() {
        let _ = writeln!(text, "\n{} {}", paint(BOLD, "members"), answer.members.len());
        let members: Vec<&ItemCard> = answer.members.iter().take(listed).collect();
        text += &view::items(&members);
        text += &rest(answer.members.len(), listed);
    }
    for kind in EdgeKind::ALL {
        text += &edges(answer, item, kind, listed, verbose);
    }
    if !answer.unresolved.is_empty() {
        text += "\n";
        let shown = answer.unresolved.len().min(listed);
        text += &view::unresolved(&answer.unresolved[..shown], answer.unresolved.len());
    }
    text
}

/// The edges of one kind, incoming ones first.
fn edges(
    answer: &ShowAnswer,
    item: &ItemCard,
    kind: EdgeKind,
    listed: usize,
    verbose: bool,
) -> String {
    let mut text = String::new();
    let of = |is_out: bool| -> Vec<&EdgeCard> {
        let edges = answer.edges.iter().filter(|edge| edge.kind == kind);
        edges.filter(|edge| (edge.src == item.id) == is_out).collect()
    };
    let lists = [(of(false), End::Src, passive(kind)), (of(true), End::Dst, view::verb(kind))];
    for (edges, end, heading) in lists {
        if edges.is_empty() {
            continue;
        }
        let proven = edges.iter().filter(|edge| edge.tier == base::Tier::Proven).count();
        let candidates = edges.len() - proven;
        let more = match candidates {
            0 => String::new(),
            n => format!(", {}", base::counted(n, "candidate")),
        };
        let _ = writeln!(text, "\n{}: {proven} proven{more}", paint(BOLD, heading));
        let all = edges.len();
        // The heading has the kind, so the lines omit it.
        let shown: Vec<EdgeCard> = edges
            .into_iter()
            .take(listed)
            .map(|edge| EdgeCard { kind: EdgeKind::Calls, ..edge.clone() })
            .collect();
        text += &view::edges(&shown.iter().collect::<Vec<_>>(), end, verbose);
        text += &rest(all, listed);
    }
    text
}

fn rest(all: usize, listed: usize) -> String {
    match all.checked_sub(listed) {
        None | Some(0) => String::new(),
        Some(more) => format!("    and {more} more (--verbose lists all)\n"),
    }
}

fn passive(kind: EdgeKind) -> &'static str {
    match kind {
        EdgeKind::Contains => "contained in",
        EdgeKind::Calls => "called by",
        EdgeKind::Implements => "implemented by",
        EdgeKind::Uses => "used by",
        EdgeKind::Depends => "depended on by",
        EdgeKind::FeatureGatedBy => "gates",
    }
}
