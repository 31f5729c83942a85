//! A syntax tree as one flat array: parents before children, each node with the index after its
//! subtree. The parser's events fill it; everything that is read from a text is read from it.
//!
//! Grammar and parser are rust-analyzer's (`ra_ap_parser`), so kinds and shapes of nodes are those of
//! its `rust.ungram`. White space and comments have no nodes.

use std::ops::Range;

use base::ByteSpan;
use ra_ap_parser::{Output, Step, TopEntryPoint};

use crate::nesting::too_deep;
pub(crate) use crate::tokens::Kind;
use crate::tokens::{Token, Tokens, input};

/// One node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    pub(crate) start: u32,
    pub(crate) end: u32,
    /// The index of the next node outside the subtree.
    pub(crate) after: u32,
    pub(crate) kind: Kind,
    flags: u8,
}

const HAS_ERROR: u8 = 1;
const HAS_ITEM: u8 = 2;

impl Node {
    /// An empty one, for an index that no node has.
    fn none(idx: u32) -> Self {
        Self { start: 0, end: 0, after: idx.saturating_add(1), kind: Kind::TOMBSTONE, flags: 0 }
    }

    /// Whether it is an error: text that the parser skipped, or (empty) something it missed.
    pub(crate) fn is_error(self) -> bool {
        self.kind == Kind::ERROR
    }

    /// Whether it is or contains an error.
    pub(crate) fn has_error(self) -> bool {
        self.flags & HAS_ERROR != 0
    }

    /// Whether it is or contains an item, a macro call, an attribute or an error.
    pub(crate) fn has_item(self) -> bool {
        self.flags & HAS_ITEM != 0
    }

    pub(crate) fn span(self) -> ByteSpan {
        ByteSpan::new(self.start as usize, self.end as usize)
    }
}

/// The tree of a text, and after it the trees of macro arguments that were parsed as Rust.
#[derive(Default)]
pub(crate) struct Tree {
    nodes: Vec<Node>,
    /// The tokens of the text.
    pub(crate) tokens: Tokens,
}

impl Tree {
    /// Parses a text; `None` if it is too long (4 GiB and more).
    pub(crate) fn of(text: &str) -> Option<Self> {
        let len = u32::try_from(text.len()).ok()?;
        let mark = text.strip_prefix('\u{feff}');
        let base = if mark.is_some() { 3 } else { 0 };
        let mut tokens = Tokens::of(mark.unwrap_or(text), base);
        let list = std::mem::take(&mut tokens.list);
        let mut tree = Self { nodes: Vec::with_capacity(2 * list.len()), tokens };
        tree.parse(text, &list, &TopEntryPoint::SourceFile);
        tree.tokens.list = list;
        if let Some(root) = tree.nodes.first_mut() {
            (root.start, root.end) = (0, len);
            if !tree.tokens.open_comments.is_empty() {
                root.flags |= HAS_ERROR | HAS_ITEM;
            }
        }
        Some(tree)
    }

    /// Parses tokens of `text` and appends their tree; the index of its root.
    pub(crate) fn parse(&mut self, text: &str, tokens: &[Token], entry: &TopEntryPoint) -> u32 {
        let root = self.len();
        let runs = too_deep(tokens);
        if runs.is_empty() {
            let output = entry.parse(&input(tokens));
            Builder::new(self, text, tokens).build(&output);
        } else {
            let mut kept = Vec::with_capacity(tokens.len());
            let mut from = 0;
            for run in &runs {
                kept.extend_from_slice(tokens.get(from..run.start).unwrap_or_default());
                kept.push(left_out(tokens, run));
                from = run.end;
            }
            kept.extend_from_slice(tokens.get(from..).unwrap_or_default());
            let output = entry.parse(&input(&kept));
            Builder::new(self, text, &kept).build(&output);
        }
        root
    }

    /// Removes the nodes from `root` on: a tree that was appended last.
    pub(crate) fn forget(&mut self, root: u32) {
        self.nodes.truncate(root as usize);
    }

    /// Number of nodes.
    pub(crate) fn len(&self) -> u32 {
        u32::try_from(self.nodes.len()).unwrap_or(u32::MAX)
    }

    /// The node at an index; an empty one where there is none.
    pub(crate) fn node(&self, idx: u32) -> Node {
        self.nodes.get(idx as usize).copied().unwrap_or_else(|| Node::none(idx))
    }

