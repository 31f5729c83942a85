//! Imports of what is gone, and old imports of a name that is imported anew.

use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;

use base::{ByteSpan, Diagnostic, ProjectPath};
use edit::{Splice, TextEdit};
use preserve::outline::{Outline, Token, tokens};

use super::types::whole_lines;
use super::{Carried, Confidence, Errors, carried};
use crate::project::{Project, Text, quoted};
use crate::{Intent, What};

/// Most bytes of an import, to each side of a name in it.
const LONGEST: usize = 8_000;

/// A removed item: its name in the imports that the compiler cannot resolve.
pub(super) fn of_removed(
    project: &Project<'_>,
    intent: &Intent,
    errors: &Errors<'_>,
    found: &mut Vec<Carried>,
) {
    let What::Removed(of) = &intent.what else { return };
    if !of.owner.is_empty() {
        return;
    }
    let mut change = carried(intent.to_string(), Confidence::Certain);
    for marked in errors.marked() {
        let Some(text) = project.text(marked.path) else { continue };
        let is_it = marked.error.code.as_deref() == Some("E0432")
            && text.slice(marked.span).rsplit("::").next() == Some(of.name.as_str());
        if let Some(splice) = is_it.then(|| without_import(&text.text, marked.span)).flatten() {
            change.seeds.push(marked.seed);
            change.splices.push((text.path.clone(), splice));
        }
    }
    found.push(change);
}

/// Names that are imported twice since the difference: the imports that the base has go.
pub(super) fn doubled(project: &Project<'_>, errors: &Errors<'_>) -> Carried {
    let mut change = carried("a newer import or item has the name".to_owned(), Confidence::Certain);
    // By file, since one declaration may have several of them.
    let mut names: BTreeMap<ProjectPath, Vec<ByteSpan>> = BTreeMap::new();
    for (seed, error) in errors.iter() {
        let places = match error.code.as_deref() {
            Some("E0252" | "E0255") => places_of_doubled(project, error),
            Some("E0432") => places_of_unresolved(project, error),
            _ => continue,
        };
        if let [(text, span)] = places.as_slice() {
            change.seeds.push(seed);
            names.entry(text.path.clone()).or_default().push(*span);
        }
    }
    for (path, spans) in names {
        let Some(text) = project.text(&path) else { continue };
        let removed = without_imports(&text.text, spans);
        change.splices.extend(removed.into_iter().map(|it| (path.clone(), it)));
    }
    change
}

/// Removes several imported names, which may be those of one declaration.
pub(crate) fn without_imports(text: &str, mut spans: Vec<ByteSpan>) -> Vec<Splice> {
    spans.sort_unstable();
    spans.dedup();
    let mut rest = text.to_owned();
    // From the end: what is removed moves no earlier name.
    for span in spans.iter().rev() {
        if let Some(splice) = without_import(&rest, *span) {
            rest.replace_range(splice.span.start..splice.span.end, &splice.insert);
        }
    }
    TextEdit::diff(text, &rest).splices
}

/// The imports of the name that the error reports as defined twice which the base has.
fn places_of_doubled(project: &Project<'_>, error: &Diagnostic) -> Vec<(Rc<Text>, ByteSpan)> {
    let Some(name) = quoted(&error.message).next() else { return Vec::new() };
    let places = error.spans.iter().filter_map(|it| {
        let text = project.text(it.place.project()?)?;
        Some((text, it.bytes))
    });
    places
        .filter(|(text, span)| {
            text.slice(*span).ends_with(name) && is_in_base(project, text, *span)
        })
        .collect()
}

/// The unresolved imports of a name for which the file has another, newer import.
fn places_of_unresolved(project: &Project<'_>, error: &Diagnostic) -> Vec<(Rc<Text>, ByteSpan)> {
    let primary = error.spans.iter().filter(|it| it.primary);
    let places = primary.filter_map(|it| Some((project.text(it.place.project()?)?, it.bytes)));
    places
        .filter(|(text, span)| {
            let name = preserve::last_name(text.slice(*span)).to_owned();
            let imports = preserve::imports(&Outline::of(&text.text));
            let same = imports.keys().filter(|it| preserve::last_name(it) == name);
            same.count() > 1 && is_in_base(project, text, *span)
        })
        .collect()
}

/// Whether the base has the line of a span.
fn is_in_base(project: &Project<'_>, text: &Text, span: ByteSpan) -> bool {
    let start = ByteSpan::new(span.start, span.start);
    let line = text.slice(text.lines_around(start)).trim_end_matches('\r');
    let base = project.difference.get(&text.path).and_then(|it| it.base.as_deref());
    base.is_none_or(|base| base.lines().any(|it| it == line))
}

