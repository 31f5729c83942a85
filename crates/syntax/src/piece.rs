//! Tokens of macro calls that read as Rust: parsed once more, as what they read as.
//!
//! All pieces of a text at one depth of nesting are parsed together, each in a wrapping of its
//! own. What does not come out whole is tried alone, and else left as tokens.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::compact::Compact;
use crate::descent::{Refusal, Shape};
use crate::isolate::{Keep, isolated};
use crate::lexer::{Lexer, Token};
use crate::read::Writer;
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
/// to the tree: compact, where nothing was wrong with the text around. The result goes by the node
/// of the call.
pub(crate) fn read_pieces(
    text: &str,
    tree: &mut Tree,
    is_compact: bool,
    writer: Writer,
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
        let batch = |wanted: &[Want]| {
            let mut batch = Batch::default();
            wanted.iter().for_each(|want| batch.push(text, want, 0, is_compact));
            batch
        };
        if is_compact {
            wanted.retain_mut(|want| match plain(text, want, tree) {
                Ok(piece) => {
                    pieces.insert(want.call, piece);
                    from.push((piece.node, piece.reading == Reading::Items));
                    false
                }
                Err(refusal) => {
                    want.refused = match refusal {
                        Refusal::Unsure => 0,
                        Refusal::NotSo => 1,
                        Refusal::Nothing => want.readings.len(),
                    };
                    true
                }
            });
        }
        let is_later = |want: &mut Want| want.is_broken || want.refused > 0;
        let mut again: Vec<Want> = wanted.extract_if(.., is_later).collect();
        // What is not plain is mostly no Rust at all: it takes little to see that of each, and much
        // to go on behind it.
        let together = if wanted.len() > 1 { batch(&wanted).parse_clean(tree) } else { None };
        let found = together.unwrap_or_else(|| {
            let alone = wanted.chunks(1).map(|want| batch(want).parse(tree));
            alone.flat_map(|found| found.into_iter().next()).collect()
        });
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
            let readings = if want.is_broken { 0 } else { want.readings.len() };
            let mut tries = (want.refused..readings).map(|reading| {
                let mut alone = Batch::default();
                alone.push(text, &want, reading, false);
                alone
            });
            let found = tries.find_map(|alone| alone.parse(tree).into_iter().next().flatten());
            let found = found.or_else(|| {
                let keeps = [Keep::Contained, Keep::Clean].into_iter();
                let mut keeps = keeps.filter(|_| writer == Writer::Person);
                keeps.find_map(|keep| Batch::of_broken(text, &want, keep)?.parse(tree).pop()?)
            });
            if let Some(piece) = found {
                pieces.insert(want.call, piece);
                from.push((piece.node, piece.reading == Reading::Items));
            }
        }
    }
    pieces
}

/// Tokens that are plain in what they are to be tried as first.
fn plain(text: &str, want: &Want, tree: &mut Tree) -> Result<Piece, Refusal> {
    let wrap = want.readings.first().filter(|_| !want.is_broken).ok_or(Refusal::Unsure)?;
    let (shape, reading) = match *wrap {
        Wrap::Items => (Shape::Items, Reading::Items),
        Wrap::Call => (Shape::Arguments, Reading::Arguments),
        Wrap::Array => (Shape::Array, Reading::Arguments),
        Wrap::Block => (Shape::Block, Reading::Block),
        Wrap::Match(comma, end) => (Shape::Match(comma, end), Reading::Match),
    };
    let node = crate::descent::piece(text, want.tokens.clone(), &shape, tree)?;
    Ok(Piece { node, reading })
}

/// A macro call whose tokens are to be parsed.
struct Want {
    call: u32,
    /// The tokens between the delimiters.
    tokens: Range<u32>,
    /// What to try, in this order.
    readings: Vec<Wrap>,
    /// How many of these are known not to fit.
    refused: usize,
    /// Something is wrong with them already as tokens.
    is_broken: bool,
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
                if !node.has_error() || in_list {
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
        if begins_item(code) || crate::isolate::holds_items(code) {
            let is_broken = tree.node(call).has_error();
            wanted.push(Want { call, tokens, readings: vec![Wrap::Items], refused: 0, is_broken });
        }
        return;
    }
    let signs = match is_emptied(text, tree, token_tree) {
        true => Signs::of_text(code, tokens.start),
        false => Signs::of(tree, token_tree),
    };
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
        wanted.push(Want { call, tokens, readings, refused: 0, is_broken: false });
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
    wanted.push(Want { call, tokens, readings, refused: 0, is_broken: false });
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

/// Whether the tree does not hold the tokens of a call, which the text has.
pub(crate) fn is_emptied(text: &str, tree: &Tree, token_tree: u32) -> bool {
    let between = tree.slice(text, token_tree);
    let between = between.get(1..between.len().saturating_sub(1)).unwrap_or("");
    !between.trim_ascii().is_empty()
        && tree
            .children(token_tree)
            .all(|it| matches!(tree.node(it).kind, Kind::Open | Kind::Close))
}

impl Signs {
    /// Of tokens that the tree does not hold, which begin at `start`.
    fn of_text(code: &str, start: u32) -> Self {
        let mut signs = Self { is_plain: true, ..Self::default() };
        let mut depth = 0_usize;
        for (token, at, len) in Lexer::new(code) {
            if matches!(token, Token::Doc | Token::Comment) {
                continue;
            }
            signs.is_plain = false;
            match code.get(at..at + len).filter(|_| token == Token::Sign) {
                Some("(" | "[" | "{") => depth += 1,
                Some(")" | "]" | "}") => depth = depth.saturating_sub(1),
                Some(",") if depth == 0 => signs.commas.push(start + at as u32),
                Some(";") if depth == 0 => signs.has_semicolon = true,
                Some("=>") if depth == 0 => signs.has_arrow = true,
                _ => {}
            }
        }
        signs
    }

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
    compact: Compact,
    pieces: Vec<Wrapped>,
    /// Something is wrong with it, and what is wrong was kept from the rest.
    is_broken: bool,
}

struct Wrapped {
    wrap: Wrap,
    /// All of it in the batch.
    span: Range<u32>,
    /// The tokens with their delimiters.
    bounds: Range<u32>,
}

impl Batch {
    /// Adds one; compact or, where recovery is to see what was written, as it is.
    fn push(&mut self, text: &str, want: &Want, reading: usize, is_compact: bool) {
        let wrap = want.readings.get(reading).copied().unwrap_or(Wrap::Block);
        let compact = &mut self.compact;
        let start = compact.text.len() as u32;
        let Range { start: from, end: to } = want.tokens;
        let (before, after) = match wrap {
            Wrap::Items => ("mod m{", "\n}\n"),
            Wrap::Call => ("fn f(){f(", "\n)}\n"),
            Wrap::Array => ("fn f(){[", "\n]}\n"),
            Wrap::Block => ("fn f(){", "\n}\n"),
            Wrap::Match(..) => ("fn f(){match ", "\n=>()}}\n"),
        };
        let part = |compact: &mut Compact, part: Range<u32>| match is_compact {
            true => compact.push(text, part),
            false => compact.push_whole(text, part),
        };
        compact.wrap(before, from);
        if let Wrap::Match(comma, end) = wrap {
            part(compact, from..comma);
            compact.wrap("\n{", comma + 1);
            part(compact, comma + 1..end);
        } else {
            part(compact, from..to);
        }
        compact.text.push_str(after);
        let span = start..compact.text.len() as u32 - 1;
        let bounds = from.saturating_sub(1)..to + 1;
        self.pieces.push(Wrapped { wrap, span, bounds });
    }

