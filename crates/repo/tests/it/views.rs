use std::cell::RefCell;
use std::path::Path;

use base::SortedMap;
use edit::Overlay;
use graftage_repo::{Materialised, Project, RepoError, Strategy, ViewOptions};
use sandbox::{Job, JobLimits, Layers, Level, Network, Sandbox, View};

use crate::support::{Bench, bench, overlay, path};

/// What a shell script prints that runs at the root of the view.
pub(crate) fn run_in(b: &Bench, made: &Materialised, script: &str) -> String {
    run_with(b, made, made.view.clone(), script)
}

/// The same for a script that may write the files of the view.
pub(crate) fn write_in(b: &Bench, made: &Materialised, script: &str) -> String {
    run_with(b, made, made.writable().unwrap(), script)
}

fn run_with(b: &Bench, made: &Materialised, view: View, script: &str) -> String {
    let job = Job {
        program: "/bin/sh".into(),
        args: ["-c", script].iter().map(Into::into).collect(),
        cwd: made.root.clone(),
        env: SortedMap::from([("PATH".into(), "/usr/bin:/bin".into())]),
        stdin: Vec::new(),
        view,
        limits: JobLimits::default(),
        network: Network::Off,
        require: Level::Standard,
    };
    let outcome = sandbox().run(&b.ctx, &job, &mut |_, _| {}).unwrap();
    format!(
        "{}{}",
        String::from_utf8_lossy(&outcome.stdout),
        String::from_utf8_lossy(&outcome.stderr)
    )
}

pub(crate) fn materialise(
    b: &Bench,
    project: &Project,
    overlay: &Overlay,
    options: &ViewOptions,
) -> Result<Materialised, RepoError> {
    project.materialise(&b.ctx, &sandbox(), overlay, options)
}

thread_local! {
    static SANDBOX: RefCell<Option<Sandbox>> = const { RefCell::new(None) };
}

/// The sandbox of the case that is being tried; a full one outside [`each_strategy`].
fn sandbox() -> Sandbox {
    SANDBOX.with_borrow(Clone::clone).unwrap_or_else(testkit::inner::sandbox)
}

/// Tries mounts, copies, and copies where there are no namespaces at all.
pub(crate) fn each_strategy(check: impl Fn(ViewOptions)) {
    let full = testkit::inner::sandbox();
    let bare = Layers { namespaces: false, overlay: false, ..Layers::default() };
    let bare = Sandbox::with_layers(testkit::inner::path(), bare);
    let mut cases = vec![(Strategy::Copy, full.clone())];
    if full.capabilities().overlay.works {
        cases.push((Strategy::OverlayMount, full));
    } else {
        testkit::skip(testkit::Need::UserNamespaces, "overlay file systems cannot be mounted");
    }
    if bare.capabilities().level >= Level::Standard {
        cases.push((Strategy::Copy, bare));
    } else {
        testkit::skip(testkit::Need::Landlock, "without namespaces nothing confines here");
    }
    for (strategy, sandbox) in cases {
        SANDBOX.set(Some(sandbox));
        check(ViewOptions { strategy: Some(strategy), ..ViewOptions::default() });
    }
}

#[test]
fn a_view_shows_the_changed_tree_and_the_users_stays() {
    each_strategy(|options| {
        let b = bench(
            "//- /src/a.rs\nold\n//- /src/b.rs\nb\n//- /d/gone\ng\n//- /ignored\ni\n\
             //- /.gitignore\nignored\n//- /t/x\nx\n",
        );
        let before = testkit::TreeDigest::with_times(b.temp.root());
        let project = b.open();
        let changes = [("src/a.rs", Some("new\n")), ("d/gone", None), ("n/m/c.rs", Some("c\n"))];
        let overlay = overlay(&project, &changes);
        let made = materialise(&b, &project, &overlay, &options).unwrap();
        assert_eq!(Some(made.strategy), options.strategy);
        let seen = write_in(
            &b,
            &made,
            "cat src/a.rs src/b.rs n/m/c.rs ignored; ls -d d 2>/dev/null; echo mine > src/b.rs; rm t/x; \
             echo made > made; cat src/b.rs",
        );
        assert_eq!(seen, "new\nb\nc\ni\nmine\n", "{:?}", options.strategy);
        before.assert_same(&testkit::TreeDigest::with_times(b.temp.root()));
        let overlays = project.cache_dir().join("overlay");
        let count = || {
            let listing = std::fs::read_dir(&overlays).unwrap().flatten();
            listing.filter(|entry| entry.path().is_dir()).count()
        };
        assert_eq!(count(), 1);
        drop(made);
        assert_eq!(count(), 0);
    });
}

