//! The definition that the user names: `module::Type::member`, `Type::member`, the name alone, or
//! `file.rs:LINE[:COLUMN]`.

use std::fmt;

use base::{ByteSpan, ItemKind, LineIndex, ProjectPath};
use code::CodeError;
use graph::ItemView;
use preserve::outline::{TokenKind, tokens};
use refactor::RenameKind;
use syntax::places::{Definition, DefinitionKind, generic_params};

use super::{RefactorContext, SourceText};
use crate::Error;

/// What the user names, with its file.
#[derive(Clone)]
pub(super) struct Named<'a> {
    pub(super) source: &'a SourceText,
    pub(super) item: NamedItem<'a>,
}

/// A definition, or a generic parameter.
#[derive(Clone, Copy)]
pub(super) enum NamedItem<'a> {
    Definition(&'a Definition),
    Generic(Generic<'a>),
}

/// A generic parameter of a definition or an impl.
#[derive(Clone, Copy)]
pub(super) struct Generic<'a> {
    /// Its declaring token.
    token: ByteSpan,
    /// The definition or impl, whole: the only text that can name it.
    within: ByteSpan,
    /// Name of the definition or of the impl's type.
    of: &'a str,
}

impl<'a> Named<'a> {
    pub(super) fn name(&self) -> &str {
        match self.item {
            NamedItem::Generic(it) => self.source.slice(it.token),
            NamedItem::Definition(it) => &it.name,
        }
    }

    pub(super) fn kind(&self) -> RenameKind {
        match self.item {
            NamedItem::Generic(_) => RenameKind::Generic,
            NamedItem::Definition(it) => RenameKind::of(it),
        }
    }

    /// The definition, unless a generic parameter is named.
    pub(super) fn definition(&self) -> Option<&'a Definition> {
        match self.item {
            NamedItem::Generic(_) => None,
            NamedItem::Definition(it) => Some(it),
        }
    }

    /// The token that declares it.
    pub(super) fn token(&self) -> ByteSpan {
        match self.item {
            NamedItem::Generic(it) => it.token,
            NamedItem::Definition(it) => it.name_span,
        }
    }

    /// The only text that can name it: of a generic parameter its item, of an item in a function the
    /// body.
    pub(super) fn within(&self) -> Option<(ProjectPath, ByteSpan)> {
        let within = match self.item {
            NamedItem::Generic(it) => Some(it.within),
            NamedItem::Definition(it) if it.of_trait.is_some() => None,
            NamedItem::Definition(it) => {
                let around = self.source.definitions().iter().filter(|of| {
                    of.kind == DefinitionKind::Function
                        && of.body.is_some_and(|body| body.contains(it.span))
                });
                around.min_by_key(|of| of.span.len()).and_then(|of| of.body)
            }
        };
        within.map(|it| (self.source.path.clone(), it))
    }

    /// Line of the name, from 1.
    pub(super) fn line(&self) -> u32 {
        self.source.line(self.token().start)
    }

    /// Whether `other` is the same definition, or the member of an impl that this trait's own declares.
    fn leads(&self, other: &Self) -> bool {
        if self.source.path == other.source.path && self.token() == other.token() {
            return true;
        }
        let (Some(own), Some(of)) = (self.definition(), other.definition()) else { return false };
        let is_trait = own.of_trait.is_none() && !own.owner.is_empty();
        is_trait
            && of.of_trait.as_ref() == Some(&own.owner)
            && own.kind == of.kind
            && own.name == of.name
    }

    /// One line for a list of candidates.
    fn described(&self) -> String {
        format!("{self} ({}:{})", self.source.path, self.line())
    }
}

impl fmt::Display for Named<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.item {
            NamedItem::Generic(it) => {
                write!(f, "generic parameter `{}` of `{}`", self.name(), it.of)
            }
            NamedItem::Definition(it) => change::DefinitionName::of(it).fmt(f),
        }
    }
}

/// The one definition that `query` names.
pub(super) fn find<'a>(context: &'a RefactorContext<'_>, query: &str) -> Result<Named<'a>, Error> {
    one(context, query, |_| true)
}

