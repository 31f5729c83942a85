use std::ffi::OsString;
use std::os::unix::fs::PermissionsExt;

use base::SortedMap;
use edit::Overlay;
use expect_test::expect;
use graftage_repo::{Applied, ApplyOptions, CommitMessage, Git, RepoError};

use crate::support::{Bench, Change, bench, of, permit};

pub(crate) type Env = SortedMap<OsString, OsString>;

pub(crate) fn env() -> Env {
    let mut env: Env = [
        ("PATH", "/usr/local/bin:/usr/bin:/bin"),
        ("HOME", "/nonexistent"),
        ("GIT_CONFIG_GLOBAL", "/dev/null"),
        ("GIT_CONFIG_NOSYSTEM", "1"),
    ]
    .into_iter()
    .map(|(name, value)| (name.into(), value.into()))
    .collect();
    for who in ["AUTHOR", "COMMITTER"] {
        env.insert(format!("GIT_{who}_NAME").into(), "Ada Tester".into());
        env.insert(format!("GIT_{who}_EMAIL").into(), "ada@example.invalid".into());
        env.insert(format!("GIT_{who}_DATE").into(), "2026-01-01T00:00:00Z".into());
    }
    env
}

pub(crate) fn options() -> ApplyOptions {
    ApplyOptions {
        commit: Some(CommitMessage {
            kind: "fix".into(),
            scope: Some("a".into()),
            summary: "borrow instead of move".into(),
            body: vec!["error[E0382]: use of moved value: `x`".into()],
        }),
        ..ApplyOptions::default()
    }
}

