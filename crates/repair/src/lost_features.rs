//! Reasoner: features of a dependency that the person has taken out of a manifest and that code still needs.

use std::sync::Arc;

use base::{Applicability, Diagnostic, DiagnosticSpan, ProjectPath};
use change::LostFeatures as Lost;
use edit::{Files, TextEdit};

use crate::dependency_features::package_of;
use crate::fix::text_of;
use crate::phase::errors;
use crate::{Fix, Reasoner};

/// For errors about a dependency that has fewer features than at the last good state: its entry of that
/// state, one change for all of them.
pub(crate) struct LostFeatures {
    lost: Arc<[Lost]>,
}

impl LostFeatures {
    pub(crate) fn new(lost: Vec<Lost>) -> Self {
        Self { lost: lost.into() }
    }
}

impl Reasoner for LostFeatures {
    fn name(&self) -> &'static str {
        "lost-features"
    }

    fn propose(&self, diagnostics: &[Diagnostic], files: &dyn Files) -> Vec<Fix> {
        let mut fixes = Vec::new();
        for lost in self.lost.iter() {
            let Some(now) = text_of(files, &lost.manifest) else { continue };
            let splices = TextEdit::diff(&now, &lost.restored).splices;
            let is_alone = self.lost.iter().filter(|it| it.manifest == lost.manifest).count() == 1;
            let is_below = |path: &ProjectPath| {
                let folder = lost.manifest.parent().map(|it| format!("{it}/")).unwrap_or_default();
                path.as_str().starts_with(&folder)
            };
            let about = errors(diagnostics).filter(|(_, error)| {
                let own = error.user_span().and_then(|it| it.place.project());
                // Other packages may not build without the feature either.
                own.is_none_or(is_below) && (is_alone || is_about(error, &lost.package, files))
            });
            let names: Vec<String> = lost.features.iter().map(|it| format!("`{it}`")).collect();
            let word = if names.len() == 1 { "feature" } else { "features" };
            let rationale = format!(
                "enable the {word} {} of `{}` again, as in the last commit",
                names.join(", "),
                lost.package
            );
            fixes.extend(about.map(|(seed, _)| Fix {
                splices: splices.iter().map(|it| (lost.manifest.clone(), it.clone())).collect(),
                rationale: rationale.clone(),
                applicability: Applicability::MaybeIncorrect,
                reasoner: self.name(),
                seed,
                guesses: Vec::new(),
            }));
        }
        fixes.retain(|it| !it.splices.is_empty());
        fixes
    }
}

/// Whether an error is about a package: it names the crate, a place of its sources, or code that does.
fn is_about(error: &Diagnostic, package: &str, files: &dyn Files) -> bool {
    let name = package.replace('-', "_");
    let children = error.children.iter();
    let texts = children.clone().map(|it| it.message.as_str()).chain([error.message.as_str()]);
    let spans = || error.spans.iter().chain(error.children.iter().flat_map(|it| &it.spans));
    let labels = spans().filter_map(|it| it.label.as_deref());
    let mut all = texts.chain(labels);
    let is_there = |span: &DiagnosticSpan| match span.place.project() {
        None => package_of(span.place.as_str()).is_some_and(|it| it == package),
        Some(path) => {
            let line = |text: Arc<str>| {
                base::has_word(change::line_at(&text, span.bytes.start.min(text.len())), &name)
            };
            text_of(files, path).is_some_and(line)
        }
    };
    all.any(|it| base::has_word(it, &name)) || spans().any(is_there)
}

#[cfg(test)]
mod tests {
    use base::{SortedMap, Timestamp};
    use edit::{FileState, Overlay};

    use super::*;
    use crate::InProgress;
    use crate::fake::{FakeError, Tree, path};

    const BEFORE: &str = "[dependencies]\na = { version = \"1\", features = [\"x\"] }\nb = { version = \"1\", features = [\"y\"] }\n";

    /// The manifests that are proposed for the error `unresolved import `a::T`` in this code.
    fn proposed(now: &str, code: &str, marked: &str) -> Vec<String> {
        let manifest = ProjectPath::new("Cargo.toml").unwrap();
        let state = |text: &str| Some(FileState::from_text(text));
        let states = vec![(manifest, state(now), state(BEFORE))];
        let since = change::Difference::since(&Overlay::from_states("t", Timestamp(0), states));
        let reasoner = LostFeatures::new(InProgress::of(since).lost_features());
        let own = path();
        let files = Tree(SortedMap::from([(own.as_str(), code), ("Cargo.toml", now)]));
        let error = FakeError::new("E0432", "unresolved import").at(marked).build(code);
        let found = reasoner.propose(&[error], &files).into_iter().map(|fix| {
            let mut text = now.to_owned();
            for (_, splice) in fix.splices.iter().rev() {
                text.replace_range(splice.span.start..splice.span.end, &splice.insert);
            }
            text
        });
        found.collect()
    }

    #[test]
    fn a_feature_that_the_last_commit_has_is_enabled_again() {
        let now = BEFORE.replace("a = { version = \"1\", features = [\"x\"] }", "a = \"1\"");
        assert_eq!(proposed(&now, "use a::T;\n", "a::«T»"), [BEFORE]);
        // What is missing is not named where it is used.
        assert_eq!(proposed(&now, "fn f() { g.t() }\n", "g.«t»"), [BEFORE]);
        assert_eq!(proposed(BEFORE, "use a::T;\n", "a::«T»"), [""; 0]);
    }

    #[test]
    fn an_error_in_another_package_may_follow_from_the_feature() {
        let now = BEFORE.replace("a = { version = \"1\", features = [\"x\"] }", "a = \"1\"");
        let lost = change::LostFeatures {
            manifest: ProjectPath::new("Cargo.toml").unwrap(),
            package: "a".to_owned(),
            features: vec!["x".to_owned()],
            restored: BEFORE.to_owned(),
        };
        let files = Tree(SortedMap::from([("Cargo.toml", now.as_str())]));
        let error = Diagnostic::new(base::Severity::Error, "cannot find function `y`");
        assert_eq!(LostFeatures::new(vec![lost]).propose(&[error], &files).len(), 1);
    }

    #[test]
    fn of_several_dependencies_the_one_that_the_error_is_about_is_restored() {
        let now = "[dependencies]\na = { version = \"1\" }\nb = { version = \"1\" }\n";
        let of_a = now.replacen("\"1\"", "\"1\", features = [\"x\"]", 1);
        assert_eq!(proposed(now, "use a::T;\n", "a::«T»"), [of_a]);
        assert_eq!(proposed(now, "fn f() { g.t() }\n", "g.«t»"), [""; 0]);
    }
}
