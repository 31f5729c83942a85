//! Values, operators and names that a test asserts with: they must stay.

use std::ops::Range;

use crate::align::Fate;
use crate::compare::{Comparison, is_assertion, quote};
use crate::names::{Names, renames};
use crate::outline::{EffectKind, EffectSite, ElementKind, Outline, TokenKind};
use crate::position::{TextView, same_value};
use crate::reported::Reported;
use crate::{Rule, Violation};
use base::{SortedMap, SortedSet};

/// Errors about a name that is not declared.
const UNRESOLVED: &[&str] = &["E0425", "E0433", "E0599"];

impl<'a> Comparison<'a> {
    pub(crate) fn old_view(&self) -> TextView<'_, 'a> {
        TextView { outline: &self.old, layout: &self.old_layout }
    }

    pub(crate) fn new_view(&self) -> TextView<'_, 'a> {
        TextView { outline: &self.new, layout: &self.new_layout }
    }

    /// The values, operators and names of a test's assertions, and of what they are computed from,
    /// must stay. A name may change in a rename, and an argument that a function no longer has may
    /// be removed.
    pub(crate) fn edited_values(
        &self,
        lost: &[Range<usize>],
        names: &Names<'a>,
        reported: &Reported,
        found: &mut Vec<Violation>,
    ) {
        if !self.old_layout.has_tests() {
            return;
        }
        let renames = renames(self);
        for at in 0..self.old.tokens.len() {
            let is_changed = self.old_layout.in_tests(at)
                && !matches!(self.fate(at), Fate::Kept(_))
                && !lost.iter().any(|it| it.contains(&at))
                && !self.old_view().in_attribute(at)
                && !self.in_import(at);
            let claims = (names, reported);
            if is_changed && !self.may_change(at, &renames, claims) {
                let in_assertion = self.old_view().in_assertion(at);
                let rule = if in_assertion { Rule::TestWeakened } else { Rule::TestEdited };
                found.push(self.violation(rule, at, self.line_of(at)));
            }
        }
    }

