//! Heads of impls that the person has changed alike, where a type has become another one or generic,
//! for those that still have the old type.

use base::{ByteSpan, SortedMap, is_word};
use edit::Splice;
use preserve::outline::tokens;
use refactor::{ImplHead, heads};
use refactor::{PlacedText, quoted, spelled};

use super::{Confidence, Errors, Propagation, propagation};
use crate::project::{Project, has_word};

/// How a type was changed in the heads of impls.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Change {
    from: String,
    to: String,
    /// Elements that the generics got, as written.
    added: Vec<String>,
}

/// For each change of a type that heads of impls have got, the heads that have not.
pub(super) fn impl_heads(project: &Project<'_>, errors: &Errors<'_>) -> Vec<Propagation> {
    if errors.iter().next().is_none() {
        return Vec::new();
    }
    let mut found = Vec::new();
    for (change, count) in changes(project) {
        let places = base::counted(count, "other impl");
        let reason = format!("`impl {}` is `impl {}` in {places}", change.from, change.to);
        let mut propagation = propagation(reason, Confidence::Likely);
        for text in project.near() {
            for head in heads(&text.text).iter().filter(|it| it.spelled(it.ty) == change.from) {
                let seeds = change.seeds(head, &text, errors);
                if !seeds.is_empty() {
                    propagation.seeds.extend(seeds);
                    let splices = change.splices(head);
                    propagation
                        .splices
                        .extend(splices.into_iter().map(|it| (text.path.clone(), it)));
                }
            }
        }
        if !propagation.seeds.is_empty() {
            found.push(propagation);
        }
    }
    found
}

/// The changes with the number of impls that have got each, the most frequent first.
fn changes(project: &Project<'_>) -> Vec<(Change, usize)> {
    let mut found: SortedMap<Change, usize> = SortedMap::new();
    for (_, sides) in project.difference.files() {
        let (Some(base), Some(now)) = (&sides.base, &sides.now) else { continue };
        let (mut old, mut new) = (heads(base), heads(now));
        let is_in = |it: &ImplHead<'_>, all: &[ImplHead<'_>]| {
            all.iter().any(|other| it.key() == other.key())
        };
        let kept: Vec<bool> = old.iter().map(|it| is_in(it, &new)).collect();
        new.retain(|it| !is_in(it, &old));
        let mut kept = kept.into_iter();
        old.retain(|_| !kept.next().unwrap_or(true));
        for before in &old {
            let fitting = new.iter().position(|after| Change::between(before, after).is_some());
            let Some(after) = fitting.map(|it| new.remove(it)) else { continue };
            if let Some(change) = Change::between(before, &after) {
                *found.entry(change).or_default() += 1;
            }
        }
    }
    let mut found: Vec<(Change, usize)> = found.into_iter().filter(|it| it.1 > 1).collect();
    found.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    found
}

impl Change {
    /// `None` unless the heads differ in their type and in what this needs.
    fn between(old: &ImplHead<'_>, new: &ImplHead<'_>) -> Option<Self> {
        let (from, to) = (old.spelled(old.ty), new.spelled(new.ty));
        let of = |it: &ImplHead<'_>| it.of_trait.map(|span| it.spelled(span)).unwrap_or_default();
        let has_trait = of(new) == of(old) || of(new) == replaced(&of(old), &from, &to);
        let known: Vec<String> = old.generics.iter().map(|it| old.spelled(*it)).collect();
        let (kept, added): (Vec<ByteSpan>, Vec<ByteSpan>) =
            new.generics.iter().partition(|it| known.contains(&new.spelled(**it)));
        let added = added.iter().filter_map(|it| it.slice(new.text)).map(str::to_owned).collect();
        (from != to && has_trait && kept.len() == known.len()).then_some(Self { from, to, added })
    }

    /// The errors in an impl, or that name the new type in its file.
    fn seeds(&self, head: &ImplHead<'_>, text: &PlacedText, errors: &Errors<'_>) -> Vec<usize> {
        let name = self.to.split(['<', ' ']).next().unwrap_or("");
        let name = name.rsplit("::").next().unwrap_or("");
        let marked = errors.marked().filter(|it| *it.path == text.path);
        let is_about = |message: &str| quoted(message).any(|it| has_word(it, name));
        marked
            .filter(|it| head.whole.contains(it.span) || is_about(&it.error.message))
            .map(|it| it.seed)
            .collect()
    }

    fn splices(&self, head: &ImplHead<'_>) -> Vec<Splice> {
        let mut found = vec![Splice { span: head.ty, insert: self.to.clone() }];
        if let Some(span) = head.of_trait {
            let old = head.spelled(span);
            let insert = replaced(&old, &self.from, &self.to);
            if insert != old {
                found.push(Splice { span, insert });
            }
        }
        let known: Vec<String> = head.generics.iter().map(|it| head.spelled(*it)).collect();
        let added = self.added.iter().filter(|it| !known.contains(&spelled(it)));
        let (lifetimes, others): (Vec<&str>, Vec<&str>) =
            added.map(String::as_str).partition(|it| it.starts_with('\''));
        let at = |at: usize, insert: String| Splice { span: ByteSpan::new(at, at), insert };
        match (head.generics.first(), head.generics.last()) {
            (Some(first), Some(last)) => {
                if !lifetimes.is_empty() {
                    found.push(at(first.start, format!("{}, ", lifetimes.join(", "))));
                }
                if !others.is_empty() {
                    found.push(at(last.end, format!(", {}", others.join(", "))));
                }
            }
            _ if lifetimes.is_empty() && others.is_empty() => {}
            _ => {
                let all: Vec<&str> = lifetimes.into_iter().chain(others).collect();
                found.push(at(head.start, format!("<{}>", all.join(", "))));
            }
        }
        found
    }
}

/// A type with another one for each occurrence of the first.
fn replaced(ty: &str, from: &str, to: &str) -> String {
    let (list, from) = (tokens(ty), tokens(from));
    let texts: Vec<&str> = list.iter().map(|it| it.text).collect();
    let wanted: Vec<&str> = from.iter().map(|it| it.text).collect();
    let (mut found, mut at) = (String::new(), 0);
    while let Some(token) = texts.get(at) {
        let rest = &texts[at..];
        let is_it = !wanted.is_empty() && rest.starts_with(&wanted);
        // Not the last name of a path, nor one with arguments.
        let is_part = at.checked_sub(1).is_some_and(|it| texts[it].ends_with(':'))
            || rest.get(wanted.len()).is_some_and(|it| matches!(*it, "<" | "::" | ":"));
        let (next, count) = match is_it && !is_part {
            true => (to, wanted.len()),
            false => (*token, 1),
        };
        if found.ends_with(is_word) && next.starts_with(is_word) || found.ends_with(',') {
            found.push(' ');
        }
        found.push_str(next);
        at += count;
    }
    found
}
