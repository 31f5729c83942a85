//! `cargo xtask train-encoder` and `train-ranker`: rebuild the shipped table and weights from pinned
//! public sources; `file-questions` and `train-files`: rebuild the questions about whole files, and the weights fitted
//! to them.

use std::path::{Path, PathBuf};

use crate::Failure;
use crate::eval::built;
use crate::run::{cargo, cargo_home, step, target_dir};

/// The package that trains. Checks of a change leave its tests out: run `cargo xtask test -p graftage-train` after
/// changes there.
pub(crate) const PACKAGE: &str = "graftage-train";

/// Fetches the crates that `crates/train` names, extracts training pairs from them and learns a
/// table.
pub(crate) fn encoder(root: &Path, args: &[String]) -> Result<(), Failure> {
    let mut eval_folder = None;
    let mut is_pinning = false;
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--pin" => is_pinning = true,
            "--eval-folder" => {
                let folder = args.next();
                let missing = || Failure::Usage("`--eval-folder` needs a folder".to_owned());
                eval_folder = Some(folder.ok_or_else(missing)?.clone());
            }
            other => return Err(Failure::Usage(format!("`train-encoder` takes no `{other}`"))),
        }
    }
    let home = root.join("crates").join("train");
    fetch(root, &home, is_pinning)?;
    let binary = built(root, PACKAGE)?;
    let work = target_dir(root).join("train");
    std::fs::create_dir_all(&work)
        .map_err(|err| Failure::Missing(format!("{}: {err}", work.display())))?;
    let pairs = work.join("pairs.bin");
    let table = root.join("crates").join("search").join("table.bin");
    let run = |command: &str, options: &[(&str, &Path)]| {
        let mut process = std::process::Command::new(&binary);
        process.arg(command).arg("--home").arg(&home).arg("--cargo-home").arg(cargo_home());
        for (name, value) in options {
            process.arg(name).arg(value);
        }
        if let Some(folder) = eval_folder.as_ref().filter(|_| command != "train") {
            process.arg("--eval-folder").arg(folder);
        }
        step(&mut process)
    };
    if is_pinning {
        run("pin", &[])?;
    }
    run("extract", &[("--pairs", pairs.as_path())])?;
    run("train", &[("--pairs", pairs.as_path()), ("--table", table.as_path())])?;
    if eval_folder.is_some() {
        run("evaluate", &[("--table", table.as_path())])?;
    }
    println!("rebuild to ship {}", table.display());
    Ok(())
}

/// Searches for the doc sentences of the crates reserved for the ranker, and fits the weights of
/// `find` to the results; the features are those of every search.
pub(crate) fn ranker(root: &Path, args: &[String]) -> Result<(), Failure> {
    if let Some(other) = args.first() {
        return Err(Failure::Usage(format!("`train-ranker` takes no `{other}`")));
    }
    let home = root.join("crates").join("train");
    fetch(root, &home, false)?;
    let [train, eval] = [built(root, PACKAGE)?, built(root, "graftage-eval")?];
    let work = target_dir(root).join("train");
    let (questions, weights) = (work.join("questions"), work.join("weights"));
    let _ = std::fs::remove_dir_all(&questions);
    let mut process = std::process::Command::new(train);
    process.arg("questions").arg("--home").arg(&home).arg("--cargo-home").arg(cargo_home());
    step(process.arg("--out").arg(&questions))?;
    // Starts from the manually set weights, so that the result does not depend on an earlier fit.
    let mut process = std::process::Command::new(eval);
    process.args(["fit", "--offline", "--config", "search.ranker=rules", "--out"]);
    step(process.arg(&weights).arg(&questions))?;
    let shipped = root.join("crates").join("search").join("weights");
    let missing =
        |path: &Path, err: &std::io::Error| Failure::Missing(format!("{}: {err}", path.display()));
    let read = |path: PathBuf| std::fs::read_to_string(&path).map_err(|err| missing(&path, &err));
    let find = read(weights.join("find.txt"))?;
    let mixed = mixed(&find, &read(shipped.join("locate.txt"))?);
    for (name, text) in [("find.txt", find), ("mixed.txt", mixed)] {
        let path = shipped.join(name);
        std::fs::write(&path, text).map_err(|err| missing(&path, &err))?;
    }
    println!("rebuild to ship {}", shipped.display());
    Ok(())
}

/// Writes the questions about whole files of the crates in `crates/train/questions`.
pub(crate) fn file_questions(root: &Path, args: &[String]) -> Result<(), Failure> {
    let out = match args {
        [name, out] if name == "--out" => PathBuf::from(out),
        _ => return Err(Failure::Usage("`file-questions` needs `--out FOLDER`".to_owned())),
    };
    let home = root.join("crates").join("train");
    fetch_groups(root, &home.join("questions"), "")?;
    let train = built(root, PACKAGE)?;
    std::fs::create_dir_all(&out)
        .map_err(|err| Failure::Missing(format!("{}: {err}", out.display())))?;
    let mut process = std::process::Command::new(train);
    process.arg("file-questions").arg("--home").arg(&home).arg("--cargo-home").arg(cargo_home());
    step(process.arg("--out").arg(out))
}

