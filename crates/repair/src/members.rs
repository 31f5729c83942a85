//! Reasoner: a missing trait method (E0046) with a body that delegates to an equal method, to a
//! field or to the wrapped value. Never a `todo!()`.

use base::{ByteSpan, Diagnostic};
use edit::{Files, Splice};

use crate::fix::{Proposal, guesses, text_of};
use crate::signature::{Signature, skip_generics, span_of};
use crate::stub::{Stub, stubs};
use crate::{Fix, Reasoner};
use preserve::outline::{Outline, TokenKind, tokens};

/// For a missing trait method: a body that delegates to a method with the same signature of the
/// type or of a trait in its bounds, to a field, or to the same method of the wrapped value.
pub(crate) struct Members;

/// Maximum number of proposals.
const MAX_PROPOSALS: usize = 6;

impl Reasoner for Members {
    fn name(&self) -> &'static str {
        "members"
    }

    fn propose(&self, diagnostics: &[Diagnostic], files: &dyn Files) -> Vec<Fix> {
        guesses(self, diagnostics, |it| {
            let stubs = stubs(it, "E0046").into_iter();
            Some(stubs.flat_map(|stub| proposals(it, &stub, files).unwrap_or_default()).collect())
        })
    }
}

/// The missing method.
struct MissingMethod {
    /// Its head up to the brace, with a name for each parameter.
    head: String,
    name: String,
    param_types: Vec<String>,
    return_type: String,
    arguments: Vec<String>,
}

/// The header of an impl: its type and the names in its bounds.
struct Owner {
    name: String,
    bounds: Vec<String>,
    /// `type X = T`, normalized.
    types: Vec<(String, String)>,
}

fn proposals(diagnostic: &Diagnostic, stub: &Stub<'_>, files: &dyn Files) -> Option<Vec<Proposal>> {
    let text = text_of(files, stub.path)?;
    let outline = Outline::of(&text);
    let header = diagnostic.primary().filter(|it| it.expansion.is_none())?;
    let owner = owner(&outline, header.bytes)?;
    let missing = missing(diagnostic, stub, &text, &owner)?;
    let mut calls = equal_methods(&outline, &text, &owner, &missing);
    if missing.arguments.is_empty() {
        calls.extend(returned_fields(&outline, &text, &owner, &missing));
    }
    calls.extend(delegations(&outline, &text, &owner, &missing));
    let mut distinct: Vec<String> = Vec::new();
    for call in calls {
        if !distinct.contains(&call) {
            distinct.push(call);
        }
    }
    distinct.truncate(MAX_PROPOSALS);
    let indent: String = {
        let line = text.get(..header.bytes.start)?.rfind('\n').map_or(0, |at| at + 1);
        text.get(line..)?.chars().take_while(|c| *c == ' ' || *c == '\t').collect()
    };
    let proposal = |call: String| {
        let MissingMethod { head, name, .. } = &missing;
        let before = format!("{indent}    {head} {{\n{indent}        ");
        let body = ByteSpan::new(before.len(), before.len() + call.len());
        let insert = format!("{before}{call}\n{indent}    }}\n");
        let rationale = format!("implement `{name}` with `{call}`");
        Proposal::new(stub.path, Splice { span: stub.at, insert }, rationale).guessing([body])
    };
    Some(distinct.into_iter().map(proposal).collect())
}

/// Reads `impl<…> Trait for Type where …` and the associated types in its braces.
fn owner(outline: &Outline<'_>, header: ByteSpan) -> Option<Owner> {
    let start = outline.tokens.iter().position(|it| it.span.start >= header.start)?;
    let start = (start..start + 4).find(|at| outline.text(*at) == "impl")?;
    let mut open = skip_generics(outline, start + 1)?;
    let mut of = None;
    let mut is_type = true;
    while let Some(token) = outline.tokens.get(open) {
        match token.text {
            "{" => break,
            "for" => of = None,
            "where" => is_type = false,
            "<" => {
                open = skip_generics(outline, open)?;
                continue;
            }
            "(" | "[" => open = outline.close[open],
            _ if is_type
                && token.kind == TokenKind::Word
                && !matches!(token.text, "dyn" | "mut") =>
            {
                of = Some(token.text);
            }
            _ => {}
        }
        open += 1;
    }
    let close = *outline.close.get(open)?;
    let name = of?;
    let types = (open..close)
        .filter(|at| outline.text(*at) == "type" && outline.text(at + 2) == "=")
        .filter_map(|at| {
            let end = (at..close).find(|it| outline.text(*it) == ";")?;
            let normalize =
                normalize(outline.tokens[at + 3..end].iter().map(|it| it.text), &[], name);
            Some((outline.text(at + 1).to_owned(), normalize))
        })
        .collect();
    Some(Owner {
        name: name.to_owned(),
        bounds: outline.tokens[start..open].iter().map(|it| it.text.to_owned()).collect(),
        types,
    })
}

