//! A parser for what is plain: recursive descent over tokens, several times as fast as the grammar's
//! tables, to the very same [`Tree`].
//!
//! It takes no text that the grammar would not take, and refuses whatever it is not sure of –
//! anything that is broken, rare or read by the grammar in a way of its own –, which the grammar's
//! parser then reads. So it has no errors to report and nothing to recover from: an answer is the
//! right tree, and none costs the time until it was refused.
//!
//! Nodes are made children first; who began where is known from marks. [`arrange`] puts them into
//! the order of a [`Tree`]. Tokens that nobody asks a tree for (`pub`, `->`, `:`) have no nodes.

mod arrange;
mod blocks;
mod declarations;
mod expressions;
mod imports;
mod items;
mod macros;
mod operators;
mod paths;
mod patterns;
mod pieces;
#[cfg(test)]
mod tests;
mod tokens;
mod types;

pub(crate) use pieces::{Refusal, Shape, piece};

use crate::tree::{Field, Kind, Tree};
use tokens::{Extra, Scanner, T, Token, Tokens};

/// How deep brackets, types and operands nest before a text is left to the other parser, which needs
/// no stack.
const DEEPEST: u32 = 120;

/// Done, or refused.
type Step = Option<()>;

/// The nodes of a text; `None` where it is refused.
pub(crate) fn tree(text: &str) -> Option<Tree> {
    // `#![…]` is an attribute, else it is the line of an interpreter.
    let shebang = text.strip_prefix("#!");
    if shebang.is_some_and(|rest| !rest.trim_start().starts_with('[')) {
        return None;
    }
    let found = Scanner::tokens(text, 0, text.len())?;
    let mut parser = Parser::new(text, &found);
    parser.source_file()?;
    let mut tree = Tree::default();
    arrange::arrange(&parser.out, &mut tree);
    Some(tree)
}

/// A node behind its children.
#[derive(Clone, Copy, Debug)]
pub(super) struct Post {
    start: u32,
    end: u32,
    /// How many nodes it is, itself included.
    size: u32,
    kind: Kind,
    field: Field,
    is_named: bool,
    has_item: bool,
}

/// Where a node may begin.
#[derive(Clone, Copy)]
pub(super) struct Mark {
    len: u32,
    start: u32,
    items: u32,
}

pub(super) struct Parser<'t> {
    text: &'t [u8],
    tokens: &'t [Token],
    extras: &'t [Extra],
    /// The next token.
    at: usize,
    /// The next comment.
    extra: usize,
    out: Vec<Post>,
    /// How many items, macro calls and inner attributes there are so far.
    items: u32,
    depth: u32,
    /// `name {` is a name and a block: conditions, and what is matched on.
    no_struct: bool,
    /// What is read goes as far as it gets: what is assigned, returned or given by a closure.
    is_open_ended: bool,
    /// Where the tokens end.
    end: u32,
}

impl<'t> Parser<'t> {
    fn new(text: &'t str, found: &'t Tokens) -> Self {
        let tokens = found.tokens.as_slice();
        Self {
            text: text.as_bytes(),
            tokens,
            extras: &found.extras,
            at: 0,
            extra: 0,
            out: Vec::with_capacity(tokens.len() + tokens.len() / 4 + 8),
            items: 0,
            depth: 0,
            no_struct: false,
            is_open_ended: false,
            end: text.len() as u32,
        }
    }

    fn source_file(&mut self) -> Step {
        let start = self.tokens.first().map_or(self.end, |it| it.start);
        let start =
            self.extras.iter().find(|it| it.is_block).map_or(start, |it| it.start.min(start));
        let mark = Mark { len: 0, start, items: 0 };
        while self.kind() != T::End {
            self.statement(false)?;
        }
        // Doc comments of nothing are not seen, but for those before another comment.
        while self.extras.get(self.extra..).is_some_and(|rest| rest.iter().any(|it| it.is_block)) {
            self.comment();
        }
        let end = self.extras.iter().rev().find(|it| it.is_block).map_or(0, |it| it.end);
        self.close(mark, Kind::SourceFile);
        if let Some(root) = self.out.last_mut() {
            root.end = root.end.max(end);
        }
        Some(())
    }

    fn token(&self, ahead: usize) -> Token {
        let none = Token { kind: T::End, start: self.end, end: self.end, mate: 0 };
        self.tokens.get(self.at + ahead).copied().unwrap_or(none)
    }

    fn kind(&self) -> T {
        self.tokens.get(self.at).map_or(T::End, |it| it.kind)
    }

    fn nth(&self, ahead: usize) -> T {
        self.tokens.get(self.at + ahead).map_or(T::End, |it| it.kind)
    }

    /// Whether this token and the one behind it have nothing in between.
    fn is_joint(&self, ahead: usize) -> bool {
        let (one, two) = (self.tokens.get(self.at + ahead), self.tokens.get(self.at + ahead + 1));
        one.zip(two).is_some_and(|(one, two)| one.end == two.start)
    }

    /// Whether these signs come next, side by side.
    fn is_sign(&self, ahead: usize, one: T, two: T) -> bool {
        self.nth(ahead) == one && self.nth(ahead + 1) == two && self.is_joint(ahead)
    }

