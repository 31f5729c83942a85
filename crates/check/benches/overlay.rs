//! What a proof costs beside the same check in place, on a warm crate of more than 20,000 lines:
//! `cargo bench -p graftage-check --bench overlay -- CRATE_DIR [--rounds N]`. The crate is copied;
//! all figures come from one run, in turns, so that their ratios mean something on a busy machine.

#![allow(clippy::unwrap_used, reason = "a bench that cannot go on has nothing to say")]

#[path = "../tests/it/kit.rs"]
#[allow(dead_code, reason = "the tests use the rest")]
mod kit;

use std::path::{Path, PathBuf};
use std::time::Instant;

use edit::Files;
use graftage_check::{Ladder, Prover, Scope};
use testkit::TempProject;

#[allow(clippy::print_stdout, reason = "a bench prints its figures")]
fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some(source) = arguments.iter().find(|it| Path::new(it).join("Cargo.toml").is_file())
    else {
        println!("no crate given: cargo bench --bench overlay -- CRATE_DIR");
        return;
    };
    let rounds = arguments
        .iter()
        .position(|it| it == "--rounds")
        .and_then(|idx| arguments.get(idx + 1)?.parse().ok())
        .unwrap_or(9);
    let project = TempProject::empty();
    copy(Path::new(source), project.root());
    let file = "src/lib.rs";
    let lines: usize = count_lines(&project.path("src"));
    let before = project.read(file);
    project.write(file, format!("{before}\n/// Marks.\npub fn graftage_marker() -> u32 {{ 0 }}\n"));
    println!("{source}: {lines} lines");

    let in_place = InPlace::new(&project);
    in_place.check(&project);
    let mount = prover(&project, "mount", None);
    let copied = prover(&project, "copy", Some(repo::Strategy::Copy));
    mount.baseline(&testkit::ctx(), &Ladder::default(), &mut |_| {}).unwrap();
    copied.baseline(&testkit::ctx(), &Ladder::default(), &mut |_| {}).unwrap();

    let mut figures: [Vec<(f64, f64)>; 3] = Default::default();
    let mut shown = Vec::new();
    for round in 1..=rounds {
        // In place: edit, check, and back (the way back is not counted).
        let text = project.read(file);
        project.write(file, edited(&text, round));
        figures[0].push(in_place.check(&project));
        project.write(file, &text);
        in_place.check(&project);
        figures[1].push(prove(&mount, file, round));
        figures[2].push(prove(&copied, file, round));
        shown.push(show(&mount));
    }
    println!(
        "materialise: {:.1} ms",
        median(&mut shown.iter().map(|ms| (*ms, 0.0)).collect::<Vec<_>>()).0
    );
    // Each round against itself: what else the machine does weighs on all three alike.
    let ratios = |idx: usize| {
        let pairs = figures[idx].iter().zip(&figures[0]);
        median(&mut pairs.map(|(it, place)| (it.0 / place.0, it.1 / place.1)).collect::<Vec<_>>())
    };
    for (idx, name) in ["in place", "overlay", "copy"].into_iter().enumerate() {
        let (ratio, (wall, cpu)) = (ratios(idx), median(&mut figures[idx].clone()));
        println!("{name:9} wall {wall:.2} s ({:.2}x)  cpu {cpu:.2} s ({:.2}x)", ratio.0, ratio.1);
    }
    let mount_figures = median(&mut figures[1].clone());
    let started = Instant::now();
    std::thread::scope(|scope| {
        for n in 0..4 {
            let mount = &mount;
            scope.spawn(move || prove(mount, file, 100 + n));
        }
    });
    println!(
        "4 in parallel: {:.2} s, {:.2}x of one",
        started.elapsed().as_secs_f64(),
        started.elapsed().as_secs_f64() / mount_figures.0
    );
}

fn prover(project: &TempProject, name: &str, strategy: Option<repo::Strategy>) -> Prover {
    let ctx = testkit::ctx();
    let dirs = repo::Dirs { cache: project.beside(name), state: project.beside("state") };
    let opened = repo::Project::open(&ctx, project.root(), dirs).unwrap();
    let prover = Prover::new(&ctx, opened, kit::env(&ctx, project.root())).unwrap();
    let prover = prover.with_scopes(vec![Scope { lib_only: true, ..Scope::default() }]);
    match strategy {
        Some(strategy) => prover.with_strategy(strategy),
        None => prover,
    }
}

