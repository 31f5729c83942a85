//! Reasoner: values for the missing fields of a struct literal (E0063), from variables in scope and
//! other literals of the struct.

use base::{ByteSpan, Diagnostic};
use edit::{Files, Splice};

use crate::fix::{Proposal, guesses, text_of};
use crate::signature::{separated, span_of};
use crate::{Fix, Reasoner};
use preserve::outline::{Outline, TokenKind, is_keyword, tokens};

/// For a struct literal with missing fields: the values that the nearest other literals of the
/// struct in the file give them; before that, variables in scope named like the fields.
pub(crate) struct Fields;

/// Maximum number of proposals.
const MAX_PROPOSALS: usize = 4;

impl Reasoner for Fields {
    fn name(&self) -> &'static str {
        "fields"
    }

    fn propose(&self, diagnostics: &[Diagnostic], files: &dyn Files) -> Vec<Fix> {
        guesses(self, diagnostics, |it| proposals(it, files))
    }
}

/// Token indices of the braces of a struct literal.
struct StructLiteral {
    open: usize,
    close: usize,
}

fn proposals(diagnostic: &Diagnostic, files: &dyn Files) -> Option<Vec<Proposal>> {
    let missing =
        missing(&diagnostic.message).filter(|_| diagnostic.code.as_deref() == Some("E0063"))?;
    let span = diagnostic.primary().filter(|it| it.expansion.is_none())?;
    let path = span.place.project()?;
    let text = text_of(files, path)?;
    let outline = Outline::of(&text);
    let at = outline.tokens.iter().position(|it| it.span.start >= span.bytes.start)?;
    let literal = struct_literal(&outline, at)?;
    let name = outline.before(literal.open, 1).to_owned();
    let mut others: Vec<(usize, StructLiteral)> = (0..outline.tokens.len())
        .filter(|at| outline.text(*at) == name && *at + 1 != literal.open)
        .filter(|at| is_expression(&outline, *at))
        .filter_map(|at| Some((at.abs_diff(literal.open), struct_literal(&outline, at)?)))
        .filter(|(_, it)| it.open != literal.open)
        .collect();
    others.sort_by_key(|(distance, it)| (*distance, it.open));
    let mut values: Vec<Vec<String>> = Vec::new();
    if missing.iter().all(|field| is_in_scope(&outline, literal.open, field)) {
        values.push(missing.iter().map(|field| (*field).to_owned()).collect());
    }
    for (_, other) in &others {
        let found: Option<Vec<String>> =
            missing.iter().map(|field| value_of(&outline, &text, other, field)).collect();
        let is_fit = |values: &Vec<String>| {
            values.iter().all(|it| uses_known_names(&outline, literal.open, it))
        };
        if let Some(found) = found.filter(|it| !values.contains(it)).filter(is_fit) {
            values.push(found);
        }
    }
    values.truncate(MAX_PROPOSALS);
    let fill = |values: Vec<String>| {
        let insert = values.join(", ");
        let rationale = format!("initialize the missing field as elsewhere: `{insert}`");
        let splice = insertion(&outline, &text, &literal, &values);
        let guessed = copied(&splice.insert, &values);
        Proposal::new(path, splice, rationale).guessing(guessed)
    };
    Some(values.into_iter().map(fill).collect())
}

/// The names in ``missing fields `a`, `b` and `c` in initializer of `S` ``; `None` if some are left
/// out.
fn missing(message: &str) -> Option<Vec<&str>> {
    let (list, _) = message.strip_prefix("missing field")?.split_once(" in initializer")?;
    if list.contains("other field") {
        return None;
    }
    let names: Vec<&str> = list.split('`').skip(1).step_by(2).collect();
    (!names.is_empty()).then_some(names)
}

