//! Questions to the project as jobs, with answers as cards or as lines.

use std::fmt::Write as _;

use base::{Ctx, EdgeKind, Tier};
use code::{ContextRequest, ImpactOf, PathRequest, WalkAnswer, WalkRequest};
use memory::RelationStatus;
use project::{FileAccess, Workspace};
use repo::EntryState;
use tools::{PlanAnswer, Plans};

use super::job::{AnswerLine, ChangeRequest, Inquiry, InquiryAnswer, JobRequest};
use super::runner::Shared;
use crate::AgentError;

/// Most items of a walk.
const ITEMS: usize = 200;

/// Answers a question.
pub(super) fn answer(
    ctx: &Ctx,
    shared: &Shared,
    workspace: &Workspace,
    view: Inquiry,
) -> Result<InquiryAnswer, AgentError> {
    let walk = |item: String| WalkRequest {
        item,
        depth: 1,
        kinds: Vec::new(),
        limit: ITEMS,
        only_proven: false,
    };
    Ok(match view {
        Inquiry::Search(request) => {
            let found = code::search(ctx, workspace, &request)?;
            InquiryAnswer::Hits(request.query, Box::new(found))
        }
        Inquiry::Show(item) => show(ctx, workspace, &item)?,
        Inquiry::Callers(item) => {
            let found = code::callers(ctx, workspace, &walk(item.clone()))?;
            walked(&format!("callers of {item}"), &found, true)
        }
        Inquiry::Callees(item) => {
            let found = code::callees(ctx, workspace, &walk(item.clone()))?;
            walked(&format!("{item} calls"), &found, false)
        }
        Inquiry::Impact(item) => impact(ctx, workspace, item)?,
        Inquiry::Path(from, to) => path(ctx, workspace, from, to)?,
        Inquiry::Context(task, budget) => {
            let packed = code::context(ctx, workspace, &ContextRequest::new(&task, budget))?;
            text(&format!("context of {task}, at most {budget} tokens"), &packed.text)
        }
        Inquiry::Rebuild => {
            let made = code::rebuild_index(ctx, workspace)?;
            let encoder = made.encoder.as_deref().unwrap_or("none");
            let shown = format!(
                "{} documents, {} vectors (encoder {encoder}), {} KiB\n{} files read in {} ms",
                made.documents,
                made.vectors,
                made.bytes >> 10,
                made.files_read,
                made.wall_ms
            );
            text("the index was made again", &shown)
        }
        Inquiry::Proposals(all) => {
            InquiryAnswer::Proposals(tools::list_proposals(ctx, workspace, all)?.proposals)
        }
        Inquiry::History => {
            let rows = workspace.project().history()?.into_iter().rev();
            let row = |it: repo::JournalEntry| {
                let files: Vec<&str> = it.files.iter().map(|file| file.path.as_str()).collect();
                let summary =
                    if it.summary.is_empty() { files.join(", ") } else { it.summary.clone() };
                (it.id, it.state == EntryState::Applied, summary)
            };
            InquiryAnswer::History(rows.map(row).collect())
        }
        Inquiry::Written(id) => written(ctx, (shared, workspace), &id)?,
        Inquiry::Plans => {
            let stored = Plans::at(&workspace.project().state_dir()).show(ctx, None)?;
            plans(&stored)
        }
        Inquiry::Policy => policy(shared)?,
        Inquiry::Blocked(id) => blocked(ctx, workspace, &id)?,
        Inquiry::Stats => stats(workspace)?,
    })
}

fn text(title: &str, text: &str) -> InquiryAnswer {
    let line = |it: &str| AnswerLine { text: it.to_owned(), opens: None };
    InquiryAnswer::Text(title.to_owned(), text.lines().map(line).collect())
}

