//! Functions that have moved to another type, into a type or out of one: their calls.

use base::ByteSpan;
use edit::Splice;
use preserve::outline::tokens;
use refactor::{PlacedText, quoted, spelled};
use syntax::places::{Definition, DefinitionKind, PartKind, Use, UseKind, places};

use super::values::{core, fields_of};
use super::{Confidence, Errors, Marked, Propagation, propagation};
use crate::pairs::{Located, alike};
use crate::project::{Project, has_word};
use crate::{Intent, What};

/// Least likeness of a function to the one that it was.
const LEAST: f64 = 0.5;

/// A function with another owner.
struct Move<'a> {
    name: &'a str,
    /// The type that it was a member of; empty for none.
    from: &'a str,
    to: &'a str,
    /// Receiver that it has now.
    receiver: Option<String>,
    /// Type of its first parameter now.
    first: String,
}

/// The calls of functions that one type has lost and another one, or a module, has got.
pub(super) fn moved(
    project: &Project<'_>,
    all: &[Intent],
    errors: &Errors<'_>,
) -> Vec<Propagation> {
    let mut found = Vec::new();
    for it in all {
        let What::Removed(of) = &it.what else { continue };
        if of.kind != DefinitionKind::Function || of.of_trait.is_some() {
            continue;
        }
        let misses = |it: Marked<'_>| quoted(&it.error.message).any(|it| has_word(it, &of.name));
        if !errors.marked().any(misses) {
            continue;
        }
        let Some(it) = new_place(project, all, it) else { continue };
        found.extend(it.propagate(project, errors));
    }
    found
}

/// Whether a function that is gone is a member of another type, or of none, now.
pub(super) fn has_moved(project: &Project<'_>, all: &[Intent], gone: &Intent) -> bool {
    new_place(project, all, gone).is_some()
}

/// The only new function with the name of one that is gone and with another owner, if it is like it.
fn new_place<'a>(project: &Project<'_>, all: &'a [Intent], gone: &'a Intent) -> Option<Move<'a>> {
    let of = gone.what.of();
    let mut same = all.iter().filter(|other| {
        matches!(&other.what, What::Added { of: new, .. } if new.kind == of.kind
            && new.name == of.name && new.of_trait.is_none() && new.owner != of.owner)
    });
    let new = same.next().filter(|_| of.of_trait.is_none())?;
    let is_only = same.next().is_none();
    is_only.then(|| Move::of(project, gone, new)).flatten()
}

/// The function of an intent among these definitions.
fn function<'d>(all: &'d [Definition], intent: &Intent) -> Option<&'d Definition> {
    let of = intent.what.of();
    all.iter().find(|it| {
        it.kind == of.kind && it.name == of.name && it.owner == of.owner && it.of_trait.is_none()
    })
}

impl<'a> Move<'a> {
    /// `None` if the two functions are not alike.
    fn of(project: &Project<'_>, gone: &'a Intent, new: &'a Intent) -> Option<Self> {
        let text = project.text(&new.path)?;
        let now = function(&text.places.definitions, new)?;
        let base = project.difference.get(&gone.path)?.base.as_deref()?;
        let all = places(base).definitions;
        let was = function(&all, gone)?;
        let was = Located { path: &gone.path, text: base, definition: was };
        let is = Located { path: &new.path, text: &text.text, definition: now };
        if alike(&was, &is) < LEAST {
            return None;
        }
        let part = |kind: PartKind| now.parts.iter().find(|it| it.kind == kind);
        let first = part(PartKind::Parameter).and_then(|it| it.ty);
        Some(Self {
            name: &gone.what.of().name,
            from: &gone.what.of().owner,
            to: &new.what.of().owner,
            receiver: part(PartKind::Receiver).map(|it| text.slice(it.span).to_owned()),
            first: first.map_or_else(String::new, |it| spelled(text.slice(it))),
        })
    }

    fn reason(&self) -> String {
        let at = |owner: &str| match owner {
            "" => format!("the function `{}`", self.name),
            owner => format!("`{owner}::{}`", self.name),
        };
        format!("{} is {} now", at(self.from), at(self.to))
    }

