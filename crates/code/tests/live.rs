//! A workspace that is kept current: every answer is from the files as they are when it is asked.

#![allow(clippy::unwrap_used, reason = "a failed setup ends the test")]

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use base::Ctx;
use graftage_code::{
    ContextRequest, CurrentMap, Finder, Follower, SearchRequest, context, search, show,
};
use project::{FileAccess, Settings, Surroundings, Workspace};
use testkit::TempProject;

fn open(project: &TempProject) -> (Ctx, Workspace) {
    let ctx = testkit::TestHost::new().ctx();
    let surroundings = Surroundings {
        cache_dir: project.beside("cache"),
        state_dir: project.beside("state"),
        config_file: project.beside("none.toml"),
        ..Surroundings::of_process().unwrap()
    };
    let (settings, sandbox) = (Settings::default(), testkit::inner::sandbox());
    let workspace =
        Workspace::open(&ctx, project.root(), &settings, &surroundings, sandbox).unwrap();
    (ctx, workspace)
}

fn kept() -> (TempProject, Ctx, Arc<Workspace>, Follower) {
    let project = testkit::crate_project("\n//- /src/lib.rs\npub mod a;\n//- /src/a.rs\n");
    project.write("src/a.rs", "pub fn number0() {}\n");
    let (ctx, workspace) = open(&project);
    let workspace = Arc::new(workspace);
    let follower = Follower::start(&ctx, &workspace).unwrap();
    (project, ctx, workspace, follower)
}

fn items(ctx: &Ctx, workspace: &Workspace) -> Vec<String> {
    let current = CurrentMap::open(ctx, workspace).unwrap();
    let map = current.map();
    let names =
        (0..map.item_count()).filter_map(|n| map.item(n)).map(|item| item.name().into_owned());
    names.filter(|name| name.starts_with("number")).collect()
}

#[test]
fn an_answer_has_every_change_that_was_completed_before_the_question() {
    let (project, ctx, workspace, _follower) = kept();
    for n in 1..16 {
        match n % 5 {
            // Saved in place, replaced by a rename as editors do, a new file in a new folder, removed.
            0 | 1 => project.write("src/a.rs", format!("pub fn number{n}() {{}}\n")),
            2 => {
                project.write("src/a.rs.tmp", format!("pub fn number{n}() {{}}\n"));
                std::fs::rename(project.path("src/a.rs.tmp"), project.path("src/a.rs")).unwrap();
            }
            3 => {
                project.write("src/a.rs", "pub mod b;\n");
                project.write(&format!("src/a/b{n}.rs"), "pub fn unused() {}\n");
                project.write("src/a/b.rs", format!("pub fn number{n}() {{}}\n"));
            }
            _ => {
                std::fs::remove_dir_all(project.path("src/a")).unwrap();
                project.write("src/a.rs", format!("pub fn number{n}() {{}}\n"));
            }
        }
        assert_eq!(items(&ctx, &workspace), [format!("number{n}")], "after change {n}");
    }
}

#[test]
fn without_a_change_the_same_map_and_search_index_answer() {
    let (project, ctx, workspace, _follower) = kept();
    let first = Finder::open(&ctx, &workspace).unwrap();
    let second = Finder::open(&ctx, &workspace).unwrap();
    assert!(std::ptr::eq(first.map(), second.map()) && std::ptr::eq(first.index(), second.index()));
    project.write("src/a.rs", "pub fn number1() {}\n");
    let third = Finder::open(&ctx, &workspace).unwrap();
    assert!(!std::ptr::eq(first.map(), third.map()));
    assert!(first.map().epoch() < third.map().epoch());
}

#[test]
fn readers_of_a_tree_that_changes_never_get_two_states_in_one_answer() {
    let (project, ctx, workspace, _follower) = kept();
    let state = |n: usize| {
        format!("/// state{n}\npub fn number{n}() {{ state{n}(); }}\nfn state{n}() {{}}\n")
    };
    project.write("src/a.rs", state(0));
    let is_done = AtomicBool::new(false);
    let reader = || {
        let mut answers = 0;
        while !is_done.load(Ordering::Relaxed) || answers == 0 {
            let answer = search(&ctx, &workspace, &SearchRequest::new("number state", 5)).unwrap();
            let mut numbers: Vec<&str> = (answer.hits.iter())
                .filter_map(|hit| hit.canon.rsplit("::").next())
                .filter_map(|name| name.strip_prefix("number").or(name.strip_prefix("state")))
                .collect();
            numbers.dedup();
            assert!(numbers.len() == 1, "{numbers:?}");
            let current = CurrentMap::open(&ctx, &workspace).unwrap();
            let name = (0..current.map().item_count())
                .filter_map(|n| current.map().item(n))
                .find(|item| item.name().starts_with("number"));
            assert!(name.is_some());
            answers += 1;
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(reader);
        }
        for n in 1..60 {
            project.write("src/a.rs.tmp", state(n));
            std::fs::rename(project.path("src/a.rs.tmp"), project.path("src/a.rs")).unwrap();
        }
        is_done.store(true, Ordering::Relaxed);
    });
    assert!(show(&ctx, &workspace, "number59", FileAccess::Agent).is_ok());
}

/// A search does not wait for the search index of what was saved last, and names what it is without; soon
/// it has it.
#[test]
fn a_search_names_what_it_does_not_have_yet_and_has_it_soon() {
    let (project, ctx, workspace, _follower) = kept();
    let request = SearchRequest::new("fn number_of_sheep", 3);
    search(&ctx, &workspace, &request).unwrap();
    project.write("src/a.rs", "/// The number of sheep.\npub fn number_of_sheep() {}\n");
    let began = Instant::now();
    loop {
        let answer = search(&ctx, &workspace, &request).unwrap();
        let is_found = answer.hits.iter().any(|hit| hit.canon.ends_with("number_of_sheep"));
        if answer.pending.is_empty() {
            assert!(is_found, "it has everything: {answer:?}");
            return;
        }
        assert!(answer.pending == ["src/a.rs"] || answer.pending == ["."], "{answer:?}");
        assert!(!is_found);
        assert!(began.elapsed() < Duration::from_secs(60), "it stays behind");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// An answer that packs code waits for what was saved, or names it.
#[test]
fn context_waits_a_moment_for_what_was_saved() {
    let (project, ctx, workspace, _follower) = kept();
    for n in 0..5 {
        project.write("src/a.rs", format!("/// The number of sheep.\npub fn number{n}() {{}}\n"));
        let answer =
            context(&ctx, &workspace, &ContextRequest::new("number of sheep", 500)).unwrap();
        let has_it = answer.text.contains(&format!("number{n}"));
        assert!(has_it || answer.pending == ["src/a.rs"], "{answer:?}");
    }
}

/// After two seconds everything is read again. Who waits for that is woken where nothing had changed, too.
#[test]
fn who_waits_for_the_present_files_is_woken_when_they_are_those_of_the_index() {
    let (_project, ctx, workspace, _follower) = kept();
    Finder::open(&ctx, &workspace).unwrap();
    std::thread::sleep(Duration::from_millis(2_100));
    let (began, limit) = (Instant::now(), Duration::from_secs(50));
    let finder = Finder::open_within(&ctx, &workspace, limit).unwrap();
    assert_eq!(finder.pending(), [""; 0]);
    assert!(began.elapsed() < limit, "it waited for nothing");
}
