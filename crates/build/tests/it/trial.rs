//! Coverage of single tests, and candidates that are compiled at once.

use std::time::Duration;

use base::ProjectPath;
use graftage_build::warm::TargetMount;
use graftage_build::{Command, TestBench, TrialFlags, TrialResult, TrialRun, Verb};
use sandbox::Mount;

use crate::world::World;

const LIB: &str = "\
pub fn sign(n: i32) -> &'static str {
    if n < 0 {
        \"minus\"
    } else {
        \"plus\"
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn minus() {
        assert_eq!(super::sign(-1), \"minus\");
    }

    #[test]
    fn plus() {
        assert_eq!(super::sign(1), \"PLUS\");
    }

    #[test]
    fn chosen() {
        assert_eq!(std::env::var(\"GRAFTAGE_CANDIDATE\").unwrap(), \"7\");
    }

    #[test]
    fn hangs() {
        loop {}
    }

    #[test]
    fn hostile() {
        let profile = std::env::var(\"LLVM_PROFILE_FILE\").unwrap();
        let _ = std::fs::remove_file(&profile);
        std::os::unix::fs::symlink(\"/etc/passwd\", &profile).unwrap();
        println!(\"1 0\");
        std::process::exit(0);
    }
}
";

fn bench(world: &World, flags: TrialFlags, runs: &[(&str, usize)]) -> Vec<TrialResult> {
    for name in ["scratch", "scratch/target", "scratch/home", "scratch/tmp"] {
        std::fs::create_dir_all(world.at(name)).unwrap();
    }
    let scratch = world.at("scratch");
    let target = TargetMount {
        inside: scratch.join("target"),
        mounts: vec![Mount::Writable { host: scratch.clone(), inside: scratch.clone() }],
        home: scratch.join("home"),
        tmp: scratch.join("tmp"),
        guard: None,
    };
    let command = Command::new(Verb::Test, Duration::from_secs(300));
    let (view, root) = (world.view(), world.root());
    let place = (&view, root.as_path());
    let (bench, report) =
        TestBench::build(&world.ctx, &world.env, place, &target, &command, flags).unwrap();
    assert!(report.built, "{:?} {:?}", report.failure, report.diagnostics);
    assert_eq!(bench.binaries.len(), 1);
    let run = |(test, candidate): &(&str, usize)| TrialRun {
        binary: 0,
        test: Some((*test).to_owned()),
        candidate: *candidate,
    };
    let runs: Vec<TrialRun> = runs.iter().map(run).collect();
    bench.run(&runs, 2, Duration::from_secs(60)).unwrap()
}

fn world() -> World {
    let world = World::new();
    world.depend("");
    world.write("p/src/lib.rs", LIB);
    world
}

#[test]
fn each_test_has_the_lines_that_it_executes() {
    let world = world();
    let runs = [("tests::minus", 0), ("tests::plus", 0), ("tests::hostile", 0)];
    let results = bench(&world, TrialFlags::Coverage, &runs);
    let lines = |nth: usize| {
        let lines: &TrialResult = &results[nth];
        let file = ProjectPath::new("src/lib.rs").unwrap();
        let lines = lines.lines.as_ref().unwrap_or_else(|| panic!("{lines:?}"));
        lines[&file].iter().copied().filter(|it| *it < 8).collect::<Vec<_>>()
    };
    assert_eq!(results[0].status, Some(0));
    assert_eq!(lines(0), [1, 2, 3, 7]);
    assert_eq!(results[1].status, Some(101));
    assert_eq!(lines(1), [1, 2, 5, 7]);
    assert!(results[1].output.contains("PLUS"));
    // A link instead of a profile is not followed, and output is no status.
    assert!(results[2].lines.is_none());
}

#[test]
fn a_candidate_is_chosen_by_its_number_and_a_hang_ends() {
    let world = world();
    let runs = [("tests::chosen", 7), ("tests::chosen", 8), ("tests::hangs", 1)];
    let results = bench(&world, TrialFlags::Plain, &runs);
    let statuses: Vec<Option<i32>> = results.iter().map(|it| it.status).collect();
    assert_eq!(statuses[..2], [Some(0), Some(101)]);
    assert!(statuses[2].is_none_or(|it| it > 128), "{statuses:?}");
    assert!(results.iter().all(|it| it.lines.is_none()));
}