    fn propagate(&self, project: &Project<'_>, errors: &Errors<'_>) -> Vec<Propagation> {
        let mut choices: Vec<Propagation> = Vec::new();
        for marked in errors.marked() {
            let Some(text) = project.text(marked.path) else { continue };
            if !self.is_missed(&marked, &text) {
                continue;
            }
            let around = text.uses_around(marked.span);
            let is_call = |it: &&&Use| {
                matches!(it.kind, UseKind::Call | UseKind::MethodCall)
                    && it.name_span == marked.span
            };
            let Some(call) = around.iter().find(is_call) else { continue };
            for (nth, splices) in self.rewrites(project, &text, call).into_iter().enumerate() {
                if choices.len() <= nth {
                    choices.push(propagation(self.reason(), Confidence::Likely));
                }
                choices[nth].seeds.push(marked.seed);
                let splices = splices.into_iter().map(|it| (text.path.clone(), it));
                choices[nth].splices.extend(splices);
            }
        }
        choices
    }

    fn is_missed(&self, marked: &Marked<'_>, text: &PlacedText) -> bool {
        let is_about = |owner: &str| {
            owner.is_empty() || quoted(&marked.error.message).any(|it| has_word(it, owner))
        };
        matches!(marked.error.code.as_deref(), Some("E0425" | "E0599"))
            && text.slice(marked.span) == self.name
            && is_about(self.from)
    }

    /// The alternatives at one call, the likeliest first.
    fn rewrites(&self, project: &Project<'_>, text: &PlacedText, call: &Use) -> Vec<Vec<Splice>> {
        let one =
            |splices: Option<Vec<Splice>>| -> Vec<Vec<Splice>> { splices.into_iter().collect() };
        match (call.kind, self.to, &self.receiver) {
            (UseKind::MethodCall, "", None) => one(self.as_function(text, call)),
            (UseKind::MethodCall, to, Some(_)) if !to.is_empty() => {
                self.reached(project, text, call)
            }
            (UseKind::Call, "", None) => one(self.without_owner(call)),
            (UseKind::Call, _, Some(_)) if self.from.is_empty() => one(self.as_method(text, call)),
            (UseKind::Call, _, _) => one(self.with_owner(text, call)),
            _ => Vec::new(),
        }
    }

    /// `A::f(…)` or `f(…)` as `B::f(…)`.
    fn with_owner(&self, text: &PlacedText, call: &Use) -> Option<Vec<Splice>> {
        let path = ByteSpan::new(call.span.start, call.name_span.start);
        if text.slice(path).is_empty() {
            return Some(vec![Splice::new(path.start, path.end, format!("{}::", self.to))]);
        }
        let list = tokens(text.slice(path));
        let owner = list.iter().rev().find(|it| it.is(self.from) || it.is("Self"))?;
        let start = path.start + owner.span.start;
        Some(vec![Splice::new(start, start + owner.text.len(), self.to.to_owned())])
    }

    /// `A::f(…)` as `f(…)`.
    fn without_owner(&self, call: &Use) -> Option<Vec<Splice>> {
        let path = ByteSpan::new(call.span.start, call.name_span.start);
        (!path.is_empty()).then(|| vec![Splice::new(path.start, path.end, String::new())])
    }

    /// `value.f(…)` as `f(value, …)`, with `&` where the parameter is a reference.
    fn as_function(&self, text: &PlacedText, call: &Use) -> Option<Vec<Splice>> {
        let value = receiver(text, call)?;
        let sign = match self.first.as_str() {
            it if it.starts_with("&mut ") => "&mut ",
            it if it.starts_with('&') => "&",
            _ => "",
        };
        let rest = if call.args.is_empty() { "" } else { ", " };
        let list = call.list.start;
        Some(vec![
            Splice::new(value.start, value.start, format!("{}({sign}", self.name)),
            Splice::new(value.end, list + 1, rest.to_owned()),
        ])
    }

