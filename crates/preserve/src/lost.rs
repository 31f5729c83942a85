//! What a change removes of one file: elements, effects, imports and attributes.

use std::ops::Range;

use crate::added_code::{AddedCode, body};
use crate::align::Fate;
use crate::compare::{CONVERSIONS, Comparison, is_assertion, quote};
use crate::imports::lost_imports;
use crate::layout::{attributes_of, is_test_attribute};
use crate::outline::{EffectKind, EffectSite, Element, ElementKind, TokenKind};
use crate::{Allowed, Rule, Violation};

const KNOWN_ASSERTIONS: &[&str] =
    &["assert", "assert_eq", "assert_ne", "debug_assert", "debug_assert_eq", "debug_assert_ne"];

impl<'a> Comparison<'a> {
    /// Reports elements that are lost, the outermost only; returns the token ranges of these and of
    /// moved ones, and those of permitted ones.
    pub(crate) fn lost_elements(
        &self,
        added_code: &AddedCode<'_>,
        allowed: &Allowed,
        permitted: &mut Vec<Violation>,
        found: &mut Vec<Violation>,
    ) -> (Vec<Range<usize>>, Vec<Range<usize>>) {
        let mut lost: Vec<Range<usize>> = Vec::new();
        let mut may_go = Vec::new();
        let mut elements: Vec<&Element> = self.old.elements.iter().collect();
        elements.sort_by_key(|it| (it.start, std::cmp::Reverse(it.end)));
        for element in elements {
            if matches!(element.kind, ElementKind::Import | ElementKind::Other)
                || lost.iter().any(|it| it.start <= element.start && element.end <= it.end)
                || !self.is_lost(element)
            {
                continue;
            }
            lost.push(element.start..element.end);
            if !added_code.moved(&body(&self.old, element)) {
                let (rule, detail) = self.loss(element);
                let list = match allowed.element(self, element, rule) {
                    true => {
                        may_go.push(element.start..element.end);
                        &mut *permitted
                    }
                    false => &mut *found,
                };
                list.push(self.violation(rule, element.head, detail));
            }
        }
        (lost, may_go)
    }

    fn loss(&self, element: &Element) -> (Rule, String) {
        let asserts = self.old.effects.iter().any(|effect| {
            (element.start..element.end).contains(&effect.anchor) && is_assertion(effect)
        });
        let test = element.kind == ElementKind::Item
            && attributes_of(&self.old, element)
                .any(|it| is_test_attribute(self.old_text(it.name)));
        let in_test = self.old_layout.in_tests(element.head);
        let rule = match element.kind {
            _ if test => Rule::TestRemoved,
            ElementKind::Statement if asserts => Rule::AssertionRemoved,
            ElementKind::Item | ElementKind::Import | ElementKind::Other => Rule::ItemRemoved,
            ElementKind::Statement if in_test => Rule::TestWeakened,
            ElementKind::Statement => Rule::StatementRemoved,
            ElementKind::Field => Rule::FieldRemoved,
            ElementKind::Variant => Rule::VariantRemoved,
            ElementKind::Arm => Rule::ArmRemoved,
        };
        (rule, quote(self.before, &self.old, element.head, element.end))
    }

    /// The effects that are lost, each with the violation that it is.
    pub(crate) fn lost_effects(
        &self,
        lost: &[Range<usize>],
        added_code: &mut AddedCode<'a>,
    ) -> Vec<(&EffectSite<'a>, Violation)> {
        let mut found = Vec::new();
        for effect in &self.old.effects {
            if lost.iter().any(|it| it.contains(&effect.anchor)) {
                continue;
            }
            let rule = match self.fate(effect.anchor) {
                Fate::Kept(_) | Fate::Renamed(_) if !is_assertion(effect) => continue,
                Fate::Kept(new) | Fate::Renamed(new) if self.still_asserts(effect, new) => continue,
                _ => self.rule_of_effect(effect),
            };
            if self.is_removable(effect) || added_code.take(effect) {
                continue;
            }
            let detail = quote(self.before, &self.old, effect.name, effect.anchor + 1);
            found.push((effect, self.violation(rule, effect.anchor, detail)));
        }
        found
    }

