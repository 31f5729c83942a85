//! Names of items in a phrase: `Foo::bar`, `the method bar of Foo`, `Foo's bar`, `the bar function`.

use super::tokens::{Token, TokenKind, Tokens};

/// Words for the kind of an item.
const KINDS: &[&str] = &[
    "alias",
    "arg",
    "argument",
    "const",
    "constant",
    "enum",
    "enumeration",
    "field",
    "fn",
    "func",
    "function",
    "generic",
    "helper",
    "item",
    "macro",
    "member",
    "method",
    "mod",
    "module",
    "param",
    "parameter",
    "property",
    "routine",
    "static",
    "struct",
    "structure",
    "trait",
    "type",
    "union",
    "variable",
    "variant",
];
/// Words before a kind that add nothing.
const ADJECTIVES: &[&str] = &[
    "associated",
    "async",
    "free",
    "inherent",
    "inner",
    "internal",
    "local",
    "private",
    "pub",
    "public",
    "tuple",
    "unused",
    "utility",
];
/// Words that may be before any part of a phrase.
pub(super) const NOISE: &[&str] = &[
    "a",
    "additional",
    "all",
    "an",
    "another",
    "existing",
    "extra",
    "its",
    "my",
    "new",
    "one",
    "optional",
    "our",
    "that",
    "the",
    "this",
    "their",
    "two",
    "both",
];
/// Words that relate a member to its owner.
const OWNERS: &[&str] = &["from", "in", "inside", "of", "on", "within"];
/// Words that are never a name without quotes.
const STOP: &[&str] = &[
    "after",
    "all",
    "and",
    "as",
    "at",
    "be",
    "before",
    "by",
    "called",
    "default",
    "everywhere",
    "for",
    "from",
    "in",
    "inside",
    "instead",
    "into",
    "is",
    "it",
    "its",
    "named",
    "of",
    "on",
    "out",
    "return",
    "should",
    "so",
    "that",
    "the",
    "them",
    "then",
    "this",
    "to",
    "type",
    "value",
    "with",
    "within",
];

/// An item in a phrase.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ItemPhrase {
    /// End of its path.
    pub(super) path: String,
    /// The word for its kind.
    pub(super) kind: Option<String>,
    /// Index of the token after it.
    pub(super) end: usize,
}

/// The items that the tokens from `at` may name, those of most words first.
pub(super) fn items(tokens: &Tokens, at: usize) -> Vec<ItemPhrase> {
    let mut found = Vec::new();
    for start in starts(tokens, at) {
        for name in names(tokens, start) {
            for owner in owners(tokens, name.end) {
                let path = format!("{}::{}", owner.path, name.path);
                found.push(ItemPhrase { path, kind: name.kind.clone(), end: owner.end });
            }
            let is_owner =
                tokens.list.get(name.end).is_some_and(|it| it.kind == TokenKind::Possessive);
            if is_owner {
                for member in
                    starts(tokens, name.end + 1).into_iter().flat_map(|it| names(tokens, it))
                {
                    let path = format!("{}::{}", name.path, member.path);
                    found.push(ItemPhrase { path, kind: member.kind, end: member.end });
                }
            }
            found.push(name);
        }
    }
    found
}

/// Where a name may begin: at once, or after words that add nothing.
pub(super) fn starts(tokens: &Tokens, at: usize) -> Vec<usize> {
    let is_noise = |it: &Token| it.kind == TokenKind::Word && NOISE.contains(&it.lower.as_str());
    let count = tokens.list.get(at..).unwrap_or(&[]).iter().take_while(|it| is_noise(it)).count();
    (at..=at + count).collect()
}

/// The owners that `of Foo` at a token may name.
fn owners(tokens: &Tokens, at: usize) -> Vec<ItemPhrase> {
    let is_owner = |it: &Token| it.kind == TokenKind::Word && OWNERS.contains(&it.lower.as_str());
    let mut first = at;
    if tokens.list.get(first).is_some_and(|it| it.lower == "out") {
        first += 1;
    }
    if !tokens.list.get(first).is_some_and(is_owner) {
        return Vec::new();
    }
    let found = starts(tokens, first + 1).into_iter().flat_map(|it| names(tokens, it));
    // A file is no part of a path.
    found.filter(|it| !it.path.contains(['/', '.'])).collect()
}

/// A name at a token, with words for its kind before or after it.
fn names(tokens: &Tokens, at: usize) -> Vec<ItemPhrase> {
    let is_in = |list: &[&str], at: usize| {
        let token = tokens.list.get(at);
        token.is_some_and(|it| it.kind == TokenKind::Word && list.contains(&it.lower.as_str()))
    };
    let mut found = Vec::new();
    let mut name_at = at;
    let mut kind = None;
    loop {
        if let Some(path) = tokens.list.get(name_at).and_then(path_of) {
            if kind.is_none() && is_in(KINDS, name_at + 1) {
                let after = tokens.list[name_at + 1].lower.clone();
                let end = name_at + 2;
                found.push(ItemPhrase { path: path.clone(), kind: Some(after), end });
            }
            found.push(ItemPhrase { path, kind: kind.clone(), end: name_at + 1 });
        }
        let is_kind = is_in(KINDS, name_at);
        if !is_kind && !is_in(ADJECTIVES, name_at) {
            break;
        }
        if is_kind {
            kind = tokens.list.get(name_at).map(|it| it.lower.clone());
        }
        name_at += 1;
        // `the function called foo`
        if is_in(&["called", "named"], name_at) {
            name_at += 1;
        }
    }
    found.reverse();
    found
}

/// The path that a token names.
fn path_of(token: &Token) -> Option<String> {
    let is_stop = STOP.contains(&token.lower.as_str());
    if !matches!(token.kind, TokenKind::Word | TokenKind::Code)
        || (token.kind == TokenKind::Word && is_stop)
    {
        return None;
    }
    let text = token.text.trim_end_matches("()").trim_end_matches('!').replace('.', "::");
    // Code in quotes may repeat the keyword: `fn foo`.
    let text = match text.split_once(' ') {
        Some((keyword, rest)) if KINDS.contains(&keyword) => rest.trim().to_owned(),
        Some(_) => return None,
        None => text,
    };
    let is_place = token.text.contains(".rs");
    if is_place {
        return Some(token.text.clone());
    }
    text.split("::").all(is_name).then_some(text)
}

/// Whether a text is a name in Rust.
pub(crate) fn is_name(text: &str) -> bool {
    let text = text.strip_prefix("r#").unwrap_or(text);
    let mut chars = text.chars();
    chars.next().is_some_and(|it| it.is_alphabetic() || it == '_')
        && chars.all(|it| it.is_alphanumeric() || it == '_')
}
