//! Documentation of the items of a Rust text, joined as rustdoc joins it: `///`, `//!`, block comments
//! and `doc` attributes in their order. Start at [`documentation`].

use base::{LineIndex, SortedMap};

use crate::layout::Layout;
use crate::literal_text;
use crate::outline::{Attribute, Element, ElementKind, Outline, TokenKind};

/// The positions of documentation, those first that rustdoc does not test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Position {
    /// On a statement or an arm, or in code that is compiled for tests only.
    Untested,
    /// In the input or the body of a macro, which may drop it.
    InMacro,
    OnItem,
}

/// Documentation of one item.
#[derive(Clone, Debug)]
pub(super) struct Documentation {
    /// Name of the item; empty for a file or module that documents itself.
    pub(super) name: String,
    /// Whether it is before a module, which may have more of it inside.
    pub(super) is_module: bool,
    pub(super) position: Position,
    /// Lines without markers, each with its number in the file.
    pub(super) lines: Vec<(u32, String)>,
    /// Attributes whose text is elsewhere, each with the index of its line.
    pub(super) unread: Vec<(usize, String)>,
}

/// Part of the documentation of an item.
struct Fragment {
    number: u32,
    text: String,
    is_comment: bool,
    is_inner: bool,
    /// Whether `text` is the attribute, because the documentation is elsewhere.
    is_unread: bool,
}

/// Whether a text may have documentation.
pub(super) fn may_have_any(text: &str) -> bool {
    ["///", "//!", "/**", "/*!", "doc"].iter().any(|it| text.contains(it))
}

/// The documentation of each item of a text, in order.
pub(super) fn documentation(text: &str) -> Vec<Documentation> {
    let outline = Outline::of(text);
    let layout = Layout::of(false, &outline);
    let elements = outline.elements.iter().map(|it| (it.start, it)).collect();
    let items = Items { outline: &outline, layout: &layout, elements };
    let attributes = attributes(&outline);
    let lines = LineIndex::new(text);
    let (mut found, mut open): (Vec<Documentation>, Vec<Fragment>) = (Vec::new(), Vec::new());
    // The next token, the first one of its element, and the end of the token before it.
    let (mut at, mut start, mut end) = (0, 0, 0);
    loop {
        let next = outline.tokens.get(at).map_or(text.len(), |it| it.span.start);
        let mut all = comments(text.get(end..next).unwrap_or(""));
        all.iter_mut().for_each(|it| it.number = lines.line_of(end + it.number as usize));
        let attribute = attributes.get(&at);
        all.extend(attribute.and_then(|it| of_attribute(&outline, at, it, &lines)));
        for fragment in all {
            if open.last().is_some_and(|it| it.is_inner != fragment.is_inner) {
                found.extend(items.joined(&mut open, start));
            }
            open.push(fragment);
        }
        match attribute {
            Some(it) => {
                let is_inner = outline.text(at + 1) == "!";
                end = outline.tokens[it.end].span.end;
                at = it.end + 1;
                start = if is_inner { at } else { start };
            }
            None => {
                found.extend(items.joined(&mut open, start));
                let Some(token) = outline.tokens.get(at) else { return found };
                end = token.span.end;
                at += 1;
                start = at;
            }
        }
    }
}

/// The attributes of a text by their first tokens.
fn attributes<'o>(outline: &'o Outline<'_>) -> SortedMap<usize, &'o Attribute> {
    let start = |it: &Attribute| {
        let before = (0..it.name).rev().find(|at| outline.text(*at) == "#");
        before.unwrap_or(it.name)
    };
    let closed = outline.attributes.iter().filter(|it| it.end < outline.tokens.len());
    closed.map(|it| (start(it), it)).collect()
}