    fn is_path_sep(&self, ahead: usize) -> bool {
        self.is_sign(ahead, T::Colon, T::Colon)
    }

    /// A colon that is no part of `::`.
    fn is_colon(&self, ahead: usize) -> bool {
        self.nth(ahead) == T::Colon && !self.is_path_sep(ahead)
    }

    fn is_word(&self, ahead: usize, word: &str) -> bool {
        let token = self.token(ahead);
        token.kind == T::Name
            && self.text.get(token.start as usize..token.end as usize) == Some(word.as_bytes())
    }

    /// The comments before the next token become nodes, of what is open now.
    fn flush(&mut self) {
        while self.extras.get(self.extra).is_some_and(|it| it.before as usize <= self.at) {
            self.comment();
        }
    }

    fn comment(&mut self) {
        if let Some(&Extra { start, end, is_block, .. }) = self.extras.get(self.extra) {
            let kind = if is_block { Kind::BlockComment } else { Kind::LineComment };
            self.push(start, end, kind, true);
        }
        self.extra += 1;
    }

    fn push(&mut self, start: u32, end: u32, kind: Kind, is_named: bool) {
        let (size, field) = (1, Field::Other);
        self.out.push(Post { start, end, size, kind, field, is_named, has_item: false });
    }

    /// Passes a token of this kind that has no node.
    fn skip(&mut self, kind: T) -> Step {
        if self.kind() != kind {
            return None;
        }
        self.flush();
        self.at += 1;
        Some(())
    }

    /// Makes the next tokens one node that is a mere token.
    fn sign(&mut self, count: usize, kind: Kind) {
        self.flush();
        let (start, end) = (self.token(0).start, self.token(count - 1).end);
        self.at += count;
        self.push(start, end, kind, false);
    }

    /// Passes a token of this kind, which has a node.
    fn expect(&mut self, token: T, kind: Kind) -> Step {
        if self.kind() != token {
            return None;
        }
        self.sign(1, kind);
        Some(())
    }

    /// Makes the next token a node with a name.
    fn leaf(&mut self, kind: Kind) {
        self.flush();
        let token = self.token(0);
        self.at += 1;
        self.push(token.start, token.end, kind, true);
    }

    /// Makes what stands up to this token, itself left out, one node that has no children.
    fn whole(&mut self, to: usize, kind: Kind) {
        self.flush();
        let start = self.token(0).start;
        self.at = to;
        self.drop_extras();
        let end = self.tokens.get(to.wrapping_sub(1)).map_or(start, |it| it.end);
        self.push(start, end, kind, true);
        if kind.is_item()
            && let Some(node) = self.out.last_mut()
        {
            node.has_item = true;
            self.items += 1;
        }
    }

    /// Passes over the tokens up to a bracket that closes, and the comments among them.
    fn pass_to(&mut self, mate: usize) {
        self.at = mate + 1;
        self.drop_extras();
        self.at = mate;
    }

    /// What stands in tokens that are passed over has no nodes.
    fn drop_extras(&mut self) {
        while self.extras.get(self.extra).is_some_and(|it| (it.before as usize) < self.at) {
            self.extra += 1;
        }
    }

    /// A node may begin here. What stands before it is not in it.
    fn mark(&mut self) -> Mark {
        self.flush();
        Mark { len: self.out.len() as u32, start: self.token(0).start, items: self.items }
    }

    /// All since the mark is one node.
    fn close(&mut self, mark: Mark, kind: Kind) {
        let end = match self.at.checked_sub(1).and_then(|it| self.tokens.get(it)) {
            Some(last) => last.end.max(mark.start),
            None => mark.start,
        };
        let size = self.out.len() as u32 - mark.len + 1;
        let is_item = kind.is_item();
        let has_item = is_item || self.items > mark.items;
        self.items += u32::from(is_item);
        self.out.push(Post {
            start: mark.start,
            end,
            size,
            kind,
            field: Field::Other,
            is_named: true,
            has_item,
        });
    }

    /// The node that was just made has this role.
    fn field(&mut self, field: Field) {
        if let Some(node) = self.out.last_mut() {
            node.field = field;
        }
    }

    /// What the node is that was just made.
    fn last(&self) -> Kind {
        self.out.last().map_or(Kind::Other, |it| it.kind)
    }

    /// Goes one level deeper.
    fn deeper(&mut self, read: impl FnOnce(&mut Self) -> Step) -> Step {
        if self.depth >= DEEPEST {
            return None;
        }
        self.depth += 1;
        let done = read(self);
        self.depth -= 1;
        done
    }

    /// Reads in brackets, or in a condition.
    fn with_struct(&mut self, no_struct: bool, read: impl FnOnce(&mut Self) -> Step) -> Step {
        let before = (self.no_struct, self.is_open_ended);
        (self.no_struct, self.is_open_ended) = (no_struct, false);
        let done = read(self);
        (self.no_struct, self.is_open_ended) = before;
        done
    }

    /// Reads what goes as far as it gets.
    fn open_ended(&mut self, read: impl FnOnce(&mut Self) -> Step) -> Step {
        let before = std::mem::replace(&mut self.is_open_ended, true);
        let done = read(self);
        self.is_open_ended = before;
        done
    }
}
