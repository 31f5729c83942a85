//! A permit is for one tree: what was proven on another is not written.

use std::path::PathBuf;

use graftage_repo::{Applied, ApplyOptions, RepoError};
use policy::TreeInputs;

use crate::support::{Bench, bench, permit, permit_beside};

/// Applies `changes` under a permit for the tree as it was before `meanwhile`.
fn apply_after(
    b: &Bench,
    inputs: TreeInputs,
    meanwhile: impl FnOnce(),
) -> Result<Applied, RepoError> {
    let project = b.open();
    let overlay = b.overlay(&[("a", Some("new"))]);
    let permit = permit_beside(&project, &overlay, inputs);
    meanwhile();
    let sandbox = sandbox::Sandbox::new("/nonexistent".into());
    project.apply(&b.ctx, &sandbox, &overlay, permit, &ApplyOptions::default())
}

fn moved(b: &Bench, inputs: TreeInputs, meanwhile: impl FnOnce()) -> String {
    let before = b.temp.read("a");
    let err = apply_after(b, inputs, meanwhile).unwrap_err();
    assert_eq!(b.temp.read("a"), before, "nothing is written");
    assert_eq!(b.pending(), Vec::<PathBuf>::new());
    err.to_string()
}

const TREE: &str = "//- /a\nold\n//- /b\nother\n//- /Cargo.toml\n[package]\n";

#[test]
fn a_change_of_any_other_file_since_the_proof_is_named_and_refuses_the_write() {
    let b = bench(TREE);
    assert_eq!(
        moved(&b, TreeInputs::default(), || {
            b.temp.write("b", "changed");
            b.temp.write("c/new.rs", "");
            b.temp.remove("Cargo.toml");
        }),
        "the tree is not the one that the change was proven on: `Cargo.toml`, `b`, `c/new.rs` changed"
    );
}

#[test]
fn files_beside_the_sources_are_part_of_the_tree() {
    let b = bench(TREE);
    let beside = b.temp.beside("outside");
    std::fs::write(beside.join("config.toml"), "").unwrap();
    let inputs = || TreeInputs {
        files: vec![beside.join("config.toml"), beside.join("not there")],
        folders: vec![beside.join("dependency")],
    };
    for (file, text) in [("config.toml", "x"), ("not there", ""), ("dependency/src/lib.rs", "")] {
        let refused = moved(&b, inputs(), || {
            let path = beside.join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        });
        assert!(refused.ends_with(&format!("{file}` changed")), "{refused}");
    }
    apply_after(&b, inputs(), || {}).unwrap();
}

#[test]
fn a_file_of_the_change_itself_is_named_as_the_one_that_changed() {
    let b = bench(TREE);
    let err = apply_after(&b, TreeInputs::default(), || b.temp.write("a", "mine")).unwrap_err();
    assert!(matches!(err, RepoError::Changed { .. }), "{err}");
    assert_eq!(b.temp.read("a"), "mine");
}

#[test]
fn ignored_files_move_no_tree_and_can_be_changed() {
    let b = bench("//- /a\nold\n//- /.gitignore\ng/\n//- /g/x\n1\n");
    let project = b.open();
    let overlay = b.overlay(&[("a", Some("new")), ("g/x", Some("2")), ("g/y", Some("3"))]);
    let permit = permit(&project, &overlay);
    b.temp.write("g/z", "a build wrote it");
    let sandbox = sandbox::Sandbox::new("/nonexistent".into());
    project.apply(&b.ctx, &sandbox, &overlay, permit, &ApplyOptions::default()).unwrap();
    assert_eq!((b.temp.read("g/x"), b.temp.read("g/y")), ("2".to_owned(), "3".to_owned()));
}

#[test]
fn what_another_write_keeps_beside_files_for_a_moment_moves_no_tree() {
    let b = bench(TREE);
    apply_after(&b, TreeInputs::default(), || {
        for name in [".graftage-0123456789ab-0.tmp", "src/.graftage-0123456789ab-1.tmp.part"] {
            b.temp.write(name, "half");
        }
    })
    .unwrap();
    assert_eq!(b.temp.read("a"), "new");
}

#[test]
fn undo_and_redo_tell_whether_other_files_have_changed_since() {
    let b = bench(TREE);
    b.apply(&[("a", Some("new"))]).unwrap();
    let project = b.open();
    assert!(!project.undo(&b.ctx, None).unwrap().around_changed);
    assert!(!project.redo(&b.ctx, None).unwrap().around_changed);
    b.temp.write("b", "changed");
    assert!(project.undo(&b.ctx, None).unwrap().around_changed);
    assert!(project.redo(&b.ctx, None).unwrap().around_changed);
    b.temp.write("b", "other\n");
    assert!(!project.undo(&b.ctx, None).unwrap().around_changed);
}
