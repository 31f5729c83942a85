//! Reasoner: a method gets the parameters that its trait declares (E0050, E0185, E0186). Never
//! drops a parameter that the body uses.

use base::{ByteSpan, Diagnostic, DiagnosticSpan, ProjectPath};
use edit::{Files, Splice};
use preserve::outline::{Outline, TokenKind, tokens};

use crate::fix::{Proposal, guesses, text_of};
use crate::signature::{Parameter, Signature, separated, span_of};
use crate::{Fix, Reasoner};

/// For a method that does not fit its trait (E0050, E0185, E0186): the parameters of the trait's
/// declaration, with the names of the method where they fit. A parameter that is new to the method
/// is written `_name`, or `_` for a trait of another crate, of which the compiler prints only the
/// types. One that the body mentions is never dropped.
pub(crate) struct ImplShape;

impl Reasoner for ImplShape {
    fn name(&self) -> &'static str {
        "impl-shape"
    }

    fn propose(&self, diagnostics: &[Diagnostic], files: &dyn Files) -> Vec<Fix> {
        guesses(self, diagnostics, |it| Some(vec![proposal(it, files)?]))
    }
}

fn proposal(diagnostic: &Diagnostic, files: &dyn Files) -> Option<Proposal> {
    if !matches!(diagnostic.code.as_deref(), Some("E0050" | "E0185" | "E0186")) {
        return None;
    }
    let (path, at) = place(diagnostic.primary()?)?;
    let text = text_of(files, path)?;
    let outline = Outline::of(&text);
    let own = function_around(&outline, at)?;
    let declared = match diagnostic.spans.iter().filter(|it| !it.primary).find_map(place) {
        Some((path, at)) => declaration(&text_of(files, path)?, at)?,
        None => {
            let has_receiver = own.parameters.first().is_some_and(|it| it.is_receiver);
            let code = diagnostic.code.as_deref();
            printed(diagnostic, code == Some("E0186") || has_receiver && code == Some("E0050"))?
        }
    };
    let trait_outline = Outline::of(&declared);
    let wanted = function_around(&trait_outline, 0)?;
    if outline.text(own.name) != trait_outline.text(wanted.name) {
        return None;
    }
    let parameters = fitted(&text, &outline, &own, &declared, &wanted)?;
    let open = (own.name..outline.tokens.len()).find(|it| outline.text(*it) == "(")?;
    let close = outline.tokens.get(*outline.close.get(open)?)?;
    let span = ByteSpan::new(outline.tokens[open].span.end, close.span.start);
    let name = outline.text(own.name);
    let splice = Splice { span, insert: parameters };
    Some(Proposal::new(
        path,
        splice,
        format!("give `{name}` the parameters that its trait declares"),
    ))
}

/// The file and first byte of a span in the project.
fn place(span: &DiagnosticSpan) -> Option<(&ProjectPath, usize)> {
    let path = span.place.project().filter(|_| span.expansion.is_none())?;
    Some((path, span.bytes.start))
}

/// The declaration around this byte, from `fn` to `;` or the body.
fn declaration(text: &str, byte: usize) -> Option<String> {
    let outline = Outline::of(text);
    let found = function_around(&outline, byte)?;
    let start = outline.tokens.get(found.name.checked_sub(1)?)?.span.start;
    let end = outline.tokens.get(found.body.start)?.span.start;
    Some(format!("{};", text.get(start..end)?.trim_end_matches(['{', ' ', ';', '\n'])))
}

/// The declaration that a note prints: ``= note: `f` from trait: `fn(&Self, u8) -> u8` ``.
fn printed(diagnostic: &Diagnostic, has_receiver: bool) -> Option<String> {
    let note = diagnostic.children.iter().find_map(|it| it.message.split_once("` from trait: `"));
    let (name, signature) = note?;
    let (name, signature) = (name.trim_start_matches('`'), signature.trim_end_matches('`'));
    let outline = Outline::of(signature);
    let open = (0..outline.tokens.len()).find(|it| outline.text(*it) == "(")?;
    let close = *outline.close.get(open)?;
    let types = separated(&outline, open + 1, close).into_iter();
    let parameters: Option<Vec<String>> = types
        .enumerate()
        .map(|(nth, (from, to))| {
            let ty = span_of(&outline, from, to)?.slice(signature)?;
            Some(match ty {
                "Self" | "&Self" | "&mut Self" if nth == 0 && has_receiver => {
                    ty.replace("Self", "self")
                }
                _ => format!("_: {ty}"),
            })
        })
        .collect();
    Some(format!("fn {name}({});", parameters?.join(", ")))
}

/// The function whose head contains this byte.
pub(crate) fn function_around(outline: &Outline<'_>, byte: usize) -> Option<Signature> {
    let before = outline.tokens.partition_point(|it| it.span.start <= byte);
    let begin = (0..before).rev().find(|it| outline.text(*it) == "fn");
    // A head may begin with qualifiers: `fn` is after the byte then.
    let after = (before..outline.tokens.len().min(before + 6)).find(|it| outline.text(*it) == "fn");
    let holds = |name: usize| {
        let signature = Signature::of(outline, name + 1)?;
        let end = outline.tokens.get(signature.body.start).map_or(usize::MAX, |it| it.span.start);
        (byte < end).then_some(signature)
    };
    begin.and_then(holds).or_else(|| after.and_then(holds))
}

