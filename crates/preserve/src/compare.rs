use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use base::{LineIndex, ProjectPath};
use edit::{FileChange, Overlay};

use crate::added_code::{AddedCode, body};
use crate::align::{Alignment, Fate, align, leads_to, whole_edit};
use crate::completed::is_completion;
use crate::conflicts::resolved_as;
use crate::files;
use crate::imports::lost_imports;
use crate::layout::{Layout, attributes_of, is_test_attribute};
use crate::names::Names;
use crate::outline::{Effect, EffectKind, Element, ElementKind, Outline, TokenKind, is_keyword};
use crate::reported::Reported;
use crate::visibility::name_token;
use crate::{Allowed, Preservation, Rule, Violation};

/// One file before and after the change, with its tokens aligned.
pub(crate) struct Comparison<'a> {
    pub(crate) path: &'a ProjectPath,
    pub(crate) before: &'a str,
    pub(crate) after: &'a str,
    pub(crate) old: Outline<'a>,
    pub(crate) new: Outline<'a>,
    pub(crate) alignment: Alignment,
    pub(crate) old_layout: Layout,
    pub(crate) new_layout: Layout,
    /// The new elements by the tokens that name them.
    pub(crate) new_names: BTreeMap<usize, Vec<usize>>,
    /// Whether the file is removed, and thus all of its tokens.
    pub(crate) is_removed: bool,
}

pub(crate) fn compare(overlay: &Overlay, reported: &Reported, allowed: &Allowed) -> Preservation {
    let mut found = Vec::new();
    let mut permitted = Vec::new();
    let mut comparisons = Vec::new();
    let moved: BTreeSet<&ProjectPath> =
        overlay.changes().filter_map(|(_, change)| change.renamed_from.as_ref()).collect();
    let resolved: BTreeMap<&ProjectPath, String> = overlay
        .changes()
        .filter_map(|(path, it)| Some((path, resolved_as(it.before_text(), it.after_text())?)))
        .collect();
    for (path, change) in overlay.changes() {
        let from = change.renamed_from.as_ref().and_then(|it| overlay.get(it));
        let before = from.unwrap_or(change).before.as_ref().map(|it| &*it.text);
        let before = resolved.get(path).map(String::as_str).or(before);
        let after = change.after.as_ref().map(|it| &*it.text);
        files::compare(path, change, before, after, &mut found);
        if after.is_none() && before.is_some() {
            if !moved.contains(path) {
                found.push(removed_file(path, Rule::ItemRemoved));
            }
            if path.as_str().ends_with(".rs") && !moved.contains(path) {
                comparisons.push(Comparison::new(path, before.unwrap_or(""), "", change));
            }
            continue;
        }
        if path.as_str().ends_with(".rs") {
            let (before, after) = (before.unwrap_or(""), after.unwrap_or(""));
            if change.renamed_from.is_none() && is_completion(before, after) {
                continue;
            }
            comparisons.push(Comparison::new(path, before, after, change));
        }
    }
    let mut added_code = AddedCode::of(&comparisons);
    let names = Names::of(&comparisons, allowed);
    // Those of what may go.
    let mut attributes = 0;
    for comparison in &comparisons {
        comparison.lost_tests(&comparisons, &added_code, &mut found);
        if comparison.is_removed {
            continue;
        }
        let (lost, mut may_go) =
            comparison.lost_elements(&added_code, allowed, &mut permitted, &mut found);
        for (effect, violation) in comparison.lost_effects(&lost, &mut added_code) {
            let may = violation.rule == Rule::EffectRemoved
                && (allowed.argument(comparison, effect.anchor)
                    || comparison.returns_instead(effect, reported));
            if may {
                may_go.push(effect.name..effect.anchor + 1);
                permitted.push(violation);
            } else {
                found.push(violation);
            }
        }
        comparison.lost_imports(allowed, &mut permitted, &mut found);
        for at in comparison.lost_attributes(allowed, &mut permitted, &mut found) {
            may_go.push(at..at + 1);
            attributes += 1;
        }
        comparison.edited_values(&lost, &names, reported, &mut found);
        comparison.added_to_tests(&names, &mut found);
        comparison.conditions(&mut found);
        comparison.wrapped(&mut found);
        comparison.forbidden_additions(&mut found);
        comparison.visibility(&comparisons, reported, &mut found);
        comparison.renamed(&comparisons, reported, allowed, &mut found);
        comparison.counts(&comparisons, &may_go, &mut found);
        attributes += comparison.attributes_in(&may_go);
    }
    Comparison::fewer_attributes(&comparisons, attributes, &mut found);
    Preservation { violations: found, allowed: permitted }
}

