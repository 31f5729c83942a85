//! Counts the effects of a body from its tokens.

use base::SortedMap;

use super::lex::{Token, TokenKind};

/// Counts that must not decrease.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Effects {
    /// Statements and tail expressions of all blocks.
    pub(super) statements: usize,
    pub(super) lets: usize,
    /// Calls that may have an effect; conversions such as `clone` do not count.
    pub(super) calls: usize,
    /// `if`, `match`, `for`, `while`, `loop`.
    pub(super) branches: usize,
    /// `=>`.
    pub(super) arms: usize,
    /// `?` and `.await`.
    pub(super) exits: usize,
    /// `=`, `==` and the like: an assignment may become a comparison, but must not disappear.
    pub(super) assignments: usize,
    /// Macro calls by name.
    pub(super) macros: SortedMap<String, usize>,
}

/// Calls that only convert a value; removing one removes no effect.
const CONVERSIONS: [&str; 25] = [
    "as_bytes",
    "as_deref",
    "as_deref_mut",
    "as_mut",
    "as_ref",
    "as_slice",
    "as_str",
    "borrow",
    "borrow_mut",
    "by_ref",
    "clone",
    "cloned",
    "copied",
    "deref",
    "deref_mut",
    "from",
    "into",
    "into_iter",
    "iter",
    "iter_mut",
    "to_owned",
    "to_string",
    "to_vec",
    "try_into",
    "as_mut_slice",
];

const KEYWORDS: [&str; 14] = [
    "if", "match", "for", "while", "loop", "return", "in", "fn", "move", "let", "else", "where",
    "break", "impl",
];

/// Counts over the tokens with the indices `own`, which are sorted.
pub(super) fn count(tokens: &[Token<'_>], own: &[usize]) -> Effects {
    let mut effects = Effects::default();
    let word = |nth: usize| own.get(nth).map(|at| &tokens[*at]);
    let text = |nth: usize| word(nth).map_or("", |token| token.text);
    // For each open bracket: whether it is a block, and whether a statement has started in it.
    let mut blocks: Vec<(bool, bool)> = vec![(true, false)];
    for nth in 0..own.len() {
        let Some(token) = word(nth) else { continue };
        let before = nth.checked_sub(1).map_or("", text);
        if token.kind == TokenKind::Close {
            if blocks.len() > 1 {
                blocks.pop();
            }
            continue;
        }
        if token.is(";") {
            if let Some(block) = blocks.last_mut() {
                block.1 = false;
            }
            continue;
        }
        if let Some((true, started @ false)) = blocks.last_mut() {
            *started = true;
            effects.statements += 1;
        }
        match token.kind {
            TokenKind::Open => {
                let literal = token.text == "{" && is_literal(before, text(nth + 1), text(nth + 2));
                blocks.push((token.text == "{" && !literal, false));
            }
            TokenKind::Ident => match token.text {
                "let" => effects.lets += 1,
                "if" | "match" | "while" | "loop" => effects.branches += 1,
                "for" if text(nth + 1) != "<" => effects.branches += 1,
                "await" if before == "." => effects.exits += 1,
                name if text(nth + 1) == "!" && matches!(text(nth + 2), "(" | "[" | "{") => {
                    *effects.macros.entry(name.to_owned()).or_default() += 1;
                }
                name if is_call(name, before, &text, nth) => effects.calls += 1,
                _ => {}
            },
            TokenKind::Punct => match token.text {
                "=>" => effects.arms += 1,
                "?" if text(nth + 1) != "Sized" => effects.exits += 1,
                "=" | "==" | "+=" | "-=" | "*=" | "/=" => effects.assignments += 1,
                _ => {}
            },
            _ => {}
        }
    }
    effects
}

/// Number of calls of each macro.
pub(super) fn macros(tokens: &[Token<'_>]) -> SortedMap<String, usize> {
    let all: Vec<usize> = (0..tokens.len()).collect();
    count(tokens, &all).macros
}

/// Whether a `{` between these tokens opens a struct literal or pattern rather than a block.
fn is_literal(before: &str, after: &str, second: &str) -> bool {
    let typed = before == ">" || before.starts_with(char::is_uppercase);
    typed && (matches!(after, "}" | "..") || matches!(second, ":" | "," | "}"))
}

fn is_call<'t>(name: &str, before: &str, text: &dyn Fn(usize) -> &'t str, nth: usize) -> bool {
    if before == "fn" || KEYWORDS.contains(&name) || CONVERSIONS.contains(&name) {
        return false;
    }
    if name.starts_with(char::is_uppercase) {
        return false;
    }
    if text(nth + 1) == "(" {
        return true;
    }
    if text(nth + 1) != "::" || text(nth + 2) != "<" {
        return false;
    }
    // A turbofish: the call's bracket follows the `>` that closes it.
    let mut depth = 0_i32;
    let mut at = nth + 2;
    loop {
        match text(at) {
            "<" => depth += 1,
            ">" => depth -= 1,
            "" | ";" => return false,
            _ => {}
        }
        at += 1;
        if depth == 0 {
            return text(at) == "(";
        }
    }
}
