//! What the analyzer rung costs beside an incremental `cargo check` of the same edit, and whether
//! it refuses edits that build: `cargo bench -p graftage-check --bench preflight -- WORKSPACE …
//! [--edits N] [--clean N]`. Workspaces are copied. CPU time is that of this process and all
//! below it, the server's included; each edit is measured in turns, so that ratios mean something
//! on a busy machine.

#![allow(clippy::unwrap_used, reason = "a bench that cannot go on has nothing to say")]
#![allow(clippy::print_stdout, reason = "a bench prints its figures")]

#[path = "../tests/it/kit.rs"]
#[allow(dead_code, reason = "the tests use the rest")]
mod kit;
#[path = "../tests/it/kit_analyzer.rs"]
mod kit_analyzer;

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use base::{ByteSpan, SortedMap};
use graftage_check::{Checked, Ladder, Preflight, PreflightLimits};
use policy::RungName;
use testkit::TempProject;

/// Long enough for a busy machine.
const PATIENCE: Duration = Duration::from_secs(600);

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |name: &str, default: usize| {
        let at = arguments.iter().position(|it| it == name);
        at.and_then(|at| arguments.get(at + 1)?.parse().ok()).unwrap_or(default)
    };
    let (edits, clean) = (number("--edits", 25), number("--clean", 50));
    let workspaces = arguments.iter().filter(|it| Path::new(it).join("Cargo.toml").is_file());
    let (mut all, mut refused, mut checked) = (Vec::new(), 0, 0);
    for workspace in workspaces {
        let figures = measure(Path::new(workspace), edits, clean);
        report(workspace, &figures.pairs);
        println!("  clean edits refused: {} of {}", figures.refused, figures.checked);
        refused += figures.refused;
        checked += figures.checked;
        all.extend(figures.pairs);
    }
    report("all", &all);
    println!("  clean edits refused: {refused} of {checked}");
}

#[derive(Default)]
struct Figures {
    /// CPU seconds of the rung, and of cargo.
    pairs: Vec<(f64, f64)>,
    refused: usize,
    checked: usize,
}

fn measure(workspace: &Path, edits: usize, clean: usize) -> Figures {
    let project = TempProject::empty();
    copy(workspace, project.root());
    let mut kit = kit::over(project);
    let (root, work) = (kit.project.root().to_owned(), kit.project.beside("analyzer"));
    let session = kit_analyzer::session(&kit.ctx, kit.prover.env(), &root, &work).unwrap();
    let limits = PreflightLimits { first: PATIENCE, later: PATIENCE, users: 0 };
    let preflight = Preflight::new(Arc::new(session)).with_limits(limits);
    kit.prover = kit.prover.with_preflight(preflight);
    let plain = Ladder { format: false, ..Ladder::default() };
    let asked = Ladder { analyzer: true, ..plain.clone() };

    let cold = spent();
    let baseline = kit.baseline(&plain);
    assert!(baseline.passed(), "the workspace has to build: {:?}", baseline.failure);
    println!("{}: cold check {:.1} CPU s", workspace.display(), spent() - cold);
    let places = places(&root);
    let mut figures = Figures::default();
    let step = (places.len() / edits.max(clean).max(1)).max(1);
    let mut chosen = places.iter().step_by(step);
    let mut is_warm = false;
    while figures.checked < clean {
        let Some((path, at)) = chosen.next() else { break };
        let text = kit.project.read(path);
        let with = |statement: &str| format!("{}{statement}{}", &text[..*at], &text[*at..]);
        let preflight = |text: &str| -> Checked {
            let overlay = kit.overlay(&[(path, Some(text))]);
            kit.prover.preflight(&kit.ctx, overlay, &asked, &mut |_| {}).unwrap()
        };
        if !is_warm {
            let cold = spent();
            preflight(&with(" let _graftage = 0u8; "));
            println!("  first answer of the server {:.1} CPU s", spent() - cold);
            is_warm = true;
        }
        // What the tree has wrong in this file is asked once, and not counted.
        preflight(&with(" let _graftage = 1u8; "));
        let is_measured = figures.pairs.len() < edits;
        if is_measured {
            let (wrong, start) = (with(" let _graftage: u8 = \"a\"; "), spent());
            let checked = preflight(&wrong);
            let rung = settled() - start;
            let is_seen = checked.evidence.rung(RungName::Analyzer).is_some_and(|it| !it.passed);
            if !is_seen {
                println!("  not seen in {path}: {:?}", checked.evidence);
                continue;
            }
            let right = with(" let _graftage = 2u8; ");
            let start = spent();
            let proven = kit.prove(&[(path, Some(&right))], &plain);
            let cargo = spent() - start;
            if !proven.passed() {
                println!("  no clean edit in {path}: {:?}", proven.diagnostics.first());
                continue;
            }
            figures.pairs.push((rung, cargo));
        }
        let right = with(" let _graftage = 2u8 as u32; let _ = (_graftage, \"more\".len()); ");
        let checked = preflight(&right);
        figures.checked += 1;
        if checked.evidence.rung(RungName::Analyzer).is_none_or(|it| !it.passed) {
            figures.refused += 1;
            println!(
                "  refused or not checked in {path}: {:?} {:?}",
                checked.diagnostics, checked.evidence.notes
            );
        }
    }
    figures
}

