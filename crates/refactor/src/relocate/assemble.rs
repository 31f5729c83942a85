//! One text for each file from all edits of a plan: no two edits of the result overlap. Imports are
//! added to the text that has the other edits.

use std::sync::Arc;

use base::{LineIndex, ProjectPath, SortedMap, SortedSet};
use edit::{Splice, SpliceFault, TextEdit};

use super::fault::RelocateFault;
use super::modules::ModulePath;
use super::placing::placed;
use super::scope::Scopes;
use super::supply::NewImport;

/// The byte order mark.
const BOM: char = '\u{feff}';

/// Imports with their visibility, by module.
pub(super) type Imports = SortedMap<ModulePath, SortedSet<(String, NewImport)>>;

/// The edits of the plan, by path and position; a module without imports gets some in the style of
/// `like`.
///
/// # Errors
/// The two places of edits that contradict each other.
pub(super) fn assembled(
    scopes: &Scopes,
    edits: SortedMap<usize, Vec<Splice>>,
    imports: &Imports,
    like: &ModulePath,
) -> Result<Vec<(ProjectPath, Splice)>, RelocateFault> {
    let mut texts: SortedMap<usize, String> = SortedMap::new();
    for (file, splices) in edits {
        let text = applied(scopes, file, splices)?;
        texts.insert(file, text);
    }
    if imports.values().any(|it| !it.is_empty()) {
        let now = Scopes::of(&files(scopes, &texts), &scopes.tree.roots);
        let mut added: SortedMap<usize, Vec<Splice>> = SortedMap::new();
        for (module, all) in imports {
            let Some((place, _)) = now.place(module) else { continue };
            let mut all: Vec<(String, NewImport)> = all.iter().cloned().collect();
            let file = now.file(place.file);
            if place.body.is_none() && !preserve::is_test_path(file.path.as_str()) {
                let private = all.iter_mut().filter(|it| it.0.is_empty());
                private.for_each(|(_, import)| import.gate(&file.text));
            }
            let own = placed(&now, module, &all, like);
            added.entry(place.file).or_default().extend(own);
        }
        for (file, splices) in added {
            let text = applied(&now, file, splices)?;
            texts.insert(file, text);
        }
    }
    let mut found = Vec::new();
    for (file, text) in texts {
        let before = scopes.file(file);
        let text = like_before(&before.text, text);
        let edit = TextEdit::diff(&before.text, &text);
        found.extend(edit.splices.into_iter().map(|it| (before.path.clone(), it)));
    }
    Ok(found)
}

/// The files with the changed texts.
fn files(scopes: &Scopes, texts: &SortedMap<usize, String>) -> Vec<(ProjectPath, Arc<str>)> {
    let text = |at: usize| match texts.get(&at) {
        Some(text) => Arc::from(text.as_str()),
        None => Arc::clone(&scopes.file(at).text),
    };
    let all = scopes.tree.files.iter().enumerate();
    all.map(|(at, it)| (it.path.clone(), text(at))).collect()
}

/// The text of a file with edits; the same edit twice is one.
fn applied(
    scopes: &Scopes,
    file: usize,
    mut splices: Vec<Splice>,
) -> Result<String, RelocateFault> {
    let source = scopes.file(file);
    // Nothing goes before the mark of a file.
    if source.text.starts_with(BOM) {
        for span in splices.iter_mut().map(|it| &mut it.span) {
            (span.start, span.end) = (span.start.max(BOM.len_utf8()), span.end.max(BOM.len_utf8()));
        }
    }
    // Insertions at one place keep their order.
    splices.sort_by_key(|it| it.span);
    splices.dedup();
    let line = |idx: usize| {
        let at = splices.get(idx).map_or(0, |it| it.span.start.min(source.text.len()));
        LineIndex::new(&source.text).line_of(at)
    };
    let edit = TextEdit::new(&source.text, &splices).map_err(|fault| match fault {
        SpliceFault::Overlap { first, second } => RelocateFault::EditsMeet {
            path: source.path.clone(),
            first: line(first),
            second: line(second),
        },
        SpliceFault::OutOfRange { idx, .. } | SpliceFault::NotCharBoundary { idx, .. } => {
            RelocateFault::EditPlace { path: source.path.clone(), line: line(idx) }
        }
    })?;
    Ok(edit.apply(&source.text).unwrap_or_else(|| source.text.to_string()))
}

/// The text with the line ends of the text before, if all of those are `\r\n`.
fn like_before(before: &str, text: String) -> String {
    let all = before.matches('\n').count();
    if all == 0 || before.matches("\r\n").count() != all {
        return text;
    }
    text.replace("\r\n", "\n").replace('\n', "\r\n")
}
