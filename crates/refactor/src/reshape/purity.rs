//! Which arguments can be left out or evaluated in another order.

use preserve::outline::{Token, TokenKind, is_keyword, tokens};

/// Whether the evaluation of an argument does nothing but name a value: a literal, a name, a path, a
/// field path, or a reference of these. A macro variable may be anything.
pub fn is_pure(argument: &str) -> bool {
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

/// Whether a type, as written, is a number or a truth value.
pub(super) fn is_number(ty: &str) -> bool {
    const NUMBERS: [&str; 15] = [
        "bool", "f32", "f64", "i8", "i16", "i32", "i64", "i128", "isize", "u8", "u16", "u32",
        "u64", "u128", "usize",
    ];
    NUMBERS.contains(&ty)
}

/// Whether an argument computes a number of named values and literals: no call, no index.
fn is_arithmetic(argument: &str) -> bool {
    const OPERATORS: [&str; 15] =
        ["+", "-", "*", "/", "%", "&", "|", "^", "!", "<<", ">", "==", ".", "::", "&&"];
    let list = tokens(argument);
    let is_operand = |at: Option<usize>| {
        let it = at.and_then(|at| list.get(at));
        it.is_some_and(|it| it.kind != TokenKind::Punctuation && !it.is("as") || it.is(")"))
    };
    list.iter().enumerate().all(|(at, it)| match it.kind {
        TokenKind::Word => is_pure(it.text) || it.is("as"),
        TokenKind::Literal => true,
        // Of a call, or of a macro.
        _ if it.is("(") || it.is("!") => !is_operand(at.checked_sub(1)),
        _ => it.is(")") || OPERATORS.contains(&it.text),
    })
}

/// Whether the arguments can be evaluated in another order (the old index of each): those that do more
/// than name a value keep theirs, and none of them goes past a copied value that it names. Where the
/// parameter is one of the `numbers`, its argument may be computed of names and literals.
pub(super) fn can_be_reordered(arguments: &[&str], order: &[usize], numbers: &[bool]) -> bool {
    let place = |at: usize| order.iter().position(|it| *it == at);
    let is_swapped = |first: usize, second: usize| place(first) > place(second);
    let is_value = |at: usize| {
        let is_number = numbers.get(at) == Some(&true);
        is_pure(arguments[at]) || is_number && is_arithmetic(arguments[at])
    };
    let is_impure = |at: usize| !is_value(at) && !is_made_of_literals(arguments[at]);
    let shares = |impure: usize, pure: usize| {
        let used = names(arguments[impure]);
        let is_copied = is_value(pure) && !arguments[pure].starts_with('&');
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
            can_be_reordered(arguments, &order, &[])
        };
        assert!(can(&["1", "f(x)", "y"]));
        assert!(can(&["&x", "x.len()"]));
        assert!(!can(&["x", "next(&mut x)"]));
        assert!(!can(&["f()", "g()"]));
        assert!(can(&["\"a\".into()", "String::from(\"b\")", "Some(1)", "f()"]));
        assert!(!can(&["\"a\".into()", "Own::new()", "f()"]));
        // Those with an effect keep their order.
        assert!(can_be_reordered(&["f()", "g()", "depth"], &[2, 0, 1], &[]));
        assert!(can_be_reordered(&["f()", "g()", "depth"], &[0, 1, 2], &[]));
        assert!(!can_be_reordered(&["f()", "next(&mut depth)", "depth"], &[2, 0, 1], &[]));
    }

    #[test]
    fn numbers_that_are_computed_of_names_can_be_in_any_order() {
        let can = |a: &str, b: &str, of: bool| can_be_reordered(&[a, b], &[1, 0], &[of, of]);
        for (a, b) in [("n - 1 - *n0", "k - i"), ("(a.b + 1) as usize", "!c"), ("a << 2", "-1 * b")]
        {
            assert!(can(a, b, true), "{a}, {b}");
        }
        assert!(!can("a + b", "c + d", false), "an operator of a type may do anything");
        assert!(!can("a + f(b)", "c + d.g()", true));
        assert!(!can("next(&mut a)", "a + 1", true));
        assert!(!can("f(c)", "double!(3)", true), "a macro may do anything");
        assert!(!can("v[i] + 1", "w[i] - 1", true), "an index may be a type's own");
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
