//! `demo`: runs `fix` on a small broken crate that is embedded in the binary.

use std::fmt::Write as _;
use std::path::Path;

use agent::{FixOptions, FixOutcome, FixReport};
use serde::Serialize;

use crate::commands::fix::{REPAIR, describe};
use crate::commands::map::headline;
use crate::commands::watch::Watch;
use crate::exit::{Failure, Status};
use crate::output::{self, BOLD, DIM, paint};
use crate::session::Session;

/// Files of the crate.
const CRATE: &[(&str, &str)] = &[
    ("Cargo.toml", include_str!("../../../../fixtures/crates/demo/Cargo.toml")),
    ("Cargo.lock", include_str!("../../../../fixtures/crates/demo/Cargo.lock")),
    ("src/lib.rs", include_str!("../../../../fixtures/crates/demo/src/lib.rs")),
];

#[derive(Serialize)]
struct Demo<'a> {
    outcome: FixOutcome,
    map: &'a ingest::IndexReport,
    diff: &'a str,
    steps: &'a [agent::StepRow],
    evidence: &'a Option<policy::Evidence>,
    rationale: &'a [String],
    candidates_tried: usize,
}

pub(crate) fn run(session: &Session) -> Result<Status, Failure> {
    let folder = tempfile::Builder::new().prefix("graftage-demo-").tempdir()?;
    let root = folder.path().canonicalize()?;
    write_crate(&root)?;
    let has_notes = !session.global.json && !session.global.quiet;
    if has_notes {
        output::note(&format!(
            "{} a small crate that does not build, in {}\n",
            paint(BOLD, "demo:"),
            root.display()
        ));
    }
    let workspace = session.workspace_at(&root)?;
    // The map first, to show that it works on a broken crate.
    let mut index = workspace.index(&session.ctx)?;
    let map =
        index.refresh(&session.ctx, &ingest::Options::default()).map_err(tools::Error::from)?;
    session.bar.clear();
    if has_notes {
        output::note(&headline(&map));
    }
    let options = FixOptions::default();
    let mut watch = Watch::new(session);
    let fixed = agent::fix(&session.ctx, &workspace, &options, &mut |event| watch.see(event))?;
    let report = agent::apply(&session.ctx, &workspace, fixed, false)?;
    session.bar.clear();

    if session.global.json {
        output::json(&Demo {
            outcome: report.outcome,
            map: &map,
            diff: &report.diff,
            steps: &report.steps,
            evidence: &report.evidence,
            rationale: &report.rationale,
            candidates_tried: report.candidates_tried,
        })?;
    } else {
        output::say(&story(&report))?;
    }
    Ok(if report.outcome == FixOutcome::Applied { Status::Done } else { Status::No })
}

fn write_crate(root: &Path) -> Result<(), Failure> {
    for (path, text) in CRATE {
        let path = root.join(path);
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent)?;
        }
        std::fs::write(path, text)?;
    }
    Ok(())
}

fn story(report: &FixReport) -> String {
    let mut text = describe(report, REPAIR, false);
    let _ = writeln!(text, "\n{}", paint(BOLD, "steps"));
    for row in &report.steps {
        let step = serde_json::to_value(row.step).ok();
        let step = step.as_ref().and_then(serde_json::Value::as_str).unwrap_or_default();
        let at = paint(DIM, &format!("{:>6} ms", row.at_ms));
        let _ = writeln!(text, "  {at}  {step:<8} {}", output::safe(&row.detail));
    }
    if let Some(evidence) = &report.evidence {
        let _ = writeln!(text, "  sandbox: {}", evidence.protections.join(", "));
    }
    let _ = writeln!(
        text,
        "\nNext: run `graftage fix` in a crate of yours that does not build. It writes nothing \
         without `--apply` or your confirmation."
    );
    text
}
