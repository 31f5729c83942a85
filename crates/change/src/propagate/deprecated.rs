//! Deprecated names that the project denies: the successor that the note names.

use base::{ByteSpan, SortedMap};
use edit::Splice;
use preserve::outline::tokens;
use refactor::quoted;

use super::{Confidence, Errors, Propagation, propagation};
use crate::library::notes;
use crate::project::Project;

/// The lint.
const CODE: &str = "deprecated";

/// The renames that notes ask for, each with all places.
pub(super) fn deprecated(project: &Project<'_>, errors: &Errors<'_>) -> Vec<Propagation> {
    let mut found: SortedMap<(String, String), Propagation> = SortedMap::new();
    for marked in errors.marked().filter(|it| it.error.code.as_deref() == Some(CODE)) {
        // `use of deprecated function `a::old`: renamed to `new``.
        let message = &marked.error.message;
        let Some(path) = quoted(message).next() else { continue };
        let Some((_, note)) = message.split_once("`: ") else { continue };
        let old = path.split('<').next().unwrap_or(path).rsplit("::").next().unwrap_or(path);
        let Some(text) = project.text(marked.path) else { continue };
        let slice = text.slice(marked.span);
        let mut places = tokens(slice).into_iter().filter(|it| it.text == old);
        let Some(place) = places.next_back() else { continue };
        let start = marked.span.start + place.span.start;
        let span = ByteSpan::new(start, start + old.len());
        for name in notes::names(note) {
            let new = name.rsplit("::").next().unwrap_or(&name).to_owned();
            let is_known = project.difference.libraries().iter().any(|it| it.has_name(&new));
            if new == old || !is_known {
                continue;
            }
            let change = found.entry((old.to_owned(), new.clone())).or_insert_with(|| {
                propagation(format!("`{path}` is deprecated: {note}"), Confidence::Certain)
            });
            change.seeds.push(marked.seed);
            change.splices.push((marked.path.clone(), Splice { span, insert: new }));
        }
    }
    found.into_values().collect()
}
