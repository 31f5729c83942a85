//! The tokens of a name that an item had before: the finder of `rename`, for an in-progress
//! change of the tree.

use base::{Ctx, ProjectPath, SortedSet};
use project::Workspace;
use refactor::{RenameKind, RenameTarget, Renaming, SiteKey};
use syntax::places::{Definition, DefinitionKind};

use super::{CodePlaces, RefactorContext, SourceText, family, find, known};
use crate::Error;

/// An item whose name was changed, or which was removed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormerItem {
    /// Its kind.
    pub kind: RenameKind,
    /// The type, trait or enum that it was a member of; empty in a module.
    pub owner: String,
    /// The name that it had.
    pub from: String,
    /// The name that its uses get; `None` if it was removed, or if it is not sure that it has another one.
    pub to: Option<String>,
    /// The name that its definition has; `None` if it was removed.
    pub now: Option<String>,
    /// File and line, from 1, of the definition with the new name; without one, those that it had.
    pub place: (ProjectPath, u32),
}

/// The tokens of the former name, with the code that each is in.
///
/// # Errors
/// A map or a tree that cannot be read.
pub fn former_names(
    ctx: &Ctx,
    workspace: &Workspace,
    item: &FormerItem,
) -> Result<(Renaming, CodePlaces), Error> {
    let context = RefactorContext::open(ctx, workspace)?;
    let (mut definitions, types) = in_impls(&context, item);
    definitions.extend(counterparts(&context, item));
    definitions.extend(counterparts_beside(&context, item));
    definitions.extend(counterparts_of_path(&context, item));
    let mut owners = owners(&context, item);
    owners.extend(types);
    let target = RenameTarget {
        kind: item.kind,
        from: item.from.clone(),
        to: item.to.clone().unwrap_or_else(|| item.from.clone()),
        owners,
        definitions,
        within: None,
    };
    let known = known::known(&context, &SortedSet::new(), &item.from);
    let files = context.texts();
    let renaming = Renaming::with_pages(target, &known, &files, context.page_texts.clone());
    let places = CodePlaces::of(&context, &renaming);
    Ok((renaming, places))
}

/// The tokens of the present names of items, with the code that each is in; `None` for an item without a
/// definition that can be followed.
///
/// # Errors
/// A map or a tree that cannot be read.
pub fn present_names(
    ctx: &Ctx,
    workspace: &Workspace,
    items: &[FormerItem],
) -> Result<Vec<Option<(Renaming, CodePlaces)>>, Error> {
    let context = RefactorContext::open(ctx, workspace)?;
    let files = context.texts();
    let names = |item: &FormerItem| {
        let named = definition(&context, item)?;
        let family = family::family(&context, &named).ok()?;
        let target = family.target(&named, &item.from);
        let known = known::known(&context, &family.items, &item.from);
        let renaming = Renaming::new(target, &known, &files);
        let places = CodePlaces::of(&context, &renaming);
        Some((renaming, places))
    };
    Ok(items.iter().map(names).collect())
}

/// The members of impls that still have the former name of a trait's member, and the types of these impls:
/// there `Self::name` is the member.
fn in_impls(
    context: &RefactorContext<'_>,
    item: &FormerItem,
) -> (SortedSet<SiteKey>, SortedSet<String>) {
    let is_former =
        |it: &&Definition| it.name == item.from && it.of_trait.as_ref() == Some(&item.owner);
    let (mut found, mut types) = (SortedSet::new(), SortedSet::new());
    // A trait of another crate may have the same name. What the map does not have is taken by its name.
    let is_of_it = |path: &ProjectPath, of: &Definition| {
        let known = family::item_at(context, path, of);
        known.is_none_or(|it| family::implemented(context, &it, &item.owner).is_some())
    };
    for source in context.sources.iter().filter(|it| it.text.contains(&item.from)) {
        let former = source.definitions().iter().filter(is_former);
        for own in former.filter(|it| is_of_it(&source.path, it)) {
            found.insert((source.path.clone(), own.name_span.start));
            types.insert(own.owner.clone());
        }
    }
    (found, types)
}

