//! Reasoner: quick fixes of an [`Advisor`], a language server outside of this crate. Requested only
//! for errors about which such a server has useful advice.

use base::{Applicability, ByteSpan, Diagnostic, ProjectPath};
use change::{Guess, GuessKind};
use edit::{Files, Overlay, Splice};
use preserve::outline::{Token, TokenKind, tokens};

use crate::phase::errors;
use crate::{Fix, Overlaid, Reasoner};

/// Maximum number of places per request.
const PLACES: usize = 24;
/// Maximum number of proposals used per place.
const PER_PLACE: usize = 6;

/// Errors for which an advisor is asked: missing code, wrong names, names not in scope, and types
/// that a wrapper would fix. Others, such as borrow errors, get no useful advice, and each request
/// is expensive.
const ADVISABLE: &[&str] = &[
    "E0004", "E0023", "E0026", "E0027", "E0040", "E0046", "E0063", "E0106", "E0107", "E0117",
    "E0277", "E0282", "E0308", "E0384", "E0403", "E0404", "E0405", "E0407", "E0408", "E0412",
    "E0422", "E0423", "E0424", "E0425", "E0426", "E0432", "E0433", "E0437", "E0438", "E0531",
    "E0532", "E0559", "E0560", "E0574", "E0583", "E0596", "E0599", "E0600", "E0603", "E0609",
    "E0610", "E0614", "E0615", "E0616", "E0618", "E0624", "E0728", "E0753",
];

/// A source of code changes outside of this crate: a language server.
pub trait Advisor: Send + Sync {
    /// Proposed changes for `places`, whose spans refer to `files`: per place in the order given,
    /// best first. Empty where there is no advice or the advisor is unavailable.
    fn advise(&self, places: &[(ProjectPath, ByteSpan)], files: &Overlaid<'_>) -> Vec<Vec<Advice>>;
}

/// One change that an advisor proposes.
#[derive(Clone, Debug, PartialEq)]
pub struct Advice {
    /// Title for the user.
    pub title: String,
    /// Replacements, per file ascending and without overlap.
    pub splices: Vec<(ProjectPath, Splice)>,
}

/// rust-analyzer's quick fixes and assists at the positions of errors: imports, qualified paths,
/// missing arms, fields and members, wrapping in `Ok` and the like.
///
/// All of them count as guesses, after the compiler's suggestions. One with `todo!()` is a draft by
/// the preservation rule.
pub struct Advised {
    advisor: Box<dyn Advisor>,
}

impl Advised {
    /// Proposes the changes of `advisor`.
    pub fn new(advisor: Box<dyn Advisor>) -> Self {
        Self { advisor }
    }
}

/// Whether an advisor would be asked about any of these errors.
pub fn is_advisable(diagnostics: &[Diagnostic]) -> bool {
    errors(diagnostics).any(|(_, error)| is_asked_about(error))
}

fn is_asked_about(error: &Diagnostic) -> bool {
    error.code.as_deref().is_none_or(|code| ADVISABLE.contains(&code))
}

impl Reasoner for Advised {
    fn name(&self) -> &'static str {
        "analyzer"
    }

    fn propose(&self, diagnostics: &[Diagnostic], files: &dyn Files) -> Vec<Fix> {
        self.propose_on(diagnostics, &Overlaid { base: files, overlay: &Overlay::empty() })
    }

    fn propose_on(&self, diagnostics: &[Diagnostic], files: &Overlaid<'_>) -> Vec<Fix> {
        let mut seeds = Vec::new();
        let mut places: Vec<(ProjectPath, ByteSpan)> = Vec::new();
        for (seed, error) in errors(diagnostics).filter(|(_, error)| is_asked_about(error)) {
            let Some(span) = error.user_span() else { continue };
            let Some(path) = span.place.project() else { continue };
            let place = (path.clone(), span.bytes);
            let at = match places.iter().position(|it| *it == place) {
                Some(at) => at,
                None if places.len() < PLACES => {
                    places.push(place);
                    places.len() - 1
                }
                None => continue,
            };
            seeds.push((seed, at));
        }
        if places.is_empty() {
            return Vec::new();
        }
        let advice = self.advisor.advise(&places, files);
        let mut fixes = Vec::new();
        for (seed, at) in seeds {
            let fitting = advice.get(at).into_iter().flatten().filter(|it| !it.splices.is_empty());
            fixes.extend(fitting.take(PER_PLACE).map(|advice| Fix {
                splices: advice.splices.clone(),
                rationale: format!("rust-analyzer: {}", advice.title),
                applicability: Applicability::Unspecified,
                reasoner: self.name(),
                seed,
                guesses: match diagnostics[seed].code.as_deref() {
                    Some("E0063") => field_values(&advice.splices),
                    _ => Vec::new(),
                },
            }));
        }
        fixes
    }
}

/// The values of inserted fields: only their types suggest them.
fn field_values(splices: &[(ProjectPath, Splice)]) -> Vec<Guess> {
    let mut found = Vec::new();
    for (path, splice) in splices {
        let list = tokens(&splice.insert);
        let mut at = 0;
        while at + 1 < list.len() {
            let is_field = list[at].kind == TokenKind::Word && list[at + 1].is(":");
            let value = at + 2..value_end(&list, at + 2);
            at += 1;
            let (true, Some(first)) = (is_field, list.get(value.start)) else { continue };
            if let Some(last) = value.clone().last() {
                let part = ByteSpan::new(first.span.start, list[last].span.end);
                let kind = GuessKind::Typed { other: None };
                let (path, splice, need) = (path.clone(), splice.span, None);
                found.push(Guess { path, splice, part, kind, need });
                at = value.end;
            }
        }
    }
    found
}

/// The token after a value that begins at one: the comma or bracket that ends it.
fn value_end(list: &[Token<'_>], from: usize) -> usize {
    let mut depth = 0_usize;
    let ends = |it: &Token<'_>| match it.text {
        "(" | "[" | "{" => {
            depth += 1;
            false
        }
        ")" | "]" | "}" if depth > 0 => {
            depth -= 1;
            false
        }
        ")" | "]" | "}" => true,
        "," => depth == 0,
        _ => false,
    };
    let rest = list.get(from..).unwrap_or(&[]);
    rest.iter().position(ends).map_or(list.len(), |it| from + it)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_values_of_filled_fields_are_guesses() {
        let path = ProjectPath::new("src/a.rs").unwrap();
        let insert = "a: <_>::default(), b: g(1, T { c: 2 }) }".to_owned();
        let splice = Splice { span: ByteSpan::new(4, 4), insert: insert.clone() };
        let found = field_values(&[(path, splice)]);
        let parts: Vec<&str> = found.iter().filter_map(|it| it.part.slice(&insert)).collect();
        assert_eq!(parts, ["<_>::default()", "g(1, T { c: 2 })"]);
    }
}
