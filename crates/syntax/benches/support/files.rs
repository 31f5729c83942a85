//! The texts that a bench reads: all Rust files below the folders named on the command line.

use std::path::{Path, PathBuf};

pub(crate) fn rust_texts() -> Vec<String> {
    let mut paths = Vec::new();
    for folder in std::env::args().skip(1).filter(|it| !it.starts_with("--")) {
        add(Path::new(&folder), &mut paths);
    }
    if paths.is_empty() {
        add(Path::new(env!("CARGO_MANIFEST_DIR")), &mut paths);
    }
    paths.into_iter().filter_map(|it| std::fs::read_to_string(it).ok()).collect()
}

fn add(folder: &Path, out: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut entries: Vec<PathBuf> = entries.flatten().map(|it| it.path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            add(&path, out);
        } else if path.extension().is_some_and(|it| it == "rs") {
            out.push(path);
        }
    }
}
