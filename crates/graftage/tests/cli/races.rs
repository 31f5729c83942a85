//! Several graftage processes, an editor, git and cargo work on one project at once; some processes
//! are killed. Invariants after each such sequence:
//!
//! - every process ends within [`TIMEOUT`], none with an internal error;
//! - the tree builds, and passes its tests if the checks ran them, unless something unchecked was
//!   written: `undo` and `redo` check nothing, and an initial error may remain;
//! - every save of the editor is in its file, or among the rescued texts;
//! - the journal is valid, no temporary file is left in the tree, the commit of an entry contains its
//!   change, and no commit of the user is lost.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use base::{SortedMap, SortedSet};
use testkit::TempProject;

use super::support::{command, graftage};

/// Time limit of a process.
const TIMEOUT: Duration = Duration::from_secs(240);

const BASE: [(&str, &str); 6] = [
    ("src/lib.rs", "pub mod a;\npub mod b;\npub mod c;\npub mod d;\npub mod e;\n"),
    ("src/a.rs", "//! The name.\n\npub fn first() -> u32 {\n    1\n}\n"),
    ("src/b.rs", "//! A caller.\n\npub fn calls() -> u32 {\n    crate::a::first() + 1\n}\n"),
    ("src/c.rs", "//! Gets more callers.\n\npub fn own() -> u32 {\n    2\n}\n"),
    (
        "src/d.rs",
        "//! The editor's.\n\npub fn sum(all: &[u32]) -> u32 {\n    all.iter().sum()\n}\n",
    ),
    // Each number may become 2, and the tree builds with both at 2, but the test fails then.
    (
        "src/e.rs",
        "//! Limits.\n\npub const LEFT: u32 = 1;\n\n// Far enough for two edits.\n\npub const RIGHT: \
         u32 = 1;\n\n#[test]\nfn the_sum_is_small() {\n    assert!(LEFT + RIGHT <= 3);\n}\n",
    ),
];

/// Content of `d.rs` in sequences that start with an error, E0596, which `fix` repairs.
const BROKEN: &str = "//! The editor's.\n\npub fn sum(all: &[u32]) -> u32 {\n    let sum = 0;\n    \
                      for one in all {\n        sum += one;\n    }\n    sum\n}\n";

/// A random generator with a seed.
struct Chance(u64);

impl Chance {
    fn below(&mut self, end: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }
}

/// Results of the sequences.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    pub(crate) sequences: usize,
    /// Number of sequences whose checks ran tests.
    pub(crate) with_tests: usize,
    pub(crate) built: usize,
    pub(crate) saves: usize,
    pub(crate) rescued: usize,
    pub(crate) commits: usize,
    pub(crate) killed: usize,
    /// Number of processes by verb and status.
    pub(crate) ends: SortedMap<(&'static str, i32), usize>,
    pub(crate) violations: Vec<String>,
}

impl Tally {
    /// Whether tests were run, texts saved, processes killed and commits made.
    fn met_everything(&self) -> bool {
        self.saves > 5 && self.killed > 2 && self.commits > 0 && self.with_tests > 0
    }
}

/// One graftage process.
struct Actor {
    verb: &'static str,
    child: Child,
    stderr: PathBuf,
    kill_at: Option<Instant>,
}

/// A project for several sequences.
pub(crate) struct Ring {
    project: TempProject,
    git: testkit::TestGit,
    seed: u64,
    /// Generator of the current sequence. How often it is asked depends on how long the processes
    /// run, so each sequence starts it again from `seed` and `number`.
    chance: Chance,
    number: usize,
    /// Tests that the checks of the sequence run: `affected` or `none`.
    tests: &'static str,
}

impl Ring {
    /// A new project; `seed` determines the sequences.
    pub(crate) fn new(seed: u64) -> Self {
        let fixture: String =
            BASE.iter().map(|(path, text)| format!("//- /{path}\n{text}")).collect();
        let project = testkit::crate_project(&fixture);
        let ring =
            Self { git: project.git(), project, seed, chance: Chance(0), number: 0, tests: "none" };
        // Creates the lock file, which is part of the tree.
        assert_eq!(ring.errors("check"), Vec::<String>::new());
        ring.git.commit_all("base");
        ring
    }

