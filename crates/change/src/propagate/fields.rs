//! Fields that came and went: struct literals and patterns.

use base::ByteSpan;
use refactor::{ElementList, with_field};
use refactor::{PlacedText, quoted};
use syntax::places::{DefinitionKind, Use, UseKind};

use super::values::{Place, Wanted, need, values};
use super::{Confidence, Errors, Propagation, propagation};
use crate::project::{Project, has_word};
use crate::{DefinitionName, Guess, Intent, What};

/// Most alternatives for the value of a new field.
const MAX_CHOICES: usize = 4;

pub(super) fn fields(
    project: &Project<'_>,
    intent: &Intent,
    errors: &Errors<'_>,
    found: &mut Vec<Propagation>,
) {
    match &intent.what {
        What::Added { of, ty } if of.kind == DefinitionKind::Field => {
            added(project, intent, of, ty, errors, found);
        }
        What::Removed(of) if of.kind == DefinitionKind::Field => {
            removed(project, intent, of, errors, found);
        }
        _ => {}
    }
}

/// Whether a literal or pattern is one of the struct or variant `owner`.
pub(super) fn is_of(it: &Use, owner: &str) -> bool {
    match owner.split_once("::") {
        Some((of, variant)) => {
            it.name == variant && (it.qualifier == of || matches!(&*it.qualifier, "" | "Self"))
        }
        None => it.name == owner || it.name == "Self",
    }
}

fn record_at<'t>(text: &'t PlacedText, span: ByteSpan, owner: &str) -> Option<&'t Use> {
    let around = text.uses_around(span);
    around
        .into_iter()
        .find(|it| matches!(it.kind, UseKind::Literal | UseKind::RecordPattern) && is_of(it, owner))
}

fn removed(
    project: &Project<'_>,
    intent: &Intent,
    of: &DefinitionName,
    errors: &Errors<'_>,
    found: &mut Vec<Propagation>,
) {
    let mut change = propagation(intent.to_string(), Confidence::Certain);
    for marked in errors.marked() {
        if !matches!(marked.error.code.as_deref(), Some("E0560" | "E0559" | "E0026")) {
            continue;
        }
        let Some(text) = project.text(marked.path) else { continue };
        let Some(record) = record_at(&text, marked.span, &of.owner) else { continue };
        let at =
            record.args.iter().position(|it| it.name == of.name && it.span.contains(marked.span));
        if let Some(splice) = at.and_then(|at| ElementList::of(&text.text, record).remove(at)) {
            change.seeds.push(marked.seed);
            change.splices.push((text.path.clone(), splice));
        }
    }
    found.push(change);
}

fn added(
    project: &Project<'_>,
    intent: &Intent,
    of: &DefinitionName,
    ty: &str,
    errors: &Errors<'_>,
    found: &mut Vec<Propagation>,
) {
    let mut choices: Vec<Propagation> = Vec::new();
    for marked in errors.marked() {
        let is_missing = marked.error.code.as_deref() == Some("E0063")
            && quoted(&marked.error.message).any(|it| has_word(it, &of.name));
        let Some(text) = project.text(marked.path).filter(|_| is_missing) else { continue };
        let Some(record) = record_at(&text, marked.span, &of.owner) else { continue };
        if record.kind != UseKind::Literal || record.args.iter().any(|it| it.name == of.name) {
            continue;
        }
        let place = Place {
            text: &text,
            at: record.span.start,
            siblings: record.args.iter().map(|it| text.slice(it.value)).collect(),
            examples: examples(project, of),
        };
        let values = values(project, &place, &Wanted { name: &of.name, ty });
        for nth in 0..MAX_CHOICES {
            let Some(value) = values.get(nth).or(values.first()) else { break };
            if choices.len() <= nth {
                choices.push(propagation(intent.to_string(), value.confidence));
            }
            let choice = &mut choices[nth];
            choice.confidence = choice.confidence.max(value.confidence);
            choice.seeds.push(marked.seed);
            let splice = with_field(&text.text, record, &of.name, &value.text);
            let guess = value.guess.clone();
            let guess = guess.and_then(|it| Guess::of(&text.path, &splice, &value.text, it));
            choice.guesses.extend(
                guess.map(|it| it.for_need(need((project, &text), (&of.name, ty), &values))),
            );
            choice.splices.push((text.path.clone(), splice));
        }
    }
    found.extend(choices);
}

/// Values that other literals have for the field.
fn examples(project: &Project<'_>, of: &DefinitionName) -> Vec<String> {
    let mut found = Vec::new();
    for text in project.near() {
        for it in text.places.uses.iter().filter(|it| it.kind == UseKind::Literal) {
            if is_of(it, &of.owner) {
                let field = it.args.iter().find(|arg| arg.name == of.name);
                found.extend(field.map(|it| text.slice(it.value).to_owned()));
            }
        }
    }
    found
}
