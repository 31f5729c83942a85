//! `graftage-train`: learns and evaluates the encoder's table. `cargo xtask train-encoder` runs its
//! commands in order.
//!
//! Invariant: writes only the files that its arguments name.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command line talks to people")]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use base::{Hint, SortedMap, SortedSet};
use graftage_train::{
    Dataset, Evaluation, Exclusion, Registry, SPLITS, TrainError, TrainSettings, evaluate,
    evaluation_sentences, file_question_suite, locked_checksums, questions, read_pins, select_pins,
    train, verified_folders,
};

const HELP: &str = "\
graftage-train COMMAND --home DIR --cargo-home DIR [OPTION…]

  pin        write HOME/crates.txt: the locked crates that may be trained on
  extract    extract pairs from the sources of the pinned crates; --pairs FILE,
             --eval-folder DIR (its queries are left out), --threads N
  train      learn a table from extracted pairs; --pairs FILE, --table FILE, --threads N,
             --dims N, --batch N, --chunk N, --epochs N, --rate X, --temperature X,
             --dropout X, --seed N, --words N, --least N
  questions  write queries to train the ranker with, in the format of set B; --out FOLDER
  file-questions  write questions about whole files, from crates that nothing is trained on;
             --out FOLDER
  evaluate   measure a table on the queries of set B; --table FILE (default: the embedded
             table), --eval-folder DIR

`--home` is the folder with `sources/`, `never_train_on.txt` and
`never_train_on_repositories.txt`.
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

/// Runs one command; `false` on a usage error.
fn run(args: &[String]) -> Result<bool, TrainError> {
    let Some((command, rest)) = args.split_first() else { return Ok(false) };
    let mut options: SortedMap<&str, &str> = SortedMap::new();
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
            let mut settings = TrainSettings { threads, ..TrainSettings::default() };
            if apply_options(&mut settings, &options).is_none() {
                return Ok(false);
            }
            train_table(&pairs, &out, &settings)?;
        }
        "questions" => {
            let Some(out) = path("--out") else { return Ok(false) };
            write_questions(&home, &registry, &out)?;
        }
        "file-questions" => {
            let Some(out) = path("--out") else { return Ok(false) };
            let trained = read_pins(&home.join("crates.txt"))?;
            let exclusion = exclusion(&home)?;
            for split in SPLITS {
                let suite = file_question_suite(&home, split, &registry, &trained, &exclusion)?;
                write(&out.join(format!("{split}.jsonl")), suite.as_bytes())?;
                println!("{split}: {} questions", suite.lines().count());
            }
        }
        "evaluate" => {
            let Some(folder) = path("--eval-folder") else { return Ok(false) };
            evaluate_table(path("--table").as_deref(), &folder, &registry)?;
        }
        _ => return Ok(false),
    }
    Ok(true)
}

/// Applies the training options; `None` if a value is not a number.
fn apply_options(settings: &mut TrainSettings, options: &SortedMap<&str, &str>) -> Option<()> {
    let mut number = |name: &str, put: &mut dyn FnMut(&mut TrainSettings, f64)| {
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
    number("--words", &mut |it, number| it.max_terms = number as usize)?;
    number("--least", &mut |it, number| it.min_count = number as u32)
}

fn exclusion(home: &Path) -> Result<Exclusion, TrainError> {
    let names = read(&home.join("never_train_on.txt"))?;
    let repositories = read(&home.join("never_train_on_repositories.txt"))?;
    Ok(Exclusion::new(&String::from_utf8_lossy(&names), &String::from_utf8_lossy(&repositories)))
}

fn pin(home: &Path, registry: &Registry) -> Result<(), TrainError> {
    let locked = locked_checksums(&home.join("sources"))?;
    let pins = select_pins(&locked, registry, &exclusion(home)?)?;
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
    let pins = read_pins(&home.join("crates.txt"))?;
    let locked = locked_checksums(&home.join("sources"))?;
    let folders = verified_folders(&pins, &locked, registry, &exclusion(home)?)?;
    let held_out = eval_folder.map_or(Ok(SortedSet::new()), evaluation_sentences)?;
    let dataset = Dataset::extract(&pins, &folders, &held_out, threads)?;
    write(out, &dataset.to_bytes())?;
    let with_pairs = dataset.crates.iter().filter(|it| !it.pairs.is_empty()).count();
    println!(
        "{} crates, {with_pairs} of them with pairs, {} pairs, {} terms",
        pins.len(),
        dataset.pair_count(),
        dataset.terms.len()
    );
    Ok(())
}

fn write_questions(home: &Path, registry: &Registry, out: &Path) -> Result<(), TrainError> {
    let pins = read_pins(&home.join("crates.txt"))?;
    let locked = locked_checksums(&home.join("sources"))?;
    let folders = verified_folders(&pins, &locked, registry, &exclusion(home)?)?;
    std::fs::create_dir_all(out)
        .map_err(|source| TrainError::File { path: out.to_owned(), source })?;
    let all = questions(&pins, &folders)?;
    for questions in &all {
        let file = |kind: &str| out.join(format!("{kind}_{}.jsonl", questions.package));
        write(&file("queries"), questions.queries.as_bytes())?;
        write(&file("items"), questions.items.as_bytes())?;
    }
    let count: usize = all.iter().map(|it| it.queries.lines().count()).sum();
    println!("{} crates, {count} questions", all.len());
    Ok(())
}

fn train_table(pairs: &Path, out: &Path, settings: &TrainSettings) -> Result<(), TrainError> {
    let dataset = Dataset::from_bytes(&read(pairs)?).ok_or_else(|| TrainError::Content {
        path: pairs.to_owned(),
        problem: "not a file of pairs, or of another tokenizer version".to_owned(),
    })?;
    let parts = train(&dataset, settings, &mut |epoch, share, loss| {
        eprintln!("epoch {} {:3.0} % loss {loss:.4}", epoch + 1, share * 100.0);
    })?;
    let bytes = search::table_bytes(&parts)?;
    write(out, &bytes)?;
    println!("{} terms, {} bytes", parts.words.len(), bytes.len());
    Ok(())
}

fn evaluate_table(
    table: Option<&Path>,
    folder: &Path,
    registry: &Registry,
) -> Result<(), TrainError> {
    let table = match table {
        Some(path) => search::StaticTable::open(Arc::new(read(path)?))?,
        None => search::StaticTable::embedded(),
    };
    let print = |name: &str, it: &Evaluation| {
        let [table, bm25, both] =
            [it.table, it.bm25, it.both].map(|[raw, masked]| format!("{raw:.3} {masked:.3}"));
        println!("{name:<28} table {table}  bm25 {bm25}  both {both}");
    };
    println!("MRR@10, raw and masked");
    let all = evaluate(&table, folder, registry, &mut |name, figures| print(name, figures))?;
    print("mean over crates", &all);
    Ok(())
}

fn read(path: &Path) -> Result<Vec<u8>, TrainError> {
    std::fs::read(path).map_err(|source| TrainError::File { path: path.to_owned(), source })
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), TrainError> {
    std::fs::write(path, bytes).map_err(|source| TrainError::File { path: path.to_owned(), source })
}
