//! `graftage-train`: makes the encoder's table; `cargo xtask train-encoder` leads it.
//!
//! Invariant: writes only the files that its arguments name.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command line talks to people")]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use base::Hint;
use graftage_train::{
    Dataset, Evaluation, Exclusion, Registry, Settings, TrainError, checked, evaluate, locked,
    pinnable, pins, questions, sentences, train,
};

const HELP: &str = "\
graftage-train COMMAND --home DIR --cargo-home DIR [OPTION…]

  pin        write HOME/crates.txt: the locked crates that may be trained on
  extract    read the sources of the pinned crates; --pairs FILE, --eval-folder DIR
             (queries there are never learned from), --threads N
  train      learn a table from extracted pairs; --pairs FILE, --table FILE, --threads N,
             --dims N, --batch N, --chunk N, --epochs N, --rate X, --temperature X,
             --dropout X, --seed N, --words N, --least N
  questions  write questions for the ranker, as set B has them; --out FOLDER
  evaluate   ask a table the queries of set B; --table FILE (default: the embedded one),
             --eval-folder DIR

HOME is the folder with `sources/`, `never_train_on.txt` and `never_train_on_repositories.txt`.
";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match run(&args) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => {
            eprint!("{HELP}");
            ExitCode::from(2)
        }
        Err(error) => {
            eprintln!("graftage-train: {error}");
            if let Some(hint) = error.hint() {
                eprintln!("hint: {hint}");
            }
            ExitCode::FAILURE
        }
    }
}

/// `false`: bad usage.
fn run(args: &[String]) -> Result<bool, TrainError> {
    let Some((command, rest)) = args.split_first() else { return Ok(false) };
    let mut options: BTreeMap<&str, &str> = BTreeMap::new();
    for pair in rest.chunks(2) {
        let [name, value] = pair else { return Ok(false) };
        options.insert(name.as_str(), value.as_str());
    }
    let path = |name: &str| options.get(name).map(PathBuf::from);
    let (Some(home), Some(cargo_home)) = (path("--home"), path("--cargo-home")) else {
        return Ok(false);
    };
    let threads = match options.get("--threads").map(|it| it.parse()) {
        Some(Ok(threads)) => threads,
        Some(Err(_)) => return Ok(false),
        None => std::thread::available_parallelism().map_or(1, usize::from),
    };
    let registry = Registry::below(&cargo_home)?;
    match command.as_str() {
        "pin" => pin(&home, &registry)?,
        "extract" => {
            let Some(out) = path("--pairs") else { return Ok(false) };
            extract(&home, &registry, &out, path("--eval-folder").as_deref(), threads)?;
        }
        "train" => {
            let (Some(pairs), Some(out)) = (path("--pairs"), path("--table")) else {
                return Ok(false);
            };
            let mut settings = Settings { threads, ..Settings::default() };
            if set(&mut settings, &options).is_none() {
                return Ok(false);
            }
            learn(&pairs, &out, &settings)?;
        }
        "questions" => {
            let Some(out) = path("--out") else { return Ok(false) };
            ask_for(&home, &registry, &out)?;
        }
        "evaluate" => {
            let Some(folder) = path("--eval-folder") else { return Ok(false) };
            ask(path("--table").as_deref(), &folder, &registry)?;
        }
        _ => return Ok(false),
    }
    Ok(true)
}

/// Takes over what the options say of the training; `None`: one is no number.
fn set(settings: &mut Settings, options: &BTreeMap<&str, &str>) -> Option<()> {
    let mut number = |name: &str, put: &mut dyn FnMut(&mut Settings, f64)| {
        if let Some(text) = options.get(name) {
            put(settings, text.parse().ok()?);
        }
        Some(())
    };
    number("--dims", &mut |it, number| it.dims = number as usize)?;
    number("--batch", &mut |it, number| it.batch = number as usize)?;
    number("--chunk", &mut |it, number| it.chunk = number as usize)?;
    number("--epochs", &mut |it, number| it.epochs = number as usize)?;
    number("--rate", &mut |it, number| it.rate = number as f32)?;
    number("--temperature", &mut |it, number| it.temperature = number as f32)?;
    number("--dropout", &mut |it, number| it.dropout = number as f32)?;
    number("--seed", &mut |it, number| it.seed = number as u64)?;
    number("--words", &mut |it, number| it.most_words = number as usize)?;
    number("--least", &mut |it, number| it.least_count = number as u32)
}

