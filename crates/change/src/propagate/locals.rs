//! Variables and parameters that have another name in the function now, or are fields of another one.

use base::{ByteSpan, SortedMap, SortedSet, is_word};
use edit::{Splice, diff_sequences};
use preserve::outline::{Token, TokenKind, is_keyword, tokens};
use refactor::{PlacedText, quoted, spelled};
use syntax::places::{Definition, DefinitionKind, DefinitionPart, PartKind, places};

use super::rename::is_shorthand;
use super::values::{core, fields_of};
use super::{Confidence, Errors, Propagation, propagation};
use crate::changed::texts;
use crate::project::Project;
use crate::{Guess, GuessKind, Intent, What};

/// For each name that a function misses and had in the base: the name that took its place there.
/// Calls of a function that has another name, or is gone, are left to those intents.
pub(super) fn locals(
    project: &Project<'_>,
    all: &[Intent],
    errors: &Errors<'_>,
) -> Vec<Propagation> {
    let mut found: SortedMap<(String, String), Propagation> = SortedMap::new();
    for marked in errors.marked() {
        if !matches!(marked.error.code.as_deref(), Some("E0423" | "E0425")) {
            continue;
        }
        let Some(text) = project.text(marked.path) else { continue };
        let old = text.slice(marked.span);
        if !quoted(&marked.error.message).any(|it| it == old) {
            continue;
        }
        if !marked.misses_value() && all.iter().any(|it| is_function(it, old)) {
            continue;
        }
        let base = project.difference.get(&text.path).and_then(|it| it.base.as_deref());
        let (Some(function), Some(base)) = (text.function_at(marked.span.start), base) else {
            continue;
        };
        let all = places(base);
        let Some(before) = all.definitions.iter().find(|it| is_same(it, function)) else {
            continue;
        };
        let (was, is) = (before.span.slice(base).unwrap_or(""), text.slice(function.span));
        let Some(names) = Names::of((before, was), (function, is), old) else { continue };
        let new =
            names.replaced(old).or_else(|| in_parameter(project, &text, before, function, old));
        if let Some(new) = new.or_else(|| names.only_new()) {
            let reason = format!("`{old}` is `{new}` in `{}` now", function.name);
            let insert = match is_shorthand(&text, marked.span) {
                true => format!("{old}: {new}"),
                false => new.clone(),
            };
            let key = (function.name.clone(), old.to_owned());
            let change =
                found.entry(key).or_insert_with(|| propagation(reason, Confidence::Likely));
            change.seeds.push(marked.seed);
            let field = field_of(&text, function, marked.span, &new);
            let span = field.unwrap_or(marked.span);
            let splice = Splice { span, insert };
            // A name that the function had before: the others of that name may mean another one now.
            if names.had.contains(&new) {
                change.confidence = Confidence::Guess;
                change.guesses.extend(Guess::of(&text.path, &splice, &new, GuessKind::Name));
            }
            change.splices.push((text.path.clone(), splice));
        }
    }
    found.into_values().collect()
}

/// Whether an intent gave a function that had this name another one, or removed it.
fn is_function(intent: &Intent, old: &str) -> bool {
    let (of, name) = match &intent.what {
        What::Renamed { of, from } => (of, from),
        What::Removed(of) => (of, &of.name),
        _ => return false,
    };
    of.kind == DefinitionKind::Function && name == old
}

/// Whether two definitions are the same function.
pub(super) fn is_same(a: &Definition, b: &Definition) -> bool {
    a.kind == DefinitionKind::Function
        && a.name == b.name
        && a.owner == b.owner
        && a.of_trait == b.of_trait
}

/// The names that a function binds, before and now, with its tokens.
struct Names<'t> {
    was: Vec<Token<'t>>,
    is: Vec<Token<'t>>,
    had: SortedSet<String>,
    has: SortedSet<String>,
}

