//! `cargo bench -p graftage-serve --bench crowd -- [--project DIR] [--strangers 10000] [--clients 8]
//! [--calls 10000] [--pause MS] [--saves MS]`: opens that many connections without a token while a client
//! works, then runs mixed calls of several clients, with pauses of up to twice this time at random between two
//! calls of one (clients that know nothing of each other do not call at the same moment), while a file is
//! saved in this interval; on a copy of the project, or on a generated one. Prints times, memory and
//! descriptors of the server's process (this one), and fails where an answer mixes two states of a file.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a bench prints its figures")]

#[path = "../tests/it/support.rs"]
#[allow(dead_code, reason = "shared with the tests")]
mod support;

use std::io::Write as _;
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use base::SortedMap;
use serde_json::{Value, json};
use support::{Client, Era, Running, serve};
use testkit::{Chance, TempProject};

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let value = |name: &str| {
        let at = args.iter().position(|arg| arg == name)?;
        args.get(at + 1)
    };
    let number = |name: &str, default: usize| {
        value(name).and_then(|text| text.parse().ok()).unwrap_or(default)
    };
    let project =
        value("--project").map_or_else(|| generated(200), |folder| copied(folder.as_ref()));
    let server = serve(&project);
    let started = Instant::now();
    Client::connect(&server, Era::Handshake, json!({}))
        .call("search", json!({"query": "x"}))
        .unwrap();
    println!("first answer: {:.0?}", started.elapsed());
    strangers(&server, number("--strangers", 10_000));
    let load = Load {
        clients: number("--clients", 8),
        calls: number("--calls", 10_000),
        pause: Duration::from_millis(number("--pause", 0) as u64),
        saves: Duration::from_millis(number("--saves", 1000).max(1) as u64),
    };
    clients(&Tree::of(&project), &server, &load);
}

/// A crate of `modules` modules with ten functions each.
fn generated(modules: usize) -> TempProject {
    let project = testkit::crate_project("\n//- /src/lib.rs\n");
    let mut root = String::new();
    for module in 0..modules {
        root.push_str(&format!("pub mod part{module};\n"));
        let function = |n: usize| {
            format!(
                "/// Parses the header of record {n} in part {module}.\n\
                 pub fn parse_record_{n}(input: &str) -> usize {{ input.len() }}\n"
            )
        };
        project.write(&format!("src/part{module}.rs"), (0..10).map(function).collect::<String>());
    }
    project.write("src/lib.rs", root);
    project.git();
    project
}

/// A copy of a project.
fn copied(folder: &Path) -> TempProject {
    let project = testkit::crate_project("\n//- /src/lib.rs\n");
    std::fs::remove_dir_all(project.root()).unwrap();
    let copy = std::process::Command::new("cp").arg("-a").arg(folder).arg(project.root()).status();
    assert!(copy.unwrap().success());
    project
}

/// What the clients do.
struct Load {
    clients: usize,
    calls: usize,
    pause: Duration,
    saves: Duration,
}

/// The files that are saved: each has two functions, of one save, at its end.
struct Tree {
    files: Vec<(PathBuf, String)>,
    /// Names of functions to ask for.
    names: Vec<String>,
}

