//! Functions that return a `Result` now instead of an `Option`, or the other way round: what their
//! callers make of the value.

use base::{ByteSpan, Diagnostic, ProjectPath};
use edit::Splice;
use preserve::outline::{Outline, Token, TokenKind, tokens};
use refactor::{PlacedText, outermost};
use syntax::places::{Use, UseKind};

use super::called::{is_value_of, written};
use super::{Confidence, Errors, Marked, Propagation, propagation};
use crate::project::{Project, has_word};
use crate::{Intent, What};

/// What a function returned and returns.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Turn {
    ToResult,
    ToOption,
}

/// Methods of an `Option` and of a `Result` that ask the same.
const SAME_QUESTION: [(&str, &str); 3] =
    [("is_some", "is_ok"), ("is_none", "is_err"), ("is_some_and", "is_ok_and")];

pub(super) fn fallible(
    project: &Project<'_>,
    intent: &Intent,
    errors: &Errors<'_>,
    found: &mut Vec<Propagation>,
) {
    let What::Retyped { of, at: None, from, to } = &intent.what else { return };
    let Some(turn) = Turn::of(from, to) else { return };
    let reason = format!("`{}` returns `{to}`, was `{from}`", of.name);
    let mut change = propagation(reason, Confidence::Certain);
    for marked in errors.marked() {
        let Some(text) = project.text(marked.path) else { continue };
        if !is_about_both(marked.error) {
            continue;
        }
        let found = match turn.splice(&text, &marked, &of.name) {
            Some(splice) => Some((text.path.clone(), splice)),
            None => turn.in_macro(project, &marked, &of.name),
        };
        if let Some(found) = found {
            change.seeds.push(marked.seed);
            change.splices.push(found);
        }
    }
    found.push(change);
}

impl Turn {
    /// `None` unless the value inside stayed the same.
    fn of(from: &str, to: &str) -> Option<Self> {
        let first = |ty: &str, name: &str| -> Option<String> {
            let (path, rest) = ty.split_once('<')?;
            let is_it = path.trim().rsplit("::").next().is_some_and(|it| it.ends_with(name));
            is_it.then(|| first_argument(rest))?
        };
        let is =
            |old: &str, new: &str| first(from, old).is_some_and(|it| first(to, new) == Some(it));
        let to_result = is("Option", "Result").then_some(Self::ToResult);
        to_result.or_else(|| is("Result", "Option").then_some(Self::ToOption))
    }

    /// What one error asks for at its place; nothing if it is not about the function of that name.
    fn splice(self, text: &PlacedText, marked: &Marked<'_>, name: &str) -> Option<Splice> {
        match marked.error.code.as_deref()? {
            // What a macro makes of other values stays.
            "E0308" if is_expanded(marked.error) => None,
            "E0308" if self.is_pattern(text.slice(marked.span)) => {
                match is_matched(text, marked, name) {
                    true => self.pattern(text, marked.span),
                    false => self.compared(text, marked.span, name),
                }
            }
            "E0308" | "E0277" => self.value(text, marked.span, name),
            "E0599" => self.method(text, marked.span, name),
            "E0593" => self.closure(text, marked.span, name),
            "E0271" => self.named(text, marked.span, name),
            _ => None,
        }
    }

    /// Whether a text is a pattern or value of the old type.
    fn is_pattern(self, text: &str) -> bool {
        match self {
            Self::ToResult => text == "None" || text.starts_with("Some("),
            Self::ToOption => text.starts_with("Ok(") || text.starts_with("Err("),
        }
    }

    fn pattern(self, text: &PlacedText, span: ByteSpan) -> Option<Splice> {
        let (old, new) = match (self, text.slice(span)) {
            (Self::ToResult, "None") => ("None", "Err(_)"),
            (Self::ToResult, it) if it.starts_with("Some(") => ("Some", "Ok"),
            (Self::ToOption, "Err(_)") => ("Err(_)", "None"),
            (Self::ToOption, it) if it.starts_with("Ok(") => ("Ok", "Some"),
            _ => return None,
        };
        Some(replaced(span.start, old, new))
    }

