//! What a text declares, read from its tokens alone, so that broken text has an outline too: items
//! with visibility and attributes, and the effects of each body.

mod members;

use std::ops::Range;

use super::effects::{self, Effects};
use super::lex::{Token, TokenKind, tokens};
use base::SortedMap;

/// One item, field or variant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Item {
    /// `fn`, `struct`, `field`, `variant`, `use` …
    pub(super) kind: &'static str,
    pub(super) name: String,
    /// Names of what surrounds it, outermost first.
    pub(super) parents: Vec<String>,
    /// 0 private, 1 `pub(super)` and the like, 2 `pub(crate)`, 3 `pub`.
    pub(super) visibility: u8,
    /// Whether it has no visibility of its own, because it is in a trait or a trait's impl.
    pub(super) in_trait: bool,
    pub(super) line: u32,
    /// Effects of its body, without the items in it.
    pub(super) effects: Effects,
}

/// One attribute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Attribute {
    /// Last segment of its path: `test` of `#[tokio::test]`.
    pub(super) name: String,
    /// All its tokens, joined by blanks.
    pub(super) text: String,
    pub(super) line: u32,
}

/// One file's outline.
#[derive(Clone, Debug, Default)]
pub(super) struct Outline {
    pub(super) items: Vec<Item>,
    pub(super) attributes: Vec<Attribute>,
    /// Tokens of each test: `#[test]` functions and `#[cfg(test)]` modules, outermost only.
    pub(super) tests: Vec<String>,
    /// Number of calls of each macro in the whole text.
    pub(super) macros: SortedMap<String, usize>,
    /// Number of `unsafe`.
    pub(super) unsafes: usize,
}

/// Reads the outline of `text`; anything is accepted.
pub(super) fn outline(text: &str) -> Outline {
    let tokens = tokens(text);
    let closes = matching(&tokens);
    let mut reader = OutlineReader { tokens: &tokens, closes: &closes, out: Outline::default() };
    let all = 0..tokens.len();
    let mut own = Vec::new();
    let around = Around { parents: &[], in_trait: false, in_test: false };
    reader.read(all.clone(), around, &mut own);
    let root = Item {
        kind: "file",
        name: String::new(),
        parents: Vec::new(),
        visibility: 0,
        in_trait: false,
        line: 1,
        effects: effects::count(&tokens, &own),
    };
    reader.out.items.push(root);
    reader.out.macros = effects::macros(&tokens);
    reader.out.unsafes = unsafes(&tokens, &closes);
    reader.out
}

