//! Hostile hooks and hostile repositories, each tried without graftage first (the control), so that
//! an attack which fails for a trivial reason is noticed.

#![allow(clippy::disallowed_methods, reason = "the control runs the hook without a sandbox")]

use std::process::Command;

use expect_test::expect;
use graftage_repo::{Git, RepoError};

use crate::commit::{commit, commit_overlay, env, hook, options};
use crate::support::{Bench, bench, permit};

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

/// What of the git folder differs that a commit does not change.
fn unexpected(before: &testkit::TreeDigest, b: &Bench) -> String {
    let of_a_commit = |name: &str| {
        let object = name.strip_prefix(".git/objects/").filter(|it| {
            it.bytes().all(|byte| byte == b'/' || byte.is_ascii_hexdigit()) && it.len() <= 41
        });
        object.is_some()
            || [".git/index", ".git/refs/heads/main", ".git/logs/HEAD", ".git/logs/refs/heads/main"]
                .contains(&name)
    };
    let name = |line: &str| {
        let name = line.get(2..).unwrap_or_default();
        name.split(':').next().unwrap_or_default().to_owned()
    };
    let differences = before.differences(&git_folder(b));
    let odd = differences.lines().map(name).filter(|name| !of_a_commit(name));
    odd.collect::<Vec<_>>().join(" ")
}

fn git_folder(b: &Bench) -> testkit::TreeDigest {
    let mut digest = b.temp.digest();
    digest.entries.retain(|name, _| name.starts_with(".git/"));
    digest
}

/// The command that runs a script as a hook runs, without graftage.
fn control(b: &Bench, script: &str) -> Command {
    let mut control = Command::new("sh");
    let home = b.temp.beside("home");
    control.args(["-c", script]).current_dir(b.temp.root()).env("HOME", home);
    control
}

/// Makes a commit with the script as a hook of this name; whether it was made.
fn with_hook(b: &Bench, name: &str, script: &str) -> Result<(), RepoError> {
    hook(b, name, script);
    let mut env = env();
    env.insert("HOME".into(), b.temp.beside("home").into());
    commit_overlay(b, &b.overlay(&[("a", Some("new\n"))]), env).map(drop)
}

/// Asserts that a script that changes the git folder does so without graftage, and that as a hook of a
/// commit it changes nothing that a commit does not.
fn writes_nothing(script: &str) {
    let b = repository();
    let before = git_folder(&b);
    assert!(control(&b, script).output().unwrap().status.success(), "{script}");
    assert_ne!(unexpected(&before, &b), "", "the control: {script}");
    for name in ["pre-commit", "post-commit"] {
        let b = repository();
        hook(&b, name, "");
        let before = git_folder(&b).without(&format!(".git/hooks/{name}"));
        // What the script does to the layer may make the other hooks fail.
        let made = with_hook(&b, name, &format!("{script}\ntrue")).is_ok();
        assert!(made || name == "pre-commit", "{script}");
        assert_eq!(b.temp.read("a"), if made { "new\n" } else { "old\n" });
        let odd = unexpected(&before, &b);
        assert_eq!(odd, format!(".git/hooks/{name}"), "{name}: {script}");
        let git = testkit::TestGit::at(b.temp.root());
        assert_eq!(git.run(&["fsck", "--strict", "--no-dangling"]), "", "{script}");
    }
}

/// Asserts that a test succeeds without graftage and fails in a hook.
fn reads_nothing(test: &str) {
    let b = repository();
    assert!(control(&b, test).status().unwrap().success(), "the control: {test}");
    with_hook(&b, "pre-commit", &format!("! ({test})")).unwrap();
}

#[test]
fn a_hook_reads_no_credentials_of_the_user() {
    reads_nothing("grep -q secret \"$HOME/.config/git/credentials\"");
}

#[test]
fn a_hook_reads_the_ignore_file_that_git_needs() {
    let b = repository();
    with_hook(&b, "pre-commit", "grep -q orig \"$HOME/.config/git/ignore\"").unwrap();
}

/// Tests that a hook leaves nothing of this in the git folder.
macro_rules! nothing_is_written {
    ($($name:ident: $script:literal,)*) => {
        $(#[test]
        fn $name() {
            writes_nothing($script);
        })*
    };
}

