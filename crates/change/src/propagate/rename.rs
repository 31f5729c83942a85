//! A renamed definition: its name wherever the compiler misses the old one.

use base::{ByteSpan, is_word};
use edit::Splice;
use refactor::{PlacedText, quoted};
use syntax::places::DefinitionKind;

use super::own_traits::is_foreign;
use super::{Confidence, Errors, Marked, Propagation, propagation};
use crate::project::{Project, has_word, is_of_trait};
use crate::{DefinitionName, Intent, Library, What};

pub(super) fn rename(
    project: &Project<'_>,
    intent: &Intent,
    errors: &Errors<'_>,
    found: &mut Vec<Propagation>,
) {
    let What::Renamed { of, from } = &intent.what else { return };
    // Of the project's own definitions, the person has seen to it.
    let confidence = match (Library::is_path(&intent.path), intent.confidence) {
        (true, ..60) => Confidence::Guess,
        (true, ..90) => Confidence::Likely,
        _ => Confidence::Certain,
    };
    let mut change = propagation(format!("{of} was `{from}`"), confidence);
    for marked in errors.marked() {
        if is_about(project, &marked, of, from)
            && let Some(text) = project.text(marked.path)
            && let Some(splice) = at_error(&text, &marked, of, from)
        {
            change.seeds.push(marked.seed);
            change.splices.push((marked.path.clone(), splice));
        } else if let Some(text) = project.text(marked.path)
            && let Some(splice) = after_owner(&text, marked.span, of, from)
        {
            change.seeds.push(marked.seed);
            change.splices.push((marked.path.clone(), splice));
        }
    }
    if let Some(of_trait) = &of.of_trait {
        trait_member(project, of, of_trait, from, errors, &mut change);
    }
    found.push(change);
}

/// Whether the error misses the old name, of this owner if it names one.
fn is_about(project: &Project<'_>, marked: &Marked<'_>, of: &DefinitionName, from: &str) -> bool {
    if is_shadowed(project, marked, of, from) {
        return true;
    }
    let message = &marked.error.message;
    if !quoted(message).any(|it| has_word(it, from)) || !fits(project, marked, of.kind) {
        return false;
    }
    // `no method named `x` found for struct `S<T>``: another type's member is not meant.
    let owner = message.split_once(" for ").or_else(|| message.split_once(" on type "));
    match owner {
        Some((_, owner)) if is_member(of) => {
            quoted(owner)
                .next()
                .is_none_or(|it| has_word(it, &of.owner) || of.of_trait.is_some() || is_generic(it))
                || project.is_trait(&of.owner)
        }
        _ => true,
    }
}

/// Whether the old name of a method means one of another crate now, which takes other arguments.
fn is_shadowed(
    project: &Project<'_>,
    marked: &Marked<'_>,
    of: &DefinitionName,
    from: &str,
) -> bool {
    let is_it = marked.error.code.as_deref() == Some("E0061")
        && of.kind == DefinitionKind::Function
        && is_member(of)
        && project.text(marked.path).is_some_and(|it| it.slice(marked.span) == from);
    let mut defined = marked.error.children.iter().flat_map(|it| &it.spans);
    is_it && defined.clone().next().is_some() && defined.all(|it| it.place.project().is_none())
}

/// Whether the error can be about a definition of this kind.
fn fits(project: &Project<'_>, marked: &Marked<'_>, kind: DefinitionKind) -> bool {
    let is_field = kind == DefinitionKind::Field;
    let is_value = marked.error.message.starts_with("cannot find value");
    if is_value && kind == DefinitionKind::Module {
        return false;
    }
    match marked.error.code.as_deref() {
        Some("E0026" | "E0559" | "E0560" | "E0609") => is_field,
        Some("E0407" | "E0423" | "E0425" | "E0432" | "E0433" | "E0599") => !is_field,
        // A syntax error: the name is a keyword now.
        None => project.text(marked.path).is_some_and(|text| {
            let before = text.text.get(..marked.span.start).unwrap_or("");
            let after = text.text.get(marked.span.end..).unwrap_or("");
            let is_called = after.starts_with('(');
            match kind {
                DefinitionKind::Field => before.ends_with('.') && !is_called,
                DefinitionKind::Function => is_called || before.ends_with("fn "),
                _ => true,
            }
        }),
        Some(_) => true,
    }
}

fn is_member(of: &DefinitionName) -> bool {
    !of.owner.is_empty()
}

