use std::collections::{BTreeMap, BTreeSet};

use base::{LineIndex, ProjectPath};
use edit::{FileChange, Overlay};

use crate::align::{Alignment, Fate, align, gives, whole_edit};
use crate::arrivals::{Arrivals, body};
use crate::files;
use crate::imports::lost_imports;
use crate::layout::{Layout, attributes_of, is_test_attribute};
use crate::names::Names;
use crate::outline::{Element, ElementKind, Outline, TokenKind, Unit, UnitKind, is_keyword};
use crate::reported::Reported;
use crate::visibility::name_token;
use crate::{Rule, Violation};

/// One file, old and new, with its tokens followed.
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
    /// Whether the file is removed, so that each of its tests is.
    pub(crate) is_removed: bool,
}

pub(crate) fn compare(overlay: &Overlay, reported: &Reported) -> Vec<Violation> {
    let mut found = Vec::new();
    let mut comparisons = Vec::new();
    let moved: BTreeSet<&ProjectPath> =
        overlay.changes().filter_map(|(_, change)| change.renamed_from.as_ref()).collect();
    for (path, change) in overlay.changes() {
        let from = change.renamed_from.as_ref().and_then(|it| overlay.get(it));
        let before = from.unwrap_or(change).before.as_ref().map(|it| &*it.text);
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
            comparisons.push(Comparison::new(path, before, after, change));
        }
    }
    let mut arrivals = Arrivals::of(&comparisons);
    let names = Names::of(&comparisons);
    for comparison in &comparisons {
        comparison.lost_tests(&comparisons, &arrivals, &mut found);
        if comparison.is_removed {
            continue;
        }
        let lost = comparison.lost_elements(&arrivals, &mut found);
        comparison.lost_units(&lost, &mut arrivals, &mut found);
        comparison.lost_imports(&mut found);
        comparison.lost_attributes(&mut found);
        comparison.held_values(&lost, &names, reported, &mut found);
        comparison.added_to_tests(&names, &mut found);
        comparison.conditions(&mut found);
        comparison.wrapped(&mut found);
        comparison.smuggled(&mut found);
        comparison.visibility(&comparisons, reported, &mut found);
        comparison.renamed(&comparisons, reported, &mut found);
        comparison.counts(&comparisons, &mut found);
    }
    Comparison::fewer_attributes(&comparisons, &mut found);
    found
}

/// A file of tests that goes takes its tests along; the others are named one by one.
pub(crate) fn removed_file(path: &ProjectPath, rule: Rule) -> Violation {
    Violation { rule, path: path.clone(), line: 1, detail: "the file is removed".to_owned() }
}

impl<'a> Comparison<'a> {
    fn new(path: &'a ProjectPath, before: &'a str, after: &'a str, change: &'a FileChange) -> Self {
        let (old, new) = (Outline::of(before), Outline::of(after));
        let alignment = if gives(&change.edit, before, after) {
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

    /// Whether a token of the new text is not one of the old text, in its place or renamed.
    pub(crate) fn is_new(&self, at: usize) -> bool {
        self.alignment.origins.get(at).copied().flatten().is_none()
    }

    /// Reports elements of which nothing is left, the outermost only; returns them and those
    /// that only moved, as ranges of tokens.
    fn lost_elements(
        &self,
        arrivals: &Arrivals<'_>,
        found: &mut Vec<Violation>,
    ) -> Vec<(usize, usize)> {
        let mut lost: Vec<(usize, usize)> = Vec::new();
        let mut elements: Vec<&Element> = self.old.elements.iter().collect();
        elements.sort_by_key(|it| (it.start, std::cmp::Reverse(it.end)));
        for element in elements {
            if matches!(element.kind, ElementKind::Import | ElementKind::Other)
                || lost.iter().any(|(start, end)| *start <= element.start && element.end <= *end)
                || !self.is_lost(element)
            {
                continue;
            }
            lost.push((element.start, element.end));
            if !arrivals.moved(&body(&self.old, element)) {
                let (rule, detail) = self.loss(element);
                found.push(self.violation(rule, element.head, detail));
            }
        }
        lost
    }

    /// Whether no content of the element survives; one without content cannot be lost.
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
            // Nothing but keywords and marks: `static || {};` counts, a stray `;` does not.
            let marks = (element.head..element.end).filter(|at| !self.old.tokens[*at].is(";"));
            return marks.clone().count() > 2
                && !marks.into_iter().any(|at| self.fate(at).survives());
        }
        !content.into_iter().any(|at| self.fate(at).survives())
    }

