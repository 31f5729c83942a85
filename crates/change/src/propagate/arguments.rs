//! Parameters that came and went: the arguments of the calls.

use base::ByteSpan;
use edit::Splice;
use refactor::ElementList;
use refactor::PlacedText;
use syntax::places::{DefinitionKind, Use, UseKind};

use super::former_values::former_value;
use super::named_parts::has_names;
use super::values::{Place, Value, Wanted, need, values};
use super::{Confidence, Errors, Propagation, propagation};
use crate::project::Project;
use crate::{DefinitionName, Guess, Intent, What};

/// Most alternatives for the values of one change.
const MAX_CHOICES: usize = 4;

/// A parameter that came.
#[derive(Clone)]
struct New {
    at: usize,
    name: String,
    ty: String,
    /// Index of the removed one with its name: it has moved, and its argument moves with it.
    from: Option<usize>,
}

/// How the parameters of one function changed.
struct Change<'a> {
    of: &'a DefinitionName,
    /// Indices of removed parameters, in the old list.
    gone: Vec<usize>,
    /// Added ones by their indices in the new list.
    come: Vec<New>,
    /// Number of parameters before.
    before: usize,
    reason: String,
    /// The first intent of the list.
    intent: &'a Intent,
}

/// What follows from the parameters of one function, whose first intent of all is `intent`.
pub(super) fn arguments(
    project: &Project<'_>,
    intent: &Intent,
    all: &[Intent],
    errors: &Errors<'_>,
    found: &mut Vec<Propagation>,
) {
    let Some(change) = Change::of(project, intent, all) else { return };
    if has_names(change.of, all) {
        return;
    }
    if change.of.kind == DefinitionKind::Variant || change.of.kind == DefinitionKind::Struct {
        unit_patterns(project, &change, errors, found);
    }
    change.propagate(project, errors, found);
}

impl<'a> Change<'a> {
    /// All that came and went in the list of `intent`; `None` if another intent of it comes first.
    fn of(project: &Project<'_>, intent: &'a Intent, all: &[Intent]) -> Option<Self> {
        let is_about = |it: &&Intent| {
            let is_list =
                matches!(it.what, What::ParameterAdded { .. } | What::ParameterRemoved { .. });
            is_list
                && (&it.path, it.line, it.what.of())
                    == (&intent.path, intent.line, intent.what.of())
        };
        let mut own: Vec<&Intent> = all.iter().filter(is_about).collect();
        if own.is_empty() && is_about(&intent) {
            own.push(intent);
        }
        if own.first().is_none_or(|it| it.what != intent.what) {
            return None;
        }
        let (mut gone, mut come, mut before) = (Vec::new(), Vec::new(), None);
        let (mut lost, mut new) = (Vec::new(), Vec::new());
        for it in &own {
            match &it.what {
                What::ParameterAdded { at, name, ty, .. } => {
                    come.push(New { at: *at, name: name.clone(), ty: ty.clone(), from: None });
                    new.push(format!("`{name}: {ty}`"));
                }
                What::ParameterRemoved { at, count, name, .. } => {
                    gone.push(*at);
                    before = Some(*count);
                    lost.push((name.as_str(), *at));
                }
                _ => {}
            }
        }
        gone.sort_unstable();
        come.sort_by_key(|it| it.at);
        for it in &mut come {
            let same = lost.iter().find(|lost| !lost.0.is_empty() && lost.0 == it.name);
            it.from = same.map(|lost| lost.1);
        }
        let is_order = come.len() == lost.len() && come.iter().all(|it| it.from.is_some());
        let lost: Vec<String> = lost.iter().map(|it| format!("`{}`", it.0)).collect();
        let now = || project.parameters(intent)?.len().checked_sub(come.len());
        let before = before.or_else(now)?;
        let of = intent.what.of();
        let reason = match (own.len(), lost.is_empty(), new.is_empty()) {
            (1, ..) => intent.to_string(),
            _ if is_order => format!("{of} has its parameters in another order"),
            (_, false, true) => format!("{of} has lost the parameters {}", lost.join(", ")),
            (_, true, _) => format!("{of} has the new parameters {}", new.join(", ")),
            _ => format!("{of} has {} instead of {}", new.join(", "), lost.join(", ")),
        };
        Some(Self { of, gone, come, before, reason, intent })
    }
}

