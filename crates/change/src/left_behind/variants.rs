//! A new variant: matches that take it with the rest, and lists of all other variants.

use base::{ByteSpan, ProjectPath, SortedSet, is_word};
use preserve::outline::{Outline, Token, tokens};
use syntax::places::{DefinitionKind, Use, UseKind};

use super::{LeftBehind, Tree, UNBUILT};
use crate::pairs::module_of;
use crate::{Intent, What};
use refactor::PlacedText;

pub(super) fn variants(tree: &Tree<'_>, intent: &Intent, found: &mut Vec<LeftBehind>) {
    let Some(variants) = Variants::of(tree, intent) else { return };
    for text in tree.rust.iter().filter(|it| it.text.contains(variants.owner)) {
        let places = variants.matches(text).into_iter();
        let places = places.chain(variants.lists(text)).chain(variants.tests(text));
        let places = places.chain(variants.branches(text));
        for (span, what) in places {
            if tree.is_old_code(text, span) {
                let remark = tree.remark(&text.path, &text.text, span.start, intent);
                found.push(LeftBehind { what, ..remark });
            }
        }
    }
}

/// Matches without an arm for a new variant and without one for the rest: the compiler refuses them, so
/// that in a tree which compiles they are in code that no check builds.
pub(super) fn unbuilt(tree: &Tree<'_>, intent: &Intent, found: &mut Vec<LeftBehind>) {
    let Some(variants) = Variants::of(tree, intent) else { return };
    let (owner, name) = (variants.owner, variants.name);
    for text in tree.rust.iter().filter(|it| it.text.contains(owner)) {
        for at in variants.incomplete(text) {
            let remark = tree.remark(&text.path, &text.text, at, intent);
            let what = format!("`match` on `{owner}` without an arm for `{name}`");
            let unproven = Some(UNBUILT);
            found.push(LeftBehind { what, unproven, ..remark });
        }
    }
}

struct Variants<'a> {
    owner: &'a str,
    name: &'a str,
    others: SortedSet<&'a str>,
    /// File of the enum.
    home: &'a ProjectPath,
    /// Files of other enums of this name.
    rivals: Vec<&'a ProjectPath>,
}

impl<'a> Variants<'a> {
    /// The new variant of an intent, with the others that its enum had; `None` if it is none, or of a new
    /// enum or one that had no two variants.
    fn of(tree: &'a Tree<'_>, intent: &'a Intent) -> Option<Self> {
        let What::Added { of, .. } = &intent.what else { return None };
        if of.kind != DefinitionKind::Variant || tree.is_new_type(&of.owner) {
            return None;
        }
        let new = tree.new_members(DefinitionKind::Variant, &of.owner);
        let members = tree.members(intent, DefinitionKind::Variant).into_iter();
        let others: SortedSet<&str> = members.filter(|it| !new.contains(it)).collect();
        let is_rival = |it: &&PlacedText| {
            let mut enums = it.places.definitions.iter();
            it.path != intent.path
                && enums.any(|it| it.kind == DefinitionKind::Enum && it.name == of.owner)
        };
        let rivals = tree.rust.iter().filter(is_rival).map(|it| &it.path).collect();
        let (owner, name, home) = (&*of.owner, &*of.name, &intent.path);
        (others.len() >= 2).then_some(Self { owner, name, others, home, rivals })
    }

    /// Whether the enum's name means another one: by the module before it, or in the file of that.
    fn is_rival(&self, text: &PlacedText, module: Option<&str>) -> bool {
        let is_it = |of: &ProjectPath| match module {
            Some(module) => module_of(of) == module,
            None => *of == text.path,
        };
        !is_it(self.home) && self.rivals.iter().any(|it| is_it(it))
    }
}

