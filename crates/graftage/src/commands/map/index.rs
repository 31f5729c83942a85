//! `index`: updates the map, once or after each save with `--watch`, and reports what changed.

use std::fmt::Write as _;
use std::sync::Arc;

use base::{EdgeKind, Host, SortedMap, Stoppable, Tier};
use ingest::{HydrateRun, Hydrated, IndexReport, Live, Options};

use crate::args_map;
use crate::exit::{Failure, Status};
use crate::output::{self, BOLD, DIM, WARN, paint};
use crate::session::Session;

/// Maximum number of listed problems, without `--verbose`.
const LISTED: usize = 10;

pub(crate) fn run(session: &Session, args: &args_map::Index) -> Result<Status, Failure> {
    let workspace = session.map_workspace()?;
    let mut index = workspace.index(&session.ctx)?;
    let options = Options { full: args.full, ignore_files: args.ignore_file.clone() };
    if args.watch {
        let retriever = code::retriever(&session.ctx, &workspace, &index)?;
        let host = Stoppable::new(&session.ctx);
        let analyzer = workspace.hydrate();
        if args.analyzer != args_map::Analyzer::Off {
            index.hydrate(&session.ctx, &options, &analyzer).map_err(tools::Error::from)?;
        }
        let mut live = None;
        if args.analyzer == args_map::Analyzer::Live {
            let server = Arc::clone(&host) as Arc<dyn Host>;
            live = Some(
                index.live(&host.ctx(), server, &options, &analyzer).map_err(tools::Error::from)?,
            );
        }
        return watch(session, &mut index, &options, live.as_mut(), host, &retriever);
    }
    let mut report = index.refresh(&session.ctx, &options).map_err(tools::Error::from)?;
    let mut run = None;
    if args.analyzer != args_map::Analyzer::Off {
        let analyzer = workspace.hydrate();
        let hydrate = index.hydrate(&session.ctx, &options, &analyzer).map_err(tools::Error::from);
        run = Some(hydrate.map_err(|error| degraded(&report, error))?);
        let incremental = Options { full: false, ..options.clone() };
        let hydrated = index.refresh(&session.ctx, &incremental).map_err(tools::Error::from)?;
        report = with_map_of(report, hydrated);
    }
    let mut search = code::index_for_search(&session.ctx, &workspace, &mut index, &mut report)?;
    if args.hnsw {
        search.hnsw = Some(code::index_vectors(&session.ctx, &workspace, &index)?);
    }
    session.bar.clear();
    print(session, &IndexSummary { report, search, run })?;
    Ok(Status::Done)
}

/// The report after results of rust-analyzer were added, with the cost of both updates.
fn with_map_of(before: IndexReport, after: IndexReport) -> IndexReport {
    IndexReport {
        parsed_files: before.parsed_files,
        resolved_files: before.resolved_files,
        changed_files: before.changed_files,
        is_whole: before.is_whole,
        phases: before.phases,
        map: before.map,
        cpu_ms: before.cpu_ms + after.cpu_ms,
        wall_ms: before.wall_ms + after.wall_ms,
        ..after
    }
}

/// The error of rust-analyzer; the map exists nevertheless.
fn degraded(report: &IndexReport, error: tools::Error) -> Failure {
    let mut failure = Failure::from(error);
    let files = base::counted(report.files as usize, "file");
    failure.message =
        format!("{} (the map of {files} was built without rust-analyzer)", failure.message);
    failure
}

/// Prints a report after each update, until the user interrupts or standard output is closed.
fn watch(
    session: &Session,
    index: &mut ingest::Index,
    options: &Options,
    live: Option<&mut Live>,
    host: Arc<Stoppable>,
    retriever: &ingest::Retriever,
) -> Result<Status, Failure> {
    let mut failure = None;
    let ctx = host.ctx();
    let reader = index.reader();
    let watched = index.watch_with(&ctx, options, live, &mut |report| {
        // In the background: the search index is not needed for the report.
        drop(retriever.finalize(reader.map()));
        session.bar.clear();
        let printed = match (session.global.json, session.global.quiet) {
            (true, _) => output::json_line(report),
            (false, true) => Ok(()),
            (false, false) => output::say(&change(report)),
        };
        if let Err(error) = printed {
            failure = Some(error);
            host.stop();
        }
    });
    watched.map_err(tools::Error::from)?;
    failure.map_or(Ok(Status::Done), Err)
}