nothing_is_written! {
    a_hook_writes_no_configuration_of_the_worktree: "printf '[core]\\n\\tfsmonitor = evil\\n' > .git/config.worktree",
    a_hook_replaces_no_configuration_by_another_file: "echo x > .git/x && mv .git/x .git/config.worktree",
    a_hook_makes_no_common_folder: "mkdir .git/c && cp .git/config .git/c && printf '[core]\\n\\tfsmonitor = evil\\n' >> .git/c/config && echo c > .git/commondir",
    a_hook_writes_no_hooks_of_a_submodule: "mkdir -p .git/modules/m/hooks && echo evil > .git/modules/m/hooks/post-checkout",
    a_hook_writes_no_other_worktrees_folder: "echo 'ref: refs/heads/evil' > .git/worktrees/linked/HEAD",
    a_hook_turns_no_other_worktree_to_another_repository: "echo /elsewhere > .git/worktrees/linked/commondir",
    a_hook_borrows_no_objects_from_elsewhere: "echo /elsewhere/objects > .git/objects/info/alternates",
    a_hook_borrows_no_objects_by_http: "echo https://example.invalid > .git/objects/info/http-alternates",
    a_hook_makes_no_attributes: "mkdir -p .git/info && echo '* filter=evil' > .git/info/attributes",
    a_hook_makes_no_sparse_checkout: "mkdir -p .git/info && echo '/a' > .git/info/sparse-checkout",
    a_hook_makes_no_other_hook: "mkdir -p .git/hooks && echo evil > .git/hooks/post-checkout && chmod +x .git/hooks/post-checkout",
    a_hook_makes_no_replacement: "mkdir -p .git/refs/replace && git rev-parse HEAD > .git/refs/replace/$(git rev-parse HEAD)",
    a_hook_makes_no_other_branch: "git rev-parse HEAD > .git/refs/heads/other",
    a_hook_makes_no_grafts: "mkdir -p .git/info && git rev-parse HEAD > .git/info/grafts",
    a_hook_makes_the_repository_not_shallow: "git rev-parse HEAD > .git/shallow",
    a_hook_begins_no_rebase: "mkdir .git/rebase-merge && echo 'exec evil' > .git/rebase-merge/git-rebase-todo",
    a_hook_plants_no_pack: "echo x > .git/objects/pack/pack-1.pack",
    a_hook_plants_no_index_of_a_split: "echo x > .git/sharedindex.0000000000000000000000000000000000000000",
    a_hook_leaves_no_lock: "touch .git/config.lock",
    a_hook_leaves_no_pipe: "mkfifo .git/MERGE_HEAD",
    a_hook_removes_nothing: "rm -f .git/config.worktree .git/modules/m/config",
}

#[test]
fn a_message_that_a_hook_replaces_by_a_link_is_not_read() {
    let b = repository();
    let secret = b.temp.beside("home").join(".config/git/credentials");
    let script = format!("ln -sf {} \"$1\"", secret.display());
    let err = with_hook(&b, "commit-msg", &script).unwrap_err();
    assert!(matches!(&err, RepoError::Hook { .. }), "{err}");
    let log = testkit::TestGit::at(b.temp.root()).run(&["log", "--all", "--format=%B"]);
    assert!(!log.contains("secret"), "{log}");
    assert_eq!(b.temp.read("a"), "old\n");
}

#[test]
fn an_index_that_a_hook_plants_as_a_link_is_not_written_through() {
    let b = repository();
    let victim = b.temp.beside("home").join("victim");
    std::fs::write(&victim, "mine").unwrap();
    // The folder of the session is beside the message, which git passes.
    let script = format!(
        "d=$(dirname \"$1\"); for n in new-index COMMIT_EDITMSG.lock; do ln -s {} $d/$n; done",
        victim.display()
    );
    with_hook(&b, "commit-msg", &script).unwrap();
    assert_eq!(std::fs::read_to_string(&victim).unwrap(), "mine");
    assert_eq!(testkit::TestGit::at(b.temp.root()).status(), "");
}

#[test]
fn a_hook_chooses_no_author() {
    let b = repository();
    let mut env = env();
    env.retain(|name, _| !name.to_string_lossy().starts_with("GIT_AUTHOR"));
    let git = testkit::TestGit::at(b.temp.root());
    git.run(&["config", "user.name", "Ada"]);
    git.run(&["config", "user.email", "ada@example.invalid"]);
    hook(&b, "pre-commit", "git config user.name Mallory; git config author.name Mallory; true");
    commit_overlay(&b, &b.overlay(&[("a", Some("new\n"))]), env).unwrap();
    assert_eq!(git.run(&["log", "-1", "--format=%an"]), "Ada");
}