impl Variants<'_> {
    /// Where matches begin that name all other variants, and have no arm for the rest.
    fn incomplete(&self, text: &PlacedText) -> Vec<usize> {
        let pattern = |it: &Use| it.args.first().map(|it| it.value);
        let is_incomplete = |arms: &Vec<&Use>| {
            let patterns: Vec<ByteSpan> = arms.iter().filter_map(|it| pattern(it)).collect();
            let of = |it: &ByteSpan| {
                let mut named = self.named(text, *it);
                named.extend(self.imported(text, *it));
                named
            };
            let named: SortedSet<&str> = patterns.iter().flat_map(of).collect();
            // Of a tuple other parts may be the rest.
            let is_open = |it: &ByteSpan| {
                let pattern = text.slice(*it);
                is_catch_all(pattern) || pattern.starts_with('(')
            };
            named == self.others && !patterns.iter().any(is_open)
        };
        let all = matches_of(text).into_iter().filter(is_incomplete);
        all.map(|it| it[0].span.start).collect()
    }

    /// Matches on the enum that take the new variant with the rest, and those that produce all others.
    fn matches(&self, text: &PlacedText) -> Vec<(ByteSpan, String)> {
        let (owner, name) = (self.owner, self.name);
        let mut found = Vec::new();
        for arms in matches_of(text) {
            let side = |nth: usize| -> SortedSet<&str> {
                let sides = arms.iter().filter_map(|it| it.args.get(nth));
                sides.flat_map(|it| self.named(text, it.value)).collect()
            };
            let (patterns, values) = (side(0), side(1));
            let is_table = || {
                let values = arms.iter().filter_map(|it| it.args.get(1));
                let mut named =
                    values.map(|it| text.slice(it.value)).filter(|it| it.contains(owner));
                named.all(is_plain)
            };
            let span = ByteSpan::new(arms[0].span.start, arms[arms.len() - 1].span.end);
            let is_rest = |it: &&&Use| {
                let pattern = it.args.first().map_or("", |it| text.slice(it.value));
                is_catch_all(pattern)
            };
            let rest = arms.iter().find(is_rest);
            // Few named variants: the others are meant to be the rest.
            let is_most = patterns.len() > 1 && patterns.len() * 2 >= self.others.len();
            if let Some(rest) = rest.filter(|_| is_most && !patterns.contains(name)) {
                let what = format!("`{owner}::{name}` is the rest of this `match` on `{owner}`");
                if patterns.iter().all(|it| self.others.contains(it)) {
                    found.push((rest.span, what));
                }
            } else if patterns.is_empty() && values == self.others && is_table() {
                let what =
                    format!("no arm gives `{owner}::{name}`, and all other variants have one");
                found.push((span, what));
            }
        }
        found
    }

    /// Constants with all other variants.
    fn lists(&self, text: &PlacedText) -> Vec<(ByteSpan, String)> {
        let outline = Outline::of(&text.text);
        let mut found = Vec::new();
        for (open, token) in outline.tokens.iter().enumerate().filter(|(_, it)| it.is("[")) {
            let Some(close) = outline.close.get(open).and_then(|it| outline.tokens.get(*it)) else {
                continue;
            };
            let span = ByteSpan::new(token.span.start, close.span.end);
            let is_constant = text.places.definitions.iter().any(|it| {
                matches!(it.kind, DefinitionKind::Const | DefinitionKind::Static)
                    && it.span.contains(span)
            });
            if is_constant && self.named(text, span) == self.others {
                let (owner, name) = (self.owner, self.name);
                let what = format!("list of all variants of `{owner}` but `{name}`");
                found.push((span, what));
            }
        }
        found
    }

    /// Tests by `matches!` that name most of the other variants.
    fn tests(&self, text: &PlacedText) -> Vec<(ByteSpan, String)> {
        let outline = Outline::of(&text.text);
        let mut found = Vec::new();
        for (at, token) in outline.tokens.iter().enumerate().filter(|(_, it)| it.is("matches")) {
            let close = outline.close.get(at + 2).and_then(|it| outline.tokens.get(*it));
            let Some(close) = close.filter(|_| outline.text(at + 1) == "!") else { continue };
            let span = ByteSpan::new(token.span.start, close.span.end);
            let named = self.named(text, span);
            let is_most = named.len() > 1 && named.len() * 2 >= self.others.len();
            if is_most && named.iter().all(|it| self.others.contains(it)) {
                let (owner, name) = (self.owner, self.name);
                found.push((span, format!("this `matches!` takes `{owner}::{name}` as no match")));
            }
        }
        found
    }

    /// Branches by most of the other variants, of which the last takes the new one: `if … else …`.
    fn branches(&self, text: &PlacedText) -> Vec<(ByteSpan, String)> {
        let outline = Outline::of(&text.text);
        let mut found = Vec::new();
        for at in (0..outline.tokens.len()).filter(|it| outline.tokens[*it].is("if")) {
            if outline.before(at, 1) == "else" {
                continue;
            }
            let Some((conditions, last)) = chain(&outline, at) else { continue };
            let named: SortedSet<&str> =
                conditions.into_iter().flat_map(|it| self.named(text, it)).collect();
            let is_half = named.len() * 2 >= self.others.len();
            let is_most = is_half && (named.len() > 1 || self.others.len() == 2);
            if is_most && !named.is_empty() && named.iter().all(|it| self.others.contains(it)) {
                let (owner, name) = (self.owner, self.name);
                found.push((last, format!("this `else` takes `{owner}::{name}`")));
            }
        }
        found
    }

    /// The variants that a span names with their enum.
    fn named<'t>(&self, text: &'t PlacedText, span: ByteSpan) -> SortedSet<&'t str> {
        let in_impl = || {
            let around = text.places.definitions.iter().filter(|it| it.span.contains(span));
            around.min_by_key(|it| it.span.len()).is_some_and(|it| it.owner == self.owner)
        };
        let list = tokens(text.slice(span));
        let is_named = |at: &usize| {
            let is_path = |it: usize| list.get(it).is_some_and(|it| it.is("::"));
            let module = at.checked_sub(2).filter(|it| is_path(it + 1)).map(|it| list[it].text);
            is_path(at + 1)
                && (list[*at].is(self.owner) && !self.is_rival(text, module)
                    || list[*at].is("Self") && in_impl() && !self.is_rival(text, None))
        };
        let named = (0..list.len()).filter(is_named).filter_map(|at| list.get(at + 2));
        let is_type = |it: &str| it.starts_with(char::is_uppercase);
        named.map(|it| it.text).filter(|it| is_type(it)).collect()
    }
}

