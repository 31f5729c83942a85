//! The tokens of macro calls, parsed as the Rust that they look like.
//!
//! The parser leaves the tokens of a call as they are. Here they are parsed again as items,
//! arguments, statements, a match or its arms, whatever fits without an error; else they stay tokens.

use base::SortedMap;

use ra_ap_parser::TopEntryPoint;

use crate::cfg_if;
use crate::isolate::{self, Keep, isolated};
use crate::macro_arms;
use crate::recovery::Origin;
use crate::tokens::{Token, Tokens};
use crate::tree::{Kind, Tree, is_item, is_item_list};

/// How deep macro calls in macro calls are read.
const DEEPEST: usize = 8;

/// The tokens of a macro call, parsed as Rust.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MacroArgs {
    /// The node that contains what was parsed.
    pub(crate) node: u32,
    /// What the tokens were parsed as.
    pub(crate) parsed_as: ParsedAs,
}

/// What the tokens of a macro call were parsed as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ParsedAs {
    /// Items: the node is a list of them.
    Items,
    /// Expressions separated by commas: the node is a list of arguments or an array.
    Arguments,
    /// Statements: the node is a list of them.
    Block,
    /// `expression, pattern if guard`, or arms: the node is a match.
    Match,
}

/// Parses the tokens of all macro calls in `tree` that may be Rust, and appends the nodes to the
/// tree. The result is by the node of the call.
pub(crate) fn parse_macro_args(
    text: &str,
    tree: &mut Tree,
    origin: Origin,
) -> SortedMap<u32, MacroArgs> {
    let mut found = SortedMap::new();
    let mut from = vec![(0, true)];
    for _ in 0..DEEPEST {
        let mut calls = Vec::new();
        for (root, is_list) in std::mem::take(&mut from) {
            calls_below(text, tree, root, is_list, &mut calls);
        }
        for call in calls {
            if let Some(args) = call.parse(text, tree, origin) {
                found.insert(call.node, args);
                from.push((args.node, args.parsed_as == ParsedAs::Items));
            }
        }
        if from.is_empty() {
            break;
        }
    }
    found
}

/// A macro call whose tokens may be Rust.
struct Call {
    node: u32,
    /// The tokens, delimiters included.
    tokens: Vec<Token>,
    /// What to try, in this order.
    tries: &'static [Context],
    /// Commas between the tokens, by index.
    commas: Vec<usize>,
}

/// What tokens are parsed inside of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Context {
    Items,
    /// The items of all branches of `cfg_if!`.
    Branches,
    Call,
    Array,
    Block,
    Match,
    Arms,
}

/// Finds the macro calls below `root`, those in the tokens of other calls excepted.
fn calls_below(text: &str, tree: &Tree, root: u32, is_list: bool, found: &mut Vec<Call>) {
    let end = tree.node(root).after;
    // The nodes around: where they end, and whether they are lists of items.
    let mut around = vec![(end, is_list)];
    let mut at = root + 1;
    while at < end {
        while around.last().is_some_and(|&(end, _)| at >= end) {
            around.pop();
        }
        let node = tree.node(at);
        if !node.has_item() {
            at = node.after;
            continue;
        }
        if node.kind == Kind::MACRO_CALL {
            let in_list = around.last().is_some_and(|&(_, is_list)| is_list);
            if in_list || !node.has_error() {
                found.extend(Call::of(text, tree, at, in_list));
            }
            at = node.after;
            continue;
        }
        around.push((node.after, is_item_list(node.kind)));
        at += 1;
    }
}

impl Call {
    /// Chooses what the tokens of a call may be.
    fn of(text: &str, tree: &Tree, node: u32, is_item: bool) -> Option<Self> {
        let token_tree = tree.child(node, Kind::TOKEN_TREE)?;
        let tokens = tree.tokens_of(token_tree);
        let open = tokens.first()?.kind;
        let call = |tries, commas| {
            // `static ref NAME`, as `lazy_static!` has it, declares a static.
            let is_extra = |it: &usize| {
                let kinds = it.checked_sub(1).and_then(|before| tokens.get(before..=*it));
                kinds.is_some_and(|it| it[0].kind == Kind::STATIC_KW && it[1].kind == Kind::REF_KW)
            };
            let kept = (0..tokens.len()).filter(|it| !is_extra(it));
            let tokens = kept.filter_map(|it| tokens.get(it).copied()).collect();
            Some(Self { node, tokens, tries, commas })
        };
        if is_item && let Some(inner) = cfg_if::items(tokens) {
            let (open, close) = (tokens.first().copied()?, tokens.last().copied()?);
            let tokens = std::iter::once(open).chain(inner).chain([close]).collect();
            return Some(Self { node, tokens, tries: &[Context::Branches], commas: Vec::new() });
        }
        if is_item {
            let code = tree.slice(text, token_tree);
            let code = code.get(1..code.len().saturating_sub(1)).unwrap_or("");
            let may_hold_items = begins_item(code) || isolate::holds_items(code);
            return may_hold_items.then(|| call(&[Context::Items], Vec::new())).flatten();
        }
        let separators = Separators::of(tokens);
        let name = tree.child(node, Kind::PATH).map_or("", |it| tree.slice(text, it));
        if name.ends_with("matches") && !separators.commas.is_empty() {
            return call(&[Context::Match], separators.commas);
        }
        if separators.has_arrow {
            return call(&[Context::Arms], Vec::new());
        }
        let tries: &[Context] = match open {
            Kind::L_CURLY => &[Context::Block, Context::Call],
            Kind::L_BRACK => &[Context::Array],
            _ if separators.has_semicolon => &[Context::Block],
            _ => &[Context::Call],
        };
        call(tries, separators.commas)
    }