/// The number of `unsafe`, without those that the 2024 edition requires around code that is unsafe
/// anyway: before an `extern` block, in an attribute, and in an `unsafe fn`.
fn unsafes(tokens: &[Token<'_>], closes: &[usize]) -> usize {
    let is = |at: usize, text: &str| tokens.get(at).is_some_and(|token| token.is(text));
    let opens = |from: usize| (from..tokens.len()).find(|&at| is(at, "{") || is(at, ";"));
    // Bodies of functions, innermost last for each position, and whether the function is unsafe.
    let mut bodies: Vec<(usize, usize, bool)> = Vec::new();
    for at in (0..tokens.len()).filter(|&at| is(at, "fn")) {
        let is_unsafe = (1..=3).any(|back| at >= back && is(at - back, "unsafe"));
        if let Some(open) = opens(at).filter(|&open| is(open, "{")) {
            bodies.push((open, closes[open], is_unsafe));
        }
    }
    let in_unsafe_fn = |at: usize| {
        let around = bodies.iter().filter(|(open, close, _)| (*open..*close).contains(&at));
        around.min_by_key(|(open, close, _)| close - open).is_some_and(|body| body.2)
    };
    let is_edition_form = |at: usize| match tokens.get(at + 1).map(|token| token.text) {
        Some("extern") => is(at + 2, "{") || is(at + 3, "{"),
        Some("(") => at >= 2 && is(at - 1, "[") && (is(at - 2, "#") || is(at - 2, "!")),
        Some("{") => in_unsafe_fn(at),
        _ => false,
    };
    (0..tokens.len()).filter(|&at| is(at, "unsafe") && !is_edition_form(at)).count()
}

/// For each opening bracket the index of its closing one, or the end.
fn matching(tokens: &[Token<'_>]) -> Vec<usize> {
    let mut closes = vec![tokens.len(); tokens.len()];
    let mut open: Vec<usize> = Vec::new();
    for (idx, token) in tokens.iter().enumerate() {
        match token.kind {
            TokenKind::Open => open.push(idx),
            TokenKind::Close => {
                let wanted = match token.text {
                    ")" => "(",
                    "]" => "[",
                    _ => "{",
                };
                // A stray bracket closes what it can and nothing else.
                if let Some(depth) = open.iter().rposition(|at| tokens[*at].text == wanted) {
                    closes[open[depth]] = idx;
                    open.truncate(depth);
                }
            }
            _ => {}
        }
    }
    closes
}

struct OutlineReader<'t, 'a> {
    tokens: &'t [Token<'a>],
    closes: &'t [usize],
    out: Outline,
}

/// What precedes the keyword of an item.
#[derive(Default)]
struct Head {
    visibility: u8,
    is_test: bool,
}

/// What surrounds an item.
#[derive(Clone, Copy)]
struct Around<'p> {
    /// Names of what surrounds it, outermost first.
    parents: &'p [String],
    in_trait: bool,
    in_test: bool,
}

/// The beginning of an item.
struct Start<'p> {
    /// Index of its keyword.
    at: usize,
    /// Where the tokens around it end.
    end: usize,
    line: u32,
    visibility: u8,
    around: Around<'p>,
}

impl Start<'_> {
    /// The parents of what is in an item.
    fn below(&self, name: &str) -> Vec<String> {
        let mut inner = self.around.parents.to_vec();
        inner.push(name.to_owned());
        inner
    }
}

