//! Parses a `macro_rules!` definition into its arms: matcher and body. `matching.rs` selects an
//! arm.

use std::cell::OnceCell;
use std::str::FromStr;

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use syn::buffer::TokenBuffer;

use super::body::Step;
use super::tokens::{Next, Tok, next};

/// One arm.
pub(super) struct Arm {
    pub(super) matcher: Matcher,
    /// The tokens that come out, as written.
    pub(super) body: Group,
    steps: OnceCell<Vec<Step>>,
}

impl Arm {
    /// How the tokens are written out.
    pub(super) fn steps(&self) -> &[Step] {
        self.steps.get_or_init(|| super::body::steps(self.body.stream(), &self.matcher.vars))
    }
}

/// The left side of an arm, flat: a place is an index into `places`.
#[derive(Default)]
pub(super) struct Matcher {
    pub(super) places: Vec<Place>,
    /// The variables, and in which repetitions they lie, from the outside in.
    pub(super) vars: Vec<(String, Vec<usize>)>,
    /// How many repetitions there are.
    pub(super) repetitions: usize,
}

/// One step of the left side.
pub(super) enum Place {
    Tok(Tok),
    Open(Delimiter),
    Close,
    /// `$name:kind`.
    Var(usize, Kind),
    /// `$(`, with the place behind the repetition.
    Begin {
        repetition: usize,
        op: char,
        behind: usize,
    },
    /// `)*` without separator or before it; with the first place of the body.
    Finish {
        repetition: usize,
        op: char,
        first: usize,
        has_separator: bool,
    },
    /// The separator: behind it the body comes again.
    Separator {
        repetition: usize,
        tok: Tok,
        first: usize,
    },
}

/// Kinds of fragment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Ident,
    Ty,
    Expr,
    Pat,
    PatParam,
    Stmt,
    Block,
    Item,
    Vis,
    Lifetime,
    Literal,
    Path,
    Meta,
    Tt,
}

impl Kind {
    fn of(word: &str) -> Option<Self> {
        Some(match word {
            "ident" => Self::Ident,
            "ty" => Self::Ty,
            "expr" | "expr_2021" => Self::Expr,
            "pat" => Self::Pat,
            "pat_param" => Self::PatParam,
            "stmt" => Self::Stmt,
            "block" => Self::Block,
            "item" => Self::Item,
            "vis" => Self::Vis,
            "lifetime" => Self::Lifetime,
            "literal" => Self::Literal,
            "path" => Self::Path,
            "meta" => Self::Meta,
            "tt" => Self::Tt,
            _ => return None,
        })
    }
}

/// The arms of a definition; `None` where it is none or has what we do not know.
pub(super) fn arms(definition: &str) -> Option<Vec<Arm>> {
    let tokens: Vec<TokenTree> = TokenStream::from_str(definition).ok()?.into_iter().collect();
    let at = tokens.iter().position(|it| is_ident(it, "macro_rules"))?;
    let body = match tokens.get(at + 1..at + 4)? {
        [TokenTree::Punct(bang), TokenTree::Ident(_), TokenTree::Group(body)]
            if bang.as_char() == '!' =>
        {
            body
        }
        _ => return None,
    };
    let mut arms = Vec::new();
    let mut tokens = body.stream().into_iter().peekable();
    while let Some(matcher) = tokens.next() {
        let (TokenTree::Group(matcher), equal, angle, Some(TokenTree::Group(body))) =
            (matcher, tokens.next(), tokens.next(), tokens.next())
        else {
            return None;
        };
        if !equal.is_some_and(|it| is_punct(&it, '='))
            || !angle.is_some_and(|it| is_punct(&it, '>'))
        {
            return None;
        }
        let mut compiled = Matcher::default();
        compile(matcher.stream(), &mut compiled, &mut Vec::new())?;
        arms.push(Arm { matcher: compiled, body, steps: OnceCell::new() });
        match tokens.next() {
            Some(it) if is_punct(&it, ';') => {}
            None => break,
            Some(_) => return None,
        }
    }
    Some(arms)
}

