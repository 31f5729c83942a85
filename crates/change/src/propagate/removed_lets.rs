//! Variables that a function no longer has: their value where they are still named.

use base::{ByteSpan, SortedMap};
use edit::Splice;
use preserve::outline::{Token, TokenKind, tokens};
use refactor::PlacedText;
use refactor::is_pure;
use refactor::{grouped, is_operation};
use syntax::places::{Definition, places};

use super::locals::is_same;
use super::rename::is_shorthand;
use super::{Confidence, Errors, Propagation, propagation};
use crate::project::Project;
use crate::{Guess, GuessKind};

/// Most tokens of a value that takes the place of a variable.
const LONGEST: usize = 20;

/// Marks of a value that is evaluated for more than the value.
const EFFECTS: &[&str] = &["{", "|", "||", "?", "await", "return", "mut", ";"];

/// For each variable that a function had and misses now: what it was initialised with.
pub(super) fn removed_lets(project: &Project<'_>, errors: &Errors<'_>) -> Vec<Propagation> {
    let mut found: SortedMap<(String, String), Propagation> = SortedMap::new();
    for marked in errors.marked().filter(super::Marked::misses_value) {
        let Some(text) = project.text(marked.path) else { continue };
        let base = project.difference.get(&text.path).and_then(|it| it.base.as_deref());
        let (Some(function), Some(base)) = (text.function_at(marked.span.start), base) else {
            continue;
        };
        let name = text.slice(marked.span);
        let Some(value) = value(base, &text, function, name) else { continue };
        let key = (function.name.clone(), name.to_owned());
        let reason = format!("`{name}` was `{value}` in `{}`", function.name);
        let change = found.entry(key).or_insert_with(|| propagation(reason, Confidence::Guess));
        let splice = replaced(&text, marked.span, &value);
        if !is_pure(&value) {
            change.guesses.extend(Guess::of(&text.path, &splice, &value, GuessKind::Value));
        }
        change.seeds.push(marked.seed);
        change.splices.push((text.path.clone(), splice));
    }
    // A value with calls is evaluated once, as before.
    found.retain(|_, it| it.guesses.len() < 2);
    found.into_values().collect()
}

/// The initialiser of a variable that the base has once in the function and the present tree not.
fn value(base: &str, text: &PlacedText, now: &Definition, name: &str) -> Option<String> {
    let all = places(base);
    let before = all.definitions.iter().find(|it| is_same(it, now))?;
    let (was, is) = (before.span.slice(base)?, text.slice(now.span));
    let (was_list, is_list) = (tokens(was), tokens(is));
    let is_let = |two: &[Token<'_>]| two[0].is("let") && two[1].is(name);
    if is_list.windows(2).any(is_let) {
        return None;
    }
    let mut starts = was_list.windows(2).enumerate().filter(|(_, it)| is_let(it)).map(|it| it.0);
    let start = starts.next().filter(|_| starts.next().is_none())?;
    let rest = &was_list[start..];
    let end = rest.iter().position(|it| it.is(";"))?;
    let equals = rest[..end].iter().position(|it| it.is("="))?;
    let list = rest.get(equals + 1..end).filter(|it| !it.is_empty() && it.len() <= LONGEST)?;
    let has_effect =
        list.iter().any(|it| it.kind != TokenKind::Literal && EFFECTS.contains(&it.text));
    let value = was.get(list.first()?.span.start..list.last()?.span.end)?;
    // Another variable has the value now.
    let texts = |list: &[Token<'_>]| list.iter().map(|it| it.text.to_owned()).collect::<Vec<_>>();
    let wanted = texts(rest.get(equals..=end)?);
    let is_kept = is_list.windows(wanted.len()).any(|it| texts(it) == wanted);
    (!has_effect && !is_kept).then(|| value.to_owned())
}

fn replaced(text: &PlacedText, span: ByteSpan, value: &str) -> Splice {
    let next = text.text.get(span.end..).unwrap_or("").trim_start();
    let code = match is_operation(value) && !next.starts_with([',', ')', ';']) {
        true => grouped(value),
        false => value.to_owned(),
    };
    let insert = match is_shorthand(text, span) {
        true => format!("{}: {code}", text.slice(span)),
        false => code,
    };
    Splice { span, insert }
}
