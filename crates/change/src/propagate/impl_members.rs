//! Items that the person has given to impls of a trait, for the impls that still miss them.

use base::{ByteSpan, Diagnostic, SortedMap, SortedSet};
use edit::Splice;
use preserve::outline::{Token, TokenKind, tokens};
use refactor::{ImplHead, heads};
use refactor::{PlacedText, quoted, spelled};

use super::{Confidence, Errors, Marked, Propagation, propagation};
use crate::project::{Project, has_word};
use crate::{Guess, GuessKind};

/// Fewest impls that have an item before it counts as the project's own form.
const ENOUGH: usize = 2;

/// What one impl has got in the difference.
struct Example {
    of_trait: String,
    /// Its type, in one spelling.
    ty: String,
    /// The item as written, without the blanks around it.
    item: String,
    /// The blanks before it.
    gap: String,
    /// The item in one spelling, with `Self` for the type.
    key: String,
    /// How often the rest of the impl has each token.
    rest: SortedMap<String, usize>,
}

/// For each impl that misses an item which other impls of its trait have got: the item.
pub(super) fn impl_members(project: &Project<'_>, errors: &Errors<'_>) -> Vec<Propagation> {
    let missing = |it: &Marked<'_>| missing_members(it.error).next().is_some();
    if !errors.marked().any(|it| missing(&it)) {
        return Vec::new();
    }
    let examples = examples(project);
    let mut found: SortedMap<String, Propagation> = SortedMap::new();
    for marked in errors.marked().filter(missing) {
        let Some(text) = project.text(marked.path) else { continue };
        let all = heads(&text.text);
        let Some(head) = all.iter().find(|it| it.whole.contains(marked.span)) else { continue };
        let Some((splice, guess, of_trait)) = completed(&examples, &text, head, &marked) else {
            continue;
        };
        let reason = format!("other impls of `{of_trait}` have got it");
        let change =
            found.entry(of_trait).or_insert_with(|| propagation(reason, Confidence::Likely));
        change.seeds.push(marked.seed);
        change.guesses.extend(guess);
        change.splices.push((text.path.clone(), splice));
    }
    found.into_values().collect()
}

/// The members that an impl of a trait misses, as its error names them.
pub(super) fn missing_members(error: &Diagnostic) -> impl Iterator<Item = &str> {
    let is_it = error.code.as_deref() == Some("E0046");
    let names = error.message.split_once("missing:").filter(|_| is_it);
    quoted(names.map_or("", |it| it.1))
}

/// The item for one impl, with what of it is guessed and the trait.
fn completed(
    examples: &[Example],
    text: &PlacedText,
    head: &ImplHead<'_>,
    marked: &Marked<'_>,
) -> Option<(Splice, Option<Guess>, String)> {
    let of_trait = trait_name(head)?;
    let names: Vec<&str> = missing_members(marked.error).collect();
    let fits = |it: &&Example| {
        it.of_trait == of_trait
            && (is_macro(&it.item) || names.iter().all(|n| defines(&it.item, n)))
    };
    let fitting: Vec<&Example> = examples.iter().filter(fits).collect();
    let rest = counts(&text.text, head.whole, None);
    // The nearest one; of equally near ones the form that most impls have.
    let with_key = |key: &str| fitting.iter().filter(|it| it.key == key).count();
    let best = fitting.iter().max_by(|a, b| {
        let (near_a, near_b) = (likeness(&a.rest, &rest), likeness(&b.rest, &rest));
        let often = with_key(&a.key).cmp(&with_key(&b.key));
        near_a.total_cmp(&near_b).then(often).then_with(|| b.key.cmp(&a.key))
    })?;
    let forms: SortedSet<&str> = fitting.iter().map(|it| it.key.as_str()).collect();
    let is_own_form = with_key(&best.key) >= ENOUGH;
    if is_macro(&best.item) && !is_own_form {
        return None;
    }
    let splice = insertion(text, head, best)?;
    let is_certain = is_own_form && (forms.len() == 1 || is_macro(&best.item));
    let guess = match is_certain {
        true => None,
        false => body_of(&splice.insert).map(|part| Guess {
            path: text.path.clone(),
            splice: splice.span,
            part,
            kind: GuessKind::Value,
            need: None,
        }),
    };
    Some((splice, guess, of_trait))
}

/// The items that impls have got, by file and position.
fn examples(project: &Project<'_>) -> Vec<Example> {
    let mut found = Vec::new();
    for (_, sides) in project.difference.files() {
        let (Some(base), Some(now)) = (&sides.base, &sides.now) else { continue };
        let before: SortedMap<String, SortedSet<String>> = heads(base)
            .iter()
            .map(|it| (it.key(), items(base, it).iter().map(|it| spelled(it.1)).collect()))
            .collect();
        for head in heads(now) {
            let Some(known) = before.get(&head.key()) else { continue };
            found.extend(example(now, &head, known));
        }
    }
    found
}