/// The definitions that still have the former name beside the renamed one, all behind a `cfg`: the same item
/// for other builds.
fn counterparts(context: &RefactorContext<'_>, item: &FormerItem) -> SortedSet<SiteKey> {
    let Some(source) = context.source(item.place.0.as_str()) else { return SortedSet::new() };
    let is_gated = |it: &&Definition| change::is_gated(&source.text, it);
    let is_kind = |it: &&Definition| {
        it.owner == item.owner && RenameKind::of_kind(it.kind, !it.owner.is_empty()) == item.kind
    };
    let all = || source.definitions().iter().filter(is_kind).filter(is_gated);
    if !all().any(|it| Some(&it.name) == item.now.as_ref()) {
        return SortedSet::new();
    }
    let former = all().filter(|it| it.name == item.from);
    former.map(|it| (source.path.clone(), it.name_span.start)).collect()
}

/// The definitions with the former name in modules of the same path, such as those of other systems.
fn counterparts_of_path(context: &RefactorContext<'_>, item: &FormerItem) -> SortedSet<SiteKey> {
    let named = definition(context, item).filter(|_| item.owner.is_empty());
    let own = named.and_then(|it| {
        let definition = it.definition()?;
        family::item_at(context, &it.source.path, definition)
    });
    let Some(own) = own else { return SortedSet::new() };
    let canon = own.canon();
    let Some((module, _)) = canon.rsplit_once("::") else { return SortedSet::new() };
    let map = context.map.map();
    let former = map.by_canon(&format!("{module}::{}", item.from)).into_iter();
    let former = former.filter_map(|it| map.item(it)).filter(|it| it.kind == own.kind);
    let named = former.filter_map(|it| find::definition_of(context, &it));
    named.map(|it| (it.source.path.clone(), it.token().start)).collect()
}

/// The members with the former name of a type that a file beside this one defines too: the same type for
/// other builds (`unix.rs` and `windows.rs`).
fn counterparts_beside(context: &RefactorContext<'_>, item: &FormerItem) -> SortedSet<SiteKey> {
    let own = &item.place.0;
    let defines = |source: &SourceText| {
        source.definitions().iter().any(|it| {
            let is_type = matches!(it.kind, DefinitionKind::Struct | DefinitionKind::Enum);
            is_type && it.name == item.owner
        })
    };
    if item.owner.is_empty() || !context.source(own.as_str()).is_some_and(defines) {
        return SortedSet::new();
    }
    let beside = context.sources.iter().filter(|it| {
        it.path != *own && it.path.parent() == own.parent() && it.text.contains(&item.from)
    });
    let mut found = SortedSet::new();
    for source in beside.filter(|it| defines(it)) {
        let is_it = |it: &&Definition| {
            let kind = RenameKind::of_kind(it.kind, !it.owner.is_empty());
            it.owner == item.owner && it.name == item.from && kind == item.kind
        };
        let members = source.definitions().iter().filter(is_it);
        found.extend(members.map(|it| (source.path.clone(), it.name_span.start)));
    }
    found
}

/// The names that a path reaches the item through.
fn owners(context: &RefactorContext<'_>, item: &FormerItem) -> SortedSet<String> {
    let mut owners: SortedSet<String> =
        Some(item.owner.clone()).filter(|it| !it.is_empty()).into_iter().collect();
    if let Some(named) = definition(context, item) {
        owners.extend(family::family(context, &named).into_iter().flat_map(|it| it.owners));
    } else if item.owner.is_empty() {
        // Of a removed item the module is known by its file alone.
        let stem = item.place.0.file_name().trim_end_matches(".rs").to_owned();
        owners.extend(["crate", "$crate", "super", "self"].map(str::to_owned));
        owners.insert(stem);
        owners.extend(super::relocate::roots(context).into_iter().map(|it| it.name));
    }
    owners
}

/// The definition with the present name of an item.
fn definition<'c>(context: &'c RefactorContext<'_>, item: &FormerItem) -> Option<find::Named<'c>> {
    let (path, line) = &item.place;
    let source = context.source(path.as_str())?;
    let is_it = |it: &&Definition| {
        Some(&it.name) == item.now.as_ref()
            && it.owner == item.owner
            && source.line(it.name_span.start).abs_diff(*line) <= 1
    };
    let definition = source.definitions().iter().find(is_it)?;
    Some(find::Named { source, item: find::NamedItem::Definition(definition) })
}
