use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use base::{Ctx, Severity, SortedSet};
use build::{CargoEnv, HostEnv};
use graftage_analyzer::scip::{Facts, calls};
use graftage_analyzer::session::{
    Health, LspPosition, LspRange, Sandboxed, Session, SessionLimits, SessionSettings,
};
use graftage_analyzer::{
    Analyzer, AnalyzerError, AnalyzerSearch, BatchOptions, Features, IndexedProject, locate,
    scip_batch,
};
use sandbox::{Mount, View};

/// The machine's toolchain, as the command line configures it.
#[allow(clippy::disallowed_methods)]
fn env(ctx: &Ctx, root: &Path) -> (CargoEnv, PathBuf) {
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
    let sandbox = testkit::inner::sandbox();
    let require = sandbox::Level::Standard;
    let trust = build::Trust::default();
    let toolchain = build::locate_toolchain(ctx, &sandbox, &host, root, &trust, require).unwrap();
    let env = CargoEnv {
        sandbox,
        host,
        toolchain,
        require,
        trust,
        cache: cache.clone(),
        offline: true,
        jobs: None,
    };
    (env, cache)
}

/// rust-analyzer, unless the machine has none.
fn analyzer(ctx: &Ctx, env: &CargoEnv, cache: &Path) -> Option<Analyzer> {
    let search = AnalyzerSearch {
        explicit: None,
        toolchain: &env.toolchain,
        host: &env.host,
        cache_dir: cache,
        require: env.require,
    };
    match locate(ctx, &env.sandbox, &search) {
        Ok(analyzer) => Some(analyzer),
        Err(error) => {
            testkit::skip(testkit::Need::RustAnalyzer, &error.to_string());
            None
        }
    }
}

fn index(name: &str) -> Option<(testkit::TempProject, Facts)> {
    let project = testkit::copy_crate(name);
    let ctx = testkit::ctx();
    let (env, cache) = env(&ctx, project.root());
    let analyzer = analyzer(&ctx, &env, &cache)?;
    let root = project.root().to_owned();
    let view = View { mounts: vec![Mount::ReadOnly { host: root.clone(), inside: root.clone() }] };
    let options = BatchOptions {
        work: &project.beside("work"),
        features: Features::Default,
        runs_project_code: true,
        timeout: Duration::from_secs(600),
        memory_bytes: 4 << 30,
    };
    let before = project.digest();
    let seen = IndexedProject { root: &root, view: &view };
    let batch = scip_batch(&ctx, &env, &analyzer, &seen, &options).unwrap();
    assert_eq!(project.digest(), before, "nothing of the project may change");
    assert!(batch.facts.damage.is_none() && batch.facts.problems.is_empty());
    Some((project, batch.facts))
}

/// The path without generic arguments, except those that distinguish impls.
fn without_generics(path: &str) -> String {
    if path.contains("Water<") {
        return path.to_owned();
    }
    let mut out = String::new();
    let mut depth = 0;
    for ch in path.chars() {
        let opens = ch == '<' && (depth > 0 || out.ends_with(|ch: char| ch.is_alphanumeric()));
        depth += usize::from(opens);
        if depth == 0 {
            out.push(ch);
        } else if ch == '>' {
            depth -= 1;
        }
    }
    out
}

#[test]
fn rust_analyzer_resolves_the_receivers_fixture_as_its_gold_file() {
    let Some((project, facts)) = index("receivers") else { return };
    let mut resolved = SortedSet::new();
    for call in calls(&facts, &mut |path| Some(project.read(path.as_str()))) {
        for callee in &call.callees {
            let callee = &*facts.symbol(*callee).unwrap().path;
            // Derived methods have no source text.
            if !callee.ends_with(" as Default>::default") {
                let caller = call.caller.map(|idx| facts.definitions[idx as usize].symbol);
                let caller =
                    caller.map(|symbol| without_generics(&facts.symbol(symbol).unwrap().path));
                resolved.insert((caller, without_generics(callee)));
            }
        }
    }
    let gold: Vec<(String, String)> = serde_json::from_str(&project.read("gold.json")).unwrap();
    // The index omits the enclosing function of a nested one, and has no callers for statics.
    let unnested = |path: String| {
        path.replace("s78_local_function::pick", "pick")
            .replace("s141_local_function::helper", "helper")
    };
    let gold: SortedSet<(Option<String>, String)> = gold
        .into_iter()
        .map(|(caller, callee)| (unnested(caller), unnested(callee)))
        .map(|(caller, callee)| (Some(caller).filter(|it| it != "associated::STORE"), callee))
        .collect();
    let missing: Vec<_> = gold.difference(&resolved).collect();
    let more: Vec<_> = resolved.difference(&gold).collect();
    // Operators have no name to call them by.
    let is_operator = |it: &&&(Option<String>, String)| it.1.starts_with("operators::<");
    let missing: Vec<_> = missing.iter().filter(|it| !is_operator(it)).collect();
    assert!(missing.is_empty() && more.is_empty(), "missing {missing:?}, more {more:?}");
}

