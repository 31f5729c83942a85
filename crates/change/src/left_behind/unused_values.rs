//! Calls of a function that has become fallible whose value nothing uses. They compile, and a failure is
//! lost: `?` follows where the caller can pass it on.

use std::sync::Arc;

use base::{Diagnostic, ProjectPath, SortedMap};
use edit::{FileState, Files, Unreadable};

use super::{LeftBehind, Tree};
use crate::Intent;
use crate::project::Project;
use crate::propagate::{UnusedFate, has_become_fallible, unused_calls};

/// Why a call that compiles may be wrong.
pub(super) const LOST_FAILURE: &str = "it compiles, and a failure is lost";

/// Why a call that no check covers may be wrong.
const UNBUILT: &str = "no check covers it, and a failure is lost";

/// Whether the reason for which a place is unproven is that a call loses a failure.
pub fn is_lost_failure(unproven: &str) -> bool {
    [LOST_FAILURE, UNBUILT].contains(&unproven)
}

/// The Rust texts of a tree as files.
struct Texts<'a>(SortedMap<&'a ProjectPath, &'a Arc<str>>);

impl Files for Texts<'_> {
    fn read(&self, path: &ProjectPath) -> Result<Option<FileState>, Unreadable> {
        Ok(self.0.get(path).map(|it| FileState::from_text(Arc::clone(it))))
    }
}

/// The calls that lose a failure since the change, each with its edit or the reason for none.
pub(super) fn unused_values(
    tree: &Tree<'_>,
    intents: &[Intent],
    warnings: &[Diagnostic],
) -> Vec<LeftBehind> {
    let mut turned = intents.iter().filter(|it| has_become_fallible(it)).peekable();
    let mut found: Vec<LeftBehind> = Vec::new();
    if turned.peek().is_none() {
        return found;
    }
    let files = Texts(tree.sources.iter().map(|(path, text)| (path, text)).collect());
    let project = Project::new(tree.difference, warnings, &files);
    for intent in turned {
        let name = &intent.what.of().name;
        for call in unused_calls(&project, intent, warnings) {
            let Some(text) = tree.rust.iter().find(|it| it.path == call.path) else { continue };
            if !tree.is_old(&text.path, &text.text, call.span.start) {
                continue;
            }
            let (what, splice, unproven) = match call.fate {
                UnusedFate::Passed(splice) => {
                    let what = format!("the failure of `{name}` is not passed on");
                    (what, Some(splice), Some(LOST_FAILURE))
                }
                UnusedFate::Refused(what) => (what, None, Some(LOST_FAILURE)),
                UnusedFate::Unproven(what) => (what, None, Some(UNBUILT)),
                UnusedFate::Ignored(by) => {
                    (format!("`{by}` ignores the failure of `{name}`"), None, None)
                }
            };
            let remark = tree.remark(&text.path, &text.text, call.span.start, intent);
            found.push(LeftBehind { what, splice, unproven, ..remark });
        }
    }
    found.sort_by(LeftBehind::cmp_place);
    // A method of a trait has an intent for each impl.
    found.dedup_by(|a, b| {
        (&a.path, a.line, &a.what, &a.splice) == (&b.path, b.line, &b.what, &b.splice)
    });
    found
}
