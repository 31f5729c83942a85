//! Damaged, foreign and missing files of ours.

use graftage_ingest::Index;
use testkit::TempProject;

use crate::edits::Random;
use crate::kit::{assert_same, index, refresh, rows, scratch, shapes};

fn files(index: &Index) -> Vec<std::path::PathBuf> {
    ["index.bin", "facts.bin", "sources.bin"].map(|name| index.folder().join(name)).to_vec()
}

/// After `spoil` a new process gives a whole and right map, with or without a change beside it.
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
fn damage_is_noticed_and_mended() {
    let project = shapes();
    let mut first = index(&project);
    refresh(&mut first);
    let files = files(&first);
    drop(first);
    let mut random = Random(1);
    for file in &files {
        let name = file.file_name().unwrap().to_str().unwrap();
        survives(&project, &format!("{name} gone"), || {
            // Where nothing changed nobody misses `facts.bin`, and it is not made again.
            let _ = std::fs::remove_file(file);
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
    // Each mixture that a kill between two renames, or a restored backup, could leave.
    for mixture in 0..8 {
        survives(&project, &format!("mixture {mixture:03b}"), || {
            for (at, file) in files.iter().enumerate() {
                let bytes = if mixture >> at & 1 == 0 { &old[at] } else { &new[at] };
                std::fs::write(file, bytes).unwrap();
            }
        });
    }
}

#[test]
fn what_was_damaged_is_said() {
    let project = shapes();
    let mut first = index(&project);
    refresh(&mut first);
    let file = first.folder().join("index.bin");
    drop(first);
    std::fs::write(&file, b"nonsense").unwrap();
    let report = refresh(&mut index(&project));
    assert_eq!(report.problems[0].kind, "index");
    assert!(report.problems[0].message.starts_with("index.bin was made again"));
    assert!(refresh(&mut index(&project)).problems.iter().all(|it| it.kind != "index"));
}

#[test]
fn a_folder_removed_under_an_index_that_is_alive_is_written_again() {
    let project = shapes();
    let mut alive = index(&project);
    let first = refresh(&mut alive);
    std::fs::remove_dir_all(project.path("target")).unwrap();
    refresh(&mut alive);
    drop(alive);
    let again = refresh(&mut index(&project));
    assert_eq!((again.parsed_files, again.epoch), (0, first.epoch));
}
