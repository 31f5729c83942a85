//! Values for new arguments and fields, from the code around the place.

use base::{ByteSpan, is_one_word, is_word};
use preserve::outline::{Token, TokenKind, is_keyword, tokens};
use refactor::words;
use refactor::{PlacedText, spelled};
use syntax::places::{Definition, DefinitionKind, PartKind};

use super::Confidence;
use super::made::made;
use crate::arms::HOLE;
use crate::project::Project;
use crate::{GuessKind, NeededValue};

/// What is missing.
pub(super) struct Wanted<'a> {
    pub(super) name: &'a str,
    pub(super) ty: &'a str,
}

/// Where it is missing.
pub(super) struct Place<'a> {
    pub(super) text: &'a PlacedText,
    pub(super) at: usize,
    /// The other arguments or field values there.
    pub(super) siblings: Vec<&'a str>,
    /// What other places of the same change pass.
    pub(super) examples: Vec<String>,
}

/// A proposed value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Value {
    pub(super) text: String,
    pub(super) confidence: Confidence,
    /// What of it is guessed: nothing if its name or its rare type shows that it is meant.
    pub(super) guess: Option<GuessKind>,
    /// Reason why it fits, in a few words.
    pub(super) why: &'static str,
}

impl Value {
    /// A value that nothing else can be.
    pub(super) fn sure(text: String) -> Self {
        let why = "nothing else can be meant";
        Self { text, confidence: Confidence::Likely, guess: None, why }
    }

    /// The place of a value that is not known: a draft with it shows where one is needed.
    pub(super) fn hole() -> Self {
        let (text, guess) = (HOLE.to_owned(), Some(GuessKind::Hole));
        Self { text, confidence: Confidence::Guess, guess, why: "nothing is known" }
    }
}

/// Most values that are offered for one need.
const MAX_OFFERED: usize = 5;
/// Most options of one need.
const MAX_OPTIONS: usize = 6;

