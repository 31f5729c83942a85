//! `cargo bench -p graftage-repo --bench views -- --files 4000`: how long a view takes to make
//! and to remove, and what the first process in it costs; how long a change takes to write.

#![allow(clippy::disallowed_methods, reason = "`cp` is what copies are held against")]
#![allow(clippy::unwrap_used, reason = "whatever goes wrong ends the bench")]
#![allow(clippy::print_stdout, reason = "a bench reports")]

use std::time::{Duration, Instant};

use base::{ProjectPath, SortedMap, Timestamp};
use edit::{FileState, Files, Overlay};
use graftage_repo::{ApplyOptions, Dirs, Project, Strategy, ViewOptions};
use sandbox::{Job, JobLimits, Level, Network};

#[allow(dead_code, reason = "of the shared file this bench takes the permit only")]
#[path = "../tests/it/killing.rs"]
mod killing;

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let number = |name: &str, default: usize| {
        let at = args.iter().position(|arg| arg == name);
        at.and_then(|at| args.get(at + 1)?.parse().ok()).unwrap_or(default)
    };
    let (files, runs) = (number("--files", 4000), number("--runs", 20));
    let temp = testkit::TempProject::empty();
    let text = "pub fn f() -> u32 { 1 }\n".repeat(40);
    for idx in 0..files {
        temp.write(&format!("src/m{}/f{idx}.rs", idx / 50), &text);
    }
    let dirs = Dirs { cache: temp.beside("cache"), state: temp.beside("state") };
    let ctx = testkit::TestHost::new().ctx();
    let sandbox = testkit::inner::sandbox();
    let project = Project::open(&ctx, temp.root(), dirs).unwrap();
    let change = |turn: usize| {
        let path = ProjectPath::new("src/m0/f0.rs").unwrap();
        let before = project.read(&path).unwrap();
        let text = format!("pub fn f() -> u32 {{ {turn} }}\n");
        let after = Some(FileState { text: text.into(), executable: false });
        Overlay::from_states("rules", Timestamp(0), vec![(path, before, after)])
    };
    println!("{files} files of {} bytes, {runs} runs, median", text.len());
    report("snapshot", runs, || {
        let start = Instant::now();
        project.snapshot(&ctx).unwrap();
        start.elapsed()
    });
    for strategy in [Strategy::OverlayMount, Strategy::Copy] {
        let options = ViewOptions { strategy: Some(strategy), ..ViewOptions::default() };
        let make = || project.materialise(&ctx, &sandbox, &change(7), &options).unwrap();
        report(&format!("{strategy:?}: make"), runs, || {
            let start = Instant::now();
            let made = make();
            let took = start.elapsed();
            drop(made);
            took
        });
        report(&format!("{strategy:?}: run `true` in it"), runs, || {
            let made = make();
            let job = Job {
                program: "/bin/true".into(),
                args: Vec::new(),
                cwd: made.root.clone(),
                env: SortedMap::new(),
                stdin: Vec::new(),
                view: made.view.clone(),
                limits: JobLimits::default(),
                network: Network::Off,
                require: Level::Standard,
            };
            let start = Instant::now();
            let outcome = sandbox.run(&ctx, &job, &mut |_, _| {}).unwrap();
            assert_eq!(outcome.exit_code, 0);
            start.elapsed()
        });
        report(&format!("{strategy:?}: remove"), runs, || {
            let made = make();
            let start = Instant::now();
            drop(made);
            start.elapsed()
        });
    }
    report("for comparison: `cp -a`", runs, || {
        let target = temp.beside("cp").join("tree");
        let start = Instant::now();
        let status =
            std::process::Command::new("cp").arg("-a").arg(temp.root()).arg(&target).status();
        let took = start.elapsed();
        assert!(status.unwrap().success());
        std::fs::remove_dir_all(target).unwrap();
        took
    });
    let mut turn = 0;
    report("apply, one file", runs, || {
        turn += 1;
        let overlay = change(turn);
        let permit = killing::permit(&project, &overlay);
        let start = Instant::now();
        project.apply(&ctx, &sandbox, &overlay, permit, &ApplyOptions::default()).unwrap();
        start.elapsed()
    });
    report("undo, one file", runs, || {
        let start = Instant::now();
        project.undo(&ctx, None).unwrap();
        start.elapsed()
    });
}

fn report(name: &str, runs: usize, mut run: impl FnMut() -> Duration) {
    let mut times: Vec<Duration> = (0..runs).map(|_| run()).collect();
    times.sort();
    println!("{name:<34} {:>8.2} ms", times[runs / 2].as_secs_f64() * 1000.0);
}
