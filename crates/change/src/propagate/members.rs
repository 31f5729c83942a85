//! Members that a trait has lost: the same in its impls.

use edit::Splice;
use refactor::{quoted, whole_lines};
use syntax::places::DefinitionKind;

use super::constants::has_turned;
use super::{Confidence, Errors, Propagation, propagation};
use crate::project::{Project, has_word};
use crate::{Intent, What};

/// A member that was removed from a trait, or from one impl of a trait that is not the project's own:
/// the compiler reports it in each impl that still has it.
pub(super) fn members(
    project: &Project<'_>,
    intent: &Intent,
    all: &[Intent],
    errors: &Errors<'_>,
    found: &mut Vec<Propagation>,
) {
    use DefinitionKind as K;
    let What::Removed(of) = &intent.what else { return };
    if of.owner.is_empty() || !matches!(of.kind, K::Function | K::Const | K::TypeAlias) {
        return;
    }
    if has_turned(all, intent) {
        return;
    }
    let (of_trait, confidence) = match &of.of_trait {
        Some(of_trait) => (of_trait, Confidence::Likely),
        None => (&of.owner, Confidence::Certain),
    };
    let mut change = propagation(intent.to_string(), confidence);
    for marked in errors.marked() {
        let message = &marked.error.message;
        let names = |name: &str| quoted(message).any(|it| has_word(it, name));
        let is_it = matches!(marked.error.code.as_deref(), Some("E0407" | "E0437" | "E0438"))
            && names(&of.name)
            && names(of_trait);
        let Some(text) = project.text(marked.path).filter(|_| is_it) else { continue };
        let member = text.places.definitions.iter().find(|it| {
            it.kind == of.kind
                && it.name == of.name
                && it.of_trait.as_deref() == Some(of_trait)
                && (it.span.contains(marked.span) || marked.span.contains(it.span))
        });
        if let Some(member) = member {
            let span = whole_lines(&text.text, member.span);
            change.seeds.push(marked.seed);
            change.splices.push((text.path.clone(), Splice { span, insert: String::new() }));
        }
    }
    found.push(change);
}