/// Removes the imported name that ends with `span`: the name and its path with one comma, the whole group if it
/// is the only one in it, and the declaration if nothing is left.
pub fn without_import(text: &str, span: ByteSpan) -> Option<Splice> {
    let start = text.floor_char_boundary(span.start.saturating_sub(LONGEST));
    let end = text.floor_char_boundary(span.end + LONGEST);
    let list = tokens(text.get(start..end)?);
    let name = list.iter().position(|it| start + it.span.end == span.end)?;
    let first = (0..name).rev().find(|at| list[*at].is("use"))?;
    let last = (name..list.len()).find(|at| list[*at].is(";"))?;
    if list[first..last].iter().any(|it| it.is(";")) {
        return None;
    }
    let (mut from, mut to) = element(&list, first, last, name)?;
    // The only one of a group: the group goes.
    let is_end = |to: usize| {
        list[to].is("}") || list[to].is(",") && list.get(to + 1).is_some_and(|it| it.is("}"))
    };
    while list[from - 1].is("{") && is_end(to) {
        (from, to) = element(&list, first, last, from - 1)?;
    }
    let at = |idx: usize| start + list[idx].span.start;
    if from == first + 1 {
        let from = (0..first).rev().take_while(|at| is_visibility(&list[*at])).last();
        let from = before_attributes(&list, from.unwrap_or(first));
        let item = ByteSpan::new(at(from), start + list[last].span.end);
        return Some(Splice { span: whole_lines(text, item), insert: String::new() });
    }
    if let Some((group, only)) = alone_in_group(&list, from) {
        let span = ByteSpan::new(at(group.start), start + list[group.end - 1].span.end);
        let only = text.get(at(only.start)..start + list[only.end - 1].span.end)?;
        return Some(Splice { span, insert: only.to_owned() });
    }
    let span = match (list[to].is(","), list[from - 1].is(",")) {
        // With the space before the next name, if that is on the same line.
        (true, _) if !is_end(to) => ByteSpan::new(at(from), at(to + 1)),
        (_, true) => {
            ByteSpan::new(start + list[from - 1].span.start, start + list[to - 1].span.end)
        }
        _ => ByteSpan::new(at(from), at(to)),
    };
    Some(Splice { span, insert: String::new() })
}

/// If the group around the element at `from` has one other element: the tokens of the group, and
/// those of the other element, which needs no braces. `{self}` does: it imports no value.
fn alone_in_group(list: &[Token<'_>], from: usize) -> Option<(Range<usize>, Range<usize>)> {
    let mut depth = 0_usize;
    let open = (0..from).rev().find(|idx| match list[*idx].text {
        "}" => {
            depth += 1;
            false
        }
        "{" if depth == 0 => true,
        "{" => {
            depth -= 1;
            false
        }
        _ => false,
    })?;
    let mut elements: Vec<Range<usize>> = Vec::new();
    let mut start = open + 1;
    for (idx, it) in list.iter().enumerate().skip(open + 1) {
        match it.text {
            "{" => depth += 1,
            "}" if depth == 0 => {
                elements.push(start..idx);
                elements.retain(|it| !it.is_empty() && !it.contains(&from));
                let [only] = elements.as_slice() else { return None };
                let is_self = list[only.start].is("self");
                return (!is_self).then(|| (open..idx + 1, only.clone()));
            }
            "}" => depth -= 1,
            "," if depth == 0 => {
                elements.push(start..idx);
                start = idx + 1;
            }
            ";" => return None,
            _ => {}
        }
    }
    None
}

/// The first token of the attributes that end before `at`, else `at`.
fn before_attributes(list: &[Token<'_>], at: usize) -> usize {
    let mut first = at;
    while first > 0 && list[first - 1].is("]") {
        let mut depth = 0_usize;
        let open = (0..first).rev().find(|idx| {
            if list[*idx].is("]") {
                depth += 1;
            } else if list[*idx].is("[") {
                depth -= 1;
            }
            depth == 0
        });
        // Not the inner attributes of the file.
        match open.and_then(|it| it.checked_sub(1)).filter(|it| list[*it].is("#")) {
            Some(hash) => first = hash,
            None => break,
        }
    }
    first
}

fn is_visibility(token: &Token<'_>) -> bool {
    token.is("pub") || token.is("(") || token.is("crate") || token.is("super") || token.is(")")
}

/// The element of an import list around `at`: its first token, and the separator or bracket after it.
fn element(list: &[Token<'_>], first: usize, last: usize, at: usize) -> Option<(usize, usize)> {
    let is_edge = |it: &Token<'_>| it.is(",") || it.is("{") || it.is("use");
    let from = (first..at).rev().find(|idx| is_edge(&list[*idx]))? + 1;
    let mut depth = 0_usize;
    let to = (at..=last).find(|idx| {
        let it = &list[*idx];
        if it.is("{") {
            depth += 1;
        } else if it.is("}") && depth > 0 {
            depth -= 1;
            return false;
        }
        depth == 0 && (it.is(",") || it.is("}") || it.is(";"))
    })?;
    Some((from, to))
}
