//! The arm for one missing pattern, learned from the arms of the same match.

use std::ops::Range;

use base::{ByteSpan, SortedMap, has_word};
use preserve::outline::{Outline, TokenKind};
use refactor::imported_paths;

use super::pattern::{PathPlace, Shape, paths};
use super::spelling::Spellings;
use super::{MatchArm, MayHave, span_of};

/// Text that is added for one missing pattern.
pub(super) enum Plan {
    /// An alternative of an or-pattern.
    Alternative { at: usize, insert: String, pattern: String },
    /// An arm like its siblings, after the arm of that index.
    Arm { after: usize, text: String, pattern: String },
    /// An arm with a hole, at the end.
    Hole { pattern: String },
}

/// Macros of a body that no other arm has to repeat.
const STOPS: [&str; 4] = ["panic", "todo", "unimplemented", "unreachable"];

/// A variant that the match has, at the place of the missing one.
struct Sibling {
    /// Index of its arm.
    arm: usize,
    place: PathPlace,
    shape: Shape,
    /// Payload, guard and body but for the names of variant and bindings.
    payload: Vec<String>,
    rest: Vec<String>,
    uses_payload: bool,
    /// The strings of the body that are the variant's name, by token.
    strings: Vec<(usize, Spellings)>,
}

/// The arm for a missing pattern, such as `Join::Right(_)`.
pub(super) fn plan(
    (outline, text): (&Outline<'_>, &str),
    arms: &[MatchArm],
    witness: &str,
    may_have: Option<&MayHave<'_>>,
) -> Plan {
    let missing = Outline::of(witness);
    let all = paths(&missing, &(0..missing.tokens.len()));
    let Some(variant) = all.iter().rev().find(|it| !it.is_bare()).or(all.last()) else {
        return Plan::Hole { pattern: witness.to_owned() };
    };
    let siblings = siblings(outline, arms, variant);
    let name = missing.text(variant.name);
    let owner = variant.path.len().checked_sub(3).map(|it| missing.text(variant.path.start + it));
    let is_imported = owner.is_some_and(|it| text.contains(&format!("{it}::*")));
    let path_like = |it: Option<&Sibling>| match it {
        Some(it) if !it.place.is_bare() => qualified_path(outline, text, &it.place, name),
        // The path of the compiler need not be in scope; a glob import is.
        Some(_) if is_imported => name.to_owned(),
        sibling => sibling
            .and_then(|it| beside((outline, text), it, (owner, name)))
            .unwrap_or_else(|| path_text(&missing, witness, &variant.path)),
    };
    let qualified = siblings.iter().rev().find(|it| !it.place.is_bare());
    let path = path_like(qualified.or(siblings.last()));
    let pattern = with_path(&missing, witness, variant, &path);
    let shape = variant.shape(&missing);
    let model = model(outline, arms, &siblings, shape);
    let Some(((model, strings), may_have)) = model.zip(may_have) else {
        return Plan::Hole { pattern };
    };
    let path = path_like(Some(model));
    let arm = arms.get(model.arm);
    let is_known = arm.is_none_or(|it| names_known(outline, it, model, (name, may_have)));
    let completed = match model.place.count {
        _ if !is_known => None,
        1 => arm
            .and_then(|it| whole_arm((outline, text), it, (model, &strings), (&path, name)))
            .map(|text| Plan::Arm { after: model.arm, text, pattern: pattern.clone() }),
        _ => alternative(outline, text, model, &path).map(|(at, insert)| Plan::Alternative {
            at,
            insert,
            pattern: pattern.clone(),
        }),
    };
    completed.unwrap_or(Plan::Hole { pattern })
}

/// Whether what the body of the model names after its variant, `Kind::Int` for `Value::Int`, may exist
/// under the name of the missing one.
fn names_known(
    outline: &Outline<'_>,
    arm: &MatchArm,
    model: &Sibling,
    (name, may_have): (&str, &MayHave<'_>),
) -> bool {
    let old = outline.text(model.place.name);
    let mut places = arm.body.clone().filter(|at| outline.text(*at) == old);
    places.all(|at| outline.before(at, 1) != "::" || may_have(outline.before(at, 2), name))
}

/// The sibling to copy, with the ways in which its strings write the name: at least two of the same shape, all
/// alike.
fn model<'s>(
    outline: &Outline<'_>,
    arms: &[MatchArm],
    siblings: &'s [Sibling],
    shape: Shape,
) -> Option<(&'s Sibling, Vec<Spellings>)> {
    let same: Vec<&Sibling> = siblings.iter().filter(|it| it.shape.is_like(shape)).collect();
    let (first, last) = (same.first()?, same.last()?);
    let is_alike = |it: &&Sibling| it.payload == first.payload && it.rest == first.rest;
    let is_plain = |it: &Sibling| {
        let arm = &arms[it.arm];
        let stops = |at: usize| outline.text(at + 1) == "!" && STOPS.contains(&outline.text(at));
        arm.guard.is_empty() && !arm.body.clone().any(stops)
    };
    let decides = first.uses_payload
        || !first.strings.is_empty()
        || siblings.iter().all(|it| it.rest == first.rest);
    let is_model = same.len() > 1
        && same.iter().all(is_alike)
        && same.iter().all(|it| is_plain(it))
        && decides;
    let mut strings: Vec<Spellings> = last.strings.iter().map(|it| it.1).collect();
    for it in &same {
        for (all, (_, own)) in strings.iter_mut().zip(&it.strings) {
            *all = all.common(*own);
        }
    }
    is_model.then_some((*last, strings))
}

/// The variants at the place of the missing one.
fn siblings(outline: &Outline<'_>, arms: &[MatchArm], variant: &PathPlace) -> Vec<Sibling> {
    let mut found = Vec::new();
    for (idx, arm) in arms.iter().enumerate() {
        for place in paths(outline, &arm.pattern) {
            if place.around == variant.around {
                found.push(sibling(outline, idx, arm, place));
            }
        }
    }
    found
}

fn sibling(outline: &Outline<'_>, idx: usize, arm: &MatchArm, place: PathPlace) -> Sibling {
    let bindings = bindings(outline, &place.payload);
    let shape = place.shape(outline);
    let name = outline.text(place.name);
    let spelled = |range: Range<usize>| -> Vec<String> {
        let texts = range.map(|at| {
            let word = outline.text(at);
            let bound = bindings.iter().position(|it| *it == word);
            match bound.filter(|_| shape != Shape::Fields) {
                Some(bound) => format!("${bound}"),
                None if word == name => "$".to_owned(),
                None if Spellings::of(word, name).is_some() => "\"$\"".to_owned(),
                None => word.to_owned(),
            }
        });
        let mut texts: Vec<String> = texts.collect();
        // A comma before a closing bracket means nothing.
        let is_trailing = |at: usize, all: &[String]| {
            all[at] == "," && all.get(at + 1).is_some_and(|it| matches!(&**it, ")" | "]" | "}"))
        };
        let kept: Vec<bool> = (0..texts.len()).map(|at| !is_trailing(at, &texts)).collect();
        let mut keep = kept.iter();
        texts.retain(|_| keep.next().copied().unwrap_or(true));
        texts
    };
    let mut rest = spelled(arm.guard.clone());
    rest.extend(spelled(unbraced(outline, &arm.body)));
    let uses = |at: usize| {
        let token = &outline.tokens[at];
        bindings.iter().any(|it| match token.kind {
            TokenKind::Literal => token.text.contains('{') && has_word(token.text, it),
            _ => token.is(it),
        })
    };
    let uses_payload = arm.body.clone().any(uses);
    let payload = spelled(place.payload.clone());
    let strings = arm.body.clone();
    let strings = strings.filter_map(|at| Some((at, Spellings::of(outline.text(at), name)?)));
    let strings = strings.collect();
    Sibling { arm: idx, shape, payload, rest, uses_payload, strings, place }
}

/// A body without the braces around a single expression.
fn unbraced(outline: &Outline<'_>, body: &Range<usize>) -> Range<usize> {
    let is_whole = outline.close.get(body.start).is_some_and(|it| it + 1 == body.end);
    match outline.text(body.start) == "{" && is_whole && body.len() > 2 {
        true => body.start + 1..body.end - 1,
        false => body.clone(),
    }
}

/// The names that a payload binds, in order.
fn bindings<'t>(outline: &Outline<'t>, payload: &Range<usize>) -> Vec<&'t str> {
    let is_binding = |at: &usize| {
        let token = &outline.tokens[*at];
        let is_name = token.kind == TokenKind::Word
            && token.text != "_"
            && token.text.starts_with(|it: char| it.is_lowercase() || it == '_')
            && !matches!(token.text, "ref" | "mut" | "box" | "true" | "false" | "const");
        is_name
            && !matches!(outline.text(at + 1), "::" | "(" | "{" | ":" | "!")
            && outline.before(*at, 1) != "::"
    };
    payload.clone().filter(is_binding).map(|at| outline.text(at)).collect()
}