/// The struct literal whose path begins at this token.
fn struct_literal(outline: &Outline<'_>, at: usize) -> Option<StructLiteral> {
    let mut open = at;
    let mut depth = 0_usize;
    loop {
        match outline.text(open) {
            "{" if depth == 0 => break,
            "<" => depth += 1,
            ">" => depth = depth.checked_sub(1)?,
            "::" | "," | "&" => {}
            _ if outline.tokens.get(open)?.is_solid() => {}
            _ => return None,
        }
        open += 1;
        // A longer one is no path.
        if open > at + 24 {
            return None;
        }
    }
    let close = *outline.close.get(open)?;
    (open > at && close > open && close < outline.tokens.len())
        .then_some(StructLiteral { open, close })
}

/// Whether the name is part of an expression rather than of a declaration or an impl.
fn is_expression(outline: &Outline<'_>, at: usize) -> bool {
    let mut start = at;
    while outline.before(start, 1) == "::" && start >= 2 {
        start -= 2;
    }
    !matches!(
        outline.before(start, 1),
        "struct"
            | "enum"
            | "union"
            | "trait"
            | "mod"
            | "impl"
            | "for"
            | "->"
            | ">"
            | "let"
            | ":"
            | "dyn"
    )
}

/// The field's text in another literal: `field: value`, or `field` alone.
fn value_of(
    outline: &Outline<'_>,
    text: &str,
    other: &StructLiteral,
    field: &str,
) -> Option<String> {
    let parts = separated(outline, other.open + 1, other.close);
    let (start, end) = parts.into_iter().find(|(start, _)| outline.text(*start) == field)?;
    let whole = span_of(outline, start, end)?;
    let is_given = start + 1 == end || outline.text(start + 1) == ":";
    is_given.then(|| whole.slice(text).map(str::to_owned))?
}

/// The token where the surrounding function begins.
fn function_around(outline: &Outline<'_>, at: usize) -> usize {
    (0..at).rev().find(|at| outline.text(*at) == "fn").unwrap_or(0)
}

/// Whether the surrounding function has a variable of this name before the literal.
fn is_in_scope(outline: &Outline<'_>, open: usize, field: &str) -> bool {
    (function_around(outline, open)..open).any(|at| {
        outline.text(at) == field
            && !matches!(outline.before(at, 1), "." | "::" | "'")
            && (matches!(outline.before(at, 1), "let" | "mut" | "ref" | "|")
                || outline.text(at + 1) == ":" && matches!(outline.before(at, 1), "(" | ","))
    })
}

/// Whether all variables of the value, taken from elsewhere, are names of this function too.
fn uses_known_names(outline: &Outline<'_>, open: usize, value: &str) -> bool {
    let start = function_around(outline, open);
    let value_tokens = tokens(value);
    let text = |at: Option<usize>| at.and_then(|at| value_tokens.get(at)).map_or("", |it| it.text);
    // The first word is the name of the field.
    let is_short = text(Some(1)) != ":";
    value_tokens.iter().enumerate().skip(usize::from(!is_short)).all(|(at, token)| {
        let is_variable = token.kind == TokenKind::Word
            && token.text.starts_with(|c: char| c.is_lowercase() || c == '_')
            && !is_keyword(token.text)
            && !matches!(token.text, "true" | "false")
            && !matches!(text(at.checked_sub(1)), "." | "::" | "|")
            && !matches!(text(Some(at + 1)), "(" | "::" | "!" | ":");
        !is_variable || (start..open).any(|it| outline.text(it) == token.text)
    })
}

/// The values in the inserted text that come from another literal, without the names of the fields. A
/// field alone is a variable of its name.
fn copied(insert: &str, values: &[String]) -> Vec<ByteSpan> {
    let mut at = 0;
    let mut found = Vec::new();
    for value in values {
        let Some(start) = insert.get(at..).and_then(|it| it.find(value.as_str())) else { break };
        let start = at + start;
        at = start + value.len();
        let after = value.split_once(':').map(|(_, it)| it.trim_start()).unwrap_or("");
        if !after.is_empty() {
            found.push(ByteSpan::new(at - after.len(), at));
        }
    }
    found
}