impl Tree {
    fn of(project: &TempProject) -> Self {
        let paths = testkit::rust_files(project.root());
        let read = |path: PathBuf| Some((path.clone(), std::fs::read_to_string(path).ok()?));
        let files: Vec<(PathBuf, String)> = paths.into_iter().filter_map(read).collect();
        let names = files.iter().flat_map(|(_, text)| text.split("pub fn ").skip(1).take(3));
        let names = names.map(|rest| rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_'));
        let names = names.map(String::from_iter).filter(|name| !name.is_empty()).collect();
        Self { files, names }
    }

    fn save(&self, n: usize) {
        let (path, text) = &self.files[n * 37 % self.files.len()];
        let text = format!("{text}\nfn saved_first_{n}() {{}}\nfn saved_second_{n}() {{}}\n");
        std::fs::write(path, text).unwrap();
    }
}

fn strangers(server: &Running, count: usize) {
    let (before, mut open, mut refused) = (usage(), Vec::new(), 0);
    let mut times = Vec::new();
    for number in 0..count {
        match TcpStream::connect(server.address) {
            Ok(mut stream) => {
                let _ = stream.write_all(b"POST /mcp HTTP/1.1\r\nHost");
                open.push(stream);
            }
            Err(_) => refused += 1,
        }
        if number % (count / 20).max(1) == 0 {
            let started = Instant::now();
            let mut client = Client::connect(server, Era::Handshake, json!({}));
            client.call("search", json!({"query": "parse record"})).unwrap();
            times.push(started.elapsed());
        }
    }
    let (held, slowest) = (open.len(), times.iter().max().copied().unwrap_or_default());
    drop(open);
    std::thread::sleep(Duration::from_millis(500));
    println!(
        "strangers: {held} connections, {refused} not connected; a client meanwhile: {} sessions with a \
         search, slowest {slowest:.1?}; before {before}, after {}",
        times.len(),
        usage()
    );
}

const WORDS: [&str; 6] = [
    "where is a record parsed",
    "read half of a socket",
    "sleep until a deadline",
    "channel is closed",
    "saved first or second",
    "cancel safety",
];

/// The `n`th call of a client.
fn request(tree: &Tree, n: usize) -> (&'static str, Value) {
    let words = WORDS[n % WORDS.len()];
    let item = tree.names.get(n * 31 % tree.names.len().max(1)).map_or("main", String::as_str);
    match n % 8 {
        // Other words each time: no answer is from the cache.
        0..=3 => ("search", json!({"query": format!("{words} {n}")})),
        4 => ("context", json!({"task": words, "budget": 1000})),
        5 | 6 => ("show", json!({"item": item})),
        _ => ("graph", json!({"kind": "callers", "item": item})),
    }
}

/// Whether the functions of one file in an answer are all of one save.
fn is_of_one_state(answer: &Value) -> bool {
    let mut saves: SortedMap<&str, &str> = SortedMap::new();
    let hits = answer["hits"].as_array().into_iter().flatten();
    hits.filter_map(|hit| Some((hit["at"].as_str()?, hit["item"].as_str()?)))
        .filter_map(|(at, item)| {
            let save = item.rsplit_once("saved_")?.1.rsplit_once('_')?.1;
            Some((at.split_once(':')?.0, save))
        })
        .all(|(path, save)| *saves.entry(path).or_insert(save) == save)
}

fn clients(tree: &Tree, server: &Running, load: &Load) {
    let (left, stop) = (AtomicUsize::new(load.calls), AtomicBool::new(false));
    let (before, started) = (usage(), Instant::now());
    let mut all: Vec<(&str, Duration)> = Vec::new();
    let run = |seed: usize| {
        let era = if seed.is_multiple_of(2) { Era::Handshake } else { Era::Discover };
        let mut client = Client::connect(server, era, json!({}));
        let (mut times, mut chance) = (Vec::new(), Chance::new(seed as u64));
        let take = |left: usize| left.checked_sub(1);
        while let Ok(n) = left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take) {
            let (tool, arguments) = request(tree, n);
            let started = Instant::now();
            // A name may be ambiguous, or gone with the save.
            let answer = client.call(tool, arguments);
            times.push((tool, started.elapsed()));
            assert!(answer.as_ref().is_ok_and(is_of_one_state) || tool != "search", "{answer:?}");
            let longest = 2 * load.pause.as_micros() as u64;
            std::thread::sleep(Duration::from_micros(chance.below(longest + 1)));
        }
        times
    };
    let run = &run;
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut saves = 0;
            while !stop.load(Ordering::Relaxed) {
                saves += 1;
                tree.save(saves);
                std::thread::sleep(load.saves);
            }
            println!("saves: {saves}");
        });
        let threads: Vec<_> =
            (0..load.clients).map(|seed| scope.spawn(move || run(seed))).collect();
        for thread in threads {
            all.extend(thread.join().unwrap());
        }
        stop.store(true, Ordering::Relaxed);
    });
    println!(
        "clients: {}, {} calls in {:.1?}; before {before}, after {}",
        load.clients,
        all.len(),
        started.elapsed(),
        usage()
    );
    for tool in ["search", "show", "graph", "context"] {
        let mut times: Vec<Duration> =
            all.iter().filter(|it| it.0 == tool).map(|it| it.1).collect();
        times.sort();
        let at = |share: usize| times.get(times.len() * share / 100).copied().unwrap_or_default();
        println!("  {tool}: {} calls, p50 {:.2?}, p99 {:.2?}", times.len(), at(50), at(99));
    }
}

/// Memory and descriptors of this process.
fn usage() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let rss =
        status.lines().find_map(|it| it.strip_prefix("VmRSS:")).unwrap_or("?").trim().to_owned();
    let open = std::fs::read_dir("/proc/self/fd").map(Iterator::count).unwrap_or(0);
    format!("{rss}, {open} descriptors")
}
