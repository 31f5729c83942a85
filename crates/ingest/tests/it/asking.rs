//! Tests with the real rust-analyzer: in batch, and live during a watch.

use std::path::PathBuf;
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

use base::EdgeKind;
use build::{HostEnv, ToolchainProbe};
use graftage_ingest::{Hydrate, Index, IngestError, Options};
use testkit::{TempProject, TestHost};

use crate::filling::MemoryStore;
use crate::hydrating::edges;
use crate::kit::{opened, rows};

/// Generous: the machine may be busy with other tests.
const AMPLE: Duration = Duration::from_secs(600);

/// The machine's toolchain, as the command line passes it, and the cache directory.
#[allow(clippy::disallowed_methods)]
fn machine() -> (ToolchainProbe, PathBuf) {
    let var = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    let home = PathBuf::from(var("HOME").unwrap_or_else(|| "/root".into()));
    let cache = match (var("GRAFTAGE_HOME"), var("XDG_CACHE_HOME")) {
        (Some(own), _) => PathBuf::from(own).join("cache"),
        (None, Some(cache)) => PathBuf::from(cache).join("graftage"),
        (None, None) => home.join(".cache/graftage"),
    };
    let host = HostEnv {
        path: var("PATH").unwrap_or_default(),
        cargo_home: var("CARGO_HOME").map_or_else(|| home.join(".cargo"), PathBuf::from),
        rustup_home: var("RUSTUP_HOME").map_or_else(|| home.join(".rustup"), PathBuf::from),
        home,
        toolchain: None,
    };
    let (sandbox, require) = (testkit::inner::sandbox(), testkit::inner::level());
    let trust = build::Trust::default();
    (ToolchainProbe { sandbox, host, require, trust, cache: cache.clone() }, cache)
}

fn how(cache_dir: PathBuf) -> Hydrate {
    let (timeout, memory_bytes) = (Some(AMPLE), Some(4 << 30));
    Hydrate { cache_dir, runs_project_code: true, timeout, memory_bytes, program: None }
}

fn open(project: &TempProject, probe: &ToolchainProbe) -> Index {
    Index::open(&testkit::ctx(), &opened(project), Some(probe)).unwrap()
}

