//! The product's preservation rule is at least as strict as the evaluator's checker: it rejects
//! whatever the checker rejects. Both read the same changes and share no code.
#![allow(clippy::unwrap_used, reason = "a test reports by failing")]

mod mutations;
#[path = "../../../preserve/tests/switched_off/shapes.rs"]
mod shapes;
#[path = "../../../preserve/tests/switched_off/ways.rs"]
mod ways;

use std::path::{Path, PathBuf};

use base::{ByteSpan, Diagnostic, DiagnosticSpan, ProjectPath, Severity, SortedMap, Timestamp};
use edit::{FileState, Overlay};
use graftage_eval::preserve::{MentionedNames, TextsByPath, broken_promises};
use preserve::violations;

/// Only every n-th mutation of a text is tried, from an offset that depends on the text.
const STEP: usize = 29;

fn overlay(before: &TextsByPath, after: &TextsByPath) -> Overlay {
    let state = |texts: &TextsByPath, path: &String| {
        texts.get(path).map(|it| FileState { text: it.as_str().into(), executable: false })
    };
    let paths: base::SortedSet<&String> = before.keys().chain(after.keys()).collect();
    let states = paths
        .into_iter()
        .map(|path| (ProjectPath::new(path).unwrap(), state(before, path), state(after, path)))
        .collect();
    Overlay::from_states("test", Timestamp(0), states)
}

/// What the checker rejects and the rule does not; `None` if they agree.
fn hole(before: &TextsByPath, after: &TextsByPath, errors: &[Diagnostic]) -> Option<String> {
    let mentioned = MentionedNames::of(errors, before);
    let broken = broken_promises(before, after, &mentioned, false);
    let first = broken.first()?;
    violations(&overlay(before, after), errors).is_empty().then(|| first.to_string())
}

fn one(path: &str, text: &str) -> TextsByPath {
    SortedMap::from([(path.to_owned(), text.to_owned())])
}

/// Errors that name all words of a text and mark all of it, as a hostile build may print them.
fn loud(path: &str, text: &str) -> Vec<Diagnostic> {
    let words: base::SortedSet<&str> = text
        .split(|c: char| c != '_' && !c.is_alphanumeric())
        .filter(|it| !it.is_empty())
        .collect();
    let quoted: Vec<String> = words.iter().map(|it| format!("`{it}`")).collect();
    ["E0603", "E0449", "E0425", "E0599", "E0133"]
        .into_iter()
        .map(|code| Diagnostic {
            code: Some(code.to_owned()),
            spans: vec![DiagnosticSpan::primary(
                &ProjectPath::new(path).unwrap(),
                text,
                ByteSpan::new(0, text.len()),
            )],
            ..Diagnostic::new(Severity::Error, &quoted.join(" "))
        })
        .collect()
}

/// The sources of the fixtures, by path.
fn sources() -> SortedMap<PathBuf, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/crates");
    let mut found = SortedMap::new();
    for name in ["demo", "meanings", "receivers"] {
        let folder = root.join(name).join("src");
        for entry in std::fs::read_dir(&folder).unwrap().flatten() {
            if entry.path().extension().is_some_and(|it| it == "rs") {
                found.insert(entry.path(), std::fs::read_to_string(entry.path()).unwrap());
            }
        }
    }
    found
}

#[test]
fn what_the_evaluator_refuses_of_small_changes_the_rule_refuses() {
    let texts = sources().into_values().chain(shapes::shapes().into_iter().flat_map(|shape| {
        shape.files.into_iter().filter(|it| it.0.ends_with(".rs")).map(|it| it.1)
    }));
    let path = "src/lib.rs";
    let (mut tried, mut holes) = (0, Vec::new());
    for (nth, text) in texts.enumerate() {
        let before = one(path, &text);
        let loud = loud(path, &text);
        for mutation in mutations::mutations(&text).into_iter().skip(nth % STEP).step_by(STEP) {
            // Text that does not parse is rejected before any rule.
            if mutation.text == text || syn::parse_file(&mutation.text).is_err() {
                continue;
            }
            tried += 1;
            let after = one(path, &mutation.text);
            for errors in [&[][..], &loud] {
                if let Some(broken) = hole(&before, &after, errors) {
                    let known = if errors.is_empty() { "no errors" } else { "loud errors" };
                    holes.push(format!("{nth}, {} ({known}): {broken}", mutation.name));
                }
            }
        }
    }
    assert!(tried > 1_000, "{tried} changes");
    assert!(holes.is_empty(), "{} holes:\n{}", holes.len(), holes.join("\n"));
}

#[test]
fn what_the_evaluator_refuses_of_tests_switched_off_the_rule_refuses() {
    let mut holes = Vec::new();
    for shape in shapes::shapes() {
        let before: TextsByPath = texts_of(&shape);
        for way in ways::ways() {
            let Some(changed) = (way.apply)(&shape) else { continue };
            let mut after = before.clone();
            for (path, text) in &changed {
                match text {
                    Some(text) => after.insert(path.clone(), text.clone()),
                    None => after.remove(path),
                };
            }
            let rust = |texts: &TextsByPath| -> TextsByPath {
                let rust = texts.iter().filter(|(path, _)| path.ends_with(".rs"));
                rust.map(|(path, text)| (path.clone(), text.clone())).collect()
            };
            // Frozen tests: the strictest form of the checker.
            let broken =
                broken_promises(&rust(&before), &rust(&after), &MentionedNames::default(), true);
            if !broken.is_empty() && violations(&overlay(&before, &after), &[]).is_empty() {
                holes.push(format!("{} ({}): {}: {}", shape.name, shape.test, way.name, broken[0]));
            }
        }
    }
    assert!(holes.is_empty(), "{} holes:\n{}", holes.len(), holes.join("\n"));
}

fn texts_of(shape: &shapes::Shape) -> TextsByPath {
    shape.files.iter().map(|(path, text)| ((*path).to_owned(), text.clone())).collect()
}
