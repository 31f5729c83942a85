//! Runs that are recorded: replayed without cargo and project, and continued after a kill.

use std::fs;
use std::path::{Path, PathBuf};

use graftage_agent::{FixOptions, FixOutcome, FixResult, newest_traces, read_trace, replay};
use testkit::TempProject;

use crate::support::workspace;

fn fix(project: &TempProject) -> FixResult {
    let (ctx, workspace) = workspace(project);
    graftage_agent::fix(&ctx, &workspace, &FixOptions::default(), &mut |_| {}).expect("no fault")
}

/// The trace of the last run, in a folder that has nothing else.
fn taken_away(result: &FixResult, name: &str) -> PathBuf {
    let trace = result.report.trace.as_ref().expect("a trace");
    let copy = std::env::temp_dir().join(format!("{name}-{}.jsonl", std::process::id()));
    fs::copy(trace, &copy).expect("copies");
    copy
}

fn replayed(trace: &Path) -> graftage_agent::ReplayReport {
    replay(&testkit::ctx(), &read_trace(trace).expect("a trace")).expect("replays")
}

#[test]
fn a_run_replays_byte_for_byte_without_its_project() {
    let project = testkit::copy_crate("demo");
    let fixed = fix(&project);
    assert_eq!(fixed.report.outcome, FixOutcome::Proven);
    let patch_set = fixed.accepted.as_ref().map(|it| it.overlay.patch_set());
    let trace = taken_away(&fixed, "graftage-replay");
    drop(project);
    let report = replayed(&trace);
    assert_eq!((report.identical, report.difference), (true, None));
    assert_eq!((report.outcome.as_str(), report.patch_set), ("proven", patch_set));

    // A trace that was changed is not the same run.
    let text = fs::read_to_string(&trace).expect("reads");
    fs::write(&trace, text.replace("\"proven\"", "\"none\"")).expect("writes");
    let report = replayed(&trace);
    assert_eq!(report.difference.as_deref(), Some("report.outcome: \"none\" -> \"proven\""));
    fs::remove_file(trace).expect("removes");
}

#[test]
fn a_run_that_was_cut_off_anywhere_continues_and_ends_the_same() {
    let project = testkit::copy_crate("demo");
    let before = project.digest();
    let whole = fix(&project);
    let path = PathBuf::from(whole.report.trace.as_ref().expect("a trace"));
    let folder = path.parent().expect("a folder").to_path_buf();
    let text = fs::read_to_string(&path).expect("reads");
    let lines: Vec<&str> = text.lines().collect();
    // A kill after every tenth line, and in the middle of one.
    for cut in (1..lines.len()).step_by(lines.len().div_ceil(6)) {
        for old in newest_traces(&folder) {
            fs::remove_file(old).expect("removes");
        }
        let torn = lines[cut].get(..5).unwrap_or_default();
        fs::write(&path, format!("{}\n{torn}", lines[..cut].join("\n"))).expect("writes");
        let fixed = fix(&project);
        assert_eq!(fixed.report.trace.as_deref().map(Path::new), Some(path.as_path()), "{cut}");
        assert_eq!(fixed.report.diff, whole.report.diff, "after {cut} lines");
        assert!(fixed.accepted.is_some(), "its permit is of a new proof");
        let has_note = fixed.report.notes.iter().any(|it| it.starts_with("continued a run"));
        assert_eq!(has_note, cut > 2, "{:?} after {cut} lines", fixed.report.notes);
        assert!(replayed(&path).identical, "the continued trace is whole");
        assert_eq!(project.digest(), before);
    }
}

#[test]
fn another_tree_or_request_begins_anew() {
    let project = testkit::copy_crate("demo");
    let whole = fix(&project);
    let path = PathBuf::from(whole.report.trace.as_ref().expect("a trace"));
    let text = fs::read_to_string(&path).expect("reads");
    let cut: Vec<&str> = text.lines().take(30).collect();
    fs::write(&path, cut.join("\n") + "\n").expect("writes");
    project.write("src/more.rs", "// new\n");
    let fixed = fix(&project);
    assert_ne!(fixed.report.trace.as_deref().map(Path::new), Some(path.as_path()));
    assert!(fixed.report.notes.is_empty(), "{:?}", fixed.report.notes);
}

#[test]
fn what_is_no_trace_is_refused_with_the_line() {
    let folder = std::env::temp_dir();
    let path = folder.join(format!("graftage-no-trace-{}.jsonl", std::process::id()));
    for (text, reason) in [
        ("", "it is empty"),
        ("{}\n", "line 1:"),
        (
            "{\"end\":{\"report\":null,\"error\":null,\"patch_set\":null,\"states\":[]}}\n",
            "no header",
        ),
    ] {
        fs::write(&path, text).expect("writes");
        let error = read_trace(&path).expect_err("refused").to_string();
        assert!(error.contains(reason), "{error}");
    }
    fs::remove_file(path).expect("removes");
}
