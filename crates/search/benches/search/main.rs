//! What a search costs: time by stage, size, opening and building.
//!
//! ```text
//! cargo bench -p graftage-search --bench search                      # a made-up project
//! cargo bench -p graftage-search --bench search -- --items 100000    # another size
//! cargo bench -p graftage-search --bench search -- --sources DIR     # the .rs files below DIR
//! ```
//!
//! Items of real sources are cut out by the look of their lines, which is enough to measure by. A
//! query's time is the least of several rounds; the percentiles are over queries: the first
//! sentences of doc comments, and whole doc comments.
#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a bench reads its arguments and files and prints its figures"
)]

mod corpus;

use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

use graftage_search::{
    Encoder, IndexBuilder, Intent, Mode, Query, SearchIndex, Searcher, StaticTable, file_terms,
};

fn main() {
    let args: Vec<String> = std::env::args().collect();
    if args.iter().any(|arg| arg == "--list") {
        return;
    }
    let after =
        |flag: &str| args.iter().position(|arg| arg == flag).and_then(|at| args.get(at + 1));
    let is_bench = args.iter().any(|arg| arg == "--bench");
    let rounds = if is_bench { 7 } else { 1 };
    let items = after("--items").and_then(|text| text.parse().ok());
    let corpus = match after("--sources") {
        Some(root) => corpus::read(root.as_ref()),
        None => corpus::made_up(items.unwrap_or(if is_bench { 50_000 } else { 300 })),
    };
    let bytes: usize = corpus.files.iter().map(|file| file.text.len()).sum();
    println!("{} files, {} items, {bytes} bytes", corpus.files.len(), corpus.map.item_count());

    let began = Instant::now();
    let terms: Vec<_> = (0..corpus.files.len()).map(|n| file_terms(&corpus.source(n))).collect();
    say("terms of all files", began.elapsed());
    let kept: usize = terms.iter().map(|terms| terms.to_bytes().len()).sum();
    println!("terms as kept: {kept} bytes");
    let table = StaticTable::embedded();
    let encoder: Option<&dyn Encoder> = (table.word_count() > 0).then_some(&table as _);
    let began = Instant::now();
    let vectors: Vec<_> =
        terms.iter().map(|terms| encoder.map(|encoder| terms.vectors(encoder))).collect();
    say("vectors of all files", began.elapsed());
    let began = Instant::now();
    let mut builder = IndexBuilder::new();
    for (n, terms) in terms.iter().enumerate() {
        builder.add(n as u32, corpus.files[n].first_item, terms, vectors[n].as_ref());
    }
    let index = builder.finish(&corpus.map);
    say("index of all terms", began.elapsed());
    let index: Arc<Vec<u8>> = Arc::new(index);
    let open = || SearchIndex::open(Arc::clone(&index) as _).unwrap_or_else(|err| panic!("{err}"));
    say("open (checksums included)", least(rounds, || black_box(open()).epoch()));
    let index = open();
    let words = index.size() - index.vector_bytes();
    println!(
        "index: {words} bytes of words ({:.3} of the source), {} of vectors; {} documents, {} terms",
        words as f64 / bytes as f64,
        index.vector_bytes(),
        index.document_count(),
        index.term_count()
    );

    let searcher = Searcher { encoder, ..Searcher::new(&corpus.map, &index) };
    for (what, queries) in [("sentence", &corpus.sentences), ("comment", &corpus.comments)] {
        for (mode, intent) in [
            (Mode::Bm25, Intent::Locate),
            (Mode::Hybrid, Intent::Locate),
            (Mode::Hybrid, Intent::Find),
        ] {
            let mut times: Vec<Duration> = Vec::new();
            for text in queries {
                let query = Query { mode, intent: Some(intent), ..Query::new(text.as_str(), 10) };
                times.push(least(rounds, || black_box(searcher.search(&query)).hits.len()));
            }
            times.sort_unstable();
            let at = |share: f64| {
                times.get((times.len() as f64 * share) as usize).copied().unwrap_or_default()
            };
            println!(
                "{what:<9} {:<7} {:<7} p50 {:?}, p90 {:?}, p99 {:?}",
                mode.as_str(),
                intent.as_str(),
                at(0.5),
                at(0.9),
                at(0.99)
            );
        }
    }
    stages(&searcher, &corpus.sentences, rounds);
}

/// Where the time goes.
fn stages(searcher: &Searcher<'_>, queries: &[String], rounds: u32) {
    let began = Instant::now();
    let clock = move || began.elapsed().as_nanos() as u64;
    let searcher = Searcher { clock: Some(&clock), ..*searcher };
    let mut sums: std::collections::BTreeMap<&'static str, (usize, u64)> = Default::default();
    for text in queries {
        let query = Query { intent: Some(Intent::Locate), ..Query::new(text.as_str(), 10) };
        let mut best: Option<graftage_search::Answer> = None;
        for _ in 0..rounds {
            let answer = searcher.search(&query);
            let time = |answer: &graftage_search::Answer| -> u64 {
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
            "stage {name:<10} mean {:?}",
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
            let began = Instant::now();
            black_box(run());
            began.elapsed()
        })
        .min()
        .unwrap_or_default()
}
