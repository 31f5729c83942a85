//! Whether an arm matches: all ways through its left side at once, token by token, as rustc does
//! it. Where a fragment begins there must be one way only.

use std::rc::Rc;

use proc_macro2::{Delimiter, TokenStream};
use syn::buffer::Cursor;
use syn::parse::{ParseBuffer, ParseStream, Parser};

use super::definition::{Kind, Matcher, Place};
use super::fragments::{can_begin, parse_fragment};
use super::tokens::{Next, Tok, next};

/// How many steps one match may take.
const MOST_STEPS: usize = 200_000;

/// What came of an arm.
pub(super) enum Outcome {
    /// It matches, with what its variables stand for.
    Matched(Vec<Binding>),
    /// It does not; the next one may.
    Refused,
    /// Rustc would stop here, or we cannot tell.
    Unsure,
}

/// Values of a variable.
#[derive(Clone, Debug)]
pub(super) enum Binding {
    /// Bytes of the call; whether it is an expression that needs parentheses.
    One { start: usize, end: usize, is_loose: bool },
    /// One for each round of the repetition.
    Many(Vec<Binding>),
}

/// What happened on a way through the left side, newest first.
type Trail = Option<Rc<Event>>;

struct Event {
    what: What,
    before: Trail,
}

impl Drop for Event {
    /// Long trails are dropped in a loop.
    fn drop(&mut self) {
        let mut before = self.before.take();
        while let Some(mut event) = before.and_then(Rc::into_inner) {
            before = event.before.take();
        }
    }
}

#[derive(Clone)]
enum What {
    Begin(usize),
    Round(usize),
    Bind(usize, Binding),
}

fn then(before: &Trail, what: What) -> Trail {
    Some(Rc::new(Event { what, before: before.clone() }))
}

pub(super) fn match_arm(matcher: &Matcher, call: TokenStream) -> Outcome {
    let mut outcome = Outcome::Unsure;
    let run = |input: ParseStream<'_>| -> syn::Result<()> {
        outcome = run(matcher, input)?;
        Ok(())
    };
    // An error that the parser reports (tokens left over) is known already from `outcome`.
    drop(run.parse2(call));
    outcome
}

/// The ways through the left side at one token.
#[derive(Default)]
struct Ways {
    /// Those to follow: an index into the places.
    open: Vec<(usize, Trail)>,
    /// Those that the token continues.
    moved: Vec<(usize, Trail)>,
    /// Those at a variable whose fragment can begin with the token.
    fragments: Vec<(usize, usize, Kind, Trail)>,
    /// Those at the end of the left side.
    done: Vec<Trail>,
}

impl Ways {
    /// Follows one way up to the token; `is_end`: no token is left.
    fn follow(
        &mut self,
        matcher: &Matcher,
        (at, trail): (usize, Trail),
        token: &Next<'_>,
        is_end: bool,
    ) {
        let is_token = |tok: &Tok| matches!(token, Next::Tok(it, _) if it == tok);
        match matcher.places.get(at) {
            None => self.done.extend(is_end.then_some(trail)),
            Some(Place::Tok(tok)) => {
                self.moved.extend(is_token(tok).then_some((at + 1, trail)));
            }
            Some(Place::Open(delimiter)) => {
                let is_open = matches!(token, Next::Open(it) if it == delimiter);
                self.moved.extend(is_open.then_some((at + 1, trail)));
            }
            Some(Place::Close) => {
                let is_close = matches!(token, Next::End) && !is_end;
                self.moved.extend(is_close.then_some((at + 1, trail)));
            }
            Some(Place::Var(var, kind)) => {
                if can_begin(*kind, token) {
                    self.fragments.push((at, *var, *kind, trail));
                }
            }
            Some(Place::Begin { repetition, op, behind }) => {
                let trail = then(&trail, What::Begin(*repetition));
                if *op != '+' {
                    self.open.push((*behind, trail.clone()));
                }
                self.open.push((at + 1, then(&trail, What::Round(*repetition))));
            }
            Some(Place::Finish { has_separator: true, .. }) => {
                self.open.push((at + 2, trail.clone()));
                self.open.push((at + 1, trail));
            }
            Some(Place::Finish { repetition, op, first, has_separator: false }) => {
                self.open.push((at + 1, trail.clone()));
                if *op != '?' {
                    self.open.push((*first, then(&trail, What::Round(*repetition))));
                }
            }
            Some(Place::Separator { repetition, tok, first }) => {
                if is_token(tok) {
                    self.moved.push((*first, then(&trail, What::Round(*repetition))));
                }
            }
        }
    }
}

