//! Formats items, edges and counts of the map as text, for all commands on it.

use std::fmt::Write as _;

use base::{EdgeKind, ItemKind, Provenance, SortedSet, Tier};
use code::{CountsCard, EdgeCard, ItemCard, SiteCard, UnresolvedCard};

use crate::output::{self, BOLD, DIM, WARN, paint};

/// The end of an edge that is printed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    Src,
    Dst,
}

/// `demo::io::Reader`, where the canonical path is `demo/demo::io::Reader`.
pub(in crate::commands) fn short(canon: &str) -> String {
    let (krate, rest) = match canon.split_once("::") {
        Some((krate, rest)) => (krate, Some(rest)),
        None => (canon, None),
    };
    let target = krate.rsplit('/').next().unwrap_or(krate);
    let target = if krate.contains('/') { target.replace('-', "_") } else { target.to_owned() };
    output::safe(&rest.map_or(target.clone(), |rest| format!("{target}::{rest}")))
}

/// `src/lib.rs:7`.
pub(super) fn location(file: Option<&str>, line: Option<u32>) -> String {
    match (file, line) {
        (Some(file), Some(line)) => output::safe(&format!("{file}:{line}")),
        (Some(file), None) => output::safe(file),
        _ => "outside the workspace".to_owned(),
    }
}

/// The location of an item.
pub(super) fn place(item: &ItemCard) -> String {
    match item.kind {
        ItemKind::Crate => "of the workspace".to_owned(),
        _ => location(item.file.as_deref(), item.start_line),
    }
}

/// Maximum number of shown places in quoted code.
const QUOTED: usize = 5;
/// Maximum number of named traits.
const TRAITS: usize = 8;

/// `calls through fmt::Display are not in the map`; empty without such traits. A trait with several
/// lists of arguments is named once.
pub(super) fn outside(traits: &[String]) -> String {
    let bare = traits.iter().map(|it| it.split('<').next().unwrap_or(it));
    let names: SortedSet<&str> = bare.collect();
    if names.is_empty() {
        return String::new();
    }
    let shown: Vec<&str> = names.iter().take(TRAITS).copied().collect();
    let more = match names.len() - shown.len() {
        0 => String::new(),
        more => format!(" and {more} more traits (`--json` lists all)"),
    };
    let text = format!("calls through {}{more}", shown.join(", "));
    format!("{} by code outside the workspace are not in the map\n", output::safe(&text))
}

/// `2 tokens in quoted code (quote!) are not resolved: build.rs:7, build.rs:9`; empty without any.
pub(super) fn quoted(sites: &[SiteCard]) -> String {
    if sites.is_empty() {
        return String::new();
    }
    let shown: Vec<String> =
        sites.iter().take(QUOTED).map(|it| format!("{}:{}", it.file, it.line)).collect();
    let more = match sites.len() - shown.len() {
        0 => String::new(),
        more => format!(" and {more} more (`--json` lists all)"),
    };
    let (tokens, verb) =
        (base::counted(sites.len(), "token"), if sites.len() == 1 { "is" } else { "are" });
    let places = output::safe(&shown.join(", "));
    format!(
        "{tokens} of the name in quoted code {verb} not resolved, nor is the code that becomes of it: \
         {places}{more}\n"
    )
}

/// One line per file whose code is not in the map.
pub(super) fn left_out(files: &[String]) -> String {
    files.iter().map(|it| format!("not in the map: {}\n", output::safe(it))).collect()
}

/// `method demo::io::Reader::read  src/io.rs:7` and the signature below.
pub(super) fn head(item: &ItemCard) -> String {
    let mut text = format!(
        "{} {}  {}",
        item.kind.as_str(),
        paint(BOLD, &short(&item.canon)),
        paint(DIM, &place(item))
    );
    if !item.signature.is_empty() {
        let _ = write!(text, "\n  {}", output::safe(&item.signature));
    }
    if item.is_inactive {
        let _ = write!(text, "\n  {}", paint(WARN, "disabled by cfg on this host"));
    }
    text + "\n"
}

/// One line: `callers: 7 proven (5 by rust-analyzer), 2 candidates, 3 unresolved sites may be more`.
pub(super) fn counts<'a>(
    what: &str,
    counts: &CountsCard,
    edges: impl IntoIterator<Item = &'a EdgeCard>,
) -> String {
    let mut text = format!("{}: {} proven", paint(BOLD, what), counts.proven);
    let by_analyzer = edges.into_iter().filter(|edge| edge.provenance == Provenance::Ra).count();
    if by_analyzer > 0 {
        let _ = write!(text, " ({by_analyzer} by rust-analyzer)");
    }
    if counts.candidate > 0 {
        let _ = write!(text, ", {}", base::counted(counts.candidate, "candidate"));
    }
    if counts.unresolved > 0 {
        let sites = base::counted(counts.unresolved, "unresolved site");
        let _ = write!(text, ", {sites} may be more");
    }
    text += "\n";
    if let Some(stale) = counts.analyzer_behind.filter(|files| *files > 0) {
        let files = base::counted(stale as usize, "file");
        let line = format!(
            "results of rust-analyzer are outdated for {files}: run `graftage index --analyzer batch`"
        );
        let _ = writeln!(text, "  {}", paint(WARN, &line));
    }
    text
}