    /// The kind of the node at an index.
    pub(crate) fn kind(&self, idx: u32) -> Kind {
        self.node(idx).kind
    }

    /// The children, nodes and tokens.
    pub(crate) fn children(&self, idx: u32) -> Children<'_> {
        Children { tree: self, at: idx + 1, end: self.node(idx).after }
    }

    /// The first child of a kind.
    pub(crate) fn child(&self, idx: u32, kind: Kind) -> Option<u32> {
        self.children(idx).find(|&it| self.kind(it) == kind)
    }

    /// Whether it has a child of a kind.
    pub(crate) fn has(&self, idx: u32, kind: Kind) -> bool {
        self.child(idx, kind).is_some()
    }

    /// The children that are expressions.
    pub(crate) fn exprs(&self, idx: u32) -> impl Iterator<Item = u32> + '_ {
        self.children(idx).filter(|&it| is_expr(self.kind(it)))
    }

    /// The children that are types.
    pub(crate) fn types(&self, idx: u32) -> impl Iterator<Item = u32> + '_ {
        self.children(idx).filter(|&it| is_type(self.kind(it)))
    }

    /// The children that are patterns.
    pub(crate) fn pats(&self, idx: u32) -> impl Iterator<Item = u32> + '_ {
        self.children(idx).filter(|&it| is_pat(self.kind(it)))
    }

    /// The text of a node.
    pub(crate) fn slice<'t>(&self, text: &'t str, idx: u32) -> &'t str {
        let node = self.node(idx);
        text.get(node.start as usize..node.end as usize).unwrap_or("")
    }

    /// The tokens of the text inside a node.
    pub(crate) fn tokens_of(&self, idx: u32) -> &[Token] {
        let node = self.node(idx);
        let place = |at: u32| self.tokens.list.partition_point(|it| it.start < at);
        self.tokens.list.get(place(node.start)..place(node.end)).unwrap_or_default()
    }

    /// The outer doc comments before a node and among its attributes: between the token before
    /// it and `code`, its first byte after attributes.
    pub(crate) fn docs_before(&self, idx: u32, code: usize) -> &[ByteSpan] {
        let Tokens { list, docs, .. } = &self.tokens;
        let start = self.node(idx).start;
        let token = list.partition_point(|it| it.start < start);
        let before = token.checked_sub(1).and_then(|it| list.get(it));
        let from = before.map_or(0, |it| it.end as usize);
        let place = |at: usize| docs.partition_point(|it| it.start < at);
        docs.get(place(from)..place(code)).unwrap_or_default()
    }
}

/// A token in the place of those that nest too deep: one that is never Rust.
fn left_out(tokens: &[Token], run: &Range<usize>) -> Token {
    let start = tokens.get(run.start).map_or(0, |it| it.start);
    let end = run.end.checked_sub(1).and_then(|it| tokens.get(it)).map_or(start, |it| it.end);
    Token::broken(start, end)
}

/// Fills the array from the parser's events.
struct Builder<'a> {
    tree: &'a mut Tree,
    text: &'a str,
    tokens: &'a [Token],
    /// The next token.
    at: usize,
    /// Where the last token ended.
    last_end: u32,
    /// Where the last error ended.
    last_error: Option<u32>,
    /// The open nodes.
    open: Vec<u32>,
    /// How many of the open nodes have contents that no reader needs.
    hidden: usize,
}

impl<'a> Builder<'a> {
    fn new(tree: &'a mut Tree, text: &'a str, tokens: &'a [Token]) -> Self {
        let last_end = tokens.first().map_or(0, |it| it.start);
        Self { tree, text, tokens, at: 0, last_end, last_error: None, open: Vec::new(), hidden: 0 }
    }

    fn build(mut self, output: &Output) {
        for step in output.iter() {
            match step {
                Step::Enter { kind } => self.enter(kind),
                Step::Exit => self.exit(),
                Step::Token { kind, n_input_tokens } => self.token(kind, n_input_tokens.into()),
                Step::FloatSplit { ends_in_dot } => self.split_float(ends_in_dot),
                Step::Error { .. } => self.error(),
            }
        }
        while !self.open.is_empty() {
            self.exit();
        }
    }

    fn push(&mut self, kind: Kind, span: Range<u32>, flags: u8) -> u32 {
        let idx = self.tree.len();
        let Range { start, end } = span;
        self.tree.nodes.push(Node { start, end, after: idx + 1, kind, flags });
        idx
    }

