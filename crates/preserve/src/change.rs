//! The preservation rule for a whole change: which rules run on which files. Start at [`compare`].

use base::{ProjectPath, SortedMap, SortedSet};
use edit::{FileChange, Overlay};

use crate::added_code::AddedCode;
use crate::compare::Comparison;
use crate::completed::is_completion;
use crate::conflicts::resolved_as;
use crate::doctests::ChangedExamples;
use crate::feature_conditions::with_features;
use crate::files::{self, removed_file};
use crate::included;
use crate::manifest::changed_keys;
use crate::names::Names;
use crate::outline::{EffectKind, EffectSite};
use crate::reported::Reported;
use crate::{Allowed, Preservation, Rule, TestFiles, Violation};

/// What a change removes, switches off or adds unseen, and what of it may go.
pub(crate) fn compare(
    overlay: &Overlay,
    reported: &Reported,
    allowed: &Allowed,
    tests: &TestFiles,
) -> Preservation {
    let mut found = Vec::new();
    let mut permitted = Vec::new();
    let resolved = resolved(overlay, allowed);
    let mut comparisons = comparisons(overlay, &resolved, tests, &mut found);
    let raises_edition = allowed.raises_edition || raises_edition(overlay);
    comparisons.iter_mut().for_each(|it| it.raises_edition = raises_edition);
    let mut added_code = AddedCode::of(&comparisons);
    let names = Names::of(&comparisons, allowed);
    // Those of what may go.
    let mut attributes = 0;
    for comparison in &comparisons {
        comparison.lost_tests(&comparisons, &added_code, &tests.names, &mut found);
        if comparison.is_removed {
            continue;
        }
        let (lost, mut may_go) =
            comparison.lost_elements(&added_code, allowed, &mut permitted, &mut found);
        for (effect, violation) in comparison.lost_effects(&lost, &mut added_code) {
            let may = violation.rule == Rule::EffectRemoved
                && (allowed.argument(comparison, effect.anchor)
                    || allowed.constant(comparison, effect)
                    || comparison.makes_text(effect)
                    || comparison.returns_instead(effect, reported));
            if may {
                may_go.push(effect.name..effect.anchor + 1);
                // With the bracket that closes it: what is left is balanced.
                let close = comparison.old.close.get(effect.anchor).filter(|_| is_call(effect));
                may_go.extend(close.map(|it| *it..*it + 1));
                permitted.push(violation);
            } else {
                found.push(violation);
            }
        }
        comparison.lost_imports(allowed, &mut permitted, &mut found);
        for at in comparison.lost_attributes(allowed, &mut permitted, &mut found) {
            may_go.push(at..at + 1);
            attributes += 1;
        }
        comparison.edited_values(&lost, &names, reported, &mut found);
        comparison.added_to_tests(&names, reported, &mut found);
        comparison.conditions(reported, &mut found);
        comparison.redefined(&tests.names, &mut found);
        comparison.wrapped(&mut found);
        comparison.forbidden_additions(&mut found);
        comparison.visibility(&comparisons, (reported, allowed), &mut found);
        comparison.renamed(&comparisons, reported, allowed, &mut found);
        comparison.counts(&comparisons, allowed, &may_go, &mut found);
        attributes += comparison.attributes_in(&may_go);
    }
    Comparison::process_ends(&comparisons, &mut found);
    Comparison::terminations(&comparisons, &mut found);
    Comparison::replaced_methods(&comparisons, &tests.names, &mut found);
    Comparison::fewer_attributes(&comparisons, attributes, &mut found);
    examples((overlay, &resolved), (allowed, tests), comparisons, &mut found);
    Preservation { violations: found, allowed: permitted }
}

