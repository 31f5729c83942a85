//! Types that changed: references at calls, tuples in patterns, `Option` and `Result`, constructors.

use base::{ByteSpan, is_word};
use edit::{Splice, diff_sequences};
use refactor::ElementList;
use refactor::{PlacedText, quoted, whole_lines};
use syntax::places::{DefinitionKind, PartKind, Use, UseKind};

use super::fallible::is_expanded;
use super::fields::is_of;
use super::values::{Place, Wanted, core, values};
use super::{Confidence, Errors, Marked, Propagation, propagation};
use crate::project::{Project, has_word};
use crate::{DefinitionName, Guess, Intent, What};

pub(super) fn types(
    project: &Project<'_>,
    intent: &Intent,
    errors: &Errors<'_>,
    found: &mut Vec<Propagation>,
) {
    let What::Retyped { of, at, from, to } = &intent.what else { return };
    let retyped = Retyped { of, at: *at, from, to };
    let mut change = propagation(intent.to_string(), Confidence::Certain);
    for marked in errors.marked() {
        let Some(text) = project.text(marked.path) else { continue };
        let splices = retyped.splices(&text, &marked);
        if !splices.is_empty() {
            change.seeds.push(marked.seed);
            change.splices.extend(splices.into_iter().map(|it| (text.path.clone(), it)));
        }
    }
    found.push(change);
    if let Some(at) = at {
        other_values(project, &retyped, *at, intent, errors, found);
    }
}

/// A parameter that has another name and type: the value of that name in the caller.
fn other_values(
    project: &Project<'_>,
    retyped: &Retyped<'_>,
    at: usize,
    intent: &Intent,
    errors: &Errors<'_>,
    found: &mut Vec<Propagation>,
) {
    let name = project.parameters(intent).and_then(|it| it.into_iter().nth(at));
    let Some(name) = name.filter(|it| !it.is_empty()) else { return };
    let mut change = propagation(intent.to_string(), Confidence::Likely);
    for marked in errors.marked() {
        let Some(text) = project.text(marked.path) else { continue };
        let Some(arg) = retyped.argument_at(&text, &marked, at) else { continue };
        let place =
            Place { text: &text, at: arg.start, siblings: Vec::new(), examples: Vec::new() };
        let values = values(project, &place, &Wanted { name: &name, ty: retyped.to });
        let value = values.into_iter().find(|it| it.confidence == Confidence::Likely);
        if let Some(value) = value.filter(|it| it.text != text.slice(arg)) {
            let splice = Splice { span: arg, insert: value.text };
            let guess = value.guess;
            change
                .guesses
                .extend(guess.and_then(|it| Guess::of(&text.path, &splice, &splice.insert, it)));
            change.seeds.push(marked.seed);
            change.splices.push((text.path.clone(), splice));
        }
    }
    found.push(change);
}

struct Retyped<'a> {
    of: &'a DefinitionName,
    at: Option<usize>,
    from: &'a str,
    to: &'a str,
}

