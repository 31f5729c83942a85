//! Declarations with a new name that no error asks for: other users of the name would lose it.

use base::{SortedMap, SortedSet};

use crate::align::Fate;
use crate::compare::{Comparison, name_token, quote};
use crate::imports::{defines, imports, last_name};
use crate::layout::is_name;
use crate::outline::{Element, ElementKind, Outline};
use crate::position::TextView;
use crate::reported::Reported;
use crate::{Allowed, Rule, Violation};

/// A declaration without its position.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Declaration<'a> {
    keyword: &'a str,
    /// Name, or head of an `impl`.
    name: String,
}

impl<'a> Comparison<'a> {
    /// Reports declarations that were renamed although no error has the old or the new name: other
    /// users of the name would lose it.
    pub(crate) fn renamed(
        &self,
        all: &[Comparison<'a>],
        reported: &Reported,
        allowed: &Allowed,
        found: &mut Vec<Violation>,
    ) {
        let had = tally(all.iter().map(Comparison::old_view));
        let has = tally(all.iter().map(Comparison::new_view));
        for element in &self.old.elements {
            let Some(key) = declared(self.old_view(), element) else { continue };
            let is_there =
                has.get(&key).copied().unwrap_or(0) >= had.get(&key).copied().unwrap_or(0);
            if is_there || self.stays(element, &key) || self.is_lost(element) {
                continue;
            }
            let is_permitted = allowed.element(self, element, Rule::ItemRemoved);
            if !is_permitted && !self.is_asked_for(element, &key, all, reported) {
                let detail = quote(self.before, &self.old, element.head, element.end);
                found.push(self.violation(Rule::ItemRemoved, element.head, detail));
            }
        }
        self.renamed_imports(all, reported, allowed, found);
    }

    /// Whether the declaration is still at its position with its name.
    fn stays(&self, element: &Element, declaration: &Declaration<'_>) -> bool {
        let Fate::Kept(at) = self.fate(name_token(&self.old, element)) else { return false };
        self.new.elements.iter().any(|it| {
            it.kind == element.kind
                && name_token(&self.new, it) == at
                && declared(self.new_view(), it).as_ref() == Some(declaration)
        })
    }

    /// Whether an error names the old declaration or the one that replaces it.
    fn is_asked_for(
        &self,
        element: &Element,
        declaration: &Declaration<'_>,
        all: &[Comparison<'a>],
        reported: &Reported,
    ) -> bool {
        // Without a replacement it is removed, not renamed.
        if declaration.keyword == "impl" {
            let Some((other, now)) = self.later(element, all) else { return false };
            let names = |it: Vec<&'a str>| -> SortedSet<&'a str> { it.into_iter().collect() };
            let was = names(implemented(&self.old, element));
            let is = names(implemented(&other.new, now));
            return other.new.text(now.head) == self.old.text(element.head)
                && was.symmetric_difference(&is).any(|it| reported.names(it));
        }
        let Fate::Renamed(at) = self.fate(name_token(&self.old, element)) else { return false };
        let declares = self
            .new_names
            .get(&at)
            .is_some_and(|it| it.iter().any(|idx| self.new.elements[*idx].kind == element.kind));
        declares && (reported.names(&declaration.name) || reported.names(self.new.text(at)))
    }

    /// Names that imports introduced and no import of the changed files introduces now.
    fn renamed_imports(
        &self,
        all: &[Comparison<'a>],
        reported: &Reported,
        allowed: &Allowed,
        found: &mut Vec<Violation>,
    ) {
        let introduced: SortedSet<String> =
            all.iter().flat_map(|it| imports(&it.new).into_keys()).map(|it| name_of(&it)).collect();
        let had: SortedSet<String> =
            imports(&self.old).into_keys().map(|path| name_of(&path)).collect();
        let mut fresh = introduced.difference(&had).peekable();
        let has_fresh = fresh.peek().is_some();
        let fresh_is_named = fresh.any(|it| reported.names(it));
        for (path, at) in imports(&self.old) {
            let name = name_of(&path);
            let is_named = has_fresh && (fresh_is_named || reported.names(&name));
            let is_gone = !introduced.contains(&name) && !defines(&self.new, &name);
            if is_gone && name != "_" && !is_named && !allowed.import(self.path, &path) {
                found.push(self.violation(Rule::ImportRemoved, at, format!("`use {path}`")));
            }
        }
    }
}

/// Number of declarations in all files.
fn tally<'c, 'a: 'c>(
    texts: impl Iterator<Item = TextView<'c, 'a>>,
) -> SortedMap<Declaration<'a>, usize> {
    let mut found = SortedMap::new();
    for text in texts {
        for element in &text.outline.elements {
            if let Some(key) = declared(text, element) {
                *found.entry(key).or_default() += 1;
            }
        }
    }
    found
}

/// What an element declares; `None` in the body of a macro definition.
fn declared<'a>(text: TextView<'_, 'a>, element: &Element) -> Option<Declaration<'a>> {
    if text.layout.in_macro(element.start) {
        return None;
    }
    let outline = text.outline;
    let name = name_token(outline, element);
    let named = |keyword: &'a str, at: usize| {
        Some(Declaration { keyword, name: outline.text(at).to_owned() })
    };
    match element.kind {
        ElementKind::Variant => named("variant", name),
        ElementKind::Field if outline.text(element.head + 1) == ":" => {
            let open = text.layout.parents.get(element.start).copied().flatten()?;
            let of = text.layout.owner(outline, open)?;
            let is_type = of.kind == ElementKind::Variant
                || matches!(outline.text(of.head), "struct" | "enum" | "union");
            named("field", name).filter(|_| is_type)
        }
        ElementKind::Item => match outline.before(name, 1) {
            "extern" if outline.text(name) == "crate" => named("extern crate", name + 1),
            "!" => named("macro_rules", name),
            // Without a type it is a mistake for `let`.
            "const" | "mut" | "static" if outline.text(name + 1) != ":" => None,
            "mut" => named("static", name),
            keyword @ ("fn" | "struct" | "enum" | "union" | "trait" | "mod" | "const"
            | "static" | "type") => named(keyword, name),
            _ => {
                let is_impl = (element.head..element.head + 3).any(|at| outline.text(at) == "impl");
                is_impl.then(|| Declaration {
                    keyword: "impl",
                    name: implemented(outline, element).join(" for "),
                })
            }
        },
        _ => None,
    }
}

/// The trait and the type of an `impl`, in their order, without paths and generics.
fn implemented<'a>(outline: &Outline<'a>, element: &Element) -> Vec<&'a str> {
    let mut found = Vec::new();
    // Open `<`, `[` and `(`: an array in them has a `;`, a constant braces.
    let mut depth = 0usize;
    for at in element.head..element.end {
        match outline.text(at) {
            "{" | ";" | "where" if depth == 0 => break,
            "<" | "[" | "(" => depth += 1,
            ">" | "]" | ")" => depth = depth.saturating_sub(1),
            word if depth == 0 && is_name(outline, at) && outline.text(at + 1) != "::" => {
                found.push(word);
            }
            _ => {}
        }
    }
    found
}

/// The name that an imported path introduces; for `a::*` its end.
fn name_of(path: &str) -> String {
    match path.strip_suffix("::*") {
        Some(of) => format!("{}::*", last_name(of)),
        None => last_name(path).to_owned(),
    }
}