impl Change<'_> {
    fn propagate(&self, project: &Project<'_>, errors: &Errors<'_>, found: &mut Vec<Propagation>) {
        let mut sure = propagation(self.reason.clone(), Confidence::Certain);
        let mut choices: Vec<Propagation> = Vec::new();
        for marked in errors.marked() {
            let Some(text) = project.text(marked.path) else { continue };
            let Some((call, offset)) = self.call_at(&text, marked.span) else { continue };
            let list = ElementList::of(&text.text, call);
            let gone: Vec<usize> = self.gone.iter().map(|at| at + offset).collect();
            if self.come.is_empty() {
                sure.seeds.push(marked.seed);
                let removed = list.remove_all(&gone);
                sure.splices.extend(removed.into_iter().map(|it| (text.path.clone(), it)));
                continue;
            }
            let values: Vec<Vec<Value>> =
                self.come.iter().map(|it| self.values(project, &text, call, it, offset)).collect();
            for nth in 0..MAX_CHOICES {
                let chosen = values.iter().map(|it| it.get(nth).or(it.first()));
                let Some(chosen) = chosen.collect::<Option<Vec<&Value>>>() else { break };
                let Some((splice, places)) = self.inserted(&list, &gone, &chosen, offset) else {
                    break;
                };
                let confidence = chosen.iter().map(|it| it.confidence).max();
                let confidence = confidence.unwrap_or(Confidence::Guess);
                if choices.len() <= nth {
                    choices.push(propagation(self.reason.clone(), confidence));
                }
                let choice = &mut choices[nth];
                choice.confidence = choice.confidence.max(confidence);
                choice.seeds.push(marked.seed);
                let parts = chosen.iter().zip(places).enumerate();
                let guesses = parts.filter_map(|(at, (value, part))| {
                    let (path, kind) = (text.path.clone(), value.guess.clone()?);
                    let new = self.come.get(at)?;
                    let need = Some(need((project, &text), (&new.name, &new.ty), values.get(at)?));
                    Some(Guess { path, splice: splice.span, part, kind, need })
                });
                choice.guesses.extend(guesses);
                choice.splices.push((text.path.clone(), splice));
            }
        }
        found.push(sure);
        found.extend(choices);
    }

    /// The call of the function around a marked span that still has the old number of arguments,
    /// and how many arguments precede those of the parameters.
    fn call_at<'t>(&self, text: &'t PlacedText, span: ByteSpan) -> Option<(&'t Use, usize)> {
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

    /// The list with these values for what came, without what went; and where they are in the text.
    fn inserted(
        &self,
        list: &ElementList<'_>,
        gone: &[usize],
        values: &[&Value],
        offset: usize,
    ) -> Option<(Splice, Vec<ByteSpan>)> {
        let come: Vec<(usize, &str)> = self
            .come
            .iter()
            .zip(values)
            .map(|(new, value)| (new.at + offset, value.text.as_str()))
            .collect();
        let ([(at, value)], []) = (come.as_slice(), gone) else {
            return list.changed(gone, &come);
        };
        let splice = list.insert(*at, value);
        let start = splice.insert.rfind(value)?;
        Some((splice, vec![ByteSpan::new(start, start + value.len())]))
    }

    fn values(
        &self,
        project: &Project<'_>,
        text: &PlacedText,
        call: &Use,
        new: &New,
        offset: usize,
    ) -> Vec<Value> {
        if call.kind == UseKind::TuplePattern {
            let text = "_".to_owned();
            return vec![Value::sure(text)];
        }
        let place = Place {
            text,
            at: call.span.start,
            siblings: call.args.iter().map(|it| text.slice(it.value)).collect(),
            examples: self.examples(project, new, offset),
        };
        let moved = new.from.and_then(|it| call.args.get(it + offset));
        if let Some(moved) = moved {
            let text = text.slice(moved.value).to_owned();
            return vec![Value::sure(text)];
        }
        let former = former_value(project, self.intent, &new.name, &new.ty);
        let others = values(project, &place, &Wanted { name: &new.name, ty: &new.ty });
        let mut found: Vec<Value> = former.into_iter().chain(others).collect();
        if found.is_empty() {
            // A draft with a hole shows the places at least.
            found.push(Value::hole());
        }
        found
    }

    /// What calls in the changed files pass already.
    fn examples(&self, project: &Project<'_>, new: &New, offset: usize) -> Vec<String> {
        let mut found = Vec::new();
        for text in project.near() {
            for it in &text.places.uses {
                let is_call = matches!(it.kind, UseKind::Call | UseKind::MethodCall);
                let now = (self.before + self.come.len()).saturating_sub(self.gone.len());
                let is_full = it.args.len() == now + offset;
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
    found: &mut Vec<Propagation>,
) {
    if change.before > 0 {
        return;
    }
    let mut patterns = propagation(change.reason.clone(), Confidence::Certain);
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
