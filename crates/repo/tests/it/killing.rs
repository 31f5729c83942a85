//! Rounds of "change the tree, be killed, recover, compare": shared by the tests and the bench.
//! A child process – the same executable – does one write and is killed at a numbered place of
//! the protocol or at a random moment; then the next `open` must find the old tree or the new
//! one, byte for byte.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use base::{Ctx, ProjectPath, SortedMap};
use edit::{FileState, Files, Overlay};
use graftage_repo::{ApplyOptions, CommitMessage, Dirs, EntryState, Git, Project};
use policy::{
    Approval, Evidence, Findings, GateRules, Permit, ProofCoverage, Rung, RungName, TreeInputs,
};
use serde_json::{Value, json};
use testkit::{TempProject, TestHost, TreeDigest};

/// Chance from a seed.
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A number below `end`.
    pub(crate) fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % end.max(1)
    }
}

/// What came of one round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Fate {
    /// Killed; the tree is the old one.
    Old,
    /// Killed; the tree is the new one.
    New,
    /// The child was done before the kill.
    Done,
}

/// One project that is killed again and again.
pub(crate) struct Arena {
    temp: TempProject,
    ctx: Ctx,
    dirs: Dirs,
    dice: Dice,
    git: Option<testkit::TestGit>,
    /// Digests before and after each change in force.
    applied: Vec<(TreeDigest, TreeDigest)>,
    /// The same for what was undone last.
    undone: Vec<(TreeDigest, TreeDigest)>,
}

type Changes = Vec<(String, Option<String>, bool)>;

impl Arena {
    /// A fresh project; `with_git`: each change is committed.
    pub(crate) fn new(seed: u64, with_git: bool) -> Self {
        let temp = testkit::project(
            "//- /src/f0.rs\nfn a() {}\n//- /src/f1.rs crlf\nfn b() {}\n//- /src/f2.rs executable\n\
             x\n//- /src/f3.rs bom\nx\n//- /gone/deep/y.rs\ny\n//- /.gitignore\n/ignored\n\
             //- /other\no\n//- /staged\ns\n",
        );
        let git = with_git.then(|| {
            // Built here, so that no child is killed while it builds.
            let _ = testkit::inner::path();
            let git = temp.git();
            git.run(&["branch", "side"]);
            temp.write("other", "stashed\n");
            git.run(&["stash", "push", "--quiet", "other"]);
            temp.write("staged", "staged\n");
            git.run(&["add", "staged"]);
            git
        });
        temp.write("untracked", "u\n");
        temp.write("ignored", "i\n");
        temp.write("other", "uncommitted\n");
        let dirs = Dirs { cache: temp.beside("cache"), state: temp.beside("state") };
        Self {
            temp,
            ctx: TestHost::new().ctx(),
            dirs,
            dice: Dice::new(seed),
            git,
            applied: Vec::new(),
            undone: Vec::new(),
        }
    }

    /// One write that is killed; panics when the tree is neither old nor new afterwards.
    pub(crate) fn round(&mut self, spawn: &dyn Fn(&str) -> Command) -> Fate {
        let old = self.digest();
        let guard = self.guard();
        let (verb, changes, new) = self.choose();
        let at_point = self.dice.below(2) == 0;
        let plain = self.git.is_none() && self.dice.below(3) == 0;
        let points = if self.git.is_some() { 34 } else { 24 + u64::from(plain) * 12 };
        let point = at_point.then(|| self.dice.below(points));
        let delay = self.dice.below(if self.git.is_some() { 600_000 } else { 25_000 });
        let job = json!({
            "root": self.temp.root(), "cache": self.dirs.cache, "state": self.dirs.state,
            "verb": verb, "changes": changes, "point": point, "commit": self.git.is_some(),
            "plain": plain,
        });
        let killed = run_child(spawn(&job.to_string()), point.is_none().then_some(delay));
        let project = Project::open(&self.ctx, self.temp.root(), self.dirs.clone())
            .unwrap_or_else(|err| panic!("recovery: {err}; job {job}"));
        let now = self.digest();
        let is_new = now == new;
        assert!(
            is_new || now == old,
            "neither old nor new after {job}:\nagainst old:\n{}against new:\n{}",
            old.differences(&now),
            new.differences(&now)
        );
        assert!(killed || is_new, "the child ended well but its change is not there: {job}");
        self.compare_guard(&guard, is_new);
        let journal = project.state_dir().join("journal");
        let names = std::fs::read_dir(&journal).into_iter().flatten().flatten();
        let pending: Vec<_> = names
            .map(|entry| entry.file_name().to_string_lossy().into_owned())
            .filter(|name| name.starts_with("pending"))
            .collect();
        assert!(pending.is_empty(), "{pending:?} after {job}");
        if is_new {
            self.note(verb, old, new);
        }
        let history = project.history().unwrap();
        let in_force = history.iter().filter(|entry| entry.state == EntryState::Applied).count();
        assert_eq!(in_force, self.applied.len(), "journal and tree agree after {job}");
        match (killed, is_new) {
            (false, _) => Fate::Done,
            (true, true) => Fate::New,
            (true, false) => Fate::Old,
        }
    }

