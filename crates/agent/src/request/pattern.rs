//! Patterns of phrases and their matcher.
//!
//! A pattern is a list of words: `to|into` is one of these words, a `?` at its end makes it optional,
//! `$item` is a capture. Words that add nothing, such as articles, may be before each. Captures take as
//! few words as possible.

use super::item::{NOISE, is_name, items, starts};
use super::tokens::{Token, TokenKind, Tokens};

/// What a pattern captured.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Captures {
    pub(super) item: Option<String>,
    /// The word for the kind of the item.
    pub(super) kind: Option<String>,
    pub(super) name: Option<String>,
    pub(super) other: Option<String>,
    pub(super) declaration: Option<String>,
    pub(super) ty: Option<String>,
    pub(super) value: Option<String>,
    pub(super) module: Option<String>,
    pub(super) list: Option<Vec<String>>,
    pub(super) place: Option<Place>,
}

/// Where a parameter goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Place {
    First,
    Last,
    At(usize),
    Before(String),
    After(String),
}

/// Phrases after the main one: the value and the place of what is new.
const TAILS: &[&str] = &[
    "with|using|and|as? default|fallback value? of|=|:|is? $value",
    "with|using|and value $value",
    "with|using $value as|for default|fallback value?",
    "with|using $value as value",
    "with|using $value as|for argument|value? at|in|for every|each|all? caller|callers|call|calls|callsites|site? sites?",
    "defaulting|defaults|defaulted|which|that defaults? to|as|= $value",
    "default|defaults to? value? :|=|of|is? $value",
    "initialized|initialised|initialize|initialise|initially|set|starting to|with|as|at? $value",
    "and? pass|passing|use|using $value at|in|from|for|everywhere every|each|all|existing? caller|callers|call|calls|callsites|place|places? site|sites?",
    "and? pass|passing $value for|in|at|from? existing|every|each|all? caller|callers|call|calls?",
    "and? callers|calls|call should|must|can|will|to|sites? should|must|can|will? pass|passing|use $value for|now? it|now?",
    "as $nth parameter|param|argument|arg|one?",
    "at|in front|beginning|start $first",
    "at|in end $last",
    "at|in|as position|index|number|parameter $position",
    "right|directly|just|immediately|placed|inserted? before parameter|param|argument|arg? $before parameter|param|argument|arg|one?",
    "right|directly|just|immediately|placed|inserted? after parameter|param|argument|arg? $after parameter|param|argument|arg|one?",
];

/// The captures of a pattern that matches all tokens.
pub(super) fn matches(pattern: &str, tokens: &Tokens) -> Option<Captures> {
    let words: Vec<&str> = pattern.split_whitespace().collect();
    step(&words, tokens, 0, Captures::default())
}

/// Whether the tokens from `at` to the last match a pattern.
pub(super) fn begins_with(pattern: &str, tokens: &Tokens, at: usize) -> bool {
    let words: Vec<&str> = pattern.split_whitespace().collect();
    let end = tokens.list.iter().rposition(|it| it.kind != TokenKind::Punctuation);
    let Some(end) = end.filter(|end| *end >= at) else { return false };
    let mut whole = tokens.clone();
    whole.list.truncate(end + 1);
    // A word that adds nothing does not begin it.
    let first =
        whole.list.get(at).is_some_and(|it| !is_noise(it) || it.kind == TokenKind::Punctuation);
    first && step(&words, &whole, at, Captures::default()).is_some()
}

/// Matches the rest of a pattern at a token.
fn step(words: &[&str], tokens: &Tokens, at: usize, found: Captures) -> Option<Captures> {
    let Some((word, rest)) = words.split_first() else {
        return is_end(tokens, at).then_some(found);
    };
    if *word == "$tail" {
        return tail(rest, tokens, at, found);
    }
    if let Some(capture) = word.strip_prefix('$') {
        return captured(capture, rest, tokens, at, found);
    }
    let (word, is_optional) = match word.strip_suffix('?') {
        Some(word) => (word, true),
        None => (*word, false),
    };
    let is_one =
        |it: &Token| it.kind != TokenKind::Code && word.split('|').any(|one| one == it.lower);
    let mut idx = at;
    while let Some(token) = tokens.list.get(idx) {
        if is_one(token)
            && let Some(found) = step(rest, tokens, idx + 1, found.clone())
        {
            return Some(found);
        }
        if !is_noise(token) {
            break;
        }
        idx += 1;
    }
    if is_optional { step(rest, tokens, at, found) } else { None }
}