/// Whether a type in a message is a parameter, `Self`, or `impl …`.
fn is_generic(ty: &str) -> bool {
    let ty = ty.trim_start_matches(['&', ' ']).trim_start_matches("mut ");
    ty.len() == 1 || ty == "Self" || ty.starts_with("impl ") || ty.starts_with("dyn ")
}

/// The old name at the marked place.
fn at_error(
    text: &PlacedText,
    marked: &Marked<'_>,
    of: &DefinitionName,
    from: &str,
) -> Option<Splice> {
    let span = name_in(text, marked.span, of.kind, from)?;
    let insert = match is_shorthand(text, span) && of.kind == DefinitionKind::Field {
        true => format!("{}: {from}", of.name),
        false => of.name.clone(),
    };
    // A function that is a constant now is not called.
    let after = text.text.get(span.end..).unwrap_or("");
    let call = if of.kind == DefinitionKind::Const && after.starts_with("()") { 2 } else { 0 };
    Some(Splice { span: ByteSpan::new(span.start, span.end + call), insert })
}

/// Whether a name is the field and the value of a literal or pattern in one: `S { name }`.
pub(super) fn is_shorthand(text: &PlacedText, span: ByteSpan) -> bool {
    let around = text.uses_around(span);
    let mut args = around.into_iter().flat_map(|it| &it.args);
    args.any(|it| it.span == span && it.value == span && it.name == text.slice(span))
}

/// The old name after its marked owner: for `Trait::old`, rustc takes the trait for a type.
fn after_owner(
    text: &PlacedText,
    span: ByteSpan,
    of: &DefinitionName,
    from: &str,
) -> Option<Splice> {
    let owner = text.slice(span).rsplit("::").next()?;
    let is_owner = owner == of.owner || Some(owner) == of.of_trait.as_deref();
    let rest = text.text.get(span.end..)?.strip_prefix("::").filter(|_| is_owner)?;
    let rest = rest.strip_prefix(from)?;
    if rest.starts_with(is_word) {
        return None;
    }
    let start = span.end + 2;
    let span = ByteSpan::new(start, start + from.len());
    Some(Splice { span, insert: of.name.clone() })
}

/// The token of the name in a marked span, which may be the whole definition.
fn name_in(
    text: &PlacedText,
    span: ByteSpan,
    kind: DefinitionKind,
    from: &str,
) -> Option<ByteSpan> {
    let is_it = |span: ByteSpan| text.slice(span).trim_start_matches("r#") == from;
    if is_it(span) {
        return Some(span);
    }
    let mut inside = text
        .places
        .definitions
        .iter()
        .filter(|it| it.kind == kind && it.name == from && span.contains(it.name_span));
    if let Some(it) = inside.next() {
        return Some(it.name_span);
    }
    let slice = text.slice(span);
    let mut tokens = preserve::outline::tokens(slice).into_iter().filter(|it| it.text == from);
    let token = tokens.next().filter(|_| tokens.next().is_none())?;
    Some(ByteSpan::new(span.start + token.span.start, span.start + token.span.end))
}

/// A method renamed in an impl: the trait's declaration, and the other impls.
fn trait_member(
    project: &Project<'_>,
    of: &DefinitionName,
    of_trait: &str,
    from: &str,
    errors: &Errors<'_>,
    change: &mut Propagation,
) {
    // `method `new` is not a member of trait `T`` and `missing: `old``.
    for (seed, error) in errors.iter() {
        let message = &error.message;
        let names = |it: &str| quoted(message).any(|word| has_word(word, it));
        let is_about = match error.code.as_deref() {
            Some("E0407" | "E0437" | "E0438") => names(&of.name) && names(of_trait),
            Some("E0046") => names(from),
            _ => false,
        };
        if is_about {
            change.seeds.push(seed);
        }
    }
    if change.seeds.is_empty() {
        return;
    }
    let texts = project.with_word(of_trait);
    let declares = |name: &str| {
        let mut all = texts.iter().flat_map(|text| &text.places.definitions);
        all.any(|it| it.owner == of_trait && it.of_trait.is_none() && it.name == name)
    };
    if declares(&of.name) {
        return;
    }
    for text in &texts {
        for it in &text.places.definitions {
            if is_of_trait(it, of_trait)
                && it.kind == of.kind
                && it.name == from
                && !is_foreign(project, text, it)
            {
                let splice = Splice { span: it.name_span, insert: of.name.clone() };
                change.splices.push((text.path.clone(), splice));
            }
        }
    }
}