/// The difference that a written change made, also where it is undone now.
fn written(
    ctx: &Ctx,
    (shared, workspace): (&Shared, &Workspace),
    id: &str,
) -> Result<InquiryAnswer, AgentError> {
    let project = workspace.project();
    let (found, change) = match project.undoing(Some(id)) {
        Ok(found) => {
            let change = found.change.invert();
            (found, change)
        }
        Err(_) => {
            let found = project.redoing(Some(id))?;
            let change = found.change.clone();
            (found, change)
        }
    };
    let title = format!("{} {}", found.id, found.summary);
    let closed = shared.source.for_agents.then(|| project::closed_file(ctx, workspace, &change));
    Ok(match closed.flatten() {
        Some(path) => text(&title, &format!("only a person reads it: it changes {path}")),
        None => text(&title, &change.unified_diff()),
    })
}

/// A line about an item, which leads to it.
fn about(text: String, item: &str) -> AnswerLine {
    AnswerLine { text, opens: Some(JobRequest::Inquire(Inquiry::Show(item.to_owned()))) }
}

/// A line that leads nowhere.
fn plain(text: String) -> AnswerLine {
    AnswerLine { text, opens: None }
}

/// The plans with their steps; a line of a plan that is not done leads to its next step.
fn plans(stored: &PlanAnswer) -> InquiryAnswer {
    if stored.nodes.is_empty() {
        return text("plans", "no plans: `task 1. …; 2. …` makes one");
    }
    let mut roots = stored.nodes.iter().filter(|it| it.parents.is_empty());
    let mut opens = None;
    let mut lines = Vec::new();
    for line in stored.tree.lines() {
        if !line.starts_with(char::is_whitespace) {
            let open = roots.next().filter(|it| it.status != Some(RelationStatus::Done));
            opens = open.map(|it| JobRequest::Change(ChangeRequest::Resume(it.id.clone())));
        }
        lines.push(AnswerLine { text: line.to_owned(), opens: opens.clone() });
    }
    InquiryAnswer::Text("plans".to_owned(), lines)
}

fn show(ctx: &Ctx, workspace: &Workspace, item: &str) -> Result<InquiryAnswer, AgentError> {
    let access = match workspace.is_for_agents() {
        true => FileAccess::Agent,
        false => FileAccess::Person,
    };
    let found = code::show(ctx, workspace, item, access)?;
    let Some(card) = found.items.first() else { return Ok(text(item, "no such item")) };
    let at = match (&card.file, card.start_line) {
        (Some(file), Some(line)) => format!("{file}:{line}"),
        _ => String::new(),
    };
    let head = format!("{}\n{at}\n{}\n", card.signature, found.docs);
    let mut lines: Vec<AnswerLine> = head.lines().map(|it| plain(it.to_owned())).collect();
    lines.push(AnswerLine::default());
    for kind in EdgeKind::ALL.into_iter().filter(|kind| *kind != EdgeKind::Contains) {
        for edge in found.edges.iter().filter(|it| it.kind == kind) {
            let is_out = edge.src == card.id;
            let (arrow, other) =
                if is_out { ("->", &edge.dst_canon) } else { ("<-", &edge.src_canon) };
            lines.push(about(
                format!("{} {arrow} {other} ({})", kind.as_str(), tier(edge.tier)),
                other,
            ));
        }
    }
    Ok(InquiryAnswer::Text(card.canon.clone(), lines))
}

fn walked(title: &str, found: &WalkAnswer, incoming: bool) -> InquiryAnswer {
    let mut lines = Vec::new();
    for edge in &found.edges {
        let other = if incoming { &edge.src_canon } else { &edge.dst_canon };
        let at = match (&edge.file, edge.line) {
            (Some(file), Some(line)) => format!("  {file}:{line}"),
            _ => String::new(),
        };
        lines.push(about(format!("{} {other}{at}", tier(edge.tier)), other));
    }
    for site in &found.unresolved {
        let at = site.file.as_deref().unwrap_or_default();
        lines.push(about(
            format!("not resolved: {} in {}  {at}:{}", site.name, site.src_canon, site.line),
            &site.src_canon,
        ));
    }
    if !found.complete {
        lines.push(plain(format!("… more than {ITEMS} items")));
    }
    let title = format!("{title}: {}", base::counted(found.items.len(), "item"));
    InquiryAnswer::Text(title, lines)
}