fn exclusion(home: &Path) -> Result<Exclusion, TrainError> {
    let names = read(&home.join("never_train_on.txt"))?;
    let repositories = read(&home.join("never_train_on_repositories.txt"))?;
    Ok(Exclusion::new(&String::from_utf8_lossy(&names), &String::from_utf8_lossy(&repositories)))
}

fn pin(home: &Path, registry: &Registry) -> Result<(), TrainError> {
    let pins = pinnable(&locked(&home.join("sources"))?, registry, &exclusion(home)?)?;
    let mut text = String::from("# name version checksum licence; made by `graftage-train pin`\n");
    for pin in &pins {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{pin}");
    }
    write(&home.join("crates.txt"), text.as_bytes())?;
    println!("{} crates", pins.len());
    Ok(())
}

fn extract(
    home: &Path,
    registry: &Registry,
    out: &Path,
    eval_folder: Option<&Path>,
    threads: usize,
) -> Result<(), TrainError> {
    let pins = pins(&home.join("crates.txt"))?;
    let locked = locked(&home.join("sources"))?;
    let folders = checked(&pins, &locked, registry, &exclusion(home)?)?;
    let forbidden = eval_folder.map_or(Ok(BTreeSet::new()), sentences)?;
    let dataset = Dataset::extract(&pins, &folders, &forbidden, threads)?;
    write(out, &dataset.to_bytes())?;
    let giving = dataset.crates.iter().filter(|it| !it.pairs.is_empty()).count();
    println!(
        "{} crates, {giving} of them with pairs, {} pairs, {} words",
        pins.len(),
        dataset.pair_count(),
        dataset.words.len()
    );
    Ok(())
}

fn ask_for(home: &Path, registry: &Registry, out: &Path) -> Result<(), TrainError> {
    let pins = pins(&home.join("crates.txt"))?;
    let locked = locked(&home.join("sources"))?;
    let folders = checked(&pins, &locked, registry, &exclusion(home)?)?;
    std::fs::create_dir_all(out)
        .map_err(|source| TrainError::File { path: out.to_owned(), source })?;
    let all = questions(&pins, &folders)?;
    for of_crate in &all {
        let file = |kind: &str| out.join(format!("{kind}_{}.jsonl", of_crate.package));
        write(&file("queries"), of_crate.queries.as_bytes())?;
        write(&file("items"), of_crate.items.as_bytes())?;
    }
    let count: usize = all.iter().map(|it| it.queries.lines().count()).sum();
    println!("{} crates, {count} questions", all.len());
    Ok(())
}

fn learn(pairs: &Path, out: &Path, settings: &Settings) -> Result<(), TrainError> {
    let dataset = Dataset::from_bytes(&read(pairs)?).ok_or_else(|| TrainError::Content {
        path: pairs.to_owned(),
        what: "no pairs of this version".to_owned(),
    })?;
    let parts = train(&dataset, settings, &mut |epoch, share, loss| {
        eprintln!("pass {} {:3.0} % loss {loss:.4}", epoch + 1, share * 100.0);
    })?;
    let bytes = search::table_bytes(&parts)?;
    write(out, &bytes)?;
    println!("{} words, {} bytes", parts.words.len(), bytes.len());
    Ok(())
}

fn ask(table: Option<&Path>, folder: &Path, registry: &Registry) -> Result<(), TrainError> {
    let table = match table {
        Some(path) => search::StaticTable::open(Arc::new(read(path)?))?,
        None => search::StaticTable::embedded(),
    };
    let say = |name: &str, it: &Evaluation| {
        let [table, words, both] =
            [it.table, it.words, it.both].map(|[raw, masked]| format!("{raw:.3} {masked:.3}"));
        println!("{name:<28} table {table}  words {words}  both {both}");
    };
    println!("MRR@10, raw and masked");
    let all = evaluate(&table, folder, registry, &mut |name, figures| say(name, figures))?;
    say("mean over crates", &all);
    Ok(())
}

fn read(path: &Path) -> Result<Vec<u8>, TrainError> {
    std::fs::read(path).map_err(|source| TrainError::File { path: path.to_owned(), source })
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), TrainError> {
    std::fs::write(path, bytes).map_err(|source| TrainError::File { path: path.to_owned(), source })
}