#[test]
fn what_is_closed_is_not_there_and_counts_as_unchanged() {
    each_strategy(|options| {
        let b = bench(
            "//- /src/a.rs\na\n//- /.env\nsecret\n//- /.hid/x\nsecret\n//- /src/local\nsecret\n\
             //- /.gitignore\n.hid\nlocal\n",
        );
        let project = b.open();
        let closed = project.closed_to_agents(&b.ctx).unwrap();
        let overlay = overlay(&project, &[("src/a.rs", Some("new\n"))]);
        let options = ViewOptions { closed, ..options };
        let made = materialise(&b, &project, &overlay, &options).unwrap();
        let seen =
            run_in(&b, &made, "ls -A . src; cat .env .hid/x src/local 2>/dev/null; cat src/a.rs");
        assert_eq!(seen, ".:\n.gitignore\nsrc\n\nsrc:\na.rs\nnew\n", "{:?}", options.strategy);
        let (tree, _) = project.tree_state(&b.ctx, &Default::default()).unwrap();
        let shown = made.compare(&overlay, &tree).unwrap();
        assert_eq!(shown.altered, [].into(), "{:?}", options.strategy);
        assert_eq!(shown.patch_set, overlay.patch_set());
    });
}

#[test]
fn modes_of_files_and_folders_are_kept() {
    use std::os::unix::fs::PermissionsExt;
    each_strategy(|options| {
        let b = bench("//- /d/a executable\nold\n//- /d/b\nb\n");
        std::fs::set_permissions(b.temp.path("d"), PermissionsExt::from_mode(0o750)).unwrap();
        let project = b.open();
        let overlay = overlay(&project, &[("d/a", Some("new"))]);
        let made = materialise(&b, &project, &overlay, &options).unwrap();
        assert_eq!(run_in(&b, &made, "stat -c %a d d/a d/b"), "750\n755\n644\n");
    });
}

#[test]
fn nothing_outside_is_readable_through_links() {
    each_strategy(|options| {
        let b = bench("//- /a\na\n");
        let outside = b.temp.beside("outside");
        std::fs::write(outside.join("secret"), "secret").unwrap();
        std::os::unix::fs::symlink(outside.join("secret"), b.temp.path("abs")).unwrap();
        std::os::unix::fs::symlink("../outside", b.temp.path("rel")).unwrap();
        std::os::unix::fs::symlink(b.temp.path("a"), b.temp.path("inner")).unwrap();
        let project = b.open();
        let made = materialise(&b, &project, &Overlay::empty(), &options).unwrap();
        let seen = run_in(&b, &made, "cat abs rel/secret 2>/dev/null; cat inner");
        assert_eq!(seen, "a\n", "{:?}", options.strategy);
    });
}

#[test]
fn a_changed_path_behind_a_link_is_refused() {
    each_strategy(|options| {
        let b = bench("//- /real/a\na\n");
        std::os::unix::fs::symlink("real", b.temp.path("link")).unwrap();
        let states = vec![(path("link/n"), None, Some(crate::support::text("n")))];
        let overlay = Overlay::from_states("person", base::Timestamp(0), states);
        let err = materialise(&b, &b.open(), &overlay, &options).unwrap_err();
        assert!(matches!(err, RepoError::View { .. }), "{err}");
    });
}

#[test]
fn path_dependencies_keep_their_place_and_are_copied_on_write() {
    each_strategy(|mut options| {
        let b = bench("//- /a\na\n");
        let dependency = b.temp.beside("dep");
        std::fs::write(dependency.join("lib.rs"), "dep\n").unwrap();
        options.outside = vec![dependency.clone()];
        let project = b.open();
        let made = materialise(&b, &project, &Overlay::empty(), &options).unwrap();
        let script = "cat ../dep/lib.rs; echo x > ../dep/lib.rs; cat ../dep/lib.rs";
        let seen = run_in(&b, &made, &format!("({script}) 2>/dev/null"));
        assert_eq!(seen, "dep\ndep\n", "{:?}", options.strategy);
        assert_eq!(write_in(&b, &made, script), "dep\nx\n", "{:?}", options.strategy);
        assert_eq!(std::fs::read_to_string(dependency.join("lib.rs")).unwrap(), "dep\n");
    });
}

