//! A body whose last value is a variable that only has the value of the expression before it: `let r = a + b; r`.

use preserve::outline::{Token, TokenKind, tokens};

use super::guards::has_guards;
use super::lean::plain_type;

/// The body with the expression in place of the variable that it returns, where the value has the same type and
/// is dropped alike; else the body as it is.
pub(super) fn without_last_variable(body: &str, output: Option<&str>) -> String {
    let short = last_variable(body, output);
    let text =
        short.and_then(|it| Some(format!("{}{}{}", it.before, it.value, body.get(it.end..)?)));
    text.unwrap_or_else(|| body.to_owned())
}

struct LastVariable<'b> {
    before: &'b str,
    value: &'b str,
    /// End of the variable's name.
    end: usize,
}

fn last_variable<'b>(body: &'b str, output: Option<&str>) -> Option<LastVariable<'b>> {
    let list = tokens(body);
    let [.., end, name] = list.as_slice() else { return None };
    if !end.is(";") || name.kind != TokenKind::Word {
        return None;
    }
    let start = last_statement(&list[..list.len() - 2])?;
    let text = |at: usize| list.get(at).map_or("", |it| it.text);
    if text(start) != "let" || text(start + 1) != name.text {
        return None;
    }
    let equals = start + list[start..].iter().position(|it| it.is("="))?;
    let slice = |from: usize, to: usize| body.get(list.get(from)?.span.start..to);
    match text(start + 2) {
        "=" => {}
        ":" => {
            let ty = slice(start + 3, list.get(equals)?.span.start)?;
            if output.map(plain_type) != Some(plain_type(ty)) {
                return None;
            }
        }
        _ => return None,
    }
    let value = slice(equals + 1, end.span.start)?.trim_end();
    let has_comment = |it: &str| it.contains("//") || it.contains("/*");
    let is_lost = has_comment(slice(start, name.span.end)?) || has_guards(value);
    let before = body.get(..list[start].span.start)?;
    (!is_lost && !value.is_empty()).then_some(LastVariable { before, value, end: name.span.end })
}

/// The first token of the last statement, whose end is not among the tokens; `None` where it has attributes.
fn last_statement(list: &[Token<'_>]) -> Option<usize> {
    let mut depth = 0_usize;
    let mut start = 0;
    for (at, token) in list.iter().enumerate() {
        match token.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.saturating_sub(1),
            _ => {}
        }
        let is_let = list.get(at + 1).is_some_and(|it| it.is("let"));
        if depth == 0 && (token.is(";") || token.is("}") && is_let) {
            start = at + 1;
        }
    }
    (start < list.len()).then_some(start)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variable_that_only_has_the_value_goes() {
        let check = |body: &str, wanted: &str| {
            assert_eq!(without_last_variable(body, Some("u32")), wanted, "{body}");
        };
        check(" let r = a + b; r ", " a + b ");
        check(" let r: u32 = a.into(); r ", " a.into() ");
        check("\n    let c = a;\n    let r = c * 2;\n    r\n", "\n    let c = a;\n    c * 2\n");
        check(" if a { b(); } let r = { let x = 1; x }; r ", " if a { b(); } { let x = 1; x } ");
        let stays = [
            " let r: u8 = a; r ",
            " let mut r = a; r ",
            " let (r, _) = a; r ",
            " let r = a; r + 1 ",
            " let r = a; b ",
            " #[cfg(x)] let r = a; r ",
            " let r = a; // why\n r ",
            " let r = cell.borrow().len(); r ",
            " let r = a; r.x(); r ",
            " let r; r = a; r ",
        ];
        for body in stays {
            check(body, body);
        }
    }
}
