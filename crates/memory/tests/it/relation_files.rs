//! The file of relations: whole or not at all, and never used when damaged.

use std::path::Path;

use graftage_memory::{RelationContext, RelationFile, RelationStatus};

use crate::ctx;

fn filled(path: &Path) -> RelationFile {
    let file = RelationFile::at(path);
    let (mut plan, damage) = file.open(&ctx(), true).unwrap();
    assert_eq!(damage, None);
    let context = RelationContext::new("Größe: \"1\"\n").with_status(RelationStatus::Done);
    plan.add(&ctx(), "a", &[], "plan", context).unwrap();
    plan.add(&ctx(), "b", &["a"], "step", RelationContext::default()).unwrap();
    file
}

fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn relations_come_back_as_they_were() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("new/plan.jsonl");
    let file = filled(&path);
    let (again, damage) = file.open(&ctx(), false).unwrap();
    assert_eq!(damage, None);
    assert_eq!(again.to_context(&[]), "[x] a: Größe: \"1\"\n  - b\n");
    assert_eq!(again.get("a").unwrap().context.description, "Größe: \"1\"\n");
    assert_eq!(names(path.parent().unwrap()), ["plan.jsonl"]);
}

#[test]
fn relations_that_were_updated_to_a_younger_parent_come_back() {
    let folder = tempfile::tempdir().unwrap();
    let file = filled(&folder.path().join("plan.jsonl"));
    let (mut plan, _) = file.open(&ctx(), true).unwrap();
    plan.add(&ctx(), "c", &[], "plan", RelationContext::default()).unwrap();
    let update = graftage_memory::RelationUpdate {
        parents: Some(vec!["c".to_owned()]),
        ..graftage_memory::RelationUpdate::default()
    };
    plan.update("a", update).unwrap();
    let (again, damage) = file.open(&ctx(), false).unwrap();
    assert_eq!((again.to_context(&[]), damage), (plan.to_context(&[]), None));
}

#[test]
fn every_damaged_byte_and_every_cut_is_found_and_the_file_is_moved_aside() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("plan.jsonl");
    let file = filled(&path);
    let whole = std::fs::read(&path).unwrap();
    let mut texts: Vec<Vec<u8>> = (0..whole.len()).map(|end| whole[..end].to_vec()).collect();
    for at in 0..whole.len() {
        let mut text = whole.clone();
        // Another digit, letter or punctuation: the format stays 1 or is read as a later one.
        text[at] ^= 1;
        texts.push(text);
    }
    for text in texts {
        std::fs::write(&path, &text).unwrap();
        let stored = match file.load() {
            Ok(stored) => stored,
            Err(err) => {
                assert!(err.to_string().contains("later version"), "{err}");
                assert_eq!(std::fs::read(&path).unwrap(), text);
                continue;
            }
        };
        let damage = stored.damage.unwrap();
        assert!(stored.relations.is_empty());
        assert_eq!(std::fs::read(&damage.moved_to).unwrap(), text);
        assert!(!path.exists(), "{damage}");
        std::fs::remove_file(&damage.moved_to).unwrap();
    }
}

#[test]
fn a_whole_file_with_a_cycle_is_moved_aside_and_the_plan_begins_anew() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("plan.jsonl");
    let file = filled(&path);
    let mut relations = file.load().unwrap().relations;
    relations[0].parents = vec!["b".to_owned()];
    file.save(&ctx(), &relations.iter().collect::<Vec<_>>()).unwrap();
    let (plan, damage) = file.open(&ctx(), false).unwrap();
    assert_eq!(plan.size(), 0);
    assert_eq!(damage.unwrap().reason, "with the parent `b`, `a` would be its own ancestor");
}

#[test]
fn a_write_that_fails_leaves_the_file_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("plan.jsonl");
    let file = filled(&path);
    let before = std::fs::read(&path).unwrap();
    // The name of the temporary file is taken.
    let ctx = ctx();
    let taken = format!("{}.{}", path.display(), testkit::FakeHost::new().ctx().fresh_name());
    std::fs::create_dir(&taken).unwrap();
    let relations = file.load().unwrap().relations;
    let err = file.save(&ctx, &relations.iter().take(1).collect::<Vec<_>>()).unwrap_err();
    assert!(err.to_string().starts_with("cannot access the relations in"), "{err}");
    assert_eq!(std::fs::read(&path).unwrap(), before);
}
