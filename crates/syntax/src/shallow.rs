//! Checks that a text does not nest too deep for a parser that recurses.

use crate::lexer::{Lexer, Token};

/// How many constructs may lie in each other on the way to one token.
const DEEPEST: u32 = 96;
/// How many tokens may stand between two commas, semicolons or braces.
const LONGEST: u32 = 1_000;

/// Whether a recursive parser can take the text without exhausting the stack: bounds, along each
/// way from the outside in, how many brackets, prefix operators and the like lie in each other.
/// Strings and comments do not count, so that they cannot hide what does.
pub fn is_shallow(text: &str) -> bool {
    // Of each open bracket: what lay around it, what its segment has by now, its tokens.
    let mut open: Vec<(u32, u32, u32)> = Vec::new();
    let (mut around, mut own, mut count) = (0_u32, 0_u32, 0_u32);
    // `else if` continues after a brace.
    let mut elses = 0_u32;
    for (token, at, len) in Lexer::new(text) {
        let written = text.get(at..at + len).unwrap_or_default();
        match (token, written) {
            (Token::Comment, _) => {}
            (Token::Text | Token::Doc, _) => count += 1,
            (Token::Word, _) => {
                // Words like `else`, `return`, `mut`, `dyn` nest too.
                count += 1;
                own += u32::from(count % 8 == 0);
                elses += u32::from(written == "else");
            }
            (Token::Sign, "(" | "[" | "{") => {
                open.push((around, own, count));
                around += own + 1;
                (own, count) = (0, 0);
            }
            (Token::Sign, ")" | "]" | "}") => {
                (around, own, count) = open.pop().unwrap_or((0, 0, 0));
                if written == "}" {
                    (own, count) = (own.min(8), 0);
                }
            }
            (Token::Sign, "," | ";") => (own, count, elses) = (0, 0, 0),
            (Token::Sign, _) => {
                for ch in written.chars() {
                    count += 1;
                    own += u32::from("!-*&=|<#".contains(ch));
                }
            }
        }
        if around + own + elses > DEEPEST || count > LONGEST {
            return false;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nests_without_end_is_refused() {
        for part in
            ["(", "!", "&", "|x| ", "a = ", "{", "else if x {} ", "return ", "- ", "a.", "a + "]
        {
            assert!(!is_shallow(&part.repeat(10_000)), "{part}");
        }
    }

    #[test]
    fn brackets_in_strings_and_comments_hide_nothing() {
        for part in ["(\")\", ", "(')', ", "(r#\")\"#, ", "( // )\n", "( /* ) */ ", "{\"}\"; "] {
            assert!(!is_shallow(&part.repeat(10_000)), "{part}");
        }
        assert!(is_shallow(&"f(\"((((\", '['); // {{{{\n".repeat(1_000)));
    }

    #[test]
    fn code_as_people_write_it_passes() {
        let line = "let x = &mut a.b(c, |d| !e)?.f[g + 1] as u8 * -h;\n";
        let block = format!("fn f() {{ {} }}\n", line.repeat(200));
        assert!(is_shallow(&block.repeat(50)));
        assert!(is_shallow(&"/// A line of words, as docs are; and a second\n".repeat(20)));
    }
}