/// The parameters of `wanted`, with the patterns of `own` where name or type are the same; `None`
/// if one would be dropped that the body uses.
fn fitted(
    text: &str,
    outline: &Outline<'_>,
    own: &Signature,
    trait_text: &str,
    wanted: &Signature,
) -> Option<String> {
    let mut left: Vec<&Parameter> = own.parameters.iter().collect();
    let mut take = |fits: &dyn Fn(&Parameter) -> bool| {
        left.iter().position(|it| fits(it)).map(|at| left.remove(at))
    };
    let mut chosen: Vec<Option<&Parameter>> = wanted
        .parameters
        .iter()
        .map(|it| match it.is_receiver {
            true => take(&|own| own.is_receiver),
            false => take(&|own| !own.is_receiver && !own.name.is_empty() && own.name == it.name),
        })
        .collect();
    for (choice, it) in chosen.iter_mut().zip(&wanted.parameters) {
        if choice.is_none() && !it.is_receiver {
            let ty = bare_type(it.ty.slice(trait_text).unwrap_or(""));
            *choice =
                take(&|own| !own.is_receiver && bare_type(own.ty.slice(text).unwrap_or("")) == ty);
        }
    }
    let is_used =
        |it: &&Parameter| own.mentions(outline, if it.is_receiver { "self" } else { &it.name });
    if left.iter().any(is_used) {
        return None;
    }
    let parts = chosen.into_iter().zip(&wanted.parameters).map(|(choice, it)| {
        if let Some(own) = choice {
            return own.span.slice(text).map(str::to_owned);
        }
        let written = it.span.slice(trait_text)?;
        let is_unused = !it.is_receiver && !it.name.is_empty() && !own.mentions(outline, &it.name);
        let mark = if is_unused && !it.name.starts_with('_') { "_" } else { "" };
        Some(format!("{mark}{written}"))
    });
    Some(parts.collect::<Option<Vec<_>>>()?.join(", "))
}

/// A type without the modules of its paths, lifetimes and white space.
fn bare_type(ty: &str) -> String {
    let tokens = tokens(ty);
    let mut bare = String::new();
    for (idx, token) in tokens.iter().enumerate() {
        let is_path = token.is("::") || tokens.get(idx + 1).is_some_and(|it| it.is("::"));
        if !is_path && token.kind != TokenKind::Lifetime {
            bare.push_str(token.text);
        }
    }
    bare.replace("<>", "")
}

#[cfg(test)]
mod tests {
    use crate::ImplShape;
    use crate::fake::{FakeError, check};

    const TRAIT: &str =
        "trait T {\n    fn a(&self, n: usize, s: &str);\n    fn b(&self);\n    fn c(n: u8);\n}\n";

    fn shape(method: &str, error: FakeError, expected: &str) {
        let text = format!("{TRAIT}impl T for S {{\n    {method}\n}}\n");
        let expected = format!("{TRAIT}impl T for S {{\n    {expected}\n}}\n");
        check(&ImplShape, &text, &[error], &[expected.as_str()]);
    }

    #[test]
    fn a_method_gets_the_parameters_of_its_trait() {
        let error = FakeError::new("E0050", "method `a` has 2 parameters")
            .at("fn a(«&self, text: &str»)")
            .label("fn a(«&self, n: usize, s: &str»)", "trait requires 3");
        shape(
            "fn a(&self, text: &str) { g(text) }",
            error,
            "fn a(&self, _n: usize, text: &str) { g(text) }",
        );
    }

    #[test]
    fn a_receiver_is_added_and_an_unused_one_dropped() {
        let error = FakeError::new("E0186", "method `b` has a `&self` declaration in the trait")
            .at("«fn b()» {}")
            .label("«fn b(&self)»;", "`&self` used in trait");
        shape("fn b() {}", error, "fn b(&self) {}");
        let error = FakeError::new("E0185", "method `c` has a `&self` declaration in the impl")
            .at("«fn c(&self, m: u8)» {")
            .label("«fn c(n: u8)»;", "trait method declared without `&self`");
        shape("fn c(&self, m: u8) { g(m) }", error, "fn c(m: u8) { g(m) }");
    }

    #[test]
    fn what_the_body_uses_is_not_dropped() {
        let text = format!("{TRAIT}impl T for S {{\n    fn c(&self, m: u8) {{ self.g(m) }}\n}}\n");
        let error = FakeError::new("E0185", "method `c` has a `&self` declaration in the impl")
            .at("«fn c(&self, m: u8)» {")
            .label("«fn c(n: u8)»;", "trait method declared without `&self`");
        check(&ImplShape, &text, &[error], &[]);
    }

    #[test]
    fn a_trait_of_another_crate_is_read_from_the_note() {
        let error = |code: &str, at: &str, note: &str| {
            FakeError::new(code, "method does not fit").at(at).note(note, &[])
        };
        let note =
            "`fmt` from trait: `fn(&Self, &mut Formatter<'_>) -> Result<(), std::fmt::Error>`";
        check(
            &ImplShape,
            "impl D for S {\n    fn fmt(&self) -> R {\n        Ok(())\n    }\n}\n",
            &[error("E0050", "fmt(«&self»)", note)],
            &[
                "impl D for S {\n    fn fmt(&self, _: &mut Formatter<'_>) -> R {\n        Ok(())\n    }\n}\n",
            ],
        );
        check(
            &ImplShape,
            "impl D for S {\n    fn fmt(&self, f: &mut fmt::Formatter, n: u8) -> R { f.g() }\n}\n",
            &[error("E0050", "fmt(«&self, f: &mut fmt::Formatter, n: u8»)", note)],
            &["impl D for S {\n    fn fmt(&self, f: &mut fmt::Formatter) -> R { f.g() }\n}\n"],
        );
        check(
            &ImplShape,
            "impl Iterator for S {\n    fn next() -> X { None }\n}\n",
            &[error("E0186", "«fn next() -> X»", "`next` from trait: `fn(&mut Self) -> X`")],
            &["impl Iterator for S {\n    fn next(&mut self) -> X { None }\n}\n"],
        );
    }
}
