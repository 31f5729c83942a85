//! Reasoner: finishes the user's in-progress change, one fix for each intent with all of its places.
//! It comes first. A candidate that reverts the change is a draft.

use std::sync::Arc;

use base::{Applicability, Diagnostic, ProjectPath, SortedMap, Timestamp};
use change::{Confidence, Difference, Intent, What};
use edit::{FileState, Files, Overlay, Splice, TextEdit};
use preserve::Allowed;
use syntax::places::DefinitionKind;

use crate::suggestions::HELPER;
use crate::{Fix, Reasoner};

/// Name of the reasoner that finishes an in-progress change.
pub(crate) const NAME: &str = "intent";

/// The user's in-progress change since the last good state: the difference and its intents.
#[derive(Clone, Debug)]
pub struct InProgress {
    difference: Arc<Difference>,
    intents: Arc<Vec<Intent>>,
    allowed: Arc<Allowed>,
    /// The in-progress change in memory: the errors are those of the tree with it.
    beneath: Arc<Overlay>,
}

impl InProgress {
    /// Reads the intents of a difference.
    pub fn of(difference: Difference) -> Self {
        let intents = Arc::new(change::intents(&difference));
        let mut allowed = change::allowances(&difference, &intents);
        for library in difference.libraries() {
            library.allow(&mut allowed);
        }
        let allowed = Arc::new(allowed);
        Self { difference: Arc::new(difference), intents, allowed, ..Self::default() }
    }

    /// The same, made by `overlay` on the tree and not by the tree: every attempt contains it.
    #[must_use]
    pub fn beneath(mut self, overlay: Overlay) -> Self {
        self.beneath = Arc::new(overlay);
        self
    }

    /// The same with the texts that both sides of a merge began with, of files with conflicts.
    #[must_use]
    pub fn with_merge_bases(mut self, bases: SortedMap<ProjectPath, Arc<str>>) -> Self {
        Arc::make_mut(&mut self.allowed).merge_bases = bases;
        self
    }

    /// The features of dependencies that the change has taken out of manifests.
    pub(crate) fn lost_features(&self) -> Vec<change::LostFeatures> {
        change::lost_features(&self.difference)
    }

    /// The places that the change has left behind in a tree that compiles.
    pub fn left_behind(
        &self,
        warnings: &[Diagnostic],
        files: &[(ProjectPath, Arc<str>)],
    ) -> Vec<change::LeftBehind> {
        change::left_behind(&self.difference, &self.intents, warnings, files)
    }

    /// The places of [`Self::left_behind`] that are calls in examples of the documentation.
    pub fn left_example_calls(&self, files: &[(ProjectPath, Arc<str>)]) -> Vec<change::LeftBehind> {
        change::left_example_calls(&self.difference, &self.intents, files)
    }

    /// The places of [`Self::left_behind`] that these warnings are about.
    pub fn warned(
        &self,
        warnings: &[Diagnostic],
        files: &[(ProjectPath, Arc<str>)],
    ) -> Vec<change::LeftBehind> {
        change::warned(&self.difference, &self.intents, warnings, files)
    }

    /// Whether a feature has another name: where a manifest still has the old one, cargo stops before it
    /// compiles.
    pub fn renames_feature(&self) -> bool {
        change::renames_feature(&self.difference)
    }

    /// The places that the change has left behind in code that no check builds, of a tree that compiles.
    pub fn unbuilt(&self, files: &[(ProjectPath, Arc<str>)]) -> Vec<change::LeftBehind> {
        change::unbuilt(&self.difference, &self.intents, files)
    }

    /// The places of a tree with these errors that the change concerns and that no rule changes.
    pub fn unsettled(&self, errors: &[Diagnostic], files: &dyn Files) -> Vec<change::LeftBehind> {
        change::unsettled(&self.difference, &self.intents, errors, files)
    }

    /// Whether a variant or a field is new.
    pub fn has_new_part(&self) -> bool {
        let is_part = |it: &Intent| match &it.what {
            What::Added { of, .. } => {
                matches!(of.kind, DefinitionKind::Variant | DefinitionKind::Field)
            }
            _ => false,
        };
        self.intents.iter().any(is_part)
    }

    /// Whether a line of a file is as it was before the change.
    pub fn is_old_line(&self, path: &ProjectPath, line: &str) -> bool {
        self.difference.is_old_line(path, line)
    }

    /// The change of the tree that every attempt contains.
    pub(crate) fn overlay(&self) -> &Overlay {
        &self.beneath
    }

    /// The intents, renames first.
    pub fn intents(&self) -> &[Intent] {
        &self.intents
    }

    /// What an attempt changes besides.
    pub(crate) fn rest_of(&self, attempt: &Overlay) -> Overlay {
        self.beneath.invert().compose(attempt).unwrap_or_else(|_| attempt.clone())
    }

    /// What finishing the intents may remove.
    pub fn allowed(&self) -> &Allowed {
        &self.allowed
    }

    /// Whether a last good state is known.
    pub(crate) fn has_base(&self) -> bool {
        !self.difference.is_empty()
    }