/// The violation for a removed file; a test file covers its tests, in other files they are reported
/// one by one.
pub(crate) fn removed_file(path: &ProjectPath, rule: Rule) -> Violation {
    Violation { rule, path: path.clone(), line: 1, detail: "the file is removed".to_owned() }
}

/// A token in the form of the newest edition: `..=` for the range `...`, and a word without its `r#` if
/// it is a keyword of some editions only.
fn edition_free(word: &str) -> &str {
    match word.strip_prefix("r#") {
        None if word == "..." => "..=",
        Some(name @ ("async" | "dyn" | "gen" | "try")) => name,
        _ => word,
    }
}

impl<'a> Comparison<'a> {
    fn new(path: &'a ProjectPath, before: &'a str, after: &'a str, change: &'a FileChange) -> Self {
        let (mut old, mut new) = (Outline::of(before), Outline::of(after));
        for token in old.tokens.iter_mut().chain(&mut new.tokens) {
            token.text = edition_free(token.text);
        }
        let alignment = if leads_to(&change.edit, before, after) {
            align(&old, &new, &change.edit)
        } else {
            align(&old, &new, &whole_edit(before, after))
        };
        let from = change.renamed_from.as_ref().unwrap_or(path);
        let old_layout = Layout::of(from.as_str(), &old);
        let new_layout = Layout::of(path.as_str(), &new);
        let mut new_names: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (idx, element) in new.elements.iter().enumerate() {
            new_names.entry(name_token(&new, element)).or_default().push(idx);
        }
        Self {
            path,
            before,
            after,
            old,
            new,
            alignment,
            old_layout,
            new_layout,
            new_names,
            is_removed: change.after.is_none(),
        }
    }

    pub(crate) fn violation(&self, rule: Rule, at: usize, detail: String) -> Violation {
        let byte = self.old.tokens.get(at).map_or(0, |it| it.span.start);
        let line = LineIndex::new(self.before).line_of(byte);
        Violation { rule, path: self.path.clone(), line, detail }
    }

    pub(crate) fn violation_in_new(&self, rule: Rule, at: usize, detail: String) -> Violation {
        let byte = self.new.tokens.get(at).map_or(0, |it| it.span.start);
        let line = LineIndex::new(self.after).line_of(byte);
        Violation { rule, path: self.path.clone(), line, detail }
    }

    pub(crate) fn fate(&self, at: usize) -> Fate {
        self.alignment.fates.get(at).copied().unwrap_or(Fate::Gone)
    }

    /// Whether a token of the new text is not one of the old text, at its position or renamed.
    pub(crate) fn is_new(&self, at: usize) -> bool {
        self.alignment.origins.get(at).copied().flatten().is_none()
    }