impl Retyped<'_> {
    fn splices(&self, text: &PlacedText, marked: &Marked<'_>) -> Vec<Splice> {
        match (self.at, self.of.kind) {
            (Some(at), _) => self.argument(text, marked, at).into_iter().collect(),
            (None, DefinitionKind::Function) => {
                let tuple = self.tuple(text, marked);
                if tuple.is_empty() {
                    self.outcome(text, marked).into_iter().collect()
                } else {
                    tuple
                }
            }
            (None, DefinitionKind::Field) => {
                let field = self.field_value(text, marked);
                if field.is_empty() { self.constructor(text, marked) } else { field }
            }
            (None, DefinitionKind::Const | DefinitionKind::Static) => {
                self.constructor(text, marked)
            }
            _ => Vec::new(),
        }
    }

    /// The marked argument, if it is that of the parameter `at`.
    fn argument_at(&self, text: &PlacedText, marked: &Marked<'_>, at: usize) -> Option<ByteSpan> {
        let call = text.uses_around(marked.span).into_iter().find(|it| {
            matches!(it.kind, UseKind::Call | UseKind::MethodCall) && it.name == self.of.name
        })?;
        let arg = call.args.iter().position(|it| it.span.contains(marked.span))?;
        let is_it = arg == at || (arg == at + 1 && call.kind == UseKind::Call);
        call.args.get(arg).filter(|_| is_it).map(|it| it.span)
    }

    /// A reference that the parameter has gained or lost, at the marked argument.
    fn argument(&self, text: &PlacedText, marked: &Marked<'_>, at: usize) -> Option<Splice> {
        let span = self.argument_at(text, marked, at)?;
        let slice = text.slice(span);
        let (from, to) = (reference(self.from), reference(self.to));
        let replaced = |len: usize, insert: &str| {
            let span = ByteSpan::new(span.start, span.start + len);
            Some(Splice { span, insert: insert.to_owned() })
        };
        match (from, to) {
            (Reference::Shared, Reference::None) if slice.starts_with('&') => replaced(1, ""),
            (Reference::Mutable, Reference::None) if slice.starts_with("&mut ") => replaced(5, ""),
            (Reference::None, Reference::Shared) => replaced(0, "&"),
            (Reference::None, Reference::Mutable) => replaced(0, "&mut "),
            (Reference::Mutable, Reference::Shared) if slice.starts_with("&mut ") => {
                replaced(5, "&")
            }
            (Reference::Shared, Reference::Mutable) if slice.starts_with('&') => {
                replaced(1, "&mut ")
            }
            // The argument is a parameter of the caller: that has to be mutable too.
            (Reference::Shared, Reference::Mutable) => {
                let caller = text.function_at(span.start)?;
                let part = caller
                    .parts
                    .iter()
                    .find(|it| it.kind == PartKind::Parameter && it.name == slice)?;
                let ty = part.ty.filter(|ty| reference(text.slice(*ty)) == Reference::Shared)?;
                let end = text.slice(ty).find(|it: char| it != '&').unwrap_or(1);
                let written = text.slice(ty).get(end..)?;
                let lifetime = match written.starts_with('\'') {
                    true => written.find(' ').map_or(0, |it| it + 1),
                    false => 0,
                };
                let at = ty.start + end + lifetime;
                Some(Splice { span: ByteSpan::new(at, at), insert: "mut ".to_owned() })
            }
            _ => None,
        }
    }

    /// A tuple that has gained or lost elements, in the pattern that takes it apart.
    fn tuple(&self, text: &PlacedText, marked: &Marked<'_>) -> Vec<Splice> {
        let (Some(from), Some(to)) = (elements(self.from), elements(self.to)) else {
            return Vec::new();
        };
        if from.len() == to.len() {
            return Vec::new();
        }
        let is_it = |it: &&Use| it.kind == UseKind::Tuple && it.args.len() == from.len();
        let around = text.uses_around(marked.span);
        let Some(tuple) = around.into_iter().find(is_it) else { return Vec::new() };
        let list = ElementList::of(&text.text, tuple);
        let mut splices = Vec::new();
        for (gone, come) in diff_sequences(&from, &to) {
            splices.extend(gone.clone().filter_map(|at| list.remove(at)));
            for _ in come {
                let place = tuple.args.get(gone.end);
                let (at, insert) = match (place, tuple.args.last()) {
                    (Some(next), _) => (next.span.start, "_, "),
                    (None, Some(last)) => (last.span.end, ", _"),
                    (None, None) => continue,
                };
                splices.push(Splice { span: ByteSpan::new(at, at), insert: insert.to_owned() });
            }
        }
        splices
    }

    /// `Option` for `Result` or the reverse, in a marked pattern or value.
    fn outcome(&self, text: &PlacedText, marked: &Marked<'_>) -> Option<Splice> {
        let kind = |ty: &str| match core(ty).split('<').next() {
            Some("Option") => Some("Option"),
            Some(it) if it.ends_with("Result") => Some("Result"),
            _ => None,
        };
        let (from, to) = (kind(self.from)?, kind(self.to)?);
        let is_mismatch = marked.error.code.as_deref() == Some("E0308");
        // What a macro makes of other values stays.
        if from == to || !is_mismatch || is_expanded(marked.error) {
            return None;
        }
        let slice = text.slice(marked.span);
        let ((old, new), (empty, new_empty)) = match from {
            "Option" => (("Some", "Ok"), ("None", "Err(_)")),
            _ => (("Ok", "Some"), ("Err(_)", "None")),
        };
        let in_pattern = text.uses_around(marked.span).first().is_some_and(|it| {
            it.kind == UseKind::Arm
                && it.args.first().is_some_and(|it| it.span.contains(marked.span))
        });
        if slice == empty && in_pattern {
            return Some(Splice { span: marked.span, insert: new_empty.to_owned() });
        }
        slice.strip_prefix(old).filter(|it| it.starts_with('('))?;
        let span = ByteSpan::new(marked.span.start, marked.span.start + old.len());
        Some(Splice { span, insert: new.to_owned() })
    }

    /// A field that was an `Option` and is its content, or the reverse.
    fn field_value(&self, text: &PlacedText, marked: &Marked<'_>) -> Vec<Splice> {
        let inner = |ty: &str| {
            ty.strip_prefix("Option<").and_then(|it| it.strip_suffix('>')).map(str::to_owned)
        };
        let around = text.uses_around(marked.span);
        let record = around.iter().find(|it| {
            matches!(it.kind, UseKind::Literal | UseKind::RecordPattern)
                && is_of(it, &self.of.owner)
        });
        let field = record.and_then(|it| it.args.iter().find(|it| it.name == self.of.name));
        let Some(field) = field.filter(|it| it.value.contains(marked.span)) else {
            return Vec::new();
        };
        if inner(self.from).as_deref() != Some(self.to) {
            return Vec::new();
        }
        let value = text.slice(field.value);
        match value.strip_prefix("Some(").and_then(|it| it.strip_suffix(')')) {
            // `option: Some(option)` is the shorthand `option` then.
            Some(kept) if kept == field.name => {
                vec![Splice { span: field.span, insert: kept.to_owned() }]
            }
            Some(kept) => vec![Splice { span: field.value, insert: kept.to_owned() }],
            None if value == "None" => {
                let arm = around.iter().find(|it| it.kind == UseKind::Arm);
                arm.map(|it| Splice {
                    span: whole_lines(&text.text, it.span),
                    insert: String::new(),
                })
                .into_iter()
                .collect()
            }
            None => Vec::new(),
        }
    }

    /// `Old::new()` where a value of the new type is made.
    fn constructor(&self, text: &PlacedText, marked: &Marked<'_>) -> Vec<Splice> {
        let name = |ty: &str| core(ty).split('<').next().unwrap_or("").to_owned();
        let (from, to) = (name(self.from), name(self.to));
        let is_type = |it: &str| it.starts_with(char::is_uppercase);
        if from == to || !is_type(&from) || !is_type(&to) {
            return Vec::new();
        }
        let slice = text.slice(marked.span);
        let is_missed =
            slice == from && quoted(&marked.error.message).any(|it| has_word(it, &from));
        let in_field = text.uses_around(marked.span).into_iter().any(|it| {
            it.kind == UseKind::Literal
                && is_of(it, &self.of.owner)
                && it
                    .args
                    .iter()
                    .any(|it| it.name == self.of.name && it.value.contains(marked.span))
        });
        if !in_field {
            return Vec::new();
        }
        if is_missed {
            return vec![Splice { span: marked.span, insert: to }];
        }
        let Some(rest) = slice.strip_prefix(&from).filter(|it| it.starts_with("::")) else {
            return Vec::new();
        };
        let end = marked.span.end - rest.len();
        vec![Splice { span: ByteSpan::new(marked.span.start, end), insert: to }]
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Reference {
    None,
    Shared,
    Mutable,
}

fn reference(ty: &str) -> Reference {
    let Some(rest) = ty.strip_prefix('&') else { return Reference::None };
    let rest = match rest.strip_prefix('\'') {
        Some(it) => it.trim_start_matches(is_word).trim_start(),
        None => rest.trim_start(),
    };
    if rest.starts_with("mut ") { Reference::Mutable } else { Reference::Shared }
}

/// The elements of the only tuple in a type.
fn elements(ty: &str) -> Option<Vec<&str>> {
    let start = ty.find('(')?;
    let (mut depth, mut from) = (0_usize, start + 1);
    let mut found = Vec::new();
    for (at, it) in ty.char_indices().skip_while(|(at, _)| *at < start) {
        match it {
            '(' | '<' | '[' => depth += 1,
            ')' | '>' | ']' => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    found.push(ty.get(from..at)?.trim());
                    return (found.len() > 1).then_some(found);
                }
            }
            ',' if depth == 1 => {
                found.push(ty.get(from..at)?.trim());
                from = at + 1;
            }
            _ => {}
        }
    }
    None
}