    /// One write without a kill, in this process.
    #[allow(dead_code, reason = "the bench only kills")]
    pub(crate) fn step(&mut self) {
        let old = self.digest();
        let (verb, changes, new) = self.choose();
        let project = Project::open(&self.ctx, self.temp.root(), self.dirs.clone()).unwrap();
        write(&self.ctx, &project, verb, changes, &ApplyOptions::default());
        new.assert_same(&self.digest());
        self.note(verb, old, new);
    }

    /// What to do next, and the tree that it leads to.
    fn choose(&mut self) -> (&'static str, Changes, TreeDigest) {
        let verb = match self.dice.below(4) {
            0 if self.git.is_none() && !self.applied.is_empty() => "undo",
            1 if self.git.is_none() && !self.undone.is_empty() => "redo",
            _ => "apply",
        };
        match verb {
            "undo" => (verb, Vec::new(), self.applied[self.applied.len() - 1].0.clone()),
            "redo" => (verb, Vec::new(), self.undone[self.undone.len() - 1].1.clone()),
            _ => {
                let (changes, new) = self.random_changes();
                (verb, changes, new)
            }
        }
    }

    fn note(&mut self, verb: &str, old: TreeDigest, new: TreeDigest) {
        match verb {
            "undo" => self.undone.extend(self.applied.pop()),
            "redo" => self.applied.extend(self.undone.pop()),
            _ => {
                self.applied.push((old, new));
                self.undone.clear();
            }
        }
    }

    /// Undoes all that is in force: the journal must lead to the first tree.
    pub(crate) fn unwind(&mut self) {
        if self.git.is_some() {
            return;
        }
        while let Some((before, _)) = self.applied.pop() {
            let project = Project::open(&self.ctx, self.temp.root(), self.dirs.clone()).unwrap();
            project.undo(&self.ctx, None).unwrap();
            before.assert_same(&self.digest());
        }
    }

    fn digest(&self) -> TreeDigest {
        self.temp.digest().without(".git")
    }

    /// What of the repository no kill may move.
    fn guard(&self) -> Option<(String, SortedMap<String, String>, String)> {
        let git = self.git.as_ref()?;
        let refs = git.run(&["for-each-ref", "--format=%(refname) %(objectname)"]);
        let refs: Vec<&str> = refs.lines().filter(|line| !line.contains("heads/main ")).collect();
        let fixed = format!(
            "{refs:?} {} {:?} {}",
            git.run(&["stash", "list"]),
            self.temp.digest().only(".git/hooks"),
            self.temp.read(".git/config")
        );
        let index = git.run(&["ls-files", "--stage", "--debug"]);
        let mut entries = SortedMap::new();
        let mut path = String::new();
        for line in index.lines() {
            if let Some((_, name)) = line.split_once('\t').filter(|_| !line.starts_with(' ')) {
                path = name.to_owned();
            }
            *entries.entry(path.clone()).or_insert_with(String::new) += line;
        }
        Some((fixed, entries, git.head()))
    }