/// A generous limit: the machine may be busy with other tests.
const AMPLE: Duration = Duration::from_secs(300);

#[test]
fn the_server_diagnoses_texts_that_are_not_on_disk() {
    let project = testkit::copy_crate("clean");
    let host = testkit::TestHost::new();
    let ctx = host.ctx();
    let (env, cache) = env(&ctx, project.root());
    let Some(analyzer) = analyzer(&ctx, &env, &cache) else { return };
    let root = project.root().to_owned();
    let view = View { mounts: vec![Mount::ReadOnly { host: root.clone(), inside: root.clone() }] };
    let seen = IndexedProject { root: &root, view: &view };
    let work = project.beside("work");
    std::fs::create_dir_all(&work).unwrap();
    let server = Sandboxed::new(host, &env, &analyzer, &seen, &work, 4 << 30);
    let settings =
        SessionSettings { features: Features::Default, runs_project_code: true, is_primed: false };
    let limits =
        SessionLimits { start: AMPLE, request: AMPLE, first: AMPLE, ..SessionLimits::default() };
    let session = Session::new(Arc::new(server), root.clone(), settings.to_json(), limits);
    let before = project.digest();
    assert_eq!(session.ready(&ctx, AMPLE).unwrap(), Health::Ready);

    let path = root.join("src/lib.rs");
    let text = project.read("src/lib.rs");
    let errors = |text: &str| {
        session.open(&ctx, &path, text).unwrap();
        let found = session.diagnostics(&ctx, &path).unwrap();
        let errors = found.into_iter().filter(|it| it.severity == Severity::Error);
        errors.map(|it| (it.code, it.range.start.line)).collect::<Vec<_>>()
    };
    assert_eq!(errors(&text), []);
    let wrong = text.replace("gcd(b, a % b)", "gcd(b, \"a\")");
    assert_eq!(errors(&wrong), [("E0308".to_owned(), 4)]);
    let unnamed =
        format!("{text}\npub fn seen() -> usize {{ HashMap::<u8, u8>::new().len() + nowhere }}\n");
    let line = text.lines().count() as u32 + 1;
    assert!(errors(&unnamed).iter().any(|it| it.1 == line), "{:?}", errors(&unnamed));
    let at = |column| LspPosition { line, column };
    let offered =
        session.actions(&ctx, &path, LspRange { start: at(25), end: at(32) }, &[]).unwrap();
    let import = offered.iter().find(|it| it.title == "Import `std::collections::HashMap`");
    let import = import.unwrap_or_else(|| panic!("{offered:?}"));
    assert_eq!(import.edits[0].path, path);
    assert!(import.edits[0].edits[0].text.contains("use std::collections::HashMap;"));

    assert_eq!(errors(&text), []);
    // The call in `if b == 0 { a } else { gcd(…) }` leads to the function.
    let call = (path.clone(), LspPosition { line: 4, column: 27 });
    let nothing = (path.clone(), LspPosition { line: 0, column: 0 });
    let answers = session.definitions(&ctx, &[call, nothing]).unwrap();
    let targets = answers[0].as_ref().unwrap();
    assert_eq!((targets[0].path.as_path(), targets[0].range.start.line), (path.as_path(), 3));
    assert_eq!(answers[1].as_ref().unwrap(), &[]);
    let hover = session.hover(&ctx, &path, LspPosition { line: 3, column: 7 }).unwrap().unwrap();
    assert!(hover.contains("pub fn gcd(a: u64, b: u64) -> u64"), "{hover}");
    assert_eq!(project.digest(), before, "nothing of the project may change");
}

