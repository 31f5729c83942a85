//! `cargo xtask eval`: a release build of graftage, run on the evaluation sets.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Failure;
use crate::run::{cargo, step, target_dir};

/// The sets that measure the map and `fix`, the fastest first.
const DEFAULT_SETS: [&str; 4] = ["F_receivers", "D_rustfix", "E_error_index", "C_breakfix"];

/// Builds for release and runs `graftage eval run` on each set, into `target/eval/<set>`.
pub(crate) fn eval(root: &Path, args: &[String]) -> Result<(), Failure> {
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
    step(&mut cargo(root, &["build", "--release", "--locked", "-p", "graftage"]))?;
    let binary = target_dir(root).join("release").join("graftage");
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