    /// Parses the tokens as the first that fits.
    fn parse(&self, text: &str, tree: &mut Tree, origin: Origin) -> Option<MacroArgs> {
        let is_whole = !self.tokens.iter().any(|it| it.is_broken);
        let mut tries = self.tries.iter().filter(|_| is_whole);
        let found = tries.find_map(|context| {
            let (tokens, entry) = self.input(*context)?;
            attempt(text, tree, &tokens, &entry, |tree, root| {
                args_in(tree, root, *context).filter(|_| !tree.node(root).has_error())
            })
        });
        if found.is_some() || origin == Origin::Expansion || self.tries != [Context::Items] {
            return found;
        }
        [Keep::Local, Keep::Clean].into_iter().find_map(|keep| self.broken(text, tree, keep))
    }

    /// The input of the parser in a context, and where to begin.
    fn input(&self, context: Context) -> Option<(Vec<Token>, TopEntryPoint)> {
        let (open, rest) = self.tokens.split_first()?;
        let (close, inner) = rest.split_last()?;
        let made = |kind| Token::made(kind, open.start);
        let enclosed = |before: &[Token], kinds: [Kind; 2]| {
            let mut tokens = before.to_vec();
            tokens.push(open.with_kind(kinds[0]));
            tokens.extend_from_slice(inner);
            tokens.push(close.with_kind(kinds[1]));
            tokens
        };
        Some(match context {
            Context::Items | Context::Branches => (inner.to_vec(), TopEntryPoint::MacroItems),
            Context::Call => {
                let callee = [made(Kind::IDENT)];
                (enclosed(&callee, [Kind::L_PAREN, Kind::R_PAREN]), TopEntryPoint::Expr)
            }
            Context::Array => (enclosed(&[], [Kind::L_BRACK, Kind::R_BRACK]), TopEntryPoint::Expr),
            Context::Block => (enclosed(&[], [Kind::L_CURLY, Kind::R_CURLY]), TopEntryPoint::Expr),
            Context::Arms => (macro_arms::as_match(&self.tokens)?, TopEntryPoint::Expr),
            Context::Match => {
                // `matches!(a, b if c)` becomes `match (a) { b if c => () }`.
                let comma = *self.commas.first()?;
                let end = self.commas.get(1).copied().unwrap_or(self.tokens.len() - 1);
                let on = self.tokens.get(1..comma)?;
                let arm = self.tokens.get(comma + 1..end)?;
                let comma = self.tokens.get(comma)?;
                let mut tokens = vec![made(Kind::MATCH_KW), open.with_kind(Kind::L_PAREN)];
                tokens.extend_from_slice(on);
                tokens.push(Token::made(Kind::R_PAREN, comma.start));
                tokens.push(comma.with_kind(Kind::L_CURLY));
                tokens.extend_from_slice(arm);
                tokens.extend(Token::arrow(close.start));
                tokens.push(Token::made(Kind::L_PAREN, close.start));
                tokens.push(Token::made(Kind::R_PAREN, close.start));
                tokens.push(close.with_kind(Kind::R_CURLY));
                (tokens, TopEntryPoint::Expr)
            }
        })
    }

    /// Parses items one of which may be broken: the others are kept apart from it.
    fn broken(&self, text: &str, tree: &mut Tree, keep: Keep) -> Option<MacroArgs> {
        let start = self.tokens.first()?.end;
        let end = self.tokens.last()?.start;
        let code = text.get(start as usize..end as usize)?;
        let repaired = isolated(code, keep).map_or_else(|| code.to_owned(), |(code, _)| code);
        let tokens = Tokens::of(&repaired, start).list;
        attempt(text, tree, &tokens, &TopEntryPoint::MacroItems, |tree, root| {
            is_mostly_whole(tree, root)
                .then_some(MacroArgs { node: root, parsed_as: ParsedAs::Items })
        })
    }
}

