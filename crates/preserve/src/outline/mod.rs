//! A text as lists of elements – items, statements, fields, variants, arms – and their effects,
//! read from brackets and separators only, so that it works on broken text.

mod gates;
mod heads;
mod quoted;
mod reader;
mod token;

pub use quoted::{STRINGIFY, quoting};
pub use token::{Token, TokenKind, tokens};

/// The kind of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ElementKind {
    /// `fn`, `struct`, `mod` … in a file or a block.
    Item,
    /// `use …;`.
    Import,
    /// A member of a block other than an item.
    Statement,
    /// A field of a type, or its initializer.
    Field,
    /// A variant of an enum.
    Variant,
    /// An arm of a `match`.
    Arm,
    /// An inner attribute, or the rest of a separator: protected by other rules, or by none.
    Other,
}

/// One member of a list: an item of a file, a statement of a block, a field, a match arm …
#[derive(Clone, Copy, Debug)]
pub struct Element {
    /// Kind of the element.
    pub kind: ElementKind,
    /// First token, attributes included.
    pub start: usize,
    /// End: the token after the last one, separators included.
    pub end: usize,
    /// First token after attributes and visibility.
    pub head: usize,
}

/// The kind of an effect: what an expression does besides returning a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum EffectKind {
    /// `f(…)`, `x.f(…)`.
    Call,
    /// `m!(…)`.
    Macro,
    /// `=` and its compound forms, to something that exists.
    Assignment,
    /// `?`.
    Try,
    /// `.await`.
    Await,
    /// `if`, `else`, `match`, `while`, `for`, `loop`.
    Control,
}

/// One expression with an effect, identified by the token that causes it.
#[derive(Clone, Copy, Debug)]
pub struct EffectSite<'a> {
    /// Kind of the effect.
    pub kind: EffectKind,
    /// Token that causes it: the parenthesis of a call, `?`, `=`, the keyword.
    pub anchor: usize,
    /// Token that names it: callee, macro, operator; else the anchor.
    pub name: usize,
    /// Text of the name; empty if the called value has none.
    pub text: &'a str,
}

/// One attribute, `#[name(…)]` or `#![name(…)]`.
#[derive(Clone, Copy, Debug)]
pub struct Attribute {
    /// Last word of its path: `test` of `#[tokio::test]`.
    pub name: usize,
    /// Closing bracket.
    pub end: usize,
}

/// A text as lists of elements and their effects. Works on broken text: it only needs brackets and
/// separators; braces of unknown meaning count as a block.
pub struct Outline<'a> {
    /// All tokens, in order; the other fields refer to them by index.
    pub tokens: Vec<Token<'a>>,
    /// The members of all lists, ordered by their ends, so that inner ones come first.
    pub elements: Vec<Element>,
    /// The effects, ordered by their anchors.
    pub effects: Vec<EffectSite<'a>>,
    /// The attributes, in order.
    pub attributes: Vec<Attribute>,
    /// For each opening bracket its closing one (or the number of tokens); for other tokens their
    /// own index.
    pub close: Vec<usize>,
    /// The effect that each token anchors; parentheses of macro calls count as calls.
    pub roles: Vec<Option<EffectKind>>,
}

impl<'a> Outline<'a> {
    /// Reads any text.
    pub fn of(text: &'a str) -> Self {
        reader::read(text)
    }

    /// Text of the token; empty at the end.
    pub fn text(&self, at: usize) -> &'a str {
        self.tokens.get(at).map_or("", |it| it.text)
    }

    /// Text of the token `back` tokens before `at`; empty before the start.
    pub fn before(&self, at: usize, back: usize) -> &'a str {
        at.checked_sub(back).map_or("", |it| self.text(it))
    }

    /// Whether an item keyword only qualifies the next one: `const fn`, `extern "C" fn`.
    fn is_qualifier(&self, at: usize) -> bool {
        let next = self.text(at + 1);
        match self.text(at) {
            "const" => matches!(next, "async" | "extern" | "fn" | "impl" | "trait" | "unsafe"),
            "extern" => next == "fn" || (next.starts_with('"') && self.text(at + 2) == "fn"),
            _ => false,
        }
    }

    /// The word after an item's keyword, or the keyword if there is no name.
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

/// Whether an item can begin with this word.
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

/// Words of structure rather than content.
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