/// The same for a change that fields cannot have: of a field and a method of one name the method is meant.
pub(super) fn find_but_field<'a>(
    context: &'a RefactorContext<'_>,
    query: &str,
) -> Result<Named<'a>, Error> {
    one(context, query, |it| it.definition().is_none_or(|it| it.kind != DefinitionKind::Field))
}

/// The same for a change of free items alone: no field, variant or other member is meant.
pub(super) fn find_free<'a>(
    context: &'a RefactorContext<'_>,
    query: &str,
) -> Result<Named<'a>, Error> {
    use DefinitionKind as K;
    let is_free = |it: &Definition| it.owner.is_empty() && !matches!(it.kind, K::Module | K::Macro);
    one(context, query, |it| it.definition().is_some_and(is_free))
}

/// The one definition that `query` names, of those that `may_be` if there are any.
fn one<'a>(
    context: &'a RefactorContext<'_>,
    query: &str,
    may_be: impl Fn(&Named<'a>) -> bool,
) -> Result<Named<'a>, Error> {
    let query = &query.replace("r#", "");
    let from_here = context.map.workspace().place_from_here(query);
    let from_here = from_here.and_then(|place| at_place(context, &place));
    let mut found = match at_place(context, query) {
        Some(mut found) => {
            for named in from_here.into_iter().flatten() {
                let is_known = |it: &Named<'_>| {
                    it.source.path == named.source.path && it.token() == named.token()
                };
                if !found.iter().any(is_known) {
                    found.push(named);
                }
            }
            found
        }
        None => match from_here {
            Some(found) => found,
            None => by_path(context, query),
        },
    };
    if found.iter().any(&may_be) {
        found.retain(&may_be);
    }
    if let Some(at) = found.iter().position(|it| found.iter().all(|other| it.leads(other))) {
        return Ok(found.remove(at));
    }
    match found.len() {
        0 => Err(match in_macro_call(context, query) {
            Some(place) => Error::InMacroCall { query: query.to_owned(), place },
            None => context.map.no_item(query).into(),
        }),
        _ => {
            let candidates = found.iter().map(Named::described).collect();
            Err(CodeError::Ambiguous { query: query.to_owned(), candidates }.into())
        }
    }
}

/// File and line of a declaration that is no definition of the syntax: in the input of a macro call.
fn in_macro_call(context: &RefactorContext<'_>, query: &str) -> Option<String> {
    const WORDS: [&str; 9] =
        ["const", "enum", "fn", "mod", "static", "struct", "trait", "type", "union"];
    let place = query.split_once(".rs:").map(|(file, place)| {
        let line = place.split(':').next().and_then(|it| it.parse::<u32>().ok());
        (format!("{}.rs", file.trim_start_matches("./")), line)
    });
    let name = query.rsplit("::").next().unwrap_or(query).trim_end_matches('!');
    let map = context.map.map();
    let made = map.find_exact(query).into_iter().filter_map(|it| map.item(it));
    if let Some(item) = made.into_iter().find(|it| it.flags.from_macro)
        && let Some(source) = item.path().and_then(|it| context.source(it))
    {
        return Some(format!("{}:{}", source.path, source.line(item.span.0 as usize)));
    }
    let sources = context.sources.iter().filter(|source| match &place {
        Some((file, _)) => source.path.as_str() == file,
        None => base::has_word(&source.text, name),
    });
    sources.into_iter().find_map(|source| {
        let list = tokens(&source.text);
        let pairs = list.windows(2).filter(|it| WORDS.contains(&it[0].text));
        let mut declared = pairs.map(|it| it[1]).filter(|it| match &place {
            Some((_, line)) => Some(source.line(it.span.start)) == *line,
            None => it.text.trim_start_matches("r#") == name,
        });
        let declared = declared.find(|it| {
            let is_name = it.kind == TokenKind::Word;
            is_name && !source.definitions().iter().any(|own| own.name_span == it.span)
        })?;
        Some(format!("{}:{}", source.path, source.line(declared.span.start)))
    })
}

