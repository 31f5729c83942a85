use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use base::{Ctx, EdgeKind, Host, Progress, Tier, Timestamp};
use ingest::{Options, Report};

use crate::args_map;
use crate::exit::{Failure, Status};
use crate::output::{self, BOLD, DIM, WARN, paint};
use crate::session::Session;

/// How many problems are listed for people; all are counted, `--verbose` lists all.
const LISTED: usize = 10;

pub(crate) fn run(session: &Session, args: &args_map::Index) -> Result<Status, Failure> {
    let workspace = session.workspace()?;
    let mut index = workspace.index(&session.ctx)?;
    let options = Options { full: args.full, ignore_files: args.ignore_file.clone() };
    if args.watch {
        let retriever = tools::retriever(&session.ctx, &workspace, &index)?;
        return watch(session, &mut index, &options, &retriever);
    }
    let mut report = index.refresh(&session.ctx, &options).map_err(tools::Error::from)?;
    let mut search = tools::index_for_search(&session.ctx, &workspace, &mut index, &mut report)?;
    if args.hnsw {
        search.hnsw = Some(tools::index_vectors(&session.ctx, &workspace, &index)?);
    }
    session.bar.clear();
    say(session, &Indexed { report, search })?;
    Ok(Status::Done)
}

/// One report after the other, until the user asks to stop or nobody reads any more.
fn watch(
    session: &Session,
    index: &mut ingest::Index,
    options: &Options,
    retriever: &ingest::Retriever,
) -> Result<Status, Failure> {
    let host = Arc::new(Stoppable { ctx: session.ctx.clone(), is_stopped: AtomicBool::new(false) });
    let mut failure = None;
    let ctx = Ctx::new(Arc::clone(&host) as Arc<dyn Host>);
    let reader = index.reader();
    let watched = index.watch(&ctx, options, &mut |report| {
        // Behind the map, which nobody waits for.
        drop(retriever.finalize(reader.map()));
        session.bar.clear();
        let said = match (session.global.json, session.global.quiet) {
            (true, _) => output::json_line(report),
            (false, true) => Ok(()),
            (false, false) => output::say(&change(report)),
        };
        if let Err(error) = said {
            failure = Some(error);
            host.is_stopped.store(true, Ordering::Relaxed);
        }
    });
    watched.map_err(tools::Error::from)?;
    failure.map_or(Ok(Status::Done), Err)
}

/// The world, with a way to stop of its own.
struct Stoppable {
    ctx: Ctx,
    is_stopped: AtomicBool,
}

impl Host for Stoppable {
    fn now(&self) -> Timestamp {
        self.ctx.now()
    }

    fn random(&self) -> [u8; 16] {
        self.ctx.random()
    }

    fn is_cancelled(&self) -> bool {
        self.is_stopped.load(Ordering::Relaxed) || self.ctx.is_cancelled()
    }

    fn progress(&self, progress: &Progress) {
        self.ctx.count(&progress.stage, &progress.detail, progress.done, progress.total);
    }
}

/// `map: … (2 files changed, 3 resolved)`.
fn change(report: &Report) -> String {
    let files = output::counted(report.changed_files as usize, "file");
    format!("{} ({files} changed, {} resolved)", headline(report), report.resolved_files)
}

/// The map and what makes it searchable.
#[derive(serde::Serialize)]
struct Indexed {
    #[serde(flatten)]
    report: Report,
    search: tools::SearchReport,
}

fn say(session: &Session, indexed: &Indexed) -> Result<(), Failure> {
    if session.global.json {
        return output::json(indexed);
    }
    let listed = if session.global.verbose { usize::MAX } else { LISTED };
    let listed = if session.global.quiet { 0 } else { listed };
    output::say(&describe(&indexed.report, &indexed.search, listed))
}

fn describe(report: &Report, search: &tools::SearchReport, listed: usize) -> String {
    let mut text = format!("{}\n", headline(report));
    let mut by_kind: BTreeMap<EdgeKind, (u64, u64)> = BTreeMap::new();
    for edge in &report.edges {
        let counts = by_kind.entry(edge.kind).or_default();
        match edge.tier {
            Tier::Proven => counts.0 += edge.count,
            Tier::Candidate => counts.1 += edge.count,
        }
    }
    for (kind, (proven, candidate)) in &by_kind {
        let of = if *candidate > 0 { format!(", {candidate} candidates") } else { String::new() };
        let _ = writeln!(text, "  {:<17} {proven:>7} proven{of}", kind.as_str());
    }
    let coverage = &report.coverage;
    let sites = coverage.proven_sites + coverage.candidate_sites + coverage.unresolved_sites;
    if sites > 0 {
        let share = |n: u64| n as f64 * 100.0 / sites as f64;
        let _ = writeln!(
            text,
            "  of {sites} sites {:.1} % have one proven target, {:.1} % candidates, {:.1} % none",
            share(coverage.proven_sites),
            share(coverage.candidate_sites),
            share(coverage.unresolved_sites)
        );
    }
    let _ = writeln!(
        text,
        "  {}",
        paint(
            DIM,
            &format!(
                "read {}, resolved {}; {:.1} MB on disk, {:.0} MB of memory",
                output::counted(report.parsed_files as usize, "file"),
                report.resolved_files,
                report.bytes_on_disk as f64 / 1e6,
                report.peak_rss_bytes as f64 / 1e6
            )
        )
    );
    let vectors = match search.vectors {
        0 => String::new(),
        n => format!(", {n} with vectors"),
    };
    let documents = output::counted(search.documents as usize, "item");
    let hnsw = match search.hnsw {
        None => String::new(),
        Some(n) => format!("; the database has an index over {n} vectors"),
    };
    let size = search.bytes as f64 / 1e6;
    let line = format!("search finds {documents}{vectors}; {size:.1} MB{hnsw}");
    let _ = writeln!(text, "  {}", paint(DIM, &line));
    if !report.problems.is_empty() {
        let _ =
            writeln!(text, "{}", paint(WARN, &output::counted(report.problems.len(), "problem")));
    }
    for problem in report.problems.iter().take(listed) {
        let line = if problem.line > 0 { format!(":{}", problem.line) } else { String::new() };
        let _ = writeln!(
            text,
            "  {}{line}: {}",
            output::safe(problem.path.as_str()),
            output::safe(&format!("{}: {}", problem.kind, problem.message))
        );
    }
    if report.problems.len() > listed && listed > 0 {
        let _ =
            writeln!(text, "  and {} more (--verbose lists all)", report.problems.len() - listed);
    }
    text
}

/// `12 files, 340 items, 812 edges in 0.31 s (0.42 s CPU)`.
pub(crate) fn headline(report: &Report) -> String {
    let edges: u64 = report.edges.iter().map(|edge| edge.count).sum();
    format!(
        "{} {}, {} and {edges} edges in {:.2} s ({:.2} s CPU)",
        paint(BOLD, "map:"),
        output::counted(report.files as usize, "file"),
        output::counted(report.items as usize, "item"),
        report.wall_ms as f64 / 1e3,
        report.cpu_ms as f64 / 1e3
    )
}