/// One aligned line per edge: `?` for a candidate, the item at `end`, the location.
pub(super) fn edges(edges: &[&EdgeCard], end: End, explain: bool) -> String {
    edges_of(edges, end, explain, None)
}

/// As [`edges`], of callers at distance 1 of an item: a call of another method, through which the item
/// is called or that implements it, names that method.
pub(super) fn edges_of(
    edges: &[&EdgeCard],
    end: End,
    explain: bool,
    item: Option<&ItemCard>,
) -> String {
    let name = |edge: &EdgeCard| {
        let canon = if end == End::Src { &edge.src_canon } else { &edge.dst_canon };
        match edge.kind {
            EdgeKind::Calls => short(canon),
            kind => format!("{} {}", verb(kind), short(canon)),
        }
    };
    let width = edges.iter().map(|edge| name(edge).chars().count()).max().unwrap_or(0).min(60);
    let mut text = String::new();
    for edge in edges {
        let mark = if edge.tier == Tier::Proven { " " } else { "?" };
        let more = match edge.sites.len() {
            0 | 1 => String::new(),
            n => format!(" and {} more", n - 1),
        };
        let by = if edge.provenance == Provenance::Ra { "  ra" } else { "" };
        let through = match item {
            Some(item) if edge.dst != item.id => format!("  calls {}", short(&edge.dst_canon)),
            _ => String::new(),
        };
        let name = name(edge);
        let pad = " ".repeat(width.saturating_sub(name.chars().count()));
        let _ = writeln!(
            text,
            "  {} {name}{pad}  {}",
            paint(WARN, mark),
            paint(
                DIM,
                &format!("{}{more}{by}{through}", location(edge.file.as_deref(), edge.line))
            )
        );
        if explain {
            let by = if edge.provenance == Provenance::Ra { "rust-analyzer" } else { "syntax" };
            let rule = edge.rule.unwrap_or("follows from the syntax tree");
            let tier = if edge.tier == Tier::Proven { "proven" } else { "candidate" };
            let _ = writeln!(text, "      {}", paint(DIM, &format!("{tier} by {by}: {rule}")));
            for site in edge.sites.iter().skip(1) {
                let at = location(Some(&site.file), Some(site.line));
                let _ = writeln!(text, "      {}", paint(DIM, &format!("also {at}")));
            }
        }
    }
    text
}

/// A list of unresolved sites.
pub(super) fn unresolved(sites: &[UnresolvedCard], all: usize) -> String {
    if sites.is_empty() {
        return String::new();
    }
    let mut text = format!("{}\n", paint(BOLD, "unresolved"));
    for site in sites {
        let _ = writeln!(
            text,
            "    {} in {}  {}",
            output::safe(&site.name),
            short(&site.src_canon),
            paint(
                DIM,
                &format!(
                    "{} ({})",
                    location(site.file.as_deref(), Some(site.line)),
                    reason(site.reason.as_str())
                )
            )
        );
    }
    if all > sites.len() {
        let _ = writeln!(text, "    and {} more", all - sites.len());
    }
    text
}

/// One aligned line per item.
pub(super) fn items(items: &[&ItemCard]) -> String {
    let width = items.iter().map(|item| short(&item.canon).chars().count()).max();
    let width = width.unwrap_or(0).min(60);
    let mut text = String::new();
    for item in items {
        let name = short(&item.canon);
        let pad = " ".repeat(width.saturating_sub(name.chars().count()));
        let _ = writeln!(
            text,
            "    {:<10} {name}{pad}  {}",
            item.kind.as_str(),
            paint(DIM, &place(item))
        );
    }
    text
}

/// The verb for an edge, from source to target.
pub(in crate::commands) fn verb(kind: EdgeKind) -> &'static str {
    match kind {
        EdgeKind::Contains => "contains",
        EdgeKind::Calls => "calls",
        EdgeKind::Implements => "implements",
        EdgeKind::Uses => "uses",
        EdgeKind::Depends => "depends on",
        EdgeKind::FeatureGatedBy => "is gated by",
    }
}

/// The reason for an unresolved site as text.
fn reason(name: &str) -> &str {
    match name {
        "unknown_receiver" => "unknown type of the receiver",
        "not_found" => "no item with that name in scope",
        "too_many" => "too many items with that name",
        "in_macro" => "inside a macro that was not expanded",
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_path_starts_with_the_crate_name() {
        assert_eq!(short("my-lib/my-lib::io::Reader"), "my_lib::io::Reader");
        assert_eq!(short("my-lib/my-bin"), "my_bin");
        assert_eq!(short("std::io"), "std::io");
    }
}
