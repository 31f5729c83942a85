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

/// Whether the arguments can be evaluated in another order (the old index of each): those that do more
/// than name a value keep theirs, and none of them goes past a copied value that it names.
pub(super) fn can_be_reordered(arguments: &[&str], order: &[usize]) -> bool {
    let place = |at: usize| order.iter().position(|it| *it == at);
    let is_swapped = |first: usize, second: usize| place(first) > place(second);
    let is_impure = |at: usize| !is_pure(arguments[at]) && !is_made_of_literals(arguments[at]);
    let shares = |impure: usize, pure: usize| {
        let used = names(arguments[impure]);
        let is_copied = is_pure(arguments[pure]) && !arguments[pure].starts_with('&');
        is_copied && names(arguments[pure]).iter().any(|it| used.contains(it))
    };
    let can_swap = |first: usize, second: usize| match (is_impure(first), is_impure(second)) {
        (true, true) => false,
        (true, false) => !shares(first, second),
        (false, true) => !shares(second, first),
        (false, false) => true,
    };
    let pairs =
        (0..arguments.len()).flat_map(|it| (it + 1..arguments.len()).map(move |to| (it, to)));
    pairs.filter(|it| is_swapped(it.0, it.1)).all(|it| can_swap(it.0, it.1))
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
    fn an_argument_with_an_effect_can_move_past_what_it_does_not_name() {
        let can = |arguments: &[&str]| {
            let order: Vec<usize> = (0..arguments.len()).rev().collect();
            can_be_reordered(arguments, &order)
        };
        assert!(can(&["1", "f(x)", "y"]));
        assert!(can(&["&x", "x.len()"]));
        assert!(!can(&["x", "next(&mut x)"]));
        assert!(!can(&["f()", "g()"]));
        assert!(can(&["\"a\".into()", "String::from(\"b\")", "Some(1)", "f()"]));
        assert!(!can(&["\"a\".into()", "Own::new()", "f()"]));
        // Those with an effect keep their order.
        assert!(can_be_reordered(&["f()", "g()", "depth"], &[2, 0, 1]));
        assert!(can_be_reordered(&["f()", "g()", "depth"], &[0, 1, 2]));
        assert!(!can_be_reordered(&["f()", "next(&mut depth)", "depth"], &[2, 0, 1]));
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
