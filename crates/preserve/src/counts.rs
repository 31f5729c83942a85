//! Counts effects, statements and attributes of each item before and after: the last pass, for what
//! a comparison of single tokens takes for a rename.

use std::ops::Range;

use crate::align::Fate;
use crate::brackets::is_balanced;
use crate::compare::{CONVERSIONS, Comparison, is_assertion_name};
use crate::names::distance;
use crate::outline::{EffectKind, Element, ElementKind, Outline, TokenKind};
use crate::{Allowed, Rule, Violation};
use base::SortedMap;

/// What an item contains, without the items in it.
#[derive(Debug, Default, PartialEq, Eq)]
struct Counts<'a> {
    statements: usize,
    lets: usize,
    /// Calls of functions and macros that may have an effect.
    calls: usize,
    branches: usize,
    arms: usize,
    /// `?` and `.await`.
    exits: usize,
    /// `=`, `==` and the compound forms: one may be written by mistake for another.
    assignments: usize,
    /// Macros other than assertions.
    macros: usize,
    assertions: SortedMap<&'a str, usize>,
}

impl<'a> Comparison<'a> {
    /// A last pass over a file without violations: no item may contain less than before. It detects
    /// what a comparison of single tokens takes for a rename or another operator: a call that
    /// became a value, two statements that became one.
    pub(crate) fn counts(
        &self,
        all: &[Comparison<'a>],
        allowed: &Allowed,
        may_go: &[Range<usize>],
        found: &mut Vec<Violation>,
    ) {
        if found.iter().any(|it| it.path == *self.path) {
            return;
        }
        if !is_balanced(&self.old.tokens) {
            // Where an item ends is not known: all of the file is compared.
            let all = |outline: &Outline<'a>| {
                let tokens: Vec<usize> = (0..outline.tokens.len()).collect();
                let of_file = count(outline, &tokens);
                Counts { statements: 0, ..of_file }
            };
            return self.fewer(0, &all(&self.old), &all(&self.new), found);
        }
        // Types have no effect; their parts are separate elements.
        let does = |it: &&Element| {
            it.kind == ElementKind::Item
                && !matches!(self.old.text(it.head), "struct" | "enum" | "union" | "type")
        };
        let items = self.old.elements.iter().filter(does);
        let staying = |mut own: Vec<usize>| {
            own.retain(|at| !may_go.iter().any(|it| it.contains(at)));
            own
        };
        for element in items {
            let Some((other, now)) = self.later(element, all) else { continue };
            let is_same = now.end - now.start == element.end - element.start
                && (element.start..element.end).all(|at| matches!(self.fate(at), Fate::Kept(_)));
            let names = (
                self.old_text(self.old.item_name(element)).to_owned(),
                other.new.text(other.new.item_name(now)).to_owned(),
            );
            if is_same || allowed.constants.contains(&names) {
                continue;
            }
            let range = element.start..element.end;
            let was = own(&self.old, range.clone(), Some(element));
            let mut was = count(&self.old, &staying(was));
            // `if let a = b {} else {}` has one of each more than the same `match`.
            let effects = self.old.effects.iter().filter(|it| range.contains(&it.anchor));
            let matches = effects.filter(|it| self.is_arm_now(it)).count();
            was.lets = was.lets.saturating_sub(matches);
            was.assignments = was.assignments.saturating_sub(matches);
            let is = count(&other.new, &own(&other.new, now.start..now.end, Some(now)));
            self.fewer(element.head, &was, &is, found);
        }
        let was = count(&self.old, &staying(own(&self.old, 0..self.old.tokens.len(), None)));
        let is = count(&self.new, &own(&self.new, 0..self.new.tokens.len(), None));
        self.fewer(0, &was, &is, found);
    }

    fn fewer(&self, at: usize, was: &Counts<'a>, is: &Counts<'a>, found: &mut Vec<Violation>) {
        let pairs = [
            (Rule::StatementRemoved, "statements", was.statements, is.statements),
            (Rule::StatementRemoved, "`let`s", was.lets, is.lets),
            (Rule::EffectRemoved, "calls", was.calls, is.calls),
            (Rule::EffectRemoved, "branches and loops", was.branches, is.branches),
            (Rule::ArmRemoved, "arms", was.arms, is.arms),
            (Rule::EffectRemoved, "`?` and `.await`", was.exits, is.exits),
            (Rule::EffectRemoved, "assignments", was.assignments, is.assignments),
            (Rule::EffectRemoved, "macro calls", was.macros, is.macros),
        ];
        let asserted = was.assertions.iter().map(|(name, count)| {
            let now = is.assertions.get(name).copied().unwrap_or_default();
            (Rule::EffectRemoved, *name, *count, now)
        });
        for (rule, what, was, is) in pairs.into_iter().chain(asserted) {
            if is < was {
                let detail = format!("{is} {what}, {was} before");
                found.push(self.violation(rule, at, detail));
            }
        }
    }

    /// How many attributes and derived traits are in ranges of tokens.
    pub(crate) fn attributes_in(&self, ranges: &[Range<usize>]) -> usize {
        attributes(&self.old, |at| ranges.iter().any(|it| it.contains(&at)))
    }

