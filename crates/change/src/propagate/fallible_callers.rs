//! Functions that have become fallible: `T` turned into `Result<T, E>` or `Option<T>`. Their callers
//! pass the failure on with `?` where they can; the others stay as they are, with the reason.

use std::rc::Rc;

use base::{ByteSpan, Diagnostic, DiagnosticSpan, LineIndex};
use edit::Splice;
use refactor::indent_of;
use refactor::{PlacedText, spelled};
use syntax::places::{Definition, DefinitionKind, Use, UseKind};

use super::called::{bound_name, end_of, is_name, is_value_of, written};
use super::closures::{InClosure, closure_around, gathered, gathering, in_closure};
use super::fallible::{calls, is_compared};
use super::tails::{joined_tails, tails};
use super::unused_values::has_become_fallible;
use super::wrapper::{may_be_same, returned, wrapped, wrapper_of};
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
        for call in turned.calls_of(&text, marked.error) {
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
        let gathers = gathering(&text, &marked, &turned.of.name);
        for call in turned.calls_of(&text, marked.error).into_iter().chain(gathers) {
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
    to: &'a str,
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
        let call = gathering(text, marked, &self.of.name)?;
        let passed = self.passed_on(text, call).ok()?;
        Some(vec![gathered(text, call, self.wrapper)?, passed])
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

    /// The constructor of a success.
    fn success(&self) -> &'static str {
        if self.wrapper == "Result" { "Ok" } else { "Some" }
    }

    /// For an error in the function itself: its value as a success.
    fn own_value(&self, text: &PlacedText, marked: &Marked<'_>) -> Option<Vec<Splice>> {
        let own = text.function_at(marked.span.start)?;
        if own.name != self.of.name || own.owner != self.of.owner {
            return None;
        }
        let label = |it: &DiagnosticSpan| it.label.clone().unwrap_or_default();
        let spans = || marked.error.spans.iter().filter(|it| it.primary);
        let success = self.success();
        let insert = |at: usize, insert: String| Splice { span: ByteSpan::new(at, at), insert };
        match marked.error.code.as_deref()? {
            // `return;`.
            "E0069" if text.slice(marked.span) == "return" => {
                Some(vec![insert(marked.span.end, format!(" {success}(())"))])
            }
            "E0308" if spans().any(|it| label(it).starts_with("implicitly returns")) => None,
            "E0308" if own.body.is_some_and(|it| it.contains(marked.span)) => {
                let is_ours = spans().any(|it| {
                    let label = label(it);
                    let expected = label.split_once("found").map_or("", |it| it.0);
                    has_word(expected, self.wrapper) && !label.contains("found `Result<")
                });
                if is_ours && let Some(splice) = self.unit_after(text, own, marked.span) {
                    return Some(vec![splice]);
                }
                let values = self.plain_values(text, own, marked.span);
                let wrap = |it: ByteSpan| {
                    [insert(it.start, format!("{success}(")), insert(it.end, ")".to_owned())]
                };
                is_ours.then(|| values.into_iter().flat_map(wrap).collect())
            }
            // `…collect()` of plain values, which was the value.
            "E0277" if marked.error.message.contains("cannot be built from an iterator") => {
                let (made, of) = marked.error.message.split_once("cannot be built")?;
                let is_ours = has_word(made, self.wrapper) && !has_word(of, self.wrapper);
                let ends = own.body.map_or_else(Vec::new, |it| tails(&text.text, it));
                let value = ends.into_iter().find(|it| it.contains(marked.span))?;
                let end = insert(value.end, ")".to_owned());
                is_ours.then(|| vec![insert(value.start, format!("{success}(")), end])
            }
            "E0308" => {
                let body = own.body.filter(|_| own.head.contains(marked.span))?;
                let inner = text.slice(body).strip_suffix('}')?.trim_end();
                let end = body.start + inner.len();
                let indent = indent_of(&text.text, end);
                Some(vec![insert(end, format!("\n{indent}{success}(())"))])
            }
            _ => None,
        }
    }

    /// The values with which the body ends and that are no success or failure yet, if `marked` is one of
    /// them, else that one: the compiler reports the first arm or branch alone.
    fn plain_values(&self, text: &PlacedText, own: &Definition, marked: ByteSpan) -> Vec<ByteSpan> {
        let ends = own.body.map_or_else(Vec::new, |it| tails(&text.text, it));
        if !ends.contains(&marked) {
            return vec![marked];
        }
        let is_plain = |it: &ByteSpan| *it == marked || !self.is_wrapped(text, *it);
        ends.into_iter().filter(is_plain).collect()
    }

    /// Whether a value is a success or a failure as it is, or none that is returned.
    fn is_wrapped(&self, text: &PlacedText, value: ByteSpan) -> bool {
        let made = if self.wrapper == "Result" { ["Ok(", "Err("] } else { ["Some(", "None"] };
        const NEVER: [&str; 4] = ["return", "break", "continue", "loop"];
        const STOPS: [&str; 6] =
            ["panic!", "todo!", "unimplemented!", "unreachable!", "bail!", "compile_error!"];
        let written = text.slice(value);
        let is_made = made.iter().chain(&STOPS).any(|it| written.starts_with(it));
        let is_word = |word: &&str| {
            written.strip_prefix(*word).is_some_and(|it| !it.starts_with(base::is_word))
        };
        let call = text.places.uses.iter().find(|it| it.span == value);
        is_made
            || NEVER.iter().any(is_word)
            || call.is_some_and(|it| it.name == self.of.name || self.returns_wrapper(&it.name))
    }

    /// Whether every function of that name in the project returns the wrapper.
    fn returns_wrapper(&self, name: &str) -> bool {
        let texts = self.project.with_word(name);
        let of_name = |it: &&Definition| it.kind == DefinitionKind::Function && it.name == name;
        let mut types = texts.iter().flat_map(|text| {
            let functions = text.places.definitions.iter().filter(of_name);
            functions.map(|it| wrapper_of(returned(text, it)))
        });
        let mut types = types.by_ref().peekable();
        types.peek().is_some() && types.all(|it| it == Some(self.wrapper))
    }

    /// `Ok(())` after the last expression of a body that has no value.
    fn unit_after(&self, text: &PlacedText, own: &Definition, last: ByteSpan) -> Option<Splice> {
        let is_unit = wrapped(self.to)?.1 == "()";
        let rest = ByteSpan::new(last.end, own.body?.end);
        if !is_unit || text.slice(rest).trim() != "}" {
            return None;
        }
        let indent = indent_of(&text.text, last.start);
        let end = if text.slice(last).ends_with('}') { "" } else { ";" };
        let insert = format!("{end}\n{indent}{}(())", self.success());
        Some(Splice { span: ByteSpan::new(last.end, last.end), insert })
    }

    /// The calls of the function that an error is about, in a text that it marks.
    fn calls_of<'t>(&self, text: &'t PlacedText, error: &Diagnostic) -> Vec<&'t Use> {
        let labels = error.spans.iter().filter_map(|it| it.label.as_deref());
        let children = error.children.iter().map(|it| it.message.as_str());
        let mut messages = labels.chain([error.message.as_str()]).chain(children);
        if !messages.any(|it| has_word(it, self.wrapper)) {
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
