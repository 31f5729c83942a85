//! The readable report of sets A and B, with the stage at which each target was lost. That of the
//! other suites is in `crate::report`.

use std::fmt::Write;

use crate::{CaseResult, Summary};
use base::SortedMap;

/// The readable report of set A or B.
pub(crate) fn page(summary: &Summary, results: &[CaseResult]) -> String {
    let mut page = String::new();
    // Writing to a string cannot fail.
    let _ = write(&mut page, summary, results);
    page
}

fn write(page: &mut String, summary: &Summary, results: &[CaseResult]) -> std::fmt::Result {
    writeln!(page, "# {}: {} cases\n", summary.suite, summary.cases)?;
    let mut columns: Vec<(&str, &SortedMap<String, f64>)> =
        vec![("mean of groups", &summary.mean_of_groups), ("mean of cases", &summary.score)];
    columns.extend(summary.beside.iter().map(|(name, metrics)| (name.as_str(), metrics)));
    if !summary.without_weak.is_empty() {
        columns.push(("mean of groups, without weak labels", &summary.without_weak));
    }
    let heads: Vec<&str> = columns.iter().map(|(name, _)| *name).collect();
    writeln!(page, "| metric | {} |", heads.join(" | "))?;
    writeln!(page, "|---|{}", "---:|".repeat(heads.len()))?;
    for name in summary.score.keys() {
        let cells: Vec<String> = columns.iter().map(|(_, it)| cell(it.get(name))).collect();
        writeln!(page, "| {name} | {} |", cells.join(" | "))?;
    }
    writeln!(
        page,
        "\nCPU {:.0} s, wall {:.0} s; {} cases taken over from an earlier run.\n",
        summary.cpu_ms as f64 / 1e3,
        summary.wall_ms as f64 / 1e3,
        summary.resumed
    )?;
    writeln!(
        page,
        "`acc@k`: all that was looked for is among the first k. `hit@k`: any of it. Groups are \
         repositories (set A) or crates (set B). `bm25`: over whole files and items, as any search \
         has it; `keyword`: by the number of shared words. `recall@Nt.context`: the share of what \
         was looked for that a context of N tokens shows, at any level of detail (`context_signature`: \
         at least its signature, `context_body`: whole), and beside it that of whole bodies in \
         BM25's order.\n"
    )?;
    groups(page, summary)?;
    lost(page, results)?;
    missed(page, results)
}

fn cell(value: Option<&f64>) -> String {
    value.map_or("–".to_owned(), |value| format!("{value:.3}"))
}

fn groups(page: &mut String, summary: &Summary) -> std::fmt::Result {
    let shown = |name: &&String| {
        ["acc@5.file.", "acc@10.item.", "mrr@10.item."].iter().any(|start| name.starts_with(start))
    };
    let names: Vec<&String> = summary.score.keys().filter(shown).collect();
    let heads: Vec<&str> = names.iter().map(|name| name.as_str()).collect();
    writeln!(page, "## By group\n\n| group | {} |", heads.join(" | "))?;
    writeln!(page, "|---|{}", "---:|".repeat(heads.len()))?;
    for (group, metrics) in &summary.by {
        let cells: Vec<String> = names.iter().map(|name| cell(metrics.get(*name))).collect();
        writeln!(page, "| {group} | {} |", cells.join(" | "))?;
    }
    Ok(())
}

/// The number of targets lost by each stage.
fn lost(page: &mut String, results: &[CaseResult]) -> std::fmt::Result {
    let mut counts: SortedMap<(&str, &str), usize> = SortedMap::new();
    for missed in results.iter().flat_map(|result| &result.missed) {
        *counts.entry((&missed.variant, &missed.lost_by)).or_default() += 1;
    }
    writeln!(
        page,
        "\n## Stages that lost targets\n\n`candidates`: no retriever found it; `ranking`: it is \
         behind the first ten; `map`: the map has no such item; else the stage that dropped \
         it.\n\n| wording | lost by | targets |\n|---|---|---:|"
    )?;
    for ((variant, stage), count) in counts {
        writeln!(page, "| {variant} | {stage} | {count} |")?;
    }
    Ok(())
}

fn missed(page: &mut String, results: &[CaseResult]) -> std::fmt::Result {
    writeln!(
        page,
        "\n## Missed targets\n\n| case | wording | target | lost by | place behind each stage |\n\
         |---|---|---|---|---|"
    )?;
    for result in results {
        for missed in &result.missed {
            let place = |stage: &String| {
                let place = missed.places.get(stage).copied().flatten();
                format!("{stage} {}", place.map_or("–".to_owned(), |place| place.to_string()))
            };
            let places: Vec<String> = missed.stages.iter().map(place).collect();
            writeln!(
                page,
                "| {} | {} | {} | {} | {} |",
                result.id,
                missed.variant,
                missed.target.replace('|', "\\|"),
                missed.lost_by,
                places.join(", ")
            )?;
        }
    }
    Ok(())
}
