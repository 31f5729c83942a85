//! Sequences of candidates and of what a user does meanwhile, each verdict held against a cold
//! check of a fresh copy.
//!
//! The fixture is small and nasty: a build script that declares what it reads and one that does
//! not, `include_str!`, `env!`, a module that a new file can shadow, a path dependency outside, a
//! cargo configuration that comes and goes, edits of equal size, times set back, files swapped,
//! times from the future in the warm target, candidates in parallel, candidates and baselines that
//! are killed.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, SystemTime};

use base::{Ctx, Diagnostic, ProjectPath, Severity, Timestamp};
use edit::{FileState, Overlay};
use graftage_check::{Checked, Ladder, Prover};
use testkit::{TempProject, TreeDigest};

use crate::kit::{env, host};

/// Files of the project, each with the texts that it can have; `None`: absent. The first one
/// builds. Texts of equal length are so by intent.
const PROJECT: &[(&str, &[Option<&str>])] = &[
    (
        "core/src/lib.rs",
        &[
            Some(
                "pub mod util;\npub const WORD: &str = include_str!(\"../data/word.txt\");\nconst _: () = assert!(WORD.len() == 6);\ninclude!(concat!(env!(\"OUT_DIR\"), \"/table.rs\"));\npub fn first() -> u32 { util::one() }\n",
            ),
            Some(
                "pub mod util;\npub const WORD: &str = include_str!(\"../data/word.txt\");\nconst _: () = assert!(WORD.len() == 6);\ninclude!(concat!(env!(\"OUT_DIR\"), \"/table.rs\"));\npub fn first() -> u64 { util::one() }\n",
            ),
            Some(
                "pub mod util;\npub fn first() -> u32 { util::one() }\npub static TABLE: u32 = 1;\n",
            ),
            Some("pub mod util;\npub fn first() -> u32 { util::one( }\n"),
        ],
    ),
    (
        "core/src/util.rs",
        &[
            Some("pub fn one() -> u32 { 1 }\n"),
            Some("pub fn one() -> u32 { i }\n"),
            Some("pub fn two() -> u32 { 1 }\n"),
            Some("pub fn one() -> u32 { let x = 1; 1 }\n"),
        ],
    ),
    // Beside `util.rs` it makes the module ambiguous.
    ("core/src/util/mod.rs", &[None, None, Some("pub fn one() -> u32 { 1 }\n")]),
    ("core/data/word.txt", &[Some("sheep\n"), Some("horse\n"), Some("ox\n")]),
    ("core/data/table.txt", &[Some("1"), Some("2"), Some("x")]),
    (
        "core/build.rs",
        &[
            Some(
                "fn main() {\n    println!(\"cargo::rerun-if-changed=data/table.txt\");\n    println!(\"cargo::rustc-env=KIND=one\");\n    let table = std::fs::read_to_string(\"data/table.txt\").unwrap();\n    let out = std::env::var(\"OUT_DIR\").unwrap();\n    std::fs::write(out + \"/table.rs\", format!(\"pub static TABLE: u32 = {table};\")).unwrap();\n}\n",
            ),
            Some(
                "fn main() {\n    println!(\"cargo::rerun-if-changed=data/table.txt\");\n    println!(\"cargo::rustc-env=KIND=two\");\n    let table = std::fs::read_to_string(\"data/table.txt\").unwrap();\n    let out = std::env::var(\"OUT_DIR\").unwrap();\n    std::fs::write(out + \"/table.rs\", format!(\"pub static TABEL: u32 = {table};\")).unwrap();\n}\n",
            ),
            Some("fn main() { panic!(\"no\") }\n"),
        ],
    ),
    (
        "core/Cargo.toml",
        &[
            Some(
                "[package]\nname = \"core-part\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[lib]\ntest = false\n[features]\nextra = []\n",
            ),
            Some(
                "[package]\nname = \"core-part\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[lib]\ntest = false\n[features]\nxtra2 = []\n",
            ),
            Some(
                "[package]\nname = \"core-part\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[lib]\ntest = false\n[features\n",
            ),
        ],
    ),
    (
        "lister/src/lib.rs",
        &[
            Some(
                "#[cfg(crowded)]\ncompile_error!(\"crowded\");\npub fn kind() -> &'static str { env!(\"ASSETS\") }\n",
            ),
            Some("pub fn kind() -> &'static str { env!(\"ASSETS\") }\n"),
        ],
    ),
    // Says nothing of what it reads.
    (
        "lister/build.rs",
        &[Some(
            "fn main() {\n    println!(\"cargo::rustc-check-cfg=cfg(crowded)\");\n    let count = std::fs::read_dir(\"assets\").unwrap().count();\n    println!(\"cargo::rustc-env=ASSETS={count}\");\n    if count > 2 { println!(\"cargo::rustc-cfg=crowded\"); }\n}\n",
        )],
    ),
    ("lister/assets/a.txt", &[Some("a")]),
    ("lister/assets/b.txt", &[Some("b"), None, Some("c")]),
    ("lister/assets/c.txt", &[None, Some("c")]),
    (
        "app/src/lib.rs",
        &[
            Some(
                "pub fn sum() -> u32 { core_part::first() + outside::two() }\npub const N: u32 = core_part::TABLE;\n",
            ),
            Some(
                "pub fn sum() -> u32 { core_part::first() * outside::two() }\npub const N: u32 = core_part::TABLE;\n",
            ),
            Some(
                "pub fn sum() -> u32 { core_part::fyrst() + outside::two() }\npub const N: u32 = core_part::TABLE;\n",
            ),
        ],
    ),
    (
        "app/src/main.rs",
        &[
            Some("fn main() { println!(\"{} {}\", app::sum(), lister::kind()) }\n"),
            Some("fn main() { println!(\"{} {}\", app::mus(), lister::kind()) }\n"),
        ],
    ),
    (
        "app/tests/it.rs",
        &[
            Some("#[test]\nfn it() { assert_eq!(app::sum(), 3) }\n"),
            Some("#[test]\nfn it() { assert_eq!(app::sum(), \"\") }\n"),
            None,
        ],
    ),
    // A target that cargo finds by itself.
    ("app/src/bin/more.rs", &[None, Some("fn main() {}\n"), Some("fn mian() {}\n")]),
    (
        ".cargo/config.toml",
        &[None, None, None, Some("[build]\nrustflags = [\"--cfg\", \"crowded\"]\n")],
    ),
];

