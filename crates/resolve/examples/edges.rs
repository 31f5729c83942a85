//! Resolves a workspace and prints its call edges, one per line, for comparison with another tool:
//! `edges DESCRIPTION ROOT`. The description contains cargo's metadata, line by line: `crate NAME
//! EXTERN_NAME ROOT EDITION`, and for the preceding crate: `dep NAME [NUMBER]`, `flag NAME`, `value
//! KEY VALUE`.
#![allow(
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a tool for developers of this crate; it reads the given paths"
)]

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use base::{EdgeKind, ProjectPath, Tier};
use graftage_resolve as resolve;
use resolve::{
    CfgSet, CrateIdx, CrateInput, DefMap, Dependency, FileIdx, FileInput, WorkspaceInput,
    resolve_file,
};

fn collect(root: &Path, directory: &Path, files: &mut Vec<FileInput>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(directory)? {
        let path = entry?.path();
        if path.is_dir() {
            if !path.ends_with("target") && !path.is_symlink() {
                collect(root, &path, files)?;
            }
        } else if path.extension().is_some_and(|it| it == "rs") {
            let text = std::fs::read_to_string(&path)?;
            let name = path.strip_prefix(root).unwrap_or(&path).to_string_lossy().into_owned();
            let Ok(path) = ProjectPath::new(&name) else { continue };
            let facts = Arc::new(syntax::read(&text));
            files.push(FileInput { path, facts, text: Arc::from(text) });
        }
    }
    Ok(())
}

fn crates_of(description: &str, files: &[FileInput]) -> Vec<CrateInput> {
    let mut crates: Vec<CrateInput> = Vec::new();
    for line in description.lines() {
        let fields: Vec<&str> = line.split_whitespace().collect();
        match (fields.as_slice(), crates.last_mut()) {
            (["crate", name, extern_name, root, edition], _) => {
                let root = files.iter().position(|file| file.path.as_str() == *root);
                crates.push(CrateInput {
                    name: (*name).to_owned(),
                    extern_name: (*extern_name).to_owned(),
                    root: root.map_or(u32::MAX, |at| at as u32),
                    edition: edition.parse().unwrap_or(2021),
                    cfg: CfgSet::default(),
                    dependencies: Vec::new(),
                    is_proc_macro: false,
                });
            }
            (["dep", name, number @ ..], Some(last)) => {
                let to = number.first().and_then(|it| it.parse().ok()).map(CrateIdx);
                last.dependencies.push(Dependency { name: (*name).to_owned(), to });
            }
            (["flag", name], Some(last)) => {
                last.cfg.flags.insert((*name).to_owned());
            }
            (["value", key, value], Some(last)) => {
                last.cfg.values.entry((*key).to_owned()).or_default().insert((*value).to_owned());
            }
            _ => {}
        }
    }
    crates
}

fn line_of(text: &str, offset: usize) -> usize {
    text.as_bytes().iter().take(offset).filter(|byte| **byte == b'\n').count() + 1
}

fn main() -> std::io::Result<()> {
    let mut args = std::env::args().skip(1);
    let (Some(description), Some(root)) = (args.next(), args.next()) else {
        eprintln!("edges DESCRIPTION ROOT");
        return Ok(());
    };
    let start = Instant::now();
    let mut files = Vec::new();
    collect(Path::new(&root), Path::new(&root), &mut files)?;
    files.sort_by(|a, b| a.path.cmp(&b.path));
    let crates = crates_of(&std::fs::read_to_string(description)?, &files);
    let read = start.elapsed();
    let workspace = WorkspaceInput { crates, files };
    let start = Instant::now();
    let map = DefMap::build(&workspace);
    let built = start.elapsed();
    let start = Instant::now();
    let mut all = Vec::new();
    for number in 0..workspace.files.len() {
        all.push(resolve_file(&map, FileIdx(number as u32)));
    }
    let resolved = start.elapsed();
    eprintln!("read {read:?}, built {built:?}, resolved {resolved:?}");
    for (file, edges) in workspace.files.iter().zip(&all) {
        for edge in edges.edges.iter().filter(|edge| edge.kind == EdgeKind::Calls) {
            let target = map.def(edge.to);
            let source = map.source(target.file);
            let at = map.facts(edge.to).and_then(|(_, item, _)| item.name_span);
            let definition = map.site(target.file, at.map_or(0, |span| span.start as u32));
            let target_source = map.source(definition.0);
            println!(
                "{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}",
                file.path.as_str(),
                edge.offset,
                if edge.tier == Tier::Proven { "P" } else { "C" },
                edge.rule.name(),
                source.path.as_str(),
                line_of(&target_source.text, definition.1 as usize),
                map.canon(edge.to),
                map.canon(edge.src),
            );
        }
        for site in &edges.unresolved {
            println!(
                "{}\t{}\tU\t{:?}\t{}\t\t\t{}",
                file.path.as_str(),
                site.offset,
                site.reason,
                map.name_of(site.name),
                map.canon(site.src),
            );
        }
    }
    Ok(())
}