/// Inserts the values after the last field, in the layout of the literal.
fn insertion(
    outline: &Outline<'_>,
    text: &str,
    literal: &StructLiteral,
    values: &[String],
) -> Splice {
    let last = literal.close - 1;
    let end = outline.tokens[last].span.end;
    let first = outline.tokens[literal.open + 1].span.start;
    let opened = outline.tokens[literal.open].span.end;
    let is_empty = last == literal.open;
    let between = if is_empty { "" } else { text.get(opened..first).unwrap_or(" ") };
    let comma = if is_empty || outline.text(last) == "," { "" } else { "," };
    let gap = if between.is_empty() { " " } else { between };
    let mut insert = String::from(comma);
    for (idx, value) in values.iter().enumerate() {
        insert.push_str(if idx > 0 { "," } else { "" });
        insert.push_str(gap);
        insert.push_str(value);
    }
    if gap.contains('\n') {
        insert.push(',');
    } else if is_empty {
        insert.push(' ');
    }
    Splice { span: ByteSpan::new(end, end), insert }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fake::{FakeError, check};

    fn error(fields: &str) -> FakeError {
        let many = if fields.contains("and") { "s" } else { "" };
        FakeError::new("E0063", &format!("missing field{many} {fields} in initializer of `S<_>`"))
            .at("«S» { a: 1 }")
    }

    #[test]
    fn a_field_gets_the_value_of_the_nearest_literal() {
        check(
            &Fields,
            "struct S { a: u8, b: u8 }\nimpl S { fn f() -> S { S { a: 2, b: g(3, 4) } } }\nfn h() { m::S::<u8> { b: 5, a: 2 } }\nfn k() { S { a: 1 } }",
            &[error("`b`")],
            &[
                "struct S { a: u8, b: u8 }\nimpl S { fn f() -> S { S { a: 2, b: g(3, 4) } } }\nfn h() { m::S::<u8> { b: 5, a: 2 } }\nfn k() { S { a: 1, b: 5 } }",
                "struct S { a: u8, b: u8 }\nimpl S { fn f() -> S { S { a: 2, b: g(3, 4) } } }\nfn h() { m::S::<u8> { b: 5, a: 2 } }\nfn k() { S { a: 1, b: g(3, 4) } }",
            ],
        );
    }

    #[test]
    fn a_variable_named_like_the_field_comes_first() {
        check(
            &Fields,
            "fn k(b: u8) { let c = b; S { a: 1 } }",
            &[error("`b` and `c`")],
            &["fn k(b: u8) { let c = b; S { a: 1, b, c } }"],
        );
    }

    #[test]
    fn a_value_with_unknown_names_is_no_evidence() {
        check(
            &Fields,
            "fn g() { S { b: h(n), a: 2 } } fn i(&self) { S { b: self.b, a: 2 } } fn m() { S { b, a: 2 } } fn k() { S { a: 1 } }",
            &[error("`b`")],
            &[],
        );
    }

    #[test]
    fn the_layout_of_lines_is_kept() {
        let text = "fn g() { S { b: 2 } }\nfn k() {\n    S {\n        a: 1,\n    }\n}";
        let error = FakeError::new("E0063", "missing field `b` in initializer of `S`")
            .at("«S» {\n        a: 1,");
        let fixed =
            "fn g() { S { b: 2 } }\nfn k() {\n    S {\n        a: 1,\n        b: 2,\n    }\n}";
        check(&Fields, text, &[error], &[fixed]);
    }

    #[test]
    fn without_evidence_nothing_is_proposed() {
        check(&Fields, "struct S { a: u8, b: u8 } fn k() { S { a: 1 } }", &[error("`b`")], &[]);
        check(&Fields, "fn k(b: u8) { S { a: 1 } }", &[error("`b`, `c` and 1 other field")], &[]);
    }
}
