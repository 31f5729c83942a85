//! The readable report of a run: one Markdown page. Those of sets A and B are in
//! `retrieval/page.rs`.

use std::fmt::Write;

use crate::{CaseResult, Summary};
use base::SortedMap;

/// The page for a run.
pub(crate) fn page(summary: &Summary, results: &[CaseResult]) -> String {
    let mut page = String::new();
    // Writing to a string cannot fail.
    let _ = write(&mut page, summary, results);
    page
}

fn write(page: &mut String, summary: &Summary, results: &[CaseResult]) -> std::fmt::Result {
    writeln!(page, "# {}: {} cases\n", summary.suite, summary.cases)?;
    writeln!(page, "| metric | graftage | only deleting |\n|---|---:|---:|")?;
    let mut names: Vec<&String> = summary.score.keys().chain(summary.deletion.keys()).collect();
    names.sort();
    names.dedup();
    for name in names {
        let shown = |scores: &SortedMap<String, f64>| {
            scores.get(name).map_or("–".to_owned(), |value| number(name, *value))
        };
        writeln!(page, "| {name} | {} | {} |", shown(&summary.score), shown(&summary.deletion))?;
    }
    let outcomes: Vec<String> =
        summary.outcomes.iter().map(|(outcome, count)| format!("{count} {outcome}")).collect();
    writeln!(page, "\nOutcomes: {}.", outcomes.join(", "))?;
    writeln!(
        page,
        "Candidates proven: {}. CPU {:.0} s, of it grading {:.0} s; wall {:.0} s; {} cases taken \
         over from an earlier run.\n",
        summary.candidates,
        summary.cpu_ms as f64 / 1e3,
        summary.grading_cpu_ms as f64 / 1e3,
        summary.wall_ms as f64 / 1e3,
        summary.resumed
    )?;
    writeln!(page, "{}\n", legend(&summary.suite))?;
    groups(page, summary, results)?;
    cases(page, results)
}

/// Descriptions of a suite's metrics.
fn legend(suite: &str) -> &'static str {
    match suite {
        "C_breakfix" => {
            "`build`: the library checks (over the cases that did not build). `green`: and its \
             tests pass. `pass`: and the separate checker finds no broken promise. `exact`: equal \
             to the unbroken sources but for white space. `diff_ratio`: changed lines against \
             those of the break, over the answers that build. `violations`: answers that build \
             and break a promise. All compiled and tested anew by the graders."
        }
        "D_rustfix" => {
            "`graded`: pairs that one pass makes equal, byte for byte; `ungraded`: the same of \
             pairs that need more than one pass or other flags."
        }
        "F_receivers" => {
            "`precision`: of the edges that the map calls proven, those that are calls. `recall`: \
             of all calls, those that it has proven; `recall.candidate`: proven or as one of several \
             targets. `shapes`: of the functions that show one shape, those all of whose calls were \
             found so. `wrong`: proven edges that are no calls."
        }
        _ => {
            "`preserving`: applied, compiles, and the separate checker finds no broken promise. \
             `draft`: the product's own word that it is none, and it compiles. `compiles`: either \
             of them, or an answer that breaks a promise. `documented`: equal to a documented \
             version but for white space and comments. `violations`: applied answers that break a \
             promise. All compiled anew by the graders."
        }
    }
}

fn number(name: &str, value: f64) -> String {
    match name {
        "violations" | "wrong" => format!("{value}"),
        "diff_ratio" => format!("{value:.2}"),
        _ => format!("{:.1} %", value * 100.0),
    }
}

