//! One life of a hostile project: a baseline, a candidate, a further baseline, all by the product's
//! own path. Its build script, macro and test plant from inside the sandbox what the host then
//! reads, walks and removes.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use base::{ContentHash, ProjectPath, Timestamp};
use build::{CargoEnv, CargoError, HostEnv, Trust};
use check::{Checked, Ladder, Prover, Tests};
use edit::{FileState, Files, Overlay};
use repo::{Dirs, Project};
use sandbox::{Layers, Level, Sandbox};
use testkit::TreeDigest;

use super::batches::Batch;
use crate::world::{SECRET, furnish_victim};

/// Resident memory of the host process at most, whatever a build does: a message of 16 MiB is in
/// memory several times while it is read.
const MEMORY: u64 = 1 << 30;
const GOOD: &str = "pub fn one() -> u8 {\n    1\n}\n";

/// The libraries have no tests: less to build.
const LIB: &str = "[lib]\ntest = false\ndoctest = false\n";

/// What came of one life.
pub(crate) struct Life {
    /// Attacks of the batch that were made inside, and those that the sandbox refused.
    pub(crate) made: usize,
    pub(crate) refused: Vec<String>,
    /// What the product reports where the required level cannot be met.
    pub(crate) level: String,
    /// What an attack achieved.
    pub(crate) harm: Vec<String>,
    pub(crate) wall: Duration,
    pub(crate) peak: u64,
}

/// The folders around the hostile project.
struct Fixture {
    folder: tempfile::TempDir,
    victim: Vec<TreeDigest>,
}

/// The folders that no build may change.
const VICTIMS: [&str; 4] = ["victim", "home", "cargo", "project"];

impl Fixture {
    fn new(batch: &Batch) -> Self {
        let mut builder = tempfile::Builder::new();
        let folder = builder.prefix("graftage-test-").tempdir().unwrap();
        let fixture = Self { folder, victim: Vec::new() };
        furnish_victim(&fixture.at("victim"));
        for path in [
            "home/.ssh/id_ed25519",
            "home/.config/google-chrome/profile",
            "home/.gitconfig",
            "cargo/credentials.toml",
            "cargo/registry/src/index/serde-1.0.0/build.rs",
            "project/.git/HEAD",
            "project/.git/hooks/pre-commit",
        ] {
            fixture.write(path, SECRET);
        }
        fixture.write("project/.git/HEAD", "ref: refs/heads/main\n");
        for path in ["scratch", "cache", "state"] {
            fs::create_dir_all(fixture.at(path)).unwrap();
        }
        let package = |name: &str| {
            format!("[package]\nname = {name:?}\nversion = \"0.1.0\"\nedition = \"2024\"\n")
        };
        let uses = if batch.has_macro { "macros = { path = \"macros\" }\n" } else { "" };
        fixture.write(
            "project/Cargo.toml",
            &format!(
                "{}[workspace]\nmembers = [\"google\"]\n[dependencies]\n{uses}[profile.dev]\n\
                 debug = 0\nincremental = false\n{LIB}",
                package("a")
            ),
        );
        // A name that is also the first half of a folder of the victim.
        fixture.write("project/google/Cargo.toml", &format!("{}{LIB}", package("google")));
        fixture.write("project/google/src/lib.rs", "");
        let library = if batch.has_macro { "macros::strike!();\n" } else { "" };
        let test = "#[path = \"../script.rs\"]\nmod script;\ninclude!(\"../hostile.rs\");\n\
                    #[test]\nfn plants() {\n    act(\"test\");\n}\n";
        fixture.write("project/src/lib.rs", &format!("{library}{GOOD}"));
        fixture.write("project/tests/late.rs", test);
        fixture.write("project/script.rs", include_str!("script.rs"));
        fixture.write("project/hostile.rs", include_str!("hostile.rs"));
        fixture.write(
            "project/build.rs",
            "mod script;\ninclude!(\"hostile.rs\");\nfn main() {\n    act(\"build\");\n}\n",
        );
        if batch.has_macro {
            let manifest = format!("{}[lib]\nproc-macro = true\n", package("macros"));
            fixture.write("project/macros/Cargo.toml", &manifest);
            fixture.write(
                "project/macros/src/lib.rs",
                "#[path = \"../../script.rs\"]\nmod script;\ninclude!(\"../../hostile.rs\");\n\
                 #[proc_macro]\npub fn strike(_: proc_macro::TokenStream) -> \
                 proc_macro::TokenStream {\n    act(\"macro\");\n    \
                 proc_macro::TokenStream::new()\n}\n",
            );
        }
        let victim = fixture.at("victim").display().to_string();
        fixture.write("project/attack.txt", &batch.script().replace("{V}", &victim));
        fixture
    }

