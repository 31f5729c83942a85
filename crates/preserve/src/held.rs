use std::collections::{BTreeMap, BTreeSet};

use crate::align::Fate;
use crate::compare::{Comparison, is_assertion, quote};
use crate::names::{Names, renames};
use crate::outline::{ElementKind, TokenKind, Unit, UnitKind};
use crate::position::{Text, same_value};
use crate::reported::Reported;
use crate::{Rule, Violation};

/// Errors about a name that is declared nowhere.
const UNRESOLVED: &[&str] = &["E0425", "E0433", "E0599"];

impl<'a> Comparison<'a> {
    pub(crate) fn old_view(&self) -> Text<'_, 'a> {
        Text { outline: &self.old, layout: &self.old_layout }
    }

    pub(crate) fn new_view(&self) -> Text<'_, 'a> {
        Text { outline: &self.new, layout: &self.new_layout }
    }

    /// What a test compares with, and what it computes that from, stays: its values, operators
    /// and names. A name may become another where that is a rename, and an argument that a
    /// function takes no more may go.
    pub(crate) fn held_values(
        &self,
        lost: &[(usize, usize)],
        names: &Names<'a>,
        reported: &Reported,
        found: &mut Vec<Violation>,
    ) {
        if !self.old_layout.has_tests() {
            return;
        }
        let renames = renames(self);
        for at in 0..self.old.tokens.len() {
            let is_held = self.old_layout.in_tests(at)
                && !matches!(self.fate(at), Fate::Kept(_))
                && !lost.iter().any(|(start, end)| (*start..*end).contains(&at))
                && !self.old_view().in_attribute(at)
                && !self.in_import(at);
            let claims = (names, reported);
            if is_held && !self.may_change(at, &renames, claims) {
                let in_assertion = self.old_view().in_assertion(at);
                let rule = if in_assertion { Rule::TestWeakened } else { Rule::TestEdited };
                found.push(self.violation(rule, at, self.line_of(at)));
            }
        }
    }

    fn may_change(
        &self,
        at: usize,
        renames: &BTreeMap<&str, BTreeSet<&str>>,
        (names, reported): (&Names<'_>, &Reported),
    ) -> bool {
        let (old, new) = (self.old_view(), self.new_view());
        if old.in_type(at) {
            return true;
        }
        let token = &self.old.tokens[at];
        let Fate::Renamed(to) = self.fate(at) else { return self.may_go(at) };
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
                is_word
                    && renames.get(token.text).is_some_and(|it| it.len() == 1)
                    && (names.may_become(token.text, self.new.text(to), is_called)
                        || (is_called
                            && names.may_follow(token.text, self.new.text(to))
                            && reported.is_within(UNRESOLVED, self.path, token.span)))
            }
            // `const x = …` → `let x = …`; another word of control is another test.
            TokenKind::Word => matches!(
                (token.text, self.new.text(to)),
                ("const" | "static" | "let" | "struct" | "enum" | "type", _)
            ),
            TokenKind::Lifetime => true,
        }
    }

    /// Whether a token of a test may go although its element stays.
    fn may_go(&self, at: usize) -> bool {
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
        // A call in a chain, a qualifier, a callee: the effect rule follows these.
        self.old.before(at, 1) == "." || matches!(self.old.text(at + 1), "::" | "(" | "!")
    }

    /// Whether the token goes with a whole argument of a call that stays.
    fn argument_is_removed(&self, at: usize) -> bool {
        let old = self.old_view();
        old.layout.around(at).any(|open| {
            old.is_call(open) && self.fate(open).survives() && {
                let (start, end) = old.layout.segment(&self.old, open, at);
                (start..end).all(|it| !self.fate(it).survives())
            }
        })
    }

    pub(crate) fn in_import(&self, at: usize) -> bool {
        self.old_layout.owners[at]
            .is_some_and(|it| self.old.elements[it].kind == ElementKind::Import)
    }

    /// The rule that a lost effect breaks: in a test, what asserts or decides whether it does.
    pub(crate) fn rule_of_effect(&self, unit: &Unit<'_>) -> Rule {
        if is_assertion(unit) {
            return Rule::AssertionRemoved;
        }
        if !self.old_layout.in_tests(unit.anchor) {
            return Rule::EffectRemoved;
        }
        match unit.kind {
            UnitKind::Macro | UnitKind::Control | UnitKind::Assignment => Rule::TestWeakened,
            // `check(f(x))` → `f(x)`: the helper asserted. A call in a chain is another matter.
            UnitKind::Call if self.old.before(unit.name, 1) != "." && !unit.text.is_empty() => {
                Rule::TestWeakened
            }
            UnitKind::Call | UnitKind::Try | UnitKind::Await => Rule::EffectRemoved,
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