/// The only item of an impl that is new.
fn example(now: &str, head: &ImplHead<'_>, known: &SortedSet<String>) -> Option<Example> {
    let of_trait = trait_name(head)?;
    let all = items(now, head);
    let mut new = all.iter().filter(|it| !known.contains(&spelled(it.1)));
    let (span, item) = new.next().filter(|_| all.len() == known.len() + 1)?;
    let before = now.get(head.whole.start..span.start)?;
    let gap = before[before.trim_end().len()..].to_owned();
    let ty = head.spelled(head.ty);
    let key = spelled(&with_type(item, &ty, "Self"));
    let rest = counts(now, head.whole, Some(*span));
    Some(Example { of_trait, ty, item: (*item).to_owned(), gap, key, rest })
}

/// Name of the trait of an impl.
fn trait_name(head: &ImplHead<'_>) -> Option<String> {
    let name = head.spelled(head.of_trait?);
    Some(name.rsplit("::").next().unwrap_or(&name).to_owned())
}

/// The items in the body of an impl, with the comments before each.
fn items<'t>(text: &'t str, head: &ImplHead<'_>) -> Vec<(ByteSpan, &'t str)> {
    let whole = head.whole.slice(text).unwrap_or("");
    let list = tokens(whole);
    let Some(open) =
        list.iter().position(|it| it.span.start >= head.ty.end - head.whole.start && it.is("{"))
    else {
        return Vec::new();
    };
    let mut found = Vec::new();
    let (mut depth, mut start) = (0_usize, list[open].span.end);
    for (at, token) in list.iter().enumerate().skip(open + 1) {
        match token.text {
            "{" | "(" | "[" => depth += 1,
            "}" | ")" | "]" => match depth.checked_sub(1) {
                Some(less) => depth = less,
                None => break,
            },
            _ => {}
        }
        let next = list.get(at + 1).map_or("", |it| it.text);
        let ends = token.is(";") || token.is("}") && !matches!(next, ";" | "." | "?" | "else");
        if depth == 0 && ends {
            let part = whole.get(start..token.span.end).unwrap_or("");
            let from = start + (part.len() - part.trim_start().len());
            let span = ByteSpan::new(head.whole.start + from, head.whole.start + token.span.end);
            found.push((span, part.trim_start()));
            start = token.span.end;
        }
    }
    found
}

/// How often the code of a span, without a part, has each token.
fn counts(text: &str, span: ByteSpan, without: Option<ByteSpan>) -> SortedMap<String, usize> {
    let mut found = SortedMap::new();
    for token in tokens(span.slice(text).unwrap_or("")) {
        let at = span.start + token.span.start;
        let is_out = without.is_some_and(|it| it.start <= at && at < it.end);
        if !is_out {
            *found.entry(token.text.to_owned()).or_default() += 1;
        }
    }
    found
}

/// Share of the tokens that two lists have in common.
fn likeness(a: &SortedMap<String, usize>, b: &SortedMap<String, usize>) -> f64 {
    let common: usize = a.iter().map(|(it, n)| (*n).min(b.get(it).copied().unwrap_or(0))).sum();
    let all = a.values().sum::<usize>() + b.values().sum::<usize>();
    2.0 * common as f64 / all.max(1) as f64
}

/// Whether an item is a call of a macro.
fn is_macro(item: &str) -> bool {
    let list = tokens(item);
    matches!(list.as_slice(), [name, mark, ..] if name.kind == TokenKind::Word && mark.is("!"))
}

fn defines(item: &str, name: &str) -> bool {
    let list = tokens(item);
    let is_it =
        |two: &[Token<'_>]| matches!(two[0].text, "fn" | "const" | "type") && two[1].is(name);
    has_word(item, name) && list.windows(2).any(is_it)
}

/// The item after the last one of the impl, with its type.
fn insertion(text: &PlacedText, head: &ImplHead<'_>, of: &Example) -> Option<Splice> {
    let item = with_type(&of.item, &of.ty, &head.spelled(head.ty));
    let all = items(&text.text, head);
    let Some((last, _)) = all.last() else {
        let at = head.whole.end.checked_sub(1)?;
        let is_empty = text.text.get(..at)?.ends_with('{');
        let insert = is_empty.then(|| format!("\n    {item}\n"))?;
        return Some(Splice { span: ByteSpan::new(at, at), insert });
    };
    let gap = if of.gap.contains('\n') { of.gap.as_str() } else { "\n    " };
    Some(Splice { span: ByteSpan::new(last.end, last.end), insert: format!("{gap}{item}") })
}

/// An item with another type for the one of its impl.
fn with_type(item: &str, from: &str, to: &str) -> String {
    let mut found = item.to_owned();
    for token in tokens(item).iter().rev().filter(|it| it.kind == TokenKind::Word) {
        if token.is(from) {
            found.replace_range(token.span.start..token.span.end, to);
        }
    }
    found
}

/// The body of the function that a text ends with.
fn body_of(text: &str) -> Option<ByteSpan> {
    let list = tokens(text);
    let open = list.iter().position(|it| it.is("{"))?;
    let is_function = list[..open].iter().any(|it| it.is("fn")) && list.last()?.is("}");
    is_function.then(|| ByteSpan::new(list[open].span.start, text.trim_end().len()))
}