    /// A call whose value is taken for the old type: as a whole, or by `?`.
    fn value(self, text: &PlacedText, span: ByteSpan, name: &str) -> Option<Splice> {
        let call = calls(text, name).find(|it| {
            let is_question = text.slice(span) == "?" && it.span.end == span.start;
            let is_start = it.span.start == span.start && it.span.end <= span.end;
            is_question || is_start
        });
        call.and_then(|it| self.ok_after(it))
    }

    /// A call that is passed to a macro which takes the old type, or compared as that.
    fn in_macro(
        self,
        project: &Project<'_>,
        marked: &Marked<'_>,
        name: &str,
    ) -> Option<(ProjectPath, Splice)> {
        let is_operand = marked.error.code.as_deref() == Some("E0369");
        let is_passed = marked.error.code.as_deref() == Some("E0308") && is_expanded(marked.error);
        if !is_operand && !is_passed {
            return None;
        }
        let mut spans = marked.error.spans.iter().flat_map(written);
        spans.find_map(|it| {
            let text = project.text(it.place.project()?)?;
            let is_it = |call: &&Use| {
                call.span == it.bytes || is_operand && is_value_of(&text, call.span, it.bytes)
            };
            let end = match calls(&text, name).find(is_it) {
                Some(call) => call.span.end,
                // In the body of another macro, which is not parsed.
                None if is_passed && is_call_of(text.slice(it.bytes), name) => it.bytes.end,
                None => return None,
            };
            Some((text.path.clone(), self.ok_at(end)?))
        })
    }

    /// A call beside a value of the old type: `assert_eq!(call, value)`, `call == value`.
    fn compared(self, text: &PlacedText, span: ByteSpan, name: &str) -> Option<Splice> {
        let call = calls(text, name).find(|it| is_compared(text, it.span, span));
        self.ok_after(call?)
    }

    /// The function itself, passed as one that returns the old type.
    fn named(self, text: &PlacedText, span: ByteSpan, name: &str) -> Option<Splice> {
        let path = text.slice(span);
        let is_it = self == Self::ToResult && path.rsplit("::").next() == Some(name);
        is_it.then(|| Splice { span, insert: format!("|it| {path}(it).ok()") })
    }

    /// A method that the new type does not have.
    fn method(self, text: &PlacedText, span: ByteSpan, name: &str) -> Option<Splice> {
        let call = calls(text, name).find(|it| between(text, it, span) == Some("."))?;
        let method = text.slice(span);
        let other = SAME_QUESTION.iter().find_map(|(option, result)| match self {
            Self::ToResult => (*option == method).then_some(*result),
            Self::ToOption => (*result == method).then_some(*option),
        });
        match other {
            Some(other) => Some(Splice { span, insert: other.to_owned() }),
            None => self.ok_after(call),
        }
    }

    /// A closure for the case without a value: a `Result` gives it the error.
    fn closure(self, text: &PlacedText, span: ByteSpan, name: &str) -> Option<Splice> {
        let (old, new) = match self {
            Self::ToResult => ("||", "|_|"),
            Self::ToOption => ("|_|", "||"),
        };
        if !text.slice(span).starts_with(old) {
            return None;
        }
        let is_ours = calls(text, name).any(|it| {
            let method = between(text, it, span).and_then(|it| it.strip_prefix('.'));
            let method = method.and_then(|it| it.strip_suffix('('));
            method.is_some_and(|it| it.chars().all(|it| it == '_' || it.is_alphanumeric()))
        });
        if is_ours {
            return Some(replaced(span.start, old, new));
        }
        // Other methods of the value are between.
        let takes = |it: &&Use| {
            it.kind == UseKind::MethodCall && it.args.iter().any(|arg| arg.value == span)
        };
        let chain = text.places.uses.iter().find(takes)?;
        let is_first = |it: &&Use| it.span.start == chain.span.start && it.span.end < span.start;
        calls(text, name).find(is_first).and_then(|it| self.ok_after(it))
    }

    /// `.ok()` after a call whose value was an `Option`.
    fn ok_after(self, call: &Use) -> Option<Splice> {
        self.ok_at(call.span.end)
    }

