//! Whenever the process is killed, the tree is the old or the new one, and the next command recovers.

use testkit::Chance;

use super::support::{command, graftage};

/// Numbers of runs by result.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    pub(crate) runs: usize,
    pub(crate) killed: usize,
    pub(crate) old: usize,
    pub(crate) new: usize,
}

/// Kills `runs` runs of `edit apply`, `undo`, `redo` and `fix --apply` at random moments.
///
/// # Panics
/// If a tree is neither the old nor the new one, or the next command does not recover.
pub(crate) fn kill_at_random_moments(runs: usize, seed: u64) -> Tally {
    let project = testkit::crate_project(
        "
//- /src/lib.rs
pub mod other;
pub fn total(numbers: &[u32]) -> u32 {
    let sum = 0;
    for number in numbers {
        sum += number;
    }
    sum
}
//- /src/other.rs
pub fn untouched() {}
",
    );
    project.write("notes.txt", "untracked file of the user\n");
    let git = project.git();
    git.run(&["stash", "list"]);
    let sources = |project: &testkit::TempProject| {
        (project.read("src/lib.rs"), project.read("src/other.rs"), project.read("notes.txt"))
    };
    let old = sources(&project);
    let new = (old.0.replace("let sum", "let mut sum"), old.1.clone(), old.2.clone());
    let index = std::fs::read(project.path(".git/index")).expect("an index");

    // One run without a kill measures the duration of each command and fills the caches.
    let started = std::time::Instant::now();
    let result = graftage(&project, &["fix", "--apply"]);
    assert_eq!((result.status, sources(&project)), (0, new.clone()), "{result:#?}");
    let fix_us = started.elapsed().as_micros() as u64;
    let started = std::time::Instant::now();
    assert_eq!(graftage(&project, &["undo"]).status, 0);
    let undo_us = started.elapsed().as_micros() as u64;
    assert_eq!(sources(&project), old);

    let mut chance = Chance::new(seed);
    let mut tally = Tally::default();
    for run in 0..runs {
        let before = sources(&project);
        // The old state is repaired, the new one is undone.
        let (args, us): (&[&str], u64) = if before == old {
            if run % 4 == 0 { (&["fix", "--apply"], fix_us) } else { (&["redo"], undo_us) }
        } else {
            (&["undo"], undo_us)
        };
        let mut child = command(&project, args)
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .spawn()
            .expect("the binary starts");
        std::thread::sleep(std::time::Duration::from_micros(chance.below(us + us / 4)));
        child.kill().expect("a child can be killed");
        let killed = child.wait().expect("a child ends").code().is_none();

        // Any command that opens the project recovers; this one does nothing else.
        let result = graftage(&project, &["undo", "no-such-entry"]);
        assert!(matches!(result.status, 1 | 2), "run {run} {args:?}: {result:#?}");
        let after = sources(&project);
        assert!(
            after == old || after == new,
            "run {run} {args:?}: neither old nor new: {after:#?}"
        );
        let entries: Vec<String> = std::fs::read_dir(project.path("src"))
            .expect("a folder")
            .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
            .collect();
        assert_eq!(entries.len(), 2, "run {run} {args:?}: left behind: {entries:?}");
        tally.runs += 1;
        tally.killed += usize::from(killed);
        if after == old {
            tally.old += 1;
        } else {
            tally.new += 1;
        }
    }
    assert_eq!(std::fs::read(project.path(".git/index")).expect("an index"), index);
    tally
}

#[test]
fn a_killed_command_leaves_the_old_tree_or_the_new_one() {
    let tally = kill_at_random_moments(50, 7);
    assert_eq!(tally.runs, 50);
    assert!(tally.killed > 5, "too few were killed in time: {tally:?}");
}

/// The trace of the newest run.
fn trace(project: &testkit::TempProject) -> Option<std::path::PathBuf> {
    let mut open = vec![project.beside("graftage")];
    let mut found = None;
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                open.push(path);
            } else if folder.ends_with("traces") {
                found = found.max(Some(path));
            }
        }
    }
    found
}

fn lines(path: Option<&std::path::PathBuf>) -> usize {
    let text = path.and_then(|it| std::fs::read(it).ok()).unwrap_or_default();
    text.iter().filter(|byte| **byte == b'\n').count()
}

/// Kills `runs` runs of `fix`, each after another number of the answers that it records, and lets every
/// run end that was killed `rounds` times.
///
/// # Panics
/// If the tree changes, or the run that continues does not end as one that was never killed.
pub(crate) fn kill_after_each_answer(runs: usize, rounds: usize) -> usize {
    let project = testkit::copy_crate("demo");
    let before = project.digest();
    let whole = graftage(&project, &["fix", "--json"]).json();
    let first = trace(&project).expect("a trace");
    let answers = lines(Some(&first));
    let mut killed = 0;
    for run in 0..runs {
        let started = trace(&project);
        // The trace that a killed run leaves is continued, a whole one is not.
        let is_new = run % rounds == 0;
        let known = if is_new { 0 } else { lines(started.as_ref()) };
        let wanted = (known + 1 + run * 7 % answers).min(answers - 1);
        let mut child = command(&project, &["fix", "--json"])
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .spawn()
            .expect("the binary starts");
        let reached = || {
            let now = trace(&project);
            (!is_new || now != started) && lines(now.as_ref()) >= wanted
        };
        while !reached() && child.try_wait().expect("a child").is_none() {
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        child.kill().expect("a child can be killed");
        killed += usize::from(child.wait().expect("a child ends").code().is_none());
        assert_eq!(project.digest(), before, "run {run}: the tree changed");
        if run % rounds == rounds - 1 {
            let result = graftage(&project, &["fix", "--json"]).json();
            assert_eq!(result["diff"], whole["diff"], "run {run}: {result:#}");
            assert_eq!(result["outcome"], whole["outcome"]);
            assert_eq!(project.digest(), before, "run {run}: the tree changed");
        }
    }
    killed
}

#[test]
fn a_killed_fix_leaves_the_tree_and_continues_where_it_was() {
    // The figure in BENCHMARKS.md is of 500 runs.
    let runs = std::env::var("GRAFTAGE_TEST_KILLS").ok().and_then(|it| it.parse().ok());
    let runs = runs.unwrap_or(12);
    let killed = kill_after_each_answer(runs, 3);
    println!("{killed} of {runs} were killed before their end");
    assert!(killed * 2 > runs, "too few were killed in time: {killed} of {runs}");
}
