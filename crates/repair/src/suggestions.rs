use std::collections::BTreeMap;
use std::sync::Arc;

use base::{Diagnostic, ProjectPath, Replacement};
use edit::{Files, Splice};

use crate::{Fix, Reasoner};

/// rustc's and clippy's own suggestions: every applicability, alternatives split.
///
/// The compiler's JSON lists the replacements of all alternatives of one suggestion in one row:
/// alternative by alternative, each in the order of its places. Taken together they contradict
/// each other, so the row is cut wherever a place does not lie behind the one before it.
pub struct CompilerSuggestions;

impl Reasoner for CompilerSuggestions {
    fn name(&self) -> &'static str {
        "compiler"
    }

    fn propose(&self, diagnostics: &[Diagnostic], files: &dyn Files) -> Vec<Fix> {
        let mut texts = Texts { files, read: BTreeMap::new() };
        let mut fixes: Vec<Fix> = Vec::new();
        for (seed, diagnostic) in diagnostics.iter().enumerate() {
            let first_of_seed = fixes.len();
            for child in &diagnostic.children {
                for alternative in split_alternatives(&child.replacements) {
                    let Some(splices) = texts.splices(alternative) else { continue };
                    let rationale = if child.message.trim().is_empty() {
                        &diagnostic.message
                    } else {
                        &child.message
                    };
                    let fix = Fix {
                        splices,
                        rationale: rationale.clone(),
                        applicability: weakest(alternative),
                        reasoner: self.name(),
                        seed,
                    };
                    for fix in narrower_visibility(&fix).into_iter().chain([fix]) {
                        if !fixes[first_of_seed..].iter().any(|it| it.splices == fix.splices) {
                            fixes.push(fix);
                        }
                    }
                }
            }
            fixes[first_of_seed..].sort_by_key(|fix| fix.applicability);
        }
        fixes
    }
}

/// Cuts the row of replacements into alternatives. A replacement opens a new one when it names
/// another applicability or a place that is not behind the last one of the same file.
pub(crate) fn split_alternatives(replacements: &[Replacement]) -> Vec<&[Replacement]> {
    let mut alternatives = Vec::new();
    let mut start = 0;
    for idx in 1..replacements.len() {
        let new = &replacements[idx];
        let opens = replacements[start..idx].iter().any(|old| {
            old.applicability != new.applicability
                || (old.place == new.place
                    && (new.bytes.start < old.bytes.end || new.bytes == old.bytes))
        });
        if opens {
            alternatives.push(&replacements[start..idx]);
            start = idx;
        }
    }
    if start < replacements.len() {
        alternatives.push(&replacements[start..]);
    }
    alternatives
}

fn weakest(alternative: &[Replacement]) -> base::Applicability {
    alternative.iter().map(|it| it.applicability).max().unwrap_or(base::Applicability::Unspecified)
}

/// Where the compiler offers `pub`, less may do: the same fix with `pub(crate)`.
fn narrower_visibility(fix: &Fix) -> Option<Fix> {
    let widens = |text: &str| text.trim() == "pub";
    if !fix.splices.iter().any(|(_, splice)| widens(&splice.insert)) {
        return None;
    }
    let mut narrower = fix.clone();
    for (_, splice) in &mut narrower.splices {
        if widens(&splice.insert) {
            splice.insert = splice.insert.replacen("pub", "pub(crate)", 1);
        }
    }
    narrower.rationale.push_str(" (inside the crate)");
    Some(narrower)
}

/// The texts that splices are placed in, each read once.
struct Texts<'a> {
    files: &'a dyn Files,
    read: BTreeMap<ProjectPath, Option<Arc<str>>>,
}

impl Texts<'_> {
    fn text(&mut self, path: &ProjectPath) -> Option<Arc<str>> {
        if let Some(text) = self.read.get(path) {
            return text.clone();
        }
        // A file that is gone or unreadable takes no fix; the proof names the trouble.
        let text = self.files.read(path).ok().flatten().map(|state| state.text);
        self.read.insert(path.clone(), text.clone());
        text
    }

    /// The alternative as splices; `None` when a part of it is not the user's to edit, does not
    /// fit the text, or when nothing would change.
    fn splices(&mut self, alternative: &[Replacement]) -> Option<Vec<(ProjectPath, Splice)>> {
        let mut splices = Vec::with_capacity(alternative.len());
        for replacement in alternative {
            if replacement.from_expansion {
                return None;
            }
            let path = replacement.place.project()?;
            let text = self.text(path)?;
            let old = replacement.bytes.slice(&text)?;
            // The compiler writes `\n`; a file keeps its own line endings.
            let insert = if replacement.text.contains('\n') && is_crlf(&text) {
                replacement.text.replace("\r\n", "\n").replace('\n', "\r\n")
            } else {
                replacement.text.clone()
            };
            if old != insert {
                splices.push((path.clone(), Splice { span: replacement.bytes, insert }));
            }
        }
        splices.sort_by(|(a, x), (b, y)| a.cmp(b).then(x.span.cmp(&y.span)));
        (!splices.is_empty()).then_some(splices)
    }
}

fn is_crlf(text: &str) -> bool {
    text.find('\n').is_some_and(|at| at > 0 && text.as_bytes()[at - 1] == b'\r')
}
