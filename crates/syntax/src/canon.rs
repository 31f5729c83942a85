//! The one spelling of types and paths in canonical item paths.

use base::is_word;

/// A type, path or header in the one spelling that canons use: no white space but where two words
/// meet, after a comma, and around `+`, `=` and `->`; no comma before `>`.
pub fn canon_form(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    let mut space = false;
    while let Some(ch) = chars.next() {
        if ch.is_whitespace() {
            space = true;
            continue;
        }
        match ch {
            '-' if chars.peek() == Some(&'>') => {
                chars.next();
                trim(&mut out);
                out.push_str(" -> ");
            }
            '+' | '=' => {
                trim(&mut out);
                out.push(' ');
                out.push(ch);
                out.push(' ');
            }
            ',' => {
                trim(&mut out);
                out.push_str(", ");
            }
            '>' | ')' | ']' | '}' => {
                trim(&mut out);
                // `(T,)` is a tuple, `<T,>` is `<T>`.
                if ch != ')' && out.ends_with(',') {
                    out.pop();
                }
                out.push(ch);
            }
            _ => {
                if space && keeps_space(&out, ch) {
                    out.push(' ');
                }
                out.push(ch);
            }
        }
        space = false;
    }
    trim(&mut out);
    out
}

/// Two words keep their distance, so does a word behind a closing bracket, and anything behind a
/// keyword before a type.
fn keeps_space(before: &str, ch: char) -> bool {
    let word = |ch: char| is_word(ch) || ch == '\'';
    let Some(last) = before.chars().next_back() else { return false };
    if word(ch) {
        return word(last) || matches!(last, '>' | ')' | ']');
    }
    let start = before.rfind(|ch| !word(ch)).map_or(0, |at| at + 1);
    matches!(before.get(start..), Some("as" | "for" | "mut" | "const" | "dyn" | "impl"))
}

fn trim(out: &mut String) {
    while out.ends_with(' ') {
        out.pop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spelling_differences_of_white_space_vanish() {
        let check = |text: &str, want: &str| assert_eq!(canon_form(text), want, "{text}");
        check("Foo <\n    A,\n    B,\n>", "Foo<A, B>");
        check("Box<dyn Fn( u8 )->u8+Send>", "Box<dyn Fn(u8) -> u8 + Send>");
        check("<Foo<T>  as  Iterator<Item=u8>>", "<Foo<T> as Iterator<Item = u8>>");
        check("& 'a mut T", "&'a mut T");
        check("(T,)", "(T,)");
        check("std::{ fmt , io }", "std::{fmt, io}");
        check("fn(u8)", "fn(u8)");
        check("*const T", "*const T");
        check("&mut [T]", "&mut [T]");
        check("<&T as Tr>", "<&T as Tr>");
    }
}