    /// `f(&value, …)` as `value.f(…)`.
    fn as_method(&self, text: &PlacedText, call: &Use) -> Option<Vec<Splice>> {
        let first = call.args.first()?;
        let value = text.slice(first.span).trim_start_matches('&').trim_start();
        let value = value.strip_prefix("mut ").unwrap_or(value).trim_start();
        let is_path = |it: char| it.is_alphanumeric() || matches!(it, '_' | '.' | ':');
        if !value.chars().all(is_path) {
            return None;
        }
        let end = call.args.get(1).map_or(first.span.end, |it| it.span.start);
        let list = ByteSpan::new(call.list.start + 1, end);
        Some(vec![
            Splice::new(call.span.start, call.name_span.start, format!("{value}.")),
            Splice::new(list.start, list.end, String::new()),
        ])
    }

    /// The new owner's value: a field of the old one, what a method of it returns, or the variable if
    /// it can be made of the new type.
    fn reached(&self, project: &Project<'_>, text: &PlacedText, call: &Use) -> Vec<Vec<Splice>> {
        let Some(value) = receiver(text, call) else { return Vec::new() };
        let at = ByteSpan::new(value.end, value.end);
        let fields = fields_of(project, self.from).into_iter();
        let fields = fields.filter(|(_, ty)| core(ty).split('<').next() == Some(self.to));
        let mut found: Vec<Vec<Splice>> = fields
            .map(|(name, _)| vec![Splice::new(at.start, at.end, format!(".{name}"))])
            .collect();
        let getters = getters(project, self.from, self.to).into_iter();
        found.extend(getters.map(|name| vec![Splice::new(at.start, at.end, format!(".{name}()"))]));
        found.extend(self.made(project, text, value).map(|it| vec![it]));
        found
    }

    /// The type in the `let` that makes the variable, if the new one has a function of that name.
    fn made(&self, project: &Project<'_>, text: &PlacedText, value: ByteSpan) -> Option<Splice> {
        let body = text.function_at(value.start)?.body?;
        let name = text.slice(value);
        let before = ByteSpan::new(body.start, value.start);
        let list = tokens(text.slice(before));
        let word = |at: usize| list.get(at).map_or("", |it| it.text);
        let at = (0..list.len()).rev().find(|at| {
            let after = if word(at + 1) == "mut" { at + 2 } else { at + 1 };
            word(*at) == "let" && word(after) == name && word(after + 1) == "="
        })?;
        let at = at + 3 + usize::from(word(at + 1) == "mut");
        let owner = list.get(at).filter(|it| it.is(self.from) || it.is("Self"))?;
        let name_at = (at + 1..at + 4).find(|it| !matches!(word(*it), ":" | "::"))?;
        let is_maker = |it: &Definition| {
            it.kind == DefinitionKind::Function && it.owner == self.to && it.name == word(name_at)
        };
        let texts = project.with_word(self.to);
        let mut all = texts.iter().flat_map(|it| &it.places.definitions);
        if !all.any(is_maker) {
            return None;
        }
        let start = body.start + owner.span.start;
        Some(Splice::new(start, start + owner.text.len(), self.to.to_owned()))
    }
}

/// The value before the `.` of a method call.
fn receiver(text: &PlacedText, call: &Use) -> Option<ByteSpan> {
    let before = ByteSpan::new(call.span.start, call.name_span.start);
    let value = text.slice(before).trim_end().strip_suffix('.')?.trim_end();
    (!value.is_empty()).then(|| ByteSpan::new(before.start, before.start + value.len()))
}

/// Methods of one type without parameters that return another one.
fn getters(project: &Project<'_>, from: &str, to: &str) -> Vec<String> {
    let mut found = Vec::new();
    for text in project.with_word(from) {
        for it in text.places.definitions.iter().filter(|it| it.owner == from) {
            let has = |kind: PartKind| it.parts.iter().find(|part| part.kind == kind);
            let returned = has(PartKind::Type).map(|it| spelled(text.slice(it.span)));
            let is_it = it.kind == DefinitionKind::Function
                && it.of_trait.is_none()
                && has(PartKind::Receiver).is_some()
                && has(PartKind::Parameter).is_none()
                && returned.is_some_and(|it| core(&it).split('<').next() == Some(to));
            if is_it {
                found.push(it.name.clone());
            }
        }
    }
    found
}
