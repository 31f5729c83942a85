//! Other variables, fields and path segments of the same function.

use base::{SortedMap, SortedSet};

use super::body::Body;
use super::{Change, Operator};

/// Maximum number of other names tried for one.
const OTHERS: usize = 8;

/// The names of one or more bodies by what they are.
#[derive(Default)]
pub(super) struct Names<'t> {
    by_role: SortedMap<(Role, String), SortedSet<&'t str>>,
}

/// What one name is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Role {
    Variable,
    Field,
    Method,
    Function,
    /// Of a path, behind the same names.
    Segment,
    /// A variant or constant by its own name.
    Unit,
    Other,
}

impl<'t> Names<'t> {
    /// Adds the names of a body.
    pub(super) fn add(&mut self, body: &Body<'t>) {
        for (idx, token) in body.own() {
            let role = role(body, idx);
            if role != Role::Other {
                let names = self.by_role.entry((role, qualifier(body, idx))).or_default();
                names.insert(token.text);
            }
        }
    }

    fn others(&self, role: Role, qualifier: &str, than: &str) -> Vec<&'t str> {
        let names = self.by_role.get(&(role, qualifier.to_owned())).into_iter().flatten();
        let mut others: Vec<&str> = names.copied().filter(|it| *it != than).collect();
        others.sort_by_key(|it| (std::cmp::Reverse(likeness(it, than)), *it));
        others.truncate(OTHERS);
        others
    }
}

/// Names of the same role: of the function first, then those of the file, without its variables.
pub(super) fn changes(body: &Body<'_>, of_file: &Names<'_>, found: &mut Vec<Change>) {
    let mut own = Names::default();
    own.add(body);
    for (idx, token) in body.own() {
        let role = role(body, idx);
        let operator = match role {
            Role::Variable if is_bound(body, idx) => continue,
            Role::Variable => Operator::Variable,
            Role::Field => Operator::Field,
            Role::Method => Operator::Method,
            Role::Function | Role::Segment | Role::Unit => Operator::Path,
            Role::Other => continue,
        };
        let qualifier = qualifier(body, idx);
        let mut others = own.others(role, &qualifier, token.text);
        if role != Role::Variable {
            others.extend(of_file.others(role, &qualifier, token.text));
        }
        for other in others {
            found.push(Change::new(operator, token.span, token.text, other));
        }
    }
}

fn role(body: &Body<'_>, idx: usize) -> Role {
    if !body.is_name(idx) || matches!(body.at(idx), "true" | "false" | "crate" | "super" | "_") {
        return Role::Other;
    }
    let (before, after) = (body.before(idx, 1), body.at(idx + 1));
    let name = body.at(idx);
    let is_upper = name.starts_with(|it: char| it.is_ascii_uppercase());
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
        (_, "<" | "{") if is_upper => Role::Other,
        _ if is_upper && !matches!(name, "Self" | "Some" | "None" | "Ok" | "Err") => Role::Unit,
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
    if body.before(idx, 1) != "::" {
        return String::new();
    }
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
