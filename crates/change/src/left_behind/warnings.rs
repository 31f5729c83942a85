//! What the compiler warns about since the change: code that nothing uses any more, calls of what has
//! become deprecated, and results that a call does not use.

use base::{ByteSpan, Diagnostic, Severity, has_word};
use preserve::outline::{Outline, tokens};
use refactor::{PlacedText, quoted};
use syntax::places::{Definition, DefinitionKind, places};

use super::unused_values::LOST_FAILURE;
use super::{LeftBehind, Tree};
use crate::propagate::has_become_fallible;
use crate::{Intent, What};

/// Lints about what nothing uses.
const UNUSED: &[&str] = &["dead_code", "unused_imports", "unused_variables", "unused_macros"];

pub(super) fn warnings(
    tree: &Tree<'_>,
    intents: &[Intent],
    warnings: &[Diagnostic],
) -> Vec<LeftBehind> {
    let deprecated = deprecated(tree);
    let mut found = Vec::new();
    for it in warnings.iter().filter(|it| it.severity == Severity::Warning) {
        let Some(span) = it.primary() else { continue };
        let Some(path) = span.place.project() else { continue };
        let Some(text) = tree.rust.iter().find(|it| it.path == *path) else { continue };
        let code = it.code.as_deref().unwrap_or("");
        let mut named: Vec<&str> =
            quoted(&it.message).filter_map(|it| it.split("::").last()).collect();
        named.retain(|it| !it.is_empty());
        let why = match code {
            "deprecated" => {
                let name = named.iter().find(|it| deprecated.iter().any(|old| old == *it));
                name.map(|it| format!("`{it}` is deprecated since this change"))
            }
            _ if UNUSED.contains(&code) => {
                let name = named.iter().find(|it| lost_uses(tree, it));
                name.map(|name| removal(intents, name))
            }
            "unused_must_use" => {
                let call = span.bytes.slice(&text.text).unwrap_or("");
                turned(intents, call)
                    .or_else(|| Some(through(intents, text, span.bytes)?.to_string()))
            }
            _ => None,
        };
        let unproven = (code == "unused_must_use")
            .then(|| {
                let call = span.bytes.slice(&text.text).unwrap_or("");
                let through = || through(intents, text, span.bytes).map(|_| LOST_FAILURE);
                lost_failure(intents, call).or_else(through)
            })
            .flatten();
        // What the person has written in this change is not left behind.
        let is_old = tree.is_old(path, &text.text, span.bytes.start.min(text.text.len()));
        if let Some(why) = why.filter(|_| is_old) {
            let at = span.bytes.start.min(text.text.len());
            let line = base::LineIndex::new(&text.text).line_of(at);
            let what = it.message.clone();
            found.push(LeftBehind { path: path.clone(), line, what, why, splice: None, unproven });
        }
    }
    found.sort_by(LeftBehind::cmp_place);
    found
}

/// The change of a function that returns a value now which this call does not use.
fn turned(intents: &[Intent], call: &str) -> Option<String> {
    let is_it = |it: &&Intent| match &it.what {
        What::Retyped { of, at: None, .. } => has_word(call, &of.name),
        _ => false,
    };
    intents.iter().find(is_it).map(ToString::to_string)
}

/// The change of a function that has become fallible, where the function around a call that does not name it calls
/// it: by a closure, or a variable.
fn through<'i>(intents: &'i [Intent], text: &PlacedText, call: ByteSpan) -> Option<&'i Intent> {
    let around = text.places.definitions.iter().filter(|it| {
        it.span.start <= call.start
            && call.end <= it.span.end
            && it.kind == DefinitionKind::Function
    });
    let around = around.min_by_key(|it| it.span.len())?;
    let (body, call) = (around.span.slice(&text.text)?, call.slice(&text.text)?);
    let is_it = |it: &&Intent| {
        let name = &it.what.of().name;
        has_become_fallible(it) && has_word(body, name) && !has_word(call, name)
    };
    intents.iter().find(is_it)
}

/// Why the call that a warning marks is not known to be right: its function has become fallible.
fn lost_failure(intents: &[Intent], call: &str) -> Option<&'static str> {
    let (name, is_method) = called(call)?;
    let is_it = |it: &Intent| {
        let of = it.what.of();
        has_become_fallible(it) && of.name == name && !(is_method && of.owner.is_empty())
    };
    intents.iter().any(is_it).then_some(LOST_FAILURE)
}

/// The name before the last list of arguments of a text that ends with one, and whether it is a method.
fn called(call: &str) -> Option<(&str, bool)> {
    let outline = Outline::of(call);
    let last = outline.tokens.len().checked_sub(1)?;
    let open = (0..last).find(|it| outline.close[*it] == last && outline.text(*it) == "(")?;
    Some((outline.before(open, 1), outline.before(open, 2) == "."))
}

/// The intent that is about the name's uses, else a general reason.
fn removal(intents: &[Intent], name: &str) -> String {
    let is_gone = |it: &&Intent| matches!(&it.what, What::Removed(of) if of.name == name);
    let intent = intents.iter().find(is_gone).map(ToString::to_string);
    intent.unwrap_or_else(|| format!("this change has removed uses of `{name}`"))
}

/// Whether the change has fewer uses of a name than there were, and some of it left.
fn lost_uses(tree: &Tree<'_>, name: &str) -> bool {
    let count = |text: Option<&str>| {
        text.map_or(0, |it| match it.contains(name) {
            true => tokens(it).iter().filter(|it| it.text == name).count(),
            false => 0,
        })
    };
    let sides = || tree.difference.files().map(|(_, it)| it);
    let before: usize = sides().map(|it| count(it.base.as_deref())).sum();
    let now: usize = sides().map(|it| count(it.now.as_deref())).sum();
    now < before
}

/// The names of definitions that have become deprecated.
fn deprecated(tree: &Tree<'_>) -> Vec<String> {
    let is_marked = |text: &str, it: &Definition| {
        let head = base::ByteSpan::new(it.span.start, it.name_span.start);
        head.slice(text).is_some_and(|it| it.contains("deprecated"))
    };
    let mut found = Vec::new();
    for (_, sides) in tree.difference.files() {
        let (Some(base), Some(now)) = (&sides.base, &sides.now) else { continue };
        if !now.contains("deprecated") {
            continue;
        }
        let before = places(base).definitions;
        for it in places(now).definitions.iter().filter(|it| is_marked(now, it)) {
            let was = before
                .iter()
                .any(|old| old.name == it.name && old.owner == it.owner && is_marked(base, old));
            if !was {
                found.push(it.name.clone());
            }
        }
    }
    found
}
