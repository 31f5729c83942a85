//! Where text goes out of a module and comes into one.

use base::ByteSpan;
use edit::Splice;
use preserve::outline::{Element, ElementKind, Outline, TokenKind, tokens};

use super::modules::ModulePlace;
use super::supply::NewImport;
use crate::import_place::{comments_start, import_place};
use crate::text::{PlacedText, line_start, spelled};

/// Removes whole lines, and one of two blank lines that would be left.
pub(crate) fn removals(text: &str, spans: &[ByteSpan]) -> Vec<Splice> {
    let mut found: Vec<Splice> = Vec::new();
    for span in spans {
        let floor = found.last().map_or(0, |it| it.span.end);
        let mut start = line_start(text, span.start).max(floor);
        let mut end = text[span.end..].find('\n').map_or(text.len(), |it| span.end + it + 1);
        let next = text[end..].lines().next();
        let before = text[..start].trim_end_matches([' ', '\t']);
        let is_first = before.trim_start_matches('\u{feff}').is_empty()
            || before.ends_with("\n\n")
            || before.ends_with("{\n");
        if is_first && next.is_some_and(|it| it.trim().is_empty()) {
            end += text[end..].find('\n').map_or(text.len() - end, |it| it + 1);
        }
        let is_last =
            text[end..].trim_start().is_empty() || text[end..].trim_start().starts_with('}');
        if is_last {
            let before = &text[floor..start];
            let kept = before.trim_end_matches([' ', '\t', '\n', '\r']).len();
            let blank = before[kept..].matches('\n').count() > 1;
            if blank {
                start = floor + kept + before[kept..].find('\n').map_or(0, |it| it + 1);
            }
        }
        found.push(Splice { span: ByteSpan::new(start, end), insert: String::new() });
    }
    found
}

/// Adds imports to a module, in blocks with a blank line between them.
pub(super) fn imports(
    file: &PlacedText,
    place: &ModulePlace,
    blocks: &[Vec<(String, NewImport)>],
) -> Option<Splice> {
    if blocks.iter().all(Vec::is_empty) {
        return None;
    }
    let text: &str = &file.text;
    let outline = Outline::of(text);
    let inside = place.body.map_or(0, |it| it.start + 1);
    let inside = ByteSpan::new(inside, inside);
    // A position of the module itself: that of its first token.
    let at = import_place(&outline, text, inside);
    let line = line_start(text, at);
    let indent = &text[line..at];
    let code = |block: &[(String, NewImport)], indent: &str| -> Vec<String> {
        block.iter().map(|(visibility, it)| it.code(visibility, indent)).collect()
    };
    let lines_of = |indent: &str| -> String {
        let block = |it: &Vec<(String, NewImport)>| -> String {
            code(it, indent).iter().map(|it| format!("{indent}{it}\n")).collect()
        };
        blocks.iter().map(block).collect::<Vec<_>>().join("\n")
    };
    if indent.trim_start().starts_with("//!") {
        // The last line of documentation has no end.
        let insert = format!("\n\n{}", lines_of(""));
        return Some(Splice { span: ByteSpan::new(at, at), insert });
    }
    if !indent.trim().is_empty() {
        let first = if indent.ends_with(char::is_whitespace) { "" } else { " " };
        let insert = format!("{first}{} ", code(&blocks.concat(), "").join(" "));
        return Some(Splice { span: ByteSpan::new(at, at), insert });
    }
    let is_import = outline.elements.iter().any(|it| {
        let first = outline.tokens.get(it.start);
        it.kind == ElementKind::Import && first.is_some_and(|it| it.span.start == at)
    });
    let end = if is_import || text[at..].trim().is_empty() { "" } else { "\n" };
    let lines = lines_of(indent);
    Some(Splice { span: ByteSpan::new(line, line), insert: format!("{lines}{end}") })
}

/// Adds text at the end of a module, before its tests.
pub(super) fn insertion(file: &PlacedText, place: &ModulePlace, code: &str) -> Splice {
    let text: &str = &file.text;
    let end = place.body.map_or(text.len(), |it| it.end - 1);
    let outline = Outline::of(text);
    if let Some(at) = tests_start(text, &outline, place, end) {
        let insert = format!("{code}\n\n");
        return Splice { span: ByteSpan::new(at, at), insert };
    }
    let at = line_start(text, end);
    let begin = place.body.map_or(0, |it| it.start + 1);
    if place.body.is_some() && (!text[at..end].trim().is_empty() || at < begin) {
        let line = line_start(text, begin);
        let indent: String = text[line..].chars().take_while(|it| *it == ' ').collect();
        let insert = format!("\n{code}\n{indent}");
        return Splice { span: ByteSpan::new(end, end), insert };
    }
    let at = if place.body.is_some() { at } else { end };
    let before = &text[begin..at];
    let first = match before.trim().is_empty() {
        true => "",
        false if before.ends_with('\n') => "\n",
        false => "\n\n",
    };
    Splice { span: ByteSpan::new(at, at), insert: format!("{first}{code}\n") }
}

/// Line of the first of the tests with which a module ends.
fn tests_start(
    text: &str,
    outline: &Outline<'_>,
    place: &ModulePlace,
    end: usize,
) -> Option<usize> {
    let start = |at: usize| outline.tokens.get(at).map_or(0, |it| it.span.start);
    let begin = place.body.map_or(0, |it| it.start);
    let is_inside =
        |it: &&Element| start(it.start) >= begin && outline.tokens[it.end - 1].span.end <= end;
    let items = outline.elements.iter().filter(|it| it.kind == ElementKind::Item);
    let mut items: Vec<&Element> = items.filter(is_inside).collect();
    items.sort_by_key(|it| (std::cmp::Reverse(it.end), it.start));
    let mut found: Option<&Element> = None;
    // From the end: each item that ends before the one found.
    for item in items {
        let is_next = found.is_none_or(|it| item.end <= it.start);
        let span = ByteSpan::new(start(item.start), start(item.head));
        let attributes = spelled(span.slice(text)?);
        let is_test = attributes.contains("#[cfg(test)]") || attributes.contains("#[test]");
        match (is_next, is_test) {
            (true, true) => found = Some(item),
            (true, false) => break,
            (false, _) => {}
        }
    }
    let found = found?;
    let floor = found.start.checked_sub(1).map_or(0, |it| outline.tokens[it].span.end);
    let first = comments_start(text, floor, start(found.start));
    let line = line_start(text, first);
    text[line..first].trim().is_empty().then_some(line)
}

/// The text with another indentation, if no literal or comment goes over several lines.
pub(crate) fn indented(text: &str, from: &str, to: &str) -> String {
    let is_long = |it: &str| it.contains('\n');
    let literal =
        |it: &preserve::outline::Token<'_>| it.kind == TokenKind::Literal && is_long(it.text);
    if from == to || text.contains("/*") || tokens(text).iter().any(literal) {
        return text.to_owned();
    }
    let lines = text.split('\n').enumerate().map(|(at, line)| match line.trim().is_empty() {
        true => String::new(),
        // The first line begins after its indentation.
        false if at == 0 => line.to_owned(),
        false => format!("{to}{}", line.strip_prefix(from).unwrap_or(line)),
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// The blanks before the first line of a span.
pub fn indent_of(text: &str, at: usize) -> &str {
    let line = line_start(text, at);
    let blank = text[line..].len() - text[line..].trim_start_matches([' ', '\t']).len();
    &text[line..line + blank]
}