    fn at(&self, path: &str) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join(path)
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.at(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn photograph(&self) -> Vec<TreeDigest> {
        VICTIMS.iter().map(|name| TreeDigest::with_times(&self.at(name))).collect()
    }

    /// What differs since the last photograph.
    fn damage(&self) -> Option<String> {
        let now = self.photograph();
        let differences = self.victim.iter().zip(&now).map(|(then, now)| then.differences(now));
        let all: String = differences.collect();
        (!all.is_empty()).then(|| format!("the victim was changed:\n{all}"))
    }

    fn prover(&self, layers: Layers, require: Level) -> Result<Prover, String> {
        let ctx = testkit::ctx();
        let sandbox = Sandbox::with_layers(testkit::inner::path(), layers)
            .with_scratch_root(self.at("scratch"));
        let host = self.host();
        let root = self.at("project");
        let trust = Trust::default();
        let toolchain = build::locate_toolchain(&ctx, &sandbox, &host, &root, &trust, require)
            .map_err(|error: CargoError| error.to_string())?;
        let cache = self.at("cache");
        let dirs = Dirs { cache: cache.clone(), state: self.at("state") };
        let project = Project::open(&ctx, &root, dirs).map_err(|error| error.to_string())?;
        let (offline, jobs) = (true, Some(1));
        let env = CargoEnv { sandbox, host, toolchain, require, trust, cache, offline, jobs };
        Prover::new(&ctx, project, env).map_err(|error| error.to_string())
    }

    /// The machine's own toolchain; homes that are victims.
    fn host(&self) -> HostEnv {
        let var = |name: &str| std::env::var_os(name);
        let real = PathBuf::from(var("HOME").unwrap_or_else(|| "/".into()));
        HostEnv {
            path: var("PATH").unwrap_or_default(),
            rustup_home: var("RUSTUP_HOME").map_or_else(|| real.join(".rustup"), PathBuf::from),
            cargo_home: self.at("cargo"),
            home: self.at("home"),
            toolchain: None,
        }
    }

    /// The manifests of warm targets, and which attacks were made.
    fn found(&self) -> (Vec<u8>, String) {
        let (mut manifests, mut planted) = (Vec::new(), String::new());
        let mut queue = vec![self.at("cache")];
        while let Some(dir) = queue.pop() {
            for entry in fs::read_dir(&dir).into_iter().flatten().flatten() {
                let path = entry.path();
                if entry.file_name() == "manifest.json" {
                    manifests.extend(fs::read(&path).unwrap_or_default());
                } else if entry.file_name() == "target" {
                    planted.push_str(&fs::read_to_string(path.join("planted")).unwrap_or_default());
                } else if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                    queue.push(path);
                }
            }
        }
        (manifests, planted)
    }

    /// Folders of candidates, views and runs that outlived them.
    fn left_behind(&self) -> Vec<String> {
        let mut left = Vec::new();
        let mut queue = vec![self.at("cache"), self.at("scratch")];
        while let Some(dir) = queue.pop() {
            let is_own = |name: &str| matches!(name, "candidates" | "overlay" | "scratch");
            for entry in fs::read_dir(&dir).into_iter().flatten().flatten() {
                let (name, path) = (entry.file_name(), entry.path());
                if is_own(&dir.file_name().unwrap().to_string_lossy()) && name != ".guard" {
                    left.push(path.display().to_string());
                } else if name != "target" && entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                    queue.push(path);
                }
            }
        }
        left
    }
}