/// Never changed.
const FIXED: &[(&str, &str)] = &[
    ("Cargo.toml", "[workspace]\nmembers = [\"core\", \"lister\", \"app\"]\nresolver = \"3\"\n"),
    (
        "lister/Cargo.toml",
        "[package]\nname = \"lister\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[lib]\ntest = false\n",
    ),
    (
        "app/Cargo.toml",
        "[package]\nname = \"app\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[dependencies]\ncore-part = { path = \"../core\" }\nlister = { path = \"../lister\" }\noutside = { path = \"../../outside\" }\n[lib]\ntest = false\n[[bin]]\nname = \"app\"\ntest = false\n",
    ),
    (".gitignore", "target\n"),
    (
        "Cargo.lock",
        "version = 4\n\n[[package]]\nname = \"app\"\nversion = \"0.1.0\"\ndependencies = [\n \"core-part\",\n \"lister\",\n \"outside\",\n]\n\n[[package]]\nname = \"core-part\"\nversion = \"0.1.0\"\n\n[[package]]\nname = \"lister\"\nversion = \"0.1.0\"\n\n[[package]]\nname = \"outside\"\nversion = \"0.1.0\"\n",
    ),
];

/// Beside the project; changed by the user alone.
const OUTSIDE: &[(&str, &[Option<&str>])] = &[
    (
        "Cargo.toml",
        &[Some("[package]\nname = \"outside\"\nversion = \"0.1.0\"\nedition = \"2024\"\n")],
    ),
    ("src/lib.rs", &[Some("pub fn two() -> u32 { 2 }\n"), Some("pub fn tow() -> u32 { 2 }\n")]),
];

/// What was found.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    pub(crate) sequences: usize,
    pub(crate) candidates: usize,
    pub(crate) passed: usize,
    pub(crate) killed: usize,
    pub(crate) cold_checks: usize,
    /// Each is a false verdict or a touched file.
    pub(crate) faults: Vec<String>,
}

/// Which text each file has.
type State = BTreeMap<&'static str, usize>;
/// Whether it builds, and what the compiler says.
type Verdict = (bool, BTreeSet<String>);

/// Runs `sequences` of five candidates each, on one project that lives through all of them.
pub(crate) fn run(seed: u64, sequences: usize, cold: &Cold) -> Tally {
    let mut world = World::new(seed);
    let mut tally = Tally::default();
    for sequence in 0..sequences {
        let before = world.target_digest();
        let mut left: usize = 5;
        while left > 0 {
            left = left.saturating_sub(world.step(left, cold, &mut tally));
            if tally.faults.len() > 5 {
                return tally;
            }
        }
        tally.sequences += 1;
        if world.target_digest() != before {
            tally
                .faults
                .push(format!("seed {seed}, sequence {sequence}: the user's target was touched"));
        }
        if let Some(fault) = world.tree_fault() {
            tally.faults.push(format!("seed {seed}, sequence {sequence}: {fault}"));
        }
    }
    tally
}

