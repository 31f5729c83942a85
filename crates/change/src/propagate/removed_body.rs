//! Functions that are gone and had a body of one expression: the expression where they are still
//! called.

use base::ByteSpan;
use edit::Splice;
use preserve::outline::{Token, TokenKind, tokens};
use refactor::is_pure;
use refactor::{
    FunctionReceiver, InlineFunction, grouped, is_one_expression, is_operation, path_span,
};
use refactor::{PlacedText, quoted};
use syntax::places::{Definition, DefinitionKind, Use, UseKind, places};

use super::constants::has_turned;
use super::moved::has_moved;
use super::{Confidence, Errors, Marked, Propagation, propagation};
use crate::project::{Project, has_word};
use crate::{DefinitionName, Intent, What};

/// Most tokens of a body that takes the place of a call.
const LONGEST: usize = 40;

/// Words and marks of a body that means something else in another function.
const BOUND: &[&str] = &["{", "|", "||", "?", "return", "break", "continue", "await", "#", "$"];

pub(super) fn removed_body(
    project: &Project<'_>,
    intent: &Intent,
    all: &[Intent],
    errors: &Errors<'_>,
    found: &mut Vec<Propagation>,
) {
    let What::Removed(of) = &intent.what else { return };
    if of.kind != DefinitionKind::Function
        || has_moved(project, all, intent)
        || has_turned(all, intent)
    {
        return;
    }
    let base = project.difference.get(&intent.path).and_then(|it| it.base.as_deref());
    let Some(body) = base.and_then(|it| Body::of(it, of)) else { return };
    let owners = owners(of, all);
    let mut change =
        propagation(format!("{intent}: what it did, in its place"), Confidence::Likely);
    for marked in errors.marked() {
        let Some(text) = project.text(marked.path) else { continue };
        if misses(&marked, &text, of, &owners)
            && let Some(splice) = body.in_place(&text, marked.span, &owners)
        {
            change.seeds.push(marked.seed);
            change.splices.push((text.path.clone(), splice));
        }
    }
    // Of calls in each other, only the inner one: the next round has the outer one.
    let all = change.splices.clone();
    change.splices.retain(|(path, outer)| {
        let is_inner = |it: &Splice| it.span != outer.span && outer.span.contains(it.span);
        !all.iter().any(|(other, it)| other == path && is_inner(it))
    });
    found.push(change);
}

/// The names of the type of a removed member: that of the base, and one that it was renamed to.
pub(super) fn owners<'a>(of: &'a DefinitionName, all: &'a [Intent]) -> Vec<&'a str> {
    let renamed = all.iter().filter_map(|it| match &it.what {
        What::Renamed { of: new, from } if *from == of.owner && new.owner.is_empty() => {
            Some(new.name.as_str())
        }
        _ => None,
    });
    let own = Some(of.owner.as_str()).filter(|it| !it.is_empty());
    own.into_iter().chain(renamed).collect()
}

/// Whether an error misses the function at a place that names it.
fn misses(marked: &Marked<'_>, text: &PlacedText, of: &DefinitionName, owners: &[&str]) -> bool {
    let message = &marked.error.message;
    let is_missed = match marked.error.code.as_deref() {
        Some("E0425") => of.owner.is_empty(),
        Some("E0599") => {
            let owner = message.split_once(" found for ").map_or("", |it| it.1);
            quoted(owner).any(|it| owners.iter().any(|of| has_word(it, of)))
        }
        _ => false,
    };
    is_missed && text.slice(marked.span) == of.name
}

/// The body of a function of the base.
struct Body {
    function: InlineFunction,
}

impl Body {
    /// `None` if the body is more than an expression that any function can evaluate.
    fn of(base: &str, of: &DefinitionName) -> Option<Self> {
        let all = places(base);
        let is_it = |it: &&Definition| DefinitionName::of(it) == *of;
        let definition = all.definitions.iter().find(is_it)?;
        let head = definition.head.slice(base)?;
        if tokens(head).iter().any(|it| matches!(it.text, "async" | "extern")) {
            return None;
        }
        let function = InlineFunction::read(definition.span.slice(base)?)?;
        let body = function.body.trim();
        let list = tokens(body);
        let is_bound = |it: &Token<'_>| it.kind != TokenKind::Literal && BOUND.contains(&it.text);
        let calls_itself = list.iter().any(|it| it.is(&of.name) && of.owner.is_empty());
        let is_plain = is_one_expression(body)
            && list.len() <= LONGEST
            && !list.iter().any(is_bound)
            && !body.contains("//")
            && !body.contains("/*")
            && !calls_itself;
        is_plain.then_some(Self { function })
    }

    /// The replacement of a call, or of the function as a value.
    fn in_place(&self, text: &PlacedText, name: ByteSpan, owners: &[&str]) -> Option<Splice> {
        let is_call = |it: &&&Use| {
            it.name_span == name && matches!(it.kind, UseKind::Call | UseKind::MethodCall)
        };
        let around = text.uses_around(name);
        let list = tokens(&text.text);
        let Some(used) = around.iter().find(is_call) else {
            let span = path_span(&list, name)?;
            return Some(Splice { span, insert: self.as_value()? });
        };
        let mut passed: Vec<String> =
            used.args.iter().map(|it| text.slice(it.value).to_owned()).collect();
        let mut span = used.span;
        if used.kind == UseKind::MethodCall {
            let receiver = text.text.get(used.span.start..name.start)?.trim_end();
            passed.insert(0, receiver.strip_suffix('.')?.trim_end().to_owned());
        } else {
            span = ByteSpan::new(path_span(&list, name)?.start, used.span.end);
        }
        let around = text.function_at(name.start).map_or("", |it| it.owner.as_str());
        let own = match owners.last() {
            Some(owner) if !owners.contains(&around) => owner,
            _ => "Self",
        };
        let code = self.with(&passed, used.kind == UseKind::MethodCall, own)?;
        let needs = is_operation(&code) && !is_apart(&list, span);
        Some(Splice { span, insert: if needs { format!("({code})") } else { code } })
    }

