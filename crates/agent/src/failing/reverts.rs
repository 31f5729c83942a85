//! What the user has changed since the last commit: the strongest candidates, and never applied without
//! the user's choice, since they revert the user's own work.

use std::sync::Arc;

use base::{LineIndex, ProjectPath, SortedMap, Timestamp};
use edit::{FileState, Overlay};
use repair::Attempt;

use super::{AUTHOR, Failing};

/// Maximum number of single changes that are reverted.
const HUNKS: usize = 6;
/// The first id of the attempts that revert something: before all others.
const FIRST: usize = 0;

/// The lines of the tree that differ from the last commit, by file.
pub(super) fn changed_lines(back: Option<&Overlay>) -> SortedMap<ProjectPath, Vec<u32>> {
    let mut found = SortedMap::new();
    for (path, change) in back.into_iter().flat_map(Overlay::changes) {
        let text = change.before_text();
        let index = LineIndex::new(text);
        let mut lines: Vec<u32> = Vec::new();
        for splice in &change.edit.splices {
            let last = splice.span.end.max(splice.span.start + 1) - 1;
            lines.extend(index.line_of(splice.span.start)..=index.line_of(last));
        }
        lines.sort_unstable();
        lines.dedup();
        found.insert(path.clone(), lines);
    }
    found
}

/// Each change since the last commit reverted by itself, and all of a file; no change of tests.
pub(super) fn attempts(
    back: Option<&Overlay>,
    texts: &SortedMap<ProjectPath, Arc<str>>,
) -> Vec<Attempt> {
    let mut found: Vec<Attempt> = Vec::new();
    let changes = back.into_iter().flat_map(Overlay::changes);
    for (path, change) in changes {
        // A new or a removed file is not one hunk of code.
        let (Some(before), Some(after)) = (&change.before, &change.after) else { continue };
        if !texts.contains_key(path) {
            continue;
        }
        let hunks = &change.edit.splices;
        let mut texts: Vec<(String, String)> = Vec::new();
        for hunk in hunks {
            let edit = edit::TextEdit::new(&before.text, std::slice::from_ref(hunk));
            let line = LineIndex::new(&before.text).line_of(hunk.span.start);
            let text = edit.ok().and_then(|it| it.apply(&before.text));
            texts.extend(text.map(|it| (it, format!("reverts your change at {path}:{line}"))));
        }
        if hunks.len() > 1 {
            texts.push((after.text.to_string(), format!("reverts your changes of {path}")));
        }
        for (text, rationale) in texts {
            let is_new = found.len() < HUNKS && touches_code(&before.text, &text);
            if !is_new {
                continue;
            }
            let state = FileState { text: text.into(), executable: before.executable };
            let states = vec![(path.clone(), Some(before.clone()), Some(state))];
            let overlay = Overlay::from_states(AUTHOR, Timestamp(0), states);
            let mut attempt = Failing::attempt(FIRST + found.len(), overlay, rationale);
            attempt.reverts = true;
            found.push(attempt);
        }
    }
    found
}

/// Whether the code outside of tests differs, and that of tests does not.
fn touches_code(before: &str, after: &str) -> bool {
    let parts = |text: &str| {
        let file = syntax::parse(text);
        let is_outer = |it: &&syntax::Item| {
            it.is_test && it.parent.and_then(|nth| file.items.get(nth)).is_none_or(|it| !it.is_test)
        };
        let spans: Vec<_> = file.items.iter().filter(is_outer).map(|it| it.span).collect();
        let tests: Vec<String> =
            spans.iter().filter_map(|it| it.slice(text)).map(str::to_owned).collect();
        let mut code = String::new();
        let mut at = 0;
        for span in spans {
            code.push_str(text.get(at..span.start).unwrap_or_default());
            at = span.end.max(at);
        }
        code.push_str(text.get(at..).unwrap_or_default());
        (syntax::token_hash_of(&code), tests)
    };
    let ((before, tests_before), (after, tests_after)) = (parts(before), parts(after));
    before != after && tests_before == tests_after
}
