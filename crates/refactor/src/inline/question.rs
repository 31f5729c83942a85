//! Questions to the compiler about the values of a call: which of them have the declared type without a
//! declaration.
//!
//! A value goes where its variable was only if its type is that of the variable. Where the text does not
//! show that, a tree asks: each value is matched with `()`, once alone and once from the variable with
//! its type, and the end of the call's block is a `()`. The compiler answers with mismatches (E0308)
//! that name the types in one spelling: that of the value, and that which the place around expects.

use std::fmt;

use base::{Diagnostic, DiagnosticSpan, LineIndex, ProjectPath, SortedMap, SortedSet};
use edit::{Overlay, Splice};
use preserve::outline::tokens;

use super::block::{Code, lines};
use super::call::{Binding, Call, Value, labelled, typed};
use super::lean::plain_type;
use crate::SiteKey;

/// A tree in which the calls of an item are questions about the types of their values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TypeQuestions {
    /// The edits, by path and position.
    pub splices: Vec<(ProjectPath, Splice)>,
    /// The calls that ask, by the number in their marks.
    pub(super) asked: Vec<SiteKey>,
}

/// The values of one call that need no declaration, by the compiler.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Certain {
    /// Values that alone have the declared type.
    pub(super) values: SortedSet<Value>,
    /// Whether the receiver is the value that `self` refers to.
    pub(super) is_referent: bool,
}

/// Subject of a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Question {
    /// The type of the value alone.
    Alone,
    /// The declared type.
    Declared,
    /// The type that the place around the call expects.
    Around,
}

impl Question {
    const ALL: [Self; 3] = [Self::Alone, Self::Declared, Self::Around];

    fn name(self) -> &'static str {
        match self {
            Self::Alone => "alone",
            Self::Declared => "declared",
            Self::Around => "around",
        }
    }
}

/// The comment of a question, by which its line is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Mark {
    /// Number of the call.
    call: usize,
    value: Value,
    question: Question,
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = match self.value {
            Value::Receiver => "self".to_owned(),
            Value::Argument(at) => at.to_string(),
            Value::Result => "result".to_owned(),
        };
        write!(f, "/*{}:{value}:{}*/", self.call, self.question.name())
    }
}

/// The block of a call that asks for the types of its values.
pub(super) fn question(
    number: usize,
    call: &Call<'_>,
    (body, bindings): (&str, &[Binding]),
    output: Option<&str>,
) -> Code {
    let indent = format!("{}    ", call.indent);
    let mark = |question, value| Mark { call: number, value, question };
    let mut text = String::from("{\n");
    for it in bindings.iter().filter(|it| !it.name.is_empty()) {
        let alone = mark(Question::Alone, it.of);
        text.push_str(&format!("{indent}{alone} let () = {};\n", it.bare));
    }
    for it in bindings {
        text.push_str(&format!("{indent}let {}{} = {};\n", it.pattern, typed(&it.ty), it.value));
    }
    for it in bindings.iter().filter(|it| !it.name.is_empty()) {
        let declared = mark(Question::Declared, it.of);
        text.push_str(&format!("{indent}{declared} let () = {};\n", it.name));
    }
    let (label, body) = labelled(body, call.label);
    let value = lines(&body, &format!("{indent}    "));
    let value = format!("{label}{{\n{value}\n{indent}}}");
    match output {
        Some(ty) => {
            let [alone, declared, around] =
                Question::ALL.map(|question| mark(question, Value::Result));
            text.push_str(&format!(
                "{indent}{alone} let () = {value};\n{indent}let result: {ty} = {value};\n\
                 {indent}{declared} let () = result;\n{indent}{around} ()\n"
            ));
        }
        None => text.push_str(&format!("{indent}{value}\n")),
    }
    Code::Block(format!("{text}{}}}", call.indent))
}