#[test]
fn a_program_named_by_a_setting_is_used_or_rejected_but_never_replaced() {
    let project = testkit::copy_crate("clean");
    let ctx = testkit::ctx();
    let (env, cache) = env(&ctx, project.root());
    let explicit = Path::new("/usr/bin/true");
    let search = AnalyzerSearch {
        explicit: Some(explicit),
        toolchain: &env.toolchain,
        host: &env.host,
        cache_dir: &cache,
        require: env.require,
    };
    let error = locate(&ctx, &env.sandbox, &search).unwrap_err();
    assert!(matches!(&error, AnalyzerError::Unusable { path, .. } if path == explicit), "{error}");
}

#[test]
fn a_missing_rust_analyzer_is_an_error_with_a_hint() {
    let project = testkit::copy_crate("clean");
    let ctx = testkit::ctx();
    let (mut env, _) = env(&ctx, project.root());
    env.host.path = project.beside("empty").into();
    env.host.cargo_home = project.beside("empty");
    env.toolchain.sysroot = project.beside("empty");
    let search = AnalyzerSearch {
        explicit: None,
        toolchain: &env.toolchain,
        host: &env.host,
        cache_dir: &project.beside("cache"),
        require: env.require,
    };
    let error = locate(&ctx, &env.sandbox, &search).unwrap_err();
    assert!(matches!(error, AnalyzerError::NotFound { .. }), "{error}");
    assert!(base::Hint::hint(&error).unwrap().contains("rustup component add"));
}

#[test]
fn a_package_without_a_lock_file_is_analysed_and_not_changed() {
    let project = testkit::copy_crate("clean");
    let host = testkit::TestHost::new();
    let ctx = host.ctx();
    let (env, cache) = env(&ctx, project.root());
    let Some(analyzer) = analyzer(&ctx, &env, &cache) else { return };
    let can = env.sandbox.capabilities();
    if !can.namespaces.works || !can.overlay.works {
        return testkit::skip(testkit::Need::OverlayMounts, "overlay mounts are not available");
    }
    let lock = project.root().join("Cargo.lock");
    if lock.exists() {
        std::fs::remove_file(&lock).unwrap();
    }
    let (root, work) = (project.root().to_owned(), project.beside("work"));
    std::fs::create_dir_all(&work).unwrap();
    let before = project.digest();
    let view = View { mounts: vec![Mount::ReadOnly { host: root.clone(), inside: root.clone() }] };
    let seen = IndexedProject { root: &root, view: &view };
    let server = Sandboxed::new(host.clone(), &env, &analyzer, &seen, &work, 4 << 30);
    let settings =
        SessionSettings { features: Features::Default, runs_project_code: true, is_primed: false };
    let limits =
        SessionLimits { start: AMPLE, request: AMPLE, first: AMPLE, ..SessionLimits::default() };
    let session = Session::new(Arc::new(server), root.clone(), settings.to_json(), limits);
    assert_eq!(session.ready(&ctx, AMPLE).unwrap(), Health::Ready);
    session.open(&ctx, &root.join("src/lib.rs"), "pub fn f() -> u8 { \"a\" }\n").unwrap();
    let found = session.diagnostics(&ctx, &root.join("src/lib.rs")).unwrap();
    assert!(found.iter().any(|it| it.code == "E0308"), "{found:?}");
    assert_eq!(project.digest(), before, "nothing of the project may change");
}

