//! Impls that passed every call on to a field and are gone: the field where their type is still used
//! for the trait.

use base::ByteSpan;
use edit::Splice;
use preserve::outline::tokens;
use refactor::InlineFunction;
use refactor::{PlacedText, quoted, spelled};
use syntax::places::{Definition, DefinitionKind, UseKind, places};

use super::removed_body::owners;
use super::{Confidence, Errors, Marked, Propagation, propagation};
use crate::project::{Project, has_word};
use crate::{DefinitionName, Intent, What};

/// For each type that passed the members of a trait on to a field: the field before calls that miss
/// the trait.
pub(super) fn removed_impls(
    project: &Project<'_>,
    intents: &[Intent],
    errors: &Errors<'_>,
) -> Vec<Propagation> {
    let mut found: Vec<Propagation> = Vec::new();
    for intent in intents {
        let What::Removed(of) = &intent.what else { continue };
        let Some(of_trait) = of.of_trait.as_deref() else { continue };
        let base = project.difference.get(&intent.path).and_then(|it| it.base.as_deref());
        let Some(field) = base.and_then(|it| field_of(it, of, of_trait)) else { continue };
        let reason = format!("`{}` passed `{of_trait}` on to its field `{field}`", of.owner);
        if found.iter().any(|it| it.reason == reason) {
            continue;
        }
        let mut change = propagation(reason, Confidence::Likely);
        let owners = owners(of, intents);
        for marked in errors.marked().filter(|it| misses(it, &owners)) {
            let Some(text) = project.text(marked.path) else { continue };
            let way = match text.path == intent.path {
                true => Some(field.clone()),
                false => project.text(&intent.path).and_then(|it| accessor(&it, &owners, &field)),
            };
            if let Some(splice) = way.and_then(|it| before_call(&text, marked.span, &it)) {
                change.seeds.push(marked.seed);
                change.splices.push((text.path.clone(), splice));
            }
        }
        found.push(change);
    }
    found.retain(|it| !it.seeds.is_empty());
    found
}

/// The field to which all functions of the impl pass their call with the same name.
fn field_of(base: &str, of: &DefinitionName, of_trait: &str) -> Option<String> {
    let all = places(base);
    let mut members = all.definitions.iter().filter(|it| {
        it.kind == DefinitionKind::Function
            && it.owner == of.owner
            && it.of_trait.as_deref() == Some(of_trait)
    });
    let mut field: Option<String> = None;
    let is_passed_on = |it: &Definition| {
        let function = it.span.slice(base).and_then(InlineFunction::read)?;
        function.receiver?;
        let list = tokens(&function.body);
        match list.as_slice() {
            [own, dot, to, next, name, open, ..]
                if own.is("self")
                    && dot.is(".")
                    && next.is(".")
                    && name.is(&it.name)
                    && open.is("(")
                    && list.last().is_some_and(|it| it.is(")")) =>
            {
                Some(to.text.to_owned())
            }
            _ => None,
        }
    };
    let is_one = members.all(|it| {
        let to = is_passed_on(it);
        let is_same = to.is_some() && (field.is_none() || field == to);
        field = to;
        is_same
    });
    field.filter(|_| is_one)
}

/// Whether an error misses a method of the type.
fn misses(marked: &Marked<'_>, owners: &[&str]) -> bool {
    let message = &marked.error.message;
    let is_missed = message.contains(" found for ") || message.contains("trait bounds");
    marked.error.code.as_deref() == Some("E0599")
        && is_missed
        && quoted(message).skip(1).any(|it| owners.iter().any(|of| has_word(it, of)))
}

/// A call that returns a reference to the field: `inner()`.
fn accessor(text: &PlacedText, owners: &[&str], field: &str) -> Option<String> {
    let returns = |it: &&Definition| {
        let function = InlineFunction::read(text.slice(it.span));
        it.kind == DefinitionKind::Function
            && owners.contains(&it.owner.as_str())
            && it.of_trait.is_none()
            && function.is_some_and(|it| {
                let body = spelled(&it.body);
                it.parameters.is_empty() && body == spelled(&format!("&mut self.{field}"))
            })
    };
    text.places.definitions.iter().find(returns).map(|it| format!("{}()", it.name))
}

fn before_call(text: &PlacedText, name: ByteSpan, way: &str) -> Option<Splice> {
    let is_call = text
        .uses_around(name)
        .iter()
        .any(|it| it.kind == UseKind::MethodCall && it.name_span == name);
    let span = ByteSpan::new(name.start, name.start);
    is_call.then(|| Splice { span, insert: format!("{way}.") })
}
