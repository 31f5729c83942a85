//! Measures building a [`DefMap`] for a directory of Rust code: `cargo bench -p graftage-resolve
//! --bench defs -- DIRECTORY`. Each `src/lib.rs`, `src/main.rs` and file of `tests`, `examples` and
//! `benches` is a crate that depends on the libraries of all packages.

#![allow(
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a bench reads files and prints its measurements"
)]

use std::path::{Path, PathBuf};
use std::sync::Arc;

use base::ProjectPath;
use graftage_resolve::{
    CfgSet, CrateIdx, CrateInput, DefMap, Dependency, FileInput, Namespace, WorkspaceInput,
};

fn main() {
    let folder = std::env::args().skip(1).find(|it| !it.starts_with('-'));
    let Some(folder) = folder.map(PathBuf::from) else {
        println!("no directory given: nothing to measure");
        return;
    };
    let workspace = workspace(&folder);
    let bytes: usize = workspace.files.iter().map(|it| it.text.len()).sum();
    let items: usize = workspace.files.iter().map(|it| it.facts.file.items.len()).sum();
    println!("{} files, {bytes} bytes, {items} items", workspace.files.len());
    let first = cpu_ms();
    let map = DefMap::build(&workspace);
    println!("first build, std's declarations read: {:.1} ms", cpu_ms() - first);
    let mut builds = Vec::new();
    for _ in 0..9 {
        let start = cpu_ms();
        std::hint::black_box(DefMap::build(&workspace));
        builds.push(cpu_ms() - start);
    }
    println!("build: {:.1} ms CPU (median of 9)", median(&mut builds));
    let old = DefMap::build(&workspace);
    let mut again = Vec::new();
    for _ in 0..9 {
        let start = cpu_ms();
        std::hint::black_box(DefMap::build_after(&workspace, &old));
        again.push(cpu_ms() - start);
    }
    println!("build after another: {:.1} ms CPU (median of 9)", median(&mut again));
    let mut compares = Vec::new();
    for _ in 0..9 {
        let (a, b) = (DefMap::build(&workspace), DefMap::build(&workspace));
        let start = cpu_ms();
        let first = a.changed(&b).as_slice().len();
        let both = cpu_ms() - start;
        let start = cpu_ms();
        let second = a.changed(&b).as_slice().len();
        assert_eq!(first + second, 0, "equal maps differ");
        compares.push((both, cpu_ms() - start));
    }
    let mut digests: Vec<_> = compares.iter().map(|it| it.0).collect();
    let mut again: Vec<_> = compares.iter().map(|it| it.1).collect();
    println!("digests of two maps and comparison: {:.1} ms CPU", median(&mut digests));
    println!("comparison alone: {:.1} ms CPU", median(&mut again));
    report(&map);
}

/// Prints the problems, and whether the declarations of the standard library are found.
fn report(map: &DefMap) {
    println!("problems: {}", map.problems().len());
    for problem in map.problems().iter().take(10) {
        println!("  {}: {}", map.source(problem.file).path.as_str(), problem.kind);
    }
    for name in ["Clone", "Iterator"] {
        let found = map.std_item(&format!("prelude::v1::{name}"), Namespace::Type);
        println!("std {name}: {}", found.map_or("missing".to_owned(), |it| map.canon(it)));
    }
}

fn median(all: &mut [f64]) -> f64 {
    all.sort_by(f64::total_cmp);
    all[all.len() / 2]
}

/// CPU time of this thread.
fn cpu_ms() -> f64 {
    let text = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    let ns = text.split_whitespace().next().and_then(|it| it.parse::<f64>().ok());
    ns.unwrap_or(0.0) / 1e6
}

fn workspace(folder: &Path) -> WorkspaceInput {
    let mut paths = Vec::new();
    let mut work = vec![folder.to_owned()];
    while let Some(at) = work.pop() {
        for entry in std::fs::read_dir(&at).unwrap().flatten() {
            let path = entry.path();
            let kind = entry.file_type().unwrap();
            if kind.is_dir() && path.file_name().is_some_and(|it| it != "target" && it != ".git") {
                work.push(path);
            } else if kind.is_file() && path.extension().is_some_and(|it| it == "rs") {
                paths.push(path);
            }
        }
    }
    paths.sort();
    let mut workspace = WorkspaceInput::default();
    for path in paths {
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        let Ok(path) = ProjectPath::within(folder, &path) else { continue };
        let facts = Arc::new(syntax::read(&text));
        workspace.files.push(FileInput { path, facts, text: text.into() });
    }
    let mut cfg = CfgSet::default();
    for flag in ["unix", "debug_assertions", "test"] {
        cfg.flags.insert(flag.to_owned());
    }
    for (key, value) in [("target_os", "linux"), ("target_arch", "x86_64"), ("feature", "full")] {
        cfg.values.entry(key.to_owned()).or_default().insert(value.to_owned());
    }
    let features = cfg.values.entry("feature".to_owned()).or_default();
    for feature in
        "fs io-util io-std macros net parking_lot process rt rt-multi-thread signal sync time std"
            .split(' ')
    {
        features.insert(feature.to_owned());
    }
    for (at, file) in workspace.files.iter().enumerate() {
        let path = file.path.as_str();
        let parts: Vec<_> = path.split('/').collect();
        let (package, kind) = match parts.as_slice() {
            [package @ .., "src", name @ ("lib.rs" | "main.rs")] => (package, *name),
            [package @ .., "tests" | "examples" | "benches", name] if !package.contains(&"src") => {
                (package, *name)
            }
            _ => continue,
        };
        let package = package.last().copied().unwrap_or("root");
        let package =
            package.trim_end_matches(|ch: char| ch.is_ascii_digit() || matches!(ch, '.' | '-'));
        let target = if kind == "lib.rs" { package } else { kind.trim_end_matches(".rs") };
        workspace.crates.push(CrateInput {
            name: format!("{package}/{target}"),
            extern_name: target.replace('-', "_"),
            root: at as u32,
            edition: 2021,
            cfg: cfg.clone(),
            ..CrateInput::default()
        });
    }
    workspace.crates.sort_by(|a, b| a.name.cmp(&b.name));
    let libraries: Vec<_> = workspace
        .crates
        .iter()
        .enumerate()
        .filter(|(_, it)| workspace.files[it.root as usize].path.as_str().ends_with("lib.rs"))
        .map(|(at, it)| Dependency { name: it.extern_name.clone(), to: Some(CrateIdx(at as u32)) })
        .collect();
    for (at, krate) in workspace.crates.iter_mut().enumerate() {
        krate.dependencies.clone_from(&libraries);
        krate.dependencies.retain(|it| it.to != Some(CrateIdx(at as u32)));
        krate.dependencies.sort_by(|a, b| a.name.cmp(&b.name));
        krate.dependencies.dedup_by(|a, b| a.name == b.name);
    }
    workspace
}