/// The head of the method: as the trait declares it if that is in this file, else as in the
/// compiler's stub.
fn missing(
    diagnostic: &Diagnostic,
    stub: &Stub<'_>,
    text: &str,
    owner: &Owner,
) -> Option<MissingMethod> {
    let (drafted, _) = stub.text.split_once("{ todo!() }")?;
    let name = tokens(drafted).windows(2).find(|two| two[0].is("fn")).map(|two| two[1].text)?;
    let label = format!("`{name}` from trait");
    let declared = diagnostic.spans.iter().find(|it| {
        it.label.as_deref() == Some(label.as_str()) && it.place.project() == Some(stub.path)
    });
    let declared = declared.and_then(|it| it.bytes.slice(text)).map(|it| it.trim_end_matches(';'));
    let head = declared.filter(|it| it.starts_with("fn ")).unwrap_or(drafted).trim();
    let head = named_parameters(&own_types(head));
    let outline = Outline::of(&head);
    let at = outline.tokens.iter().position(|it| it.is(name))?;
    let signature = Signature::of(&outline, at)?;
    // A function without a receiver cannot delegate to the value.
    signature.parameters.first().filter(|it| it.is_receiver)?;
    let others = || signature.parameters.iter().filter(|it| !it.is_receiver);
    let param_types = others().map(|it| normalized(&head, it.ty, owner)).collect();
    let arguments = others().map(|it| it.name.clone()).collect::<Vec<_>>();
    let return_type =
        signature.return_type.map_or(String::new(), |it| normalized(&head, it, owner));
    let is_named = arguments.iter().all(|it| !it.is_empty());
    is_named.then(|| MissingMethod {
        name: name.to_owned(),
        param_types,
        return_type,
        arguments,
        head: head.clone(),
    })
}

/// `Self::Output` for `<Self as Add<S>>::Output`: it needs no trait in scope.
fn own_types(head: &str) -> String {
    const OPENED: &str = "<Self as ";
    let mut own = String::with_capacity(head.len());
    let mut rest = head;
    while let Some(at) = rest.find(OPENED) {
        let mut depth = 0_usize;
        let close = rest[at..].find(|c| {
            match c {
                '<' => depth += 1,
                '>' => depth = depth.saturating_sub(1),
                _ => {}
            }
            depth == 0
        });
        let after = close.map_or(rest.len(), |close| at + close + 1);
        own.push_str(&rest[..at]);
        own.push_str("Self");
        rest = &rest[after..];
    }
    own.push_str(rest);
    own
}

/// The head with a name for each `_`.
fn named_parameters(head: &str) -> String {
    let unnamed = head.matches("_: ").count();
    let mut named = String::with_capacity(head.len() + 16);
    let mut rest = head;
    let mut count = 0;
    while let Some(at) = rest.find("_: ") {
        let is_whole = rest[..at].ends_with([' ', '(']);
        named.push_str(&rest[..at]);
        if is_whole {
            count += 1;
            let number = if unnamed == 1 { String::new() } else { count.to_string() };
            named.push_str(&format!("other{number}: "));
        } else {
            named.push_str("_: ");
        }
        rest = &rest[at + 3..];
    }
    named.push_str(rest);
    named
}

/// A type in a normal form that can be compared.
fn normalized(text: &str, span: ByteSpan, owner: &Owner) -> String {
    let tokens = tokens(span.slice(text).unwrap_or(""));
    normalize(tokens.iter().map(|it| it.text), &owner.types, &owner.name)
}

/// Without lifetimes; `Self` and its associated types are replaced by the types they stand for.
fn normalize<'t>(
    tokens: impl Iterator<Item = &'t str>,
    types: &[(String, String)],
    of: &str,
) -> String {
    let kept: Vec<&str> = tokens.filter(|it| !it.starts_with('\'')).collect();
    let mut normalized: Vec<String> = Vec::new();
    let mut at = 0;
    while at < kept.len() {
        let rest = &kept[at..];
        let (name, taken) = match rest {
            ["Self", "::", name, ..] => (Some(*name), 3),
            ["Self", ..] => (None, 1),
            _ => {
                normalized.push(rest[0].to_owned());
                at += 1;
                continue;
            }
        };
        match name {
            None => normalized.push(of.to_owned()),
            Some(name) => {
                let known = types.iter().find(|(it, _)| it == name);
                normalized
                    .push(known.map_or_else(|| format!("Self::{name}"), |(_, it)| it.clone()));
            }
        }
        at += taken;
    }
    // `Vec<>` is the rest of a lifetime argument.
    normalized.join(" ").replace(" < >", "")
}

