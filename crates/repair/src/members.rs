use base::{Applicability, ByteSpan, Diagnostic};
use edit::{Files, Splice};

use crate::phase::errors;
use crate::signature::{Signature, behind_generics, span_of};
use crate::stub::{Stub, stubs};
use crate::{Fix, Reasoner};
use preserve::outline::{Outline, TokenKind, tokens};

/// For a trait's method that an impl lacks: a body that hands the work on to what the type has
/// already and that takes and gives the same – a method of its own or of a trait that it is bound
/// by, a field, or the same method of what it wraps.
pub struct Members;

/// So many bodies are worth a proof.
const MOST: usize = 6;

impl Reasoner for Members {
    fn name(&self) -> &'static str {
        "members"
    }

    fn propose(&self, diagnostics: &[Diagnostic], files: &dyn Files) -> Vec<Fix> {
        let mut fixes = Vec::new();
        for (seed, diagnostic) in errors(diagnostics) {
            if diagnostic.code.as_deref() != Some("E0046") {
                continue;
            }
            for stub in stubs(diagnostic) {
                for (text, name, call) in bodies(diagnostic, &stub, files).unwrap_or_default() {
                    let splice = Splice { span: stub.at, insert: text };
                    fixes.push(Fix {
                        splices: vec![(stub.path.clone(), splice)],
                        rationale: format!("implement `{name}` by `{call}`"),
                        applicability: Applicability::Unspecified,
                        reasoner: self.name(),
                        seed,
                    });
                }
            }
        }
        fixes
    }
}

/// The method to be written.
struct Wanted {
    /// Its head, up to the brace, with a name for each parameter.
    head: String,
    name: String,
    takes: Vec<String>,
    gives: String,
    arguments: Vec<String>,
}

/// The header of an impl: whose it is, and which names its bounds hold.
struct Owner {
    name: String,
    bounds: Vec<String>,
    /// `type X = T`, as words.
    types: Vec<(String, String)>,
}

fn bodies(
    diagnostic: &Diagnostic,
    stub: &Stub<'_>,
    files: &dyn Files,
) -> Option<Vec<(String, String, String)>> {
    let text = files.read(stub.path).ok().flatten()?.text;
    let outline = Outline::of(&text);
    let header = diagnostic.primary().filter(|it| it.expansion.is_none())?;
    let owner = owner(&outline, header.bytes)?;
    let wanted = wanted(diagnostic, stub, &text, &owner)?;
    let mut calls = Vec::new();
    same_methods(&outline, &text, &owner, &wanted, &mut calls);
    if wanted.arguments.is_empty() {
        fields_given(&outline, &text, &owner, &wanted, &mut calls);
    }
    handed_on(&outline, &text, &owner, &wanted, &mut calls);
    let mut distinct: Vec<String> = Vec::new();
    for call in calls {
        if !distinct.contains(&call) {
            distinct.push(call);
        }
    }
    distinct.truncate(MOST);
    let indent: String = {
        let line = text.get(..header.bytes.start)?.rfind('\n').map_or(0, |at| at + 1);
        text.get(line..)?.chars().take_while(|c| *c == ' ' || *c == '\t').collect()
    };
    let laid_out = |call: String| {
        let Wanted { head, name, .. } = &wanted;
        let method = format!("{indent}    {head} {{\n{indent}        {call}\n{indent}    }}\n");
        (method, name.clone(), call)
    };
    Some(distinct.into_iter().map(laid_out).collect())
}

