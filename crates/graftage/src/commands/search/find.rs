//! `search`: prints ranked items; with `--explain`, the stages and features behind their rank.

use std::fmt::Write as _;

use code::{FeatureCard, HitCard, SearchAnswer, SearchRequest, StageCard};

use crate::args_search;
use crate::commands::map::view;
use crate::exit::{Failure, Status};
use crate::output::{self, BOLD, DIM, paint};
use crate::session::Session;

/// Assumed width of the terminal.
const WIDTH: usize = 80;
/// Maximum number of features per result.
const FEATURES: usize = 8;

pub(crate) fn run(session: &Session, args: &args_search::Search) -> Result<Status, Failure> {
    let request = SearchRequest {
        intent: args.intent.map(Into::into),
        by: args.by.into(),
        mode: args.mode.into(),
        focus: args.focus.clone(),
        explain: args.explain,
        preview: args.preview,
        ..SearchRequest::new(super::text(&args.query)?, args.k)
    };
    let workspace = session.map_workspace()?;
    let answer = code::search(&session.ctx, &workspace, &request)?;
    session.bar.clear();
    if session.global.json {
        output::json(&answer)?;
    } else {
        output::say(&describe(&answer, session.global.quiet, session.global.verbose))?;
    }
    Ok(if answer.hits.is_empty() { Status::No } else { Status::Done })
}

fn describe(answer: &SearchAnswer, quiet: bool, verbose: bool) -> String {
    if answer.hits.is_empty() {
        return "nothing found\n".to_owned();
    }
    let mut text = stages(&answer.stages);
    if let Some(kind) = answer.kind {
        let _ = writeln!(text, "taken for a {kind}\n");
    }
    let width = answer.hits.len().to_string().len();
    for found in &answer.hits {
        text += &hit(found, width);
        text += &explanation(found, &answer.features, width);
        if let Some(preview) = &found.preview {
            for line in preview.lines() {
                let _ = writeln!(text, "{:width$}    {}", "", output::safe(line));
            }
        }
    }
    if verbose {
        text += &legend(&answer.features);
    }
    if !quiet {
        let ms = answer.took_us as f64 / 1e3;
        let part = match &answer.degraded {
            Some(why) => format!("; {}", output::safe(why)),
            None if answer.complete => String::new(),
            None => "; a stage did not run: `--explain` lists the stages".to_owned(),
        };
        text += &paint(
            DIM,
            &format!("{} in {ms:.1} ms{part}", base::counted(answer.hits.len(), "hit")),
        );
        text.push('\n');
    }
    text
}

/// ` 1  method io::Reader::read`, and on the next line location and signature.
pub(super) fn hit(found: &HitCard, width: usize) -> String {
    let name = match (&found.file, found.kind.as_str()) {
        (Some(file), "file") => output::safe(file),
        _ => view::short(&found.canon),
    };
    let mut text =
        format!("{:>width$}  {} {}\n", found.rank, found.kind.as_str(), paint(BOLD, &name));
    let location = match (&found.file, found.start_line, found.end_line) {
        (Some(file), Some(start), Some(end)) => output::safe(&format!("{file}:{start}-{end}")),
        (file, ..) => output::safe(file.as_deref().unwrap_or("outside the workspace")),
    };
    if found.kind.as_str() == "file" {
        return text;
    }
    let signature = output::safe(&found.signature);
    let left = WIDTH.saturating_sub(width + 4 + location.chars().count());
    let signature = cut(&signature, left);
    let _ = writeln!(text, "{:width$}  {}  {signature}", "", paint(DIM, &location));
    text
}

/// Truncates a text to `width` characters.
fn cut(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    let mut short: String = text.chars().take(width.saturating_sub(1)).collect();
    short.push('…');
    short
}

fn stages(stages: &[StageCard]) -> String {
    if stages.is_empty() {
        return String::new();
    }
    let mut text = format!("{}\n", paint(BOLD, "stages"));
    for stage in stages {
        let status = match (stage.skipped, stage.took_us) {
            (Some(reason), _) => format!("not run: {reason}"),
            (None, Some(us)) => format!("{:>6} {:>9.2} ms", stage.candidates, us as f64 / 1e3),
            (None, None) => format!("{:>6}", stage.candidates),
        };
        let _ = writeln!(text, "  {:<12} {status}", stage.name);
    }
    text + "\n"
}

/// The features with the largest effect on a result, and its path in the graph.
fn explanation(found: &HitCard, features: &[FeatureCard], width: usize) -> String {
    let mut text = String::new();
    let counts = |feature: &FeatureCard| {
        let value = found.scores.get(feature.name).copied().unwrap_or(0.0);
        (feature.name, value, value * feature.weight)
    };
    let mut parts: Vec<(&str, f64, f64)> =
        features.iter().map(counts).filter(|(_, _, part)| part.abs() >= 0.0005).collect();
    parts.sort_by(|a, b| b.2.abs().total_cmp(&a.2.abs()).then(a.0.cmp(b.0)));
    if !features.is_empty() {
        let texts: Vec<String> = parts
            .iter()
            .take(FEATURES)
            .map(|(name, value, part)| format!("{name} {value:.2} ({part:+.2})"))
            .collect();
        let mut line = format!("score {:.3}:", found.score);
        for part in texts {
            if line.chars().count() + part.len() + width + 5 > WIDTH {
                let _ = writeln!(text, "{:width$}  {}", "", paint(DIM, &line));
                line = " ".to_owned();
            }
            line.push(' ');
            line += &part;
        }
        let _ = writeln!(text, "{:width$}  {}", "", paint(DIM, &line));
    }
    if !features.is_empty() && !found.path.is_empty() {
        let first = found.path.first().map(|step| view::short(&step.from)).unwrap_or_default();
        let mut line = format!("from {first}");
        for step in &found.path {
            let verb = view::verb(step.kind);
            let arrow = if step.is_backward { "<-" } else { "->" };
            let _ = write!(line, " {arrow} ({verb}) {}", view::short(&step.to));
        }
        let _ = writeln!(text, "{:width$}  {}", "", paint(DIM, &line));
    }
    text
}

fn legend(features: &[FeatureCard]) -> String {
    let mut text = String::new();
    for feature in features {
        let _ =
            writeln!(text, "  {:<13} {:>6.2}  {}", feature.name, feature.weight, feature.meaning);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_signatures_are_truncated() {
        assert_eq!(cut("fn f()", 6), "fn f()");
        assert_eq!(cut("fn größe()", 6), "fn gr…");
        assert_eq!(cut("fn f()", 0), "…");
    }
}