/// Wall and CPU seconds of one proof.
fn prove(prover: &Prover, file: &str, round: usize) -> (f64, f64) {
    let path = base::ProjectPath::new(file).unwrap();
    let before = prover.project().read(&path).unwrap().unwrap();
    let after = edit::FileState::from_text(edited(&before.text, round));
    let overlay = edit::Overlay::from_states(
        "bench",
        base::Timestamp::default(),
        vec![(path, Some(before), Some(after))],
    );
    let (started, cpu) = (Instant::now(), cpu_of_children());
    // As a search proves its candidates: the advice of rustfmt is asked for winners alone.
    let ladder = Ladder { format: false, ..Ladder::default() };
    let checked = prover.prove(&testkit::ctx(), overlay, &ladder, &mut |_| {}).unwrap();
    assert!(checked.passed(), "{:?} {:?}", checked.evidence.rungs, checked.failure);
    (started.elapsed().as_secs_f64(), cpu_of_children() - cpu)
}

/// Milliseconds to show the tree.
fn show(prover: &Prover) -> f64 {
    let started = Instant::now();
    let ctx = testkit::ctx();
    let shown = prover
        .project()
        .materialise(
            &ctx,
            &prover.env().sandbox,
            &edit::Overlay::empty(),
            &repo::ViewOptions::default(),
        )
        .unwrap();
    let taken = started.elapsed();
    drop(shown);
    taken.as_secs_f64() * 1000.0
}

fn edited(text: &str, round: usize) -> String {
    text.replace("-> u32 { 0 }", &format!("-> u32 {{ {round} }}"))
}

struct InPlace {
    cargo: PathBuf,
    path: String,
}

impl InPlace {
    fn new(project: &TempProject) -> Self {
        let toolchain = kit::env(&testkit::ctx(), project.root()).toolchain;
        let path = format!("{}:/usr/bin:/bin", toolchain.sysroot.join("bin").display());
        Self { cargo: toolchain.cargo, path }
    }

    #[allow(clippy::disallowed_methods, reason = "cargo as a user would start it")]
    fn check(&self, project: &TempProject) -> (f64, f64) {
        let (started, cpu) = (Instant::now(), cpu_of_children());
        let status = std::process::Command::new(&self.cargo)
            .args(["check", "--workspace", "--lib", "--message-format=json"])
            .current_dir(project.root())
            .env_clear()
            .env("PATH", &self.path)
            .env("HOME", kit::host().home)
            .env("CARGO_NET_OFFLINE", "true")
            .output()
            .unwrap()
            .status;
        assert!(status.success());
        (started.elapsed().as_secs_f64(), cpu_of_children() - cpu)
    }
}

/// CPU seconds of all children that have ended, from the system's own count.
fn cpu_of_children() -> f64 {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap();
    let fields: Vec<&str> = text.rsplit(')').next().unwrap().split_whitespace().collect();
    // `cutime` and `cstime`, in hundredths of a second.
    (fields[13].parse::<f64>().unwrap() + fields[14].parse::<f64>().unwrap()) / 100.0
}

fn median(figures: &mut [(f64, f64)]) -> (f64, f64) {
    let mut walls: Vec<f64> = figures.iter().map(|it| it.0).collect();
    let mut cpus: Vec<f64> = figures.iter().map(|it| it.1).collect();
    walls.sort_by(f64::total_cmp);
    cpus.sort_by(f64::total_cmp);
    (walls[walls.len() / 2], cpus[cpus.len() / 2])
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap().flatten() {
        if entry.file_name() == "target" || entry.file_name() == ".git" {
            continue;
        }
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).unwrap();
        }
    }
}

fn count_lines(dir: &Path) -> usize {
    let entries = std::fs::read_dir(dir).unwrap().flatten();
    entries
        .map(|entry| match entry.file_type().unwrap().is_dir() {
            true => count_lines(&entry.path()),
            false => std::fs::read_to_string(entry.path()).map_or(0, |text| text.lines().count()),
        })
        .sum()
}
