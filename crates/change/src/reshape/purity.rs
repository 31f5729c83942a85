//! Which arguments can be left out or evaluated in another order.

use preserve::outline::{Token, TokenKind, is_keyword, tokens};

/// Whether the evaluation of an argument does nothing but name a value: a literal, a name, a path, a
/// field path, or a reference of these. A macro variable may be anything.
pub(crate) fn is_pure(argument: &str) -> bool {
    let list = tokens(argument);
    let is_prefix = |it: &&Token<'_>| matches!(it.text, "&" | "&&" | "mut" | "-" | "*" | "!");
    let start = list.iter().take_while(is_prefix).count();
    let rest = &list[start..];
    match rest {
        [] => false,
        [one] if one.kind == TokenKind::Literal => true,
        [open, close] if open.is("(") && close.is(")") => true,
        _ => {
            let is_segment = |it: &Token<'_>| match it.kind {
                TokenKind::Word => {
                    !is_keyword(it.text)
                        || matches!(it.text, "self" | "Self" | "crate" | "super" | "true" | "false")
                }
                TokenKind::Literal => it.text.bytes().all(|it| it.is_ascii_digit()),
                _ => false,
            };
            rest.len() % 2 == 1
                && rest[0].kind == TokenKind::Word
                && rest.iter().enumerate().all(|(at, it)| match at % 2 {
                    0 => is_segment(it),
                    _ => it.is(".") || it.is("::"),
                })
        }
    }
}

/// Whether the arguments can be evaluated in any order: at most one does more than name a value, and
/// no value that another one copies is named in it.
pub(super) fn can_be_reordered(arguments: &[&str]) -> bool {
    let is_impure = |it: &&&str| !is_pure(it) && !is_made_of_literals(it);
    let impure: Vec<&&str> = arguments.iter().filter(is_impure).collect();
    match impure.as_slice() {
        [] => true,
        [one] => {
            let used = names(one);
            let others = arguments.iter().filter(|it| is_pure(it) && !it.starts_with('&'));
            !others.flat_map(|it| names(it)).any(|it| used.contains(&it))
        }
        _ => false,
    }
}

/// Whether an argument makes a value of the standard library of literals alone: `"a".into()`,
/// `String::from("a")`, `Some(1)`, `Vec::new()`.
fn is_made_of_literals(argument: &str) -> bool {
    const MAKERS: [&str; 12] = [
        "into",
        "to_string",
        "to_owned",
        "to_vec",
        "from",
        "new",
        "Some",
        "Ok",
        "Err",
        "String",
        "Vec",
        "None",
    ];
    tokens(argument).iter().all(|it| match it.kind {
        TokenKind::Word => MAKERS.contains(&it.text),
        TokenKind::Literal => true,
        _ => matches!(it.text, "." | "::" | "(" | ")" | "," | "-"),
    })
}

fn names(argument: &str) -> Vec<&str> {
    let list = tokens(argument);
    let is_name =
        |it: &&Token<'_>| it.kind == TokenKind::Word && (!is_keyword(it.text) || it.text == "self");
    list.iter().filter(is_name).map(|it| it.text).collect()
}

/// Whether code names a value or variable `name`: not as a field, a member or a module, also in the
/// text of a format string.
pub(super) fn names_value(code: &str, name: &str) -> Option<usize> {
    let list = tokens(code);
    let text = |at: Option<usize>| at.and_then(|it| list.get(it)).map_or("", |it| it.text);
    list.iter().enumerate().find_map(|(at, token)| {
        let found = match token.kind {
            TokenKind::Word => {
                token.text.trim_start_matches("r#") == name
                    && !matches!(text(at.checked_sub(1)), "." | "::")
                    && !matches!(text(Some(at + 1)), ":" | "::")
            }
            TokenKind::Literal => is_captured(token.text, name),
            _ => false,
        };
        found.then_some(token.span.start)
    })
}

/// Whether a format string has `{name}` or `{name:…}`, or a width or precision `name$`.
pub(crate) fn is_captured(literal: &str, name: &str) -> bool {
    literal.match_indices(name).any(|(at, _)| {
        let before = literal[..at].trim_end();
        let after = literal[at + name.len()..].trim_start();
        (before.ends_with('{') && (after.starts_with('}') || after.starts_with(':')))
            || (after.starts_with('$')
                && before.ends_with([':', '.', '<', '>', '^', '0', '#', '+']))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_literals_and_field_paths_are_pure() {
        for it in ["x", "&mut self.a.0", "-1", "\"a, b\"", "A::B", "()", "true", "*x", "1.5"] {
            assert!(is_pure(it), "{it}");
        }
        for it in ["f()", "x?", "x.await", "v[i]", "a + b", "x.len()", "m!(1)", "{ 1 }", "", "if"] {
            assert!(!is_pure(it), "{it}");
        }
    }

    #[test]
    fn one_argument_with_an_effect_can_move_past_what_it_does_not_name() {
        assert!(can_be_reordered(&["1", "f(x)", "y"]));
        assert!(can_be_reordered(&["&x", "x.len()"]));
        assert!(!can_be_reordered(&["x", "next(&mut x)"]));
        assert!(!can_be_reordered(&["f()", "g()"]));
        assert!(can_be_reordered(&["\"a\".into()", "String::from(\"b\")", "Some(1)", "f()"]));
        assert!(!can_be_reordered(&["\"a\".into()", "Own::new()", "f()"]));
    }

    #[test]
    fn fields_and_modules_of_the_name_are_no_values() {
        assert_eq!(names_value("{ a.x; m::x; x::f(); S { x: 1 } }", "x"), None);
        assert_eq!(names_value("{ f(x) }", "x"), Some(4));
        assert!(names_value("{ println!(\"{x:?}\") }", "x").is_some());
        assert!(names_value("{ println!(\"{:x$}\", 1) }", "x").is_some());
        assert_eq!(names_value("{ println!(\"{y} x\") }", "x"), None);
    }
}