/// `map: … (2 files changed, 3 resolved)`.
fn change(report: &IndexReport) -> String {
    let files = base::counted(report.changed_files as usize, "file");
    let stale = match &report.analyzer {
        Some(it) if it.stale_files > 0 => {
            let files = base::counted(it.stale_files as usize, "file");
            format!("; results of rust-analyzer are outdated for {files}")
        }
        Some(_) if report.changed_files == 0 => {
            "; results of rust-analyzer are up to date".to_owned()
        }
        _ => String::new(),
    };
    let resolved = report.resolved_files;
    format!("{} ({files} changed, {resolved} resolved{stale})", headline(report))
}

/// The JSON document of `index`.
#[derive(serde::Serialize)]
struct IndexSummary {
    #[serde(flatten)]
    report: IndexReport,
    search: code::SearchReport,
    /// Cost of the run of rust-analyzer, if there was one.
    #[serde(skip_serializing_if = "Option::is_none")]
    run: Option<HydrateRun>,
}

fn print(session: &Session, indexed: &IndexSummary) -> Result<(), Failure> {
    if session.global.json {
        return output::json(indexed);
    }
    let listed = if session.global.verbose { usize::MAX } else { LISTED };
    let listed = if session.global.quiet { 0 } else { listed };
    output::say(&describe(&indexed.report, &indexed.search, indexed.run.as_ref(), listed))
}

