//! Derives [`Intent`]s from a [`Difference`]: `pairs.rs` pairs the definitions of both sides, this
//! file compares each pair. Start at [`intents`].

use base::LineIndex;
use edit::diff_sequences;
use refactor::spelled;
use syntax::places::{DefinitionKind, DefinitionPart, PartKind};

use crate::pairs::{Located, Pair, Pairs, Read, alike, read};
use crate::{DefinitionName, Difference, Intent, What};

/// What was changed on purpose between the base and the present tree: renames first, then
/// signatures, types, removed and new definitions, each by path and line.
///
/// Definitions are paired by kind, owner and name, then by likeness of name, parts and body.
pub fn intents(difference: &Difference) -> Vec<Intent> {
    let (base, now) = read(difference);
    let pairs = Pairs::of(&base, &now);
    let mut found: Vec<(u8, Intent)> = Vec::new();
    for pair in &pairs.both {
        let went = moved(difference, &base, &now, pair);
        for what in went.into_iter().chain(changes(&pair.base, &pair.now)) {
            let confidence = pair.confidence;
            found.push((rank(&what), Intent { confidence, ..intent(&pair.now, what) }));
        }
    }
    for it in &pairs.removed {
        found.push((7, intent(it, What::Removed(DefinitionName::of(it.definition)))));
    }
    for it in &pairs.added {
        let ty = type_of(it);
        found.push((8, intent(it, What::Added { of: DefinitionName::of(it.definition), ty })));
    }
    found
        .sort_by(|(a, x), (b, y)| a.cmp(b).then_with(|| (&x.path, x.line).cmp(&(&y.path, y.line))));
    found.into_iter().map(|(_, it)| it).collect()
}

/// Least likeness of an item in one file and one in another.
const LEAST: f64 = 0.5;

/// Whether an item is in another file while its old file is still there.
fn moved(
    difference: &Difference,
    base: &Read<'_>,
    now: &Read<'_>,
    pair: &Pair<'_>,
) -> Option<What> {
    let (a, b) = (&pair.base, &pair.now);
    let is_item = b.definition.owner.is_empty() && b.definition.kind != DefinitionKind::Macro;
    let has_file = difference.get(a.path).is_some_and(|it| it.now.is_some());
    let is_it = a.path != b.path
        && is_item
        && b.definition.kind != DefinitionKind::Module
        && has_file
        && base.is_outermost(a)
        && now.is_outermost(b)
        && alike(a, b) >= LEAST;
    is_it.then(|| What::Moved { of: DefinitionName::of(b.definition), from: a.path.clone() })
}

fn rank(what: &What) -> u8 {
    match what {
        What::Renamed { .. } | What::Moved { .. } => 0,
        What::ParameterAdded { .. } => 1,
        What::ParameterRemoved { .. } => 2,
        What::Retyped { .. } => 3,
        What::Head { .. } => 4,
        What::Removed(_) => 7,
        What::Added { .. } => 8,
    }
}

pub(crate) fn intent(at: &Located<'_>, what: What) -> Intent {
    let line = LineIndex::new(at.text).line_of(at.definition.name_span.start);
    Intent { what, path: at.path.clone(), line, confidence: 100 }
}

/// The type of a field, constant or alias, or the return type of a function.
pub(crate) fn type_of(it: &Located<'_>) -> String {
    let part = it.definition.parts.iter().find(|part| part.kind == PartKind::Type);
    part.map_or_else(String::new, |part| spelled(it.slice(part.span)))
}

/// What differs between a definition and the same one in the present tree.
pub(crate) fn changes(a: &Located<'_>, b: &Located<'_>) -> Vec<What> {
    let of = DefinitionName::of(b.definition);
    let mut found = Vec::new();
    if a.definition.name != b.definition.name {
        found.push(What::Renamed { of: of.clone(), from: a.definition.name.clone() });
    }
    found.extend(parameters(a, b, &of));
    let (from, to) = (type_of(a), type_of(b));
    if from != to {
        found.push(What::Retyped { of: of.clone(), at: None, from, to });
    }
    if of.kind == DefinitionKind::Function {
        let head = |it: &Located<'_>| it.slice(it.definition.head).to_owned();
        let (from, to) = (head(a), head(b));
        if spelled(&from) != spelled(&to) {
            found.push(What::Head { of, from, to });
        }
    }
    found
}

/// Parameters that came, went or have another type.
fn parameters(a: &Located<'_>, b: &Located<'_>, of: &DefinitionName) -> Vec<What> {
    let list = |it: &Located<'_>| -> Vec<(String, String)> {
        let parts = it.definition.parts.iter().filter(|part| part.kind == PartKind::Parameter);
        parts.map(|part| (part.name.clone(), ty(it, part))).collect()
    };
    let (old, new) = (list(a), list(b));
    if old == new {
        return Vec::new();
    }
    let id = |it: &(String, String)| match it.0.trim_start_matches('_') {
        "" => format!(": {}", it.1),
        name => name.to_owned(),
    };
    let (x, y): (Vec<String>, Vec<String>) =
        (old.iter().map(id).collect(), new.iter().map(id).collect());
    let xs: Vec<&str> = x.iter().map(String::as_str).collect();
    let ys: Vec<&str> = y.iter().map(String::as_str).collect();
    let mut found = Vec::new();
    let mut kept = Vec::new();
    let (mut i, mut j) = (0, 0);
    for (gone, come) in diff_sequences(&xs, &ys) {
        kept.extend((i..gone.start).zip(j..come.start));
        (i, j) = (gone.end, come.end);
        // As many came as went: the same parameters under other names or types.
        if gone.len() == come.len() {
            kept.extend(gone.zip(come));
            continue;
        }
        found.extend(gone.map(|at| What::ParameterRemoved {
            of: of.clone(),
            at,
            name: old[at].0.clone(),
            count: old.len(),
        }));
        found.extend(come.map(|at| What::ParameterAdded {
            of: of.clone(),
            at,
            name: new[at].0.clone(),
            ty: new[at].1.clone(),
        }));
    }
    kept.extend((i..old.len()).zip(j..new.len()));
    for (i, j) in kept {
        if old[i].1 != new[j].1 {
            let (from, to) = (old[i].1.clone(), new[j].1.clone());
            found.push(What::Retyped { of: of.clone(), at: Some(j), from, to });
        }
    }
    found
}

fn ty(it: &Located<'_>, part: &DefinitionPart) -> String {
    part.ty.map_or_else(String::new, |ty| spelled(it.slice(ty)))
}
