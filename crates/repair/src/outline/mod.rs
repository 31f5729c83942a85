//! A text as lists of elements – items, statements, fields, variants, arms – and the effects in
//! them, read from brackets and separators alone, so that broken text gives one as well.

mod reader;
mod token;

pub(crate) use token::{Token, TokenKind, tokens};

/// What a stretch of tokens is to its surroundings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ElementKind {
    Item,
    Import,
    Statement,
    Field,
    Variant,
    Arm,
    /// An inner attribute, or a separator's rest: protected by other rules, or by none.
    Other,
}

/// One member of a list: an item of a file, a statement of a block, a field, a match arm …
#[derive(Clone, Copy, Debug)]
pub(crate) struct Element {
    pub(crate) kind: ElementKind,
    /// Its first token, attributes included.
    pub(crate) start: usize,
    /// One past its last token, separators included.
    pub(crate) end: usize,
    /// Its first token behind attributes and visibility.
    pub(crate) head: usize,
}

/// What an expression does beyond giving a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum UnitKind {
    Call,
    Macro,
    Assignment,
    Try,
    Await,
    Control,
}

/// One expression with effect, known by the one token that makes it so.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Unit<'a> {
    pub(crate) kind: UnitKind,
    /// The parenthesis of a call, the `?`, the `=`, the keyword.
    pub(crate) anchor: usize,
    /// The token that names it: callee, macro, operator; the anchor itself where there is none.
    pub(crate) name: usize,
    /// The name's text; empty where a value is called that has none.
    pub(crate) text: &'a str,
}

/// One attribute, `#[name(…)]` or `#![name(…)]`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Attribute {
    /// The last word of its path: `test` of `#[tokio::test]`.
    pub(crate) name: usize,
    pub(crate) end: usize,
}

/// A text as lists of elements and the effects in them. Works on broken text: it needs brackets
/// and separators only, and what it cannot tell it takes for an ordinary block.
pub(crate) struct Outline<'a> {
    pub(crate) tokens: Vec<Token<'a>>,
    pub(crate) elements: Vec<Element>,
    pub(crate) units: Vec<Unit<'a>>,
    pub(crate) attributes: Vec<Attribute>,
    /// For each opening bracket its closing one (or the end of the text); for others themselves.
    pub(crate) close: Vec<usize>,
    /// What each token anchors; macros' parentheses count as those of calls.
    pub(crate) roles: Vec<Option<UnitKind>>,
}

impl<'a> Outline<'a> {
    /// Reads any text whatsoever.
    pub(crate) fn of(text: &'a str) -> Self {
        reader::read(text)
    }

    pub(crate) fn text(&self, at: usize) -> &'a str {
        self.tokens.get(at).map_or("", |it| it.text)
    }

    pub(crate) fn before(&self, at: usize, back: usize) -> &'a str {
        at.checked_sub(back).map_or("", |it| self.text(it))
    }

    /// The word behind an item's keyword, or the keyword where it names nothing.
    pub(crate) fn item_name(&self, element: &Element) -> usize {
        let mut at = element.head;
        while at < element.end && !is_item_keyword(self.text(at)) {
            at += 1;
        }
        let name = at + 1 + usize::from(self.text(at + 1) == "!" || self.text(at + 1) == "mut");
        match self.tokens.get(name) {
            Some(token) if name < element.end && token.kind == TokenKind::Word => name,
            _ => at.min(element.end.saturating_sub(1)),
        }
    }
}

pub(crate) fn is_item_keyword(text: &str) -> bool {
    matches!(
        text,
        "fn" | "struct"
            | "enum"
            | "union"
            | "trait"
            | "impl"
            | "mod"
            | "use"
            | "const"
            | "static"
            | "type"
            | "macro_rules"
            | "extern"
    )
}

/// Words that carry structure rather than content.
pub(crate) fn is_keyword(text: &str) -> bool {
    is_item_keyword(text) && text != "union" && text != "macro_rules"
        || matches!(
            text,
            "as" | "async"
                | "break"
                | "continue"
                | "dyn"
                | "else"
                | "for"
                | "if"
                | "in"
                | "let"
                | "loop"
                | "match"
                | "move"
                | "mut"
                | "pub"
                | "ref"
                | "return"
                | "unsafe"
                | "where"
                | "while"
                | "yield"
                | "await"
        )
}