#[test]
fn a_server_out_of_memory_is_ended_and_the_error_names_the_cause() {
    let project = testkit::copy_crate("clean");
    let host = testkit::TestHost::new();
    let ctx = host.ctx();
    let (env, cache) = env(&ctx, project.root());
    let Some(mut analyzer) = analyzer(&ctx, &env, &cache) else { return };
    // `tail` reads zeros into one endless line until its memory is exhausted.
    analyzer.found.program = PathBuf::from("/bin/sh");
    analyzer.found.leading = ["-c", "exec tail /dev/zero"].map(Into::into).into();
    let (root, work) = (project.root().to_owned(), project.beside("work"));
    std::fs::create_dir_all(&work).unwrap();
    let view = View { mounts: vec![Mount::ReadOnly { host: root.clone(), inside: root.clone() }] };
    let seen = IndexedProject { root: &root, view: &view };
    let server = Sandboxed::new(host.clone(), &env, &analyzer, &seen, &work, 64 << 20);
    let limits = SessionLimits { start: AMPLE, ..SessionLimits::default() };
    let session = Session::new(Arc::new(server), root, serde_json::json!({}), limits);
    let error = session.ready(&ctx, AMPLE).unwrap_err();
    assert!(error.to_string().contains("memory"), "{error}");
    assert_eq!(session.health(), None);
    let before = project.digest();
    assert!(matches!(session.ready(&ctx, AMPLE), Err(AnalyzerError::Down { .. })));
    assert_eq!(project.digest(), before);
}

/// Path, size and change time of each file; a change time cannot be set by a program.
fn state(folder: &Path, found: &mut Vec<(PathBuf, u64, i64, i64)>) {
    use std::os::unix::fs::MetadataExt;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let it = path.symlink_metadata().unwrap();
        found.push((path.clone(), it.len(), it.ctime(), it.ctime_nsec()));
        if it.is_dir() {
            state(&path, found);
        }
    }
}

/// If the standard library's sources are missing, rust-analyzer searches rustup in cargo's home, in
/// `RUSTUP` and in `PATH` and runs it to install them.
#[test]
fn rustup_is_never_run_and_the_toolchain_is_unchanged_even_if_sources_are_missing() {
    let project = testkit::copy_crate("clean");
    let host = testkit::TestHost::new();
    let ctx = host.ctx();
    let (mut env, cache) = env(&ctx, project.root());
    let Some(mut analyzer) = analyzer(&ctx, &env, &cache) else { return };
    let work = project.beside("work");
    let marker = work.join("rustup was called");
    let (home, empty) = (project.beside("home"), project.beside("empty"));
    // Cargo's home, what `PATH` names, rustup's own home, and the one folder that it may write.
    let (rustup_home, path) = (project.beside("rustup"), project.beside("path"));
    for folder in [&home, &rustup_home, &path, &work] {
        std::fs::create_dir_all(folder.join("bin")).unwrap();
        for name in ["rustup", "rustup-init"] {
            let rustup = folder.join("bin").join(name);
            let script = format!("#!/bin/sh\ntouch '{}'\n", marker.display());
            std::fs::write(&rustup, script).unwrap();
            let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
            std::fs::set_permissions(&rustup, mode).unwrap();
        }
    }
    std::fs::create_dir_all(&empty).unwrap();
    env.host.cargo_home = home;
    env.host.rustup_home = rustup_home;
    env.host.path = path.join("bin").into();
    let mut before = Vec::new();
    state(&env.toolchain.sysroot, &mut before);

    let root = project.root().to_owned();
    let view = View { mounts: vec![Mount::ReadOnly { host: root.clone(), inside: root.clone() }] };
    let seen = IndexedProject { root: &root, view: &view };
    let sources = analyzer.std_sources.clone();
    for (std_sources, is_whole) in [(sources, true), (empty, false)] {
        analyzer.std_sources = std_sources;
        let server = Sandboxed::new(host.clone(), &env, &analyzer, &seen, &work, 4 << 30);
        let settings = SessionSettings {
            features: Features::Default,
            runs_project_code: true,
            is_primed: false,
        };
        let limits = SessionLimits {
            start: AMPLE,
            request: AMPLE,
            first: AMPLE,
            ..SessionLimits::default()
        };
        let session = Session::new(Arc::new(server), root.clone(), settings.to_json(), limits);
        let health = session.ready(&ctx, AMPLE).unwrap();
        assert_eq!(health == Health::Ready, is_whole, "{health:?}");
        session.diagnostics(&ctx, &root.join("src/lib.rs")).unwrap();
        assert!(!marker.exists());
    }
    let mut after = Vec::new();
    state(&env.toolchain.sysroot, &mut after);
    assert!(before == after, "the toolchain's folder changed");
    assert!(before.len() > 10);
}
