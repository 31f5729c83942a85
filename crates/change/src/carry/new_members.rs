//! A member that a trait has got without a body: a hole in each impl of the trait that misses it, also in
//! those that the compiler has not reached.

use base::{ByteSpan, Diagnostic, LineIndex};
use edit::Splice;
use syntax::places::DefinitionKind;

use super::impl_members::{missing_members, trait_name};
use super::{Carried, Confidence, Errors, carried};
use crate::arms::HOLE;
use crate::impl_head::{Head, heads};
use crate::project::{Project, Text};
use crate::relocate::indent_of;
use crate::{Intent, Named, What};

/// The holes for each new method of a trait that an error misses.
pub(super) fn new_members(
    project: &Project<'_>,
    intents: &[Intent],
    errors: &Errors<'_>,
) -> Vec<Carried> {
    intents.iter().filter_map(|it| holes(project, it, errors)).collect()
}

fn holes(project: &Project<'_>, intent: &Intent, errors: &Errors<'_>) -> Option<Carried> {
    let What::Added { of, .. } = &intent.what else { return None };
    let declared = declaration(project, intent, of)?;
    let misses = |it: &Diagnostic| missing_members(it).any(|it| it == of.name);
    let mut change = carried(String::new(), Confidence::Guess);
    change.seeds = errors.iter().filter(|it| misses(it.1)).map(|it| it.0).collect();
    if change.seeds.is_empty() {
        return None;
    }
    let mut places = Vec::new();
    for text in project.with_word(&of.owner) {
        for head in heads(&text.text).iter().filter(|it| misses_member(&text, it, of)) {
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
fn declaration(project: &Project<'_>, intent: &Intent, of: &Named) -> Option<String> {
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
fn misses_member(text: &Text, head: &Head<'_>, of: &Named) -> bool {
    let has =
        text.places.definitions.iter().any(|it| {
            it.name == of.name && it.kind == of.kind && head.whole.contains(it.name_span)
        });
    trait_name(head).is_some_and(|it| it == of.owner) && !has
}

/// The declaration with a hole as the last member of an impl.
fn hole(text: &Text, head: &Head<'_>, declared: &str) -> Option<Splice> {
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
