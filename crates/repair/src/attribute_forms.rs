//! Reasoner: attributes in the wrong form, and the `repr` that discriminants need (E0539, E0565, E0710,
//! E0732).

use base::{ByteSpan, Diagnostic};
use edit::Files;
use preserve::outline::{ElementKind, Outline, TokenKind};

use crate::fix::{Proposal, guesses};
use crate::marked::{
    Marked, after_attributes, element_around, indent_at, insert, labelled, replace, token_at,
};
use crate::{Fix, Reasoner};

/// For an attribute in the wrong form: `#[repr(C)]` for `#[repr = "C"]` and `#[repr("C")]`, `note =
/// "…"` for `note("…")`, the tool with a similar name for an unknown one in a lint. For an enum
/// whose discriminants need it: `#[repr(isize)]`, the type that they have without it.
pub(crate) struct AttributeForms;

/// Tools that have lints.
const TOOLS: &[&str] = &["clippy", "rustdoc", "rustfmt", "rustc", "miri", "rust_analyzer"];

impl Reasoner for AttributeForms {
    fn name(&self) -> &'static str {
        "attribute-forms"
    }

    fn propose(&self, diagnostics: &[Diagnostic], files: &dyn Files) -> Vec<Fix> {
        guesses(self, diagnostics, |it| {
            let proposal = match it.code.as_deref()? {
                "E0539" => list(it, files).or_else(|| named_value(it, files)),
                "E0565" | "E0777" => unquoted(it, files),
                "E0710" => tool(it, files),
                "E0732" => representation(it, files),
                _ => None,
            };
            Some(vec![proposal?])
        })
    }
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// `("C")` for `= "C"`, without quotes.
fn list(diagnostic: &Diagnostic, files: &dyn Files) -> Option<Proposal> {
    let marked = Marked::of(labelled(diagnostic, "expected this to be a list")?, files)?;
    let value = marked.slice().trim().strip_prefix('=')?.trim();
    let name = value.strip_prefix('"')?.strip_suffix('"').filter(|it| is_name(it))?;
    let start = marked.text.get(..marked.span.start)?.trim_end().len();
    let span = ByteSpan::new(start, marked.span.end);
    let splice = replace(span, &format!("({name})"));
    Some(marked.proposal(vec![splice], "write the value in parentheses".to_owned()))
}

/// `note = "…"` for `note("…")`.
fn named_value(diagnostic: &Diagnostic, files: &dyn Files) -> Option<Proposal> {
    let marked = Marked::of(labelled(diagnostic, "expected this to be of the form `")?, files)?;
    let (name, value) = marked.slice().strip_suffix(')')?.split_once('(')?;
    let is_string = value.trim().len() > 1 && value.trim().starts_with('"');
    if !is_name(name.trim()) || !is_string || !value.trim().ends_with('"') {
        return None;
    }
    let splice = replace(marked.span, &format!("{} = {}", name.trim(), value.trim()));
    Some(marked.proposal(vec![splice], "write the value after `=`".to_owned()))
}

/// Names in an attribute without quotes.
fn unquoted(diagnostic: &Diagnostic, files: &dyn Files) -> Option<Proposal> {
    let marked = Marked::primary(diagnostic, files)?;
    let outline = Outline::of(&marked.text);
    let range = token_at(&outline, marked.span.start)..token_at(&outline, marked.span.end);
    let splices: Vec<_> = range
        .filter(|at| matches!(outline.before(*at, 1), "(" | ","))
        .filter_map(|at| {
            let token = outline.tokens.get(at).filter(|it| it.kind == TokenKind::Literal)?;
            let name = token.text.strip_prefix('"')?.strip_suffix('"')?;
            is_name(name).then(|| replace(token.span, name))
        })
        .collect();
    if splices.is_empty() {
        return None;
    }
    Some(marked.proposal(splices, "write the name without quotes".to_owned()))
}

