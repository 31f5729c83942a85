//! Bare names, and paths under which a crate presents them.

use base::SortedMap;

use syntax::facts::UseWhat;

use super::sources::{SourceText, Sources};
use super::{FileQuestion, FileQuestionKind};
use crate::extract::module_of;

/// A question for each name that only one public item has, and for each of its re-exports.
pub(super) fn questions(sources: &Sources) -> Vec<FileQuestion> {
    let unique = sources.unique();
    let question = |kind, text: String, files: Vec<&str>| FileQuestion {
        kind,
        text,
        files: files.into_iter().map(str::to_owned).collect(),
        blank: None,
    };
    let of_name = |(name, file): (&&str, &&SourceText)| {
        question(FileQuestionKind::Name, (*name).to_owned(), vec![&file.path])
    };
    let mut all: Vec<FileQuestion> = unique.iter().map(of_name).collect();
    for (name, (path, presenting)) in presented(sources, &unique) {
        let Some(defining) = unique.get(name) else { continue };
        let files = vec![defining.path.as_str(), presenting];
        all.push(question(FileQuestionKind::Presented, path, files));
    }
    all
}

/// The shortest path under which another file than its own presents a name, and that file.
fn presented<'a>(
    sources: &'a Sources,
    unique: &SortedMap<&'a str, &'a SourceText>,
) -> SortedMap<&'a str, (String, &'a str)> {
    let mut found: SortedMap<&str, (String, &str)> = SortedMap::new();
    for file in &sources.files {
        for it in &file.facts.uses {
            let Some(import) = file.facts.file.items.get(it.item as usize) else { continue };
            let (UseWhat::Name(_), Some(last)) = (it.what, it.path.last()) else { continue };
            let name = file.facts.names.get(last.0 as usize).map_or("", |name| &**name);
            let Some((name, own)) = unique.get_key_value(name) else { continue };
            let is_shown = import.visibility == "pub" && !import.is_test && import.parent.is_none();
            if !is_shown || own.path == file.path {
                continue;
            }
            let path = format!("{}::{name}", module_of(&sources.krate, &file.path));
            let best = found.entry(name).or_insert_with(|| (path.clone(), &file.path));
            if path.len() < best.0.len() {
                *best = (path, &file.path);
            }
        }
    }
    found
}
