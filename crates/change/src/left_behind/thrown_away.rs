//! Calls of a function that has become fallible whose value a closure, a function that is handed over, or `drop`
//! throws away: `list.iter().map(save).count();`, `found.map(|it| save(it));`. They compile without a warning.

use preserve::outline::Outline;
use refactor::PlacedText;

use super::unused_values::LOST_FAILURE;
use super::{LeftBehind, Tree};
use crate::Intent;
use crate::propagate::has_become_fallible;

/// Words at the start of a statement that uses its value.
const USING: [&str; 9] = ["break", "else", "for", "if", "let", "match", "return", "while", "yield"];

/// The statements that throw a failure away since the change.
pub(super) fn thrown_away(tree: &Tree<'_>, intents: &[Intent]) -> Vec<LeftBehind> {
    let mut found = Vec::new();
    for intent in intents.iter().filter(|it| has_become_fallible(it)) {
        let name = intent.what.of().name.as_str();
        for text in tree.rust.iter().filter(|it| it.text.contains(name)) {
            found.extend(in_text(tree, text, intent));
        }
    }
    found.sort_by(LeftBehind::cmp_place);
    found.dedup_by(|a, b| (&a.path, a.line, &a.what) == (&b.path, b.line, &b.what));
    found
}

fn in_text(tree: &Tree<'_>, text: &PlacedText, intent: &Intent) -> Vec<LeftBehind> {
    let outline = Outline::of(&text.text);
    let of = intent.what.of();
    let is_it = |at: &usize| {
        let is_member = matches!(outline.before(*at, 1), "." | "::");
        outline.text(*at) == of.name && is_member != of.owner.is_empty()
    };
    let lost = (0..outline.tokens.len()).filter(is_it).filter(|at| is_thrown_away(&outline, *at));
    let starts = lost.map(|at| outline.tokens[at].span.start);
    let old = starts.filter(|at| tree.is_old(&text.path, &text.text, *at));
    old.map(|at| {
        let what = format!("the failure of `{}` is thrown away", of.name);
        let remark = tree.remark(&text.path, &text.text, at, intent);
        LeftBehind { what, unproven: Some(LOST_FAILURE), ..remark }
    })
    .collect()
}

/// Whether the value at a name is that of a closure or of a function that is handed over, or is dropped, in a
/// statement that uses no value.
fn is_thrown_away(outline: &Outline<'_>, at: usize) -> bool {
    let Some(open) = opens(outline, at) else { return false };
    let is_method = outline.before(open, 2) == ".";
    let is_drop = outline.before(open, 1) == "drop" && !is_method;
    let end = match outline.text(at + 1) {
        "(" => outline.close[at + 1] + 1,
        _ => at + 1,
    };
    if outline.close[open] != end || !(is_method || is_drop) {
        return false;
    }
    let is_call = end > at + 1;
    let first = outline.text(open + 1);
    let is_closure = matches!(first, "|" | "||" | "move");
    let is_handed_over = !is_call && !is_closure;
    (is_drop && is_call || is_method && (is_closure && is_call || is_handed_over))
        && uses_nothing(outline, open)
}

/// The bracket around a token.
fn opens(outline: &Outline<'_>, at: usize) -> Option<usize> {
    let around = (0..at)
        .rev()
        .find(|it| matches!(outline.text(*it), "(" | "[" | "{") && outline.close[*it] > at)?;
    (outline.text(around) == "(").then_some(around)
}

/// Whether the statement of a call, given by its bracket, uses no value: it ends with `;`, and is no `let`.
fn uses_nothing(outline: &Outline<'_>, open: usize) -> bool {
    let block = (0..open)
        .rev()
        .find(|it| outline.text(*it) == "{" && outline.close[*it] > open)
        .unwrap_or(0);
    let end = outline.close.get(block).copied().unwrap_or(0);
    let (mut at, mut start, mut assigns) = (block + 1, block + 1, false);
    while at < end.min(outline.tokens.len()) {
        match outline.text(at) {
            ";" if at > open => {
                return !assigns && !USING.contains(&outline.text(start));
            }
            ";" => (start, assigns) = (at + 1, false),
            "=" => assigns = true,
            "?" if at > open => return false,
            "(" | "[" | "{" => {
                let is_block = outline.text(at) == "{";
                let close = outline.close[at];
                if is_block && close < open {
                    (start, assigns) = (close + 1, false);
                }
                at = close.max(at);
            }
            _ => {}
        }
        at += 1;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_that_nothing_uses_is_thrown_away() {
        let is_lost = |statement: &str| {
            let text = format!("fn f() {{ let a = 1; if a > 0 {{ g(); }} {statement} }}");
            let outline = Outline::of(&text);
            let at = (0..outline.tokens.len()).find(|it| outline.text(*it) == "save").unwrap();
            is_thrown_away(&outline, at)
        };
        for lost in [
            "opt.map(|x| save(x));",
            "drop(save(1));",
            "on.then(|| save(2));",
            "(0..3).map(save).count();",
            "list.iter().for_each(move |it| save(it));",
        ] {
            assert!(is_lost(lost), "{lost}");
        }
        for used in [
            "let all = opt.map(|x| save(x));",
            "opt.map(|x| save(x))",
            "opt.map(|x| save(x)).transpose()?;",
            "opt.map(|x| save(x).unwrap());",
            "return opt.map(save);",
            "save(1)?;",
            "x = list.map(save);",
            "drop(save(1)?);",
            "other(save(1));",
            "list.push(save(1));",
        ] {
            assert!(!is_lost(used), "{used}");
        }
    }
}
