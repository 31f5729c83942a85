//! From a broken crate to a proven repair, through every room.

use std::path::Path;

use graftage_agent::{FixOptions, Outcome};
use testkit::TempProject;
use tools::{Settings, Surroundings, Workspace};

fn workspace(project: &TempProject) -> (base::Ctx, Workspace) {
    let ctx = testkit::ctx();
    let own = project.beside("graftage");
    let surroundings = Surroundings {
        cache_dir: own.join("cache"),
        state_dir: own.join("state"),
        config_file: own.join("none.toml"),
        ..Surroundings::of_process().expect("a home")
    };
    let sandbox = testkit::inner::sandbox();
    let root: &Path = project.root();
    let workspace =
        Workspace::open(&ctx, root, &Settings::default(), &surroundings, sandbox).expect("opens");
    (ctx, workspace)
}

#[test]
fn five_mistakes_of_three_phases_are_repaired_together() {
    let project = testkit::copy_crate("demo");
    let before = project.digest();
    let (ctx, workspace) = workspace(&project);
    let mut log = Vec::new();
    let fixed = graftage_agent::fix(&ctx, &workspace, &FixOptions::default(), &mut |event| {
        log.push(format!("{event:?}"));
    })
    .expect("no fault");
    assert_eq!(fixed.report.outcome, Outcome::Proven, "{}\n{:#?}", log.join("\n"), fixed.report);
    assert_eq!(project.digest(), before, "a proof writes nothing");
    let evidence = fixed.report.evidence.clone().expect("evidence");
    assert_eq!(evidence.errors_after, 0);
    assert_eq!(evidence.tests.expect("tests ran").passed, 3);

    let report = graftage_agent::apply(&ctx, &workspace, fixed, false).expect("writes");
    assert_eq!(report.outcome, Outcome::Applied);
    assert!(project.read("src/lib.rs").contains("use std::collections::BTreeMap;"));
}
