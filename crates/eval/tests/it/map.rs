//! The map compared with a recorded rust-analyzer index, and with the gold edges of the receiver
//! shapes.

use std::path::Path;

use graftage_eval::{Features, OracleOptions, RunEnvironment, RunOptions, oracle};
use project::{Settings, Surroundings};

fn machine(dir: &Path) -> RunEnvironment {
    let mut surroundings = Surroundings::of_process().unwrap();
    surroundings.cache_dir = dir.join("cache");
    surroundings.state_dir = dir.join("state");
    let mut settings = Settings::default();
    settings.cargo_offline = true;
    RunEnvironment { settings, surroundings, sandbox: testkit::inner::sandbox() }
}

#[test]
fn the_map_of_a_small_workspace_agrees_with_rust_analyzer() {
    let project = testkit::copy_crate("workspace");
    let out = project.beside("out");
    let data = testkit::workspace_root().join("crates/analyzer/tests/data");
    let options = OracleOptions {
        hydrated: false,
        workspace: project.root().to_owned(),
        out: out.clone(),
        index: Some(data.join("workspace.scip")),
        features: Features::Default,
    };
    let report = oracle(&testkit::ctx(), &machine(&out), &options).unwrap();
    assert_eq!(report.calls, 4);
    assert_eq!((report.edges.recall.right, report.edges.recall.all), (4, 4), "{report:#?}");
    assert_eq!(report.wrong, []);
    let page = std::fs::read_to_string(out.join("oracle.md")).unwrap();
    assert!(page.starts_with("# project against rust-analyzer 1.97.1\n"), "{page}");
}

/// The guarantee of the proven tier, on every known shape.
#[test]
fn no_shape_has_a_proven_edge_that_is_wrong_and_most_are_found() {
    let project = testkit::copy_crate("receivers");
    let out = project.beside("out");
    let options = RunOptions {
        suite: project.root().to_owned(),
        out: out.clone(),
        jobs: 1,
        cases: Vec::new(),
        limit: None,
        analyzer: false,
        deletion: false,
        product: "test".to_owned(),
    };
    let summary = graftage_eval::run(&testkit::ctx(), &machine(&out), &options).unwrap();
    assert_eq!(summary.suite, "F_receivers");
    let page = std::fs::read_to_string(&summary.report).unwrap();
    assert_eq!(summary.score["wrong"], 0.0, "{page}");
    assert!(summary.score["shapes"] >= 0.75, "{page}");
}
