//! Hostile hooks and hostile repositories, each tried without graftage first (the control), so that
//! an attack which fails for a trivial reason is noticed.

#![allow(clippy::disallowed_methods, reason = "the control runs the hook without a sandbox")]

use std::process::Command;

use expect_test::expect;
use graftage_repo::{Git, RepoError};

use crate::commit::{commit, commit_overlay, env, hook};
use crate::support::{Bench, bench};

/// A repository with a linked worktree, a submodule's folder and a folder of objects beside it.
fn repository() -> Bench {
    let b = bench("//- /a\nold\n");
    let git = b.temp.git();
    git.run(&["worktree", "add", "--quiet", &b.temp.beside("linked").display().to_string()]);
    git.run(&["config", "extensions.worktreeConfig", "true"]);
    b.temp.write(".git/config.worktree", "");
    b.temp.write(".git/modules/m/config", "[core]\n");
    b.temp.write(".git/objects/info/alternates", "");
    let home = b.temp.beside("home");
    std::fs::create_dir_all(home.join(".config/git")).unwrap();
    std::fs::write(home.join(".config/git/credentials"), "https://ada:secret@example.invalid\n")
        .unwrap();
    std::fs::write(home.join(".config/git/ignore"), "*.orig\n").unwrap();
    b
}

/// Whether the script, as a pre-commit hook, leaves a mark that it met its aim: run directly, and
/// run by a commit of ours. The mark is written into the repository's own git folder.
fn tried(script: &str) -> (bool, bool) {
    let met = |b: &Bench| b.temp.exists(".git/mark");
    let home = |b: &Bench| b.temp.beside("home");
    let b = repository();
    let mut control = Command::new("sh");
    control.args(["-c", script]).current_dir(b.temp.root()).env("HOME", home(&b));
    control.output().unwrap();
    let outside = met(&b);
    let b = repository();
    hook(&b, "pre-commit", &format!("{script}\ntrue"));
    let mut env = env();
    env.insert("HOME".into(), home(&b).into());
    commit_overlay(&b, &b.overlay(&[("a", Some("new\n"))]), env).unwrap();
    assert_eq!(b.temp.read("a"), "new\n");
    (outside, met(&b))
}

/// Tries a script that succeeds without graftage and must not succeed in a hook.
fn stopped(script: &str) {
    let can = testkit::inner::sandbox().capabilities().namespaces.works;
    if !can {
        let why = "without mounts a folder that may be written may be written whole";
        return testkit::skip(testkit::Need::UserNamespaces, why);
    }
    assert_eq!(tried(&format!("({script}) && touch .git/mark")), (true, false), "{script}");
}

#[test]
fn a_hook_reads_no_credentials_of_the_user() {
    stopped("grep -q secret \"$HOME/.config/git/credentials\"");
}

#[test]
fn a_hook_reads_the_ignore_file_that_git_needs() {
    let (outside, inside) = tried("grep -q orig \"$HOME/.config/git/ignore\" && touch .git/mark");
    assert!(outside && inside);
}

#[test]
fn a_hook_writes_no_configuration_of_the_worktree() {
    stopped("printf '[core]\\n\\tfsmonitor = evil\\n' > .git/config.worktree");
}

#[test]
fn a_hook_replaces_no_configuration_by_another_file() {
    stopped("echo x > .git/x && mv .git/x .git/config.worktree");
}

#[test]
fn a_hook_writes_no_hooks_of_a_submodule() {
    stopped("mkdir -p .git/modules/m/hooks && echo evil > .git/modules/m/hooks/post-checkout");
}

#[test]
fn a_hook_writes_no_other_worktrees_folder() {
    stopped("echo 'ref: refs/heads/evil' > .git/worktrees/linked/HEAD");
}

#[test]
fn a_hook_turns_no_other_worktree_to_another_repository() {
    stopped("echo /elsewhere > .git/worktrees/linked/commondir");
}

#[test]
fn a_hook_borrows_no_objects_from_elsewhere() {
    stopped("echo /elsewhere/objects > .git/objects/info/alternates");
}