    /// Codes of the errors of the user's `cargo check` or `cargo test`; `-` for an error without code.
    fn errors(&self, verb: &str) -> Vec<String> {
        let output = self.cargo(verb).output().expect("cargo runs");
        let result = String::from_utf8_lossy(&output.stderr).into_owned();
        if output.status.success() {
            return Vec::new();
        }
        let errors = result.lines().filter_map(|line| line.strip_prefix("error"));
        let errors = errors.filter(|it| !it.starts_with(": could not compile"));
        let code = |it: &str| match it.strip_prefix('[').and_then(|it| it.split_once(']')) {
            Some((code, _)) => code.to_owned(),
            None => format!("-{it}"),
        };
        errors.map(code).collect()
    }

    fn cargo(&self, verb: &str) -> Command {
        // As the command-line tests, with another program and target directory.
        let like = command(&self.project, &[]);
        let mut cargo = Command::new("cargo");
        cargo.args([verb, "--offline", "--quiet"]).current_dir(self.project.root()).env_clear();
        cargo.envs(like.get_envs().filter_map(|(name, value)| Some((name, value?))));
        cargo.env("CARGO_TARGET_DIR", self.project.beside("users-target"));
        cargo.stdin(Stdio::null()).stdout(Stdio::null());
        cargo
    }

