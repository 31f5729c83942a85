//! Elements that become more or less visible although no error is about their visibility.

use base::{ByteSpan, SortedMap};

use crate::align::Fate;
use crate::compare::{Comparison, name_token};
use crate::imports::{imports, last_name};
use crate::outline::{Element, ElementKind, Outline};
use crate::reported::Reported;
use crate::{Allowed, Rule, Violation};

/// Errors that a wider visibility of an item may fix.
const WIDENING: &[&str] = &[
    "E0364", "E0365", "E0423", "E0425", "E0432", "E0433", "E0446", "E0451", "E0603", "E0616",
    "E0624",
];
/// Errors about a visibility that must not be written.
const NARROWING: &[&str] = &["E0364", "E0446", "E0449"];

/// The scope in which an item is visible.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Visibility {
    Private,
    /// `pub(super)`, `pub(self)`, `pub(in …)`.
    Ancestor,
    Crate,
    Public,
}

impl<'a> Comparison<'a> {
    /// Reports elements that are more or less visible than before, if no error is about that.
    pub(crate) fn visibility(
        &self,
        all: &[Comparison<'a>],
        (reported, allowed): (&Reported, &Allowed),
        found: &mut Vec<Violation>,
    ) {
        for element in &self.old.elements {
            let has_one = matches!(
                element.kind,
                ElementKind::Item | ElementKind::Field | ElementKind::Variant
            );
            if !has_one || is_in_trait(self, &self.old, element) {
                continue;
            }
            let Some((other, now)) = self.later(element, all) else { continue };
            if is_in_trait(other, &other.new, now) {
                continue;
            }
            let was = visibility(&self.old, element);
            let is = visibility(&other.new, now);
            if was == is {
                continue;
            }
            let name = name_of(&self.old, element);
            let new_name = name_of(&other.new, now);
            let is_of_crate = was < is && is <= Visibility::Crate;
            if is_of_crate && allowed.is_reached(self.path, &name) {
                continue;
            }
            self.report(element, (was, is), (&name, &new_name), reported, found);
        }
        self.import_visibility(reported, found);
    }

    fn report(
        &self,
        element: &Element,
        (was, is): (Visibility, Visibility),
        (name, new_name): (&str, &str),
        reported: &Reported,
        found: &mut Vec<Violation>,
    ) {
        let named = |codes: &[&str]| reported.of_code_names(codes, new_name);
        let head = self.head_span(element);
        let rule = if is > was && !named(WIDENING) {
            Rule::VisibilityWidened
        } else if is < was && !named(NARROWING) && !reported.is_within(NARROWING, self.path, head) {
            Rule::VisibilityReduced
        } else {
            return;
        };
        let detail = format!("`{name}` was {} and is {}", description(was), description(is));
        found.push(self.violation(rule, element.head, detail));
    }

    /// From the first token of an element to the one after its visibility.
    fn head_span(&self, element: &Element) -> ByteSpan {
        let start = self.old.tokens.get(element.start).map_or(0, |it| it.span.start);
        let end = self.old.tokens.get(element.head).map_or(start, |it| it.span.end);
        ByteSpan::new(start, end.max(start))
    }

    /// The element in the new texts: where its name is now, or the one with its name.
    pub(crate) fn later<'c>(
        &'c self,
        element: &Element,
        all: &'c [Comparison<'a>],
    ) -> Option<(&'c Comparison<'a>, &'c Element)> {
        let name = name_token(&self.old, element);
        if let Fate::Kept(at) | Fate::Renamed(at) = self.fate(name) {
            // A macro call around items is also identified by the first of them.
            let named = self.new_names.get(&at)?.iter().map(|it| &self.new.elements[*it]);
            let now = named
                .filter(|it| it.kind == element.kind)
                .max_by_key(|it| self.fate(element.head) == Fate::Kept(it.head))?;
            return Some((self, now));
        }
        if element.kind != ElementKind::Item {
            return None;
        }
        let keyword = self.old.before(name, 1);
        all.iter().find_map(|other| {
            let now = other.new.elements.iter().find(|it| {
                let at = name_token(&other.new, it);
                it.kind == ElementKind::Item
                    && other.is_new(at)
                    && other.new.text(at) == self.old_text(name)
                    && other.new.before(at, 1) == keyword
            })?;
            Some((other, now))
        })
    }

    /// The same for imports, by the name that they introduce.
    fn import_visibility(&self, reported: &Reported, found: &mut Vec<Violation>) {
        let (before, after) = (imported(&self.old), imported(&self.new));
        for (name, (was, at)) in &before {
            let Some((is, _)) = after.get(name) else { continue };
            let Some(element) = self.old.elements.iter().find(|it| it.start == *at) else {
                continue;
            };
            self.report(element, (*was, *is), (name, name), reported, found);
        }
    }
}