/// Parses tokens; what `accept` refuses is removed from the tree again.
fn attempt(
    text: &str,
    tree: &mut Tree,
    tokens: &[Token],
    entry: &TopEntryPoint,
    accept: impl Fn(&Tree, u32) -> Option<MacroArgs>,
) -> Option<MacroArgs> {
    let root = tree.parse(text, tokens, entry);
    let args = accept(tree, root);
    if args.is_none() {
        tree.forget(root);
    }
    args
}

/// The node in a parsed context that contains the tokens of the call.
fn args_in(tree: &Tree, root: u32, context: Context) -> Option<MacroArgs> {
    let kind = tree.kind(root);
    let (node, parsed_as) = match context {
        Context::Items | Context::Branches => (root, ParsedAs::Items),
        Context::Call if kind == Kind::CALL_EXPR => {
            tree.exprs(root).next().filter(|it| tree.kind(*it) == Kind::PATH_EXPR)?;
            (tree.child(root, Kind::ARG_LIST)?, ParsedAs::Arguments)
        }
        Context::Array if kind == Kind::ARRAY_EXPR => (root, ParsedAs::Arguments),
        Context::Block if kind == Kind::BLOCK_EXPR => {
            (tree.child(root, Kind::STMT_LIST)?, ParsedAs::Block)
        }
        Context::Match | Context::Arms if kind == Kind::MATCH_EXPR => (root, ParsedAs::Match),
        _ => return None,
    };
    Some(MacroArgs { node, parsed_as })
}

/// What separates the tokens of a call, outside of brackets.
#[derive(Default)]
struct Separators {
    has_semicolon: bool,
    has_arrow: bool,
    /// Commas, by index.
    commas: Vec<usize>,
}

impl Separators {
    /// Those between delimiters, which are the first and the last token.
    fn of(tokens: &[Token]) -> Self {
        let mut found = Self::default();
        let mut depth = 0_usize;
        for (idx, pair) in tokens.windows(2).enumerate().skip(1) {
            match (pair[0].kind, pair[1].kind) {
                (Kind::L_PAREN | Kind::L_BRACK | Kind::L_CURLY, _) => depth += 1,
                (Kind::R_PAREN | Kind::R_BRACK | Kind::R_CURLY, _) => {
                    depth = depth.saturating_sub(1);
                }
                _ if depth > 0 => {}
                (Kind::COMMA, _) => found.commas.push(idx),
                (Kind::SEMICOLON, _) => found.has_semicolon = true,
                (Kind::EQ, Kind::R_ANGLE) if pair[0].end == pair[1].start => {
                    found.has_arrow = true;
                }
                _ => {}
            }
        }
        found
    }
}

/// Whether code begins as an item does: with a keyword of items, an attribute, a doc comment or
/// another macro call.
fn begins_item(code: &str) -> bool {
    let mut code = code.trim_start();
    while code.starts_with("//") && !code.starts_with("///") {
        code = code.split_once('\n').map_or("", |(_, rest)| rest.trim_start());
    }
    if ["#[", "#![", "///", "/*"].iter().any(|it| code.starts_with(it)) {
        return true;
    }
    let end = code.find(|ch: char| !ch.is_alphanumeric() && ch != '_').unwrap_or(code.len());
    let (word, rest) = code.split_at(end);
    match word {
        "pub" | "fn" | "async" | "unsafe" | "use" | "mod" | "struct" | "enum" | "trait"
        | "impl" | "static" | "const" | "type" | "extern" | "union" | "macro_rules" => true,
        "" => false,
        _ => rest.trim_start().starts_with('!') && !rest.trim_start().starts_with("!="),
    }
}

/// Whether at least as many items are whole as there are errors, those in a row counted once: a
/// language of its own is not broken Rust.
fn is_mostly_whole(tree: &Tree, list: u32) -> bool {
    let (mut whole, mut broken) = (0_usize, 0_usize);
    let mut is_after_error = false;
    for child in tree.children(list).map(|it| tree.node(it)) {
        let is_item = is_item(child.kind) || child.kind == Kind::MACRO_CALL;
        whole += usize::from(!child.has_error() && is_item);
        broken += usize::from(child.has_error() && !(child.is_error() && is_after_error));
        is_after_error = child.is_error();
    }
    whole >= broken.max(1)
}
