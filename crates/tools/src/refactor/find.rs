//! The definition that the user names: `module::Type::member`, `Type::member`, the name alone, or
//! `file.rs:LINE[:COLUMN]`.

use std::fmt;

use base::{ByteSpan, ItemKind, LineIndex, ProjectPath};
use change::RenameKind;
use graph::ItemView;
use syntax::places::{Definition, DefinitionKind, PartKind};

use super::{Ground, SourceText};
use crate::Error;

/// A definition of the tree, or a generic parameter of one.
pub(super) struct Named<'a> {
    pub(super) source: &'a SourceText,
    pub(super) definition: &'a Definition,
    /// The token of the parameter, if one is meant.
    pub(super) generic: Option<ByteSpan>,
}

impl Named<'_> {
    pub(super) fn name(&self) -> &str {
        match self.generic {
            Some(span) => self.source.slice(span),
            None => &self.definition.name,
        }
    }

    pub(super) fn kind(&self) -> RenameKind {
        match self.generic {
            Some(_) => RenameKind::Generic,
            None => RenameKind::of(self.definition),
        }
    }

    /// The only text that can name a generic parameter.
    pub(super) fn within(&self) -> Option<(ProjectPath, ByteSpan)> {
        self.generic.map(|_| (self.source.path.clone(), self.definition.span))
    }

    /// Line of the name, from 1.
    pub(super) fn line(&self) -> u32 {
        self.source.line(self.generic.unwrap_or(self.definition.name_span).start)
    }

    /// Whether `other` is the same definition, or the member of an impl that this trait's own declares.
    fn leads(&self, other: &Self) -> bool {
        let (own, other_own) = (self.definition, other.definition);
        let is_same = self.source.path == other.source.path
            && own.name_span == other_own.name_span
            && self.generic == other.generic;
        let is_trait = own.of_trait.is_none() && !own.owner.is_empty();
        is_same
            || is_trait
                && self.generic.is_none()
                && other_own.of_trait.as_ref() == Some(&own.owner)
                && own.kind == other_own.kind
                && own.name == other_own.name
    }

    /// One line for a list of candidates.
    fn described(&self) -> String {
        format!("{self} ({}:{})", self.source.path, self.line())
    }
}

impl fmt::Display for Named<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(span) = self.generic {
            let of = &self.definition.name;
            return write!(f, "generic parameter `{}` of `{of}`", self.source.slice(span));
        }
        change::Named::of(self.definition).fmt(f)
    }
}

/// The one definition that `query` names.
pub(super) fn find<'a>(ground: &'a Ground<'_>, query: &str) -> Result<Named<'a>, Error> {
    let found = match at_place(ground, query) {
        Some(found) => found,
        None => by_path(ground, query),
    };
    let mut found = found;
    if let Some(at) = found.iter().position(|it| found.iter().all(|other| it.leads(other))) {
        return Ok(found.remove(at));
    }
    match found.len() {
        0 => {
            let nearest = ground.map.map().nearest(query, 5);
            Err(Error::NoItem { query: query.to_owned(), nearest })
        }
        _ => {
            let candidates = found.iter().map(Named::described).collect();
            Err(Error::Ambiguous { query: query.to_owned(), candidates })
        }
    }
}

/// The definitions at `file.rs:LINE[:COLUMN]`; `None` if the query is no such place.
fn at_place<'a>(ground: &'a Ground<'_>, query: &str) -> Option<Vec<Named<'a>>> {
    let (file, place) = query.split_once(".rs:")?;
    let source = ground.source(format!("{}.rs", file.trim_start_matches("./")).as_str())?;
    let mut numbers = place.splitn(2, ':').map(str::parse::<u32>);
    let line = numbers.next()?.ok()?;
    let column = numbers.next().map(|it| it.ok()).unwrap_or(None);
    let index = LineIndex::new(&source.text);
    let is_at = |span: ByteSpan| {
        let start = index.line_col(&source.text, span.start);
        let end = index.line_col(&source.text, span.end);
        start.line == line && column.is_none_or(|it| start.col <= it && it < end.col)
    };
    let mut found = Vec::new();
    for definition in source.definitions() {
        if is_at(definition.name_span) {
            found.push(Named { source, definition, generic: None });
        }
        if column.is_some() {
            let own = generics(source, definition).into_iter().filter(|it| is_at(*it));
            found.extend(own.map(|it| Named { source, definition, generic: Some(it) }));
        }
    }
    Some(found)
}