pub(super) fn is_ident(token: &TokenTree, word: &str) -> bool {
    matches!(token, TokenTree::Ident(ident) if ident == word)
}

pub(super) fn is_punct(token: &TokenTree, ch: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == ch)
}

/// `* + ?` behind a repetition, with the separator before it, and how many tokens they are.
pub(super) fn repetition(tokens: &[TokenTree]) -> Option<(Option<Tok>, char, usize)> {
    let op = |at: usize| match tokens.get(at) {
        Some(TokenTree::Punct(punct)) => {
            Some(punct.as_char()).filter(|it| matches!(it, '*' | '+' | '?'))
        }
        _ => None,
    };
    if let Some(op) = op(0) {
        return Some((None, op, 1));
    }
    // The separator may be an operator of several signs.
    let few: TokenStream = tokens.iter().take(4).cloned().collect();
    let buffer = TokenBuffer::new2(few);
    let begin = buffer.begin();
    let Next::Tok(separator, rest) = next(begin) else { return None };
    let mut count = 0;
    let mut cursor = begin;
    while cursor != rest {
        (_, cursor) = cursor.token_tree()?;
        count += 1;
    }
    let op = op(count)?;
    (op != '?').then_some((Some(separator), op, count + 1))
}

fn compile(tokens: TokenStream, out: &mut Matcher, around: &mut Vec<usize>) -> Option<()> {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        if is_punct(token, '$') {
            at = dollar(&tokens, at + 1, out, around)?;
            continue;
        }
        if let TokenTree::Group(group) = token {
            out.places.push(Place::Open(group.delimiter()));
            compile(group.stream(), out, around)?;
            out.places.push(Place::Close);
            at += 1;
            continue;
        }
        let few: TokenStream = tokens.iter().skip(at).take(3).cloned().collect();
        let buffer = TokenBuffer::new2(few);
        let Next::Tok(tok, rest) = next(buffer.begin()) else { return None };
        let mut cursor = buffer.begin();
        while cursor != rest {
            (_, cursor) = cursor.token_tree()?;
            at += 1;
        }
        out.places.push(Place::Tok(tok));
    }
    Some(())
}

/// What follows a `$` at `at`, and the place after it.
fn dollar(
    tokens: &[TokenTree],
    at: usize,
    out: &mut Matcher,
    around: &mut Vec<usize>,
) -> Option<usize> {
    match tokens.get(at)? {
        TokenTree::Ident(name) => {
            let (TokenTree::Punct(colon), TokenTree::Ident(kind)) =
                (tokens.get(at + 1)?, tokens.get(at + 2)?)
            else {
                return None;
            };
            if colon.as_char() != ':' {
                return None;
            }
            let kind = Kind::of(&kind.to_string())?;
            out.places.push(Place::Var(out.vars.len(), kind));
            out.vars.push((name.to_string(), around.clone()));
            Some(at + 3)
        }
        TokenTree::Group(group) if group.delimiter() == Delimiter::Parenthesis => {
            let (separator, op, len) = repetition(tokens.get(at + 1..)?)?;
            let repetition = out.repetitions;
            out.repetitions += 1;
            let begin = out.places.len();
            out.places.push(Place::Begin { repetition, op, behind: 0 });
            around.push(repetition);
            compile(group.stream(), out, around)?;
            around.pop();
            let first = begin + 1;
            let has_separator = separator.is_some();
            out.places.push(Place::Finish { repetition, op, first, has_separator });
            if let Some(tok) = separator {
                out.places.push(Place::Separator { repetition, tok, first });
            }
            let after = out.places.len();
            if let Some(Place::Begin { behind, .. }) = out.places.get_mut(begin) {
                *behind = after;
            }
            Some(at + 1 + len)
        }
        _ => None,
    }
}
