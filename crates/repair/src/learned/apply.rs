//! Makes the edits of a pattern at the place of another error.

use base::{ByteSpan, Diagnostic, DiagnosticSpan, ProjectPath};
use change::{Guess, GuessKind};
use edit::Splice;
use preserve::outline::{Token, TokenKind, tokens};

use super::pattern::{EditPattern, EditPlace, InsertPart, PatternEdit, PatternToken};

impl EditPattern {
    /// The edits for this error, ascending; `None` if the pattern is not for it.
    pub(super) fn apply(
        &self,
        error: &Diagnostic,
        path: &ProjectPath,
        text: &str,
    ) -> Option<Vec<Splice>> {
        let names = self.names_of(error)?;
        let all = tokens(text);
        let make = |edit: &PatternEdit| {
            let span = edit.span.find(error, path, &names)?;
            Site { text, tokens: &all, names: &names, span }.splice(edit)
        };
        let mut splices: Vec<Splice> = self.edits.iter().map(make).collect::<Option<_>>()?;
        splices.sort_by_key(|it| it.span);
        let is_apart = splices.windows(2).all(|pair| pair[0].span.end <= pair[1].span.start);
        (is_apart && !splices.is_empty()).then_some(splices)
    }
}

/// The place of an error.
pub(super) struct Site<'a> {
    pub(super) text: &'a str,
    pub(super) tokens: &'a [Token<'a>],
    pub(super) names: &'a [String],
    pub(super) span: &'a DiagnosticSpan,
}

impl Site<'_> {
    fn splice(&self, edit: &PatternEdit) -> Option<Splice> {
        let insert = self.render(&edit.insert)?;
        let at = self.span.bytes;
        let point = |at: usize| ByteSpan::new(at, at);
        let splice = |span: ByteSpan, insert: String| Some(Splice { span, insert });
        match &edit.place {
            EditPlace::Before => splice(point(at.start), insert + space_after(edit)),
            EditPlace::After => splice(point(at.end), space_before(edit).to_owned() + &insert),
            EditPlace::Within(old) => splice(self.occurrence(old, at)?, insert),
            EditPlace::Lines(old) => splice(self.occurrence(old, self.lines())?, insert),
            EditPlace::Element => self.element(&insert),
            EditPlace::BeforeItem => {
                let start = self.item_start()?;
                splice(point(start), format!("{insert}\n{}", indent(self.text, start)))
            }
            EditPlace::Import => splice(point(self.import_place()), format!("{insert}\n")),
        }
    }

    /// The text of a token of a pattern.
    pub(super) fn text_of(&self, token: &PatternToken) -> Option<String> {
        match token {
            PatternToken::Text(text) => Some(text.clone()),
            PatternToken::Name(nth) => self.names.get(*nth).cloned(),
            PatternToken::Span => self.span.bytes.slice(self.text).map(str::to_owned),
        }
    }

    fn render(&self, parts: &[InsertPart]) -> Option<String> {
        let mut text = String::new();
        for (nth, part) in parts.iter().enumerate() {
            if part.spaced && nth > 0 {
                text.push(' ');
            }
            text.push_str(&self.text_of(&part.token)?);
        }
        Some(text)
    }

    /// The only occurrence of some tokens within a span.
    pub(super) fn occurrence(&self, wanted: &[PatternToken], within: ByteSpan) -> Option<ByteSpan> {
        let wanted: String =
            wanted.iter().map(|it| self.text_of(it)).collect::<Option<Vec<_>>>()?.join(" ");
        let wanted = tokens(&wanted);
        let inside = |it: &&Token<'_>| within.start <= it.span.start && it.span.end <= within.end;
        let all: Vec<&Token<'_>> = self.tokens.iter().filter(inside).collect();
        if wanted.is_empty() {
            return None;
        }
        let is_it = |window: &&[&Token<'_>]| {
            window.iter().zip(&wanted).all(|(found, wanted)| found.text == wanted.text)
        };
        let mut found = all.windows(wanted.len()).filter(is_it);
        let first = found.next().filter(|_| found.next().is_none())?;
        Some(ByteSpan::new(first.first()?.span.start, first.last()?.span.end))
    }

    /// The lines of the span.
    pub(super) fn lines(&self) -> ByteSpan {
        let before = self.text.get(..self.span.bytes.start).unwrap_or_default();
        let start = before.rfind('\n').map_or(0, |at| at + 1);
        let after = self.text.get(self.span.bytes.end..).unwrap_or_default();
        let end = after.find('\n').map_or(self.text.len(), |at| self.span.bytes.end + at);
        ByteSpan::new(start, end)
    }

    /// The braces that begin at or after the beginning of the span, as indices of their tokens.
    pub(super) fn braces(&self) -> Option<(usize, usize)> {
        let from = self.tokens.partition_point(|it| it.span.start < self.span.bytes.start);
        let open = from + self.tokens.get(from..)?.iter().position(|it| it.is("{"))?;
        let is_end = |it: &Token<'_>| it.is(";") || it.is("}");
        if self.tokens.get(from..open)?.iter().any(is_end) {
            return None;
        }
        Some((open, close_of(self.tokens, open)?))
    }

    /// The insertion of an element at the end of the braces, before a `..` that must be the last one.
    fn element(&self, insert: &str) -> Option<Splice> {
        let (open, close) = self.braces()?;
        let rest = rest_of(self.tokens, open, close).unwrap_or(close);
        let (before, at) = (self.tokens.get(rest - 1)?, self.tokens.get(rest)?);
        let is_listed = is_listed(insert);
        let needs_comma = is_listed && !before.is(",") && rest - 1 != open && !before.is("}");
        let comma = if needs_comma { "," } else { "" };
        let end =
            if is_listed && (rest != close || before.is(",") || before.is("}")) { "," } else { "" };
        let gap = self.text.get(before.span.end..at.span.start)?;
        let span = ByteSpan::new(before.span.end, before.span.end);
        let insert = match gap.contains('\n') {
            true => {
                let inner = format!("{}    ", indent(self.text, self.tokens.get(open)?.span.start));
                format!("{comma}\n{inner}{insert}{end}")
            }
            false => format!("{comma} {insert}{end}"),
        };
        Some(Splice { span, insert })
    }

    /// The beginning of the item that contains the span, with its attributes.
    pub(super) fn item_start(&self) -> Option<usize> {
        let file = syntax::parse(self.text);
        let item = file.items.get(syntax::item_at(&file, self.span.bytes)?)?;
        Some(item.attributes.first().map_or(item.code_span.start, |_| {
            let head = self.text.get(item.span.start..item.code_span.start).unwrap_or_default();
            head.find("#[").map_or(item.code_span.start, |at| item.span.start + at)
        }))
    }

    /// The beginning of the first import of the file, else of its first item.
    fn import_place(&self) -> usize {
        let file = syntax::parse(self.text);
        let outer = || file.items.iter().filter(|it| it.parent.is_none());
        let import = outer().find(|it| it.kind == syntax::NodeKind::Import);
        import.or_else(|| outer().next()).map_or(0, |it| it.span.start)
    }
}

