//! Functions that have become fallible: `T` turned into `Result<T, E>` or `Option<T>`. Their callers
//! pass the failure on with `?` where they can; the others stay as they are, with the reason.

use std::rc::Rc;

use base::{ByteSpan, Diagnostic, LineIndex};
use edit::Splice;
use refactor::{PlacedText, spelled};
use syntax::places::{Definition, DefinitionKind, Use, UseKind};

use super::called::{bound_name, end_of, is_name, is_value_of, written};
use super::closures::{
    InClosure, closure_around, gathered, gathered_unseen, gathering, in_closure,
};
use super::fallible::{calls, is_compared};
use super::iterated::iterated;
use super::tails::joined_tails;
use super::unused_values::has_become_fallible;
use super::wrapper::{may_be_same, returned, wrapped};
use super::{Confidence, Errors, Marked, Propagation, propagation};
use crate::project::{Project, has_word};
use crate::{DefinitionName, Intent, LeftBehind, What};

pub(super) fn fallible_callers(
    project: &Project<'_>,
    intent: &Intent,
    errors: &Errors<'_>,
    found: &mut Vec<Propagation>,
) {
    let Some(turned) = Turned::by(project, intent) else { return };
    let mut change = propagation(intent.to_string(), Confidence::Likely);
    let mut left: Vec<String> = Vec::new();
    for (marked, text) in marked_texts(project, errors) {
        if let Some(splices) = turned.settled(&text, &marked) {
            change.seeds.push(marked.seed);
            change.splices.extend(splices.into_iter().map(|it| (text.path.clone(), it)));
            continue;
        }
        let mut about = turned.calls_of(&text, marked.error);
        if about.is_empty() {
            about = turned.unnamed(&text, &marked);
        }
        for call in about {
            match turned.passed_on(&text, call) {
                Ok(splice) => {
                    change.seeds.push(marked.seed);
                    change.splices.push((text.path.clone(), splice));
                }
                Err(fault) => {
                    let line = LineIndex::new(&text.text).line_of(call.span.start);
                    left.push(format!("{fault} ({}:{line})", text.path));
                }
            }
        }
    }
    left.sort_unstable();
    left.dedup();
    for it in left {
        change.reason.push_str(&format!("; left: {it}"));
    }
    let statements = turned.unused();
    if !statements.is_empty() && !change.splices.is_empty() {
        let mut with = change.clone();
        with.splices.extend(statements);
        found.push(with);
        change.confidence = Confidence::Guess;
    }
    found.push(change);
}

/// The calls that cannot pass the failure of a function on, each with the reason.
pub(super) fn unsettled(
    project: &Project<'_>,
    intent: &Intent,
    errors: &Errors<'_>,
    found: &mut Vec<LeftBehind>,
) {
    let Some(turned) = Turned::by(project, intent) else { return };
    for (marked, text) in marked_texts(project, errors) {
        if turned.settled(&text, &marked).is_some() {
            continue;
        }
        let mut gathers: Vec<&Use> =
            gathering(&text, &marked, &turned.of.name).into_iter().collect();
        gathers.extend(turned.gathered_unseen(&text, &marked));
        let mut about = turned.calls_of(&text, marked.error);
        if gathers.is_empty() && about.is_empty() {
            about = turned.closure_values(&text, &marked);
        }
        if gathers.is_empty() && about.is_empty() {
            about = turned.unnamed(&text, &marked);
        }
        for call in about.into_iter().chain(gathers) {
            let Err(fault) = turned.passed_on(&text, call) else { continue };
            found.push(LeftBehind {
                path: text.path.clone(),
                line: LineIndex::new(&text.text).line_of(call.span.start),
                what: fault.to_string(),
                why: intent.to_string(),
                splice: None,
                unproven: None,
            });
        }
    }
}

/// The errors in texts of the project, each with its text.
fn marked_texts<'a>(
    project: &'a Project<'_>,
    errors: &'a Errors<'_>,
) -> impl Iterator<Item = (Marked<'a>, Rc<PlacedText>)> {
    errors.marked().filter_map(|it| project.text(it.path).map(|text| (it, text)))
}

/// Why a call has no `?`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum NotPassedOn {
    /// The call is outside of a function.
    #[error("no function around the call of `{0}` passes it on")]
    NoFunction(String),
    /// A closure returns the value of the call.
    #[error("the closure around the call of `{0}` returns its value")]
    ClosureValue(String),
    /// A closure returns something else.
    #[error("the closure around the call of `{0}` passes nothing on")]
    Closure(String),
    /// The function around the call returns another type.
    #[error("`{name}` returns `{returned}` and cannot pass `{to}` on")]
    Caller { name: String, returned: String, to: String },
}

/// A function that has become fallible.
pub(super) struct Turned<'a, 'p> {
    pub(super) project: &'a Project<'p>,
    pub(super) of: &'a DefinitionName,
    /// The type that it returns now.
    pub(super) to: &'a str,
    /// `Result` or `Option`.
    pub(super) wrapper: &'static str,
    /// The error of a `Result`; empty if its alias hides it.
    error: String,
}

