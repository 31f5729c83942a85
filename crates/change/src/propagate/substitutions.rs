//! Names that the person has replaced elsewhere in the difference, where the old one is missed.

use std::rc::Rc;

use base::{ByteSpan, ProjectPath, SortedMap};
use edit::Splice;
use preserve::outline::{Token, TokenKind, is_keyword, tokens};
use refactor::{PlacedText, quoted};

use super::rename::is_shorthand;
use super::{Confidence, Errors, Marked, Propagation, propagation};
use crate::changed::Changed;
use crate::project::{Project, has_word};

/// Most replacements proposed for one name.
const MAX_CHOICES: usize = 3;
/// Most tokens of the tree of a `use`.
const LONGEST_TREE: usize = 400;

/// How a name is used, by the tokens around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Role {
    /// Followed by arguments: a call or a declared function.
    Called,
    /// After `.` or `::`.
    Member,
    /// Anything else.
    Plain,
    /// A segment of an import: only imports, and renamed definitions, show what it is now.
    Import,
}

/// What replaced a name in a role, with the number of times.
pub(super) type Counts = SortedMap<(String, Role), SortedMap<String, usize>>;

/// The replacements of each missed name, the most frequent first; each with all places that miss it.
/// Errors that one of `longer` answers, rewrites of more than one name, are left to those.
pub(super) fn substitutions(
    project: &Project<'_>,
    errors: &Errors<'_>,
    longer: &[Propagation],
) -> Vec<Propagation> {
    if errors.iter().next().is_none() {
        return Vec::new();
    }
    let counts = counts(project.changed());
    let mut found = replaced(project, errors, longer, &counts, &|old, new, count| {
        let times = base::counted(count, "other place");
        propagation(format!("`{old}` was changed to `{new}` in {times}"), Confidence::Likely)
    });
    found.extend(bindings(project, errors, &counts));
    found
}

/// The replacements in `counts` of each missed name; `shown` makes the change, without places, of an
/// old name, a new one and the number of times.
pub(super) fn replaced(
    project: &Project<'_>,
    errors: &Errors<'_>,
    longer: &[Propagation],
    counts: &Counts,
    shown: &dyn Fn(&str, &str, usize) -> Propagation,
) -> Vec<Propagation> {
    let is_answered = |seed: usize| longer.iter().any(|it| it.seeds.contains(&seed));
    let missed = errors.marked().filter(|it| misses_name(it) && !is_answered(it.seed));
    let missed: Vec<Marked<'_>> = missed.collect();
    let mut found: Vec<((String, usize), Propagation)> = Vec::new();
    let files: SortedMap<&ProjectPath, Rc<PlacedText>> =
        missed.iter().filter_map(|it| Some((it.path, project.text(it.path)?))).collect();
    let lists: SortedMap<&ProjectPath, Vec<Token<'_>>> =
        files.iter().map(|(path, text)| (*path, tokens(&text.text))).collect();
    for marked in &missed {
        let (Some(text), Some(list)) = (files.get(marked.path), lists.get(marked.path)) else {
            continue;
        };
        for place in places(text, list, marked, counts) {
            for (nth, (new, count)) in place.choices.iter().take(MAX_CHOICES).enumerate() {
                let at = found.iter().position(|it| it.0 == (place.name.clone(), nth));
                let at = at.unwrap_or_else(|| {
                    found.push(((place.name.clone(), nth), shown(&place.name, new, *count)));
                    found.len() - 1
                });
                let change = &mut found[at].1;
                change.seeds.push(marked.seed);
                let insert = match is_shorthand(text, place.span) {
                    true => format!("{new}: {}", place.name),
                    false => new.clone(),
                };
                let splice = Splice { span: place.span, insert };
                change.splices.push((text.path.clone(), splice));
            }
        }
    }
    found.into_iter().map(|(_, it)| it).collect()
}

