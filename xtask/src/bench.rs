use std::path::Path;

use crate::Failure;
use crate::run::{cargo, step};
use crate::tidy::{Manifest, rooms};

/// Runs the benches that the rooms declare, one after the other, so that figures do not disturb
/// each other; each prints its own figures.
pub(crate) fn bench(root: &Path, args: &[String]) -> Result<(), Failure> {
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
            println!("{room}/{bench}");
        }
        return Ok(());
    }
    let wanted = |room: &str, bench: &str| {
        args.is_empty() || args.iter().any(|arg| format!("{room}/{bench}").contains(arg.as_str()))
    };
    let mut ran = 0;
    for (room, package, bench) in benches.iter().filter(|(room, _, bench)| wanted(room, bench)) {
        println!("== {room}/{bench}");
        step(&mut cargo(root, &["bench", "--locked", "-p", package, "--bench", bench]))?;
        ran += 1;
    }
    if ran == 0 { Err(Failure::Usage("no bench of that name".to_owned())) } else { Ok(()) }
}
