//! Matches that miss a variant which their enum has got.

use std::sync::Arc;

use syntax::places::DefinitionKind;

use super::{Confidence, Errors, Propagation, propagation};
use crate::arms::{MissingArms, missing_arms};
use crate::project::Project;
use crate::{Intent, What};

/// The arms that all siblings have alike, as one change; with holes in the other matches, as another; holes
/// in all of them, where a copy of the siblings does not build; and each match with a hole alone.
pub(super) fn variants(
    project: &Project<'_>,
    intents: &[Intent],
    errors: &Errors<'_>,
) -> Vec<Propagation> {
    let added: Vec<&str> = intents.iter().filter_map(added).collect();
    let names = |it: &str| it.split(|it: char| !base::is_word(it)).any(|it| added.contains(&it));
    let read = |path: &base::ProjectPath| project.text(path).map(|it| Arc::clone(&it.text));
    let may_have = |owner: &str, name: &str| may_have(project, owner, name);
    let mut completed = propagation(String::new(), Confidence::Likely);
    let mut mixed = propagation(String::new(), Confidence::Guess);
    let mut holes = propagation(String::new(), Confidence::Guess);
    let mut single = Vec::new();
    for (seed, error) in errors.iter() {
        let Some(missing) = missing_arms(error, &read, Some(&may_have)) else { continue };
        if !missing.completed.iter().chain(&missing.holes).all(|it| names(it)) {
            continue;
        }
        if let Some(without) = missing_arms(error, &read, None) {
            fill(&mut holes, seed, &without);
        }
        fill(&mut mixed, seed, &missing);
        if missing.holes.is_empty() {
            fill(&mut completed, seed, &missing);
        } else {
            let mut change = propagation(String::new(), Confidence::Guess);
            fill(&mut change, seed, &missing);
            single.push(change);
        }
    }
    let has_both = !completed.seeds.is_empty() && !single.is_empty();
    let mut found = Vec::new();
    if !completed.seeds.is_empty() {
        found.push(completed);
    }
    if has_both || single.len() > 1 {
        found.push(mixed);
    }
    if found.iter().any(|it| it.confidence == Confidence::Likely) {
        found.push(holes);
    }
    found.extend(single);
    found
}

/// Whether something of the name `owner` may have a variant: it is no enum of the project, or one that has
/// it.
fn may_have(project: &Project<'_>, owner: &str, variant: &str) -> bool {
    let texts = project.with_word(owner);
    let all = || texts.iter().flat_map(|it| &it.places.definitions);
    let is_enum = all().any(|it| it.kind == DefinitionKind::Enum && it.name == owner);
    let is_it = |it: &syntax::places::Definition| {
        it.kind == DefinitionKind::Variant && it.name == variant && it.owner == owner
    };
    !is_enum || all().any(is_it)
}

/// The name of a variant that is new or was renamed.
fn added(intent: &Intent) -> Option<&str> {
    match &intent.what {
        What::Added { of, .. } | What::Renamed { of, .. } => {
            (of.kind == DefinitionKind::Variant).then_some(of.name.as_str())
        }
        _ => None,
    }
}

fn reason(before: &str, missing: &MissingArms) -> String {
    let new = missing.to_string();
    match before {
        "" => new,
        before if before == new || before.ends_with(&format!("; {new}")) => before.to_owned(),
        before => format!("{before}; {new}"),
    }
}

fn fill(change: &mut Propagation, seed: usize, missing: &MissingArms) {
    change.reason = reason(&change.reason, missing);
    change.seeds.push(seed);
    let splices = missing.splices.iter().cloned();
    change.splices.extend(splices.map(|it| (missing.path.clone(), it)));
}