/// The value that is missing, with those that fit.
pub(super) fn need(
    (project, text): (&Project<'_>, &PlacedText),
    (name, ty): (&str, &str),
    values: &[Value],
) -> NeededValue {
    let known = values.iter().filter(|it| it.guess != Some(GuessKind::Hole));
    let options = known.take(MAX_OFFERED).map(|it| (it.text.clone(), it.why.to_owned()));
    let (former, mut options) = (String::new(), options.collect::<Vec<_>>());
    if ty == "bool" {
        options.push(("true".to_owned(), "the other value of the type".to_owned()));
    }
    for made in made(project, text, ty) {
        if options.len() < MAX_OPTIONS && !options.iter().any(|it| it.0 == made.0) {
            options.push(made);
        }
    }
    NeededValue { name: name.to_owned(), ty: ty.to_owned(), former, options }
}

/// A value that is in scope.
struct InScope {
    text: String,
    /// Last name in it.
    name: String,
    /// Its type; empty if that is not written.
    ty: String,
    /// How far away it is.
    distance: usize,
}

/// Values that fit, the most likely first: one with the name of what is missing, one of its type, one
/// that other places pass, the empty value of its type.
pub(super) fn values(project: &Project<'_>, place: &Place<'_>, wanted: &Wanted<'_>) -> Vec<Value> {
    let mut ranked: Vec<(usize, usize, Value)> = Vec::new();
    for it in in_scope(project, place) {
        if let Some((rank, confidence)) = fit(&it, wanted) {
            let text = borrowed(&it, wanted.ty);
            let guess = match rank {
                0..=RANK_NAMED => None,
                RANK_COMMON => Some(GuessKind::Typed { other: other_than(&text, wanted.ty) }),
                // A part of the name in common, as `follow` of `follow_mounts`.
                RANK_SIMILAR if let Some(other) = other_than(&text, wanted.ty) => {
                    Some(GuessKind::Typed { other: Some(other) })
                }
                _ => Some(GuessKind::Value),
            };
            let why = match rank {
                0..=RANK_NAMED => "it has the name",
                RANK_SIMILAR => "it has the type and a part of the name",
                _ => "it has the type",
            };
            ranked.push((rank, it.distance, Value { text, confidence, guess, why }));
        }
    }
    for it in in_scope(project, place).iter().filter(|it| is_count(it, wanted)) {
        let text = format!("{}.len()", it.text);
        let (confidence, guess) = (Confidence::Likely, Some(GuessKind::Value));
        let why = "it has the count that the name asks for";
        ranked.push((RANK_COUNT, it.distance, Value { text, confidence, guess, why }));
    }
    for text in &place.examples {
        if is_known_there(place, text) {
            // A literal is what those places need, a variable of similar name what this one has.
            let (rank, distance) = if names_nothing(text) { (4, 9) } else { (2, 0) };
            let (text, guess) = (text.clone(), Some(GuessKind::Value));
            let why = "other places have it";
            let value = Value { text, confidence: Confidence::Likely, guess, why };
            ranked.push((rank, distance, value));
        }
    }
    if let Some(text) = empty_value(wanted.ty) {
        let guess = Some(GuessKind::Typed { other: other_value(&text) });
        let why = "the empty value of the type";
        ranked.push((9, 0, Value { text, confidence: Confidence::Guess, guess, why }));
    }
    ranked.sort_by_key(|it| (it.0, it.1));
    let mut found: Vec<Value> = Vec::new();
    for (_, _, value) in ranked {
        if !found.iter().any(|it| it.text == value.text) {
            found.push(value);
        }
    }
    only_of_its_type(&mut found, core(wanted.ty));
    found
}

/// The last rank of values that have the name of what is missing.
const RANK_NAMED: usize = 1;
/// The rank of values of the type whose names share a word with what is missing.
const RANK_SIMILAR: usize = 3;
/// The rank of the length of a collection that the name counts.
const RANK_COUNT: usize = 5;
/// The rank of a value of a common type with another name.
const RANK_COMMON: usize = 6;

/// The only value in scope of a type that few values have is no guess.
fn only_of_its_type(found: &mut [Value], core: &str) {
    let is_other = |it: &Value| it.guess != Some(GuessKind::Value);
    let mut in_scope = found.iter_mut().filter(|it| !is_other(it));
    if let (Some(only), None) = (in_scope.next(), in_scope.next())
        && !is_common(core)
        && only.text.starts_with(|it: char| it.is_lowercase() || it == '&' || it == '_')
    {
        only.guess = None;
    }
}

/// How well a value fits: rank, lowest best.
fn fit(it: &InScope, wanted: &Wanted<'_>) -> Option<(usize, Confidence)> {
    let same_type = !it.ty.is_empty() && core(&it.ty) == core(wanted.ty);
    let same_name = it.name == wanted.name;
    if !it.ty.is_empty() && !same_type {
        return None;
    }
    let shared = words(&it.name).iter().any(|it| words(wanted.name).contains(it));
    let is_common = is_common(core(wanted.ty));
    Some(match (same_name, same_type, shared) {
        (true, true, _) => (0, Confidence::Likely),
        (true, false, _) => (1, Confidence::Likely),
        (false, true, true) => (RANK_SIMILAR, Confidence::Likely),
        (false, true, false) if !is_common => (4, Confidence::Likely),
        (false, true, false) => (RANK_COMMON, Confidence::Guess),
        (false, false, _) => return None,
    })
}

/// Whether what is missing is the length of this collection by its name: `value_count` of `values`.
fn is_count(it: &InScope, wanted: &Wanted<'_>) -> bool {
    const COUNTS: &[&str] = &["count", "len", "length", "num", "size"];
    const COLLECTIONS: &[&str] =
        &["BTreeMap", "BTreeSet", "HashMap", "HashSet", "String", "Vec", "VecDeque", "str"];
    let head = core(&it.ty).split('<').next().unwrap_or("");
    let singular = |it: &String| it.strip_suffix('s').unwrap_or(it).to_owned();
    let all = words(wanted.name);
    let (counts, rest): (Vec<&String>, Vec<&String>) =
        all.iter().partition(|it| COUNTS.contains(&it.as_str()));
    let rest: Vec<String> = rest.into_iter().map(singular).collect();
    let own: Vec<String> = words(&it.name).iter().map(singular).collect();
    wanted.ty == "usize" && counts.len() == 1 && COLLECTIONS.contains(&head) && rest == own
}

/// The value with `&` where the wanted type is a reference and its own is not.
fn borrowed(it: &InScope, wanted: &str) -> String {
    let is_ref = |ty: &str| ty.starts_with('&');
    if it.ty.is_empty() || is_ref(&it.ty) || !is_ref(wanted) {
        return it.text.clone();
    }
    let mutable = if wanted.contains("mut ") { "mut " } else { "" };
    format!("&{mutable}{}", it.text)
}

/// A type without references, lifetimes and the path before its name.
pub(super) fn core(ty: &str) -> &str {
    let mut ty = ty.trim();
    loop {
        let next = ty.trim_start_matches('&').trim_start();
        let next = next.strip_prefix("mut ").unwrap_or(next);
        let next = match next.strip_prefix('\'') {
            Some(rest) => rest.trim_start_matches(is_word),
            None => next,
        };
        if next == ty {
            break;
        }
        ty = next;
    }
    let head = ty.find('<').unwrap_or(ty.len());
    ty.get(..head).and_then(|it| it.rfind("::")).map_or(ty, |at| &ty[at + 2..])
}

/// Whether many unrelated values have the type.
fn is_common(core: &str) -> bool {
    const COMMON: &[&str] = &[
        "bool", "char", "f32", "f64", "i8", "i16", "i32", "i64", "i128", "isize", "str", "u8",
        "u16", "u32", "u64", "u128", "usize", "String",
    ];
    COMMON.contains(&core)
}

fn in_scope(project: &Project<'_>, place: &Place<'_>) -> Vec<InScope> {
    let mut found = Vec::new();
    for sibling in &place.siblings {
        found.extend(beside(project, sibling));
    }
    let Some(function) = place.text.function_at(place.at) else { return found };
    for part in function.parts.iter().filter(|it| it.kind == PartKind::Parameter) {
        if part.name.is_empty() {
            continue;
        }
        let ty = part.ty.map_or_else(String::new, |ty| spelled(place.text.slice(ty)));
        for (name, ty) in fields_of(project, core(&ty)) {
            let text = format!("{}.{name}", part.name);
            found.push(InScope { text, name, ty, distance: 3 });
        }
        found.push(InScope { text: part.name.clone(), name: part.name.clone(), ty, distance: 1 });
    }
    found.extend(locals(place, function));
    if function.parts.iter().any(|it| it.kind == PartKind::Receiver) {
        for (name, ty) in fields_of(project, &function.owner) {
            let text = format!("self.{name}");
            for (inner, inner_ty) in fields_of(project, core(&ty)) {
                let text = format!("{text}.{inner}");
                found.push(InScope { text, name: inner, ty: inner_ty, distance: 4 });
            }
            found.push(InScope { text, name, ty, distance: 3 });
        }
    }
    found
}

/// Values in the fields beside a value such as `d.params.flags`.
fn beside(project: &Project<'_>, sibling: &str) -> Vec<InScope> {
    let plain = sibling.trim_start_matches('&').trim_start_matches("mut ").trim();
    let is_path = plain.split('.').all(is_one_word);
    let Some((prefix, last)) = plain.rsplit_once('.').filter(|_| is_path) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for text in project.with_word(last) {
        let fields = |owner: &str| {
            let all = text.places.definitions.iter();
            let owner = owner.to_owned();
            all.filter(move |it| it.kind == DefinitionKind::Field && it.owner == owner)
        };
        let owners = text
            .places
            .definitions
            .iter()
            .filter(|it| it.kind == DefinitionKind::Field && it.name == last);
        for owner in owners {
            found.extend(fields(&owner.owner).map(|it| InScope {
                text: format!("{prefix}.{}", it.name),
                name: it.name.clone(),
                ty: type_of(&text, it),
                distance: 0,
            }));
        }
    }
    found
}

/// Named fields of a struct with their types.
pub(super) fn fields_of(project: &Project<'_>, owner: &str) -> Vec<(String, String)> {
    let name = owner.split('<').next().unwrap_or(owner);
    if name.is_empty() || is_common(name) {
        return Vec::new();
    }
    let mut found = Vec::new();
    for text in project.with_word(name) {
        let fields = text
            .places
            .definitions
            .iter()
            .filter(|it| it.kind == DefinitionKind::Field && it.owner == name);
        found.extend(fields.map(|it| (it.name.clone(), type_of(&text, it))));
    }
    found
}

fn type_of(text: &PlacedText, definition: &Definition) -> String {
    let part = definition.parts.iter().find(|it| it.kind == PartKind::Type);
    part.map_or_else(String::new, |it| spelled(text.slice(it.span)))
}

/// Variables that `let` binds before the place, in the same function.
fn locals(place: &Place<'_>, function: &Definition) -> Vec<InScope> {
    let Some(body) = function.body else { return Vec::new() };
    let before = place.text.slice(ByteSpan::new(body.start, place.at.max(body.start)));
    let list = tokens(before);
    let mut found = Vec::new();
    for (idx, _) in list.iter().enumerate().filter(|(_, it)| it.is("let")) {
        let mut rest = list[idx + 1..].iter().skip_while(|it| it.is("mut"));
        let Some(name) =
            rest.next().filter(|it| it.kind == TokenKind::Word && !is_keyword(it.text))
        else {
            continue;
        };
        let mut ty = String::new();
        if rest.next().is_some_and(|it| it.is(":")) {
            let parts: Vec<&str> =
                rest.take_while(|it| !it.is("=") && !it.is(";")).map(|it| it.text).collect();
            ty = spelled(&parts.join(" "));
        }
        let name = name.text.to_owned();
        found.push(InScope { text: name.clone(), name, ty, distance: 2 });
    }
    found
}

/// Whether a value is a literal, or `None`.
fn names_nothing(value: &str) -> bool {
    let is_plain = |it: &Token<'_>| {
        it.kind == TokenKind::Literal || matches!(it.text, "true" | "false" | "None" | "-")
    };
    tokens(value).iter().all(is_plain)
}

