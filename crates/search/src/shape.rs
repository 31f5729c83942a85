//! Marker terms: what an item is and how a sentence begins, as terms that never occur in a text.
//!
//! `Returns true if …` describes a function that returns `bool`, `A builder for …` a type. An
//! encoder learns this if kind, receiver and result of an item are among its terms, and if the
//! first words of a sentence are marked. Marker terms begin with a character that no word contains,
//! so BM25 never matches them.

use base::ItemKind;

use crate::document::Document;
use crate::tokenize::{is_stop, stem_into, tokens};

/// The kinds of items and their terms.
pub(crate) const KINDS: [(ItemKind, &str); 12] = [
    (ItemKind::Function, "#function"),
    (ItemKind::Method, "#method"),
    (ItemKind::Struct, "#struct"),
    (ItemKind::Enum, "#enum"),
    (ItemKind::Union, "#union"),
    (ItemKind::Trait, "#trait"),
    (ItemKind::Impl, "#impl"),
    (ItemKind::Module, "#module"),
    (ItemKind::Const, "#const"),
    (ItemKind::Static, "#static"),
    (ItemKind::TypeAlias, "#alias"),
    (ItemKind::Macro, "#macro"),
];

/// Whether a term is a marker, not a word of the text.
pub(crate) fn is_shape(term: &str) -> bool {
    term.starts_with(['#', '^', '~'])
}

/// The marker terms of an item: its kind; for a function its receiver, its result and its arity.
pub(crate) fn of_item(document: &Document<'_>, each: &mut dyn FnMut(&str)) {
    let signature = document.signature;
    let Some((_, kind)) = KINDS.iter().find(|(kind, _)| *kind == document.kind) else { return };
    each(kind);
    if document.kind == ItemKind::Impl && document.name.contains(" for ") {
        each("#implfor");
    }
    each(match document.lines {
        0..=1 => "#lines1",
        2..=3 => "#lines3",
        4..=7 => "#lines7",
        8..=15 => "#lines15",
        16..=40 => "#lines40",
        _ => "#lines99",
    });
    let mut term = String::new();
    let mut place = 0;
    tokens(document.name, &mut |part| {
        if place == 0 {
            term.clear();
            term.push_str("#n0:");
            term.push_str(part);
            each(&term);
        }
        term.clear();
        term.push_str("#n:");
        term.push_str(part);
        each(&term);
        place += 1;
    });
    if !matches!(document.kind, ItemKind::Impl | ItemKind::Module) {
        keywords(document.code, each);
    }
    if document.canon.contains(" as ") {
        each("#ofimpl");
    }
    if !signature.is_empty() && !matches!(document.kind, ItemKind::Macro | ItemKind::Impl) {
        each(if signature.trim_start().starts_with("pub") { "#pub" } else { "#private" });
    }
    if matches!(document.kind, ItemKind::Function | ItemKind::Method) {
        of_function(signature, each);
    }
}

/// The marker terms of the signature of a function.
fn of_function(signature: &str, each: &mut dyn FnMut(&str)) {
    let Some((head, inner, result)) = parts(signature) else { return };
    let words = || head.split_whitespace();
    if words().any(|word| word == "async") {
        each("#async");
    }
    if words().any(|word| word == "unsafe") {
        each("#unsafe");
    }
    let first = inner.split(',').next().unwrap_or_default();
    let first = first.split(':').next().unwrap_or_default().trim();
    let has_self = first == "self" || first.ends_with(" self") || first.ends_with("&self");
    let is_mut = first.split_whitespace().any(|word| word == "mut" || word == "&mut");
    if has_self {
        each(match (first.starts_with('&'), is_mut) {
            (true, true) => "#mutself",
            (true, false) => "#refself",
            (false, _) => "#ownself",
        });
    }
    each(match count(inner).saturating_sub(usize::from(has_self)) {
        0 => "#takes0",
        1 => "#takes1",
        2 => "#takes2",
        _ => "#takes3",
    });
    each(of_result(result));
    let mut term = String::new();
    for (mark, text) in [("#r:", result), ("#s:", inner)] {
        tokens(text, &mut |part| {
            term.clear();
            term.push_str(mark);
            term.push_str(part);
            each(&term);
        });
    }
}

/// Marker terms for keywords that are not covered otherwise.
fn keywords(code: &str, each: &mut dyn FnMut(&str)) {
    const WORDS: [(&str, &str); 9] = [
        ("if", "#h:if"),
        ("else", "#h:else"),
        ("for", "#h:for"),
        ("while", "#h:while"),
        ("return", "#h:return"),
        ("true", "#h:true"),
        ("false", "#h:false"),
        ("mut", "#h:mut"),
        ("as", "#h:as"),
    ];
    let mut seen = [false; WORDS.len()];
    for word in code.split(|c: char| !c.is_ascii_alphanumeric() && c != '_') {
        let at = WORDS.iter().position(|(known, _)| *known == word);
        if let Some(at) = at.filter(|at| !seen[*at]) {
            seen[at] = true;
            each(WORDS[at].1);
        }
    }
}

