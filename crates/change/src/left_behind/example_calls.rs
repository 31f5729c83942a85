//! Calls in examples of the documentation of a function whose parameters have changed, or which has become
//! fallible. The check of a tree compiles none of them. They follow where all calls in code pass one value that
//! is the same everywhere, and take the success.

use base::SortedSet;
use preserve::outline::{TokenKind, tokens};
use refactor::{
    ArgumentChange, KnownSites, RenameKind, RenameTarget, Renaming, SiteKey, SiteShape,
    example_calls,
};
use syntax::places::{Definition, PartKind, UseKind};

use super::{LeftBehind, Tree};
use crate::project::has_word;
use crate::propagate::has_become_fallible;
use crate::{DefinitionName, Intent, What};

/// Why a call in an example may be wrong that the tests of the documentation compile.
const NOT_RUN: &str = "no test has run the example";

/// Why a call in an example may be wrong that no test compiles.
const NEVER_RUN: &str = "no test runs the example";

/// Whether the reason for which a place is unproven is an example that tests compile.
pub fn is_example_to_run(unproven: &str) -> bool {
    unproven == NOT_RUN
}

/// Whether the reason for which a place is unproven is that it is a call in an example.
pub fn is_example_call(unproven: &str) -> bool {
    [NOT_RUN, NEVER_RUN].contains(&unproven)
}

/// The calls in examples of all functions whose parameters have changed or that have become fallible.
pub(super) fn in_examples(tree: &Tree<'_>, found: &mut Vec<LeftBehind>) {
    let mut seen: SortedSet<(&str, u32, &DefinitionName)> = SortedSet::new();
    for intent in tree.intents {
        let is_list =
            matches!(intent.what, What::ParameterAdded { .. } | What::ParameterRemoved { .. });
        let is_change = is_list || borrowed(&intent.what).is_some() || has_become_fallible(intent);
        if is_change && seen.insert((intent.path.as_str(), intent.line, intent.what.of())) {
            of_function(tree, intent, found);
        }
    }
}

fn of_function(tree: &Tree<'_>, intent: &Intent, found: &mut Vec<LeftBehind>) {
    let of = intent.what.of();
    let Some(change) = argument_change(tree, intent) else { return };
    let (uses, is_only) = uses(tree, intent);
    for call in example_calls(&uses, &change) {
        let text = tree.rust.iter().find(|it| it.path == call.path);
        let Some(text) = text.filter(|it| tree.is_old(&it.path, &it.text, call.at)) else {
            continue;
        };
        let site =
            uses.sites().iter().find(|it| (&it.path, it.span.start) == (&call.path, call.at));
        // The example shows no type of a receiver.
        let is_open = |it: &SiteShape| match it {
            SiteShape::MethodCall { .. } => !has_word(&text.text, &of.owner),
            _ => false,
        };
        let is_sure = is_only && site.is_some_and(|it| !is_open(&it.shape));
        let unproven = match call.is_compiled {
            true => Some(NOT_RUN),
            // A call of another item of the name would be listed for ever.
            false => is_sure.then_some(NEVER_RUN),
        };
        let splice = call.splice.filter(|_| is_sure);
        // A value may be a reference already, and a failure may be taken.
        let is_partial = change.borrowed.is_some() || change.unwrapped;
        if is_partial && (splice.is_none() || !call.is_compiled) {
            continue;
        }
        let what = match change.unwrapped {
            true => "that takes no failure",
            false => "with the arguments before",
        };
        found.push(LeftBehind {
            what: format!("a call of `{}` in an example {what}", of.name),
            splice,
            unproven,
            ..tree.remark(&text.path, &text.text, call.at, intent)
        });
    }
}

/// The tokens of the function's name, and whether no other item has it.
fn uses(tree: &Tree<'_>, intent: &Intent) -> (Renaming, bool) {
    let of = intent.what.of();
    let is_own = |it: &Definition| {
        let is_of_trait = !of.owner.is_empty() && it.of_trait.as_ref() == Some(&of.owner);
        it.kind == of.kind && (it.owner == of.owner || is_of_trait)
    };
    let (mut own, mut is_only) = (SortedSet::<SiteKey>::new(), true);
    for text in &tree.rust {
        for it in text.places.definitions.iter().filter(|it| it.name == of.name) {
            match is_own(it) {
                true => is_only &= own.insert((text.path.clone(), it.name_span.start)),
                false => is_only = false,
            }
        }
    }
    // Two functions of one name in two modules are two items.
    is_only &= own.len() == 1 || !of.owner.is_empty();
    let target = RenameTarget {
        kind: RenameKind::of_kind(of.kind, !of.owner.is_empty()),
        from: of.name.clone(),
        to: of.name.clone(),
        owners: Some(of.owner.clone()).filter(|it| !it.is_empty()).into_iter().collect(),
        definitions: own,
        within: None,
    };
    (Renaming::new(target, &KnownSites::default(), &tree.sources), is_only)
}