    fn loss(&self, element: &Element) -> (Rule, String) {
        let asserts =
            self.old.units.iter().any(|unit| {
                (element.start..element.end).contains(&unit.anchor) && is_assertion(unit)
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

    fn lost_units(
        &self,
        lost: &[(usize, usize)],
        arrivals: &mut Arrivals<'a>,
        found: &mut Vec<Violation>,
    ) {
        for unit in &self.old.units {
            if lost.iter().any(|(start, end)| (*start..*end).contains(&unit.anchor)) {
                continue;
            }
            let rule = match self.fate(unit.anchor) {
                Fate::Kept(_) | Fate::Renamed(_) if !is_assertion(unit) => continue,
                Fate::Kept(new) | Fate::Renamed(new) if self.still_asserts(unit, new) => continue,
                _ => self.rule_of_effect(unit),
            };
            if self.is_excused(unit) || arrivals.take(unit) {
                continue;
            }
            let detail = quote(self.before, &self.old, unit.name, unit.anchor + 1);
            found.push(self.violation(rule, unit.anchor, detail));
        }
    }

    /// Whether the macro call at `new` is the assertion `unit` was.
    fn still_asserts(&self, unit: &Unit<'_>, new: usize) -> bool {
        self.new.units.iter().any(|it| {
            it.anchor == new
                && is_assertion(it)
                && (it.text == unit.text || !KNOWN_ASSERTIONS.contains(&unit.text))
        })
    }

    /// What may go although it looks like an effect.
    fn is_excused(&self, unit: &Unit<'_>) -> bool {
        let text = |at: usize| self.old.tokens.get(at).map_or("", |it| it.text);
        match unit.kind {
            // `Some(x)` → `x`: a constructor does nothing but hold its arguments.
            UnitKind::Call if unit.text.starts_with(char::is_uppercase) => true,
            // `x.len()` → `x.len`: compiles only where it was never a call. `x.clone()` → `x`:
            // the value is held in another way.
            UnitKind::Call => {
                let method = unit.name.checked_sub(1).is_some_and(|it| text(it) == ".");
                method
                    && text(unit.anchor + 1) == ")"
                    && (self.fate(unit.name).survives() || CONVERSIONS.contains(&unit.text))
            }
            // `if if x` → `if x`: said twice.
            UnitKind::Control => [unit.anchor.wrapping_sub(1), unit.anchor + 1]
                .into_iter()
                .any(|it| text(it) == unit.text && self.fate(it).survives()),
            UnitKind::Macro | UnitKind::Assignment | UnitKind::Try | UnitKind::Await => false,
        }
    }

    fn lost_imports(&self, found: &mut Vec<Violation>) {
        for (path, at) in lost_imports(&self.old, &self.new) {
            found.push(self.violation(Rule::ImportRemoved, at, format!("`use {path}`")));
        }
    }

    /// Attributes are orders to the compiler, and derives and `#[test]` make code: without them
    /// it is gone. One that is said twice may go once.
    fn lost_attributes(&self, found: &mut Vec<Violation>) {
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
                        found.push(self.violation(Rule::DeriveRemoved, at, detail));
                    }
                }
            }
        }
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

    /// Whether the same word stands among the same element's attributes once more, and stays.
    pub(crate) fn repeated(&self, at: usize) -> bool {
        self.innermost(at).is_some_and(|element| {
            (element.start..element.head).any(|it| {
                it != at && self.old_text(it) == self.old_text(at) && self.fate(it).survives()
            })
        })
    }
}

/// Methods that do nothing but hold a value in another way.
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

pub(crate) fn is_assertion(unit: &Unit<'_>) -> bool {
    unit.kind == UnitKind::Macro && is_assertion_name(unit.text)
}

/// Whether a macro of this name asserts.
pub(crate) fn is_assertion_name(name: &str) -> bool {
    ["assert", "debug_assert", "prop_assert"].iter().any(|it| name.starts_with(it))
}

/// A stretch of the text on one line, cut where it is long.
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
