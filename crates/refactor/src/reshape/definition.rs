//! The edits of one definition: its list of parameters or fields, its types. `uses.rs` makes those
//! of calls, literals and patterns.

use base::ByteSpan;
use edit::Splice;
use preserve::outline::tokens;
use syntax::places::{Definition, DefinitionKind, PartKind};

use super::fault::ReshapeFault;
use super::purity::names_value;
use super::request::TypedPart;
use super::{Edit, ListEdit, ReshapePlan, Reshaping, obstacle, parameters};
use crate::list::ElementList;
use crate::rename::Source;
use crate::text::spelled;

/// The parameter that [`Reshaping::counted`] adds.
const COUNTER: &str = "_: ()";

/// Adds the edits of a definition to the plan, or why it cannot be changed.
pub(super) fn definition(
    of: &Reshaping,
    source: &Source,
    it: &Definition,
    counted: bool,
    plan: &mut ReshapePlan,
) {
    let edits = match &of.edit {
        Edit::List(edit) => list(of, edit, source, it, counted),
        Edit::Type { part, from, to } => typed(*part, (from, to), source, it),
        Edit::Field { name, ty, .. } => Ok(field(name, ty, source, it)),
    };
    match edits {
        Ok(splices) => {
            plan.splices.extend(splices.into_iter().map(|it| (source.path.clone(), it)));
        }
        Err(fault) => {
            plan.obstacles.push(obstacle(source, it.name_span.start, fault.to_string()));
        }
    }
}

fn list(
    of: &Reshaping,
    edit: &ListEdit,
    source: &Source,
    it: &Definition,
    counted: bool,
) -> Result<Vec<Splice>, ReshapeFault> {
    let own: Vec<_> = parameters(it).collect();
    let receiver = it.parts.iter().find(|it| it.kind == PartKind::Receiver);
    if own.len() != of.count || receiver.is_some() != of.has_receiver {
        return Err(ReshapeFault::OtherParameters);
    }
    if own.iter().any(|it| source.slice(it.span.start..it.span.end).starts_with('#')) {
        return Err(ReshapeFault::ParameterAttribute);
    }
    let open = opening(source, it).ok_or(ReshapeFault::NoList)?;
    let items = receiver.into_iter().chain(own.iter().copied()).map(|it| it.span).collect();
    let offset = usize::from(receiver.is_some());
    let list = ElementList::new(&source.text, ByteSpan::new(open, it.head.end), items);
    let body = it.body.map(|it| source.slice(it.start..it.end)).unwrap_or_default();
    Ok(match edit {
        ListEdit::Insert { at, parameter, name, .. } => {
            let word = name.trim_start_matches("r#");
            if it.kind == DefinitionKind::Function && names_value(body, word).is_some() {
                return Err(ReshapeFault::NameTaken(name.clone()));
            }
            let visibility = visibility(source, it);
            vec![list.insert(at + offset, &format!("{visibility}{parameter}"))]
        }
        ListEdit::Remove { at } => {
            let part = own.get(*at).ok_or(ReshapeFault::OtherParameters)?;
            removable(source, it, part, body)?;
            list.remove(at + offset).into_iter().collect()
        }
        ListEdit::Order(order) => {
            let order = super::uses::after(offset, order);
            list.reorder(&order, &[], counted.then_some(COUNTER))
        }
    })
}

/// Whether no code of a function uses a parameter.
fn removable(
    source: &Source,
    it: &Definition,
    part: &syntax::places::DefinitionPart,
    body: &str,
) -> Result<(), ReshapeFault> {
    if it.kind != DefinitionKind::Function {
        return Ok(());
    }
    if part.name.is_empty() {
        let pattern = source.slice(part.span.start..part.span.end);
        let is_unused = pattern.split(':').next().is_some_and(|it| it.trim() == "_");
        return match is_unused || it.body.is_none() {
            true => Ok(()),
            false => Err(ReshapeFault::PatternUsed(pattern.to_owned())),
        };
    }
    if let (Some(at), Some(span)) = (names_value(body, &part.name), it.body) {
        let line = base::LineIndex::new(&source.text).line_of(span.start + at);
        return Err(ReshapeFault::Used { name: part.name.clone(), line });
    }
    let attributes = source.slice(it.span.start..it.name_span.start);
    match names_value(attributes, &part.name) {
        Some(_) => Err(ReshapeFault::UsedByAttribute(part.name.clone())),
        None => Ok(()),
    }
}

/// Where the list of parameters begins.
fn opening(source: &Source, it: &Definition) -> Option<usize> {
    let generics = it.parts.iter().find(|it| it.kind == PartKind::Generics);
    let from = generics.map_or(it.name_span.end, |it| it.span.end);
    Some(from + source.text.get(from..it.span.end)?.find('(')?)
}

/// The visibility of the last part of a tuple struct, which a new one gets too.
fn visibility(source: &Source, it: &Definition) -> String {
    let last = parameters(it).last().filter(|_| it.kind == DefinitionKind::Struct);
    let Some((last, ty)) = last.and_then(|it| Some((it, it.ty?))) else { return String::new() };
    own_visibility(source.slice(last.span.start..ty.start)).to_owned()
}

/// The visibility at the end of what precedes a name or type.
fn own_visibility(before: &str) -> &str {
    let list = tokens(before);
    let at = list.iter().rposition(|it| it.is("pub"));
    at.and_then(|at| before.get(list[at].span.start..)).unwrap_or("")
}

fn typed(
    part: TypedPart,
    (from, to): (&str, &str),
    source: &Source,
    it: &Definition,
) -> Result<Vec<Splice>, ReshapeFault> {
    let own = match part {
        TypedPart::Parameter(at) => parameters(it).nth(at),
        TypedPart::Own => it.parts.iter().find(|it| it.kind == PartKind::Type),
    };
    if let Some(span) = own.and_then(|it| it.ty) {
        // The type of another definition may be written otherwise: the compiler reports it.
        let is_same = spelled(source.slice(span.start..span.end)) == spelled(from);
        let splice = Splice { span, insert: to.to_owned() };
        return Ok(is_same.then_some(splice).into_iter().collect());
    }
    if part != TypedPart::Own || it.kind != DefinitionKind::Function || !from.is_empty() {
        return Ok(Vec::new());
    }
    let open = opening(source, it).ok_or(ReshapeFault::NoList)?;
    let mut depth = 0_usize;
    for token in tokens(source.slice(open..it.span.end)) {
        match token.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            let at = open + token.span.end;
            let span = ByteSpan::new(at, at);
            return Ok(vec![Splice { span, insert: format!(" -> {to}") }]);
        }
    }
    Err(ReshapeFault::NoListEnd)
}

fn field(name: &str, ty: &str, source: &Source, it: &Definition) -> Vec<Splice> {
    let Some(body) = it.body else { return Vec::new() };
    let all = source.places.definitions.iter();
    let own: Vec<&Definition> = all
        .filter(|other| {
            other.kind == DefinitionKind::Field
                && other.owner == it.name
                && body.contains(other.span)
        })
        .collect();
    let visibility =
        own.last().map_or("", |it| own_visibility(source.slice(it.span.start..it.name_span.start)));
    let declaration = format!("{visibility}{name}: {ty}");
    let list = ElementList::new(&source.text, body, own.iter().map(|it| it.span).collect());
    let mut splice = list.insert(own.len(), &declaration);
    if own.is_empty() {
        splice.insert = format!(" {declaration} ");
    }
    vec![splice]
}
