//! Tuple variants and structs whose parts have got names: what makes them and takes them apart.

use base::ByteSpan;
use edit::Splice;
use refactor::{PlacedText, quoted};
use syntax::places::{DefinitionKind, Use, UseKind, places};

use super::positions::members;
use super::values::{Place, Wanted, values};
use super::{Confidence, Errors, Marked, Propagation, propagation};
use crate::project::{Project, has_word};
use crate::{Guess, GuessKind, Intent, What};

/// A variant or struct with its parts by index before, and by name now.
struct Named<'a> {
    /// `Enum::Variant` or `Struct`.
    owner: String,
    name: &'a str,
    old: Vec<(String, String)>,
    new: Vec<(String, String)>,
}

pub(super) fn named_parts(
    project: &Project<'_>,
    intent: &Intent,
    all: &[Intent],
    errors: &Errors<'_>,
    found: &mut Vec<Propagation>,
) {
    let Some(of) = Named::of(project, intent, all) else { return };
    let mut change =
        propagation(format!("the parts of `{}` have names now", of.owner), Confidence::Certain);
    for marked in errors.marked() {
        let Some(text) = project.text(marked.path) else { continue };
        if !of.is_misused(&marked, &text) {
            continue;
        }
        let Some((splice, guess)) = of.rewritten(project, &text, &marked) else { continue };
        if let Some(kind) = guess {
            change.confidence = Confidence::Likely;
            change.guesses.extend(Guess::of(&text.path, &splice, &splice.insert, kind));
        }
        change.seeds.push(marked.seed);
        change.splices.push((text.path.clone(), splice));
    }
    found.push(change);
}

/// Whether a variant or struct, whose parts went, has got named ones.
pub(super) fn has_names(it: &crate::DefinitionName, all: &[Intent]) -> bool {
    let owner = match it.kind {
        DefinitionKind::Variant => format!("{}::{}", it.owner, it.name),
        _ => it.name.clone(),
    };
    all.iter().any(|intent| {
        matches!(&intent.what, What::Added { of, .. }
            if of.kind == DefinitionKind::Field && of.owner == owner)
    })
}

impl<'a> Named<'a> {
    /// `None` unless the intent is the first about a variant or struct that has got names.
    fn of(project: &Project<'_>, intent: &'a Intent, all: &'a [Intent]) -> Option<Self> {
        let owner_of = |it: &'a Intent| match &it.what {
            What::Added { of, .. } if of.kind == DefinitionKind::Field => Some(of.owner.as_str()),
            _ => None,
        };
        let owner = owner_of(intent)?;
        let mut same =
            all.iter().filter(|it| owner_of(it) == Some(owner) && it.path == intent.path);
        if same.next().is_none_or(|it| it.what != intent.what) {
            return None;
        }
        let now = project.text(&intent.path)?;
        let base = project.difference.get(&intent.path)?.base.as_deref()?;
        let before = places(base);
        let name = owner.rsplit("::").next()?;
        // It was there, and had no names.
        before.definitions.iter().find(|it| {
            it.name == name && matches!(it.kind, DefinitionKind::Struct | DefinitionKind::Variant)
        })?;
        let old = members(&before, base, owner);
        let new = members(&now.places, &now.text, owner);
        let is_indexed = old.iter().all(|it| it.0.starts_with(|it: char| it.is_ascii_digit()));
        (is_indexed && !new.is_empty()).then(|| Self { owner: owner.to_owned(), name, old, new })
    }

    /// Whether the compiler takes the place for one with parts by index, or none.
    fn is_misused(&self, marked: &Marked<'_>, text: &PlacedText) -> bool {
        let code = marked.error.code.as_deref();
        matches!(code, Some("E0164" | "E0423" | "E0532" | "E0533" | "E0618"))
            && text
                .slice(marked.span)
                .rsplit("::")
                .next()
                .is_some_and(|it| it.starts_with(self.name))
            && quoted(&marked.error.message).any(|it| has_word(it, self.name))
    }

    /// The place with names, and what of it is guessed.
    fn rewritten(
        &self,
        project: &Project<'_>,
        text: &PlacedText,
        marked: &Marked<'_>,
    ) -> Option<(Splice, Option<GuessKind>)> {
        let around = self.use_at(text, marked.span);
        let is_pattern = around.is_some_and(|it| it.kind == UseKind::TuplePattern);
        let args: Vec<&str> =
            around.map_or(Vec::new(), |it| it.args.iter().map(|it| text.slice(it.value)).collect());
        if args.len() != self.old.len() && !around.is_some_and(|it| it.has_rest) {
            return None;
        }
        let (from, to) = match around {
            Some(it) => (it.name_span.end, it.list.end),
            None => (marked.span.end, marked.span.end),
        };
        let names = self.pairs()?;
        let mut parts = Vec::new();
        let mut guess = None;
        for (at, (name, ty)) in self.new.iter().enumerate() {
            let value = names.iter().position(|it| *it == at).and_then(|old| args.get(old));
            match value {
                Some(&"_") if is_pattern => {}
                Some(value) if value == name => parts.push(name.clone()),
                Some(value) => parts.push(format!("{name}: {value}")),
                None if is_pattern => {}
                None => {
                    let siblings = args.clone();
                    let place = Place { text, at: from, siblings, examples: Vec::new() };
                    let list = values(project, &place, &Wanted { name, ty });
                    // Another change binds a variable of that name.
                    let value = list.first().filter(|it| it.confidence == Confidence::Likely);
                    guess = guess.or(value.and_then(|it| it.guess.clone()));
                    match value {
                        Some(it) if it.text != *name => parts.push(format!("{name}: {}", it.text)),
                        _ => parts.push(name.clone()),
                    }
                }
            }
        }
        if is_pattern && parts.len() < self.new.len() {
            parts.push("..".to_owned());
        }
        let span = ByteSpan::new(from, to);
        Some((Splice { span, insert: format!(" {{ {} }}", parts.join(", ")) }, guess))
    }

    /// The call or pattern whose name is marked.
    fn use_at<'t>(&self, text: &'t PlacedText, marked: ByteSpan) -> Option<&'t Use> {
        let kinds = [UseKind::Call, UseKind::TuplePattern];
        let is_it = |it: &&Use| {
            kinds.contains(&it.kind)
                && it.name == self.name
                && marked.end >= it.name_span.end
                && it.span.start <= marked.start
        };
        text.uses_around(ByteSpan::new(marked.start, marked.start)).into_iter().find(is_it)
    }

    /// For each old part the index of the new one: the next of its type, else that at its place.
    fn pairs(&self) -> Option<Vec<usize>> {
        let mut found: Vec<usize> = Vec::new();
        for (at, (_, ty)) in self.old.iter().enumerate() {
            let is_free = |it: &usize| !found.contains(it);
            let same = (0..self.new.len()).filter(is_free).find(|it| self.new[*it].1 == *ty);
            let next = same.or((at < self.new.len() && is_free(&at)).then_some(at))?;
            found.push(next);
        }
        Some(found)
    }
}