impl<'a> OutlineReader<'_, 'a> {
    fn text(&self, at: usize) -> &'a str {
        self.tokens.get(at).map_or("", |token| token.text)
    }

    fn is_ident(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(|token| token.kind == TokenKind::Ident)
    }

    /// Reads the items in `range`; tokens that belong to none of them go to `own`.
    fn read(&mut self, range: Range<usize>, around: Around<'_>, own: &mut Vec<usize>) {
        let mut at = range.start;
        let mut begins = true;
        while at < range.end {
            let begin = at;
            if begins || self.text(at) == "pub" {
                let (keyword, head) = self.head(at, range.end);
                if let Some(end) = self.item(keyword, range.end, &head, around) {
                    if head.is_test && !around.in_test {
                        let words: Vec<&str> =
                            self.tokens[begin..end].iter().map(|token| token.text).collect();
                        self.out.tests.push(words.join(" "));
                    }
                    at = end;
                    continue;
                }
                // Attributes of a statement are read once; the statement is not an item.
                let (after, _) = self.attributes(at, range.end);
                if after > at {
                    at = after;
                    continue;
                }
            }
            let text = self.text(at);
            begins = matches!(text, "{" | "}" | ";");
            own.push(at);
            at += 1;
        }
    }

    /// Skips and records attributes.
    fn attributes(&mut self, mut at: usize, end: usize) -> (usize, bool) {
        let mut is_test = false;
        while self.text(at) == "#" {
            let open = if self.text(at + 1) == "!" { at + 2 } else { at + 1 };
            if self.text(open) != "[" {
                break;
            }
            let close = self.closes[open].min(end);
            let words: Vec<&str> =
                self.tokens[open + 1..close].iter().map(|token| token.text).collect();
            let path_end =
                words.iter().position(|word| matches!(*word, "(" | "=")).unwrap_or(words.len());
            let name = words[..path_end].last().copied().unwrap_or_default().to_owned();
            let text = words.join(" ");
            is_test |= name == "test" || text == "cfg ( test )";
            let line = self.tokens[at].line;
            if !self.out.attributes.iter().any(|seen| seen.line == line && seen.text == text) {
                self.out.attributes.push(Attribute { name, text, line });
            }
            at = (close + 1).min(end);
        }
        (at, is_test)
    }

    /// Skips attributes, visibility and qualifiers; returns the index of the keyword.
    fn head(&mut self, at: usize, end: usize) -> (usize, Head) {
        let (mut at, is_test) = self.attributes(at, end);
        let mut head = Head { visibility: 0, is_test };
        if self.text(at) == "pub" {
            head.visibility = 3;
            at += 1;
            if self.text(at) == "("
                && matches!(self.text(at + 1), "crate" | "super" | "self" | "in")
            {
                head.visibility = if self.text(at + 1) == "crate" { 2 } else { 1 };
                at = (self.closes[at] + 1).min(end);
            }
        }
        loop {
            let next = self.text(at + 1);
            let qualifies = match self.text(at) {
                "default" | "async" | "safe" | "unsafe" | "auto" => {
                    self.is_ident(at + 1) && !matches!(next, "move")
                }
                "const" => matches!(next, "fn" | "unsafe" | "async" | "extern" | "impl" | "trait"),
                "extern" => {
                    next == "fn" || (next.starts_with('"') && matches!(self.text(at + 2), "fn"))
                }
                _ => false,
            };
            if !qualifies {
                return (at, head);
            }
            at += if self.text(at) == "extern" && next.starts_with('"') { 2 } else { 1 };
        }
    }

    /// The first `stop` from `at` on that is in no bracket; `end` if there is none.
    fn find(&self, mut at: usize, end: usize, stops: &[&str]) -> usize {
        while at < end {
            if stops.contains(&self.text(at)) {
                return at;
            }
            at = if self.tokens[at].kind == TokenKind::Open { self.closes[at] + 1 } else { at + 1 };
        }
        end
    }

    /// Skips `<…>` if it begins at `at`.
    fn skip_generics(&self, mut at: usize, end: usize) -> usize {
        if self.text(at) != "<" {
            return at;
        }
        let mut depth = 0_i32;
        while at < end {
            match self.text(at) {
                "<" => depth += 1,
                ">" => depth -= 1,
                ">=" => depth -= 1,
                "{" | ";" => return at,
                _ => {}
            }
            at += 1;
            if depth <= 0 {
                break;
            }
        }
        at
    }

    /// Reads the item whose keyword is at `at`; returns its end, or `None` if there is no item.
    fn item(&mut self, at: usize, end: usize, head: &Head, around: Around<'_>) -> Option<usize> {
        let line = self.tokens.get(at)?.line;
        let around = Around { in_test: around.in_test || head.is_test, ..around };
        let start = Start { at, end, line, visibility: head.visibility, around };
        let is_named = self.is_ident(at + 1);
        let (name, next) = (self.text(at + 1), self.text(at + 2));
        let stop = match self.text(at) {
            "fn" if is_named => {
                let generics = self.skip_generics(at + 2, end);
                self.container(&start, "fn", name, generics, false)
            }
            "const" => self.constant(&start, "const")?,
            "static" => self.constant(&start, "static")?,
            "type" if is_named => {
                self.push(&start, "type", name, Effects::default());
                self.find(at, end, &[";"]) + 1
            }
            "struct" if is_named => self.data(&start, "struct", "field"),
            "enum" if is_named => self.data(&start, "enum", "variant"),
            "union" if is_named && matches!(next, "{" | "<" | "where") => {
                self.data(&start, "union", "field")
            }
            "trait" if is_named => self.container(&start, "trait", name, at + 2, true),
            "mod" if is_named => self.container(&start, "mod", name, at + 2, false),
            "impl" => {
                let open = self.find(at + 1, end, &["{", ";"]);
                let (name, of_trait) = self.impl_name(at + 1, open);
                self.container(&start, "impl", &name, open, of_trait)
            }
            "use" => {
                let stop = self.find(at, end, &[";"]);
                for name in self.imported(at + 1..stop) {
                    self.push(&start, "use", &name, Effects::default());
                }
                stop + 1
            }
            "extern" if name == "crate" => {
                let stop = self.find(at, end, &[";"]);
                let name = self.text(stop.saturating_sub(1));
                self.push(&start, "extern crate", name, Effects::default());
                stop + 1
            }
            "extern" if name == "{" || next == "{" => {
                let open = self.find(at + 1, end, &["{"]);
                let (effects, stop) = self.inside(open, end, Around { in_trait: false, ..around });
                self.push(&start, "extern", "", effects);
                stop
            }
            "macro_rules" if name == "!" && self.is_ident(at + 2) => {
                let close = self.closes.get(at + 3).map_or(end, |close| (*close).min(end));
                let own: Vec<usize> = (at + 3..close).collect();
                self.push(&start, "macro", next, effects::count(self.tokens, &own));
                close + 1
            }
            _ => return None,
        };
        Some(stop.min(end))
    }

    fn push(&mut self, start: &Start<'_>, kind: &'static str, name: &str, effects: Effects) {
        self.out.items.push(Item {
            kind,
            name: name.to_owned(),
            parents: start.around.parents.to_vec(),
            visibility: start.visibility,
            in_trait: start.around.in_trait,
            line: start.line,
            effects,
        });
    }

    fn constant(&mut self, start: &Start<'_>, kind: &'static str) -> Option<usize> {
        let name_at = start.at + 1 + usize::from(self.text(start.at + 1) == "mut");
        if !self.is_ident(name_at) || self.text(name_at + 1) != ":" {
            return None;
        }
        let stop = self.find(start.at, start.end, &[";"]);
        let own: Vec<usize> = (name_at..stop).collect();
        self.push(start, kind, self.text(name_at), effects::count(self.tokens, &own));
        Some(stop + 1)
    }

    /// A struct, enum or union with its `parts`.
    fn data(&mut self, start: &Start<'_>, kind: &'static str, parts: &'static str) -> usize {
        let (end, name) = (start.end, self.text(start.at + 1));
        self.push(start, kind, name, Effects::default());
        let generics = self.skip_generics(start.at + 2, end);
        let mut body = self.find(generics, end, &["{", "(", ";", "where"]);
        if self.text(body) == "where" {
            // Brackets of its bounds are not the struct's; those of a tuple come first.
            body = self.find(body, end, &["{", ";"]);
        }
        match self.text(body) {
            "{" => {
                let close = self.closes[body].min(end);
                self.parts(parts, body + 1..close, &start.below(name));
                close + 1
            }
            "(" => {
                let close = self.closes[body].min(end);
                self.tuple(body + 1..close, &start.below(name));
                self.find(close, end, &[";"]) + 1
            }
            _ => body + 1,
        }
    }

    /// An item with other items in its braces, the first from `from` on.
    fn container(
        &mut self,
        start: &Start<'_>,
        kind: &'static str,
        name: &str,
        from: usize,
        is_trait: bool,
    ) -> usize {
        let open = self.find(from, start.end, &["{", ";"]);
        let parents = start.below(name);
        let around = Around { parents: &parents, in_trait: is_trait, ..start.around };
        let (effects, stop) = self.inside(open, start.end, around);
        self.push(start, kind, name, effects);
        stop
    }

    /// The inside of the braces at `open`, if there are any: its items and its effects.
    fn inside(&mut self, open: usize, end: usize, around: Around<'_>) -> (Effects, usize) {
        if self.text(open) != "{" {
            return (Effects::default(), (open + 1).min(end));
        }
        let close = self.closes[open].min(end);
        let mut own = Vec::new();
        self.read(open + 1..close, around, &mut own);
        (effects::count(self.tokens, &own), (close + 1).min(end))
    }
}
