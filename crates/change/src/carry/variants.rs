//! Matches that miss a variant which their enum has got.

use std::sync::Arc;

use syntax::places::DefinitionKind;

use super::{Carried, Confidence, Errors, carried};
use crate::arms::{MissingArms, missing_arms};
use crate::project::Project;
use crate::{Intent, What};

/// The arms that all siblings have alike, as one change; each match that needs another arm, as one
/// with a hole.
pub(super) fn variants(
    project: &Project<'_>,
    intents: &[Intent],
    errors: &Errors<'_>,
) -> Vec<Carried> {
    let added: Vec<&str> = intents.iter().filter_map(added).collect();
    let names = |it: &str| it.split(|it: char| !base::is_word(it)).any(|it| added.contains(&it));
    let mut completed = carried(String::new(), Confidence::Likely);
    let mut found = Vec::new();
    for (seed, error) in errors.iter() {
        let read = |path: &base::ProjectPath| project.text(path).map(|it| Arc::clone(&it.text));
        let Some(missing) = missing_arms(error, &read) else { continue };
        if !missing.completed.iter().chain(&missing.holes).all(|it| names(it)) {
            continue;
        }
        if missing.holes.is_empty() {
            completed.reason = reason(&completed.reason, &missing);
            fill(&mut completed, seed, missing);
        } else {
            let mut change = carried(missing.to_string(), Confidence::Guess);
            fill(&mut change, seed, missing);
            found.push(change);
        }
    }
    if !completed.seeds.is_empty() {
        found.insert(0, completed);
    }
    found
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

fn fill(change: &mut Carried, seed: usize, missing: MissingArms) {
    change.seeds.push(seed);
    let path = missing.path;
    change.splices.extend(missing.splices.into_iter().map(|it| (path.clone(), it)));
}
