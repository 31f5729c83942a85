//! Modules whose `mod` item is lost while their file is still there: the item as the base has it.

use base::{ByteSpan, ProjectPath};
use edit::Splice;
use preserve::outline::Token;
use refactor::comments_start;
use refactor::quoted;
use syntax::places::{Definition, DefinitionKind, places};

use super::{Confidence, Errors, Marked, Propagation, propagation};
use crate::changed::Changed;
use crate::project::{Project, has_word};
use crate::{Intent, What};

/// The `mod` items that errors miss, each with its attributes and its visibility, at its old position.
pub(super) fn lost_modules(
    project: &Project<'_>,
    all: &[Intent],
    errors: &Errors<'_>,
) -> Option<Propagation> {
    let mut change = propagation(String::new(), Confidence::Certain);
    let mut names: Vec<String> = Vec::new();
    for intent in all {
        let What::Removed(of) = &intent.what else { continue };
        if of.kind != DefinitionKind::Module || !has_file(project, &intent.path, &of.name) {
            continue;
        }
        let missing = errors.marked().filter(|it| misses(it, &of.name)).map(|it| it.seed);
        let seeds: Vec<usize> = missing.collect();
        let splice = (!seeds.is_empty()).then(|| restored(project, &intent.path, &of.name));
        if let Some(splice) = splice.flatten() {
            names.push(format!("`{}`", of.name));
            change.seeds.extend(seeds);
            change.splices.push((intent.path.clone(), splice));
        }
    }
    let is_one = names.len() == 1;
    let (noun, verb) = if is_one { ("the file", "is") } else { ("the files", "are") };
    change.reason =
        format!("{noun} of {} {verb} still there: declared as before", names.join(", "));
    (!names.is_empty()).then_some(change)
}

/// Whether the file of a module that `parent` has declared is in the project.
pub(super) fn has_file(project: &Project<'_>, parent: &ProjectPath, name: &str) -> bool {
    let folder = parent.parent().map_or_else(String::new, |it| format!("{it}/"));
    let below = parent.as_str().trim_end_matches(".rs");
    let folders = [folder, format!("{below}/")];
    let mut files =
        folders.iter().flat_map(|it| [format!("{it}{name}.rs"), format!("{it}{name}/mod.rs")]);
    files.any(|it| ProjectPath::new(&it).is_ok_and(|it| project.plain(&it).is_some()))
}

/// Whether an error reports a path through a module of that name.
fn misses(marked: &Marked<'_>, name: &str) -> bool {
    let labels = marked.error.spans.iter().filter_map(|it| it.label.as_deref());
    matches!(marked.error.code.as_deref(), Some("E0432" | "E0433"))
        && labels
            .chain([marked.error.message.as_str()])
            .flat_map(quoted)
            .any(|it| has_word(it, name))
}

/// The `mod` item of the base at its old position.
fn restored(project: &Project<'_>, path: &ProjectPath, name: &str) -> Option<Splice> {
    let sides = project.difference.get(path)?;
    let (base, now) = (sides.base.as_deref()?, sides.now.as_deref()?);
    let is_it = |it: &&Definition| it.kind == DefinitionKind::Module && it.name == name;
    let all = places(base).definitions;
    let it = all.iter().find(is_it).filter(|it| it.body.is_none())?;
    // Not one of several for different `cfg`s, and not one inside of another module.
    let is_inner = |other: &Definition| other.body.is_some_and(|body| body.contains(it.span));
    if all.iter().filter(is_it).count() != 1 || all.iter().any(is_inner) {
        return None;
    }
    let changed = Changed::between(base, now);
    let before = changed.before.iter().rposition(|token| token.span.end <= it.span.start);
    let floor = before.map_or(0, |at| changed.before[at].span.end);
    let start = comments_start(base, floor, it.span.start);
    let code = base.get(start..it.span.end)?;
    let after = changed.before.iter().position(|token| token.span.start >= it.span.end);
    let gap = |from: usize, to: usize| base.get(from..to).filter(|it| it.trim().is_empty());
    let token = |at: usize| -> Option<&Token<'_>> { changed.after.get(changed.now_at(at)?) };
    let first = before.and_then(|at| {
        let gap = gap(changed.before[at].span.end, start)?;
        let at = token(at)?.span.end;
        Some(Splice::new(at, at, format!("{gap}{code}")))
    });
    first.or_else(|| {
        let at = after?;
        let gap = gap(it.span.end, changed.before[at].span.start)?;
        let at = token(at)?.span.start;
        Some(Splice { span: ByteSpan::new(at, at), insert: format!("{code}{gap}") })
    })
}
