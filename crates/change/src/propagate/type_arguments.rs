//! Types that have lost a lifetime or another generic parameter: the arguments in their uses, and the
//! declarations that nothing else needs.

use base::ByteSpan;
use edit::Splice;
use preserve::outline::{Token, tokens};
use refactor::PlacedText;
use refactor::{angle_elements, closed, heads};
use syntax::places::{Definition, DefinitionKind, PartKind, places};

use super::{Confidence, Errors, Marked, Propagation, propagation};
use crate::project::Project;

/// A type whose generic parameters the difference has changed, as written.
pub(super) struct Generic {
    pub(super) name: String,
    before: Vec<String>,
    after: Vec<String>,
}

/// The types whose generic parameters differ, by file and position.
pub(super) fn changed(project: &Project<'_>) -> Vec<Generic> {
    let mut found = Vec::new();
    for (path, sides) in project.difference.files() {
        let (Some(base), Some(text)) = (&sides.base, project.text(path)) else { continue };
        let old = places(base);
        for now in text.places.definitions.iter().filter(|it| is_type(it)) {
            let is_same = |it: &&Definition| it.kind == now.kind && it.name == now.name;
            let Some(was) = old.definitions.iter().find(is_same) else { continue };
            let (before, after) = (parameters(was, base), parameters(now, &text.text));
            if before != after {
                found.push(Generic { name: now.name.clone(), before, after });
            }
        }
    }
    found
}

pub(super) fn is_type(it: &Definition) -> bool {
    use DefinitionKind as K;
    matches!(it.kind, K::Struct | K::Enum | K::Trait | K::TypeAlias) && it.owner.is_empty()
}

/// The generic parameters of a definition, as written.
pub(super) fn parameters(of: &Definition, text: &str) -> Vec<String> {
    let list = of.parts.iter().find(|it| it.kind == PartKind::Generics);
    let list = list.and_then(|it| it.span.slice(text)).unwrap_or("");
    let all = tokens(list);
    let inner = all.get(1..all.len().saturating_sub(1)).unwrap_or(&[]);
    angle_elements(inner).iter().filter_map(|it| it.slice(list)).map(str::to_owned).collect()
}

/// The name that a generic parameter declares, a lifetime with its quote.
pub(super) fn declared(parameter: &str) -> &str {
    let list = tokens(parameter);
    list.iter().find(|it| !it.is("const")).map_or("", |it| it.text)
}

pub(super) fn is_lifetime(argument: &str) -> bool {
    argument.starts_with('\'')
}

impl Generic {
    /// The parameters that are new.
    pub(super) fn added(&self) -> Vec<String> {
        let is_new = |it: &&String| !self.before.iter().any(|old| declared(old) == declared(it));
        self.after.iter().filter(is_new).cloned().collect()
    }

    /// The indices of what is gone among the old parameters; `None` if one is new.
    fn gone(&self) -> Option<Vec<usize>> {
        let is_kept = |it: &String| self.after.iter().any(|new| declared(new) == declared(it));
        let gone = (0..self.before.len()).filter(|at| !is_kept(&self.before[*at]));
        self.added().is_empty().then(|| gone.collect())
    }
}

/// The arguments of types that have fewer parameters now.
pub(super) fn type_arguments(project: &Project<'_>, errors: &Errors<'_>) -> Vec<Propagation> {
    let mut found = Vec::new();
    if !errors.iter().any(|it| it.1.code.as_deref() == Some("E0107")) {
        return found;
    }
    for generic in changed(project) {
        let Some(gone) = generic.gone().filter(|it| !it.is_empty()) else { continue };
        let names: Vec<&str> = gone.iter().map(|it| declared(&generic.before[*it])).collect();
        let reason = format!("`{}` has lost `{}`", generic.name, names.join("`, `"));
        let mut change = propagation(reason, Confidence::Certain);
        for marked in errors.marked().filter(|it| is_too_many(it)) {
            let Some(text) = project.text(marked.path) else { continue };
            let slice = text.slice(marked.span);
            if slice.rsplit("::").next().map(|it| it.split('<').next()) != Some(Some(&generic.name))
            {
                continue;
            }
            let splices = generic.without(&text, marked.span, &gone);
            if !splices.is_empty() {
                change.seeds.push(marked.seed);
                change.splices.extend(splices.into_iter().map(|it| (text.path.clone(), it)));
            }
        }
        if !change.seeds.is_empty() {
            found.push(change);
        }
    }
    found
}

