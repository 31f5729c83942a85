//! Benchmark of the map: size, opening, writing, lookups and traversals.
//!
//! ```text
//! cargo bench -p graftage-graph --bench map                      # a synthetic map as large as
//! tokio's
//! cargo bench -p graftage-graph --bench map -- --items 200000    # another size
//! cargo bench -p graftage-graph --bench map -- --map index.bin   # a map that `index` wrote
//! ```
//!
//! Prints CPU time of this thread; each figure is the minimum of several rounds.
#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a bench reads its arguments and prints its figures"
)]

use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

use base::{ContentHash, EdgeKind, ItemId, ItemKind, ProjectPath, Provenance, Tier};
use graftage_graph::{
    EdgeRow, FileFlags, FileRow, HopQuery, ItemFlags, ItemRow, Map, MapData, SiteRow, Traversal,
};

fn main() {
    let args: Vec<String> = std::env::args().collect();
    if args.iter().any(|arg| arg == "--list") {
        return;
    }
    let after =
        |flag: &str| args.iter().position(|arg| arg == flag).and_then(|at| args.get(at + 1));
    let rounds = if args.iter().any(|arg| arg == "--bench") { 20 } else { 1 };
    let bytes = match after("--map") {
        Some(path) => std::fs::read(path).unwrap_or_else(|error| panic!("{path}: {error}")),
        None => {
            let items = after("--items").and_then(|text| text.parse().ok()).unwrap_or(17_500);
            synthetic_map(if rounds == 1 { items.min(500) } else { items }).to_bytes()
        }
    };
    let bytes: Arc<Vec<u8>> = Arc::new(bytes);
    let open = || Map::open(Arc::clone(&bytes) as _).unwrap_or_else(|error| panic!("{error}"));
    let map = open();
    let items = map.item_count();
    println!(
        "{} bytes: {items} items, {} edges, {} sites, {} unresolved sites",
        bytes.len(),
        map.edge_count(),
        map.site_count(),
        map.unresolved_count()
    );
    let data = map.to_data().unwrap_or_else(|error| panic!("{error}"));
    report("open (checksum included)", least(rounds, || black_box(open()).epoch()));
    report("to_data", least(rounds, || black_box(map.to_data()).is_ok()));
    report("to_bytes", least(rounds, || black_box(data.to_bytes()).len()));
    report("all items with their paths", least(rounds, || map.items_with_canons().count()));

    let sample: Vec<u32> = (0..200).map(|n| n * (items / 200).max(1) % items).collect();
    let canons: Vec<String> =
        sample.iter().filter_map(|n| map.item(*n)).map(|item| item.canon()).collect();
    let per_one = |time: Duration| time / 200;
    report(
        "find by path",
        per_one(least(rounds.min(3), || canons.iter().map(|c| map.find(c).len()).sum::<usize>())),
    );
    let ids: Vec<ItemId> =
        sample.iter().filter_map(|n| map.item(*n)).map(|item| item.id()).collect();
    report("by_id", per_one(least(rounds, || ids.iter().filter_map(|id| map.by_id(*id)).count())));
    report("item", per_one(least(rounds, || sample.iter().filter_map(|n| map.item(*n)).count())));
    let count = |ask: &dyn Fn(u32) -> usize| {
        let mut times: Vec<Duration> =
            sample.iter().map(|item| least(rounds.min(5), || black_box(ask(*item)))).collect();
        times.sort_unstable();
        times
    };
    for (name, times) in [
        ("two hops", count(&|item| map.hops(&[item], &HopQuery::NEAR).len())),
        ("callers", count(&|item| map.callers(item, &Traversal::CALLS).items.len())),
        ("impact", count(&|item| map.impact(&[item], &Traversal::IMPACT).answer.items.len())),
        ("path", count(&|item| map.path(item, 0, &Traversal::IMPACT).map_or(0, |p| p.edges.len()))),
    ] {
        println!("{name:<28} p50 {:?}, p99 {:?}", times[100], times[197]);
    }
}

fn report(name: &str, time: Duration) {
    println!("{name:<28} {time:?}");
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

/// A map of modules with types and methods: three edges per item, one site per edge.
fn synthetic_map(items: u32) -> MapData {
    let per_file = 60;
    let mut data = MapData { epoch: 1, ..MapData::default() };
    for n in 0..items.div_ceil(per_file) {
        data.files.push(FileRow {
            path: ProjectPath::new(&format!("src/module_{:03}/part_{}.rs", n / 5, n % 5))
                .unwrap_or_else(|error| panic!("{error}")),
            hash: ContentHash::of(&n.to_le_bytes()),
            len: 20_000,
            lines: 600,
            parse_errors: 0,
            flags: FileFlags::default(),
        });
    }
    for n in 0..items {
        let (file, at) = (n / per_file, n % per_file);
        let path = format!("module_{:03}::part_{}", file / 5, file % 5);
        let inner = format!("Kind{}::method_number_{}", at / 6, at);
        let start = at * 330;
        data.items.push(ItemRow {
            id: ItemId::of(&format!("lib/lib::{path}::{inner}"), "method", ""),
            key: format!("src/module_{:03}-part_{}.rs-{inner}", file / 5, file % 5),
            canon: format!("lib/lib::{path}::{inner}"),
            disambiguator: String::new(),
            kind: ItemKind::Method,
            name: format!("method_number_{at}"),
            krate: u32::MAX,
            file,
            parent: Some(n - at % 6),
            span: (start, start + 320),
            code_start: start + 40,
            signature_end: start + 90,
            name_span: (start + 47, start + 63),
            line: at * 10 + 2,
            end_line: at * 10 + 9,
            visibility: "pub".to_owned(),
            token_hash: ContentHash::of(&n.to_le_bytes()),
            parse_errors: 0,
            cfg: String::new(),
            flags: ItemFlags::default(),
        });
    }
    // A few items are targets of many edges, most of few.
    let mut random = 1u64;
    let mut next = |below: u32| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        ((random >> 33) as u32) % below.max(1)
    };
    for src in 0..items {
        for kind in [EdgeKind::Contains, EdgeKind::Calls, EdgeKind::Uses] {
            let dst = if next(4) == 0 { next(items / 100) } else { next(items) };
            data.edges.push(EdgeRow {
                src,
                kind,
                dst,
                tier: if next(10) == 0 { Tier::Candidate } else { Tier::Proven },
                provenance: Provenance::Syntax,
                rule: 1,
                weight: 1,
            });
            if kind != EdgeKind::Contains {
                data.sites.push(SiteRow {
                    edge: data.edges.len() as u32 - 1,
                    file: src / per_file,
                    offset: next(20_000),
                    line: next(600),
                });
            }
        }
    }
    data.normalise();
    data
}