impl<'t> Names<'t> {
    /// `None` if the function did not bind `old` before, or still does.
    fn of(
        (before, was): (&Definition, &'t str),
        (after, is): (&Definition, &'t str),
        old: &str,
    ) -> Option<Self> {
        let (was, is) = (tokens(was), tokens(is));
        let (had, has) = (bound(before, &was), bound(after, &is));
        (had.contains(old) && !has.contains(old)).then_some(Self { was, is, had, has })
    }

    /// The name that replaced `old` most often.
    fn replaced(&self, old: &str) -> Option<String> {
        let mut counts: SortedMap<&str, usize> = SortedMap::new();
        for (gone, come) in diff_sequences(&texts(&self.was), &texts(&self.is)) {
            if let ([gone], [come]) = (&self.was[gone], &self.is[come])
                && gone.is(old)
                && self.has.contains(come.text)
            {
                *counts.entry(come.text).or_default() += 1;
            }
        }
        let most = counts.into_iter().max_by_key(|(name, n)| (*n, std::cmp::Reverse(*name)));
        most.map(|(name, _)| name.to_owned())
    }

    /// The only new name, where only one is gone.
    fn only_new(&self) -> Option<String> {
        let gone = self.had.difference(&self.has).count();
        let mut come = self.has.difference(&self.had);
        match (gone, come.next(), come.next()) {
            (1, Some(name), None) => Some(name.clone()),
            _ => None,
        }
    }
}

/// The use of the field that is the parameter `new` now, of the old one at `old`: `&old.new`, with its
/// `&` if the parameter is a reference.
fn field_of(
    text: &PlacedText,
    function: &Definition,
    old: ByteSpan,
    new: &str,
) -> Option<ByteSpan> {
    let is_it = |it: &&DefinitionPart| it.kind == PartKind::Parameter && it.name == new;
    let ty = text.slice(function.parts.iter().find(is_it)?.ty?);
    let rest = text.text.get(old.end..)?.strip_prefix('.')?.strip_prefix(new)?;
    if rest.starts_with(is_word) || rest.starts_with('(') {
        return None;
    }
    let end = old.end + 1 + new.len();
    // What follows belongs to the referenced value.
    let is_whole = !rest.trim_start().starts_with(['.', '[', '?']);
    let before = text.text.get(..old.start)?;
    let sign = ["&mut ", "&"].into_iter().find(|it| before.ends_with(it));
    let sign =
        sign.filter(|it| is_whole && ty.starts_with(it.trim_end()) && !before.ends_with("&&"));
    Some(ByteSpan::new(old.start - sign.map_or(0, str::len), end))
}

/// The field of that name in a parameter that is new, where `old` was a parameter or variable.
fn in_parameter(
    project: &Project<'_>,
    text: &PlacedText,
    before: &Definition,
    function: &Definition,
    old: &str,
) -> Option<String> {
    let had = |name: &str| before.parts.iter().any(|it| it.name == name);
    let is_new = |it: &&DefinitionPart| it.kind == PartKind::Parameter && !it.name.is_empty();
    let mut new = function.parts.iter().filter(is_new).filter(|it| !had(&it.name));
    new.find_map(|it| {
        let ty = spelled(text.slice(it.ty?));
        let mut fields = fields_of(project, core(&ty)).into_iter();
        fields.any(|(field, _)| field == old).then(|| format!("{}.{old}", it.name))
    })
}

/// The names of the parameters, and those that `let` and `for` bind.
fn bound(function: &Definition, list: &[Token<'_>]) -> SortedSet<String> {
    let parameters = function.parts.iter().filter(|it| it.kind == PartKind::Parameter);
    let mut found: SortedSet<String> = parameters.map(|it| it.name.clone()).collect();
    let is_name = |it: &&Token<'_>| {
        it.kind == TokenKind::Word
            && !is_keyword(it.text)
            && it.text.starts_with(|it: char| it.is_lowercase() || it == '_')
    };
    for (at, _) in list.iter().enumerate().filter(|(_, it)| it.is("let") || it.is("for")) {
        let pattern =
            list[at + 1..].iter().take_while(|it| !it.is("=") && !it.is("in") && !it.is(";"));
        // After `:` come types.
        let pattern = pattern.take_while(|it| !it.is(":"));
        found.extend(pattern.filter(is_name).map(|it| it.text.to_owned()));
    }
    found.remove("");
    found
}