/// Whether an error reports more arguments than the type has parameters.
fn is_too_many(marked: &Marked<'_>) -> bool {
    let message = &marked.error.message;
    marked.error.code.as_deref() == Some("E0107") && message.contains(" supplied")
}

/// The list of arguments after the name of a type: all of it, and its elements.
pub(super) fn arguments_after(text: &str, name: ByteSpan) -> Option<(ByteSpan, Vec<ByteSpan>)> {
    const LONGEST: usize = 4_000;
    let rest = text.get(name.end..)?;
    let end = rest.char_indices().nth(LONGEST).map_or(rest.len(), |it| it.0);
    let list: Vec<Token<'_>> = tokens(&rest[..end]);
    let open = usize::from(list.first()?.is("::"));
    list.get(open).filter(|it| it.is("<"))?;
    let close = open + closed(&list[open..])?;
    let shifted = |it: ByteSpan| ByteSpan::new(name.end + it.start, name.end + it.end);
    let inner = angle_elements(list.get(open + 1..close)?);
    let whole = ByteSpan::new(list[0].span.start, list[close].span.end);
    Some((shifted(whole), inner.into_iter().map(shifted).collect()))
}

impl Generic {
    /// The arguments of what is gone, with the declarations that only they needed.
    fn without(&self, text: &PlacedText, marked: ByteSpan, gone: &[usize]) -> Vec<Splice> {
        let start = marked.start + text.slice(marked).split('<').next().map_or(0, str::len);
        let name = ByteSpan::new(marked.start, start.min(marked.end));
        let Some((whole, args)) = arguments_after(&text.text, name) else { return Vec::new() };
        // Lifetimes may be left out; then none of the list is one.
        let has_lifetimes = args.iter().any(|it| is_lifetime(text.slice(*it)));
        let old: Vec<&String> =
            self.before.iter().filter(|it| has_lifetimes || !is_lifetime(it)).collect();
        let is_gone = |it: &String| gone.iter().any(|at| self.before[*at] == *it);
        let kept: Vec<&ByteSpan> = args
            .iter()
            .enumerate()
            .filter(|(at, _)| old.get(*at).is_none_or(|it| !is_gone(it)))
            .map(|it| it.1)
            .collect();
        if kept.len() == args.len() {
            return Vec::new();
        }
        let turbofish = if text.slice(whole).starts_with("::") { "::" } else { "" };
        let list: Vec<&str> = kept.iter().map(|it| text.slice(**it)).collect();
        let insert = match list.is_empty() {
            true => String::new(),
            false => format!("{turbofish}<{}>", list.join(", ")),
        };
        let mut found = vec![Splice { span: whole, insert }];
        let lost = args.iter().filter(|it| !kept.contains(it));
        let lost: Vec<&str> = lost.map(|it| text.slice(*it)).collect();
        found.extend(undeclared(text, whole, &lost));
        found
    }
}

/// The list of the impl around a place without the parameters that are nowhere else in it.
fn undeclared(text: &PlacedText, place: ByteSpan, lost: &[&str]) -> Option<Splice> {
    let all = heads(&text.text);
    let head = all.iter().find(|it| it.whole.contains(place) && place.end <= it.ty.end)?;
    let code = tokens(text.slice(head.whole));
    let is_only = |it: &&ByteSpan| {
        let name = declared(text.slice(**it));
        lost.contains(&name) && code.iter().filter(|token| token.is(name)).count() == 2
    };
    let gone: Vec<&ByteSpan> = head.generics.iter().filter(is_only).collect();
    if gone.is_empty() {
        return None;
    }
    let kept = head.generics.iter().filter(|it| !gone.contains(it));
    let kept: Vec<&str> = kept.map(|it| text.slice(*it)).collect();
    let first = head.of_trait.unwrap_or(head.ty);
    let insert = match kept.is_empty() {
        true => " ".to_owned(),
        false => format!("<{}> ", kept.join(", ")),
    };
    Some(Splice { span: ByteSpan::new(head.start, first.start), insert })
}