    fn compare_guard(
        &self,
        before: &Option<(String, SortedMap<String, String>, String)>,
        is_new: bool,
    ) {
        let (Some(git), Some((fixed, index, head))) = (&self.git, before) else { return };
        let locks: Vec<_> = self
            .temp
            .digest()
            .only(".git")
            .entries
            .into_keys()
            .filter(|name| name.ends_with(".lock") || name.contains("graftage"))
            .collect();
        assert!(locks.is_empty(), "{locks:?}");
        let (fixed_now, index_now, head_now) = self.guard().unwrap();
        assert_eq!(&fixed_now, fixed);
        assert_eq!(
            head != &head_now,
            is_new,
            "the commit exists if and only if the files are written"
        );
        if is_new {
            let parent = git.run(&["rev-parse", "HEAD^"]);
            assert_eq!(&parent, head, "one commit");
            for name in ["other", "staged", ".gitignore"] {
                assert_eq!(index.get(name), index_now.get(name), "{name}");
            }
        } else {
            assert_eq!(&index_now, index);
        }
        let status = git.run(&["--no-optional-locks", "status", "--porcelain"]);
        assert_eq!(status, " M other\nM  staged\n?? untracked");
    }

    /// Some edits, creations and deletions, and the digest of the tree that they lead to.
    fn random_changes(&mut self) -> (Changes, TreeDigest) {
        let names = [
            "src/f0.rs",
            "src/f1.rs",
            "src/f2.rs",
            "src/f3.rs",
            "new/d0/x.rs",
            "new/d1/x.rs",
            "gone/deep/y.rs",
            "top.rs",
        ];
        let target = tempfile::tempdir().unwrap();
        let tree = target.path().join("tree");
        copy(self.temp.root(), &tree);
        let mut changes: Changes = Vec::new();
        let first = self.dice.below(8);
        for idx in 0..=self.dice.below(5) {
            let name = names[((first + idx) % 8) as usize];
            let file = tree.join(name);
            let exists = file.exists();
            if exists && self.dice.below(10) < 3 {
                std::fs::remove_file(&file).unwrap();
                let mut folder = file.parent().unwrap();
                while folder != tree && std::fs::remove_dir(folder).is_ok() {
                    folder = folder.parent().unwrap();
                }
                changes.push((name.to_owned(), None, false));
                continue;
            }
            let fresh = self.dice.below(1 << 40);
            let text = format!("{fresh}\r\n").repeat(self.dice.below(400) as usize + 1);
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(&file, &text).unwrap();
            let executable = graftage_executable(&file);
            changes.push((name.to_owned(), Some(text), executable));
        }
        (changes, TreeDigest::of(&tree).without(".git"))
    }
}

fn graftage_executable(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    file.metadata().unwrap().permissions().mode() & 0o100 != 0
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    std::fs::set_permissions(to, from.metadata().unwrap().permissions()).unwrap();
    for entry in std::fs::read_dir(from).unwrap().flatten() {
        if entry.file_name() == ".git" {
            continue;
        }
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), &target).unwrap();
        }
    }
}

/// Whether the child was killed; `delay_us`: by us, so long after it reported its start.
fn run_child(mut command: Command, delay_us: Option<u64>) -> bool {
    let mut child =
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let started = lines.by_ref().map_while(Result::ok).any(|line| line.ends_with("BEGIN"));
    if let (true, Some(delay)) = (started, delay_us) {
        std::thread::sleep(Duration::from_micros(delay));
        let _ = child.kill();
    }
    let rest: Vec<String> = lines.map_while(Result::ok).collect();
    let output = child.wait_with_output().unwrap();
    let signal = std::os::unix::process::ExitStatusExt::signal(&output.status);
    assert!(
        signal == Some(9) || output.status.success(),
        "the child failed: {rest:?} {}",
        String::from_utf8_lossy(&output.stderr)
    );
    signal == Some(9)
}

