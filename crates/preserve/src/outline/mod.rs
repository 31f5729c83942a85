//! A text as lists of elements – items, statements, fields, variants, arms – and the effects in
//! them, read from brackets and separators alone, so that broken text gives one as well.

mod reader;
mod token;

pub use token::{Token, TokenKind, tokens};

/// What a stretch of tokens is to its surroundings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ElementKind {
    /// `fn`, `struct`, `mod` … in a file or a block.
    Item,
    /// `use …;`.
    Import,
    /// A member of a block that declares no item.
    Statement,
    /// A field of a type, or its initialiser.
    Field,
    /// A variant of an enum.
    Variant,
    /// An arm of a `match`.
    Arm,
    /// An inner attribute, or a separator's rest: protected by other rules, or by none.
    Other,
}

/// One member of a list: an item of a file, a statement of a block, a field, a match arm …
#[derive(Clone, Copy, Debug)]
pub struct Element {
    /// What it is.
    pub kind: ElementKind,
    /// Its first token, attributes included.
    pub start: usize,
    /// One past its last token, separators included.
    pub end: usize,
    /// Its first token behind attributes and visibility.
    pub head: usize,
}

/// What an expression does beyond giving a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum UnitKind {
    /// `f(…)`, `x.f(…)`.
    Call,
    /// `m!(…)`.
    Macro,
    /// `=` and its compound forms, to what exists.
    Assignment,
    /// `?`.
    Try,
    /// `.await`.
    Await,
    /// `if`, `else`, `match`, `while`, `for`, `loop`.
    Control,
}

/// One expression with effect, known by the one token that makes it so.
#[derive(Clone, Copy, Debug)]
pub struct Unit<'a> {
    /// What it is.
    pub kind: UnitKind,
    /// The parenthesis of a call, the `?`, the `=`, the keyword.
    pub anchor: usize,
    /// The token that names it: callee, macro, operator; the anchor itself where there is none.
    pub name: usize,
    /// The name's text; empty where a value is called that has none.
    pub text: &'a str,
}

/// One attribute, `#[name(…)]` or `#![name(…)]`.
#[derive(Clone, Copy, Debug)]
pub struct Attribute {
    /// The last word of its path: `test` of `#[tokio::test]`.
    pub name: usize,
    /// Its closing bracket.
    pub end: usize,
}

/// A text as lists of elements and the effects in them. Works on broken text: it needs brackets
/// and separators only, and what it cannot tell it takes for an ordinary block.
pub struct Outline<'a> {
    /// All tokens, in order; the other fields are indices into them.
    pub tokens: Vec<Token<'a>>,
    /// The members of all lists, each when its end is read: inner ones before outer ones.
    pub elements: Vec<Element>,
    /// The effects, in order of their anchors.
    pub units: Vec<Unit<'a>>,
    /// The attributes, in order.
    pub attributes: Vec<Attribute>,
    /// For each opening bracket its closing one (or the end of the text); for others themselves.
    pub close: Vec<usize>,
    /// What each token anchors; macros' parentheses count as those of calls.
    pub roles: Vec<Option<UnitKind>>,
}

impl<'a> Outline<'a> {
    /// Reads any text whatsoever.
    pub fn of(text: &'a str) -> Self {
        reader::read(text)
    }

    /// The token's text; empty behind the end.
    pub fn text(&self, at: usize) -> &'a str {
        self.tokens.get(at).map_or("", |it| it.text)
    }

    /// The text of the token `back` tokens before `at`; empty before the start.
    pub fn before(&self, at: usize, back: usize) -> &'a str {
        at.checked_sub(back).map_or("", |it| self.text(it))
    }

    /// Whether a keyword of items only qualifies the next one: `const fn`, `extern "C" fn`.
    fn is_qualifier(&self, at: usize) -> bool {
        let next = self.text(at + 1);
        match self.text(at) {
            "const" => matches!(next, "async" | "extern" | "fn" | "impl" | "trait" | "unsafe"),
            "extern" => next == "fn" || (next.starts_with('"') && self.text(at + 2) == "fn"),
            _ => false,
        }
    }

    /// The word behind an item's keyword, or the keyword where it names nothing.
    pub fn item_name(&self, element: &Element) -> usize {
        let mut at = element.head;
        while at < element.end && (!is_item_keyword(self.text(at)) || self.is_qualifier(at)) {
            at += 1;
        }
        let name = at + 1 + usize::from(self.text(at + 1) == "!" || self.text(at + 1) == "mut");
        match self.tokens.get(name) {
            Some(token) if name < element.end && token.kind == TokenKind::Word => name,
            _ => at.min(element.end.saturating_sub(1)),
        }
    }
}

/// Whether an item may begin with this word.
pub fn is_item_keyword(text: &str) -> bool {
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
pub fn is_keyword(text: &str) -> bool {
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