/// The definitions at `file.rs:LINE[:COLUMN]`; `None` if the query is no such place.
fn at_place<'a>(context: &'a RefactorContext<'_>, query: &str) -> Option<Vec<Named<'a>>> {
    let (file, place) = query.split_once(".rs:")?;
    let source = context.source(format!("{}.rs", file.trim_start_matches("./")).as_str())?;
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
            found.push(Named { source, item: NamedItem::Definition(definition) });
        }
    }
    if column.is_some() {
        let own = generics(source).into_iter().filter(|it| is_at(it.token));
        found.extend(own.map(|it| Named { source, item: NamedItem::Generic(it) }));
    }
    Some(found)
}

/// The definitions with a path that ends in `query`.
fn by_path<'a>(context: &'a RefactorContext<'_>, query: &str) -> Vec<Named<'a>> {
    let in_map = |query: &str| -> Vec<Named<'a>> {
        let items = context.map.map().find_exact(query);
        let items = items.iter().filter_map(|it| context.map.map().item(*it));
        without_alternatives(items.filter(|it| is_definition(it.kind)).collect())
            .into_iter()
            .filter_map(|it| definition_of(context, &it))
            .collect()
    };
    let mut found = in_map(query);
    if found.is_empty() {
        found = in_map(&format!("{}!", query.trim_end_matches('!')));
    }
    if !found.is_empty() {
        // A method and a field of one type may have one name.
        for method in found.clone() {
            found.extend(fields_beside(context, &method));
        }
        return found;
    }
    let Some((owner, last)) = query.rsplit_once("::") else {
        return fields(context, None, query);
    };
    let owners = in_map(owner);
    let mut found: Vec<Named<'a>> = Vec::new();
    for owner in &owners {
        found.extend(fields(context, Some(owner), last));
        let Some(of) = owner.definition() else { continue };
        let own = generics(owner.source)
            .into_iter()
            .filter(|it| it.within == of.span && owner.source.slice(it.token) == last);
        found.extend(own.map(|it| Named { source: owner.source, item: NamedItem::Generic(it) }));
    }
    found
}

/// The fields with the name of a method, of the method's type.
fn fields_beside<'a>(context: &'a RefactorContext<'_>, method: &Named<'a>) -> Vec<Named<'a>> {
    let Some(own) = method.definition() else { return Vec::new() };
    if own.kind != DefinitionKind::Function || own.owner.is_empty() {
        return Vec::new();
    }
    let all = fields(context, None, &own.name);
    all.into_iter().filter(|it| it.definition().is_some_and(|it| it.owner == own.owner)).collect()
}

/// The fields of this name, of all types or of one.
fn fields<'a>(
    context: &'a RefactorContext<'_>,
    owner: Option<&Named<'a>>,
    name: &str,
) -> Vec<Named<'a>> {
    let sources = context.sources.iter().filter(|source| match owner {
        Some(owner) => source.path == owner.source.path,
        None => source.text.contains(name),
    });
    let named = sources.flat_map(|source| {
        let own = source.definitions().iter().filter(|it| {
            it.kind == DefinitionKind::Field
                && it.name == name
                && owner
                    .and_then(Named::definition)
                    .is_none_or(|owner| owner.span.contains(it.span))
        });
        own.map(move |it| Named { source, item: NamedItem::Definition(it) })
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
pub(super) fn definition_of<'a>(
    context: &'a RefactorContext<'_>,
    item: &ItemView<'_>,
) -> Option<Named<'a>> {
    let source = context.source(item.path()?)?;
    let start = item.name_span.0 as usize;
    let definition = source.definitions().iter().find(|it| it.name_span.start == start)?;
    Some(Named { source, item: NamedItem::Definition(definition) })
}

/// The generic parameters of the definitions and impls of a file, without lifetimes.
fn generics(source: &SourceText) -> Vec<Generic<'_>> {
    let mut found = Vec::new();
    for (of, within, list) in source.places().generic_lists() {
        let tokens = generic_params(source.slice(list), list.start);
        found.extend(tokens.into_iter().map(|token| Generic { token, within, of }));
    }
    found
}