    fn may_change(
        &self,
        at: usize,
        renames: &SortedMap<&str, SortedSet<&str>>,
        (names, reported): (&Names<'_>, &Reported),
    ) -> bool {
        let (old, new) = (self.old_view(), self.new_view());
        if old.in_assertion(at) && old.decides_type(at) {
            return self.type_may_change(at, (names, reported));
        }
        if old.in_type(at) {
            return true;
        }
        let token = &self.old.tokens[at];
        let Fate::Renamed(to) = self.fate(at) else { return self.may_be_removed(at) };
        match token.kind {
            TokenKind::Literal => {
                self.new.tokens[to].kind == TokenKind::Literal
                    && same_value(token.text, self.new.text(to))
            }
            TokenKind::Punctuation => !old.decides(at) && !new.decides(to),
            TokenKind::Word if crate::layout::is_name(&self.old, at) => {
                let is_called = matches!(self.old.text(at + 1), "(" | "::" | "!")
                    || self.old.before(at, 1) == ".";
                let is_word = crate::layout::is_name(&self.new, to);
                if names.lead_to_moved(&path_from(&self.old, at), &path_from(&self.new, to)) {
                    return true;
                }
                is_word
                    && renames.get(token.text).is_some_and(|it| it.len() == 1)
                    && (names.may_become(token.text, self.new.text(to), is_called)
                        || (is_called
                            && names.may_follow(token.text, self.new.text(to))
                            && reported.is_within(UNRESOLVED, self.path, token.span)))
            }
            // `const x = …` → `let x = …`; another control keyword makes another test.
            TokenKind::Word => matches!(
                (token.text, self.new.text(to)),
                ("const" | "static" | "let" | "struct" | "enum" | "type", _)
            ),
            TokenKind::Lifetime => true,
        }
    }

    /// Whether the type of an asserted value may be another one: the compiler reports the statement, or
    /// the type has another name.
    fn type_may_change(&self, at: usize, (names, reported): (&Names<'_>, &Reported)) -> bool {
        let is_renamed = matches!(self.fate(at), Fate::Renamed(to)
            if names.lead_to_moved(&path_from(&self.old, at), &path_from(&self.new, to))
                || self.old.text(at).starts_with(char::is_uppercase)
                    && names.may_become(self.old.text(at), self.new.text(to), false)
                || same_value(self.old.text(at), self.new.text(to)));
        is_renamed || self.is_reported(at, reported)
    }

    /// Whether the compiler reports something within the statement around a token of the old text.
    pub(crate) fn is_reported(&self, at: usize, reported: &Reported) -> bool {
        let statement = self.old_layout.owners.get(at).copied().flatten();
        let Some(it) = statement.map(|it| &self.old.elements[it]) else { return false };
        let token = |at: usize| self.old.tokens.get(at).map(|it| it.span);
        let (first, last) = (token(it.start), token(it.end.saturating_sub(1)));
        first.zip(last).is_some_and(|(first, last)| {
            reported.marks(self.path, base::ByteSpan::new(first.start, last.end))
        })
    }

    /// Whether a token of a test may be removed although its element stays.
    fn may_be_removed(&self, at: usize) -> bool {
        let old = self.old_view();
        let token = &self.old.tokens[at];
        if self.argument_is_removed(at) {
            return true;
        }
        if token.kind == TokenKind::Literal || old.decides(at) {
            return false;
        }
        if !crate::layout::is_name(&self.old, at) || !old.in_assertion(at) {
            return true;
        }
        // A chained call, a qualifier, a callee: the effect rule covers these.
        self.old.before(at, 1) == "." || matches!(self.old.text(at + 1), "::" | "(" | "!")
    }

    /// Whether the token is removed with a whole argument of a call that stays.
    fn argument_is_removed(&self, at: usize) -> bool {
        let old = self.old_view();
        old.layout.around(at).any(|open| {
            old.is_call(open) && self.fate(open).survives() && {
                let mut argument = old.layout.segment(&self.old, open, at);
                argument.all(|it| !self.fate(it).survives())
            }
        })
    }

    pub(crate) fn in_import(&self, at: usize) -> bool {
        self.old_layout.owners[at]
            .is_some_and(|it| self.old.elements[it].kind == ElementKind::Import)
    }

    /// The rule that a lost effect breaks: in a test, what asserts or decides whether an assertion
    /// runs.
    pub(crate) fn rule_of_effect(&self, effect: &EffectSite<'_>) -> Rule {
        if is_assertion(effect) {
            return Rule::AssertionRemoved;
        }
        if !self.old_layout.in_tests(effect.anchor) {
            return Rule::EffectRemoved;
        }
        match effect.kind {
            EffectKind::Macro | EffectKind::Control | EffectKind::Assignment => Rule::TestWeakened,
            // `check(f(x))` → `f(x)`: the helper asserted; a chained call does not.
            EffectKind::Call
                if self.old.before(effect.name, 1) != "." && !effect.text.is_empty() =>
            {
                Rule::TestWeakened
            }
            EffectKind::Call | EffectKind::Try | EffectKind::Await => Rule::EffectRemoved,
        }
    }

    fn line_of(&self, at: usize) -> String {
        let statement = self.old_layout.owners[at].map(|it| &self.old.elements[it]);
        match statement {
            Some(it) if it.kind != ElementKind::Item => {
                quote(self.before, &self.old, it.start, it.end)
            }
            _ => quote(self.before, &self.old, at, at + 1),
        }
    }
}

/// The segments of a path from one of its tokens on.
fn path_from<'t>(outline: &Outline<'t>, at: usize) -> Vec<&'t str> {
    let mut found = vec![outline.text(at)];
    let mut next = at + 1;
    while outline.text(next) == "::" && crate::layout::is_name(outline, next + 1) {
        found.push(outline.text(next + 1));
        next += 2;
    }
    found
}
