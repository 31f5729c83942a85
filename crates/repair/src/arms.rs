//! Reasoner: the missing arms of a match (E0004), with bodies that follow the existing arms.

use base::{ByteSpan, Diagnostic};
use edit::{Files, Splice};

use crate::fix::{Proposal, guesses, text_of};
use crate::signature::separated;
use crate::sourceless::sourceless;
use crate::stub::{Stub, stubs};
use crate::{Fix, Reasoner};
use preserve::outline::Outline;

/// For a match that is not exhaustive: the compiler's stub of the missing arms, with bodies that
/// follow the existing arms. If all of these do nothing, so does the new one; otherwise it returns
/// the variant's payload, calls it with the arguments that the other arms pass, or propagates the
/// failure. In the `source` of an error, a variant without an error has none. Before all of these: the
/// arm that its siblings have in common ([`change::missing_arms`]); after them a draft with holes.
pub(crate) struct Arms;

impl Reasoner for Arms {
    fn name(&self) -> &'static str {
        "arms"
    }

    fn propose(&self, diagnostics: &[Diagnostic], files: &dyn Files) -> Vec<Fix> {
        guesses(self, diagnostics, |it| {
            let (mut found, holes) = like_siblings(it, files);
            let stubs = stubs(it, "E0004").into_iter();
            found.extend(stubs.flat_map(|stub| proposals(&stub, it, files).unwrap_or_default()));
            found.extend(holes);
            Some(found)
        })
    }
}

/// Placeholder for a body in the compiler's stub.
const STUB_BODY: &str = "todo!()";
/// Name bound to the payload of a variant.
const PAYLOAD: &str = "value";

/// The arms as their siblings have them, and as a draft those with holes.
fn like_siblings(error: &Diagnostic, files: &dyn Files) -> (Vec<Proposal>, Option<Proposal>) {
    let read = |path: &base::ProjectPath| text_of(files, path);
    let Some(missing) = change::missing_arms(error, &read, Some(&|_, _| true)) else {
        return (Vec::new(), None);
    };
    let is_draft = !missing.holes.is_empty();
    let rationale = missing.to_string();
    let (path, splices) = (missing.path, missing.splices);
    let proposal = Proposal { path, splices, rationale, guesses: Vec::new() };
    if is_draft { (Vec::new(), Some(proposal)) } else { (vec![proposal], None) }
}

fn proposals(stub: &Stub<'_>, error: &Diagnostic, files: &dyn Files) -> Option<Vec<Proposal>> {
    let text = text_of(files, stub.path)?;
    let outline = Outline::of(&text);
    let sibling_bodies = change::arm_bodies(&outline, stub.at);
    let parts: Vec<&str> = stub.text.split(STUB_BODY).collect();
    let (rest, heads) = parts.split_last()?;
    if heads.is_empty() {
        return None;
    }
    let bodies: Vec<&str> = sibling_bodies.iter().filter_map(|span| span.slice(&text)).collect();
    let sourceless = sourceless(stub, &text, &bodies, error, files);
    let mut proposals: Vec<Proposal> = sourceless.into_iter().collect();
    let mut add = |why: &'static str, fill: &dyn Fn(&str) -> Option<(String, String)>| {
        let mut insert = String::new();
        let mut guessed = Vec::new();
        for head in heads {
            let Some((head, body)) = fill(head) else { return };
            insert.push_str(&head);
            guessed.push(ByteSpan::new(insert.len(), insert.len() + body.len()));
            insert.push_str(&body);
        }
        insert.push_str(rest);
        let splice = Splice { span: stub.at, insert };
        if !proposals.iter().any(|it| it.splices[0] == splice) {
            let rationale = format!("add the missing arm: {why}");
            proposals.push(Proposal::new(stub.path, splice, rationale).guessing(guessed));
        }
    };
    let does_nothing = |body: &&str| body.split_whitespace().collect::<String>() == "{}";
    if !bodies.is_empty() && bodies.iter().all(|it| does_nothing(it) || *it == "()") {
        let nothing = bodies[0].to_owned();
        add("it does nothing, like the others", &|head| Some((head.to_owned(), nothing.clone())));
    }
    add("it returns the payload", &|head| Some((bind_payload(head, PAYLOAD)?, PAYLOAD.to_owned())));
    add("it returns the dereferenced payload", &|head| {
        Some((bind_payload(head, PAYLOAD)?, format!("*{PAYLOAD}")))
    });
    if let Some(arguments) = same_arguments(&outline, &text, &sibling_bodies) {
        add("it calls the payload as the others do", &|head| {
            Some((bind_payload(head, PAYLOAD)?, format!("{PAYLOAD}{arguments}")))
        });
    }
    for keyword in ["", "return "] {
        add("it propagates the failure", &|head| {
            let pattern = head.trim_start_matches([',', ' ', '\n']).trim_start_matches('&');
            let pattern = pattern.trim_end().trim_end_matches("=>").trim_end();
            match pattern {
                "None" => Some((head.to_owned(), format!("{keyword}None"))),
                "Err(_)" => Some((bind_payload(head, "error")?, format!("{keyword}Err(error)"))),
                _ => None,
            }
        });
    }
    Some(proposals)
}

/// The pattern with a name for its only payload.
fn bind_payload(head: &str, name: &str) -> Option<String> {
    let named = head.replacen("(_)", &format!("({name})"), 1);
    (named != head && !named.contains('_')).then_some(named)
}

/// The argument list, `(a, b)`, if all bodies that are a single call have the same one.
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
    use crate::fake::{FakeError, check};

    fn missing(text: &str, draft: &str, expected: &[&str]) {
        let at = text.find('|').unwrap();
        let text = text.replace('|', "");
        let before = text[..at].to_owned();
        let error = FakeError::new("E0004", "non-exhaustive patterns").at("«x»").help(
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
    fn an_arm_beside_empty_arms_is_empty() {
        missing("fn f() { match x { A => {}| } }", ",\nB => todo!()", &[",\nB => {}"]);
        missing(
            "fn f() { match x { A => {}| } }",
            ",\nB => todo!(),\nC => todo!()",
            &[",\nB => {},\nC => {}"],
        );
        missing("fn f() { match x { A => {}, C => g()| } }", ",\nB => todo!()", &[]);
    }

    #[test]
    fn a_payload_is_returned_or_called() {
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
    fn a_failure_is_propagated() {
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
