//! `cargo xtask eval`: release builds of graftage and `graftage-eval`, run on the evaluation sets.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Failure;
use crate::run::{cargo, step, target_dir};

/// The sets that measure the map and `fix`, the fastest first.
const DEFAULT_SETS: [&str; 4] = ["F_receivers", "D_rustfix", "E_error_index", "C_breakfix"];

/// Builds for release and runs `graftage eval run` on each set, into `target/eval/<set>`; `fetch`,
/// `fit` and `oracle` are commands of `graftage-eval`.
pub(crate) fn eval(root: &Path, args: &[String]) -> Result<(), Failure> {
    if args.first().is_some_and(|it| ["fetch", "fit", "oracle"].contains(&it.as_str())) {
        return step(Command::new(built(root, "graftage-eval")?).args(args));
    }
    let mut data: Option<PathBuf> = None;
    let mut sets = Vec::new();
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        if arg == "--data" {
            let dir = args.next().ok_or(Failure::Usage("`--data` needs a folder".to_owned()))?;
            data = Some(PathBuf::from(dir));
        } else {
            sets.push(arg.as_str());
        }
    }
    if sets.is_empty() {
        sets.extend(DEFAULT_SETS);
    }
    let beside = || root.parent().unwrap_or(root).join("shared").join("eval");
    let data = data.unwrap_or_else(beside);
    for set in &sets {
        if !data.join(set).exists() {
            return Err(Failure::Missing(format!(
                "no set `{set}` in {}; name another folder with `--data DIR`",
                data.display()
            )));
        }
    }
    let binary = built(root, "graftage")?;
    for set in sets {
        let out = target_dir(root).join("eval").join(set);
        println!("== {set}");
        step(
            Command::new(&binary).args(["eval", "run"]).arg(data.join(set)).arg("--out").arg(&out),
        )?;
        println!("report: {}", out.display());
    }
    Ok(())
}

/// Builds a package for release; returns its program, which has the same name.
pub(crate) fn built(root: &Path, package: &str) -> Result<PathBuf, Failure> {
    step(&mut cargo(root, &["build", "--release", "--locked", "-p", package]))?;
    Ok(target_dir(root).join("release").join(package))
}
