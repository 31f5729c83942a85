//! Runs fixtures/edit: each folder is a project, a request, and the expected result or error.
#![expect(clippy::unwrap_used, clippy::disallowed_methods, reason = "tests read their fixtures")]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use base::{ContentHash, Hint, ProjectPath, SortedMap, Timestamp};
use graftage_edit::{EditError, FileState, Files, Overlay, Unreadable, parse_request, stage};

/// A directory as a project; links and other bytes are handled as in `repo`.
struct Folder(PathBuf);

impl Files for Folder {
    fn read(&self, path: &ProjectPath) -> Result<Option<FileState>, Unreadable> {
        let mut at = self.0.clone();
        for part in path.as_str().split('/') {
            at.push(part);
            match fs::symlink_metadata(&at) {
                Ok(meta) if meta.is_symlink() => return Err(Unreadable::Symlink),
                Ok(_) => {}
                Err(_) => return Ok(None),
            }
        }
        let meta = fs::metadata(&at).unwrap();
        if !meta.is_file() {
            return Err(Unreadable::NotAFile);
        }
        let text = String::from_utf8(fs::read(&at).unwrap()).map_err(|_| Unreadable::NotUtf8)?;
        let executable = meta.permissions().mode() & 0o111 != 0;
        Ok(Some(FileState { text: text.into(), executable }))
    }
}

/// Files in memory.
struct Map(SortedMap<ProjectPath, FileState>);

impl Files for Map {
    fn read(&self, path: &ProjectPath) -> Result<Option<FileState>, Unreadable> {
        Ok(self.0.get(path).cloned())
    }
}

/// All text files below `root`; an overlay ignores others.
fn tree(root: &Path) -> SortedMap<ProjectPath, FileState> {
    let mut files = SortedMap::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap().map(Result::unwrap) {
            let kind = entry.file_type().unwrap();
            if kind.is_dir() {
                folders.push(entry.path());
            } else if kind.is_file() && entry.file_name() != ".keep" {
                let path = ProjectPath::within(root, &entry.path()).unwrap();
                if let Ok(Some(state)) = Folder(root.to_owned()).read(&path) {
                    files.insert(path, state);
                }
            }
        }
    }
    files
}

fn with_hashes(text: &str, before: &Path) -> String {
    let mut out = text.to_owned();
    while let Some(start) = out.find("{{hash:") {
        let end = start + out[start..].find("}}").unwrap();
        let path = before.join(&out[start + 7..end]);
        let hash = fs::read(path).map(|bytes| ContentHash::of(&bytes).to_string());
        out.replace_range(start..end + 2, &hash.unwrap_or_else(|_| "0".repeat(64)));
    }
    out
}

fn apply(overlay: &Overlay, tree: &mut SortedMap<ProjectPath, FileState>) {
    for (path, change) in overlay.changes() {
        assert_eq!(tree.get(path), change.before.as_ref(), "before of {path}");
        match &change.after {
            Some(state) => tree.insert(path.clone(), state.clone()),
            None => tree.remove(path),
        };
    }
}

fn run(case: &Path) -> Result<(), String> {
    let before = case.join("before");
    let request = ["json", "diff", "txt"]
        .iter()
        .find_map(|kind| fs::read_to_string(case.join(format!("edit.{kind}"))).ok())
        .ok_or("no edit")?;
    let request = with_hashes(&request, &before);
    let files = Folder(before.clone());
    let staged = parse_request(&request, Path::new("/project"))
        .and_then(|request| stage(&files, &request, "corpus", Timestamp(1)));
    let expected = fs::read_to_string(case.join("refusal.txt"));
    let staged = match (staged, expected) {
        (Err(error), Ok(expected)) => {
            let actual = format!("{error}\nhint: {}\n", error.hint().unwrap_or_default());
            let expected = with_hashes(&expected, &before);
            return if actual == expected {
                Ok(())
            } else {
                Err(format!("refused as\n{actual}and not as\n{expected}"))
            };
        }
        (Ok(_), Ok(_)) => return Err("accepted, expected an error".into()),
        (Err(error), Err(_)) => return Err(format!("refused: {error}")),
        (Ok(staged), Err(_)) => staged,
    };
    let notes = fs::read_to_string(case.join("notes.txt")).unwrap_or_default();
    let actual: String = staged.notes.iter().map(|note| format!("{note}\n")).collect();
    if actual != notes {
        return Err(format!("noted\n{actual}and not\n{notes}"));
    }
    let old = tree(&before);
    let mut new = old.clone();
    apply(&staged.overlay, &mut new);
    let wanted = tree(&case.join("after"));
    for path in new.keys().chain(wanted.keys()) {
        if new.get(path) != wanted.get(path) {
            return Err(format!("{path} is\n{:?}\nand not\n{:?}", new.get(path), wanted.get(path)));
        }
    }
    // Laws of every overlay: it inverts, and its diff parses to the same overlay.
    let mut back = new.clone();
    apply(&staged.overlay.invert(), &mut back);
    if back != old {
        return Err("the inverse does not lead back".into());
    }
    if staged.overlay.invert().invert() != staged.overlay {
        return Err("inverting twice changes the overlay".into());
    }
    let diff = staged.overlay.unified_diff();
    if !diff.is_empty() {
        let again = parse_request(&diff, Path::new("/project"))
            .and_then(|request| stage(&Map(old), &request, "corpus", Timestamp(2)))
            .map_err(|error: EditError| format!("its own diff is refused: {error}\n{diff}"))?;
        if again.overlay.patch_set() != staged.overlay.patch_set() || !again.notes.is_empty() {
            return Err(format!("its own diff results in another overlay:\n{diff}"));
        }
    }
    Ok(())
}

#[test]
fn every_case_of_the_corpus_has_the_expected_result() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/edit");
    let mut cases: Vec<PathBuf> = fs::read_dir(root)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_dir())
        .collect();
    cases.sort();
    let mut failures = String::new();
    for case in &cases {
        if let Err(why) = run(case) {
            failures += &format!("--- {}\n{why}\n", case.file_name().unwrap().display());
        }
    }
    assert!(failures.is_empty(), "{failures}");
    assert!(cases.len() >= 80, "only {} cases", cases.len());
}