fn run(matcher: &Matcher, input: ParseStream<'_>) -> syn::Result<Outcome> {
    let mut stack = vec![input.fork()];
    let mut open: Vec<(usize, Trail)> = vec![(0, None)];
    let mut steps = 0;
    loop {
        let Some(top) = stack.last() else { return Ok(Outcome::Unsure) };
        let cursor = top.cursor();
        let token = next(cursor);
        let is_end = matches!(token, Next::End) && stack.len() == 1;
        let mut ways = Ways { open, ..Ways::default() };
        while let Some(way) = ways.open.pop() {
            steps += 1;
            if steps > MOST_STEPS {
                return Ok(Outcome::Unsure);
            }
            ways.follow(matcher, way, &token, is_end);
        }
        if is_end {
            return Ok(match (ways.done.pop(), ways.done.is_empty()) {
                (Some(trail), true) => Outcome::Matched(bindings(matcher, &trail)),
                (Some(_), false) => Outcome::Unsure,
                (None, _) => Outcome::Refused,
            });
        }
        match (ways.moved.is_empty(), ways.fragments.len()) {
            (true, 0) => return Ok(Outcome::Refused),
            (false, 0) => {
                open = ways.moved;
                advance(&mut stack, &token)?;
            }
            (true, 1) => {
                let Some((at, var, kind, trail)) = ways.fragments.pop() else {
                    return Ok(Outcome::Unsure);
                };
                let Some(is_loose) = parse_fragment(top, kind) else { return Ok(Outcome::Unsure) };
                let (start, end) = extent(cursor, top.cursor());
                let bind = What::Bind(var, Binding::One { start, end, is_loose });
                open = vec![(at + 1, then(&trail, bind))];
            }
            _ => return Ok(Outcome::Unsure),
        }
    }
}

fn advance<'a>(stack: &mut Vec<ParseBuffer<'a>>, token: &Next<'_>) -> syn::Result<()> {
    let Some(top) = stack.last() else { return Ok(()) };
    let content;
    match token {
        Next::Tok(..) => {
            return top.step(|cursor| match next(*cursor) {
                Next::Tok(_, rest) => Ok(((), rest)),
                Next::Open(_) | Next::End => Err(cursor.error("no token")),
            });
        }
        Next::Open(Delimiter::Parenthesis) => {
            syn::parenthesized!(content in top);
        }
        Next::Open(Delimiter::Bracket) => {
            syn::bracketed!(content in top);
        }
        Next::Open(Delimiter::Brace) => {
            syn::braced!(content in top);
        }
        Next::Open(Delimiter::None) => return Err(top.error("invisible group")),
        Next::End => {
            stack.pop();
            return Ok(());
        }
    }
    stack.push(content);
    Ok(())
}

/// The bytes from one place to another of the same list of tokens.
fn extent(from: Cursor<'_>, to: Cursor<'_>) -> (usize, usize) {
    let mut cursor = from;
    let mut extent: Option<(usize, usize)> = None;
    while cursor != to
        && let Some((token, rest)) = cursor.token_tree()
    {
        let range = token.span().byte_range();
        extent = Some((extent.map_or(range.start, |it| it.0), range.end));
        cursor = rest;
    }
    extent.unwrap_or((0, 0))
}

/// What a trail bound.
fn bindings(matcher: &Matcher, trail: &Trail) -> Vec<Binding> {
    let mut events = Vec::new();
    let mut event = trail.as_ref();
    while let Some(it) = event {
        events.push(&it.what);
        event = it.before.as_ref();
    }
    events.reverse();
    let mut bindings = vec![Binding::Many(Vec::new()); matcher.vars.len()];
    for what in events {
        match what {
            What::Begin(repetition) | What::Round(repetition) => {
                let is_round = matches!(what, What::Round(_));
                for ((_, around), binding) in matcher.vars.iter().zip(&mut bindings) {
                    let Some(depth) = around.iter().position(|it| it == repetition) else {
                        continue;
                    };
                    // The repetition's own list is in the newest rounds of those around it.
                    let list = newest(binding, depth);
                    let is_innermost = depth + 1 == around.len();
                    if let Binding::Many(rounds) = list
                        && is_round
                        && !is_innermost
                    {
                        rounds.push(Binding::Many(Vec::new()));
                    }
                }
            }
            What::Bind(var, one) => {
                let Some(((_, around), binding)) =
                    matcher.vars.get(*var).zip(bindings.get_mut(*var))
                else {
                    continue;
                };
                if around.is_empty() {
                    *binding = one.clone();
                } else if let Binding::Many(rounds) = newest(binding, around.len() - 1) {
                    rounds.push(one.clone());
                }
            }
        }
    }
    bindings
}

/// The newest list at this depth.
fn newest(binding: &mut Binding, depth: usize) -> &mut Binding {
    let is_deeper = depth > 0 && matches!(binding, Binding::Many(rounds) if !rounds.is_empty());
    if !is_deeper {
        return binding;
    }
    match binding {
        Binding::Many(rounds) => {
            let last = rounds.len() - 1;
            newest(&mut rounds[last], depth - 1)
        }
        Binding::One { .. } => binding,
    }
}