#[test]
fn a_forged_object_is_not_taken_over() {
    let b = repository();
    // The object of the file's new content is replaced by that of the old one, where the hook can.
    let script = "n=$(git rev-parse :a); o=$(git rev-parse HEAD:a); \
                  f() { echo .git/objects/$(echo $1 | cut -c1-2)/$(echo $1 | cut -c3-); }; \
                  chmod u+w $(f $n); cp -f $(f $o) $(f $n); true";
    with_hook(&b, "pre-commit", script).unwrap();
    let git = testkit::TestGit::at(b.temp.root());
    assert_eq!(git.run(&["cat-file", "-p", "HEAD:a"]), "new");
    assert_eq!(git.run(&["fsck", "--strict"]), "");
}

#[test]
fn the_hook_of_references_runs_before_head_moves_and_may_refuse() {
    let b = repository();
    if !testkit::inner::sandbox().capabilities().namespaces.works {
        return testkit::skip(testkit::Need::UserNamespaces, "the hook is refused without mounts");
    }
    let head = testkit::TestGit::at(b.temp.root()).head();
    let before = git_folder(&b);
    let script = "echo evil > .git/commondir; test \"$1\" != prepared || { echo no >&2; exit 1; }";
    let err = with_hook(&b, "reference-transaction", script).unwrap_err();
    let RepoError::Hook { hook, output } = &err else { panic!("{err}") };
    assert_eq!(hook, "reference-transaction");
    assert!(output.contains("no"), "{output}");
    std::fs::remove_file(b.temp.path(".git/hooks/reference-transaction")).unwrap();
    assert_eq!(unexpected(&before, &b), "");
    assert_eq!(testkit::TestGit::at(b.temp.root()).head(), head);
    assert_eq!(b.temp.read("a"), "old\n");
}

#[test]
fn a_filter_of_the_user_cannot_write_the_git_folder() {
    let b = repository();
    let git = testkit::TestGit::at(b.temp.root());
    b.temp.write(".gitattributes", "a filter=f\n");
    git.run(&["add", ".gitattributes"]);
    git.run(&["commit", "--quiet", "-m", "attributes"]);
    let script = "sh -c 'echo evil > .git/commondir-2; tr a-z A-Z'";
    git.run(&["config", "filter.f.clean", script]);
    git.run(&["config", "filter.f.smudge", "tr A-Z a-z"]);
    git.run(&["add", "--renormalize", "a"]);
    git.run(&["commit", "--quiet", "-m", "filtered"]);
    assert!(b.temp.exists(".git/commondir-2"), "the control: git itself runs it");
    b.temp.remove(".git/commondir-2");
    let before = git_folder(&b);
    commit(&b, &[("a", Some("new\n"))]).unwrap();
    assert_eq!(git.run(&["cat-file", "-p", "HEAD:a"]), "NEW", "the filter ran");
    assert_eq!(unexpected(&before, &b), "");
}

#[test]
fn a_file_whose_content_a_filter_stores_elsewhere_is_refused() {
    let b = repository();
    b.temp.write(".gitattributes", "a filter=lfs\n");
    let err = commit(&b, &[("a", Some("new\n"))]).unwrap_err();
    assert!(err.to_string().contains("`a` is a file of git-lfs"), "{err}");
    assert_eq!(b.temp.read("a"), "old\n");
}

#[test]
fn hooks_of_a_linked_worktree_write_neither_git_folder() {
    let temp = testkit::project("//- /a\nold\n");
    let git = temp.git();
    git.run(&["worktree", "add", "--quiet", "-b", "side", "wt"]);
    let common = temp.path(".git");
    let path = temp.path(".git/hooks/pre-commit");
    let script = "#!/bin/sh\nd=$(git rev-parse --git-dir); c=$(git rev-parse --git-common-dir)\n\
                  echo evil > $d/config.worktree; echo evil > $c/commondir; echo evil > $c/config\ntrue\n";
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(&path, script).unwrap();
    std::fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let config = std::fs::read(common.join("config")).unwrap();
    let main = git.head();
    let b = crate::support::of(temp.rooted_at("wt"));
    commit(&b, &[("a", Some("new\n"))]).unwrap();
    assert_eq!(std::fs::read(common.join("config")).unwrap(), config);
    assert!(!common.join("commondir").exists());
    assert!(!common.join("worktrees/wt/config.worktree").exists());
    assert_eq!(std::fs::read_to_string(common.join("worktrees/wt/commondir")).unwrap(), "../..\n");
    assert_eq!(git.head(), main);
    assert_eq!(testkit::TestGit::at(b.temp.root()).status(), "");
}

/// The repository that a hostile one would have us write: the user's own, elsewhere.
fn victim(b: &Bench) -> (testkit::TestGit, std::path::PathBuf) {
    let root = b.temp.beside("victim");
    std::fs::create_dir_all(&root).unwrap();
    std::fs::write(root.join("a"), "old\n").unwrap();
    let git = testkit::TestGit::init(&root);
    git.commit_all("private");
    (git, root)
}

