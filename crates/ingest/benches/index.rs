//! Measures indexing a tree: from scratch compared with a bare parse of the same bytes, without
//! changes, and after one saved file. With `--laws` it compares random edit sequences with the map
//! from scratch, with `--kills` it kills indexing processes.
//!
//! `cargo xtask bench ingest/index -- DIR [--runs N] [--edits N] [--no-toolchain]`
//!
//! `cargo xtask bench ingest/index -- --laws 500 [DIR] · --kills 200 [DIR]`
//!
//! The tree is copied first: nothing is written into it. Each cold figure is of its own process;
//! CPU time includes children.

#![allow(clippy::disallowed_methods, reason = "the bench starts itself as a child process")]
#![allow(clippy::unwrap_used, reason = "any failure ends the bench")]
#![allow(clippy::print_stdout, reason = "a bench reports")]
#![allow(dead_code, reason = "shared with the tests")]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use graftage_ingest::{Index, Options, ToolchainProbe, data_of};
use graph::MapData;

/// The allocator of the shipped binary.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[path = "../tests/it/edits.rs"]
mod edits;
#[path = "../tests/it/killing.rs"]
mod killing;

use edits::{Random, Texts};

fn main() {
    if let Ok(folder) = std::env::var("GRAFTAGE_KILL") {
        return killing::child(&folder);
    }
    let args: Vec<String> = std::env::args().skip(1).filter(|arg| arg != "--bench").collect();
    let value = |name: &str| {
        let at = args.iter().position(|arg| arg == name)?;
        args.get(at + 1)?.parse::<u64>().ok()
    };
    let has = |name: &str| args.iter().any(|arg| arg == name);
    let folder = args
        .iter()
        .enumerate()
        .find(|(at, arg)| !arg.starts_with("--") && (*at == 0 || !takes_value(&args[at - 1])))
        .map_or_else(own_sources, |(_, arg)| PathBuf::from(arg));
    let with_toolchain = !has("--no-toolchain");
    if has("--child-cold") {
        return cold(&folder, with_toolchain);
    }
    if has("--child-parse") {
        return parse(&folder);
    }
    if let Some(sequences) = value("--laws") {
        return laws(&folder, value("--seed").unwrap_or(0), sequences);
    }
    if let Some(kills) = value("--kills") {
        return kill(&folder, kills);
    }
    let runs = value("--runs").unwrap_or(5);
    let copy = copied(&folder);
    let project = copy.path().join("project");
    sizes(&project);
    let mut figures: Vec<(&str, Vec<String>)> = Vec::new();
    for _ in 0..runs {
        let _ = std::fs::remove_dir_all(project.join("target"));
        let _ = std::fs::remove_dir_all(copy.path().join("cache"));
        for (name, flag) in [
            ("bare parse", "--child-parse"),
            ("cold", "--child-cold"),
            ("no change", "--child-cold"),
        ] {
            let line = child(&project, flag, with_toolchain);
            match figures.iter_mut().find(|(known, _)| *known == name) {
                Some((_, all)) => all.push(line),
                None => figures.push((name, vec![line])),
            }
        }
    }
    for (name, all) in figures {
        println!("{name}:");
        all.iter().for_each(|line| println!("  {line}"));
    }
    saves(&copy, value("--edits").unwrap_or(200), with_toolchain);
}

fn takes_value(name: &str) -> bool {
    ["--runs", "--edits", "--laws", "--kills", "--seed"].contains(&name)
}

/// The sources of one of our crates.
fn own_sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join("syntax")
}

fn copied(folder: &Path) -> tempfile::TempDir {
    let copy = tempfile::tempdir().unwrap();
    let mut queue = vec![(folder.to_owned(), copy.path().join("project"))];
    while let Some((from, to)) = queue.pop() {
        std::fs::create_dir_all(&to).unwrap();
        for entry in std::fs::read_dir(&from).unwrap().flatten() {
            let (path, name) = (entry.path(), entry.file_name());
            let kind = entry.file_type().unwrap();
            if kind.is_dir() && name != "target" && name != ".git" {
                queue.push((path, to.join(name)));
            } else if kind.is_file() {
                std::fs::copy(path, to.join(name)).unwrap();
            }
        }
    }
    copy
}

fn sizes(folder: &Path) {
    let files = testkit::rust_files(folder);
    let texts: Vec<Vec<u8>> = files.iter().map(|path| std::fs::read(path).unwrap()).collect();
    let bytes: usize = texts.iter().map(Vec::len).sum();
    let lines: usize =
        texts.iter().map(|text| text.iter().filter(|byte| **byte == b'\n').count()).sum();
    println!("{} files, {lines} lines, {bytes} bytes", files.len());
}

fn child(folder: &Path, flag: &str, with_toolchain: bool) -> String {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.arg(folder).arg(flag);
    if !with_toolchain {
        command.arg("--no-toolchain");
    }
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}

