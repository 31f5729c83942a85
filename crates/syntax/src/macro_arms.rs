//! The arms of a macro call, as `select!` and `hashmap!` have them, as those of a `match`.

use crate::tokens::{Kind, Token};

/// `match … { … }` of the tokens of a call, delimiters included: `pattern = value, if condition =>` becomes
/// `pattern if value && condition =>`, and `else =>` becomes `_ =>`. The parser decides whether that is
/// Rust.
pub(crate) fn as_match(tokens: &[Token]) -> Option<Vec<Token>> {
    let (open, rest) = tokens.split_first()?;
    let (close, inner) = rest.split_last()?;
    let made = |kind| Token::made(kind, open.start);
    let mut found = vec![made(Kind::MATCH_KW), made(Kind::IDENT), open.with_kind(Kind::L_CURLY)];
    // `biased;`
    let inner = match inner {
        [word, end, rest @ ..] if word.kind == Kind::IDENT && end.kind == Kind::SEMICOLON => rest,
        inner => inner,
    };
    let mut arms = Arms { depth: 0, part: Part::Pattern };
    // A name alone would be bound, and may be a value: `map! { key => value }`.
    let (mut has_value, mut has_name) = (false, false);
    let (mut at, mut first) = (0, 0);
    while let Some(token) = inner.get(at) {
        let before = at.checked_sub(1).and_then(|it| inner.get(it));
        let next = inner.get(at + 1);
        at += 1;
        let opens = matches!(token.kind, Kind::L_PAREN | Kind::L_BRACK | Kind::L_CURLY);
        if arms.depth > 0 || opens {
            arms.step(token, next);
            found.push(*token);
            if arms.depth == 0 && arms.part == Part::Pattern && token.kind == Kind::R_CURLY {
                first = at;
            }
            continue;
        }
        let is_after_operator = before.is_some_and(|it| it.is_joint && it.end == token.start);
        let is_arrow = token.kind == Kind::EQ
            && next.is_some_and(|it| it.kind == Kind::R_ANGLE && token.end == it.start);
        match (arms.part, token.kind) {
            (Part::Pattern | Part::Value, Kind::EQ) if is_arrow => {
                found.extend([*token, *next?]);
                let is_alone = before.is_some_and(|it| it.kind == Kind::IDENT) && at == first + 2;
                has_name |= arms.part == Part::Pattern && is_alone;
                at += 1;
                arms.part = Part::Body;
            }
            (Part::Pattern, Kind::ELSE_KW) => found.push(token.with_kind(Kind::UNDERSCORE)),
            (Part::Pattern, Kind::EQ) if !is_after_operator => {
                found.push(token.with_kind(Kind::IF_KW));
                has_value = true;
                arms.part = Part::Value;
            }
            (Part::Value, Kind::COMMA) if next.is_some_and(|it| it.kind == Kind::IF_KW) => {
                found.extend(Token::and(token.start));
                at += 1;
            }
            (Part::Body, Kind::COMMA) => {
                found.push(*token);
                arms.part = Part::Pattern;
                first = at;
            }
            _ => found.push(*token),
        }
    }
    found.push(close.with_kind(Kind::R_CURLY));
    (has_value || !has_name).then_some(found)
}

/// A part of an arm.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Pattern,
    Value,
    Body,
}

/// The place in the arms of a call.
struct Arms {
    depth: usize,
    part: Part,
}

impl Arms {
    /// Passes a bracket, or a token inside of brackets.
    fn step(&mut self, token: &Token, next: Option<&Token>) {
        match token.kind {
            Kind::L_PAREN | Kind::L_BRACK | Kind::L_CURLY => self.depth += 1,
            Kind::R_PAREN | Kind::R_BRACK | Kind::R_CURLY => self.depth -= 1,
            _ => return,
        }
        let continues = |it: &Token| {
            matches!(it.kind, Kind::COMMA | Kind::DOT | Kind::QUESTION | Kind::ELSE_KW)
        };
        // An arm ends with its block, also without a comma.
        let ends = self.depth == 0
            && self.part == Part::Body
            && token.kind == Kind::R_CURLY
            && next.is_some_and(|it| !continues(it));
        if ends {
            self.part = Part::Pattern;
        }
    }
}
