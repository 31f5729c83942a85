//! A text as tokens and lines of comments, without its imports, and its imports.

use base::ByteSpan;

use crate::imports::imports;
use crate::outline::{Element, ElementKind, Outline, TokenKind, tokens};

/// A token, or one line of a comment.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item<'t> {
    pub(super) text: &'t str,
    pub(super) span: ByteSpan,
    /// `None`: a comment.
    pub(super) kind: Option<TokenKind>,
}

impl Item<'_> {
    pub(super) fn is(&self, text: &str) -> bool {
        self.kind.is_some() && self.text == text
    }

    pub(super) fn is_word(&self) -> bool {
        self.kind == Some(TokenKind::Word)
    }
}

/// One imported path.
#[derive(Clone, Debug)]
pub(super) struct Import {
    /// Attributes and visibility.
    pub(super) head: String,
    /// `a::b`, `a::b as c`, `a::*`.
    pub(super) path: String,
    /// Its place.
    pub(super) at: usize,
}

impl Import {
    pub(super) fn is_same(&self, other: &Self) -> bool {
        self.head == other.head && self.path == other.path
    }
}

pub(super) struct Stream<'t> {
    pub(super) tokens: Vec<Item<'t>>,
    pub(super) imports: Vec<Import>,
}

impl<'t> Stream<'t> {
    pub(super) fn of(text: &'t str) -> Self {
        let outline = Outline::of(text);
        let uses: Vec<&Element> =
            outline.elements.iter().filter(|it| it.kind == ElementKind::Import).collect();
        let start = |at: usize| outline.tokens.get(at).map_or(text.len(), |it| it.span.start);
        let own: Vec<ByteSpan> = uses
            .iter()
            .map(|it| ByteSpan::new(start(it.start), outline.tokens[it.end - 1].span.end))
            .collect();
        let mut items = read(text, 0);
        items.retain(|it| it.kind.is_none() || !own.iter().any(|own| own.contains(it.span)));
        let imports = imports(&outline).into_iter().map(|(path, at)| {
            let of = uses.iter().find(|it| it.start == at);
            let keyword =
                of.and_then(|of| (of.start..of.end).find(|at| outline.text(*at) == "use"));
            let head = outline.tokens.get(at..keyword.unwrap_or(at)).unwrap_or(&[]);
            let head: Vec<&str> = head.iter().map(|it| it.text).collect();
            Import { head: head.join(" "), path, at: start(at) }
        });
        Self { tokens: items, imports: imports.collect() }
    }

    /// The tokens of some parts of a text, without its imports.
    pub(super) fn pieces(text: &'t str, spans: &[ByteSpan]) -> Vec<Item<'t>> {
        let tokens = Self::of(text).tokens.into_iter();
        tokens.filter(|it| spans.iter().any(|span| span.contains(it.span))).collect()
    }
}

/// Tokens and comments in order; `from` is the place of the text.
fn read(text: &str, from: usize) -> Vec<Item<'_>> {
    let mut found = Vec::new();
    let mut at = 0;
    for token in tokens(text) {
        comments(text, ByteSpan::new(at, token.span.start.max(at)), from, &mut found);
        at = token.span.end;
        let span = ByteSpan::new(from + token.span.start, from + token.span.end);
        found.push(Item { text: token.text, span, kind: Some(token.kind) });
    }
    comments(text, ByteSpan::new(at.min(text.len()), text.len()), from, &mut found);
    found
}

fn comments<'t>(text: &'t str, gap: ByteSpan, from: usize, found: &mut Vec<Item<'t>>) {
    let mut start = gap.start;
    for line in gap.slice(text).unwrap_or("").split_inclusive('\n') {
        let content = line.trim();
        if !content.is_empty() {
            let indent = line.len() - line.trim_start().len();
            let place = from + start + indent;
            let span = ByteSpan::new(place, place + content.len());
            found.push(Item { text: content, span, kind: None });
        }
        start += line.len();
    }
}
