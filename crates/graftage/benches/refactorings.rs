//! `cargo bench -p graftage --bench refactorings -- PROGRAM DIR --count N --seed S`: random refactorings
//! of the workspace in DIR by PROGRAM, in a clone that is restored after each.
//!
//! Each result is compared by cargo and by a search of all texts for the old name, and printed as one JSON
//! line; the last lines are a table. `--kinds rename,move,inline,parameter` limits the kinds, `--out FILE`
//! appends the lines to a file, `--work DIR` names the folder of the clone and its build. The reference runs
//! leave out `--without PACKAGE` and take `--features NAMES` instead of all (for those that need a
//! nightly compiler); `--flag FLAG` passes a flag to PROGRAM. `--skip N` leaves out the first N cases,
//! `--list` prints the cases only. The same seed gives the same cases.
//!
//! Outcomes: `done`; `incomplete?` if code or documentation contains the old name at a place that the
//! program does not list, and no other item has the name, which a reader has to check; `unchanged` if
//! the program succeeds and changes nothing; `refused`; `timeout`; `broken` if a reference run fails, or if a
//! refusal changed the tree.

#![allow(clippy::print_stdout, reason = "a bench prints its figures")]

#[path = "refactorings/items.rs"]
mod items;
#[path = "refactorings/pick.rs"]
mod pick;
#[path = "refactorings/reader.rs"]
mod reader;
#[path = "refactorings/reference.rs"]
mod reference;

use std::fs::OpenOptions;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::Command;

use base::SortedMap;
use serde_json::{Value, json};

use items::Definition;
use pick::{Case, Picker};
use reference::{Finished, Settings, Tree};

/// Kinds of cases.
const KINDS: [&str; 4] = ["rename", "move", "inline", "parameter"];

/// Command line.
#[derive(Debug)]
struct Options {
    program: PathBuf,
    dir: PathBuf,
    work: PathBuf,
    out: Option<PathBuf>,
    count: usize,
    skip: usize,
    seed: u64,
    kinds: Vec<&'static str>,
    settings: Settings,
    /// Further arguments of the program.
    flags: Vec<String>,
    list: bool,
}

fn main() -> io::Result<()> {
    // `cargo test --benches` passes no arguments, and measures nothing.
    let Some(options) = options()? else {
        println!("usage: refactorings PROGRAM DIR --count N --seed S");
        return Ok(());
    };
    let tree = Tree::new(&options.dir, &options.work, options.settings.clone())?;
    let texts = tree.texts()?;
    let (items, sources, files) = read(&tree, &texts)?;
    let name_counts = counts(items.iter().map(|it| it.name.clone()));
    println!("{}: {} items", options.dir.display(), items.len());
    let mut picker = Picker::new(options.seed, options.kinds.clone(), items, (&sources, &files));
    let mut tally: SortedMap<(String, String), Vec<f64>> = SortedMap::new();
    for index in 0..options.skip + options.count {
        let Some(case) = picker.next() else { break };
        if options.list {
            println!("{index}: {}", case.command.join(" "));
        }
        if options.list || index < options.skip {
            continue;
        }
        let definitions = name_counts.get(&case.item.name).copied().unwrap_or_default();
        let mut row = try_case(&tree, &options, &texts, (&case, definitions))?;
        row["seed"] = json!(options.seed);
        row["index"] = json!(index);
        let outcome = row["outcome"].as_str().unwrap_or_default().to_owned();
        let seconds = row["seconds"].as_f64().unwrap_or_default();
        tally.entry((case.kind.to_owned(), outcome)).or_default().push(seconds);
        write(&options, &row)?;
        tree.restore()?;
    }
    table(tally);
    Ok(())
}

