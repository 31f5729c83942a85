//! How many tokens does a coding agent need with graftage's tools, and how many with grep, read and edit?
//!
//! `cargo bench -p graftage-serve --bench tasks -- FOLDER [--tasks FILE] [--only TEXT] [--split report]
//! [--program PATH] [--work FOLDER] [--transcripts FOLDER]` runs the recorded tasks with both scripted agents, and
//! prints a table in Markdown. FOLDER has a git clone of each repository that the tasks name, under the
//! last part of its name.
//!
//! The program is a release build, `target/release/graftage` unless `--program` names another one. Dependencies come
//! from cargo's registry when a tree is laid out; the agents work offline. Before a task that changes code begins, each
//! side has built the tests of its commit once, as on the machine of a person.
//!
//! - The tasks, and the rule that picked them before anything was measured: `docs/agents-tokens.md`. A recorded
//!   task has commits, places and names, no text of a repository.
//! - The policies: `shell_agent.rs`, `graftage_agent.rs`. Both get the same question, and the recorded
//!   edits where a person decided; both may change only text that they have read.
//! - Tokens: o200k, of the name, the arguments and the text of the answer of each call. The descriptions of
//!   the tools are counted apart, once a session.
//! - Success: what was read contains the recorded answer; a changed tree builds and all tests pass. A rename or a
//!   parameter must also be the recorded text, but for white space.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a bench prints"
)]

mod answers;
mod graftage_agent;
mod log;
mod mcp;
mod shell;
mod shell_agent;
mod table;
mod task;
mod tree;
mod words;

use std::fs;
use std::path::{Path, PathBuf};

use base::SortedMap;
use log::Log;
use mcp::Server;
use serde_json::json;
use shell_agent::Width;
use table::{Row, Run};
use task::{Ask, Edit, Recorded, Task};
use tree::Tree;

/// What the command line names.
struct Options {
    clones: PathBuf,
    program: PathBuf,
    work: PathBuf,
    transcripts: Option<PathBuf>,
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).filter(|it| it != "--bench").collect();
    let value =
        |name: &str| args.iter().position(|it| it == name).and_then(|at| args.get(at + 1)).cloned();
    let Some(folder) = args.first().filter(|it| !it.starts_with("--")) else {
        eprintln!("pass the folder of the clones; the head of this bench has the list");
        return;
    };
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let temporary = tempfile::tempdir().unwrap();
    let path = |name: &str, default: PathBuf| value(name).map_or(default, PathBuf::from);
    let options = Options {
        clones: folder.into(),
        program: fs::canonicalize(path("--program", here.join("../../target/release/graftage")))
            .unwrap(),
        work: path("--work", temporary.path().to_owned()),
        transcripts: value("--transcripts").map(PathBuf::from),
    };
    let (only, split) = (value("--only"), value("--split"));
    let wanted = |task: &Recorded| {
        only.as_ref().is_none_or(|it| task.id.contains(it.as_str()))
            && split.as_ref().is_none_or(|it| format!("{:?}", task.split).to_lowercase() == *it)
    };
    let mut tasks = task::read(&path("--tasks", here.join("benches/tasks")));
    tasks.retain(wanted);
    let rows: Vec<Row> = tasks.iter().map(|task| measured(task, &options)).collect();
    let lists = (log::tokens(shell::TOOLS), listed(&options));
    println!("{}", table::markdown(&rows, lists));
}

/// Runs both agents on a task.
fn measured(recorded: &Recorded, options: &Options) -> Row {
    let task = &recorded.resolved(&options.clones);
    let mut shell = SortedMap::new();
    for width in Width::of(task.kind) {
        let tree = Tree::lay_out(task, &options.clones, &options.work);
        if task.kind.changes() || *width == Width::Break {
            tree.cargo(&["test", "-q", "--offline", "--lib", "--tests", "--no-run"]);
        }
        tree.begin(task);
        let mut log = Log::new();
        shell_agent::run(task, &tree, *width, &mut log);
        let name = format!("{width:?}").to_lowercase();
        shell.insert(*width, outcome(task, &tree, &log, &options.transcripts, &name));
    }
    let tree = Tree::lay_out(task, &options.clones, &options.work);
    let state = tempfile::tempdir().unwrap();
    let mut server =
        Server::start(&options.program, &tree.root, state.path(), &options.work.join("cache"));
    if task.kind.changes() {
        server.uncounted("check", &json!({"tests": "all"}));
    }
    tree.begin(task);
    let mut log = Log::new();
    graftage_agent::run(task, &tree, &mut server, &mut log);
    drop(server);
    let graftage = outcome(task, &tree, &log, &options.transcripts, "graftage");
    let row = Row { id: task.id.clone(), kind: task.kind, split: task.split, shell, graftage };
    eprintln!("{}", table::line(&row));
    row
}

/// The figures of a run, and whether it was right.
fn outcome(task: &Task, tree: &Tree, log: &Log, to: &Option<PathBuf>, name: &str) -> Run {
    let wall = log.wall();
    if let Some(folder) = to {
        fs::create_dir_all(folder).unwrap();
        let call = |it: &log::Call| format!("## {} {}\n{}\n", it.tool, it.input, it.output);
        let text: String = log.calls.iter().map(call).collect();
        fs::write(folder.join(format!("{}-{name}.md", task.id)), text).unwrap();
    }
    let right = if task.kind.changes() {
        (!matches!(task.kind, Ask::Param | Ask::Rename) || is_as_recorded(task, tree))
            && tree.passes()
    } else {
        answers::done(task, tree, log)
    };
    Run { tokens: log.tokens(), calls: log.calls.len(), wall, right }
}

/// Whether the changed files have the recorded text, but for white space.
fn is_as_recorded(task: &Task, tree: &Tree) -> bool {
    let dense = |text: &str| text.split_whitespace().collect::<String>();
    let new_is_there = |edit: &Edit| {
        let text = dense(&tree.text(&edit.file));
        text.contains(&dense(&edit.new)) && !text.contains(&dense(&edit.old))
    };
    task.decided.iter().chain(&task.rest).all(new_is_there)
}

/// Tokens of graftage's tool list.
fn listed(options: &Options) -> usize {
    let state = tempfile::tempdir().unwrap();
    let cache = state.path().join("cache");
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    log::tokens(&Server::start(&options.program, root, state.path(), &cache).tools())
}