/// User and system time of this process and its children.
fn cpu() -> Duration {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap();
    let fields = stat.rsplit_once(')').unwrap().1.split_whitespace().skip(11).take(4);
    Duration::from_millis(fields.map(|it| it.parse::<u64>().unwrap() * 10).sum())
}

/// CPU time of the threads of this process, finer than ticks.
fn own_cpu() -> Duration {
    let tasks = std::fs::read_dir("/proc/self/task").unwrap().flatten();
    let spent = |path: PathBuf| {
        let stat = std::fs::read_to_string(path.join("schedstat")).ok()?;
        stat.split_whitespace().next()?.parse::<u64>().ok()
    };
    Duration::from_nanos(tasks.filter_map(|task| spent(task.path())).sum())
}

/// Parses on one thread and does nothing else.
fn parse(folder: &Path) {
    let texts: Vec<String> = testkit::rust_files(folder)
        .iter()
        .filter_map(|path| std::fs::read_to_string(path).ok())
        .collect();
    let (began, before) = (Instant::now(), cpu());
    for text in &texts {
        drop(std::hint::black_box(syntax::parse(text)));
    }
    println!("cpu {:?}, wall {:?}", cpu() - before, began.elapsed());
}

fn probe(with_toolchain: bool) -> Option<ToolchainProbe> {
    let home = PathBuf::from(std::env::var_os("HOME")?);
    let folder = |name: &str, usual: &str| {
        std::env::var_os(name).map_or_else(|| home.join(usual), PathBuf::from)
    };
    with_toolchain.then(|| ToolchainProbe {
        sandbox: testkit::inner::sandbox(),
        host: build::HostEnv {
            path: std::env::var_os("PATH").unwrap_or_default(),
            cargo_home: folder("CARGO_HOME", ".cargo"),
            rustup_home: folder("RUSTUP_HOME", ".rustup"),
            home: home.clone(),
            toolchain: None,
        },
        require: testkit::inner::level(),
        trust: build::Trust::default(),
        cache: std::env::temp_dir(),
    })
}

fn open(project: &Path, with_toolchain: bool) -> Index {
    let beside = project.parent().unwrap();
    let dirs = repo::Dirs { cache: beside.join("cache"), state: beside.join("state") };
    let project = repo::Project::open(&testkit::ctx(), project, dirs).unwrap();
    Index::open(&testkit::ctx(), &project, probe(with_toolchain).as_ref()).unwrap()
}

/// Does what a process of the command line does.
fn cold(folder: &Path, with_toolchain: bool) {
    let began = Instant::now();
    let mut index = open(folder, with_toolchain);
    let report = index.refresh(&testkit::ctx(), &Options::default()).unwrap();
    println!(
        "cpu {:?}, wall {:?}, rss {:.1} MB, disk {:.2} MB, {} files, {} items, {} edges, {} \
         unresolved, {} parsed",
        cpu(),
        began.elapsed(),
        report.peak_rss_bytes as f64 / 1e6,
        report.bytes_on_disk as f64 / 1e6,
        report.files,
        report.items,
        report.edges.iter().map(|it| it.count).sum::<u64>(),
        report.coverage.unresolved_sites,
        report.parsed_files,
    );
}

/// The extent of a save.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Class {
    /// Bodies, or nothing relevant.
    Body,
    /// An item, a signature, an import.
    Interface,
}

impl Class {
    fn of(before: &str, after: &str) -> Self {
        let items = |text: &str| -> Vec<String> {
            let facts = syntax::read(text);
            let head = |item: &syntax::Item| {
                let end = item.body.map_or(item.span.end, |body| body.start);
                let text = text.get(item.code_span.start..end).unwrap_or_default().to_owned();
                format!("{:?} {} {text}", item.kind, item.canon)
            };
            facts.file.items.iter().map(head).collect()
        };
        if items(before) == items(after) { Self::Body } else { Self::Interface }
    }
}

/// A save and its cost.
struct Saved {
    class: Class,
    wall: Duration,
    cpu: Duration,
    report: graftage_ingest::IndexReport,
    done: String,
}

/// The quantile of a sorted list.
fn at<T>(sorted: &[T], part: f64) -> Option<&T> {
    let last = sorted.len().checked_sub(1)?;
    sorted.get((last as f64 * part).round() as usize)
}

fn print_quantiles(name: &str, mut times: Vec<Duration>) {
    times.sort();
    let all = [0.5, 0.9, 0.99, 1.0].map(|part| at(&times, part).copied());
    let [Some(half), Some(most), Some(nearly), Some(worst)] = all else { return };
    println!(
        "{name}: {} × p50 {half:.1?}, p90 {most:.1?}, p99 {nearly:.1?}, worst {worst:.1?}",
        times.len()
    );
}

