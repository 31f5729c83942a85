use base::{Applicability, ByteSpan, Diagnostic, ProjectPath};
use edit::{Files, Splice};

use crate::phase::errors;
use crate::signature::{separated, span_of};
use crate::stub::{Stub, stubs};
use crate::{Fix, Reasoner};
use preserve::outline::{ElementKind, Outline};

/// For a match that does not cover all: the compiler's draft of the missing arms, filled in as
/// far as the arms that are there say how. Where all of them do nothing, so does the new one; what
/// a variant holds is the arm's value, or what is called with the arguments that its sisters are
/// called with; what failed is handed on.
pub struct Arms;

impl Reasoner for Arms {
    fn name(&self) -> &'static str {
        "arms"
    }

    fn propose(&self, diagnostics: &[Diagnostic], files: &dyn Files) -> Vec<Fix> {
        let mut fixes = Vec::new();
        for (seed, diagnostic) in errors(diagnostics) {
            if diagnostic.code.as_deref() != Some("E0004") {
                continue;
            }
            for stub in stubs(diagnostic) {
                let filled = filled(&stub, files).unwrap_or_default();
                fixes.extend(filled.into_iter().map(|(path, splice, why)| Fix {
                    splices: vec![(path, splice)],
                    rationale: format!("add the missing arm: {why}"),
                    applicability: Applicability::Unspecified,
                    reasoner: self.name(),
                    seed,
                }));
            }
        }
        fixes
    }
}

/// What stands for `todo!()` in the compiler's draft.
const HOLE: &str = "todo!()";
/// What a variant holds is called so.
const HELD: &str = "value";

fn filled(stub: &Stub<'_>, files: &dyn Files) -> Option<Vec<(ProjectPath, Splice, &'static str)>> {
    let text = files.read(stub.path).ok().flatten()?.text;
    let outline = Outline::of(&text);
    let sisters = sisters(&outline, stub.at)?;
    let parts: Vec<&str> = stub.text.split(HOLE).collect();
    let (rest, heads) = parts.split_last()?;
    if heads.is_empty() {
        return None;
    }
    let mut filled: Vec<(ProjectPath, Splice, &'static str)> = Vec::new();
    let mut add = |why: &'static str, fill: &dyn Fn(&str) -> Option<(String, String)>| {
        let mut insert = String::new();
        for head in heads {
            let Some((head, body)) = fill(head) else { return };
            insert.push_str(&head);
            insert.push_str(&body);
        }
        insert.push_str(rest);
        let splice = Splice { span: stub.at, insert };
        if !filled.iter().any(|(_, it, _)| *it == splice) {
            filled.push((stub.path.clone(), splice, why));
        }
    };
    let bodies: Vec<&str> = sisters.iter().filter_map(|span| span.slice(&text)).collect();
    let does_nothing = |body: &&str| body.split_whitespace().collect::<String>() == "{}";
    if !bodies.is_empty() && bodies.iter().all(|it| does_nothing(it) || *it == "()") {
        let nothing = bodies[0].to_owned();
        add("like the others it does nothing", &|head| Some((head.to_owned(), nothing.clone())));
    }
    add("what was held is the value", &|head| Some((holding(head, HELD)?, HELD.to_owned())));
    add("what was held by reference is the value", &|head| {
        Some((holding(head, HELD)?, format!("*{HELD}")))
    });
    if let Some(arguments) = same_arguments(&outline, &text, &sisters) {
        add("what was held is called as the others are", &|head| {
            Some((holding(head, HELD)?, format!("{HELD}{arguments}")))
        });
    }
    for hand_on in ["", "return "] {
        add("what failed is handed on", &|head| {
            let pattern = head.trim_start_matches([',', ' ', '\n']).trim_start_matches('&');
            let pattern = pattern.trim_end().trim_end_matches("=>").trim_end();
            match pattern {
                "None" => Some((head.to_owned(), format!("{hand_on}None"))),
                "Err(_)" => Some((holding(head, "error")?, format!("{hand_on}Err(error)"))),
                _ => None,
            }
        });
    }
    Some(filled)
}

/// The pattern with a name for the one thing that it holds.
fn holding(head: &str, name: &str) -> Option<String> {
    let named = head.replacen("(_)", &format!("({name})"), 1);
    (named != head && !named.contains('_')).then_some(named)
}