/// How the arguments of the function that an intent is about change; `None` if calls with the arguments
/// before cannot be known by their number.
fn argument_change(tree: &Tree<'_>, intent: &Intent) -> Option<ArgumentChange> {
    let of = intent.what.of();
    let now = tree.rust.iter().find(|it| it.path == intent.path)?.places.definitions.iter();
    let mut now = now.filter(|it| it.kind == of.kind && it.name == of.name && it.owner == of.owner);
    let parts = &now.next()?.parts;
    let now = parts.iter().filter(|it| it.kind == PartKind::Parameter).count();
    let (mut gone, mut come, mut by_reference) = (Vec::new(), Vec::new(), Vec::new());
    let mut unwrapped = false;
    for it in tree.intents.iter().filter(|it| (&it.path, it.line) == (&intent.path, intent.line)) {
        match &it.what {
            What::ParameterAdded { of: other, at, .. } if other == of => {
                come.push((*at, passed(tree, of, (*at, now))));
            }
            What::ParameterRemoved { of: other, at, .. } if other == of => gone.push(*at),
            what if what.of() == of => {
                by_reference.extend(borrowed(what));
                unwrapped |= has_become_fallible(it);
            }
            _ => {}
        }
    }
    gone.sort_unstable();
    come.sort();
    let count = (now + gone.len()).checked_sub(come.len())?;
    let borrowed = match by_reference.as_slice() {
        [one] if gone.is_empty() && come.is_empty() => Some(*one),
        _ => None,
    };
    let unwrapped = unwrapped && gone.is_empty() && come.is_empty() && by_reference.is_empty();
    let is_known = gone.len() != come.len() || borrowed.is_some() || unwrapped;
    is_known.then_some(ArgumentChange { count, gone, come, borrowed, unwrapped })
}

/// Index of the parameter that a change has made a reference to what it was.
fn borrowed(what: &What) -> Option<usize> {
    match what {
        What::Retyped { at, from, to, .. } => {
            at.filter(|_| to.strip_prefix('&').is_some_and(|it| it.trim() == from))
        }
        _ => None,
    }
}

/// The argument at an index that all calls in code with `count` arguments pass, if it is the same in any code.
fn passed(tree: &Tree<'_>, of: &DefinitionName, (at, count): (usize, usize)) -> Option<String> {
    let mut values = SortedSet::new();
    for text in &tree.rust {
        for it in text.places.uses.iter().filter(|it| it.name == of.name) {
            let offset = match it.kind {
                UseKind::Call => it.args.len().checked_sub(count).filter(|it| *it <= 1),
                UseKind::MethodCall => it.args.len().checked_sub(count).filter(|it| *it == 0),
                _ => None,
            };
            let value = offset.and_then(|offset| it.args.get(at + offset));
            values.extend(value.map(|it| text.slice(it.value)));
        }
    }
    let mut values = values.into_iter();
    let value = values.next().filter(|it| is_same_everywhere(it))?;
    values.next().is_none().then(|| value.to_owned())
}

/// Whether an expression names nothing but what every file has.
fn is_same_everywhere(value: &str) -> bool {
    const NAMES: [&str; 12] = [
        "Default",
        "None",
        "Some",
        "String",
        "Vec",
        "as_str",
        "default",
        "false",
        "new",
        "true",
        "to_string",
        "vec",
    ];
    let tokens = tokens(value);
    let is_word = |text: &str| text.starts_with(|it: char| it.is_alphabetic() || it == '_');
    let is_code = !tokens.is_empty() && !value.contains("/*") && !value.contains("//");
    is_code
        && tokens.iter().all(|it| match it.kind {
            TokenKind::Word if is_word(it.text) => NAMES.contains(&it.text),
            _ => true,
        })
}
