//! [`page`]: the results as one page that opens without a server.

use std::fmt::Write as _;

use crate::{FleetReport, is_good};

/// Most bytes of a patch, and of evidence, in a row.
const MOST_SHOWN: usize = 32 << 10;

const HEAD: &str = include_str!("page.html");

/// The page of a report: a table that can be sorted, filtered by outcome, and opened row by row.
pub(crate) fn page(report: &FleetReport) -> String {
    let mut rows = String::new();
    for result in &report.repositories {
        let state = if is_good(&result.outcome) { "good" } else { "open" };
        let lines =
            result.patch.as_deref().map_or(0, |it| it.lines().filter(|it| is_change(it)).count());
        let patch = result
            .patch
            .as_deref()
            .map(|it| format!("<pre>{}</pre>", escaped(shortened(it))))
            .unwrap_or_default();
        let evidence = serde_json::to_string_pretty(&result.evidence).unwrap_or_default();
        let _ = writeln!(
            rows,
            "<tr class=\"{state}\" data-outcome=\"{outcome}\"><td>{name}</td><td>{outcome}</td><td>{lines}</td>\
             <td>{reason}</td><td><details><summary>show</summary>{patch}<pre>{evidence}</pre></details></td></tr>",
            name = escaped(&result.name),
            outcome = escaped(&result.outcome),
            reason = escaped(result.reason.as_deref().unwrap_or_default()),
            evidence = escaped(shortened(&evidence)),
        );
    }
    let mut counts = String::new();
    for (outcome, number) in &report.counts {
        let outcome = escaped(outcome);
        let _ = write!(counts, "<button data-only=\"{outcome}\">{outcome} {number}</button> ");
    }
    if report.missing > 0 {
        let _ = write!(counts, "<span>without a result: {}</span>", report.missing);
    }
    HEAD.replace("{{task}}", &escaped(&report.task.join(" ")))
        .replace("{{counts}}", &counts)
        .replace("{{rows}}", &rows)
}

/// The start of a text; the whole is in the folders beside the page.
fn shortened(text: &str) -> &str {
    &text[..text.floor_char_boundary(MOST_SHOWN)]
}

/// Whether a line of a diff is a changed one.
fn is_change(line: &str) -> bool {
    let is_head = line.starts_with("+++ ") || line.starts_with("--- ");
    !is_head && line.starts_with(['+', '-'])
}

/// A foreign text in HTML.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '{' => out.push_str("&#123;"),
            c if base::is_hidden(c) && c != '\n' && c != '\t' => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out
}
