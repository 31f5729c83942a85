//! For [`Arms`](crate::Arms): the arms of an error's `source` for variants that contain no error.

use base::Diagnostic;
use edit::{Files, Splice};
use preserve::outline::{Token, TokenKind, tokens};
use syntax::places::{Definition, DefinitionKind, PartKind, places};

use crate::fix::{Proposal, text_of};
use crate::stub::Stub;

/// Types that are no errors, nor made of any.
const PLAIN: &[&str] = &[
    "bool", "char", "f32", "f64", "i8", "i16", "i32", "i64", "i128", "isize", "str", "u8", "u16",
    "u32", "u64", "u128", "usize", "String", "static",
];

/// The stub with `None` for bodies, in the `source` or `cause` of an error whose other arms have it:
/// if all missing variants contain nothing but numbers and texts, there is no error to return.
pub(crate) fn sourceless(
    stub: &Stub<'_>,
    text: &str,
    bodies: &[&str],
    error: &Diagnostic,
    files: &dyn Files,
) -> Option<Proposal> {
    let all = places(text);
    let function = all.function_at(stub.at.start)?;
    let is_source = matches!(function.name.as_str(), "source" | "cause")
        && function.of_trait.as_deref() == Some("Error");
    if !is_source || !bodies.contains(&"None") {
        return None;
    }
    let note = error.children.iter().find(|it| it.message.ends_with(" defined here"))?;
    let owner = note.message.split('`').nth(1)?.rsplit("::").next()?.split('<').next()?;
    let mut defined = note.spans.iter().filter_map(|it| it.place.project());
    let home = text_of(files, defined.next()?)?;
    let definitions = places(&home).definitions;
    let is_sourceless = |name: &str| {
        let mut variants = definitions.iter().filter(|it| {
            it.kind == DefinitionKind::Variant && it.owner == owner && it.name == name
        });
        variants.next().is_some_and(|it| is_plain(it, &definitions, &home))
    };
    let heads = heads(stub.text)?;
    let names = heads.iter().flat_map(|it| it.split(" | ")).map(variant);
    let mut count = 0;
    for name in names {
        count += 1;
        name.filter(|it| is_sourceless(it))?;
    }
    (count > 0).then(|| {
        let insert = stub.text.replace("todo!()", "None");
        let rationale = "add the missing arm: the variant contains no error".to_owned();
        Proposal::new(stub.path, Splice { span: stub.at, insert }, rationale)
    })
}

/// The patterns of the missing arms.
fn heads(stub: &str) -> Option<Vec<&str>> {
    let mut parts: Vec<&str> = stub.split("todo!()").collect();
    parts.pop()?;
    let pattern = |it: &&str| it.rsplit_once("=>").is_some();
    parts.iter().all(pattern).then_some(parts)
}

/// The variant that a pattern names: the last name before its parts.
fn variant(pattern: &str) -> Option<&str> {
    let words = tokens(pattern);
    let path = words.iter().skip_while(|it| !is_name(it));
    let path = path.take_while(|it| is_name(it) || it.is("::"));
    path.filter(|it| is_name(it)).last().map(|it| it.text)
}

fn is_name(it: &Token<'_>) -> bool {
    it.kind == TokenKind::Word && it.text != "_"
}

/// Whether all parts of a variant have plain types.
fn is_plain(variant: &Definition, all: &[Definition], text: &str) -> bool {
    let owner = format!("{}::{}", variant.owner, variant.name);
    let fields = all.iter().filter(|it| it.kind == DefinitionKind::Field && it.owner == owner);
    let parts = fields.flat_map(|it| &it.parts).filter(|it| it.kind == PartKind::Type);
    let parts = parts.chain(variant.parts.iter().filter(|it| it.kind == PartKind::Parameter));
    parts.map(|it| it.ty.unwrap_or(it.span)).all(|span| {
        let ty = span.slice(text).unwrap_or("?");
        tokens(ty).iter().all(|it| {
            let is_number = it.text.starts_with(|it: char| it.is_ascii_digit());
            let is_mark = ["(", ")", "[", "]", ",", ";", "&"].contains(&it.text);
            is_mark || is_number || PLAIN.contains(&it.text.trim_start_matches('\''))
        })
    })
}

#[cfg(test)]
mod tests {
    use crate::Arms;
    use crate::fake::{FakeError, check};

    /// The body added to the match of an error's method for the new variant.
    fn added(variant: &str, pattern: &str, method: &str, arms: &str, expected: &[&str]) {
        let text = format!(
            "enum E {{ A(u8), W(Inner), {variant} }}\nimpl Error for E {{ fn {method}(&self) -> O {{ match x {{ {arms} }} }} }}"
        );
        let error = FakeError::new("E0004", "non-exhaustive patterns")
            .at("match «x»")
            .note("`E` defined here", &[("enum «E»", true)])
            .help("ensure", &format!("{arms}«»"), &format!(",\n{pattern} => todo!()"));
        let arm = |body: &&str| text.replace(arms, &format!("{arms},\n{body}"));
        let expected: Vec<String> = expected.iter().map(arm).collect();
        let expected: Vec<&str> = expected.iter().map(String::as_str).collect();
        check(&Arms, &text, &[error], &expected);
    }

    const ARMS: &str = "E::A(_) => None, E::W(ref e) => Some(e)";

    #[test]
    fn a_variant_of_numbers_and_texts_has_no_source() {
        for (variant, pattern) in [
            ("B", "E::B"),
            ("B((u32, [u8; 4]), &'static str)", "&E::B(_, _)"),
            ("B { at: usize, why: String }", "E::B { .. }"),
            ("B, C { at: char }", "E::B | E::C { .. }"),
        ] {
            let arm = format!("{pattern} => None");
            added(variant, pattern, "source", ARMS, &[&arm]);
            added(variant, pattern, "cause", ARMS, &[&arm]);
        }
    }

    #[test]
    fn other_variants_methods_and_matches_are_left() {
        added("B(Inner, u8)", "E::B(_, _)", "source", ARMS, &[]);
        added("B { of: Inner }", "E::B { .. }", "source", ARMS, &[]);
        added("B, C(Inner, u8)", "E::B | E::C(_, _)", "source", ARMS, &[]);
        added("B", "E::B", "code", ARMS, &[]);
        added("B", "E::B", "source", "E::A(_) => other(), E::W(ref e) => Some(e)", &[]);
        added("B", "_", "source", ARMS, &[]);
    }
}
