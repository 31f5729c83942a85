//! Where a module has its imports, and where the comments of an item begin.

use base::ByteSpan;
use preserve::outline::{Element, ElementKind, Outline};

use crate::text::line_start;

/// Before the first import of the module around a place, else before its first item with its
/// comments.
pub fn import_place(outline: &Outline<'_>, text: &str, place: ByteSpan) -> usize {
    let start = |at: usize| outline.tokens.get(at).map_or(text.len(), |it| it.span.start);
    let is_module = |it: &Element| {
        it.kind == ElementKind::Item
            && outline.text(it.head) == "mod"
            && outline.text(it.head + 2) == "{"
    };
    let items = || outline.elements.iter().filter(|it| it.kind == ElementKind::Item);
    let modules: Vec<(usize, usize)> = items()
        .filter(|it| is_module(it))
        .map(|it| (it.head + 2, outline.close[it.head + 2]))
        .collect();
    // The innermost module of a token; inner ones come first.
    let around =
        |at: usize| modules.iter().copied().find(|(open, close)| *open < at && at < *close);
    let module = modules.iter().copied().find(|(open, close)| {
        let end = outline.tokens.get(*close).map_or(usize::MAX, |it| it.span.start);
        start(*open) < place.start && place.start <= end
    });
    // Not those of functions.
    let is_inner = |it: &Element| {
        let mut others = items().filter(|other| other.start < it.start && it.end <= other.end);
        others.any(|other| !is_module(other))
    };
    let of_module = |kind: ElementKind| {
        let mine = outline.elements.iter().filter(move |it| it.kind == kind);
        let mine = mine.filter(|it| around(it.start) == module && !is_inner(it));
        mine.map(|it| it.start).min()
    };
    if let Some(import) = of_module(ElementKind::Import) {
        return start(import);
    }
    let open = module.map_or(0, |(open, _)| start(open) + 1);
    match of_module(ElementKind::Item) {
        Some(item) => {
            let floor = item.checked_sub(1).and_then(|it| outline.tokens.get(it));
            comments_start(text, floor.map_or(0, |it| it.span.end), start(item))
        }
        None => {
            let close = module.map_or(outline.tokens.len(), |(_, close)| close);
            let first = module.map_or(0, |(open, _)| open + 1);
            let inner = outline.tokens.get(first..close).and_then(|it| it.last());
            after_inner(text, inner.map_or(open, |it| it.span.end), start(close))
        }
    }
}

/// After the inner documentation that follows `from`, on a line of its own where it can be.
fn after_inner(text: &str, from: usize, end: usize) -> usize {
    let mut found = from;
    let mut at = from;
    while at < end {
        let next = text[at..end].find('\n').map_or(end, |it| at + it + 1);
        let line = text[at..next].trim();
        if line.starts_with("//!") {
            found = next;
        } else if !line.is_empty() {
            break;
        }
        at = next;
    }
    let is_cut = found == from && from > 0 && text[..from].ends_with(']');
    match text[found..end].find('\n').filter(|_| is_cut) {
        Some(line) => found + line + 1,
        None => found,
    }
}

/// Start of the comments directly before the item at `first`, not before `floor`; `first` if it has
/// none.
pub fn comments_start(text: &str, floor: usize, first: usize) -> usize {
    let mut line = line_start(text, first);
    if !text[line..first].trim().is_empty() || line < floor {
        return first;
    }
    while line > floor {
        let before = line_start(text, line - 1);
        let content = text[before..line].trim();
        let is_line = content.starts_with("//") && !content.starts_with("//!");
        if before >= floor && is_line {
            line = before;
            continue;
        }
        match block_start(text, floor, line) {
            Some(start) => line = start,
            None => break,
        }
    }
    let indent = text[line..].len() - text[line..].trim_start().len();
    (line + indent).min(first)
}

/// Line of the start of a block comment that ends directly before a line.
fn block_start(text: &str, floor: usize, line: usize) -> Option<usize> {
    let before = text.get(floor..line)?;
    let trimmed = before.strip_suffix('\n')?.trim_end_matches([' ', '\t', '\r']);
    let open = if trimmed.ends_with("*/") { trimmed.rfind("/*") } else { None }?;
    let start = trimmed[..open].rfind('\n').map(|it| it + 1).or((floor == 0).then_some(0))?;
    let is_own = trimmed[start..open].trim().is_empty() && !trimmed[open..].starts_with("/*!");
    is_own.then_some(floor + start)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(text: &str) -> String {
        let at = text.find("$0").unwrap();
        let text = text.replace("$0", "");
        let place = import_place(&Outline::of(&text), &text, ByteSpan::new(at, at));
        format!("{}|{}", &text[..place], &text[place..])
    }

    #[test]
    fn imports_are_before_the_first_import_or_item_of_the_module() {
        assert_eq!(
            place("//! A.\nuse a;\nfn f() { $0 }"),
            "//! A.\n|use a;\nfn f() { $0 }".replace("$0", "")
        );
        assert_eq!(
            place("//! A.\n\n/// B.\nfn f() { use x; $0}"),
            "//! A.\n\n|/// B.\nfn f() { use x; }"
        );
        assert_eq!(place("/* A\n B */\n#[c]\nfn f() { $0}"), "|/* A\n B */\n#[c]\nfn f() { }");
        assert_eq!(
            place("use a;\nmod m {\n    // B\n    fn f() { $0}\n}"),
            "use a;\nmod m {\n    |// B\n    fn f() { }\n}"
        );
        assert_eq!(place("mod m {$0}"), "mod m {|}");
        assert_eq!(place("//! A.\n//! B.\n$0"), "//! A.\n//! B.\n|");
        assert_eq!(place("#![a]\n\n//! B.$0"), "#![a]\n\n//! B.|");
        assert_eq!(place("#![a]\n$0"), "#![a]\n|");
    }
}
