//! `cargo xtask bench`: runs the benches of the crates, or lists what they measure.

use std::path::Path;

use crate::Failure;
use crate::run::{cargo, step};
use crate::tidy::{Manifest, crates};

/// Runs the benches that the crates declare, one after the other, so that they do not disturb each
/// other; each prints its own figures.
pub(crate) fn bench(root: &Path, args: &[String]) -> Result<(), Failure> {
    // Arguments after `--` are for the benches themselves.
    let (args, for_bench) = match args.iter().position(|arg| arg == "--") {
        Some(at) => (&args[..at], &args[at..]),
        None => (args, &args[args.len()..]),
    };
    let mut benches = Vec::new();
    for krate in crates(root) {
        let manifest = Manifest::read(&root.join("crates").join(&krate).join("Cargo.toml"))
            .map_err(Failure::Check)?;
        let package = manifest.get("package", "name").unwrap_or_default();
        benches.extend(
            manifest.all("bench", "name").map(|bench| (krate.clone(), package.clone(), bench)),
        );
    }
    if args.iter().any(|arg| arg == "--list") {
        for (krate, _, bench) in &benches {
            println!("{krate}/{bench}\n{}", opening(root, krate, bench));
        }
        return Ok(());
    }
    let wanted = |krate: &str, bench: &str| {
        args.is_empty() || args.iter().any(|arg| format!("{krate}/{bench}").contains(arg.as_str()))
    };
    let mut ran = 0;
    for (krate, package, bench) in benches.iter().filter(|(krate, _, bench)| wanted(krate, bench)) {
        println!("== {krate}/{bench}");
        let command = ["bench", "--quiet", "--locked", "-p", package, "--bench", bench];
        step(cargo(root, &command).args(for_bench))?;
        ran += 1;
    }
    if ran == 0 { Err(Failure::Usage("no bench of that name".to_owned())) } else { Ok(()) }
}

/// The module doc of the bench, indented.
fn opening(root: &Path, krate: &str, bench: &str) -> String {
    let folder = root.join("crates").join(krate).join("benches");
    let files = [folder.join(format!("{bench}.rs")), folder.join(bench).join("main.rs")];
    let text = files.iter().find_map(|file| std::fs::read_to_string(file).ok());
    let text = text.unwrap_or_default();
    let lines = text.lines().map_while(|line| line.strip_prefix("//!"));
    lines.map(|line| format!("    {}\n", line.trim_start())).collect()
}
