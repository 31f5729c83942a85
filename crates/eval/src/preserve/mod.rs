//! The separate checker of the preservation rule: what did an answer remove or add without being
//! allowed to?
//!
//! It shares no code with the crates that propose repairs. It reads tokens, not syntax trees, so
//! that broken and repaired text are measured alike.

mod effects;
mod enclosing;
mod lex;
mod outline;

use std::fmt;

use base::{SortedMap, SortedSet};
use serde::{Deserialize, Serialize};

use self::effects::Effects;
pub(crate) use self::enclosing::{bare, enclosing};
use self::outline::{Item, Outline, outline};

/// The compared files by path.
pub type TextsByPath = SortedMap<String, String>;

/// One broken promise.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Broken {
    /// `item-removed`, `statement-removed`, `expression-removed`, `arm-removed`,
    /// `assertion-removed`, `macro-removed`, `attribute-removed`, `test-removed`, `test-weakened`, `test-edited`,
    /// `placeholder`, `panic-added`, `unsafe-added`, `allow-added`, `lint-weakened`,
    /// `visibility-widened`, `visibility-reduced`, `cfg-changed`.
    pub rule: String,
    /// The affected code, in one line.
    pub detail: String,
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.rule, self.detail)
    }
}

/// What the compiler mentioned about the broken text: only what it named may be renamed in place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MentionedNames {
    /// Error codes.
    pub codes: SortedSet<String>,
    /// Every identifier in messages, labels and marked text.
    pub names: SortedSet<String>,
    /// Marked lines: file, and line from 1.
    pub lines: SortedSet<(String, u32)>,
}

/// Errors that a wider visibility fixes.
const WIDENING: [&str; 11] = [
    "E0603", "E0616", "E0624", "E0451", "E0364", "E0365", "E0446", "E0423", "E0425", "E0432",
    "E0433",
];
/// Errors that forbid the written visibility.
const NARROWING: [&str; 3] = ["E0449", "E0446", "E0364"];

/// Attributes with a rule of their own, or without effect on the compiler.
const OWN_RULE: [&str; 11] = [
    "allow",
    "expect",
    "deny",
    "forbid",
    "warn",
    "cfg",
    "cfg_attr",
    "test",
    "ignore",
    "should_panic",
    "doc",
];

/// The promises that the files `after` break against the files `before`. Both map paths to texts; a
/// missing file counts as empty. `frozen_tests`: no test may differ at all.
pub fn broken_promises(
    before: &TextsByPath,
    after: &TextsByPath,
    mentioned: &MentionedNames,
    frozen_tests: bool,
) -> Vec<Broken> {
    let read = |files: &TextsByPath| {
        files.iter().map(|(path, text)| (path.clone(), outline(text))).collect::<Vec<_>>()
    };
    let (before, after) = (read(before), read(after));
    let mut found = Vec::new();
    items(&before, &after, mentioned, &mut found);
    macros(&before, &after, &mut found);
    attributes(&before, &after, mentioned, &mut found);
    if frozen_tests {
        tests(&before, &after, &mut found);
    }
    found.sort();
    found.dedup();
    found
}

type Outlines = [(String, Outline)];

fn broken(rule: &str, detail: impl Into<String>) -> Broken {
    Broken { rule: rule.to_owned(), detail: detail.into() }
}

/// `fn main::foo`.
fn title(item: &Item) -> String {
    let mut parts: Vec<&str> = item.parents.iter().map(String::as_str).collect();
    parts.push(&item.name);
    format!("{} {}", item.kind, parts.join("::"))
}

