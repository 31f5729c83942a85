//! The right side of an arm, taken apart: what is written out for each call.

use std::ops::Range;

use proc_macro2::{Delimiter, TokenStream, TokenTree};

use super::definition::{is_ident, is_punct, repetition};

/// One step of writing an arm out. Places are bytes of the definition.
pub(super) enum Step {
    /// A token as written there.
    Own(Range<usize>),
    /// A doc comment, which tokens show as an attribute.
    Doc(Range<usize>),
    /// `$crate`; the place of its name.
    Crate(Range<usize>),
    /// `$name`: which variable it is, and the places of its tokens.
    Var(Option<usize>, [Range<usize>; 2]),
    /// `$(…)`, with the variables that are named in it, and the tokens between rounds.
    Repeat { steps: Vec<Step>, used: Vec<usize>, separator: Vec<Range<usize>>, op: char },
    /// Tokens in brackets. Whether they are the rules of a macro.
    Group { open: Range<usize>, steps: Vec<Step>, close: Range<usize>, is_definition: bool },
    /// What we do not know.
    Unknown,
}

/// Takes the right side of an arm apart.
pub(super) fn steps(tokens: TokenStream, vars: &[(String, Vec<usize>)]) -> Vec<Step> {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut steps = Vec::with_capacity(tokens.len());
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        at += 1;
        let step = match token {
            token if is_punct(token, '$') => match dollar(&tokens, at, vars) {
                Some((step, behind)) => {
                    at = behind;
                    step
                }
                None => Step::Unknown,
            },
            token if is_punct(token, '#') && place(token).len() > 1 => {
                at += 1 + usize::from(tokens.get(at).is_some_and(|it| is_punct(it, '!')));
                Step::Doc(place(token))
            }
            TokenTree::Group(group) if group.delimiter() == Delimiter::None => Step::Unknown,
            TokenTree::Group(group) => Step::Group {
                open: group.span_open().byte_range(),
                steps: self::steps(group.stream(), vars),
                close: group.span_close().byte_range(),
                is_definition: is_definition(tokens.get(..at - 1).unwrap_or_default()),
            },
            token => Step::Own(place(token)),
        };
        // Nothing is written from there on.
        let is_end = matches!(step, Step::Unknown);
        steps.push(step);
        if is_end {
            break;
        }
    }
    steps
}

fn place(token: &TokenTree) -> Range<usize> {
    token.span().byte_range()
}

/// What follows a `$` at `at`, and the place after it.
fn dollar(tokens: &[TokenTree], at: usize, vars: &[(String, Vec<usize>)]) -> Option<(Step, usize)> {
    match tokens.get(at)? {
        token if is_ident(token, "crate") => Some((Step::Crate(place(token)), at + 1)),
        token @ TokenTree::Ident(name) => {
            let name = name.to_string();
            let var = vars.iter().position(|(var, _)| *var == name);
            Some((Step::Var(var, [place(tokens.get(at - 1)?), place(token)]), at + 1))
        }
        TokenTree::Group(group) if group.delimiter() == Delimiter::Parenthesis => {
            let rest = tokens.get(at + 1..)?;
            let (separator, op, len) = repetition(rest)?;
            let mut named = Vec::new();
            names(group.stream(), &mut named);
            let used = (0..).zip(vars).filter(|(_, (var, _))| named.contains(var));
            let between = match separator {
                Some(_) => rest.get(..len.saturating_sub(1))?,
                None => &[],
            };
            let step = Step::Repeat {
                steps: steps(group.stream(), vars),
                used: used.map(|(at, _)| at).collect(),
                separator: between.iter().map(place).collect(),
                op,
            };
            Some((step, at + 1 + len))
        }
        _ => None,
    }
}

/// Whether tokens end as those before the arms of a macro do: `macro_rules! name`, and the name
/// may be a variable.
fn is_definition(before: &[TokenTree]) -> bool {
    let Some((TokenTree::Ident(_), before)) = before.split_last() else { return false };
    let before = match before.split_last() {
        Some((dollar, before)) if is_punct(dollar, '$') => before,
        _ => before,
    };
    matches!(before, [.., word, bang] if is_ident(word, "macro_rules") && is_punct(bang, '!'))
}

/// The variables that tokens name.
fn names(tokens: TokenStream, out: &mut Vec<String>) {
    let mut is_behind_dollar = false;
    for token in tokens {
        match token {
            TokenTree::Ident(ref name) if is_behind_dollar => out.push(name.to_string()),
            TokenTree::Group(ref group) => names(group.stream(), out),
            _ => {}
        }
        is_behind_dollar = is_punct(&token, '$');
    }
}