    fn enter(&mut self, kind: Kind) {
        let start = self.tokens.get(self.at).map_or(self.last_end, |it| it.start);
        if self.hidden > 0 && kind != Kind::ERROR {
            self.hidden += 1;
            self.open.push(u32::MAX);
            return;
        }
        let idx = self.push(kind, start..start, flags_of(kind));
        self.open.push(idx);
        self.hidden += usize::from(self.hidden > 0 || is_leaf(kind));
    }

    fn exit(&mut self) {
        let Some(idx) = self.open.pop() else { return };
        self.hidden = self.hidden.saturating_sub(1);
        let (end, after) = (self.last_end, self.tree.len());
        let Some(node) = self.tree.nodes.get_mut(idx as usize) else { return };
        node.after = after;
        match end > node.start {
            true => node.end = end,
            // It has no token: it is where the one before ended.
            false => (node.start, node.end) = (end, end),
        }
        let (flags, is_error) = (node.flags, node.is_error());
        self.last_error = if is_error { Some(end) } else { self.last_error };
        self.mark(flags);
    }

    /// Passes flags on to the innermost open node that has a place in the array.
    fn mark(&mut self, flags: u8) {
        let holder = self.open.iter().rev().find(|it| **it != u32::MAX);
        if let Some(node) = holder.and_then(|it| self.tree.nodes.get_mut(*it as usize)) {
            node.flags |= flags;
        }
    }

    fn token(&mut self, kind: Kind, count: usize) {
        let tokens = self.tokens.get(self.at..self.at + count).unwrap_or_default();
        self.at += count;
        let (Some(first), Some(last)) = (tokens.first(), tokens.last()) else { return };
        let span = first.start..last.end;
        let is_skipped = self.open.last().is_some_and(|it| self.tree.node(*it).is_error());
        if !is_skipped && tokens.iter().any(|it| it.is_broken) {
            self.push(Kind::ERROR, span.clone(), HAS_ERROR | HAS_ITEM);
            self.mark(HAS_ERROR | HAS_ITEM);
        }
        self.last_end = last.end;
        if self.hidden == 0 {
            self.push(kind, span, 0);
        }
    }

    /// `x.0.1`: to the lexer `0.1` is one number, to the parser it is two fields.
    fn split_float(&mut self, ends_in_dot: bool) {
        let Some(token) = self.tokens.get(self.at).copied() else { return };
        self.at += 1;
        let number = self.text.get(token.start as usize..token.end as usize).unwrap_or("");
        let Some(dot) = number.find('.').map(|at| token.start + at as u32) else {
            // `x.1e0`.
            self.last_end = token.end;
            self.push(Kind::ERROR, token.start..token.end, HAS_ERROR | HAS_ITEM);
            self.mark(HAS_ERROR | HAS_ITEM);
            (0..if ends_in_dot { 1 } else { 2 }).for_each(|_| self.exit());
            return;
        };
        self.field(token.start..dot);
        self.exit();
        self.push(Kind::DOT, dot..dot + 1, 0);
        self.last_end = token.end;
        if !ends_in_dot {
            self.field(dot + 1..token.end);
            // The outer node has no event of its own to end it.
            self.exit();
        }
    }

    /// A field with a number for a name.
    fn field(&mut self, span: Range<u32>) {
        self.last_end = span.end;
        self.push(Kind::NAME_REF, span, 0);
    }

    /// The parser misses something here, unless it just began to skip text.
    fn error(&mut self) {
        let top = self.open.last().filter(|it| self.tree.node(**it).is_error());
        let is_skipping = top.is_some_and(|it| it + 1 == self.tree.len());
        // What is missing after an error is a consequence of it.
        let is_known = self.last_error == Some(self.last_end);
        if !is_skipping && !is_known {
            self.push(Kind::ERROR, self.last_end..self.last_end, HAS_ERROR | HAS_ITEM);
            self.last_error = Some(self.last_end);
        }
        self.mark(HAS_ERROR | HAS_ITEM);
    }
}

fn flags_of(kind: Kind) -> u8 {
    match kind {
        Kind::ERROR => HAS_ERROR | HAS_ITEM,
        Kind::MACRO_CALL | Kind::ATTR => HAS_ITEM,
        kind if is_item(kind) => HAS_ITEM,
        _ => 0,
    }
}