/// The part of an insertion that is a value which another one could replace; none for attributes and
/// imports, which the compiler checks.
pub(super) fn guess(path: &ProjectPath, splice: &Splice) -> Option<Guess> {
    let insert = splice.insert.trim();
    if insert.starts_with('#') || insert.starts_with("use ") || insert.starts_with("pub use ") {
        return None;
    }
    let value =
        ["=>", ": "].iter().find_map(|mark| insert.split_once(mark)).map_or(insert, |it| it.1);
    let value = value.trim().trim_matches([',', ';']).trim();
    Guess::of(path, splice, value, GuessKind::Value)
}

/// The index of the token that closes the bracket at `open`.
pub(super) fn close_of(tokens: &[Token<'_>], open: usize) -> Option<usize> {
    let mut depth = 0usize;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        match token.text {
            "{" | "(" | "[" if token.kind == TokenKind::Punctuation => depth += 1,
            "}" | ")" | "]" if token.kind == TokenKind::Punctuation => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}

/// The index of a `..` that begins the last element of the braces.
fn rest_of(tokens: &[Token<'_>], open: usize, close: usize) -> Option<usize> {
    let mut depth = 0usize;
    let mut begins = true;
    for (at, token) in tokens.iter().enumerate().take(close).skip(open + 1) {
        if depth == 0 && begins && token.is("..") {
            return Some(at);
        }
        match token.text {
            "{" | "(" | "[" => depth += 1,
            "}" | ")" | "]" => depth = depth.saturating_sub(1),
            _ => {}
        }
        begins = depth == 0 && token.is(",");
    }
    None
}

/// Whether an element of braces is one that commas part: a field or an arm, not an item.
pub(super) fn is_listed(element: &str) -> bool {
    let found = tokens(element);
    let is_item = |it: &Token<'_>| {
        ["fn", "type", "const", "pub", "impl", "struct", "enum", "let"]
            .iter()
            .any(|word| it.is(word))
    };
    !found.iter().take(2).any(is_item) && !found.last().is_some_and(|it| it.is(";"))
}

fn indent(text: &str, at: usize) -> &str {
    let line = text.get(..at).map_or("", |it| it.rsplit('\n').next().unwrap_or(it));
    let blank = line.len() - line.trim_start().len();
    line.get(..blank).unwrap_or_default()
}

fn space_after(edit: &PatternEdit) -> &'static str {
    let last = edit.insert.last().map(|it| &it.token);
    match last {
        Some(PatternToken::Text(text)) if text.ends_with(|c: char| c.is_alphanumeric()) => " ",
        _ => "",
    }
}

fn space_before(edit: &PatternEdit) -> &'static str {
    if edit.insert.first().is_some_and(|it| it.spaced) { " " } else { "" }
}
