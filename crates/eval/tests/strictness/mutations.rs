//! Changes of a Rust text by name: removals, additions and replacements.

use preserve::outline::{ElementKind, Outline, TokenKind};

/// A change of a text.
pub(crate) struct Mutation {
    pub(crate) name: String,
    pub(crate) text: String,
}

/// Additions before an item, a field or a statement.
const BEFORE_ITEMS: &[&str] = &[
    "pub ",
    "pub(crate) ",
    "unsafe ",
    "#[allow(unused)] ",
    "#[expect(unused)] ",
    "#[cfg(any())] ",
    "#[cfg_attr(all(), ignore)] ",
    "#[ignore] ",
    "#[should_panic] ",
];
const BEFORE_STATEMENTS: &[&str] = &[
    "todo!(); ",
    "unimplemented!(); ",
    "panic!(); ",
    "unreachable!(); ",
    "unsafe {} ",
    "#[allow(unused)] ",
    "#[cfg(any())] ",
    "return; ",
];
/// Wrappings of a statement.
const AROUND: &[(&str, &str)] = &[
    ("unsafe { ", " }"),
    ("if false { ", " }"),
    ("/* ", " */"),
    ("// ", "\n"),
    ("let _ = stringify!(", ");"),
    ("let _ = || { ", " };"),
];
/// Replacements of a token.
const INSTEAD: &[&str] = &["", "todo!()", "panic!()", "unsafe { x }", "x", "1", "\"\""];

/// Every single change of the text.
pub(crate) fn mutations(text: &str) -> Vec<Mutation> {
    let outline = Outline::of(text);
    let mut found = elements(text, &outline);
    found.extend(tokens(text, &outline));
    found.extend(groups(text, &outline));
    found
}

fn mutation(name: String, text: &str, range: std::ops::Range<usize>, with: &str) -> Mutation {
    Mutation { name, text: format!("{}{with}{}", &text[..range.start], &text[range.end..]) }
}

fn bytes(outline: &Outline<'_>, start: usize, end: usize) -> std::ops::Range<usize> {
    let first = outline.tokens.get(start).map_or(0, |it| it.span.start);
    let last = end.checked_sub(1).and_then(|it| outline.tokens.get(it));
    first..last.map_or(first, |it| it.span.end).max(first)
}

/// Items, statements, fields, arms: removed, doubled, swapped, wrapped, with an addition before
/// them.
fn elements(text: &str, outline: &Outline<'_>) -> Vec<Mutation> {
    let mut found = Vec::new();
    for (idx, element) in outline.elements.iter().enumerate() {
        let range = bytes(outline, element.start, element.end);
        let named = |what: &str| format!("{what}, {:?} {idx}", element.kind);
        let slice = &text[range.clone()];
        found.push(mutation(named("removed"), text, range.clone(), ""));
        found.push(mutation(named("doubled"), text, range.clone(), &format!("{slice} {slice}")));
        let head = bytes(outline, element.head, element.end);
        found.push(mutation(named("without its head"), text, range.start..head.start, ""));
        let fronts = match element.kind {
            ElementKind::Statement | ElementKind::Arm => BEFORE_STATEMENTS,
            _ => BEFORE_ITEMS,
        };
        for front in fronts {
            let at = range.start..range.start;
            found.push(mutation(named(&format!("behind `{front}`")), text, at, front));
        }
        if element.kind == ElementKind::Statement {
            for (open, close) in AROUND {
                let with = format!("{open}{slice}{close}");
                found.push(mutation(named(&format!("in `{open}`")), text, range.clone(), &with));
            }
        }
        let next = outline.elements.iter().filter(|it| it.start >= element.end);
        if let Some(next) = next.min_by_key(|it| (it.start, std::cmp::Reverse(it.end))) {
            let other = bytes(outline, next.start, next.end);
            let between = &text[range.end..other.start.max(range.end)];
            let with = format!("{}{between}{slice}", &text[other.clone()]);
            let both = range.start..other.end.max(range.end);
            found.push(mutation(named("swapped"), text, both, &with));
        }
    }
    found
}

/// Tokens: removed or replaced.
fn tokens(text: &str, outline: &Outline<'_>) -> Vec<Mutation> {
    let mut found = Vec::new();
    for (at, token) in outline.tokens.iter().enumerate() {
        let range = token.span.start..token.span.end;
        let replacements: &[&str] = match token.kind {
            TokenKind::Punctuation => &["", "==", "=", "!=", "+"],
            _ => INSTEAD,
        };
        for with in replacements {
            let name = format!("`{}` {at} as `{with}`", token.text);
            found.push(mutation(name, text, range.clone(), with));
        }
        if let Some(other) = outline.tokens.get(at + 2)
            && token.kind != TokenKind::Punctuation
            && other.kind == token.kind
        {
            let between = &text[range.end..other.span.start];
            let with = format!("{}{between}{}", other.text, token.text);
            let name = format!("`{}` {at} and `{}` swapped", token.text, other.text);
            found.push(mutation(name, text, range.start..other.span.end, &with));
        }
    }
    found
}

/// The content of brackets, and the brackets themselves.
fn groups(text: &str, outline: &Outline<'_>) -> Vec<Mutation> {
    let mut found = Vec::new();
    for (open, &close) in outline.close.iter().enumerate() {
        if close <= open || close >= outline.tokens.len() {
            continue;
        }
        let inner = outline.tokens[open].span.end..outline.tokens[close].span.start;
        let outer = outline.tokens[open].span.start..outline.tokens[close].span.end;
        let named = |what: &str| format!("{what} at {open} `{}`", outline.text(open));
        found.push(mutation(named("emptied"), text, inner.clone(), ""));
        found.push(mutation(named("placeholder"), text, inner.clone(), " todo!() "));
        found.push(mutation(named("unwrapped"), text, outer.clone(), &text[inner.clone()]));
        found.push(mutation(named("removed"), text, outer.clone(), ""));
        let callee = (0..open).rev().take_while(|it| {
            outline.tokens[*it].kind != TokenKind::Punctuation
                || matches!(outline.text(*it), "." | "::" | "!")
        });
        if let Some(first) = callee.last() {
            let whole = outline.tokens[first].span.start..outer.end;
            found.push(mutation(named("call removed"), text, whole.clone(), ""));
            found.push(mutation(named("call as its arguments"), text, whole, &text[inner]));
        }
    }
    found
}
