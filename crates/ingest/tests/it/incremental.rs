//! Tests that incremental updates equal a map from scratch, and read only what changed.

use graftage_ingest::{Index, Options};

use crate::edits::{Random, Texts};
use crate::kit::{assert_same, index, refresh, rows, scratch, shapes};

#[test]
fn incremental_equals_from_scratch_after_any_edits() {
    for seed in 0..25 {
        sequence(seed, 8);
    }
}

/// Edits, some refreshed by a loaded index, some by a new one; all compared with scratch.
fn sequence(seed: u64, edits: usize) {
    let project = shapes();
    let mut random = Random(seed);
    let mut texts = Texts::of(project.root());
    let mut loaded = index(&project);
    refresh(&mut loaded);
    let mut done = Vec::new();
    for _ in 0..edits {
        for _ in 0..=random.below(2) {
            done.push(texts.edit(&mut random));
        }
        if random.below(3) == 0 {
            drop(loaded);
            loaded = index(&project);
            done.push("new process".to_owned());
        }
        refresh(&mut loaded);
        let what = format!("seed {seed} after {}", done.join("; "));
        assert_same(&rows(&loaded), &scratch(&project), &what);
    }
}

#[test]
fn a_refresh_of_named_files_equals_from_scratch() {
    for seed in 100..125 {
        let project = shapes();
        let mut random = Random(seed);
        let mut texts = Texts::of(project.root());
        let mut loaded = index(&project);
        refresh(&mut loaded);
        let mut done = Vec::new();
        for _ in 0..8 {
            let mut paths = Vec::new();
            for _ in 0..=random.below(2) {
                let what = texts.save(&mut random);
                let name = what.split(':').next().unwrap();
                paths.push(base::ProjectPath::new(name).unwrap());
                done.push(what);
            }
            loaded.refresh_saved(&testkit::ctx(), &Options::default(), &paths).unwrap();
            let what = format!("seed {seed} after {}", done.join("; "));
            assert_same(&rows(&loaded), &scratch(&project), &what);
        }
        // A new process finds the last state, too.
        drop(loaded);
        let mut next = index(&project);
        assert_eq!(refresh(&mut next).parsed_files, 0);
        assert_same(&rows(&next), &scratch(&project), &format!("seed {seed}, new process"));
    }
}

#[test]
fn a_save_reads_and_resolves_one_file() {
    let project = shapes();
    let mut index = index(&project);
    let first = refresh(&mut index);
    let path = base::ProjectPath::new("src/util.rs").unwrap();
    let text = project.read("src/util.rs").replace("n * 2.0", "n + n");
    project.write("src/util.rs", text);
    let ctx = testkit::ctx();
    let save = |index: &mut Index| {
        index.refresh_saved(&ctx, &Options::default(), std::slice::from_ref(&path)).unwrap()
    };
    let body = save(&mut index);
    assert_eq!((body.parsed_files, body.resolved_files, body.epoch), (1, 1, first.epoch + 1));
    let same = save(&mut index);
    assert_eq!((same.parsed_files, same.epoch), (0, body.epoch));
    // A removed file triggers a full refresh.
    std::fs::remove_file(project.path("src/util.rs")).unwrap();
    let removed = save(&mut index);
    assert_eq!((removed.files, removed.changed_files), (first.files - 1, 1));
}

#[test]
fn only_changed_files_and_their_dependents_are_read_and_resolved() {
    let project = shapes();
    let mut index = index(&project);
    let first = refresh(&mut index);
    assert_eq!((first.parsed_files, first.resolved_files), (first.files, first.files));
    let again = refresh(&mut index);
    assert_eq!((again.parsed_files, again.resolved_files, again.epoch), (0, 0, first.epoch));

    let text = project.read("src/util.rs").replace("n * 2.0", "n + n");
    project.write("src/util.rs", text);
    let body = refresh(&mut index);
    assert_eq!((body.parsed_files, body.resolved_files, body.epoch), (1, 1, first.epoch + 1));

    let text = project.read("src/util.rs").replace("fn double(n: f64)", "fn double(n: f64, m: u8)");
    project.write("src/util.rs", text);
    let signature = refresh(&mut index);
    assert_eq!(signature.parsed_files, 1);
    assert!(signature.resolved_files > 1 && signature.resolved_files < signature.files);
}

#[test]
fn a_new_process_reads_everything_once_anything_changed() {
    let project = shapes();
    let first = refresh(&mut index(&project));
    let again = refresh(&mut index(&project));
    assert_eq!((again.parsed_files, again.epoch), (0, first.epoch));
    let text = project.read("src/net.rs").replace("twice", "area");
    project.write("src/net.rs", text);
    let changed = refresh(&mut index(&project));
    assert_eq!((changed.parsed_files, changed.resolved_files), (first.files, first.files));
    assert_eq!((changed.changed_files, changed.epoch), (1, first.epoch + 1));
}

#[test]
fn modification_times_are_ignored() {
    let project = shapes();
    let mut index = index(&project);
    let first = refresh(&mut index);
    let path = project.path("src/util.rs");
    let before = std::fs::metadata(&path).unwrap().modified().unwrap();
    let text = project.read("src/util.rs").replace("0.0", "1.0");
    project.write("src/util.rs", text);
    std::fs::File::options().append(true).open(&path).unwrap().set_modified(before).unwrap();
    assert_eq!(refresh(&mut index).epoch, first.epoch + 1);
}