    fn ok_at(self, end: usize) -> Option<Splice> {
        let span = ByteSpan::new(end, end);
        (self == Self::ToResult).then(|| Splice { span, insert: ".ok()".to_owned() })
    }
}

/// Whether two values are beside each other: `assert_eq!(a, b)`, `a == b`.
pub(super) fn is_compared(text: &PlacedText, a: ByteSpan, b: ByteSpan) -> bool {
    let between = text.text.get(a.end..b.start).or(text.text.get(b.end..a.start));
    between.is_some_and(|it| matches!(it.trim(), "," | "==" | "!="))
}

/// Whether an error is in what a macro of the project made.
pub(super) fn is_expanded(error: &Diagnostic) -> bool {
    error.primary().is_some_and(|it| it.expansion.is_some() && it.place.project().is_some())
}

/// Whether an error that reports types reports both.
fn is_about_both(error: &Diagnostic) -> bool {
    let labels = error.spans.iter().filter_map(|it| it.label.as_deref());
    let mut labelled = labels.filter(|it| it.contains("expected")).peekable();
    let is_both = |it: &str| has_word(it, "Option") && has_word(it, "Result");
    error.code.as_deref() != Some("E0308") || labelled.peek().is_none() || labelled.any(is_both)
}

/// The first argument of a list of types, without the `<`.
pub(super) fn first_argument(list: &str) -> Option<String> {
    let mut depth = 0_i32;
    for (at, it) in list.char_indices() {
        match it {
            '<' | '(' | '[' => depth += 1,
            ',' | '>' if depth == 0 => {
                return Some(list[..at].split_whitespace().collect::<String>());
            }
            // The arrow of a function type closes nothing.
            '>' if list[..at].ends_with('-') => {}
            '>' | ')' | ']' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// Whether the value that a pattern is held against is a call of that function as it is, or a tuple with
/// one.
fn is_matched(text: &PlacedText, marked: &Marked<'_>, name: &str) -> bool {
    let values = marked.error.spans.iter().filter(|it| !it.primary).map(outermost);
    let mut own = values.filter(|it| it.place.project() == Some(marked.path));
    let is_element = |call: ByteSpan, value: ByteSpan| {
        let text = |from: usize, to: usize| text.text.get(from..to).unwrap_or("");
        let before = text(value.start, call.start);
        let after = text(call.end, value.end).trim_start();
        before.starts_with('(')
            && matches!(before.trim_end().chars().next_back(), Some('(' | ','))
            && after.starts_with([',', ')'])
    };
    own.any(|value| {
        calls(text, name).any(|it| {
            let is_inside = value.bytes.contains(it.span);
            it.span == value.bytes || is_inside && is_element(it.span, value.bytes)
        })
    })
}

/// Whether a text ends with a call of that function, and is nothing around it.
fn is_call_of(text: &str, name: &str) -> bool {
    let list = tokens(text);
    let Some(outline) = list.last().filter(|it| it.is(")")).map(|_| Outline::of(text)) else {
        return false;
    };
    let last = list.len() - 1;
    let open = (0..last).find(|at| outline.close.get(*at) == Some(&last));
    let named = open.and_then(|it| it.checked_sub(1)).filter(|it| list[*it].is(name));
    let is_plain =
        |it: &Token<'_>| it.kind != TokenKind::Punctuation || matches!(it.text, "." | "::");
    named.is_some_and(|it| list[..it].iter().all(is_plain))
}

/// The calls of functions and methods of that name.
pub(super) fn calls<'t, 'n>(
    text: &'t PlacedText,
    name: &'n str,
) -> impl Iterator<Item = &'t Use> + use<'t, 'n> {
    let uses = text.places.uses.iter();
    uses.filter(move |it| it.name == name && matches!(it.kind, UseKind::Call | UseKind::MethodCall))
}

/// The text between a call and what follows it, without spaces around.
fn between<'t>(text: &'t PlacedText, call: &Use, after: ByteSpan) -> Option<&'t str> {
    text.text.get(call.span.end..after.start).map(str::trim)
}

/// `new` for `old` at that place.
fn replaced(start: usize, old: &str, new: &str) -> Splice {
    let span = ByteSpan::new(start, start + old.len());
    Splice { span, insert: new.to_owned() }
}