    /// The text of a file at the last good state, if it differs now.
    pub(crate) fn base_text(&self, path: &ProjectPath) -> Option<Arc<str>> {
        self.difference.get(path).and_then(|it| it.base.clone())
    }

    /// Whether a change of the present tree reverts or contradicts the in-progress one, given
    /// the errors of that tree. A derive that an attribute asks for reverts nothing: who removes it on
    /// purpose removes its attributes too.
    pub(crate) fn is_reverted_by(&self, overlay: &Overlay, errors: &[Diagnostic]) -> bool {
        let needed = asked_derives(errors);
        let rest = (!needed.is_empty()).then(|| without_derives(overlay, &needed));
        !self.difference.is_empty()
            && (change::reverts(
                &self.difference,
                rest.as_ref().unwrap_or(overlay),
                &self.allowed.merge_bases,
            ) || change::overrules(&self.difference, overlay, errors)
                || !self.beneath.is_empty() && change::rewords(&self.difference, overlay))
    }
}

/// The files in which attributes ask for a derive, with the names of the macros.
fn asked_derives(errors: &[Diagnostic]) -> Vec<(ProjectPath, Vec<String>)> {
    let asked = |error: &Diagnostic| {
        let path = error.primary()?.place.project()?;
        let help = error.children.iter().find(|it| it.message.contains(HELPER))?;
        let macros = help.message.split_once(HELPER)?.1.split(", you might").next()?;
        let names = macros.split('`').skip(1).step_by(2).map(str::to_owned);
        Some((path.clone(), names.collect()))
    };
    errors.iter().filter_map(asked).collect()
}

/// A change without the derives that only have these macros.
fn without_derives(overlay: &Overlay, needed: &[(ProjectPath, Vec<String>)]) -> Overlay {
    let states = overlay.changes().map(|(path, change)| {
        let names = || needed.iter().filter(|it| it.0 == *path).flat_map(|it| &it.1);
        let is_asked = |it: &&Splice| {
            let list = it.insert.trim().strip_prefix("#[derive(");
            let list = list.and_then(|it| it.strip_suffix(")]"));
            it.span.is_empty()
                && list.is_some_and(|it| {
                    it.split(',').all(|name| names().any(|asked| asked == name.trim()))
                })
        };
        let splices = change.edit.splices.iter();
        let kept: Vec<Splice> = splices.filter(|it| !is_asked(it)).cloned().collect();
        let edit = TextEdit::new(change.before_text(), &kept).ok();
        let text = edit.and_then(|it| it.apply(change.before_text()));
        let is_same = kept.len() == change.edit.splices.len() || change.before.is_none();
        let after = match text.filter(|_| !is_same) {
            Some(text) => Some(FileState::from_text(text)),
            None => change.after.clone(),
        };
        (path.clone(), change.before.clone(), after)
    });
    Overlay::from_states("repair", Timestamp(0), states.collect())
}

impl Default for InProgress {
    fn default() -> Self {
        Self {
            difference: Arc::default(),
            intents: Arc::default(),
            allowed: Arc::default(),
            beneath: Arc::new(Overlay::empty()),
        }
    }
}

/// Finishes the change: one fix for each intent, with all places that it concerns.
impl Reasoner for InProgress {
    fn name(&self) -> &'static str {
        NAME
    }

    fn propose(&self, diagnostics: &[Diagnostic], files: &dyn Files) -> Vec<Fix> {
        if self.difference.is_empty() {
            return Vec::new();
        }
        let propagations = change::propagate(&self.difference, &self.intents, diagnostics, files);
        let fixes = propagations.into_iter().flat_map(|it| {
            let fix = Fix {
                splices: it.splices,
                rationale: it.reason,
                applicability: match it.confidence {
                    Confidence::Certain => Applicability::MachineApplicable,
                    Confidence::Likely => Applicability::MaybeIncorrect,
                    Confidence::Guess => Applicability::Unspecified,
                },
                reasoner: NAME,
                seed: 0,
                guesses: it.guesses,
            };
            it.seeds.into_iter().map(move |seed| Fix { seed, ..fix.clone() })
        });
        fixes.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fake::{FakeError, path};

    #[test]
    fn a_derive_that_an_attribute_asks_for_reverts_nothing() {
        let (base, now) = (
            "#[derive(Parser)]\n#[grammar = \"a\"]\nstruct A;\n",
            "#[grammar = \"a\"]\nstruct A;\n",
        );
        let state = |text: &str| Some(FileState::from_text(text));
        let overlay = |from: &str, to: &str| {
            Overlay::from_states("t", Timestamp(0), vec![(path(), state(from), state(to))])
        };
        let in_progress = InProgress::of(Difference::since(&overlay(now, base)));
        let error = FakeError::new("", "cannot find attribute `grammar` in this scope");
        let error = error.at("#[«grammar»");
        let help =
            format!("`grammar` {HELPER} `Parser`, you might be missing a `derive` attribute");
        let asked = error.note(&help, &[]).build(now);
        let plain = FakeError::new("E0425", "cannot find type `Rule`").at("#[«grammar»").build(now);
        let repair = overlay(now, base);
        assert!(in_progress.is_reverted_by(&repair, &[plain]));
        assert!(!in_progress.is_reverted_by(&repair, &[asked]));
    }
}
