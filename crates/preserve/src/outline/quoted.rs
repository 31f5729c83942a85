//! The input of macros that quote code: tokens that another crate compiles where a derive or a build script has
//! written them, or text.

use base::ByteSpan;

use super::Outline;

/// Macros whose input is code that another crate compiles, or text.
const QUOTING: &[&str] =
    &["parse_quote", "parse_quote_spanned", "quote", "quote_spanned", STRINGIFY];
/// The one whose input is text.
pub const STRINGIFY: &str = "stringify";

/// The inputs of macros that quote code, with the names of the macros.
pub fn quoting(text: &str) -> Vec<(ByteSpan, &'static str)> {
    if !QUOTING.iter().any(|it| text.contains(it)) {
        return Vec::new();
    }
    let outline = Outline::of(text);
    let mut found = Vec::new();
    for (at, token) in outline.tokens.iter().enumerate() {
        let Some(name) = QUOTING.iter().find(|it| **it == token.text) else { continue };
        let close = outline.close.get(at + 2).and_then(|it| outline.tokens.get(*it));
        if let Some(close) = close.filter(|_| outline.text(at + 1) == "!") {
            found.push((ByteSpan::new(token.span.start, close.span.end), *name));
        }
    }
    found
}