fn tier(of: Tier) -> &'static str {
    match of {
        Tier::Proven => "proven",
        Tier::Candidate => "candidate",
    }
}

fn impact(ctx: &Ctx, workspace: &Workspace, item: String) -> Result<InquiryAnswer, AgentError> {
    let found = code::impact(ctx, workspace, &ImpactOf::Item(item.clone()), false)?;
    let mut lines = Vec::new();
    for card in &found.items {
        let at = match (&card.file, card.start_line) {
            (Some(file), Some(line)) => format!("  {file}:{line}"),
            _ => String::new(),
        };
        let test = if card.is_test { "test " } else { "" };
        let line = format!("{test}{} {}{at}", card.kind.as_str(), card.canon);
        lines.push(about(line, &card.canon));
    }
    let count = base::counted(lines.len(), "item");
    Ok(InquiryAnswer::Text(format!("a change of {item} may affect: {count}"), lines))
}

fn path(
    ctx: &Ctx,
    workspace: &Workspace,
    from: String,
    to: String,
) -> Result<InquiryAnswer, AgentError> {
    let title = format!("from {from} to {to}");
    let request = PathRequest { from, to, kinds: Vec::new(), only_proven: false };
    let found = code::path(ctx, workspace, &request)?;
    if !found.found {
        return Ok(text(&title, "no path"));
    }
    let lines = found.edges.iter().map(|it| {
        about(format!("{} {} {}", it.src_canon, it.kind.as_str(), it.dst_canon), &it.dst_canon)
    });
    let lines = lines.collect();
    Ok(InquiryAnswer::Text(title, lines))
}

fn policy(shared: &Shared) -> Result<InquiryAnswer, AgentError> {
    let view = project::policy_view(&shared.source.settings)?;
    let mut shown = String::new();
    for thread in &view.threads {
        let _ = writeln!(shown, "{}\n  {}", thread.name, thread.does);
        if !thread.because.is_empty() {
            let _ = writeln!(shown, "  blocks because {}", thread.because);
        }
    }
    Ok(text("what opens the gate", &shown))
}

fn blocked(ctx: &Ctx, workspace: &Workspace, id: &str) -> Result<InquiryAnswer, AgentError> {
    let found = tools::policy_explain(ctx, workspace, Some(id))?;
    let mut shown = String::new();
    for blocker in &found.blocked_by {
        let _ =
            writeln!(shown, "{}\n  {}\n  hint: {}", blocker.thread, blocker.reason, blocker.hint);
    }
    if shown.is_empty() {
        shown.push_str("nothing blocks it");
    }
    Ok(text(&format!("why proposal {id} is not applied"), &shown))
}

fn stats(workspace: &Workspace) -> Result<InquiryAnswer, AgentError> {
    let found = tools::stats(workspace)?;
    let rate = |it: Option<f64>| it.map_or("–".to_owned(), |it| format!("{:.0} %", it * 100.0));
    let number = |it: Option<f64>| it.map_or("–".to_owned(), |it| format!("{it:.1}"));
    let memory = found.peak_rss_bytes.map_or("–".to_owned(), |it| format!("{} MiB", it >> 20));
    let shown = format!(
        "runs {}, with a change {}\ntokens for each change {}\nfirst candidate builds {}\n\
         candidates for each run {}\ncost ${:.4}\nretrievals {}, from the cache {}\n\
         highest peak memory of a run {memory}\n",
        found.runs.count,
        found.runs.fixes,
        number(found.runs.tokens_per_fix),
        rate(found.runs.first_pass_rate),
        number(found.runs.candidates_per_run),
        found.runs.dollars,
        found.retrieval.count,
        rate(found.retrieval.cache_hit_rate),
    );
    Ok(text("what is recorded of this project", &shown))
}