/// The names that imports introduce, with the widest visibility and its declaration.
fn imported(outline: &Outline<'_>) -> SortedMap<String, (Visibility, usize)> {
    let mut found: SortedMap<String, (Visibility, usize)> = SortedMap::new();
    for (path, start) in imports(outline) {
        let Some(element) = outline.elements.iter().find(|it| it.start == start) else { continue };
        let name = last_name(&path).to_owned();
        let seen = (visibility(outline, element), start);
        let entry = found.entry(name).or_insert(seen);
        if seen.0 > entry.0 {
            *entry = seen;
        }
    }
    found
}

fn visibility(outline: &Outline<'_>, element: &Element) -> Visibility {
    // A visibility written after a qualifier is after the head.
    let end = match element.kind {
        ElementKind::Item => outline.item_name(element),
        _ => element.head,
    };
    let is_word = |at: &usize| {
        // Not a `pub` among an attribute's arguments.
        let is_argument = matches!(outline.before(*at, 1), "(" | "," | "[");
        outline.text(*at) == "pub" && (*at == element.start || !is_argument)
    };
    let word = (element.start..end.max(element.head)).rev().find(is_word);
    let Some(at) = word else { return Visibility::Private };
    match (outline.text(at + 1), outline.text(at + 2)) {
        ("(", "crate") => Visibility::Crate,
        ("(", "super" | "self" | "in") => Visibility::Ancestor,
        _ => Visibility::Public,
    }
}

/// The name as the compiler prints it: unnamed fields have numbers.
fn name_of(outline: &Outline<'_>, element: &Element) -> String {
    if element.kind == ElementKind::Item && outline.text(element.head) == "impl" {
        // Without a name no error can ask for it.
        return String::new();
    }
    let is_numbered = element.kind == ElementKind::Field && outline.text(element.head + 1) != ":";
    if !is_numbered {
        return outline.text(name_token(outline, element)).to_owned();
    }
    let before = outline.elements.iter().filter(|it| {
        it.kind == ElementKind::Field && it.end <= element.start && follows(outline, it, element)
    });
    before.count().to_string()
}

/// Whether two members are in one list: no bracket between them closes it.
fn follows(outline: &Outline<'_>, first: &Element, second: &Element) -> bool {
    let mut at = first.end;
    while at < second.start {
        if matches!(outline.text(at), ")" | "}" | "]") {
            return false;
        }
        at = outline.close[at].max(at) + 1;
    }
    true
}

/// Whether an item has the visibility of its trait.
fn is_in_trait(comparison: &Comparison<'_>, outline: &Outline<'_>, element: &Element) -> bool {
    let layout = if std::ptr::eq(outline, &comparison.old) {
        &comparison.old_layout
    } else {
        &comparison.new_layout
    };
    let Some(open) = layout.parents.get(element.start).copied().flatten() else { return false };
    let Some(owner) = layout.owner(outline, open) else { return false };
    if owner.kind != ElementKind::Item || outline.text(open) != "{" {
        return false;
    }
    let head = owner.head..open;
    let is_trait = matches!(outline.text(owner.head), "trait")
        || (outline.text(owner.head) == "unsafe" && outline.text(owner.head + 1) == "trait");
    let of_trait = head.clone().any(|at| outline.text(at) == "impl")
        && head.clone().any(|at| outline.text(at) == "for" && outline.text(at + 1) != "<");
    is_trait || of_trait
}

fn description(visibility: Visibility) -> &'static str {
    match visibility {
        Visibility::Private => "private",
        Visibility::Ancestor => "visible in a parent module",
        Visibility::Crate => "visible in its crate",
        Visibility::Public => "public",
    }
}