/// The documentation that an attribute is.
fn of_attribute(
    outline: &Outline<'_>,
    start: usize,
    attribute: &Attribute,
    lines: &LineIndex,
) -> Option<Fragment> {
    let range = start..attribute.end;
    let is_doc = |at: &usize| outline.text(*at) == "doc" && outline.text(*at + 1) == "=";
    let doc = range.clone().find(is_doc)?;
    let literal = outline.tokens.get(doc + 2).filter(|it| it.kind == TokenKind::Literal);
    let literal = literal.filter(|_| doc == attribute.name && doc + 3 == attribute.end);
    let written = || range.map(|at| outline.text(at)).collect::<Vec<_>>().concat();
    Some(Fragment {
        number: lines.line_of(outline.tokens[start].span.start),
        text: literal.map_or_else(written, |it| literal_text(it.text)),
        is_comment: false,
        is_inner: outline.text(start + 1) == "!",
        is_unread: literal.is_none(),
    })
}

/// The documentation comments between two tokens; each has its offset as its number.
fn comments(gap: &str) -> Vec<Fragment> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(start) = gap.get(at..).and_then(|it| it.find('/')).map(|it| at + it) {
        let rest = &gap[start..];
        let comment = match rest.as_bytes().get(1) {
            Some(b'/') => &rest[..rest.find('\n').unwrap_or(rest.len())],
            Some(b'*') => &rest[..block_end(rest)],
            _ => "/",
        };
        let is_line = comment.starts_with("//");
        let is_doc = match is_line {
            true => !comment.starts_with("////"),
            false => !comment.starts_with("/***") && comment.len() > 4,
        };
        let mark = comment.as_bytes().get(2).filter(|_| is_doc).copied();
        let is_inner = mark == Some(b'!');
        if is_inner || mark == Some(if is_line { b'/' } else { b'*' }) {
            let text = match is_line {
                true => comment[3..].trim_end_matches('\r').to_owned(),
                false => block_text(comment),
            };
            let number = u32::try_from(start).unwrap_or(u32::MAX);
            found.push(Fragment { number, text, is_comment: true, is_inner, is_unread: false });
        }
        at = start + comment.len();
    }
    found
}

/// End of the block comment at the start of a text, which may have more in it.
fn block_end(text: &str) -> usize {
    let bytes = text.as_bytes();
    let (mut at, mut depth) = (0, 0_usize);
    while at < bytes.len() {
        match (bytes[at], bytes.get(at + 1)) {
            (b'/', Some(b'*')) => (at, depth) = (at + 2, depth + 1),
            (b'*', Some(b'/')) => (at, depth) = (at + 2, depth - 1),
            _ => at += 1,
        }
        if depth == 0 {
            return at;
        }
    }
    text.len()
}

/// Content of a block comment, without a column of stars at its margin. Lines keep their count.
fn block_text(comment: &str) -> String {
    let content = comment[3..].strip_suffix("*/").unwrap_or(&comment[3..]);
    let lines: Vec<&str> = content.lines().collect();
    let star = |line: &&str| line.find(|it: char| !it.is_whitespace());
    let has_star = |line: &&str| star(line).is_some_and(|it| line[it..].starts_with('*'));
    let inner: Vec<&str> =
        lines.iter().skip(1).copied().filter(|it| !it.trim().is_empty()).collect();
    let is_decorated = !inner.is_empty() && inner.iter().all(has_star);
    let stripped = lines.iter().enumerate().map(|(index, line)| match star(line) {
        Some(at) if is_decorated && index > 0 => &line[at + 1..],
        _ => line,
    });
    stripped.collect::<Vec<_>>().join("\n")
}

/// The items of a text.
struct Items<'o, 't> {
    outline: &'o Outline<'t>,
    layout: &'o Layout,
    /// Outermost elements by their first tokens.
    elements: SortedMap<usize, &'o Element>,
}

