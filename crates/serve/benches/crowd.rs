//! `cargo bench -p graftage-serve --bench crowd -- --strangers 10000 --clients 8 --calls 10000`: opens that many
//! connections without a token while a client works, then runs mixed calls of several clients while
//! files change; prints times, memory and descriptors of the server's process (this one).

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a bench prints its figures")]

#[path = "../tests/it/support.rs"]
#[allow(dead_code, reason = "shared with the tests")]
mod support;

use std::io::Write as _;
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use serde_json::json;
use support::{Client, Era, Running, serve};
use testkit::TempProject;

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let number = |name: &str, default: usize| {
        let at = args.iter().position(|arg| arg == name);
        at.and_then(|at| args.get(at + 1)).and_then(|n| n.parse().ok()).unwrap_or(default)
    };
    let project = project(200);
    let server = serve(&project);
    Client::connect(&server, Era::Handshake, json!({}))
        .call("search", json!({"query": "x"}))
        .unwrap();
    strangers(&server, number("--strangers", 10_000));
    clients(&project, &server, number("--clients", 8), number("--calls", 10_000));
}

/// A crate of `modules` modules with ten functions each.
fn project(modules: usize) -> TempProject {
    let project = testkit::crate_project("\n//- /src/lib.rs\n");
    let mut root = String::new();
    for module in 0..modules {
        root.push_str(&format!("pub mod part{module};\n"));
        project.write(&format!("src/part{module}.rs"), module_text(module, 0));
    }
    project.write("src/lib.rs", root);
    project.git();
    project
}

fn module_text(module: usize, version: usize) -> String {
    let function = |n: usize| {
        format!(
            "/// Parses the header of record {n} in part {module}, version {version}.\n\
             pub fn parse_record_{n}(input: &str) -> usize {{ input.len() + {version} }}\n"
        )
    };
    (0..10).map(function).collect()
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

fn clients(project: &TempProject, server: &Running, count: usize, calls: usize) {
    let (left, stop) = (AtomicUsize::new(calls), AtomicBool::new(false));
    let (before, started) = (usage(), Instant::now());
    let mut all: Vec<(&str, Duration)> = Vec::new();
    let run = |seed: usize| {
        let era = if seed.is_multiple_of(2) { Era::Handshake } else { Era::Discover };
        let mut client = Client::connect(server, era, json!({}));
        let mut times = Vec::new();
        while left
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |it| it.checked_sub(1))
            .is_ok()
        {
            let n = times.len() * 7 + seed;
            let item = format!("part{}::parse_record_{}", n % 200, n % 10);
            let (tool, arguments) = match n % 8 {
                0..=4 => ("search", json!({"query": format!("header of record {}", n % 10)})),
                5 => ("show", json!({"item": item})),
                6 => ("graph", json!({"kind": "callers", "item": item})),
                _ => ("context", json!({"task": "parse a record", "budget": 500})),
            };
            let started = Instant::now();
            client.call(tool, arguments).unwrap();
            times.push((tool, started.elapsed()));
        }
        times
    };
    let run = &run;
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut version = 0;
            while !stop.load(Ordering::Relaxed) {
                version += 1;
                let module = version % 200;
                project.write(&format!("src/part{module}.rs"), module_text(module, version));
                std::thread::sleep(Duration::from_millis(100));
            }
        });
        let threads: Vec<_> = (0..count).map(|seed| scope.spawn(move || run(seed))).collect();
        for thread in threads {
            all.extend(thread.join().unwrap());
        }
        stop.store(true, Ordering::Relaxed);
    });
    println!(
        "clients: {count}, {} calls in {:.1?}; before {before}, after {}",
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
