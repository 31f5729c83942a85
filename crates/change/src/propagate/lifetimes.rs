//! Types that have got a lifetime: `Name<'_>` in heads of impls and in signatures, a lifetime of their
//! own for the types that contain one and for the functions that return one.

use base::ByteSpan;
use edit::Splice;
use preserve::outline::tokens;
use refactor::PlacedText;
use syntax::places::{Definition, DefinitionKind, PartKind};

use super::type_arguments::{arguments_after, changed, declared, is_lifetime, is_type, parameters};
use super::{Confidence, Errors, Marked, Propagation, propagation};
use crate::project::Project;

/// The lifetime that a definition gets.
const NEW: &str = "'a";

/// What the types with a new lifetime ask for where they are used without it.
pub(super) fn lifetimes(project: &Project<'_>, errors: &Errors<'_>) -> Vec<Propagation> {
    if !errors.marked().any(|it| wanted(&it).is_some()) {
        return Vec::new();
    }
    let has_lifetime = |list: &[String]| list.iter().any(|it| is_lifetime(it));
    let changed = changed(project);
    let grown: Vec<_> = changed.iter().filter(|it| has_lifetime(it.added().as_slice())).collect();
    if grown.is_empty() {
        return Vec::new();
    }
    let names: Vec<&str> = grown.iter().map(|it| it.name.as_str()).collect();
    let mut change =
        propagation(format!("a lifetime is new in `{}`", names.join("`, `")), Confidence::Likely);
    let missing: Vec<ByteSpan> =
        errors.marked().filter(|it| wanted(it) == Some(Wanted::Named)).map(|it| it.span).collect();
    for marked in errors.marked() {
        let Some(wanted) = wanted(&marked) else { continue };
        let Some(text) = project.text(marked.path) else { continue };
        let Some(count) = lifetimes_of(project, text.slice(marked.span)) else { continue };
        let splices = match wanted {
            Wanted::Named if count == 1 => named(&text, marked.span),
            // The lint reports the place too.
            Wanted::Elided if missing.contains(&marked.span) => {
                change.seeds.push(marked.seed);
                continue;
            }
            Wanted::Elided => {
                let list = vec!["'_"; count].join(", ");
                vec![with_lifetime(&text, marked.span, &list)]
            }
            Wanted::Named => continue,
        };
        if !splices.is_empty() {
            change.seeds.push(marked.seed);
            change.splices.extend(splices.into_iter().map(|it| (text.path.clone(), it)));
        }
    }
    if change.splices.is_empty() { Vec::new() } else { vec![change] }
}

/// What an error wants after a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wanted {
    /// `<'_>`.
    Elided,
    /// `<'a>`, with a declaration.
    Named,
}

fn wanted(marked: &Marked<'_>) -> Option<Wanted> {
    let message = &marked.error.message;
    match marked.error.code.as_deref() {
        Some("E0726" | "elided_lifetimes_in_paths") => Some(Wanted::Elided),
        Some("E0106") if message.starts_with("missing lifetime specifier") => Some(Wanted::Named),
        _ => None,
    }
}

/// The number of lifetimes that the only type of the project with the last name of a path has.
fn lifetimes_of(project: &Project<'_>, path: &str) -> Option<usize> {
    let name = path.split('<').next().unwrap_or(path).rsplit("::").next()?;
    let texts = project.with_word(name);
    let mut counts = texts.iter().flat_map(|text| {
        let all = text.places.definitions.iter();
        let same = all.filter(|it| is_type(it) && it.name == name);
        same.map(|it| parameters(it, &text.text).iter().filter(|it| is_lifetime(it)).count())
    });
    let count = counts.next().filter(|it| *it > 0)?;
    counts.all(|it| it == count).then_some(count)
}

/// The name of a type with lifetimes as its first arguments.
fn with_lifetime(text: &PlacedText, path: ByteSpan, list: &str) -> Splice {
    let len = text.slice(path).split('<').next().map_or(0, str::len);
    let name = ByteSpan::new(path.start, path.start + len);
    let at = |at: usize, insert: String| Splice { span: ByteSpan::new(at, at), insert };
    match arguments_after(&text.text, name) {
        Some((_, args)) if !args.is_empty() => at(args[0].start, format!("{list}, ")),
        _ => at(name.end, format!("<{list}>")),
    }
}

/// A named lifetime for a field of a type, or the return type of a function.
fn named(text: &PlacedText, place: ByteSpan) -> Vec<Splice> {
    let all = text.places.definitions.iter();
    let around = all.filter(|it| it.span.contains(place)).min_by_key(|it| it.span.len());
    let Some(around) = around else { return Vec::new() };
    let owner = match around.kind {
        DefinitionKind::Function | DefinitionKind::TypeAlias => Some(around),
        DefinitionKind::Struct => Some(around),
        DefinitionKind::Field | DefinitionKind::Variant => {
            let name = around.owner.split("::").next().unwrap_or("");
            let mut types = text.places.definitions.iter();
            types.find(|it| is_type(it) && it.name == name && it.span.contains(around.span))
        }
        _ => None,
    };
    let Some(owner) = owner.filter(|it| it.owner.is_empty() || !is_alias(it)) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    let known = parameters(owner, &text.text);
    let lifetime = known.iter().find(|it| is_lifetime(it)).map(|it| declared(it).to_owned());
    let is_new = lifetime.is_none();
    let lifetime = lifetime.unwrap_or_else(|| NEW.to_owned());
    if owner.kind == DefinitionKind::Function {
        let Some(source) = borrowed_from(text, owner, place) else { return Vec::new() };
        found.push(Splice { span: source, insert: format!("{lifetime} ") });
    }
    if is_new {
        found.push(declaration(text, owner, &lifetime));
    }
    found.push(with_lifetime(text, place, &lifetime));
    found
}

fn is_alias(it: &Definition) -> bool {
    it.kind == DefinitionKind::TypeAlias
}

/// The declaration of a lifetime by a definition.
fn declaration(text: &PlacedText, of: &Definition, lifetime: &str) -> Splice {
    let list = of.parts.iter().find(|it| it.kind == PartKind::Generics);
    let at = |at: usize, insert: String| Splice { span: ByteSpan::new(at, at), insert };
    match list {
        Some(list) if text.slice(list.span).len() > 2 => {
            at(list.span.start + 1, format!("{lifetime}, "))
        }
        Some(list) => at(list.span.start + 1, lifetime.to_owned()),
        None => at(of.name_span.end, format!("<{lifetime}>")),
    }
}

/// After the `&` of the only reference in the parameters of a function that what it returns can
/// borrow from: one that is shared, not `mut`, and has no lifetime yet.
fn borrowed_from(text: &PlacedText, function: &Definition, place: ByteSpan) -> Option<ByteSpan> {
    let result = function.parts.iter().find(|it| it.kind == PartKind::Type)?;
    if !result.span.contains(place) {
        return None;
    }
    let parts = function.parts.iter().filter(|it| it.kind == PartKind::Parameter);
    let mut found = Vec::new();
    for ty in parts.filter_map(|it| it.ty) {
        let list = tokens(text.slice(ty));
        for (at, token) in list.iter().enumerate() {
            let next = list.get(at + 1).map_or("", |it| it.text);
            let is_shared = token.text.ends_with('&') && next != "mut" && !next.starts_with('\'');
            if is_shared {
                let end = ty.start + token.span.end;
                found.push(ByteSpan::new(end, end));
            }
        }
    }
    match found.as_slice() {
        [only] => Some(*only),
        _ => None,
    }
}
