//! The request, checked: each text is one piece of Rust, and the definition has the parts it names.

use std::fmt;

use syntax::places::{Definition, DefinitionKind, DefinitionPart, PartKind};
use syntax::{FragmentKind, is_fragment};

use super::{Edit, ListEdit, parameters};
use crate::rename::Source;
use crate::{BadName, check_name};

/// What is asked of a definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reshape {
    /// A parameter more, of a function or of a tuple struct or variant.
    AddParameter {
        /// The parameter.
        new: NewPart,
        /// Where; `None`: as the last.
        place: Option<PartPlace>,
    },
    /// A parameter less, by its name, or by its index if it has none.
    RemoveParameter {
        /// Its name or index.
        name: String,
    },
    /// The parameters in another order.
    Reorder {
        /// All names, in the new order.
        names: Vec<String>,
    },
    /// Another type.
    ChangeType {
        /// Name or index of the parameter; `None`: the type of the definition itself, of a function
        /// its return type.
        part: Option<String>,
        /// The type.
        ty: String,
    },
    /// A field more, as the last of a struct.
    AddField {
        /// The field.
        new: NewPart,
    },
}

/// A new parameter or field, as the user wrote it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewPart {
    /// `name: Type`.
    pub declaration: String,
    /// The value at every use; `None`: found for each.
    pub value: Option<String>,
}

/// The place of a new parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PartPlace {
    /// At this position, from 1, without `self`.
    At(usize),
    /// Before the parameter of this name.
    Before(String),
    /// After it.
    After(String),
}

/// The part of a definition that gets another type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TypedPart {
    /// The parameter at this index, without `self`.
    Parameter(usize),
    /// The definition itself; of a function what it returns.
    Own,
}

/// Why a definition cannot be changed as asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BadRequest {
    /// The definition was not found in the texts.
    NoDefinition,
    /// A text is not what it has to be.
    NoFragment {
        /// The text.
        text: String,
        /// What it has to be: `one expression`.
        wanted: &'static str,
    },
    /// A name is none.
    Name {
        /// The text.
        name: String,
        /// The reason.
        bad: BadName,
    },
    /// The change does not fit the definition.
    Misfit(String),
}

impl fmt::Display for BadRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoDefinition => f.write_str("its definition was not found in the texts"),
            Self::NoFragment { text, wanted } => {
                write!(f, "`{text}` is not {wanted} on one line, without comments")
            }
            Self::Name { name, bad } => write!(f, "`{name}` cannot be a name: {bad}"),
            Self::Misfit(reason) => f.write_str(reason),
        }
    }
}

fn misfit<T>(reason: impl Into<String>) -> Result<T, BadRequest> {
    Err(BadRequest::Misfit(reason.into()))
}

/// The change of a definition, and its description.
pub(super) fn edit(
    change: &Reshape,
    source: &Source,
    of: &Definition,
) -> Result<(Edit, String), BadRequest> {
    match change {
        Reshape::AddParameter { new, place } => add_parameter(new, place.as_ref(), of),
        Reshape::RemoveParameter { name } => {
            let at = parameter(of, name)?;
            if of.kind == DefinitionKind::Struct && at + 1 != parameters(of).count() {
                return misfit(format!("the parts after `{name}` are used by their index"));
            }
            let summary = format!("loses the parameter `{name}`");
            Ok((Edit::List(ListEdit::Remove { at }), summary))
        }
        Reshape::Reorder { names } => reorder(names, of),
        Reshape::ChangeType { part, ty } => change_type(part.as_deref(), ty, source, of),
        Reshape::AddField { new } => {
            let (name, ty) = declared(&new.declaration)?;
            let value = value(new)?;
            let has_fields = source.slice(of.head.start..of.span.end).contains('{');
            if of.kind != DefinitionKind::Struct || !has_fields {
                return misfit("only a struct with named fields can have a new field");
            }
            let mut all = source.places.definitions.iter();
            let word = name.trim_start_matches("r#");
            if all.any(|it| {
                it.kind == DefinitionKind::Field && it.name == word && of.span.contains(it.span)
            }) {
                return misfit(format!("it has a field `{name}` already"));
            }
            let summary = format!("has the new field `{name}: {ty}`");
            Ok((Edit::Field { name, ty, value }, summary))
        }
    }
}

fn add_parameter(
    new: &NewPart,
    place: Option<&PartPlace>,
    of: &Definition,
) -> Result<(Edit, String), BadRequest> {
    let (name, ty) = declared(&new.declaration)?;
    let value = value(new)?;
    has_list(of)?;
    let count = parameters(of).count();
    let word = name.trim_start_matches("r#");
    if parameters(of).any(|it| it.name == word) {
        return misfit(format!("it has a parameter `{name}` already"));
    }
    let at = match place {
        None => count,
        Some(PartPlace::At(at)) => match at.checked_sub(1).filter(|it| *it <= count) {
            Some(at) => at,
            None => return misfit(format!("`--at {at}`: the positions are 1 to {}", count + 1)),
        },
        Some(PartPlace::Before(other)) => parameter(of, other)?,
        Some(PartPlace::After(other)) => parameter(of, other)? + 1,
    };
    if of.kind == DefinitionKind::Struct && at < count {
        return misfit("the parts of a tuple struct are used by their index: add the new one last");
    }
    let parameter = match of.kind {
        DefinitionKind::Function => format!("{name}: {ty}"),
        _ => ty.clone(),
    };
    let summary = format!("has the new parameter `{name}: {ty}`");
    Ok((Edit::List(ListEdit::Insert { at, parameter, name, value }), summary))
}