    /// The names of the receiver and the parameters.
    fn parameters(&self) -> Option<Vec<&str>> {
        let own = self.function.receiver.map(|_| "self");
        let names = self.function.parameters.iter().map(|it| it.name.as_str());
        let all: Vec<&str> = own.into_iter().chain(names).collect();
        all.iter().all(|it| !it.is_empty()).then_some(all)
    }

    /// The body with what is passed in place of the parameters; `None` if something would be evaluated
    /// more than once, not at all, or in another order.
    fn with(&self, passed: &[String], by_method: bool, own: &str) -> Option<String> {
        let parameters = self.parameters()?;
        let body = self.function.body.trim();
        if parameters.len() != passed.len() {
            return None;
        }
        let list = tokens(body);
        let text = |at: Option<usize>| at.and_then(|it| list.get(it)).map_or("", |it| it.text);
        let mut order: Vec<usize> = Vec::new();
        let mut code = body.to_owned();
        for (at, token) in list.iter().enumerate() {
            let (before, next) = (text(at.checked_sub(1)), text(Some(at + 1)));
            // A format string may name a parameter.
            if token.kind == TokenKind::Literal && token.text.contains('{') {
                return None;
            }
            let is_name = token.kind == TokenKind::Word && !matches!(before, "." | "::");
            let is_value = is_name && !matches!(next, "::" | "!" | ":");
            if is_value && let Some(index) = parameters.iter().position(|it| token.is(it)) {
                order.push(index);
            }
        }
        for (at, token) in list.iter().enumerate().rev() {
            let (before, next) = (text(at.checked_sub(1)), text(Some(at + 1)));
            let is_name = token.kind == TokenKind::Word && !matches!(before, "." | "::");
            let index = parameters.iter().position(|it| token.is(it));
            let insert = match index.filter(|_| is_name && !matches!(next, "::" | "!" | ":")) {
                Some(index) => {
                    let is_receiver = index == 0 && self.function.receiver.is_some() && by_method;
                    self.operand(&passed[index], is_receiver, next)?
                }
                None if is_name && token.is("Self") => own.to_owned(),
                None => continue,
            };
            code.replace_range(token.span.start..token.span.end, &insert);
        }
        let impure = (0..passed.len()).filter(|it| !is_pure(&passed[*it]));
        order.retain(|it| !is_pure(&passed[*it]));
        impure.eq(order).then_some(code)
    }

    /// What is passed, as an operand before `next`.
    fn operand(&self, passed: &str, is_receiver: bool, next: &str) -> Option<String> {
        let is_borrowed = is_receiver && next != "." && passed != "self";
        let code = match (is_borrowed, self.function.receiver) {
            (true, Some(FunctionReceiver::Shared)) => format!("&{}", grouped(passed)),
            (true, Some(FunctionReceiver::Unique)) => format!("&mut {}", grouped(passed)),
            _ => grouped(passed),
        };
        Some(code)
    }

    /// The path of the only function that the body calls, with all parameters in their order.
    fn as_value(&self) -> Option<String> {
        let names = self.parameters()?;
        let body = self.function.body.trim();
        let list = tokens(body);
        let open = list.iter().position(|it| it.is("("))?;
        let inner = list.get(open + 1..list.len().checked_sub(1)?)?;
        let passed: Vec<&str> = inner.iter().map(|it| it.text).filter(|it| *it != ",").collect();
        let path = body.get(..list[open].span.start)?;
        let is_path = |list: &[Token<'_>]| {
            list.iter().all(|it| it.kind == TokenKind::Word || it.is("::") || it.is("."))
        };
        if !list.last()?.is(")") || !is_path(&list[..open]) {
            return None;
        }
        if !path.contains('.') {
            return (passed == names).then(|| path.to_owned());
        }
        // `value.method()` of the only parameter.
        let (value, method) = path.split_once('.')?;
        let [only] = self.function.parameters.as_slice() else { return None };
        let ty = only.ty.trim_start_matches('&').trim();
        let is_named = tokens(ty).iter().all(|it| it.kind == TokenKind::Word || it.is("::"));
        let is_it = value == only.name && passed.is_empty() && !method.contains('.');
        (is_it && is_named && self.function.receiver.is_none()).then(|| format!("{ty}::{method}"))
    }
}

/// Whether no operator applies to the code of a span.
fn is_apart(list: &[Token<'_>], span: ByteSpan) -> bool {
    let first = list.partition_point(|it| it.span.start < span.start);
    let last = list.partition_point(|it| it.span.start < span.end);
    let before = first.checked_sub(1).map_or("", |it| list[it].text);
    let after = list.get(last).map_or("", |it| it.text);
    matches!(before, "(" | "[" | "{" | "}" | "," | ";" | "=" | "=>" | "return" | ":" | "")
        && matches!(after, ")" | "]" | "}" | "," | ";" | "")
}