/// The texts before with their conflicts resolved as the change resolves them, and with the features that the
/// user gave another name.
fn resolved<'a>(overlay: &'a Overlay, allowed: &Allowed) -> SortedMap<&'a ProjectPath, String> {
    let resolved = overlay.changes().filter_map(|(path, it)| {
        let base = allowed.merge_bases.get(path).map(|it| &**it);
        let resolved = resolved_as(it.before_text(), it.after_text(), base);
        let text = resolved.as_deref().unwrap_or(it.before_text());
        let own = allowed.features.iter().filter(|it| path.as_str().starts_with(&it.0));
        let renamed = match path.extension() {
            Some("rs") => with_features(text, own.map(|it| (it.1.as_str(), it.2.as_str()))),
            _ => None,
        };
        Some((path, renamed.or(resolved)?))
    });
    resolved.collect()
}

/// Compares whole files, and pairs the Rust texts; of a text with conflict markers, `resolved` is the
/// text before.
fn comparisons<'a>(
    overlay: &'a Overlay,
    resolved: &'a SortedMap<&ProjectPath, String>,
    tests: &TestFiles,
    found: &mut Vec<Violation>,
) -> Vec<Comparison<'a>> {
    let mut comparisons = Vec::new();
    let code_files = included::code_files(overlay);
    let moved: SortedSet<&ProjectPath> =
        overlay.changes().filter_map(|(_, change)| change.renamed_from.as_ref()).collect();
    for (path, change) in overlay.changes() {
        let (before, after) = sides((overlay, resolved), path, change);
        files::compare(path, change, (before, after), tests, found);
        let is_rust = path.as_str().ends_with(".rs") || code_files.contains(path);
        let compared = |before, after| {
            let from = change.renamed_from.as_ref().unwrap_or(path);
            Comparison::new(path, before, after, change, tests.has_code(path, from))
        };
        if after.is_none() && before.is_some() {
            if !moved.contains(path) {
                found.push(removed_file(path, Rule::ItemRemoved));
            }
            if is_rust && !moved.contains(path) {
                comparisons.push(compared(before.unwrap_or(""), ""));
            }
        } else if is_rust {
            let (before, after) = (before.unwrap_or(""), after.unwrap_or(""));
            if change.renamed_from.is_some() || !is_completion(before, after) {
                comparisons.push(compared(before, after));
            }
        }
    }
    comparisons
}

/// The texts of a file before and after the change, without conflicts before it.
fn sides<'a>(
    (overlay, resolved): (&'a Overlay, &'a SortedMap<&ProjectPath, String>),
    path: &ProjectPath,
    change: &'a FileChange,
) -> (Option<&'a str>, Option<&'a str>) {
    let from = change.renamed_from.as_ref().and_then(|it| overlay.get(it));
    let before = from.unwrap_or(change).before.as_ref().map(|it| &*it.text);
    let before = resolved.get(path).map(String::as_str).or(before);
    (before, change.after.as_ref().map(|it| &*it.text))
}

/// Compares the changed examples of documentation, given the other code of the change.
fn examples<'a>(
    of: (&'a Overlay, &'a SortedMap<&ProjectPath, String>),
    (allowed, tests): (&Allowed, &TestFiles),
    comparisons: Vec<Comparison<'a>>,
    found: &mut Vec<Violation>,
) {
    let files = of.0.changes().filter_map(|(path, change)| {
        let (before, after) = sides(of, path, change);
        let from = change.renamed_from.as_ref().unwrap_or(path);
        Some(([path, from], before?, after?))
    });
    ChangedExamples::of(files, tests, found).compare(comparisons, allowed, found);
}

/// Whether a manifest of the change has another edition than before, 2024 or later.
pub fn raises_edition(overlay: &Overlay) -> bool {
    let manifests = overlay.changes().filter(|(path, _)| path.file_name() == "Cargo.toml");
    manifests.filter(|(_, it)| it.before.is_some()).any(|(_, it)| {
        let keys = changed_keys(it.before_text(), it.after_text()).unwrap_or_default();
        keys.iter().any(|it| {
            it.key.last().is_some_and(|key| key == "edition")
                && it.value.as_deref().is_some_and(|edition| edition >= "2024")
        })
    })
}

fn is_call(effect: &EffectSite<'_>) -> bool {
    effect.kind == EffectKind::Call
}