/// Cold verdicts by content, shared by all worlds.
#[derive(Default)]
pub(crate) struct Cold(Mutex<BTreeMap<String, Verdict>>);

struct World {
    ctx: Ctx,
    chance: Chance,
    project: TempProject,
    outside: PathBuf,
    cache: PathBuf,
    prover: Prover,
    state: State,
    outside_state: State,
    log: Vec<String>,
}

impl World {
    fn new(seed: u64) -> Self {
        let project = TempProject::empty();
        let outside = project.beside("outside");
        for (path, text) in FIXED {
            project.write(path, text);
        }
        let first = |files: &'static [(&'static str, &[Option<&str>])]| -> State {
            files.iter().map(|(path, _)| (*path, 0)).collect()
        };
        let (state, outside_state) = (first(PROJECT), first(OUTSIDE));
        write_state(project.root(), PROJECT, &state);
        write_state(&outside, OUTSIDE, &outside_state);
        let ctx = testkit::ctx();
        let cache = project.beside("cache");
        let dirs = repo::Dirs { cache: cache.clone(), state: project.beside("state") };
        let opened = repo::Project::open(&ctx, project.root(), dirs).unwrap();
        let mut prover = Prover::new(&ctx, opened, env(&ctx, project.root())).unwrap();
        // Every fourth project goes the way of systems without overlay mounts.
        if seed % 4 == 1 {
            prover = prover.with_strategy(repo::Strategy::Copy);
        }
        // The user's own target.
        bare_check(&ctx, project.root(), &project.path("target"));
        Self {
            ctx,
            chance: Chance(seed),
            project,
            outside,
            cache,
            prover,
            state,
            outside_state,
            log: vec![format!("seed {seed}")],
        }
    }

    /// One thing happens; how many candidates it used up.
    fn step(&mut self, left: usize, cold: &Cold, tally: &mut Tally) -> usize {
        match self.chance.below(20) {
            0..=2 => {
                self.user_edits();
                0
            }
            3 => {
                self.warm_from_the_future();
                0
            }
            4 => {
                self.killed(tally);
                0
            }
            5 if left >= 2 => {
                let all: Vec<State> = (0..left.min(3)).map(|_| self.candidate()).collect();
                self.log.push(format!("{} in parallel", all.len()));
                let world = &*self;
                let checked: Vec<Checked> = std::thread::scope(|scope| {
                    let handles: Vec<_> = all
                        .iter()
                        .map(|state| scope.spawn(|| world.prove(state, &ladder())))
                        .collect();
                    handles.into_iter().map(|handle| handle.join().unwrap()).collect()
                });
                for (state, checked) in all.iter().zip(&checked) {
                    self.compare(state, checked, cold, tally);
                }
                all.len()
            }
            _ => {
                let state = self.candidate();
                let checked = self.prove(&state, &ladder());
                self.compare(&state, &checked, cold, tally);
                1
            }
        }
    }

    /// The present state with up to two files changed; often with none.
    fn candidate(&mut self) -> State {
        let mut state = self.state.clone();
        for _ in 0..self.chance.below(3) {
            self.chance.change(PROJECT, &mut state);
        }
        state
    }

    fn overlay(&self, state: &State) -> Overlay {
        let states = PROJECT.iter().filter_map(|(path, texts)| {
            let (before, after) = (texts[self.state[path]], texts[state[path]]);
            (before != after).then(|| {
                let path = ProjectPath::new(path).unwrap();
                (path, before.map(FileState::plain), after.map(FileState::plain))
            })
        });
        Overlay::from_states("soundness", Timestamp::default(), states.collect())
    }

    fn prove(&self, state: &State, ladder: &Ladder) -> Checked {
        self.prover.prove(&self.ctx, self.overlay(state), ladder, &mut |_| {}).unwrap()
    }

    fn compare(&mut self, state: &State, checked: &Checked, cold: &Cold, tally: &mut Tally) {
        self.log.push(format!("candidate {}", self.difference(state)));
        let expected = self.cold(state, cold, tally);
        let parsed = checked.evidence.rungs.first().is_some_and(|rung| rung.passed);
        let found: Verdict = (checked.passed(), said(&checked.diagnostics, self.project.root()));
        tally.candidates += 1;
        tally.passed += usize::from(found.0);
        // Where the parse rung stopped the climb, the compiler was not asked for its words.
        let same = if parsed { found == expected } else { !expected.0 };
        if !same {
            tally.faults.push(format!(
                "false verdict\nfound {found:#?}\nfailure {:?}\ncold {expected:#?}\nafter:\n{}",
                checked.failure,
                self.log.join("\n")
            ));
        }
    }

    fn difference(&self, state: &State) -> String {
        let differing = PROJECT.iter().filter(|(path, _)| state[path] != self.state[path]);
        differing.map(|(path, _)| format!("{path}={}", state[path])).collect::<Vec<_>>().join(" ")
    }

    /// A user at work: edits with times of all kinds, swaps, touches, the folder outside.
    fn user_edits(&mut self) {
        let mut after = self.state.clone();
        for _ in 0..=self.chance.below(2) {
            self.chance.change(PROJECT, &mut after);
        }
        // Mostly the way back to a tree that builds.
        if self.chance.below(4) != 0 {
            after.values_mut().for_each(|idx| *idx = 0);
        }
        if self.chance.below(6) == 0 {
            let broken = self.chance.below(3) == 0;
            self.outside_state.insert("src/lib.rs", usize::from(broken));
            write_state(&self.outside, OUTSIDE, &self.outside_state);
            age(&self.outside.join("src/lib.rs"), Duration::from_secs(1 << 20));
        }
        let old: Vec<(PathBuf, Option<SystemTime>)> = PROJECT
            .iter()
            .map(|(path, _)| self.project.path(path))
            .map(|path| (path.clone(), modified(&path)))
            .collect();
        let changed = self.difference(&after);
        self.state = after;
        write_state(self.project.root(), PROJECT, &self.state);
        let times = self.chance.below(5);
        for (path, before) in &old {
            match (times, before) {
                // As if nothing had been written.
                (0, Some(before)) => set_modified(path, *before),
                (1, Some(_)) => age(path, Duration::from_secs(1 << 25)),
                (2, Some(_)) => {
                    set_modified(path, SystemTime::now() + Duration::from_secs(1 << 20))
                }
                _ => {}
            }
        }
        self.log
            .push(format!("user edits: {changed} outside={:?} times {times}", self.outside_state));
    }

    /// As after a clock that was ahead while the baseline was built.
    fn warm_from_the_future(&mut self) {
        self.log.push("warm target from the future".to_owned());
        let future = SystemTime::now() + Duration::from_secs(100_000);
        let mut queue = vec![self.cache.clone()];
        while let Some(dir) = queue.pop() {
            for entry in fs::read_dir(dir).unwrap().flatten() {
                let kind = entry.file_type().unwrap();
                if kind.is_dir() {
                    queue.push(entry.path());
                } else if kind.is_file() {
                    set_modified(&entry.path(), future);
                }
            }
        }
    }

    /// A candidate or a baseline that does not come to its end.
    fn killed(&mut self, tally: &mut Tally) {
        let timeout = Some(Duration::from_millis(20 + self.chance.below(200)));
        let ladder = Ladder { timeout, ..ladder() };
        tally.killed += 1;
        if self.chance.below(2) == 0 {
            self.log.push("killed baseline".to_owned());
            self.prover.baseline(&self.ctx, &ladder, &mut |_| {}).unwrap();
        } else {
            let state = self.candidate();
            self.log.push(format!("killed candidate {}", self.difference(&state)));
            self.prove(&state, &ladder);
        }
    }

    fn cold(&self, state: &State, cold: &Cold, tally: &mut Tally) -> Verdict {
        let key = format!("{state:?} {:?}", self.outside_state);
        if let Some(verdict) = cold.0.lock().unwrap().get(&key) {
            return verdict.clone();
        }
        tally.cold_checks += 1;
        let copy = TempProject::empty();
        for (path, text) in FIXED {
            copy.write(path, text);
        }
        write_state(copy.root(), PROJECT, state);
        write_state(&copy.beside("outside"), OUTSIDE, &self.outside_state);
        let verdict = bare_check(&self.ctx, copy.root(), &copy.beside("target"));
        cold.0.lock().unwrap().insert(key, verdict.clone());
        verdict
    }

    fn target_digest(&self) -> TreeDigest {
        TreeDigest::with_times(&self.project.path("target"))
    }

    fn tree_fault(&self) -> Option<String> {
        let wrong = PROJECT.iter().find(|(path, texts)| {
            fs::read_to_string(self.project.path(path)).ok().as_deref() != texts[self.state[path]]
        });
        wrong.map(|(path, _)| format!("`{path}` of the user was touched"))
    }
}

