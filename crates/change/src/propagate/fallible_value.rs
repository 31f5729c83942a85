//! The value of a function that has become fallible, as a success: `Ok(value)`, or `Ok(())` as the last
//! line of a body without a value.

use base::{ByteSpan, DiagnosticSpan};
use edit::Splice;
use refactor::{PlacedText, indent_of};
use syntax::places::{Definition, DefinitionKind};

use super::Marked;
use super::fallible_callers::Turned;
use super::tails::{Ends, tails};
use super::wrapper::{returned, wrapped, wrapper_of};
use crate::project::has_word;

impl Turned<'_, '_> {
    /// The constructor of a success.
    fn success(&self) -> &'static str {
        if self.wrapper == "Result" { "Ok" } else { "Some" }
    }

    /// For an error in the function itself: its value as a success.
    pub(super) fn own_value(&self, text: &PlacedText, marked: &Marked<'_>) -> Option<Vec<Splice>> {
        let own = text.function_at(marked.span.start)?;
        if own.name != self.of.name || own.owner != self.of.owner {
            return None;
        }
        let label = |it: &DiagnosticSpan| it.label.clone().unwrap_or_default();
        let mut spans = marked.error.spans.iter().filter(|it| it.primary);
        match marked.error.code.as_deref()? {
            // `return;`.
            "E0069" if text.slice(marked.span) == "return" => {
                let insert = format!(" {}(())", self.success());
                Some(vec![inserted(marked.span.end, insert)])
            }
            "E0308" if spans.any(|it| label(it).starts_with("implicitly returns")) => None,
            "E0308" if own.body.is_some_and(|it| it.contains(marked.span)) => {
                self.own_mismatch(text, own, marked)
            }
            // `…collect()` of plain values, which was the value.
            "E0277" if marked.error.message.contains("cannot be built from an iterator") => {
                let (made, of) = marked.error.message.split_once("cannot be built")?;
                let is_ours = has_word(made, self.wrapper) && !has_word(of, self.wrapper);
                let ends = own.body.map_or_else(Vec::new, |it| tails(&text.text, it));
                let value = ends.into_iter().find(|it| it.contains(marked.span))?;
                is_ours.then(|| self.wrap(value))
            }
            "E0308" => {
                let body = own.body.filter(|_| own.head.contains(marked.span))?;
                Some(vec![self.unit_at_end(text, body)?])
            }
            _ => None,
        }
    }

    /// For a value in the body that is not of the type: as a success, or a success after it.
    fn own_mismatch(
        &self,
        text: &PlacedText,
        own: &Definition,
        marked: &Marked<'_>,
    ) -> Option<Vec<Splice>> {
        let labels = || {
            let primary = marked.error.spans.iter().filter(|it| it.primary);
            primary.filter_map(|it| it.label.as_deref())
        };
        let is_ours = labels().any(|it| {
            let expected = it.split_once("found").map_or("", |it| it.0);
            has_word(expected, self.wrapper) && !it.contains("found `Result<")
        });
        if !is_ours {
            return None;
        }
        let is_unit = labels().any(|it| it.contains("found `()`"));
        if let Some(splice) = self.unit_after(text, own.body?, marked.span, is_unit) {
            return Some(vec![splice]);
        }
        let values = self.plain_values(text, own, marked.span);
        Some(values.into_iter().flat_map(|it| self.wrap(it)).collect())
    }

    /// A value as a success.
    fn wrap(&self, value: ByteSpan) -> Vec<Splice> {
        let start = inserted(value.start, format!("{}(", self.success()));
        vec![start, inserted(value.end, ")".to_owned())]
    }

    /// The values with which the body ends and that are no success or failure yet, if `marked` is one of
    /// them, else that one: the compiler reports the first arm or branch alone.
    fn plain_values(&self, text: &PlacedText, own: &Definition, marked: ByteSpan) -> Vec<ByteSpan> {
        let ends = own.body.map_or_else(Vec::new, |it| tails(&text.text, it));
        if !ends.contains(&marked) {
            return vec![marked];
        }
        let is_plain =
            |it: &ByteSpan| *it == marked || !is_never(text, *it) && !self.is_wrapped(text, *it);
        ends.into_iter().filter(is_plain).collect()
    }

    /// Whether a value is a success or a failure as it is.
    fn is_wrapped(&self, text: &PlacedText, value: ByteSpan) -> bool {
        let made = if self.wrapper == "Result" { ["Ok(", "Err("] } else { ["Some(", "None"] };
        let written = text.slice(value);
        let call = text.places.uses.iter().find(|it| it.span == value);
        made.iter().any(|it| written.starts_with(it))
            || call.is_some_and(|it| it.name == self.of.name || self.returns_wrapper(&it.name))
    }

    /// Whether every function of that name in the project returns the wrapper.
    pub(super) fn returns_wrapper(&self, name: &str) -> bool {
        let texts = self.project.with_word(name);
        let of_name = |it: &&Definition| it.kind == DefinitionKind::Function && it.name == name;
        let mut types = texts.iter().flat_map(|text| {
            let functions = text.places.definitions.iter().filter(of_name);
            functions.map(|it| wrapper_of(returned(text, it)))
        });
        let mut types = types.by_ref().peekable();
        types.peek().is_some() && types.all(|it| it == Some(self.wrapper))
    }

    /// `Ok(())` after the last expression of a body that has no value, for an error at that expression,
    /// at a branch of it or at the whole body (of an `async fn`); in the branch where another one has a
    /// success or a failure already. `is_unit`: what is marked has the type `()`.
    fn unit_after(
        &self,
        text: &PlacedText,
        body: ByteSpan,
        marked: ByteSpan,
        is_unit: bool,
    ) -> Option<Splice> {
        if wrapped(self.to)?.1 != "()" {
            return None;
        }
        let ends = Ends::of(&text.text, body);
        let rest = text.slice(ByteSpan::new(marked.end, body.end));
        let Some(last) = ends.last else {
            return (marked == body).then(|| self.unit_at_end(text, body)).flatten();
        };
        let is_end = |it: &ByteSpan| it.end == marked.end && marked.contains(*it);
        let is_branch = ends.blocks.iter().chain(&ends.values).any(is_end);
        let is_break = text.slice(marked) == "break" && last.contains(marked);
        let is_last = rest.trim() == "}" || marked == body;
        if !is_last && !(is_unit && (is_branch || is_break)) {
            return None;
        }
        let has_other = ends.values.iter().any(|it| *it != marked && self.is_wrapped(text, *it));
        if marked != last && marked != body && has_other {
            let block = ends.blocks.iter().find(|it| **it == marked)?;
            return self.unit_at_end(text, *block);
        }
        let end = if text.slice(last).ends_with('}') { "" } else { ";" };
        let line = line_in(text, body, indent_of(&text.text, last.start));
        Some(inserted(last.end, format!("{end}{line}{}(())", self.success())))
    }

    /// `Ok(())` as the last line of a block that ends with a statement.
    fn unit_at_end(&self, text: &PlacedText, block: ByteSpan) -> Option<Splice> {
        let inner = text.slice(block).strip_suffix('}')?.trim_end();
        let end = block.start + inner.len();
        let indent = indent_of(&text.text, end);
        let indent = if inner == "{" { format!("{indent}    ") } else { indent.to_owned() };
        let line = line_in(text, block, &indent);
        Some(inserted(end, format!("{line}{}(())", self.success())))
    }
}

fn inserted(at: usize, insert: String) -> Splice {
    Splice { span: ByteSpan::new(at, at), insert }
}

/// The space before a new last expression of a block: a line of its own, unless the block is one line.
fn line_in(text: &PlacedText, block: ByteSpan, indent: &str) -> String {
    match text.slice(block).contains('\n') {
        true => format!("\n{indent}"),
        false => " ".to_owned(),
    }
}

/// Whether an expression never has a value.
fn is_never(text: &PlacedText, value: ByteSpan) -> bool {
    const NEVER: [&str; 4] = ["return", "break", "continue", "loop"];
    const STOPS: [&str; 6] =
        ["panic!", "todo!", "unimplemented!", "unreachable!", "bail!", "compile_error!"];
    let written = text.slice(value);
    let is_word =
        |word: &&str| written.strip_prefix(*word).is_some_and(|it| !it.starts_with(base::is_word));
    STOPS.iter().any(|it| written.starts_with(it)) || NEVER.iter().any(is_word)
}
