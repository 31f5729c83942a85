//! The readable report of a comparison: one Markdown page.

use std::fmt::Write;
use std::path::Path;

use super::oracle::{OracleReport, Share, Tally};
use base::SortedMap;

/// Maximum number of misses listed per kind.
const MAX_LISTED: usize = 25;

pub(super) fn page(workspace: &Path, report: &OracleReport) -> String {
    let mut page = String::new();
    // Writing to a string cannot fail.
    let _ = write(&mut page, workspace, report);
    page
}

fn write(page: &mut String, workspace: &Path, report: &OracleReport) -> std::fmt::Result {
    let name = workspace.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
    writeln!(page, "# {name} against {}\n", report.oracle)?;
    header(page, "")?;
    row(page, "edges", report.edges)?;
    row(page, "sites", report.sites)?;
    writeln!(
        page,
        "\n{} call sites in the index, {} of them of functions that stand nowhere in the sources \
         and are not asked for. The oracle has nothing at {} proven sites of the map. Lenient: \
         the right ones among the proven where the map has the trait's function and the oracle the \
         impl's. Assumed: with the edges that depend on an assumption.\n",
        report.calls, report.without_definition, report.silent
    )?;
    writeln!(page, "## By shape, sites\n")?;
    header(page, "shape")?;
    for (shape, tally) in &report.shapes {
        row(page, shape, *tally)?;
    }
    writeln!(page, "\n## By rule, proven and assumed sites\n\n| rule | right |\n|---|---:|")?;
    for (rule, share) in &report.rules {
        writeln!(page, "| {rule} | {} |", shown(*share))?;
    }
    writeln!(page, "\n## Wrong sites: {}\n", report.wrong.len())?;
    writeln!(page, "| rule | at | shape | map | oracle |\n|---|---|---|---|---|")?;
    for it in &report.wrong {
        writeln!(
            page,
            "| {} | {} | {} | {} | {} |",
            it.rule,
            it.at,
            it.shape,
            cell(&it.map_calls),
            cell(&it.oracle)
        )?;
    }
    writeln!(page, "\n## Not proven: {}\n", report.missed.len())?;
    let mut kinds: SortedMap<(&str, &str), Vec<String>> = SortedMap::new();
    for it in &report.missed {
        let line = format!("{} {}", it.at, it.oracle);
        kinds.entry((&it.why, &it.shape)).or_default().push(line);
    }
    for ((why, shape), lines) in kinds {
        writeln!(page, "### {why}; {shape}: {}\n", lines.len())?;
        for line in lines.iter().take(MAX_LISTED) {
            writeln!(page, "- {line}")?;
        }
        writeln!(page)?;
    }
    Ok(())
}

fn header(page: &mut String, first: &str) -> std::fmt::Result {
    writeln!(
        page,
        "| {first} | proven: precision | of it lenient | with assumed: precision | proven: recall \
         | with candidates: recall |"
    )?;
    writeln!(page, "|---|---:|---:|---:|---:|---:|")
}

fn row(page: &mut String, name: &str, tally: Tally) -> std::fmt::Result {
    writeln!(
        page,
        "| {name} | {} | {} | {} | {} | {} |",
        shown(tally.precision),
        tally.lenient,
        shown(tally.precision_assumed),
        shown(tally.recall),
        shown(tally.recall_candidate)
    )
}

fn shown(share: Share) -> String {
    format!("{:.2} % ({} of {})", share.value() * 100.0, share.right, share.all)
}

fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}