/// Fits the weights of file features to the questions of the splits `fit` and `choose`.
pub(crate) fn files(root: &Path, args: &[String]) -> Result<(), Failure> {
    if let Some(other) = args.first() {
        return Err(Failure::Usage(format!("`train-files` takes no `{other}`")));
    }
    let work = target_dir(root).join("train");
    let (questions, weights) = (work.join("file-questions"), work.join("file-weights"));
    file_questions(root, &["--out".to_owned(), questions.to_string_lossy().into_owned()])?;
    let eval = built(root, "graftage-eval")?;
    let splits = ["fit.jsonl", "choose.jsonl"];
    let typed = splits.map(|name| {
        root.join("crates").join("train").join("questions").join(format!("typed-{name}"))
    });
    for questions in &typed {
        step(std::process::Command::new(&eval).arg("fetch").arg(questions))?;
    }
    let mut process = std::process::Command::new(&eval);
    process.args(["fit", "--offline", "--out"]).arg(&weights);
    step(process.args(splits.map(|name| questions.join(name))).args(typed))?;
    let shipped = root.join("crates").join("search").join("weights").join("files");
    for name in ["name.txt", "question.txt", "text.txt"] {
        let from = weights.join(format!("files_{name}"));
        std::fs::copy(&from, shipped.join(name))
            .map_err(|err| Failure::Missing(format!("{}: {err}", from.display())))?;
    }
    println!("rebuild to ship {}", shipped.display());
    Ok(())
}

/// The weights for a text of unknown intent, in the order of `locate`.
fn mixed(find: &str, locate: &str) -> String {
    let [find, locate] = [find, locate].map(numbers);
    let of = |list: &[(&str, f64)], name: &str| {
        list.iter().find(|(own, _)| *own == name).map_or(0.0, |(_, number)| *number)
    };
    let only_find = find.iter().filter(|(name, _)| !locate.iter().any(|(own, _)| own == name));
    let mut text = "# Four parts of find.txt and six of locate.txt.\n".to_owned();
    for (name, _) in locate.iter().chain(only_find) {
        let mean = 0.4 * of(&find, name) + 0.6 * of(&locate, name);
        text.push_str(&format!("{name} = {}\n", (mean * 1e3).round() / 1e3));
    }
    text
}

/// The `name = number` lines of a text.
fn numbers(text: &str) -> Vec<(&str, f64)> {
    let lines = text.lines().filter_map(|line| line.split_once(" = "));
    lines.filter_map(|(name, number)| Some((name, number.parse().ok()?))).collect()
}

/// Fetches the sources of every group; cargo verifies their checksums. The lock files are made of the
/// pinned crates, or, with `newest`, of the newest versions. One target only, so that the list is the
/// same on every machine and contains no dependencies of other systems.
fn fetch(root: &Path, home: &Path, newest: bool) -> Result<(), Failure> {
    let missing =
        |path: &Path, err: &std::io::Error| Failure::Missing(format!("{}: {err}", path.display()));
    let pins = home.join("crates.txt");
    let pins = match newest {
        true => String::new(),
        false => std::fs::read_to_string(&pins).map_err(|err| missing(&pins, &err))?,
    };
    fetch_groups(root, &home.join("sources"), &pins)
}

/// Fetches the dependencies of each manifest in a folder of `groups`.
fn fetch_groups(root: &Path, groups: &Path, pins: &str) -> Result<(), Failure> {
    let missing =
        |path: &Path, err: &std::io::Error| Failure::Missing(format!("{}: {err}", path.display()));
    let entries = std::fs::read_dir(groups).map_err(|err| missing(groups, &err))?;
    let mut folders: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    folders.sort();
    for folder in folders.iter().filter(|it| it.join("Cargo.toml").is_file()) {
        let lock = folder.join("Cargo.lock");
        std::fs::write(&lock, lock_file(pins)).map_err(|err| missing(&lock, &err))?;
        let mut fetch = cargo(root, &["fetch", "--target", "x86_64-unknown-linux-gnu"]);
        step(fetch.arg("--manifest-path").arg(folder.join("Cargo.toml")))?;
    }
    Ok(())
}

/// A lock file with the versions and checksums of pins (`name version checksum licence`, one per line).
/// It has no edges: cargo prefers the versions that it names, adds the edges, and drops what it does
/// not need.
fn lock_file(pins: &str) -> String {
    let mut text = "version = 4\n".to_owned();
    for line in pins.lines().filter(|line| !line.starts_with('#')) {
        let mut fields = line.split(' ');
        if let (Some(name), Some(version), Some(checksum)) =
            (fields.next(), fields.next(), fields.next())
        {
            text.push_str(&format!(
                "\n[[package]]\nname = \"{name}\"\nversion = \"{version}\"\n\
                 source = \"registry+https://github.com/rust-lang/crates.io-index\"\n\
                 checksum = \"{checksum}\"\n"
            ));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_file_has_the_version_and_checksum_of_each_pin() {
        assert_eq!(
            lock_file("# head\na 1.2.3 0f MIT OR Apache-2.0\n"),
            "version = 4\n\n[[package]]\nname = \"a\"\nversion = \"1.2.3\"\n\
             source = \"registry+https://github.com/rust-lang/crates.io-index\"\n\
             checksum = \"0f\"\n"
        );
    }

    #[test]
    fn the_compromise_has_four_parts_of_find_and_six_of_locate() {
        let find = "# x\ndense = 0.9\nkind = 0.5\n";
        let locate = "# y\nbm25 = 0.5\ndense = 0.25\n";
        let want = "# Four parts of find.txt and six of locate.txt.\n\
                    bm25 = 0.3\ndense = 0.51\nkind = 0.2\n";
        assert_eq!(mixed(find, locate), want);
    }
}
