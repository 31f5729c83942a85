//! Tokens of macro calls that read as Rust: parsed once more, as what they read as.
//!
//! All pieces of a text at one depth of nesting are parsed together, each in a wrapping of its
//! own. What does not come out whole is tried alone, and else left as tokens.

use std::collections::BTreeMap;
use std::ops::Range;

use tree_sitter::Parser;

use crate::tree::{Field, Kind, Tree};

/// How deep macro calls in macro calls are read.
const DEEPEST: usize = 8;

/// Tokens of a macro call that read as Rust.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Piece {
    /// The node around what they were read as.
    pub(crate) node: u32,
    /// As what they read.
    pub(crate) reading: Reading,
}

/// As what the tokens of a macro call can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reading {
    /// Items: the node is a list of declarations.
    Items,
    /// Expressions separated by commas: the node is a list of arguments.
    Arguments,
    /// Statements: the node is a block.
    Block,
    /// `expression, pattern if guard`: the node is a match with one arm.
    Match,
}

/// Parses the tokens of all macro calls in `tree` that may read as Rust, and adds what came of it
/// to the tree. The result goes by the node of the call.
pub(crate) fn read_pieces(
    text: &str,
    tree: &mut Tree,
    parser: &mut Parser,
) -> BTreeMap<u32, Piece> {
    let mut pieces = BTreeMap::new();
    let mut from = vec![(0, true)];
    for _ in 0..DEEPEST {
        let mut wanted = Vec::new();
        for (root, is_list) in std::mem::take(&mut from) {
            calls(text, tree, root, is_list, &mut pieces, &mut wanted);
        }
        if wanted.is_empty() {
            break;
        }
        let mut batch = Batch::default();
        for want in &wanted {
            batch.push(text, want, 0);
        }
        let mut again = Vec::new();
        let found = batch.parse(tree, parser);
        for (want, found) in wanted.into_iter().zip(found) {
            match found {
                Some(piece) => {
                    pieces.insert(want.call, piece);
                    from.push((piece.node, piece.reading == Reading::Items));
                }
                None => again.push(want),
            }
        }
        for want in again {
            for reading in 0..want.readings.len() {
                let mut alone = Batch::default();
                alone.push(text, &want, reading);
                if let Some(piece) = alone.parse(tree, parser).into_iter().next().flatten() {
                    pieces.insert(want.call, piece);
                    from.push((piece.node, piece.reading == Reading::Items));
                    break;
                }
            }
        }
    }
    pieces
}

/// A macro call whose tokens are to be parsed.
struct Want {
    call: u32,
    /// The tokens between the delimiters.
    tokens: Range<u32>,
    /// What to try, in this order.
    readings: Vec<Wrap>,
}

/// What is put around tokens.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wrap {
    Items,
    Call,
    Array,
    Block,
    /// The comma behind the expression, and the end of the pattern.
    Match(u32, u32),
}

/// Finds the macro calls below `root`; those whose tokens need no parser become pieces at once.
fn calls(
    text: &str,
    tree: &Tree,
    root: u32,
    is_list: bool,
    pieces: &mut BTreeMap<u32, Piece>,
    wanted: &mut Vec<Want>,
) {
    let end = tree.node(root).after;
    // The lists of siblings around: where they end, and whether items stand in them.
    let mut lists = vec![(end, is_list)];
    let mut at = root + 1;
    if tree.node(root).kind == Kind::SourceFile {
        at = root;
    }
    while at < end {
        while lists.last().is_some_and(|&(end, _)| at >= end) {
            lists.pop();
        }
        let node = tree.node(at);
        if !node.has_item() || node.kind == Kind::MacroDefinition {
            at = node.after;
            continue;
        }
        let in_list = lists.last().is_some_and(|&(_, is_list)| is_list);
        match node.kind {
            Kind::MacroInvocation => {
                if !node.has_error() {
                    call(text, tree, at, in_list, pieces, wanted);
                }
                at = node.after;
                continue;
            }
            Kind::SourceFile | Kind::DeclarationList => lists.push((node.after, true)),
            // `name!(…);` at item level.
            Kind::ExpressionStatement if in_list => {}
            _ => lists.push((node.after, false)),
        }
        at += 1;
    }
}