/// Whether no reader needs the contents of a node: its text is enough.
fn is_leaf(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::ATTR
            | Kind::LABEL
            | Kind::LIFETIME
            | Kind::NAME
            | Kind::NAME_REF
            | Kind::TOKEN_TREE
            | Kind::VISIBILITY
    )
}

/// Whether a node is an item, macro calls excepted.
pub(crate) fn is_item(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::CONST
            | Kind::ENUM
            | Kind::EXTERN_BLOCK
            | Kind::EXTERN_CRATE
            | Kind::FN
            | Kind::IMPL
            | Kind::MACRO_DEF
            | Kind::MACRO_RULES
            | Kind::MODULE
            | Kind::STATIC
            | Kind::STRUCT
            | Kind::TRAIT
            | Kind::TYPE_ALIAS
            | Kind::UNION
            | Kind::USE
    )
}

/// Whether a node is a list of items.
pub(crate) fn is_item_list(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::SOURCE_FILE
            | Kind::ITEM_LIST
            | Kind::ASSOC_ITEM_LIST
            | Kind::EXTERN_ITEM_LIST
            | Kind::MACRO_ITEMS
    )
}

pub(crate) fn is_expr(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::ARRAY_EXPR
            | Kind::ASM_EXPR
            | Kind::AWAIT_EXPR
            | Kind::BECOME_EXPR
            | Kind::BIN_EXPR
            | Kind::BLOCK_EXPR
            | Kind::BREAK_EXPR
            | Kind::CALL_EXPR
            | Kind::CAST_EXPR
            | Kind::CLOSURE_EXPR
            | Kind::CONTINUE_EXPR
            | Kind::FIELD_EXPR
            | Kind::FORMAT_ARGS_EXPR
            | Kind::FOR_EXPR
            | Kind::IF_EXPR
            | Kind::INCLUDE_BYTES_EXPR
            | Kind::INDEX_EXPR
            | Kind::LET_EXPR
            | Kind::LITERAL
            | Kind::LOOP_EXPR
            | Kind::MACRO_EXPR
            | Kind::MATCH_EXPR
            | Kind::METHOD_CALL_EXPR
            | Kind::OFFSET_OF_EXPR
            | Kind::PAREN_EXPR
            | Kind::PATH_EXPR
            | Kind::PREFIX_EXPR
            | Kind::RANGE_EXPR
            | Kind::RECORD_EXPR
            | Kind::REF_EXPR
            | Kind::RETURN_EXPR
            | Kind::TRY_EXPR
            | Kind::TUPLE_EXPR
            | Kind::UNDERSCORE_EXPR
            | Kind::WHILE_EXPR
            | Kind::YEET_EXPR
            | Kind::YIELD_EXPR
    )
}

pub(crate) fn is_type(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::ARRAY_TYPE
            | Kind::DYN_TRAIT_TYPE
            | Kind::FN_PTR_TYPE
            | Kind::FOR_TYPE
            | Kind::IMPL_TRAIT_TYPE
            | Kind::INFER_TYPE
            | Kind::MACRO_TYPE
            | Kind::NEVER_TYPE
            | Kind::PAREN_TYPE
            | Kind::PATH_TYPE
            | Kind::PATTERN_TYPE
            | Kind::PTR_TYPE
            | Kind::REF_TYPE
            | Kind::SLICE_TYPE
            | Kind::TUPLE_TYPE
    )
}

pub(crate) fn is_pat(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::BOX_PAT
            | Kind::CONST_BLOCK_PAT
            | Kind::DEREF_PAT
            | Kind::IDENT_PAT
            | Kind::LITERAL_PAT
            | Kind::MACRO_PAT
            | Kind::NOT_NULL
            | Kind::OR_PAT
            | Kind::PAREN_PAT
            | Kind::PATH_PAT
            | Kind::RANGE_PAT
            | Kind::RECORD_PAT
            | Kind::REF_PAT
            | Kind::REST_PAT
            | Kind::SLICE_PAT
            | Kind::TUPLE_PAT
            | Kind::TUPLE_STRUCT_PAT
            | Kind::WILDCARD_PAT
    )
}

/// The children of a node, by index.
pub(crate) struct Children<'a> {
    tree: &'a Tree,
    at: u32,
    end: u32,
}

impl Iterator for Children<'_> {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        if self.at >= self.end {
            return None;
        }
        let idx = self.at;
        self.at = self.tree.node(idx).after;
        Some(idx)
    }
}
