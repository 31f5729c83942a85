//! Full and read-only file systems, made small and private by mounting in a user namespace.

#![allow(clippy::disallowed_methods, reason = "the test starts itself anew on another disk")]

use std::path::Path;
use std::process::Command;

use edit::Overlay;
use graftage_repo::{ApplyOptions, Dirs, Project, RepoError};
use testkit::TreeDigest;

use crate::support::{overlay, permit};

/// Runs `check` in another process, with `disk` inside the folder that it gets mounted as `mount`
/// reports.
fn on_disk(mount: &str, check: impl Fn(&Path)) {
    if let Some(folder) = testkit::job() {
        return check(Path::new(&folder));
    }
    let dir = tempfile::tempdir().unwrap();
    std::fs::create_dir(dir.path().join("disk")).unwrap();
    // Beside a child that fails, a shell that could not mount answers 77.
    let script = format!("cd \"$1\" && {{ {mount}; }} || exit 77; shift; exec \"$@\"");
    let child = testkit::this_test_again(&dir.path().display().to_string());
    let output = Command::new("unshare")
        .args(["--user", "--map-root-user", "--mount", "sh", "-c", &script, "sh"])
        .arg(dir.path())
        .arg(child.get_program())
        .args(child.get_args())
        .envs(child.get_envs().filter_map(|(name, value)| Some((name, value?))))
        .output();
    match output {
        Ok(output) if output.status.success() => {}
        Ok(output) if !String::from_utf8_lossy(&output.stdout).contains("running 1 test") => {
            testkit::skip(testkit::Need::UserNamespaces, &String::from_utf8_lossy(&output.stderr));
        }
        Ok(output) => panic!(
            "{}{}",
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        ),
        Err(err) => testkit::skip(testkit::Need::UserNamespaces, &err.to_string()),
    }
}

fn open(root: &Path, state: &Path) -> (base::Ctx, Project) {
    let ctx = testkit::TestHost::new().ctx();
    let dirs = Dirs { cache: state.join("cache"), state: state.to_owned() };
    let project = Project::open(&ctx, root, dirs).unwrap();
    (ctx, project)
}

fn apply(ctx: &base::Ctx, project: &Project, overlay: &Overlay) -> RepoError {
    let sandbox = sandbox::Sandbox::new("/nonexistent".into());
    let permit = permit(project, overlay);
    project.apply(ctx, &sandbox, overlay, permit, &ApplyOptions::default()).unwrap_err()
}

fn full_tree(folder: &Path) {
    let root = folder.join("disk/project");
    std::fs::create_dir(&root).unwrap();
    std::fs::write(root.join("a"), "old").unwrap();
    std::fs::write(root.join("b"), "old").unwrap();
    let before = TreeDigest::of(&root);
    let (ctx, project) = open(&root, &folder.join("state"));
    let huge = "x".repeat(1 << 20);
    let change = overlay(&project, &[("a", Some("new")), ("b", Some(&huge)), ("d/n", Some("n"))]);
    let err = apply(&ctx, &project, &change);
    assert!(matches!(&err, RepoError::Write { path, .. } if path.as_str() == "b"), "{err}");
    let hint = base::Hint::hint(&err).unwrap();
    assert!(hint.contains("free space"), "{err}: {hint}");
    before.assert_same(&TreeDigest::of(&root));
    open(&root, &folder.join("state")).1.history().unwrap();
    before.assert_same(&TreeDigest::of(&root));
}

fn full_state(folder: &Path) {
    let root = folder.join("project");
    std::fs::create_dir(&root).unwrap();
    std::fs::write(root.join("a"), "old").unwrap();
    let before = TreeDigest::of(&root);
    let (ctx, project) = open(&root, &folder.join("disk"));
    let huge = "x".repeat(1 << 20);
    let err = apply(&ctx, &project, &overlay(&project, &[("a", Some(&huge))]));
    assert!(matches!(err, RepoError::Keep { .. }), "{err}");
    before.assert_same(&TreeDigest::of(&root));
    open(&root, &folder.join("disk"));
    before.assert_same(&TreeDigest::of(&root));
}

fn read_only(folder: &Path) {
    let root = folder.join("disk");
    let before = TreeDigest::of(&root);
    let (ctx, project) = open(&root, &folder.join("state"));
    assert_eq!(project.snapshot(&ctx).unwrap().files.len(), 1);
    let err = apply(&ctx, &project, &overlay(&project, &[("a", Some("new"))]));
    assert!(matches!(err, RepoError::Write { .. }), "{err}");
    assert!(err.to_string().contains("Read-only file system"), "{err}");
    before.assert_same(&TreeDigest::of(&root));
}

#[test]
fn a_full_disk_under_the_tree_leaves_the_old_tree() {
    on_disk("mount -t tmpfs -o size=128k,mode=755 tmpfs disk", full_tree);
}

#[test]
fn a_full_disk_under_the_journal_leaves_the_old_tree() {
    on_disk("mount -t tmpfs -o size=64k,mode=755 tmpfs disk", full_state);
}

#[test]
fn a_read_only_file_system_is_read_and_not_written() {
    on_disk(
        "mount -t tmpfs -o size=64k,mode=755 tmpfs disk && echo old > disk/a && \
         mount -o remount,ro disk",
        read_only,
    );
}
