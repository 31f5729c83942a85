//! Variables and parameters that have another name in the function now.

use std::collections::{BTreeMap, BTreeSet};

use edit::{Splice, diff_sequences};
use preserve::outline::{Token, TokenKind, is_keyword, tokens};
use syntax::places::{Definition, DefinitionKind, PartKind, places};

use super::{Carried, Confidence, Errors, carried};
use crate::project::{Project, quoted, texts};

/// For each name that a function misses and had in the base: the name that took its place there.
pub(super) fn locals(project: &Project<'_>, errors: &Errors<'_>) -> Vec<Carried> {
    let mut found: BTreeMap<(String, String), Carried> = BTreeMap::new();
    for marked in errors.marked() {
        if marked.error.code.as_deref() != Some("E0425") {
            continue;
        }
        let Some(text) = project.text(marked.path) else { continue };
        let old = text.slice(marked.span);
        if quoted(&marked.error.message).next() != Some(old) {
            continue;
        }
        let base = project.difference.get(&text.path).and_then(|it| it.base.as_deref());
        let (Some(function), Some(base)) = (text.function_at(marked.span.start), base) else {
            continue;
        };
        let all = places(base);
        let Some(before) = all.definitions.iter().find(|it| is_same(it, function)) else {
            continue;
        };
        let (was, is) = (before.span.slice(base).unwrap_or(""), text.slice(function.span));
        if let Some(new) = successor((before, was), (function, is), old) {
            let reason = format!("`{old}` is `{new}` in `{}` now", function.name);
            let key = (function.name.clone(), old.to_owned());
            let change = found.entry(key).or_insert_with(|| carried(reason, Confidence::Likely));
            change.seeds.push(marked.seed);
            change.splices.push((text.path.clone(), Splice { span: marked.span, insert: new }));
        }
    }
    found.into_values().collect()
}

fn is_same(a: &Definition, b: &Definition) -> bool {
    a.kind == DefinitionKind::Function
        && a.name == b.name
        && a.owner == b.owner
        && a.of_trait == b.of_trait
}

/// The name that replaced `old` most often, or the only new one where `old` is the only one that is
/// gone.
fn successor(
    (before, was): (&Definition, &str),
    (after, is): (&Definition, &str),
    old: &str,
) -> Option<String> {
    let (a, b) = (tokens(was), tokens(is));
    let (had, has) = (bound(before, &a), bound(after, &b));
    if !had.contains(old) || has.contains(old) {
        return None;
    }
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for (gone, come) in diff_sequences(&texts(&a), &texts(&b)) {
        if let ([gone], [come]) = (&a[gone], &b[come])
            && gone.is(old)
            && has.contains(come.text)
        {
            *counts.entry(come.text).or_default() += 1;
        }
    }
    let most = counts.into_iter().max_by_key(|(name, count)| (*count, std::cmp::Reverse(*name)));
    if let Some((name, _)) = most {
        return Some(name.to_owned());
    }
    let gone = had.difference(&has).count();
    let mut come = has.difference(&had);
    match (gone, come.next(), come.next()) {
        (1, Some(name), None) => Some(name.clone()),
        _ => None,
    }
}

/// The names of the parameters, and those that `let` and `for` bind.
fn bound(function: &Definition, list: &[Token<'_>]) -> BTreeSet<String> {
    let parameters = function.parts.iter().filter(|it| it.kind == PartKind::Parameter);
    let mut found: BTreeSet<String> = parameters.map(|it| it.name.clone()).collect();
    let is_name = |it: &&Token<'_>| {
        it.kind == TokenKind::Word
            && !is_keyword(it.text)
            && it.text.starts_with(|it: char| it.is_lowercase() || it == '_')
    };
    for (at, _) in list.iter().enumerate().filter(|(_, it)| it.is("let") || it.is("for")) {
        let pattern =
            list[at + 1..].iter().take_while(|it| !it.is("=") && !it.is("in") && !it.is(";"));
        // After `:` come types.
        let pattern = pattern.take_while(|it| !it.is(":"));
        found.extend(pattern.filter(is_name).map(|it| it.text.to_owned()));
    }
    found.remove("");
    found
}
