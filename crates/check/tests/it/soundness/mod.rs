//! Sequences of candidates and of what a user does meanwhile, each verdict held against a cold
//! check of a fresh copy.
//!
//! Edits of equal size, times set back, files swapped, times from the future in the warm target,
//! candidates in parallel, candidates and baselines that are killed; of ten rounds one is on a nasty
//! workspace (`worlds.rs`), one on a workspace whose own build script, macro and tests forge what they
//! can (`hostile.rs`), the others on a plain package.

mod hostile;
mod worlds;

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, SystemTime};

use base::{Ctx, Diagnostic, ProjectPath, Severity, SortedMap, SortedSet, Timestamp};
use build::CargoEnv;
use edit::{FileState, Overlay};
use graftage_check::{Checked, Ladder, Prover, Tests};
use testkit::{TempProject, TreeDigest};

use crate::kit::{env, host};

use hostile::HOSTILE;
use worlds::{Files, NASTY, PLAIN, Template};

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
type State = SortedMap<&'static str, usize>;
/// Whether it builds, and what the compiler reports.
type Verdict = (bool, SortedSet<String>);

/// Sequences on one project, before a new one is made.
pub(crate) const ROUND: usize = 20;

/// Runs `sequences` of three to five candidates each, on one project that lives through all of
/// them.
pub(crate) fn run(seed: u64, sequences: usize, cold: &Cold) -> Tally {
    let mut world = World::new(seed);
    let mut tally = Tally::default();
    for sequence in 0..sequences {
        let before = world.target_digest();
        let mut left = 3 + world.chance.below(3) as usize;
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
pub(crate) struct Cold {
    verdicts: Mutex<SortedMap<String, Verdict>>,
    /// What cargo noted of the compiler itself; without it each cold check asks anew. cargo holds
    /// it against the compiler's file.
    rustc_info: Mutex<Option<Vec<u8>>>,
}

struct World {
    template: &'static Template,
    /// The code of tests is looked at too, so that a verdict covers every unit.
    test_code: bool,
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
        let template = match seed % 10 {
            0 => &NASTY,
            5 => &HOSTILE,
            _ => &PLAIN,
        };
        let project = TempProject::empty();
        let outside = project.beside("outside");
        let first = |files: Files| -> State { files.iter().map(|(path, _)| (*path, 0)).collect() };
        let (state, outside_state) = (first(template.files), first(template.outside));
        write_all(template, project.root(), &outside, &state, &outside_state);
        let ctx = testkit::ctx();
        let cache = project.beside("cache");
        let dirs = repo::Dirs { cache: cache.clone(), state: project.beside("state") };
        let opened = repo::Project::open(&ctx, project.root(), dirs).unwrap();
        let mut prover = Prover::new(&ctx, opened, env(&ctx, project.root())).unwrap();
        // Every fourth project of a kind goes the way of systems without overlay mounts.
        if (seed + seed / 10) % 4 == 1 {
            prover = prover.with_strategy(repo::Strategy::Copy);
        }
        // The user's own target.
        let test_code = seed.is_multiple_of(2);
        bare_check(prover.env(), project.root(), &project.path("target"), test_code);
        Self {
            template,
            test_code,
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
                self.run_hostile_tests();
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
                        .map(|state| scope.spawn(|| world.prove(state, &world.ladder())))
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
                let checked = self.prove(&state, &self.ladder());
                self.compare(&state, &checked, cold, tally);
                1
            }
        }
    }

    /// The present state with up to two files changed; often with none.
    fn candidate(&mut self) -> State {
        let mut state = self.state.clone();
        for _ in 0..self.chance.below(3) {
            self.chance.change(self.template.files, &mut state);
        }
        state
    }

    fn overlay(&self, state: &State) -> Overlay {
        let states = self.template.files.iter().filter_map(|(path, texts)| {
            let (before, after) = (texts[self.state[path]], texts[state[path]]);
            (before != after).then(|| {
                let path = ProjectPath::new(path).unwrap();
                (path, before.map(FileState::from_text), after.map(FileState::from_text))
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
        let found: Verdict =
            (checked.passed(), reported(&checked.diagnostics, self.project.root()));
        tally.candidates += 1;
        tally.passed += usize::from(found.0);
        // Where the parse rung stopped the ladder, the compiler did not run.
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
        let differing =
            self.template.files.iter().filter(|(path, _)| state[path] != self.state[path]);
        differing.map(|(path, _)| format!("{path}={}", state[path])).collect::<Vec<_>>().join(" ")
    }

    /// A user at work: edits with times of all kinds, swaps, touches, the folder outside.
    fn user_edits(&mut self) {
        let mut after = self.state.clone();
        for _ in 0..=self.chance.below(2) {
            self.chance.change(self.template.files, &mut after);
        }
        // Mostly the way back to a tree that builds.
        if self.chance.below(4) != 0 {
            after.values_mut().for_each(|idx| *idx = 0);
        }
        let outside = self.template.outside;
        if !outside.is_empty() && self.chance.below(6) == 0 {
            let broken = self.chance.below(3) == 0;
            self.outside_state.insert("src/lib.rs", usize::from(broken));
            write_state(&self.outside, outside, &self.outside_state);
            age(&self.outside.join("src/lib.rs"), Duration::from_secs(1 << 20));
        }
        let old: Vec<(PathBuf, Option<SystemTime>)> = self
            .template
            .files
            .iter()
            .map(|(path, _)| self.project.path(path))
            .map(|path| (path.clone(), modified(&path)))
            .collect();
        let changed = self.difference(&after);
        self.state = after;
        write_state(self.project.root(), self.template.files, &self.state);
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

    /// A baseline whose tests run, where they attack what later proofs read.
    fn run_hostile_tests(&mut self) {
        if self.template.has_hostile_tests && self.chance.below(3) == 0 {
            self.log.push("the tests of the baseline run".to_owned());
            let ladder = Ladder { tests: Tests::All, ..self.ladder() };
            self.prover.baseline(&self.ctx, &ladder, &mut |_| {}).unwrap();
        }
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
        let ladder = Ladder { timeout, ..self.ladder() };
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
        let key = format!("{} {state:?} {:?}", self.test_code, self.outside_state);
        if let Some(verdict) = cold.verdicts.lock().unwrap().get(&key) {
            return verdict.clone();
        }
        tally.cold_checks += 1;
        let copy = TempProject::empty();
        let target = copy.beside("target");
        write_all(self.template, copy.root(), &copy.beside("outside"), state, &self.outside_state);
        fs::create_dir_all(&target).unwrap();
        let info = target.join(".rustc_info.json");
        if let Some(known) = &*cold.rustc_info.lock().unwrap() {
            fs::write(&info, known).unwrap();
        }
        let verdict = bare_check(self.prover.env(), copy.root(), &target, self.test_code);
        *cold.rustc_info.lock().unwrap() = fs::read(&info).ok();
        cold.verdicts.lock().unwrap().insert(key, verdict.clone());
        verdict
    }

    fn ladder(&self) -> Ladder {
        Ladder { test_code: self.test_code, ..Ladder::default() }
    }

    fn target_digest(&self) -> TreeDigest {
        TreeDigest::with_times(&self.project.path("target"))
    }

    fn tree_fault(&self) -> Option<String> {
        let wrong = self.template.files.iter().find(|(path, texts)| {
            fs::read_to_string(self.project.path(path)).ok().as_deref() != texts[self.state[path]]
        });
        wrong.map(|(path, _)| format!("`{path}` of the user was touched"))
    }
}

/// cargo as a user would start it: the code itself, and behind it that of the tests.
fn bare_check(env: &CargoEnv, root: &Path, target: &Path, test_code: bool) -> Verdict {
    let (built, mut diagnostics) = bare_cargo(env, root, target, &[]);
    if !built || !test_code {
        return (built, reported(&diagnostics, root));
    }
    let (built, more) = bare_cargo(env, root, target, &["--tests"]);
    diagnostics.extend(more);
    (built, reported(&diagnostics, root))
}

#[allow(clippy::disallowed_methods, reason = "the reference must not share code with the product")]
fn bare_cargo(
    env: &CargoEnv,
    root: &Path,
    target: &Path,
    which: &[&str],
) -> (bool, Vec<Diagnostic>) {
    let toolchain = &env.toolchain;
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
    let diagnostics = lines.filter_map(|line| match build::read_message(root, line) {
        Some(build::CargoMessage::Diagnostic(diagnostic)) => Some(*diagnostic),
        _ => None,
    });
    (output.status.success(), diagnostics.collect())
}

/// Errors and warnings with their places, without the folder that they were found in.
fn reported(diagnostics: &[Diagnostic], root: &Path) -> SortedSet<String> {
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

fn write_all(
    template: &Template,
    root: &Path,
    outside: &Path,
    state: &State,
    outside_state: &State,
) {
    for (path, text) in template.fixed {
        let file = root.join(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }
    write_state(root, template.files, state);
    write_state(outside, template.outside, outside_state);
}

fn write_state(root: &Path, files: Files, state: &State) {
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

    fn change(&mut self, files: Files, state: &mut State) {
        let (path, texts) = files[self.below(files.len() as u64) as usize];
        state.insert(path, self.below(texts.len() as u64) as usize);
    }
}

#[cfg(test)]
#[test]
fn no_verdict_differs_from_a_cold_check_and_the_users_target_stays() {
    // Half a round on the nasty workspace, a part of one on the hostile one, four halves on plain packages; the bench
    // runs thousands.
    let cold = Cold::default();
    let next = std::sync::atomic::AtomicU64::new(0);
    let rounds = || {
        let seeds = std::iter::from_fn(|| {
            let seed = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            (seed < 6).then_some(seed)
        });
        // Each proof of the hostile workspace builds it whole.
        let count = |seed| if seed == 5 { ROUND / 4 } else { ROUND / 2 };
        seeds.map(|seed| run(seed, count(seed), &cold)).collect::<Vec<Tally>>()
    };
    let tallies: Vec<Tally> = std::thread::scope(|scope| {
        let handles: Vec<_> = (0..2).map(|_| scope.spawn(rounds)).collect();
        handles.into_iter().flat_map(|handle| handle.join().unwrap()).collect()
    });
    let faults: Vec<String> = tallies.iter().flat_map(|tally| tally.faults.clone()).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
    assert_eq!(tallies.iter().map(|tally| tally.sequences).sum::<usize>(), 55);
}