/// Looks at one macro call.
fn call(
    text: &str,
    tree: &Tree,
    call: u32,
    is_item: bool,
    pieces: &mut BTreeMap<u32, Piece>,
    wanted: &mut Vec<Want>,
) {
    let Some(token_tree) = tree.child(call, Kind::TokenTree) else { return };
    let at = tree.node(token_tree);
    let tokens = at.start + 1..at.end.saturating_sub(1).max(at.start + 1);
    let Some(code) = text.get(tokens.start as usize..tokens.end as usize) else { return };
    if is_item {
        if begins_item(code) {
            wanted.push(Want { call, tokens, readings: vec![Wrap::Items] });
        }
        return;
    }
    let signs = Signs::of(tree, token_tree);
    if signs.is_plain {
        let reading = Reading::Arguments;
        pieces.insert(call, Piece { node: token_tree, reading });
        return;
    }
    let name = tree.field(call, Field::Macro).map_or("", |it| tree.slice(text, it));
    let name = name.rsplit("::").next().unwrap_or(name);
    if name.ends_with("matches")
        && let Some(comma) = signs.commas.first()
    {
        let end = signs.commas.get(1).copied().unwrap_or(tokens.end);
        let readings = vec![Wrap::Match(*comma, end)];
        wanted.push(Want { call, tokens, readings });
        return;
    }
    // Arms of some kind.
    if signs.has_arrow {
        return;
    }
    let readings = match text.as_bytes().get(at.start as usize) {
        Some(b'{') => vec![Wrap::Block, Wrap::Call],
        Some(b'[') => vec![Wrap::Array],
        _ if signs.has_semicolon => vec![Wrap::Block],
        _ => vec![Wrap::Call],
    };
    wanted.push(Want { call, tokens, readings });
}

/// What stands between the tokens of a call, at their uppermost level.
#[derive(Default)]
struct Signs {
    /// One name or literal between commas, nothing else.
    is_plain: bool,
    has_semicolon: bool,
    has_arrow: bool,
    commas: Vec<u32>,
}

impl Signs {
    fn of(tree: &Tree, token_tree: u32) -> Self {
        let mut signs = Self { is_plain: true, ..Self::default() };
        let mut is_behind = false;
        for child in tree.children(token_tree) {
            let node = tree.node(child);
            match node.kind {
                Kind::Open | Kind::Close | Kind::LineComment | Kind::BlockComment => {}
                Kind::Comma => {
                    signs.is_plain &= is_behind;
                    is_behind = false;
                    signs.commas.push(node.start);
                }
                Kind::Identifier
                | Kind::SelfWord
                | Kind::StringLiteral
                | Kind::RawStringLiteral
                | Kind::CharLiteral
                | Kind::BooleanLiteral
                | Kind::IntegerLiteral
                | Kind::FloatLiteral => {
                    signs.is_plain &= !is_behind;
                    is_behind = true;
                }
                kind => {
                    signs.is_plain = false;
                    is_behind = false;
                    signs.has_semicolon |= kind == Kind::Semicolon;
                    signs.has_arrow |= kind == Kind::FatArrow;
                }
            }
        }
        signs
    }
}