/// The path of a sibling with another last name.
fn qualified_path(outline: &Outline<'_>, text: &str, place: &PathPlace, name: &str) -> String {
    let before = path_text(outline, text, &(place.path.start..place.name));
    format!("{before}{name}")
}

/// The path of a variant beside a sibling that is imported by its name; another import of the text may add the
/// name of another enum's.
fn beside(
    (outline, text): (&Outline<'_>, &str),
    sibling: &Sibling,
    (owner, name): (Option<&str>, &str),
) -> Option<String> {
    let paths = imported_paths(text, outline, outline.text(sibling.place.name)).into_iter();
    let of_enum = |it: &[String]| owner.is_none_or(|of| it.last().is_some_and(|it| it == of));
    let mut modules = paths.filter_map(|mut path| path.pop().map(|_| path));
    let mut path = modules.find(|it| !it.is_empty() && of_enum(it))?;
    path.push(name.to_owned());
    Some(path.join("::"))
}

fn path_text(outline: &Outline<'_>, text: &str, path: &Range<usize>) -> String {
    let span = span_of(outline, path);
    span.and_then(|it| it.slice(text)).unwrap_or("").to_owned()
}

/// The missing pattern with another path of the variant.
fn with_path(outline: &Outline<'_>, witness: &str, variant: &PathPlace, path: &str) -> String {
    let Some(span) = span_of(outline, &variant.path) else { return witness.to_owned() };
    let part = |span: ByteSpan| span.slice(witness).unwrap_or("");
    let before = part(ByteSpan::new(0, span.start));
    format!("{before}{path}{}", part(ByteSpan::new(span.end, witness.len())))
}

/// The sibling's alternative with the path of the missing variant, and where it goes.
fn alternative(
    outline: &Outline<'_>,
    text: &str,
    model: &Sibling,
    path: &str,
) -> Option<(usize, String)> {
    let own = span_of(outline, &model.place.alternative)?;
    let old = span_of(outline, &model.place.path)?;
    let before = match model.place.previous {
        Some(end) => outline.tokens.get(end.checked_sub(1)?)?.span.end,
        None => own.start,
    };
    let between = text.get(before..own.start)?;
    let is_plain = between.trim() == "|";
    let between = if is_plain { between } else { " | " };
    let head = text.get(own.start..old.start)?;
    let tail = text.get(old.end..own.end)?;
    Some((own.end, format!("{between}{head}{path}{tail}")))
}

/// The sibling's arm for the missing variant.
fn whole_arm(
    (outline, text): (&Outline<'_>, &str),
    arm: &MatchArm,
    (model, strings): (&Sibling, &[Spellings]),
    (path, name): (&str, &str),
) -> Option<String> {
    let whole = span_of(outline, &(arm.pattern.start..arm.body.end))?;
    let mut copy = text.get(whole.start..whole.end)?.to_owned();
    let old = outline.text(model.place.name);
    let strings = model.strings.iter().zip(strings);
    let strings: SortedMap<usize, &Spellings> = strings.map(|(it, all)| (it.0, all)).collect();
    for at in arm.body.clone().rev() {
        let new = match strings.get(&at) {
            Some(all) => all.literal(name)?,
            None if outline.text(at) == old => name.to_owned(),
            None => continue,
        };
        let span = outline.tokens.get(at)?.span;
        copy.replace_range(span.start - whole.start..span.end - whole.start, &new);
    }
    let span = span_of(outline, &model.place.path)?;
    copy.replace_range(span.start - whole.start..span.end - whole.start, path);
    Some(copy)
}
