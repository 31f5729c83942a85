//! [`colours`]: the tokens of a text by what an editor shows them as. Total: any text has them.

use base::ByteSpan;
use ra_ap_parser::LexedStr;

use crate::tokens::{EDITION, Kind};

/// What a token is shown as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenColour {
    /// A keyword.
    Keyword,
    /// A name that begins with a capital: of a type, a variant or a constant.
    Type,
    /// A name that is called as a macro.
    Macro,
    /// A string, byte or character.
    Text,
    /// A number.
    Number,
    /// A comment.
    Comment,
    /// A lifetime or label.
    Lifetime,
}

/// The coloured tokens of a text, in order; what is between them has no colour.
pub fn colours(text: &str) -> Vec<(ByteSpan, TokenColour)> {
    let lexed = LexedStr::new(EDITION, text);
    let mut found = Vec::new();
    for idx in 0..lexed.len() {
        let next = (idx + 1 < lexed.len()).then(|| lexed.kind(idx + 1));
        let Some(colour) = colour(lexed.kind(idx), lexed.text(idx), next) else { continue };
        let range = lexed.text_range(idx);
        found.push((ByteSpan::new(range.start, range.end), colour));
    }
    found
}

fn colour(kind: Kind, text: &str, next: Option<Kind>) -> Option<TokenColour> {
    Some(match kind {
        Kind::COMMENT => TokenColour::Comment,
        Kind::INT_NUMBER | Kind::FLOAT_NUMBER => TokenColour::Number,
        Kind::STRING | Kind::BYTE_STRING | Kind::C_STRING | Kind::CHAR | Kind::BYTE => {
            TokenColour::Text
        }
        Kind::LIFETIME_IDENT => TokenColour::Lifetime,
        Kind::IDENT if next == Some(Kind::BANG) => TokenColour::Macro,
        Kind::IDENT if text.starts_with(char::is_uppercase) => TokenColour::Type,
        kind if kind.is_keyword(EDITION) => TokenColour::Keyword,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_have_the_colours_of_an_editor() {
        let text = "pub fn f<'a>(x: &'a Vec<u8>) { println!(\"a{}\", 1.5); } // end\n\"open";
        let shown: Vec<String> = colours(text)
            .into_iter()
            .map(|(span, colour)| format!("{colour:?} {}", &text[span.start..span.end]))
            .collect();
        assert_eq!(
            shown,
            [
                "Keyword pub",
                "Keyword fn",
                "Lifetime 'a",
                "Lifetime 'a",
                "Type Vec",
                "Macro println",
                "Text \"a{}\"",
                "Number 1.5",
                "Comment // end",
                "Text \"open",
            ]
        );
    }
}
