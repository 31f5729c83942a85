//! Tokens of macro calls, parsed as what they may stand for.

use std::ops::Range;

use super::arrange::arrange;
use super::{Mark, Parser, Step, T};
use crate::descent::tokens::Scanner;
use crate::tree::{Field, Kind, Tree};

/// As what tokens are parsed.
#[derive(Clone, Debug)]
pub(crate) enum Shape {
    /// A list of declarations.
    Items,
    /// A list of arguments.
    Arguments,
    /// The elements of an array.
    Array,
    /// A block.
    Block,
    /// A match with one arm: the comma behind the expression, and the end of the pattern.
    Match(u32, u32),
}

/// Why tokens are refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// The grammar may have a way to read them.
    Unsure,
    /// They are no such thing to the grammar either.
    NotSo,
    /// To the grammar they are nothing at all.
    Nothing,
}

/// Adds the nodes of the tokens between two brackets to a tree, as if they stood in brackets of
/// their own; the number of the uppermost one.
pub(crate) fn piece(
    text: &str,
    tokens: Range<u32>,
    shape: &Shape,
    tree: &mut Tree,
) -> Result<u32, Refusal> {
    let (from, to) = (tokens.start as usize, tokens.end as usize);
    let found = Scanner::tokens(text, from, to).ok_or(Refusal::Unsure)?;
    let mut parser = Parser::new(text, &found);
    parser.end = tokens.end;
    parser.out.reserve(8);
    if parser.piece(&tokens, shape).is_none() {
        return Err(parser.refusal());
    }
    let root = tree.nodes.len() as u32;
    arrange(&parser.out, tree);
    Ok(root)
}

impl Parser<'_> {
    fn piece(&mut self, tokens: &Range<u32>, shape: &Shape) -> Step {
        let Range { start: from, end: to } = *tokens;
        // The bracket before stands where it is, the one behind it is counted as empty.
        let (open, close) = (from.saturating_sub(1), to + 1);
        let mark = Mark { len: 0, start: open, items: 0 };
        if !matches!(shape, Shape::Match(..)) {
            self.push(open, from, Kind::Open, false);
        }
        let kind = match *shape {
            Shape::Items => {
                self.declarations(T::End)?;
                Kind::DeclarationList
            }
            Shape::Arguments => {
                self.argument_list(T::End)?;
                Kind::Arguments
            }
            Shape::Array => {
                self.elements(T::End)?;
                Kind::ArrayExpression
            }
            Shape::Block => {
                self.statements(T::End)?;
                Kind::Block
            }
            Shape::Match(comma, end) => {
                self.match_on(comma, end, close)?;
                Kind::MatchExpression
            }
        };
        if !matches!(shape, Shape::Match(..)) {
            if self.kind() != T::End {
                return None;
            }
            self.flush();
            self.push(close, close, Kind::Close, false);
        }
        self.close(mark, kind);
        if let Some(root) = self.out.last_mut() {
            root.end = close;
        }
        Some(())
    }

    /// Why it stopped where it stands. Only tokens of macro calls, of their definitions and of
    /// attributes may be anything; all others are read by the grammar's rules, and this looks for
    /// those that break them whatever stands around.
    fn refusal(&self) -> Refusal {
        let before = |at: usize, ahead: usize| {
            let token = at.checked_sub(ahead).and_then(|it| self.tokens.get(it));
            token.map_or(T::End, |it| it.kind)
        };
        // `#` begins attributes and nothing else.
        let is_no_attribute =
            self.kind() == T::Hash && !matches!(self.nth(1), T::OpenBracket | T::Bang | T::End);
        // Where an item may begin `fn` is a keyword, and has a name.
        let has_no_name = self.kind() == T::OpenBracket && before(self.at, 1) == T::Fn;
        if !is_no_attribute && !has_no_name {
            return Refusal::Unsure;
        }
        let around = self.tokens.iter().enumerate().take(self.at);
        let is_free = |at: usize| {
            matches!(before(at, 1), T::Bang | T::Hash)
                || before(at, 2) == T::Bang && before(at, 1).is_word()
        };
        for (at, token) in around {
            if token.kind.is_open() && token.mate as usize > self.at && is_free(at) {
                return Refusal::Unsure;
            }
        }
        if is_no_attribute { Refusal::Nothing } else { Refusal::NotSo }
    }
}

impl Parser<'_> {
    /// `value, pattern if guard` as a match with one arm, which gives nothing.
    fn match_on(&mut self, comma: u32, end: u32, close: u32) -> Step {
        let all = self.tokens;
        let at = |place: u32| all.partition_point(|it| it.start < place);
        let (first, last) = (at(comma), at(end));
        self.tokens = all.get(..first)?;
        self.with_struct(true, Self::expr)?;
        self.field(Field::Value);
        if self.kind() != T::End {
            return None;
        }
        // What is wrapped around the tokens ends where they do.
        let place = |behind: u32| (end + behind).min(close);
        let block = Mark { len: self.out.len() as u32, start: comma, items: self.items };
        self.push(comma, comma + 1, Kind::Open, false);
        self.tokens = all.get(..last)?;
        self.at = first + 1;
        let arm = self.mark();
        self.match_pattern()?;
        if self.kind() != T::End {
            return None;
        }
        self.flush();
        self.push(place(1), place(3), Kind::FatArrow, false);
        let unit = self.out.len() as u32;
        self.push(place(3), place(4), Kind::Open, false);
        self.push(place(4), place(5), Kind::Close, false);
        self.close(Mark { len: unit, start: place(3), items: self.items }, Kind::UnitExpression);
        self.ends_at(place(5));
        self.field(Field::Value);
        self.close(arm, Kind::MatchArm);
        self.ends_at(place(5));
        self.push(place(5), place(6), Kind::Close, false);
        self.close(block, Kind::MatchBlock);
        self.ends_at(place(6));
        self.field(Field::Body);
        Some(())
    }

    fn ends_at(&mut self, end: u32) {
        if let Some(node) = self.out.last_mut() {
            node.end = end;
        }
    }
}