/// Whether tokens begin as an item does: with a keyword of items, an attribute, a doc comment or
/// another macro call.
pub(crate) fn begins_item(code: &str) -> bool {
    let mut code = code.trim_start();
    while code.starts_with("//") && !code.starts_with("///") {
        code = code.split_once('\n').map_or("", |(_, rest)| rest.trim_start());
    }
    if code.starts_with("#[")
        || code.starts_with("#![")
        || code.starts_with("///")
        || code.starts_with("/*")
    {
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

/// Pieces that are parsed together.
#[derive(Default)]
struct Batch {
    text: String,
    pieces: Vec<Wrapped>,
}

struct Wrapped {
    wrap: Wrap,
    /// All of it in the batch.
    span: Range<u32>,
    /// From where in the batch to where in the text: the first part, and of a match the second.
    parts: [(u32, u32); 2],
    /// The tokens with their delimiters.
    bounds: Range<u32>,
}

impl Batch {
    fn push(&mut self, text: &str, want: &Want, reading: usize) {
        let wrap = want.readings.get(reading).copied().unwrap_or(Wrap::Block);
        let part = |from: u32, to: u32| text.get(from as usize..to as usize).unwrap_or("");
        let start = self.text.len() as u32;
        let Range { start: from, end: to } = want.tokens;
        let (before, after) = match wrap {
            Wrap::Items => ("mod m{", "\n}\n"),
            Wrap::Call => ("fn f(){f(", "\n)}\n"),
            Wrap::Array => ("fn f(){[", "\n]}\n"),
            Wrap::Block => ("fn f(){", "\n}\n"),
            Wrap::Match(..) => ("fn f(){match ", "\n=>()}}\n"),
        };
        self.text.push_str(before);
        let first = (self.text.len() as u32, from);
        let mut second = (u32::MAX, from);
        if let Wrap::Match(comma, end) = wrap {
            self.text.push_str(part(from, comma));
            self.text.push_str("\n{");
            second = (self.text.len() as u32, comma + 1);
            self.text.push_str(part(comma + 1, end));
        } else {
            self.text.push_str(part(from, to));
        }
        self.text.push_str(after);
        let span = start..self.text.len() as u32 - 1;
        let bounds = from.saturating_sub(1)..to + 1;
        self.pieces.push(Wrapped { wrap, span, parts: [first, second], bounds });
    }

    /// Parses them and adds the nodes to the tree.
    fn parse(self, tree: &mut Tree, parser: &mut Parser) -> Vec<Option<Piece>> {
        let mut found: Vec<Option<Piece>> = Vec::with_capacity(self.pieces.len());
        let parsed = match u32::try_from(self.text.len()) {
            Ok(_) => parser.parse(&self.text, None),
            Err(_) => None,
        };
        let Some(parsed) = parsed else {
            found.resize(self.pieces.len(), None);
            return found;
        };
        let root = tree.add(&parsed);
        let mut roots: Vec<u32> = tree.children(root).collect();
        roots.reverse();
        for piece in &self.pieces {
            while roots.last().is_some_and(|&it| tree.node(it).start < piece.span.start) {
                roots.pop();
            }
            let whole = roots.last().copied().filter(|&it| {
                let node = tree.node(it);
                node.start == piece.span.start && node.end == piece.span.end && !node.has_error()
            });
            let piece = whole.and_then(|it| {
                let inner = piece.inner(tree, it)?;
                piece.relocate(tree, it);
                Some(inner)
            });
            found.push(piece);
        }
        found
    }
}

impl Wrapped {
    /// The node that was asked for in the wrapping.
    fn inner(&self, tree: &Tree, node: u32) -> Option<Piece> {
        let body = tree.field(node, Field::Body)?;
        let only = || {
            let mut parts = tree.parts(body);
            parts.next().filter(|_| parts.next().is_none())
        };
        let (node, reading) = match self.wrap {
            Wrap::Items => {
                let is_item = |it: u32| tree.node(it).has_item() || is_no_item(tree.node(it).kind);
                if !tree.children(body).all(is_item) {
                    return None;
                }
                (body, Reading::Items)
            }
            Wrap::Block => (body, Reading::Block),
            Wrap::Call => {
                let call = only().filter(|&it| tree.node(it).kind == Kind::CallExpression)?;
                let function = tree.field(call, Field::Function)?;
                if tree.node(function).kind != Kind::Identifier {
                    return None;
                }
                (tree.field(call, Field::Arguments)?, Reading::Arguments)
            }
            Wrap::Array => {
                let array = only().filter(|&it| tree.node(it).kind == Kind::ArrayExpression)?;
                (array, Reading::Arguments)
            }
            Wrap::Match(..) => {
                let statement = only()?;
                let of = match tree.node(statement).kind {
                    Kind::ExpressionStatement => tree.parts(statement).next()?,
                    _ => statement,
                };
                if tree.node(of).kind != Kind::MatchExpression {
                    return None;
                }
                (of, Reading::Match)
            }
        };
        Some(Piece { node, reading })
    }

    /// Lets the nodes tell where they stand in the text.
    fn relocate(&self, tree: &mut Tree, node: u32) {
        let Range { start: lower, end: upper } = self.bounds;
        let [first, second] = self.parts;
        let place = |at: u32| {
            let (from, to) = if at >= second.0 { second } else { first };
            (to + at).saturating_sub(from).clamp(lower, upper)
        };
        let range = node as usize..tree.node(node).after as usize;
        for node in tree.nodes.get_mut(range).unwrap_or_default() {
            (node.start, node.end) = (place(node.start), place(node.end));
        }
    }
}

/// What may stand among items.
fn is_no_item(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::Open
            | Kind::Close
            | Kind::LineComment
            | Kind::BlockComment
            | Kind::AttributeItem
            | Kind::InnerAttributeItem
            | Kind::EmptyStatement
    )
}