    /// Attributes and derived traits of all files: one may replace another, but none may disappear,
    /// apart from `may_go` that belong to what may be removed.
    pub(crate) fn fewer_attributes(
        all: &[Comparison<'a>],
        may_go: usize,
        found: &mut Vec<Violation>,
    ) {
        let every = |_| true;
        let was: usize = all.iter().map(|it| attributes(&it.old, every)).sum();
        let was = was.saturating_sub(may_go);
        let is: usize = all.iter().map(|it| attributes(&it.new, every)).sum();
        if is < was
            && found.is_empty()
            && let Some(first) =
                all.iter().find(|it| attributes(&it.new, every) < attributes(&it.old, every))
        {
            let detail = format!("{is} attributes and derived traits, {was} before");
            found.push(first.violation(Rule::AttributeRemoved, 0, detail));
        }
    }
}

/// The tokens of a range that are in no nested item and in no attribute.
fn own(outline: &Outline<'_>, range: Range<usize>, element: Option<&Element>) -> Vec<usize> {
    // The whole body of a macro belongs to the macro.
    if element.is_some_and(|it| outline.text(it.head) == "macro_rules") {
        return range.collect();
    }
    let mut skipped = vec![false; outline.tokens.len()];
    for inner in &outline.elements {
        let is_inner = matches!(inner.kind, ElementKind::Item | ElementKind::Import)
            && range.start <= inner.start
            && inner.end <= range.end
            && element.is_none_or(|it| (it.start, it.end) != (inner.start, inner.end));
        if is_inner {
            skipped[inner.start..inner.end.min(outline.tokens.len())].fill(true);
        }
    }
    for attribute in &outline.attributes {
        let end = (attribute.end + 1).min(outline.tokens.len());
        let start = (0..attribute.name.min(end)).rev().find(|at| outline.text(*at) == "#");
        skipped[start.unwrap_or(attribute.name.min(end))..end].fill(true);
    }
    range.filter(|at| skipped.get(*at) == Some(&false)).collect()
}

fn count<'a>(outline: &Outline<'a>, own: &[usize]) -> Counts<'a> {
    let mut counts = Counts::default();
    let own_at = |at: usize| own.binary_search(&at).is_ok();
    let (first, last) = (own.first().copied().unwrap_or(0), own.last().copied().unwrap_or(0));
    let from = outline.effects.partition_point(|it| it.anchor < first);
    let effects = outline.effects[from..].iter().take_while(|it| it.anchor <= last);
    for effect in effects.filter(|it| own_at(it.anchor)) {
        match effect.kind {
            EffectKind::Call => {
                let does = effect.text.starts_with(|c: char| c == '_' || c.is_lowercase())
                    && !is_conversion(effect.text);
                counts.calls += usize::from(does);
            }
            EffectKind::Macro if is_assertion_name(effect.text) => {
                *counts.assertions.entry(effect.text).or_default() += 1;
                counts.calls += 1;
            }
            EffectKind::Macro => {
                counts.macros += 1;
                counts.calls += 1;
            }
            EffectKind::Try | EffectKind::Await => counts.exits += 1,
            EffectKind::Control => counts.branches += usize::from(effect.text != "else"),
            EffectKind::Assignment => {}
        }
    }
    for &at in own {
        match outline.text(at) {
            "let" => counts.lets += 1,
            "=>" => counts.arms += 1,
            "=" | "==" | "+=" | "-=" | "*=" | "/=" | "%=" | "^=" | "&=" | "|=" | "<<=" | ">>=" => {
                counts.assignments += 1;
            }
            _ => {}
        }
    }
    counts.statements = statements(outline, own);
    counts
}

/// Whether a called name is that of a conversion, which has no effect, or a misspelling of one:
/// `x.to_strin()` may become `x.to_string()`.
fn is_conversion(name: &str) -> bool {
    CONVERSIONS.contains(&name)
        || CONVERSIONS.iter().any(|it| it.len() > 4 && distance(name, it) == 1)
}

/// Number of non-empty ranges between semicolons in each block.
fn statements(outline: &Outline<'_>, own: &[usize]) -> usize {
    let mut count = 0;
    // For each open bracket: whether it is a block, and whether a statement has started in it.
    let mut open = vec![(true, false)];
    for &at in own {
        let token = &outline.tokens[at];
        if token.kind == TokenKind::Punctuation && matches!(token.text, ")" | "]" | "}") {
            if open.len() > 1 {
                open.pop();
            }
            continue;
        }
        if token.is(";") {
            if let Some(block) = open.last_mut() {
                block.1 = false;
            }
            continue;
        }
        if let Some((true, started @ false)) = open.last_mut() {
            *started = true;
            count += 1;
        }
        if token.kind == TokenKind::Punctuation && matches!(token.text, "(" | "[" | "{") {
            open.push((token.text == "{" && !is_literal(outline, at), false));
        }
    }
    count
}

/// Whether a brace contains the fields of a value or a pattern.
fn is_literal(outline: &Outline<'_>, open: usize) -> bool {
    let before = outline.before(open, 1);
    let is_typed = before == ">" || before.starts_with(char::is_uppercase);
    let is_mode = |at: &usize| matches!(outline.text(*at), "ref" | "mut" | "&");
    let first = (open + 1..open + 4).find(|at| !is_mode(at)).unwrap_or(open + 1);
    is_typed
        && (matches!(outline.text(first), "}" | "..")
            || matches!(outline.text(first + 1), ":" | "," | "}"))
}

/// Number of attributes without a rule of their own; each trait of a `derive` counts.
fn attributes(outline: &Outline<'_>, of: impl Fn(usize) -> bool) -> usize {
    const OWN_RULE: &[&str] = &[
        "allow",
        "cfg",
        "cfg_attr",
        "deny",
        "doc",
        "expect",
        "forbid",
        "ignore",
        "should_panic",
        "test",
        "warn",
    ];
    let asked = outline.attributes.iter().filter(|it| of(it.name));
    let counted = asked.map(|attribute| match outline.text(attribute.name) {
        "derive" => (attribute.name + 1..attribute.end)
            .filter(|at| outline.tokens[*at].kind == TokenKind::Word)
            .count(),
        name => usize::from(!OWN_RULE.contains(&name)),
    });
    counted.sum()
}