/// Pairs each item with its later version (same position, else same name, else a rename that the
/// compiler asked for) and compares the two.
fn items(before: &Outlines, after: &Outlines, mentioned: &MentionedNames, found: &mut Vec<Broken>) {
    let old: Vec<(&str, &Item)> = all_items(before);
    let new: Vec<(&str, &Item)> = all_items(after);
    let mut taken = vec![false; new.len()];
    let mut pairs: Vec<Option<usize>> = vec![None; old.len()];
    type Same<'s> = dyn Fn(&(&str, &Item), &(&str, &Item)) -> bool + 's;
    let passes: [&Same<'_>; 3] = [
        &|a, b| a.0 == b.0 && a.1.parents == b.1.parents && a.1.name == b.1.name,
        &|a, b| a.1.name == b.1.name,
        &|a, b| a.0 == b.0 && near(a.1, b.1) && is_named(a.1, b.1, mentioned),
    ];
    for same in passes {
        for (idx, item) in old.iter().enumerate() {
            if pairs[idx].is_some() {
                continue;
            }
            let later = new.iter().enumerate().position(|(at, other)| {
                !taken[at] && item.1.kind == other.1.kind && same(item, other)
            });
            if let Some(at) = later {
                taken[at] = true;
                pairs[idx] = Some(at);
            }
        }
    }
    let imported: SortedSet<&str> =
        new.iter().filter(|(_, item)| item.kind == "use").map(|(_, item)| &*item.name).collect();
    for ((_, item), later) in old.iter().zip(&pairs) {
        match later {
            Some(at) => compare(item, new[*at].1, mentioned, found),
            // A duplicate import is not needed.
            None if item.kind == "use" && imported.contains(&*item.name) => {}
            None if item.kind == "extern" => {}
            None => found.push(broken("item-removed", title(item))),
        }
    }
}

fn all_items(outlines: &Outlines) -> Vec<(&str, &Item)> {
    outlines
        .iter()
        .flat_map(|(path, outline)| outline.items.iter().map(move |item| (path.as_str(), item)))
        .collect()
}

/// Whether the two are at the same position: the names around them are equal, or equally many
/// (since those may be renamed too).
fn near(old: &Item, new: &Item) -> bool {
    old.parents.len() == new.parents.len()
}

/// Whether the compiler mentioned the old or the new name.
fn is_named(old: &Item, new: &Item, mentioned: &MentionedNames) -> bool {
    let words = |item: &Item| -> SortedSet<String> {
        item.name
            .split(|c: char| c != '_' && !c.is_alphanumeric())
            .filter(|word| !word.is_empty() && *word != "for")
            .map(str::to_owned)
            .collect()
    };
    words(old).symmetric_difference(&words(new)).any(|word| mentioned.names.contains(word))
}

fn compare(old: &Item, new: &Item, mentioned: &MentionedNames, found: &mut Vec<Broken>) {
    let place = title(old);
    let (was, is): (&Effects, &Effects) = (&old.effects, &new.effects);
    let mut fewer = |rule: &str, what: &str, was: usize, is: usize| {
        if is < was {
            found.push(broken(rule, format!("{place} has {is} {what} where it had {was}")));
        }
    };
    fewer("statement-removed", "statements", was.statements, is.statements);
    fewer("statement-removed", "`let`s", was.lets, is.lets);
    // A call may become that of a macro: `println("…")`.
    let all = |effects: &Effects| effects.calls + effects.macros.values().sum::<usize>();
    fewer("expression-removed", "calls", all(was), all(is));
    fewer("expression-removed", "branches and loops", was.branches, is.branches);
    fewer("expression-removed", "`?` or `.await`", was.exits, is.exits);
    fewer("expression-removed", "assignments", was.assignments, is.assignments);
    fewer("arm-removed", "arms", was.arms, is.arms);
    let others = |effects: &Effects| -> usize {
        effects.macros.iter().filter(|(name, _)| !is_assertion(name)).map(|(_, count)| count).sum()
    };
    fewer("macro-removed", "macro calls", others(was), others(is));
    for (name, count) in &was.macros {
        if is_assertion(name) {
            let now = is.macros.get(name).copied().unwrap_or_default();
            fewer("assertion-removed", &format!("`{name}!`"), *count, now);
        }
    }
    if old.in_trait || new.in_trait {
        return;
    }
    let has = |codes: &[&str]| codes.iter().any(|code| mentioned.codes.contains(*code));
    if new.visibility > old.visibility && !(has(&WIDENING) && mentioned.names.contains(&new.name)) {
        found.push(broken("visibility-widened", place));
    } else if new.visibility < old.visibility && !has(&NARROWING) {
        found.push(broken("visibility-reduced", place));
    }
}

fn is_word(text: &str) -> bool {
    text.starts_with(|c: char| c == '_' || c.is_alphabetic())
}

fn is_assertion(name: &str) -> bool {
    name.starts_with("assert")
        || name.starts_with("debug_assert")
        || name.starts_with("prop_assert")
}

