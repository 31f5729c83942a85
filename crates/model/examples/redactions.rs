//! Lists what the redaction removes from the Rust sources below a folder, and how often: the rate
//! of false alarms on code that has no secrets.
//!
//! `cargo run --release -p graftage-model --example redactions -- DIRECTORY`

#![allow(clippy::print_stdout, clippy::expect_used, reason = "a tool for developers")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use graftage_model::language::redact;

fn main() {
    let root = std::env::args_os().nth(1).expect("a folder");
    let mut files = Vec::new();
    collect(Path::new(&root), &mut files);
    files.sort();
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    let (mut bytes, mut lines, mut hit_files) = (0_u64, 0_u64, 0_u64);
    for file in &files {
        let Ok(text) = std::fs::read_to_string(file) else { continue };
        bytes += text.len() as u64;
        lines += text.lines().count() as u64;
        let (_, found) = redact(&text);
        hit_files += u64::from(!found.is_empty());
        for redaction in &found {
            *counts.entry(redaction.kind.as_str()).or_default() += 1;
            let line = text.lines().nth(redaction.line - 1).unwrap_or_default().trim();
            let line = &line[..line.floor_char_boundary(160)];
            println!("{}:{}: {}: {line}", file.display(), redaction.line, redaction.kind.as_str());
        }
    }
    println!("{} files, {lines} lines, {bytes} bytes; {hit_files} files with hits", files.len());
    println!("{counts:?}");
}

/// The Rust files below a folder; links are not followed.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => collect(&path, files),
            Ok(kind) if kind.is_file() && path.extension().is_some_and(|it| it == "rs") => {
                files.push(path);
            }
            _ => {}
        }
    }
}
