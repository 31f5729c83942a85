use base::{Applicability, ByteSpan, Diagnostic, ProjectPath};
use edit::{Files, Splice};

use crate::phase::errors;
use crate::signature::{separated, span_of};
use crate::{Fix, Reasoner};
use preserve::outline::{Outline, TokenKind, is_keyword, tokens};

/// For a struct that is made without some of its fields: what stands for them where the same file
/// makes such a struct elsewhere, the nearest first; before that, a name in scope that is the
/// field's.
pub struct Fields;

/// So many other places are worth a proof.
const MOST: usize = 4;

impl Reasoner for Fields {
    fn name(&self) -> &'static str {
        "fields"
    }

    fn propose(&self, diagnostics: &[Diagnostic], files: &dyn Files) -> Vec<Fix> {
        let mut fixes = Vec::new();
        for (seed, diagnostic) in errors(diagnostics) {
            if diagnostic.code.as_deref() != Some("E0063") {
                continue;
            }
            for (path, splice, rationale) in filled(diagnostic, files).unwrap_or_default() {
                fixes.push(Fix {
                    splices: vec![(path, splice)],
                    rationale,
                    applicability: Applicability::Unspecified,
                    reasoner: self.name(),
                    seed,
                });
            }
        }
        fixes
    }
}

/// A struct expression: its fields as ranges of tokens, between these braces.
struct Literal {
    open: usize,
    close: usize,
}

type Filled = (ProjectPath, Splice, String);

fn filled(diagnostic: &Diagnostic, files: &dyn Files) -> Option<Vec<Filled>> {
    let missing = missing(&diagnostic.message)?;
    let span = diagnostic.primary().filter(|it| it.expansion.is_none())?;
    let path = span.place.project()?;
    let text = files.read(path).ok().flatten()?.text;
    let outline = Outline::of(&text);
    let at = outline.tokens.iter().position(|it| it.span.start >= span.bytes.start)?;
    let here = literal(&outline, at)?;
    let name = outline.before(here.open, 1).to_owned();
    let mut others: Vec<(usize, Literal)> = (0..outline.tokens.len())
        .filter(|at| outline.text(*at) == name && *at + 1 != here.open)
        .filter(|at| is_expression(&outline, *at))
        .filter_map(|at| Some((at.abs_diff(here.open), literal(&outline, at)?)))
        .filter(|(_, it)| it.open != here.open)
        .collect();
    others.sort_by_key(|(distance, it)| (*distance, it.open));
    let mut values: Vec<Vec<String>> = Vec::new();
    if missing.iter().all(|field| is_in_scope(&outline, here.open, field)) {
        values.push(missing.iter().map(|field| (*field).to_owned()).collect());
    }
    for (_, other) in &others {
        let found: Option<Vec<String>> =
            missing.iter().map(|field| value_of(&outline, &text, other, field)).collect();
        let is_fit =
            |values: &Vec<String>| values.iter().all(|it| is_known(&outline, here.open, it));
        if let Some(found) = found.filter(|it| !values.contains(it)).filter(is_fit) {
            values.push(found);
        }
    }
    values.truncate(MOST);
    let fill = |values: Vec<String>| {
        let insert = values.join(", ");
        let rationale = format!("give the missing field as elsewhere: `{insert}`");
        (path.clone(), placed(&outline, &text, &here, &values), rationale)
    };
    Some(values.into_iter().map(fill).collect())
}

/// The names in ``missing fields `a`, `b` and `c` in initializer of `S` ``; `None` where not all
/// are told.
fn missing(message: &str) -> Option<Vec<&str>> {
    let (list, _) = message.strip_prefix("missing field")?.split_once(" in initializer")?;
    if list.contains("other field") {
        return None;
    }
    let names: Vec<&str> = list.split('`').skip(1).step_by(2).collect();
    (!names.is_empty()).then_some(names)
}

/// The struct expression whose path begins at this token.
fn literal(outline: &Outline<'_>, at: usize) -> Option<Literal> {
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
        // A path is short.
        if open > at + 24 {
            return None;
        }
    }
    let close = *outline.close.get(open)?;
    (open > at && close > open && close < outline.tokens.len()).then_some(Literal { open, close })
}

/// Whether the name is a value here, not what is declared or implemented.
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

