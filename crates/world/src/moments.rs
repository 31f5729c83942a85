//! [`Moment`]: what a page was at one step of a story, for an inspector. [`timeline`] shows the moments of a story as
//! one file that needs no server.

use serde::Serialize;

use crate::browser::Incident;
use crate::{StoryResult, report::escaped};

/// A page after one step.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Moment {
    /// Line of the step in the file of stories.
    pub line: usize,
    /// The step, with its element.
    pub step: String,
    /// The difference from what it expects, if it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
    /// Roles and names of the page.
    pub page: Vec<String>,
    /// New messages of the console.
    pub console: Vec<String>,
    /// New incidents.
    pub incidents: Vec<Incident>,
    /// New events of the page.
    pub events: Vec<String>,
    /// The threads of expected events that wait or block.
    pub threads: Vec<String>,
    /// The picture of the window, as PNG.
    #[serde(skip)]
    pub picture: Option<Vec<u8>>,
}

const STYLE: &str = "body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:70rem;padding:0 1rem;color:#1b1b1b;\
background:#fff}h1{font-size:1.3rem}ol{list-style:none;padding:0;border-left:3px solid #ccc}li{padding:.2rem 1rem;\
margin-left:-3px;border-left:3px solid transparent}li.failed{border-color:#b3261e}li.passed{border-color:#2e7d32}\
pre{background:#f4f4f4;padding:.5rem;overflow:auto;margin:.3rem 0}img{max-width:100%;border:1px solid #ccc}\
summary{cursor:pointer}.reason{color:#b3261e}@media(prefers-color-scheme:dark){body{background:#161616;color:#e8e8e8}\
pre{background:#242424}.reason{color:#ff8a80}}";

/// The moments of a story as a page of HTML: one file without scripts, which opens from the disk.
pub fn timeline(result: &StoryResult) -> String {
    let title = escaped(&format!("{}: {}", result.file, result.name));
    let verdict = if result.passed { "passed" } else { "failed" };
    let mut html = format!(
        "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>{title}</title>\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; style-src \
         'unsafe-inline'\"><style>{STYLE}</style>\n<h1>{title}: {verdict}</h1>\n<ol>\n"
    );
    for moment in &result.moments {
        let class = if moment.failure.is_some() { "failed" } else { "passed" };
        let open = if moment.failure.is_some() { " open" } else { "" };
        let step = escaped(&moment.step);
        html.push_str(&format!(
            "<li class=\"{class}\"><details{open}><summary>line {}: {step}</summary>\n",
            moment.line
        ));
        if let Some(failure) = &moment.failure {
            html.push_str(&format!("<p class=\"reason\">{}</p>\n", escaped(failure)));
        }
        let incidents =
            moment.incidents.iter().map(|it| format!("{}: {}", it.kind.as_str(), it.text));
        for (heading, lines) in [
            ("Console", moment.console.clone()),
            ("Incidents", incidents.collect()),
            ("Events", moment.events.clone()),
            ("Threads", moment.threads.clone()),
            ("Page", moment.page.clone()),
        ] {
            if !lines.is_empty() {
                let lines = escaped_lines(&lines);
                html.push_str(&format!("<h2>{heading}</h2><pre>{lines}</pre>\n"));
            }
        }
        if let Some(picture) = &moment.picture {
            let data = base::to_base64(picture);
            html.push_str(&format!(
                "<img alt=\"the page after line {}\" src=\"data:image/png;base64,{data}\">\n",
                moment.line
            ));
        }
        html.push_str("</details></li>\n");
    }
    html.push_str("</ol></html>\n");
    html
}

fn escaped_lines(lines: &[String]) -> String {
    let lines: Vec<String> = lines.iter().map(|it| escaped(it)).collect();
    lines.join("\n")
}