/// Reads `impl<…> Trait for Type where …` and what stands in its braces.
fn owner(outline: &Outline<'_>, header: ByteSpan) -> Option<Owner> {
    let start = outline.tokens.iter().position(|it| it.span.start >= header.start)?;
    let start = (start..start + 4).find(|at| outline.text(*at) == "impl")?;
    let mut open = behind_generics(outline, start + 1)?;
    let mut of = None;
    let mut is_type = true;
    while let Some(token) = outline.tokens.get(open) {
        match token.text {
            "{" => break,
            "for" => of = None,
            "where" => is_type = false,
            "<" => {
                open = behind_generics(outline, open)?;
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
            let words = words(outline.tokens[at + 3..end].iter().map(|it| it.text), &[], name);
            Some((outline.text(at + 1).to_owned(), words))
        })
        .collect();
    Some(Owner {
        name: name.to_owned(),
        bounds: outline.tokens[start..open].iter().map(|it| it.text.to_owned()).collect(),
        types,
    })
}

/// The head of the method: as the trait of this project writes it where the compiler points there,
/// else as the compiler drafts it.
fn wanted(diagnostic: &Diagnostic, stub: &Stub<'_>, text: &str, owner: &Owner) -> Option<Wanted> {
    let (drafted, _) = stub.text.split_once("{ todo!() }")?;
    let name = tokens(drafted).windows(2).find(|two| two[0].is("fn")).map(|two| two[1].text)?;
    let told = format!("`{name}` from trait");
    let declared = diagnostic.spans.iter().find(|it| {
        it.label.as_deref() == Some(told.as_str()) && it.place.project() == Some(stub.path)
    });
    let declared = declared.and_then(|it| it.bytes.slice(text)).map(|it| it.trim_end_matches(';'));
    let head = declared.filter(|it| it.starts_with("fn ")).unwrap_or(drafted).trim();
    let head = named_parameters(&own_types(head));
    let outline = Outline::of(&head);
    let at = outline.tokens.iter().position(|it| it.is(name))?;
    let signature = Signature::of(&outline, at)?;
    // What belongs to no value is not handed on to one.
    signature.parameters.first().filter(|it| it.is_receiver)?;
    let others = || signature.parameters.iter().filter(|it| !it.is_receiver);
    let takes = others().map(|it| said(&head, it.of, owner)).collect();
    let arguments = others().map(|it| it.name.clone()).collect::<Vec<_>>();
    let gives = signature.gives.map_or(String::new(), |it| said(&head, it, owner));
    let is_named = arguments.iter().all(|it| !it.is_empty());
    is_named.then(|| Wanted { name: name.to_owned(), takes, gives, arguments, head: head.clone() })
}

/// `Self::Output` for `<Self as Add<S>>::Output`: the trait need not be in scope then.
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
        let behind = close.map_or(rest.len(), |close| at + close + 1);
        own.push_str(&rest[..at]);
        own.push_str("Self");
        rest = &rest[behind..];
    }
    own.push_str(rest);
    own
}

/// The head with a name for what is `_` in it.
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

/// A type as words that can be compared.
fn said(text: &str, span: ByteSpan, owner: &Owner) -> String {
    let tokens = tokens(span.slice(text).unwrap_or(""));
    words(tokens.iter().map(|it| it.text), &owner.types, &owner.name)
}

/// Without lifetimes; `Self` by its name, its types by what they are.
fn words<'t>(
    tokens: impl Iterator<Item = &'t str>,
    types: &[(String, String)],
    of: &str,
) -> String {
    let kept: Vec<&str> = tokens.filter(|it| !it.starts_with('\'')).collect();
    let mut said: Vec<String> = Vec::new();
    let mut at = 0;
    while at < kept.len() {
        let rest = &kept[at..];
        let (name, taken) = match rest {
            ["Self", "::", name, ..] => (Some(*name), 3),
            ["Self", ..] => (None, 1),
            _ => {
                said.push(rest[0].to_owned());
                at += 1;
                continue;
            }
        };
        match name {
            None => said.push(of.to_owned()),
            Some(name) => {
                let known = types.iter().find(|(it, _)| it == name);
                said.push(known.map_or_else(|| format!("Self::{name}"), |(_, it)| it.clone()));
            }
        }
        at += taken;
    }
    // `Vec<>` is what is left of a lifetime.
    said.join(" ").replace(" < >", "")
}

/// Methods of the type, or of a trait that it is bound by, that take and give the same.
fn same_methods(
    outline: &Outline<'_>,
    text: &str,
    owner: &Owner,
    wanted: &Wanted,
    calls: &mut Vec<String>,
) {
    let mut found: Vec<(usize, String)> = Vec::new();
    for at in 0..outline.tokens.len() {
        if outline.text(at) != "fn" || outline.text(at + 1) == wanted.name {
            continue;
        }
        let Some(signature) = Signature::of(outline, at + 1) else { continue };
        if !signature.parameters.first().is_some_and(|it| it.is_receiver)
            || !belongs(outline, at, owner)
        {
            continue;
        }
        let takes: Vec<String> = (signature.parameters.iter())
            .filter(|it| !it.is_receiver)
            .map(|it| said(text, it.of, owner))
            .collect();
        let gives = signature.gives.map_or(String::new(), |it| said(text, it, owner));
        if takes == wanted.takes && gives == wanted.gives {
            let name = outline.text(at + 1);
            let call = format!("self.{name}({})", wanted.arguments.join(", "));
            found.push((unlike(name, &wanted.name), call));
        }
    }
    found.sort();
    calls.extend(found.into_iter().map(|(_, call)| call));
}