impl<'a, 'p> Turned<'a, 'p> {
    /// The function of an intent that turned it.
    fn by(project: &'a Project<'p>, intent: &'a Intent) -> Option<Self> {
        match &intent.what {
            What::Retyped { of, at: None, from, to } => Self::of(project, of, from, to),
            _ => None,
        }
    }

    /// The function of an intent that turned it from one without a failure, whatever its value was.
    pub(super) fn by_failure(project: &'a Project<'p>, intent: &'a Intent) -> Option<Self> {
        let What::Retyped { of, at: None, to, .. } = &intent.what else { return None };
        let (wrapper, _, error) = wrapped(to)?;
        has_become_fallible(intent).then_some(Self { project, of, to, wrapper, error })
    }

    /// The edits for an error in the function itself, or at a method that gathers its values.
    fn settled(&self, text: &PlacedText, marked: &Marked<'_>) -> Option<Vec<Splice>> {
        if let Some(splices) = self.own_value(text, marked) {
            return Some(splices);
        }
        let Some(call) = gathering(text, marked, &self.of.name) else {
            let unseen = self.gathered_unseen(text, marked);
            let all: Option<Vec<_>> = unseen.iter().map(|it| self.gathered(text, it)).collect();
            return all.filter(|it| !it.is_empty()).map(|it| it.into_iter().flatten().collect());
        };
        self.gathered(text, call).map(Vec::from)
    }

    /// The edits by which a method that gathers values passes their failure on.
    fn gathered(&self, text: &PlacedText, call: &Use) -> Option<[Splice; 2]> {
        let passed = self.passed_on(text, call).ok()?;
        Some([gathered(text, call, self.wrapper)?, passed])
    }

    /// For an error about values of the new type: the methods of its function that gather them into an inferred
    /// type.
    fn gathered_unseen<'t>(&self, text: &'t PlacedText, marked: &Marked<'_>) -> Vec<&'t Use> {
        if !self.is_about_wrapper(marked.error) {
            return Vec::new();
        }
        let Some(caller) = text.function_at(marked.span.start) else { return Vec::new() };
        let mut found = gathered_unseen(text, caller, &self.of.name, self.wrapper);
        found.retain(|it| it.span.start <= marked.span.start);
        found
    }

    /// `None` unless the value inside stayed the same.
    fn of(
        project: &'a Project<'p>,
        of: &'a DefinitionName,
        from: &str,
        to: &'a str,
    ) -> Option<Self> {
        let (wrapper, inner, error) = wrapped(to)?;
        let is_same = match spelled(from).as_str() {
            "" => inner == "()",
            from => inner == from.split_whitespace().collect::<String>(),
        };
        // An `Option` that a `Result` is put around is the value inside.
        let is_it = of.kind == DefinitionKind::Function && is_same;
        is_it.then_some(Self { project, of, to, wrapper, error })
    }