pub(crate) fn commit(b: &Bench, changes: &[Change<'_>]) -> Result<Applied, RepoError> {
    commit_overlay(b, &b.overlay(changes), env())
}

pub(crate) fn commit_overlay(b: &Bench, overlay: &Overlay, env: Env) -> Result<Applied, RepoError> {
    let project = b.open().with_git(Git { env, ..Git::default() });
    let sandbox = testkit::inner::sandbox();
    project.apply(&b.ctx, &sandbox, overlay, permit(&project, overlay), &options())
}

/// The index entry by entry, with all that git remembers of each file.
fn index(git: &testkit::TestGit) -> SortedMap<String, String> {
    let text = git.run(&["ls-files", "--stage", "--debug"]);
    let mut entries = SortedMap::new();
    let mut last = String::new();
    for line in text.lines() {
        if let Some((_, path)) = line.split_once('\t').filter(|_| !line.starts_with(' ')) {
            last = path.to_owned();
        }
        *entries.entry(last.clone()).or_insert_with(String::new) += &format!("{line}\n");
    }
    entries
}

/// What of the repository must never move: refs but the branch, stash, hooks, configuration.
fn guarded(git: &testkit::TestGit, b: &Bench) -> String {
    let refs = git.run(&["for-each-ref", "--format=%(refname) %(objectname)"]);
    let refs: Vec<&str> = refs.lines().filter(|line| !line.contains("heads/main ")).collect();
    let hooks = b.temp.digest().only(".git/hooks");
    let config = b.temp.read(".git/config");
    format!("{refs:?} {} {hooks:?} {config}", git.run(&["stash", "list"]))
}

pub(crate) fn hook(b: &Bench, name: &str, script: &str) {
    let file = format!(".git/hooks/{name}");
    b.temp.write(&file, format!("#!/bin/sh\n{script}\n"));
    std::fs::set_permissions(b.temp.path(&file), PermissionsExt::from_mode(0o755)).unwrap();
}

#[test]
fn one_commit_holds_exactly_the_change() {
    let b = bench("//- /a\nold\n//- /gone\ng\n//- /other\no\n//- /staged\ns\n");
    let git = b.temp.git();
    b.temp.write("other", "uncommitted\n");
    b.temp.write("untracked", "u\n");
    b.temp.write("staged", "staged\n");
    git.run(&["add", "staged"]);
    git.run(&["branch", "side"]);
    b.temp.write("other", "stashed\n");
    git.run(&["stash", "push", "--quiet", "other"]);
    b.temp.write("other", "uncommitted\n");
    let (index_before, guarded_before, head) = (index(&git), guarded(&git, &b), git.head());
    let applied =
        commit(&b, &[("a", Some("new\n")), ("gone", None), ("n/x", Some("x\n"))]).unwrap();
    assert_eq!(applied.commit, Some(git.head()));
    assert_eq!(git.run(&["rev-parse", "HEAD^"]), head);
    assert_eq!(
        git.run(&["show", "--format=", "--name-status", "--no-renames", "HEAD"]),
        "M\ta\nD\tgone\nA\tn/x"
    );
    assert_eq!(git.status(), " M other\nM  staged\n?? untracked");
    assert_eq!(guarded(&git, &b), guarded_before);
    let mut index_after = index(&git);
    for (path, entry) in &index_before {
        match path.as_str() {
            "a" => assert_ne!(index_after.remove(path).as_ref(), Some(entry)),
            "gone" => assert!(!index_after.contains_key(path)),
            _ => assert_eq!(index_after.remove(path).as_ref(), Some(entry)),
        }
    }
    assert_eq!(index_after.into_keys().collect::<Vec<_>>(), ["n/x"]);
    assert!(!b.temp.exists(".git/index.lock"));
    assert_eq!(git.run(&["fsck", "--strict"]), "");
}

#[test]
fn the_message_is_conventional_and_gives_the_change_and_its_reason() {
    let b = bench("//- /a\nold\n");
    let git = b.temp.git();
    commit(&b, &[("a", Some("new\n"))]).unwrap();
    expect![[r#"
        fix(a): borrow instead of move [overlay:1d9b8b63]

        error[E0382]: use of moved value: `x`

        Files:
        - edit a

        Patch-set: 1d9b8b63d4ec108e3714921e2e3c2fe1f91b1bd74f6f1bce35c34a5e24ba4de8
        Co-authored-by: rules <noreply@graftage.invalid>
    "#]]
    .assert_eq(&format!("{}\n", git.run(&["log", "-1", "--format=%B"]).trim_end()));
}

#[test]
fn without_a_commit_the_repository_is_byte_identical() {
    let b = bench("//- /a\nold\n");
    b.temp.git();
    let before = testkit::TreeDigest::with_times(&b.temp.path(".git"));
    b.apply(&[("a", Some("new"))]).unwrap();
    b.open().undo(&b.ctx, None).unwrap();
    b.open().redo(&b.ctx, None).unwrap();
    before.assert_same(&testkit::TreeDigest::with_times(&b.temp.path(".git")));
}

#[test]
fn a_path_with_other_uncommitted_changes_is_refused_before_anything_is_written() {
    type Prepare = fn(&Bench, &testkit::TestGit);
    let cases: [(&str, Prepare); 5] = [
        ("the file is not as it was committed", |b, _| b.temp.write("a", "mine\n")),
        ("the index holds another state of it than HEAD", |b, git| {
            b.temp.write("a", "mine\n");
            git.run(&["add", "a"]);
        }),
        ("it is not in HEAD", |b, git| {
            git.run(&["rm", "--quiet", "--cached", "a"]);
            git.run(&["commit", "--quiet", "-m", "untrack"]);
            b.temp.write("a", "mine\n");
        }),
        ("its deletion is staged", |_, git| {
            git.run(&["rm", "--quiet", "--cached", "a"]);
        }),
        ("it is in the index", |b, git| {
            b.temp.write("n", "mine\n");
            git.run(&["add", "n"]);
            b.temp.remove("n");
        }),
    ];
    for (wanted, prepare) in cases {
        let b = bench("//- /a\nold\n//- /b\nb\n");
        let git = b.temp.git();
        prepare(&b, &git);
        git.status();
        let before = b.temp.digest().without(".git/objects");
        let err = commit(&b, &[("a", Some("new\n")), ("n", Some("n"))]).unwrap_err();
        let RepoError::Uncommitted { difference, .. } = &err else { panic!("{err}") };
        assert_eq!(difference, wanted);
        before.assert_same(&b.temp.digest().without(".git/objects"));
    }
}

#[test]
fn a_hook_that_refuses_restores_the_tree() {
    for name in ["pre-commit", "commit-msg", "prepare-commit-msg"] {
        let b = bench("//- /a\nold\n");
        b.temp.git();
        hook(&b, name, "echo 'not today' >&2; exit 1");
        let before = b.temp.digest().without(".git/objects");
        let err = commit(&b, &[("a", Some("new\n")), ("d/n", Some("n"))]).unwrap_err();
        assert_eq!(
            err.to_string(),
            format!("the repository's `{name}` hook refused the commit: not today")
        );
        before.assert_same(&b.temp.digest().without(".git/objects"));
        assert!(b.pending().is_empty());
        assert!(b.open().history().unwrap().is_empty());
    }
}

#[test]
fn hooks_see_the_new_files_and_may_extend_the_message() {
    let b = bench("//- /a\nold\n");
    let git = b.temp.git();
    hook(
        &b,
        "pre-commit",
        "test \"$(cat a)\" = new && test \"$(git diff --cached --name-only)\" = a",
    );
    hook(&b, "commit-msg", "echo 'Change-Id: I1' >> \"$1\"");
    commit(&b, &[("a", Some("new\n"))]).unwrap();
    assert!(git.run(&["log", "-1", "--format=%B"]).ends_with("Change-Id: I1\n"));
}

#[test]
fn a_hook_that_stages_something_else_is_refused() {
    let b = bench("//- /a\nold\n//- /b\nold\n");
    b.temp.git();
    hook(&b, "pre-commit", "git update-index --force-remove b");
    let before = b.temp.digest().without(".git/objects");
    let err = commit(&b, &[("a", Some("new\n"))]).unwrap_err();
    assert!(matches!(&err, RepoError::Hook { hook, .. } if hook == "pre-commit"), "{err}");
    before.assert_same(&b.temp.digest().without(".git/objects"));
}

#[test]
fn a_hook_cannot_write_the_users_tree_or_the_hooks() {
    let b = bench("//- /a\nold\n//- /b\nb\n");
    b.temp.git();
    hook(&b, "post-commit", "echo bad > b; echo bad > .git/hooks/pre-push; echo bad > .git/config");
    let before = b.temp.digest().only(".git/hooks");
    let config = b.temp.read(".git/config");
    commit(&b, &[("a", Some("new\n"))]).unwrap();
    before.assert_same(&b.temp.digest().only(".git/hooks"));
    assert_eq!((b.temp.read("b"), b.temp.read(".git/config")), ("b\n".to_owned(), config));
}

#[test]
fn a_commit_outside_git_is_refused_with_a_hint() {
    let b = bench("//- /a\nold\n");
    let err = commit(&b, &[("a", Some("new"))]).unwrap_err();
    assert!(matches!(err, RepoError::NoGit { .. }), "{err}");
    assert_eq!(
        base::Hint::hint(&err).as_deref(),
        Some("leave out `--commit`, or run `git init` first")
    );
    assert_eq!(b.temp.read("a"), "old\n");
}

#[test]
fn a_commit_without_git_installed_is_refused_with_a_hint() {
    let b = bench("//- /a\nold\n");
    b.temp.git();
    let env = SortedMap::from([("PATH".into(), "/nonexistent".into())]);
    let err = commit_overlay(&b, &b.overlay(&[("a", Some("new"))]), env).unwrap_err();
    assert!(matches!(err, RepoError::GitMissing), "{err}");
}

#[test]
fn an_unfinished_merge_is_refused() {
    let b = bench("//- /a\nold\n");
    let git = b.temp.git();
    b.temp.write(".git/MERGE_HEAD", git.head());
    let err = commit(&b, &[("a", Some("new"))]).unwrap_err();
    assert_eq!(err.to_string(), "cannot commit now: a merge is not finished");
}

#[test]
fn a_lock_of_another_git_is_respected() {
    let b = bench("//- /a\nold\n");
    let git = b.temp.git();
    b.temp.write(".git/index.lock", "another process");
    let head = git.head();
    let err = commit(&b, &[("a", Some("new"))]).unwrap_err();
    assert!(matches!(err, RepoError::GitState { .. }), "{err}");
    assert_eq!((b.temp.read("a"), git.head()), ("old\n".to_owned(), head));
    assert_eq!(b.temp.read(".git/index.lock"), "another process");
}

#[test]
fn a_bad_message_is_refused_before_anything_is_written() {
    let b = bench("//- /a\nold\n");
    b.temp.git();
    let mut options = options();
    options.commit.as_mut().unwrap().summary = "x".repeat(90);
    let err = b.apply_overlay(&b.overlay(&[("a", Some("new"))]), &options).unwrap_err();
    assert!(matches!(err, RepoError::Message(_)), "{err}");
    assert_eq!(b.temp.read("a"), "old\n");
}

#[test]
fn a_failing_gate_makes_a_revert_commit() {
    let b = bench("//- /a\nold\n//- /b\nb\n");
    let git = b.temp.git();
    let (before, head) = (b.temp.digest().without(".git"), git.head());
    let overlay = b.overlay(&[("a", Some("new\n")), ("b", None), ("n", Some("n"))]);
    let mut asked = Vec::new();
    let mut gate = |applied: &Applied| {
        asked.push(applied.commit.clone());
        false
    };
    let project = b.open().with_git(Git { env: env(), ..Git::default() });
    let err = project
        .apply_gated(
            &b.ctx,
            &testkit::inner::sandbox(),
            &overlay,
            permit(&project, &overlay),
            &options(),
            Some(&mut gate),
        )
        .unwrap_err();
    let RepoError::Reverted { commit, revert } = err else { panic!("{err}") };
    assert_eq!(asked, [Some(commit.clone())]);
    assert_eq!(git.head(), revert);
    assert_eq!(git.run(&["rev-list", "HEAD"]), format!("{revert}\n{commit}\n{head}"));
    assert_eq!(git.run(&["diff", "--stat", &head, "HEAD"]), "");
    assert_eq!(git.status(), "");
    before.assert_same(&b.temp.digest().without(".git"));
    assert!(
        git.run(&["log", "-1", "--format=%B"]).contains(&format!("This reverts commit {commit}."))
    );
}

#[test]
fn undo_of_a_committed_change_leaves_the_commit() {
    let b = bench("//- /a\nold\n");
    let git = b.temp.git();
    let commit = commit(&b, &[("a", Some("new\n"))]).unwrap().commit.unwrap();
    b.open().undo(&b.ctx, None).unwrap();
    assert_eq!(b.temp.read("a"), "old\n");
    assert_eq!(git.head(), commit);
    assert_eq!(git.status(), " M a");
}

#[test]
fn a_project_below_the_top_commits_its_own_paths() {
    let temp = testkit::project("//- /a\ntop\n//- /sub/a\nold\n");
    let git = temp.git();
    let b = of(temp.rooted_at("sub"));
    commit(&b, &[("a", Some("new\n"))]).unwrap();
    assert_eq!(git.run(&["show", "--format=", "--name-only", "HEAD"]), "sub/a");
    assert_eq!(git.run(&["status", "--porcelain", "--untracked-files=no"]), "");
}

#[test]
fn a_linked_worktree_commits_to_its_own_branch() {
    let temp = testkit::project("//- /a\nold\n");
    let git = temp.git();
    git.run(&["worktree", "add", "--quiet", "-b", "side", "wt"]);
    let main = git.head();
    let b = of(temp.rooted_at("wt"));
    commit(&b, &[("a", Some("new\n"))]).unwrap();
    assert_eq!(git.head(), main);
    assert_ne!(git.run(&["rev-parse", "side"]), main);
    assert_eq!(testkit::TestGit::at(b.temp.root()).status(), "");
}

#[test]
fn the_first_commit_of_a_repository_can_be_ours() {
    let b = bench("//- /.gitignore\nuntracked\n");
    let git = testkit::TestGit::init(b.temp.root());
    let made = commit(&b, &[("a", Some("new\n"))]).unwrap().commit;
    assert_eq!(made, Some(git.head()));
    assert_eq!(git.run(&["rev-list", "--count", "HEAD"]), "1");
    assert_eq!(git.status(), "?? .gitignore");
}

#[test]
fn line_endings_that_git_normalises_are_no_other_change() {
    let b = bench("//- /a crlf\nold\n//- /.gitattributes\n* text=auto\n");
    let git = b.temp.git();
    commit(&b, &[("a", Some("new\r\n"))]).unwrap();
    assert_eq!(git.run(&["cat-file", "-p", "HEAD:a"]), "new");
    assert_eq!(b.temp.read("a"), "new\r\n");
    assert_eq!(git.status(), "");
}

#[test]
fn the_users_own_git_configuration_is_read() {
    let b = bench("//- /a\nold\n");
    let git = b.temp.git();
    for name in ["user.name", "user.email"] {
        git.try_run(&["config", "--local", "--unset", name]);
    }
    let home = b.temp.beside("home");
    std::fs::write(home.join(".gitconfig"), "[user]\nname = Eve\nemail = eve@example.invalid\n")
        .unwrap();
    let mut env = env();
    env.retain(|name, _| name == "PATH" || name == "GIT_CONFIG_NOSYSTEM");
    env.insert("HOME".into(), home.into());
    commit_overlay(&b, &b.overlay(&[("a", Some("new\n"))]), env).unwrap();
    assert_eq!(git.run(&["log", "-1", "--format=%an <%ae>"]), "Eve <eve@example.invalid>");
}

#[test]
fn without_namespaces_a_commit_is_made_too() {
    let b = bench("//- /a\nold\n");
    let git = b.temp.git();
    hook(&b, "pre-commit", "test \"$(cat a)\" = new");
    let layers = sandbox::Layers { namespaces: false, overlay: false, ..Default::default() };
    let sandbox = sandbox::Sandbox::with_layers(testkit::inner::path(), layers);
    if sandbox.capabilities().level < sandbox::Level::Standard {
        return testkit::skip(testkit::Need::Landlock, "without namespaces nothing confines here");
    }
    let overlay = b.overlay(&[("a", Some("new\n"))]);
    let project = b.open().with_git(Git { env: env(), ..Git::default() });
    project.apply(&b.ctx, &sandbox, &overlay, permit(&project, &overlay), &options()).unwrap();
    assert_eq!(git.run(&["show", "--format=", "--name-only", "HEAD"]), "a");
    assert_eq!(git.status(), "");
}

#[test]
fn odd_names_are_names_and_nothing_else() {
    let names = ["-n", ":(top)x", "a b", "d/ü", "new\nline", "*", "[a]"];
    let b = bench("//- /keep\nk\n");
    for name in names {
        b.temp.write(name, "old\n");
    }
    let git = b.temp.git();
    let changes: Vec<Change<'_>> = names.iter().map(|name| (*name, Some("new\n"))).collect();
    commit(&b, &changes).unwrap();
    let listed = git.run(&["show", "--format=", "--name-only", "-z", "HEAD"]);
    let mut listed: Vec<&str> = listed.split('\0').filter(|name| !name.is_empty()).collect();
    listed.sort_unstable();
    let mut wanted = names;
    wanted.sort_unstable();
    assert_eq!(listed, wanted);
    assert_eq!(git.status(), "");
}

#[test]
fn a_detached_head_moves_and_no_branch_does() {
    let b = bench("//- /a\nold\n");
    let git = b.temp.git();
    git.run(&["checkout", "--quiet", "--detach"]);
    let main = git.run(&["rev-parse", "main"]);
    commit(&b, &[("a", Some("new\n"))]).unwrap();
    assert_eq!(git.run(&["rev-parse", "main"]), main);
    assert_eq!(git.run(&["rev-parse", "HEAD^"]), main);
}

#[test]
fn a_repository_whose_head_cannot_be_read_without_git_is_refused() {
    let b = bench("//- /a\nold\n");
    let git = testkit::TestGit::at(b.temp.root());
    if !git.try_run(&["init", "--quiet", "--ref-format=reftable"]).status.success() {
        return testkit::skip(testkit::Need::GitReftable, "this git knows no reftable");
    }
    for (name, value) in [("user.name", "Ada"), ("user.email", "ada@example.invalid")] {
        git.run(&["config", name, value]);
    }
    git.commit_all("first");
    let err = commit(&b, &[("a", Some("new\n"))]).unwrap_err();
    assert!(matches!(err, RepoError::GitState { .. }), "{err}");
    assert_eq!(b.temp.read("a"), "old\n");
}