/// Saves one file after the other, with a loaded index.
fn saves(copy: &tempfile::TempDir, edits: u64, with_toolchain: bool) {
    let project = copy.path().join("project");
    let ctx = testkit::ctx();
    let mut index = open(&project, with_toolchain);
    index.refresh(&ctx, &Options { full: true, ..Options::default() }).unwrap();
    let mut texts = Texts::of(&project);
    let mut random = Random(1);
    let mut took: Vec<Saved> = Vec::new();
    let mut unknown_file: Vec<Duration> = Vec::new();
    for number in 0..edits {
        let before = texts.all().clone();
        let done = texts.save(&mut random);
        let name = done.split(':').next().unwrap();
        let class = Class::of(&before[name], &texts.all()[name]);
        let path = base::ProjectPath::new(name).unwrap();
        let (began, cpu) = (Instant::now(), own_cpu());
        // A watcher knows which file it was; every tenth time it is not passed.
        if number % 10 == 9 {
            index.refresh(&ctx, &Options::default()).unwrap();
            unknown_file.push(began.elapsed());
        } else {
            let report = index.refresh_saved(&ctx, &Options::default(), &[path]).unwrap();
            let (wall, cpu) = (began.elapsed(), own_cpu() - cpu);
            took.push(Saved { class, wall, cpu, report, done });
        }
    }
    took.sort_by_key(|it| it.wall);
    for (name, class) in [("bodies", Class::Body), ("interfaces", Class::Interface)] {
        let of_class = || took.iter().filter(|it| it.class == class);
        print_quantiles(&format!("saved, {name}, wall"), of_class().map(|it| it.wall).collect());
        print_quantiles(&format!("saved, {name}, CPU"), of_class().map(|it| it.cpu).collect());
    }
    print_quantiles("saved, all, wall", took.iter().map(|it| it.wall).collect());
    print_quantiles("saved, all, CPU", took.iter().map(|it| it.cpu).collect());
    print_quantiles("saved, file unknown, wall", unknown_file);
    for number in 0..6 {
        let of = |it: &Saved| it.report.phases.each()[number];
        let times = took.iter().map(|it| of(it).1).collect();
        print_quantiles(&format!("  {}", of(&took[0]).0), times);
    }
    let mut resolved: Vec<u64> = took.iter().map(|it| it.report.resolved_files).collect();
    resolved.sort_unstable();
    let resolved = [0.5, 0.9, 0.99, 1.0].map(|part| at(&resolved, part).copied().unwrap_or(0));
    let whole = took.iter().filter(|it| it.report.is_whole).count();
    println!("  files resolved, p50, p90, p99, worst: {resolved:?}; {whole} saves were no patch");
    for it in took.iter().rev().take(20) {
        let phases = it.report.phases.each().map(|(name, time)| format!("{name} {time:.1?}"));
        println!(
            "  {:.1?}, {:.1?} CPU: {:?}, {} files resolved{}, {} ({})",
            it.wall,
            it.cpu,
            it.class,
            it.report.resolved_files,
            if it.report.is_whole { ", no patch" } else { "" },
            it.done,
            phases.join(", "),
        );
    }
    let found = MapData { epoch: 0, ..index.map().to_data().unwrap() };
    let truth = data_of(&ctx, &project, probe(with_toolchain).as_ref()).unwrap();
    println!("equal to scratch: {}", found == MapData { epoch: 0, ..truth });
    texts.save(&mut random);
    drop(index);
    println!("one change, new process: {}", child(&project, "--child-cold", with_toolchain));
}

fn laws(folder: &Path, first: u64, sequences: u64) {
    let ctx = testkit::ctx();
    let mut edits = 0;
    for seed in first..first + sequences {
        let copy = copied(folder);
        let project = copy.path().join("project");
        let mut random = Random(seed);
        let mut texts = Texts::of(&project);
        let mut index = open(&project, false);
        let mut done = Vec::new();
        for _ in 0..6 {
            for _ in 0..=random.below(2) {
                done.push(texts.edit(&mut random));
                edits += 1;
            }
            if random.below(4) == 0 {
                drop(index);
                index = open(&project, false);
                done.push("new process".to_owned());
            }
            index.refresh(&ctx, &Options::default()).unwrap();
            let found = MapData { epoch: 0, ..index.map().to_data().unwrap() };
            let truth = data_of(&ctx, &project, None).unwrap();
            assert!(found == MapData { epoch: 0, ..truth }, "seed {seed}: {}", done.join("; "));
        }
    }
    println!("{sequences} sequences, {edits} edits: incremental equals from scratch");
}

/// This bench as a child process, which `main` recognizes by the variable.
fn child_to_kill(folder: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.env("GRAFTAGE_KILL", folder);
    command
}

fn kill(folder: &Path, kills: u64) {
    let copy = copied(folder);
    let mut arena = killing::Arena::new(copy.path(), 3);
    for _ in 0..kills {
        arena.round(&child_to_kill, Duration::from_millis(600));
    }
    println!("{kills} kills: never a wrong or half answer");
}