fn describe(
    report: &IndexReport,
    search: &code::SearchReport,
    run: Option<&HydrateRun>,
    listed: usize,
) -> String {
    let mut text = format!("{}\n", headline(report));
    text.push_str(&edge_part(report));
    let coverage = &report.coverage;
    let sites = coverage.proven_sites + coverage.candidate_sites + coverage.unresolved_sites;
    if sites > 0 {
        let share = |n: u64| n as f64 * 100.0 / sites as f64;
        let _ = writeln!(
            text,
            "  {sites} sites: {:.1} % proven, {:.1} % with candidates, {:.1} % unresolved; {} calls of \
             external code",
            share(coverage.proven_sites),
            share(coverage.candidate_sites),
            share(coverage.unresolved_sites),
            coverage.external_sites
        );
    }
    text.push_str(&analyzer_part(report, run, listed == usize::MAX));
    let _ = writeln!(
        text,
        "  {}",
        paint(
            DIM,
            &format!(
                "parsed {}, resolved {}; {:.1} MB on disk, {:.0} MB of memory",
                base::counted(report.parsed_files as usize, "file"),
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
    let documents = base::counted(search.documents as usize, "item");
    let hnsw = match search.hnsw {
        None => String::new(),
        Some(n) => format!("; HNSW index of {n} vectors in the database"),
    };
    let size = search.bytes as f64 / 1e6;
    let line = format!("search index: {documents}{vectors}; {size:.1} MB{hnsw}");
    let _ = writeln!(text, "  {}", paint(DIM, &line));
    text.push_str(&problem_part(report, listed));
    text
}

/// The number of edges of each kind.
fn edge_part(report: &IndexReport) -> String {
    let mut text = String::new();
    let mut by_kind: SortedMap<EdgeKind, (u64, u64)> = SortedMap::new();
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
    text
}

/// The first problems.
fn problem_part(report: &IndexReport, listed: usize) -> String {
    let mut text = String::new();
    if !report.problems.is_empty() {
        let _ = writeln!(text, "{}", paint(WARN, &base::counted(report.problems.len(), "problem")));
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

/// Approximate CPU seconds of rust-analyzer per thousand lines.
const CPU_PER_THOUSAND: f64 = 0.6;

/// Coverage of rust-analyzer, or a hint how to run it.
fn analyzer_part(report: &IndexReport, run: Option<&HydrateRun>, is_verbose: bool) -> String {
    let mut text = String::new();
    let cost = (report.coverage.lines as f64 / 1e3 * CPU_PER_THOUSAND).ceil().max(1.0);
    let command = format!(
        "`graftage index --analyzer batch` (about {cost:.0} s of CPU; runs build scripts and \
         macros in the sandbox)"
    );
    match &report.analyzer {
        None if report.files > 0 => {
            let line = format!("built without rust-analyzer, which proves more calls: {command}");
            let _ = writeln!(text, "  {}", paint(DIM, &line));
        }
        None => {}
        Some(it) => text.push_str(&resolved(report, it, &command, is_verbose)),
    }
    if let Some(degraded) = run.and_then(|run| run.degraded.as_ref()) {
        let _ = writeln!(text, "  {} {}", paint(WARN, "degraded:"), output::safe(degraded));
    }
    match run {
        Some(run) if run.ran => {
            let line = format!(
                "rust-analyzer: {:.1} s CPU, {:.1} s wall, {:.0} MB; import of its results {:.1} s CPU",
                run.cpu_ms as f64 / 1e3,
                run.wall_ms as f64 / 1e3,
                run.peak_rss_bytes as f64 / 1e6,
                run.own_cpu_ms as f64 / 1e3
            );
            let _ = writeln!(text, "  {}", paint(DIM, &line));
        }
        Some(_) => {
            let _ = writeln!(
                text,
                "  {}",
                paint(DIM, "rust-analyzer was not run: its results are up to date")
            );
        }
        None => {}
    }
    text
}

/// What rust-analyzer resolved.
fn resolved(report: &IndexReport, it: &Hydrated, command: &str, is_verbose: bool) -> String {
    let mut text = String::new();
    let share = it.resolved_calls as f64 * 100.0 / it.calls.max(1) as f64;
    let edges: u64 = (report.edges.iter())
        .filter(|edge| edge.provenance == base::Provenance::Ra)
        .map(|edge| edge.count)
        .sum();
    let _ = writeln!(
        text,
        "  {} resolved {share:.1} % of {} calls; {edges} edges are from it",
        output::safe(&it.analyzer),
        it.calls,
    );
    let off = it.calls - it.active_calls.min(it.calls);
    if off > 0 {
        let active = it.active_resolved_calls as f64 * 100.0 / it.active_calls.max(1) as f64;
        let line = format!(
            "{off} calls are in code that is disabled by cfg on this host; of the others it \
             resolved {active:.1} %"
        );
        let _ = writeln!(text, "  {}", paint(DIM, &line));
    }
    for unknown in it.unknown.iter().filter(|_| is_verbose) {
        let (path, all) = (output::safe(unknown.path.as_str()), unknown.active_calls);
        let line = format!("{path}: {} of {all} calls not resolved", unknown.unknown_calls);
        let _ = writeln!(text, "    {}", paint(DIM, &line));
    }
    if it.stale_files > 0 {
        let files = base::counted(it.stale_files as usize, "file");
        let line = format!("{files} changed since; to resolve them again: {command}");
        let _ = writeln!(text, "  {}", paint(WARN, &line));
    }
    text
}

/// `12 files, 340 items, 812 edges in 0.31 s (0.42 s CPU)`.
pub(crate) fn headline(report: &IndexReport) -> String {
    let edges: u64 = report.edges.iter().map(|edge| edge.count).sum();
    format!(
        "{} {}, {} and {edges} edges in {:.2} s ({:.2} s CPU)",
        paint(BOLD, "map:"),
        base::counted(report.files as usize, "file"),
        base::counted(report.items as usize, "item"),
        report.wall_ms as f64 / 1e3,
        report.cpu_ms as f64 / 1e3
    )
}
