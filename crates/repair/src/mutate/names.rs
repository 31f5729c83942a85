//! Other variables, fields and path segments of the same function.

use std::collections::{BTreeMap, BTreeSet};

use super::body::Body;
use super::{Change, Operator};

/// Maximum number of other names tried for one.
const OTHERS: usize = 8;

/// What the names of a body are.
#[derive(Default)]
struct Names<'t> {
    variables: BTreeSet<&'t str>,
    fields: BTreeSet<&'t str>,
    methods: BTreeSet<&'t str>,
    functions: BTreeSet<&'t str>,
    /// By the path before them.
    segments: BTreeMap<String, BTreeSet<&'t str>>,
}

/// What one name is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    Variable,
    Field,
    Method,
    Function,
    Segment,
    Other,
}

pub(super) fn changes(body: &Body<'_>, found: &mut Vec<Change>) {
    let mut names = Names::default();
    for (idx, token) in body.own() {
        match role(body, idx) {
            Role::Variable => names.variables.insert(token.text),
            Role::Field => names.fields.insert(token.text),
            Role::Method => names.methods.insert(token.text),
            Role::Function => names.functions.insert(token.text),
            Role::Segment => {
                names.segments.entry(qualifier(body, idx)).or_default().insert(token.text)
            }
            Role::Other => false,
        };
    }
    for (idx, token) in body.own() {
        let (operator, others) = match role(body, idx) {
            Role::Variable if !is_bound(body, idx) => (Operator::Variable, &names.variables),
            Role::Field => (Operator::Field, &names.fields),
            Role::Method => (Operator::Method, &names.methods),
            Role::Function => (Operator::Path, &names.functions),
            Role::Segment => match names.segments.get(&qualifier(body, idx)) {
                Some(others) => (Operator::Path, others),
                None => continue,
            },
            _ => continue,
        };
        let mut others: Vec<&str> = others.iter().copied().filter(|it| *it != token.text).collect();
        others.sort_by_key(|it| (std::cmp::Reverse(likeness(it, token.text)), *it));
        for other in others.into_iter().take(OTHERS) {
            found.push(Change::new(operator, token.span, token.text, other));
        }
    }
}

fn role(body: &Body<'_>, idx: usize) -> Role {
    if !body.is_name(idx) || matches!(body.at(idx), "true" | "false" | "crate" | "super" | "_") {
        return Role::Other;
    }
    let (before, after) = (body.before(idx, 1), body.at(idx + 1));
    let is_upper = body.at(idx).starts_with(|it: char| it.is_ascii_uppercase());
    match (before, after) {
        (_, "::" | "!") | ("'", _) => Role::Other,
        (".", "(") => Role::Method,
        (".", _) => Role::Field,
        ("::", _) => Role::Segment,
        // A field of a literal or pattern, the type of a `let`.
        (_, ":") => Role::Other,
        (":" | "as" | "->" | "fn" | "impl" | "dyn" | "#", _) => Role::Other,
        (_, "(") if is_upper => Role::Other,
        (_, "(") => Role::Function,
        _ if is_upper && body.at(idx).chars().any(|it| it.is_ascii_lowercase()) => Role::Other,
        _ => Role::Variable,
    }
}

/// Whether a name is bound there rather than used.
fn is_bound(body: &Body<'_>, idx: usize) -> bool {
    matches!(body.before(idx, 1), "let" | "mut" | "ref" | "for" | "static" | "const" | "|")
        || matches!(body.at(idx), "self" | "Self")
}

/// The path before a segment.
fn qualifier(body: &Body<'_>, idx: usize) -> String {
    let mut parts = Vec::new();
    let mut at = idx;
    while body.before(at, 1) == "::"
        && let Some(before) = at.checked_sub(2)
        && body.is_name(before)
    {
        parts.push(body.at(before));
        at = before;
    }
    let called = if body.at(idx + 1) == "(" { "(" } else { "" };
    format!("{}{called}", parts.join("::"))
}

/// How alike two names are, from 0 to 100.
fn likeness(a: &str, b: &str) -> u32 {
    (strsim::jaro_winkler(a, b) * 100.0) as u32
}