    /// Reports elements that are lost, the outermost only; returns the token ranges of these and of
    /// moved ones, and those of permitted ones.
    fn lost_elements(
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

    /// Whether none of the element's content is left; one without content cannot be lost.
    pub(crate) fn is_lost(&self, element: &Element) -> bool {
        let content = |at: &usize| {
            let token = &self.old.tokens[*at];
            token.is_solid()
                && (!is_keyword(token.text)
                    || matches!(token.text, "return" | "break" | "continue"))
        };
        if element.kind == ElementKind::Item && self.fate(self.old.item_name(element)).survives() {
            return false;
        }
        let content: Vec<usize> = (element.head..element.end).filter(content).collect();
        if content.is_empty() {
            // Only keywords and punctuation: `static || {};` counts, a stray `;` does not.
            let marks = (element.head..element.end).filter(|at| !self.old.tokens[*at].is(";"));
            return marks.clone().count() > 2
                && !marks.into_iter().any(|at| self.fate(at).survives());
        }
        !content.into_iter().any(|at| self.fate(at).survives())
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
    fn lost_effects(
        &self,
        lost: &[Range<usize>],
        added_code: &mut AddedCode<'a>,
    ) -> Vec<(&Effect<'a>, Violation)> {
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
            if self.is_excused(effect) || added_code.take(effect) {
                continue;
            }
            let detail = quote(self.before, &self.old, effect.name, effect.anchor + 1);
            found.push((effect, self.violation(rule, effect.anchor, detail)));
        }
        found
    }

    /// Whether the macro call at `new` is still the assertion that `effect` was.
    fn still_asserts(&self, effect: &Effect<'_>, new: usize) -> bool {
        self.new.effects.iter().any(|it| {
            it.anchor == new
                && is_assertion(it)
                && (it.text == effect.text || !KNOWN_ASSERTIONS.contains(&effect.text))
        })
    }

    /// What may be removed although it looks like an effect.
    fn is_excused(&self, effect: &Effect<'_>) -> bool {
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

    fn lost_imports(
        &self,
        allowed: &Allowed,
        permitted: &mut Vec<Violation>,
        found: &mut Vec<Violation>,
    ) {
        for (path, at) in lost_imports(&self.old, &self.new) {
            let list = if allowed.import(&path) { &mut *permitted } else { &mut *found };
            list.push(self.violation(Rule::ImportRemoved, at, format!("`use {path}`")));
        }
    }

    /// Attributes are instructions for the compiler, and derives and `#[test]` generate code, so
    /// they must stay. A duplicate may be removed, and a derive that an impl of the user replaces: the
    /// tokens of those are returned.
    fn lost_attributes(
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

    pub(crate) fn old_text(&self, at: usize) -> &str {
        self.old.tokens.get(at).map_or("", |it| it.text)
    }

    pub(crate) fn innermost(&self, at: usize) -> Option<&Element> {
        self.old
            .elements
            .iter()
            .filter(|it| (it.start..it.end).contains(&at))
            .min_by_key(|it| it.end - it.start)
    }

    /// Whether the same element has the same word in its attributes once more, and keeps it.
    pub(crate) fn repeated(&self, at: usize) -> bool {
        self.innermost(at).is_some_and(|element| {
            (element.start..element.head).any(|it| {
                it != at && self.old_text(it) == self.old_text(at) && self.fate(it).survives()
            })
        })
    }
}

/// Methods that only convert a value.
pub(crate) const CONVERSIONS: &[&str] = &[
    "as_bytes",
    "as_deref",
    "as_mut",
    "as_ref",
    "as_slice",
    "as_str",
    "borrow",
    "borrow_mut",
    "by_ref",
    "clone",
    "cloned",
    "copied",
    "into",
    "into_iter",
    "iter",
    "iter_mut",
    "to_owned",
    "to_string",
    "to_vec",
];

const KNOWN_ASSERTIONS: &[&str] =
    &["assert", "assert_eq", "assert_ne", "debug_assert", "debug_assert_eq", "debug_assert_ne"];

pub(crate) fn is_assertion(effect: &Effect<'_>) -> bool {
    effect.kind == EffectKind::Macro && is_assertion_name(effect.text)
}

/// Whether a macro with this name asserts.
pub(crate) fn is_assertion_name(name: &str) -> bool {
    ["assert", "debug_assert", "prop_assert"].iter().any(|it| name.starts_with(it))
}

/// A range of the text on one line, truncated.
pub(crate) fn quote(text: &str, outline: &Outline<'_>, start: usize, end: usize) -> String {
    const LONGEST: usize = 60;
    let first = outline.tokens.get(start).map_or(0, |it| it.span.start);
    let last = end
        .checked_sub(1)
        .and_then(|it| outline.tokens.get(it))
        .map_or(text.len(), |it| it.span.end);
    let slice = text.get(first..last.max(first)).unwrap_or("");
    let line = slice.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("`{}…`", &line[..at]),
        None => format!("`{line}`"),
    }
}
