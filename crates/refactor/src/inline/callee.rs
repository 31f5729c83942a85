//! The type that a parameter of a called function gives a literal.

use preserve::outline::{Token, TokenKind};
use syntax::places::{Definition, DefinitionKind, PartKind};

use super::lean::plain_type;
use crate::rename::Source;

/// The call `Type::function(…)` or `function(…)` of which a token alone is an argument: its path, the
/// last name last, and the index of the argument.
pub(super) fn call_of<'t>(list: &[Token<'t>], at: usize) -> Option<(Vec<&'t str>, usize)> {
    let text = |at: usize| list.get(at).map_or("", |it| it.text);
    let is_alone =
        matches!(text(at.checked_sub(1)?), "(" | ",") && matches!(text(at + 1), ")" | ",");
    if !is_alone {
        return None;
    }
    let (mut depth, mut index, mut open) = (0_usize, 0, at);
    loop {
        open = open.checked_sub(1)?;
        match text(open) {
            ")" | "]" | "}" => depth += 1,
            "(" if depth == 0 => break,
            "(" | "[" | "{" => depth = depth.checked_sub(1)?,
            "," if depth == 0 => index += 1,
            ";" | "|" | "||" if depth == 0 => return None,
            _ => {}
        }
    }
    let mut name = open.checked_sub(1)?;
    let mut path = vec![text(name)];
    while name >= 2 && text(name - 1) == "::" {
        name -= 2;
        path.insert(0, text(name));
    }
    let is_path = !matches!(name.checked_sub(1).map_or("", text), "." | "::" | "fn" | "!");
    let is_word = list.get(open - 1)?.kind == TokenKind::Word;
    (is_path && is_word).then_some((path, index))
}

/// The type of a parameter of a function that a path names: an associated function of a type of the
/// project, or a function of the file `home`. `None` if there is another one of the name.
pub(super) fn parameter_type(
    sources: &[Source],
    home: &Source,
    path: &[&str],
    index: usize,
) -> Option<String> {
    let (name, owner) = match path {
        [name] => (*name, ""),
        [.., owner, name] if owner.starts_with(|it: char| it.is_uppercase()) => (*name, *owner),
        _ => return None,
    };
    let is_it = |it: &&Definition| {
        it.kind == DefinitionKind::Function && it.name == name && it.owner == owner
    };
    let mut found: Vec<(&Source, &Definition)> = Vec::new();
    let mut types = 0;
    for source in sources {
        let all = &source.places.definitions;
        found.extend(all.iter().filter(is_it).map(|it| (source, it)));
        let is_type = |it: &&Definition| {
            let kind = matches!(it.kind, DefinitionKind::Struct | DefinitionKind::Enum);
            kind && it.name == owner
        };
        types += all.iter().filter(is_type).count();
    }
    let [(source, function)] = found[..] else { return None };
    let is_known = if owner.is_empty() { source.path == home.path } else { types == 1 };
    let has = |kind: PartKind| function.parts.iter().any(|it| it.kind == kind);
    if !is_known || has(PartKind::Generics) || has(PartKind::Receiver) {
        return None;
    }
    let mut parameters = function.parts.iter().filter(|it| it.kind == PartKind::Parameter);
    let ty = parameters.nth(index)?.ty?;
    Some(plain_type(source.slice(ty.start..ty.end)))
}
