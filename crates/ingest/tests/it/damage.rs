//! Tests with damaged, foreign and missing index files.

use graftage_ingest::Index;
use testkit::TempProject;

use crate::edits::Random;
use crate::kit::{assert_same, index, refresh, rows, scratch, shapes};

fn files(index: &Index) -> Vec<std::path::PathBuf> {
    ["index.bin", "sources.bin"].map(|name| index.folder().join(name)).to_vec()
}

/// After `spoil` a new process builds a complete and correct map, with or without a change of the
/// sources.
fn survives(project: &TempProject, what: &str, spoil: impl Fn()) {
    for change in [false, true] {
        spoil();
        if change {
            let text = project.read("src/net.rs");
            project.write("src/net.rs", format!("{text}// {what}\n"));
        }
        let mut index = index(project);
        refresh(&mut index);
        assert_same(&rows(&index), &scratch(project), what);
    }
}

#[test]
fn damage_is_detected_and_repaired() {
    let project = shapes();
    let mut first = index(&project);
    refresh(&mut first);
    let files = files(&first);
    drop(first);
    let mut random = Random(1);
    for file in &files {
        let name = file.file_name().unwrap().to_str().unwrap();
        survives(&project, &format!("{name} removed"), || {
            std::fs::remove_file(file).unwrap();
        });
        survives(&project, &format!("{name} empty"), || std::fs::write(file, b"").unwrap());
        survives(&project, &format!("{name} garbage"), || {
            std::fs::write(file, vec![0xaa; 10_000]).unwrap();
        });
        for _ in 0..8 {
            let at = random.next();
            survives(&project, &format!("{name} flipped"), || {
                let mut bytes = std::fs::read(file).unwrap_or_else(|_| vec![0]);
                let len = bytes.len() as u64;
                bytes[(at % len) as usize] ^= 1 << (at >> 60 & 7);
                std::fs::write(file, bytes).unwrap();
            });
            survives(&project, &format!("{name} cut"), || {
                let bytes = std::fs::read(file).unwrap_or_else(|_| vec![0]);
                let len = bytes.len().max(1) as u64;
                std::fs::write(file, &bytes[..(at % len) as usize]).unwrap();
            });
        }
    }
}

#[test]
fn files_of_different_states_are_not_mixed() {
    let project = shapes();
    let mut first = index(&project);
    refresh(&mut first);
    let files = files(&first);
    let old: Vec<Vec<u8>> = files.iter().map(|file| std::fs::read(file).unwrap()).collect();
    drop(first);
    let text = project.read("src/util.rs").replace("zero", "nought");
    project.write("src/util.rs", text);
    refresh(&mut index(&project));
    let new: Vec<Vec<u8>> = files.iter().map(|file| std::fs::read(file).unwrap()).collect();
    // Every mixture that a kill between two renames, or a restored backup, could leave.
    for mixture in 0..4 {
        survives(&project, &format!("mixture {mixture:02b}"), || {
            for (at, file) in files.iter().enumerate() {
                let bytes = if mixture >> at & 1 == 0 { &old[at] } else { &new[at] };
                std::fs::write(file, bytes).unwrap();
            }
        });
    }
}

#[test]
fn damaged_files_are_reported() {
    let project = shapes();
    let mut first = index(&project);
    refresh(&mut first);
    let file = first.folder().join("index.bin");
    drop(first);
    std::fs::write(&file, b"nonsense").unwrap();
    let report = refresh(&mut index(&project));
    assert_eq!(report.problems[0].kind, "index");
    assert!(report.problems[0].message.starts_with("index.bin was rebuilt"));
    assert!(refresh(&mut index(&project)).problems.iter().all(|it| it.kind != "index"));
}

#[test]
fn a_directory_removed_under_a_loaded_index_is_written_again() {
    let project = shapes();
    let mut loaded = index(&project);
    let first = refresh(&mut loaded);
    std::fs::remove_dir_all(loaded.folder()).unwrap();
    refresh(&mut loaded);
    drop(loaded);
    let again = refresh(&mut index(&project));
    assert_eq!((again.parsed_files, again.epoch), (0, first.epoch));
}
