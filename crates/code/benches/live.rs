//! Many readers of one workspace that is kept current, while its files change.
//!
//! `cargo bench -p graftage-code --bench live -- DIR [CALLS] [CLIENTS] [SAVES_PER_SECOND] [PAUSE_MS]`
//! answers mixed calls on a copy of the project DIR, each client with this pause between two, and prints
//! the latencies of each kind, in milliseconds; then the time from a save to the first search that has
//! it.

#![allow(clippy::disallowed_methods, clippy::print_stdout, clippy::unwrap_used)]

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use base::{Ctx, SortedMap};
use graftage_code::{
    ContextRequest, Follower, SearchRequest, WalkRequest, callers, context, search, show,
};
use project::{FileAccess, Settings, Surroundings, SystemHost, Workspace};

const WORDS: [&str; 8] = [
    "spawn a task on the runtime",
    "read half of a socket",
    "sleep until a deadline",
    "channel is closed",
    "where is the thread pool shut down",
    "Semaphore",
    "decode a frame",
    "cancel safety of select",
];

fn main() {
    let args: Vec<String> = std::env::args().skip(1).filter(|it| it != "--bench").collect();
    let Some(source) = args.first().filter(|it| Path::new(it).is_dir()) else {
        println!("pass the directory of a project");
        return;
    };
    let number = |at: usize, or: usize| args.get(at).and_then(|it| it.parse().ok()).unwrap_or(or);
    let (calls, clients, saves) = (number(1, 10_000), number(2, 8), number(3, 1));
    let pause = Duration::from_millis(number(4, 0) as u64);
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().join("project");
    assert!(
        std::process::Command::new("cp")
            .arg("-a")
            .arg(source)
            .arg(&root)
            .status()
            .unwrap()
            .success()
    );
    let surroundings = Surroundings {
        cache_dir: dir.path().join("cache"),
        state_dir: dir.path().join("state"),
        config_file: dir.path().join("none.toml"),
        ..Surroundings::of_process().unwrap()
    };
    let ctx = Ctx::new(Arc::new(SystemHost::new(Arc::default(), |_| {})));
    let sandbox = testkit::inner::sandbox();
    let settings = Settings::default();
    let workspace = Workspace::open(&ctx, &root, &settings, &surroundings, sandbox).unwrap();
    let workspace = Arc::new(workspace);
    let _follower = Follower::start(&ctx, &workspace).unwrap();
    let began = Instant::now();
    search(&ctx, &workspace, &SearchRequest::new(WORDS[0], 5)).unwrap();
    println!("first answer: {:.0} ms", began.elapsed().as_secs_f64() * 1e3);
    let taken: Mutex<SortedMap<&str, Vec<f64>>> = Mutex::default();
    let (next, is_done) = (AtomicUsize::new(0), AtomicBool::new(false));
    let began = Instant::now();
    std::thread::scope(|scope| {
        let readers: Vec<_> = (0..clients)
            .map(|_| {
                scope.spawn(|| {
                    loop {
                        let call = next.fetch_add(1, Ordering::Relaxed);
                        if call >= calls {
                            break;
                        }
                        let (kind, ms) = answer(&ctx, &workspace, call);
                        taken.lock().unwrap().entry(kind).or_default().push(ms);
                        std::thread::sleep(pause);
                    }
                })
            })
            .collect();
        let writer = scope.spawn(|| change(&root, saves, &is_done));
        readers.into_iter().for_each(|it| it.join().unwrap());
        is_done.store(true, Ordering::Relaxed);
        println!("saves: {}", writer.join().unwrap());
    });
    println!("{calls} calls of {clients} clients in {:.1} s", began.elapsed().as_secs_f64());
    for (kind, mut ms) in taken.into_inner().unwrap() {
        ms.sort_by(f64::total_cmp);
        let at = |share: f64| ms[((ms.len() - 1) as f64 * share) as usize];
        println!(
            "{kind:8} {:6} calls, p50 {:.2}, p99 {:.2}, max {:.2}",
            ms.len(),
            at(0.5),
            at(0.99),
            at(1.0)
        );
    }
    let mut ms: Vec<f64> = (0..20).map(|n| catch_up(&ctx, &workspace, &root, n)).collect();
    ms.sort_by(f64::total_cmp);
    println!("from a save to a search that has it: p50 {:.0}, max {:.0}", ms[10], ms[19]);
    println!("peak RSS {:.0} MB", project::peak_rss_bytes().unwrap_or(0) as f64 / 1e6);
}

/// One call: half of them searches.
fn answer(ctx: &Ctx, workspace: &Workspace, call: usize) -> (&'static str, f64) {
    let words = WORDS[(call / 2) % WORDS.len()];
    let began = Instant::now();
    let kind = match call % 8 {
        0 | 2 | 4 | 6 => {
            // Other words each time: no answer is from the cache.
            let query = format!("{words} {call}");
            search(ctx, workspace, &SearchRequest::new(query, 10)).unwrap();
            "search"
        }
        1 => {
            context(ctx, workspace, &ContextRequest::new(words, 2_000)).unwrap();
            "context"
        }
        3 | 5 => {
            let _ = show(ctx, workspace, "Semaphore::acquire", FileAccess::Agent);
            "show"
        }
        _ => {
            let _ = callers(ctx, workspace, &walk());
            "callers"
        }
    };
    (kind, began.elapsed().as_secs_f64() * 1e3)
}

fn walk() -> WalkRequest {
    WalkRequest {
        item: "Semaphore::acquire".to_owned(),
        depth: 2,
        kinds: Vec::new(),
        limit: 50,
        only_proven: false,
    }
}

/// The time from a save to the first search that has it.
fn catch_up(ctx: &Ctx, workspace: &Workspace, root: &Path, n: usize) -> f64 {
    let files = testkit::rust_files(root);
    std::thread::sleep(Duration::from_millis(500));
    let file = &files[n * 41 % files.len()];
    let text = std::fs::read_to_string(file).unwrap();
    std::fs::write(file, format!("{text}\nfn caught_up_{n}() {{}}\n")).unwrap();
    let began = Instant::now();
    let request = SearchRequest::new(format!("caught_up_{n}"), 5);
    while !search(ctx, workspace, &request).unwrap().pending.is_empty() {
        std::thread::sleep(Duration::from_millis(1));
    }
    began.elapsed().as_secs_f64() * 1e3
}

/// Saves files of the project until the readers are done.
fn change(root: &Path, per_second: usize, is_done: &AtomicBool) -> usize {
    if per_second == 0 {
        return 0;
    }
    let files = testkit::rust_files(root);
    let mut saved = 0;
    while !is_done.load(Ordering::Relaxed) {
        let file = &files[saved * 37 % files.len()];
        let text = std::fs::read_to_string(file).unwrap();
        std::fs::write(file, format!("{text}\n// saved {saved}\nfn saved_{saved}() {{}}\n"))
            .unwrap();
        saved += 1;
        std::thread::sleep(Duration::from_micros(1_000_000 / per_second as u64));
    }
    saved
}
