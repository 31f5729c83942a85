use std::path::Path;

use crate::Failure;
use crate::run::{cargo, step};
use crate::tidy::{Manifest, rooms};

/// Runs the benches that the rooms declare, one after the other, so that figures do not disturb
/// each other; each prints its own figures.
pub(crate) fn bench(root: &Path, args: &[String]) -> Result<(), Failure> {
    // What stands behind `--` is for the benches themselves.
    let (args, for_bench) = match args.iter().position(|arg| arg == "--") {
        Some(at) => (&args[..at], &args[at..]),
        None => (args, &args[args.len()..]),
    };
    let mut benches = Vec::new();
    for room in rooms(root) {
        let manifest = Manifest::read(&root.join("crates").join(&room).join("Cargo.toml"))
            .map_err(Failure::Check)?;
        let package = manifest.get("package", "name").unwrap_or_default();
        benches.extend(
            manifest.all("bench", "name").map(|bench| (room.clone(), package.clone(), bench)),
        );
    }
    if args.iter().any(|arg| arg == "--list") {
        for (room, _, bench) in &benches {
            println!("{room}/{bench}\n{}", opening(root, room, bench));
        }
        return Ok(());
    }
    let wanted = |room: &str, bench: &str| {
        args.is_empty() || args.iter().any(|arg| format!("{room}/{bench}").contains(arg.as_str()))
    };
    let mut ran = 0;
    for (room, package, bench) in benches.iter().filter(|(room, _, bench)| wanted(room, bench)) {
        println!("== {room}/{bench}");
        let command = ["bench", "--quiet", "--locked", "-p", package, "--bench", bench];
        step(cargo(root, &command).args(for_bench))?;
        ran += 1;
    }
    if ran == 0 { Err(Failure::Usage("no bench of that name".to_owned())) } else { Ok(()) }
}

/// What the bench says of itself: its opening comment, indented.
fn opening(root: &Path, room: &str, bench: &str) -> String {
    let folder = root.join("crates").join(room).join("benches");
    let files = [folder.join(format!("{bench}.rs")), folder.join(bench).join("main.rs")];
    let text = files.iter().find_map(|file| std::fs::read_to_string(file).ok());
    let text = text.unwrap_or_default();
    let lines = text.lines().map_while(|line| line.strip_prefix("//!"));
    lines.map(|line| format!("    {}\n", line.trim_start())).collect()
}