fn groups(page: &mut String, summary: &Summary, results: &[CaseResult]) -> std::fmt::Result {
    let names: Vec<&String> = summary.score.keys().collect();
    let heads: Vec<&str> = names.iter().map(|name| name.as_str()).collect();
    writeln!(page, "## By group\n\n| group | cases | {} |", heads.join(" | "))?;
    writeln!(page, "|---|---:|{}", "---:|".repeat(heads.len()))?;
    for (group, scores) in &summary.by {
        let count = results.iter().filter(|result| result.groups.contains(group)).count();
        let cells: Vec<String> = names
            .iter()
            .map(|name| scores.get(*name).map_or("–".to_owned(), |value| number(name, *value)))
            .collect();
        writeln!(page, "| {} | {count} | {} |", cell(group), cells.join(" | "))?;
    }
    Ok(())
}

/// Metrics of which one must be met for a case to count as solved.
const SOLVED: [&str; 7] =
    ["pass", "preserving", "graded", "ungraded", "recall", "precision", "shapes"];

fn cases(page: &mut String, results: &[CaseResult]) -> std::fmt::Result {
    let solved = |result: &&CaseResult| {
        SOLVED.iter().any(|name| result.metrics.get(*name).is_some_and(|value| *value > 0.0))
    };
    writeln!(page, "\n## Not solved\n\n| case | group | outcome | why |\n|---|---|---|---|")?;
    for result in results.iter().filter(|result| !solved(result)) {
        let mut why: Vec<String> =
            result.broken.iter().map(|it| format!("checker: {it}")).collect();
        why.extend(result.refused.iter().map(|refused| format!("refused: {refused}")));
        why.extend(result.reason.clone());
        writeln!(
            page,
            "| {} | {} | {} | {} |",
            cell(&result.id),
            cell(result.groups.first().map_or("", String::as_str)),
            result.outcome,
            cell(&why.join("; "))
        )?;
    }
    writeln!(
        page,
        "\n## Solved\n\n| case | group | candidates | ms | by |\n|---|---|---:|---:|---|"
    )?;
    for result in results.iter().filter(solved) {
        writeln!(
            page,
            "| {} | {} | {} | {} | {} |",
            cell(&result.id),
            cell(result.groups.first().map_or("", String::as_str)),
            result.candidates,
            result.product_ms,
            cell(&result.rationale.join("; "))
        )?;
    }
    Ok(())
}

/// A text for a table cell, escaped and truncated.
fn cell(text: &str) -> String {
    let flat = text.replace(['\n', '\r'], " ").replace('|', "\\|");
    match flat.char_indices().nth(600) {
        Some((end, _)) => format!("{} …", &flat[..end]),
        None => flat,
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;
    use crate::preserve::Broken;
    use crate::summary;

    #[test]
    fn the_page_has_the_baseline_beside_and_a_reason_for_each_refusal() {
        let result = CaseResult {
            id: "x-1".to_owned(),
            groups: vec!["remove|mut".to_owned()],
            outcome: "applied".to_owned(),
            metrics: SortedMap::from([("pass".to_owned(), 0.0), ("violations".to_owned(), 1.0)]),
            broken: vec![Broken { rule: "item-removed".to_owned(), detail: "fn f".to_owned() }],
            ..CaseResult::default()
        };
        let results = [result];
        let summary = Summary {
            suite: "C_breakfix".to_owned(),
            cases: 1,
            score: summary::score(results.iter().map(|result| &result.metrics)),
            deletion: SortedMap::from([("pass".to_owned(), 0.5)]),
            mean_of_groups: SortedMap::new(),
            without_weak: SortedMap::new(),
            beside: SortedMap::new(),
            by: summary::by_group(&results),
            outcomes: summary::outcomes(&results),
            candidates: 3,
            cpu_ms: 1500,
            grading_cpu_ms: 500,
            wall_ms: 1000,
            resumed: 0,
            report: PathBuf::from("report.md"),
        };
        let page = page(&summary, &results);
        for line in [
            "| pass | 0.0 % | 50.0 % |",
            "| violations | 1 | – |",
            "| remove\\|mut | 1 | 0.0 % | 1 |",
            "| x-1 | remove\\|mut | applied | checker: item-removed: fn f |",
        ] {
            assert!(page.contains(line), "{line} is not in:\n{page}");
        }
    }
}