/// A function's signature before its parameters, the parameters, and after the arrow.
fn parts(signature: &str) -> Option<(&str, &str, &str)> {
    let name = signature.find("fn ")?;
    // Generics may contain parentheses: `fn f<F: Fn(u8)>(…)`.
    let bytes = signature.as_bytes();
    let (mut angle, mut round, mut start) = (0i32, 0i32, None);
    for (at, byte) in bytes.iter().enumerate().skip(name) {
        match byte {
            b'<' if round == 0 => angle += 1,
            b'>' if round == 0 && bytes[at - 1] != b'-' => angle -= 1,
            b'(' => {
                if angle <= 0 && start.is_none() {
                    start = Some(at + 1);
                    round = 0;
                }
                round += 1;
            }
            b')' => {
                round -= 1;
                if let Some(start) = start.filter(|_| round == 0) {
                    let rest = signature[at + 1..].trim_start();
                    let result = rest.strip_prefix("->").unwrap_or_default();
                    let end = result.find("where").unwrap_or(result.len());
                    return Some((&signature[..name], &signature[start..at], result[..end].trim()));
                }
            }
            _ => {}
        }
    }
    None
}

/// The number of parameters in a list.
fn count(list: &str) -> usize {
    let mut depth = 0i32;
    let mut found = 0;
    let mut is_open = false;
    let mut before = b' ';
    for byte in list.bytes() {
        match byte {
            b'(' | b'[' | b'{' | b'<' => depth += 1,
            b'>' if before == b'-' => {}
            b')' | b']' | b'}' | b'>' => depth -= 1,
            b',' if depth <= 0 => is_open = false,
            _ if byte.is_ascii_whitespace() => {}
            _ if !is_open => {
                is_open = true;
                found += 1;
            }
            _ => {}
        }
        before = byte;
    }
    found
}

fn of_result(result: &str) -> &'static str {
    let numbers = [
        "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize",
        "f32", "f64",
    ];
    let is_of = |name: &str| {
        let last = result.split('<').next().unwrap_or_default().trim();
        last.rsplit("::").next() == Some(name)
    };
    match result {
        "" | "()" => "#gives-nothing",
        "bool" => "#gives-bool",
        "Self" | "&Self" | "&mut Self" => "#gives-self",
        "!" => "#gives-never",
        "&str" | "String" | "&'static str" => "#gives-text",
        it if numbers.contains(&it) => "#gives-number",
        _ if is_of("Option") => "#gives-option",
        _ if result.split('<').next().is_some_and(|it| it.contains("Result")) => "#gives-result",
        _ if is_of("Vec") => "#gives-list",
        it if it.contains("Iter") => "#gives-iterator",
        it if it.contains("Future") => "#gives-future",
        it if it.starts_with("&") && it.contains("mut ") => "#gives-mutref",
        it if it.starts_with('&') => "#gives-ref",
        it if it.starts_with("impl ") => "#gives-impl",
        it if it.starts_with('(') => "#gives-tuple",
        _ => "#gives-value",
    }
}

/// The first words of a sentence as marker terms.
pub(crate) fn of_sentence(text: &str, each: &mut dyn FnMut(&str)) {
    let parts = text.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '\'');
    let parts = parts.filter(|part| !part.is_empty());
    let mut opening = "^".to_owned();
    let mut seen: Vec<String> = Vec::new();
    for (place, word) in parts.enumerate().take(24) {
        if place < 3 {
            if place > 0 {
                opening.push(' ');
            }
            let mut term = String::new();
            stem_into(word, &mut term);
            opening.push_str(&term);
            each(&opening);
        }
        let folded = word.to_lowercase();
        if is_stop(&folded) && !seen.contains(&folded) {
            each(&format!("~{folded}"));
            seen.push(folded);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(kind: ItemKind, signature: &str) -> String {
        let document = Document {
            item: 0,
            kind,
            name: "f",
            canon: "a::f",
            signature,
            doc: "",
            code: "",
            lines: 9,
            is_test: false,
        };
        let mut found = Vec::new();
        of_item(&document, &mut |term| found.push(term.to_owned()));
        found.retain(|term| !term.contains(':') && !term.starts_with("#lines"));
        found.join(" ")
    }

    #[test]
    fn a_function_has_terms_for_parameters_and_result() {
        for (signature, want) in [
            ("pub fn f(&self) -> bool", "#method #pub #refself #takes0 #gives-bool"),
            ("fn f(mut self, a: u8) -> Self", "#method #private #ownself #takes1 #gives-self"),
            (
                "pub async fn f<F: Fn(u8) -> u8>(&'a mut self, f: F, (a, b): (u8, u8)) \
                 -> io::Result<()> where F: Send",
                "#method #pub #async #mutself #takes2 #gives-result",
            ),
            ("fn f(a: Vec<(u8, u8)>, b: u8, c: u8,)", "#method #private #takes3 #gives-nothing"),
            (
                "fn f(self: Box<Self>) -> Option<&T>",
                "#method #private #ownself #takes0 #gives-option",
            ),
            ("fn f(", "#method #private"),
            ("", "#method"),
        ] {
            assert_eq!(item(ItemKind::Method, signature), want, "{signature}");
        }
        assert_eq!(item(ItemKind::Struct, "pub struct S"), "#struct #pub");
    }

    #[test]
    fn a_sentence_begins_with_its_first_words() {
        let of = |text: &str| {
            let mut found = Vec::new();
            of_sentence(text, &mut |term| found.push(term.to_owned()));
            found.join(" | ")
        };
        assert_eq!(of("Returns a `Reader`."), "^return | ^return a | ^return a reader");
        assert_eq!(of("Splits it"), "^split | ^split it | ~it");
        assert_eq!(of(""), "");
    }
}
