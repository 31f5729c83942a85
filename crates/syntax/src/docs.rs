//! Separates doc comments from code.

use crate::lexer::{Lexer, Token};

/// A text, its documentation taken out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Split {
    /// All but the doc comments.
    pub code: String,
    /// The doc comments, outer and inner, with their marks, one behind the other.
    pub docs: String,
}

/// Parts code from doc comments (`///`, `//!`, `/** */`, `/*! */`); what looks like one in a string
/// is none. Other comments are code.
pub fn split_docs(text: &str) -> Split {
    let mut split = Split::default();
    let mut last = 0;
    for (token, start, len) in Lexer::new(text) {
        if token != Token::Doc {
            continue;
        }
        // Comments begin and end between characters: both sides are text.
        split.code.push_str(text.get(last..start).unwrap_or_default());
        split.docs.push_str(text.get(start..start + len).unwrap_or_default());
        split.docs.push('\n');
        last = start + len;
    }
    split.code.push_str(text.get(last..).unwrap_or_default());
    split
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doc_comments_are_parted_from_code_and_strings_are_code() {
        let text = "/// One.\nfn f() { //! Two.\n \"/// no\"; /* no */ /** Drei ä */ g() }\n";
        let split = split_docs(text);
        assert_eq!(split.code, "\nfn f() { \n \"/// no\"; /* no */  g() }\n");
        assert_eq!(split.docs, "/// One.\n//! Two.\n/** Drei ä */\n");
    }

    #[test]
    fn no_text_is_lost() {
        for text in ["", "/**", "/// a", "fn f() {}\n//!\n", "\u{feff}/*! x */\r\n///\r\n"] {
            let split = split_docs(text);
            let marks = split.docs.matches('\n').count();
            assert_eq!(split.code.len() + split.docs.len() - marks, text.len(), "{text:?}");
        }
    }
}