/// The command line; `None` without arguments.
fn options() -> io::Result<Option<Options>> {
    let args: Vec<String> = std::env::args().skip(1).filter(|it| it != "--bench").collect();
    let value = |name: &str| {
        let at = args.iter().position(|it| it == name);
        at.and_then(|at| args.get(at + 1)).cloned()
    };
    let number =
        |name: &str, default: u64| value(name).and_then(|it| it.parse().ok()).unwrap_or(default);
    let [program, dir, ..] = args.as_slice() else { return Ok(None) };
    let kinds = value("--kinds").unwrap_or_else(|| KINDS.join(","));
    let (program, dir) =
        (PathBuf::from(program).canonicalize()?, PathBuf::from(dir).canonicalize()?);
    let name = dir.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let default_work = || std::env::temp_dir().join("graftage-refactorings").join(name);
    let values = |name: &str| -> Vec<String> {
        args.windows(2).filter(|it| it[0] == name).map(|it| it[1].clone()).collect()
    };
    Ok(Some(Options {
        program,
        work: value("--work").map_or_else(default_work, PathBuf::from),
        dir,
        out: value("--out").map(PathBuf::from),
        count: number("--count", 10) as usize,
        skip: number("--skip", 0) as usize,
        seed: number("--seed", 1),
        kinds: KINDS.into_iter().filter(|it| kinds.split(',').any(|kind| kind == *it)).collect(),
        settings: Settings { without: values("--without"), features: value("--features") },
        flags: values("--flag"),
        list: args.iter().any(|it| it == "--list"),
    }))
}

fn counts(names: impl Iterator<Item = String>) -> SortedMap<String, usize> {
    let mut counts = SortedMap::new();
    for name in names {
        *counts.entry(name).or_default() += 1;
    }
    counts
}

/// Definitions of the members, their folders of sources, and their Rust files.
fn read(
    tree: &Tree,
    texts: &[(String, String)],
) -> io::Result<(Vec<Definition>, Vec<String>, Vec<String>)> {
    let mut cargo = Command::new("cargo");
    cargo.args(["metadata", "--no-deps", "--offline", "--format-version", "1"]);
    let ran = tree.run(cargo.current_dir(&tree.dir))?;
    let metadata: Value = serde_json::from_str(&ran.output).map_err(io::Error::other)?;
    let root = tree.dir.canonicalize()?;
    let folder = |package: &Value| {
        let manifest = Path::new(package["manifest_path"].as_str()?);
        let folder = manifest.parent()?.strip_prefix(&root).ok()?.to_str()?.to_owned();
        Some(if folder.is_empty() { folder } else { folder + "/" })
    };
    let packages = metadata["packages"].as_array().cloned().unwrap_or_default();
    let members: Vec<String> = packages.iter().filter_map(folder).collect();
    let manifests: Vec<&str> =
        texts.iter().filter_map(|(file, _)| file.strip_suffix("Cargo.toml")).collect();
    let mut items = Vec::new();
    let mut files = Vec::new();
    for (file, text) in texts.iter().filter(|(file, _)| file.ends_with(".rs")) {
        let nearest =
            manifests.iter().filter(|it| file.starts_with(**it)).max_by_key(|it| it.len());
        if nearest.is_some_and(|it| members.iter().any(|member| member == it)) {
            items.extend(items::definitions(file, text));
            files.push(file.clone());
        }
    }
    let sources = members.iter().map(|it| format!("{it}src/")).collect();
    Ok((items, sources, files))
}