/// The repository that a hostile one would have us write: the user's own, elsewhere.
fn victim(b: &Bench) -> (testkit::Git, std::path::PathBuf) {
    let root = b.temp.beside("victim");
    std::fs::create_dir_all(&root).unwrap();
    std::fs::write(root.join("a"), "old\n").unwrap();
    let git = testkit::Git::init(&root);
    git.commit_all("private");
    (git, root)
}

/// Asserts that git itself works in the project, and that we refuse it; the message.
fn refused(b: &Bench) -> String {
    let control = testkit::Git::at(b.temp.root());
    assert!(control.try_run(&["status"]).status.success(), "git itself is not led elsewhere");
    let err = commit(b, &[("a", Some("new\n"))]).unwrap_err();
    assert!(matches!(err, RepoError::GitState { .. }), "{err}");
    assert_eq!(b.temp.read("a"), "old\n");
    let folder = b.temp.root().parent().unwrap().display().to_string();
    err.to_string().replace(&folder, "…")
}

#[test]
fn a_git_file_that_names_another_repository_is_refused() {
    let b = bench("//- /a\nold\n");
    let (git, root) = victim(&b);
    let head = git.head();
    b.temp.write(".git", format!("gitdir: {}\n", root.join(".git").display()));
    expect![[r#"cannot commit now: `…/project/.git` names the git folder `…/victim/.git`, which names another work tree or none (`core.worktree` in its `config`)"#]]
    .assert_eq(&refused(&b));
    assert_eq!(git.head(), head);
}

#[test]
fn a_link_to_another_repository_is_refused() {
    let b = bench("//- /a\nold\n");
    let (git, root) = victim(&b);
    let head = git.head();
    std::os::unix::fs::symlink(root.join(".git"), b.temp.path(".git")).unwrap();
    refused(&b);
    assert_eq!(git.head(), head);
}

#[test]
fn a_common_folder_elsewhere_is_refused() {
    let b = bench("//- /a\nold\n");
    b.temp.git();
    let (git, root) = victim(&b);
    let head = git.head();
    b.temp.write(".git/commondir", format!("{}\n", root.join(".git").display()));
    refused(&b);
    assert_eq!(git.head(), head);
}

#[test]
fn objects_of_another_repository_are_not_shown() {
    let b = bench("//- /a\nold\n");
    let own = b.temp.git();
    let (git, root) = victim(&b);
    let objects = root.join(".git/objects");
    b.temp.write(".git/objects/info/alternates", format!("{}\n", objects.display()));
    assert!(own.try_run(&["cat-file", "-e", &git.head()]).status.success(), "git follows it");
    let message = refused(&b);
    assert!(message.contains("borrows objects from `…/victim/.git/objects`"), "{message}");
    // Where the caller lets hooks see that folder it is the caller's choice.
    let project = b.open().with_git(Git { env: env(), visible: vec![root], ..Git::default() });
    let overlay = b.overlay(&[("a", Some("new\n"))]);
    let sandbox = testkit::inner::sandbox();
    let permit = crate::support::permit(&project, &overlay);
    project.apply(&b.ctx, &sandbox, &overlay, permit, &crate::commit::options()).unwrap();
}

#[test]
fn a_worktree_configuration_that_a_hook_could_make_is_refused() {
    let b = repository();
    std::fs::remove_file(b.temp.path(".git/config.worktree")).unwrap();
    if testkit::inner::sandbox().capabilities().namespaces.works {
        let message = refused(&b);
        assert!(message.contains("config.worktree` is missing"), "{message}");
    }
}

#[test]
fn endless_files_of_a_repository_end_nothing() {
    for name in ["HEAD", "packed-refs", "commondir", "config"] {
        let b = bench("//- /a\nold\n");
        b.temp.git();
        let file = b.temp.path(&format!(".git/{name}"));
        let _ = std::fs::remove_file(&file);
        std::os::unix::fs::symlink("/dev/zero", &file).unwrap();
        let err = commit(&b, &[("a", Some("new\n"))]).unwrap_err();
        assert!(err.to_string().ends_with("is not a regular file"), "{err}");
    }
}