/// Tests are looked at too, so that a verdict covers every unit.
fn ladder() -> Ladder {
    Ladder { test_code: true, ..Ladder::default() }
}

/// cargo as a user would start it: the code itself, and behind it that of the tests.
fn bare_check(ctx: &Ctx, root: &Path, target: &Path) -> Verdict {
    let (built, mut diagnostics) = bare_cargo(ctx, root, target, &[]);
    if !built {
        return (false, said(&diagnostics, root));
    }
    let (built, more) = bare_cargo(ctx, root, target, &["--tests"]);
    diagnostics.extend(more);
    (built, said(&diagnostics, root))
}

#[allow(clippy::disallowed_methods, reason = "the judge must not share code with the judged")]
fn bare_cargo(ctx: &Ctx, root: &Path, target: &Path, which: &[&str]) -> (bool, Vec<Diagnostic>) {
    let toolchain = env(ctx, root).toolchain;
    let output = std::process::Command::new(&toolchain.cargo)
        .args(["check", "--workspace", "--keep-going", "--message-format=json"])
        .args(which)
        .current_dir(root)
        .env_clear()
        .env("PATH", format!("{}:/usr/bin:/bin", toolchain.sysroot.join("bin").display()))
        .env("HOME", host().home)
        .env("CARGO_TARGET_DIR", target)
        .env("CARGO_NET_OFFLINE", "true")
        .output()
        .unwrap();
    let lines = output.stdout.split(|byte| *byte == b'\n');
    let diagnostics = lines.filter_map(|line| match cargo::read_message(root, line) {
        Some(cargo::Message::Diagnostic(diagnostic)) => Some(*diagnostic),
        _ => None,
    });
    (output.status.success(), diagnostics.collect())
}