impl Items<'_, '_> {
    /// The documentation of the element that begins at a token, or for inner documentation around it.
    fn joined(&self, open: &mut Vec<Fragment>, start: usize) -> Option<Documentation> {
        let fragments = std::mem::take(open);
        let is_inner = fragments.first()?.is_inner;
        let element = self.elements.get(&start).filter(|_| !is_inner);
        let name = element.map_or("", |it| self.outline.text(self.outline.item_name(it)));
        // Around inner documentation is the element of the token before it.
        let around = if is_inner { start.checked_sub(1) } else { Some(start) };
        let position = around.map_or(Position::OnItem, |it| self.position(it, element));
        let is_module = element.is_some_and(|it| {
            it.kind == ElementKind::Item
                && self.outline.before(self.outline.item_name(it), 1) == "mod"
        });
        let (mut lines, mut unread) = (Vec::new(), Vec::new());
        let margin = margin(&fragments);
        for fragment in fragments {
            if fragment.is_unread {
                unread.push((lines.len(), fragment.text.clone()));
            }
            let own = if fragment.is_comment { margin.comments } else { margin.attributes };
            let mut number = fragment.number;
            // An attribute may have its lines as escapes.
            let step = u32::from(fragment.is_comment);
            let text = if fragment.text.is_empty() { "\n" } else { &fragment.text };
            for line in text.lines() {
                let indent = line.bytes().take(own).take_while(|it| matches!(it, b' ' | b'\t'));
                let indent = indent.count();
                lines.push((number, line[indent..].to_owned()));
                number += step;
            }
        }
        Some(Documentation { name: name.to_owned(), is_module, position, lines, unread })
    }

    fn position(&self, at: usize, element: Option<&&Element>) -> Position {
        const DEEPEST: usize = 64;
        let in_macro = |open: usize| {
            let (previous, before) = (self.outline.before(open, 1), self.outline.before(open, 2));
            previous == "!" || (before == "!" && self.outline.before(open, 3) == "macro_rules")
        };
        match element.map(|it| it.kind) {
            _ if self.layout.in_tests(at) => Position::Untested,
            Some(ElementKind::Statement | ElementKind::Arm) => Position::Untested,
            _ if self.layout.around(at).take(DEEPEST).any(in_macro) => Position::InMacro,
            _ => Position::OnItem,
        }
    }
}

/// White space that is taken from each line of comments and of attributes.
struct Margin {
    comments: usize,
    attributes: usize,
}

/// The common margin; as in rustdoc, an attribute beside comments has one space less.
fn margin(fragments: &[Fragment]) -> Margin {
    let has = |is_comment: bool| fragments.iter().any(|it| it.is_comment == is_comment);
    let added = usize::from(has(true) && has(false));
    let own = |it: &Fragment| if it.is_comment { 0 } else { added };
    let lines = fragments.iter().flat_map(|it| it.text.lines().map(|line| (line, own(it))));
    let solid = lines.filter(|it| !it.0.trim().is_empty());
    let white = |line: &str| line.bytes().take_while(|it| matches!(it, b' ' | b'\t')).count();
    let least = solid.map(|(line, own)| white(line) + own).min().unwrap_or(0);
    Margin { comments: least, attributes: least.saturating_sub(added) }
}

/// The attributes that set how rustdoc tests all examples, each with its line.
pub(super) fn settings(text: &str) -> Vec<(u32, String)> {
    attributes_with(text, &["doc", "test"], |outline, mut range| {
        let text = |at: usize| outline.text(at);
        let doc = range.clone().find(|at| text(*at) == "doc" && text(*at + 1) == "(");
        doc.is_some_and(|doc| range.any(|at| at > doc && text(at) == "test"))
    })
}

/// The attributes that include pages, each with its line.
pub(super) fn inclusions(text: &str) -> Vec<(u32, String)> {
    attributes_with(text, &["doc", "include_str"], |outline, mut range| {
        let text = |at: usize| outline.text(at);
        let doc = range.clone().find(|at| text(*at) == "doc" && text(*at + 1) == "=");
        doc.is_some_and(|doc| range.any(|at| at > doc && text(at) == "include_str"))
    })
}

/// The attributes of a text with these words that the condition holds for, each with its line.
fn attributes_with(
    text: &str,
    words: &[&str],
    is_one: impl Fn(&Outline<'_>, std::ops::Range<usize>) -> bool,
) -> Vec<(u32, String)> {
    if !words.iter().all(|it| text.contains(it)) {
        return Vec::new();
    }
    let outline = Outline::of(text);
    let lines = LineIndex::new(text);
    let mut found = Vec::new();
    for (start, attribute) in attributes(&outline) {
        if is_one(&outline, start..attribute.end) {
            let all: Vec<&str> = (start..=attribute.end).map(|at| outline.text(at)).collect();
            found.push((lines.line_of(outline.tokens[start].span.start), all.concat()));
        }
    }
    found
}
