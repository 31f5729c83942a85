//! Functions that return another type and of which a new one has the old signature.

use edit::Splice;
use refactor::spelled;
use syntax::places::{Definition, DefinitionKind, PartKind, UseKind, places};

use super::{Confidence, Errors, Propagation, propagation};
use crate::project::Project;
use crate::{Intent, What};

/// The calls that need the old signature: they go to the function that has it now.
pub(super) fn split(
    project: &Project<'_>,
    intent: &Intent,
    all: &[Intent],
    errors: &Errors<'_>,
    found: &mut Vec<Propagation>,
) {
    let What::Retyped { of, at: None, from, to } = &intent.what else { return };
    if of.kind != DefinitionKind::Function {
        return;
    }
    let Some(wanted) = old_parameters(project, intent) else { return };
    for added in all {
        let is_it = matches!(&added.what, What::Added { of: new, ty }
            if new.kind == of.kind && new.owner == of.owner && new.of_trait == of.of_trait && ty == from);
        if !is_it || parameters_now(project, added).as_ref() != Some(&wanted) {
            continue;
        }
        let new = &added.what.of().name;
        let reason = format!("`{new}` returns what `{}` did before it returned `{to}`", of.name);
        let mut change = propagation(reason, Confidence::Likely);
        for marked in errors.marked() {
            if !matches!(marked.error.code.as_deref(), Some("E0277" | "E0308" | "E0599" | "E0610"))
            {
                continue;
            }
            let Some(text) = project.text(marked.path) else { continue };
            let lines = text.lines_around(marked.span);
            let calls = text.places.uses.iter().filter(|it| {
                matches!(it.kind, UseKind::Call | UseKind::MethodCall)
                    && it.name == of.name
                    && lines.contains(it.name_span)
            });
            for call in calls {
                change.seeds.push(marked.seed);
                let splice = Splice { span: call.name_span, insert: new.clone() };
                change.splices.push((text.path.clone(), splice));
            }
        }
        found.push(change);
    }
}

/// The types of the parameters that the intent's function had before.
fn old_parameters(project: &Project<'_>, intent: &Intent) -> Option<Vec<String>> {
    let base = project.difference.get(&intent.path)?.base.as_deref()?;
    types(&places(base).definitions, base, intent)
}

fn parameters_now(project: &Project<'_>, intent: &Intent) -> Option<Vec<String>> {
    let text = project.text(&intent.path)?;
    types(&text.places.definitions, &text.text, intent)
}

fn types(all: &[Definition], text: &str, intent: &Intent) -> Option<Vec<String>> {
    let of = intent.what.of();
    let it = all.iter().find(|it| {
        it.kind == of.kind
            && it.name == of.name
            && it.owner == of.owner
            && it.of_trait == of.of_trait
    })?;
    let kinds = [PartKind::Receiver, PartKind::Parameter];
    let parts = it.parts.iter().filter(|it| kinds.contains(&it.kind));
    Some(parts.map(|it| spelled(it.ty.unwrap_or(it.span).slice(text).unwrap_or(""))).collect())
}