/// Lives one life under these layers.
pub(crate) fn live(batch: &Batch, layers: Layers) -> Life {
    let started = Instant::now();
    let mut fixture = Fixture::new(batch);
    let mut life = Life {
        made: 0,
        refused: Vec::new(),
        level: "met".to_owned(),
        harm: Vec::new(),
        wall: Duration::ZERO,
        peak: 0,
    };
    reset_peak();
    let prover = match fixture.prover(layers, Level::Standard) {
        Ok(prover) => prover,
        Err(refusal) => {
            let first = refusal.lines().next().unwrap_or_default().to_owned();
            life.level = format!("refused ({first}), run with a lower one");
            fixture.prover(layers, Level::BestEffort).unwrap()
        }
    };
    let ladder = |tests| Ladder { tests, ..Ladder::default() };
    let timed = |ladder: Ladder| Ladder { timeout: Some(Duration::from_secs(120)), ..ladder };
    fixture.victim = fixture.photograph();
    let mut seen = Vec::new();
    let ctx = testkit::ctx();

    let first = prover.baseline(&ctx, &timed(ladder(Tests::All)), &mut |_| {});
    let (manifests, planted) = fixture.found();
    seen.extend(manifests);
    take(&mut life, &mut seen, "the baseline", first);
    (life.made, life.refused) = batch.made(&planted);

    let candidate = |text: &str, tests| {
        let path = ProjectPath::new("src/lib.rs").unwrap();
        let before = prover.project().read(&path).unwrap();
        let after = Some(FileState::from_text(text));
        let overlay =
            Overlay::from_states("test", Timestamp::default(), vec![(path, before, after)]);
        prover.prove(&ctx, overlay, &timed(ladder(tests)), &mut |_| {})
    };
    let broken = candidate(&GOOD.replace("1\n", "\"one\"\n"), Tests::None);
    if broken.as_ref().is_ok_and(Checked::passed) {
        life.harm.push("a broken change was taken for a good one".to_owned());
    }
    take(&mut life, &mut seen, "the broken candidate", broken);
    let good = candidate(&GOOD.replace("1\n", "1 + 1\n"), batch.candidate_tests);
    take(&mut life, &mut seen, "the good candidate", good);

    life.harm.extend(fixture.damage());
    fixture.write("project/src/lib.rs", &GOOD.replace("1\n", "2\n"));
    fixture.victim = fixture.photograph();
    let next = prover.baseline(&ctx, &timed(ladder(Tests::None)), &mut |_| {});
    take(&mut life, &mut seen, "the next baseline", next);
    seen.extend(fixture.found().0);
    drop(prover);

    life.harm.extend(fixture.damage());
    life.harm.extend(taken_in(&seen));
    if !has(&seen, batch.must_report) {
        life.harm.push(format!("no proof reports `{}`", batch.must_report));
    }
    let left = fixture.left_behind();
    if !left.is_empty() {
        life.harm.push(format!("left behind: {left:?}"));
    }
    life.peak = peak();
    if life.peak > MEMORY {
        life.harm.push(format!("{} MiB of memory", life.peak >> 20));
    }
    life.wall = started.elapsed();
    remove_whole(fixture.folder.path());
    life
}

/// Keeps all that a proof contains; an error is harm, for it keeps the user from working.
fn take(
    life: &mut Life,
    seen: &mut Vec<u8>,
    what: &str,
    result: Result<Checked, check::CheckError>,
) {
    match result {
        Ok(checked) => {
            if checked.timed_out {
                // A build may hang; what it left behind may not hang the next one.
                life.harm.push(format!("{what} was ended when its time was over"));
            }
            seen.extend(format!("{checked:?}").into_bytes());
        }
        Err(error) => life.harm.push(format!("{what} ended with: {error}")),
    }
}

/// Whether the secret or its hash was taken in.
fn taken_in(seen: &[u8]) -> Option<String> {
    let hash = ContentHash::of(SECRET.as_bytes()).to_string();
    (has(seen, SECRET) || has(seen, &hash)).then(|| "it took in the secret".to_owned())
}

fn has(seen: &[u8], text: &str) -> bool {
    text.is_empty() || seen.windows(text.len()).any(|it| it == text.as_bytes())
}

/// The most resident memory since [`reset_peak`], in bytes.
fn peak() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() << 10
}

fn reset_peak() {
    // Where the kernel does not let us, the peak is that of the whole process: more, never less.
    let _ = fs::write("/proc/self/clear_refs", "5");
}

/// What the attacks nested is beyond what the temporary folder's own removal can enter.
fn remove_whole(folder: &Path) {
    let (all, name) = (folder.parent().unwrap(), folder.file_name().unwrap());
    untrusted_fs::Dir::open(all).unwrap().remove_all(name).unwrap();
}