/// Variables that are used by their new names and still bound by the old ones: the function takes
/// the new name.
fn bindings(project: &Project<'_>, errors: &Errors<'_>, counts: &Counts) -> Vec<Propagation> {
    let mut found: Vec<Propagation> = Vec::new();
    for marked in errors.marked() {
        let Some(text) = project.text(marked.path).filter(|_| marked.misses_value()) else {
            continue;
        };
        let Some(function) = text.function_at(marked.span.start) else { continue };
        let new = text.slice(marked.span);
        let list = tokens(text.slice(function.span));
        let had = counts.iter().filter(|(_, names)| names.contains_key(new));
        let old = had.map(|((old, _), _)| old).find(|old| is_bound(&list, old));
        let Some(old) = old else { continue };
        let reason = format!("`{old}` is `{new}` in `{}` now", function.name);
        let splices = list.iter().filter(|it| it.text == old).map(|it| {
            let start = function.span.start + it.span.start;
            let span = ByteSpan::new(start, start + old.len());
            (text.path.clone(), Splice { span, insert: new.to_owned() })
        });
        let splices: Vec<_> = splices.collect();
        match found.iter_mut().find(|it| it.splices == splices) {
            Some(same) => same.seeds.push(marked.seed),
            None => {
                let seeds = vec![marked.seed];
                found.push(Propagation {
                    seeds,
                    splices,
                    ..propagation(reason, Confidence::Likely)
                });
            }
        }
    }
    found
}