/// Whether the function stands in an impl of the type, or in a trait among its bounds.
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

/// How many letters two names do not share at their beginnings and ends.
fn unlike(a: &str, b: &str) -> usize {
    let front = a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count();
    let back = a.bytes().rev().zip(b.bytes().rev()).take_while(|(a, b)| a == b).count();
    a.len().max(b.len()).saturating_sub(front + back)
}

/// The fields of the type, where the file declares it: name and type.
fn fields(outline: &Outline<'_>, text: &str, owner: &Owner) -> Vec<(String, String)> {
    let declared = (0..outline.tokens.len())
        .find(|at| outline.text(*at) == "struct" && outline.text(at + 1) == owner.name);
    let Some(open) = declared.and_then(|at| behind_generics(outline, at + 2)) else {
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
                let behind = match (is_open, outline.text(start + 1)) {
                    (true, "(") => outline.close[start + 1] + 1,
                    (true, _) => start + 1,
                    _ => start,
                };
                (number.to_string(), behind)
            }
            _ => continue,
        };
        if let Some(of) = span_of(outline, from, end) {
            fields.push((name, said(text, of, owner)));
        }
    }
    fields
}

/// Fields that are what the method gives.
fn fields_given(
    outline: &Outline<'_>,
    text: &str,
    owner: &Owner,
    wanted: &Wanted,
    calls: &mut Vec<String>,
) {
    for (name, of) in fields(outline, text, owner) {
        if of == wanted.gives {
            calls.push(format!("self.{name}"));
        } else if wanted.gives.strip_prefix("& mut ").is_some_and(|it| it == of) {
            calls.push(format!("&mut self.{name}"));
        } else if wanted.gives.strip_prefix("& ").is_some_and(|it| it == of) {
            calls.push(format!("&self.{name}"));
        }
    }
}

/// The same method of what the type lends out by `as_…`, or of the one thing that it holds.
fn handed_on(
    outline: &Outline<'_>,
    text: &str,
    owner: &Owner,
    wanted: &Wanted,
    calls: &mut Vec<String>,
) {
    let arguments = wanted.arguments.join(", ");
    for at in 0..outline.tokens.len() {
        let lends = outline.text(at) == "fn" && outline.text(at + 1).starts_with("as_");
        if lends
            && belongs(outline, at, owner)
            && Signature::of(outline, at + 1)
                .is_some_and(|it| it.parameters.len() == 1 && it.parameters[0].is_receiver)
        {
            let accessor = outline.text(at + 1);
            calls.push(format!("self.{accessor}().{}({arguments})", wanted.name));
        }
    }
    if let [(only, _)] = fields(outline, text, owner).as_slice() {
        calls.push(format!("self.{only}.{}({arguments})", wanted.name));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::straw::{Straw, check};

    /// `|` stands where the method goes; `bodies` are what it may hold.
    fn lacks(text: &str, header: &str, draft: &str, from: Option<&str>, methods: &[&str]) {
        let at = text.find('|').unwrap();
        let text = text.replace('|', "");
        let mut error = Straw::new("E0046", "not all trait items implemented").at(header).help(
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
    fn a_method_that_takes_and_gives_the_same_does_the_work() {
        lacks(
            "impl S { fn with(&self, o: &S) -> S {} fn union(&self, o: Self) -> Self {} fn f(o: S) -> S {} }\nimpl Add for S {\ntype Output = Self;\n|}",
            "«impl Add for S» {",
            "fn add(self, _: S) -> <Self as Add<S>>::Output",
            None,
            &["fn add(self, other: S) -> Self::Output = self.union(other)"],
        );
    }

    #[test]
    fn a_trait_among_the_bounds_does_the_work_and_the_traits_own_words_are_taken() {
        lacks(
            "trait A { type O; fn to_a(&self) -> Self::O; }\ntrait B { type O; fn to_b(&self) -> Self::O; }\nimpl<T: ?Sized + A> B for T {\n|}",
            "«impl<T: ?Sized + A> B for T» {",
            "fn to_b(&self) -> <Self as ToOwned>::Owned",
            Some("«fn to_b(&self) -> Self::O;» }"),
            &["fn to_b(&self) -> Self::O = self.to_a()"],
        );
    }

    #[test]
    fn a_field_of_the_right_type_is_given() {
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
    fn what_is_lent_out_or_wrapped_does_the_work() {
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
