//! A call as code: the body where the call was, in a block with the arguments if they need one.

use preserve::outline::{Token, TokenKind, is_keyword, tokens};

use crate::relocate::indented;

/// Code that replaces a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Code {
    /// An expression.
    Expression(String),
    /// `{ … }` or `match … { … }`.
    Block(String),
}

/// The tokens around a call.
#[derive(Clone, Copy, Debug)]
pub(super) struct Around<'a> {
    pub(super) before: &'a str,
    pub(super) after: &'a str,
}

impl Around<'_> {
    /// Whether a statement begins with the call.
    pub(super) fn starts_statement(&self) -> bool {
        matches!(self.before, "{" | "}" | ";" | "=>" | "" | "]")
    }

    fn ends(&self) -> bool {
        matches!(self.after, ";" | "," | ")" | "]" | "}" | "")
    }
}

impl Code {
    /// The code with parentheses where the tokens around it need them.
    pub(super) fn text(&self, around: Around<'_>) -> String {
        match self {
            Self::Block(text) if around.starts_statement() && !around.ends() => format!("({text})"),
            Self::Block(text) => text.clone(),
            Self::Expression(text) => {
                let begins = around.starts_statement()
                    || matches!(around.before, "(" | "[" | "," | "=" | "return");
                let binds_enough = is_unary(text)
                    && !matches!(around.after, "." | "?" | "[" | "(")
                    && !matches!(around.before, "-" | "&" | "&&" | "mut");
                match begins && around.ends() || is_atomic(text) || binds_enough {
                    true => text.clone(),
                    false => format!("({text})"),
                }
            }
        }
    }
}

/// Whether an expression is `!` or `-` with an operand that binds stronger.
fn is_unary(text: &str) -> bool {
    let text = text.trim_start();
    let rest = text.strip_prefix(['!', '-']);
    rest.is_some_and(|it| !it.trim().is_empty() && is_atomic(it))
}

/// Whether an expression binds stronger than any operator.
pub(super) fn is_atomic(text: &str) -> bool {
    let mut depth = 0_usize;
    for (at, token) in tokens(text).iter().enumerate() {
        match token.text {
            "(" | "[" => depth += 1,
            ")" | "]" => depth = depth.saturating_sub(1),
            _ if depth > 0 => {}
            "." | "::" => {}
            "!" if at > 0 => {}
            it if token.kind == TokenKind::Word => {
                let is_path = matches!(it, "self" | "Self" | "crate" | "super" | "true" | "false");
                if is_keyword(it) && !is_path {
                    return false;
                }
            }
            _ if token.kind == TokenKind::Literal => {}
            _ => return false,
        }
    }
    true
}

/// Code as one operand.
pub fn grouped(code: &str) -> String {
    if is_operation(code) { format!("({code})") } else { code.to_owned() }
}

/// Whether code has an operator outside of brackets.
pub fn is_operation(code: &str) -> bool {
    let mut depth = 0_usize;
    let list = tokens(code);
    let operators = list.iter().filter(|it| {
        match it.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.saturating_sub(1),
            _ => {}
        }
        let is_mark = it.kind == TokenKind::Punctuation
            && !matches!(it.text, "." | "::" | "(" | ")" | "[" | "]" | "{" | "}" | "!" | "?" | ",");
        let is_word = matches!(it.text, "as" | "if" | "match" | "unsafe" | "loop");
        depth == 0 && (is_mark || is_word)
    });
    operators.count() > 0 || list.first().is_some_and(|it| it.is("!"))
}

/// Whether a body is one expression, and whether that is a block.
pub(super) fn single(body: &str) -> Option<bool> {
    let list = tokens(body);
    let first = list.first()?;
    if first.is("#") || ["let", "use", "const", "return", "type"].contains(&first.text) {
        return None;
    }
    let mut depth = 0_usize;
    let mut open = None;
    for (at, token) in list.iter().enumerate() {
        match token.text {
            "{" | "(" | "[" => {
                if depth == 0 && token.is("{") && open.is_none() {
                    open = Some(at);
                }
                depth += 1;
            }
            "}" | ")" | "]" => depth = depth.checked_sub(1)?,
            ";" if depth == 0 => return None,
            _ => {}
        }
        let is_block = matches!(
            first.text,
            "{" | "if" | "match" | "loop" | "while" | "for" | "unsafe" | "const"
        ) || first.kind == TokenKind::Lifetime;
        if is_block && depth == 0 && open.is_some() && token.is("}") {
            return (at + 1 == list.len()).then_some(true);
        }
    }
    Some(false)
}

/// Whether the evaluation of an expression may leave temporary values until the end of the statement:
/// a value that a call returns and that is borrowed, by an operator, a method, a field or an index.
/// What is passed on by value leaves none.
pub(super) fn has_temporaries(expression: &str) -> bool {
    let list = tokens(expression);
    let calls = (1..list.len()).any(|at| list[at].is("(") && !is_operator(&list[at - 1]));
    let is_binary = |at: usize| at > 0 && ends_operand(&list[at - 1]);
    let borrows = |at: usize| {
        let next = list.get(at + 1).map_or("", |it| it.text);
        match list[at].text {
            ")" => matches!(next, "." | "[" | "?"),
            "&" | "&&" | "*" if is_binary(at) => false,
            "&" | "&&" | "*" | "==" | "!=" | "<=" | ">=" | "<" | ">" | "{" | "?" | "+=" | "-=" => {
                true
            }
            "!" => matches!(next, "(" | "[") && at > 0 && list[at - 1].kind == TokenKind::Word,
            _ => false,
        }
    };
    calls && (0..list.len()).any(borrows)
}

/// Whether an operand ends with the token, so that an operator after it has two.
pub(super) fn ends_operand(token: &Token<'_>) -> bool {
    let is_name = token.kind == TokenKind::Word
        && (!is_keyword(token.text) || matches!(token.text, "self" | "true" | "false"));
    token.kind == TokenKind::Literal || is_name || matches!(token.text, ")" | "]" | "?")
}

/// Whether a bracket after the token is no call.
fn is_operator(token: &Token<'_>) -> bool {
    token.kind == TokenKind::Punctuation && !matches!(token.text, ")" | "]" | ">" | "!")
        || is_keyword(token.text) && !matches!(token.text, "self" | "Self")
}

/// The body of a function with other indentation, without blank lines around it.
pub(super) fn lines(body: &str, indent: &str) -> String {
    let inner = body.trim_matches('\n').trim_end();
    let inner = match body.trim_start_matches([' ', '\t']).starts_with('\n') {
        true => inner.trim_start_matches('\n'),
        false => inner.trim(),
    };
    let first = inner.lines().find(|it| !it.trim().is_empty()).unwrap_or("");
    let from: String = first.chars().take_while(|it| matches!(it, ' ' | '\t')).collect();
    let text = indented(inner.trim_start(), &from, indent);
    format!("{indent}{text}")
}