/// The field as the other literal gives it: `field: value`, or `field` alone.
fn value_of(outline: &Outline<'_>, text: &str, other: &Literal, field: &str) -> Option<String> {
    let parts = separated(outline, other.open + 1, other.close);
    let (start, end) = parts.into_iter().find(|(start, _)| outline.text(*start) == field)?;
    let whole = span_of(outline, start, end)?;
    let is_given = start + 1 == end || outline.text(start + 1) == ":";
    is_given.then(|| whole.slice(text).map(str::to_owned))?
}

/// Where the function around a token begins.
fn function_around(outline: &Outline<'_>, at: usize) -> usize {
    (0..at).rev().find(|at| outline.text(*at) == "fn").unwrap_or(0)
}

/// Whether the function around has a name of this kind before the literal.
fn is_in_scope(outline: &Outline<'_>, open: usize, field: &str) -> bool {
    (function_around(outline, open)..open).any(|at| {
        outline.text(at) == field
            && !matches!(outline.before(at, 1), "." | "::" | "'")
            && (matches!(outline.before(at, 1), "let" | "mut" | "ref" | "|")
                || outline.text(at + 1) == ":" && matches!(outline.before(at, 1), "(" | ","))
    })
}

/// Whether all variables of the value, which stands elsewhere, are names of this function too.
fn is_known(outline: &Outline<'_>, open: usize, value: &str) -> bool {
    let start = function_around(outline, open);
    let said = tokens(value);
    let text = |at: Option<usize>| at.and_then(|at| said.get(at)).map_or("", |it| it.text);
    // The first word is the field's name.
    let is_short = text(Some(1)) != ":";
    said.iter().enumerate().skip(usize::from(!is_short)).all(|(at, token)| {
        let is_variable = token.kind == TokenKind::Word
            && token.text.starts_with(|c: char| c.is_lowercase() || c == '_')
            && !is_keyword(token.text)
            && !matches!(token.text, "true" | "false")
            && !matches!(text(at.checked_sub(1)), "." | "::" | "|")
            && !matches!(text(Some(at + 1)), "(" | "::" | "!" | ":");
        !is_variable || (start..open).any(|it| outline.text(it) == token.text)
    })
}

/// The values behind the last field of the literal, laid out as it is.
fn placed(outline: &Outline<'_>, text: &str, here: &Literal, values: &[String]) -> Splice {
    let last = here.close - 1;
    let end = outline.tokens[last].span.end;
    let first = outline.tokens[here.open + 1].span.start;
    let opened = outline.tokens[here.open].span.end;
    let is_empty = last == here.open;
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
    use crate::straw::{Straw, check};

    fn error(fields: &str) -> Straw {
        let many = if fields.contains("and") { "s" } else { "" };
        Straw::new("E0063", &format!("missing field{many} {fields} in initializer of `S<_>`"))
            .at("«S» { a: 1 }")
    }

    #[test]
    fn a_field_is_given_as_the_nearest_other_place_gives_it() {
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
    fn a_name_in_scope_that_is_the_fields_comes_first() {
        check(
            &Fields,
            "fn k(b: u8) { let c = b; S { a: 1 } }",
            &[error("`b` and `c`")],
            &["fn k(b: u8) { let c = b; S { a: 1, b, c } }"],
        );
    }

    #[test]
    fn what_needs_names_that_are_not_here_is_no_evidence() {
        check(
            &Fields,
            "fn g() { S { b: h(n), a: 2 } } fn i(&self) { S { b: self.b, a: 2 } } fn m() { S { b, a: 2 } } fn k() { S { a: 1 } }",
            &[error("`b`")],
            &[],
        );
    }

    #[test]
    fn lines_stay_lines() {
        let text = "fn g() { S { b: 2 } }\nfn k() {\n    S {\n        a: 1,\n    }\n}";
        let error = Straw::new("E0063", "missing field `b` in initializer of `S`")
            .at("«S» {\n        a: 1,");
        let mended =
            "fn g() { S { b: 2 } }\nfn k() {\n    S {\n        a: 1,\n        b: 2,\n    }\n}";
        check(&Fields, text, &[error], &[mended]);
    }

    #[test]
    fn without_evidence_nothing_is_proposed() {
        check(&Fields, "struct S { a: u8, b: u8 } fn k() { S { a: 1 } }", &[error("`b`")], &[]);
        check(&Fields, "fn k(b: u8) { S { a: 1 } }", &[error("`b`, `c` and 1 other field")], &[]);
    }
}