    /// The calls of the function that an error is about, in a text that it marks.
    fn calls_of<'t>(&self, text: &'t PlacedText, error: &Diagnostic) -> Vec<&'t Use> {
        if !self.is_about_wrapper(error) {
            return Vec::new();
        }
        let all = error.spans.iter().flat_map(written);
        let spans: Vec<ByteSpan> =
            all.filter(|it| it.place.project() == Some(&text.path)).map(|it| it.bytes).collect();
        let is_mismatch = error.code.as_deref() == Some("E0308");
        // A closure that returns more than it did is marked as a whole.
        let is_closure = error.code.as_deref() == Some("E0271");
        let passes = |call: &Use, at: ByteSpan| {
            let caller = text.function_at(call.span.start);
            let closure = caller.and_then(|it| closure_around(text, it, call));
            closure.is_some_and(|it| {
                it.contains(at) && in_closure(text, it, call, self.wrapper) == InClosure::Passes
            })
        };
        let is_about = |call: &&Use| {
            spans.iter().any(|it| {
                let around = text.function_at(it.start);
                around.is_some_and(|around| around.span.contains(call.span))
                    && (is_value_of(text, call.span, *it)
                        || is_closure && it.contains(call.span) && passes(call, *it)
                        || is_mismatch && is_compared(text, call.span, *it)
                        || bound_name(text, call).is_some_and(|name| {
                            call.span.end < it.start && is_name(text, *it, name)
                        }))
            })
        };
        let arms = joined_tails(text, error);
        let is_joined = |call: &&Use| {
            arms.iter().any(|it| it.contains(call.span)) && self.is_value_here(text, call)
        };
        calls(text, &self.of.name).filter(|it| is_about(it) || is_joined(it)).collect()
    }

    /// The calls before an error, and in its function, whose values are iterated or passed to other calls, so
    /// that the error is about what is made of them.
    fn unnamed<'t>(&self, text: &'t PlacedText, marked: &Marked<'_>) -> Vec<&'t Use> {
        let (name, at) = (&self.of.name, marked.span.start);
        let is_item = marked.error.code.as_deref() == Some("E0271");
        if !is_item && !self.is_about_wrapper(marked.error) {
            return iterated(text, name, at);
        }
        let Some(caller) = text.function_at(at) else { return Vec::new() };
        let is_before =
            |it: &&Use| caller.span.contains(it.span) && it.span.start < marked.span.end;
        calls(text, name).filter(is_before).filter(|it| self.is_value_here(text, it)).collect()
    }

    /// Whether an error names the wrapper.
    fn is_about_wrapper(&self, error: &Diagnostic) -> bool {
        let labels = error.spans.iter().filter_map(|it| it.label.as_deref());
        let children = error.children.iter().map(|it| it.message.as_str());
        let mut messages = labels.chain([error.message.as_str()]).chain(children);
        messages.any(|it| has_word(it, self.wrapper))
    }

    /// The calls whose values a closure returns, in the function of an error about values of the new type.
    fn closure_values<'t>(&self, text: &'t PlacedText, marked: &Marked<'_>) -> Vec<&'t Use> {
        if !self.is_about_wrapper(marked.error) {
            return Vec::new();
        }
        let Some(caller) = text.function_at(marked.span.start) else { return Vec::new() };
        let is_value = |call: &&Use| {
            let closure = closure_around(text, caller, call);
            closure.is_some_and(|it| in_closure(text, it, call, self.wrapper) == InClosure::Value)
        };
        let own = calls(text, &self.of.name).filter(|it| caller.span.contains(it.span));
        own.filter(is_value).collect()
    }

    /// Whether a call is certainly one of the function, and nothing makes another value of what it returns.
    fn is_value_here(&self, text: &PlacedText, call: &Use) -> bool {
        let after = text.text.get(end_of(text, call).end..).unwrap_or("").trim_start();
        let path = text.slice(call.span).split('(').next().unwrap_or("");
        let is_ours = match call.kind {
            UseKind::Call if !self.of.owner.is_empty() => {
                has_word(path, &self.of.owner) || path.starts_with("Self::")
            }
            _ => self.returns_wrapper(&self.of.name),
        };
        is_ours && after.starts_with([',', ')', '}', ']'])
    }

    /// `?` after a call, or why there is none.
    pub(super) fn passed_on(&self, text: &PlacedText, call: &Use) -> Result<Splice, NotPassedOn> {
        let span = end_of(text, call);
        let name = &self.of.name;
        let Some(caller) = text.function_at(call.span.start) else {
            return Err(NotPassedOn::NoFunction(name.clone()));
        };
        if let Some(closure) = closure_around(text, caller, call) {
            return match in_closure(text, closure, call, self.wrapper) {
                InClosure::Passes => Ok(Splice { span, insert: "?".to_owned() }),
                InClosure::Value => Err(NotPassedOn::ClosureValue(name.clone())),
                InClosure::Other => Err(NotPassedOn::Closure(name.clone())),
            };
        }
        if self.passes(text, caller) {
            return Ok(Splice { span, insert: "?".to_owned() });
        }
        if is_test(text, caller) && returned(text, caller).is_empty() {
            return Ok(Splice { span, insert: ".unwrap()".to_owned() });
        }
        let returned = returned(text, caller);
        Err(NotPassedOn::Caller {
            name: caller.name.clone(),
            returned: if returned.is_empty() { "()" } else { returned }.to_owned(),
            to: self.to.to_owned(),
        })
    }

    /// Whether a function can pass the failure on: its own is the same, or made of it.
    fn passes(&self, text: &PlacedText, caller: &Definition) -> bool {
        let returned = returned(text, caller);
        let Some((wrapper, _, error)) = wrapped(returned) else { return false };
        if wrapper != self.wrapper {
            return false;
        }
        let boxed = |it: &str| it.starts_with("Box<dyn") && has_word(it, "Error");
        let takes_any = ["anyhow", "eyre", "color_eyre"];
        let is_any = |it: &str| takes_any.iter().any(|name| has_word(it, name)) || boxed(it);
        wrapper == "Option"
            || may_be_same(&error, &self.error)
            || is_any(&error)
            || is_any(returned)
            || !error.is_empty() && !self.error.is_empty() && self.converts(&error)
    }

    /// Whether the project has an impl that makes the error of a caller of this one.
    fn converts(&self, to: &str) -> bool {
        let name = |it: &str| it.rsplit("::").next().unwrap_or(it).to_owned();
        let (from, to) = (name(&self.error), name(to));
        let texts = self.project.with_word(&to);
        let derived = |text: &str| {
            let spelled: String = text.split_whitespace().collect();
            text.contains("#[from]")
                && [&*from, &*self.error].iter().any(|it| spelled.contains(&format!("#[from]{it}")))
        };
        texts.iter().any(|it| {
            it.text.contains(&format!("From<{from}> for {to}"))
                || it.text.contains(&format!("From<{}> for {to}", self.error))
                || derived(&it.text)
        })
    }
}

/// Whether a function is a test.
fn is_test(text: &PlacedText, of: &Definition) -> bool {
    let head = text.slice(ByteSpan::new(of.span.start, of.name_span.start));
    head.contains("#[test]") || head.contains("::test]") || head.contains("::test(")
}