/// Asserts that git itself works in the project, and that we refuse it; the message.
fn refused(b: &Bench) -> String {
    let control = testkit::TestGit::at(b.temp.root());
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
fn objects_that_a_clone_borrows_are_read_where_nothing_is_kept() {
    let b = bench("//- /a\nold\n");
    b.temp.git();
    let (_, root) = victim(&b);
    let objects = root.join(".git/objects");
    let file = ".git/objects/info/alternates";
    b.temp.write(file, format!("{}\n", objects.display()));
    let overlay = |b: &Bench| b.open().head_overlay(&b.ctx, &testkit::inner::sandbox());
    assert!(overlay(&b).unwrap().is_some());
    // A repository of the user that borrows from here; git follows the chain.
    let own = b.temp.path(".git/objects");
    std::fs::create_dir_all(objects.join("info")).unwrap();
    std::fs::write(objects.join("info/alternates"), format!("{}\n", own.display())).unwrap();
    assert!(overlay(&b).unwrap().is_some());
    // Any other folder stays unseen.
    for folder in [root.join("objects"), root.join(".git/refs"), root.clone()] {
        std::fs::create_dir_all(&folder).unwrap();
        b.temp.write(file, format!("{}\n", folder.display()));
        let message = overlay(&b).unwrap_err().to_string();
        assert!(message.contains("borrows objects from"), "{message}");
    }
}

#[test]
fn without_namespaces_a_hook_cannot_write_the_git_folder_either() {
    let b = bench("//- /a\nold\n");
    b.temp.git();
    hook(
        &b,
        "pre-commit",
        "echo evil > .git/commondir; echo evil > .git/config; test \"$(cat a)\" = new",
    );
    let layers = sandbox::Layers { namespaces: false, overlay: false, ..Default::default() };
    let sandbox = sandbox::Sandbox::with_layers(testkit::inner::path(), layers);
    if sandbox.capabilities().level < sandbox::Level::Standard {
        return testkit::skip(testkit::Need::Landlock, "without namespaces nothing confines here");
    }
    let before = git_folder(&b);
    let overlay = b.overlay(&[("a", Some("new\n"))]);
    let project = b.open().with_git(Git { env: env(), ..Git::default() });
    let permit = crate::support::permit(&project, &overlay);
    project.apply(&b.ctx, &sandbox, &overlay, permit, &crate::commit::options()).unwrap();
    assert_eq!(unexpected(&before, &b), "");
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

#[test]
fn a_hook_sees_of_the_users_git_configuration_what_a_commit_needs() {
    let with = |layers: sandbox::Layers| {
        let b = bench("//- /a\nold\n");
        let git = b.temp.git();
        let home = b.temp.beside("home");
        let text = "[user]\nname = Eve\nemail = eve@example.invalid\n[http \"https://x\"]\nextraHeader = \
                    SECRET\n[credential]\nhelper = SECRET\n[core]\nsshCommand = SECRET\n";
        std::fs::write(home.join(".gitconfig"), text).unwrap();
        let script =
            "cat \"$HOME/.gitconfig\" >> \"$1\"; git config --global --list >> \"$1\"; exit 0";
        hook(&b, "commit-msg", script);
        // The control: the user's own hook reads it all.
        let control = control(&b, &script.replace("$1", "out")).status().unwrap();
        assert!(control.success());
        assert!(std::fs::read_to_string(b.temp.path("out")).unwrap().contains("SECRET"));
        b.temp.remove("out");
        let mut env = env();
        env.remove(std::ffi::OsStr::new("GIT_CONFIG_GLOBAL"));
        env.insert("HOME".into(), home.into());
        let sandbox = sandbox::Sandbox::with_layers(testkit::inner::path(), layers);
        if sandbox.capabilities().level < sandbox::Level::Standard {
            return testkit::skip(testkit::Need::Landlock, "nothing confines here");
        }
        let overlay = b.overlay(&[("a", Some("new\n"))]);
        let project = b.open().with_git(Git { env, ..Git::default() });
        project.apply(&b.ctx, &sandbox, &overlay, permit(&project, &overlay), &options()).unwrap();
        let message = git.run(&["log", "-1", "--format=%B"]);
        assert!(!message.contains("SECRET") && message.contains("Eve"), "{message}");
    };
    with(sandbox::Layers::default());
    with(sandbox::Layers { namespaces: false, overlay: false, ..Default::default() });
}