/// Methods with the same parameter and return types, of the type or of a trait in its bounds.
fn equal_methods(
    outline: &Outline<'_>,
    text: &str,
    owner: &Owner,
    missing: &MissingMethod,
) -> Vec<String> {
    let mut found: Vec<(usize, String)> = Vec::new();
    for at in 0..outline.tokens.len() {
        if outline.text(at) != "fn" || outline.text(at + 1) == missing.name {
            continue;
        }
        let Some(signature) = Signature::of(outline, at + 1) else { continue };
        if !signature.parameters.first().is_some_and(|it| it.is_receiver)
            || !belongs(outline, at, owner)
        {
            continue;
        }
        let param_types: Vec<String> = (signature.parameters.iter())
            .filter(|it| !it.is_receiver)
            .map(|it| normalized(text, it.ty, owner))
            .collect();
        let return_type =
            signature.return_type.map_or(String::new(), |it| normalized(text, it, owner));
        if param_types == missing.param_types && return_type == missing.return_type {
            let name = outline.text(at + 1);
            let call = format!("self.{name}({})", missing.arguments.join(", "));
            found.push((difference(name, &missing.name), call));
        }
    }
    found.sort();
    found.into_iter().map(|(_, call)| call).collect()
}

/// Whether the function is in an impl of the type, or in a trait among its bounds.
fn belongs(outline: &Outline<'_>, at: usize, owner: &Owner) -> bool {
    let around = |open: &usize| outline.text(*open) == "{" && outline.close[*open] > at;
    let Some(open) = (0..at).rev().find(around) else { return false };
    let mut start = open;
    while start > 0 && !matches!(outline.before(start, 1), "}" | ";" | "{" | "]") {
        start -= 1;
    }
    let head: Vec<&str> = outline.tokens[start..open].iter().map(|it| it.text).collect();
    if let Some(keyword) = head.iter().position(|it| *it == "trait") {
        return head.get(keyword + 1).is_some_and(|it| owner.bounds.iter().any(|b| b == it));
    }
    head.contains(&"impl") && head.contains(&owner.name.as_str())
}

/// Length of the part in which two names differ.
fn difference(a: &str, b: &str) -> usize {
    let front = a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count();
    let back = a.bytes().rev().zip(b.bytes().rev()).take_while(|(a, b)| a == b).count();
    a.len().max(b.len()).saturating_sub(front + back)
}

/// Names and types of the fields, if the file declares the type.
fn fields(outline: &Outline<'_>, text: &str, owner: &Owner) -> Vec<(String, String)> {
    let declared = (0..outline.tokens.len())
        .find(|at| outline.text(*at) == "struct" && outline.text(at + 1) == owner.name);
    let Some(open) = declared.and_then(|at| skip_generics(outline, at + 2)) else {
        return Vec::new();
    };
    let Some(close) = outline.close.get(open).copied() else { return Vec::new() };
    let is_tuple = outline.text(open) == "(";
    if !is_tuple && outline.text(open) != "{" {
        return Vec::new();
    }
    let parts = crate::signature::separated(outline, open + 1, close);
    let mut fields = Vec::new();
    for (number, (start, end)) in parts.into_iter().enumerate() {
        let colon = (start..end).find(|at| outline.text(*at) == ":");
        let (name, from) = match colon {
            Some(colon) if !is_tuple => (outline.before(colon, 1).to_owned(), colon + 1),
            None if is_tuple => {
                let is_open = outline.text(start) == "pub";
                let after = match (is_open, outline.text(start + 1)) {
                    (true, "(") => outline.close[start + 1] + 1,
                    (true, _) => start + 1,
                    _ => start,
                };
                (number.to_string(), after)
            }
            _ => continue,
        };
        if let Some(of) = span_of(outline, from, end) {
            fields.push((name, normalized(text, of, owner)));
        }
    }
    fields
}

/// Fields of the returned type.
fn returned_fields(
    outline: &Outline<'_>,
    text: &str,
    owner: &Owner,
    missing: &MissingMethod,
) -> Vec<String> {
    let returned = missing.return_type.as_str();
    let value = |(name, field_type): (String, String)| {
        [("", ""), ("& mut ", "&mut "), ("& ", "&")]
            .into_iter()
            .find(|(prefix, _)| returned.strip_prefix(prefix) == Some(field_type.as_str()))
            .map(|(_, borrow)| format!("{borrow}self.{name}"))
    };
    fields(outline, text, owner).into_iter().filter_map(value).collect()
}