fn reorder(names: &[String], of: &Definition) -> Result<(Edit, String), BadRequest> {
    if of.kind != DefinitionKind::Function {
        return misfit("only the parameters of a function can be reordered");
    }
    has_list(of)?;
    let mut order = Vec::new();
    for name in names {
        let at = parameter(of, name)?;
        if order.contains(&at) {
            return misfit(format!("`{name}` is named twice"));
        }
        order.push(at);
    }
    if let Some((at, missing)) = parameters(of).enumerate().find(|(at, _)| !order.contains(at)) {
        let missing = match missing.name.as_str() {
            "" => format!("parameter {}", at + 1),
            name => format!("`{name}`"),
        };
        return misfit(format!("name all parameters in their new order: {missing} is missing"));
    }
    if order.is_sorted() {
        return misfit("its parameters have this order already");
    }
    let summary = format!("has its parameters in the order `{}`", names.join(", "));
    Ok((Edit::List(ListEdit::Order(order)), summary))
}

fn change_type(
    part: Option<&str>,
    ty: &str,
    source: &Source,
    of: &Definition,
) -> Result<(Edit, String), BadRequest> {
    let to = fragment(ty, FragmentKind::Type)?;
    let written = |it: Option<&DefinitionPart>| {
        it.and_then(|it| it.ty).map_or("", |it| source.slice(it.start..it.end)).to_owned()
    };
    let own = of.parts.iter().find(|it| it.kind == PartKind::Type);
    let is_function = of.kind == DefinitionKind::Function;
    let (part, from, shown) = match part {
        Some(name) => {
            let at = parameter(of, name)?;
            let from = written(parameters(of).nth(at));
            (TypedPart::Parameter(at), from, format!("has the parameter `{name}` of type"))
        }
        None if is_function => (TypedPart::Own, written(own), "returns".to_owned()),
        None if own.is_some() => (TypedPart::Own, written(own), "has the type".to_owned()),
        None => return misfit("it has no type: name a parameter, field, constant or function"),
    };
    if from == to {
        return misfit("it has this type already");
    }
    let was = if from.is_empty() { "()" } else { &from };
    let summary = format!("{shown} `{to}`, was `{was}`");
    Ok((Edit::Type { part, from, to }, summary))
}

/// Name and type of `name: Type`.
fn declared(declaration: &str) -> Result<(String, String), BadRequest> {
    let Some((name, ty)) = declaration.split_once(':') else {
        let text = declaration.to_owned();
        return Err(BadRequest::NoFragment { text, wanted: "`NAME: TYPE`" });
    };
    let name = name.trim();
    check_name(name).map_err(|bad| BadRequest::Name { name: name.to_owned(), bad })?;
    Ok((name.to_owned(), fragment(ty, FragmentKind::Type)?))
}

fn value(new: &NewPart) -> Result<Option<String>, BadRequest> {
    new.value.as_deref().map(|it| fragment(it, FragmentKind::Expression)).transpose()
}

fn fragment(text: &str, kind: FragmentKind) -> Result<String, BadRequest> {
    let text = text.trim();
    match is_fragment(text, kind) {
        true => Ok(text.to_owned()),
        false => {
            let wanted = match kind {
                FragmentKind::Expression => "one expression",
                FragmentKind::Type => "one type",
            };
            Err(BadRequest::NoFragment { text: text.to_owned(), wanted })
        }
    }
}

/// The index of the parameter with this name; of one without, its index as a number.
fn parameter(of: &Definition, name: &str) -> Result<usize, BadRequest> {
    let word = name.trim();
    let word = word.strip_prefix("r#").unwrap_or(word);
    let is_it = |(at, it): &(usize, &DefinitionPart)| match it.name.as_str() {
        "" => word.parse() == Ok(*at),
        name => name == word,
    };
    let found = parameters(of).enumerate().find(is_it);
    match found {
        Some((at, _)) => Ok(at),
        None => {
            let own: Vec<String> = parameters(of)
                .enumerate()
                .map(|(at, it)| match it.name.as_str() {
                    "" => at.to_string(),
                    name => name.to_owned(),
                })
                .collect();
            let own = match own.is_empty() {
                true => "it has none".to_owned(),
                false => format!("it has {}", own.join(", ")),
            };
            misfit(format!("it has no parameter `{name}`: {own}"))
        }
    }
}

/// Whether the definition has a list of parameters.
fn has_list(of: &Definition) -> Result<(), BadRequest> {
    let has_some = parameters(of).next().is_some();
    match of.kind {
        DefinitionKind::Function => Ok(()),
        DefinitionKind::Struct | DefinitionKind::Variant if has_some => Ok(()),
        DefinitionKind::Struct | DefinitionKind::Variant => {
            misfit("it has no list of parts in parentheses")
        }
        _ => misfit("only functions, tuple structs and tuple variants have parameters"),
    }
}