/// Matches phrases about value and place, in any order, and then the rest of a pattern.
fn tail(rest: &[&str], tokens: &Tokens, at: usize, found: Captures) -> Option<Captures> {
    if let Some(found) = step(rest, tokens, at, found.clone()) {
        return Some(found);
    }
    TAILS.iter().find_map(|phrase| {
        let words: Vec<&str> =
            phrase.split_whitespace().chain(["$tail"]).chain(rest.iter().copied()).collect();
        step(&words, tokens, at, found.clone())
    })
}

/// Whether only punctuation is left.
fn is_end(tokens: &Tokens, at: usize) -> bool {
    let left = tokens.list.get(at..).unwrap_or(&[]);
    let is_mark =
        |it: &Token| it.kind == TokenKind::Punctuation && !it.text.starts_with(['-', '=']);
    left.iter().all(is_mark)
}

fn is_noise(token: &Token) -> bool {
    let is_comma = token.kind == TokenKind::Punctuation
        && matches!(token.text.as_str(), "," | ":" | ";" | "(" | ")");
    is_comma || (token.kind == TokenKind::Word && NOISE.contains(&token.lower.as_str()))
}

fn captured(
    capture: &str,
    rest: &[&str],
    tokens: &Tokens,
    at: usize,
    mut found: Captures,
) -> Option<Captures> {
    match capture {
        // These are the place that the words before it have named.
        "first" | "last" => {
            found.place = Some(if capture == "first" { Place::First } else { Place::Last });
            return step(rest, tokens, at, found);
        }
        "nth?" => {
            let skipped = starts(tokens, at).into_iter().find_map(|at| {
                let mut found = found.clone();
                found.place = Some(nth(&tokens.list.get(at)?.lower)?);
                step(rest, tokens, at + 1, found)
            });
            return skipped.or_else(|| step(rest, tokens, at, found));
        }
        "item" => {
            return items(tokens, at).into_iter().find_map(|item| {
                let mut found = found.clone();
                (found.item, found.kind) = (Some(item.path), item.kind);
                step(rest, tokens, item.end, found)
            });
        }
        _ => {}
    }
    let mut start = at;
    loop {
        for end in start + 1..=tokens.list.len() {
            let mut found = found.clone();
            let raw = match capture {
                "value" => tokens.value(start..end)?,
                _ => tokens.raw(start..end)?,
            };
            if set(capture, &raw, tokens, start..end, &mut found)
                && let Some(found) = step(rest, tokens, end, found)
            {
                return Some(found);
            }
        }
        if !tokens.list.get(start).is_some_and(is_noise) {
            return None;
        }
        start += 1;
    }
}

/// Stores a capture; `false` if the text cannot be one.
fn set(
    capture: &str,
    raw: &str,
    tokens: &Tokens,
    range: std::ops::Range<usize>,
    found: &mut Captures,
) -> bool {
    let raw = raw.trim();
    let is_one = range.len() == 1;
    let name = || (is_one && is_name(raw)).then(|| raw.to_owned());
    match capture {
        "name" => found.name = name(),
        "other" => found.other = name(),
        "before" => found.place = name().map(Place::Before),
        "after" => found.place = name().map(Place::After),
        "nth" => found.place = nth(&raw.to_lowercase()),
        "position" => found.place = raw.parse().ok().filter(|it| *it > 0).map(Place::At),
        "module" => {
            let is_path = raw.split("::").all(is_name) || raw.ends_with(".rs");
            found.module = (is_one && is_path).then(|| raw.to_owned());
        }
        "declaration" => found.declaration = declaration(raw),
        "type" => found.ty = is_type(raw, tokens, range).then(|| raw.to_owned()),
        "value" => found.value = is_value(raw).then(|| raw.to_owned()),
        "old" => return fits_type(raw),
        "rest" => return !raw.contains([';', '.']),
        "list" => found.list = list(raw),
        _ => return false,
    }
    match capture {
        "name" => found.name.is_some(),
        "other" => found.other.is_some(),
        "before" | "after" | "position" | "nth" => found.place.is_some(),
        "module" => found.module.is_some(),
        "declaration" => found.declaration.is_some(),
        "type" => found.ty.is_some(),
        "value" => found.value.is_some(),
        _ => found.list.is_some(),
    }
}