    /// Runs one sequence; violations are added to the tally.
    pub(crate) fn sequence(&mut self, tally: &mut Tally) {
        self.number += 1;
        let stream = (self.seed << 32) + self.number as u64;
        self.chance = Chance(stream.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let broken = self.chance.below(5) == 0;
        for (path, text) in BASE {
            self.project.write(path, if broken && path == "src/d.rs" { BROKEN } else { text });
        }
        self.git.commit_all("the next sequence");
        let users = testkit::TestGit::at(self.project.root());
        let with_history = self.chance.below(5) < 2;
        if with_history {
            self.apply_one();
        }
        self.tests = if self.number.is_multiple_of(4) { "affected" } else { "none" };
        tally.with_tests += usize::from(self.tests != "none");
        let count = 2 + self.chance.below(4) + 3 * (self.chance.below(8) / 7);
        let mut actors = Vec::new();
        let (mut saved, mut committed) = (Vec::new(), Vec::new());
        let mut user = None;
        for at in 0..count {
            std::thread::sleep(Duration::from_millis(self.chance.below(300)));
            actors.push(self.start(at, with_history));
            match self.chance.below(6) {
                0 | 1 => saved.push(self.save(saved.len())),
                2 => committed.extend(self.commit(&users, committed.len())),
                3 if user.is_none() => {
                    user = self.cargo("check").stderr(Stdio::null()).spawn().ok()
                }
                _ => {}
            }
        }
        let before = tally.violations.len();
        let mut history = false;
        let start = Instant::now();
        while !actors.is_empty() {
            std::thread::sleep(Duration::from_millis(20));
            if self.chance.below(60) == 0 && saved.len() < 6 {
                saved.push(self.save(saved.len()));
            }
            actors.retain_mut(|actor| {
                let kill = actor.kill_at.is_some_and(|at| at <= Instant::now());
                if kill || start.elapsed() > TIMEOUT {
                    let _ = actor.child.kill();
                }
                if start.elapsed() > TIMEOUT {
                    tally.violations.push(format!("`{}` does not end", actor.verb));
                }
                let Ok(Some(status)) = actor.child.try_wait() else { return true };
                let code = status.code().unwrap_or(-1);
                // A kill may come after the change took effect.
                history |= matches!(actor.verb, "undo" | "redo") && matches!(code, 0 | -1);
                tally.killed += usize::from(code == -1);
                *tally.ends.entry((actor.verb, code)).or_default() += 1;
                let result = std::fs::read_to_string(&actor.stderr).unwrap_or_default();
                // Status 3: a tree that changes all the time cannot be checked.
                let restless = code == 3 && result.contains("the tree changed while");
                if !restless && !matches!(code, -1..=2) {
                    tally.violations.push(format!("`{}` ended with {code}: {result}", actor.verb));
                }
                false
            });
        }
        if let Some(mut user) = user {
            let _ = user.wait();
        }
        tally.sequences += 1;
        tally.saves += saved.len();
        tally.commits += committed.len();
        self.check(tally, broken, history, &saved, &committed);
        for violation in &mut tally.violations[before..] {
            *violation = format!("sequence {}: {violation}", self.number);
        }
    }

    /// Applies one change for `undo` and `redo`, whether the tree builds or not.
    fn apply_one(&self) {
        let file = self.project.beside("edits").join(format!("{}-first.diff", self.number));
        std::fs::write(&file, self.call(99)).expect("a file");
        let file = file.to_string_lossy();
        let args = ["edit", "apply", &file, "--tests", "none", "--override", "something to undo"];
        let result = graftage(&self.project, &args);
        assert_eq!(result.status, 0, "{result:#?}");
    }

    /// Starts a graftage process with an edit of the present tree.
    fn start(&mut self, at: u64, with_history: bool) -> Actor {
        let (verb, edit) = match self.chance.below(if with_history { 10 } else { 7 }) {
            0 | 1 if self.tests == "affected" => ("raise", Some(self.raise())),
            0 | 1 => ("rename", Some(self.rename())),
            2 | 3 => ("call", Some(self.call(at))),
            4 => ("comment", Some(self.comment(at))),
            5 => ("fix", None),
            6 => ("check", None),
            7 | 8 => ("undo", None),
            _ => ("redo", None),
        };
        let mut args: Vec<String> = match (verb, edit) {
            (_, Some(diff)) => {
                let file = self.project.beside("edits").join(format!("{}-{at}.diff", self.number));
                std::fs::write(&file, diff).expect("a file");
                ["edit", "apply", &file.to_string_lossy(), "--tests", self.tests]
                    .map(str::to_owned)
                    .into()
            }
            ("fix", _) => ["fix", "--apply", "--tests", self.tests].map(str::to_owned).into(),
            _ => vec![verb.to_owned()],
        };
        if matches!(verb, "call" | "comment" | "fix") && self.chance.below(5) == 0 {
            args.push("--commit".to_owned());
        }
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let mut command = command(&self.project, &args);
        let stderr = self.project.beside("edits").join(format!("{}-{at}.stderr", self.number));
        let file = std::fs::File::create(&stderr).expect("a file");
        let child = command.stdout(Stdio::null()).stderr(file).spawn();
        let delay = Duration::from_millis(self.chance.below(2_500));
        let kill = self.chance.below(4) == 0;
        Actor {
            verb,
            child: child.expect("the binary starts"),
            stderr,
            kill_at: kill.then(|| Instant::now() + delay),
        }
    }

    fn rename(&self) -> String {
        let (from, to) = match self.project.read("src/a.rs").contains("fn first") {
            true => ("first", "second"),
            false => ("second", "first"),
        };
        let renamed = |path: &&str| {
            let old = self.project.read(path);
            let new = old.replace(&format!("fn {from}("), &format!("fn {to}("));
            let new = new.replace(&format!("a::{from}("), &format!("a::{to}("));
            diff(path, &old, &new)
        };
        ["src/a.rs", "src/b.rs", "src/c.rs"].iter().map(renamed).collect()
    }

    fn call(&self, at: u64) -> String {
        let a = self.project.read("src/a.rs");
        let name = if a.contains("fn first") { "first" } else { "second" };
        let old = self.project.read("src/c.rs");
        let new = format!(
            "{old}\npub fn more_{}_{at}() -> u32 {{\n    crate::a::{name}()\n}}\n",
            self.number
        );
        diff("src/c.rs", &old, &new)
    }

    /// Raises one of two numbers, or reverts that.
    fn raise(&mut self) -> String {
        let name = if self.chance.below(2) == 0 { "LEFT" } else { "RIGHT" };
        let (one, two) = (format!("{name}: u32 = 1"), format!("{name}: u32 = 2"));
        let old = self.project.read("src/e.rs");
        let (from, to) = if old.contains(&one) { (one, two) } else { (two, one) };
        diff("src/e.rs", &old, &old.replace(&from, &to))
    }

    fn comment(&self, at: u64) -> String {
        let old = self.project.read("src/d.rs");
        let new = old.replace("//! The editor's.\n", &format!("//! The editor's, {at}.\n"));
        diff("src/d.rs", &old, &new)
    }

    /// The editor adds a line to its file, in place or with a rename. Returns the line.
    fn save(&mut self, at: usize) -> String {
        let line = format!("// save {} {at}", self.number);
        let text = format!("{}{line}\n", self.project.read("src/d.rs"));
        if self.chance.below(4) == 0 {
            self.project.write("src/d.rs", text);
        } else {
            self.project.write("src/d.rs~", text);
            let path = |name| self.project.path(name);
            std::fs::rename(path("src/d.rs~"), path("src/d.rs")).expect("a rename");
        }
        line
    }

    /// The user commits everything if git is not locked; returns the message.
    fn commit(&self, git: &testkit::TestGit, at: usize) -> Option<String> {
        let message = format!("user {} {at}", self.number);
        let made = git.try_run(&["commit", "--quiet", "--all", "--allow-empty", "-m", &message]);
        made.status.success().then_some(message)
    }

    fn check(
        &self,
        tally: &mut Tally,
        broken: bool,
        history: bool,
        saved: &[String],
        committed: &[String],
    ) {
        // Only recovers.
        let result = graftage(&self.project, &["undo", "no-such-entry"]);
        if !matches!(result.status, 1 | 2) {
            tally.violations.push(format!("recovery: {result:?}"));
        }
        let names = names_below(&self.project.path("src"));
        let known: SortedSet<PathBuf> =
            BASE.iter().map(|(path, _)| self.project.path(path)).collect();
        for name in names.difference(&known) {
            tally.violations.push(format!("left in the tree: {}", name.display()));
        }
        if !history {
            let mut errors = self.errors("check");
            errors.retain(|code| !(broken && code == "E0596"));
            tally.built += usize::from(errors.is_empty());
            if errors.is_empty() && self.tests == "affected" && !broken {
                errors = self.errors("test");
            }
            if !errors.is_empty() {
                let texts = BASE.map(|(path, _)| self.project.read(path));
                tally.violations.push(format!("the tree is broken: {errors:?} {texts:?}"));
            }
        }
        let kept = self.project.beside("graftage");
        let rescued: Vec<String> = names_below(&kept)
            .iter()
            .filter(|path| path.components().any(|part| part.as_os_str() == "rescued"))
            .filter_map(|path| std::fs::read_to_string(path).ok())
            .collect();
        let text = self.project.read("src/d.rs");
        for line in saved.iter().filter(|line| !text.contains(*line)) {
            if rescued.iter().any(|text| text.contains(line)) {
                tally.rescued += 1;
            } else {
                tally.violations.push(format!("the editor's `{line}` is lost: {text}"));
            }
        }
        self.check_journal(tally, &kept);
        let log = self.git.run(&["log", "--format=%s"]);
        for message in committed.iter().filter(|it| !log.lines().any(|line| line == it.as_str())) {
            tally.violations.push(format!("the user's commit `{message}` is lost"));
        }
    }

    fn check_journal(&self, tally: &mut Tally, kept: &Path) {
        for path in names_below(kept) {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let folder = path.parent().and_then(Path::file_name).unwrap_or_default();
            if folder == "journal" && (name.starts_with("pending") || name == "commit") {
                tally.violations.push(format!("the journal still has `{name}`"));
            }
            if folder != "entries" {
                continue;
            }
            let text = std::fs::read_to_string(&path).unwrap_or_default();
            let json = text.split_once('\n').map_or("", |(_, json)| json);
            let Ok(entry) = serde_json::from_str::<serde_json::Value>(json) else {
                tally.violations.push(format!("the entry `{name}` is damaged"));
                continue;
            };
            let Some(commit) = entry["commit"].as_str() else { continue };
            let message = self.git.run(&["log", "-1", "--format=%B", commit]);
            let patch_set = entry["patch_set"].as_str().unwrap_or("none");
            if !message.contains(&format!("Patch-set: {patch_set}")) {
                tally.violations.push(format!("`{name}` claims the commit `{message}`"));
            }
        }
    }
}

/// A diff with one hunk that covers all differing lines.
fn diff(path: &str, old: &str, new: &str) -> String {
    let (a, b): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let front = a.iter().zip(&b).take_while(|(a, b)| a == b).count();
    let short = a.len().min(b.len());
    let back = a.iter().rev().zip(b.iter().rev()).take(short - front).take_while(|(a, b)| a == b);
    let back = back.count();
    if front == a.len() && front == b.len() {
        return String::new();
    }
    let (before, after) = (front.min(2), back.min(2));
    let (old_end, new_end) = (a.len() - back, b.len() - back);
    let mut hunk = format!(
        "--- a/{path}\n+++ b/{path}\n@@ -{},{} +{},{} @@\n",
        front - before + 1,
        old_end - front + before + after,
        front - before + 1,
        new_end - front + before + after
    );
    let mut lines = |sign: char, lines: &[&str]| {
        for line in lines {
            hunk.push_str(&format!("{sign}{line}\n"));
        }
    };
    lines(' ', &a[front - before..front]);
    lines('-', &a[front..old_end]);
    lines('+', &b[front..new_end]);
    lines(' ', &a[old_end..old_end + after]);
    hunk
}

/// All files in a directory, recursively.
fn names_below(folder: &Path) -> SortedSet<PathBuf> {
    let mut names = SortedSet::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => names.extend(names_below(&entry.path())),
            _ => drop(names.insert(entry.path())),
        }
    }
    names
}

