//! Reasoner: `?` whose error does not convert: the only variant that contains it.

use base::Diagnostic;
use edit::Files;
use preserve::outline::{Element, ElementKind, Outline, TokenKind};

use crate::conversions::quoted_after;
use crate::fix::{Proposal, guesses};
use crate::marked::{Marked, element_around, insert, token_at};
use crate::signature::span_of;
use crate::{Fix, Reasoner};

/// For `?` whose error does not convert to that of the function: `.map_err(E::Variant)?`, if the
/// enum `E` has exactly one variant that contains this error.
pub(crate) struct ErrorVariant;

impl Reasoner for ErrorVariant {
    fn name(&self) -> &'static str {
        "error-variant"
    }

    fn propose(&self, diagnostics: &[Diagnostic], files: &dyn Files) -> Vec<Fix> {
        guesses(self, diagnostics, |it| Some(vec![proposal(it, files)?]))
    }
}

fn proposal(diagnostic: &Diagnostic, files: &dyn Files) -> Option<Proposal> {
    diagnostic.code.as_deref().filter(|it| *it == "E0277")?;
    diagnostic.message.strip_prefix("`?` couldn't convert the error to `")?;
    let marked = Marked::primary(diagnostic, files).filter(|it| it.slice() == "?")?;
    let note =
        diagnostic.children.iter().find(|it| it.message.contains("needs to implement `From<"))?;
    let source = quoted_after(&note.message, "needs to implement ")?;
    let source = source.strip_prefix("From<")?.strip_suffix('>')?;
    let declared = Marked::of(note.spans.first()?, files)?;
    let outline = Outline::of(&declared.text);
    let item =
        element_around(&outline, ElementKind::Item, token_at(&outline, declared.span.start))?;
    let name = outline.item_name(item);
    if outline.before(name, 1) != "enum" {
        return None;
    }
    let holds = |it: &&Element| {
        it.kind == ElementKind::Variant
            && (item.start..item.end).contains(&it.start)
            && payload(&outline, &declared, it).is_some_and(|of| is_same(of, source))
    };
    let mut variants = outline.elements.iter().filter(holds);
    let (variant, None) = (variants.next()?, variants.next()) else { return None };
    let variant = format!("{}::{}", outline.text(name), outline.text(variant.head));
    let splice = insert(marked.span.start, &format!(".map_err({variant})"));
    Some(marked.proposal(vec![splice], format!("convert the error to `{variant}`")))
}

/// The type of the only field of a tuple variant.
fn payload<'m>(
    outline: &Outline<'_>,
    declared: &'m Marked<'_>,
    variant: &Element,
) -> Option<&'m str> {
    let open = variant.head + 1;
    let close = *outline.close.get(open).filter(|_| outline.text(open) == "(")?;
    let start = match outline.text(open + 1) {
        "#" => outline.close.get(open + 2)? + 1,
        _ => open + 1,
    };
    span_of(outline, start, close)?.slice(&declared.text)
}

/// Whether the written type may be `full`: the same, or the end of its path.
fn is_same(written: &str, full: &str) -> bool {
    let solid = |text: &str| -> Vec<String> {
        let outline = Outline::of(text);
        let paths = outline.tokens.iter().filter(|it| it.kind != TokenKind::Lifetime);
        paths.map(|it| it.text.to_owned()).collect()
    };
    let (written, full) = (solid(written), solid(full));
    let shorter = written.len().min(full.len());
    let is_end = written[written.len() - shorter..] == full[full.len() - shorter..];
    // Generic arguments are compared whole, since only the end of a path may be left out.
    let at = |tokens: &[String]| tokens.get(tokens.len().wrapping_sub(shorter + 1)).cloned();
    is_end && shorter > 0 && [at(&written), at(&full)].into_iter().flatten().all(|it| it == "::")
}

#[cfg(test)]
mod tests {
    use crate::ErrorVariant;
    use crate::fake::{FakeError, check};

    fn converts(variants: &str, source: &str, expected: Option<&str>) {
        let text = |tail: &str| {
            format!("enum Fail {{ {variants} }}\nfn f() -> Result<u8, Fail> {{ g(){tail}? }}")
        };
        let error = FakeError::new("E0277", "`?` couldn't convert the error to `Fail`")
            .at("g()«?» }")
            .note(
                &format!("`Fail` needs to implement `From<{source}>`"),
                &[("«enum Fail» {", true)],
            );
        let expected = expected.map(|it| text(&format!(".map_err(Fail::{it})")));
        let expected: Vec<&str> = expected.as_deref().into_iter().collect();
        check(&ErrorVariant, &text(""), &[error], &expected);
    }

    #[test]
    fn the_variant_with_the_error_is_used() {
        converts("Io(io::Error), Fmt(fmt::Error)", "std::io::Error", Some("Io"));
        converts("/// No file.\nIo(#[from] Error), Other(String)", "std::io::Error", Some("Io"));
        converts("A(ParseIntError), B { at: ParseIntError }", "ParseIntError", Some("A"));
        converts("A(Box<Inner>)", "Box<Inner>", Some("A"));
    }

    #[test]
    fn several_or_no_variants_leave_the_choice() {
        converts("Read(io::Error), Write(io::Error)", "std::io::Error", None);
        converts("Io(MyError), Pair(Error, u8)", "std::io::Error", None);
        converts("Text(String)", "str", None);
    }
}