/// Where bodies of functions begin, in files that a plain check looks at.
fn places(root: &Path) -> Vec<(String, usize)> {
    let mut found = Vec::new();
    for path in sources(root, Path::new("")) {
        let text = std::fs::read_to_string(root.join(&path)).unwrap_or_default();
        let source = syntax::parse(&text);
        for item in &source.items {
            let is_function =
                matches!(item.kind, syntax::NodeKind::Function | syntax::NodeKind::Method);
            let head = item.body.and_then(|body| {
                ByteSpan::new(item.code_span.start, body.start)
                    .slice(&text)
                    .map(|head| (body, head.to_owned()))
            });
            let Some((body, head)) = head else { continue };
            let is_plain = item.attributes.is_empty() && !head.contains("const ");
            // rust-analyzer does not check code that cfgs turn off.
            let mut around = item.parent;
            let mut is_on = true;
            while let Some(it) = around.and_then(|idx| source.items.get(idx)) {
                is_on &= !it.attributes.iter().any(|it| it.contains("cfg"))
                    && it.kind != syntax::NodeKind::Macro;
                around = it.parent;
            }
            if is_function && is_plain && is_on && !item.is_test && !item.is_local {
                found.push((path.clone(), body.start + 1));
            }
        }
    }
    found
}

fn sources(root: &Path, below: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut entries: Vec<_> = std::fs::read_dir(root.join(below)).unwrap().flatten().collect();
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for entry in entries {
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = below.join(&name);
        if entry.path().is_dir() {
            let skipped = ["target", "tests", "benches", "examples", "fuzz", "vendor"];
            if !skipped.contains(&name.as_str()) && !name.starts_with('.') {
                found.extend(sources(root, &path));
            }
        } else if name.ends_with(".rs")
            && name != "build.rs"
            && path.to_string_lossy().contains("src")
        {
            found.push(path.to_string_lossy().into_owned());
        }
    }
    found
}

fn report(name: &str, pairs: &[(f64, f64)]) {
    if pairs.is_empty() {
        return;
    }
    let at = |of: &dyn Fn(&(f64, f64)) -> f64, share: f64| {
        let mut values: Vec<f64> = pairs.iter().map(of).collect();
        values.sort_by(f64::total_cmp);
        values[((values.len() - 1) as f64 * share).round() as usize]
    };
    let line = |what: &str, of: &dyn Fn(&(f64, f64)) -> f64| {
        println!("  {what:14} p50 {:.3}  p95 {:.3}", at(of, 0.5), at(of, 0.95));
    };
    println!("{name}: {} edits", pairs.len());
    line("rung CPU s", &|it| it.0);
    line("cargo CPU s", &|it| it.1);
    line("cargo / rung", &|it| it.1 / it.0.max(0.01));
}

/// The CPU time when nothing more is used up: the server tidies up behind its answer.
fn settled() -> f64 {
    let until = Instant::now() + Duration::from_secs(2);
    let mut last = spent();
    loop {
        std::thread::sleep(Duration::from_millis(100));
        let now = spent();
        if now - last < 0.015 || Instant::now() > until {
            return now;
        }
        last = now;
    }
}

/// CPU seconds of this process and all that it started, whether they have ended or not.
fn spent() -> f64 {
    let mut times: SortedMap<u32, (u32, u64)> = SortedMap::new();
    for entry in std::fs::read_dir("/proc").unwrap().flatten() {
        let Ok(id) = entry.file_name().to_string_lossy().parse() else { continue };
        let Ok(stat) = std::fs::read_to_string(entry.path().join("stat")) else { continue };
        let Some((_, rest)) = stat.rsplit_once(')') else { continue };
        let fields: Vec<&str> = rest.split_whitespace().collect();
        let number = |at: usize| fields.get(at).and_then(|it| it.parse::<u64>().ok()).unwrap_or(0);
        let ticks = (11..=14).map(number).sum();
        times.insert(id, (u32::try_from(number(1)).unwrap_or(0), ticks));
    }
    let own = std::process::id();
    let is_ours = |id: u32| {
        let mut at = id;
        for _ in 0..64 {
            if at == own {
                return true;
            }
            match times.get(&at) {
                Some((parent, _)) => at = *parent,
                None => return false,
            }
        }
        false
    };
    // Ticks of 10 ms.
    times.iter().filter(|(id, _)| is_ours(**id)).map(|(_, (_, ticks))| *ticks as f64 / 100.0).sum()
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap().flatten() {
        let name = entry.file_name();
        if entry.path().is_dir() {
            if name != "target" && name != ".git" {
                copy(&entry.path(), &to.join(name));
            }
        } else if entry.path().is_file() {
            std::fs::copy(entry.path(), to.join(name)).unwrap();
        }
    }
}
