//! Benchmark of a search: time by stage, index size, opening and building.
//!
//! ```text
//! cargo bench -p graftage-search --bench search                      # a synthetic project
//! cargo bench -p graftage-search --bench search -- --items 100000    # another size
//! cargo bench -p graftage-search --bench search -- --sources DIR     # the .rs files below DIR
//! cargo bench -p graftage-search --bench search -- --mode bm25       # one mode alone; --rounds N
//! ```
//!
//! Items of real sources are cut out by the look of their lines, which is enough to measure by. A
//! query's time is the least of several rounds; the percentiles are over queries: the first
//! sentences of doc comments, and whole doc comments. All times are processor time of the thread,
//! so that other work on the machine counts as little as it can; what it still costs – cold caches,
//! a lower clock – shows in a fixed loop of arithmetic and lookups that runs between the rounds.
//! The allocator is that of the shipped program. `digest` shows whether two builds give the
//! same answers.
#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a bench reads its arguments and files and prints its figures"
)]

mod corpus;
mod cost;

use std::hint::black_box;
use std::sync::Arc;
use std::time::Duration;

use base::Hasher;
use cost::{Reference, cpu};
use graftage_search::{
    Encoder, IndexBuilder, Intent, Mode, Query, SearchIndex, Searcher, StaticTable, file_terms,
};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    let args: Vec<String> = std::env::args().collect();
    if args.iter().any(|arg| arg == "--list") {
        return;
    }
    let after =
        |flag: &str| args.iter().position(|arg| arg == flag).and_then(|at| args.get(at + 1));
    let is_bench = args.iter().any(|arg| arg == "--bench");
    let rounds = after("--rounds").and_then(|text| text.parse().ok());
    let rounds = rounds.unwrap_or(if is_bench { 7 } else { 1 });
    let is_asked = |mode: Mode| after("--mode").is_none_or(|name| name == mode.as_str());
    let items = after("--items").and_then(|text| text.parse().ok());
    let corpus = match after("--sources") {
        Some(root) => corpus::read(root.as_ref()),
        None => corpus::made_up(items.unwrap_or(if is_bench { 50_000 } else { 300 })),
    };
    let bytes: usize = corpus.files.iter().map(|file| file.text.len()).sum();
    println!("{} files, {} items, {bytes} bytes", corpus.files.len(), corpus.map.item_count());

    let began = cpu();
    let terms: Vec<_> = (0..corpus.files.len()).map(|n| file_terms(&corpus.source(n))).collect();
    say("terms of all files", cpu() - began);
    let kept: usize = terms.iter().map(|terms| terms.to_bytes().len()).sum();
    println!("terms as kept: {kept} bytes");
    let table = StaticTable::embedded();
    let encoder: Option<&dyn Encoder> = table.word(0).map(|_| &table as _);
    let began = cpu();
    let vectors: Vec<_> =
        terms.iter().map(|terms| encoder.map(|encoder| terms.vectors(encoder))).collect();
    say("vectors of all files", cpu() - began);
    let began = cpu();
    let mut builder = IndexBuilder::new();
    for (n, terms) in terms.iter().enumerate() {
        builder.add(
            n as u32,
            corpus.files[n].first_item,
            terms.clone(),
            vectors[n].clone().map(Arc::new),
        );
    }
    let index = builder.finish(&corpus.map);
    say("index of all terms", cpu() - began);
    let index: Arc<Vec<u8>> = Arc::new(index);
    let open = || SearchIndex::open(Arc::clone(&index) as _).unwrap_or_else(|err| panic!("{err}"));
    say("open (checksums included)", least(rounds, || black_box(open()).epoch()));
    let index = open();
    println!(
        "index: {} bytes ({:.3} of the source); {} documents, {} terms",
        index.size(),
        index.size() as f64 / bytes as f64,
        index.document_count(),
        index.term_count()
    );

    let searcher = Searcher { encoder, ..Searcher::new(&corpus.map, &index) };
    let mut reference = Reference::default();
    for (what, queries) in [("sentence", &corpus.sentences), ("comment", &corpus.comments)] {
        for (mode, intent) in [
            (Mode::Bm25, Intent::Locate),
            (Mode::Bm25, Intent::Find),
            (Mode::Hybrid, Intent::Locate),
            (Mode::Hybrid, Intent::Find),
        ] {
            if !is_asked(mode) {
                continue;
            }
            let mut times: Vec<Duration> = Vec::new();
            let mut digest = Hasher::new();
            for text in queries {
                let query = Query { mode, intent: Some(intent), ..Query::new(text.as_str(), 10) };
                let answer = searcher.search(&query);
                let items = answer.hits.iter().map(|hit| hit.item);
                for number in items.chain(answer.files.iter().map(|file| file.file)) {
                    digest.field(&number.to_le_bytes());
                }
                times.push(least(rounds, || black_box(searcher.search(&query)).hits.len()));
                reference.measure();
            }
            times.sort_unstable();
            let at = |share: f64| {
                times.get((times.len() as f64 * share) as usize).copied().unwrap_or_default()
            };
            println!(
                "{what:<9} {:<7} {:<7} p50 {:?}, p90 {:?}, p99 {:?}; {}; digest {}",
                mode.as_str(),
                intent.as_str(),
                at(0.5),
                at(0.9),
                at(0.99),
                reference.take(),
                &digest.finish().to_string()[..8]
            );
        }
    }
    for mode in [Mode::Bm25, Mode::Hybrid].into_iter().filter(|mode| is_asked(*mode)) {
        stages(&searcher, &corpus.sentences, mode, rounds);
    }
}

/// Where the time goes.
fn stages(searcher: &Searcher<'_>, queries: &[String], mode: Mode, rounds: u32) {
    let clock = || cpu().as_nanos() as u64;
    let searcher = Searcher { clock: Some(&clock), ..*searcher };
    let mut sums: base::SortedMap<&'static str, (usize, u64)> = Default::default();
    for text in queries {
        let intent = Some(Intent::Locate);
        let query = Query { mode, intent, ..Query::new(text.as_str(), 10) };
        let mut best: Option<graftage_search::RankedHits> = None;
        for _ in 0..rounds {
            let answer = searcher.search(&query);
            let time = |answer: &graftage_search::RankedHits| -> u64 {
                answer.stages.iter().filter_map(|stage| stage.took_us).sum()
            };
            if best.as_ref().is_none_or(|best| time(&answer) < time(best)) {
                best = Some(answer);
            }
        }
        for (at, stage) in best.iter().flat_map(|best| &best.stages).enumerate() {
            let sum = sums.entry(stage.name).or_insert((at, 0));
            sum.1 += stage.took_us.unwrap_or(0);
        }
    }
    let mut sums: Vec<_> = sums.into_iter().collect();
    sums.sort_by_key(|(_, (at, _))| *at);
    for (name, (_, nanos)) in sums {
        println!(
            "{:<7} stage {name:<10} mean {:?}",
            mode.as_str(),
            Duration::from_nanos(nanos / queries.len().max(1) as u64)
        );
    }
}

fn say(what: &str, time: Duration) {
    println!("{what:<28} {time:?}");
}

fn least<T>(rounds: u32, mut run: impl FnMut() -> T) -> Duration {
    (0..rounds)
        .map(|_| {
            let began = cpu();
            black_box(run());
            cpu() - began
        })
        .min()
        .unwrap_or_default()
}