/// The tool that is meant.
fn tool(diagnostic: &Diagnostic, files: &dyn Files) -> Option<Proposal> {
    let marked = Marked::primary(diagnostic, files)?;
    let written = marked.slice();
    let mut near: Vec<(usize, &str)> = TOOLS
        .iter()
        .map(|it| (strsim::osa_distance(written, it), *it))
        .filter(|(distance, it)| *distance <= 2 && distance * 3 <= it.len())
        .collect();
    near.sort_unstable();
    let (_, tool) = *near.first().filter(|first| near.get(1).is_none_or(|it| it.0 > first.0))?;
    let rationale = format!("name the tool `{tool}`");
    Some(marked.proposal(vec![replace(marked.span, tool)], rationale))
}

/// The type of discriminants, which is `isize` if none is written.
fn representation(diagnostic: &Diagnostic, files: &dyn Files) -> Option<Proposal> {
    let marked = Marked::primary(diagnostic, files)?;
    let outline = Outline::of(&marked.text);
    let item = element_around(&outline, ElementKind::Item, token_at(&outline, marked.span.start))?;
    let has_repr = outline
        .attributes
        .iter()
        .any(|it| (item.start..item.head).contains(&it.name) && outline.text(it.name) == "repr");
    if has_repr {
        return None;
    }
    let at = outline.tokens.get(after_attributes(&outline, item))?.span.start;
    let indent = indent_at(&marked.text, at);
    let rationale = "write the type of the discriminants, `isize` by default".to_owned();
    Some(marked.proposal(vec![insert(at, &format!("#[repr(isize)]\n{indent}"))], rationale))
}

#[cfg(test)]
mod tests {
    use crate::AttributeForms;
    use crate::fake::{FakeError, check};

    fn form(text: &str, at: &str, label: &str, expected: &[&str]) {
        let error = FakeError::new("E0539", "malformed attribute").at("«#[»").label(at, label);
        check(&AttributeForms, text, &[error], expected);
    }

    #[test]
    fn a_value_is_written_as_the_attribute_wants_it() {
        let label = "expected this to be a list";
        form("#[repr = \"u8\"]\nenum E {}", "«= \"u8\"»", label, &["#[repr(u8)]\nenum E {}"]);
        form("#[repr = \"a b\"]\nenum E {}", "«= \"a b\"»", label, &[]);
        let label = "expected this to be of the form `since = \"...\"`";
        form(
            "#[deprecated(since(\"1.2\"))]\nfn f() {}",
            "«since(\"1.2\")»",
            label,
            &["#[deprecated(since = \"1.2\")]\nfn f() {}"],
        );
        form("#[deprecated(since)]\nfn f() {}", "«since»", label, &[]);
    }

    #[test]
    fn a_name_in_quotes_is_a_name() {
        let error = |at: &str| FakeError::new("E0565", "meta item must be an identifier").at(at);
        check(
            &AttributeForms,
            "#[repr(\"C\", \"packed\")]\nstruct S;",
            &[error("«#[repr(\"C\", \"packed\")]»")],
            &["#[repr(C, packed)]\nstruct S;"],
        );
        check(&AttributeForms, "#[x(\"a-b\")]\nstruct S;", &[error("«#[x(\"a-b\")]»")], &[]);
    }

    #[test]
    fn a_similar_tool_is_meant() {
        let error = |at: &str| FakeError::new("E0710", "unknown tool name").at(at);
        check(
            &AttributeForms,
            "#[deny(rustdocs::bare_urls)]\nfn f() {}",
            &[error("«rustdocs»::")],
            &["#[deny(rustdoc::bare_urls)]\nfn f() {}"],
        );
        check(&AttributeForms, "#[deny(dylint::x)]\nfn f() {}", &[error("«dylint»::")], &[]);
    }

    #[test]
    fn discriminants_keep_their_type() {
        let error = || FakeError::new("E0732", "must be specified").at("«enum E»");
        check(
            &AttributeForms,
            "#[derive(Debug)]\npub enum E { A(u8) = 1 }",
            &[error()],
            &["#[derive(Debug)]\n#[repr(isize)]\npub enum E { A(u8) = 1 }"],
        );
        check(&AttributeForms, "#[repr(C)]\nenum E { A(u8) = 1 }", &[error()], &[]);
    }
}
