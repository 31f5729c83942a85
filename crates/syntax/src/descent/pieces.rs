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

/// Adds the nodes of the tokens between two brackets to a tree, as if they stood in brackets of
/// their own; the number of the uppermost one. `None` where they are refused.
pub(crate) fn piece(text: &str, tokens: Range<u32>, shape: &Shape, tree: &mut Tree) -> Option<u32> {
    let Range { start: from, end: to } = tokens;
    let found = Scanner::tokens(text, from as usize, to as usize)?;
    let mut parser = Parser::new(text, &found);
    parser.end = to;
    parser.out.reserve(8);
    // The bracket before stands where it is, the one behind it is counted as empty.
    let (open, close) = (from.saturating_sub(1), to + 1);
    let mark = Mark { len: 0, start: open, items: 0 };
    if !matches!(shape, Shape::Match(..)) {
        parser.push(open, from, Kind::Open, false);
    }
    let kind = match *shape {
        Shape::Items => {
            parser.declarations(T::End)?;
            Kind::DeclarationList
        }
        Shape::Arguments => {
            parser.argument_list(T::End)?;
            Kind::Arguments
        }
        Shape::Array => {
            parser.elements(T::End)?;
            Kind::ArrayExpression
        }
        Shape::Block => {
            parser.statements(T::End)?;
            Kind::Block
        }
        Shape::Match(comma, end) => {
            parser.match_on(comma, end, close)?;
            Kind::MatchExpression
        }
    };
    if !matches!(shape, Shape::Match(..)) {
        if parser.kind() != T::End {
            return None;
        }
        parser.flush();
        parser.push(close, close, Kind::Close, false);
    }
    parser.close(mark, kind);
    if let Some(root) = parser.out.last_mut() {
        root.end = close;
    }
    let root = tree.nodes.len() as u32;
    arrange(&parser.out, tree);
    Some(root)
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