impl TypeQuestions {
    /// The answers in the diagnostics of the tree `overlay`.
    pub(super) fn answers(
        &self,
        diagnostics: &[Diagnostic],
        overlay: &Overlay,
    ) -> SortedMap<SiteKey, Certain> {
        let types = types_by_line(diagnostics);
        let mut answers: SortedMap<Mark, SortedSet<String>> = SortedMap::new();
        for (path, change) in overlay.changes() {
            for (line, mark) in marks(change.after_text()) {
                let key = (path.clone(), line, mark.question == Question::Around);
                // A mark without an answer is one that is open.
                let own = types.get(&key).cloned().unwrap_or_else(|| [String::new()].into());
                answers.entry(mark).or_default().extend(own);
            }
        }
        let mut found: SortedMap<SiteKey, Certain> = SortedMap::new();
        let one = |call, value, question| {
            let all = answers.get(&Mark { call, value, question })?;
            all.first().filter(|it| all.len() == 1 && is_shown(it))
        };
        for Mark { call, value, question } in answers.keys() {
            let Some(key) = self.asked.get(*call).filter(|_| *question == Question::Declared)
            else {
                continue;
            };
            let Some(declared) = one(*call, *value, Question::Declared) else { continue };
            let certain = found.entry(key.clone()).or_default();
            let alone = one(*call, *value, Question::Alone);
            let around = one(*call, *value, Question::Around);
            // A declaration that leaves open what the value leaves open adds nothing.
            if alone == Some(declared) || around == Some(declared) && is_whole(declared) {
                certain.values.insert(*value);
            }
            certain.is_referent |= *value == Value::Receiver
                && alone.is_some_and(|it| referent(it) == referent(declared));
        }
        found
    }
}

/// The marks in a text, each with its line.
fn marks(text: &str) -> Vec<(u32, Mark)> {
    let lines = LineIndex::new(text);
    let read = |(at, _): (usize, &str)| {
        let mark = text[at + 2..].split_once("*/")?.0;
        let mut parts = mark.split(':');
        let call = parts.next()?.parse().ok()?;
        let value = match parts.next()? {
            "self" => Value::Receiver,
            "result" => Value::Result,
            number => Value::Argument(number.parse().ok()?),
        };
        let name = parts.next()?;
        let question = Question::ALL.into_iter().find(|it| it.name() == name)?;
        Some((lines.line_of(at), Mark { call, value, question }))
    };
    text.match_indices("/*").filter_map(read).collect()
}

/// The types that mismatches name, by file and line; with `true` those that a place expects.
fn types_by_line(
    diagnostics: &[Diagnostic],
) -> SortedMap<(ProjectPath, u32, bool), SortedSet<String>> {
    let mut found: SortedMap<_, SortedSet<String>> = SortedMap::new();
    for diagnostic in diagnostics.iter().filter(|it| it.code.as_deref() == Some("E0308")) {
        let Some(primary) = diagnostic.primary() else { continue };
        let Some(path) = primary.place.project() else { continue };
        let label = |it: &DiagnosticSpan| it.label.clone().unwrap_or_default();
        let own = diagnostic.spans.iter().find_map(|it| between(&label(it), "has type `"));
        let expected = between(&label(primary), "expected `")
            .filter(|_| label(primary).ends_with("found `()`"));
        for (ty, is_expected) in [(own, false), (expected, true)] {
            let Some(ty) = ty else { continue };
            let key = (path.clone(), primary.start.line, is_expected);
            found.entry(key).or_default().insert(plain_type(&ty));
        }
    }
    found
}

/// The type that a reference refers to; another type as it is.
fn referent(ty: &str) -> &str {
    let Some(rest) = ty.strip_prefix('&') else { return ty };
    rest.strip_prefix("mut ").unwrap_or(rest)
}

/// The quoted text after a beginning.
fn between(label: &str, begin: &str) -> Option<String> {
    let rest = label.split_once(begin)?.1;
    Some(rest.split_once('`')?.0.to_owned())
}

/// Whether a type is named without a part that is left out or has no name.
fn is_shown(ty: &str) -> bool {
    let is_hidden = |it: &str| matches!(it, "..." | "impl" | "closure" | "fn");
    !ty.is_empty() && !tokens(ty).iter().any(|it| is_hidden(it.text))
}

/// Whether no part of a type is open.
fn is_whole(ty: &str) -> bool {
    !tokens(ty).iter().any(|it| matches!(it.text, "_" | "{"))
}