/// What the child does with the job it is given.
pub(crate) fn child(job: &str) {
    let job: Value = serde_json::from_str(job).unwrap();
    let folder = |name: &str| Path::new(job[name].as_str().unwrap()).to_owned();
    let dirs = Dirs { cache: folder("cache"), state: folder("state") };
    let ctx = TestHost::new().ctx();
    let project = Project::open(&ctx, &folder("root"), dirs).unwrap();
    let mut env = git_env();
    if let Some(path) = job["path"].as_str() {
        env.insert("PATH".into(), path.into());
    }
    let project = project.with_git(Git { env, ..Git::default() });
    let changes: Changes = serde_json::from_value(job["changes"].clone()).unwrap();
    let mut options = ApplyOptions::default();
    if job["commit"].as_bool().unwrap() {
        // Probed before the clock runs, as in a process that proved its change.
        let _ = testkit::inner::sandbox().capabilities();
        options.commit = Some(CommitMessage {
            kind: "fix".into(),
            scope: None,
            summary: "repair".into(),
            body: Vec::new(),
        });
    }
    let mut stdout = std::io::stdout();
    stdout.write_all(b"BEGIN\n").unwrap();
    stdout.flush().unwrap();
    if job["plain"] == true {
        graftage_repo::crash_points::rename_plainly();
    }
    if let Some(point) = job["point"].as_u64() {
        graftage_repo::crash_points::arm(point);
    }
    write(&ctx, &project, job["verb"].as_str().unwrap(), changes, &options);
}

fn write(ctx: &Ctx, project: &Project, verb: &str, changes: Changes, options: &ApplyOptions) {
    let states = changes.into_iter().map(|(name, text, executable)| {
        let path = ProjectPath::new(&name).unwrap();
        let before = project.read(&path).unwrap();
        let after = text.map(|text| FileState { text: text.into(), executable });
        (path, before, after)
    });
    let overlay = Overlay::from_states("rules", base::Timestamp(0), states.collect());
    let sandbox = match &options.commit {
        Some(_) => testkit::inner::sandbox(),
        // Nothing is started; to look for the inner stage may start a build.
        None => sandbox::Sandbox::new("/nonexistent".into()),
    };
    match verb {
        "undo" => project.undo(ctx, None).unwrap(),
        "redo" => project.redo(ctx, None).unwrap(),
        _ => project.apply(ctx, &sandbox, &overlay, permit(project, &overlay), options).unwrap(),
    };
}

fn git_env() -> SortedMap<std::ffi::OsString, std::ffi::OsString> {
    [
        ("PATH", "/usr/local/bin:/usr/bin:/bin"),
        ("HOME", "/nonexistent"),
        ("GIT_CONFIG_GLOBAL", "/dev/null"),
        ("GIT_CONFIG_NOSYSTEM", "1"),
        ("GIT_AUTHOR_NAME", "Ada Tester"),
        ("GIT_AUTHOR_EMAIL", "ada@example.invalid"),
        ("GIT_COMMITTER_NAME", "Ada Tester"),
        ("GIT_COMMITTER_EMAIL", "ada@example.invalid"),
    ]
    .into_iter()
    .map(|(name, value)| (name.into(), value.into()))
    .collect()
}

/// The gate's permit for an overlay whose proof passed on the tree as it is.
pub(crate) fn permit(project: &Project, overlay: &Overlay) -> Permit {
    permit_beside(project, overlay, TreeInputs::default())
}

/// The same for a proof that depends on these inputs too.
pub(crate) fn permit_beside(project: &Project, overlay: &Overlay, inputs: TreeInputs) -> Permit {
    let rung = |name| Rung { name, passed: true, ms: 1, detail: String::new() };
    let (tree, _) = project.tree_state(&testkit::ctx(), &Arc::new(inputs)).unwrap();
    let evidence = Evidence::of(Findings {
        patch_set: overlay.patch_set(),
        compiled: Some(overlay.patch_set()),
        tree: Some(tree),
        coverage: ProofCoverage::default(),
        rungs: vec![rung(RungName::Parse), rung(RungName::Check)],
        errors_before: Some(1),
        errors_after: 0,
        first_error: None,
        first_error_before: None,
        new_errors: Vec::new(),
        new_warnings: Vec::new(),
        tests: None,
        files: Vec::new(),
        violations: Vec::new(),
        protected: Vec::new(),
        public_changes: Vec::new(),
        notes: Vec::new(),
        protections: Vec::new(),
    });
    let rules = GateRules { max_files: 10_000, max_lines: usize::MAX, ..GateRules::default() };
    let decision = policy::decide(&rules, evidence, &Approval::default());
    decision.permit().unwrap_or_else(|refusals| panic!("the gate stays closed: {refusals:?}"))
}