/// Whether a `let` of a function, or its parameters, bind a name.
fn is_bound(list: &[Token<'_>], name: &str) -> bool {
    let end = |it: &Token<'_>| it.is("=") || it.is(";");
    let mut lets = list.split(|it| it.is("let")).skip(1);
    let in_let = lets.any(|it| it.iter().take_while(|it| !end(it)).any(|it| it.text == name));
    let mut head = list.iter().take_while(|it| !it.is("{")).zip(list.iter().skip(1));
    in_let || head.any(|(it, next)| it.text == name && next.is(":"))
}

/// Whether the error reports a name that is unknown, or may no longer be one.
fn misses_name(marked: &Marked<'_>) -> bool {
    match marked.error.code.as_deref() {
        // A variable is that of its function.
        Some("E0425") if marked.misses_value() => {
            quoted(&marked.error.message).any(|it| it.starts_with(char::is_uppercase))
        }
        Some(code) => matches!(
            code,
            "E0026"
                | "E0046"
                | "E0061"
                | "E0220"
                | "E0405"
                | "E0407"
                | "E0412"
                | "E0422"
                | "E0423"
                | "E0424"
                | "E0425"
                | "E0432"
                | "E0433"
                | "E0437"
                | "E0438"
                | "E0531"
                | "E0559"
                | "E0560"
                | "E0574"
                | "E0576"
                | "E0599"
                | "E0603"
                | "E0609"
        ),
        None => is_keyword_now(marked),
    }
}

/// Whether the error reports another number of arguments: where a method is renamed, its old name may
/// be that of another one, such as of a trait in the prelude.
fn is_other_count(marked: &Marked<'_>) -> bool {
    marked.error.code.as_deref() == Some("E0061")
}

fn is_keyword_now(marked: &Marked<'_>) -> bool {
    marked.error.message.contains("found reserved keyword")
}

/// A place of a missed name.
struct Place {
    name: String,
    span: ByteSpan,
    /// What may replace it, the most frequent first.
    choices: Vec<(String, usize)>,
}

/// The first token in the marked span that the message names and that was replaced elsewhere; of a
/// word that is a keyword now all tokens of the file.
fn places(
    text: &PlacedText,
    list: &[Token<'_>],
    marked: &Marked<'_>,
    counts: &Counts,
) -> Vec<Place> {
    let names = |it: &Token<'_>| {
        let is_quoted = || quoted(&marked.error.message).any(|quoted| has_word(quoted, it.text));
        it.kind == TokenKind::Word && (is_other_count(marked) || is_quoted())
    };
    let place = |(at, it): (usize, &Token<'_>)| {
        let choices = choices(it.text, role(list, at), counts);
        let span = ByteSpan::new(it.span.start, it.span.end);
        (!choices.is_empty()).then(|| Place { name: it.text.to_owned(), span, choices })
    };
    let all = list.iter().enumerate();
    if is_keyword_now(marked) {
        let word = text.slice(marked.span);
        return all.filter(|(_, it)| it.text == word).filter_map(place).collect();
    }
    let inside = all.filter(|(at, it)| {
        marked.span.start <= it.span.start
            && it.span.end <= marked.span.end
            && names(it)
            && (!is_other_count(marked) || is_replaced_call(list, *at, counts))
    });
    inside.filter_map(place).take(1).collect()
}

/// Whether the token is the name of a call, which other calls have replaced.
fn is_replaced_call(list: &[Token<'_>], at: usize, counts: &Counts) -> bool {
    role(list, at) == Role::Called && counts.contains_key(&(list[at].text.to_owned(), Role::Called))
}

/// What replaced a name in this role, else in any; of a segment of an import in this role only.
fn choices(name: &str, role: Role, counts: &Counts) -> Vec<(String, usize)> {
    let roles: &[Role] = match role {
        Role::Import => &[],
        _ => &[Role::Called, Role::Member, Role::Plain, Role::Import],
    };
    let of = |role: Role| counts.get(&(name.to_owned(), role)).into_iter().flatten();
    let mut found: Vec<(String, usize)> = Vec::new();
    for (new, count) in of(role) {
        found.push((new.clone(), *count));
    }
    if found.is_empty() {
        for (new, count) in roles.iter().copied().flat_map(of) {
            match found.iter_mut().find(|it| it.0 == *new) {
                Some(known) => known.1 += count,
                None => found.push((new.clone(), *count)),
            }
        }
    }
    found.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    found
}

/// The single names that were replaced by others in a difference.
pub(super) fn counts(changed: &[Changed<'_>]) -> Counts {
    let mut found = Counts::new();
    for changed in changed {
        let (a, b) = (&changed.before, &changed.after);
        for (gone, come) in changed.runs.iter().cloned() {
            if gone.len() != come.len() {
                continue;
            }
            for (i, j) in gone.zip(come) {
                let (old, new) = (&a[i], &b[j]);
                let is_name = |it: &Token<'_>| it.kind == TokenKind::Word && !is_keyword(it.text);
                if is_name(old) && is_name(new) && old.text != new.text {
                    let key = (old.text.to_owned(), role(a, i));
                    *found.entry(key).or_default().entry(new.text.to_owned()).or_default() += 1;
                }
            }
        }
    }
    found
}

fn role(list: &[Token<'_>], at: usize) -> Role {
    let is = |at: Option<usize>, text: &str| {
        at.and_then(|it| list.get(it)).is_some_and(|it| it.text == text)
    };
    let before = at.checked_sub(1);
    if is_in_use(list, at) {
        return Role::Import;
    }
    // `name(`, `name::<T>(`; a token is `::` or two of `:`.
    let is_turbofish = is(Some(at + 1), "::") && is(Some(at + 2), "<");
    if is(Some(at + 1), "(") || is_turbofish || is(before, "fn") {
        Role::Called
    } else if is(before, ".") || is(before, "::") {
        Role::Member
    } else {
        Role::Plain
    }
}

/// Whether a token is in the tree of a `use`.
fn is_in_use(list: &[Token<'_>], at: usize) -> bool {
    let is_of_tree = |it: &&Token<'_>| {
        it.kind == TokenKind::Word || matches!(it.text, "::" | "{" | "}" | "," | "*")
    };
    let before = list.get(..at).unwrap_or(&[]).iter().rev().take(LONGEST_TREE);
    before.take_while(is_of_tree).any(|it| it.is("use"))
}
