//! Tests that are disabled without being removed: every generated way, in crates of several shapes,
//! breaks a rule that protects tests.

mod shapes;
mod ways;

use base::{ProjectPath, SortedMap, SortedSet, Timestamp};
use edit::{FileState, Overlay};
use graftage_preserve::violations;

use shapes::{Shape, shapes};
use ways::ways;

fn overlay(shape: &Shape, changed: &SortedMap<String, Option<String>>) -> Overlay {
    let state = |text: &String| FileState { text: text.as_str().into(), executable: false };
    let states = changed
        .iter()
        .map(|(path, after)| {
            let before = shape.files.get(path.as_str()).map(state);
            (ProjectPath::new(path).expect("a path"), before, after.as_ref().map(state))
        })
        .collect();
    Overlay::from_states("generator", Timestamp(0), states)
}

/// Whether the name of the test is in some text after the change.
fn is_named(shape: &Shape, changed: &SortedMap<String, Option<String>>) -> bool {
    let kept = shape.files.iter().filter(|(path, _)| !changed.contains_key(**path));
    kept.map(|(_, text)| text)
        .chain(changed.values().flatten())
        .any(|text| text.contains(shape.test))
}

#[test]
fn every_test_that_is_disabled_is_rejected() {
    let mut seen = SortedSet::new();
    let mut allowed = Vec::new();
    for shape in shapes() {
        for way in ways() {
            let Some(changed) = (way.apply)(&shape) else { continue };
            let overlay = overlay(&shape, &changed);
            if overlay.is_empty() || !seen.insert((shape.test, format!("{changed:?}"))) {
                continue;
            }
            assert!(is_named(&shape, &changed), "{} {} removes it", shape.name, way.name);
            let found = violations(&overlay, &[]);
            if !found.iter().any(|it| it.rule.protects_tests()) {
                allowed.push(format!("{}: {}: {found:?}", shape.name, way.name));
            }
        }
    }
    println!("{} mutations", seen.len());
    assert!(seen.len() >= 250, "{} mutations", seen.len());
    assert!(allowed.is_empty(), "{} allowed:\n{}", allowed.len(), allowed.join("\n"));
}

#[test]
fn a_shape_that_does_not_change_breaks_no_rule() {
    for shape in shapes() {
        let same = shape.files.iter().map(|(path, text)| ((*path).to_owned(), Some(text.clone())));
        assert_eq!(violations(&overlay(&shape, &same.collect()), &[]), []);
    }
}