/// Errors and warnings with their places, without the folder that they were found in.
fn said(diagnostics: &[Diagnostic], root: &Path) -> BTreeSet<String> {
    let beside = root.parent().unwrap().display().to_string();
    diagnostics
        .iter()
        .filter(|it| it.severity <= Severity::Warning)
        .map(|it| {
            let place = it.user_span().map(|span| {
                format!("{}:{}:{}", span.place.as_str(), span.start.line, span.start.col)
            });
            let out = place.as_deref().is_some_and(|place| place.contains("/out/"));
            // The folder of a build script's output has another name elsewhere.
            let place = if out { Some("OUT_DIR".to_owned()) } else { place };
            format!("{:?} {:?} {} {place:?}", it.severity, it.code, it.message).replace(&beside, "")
        })
        .collect()
}

fn write_state(root: &Path, files: &[(&'static str, &[Option<&str>])], state: &State) {
    for (path, texts) in files {
        let file = root.join(path);
        match texts[state[path]] {
            Some(text) => {
                if fs::read_to_string(&file).is_ok_and(|old| old == text) {
                    continue;
                }
                fs::create_dir_all(file.parent().unwrap()).unwrap();
                fs::write(&file, text).unwrap();
            }
            None => {
                let _ = fs::remove_file(&file);
            }
        }
    }
}

fn modified(path: &Path) -> Option<SystemTime> {
    fs::metadata(path).and_then(|metadata| metadata.modified()).ok()
}

fn set_modified(path: &Path, time: SystemTime) {
    if let Ok(file) = File::options().write(true).open(path) {
        file.set_modified(time).unwrap();
    }
}

fn age(path: &Path, by: Duration) {
    set_modified(path, SystemTime::now() - by);
}

/// Chance from a seed (SplitMix64).
struct Chance(u64);

impl Chance {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % bound
    }

    fn change(&mut self, files: &[(&'static str, &[Option<&str>])], state: &mut State) {
        let (path, texts) = files[self.below(files.len() as u64) as usize];
        state.insert(path, self.below(texts.len() as u64) as usize);
    }
}

#[cfg(test)]
#[test]
fn no_verdict_differs_from_a_cold_check_and_the_users_target_stays() {
    let cold = Cold::default();
    let tallies: Vec<Tally> = std::thread::scope(|scope| {
        let handles: Vec<_> = (0..2)
            .map(|seed| {
                scope.spawn({
                    let cold = &cold;
                    move || run(seed, 20, cold)
                })
            })
            .collect();
        handles.into_iter().map(|handle| handle.join().unwrap()).collect()
    });
    for tally in &tallies {
        println!(
            "{} candidates, {} passed, {} killed, {} cold checks",
            tally.candidates, tally.passed, tally.killed, tally.cold_checks
        );
        assert!(tally.faults.is_empty(), "{}", tally.faults.join("\n\n"));
        assert_eq!(tally.candidates, 100);
    }
}