/// The same method of what `as_…` returns, or of the only field.
fn delegations(
    outline: &Outline<'_>,
    text: &str,
    owner: &Owner,
    missing: &MissingMethod,
) -> Vec<String> {
    let arguments = missing.arguments.join(", ");
    let mut calls = Vec::new();
    for at in 0..outline.tokens.len() {
        let lends = outline.text(at) == "fn" && outline.text(at + 1).starts_with("as_");
        if lends
            && belongs(outline, at, owner)
            && Signature::of(outline, at + 1)
                .is_some_and(|it| it.parameters.len() == 1 && it.parameters[0].is_receiver)
        {
            let accessor = outline.text(at + 1);
            calls.push(format!("self.{accessor}().{}({arguments})", missing.name));
        }
    }
    if let [(only, _)] = fields(outline, text, owner).as_slice() {
        calls.push(format!("self.{only}.{}({arguments})", missing.name));
    }
    calls
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fake::{FakeError, check};

    /// `|` marks the position of the missing method; `methods` are the expected ones.
    fn lacks(text: &str, header: &str, draft: &str, from: Option<&str>, methods: &[&str]) {
        let at = text.find('|').unwrap();
        let text = text.replace('|', "");
        let mut error = FakeError::new("E0046", "not all trait items implemented").at(header).help(
            "implement",
            &format!("{}«»", &text[..at]),
            &format!("{draft} {{ todo!() }}\n"),
        );
        if let Some(from) = from {
            let name = tokens(draft)[1].text.to_owned();
            error = error.label(from, &format!("`{name}` from trait"));
        }
        let expected: Vec<String> = methods
            .iter()
            .map(|it| {
                let (head, body) = it.split_once(" = ").unwrap();
                format!("{}    {head} {{\n        {body}\n    }}\n{}", &text[..at], &text[at..])
            })
            .collect();
        check(&Members, &text, &[error], &expected.iter().map(String::as_str).collect::<Vec<_>>());
    }

    #[test]
    fn an_equal_method_is_called() {
        lacks(
            "impl S { fn with(&self, o: &S) -> S {} fn union(&self, o: Self) -> Self {} fn f(o: S) -> S {} }\nimpl Add for S {\ntype Output = Self;\n|}",
            "«impl Add for S» {",
            "fn add(self, _: S) -> <Self as Add<S>>::Output",
            None,
            &["fn add(self, other: S) -> Self::Output = self.union(other)"],
        );
    }

    #[test]
    fn a_trait_among_the_bounds_is_called_and_the_declared_head_is_used() {
        lacks(
            "trait A { type O; fn to_a(&self) -> Self::O; }\ntrait B { type O; fn to_b(&self) -> Self::O; }\nimpl<T: ?Sized + A> B for T {\n|}",
            "«impl<T: ?Sized + A> B for T» {",
            "fn to_b(&self) -> <Self as ToOwned>::Owned",
            Some("«fn to_b(&self) -> Self::O;» }"),
            &["fn to_b(&self) -> Self::O = self.to_a()"],
        );
    }

    #[test]
    fn a_field_of_the_right_type_is_returned() {
        lacks(
            "struct W<'a> { pub w: &'a str, n: Vec<u8> }\nimpl Deref for W<'_> {\ntype Target = str;\n|}",
            "«impl Deref for W<'_>» {",
            "fn deref(&self) -> &<Self as Deref>::Target",
            None,
            &["fn deref(&self) -> &Self::Target = self.w"],
        );
        lacks(
            "struct W(pub(crate) Vec<u8>);\nimpl Deref for W {\ntype Target = Vec<u8>;\n|}",
            "«impl Deref for W» {",
            "fn deref(&self) -> &<Self as Deref>::Target",
            None,
            &[
                "fn deref(&self) -> &Self::Target = &self.0",
                "fn deref(&self) -> &Self::Target = self.0.deref()",
            ],
        );
    }

    #[test]
    fn a_lent_or_wrapped_value_is_called() {
        lacks(
            "struct W(u8);\nimpl W { fn as_str(&self) -> &str {} }\nimpl Hash for W {\n|}",
            "«impl Hash for W» {",
            "fn hash<H>(&self, _: &mut H) where H: Hasher",
            None,
            &[
                "fn hash<H>(&self, other: &mut H) where H: Hasher = self.as_str().hash(other)",
                "fn hash<H>(&self, other: &mut H) where H: Hasher = self.0.hash(other)",
            ],
        );
    }

    #[test]
    fn without_a_receiver_or_evidence_nothing_is_proposed() {
        let text = "trait F { fn f(); }\nimpl F for S {\n|}";
        lacks(text, "«impl F for S» {", "fn f()", None, &[]);
        lacks(text, "«impl F for S» {", "fn f(&self) -> u8", None, &[]);
    }
}
