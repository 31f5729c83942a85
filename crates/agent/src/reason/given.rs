//! Names that one statement is given, and where functions and brackets of a text end, for `inputs.rs`.

use base::SortedSet;

use preserve::outline::{Token, TokenKind};

/// The names that a statement takes values from: not its own variables, methods, modules or macros;
/// those between the braces of a text are.
pub(super) fn given(part: &[Token<'_>]) -> SortedSet<String> {
    let mut names = SortedSet::new();
    let is_let = part.first().is_some_and(|it| it.is("let"));
    let values = part.iter().position(|it| it.is("=")).filter(|_| is_let).map_or(0, |it| it + 1);
    for (at, token) in part.iter().enumerate().skip(values) {
        let before = at.checked_sub(1).and_then(|it| part.get(it)).map_or("", |it| it.text);
        let next = part.get(at + 1).map_or("", |it| it.text);
        if token.kind == TokenKind::Literal {
            names.extend(captures(token.text));
        } else if token.kind == TokenKind::Word && before != "." && !matches!(next, "::" | "!") {
            names.insert(token.text.trim_start_matches("r#").to_owned());
        }
    }
    names
}

/// The names in the braces of a text: `dir` of `"{dir}/a{{b}}"`.
fn captures(text: &str) -> impl Iterator<Item = String> + '_ {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    text.split('{').skip(1).filter_map(move |it| {
        let end = it.find(|c| !is_part(c))?;
        let (name, rest) = it.split_at(end);
        (!name.is_empty() && rest.starts_with(['}', ':'])).then(|| name.to_owned())
    })
}

/// For each opening bracket the index of the one that closes it.
pub(super) fn closing(list: &[Token<'_>]) -> Vec<Option<usize>> {
    let mut closing = vec![None; list.len()];
    let mut open = Vec::new();
    for (at, token) in list.iter().enumerate().filter(|(_, it)| it.kind == TokenKind::Punctuation) {
        match token.text {
            "(" | "[" | "{" => open.push(at),
            ")" | "]" | "}" => {
                if let Some(slot) = open.pop().and_then(|it| closing.get_mut(it)) {
                    *slot = Some(at);
                }
            }
            _ => {}
        }
    }
    // Of a text that does not parse.
    for at in open {
        closing.get_mut(at).into_iter().for_each(|it| *it = Some(list.len()));
    }
    closing
}

/// For each token the `fn` of the outermost function around it.
pub(super) fn functions(list: &[Token<'_>]) -> Vec<Option<usize>> {
    let mut around = Vec::with_capacity(list.len());
    // The function, and the depth of braces in its body; none before the body.
    let mut open: Option<(usize, usize)> = None;
    // Parentheses and brackets of the signature.
    let mut brackets = 0usize;
    for (at, token) in list.iter().enumerate() {
        let is_named = list.get(at + 1).is_some_and(|it| it.kind == TokenKind::Word);
        if open.is_none() && token.is("fn") && is_named {
            (open, brackets) = (Some((at, 0)), 0);
        }
        around.push(open.map(|(at, _)| at));
        let Some((start, depth)) = open else { continue };
        open = match token.text {
            "(" | "[" if depth == 0 => {
                brackets += 1;
                open
            }
            ")" | "]" if depth == 0 => {
                brackets = brackets.saturating_sub(1);
                open
            }
            ";" if depth == 0 && brackets == 0 => None,
            "{" if depth > 0 || brackets == 0 => Some((start, depth + 1)),
            "}" if depth <= 1 => None,
            "}" => Some((start, depth - 1)),
            _ => open,
        };
    }
    around
}
