//! The page of a [`Comparison`]: one HTML file without scripts and without links to elsewhere.

use std::fmt::Write as _;

use super::{CaseAnswer, Comparison, DifferingCase};

/// Maximum number of cases on the page.
const LISTED: usize = 300;

const STYLE: &str = "\
:root{color-scheme:light dark;--line:#8884;--good:#2a7d2a;--bad:#b03030;--soft:#8881}\
@media(prefers-color-scheme:dark){:root{--good:#6fce6f;--bad:#ff8a80}}\
body{font:15px/1.5 system-ui,sans-serif;max-width:72rem;margin:2rem auto;padding:0 1rem}\
h1{font-size:1.5rem}h2{font-size:1.15rem;margin-top:2rem}\
table{border-collapse:collapse;width:100%}\
th,td{border-bottom:1px solid var(--line);padding:.35rem .6rem;text-align:left;vertical-align:top}\
td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}\
tr:hover{background:var(--soft)}.good{color:var(--good)}.bad{color:var(--bad)}\
.best{font-weight:600}.dim{opacity:.7}code,pre{font:13px/1.45 ui-monospace,monospace}\
pre{overflow:auto;background:var(--soft);padding:.6rem;max-height:24rem}summary{cursor:pointer}";

/// The page.
pub(super) fn html(of: &Comparison) -> String {
    let mut page = String::new();
    let title = format!("{}: {}", of.suite, base::counted(of.runs.len(), "run"));
    let _ = write!(
        page,
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width\"><title>{0}</title>\
         <style>{STYLE}</style></head><body><h1>{0}</h1>",
        text(&title)
    );
    runs(&mut page, of);
    metrics(&mut page, of);
    cases(&mut page, of);
    page.push_str("</body></html>\n");
    page
}

fn runs(page: &mut String, of: &Comparison) {
    page.push_str(
        "<h2>Runs</h2><table><tr><th>Run</th><th>Settings that differ</th><th>Outcomes</th>\
         <th class=n>Better / worse</th><th class=n>Candidates</th><th class=n>Tokens</th>\
         <th class=n>Cost</th><th class=n>CPU</th></tr>",
    );
    for run in &of.runs {
        let settings: Vec<String> = run
            .settings
            .iter()
            .map(|(key, value)| format!("<code>{}</code>", text(&format!("{key} = {value}"))))
            .collect();
        let settings = if settings.is_empty() { "–".to_owned() } else { settings.join("<br>") };
        let outcomes: Vec<String> = run
            .outcomes
            .iter()
            .map(|(outcome, count)| format!("{count} {}", text(outcome)))
            .collect();
        let (better, worse) = run.better_worse;
        let _ = write!(
            page,
            "<tr><td><b>{}</b><br><span class=dim>{}</span></td><td>{settings}</td><td>{}</td>\
             <td class=n>+{better} / −{worse}</td><td class=n>{}</td><td class=n>{}</td>\
             <td class=n>${:.4}</td><td class=n>{:.1} s</td></tr>",
            text(&run.name),
            text(&run.product),
            outcomes.join(", "),
            run.candidates,
            run.tokens,
            run.cost,
            run.cpu_ms as f64 / 1e3
        );
    }
    page.push_str(
        "</table><p class=dim>Better / worse: cases of which the main value is higher or lower than in \
         the first run.</p>",
    );
}

fn metrics(page: &mut String, of: &Comparison) {
    page.push_str("<h2>Values</h2><table><tr><th>Metric</th>");
    for run in &of.runs {
        let _ = write!(page, "<th class=n>{}</th>", text(&run.name));
    }
    page.push_str("</tr>");
    for (name, values) in &of.metrics {
        let is_count = matches!(name.as_str(), "violations" | "wrong" | "diff_ratio");
        let known = || values.iter().flatten().copied();
        let best = if is_count { known().reduce(f64::min) } else { known().reduce(f64::max) };
        let _ = write!(page, "<tr><td>{}</td>", text(name));
        for value in values {
            let Some(value) = value else {
                page.push_str("<td class=n>–</td>");
                continue;
            };
            let is_best = Some(*value) == best && values.len() > 1;
            let class = if is_best { "n best" } else { "n" };
            let delta = values[0].map(|first| value - first).filter(|it| *it != 0.0);
            let delta = delta.map_or(String::new(), |it| {
                let class = if (it > 0.0) == is_count { "bad" } else { "good" };
                format!(" <span class={class}>{it:+.3}</span>")
            });
            let _ = write!(page, "<td class=\"{class}\">{value:.3}{delta}</td>");
        }
        page.push_str("</tr>");
    }
    page.push_str("</table>");
}

fn cases(page: &mut String, of: &Comparison) {
    let count = base::counted(of.differing.len(), "case");
    let _ = write!(page, "<h2>{count} with different answers</h2>");
    for case in of.differing.iter().take(LISTED) {
        one_case(page, of, case);
    }
    if of.differing.len() > LISTED {
        let _ = write!(page, "<p>… and {} more</p>", of.differing.len() - LISTED);
    }
}

fn one_case(page: &mut String, of: &Comparison, case: &DifferingCase) {
    let outcomes: Vec<String> = case
        .answers
        .iter()
        .map(|it| it.as_ref().map_or("not run".to_owned(), |it| text(&it.outcome)))
        .collect();
    let _ = write!(
        page,
        "<details><summary><code>{}</code> <span class=dim>{}</span></summary>",
        text(&case.id),
        outcomes.join(" → ")
    );
    for (run, answer) in of.runs.iter().zip(&case.answers) {
        let _ = write!(page, "<p><b>{}</b>: ", text(&run.name));
        match answer {
            None => page.push_str("not run</p>"),
            Some(answer) => one_answer(page, answer),
        }
    }
    page.push_str("</details>");
}

fn one_answer(page: &mut String, answer: &CaseAnswer) {
    let values: Vec<String> =
        answer.metrics.iter().map(|(name, value)| format!("{} {value:.3}", text(name))).collect();
    let _ = write!(page, "{} <span class=dim>{}</span>", text(&answer.outcome), values.join(", "));
    if let Some(reason) = &answer.reason {
        let _ = write!(page, "<br>{}", text(reason));
    }
    page.push_str("</p>");
    if !answer.diff.is_empty() {
        let _ = write!(page, "<pre>{}</pre>", text(&answer.diff));
    }
}

/// A text of a repository or a compiler as HTML text.
fn text(raw: &str) -> String {
    let mut out = String::with_capacity(raw.len());
    for c in raw.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\n' | '\t' => out.push(c),
            c if c.is_control() => out.extend(c.escape_unicode()),
            c => out.push(c),
        }
    }
    out
}