    /// Whether the macro call at `new` is still the assertion that `effect` was.
    fn still_asserts(&self, effect: &EffectSite<'_>, new: usize) -> bool {
        self.new.effects.iter().any(|it| {
            it.anchor == new
                && is_assertion(it)
                && (it.text == effect.text || !KNOWN_ASSERTIONS.contains(&effect.text))
        })
    }

    /// What may be removed although it looks like an effect.
    fn is_removable(&self, effect: &EffectSite<'_>) -> bool {
        let text = |at: usize| self.old.tokens.get(at).map_or("", |it| it.text);
        match effect.kind {
            // `Some(x)` → `x`: a constructor only contains its arguments.
            EffectKind::Call if effect.text.starts_with(char::is_uppercase) => true,
            // `x.len()` → `x.len` compiles only if it was never a call; `x.clone()` → `x` keeps the
            // value.
            EffectKind::Call => {
                let method = effect.name.checked_sub(1).is_some_and(|it| text(it) == ".");
                method
                    && text(effect.anchor + 1) == ")"
                    && (self.fate(effect.name).survives() || CONVERSIONS.contains(&effect.text))
            }
            // `if if x` → `if x`: a duplicate.
            EffectKind::Control => {
                let beside = [effect.anchor.wrapping_sub(1), effect.anchor + 1];
                beside.into_iter().any(|it| text(it) == effect.text && self.fate(it).survives())
                    || self.is_arm_now(effect)
            }
            EffectKind::Macro | EffectKind::Assignment | EffectKind::Try | EffectKind::Await => {
                false
            }
        }
    }

    /// Whether a call makes a text of a literal that stays.
    pub(crate) fn makes_text(&self, effect: &EffectSite<'_>) -> bool {
        let text = |at: usize| self.old.tokens.get(at).map_or("", |it| it.text);
        let of = effect.name.checked_sub(2).map_or("", text);
        effect.text == "from"
            && matches!(of, "String" | "Cow")
            && text(effect.anchor + 1).ends_with(['"', '#'])
            && text(effect.anchor + 2) == ")"
            && self.fate(effect.anchor + 1).survives()
    }

    pub(crate) fn lost_imports(
        &self,
        allowed: &Allowed,
        permitted: &mut Vec<Violation>,
        found: &mut Vec<Violation>,
    ) {
        for (path, at) in lost_imports(&self.old, &self.new) {
            let list = if allowed.import(self.path, &path) { &mut *permitted } else { &mut *found };
            list.push(self.violation(Rule::ImportRemoved, at, format!("`use {path}`")));
        }
    }

    /// Attributes are instructions for the compiler, and derives and `#[test]` generate code, so
    /// they must stay. A duplicate may be removed, and a derive that an impl of the user replaces: the
    /// tokens of those are returned.
    pub(crate) fn lost_attributes(
        &self,
        allowed: &Allowed,
        permitted: &mut Vec<Violation>,
        found: &mut Vec<Violation>,
    ) -> Vec<usize> {
        let mut replaced = Vec::new();
        for attribute in &self.old.attributes {
            let gone = |at: usize, is_double: bool| {
                !self.fate(at).survives()
                    && !is_double
                    && !self
                        .innermost(at)
                        .is_some_and(|it| it.kind != ElementKind::Other && self.is_lost(it))
            };
            let name = self.old_text(attribute.name);
            let has_own_rule = matches!(
                name,
                "cfg" | "cfg_attr" | "deny" | "derive" | "forbid" | "should_panic" | "warn"
            );
            if !has_own_rule && gone(attribute.name, self.is_double(attribute)) {
                let rule = match name {
                    "test" => Rule::TestRemoved,
                    _ if is_test_attribute(name) => Rule::TestWeakened,
                    _ => Rule::AttributeRemoved,
                };
                found.push(self.violation(rule, attribute.name, format!("`#[{name}]` is removed")));
            }
            if name == "derive" {
                for at in attribute.name + 1..attribute.end {
                    let token = &self.old.tokens[at];
                    let is_trait = token.kind == TokenKind::Word && self.old_text(at + 1) != "::";
                    if is_trait && gone(at, self.repeated(at)) {
                        let detail = format!("`derive({})`", token.text);
                        let violation = self.violation(Rule::DeriveRemoved, at, detail);
                        if allowed.derive(self, at) {
                            replaced.push(at);
                            permitted.push(violation);
                        } else {
                            found.push(violation);
                        }
                    }
                }
            }
        }
        replaced
    }
}