/// The bodies of the arms that stand in the braces that `at` stands in.
fn sisters(outline: &Outline<'_>, at: ByteSpan) -> Option<Vec<ByteSpan>> {
    let holds = |open: &usize| {
        let token = &outline.tokens[*open];
        let close = outline.close[*open];
        token.is("{")
            && token.span.end <= at.start
            && outline.tokens.get(close).is_none_or(|it| at.end <= it.span.start)
    };
    let open = (0..outline.tokens.len()).rev().find(holds)?;
    let close = outline.close[open];
    let arms = outline.elements.iter().filter(|it| {
        it.kind == ElementKind::Arm && open < it.start && it.end <= close && {
            // Not those of a match inside.
            let around = (0..it.start)
                .rev()
                .find(|b| outline.text(*b) == "{" && outline.close[*b] >= it.end);
            around == Some(open)
        }
    });
    let mut bodies = Vec::new();
    for arm in arms {
        let mut body = arm.start;
        while body < arm.end && outline.text(body) != "=>" {
            body = match outline.text(body) {
                "(" | "[" | "{" => outline.close[body].max(body) + 1,
                _ => body + 1,
            };
        }
        let end = if outline.before(arm.end, 1) == "," { arm.end - 1 } else { arm.end };
        bodies.extend(span_of(outline, body + 1, end).filter(|_| body + 1 < end));
    }
    Some(bodies)
}

/// `(a, b)`, where all bodies that are one plain call pass these and there is such a body.
fn same_arguments(outline: &Outline<'_>, text: &str, bodies: &[ByteSpan]) -> Option<String> {
    let mut found: Option<&str> = None;
    for body in bodies {
        let first = outline.tokens.iter().position(|it| it.span.start == body.start)?;
        let mut open = first;
        while outline.tokens.get(open).is_some_and(|it| it.is_solid() || it.is("::")) {
            open += 1;
        }
        let is_call = open > first && outline.text(open) == "(";
        let end = outline.tokens.get(outline.close[open]).map_or(body.end, |it| it.span.end);
        if !is_call
            || end != body.end
            || separated(outline, open + 1, outline.close[open]).is_empty()
        {
            continue;
        }
        let arguments = ByteSpan::new(outline.tokens[open].span.start, end).slice(text)?;
        if found.is_some_and(|it| it != arguments) {
            return None;
        }
        found = Some(arguments);
    }
    found.map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::straw::{Straw, check};

    fn missing(text: &str, draft: &str, expected: &[&str]) {
        let at = text.find('|').unwrap();
        let text = text.replace('|', "");
        let before = text[..at].to_owned();
        let error = Straw::new("E0004", "non-exhaustive patterns").at("«x»").help(
            "ensure that all cases are handled",
            &format!("{before}«»"),
            draft,
        );
        let expected: Vec<String> =
            expected.iter().map(|it| format!("{before}{it}{}", &text[at..])).collect();
        let expected: Vec<&str> = expected.iter().map(String::as_str).collect();
        check(&Arms, &text, &[error], &expected);
    }

    #[test]
    fn an_arm_beside_those_that_do_nothing_does_nothing() {
        missing("fn f() { match x { A => {}| } }", ",\nB => todo!()", &[",\nB => {}"]);
        missing(
            "fn f() { match x { A => {}| } }",
            ",\nB => todo!(),\nC => todo!()",
            &[",\nB => {},\nC => {}"],
        );
        missing("fn f() { match x { A => {}, C => g()| } }", ",\nB => todo!()", &[]);
    }

    #[test]
    fn what_a_variant_holds_is_a_value_or_is_called() {
        missing(
            "fn f() { match x { None => 0| } }",
            ",\nSome(_) => todo!()",
            &[",\nSome(value) => value", ",\nSome(value) => *value"],
        );
        missing(
            "fn f() { match x { A => a(l, match l { _ => 1 }), B => return, C => m::c(l, match l { _ => 1 })| } }",
            ",\n&D::E(_) => todo!()",
            &[
                ",\n&D::E(value) => value",
                ",\n&D::E(value) => *value",
                ",\n&D::E(value) => value(l, match l { _ => 1 })",
            ],
        );
    }

    #[test]
    fn a_failure_is_handed_on() {
        missing(
            "fn f() { match x { Ok(a) => a| } }",
            ",\nErr(_) => todo!()",
            &[
                ",\nErr(value) => value",
                ",\nErr(value) => *value",
                ",\nErr(error) => Err(error)",
                ",\nErr(error) => return Err(error)",
            ],
        );
        missing(
            "fn f() { match x { Some(a) => a| } }",
            ",\nNone => todo!()",
            &[",\nNone => None", ",\nNone => return None"],
        );
    }
}
