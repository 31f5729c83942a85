//! A member that a trait has got without a body: a hole in each impl of the trait that misses it, also in
//! those that the compiler has not reached.

use base::{ByteSpan, Diagnostic, LineIndex};
use edit::Splice;
use preserve::outline::{TokenKind, tokens};
use refactor::PlacedText;
use refactor::indent_of;
use refactor::{ImplHead, angle_elements, heads};
use syntax::places::{Definition, DefinitionKind, PartKind};

use super::impl_members::missing_members;
use super::{Confidence, Errors, Propagation, propagation};
use crate::arms::HOLE;
use crate::project::Project;
use crate::{DefinitionName, Intent, What};

/// The holes for each new method of a trait that an error misses.
pub(super) fn new_members(
    project: &Project<'_>,
    intents: &[Intent],
    errors: &Errors<'_>,
) -> Vec<Propagation> {
    intents.iter().filter_map(|it| holes(project, it, errors)).collect()
}

fn holes(project: &Project<'_>, intent: &Intent, errors: &Errors<'_>) -> Option<Propagation> {
    let What::Added { of, .. } = &intent.what else { return None };
    let declared = declaration(project, intent, of)?;
    let misses = |it: &Diagnostic| missing_members(it).any(|it| it == of.name);
    let mut change = propagation(String::new(), Confidence::Guess);
    change.seeds = errors.iter().filter(|it| misses(it.1)).map(|it| it.0).collect();
    if change.seeds.is_empty() {
        return None;
    }
    let parameters = parameters(project, intent, of);
    let mut places = Vec::new();
    for text in project.with_word(&of.owner) {
        for head in heads(&text.text).iter().filter(|it| misses_member(&text, it, of)) {
            let declared = with_arguments(&declared, &parameters, head);
            let Some(splice) = hole(&text, head, &declared) else { continue };
            let line = LineIndex::new(&text.text).line_of(splice.span.start);
            places.push(format!("{}:{}", text.path, line + 1));
            change.splices.push((text.path.clone(), splice));
        }
    }
    let (places, name) = (places.join(", "), &of.name);
    change.reason = format!("hole (`{HOLE}`) for `{name}` at {places}, to be written");
    Some(change)
}

/// The declaration in the trait, without documentation, attributes and the semicolon; `None` if it has a
/// body or is of no trait.
fn declaration(project: &Project<'_>, intent: &Intent, of: &DefinitionName) -> Option<String> {
    let is_method = of.kind == DefinitionKind::Function && of.of_trait.is_none();
    if !is_method || of.owner.is_empty() || !project.is_trait(&of.owner) {
        return None;
    }
    let text = project.text(&intent.path)?;
    let mut all = text.places.definitions.iter();
    let own = all.find(|it| it.kind == of.kind && it.name == of.name && it.owner == of.owner)?;
    let written = text.slice(own.span);
    let is_head = |line: &&str| !line.starts_with(['/', '#']) && !line.is_empty();
    let lines: Vec<&str> = written.lines().map(str::trim).skip_while(|it| !is_head(it)).collect();
    let declared = lines.join(" ");
    let declared = declared.trim_end().strip_suffix(';')?.trim_end();
    own.body.is_none().then(|| declared.to_owned())
}

/// Whether an impl of the trait has no member of the name.
fn misses_member(text: &PlacedText, head: &ImplHead<'_>, of: &DefinitionName) -> bool {
    let has =
        text.places.definitions.iter().any(|it| {
            it.name == of.name && it.kind == of.kind && head.whole.contains(it.name_span)
        });
    head.trait_parts().is_some_and(|it| it.0 == of.owner) && !has
}

/// The names of the trait's parameters for types and constants, in order.
fn parameters(project: &Project<'_>, intent: &Intent, of: &DefinitionName) -> Vec<String> {
    let Some(text) = project.text(&intent.path) else { return Vec::new() };
    let is_it = |it: &&Definition| it.kind == DefinitionKind::Trait && it.name == of.owner;
    let definition = text.places.definitions.iter().find(is_it);
    let parts = definition.into_iter().flat_map(|it| &it.parts);
    let generics = parts.filter(|it| it.kind == PartKind::Generics).map(|it| text.slice(it.span));
    generics.flat_map(elements).collect()
}

/// The names in a list of generic parameters, without lifetimes.
fn elements(generics: &str) -> Vec<String> {
    let list = tokens(generics);
    let end = list.len().saturating_sub(1);
    let inner = list.get(1..end).filter(|_| list.first().is_some_and(|it| it.is("<")));
    let spans = angle_elements(inner.unwrap_or(&list)).into_iter();
    let words = spans.filter_map(|it| {
        let words = tokens(it.slice(generics)?);
        let first = words.iter().find(|it| !it.is("const"))?;
        (first.kind == TokenKind::Word).then(|| first.text.to_owned())
    });
    words.collect()
}

/// The declaration with the arguments that an impl gives the trait for its parameters.
fn with_arguments(declared: &str, parameters: &[String], head: &ImplHead<'_>) -> String {
    let arguments = head.trait_parts().map(|it| it.1).unwrap_or_default();
    let arguments: Vec<&str> = arguments.into_iter().filter(|it| !it.starts_with('\'')).collect();
    let mut written = declared.to_owned();
    for token in tokens(declared).iter().rev().filter(|it| it.kind == TokenKind::Word) {
        let nth = parameters.iter().position(|it| token.is(it));
        if let Some(argument) = nth.and_then(|it| arguments.get(it)) {
            written.replace_range(token.span.start..token.span.end, argument);
        }
    }
    written
}

/// The declaration with a hole as the last member of an impl.
fn hole(text: &PlacedText, head: &ImplHead<'_>, declared: &str) -> Option<Splice> {
    let body = text.slice(head.whole).strip_suffix('}')?.trim_end();
    let at = head.whole.start + body.len();
    let indent = indent_of(&text.text, head.whole.start);
    let is_empty = body.ends_with('{');
    let gap = if is_empty { "\n" } else { "\n\n" };
    let member = format!("{gap}{indent}    {declared} {{\n{indent}        {HOLE}\n{indent}    }}");
    let is_on_line = !text.slice(ByteSpan::new(at, head.whole.end)).contains('\n');
    let end = if is_on_line { format!("\n{indent}") } else { String::new() };
    Some(Splice { span: ByteSpan::new(at, at), insert: format!("{member}{end}") })
}