/// What the whole text must not contain more often.
fn macros(before: &Outlines, after: &Outlines, found: &mut Vec<Broken>) {
    let total = |outlines: &Outlines, names: &[&str]| -> usize {
        outlines
            .iter()
            .flat_map(|(_, outline)| names.iter().filter_map(|name| outline.macros.get(*name)))
            .sum()
    };
    let mut more = |rule: &str, names: &[&str]| {
        let (was, is) = (total(before, names), total(after, names));
        if is > was {
            found
                .push(broken(rule, format!("{is} of `{}!` where {was} were", names.join("!`, `"))));
        }
    };
    more("placeholder", &["todo", "unimplemented"]);
    more("panic-added", &["panic", "unreachable"]);
    let unsafes = |outlines: &Outlines| -> usize {
        outlines.iter().map(|(_, outline)| outline.unsafes).sum()
    };
    let (was, is) = (unsafes(before), unsafes(after));
    if is > was {
        found.push(broken("unsafe-added", format!("{is} of `unsafe` where {was} were")));
    }
}

fn attributes(
    before: &Outlines,
    after: &Outlines,
    mentioned: &MentionedNames,
    found: &mut Vec<Broken>,
) {
    let count = |outlines: &Outlines, names: &[&str]| -> usize {
        outlines
            .iter()
            .flat_map(|(_, outline)| &outline.attributes)
            .filter(|attribute| names.contains(&&*attribute.name))
            .count()
    };
    let both = |names: &[&str]| (count(before, names), count(after, names));
    let mut hold = |rule: &str, names: &[&str], more_is_bad: bool| {
        let (was, is) = both(names);
        if (more_is_bad && is > was) || (!more_is_bad && is < was) {
            let shown = names.join("]`, `#[");
            found.push(broken(rule, format!("{is} of `#[{shown}]` where {was} were")));
        }
    };
    hold("allow-added", &["allow", "expect"], true);
    hold("lint-weakened", &["deny", "forbid", "warn"], false);
    hold("test-removed", &["test"], false);
    hold("test-weakened", &["ignore", "should_panic"], true);
    // Of all other attributes only the number counts: one may be corrected into another.
    let others = |outlines: &Outlines| -> usize {
        outlines
            .iter()
            .flat_map(|(_, outline)| &outline.attributes)
            .map(|attribute| match &*attribute.name {
                "derive" => {
                    attribute.text.split(' ').filter(|word| is_word(word)).count().saturating_sub(1)
                }
                name => usize::from(!OWN_RULE.contains(&name)),
            })
            .sum()
    };
    let (was, is) = (others(before), others(after));
    if is < was {
        found.push(broken("attribute-removed", format!("{is} attributes where {was} were")));
    }
    // Conditions are compared as texts: one that the compiler marked may change.
    let cfgs = |outlines: &Outlines, mentioned: Option<&MentionedNames>| -> Vec<String> {
        let mut texts: Vec<String> = outlines
            .iter()
            .flat_map(|(path, outline)| outline.attributes.iter().map(move |a| (path, a)))
            .filter(|(_, a)| matches!(&*a.name, "cfg" | "cfg_attr"))
            .filter(|(path, a)| {
                mentioned
                    .is_none_or(|mentioned| !mentioned.lines.contains(&((*path).clone(), a.line)))
            })
            .map(|(_, a)| a.text.clone())
            .collect();
        texts.sort();
        texts
    };
    let (marked, was, is) = (cfgs(before, Some(mentioned)), cfgs(before, None), cfgs(after, None));
    let kept = is_subset(&marked, &is);
    if !kept || is.len() != was.len() {
        found.push(broken(
            "cfg-changed",
            format!("{} conditions where {} were, or another text", is.len(), was.len()),
        ));
    }
}

/// Whether `all` contains each of `part` as often; both sorted.
fn is_subset(part: &[String], all: &[String]) -> bool {
    let mut rest = all.iter();
    part.iter().all(|text| rest.any(|other| other == text))
}

fn tests(before: &Outlines, after: &Outlines, found: &mut Vec<Broken>) {
    for (path, outline) in before {
        let later = after.iter().find(|(other, _)| other == path).map(|(_, outline)| outline);
        let kept: SortedSet<&str> =
            later.into_iter().flat_map(|outline| &outline.tests).map(String::as_str).collect();
        for test in &outline.tests {
            if !kept.contains(test.as_str()) {
                let head: String = test.chars().take(80).collect();
                found.push(broken("test-edited", format!("{path}: {head}")));
            }
        }
    }
}

#[cfg(test)]
mod tests;