#[test]
fn rust_analyzer_runs_once_and_is_then_queried_about_saved_files() {
    let project = testkit::copy_crate("meanings");
    let (probe, cache) = machine();
    let (ctx, options) = (testkit::ctx(), Options::default());
    let mut index = open(&project, &probe);
    let before = project.digest();
    let run = match index.hydrate(&ctx, &options, &how(cache.clone())) {
        Ok(run) => run,
        Err(IngestError::Analyzer(error @ analyzer::AnalyzerError::NotFound { .. })) => {
            return testkit::skip(testkit::Need::RustAnalyzer, &error.to_string());
        }
        Err(error) => panic!("{error}"),
    };
    assert!(run.ran && run.degraded.is_none(), "{run:?}");
    assert_eq!((run.hydrated.files, run.hydrated.stale_files), (3, 0));
    assert!(run.hydrated.resolved_calls * 100 >= run.hydrated.calls * 98, "{run:?}");
    let middle = "CALLS pump::Pump::start ra x1".to_owned();
    assert!(edges(&rows(&index), "middle_started").contains(&middle));
    drop(index);
    // Results are not computed twice.
    let mut index = open(&project, &probe);
    let again = index.hydrate(&ctx, &options, &how(cache.clone())).unwrap();
    assert!(!again.ran);
    assert_eq!(again.hydrated, run.hydrated);
    assert_eq!(project.digest(), before, "nothing of the project may change");

    let signed = signatures(&index, "src/lib.rs");
    assert!(
        signed.iter().any(|it| it.ends_with("pub fn full(tanks: &[Tank]) -> bool")),
        "{signed:?}"
    );
    let host = TestHost::new();
    let mut live = index.live(&host.ctx(), host.clone(), &options, &how(cache)).unwrap();
    let (sender, reports) = channel();
    let ctx = host.ctx();
    let reader = index.reader();
    let watched = &mut index;
    std::thread::scope(|scope| {
        let watch = scope.spawn(move || {
            watched.watch_with(&ctx, &Options::default(), Some(&mut live), &mut |report| {
                // The receiver is dropped when the test has ended.
                let _ = sender.send(report.clone());
            })
        });
        reports.recv_timeout(AMPLE).unwrap();
        let text = project.read("src/lib.rs");
        let more = "\npub fn one_more(pumps: &mut [Pump]) -> bool {\n    \
            pumps.select_nth_unstable_by_key(0, |pump| pump.level()).1.start()\n}\n\n\
            include!(\"made.rs\");\n";
        project.write("src/made.rs", "pub fn included() -> u32 {\n    1\n}\n");
        project.write("src/lib.rs", format!("{text}{more}"));
        let until = Instant::now() + AMPLE;
        let caught_up = loop {
            let report = reports.recv_timeout(until.saturating_duration_since(Instant::now()));
            let report = report.unwrap();
            let stale = report.analyzer.as_ref().map(|it| it.stale_files);
            if report.epoch > 0 && stale == Some(0) && !reader.map().by_name("one_more").is_empty()
            {
                break report;
            }
        };
        let data = reader.map().to_data().unwrap();
        let all = edges(&data, "one_more");
        assert!(all.contains(&middle), "{all:?} {caught_up:?}");
        assert!(edges(&data, "middle_started").contains(&middle));
        host.cancel();
        assert!(watch.join().unwrap().is_ok());
    });
    // Queried one by one, items have the same signatures as in the full run.
    let mut live = signatures(&index, "src/lib.rs");
    let is_new = |line: &String| line.contains("one_more");
    assert_eq!(live.iter().filter(|it| is_new(it)).count(), 1, "{live:?}");
    live.retain(|it| !is_new(it));
    assert_eq!(live, signed);
    let (map, signatures_now) = (index.map(), index.signatures());
    let generated = map.items().filter_map(|item| {
        let file = map.file(item.file)?;
        signatures_now.item_facts(file.path, file.hash, item.id())?.generated.first().cloned()
    });
    let generated: Vec<_> =
        generated.map(|it| format!("{} {}: {}", it.kind, it.path, it.signature)).collect();
    assert_eq!(generated, ["function included: pub fn included() -> u32"]);
    // The generated item has a row, contained in that of the call.
    let store = MemoryStore::default();
    index.fill_store(&testkit::ctx(), &store).unwrap();
    let content = store.0.lock().unwrap();
    let row = content.1.nodes.iter().find(|node| node.kind == "macro_interface").unwrap();
    assert_eq!(row.canon, "meanings/meanings::included");
    assert_eq!(row.declaration.ra_signature.as_deref(), Some("pub fn included() -> u32"));
    assert!(row.ra_hydrated_ts.is_some());
    let holder = content.1.edges.iter().find(|edge| edge.dst == row.id).unwrap();
    let call = content.1.nodes.iter().find(|node| node.id == holder.src).unwrap();
    assert_eq!(
        (call.kind.as_str(), call.location.file_path.as_str()),
        ("macro_call", "src/lib.rs")
    );
    assert_eq!(holder.kind, EdgeKind::Contains);
}

/// The items of a file with their signatures.
fn signatures(index: &Index, path: &str) -> Vec<String> {
    let (map, signatures) = (index.map(), index.signatures());
    let file = |number: u32| map.file(number).filter(|file| file.path == path);
    map.items()
        .filter_map(|item| {
            let file = file(item.file)?;
            let text = signatures.item_facts(file.path, file.hash, item.id())?.signature?;
            Some(format!("{} {text}", item.canon()))
        })
        .collect()
}

#[test]
fn without_rust_analyzer_the_map_stays_and_the_error_has_a_hint() {
    let project = testkit::copy_crate("meanings");
    let (mut probe, _) = machine();
    probe.host.path = project.beside("empty").into();
    let mut index = open(&project, &probe);
    let nowhere = Hydrate {
        program: Some(PathBuf::from("/usr/bin/true")),
        ..how(project.beside("empty-cache"))
    };
    let error = index.hydrate(&testkit::ctx(), &Options::default(), &nowhere).unwrap_err();
    assert!(base::Hint::hint(&error).is_some(), "{error}");
    assert!(index.map().item_count() > 0);
}
