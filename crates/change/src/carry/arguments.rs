//! Parameters that came and went: the arguments of the calls.

use base::ByteSpan;
use edit::Splice;
use syntax::places::{DefinitionKind, Use, UseKind};

use super::values::{Place, Value, Wanted, values};
use super::{Carried, Confidence, Errors, carried};
use crate::list::List;
use crate::project::{Project, Text};
use crate::{Guess, Intent, Named, What};

/// Most alternatives for the values of one change.
const MAX_CHOICES: usize = 4;

/// A parameter that came.
#[derive(Clone)]
struct New {
    at: usize,
    name: String,
    ty: String,
}

/// How the parameters of one function changed.
struct Change<'a> {
    of: &'a Named,
    /// Indices of removed parameters, in the old list.
    gone: Vec<usize>,
    come: Vec<New>,
    /// Number of parameters before.
    before: usize,
    reason: String,
}

pub(super) fn arguments(
    project: &Project<'_>,
    intent: &Intent,
    errors: &Errors<'_>,
    found: &mut Vec<Carried>,
) {
    let change = match &intent.what {
        What::ParameterAdded { of, at, name, ty } => {
            let new = New { at: *at, name: name.clone(), ty: ty.clone() };
            let now = project.parameters(intent).map(|it| it.len());
            let Some(before) = now.and_then(|it| it.checked_sub(1)) else { return };
            let reason = intent.to_string();
            Change { of, gone: Vec::new(), come: vec![new], before, reason }
        }
        What::ParameterRemoved { of, at, count, .. } => {
            let reason = intent.to_string();
            Change { of, gone: vec![*at], come: Vec::new(), before: *count, reason }
        }
        _ => return,
    };
    if change.of.kind == DefinitionKind::Variant || change.of.kind == DefinitionKind::Struct {
        unit_patterns(project, &change, errors, found);
    }
    change.carry(project, errors, found);
}

impl Change<'_> {
    fn carry(&self, project: &Project<'_>, errors: &Errors<'_>, found: &mut Vec<Carried>) {
        let mut sure = carried(self.reason.clone(), Confidence::Certain);
        let mut choices: Vec<Carried> = Vec::new();
        for marked in errors.marked() {
            let Some(text) = project.text(marked.path) else { continue };
            let Some((call, offset)) = self.call_at(&text, marked.span) else { continue };
            let removed = self.removals(&text, call, offset);
            if self.come.is_empty() {
                sure.seeds.push(marked.seed);
                sure.splices.extend(removed.into_iter().map(|it| (text.path.clone(), it)));
                continue;
            }
            let values = self.values(project, &text, call, offset);
            for nth in 0..MAX_CHOICES {
                let Some(value) = values.get(nth).or(values.first()) else { break };
                if choices.len() <= nth {
                    choices.push(carried(self.reason.clone(), value.confidence));
                }
                let choice = &mut choices[nth];
                choice.confidence = choice.confidence.max(value.confidence);
                choice.seeds.push(marked.seed);
                let at = self.come[0].at + offset;
                let splice = List::of(&text.text, call).insert(at, &value.text);
                let guess = value.guess.clone();
                choice
                    .guesses
                    .extend(guess.and_then(|it| Guess::of(&text.path, &splice, &value.text, it)));
                choice.splices.push((text.path.clone(), splice));
            }
        }
        found.push(sure);
        found.extend(choices);
    }

    /// The call of the function around a marked span that still has the old number of arguments,
    /// and how many arguments precede those of the parameters.
    fn call_at<'t>(&self, text: &'t Text, span: ByteSpan) -> Option<(&'t Use, usize)> {
        let kinds = [UseKind::Call, UseKind::MethodCall, UseKind::TuplePattern];
        let around = text.uses_around(span);
        let call = around.into_iter().find(|it| kinds.contains(&it.kind) && self.is_called(it))?;
        let offset = call.args.len().checked_sub(self.before)?;
        let is_possible = match call.kind {
            // `Type::method(&value, …)`.
            UseKind::Call => offset == 0 || (offset == 1 && !call.qualifier.is_empty()),
            _ => offset == 0 && !call.has_rest,
        };
        is_possible.then_some((call, offset))
    }

    fn is_called(&self, it: &Use) -> bool {
        it.name == self.of.name || (it.name == "Self" && it.qualifier.is_empty())
    }

    fn removals(&self, text: &Text, call: &Use, offset: usize) -> Vec<Splice> {
        let list = List::of(&text.text, call);
        self.gone.iter().filter_map(|at| list.remove(at + offset)).collect()
    }

    fn values(&self, project: &Project<'_>, text: &Text, call: &Use, offset: usize) -> Vec<Value> {
        let Some(new) = self.come.first() else { return Vec::new() };
        if call.kind == UseKind::TuplePattern {
            let text = "_".to_owned();
            return vec![Value { text, confidence: Confidence::Likely, guess: None }];
        }
        let place = Place {
            text,
            at: call.span.start,
            siblings: call.args.iter().map(|it| text.slice(it.value)).collect(),
            examples: self.examples(project, new, offset),
        };
        values(project, &place, &Wanted { name: &new.name, ty: &new.ty })
    }

    /// What calls in the changed files pass already.
    fn examples(&self, project: &Project<'_>, new: &New, offset: usize) -> Vec<String> {
        let mut found = Vec::new();
        for text in project.near() {
            for it in &text.places.uses {
                let is_call = matches!(it.kind, UseKind::Call | UseKind::MethodCall);
                let is_full = it.args.len() == self.before + 1 + offset;
                if is_call && is_full && self.is_called(it) {
                    let value = it.args.get(new.at + offset);
                    found.extend(value.map(|it| text.slice(it.value).to_owned()));
                }
            }
        }
        found
    }
}

/// A unit variant in a pattern that has parts now.
fn unit_patterns(
    project: &Project<'_>,
    change: &Change<'_>,
    errors: &Errors<'_>,
    found: &mut Vec<Carried>,
) {
    if change.before > 0 {
        return;
    }
    let mut patterns = carried(change.reason.clone(), Confidence::Certain);
    for marked in errors.marked() {
        if !matches!(marked.error.code.as_deref(), Some("E0532" | "E0533")) {
            continue;
        }
        let Some(text) = project.text(marked.path) else { continue };
        if text.slice(marked.span).rsplit("::").next() == Some(change.of.name.as_str()) {
            let span = ByteSpan::new(marked.span.end, marked.span.end);
            patterns.seeds.push(marked.seed);
            patterns.splices.push((text.path.clone(), Splice { span, insert: "(..)".to_owned() }));
        }
    }
    found.push(patterns);
}