/// Whether the names of a value that another place passes mean the same here: literals, constants
/// and types only.
fn is_known_there(place: &Place<'_>, value: &str) -> bool {
    let list = tokens(value);
    let is_first = |idx: usize| idx == 0 || !(list[idx - 1].is(".") || list[idx - 1].is("::"));
    let in_function = place.text.function_at(place.at).map_or("", |it| place.text.slice(it.span));
    list.iter().enumerate().all(|(idx, it)| {
        it.kind != TokenKind::Word
            || !is_first(idx)
            || matches!(it.text, "true" | "false" | "crate" | "mut")
            || it.text.starts_with(char::is_uppercase)
            || crate::project::has_word(in_function, it.text)
    })
}

/// Types of the standard library whose `new()` is empty.
const COLLECTIONS: &[&str] = &[
    "BTreeMap",
    "BTreeSet",
    "BinaryHeap",
    "HashMap",
    "HashSet",
    "LinkedList",
    "OsString",
    "PathBuf",
    "VecDeque",
];

/// The value of a type that means nothing yet.
fn empty_value(ty: &str) -> Option<String> {
    let ty = ty.trim();
    if let Some((of, count)) = array(ty) {
        return Some(format!("[{}; {}]", empty_value(of)?, count.trim()));
    }
    let head = core(ty).split('<').next().unwrap_or("");
    Some(
        match (ty.starts_with('&'), head) {
            (true, "str") => "\"\"",
            (true, _) => return None,
            (_, "bool") => "false",
            (_, "f32" | "f64") => "0.0",
            (_, "Option") => "None",
            (_, "String") => "String::new()",
            (_, "Vec") => "Vec::new()",
            (false, it) if COLLECTIONS.contains(&it) => {
                let path = ty.split('<').next().unwrap_or(ty).trim();
                return Some(format!("{path}::new()"));
            }
            (_, it) if it != "str" && it != "char" && is_common(it) => "0",
            _ => return None,
        }
        .to_owned(),
    )
}

/// Element and length of `[T; N]`.
fn array(ty: &str) -> Option<(&str, &str)> {
    ty.strip_prefix('[')?.strip_suffix(']')?.rsplit_once(';')
}

/// An expression with another value than `value`, if it is of a plain type.
fn other_than(value: &str, ty: &str) -> Option<String> {
    let numbers = ["f32", "f64"];
    Some(match ty.trim() {
        "bool" => format!("!({value})"),
        it if numbers.contains(&it) => format!("({value}) + 1.0"),
        "str" | "char" | "String" => return None,
        it if is_common(it) => format!("({value}) ^ 1"),
        _ => return None,
    })
}

/// Another value than the empty one, of the same type.
fn other_value(empty: &str) -> Option<String> {
    if let Some((of, count)) = array(empty) {
        return Some(format!("[{}; {}]", other_value(of.trim())?, count.trim()));
    }
    let other = match empty {
        "false" => "true",
        "0" => "1",
        "0.0" => "1.0",
        "\"\"" => "\"?\"",
        "String::new()" => "String::from(\"?\")",
        _ => return None,
    };
    Some(other.to_owned())
}
