//! Whether an arm matches: all ways through its left side at once, token by token, as rustc does
//! it. Where a fragment begins there must be one way only.

use std::rc::Rc;

use proc_macro2::{Delimiter, TokenStream};
use syn::buffer::Cursor;
use syn::ext::IdentExt;
use syn::parse::{ParseBuffer, ParseStream, Parser};

use super::definition::{Kind, Matcher, Place};
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

fn run(matcher: &Matcher, input: ParseStream<'_>) -> syn::Result<Outcome> {
    let mut stack = vec![input.fork()];
    let mut ways: Vec<(usize, Trail)> = vec![(0, None)];
    let mut steps = 0;
    loop {
        let Some(top) = stack.last() else { return Ok(Outcome::Unsure) };
        let cursor = top.cursor();
        let token = next(cursor);
        let is_end = matches!(token, Next::End) && stack.len() == 1;
        let mut moved: Vec<(usize, Trail)> = Vec::new();
        let mut fragments: Vec<(usize, usize, Kind, Trail)> = Vec::new();
        let mut done: Vec<Trail> = Vec::new();
        while let Some((at, trail)) = ways.pop() {
            steps += 1;
            if steps > MOST_STEPS {
                return Ok(Outcome::Unsure);
            }
            match matcher.places.get(at) {
                None => done.extend(is_end.then_some(trail)),
                Some(Place::Tok(tok)) => {
                    if matches!(&token, Next::Tok(it, _) if it == tok) {
                        moved.push((at + 1, trail));
                    }
                }
                Some(Place::Open(delimiter)) => {
                    if matches!(&token, Next::Open(it) if it == delimiter) {
                        moved.push((at + 1, trail));
                    }
                }
                Some(Place::Close) => {
                    if matches!(token, Next::End) && !is_end {
                        moved.push((at + 1, trail));
                    }
                }
                Some(Place::Var(var, kind)) => {
                    if can_begin(*kind, &token) {
                        fragments.push((at, *var, *kind, trail));
                    }
                }
                Some(Place::Begin { repetition, op, behind }) => {
                    let trail = then(&trail, What::Begin(*repetition));
                    if *op != '+' {
                        ways.push((*behind, trail.clone()));
                    }
                    ways.push((at + 1, then(&trail, What::Round(*repetition))));
                }
                Some(Place::Finish { repetition, op, first, has_separator }) => {
                    if *has_separator {
                        ways.push((at + 2, trail.clone()));
                        ways.push((at + 1, trail));
                    } else {
                        ways.push((at + 1, trail.clone()));
                        if *op != '?' {
                            ways.push((*first, then(&trail, What::Round(*repetition))));
                        }
                    }
                }
                Some(Place::Separator { repetition, tok, first }) => {
                    if matches!(&token, Next::Tok(it, _) if it == tok) {
                        moved.push((*first, then(&trail, What::Round(*repetition))));
                    }
                }
            }
        }
        if is_end {
            return Ok(match (done.pop(), done.is_empty()) {
                (Some(trail), true) => Outcome::Matched(bindings(matcher, &trail)),
                (Some(_), false) => Outcome::Unsure,
                (None, _) => Outcome::Refused,
            });
        }
        match (moved.is_empty(), fragments.len()) {
            (true, 0) => return Ok(Outcome::Refused),
            (false, 0) => {
                ways = moved;
                advance(&mut stack, &token)?;
            }
            (true, 1) => {
                let Some((at, var, kind, trail)) = fragments.pop() else {
                    return Ok(Outcome::Unsure);
                };
                let Some(is_loose) = parse_fragment(top, kind) else { return Ok(Outcome::Unsure) };
                let (start, end) = extent(cursor, top.cursor());
                let bind = What::Bind(var, Binding::One { start, end, is_loose });
                ways = vec![(at + 1, then(&trail, bind))];
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

/// Whether a fragment can begin with this token; where not, the arm may still match another way.
fn can_begin(kind: Kind, token: &Next<'_>) -> bool {
    match kind {
        Kind::Vis => {
            matches!(token, Next::Tok(Tok::Ident(_), _))
                || matches!(token, Next::Tok(tok, _) if tok.is_op(","))
                || can_begin(Kind::Ty, token)
        }
        Kind::Tt | Kind::Item | Kind::Stmt => !matches!(token, Next::End),
        Kind::Ident => matches!(token, Next::Tok(Tok::Ident(word), _) if word != "_"),
        Kind::Lifetime => matches!(token, Next::Tok(Tok::Lifetime(_), _)),
        Kind::Block => matches!(token, Next::Open(Delimiter::Brace)),
        Kind::Literal => match token {
            Next::Tok(Tok::Literal(_), _) => true,
            Next::Tok(Tok::Ident(word), _) => word == "true" || word == "false",
            Next::Tok(tok, _) => tok.is_op("-"),
            _ => false,
        },
        Kind::Path | Kind::Meta => match token {
            Next::Tok(Tok::Ident(word), _) => is_path_word(word),
            Next::Tok(tok, _) => tok.is_op("::") || kind == Kind::Path && is_angle(tok),
            _ => false,
        },
        Kind::Ty => match token {
            Next::Tok(Tok::Ident(word), _) => {
                is_path_word(word)
                    || matches!(
                        word.as_str(),
                        "_" | "impl" | "dyn" | "for" | "fn" | "unsafe" | "extern"
                    )
            }
            Next::Tok(Tok::Lifetime(_), _) => true,
            Next::Tok(tok, _) => {
                is_angle(tok)
                    || ["!", "*", "&", "&&", "?", "::"].into_iter().any(|op| tok.is_op(op))
            }
            Next::Open(delimiter) => {
                matches!(delimiter, Delimiter::Parenthesis | Delimiter::Bracket)
            }
            Next::End => false,
        },
        Kind::Pat | Kind::PatParam => match token {
            Next::Tok(Tok::Ident(word), _) => {
                is_path_word(word)
                    || matches!(
                        word.as_str(),
                        "_" | "ref" | "mut" | "box" | "true" | "false" | "const"
                    )
            }
            Next::Tok(Tok::Literal(_), _) => true,
            Next::Tok(Tok::Lifetime(_), _) => false,
            Next::Tok(tok, _) => {
                is_angle(tok)
                    || ["&", "&&", "-", "..", "..=", "...", "::"]
                        .into_iter()
                        .any(|op| tok.is_op(op))
                    || kind == Kind::Pat && tok.is_op("|")
            }
            Next::Open(delimiter) => {
                matches!(delimiter, Delimiter::Parenthesis | Delimiter::Bracket)
            }
            Next::End => false,
        },
        Kind::Expr => match token {
            Next::Tok(Tok::Ident(word), _) => {
                is_path_word(word)
                    || matches!(
                        word.as_str(),
                        "async"
                            | "do"
                            | "box"
                            | "break"
                            | "const"
                            | "continue"
                            | "false"
                            | "for"
                            | "if"
                            | "loop"
                            | "match"
                            | "move"
                            | "return"
                            | "true"
                            | "try"
                            | "unsafe"
                            | "while"
                            | "yield"
                            | "static"
                    )
            }
            Next::Tok(Tok::Literal(_) | Tok::Lifetime(_), _) => true,
            Next::Tok(tok, _) => {
                is_angle(tok)
                    || ["!", "-", "*", "|", "||", "&", "&&", "..", "...", "..=", "::", "#"]
                        .into_iter()
                        .any(|op| tok.is_op(op))
            }
            Next::Open(_) => true,
            Next::End => false,
        },
    }
}

fn is_angle(tok: &Tok) -> bool {
    tok.is_op("<") || tok.is_op("<<")
}

/// Words that no keyword forbids to begin a path.
fn is_path_word(word: &str) -> bool {
    !matches!(
        word,
        "_" | "as"
            | "async"
            | "await"
            | "break"
            | "const"
            | "continue"
            | "dyn"
            | "else"
            | "enum"
            | "extern"
            | "false"
            | "fn"
            | "for"
            | "if"
            | "impl"
            | "in"
            | "let"
            | "loop"
            | "match"
            | "mod"
            | "move"
            | "mut"
            | "pub"
            | "ref"
            | "return"
            | "static"
            | "struct"
            | "trait"
            | "true"
            | "type"
            | "unsafe"
            | "use"
            | "where"
            | "while"
    )
}

/// Parses one fragment; `None` where it does not parse. `true` if it must be kept together.
fn parse_fragment(input: &ParseBuffer<'_>, kind: Kind) -> Option<bool> {
    match kind {
        Kind::Ident => syn::Ident::parse_any(input).ok().map(|_| false),
        Kind::Lifetime => input.parse::<syn::Lifetime>().ok().map(|_| false),
        Kind::Ty => syn::Type::without_plus(input).ok().map(|_| false),
        Kind::Expr => input.parse::<syn::Expr>().ok().map(|it| is_loose(&it)),
        Kind::Pat => syn::Pat::parse_multi_with_leading_vert(input).ok().map(|_| false),
        Kind::PatParam => syn::Pat::parse_single(input).ok().map(|_| false),
        Kind::Stmt => parse_statement(input),
        Kind::Block => input.parse::<syn::Block>().ok().map(|_| false),
        Kind::Item => input.parse::<syn::Item>().ok().map(|_| false),
        Kind::Vis => input.parse::<syn::Visibility>().ok().map(|_| false),
        Kind::Literal => {
            if input.peek(syn::Token![-]) {
                input.parse::<syn::Token![-]>().ok()?;
            }
            input.parse::<syn::Lit>().ok().map(|_| false)
        }
        Kind::Path => input.parse::<syn::Path>().ok().map(|_| false),
        Kind::Meta => input.parse::<syn::Meta>().ok().map(|_| false),
        Kind::Tt => input
            .step(|cursor| match next(*cursor) {
                Next::Tok(_, rest) => Ok(((), rest)),
                Next::Open(_) | Next::End => match cursor.token_tree() {
                    Some((_, rest)) => Ok(((), rest)),
                    None => Err(cursor.error("no token")),
                },
            })
            .ok()
            .map(|()| false),
    }
}

/// A statement without the semicolon behind it.
fn parse_statement(input: &ParseBuffer<'_>) -> Option<bool> {
    let fork = input.fork();
    if fork.parse::<syn::Item>().is_ok() {
        input.parse::<syn::Item>().ok()?;
        return Some(false);
    }
    if input.peek(syn::Token![let]) {
        input.parse::<syn::Token![let]>().ok()?;
        syn::Pat::parse_single(input).ok()?;
        if input.peek(syn::Token![:]) {
            input.parse::<syn::Token![:]>().ok()?;
            input.parse::<syn::Type>().ok()?;
        }
        if input.peek(syn::Token![=]) {
            input.parse::<syn::Token![=]>().ok()?;
            input.parse::<syn::Expr>().ok()?;
        }
        return (!input.peek(syn::Token![else])).then_some(false);
    }
    input.parse::<syn::Expr>().ok().map(|_| false)
}

/// Whether operators around an expression could split it.
fn is_loose(expr: &syn::Expr) -> bool {
    use syn::Expr;
    matches!(
        expr,
        Expr::Assign(_)
            | Expr::Binary(_)
            | Expr::Break(_)
            | Expr::Cast(_)
            | Expr::Closure(_)
            | Expr::Let(_)
            | Expr::Range(_)
            | Expr::RawAddr(_)
            | Expr::Reference(_)
            | Expr::Return(_)
            | Expr::Unary(_)
            | Expr::Yield(_)
    )
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