/// The place that an ordinal names.
fn nth(word: &str) -> Option<Place> {
    const WORDS: [(&str, &str); 6] = [
        ("first", "1st"),
        ("second", "2nd"),
        ("third", "3rd"),
        ("fourth", "4th"),
        ("fifth", "5th"),
        ("sixth", "6th"),
    ];
    if matches!(word, "last" | "final") {
        return Some(Place::Last);
    }
    let at = WORDS.iter().position(|(a, b)| word == *a || word == *b)?;
    Some(Place::At(at + 1))
}

/// `name: Type` of a text such as `name: Type`, `name of type Type`, `name (Type)`.
fn declaration(raw: &str) -> Option<String> {
    let raw = raw.trim_end_matches([',', ';']);
    let split =
        [": ", ":", " of type ", " as ", " with type ", " (", " - "].iter().find_map(|mark| {
            let (name, ty) = raw.split_once(mark)?;
            let ty = if *mark == " (" { ty.strip_suffix(')')? } else { ty };
            let name = name.trim().trim_start_matches("pub ").trim_start_matches("mut ");
            // A path is no declaration.
            (is_name(name) && !ty.starts_with(':')).then(|| (name.to_owned(), ty.trim().to_owned()))
        })?;
    let (name, ty) = split;
    fits_type(&ty).then(|| format!("{name}: {ty}"))
}

/// Whether the text is a type and not a part of a sentence.
fn fits_type(text: &str) -> bool {
    syntax::is_fragment(text, syntax::FragmentKind::Type)
        && !matches!(text.to_lowercase().as_str(), "a" | "an" | "the" | "type" | "value")
}

/// The same for what follows `to`: without quotes it has to look like a type.
fn is_type(raw: &str, tokens: &Tokens, range: std::ops::Range<usize>) -> bool {
    let is_code =
        tokens.list.get(range).is_some_and(|it| it.iter().all(|it| it.kind == TokenKind::Code));
    fits_type(raw) && (is_code || !raw.chars().all(|it| it.is_lowercase()) || is_primitive(raw))
}

fn is_primitive(name: &str) -> bool {
    matches!(
        name,
        "bool"
            | "char"
            | "str"
            | "u8"
            | "u16"
            | "u32"
            | "u64"
            | "u128"
            | "usize"
            | "i8"
            | "i16"
            | "i32"
            | "i64"
            | "i128"
            | "isize"
            | "f32"
            | "f64"
    )
}

/// Whether the text is an expression and not a part of a sentence.
fn is_value(raw: &str) -> bool {
    syntax::is_fragment(raw, syntax::FragmentKind::Expression)
        && !NOISE.contains(&raw.to_lowercase().as_str())
        && !matches!(raw, "default" | "value" | "of" | "it" | "to")
}

/// Names in a list: `b, a`, `(b, a)`, `b and a`.
fn list(raw: &str) -> Option<Vec<String>> {
    let raw = raw.trim().trim_start_matches('(').trim_end_matches(')');
    let raw = raw.replace(" and ", ",").replace(" then ", ",");
    let names: Vec<String> =
        raw.split(',').map(|it| it.trim().to_owned()).filter(|it| !it.is_empty()).collect();
    (names.len() > 1 && names.iter().all(|it| is_name(it))).then_some(names)
}