#[test]
fn a_missing_path_dependency_is_refused_by_name() {
    let b = bench("//- /a\na\n");
    let options = ViewOptions {
        outside: vec![b.temp.root().with_file_name("nowhere")],
        ..ViewOptions::default()
    };
    let err = materialise(&b, &b.open(), &Overlay::empty(), &options).unwrap_err();
    assert!(err.to_string().contains("nowhere"), "{err}");
}

#[test]
fn a_cache_inside_the_project_is_copied_around_and_refused_for_mounts() {
    let mut b = bench("//- /a\na\n");
    b.dirs.cache = b.temp.path("cache");
    let project = b.open();
    let made = materialise(&b, &project, &Overlay::empty(), &ViewOptions::default()).unwrap();
    assert_eq!(made.strategy, Strategy::Copy);
    assert_eq!(run_in(&b, &made, "cat a; ls cache 2>/dev/null"), "a\n");
    let options = ViewOptions { strategy: Some(Strategy::OverlayMount), ..ViewOptions::default() };
    let err = materialise(&b, &project, &Overlay::empty(), &options).unwrap_err();
    assert!(matches!(err, RepoError::View { .. }), "{err}");
}

#[test]
fn targets_and_git_are_not_copied() {
    let b = bench("//- /Cargo.toml\n//- /target/debug/x\nx\n//- /src/lib.rs\n");
    b.temp.git().run(&["rm", "-rq", "--cached", "target"]);
    let options = ViewOptions { strategy: Some(Strategy::Copy), ..ViewOptions::default() };
    let made = materialise(&b, &b.open(), &Overlay::empty(), &options).unwrap();
    assert_eq!(run_in(&b, &made, "ls -A"), "Cargo.toml\nsrc\n");
}

#[test]
fn the_git_way_shows_the_working_tree_beside_a_git_folder() {
    let b = bench("//- /a\ncommitted\n//- /b\nb\n");
    let git = b.temp.git();
    b.temp.write("a", "uncommitted\n");
    b.temp.write("new", "n\n");
    b.temp.remove("b");
    let before = b.temp.digest();
    let options = ViewOptions { strategy: Some(Strategy::Git), ..ViewOptions::default() };
    let project = b.open();
    let overlay = overlay(&project, &[("c", Some("c\n"))]);
    let made = materialise(&b, &project, &overlay, &options).unwrap();
    let seen = run_in(&b, &made, "cat a c; ls; git rev-parse HEAD");
    assert_eq!(seen, format!("uncommitted\nc\na\nc\nnew\n{}\n", git.head()));
    assert_eq!(made.head_rev.as_deref(), Some(git.head().as_str()));
    drop(made);
    before.assert_same(&b.temp.digest());
    assert_eq!(git.run(&["worktree", "list"]).lines().count(), 1);
}

#[test]
fn the_git_way_shows_a_project_in_a_folder_and_nothing_beside_it() {
    let b = bench("//- /.env\nSECRET=1\n//- /p/a\na\n");
    let git = b.temp.git();
    b.temp.write(".git/credentials", "token\n");
    let project = Project::open(&b.ctx, &b.temp.path("p"), b.dirs.clone()).unwrap();
    let see = |closed: &[&str]| {
        let closed = closed.iter().map(|it| path(it)).collect();
        let strategy = Some(Strategy::Git);
        let options = ViewOptions { strategy, closed, ..ViewOptions::default() };
        let made = materialise(&b, &project, &Overlay::empty(), &options).unwrap();
        run_in(
            &b,
            &made,
            "cat a; ls -A ..; git rev-parse HEAD; cat $(git rev-parse --git-common-dir)/credentials 2>/dev/null",
        )
    };
    let shown = format!("a\n.git\np\n{}\n", git.head());
    if sandbox().capabilities().namespaces.works {
        assert_eq!(see(&[]), format!("{shown}token\n"));
        assert_eq!(see(&["none"]), shown);
    }
}

