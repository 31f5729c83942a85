//! Lists what finishing a set of intents may remove, for the preservation rule. Never a test, an
//! assertion or a statement.

use base::{ProjectPath, SortedMap, SortedSet};
use preserve::Allowed;
use preserve::outline::tokens;
use refactor::left_imports;
use syntax::places::{Definition, DefinitionKind, places};

use crate::left_behind::features_with_other_names;
use crate::pairs::module_of;
use crate::propagate::became_constant;
use crate::{Difference, Intent, What};

/// What finishing these intents may remove: initialisers and patterns of removed fields, arguments of
/// removed parameters, arms of removed variants, members of traits and imports of what is gone or has
/// another name, imports that only a moved item used, derives that a new impl replaces; tests may use the
/// new names, and constants take the places of calls.
pub fn allowances(difference: &Difference, intents: &[Intent]) -> Allowed {
    let mut allowed = Allowed {
        left: left(difference, intents),
        reached: reached(difference, intents),
        features: features_with_other_names(difference),
        ..Allowed::default()
    };
    for intent in intents {
        if let Some((function, constant)) = became_constant(intents, intent) {
            allowed.constants.insert((function.to_owned(), constant.to_owned()));
        }
        let (of, name) = match &intent.what {
            What::Removed(of) => (of, of.name.clone()),
            What::Renamed { of, from } => {
                allowed.renamed.insert((from.clone(), of.name.clone()));
                (of, from.clone())
            }
            What::Moved { of, .. } => {
                allowed.moved.insert(of.name.clone(), segment_of(&intent.path));
                continue;
            }
            What::ParameterRemoved { of, at, count, .. } => {
                allowed.arguments.insert((of.name.clone(), *at, *count));
                continue;
            }
            What::Added { of, .. } => {
                if let Some(of_trait) = &of.of_trait {
                    allowed.derives.insert((of.owner.clone(), of_trait.clone()));
                }
                continue;
            }
            // A value that cannot be `None` any more.
            What::Retyped { of, at: None, from, to }
                if of.kind == DefinitionKind::Field && *from == format!("Option<{to}>") =>
            {
                allowed.patterns.insert(of.name.clone());
                continue;
            }
            _ => continue,
        };
        match of.kind {
            DefinitionKind::Field => drop(allowed.fields.insert(name)),
            DefinitionKind::Variant => drop(allowed.patterns.insert(name)),
            DefinitionKind::Function | DefinitionKind::Const | DefinitionKind::TypeAlias
                if !of.owner.is_empty() =>
            {
                allowed.members.insert(name);
            }
            // What another item has the name of still resolves, or has a successor.
            _ if intents.iter().any(|it| is_successor(it, &name)) => {}
            _ => drop(allowed.imports.insert(name)),
        }
    }
    allowed
}

/// The names in moved items of what their old file still defines, by that file.
fn reached(
    difference: &Difference,
    intents: &[Intent],
) -> SortedMap<ProjectPath, SortedSet<String>> {
    let mut found: SortedMap<ProjectPath, SortedSet<String>> = SortedMap::new();
    for it in intents {
        let What::Moved { of, from } = &it.what else { continue };
        let text = |path: &ProjectPath| difference.get(path).and_then(|it| it.now.as_deref());
        let (Some(old), Some(new)) = (text(from), text(&it.path)) else { continue };
        let is_own =
            |it: &&Definition| it.name == of.name && it.kind == of.kind || it.owner == of.name;
        let all = places(new).definitions;
        let moved = all.iter().filter(is_own).filter_map(|it| it.span.slice(new));
        let words: SortedSet<&str> = moved.flat_map(tokens).map(|it| it.text).collect();
        let items = places(old).definitions.into_iter().filter(|it| it.owner.is_empty());
        let names = items.map(|it| it.name).filter(|it| words.contains(it.as_str()));
        found.entry(from.clone()).or_default().extend(names);
    }
    found
}

/// Whether an intent is a new item of a module with this name.
fn is_successor(intent: &Intent, name: &str) -> bool {
    matches!(&intent.what, What::Added { of, .. } if of.owner.is_empty() && of.name == name)
}

/// The imports that moved items have left behind, by file.
fn left(difference: &Difference, intents: &[Intent]) -> SortedMap<ProjectPath, SortedSet<String>> {
    let from = intents.iter().filter_map(|it| match &it.what {
        What::Moved { from, .. } => Some(from.clone()),
        _ => None,
    });
    let files: SortedSet<ProjectPath> = from.collect();
    let names = |path: ProjectPath| {
        let sides = difference.get(&path)?;
        let names = left_imports(sides.base.as_deref()?, sides.now.as_deref()?);
        Some((path, names))
    };
    files.into_iter().filter_map(names).collect()
}

/// How paths name the module that a file is: `crate` for a root.
fn segment_of(path: &ProjectPath) -> String {
    match module_of(path) {
        "lib" | "main" => "crate".to_owned(),
        name => name.to_owned(),
    }
}