#[test]
fn concurrent_processes_editor_and_git_break_no_invariant() {
    let mut tally = Tally::default();
    let mut ring = Ring::new(5);
    // What a sequence meets depends on the machine: a slow one is given more of them.
    while tally.sequences < 15 || (tally.sequences < 60 && !tally.met_everything()) {
        ring.sequence(&mut tally);
    }
    assert!(tally.violations.is_empty(), "{tally:#?}");
    assert!(tally.met_everything(), "{tally:#?}");
}

#[test]
fn a_rename_and_a_new_call_of_the_old_name_are_never_both_written() {
    let ring = Ring::new(6);
    let (rename, call) = (ring.rename(), ring.call(0));
    let files = [("rename.diff", rename), ("call.diff", call)].map(|(name, text)| {
        let file = ring.project.beside("edits").join(name);
        std::fs::write(&file, text).expect("a file");
        file.to_string_lossy().into_owned()
    });
    let children = files.map(|file| {
        let mut command = command(&ring.project, &["edit", "apply", &file, "--tests", "none"]);
        command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the binary starts")
    });
    let ends = children.map(|mut child| child.wait().expect("an end").code());
    assert_eq!(ring.errors("check"), Vec::<String>::new(), "{ends:?}");
    assert!(ends.contains(&Some(0)), "one of them is written: {ends:?}");
    let c = ring.project.read("src/c.rs");
    let both = ring.project.read("src/a.rs").contains("fn second") && c.contains("more_");
    // Checked again, the rename may have included the new call.
    assert!(!both || c.contains("a::second"), "{ends:?}");
}