/// Runs one case and compares its result; `definitions` is the number of items of the same name.
fn try_case(
    tree: &Tree,
    options: &Options,
    before: &[(String, String)],
    (case, definitions): (&Case, usize),
) -> io::Result<Value> {
    let mut program = Command::new(&options.program);
    program.arg("refactor").args(&case.command).args(["--apply", "--offline", "--json"]);
    program.args(&options.flags);
    let ran = tree.run(program.current_dir(&tree.dir))?;
    let report: Value = serde_json::from_str(&ran.output).unwrap_or_default();
    tree.git(&["add", "--intent-to-add", "."])?;
    let diff = tree.git(&["diff", "--no-color"])?;
    let mut row = json!({
        "workspace": options.dir.file_name().unwrap_or_default().to_string_lossy(),
        "kind": case.kind,
        "command": case.command,
        "item": format!("{} `{}`", case.item.kind, case.item.name),
        "definitions": definitions,
        "exit": ran.status.and_then(|it| it.code()),
        "seconds": rounded(ran.seconds),
        "cpu_seconds": ran.cpu_seconds.map(rounded),
        "left_behind": report["left_behind"],
        "steps": report["steps"],
        "rungs": report["evidence"]["rungs"],
        "reason": reason(&report, &ran),
    });
    let outcome = match (ran.success(), diff.is_empty()) {
        (true, true) => "unchanged",
        (true, false) => compared(tree, before, (case, definitions, &mut row))?,
        (false, true) if ran.status.is_none() => "timeout",
        (false, true) => "refused",
        (false, false) => "broken",
    };
    row["outcome"] = json!(outcome);
    row["diff"] = json!(diff);
    Ok(row)
}

fn rounded(seconds: f64) -> f64 {
    (seconds * 10.0).round() / 10.0
}

/// Outcome of a change that was applied.
fn compared(
    tree: &Tree,
    before: &[(String, String)],
    (case, definitions, row): (&Case, usize, &mut Value),
) -> io::Result<&'static str> {
    if let Some(fault) = tree.fault()? {
        row["reason"] = json!(fault);
        return Ok("broken");
    }
    let removes_name = case.kind == "inline" && !case.item.public;
    if case.kind != "rename" && !removes_name {
        return Ok("done");
    }
    let after = tree.texts()?;
    if let Some(to) = case.to.as_deref().filter(|_| case.fresh) {
        row["other_words"] = json!(reference::other_words(before, &after, (&case.item.name, to)));
    }
    let listed = row["left_behind"].as_array().cloned().unwrap_or_default();
    let is_listed = |file: &str, line: usize| {
        listed.iter().any(|it| it["path"] == json!(file) && it["line"] == json!(line))
    };
    let mut unlisted = reference::occurrences(&after, &case.item.name);
    unlisted.retain(|it| !is_listed(&it.file, it.line));
    let is_doubtful = unlisted.iter().any(|it| matches!(it.context, "code" | "documentation"));
    row["unlisted"] = json!(unlisted.len());
    let shown = unlisted.iter().take(60);
    let shown = shown.map(|it| format!("{}:{} {}: {}", it.file, it.line, it.context, it.text));
    row["occurrences"] = json!(shown.collect::<Vec<_>>());
    Ok(if is_doubtful && definitions == 1 { "incomplete?" } else { "done" })
}

/// Reason that the program reports, or the last line of what it printed.
fn reason(report: &Value, ran: &Finished) -> String {
    let message = report["error"]["message"].as_str().or_else(|| report["reason"].as_str());
    let last = || ran.errors.lines().chain(ran.output.lines()).last().unwrap_or_default();
    message.unwrap_or_else(|| if ran.success() { "" } else { last() }).to_owned()
}

fn write(options: &Options, row: &Value) -> io::Result<()> {
    if let Some(out) = &options.out {
        let mut file = OpenOptions::new().create(true).append(true).open(out)?;
        writeln!(file, "{row}")?;
    }
    let mut short = row.clone();
    for long in ["diff", "occurrences", "left_behind", "steps", "rungs"] {
        short.as_object_mut().and_then(|it| it.remove(long));
    }
    println!("{short}");
    Ok(())
}

fn table(tally: SortedMap<(String, String), Vec<f64>>) {
    println!("{:<10} {:<12} {:>5} {:>7} {:>7}", "kind", "outcome", "cases", "p50 s", "p90 s");
    for ((kind, outcome), mut seconds) in tally {
        seconds.sort_by(f64::total_cmp);
        let at = |share: f64| seconds[((seconds.len() - 1) as f64 * share).round() as usize];
        let (p50, p90) = (at(0.5), at(0.9));
        println!("{kind:<10} {outcome:<12} {:>5} {p50:>7.1} {p90:>7.1}", seconds.len());
    }
}