impl Variants<'_> {
    /// The variants that a pattern names alone, in a file that imports them from the enum; the new one too.
    fn imported<'t>(&self, text: &'t PlacedText, pattern: ByteSpan) -> SortedSet<&'t str> {
        let by = |it: &str| text.text.contains(&format!("{}::{it}", self.owner));
        let is_imported = by("*") || by("{") || self.others.iter().any(|it| by(&format!("{it};")));
        if !is_imported {
            return SortedSet::new();
        }
        let list = tokens(text.slice(pattern));
        let is_alone = |at: usize| {
            let before = at.checked_sub(1).map_or("", |it| list[it].text);
            let after = list.get(at + 1).map_or("", |it| it.text);
            let is_variant = self.others.contains(list[at].text) || list[at].is(self.name);
            !matches!(before, "::" | ".") && after != "::" && is_variant
        };
        (0..list.len()).filter(|at| is_alone(*at)).map(|at| list[at].text).collect()
    }
}

/// The conditions of an `if` and of each `else if`, and its last `else`; `None` if it has none.
fn chain(outline: &Outline<'_>, at: usize) -> Option<(Vec<ByteSpan>, ByteSpan)> {
    let token = |at: usize| outline.tokens.get(at);
    let mut conditions = Vec::new();
    let mut at = at;
    loop {
        let mut body = at + 1;
        while !token(body)?.is("{") {
            let close = *outline.close.get(body)?;
            body = close.max(body) + 1;
        }
        conditions.push(ByteSpan::new(token(at)?.span.end, token(body)?.span.start));
        let next = outline.close.get(body).filter(|it| **it > body)? + 1;
        if !token(next)?.is("else") {
            return None;
        }
        if !token(next + 1)?.is("if") {
            return Some((conditions, token(next)?.span));
        }
        at = next + 1;
    }
}

/// The arms of each `match`, the inner ones as well.
fn matches_of(text: &PlacedText) -> Vec<Vec<&Use>> {
    let mut arms: Vec<&Use> =
        text.places.uses.iter().filter(|it| it.kind == UseKind::Arm).collect();
    arms.sort_by_key(|it| (it.span.start, it.span.end));
    let mut found: Vec<Vec<&Use>> = Vec::new();
    for arm in arms {
        let follows = |list: &&mut Vec<&Use>| {
            list.last().is_some_and(|last| {
                last.span.end <= arm.span.start && {
                    let gap = text.slice(ByteSpan::new(last.span.end, arm.span.start));
                    tokens(gap).iter().all(|it| it.is(","))
                }
            })
        };
        // Arms of one match are near each other: the last lists are the open ones.
        match found.iter_mut().rev().take(64).find(follows) {
            Some(list) => list.push(arm),
            None => found.push(vec![arm]),
        }
    }
    found
}

/// Whether a value is a path, or one in a call such as `Ok(…)`.
fn is_plain(value: &str) -> bool {
    let is_part = |it: &Token<'_>| it.is_solid() || matches!(it.text, "::" | "(" | ")");
    tokens(value).iter().all(is_part)
}

/// Whether a pattern matches everything.
fn is_catch_all(pattern: &str) -> bool {
    let is_name = |it: &str| {
        it.starts_with(|it: char| it.is_lowercase() || it == '_') && it.chars().all(is_word)
    };
    is_name(pattern) && !matches!(pattern, "true" | "false")
}
