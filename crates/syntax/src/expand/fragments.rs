//! The fragments of `macro_rules!`: which tokens may begin one, and where it ends.

use proc_macro2::Delimiter;
use syn::ext::IdentExt;
use syn::parse::ParseBuffer;

use super::definition::Kind;
use super::tokens::{Next, Tok, next};

/// Whether a fragment can begin with this token; where not, the arm may still match another way.
pub(super) fn can_begin(kind: Kind, token: &Next<'_>) -> bool {
    match token {
        Next::End => false,
        // Any token begins one.
        _ if matches!(kind, Kind::Tt | Kind::Item | Kind::Stmt) => true,
        Next::Open(delimiter) => is_first_delimiter(kind, *delimiter),
        Next::Tok(Tok::Ident(word), _) => is_first_word(kind, word),
        Next::Tok(Tok::Lifetime(_), _) => {
            matches!(kind, Kind::Vis | Kind::Lifetime | Kind::Ty | Kind::Expr)
        }
        Next::Tok(Tok::Literal(_), _) => {
            matches!(kind, Kind::Literal | Kind::Pat | Kind::PatParam | Kind::Expr)
        }
        Next::Tok(Tok::Op(op), _) => is_first_operator(kind, op),
    }
}

fn is_first_delimiter(kind: Kind, delimiter: Delimiter) -> bool {
    match kind {
        Kind::Expr => true,
        Kind::Block => delimiter == Delimiter::Brace,
        Kind::Vis | Kind::Ty | Kind::Pat | Kind::PatParam => {
            matches!(delimiter, Delimiter::Parenthesis | Delimiter::Bracket)
        }
        _ => false,
    }
}

fn is_first_word(kind: Kind, word: &str) -> bool {
    let keywords: &[&str] = match kind {
        Kind::Vis => return true,
        Kind::Ident => return word != "_",
        Kind::Literal => return word == "true" || word == "false",
        Kind::Path | Kind::Meta => &[],
        Kind::Ty => &["_", "impl", "dyn", "for", "fn", "unsafe", "extern"],
        Kind::Pat | Kind::PatParam => &["_", "ref", "mut", "box", "true", "false", "const"],
        Kind::Expr => &[
            "async", "do", "box", "break", "const", "continue", "false", "for", "if", "loop",
            "match", "move", "return", "true", "try", "unsafe", "while", "yield", "static",
        ],
        _ => return false,
    };
    is_path_word(word) || keywords.contains(&word)
}

fn is_first_operator(kind: Kind, op: &str) -> bool {
    let is_angle = matches!(op, "<" | "<<");
    match kind {
        Kind::Literal => op == "-",
        Kind::Path => op == "::" || is_angle,
        Kind::Meta => op == "::",
        Kind::Vis => op == "," || is_first_operator(Kind::Ty, op),
        Kind::Ty => is_angle || matches!(op, "!" | "*" | "&" | "&&" | "?" | "::"),
        Kind::Pat => op == "|" || is_first_operator(Kind::PatParam, op),
        Kind::PatParam => is_angle || matches!(op, "&" | "&&" | "-" | ".." | "..=" | "..." | "::"),
        Kind::Expr => {
            is_angle
                || matches!(
                    op,
                    "!" | "-" | "*" | "|" | "||" | "&" | "&&" | ".." | "..." | "..=" | "::" | "#"
                )
        }
        _ => false,
    }
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
pub(super) fn parse_fragment(input: &ParseBuffer<'_>, kind: Kind) -> Option<bool> {
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