    /// Items one of which may be broken: what is wrong is kept from the others.
    fn of_broken(text: &str, want: &Want, keep: Keep) -> Option<Self> {
        if want.readings.first() != Some(&Wrap::Items) {
            return None;
        }
        let tokens = want.tokens.start as usize..want.tokens.end as usize;
        let mut repaired = text.to_owned();
        if let Some((isolated, _)) = isolated(text.get(tokens.clone())?, keep) {
            repaired.replace_range(tokens, &isolated);
        }
        let mut broken = Self { is_broken: true, ..Self::default() };
        broken.push(&repaired, want, 0, false);
        Some(broken)
    }

    /// Parses them and adds the nodes to the tree.
    fn parse(self, tree: &mut Tree) -> Vec<Option<Piece>> {
        let parsed = match self.is_broken {
            true => crate::walk::tree(&self.compact.text),
            false => crate::walk::clean_tree(&self.compact.text),
        };
        self.add(parsed, tree)
    }

    /// The same where nothing is wrong with any of them; else `None`.
    fn parse_clean(self, tree: &mut Tree) -> Option<Vec<Option<Piece>>> {
        let parsed = crate::walk::clean_tree(&self.compact.text)?;
        Some(self.add(Some(parsed), tree))
    }

    fn add(self, parsed: Option<tree_sitter::Tree>, tree: &mut Tree) -> Vec<Option<Piece>> {
        let mut found: Vec<Option<Piece>> = Vec::with_capacity(self.pieces.len());
        let added = parsed.map(|it| tree.add(&it, &self.compact)).filter(|it| it.is_faithful);
        let Some(added) = added else {
            found.resize(self.pieces.len(), None);
            return found;
        };
        let mut roots = added.roots.into_iter().peekable();
        for piece in &self.pieces {
            while roots.next_if(|it| it.1.start < piece.span.start).is_some() {}
            let whole = roots.peek().filter(|it| {
                let is_right = self.is_broken || !tree.node(it.0).has_error();
                it.1 == piece.span && is_right
            });
            let piece = whole.and_then(|&(it, _)| {
                let inner = piece.inner(tree, it, self.is_broken)?;
                if self.is_broken && !is_mostly_whole(tree, inner.node) {
                    return None;
                }
                piece.clamp(tree, it);
                Some(inner)
            });
            found.push(piece);
        }
        found
    }
}

impl Wrapped {
    /// The node that was asked for in the wrapping; among items of a broken text may stand what is none.
    fn inner(&self, tree: &Tree, node: u32, is_broken: bool) -> Option<Piece> {
        let body = tree.field(node, Field::Body)?;
        let only = || {
            let mut parts = tree.parts(body);
            parts.next().filter(|_| parts.next().is_none())
        };
        let (node, reading) = match self.wrap {
            Wrap::Items => {
                let is_item = |it: u32| tree.node(it).has_item() || is_no_item(tree.node(it).kind);
                if !is_broken && !tree.children(body).all(is_item) {
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

    /// What is wrapped around the tokens stands where their delimiters do.
    fn clamp(&self, tree: &mut Tree, node: u32) {
        let Range { start: lower, end: upper } = self.bounds;
        let range = node as usize..tree.node(node).after as usize;
        for node in tree.nodes.get_mut(range).unwrap_or_default() {
            node.start = node.start.clamp(lower, upper);
            node.end = node.end.clamp(lower, upper);
        }
    }
}

/// Whether at least as many items are whole as there are places that are wrong: what is a language
/// of its own is no broken Rust.
fn is_mostly_whole(tree: &Tree, list: u32) -> bool {
    let (mut whole, mut broken) = (0_usize, 0_usize);
    for child in tree.children(list).map(|it| tree.node(it)) {
        broken += usize::from(child.has_error());
        whole += usize::from(!child.has_error() && child.has_item());
    }
    whole >= broken.max(1)
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