#[test]
fn a_git_folder_outside_git_is_refused() {
    let b = bench("//- /a\na\n");
    let options = ViewOptions { strategy: Some(Strategy::Git), ..ViewOptions::default() };
    let err = materialise(&b, &b.open(), &Overlay::empty(), &options).unwrap_err();
    assert!(matches!(err, RepoError::NoGit { .. }), "{err}");
}

#[test]
fn views_of_dead_processes_are_removed_and_of_living_ones_kept() {
    let b = bench("//- /a\na\n");
    let project = b.open();
    let made = materialise(&b, &project, &Overlay::empty(), &ViewOptions::default()).unwrap();
    let overlays = project.cache_dir().join("overlay");
    // A dead process leaves its folder with a lock file that no process holds, and a work folder
    // that cannot be listed.
    let dead = overlays.join("dead");
    std::fs::create_dir_all(dead.join("root/work/work")).unwrap();
    std::fs::write(dead.join("lock"), "").unwrap();
    let none = std::os::unix::fs::PermissionsExt::from_mode(0o0);
    std::fs::set_permissions(dead.join("root/work/work"), none).unwrap();
    b.open();
    assert!(!dead.exists());
    assert_eq!(run_in(&b, &made, "cat a"), "a\n");
    assert!(Path::new(&overlays).exists());
}

#[test]
fn four_views_stand_side_by_side() {
    let b = bench("//- /a\n0\n");
    let project = b.open();
    let made: Vec<_> = ["1", "2", "3", "4"]
        .iter()
        .map(|text| {
            let overlay = overlay(&project, &[("a", Some(text))]);
            materialise(&b, &project, &overlay, &ViewOptions::default()).unwrap()
        })
        .collect();
    let seen: String = made.iter().map(|made| run_in(&b, made, "cat a")).collect();
    assert_eq!(seen, "1234");
}

#[test]
fn without_namespaces_a_copy_is_shown_at_its_path_and_the_project_is_out_of_reach() {
    each_strategy(|options| {
        let b = bench("//- /a\na\n");
        let project = b.open();
        let made = materialise(&b, &project, &Overlay::empty(), &options).unwrap();
        let has_mounts = sandbox().capabilities().namespaces.works;
        assert_eq!(made.root == b.temp.root(), has_mounts);
        let original = b.temp.path("a");
        let seen = run_in(&b, &made, &format!("cat {} 2>/dev/null", original.display()));
        assert_eq!(seen.is_empty(), !has_mounts);
    });
}

#[test]
fn folders_that_a_change_empties_are_gone_in_the_view_as_they_will_be_in_the_tree() {
    each_strategy(|options| {
        let b = bench("//- /a/b/c\nx\n//- /a/b/d/e\nx\n//- /f/g\nx\n//- /f/h\nx\n");
        let project = b.open();
        let changes = [("a/b/c", None), ("a/b/d/e", None), ("f/g", None)];
        let overlay = overlay(&project, &changes);
        let made = materialise(&b, &project, &overlay, &options).unwrap();
        assert_eq!(run_in(&b, &made, "find . | sort"), ".\n./f\n./f/h\n", "{:?}", made.strategy);
    });
}

#[test]
fn a_worktree_of_a_dead_process_is_reclaimed_and_others_stay() {
    let b = bench("//- /a\na\n");
    let git = b.temp.git();
    git.run(&["worktree", "add", "--quiet", "--detach", "../mine"]);
    let before = b.temp.digest();
    let dead = b.open().cache_dir().join("overlay/dead");
    let admin = b.temp.path(".git/worktrees/dead");
    std::fs::create_dir_all(&admin).unwrap();
    std::fs::create_dir_all(&dead).unwrap();
    std::fs::write(admin.join("gitdir"), dead.join("dead/.git").to_str().unwrap()).unwrap();
    std::fs::write(dead.join("worktree"), admin.to_str().unwrap()).unwrap();
    std::fs::write(b.open().cache_dir().join("overlay/.guard"), "").unwrap();
    // A view's note that names the worktree of another view is ignored.
    let liar = b.open().cache_dir().join("overlay/liar");
    std::fs::create_dir_all(&liar).unwrap();
    let mine = b.temp.path(".git/worktrees/mine");
    std::fs::write(liar.join("worktree"), mine.to_str().unwrap()).unwrap();
    b.open();
    assert!(!dead.exists() && !liar.exists());
    before.assert_same(&b.temp.digest());
}