/// The definitions with a path that ends in `query`.
fn by_path<'a>(ground: &'a Ground<'_>, query: &str) -> Vec<Named<'a>> {
    let in_map = |query: &str| -> Vec<Named<'a>> {
        let items = ground.map.map().find(query);
        let items = items.iter().filter_map(|it| ground.map.map().item(*it));
        without_alternatives(items.filter(|it| is_definition(it.kind)).collect())
            .into_iter()
            .filter_map(|it| definition_of(ground, &it))
            .collect()
    };
    let found = in_map(query);
    if !found.is_empty() {
        return found;
    }
    let found = in_map(&format!("{}!", query.trim_end_matches('!')));
    if !found.is_empty() {
        return found;
    }
    let Some((owner, last)) = query.rsplit_once("::") else {
        return fields(ground, None, query);
    };
    let owners = in_map(owner);
    let mut found: Vec<Named<'a>> = Vec::new();
    for owner in &owners {
        found.extend(fields(ground, Some(owner), last));
        let own = generics(owner.source, owner.definition).into_iter();
        found.extend(own.filter(|it| owner.source.slice(*it) == last).map(|it| Named {
            source: owner.source,
            definition: owner.definition,
            generic: Some(it),
        }));
    }
    found
}

/// The fields of this name, of all types or of one.
fn fields<'a>(ground: &'a Ground<'_>, owner: Option<&Named<'a>>, name: &str) -> Vec<Named<'a>> {
    let sources = ground.sources.iter().filter(|source| match owner {
        Some(owner) => source.path == owner.source.path,
        None => source.text.contains(name),
    });
    let named = sources.flat_map(|source| {
        let own = source.definitions().iter().filter(|it| {
            it.kind == DefinitionKind::Field
                && it.name == name
                && owner.is_none_or(|owner| owner.definition.span.contains(it.span))
        });
        own.map(move |definition| Named { source, definition, generic: None })
    });
    named.collect()
}

/// Whether an item of the map has a definition that can be renamed.
fn is_definition(kind: ItemKind) -> bool {
    !matches!(
        kind,
        ItemKind::Impl
            | ItemKind::Import
            | ItemKind::Crate
            | ItemKind::File
            | ItemKind::Feature
            | ItemKind::External
            | ItemKind::MacroCall
    )
}

/// One of several items with the same path, which differ in their `cfg`.
fn without_alternatives(items: Vec<ItemView<'_>>) -> Vec<ItemView<'_>> {
    let mut seen = Vec::new();
    let mut kept = Vec::new();
    for item in items {
        let key = (item.canon(), item.kind);
        if !seen.contains(&key) {
            seen.push(key);
            kept.push(item);
        }
    }
    kept
}

/// The definition of an item of the map.
pub(super) fn definition_of<'a>(ground: &'a Ground<'_>, item: &ItemView<'_>) -> Option<Named<'a>> {
    let source = ground.source(item.path()?)?;
    let start = item.name_span.0 as usize;
    let definition = source.definitions().iter().find(|it| it.name_span.start == start)?;
    Some(Named { source, definition, generic: None })
}

/// The tokens that declare the generic parameters of a definition, without lifetimes.
fn generics(source: &SourceText, definition: &Definition) -> Vec<ByteSpan> {
    let list = definition.parts.iter().find(|it| it.kind == PartKind::Generics);
    let Some(list) = list else { return Vec::new() };
    let text = source.slice(list.span);
    let mut found = Vec::new();
    let (mut depth, mut starts) = (0usize, false);
    let mut at = 0;
    while let Some(ch) = text[at..].chars().next() {
        let rest = &text[at..];
        if starts && (ch.is_alphabetic() || ch == '_') {
            let len = rest.find(|it: char| !it.is_alphanumeric() && it != '_');
            let len = len.unwrap_or(rest.len());
            if &rest[..len] != "const" {
                let start = list.span.start + at;
                found.push(ByteSpan::new(start, start + len));
                starts = false;
            }
            at += len;
            continue;
        }
        match ch {
            '<' | '(' | '[' | '{' => {
                depth += 1;
                starts = depth == 1;
            }
            '>' if text[..at].ends_with('-') => {}
            '>' | ')' | ']' | '}' => depth = depth.saturating_sub(1),
            ',' if depth == 1 => starts = true,
            '\'' => starts = false,
            _ => {}
        }
        at += ch.len_utf8();
    }
    found
}
